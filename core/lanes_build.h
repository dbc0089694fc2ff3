/* lanes_build.h - the kernel of lanes.h; each file that includes it is one width.
 *
 * The file defines LANES_BYTES, of a vector, and LANES_MOST (2, 6, 12): how many rows of
 * K (or columns of V) a block takes, so that its sums and a panel's vectors fit into the
 * registers. GNU vector extensions, which gcc and clang share, and hardly an intrinsic.
 * Vectors wider than the processor's would run forty times slower with gcc 12.
 */
#include "core/lanes.h"
#include "core/lanes_vector.h"

/* ---- products ---- */

enum { ROW_KEYS = 4 };			/* that one query is multiplied with at a time */

/* The scores of `keys` keys with all lanes of some panels; the sums stay in registers. A
 * number of K goes to all of them at once: for the widest vectors, one panel has not enough
 * to do for each number that is read. */
INLINE void dots_block(const unsigned char *k, size_t step, int keys, int panels, size_t d, const float *q,
		       float scale, float *s, size_t next)
{
	vec sum[LANES_MOST][2 * VECTORS];

	UNROLL
	for (int x = 0; x < keys; x++)
		UNROLL
		for (int v = 0; v < panels * VECTORS; v++)
			sum[x][v] = all(0);
	for (size_t c = 0; c < d; c++) {
		const vec *lane[2] = { (const vec *)(q + c * LANES), (const vec *)(q + (d + c) * LANES) };
		UNROLL
		for (int x = 0; x < keys; x++) {
			vec a = all(number_at(k + (size_t)x * step + c * sizeof(float)));
			UNROLL
			for (int v = 0; v < panels * VECTORS; v++)
				sum[x][v] += a * lane[v / VECTORS][v % VECTORS];
		}
	}
	UNROLL
	for (int x = 0; x < keys; x++)
		UNROLL
		for (int v = 0; v < panels * VECTORS; v++)
			((vec *)(s + (size_t)(v / VECTORS) * next + x * LANES))[v % VECTORS] = sum[x][v] * scale;
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

INLINE void dots_panels(const void *k, size_t step, size_t keys, int panels, size_t d, const float *q, float scale,
			float *s, size_t next)
{
	const unsigned char *at = k;

	while (keys) {
		size_t block = block_of(keys);
		prefetch(at, step, d);
		switch (block) {
#if LANES_MOST > 6
		case 12: dots_block(at, step, 12, panels, d, q, scale, s, next); break;
		case 11: dots_block(at, step, 11, panels, d, q, scale, s, next); break;
		case 10: dots_block(at, step, 10, panels, d, q, scale, s, next); break;
		case 9: dots_block(at, step, 9, panels, d, q, scale, s, next); break;
		case 8: dots_block(at, step, 8, panels, d, q, scale, s, next); break;
		case 7: dots_block(at, step, 7, panels, d, q, scale, s, next); break;
#endif
#if LANES_MOST > 2
		case 6: dots_block(at, step, 6, panels, d, q, scale, s, next); break;
		case 5: dots_block(at, step, 5, panels, d, q, scale, s, next); break;
		case 4: dots_block(at, step, 4, panels, d, q, scale, s, next); break;
		case 3: dots_block(at, step, 3, panels, d, q, scale, s, next); break;
#endif
		case 2: dots_block(at, step, 2, panels, d, q, scale, s, next); break;
		default: dots_block(at, step, 1, panels, d, q, scale, s, next); break;
		}
		keys -= block;
		at += block * step;
		s += block * LANES;
	}
}

static void dots(const void *k, size_t step, size_t keys, size_t d, const float *q, float scale, float *s)
{
	dots_panels(k, step, keys, 1, d, q, scale, s, 0);
}

/* Narrower vectors have no registers for the sums of two panels. */
static void dots_two(const void *k, size_t step, size_t keys, size_t d, const float *q, float scale,
		     float *s, size_t next)
{
#if LANES_BYTES == 64
	dots_panels(k, step, keys, 2, d, q, scale, s, next);
#else
	dots(k, step, keys, d, q, scale, s);
	dots(k, step, keys, d, q + d * LANES, scale, s + next);
#endif
}

/* Some rows of K with one query: the vectors run along d. */
INLINE void row_block(const unsigned char *k, enum dtype type, size_t size, size_t step, int keys, size_t d,
		      const float *q, float *s)
{
	const unsigned char *query = (const unsigned char *)q;
	vec sum[ROW_KEYS];
	size_t c = 0;

	UNROLL
	for (int x = 0; x < keys; x++)
		sum[x] = all(0);
	for (; c + WIDTH <= d; c += WIDTH)
		UNROLL
		for (int x = 0; x < keys; x++)
			sum[x] += widened(k + (size_t)x * step + c * size, type) * vector_at(query + c * sizeof *q);
	if (c < d) {
		vec rest = widened_part(query + c * sizeof *q, DTYPE_F32, sizeof *q, d - c);
		UNROLL
		for (int x = 0; x < keys; x++)
			sum[x] += widened_part(k + (size_t)x * step + c * size, type, size, d - c) * rest;
	}
	UNROLL
	for (int x = 0; x < keys; x++)
		s[x] = across(sum[x]);
}

INLINE void rows_as(const unsigned char *k, enum dtype type, size_t size, size_t step, size_t keys, size_t d,
		    const float *q, float *s)
{
	size_t j = 0;

	for (; j + ROW_KEYS <= keys; j += ROW_KEYS, k += ROW_KEYS * step)
		row_block(k, type, size, step, ROW_KEYS, d, q, s + j);
	for (; j < keys; j++, k += step)
		row_block(k, type, size, step, 1, d, q, s + j);
}

static void dots_of_row(const void *k, enum dtype type, size_t step, size_t keys, size_t d, const float *q, float *s)
{
	switch (type) {
	case DTYPE_F64: rows_as(k, DTYPE_F64, 8, step, keys, d, q, s); break;
	case DTYPE_F16: rows_as(k, DTYPE_F16, 2, step, keys, d, q, s); break;
	case DTYPE_BF16: rows_as(k, DTYPE_BF16, 2, step, keys, d, q, s); break;
	default: rows_as(k, DTYPE_F32, 4, step, keys, d, q, s); break;
	}
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
#if LANES_MOST > 6
		case 12: mix_block(at, step, keys, 12, w, o); break;
		case 11: mix_block(at, step, keys, 11, w, o); break;
		case 10: mix_block(at, step, keys, 10, w, o); break;
		case 9: mix_block(at, step, keys, 9, w, o); break;
		case 8: mix_block(at, step, keys, 8, w, o); break;
		case 7: mix_block(at, step, keys, 7, w, o); break;
#endif
#if LANES_MOST > 2
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

/* The largest of s and `max`, one vector of lanes, NaN passed over. Four at a time: one
 * would wait for the other. */
INLINE vec largest(const float *s, size_t keys, vec max)
{
	vec most[4] = { max, max, max, max };
	size_t j = 0;

	for (; j + 4 <= keys; j += 4)
		UNROLL
		for (size_t x = 0; x < 4; x++)
			most[x] = larger(*(const vec *)(s + (j + x) * LANES), most[x]);
	for (; j < keys; j++)
		most[0] = larger(*(const vec *)(s + j * LANES), most[0]);
	return larger(larger(most[0], most[1]), larger(most[2], most[3]));
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

/* Whether no key was above -inf: a sum of hidden ones is 0, and not what `power` makes of
 * them; beside a visible one, which gives 1, that is lost. NaN is not hidden. */
INLINE truth all_hidden(vec max, vec sum)
{
	return (max == all(-INFINITY)) & (sum == sum);
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
	for (int n = 0; n < VECTORS; n++) {
		const float *at = s + n * WIDTH;
		vec max = largest(at, keys, all(-INFINITY)), less = reference(max);
		vec total = all(0), moment = all(0);

		for (size_t j = 0; j < keys; j++) {
			vec x = *(const vec *)(at + j * LANES) - less, e = power(x);
			total += e;
			moment += e * larger(all(LOWEST_EXPONENT), x);
		}
		truth none = all_hidden(max, total);
		((vec *)out->max)[n] = max;
		((vec *)out->sum)[n] = choose(none, all(0), total);
		((vec *)out->moment)[n] = choose(none, all(0), moment);
	}
	note_nan(s, keys, out);
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

#include "core/lanes_bins.h"

/* ---- number types ---- */

INLINE void widen_as(const unsigned char *p, enum dtype type, size_t size, size_t n, float *to)
{
	size_t i = 0;

	for (; i + WIDTH <= n; i += WIDTH) {
		vec x = widened(p + i * size, type);
		memcpy(to + i, &x, sizeof x);
	}
	if (i < n) {
		vec x = widened_part(p + i * size, type, size, n - i);
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
	.name = title, .dots = dots, .dots_two = dots_two, .dots_of_row = dots_of_row, .scale = scale, \
	.hide = hide, .sums = sums, .pool = pool, \
	.sums_of_row = sums_of_row, .merge = merge, .advance = advance, \
	.mix = mix, .mix_limited = mix_limited, .multiply = multiply, .weights = weights, \
	.widen = widen, .exponential = exponentials, .shares = shares, .fold = fold }
