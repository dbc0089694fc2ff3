/* model_linear.h - what a model does to its positions: matrices, norms, GELU. float32.
 *
 * Every number of a result is computed in the same order however many positions are
 * computed at a time, wherever in a vector it stands, and however wide vectors are: a text
 * that is computed anew from a position on has the bits that all of it would have. Products
 * are added as fma does it, on any processor.
 */
#ifndef CORE_MODEL_LINEAR_H
#define CORE_MODEL_LINEAR_H

#include <stddef.h>

#include "core/error.h"

enum { LINEAR_STRIP = 32 };

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
/* One output's row of W; one input's column. */
void linear_set_output(struct linear *l, size_t o, const float *w);
void linear_set_input(struct linear *l, size_t c, const float *w);
/* Row o of W, as it was set. */
void linear_output(const struct linear *l, size_t o, float *w);

/* n rows that begin `step` floats apart. */
struct rows { float *v; size_t step; };

/* n rows of x to n of y: y_o = b_o + sum_c x_c W_oc, c ascending. Only the first
 * `out` numbers of a row of y are written; x and y do not overlap. */
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

/* In place: a (1 + erf(a / sqrt 2)) / 2, the form that the model was trained with. erf is a
 * series that is exact within 2e-7, which moves logits by less than their rounding does. */
void gelu_apply(float *a, size_t n);
void gelu_apply_base(float *a, size_t n);

/* y = e^(x - shift) where that is at most 1, within 2 units in the last place; 0 for
 * x - shift below -87. x may be y. */
void exp_apply(const float *x, float shift, size_t n, float *y);
void exp_apply_base(const float *x, float shift, size_t n, float *y);

/* In place: x / by. */
void divide_apply(float *x, size_t n, float by);

/* The largest of n >= 1 numbers, NaN aside unless it is the first; the sum of n, in
 * eight parts. */
float largest_of(const float *x, size_t n);
float sum_of(const float *x, size_t n);

#endif
