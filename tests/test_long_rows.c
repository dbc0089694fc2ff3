/* test_long_rows.c - the rows on screen in float32, against the double engine's rows. */
#include "tests/fixture.h"

#include <math.h>
#include <string.h>

#include "core/long_rows.h"
#include "tests/alloc.h"

static void near(double x, double wanted, double tolerance)
{
	bool same = isnan(wanted) ? isnan(x) : isinf(wanted) ? x == wanted : fabs(x - wanted) <= tolerance * (1 + fabs(wanted));

	if (!same)
		fail_msg("%.9g is not %.9g", x, wanted);
}

static struct long_rows *begin(struct fixture *f, size_t rows)
{
	struct long_rows *l = NULL;
	struct error e = { 0 };

	assert_true(fast_attention_fits(&f->attention));
	if (long_rows_begin(&l, &f->attention, NULL, NULL, NULL, rows, 1 << 20, NULL, &e))
		fail_msg("%s", e.text);
	return l;
}

static void finish(struct long_rows *l)
{
	while (long_rows_step(l, NULL))
		;
	assert_true(long_rows_done(l));
}

/* All that is seen of the window, and the sums, are the double engine's. */
static void compare_window(struct fixture *f, struct long_rows *l, const struct long_window *w)
{
	size_t n_k = f->problem.n_k;

	for (size_t i = w->top; i < w->top + w->rows && i < f->problem.n_q; i++) {
		const struct row *is = long_rows_row(l, i), *wanted = fixture_row(f, i);
		assert_non_null(is);
		assert_int_equal(is->index, i);
		assert_int_equal(is->visible, wanted->visible);
		assert_int_equal(is->verdict, wanted->verdict);
		near(is->maximum, wanted->maximum, 1e-5);
		near(is->denominator, wanted->denominator, 1e-5);
		near(is->sum, wanted->sum, 1e-6);
		near(is->largest, wanted->largest, 1e-5);
		near(is->entropy, wanted->entropy, 1e-5);
		for (size_t j = 0; j < n_k; j++) {
			bool seen = j >= w->left && j < w->left + w->columns;
			near(is->scores[j], seen ? wanted->scores[j] : 0, 1e-5);
			near(is->scaled[j], seen ? wanted->scaled[j] : 0, 1e-5);
			near(is->masked[j], seen ? wanted->masked[j] : 0, 1e-5);
			near(is->weights[j], seen ? wanted->weights[j] : 0, 1e-5);
			assert_int_equal(is->rules[j], seen ? wanted->rules[j] : 0);
			assert_false(is->overridden[j]);
		}
	}
}

static void compare(const char *settings)
{
	struct fixture f;
	static const struct long_window windows[] = {
		{ 0, 20, 0, 12, 3 }, { 30, 20, 40, 15, 49 }, { 5, 20, 0, 100, 5 }, { 60, 20, 88, 12, 79 },
	};

	fixture_random(&f, 80, 100, 8, 4, "5");
	fixture_set(&f, settings);
	fixture_start(&f);
	struct long_rows *l = begin(&f, 20);
	for (size_t k = 0; k < sizeof windows / sizeof *windows; k++) {
		long_rows_show(l, &windows[k]);
		finish(l);
		compare_window(&f, l, &windows[k]);
	}
	long_rows_free(l);
	fixture_free(&f);
}

static void rows_are_those_of_the_double_engine(void **state)
{
	(void)state;
	compare(NULL);
	compare("causal=on");
	compare("causal=on causal-align=bottom-right scale=none");
	compare("causal=on causal-offset=-40 pad=0-3,97 temperature=2");	/* rows that see nothing */
	compare("pad=5,6,7 pad-mask=off scale=0.5");
	compare("bug=no-scale");
}

/* Other masks and another scale of the same rows; what was filled before is not shown again. */
static void options_change_under_it(void **state)
{
	static const char *const settings[] = {
		"causal=on", "causal=off pad=3,4", "pad-mask=off", "pad-mask=on", "pad=0,1,2,90", "scale=dk", "causal=on causal-offset=-1", "pad=none scale=sqrt",
	};
	struct fixture f;
	struct error e = { 0 };
	const struct long_window w = { 40, 16, 30, 25, 44 };

	(void)state;
	fixture_random(&f, 80, 100, 8, 4, "6");
	fixture_start(&f);
	struct long_rows *l = begin(&f, 16);
	long_rows_show(l, &w);
	finish(l);
	for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
		fixture_set(&f, settings[k]);
		fixture_start(&f);
		assert_int_equal(long_rows_change(l, &f.attention, &e), OK_STATUS);
		finish(l);
		compare_window(&f, l, &w);
	}
	long_rows_free(l);
	fixture_free(&f);
}

/* Nothing is shown that is not known, and the cursor's row is known first. */
static void the_cursor_comes_first(void **state)
{
	struct fixture f;
	const struct long_window w = { 0, 64, 0, 10, 40 };

	(void)state;
	fixture_random(&f, 64, 70000, 1, 1, "7");
	fixture_start(&f);
	struct long_rows *l = begin(&f, 64);
	long_rows_show(l, &w);
	assert_false(long_rows_done(l));
	for (size_t i = 0; i < 64; i++)
		assert_null(long_rows_row(l, i));
	while (!long_rows_row(l, 40))
		assert_true(long_rows_step(l, NULL));
	assert_null(long_rows_row(l, 0));
	finish(l);
	assert_non_null(long_rows_row(l, 0));
	long_rows_free(l);
	fixture_free(&f);
}

/* More windows than memory is kept for. */
static void far_scrolling_gives_memory_back(void **state)
{
	struct fixture f;

	(void)state;
	fixture_random(&f, 40, 4000, 2, 1, "8");
	fixture_start(&f);
	struct long_rows *l = begin(&f, 30);
	for (size_t left = 0; left < 4000; left += 311) {
		const struct long_window w = { left % 10, 30, left, 50, left % 10 };
		long_rows_show(l, &w);
		finish(l);
		compare_window(&f, l, &w);
	}
	long_rows_free(l);
	fixture_free(&f);
}

static void what_fits_is_told(void **state)
{
	static const char *const not[] = {
		"window=3", "hide=0:1", "keep=0:1", "causal=on prefix=2", "fill=0", "mask-at=after", "softmax=column", "dropout=0.1", "alibi=auto",
		"softcap=5", "empty-row=zero", "dtype=f32", "score-dtype=f16", "transpose=off", "mask-invert=on", "pad-axis=query", "bug=mask-after-softmax",
	};

	(void)state;
	for (size_t k = 0; k < sizeof not / sizeof *not; k++) {
		struct fixture f;
		fixture_random(&f, 4, 4, 4, 2, "9");
		fixture_set(&f, not[k]);
		fixture_start(&f);
		if (fast_attention_fits(&f.attention))
			fail_msg("%s fits", not[k]);
		fixture_free(&f);
	}
	struct fixture f;
	fixture_random(&f, 4, 4, 4, 2, "9");
	fixture_edit(&f, ARRAY_SCORES, 1, 2, 5);
	fixture_start(&f);
	assert_false(fast_attention_fits(&f.attention));
	fixture_free(&f);
}

/* Without memory there is nothing, and nothing is lost. */
static void failing_allocations_are_errors(void **state)
{
	struct fixture f;
	struct error e = { 0 };
	struct long_rows *l = NULL;
	size_t k = 1;

	(void)state;
	fixture_random(&f, 20, 30, 4, 2, "9");
	fixture_set(&f, "pad=1");
	fixture_start(&f);
	for (enum status s = E_MEMORY; s; k++) {
		alloc_fail(k);
		s = long_rows_begin(&l, &f.attention, NULL, NULL, NULL, 10, 0, NULL, &e);
		alloc_fail(0);
		assert_true(s == OK_STATUS || s == E_MEMORY);
	}
	assert_true(k > 3);
	long_rows_free(l);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_those_of_the_double_engine),
		cmocka_unit_test(options_change_under_it),
		cmocka_unit_test(the_cursor_comes_first),
		cmocka_unit_test(far_scrolling_gives_memory_back),
		cmocka_unit_test(what_fits_is_told),
		cmocka_unit_test(failing_allocations_are_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
