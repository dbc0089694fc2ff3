/* influence.h - the influence picture, in pieces: which key moves which output.
 *
 * Of a window of query rows: whether token j as a key moves output i, found as
 * probe_influence finds it, with the same noise and the same answers. Where masks
 * are right the picture is that of the visible cells, whatever the weights say.
 *
 * Whoever calls takes steps as long as he likes, looks at what is known between
 * two of them, moves the window, and gives up whenever he wants.
 *
 * Memory: a byte a cell of the window, copies of K and V, and an output; with
 * softmax over columns an output a row of the window. Nothing of n_q x n_k.
 * Cost: 1 + n_k to 2 n_k rows of row_compute a row of the window, row after row.
 * Softmax over columns: key after key, each 1 or 2 scans of all rows and as many
 * rows of row_compute a row of the window; there all rows end together.
 */
#ifndef CORE_INFLUENCE_H
#define CORE_INFLUENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/row.h"

struct influence_work;

/* Begins with the rows from..to-1, from <= to <= n_q. Refers to *a, its problem
 * and the tables, which outlive it; computes nothing yet. E_MEMORY; *out is then
 * as it was. The caller ends it by influence_free. */
enum status influence_begin(struct influence_work **out, const struct attention *a, size_t from, size_t to,
			    const struct random_tables *tables, struct error *e);
/* Other rows; what is known of those in both windows is kept. E_MEMORY; all is
 * then as it was. */
enum status influence_window(struct influence_work *f, size_t from, size_t to, struct error *e);
/* Does a piece: one row of row_compute at most, or else changes a key; *more tells
 * whether anything is left to do. With softmax over columns that change is a scan
 * of all rows which cannot be divided, with all that attention_init allocates and
 * at its cost, n_q n_k d_k. E_MEMORY; *more is then as it was, and the step may
 * be taken again. */
enum status influence_step(struct influence_work *f, bool *more, struct error *e);
/* Known cells of the window, 0 to 1; never backwards while the window stays. */
double influence_progress(const struct influence_work *f);
void influence_free(struct influence_work *f);	/* at any time; NULL is accepted */

/* ---- what is known so far ---- */

/* Whether all of row i is known; a row outside the window never is, nor with NULL. */
bool influence_done(const struct influence_work *f, size_t i);
/* Whether cell i, j is known, and whether key j moves output i; false while that
 * is not known. What is known does not change. */
bool influence_known(const struct influence_work *f, size_t i, size_t j);
bool influence_moves(const struct influence_work *f, size_t i, size_t j);

#endif
