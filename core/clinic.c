/* clinic.c - the same scores under several treatments, side by side. */
#include "core/clinic.h"

#include <string.h>

#include "core/message.h"

#define ADDED(fill, type) { OPT_FILL, fill }, { OPT_FILL_OP, "add" }, { OPT_DTYPE, type }
#define REPLACED(fill, type) { OPT_FILL, fill }, { OPT_FILL_OP, "replace" }, { OPT_DTYPE, type }
#define NEGATIVE_BILLION "-1000000000"

/* Lowest numbers of float32, written out where another type computes with them. */
#define F32_LOWEST "-3.4028234663852886e38"

static const struct clinic_variant empty_rows[] = {
	{ N_("-inf, as it comes"), { { OPT_EMPTY_ROW, "literal" } } },
	{ N_("-inf, row made 0"), { { OPT_EMPTY_ROW, "zero" } } },
	{ N_("-inf, row made uniform"), { { OPT_EMPTY_ROW, "uniform" } } },
	{ N_("-1e9 replaces, f64"), { REPLACED(NEGATIVE_BILLION, "f64") } },
	{ N_("-1e9 added, f64"), { ADDED(NEGATIVE_BILLION, "f64") } },
	{ N_("-1e9 added, f32"), { ADDED(NEGATIVE_BILLION, "f32") } },
	{ N_("-1e9 added, f16"), { ADDED(NEGATIVE_BILLION, "f16") } },
	{ N_("-1e9 added, bf16"), { ADDED(NEGATIVE_BILLION, "bf16") } },
};

static const struct clinic_variant overflows[] = {
	{ "naive, f64", { { OPT_SOFTMAX_KIND, "naive" }, { OPT_DTYPE, "f64" } } },
	{ "naive, f32", { { OPT_SOFTMAX_KIND, "naive" }, { OPT_DTYPE, "f32" } } },
	{ "naive, f16", { { OPT_SOFTMAX_KIND, "naive" }, { OPT_DTYPE, "f16" } } },
	{ "stable, f64", { { OPT_SOFTMAX_KIND, "stable" }, { OPT_DTYPE, "f64" } } },
	{ "stable, f32", { { OPT_SOFTMAX_KIND, "stable" }, { OPT_DTYPE, "f32" } } },
	{ "stable, f16", { { OPT_SOFTMAX_KIND, "stable" }, { OPT_DTYPE, "f16" } } },
};

static const struct clinic_variant fills[] = {
	{ N_("-1e9 replaces, f16"), { REPLACED(NEGATIVE_BILLION, "f16") } },
	{ N_("-1e9 added, f16"), { ADDED(NEGATIVE_BILLION, "f16") } },
	{ N_("lowest f32 added, f16"), { ADDED("min", "f16"), { OPT_FILL_DTYPE, "f32" } } },
	{ N_("lowest f16 added, f16"), { ADDED("min", "f16") } },
	{ N_("lowest f16 replaces, f16"), { REPLACED("min", "f16") } },
	{ N_("-1e4 added, f16"), { ADDED("-10000", "f16") } },
	{ N_("-1e4 added, f32"), { ADDED("-10000", "f32") } },
	{ N_("lowest f32 added, f32"), { ADDED("min", "f32") } },
};

static const struct clinic_variant second_masks[] = {
	{ N_("lowest added, f32"), { ADDED("min", "f32") } },
	{ N_("lowest f32 added, f64"), { ADDED(F32_LOWEST, "f64") } },
	{ N_("lowest replaces, f32"), { REPLACED("min", "f32") } },
	{ N_("-1e9 added, f32"), { ADDED(NEGATIVE_BILLION, "f32") } },
	{ N_("-inf replaces, f32"), { REPLACED("-inf", "f32") } },
};

static const struct clinic_variant alignments[] = {
	{ "top-left", { { OPT_CAUSAL, "on" }, { OPT_CAUSAL_ALIGN, "top-left" } } },
	{ "bottom-right", { { OPT_CAUSAL, "on" }, { OPT_CAUSAL_ALIGN, "bottom-right" } } },
};

static const struct clinic_variant polarities[] = {
	{ N_("causal, True hides"),
		{ { OPT_CAUSAL, "on" }, { OPT_PAD_MASK, "off" }, { OPT_MASK_INVERT, "off" } } },
	{ N_("causal, True keeps"),
		{ { OPT_CAUSAL, "on" }, { OPT_PAD_MASK, "off" }, { OPT_MASK_INVERT, "on" } } },
	{ N_("padding, True hides"),
		{ { OPT_CAUSAL, "off" }, { OPT_PAD_MASK, "on" }, { OPT_MASK_INVERT, "off" } } },
	{ N_("padding, True keeps"),
		{ { OPT_CAUSAL, "off" }, { OPT_PAD_MASK, "on" }, { OPT_MASK_INVERT, "on" } } },
};

#define VARIANTS(list) .variants = list, .variants_count = sizeof list / sizeof *list

const struct clinic clinics[] = {
	{
		.name = "empty-row", .title = N_("A row whose keys are all hidden"),
		.scenario = "left-pad-4", .form = CLINIC_ROWS, .row = 0, VARIANTS(empty_rows),
		.look = N_("The first token is padding and has only the future to look at. Softmax has no answer for "
			"it: 0/0, equal shares, or the unmasked weights, as if no mask were there, depending on "
			"the fill and the number type."),
	}, {
		.name = "all-pad", .title = N_("A sentence of nothing but padding"),
		.scenario = "all-pad-3", .form = CLINIC_ROWS, .row = 0, VARIANTS(empty_rows),
		.look = N_("The scores are 2, 1 and 0.1. Added in f64, -1e9 moves them all alike and softmax takes "
			"it off again: 0.659, 0.242, 0.099. In f32 they are lost beside -1e9, and the shares are "
			"equal."),
	}, {
		.name = "overflow", .title = N_("Scores that are too large for exp"),
		.scenario = "overflow-7x3", .form = CLINIC_ROWS, .row = 2, VARIANTS(overflows),
		.look = N_("exp overflows beyond 11.09 in f16, 88.72 in f32, 709.78 in f64. Without the maximum "
			"subtracted a row breaks at the first of these that it passes; row 4, where exp is nearly "
			"0, is wrong in f64 and still sums to 1."),
	}, {
		.name = "dtype-fill", .title = N_("What a fill becomes in a number type"),
		.scenario = "low-scores-3", .form = CLINIC_ROWS, .row = 0, VARIANTS(fills),
		.look = N_("All keys of row 0 are hidden; its scores are 2, 1 and -20. In f16 -1e9 is -inf, and so "
			"is the lowest number plus -20; beside -1e4 the scores still differ. Rows 1 and 2 are "
			"right every time."),
	}, {
		.name = "added-twice", .title = N_("Two masks added one after the other"),
		.scenario = "masked-twice-3", .form = CLINIC_ROWS, .row = 0, VARIANTS(second_masks),
		.look = N_("The scores come with a causal mask that was added as the lowest f32 number; padding is "
			"hidden on top. Where both hide, twice the lowest is -inf. Row 0 then falls to cells that "
			"only one mask hides."),
	}, {
		.name = "alignment", .title = N_("A causal mask on more keys than queries"),
		.scenario = "cached-3x5", .form = CLINIC_PICTURES, .row = 0, VARIANTS(alignments),
		.look = N_("Two tokens are in the cache, three are new. From the top left the first new token sees "
			"one key, and not its own; from the bottom right it sees three. PyTorch's is_causal is "
			"top-left, FlashAttention from 2.1 bottom-right."),
	}, {
		.name = "polarity", .title = N_("What True means in a mask"),
		.scenario = "causal-3", .form = CLINIC_PICTURES, .row = 0, VARIANTS(polarities),
		.look = N_("One table of booleans, read both ways. In PyTorch's MultiheadAttention, attn_mask and "
			"key_padding_mask, True hides; in its scaled_dot_product_attention and in Keras True "
			"takes part."),
	},
};
const size_t clinics_count = sizeof clinics / sizeof *clinics;

const struct clinic *clinic_find(const char *name)
{
	for (size_t k = 0; k < clinics_count; k++)
		if (!strcmp(clinics[k].name, name))
			return &clinics[k];
	return NULL;
}

enum status clinic_options(struct options *out, const struct options *base, const struct clinic_variant *v,
			   struct error *e)
{
	struct options o;
	enum status s = options_copy(&o, base, e);

	if (s)
		return s;
	for (size_t k = 0; k < CLINIC_SETTINGS && v->set[k].value && !s; k++)
		s = option_set(&o, v->set[k].option, v->set[k].value, e);
	if (s)
		options_free(&o);
	else
		*out = o;
	return s;
}

enum status clinic_attention(struct attention *out, const struct problem *p, const struct options *base,
			     const struct clinic_variant *v, const struct random_tables *tables, struct error *e)
{
	struct options o;
	enum status s = clinic_options(&o, base, v, e);

	if (s)
		return s;
	s = attention_init(out, p, &o, tables, e);
	options_free(&o);
	return s;
}
