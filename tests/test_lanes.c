/* test_lanes.c - the kernel at each width that this processor runs: its exp against libm's,
 * its sums, its number types.
 */
#include "tests/fixture.h"

#include <math.h>
#include <string.h>

#include "core/lanes.h"
#include "core/tensor_view.h"

enum { KERNELS = LANES_KERNELS };

/* NULL where this processor does not run it. */
static const struct lanes *kernel(size_t which)
{
	const struct lanes *l = lanes_kernel(which);
	return lanes_usable(l) ? l : NULL;
}

/* ---- exp ---- */

static double ulps(float got, double wanted)
{
	float near = (float)wanted;
	return fabs((double)got - wanted) / (double)(nextafterf(near, INFINITY) - near);
}

static void exp_is_precise(void **state)
{
	enum { RUN = 4096 };
	static float x[RUN], y[RUN];

	for (size_t which = 0; which < KERNELS; which++) {
		const struct lanes *l = kernel(which);
		double worst = 0;
		uint32_t u = 0x80000000;		/* -0, and away from it: up to -87.33 */
		while (l && u < 0xc2aea8f6) {
			size_t n = 0;
			for (; n < RUN - 3 && u < 0xc2aea8f6; u += 499)
				memcpy(&x[n++], &u, sizeof u);
			l->exponential(x, n, y);
			for (size_t i = 0; i < n; i++)
				worst = fmax(worst, ulps(y[i], exp((double)x[i])));
		}
		if (worst > 1.3)
			fail_msg("%s: %.3f ulp", l->name, worst);
		if (l)
			assert_true(worst > 0.5);	/* or else nothing was compared */
	}
	(void)state;
}

static void exp_of_what_is_no_number(void **state)
{
	static const uint32_t nan[] = { 0x7fc00000, 0x7fc001fe, 0x7fffffff, 0xffc00001, 0x7f8001ff, 0xff8001fe };
	float x[8], y[8];

	for (size_t which = 0; which < KERNELS; which++) {
		const struct lanes *l = kernel(which);
		if (!l)
			continue;
		memcpy(x, nan, sizeof nan);
		l->exponential(x, 6, y);
		for (size_t i = 0; i < 6; i++)
			assert_true(isnan(y[i]));
		x[0] = -INFINITY, x[1] = -87.34f, x[2] = -3e38f, x[3] = 0, x[4] = -0.0f;
		l->exponential(x, 5, y);
		for (size_t i = 0; i < 5; i++)
			assert_true(y[i] == (i < 3 ? 0.0f : 1.0f));
	}
	(void)state;
}

/* ---- sums ---- */

/* Lane 0 sees nothing, 1 one key, 2 all three; against exp of libm, and entropy's moment. */
static void sums_of_few_keys(void **state)
{
	static _Alignas(LANES_ALIGN) float s[3 * LANES];
	struct lane_sums got, more;

	for (size_t which = 0; which < KERNELS; which++) {
		const struct lanes *l = kernel(which);
		for (size_t x = 0; x < 3 * LANES; x++)
			s[x] = -INFINITY;
		s[LANES + 1] = 2.5f;
		s[2] = 1, s[LANES + 2] = -2, s[2 * LANES + 2] = -200;
		if (!l)
			continue;
		l->sums(s, 3, &got);
		l->sums(s, 1, &more);
		l->merge(&more, &got);		/* what lane 2 saw first counts twice */
		assert_true(got.max[0] == -INFINITY && got.sum[0] == 0 && got.moment[0] == 0);
		assert_true(more.max[0] == -INFINITY && more.sum[0] == 0 && more.moment[0] == 0);
		assert_true(got.max[1] == 2.5f && got.sum[1] == 1 && fabsf(got.moment[1]) < 1e-30f);
		assert_true(got.max[2] == 1);
		assert_near((double)got.sum[2], 1 + exp(-3), 1e-7);
		assert_near((double)got.moment[2], -3 * exp(-3), 1e-7);
		assert_near((double)more.sum[2], 2 + exp(-3), 2e-7);
		assert_near((double)more.moment[2], -3 * exp(-3), 1e-7);
	}
	(void)state;
}

/* ---- products ---- */

/* For any number of keys: two panels at once give what each gives alone, bit for bit. */
static void two_panels_are_two_panels(void **state)
{
	enum { KEYS = 40, D = 7, NEXT = (KEYS + 1) * LANES };
	static _Alignas(LANES_ALIGN) float q[2 * D * LANES], both[2 * NEXT], one[NEXT];
	static float k[KEYS * D];
	struct dice dice = { 5 };

	for (size_t x = 0; x < 2 * D * LANES; x++)
		q[x] = (float)dice_between(&dice, -1, 1);
	for (size_t x = 0; x < KEYS * D; x++)
		k[x] = (float)dice_between(&dice, -1, 1);
	for (size_t which = 0; which < KERNELS; which++)
		for (size_t keys = 1, p; kernel(which) && keys <= KEYS; keys++) {
			memset(both, 0, sizeof both);
			kernel(which)->dots_two(k, D * sizeof *k, keys, D, q, 0.5f, both, NEXT);
			for (p = 0; p < 2; p++) {
				kernel(which)->dots(k, D * sizeof *k, keys, D, q + p * D * LANES, 0.5f, one);
				assert_memory_equal(both + p * NEXT, one, keys * LANES * sizeof *one);
				assert_true(both[p * NEXT + keys * LANES] == 0);	/* nothing beyond */
			}
		}
	(void)state;
}

/* ---- bins ---- */

enum { BINS = 4, POOLED = 30 };

/* What a bin is to become, in double: the largest and the sum of 2^(x - most), divided by `all`. */
static void assert_share(const float *s, size_t from, size_t to, size_t lane, double most, double all,
			 float max, float sum)
{
	double largest = 0, total = 0;

	for (size_t j = from; j < to; j++) {
		double e = exp2((double)s[j * LANES + lane] - most);
		largest = fmax(largest, e);
		total += e;
	}
	assert_near((double)max, largest / all, 2e-6 * largest / all);
	assert_near((double)sum, total / all, 2e-6 * total / all);
}

/* Keys that come in two runs, the second bin in both; the last one is empty. Lane 3 has seen
 * nothing, lane 5 a NaN. */
static void bins_become_shares(void **state)
{
	static const uint32_t first[] = { 9, 13 }, second[] = { 4, 17, 17 }, end[BINS] = { 9, 17, 30, 30 };
	static _Alignas(LANES_ALIGN) float s[POOLED * LANES], max[BINS * LANES], sum[BINS * LANES], inverse[LANES];
	float most[BINS];
	double total[BINS], again;
	struct dice dice = { 9 };

	for (size_t x = 0; x < POOLED * LANES; x++)
		s[x] = x % LANES == 3 ? -INFINITY : (float)dice_between(&dice, -30, 30);
	s[12 * LANES + 5] = NAN;
	for (size_t which = 0; which < KERNELS; which++) {
		const struct lanes *l = kernel(which);
		if (!l)
			continue;
		for (size_t x = 0; x < BINS * LANES; x++)
			max[x] = -INFINITY, sum[x] = 0;
		l->pool(s, first, 2, max, sum);
		l->pool(s + 13 * LANES, second, 3, max + LANES, sum + LANES);
		l->shares(max, sum, BINS, inverse);
		for (size_t r = 0; r < LANES; r++) {
			double largest = -INFINITY, all = 0;
			assert_int_equal(isnan(inverse[r]), r == 3 || r == 5);
			for (size_t j = 0; j < POOLED; j++)
				largest = fmax(largest, (double)s[j * LANES + r]);
			for (size_t j = 0; j < POOLED; j++)
				all += exp2((double)s[j * LANES + r] - largest);
			for (size_t b = 0; b < BINS && !isnan(inverse[r]); b++)
				assert_share(s, b ? end[b - 1] : 0, end[b], r, largest, all, max[b * LANES + r], sum[b * LANES + r]);
		}
		l->fold(max, sum, BINS, 6, 11, most, total);
		for (size_t b = 0; b < BINS; b++) {
			float largest = 0;
			again = 0;
			for (size_t r = 6; r < 11; r++) {
				largest = fmaxf(largest, max[b * LANES + r]);
				again += (double)sum[b * LANES + r];
			}
			assert_true(most[b] == largest);
			assert_near(total[b], again, 1e-15);
		}
	}
	(void)state;
}

/* ---- number types ---- */

/* By the definition of the format: 5 bits of exponent, 10 of fraction. */
static double f16_value(unsigned h)
{
	int exponent = (int)(h >> 10 & 31), fraction = (int)(h & 1023);
	double value = exponent == 31 ? (fraction ? NAN : INFINITY)
		     : exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);

	return h & 0x8000 ? -value : value;
}

static double bf16_value(unsigned h)
{
	uint32_t u = (uint32_t)h << 16;
	float value;

	memcpy(&value, &u, sizeof value);
	return (double)value;
}

static void every_float16_and_bfloat16(void **state)
{
	static uint16_t bits[65536];
	static float wide[65536];

	for (size_t i = 0; i < 65536; i++)
		bits[i] = (uint16_t)i;
	for (size_t which = 0; which < KERNELS; which++)
		for (enum dtype type = DTYPE_F16; kernel(which) && type <= DTYPE_BF16; type++) {
			struct tensor_view view = tensor_view_of(bits, type, 65536, 1);
			kernel(which)->widen(bits, type, 65536, wide);
			for (size_t i = 0; i < 65536; i++) {
				double wanted = type == DTYPE_F16 ? f16_value((unsigned)i) : bf16_value((unsigned)i);
				assert_same((double)wide[i], wanted);
				assert_same(tensor_view_at(&view, i, 0), wanted);
			}
		}
	(void)state;
}

/* ---- the choice ---- */

static void the_best_kernel_is_chosen(void **state)
{
	assert_true(lanes_usable(lanes_base()));
	assert_false(lanes_usable(NULL));
	assert_true(lanes_usable(lanes_choose()));
	assert_ptr_equal(lanes_choose(), kernel(2) ? kernel(2) : kernel(1) ? kernel(1) : kernel(0));
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exp_is_precise),
		cmocka_unit_test(exp_of_what_is_no_number),
		cmocka_unit_test(sums_of_few_keys),
		cmocka_unit_test(two_panels_are_two_panels),
		cmocka_unit_test(bins_become_shares),
		cmocka_unit_test(every_float16_and_bfloat16),
		cmocka_unit_test(the_best_kernel_is_chosen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
