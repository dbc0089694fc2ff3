/* test_dtype.c - rounding to the narrower number types.
 *
 * The table is NumPy 1.24.2's: float32(x), float16(x), and for bfloat16 the
 * upper half of float32(x), nearest even. The exhaustive parts decode the bits
 * of every number by the formats' definition.
 */
#include "tests/fixture.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/dtype.h"

static const struct { double x, f32, f16, bf16; } table[] = {
	{ 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0 },
	{ -0x0p+0, -0x0p+0, -0x0p+0, -0x0p+0 },
	{ 0x1p+0, 0x1p+0, 0x1p+0, 0x1p+0 },
	{ 0x1.999999999999ap-4, 0x1.99999ap-4, 0x1.998p-4, 0x1.9ap-4 },
	{ -0x1.999999999999ap-4, -0x1.99999ap-4, -0x1.998p-4, -0x1.9ap-4 },
	{ 0x1.5555555555555p-2, 0x1.555556p-2, 0x1.554p-2, 0x1.56p-2 },
	{ 0x1p-24, 0x1p-24, 0x1p-24, 0x1p-24 },
	{ 0x1p-25, 0x1p-25, 0x0p+0, 0x1p-25 },
	{ 0x1.000001ad7f29bp-25, 0x1.000002p-25, 0x1p-24, 0x1p-25 },
	{ 0x1.8p-24, 0x1.8p-24, 0x1p-23, 0x1.8p-24 },
	{ 0x1p-14, 0x1p-14, 0x1p-14, 0x1p-14 },
	{ 0x1.ff7413f9063bbp-15, 0x1.ff7414p-15, 0x1.ff8p-15, 0x1p-14 },
	{ 0x1.ffep+10, 0x1.ffep+10, 0x1p+11, 0x1p+11 },
	{ 0x1.001p+11, 0x1.001p+11, 0x1p+11, 0x1p+11 },
	{ 0x1.002p+11, 0x1.002p+11, 0x1p+11, 0x1p+11 },
	{ 0x1.006p+11, 0x1.006p+11, 0x1.008p+11, 0x1p+11 },
	{ 0x1.ffcp+15, 0x1.ffcp+15, 0x1.ffcp+15, 0x1p+16 },
	{ 0x1.ffdep+15, 0x1.ffdep+15, 0x1.ffcp+15, 0x1p+16 },
	{ 0x1.ffdffae147ae1p+15, 0x1.ffdffap+15, 0x1.ffcp+15, 0x1p+16 },
	{ 0x1.ffep+15, 0x1.ffep+15, INFINITY, 0x1p+16 },
	{ 0x1p+16, 0x1p+16, INFINITY, 0x1p+16 },
	{ -0x1.ffep+15, -0x1.ffep+15, -INFINITY, -0x1p+16 },
	{ 0x1.5798ee2308c3ap-27, 0x1.5798eep-27, 0x0p+0, 0x1.58p-27 },
	{ 0x1.86ap+16, 0x1.86ap+16, INFINITY, 0x1.86p+16 },
	{ -0x1.dcd65p+29, -0x1.dcd65p+29, -INFINITY, -0x1.dcp+29 },
	{ -0x1.ffcp+15, -0x1.ffcp+15, -0x1.ffcp+15, -0x1p+16 },
	{ 0x1.fffffep+127, 0x1.fffffep+127, INFINITY, INFINITY },
	{ 0x1.ffffffp+127, INFINITY, INFINITY, INFINITY },
	{ 0x1.fffffefffffffp+127, 0x1.fffffep+127, INFINITY, INFINITY },
	{ -0x1.fffffep+127, -0x1.fffffep+127, -INFINITY, -INFINITY },
	{ 0x1.fe000001e3af1p+127, 0x1.fep+127, INFINITY, 0x1.fep+127 },
	{ 0x1.ffp+127, 0x1.ffp+127, INFINITY, INFINITY },
	{ 0x1.fef9296d37c06p+127, 0x1.fef92ap+127, INFINITY, 0x1.fep+127 },
	{ 0x1.78287f49c4a1dp+129, INFINITY, INFINITY, INFINITY },
	{ 0x1.6d601ad376ab9p-150, 0x1p-149, 0x0p+0, 0x0p+0 },
	{ 0x1.ff868bf4d956ap-151, 0x0p+0, 0x0p+0, 0x0p+0 },
	{ 0x1p-126, 0x1p-126, 0x0p+0, 0x1p-126 },
	{ 0x1.16c262777579cp-133, 0x1.16c2p-133, 0x0p+0, 0x1p-133 },
	{ 0x1.000001p+24, 0x1p+24, INFINITY, 0x1p+24 },
	{ 0x1.000003p+24, 0x1.000004p+24, INFINITY, 0x1p+24 },
	{ 0x1.01p+0, 0x1.01p+0, 0x1.01p+0, 0x1p+0 },
	{ 0x1.03p+0, 0x1.03p+0, 0x1.03p+0, 0x1.04p+0 },
	{ 0x1.0100000001p+0, 0x1.01p+0, 0x1.01p+0, 0x1p+0 },
	{ 0x1.008p+8, 0x1.008p+8, 0x1.008p+8, 0x1p+8 },
	{ 0x1.01p+8, 0x1.01p+8, 0x1.01p+8, 0x1p+8 },
	{ 0x1.1ccf385ebc8ap+1023, INFINITY, INFINITY, INFINITY },
	{ -0x1.1ccf385ebc8ap+1023, -INFINITY, -INFINITY, -INFINITY },
	{ 0x0.0000000000001p-1022, 0x0p+0, 0x0p+0, 0x0p+0 },
	{ INFINITY, INFINITY, INFINITY, INFINITY },
	{ -INFINITY, -INFINITY, -INFINITY, -INFINITY },
};

static void numpys_numbers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		assert_same(dtype_round(table[i].x, DTYPE_F64), table[i].x);
		assert_same(dtype_round(table[i].x, DTYPE_F32), table[i].f32);
		assert_same(dtype_round(table[i].x, DTYPE_F16), table[i].f16);
		assert_same(dtype_round(table[i].x, DTYPE_BF16), table[i].bf16);
	}
	for (int t = 0; t < DTYPE_COUNT; t++)
		assert_true(isnan(dtype_round(NAN, (enum dtype)t)));
}

/* The fills that people meet (NumPy and torch agree on them). */
static void the_usual_fills(void **state)
{
	(void)state;
	assert_same(dtype_round(-1e9, DTYPE_F16), -INFINITY);
	assert_same(dtype_round(-1e9, DTYPE_BF16), -998244352.0);
	assert_same(dtype_round(-65504, DTYPE_BF16), -65536.0);
	assert_same(dtype_round(-FLT_MAX, DTYPE_BF16), -INFINITY);
	assert_same(dtype_round(-1e9, DTYPE_F32), -1e9);
	assert_same(dtype_round(-1e4, DTYPE_F16), -10000.0);
}

/* ---- every number of 16 bits ---- */

/* A format with that many bits of fraction and of exponent, by its definition. */
static double decode(unsigned bits, int fraction_bits, int exponent_bits)
{
	int fraction = (int)(bits & ((1u << fraction_bits) - 1));
	int exponent = (int)(bits >> fraction_bits & ((1u << exponent_bits) - 1));
	int bias = (1 << (exponent_bits - 1)) - 1;
	double sign = bits >> 15 & 1 ? -1 : 1;

	if (exponent == (1 << exponent_bits) - 1)
		return fraction ? NAN : sign * INFINITY;
	if (!exponent)
		return sign * ldexp(fraction, 1 - bias - fraction_bits);
	return sign * ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}

static void every_number_stays(enum dtype t, int fraction_bits, int exponent_bits)
{
	for (unsigned bits = 0; bits < 0x10000; bits++) {
		double x = decode(bits, fraction_bits, exponent_bits);
		if (!same_number(dtype_round(x, t), x))
			fail_msg("%s: bits %04x are %a and become %a", dtype_name(t), bits, x, dtype_round(x, t));
	}
}

/* Halfway between two neighbours goes to the one whose last bit is 0; the
 * nearest numbers on either side of halfway go to their own side. */
static void every_tie_goes_to_even(enum dtype t, int fraction_bits, int exponent_bits, bool by_float)
{
	unsigned last = ((1u << exponent_bits) - 1) << fraction_bits;	/* infinity */

	for (unsigned bits = 0; bits + 1 < last; bits++)
		for (int sign = -1; sign <= 1; sign += 2) {
			double low = decode(bits, fraction_bits, exponent_bits), high = decode(bits + 1, fraction_bits, exponent_bits);
			double middle = (low + high) / 2;
			double below = by_float ? nextafterf((float)middle, 0) : nextafter(middle, 0);
			double above = by_float ? nextafterf((float)middle, INFINITY) : nextafter(middle, INFINITY);
			assert_same(dtype_round(sign * middle, t), sign * (bits % 2 ? high : low));
			assert_same(dtype_round(sign * below, t), sign * low);
			assert_same(dtype_round(sign * above, t), sign * high);
		}
}

static void all_of_f16(void **state)
{
	(void)state;
	every_number_stays(DTYPE_F16, 10, 5);
	every_tie_goes_to_even(DTYPE_F16, 10, 5, false);
}

static void all_of_bf16(void **state)
{
	(void)state;
	every_number_stays(DTYPE_BF16, 7, 8);
	every_tie_goes_to_even(DTYPE_BF16, 7, 8, true);
}

static void rounding_keeps_order(void **state)
{
	struct dice d = { 1 };

	(void)state;
	for (int n = 0; n < 200000; n++) {
		double a = ldexp(dice_between(&d, -1, 1), (int)dice_below(&d, 300) - 150);
		double b = a * dice_between(&d, 0.99, 1.01);
		for (int t = 0; t < DTYPE_COUNT; t++) {
			double x = dtype_round(a, (enum dtype)t), y = dtype_round(b, (enum dtype)t);
			assert_true(a <= b ? x <= y : x >= y);
			assert_same(dtype_round(x, (enum dtype)t), x);
			assert_same(dtype_round(-a, (enum dtype)t), -x);
		}
	}
}

/* ---- the rest ---- */

static void lowest_numbers(void **state)
{
	static const double lowest[] = { -DBL_MAX, -FLT_MAX, -65504, -3.3895313892515355e38 };

	(void)state;
	for (int t = 0; t < DTYPE_COUNT; t++) {
		assert_same(dtype_lowest((enum dtype)t), lowest[t]);
		assert_same(dtype_round(lowest[t], (enum dtype)t), lowest[t]);
	}
	assert_same(dtype_lowest(DTYPE_F16), decode(0xfbff, 10, 5));
	assert_same(dtype_lowest(DTYPE_BF16), decode(0xff7f, 7, 8));
}

static void tolerances_of_sums(void **state)
{
	(void)state;
	assert_same(dtype_sum_tolerance(DTYPE_F64, 1), 1e-9);
	assert_same(dtype_sum_tolerance(DTYPE_F64, 100000), 1e-9);
	assert_same(dtype_sum_tolerance(DTYPE_F32, 3), 1e-5);
	assert_same(dtype_sum_tolerance(DTYPE_F16, 4), 4.0 / 2048);
	assert_same(dtype_sum_tolerance(DTYPE_F16, 40), 40.0 / 2048);
	assert_same(dtype_sum_tolerance(DTYPE_F16, 41), 0.02);
	assert_same(dtype_sum_tolerance(DTYPE_BF16, 5), 5.0 / 256);
	assert_same(dtype_sum_tolerance(DTYPE_BF16, 6), 0.02);
	assert_same(dtype_sum_tolerance(DTYPE_BF16, 1000000), 0.02);
}

static void names(void **state)
{
	(void)state;
	assert_string_equal(dtype_name(DTYPE_F64), "f64");
	assert_string_equal(dtype_name(DTYPE_F32), "f32");
	assert_string_equal(dtype_name(DTYPE_F16), "f16");
	assert_string_equal(dtype_name(DTYPE_BF16), "bf16");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numpys_numbers),
		cmocka_unit_test(the_usual_fills),
		cmocka_unit_test(all_of_f16),
		cmocka_unit_test(all_of_bf16),
		cmocka_unit_test(rounding_keeps_order),
		cmocka_unit_test(lowest_numbers),
		cmocka_unit_test(tolerances_of_sums),
		cmocka_unit_test(names),
	};
	return cmocka_run_group_tests_name("dtype", tests, NULL, NULL);
}
