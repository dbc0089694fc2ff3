/* bench_pipeline.c - all outputs and row sums of a causal head, against plain products. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "tests/bench/measure.h"
#include "tests/bench/rivals.h"

enum { TURNS = 15, SETTLED_TURNS = 9, D = 64 };

struct fast_head bench_head(size_t n, size_t d)
{
	float *v[3];

	for (size_t i = 0; i < 3; i++) {
		v[i] = take(n * d * sizeof **v);
		fill_random(v[i], n * d, 88172645463325252u + i);
	}
	return (struct fast_head){
		.q = tensor_view_of(v[0], DTYPE_F32, n, d), .k = tensor_view_of(v[1], DTYPE_F32, n, d),
		.v = tensor_view_of(v[2], DTYPE_F32, n, d), .lanes = bench_kernel(),
		.scale = (float)(1 / sqrt((double)d)), .causal = true,
	};
}

void bench_head_free(struct fast_head *h)
{
	free((void *)h->q.data);
	free((void *)h->k.data);
	free((void *)h->v.data);
}

static double attend(const struct fast_head *h, struct workers *workers, float *out, double *sums)
{
	struct error e = { 0 };
	bool done;
	double start = now();

	if (fast_attend(h, workers, NULL, out, sums, &done, &e)) {
		fprintf(stderr, "bench: %s\n", e.text);
		exit(1);
	}
	return now() - start;
}

/* Q K^T and W V, whole squares. */
static double two_products(const struct fast_head *h, float *square, float *out)
{
	size_t n = h->q.rows, d = h->q.columns;
	double start = now();

	blas_multiply(n, n, d, h->q.data, h->k.data, true, square);
	blas_multiply(n, d, n, square, h->v.data, false, out);
	return now() - start;
}

/* Multiply-adds that are executed, both products, counted twice as usual. */
static double operations(size_t n)
{
	return 2.0 * 2 * D * (double)n * (double)(n + 1) / 2;
}

struct times { struct samples ours, blas, numpy, torch, rate; };

static void label(char *to, size_t size, const char *what, size_t n)
{
	snprintf(to, size, what, n);
}

static void report(size_t n, const struct times *t, bool blas, bool numpy, bool torch)
{
	char text[100], key[60];

	label(text, sizeof text, "n = %zu, one thread", n);
	label(key, sizeof key, "pipeline_%zu", n);
	report_time(key, text, &t->ours);
	label(key, sizeof key, "pipeline_%zu_blas", n);
	if (blas)
		report_ratio(key, "  / two OpenBLAS products of the same size", &t->ours, &t->blas, 0.50);
	else
		report_absent(key, "  / two OpenBLAS products", "libopenblas.so.0 is not installed");
	label(key, sizeof key, "pipeline_%zu_numpy", n);
	if (numpy)
		report_ratio(key, "  / NumPy", &t->ours, &t->numpy, 0.15);
	else
		report_absent(key, "  / NumPy", "not installed");
	label(key, sizeof key, "pipeline_%zu_torch", n);
	if (torch)
		report_ratio(key, "  / PyTorch", &t->ours, &t->torch, 0);
	else
		report_absent(key, "  / PyTorch", "not installed");
	label(key, sizeof key, "pipeline_%zu_rate", n);
	if (t->rate.n)
		report_value(key, "  executed rate / peak of multiply-adds", samples_median(&t->rate), "", 0.65, 1);
}

static void one_thread(size_t n, bool blas)
{
	struct fast_head h = bench_head(n, D);
	float *square = blas ? take(n * n * sizeof *square) : NULL, *out = take(n * D * sizeof *out);
	double *sums = take(n * sizeof *sums);
	struct python numpy, torch;
	bool has_numpy = python_start(&numpy, "numpy", n, D), has_torch = python_start(&torch, "torch", n, D);
	struct times t = { .ours.n = 0 };

	blas ? blas_threads(1) : (void)0;
	for (int turn = -1; turn < TURNS; turn++) {
		struct times *to = turn < 0 ? &(struct times){ .ours.n = 0 } : &t;
		double peak = fma_peak(h.lanes), ours = attend(&h, NULL, out, sums);
		samples_add(&to->ours, ours);
		if (blas)
			samples_add(&to->blas, two_products(&h, square, out));
		if (has_numpy)
			samples_add(&to->numpy, python_turn(&numpy));
		if (has_torch)
			samples_add(&to->torch, python_turn(&torch));
		if (peak > 0)
			samples_add(&to->rate, operations(n) / ours / peak);
	}
	report(n, &t, blas, has_numpy, has_torch);
	if (has_numpy)
		python_stop(&numpy);
	if (has_torch)
		python_stop(&torch);
	bench_head_free(&h);
	free(square);
	free(out);
	free(sums);
}

static void all_threads(size_t n, struct workers *workers, bool blas)
{
	struct fast_head h = bench_head(n, D);
	float *square = blas ? take(n * n * sizeof *square) : NULL, *out = take(n * D * sizeof *out);
	double *sums = take(n * sizeof *sums);
	struct samples ours = { .n = 0 }, theirs = { .n = 0 };
	char text[100], key[60];

	blas ? blas_threads((int)workers_count(workers)) : (void)0;
	for (int turn = -1; turn < SETTLED_TURNS; turn++) {
		double us = attend(&h, workers, out, sums), them = blas ? two_products(&h, square, out) : 0;
		if (turn >= 0) {
			samples_add(&ours, us);
			samples_add(&theirs, them);
		}
		if (blas)
			blas_settle();
	}
	snprintf(text, sizeof text, "n = %zu, %zu threads", n, workers_count(workers));
	snprintf(key, sizeof key, "pipeline_%zu_threads", n);
	report_time(key, text, &ours);
	snprintf(key, sizeof key, "pipeline_%zu_threads_blas", n);
	if (blas)
		report_ratio(key, "  / two OpenBLAS products on as many", &ours, &theirs, 0.50);
	bench_head_free(&h);
	free(square);
	free(out);
	free(sums);
}

void bench_pipeline(struct workers *workers, bool blas)
{
	report_section("Full causal pipeline: mask, softmax, output and row sums; float32, d = 64",
		       blas ? blas_name() : NULL);
	one_thread(2048, blas);
	one_thread(4096, blas);
	if (workers_count(workers) > 1)
		all_threads(4096, workers, blas);
}
