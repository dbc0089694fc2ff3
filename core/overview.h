/* overview.h - the whole map of weights in a few cells, in pieces: mean and maximum.
 *
 * The n_q x n_k weights of a head fall into rows x columns bins; a cell is the mean or
 * the largest of all weights of its bin, hidden ones (0) included. At first a few rows
 * of every bin row are taken as a sample, then every row: in the end nothing is sampled.
 * A bin row with a query whose softmax is none (nothing visible, NaN) is NaN.
 *
 * Cells that are exact do not change any more, and the same head gives the same bits,
 * whatever the number of workers.
 *
 * Memory: about 60 bytes a cell, and 400 a column, worker and piece; nothing of n_q x n_k.
 * Cost: d_k multiply-adds and one exponential a visible cell of the map, once.
 */
#ifndef CORE_OVERVIEW_H
#define CORE_OVERVIEW_H

#include "core/fast.h"

struct overview;

enum { OVERVIEW_MOST = 1024 };		/* rows, columns */

/* How well a row of cells is known. */
enum overview_state { OVERVIEW_NOTHING, OVERVIEW_SAMPLED, OVERVIEW_EXACT };

/* Begins with nothing known. At most n_q rows and n_k columns of cells are made, and at
 * most OVERVIEW_MOST. Refers to what the head shows and to the workers (or NULL), which
 * outlive it. E_MEMORY, or as fast_check. */
enum status overview_begin(struct overview **out, const struct fast_head *h, size_t rows, size_t columns,
			   struct workers *workers, struct error *e);
void overview_free(struct overview *o);		/* at any time; NULL is accepted */
size_t overview_rows(const struct overview *o);
size_t overview_columns(const struct overview *o);
/* First query of bin row r, and first key of bin column c; of the number of them: n. */
size_t overview_query(const struct overview *o, size_t r);
size_t overview_key(const struct overview *o, size_t c);

/* Does a piece of a few milliseconds; when *cancel (or NULL) turns true it ends within
 * 32 rows and what it did is lost. Returns whether anything is left. */
bool overview_step(struct overview *o, const atomic_bool *cancel);
double overview_progress(const struct overview *o);	/* of the exact pass, 0 to 1; never backwards */

enum overview_state overview_state(const struct overview *o, size_t r);
/* A cell as far as it is known; NaN of nothing. A sampled maximum is a lower bound. */
double overview_mean(const struct overview *o, size_t r, size_t c);
double overview_max(const struct overview *o, size_t r, size_t c);
/* Expected error of the means that are shown, in relation to them: sum |error| / sum mean,
 * from how the sampled rows differ. 0 when all is exact, infinite while nothing is known of
 * some row. Cells that are NaN are left out. Maxima have no such estimate. */
double overview_error(const struct overview *o);

#endif
