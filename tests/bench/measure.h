/* measure.h - times, and the table they are printed in.
 *
 * Machines are shared and their clocks change, so what is compared is run in turn, one
 * after the other, many times; a ratio is the median of the ratios of the turns.
 */
#ifndef TESTS_BENCH_MEASURE_H
#define TESTS_BENCH_MEASURE_H

#include <stddef.h>
#include <stdint.h>

enum { MOST_TURNS = 64 };

struct samples {
	double v[MOST_TURNS];		/* seconds, or what is said */
	size_t n;
};

double now(void);			/* seconds of a clock that only goes forward */
void samples_add(struct samples *s, double value);	/* beyond MOST_TURNS it is dropped */
double samples_median(const struct samples *s);

/* Numbers from -1.7 to 1.7, as scores of trained models have their spread. */
void fill_random(float *v, size_t n, uint64_t seed);
/* Memory aligned to 64 bytes, or the end of the program. */
void *take(size_t size);

/* A new part of the table, and a line below its title. */
void report_section(const char *title, const char *note);
/* A time, with its quartiles. */
void report_time(const char *key, const char *label, const struct samples *s);
/* ours / theirs turn by turn, with quartiles; target 0: none. */
void report_ratio(const char *key, const char *label, const struct samples *ours,
		  const struct samples *theirs, double target);
/* A number that is to be at most (or with `least`, at least) the target. */
void report_value(const char *key, const char *label, double value, const char *unit, double target, int least);
/* Something that could not be measured, and why. */
void report_absent(const char *key, const char *label, const char *why);
/* All of it as JSON into a file; returns 0 when that failed. */
int report_write(const char *file);

#endif
