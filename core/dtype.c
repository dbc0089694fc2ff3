/* dtype.c - number types that a double is rounded to. */
#include "core/dtype.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static double round_bf16(double x)
{
	float f = (float)x;
	uint32_t u;

	if (isnan(f))
		return x;
	memcpy(&u, &f, sizeof u);
	u = (u + 0x7fffu + (u >> 16 & 1u)) & 0xffff0000u;
	memcpy(&f, &u, sizeof f);
	return (double)f;
}

/* float16: 11 significant bits, exponents -14..15, spacing 2^-24 below. */
static double round_f16(double x)
{
	int exponent;

	if (!isfinite(x) || x == 0)
		return x;
	frexp(x, &exponent);				/* |x| in [2^(e-1), 2^e) */
	int unit = exponent - 11 < -24 ? -24 : exponent - 11;
	double r = ldexp(rint(ldexp(x, -unit)), unit);	/* exact but for the rint */
	return fabs(r) > 65504.0 ? copysign(INFINITY, x) : r;
}

double dtype_round(double x, enum dtype t)
{
	switch (t) {
	case DTYPE_F32:
		return (double)(float)x;
	case DTYPE_F16:
		return round_f16(x);
	case DTYPE_BF16:
		return round_bf16(x);
	default:
		return x;
	}
}

double dtype_lowest(enum dtype t)
{
	static const double lowest[] = {
		[DTYPE_F64] = -DBL_MAX, [DTYPE_F32] = -FLT_MAX,
		[DTYPE_F16] = -65504.0, [DTYPE_BF16] = -0x1.fep127,
	};
	return lowest[t];
}

double dtype_sum_tolerance(enum dtype t, size_t n)
{
	double wanted;

	switch (t) {
	case DTYPE_F32:
		return 1e-5;
	case DTYPE_F16:
		wanted = (double)n * 0x1p-11;
		break;
	case DTYPE_BF16:
		wanted = (double)n * 0x1p-8;
		break;
	default:
		return 1e-9;
	}
	return wanted < 0.02 ? wanted : 0.02;
}

const char *dtype_name(enum dtype t)
{
	static const char *const name[] = { "f64", "f32", "f16", "bf16" };
	return name[t];
}
