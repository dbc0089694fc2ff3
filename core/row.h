/* row.h - THE unit of computation: one query row through every stage.
 *
 * scores_j = sum_c q_ic k_jc, ascending c, multiply then add
 * scaled   = the scale rule, then / temperature
 * masked   = softcap, alibi, bias, then the hidden cells filled
 * weights  = softmax (Vaswani et al. 2017, equation 1), maximum subtracted
 * output_c = sum_j weights_j v_jc, ascending j
 *
 * A named mistake does exactly what the mistaken code would do; nothing is
 * divided to make a row look right. Cost: n_k * d_k for the scores, n_k * d_v
 * for the output; nothing of size n_q x n_k is allocated.
 */
#ifndef CORE_ROW_H
#define CORE_ROW_H

#include "core/mask.h"
#include "core/problem.h"

enum verdict { VERDICT_OK, VERDICT_EMPTY, VERDICT_NON_FINITE, VERDICT_NAN, VERDICT_LOW, VERDICT_HIGH };
const char *verdict_name(enum verdict v);	/* ok, empty, non-finite, nan, low, high */

/* Statistics of the columns, for softmax over columns; one pass per softmax. */
struct columns {
	double *maximum, *sum;			/* n_k each */
	double *second_maximum, *second_sum;	/* of softmax-times 2; else NULL */
};

/* Everything rows are computed from. Refers to the problem, which outlives it;
 * the options are a copy. */
struct attention {
	const struct problem *problem;
	struct options options;		/* in force: with the bug's options */
	size_t head;
	enum dtype dtype, score_dtype, fill_dtype;
	double divisor, factor;		/* of the scale rule; 1 when it does not apply */
	const char *scale_note;		/* why the scale rule is off, or NULL */
	double fill, slope;		/* as in force; slope of alibi */
	double tolerance;		/* of a row sum */
	struct columns columns;		/* maximum NULL unless softmax runs over columns */
	struct random dropout;		/* at the first draw */
};

/* E_VALUE or E_SHAPE about options that do not fit the problem. Does not take
 * ownership. For column softmax it goes through all rows, twice for each softmax:
 * n_q n_k d_k each time, and E_LIMIT where that would take seconds. */
enum status attention_init(struct attention *a, const struct problem *p, const struct options *o,
			   const struct random_tables *tables, struct error *e);
void attention_free(struct attention *a);

struct row {
	size_t index;			/* i */
	double *scores, *scaled, *masked, *weights;	/* n_k each */
	double *output;			/* d_v */
	rules *rules;			/* n_k: what hides each cell */
	double *work;			/* n_k */
	double *query, *keys, *value;	/* d_k, 4 d_k and d_v: rows of numbers that lie elsewhere (matrix.h) */
	bool *overridden;		/* n_k: the score was set by an edit */
	size_t visible;			/* cells not hidden */
	double maximum;			/* that softmax subtracts; NaN for columns and given weights */
	double denominator;		/* sum of exponentials; NaN likewise */
	double second_maximum, second_denominator;	/* of softmax-times 2; else NaN, and NaN likewise */
	double remaining;		/* what after-renorm divides by, the sum of what its mask left; else NaN */
	double sum;			/* of the weights, unrounded, pairwise */
	double largest;			/* weight */
	double entropy;			/* bits, -sum w log2 w */
	enum verdict verdict;
	size_t culprit;			/* cell that NON_FINITE names */
};

/* Room for one row of the attention's shapes. */
enum status row_init(struct row *r, const struct attention *a, struct error *e);
void row_free(struct row *r);

/* Computes row i from stage `first` to stage `last` (SCORES .. OUTPUT); the
 * stages before must be those of the same row. Allocates nothing. */
void row_compute(struct row *r, const struct attention *a, size_t i, enum stage first,
		 enum stage last);

/* The numbers of a stage of a row, and how many: SCORES..OUTPUT. */
const double *row_stage(const struct row *r, const struct attention *a, enum stage s, size_t *n);

/* Row i of an input array of the attention's head. Numbers that lie elsewhere are put in r's scratch,
 * which lasts until r is computed or asked again. */
const double *row_input(struct row *r, const struct attention *a, enum array array, size_t i);

/* What dropout multiplies weight i:j with, 0 or 1 / (1 - p); 1 without dropout. Cost: log(i n_k + j). */
double attention_dropout(const struct attention *a, size_t i, size_t j);

/* Whether the attention has that stage (given weights have none before). */
bool attention_has_stage(const struct attention *a, enum stage s);

/* All heads, for rows of `joined`: their outputs side by side, times W_O where given. */
struct joined {
	struct attention *head;
	size_t heads;
	struct row row;			/* of one head after the other */
	double *beside;			/* heads * d_v */
};

/* Places that a row of `joined` has. */
size_t attention_joined_columns(const struct attention *a);
/* Every head's attention, with the options of this one. Refers to the problem,
 * not to the attention. */
enum status joined_init(struct joined *j, const struct attention *a, const struct random_tables *tables,
			struct error *e);
void joined_free(struct joined *j);
/* Row i; out has attention_joined_columns() places. Computes every head. */
void joined_row(struct joined *j, size_t i, double *out);

#endif
