/* small_model.h - files of a very small model, sound and otherwise, for tests and the fuzz target. */
#ifndef TESTS_SMALL_MODEL_H
#define TESTS_SMALL_MODEL_H

#include "core/buffer.h"

/* 1 layer of 2 heads of 2, hidden 3, context 5, a vocabulary of 6: [PAD] [BOS] [EOS] [UNK] a b. */
struct small_model {
	const char *key, *value;	/* one text of the metadata that is another, or (value NULL) missing; NULL: none */
	const char *array;		/* an array that is missing; NULL: none */
	const char *misshapen;		/* one whose shape is (1, 1, its elements) */
	const char *extra;		/* one more array, of one number */
	const char *type;		/* of all arrays: "F32" (NULL), "BF16", "F16", "I32" */
	const char *broken;		/* an array whose second number is not finite */
};

/* Appends the file. Its numbers are eighths between -1 and 1, which every type holds. */
void small_model(struct buffer *out, const struct small_model *m);

#endif
