/* panel_clinic.c - the same weights under several treatments; a letter puts one in force. */
#include <string.h>

#include "core/message.h"
#include "tui/panel_kinds.h"
#include "tui/text.h"

/* ---- opening ---- */

void panel_open_clinic(struct state *s, const struct clinic *c, const char *by)
{
	panel_forget(s);
	if (!state_open(s, c->scenario, by))
		return;
	s->panel.clinic.which = c;
	panel_open(s, PANEL_CLINIC);
	s->panel.chosen = s->panel.top = 0;
	s->row = c->row;
	state_say(s, false, "%s: %s; letters treat, Esc closes", by, _(c->title));
}

static void open_clinic(struct state *s, const char *name, const char *by)
{
	const struct clinic *c = clinic_find(name);

	if (c)
		panel_open_clinic(s, c, by);
	else if (*name)
		state_say(s, true, "%s: there is no clinic '%.60s'; b lists them", by, name);
	else
		panel_open_bugs(s, by);
}

/* ---- treatments ---- */

/* The value that an option has now. */
static enum status keep_option(const struct state *s, enum option o, struct options *out, struct error *e)
{
	struct buffer value = { 0 };
	enum status status;

	option_text(&s->now.options, o, &value);
	status = value.data ? option_set(out, o, value.data, e) : error_set(e, E_MEMORY, "no memory for a treatment");
	buffer_free(&value);
	return status;
}

/* What a treatment is put on top of: the scenario's own options. The stage stays,
 * and so do the numbers that are drawn: they are what is treated. */
static enum status untreated_options(const struct state *s, struct options *out, struct error *e)
{
	static const enum option kept[] = { OPT_N, OPT_D_K, OPT_D_V, OPT_SEED };
	struct options own;
	enum status status = state_starting_options(s, &s->opened[s->now.scenario]->options, &own, e);

	if (status)
		return status;
	status = option_set(&own, OPT_STAGE, stage_info(state_stage(s))->name, e);
	for (size_t k = 0; k < sizeof kept / sizeof *kept && !status; k++)
		status = keep_option(s, kept[k], &own, e);
	if (status)
		options_free(&own);
	else
		*out = own;
	return status;
}

/* Puts a treatment in force: the options without any, with those of the variant. */
static void choose_variant(struct state *s, size_t k, const char *by)
{
	const struct clinic_variant *v = &s->panel.clinic.which->variants[k];
	struct snapshot next = { .scenario = s->now.scenario };
	struct options own = { 0 };
	struct error e = { 0 };

	s->panel.chosen = k;
	if (untreated_options(s, &own, &e) || clinic_options(&next.options, &own, v, &e) || edits_copy(&next.edits, &s->now.edits, &e) ||
	    state_adopt(s, &next, &e)) {
		state_say(s, true, "%s: %s", by, e.text);
		snapshot_free(&next);
	} else {
		state_say(s, false, "%s: %s", by, _(v->name));
	}
	options_free(&own);
}

static bool letter(struct state *s, uint32_t code, const char *by)
{
	size_t row;

	if (!panel_letter_row(code, s->panel.clinic.which->variants_count, &row))
		return false;
	choose_variant(s, row, by);
	return true;
}

/* ---- work ---- */

static void forget(struct panel *p)
{
	treatments_free(p->clinic.treatments);
	p->clinic.treatments = NULL;
}

static bool working(const struct state *s)
{
	const struct treatments *t = s->panel.clinic.treatments;

	return !(t && treatments_done(t));
}

static void work(struct state *s)
{
	struct panel_clinic *p = &s->panel.clinic;
	struct options own = { 0 };
	struct error e = { 0 };

	if (p->treatments) {
		treatments_step(p->treatments);
		return;
	}
	if (untreated_options(s, &own, &e) ||
	    treatments_begin(&p->treatments, p->which, s->problem, &p->window, &own, &s->now.options, s->tables, &e))
		panel_fail(&s->panel, &e);
	options_free(&own);
}

static double progress(const struct state *s)
{
	const struct treatments *t = s->panel.clinic.treatments;

	return t ? treatments_progress(t) : 0;
}

/* ---- room ---- */

/* Names in two rows, and keys, above the pictures; keys above the table; the look below. */
static int rows(const struct state *s)
{
	const struct clinic *c = s->panel.clinic.which;
	int look = 1 + text_width(_(c->look), false) / (s->columns > 20 ? s->columns - 8 : 12);

	return PANEL_HEAD + look +
	       (c->form == CLINIC_PICTURES ? 3 + panel_as_rows(s->problem->n_q) : 1 + (int)c->variants_count);
}

/* What a clinic shows of other rows or keys is found anew. */
static void settle(struct state *s, const struct layout *l)
{
	struct panel_clinic *p = &s->panel.clinic;
	const struct treatments *t = p->treatments;
	size_t n_q = s->problem->n_q, n_k = s->problem->n_k;
	struct treatments_window w = { .top = s->row < n_q ? s->row : n_q - 1, .rows = 1 };

	if (p->which->form == CLINIC_PICTURES)
		panel_window_around(w.top, n_q, panel_picture_room(l), &w.top, &w.rows);
	panel_window_around(state_is_grid(s) && s->column < n_k ? s->column : 0, n_k, (size_t)s->columns, &w.left, &w.columns);
	if (t && (t->clinic != p->which || memcmp(&t->window, &w, sizeof w)))
		forget(&s->panel);
	p->window = w;
	while (panel_working(s) && panel_is_quick(s, w.rows * p->which->variants_count))
		work(s);
}

const struct panel_ops panel_clinic_ops = {
	.mode = MODE_CLINIC,
	.command = CMD_CLINIC,
	.open = open_clinic,
	.rows = rows,
	.settle = settle,
	.letter = letter,
	.forget = forget,
	.working = working,
	.work = work,
	.progress = progress,
};
