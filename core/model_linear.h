/* model_linear.h - what a model does to its positions: matrices, norms, GELU. float32.
 *
 * Every number of a result is computed in the same order whatever the vectors'
 * width and however many positions are computed at a time: a text that is
 * computed anew from a position on has the bits that all of it would have.
 */
#ifndef CORE_MODEL_LINEAR_H
#define CORE_MODEL_LINEAR_H

#include <stddef.h>

#include "core/error.h"

enum { LINEAR_STRIP = 16 };

/* y = W x + b. W is packed: strips of LINEAR_STRIP outputs, in each the weights
 * of one input after the other, [out / STRIP][room][STRIP]. `in` and `out` may be
 * made smaller, down to 0, where less of it is meant. */
struct linear {
	size_t in, out;
	size_t room;			/* inputs that a strip has places for */
	float *weight, *bias;		/* zeros in what has not been set */
};

/* Zeros, with room for as much. */
enum status linear_init(struct linear *l, size_t in, size_t out, struct error *e);
void linear_free(struct linear *l);
/* From row-major W [out][in]; one output's row of it; one input's column. */
void linear_set(struct linear *l, const float *w);
void linear_set_output(struct linear *l, size_t o, const float *w);
void linear_set_input(struct linear *l, size_t c, const float *w);

/* n rows that begin `step` floats apart. */
struct rows { float *v; size_t step; };

/* n rows of x to n of y: y_o = b_o + sum_c x_c W_oc, c ascending, multiply then
 * add. Only the first `out` numbers of a row of y are written; x and y do not overlap. */
void linear_apply(const struct linear *l, struct rows x, size_t n, struct rows y);
/* The same by the code for any processor, whatever this one is. */
void linear_apply_base(const struct linear *l, struct rows x, size_t n, struct rows y);

struct norm {
	size_t n;
	float eps, *weight, *bias;
};

enum status norm_init(struct norm *l, size_t n, float eps, struct error *e);
void norm_free(struct norm *l);
/* y = (x - mean) / sqrt(variance + eps) * weight + bias, the variance divided by
 * n. Rows one behind the other. */
void norm_apply(const struct norm *l, const float *x, size_t rows, float *y);

/* In place: a (1 + erf(a / sqrt 2)) / 2. */
void gelu_apply(float *a, size_t n);

#endif
