/* bench_overview.c - the exact pooled map, mean and maximum, against one plain product. */
#include <stdio.h>
#include <stdlib.h>

#include "core/overview.h"
#include "tests/bench/bench.h"
#include "tests/bench/measure.h"
#include "tests/bench/rivals.h"

enum { TURNS = 11, COLUMNS = 200, ROWS = 100 };

static struct overview *begin(const struct fast_head *h, struct workers *workers)
{
	struct overview *o;
	struct error e = { 0 };

	if (overview_begin(&o, h, ROWS, COLUMNS, workers, &e)) {
		fprintf(stderr, "bench: %s\n", e.text);
		exit(1);
	}
	return o;
}

static double whole_map(const struct fast_head *h, struct workers *workers)
{
	double start = now();
	struct overview *o = begin(h, workers);

	while (overview_step(o, NULL))
		;
	overview_free(o);
	return now() - start;
}

/* Until every cell shows something. */
static double first_picture(const struct fast_head *h, struct workers *workers, double *error)
{
	double start = now();
	struct overview *o = begin(h, workers);

	while (overview_state(o, ROWS - 1) == OVERVIEW_NOTHING && overview_step(o, NULL))
		;
	start = now() - start;
	*error = overview_error(o);
	overview_free(o);
	return start;
}

static void against_product(size_t n, struct workers *workers, int turns)
{
	struct fast_head h = bench_head(n, 64);
	float *square = take(n * n * sizeof *square);
	struct samples ours = { .n = 0 }, theirs = { .n = 0 };
	char text[100], key[60];

	blas_threads((int)workers_count(workers));
	for (int turn = -1; turn < turns; turn++) {
		double us = whole_map(&h, workers), start = now();
		blas_multiply(n, n, 64, h.q.data, h.k.data, true, square);
		start = now() - start;
		if (turn >= 0) {
			samples_add(&ours, us);
			samples_add(&theirs, start);
		}
		if (workers)
			blas_settle();
	}
	snprintf(text, sizeof text, "n = %zu, %zu thread%s", n, workers_count(workers), workers ? "s" : "");
	snprintf(key, sizeof key, "overview_%zu_%zu", n, workers_count(workers));
	report_time(key, text, &ours);
	snprintf(key, sizeof key, "overview_%zu_%zu_blas", n, workers_count(workers));
	report_ratio(key, "  / OpenBLAS Q K^T alone, without a mask, kept", &ours, &theirs, 0.50);
	bench_head_free(&h);
	free(square);
}

static void long_one(size_t n, struct workers *workers)
{
	struct fast_head h = bench_head(n, 64);
	struct samples first = { .n = 0 }, all = { .n = 0 };
	double error = 0;

	for (int turn = 0; turn < 5; turn++)
		samples_add(&first, first_picture(&h, workers, &error));
	samples_add(&all, whole_map(&h, workers));
	report_time("overview_long", "n = 32768, all threads, exact", &all);
	report_time("overview_long_first", "  first picture, from a sample", &first);
	report_value("overview_long_error", "  which expects to be off by (of the mean)", error * 100, "%", 0, 0);
	bench_head_free(&h);
}

void bench_overview(struct workers *workers, bool blas)
{
	report_section("Overview: 200 x 100 cells, mean and maximum of all weights, causal, d = 64", NULL);
	if (!blas)
		report_absent("overview_blas", "  / OpenBLAS Q K^T", "libopenblas.so.0 is not installed");
	else {
		against_product(4096, NULL, TURNS);
		if (workers_count(workers) > 1)
			against_product(4096, workers, TURNS);
		against_product(16384, NULL, 5);
		if (workers_count(workers) > 1)
			against_product(16384, workers, 5);
	}
	long_one(32768, workers);
}
