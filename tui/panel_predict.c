/* panel_predict.c - numbers are blanked and typed by whoever learns: a cell, a row, the
 * hidden cells, or whether the future leaks; then revealed.
 *
 * While something is asked for, the cursor stays with it and nothing on the screen
 * tells. Another state is another question: it begins anew. The score is kept nowhere.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"
#include "tui/panel_kinds.h"
#include "tui/panel_lesson.h"

/* ---- the questions ---- */

static void free_answers(struct panel_predict *p)
{
	free(p->answer);
	free(p->place);
	p->answer = NULL;
	p->place = NULL;
	p->begun = p->revealed = false;
	p->n = p->at = 0;
}

static bool is_asking(const struct state *s)
{
	const struct panel_predict *p = &s->panel.predict;

	return s->panel.kind == PANEL_PREDICT && p->begun && p->n && !p->revealed;
}

/* Of so many rows and columns from the first on screen on, so many hidden cells. */
enum { HIDDEN_WINDOW = 64, HIDDEN_MOST = 64 };

/* Cells that a mask hides on a stage that shows what becomes of them, row by row. */
static size_t find_hidden(const struct state *s, struct predict_place *out)
{
	const struct problem *problem = s->problem;
	enum stage stage = state_stage(s);
	rules *of_row = calloc(problem->n_k, sizeof *of_row);
	size_t n = 0;

	if (!of_row || problem->source == SOURCE_WEIGHTS || (stage != STAGE_MASKED && stage != STAGE_WEIGHTS)) {
		free(of_row);
		return 0;
	}
	for (size_t i = s->top; i < problem->n_q && i < s->top + HIDDEN_WINDOW; i++) {
		mask_row(problem, &s->grid.attention.options, i, of_row);
		for (size_t j = s->left; j < problem->n_k && j < s->left + HIDDEN_WINDOW && n < HIDDEN_MOST; j++)
			if (mask_hides(of_row[j]))
				out[n++] = (struct predict_place){ i, j };
	}
	free(of_row);
	return n;
}

static size_t count_questions(const struct state *s, size_t columns)
{
	const struct panel_predict *p = &s->panel.predict;

	if (p->what == PREDICT_HIDDEN)
		return p->place ? find_hidden(s, p->place) : 0;
	return p->what == PREDICT_ROW ? columns : 1;
}

struct predict_place panel_place_asked(const struct panel_predict *p, size_t k)
{
	return p->what == PREDICT_HIDDEN ? p->place[k] : (struct predict_place){ p->row, p->what == PREDICT_ROW ? k : p->column };
}

static void begin(struct state *s)
{
	struct panel_predict *p = &s->panel.predict;
	struct error e = { 0 };
	size_t rows, columns;

	state_shape(s, &rows, &columns);
	free_answers(p);
	p->begun = true;
	p->stage = state_stage(s);
	p->row = s->row;
	p->column = p->what == PREDICT_ROW ? 0 : s->column;
	s->panel.top = 0;
	/* What is given can be looked up, not predicted. */
	if (p->what != PREDICT_LEAK && p->stage == STAGE_INPUT)
		return;
	if (p->what == PREDICT_HIDDEN)
		p->place = calloc(HIDDEN_MOST, sizeof *p->place);
	p->n = count_questions(s, columns);
	if (p->what == PREDICT_ROW)
		s->column = 0;
	if (!p->n)
		return;
	if (p->what == PREDICT_LEAK && !p->of_lamp) {
		panel_probes_begin(&s->panel);
		s->panel.probes.expect = (struct probe_expect){ .given = true, .causal = true };
	}
	if (!(p->answer = calloc(p->n, sizeof *p->answer))) {
		error_set(&e, E_MEMORY, "no memory for %zu answers", p->n);
		p->n = 0;
		panel_fail(&s->panel, &e);
	}
}

double panel_tolerance(const struct state *s)
{
	return s->panel.predict.tolerance_set ? s->panel.predict.tolerance : 0.005;
}

/* What is typed and what is so; a little more than the tolerance, for what the
 * difference of two decimal numbers loses. */
static bool is_right(double typed, double is, double tolerance)
{
	if (isnan(typed) || isnan(is))
		return isnan(typed) && isnan(is);
	if (isinf(typed) || isinf(is))
		return typed == is;
	return fabs(typed - is) <= tolerance + 4 * DBL_EPSILON * fmax(1, fmax(fabs(typed), fabs(is)));
}

enum probe_answer panel_leaks(const struct state *s)
{
	const struct panel_probes *p = &s->panel.probes;
	bool done;

	if (s->panel.predict.of_lamp)
		return panel_lamp_says(&s->panel, s->panel.predict.lamp, &done);
	const struct probe_report *r = p->work && p->done ? probe_work_report(p->work) : NULL;

	if (!r || (r->check[PROBE_K].ok == ANSWER_NONE && r->check[PROBE_V].ok == ANSWER_NONE))
		return ANSWER_NONE;
	return r->check[PROBE_K].ok == ANSWER_NO || r->check[PROBE_V].ok == ANSWER_NO ? ANSWER_YES : ANSWER_NO;
}

bool panel_answered_right(const struct state *s, size_t k)
{
	const struct panel_predict *p = &s->panel.predict;
	enum probe_answer leaks;

	if (p->what != PREDICT_LEAK)
		return p->answer[k].right;
	leaks = panel_leaks(s);
	return leaks != ANSWER_NONE && (p->answer[k].typed != 0) == (leaks == ANSWER_YES);
}

void panel_score(const struct state *s, size_t *right, size_t *given)
{
	const struct panel_predict *p = &s->panel.predict;

	*right = *given = 0;
	for (size_t k = 0; k < p->n; k++)
		if (p->answer[k].given) {
			++*given;
			*right += panel_answered_right(s, k);
		}
}

/* ---- what must not be seen ---- */

bool panel_asks(const struct state *s)
{
	return lesson_hides_some(s) || (is_asking(s) && s->panel.predict.what != PREDICT_LEAK);
}

/* The other cells of a row and its sum tell the one that is missing, and so do the
 * largest weight and the verdict. */
bool panel_asks_row(const struct state *s, size_t row)
{
	const struct panel_predict *p = &s->panel.predict;
	bool asks = false;

	for (size_t k = 0; is_asking(s) && p->what == PREDICT_HIDDEN && k < p->n; k++)
		asks |= p->place[k].row == row;
	if (is_asking(s) && p->what != PREDICT_LEAK && p->what != PREDICT_HIDDEN)
		asks = row == p->row;
	return asks || lesson_hides_sum(s, row);
}

/* Which question the number there is, or n. */
static size_t question_at(const struct panel_predict *p, size_t row, size_t column)
{
	size_t k = 0;

	while (k < p->n && (panel_place_asked(p, k).row != row || panel_place_asked(p, k).column != column))
		k++;
	return k;
}

const char *panel_asked(const struct state *s, size_t row, size_t column)
{
	const struct panel_predict *p = &s->panel.predict;

	if (lesson_hides(s, row, column))
		return "?";
	if (!is_asking(s) || p->what == PREDICT_LEAK)
		return NULL;
	size_t in_row = row == p->row ? column : p->n, k = p->what == PREDICT_ROW ? in_row : question_at(p, row, column);
	if (k >= p->n)
		return NULL;
	return !p->answer[k].given ? "?" : p->answer[k].right ? "ok" : "NO";
}

/* The cursor stands on the cell that is typed next. */
static void follow(struct state *s)
{
	const struct panel_predict *p = &s->panel.predict;

	if (!panel_asks(s))
		return;
	s->row = panel_place_asked(p, p->at).row;
	s->column = panel_place_asked(p, p->at).column;
}

/* ---- answering ---- */

static void next_open(struct panel_predict *p)
{
	for (size_t k = 0; k < p->n; k++) {
		size_t at = (p->at + k) % p->n;
		if (!p->answer[at].given) {
			p->at = at;
			return;
		}
	}
}

static void say_answer(struct state *s, bool right)
{
	const struct panel_predict *p = &s->panel.predict;
	size_t rights, given;

	panel_score(s, &rights, &given);
	if (given == p->n)
		state_say(s, false, "%s; %zu of %zu right; Space reveals", right ? _("right") : _("WRONG"), rights, p->n);
	else
		state_say(s, false, "%s; %zu of %zu answered; Space reveals", right ? _("right") : _("WRONG"), given, p->n);
}

static bool typed(struct state *s, const char *text)
{
	struct panel_predict *p = &s->panel.predict;
	double value;

	if (!is_asking(s) || p->what == PREDICT_LEAK)
		return false;
	if (!number_parse_answer(text, strlen(text), &value)) {
		state_say(s, true, "'%.40s' is not a number; expected one like 0.27, 1/2, 27%%, 1e-3, inf or nan", text);
		return true;
	}
	struct predict_answer *a = &p->answer[p->at];
	struct predict_place at = panel_place_asked(p, p->at);
	double is = state_number(s, at.row, at.column);
	*a = (struct predict_answer){ true, is_right(value, is, panel_tolerance(s)), value };
	p->anew = false;
	bool right = a->right;
	next_open(p);
	follow(s);
	say_answer(s, right);
	return true;
}

/* The line in which a number is typed, begun with what was pressed. */
static void open_line(struct state *s, const char *first)
{
	struct panel_predict *p = &s->panel.predict;

	if (p->answer[p->at].given) {
		state_say(s, false, "this is answered; Space reveals, T asks for something else");
		return;
	}
	prompt_open(s, PROMPT_VALUE, first);
	s->prompt.selected = false;
}

static void answer_leak(struct state *s, bool yes)
{
	struct panel_predict *p = &s->panel.predict;

	p->answer[0] = (struct predict_answer){ .given = true, .typed = yes };
	p->anew = false;
	if (p->of_lamp)
		state_say(s, false, yes ? N_("y: ok, you say; Space reveals what the lamp says")
					: N_("n: NO, you say; Space reveals what the lamp says"));
	else
		state_say(s, false, yes ? N_("y: it leaks, you say; Space reveals what the probes found")
					: N_("n: it does not leak, you say; Space reveals what the probes found"));
}

static bool letter(struct state *s, uint32_t code, const char *by)
{
	if (!is_asking(s))
		return false;
	if (s->panel.predict.what == PREDICT_LEAK) {
		if (code == 'y' || code == 'n')
			answer_leak(s, code == 'y');
		return code == 'y' || code == 'n';
	}
	if (code >= 128 || !strchr("0123456789-.", (int)code) || !code)		/* i, n and s are keys, as everywhere */
		return false;
	open_line(s, by);
	return true;
}

/* ---- other keys ---- */

static void reveal(struct state *s, const char *by)
{
	struct panel_predict *p = &s->panel.predict;
	size_t right, given;

	if (p->revealed || !p->n) {
		begin(s);
		p->anew = false;
		state_say(s, false, "%s: asked again", by);
		return;
	}
	p->revealed = true;
	p->anew = false;
	panel_score(s, &right, &given);
	if (p->what == PREDICT_LEAK && p->of_lamp)
		state_say(s, false, "%s: what the lamp says; again: another question", by);
	else if (p->what == PREDICT_LEAK)
		state_say(s, false, "%s: what the probes found", by);
	else
		state_say(s, false, "%s: revealed; %zu of %zu right, %zu not answered", by, right, p->n, p->n - given);
}

/* Of several cells from one to the next; what is asked for stays. */
static void move(struct state *s, enum command c, const char *by)
{
	struct panel_predict *p = &s->panel.predict;
	bool several = p->what != PREDICT_CELL;

	if (several && c == CMD_LEFT)
		p->at -= p->at > 0;
	else if (several && c == CMD_RIGHT)
		p->at += p->at + 1 < p->n;
	else if (several && (c == CMD_ROW_START || c == CMD_ROW_END))
		p->at = c == CMD_ROW_START ? 0 : p->n - 1;
	else
		state_say(s, false, "%s: the cursor stays with what is asked for; Space reveals, Esc closes", by);
	follow(s);
}

/* Keys that would change the number that is asked for, or show it. */
static bool is_refused(enum command c)
{
	return c == CMD_MORE || c == CMD_LESS || c == CMD_CLEAR_EDIT || c == CMD_PIN || c == CMD_DIFFERENCE || c == CMD_INSPECT;
}

static bool takes(struct state *s, enum command c, const char *by)
{
	const struct panel_predict *p = &s->panel.predict;

	if (c == CMD_FORWARD) {
		reveal(s, by);
		return true;
	}
	if (!is_asking(s))
		return false;
	if (c == CMD_EDIT && s->panel.predict.what == PREDICT_LEAK)
		state_say(s, false, p->of_lamp ? N_("%s: y, ok, or n, NO") : N_("%s: y, it leaks, or n, it does not"), by);
	else if (c == CMD_EDIT)
		open_line(s, "");
	else if (c <= CMD_LAST && s->panel.predict.what != PREDICT_LEAK)
		move(s, c, by);
	else if (is_refused(c))
		state_say(s, false, "%s: not while something is asked for; Space reveals, Esc closes", by);
	else
		return false;
	return true;
}

/* ---- the panel ---- */

static void open_predict(struct state *s, const char *argument, const char *by)
{
	struct panel_predict *p = &s->panel.predict;
	bool again = s->panel.kind == PANEL_PREDICT, lamps = s->panel.kind == PANEL_VERIFY;

	(void)argument;
	p->what = again ? (enum predict_what)((p->what + 1) % PREDICT_COUNT) : lamps ? PREDICT_LEAK : PREDICT_CELL;
	p->of_lamp = lamps;		/* its verdict is asked for, under the masks that were expected */
	p->lamp = lamps ? panel_lamp(&s->panel) : 0;
	panel_forget(s);
	panel_open(s, PANEL_PREDICT);
	begin(s);
	p->anew = false;
	if (p->what == PREDICT_CELL)
		state_say(s, false, "%s: this cell is blanked: type what it is; again: its row", by);
	else if (p->what == PREDICT_ROW)
		state_say(s, false, "%s: this row is blanked: type cell after cell; again: the verdict", by);
	else if (p->what == PREDICT_LEAK && p->of_lamp)
		state_say(s, false, "%s: is the lamp %s ok? y or n; Space reveals, again: the hidden cells", by, panel_lamp_name(p->lamp));
	else if (p->what == PREDICT_LEAK)
		state_say(s, false, "%s: does the future leak under these masks? y or n; again: the hidden cells", by);
	else if (p->n)
		state_say(s, false, "%s: the hidden cells are blanked: type what becomes of each; again: this cell", by);
	else
		state_say(s, false, "%s: no cell is hidden here; again: this cell", by);
}

static int rows(const struct state *s)
{
	const struct panel_predict *p = &s->panel.predict;

	return PANEL_HEAD + 1 + (p->what == PREDICT_LEAK ? 3 : panel_as_rows(p->n < 9 ? p->n : 9));
}

/* A stage is another question too; a cursor that was moved otherwise comes back. */
static void settle(struct state *s, const struct layout *l)
{
	struct panel_predict *p = &s->panel.predict;
	size_t count, columns;

	if (!p->begun || (p->stage != state_stage(s) && p->what != PREDICT_LEAK)) {
		bool anew = p->anew || p->begun;
		begin(s);
		p->anew = anew;
	}
	if (p->revealed && p->what == PREDICT_CELL && (s->row != p->row || s->column != p->column))
		begin(s);
	else if (p->revealed && p->what == PREDICT_ROW && s->row != p->row)
		begin(s);
	follow(s);
	state_shape(s, &count, &columns);
	panel_keep_in(s->row, count, l->visible_rows, &s->top);
	panel_keep_in(s->column, columns, l->visible_columns, &s->left);
	if (p->n)
		panel_keep_in(p->at, p->n, l->panel_rows > 2 ? (size_t)l->panel_rows - 2 : 1, &s->panel.top);
}

static void forget(struct panel *panel)
{
	struct panel_predict *p = &panel->predict;

	p->anew |= p->begun && panel->kind == PANEL_PREDICT;
	free_answers(p);
}

static void close_predict(struct panel *panel)
{
	free_answers(&panel->predict);
	panel->predict.anew = false;
}

static bool working(const struct state *s)
{
	return s->panel.predict.what == PREDICT_LEAK && panel_probes_working(s);
}

void panel_set_tolerance(struct state *s, const char *text, const char *by)
{
	double x;

	if (!number_parse(text, strlen(text), &x) || !(x >= 0) || isinf(x)) {
		state_say(s, true, "%s: '%.40s' is not a number from 0 on; expected one like 0.005", by, text);
		return;
	}
	s->panel.predict.tolerance = x;
	s->panel.predict.tolerance_set = true;
	state_say(s, false, "%s: what is typed from now on is right within %g", by, x);
}

const struct panel_ops panel_predict_ops = {
	.mode = MODE_PREDICT,
	.command = CMD_PREDICT,
	.open = open_predict,
	.rows = rows,
	.settle = settle,
	.takes = takes,
	.letter = letter,
	.typed = typed,
	.forget = forget,
	.close = close_predict,
	.working = working,
	.work = panel_probes_work,
	.progress = panel_probes_progress,
};
