/* stored_weights.h - the weights of a file, checked row by row as they are read.
 *
 * Nothing of size n_q x n_k is held, so a file of any size is checked in the memory of
 * a few rows. What ought to be hidden is what probe.h expects.
 */
#ifndef CORE_IO_STORED_WEIGHTS_H
#define CORE_IO_STORED_WEIGHTS_H

#include "core/io/recognise.h"
#include "core/probe.h"

/* What one check counts: cells or rows looked at and at fault, and the first at fault. */
struct stored_tally {
	size_t of, faults;
	size_t row, column;
	double value;		/* there: a cell's weight, a row's sum */
	double largest;		/* |weight| of the faults; of `differs` the largest difference */
};

struct stored_report {
	size_t rows, all;	/* rows looked at: all, or some of them, spread */
	size_t compared;	/* rows of those that were computed again */
	struct stored_tally triangle, pads;	/* cells that causal, pad ought to hide, with weight */
	struct stored_tally sums;	/* rows that do not sum to 1 */
	struct stored_tally empty;	/* rows of 0 or with nan, or of which nothing ought to be seen */
	struct stored_tally differs;	/* rows with a weight other than computed; value is the stored one */
	double computed;	/* the other one of the first that differs */
};

struct stored_request {
	struct tensors *t;
	const struct recognition *r;
	const struct part *part;
	size_t batch;
	/* Of the head: its masks, and with `compare` its numbers. The problem has the part's shapes. */
	const struct attention *attention;
	const struct probe_expect *expect;
	double tolerance;	/* of a row's sum */
	bool compare;		/* with rows computed from Q and K */
	double limit;		/* of a difference */
	size_t rows_most, compare_most;	/* at least 2 */
};

/* Checks the stored weights of one head. Opens them. Cost: reading rows of n_k numbers, and
 * n_k d_k for each that is compared. E_MEMORY and what tensors_open has; *out is then as it was. */
enum status stored_check(struct stored_report *out, const struct stored_request *q, struct error *e);

#endif
