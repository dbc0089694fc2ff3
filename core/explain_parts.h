/* explain_parts.h - what the files of the explanation share. For these files alone. */
#ifndef CORE_EXPLAIN_PARTS_H
#define CORE_EXPLAIN_PARTS_H

#include "core/explain.h"

/* What steps are put into, one after the other, and what all steps of a cell share. */
struct explain_chain {
	const struct attention *a;
	const struct row *r;
	size_t j;
	struct explain_step *steps;	/* NULL: only x is wanted */
	size_t n;
	enum stage stage;
	bool again;
	double x;
};

/* Room for two counts of steps together; they may be too many. */
enum status explain_reserve(struct explain *x, size_t n, size_t more, struct error *e);
/* Computes the step's value from the one before, and puts it at the end. */
void explain_put(struct explain_chain *c, struct explain_step s);

/* ---- parts of the softmax, as row.c has them ---- */

void explain_shift(struct explain_chain *c);		/* what e is raised to */
void explain_exponential(struct explain_chain *c);
void explain_softmax(struct explain_chain *c);
void explain_softmaxes(struct explain_chain *c);	/* as often as it is applied */
void explain_mask_after(struct explain_chain *c);

#endif
