/* panel_inspector.c - the inspector: the steps that make the cell under the cursor. */
#include "tui/panel_kinds.h"
#include "tui/view.h"

static void open_inspector(struct state *s, const char *argument, const char *by)
{
	(void)argument;
	if (s->panel.kind == PANEL_INSPECTOR) {
		panel_close_silently(s);
		return;
	}
	panel_forget(s);
	panel_open(s, PANEL_INSPECTOR);
	state_say(s, false, "%s: how this cell comes about; 1 to 5 other stages, Esc closes", by);
}

/* The terms of a product that are worth a line each; more are folded. */
enum { TERMS_WANTED = 12, NAMES = 1, SOFTMAX_LINES = 6, WORDS_ABOUT_INPUT = 2 };

/* Q, K and V that are X times a matrix. */
static bool is_made_of_x(const struct state *s)
{
	return s->problem->source == SOURCE_X && state_array(s) <= ARRAY_V;
}

/* A guess that depends on the shapes alone: the picture must not jump from cell to cell. */
static int inspector_rows(const struct state *s)
{
	const struct problem *p = s->problem;
	enum stage stage = state_stage(s);
	size_t terms = 0;
	int rows = PANEL_HEAD + NAMES + 1;

	if (stage == STAGE_INPUT && !is_made_of_x(s))
		return PANEL_HEAD + WORDS_ABOUT_INPUT;
	if (stage == STAGE_INPUT)
		terms = p->d_model;
	else if (stage == STAGE_OUTPUT)
		terms = p->n_k;
	else if (stage == STAGE_JOINED)
		terms = p->heads * p->d_v;
	else if (problem_has_qk(p))
		terms = p->d_k;
	if (stage >= STAGE_SCORES && stage <= STAGE_WEIGHTS && p->source != SOURCE_WEIGHTS)
		rows += (int)(stage - STAGE_SCORES);
	if (stage == STAGE_WEIGHTS)
		rows += SOFTMAX_LINES;
	return rows + panel_as_rows(terms < TERMS_WANTED ? terms : TERMS_WANTED);
}

/* All heads are computed for the joined stage, so they are kept. */
static enum status join_heads(struct state *s, struct error *e)
{
	struct panel_inspector *p = &s->panel.inspector;
	struct matrix out = { 0 };
	enum status status;

	if (p->joined_ready && p->joined_row == s->row)
		return OK_STATUS;
	if (!p->joined_ready && (status = joined_init(&p->joined, &s->grid.attention, s->tables, e)))
		return status;
	p->joined_ready = true;
	if ((status = matrix_init(&out, 1, attention_joined_columns(&s->grid.attention), e)))
		return status;
	joined_row(&p->joined, s->row, out.v);
	p->joined_row = s->row;
	matrix_free(&out);
	return OK_STATUS;
}

static enum status explain(struct state *s, struct error *e)
{
	struct panel_inspector *p = &s->panel.inspector;
	const struct attention *a = &s->grid.attention;
	enum stage stage = state_stage(s);
	enum status status;

	if (stage == STAGE_INPUT)
		return explain_input(&p->cell, s->problem, a->head, state_array(s), s->row, s->column, e);
	if (stage == STAGE_JOINED)
		return (status = join_heads(s, e)) ? status : explain_joined(&p->cell, &p->joined, s->column, e);
	if (stage == STAGE_OUTPUT)
		return explain_output(&p->cell, a, grid_row(&s->grid, s->row, STAGE_OUTPUT), s->column, e);
	const struct row *r = grid_row(&s->grid, s->row, STAGE_WEIGHTS);
	if ((status = explain_sum(&p->sum, a, r, EXPLAIN_DENOMINATOR, e)))
		return status;
	return explain_cell(&p->cell, a, r, s->column, stage, e);
}

/* Before each frame: it costs as many operations as there are steps. */
static void settle_inspector(struct state *s, const struct layout *l)
{
	struct panel_inspector *p = &s->panel.inspector;
	struct error e = { 0 };

	(void)l;
	p->cell.n = p->sum.n = 0;
	if (s->panel.failed)
		return;
	if (explain(s, &e)) {
		p->cell.n = 0;
		panel_fail(&s->panel, &e);
	}
}

/* Through the lines that have no room, the last of them first; a line stays. */
static bool scroll(struct state *s, bool up)
{
	int shown, rest = view_inspector_left_out(s, &shown);
	size_t most = rest > 0 ? (size_t)rest : 0, step = shown > 1 ? (size_t)shown - 1 : 1;
	size_t back = s->panel.inspector.back < most ? s->panel.inspector.back : most;

	s->panel.inspector.back = up ? back + step : back > step ? back - step : 0;
	return most > 0;
}

/* Another cell shows its last lines again. */
static bool inspector_takes(struct state *s, enum command c, const char *by)
{
	(void)by;
	if ((c == CMD_PAGE_UP || c == CMD_PAGE_DOWN) && scroll(s, c == CMD_PAGE_UP))
		return true;
	if (c <= CMD_LAST)
		s->panel.inspector.back = 0;
	return false;
}

static void forget_inspector(struct panel *p)
{
	if (p->inspector.joined_ready)
		joined_free(&p->inspector.joined);
	p->inspector.joined = (struct joined){ 0 };
	p->inspector.joined_ready = false;
	p->inspector.cell.n = p->inspector.sum.n = 0;
}

static void close_inspector(struct panel *p)
{
	explain_free(&p->inspector.cell);
	explain_free(&p->inspector.sum);
	p->inspector.back = 0;
}

const struct panel_ops panel_inspector_ops = {
	.command = CMD_INSPECT,
	.open = open_inspector,
	.rows = inspector_rows,
	.settle = settle_inspector,
	.takes = inspector_takes,
	.forget = forget_inspector,
	.close = close_inspector,
};
