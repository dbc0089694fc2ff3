/* bench_memory.c - the most memory that a process of its own needs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/overview.h"
#include "core/panels.h"
#include "tests/bench/bench.h"
#include "tests/bench/measure.h"

enum { D = 64, THREADS = 2, SCREEN = 50 };

/* The process' own peak in KiB, as the system counts it; 0 when it does not. */
static long peak_memory(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[200];
	long peak = 0;

	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, "VmHWM:", 6))
			peak = strtol(line + 6, NULL, 10);
	if (f)
		fclose(f);
	return peak;
}

static enum status all_outputs(const struct fast_head *h, struct workers *workers, struct error *e)
{
	float *out = take(h->q.rows * h->v.columns * sizeof *out);
	bool done;
	enum status s = fast_attend(h, workers, NULL, out, NULL, &done, e);

	free(out);
	return s;
}

static enum status whole_map(const struct fast_head *h, struct workers *workers, struct error *e)
{
	struct overview *o;
	enum status s = overview_begin(&o, h, 100, 200, workers, e);

	while (!s && overview_progress(o) < 0.2 && overview_step(o, NULL))
		;
	if (!s)
		overview_free(o);
	return s;
}

static enum status screens(const struct fast_head *h, struct workers *workers, struct error *e)
{
	struct panels *p;
	size_t inputs = 3 * h->k.rows * h->k.columns * sizeof(float);
	enum status s = panels_begin(&p, h, SCREEN, inputs / 5 + (12 << 20), workers, e);

	for (size_t i = 0; !s && i < 10; i++) {
		size_t from = (h->q.rows - SCREEN) * i / 9;
		panels_show(p, from, from + SCREEN, from);
		while (panels_step(p, NULL))
			;
	}
	if (!s)
		panels_free(p);
	return s;
}

int bench_memory_child(const char *what, size_t n, size_t d)
{
	struct fast_head h = bench_head(n, d);
	struct workers *workers = NULL;
	struct error e = { 0 };
	enum status s = workers_start(&workers, THREADS, &e);

	if (!s)
		s = !strcmp(what, "outputs") ? all_outputs(&h, workers, &e)
		  : !strcmp(what, "overview") ? whole_map(&h, workers, &e) : screens(&h, workers, &e);
	printf("%ld\n", peak_memory());
	workers_stop(workers);
	bench_head_free(&h);
	return s != OK_STATUS;
}

static void measure(const char *self, const char *what, const char *label, size_t n)
{
	char command[1000], text[100], key[60];
	double inputs = 3.0 * (double)n * D * sizeof(float) / 1048576, peak = 0;

	snprintf(command, sizeof command, "'%s' --memory %s %zu %d", self, what, n, D);
	FILE *f = popen(command, "r");
	if (!f || fscanf(f, "%lf", &peak) != 1)
		peak = 0;
	if (f)
		pclose(f);
	peak /= 1024;
	snprintf(text, sizeof text, "%s, n = %zu: (peak - 16 MiB) / inputs", label, n);
	snprintf(key, sizeof key, "memory_%s_%zu", what, n);
	if (peak > 0)
		report_value(key, text, peak > 16 ? (peak - 16) / inputs : 0, "", 1.2, 0);
	else
		report_absent(key, text, "the child failed");
	snprintf(text, sizeof text, "  peak, with %.0f MiB of inputs", inputs);
	snprintf(key, sizeof key, "memory_%s_%zu_peak", what, n);
	report_value(key, text, peak, "MiB", 0, 0);
}

void bench_memory(const char *self)
{
	report_section("Peak memory of a process, two threads, d = 64", NULL);
	measure(self, "outputs", "all outputs", 4096);
	measure(self, "outputs", "all outputs", 16384);
	measure(self, "overview", "overview", 32768);
	measure(self, "keys", "jumps and scrolls", 1024);
	measure(self, "keys", "jumps and scrolls", 32768);
	measure(self, "keys", "jumps and scrolls", 131072);
}
