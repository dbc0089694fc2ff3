/* bench.c - make bench: speed as ratios, measured in one run.
 *
 * BENCH_JSON=FILE writes the same for machines. Nothing here decides whether a test
 * passes. With arguments, only those parts: start, files, live, pipeline, keys, overview,
 * memory. BENCH_KERNEL=avx2 (base, avx512) measures that kernel, and OpenBLAS and NumPy as
 * on a processor that has no wider one; what runs in a terminal chooses for itself.
 */
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/measure.h"
#include "tests/bench/pty.h"
#include "tests/bench/rivals.h"

static bool wanted(const char *part, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], part))
			return true;
	return argc < 2;
}

const struct lanes *bench_kernel(void)
{
	const char *name = getenv("BENCH_KERNEL");

	for (size_t which = 0; name && which < LANES_KERNELS; which++)
		if (lanes_usable(lanes_kernel(which)) && !strcmp(lanes_kernel(which)->name, name))
			return lanes_kernel(which);
	if (name && *name) {
		fprintf(stderr, "bench: BENCH_KERNEL: this processor has no kernel '%s'\n", name);
		exit(2);
	}
	return lanes_choose();
}

int main(int argc, char **argv)
{
	const char *file = getenv("BENCH_JSON");
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct workers *workers;
	struct error e = { 0 };

	if (argc == 5 && !strcmp(argv[1], "--memory"))
		return bench_memory_child(argv[2], strtoul(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
	if (argc == 2 && !strcmp(argv[1], "--blas"))
		return !blas_open() || puts(blas_name()) < 0;
	rivals_prepare(argv[0], bench_kernel());
	bool blas = blas_open();
	printf("kernel %s; medians, quartiles in brackets; a ratio is the median of those of the turns\n", bench_kernel()->name);
	if (wanted("start", argc, argv))
		bench_start();		/* first: starting is slower from a process with much memory */
	if (wanted("files", argc, argv))
		bench_files();
	if (wanted("live", argc, argv))
		bench_live();
	place_remove();
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
