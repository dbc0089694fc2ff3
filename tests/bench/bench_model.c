/* bench_model.c - what one change of a text costs the built-in model.
 *
 * One line of JSON a measurement: name, n (positions), seconds (median of many).
 * "model-change-at-P": another character at position P of n = 100, everything
 * from there on computed again; "model-type": a character more behind 99;
 * "model-rows": all heads by core/row.h; "model-load": the file read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assets/assets.h"
#include "core/io/model_file.h"
#include "core/model_run.h"

enum { N = 100, TIMES = 41 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void put(const char *name, double *seconds)
{
	qsort(seconds, TIMES, sizeof *seconds, compare);
	printf("{\"name\": \"%s\", \"n\": %d, \"seconds\": %.9f}\n", name, N, seconds[TIMES / 2]);
}

static void must(enum status s, const struct error *e)
{
	if (!s)
		return;
	fprintf(stderr, "bench_model: %s\n", e->text);
	exit(1);
}

static void bench_change(struct model_run *r, size_t *ids, size_t at, const char *name)
{
	struct error e = { 0 };
	double seconds[TIMES];

	for (size_t k = 0; k < TIMES; k++) {
		ids[at] = 4 + (ids[at] + 7 * k) % 700;
		double begin = now();
		must(model_run_set(r, ids, N, &e), &e);
		seconds[k] = now() - begin;
	}
	put(name, seconds);
}

static void bench_typing(struct model_run *r, size_t *ids)
{
	struct error e = { 0 };
	double seconds[TIMES];

	for (size_t k = 0; k < TIMES; k++) {
		must(model_run_set(r, ids, N - 1, &e), &e);
		double begin = now();
		must(model_run_set(r, ids, N, &e), &e);
		seconds[k] = now() - begin;
	}
	put("model-type", seconds);
}

/* A window wider than the text changes nothing but who computes. */
static void plan_rows(struct model_run *r)
{
	const struct head_set all = { MODEL_ALL, MODEL_ALL };
	struct error e = { 0 };
	struct model_plan plan;
	struct options o;

	must(model_options(&o, &e), &e);
	must(option_set(&o, OPT_WINDOW, "1000", &e), &e);
	must(model_plan_init(&plan, r->model, &e), &e);
	must(model_plan_options(&plan, &all, &o, &e), &e);
	must(model_run_plan(r, &plan, &e), &e);
	model_plan_free(&plan);
	options_free(&o);
}

static void bench_load(struct model *m)
{
	struct error e = { 0 };
	double seconds[TIMES];

	for (size_t k = 0; k < TIMES; k++) {
		if (k)
			model_free(m);
		double begin = now();
		must(model_read(m, models[0].data, models[0].size, models[0].name, &e), &e);
		seconds[k] = now() - begin;
	}
	put("model-load", seconds);
}

int main(void)
{
	struct model m;
	struct model_run r;
	struct error e = { 0 };
	size_t ids[N];

	bench_load(&m);
	must(model_run_init(&r, &m, NULL, &e), &e);
	ids[0] = m.special[MODEL_BOS];
	for (size_t k = 1; k < N; k++)
		ids[k] = 4 + k * 37 % 700;
	bench_change(&r, ids, 1, "model-change-at-1");
	bench_change(&r, ids, 50, "model-change-at-50");
	bench_change(&r, ids, 99, "model-change-at-99");
	bench_typing(&r, ids);
	plan_rows(&r);
	bench_change(&r, ids, 99, "model-rows");
	model_run_free(&r);
	model_free(&m);
	return 0;
}
