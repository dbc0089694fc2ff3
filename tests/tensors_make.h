/* tensors_make.h - files of tensors made in a test, and attention computed beside the program.
 *
 * Everything here stops the test (an assertion of cmocka) when it cannot do its part.
 */
#ifndef TESTS_TENSORS_MAKE_H
#define TESTS_TENSORS_MAKE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buffer.h"
#include "core/io/tensors.h"

/* A .safetensors file under construction; zeroed at first. */
struct making {
	struct buffer header, metadata, data;
};

/* Type "F64", "F32", "I64" or "BOOL"; shape "2, 3, 4" ("" for rank 0). v has as many numbers as that;
 * NULL: zeros. */
void make_array(struct making *m, const char *name, const char *type, const char *shape, const double *v);
void make_metadata(struct making *m, const char *key, const char *value);
/* The bytes; m is freed. */
struct buffer make_bytes(struct making *m);

/* The bytes, and the arrays that were read from them. */
struct made { struct buffer bytes; struct tensors t; };
void make_tensors(struct made *out, struct making *m);
void read_tensors(struct made *out, const char *file);		/* below tests/data/tensors */
void made_free(struct made *m);

/* n numbers from -1 to 1, the same for the same seed. */
void some_numbers(double *v, size_t n, unsigned seed);

/* Weights (n_q, n_k) of one head, q (n_q, d) and k (n_k, d): softmax(scale q k^T + add), cells
 * of an add of -INFINITY hidden; causal hides j > i + offset. add NULL: nothing. */
void weights_of(double *w, const double *q, const double *k, size_t n_q, size_t n_k, size_t d, double scale,
		bool causal, size_t offset, const double *add);

#endif
