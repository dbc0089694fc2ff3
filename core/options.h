/* options.h - the one registry of options.
 *
 * It feeds the command line, `:set`, the scenario file's keys, completion,
 * help, the man page and the README. Each option has a text form and back, so
 * whoever stores, sends or shows one needs nothing else.
 */
#ifndef CORE_OPTIONS_H
#define CORE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buffer.h"
#include "core/dtype.h"
#include "core/error.h"
#include "core/stage.h"

enum option {
	/* what is hidden */
	OPT_CAUSAL, OPT_CAUSAL_ALIGN, OPT_CAUSAL_OFFSET, OPT_PAD, OPT_PAD_MASK, OPT_WINDOW,
	OPT_PREFIX, OPT_DOCUMENTS, OPT_HIDE, OPT_KEEP, OPT_MASK, OPT_POLARITY, OPT_MASK_INVERT,
	OPT_PAD_AXIS,
	/* the scores */
	OPT_TRANSPOSE, OPT_SCALE, OPT_D_MODEL, OPT_SCALE_TIMES, OPT_TEMPERATURE, OPT_SOFTCAP,
	OPT_ALIBI, OPT_BIAS,
	/* how hiding is done */
	OPT_FILL, OPT_FILL_OP, OPT_KEEP_VALUE, OPT_MASK_AT, OPT_EMPTY_ROW,
	/* softmax and after */
	OPT_SOFTMAX, OPT_SOFTMAX_KIND, OPT_SOFTMAX_TIMES, OPT_DROPOUT, OPT_DROPOUT_SEED,
	/* number types */
	OPT_DTYPE, OPT_SCORE_DTYPE, OPT_FILL_DTYPE,
	OPT_BUG,
	/* which slice, and random input */
	OPT_HEAD, OPT_LAYER, OPT_BATCH, OPT_SEED, OPT_N, OPT_D_K, OPT_D_V,
	/* presentation */
	OPT_STAGE, OPT_ARRAY, OPT_PRECISION, OPT_THEME, OPT_COLOR, OPT_RANGE, OPT_WITHOUT, OPT_LABELS, OPT_LANG, OPT_ASCII, OPT_STEP,
	OPT_COUNT
};

/* Words of the CHOICE options, in the order of their words. */
enum causal_align { ALIGN_TOP_LEFT, ALIGN_BOTTOM_RIGHT };
enum polarity { POLARITY_AUTO, POLARITY_HIDE, POLARITY_KEEP };
enum pad_axis { PAD_KEY, PAD_QUERY, PAD_BOTH };
enum fill_op { FILL_REPLACE, FILL_ADD, FILL_MULTIPLY };
enum mask_at { MASK_BEFORE, MASK_AFTER, MASK_AFTER_RENORM };
enum softmax_axis { SOFTMAX_ROW, SOFTMAX_COLUMN };
enum softmax_kind { SOFTMAX_STABLE, SOFTMAX_NAIVE };
enum empty_row { EMPTY_LITERAL, EMPTY_ZERO, EMPTY_UNIFORM };
enum option_dtype { OPTION_DTYPE_AUTO, OPTION_DTYPE_F64 };	/* then as enum dtype, + 1 */
enum option_labels { LABELS_RAW, LABELS_READ };
enum option_theme { OPTION_THEME_AUTO, OPTION_THEME_DARK, OPTION_THEME_LIGHT };
enum array { ARRAY_Q, ARRAY_K, ARRAY_V, ARRAY_X, ARRAY_W_Q, ARRAY_W_K, ARRAY_W_V, ARRAY_W_O,
	     ARRAY_SCORES, ARRAY_WEIGHTS, ARRAY_COUNT };

/* A number, or one of a few words that stand for one. */
struct number_or_word {
	int word;	/* index of the word, or -1: number holds */
	double number;
};
enum scale_word { SCALE_SQRT, SCALE_NONE, SCALE_DK, SCALE_DMODEL };
enum alibi_word { ALIBI_OFF, ALIBI_AUTO };
enum softcap_word { SOFTCAP_OFF };
enum fill_word { FILL_MINUS_INFINITY, FILL_MIN };
enum keep_value_word { KEEP_VALUE_NONE };

/* Indices (pad, without), ids (documents), or cells as row, column pairs (hide, keep).
 * Indices and cells are sorted and without repetition; ids stay as they are. */
struct list {
	long *v;
	size_t n;	/* numbers in v; twice the cells for a cell list */
};

/* Every option's value. Owns its lists and texts; start from options_init. */
struct options {
	bool causal, pad_mask, mask_invert, transpose, ascii;
	int causal_align, polarity, pad_axis, fill_op, mask_at, softmax, softmax_kind, empty_row;
	int dtype, score_dtype, fill_dtype, stage, array, theme, color, labels;
	long causal_offset, window, prefix, d_model, scale_times, softmax_times;
	long head, layer, batch, n, d_k, d_v, precision;
	struct number_or_word scale, fill, keep_value, alibi, softcap, temperature, dropout, step;
	struct list pad, documents, hide, keep, without;
	char *mask, *bias, *bug, *seed, *dropout_seed, *range, *lang;	/* never NULL; "" stands for the word */
};

enum option_type {
	TYPE_SWITCH, TYPE_CHOICE, TYPE_INTEGER, TYPE_NUMBER, TYPE_INDICES, TYPE_IDS, TYPE_CELLS,
	TYPE_TEXT, TYPE_DIGITS
};

enum option_group {
	GROUP_HIDING, GROUP_SCORES, GROUP_FILLING, GROUP_SOFTMAX, GROUP_DTYPE, GROUP_LAB,
	GROUP_INPUT, GROUP_VIEW, GROUP_COUNT
};

struct option_info {
	const char *name;
	enum option_type type;
	enum option_group group;
	enum stage dirties;		/* first stage that has to be computed again; STAGE_COUNT: none */
	size_t offset;			/* of the value in struct options */
	const char *const *words;	/* NULL-terminated; of CHOICE, or one that stands for a value:
					 * INTEGER: lowest - 1, NUMBER: see number_or_word,
					 * lists and texts: nothing in it, by the first */
	double lowest, highest;		/* of INTEGER and NUMBER */
	bool above;			/* lowest itself is not allowed */
	const char *initial;		/* the default, as text */
	const char *values;		/* for people: what may stand there, default first */
	const char *help;		/* one line */
};

const struct option_info *option_info(enum option o);
const char *option_group_name(enum option_group g);
/* OPT_COUNT when there is none of that name. No abbreviations. */
enum option option_find(const char *name);

enum status options_init(struct options *o, struct error *e);	/* all defaults */
enum status options_copy(struct options *to, const struct options *from, struct error *e);
void options_free(struct options *o);		/* a zeroed struct is accepted */
bool options_equal(const struct options *a, const struct options *b);
bool option_same(const struct options *a, const struct options *b, enum option which);

/* Sets one option from its text. On error (E_VALUE: what is wrong and what
 * was expected, without the option's name) o is as it was. */
enum status option_set(struct options *o, enum option which, const char *text, struct error *e);
/* Appends the option's value as text that option_set reads back. */
void option_text(const struct options *o, enum option which, struct buffer *out);
bool option_is_default(const struct options *o, enum option which);

/* True when the list holds that index, or that cell. */
bool list_has(const struct list *l, long index);
bool list_has_cell(const struct list *l, long row, long column);

#endif
