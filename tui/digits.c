/* digits.c - one number as a cell shows it. */
#include "tui/digits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"

/* Shorter and shorter exponent forms, until one fits: -1.5e+08, -2e+08, -2e8. */
static void exponent_form(double x, int width, char out[DIGITS_SIZE])
{
	for (int digits = 6; digits >= 0; digits--) {
		char text[DIGITS_SIZE], *e;
		snprintf(text, sizeof text, "%.*e", digits, x);
		e = strchr(text, 'e');
		int exponent = 0;
		sscanf(e + 1, "%d", &exponent);
		*e = '\0';
		if (snprintf(out, DIGITS_SIZE, "%se%d", text, exponent) <= width)
			return;
	}
	snprintf(out, DIGITS_SIZE, "%s", x < 0 ? "-**" : "**");
}

static void plain_number(double x, int precision, int width, char out[DIGITS_SIZE])
{
	char text[NUMBER_SIZE];

	if (fabs(x) < 1e15) {
		number_fixed(x, precision, text);
		if ((int)strlen(text) <= width) {
			snprintf(out, DIGITS_SIZE, "%.60s", text);
			return;
		}
	}
	exponent_form(x, width, out);
}

/* Beside a mark: fewer digits behind the point, and no zero before it, rather
 * than an exponent form that has none. */
static void marked_number(double x, int precision, int width, char out[DIGITS_SIZE])
{
	char text[NUMBER_SIZE];

	for (int p = precision; p > 0 && fabs(x) < 1e15; p--) {
		number_fixed(x, p, text);
		char *zero = text + (*text == '-');
		if ((int)strlen(text) > width && !strncmp(zero, "0.", 2))
			memmove(zero, zero + 1, strlen(zero));
		if ((int)strlen(text) <= width) {
			snprintf(out, DIGITS_SIZE, "%.60s", text);
			return;
		}
	}
	plain_number(x, precision, width, out);
}

/* Nothing but zeros among the digits that would be shown. */
static bool shows_zero(double x, int precision)
{
	char text[NUMBER_SIZE];

	number_fixed(x, precision, text);
	return !text[strspn(text, "-0.")];
}

static enum number_look visible(double x, const struct digits_rule *rule, int width, char out[DIGITS_SIZE])
{
	if (isnan(x)) {
		snprintf(out, DIGITS_SIZE, "nan");
		return LOOK_NAN;
	}
	if (isinf(x)) {
		snprintf(out, DIGITS_SIZE, x < 0 ? "-inf" : "inf");
		return LOOK_INFINITE;
	}
	if (x == 0) {
		snprintf(out, DIGITS_SIZE, "0");
		return LOOK_ZERO;
	}
	if (rule->weights && (x < 0 || x > 1 + 1e-9)) {
		char number[DIGITS_SIZE];
		marked_number(x, rule->precision, width - 1, number);
		snprintf(out, DIGITS_SIZE, "!%.40s", number);
		return LOOK_RANGE;
	}
	if (shows_zero(x, rule->precision)) {
		snprintf(out, DIGITS_SIZE, x < 0 ? "-~0" : "~0");
		return LOOK_TINY;
	}
	plain_number(x, rule->precision, width, out);
	return LOOK_NUMBER;
}

enum number_look digits_cell(double x, bool hidden, const struct digits_rule *rule, char out[DIGITS_SIZE])
{
	const char *mark = rule->ascii ? "#" : "\u259a";
	char number[DIGITS_SIZE];

	if (!hidden)
		return visible(x, rule, rule->width, out);
	visible(x, rule, rule->width, number);
	int n = (int)strlen(number);
	if (n >= rule->width) {
		/* A leftover such as 0.242: the mark takes the place of its leading zero. */
		if (!strncmp(number, "0.", 2))
			memmove(number, number + 1, (size_t)n);
		else if (visible(x, rule, rule->width - 1, number) == LOOK_NUMBER)
			marked_number(x, rule->precision, rule->width - 1, number);
		n = (int)strlen(number);
	}
	snprintf(out, DIGITS_SIZE, "%s%s%.40s", mark, n + 2 <= rule->width ? " " : "", number);
	return LOOK_HIDDEN;
}
