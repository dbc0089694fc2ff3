/* bench.h - the parts of the benchmark. */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

#include "core/fast.h"

/* The kernel that is measured: BENCH_KERNEL names one, else the widest of this processor. */
const struct lanes *bench_kernel(void);
/* Random q, k, v of n positions and d dimensions, causal. */
struct fast_head bench_head(size_t n, size_t d);
void bench_head_free(struct fast_head *h);

void bench_pipeline(struct workers *workers, bool blas);
/* Start-up and keys in a terminal; the programs are named by QKV and EMPTY_CURSES. */
void bench_start(void);
/* A language model: computed, against libraries, and on the screen. */
void bench_live(void);
/* Files of arrays on the screen: opening, and memory. */
void bench_files(void);
void bench_keys(struct workers *workers, bool blas);
void bench_overview(struct workers *workers, bool blas);
/* What a process of its own needs; `self` is this program. */
void bench_memory(const char *self);
/* In that process: one of "outputs", "overview", "keys". */
int bench_memory_child(const char *what, size_t n, size_t d);

#endif
