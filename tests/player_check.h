/* player_check.h - what a player's state is to be after some keys, and numbers to compare it with.
 *
 * Everything here stops the test when it does not hold.
 */
#ifndef TESTS_PLAYER_CHECK_H
#define TESTS_PLAYER_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/player.h"

/* ---- numbers ---- */

/* Weights of the golden corpus (seed002, seed003): of causal-3 as it is opened and without its
 * mask, and of random-4. */
extern const double causal_weights[9], plain_weights[9], random_weights[16];

/* No further than 1e-12 apart, or both the same infinity or nan. */
void is_near(double got, double wanted);
/* The numbers shown, row by row. */
void shows(struct player *p, const double *wanted, size_t rows, size_t columns);

/* Everything computed: all stages of all rows that fit. v is to be freed. */
struct numbers {
	double *v;
	size_t n;
};
struct numbers compute_all(struct player *p);
/* Whether the same bits come out now; any nan is like any other. */
bool computes(struct player *p, const struct numbers *wanted);

/* ---- the rest of the state ---- */

void option_is(struct player *p, enum option o, const char *wanted);
/* The sentence, as an error or not, has this in it. */
void says(struct player *p, bool is_error, const char *what);
/* The cursor stands there, and nothing is wrong with the state (state_fault). */
void cursor_is(struct player *p, size_t row, size_t column);
/* A line is being typed, and that is it so far. */
void prompt_is(struct player *p, const char *text);
/* To be freed with snapshot_free. */
struct snapshot copy_of(const struct snapshot *from);
/* A command that is refused leaves everything as it was, and says why. */
void refused(struct player *p, const char *command, const char *why);

/* Types a text as the value of the cell under the cursor. */
void set_value(struct player *p, const char *text);

#endif
