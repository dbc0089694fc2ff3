/* cells_check.c - what a picture holds, as text, and what is wrong with it. */
#include "tests/cells_check.h"

#include <stdbool.h>

#include "core/utf8.h"

size_t cells_text(const struct cells *c, int row, int from, int to, char *out, size_t size)
{
	size_t n = 0;

	for (int x = from < 0 ? 0 : from; x < to && x < c->columns; x++) {
		const struct cell *cell = cells_at(c, row, x);
		for (int k = 0; k < cell->count && n + 4 < size; k++)
			n += utf8_encode(cell->code[k], out + n);
	}
	out[n] = '\0';
	return n;
}

size_t cells_row(const struct cells *c, int row, char *out, size_t size)
{
	size_t n = cells_text(c, row, 0, c->columns, out, size);

	while (n && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
	return n;
}

static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code > 0x10ffff;
}

/* Marks that would turn the text behind them around. */
static bool is_direction(uint32_t code)
{
	return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

static const char *cell_fault(const struct cells *c, int row, int column)
{
	const struct cell *cell = cells_at(c, row, column);

	if (cell->width > 2)
		return "a cell of no known width";
	if (cell->width == 0)
		return cell->count || !column || cell[-1].width != 2 ? "a right half without its left" : NULL;
	if (cell->width == 2 && (column + 1 >= c->columns || cell[1].width != 0))
		return "a wide cell without its right half";
	if (!cell->count || cell->count > CLUSTER_MAX)
		return "a cell of no known length";
	for (int k = 0; k < cell->count; k++)
		if (is_control(cell->code[k]) || is_direction(cell->code[k]))
			return "a control character in a cell";
	return NULL;
}

const char *cells_fault(const struct cells *c)
{
	const char *fault = NULL;

	for (int i = 0; i < c->rows && !fault; i++)
		for (int j = 0; j < c->columns && !fault; j++)
			fault = cell_fault(c, i, j);
	if (!fault && (c->cursor_row >= c->rows || c->cursor_row < -1 ||
		       (c->cursor_row >= 0 && (c->cursor_column < 0 || c->cursor_column >= c->columns))))
		return "the text cursor is outside";
	return fault;
}
