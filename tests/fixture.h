/* fixture.h - a problem and its attention made from numbers in C, for tests.
 *
 * Everything here stops the test (an assertion of cmocka) when it fails, but
 * for what says that it returns a status.
 */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/row.h"

struct fixture {
	struct scenario scenario;
	struct options options;
	struct random_tables tables;
	struct problem problem;
	struct attention attention;
	struct row row;
	bool built, started;
};

/* An empty scenario and options at their defaults. */
void fixture_init(struct fixture *f);
/* The same with random Q (n_q, d_k), K (n_k, d_k), V (n_k, d_v). */
void fixture_random(struct fixture *f, size_t n_q, size_t n_k, size_t d_k, size_t d_v, const char *seed);
/* The same with scores (n_q, n_k); V is the identity. */
void fixture_scores(struct fixture *f, size_t n_q, size_t n_k, const double *scores);
/* Adds a head of an array; the source follows from what was added last. */
void fixture_array(struct fixture *f, enum array a, size_t rows, size_t columns, const double *v);
/* "causal=on pad=2,3 fill=-1e9": blanks between options; NULL for none. */
void fixture_set(struct fixture *f, const char *settings);
void fixture_edit(struct fixture *f, enum array a, size_t row, size_t column, double value);
/* The problem, unless it is there; again after edits and new sizes. */
void fixture_build(struct fixture *f);
void fixture_rebuild(struct fixture *f);
/* Loads a mask of (rows, columns) into the problem; a kind is 'b', 'i' or 'f'. */
enum status fixture_mask(struct fixture *f, size_t rows, size_t columns, const double *v, char kind,
			 const char *name, struct error *e);
/* The attention of problem and options as they are now, and room for a row. */
void fixture_start(struct fixture *f);
enum status fixture_try(struct fixture *f, struct error *e);
/* Row i through every stage; starts if need be. */
const struct row *fixture_row(struct fixture *f, size_t i);
void fixture_free(struct fixture *f);

/* Sets options from such a text. */
void options_from(struct options *o, const char *settings);

/* Equal bits, any nan like any other. */
bool same_number(double a, double b);
/* Of the same kind (nan, inf, -inf), and no further than `tolerance` apart. */
bool near_number(double a, double b, double tolerance);
#define assert_same(got, wanted) assert_same_at(got, wanted, __FILE__, __LINE__)
#define assert_near(got, wanted, tolerance) assert_near_at(got, wanted, tolerance, __FILE__, __LINE__)
void assert_same_at(double got, double wanted, const char *file, int line);
void assert_near_at(double got, double wanted, double tolerance, const char *file, int line);

/* A small generator for choices that tests make (xorshift64*). */
struct dice { uint64_t state; };
uint64_t dice_next(struct dice *d);
size_t dice_below(struct dice *d, size_t n);
double dice_between(struct dice *d, double low, double high);

#endif
