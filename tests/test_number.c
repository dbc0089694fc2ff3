/* test_number.c - numbers as text and back, sums and arrays against NumPy's.
 *
 * Expected values: sums, rounds and arrays are what NumPy 1.24.2 computes and
 * prints, shortest texts what Python's repr gives; the others follow from the
 * definitions by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "core/error.h"
#include "core/number.h"

#define COUNT(array) (sizeof (array) / sizeof *(array))

/* ---- tools ---- */

/* Equal bits, or both nan. */
static void assert_same(double got, double expected)
{
	uint64_t got_bits, expected_bits;

	if (isnan(expected)) {
		assert_true(isnan(got));
		return;
	}
	memcpy(&got_bits, &got, sizeof got);
	memcpy(&expected_bits, &expected, sizeof expected);
	assert_int_equal(got_bits, expected_bits);
}

/* From a copy of exactly n bytes, so that a sanitizer sees one read too many. */
static bool parse(const char *text, size_t n, double *value)
{
	char *copy = malloc(n ? n : 1);

	assert_non_null(copy);
	memcpy(copy, text, n);
	bool ok = number_parse(copy, n, value);
	free(copy);
	return ok;
}

static void assert_parses(const char *text, double expected)
{
	double value = 123.0;

	if (!parse(text, strlen(text), &value))
		fail_msg("not parsed: %s", text);
	assert_same(value, expected);
}

static void assert_refused(const char *text, size_t n)
{
	double value = 123.0;

	if (parse(text, n, &value))
		fail_msg("parsed as %g: %s", value, text);
	assert_same(value, 123.0);
}

/* prefix, then n times the digit, then suffix. */
static void assert_long_parses(const char *prefix, char digit, size_t n, const char *suffix,
			       double expected)
{
	struct buffer text = { 0 };

	buffer_text(&text, prefix);
	buffer_repeat(&text, digit, n);
	buffer_text(&text, suffix);
	assert_false(text.failed);
	assert_parses(text.data, expected);
	buffer_free(&text);
}

/* ---- parsing ---- */

static void test_parse(void **state)
{
	static const struct { const char *text; double value; } cases[] = {
		{ "0", 0.0 }, { "-0", -0.0 }, { "+0.0", 0.0 }, { "-0e5", -0.0 },
		{ "1", 1.0 }, { "+1", 1.0 }, { "-1", -1.0 }, { "007", 7.0 },
		{ ".5", 0.5 }, { "5.", 5.0 }, { "-.5", -0.5 }, { "+5.", 5.0 }, { "5.e2", 500.0 },
		{ ".5e1", 5.0 }, { "1e3", 1000.0 }, { "1E3", 1000.0 }, { "1e+3", 1000.0 },
		{ "1e-3", 0.001 }, { "1e003", 1000.0 }, { "0.1", 0x1.999999999999ap-4 },
		{ "-2.5e-1", -0.25 }, { "123456789", 123456789.0 },
		{ "inf", INFINITY }, { "INF", INFINITY }, { "-inf", -INFINITY },
		{ "+inf", INFINITY }, { "Infinity", INFINITY }, { "-INFINITY", -INFINITY },
		{ ".inf", INFINITY }, { "-.Inf", -INFINITY }, { "+.INF", INFINITY },
		{ "nan", NAN }, { "NaN", NAN }, { "-nan", NAN }, { ".nan", NAN }, { ".NaN", NAN },
		{ "1e308", 1e308 }, { "1.7976931348623157e308", DBL_MAX },
		{ "1.7976931348623158e308", DBL_MAX }, { "1.7976931348623159e308", INFINITY },
		{ "1e400", INFINITY }, { "-1e400", -INFINITY }, { "1e-400", 0.0 },
		{ "-1e-400", -0.0 }, { "5e-324", 0x1p-1074 }, { "2.4703282292062327e-324", 0.0 },
		{ "2.4703282292062328e-324", 0x1p-1074 }, { "2.2250738585072014e-308", DBL_MIN },
		{ "2.2250738585072011e-308", 0x0.fffffffffffffp-1022 },
		{ "1e99999999999999999999", INFINITY }, { "1e-99999999999999999999", 0.0 },
		{ "0e99999999999999999999", 0.0 },
		/* Halfway between two doubles: to even, and just off it. */
		{ "9007199254740993", 9007199254740992.0 },
		{ "9007199254740993.0000000000000000000000001", 9007199254740994.0 },
		{ "9007199254740992.9999999999999999999999999", 9007199254740992.0 },
		{ "9007199254740995", 9007199254740996.0 },
		{ "1.00000000000000033306690738754696212708950042724609375", 0x1.0000000000002p0 },
		{ "1.00000000000000033306690738754696212708950042724609374", 0x1.0000000000001p0 },
	};
	(void)state;

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_parses(cases[i].text, cases[i].value);
}

static void test_parse_refuses(void **state)
{
	static const char *const texts[] = {
		"", " ", "+", "-", ".", "+.", "-.", "e", "e5", ".e5", "+e5", "1e", "1E", "1e+",
		"1e-", "1e5.", "1e5.0", "1e5e5", "1..2", "1.2.3", "..5", "+-1", "--1", "++1",
		" 1", "1 ", "\t1", "1\n", "1 2", "1,5", "1,000", "1_000", "0x10", "0x1p3", "0X1",
		"1f", "1.0f", "1d5", "1L", "1j", "i", "in", "infi", "infinit", "infinityy",
		".infinity", "inf.", "..inf", "- inf", "nanx", "na", "nan(1)", "nan()", "n",
		".na", "NULL", "none", "true", "\xe2\x88\x9e", "\xd9\xa1", "\xc2\xa0+1",
		"\x0einf", "\x0enan", "1e5 ", "1-", "1-2",
	};
	(void)state;

	for (size_t i = 0; i < COUNT(texts); i++)
		assert_refused(texts[i], strlen(texts[i]));
	assert_refused("1\0", 2);
	assert_refused("\0" "1", 2);
	assert_refused("1\0" "2", 3);
	assert_refused("inf\0", 4);
}

static void test_parse_stops_at_n(void **state)
{
	double value = 0;
	(void)state;

	assert_true(number_parse("12345", 3, &value));
	assert_same(value, 123.0);
	assert_true(number_parse("1e55", 3, &value));
	assert_same(value, 1e5);
	assert_true(number_parse("1.5x", 3, &value));
	assert_same(value, 1.5);
	assert_true(number_parse("infinity", 3, &value));
	assert_same(value, INFINITY);
	assert_false(number_parse("1e5", 2, &value));
	assert_false(number_parse("1", 0, &value));
}

static void test_parse_long(void **state)
{
	(void)state;

	/* Digits and exponents that make up for each other. */
	assert_long_parses("1", '0', 5000, "e-5000", 1.0);
	assert_long_parses("0.", '0', 4999, "1e5000", 1.0);
	assert_long_parses("-0.", '0', 100000, "25e100001", -2.5);
	assert_long_parses("1", '0', 100000, "", INFINITY);
	assert_long_parses(".", '0', 100000, "1", 0.0);
	assert_long_parses("0.", '0', 100000, "", 0.0);
	assert_long_parses("", '0', 100000, "12.5", 12.5);
	assert_long_parses("0.1", '0', 100000, "", 0.1);
	assert_long_parses("0.", '9', 100000, "", 1.0);
	assert_long_parses("0.", '3', 100000, "", 0x1.5555555555555p-2);
	assert_long_parses("1e", '0', 100000, "5", 1e5);
	assert_long_parses("1e", '9', 100000, "", INFINITY);
	/* One digit far behind decides a tie. */
	assert_long_parses("9007199254740993.", '0', 100000, "", 9007199254740992.0);
	assert_long_parses("9007199254740993.", '0', 100000, "1", 9007199254740994.0);
	assert_long_parses("9007199254740993.", '0', 100000, "1e0", 9007199254740994.0);
	assert_long_parses("9007199254740992.", '9', 100000, "", 9007199254740992.0);
	assert_long_parses("90071992547409930", '0', 5000, "e-5001", 9007199254740992.0);
	assert_long_parses("90071992547409930", '0', 5000, "1e-5002", 9007199254740994.0);
}

/* The middle of two doubles that takes the most digits: (2^54 - 1) / 2^1075,
 * which is (2^54 - 1) * 5^1075 with the point moved. */
static void test_parse_longest_tie(void **state)
{
	char text[800] = "18014398509481983";
	size_t n = strlen(text);
	(void)state;

	for (int power = 0; power < 1075; power++) {
		int carry = 0;
		for (size_t i = n; i-- > 0; carry /= 10) {
			carry += (text[i] - '0') * 5;
			text[i] = (char)('0' + carry % 10);
		}
		if (carry) {
			memmove(text + 1, text, n++);
			text[0] = (char)('0' + carry);
		}
	}
	assert_int_equal(n, 768);

	strcpy(text + n, "e-1075");
	assert_parses(text, 0x1p-1021);
	text[n - 1]--;
	assert_parses(text, 0x0.fffffffffffff8p-1021);
	strcpy(text + n - 1, "50e-1076");
	assert_parses(text, 0x1p-1021);
	strcpy(text + n - 1, "49e-1076");
	assert_parses(text, 0x0.fffffffffffff8p-1021);
}

static void test_parse_integer(void **state)
{
	static const struct { const char *text; long value; } good[] = {
		{ "0", 0 }, { "-0", 0 }, { "+0", 0 }, { "7", 7 }, { "+7", 7 }, { "-7", -7 },
		{ "007", 7 }, { "2147483647", 2147483647 },
	};
	static const char *const bad[] = {
		"", "+", "-", "+-1", "--1", " 1", "1 ", "1.", "1.0", "1e3", "0x10", "a", "1_0",
		"99999999999999999999", "-99999999999999999999",
		"340282366920938463463374607431768211457",
	};
	char text[64];
	long value;
	(void)state;

	for (size_t i = 0; i < COUNT(good); i++) {
		value = 99;
		assert_true(number_parse_integer(good[i].text, strlen(good[i].text), &value));
		assert_int_equal(value, good[i].value);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		value = 99;
		if (number_parse_integer(bad[i], strlen(bad[i]), &value))
			fail_msg("parsed: %s", bad[i]);
		assert_int_equal(value, 99);
	}
	assert_true(number_parse_integer("12345", 2, &value));
	assert_int_equal(value, 12);

	snprintf(text, sizeof text, "%ld", LONG_MAX);
	assert_true(number_parse_integer(text, strlen(text), &value));
	assert_true(value == LONG_MAX);
	text[strlen(text) - 1]++;	/* ends with 7, of 4 or 8 bytes alike */
	assert_false(number_parse_integer(text, strlen(text), &value));
	snprintf(text, sizeof text, "%ld", LONG_MIN);
	assert_true(number_parse_integer(text, strlen(text), &value));
	assert_true(value == LONG_MIN);
	text[strlen(text) - 1]++;
	assert_false(number_parse_integer(text, strlen(text), &value));
}

/* ---- one number as text ---- */

static void test_shortest(void **state)
{
	static const struct { double x; const char *text, *plain; } cases[] = {
		{ 0.0, "0.0", "0" }, { -0.0, "-0.0", "-0" }, { 1.0, "1.0", "1" },
		{ -12.0, "-12.0", "-12" }, { 0.1, "0.1", "0.1" }, { -0.25, "-0.25", "-0.25" },
		{ 100.0, "100.0", "100" }, { 10.5, "10.5", "10.5" },
		{ 1.0 / 3, "0.3333333333333333", "0.3333333333333333" },
		{ 2.0 / 3, "0.6666666666666666", "0.6666666666666666" },
		{ 0.1 + 0.2, "0.30000000000000004", "0.30000000000000004" },
		{ 0.7310585786300049, "0.7310585786300049", "0.7310585786300049" },
		{ 1e-4, "0.0001", "0.0001" }, { 1e-5, "1e-05", "1e-05" },
		{ 1.5e-5, "1.5e-05", "1.5e-05" }, { 9.999e-5, "9.999e-05", "9.999e-05" },
		{ 123456789.125, "123456789.125", "123456789.125" },
		{ 1e15, "1000000000000000.0", "1000000000000000" },
		{ 9999999999999998.0, "9999999999999998.0", "9999999999999998" },
		{ 1e16, "1e+16", "1e+16" }, { -1e16, "-1e+16", "-1e+16" },
		{ 1.2345e20, "1.2345e+20", "1.2345e+20" }, { 1e22, "1e+22", "1e+22" },
		{ 1e23, "1e+23", "1e+23" }, { 1e100, "1e+100", "1e+100" },
		{ 5e-324, "5e-324", "5e-324" }, { 1e-323, "1e-323", "1e-323" },
		{ -4.4465908125712e-310, "-4.4465908125712e-310", "-4.4465908125712e-310" },
		{ DBL_MIN, "2.2250738585072014e-308", "2.2250738585072014e-308" },
		{ 0x0.fffffffffffffp-1022, "2.225073858507201e-308", "2.225073858507201e-308" },
		{ DBL_MAX, "1.7976931348623157e+308", "1.7976931348623157e+308" },
		{ 0x1p-2, "0.25", "0.25" }, { 0x1p53, "9007199254740992.0", "9007199254740992" },
		{ 0x1p54, "1.8014398509481984e+16", "1.8014398509481984e+16" },
		{ 0x1p-44, "5.684341886080802e-14", "5.684341886080802e-14" },
		{ 0x1p-24, "5.960464477539063e-08", "5.960464477539063e-08" },
		{ 0x1p100, "1.2676506002282294e+30", "1.2676506002282294e+30" },
		{ 0x1p-1000, "9.332636185032189e-302", "9.332636185032189e-302" },
		{ INFINITY, "inf", "inf" }, { -INFINITY, "-inf", "-inf" }, { NAN, "nan", "nan" },
		{ -NAN, "nan", "nan" },
	};
	char text[NUMBER_SIZE];
	(void)state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		number_shortest(cases[i].x, text);
		assert_string_equal(text, cases[i].text);
		number_plain(cases[i].x, text);
		assert_string_equal(text, cases[i].plain);
	}
}

/* Powers of two and their neighbours are where a shortest text goes wrong. */
static void test_shortest_reads_back(void **state)
{
	char text[NUMBER_SIZE];
	(void)state;

	for (int exponent = -1074; exponent <= 1023; exponent++) {
		double power = ldexp(1.0, exponent);
		const double values[] = {
			power, -power, nextafter(power, 0), nextafter(power, INFINITY),
		};
		for (size_t i = 0; i < COUNT(values); i++) {
			number_shortest(values[i], text);
			assert_parses(text, values[i]);
			assert_true(strlen(text) <= 24);
			number_plain(values[i], text);
			assert_parses(text, values[i]);
		}
	}
}

static void test_fixed(void **state)
{
	static const struct { double x; int decimals; const char *text; } cases[] = {
		{ 0.27, 3, "0.270" }, { 1, 0, "1" }, { 0, 2, "0.00" }, { -0.0, 1, "-0.0" },
		{ -0.0001, 3, "-0.000" }, { 0.5, 0, "0" }, { 1.5, 0, "2" }, { 2.5, 0, "2" },
		/* 0.0625 is a tie; 2.675 lies below one. */
		{ 0.0625, 3, "0.062" }, { 0.1875, 3, "0.188" }, { 2.675, 2, "2.67" },
		{ 0.1, 20, "0.10000000000000000555" }, { 9.9996, 3, "10.000" },
		{ 1e22, 1, "10000000000000000000000.0" }, { -123.456, 1, "-123.5" },
		{ NAN, 3, "nan" }, { -NAN, 3, "nan" }, { INFINITY, 3, "inf" }, { -INFINITY, 0, "-inf" },
	};
	char text[NUMBER_SIZE];
	(void)state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		number_fixed(cases[i].x, cases[i].decimals, text);
		assert_string_equal(text, cases[i].text);
	}

	/* The longest text there is: sign, 309 digits, point, 200 digits. */
	number_fixed(-DBL_MAX, 200, text);
	assert_int_equal(strlen(text), 1 + 309 + 1 + 200);
	number_fixed(-DBL_MAX, INT_MAX, text);
	assert_int_equal(strlen(text), 1 + 309 + 1 + 200);
	number_fixed(1.75, -1, text);
	assert_string_equal(text, "2");
}

/* ---- arithmetic ---- */

static void test_round(void **state)
{
	static const struct { double x; int decimals; double rounded; } cases[] = {
		{ 0.5, 0, 0.0 }, { 1.5, 0, 2.0 }, { 2.5, 0, 2.0 }, { -0.5, 0, -0.0 },
		{ 0.0625, 3, 0.062 }, { -0.0004, 3, -0.0 }, { 0.2689414213699951, 3, 0.269 },
		/* Half to even on the product, where the decimal text says otherwise. */
		{ 0.0005, 3, 0.0 }, { 0.0015, 3, 0.002 }, { 2.0005, 3, 2.001 },
		{ 1.0045, 3, 1.004 }, { 0.25, 1, 0.2 }, { 0.35, 1, 0.4 }, { 0.45, 1, 0.4 },
		{ 1e308, 3, INFINITY }, { -1e308, 3, -INFINITY }, { 1e308, 0, 1e308 },
		{ 1.0 / 3, 25, 0.3333333333333333 }, { 123456.789, 25, 123456.789 },
		{ 1e-300, 300, 9.999999999999999e-301 }, { 1.5, 300, 1.5 }, { 1e9, 300, INFINITY },
		{ INFINITY, 3, INFINITY }, { -INFINITY, 3, -INFINITY }, { NAN, 3, NAN },
	};
	(void)state;

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_same(number_round(cases[i].x, cases[i].decimals), cases[i].rounded);
}

static void test_sum(void **state)
{
	/* np.sum(1/(k*k)) and np.sum(0.1*k), k = 1, 2, ... n. */
	static const struct { size_t n; double squares, tenths; } cases[] = {
		{ 1, 0x1.0000000000000p+0, 0x1.999999999999ap-4 },
		{ 7, 0x1.830521b131047p+0, 0x1.6666666666667p+1 },
		{ 8, 0x1.870521b131047p+0, 0x1.ccccccccccccdp+1 },
		{ 9, 0x1.8a2e37d0cbe1bp+0, 0x1.2000000000000p+2 },
		{ 15, 0x1.9497bc02ad5c5p+0, 0x1.8000000000000p+3 },
		{ 16, 0x1.9597bc02ad5c5p+0, 0x1.b333333333334p+3 },
		{ 127, 0x1.a31864cfdc38fp+0, 0x1.9666666666667p+9 },
		{ 128, 0x1.a31c64cfdc391p+0, 0x1.9cccccccccccdp+9 },
		{ 129, 0x1.a32054ff5d760p+0, 0x1.a340000000000p+9 },
		{ 136, 0x1.a33a48b00a135p+0, 0x1.d1ccccccccccdp+9 },
		{ 300, 0x1.a4404f31f4130p+0, 0x1.1a30000000000p+12 },
		{ 8192, 0x1.a512664530280p+0, 0x1.99a6666666667p+21 },
		{ 8193, 0x1.a51266852c283p+0, 0x1.99c000ccccccdp+21 },
		{ 10000, 0x1.a513d881ef164p+0, 0x1.3134d00000000p+22 },
		{ 20000, 0x1.a5171f4e3177bp+0, 0x1.3130e80000000p+24 },
	};
	double *squares = malloc(20000 * sizeof *squares);
	double *tenths = malloc(20000 * sizeof *tenths);
	(void)state;

	assert_non_null(squares);
	assert_non_null(tenths);
	for (size_t i = 0; i < 20000; i++) {
		squares[i] = 1 / ((double)(i + 1) * (double)(i + 1));
		tenths[i] = 0.1 * (double)(i + 1);
	}
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_same(number_sum(squares, cases[i].n), cases[i].squares);
		assert_same(number_sum(tenths, cases[i].n), cases[i].tenths);
	}
	free(squares);
	free(tenths);
}

static void test_sum_special(void **state)
{
	const double negative_zeros[9] = { -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0 };
	const double infinities[2] = { INFINITY, -INFINITY };
	(void)state;

	assert_same(number_sum(NULL, 0), 0.0);
	assert_same(number_sum(negative_zeros, 1), 0.0);
	assert_same(number_sum(negative_zeros, 9), 0.0);
	assert_same(number_sum(infinities, 1), INFINITY);
	assert_same(number_sum(infinities, 2), NAN);
}

/* ---- arrays ---- */

static void assert_array(const char *name, const double *a, int rank, const size_t *shape,
			 const char *expected)
{
	struct buffer out = { 0 };

	number_array(&out, a, rank, shape);
	assert_false(out.failed);
	if (strcmp(out.data, expected) != 0)
		fail_msg("%s:\n%s\nand not\n%s", name, out.data, expected);
	assert_int_equal(out.size, strlen(expected));
	buffer_free(&out);
}

static const struct {
	const char *name;
	int rank;
	size_t shape[4];
	double values[12];
	const char *text;
} arrays[] = {
	{
		"one whole number", 1, { 1 },
		{ 1.0 },
		"[1.]"
	},
	{
		"zeros", 1, { 3 },
		{ 0.0, 0.0, -0.0 },
		"[ 0.  0. -0.]"
	},
	{
		"a fraction", 1, { 3 },
		{ 0.25, -1.5, 100.0 },
		"[  0.25  -1.5  100.  ]"
	},
	{
		"ints", 2, { 2, 2 },
		{ 1.0, -2.0, 300.0, 4.0 },
		"[[  1.  -2.]\n"
		" [300.   4.]]"
	},
	{
		"seed 000 scores", 2, { 2, 2 },
		{ 2.0, 2.0, 0.0, 2.0 },
		"[[2. 2.]\n"
		" [0. 2.]]"
	},
	{
		"weights", 2, { 3, 4 },
		{ 1.0, 0.0, 0.0, 0.0, 0.827, 0.173, 0.0, 0.0, 0.34, 0.413, 0.247, 0.0 },
		"[[1.    0.    0.    0.   ]\n"
		" [0.827 0.173 0.    0.   ]\n"
		" [0.34  0.413 0.247 0.   ]]"
	},
	{
		"eight decimals", 1, { 3 },
		{ 0.3333333333333333, 0.6666666666666666, 33.333333333333336 },
		"[ 0.33333333  0.66666667 33.33333333]"
	},
	{
		"rounded to eight decimals", 1, { 3 },
		{ 0.123456785, 0.999999999, 1.5 },
		"[0.12345678 1.         1.5       ]"
	},
	{
		"nan and inf", 1, { 2 },
		{ 2.0, -INFINITY },
		"[  2. -inf]"
	},
	{
		"nan alone", 1, { 1 },
		{ NAN },
		"[nan]"
	},
	{
		"inf alone", 1, { 2 },
		{ INFINITY, -INFINITY },
		"[ inf -inf]"
	},
	{
		"nan wide", 1, { 2 },
		{ NAN, 0.5 },
		"[nan 0.5]"
	},
	{
		"inf without a minus", 1, { 2 },
		{ INFINITY, 1.0 },
		"[inf  1.]"
	},
	{
		"specials in exponent form", 1, { 4 },
		{ 1e-10, NAN, -INFINITY, 1.0 },
		"[1.e-10    nan   -inf 1.e+00]"
	},
	{
		"ratio of exactly 1000", 1, { 2 },
		{ 1.0, 1000.0 },
		"[   1. 1000.]"
	},
	{
		"ratio above 1000", 1, { 2 },
		{ 1.0, 1001.0 },
		"[1.000e+00 1.001e+03]"
	},
	{
		"large", 1, { 1 },
		{ 100000000.0 },
		"[1.e+08]"
	},
	{
		"just below", 1, { 2 },
		{ 99999999.0, 100000.0 },
		"[99999999.   100000.]"
	},
	{
		"just not small", 1, { 2 },
		{ 0.0001, 0.05 },
		"[0.0001 0.05  ]"
	},
	{
		"small", 1, { 2 },
		{ 1e-05, 1.0 },
		"[1.e-05 1.e+00]"
	},
	{
		"whole exponents", 1, { 2 },
		{ 100000000.0, 10000000000.0 },
		"[1.e+08 1.e+10]"
	},
	{
		"three digits of exponent", 1, { 3 },
		{ 1e+100, -1e-100, 0.0 },
		"[ 1.e+100 -1.e-100  0.e+000]"
	},
	{
		"smallest", 1, { 1 },
		{ 5e-324 },
		"[5.e-324]"
	},
	{
		"largest and least", 1, { 3 },
		{ 5e-324, 1.7976931348623157e+308, -1.5 },
		"[ 4.94065646e-324  1.79769313e+308 -1.50000000e+000]"
	},
	{
		"rounds up into three", 1, { 2 },
		{ 9.9999999999e+99, 1.0 },
		"[1.e+100 1.e+000]"
	},
	{
		"masked scores", 2, { 2, 2 },
		{ 0.5, -INFINITY, 1.25, -0.0 },
		"[[ 0.5   -inf]\n"
		" [ 1.25 -0.  ]]"
	},
	{
		"a matrix of matrices", 3, { 2, 2, 2 },
		{ 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0 },
		"[[[0. 1.]\n"
		"  [2. 3.]]\n"
		"\n"
		" [[4. 5.]\n"
		"  [6. 7.]]]"
	},
	{
		"four axes", 4, { 2, 1, 2, 1 },
		{ 0.0, 1.0, 2.0, 3.0 },
		"[[[[0.]\n"
		"   [1.]]]\n"
		"\n"
		"\n"
		" [[[2.]\n"
		"   [3.]]]]"
	},
	{
		"a column", 2, { 3, 1 },
		{ 0.1, -0.2, NAN },
		"[[ 0.1]\n"
		" [-0.2]\n"
		" [ nan]]"
	},
};

static void test_arrays(void **state)
{
	(void)state;

	for (size_t i = 0; i < COUNT(arrays); i++)
		assert_array(arrays[i].name, arrays[i].values, arrays[i].rank, arrays[i].shape,
			     arrays[i].text);
}

/* np.arange(n).reshape(shape) * step: long lines, and summaries. */
static const struct {
	const char *name;
	int rank;
	size_t shape[3];
	double step;
	const char *text;
} ranges[] = {
	{
		"a line of twelve", 1, { 16 }, 0.125,
		"[0.    0.125 0.25  0.375 0.5   0.625 0.75  0.875 1.    1.125 1.25  1.375\n"
		" 1.5   1.625 1.75  1.875]"
	},
	{
		"four lines", 1, { 40 }, 0.125,
		"[0.    0.125 0.25  0.375 0.5   0.625 0.75  0.875 1.    1.125 1.25  1.375\n"
		" 1.5   1.625 1.75  1.875 2.    2.125 2.25  2.375 2.5   2.625 2.75  2.875\n"
		" 3.    3.125 3.25  3.375 3.5   3.625 3.75  3.875 4.    4.125 4.25  4.375\n"
		" 4.5   4.625 4.75  4.875]"
	},
	{
		"long rows", 2, { 2, 20 }, 0.125,
		"[[0.    0.125 0.25  0.375 0.5   0.625 0.75  0.875 1.    1.125 1.25  1.375\n"
		"  1.5   1.625 1.75  1.875 2.    2.125 2.25  2.375]\n"
		" [2.5   2.625 2.75  2.875 3.    3.125 3.25  3.375 3.5   3.625 3.75  3.875\n"
		"  4.    4.125 4.25  4.375 4.5   4.625 4.75  4.875]]"
	},
	{
		"room for three brackets", 3, { 1, 1, 24 }, 0,
		"[[[0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0.\n"
		"   0.]]]"
	},
	{
		"blanks cut at a line's end", 1, { 40 }, 0.2,
		"[0.  0.2 0.4 0.6 0.8 1.  1.2 1.4 1.6 1.8 2.  2.2 2.4 2.6 2.8 3.  3.2 3.4\n"
		" 3.6 3.8 4.  4.2 4.4 4.6 4.8 5.  5.2 5.4 5.6 5.8 6.  6.2 6.4 6.6 6.8 7.\n"
		" 7.2 7.4 7.6 7.8]"
	},
	{
		"long rows, three axes", 3, { 2, 1, 14 }, 0.5,
		"[[[ 0.   0.5  1.   1.5  2.   2.5  3.   3.5  4.   4.5  5.   5.5  6.   6.5]]\n"
		"\n"
		" [[ 7.   7.5  8.   8.5  9.   9.5 10.  10.5 11.  11.5 12.  12.5 13.  13.5]]]"
	},
	{
		"cut both ways", 2, { 40, 30 }, 0.25,
		"[[0.0000e+00 2.5000e-01 5.0000e-01 ... 6.7500e+00 7.0000e+00 7.2500e+00]\n"
		" [7.5000e+00 7.7500e+00 8.0000e+00 ... 1.4250e+01 1.4500e+01 1.4750e+01]\n"
		" [1.5000e+01 1.5250e+01 1.5500e+01 ... 2.1750e+01 2.2000e+01 2.2250e+01]\n"
		" ...\n"
		" [2.7750e+02 2.7775e+02 2.7800e+02 ... 2.8425e+02 2.8450e+02 2.8475e+02]\n"
		" [2.8500e+02 2.8525e+02 2.8550e+02 ... 2.9175e+02 2.9200e+02 2.9225e+02]\n"
		" [2.9250e+02 2.9275e+02 2.9300e+02 ... 2.9925e+02 2.9950e+02 2.9975e+02]]"
	},
	{
		"cut, minus signs", 2, { 7, 200 }, -1,
		"[[-0.000e+00 -1.000e+00 -2.000e+00 ... -1.970e+02 -1.980e+02 -1.990e+02]\n"
		" [-2.000e+02 -2.010e+02 -2.020e+02 ... -3.970e+02 -3.980e+02 -3.990e+02]\n"
		" [-4.000e+02 -4.010e+02 -4.020e+02 ... -5.970e+02 -5.980e+02 -5.990e+02]\n"
		" ...\n"
		" [-8.000e+02 -8.010e+02 -8.020e+02 ... -9.970e+02 -9.980e+02 -9.990e+02]\n"
		" [-1.000e+03 -1.001e+03 -1.002e+03 ... -1.197e+03 -1.198e+03 -1.199e+03]\n"
		" [-1.200e+03 -1.201e+03 -1.202e+03 ... -1.397e+03 -1.398e+03 -1.399e+03]]"
	},
	{
		"cut columns only", 2, { 2, 600 }, 1,
		"[[0.000e+00 1.000e+00 2.000e+00 ... 5.970e+02 5.980e+02 5.990e+02]\n"
		" [6.000e+02 6.010e+02 6.020e+02 ... 1.197e+03 1.198e+03 1.199e+03]]"
	},
	{
		"cut rows only", 2, { 2000, 2 }, 1,
		"[[0.000e+00 1.000e+00]\n"
		" [2.000e+00 3.000e+00]\n"
		" [4.000e+00 5.000e+00]\n"
		" ...\n"
		" [3.994e+03 3.995e+03]\n"
		" [3.996e+03 3.997e+03]\n"
		" [3.998e+03 3.999e+03]]"
	},
	{
		"three axes cut", 3, { 3, 3, 120 }, 1,
		"[[[0.000e+00 1.000e+00 2.000e+00 ... 1.170e+02 1.180e+02 1.190e+02]\n"
		"  [1.200e+02 1.210e+02 1.220e+02 ... 2.370e+02 2.380e+02 2.390e+02]\n"
		"  [2.400e+02 2.410e+02 2.420e+02 ... 3.570e+02 3.580e+02 3.590e+02]]\n"
		"\n"
		" [[3.600e+02 3.610e+02 3.620e+02 ... 4.770e+02 4.780e+02 4.790e+02]\n"
		"  [4.800e+02 4.810e+02 4.820e+02 ... 5.970e+02 5.980e+02 5.990e+02]\n"
		"  [6.000e+02 6.010e+02 6.020e+02 ... 7.170e+02 7.180e+02 7.190e+02]]\n"
		"\n"
		" [[7.200e+02 7.210e+02 7.220e+02 ... 8.370e+02 8.380e+02 8.390e+02]\n"
		"  [8.400e+02 8.410e+02 8.420e+02 ... 9.570e+02 9.580e+02 9.590e+02]\n"
		"  [9.600e+02 9.610e+02 9.620e+02 ... 1.077e+03 1.078e+03 1.079e+03]]]"
	},
	{
		"six are not cut", 2, { 6, 200 }, 1,
		"[[0.000e+00 1.000e+00 2.000e+00 ... 1.970e+02 1.980e+02 1.990e+02]\n"
		" [2.000e+02 2.010e+02 2.020e+02 ... 3.970e+02 3.980e+02 3.990e+02]\n"
		" [4.000e+02 4.010e+02 4.020e+02 ... 5.970e+02 5.980e+02 5.990e+02]\n"
		" [6.000e+02 6.010e+02 6.020e+02 ... 7.970e+02 7.980e+02 7.990e+02]\n"
		" [8.000e+02 8.010e+02 8.020e+02 ... 9.970e+02 9.980e+02 9.990e+02]\n"
		" [1.000e+03 1.001e+03 1.002e+03 ... 1.197e+03 1.198e+03 1.199e+03]]"
	},
};

/* The caller frees. */
static double *make_range(size_t n, double step)
{
	double *a = malloc(n * sizeof *a);

	assert_non_null(a);
	for (size_t i = 0; i < n; i++)
		a[i] = (double)i * step;
	return a;
}

static void test_ranges(void **state)
{
	(void)state;

	for (size_t i = 0; i < COUNT(ranges); i++) {
		size_t n = 1;
		for (int j = 0; j < ranges[i].rank; j++)
			n *= ranges[i].shape[j];
		double *a = make_range(n, ranges[i].step);
		assert_array(ranges[i].name, a, ranges[i].rank, ranges[i].shape, ranges[i].text);
		free(a);
	}
}

/* 1000 elements are still shown in full, in 72 lines; 1001 are not. */
static void test_threshold(void **state)
{
	double *a = make_range(1001, 1);
	struct buffer out = { 0 };
	size_t n = 1000, lines = 1;
	(void)state;

	number_array(&out, a, 1, &n);
	assert_false(out.failed);
	for (size_t i = 0; i < out.size; i++)
		lines += out.data[i] == '\n';
	assert_int_equal(lines, 72);
	assert_int_equal(out.size, 5072);
	assert_null(strstr(out.data, "..."));
	buffer_free(&out);

	n = 1001;
	assert_array("1001", a, 1, &n, "[   0.    1.    2. ...  998.  999. 1000.]");
	free(a);
}

/* What a summary hides has no part in the layout. */
static void test_hidden_values(void **state)
{
	const size_t n = 2000;
	double *a = make_range(n, 1);
	(void)state;

	for (size_t i = 0; i < n; i++)
		a[i] -= 1000;
	a[1] = NAN;
	a[1000] = 1e300;
	a[1001] = -INFINITY;
	assert_array("hidden", a, 1, &n, "[-1000.    nan  -998. ...   997.   998.   999.]");
	free(a);
}

static void test_empty(void **state)
{
	const size_t shapes[][3] = { { 0 }, { 0, 5 }, { 3, 0 }, { 2, 3, 0 }, { SIZE_MAX, 2, 0 } };
	const int ranks[] = { 1, 2, 2, 3, 3 };
	(void)state;

	for (size_t i = 0; i < COUNT(ranks); i++)
		assert_array("empty", NULL, ranks[i], shapes[i], "[]");
}

static void test_no_axes(void **state)
{
	const double x = 0.1;
	(void)state;

	assert_array("no axes", &x, 0, NULL, "0.1");
}

static void test_array_is_appended(void **state)
{
	struct buffer out = { 0 };
	const double a[2] = { 1, 2.5 };
	const size_t n = 2;
	(void)state;

	buffer_text(&out, "a = ");
	number_array(&out, a, 1, &n);
	buffer_text(&out, ";");
	assert_string_equal(out.data, "a = [1.  2.5];");
	buffer_free(&out);
}

/* A buffer that failed is left alone. */
static void test_failed_buffer(void **state)
{
	struct buffer out = { .failed = true };
	double *a = make_range(100, 0.125);
	const size_t n = 100;
	(void)state;

	number_array(&out, a, 1, &n);
	assert_true(out.failed);
	assert_null(out.data);
	assert_int_equal(out.size, 0);
	free(a);
}

/* A wide character that the C locale does not have: nothing half is written. */
static void test_format_fails(void **state)
{
	struct buffer out = { 0 };

	(void)state;
	buffer_text(&out, "a");
	buffer_format(&out, "%lc", (wint_t)0x10ffff);
	assert_true(out.failed);
	buffer_format(&out, "%d", 1);
	assert_int_equal(out.size, 1);
	buffer_free(&out);
}

/* ---- errors ---- */

/* What an error makes of a text. */
static void check_printable(const char *text, const char *wanted)
{
	struct error e = { 0 };

	error_set(&e, E_VALUE, "%s", text);
	assert_string_equal(e.text, wanted);
}

static void test_errors_are_printable(void **state)
{
	char text[600];
	struct error e = { 0 };

	(void)state;
	check_printable("a\x1b[0m\tb\x7f\n", "a?[0m?b??");
	check_printable("\xc2\x80\xc2\x9b" "2J\xc2\x9f\xc2\xa0", "????2J??\xc2\xa0");
	check_printable("가é€\xf0\x9f\x98\x80", "가é€\xf0\x9f\x98\x80");
	check_printable("\x9b" "2J \xc0\x80 \xff \xed\xa0\x80 \xf4\x90\x80\x80 \xe0\x80\x80", "?2J ?? ? ??? ???? ???");
	check_printable("\xea\xb0", "??");
	check_printable("\xea\xb0x", "??x");
	/* Cut within a character of three bytes. */
	memset(text, 'a', sizeof text);
	memcpy(text + sizeof e.text - 3, "가", 3);
	text[sizeof text - 1] = '\0';
	error_set(&e, E_VALUE, "%s", text);
	assert_int_equal(strlen(e.text), sizeof e.text - 1);
	assert_string_equal(e.text + sizeof e.text - 4, "a??");
}
static void test_parse_answer(void **state)
{
	static const struct { const char *text; double is; } good[] = {
		{ "0.27", 0.27 }, { "0,27", 0.27 }, { "-1,5e1", -15 }, { "27%", 0.27 }, { "12,5%", 0.125 }, { "1/2", 0.5 },
		{ "-1/4", -0.25 }, { "2,5/5", 0.5 }, { "1/0", INFINITY }, { "inf", INFINITY },
	};
	static const char *const bad[] = { "", "%", "/", "1/", "/2", "1/2/3", "1/2%", "1,2,3", "1.2,3", "0,27 ", "27%%", "half" };
	double x = 7;

	(void)state;
	for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
		assert_true(number_parse_answer(good[k].text, strlen(good[k].text), &x));
		assert_true(x == good[k].is);
	}
	x = 7;
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
		assert_false(number_parse_answer(bad[k], strlen(bad[k]), &x));
	assert_true(x == 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_parse_refuses),
		cmocka_unit_test(test_parse_answer),
		cmocka_unit_test(test_parse_stops_at_n),
		cmocka_unit_test(test_parse_long),
		cmocka_unit_test(test_parse_longest_tie),
		cmocka_unit_test(test_parse_integer),
		cmocka_unit_test(test_shortest),
		cmocka_unit_test(test_shortest_reads_back),
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_round),
		cmocka_unit_test(test_sum),
		cmocka_unit_test(test_sum_special),
		cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_threshold),
		cmocka_unit_test(test_hidden_values),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_no_axes),
		cmocka_unit_test(test_array_is_appended),
		cmocka_unit_test(test_failed_buffer),
		cmocka_unit_test(test_format_fails),
		cmocka_unit_test(test_errors_are_printable),
	};

	return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
