/* play_cells.h - the numbers of the grid, as they stand on the screen that is played. */
#ifndef TESTS_PLAY_CELLS_H
#define TESTS_PLAY_CELLS_H

#include "tests/play.h"

/* The text of row i, column j of the grid, without the brackets of the cursor. What stands in
 * its first column, where a hidden cell has its mark, is apart (NULL: not wanted). */
void play_cell_text(const struct play *p, size_t i, size_t j, char mark[ROW_TEXT], char out[ROW_TEXT]);
/* Stops the test unless it is that. */
void must_hold(const struct play *p, size_t i, size_t j, const char *text);

#endif
