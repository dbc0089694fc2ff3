/* bug.c - the bug lab's named mistakes: each a bundle of options. */
#include "core/bug.h"

#include <string.h>

const struct bug bugs[] = {
	{ "mask-after-softmax", "the mask multiplies the weights, after softmax",
		{ { OPT_MASK_AT, "after" } } },
	{ "mask-after-renorm", "masked after softmax, then divided by the row sum",
		{ { OPT_MASK_AT, "after-renorm" } } },
	{ "zero-fill", "0 instead of -inf",
		{ { OPT_FILL, "0" }, { OPT_FILL_OP, "replace" } } },
	{ "tiny-fill", "1e-9 typed for -1e9",
		{ { OPT_FILL, "1e-09" }, { OPT_FILL_OP, "replace" } } },
	{ "multiply-mask", "scores multiplied with a mask of 0 and 1",
		{ { OPT_FILL, "0" }, { OPT_FILL_OP, "multiply" }, { OPT_KEEP_VALUE, "1" } } },
	{ "add-mask", "a mask of 0 and 1 added to the scores",
		{ { OPT_FILL, "0" }, { OPT_FILL_OP, "add" }, { OPT_KEEP_VALUE, "1" } } },
	{ "inverted-mask", "True taken for the opposite",
		{ { OPT_MASK_INVERT, "on" } } },
	{ "diagonal-hidden", "the triangle starts one too early: a token does not see itself",
		{ { OPT_CAUSAL, "on" }, { OPT_CAUSAL_OFFSET, "-1" } } },
	{ "future-step", "the triangle starts one too late: one step of future is seen",
		{ { OPT_CAUSAL, "on" }, { OPT_CAUSAL_OFFSET, "1" } } },
	{ "column-softmax", "softmax over the wrong axis",
		{ { OPT_SOFTMAX, "column" } } },
	{ "pad-rows", "padding hides query rows instead of key columns",
		{ { OPT_PAD_AXIS, "query" } } },
	{ "no-scale", "the scores are not divided at all",
		{ { OPT_SCALE, "none" } } },
	{ "scale-dk", "divided by d_k instead of its root",
		{ { OPT_SCALE, "dk" } } },
	{ "scale-dmodel", "divided by the root of d_model instead of d_k",
		{ { OPT_SCALE, "dmodel" } } },
	{ "scaled-twice", "the scale is applied twice",
		{ { OPT_SCALE_TIMES, "2" } } },
	{ "forgotten-transpose", "Q K instead of Q K^T",
		{ { OPT_TRANSPOSE, "off" } } },
	{ "f16-fill", "-1e9 added in float16, where it is -inf",
		{ { OPT_FILL, "-1000000000" }, { OPT_FILL_OP, "add" }, { OPT_DTYPE, "f16" } } },
	{ "dropout-on", "dropout left on while the model is used",
		{ { OPT_DROPOUT, "0.1" } } },
	{ "softmax-twice", "softmax of what is a softmax already",
		{ { OPT_SOFTMAX_TIMES, "2" } } },
};
const size_t bugs_count = sizeof bugs / sizeof *bugs;

static const struct bug *find(const char *name, size_t length)
{
	for (size_t i = 0; i < bugs_count; i++)
		if (strlen(bugs[i].name) == length && !memcmp(bugs[i].name, name, length))
			return &bugs[i];
	return NULL;
}

static enum status check_names(const struct options *o, struct error *e)
{
	for (const char *p = o->bug; *p;) {
		size_t length = strcspn(p, ",");
		if (!find(p, length))
			return error_option(e, E_VALUE, "bug", o->bug,
					    "there is no bug named '%.*s'; qkv list --bugs has them",
					    (int)(length < 80 ? length : 80), p);
		p += length;
		if (*p == ',' && !*++p)
			return error_option(e, E_VALUE, "bug", o->bug, "a name is missing after the comma");
	}
	return OK_STATUS;
}

enum status bug_apply(struct options *o, struct error *e)
{
	enum status s = check_names(o, e);	/* first, so that an error changes nothing */

	for (const char *p = o->bug; *p && !s; p += strspn(p, ",")) {
		size_t length = strcspn(p, ",");
		const struct bug *bug = find(p, length);
		for (size_t i = 0; i < 3 && bug->set[i].value && !s; i++)
			s = option_set(o, bug->set[i].option, bug->set[i].value, e);
		p += length;
	}
	return s;
}
