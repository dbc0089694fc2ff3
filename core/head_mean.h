/* head_mean.h - the mean of the weights over all heads, row by row.
 *
 * mean_j = (1 / heads) sum_h weights_hj. It is a mean of weights, not the weights of
 * anything: no scores, no mask and no softmax stand before it, and no output follows.
 * Its row sums to 1 only where every head's does (and where errors do not cancel); one
 * head's NaN makes the row NaN.
 */
#ifndef CORE_HEAD_MEAN_H
#define CORE_HEAD_MEAN_H

#include "core/row.h"

struct head_mean {
	struct joined heads;
	struct row *rows;	/* the last `capacity` that were asked for */
	bool *known;
	size_t capacity;
};

/* Of all heads of the attention's problem, with its options. Refers to the problem. */
enum status head_mean_init(struct head_mean *m, const struct attention *a, size_t capacity,
			   const struct random_tables *tables, struct error *e);
void head_mean_free(struct head_mean *m);	/* a zeroed struct is accepted */

/* Row i: weights, sum, largest, entropy and verdict are the mean's; rules are what hides
 * a cell in every head alike; scores, scaled, masked and output are NaN. Valid until
 * `capacity` other rows have been asked for. Cost: n_k (d_k + 20) for each head, once. */
const struct row *head_mean_row(struct head_mean *m, size_t i);
/* Whether it would be given without computing anything; of a zeroed struct, no. */
bool head_mean_knows(const struct head_mean *m, size_t i);

#endif
