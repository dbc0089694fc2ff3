/* scenario.h - a scenario: inputs and settings as a file states them, no results.
 *
 * What the file says is kept as it is (random input as its seed, not as
 * numbers), so that saving gives it back; problem.h makes the numbers.
 */
#ifndef CORE_SCENARIO_H
#define CORE_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/matrix.h"
#include "core/options.h"

enum source {
	SOURCE_QKV,	/* q, k, v */
	SOURCE_SCORES,	/* scores, perhaps v; no Q and K */
	SOURCE_X,	/* x, w-q, w-k, w-v, perhaps w-o */
	SOURCE_WEIGHTS,	/* finished weights, perhaps v; nothing before them */
	SOURCE_RANDOM,
};

/* The same array of every head; X and W_O have one for all. */
struct array_heads {
	struct matrix *head;
	size_t n;
};

struct tokens {
	char **text;	/* UTF-8 as given; may hold anything but NUL. NULL: they are t0, t1, ... n of them */
	size_t n;
};

/* normals drawn by default_rng(seed) after `skip` of them.
 * Without d_model: for each head q (n_q, d_k), k (n_k, d_k), v (n_k, d_v).
 * With d_model: X (n, d_model), then for each head W_Q, W_K (d_model, d_k),
 * W_V (d_model, d_v), each / sqrt(d_model), then W_O (heads * d_v, d_model) likewise. */
struct random_input {
	char *seed;				/* decimal digits */
	size_t n_q, n_k, d_k, d_v, heads;	/* never 0 */
	size_t d_model;				/* 0: no X */
	uint64_t skip;
};

/* Tokens, columns, heads: no product of two of them overflows. */
enum { SIZE_LIMIT = 10000000 };
/* Numbers that a random input may draw, and that Q, K and V may have. */
#define NUMBERS_LIMIT ((size_t)1 << 28)

/* The input with the sizes that options give in place of its own; the seed stays. */
struct random_input random_input_sized(const struct random_input *r, const struct options *o);
bool random_input_fits(const struct random_input *r);	/* within the limits */

/* One changed number. A score where Q and K exist is an override of that cell;
 * anything else changes the matrix. */
struct edit {
	enum array array;
	size_t head, row, column;
	double value;
};

struct edits {
	struct edit *v;		/* sorted by array, head, row, column; no repetition */
	size_t n;
};

struct translation { char *language, *text; };	/* language "" : for all */

struct title {
	struct translation *v;
	size_t n;
};

struct mark { unsigned line, column; };		/* 1-based; 0: not from a file */

/* Which part of a file of arrays these numbers are; zeroed when they are none. */
struct file_part {
	size_t layers, batches;		/* that the file has; 0: not from such a file */
	long layer, batch;		/* this one: what the options of that name must say */
	double rounding;		/* how far rows of given weights may be off 1 by the number type they had */
	bool narrow;			/* Q, K and V were float32, float16 or bfloat16 */
	bool bf16;			/* '|V2' of .npy files is read as bfloat16, in masks too */
};

struct scenario {
	char *name;			/* never NULL after scenario_init */
	struct title title;
	enum source source;
	struct tokens query_tokens, key_tokens;	/* n 0: not given (t0, t1, ...) */
	bool tokens_shared;		/* written as `tokens:`: both lists are the same */
	struct array_heads array[ARRAY_COUNT];	/* what was given */
	struct random_input random;	/* SOURCE_RANDOM */
	size_t d_k;			/* `d-k:` beside scores; 0: unknown */
	struct file_part part;
	char *as, *layout;		/* how the file was read (recognise.h); NULL: as recognised. Not saved */
	struct options set;		/* all options, at their defaults where not set */
	struct edits edits;
	struct mark option_mark[OPT_COUNT];	/* where `set` has an option's value */
	struct mark array_mark[ARRAY_COUNT], tokens_mark;
};

enum status scenario_init(struct scenario *s, const char *name, struct error *e);
void scenario_free(struct scenario *s);

/* Random input with these tokens (NULL: t0, t1, ... n of them), d_k = d_v = 8, that seed. */
enum status scenario_random(struct scenario *s, const char *name, const struct tokens *tokens,
			    size_t n, const char *seed, struct error *e);

/* The title in a language, else in English, else the first, else "". */
const char *title_in(const struct title *t, const char *language);
void title_free(struct title *t);

enum status tokens_copy(struct tokens *to, const struct tokens *from, struct error *e);
enum status tokens_add(struct tokens *t, const char *text, size_t length, struct error *e);
void tokens_free(struct tokens *t);
/* Text i, in scratch where it has to be made; token_label has a scratch that lasts to the end of the block. */
enum { TOKEN_SCRATCH = 32 };
const char *token_at(const struct tokens *t, size_t i, char scratch[TOKEN_SCRATCH]);
#define token_label(t, i) token_at((t), (i), (char[TOKEN_SCRATCH]){ 0 })

/* Adds one matrix as the next head of an array; takes it over (m is then zeroed). */
enum status array_add(struct array_heads *a, struct matrix *m, struct error *e);
void array_free(struct array_heads *a);

enum status edits_copy(struct edits *to, const struct edits *from, struct error *e);
/* Adds or replaces. */
enum status edits_put(struct edits *e, struct edit edit, struct error *error);
/* Removes one; false when there was none. */
bool edits_remove(struct edits *e, enum array array, size_t head, size_t row, size_t column);
const struct edit *edits_find(const struct edits *e, enum array array, size_t head, size_t row, size_t column);
/* Those of one row, by column; how many, perhaps 0. */
const struct edit *edits_of_row(const struct edits *e, enum array array, size_t head, size_t row, size_t *n);
bool edits_equal(const struct edits *a, const struct edits *b);
void edits_free(struct edits *e);

const char *array_name(enum array a);		/* "q", "w-q", ... as in files and options */

#endif
