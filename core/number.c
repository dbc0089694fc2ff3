/* number.c - numbers as text and back, and arrays as NumPy prints them. */
#include "core/number.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

/* A double, and the middle between two doubles, has at most 768 significant
 * decimal digits. Of a longer text it only matters whether the rest is zero. */
enum { EXACT_DIGITS = 768 };

/* Beyond this the exponent of the last digit decides alone: inf or 0. */
enum { EXPONENT_LIMIT = 4000 };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

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

/* ---- one number as text ---- */

enum { DOUBLE_DIGITS = 17 };	/* as many always read back */

/* digits[0].digits[1]digits[2]... times 10^exponent, never negative. */
struct decimal {
	char digits[DOUBLE_DIGITS + 1];	/* with a NUL */
	int count, exponent;
};

static void trim_zeros(struct decimal *d)
{
	while (d->count > 1 && d->digits[d->count - 1] == '0')
		d->count--;
	d->digits[d->count] = '\0';
}

/* magnitude, correctly rounded to `count` digits. */
static struct decimal round_to_digits(double magnitude, int count)
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

/* The fewest digits that read back as magnitude, which is finite. */
static struct decimal shortest_decimal(double magnitude)
{
	int unused;
	bool power_of_two = frexp(magnitude, &unused) == 0.5;
	struct decimal d;

	/* If 15 digits or fewer will do, rounding to 15 finds them and zeros
	 * behind them; only subnormals have less precision than that. */
	for (int count = magnitude < DBL_MIN ? 1 : DBL_DIG; count < DOUBLE_DIGITS; count++) {
		d = round_to_digits(magnitude, count);
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
	d = round_to_digits(magnitude, DOUBLE_DIGITS);
found:
	trim_zeros(&d);
	return d;
}

static const char *special_text(double x)
{
	return isnan(x) ? "nan" : x < 0 ? "-inf" : "inf";
}

/* "-12.5", "12.", "0.0125": every digit, and always the point. */
static void write_positional(struct decimal d, bool negative, char *out)
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
		strcpy(out, special_text(x));
		return;
	}

	struct decimal d = shortest_decimal(fabs(x));
	if (d.exponent >= -4 && d.exponent < 16) {
		write_positional(d, signbit(x), out);
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
		strcpy(out, special_text(x));
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

/* ---- arrays ---- */

/* NumPy's default print options. */
enum { PRECISION = 8, THRESHOLD = 1000, EDGE_ITEMS = 3, LINE_WIDTH = 75 };

/* How the numbers of one array are written: with left characters before the
 * point and right ones behind it, the exponent included. */
struct layout {
	bool exponent_form;
	int left, right;
	int fraction, exponent_digits;		/* of the exponent form */
};

/* What the values of an array have in common. */
struct survey {
	double largest, smallest;		/* magnitudes of finite values that are not 0 */
	bool special, negative_infinity;
	struct layout layout;
};

struct printer {
	struct buffer *out;
	const double *a;
	const size_t *shape;
	int rank;
	bool summary;
	struct survey survey;
};

/* At most PRECISION digits behind the point, and no zeros at the end. */
static void write_array_positional(double x, char out[NUMBER_SIZE])
{
	struct decimal d = shortest_decimal(fabs(x));

	if (d.count - 1 - d.exponent <= PRECISION) {
		/* Zero has one digit, in front of the point. */
		write_positional(d, signbit(x), out);
		return;
	}
	size_t n = (size_t)snprintf(out, NUMBER_SIZE, "%.*f", PRECISION, x);
	while (out[n - 1] == '0')
		n--;
	out[n] = '\0';
}

static void write_array_exponent(double x, const struct layout *l, char out[NUMBER_SIZE])
{
	/* Not the shortest digits with zeros behind them but the exact ones,
	 * which differ for subnormals. */
	struct decimal d = round_to_digits(fabs(x), l->fraction + 1);

	snprintf(out, NUMBER_SIZE, "%s%c.%se%c%0*d", signbit(x) ? "-" : "", d.digits[0],
		 d.digits + 1, d.exponent < 0 ? '-' : '+', l->exponent_digits,
		 abs(d.exponent));
}

static void write_finite(double x, const struct layout *l, char out[NUMBER_SIZE])
{
	if (l->exponent_form)
		write_array_exponent(x, l, out);
	else
		write_array_positional(x, out);
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static void survey_range(struct survey *s, double x)
{
	double magnitude = fabs(x);

	if (!isfinite(x)) {
		s->special = true;
		if (isinf(x) && x < 0)
			s->negative_infinity = true;
	} else if (magnitude != 0) {
		if (magnitude > s->largest)
			s->largest = magnitude;
		if (s->smallest == 0 || magnitude < s->smallest)
			s->smallest = magnitude;
	}
}

static void survey_width(struct survey *s, double x)
{
	struct layout *l = &s->layout;

	if (!isfinite(x))
		return;
	if (l->exponent_form) {
		struct decimal d = shortest_decimal(fabs(x));
		if (d.count > PRECISION + 1) {
			d = round_to_digits(fabs(x), PRECISION + 1);
			trim_zeros(&d);
		}
		l->left = larger(l->left, signbit(x) ? 2 : 1);
		l->fraction = larger(l->fraction, d.count - 1);
		if (abs(d.exponent) >= 100)
			l->exponent_digits = 3;
		l->right = l->fraction + 2 + l->exponent_digits;
	} else {
		char text[NUMBER_SIZE];
		write_array_positional(x, text);
		const char *point = strchr(text, '.');
		l->left = larger(l->left, (int)(point - text));
		l->right = larger(l->right, (int)strlen(point + 1));
	}
}

/* The distance in a between two neighbours along an axis. */
static size_t axis_stride(const struct printer *p, int axis)
{
	size_t stride = 1;

	for (int i = axis + 1; i < p->rank; i++)
		stride *= p->shape[i];
	return stride;
}

/* Whether the axis shows its ends only. */
static bool is_cut(const struct printer *p, int axis)
{
	return p->summary && p->shape[axis] > 2 * EDGE_ITEMS;
}

/* Calls visit for every value that is shown below base. */
static void survey_axis(struct printer *p, int axis, const double *base,
			void (*visit)(struct survey *s, double x))
{
	if (axis == p->rank) {
		visit(&p->survey, *base);
		return;
	}

	size_t n = p->shape[axis], stride = axis_stride(p, axis);
	for (size_t i = 0; i < n; i++) {
		if (i == EDGE_ITEMS && is_cut(p, axis))
			i = n - EDGE_ITEMS;
		survey_axis(p, axis + 1, base + i * stride, visit);
	}
}

static void choose_layout(struct printer *p)
{
	struct survey *s = &p->survey;
	struct layout *l = &s->layout;

	l->exponent_digits = 2;
	survey_axis(p, 0, p->a, survey_range);
	if (s->largest > 0)
		l->exponent_form = s->largest >= 1e8 || s->smallest < 1e-4 ||
				   s->largest / s->smallest > 1000;
	survey_axis(p, 0, p->a, survey_width);
	/* "nan", "inf" and "-inf" take the place of a whole number. */
	if (s->special)
		l->left = larger(l->left, (s->negative_infinity ? 4 : 3) - (l->right + 1));
}

/* One value as wide as every other. Returns its length. */
static size_t write_word(const struct layout *l, double x, char out[NUMBER_SIZE])
{
	char text[NUMBER_SIZE];
	int width = l->left + 1 + l->right;

	if (!isfinite(x))
		return (size_t)snprintf(out, NUMBER_SIZE, "%*s", width, special_text(x));
	write_finite(x, l, text);
	int before = l->left - (int)(strchr(text, '.') - text);
	return (size_t)snprintf(out, NUMBER_SIZE, "%*s%-*s", before, "", width - before, text);
}

static void trim_blanks(struct buffer *out)
{
	while (!out->failed && out->data[out->size - 1] == ' ')
		out->size--;
}

/* Adds a word to the line that has *length characters, after a blank unless it
 * is the first; on a new line when it would go beyond limit. */
static void put_word(struct buffer *out, const char *word, size_t n, size_t indent,
		     size_t limit, size_t *length)
{
	if (*length > indent) {
		if (*length + 1 + n > limit) {
			trim_blanks(out);
			buffer_text(out, "\n");
			buffer_repeat(out, ' ', indent);
			*length = indent;
		} else {
			buffer_text(out, " ");
			++*length;
		}
	}
	buffer_put(out, word, n);
	*length += n;
}

static void put_last_axis(const struct printer *p, const double *base)
{
	size_t indent = (size_t)p->rank, n = p->shape[p->rank - 1];
	size_t length = indent;
	/* A closing bracket for every axis must still fit behind a word. */
	size_t limit = indent < LINE_WIDTH ? LINE_WIDTH - indent : 0;
	char word[NUMBER_SIZE];

	for (size_t i = 0; i < n; i++) {
		if (i == EDGE_ITEMS && is_cut(p, p->rank - 1)) {
			put_word(p->out, "...", 3, indent, limit, &length);
			i = n - EDGE_ITEMS;
		}
		size_t word_length = write_word(&p->survey.layout, base[i], word);
		put_word(p->out, word, word_length, indent, limit, &length);
	}
}

static void put_axis(const struct printer *p, int axis, const double *base)
{
	size_t n = p->shape[axis], stride = axis_stride(p, axis);
	size_t indent = (size_t)axis + 1, newlines = (size_t)(p->rank - axis - 1);

	buffer_text(p->out, "[");
	if (axis == p->rank - 1) {
		put_last_axis(p, base);
		buffer_text(p->out, "]");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (i > 0) {
			buffer_repeat(p->out, '\n', newlines);
			buffer_repeat(p->out, ' ', indent);
		}
		if (i == EDGE_ITEMS && is_cut(p, axis)) {
			buffer_text(p->out, "...");
			buffer_repeat(p->out, '\n', newlines);
			buffer_repeat(p->out, ' ', indent);
			i = n - EDGE_ITEMS;
		}
		put_axis(p, axis + 1, base + i * stride);
	}
	buffer_text(p->out, "]");
}

void number_array(struct buffer *out, const double *a, int rank, const size_t *shape)
{
	struct printer p = { .out = out, .a = a, .shape = shape, .rank = rank };
	size_t count = 1;

	for (int i = 0; i < rank; i++) {
		if (shape[i] == 0) {
			buffer_text(out, "[]");
			return;
		}
		count *= shape[i];
	}
	if (rank == 0) {
		char text[NUMBER_SIZE];
		number_shortest(a[0], text);
		buffer_text(out, text);
		return;
	}
	p.summary = count > THRESHOLD;
	choose_layout(&p);
	put_axis(&p, 0, a);
}
