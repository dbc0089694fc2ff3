/* measure.c - times, and the table they are printed in. */
#include "tests/bench/measure.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static json_t *results;			/* of the one run that a process does */

double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void samples_add(struct samples *s, double value)
{
	if (s->n < MOST_TURNS)
		s->v[s->n++] = value;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The value below which a part of the samples lies. */
static double quantile(const struct samples *s, double part)
{
	struct samples sorted = *s;
	double at = part * (double)(s->n - 1);
	size_t below = (size_t)at, above = below + 1 < s->n ? below + 1 : below;

	if (!s->n)
		return 0;
	qsort(sorted.v, s->n, sizeof *sorted.v, ascending);
	return sorted.v[below] + (sorted.v[above] - sorted.v[below]) * (at - (double)below);
}

double samples_median(const struct samples *s)
{
	return quantile(s, 0.5);
}

void fill_random(float *v, size_t n, uint64_t seed)
{
	for (size_t i = 0; i < n; i++) {
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		v[i] = (float)((double)(seed >> 11) * 0x1p-53 * 3.4 - 1.7);
	}
}

void *take(size_t size)
{
	void *p = aligned_alloc(64, (size + 63) / 64 * 64);

	if (!p) {
		fprintf(stderr, "bench: no memory for %zu bytes\n", size);
		exit(1);
	}
	return p;
}

/* ---- the table ---- */

static void record(const char *key, const char *label, json_t *entry)
{
	if (!results)
		results = json_array();
	json_object_set_new(entry, "key", json_string(key));
	json_object_set_new(entry, "label", json_string(label));
	json_array_append_new(results, entry);
}

void report_section(const char *title, const char *note)
{
	printf("\n%s\n", title);
	if (note)
		printf("  %s\n", note);
	fflush(stdout);
}

static void print_time(double seconds)
{
	if (seconds < 1e-3)
		printf("%9.2f us", seconds * 1e6);
	else if (seconds < 1)
		printf("%9.3f ms", seconds * 1e3);
	else
		printf("%9.3f s ", seconds);
}

void report_time(const char *key, const char *label, const struct samples *s)
{
	double low = quantile(s, 0.25), high = quantile(s, 0.75);

	printf("  %-58s", label);
	print_time(samples_median(s));
	printf("  [%.3g .. %.3g ms]\n", low * 1e3, high * 1e3);
	fflush(stdout);
	record(key, label, json_pack("{s:f, s:f, s:f, s:i}", "seconds", samples_median(s), "low", low, "high", high,
				     "turns", (int)s->n));
}

void report_ratio(const char *key, const char *label, const struct samples *ours, const struct samples *theirs, double target)
{
	struct samples ratio = { .n = 0 };

	for (size_t i = 0; i < ours->n && i < theirs->n; i++)
		samples_add(&ratio, ours->v[i] / theirs->v[i]);
	double median = samples_median(&ratio), low = quantile(&ratio, 0.25), high = quantile(&ratio, 0.75);
	printf("  %-58s%9.3f     [%.3f .. %.3f]", label, median, low, high);
	if (target > 0)
		printf("  at most %.2f: %s", target, median <= target ? "yes" : "NO");
	printf("\n");
	fflush(stdout);
	record(key, label, json_pack("{s:f, s:f, s:f, s:f, s:i}", "ratio", median, "low", low, "high", high,
				     "target", target, "turns", (int)ratio.n));
}

void report_value(const char *key, const char *label, double value, const char *unit, double target, int least)
{
	printf("  %-58s%9.3f %-16s", label, value, unit);
	if (target > 0)
		printf("  at %s %.2f: %s", least ? "least" : "most", target,
		       (least ? value >= target : value <= target) ? "yes" : "NO");
	printf("\n");
	fflush(stdout);
	record(key, label, json_pack("{s:f, s:s, s:f}", "value", value, "unit", unit, "target", target));
}

void report_absent(const char *key, const char *label, const char *why)
{
	printf("  %-58s        - (%s)\n", label, why);
	fflush(stdout);
	record(key, label, json_pack("{s:s}", "absent", why));
}

int report_write(const char *file)
{
	json_t *all = json_pack("{s:O}", "results", results ? results : json_array());
	int failed = !all || json_dump_file(all, file, JSON_INDENT(1) | JSON_REAL_PRECISION(6));

	json_decref(all);
	return !failed;
}
