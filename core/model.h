/* model.h - a small decoder-only transformer: its sizes, its weights, its characters.
 *
 * Layers, heads, head_dim d, width C = heads * d, hidden F, context T, vocab V.
 * Arithmetic is float32. For ids[0..n), n <= T, ids[0] = [BOS]:
 *
 *   x_t = emb[ids_t] + pos_t
 *   in each layer, with LN(a) = (a - mean) / sqrt(variance + eps) * weight + bias:
 *     q, k, v = the thirds of qkv LN(x), head h in columns d h .. d h + d - 1
 *     z       = the heads' softmax(q k^T / sqrt(d), causal) v, side by side
 *     x       = x + proj z, then x = x + out GELU(fc LN(x)), GELU(a) = a (1 + erf(a / sqrt 2)) / 2
 *   logits = emb LN(x): the input embedding once more, without a bias
 *
 * Source: A. Vaswani et al. 2017, with the norm before each part (pre-LN) and
 * learned positions as in GPT-2; D. Hendrycks and K. Gimpel 2016 for GELU.
 */
#ifndef CORE_MODEL_H
#define CORE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/model_linear.h"
#include "core/scenario.h"

struct model_sizes {
	size_t layers, heads, head_dim, width, hidden, context, vocab;
	double norm_eps;
};

/* The largest that is taken, and the smallest is 1; of norm_eps anything above 0 and below 1. */
enum {
	MODEL_LAYERS = 64, MODEL_HEADS = 64, MODEL_HEAD_DIM = 512, MODEL_WIDTH = 4096, MODEL_HIDDEN = 16384,
	MODEL_CONTEXT = 1024, MODEL_VOCAB = 1 << 16,
};
/* Of what is kept for a text, layers * heads * context^2 and context * vocab; and of all weights. */
enum { MODEL_CELLS = 1 << 24, MODEL_PARAMETERS = 1 << 26 };

/* E_LIMIT or E_VALUE with the size that does not fit, and what is expected. */
enum status model_sizes_check(const struct model_sizes *s, struct error *e);

/* The arrays of a model, one a layer from MODEL_LN1_WEIGHT to MODEL_OUT_BIAS. */
enum model_part {
	MODEL_EMB, MODEL_POS,
	MODEL_LN1_WEIGHT, MODEL_LN1_BIAS, MODEL_QKV_WEIGHT, MODEL_QKV_BIAS, MODEL_PROJ_WEIGHT, MODEL_PROJ_BIAS,
	MODEL_LN2_WEIGHT, MODEL_LN2_BIAS, MODEL_FC_WEIGHT, MODEL_FC_BIAS, MODEL_OUT_WEIGHT, MODEL_OUT_BIAS,
	MODEL_LNF_WEIGHT, MODEL_LNF_BIAS,
	MODEL_PART_COUNT
};
enum { MODEL_NAME_SIZE = 64 };

bool model_part_in_layers(enum model_part p);
/* "blocks.0.qkv.weight"; the layer is of no account for parts that are in none. */
void model_part_name(enum model_part p, size_t layer, char out[MODEL_NAME_SIZE]);
/* Row-major [out, in]; a vector has rows only, and columns 0. */
void model_part_shape(const struct model_sizes *s, enum model_part p, size_t *rows, size_t *columns);

enum model_special { MODEL_PAD, MODEL_BOS, MODEL_EOS, MODEL_UNK, MODEL_SPECIAL_COUNT };

struct model_letter { uint32_t code; size_t id; };

struct model_layer {
	struct norm ln1, ln2;
	struct linear qkv, proj, fc, out;
};

struct model {
	struct model_sizes size;
	struct linear output;			/* emb, packed, with which text is also embedded */
	float *pos;				/* [T][C] */
	struct norm lnf;
	struct model_layer *layer;
	struct tokens vocab;			/* by id */
	size_t special[MODEL_SPECIAL_COUNT];	/* ids */
	struct model_letter *letters;		/* by code point; those of vocab that are no specials */
	size_t letters_n;
};

/* A model of zeros without a vocabulary. Errors of model_sizes_check, E_MEMORY. */
enum status model_init(struct model *m, const struct model_sizes *s, struct error *e);
void model_free(struct model *m);

/* Sets one row of an array from its `columns` numbers; all of a vector, whose row is 0. */
void model_set_row(struct model *m, enum model_part p, size_t layer, size_t row, const float *v);

/* Takes the vocabulary over (*vocab is zeroed on success): size.vocab texts, all
 * different; those that are no specials one code point each. The special ids
 * must be different too. E_VALUE or E_SHAPE. */
enum status model_set_vocab(struct model *m, struct tokens *vocab, const size_t special[MODEL_SPECIAL_COUNT],
			    struct error *e);

/* The id of a character; that of [UNK] when it is not in the list. */
size_t model_id(const struct model *m, uint32_t code);

/* A text as ids: [BOS], then one for each code point. */
struct model_text {
	size_t *ids;
	size_t n;		/* at least 1, at most the context */
	size_t last;		/* position of its last token that is no [PAD] */
	size_t characters;	/* of the text, those that were cut off too */
	size_t cut, unknown;	/* how many do not fit, and how many of the rest became [UNK] */
};

/* The text has to be in NFC: a decomposed letter would be several unknown
 * characters. Bytes that are not UTF-8 count as one U+FFFD each, as utf8.h has them. */
enum status model_text_init(struct model_text *t, const struct model *m, const char *text, size_t length,
			    struct error *e);
/* Puts [PAD] before and behind it, as a batch of texts of different lengths has them.
 * E_VALUE when that is more than the context. */
enum status model_text_pad(struct model_text *t, const struct model *m, size_t left, size_t right, struct error *e);
void model_text_free(struct model_text *t);

/* What the options of a head are at first: the defaults, and the causal mask. */
enum status model_options(struct options *o, struct error *e);

#endif
