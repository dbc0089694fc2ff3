/* lanes_build.h - the kernel of lanes.h; each file that includes it is one width.
 *
 * The file defines LANES_BYTES, of a vector, and LANES_MOST: how many rows of K (or
 * columns of V) a block takes, so that its sums and a panel's vectors fit into the
 * registers. GNU vector extensions, which gcc and clang share; no intrinsics.
 * Vectors wider than the processor's would run forty times slower with gcc 12.
 */
#include "core/lanes.h"

#include <math.h>
#include <string.h>

enum { WIDTH = LANES_BYTES / 4, VECTORS = LANES / WIDTH };

typedef float vec __attribute__((vector_size(LANES_BYTES), may_alias));
typedef uint32_t bits __attribute__((vector_size(LANES_BYTES), may_alias));
typedef int32_t truth __attribute__((vector_size(LANES_BYTES), may_alias));
typedef uint16_t halves __attribute__((vector_size(LANES_BYTES / 2), may_alias));
typedef double wide __attribute__((vector_size(LANES_BYTES * 2), may_alias));

/* What softmax subtracts below this is 0: the end of the normal float32. */
#define LOWEST_EXPONENT (-87.33f)

#define INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* ---- vectors ---- */

INLINE vec all(float x)
{
	return x - (vec){ 0 };
}

INLINE vec choose(truth which, vec yes, vec no)
{
	return (vec)((which & (truth)yes) | (~which & (truth)no));
}

INLINE vec larger(vec a, vec b)
{
	return choose(a > b, a, b);
}

/* A number of a file, wherever it begins. */
INLINE float number_at(const unsigned char *p)
{
	float x;

	memcpy(&x, p, sizeof x);
	return x;
}

INLINE vec vector_at(const unsigned char *p)
{
	vec x;

	memcpy(&x, p, sizeof x);
	return x;
}

INLINE float across(vec x)
{
	float sum = 0;

	UNROLL
	for (int i = 0; i < WIDTH; i++)
		sum += x[i];
	return sum;
}

/* exp for x <= 88. r = x - n ln 2 lies in +-0.35; exp r is a minimax polynomial of
 * degree 6, and 2^n a multiplication, by which NaN stays NaN whatever its bits. */
INLINE vec exponential(vec x)
{
	const vec lowest = all(LOWEST_EXPONENT), magic = all(0x1.8p23f);
	truth tiny = x < lowest;

	x = choose(tiny, lowest, x);
	vec t = x * 1.44269504088896341f + magic;	/* n in the low bits */
	vec n = t - magic;
	vec r = x - n * 0.693145751953125f;		/* the head of ln 2: n times it is exact */
	r -= n * 1.42860682030941723212e-6f;
	vec p = all(0.0013814539415761828f);
	p = p * r + 0.00836874544620514f;
	p = p * r + 0.04166838899254799f;
	p = p * r + 0.1666652113199234f;
	p = p * r + 0.4999999403953552f;
	vec y = p * (r * r) + (r + 1.0f);
	vec power = (vec)(((bits)t << 23) + (bits)all(1.0f));
	return (vec)((truth)(y * power) & ~tiny);
}

/* What is subtracted before exp: never -inf, or else -inf - -inf would be NaN
 * for a hidden key. */
INLINE vec reference(vec max)
{
	return choose(max == all(-INFINITY), all(0), max);
}

/* ---- products ---- */

/* The scores of `keys` keys with all lanes; the sums stay in registers. */
INLINE void dots_block(const unsigned char *k, size_t step, int keys, size_t d, const float *q, float scale, float *s)
{
	vec sum[LANES_MOST][VECTORS];

	UNROLL
	for (int x = 0; x < keys; x++)
		UNROLL
		for (int v = 0; v < VECTORS; v++)
			sum[x][v] = all(0);
	for (size_t c = 0; c < d; c++) {
		const vec *lane = (const vec *)(q + c * LANES);
		UNROLL
		for (int x = 0; x < keys; x++) {
			vec a = all(number_at(k + (size_t)x * step + c * sizeof(float)));
			UNROLL
			for (int v = 0; v < VECTORS; v++)
				sum[x][v] += a * lane[v];
		}
	}
	UNROLL
	for (int x = 0; x < keys; x++)
		UNROLL
		for (int v = 0; v < VECTORS; v++)
			((vec *)(s + x * LANES))[v] = sum[x][v] * scale;
}

/* The rows of K that come after next are asked for: the processor does not
 * foresee steps of more than a line. */
INLINE void prefetch(const unsigned char *k, size_t step, size_t d)
{
	UNROLL
	for (int x = 0; x < LANES_MOST; x++)
		for (size_t b = 0; b < d * sizeof(float); b += 64)
			__builtin_prefetch(k + (size_t)(x + 2 * LANES_MOST) * step + b);
}

/* How many of n rows the next block takes: two middling blocks at the end are
 * faster than a full one and a tiny one. */
INLINE size_t block_of(size_t n)
{
	if (n > LANES_MOST && n < LANES_MOST + LANES_MOST / 2)
		return n - n / 2;
	return n < LANES_MOST ? n : LANES_MOST;
}

static void dots(const void *k, size_t step, size_t keys, size_t d, const float *q, float scale, float *s)
{
	const unsigned char *at = k;

	while (keys) {
		size_t block = block_of(keys);
		prefetch(at, step, d);
		switch (block) {
#if LANES_MOST == 6
		case 6: dots_block(at, step, 6, d, q, scale, s); break;
		case 5: dots_block(at, step, 5, d, q, scale, s); break;
		case 4: dots_block(at, step, 4, d, q, scale, s); break;
		case 3: dots_block(at, step, 3, d, q, scale, s); break;
#endif
		case 2: dots_block(at, step, 2, d, q, scale, s); break;
		default: dots_block(at, step, 1, d, q, scale, s); break;
		}
		keys -= block;
		at += block * step;
		s += block * LANES;
	}
}

/* Four rows of K with one query: the vectors run along d. */
INLINE void row_block(const unsigned char *k, size_t step, int keys, size_t d, const float *q, float *s)
{
	vec sum[4];
	size_t c = 0;

	UNROLL
	for (int x = 0; x < keys; x++)
		sum[x] = all(0);
	for (; c + WIDTH <= d; c += WIDTH)
		UNROLL
		for (int x = 0; x < keys; x++)
			sum[x] += vector_at(k + (size_t)x * step + c * sizeof(float)) *
				  vector_at((const unsigned char *)(q + c));
	UNROLL
	for (int x = 0; x < keys; x++) {
		s[x] = across(sum[x]);
		for (size_t rest = c; rest < d; rest++)
			s[x] += number_at(k + (size_t)x * step + rest * sizeof(float)) * q[rest];
	}
}

static void dots_of_row(const void *k, size_t step, size_t keys, size_t d, const float *q, float *s)
{
	const unsigned char *at = k;
	size_t j = 0;

	for (; j + 4 <= keys; j += 4, at += 4 * step)
		row_block(at, step, 4, d, q, s + j);
	for (; j < keys; j++, at += step)
		row_block(at, step, 1, d, q, s + j);
}

/* Columns c..c+columns-1 of the output, over all keys. */
INLINE void mix_block(const unsigned char *v, size_t step, size_t keys, int columns, const float *w, float *o)
{
	vec sum[LANES_MOST][VECTORS];

	UNROLL
	for (int x = 0; x < columns; x++)
		UNROLL
		for (int n = 0; n < VECTORS; n++)
			sum[x][n] = ((vec *)(o + x * LANES))[n];
	for (size_t j = 0; j < keys; j++) {
		const vec *weight = (const vec *)(w + j * LANES);
		UNROLL
		for (int x = 0; x < columns; x++) {
			vec a = all(number_at(v + j * step + (size_t)x * sizeof(float)));
			UNROLL
			for (int n = 0; n < VECTORS; n++)
				sum[x][n] += a * weight[n];
		}
	}
	UNROLL
	for (int x = 0; x < columns; x++)
		UNROLL
		for (int n = 0; n < VECTORS; n++)
			((vec *)(o + x * LANES))[n] = sum[x][n];
}

static void mix(const void *v, size_t step, size_t keys, size_t d, const float *w, float *o)
{
	const unsigned char *at = v;

	while (d) {
		size_t block = block_of(d);
		switch (block) {
#if LANES_MOST == 6
		case 6: mix_block(at, step, keys, 6, w, o); break;
		case 5: mix_block(at, step, keys, 5, w, o); break;
		case 4: mix_block(at, step, keys, 4, w, o); break;
		case 3: mix_block(at, step, keys, 3, w, o); break;
#endif
		case 2: mix_block(at, step, keys, 2, w, o); break;
		default: mix_block(at, step, keys, 1, w, o); break;
		}
		d -= block;
		at += block * sizeof(float);
		o += block * LANES;
	}
}

INLINE truth before(size_t j, const int32_t *limit)
{
	truth bound;

	memcpy(&bound, limit, sizeof bound);
	return (int32_t)j - (truth){ 0 } < bound;
}

static void mix_limited(const void *v, size_t step, size_t keys, size_t d, const float *w,
			const int32_t limit[LANES], float *o)
{
	for (size_t j = 0; j < keys; j++) {
		const unsigned char *row = (const unsigned char *)v + j * step;
		for (int n = 0; n < VECTORS; n++) {
			truth visible = before(j, limit + n * WIDTH);
			vec weight = ((const vec *)(w + j * LANES))[n];
			for (size_t c = 0; c < d; c++) {
				vec part = weight * number_at(row + c * sizeof(float));
				((vec *)(o + c * LANES))[n] += (vec)((truth)part & visible);
			}
		}
	}
}

static void multiply(float *o, size_t d, const float factor[LANES])
{
	for (size_t c = 0; c < d; c++)
		for (int n = 0; n < VECTORS; n++)
			((vec *)(o + c * LANES))[n] *= ((const vec *)factor)[n];
}

/* ---- softmax ---- */

static void scale(const float *s, size_t n, float factor, float *out)
{
	for (size_t i = 0; i < n; i += WIDTH)
		*(vec *)(out + i) = *(const vec *)(s + i) * factor;
}

static void hide(float *s, size_t keys, const int32_t limit[LANES])
{
	for (size_t j = 0; j < keys; j++)
		for (int n = 0; n < VECTORS; n++) {
			vec *x = (vec *)(s + j * LANES) + n;
			*x = choose(before(j, limit + n * WIDTH), *x, all(-INFINITY));
		}
}

/* The largest of s and `max`, one vector of lanes, NaN passed over. */
INLINE vec largest(const float *s, size_t keys, vec max)
{
	vec a = max, b = max;
	size_t j = 0;

	for (; j + 2 <= keys; j += 2) {
		a = larger(*(const vec *)(s + j * LANES), a);
		b = larger(*(const vec *)(s + (j + 1) * LANES), b);
	}
	if (j < keys)
		a = larger(*(const vec *)(s + j * LANES), a);
	return larger(a, b);
}

static bool advance(float *s, size_t keys, float max[LANES], float sum[LANES], float factor[LANES])
{
	truth rose = { 0 };
	int any = 0;

	for (int n = 0; n < VECTORS; n++) {
		float *at = s + n * WIDTH;
		vec *m = (vec *)max + n, old = *m, total = all(0);
		vec now = largest(at, keys, old), less = reference(now);

		for (size_t j = 0; j < keys; j++) {
			vec *x = (vec *)(at + j * LANES);
			*x = exponential(*x - less);
			total += *x;
		}
		*m = now;
		((vec *)sum)[n] = total;
		((vec *)factor)[n] = exponential(old - less);
		rose |= old != now;
	}
	for (int i = 0; i < WIDTH; i++)
		any |= rose[i];
	return any != 0;
}

INLINE void sums_in(const float *s, size_t keys, bool moments, struct lane_sums *out)
{
	for (int n = 0; n < VECTORS; n++) {
		const float *at = s + n * WIDTH;
		vec max = largest(at, keys, all(-INFINITY)), less = reference(max);
		vec total = all(0), moment = all(0);

		for (size_t j = 0; j < keys; j++) {
			vec x = *(const vec *)(at + j * LANES) - less, e = exponential(x);
			total += e;
			if (moments)
				moment += e * choose(x < all(LOWEST_EXPONENT), all(0), x);
		}
		((vec *)out->max)[n] = max;
		((vec *)out->sum)[n] = total;
		((vec *)out->moment)[n] = moment;
	}
}

/* As np.max: where the sum came out as NaN, a NaN among the scores is the maximum. */
static void note_nan(const float *s, size_t keys, struct lane_sums *out)
{
	for (size_t r = 0; r < LANES; r++)
		for (size_t j = 0; j < keys && isnan(out->sum[r]); j++)
			if (isnan(s[j * LANES + r])) {
				out->max[r] = NAN;
				break;
			}
}

static void sums(const float *s, size_t keys, struct lane_sums *out)
{
	sums_in(s, keys, true, out);
	note_nan(s, keys, out);
}

static void brief_sums(const float *s, size_t keys, struct lane_sums *out)
{
	sums_in(s, keys, false, out);
}

static void merge(struct lane_sums *into, const struct lane_sums *more)
{
	for (int n = 0; n < VECTORS; n++) {
		vec *max = (vec *)into->max + n, *sum = (vec *)into->sum + n, *moment = (vec *)into->moment + n;
		vec theirs = ((const vec *)more->max)[n];
		vec now = choose(theirs != theirs, theirs, larger(theirs, *max)), less = reference(now);
		vec down = *max - less, their_down = theirs - less;
		vec a = *sum * exponential(down), b = ((const vec *)more->sum)[n] * exponential(their_down);
		vec x = *moment * exponential(down), y = ((const vec *)more->moment)[n] * exponential(their_down);

		/* exp(x - new) (x - new) = exp(x - old) e^down (x - old + down) */
		x += a * choose(down < all(LOWEST_EXPONENT), all(0), down);
		y += b * choose(their_down < all(LOWEST_EXPONENT), all(0), their_down);
		*max = now;
		*sum = a + b;
		*moment = x + y;
	}
}

/* One row, its keys beside each other: each vector position is a lane of its own
 * until they are merged. */
static void sums_of_row(const float *s, size_t keys, struct lane_sums *out)
{
	struct lane_sums own, one;
	_Alignas(LANES_ALIGN) float last[LANES];
	size_t whole = keys / LANES;

	sums(s, whole, &own);
	if (keys % LANES) {
		for (size_t r = 0; r < LANES; r++)
			last[r] = whole * LANES + r < keys ? s[whole * LANES + r] : -INFINITY;
		sums(last, 1, &one);
		merge(&own, &one);
	}
	for (int gap = LANES / 2; gap; gap /= 2) {
		one = own;
		for (int r = 0; r < gap; r++) {
			one.max[r] = own.max[r + gap];
			one.sum[r] = own.sum[r + gap];
			one.moment[r] = own.moment[r + gap];
		}
		merge(&own, &one);
	}
	*out = own;
}

static void weights(float *s, size_t keys, const float max[LANES], const float sum[LANES])
{
	for (int n = 0; n < VECTORS; n++) {
		vec less = reference(((const vec *)max)[n]), whole = ((const vec *)sum)[n];
		for (size_t j = 0; j < keys; j++) {
			vec *x = (vec *)(s + j * LANES) + n;
			*x = exponential(*x - less) / whole;
		}
	}
}

static void exponentials(const float *x, size_t n, float *y)
{
	size_t i = 0;
	vec last = { 0 };

	for (; i + WIDTH <= n; i += WIDTH) {
		vec e = exponential(vector_at((const unsigned char *)(x + i)));
		memcpy(y + i, &e, sizeof e);
	}
	if (i < n) {
		memcpy(&last, x + i, (n - i) * sizeof *x);
		last = exponential(last);
		memcpy(y + i, &last, (n - i) * sizeof *x);
	}
}

/* ---- number types ---- */

/* 2^112 times a float16's bits at a float32's place is its value, subnormal or not. */
INLINE vec from_f16(bits h)
{
	bits magnitude = (h & 0x7fff) << 13, special = (bits)(magnitude >= (0x7c00u << 13));
	bits x = (bits)((vec)magnitude * 0x1p112f) | (special & 0x7f800000) | (h & 0x8000) << 16;

	return (vec)x;
}

INLINE vec widened(const unsigned char *p, enum dtype type)
{
	halves h;
	wide x;

	switch (type) {
	case DTYPE_F64:
		memcpy(&x, p, sizeof x);
		return __builtin_convertvector(x, vec);
	case DTYPE_F16:
		memcpy(&h, p, sizeof h);
		return from_f16(__builtin_convertvector(h, bits));
	case DTYPE_BF16:
		memcpy(&h, p, sizeof h);
		return (vec)(__builtin_convertvector(h, bits) << 16);
	default:
		return vector_at(p);
	}
}

INLINE void widen_as(const unsigned char *p, enum dtype type, size_t size, size_t n, float *to)
{
	unsigned char last[WIDTH * sizeof(double)] = { 0 };
	size_t i = 0;

	for (; i + WIDTH <= n; i += WIDTH) {
		vec x = widened(p + i * size, type);
		memcpy(to + i, &x, sizeof x);
	}
	if (i < n) {
		memcpy(last, p + i * size, (n - i) * size);
		vec x = widened(last, type);
		memcpy(to + i, &x, (n - i) * sizeof *to);
	}
}

static void widen(const void *from, enum dtype type, size_t n, float *to)
{
	switch (type) {
	case DTYPE_F64: widen_as(from, DTYPE_F64, 8, n, to); break;
	case DTYPE_F16: widen_as(from, DTYPE_F16, 2, n, to); break;
	case DTYPE_BF16: widen_as(from, DTYPE_BF16, 2, n, to); break;
	default: widen_as(from, DTYPE_F32, 4, n, to); break;
	}
}

#define LANES_TABLE(title) { \
	.name = title, .dots = dots, .dots_of_row = dots_of_row, .scale = scale, \
	.hide = hide, .sums = sums, .brief_sums = brief_sums, \
	.sums_of_row = sums_of_row, .merge = merge, .advance = advance, \
	.mix = mix, .mix_limited = mix_limited, .multiply = multiply, .weights = weights, \
	.widen = widen, .exponential = exponentials }
