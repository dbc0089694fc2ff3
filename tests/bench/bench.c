/* bench.c - make bench: speed as ratios, measured in one run.
 *
 * BENCH_JSON=FILE writes the same for machines. Nothing here decides whether a test
 * passes. With arguments, only those parts: start, pipeline, keys, overview, memory.
 */
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/measure.h"
#include "tests/bench/rivals.h"

static bool wanted(const char *part, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], part))
			return true;
	return argc < 2;
}

int main(int argc, char **argv)
{
	const char *file = getenv("BENCH_JSON");
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct workers *workers;
	struct error e = { 0 };

	if (argc == 5 && !strcmp(argv[1], "--memory"))
		return bench_memory_child(argv[2], strtoul(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
	bool blas = blas_open();
	printf("kernel %s; medians, quartiles in brackets; a ratio is the median of those of the turns\n", lanes_choose()->name);
	if (wanted("start", argc, argv))
		bench_start();		/* first: starting is slower from a process with much memory */
	if (workers_start(&workers, processors > 0 ? (size_t)processors : 1, &e)) {
		fprintf(stderr, "bench: %s\n", e.text);
		return 1;
	}
	if (wanted("pipeline", argc, argv))
		bench_pipeline(workers, blas);
	if (wanted("keys", argc, argv))
		bench_keys(workers, blas);
	if (wanted("overview", argc, argv))
		bench_overview(workers, blas);
	if (wanted("memory", argc, argv))
		bench_memory(argv[0]);
	workers_stop(workers);
	if (file && *file && !report_write(file)) {
		fprintf(stderr, "bench: %s cannot be written\n", file);
		return 1;
	}
	return 0;
}
