/* dtype.h - number types that a double is rounded to, nearest even. */
#ifndef CORE_DTYPE_H
#define CORE_DTYPE_H

#include <float.h>
#include <stddef.h>

enum dtype { DTYPE_F64, DTYPE_F32, DTYPE_F16, DTYPE_BF16, DTYPE_COUNT };

/* x as that type would hold it; overflow gives an infinity. bfloat16 goes by
 * way of float32, as the frameworks do. One operation in double on values of
 * a narrower type, then rounded, is that type's own correctly rounded result. */
double dtype_round(double x, enum dtype t);

/* Lowest finite value: -1.797e308, -3.403e38, -65504, -3.390e38. */
double dtype_lowest(enum dtype t);

/* How far the sum of n weights of that type may be from 1 by rounding alone. */
double dtype_sum_tolerance(enum dtype t, size_t n);

const char *dtype_name(enum dtype t);	/* "f64", "f32", "f16", "bf16" */

#endif
