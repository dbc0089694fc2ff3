/* long_rows.h - the rows on screen of a long head as rows of row.h, as far as they are seen.
 *
 * Who shows rows asks for struct row; of a head with 131,072 keys a screen shows thirty.
 * Here the columns on screen are filled from panels.h, the sums are of all keys, and
 * nothing else of a row is computed: other places of its arrays are 0, its output is not
 * there. Numbers are float32's, widened.
 *
 * Memory: what panels.h takes within the budget, and addresses (not memory) of
 * 42 n_k bytes a row; of these about 8 MiB are in use at most. Not for two threads at once.
 */
#ifndef CORE_LONG_ROWS_H
#define CORE_LONG_ROWS_H

#include "core/fast_attention.h"
#include "core/panels.h"

struct long_rows;

/* What is seen: rows top.. and columns left.. of them, the cursor's row among them. */
struct long_window {
	size_t top, rows, left, columns, cursor;
};

/* Of an attention that fits (fast_attention.h), with the numbers of q, k and v or, where they
 * are NULL, of its problem; `rows` is the most that are seen at once. Refers to the numbers and
 * to the workers (or NULL), which outlive it. E_MEMORY, or as fast_check. */
enum status long_rows_begin(struct long_rows **out, const struct attention *a, const struct tensor_view *q,
			    const struct tensor_view *k, const struct tensor_view *v, size_t rows, size_t budget,
			    struct workers *workers, struct error *e);
void long_rows_free(struct long_rows *l);		/* NULL is accepted */
size_t long_rows_most(const struct long_rows *l);	/* rows at once, as given */

/* The same problem and head under other options, which fit. Masks and the scale touch no
 * product of q and k. E_MEMORY; then it is as it was. */
enum status long_rows_change(struct long_rows *l, const struct attention *a, struct error *e);
/* `rows` is at most the number given at the beginning. */
void long_rows_show(struct long_rows *l, const struct long_window *w);
/* A piece of what is to be known, the cursor's row first; returns whether anything is left. */
bool long_rows_step(struct long_rows *l, const atomic_bool *cancel);
bool long_rows_done(const struct long_rows *l);
/* Row i, seen or not, or NULL while its sums are not known. Valid until long_rows_change,
 * long_rows_show, or until `rows` others were asked for. */
const struct row *long_rows_row(struct long_rows *l, size_t i);

#endif
