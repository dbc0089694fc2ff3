/* seen_rows.h - the rows on screen in double, one at a time, as far as they are seen.
 *
 * Where a row takes long (many keys), a key must not wait for all rows of a screen. Here
 * each is computed whole by row.h and then kept with the columns on screen, its output
 * and its sums; other places of its arrays are 0. The cursor's row is the caller's: it is
 * wanted whole, by the lines below the grid and by panels.
 *
 * Memory: one row, and addresses (not memory) of 42 n_k + 8 d_v bytes a row on screen.
 * Not for two threads at once.
 */
#ifndef CORE_SEEN_ROWS_H
#define CORE_SEEN_ROWS_H

#include "core/long_rows.h"
#include "core/row.h"

struct seen_rows;

/* Of an attention that outlives it, with room for so many rows. E_MEMORY. */
enum status seen_rows_begin(struct seen_rows **out, const struct attention *a, size_t rows, struct error *e);
void seen_rows_free(struct seen_rows *s);		/* NULL is accepted */
size_t seen_rows_most(const struct seen_rows *s);	/* rows at once, as given */

/* The attention computes something else from now on; its shapes are the same. */
void seen_rows_forget(struct seen_rows *s);
/* What is on screen, and the last stage that is wanted. Rows are kept while the columns are
 * within those they were kept with, and these are more than was asked for. */
void seen_rows_show(struct seen_rows *s, const struct long_window *w, enum stage last);
/* Computes one row, never the cursor's; returns whether any is left. */
bool seen_rows_step(struct seen_rows *s);
bool seen_rows_done(const struct seen_rows *s);
/* Row i, or NULL while it is not known. Valid until the next call of another function. */
const struct row *seen_rows_row(const struct seen_rows *s, size_t i);

#endif
