/* number.h - numbers as text and back, and arrays as NumPy prints them.
 *
 * Nothing here depends on the locale as long as LC_NUMERIC is "C", which is
 * how the program leaves it.
 */
#ifndef CORE_NUMBER_H
#define CORE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buffer.h"

enum { NUMBER_SIZE = 512 };	/* holds any number_* text */

/* The whole of text[0..n) as a decimal number: digits, point, exponent, or
 * (any case, optional sign) inf, infinity, nan, .inf, .nan. No blanks, no hexadecimal,
 * no digit separators, never more than n bytes are read. False, and *value as
 * it was, when the text is anything else. "1e400" is inf, "1e-400" is 0. */
bool number_parse(const char *text, size_t n, double *value);

/* The same as people write it who answer a question: also "0,27", "27%" and "1/2". */
bool number_parse_answer(const char *text, size_t n, double *value);

/* Decimal integer with optional sign, the whole text; false on overflow. */
bool number_parse_integer(const char *text, size_t n, long *value);

/* Shortest decimal text that reads back as x, as Python's repr(float):
 * "0.1", "1.0", "1e-05", "1e+16", "nan", "inf", "-inf", "-0.0". */
void number_shortest(double x, char out[NUMBER_SIZE]);

/* As number_shortest, but whole numbers below 1e16 without ".0": "1", "-0". */
void number_plain(double x, char out[NUMBER_SIZE]);

/* Exactly `decimals` digits after the point, 0 to 200 ("0.270"); nan, inf, -inf.
 * Correctly rounded, as printf's %.*f. A result of "-0.000" is written "-0.000". */
void number_fixed(double x, int decimals, char out[NUMBER_SIZE]);

/* np.round(x, decimals), 0 <= decimals <= 300: rint(x*10^d)/10^d; inf where that overflows,
 * as NumPy. */
double number_round(double x, int decimals);

/* NumPy's buffer: longer sums are made of runs of that many, added in order. */
enum { NUMBER_RUN = 8192 };

/* np.sum of contiguous numbers: pairwise within each run. */
double number_sum(const double *a, size_t n);

/* str(a) of a row-major float64 array with shape[0..rank), NumPy's default print
 * options. Beyond 1000 elements only the ends that are shown are read. */
void number_array(struct buffer *out, const double *a, int rank, const size_t *shape);

#endif
