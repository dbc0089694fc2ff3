/* options.c - the one registry of options. */
#include "core/options.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/color_range.h"
#include "core/message.h"
#include "core/number.h"

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

#define AT(member) offsetof(struct options, member)
enum { LIST_LIMIT = 20000000 };		/* numbers in one list */
#define MANY 1e9	/* more than any index, far from overflow */

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

static void *place(struct options *o, enum option which)
{
	return (char *)o + table[which].offset;
}

static const void *place_const(const struct options *o, enum option which)
{
	return (const char *)o + table[which].offset;
}

static bool is_list(enum option_type t)
{
	return t == TYPE_INDICES || t == TYPE_IDS || t == TYPE_CELLS;
}

static bool is_text(enum option_type t)
{
	return t == TYPE_TEXT || t == TYPE_DIGITS;
}

static int find_word(const char *const *words, const char *text)
{
	for (int i = 0; words && words[i]; i++)
		if (!strcmp(words[i], text))
			return i;
	return -1;
}

static enum status expected(const struct option_info *info, const char *text, struct error *e)
{
	return error_set(e, E_VALUE, "'%.80s' is not one of: %s", text, info->values);
}

static enum status set_switch(bool *value, const struct option_info *info, const char *text, struct error *e)
{
	if (!strcmp(text, "on"))
		*value = true;
	else if (!strcmp(text, "off"))
		*value = false;
	else
		return expected(info, text, e);
	return OK_STATUS;
}

static enum status set_integer(long *value, const struct option_info *info, const char *text, struct error *e)
{
	long v;

	if (find_word(info->words, text) >= 0) {
		*value = (long)info->lowest - 1;
		return OK_STATUS;
	}
	if (!number_parse_integer(text, strlen(text), &v) ||
	    (double)v < info->lowest || (double)v > info->highest)
		return expected(info, text, e);
	*value = v;
	return OK_STATUS;
}

static enum status set_number(struct number_or_word *value, const struct option_info *info,
			      const char *text, struct error *e)
{
	double v;
	int word = find_word(info->words, text);

	if (word >= 0) {
		*value = (struct number_or_word){ word, 0 };
		return OK_STATUS;
	}
	if (!number_parse(text, strlen(text), &v) || isnan(v) || v < info->lowest ||
	    v > info->highest || (info->above && v <= info->lowest))
		return expected(info, text, e);
	/* An unlimited option takes infinity; one with a unit does not. */
	if (isinf(v) && info->offset != AT(fill) && info->offset != AT(keep_value))
		return expected(info, text, e);
	/* One form for one value: -infinity is the word. */
	if (info->offset == AT(fill) && v == -INFINITY)
		*value = (struct number_or_word){ FILL_MINUS_INFINITY, 0 };
	else
		*value = (struct number_or_word){ -1, v };
	return OK_STATUS;
}

/* ---- lists ---- */

static enum status list_add(struct list *l, size_t *capacity, long value, struct error *e)
{
	if (l->n >= LIST_LIMIT)
		return error_set(e, E_LIMIT, "a list of more than %d numbers", LIST_LIMIT);
	if (l->n == *capacity) {
		size_t wanted = *capacity ? *capacity * 2 : 16;
		long *v = realloc(l->v, wanted * sizeof *v);
		if (!v)
			return error_set(e, E_MEMORY, "no memory for a list");
		l->v = v;
		*capacity = wanted;
	}
	l->v[l->n++] = value;
	return OK_STATUS;
}

static bool read_index(const char **p, long *value)
{
	const char *start = *p;
	long v = 0;

	while (**p >= '0' && **p <= '9') {
		if (v > LONG_MAX / 10 - 1 || v > (long)MANY)
			return false;
		v = v * 10 + (*(*p)++ - '0');
	}
	*value = v;
	return *p > start && v <= (long)MANY;
}

static int compare_long(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;
	return (x > y) - (x < y);
}

static int compare_cell(const void *a, const void *b)
{
	int rows = compare_long(a, b);
	return rows ? rows : compare_long((const long *)a + 1, (const long *)b + 1);
}

static void sort_unique(struct list *l, size_t unit, int (*compare)(const void *, const void *))
{
	size_t kept = 0;

	if (!l->n)
		return;
	qsort(l->v, l->n / unit, unit * sizeof *l->v, compare);
	for (size_t i = 0; i < l->n; i += unit)
		if (!kept || compare(l->v + kept - unit, l->v + i)) {
			memmove(l->v + kept, l->v + i, unit * sizeof *l->v);
			kept += unit;
		}
	l->n = kept;
}

/* Indices in a list with ranges, so that 0-999999999, or many shorter ranges,
 * are an error and not an allocation. */
enum { RANGE_LIMIT = 1 << 20 };

/* One item: an index, a range of indices, or a cell; p moves behind it. */
static enum status list_item(struct list *l, size_t *capacity, enum option_type type,
			     const char **p, bool *bad, struct error *e)
{
	long a, b;
	enum status s;

	*bad = true;
	if (!read_index(p, &a))
		return OK_STATUS;
	if (type == TYPE_CELLS) {
		if (*(*p)++ != ':' || !read_index(p, &b))
			return OK_STATUS;
		*bad = false;
		s = list_add(l, capacity, a, e);
		return s ? s : list_add(l, capacity, b, e);
	}
	b = a;
	if (type == TYPE_INDICES && **p == '-') {
		++*p;
		if (!read_index(p, &b) || b < a || b - a >= RANGE_LIMIT || l->n + (size_t)(b - a) >= RANGE_LIMIT)
			return OK_STATUS;
	}
	*bad = false;
	for (; a <= b; a++)
		if ((s = list_add(l, capacity, a, e)))
			return s;
	return OK_STATUS;
}

static enum status set_list(struct list *value, const struct option_info *info, const char *text, struct error *e)
{
	struct list l = { 0 };
	size_t capacity = 0;
	bool bad = false;
	enum status s = OK_STATUS;

	if (find_word(info->words, text) < 0) {
		for (const char *p = text;; p++) {
			if ((s = list_item(&l, &capacity, info->type, &p, &bad, e)) || bad || !*p)
				break;
			if (*p != ',') {
				bad = true;
				break;
			}
		}
		if (!s && bad)
			s = expected(info, text, e);
		if (s) {
			free(l.v);
			return s;
		}
	}
	if (info->type == TYPE_INDICES)
		sort_unique(&l, 1, compare_long);
	else if (info->type == TYPE_CELLS)
		sort_unique(&l, 2, compare_cell);
	free(value->v);
	*value = l;
	return OK_STATUS;
}

bool list_has(const struct list *l, long index)
{
	return l->n && bsearch(&index, l->v, l->n, sizeof *l->v, compare_long);
}

bool list_has_cell(const struct list *l, long row, long column)
{
	long cell[2] = { row, column };
	return l->n && bsearch(cell, l->v, l->n / 2, 2 * sizeof *l->v, compare_cell);
}

/* ---- texts ---- */

/* Which there are is for the catalogues to say. */
static bool is_language(const char *text)
{
	for (size_t k = 0; message_language(k); k++)
		if (!strcmp(message_language(k), text))
			return true;
	return false;
}

static enum status expected_language(const char *text, struct error *e)
{
	char list[24 * MESSAGE_LANGUAGES] = "auto";

	for (size_t k = 0, n = strlen(list); message_language(k) && n < sizeof list; k++)
		n += (size_t)snprintf(list + n, sizeof list - n, ", %s", message_language(k));
	return error_set(e, E_VALUE, "'%.80s' is not one of: %s", text, list);
}

static enum status set_text(char **value, const struct option_info *info, const char *text, struct error *e)
{
	struct color_range range;

	if (find_word(info->words, text) == 0)
		text = "";
	else if (info->type == TYPE_DIGITS && (!*text || text[strspn(text, "0123456789")]))
		return expected(info, text, e);
	else if (info->offset == AT(lang) && !is_language(text))
		return expected_language(text, e);
	else if (!*text || (info->offset == AT(range) && !color_range_parse(text, &range)))
		return expected(info, text, e);
	char *copy = strdup(text);
	if (!copy)
		return error_set(e, E_MEMORY, "no memory for a text");
	free(*value);
	*value = copy;
	return OK_STATUS;
}

enum status option_set(struct options *o, enum option which, const char *text, struct error *e)
{
	const struct option_info *info = &table[which];
	int word;

	switch (info->type) {
	case TYPE_SWITCH:
		return set_switch(place(o, which), info, text, e);
	case TYPE_CHOICE:
		word = find_word(info->words, text);
		if (word < 0)
			return expected(info, text, e);
		*(int *)place(o, which) = word;
		return OK_STATUS;
	case TYPE_INTEGER:
		return set_integer(place(o, which), info, text, e);
	case TYPE_NUMBER:
		return set_number(place(o, which), info, text, e);
	case TYPE_INDICES:
	case TYPE_IDS:
	case TYPE_CELLS:
		return set_list(place(o, which), info, text, e);
	case TYPE_TEXT:
	case TYPE_DIGITS:
		return set_text(place(o, which), info, text, e);
	}
	return error_set(e, E_VALUE, "no such option");
}

/* ---- text of a value ---- */

static void integer_text(const struct option_info *info, long v, struct buffer *out)
{
	if (info->words && (double)v < info->lowest)
		buffer_text(out, info->words[0]);
	else
		buffer_format(out, "%ld", v);
}

static void number_text(const struct option_info *info, const struct number_or_word *v, struct buffer *out)
{
	char text[NUMBER_SIZE];

	if (v->word >= 0) {
		buffer_text(out, info->words[v->word]);
		return;
	}
	number_plain(v->number, text);
	buffer_text(out, text);
}

static void list_text(const struct option_info *info, const struct list *l, struct buffer *out)
{
	if (!l->n)
		buffer_text(out, info->words[0]);
	for (size_t i = 0; i < l->n; i++) {
		const char *before = !i ? "" : info->type == TYPE_CELLS && i % 2 ? ":" : ",";
		buffer_format(out, "%s%ld", before, l->v[i]);
	}
}

void option_text(const struct options *o, enum option which, struct buffer *out)
{
	const struct option_info *info = &table[which];
	const void *at = place_const(o, which);

	if (info->type == TYPE_SWITCH)
		buffer_text(out, *(const bool *)at ? "on" : "off");
	else if (info->type == TYPE_CHOICE)
		buffer_text(out, info->words[*(const int *)at]);
	else if (info->type == TYPE_INTEGER)
		integer_text(info, *(const long *)at, out);
	else if (info->type == TYPE_NUMBER)
		number_text(info, at, out);
	else if (is_list(info->type))
		list_text(info, at, out);
	else
		buffer_text(out, **(char *const *)at ? *(char *const *)at : info->words[0]);
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
