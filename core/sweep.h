/* sweep.h - the d_k experiment: does softmax pile up without the scale?
 *
 * For every d_k, Q, K and V (n, d_k) are drawn one after the other from a single
 * stream of default_rng(seed); V counts for nothing but its draws. Of the scores
 * Q K^T, unscaled, / sqrt(d_k) and / d_k, the rows' largest weights and their
 * entropies are averaged over the rows. Repeats are the whole list of d_k again
 * on the stream as it then is, so the first is what one repeat alone gives; a
 * mean and its sd are np.mean and np.std over the repeats.
 * Then, on the same stream, for every d_k of a second list: q (pairs, d_k),
 * k (pairs, d_k), and np.std of the pairs' dot products in NumPy's order, which
 * Vaswani et al. 2017 (3.2.1, note 4) say is sqrt(d_k).
 *
 * It is computed in small pieces: whoever calls looks at what is known so far
 * between two of them, and gives up whenever he wants.
 */
#ifndef CORE_SWEEP_H
#define CORE_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/random.h"
#include "core/row.h"

/* ---- what is asked for ---- */

enum {
	SWEEP_LIST = 64,	/* most sizes in a list */
	SWEEP_N_LIMIT = 4096, SWEEP_D_K_LIMIT = 65536, SWEEP_REPEATS_LIMIT = 10000, SWEEP_PAIRS_LIMIT = 10000000,
	SWEEP_NUMBERS_LIMIT = 1 << 26,	/* n times the largest d_k: 512 MiB each for Q and K */
};

enum sweep_parameter {
	SWEEP_D_K, SWEEP_N, SWEEP_SEED, SWEEP_REPEATS, SWEEP_STD_D_K, SWEEP_PAIRS, SWEEP_PARAMETER_COUNT
};

struct sweep_sizes { size_t v[SWEEP_LIST], count; };

struct sweep_request {
	struct sweep_sizes d_k;		/* of the weights; one at least */
	struct sweep_sizes std_d_k;	/* of the dot products; may be empty */
	size_t n, repeats, pairs;
	const char *seed;		/* decimal digits; not owned */
};

/* The lesson's experiment. */
void sweep_request_init(struct sweep_request *r);
/* As on the command line: d-k, n, seed, repeats, std-d-k, pairs. */
const char *sweep_parameter_name(enum sweep_parameter p);
/* Sets one from its text, to which r->seed then points. E_VALUE about the
 * option; r is then as it was. */
enum status sweep_set(struct sweep_request *r, enum sweep_parameter p, const char *text, struct error *e);

/* ---- the computation ---- */

/* How the scores are divided; also the first three measures, the last three
 * are the entropies in bits. */
enum sweep_scale { SWEEP_NONE, SWEEP_SQRT, SWEEP_DK, SWEEP_SCALE_COUNT };
enum { SWEEP_LARGEST = 0, SWEEP_ENTROPY = SWEEP_SCALE_COUNT, SWEEP_MEASURE_COUNT = 2 * SWEEP_SCALE_COUNT };

enum sweep_phase {
	SWEEP_DRAW_Q, SWEEP_DRAW_K, SWEEP_SKIP_V, SWEEP_WEIGH,	/* for every d_k, for every repeat */
	SWEEP_SKIP_QUERIES, SWEEP_MULTIPLY,			/* for every d_k of the std */
	SWEEP_DONE
};

struct sweep {
	struct sweep_request request;	/* its seed points to the next */
	char *seed;
	struct random random;		/* the one stream */
	struct random queries;		/* it again, where the pairs' q begin */
	enum sweep_phase phase;
	size_t item, repeat;		/* of which d_k, of which repeat */
	uint64_t at;			/* how far the phase is */
	uint64_t done, total;		/* in units of work */

	struct problem *problem;	/* what a row has to know: n keys, no masks */
	struct attention attention;
	struct row row;
	double *q, *k;			/* (n, largest d_k) */
	double *scores;			/* n: of one row */
	double *rows;			/* measures x n: of the rows so far */
	double *measured;		/* d_k x measures x repeats */
	double *products;		/* of one pair */
	double *dots;			/* pairs */
	double *scratch;		/* repeats */
	double std[SWEEP_LIST];
};

/* Allocates all that will be needed: two (n, d_k) of the largest d_k, a number a
 * pair, six a repeat and d_k. E_VALUE about an option out of its range, E_LIMIT
 * about the seed or n times d_k, E_MEMORY; *s is then as it was. */
enum status sweep_init(struct sweep *s, const struct sweep_request *r, const struct random_tables *tables,
		       struct error *e);
/* Does a piece of about a millisecond; a pair of the largest d_k takes five, the
 * std of the most pairs a few times that. Allocates nothing. False once there is
 * nothing left to do. */
bool sweep_step(struct sweep *s);
double sweep_progress(const struct sweep *s);	/* 0 to 1, never backwards; 1 is done */
void sweep_free(struct sweep *s);		/* at any time; a zeroed struct is accepted */

/* ---- what is known so far ---- */

/* Repeats that are complete for request.d_k.v[item]. */
size_t sweep_repeats_done(const struct sweep *s, size_t item);
/* Over those; nan when there are none. A measure is SWEEP_LARGEST or
 * SWEEP_ENTROPY plus a scale. */
double sweep_mean(const struct sweep *s, size_t item, int measure);
double sweep_sd(const struct sweep *s, size_t item, int measure);
/* How many of std[] are known; they come in the order of request.std_d_k. */
size_t sweep_std_done(const struct sweep *s);

#endif
