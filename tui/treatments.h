/* treatments.h - what a clinic shows of its variants: a window of the weights of
 * each, computed a row at a time between keys.
 *
 * Cost: one row_compute a step, so n_k (d_k + 20) or so, and what attention_init
 * costs with each variant's first. Memory: 9 bytes a cell of the window.
 */
#ifndef TUI_TREATMENTS_H
#define TUI_TREATMENTS_H

#include "core/clinic.h"

/* Query rows top.., keys left.. of the weights. */
struct treatments_window { size_t top, rows, left, columns; };

struct treated_row {
	bool known;
	double sum;
	enum verdict verdict;
};

struct treatment {
	bool in_force;		/* a letter would change nothing that is computed */
	char error[200];	/* why there are no numbers; "" */
	struct treated_row *row;	/* of the window */
	double *weights;	/* of the window, row-major */
	bool *hidden;
};

struct treatments {
	const struct clinic *clinic;
	const struct problem *problem;
	const struct random_tables *tables;
	struct treatments_window window;
	struct options base;
	size_t at;		/* the next row to compute: variant * rows + row */
	bool open;		/* attention and room are those of the variant of `at` */
	struct attention attention;
	struct row room;
	struct treatment *v;	/* one a variant of the clinic */
};

/* base: the options without any variant, copied; now: those in force. The problem
 * outlives it. E_MEMORY; *out is then as it was. */
enum status treatments_begin(struct treatments **out, const struct clinic *c, const struct problem *p,
			     const struct treatments_window *window, const struct options *base,
			     const struct options *now, const struct random_tables *tables, struct error *e);
/* One row. A variant that cannot be computed says so itself. */
void treatments_step(struct treatments *t);
bool treatments_done(const struct treatments *t);
double treatments_progress(const struct treatments *t);		/* 0 .. 1 */
void treatments_free(struct treatments *t);			/* NULL is accepted */

/* The first of `count` things when only `shown` of them are, with `at` in the middle. */
size_t treatments_first(size_t at, size_t count, size_t shown);

#endif
