/* problem.h - the numbers a row is computed from: tokens, Q, K, V or scores.
 *
 * Shapes: Q (n_q, d_k), K (n_k, d_k), V (n_k, d_v), per head; i is the query,
 * j the key. With X (n, d_model): Q = X W_Q and so on.
 */
#ifndef CORE_PROBLEM_H
#define CORE_PROBLEM_H

#include "core/random.h"
#include "core/scenario.h"

struct problem {
	enum source source;		/* SOURCE_RANDOM has become QKV or X */
	bool random;			/* made from a seed */
	size_t n_q, n_k, heads;
	size_t d_k;			/* 0: unknown (scores without d-k, weights) */
	size_t d_v;
	size_t d_model;			/* columns of X, else heads * d_k; 0: unknown */
	struct array_heads array[ARRAY_COUNT];
	struct file_part part;		/* of the file that the scenario is from */
	bool identity_v;		/* V was not given: the identity (n_k, n_k), and no array */
	struct tokens query_tokens, key_tokens;	/* n_q and n_k of them; made when they are asked for (token_at) where none are given */
	struct edits edits;		/* those in force, overrides of scores among them */
	struct matrix mask, bias;	/* loaded from files; v NULL: none */
	char mask_note[200];		/* how mask was read, for people; "" without one */
	bool mask_additive, mask_keeps;	/* how mask is read: a bias; non-zero is visible */
	bool of_one_head;		/* mask or bias differs by head, and what is loaded is */
	size_t mask_head;		/* that of this one: there is no attention of another */
};

/* Makes the numbers. `o` gives seed, n, d-k, d-v for random input; edits are
 * applied. E_SHAPE with both shapes when arrays do not fit each other, E_VALUE
 * about an option or an edit that does not fit. *p is unchanged on error. */
enum status problem_build(struct problem *p, const struct scenario *s, const struct options *o,
			  const struct edits *edits, const struct random_tables *tables,
			  struct error *e);
void problem_free(struct problem *p);

/* The array shown for a head; NULL when the problem does not have it. */
const struct matrix *problem_array(const struct problem *p, enum array a, size_t head);
/* True when there are Q and K (a score can be computed, and overridden). */
bool problem_has_qk(const struct problem *p);
/* Whether the problem has that stage: given weights have none before them, and
 * one head has nothing to join. */
bool problem_has_stage(const struct problem *p, enum stage s);
/* The same as an error about the option `stage` (E_VALUE) that says why. */
enum status problem_check_stage(const struct problem *p, enum stage s, struct error *e);

#endif
