/* readout.h - numbers that tell what no probe can: whether the scale is right.
 *
 * With independent q and k of mean 0 and variance 1 a score has the variance d_k,
 * so that scaled scores spread by about 1 (Vaswani et al. 2017, section 3.2.1).
 * Without the scale the spread is sqrt(d_k), divided by d_k it is 1/sqrt(d_k), and
 * the largest weight of a row nears 1 or 1/n. Numbers of trained models need not
 * obey this.
 */
#ifndef CORE_READOUT_H
#define CORE_READOUT_H

#include "core/row.h"

/* Of all rows, or of spread ones where there are many or they are long, the first
 * and the last among them. */
struct readout {
	size_t rows, of;	/* looked at, of n_q */
	size_t scores;		/* visible scaled scores in these rows */
	double spread;		/* their standard deviation, as np.std has it (divided by their number);
				 * NaN where there is none, or one is not finite */
	size_t empty_rows;	/* with every key hidden */
	size_t nan_rows;	/* with a nan among the weights; left out of the next two */
	double mean_largest, max_largest;	/* of each row's largest weight; NaN where all rows are left out */
};

/* Of one head. Cost: row_compute up to the weights, for at most 256 rows, and so many
 * fewer where these would take more than some 2^25 multiply-adds of doubles, though
 * never below 8. E_MEMORY; *out is then as it was. */
enum status readout_compute(struct readout *out, const struct attention *a, struct error *e);

#endif
