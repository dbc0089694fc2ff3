/* test_digits.c - one number as a cell shows it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/digits.h"
#include "tui/text.h"

enum { LEAST_WIDTH = 5, MOST_WIDTH = 26 };

static void check(double x, bool hidden, struct digits_rule rule, enum number_look look, const char *text)
{
	char got[DIGITS_SIZE];

	assert_int_equal(digits_cell(x, hidden, &rule, got), look);
	assert_string_equal(got, text);
}

static const struct digits_rule weights = { 3, 5, true, false };
static const struct digits_rule scores = { 3, 7, false, false };

static void six_looks(void **state)
{
	(void)state;
	check(0.2689414213699951, false, weights, LOOK_NUMBER, "0.269");
	check(0, true, weights, LOOK_HIDDEN, "\u259a 0");
	check(0, false, weights, LOOK_ZERO, "0");
	check(1e-9, false, weights, LOOK_TINY, "~0");
	check(NAN, false, weights, LOOK_NAN, "nan");
	check(-NAN, false, weights, LOOK_NAN, "nan");
	check(INFINITY, false, weights, LOOK_INFINITE, "inf");
	check(-INFINITY, false, scores, LOOK_INFINITE, "-inf");
	check(1.25, false, (struct digits_rule){ 3, 6, true, false }, LOOK_RANGE, "!1.250");
	check(-0.25, false, (struct digits_rule){ 2, 6, true, false }, LOOK_RANGE, "!-0.25");
}

/* Without colour and without Unicode the six still differ, from each other and from a number. */
static void looks_differ_in_ascii(void **state)
{
	static const struct { double x; bool hidden; enum number_look look; } cell[] = {
		{ 0.5, false, LOOK_NUMBER }, { 0, true, LOOK_HIDDEN }, { 0, false, LOOK_ZERO }, { 1e-300, false, LOOK_TINY },
		{ NAN, false, LOOK_NAN }, { INFINITY, false, LOOK_INFINITE }, { 1.5, false, LOOK_RANGE },
	};
	enum { N = sizeof cell / sizeof *cell };
	struct digits_rule rule = { 3, 6, true, true };
	char text[N][DIGITS_SIZE];

	(void)state;
	for (int i = 0; i < N; i++) {
		assert_int_equal(digits_cell(cell[i].x, cell[i].hidden, &rule, text[i]), cell[i].look);
		for (const char *p = text[i]; *p; p++)
			assert_in_range(*p, 0x20, 0x7e);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(text[i], text[k]);
	}
}

static void around_the_ends_of_the_range(void **state)
{
	struct digits_rule rule = { 3, 6, true, false };

	(void)state;
	check(1, false, rule, LOOK_NUMBER, "1.000");
	check(nextafter(1, 2), false, rule, LOOK_NUMBER, "1.000");
	check(1 + 1e-6, false, rule, LOOK_RANGE, "!1.000");
	check(-0.0, false, rule, LOOK_ZERO, "0");
	check(-DBL_TRUE_MIN, false, (struct digits_rule){ 3, 8, true, false }, LOOK_RANGE, "!-0.000");
	/* Scores have no range. */
	check(1.5, false, scores, LOOK_NUMBER, "1.500");
	check(-1.5, false, scores, LOOK_NUMBER, "-1.500");
}

static void nearly_nothing(void **state)
{
	(void)state;
	check(0.00049, false, weights, LOOK_TINY, "~0");
	check(0.00051, false, weights, LOOK_NUMBER, "0.001");
	check(DBL_TRUE_MIN, false, weights, LOOK_TINY, "~0");
	check(-DBL_TRUE_MIN, false, scores, LOOK_TINY, "-~0");
	check(-0.0001, false, scores, LOOK_TINY, "-~0");
	check(0.4, false, (struct digits_rule){ 0, 5, true, false }, LOOK_TINY, "~0");
	check(0.6, false, (struct digits_rule){ 0, 5, true, false }, LOOK_NUMBER, "1");
}

static void without_room(void **state)
{
	(void)state;
	check(1e308, false, scores, LOOK_NUMBER, "1.0e308");
	check(-1e308, false, scores, LOOK_NUMBER, "-1e308");
	check(-1.5e8, false, scores, LOOK_NUMBER, "-1.50e8");
	check(123456.789, false, scores, LOOK_NUMBER, "1.235e5");
	check(1e15, false, scores, LOOK_NUMBER, "1.00e15");
}

static void hidden_leftovers(void **state)
{
	struct digits_rule wide = { 3, 7, true, false }, ascii = { 3, 7, true, true };

	(void)state;
	check(0.24243297070471392, true, wide, LOOK_HIDDEN, "\u259a 0.242");
	check(0.24243297070471392, true, ascii, LOOK_HIDDEN, "# 0.242");
	/* Without room for both, the mark takes the place of the leading zero. */
	check(0.24243297070471392, true, weights, LOOK_HIDDEN, "\u259a.242");
	check(0, true, ascii, LOOK_HIDDEN, "# 0");
	check(1e-30, true, ascii, LOOK_HIDDEN, "# ~0");
	check(-INFINITY, true, wide, LOOK_HIDDEN, "\u259a -inf");
	check(-INFINITY, true, weights, LOOK_HIDDEN, "\u259a-inf");
	check(NAN, true, wide, LOOK_HIDDEN, "\u259a nan");
	check(-1e9, true, scores, LOOK_HIDDEN, "\u259a-1.0e9");
	check(1, true, weights, LOOK_HIDDEN, "\u259a1.00");
}

static const double values[] = {
	0, -0.0, 1, -1, 0.1, 1.0 / 3, 0.5, 0.9995, 0.99999999, 9.9999999, 99999.99999, -99999.99999, 123456789, -123456789,
	1e14, 1e15, 1e16, -1e15, 1e300, 1e308, -1e308, DBL_MAX, -DBL_MAX, 1e-3, 5e-4, 1e-5, 1e-17, 1e-300, DBL_MIN,
	DBL_TRUE_MIN, -DBL_TRUE_MIN, 3e-310, 1e-9, 2e-9, NAN, INFINITY, -INFINITY,
};

/* What the text says is x, to half a unit of its last digit; "**" says nothing. */
static void check_says(const char *text, double x)
{
	char *end;
	const char *point = strchr(text, '.'), *e = strchr(text, 'e');
	double said = strtod(text, &end), unit = 1;

	if (strstr(text, "**"))
		return;
	assert_int_equal(*end, '\0');
	size_t digits = point ? (size_t)((e ? e : text + strlen(text)) - point - 1) : 0;
	unit = pow(10, (e ? atof(e + 1) : 0) - (double)digits);
	if (!(fabs(said - x) <= 0.5 * unit * (1 + 1e-9) + fabs(x) * DBL_EPSILON || (isinf(said) && fabs(x) > 1.7e308)))
		fail_msg("'%s' for %.17g", text, x);
}

static void every_precision_and_width(void **state)
{
	(void)state;
	for (size_t v = 0; v < sizeof values / sizeof *values; v++)
		for (int p = 0; p <= 17; p++)
			for (int w = LEAST_WIDTH; w <= MOST_WIDTH; w++)
				for (int k = 0; k < 8; k++) {
					struct digits_rule rule = { p, w, k & 1, k & 2 };
					char text[DIGITS_SIZE], fixed[512];
					enum number_look look = digits_cell(values[v], k & 4, &rule, text);
					int width = text_width(text, rule.ascii);

					if (width > w || width < 1)
						fail_msg("'%s' has %d columns, not %d", text, width, w);
					assert_int_equal(look == LOOK_HIDDEN, (k & 4) != 0);
					if (look != LOOK_NUMBER)
						continue;
					check_says(text, values[v]);
					/* Digits change only by the precision, as long as there is room. */
					snprintf(fixed, sizeof fixed, "%.*f", p, values[v]);
					if (fabs(values[v]) < 1e15 && strlen(fixed) <= (size_t)w)
						assert_string_equal(text, fixed);
				}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(six_looks),
		cmocka_unit_test(looks_differ_in_ascii),
		cmocka_unit_test(around_the_ends_of_the_range),
		cmocka_unit_test(nearly_nothing),
		cmocka_unit_test(without_room),
		cmocka_unit_test(hidden_leftovers),
		cmocka_unit_test(every_precision_and_width),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
