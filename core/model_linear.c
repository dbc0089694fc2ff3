/* model_linear.c - what a model does to its positions. */
#include "core/model_linear.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined __x86_64__
#include <immintrin.h>
#endif

/* ---- matrices ---- */

enum { LINE = 64 };		/* bytes; a strip's outputs are a multiple of it */

enum status linear_init(struct linear *l, size_t in, size_t out, struct error *e)
{
	struct linear fresh = { .in = in, .out = out, .room = in };
	size_t columns = out + LINEAR_STRIP - 1 - (out + LINEAR_STRIP - 1) % LINEAR_STRIP;

	if (!in || columns < out || columns > SIZE_MAX / sizeof(float) / in)
		return error_set(e, E_MEMORY, "a matrix (%zu, %zu) is too large", out, in);
	/* Vectors that begin where a line of the cache does are loaded at once. */
	fresh.weight = aligned_alloc(LINE, columns * in * sizeof *fresh.weight);
	fresh.bias = aligned_alloc(LINE, columns * sizeof *fresh.bias);
	if (!fresh.weight || !fresh.bias) {
		linear_free(&fresh);
		return error_set(e, E_MEMORY, "no memory for a matrix (%zu, %zu)", out, in);
	}
	memset(fresh.weight, 0, columns * in * sizeof *fresh.weight);
	memset(fresh.bias, 0, columns * sizeof *fresh.bias);
	*l = fresh;
	return OK_STATUS;
}

void linear_free(struct linear *l)
{
	free(l->weight);
	free(l->bias);
	*l = (struct linear){ 0 };
}

void linear_set_output(struct linear *l, size_t o, const float *w)
{
	float *strip = l->weight + o / LINEAR_STRIP * LINEAR_STRIP * l->room + o % LINEAR_STRIP;

	for (size_t c = 0; c < l->in; c++)
		strip[c * LINEAR_STRIP] = w[c];
}

void linear_output(const struct linear *l, size_t o, float *w)
{
	const float *strip = l->weight + o / LINEAR_STRIP * LINEAR_STRIP * l->room + o % LINEAR_STRIP;

	for (size_t c = 0; c < l->in; c++)
		w[c] = strip[c * LINEAR_STRIP];
}

void linear_set_input(struct linear *l, size_t c, const float *w)
{
	for (size_t o = 0; o < l->out; o += LINEAR_STRIP) {
		size_t n = l->out - o < LINEAR_STRIP ? l->out - o : LINEAR_STRIP;
		memcpy(l->weight + o * l->room + c * LINEAR_STRIP, w + o, n * sizeof *w);
	}
}

/* What there is for each width of vectors. */
struct kernel {
	/* n rows of a strip's outputs, all LINEAR_STRIP of them. */
	void (*strip)(const float *w, const float *bias, size_t in, struct rows x, size_t n, struct rows y);
	void (*exp)(const float *x, float shift, size_t n, float *y);
	void (*gelu)(float *a, size_t n);
	void (*divide)(float *x, size_t n, float by);
	/* One row of norm_apply. */
	void (*norm)(const struct norm *l, const float *x, float mean, float root, float *y);
};

/* As processors that multiply and add at once round it: a product of two floats is exact in
 * double, and that the sum is rounded twice is seen once in half a billion. */
typedef double doubles_of_4 __attribute__((vector_size(4 * sizeof(double))));
#define WIDE(x) __builtin_convertvector(x, doubles_of_4)

#define LANES 4
#define NAME(x) x##_of_4
#define TARGET
#define MULTIPLY_ADD(a, b, c) __builtin_convertvector(WIDE(a) * WIDE(b) + WIDE(c), lanes_of_4)
#include "core/model_vectors.h"
#undef LANES
#undef NAME
#undef TARGET
#undef MULTIPLY_ADD

#if defined __x86_64__
#define LANES 8
#define NAME(x) x##_of_8
#define TARGET __attribute__((target("avx2,fma")))
#define MULTIPLY_ADD(a, b, c) _mm256_fmadd_ps(a, b, c)
#include "core/model_vectors.h"
#undef LANES
#undef NAME
#undef TARGET
#undef MULTIPLY_ADD

#define LANES 16
#define NAME(x) x##_of_16
#define TARGET __attribute__((target("avx512f")))
#define MULTIPLY_ADD(a, b, c) _mm512_fmadd_ps(a, b, c)
#include "core/model_vectors.h"
#undef LANES
#undef NAME
#undef TARGET
#undef MULTIPLY_ADD

static const struct kernel *choose(void)
{
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx512f"))
		return &kernel_of_16;
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &kernel_of_8 : &kernel_of_4;
}
#else
static const struct kernel *choose(void)
{
	return &kernel_of_4;
}
#endif

/* The last strip, of which not all is wanted: a few rows at a time go beside. */
static void apply_part(const float *w, const float *bias, size_t in, size_t columns, struct rows x, size_t n, struct rows y,
		       const struct kernel *k)
{
	enum { ROWS = 4 };
	float part[ROWS * LINEAR_STRIP];

	for (size_t t = 0; t < n; t += ROWS) {
		size_t rows = n - t < ROWS ? n - t : ROWS;
		k->strip(w, bias, in, (struct rows){ x.v + t * x.step, x.step }, rows, (struct rows){ part, LINEAR_STRIP });
		for (size_t r = 0; r < rows; r++)
			memcpy(y.v + (t + r) * y.step, part + r * LINEAR_STRIP, columns * sizeof *part);
	}
}

static void apply(const struct linear *l, struct rows x, size_t n, struct rows y, const struct kernel *k)
{
	for (size_t first = 0; first < l->out; first += LINEAR_STRIP) {
		const float *w = l->weight + first * l->room, *bias = l->bias + first;
		struct rows to = { y.v + first, y.step };
		if (l->out - first >= LINEAR_STRIP)
			k->strip(w, bias, l->in, x, n, to);
		else
			apply_part(w, bias, l->in, l->out - first, x, n, to, k);
	}
}

void linear_apply_base(const struct linear *l, struct rows x, size_t n, struct rows y)
{
	apply(l, x, n, y, &kernel_of_4);
}

void linear_apply(const struct linear *l, struct rows x, size_t n, struct rows y)
{
	apply(l, x, n, y, choose());
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

static float parts_sum(const float v[PARTS])
{
	return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

float sum_of(const float *x, size_t n)
{
	float sum[PARTS] = { 0 };
	size_t c = 0;

	for (; c + PARTS <= n; c += PARTS)
		for (size_t k = 0; k < PARTS; k++)
			sum[k] += x[c + k];
	for (; c < n; c++)
		sum[c % PARTS] += x[c];
	return parts_sum(sum);
}

static float sum_of_squares(const float *x, size_t n, float shift)
{
	float sum[PARTS] = { 0 };
	size_t c = 0;

	for (; c + PARTS <= n; c += PARTS)
		for (size_t k = 0; k < PARTS; k++)
			sum[k] += (x[c + k] - shift) * (x[c + k] - shift);
	for (; c < n; c++)
		sum[c % PARTS] += (x[c] - shift) * (x[c] - shift);
	return parts_sum(sum);
}

void norm_apply(const struct norm *l, const float *x, size_t rows, float *y)
{
	const struct kernel *k = choose();

	for (size_t t = 0; t < rows; t++, x += l->n, y += l->n) {
		float mean = sum_of(x, l->n) / (float)l->n;
		float root = sqrtf(sum_of_squares(x, l->n, mean) / (float)l->n + l->eps);
		k->norm(l, x, mean, root, y);
	}
}

/* ---- functions ---- */

void gelu_apply(float *a, size_t n)
{
	choose()->gelu(a, n);
}

void gelu_apply_base(float *a, size_t n)
{
	kernel_of_4.gelu(a, n);
}

void exp_apply(const float *x, float shift, size_t n, float *y)
{
	choose()->exp(x, shift, n, y);
}

void exp_apply_base(const float *x, float shift, size_t n, float *y)
{
	kernel_of_4.exp(x, shift, n, y);
}

void divide_apply(float *x, size_t n, float by)
{
	choose()->divide(x, n, by);
}

float largest_of(const float *x, size_t n)
{
	float part[PARTS], most = x[0];
	size_t c = 0;

	for (size_t k = 0; k < PARTS; k++)
		part[k] = x[0];
	for (; c + PARTS <= n; c += PARTS)
		for (size_t k = 0; k < PARTS; k++)
			part[k] = x[c + k] > part[k] ? x[c + k] : part[k];
	for (; c < n; c++)
		most = x[c] > most ? x[c] : most;
	for (size_t k = 0; k < PARTS; k++)
		most = part[k] > most ? part[k] : most;
	return most;
}
