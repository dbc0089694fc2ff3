/* model_linear.c - what a model does to its positions. */
#include "core/model_linear.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- matrices ---- */

enum status linear_init(struct linear *l, size_t in, size_t out, struct error *e)
{
	struct linear fresh = { .in = in, .out = out, .room = in };
	size_t columns = out + LINEAR_STRIP - 1 - (out + LINEAR_STRIP - 1) % LINEAR_STRIP;

	if (!in || columns < out || columns > SIZE_MAX / sizeof(float) / in)
		return error_set(e, E_MEMORY, "a matrix (%zu, %zu) is too large", out, in);
	fresh.weight = calloc(columns * in, sizeof *fresh.weight);
	fresh.bias = calloc(columns, sizeof *fresh.bias);
	if (!fresh.weight || !fresh.bias) {
		linear_free(&fresh);
		return error_set(e, E_MEMORY, "no memory for a matrix (%zu, %zu)", out, in);
	}
	*l = fresh;
	return OK_STATUS;
}

void linear_free(struct linear *l)
{
	free(l->weight);
	free(l->bias);
	*l = (struct linear){ 0 };
}

void linear_set(struct linear *l, const float *w)
{
	for (size_t o = 0; o < l->out; o++)
		linear_set_output(l, o, w + o * l->in);
}

void linear_set_output(struct linear *l, size_t o, const float *w)
{
	float *strip = l->weight + o / LINEAR_STRIP * LINEAR_STRIP * l->room + o % LINEAR_STRIP;

	for (size_t c = 0; c < l->in; c++)
		strip[c * LINEAR_STRIP] = w[c];
}

void linear_set_input(struct linear *l, size_t c, const float *w)
{
	for (size_t o = 0; o < l->out; o += LINEAR_STRIP) {
		size_t n = l->out - o < LINEAR_STRIP ? l->out - o : LINEAR_STRIP;
		memcpy(l->weight + o * l->room + c * LINEAR_STRIP, w + o, n * sizeof *w);
	}
}

/* Rows that are computed at a time, as long as there are so many. */
enum { BLOCK = 4 };

#define LANES 4
#define NAME(x) x##_of_4
#define TARGET
#include "core/model_strips.h"
#undef LANES
#undef NAME
#undef TARGET

#if defined __x86_64__
/* Multiply, then add, as everywhere: with fma the bits would be others. */
#define LANES 8
#define NAME(x) x##_of_8
#define TARGET __attribute__((target("avx2")))
#include "core/model_strips.h"
#undef LANES
#undef NAME
#undef TARGET
#endif

typedef void strip_function(const float *w, const float *bias, const float *x, size_t step, size_t in, size_t rows,
			    float out[BLOCK][LINEAR_STRIP]);

static void apply(const struct linear *l, struct rows x, size_t n, struct rows y, strip_function *strip)
{
	float out[BLOCK][LINEAR_STRIP];

	for (size_t first = 0; first < l->out; first += LINEAR_STRIP) {
		size_t columns = l->out - first < LINEAR_STRIP ? l->out - first : LINEAR_STRIP;
		const float *w = l->weight + first * l->room;
		for (size_t t = 0, block; t < n; t += block) {
			block = n - t < BLOCK ? 1 : BLOCK;
			strip(w, l->bias + first, x.v + t * x.step, x.step, l->in, block, out);
			for (size_t r = 0; r < block; r++)
				memcpy(y.v + (t + r) * y.step + first, out[r], columns * sizeof *y.v);
		}
	}
}

void linear_apply_base(const struct linear *l, struct rows x, size_t n, struct rows y)
{
	apply(l, x, n, y, strip_of_4);
}

void linear_apply(const struct linear *l, struct rows x, size_t n, struct rows y)
{
	strip_function *strip = strip_of_4;

#if defined __x86_64__
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx2"))
		strip = strip_of_8;
#endif
	apply(l, x, n, y, strip);
}

/* ---- norms ---- */

enum status norm_init(struct norm *l, size_t n, float eps, struct error *e)
{
	struct norm fresh = { .n = n, .eps = eps };

	fresh.weight = calloc(n, sizeof *fresh.weight);
	fresh.bias = calloc(n, sizeof *fresh.bias);
	if (!fresh.weight || !fresh.bias) {
		norm_free(&fresh);
		return error_set(e, E_MEMORY, "no memory for a norm of %zu", n);
	}
	*l = fresh;
	return OK_STATUS;
}

void norm_free(struct norm *l)
{
	free(l->weight);
	free(l->bias);
	*l = (struct norm){ 0 };
}

enum { PARTS = 8 };		/* of a sum, so that the compiler may add them side by side */

/* sum_c (x_c - shift)^power, power 1 or 2. */
static float sum_of_powers(const float *x, size_t n, float shift, int power)
{
	float sum[PARTS] = { 0 };
	size_t c = 0;

	for (; c + PARTS <= n; c += PARTS)
		for (size_t k = 0; k < PARTS; k++) {
			float d = x[c + k] - shift;
			sum[k] += power == 2 ? d * d : d;
		}
	for (; c < n; c++) {
		float d = x[c] - shift;
		sum[c % PARTS] += power == 2 ? d * d : d;
	}
	return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

void norm_apply(const struct norm *l, const float *x, size_t rows, float *y)
{
	for (size_t t = 0; t < rows; t++, x += l->n, y += l->n) {
		float mean = sum_of_powers(x, l->n, 0, 1) / (float)l->n;
		float root = sqrtf(sum_of_powers(x, l->n, mean, 2) / (float)l->n + l->eps);
		for (size_t c = 0; c < l->n; c++)
			y[c] = (x[c] - mean) / root * l->weight[c] + l->bias[c];
	}
}

/* ---- GELU ---- */

void gelu_apply(float *a, size_t n)
{
	static const float root_half = 0.70710678118654752f;

	for (size_t c = 0; c < n; c++)
		a[c] = 0.5f * a[c] * (1 + erff(a[c] * root_half));
}
