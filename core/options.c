/* options.c - the one registry of options, and whole sets of them; options_value.c has single values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/color_range.h"
#include "core/message.h"
#include "core/options_parts.h"

static const char *const align_words[] = { "top-left", "bottom-right", NULL };
static const char *const polarity_words[] = { "auto", "hide", "keep", NULL };
static const char *const pad_axis_words[] = { "key", "query", "both", NULL };
static const char *const fill_op_words[] = { "replace", "add", "multiply", NULL };
static const char *const mask_at_words[] = { "before", "after", "after-renorm", NULL };
static const char *const axis_words[] = { "row", "column", NULL };
static const char *const kind_words[] = { "stable", "naive", NULL };
static const char *const empty_words[] = { "literal", "zero", "uniform", NULL };
static const char *const dtype_words[] = { "auto", "f64", "f32", "f16", "bf16", NULL };
static const char *const own_dtype_words[] = { "as-dtype", "f64", "f32", "f16", "bf16", NULL };
static const char *const array_words[] = { "q", "k", "v", "x", "w-q", "w-k", "w-v", "w-o", "scores", "weights", NULL };
static const char *const theme_words[] = { "auto", "dark", "light", NULL };
static const char *const color_words[] = { "auto", "never", "8", "16", "256", "truecolor", NULL };
static const char *const labels_words[] = { "raw", "read", NULL };
static const char *const stage_words[] = { "input", "scores", "scaled", "masked", "weights", "output", "joined", NULL };
static const char *const scale_words[] = { "sqrt", "none", "dk", "dmodel", NULL };
static const char *const fill_words[] = { "-inf", "min", NULL };
static const char *const off_words[] = { "off", NULL };
static const char *const none_words[] = { "none", NULL };
static const char *const auto_words[] = { "auto", NULL };
static const char *const alibi_words[] = { "off", "auto", NULL };

static const struct option_info table[OPT_COUNT] = {
	[OPT_CAUSAL] = { "causal", TYPE_SWITCH, GROUP_HIDING, STAGE_MASKED, AT(causal), NULL, 0, 0, false, "off",
		N_("off, on"), N_("hide the future: key j is hidden from query i when j > i") },
	[OPT_CAUSAL_ALIGN] = { "causal-align", TYPE_CHOICE, GROUP_HIDING, STAGE_MASKED, AT(causal_align), align_words, 0, 0, false, "top-left",
		N_("top-left, bottom-right"), N_("which corner the triangle starts from when n_q and n_k differ") },
	[OPT_CAUSAL_OFFSET] = { "causal-offset", TYPE_INTEGER, GROUP_HIDING, STAGE_MASKED, AT(causal_offset), NULL, -MANY, MANY, false, "0",
		N_("0, integer"), N_("moves the triangle: -1 hides the diagonal too, 1 lets one step of future through") },
	[OPT_PAD] = { "pad", TYPE_INDICES, GROUP_HIDING, STAGE_MASKED, AT(pad), none_words, 0, MANY, false, "none",
		N_("none, key indices (2,3 or 0-1)"), N_("which tokens are padding") },
	[OPT_PAD_MASK] = { "pad-mask", TYPE_SWITCH, GROUP_HIDING, STAGE_MASKED, AT(pad_mask), NULL, 0, 0, false, "on",
		N_("on, off"), N_("hide the padding; off keeps the list") },
	[OPT_WINDOW] = { "window", TYPE_INTEGER, GROUP_HIDING, STAGE_MASKED, AT(window), off_words, 1, MANY, false, "off",
		N_("off, w >= 1"), N_("each query sees w keys back, itself included") },
	[OPT_PREFIX] = { "prefix", TYPE_INTEGER, GROUP_HIDING, STAGE_MASKED, AT(prefix), off_words, 1, MANY, false, "off",
		N_("off, p >= 1"), N_("the first p keys are visible to all, whatever causal says") },
	[OPT_DOCUMENTS] = { "documents", TYPE_IDS, GROUP_HIDING, STAGE_MASKED, AT(documents), off_words, 0, MANY, false, "off",
		N_("off, one id a key (1,1,2)"), N_("tokens see their own document only; id 0 is padding") },
	[OPT_HIDE] = { "hide", TYPE_CELLS, GROUP_HIDING, STAGE_MASKED, AT(hide), none_words, 0, MANY, false, "none",
		N_("none, cells (0:1,2:0)"), N_("single cells to hide, row:column") },
	[OPT_KEEP] = { "keep", TYPE_CELLS, GROUP_HIDING, STAGE_MASKED, AT(keep), none_words, 0, MANY, false, "none",
		N_("none, cells (0:1,2:0)"), N_("single cells that stay visible whatever hides them") },
	[OPT_MASK] = { "mask", TYPE_TEXT, GROUP_HIDING, STAGE_MASKED, AT(mask), none_words, 0, 0, false, "none",
		N_("none, FILE"), N_("a mask from a file: boolean, integer (non-zero keeps) or additive") },
	[OPT_POLARITY] = { "polarity", TYPE_CHOICE, GROUP_HIDING, STAGE_MASKED, AT(polarity), polarity_words, 0, 0, false, "auto",
		N_("auto, hide, keep"), N_("what True means in a loaded boolean mask") },
	[OPT_MASK_INVERT] = { "mask-invert", TYPE_SWITCH, GROUP_HIDING, STAGE_MASKED, AT(mask_invert), NULL, 0, 0, false, "off",
		N_("off, on"), N_("mistake: hidden and visible exchanged") },
	[OPT_PAD_AXIS] = { "pad-axis", TYPE_CHOICE, GROUP_HIDING, STAGE_MASKED, AT(pad_axis), pad_axis_words, 0, 0, false, "key",
		N_("key, query, both"), N_("pad tokens hide their columns; rows instead or as well are the mistakes") },

	[OPT_TRANSPOSE] = { "transpose", TYPE_SWITCH, GROUP_SCORES, STAGE_SCORES, AT(transpose), NULL, 0, 0, false, "on",
		N_("on, off"), N_("off: Q K without the transpose") },
	[OPT_SCALE] = { "scale", TYPE_NUMBER, GROUP_SCORES, STAGE_SCALED, AT(scale), scale_words, -INFINITY, INFINITY, false, "sqrt",
		N_("sqrt, none, dk, dmodel, number"), N_("divide by sqrt(d_k), not at all, by d_k, by sqrt(d_model); or multiply") },
	[OPT_D_MODEL] = { "d-model", TYPE_INTEGER, GROUP_SCORES, STAGE_SCALED, AT(d_model), auto_words, 1, MANY, false, "auto",
		N_("auto, integer"), N_("d_model of --scale dmodel; auto is heads x d_k") },
	[OPT_SCALE_TIMES] = { "scale-times", TYPE_INTEGER, GROUP_SCORES, STAGE_SCALED, AT(scale_times), NULL, 1, 2, false, "1",
		N_("1, 2"), N_("mistake: scaled twice") },
	[OPT_TEMPERATURE] = { "temperature", TYPE_NUMBER, GROUP_SCORES, STAGE_SCALED, AT(temperature), NULL, 0, INFINITY, true, "1",
		N_("1, number > 0"), N_("divides the scaled scores") },
	[OPT_SOFTCAP] = { "softcap", TYPE_NUMBER, GROUP_SCORES, STAGE_MASKED, AT(softcap), off_words, 0, INFINITY, true, "off",
		N_("off, cap > 0"), N_("cap x tanh(score / cap), after scaling") },
	[OPT_ALIBI] = { "alibi", TYPE_NUMBER, GROUP_SCORES, STAGE_MASKED, AT(alibi), alibi_words, -INFINITY, INFINITY, false, "off",
		N_("off, auto, slope"), N_("subtracts slope x distance; auto is the head's own slope") },
	[OPT_BIAS] = { "bias", TYPE_TEXT, GROUP_SCORES, STAGE_MASKED, AT(bias), none_words, 0, 0, false, "none",
		N_("none, FILE"), N_("an additive matrix from a file; it hides nothing") },

	[OPT_FILL] = { "fill", TYPE_NUMBER, GROUP_FILLING, STAGE_MASKED, AT(fill), fill_words, -INFINITY, INFINITY, false, "-inf",
		N_("-inf, number, min"), N_("what a hidden cell becomes; min is the lowest of the number type") },
	[OPT_FILL_OP] = { "fill-op", TYPE_CHOICE, GROUP_FILLING, STAGE_MASKED, AT(fill_op), fill_op_words, 0, 0, false, "replace",
		N_("replace, add, multiply"), N_("how the fill reaches a hidden cell") },
	[OPT_KEEP_VALUE] = { "keep-value", TYPE_NUMBER, GROUP_FILLING, STAGE_MASKED, AT(keep_value), none_words, -INFINITY, INFINITY, false, "none",
		N_("none, number"), N_("added to (multiplied with) visible cells by fill-op add (multiply)") },
	[OPT_MASK_AT] = { "mask-at", TYPE_CHOICE, GROUP_FILLING, STAGE_MASKED, AT(mask_at), mask_at_words, 0, 0, false, "before",
		N_("before, after, after-renorm"), N_("before softmax, or on the weights") },
	[OPT_EMPTY_ROW] = { "empty-row", TYPE_CHOICE, GROUP_FILLING, STAGE_WEIGHTS, AT(empty_row), empty_words, 0, 0, false, "literal",
		N_("literal, zero, uniform"), N_("what a row without any visible key becomes") },

	[OPT_SOFTMAX] = { "softmax", TYPE_CHOICE, GROUP_SOFTMAX, STAGE_WEIGHTS, AT(softmax), axis_words, 0, 0, false, "row",
		N_("row, column"), N_("the axis that sums to 1; column is the mistake") },
	[OPT_SOFTMAX_KIND] = { "softmax-kind", TYPE_CHOICE, GROUP_SOFTMAX, STAGE_WEIGHTS, AT(softmax_kind), kind_words, 0, 0, false, "stable",
		N_("stable, naive"), N_("naive does not subtract the maximum") },
	[OPT_SOFTMAX_TIMES] = { "softmax-times", TYPE_INTEGER, GROUP_SOFTMAX, STAGE_WEIGHTS, AT(softmax_times), NULL, 1, 2, false, "1",
		N_("1, 2"), N_("mistake: softmax of the softmax") },
	[OPT_DROPOUT] = { "dropout", TYPE_NUMBER, GROUP_SOFTMAX, STAGE_WEIGHTS, AT(dropout), NULL, 0, 0.999999, false, "0",
		N_("0, p < 1"), N_("drops weights with probability p, the rest times 1/(1-p)") },
	[OPT_DROPOUT_SEED] = { "dropout-seed", TYPE_DIGITS, GROUP_SOFTMAX, STAGE_WEIGHTS, AT(dropout_seed), NULL, 0, 0, false, "0",
		N_("0, digits"), N_("seed of the dropout") },

	[OPT_DTYPE] = { "dtype", TYPE_CHOICE, GROUP_DTYPE, STAGE_SCORES, AT(dtype), dtype_words, 0, 0, false, "auto",
		N_("auto, f64, f32, f16, bf16"), N_("number type; the narrow ones round after every operation") },
	[OPT_SCORE_DTYPE] = { "score-dtype", TYPE_CHOICE, GROUP_DTYPE, STAGE_SCALED, AT(score_dtype), own_dtype_words, 0, 0, false, "as-dtype",
		N_("as-dtype, f64, f32, f16, bf16"), N_("only scaled and masked scores are rounded to it") },
	[OPT_FILL_DTYPE] = { "fill-dtype", TYPE_CHOICE, GROUP_DTYPE, STAGE_MASKED, AT(fill_dtype), own_dtype_words, 0, 0, false, "as-dtype",
		N_("as-dtype, f64, f32, f16, bf16"), N_("only the fill is rounded to it") },

	[OPT_BUG] = { "bug", TYPE_TEXT, GROUP_LAB, STAGE_SCORES, AT(bug), none_words, 0, 0, false, "none",
		N_("none, NAME[,NAME]"), N_("named mistakes; qkv list --bugs has them") },

	[OPT_HEAD] = { "head", TYPE_INTEGER, GROUP_INPUT, STAGE_SCORES, AT(head), NULL, 0, MANY, false, "0",
		N_("0, index"), N_("which head") },
	[OPT_LAYER] = { "layer", TYPE_INTEGER, GROUP_INPUT, STAGE_SCORES, AT(layer), NULL, 0, MANY, false, "0",
		N_("0, index"), N_("which layer") },
	[OPT_BATCH] = { "batch", TYPE_INTEGER, GROUP_INPUT, STAGE_SCORES, AT(batch), NULL, 0, MANY, false, "0",
		N_("0, index"), N_("which member of the batch") },
	[OPT_SEED] = { "seed", TYPE_DIGITS, GROUP_INPUT, STAGE_INPUT, AT(seed), auto_words, 0, 0, false, "auto",
		N_("auto, digits"), N_("seed of random input, as numpy.random.default_rng(seed); auto: the scenario's") },
	[OPT_N] = { "n", TYPE_INTEGER, GROUP_INPUT, STAGE_INPUT, AT(n), auto_words, 1, MANY, false, "auto",
		N_("auto, integer"), N_("tokens of random input; auto: the scenario's") },
	[OPT_D_K] = { "d-k", TYPE_INTEGER, GROUP_INPUT, STAGE_INPUT, AT(d_k), auto_words, 1, MANY, false, "auto",
		N_("auto, integer"), N_("d_k of random input; auto: the scenario's") },
	[OPT_D_V] = { "d-v", TYPE_INTEGER, GROUP_INPUT, STAGE_INPUT, AT(d_v), auto_words, 1, MANY, false, "auto",
		N_("auto, integer"), N_("d_v of random input; auto: the scenario's, or d-k") },

	[OPT_STAGE] = { "stage", TYPE_CHOICE, GROUP_VIEW, STAGE_COUNT, AT(stage), stage_words, 0, 0, false, "weights",
		N_("weights, input, scores, scaled, masked, output, joined"), N_("which stage is shown") },
	[OPT_ARRAY] = { "array", TYPE_CHOICE, GROUP_VIEW, STAGE_COUNT, AT(array), array_words, 0, 0, false, "q",
		N_("q, k, v, x, w-q, w-k, w-v, w-o, scores, weights"), N_("which array the input stage shows") },
	[OPT_PRECISION] = { "precision", TYPE_INTEGER, GROUP_VIEW, STAGE_COUNT, AT(precision), auto_words, 0, 17, false, "auto",
		N_("auto, 0 to 17"), N_("digits after the point; auto is 3 on the screen") },
	[OPT_THEME] = { "theme", TYPE_CHOICE, GROUP_VIEW, STAGE_COUNT, AT(theme), theme_words, 0, 0, false, "auto",
		N_("auto, dark, light"), N_("colours for a dark or a light terminal") },
	[OPT_COLOR] = { "color", TYPE_CHOICE, GROUP_VIEW, STAGE_COUNT, AT(color), color_words, 0, 0, false, "auto",
		N_("auto, never, 8, 16, 256, truecolor"), N_("how many colours are used") },
	[OPT_RANGE] = { "range", TYPE_TEXT, GROUP_VIEW, STAGE_COUNT, AT(range), color_range_words, 0, 0, false, "auto",
		N_("auto, shown, row, log, percentile, LOW..HIGH"), N_("the ends of the colour scale; what is outside LOW..HIGH is marked") },
	[OPT_WITHOUT] = { "without", TYPE_INDICES, GROUP_VIEW, STAGE_COUNT, AT(without), none_words, 0, MANY, false, "none",
		N_("none, key indices (0,3 or 0-1)"), N_("keys that the grid leaves blank; nothing else changes, and what is left of each sum is shown") },
	[OPT_LABELS] = { "labels", TYPE_CHOICE, GROUP_VIEW, STAGE_COUNT, AT(labels), labels_words, 0, 0, false, "raw",
		N_("raw, read"), N_("tokens as they are, or subword and byte marks as people read them") },
	[OPT_LANG] = { "lang", TYPE_TEXT, GROUP_VIEW, STAGE_COUNT, AT(lang), auto_words, 0, 0, false, "auto",
		N_("auto, en, ko"), N_("language of the texts") },
	[OPT_ASCII] = { "ascii", TYPE_SWITCH, GROUP_VIEW, STAGE_COUNT, AT(ascii), NULL, 0, 0, false, "off",
		N_("off, on"), N_("draw with ASCII only") },
	[OPT_STEP] = { "step", TYPE_NUMBER, GROUP_VIEW, STAGE_COUNT, AT(step), NULL, 0, INFINITY, true, "0.1",
		N_("0.1, number > 0"), N_("how far + and - move a number") },
};

const struct option_info *option_info(enum option o)
{
	return &table[o];
}

const char *option_group_name(enum option_group g)
{
	static const char *const name[] = {
		N_("What is hidden"), N_("Scores"), N_("How hiding is done"), N_("Softmax and after"), N_("Number types"),
		N_("Bug lab"), N_("Input"), N_("Presentation"),
	};
	return name[g];
}

enum option option_find(const char *name)
{
	for (int o = 0; o < OPT_COUNT; o++)
		if (!strcmp(table[o].name, name))
			return (enum option)o;
	return OPT_COUNT;
}

/* ---- whole sets ---- */

void options_free(struct options *o)
{
	for (int i = 0; i < OPT_COUNT; i++) {
		void *at = place(o, (enum option)i);
		if (is_list(table[i].type))
			free(((struct list *)at)->v);
		else if (is_text(table[i].type))
			free(*(char **)at);
	}
	memset(o, 0, sizeof *o);
}

enum status options_init(struct options *o, struct error *e)
{
	struct options fresh;

	memset(&fresh, 0, sizeof fresh);
	for (int i = 0; i < OPT_COUNT; i++) {
		enum status s = option_set(&fresh, (enum option)i, table[i].initial, e);
		if (s) {
			options_free(&fresh);
			return s;
		}
	}
	*o = fresh;
	return OK_STATUS;
}

static bool copy_list(struct list *l)
{
	long *v = NULL;

	if (l->n) {
		v = malloc(l->n * sizeof *v);
		if (v)
			memcpy(v, l->v, l->n * sizeof *v);
	}
	bool fine = v || !l->n;
	l->v = v;
	if (!fine)
		l->n = 0;
	return fine;
}

enum status options_copy(struct options *to, const struct options *from, struct error *e)
{
	struct options copy = *from;
	bool fine = true;

	for (int i = 0; i < OPT_COUNT; i++) {
		void *at = place(&copy, (enum option)i);
		if (is_list(table[i].type)) {
			fine = copy_list(at) && fine;
		} else if (is_text(table[i].type)) {
			*(char **)at = strdup(*(char **)at);
			fine = *(char **)at && fine;
		}
	}
	if (!fine) {
		options_free(&copy);
		return error_set(e, E_MEMORY, "no memory for the options");
	}
	*to = copy;
	return OK_STATUS;
}

static bool same_value(const struct options *a, const struct options *b, enum option which)
{
	const void *x = place_const(a, which), *y = place_const(b, which);

	switch (table[which].type) {
	case TYPE_SWITCH:
		return *(const bool *)x == *(const bool *)y;
	case TYPE_CHOICE:
		return *(const int *)x == *(const int *)y;
	case TYPE_INTEGER:
		return *(const long *)x == *(const long *)y;
	case TYPE_NUMBER: {
		const struct number_or_word *p = x, *q = y;
		return p->word == q->word && (p->word >= 0 || p->number == q->number);
	}
	case TYPE_TEXT:
	case TYPE_DIGITS:
		return !strcmp(*(char *const *)x, *(char *const *)y);
	default: {
		const struct list *p = x, *q = y;
		return p->n == q->n && (!p->n || !memcmp(p->v, q->v, p->n * sizeof *p->v));
	}
	}
}

bool options_equal(const struct options *a, const struct options *b)
{
	for (int i = 0; i < OPT_COUNT; i++)
		if (!same_value(a, b, (enum option)i))
			return false;
	return true;
}

bool option_same(const struct options *a, const struct options *b, enum option which)
{
	return same_value(a, b, which);
}

bool option_is_default(const struct options *o, enum option which)
{
	struct buffer now = { 0 };

	option_text(o, which, &now);
	bool same = now.data && !strcmp(now.data, table[which].initial);
	buffer_free(&now);
	return same;
}
