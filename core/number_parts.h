/* number_parts.h - what the files of number.h share. For these files alone. */
#ifndef CORE_NUMBER_PARTS_H
#define CORE_NUMBER_PARTS_H

#include "core/number.h"

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

enum { DOUBLE_DIGITS = 17 };	/* as many always read back */

/* digits[0].digits[1]digits[2]... times 10^exponent, never negative. */
struct decimal {
	char digits[DOUBLE_DIGITS + 1];	/* with a NUL */
	int count, exponent;
};

/* magnitude, correctly rounded to `count` digits. */
struct decimal decimal_round(double magnitude, int count);
/* The fewest digits that read back as magnitude, which is finite. */
struct decimal decimal_shortest(double magnitude);
/* Without the zeros at the end. */
void decimal_trim(struct decimal *d);
/* "-12.5", "12.", "0.0125": every digit, and always the point. */
void decimal_positional(struct decimal d, bool negative, char *out);
/* "nan", "inf" or "-inf". */
const char *number_special(double x);

#endif
