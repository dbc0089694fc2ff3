/* number_read.c - text as numbers: decimals, answers of people, integers. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number_parts.h"

/* A double, and the middle between two doubles, has at most 768 significant
 * decimal digits. Of a longer text it only matters whether the rest is zero. */
enum { EXACT_DIGITS = 768 };

/* Beyond this the exponent of the last digit decides alone: inf or 0. */
enum { EXPONENT_LIMIT = 4000 };

/* Whether the text is this word of small letters, in any case. Not by
 * strcasecmp: in a Turkish locale "I" is no capital of "i". */
static bool is_word(const char *text, size_t n, const char *word)
{
	if (n != strlen(word))
		return false;
	for (size_t i = 0; i < n; i++) {
		char c = text[i];
		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (c != word[i])
			return false;
	}
	return true;
}

/* inf and nan, without their sign. */
static bool parse_special(const char *text, size_t n, double *value)
{
	if (is_word(text, n, "inf") || is_word(text, n, "infinity") || is_word(text, n, ".inf"))
		*value = INFINITY;
	else if (is_word(text, n, "nan") || is_word(text, n, ".nan"))
		*value = NAN;
	else
		return false;
	return true;
}

/* "e-12" up to the end of the text. Saturates far from any overflow, and far
 * beyond what the number of digits of a text in memory can make up for. */
static bool parse_exponent(const char *text, size_t n, long long *exponent)
{
	bool negative = false;
	long long sum = 0;
	size_t i = 1;

	if (i < n && (text[i] == '+' || text[i] == '-'))
		negative = text[i++] == '-';
	if (i == n)
		return false;
	for (; i < n; i++) {
		if (!is_digit(text[i]))
			return false;
		if (sum < LLONG_MAX / 40)
			sum = sum * 10 + (text[i] - '0');
	}
	*exponent = negative ? -sum : sum;
	return true;
}

/* A decimal number without its sign. Its significant digits are copied as one
 * whole number with an exponent: that is of bounded size, ends with a NUL,
 * and has no decimal point, which strtod would take from the locale. */
static bool parse_decimal(const char *text, size_t n, double *value)
{
	char copy[EXACT_DIGITS + 32];
	size_t kept = 0, i;
	long long scale = 0, exponent = 0;	/* powers of ten: of the copy, as written */
	bool any_digit = false, point = false, rest = false;

	for (i = 0; i < n; i++) {
		if (text[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (!is_digit(text[i]))
			break;
		any_digit = true;
		scale -= point;
		if (kept == 0 && text[i] == '0')
			continue;
		if (kept < EXACT_DIGITS) {
			copy[kept++] = text[i];
		} else {
			scale++;
			rest = rest || text[i] != '0';
		}
	}
	if (!any_digit)
		return false;
	if (i < n && text[i] != 'e' && text[i] != 'E')
		return false;
	if (i < n && !parse_exponent(text + i, n - i, &exponent))
		return false;
	if (kept == 0) {
		*value = 0.0;
		return true;
	}

	/* A digit that stands for the rest: it says on which side of a middle
	 * the number lies. */
	if (rest) {
		copy[kept++] = '1';
		scale--;
	}
	scale += exponent;
	if (scale > EXPONENT_LIMIT)
		scale = EXPONENT_LIMIT;
	if (scale < -EXPONENT_LIMIT)
		scale = -EXPONENT_LIMIT;
	snprintf(copy + kept, sizeof copy - kept, "e%lld", scale);
	*value = strtod(copy, NULL);
	return true;
}

bool number_parse(const char *text, size_t n, double *value)
{
	bool negative = false;
	double magnitude;

	if (n && (*text == '+' || *text == '-')) {
		negative = *text == '-';
		text++;
		n--;
	}
	if (!parse_decimal(text, n, &magnitude) && !parse_special(text, n, &magnitude))
		return false;
	*value = negative ? -magnitude : magnitude;
	return true;
}

/* A number that may have a comma for its point. */
static bool parse_comma(const char *text, size_t n, double *value)
{
	char copy[64];
	const char *comma = memchr(text, ',', n);

	if (!comma || n >= sizeof copy)
		return number_parse(text, n, value);
	memcpy(copy, text, n);
	copy[comma - text] = '.';
	return number_parse(copy, n, value);
}

bool number_parse_answer(const char *text, size_t n, double *value)
{
	const char *slash = memchr(text, '/', n);
	size_t above = slash ? (size_t)(slash - text) : n;
	double x, y;

	if (slash) {
		if (!parse_comma(text, above, &x) || !parse_comma(slash + 1, n - above - 1, &y))
			return false;
		*value = x / y;
		return true;
	}
	bool percent = n > 1 && text[n - 1] == '%';
	if (!parse_comma(text, percent ? n - 1 : n, &x))
		return false;
	*value = percent ? x / 100 : x;
	return true;
}

bool number_parse_integer(const char *text, size_t n, long *value)
{
	bool negative = false;
	unsigned long sum = 0;

	if (n && (*text == '+' || *text == '-')) {
		negative = *text == '-';
		text++;
		n--;
	}
	if (n == 0)
		return false;

	unsigned long limit = (unsigned long)LONG_MAX + negative;
	for (size_t i = 0; i < n; i++) {
		if (!is_digit(text[i]))
			return false;
		unsigned long digit = (unsigned long)(text[i] - '0');
		if (sum > (limit - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	/* Written so that LONG_MIN, whose magnitude is no long, comes out. */
	*value = negative && sum ? -(long)(sum - 1) - 1 : (long)sum;
	return true;
}
