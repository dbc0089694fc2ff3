/* play_cells.c - the numbers of the grid, as they stand on the screen that is played. */
#include "tests/play_cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

void play_cell_text(const struct play *p, size_t i, size_t j, char mark[ROW_TEXT], char out[ROW_TEXT])
{
	const struct layout *l = &p->layout;
	int y = l->grid + (int)(i - p->state.top) * l->cell_height + l->cell_height / 2;
	int x = l->cells + (int)(j - p->state.left) * l->cell_width;
	char text[ROW_TEXT], *from = text;

	if (mark)
		play_text(p, y, x, x + 1, mark);
	play_text(p, y, x + 1, x + l->cell_width, text);
	from += strspn(from, " [");
	size_t n = strcspn(from, "]");
	while (n && from[n - 1] == ' ')
		n--;
	from[n] = '\0';
	strcpy(out, from);
}

void must_hold(const struct play *p, size_t i, size_t j, const char *text)
{
	char shown[ROW_TEXT];

	play_cell_text(p, i, j, NULL, shown);
	assert_string_equal(shown, text);
}
