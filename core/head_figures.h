/* head_figures.h - what a head does, in figures: means over the rows of its weights.
 *
 * The same figures as model_heads.h has of a running model, of any input: w is a row
 * of weights (n_k), p the key at the query's own position (mask_position), s the first
 * key that is no padding.
 *   entropy   -sum w ln w / ln (keys that no mask hides): 1 is the largest possible
 *   previous  w[p - 1];  own  w[p];  first  w[s];  distance  sum w |p - j|
 *
 * The queries that count stand at s + HEAD_FIRST_QUERY or later, where the previous key
 * and the first are different ones, and are no padding; of short inputs, where fewer
 * than HEAD_QUERIES would be left, all but the first do. A row with a weight that is not
 * finite or is negative, and one that sees no key, is left out, and counted. A row that
 * does not sum to 1 is taken as it is, and counted too: its figures are of weights, not of shares.
 * Of finished weights those keys are visible that the masks in force would leave.
 */
#ifndef CORE_HEAD_FIGURES_H
#define CORE_HEAD_FIGURES_H

#include "core/row.h"

/* Sums over rows, until weight_figures_of makes means of them. */
struct weight_tally {
	size_t from, first;		/* the lowest position that counts; s */
	rules *rules;			/* n_k, of finished weights; else NULL */
	size_t queries, left_out, off_sum;
	size_t with_entropy, with_own, with_previous;
	double entropy, previous, own, start, distance;
};

/* NaN where no row has it. */
struct weight_figures {
	double entropy;			/* 0 .. 1 */
	double previous, own, first;	/* mean weights */
	double distance;		/* in keys */
	size_t queries;			/* that counted */
	size_t from;			/* the position at which the first of them may stand */
	size_t left_out;		/* not finite, negative, or empty */
	size_t off_sum;			/* of those that counted: the sum is not 1 */
};

enum status weight_tally_begin(struct weight_tally *t, const struct attention *a, struct error *e);
/* A row that is computed as far as the weights; each is given once, in any order. Cost: n_k. */
void weight_tally_add(struct weight_tally *t, const struct attention *a, const struct row *r);
struct weight_figures weight_figures_of(const struct weight_tally *t);
void weight_tally_free(struct weight_tally *t);		/* a zeroed struct is accepted */

#endif
