/* overview_parts.h - the state of an overview, which its two files share. */
#ifndef CORE_OVERVIEW_PARTS_H
#define CORE_OVERVIEW_PARTS_H

#include "core/overview.h"

/* 16 query rows, ascending; they need not be neighbours. */
struct sixteen {
	size_t row[LANES], count;
};

/* What a panel adds to the cells: one part for each bin row that it touches. */
struct share {
	size_t bin[LANES], rows[LANES], parts;
	double *sum, *square;		/* [parts][columns] of the rows' own bin sums */
	float *max;
};

/* What one worker computes a panel with: [columns][16] each. */
struct pool {
	float *max, *sum;
};

/* Panels that go through the keys together. */
enum { OVERVIEW_TOGETHER = 2 };

/* Sums over the rows that are done, by cell. */
struct cells {
	double *sum, *square;		/* square only of the sample */
	float *max;
	size_t *rows;			/* done, by bin row */
};

struct overview {
	struct fast_head head;
	size_t rows, columns;
	struct workers *workers;
	struct fast_work *work;		/* one a worker */
	size_t works;
	struct pool *pool;		/* OVERVIEW_TOGETHER a worker */
	size_t *key;			/* first key of each bin column, and n_k */
	struct cells sample, exact;
	struct sixteen *panel;		/* of the step at hand, and what they give */
	struct share *share;
	size_t panels;			/* how many these are */
	void *block;			/* the memory of all these but the work */
	size_t samples, wanted_samples;	/* rows of each bin row */
	size_t sampled_to;		/* bin row that the round of samples has come to */
	size_t next;			/* row that the exact pass has come to */
	double done, all;		/* visible cells, as causal has it */
};

/* The OVERVIEW_TOGETHER panels of the step at hand from that of the item on, by any worker (a
 * work_item of the overview). */
void overview_pool(void *context, size_t item, size_t worker);

/* The bin that one of n positions falls into. */
static inline size_t overview_bin(size_t n, size_t bins, size_t at)
{
	return (size_t)((((uint64_t)at + 1) * bins - 1) / n);
}

#endif
