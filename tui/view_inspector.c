/* view_inspector.c - the arithmetic that makes the cell under the cursor, a step a line.
 *
 * At the left the program's own steps, as core/explain replays them, with as many
 * digits as there is room for; at the right the same as on a blackboard, where
 * nothing is subtracted before e^x. What has no room is said: products in the
 * middle are folded with their sum, and of too many steps the last stay.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "tui/text.h"
#include "tui/view_inspector.h"

enum { NAME_WIDTH = 14, NAME_MOST = 22, TWO_COLUMNS = 56, ALL_DIGITS = 17, LEFT_MOST = 66 };

/* ---- numbers ---- */

static void number(double x, int digits, char out[NUMBER_SIZE])
{
	if (digits >= ALL_DIGITS)
		number_plain(x, out);
	else
		view_short_number(x, digits, out);
}

static bool is_product(enum explain_kind k)
{
	return k == EXPLAIN_PROJECT || k == EXPLAIN_PRODUCT || k == EXPLAIN_MIX;
}

/* ---- names ---- */

static const char *scale_name(const struct options *o)
{
	static const char *const name[] = { "/ sqrt(d_k)", "/ 1", "/ d_k", "/ sqrt(d_model)" };

	return o->scale.word >= 0 ? name[o->scale.word] : "/";
}

static const char *step_name(const struct sheet *t, enum explain_kind k)
{
	static const char *const name[EXPLAIN_KINDS] = {
		[EXPLAIN_GIVEN] = N_("given"), [EXPLAIN_EDIT] = N_("edited"), [EXPLAIN_SCALE_TIMES] = N_("x scale"),
		[EXPLAIN_TEMPERATURE] = N_("/ temperature"), [EXPLAIN_ROUND] = N_("rounded"), [EXPLAIN_SOFTCAP] = N_("softcap"),
		[EXPLAIN_ALIBI] = N_("alibi"), [EXPLAIN_BIAS] = N_("+ bias"), [EXPLAIN_MASK_BIAS] = N_("+ mask"),
		[EXPLAIN_VISIBLE] = N_("mask"), [EXPLAIN_FILL_REPLACE] = N_("mask"), [EXPLAIN_FILL_ADD] = N_("mask"),
		[EXPLAIN_FILL_MULTIPLY] = N_("mask"), [EXPLAIN_KEEP_ADD] = N_("mask"), [EXPLAIN_KEEP_MULTIPLY] = N_("mask"),
		[EXPLAIN_MINUS_MAXIMUM] = N_("- maximum"), [EXPLAIN_MINUS_COLUMN_MAXIMUM] = N_("- col. maximum"),
		[EXPLAIN_EXP] = "e^x", [EXPLAIN_DIVIDE] = N_("/ row's sum"), [EXPLAIN_DIVIDE_COLUMN] = N_("/ column's sum"),
		[EXPLAIN_MASK_AFTER] = N_("mask after"), [EXPLAIN_RENORMALISE] = N_("/ what is left"),
		[EXPLAIN_EMPTY] = N_("empty row"), [EXPLAIN_DROPOUT] = N_("dropout"),
	};

	if (k == EXPLAIN_SCALE_DIVIDE)
		return scale_name(&t->c->s->grid.attention.options);
	return name[k] ? _(name[k]) : "";
}

/* Which two numbers are multiplied, row and column of each: q[i,c] k[j,c], and k[c,j] where
 * K was not transposed. */
static void product_name(const struct sheet *t, size_t index, struct buffer *out)
{
	const struct state *s = t->c->s;
	enum stage stage = state_stage(s);
	bool by_row = stage >= STAGE_SCORES && stage <= STAGE_WEIGHTS && s->grid.attention.options.transpose;
	const char *left = stage == STAGE_INPUT ? "x" : stage == STAGE_JOINED ? "h" : stage == STAGE_OUTPUT ? "w" : "q";
	const char *right = stage == STAGE_INPUT || stage == STAGE_JOINED ? "w" : stage == STAGE_OUTPUT ? "v" : "k";

	buffer_format(out, "%s[%zu,%zu] %s[%zu,%zu]", left, s->row, index, right, by_row ? s->column : index,
		      by_row ? index : s->column);
}

/* Columns that the longest name of a product takes. */
static int names_width(const struct sheet *t)
{
	struct buffer longest = { 0 };
	int width = NAME_WIDTH;

	if (t->products) {
		product_name(t, t->products - 1, &longest);
		width = (int)longest.size + 2 > width ? (int)longest.size + 2 : width;
		buffer_free(&longest);
	}
	return width < NAME_MOST ? width : NAME_MOST;
}

/* Each a line, or some of them with the rest folded; else they are counted beside their sum. */
static bool shows_products(const struct sheet *t)
{
	return t->products && t->lines + 1 <= (size_t)t->p.rows;
}

/* ---- the program's own steps ---- */

/* x and the operand as the sign says, without the result. */
static void operation(const struct explain_step *step, double x, int digits, struct buffer *out)
{
	char sign = explain_info(step->kind)->sign, a[NUMBER_SIZE], b[NUMBER_SIZE];

	number(x, digits, a);
	number(step->operand, digits, b);
	if (sign == '+' || sign == '-')		/* 1 - -2 is 1 + 2 */
		buffer_format(out, "%s %c %s = ", a, *b == '-' ? (sign == '+' ? '-' : '+') : sign, *b == '-' ? b + 1 : b);
	else if (sign == '*' || sign == '/')
		buffer_format(out, "%s %s %s = ", a, sign == '*' ? "x" : "/", b);
	else if (sign == 'e')
		buffer_format(out, "e^%s = ", a);
	else if (sign == 't')
		buffer_format(out, "%s tanh(%s / %s) = ", b, a, b);
}

/* The key whose score is the largest, from which the maximum is. */
static void maximum_key(const struct sheet *t, const struct explain_step *step, struct buffer *out)
{
	size_t n_k = t->c->s->problem->n_k;

	if (step->kind != EXPLAIN_MINUS_MAXIMUM || step->again || !t->r)
		return;
	for (size_t j = 0; j < n_k; j++)
		if (t->r->masked[j] == step->operand) {
			buffer_format(out, _(" (of key %zu)"), j);
			return;
		}
}

static void step_text(const struct sheet *t, size_t k, int digits, struct buffer *out)
{
	const struct explain_step *step = &t->x->steps[k];
	char v[NUMBER_SIZE];
	bool masked = step->stage == STAGE_MASKED && t->r && (step->kind >= EXPLAIN_VISIBLE || step->kind == EXPLAIN_MASK_BIAS);

	/* Which rule hides comes before how the number has come about. */
	if (!masked || digits > 2)
		operation(step, inspector_before(t->x, k), digits, out);
	number(step->value, digits, v);
	buffer_text(out, v);
	if (masked) {
		buffer_text(out, "  ");
		view_mask_text(t->c->s, t->r, t->c->s->column, out);
	}
	maximum_key(t, step, out);
}

/* The exponentials of the row, added. Folded keys are counted; the sum is of all. */
static void terms_text(const struct sheet *t, int digits, int room, struct buffer *out)
{
	const struct explain *sum = &t->c->s->panel.inspector.sum;
	size_t n = t->c->s->problem->n_k;
	char v[NUMBER_SIZE];

	for (size_t shown = n < (size_t)room ? n : (size_t)room;; shown--) {
		size_t seen = 0;
		buffer_free(out);
		for (size_t k = 0; k < sum->n && seen < shown; k++) {
			if (sum->steps[k].kind != EXPLAIN_TERM)
				continue;
			number(sum->steps[k].operand, digits, v);
			buffer_format(out, "%s%s", seen++ ? " + " : "", v);
		}
		if (shown < n)
			buffer_format(out, shown ? _(" + %zu more") : _("%zu terms"), n - shown);
		number(explain_value(sum), digits, v);
		buffer_format(out, " = %s", v);
		if (!shown || text_width(out->data ? out->data : "", false) <= room)
			return;
	}
}

/* What the key puts into the output: its weight times its row of V, as many numbers as
 * there is room for. Fewer digits come before fewer numbers where these are few. */
static void share_text(const struct sheet *t, int digits, int room, struct buffer *out)
{
	enum { FEW = 4, SHORTEST = 4 };
	struct state *s = t->c->s;
	char v[NUMBER_SIZE], w[NUMBER_SIZE];
	size_t n = s->problem->d_v;

	const struct row *r = grid_row(&s->grid, s->row, STAGE_WEIGHTS);
	const struct matrix *values = problem_array(s->problem, ARRAY_V, s->grid.attention.head);
	/* With as many digits as make the product come out as it is shown. */
	number(r->weights[s->column], digits > SHORTEST ? digits : SHORTEST, w);
	for (size_t shown = n < (size_t)room ? n : (size_t)room; shown; shown--) {
		buffer_free(out);
		buffer_format(out, "%s x [", w);
		for (size_t c = 0; c < shown; c++) {
			view_short_number(values ? matrix_at(values, s->column, c) : c == s->column, digits, v);
			buffer_format(out, "%s%s", c ? ", " : "", v);
		}
		buffer_text(out, shown < n ? ", ..] = [" : "] = [");
		for (size_t c = 0; c < shown; c++) {
			view_short_number(explain_share(&s->grid.attention, r, s->column, c), digits, v);
			buffer_format(out, "%s%s", c ? ", " : "", v);
		}
		buffer_text(out, shown < n ? ", ..]" : "]");
		if (text_width(out->data ? out->data : "", false) <= room || (n <= FEW && digits > SHORTEST))
			return;
	}
}

static void left_text(const struct sheet *t, const struct line *line, int digits, int room, struct buffer *out)
{
	char v[NUMBER_SIZE];

	switch (line->kind) {
	case LINE_STEP:
		step_text(t, line->step, digits, out);
		break;
	case LINE_TERMS:
		terms_text(t, digits, room, out);
		break;
	case LINE_SHARE:
		share_text(t, digits, room, out);
		break;
	case LINE_HAND:
		inspector_hand_step(t, line->step, out);
		break;
	default:
		number(line->kind == LINE_TOTAL ? inspector_before(t->x, t->products) : explain_value(t->x), digits, v);
		buffer_text(out, v);
		if (line->kind == LINE_TOTAL && !shows_products(t))
			buffer_format(out, _("  (of %zu products)"), t->products);
		break;
	}
}

/* ---- which lines there are ---- */

static void add_line(struct sheet *t, enum line_kind kind, size_t step)
{
	if (t->lines < INSPECTOR_LINES)
		t->line[t->lines++] = (struct line){ kind, step };
}

static void count_products(struct sheet *t)
{
	while (t->products < t->x->n && is_product(t->x->steps[t->products].kind))
		t->products++;
}

static void find_lines(struct sheet *t)
{
	if (t->products)
		add_line(t, LINE_TOTAL, 0);
	for (size_t k = t->products; k < t->x->n; k++) {
		const struct explain_step *step = &t->x->steps[k];
		add_line(t, LINE_STEP, k);
		if (step->kind == EXPLAIN_DIVIDE && !step->again && t->c->s->panel.inspector.sum.n)
			add_line(t, LINE_TERMS, k);
		if ((step->kind == EXPLAIN_DIVIDE || step->kind == EXPLAIN_DIVIDE_COLUMN) && !t->right_width)
			add_line(t, LINE_HAND, k);
	}
	if (t->x->n && state_stage(t->c->s) == STAGE_WEIGHTS) {
		add_line(t, LINE_CELL, 0);
		add_line(t, LINE_SHARE, 0);
	}
}

/* ---- drawing ---- */

static const char *line_name(const struct sheet *t, const struct line *line)
{
	switch (line->kind) {
	case LINE_STEP:
		return step_name(t, t->x->steps[line->step].kind);
	case LINE_TERMS:
		return _("  its terms");
	case LINE_CELL:
		return _("weight");
	case LINE_SHARE:
		return _("its share");
	case LINE_HAND:
		return _("by hand");
	default:
		return _("sum");
	}
}

/* As many digits as fit; a number that still does not is cut with a mark. */
static void draw_left(const struct sheet *t, int row, const struct line *line)
{
	static const int digits[] = { ALL_DIGITS, 9, 6, 4, 2 };
	struct buffer text = { 0 };
	bool share = line->kind == LINE_SHARE;
	int room = share ? t->p.columns - t->left : t->left_width;

	for (size_t k = share || line->kind == LINE_TERMS ? 2 : 0; k < sizeof digits / sizeof *digits; k++) {
		buffer_free(&text);
		left_text(t, line, digits[k], room, &text);
		if (text_width(text.data ? text.data : "", t->c->look.ascii) <= room)
			break;
	}
	pane_text(&t->p, row, t->left, text.data ? text.data : "", room,
		  color_paint(&t->c->look, line->kind == LINE_CELL ? PAINT_TITLE : PAINT_TEXT));
	buffer_free(&text);
}

static void draw_line(const struct sheet *t, int row, const struct line *line)
{
	struct buffer text = { 0 };

	pane_text(&t->p, row, 1, line_name(t, line), t->names - 1, color_paint(&t->c->look, PAINT_MUTED));
	draw_left(t, row, line);
	if (!t->right_width || line->kind == LINE_SHARE)
		return;
	inspector_hand(t, line, t->right_width, &text);
	pane_text(&t->p, row, t->right, text.data ? text.data : "", t->right_width,
		  color_paint(&t->c->look, line->kind == LINE_CELL ? PAINT_TITLE : PAINT_TEXT));
	buffer_free(&text);
}

static void draw_product(const struct sheet *t, int row, size_t k)
{
	static const int digits[] = { ALL_DIGITS, 9, 6, 4, 2 };
	const struct explain_step *step = &t->x->steps[k];
	struct buffer name = { 0 }, text = { 0 };
	char a[NUMBER_SIZE], b[NUMBER_SIZE], v[NUMBER_SIZE];

	product_name(t, step->index, &name);
	pane_text(&t->p, row, 1, name.data ? name.data : "", t->names - 1, color_paint(&t->c->look, PAINT_MUTED));
	for (size_t n = 0; n < sizeof digits / sizeof *digits; n++) {
		buffer_free(&text);
		number(step->left, digits[n], a);
		number(step->right, digits[n], b);
		number(step->operand, digits[n], v);
		buffer_format(&text, "%s x %s = %s", a, b, v);
		if (text_width(text.data ? text.data : "", t->c->look.ascii) <= t->left_width)
			break;
	}
	pane_text(&t->p, row, t->left, text.data ? text.data : "", t->left_width, color_paint(&t->c->look, PAINT_TEXT));
	buffer_free(&text);
	if (t->right_width) {
		view_board_number(step->left, a);
		view_board_number(step->right, b);
		view_board_number(view_board_value(step->left) * view_board_value(step->right), v);
		buffer_format(&text, "%s x %s = %s", a, b, v);
		pane_text(&t->p, row, t->right, text.data ? text.data : "", t->right_width, color_paint(&t->c->look, PAINT_TEXT));
	}
	buffer_free(&name);
	buffer_free(&text);
}

static void draw_fold(const struct sheet *t, int row, size_t from, size_t to)
{
	struct buffer text = { 0 };
	char v[NUMBER_SIZE];
	double sum = 0;

	for (size_t k = from; k < to; k++)
		sum += t->x->steps[k].operand;
	view_short_number(sum, 4, v);
	buffer_format(&text, from ? _("... %zu more, together %s") : _("%zu products, together %s"), to - from, v);
	pane_text(&t->p, row, t->left, text.data ? text.data : "", t->p.columns - t->left, color_paint(&t->c->look, PAINT_MUTED));
	buffer_free(&text);
}

/* The products in `room` rows; returns the rows used. */
static int draw_products(const struct sheet *t, int row, size_t room)
{
	size_t n = t->products, ends = room - 1, head = (ends + 1) / 2, y = 0;

	if (n <= room) {
		for (; y < n; y++)
			draw_product(t, row + (int)y, y);
		return (int)n;
	}
	for (; y < head; y++)
		draw_product(t, row + (int)y, y);
	draw_fold(t, row + (int)y, head, n - (ends - head));
	for (y++; y < room; y++)
		draw_product(t, row + (int)y, n - room + y);
	return (int)room;
}

static void draw_names(const struct sheet *t)
{
	struct style style = color_paint(&t->c->look, PAINT_MUTED);

	pane_text(&t->p, 0, t->left, _("as the program computes"), t->left_width, style);
	if (t->right_width)
		pane_text(&t->p, 0, t->right, _("by hand"), t->right_width, style);
}

/* Lines that there is no room for; the first of them go, until PgUp brings them back. */
static size_t lines_left_out(const struct sheet *t)
{
	size_t room = (size_t)t->p.rows;

	return t->lines > room ? t->lines - room : 0;
}

/* The first line that is shown. */
static size_t first_line(const struct sheet *t)
{
	size_t gone = lines_left_out(t), back = t->c->s->panel.inspector.back;

	return back < gone ? gone - back : 0;
}

static void draw_sheet(const struct sheet *t)
{
	size_t room = (size_t)t->p.rows, needed = t->lines + (t->products > 0), row = 0;

	if (room > needed) {
		draw_names(t);
		row = 1;
	}
	if (shows_products(t))
		row += (size_t)draw_products(t, (int)row, room - row - t->lines);
	for (size_t k = first_line(t); k < t->lines && row < room; k++, row++)
		draw_line(t, (int)row, &t->line[k]);
}

/* Two columns, not so far apart on a wide screen that no line leads from one to the other. */
static void place_columns(struct sheet *t)
{
	int columns = t->p.columns, rest;

	t->names = names_width(t);
	rest = columns - t->names - 1;
	t->left = t->names + 1;
	t->left_width = rest;
	if (columns < TWO_COLUMNS)
		return;
	t->right_width = rest * 6 / 13;
	t->left_width = rest - t->right_width - 2;
	if (t->left_width > LEFT_MOST)
		t->left_width = LEFT_MOST;
	t->right = t->left + t->left_width + 2;
}

/* Which cell, and which of its lines; whose cell it is where that has room, too. */
static void title(const struct sheet *t, int room, struct buffer *out)
{
	const struct state *s = t->c->s;
	const char *name = state_stage(s) == STAGE_INPUT ? array_name(state_array(s)) : stage_info(state_stage(s))->name;
	char scratch[32], row[32];
	struct buffer lines = { 0 }, labels = { 0 };
	size_t first = first_line(t);

	if (lines_left_out(t))
		buffer_format(&lines, _(", lines %zu to %zu of %zu"), first + 1, first + (size_t)t->p.rows, t->lines);
	buffer_format(&labels, "  %s", state_row_label(s, s->row, row));
	if (state_is_grid(s))
		buffer_format(&labels, " <- %s", state_column_label(s, s->column, scratch));
	for (int less = 0; less < 3; less++) {
		buffer_free(out);
		buffer_format(out, less < 2 ? _("inspector: %s %zu:%zu") : "%s %zu:%zu", name, s->row, s->column);
		buffer_format(out, "%s%s", lines.data ? lines.data : "", less || !labels.data ? "" : labels.data);
		if (text_width(out->data ? out->data : "", t->c->look.ascii) <= room)
			break;
	}
	buffer_free(&lines);
	buffer_free(&labels);
}

static void explain_nothing(const struct sheet *t)
{
	const struct state *s = t->c->s;
	const char *why = s->panel.failed ? s->panel.error : state_stage(s) == STAGE_INPUT
		? _("this number is the input: nothing is computed before it; 1 to 5 show what is made of it")
		: _("there are no steps before this number");

	panel_wrap(&t->p, 0, 1, why, t->p.rows, color_paint(&t->c->look, PAINT_TEXT));
}

static void make_sheet(struct sheet *t)
{
	struct state *s = t->c->s;

	t->x = &s->panel.inspector.cell;
	if (state_is_grid(s))
		t->r = grid_row(&s->grid, s->row, STAGE_WEIGHTS);
	t->p = pane_part(&t->c->screen, t->c->l.panel + 1, 0, t->c->l.panel_rows - 1, s->columns);
	count_products(t);
	place_columns(t);
	find_lines(t);
}

int view_inspector_left_out(const struct state *s, int *shown)
{
	struct canvas c = { .s = (struct state *)s, .look = state_look(s) };
	struct sheet t = { .c = &c };

	layout_make(&c.l, s);
	c.screen = (struct pane){ .rows = s->rows, .columns = s->columns, .ascii = c.look.ascii };
	make_sheet(&t);
	*shown = t.p.rows;
	return (int)lines_left_out(&t);
}

void view_inspector(struct canvas *c)
{
	struct state *s = c->s;
	struct sheet t = { .c = c };
	struct buffer head = { 0 };

	make_sheet(&t);
	title(&t, s->columns - 4, &head);
	t.p = panel_head(c, head.data ? head.data : "");
	buffer_free(&head);
	if (s->panel.failed || !t.x->n)
		explain_nothing(&t);
	else
		draw_sheet(&t);
}
