/* view_predict.c - what is asked for, what was right, and after the reveal both numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"
#include "tui/text.h"
#include "tui/view_parts.h"

enum { LABEL_MOST = 12 };

static const struct panel_predict *predict(const struct canvas *c)
{
	return &c->s->panel.predict;
}

/* ---- the head and the question ---- */

static struct pane head(struct canvas *c)
{
	static const char *const what[] = {
		[PREDICT_CELL] = N_("predict: this cell"), [PREDICT_ROW] = N_("predict: this row"),
		[PREDICT_LEAK] = N_("predict: does the future leak?"), [PREDICT_HIDDEN] = N_("predict: the hidden cells"),
	};
	const struct panel_predict *p = predict(c);
	char title[400], number[NUMBER_SIZE], tolerance[NUMBER_SIZE + 40] = "";

	number_plain(panel_tolerance(c->s), number);
	if (p->what != PREDICT_LEAK)
		snprintf(tolerance, sizeof tolerance, _(" of the %s, within %.40s"), stage_info(p->stage)->name, number);
	if (p->what == PREDICT_LEAK && p->of_lamp)
		snprintf(tolerance, sizeof tolerance, " %s", panel_lamp_name(p->lamp));
	snprintf(title, sizeof title, "%s%.120s%s", p->what == PREDICT_LEAK && p->of_lamp ? _("predict: the lamp") : _(what[p->what]), tolerance,
		 p->anew ? _("; anew: the state has changed") : "");
	return panel_head(c, title);
}

static void question(const struct canvas *c, const struct pane *pane)
{
	const struct panel_predict *p = predict(c);
	char text[240], brief[120], row[32], column[32];
	const char *const forms[] = { text, brief, NULL };
	size_t right, given;

	panel_score(c->s, &right, &given);
	if (!p->n && p->what == PREDICT_HIDDEN) {
		snprintf(text, sizeof text, "%s", _("no cell is hidden here; stages 3 and 4 show what masks do"));
		snprintf(brief, sizeof brief, "%s", _("none is hidden here"));
	} else if (!p->n) {
		snprintf(text, sizeof text, "%s", _("what is given is not asked for; stages 1 to 6 follow from it"));
		snprintf(brief, sizeof brief, "%s", _("this is given"));
	} else if (p->revealed) {
		snprintf(text, sizeof text, _("%zu of %zu right, %zu not answered; Space asks again, T asks for something else"), right, p->n,
			 p->n - given);
		snprintf(brief, sizeof brief, _("%zu of %zu right"), right, p->n);
	} else if (given == p->n) {
		snprintf(text, sizeof text, _("%zu of %zu right; Space reveals the numbers"), right, p->n);
		snprintf(brief, sizeof brief, _("%zu of %zu right"), right, p->n);
	} else {
		struct predict_place at = panel_place_asked(p, p->at);
		snprintf(text, sizeof text, _("what is %.60s, %.60s (%zu:%zu)? type a number and Enter; Space reveals"),
			 state_row_label(c->s, at.row, row), state_column_label(c->s, at.column, column), at.row, at.column);
		snprintf(brief, sizeof brief, _("what is %zu:%zu?"), at.row, at.column);
	}
	pane_text(pane, 0, 0, panel_fitting(forms, pane->columns, c->look.ascii), pane->columns, color_paint(&c->look, PAINT_LIT));
}

/* ---- the answers ---- */

/* Columns of a mark in the language that is in force, and a gap. */
static int mark_width(const struct canvas *c)
{
	int right = text_width(_("right"), c->look.ascii), wrong = text_width(_("WRONG"), c->look.ascii);

	return (right > wrong ? right : wrong) + 2;
}

static void put_mark(const struct canvas *c, const struct pane *pane, int y, int x, bool given, bool right)
{
	const char *mark = !given ? "?" : right ? _("right") : _("WRONG");
	enum paint paint = !given ? PAINT_MUTED : right ? PAINT_OK : PAINT_BAD;

	pane_text(pane, y, x, mark, pane->columns - x, color_paint(&c->look, paint));
}

static void draw_answer(const struct canvas *c, const struct pane *pane, int y, size_t k)
{
	const struct panel_predict *p = predict(c);
	const struct predict_answer *a = &p->answer[k];
	struct predict_place place = panel_place_asked(p, k);
	char scratch[64], is[NUMBER_SIZE], typed[NUMBER_SIZE], text[2 * NUMBER_SIZE + 80], brief[2 * NUMBER_SIZE + 80];
	const char *const forms[] = { text, brief, NULL };
	bool at = !p->revealed && k == p->at && !a->given;
	struct style label = color_paint(&c->look, at ? PAINT_LIT : PAINT_LABEL);
	int x = 2 + LABEL_MOST + 1;

	pane_text(pane, y, 0, at ? "> " : "  ", 2, label);
	snprintf(scratch, sizeof scratch, "%zu:%zu", place.row, place.column);
	pane_field(pane, y, 2, p->what == PREDICT_HIDDEN ? scratch : state_column_label(c->s, place.column, scratch), LABEL_MOST, -1,
		   label);
	put_mark(c, pane, y, x, a->given, a->right);
	if (!p->revealed)
		return;
	double value = state_number(c->s, place.row, place.column);
	number_plain(value, is);
	number_plain(a->typed, typed);
	x += mark_width(c);
	if (a->given && isfinite(value) && isfinite(a->typed)) {
		snprintf(text, sizeof text, _("typed %s, is %s, off by %.2g"), typed, is, fabs(a->typed - value));
		snprintf(brief, sizeof brief, _("%s, is %s"), typed, is);
	} else if (a->given) {
		snprintf(text, sizeof text, _("typed %s, is %s"), typed, is);
		snprintf(brief, sizeof brief, _("%s, is %s"), typed, is);
	} else {
		snprintf(text, sizeof text, _("is %s"), is);
		snprintf(brief, sizeof brief, "%s", is);
	}
	pane_text(pane, y, x, panel_fitting(forms, pane->columns - x, c->look.ascii), pane->columns - x, color_paint(&c->look, PAINT_TEXT));
}

static void draw_answers(const struct canvas *c, const struct pane *pane)
{
	const struct panel_predict *p = predict(c);
	size_t top = c->s->panel.top;

	for (int y = 1; y < pane->rows && top + (size_t)y - 1 < p->n; y++)
		draw_answer(c, pane, y, top + (size_t)y - 1);
}

/* ---- whether the future leaks ---- */

/* The lamp's own sentence is kept until the reveal; what it cannot see is what it is about. */
static void lamp_question(const struct canvas *c, const struct pane *pane, const struct predict_answer *a)
{
	char text[120];

	if (a->given)
		snprintf(text, sizeof text, "%s", a->typed != 0 ? _("you say: y, ok; Space reveals") : _("you say: n, NO; Space reveals"));
	else
		snprintf(text, sizeof text, _("what does the lamp %s say? y: ok, n: NO; Space reveals"), panel_lamp_name(predict(c)->lamp));
	pane_text(pane, 0, 0, text, pane->columns, color_paint(&c->look, PAINT_LIT));
}

/* What the lamp says, what was said of it, and the score. */
static void draw_lamp(const struct canvas *c, const struct pane *pane)
{
	const struct panel_predict *p = predict(c);
	const struct panel_probes *probes = &c->s->panel.probes;
	bool done;
	enum probe_answer says = panel_lamp_says(&c->s->panel, p->lamp, &done);
	char text[120];
	size_t right, given;

	if (!done) {
		pane_text(pane, 0, 0, _("the probes are not done yet"), pane->columns, color_paint(&c->look, PAINT_MUTED));
		return;
	}
	snprintf(text, sizeof text, "%s %s", panel_lamp_name(p->lamp), says == ANSWER_YES ? "ok" : says == ANSWER_NO ? "NO" : "--");
	int x = pane_text(pane, 0, 0, text, pane->columns, color_paint(&c->look, PAINT_LIT));
	if (p->answer[0].given && says != ANSWER_NONE) {
		x += pane_text(pane, 0, x, p->answer[0].typed != 0 ? _("; you said y: ") : _("; you said n: "), -1, color_paint(&c->look, PAINT_TEXT));
		put_mark(c, pane, 0, x, true, panel_answered_right(c->s, 0));
		x += mark_width(c);
	}
	panel_score(c->s, &right, &given);
	snprintf(text, sizeof text, _("  %zu of %zu right"), right, p->n);
	pane_text(pane, 0, x, text, pane->columns - x, color_paint(&c->look, PAINT_TEXT));
	panel_wrap(pane, 1, 2, p->lamp < PROBE_COUNT ? probe_work_report(probes->work)->check[p->lamp].detail : probes->lesson.detail,
		   pane->rows - 1, color_paint(&c->look, PAINT_TEXT));
}

static void leak_question(const struct canvas *c, const struct pane *pane)
{
	const struct predict_answer *a = predict(c)->answer;

	if (predict(c)->of_lamp) {
		lamp_question(c, pane, a);
		return;
	}
	const char *text = !a->given ? _("may an output move with a token after it, under these masks? y or n")
			 : a->typed != 0 ? _("you say: y, it leaks; Space reveals") : _("you say: n, it does not; Space reveals");

	pane_text(pane, 0, 0, text, pane->columns, color_paint(&c->look, PAINT_LIT));
}

static void draw_leak(const struct canvas *c, const struct pane *pane)
{
	const struct panel_predict *p = predict(c);
	const struct panel_probes *probes = &c->s->panel.probes;
	const struct probe_report *r = probes->work && probes->done ? probe_work_report(probes->work) : NULL;
	enum probe_answer leaks = panel_leaks(c->s);
	int y = 1;

	if (!p->n || !p->revealed) {
		if (p->n)
			leak_question(c, pane);
		return;
	}
	if (p->of_lamp) {
		draw_lamp(c, pane);
		return;
	}
	if (!r) {
		pane_text(pane, 0, 0, _("the probes are not done yet"), pane->columns, color_paint(&c->look, PAINT_MUTED));
		return;
	}
	int x = pane_text(pane, 0, 0, leaks == ANSWER_YES ? _("y: the future leaks") : leaks == ANSWER_NO ? _("n: nothing leaks")
			  : _("the probes cannot tell"), pane->columns, color_paint(&c->look, PAINT_LIT));
	if (p->answer[0].given && leaks != ANSWER_NONE) {
		x += pane_text(pane, 0, x, p->answer[0].typed != 0 ? _("; you said y: ") : _("; you said n: "), -1, color_paint(&c->look, PAINT_TEXT));
		put_mark(c, pane, 0, x, true, panel_answered_right(c->s, 0));
	}
	for (enum probe_name n = PROBE_K; n <= PROBE_V && y < pane->rows; n++) {
		char line[PROBE_TEXT + 40];
		snprintf(line, sizeof line, "%s: %s", probe_name(n), r->check[n].detail);
		y += panel_wrap(pane, y, 2, line, n == PROBE_K ? (pane->rows - y + 1) / 2 : pane->rows - y, color_paint(&c->look, PAINT_TEXT));
	}
}

void view_predict(struct canvas *c)
{
	struct pane pane = head(c);

	if (c->s->panel.failed) {
		panel_wrap(&pane, 0, 0, c->s->panel.error, pane.rows, color_paint(&c->look, PAINT_BAD));
	} else if (predict(c)->what == PREDICT_LEAK) {
		draw_leak(c, &pane);
	} else {
		question(c, &pane);
		draw_answers(c, &pane);
	}
}
