/* lanes_vector.h - vectors of the width that lanes_build.h is included for. */
#ifndef CORE_LANES_VECTOR_H
#define CORE_LANES_VECTOR_H

#include <math.h>
#include <string.h>
#ifdef __SSE__
#include <immintrin.h>
#endif

enum { WIDTH = LANES_BYTES / 4, VECTORS = LANES / WIDTH };

typedef float vec __attribute__((vector_size(LANES_BYTES), may_alias));
typedef uint32_t bits __attribute__((vector_size(LANES_BYTES), may_alias));
typedef int32_t truth __attribute__((vector_size(LANES_BYTES), may_alias));
typedef uint16_t halves __attribute__((vector_size(LANES_BYTES / 2), may_alias));
typedef double doubles __attribute__((vector_size(LANES_BYTES), may_alias));
typedef float few __attribute__((vector_size(LANES_BYTES / 2), may_alias));

/* What softmax subtracts below this is 0: the end of the normal float32. */
#define LOWEST_EXPONENT (-87.33f)

#define INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
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

/* a > b ? a : b, so b where one of them is NaN. On x86 that is one instruction, which
 * gcc does not find by itself. */
INLINE vec larger(vec a, vec b)
{
#if defined __AVX512F__ && LANES_BYTES == 64
	return _mm512_max_ps(a, b);
#elif defined __AVX__ && LANES_BYTES == 32
	return _mm256_max_ps(a, b);
#elif defined __SSE__ && LANES_BYTES == 16
	return _mm_max_ps(a, b);
#else
	return choose(a > b, a, b);
#endif
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

/* 2^n from n + POWER_BASE, whose low bits are its exponent. */
#define POWER_BASE (0x1.8p23f + 127)

INLINE vec power_of_whole(vec n_and_base)
{
	return (vec)((bits)n_and_base << 23);
}

/* exp for -87.33 <= x <= 88, and of anything below what it is of -87.33. r = x - n ln 2
 * lies in +-0.35; exp r is a minimax polynomial of degree 6, and 2^n a multiplication, by
 * which NaN stays NaN whatever its bits. */
INLINE vec power(vec x)
{
	const vec base = all(POWER_BASE);

	x = larger(all(LOWEST_EXPONENT), x);
	vec t = x * 1.44269504088896341f + base;
	vec n = t - base;
	vec r = x - n * 0.693145751953125f;		/* the head of ln 2: n times it is exact */
	r -= n * 1.42860682030941723212e-6f;
	vec p = all(0.0013814539415761828f);
	p = p * r + 0.00836874544620514f;
	p = p * r + 0.04166838899254799f;
	p = p * r + 0.1666652113199234f;
	p = p * r + 0.4999999403953552f;
	p = p * r + 1.0f;
	p = p * r + 1.0f;
	return p * power_of_whole(t);
}

/* 2^x for -126 <= x <= 127, and of anything below what it is of -126: shorter than exp. */
INLINE vec power_of_two(vec x)
{
	const vec base = all(POWER_BASE);

	x = larger(all(-126), x);
	vec t = x + base, r = x - (t - base);
	vec p = all(0x1.41d334p-13f);
	p = p * r + 0x1.5f456ap-10f;
	p = p * r + 0x1.3b2dbcp-7f;
	p = p * r + 0x1.c6aed4p-5f;
	p = p * r + 0x1.ebfbdap-3f;
	p = p * r + 0x1.62e430p-1f;
	p = p * r + 1.0f;
	return p * power_of_whole(t);
}

/* The same, and 0 below. */
INLINE vec exponential(vec x)
{
	return (vec)((truth)power(x) & ~(x < all(LOWEST_EXPONENT)));
}

/* What is subtracted before exp: never -inf, or else -inf - -inf would be NaN
 * for a hidden key. */
INLINE vec reference(vec max)
{
	return choose(max == all(-INFINITY), all(0), max);
}

/* ---- number types ---- */

/* 2^112 times a float16's bits at a float32's place is its value, subnormal or not; where
 * x86 has an instruction for it, that one. */
INLINE vec from_f16(halves half)
{
#if defined __AVX512F__ && LANES_BYTES == 64
	return _mm512_cvtph_ps((__m256i)half);
#elif defined __F16C__ && LANES_BYTES == 32
	return _mm256_cvtph_ps((__m128i)half);
#else
	bits h = __builtin_convertvector(half, bits);
	bits magnitude = (h & 0x7fff) << 13, special = (bits)(magnitude >= (0x7c00u << 13));

	return (vec)((bits)((vec)magnitude * 0x1p112f) | (special & 0x7f800000) | (h & 0x8000) << 16);
#endif
}

/* In two parts: a vector of that many doubles would be wider than the processor's. */
INLINE vec from_f64(const unsigned char *p)
{
	doubles x[2];
	few narrow[2];
	vec out;

	memcpy(x, p, sizeof x);
	narrow[0] = __builtin_convertvector(x[0], few);
	narrow[1] = __builtin_convertvector(x[1], few);
	memcpy(&out, narrow, sizeof out);
	return out;
}

INLINE vec widened(const unsigned char *p, enum dtype type)
{
	halves h;

	switch (type) {
	case DTYPE_F64:
		return from_f64(p);
	case DTYPE_F16:
		memcpy(&h, p, sizeof h);
		return from_f16(h);
	case DTYPE_BF16:
		memcpy(&h, p, sizeof h);
		return (vec)(__builtin_convertvector(h, bits) << 16);
	default:
		return vector_at(p);
	}
}

/* The same of the first n < WIDTH numbers, and zeros after them. */
INLINE vec widened_part(const unsigned char *p, enum dtype type, size_t size, size_t n)
{
	unsigned char part[WIDTH * sizeof(double)] = { 0 };

	memcpy(part, p, n * size);
	return widened(part, type);
}

#endif
