/* test_overview.c - the pooled map: against all weights in double, step by step. */
#include "tests/fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/overview.h"
#include "tests/alloc.h"
#include "tests/limit_memory.h"

struct input {
	size_t n_q, n_k, d;
	float *q, *k;
	unsigned char *pad;
	struct fast_head head;
};

static struct input make(size_t n_q, size_t n_k, size_t d, uint64_t seed)
{
	struct input t = {
		.n_q = n_q, .n_k = n_k, .d = d, .q = malloc(n_q * d * sizeof *t.q), .k = malloc(n_k * d * sizeof *t.k),
		.pad = calloc(n_k, 1),
	};
	struct dice dice = { seed };

	assert_non_null(t.q);
	assert_non_null(t.k);
	assert_non_null(t.pad);
	for (size_t i = 0; i < n_q * d; i++)
		t.q[i] = (float)dice_between(&dice, -2, 2);
	for (size_t i = 0; i < n_k * d; i++)
		t.k[i] = (float)dice_between(&dice, -2, 2);
	t.head = (struct fast_head){
		.q = tensor_view_of(t.q, DTYPE_F32, n_q, d), .k = tensor_view_of(t.k, DTYPE_F32, n_k, d),
		.v = tensor_view_of(t.k, DTYPE_F32, n_k, 1), .lanes = lanes_choose(), .scale = (float)(1 / sqrt((double)d)),
	};
	return t;
}

static void discard(struct input *t)
{
	free(t->q);
	free(t->k);
	free(t->pad);
}

static struct overview *begin(const struct input *t, size_t rows, size_t columns, struct workers *workers)
{
	struct overview *o = NULL;
	struct error e = { 0 };

	if (overview_begin(&o, &t->head, rows, columns, workers, &e))
		fail_msg("%s", e.text);
	return o;
}

/* Weights of row i in double; all NaN when nothing is visible. */
static void weights_of(const struct input *t, size_t i, double *w)
{
	double max = -INFINITY, sum = 0;
	const struct fast_head *h = &t->head;

	for (size_t j = 0; j < t->n_k; j++) {
		w[j] = 0;
		for (size_t c = 0; c < t->d; c++)
			w[j] += (double)t->q[i * t->d + c] * (double)t->k[j * t->d + c];
		w[j] *= (double)h->scale;
		if ((h->causal && (long)j > (long)i + h->offset) || (h->pad && h->pad[j]))
			w[j] = -INFINITY;
		max = w[j] > max ? w[j] : max;
	}
	for (size_t j = 0; j < t->n_k; j++)
		sum += w[j] = exp(w[j] - max);
	for (size_t j = 0; j < t->n_k; j++)
		w[j] /= sum;
}

/* Every cell against the weights of its bin, which begins at floor(b n / bins). */
static void check_cells(const struct input *t, const struct overview *o)
{
	size_t rows = overview_rows(o), columns = overview_columns(o);
	double *w = malloc(t->n_k * sizeof *w), *sum = malloc(columns * sizeof *sum), *max = malloc(columns * sizeof *max);

	assert_true(w && sum && max);
	for (size_t r = 0; r < rows; r++) {
		size_t from = r * t->n_q / rows, to = (r + 1) * t->n_q / rows;
		assert_int_equal(overview_query(o, r), from);
		assert_int_equal(overview_state(o, r), OVERVIEW_EXACT);
		for (size_t c = 0; c < columns; c++)
			sum[c] = max[c] = 0;
		for (size_t i = from; i < to; i++) {
			weights_of(t, i, w);
			for (size_t c = 0; c < columns; c++)
				for (size_t j = c * t->n_k / columns; j < (c + 1) * t->n_k / columns; j++) {
					sum[c] += w[j];
					max[c] = w[j] > max[c] || isnan(w[j]) ? w[j] : max[c];
				}
		}
		for (size_t c = 0; c < columns; c++) {
			double cells = (double)((to - from) * ((c + 1) * t->n_k / columns - c * t->n_k / columns));
			assert_near(overview_mean(o, r, c), sum[c] / cells, fabs(sum[c] / cells) * 2e-6);
			assert_near(overview_max(o, r, c), max[c], fabs(max[c]) * 5e-6);
		}
	}
	free(w);
	free(sum);
	free(max);
}

static void finish(struct overview *o)
{
	double progress = 0;
	size_t steps = 0;

	while (overview_step(o, NULL)) {
		assert_true(++steps < 10000);
		assert_true(overview_progress(o) >= progress);
		progress = overview_progress(o);
	}
	assert_true(overview_progress(o) == 1);
	assert_true(overview_error(o) == 0);
}

static void every_weight_counts_once(void **state)
{
	static const struct { size_t n_q, n_k, d, rows, columns; bool causal; long offset; int pad; } c[] = {
		{ 1, 1, 1, 1, 1, false, 0, 0 },
		{ 130, 411, 5, 7, 11, false, 0, 0 },
		{ 130, 411, 5, 7, 11, true, 281, 0 },
		{ 130, 411, 5, 7, 3, true, 100, 0 },		/* bins wider than a tile */
		{ 411, 130, 3, 100, 130, true, 0, 0 },
		{ 300, 300, 4, 13, 3, true, 0, 1 },
		{ 300, 300, 4, 13, 90, true, 0, 2 },
		{ 64, 2000, 4, 64, 200, false, 0, 2 },
		{ 90, 60, 4, 500, 500, true, -30, 0 },		/* more cells than weights; empty rows */
		{ 90, 60, 4, 9, 6, true, 5, 1 },
		{ 33, 4096, 2, 5, 1000, false, 0, 3 },		/* a tile of keys from hundreds of bins */
	};

	for (size_t n = 0; n < sizeof c / sizeof *c; n++) {
		struct input t = make(c[n].n_q, c[n].n_k, c[n].d, n + 1);
		t.head.causal = c[n].causal;
		t.head.offset = c[n].offset;
		t.head.pad = c[n].pad ? t.pad : NULL;
		for (size_t j = 0; j < t.n_k; j++)
			t.pad[j] = c[n].pad == 1 ? j > 40 && j < 290 : c[n].pad == 2 ? j * 5 % 7 < 3 : j % 23 != 0;
		struct overview *o = begin(&t, c[n].rows, c[n].columns, NULL);
		assert_true(overview_error(o) == INFINITY);
		assert_true(isnan(overview_mean(o, 0, 0)) && isnan(overview_max(o, 0, 0)));
		finish(o);
		check_cells(&t, o);
		overview_free(o);
		discard(&t);
	}
	(void)state;
}

static void kernels_and_any_workers_agree(void **state)
{
	struct input t = make(200, 500, 6, 3);
	struct workers *workers;
	struct error e = { 0 };
	struct overview *one, *more;

	assert_int_equal(workers_start(&workers, 3, &e), OK_STATUS);
	for (size_t which = 0; which < LANES_KERNELS; which++) {
		t.head.lanes = lanes_kernel(which);
		t.head.causal = true;
		if (!lanes_usable(t.head.lanes))
			continue;
		finish(one = begin(&t, 9, 20, NULL));
		finish(more = begin(&t, 9, 20, workers));
		check_cells(&t, one);
		for (size_t r = 0; r < 9; r++)
			for (size_t c = 0; c < 20; c++) {
				assert_same(overview_mean(more, r, c), overview_mean(one, r, c));
				assert_same(overview_max(more, r, c), overview_max(one, r, c));
			}
		overview_free(one);
		overview_free(more);
	}
	workers_stop(workers);
	discard(&t);
	(void)state;
}

/* Large enough for a sample: 2 rows of each bin row, then 4, then all. */
static void the_picture_gets_finer(void **state)
{
	enum { ROWS = 16, COLUMNS = 20 };
	if (is_under_valgrind())	/* 2^33 multiplications */
		skip();
	struct input t = make(2048, 2048, 512, 5);
	struct overview *o = begin(&t, ROWS, COLUMNS, NULL), *exact = begin(&t, ROWS, COLUMNS, NULL);
	double first, second = 0, was[COLUMNS], difference = 0, sum = 0;
	atomic_bool cancel = true;

	assert_true(overview_step(o, &cancel));
	assert_int_equal(overview_state(o, 0), OVERVIEW_NOTHING);
	while (overview_state(o, ROWS - 1) == OVERVIEW_NOTHING)
		assert_true(overview_step(o, NULL));
	first = second = overview_error(o);
	assert_true(first > 0 && first < 1);
	for (; overview_progress(o) == 0; overview_step(o, NULL))
		second = overview_error(o);
	assert_true(second < first * 0.9);		/* about 1 / sqrt 2 of it */
	finish(exact);
	for (size_t r = 4; r < ROWS; r++)		/* of the sample of 4: what it was said to be off by */
		for (size_t c = 0; c < COLUMNS; c++) {
			assert_int_equal(overview_state(o, r), OVERVIEW_SAMPLED);
			difference += fabs(overview_mean(o, r, c) - overview_mean(exact, r, c));
			sum += overview_mean(exact, r, c);
			assert_true(overview_max(o, r, c) <= overview_max(exact, r, c) * (1 + 1e-6));
		}
	if (difference / sum > 1.4 * second || difference / sum < second / 1.4)
		fail_msg("off by %g, and %g was expected", difference / sum, second);
	while (overview_state(o, 0) != OVERVIEW_EXACT)
		overview_step(o, NULL);
	for (size_t c = 0; c < COLUMNS; c++)
		was[c] = overview_mean(o, 0, c);
	finish(o);
	for (size_t c = 0; c < COLUMNS; c++) {
		assert_same(overview_mean(o, 0, c), was[c]);
		assert_same(overview_mean(o, 9, c), overview_mean(exact, 9, c));
	}
	overview_free(o);
	overview_free(exact);
	discard(&t);
	(void)state;
}

static void a_query_without_softmax_is_not_hidden(void **state)
{
	struct input t = make(40, 40, 3, 9);

	t.q[25 * 3 + 1] = NAN;
	struct overview *o = begin(&t, 4, 4, NULL);
	finish(o);
	for (size_t r = 0; r < 4; r++)
		for (size_t c = 0; c < 4; c++) {
			assert_int_equal(isnan(overview_mean(o, r, c)), r == 2);
			assert_int_equal(isnan(overview_max(o, r, c)), r == 2);
		}
	overview_free(o);
	discard(&t);
	(void)state;
}

static void what_does_not_fit_is_refused(void **state)
{
	struct input t = make(40, 40, 3, 9);
	struct overview *o = NULL;
	struct error e = { 0 };

	assert_int_equal(overview_begin(&o, &t.head, 0, 4, NULL, &e), E_VALUE);
	for (size_t n = 1; n <= 5; n++) {
		alloc_fail(n);
		enum status s = overview_begin(&o, &t.head, 4, 4, NULL, &e);
		alloc_fail(0);
		assert_int_equal(s, n <= 4 ? E_MEMORY : OK_STATUS);
		assert_int_equal(o != NULL, n > 4);
	}
	overview_free(o);
	overview_free(NULL);
	o = NULL;
	t.head.k.columns = 2;
	assert_int_equal(overview_begin(&o, &t.head, 4, 4, NULL, &e), E_SHAPE);
	assert_null(o);
	discard(&t);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_weight_counts_once),
		cmocka_unit_test(kernels_and_any_workers_agree),
		cmocka_unit_test(the_picture_gets_finer),
		cmocka_unit_test(a_query_without_softmax_is_not_hidden),
		cmocka_unit_test(what_does_not_fit_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
