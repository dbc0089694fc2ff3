/* panel_verify.c - the lamps of the probes and the lesson's own test, computed in
 * pieces; and the panel that shows nothing else. */
#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "tui/panel_kinds.h"

/* ---- what is expected ---- */

void panel_probes_begin(struct panel *p)
{
	p->probes.expect = (struct probe_expect){ 0 };
	p->probes.with_causal = p->probes.with_pad = false;
}

/* The masks that have been in force since the panel was opened stay expected, so
 * that switching one off shows what it had kept back. A mask that came with a
 * mistake goes with it: undo takes both back. */
void panel_probes_settle(struct state *s)
{
	struct panel_probes *p = &s->panel.probes;
	const struct options *o = &s->now.options, *opened = &s->opened[s->now.scenario]->options;

	if (p->scenario != s->now.scenario)
		p->with_causal = p->with_pad = false;
	p->scenario = s->now.scenario;
	p->with_causal |= opened->causal;
	p->with_pad |= opened->pad.n && opened->pad_mask;
	if (*o->bug)		/* the lab may have switched them on */
		return;
	p->with_causal |= o->causal;
	p->with_pad |= o->pad.n && o->pad_mask;
}

/* ---- pieces ---- */

static void forget(struct panel *panel)
{
	struct panel_probes *p = &panel->probes;

	probe_work_free(p->work);
	p->work = NULL;
	probe_lesson_work_free(p->lesson_work);
	p->lesson_work = NULL;
	probe_lesson_free(&p->lesson);
	p->probed = p->done = p->lesson_done = false;
}

static void begin(struct state *s)
{
	struct panel_probes *p = &s->panel.probes;
	struct probe_expect x = p->expect;
	struct error e = { 0 };

	x.also_causal = p->with_causal;
	x.pad_as_set = !p->with_pad;
	if (probe_begin(&p->work, &s->grid.attention, &x, s->tables, &e))
		panel_fail(&s->panel, &e);
}

/* The lesson's own test, with the numbers that its script would draw. */
static enum status begin_lesson(struct state *s, struct error *e)
{
	const struct random_input *random = &state_scenario(s)->random;
	bool drawn = s->problem->random;
	const char *seed = !drawn ? NULL : *s->now.options.seed ? s->now.options.seed : random->seed;

	return probe_lesson_begin(&s->panel.probes.lesson_work, &s->grid.attention, seed, drawn ? random->skip : 0,
				  s->tables, e);
}

static bool expects_causal(const struct state *s)
{
	const struct panel_probes *p = &s->panel.probes;

	return p->expect.given ? p->expect.causal : p->with_causal || s->grid.attention.options.causal;
}

static bool expects_last_as_pad(const struct state *s)
{
	const struct panel_probes *p = &s->panel.probes;
	const struct options *o = &s->grid.attention.options;

	return (p->expect.given ? p->expect.pad : p->with_pad || o->pad_mask) && list_has(&o->pad, (long)s->problem->n_k - 1);
}

/* The test means something where no row before the last may see the last key. */
static void take_lesson(struct state *s)
{
	struct panel_probes *p = &s->panel.probes;
	size_t used;

	probe_lesson_take(p->lesson_work, &p->lesson);
	probe_lesson_work_free(p->lesson_work);
	p->lesson_work = NULL;
	p->lesson_done = true;
	if (p->lesson.ok != ANSWER_NO || expects_causal(s) || expects_last_as_pad(s))
		return;
	p->lesson.ok = ANSWER_NONE;
	used = strlen(p->lesson.detail);
	used += (size_t)snprintf(p->lesson.detail + used, sizeof p->lesson.detail - used, "; ");
	snprintf(p->lesson.detail + used, sizeof p->lesson.detail - used, _("no %s mask is expected"), "causal");
}

static void leave_lesson_out(struct panel_probes *p)
{
	p->lesson = (struct probe_lesson){ .ok = ANSWER_NONE };
	snprintf(p->lesson.detail, sizeof p->lesson.detail, _("more than %d queries: qkv verify --probe lesson"),
		 PANEL_LESSON_ROWS);
	p->lesson_done = p->done = true;
}

/* Where memory is short for it the other lamps stay all the same. */
static void lesson_piece(struct state *s)
{
	struct panel_probes *p = &s->panel.probes;
	struct error e = { 0 };
	bool more = true;
	enum status status = p->lesson_work ? probe_lesson_step(p->lesson_work, &more, &e) : begin_lesson(s, &e);

	if (!status && more)
		return;
	p->done = true;
	if (!status)
		take_lesson(s);
}

bool panel_probes_working(const struct state *s)
{
	return !s->panel.probes.done;
}

void panel_probes_work(struct state *s)
{
	struct panel_probes *p = &s->panel.probes;
	struct error e = { 0 };
	bool more = false;

	if (!p->work) {
		begin(s);
	} else if (p->probed) {
		lesson_piece(s);
	} else if (probe_step(p->work, &more, &e)) {
		probe_work_free(p->work);
		p->work = NULL;
		panel_fail(&s->panel, &e);
	} else if (!more) {
		p->probed = true;
		if (s->problem->n_q > PANEL_LESSON_ROWS)
			leave_lesson_out(p);
	}
}

double panel_probes_progress(const struct state *s)
{
	return s->panel.probes.work ? probe_progress(s->panel.probes.work) : 0;
}

unsigned panel_moved(const struct state *s, size_t query)
{
	const struct panel *p = &s->panel;
	bool lamps = p->kind == PANEL_VERIFY || p->kind == PANEL_BUGS;
	const struct probe_report *report = p->probes.work ? probe_work_report(p->probes.work) : NULL;

	return lamps && report && query < report->n_q ? report->moved[query] : 0;
}

/* ---- the panel ---- */

enum probe_answer panel_lamp_says(const struct panel *panel, size_t k, bool *done)
{
	const struct panel_probes *p = &panel->probes;

	*done = k == PROBE_COUNT ? p->lesson_done : p->work && probe_work_done(p->work, (enum probe_name)k);
	if (!*done)
		return ANSWER_NONE;
	return k == PROBE_COUNT ? p->lesson.ok : probe_work_report(p->work)->check[k].ok;
}

const char *panel_lamp_name(size_t k)
{
	return k < PROBE_COUNT ? probe_name((enum probe_name)k) : "lesson";
}

static bool is_out(const struct panel *p, size_t k)
{
	bool done;

	return panel_lamp_says(p, k, &done) == ANSWER_NO;
}

size_t panel_lamp(const struct panel *p)
{
	size_t k = 0;

	if (p->probes.asked)
		return p->chosen;
	while (k < PANEL_LAMPS && !is_out(p, k))
		k++;
	return k < PANEL_LAMPS ? k : 0;
}

/* From the one that is explained on. */
static void next_lamp(struct state *s, const char *by)
{
	struct panel *p = &s->panel;

	p->chosen = (panel_lamp(p) + 1) % PANEL_LAMPS;
	p->probes.asked = true;
	state_say(s, false, "%s: %s", by, panel_lamp_name(p->chosen));
}

static void open_verify(struct state *s, const char *argument, const char *by)
{
	struct panel *p = &s->panel;
	struct error e = { 0 };

	if (*argument && probe_expect_parse(&p->probes.expect, argument, &e)) {
		state_say(s, true, "%s: %s", by, e.text);
		return;
	}
	if (!*argument && p->kind == PANEL_VERIFY) {
		next_lamp(s, by);
		return;
	}
	panel_forget(s);
	if (!*argument)
		panel_probes_begin(p);
	p->probes.asked = false;
	panel_open(s, PANEL_VERIFY);
	state_say(s, false, "%s: what must not be seen is changed; what moves? %s: next lamp, Esc closes", by,
		  *by == ':' ? "v" : by);
}

static int rows(const struct state *s)
{
	/* What a probe found, and what it cannot see. */
	int text = s->columns >= 120 ? 4 : s->columns >= 78 ? 6 : 8;

	return PANEL_HEAD + PANEL_LAMPS + text;
}

static void settle(struct state *s, const struct layout *l)
{
	(void)l;
	panel_probes_settle(s);
}

const struct panel_ops panel_verify_ops = {
	.command = CMD_VERIFY,
	.open = open_verify,
	.rows = rows,
	.settle = settle,
	.forget = forget,
	.working = panel_probes_working,
	.work = panel_probes_work,
	.progress = panel_probes_progress,
};
