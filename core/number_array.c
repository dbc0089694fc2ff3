/* number_array.c - arrays as NumPy prints them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number_parts.h"

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
	struct decimal d = decimal_shortest(fabs(x));

	if (d.count - 1 - d.exponent <= PRECISION) {
		/* Zero has one digit, in front of the point. */
		decimal_positional(d, signbit(x), out);
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
	struct decimal d = decimal_round(fabs(x), l->fraction + 1);

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
		struct decimal d = decimal_shortest(fabs(x));
		if (d.count > PRECISION + 1) {
			d = decimal_round(fabs(x), PRECISION + 1);
			decimal_trim(&d);
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
		return (size_t)snprintf(out, NUMBER_SIZE, "%*s", width, number_special(x));
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
