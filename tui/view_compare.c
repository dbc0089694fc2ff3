/* view_compare.c - A, as it was pinned, beside B, as it is; and what differs, in words.
 *
 * Both halves show the same window of rows and keys of the shown stage, on one
 * scale, each with its own row sums. What only one of them has stays blank in the
 * other. The difference itself is drawn by view_grid.c, in the grid's own cells.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"
#include "tui/compare.h"
#include "tui/text.h"
#include "tui/view_parts.h"

enum { A, B };

/* One half of the picture. */
struct half {
	struct state *s;
	int which, x;
	size_t rows, columns;
};

static const double *values(const struct half *h, size_t row)
{
	if (row >= h->rows)
		return NULL;
	return h->which == A ? compare_values(h->s, row) : state_values(h->s, row);
}

static const struct row *query(const struct half *h, size_t row)
{
	if (row >= h->rows)
		return NULL;
	return h->which == A ? compare_query(h->s, row) : state_query(h->s, row);
}

/* ---- labels ---- */

static const char *row_label(const struct half half[2], size_t i, char scratch[32])
{
	const struct tokens *a = &half[A].s->pinned.problem->query_tokens;

	if (i < half[B].rows)
		return state_row_label(half[B].s, i, scratch);
	snprintf(scratch, 32, "%zu", i);
	return state_is_grid(half[A].s) && i < a->n ? token_at(a, i, scratch) : scratch;
}

static const char *column_label(const struct half *h, size_t j, char scratch[32])
{
	const struct tokens *a = &h->s->pinned.problem->key_tokens;

	if (h->which == B)
		return state_column_label(h->s, j, scratch);
	snprintf(scratch, 32, "%zu", j);
	return state_is_grid(h->s) && j < a->n ? token_at(a, j, scratch) : scratch;
}

static void draw_labels(const struct canvas *c, const struct half *h, const struct compare_halves *at)
{
	struct style style = color_paint(&c->look, PAINT_LABEL), lit = style;
	char scratch[32];

	lit.attributes |= BOLD | UNDERLINE;
	for (size_t k = 0; k < at->columns && at->left + k < h->columns && c->l.numbers; k++) {
		size_t j = at->left + k;
		pane_field(&c->screen, c->l.labels, h->x + (int)k * at->cell_width + 1, column_label(h, j, scratch), at->cell_width - 1, 0,
			   j == c->s->column ? lit : style);
	}
	/* Which half it is stands above its sums, or before its cells; and that those are of the
	 * weights, where other numbers are shown. */
	int x = at->sum_width ? h->x + (int)at->columns * at->cell_width + 1 : h->x, mark = at->sum_width;
	const char *brief = view_sum_brief(c);
	if (mark && state_stage(c->s) != STAGE_WEIGHTS && text_width(brief, c->look.ascii) + 2 <= mark) {
		mark -= text_width(brief, c->look.ascii) + 1;
		pane_text(&c->screen, c->l.labels, x + mark + 1, brief, -1, color_paint(&c->look, PAINT_MUTED));
	}
	pane_field(&c->screen, c->l.labels, x, h->which == A ? "A" : "B", mark ? mark : 1, 1, color_paint(&c->look, PAINT_LIT));
}

/* ---- rows ---- */

static void draw_sum(const struct canvas *c, const struct half *h, const struct compare_halves *at, size_t i, int y)
{
	const struct row *r = query(h, i);
	int precision = state_precision(c->s) < 2 ? 2 : state_precision(c->s);
	char text[NUMBER_SIZE];

	if (!r || !at->sum_width)
		return;
	if (fabs(r->sum) >= 1e4)
		snprintf(text, sizeof text, "%.1g", r->sum);
	else
		number_fixed(r->sum, precision, text);
	pane_field(&c->screen, y, h->x + (int)at->columns * at->cell_width + 1, text, at->sum_width, 1,
		   color_paint(&c->look, r->verdict == VERDICT_OK ? PAINT_OK
					 : r->verdict == VERDICT_LOW || r->verdict == VERDICT_HIGH ? PAINT_WARN : PAINT_BAD));
}

static void draw_half(const struct canvas *c, const struct half *h, const struct compare_halves *at, const struct scale *scale,
		      size_t i, int y)
{
	struct state *s = c->s;
	bool from_masks = state_stage(s) == STAGE_MASKED || state_stage(s) == STAGE_WEIGHTS;
	const struct flash *f = &s->flash;
	const struct row *r = query(h, i);
	const double *v = values(h, i);
	int bracket = -1;

	for (size_t k = 0; v && k < at->columns && at->left + k < h->columns; k++) {
		size_t j = at->left + k;
		int x = h->x + (int)k * at->cell_width;
		struct cell_info info = { .value = v[j], .cursor = i == s->row && j == s->column };
		info.hidden = r && state_is_grid(s) && from_masks && mask_hides(r->rules[j]);
		info.flashing = h->which == B && f->on && i >= f->top && i - f->top < f->rows && j >= f->left && j - f->left < f->columns &&
				f->changed[(i - f->top) * f->columns + (j - f->left)];
		view_cell(c, y, x, scale, &info);
		if (info.cursor)
			bracket = x;
	}
	if (bracket >= 0 && c->l.numbers)
		view_close_bracket(c, y, bracket);
	draw_sum(c, h, at, i, y + c->l.cell_height / 2);
}

/* Where rows or keys go on. */
static void scroll_marks(const struct canvas *c, const struct compare_halves *at, size_t rows, size_t columns)
{
	const struct layout *l = &c->l;
	struct style style = color_paint(&c->look, PAINT_MUTED);
	bool ascii = c->look.ascii;

	if (at->left + at->columns < columns)
		pane_text(&c->screen, l->labels, at->bar, ascii ? ">" : "\u2192", 1, style);
	if (at->left > 0)
		pane_text(&c->screen, l->labels, l->cells - 1, ascii ? "<" : "\u2190", 1, style);
	if (c->s->top > 0)
		pane_text(&c->screen, l->grid, 1, ascii ? "^" : "\u2191", 1, style);
	if (c->s->top + l->visible_rows < rows)
		pane_text(&c->screen, l->grid + ((int)l->visible_rows - 1) * l->cell_height, 1, ascii ? "v" : "\u2193", 1, style);
}

void view_beside(struct canvas *c)
{
	struct state *s = c->s;
	struct scale scale = view_scale(s, &c->l);
	struct compare_halves at;
	struct half half[2] = { { .s = s, .which = A }, { .s = s, .which = B } };
	struct canvas cells = *c;
	struct style muted = color_paint(&c->look, PAINT_MUTED), label = color_paint(&c->look, PAINT_LABEL);
	char scratch[32];

	compare_halves(&c->l, s, &at);
	cells.l.cell_width = at.cell_width;
	if (cells.l.number_width > at.cell_width - 1 && at.cell_width > 5)
		cells.l.number_width = at.cell_width - 1;
	compare_shape(s, &half[A].rows, &half[A].columns);
	state_shape(s, &half[B].rows, &half[B].columns);
	size_t rows = half[A].rows > half[B].rows ? half[A].rows : half[B].rows;
	pane_text(&c->screen, c->l.labels, 0, "A | B", c->l.cells, color_paint(&c->look, PAINT_LIT));
	for (int k = A; k <= B; k++) {
		half[k].x = at.x[k];
		draw_labels(&cells, &half[k], &at);
	}
	for (size_t n = 0; n < c->l.visible_rows && s->top + n < rows; n++) {
		size_t i = s->top + n;
		int y = c->l.grid + (int)n * c->l.cell_height, middle = y + c->l.cell_height / 2;
		struct style style = label;
		if (i == s->row)
			style.attributes |= BOLD;
		pane_text(&c->screen, middle, 0, i == s->row ? "> " : "  ", 2, style);
		pane_field(&c->screen, middle, 2, row_label(half, i, scratch), c->l.label_width, -1, style);
		pane_text(&c->screen, middle, at.bar, c->look.ascii ? "|" : "\u2502", 1, muted);
		for (int k = A; k <= B; k++)
			draw_half(&cells, &half[k], &at, &scale, i, y);
	}
	scroll_marks(c, &at, rows, half[A].columns > half[B].columns ? half[A].columns : half[B].columns);
}

/* ---- in words ---- */

static void short_number(double x, char out[NUMBER_SIZE])
{
	if (!isfinite(x))
		number_plain(x, out);
	else
		snprintf(out, NUMBER_SIZE, "%.4g", x);
}

/* What tells B from A, in the rule above the lines. */
static void rule_line(struct canvas *c)
{
	struct buffer text = { 0 };
	char title[400];

	if (c->l.rule < 0)
		return;
	compare_text(c->s, &text);
	snprintf(title, sizeof title, " A -> B: %.380s ", text.data ? text.data : "");
	buffer_free(&text);
	pane_text(&c->screen, c->l.rule, 2, title, c->s->columns - 4, color_paint(&c->look, PAINT_TITLE));
}

static void cell_line(struct canvas *c)
{
	struct state *s = c->s;
	size_t rows, columns;
	char a[NUMBER_SIZE], b[NUMBER_SIZE], d[NUMBER_SIZE], row[32], column[32], text[3 * NUMBER_SIZE + 200], brief[sizeof text];
	const char *const forms[] = { text, brief, NULL };

	if (c->l.cell < 0)
		return;
	compare_shape(s, &rows, &columns);
	const double *other = compare_values(s, s->row);
	double now = state_values(s, s->row)[s->column];
	short_number(now, b);
	if (other && s->column < columns) {
		short_number(other[s->column], a);
		short_number(compare_difference(other[s->column], now), d);
		snprintf(text, sizeof text, "A %s   B %s   B - A = %s", a, b, d);
		snprintf(brief, sizeof brief, "A %s B %s: %s", a, b, d);
	} else {
		snprintf(text, sizeof text, _("only B has this cell: %s"), b);
		snprintf(brief, sizeof brief, "B %s", b);
	}
	int x = pane_text(&c->screen, c->l.cell, 0, state_row_label(s, s->row, row), c->s->columns / 5, color_paint(&c->look, PAINT_LABEL));
	x += pane_text(&c->screen, c->l.cell, x, state_is_grid(s) ? " <- " : ", ", -1, color_paint(&c->look, PAINT_MUTED));
	x += pane_text(&c->screen, c->l.cell, x, state_column_label(s, s->column, column), c->s->columns / 5, color_paint(&c->look, PAINT_LABEL));
	int room = c->s->columns - x - 3;
	pane_text(&c->screen, c->l.cell, x + 3, panel_fitting(forms, room, c->look.ascii), room, color_paint(&c->look, PAINT_TEXT));
}

/* "6 of 9 cells differ, most by -0.269 at 0:1; row sums by 0" */
static void found_text(const struct compare_found *f, bool brief, struct buffer *out)
{
	char number[NUMBER_SIZE];

	if (!f->cells) {
		buffer_text(out, _("no cell is in both"));
	} else if (!f->differ && !f->sums_differ && brief) {
		buffer_text(out, _("equal bit for bit"));
	} else if (!f->differ && !f->sums_differ) {
		buffer_format(out, _("A and B are equal bit for bit: all %zu cells, and the row sums"), f->cells);
		return;
	} else if (!f->differ) {
		buffer_format(out, _("all %zu cells are equal bit for bit"), f->cells);
	} else {
		short_number(f->largest, number);
		buffer_format(out, _("%zu of %zu cells differ, most by %s at %zu:%zu"), f->differ, f->cells, number, f->row, f->column);
	}
	if (brief || !f->sums)
		return;
	short_number(f->largest_sum, number);
	if (f->sums_apart)
		buffer_format(out, _("; sums by %s, row %zu"), number, f->sum_row);
	else if (f->sums_differ)
		buffer_text(out, _("; row sums equal but for rounding"));
	else
		buffer_text(out, _("; row sums equal"));
}

static void put_found(const struct state *s, bool brief, struct buffer *out)
{
	const struct compare_found *f = &s->pinned.found;
	size_t a = s->pinned.problem->n_q, b = s->problem->n_q;

	if (f->to - f->from < (a < b ? a : b) && f->cells && state_stage(s) != STAGE_INPUT)
		buffer_format(out, _("rows %zu-%zu: "), f->from, f->to - 1);
	found_text(f, brief, out);
}

void view_compare_found(const struct state *s, struct buffer *out)
{
	put_found(s, false, out);
}

static void found_line(struct canvas *c)
{
	struct buffer text = { 0 };

	if (c->l.hand < 0)
		return;
	for (int brief = 0; brief < 2; brief++) {
		buffer_free(&text);
		put_found(c->s, brief, &text);
		if (!text.data || text_width(text.data, c->look.ascii) <= c->s->columns)
			break;
	}
	pane_text(&c->screen, c->l.hand, 0, text.data ? text.data : "", c->s->columns, color_paint(&c->look, PAINT_TEXT));
	buffer_free(&text);
}

void view_compare_lines(struct canvas *c)
{
	rule_line(c);
	cell_line(c);
	found_line(c);
}
