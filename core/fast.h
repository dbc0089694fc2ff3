/* fast.h - one head of long float inputs, in float32: rows, their sums, outputs.
 *
 * Q (n_q, d_k), K (n_k, d_k), V (n_k, d_v) are views, as of a mapped file; i is the
 * query, j the key. The meaning is that of row.h without its options beyond these:
 * scores = q.k, scaled = scale * scores, hidden cells -inf, softmax, output = weights V.
 * Everything is computed, nothing sampled, and nothing of n_q x n_k is stored.
 *
 * It differs from row.h in three things: numbers are float32 (a weight below e^-87.3
 * of the largest is 0, and numbers of V beyond 1e38 / n_k may overflow, for weights are
 * divided at the end); a hidden key is not looked at, so NaN in its V does not reach the
 * output, where 0 * NaN would; and there are no sums over columns.
 *
 * Source: the softmax in pieces is that of Milakov and Gimelshein 2018, with the
 * outputs carried along as in Dao et al. 2022.
 */
#ifndef CORE_FAST_H
#define CORE_FAST_H

#include <stdatomic.h>

#include "core/error.h"
#include "core/lanes.h"
#include "core/stage.h"
#include "core/tensor_view.h"
#include "core/workers.h"

struct fast_head {
	struct tensor_view q, k, v;
	const struct lanes *lanes;
	float scale;
	bool causal;			/* query i sees the keys 0..i + offset */
	long offset;			/* 0: top-left; n_k - n_q: bottom-right */
	const unsigned char *pad;	/* n_k bytes, not 0: the key is hidden; or NULL */
};

/* Largest n_q, n_k, d_k, d_v that are taken. */
enum { FAST_POSITIONS = 1 << 30, FAST_DIMENSIONS = 1 << 16 };

/* E_SHAPE with both shapes when q, k and v do not fit each other, E_LIMIT beyond
 * the numbers above, E_VALUE without keys or dimensions. All below wants a head that passed. */
enum status fast_check(const struct fast_head *h, struct error *e);

/* Keys that `causal` leaves to row i: 0..n_k. */
size_t fast_limit(const struct fast_head *h, size_t i);

/* What one thread computes with: about 450 d + 110 KiB, d = d_k + d_v. */
struct fast_work {
	void *block;
	float *q, *o;			/* of a group of panels: [d_k][16] and [d_v][16] each */
	float *s;			/* [2][FAST_TILE][16] */
	float *k, *v;			/* a tile of keys, where they cannot be read in place */
};
enum { FAST_TILE = 96, FAST_GROUP = 4 };
#define FAST_TILE_SCORES ((size_t)FAST_TILE * LANES)

enum status fast_work_init(struct fast_work *w, const struct fast_head *h, struct error *e);
void fast_work_free(struct fast_work *w);

/* Softmax' sums of 16 rows, over any number of keys. */
struct lane_totals {
	float max[LANES];
	double sum[LANES], moment[LANES];
};

struct lane_totals lane_totals_none(void);
void lane_totals_add(struct lane_totals *t, const struct lane_sums *s);

struct fast_row {
	float max;			/* that softmax subtracts; -inf where nothing is visible */
	float denominator;		/* sum of exponentials, rounded once; NaN where softmax is none */
	double sum;			/* of the weights, their own rounding left out; NaN likewise */
	double largest;			/* weight; NaN likewise */
	double entropy;			/* bits, -sum w log2 w; NaN likewise */
	size_t visible;			/* keys not hidden */
};

/* Rows from..to-1 through all their visible keys: to - from of them into out, or
 * as many as there were before *cancel (or NULL) turned true. d_k multiply-adds a
 * visible cell. */
size_t fast_rows(const struct fast_head *h, struct fast_work *w, size_t from, size_t to,
		 const atomic_bool *cancel, struct fast_row *out);

/* One row alone, bound by reading K once: its raw scores into s (n_k rounded up to
 * 16, aligned to LANES_ALIGN) and its sums. The dimensions are added up in another order
 * than in a panel: the last bits may differ from the other functions'. */
void fast_cold_row(const struct fast_head *h, struct fast_work *w, size_t i, float *s, struct fast_row *out);

/* A stage (SCORES .. WEIGHTS) of rows i0..i1-1 and columns j0..j1-1 into out, row after
 * row; rows are those of fast_rows for i0..i1-1, needed for weights only. d_k
 * multiply-adds a cell. */
void fast_window(const struct fast_head *h, struct fast_work *w, enum stage stage, size_t i0, size_t i1,
		 size_t j0, size_t j1, const struct fast_row *rows, float *out);

/* Outputs of the rows from..to-1, d_v each, and where sums is not NULL the sums of
 * their weights. */
void fast_outputs(const struct fast_head *h, struct fast_work *w, size_t from, size_t to,
		  float *out, double *sums);

/* All outputs (n_q, d_v) and sums of weights (n_q, or NULL), on all workers (or NULL).
 * E_MEMORY. False in *done when *cancel turned true; then some rows are not written. */
enum status fast_attend(const struct fast_head *h, struct workers *workers, const atomic_bool *cancel,
			float *out, double *sums, bool *done, struct error *e);

/* ---- for those who keep scores themselves ---- */

/* Queries first..first+15 as [d_k][16]; those after the last are 0. */
void fast_pack(const struct fast_head *h, struct fast_work *w, size_t first, float *q);
/* Raw scores [j1 - j0][16] of packed queries; hidden cells too. */
void fast_scores(const struct fast_head *h, struct fast_work *w, const float *q, size_t j0, size_t j1, float *s);
/* Sums over the visible ones of the keys j0..j1-1, whose raw scores are s. */
void fast_sums(const struct fast_head *h, struct fast_work *w, const float *s, size_t first,
	       size_t j0, size_t j1, struct lane_sums *out);
/* A stage of at most FAST_TILE keys from j0 on, whose raw scores are s (w->s is allowed), of
 * the rows first + lane and after, `count` of them; `first` is that of the panel, `rows`
 * and `out` begin with the row first + lane. out has `step` numbers from row to row. */
void fast_cells(const struct fast_head *h, struct fast_work *w, enum stage stage, size_t first, size_t lane,
		size_t count, size_t j0, size_t keys, const float *s, const struct fast_row *rows,
		float *out, size_t step);
/* What a row's totals say, without `visible`. */
struct fast_row fast_row_of(const struct lane_totals *t, size_t lane);

#endif
