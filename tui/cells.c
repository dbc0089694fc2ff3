/* cells.c - the picture, and the rectangles that panes draw in. */
#include "tui/cells.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tui/text.h"

static const struct cell blank = { .code = { ' ' }, .count = 1, .width = 1 };

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

static void blank_all(struct cells *c)
{
	size_t n = (size_t)c->rows * (size_t)c->columns;

	for (size_t i = 0; i < n; i++)
		c->cell[i] = blank;
	c->cursor_row = -1;
	c->cursor_column = 0;
}

enum status cells_init(struct cells *c, int rows, int columns, struct error *e)
{
	struct cells made = { .rows = rows < 1 ? 1 : rows, .columns = columns < 1 ? 1 : columns };

	if ((size_t)made.rows > PTRDIFF_MAX / sizeof *made.cell / (size_t)made.columns)
		return error_set(e, E_MEMORY, "a picture of %d x %d cells is too large",
				 made.rows, made.columns);
	made.cell = malloc((size_t)made.rows * (size_t)made.columns * sizeof *made.cell);
	if (!made.cell)
		return error_set(e, E_MEMORY, "no memory for a picture of %d x %d cells",
				 made.rows, made.columns);
	blank_all(&made);
	*c = made;
	return OK_STATUS;
}

enum status cells_reset(struct cells *c, int rows, int columns, struct error *e)
{
	if (!c->cell || c->rows != (rows < 1 ? 1 : rows) ||
	    c->columns != (columns < 1 ? 1 : columns)) {
		struct cells made;
		enum status s = cells_init(&made, rows, columns, e);

		if (s)
			return s;
		free(c->cell);
		*c = made;
		return OK_STATUS;
	}
	blank_all(c);
	return OK_STATUS;
}

void cells_free(struct cells *c)
{
	free(c->cell);
	memset(c, 0, sizeof *c);
}

/* Clips the span [*start, *start + *size) to [0, limit); long, so that no sum overflows. */
static void clip(int *start, int *size, int limit)
{
	long long end = (long long)*start + (*size < 0 ? 0 : *size);

	if (end > limit)
		end = limit;
	if (*start < 0)
		*start = 0;
	*size = end > *start ? (int)(end - *start) : 0;
}

struct pane pane_part(const struct pane *p, int row, int column, int rows, int columns)
{
	struct pane part = *p;

	clip(&row, &rows, p->rows);
	clip(&column, &columns, p->columns);
	part.row = rows ? p->row + row : p->row;
	part.column = columns ? p->column + column : p->column;
	part.rows = rows;
	part.columns = columns;
	return part;
}

/* The cell that a pane's own coordinates mean; NULL outside the pane or the picture. */
static struct cell *visible(const struct pane *p, int row, int column)
{
	if (row < 0 || row >= p->rows || column < 0 || column >= p->columns)
		return NULL;
	long long r = (long long)p->row + row, k = (long long)p->column + column;
	if (r < 0 || r >= p->cells->rows || k < 0 || k >= p->cells->columns)
		return NULL;
	return cells_at(p->cells, (int)r, (int)k);
}

static void make_blank(struct cell *cell)
{
	struct style style = cell->style;

	*cell = blank;
	cell->style = style;
}

/* Before a cell is overwritten: the other half of a wide one would be left
 * alone, and a terminal would shift the rest of the row. It may lie outside
 * of the pane. */
static void release(const struct pane *p, int row, int column)
{
	int k = p->column + column;
	struct cell *cell = cells_at(p->cells, p->row + row, k);

	if (cell->width == 0 && k > 0 && cell[-1].width == 2)
		make_blank(cell - 1);
	if (cell->width == 2 && k + 1 < p->cells->columns && cell[1].width == 0)
		make_blank(cell + 1);
}

static void put_one(const struct pane *p, int row, int column, const struct cell *cell)
{
	struct cell *at = visible(p, row, column);

	if (!at)
		return;
	release(p, row, column);
	*at = *cell;
}

static void put(const struct pane *p, int row, int column, const struct cell *cell)
{
	struct cell half = blank;

	half.style = cell->style;
	if (cell->width == 2 && visible(p, row, column) && visible(p, row, column + 1)) {
		release(p, row, column);
		release(p, row, column + 1);
		*visible(p, row, column) = *cell;
		half.count = half.width = 0;
		half.code[0] = 0;
		*visible(p, row, column + 1) = half;
	} else if (cell->width == 2) {
		put_one(p, row, column, &half);
		put_one(p, row, column + 1, &half);
	} else {
		put_one(p, row, column, cell);
	}
}

/* How text goes into a number of columns: those it takes, and whether the
 * last of them is the mark of a cut. */
struct fit {
	int used;
	bool cut;
};

static struct fit measure(const char *text, bool ascii, int limit)
{
	struct text_reader r;
	struct cell cell;
	struct fit fit = { 0, false };
	int before_mark = 0;

	text_begin(&r, text, strlen(text), ascii);
	while (text_read(&r, &cell)) {
		if (fit.used + cell.width > limit)
			return (struct fit){ limit > 0 ? before_mark + 1 : 0, true };
		fit.used += cell.width;
		if (fit.used < limit)
			before_mark = fit.used;
	}
	return fit;
}

static void draw(const struct pane *p, int row, int column, const char *text,
		 struct fit fit, struct style style)
{
	struct text_reader r;
	struct cell cell;
	int used = 0, room = fit.used - (fit.cut && fit.used > 0);

	text_begin(&r, text, strlen(text), p->ascii);
	while (used < room && text_read(&r, &cell)) {
		cell.style = style;
		put(p, row, column + used, &cell);
		used += cell.width;
	}
	if (used < fit.used) {
		struct cell mark = { .code = { p->ascii ? '~' : 0x2026 },
				     .count = 1, .width = 1, .style = style };
		put(p, row, column + used, &mark);
	}
}

/* Columns that are left of a pane from `column` on, and of `width` when that is not negative. */
static int columns_left(const struct pane *p, int column, int width)
{
	long long left = (long long)p->columns - column;

	if (left < 0)
		left = 0;
	if (left > INT_MAX / 2)
		left = INT_MAX / 2;
	return width < 0 ? (int)left : smaller((int)left, width);
}

int pane_text(const struct pane *p, int row, int column, const char *text, int width,
	      struct style style)
{
	struct fit fit = measure(text, p->ascii, columns_left(p, column, width));

	draw(p, row, column, text, fit, style);
	return fit.used;
}

int pane_field(const struct pane *p, int row, int column, const char *text, int width,
	       int align, struct style style)
{
	int room = columns_left(p, column, width < 0 ? 0 : width);
	struct fit fit = measure(text, p->ascii, room);
	int spare = room - fit.used;

	pane_fill(p, row, column, 1, room, style);
	draw(p, row, column + (align < 0 ? 0 : align > 0 ? spare : spare / 2), text, fit, style);
	return room;
}

void pane_fill(const struct pane *p, int row, int column, int rows, int columns,
	       struct style style)
{
	struct cell cell = blank;

	cell.style = style;
	clip(&row, &rows, p->rows);
	clip(&column, &columns, p->columns);
	for (int i = row; i < row + rows; i++)
		for (int j = column; j < column + columns; j++)
			put_one(p, i, j, &cell);
}

/* A wide cell is one thing on a terminal: its right half follows its left. */
void pane_style(const struct pane *p, int row, int column, int columns, struct style style)
{
	clip(&column, &columns, p->columns);
	for (int j = column; j < column + columns; j++) {
		struct cell *cell = visible(p, row, j);

		if (!cell || (cell->width == 0 && j == column))
			continue;
		cell->style = style;
		if (cell->width == 2)
			cell[1].style = style;
	}
}
