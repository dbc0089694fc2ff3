/* recognise.h - what the arrays of a tensor file mean, and what of them is opened.
 *
 * An array's name says its role and its layer, its shape the rest: which axis is
 * layer, batch, head, query, key. Where Q, K and weights are all there, rows are
 * recomputed and the candidates for order, scale and masks are judged by them.
 *
 * Sources of names and shapes: what Hugging Face transformers, TransformerLens,
 * PyTorch, llama.cpp, MLX and bertviz write.
 */
#ifndef CORE_IO_RECOGNISE_H
#define CORE_IO_RECOGNISE_H

#include "core/buffer.h"
#include "core/io/tensors.h"
#include "core/scenario.h"

enum role {
	ROLE_UNKNOWN,
	ROLE_WEIGHTS, ROLE_SCORES, ROLE_Q, ROLE_K, ROLE_V, ROLE_OUTPUT,
	ROLE_TOKENS, ROLE_QUERY_TOKENS, ROLE_KEY_TOKENS, ROLE_IDS,
	ROLE_MASK, ROLE_BIAS, ROLE_SCALE,
	ROLE_LOGITS, ROLE_PARAMETER,	/* known, and nothing that is opened */
	ROLE_COUNT
};

const char *role_name(enum role r);	/* "weights", "query-tokens", ...: the words of --as */

/* Rows are queries of weights, scores, masks, q and output, keys of k and v, and
 * places of tokens. Columns are keys, or the width of a head. */
enum dimension { DIM_LAYER, DIM_BATCH, DIM_HEAD, DIM_ROW, DIM_COLUMN, DIM_COUNT };

const char *dimension_name(enum dimension d, enum role r);	/* "layer", ..., "query", "key", "dim", "token" */

enum mask_meaning { MASK_KEEPS, MASK_HIDES, MASK_ADDS };

/* What one array means. */
struct meaning {
	enum role role;
	long layer;			/* from its name; -1: its name has none */
	signed char axis[DIM_COUNT];	/* of the array; -1: it has no such axis */
	size_t fused;			/* heads side by side along the columns; 0: they have an axis */
	enum mask_meaning mask;
	char set[32];			/* which of several attentions it belongs to: "decoder", "pt"; mostly "" */
	bool unused;			/* another array is preferred */
	char note[120];			/* why it is unused, or what was assumed; "" */
	bool was_weights;		/* by its name or --as, and taken for scores since rows sum to more than 1 */
	/* hints, until the axes are known */
	bool split_unknown, position_first, per_key, unsure, rotated, forced, chosen, order_assumed;
};

/* An array as (layer, batch, head, row, column), in elements of C order. What it
 * does not have has size 1 and stride 0. */
struct view { size_t size[DIM_COUNT], stride[DIM_COUNT]; };
struct view meaning_view(const struct meaning *m, const struct npy *a);
/* Columns 0 .. n - 1 of one row. An axis of size 1 is the same for all. */
void view_row(const struct view *v, const struct npy *a, size_t layer, size_t batch, size_t head, size_t row, size_t n,
	      double *out);

/* Scale, masks and the layout that recomputed weights confirm, or that the file
 * or a pattern in it tells. */
enum evidence { EVIDENCE_NONE, EVIDENCE_FILE, EVIDENCE_PATTERN, EVIDENCE_WEIGHTS };
struct setting {
	enum evidence causal_by, scale_by;
	bool causal, bottom_right;	/* j > i (+ n_k - n_q) is hidden */
	bool future;			/* the file says causal, and stored weights are not */
	bool mask, inverted;		/* the file's mask applies; its True the other way round */
	bool bias;
	double scale;			/* 0: 1 / sqrt(d_k) */
	bool checked, agrees;		/* rows were recomputed from Q and K; within `limit` */
	bool mostly;			/* not all rows agree, but more than half: scale and masks are theirs */
	double difference, limit;	/* the largest of a weight */
	size_t rows, rows_within;	/* that were compared, and those within the limit */
};

/* What is opened of one layer. */
struct part {
	long layer;			/* its number; 0 without layers */
	size_t array[ROLE_COUNT];	/* the array of that role, or the number of arrays: none */
	enum source source;		/* SOURCE_QKV, SOURCE_WEIGHTS or SOURCE_SCORES */
	size_t batches, heads, kv_heads, n_q, n_k, d_k, d_v;	/* d_k, d_v 0: unknown */
};

struct recognition {
	struct meaning *v;		/* one an array of the file */
	size_t n;
	char set[32];			/* of several attentions the one that is opened */
	long *layer;			/* numbers of its layers, ascending */
	size_t layers;
	bool opens;			/* there is something to open */
	bool parameters;		/* the file holds a model's parameters */
	bool cross;			/* cross-attention: no diagonal to align */
	/* from metadata */
	struct tokens *text[3];		/* tokens, query tokens, key tokens: one list a batch */
	size_t texts[3];
	bool causal_said;
	double scale_said;		/* 0: not said */
	size_t heads_said, kv_heads_said;
	struct buffer notes;		/* lines for people, each ended by a newline */
};

struct recognise_options {
	const char *as;		/* "q=NAME,k=NAME", or one role for the only array; NULL: as recognised.
				 * A * in NAME stands for the digits of a layer. Weights or scores without q and k:
				 * these are opened as they are, Q and K or not. */
	const char *layout;	/* "batch,head,query,dim" for q, k, v and output, "head,query,key" for weights,
				 * scores, mask and bias; several are joined by '/'. NULL: as recognised */
};

/* Goes through all arrays; reads the numbers of a few (tensors_open). `name` is
 * that of the file: what an array without a name is called by. *r is unchanged on error:
 *   E_VALUE about --as or --layout, with the names that are nearest
 *   E_SYNTAX, E_LIMIT of an array that cannot be read
 * A file in which nothing is recognised is no error: `opens` is false. */
enum status recognise(struct recognition *r, struct tensors *t, const char *name,
		      const struct recognise_options *o, struct error *e);
void recognition_free(struct recognition *r);

/* Makes those weights again that were taken for scores: for who judges them. */
void recognition_as_named(struct recognition *r);

/* The arrays and sizes of a layer (by number; -1: the first). E_VALUE when there is
 * no such layer or nothing to open, E_SHAPE when arrays do not fit each other. */
enum status recognise_part(const struct recognition *r, const struct tensors *t, long layer, struct part *p,
			   struct error *e);

/* Judges scale and masks of a part and batch by its numbers. Opens what it reads. Cost: bounded, a few rows of a few heads. */
enum status recognise_setting(const struct recognition *r, struct tensors *t, const struct part *p, size_t batch,
			      struct setting *out, struct error *e);

/* What the rows of weights of a part sum to, over a few rows of a few heads that are spread over the
 * array, the first and the last among them: some 50,000 numbers are read, whatever its size. */
struct sums { double smallest, largest; bool negative; size_t nan_rows; double tolerance; };
enum status recognise_sums(const struct recognition *r, struct tensors *t, const struct part *p, enum role role,
			   struct sums *out, struct error *e);

/* The tokens of a part and batch; n 0: none are known. */
enum status recognise_tokens(struct recognition *r, struct tensors *t, const struct part *p, size_t batch,
			     bool aligned, struct tokens *query, struct tokens *key, struct error *e);

/* "agrees within 4.8e-7", "does not agree (0.999): ..." */
void setting_agreement(const struct setting *s, struct buffer *out);

#endif
