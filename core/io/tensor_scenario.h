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
	bool bf16;			/* '|V2' of .npy and .npz is bfloat16: for who reads the file */
};

/* `name` is the file's, `path` what the options mask and bias may call it (NULL: it
 * has no name, and masks that need one are left out, which is said). The numbers of
 * the part are copied: t may be freed afterwards. *s is unchanged on error:
 *   E_VALUE   nothing to open; no such layer or batch; --as or --layout do not fit
 *   E_SHAPE   arrays that do not fit each other
 *   E_LIMIT   more than NUMBERS_LIMIT numbers in the part */
enum status tensor_scenario(struct scenario *s, struct tensors *t, const char *name, const char *path,
			    const struct tensor_choice *choice, struct error *e);

/* What is taken of a part's numbers; a zeroed struct is a copy of all of them. */
struct tensor_extent {
	struct storage *storage;	/* t and its bytes lie in it: the numbers of large arrays stay there */
	bool to_write;			/* all that is taken is going to be: E_LIMIT counts it wherever it lies */
	bool one_head;
	size_t head;			/* of the others only the shape is copied, and no row */
	bool some_rows;
	long from, to;			/* of weights and scores: a slice as Python's, negative from the end */
};

/* The same of what is recognised already, a layer, a batch of it and how it is to be
 * computed: for who goes through several. Notes may be added to r. E_LIMIT counts what
 * is copied. With a storage, what of t was unpacked and is not needed is closed. */
struct tensor_part {
	const struct part *part;
	size_t batch;
	const struct setting *setting;
};
enum status tensor_scenario_part(struct scenario *s, struct tensors *t, struct recognition *r, const char *name,
				 const char *path, const struct tensor_choice *choice, const struct tensor_part *part,
				 const struct tensor_extent *extent, struct error *e);
/* tensor_scenario with a part of the numbers. */
enum status tensor_scenario_extent(struct scenario *s, struct tensors *t, const char *name, const char *path,
				   const struct tensor_choice *choice, const struct tensor_extent *extent, struct error *e);
/* E_VALUE about a batch that the part does not have; -1 is the first. */
enum status tensor_batch(const struct part *p, long batch, size_t *out, struct error *e);

/* What a mask is for: the queries and keys of a problem, its layer and batch, one head of so many. */
struct mask_place {
	size_t n_q, n_k, heads, head;
	const struct file_part *part;
};

/* The mask or bias `member` of a file: (1 or n_q, n_k). *by_head tells that it is that
 * head's alone. E_VALUE when there is no such array (with the nearest name), E_SHAPE when
 * its shape does not fit. "" is the only array. */
enum status tensor_mask(struct matrix *m, enum npy_kind *kind, bool *by_head, struct tensors *t, const char *member,
			const struct mask_place *at, struct error *e);

#endif
