/* tensor_scenario.h - a scenario from the arrays of a file: one layer and batch of it, all heads.
 *
 * Q, K and V where Q and K are there (the weights are then computed again, and compared
 * with stored ones), else stored weights, else scores. Scale, masks and alignment
 * become options, tokens tokens; the title tells what was recognised.
 */
#ifndef CORE_IO_TENSOR_SCENARIO_H
#define CORE_IO_TENSOR_SCENARIO_H

#include "core/io/recognise.h"

struct tensor_choice {
	const char *as, *layout;	/* as in struct recognise_options */
	long layer, batch;		/* numbers; -1: the first */
};

/* `name` is the file's, `path` what the options mask and bias may call it (NULL: it
 * has no name, and masks that need one are left out, which is said). The numbers of
 * the part are copied: t may be freed afterwards. *s is unchanged on error:
 *   E_VALUE   nothing to open; no such layer or batch; --as or --layout do not fit
 *   E_SHAPE   arrays that do not fit each other
 *   E_LIMIT   more than NUMBERS_LIMIT numbers in the part */
enum status tensor_scenario(struct scenario *s, struct tensors *t, const char *name, const char *path,
			    const struct tensor_choice *choice, struct error *e);

/* The mask or bias `member` of a file for a problem's queries and keys, its layer and
 * batch: (1 or n_q, n_k). E_VALUE when there is no such array (with the nearest name),
 * E_SHAPE when its shape does not fit, or differs by head. "" is the only array. */
enum status tensor_mask(struct matrix *m, enum npy_kind *kind, struct tensors *t, const char *member,
			size_t n_q, size_t n_k, const struct file_part *part, struct error *e);

#endif
