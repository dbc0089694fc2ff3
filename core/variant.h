/* variant.h - an attention whose Q, K or V is changed, and the noise that changes it.
 *
 * What the probes, the lesson's test and the influence picture have in common.
 */
#ifndef CORE_VARIANT_H
#define CORE_VARIANT_H

#include <stdbool.h>

#include "core/row.h"

/* ---- the noise ---- */

/* Starts the stream of all noise but the lesson's. Errors as random_seed. */
enum status noise_begin(struct random *stream, const struct random_tables *tables, struct error *e);
/* The next n normals of a stream, x 100. */
void noise_draw(double *out, size_t n, struct random *stream);

/* ---- an attention whose Q, K or V is changed ---- */

enum { CHANGEABLE = 3 };	/* ARRAY_Q, ARRAY_K, ARRAY_V */

/* A shallow copy of the problem; of the arrays that are opened, the attention's
 * head is a matrix of its own. The original outlives it. */
struct variant {
	const struct attention *original;
	struct problem problem;			/* borrows all but `heads` */
	struct matrix *heads[CHANGEABLE];	/* NULL: not opened */
	struct attention attention;		/* of the problem as it was at variant_update */
	bool scanned;				/* attention is owned: the columns were scanned anew */
};

/* Whether there is such an array, and outputs follow from it. */
bool variant_applies(const struct problem *p, enum array array);
void variant_init(struct variant *v, const struct attention *a);	/* allocates nothing */
/* Lets an array be changed, and copies it. E_MEMORY; *v is then as it was. */
enum status variant_open(struct variant *v, enum array array, struct error *e);
struct matrix *variant_matrix(const struct variant *v, enum array array);	/* of an opened array */
/* Whether each update scans all rows: softmax over columns, with Q or K opened. */
bool variant_scans(const struct variant *v);
/* Makes the attention anew: after each change, before rows are computed. Costs
 * nothing without a scan, as attention_init with one. E_MEMORY; it may be
 * called again then, but no row be computed before. */
enum status variant_update(struct variant *v, const struct random_tables *tables, struct error *e);
void variant_free(struct variant *v);		/* a zeroed struct is accepted */

/* ---- a V where none is given ---- */

enum { STAND_IN_COLUMNS = 4 };

/* An identity V is no array, and as one would be n_k x n_k. Which rows of V reach
 * an output is up to the weights, so a few random columns tell as much. */
struct stand_in {
	struct problem problem;		/* borrows all but V */
	struct attention attention;	/* the same as the original's, of this problem */
	struct matrix *heads;		/* NULL: V is given */
};

/* Sets *a to the attention that is to be probed: itself, or that of *in, which
 * must then stay where it is. E_MEMORY; nothing is to be freed then. */
enum status stand_in_init(struct stand_in *in, const struct attention **a, const struct random_tables *tables,
			  struct error *e);
void stand_in_free(struct stand_in *in);	/* a zeroed struct is accepted */

#endif
