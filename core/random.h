/* random.h - the stream of numpy.random.default_rng(seed), bit for bit.
 *
 * Source: M. O'Neill's PCG (XSL-RR 128/64) and seed_seq hashing, Doornik's
 * ziggurat after Marsaglia and Tsang, as NumPy 1.21 and later combine them.
 * No globals: the ziggurat's tables live in a struct that the caller keeps.
 */
#ifndef CORE_RANDOM_H
#define CORE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* The largest seed, in decimal digits. Reading a seed costs the square of its
 * length; this much takes about a millisecond. */
enum { RANDOM_SEED_DIGITS = 10000 };

struct random_tables {
	uint64_t k[256];
	double w[256], f[256];
};

struct random_word128 { uint64_t high, low; };

struct random {
	struct random_word128 state, increment;
	const struct random_tables *tables;	/* not owned; outlives the stream */
};

/* Computes the tables. E_VALUE when this machine's libm gives other bits than
 * NumPy's tables have (checked by a hash); no number may be drawn then. */
enum status random_tables_init(struct random_tables *t, struct error *e);

/* Starts the stream of a seed written in decimal digits; leading zeros do not
 * count. E_VALUE for anything else (a sign included), E_LIMIT beyond
 * RANDOM_SEED_DIGITS. The stream is as it was then. */
enum status random_seed(struct random *r, const struct random_tables *t,
			const char *digits, struct error *e);

uint64_t random_next(struct random *r);		/* 64 raw bits */
double random_double(struct random *r);		/* Generator.random(): [0, 1) */
double random_standard_normal(struct random *r);/* may be -0.0, as standard_normal */
double random_normal(struct random *r);		/* Generator.normal(): 0 + 1*z */
void random_skip_normals(struct random *r, uint64_t count);
/* Moves ahead by count raw 64-bit draws in O(log count). */
void random_advance(struct random *r, uint64_t count);

#endif
