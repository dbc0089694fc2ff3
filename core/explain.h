/* explain.h - the arithmetic that makes one cell, as a list of steps with their numbers.
 *
 * q_ij: n products x_ic w_cj, n = d_model, where Q is X W_Q; of K and V likewise.
 * scores_ij: n products q_ic k_jc, n = d_k; then the scale, the score's changes, the
 * mask, softmax and what follows it, up to weights_ij. output_ic: n_k products
 * w_ij v_jc. A sum that softmax divides by: n_k terms. i is the query (the row's
 * index), j the key, c a column.
 *
 * A list is replayed from +0: each step makes a value of the one before it (x) and
 * its operand, and rounds that to its number type. The last value is the cell, with
 * the bits that row.h computes (nan as nan). What an option leaves undone has no
 * step; what comes to nothing in the end (the products of an edited score, the
 * softmax of a row that empty-row decides) has them all the same, for the row is
 * computed so. Nothing is shortened, however long a product: folding, rounding and
 * words are for whoever shows it.
 */
#ifndef CORE_EXPLAIN_H
#define CORE_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/row.h"

enum explain_kind {
	/* input */
	EXPLAIN_PROJECT,	/* + left * right: x_ic and w_cj, index c; in doubles, whatever dtype says */
	/* scores */
	EXPLAIN_PRODUCT,	/* + left * right: q_ic and k_jc (k_cj with transpose off), index c */
	EXPLAIN_GIVEN,		/* = the score, or the finished weight, that the input has */
	EXPLAIN_EDIT,		/* = the score that an edit put there */
	/* scaled */
	EXPLAIN_SCALE_DIVIDE,	/* / sqrt(d_k) or another divisor */
	EXPLAIN_SCALE_TIMES,	/* * the number of the option scale */
	EXPLAIN_TEMPERATURE,	/* / temperature */
	EXPLAIN_ROUND,		/* rounded to score-dtype, where none of these does it */
	/* masked */
	EXPLAIN_SOFTCAP,	/* cap * tanh(x / cap) */
	EXPLAIN_ALIBI,		/* - left * right: slope and distance */
	EXPLAIN_BIAS,		/* + the matrix of the option bias */
	EXPLAIN_MASK_BIAS,	/* + what an additive mask adds without hiding */
	EXPLAIN_VISIBLE,	/* nothing hides the cell, and nothing is done to it */
	EXPLAIN_FILL_REPLACE,	/* = the fill; the cell is hidden, as in the next two */
	EXPLAIN_FILL_ADD,	/* + the fill */
	EXPLAIN_FILL_MULTIPLY,	/* * the fill */
	EXPLAIN_KEEP_ADD,	/* + keep-value, or 0; the cell is visible, as in the next */
	EXPLAIN_KEEP_MULTIPLY,	/* * keep-value, or 1 */
	/* weights */
	EXPLAIN_MINUS_MAXIMUM,	/* - the largest of the row; no step with softmax-kind naive */
	EXPLAIN_MINUS_COLUMN_MAXIMUM,	/* - the largest of column j, likewise */
	EXPLAIN_EXP,		/* e^x */
	EXPLAIN_DIVIDE,		/* / the row's sum of exponentials */
	EXPLAIN_DIVIDE_COLUMN,	/* / column j's sum of exponentials */
	EXPLAIN_MASK_AFTER,	/* * 0 where hidden, * 1 where not */
	EXPLAIN_RENORMALISE,	/* / the sum of what is left */
	EXPLAIN_EMPTY,		/* = what the option empty-row says; in the output, 0 */
	EXPLAIN_DROPOUT,	/* * 0 or 1 / (1 - p) */
	/* output, joined */
	EXPLAIN_MIX,		/* + left * right: w_ij and v_jc (identity where V is not given), index j;
				 * or a number of the heads side by side and w_o, index its place there */
	/* sums of a row */
	EXPLAIN_TERM,		/* + the term of key `index` */
	EXPLAIN_JOIN,		/* + the sum in lane `index` */
	EXPLAIN_KINDS
};

struct explain_info {
	const char *name;	/* a word or two: "product", "scale-divide" */
	char sign;		/* + - * / with the operand, '=' the operand, 'e' e^x, 't' operand * tanh(x / operand),
				 * ' ' x as it is; then rounded */
};
const struct explain_info *explain_info(enum explain_kind k);

struct explain_step {
	enum explain_kind kind;
	enum stage stage;	/* that it belongs to */
	enum dtype dtype;	/* that value is rounded to */
	bool again;		/* of the second scale, or of the second softmax */
	rules rules;		/* of VISIBLE, FILL, KEEP and MASK_AFTER: those of the cell */
	uint8_t lane;		/* of TERM and JOIN: which of the sums grows */
	size_t index;		/* of PROJECT, PRODUCT, MIX, TERM and JOIN as said there; else the key */
	double left, right;	/* factors of PROJECT, PRODUCT and MIX, as rounded; of ALIBI. Of a TERM that is e^x, left is x */
	double operand;		/* 0 where there is none; of PROJECT, PRODUCT and MIX the rounded product */
	double value;		/* afterwards; of TERM and JOIN in their lane */
};

/* A zeroed struct is an empty list. It keeps its room for the next list. */
struct explain {
	struct explain_step *steps;
	size_t n, capacity;
};
void explain_free(struct explain *x);

/* The last value: the cell, or the sum; +0 without steps. */
double explain_value(const struct explain *x);

/* The functions below replace what is in *x. The row is one of this attention,
 * computed at least as far as what is explained. E_MEMORY, and *x as it was, when
 * there is no room; at most one allocation. They cost as many operations as steps. */

/* Cell j of stage `last`, SCORES to WEIGHTS, with the steps of the stages before; no
 * steps where attention_has_stage says no. d_k + 24 steps at most. */
enum status explain_cell(struct explain *x, const struct attention *a, const struct row *r, size_t j, enum stage last,
			 struct error *e);

/* A number of Q, K or V that is made of X: d_model steps. None where the array is
 * given, or is another one. */
enum status explain_input(struct explain *x, const struct problem *p, size_t head, enum array array, size_t row,
			  size_t column, struct error *e);

/* Column c of the output: n_k steps, or the one of a row that empty-row makes 0. */
enum status explain_output(struct explain *x, const struct attention *a, const struct row *r, size_t c,
			   struct error *e);

/* Key j's share of it: w_ij v_jc, as rounded before it is added. */
double explain_share(const struct attention *a, const struct row *r, size_t j, size_t c);

/* Column c of `joined`, of the row that joined_row computed last; heads * d_v steps, or
 * one where there is no W_O. */
enum status explain_joined(struct explain *x, const struct joined *joined, size_t c, struct error *e);

/* Sums of a row, in the order in which row.c and number.c add (NumPy's pairwise sum):
 * up to 7 keys one after the other, more in eight lanes, beyond 128 in halves, beyond
 * NUMBER_RUN in runs. All lanes begin at +0; JOIN leaves the lane it takes at +0
 * again; the sum ends up in lane 0. No more than n_k + n_k / 8 + 8 steps. */
enum explain_sum {
	EXPLAIN_DENOMINATOR,		/* row.denominator: e^(x_k - maximum), or e^x_k */
	EXPLAIN_SECOND_DENOMINATOR,	/* row.second_denominator */
	EXPLAIN_REMAINING,		/* row.remaining: the weights times 0 or 1 */
	EXPLAIN_ROW_SUM,		/* row.sum: the finished weights, in doubles */
};
enum { EXPLAIN_LANES = 16 };

/* No steps where the row has no such sum, as softmax over columns has no denominators. */
enum status explain_sum(struct explain *x, const struct attention *a, const struct row *r, enum explain_sum which,
			struct error *e);

#endif
