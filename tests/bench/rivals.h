/* rivals.h - what others need for the same: OpenBLAS, NumPy, PyTorch, where they are
 * installed, and what the machine itself can do at most.
 */
#ifndef TESTS_BENCH_RIVALS_H
#define TESTS_BENCH_RIVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct lanes;

/* Before all others: where OpenBLAS does not know the processor, and would run as on one of
 * twenty years ago, it is told what the kernel is made for; where the kernel is not the widest,
 * OpenBLAS and NumPy are held to its width. By variables of the environment that are not set yet;
 * `self` is this program, which tells its OpenBLAS when it is called with --blas. */
void rivals_prepare(const char *self, const struct lanes *kernel);

/* ---- OpenBLAS, opened while running ---- */

bool blas_open(void);			/* false where there is none */
const char *blas_name(void);		/* version and kernel */
void blas_threads(int n);
/* c (m, n) = a (m, k) times b (k, n), or b (n, k) transposed; float32, row-major. */
void blas_multiply(size_t m, size_t n, size_t k, const float *a, const float *b, bool transposed, float *c);
/* Its threads go on turning after a call; this waits until they sleep. */
void blas_settle(void);

/* ---- Python, as a child that answers with a time for every line it gets ---- */

struct python {
	pid_t pid;
	FILE *to, *from;
};

/* An interpreter that has the module, or NULL. */
const char *python_with(const char *module);
/* Causal attention of one head written with that module, one thread; false when it fails. */
bool python_start(struct python *p, const char *module, size_t n, size_t d);
double python_turn(struct python *p);	/* seconds, or negative */
void python_stop(struct python *p);

/* ---- the machine ---- */

/* float32 operations a second of one thread, by vectors of the kernel's width; 0: not known here. */
double fma_peak(const struct lanes *kernel);
double read_once(const float *v, size_t n);	/* seconds to add up n floats, n divided by 64 */

#endif
