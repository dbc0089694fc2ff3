/* number.c - one number as text; rounding and sums as NumPy's. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number_parts.h"

/* ---- one number as text ---- */

void decimal_trim(struct decimal *d)
{
	while (d->count > 1 && d->digits[d->count - 1] == '0')
		d->count--;
	d->digits[d->count] = '\0';
}

struct decimal decimal_round(double magnitude, int count)
{
	struct decimal d = { .count = 0 };
	char text[DOUBLE_DIGITS + 16];
	const char *p = text;

	snprintf(text, sizeof text, "%.*e", count - 1, magnitude);
	for (; *p != 'e'; p++)
		if (is_digit(*p))
			d.digits[d.count++] = *p;
	d.exponent = (int)strtol(p + 1, NULL, 10);
	return d;
}

static bool reads_back(const struct decimal *d, double magnitude)
{
	char text[DOUBLE_DIGITS + 16];

	snprintf(text, sizeof text, "%se%d", d->digits, d->exponent - d->count + 1);
	return strtod(text, NULL) == magnitude;
}

struct decimal decimal_shortest(double magnitude)
{
	int unused;
	bool power_of_two = frexp(magnitude, &unused) == 0.5;
	struct decimal d;

	/* If 15 digits or fewer will do, rounding to 15 finds them and zeros
	 * behind them; only subnormals have less precision than that. */
	for (int count = magnitude < DBL_MIN ? 1 : DBL_DIG; count < DOUBLE_DIGITS; count++) {
		d = decimal_round(magnitude, count);
		if (reads_back(&d, magnitude))
			goto found;
		/* Below a power of two the doubles are twice as close as above
		 * it: the nearest text may miss below where the next hits above. */
		if (power_of_two && d.digits[count - 1] != '9') {
			d.digits[count - 1]++;
			if (reads_back(&d, magnitude))
				goto found;
		}
	}
	d = decimal_round(magnitude, DOUBLE_DIGITS);
found:
	decimal_trim(&d);
	return d;
}

const char *number_special(double x)
{
	return isnan(x) ? "nan" : x < 0 ? "-inf" : "inf";
}

void decimal_positional(struct decimal d, bool negative, char *out)
{
	if (negative)
		*out++ = '-';
	if (d.exponent < 0)
		*out++ = '0';
	for (int i = 0; i <= d.exponent; i++)
		*out++ = i < d.count ? d.digits[i] : '0';
	*out++ = '.';
	for (int i = -1; i > d.exponent; i--)
		*out++ = '0';
	for (int i = d.exponent < 0 ? 0 : d.exponent + 1; i < d.count; i++)
		*out++ = d.digits[i];
	*out = '\0';
}

void number_shortest(double x, char out[NUMBER_SIZE])
{
	if (!isfinite(x)) {
		strcpy(out, number_special(x));
		return;
	}

	struct decimal d = decimal_shortest(fabs(x));
	if (d.exponent >= -4 && d.exponent < 16) {
		decimal_positional(d, signbit(x), out);
		if (d.count <= d.exponent + 1)
			strcat(out, "0");
		return;
	}
	snprintf(out, NUMBER_SIZE, "%s%c%s%se%c%02d", signbit(x) ? "-" : "", d.digits[0],
		 d.count > 1 ? "." : "", d.digits + 1, d.exponent < 0 ? '-' : '+',
		 abs(d.exponent));
}

void number_plain(double x, char out[NUMBER_SIZE])
{
	number_shortest(x, out);
	size_t n = strlen(out);
	if (n > 2 && strcmp(out + n - 2, ".0") == 0)
		out[n - 2] = '\0';
}

void number_fixed(double x, int decimals, char out[NUMBER_SIZE])
{
	/* 309 digits before the point and 200 behind it fit. */
	if (decimals < 0)
		decimals = 0;
	if (decimals > 200)
		decimals = 200;
	if (isfinite(x))
		snprintf(out, NUMBER_SIZE, "%.*f", decimals, x);
	else
		strcpy(out, number_special(x));
}

/* ---- arithmetic as NumPy's ---- */

double number_round(double x, int decimals)
{
	double power = 1.0;

	while (decimals-- > 0)
		power *= 10.0;
	return rint(x * power) / power;
}

/* Eight running sums, which NumPy keeps in vector lanes; longer runs are
 * halved until they fit. */
static double sum_pairwise(const double *a, size_t n)
{
	if (n < 8) {
		double sum = 0.0;
		for (size_t i = 0; i < n; i++)
			sum += a[i];
		return sum;
	}
	if (n > 128) {
		size_t half = n / 2 - n / 2 % 8;
		return sum_pairwise(a, half) + sum_pairwise(a + half, n - half);
	}

	double lane[8];
	size_t i;
	memcpy(lane, a, sizeof lane);
	for (i = 8; i + 8 <= n; i += 8)
		for (size_t j = 0; j < 8; j++)
			lane[j] += a[i + j];
	double sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) +
		     ((lane[4] + lane[5]) + (lane[6] + lane[7]));
	for (; i < n; i++)
		sum += a[i];
	return sum;
}

double number_sum(const double *a, size_t n)
{
	double sum = 0.0;

	for (size_t i = 0; i < n; i += NUMBER_RUN)
		sum += sum_pairwise(a + i, n - i < NUMBER_RUN ? n - i : NUMBER_RUN);
	return sum;
}
