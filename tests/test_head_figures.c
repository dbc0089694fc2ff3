/* test_head_figures.c - figures of a head and the mean over heads, from weights whose
 * figures are worked out by hand beside each test.
 */
#include "tests/fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/head_figures.h"
#include "core/head_mean.h"
#include "tests/alloc.h"

static struct weight_figures measure(struct fixture *f, bool backwards)
{
	struct weight_tally t;
	struct error e = { 0 };
	size_t n = f->problem.n_q;

	assert_int_equal(weight_tally_begin(&t, &f->attention, &e), OK_STATUS);
	for (size_t i = 0; i < n; i++)
		weight_tally_add(&t, &f->attention, fixture_row(f, backwards ? n - 1 - i : i));
	struct weight_figures out = weight_figures_of(&t);
	weight_tally_free(&t);
	return out;
}

static struct weight_figures of_weights(size_t n_q, size_t n_k, const double *w, const char *settings)
{
	struct fixture f;

	fixture_init(&f);
	fixture_array(&f, ARRAY_WEIGHTS, n_q, n_k, w);
	fixture_set(&f, settings);
	fixture_start(&f);
	struct weight_figures out = measure(&f, false);
	fixture_free(&f);
	return out;
}

static void check(const struct weight_figures *f, double entropy, double previous, double own, double first, double distance)
{
	assert_near(f->entropy, entropy, 1e-12);
	assert_near(f->previous, previous, 1e-12);
	assert_near(f->own, own, 1e-12);
	assert_near(f->first, first, 1e-12);
	assert_near(f->distance, distance, 1e-12);
}

enum { N = 7 };

/* Rows 3 to 6: 1/2 on i, 1/4 on i - 1 and on 0. That is 1.5 bits, of log2(i + 1): 1.5/2,
 * 1.5/2.3219, 1.5/2.5850, 1.5/2.8074, whose mean is 0.6276512 (NumPy has 0.6276512071559838);
 * distance 1/4 + i/4, whose mean is 1.375. */
static void quarters(double w[N * N])
{
	memset(w, 0, N * N * sizeof *w);
	for (size_t i = 3; i < N; i++) {
		w[i * N + i] = 0.5;
		w[i * N + i - 1] = w[i * N] = 0.25;
	}
}

static void means_over_rows(void **state)
{
	double w[N * N];

	(void)state;
	quarters(w);
	/* What stands before position 3 does not count, whatever it is. */
	w[0] = NAN;
	w[N] = -7;
	w[2 * N + 5] = 100;
	struct weight_figures f = of_weights(N, N, w, "causal=on");
	check(&f, 0.6276512071559838, 0.25, 0.5, 0.25, 1.375);
	assert_int_equal(f.queries, 4);
	assert_int_equal(f.from, 3);
	assert_int_equal(f.left_out, 0);
	assert_int_equal(f.off_sum, 0);
	/* Without a mask that hides the future each row has seven keys to spread over. */
	f = of_weights(N, N, w, "");
	check(&f, 1.5 / log2(7), 0.25, 0.5, 0.25, 1.375);
}

static void rows_without_weights_are_left_out(void **state)
{
	double w[N * N];

	(void)state;
	quarters(w);
	w[3 * N + 1] = NAN;
	struct weight_figures f = of_weights(N, N, w, "causal=on");
	assert_int_equal(f.left_out, 1);
	assert_int_equal(f.queries, 3);
	assert_near(f.distance, 0.25 + 5 / 4.0, 1e-12);		/* of i = 4, 5, 6 */
	w[5 * N + 1] = -0.1;
	w[6 * N + 1] = INFINITY;
	f = of_weights(N, N, w, "causal=on");
	assert_int_equal(f.left_out, 3);
	assert_int_equal(f.queries, 1);
	assert_near(f.entropy, 1.5 / log2(5), 1e-12);
	w[4 * N] = NAN;
	f = of_weights(N, N, w, "causal=on");
	assert_int_equal(f.queries, 0);
	assert_true(isnan(f.entropy) && isnan(f.previous) && isnan(f.own) && isnan(f.first) && isnan(f.distance));
}

/* A query that sees nothing has a row of NaN, or of zeros by policy; neither is a share. */
static void empty_rows_are_left_out(void **state)
{
	static const char *const policy[] = { "literal", "zero", "uniform" };

	(void)state;
	for (int k = 0; k < 3; k++) {
		char settings[80];
		double scores[N * N] = { 0 };
		struct fixture f;
		fixture_scores(&f, N, N, scores);
		snprintf(settings, sizeof settings, "hide=4:0,4:1,4:2,4:3,4:4,4:5,4:6 empty-row=%s", policy[k]);
		fixture_set(&f, settings);
		fixture_start(&f);
		struct weight_figures x = measure(&f, true);
		assert_int_equal(x.left_out, 1);
		assert_int_equal(x.queries, 3);
		assert_near(x.entropy, 1, 1e-12);
		fixture_free(&f);
	}
}

static void sums_off_1_are_counted(void **state)
{
	double w[N * N];

	(void)state;
	quarters(w);
	w[6 * N] = 0;		/* 0.75 */
	struct weight_figures f = of_weights(N, N, w, "causal=on");
	assert_int_equal(f.off_sum, 1);
	assert_int_equal(f.queries, 4);
	assert_near(f.first, 0.75 / 4, 1e-12);
	assert_near(f.distance, (4 * 1.375 - 1.5) / 4, 1e-12);
}

/* Equal scores, causal: row i has i + 1 weights of 1/(i + 1), so the entropy is the
 * largest there is, and the mean distance i/2. */
static void equal_weights_have_all_entropy(void **state)
{
	enum { MANY = 10 };
	double scores[MANY * MANY] = { 0 }, share = 0, distance = 0;
	struct fixture f;

	(void)state;
	for (int i = 3; i < MANY; i++) {
		share += 1.0 / (i + 1) / 7;
		distance += i / 2.0 / 7;
	}
	for (int backwards = 0; backwards < 2; backwards++) {
		fixture_scores(&f, MANY, MANY, scores);
		fixture_set(&f, "causal=on");
		fixture_start(&f);
		struct weight_figures x = measure(&f, backwards);
		check(&x, 1, share, share, share, distance);
		assert_int_equal(x.queries, 7);
		fixture_free(&f);
	}
}

/* Fewer than four queries from position 3 on: all but the first count. */
static void short_inputs(void **state)
{
	static const double three[9] = { 1, 0, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.5 }, one[1] = { 1 };
	struct weight_figures f = of_weights(3, 3, three, "causal=on");

	(void)state;
	/* 1 bit of 1, 1.5 bits of log2(3) */
	check(&f, (1 + 1.5 / log2(3)) / 2, 0.375, 0.5, 0.375, (0.5 + 0.75) / 2);
	assert_int_equal(f.from, 1);
	assert_int_equal(f.queries, 2);
	f = of_weights(1, 1, one, "causal=on");
	assert_int_equal(f.from, 0);
	assert_int_equal(f.queries, 1);
	assert_true(isnan(f.entropy));		/* of one key there is nothing to spread over */
	assert_true(isnan(f.previous));
	assert_near(f.own, 1, 0);
	assert_near(f.distance, 0, 0);
}

/* Two pads on the left: the first token is key 2, the first query that counts is 5. */
static void padding_is_no_token(void **state)
{
	enum { PADDED = 9 };
	double w[PADDED * PADDED] = { 0 };
	struct weight_figures f;

	(void)state;
	for (int i = 0; i < PADDED; i++) {
		w[i * PADDED + 2] = i < 2 ? 0 : 0.75;
		w[i * PADDED + (i < 2 ? 0 : i)] += i < 2 ? 1 : 0.25;
	}
	f = of_weights(PADDED, PADDED, w, "pad=0,1 causal=on");
	assert_int_equal(f.from, 5);
	assert_int_equal(f.queries, 4);
	assert_near(f.first, 0.75, 1e-12);
	assert_near(f.own, 0.25, 1e-12);
	assert_near(f.previous, 0, 1e-12);
	/* 0.75 (i - 2), i = 5 .. 8 */
	assert_near(f.distance, 0.75 * 4.5, 1e-12);
	/* A pad at the end is no query either. */
	f = of_weights(PADDED, PADDED, w, "pad=0,1,8 causal=on");
	assert_int_equal(f.from, 3);
	assert_int_equal(f.queries, 5);
	assert_near(f.distance, 0.75 * 3, 1e-12);		/* i = 3 .. 7 */
}

/* The last four queries of eight: their own keys are 4 to 7. */
static void queries_of_a_cached_step(void **state)
{
	double w[4 * 8] = { 0 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		w[i * 8 + 4 + i] = 0.5;
		w[i * 8 + 2] = 0.5;
	}
	struct weight_figures f = of_weights(4, 8, w, "causal-align=bottom-right");
	check(&f, 1 / log2(8), 0, 0.5, 0, 0.5 * 3.5);
	assert_int_equal(f.queries, 4);
	/* As if they stood at 0 to 3: too few from position 3 on, so from 1. */
	f = of_weights(4, 8, w, "");
	assert_int_equal(f.from, 1);
	assert_near(f.own, 0.5 / 3, 1e-12);			/* row 2, key 2 */
	assert_near(f.previous, 0.5 / 3, 1e-12);		/* row 3 */
}

/* More queries than keys: those without a key of their own have no own, previous and distance. */
static void queries_without_a_key(void **state)
{
	double w[6 * 2] = { 0 };

	(void)state;
	for (size_t i = 0; i < 6; i++)
		w[2 * i] = 1;
	struct weight_figures f = of_weights(6, 2, w, "");
	assert_int_equal(f.queries, 5);				/* from position 1 on */
	assert_near(f.first, 1, 0);
	assert_near(f.own, 0, 0);				/* row 1 alone has one */
	assert_near(f.distance, 1, 0);
	assert_near(f.previous, 0.5, 0);			/* rows 1 and 2: w[1][0] = 1, w[2][1] = 0 */
}

/* ---- the mean over heads ---- */

static void two_heads(struct fixture *f, const double *a, const double *b, size_t n)
{
	fixture_init(f);
	fixture_array(f, ARRAY_WEIGHTS, n, n, a);
	fixture_array(f, ARRAY_WEIGHTS, n, n, b);
	fixture_start(f);
}

static void mean_of_two_heads(void **state)
{
	static const double a[] = { 1, 0, 0.5, 0.5 }, b[] = { 0.5, 0.5, 0.25, 0.75 };
	struct fixture f;
	struct head_mean m;
	struct error e = { 0 };

	(void)state;
	two_heads(&f, a, b, 2);
	assert_int_equal(head_mean_init(&m, &f.attention, 1, &f.tables, &e), OK_STATUS);
	for (int again = 0; again < 2; again++) {		/* a place for one row: it is computed anew */
		const struct row *r = head_mean_row(&m, 1);
		assert_near(r->weights[0], 0.375, 0);
		assert_near(r->weights[1], 0.625, 0);
		r = head_mean_row(&m, 0);
		assert_near(r->weights[0], 0.75, 0);
		assert_near(r->weights[1], 0.25, 0);
		assert_near(r->sum, 1, 0);
		assert_near(r->largest, 0.75, 0);
		assert_near(r->entropy, 0.75 * log2(4 / 3.0) + 0.5, 1e-12);
		assert_int_equal(r->verdict, VERDICT_OK);
		assert_true(isnan(r->scores[0]) && isnan(r->output[0]) && isnan(r->maximum));
		assert_int_equal(r->index, 0);
	}
	head_mean_free(&m);
	fixture_free(&f);
}

static void mean_of_rows_that_are_off(void **state)
{
	static const double a[] = { 1, 0, NAN, 1 }, b[] = { 0.5, 0.3, 0.5, 0.5 };
	struct fixture f;
	struct head_mean m;
	struct error e = { 0 };

	(void)state;
	two_heads(&f, a, b, 2);
	assert_int_equal(head_mean_init(&m, &f.attention, 3, &f.tables, &e), OK_STATUS);
	assert_near(head_mean_row(&m, 0)->sum, 0.9, 1e-12);
	assert_int_equal(head_mean_row(&m, 0)->verdict, VERDICT_LOW);
	assert_int_equal(head_mean_row(&m, 1)->verdict, VERDICT_NAN);
	assert_near(head_mean_row(&m, 1)->weights[1], 0.75, 0);
	assert_true(isnan(head_mean_row(&m, 1)->largest));
	head_mean_free(&m);
	fixture_free(&f);
}

/* Every stage of a head reaches the mean: masks, scale, and the head's own slope. */
static void mean_follows_the_options(void **state)
{
	static const char *const settings[] = { "", "causal=on", "scale=none temperature=2", "alibi=auto causal=on", "softmax=column",
						"dropout=0.5", "fill=0 pad=1", "hide=2:0,2:1,2:2,2:3 empty-row=uniform" };
	enum { SIZE = 4 };

	(void)state;
	for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
		struct fixture f;
		struct head_mean m;
		struct error e = { 0 };
		double sum[SIZE][SIZE] = { 0 }, q[3][SIZE * 2], key[3][SIZE * 2], v[SIZE * 2] = { 0 };
		struct dice d = { 11 };
		for (int h = 0; h < 3; h++)
			for (int c = 0; c < SIZE * 2; c++) {
				q[h][c] = dice_between(&d, -2, 2);
				key[h][c] = dice_between(&d, -2, 2);
			}
		for (int chosen = 0; chosen < 3; chosen++) {
			char all[120];
			fixture_init(&f);
			for (int h = 0; h < 3; h++)
				fixture_array(&f, ARRAY_Q, SIZE, 2, q[h]);
			for (int h = 0; h < 3; h++)
				fixture_array(&f, ARRAY_K, SIZE, 2, key[h]);
			for (int h = 0; h < 3; h++)
				fixture_array(&f, ARRAY_V, SIZE, 2, v);
			snprintf(all, sizeof all, "%s head=%d", settings[k], chosen);
			fixture_set(&f, all);
			for (size_t i = 0; i < SIZE; i++) {
				const struct row *r = fixture_row(&f, i);
				for (size_t j = 0; j < SIZE; j++)
					sum[i][j] += r->weights[j];
			}
			if (chosen < 2)
				fixture_free(&f);
		}
		assert_int_equal(head_mean_init(&m, &f.attention, SIZE, &f.tables, &e), OK_STATUS);
		for (size_t i = 0; i < SIZE; i++)
			for (size_t j = 0; j < SIZE; j++)
				assert_near(head_mean_row(&m, i)->weights[j], sum[i][j] / 3, 1e-15);
		head_mean_free(&m);
		fixture_free(&f);
	}
}

/* Without memory nothing is there, and nothing is lost. */
static void without_memory(void **state)
{
	static const double a[] = { 1, 0, 0.5, 0.5 }, b[] = { 0.5, 0.5, 0.25, 0.75 };
	struct fixture f;
	struct head_mean m = { 0 };
	struct weight_tally t = { .queries = 77 };
	struct error e = { 0 };
	size_t n = 1;

	(void)state;
	two_heads(&f, a, b, 2);
	for (;; n++) {
		alloc_fail(n);
		enum status s = head_mean_init(&m, &f.attention, 2, &f.tables, &e);
		alloc_fail(0);
		if (!s)
			break;
		assert_int_equal(s, E_MEMORY);
		assert_null(m.rows);
		assert_int_equal(m.capacity, 0);
	}
	assert_true(n > 8);
	assert_near(head_mean_row(&m, 0)->weights[0], 0.75, 0);
	head_mean_free(&m);
	alloc_fail(1);
	assert_int_equal(weight_tally_begin(&t, &f.attention, &e), E_MEMORY);
	alloc_fail(0);
	assert_int_equal(t.queries, 77);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_over_rows),
		cmocka_unit_test(rows_without_weights_are_left_out),
		cmocka_unit_test(empty_rows_are_left_out),
		cmocka_unit_test(sums_off_1_are_counted),
		cmocka_unit_test(equal_weights_have_all_entropy),
		cmocka_unit_test(short_inputs),
		cmocka_unit_test(padding_is_no_token),
		cmocka_unit_test(queries_of_a_cached_step),
		cmocka_unit_test(queries_without_a_key),
		cmocka_unit_test(mean_of_two_heads),
		cmocka_unit_test(mean_of_rows_that_are_off),
		cmocka_unit_test(mean_follows_the_options),
		cmocka_unit_test(without_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
