/* view_walk.c - a row as on the blackboard, one step of a walk at a time.
 *
 * First what is done, and with which shapes; then a line for each key (or column),
 * those around the cursor; at the end what they come to. Numbers have two digits,
 * each rounded by itself from all its digits: where the rounded ones would give
 * another sum, that is said.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/explain.h"
#include "core/message.h"
#include "tui/text.h"
#include "tui/view_walk.h"

enum { TOKEN_LEAST = 2, TOKEN_MOST = 12, LINES_LEAST = 44 };

/* ---- sums ---- */

/* "11.21 from all digits; the rounded terms give 11.22", or nothing where they give the same. */
static void sum_note(const double *v, size_t n, double sum, int room, bool ascii, struct buffer *out)
{
	char number[NUMBER_SIZE], other[NUMBER_SIZE];
	double rounded = 0;

	for (size_t k = 0; k < n; k++)
		rounded += view_board_value(v[k]);
	view_board_number(sum, number);
	view_board_number(rounded, other);
	if (!view_board_differ(sum, rounded))
		return;
	buffer_format(out, _("%s from all digits; the rounded terms give %s"), number, other);
	if (text_width(out->data ? out->data : "", ascii) > room) {
		buffer_free(out);
		buffer_format(out, _("(rounded terms: %s)"), other);
	}
}

/* ---- a line for each key ---- */

/* "1x0 + 0x1 + ... 60 more ... = 2.31", as many terms as there is room for. */
static void compare_text(const struct board *b, size_t j, struct buffer *out)
{
	const struct problem *p = b->c->s->problem;
	const struct matrix *q = problem_array(p, ARRAY_Q, b->a->head), *k = problem_array(p, ARRAY_K, b->a->head);
	char x[NUMBER_SIZE], y[NUMBER_SIZE];

	view_short_number(b->r->scores[j], 4, y);
	if (!q || !k || !problem_has_qk(p)) {
		buffer_text(out, y);
		return;
	}
	bool straight = b->a->options.transpose;
	size_t n = p->d_k, i = b->r->index, most = (size_t)(b->room / 6) + 2;
	double rounded = 0;
	for (size_t c = 0; c < n; c++)
		rounded += view_board_value(matrix_at(q, i, c)) * view_board_value(straight ? matrix_at(k, j, c) : matrix_at(k, c, j));
	bool same = fabs(rounded - b->r->scores[j]) < 1e-9;
	for (size_t shown = n < most ? n : most; shown; shown--) {
		buffer_free(out);
		for (size_t c = 0; c < shown; c++) {
			view_board_number(matrix_at(q, i, c), x);
			view_board_number(straight ? matrix_at(k, j, c) : matrix_at(k, c, j), y);
			buffer_format(out, "%s%sx%s", c ? " + " : "", x, y);
		}
		if (shown < n)
			buffer_format(out, _(" + ... %zu more"), n - shown);
		view_short_number(b->r->scores[j], 4, y);
		buffer_format(out, " = %s%s", y, b->r->overridden[j] ? _(" (edited)") : same ? "" : _(" from all digits"));
		if (text_width(out->data ? out->data : "", b->c->look.ascii) <= b->room)
			return;
	}
}

static void scale_text(const struct board *b, size_t j, struct buffer *out)
{
	const struct attention *a = b->a;
	char x[NUMBER_SIZE], y[NUMBER_SIZE];

	view_board_number(b->r->scores[j], x);
	buffer_text(out, x);
	for (long t = 0; t < a->options.scale_times; t++) {
		if (a->divisor != 1) {
			view_short_number(a->divisor, 4, y);
			buffer_format(out, " / %s", y);
		}
		if (a->factor != 1) {
			view_short_number(a->factor, 4, y);
			buffer_format(out, " x %s", y);
		}
	}
	if (a->options.temperature.number != 1) {
		view_short_number(a->options.temperature.number, 4, y);
		buffer_format(out, " / %s", y);
	}
	view_board_number(b->r->scaled[j], x);
	buffer_format(out, " = %s", x);
}

/* " - 2 (alibi) = 0": what one step of the program makes of the number that stands before it. */
static void change_text(const struct explain_step *step, struct buffer *out)
{
	static const char *const name[EXPLAIN_KINDS] = {
		[EXPLAIN_SOFTCAP] = N_("softcap"), [EXPLAIN_ALIBI] = N_("alibi"), [EXPLAIN_BIAS] = N_("bias"),
		[EXPLAIN_MASK_BIAS] = N_("mask"), [EXPLAIN_FILL_ADD] = N_("fill"), [EXPLAIN_FILL_MULTIPLY] = N_("fill"),
		[EXPLAIN_KEEP_ADD] = N_("keep-value"), [EXPLAIN_KEEP_MULTIPLY] = N_("keep-value"),
	};
	char sign = explain_info(step->kind)->sign, a[NUMBER_SIZE], v[NUMBER_SIZE];
	bool keeps = step->kind == EXPLAIN_KEEP_ADD || step->kind == EXPLAIN_KEEP_MULTIPLY;

	if (step->kind == EXPLAIN_VISIBLE || (keeps && step->operand == (step->kind == EXPLAIN_KEEP_ADD ? 0 : 1)))
		return;
	view_board_number(step->operand, a);
	view_board_number(step->value, v);
	if (sign == '=')
		buffer_format(out, " -> %s", v);
	else if (sign == 't')
		buffer_format(out, " -> %s (%s)", v, _(name[step->kind]));
	else if (sign == '*')
		buffer_format(out, " x %s (%s) = %s", a, _(name[step->kind]), v);
	else				/* 1 - -2 is 1 + 2 */
		buffer_format(out, " %c %s (%s) = %s", *a == '-' ? (sign == '+' ? '-' : '+') : sign, *a == '-' ? a + 1 : a,
			      _(name[step->kind]), v);
}

/* What the program does with the scaled score, step by step. */
static void hide_text(const struct board *b, size_t j, struct buffer *out)
{
	struct explain x = { 0 };
	struct error e = { 0 };
	char number[NUMBER_SIZE];

	view_board_number(b->r->scaled[j], number);
	buffer_format(out, "%s  %s", mask_hides(b->r->rules[j]) ? "X" : "O", number);
	if (!explain_cell(&x, b->a, b->r, j, STAGE_MASKED, &e))
		for (size_t k = 0; k < x.n; k++)
			if (x.steps[k].stage == STAGE_MASKED)
				change_text(&x.steps[k], out);
	explain_free(&x);
	if (mask_hides(b->r->rules[j])) {
		buffer_text(out, "  ");
		view_mask_text(b->c->s, b->r, j, out);
	}
}

static void exp_text(const struct board *b, size_t j, struct buffer *out)
{
	char x[NUMBER_SIZE], m[NUMBER_SIZE], e[NUMBER_SIZE];

	view_short_number(b->r->masked[j], 4, x);
	view_short_number(walk_shift(b, j), 4, m);
	view_board_number(walk_power(b, j), e);
	const char *equals = view_board_equals(walk_power(b, j), b->c->look.ascii);
	if (walk_shift(b, j) == 0)
		buffer_format(out, "e^%s %s %s", x, equals, e);
	else
		buffer_format(out, "e^(%s %c %s) %s %s", x, *m == '-' ? '+' : '-', *m == '-' ? m + 1 : m, equals, e);
	if (walk_in_columns(b) && b->step == WALK_SUM) {
		view_board_number(walk_divisor(b, j), e);
		buffer_format(out, _("; its column's sum %s"), e);
	}
}

/* What comes after softmax makes another number of the share. */
static const char *afterwards(const struct board *b, size_t j)
{
	const struct options *o = &b->a->options;

	if (!b->r->visible && o->empty_row != EMPTY_LITERAL)
		return _("empty-row");
	if (o->softmax_times == 2)
		return _("softmax again");
	if (o->mask_at != MASK_BEFORE && (mask_hides(b->r->rules[j]) || o->mask_at == MASK_AFTER_RENORM))
		return _("mask after");
	if (o->dropout.number > 0)
		return _("dropout");
	return NULL;
}

static void share_text(const struct board *b, size_t j, double sum, struct buffer *out)
{
	char e[NUMBER_SIZE], d[NUMBER_SIZE], w[NUMBER_SIZE];
	const char *later = afterwards(b, j);

	if (b->c->s->problem->source != SOURCE_WEIGHTS) {
		view_board_number(walk_power(b, j), e);
		view_board_number(sum, d);
		view_board_number(later ? walk_power(b, j) / sum : b->r->weights[j], w);
		buffer_format(out, "%s / %s = %s", e, d, w);
	}
	view_board_number(b->r->weights[j], w);
	if (b->c->s->problem->source == SOURCE_WEIGHTS)
		buffer_text(out, w);
	else if (later)
		buffer_format(out, " -> %s -> %s", later, w);
}

/* ---- a line for each column of V ---- */

static double value_at(const struct board *b, size_t j, size_t column)
{
	const struct matrix *v = problem_array(b->c->s->problem, ARRAY_V, b->a->head);

	return v ? matrix_at(v, j, column) : j == column ? 1 : 0;
}

/* "0.27x10 + 0.73x0 = 2.7  (2.6894 from all digits)" */
static void mix_text(const struct board *b, size_t column, struct buffer *out)
{
	size_t n = b->c->s->problem->n_k, most = (size_t)(b->room / 6) + 2;
	char w[NUMBER_SIZE], v[NUMBER_SIZE];
	double rounded = 0;

	for (size_t j = 0; j < n; j++)
		rounded += view_board_value(b->r->weights[j]) * view_board_value(value_at(b, j, column));
	for (size_t shown = n < most ? n : most; shown; shown--) {
		buffer_free(out);
		for (size_t j = 0; j < shown; j++) {
			view_board_number(b->r->weights[j], w);
			view_board_number(value_at(b, j, column), v);
			buffer_format(out, "%s%sx%s", j ? " + " : "", w, v);
		}
		if (shown < n)
			buffer_format(out, _(" + ... %zu more"), n - shown);
		view_board_number(rounded, w);
		view_short_number(b->r->output[column], 4, v);
		buffer_format(out, " = %s", w);
		if (strcmp(w, v))
			buffer_format(out, _("  (%s from all digits)"), v);
		if (text_width(out->data ? out->data : "", b->c->look.ascii) <= b->room)
			return;
	}
}

/* The numbers of head h in the joined row, or where they go. */
static void head_text(const struct board *b, size_t h, struct buffer *out)
{
	struct state *s = b->c->s;
	size_t d_v = s->problem->d_v;
	char number[NUMBER_SIZE];

	buffer_format(out, _("columns %zu to %zu"), h * d_v, h * d_v + d_v - 1);
	if (problem_array(s->problem, ARRAY_W_O, 0) || !state_joined(s))
		return;
	const double *v = state_values(s, s->row);
	for (size_t c = 0; c < d_v; c++) {
		struct buffer more = { 0 };
		view_board_number(v[h * d_v + c], number);
		buffer_format(&more, "%s%s", c ? " " : ":  ", number);
		int width = text_width(out->data ? out->data : "", b->c->look.ascii) + (int)more.size;
		bool fits = width + 3 <= b->room;
		buffer_text(out, fits ? more.data ? more.data : "" : " ..");
		buffer_free(&more);
		if (!fits)
			return;
	}
}

/* ---- drawing ---- */

static void line_text(const struct board *b, size_t k, double sum, struct buffer *out)
{
	switch (b->step) {
	case WALK_COMPARE: compare_text(b, k, out); break;
	case WALK_SCALE: scale_text(b, k, out); break;
	case WALK_HIDE: hide_text(b, k, out); break;
	case WALK_EXP: case WALK_SUM: exp_text(b, k, out); break;
	case WALK_SHARE: share_text(b, k, walk_in_columns(b) ? walk_divisor(b, k) : sum, out); break;
	case WALK_MIX: mix_text(b, k, out); break;
	default: head_text(b, k, out); break;
	}
}

static size_t line_count(const struct board *b)
{
	const struct problem *p = b->c->s->problem;

	return b->step == WALK_JOIN ? p->heads : b->step == WALK_MIX ? p->d_v : p->n_k;
}

/* The line under the cursor: of the joined columns, the head that it is in. */
static size_t line_at_cursor(const struct board *b)
{
	size_t column = b->c->s->column;

	return b->step == WALK_JOIN ? column / b->c->s->problem->d_v : column;
}

static void line_name(const struct board *b, size_t k, char scratch[32], const char **name)
{
	*name = scratch;
	if (b->step == WALK_JOIN)
		snprintf(scratch, 32, _("head %zu"), k);
	else if (b->step == WALK_MIX)
		snprintf(scratch, 32, "%zu", k);
	else
		*name = token_at(&b->c->s->problem->key_tokens, k, scratch);
}

/* That there are more lines than have room: in a row of its own, or at the end of the only one. */
static void draw_rest(const struct board *b, int y, size_t rest)
{
	char text[60];

	snprintf(text, sizeof text, y > 0 && b->p.rows > 1 ? _("... %zu more; the cursor keys show them") : _(" +%zu"), rest);
	int width = text_width(text, b->c->look.ascii);
	pane_text(&b->p, y, b->p.columns > width ? b->p.columns - width : 0, text, width, color_paint(&b->c->look, PAINT_WARN));
}

/* So many lines from row y on, the cursor's among them; what is left out is counted. */
static void draw_lines(struct board *b, int y, int rows)
{
	size_t n = line_count(b), at = line_at_cursor(b), first = 0, room = (size_t)rows;
	size_t shown = n <= room ? n : room > 1 ? room - 1 : 1;
	bool keys = b->step < WALK_MIX;
	double sum = b->step == WALK_SHARE && !walk_in_columns(b) && b->c->s->problem->source != SOURCE_WEIGHTS ? walk_divisor(b, 0) : 0;
	int width = 7;

	at = at < n ? at : n - 1;
	if (at >= shown)
		first = at - shown + 1;
	if (keys)
		width = panel_widest(&b->c->s->problem->key_tokens, first, shown, TOKEN_LEAST, TOKEN_MOST, b->c->look.ascii);
	b->x = 2 + width + 2;
	b->room = b->p.columns - b->x;
	for (size_t k = first; k < first + shown; k++, y++) {
		struct buffer text = { 0 };
		char scratch[32];
		const char *name;
		line_name(b, k, scratch, &name);
		line_text(b, k, sum, &text);
		struct style style = color_paint(&b->c->look, k == at ? PAINT_TITLE : PAINT_TEXT);
		pane_text(&b->p, y, 0, k == at ? ">" : " ", 1, style);
		pane_text(&b->p, y, 2, name, width, color_paint(&b->c->look, PAINT_MUTED));
		pane_text(&b->p, y, b->x, text.data ? text.data : "", b->room, style);
		buffer_free(&text);
	}
	if (shown < n)
		draw_rest(b, room > 1 ? y : y - 1, n - shown);
}

/* Where the picture of the mask begins; 0: no room. */
static int mask_place(const struct problem *p, int columns)
{
	int x = columns - 2 * (p->n_k < 100 ? (int)p->n_k : 100) - 3;

	return x < LINES_LEAST ? 0 : x;
}

static int mask_column(const struct board *b)
{
	return mask_place(b->c->s->problem, b->p.columns);
}

int view_walk_mask(const struct state *s)
{
	return s->panel.walk.step == WALK_HIDE ? mask_place(s->problem, s->columns) : 0;
}

/* The whole mask, O and X, right of the lines where there is room. Returns the columns that are left. */
static int draw_mask(const struct board *b, int y, int rows)
{
	const struct state *s = b->c->s;
	size_t n_k = s->problem->n_k, n_q = s->problem->n_q, shown = n_q < (size_t)rows ? n_q : (size_t)rows;
	int x = mask_column(b);
	size_t first = s->row >= shown ? s->row - shown + 1 : 0;

	if (!x)
		return b->p.columns;
	rules *of_row = malloc(n_k * sizeof *of_row);
	for (size_t i = first; of_row && i < first + shown; i++, y++) {
		mask_row(s->problem, &b->a->options, i, of_row);
		struct style style = color_paint(&b->c->look, i == s->row ? PAINT_TITLE : PAINT_MUTED);
		pane_text(&b->p, y, x, i == s->row ? ">" : " ", 1, style);
		for (size_t j = 0; j < n_k; j++)
			pane_text(&b->p, y, x + 2 + 2 * (int)j, mask_hides(of_row[j]) ? "X" : "O", 1, style);
	}
	free(of_row);
	return x - 1;
}

/* What the lines come to: "1 + 2.72 = 3.72". */
static void total(const struct board *b, struct buffer *out, struct buffer *note)
{
	size_t n = b->c->s->problem->n_k;
	double *v = calloc(n, sizeof *v), sum = 0;
	bool shares = b->step == WALK_SHARE, all = shares || (b->step == WALK_SUM && !walk_in_columns(b));

	if (b->step == WALK_HIDE && !mask_column(b))
		for (size_t j = 0; j < n && j < 200; j++)
			buffer_text(out, mask_hides(b->r->rules[j]) ? "X " : "O ");
	for (size_t j = 0; v && all && j < n; j++)
		sum += v[j] = shares ? b->r->weights[j] : walk_power(b, j);
	if (v && all) {
		view_board_sum(v, n, sum, b->p.columns - 2, b->c->look.ascii, false, out);
		sum_note(v, n, sum, b->p.columns - 2, b->c->look.ascii, note);
	}
	free(v);
}

static void draw(struct board *b)
{
	struct buffer text = { 0 }, note = { 0 };
	struct style plain = color_paint(&b->c->look, PAINT_TEXT), lit = color_paint(&b->c->look, PAINT_LIT);
	struct style muted = color_paint(&b->c->look, PAINT_MUTED);
	int rows = b->p.rows, y = 0, tail = 0;

	total(b, &text, &note);
	tail = (text.size > 0) + (note.size > 0);
	if (rows - tail < 1)
		tail = rows > 1;
	struct buffer what = { 0 }, shape = { 0 };
	walk_words(b, &what);
	walk_shapes(b, &shape);
	/* The shapes first give way, then the words: the numbers stay. */
	if (rows - tail >= 5 || (rows - tail >= 3 && line_count(b) < (size_t)(rows - tail)))
		y += panel_wrap(&b->p, y, 0, what.data ? what.data : "", rows - tail >= 6 ? 2 : 1, plain);
	if (rows - tail >= 4 && y < rows)
		y += panel_wrap(&b->p, y, 0, shape.data ? shape.data : "", rows - tail >= 7 ? 2 : 1, muted);
	buffer_free(&what);
	buffer_free(&shape);
	int room = rows - tail - y;
	if (room > 0) {
		int all = b->p.columns, left = b->step == WALK_HIDE ? draw_mask(b, y, room) : all;
		b->p.columns = left;
		draw_lines(b, y, room);
		b->p.columns = all;
		size_t n = line_count(b);
		y += n < (size_t)room ? (int)n : room;
	}
	if (text.size && tail > 0)
		pane_text(&b->p, y++, 2, text.data, b->p.columns - 2, lit);
	if (note.size && tail > 1)
		pane_text(&b->p, y, 2, note.data, b->p.columns - 2, color_paint(&b->c->look, PAINT_WARN));
	buffer_free(&text);
	buffer_free(&note);
}

void view_walk(struct canvas *c)
{
	struct state *s = c->s;
	struct board b = { .c = c, .a = &s->grid.attention, .step = s->panel.walk.step };
	enum walk_step steps[WALK_STEPS];
	size_t n = panel_walk_steps(s, steps), k = 0;
	struct buffer head = { 0 };

	while (k + 1 < n && steps[k] != b.step)
		k++;
	buffer_format(&head, _("row %zu, %s: %zu of %zu, %s"), s->row, token_label(&s->problem->query_tokens, s->row), k + 1, n,
		      walk_title(&b));
	b.p = panel_head(c, head.data ? head.data : "");
	buffer_free(&head);
	b.r = grid_row(&s->grid, s->row, STAGE_OUTPUT);
	draw(&b);
}
