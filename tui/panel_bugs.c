/* panel_bugs.c - the bug lab: named mistakes put in force, one at a time or several. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bug.h"
#include "core/message.h"
#include "tui/panel_kinds.h"
#include "tui/view.h"

/* ---- which are in force ---- */

static bool names_bug(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *p = list; *p; p += strspn(p, ",")) {
		size_t n = strcspn(p, ",");
		if (n == length && !memcmp(p, name, n))
			return true;
		p += n;
	}
	return false;
}

bool panel_bug_in_force(const struct state *s, size_t k)
{
	return names_bug(s->now.options.bug, bugs[k].name);
}

/* The bugs in force with one more, or one less; false, and said, when that means nothing. */
static bool combine(struct state *s, const struct bug *bug, struct buffer *out)
{
	const char *list = s->now.options.bug;
	bool remove = names_bug(list, bug->name);

	for (size_t k = 0; k < bugs_count; k++) {
		const struct bug *other = &bugs[k];
		if (other == bug || !names_bug(list, other->name))
			continue;
		enum option both = remove ? OPT_COUNT : bug_clash(bug, other);
		if (both < OPT_COUNT) {
			state_say(s, true, "%s and %s both set %s: one of them at a time", bug->name, other->name,
				  option_info(both)->name);
			return false;
		}
		buffer_format(out, "%s%s", out->size ? "," : "", other->name);
	}
	if (!remove)
		buffer_format(out, "%s%s", out->size ? "," : "", bug->name);
	if (!out->size)
		buffer_text(out, "none");
	return true;
}

/* ---- what a mistake needs ---- */

/* Looks at the first rows, until one hides a key; their numbers are of no concern. */
static bool hides_a_key(const struct state *s)
{
	const struct problem *p = s->problem;
	size_t rows = p->n_q < 64 ? p->n_q : 64;
	rules *rule = calloc(p->n_k, sizeof *rule);
	bool found = false;

	for (size_t i = 0; i < rows && rule && !found; i++) {
		mask_row(p, &s->grid.attention.options, i, rule);
		for (size_t j = 0; j < p->n_k && !found; j++)
			found = mask_hides(rule[j]);
	}
	free(rule);
	return found;
}

/* An option that a bug needs to show itself and the screen lacks. */
struct supply { const char *option, *said; char value[32]; };

static bool supply(const struct state *s, const struct bug *bug, struct supply *out)
{
	if (bug->needs == BUG_NEEDS_HIDDEN && !hides_a_key(s)) {
		*out = (struct supply){ "causal", _("; the causal mask is on with it, as nothing was hidden"), "on" };
		return true;
	}
	if (bug->needs == BUG_NEEDS_PAD && !s->now.options.pad.n) {
		*out = (struct supply){ "pad", _("; the last key is padding with it, as none was"), "" };
		snprintf(out->value, sizeof out->value, "%zu", s->problem->n_k - 1);
		return true;
	}
	return false;
}

/* ---- putting them in force ---- */

/* No mistake changes weights that are given: nothing before them is computed. */
static bool weights_given(struct state *s, const char *by)
{
	if (s->problem->source != SOURCE_WEIGHTS)
		return false;
	state_say(s, true, "%s: finished weights are given; nothing before them is computed", by);
	return true;
}

/* The list of bugs becomes `list`; a bug that joins it gets what it needs. */
static void set_bugs(struct state *s, const char *list, const struct bug *joins, const struct bug *leaves, const char *by)
{
	struct supply extra = { NULL, "", "" };
	bool more = joins && supply(s, joins, &extra);
	const char *pairs[] = { "bug", list, more ? extra.option : NULL, extra.value, NULL };

	if (!state_change(s, by, pairs))
		return;
	if (joins)
		state_say(s, false, "%s: %s: %s%s", by, joins->name, _(joins->title), extra.said);
	else
		state_say(s, false, "%s: %s is mended", by, leaves->name);
}

/* A bug alone; the only one in force is mended. */
static void choose_bug(struct state *s, const struct bug *bug, const char *by)
{
	bool mend = !strcmp(s->now.options.bug, bug->name);

	if (!weights_given(s, by))
		set_bugs(s, mend ? "none" : bug->name, mend ? NULL : bug, bug, by);
}

/* A bug beside the others; one that is in force is mended. */
static void add_bug(struct state *s, const struct bug *bug, const char *by)
{
	struct buffer list = { 0 };
	bool mend = names_bug(s->now.options.bug, bug->name);

	if (!weights_given(s, by) && combine(s, bug, &list) && list.data)
		set_bugs(s, list.data, mend ? NULL : bug, bug, by);
	buffer_free(&list);
}

/* ---- keys ---- */

void panel_open_bugs(struct state *s, const char *by)
{
	panel_forget(s);
	panel_probes_begin(&s->panel);
	panel_open(s, PANEL_BUGS);
	s->panel.lab.top = 0;
	for (size_t k = 0; k < bugs_count; k++)
		if (panel_bug_in_force(s, k))
			s->panel.chosen = k;
	state_say(s, false, "%s: a letter makes a mistake, Space adds one, u undoes; digits: clinics", by);
}

static void open_bugs(struct state *s, const char *argument, const char *by)
{
	(void)argument;
	panel_open_bugs(s, by);
}

/* Through what is known of the mistake, where it has no room; a line stays. */
static bool scroll(struct state *s, bool down)
{
	int shown, rest = view_bugs_left_out(s, &shown);
	size_t most = rest > 0 ? (size_t)rest : 0, step = shown > 1 ? (size_t)shown - 1 : 1;
	size_t top = s->panel.lab.top < most ? s->panel.lab.top : most;

	s->panel.lab.top = down ? top + step : top > step ? top - step : 0;
	return most > 0;
}

static bool takes(struct state *s, enum command c, const char *by)
{
	if ((c == CMD_PAGE_DOWN || c == CMD_PAGE_UP) && scroll(s, c == CMD_PAGE_DOWN))
		return true;
	if (panel_move_chosen(&s->panel, c, bugs_count)) {
		s->panel.lab.top = 0;
		return true;
	}
	if (c == CMD_EDIT)
		choose_bug(s, &bugs[s->panel.chosen], by);
	else if (c == CMD_FORWARD)
		add_bug(s, &bugs[s->panel.chosen], by);
	else
		return false;
	return true;
}

static bool letter(struct state *s, uint32_t code, const char *by)
{
	size_t row;

	if (code >= '1' && code < '1' + clinics_count) {
		panel_open_clinic(s, &clinics[code - '1'], by);
		return true;
	}
	if (!panel_letter_row(code, bugs_count, &row))
		return false;
	s->panel.chosen = row;
	s->panel.lab.top = 0;
	choose_bug(s, &bugs[row], by);
	return true;
}

/* ---- room ---- */

size_t panel_bug_entries(const struct state *s)
{
	return bugs_count + (s->columns < 100 ? 1 + clinics_count : 0);
}

static int rows(const struct state *s)
{
	return PANEL_HEAD + (int)panel_bug_entries(s);
}

static void readout_piece(struct state *s)
{
	struct panel_lab *p = &s->panel.lab;
	struct error e = { 0 };

	p->readout_done = true;
	if (readout_compute(&p->readout, &s->grid.attention, &e))
		panel_fail(&s->panel, &e);
}

/* The last bug brings the clinics below it onto the screen. */
static void settle(struct state *s, const struct layout *l)
{
	struct panel *p = &s->panel;
	size_t room = l->panel_rows > PANEL_HEAD + 1 ? (size_t)(l->panel_rows - PANEL_HEAD) : 1;
	size_t n = panel_bug_entries(s), wanted = p->chosen, n_q = s->problem->n_q;

	panel_probes_settle(s);
	if (p->chosen + 1 == bugs_count)
		wanted = p->chosen + room - 1 < n ? p->chosen + room - 1 : n - 1;
	panel_keep_in(wanted, n, room, &p->top);
	if (!p->lab.readout_done && !p->failed && panel_is_quick(s, n_q < 256 ? n_q : 256))
		readout_piece(s);
}

/* ---- work: the read-outs, then the lamps ---- */

static void forget(struct panel *p)
{
	p->lab.readout_done = false;
}

static bool working(const struct state *s)
{
	return !s->panel.lab.readout_done || panel_probes_working(s);
}

static void work(struct state *s)
{
	if (s->panel.lab.readout_done)
		panel_probes_work(s);
	else
		readout_piece(s);
}

const struct panel_ops panel_bugs_ops = {
	.mode = MODE_BUGS,
	.command = CMD_BUG_LAB,
	.open = open_bugs,
	.rows = rows,
	.settle = settle,
	.takes = takes,
	.letter = letter,
	.forget = forget,
	.working = working,
	.work = work,
	.progress = panel_probes_progress,
};
