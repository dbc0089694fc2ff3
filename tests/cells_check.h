/* cells_check.h - what a picture holds, as text, and what is wrong with it. */
#ifndef TESTS_CELLS_CHECK_H
#define TESTS_CELLS_CHECK_H

#include <stddef.h>

#include "tui/cells.h"

/* Part of a row as UTF-8, from column `from` up to `to`, or as much of it as there is room for.
 * Returns its bytes; a NUL follows them. */
size_t cells_text(const struct cells *c, int row, int from, int to, char *out, size_t size);
/* The same of a whole row, without the blanks at its end. */
size_t cells_row(const struct cells *c, int row, char *out, size_t size);

/* NULL when the picture is one that a terminal can show: every cell is a printable cluster that
 * turns no text around, every wide one has its right half, so that each row is as wide as the
 * screen; else what is wrong. */
const char *cells_fault(const struct cells *c);

#endif
