/* bug.c - the bug lab's named mistakes: each a bundle of options. */
#include "core/bug.h"

#include <string.h>

#include "core/message.h"
#include "core/probe.h"

enum {
	UPPER = 1 << PROBE_UPPER_TRIANGLE, SUMS = 1 << PROBE_ROW_SUMS, K = 1 << PROBE_K, V = 1 << PROBE_V,
	Q = 1 << PROBE_Q, PADS = 1 << PROBE_PAD_COLUMNS, EMPTY = 1 << PROBE_EMPTY_ROWS,
};

const struct bug bugs[] = {
	{
		.name = "mask-after-softmax", .title = N_("the mask multiplies the weights, after softmax"),
		.set = { { OPT_MASK_AT, "after" } },
		.code = "w = softmax(s) * ~hidden\n"
			"# right: softmax(np.where(hidden, -np.inf, s))",
		.symptom = N_("Hidden cells are exactly 0, so that the picture looks right. But rows with hidden "
			   "cells sum to less than 1, and what is left still depends on the hidden scores."),
		.fix = N_("Fill the hidden scores with -inf before softmax; the weights are then left alone."),
		.lamps = SUMS | K, .needs = BUG_NEEDS_HIDDEN, .scenario = "random-4",
	}, {
		.name = "mask-after-renorm", .title = N_("masked after softmax, then divided by the row sum"),
		.set = { { OPT_MASK_AT, "after-renorm" } },
		.code = "w = softmax(s) * ~hidden\n"
			"w = w / w.sum(axis=-1, keepdims=True)\n"
			"# the same as -inf before softmax",
		.symptom = N_("Nothing is seen: mathematically this is the right result, and no check is false. Only "
			   "where a hidden score is so large that all visible weights round to 0 does the row "
			   "become 0/0, which is nan."),
		.fix = N_("Mask before softmax: the result is the same, and no hidden score can bring about 0/0."),
		.lamps = 0, .needs = BUG_NEEDS_HIDDEN, .scenario = "random-4",
	}, {
		.name = "zero-fill", .title = N_("0 instead of -inf"),
		.set = { { OPT_FILL, "0" }, { OPT_FILL_OP, "replace" } },
		.code = "s = np.where(hidden, 0, s)\n"
			"# right: np.where(hidden, -np.inf, s)",
		.symptom = N_("Hidden cells get weight, since e^0 is 1: a hidden key counts like one with score 0. "
			   "All rows sum to 1. Training looks good, and generation does not."),
		.fix = N_("Write -inf into the hidden cells, or a number far below every score."),
		.lamps = UPPER | V, .needs = BUG_NEEDS_HIDDEN, .scenario = "random-4",
	}, {
		.name = "tiny-fill", .title = N_("1e-9 typed for -1e9"),
		.set = { { OPT_FILL, "1e-09" }, { OPT_FILL_OP, "replace" } },
		.code = "s = np.where(hidden, 1e-9, s)\n"
			"# right: -1e9, or -np.inf",
		.symptom = N_("The weights are those of a fill of 0, to eight digits: e^(1e-9) is 1 as well, and "
			   "hidden cells get weight. All rows sum to 1, and the code looks nearly right."),
		.fix = N_("The minus sign belongs to the number, not to its exponent: -1e9, or -inf."),
		.lamps = UPPER | V, .needs = BUG_NEEDS_HIDDEN, .scenario = "random-4",
	}, {
		.name = "multiply-mask", .title = N_("scores multiplied with a mask of 0 and 1"),
		.set = { { OPT_FILL, "0" }, { OPT_FILL_OP, "multiply" }, { OPT_KEEP_VALUE, "1" } },
		.code = "keep = np.tril(np.ones((n, n)))\n"
			"s = s * keep\n"
			"# right: np.where(keep == 1, s, -np.inf)",
		.symptom = N_("A hidden score becomes 0, and a score of 0 has weight, since e^0 is 1. The weights "
			   "are those of a fill of 0, and all rows sum to 1."),
		.fix = N_("No factor hides a score: let the mask choose between the score and -inf."),
		.lamps = UPPER | V, .needs = BUG_NEEDS_HIDDEN, .scenario = "random-4",
	}, {
		.name = "add-mask", .title = N_("a mask of 0 and 1 added to the scores"),
		.set = { { OPT_FILL, "0" }, { OPT_FILL_OP, "add" }, { OPT_KEEP_VALUE, "1" } },
		.code = "keep = np.tril(np.ones((n, n)))\n"
			"s = s + keep\n"
			"# right: s + np.where(keep == 1, 0, -np.inf)",
		.symptom = N_("Visible scores rise by 1 and hidden ones stay: beside a visible key a hidden one "
			   "loses only a factor of e, 2.72. Its weight is smaller but not 0, and all rows sum to "
			   "1."),
		.fix = N_("A mask that is added holds 0 where a key is visible and -inf where it is hidden."),
		.lamps = UPPER | K | V, .needs = BUG_NEEDS_HIDDEN, .scenario = "random-4",
	}, {
		.name = "inverted-mask", .title = N_("True taken for the opposite"),
		.set = { { OPT_MASK_INVERT, "on" } },
		.code = "# hidden is True where a cell is hidden\n"
			"s = np.where(hidden, s, -np.inf)\n"
			"# right: np.where(hidden, -np.inf, s)",
		.symptom = N_("With a causal mask every token sees the future alone, and the last one, which has "
			   "none, turns to nan. With a padding mask the padding is all that is seen."),
		.fix = N_("Look up whether True hides or keeps in the library at hand, and turn the mask round with "
		       "~ where it differs."),
		.lamps = UPPER | SUMS | K | V | EMPTY, .needs = BUG_NEEDS_NOTHING, .scenario = "ones-8",
	}, {
		.name = "diagonal-hidden", .title = N_("the triangle starts one too early: a token does not see itself"),
		.set = { { OPT_CAUSAL, "on" }, { OPT_CAUSAL_OFFSET, "-1" } },
		.code = "hidden = np.triu(np.ones((n, n), bool))\n"
			"# right: np.triu(np.ones((n, n), bool), k=1)",
		.symptom = N_("The first token sees nothing, and its row is nan. All others sum to 1 without their "
			   "own key, and nothing leaks, so that only the nan gives it away."),
		.fix = N_("The hidden triangle starts just above the diagonal: np.triu with k=1."),
		.lamps = SUMS | EMPTY, .needs = BUG_NEEDS_NOTHING, .scenario = "ones-8",
	}, {
		.name = "future-step", .title = N_("the triangle starts one too late: one step of future is seen"),
		.set = { { OPT_CAUSAL, "on" }, { OPT_CAUSAL_OFFSET, "1" } },
		.code = "hidden = np.triu(np.ones((n, n), bool), k=2)\n"
			"# right: np.triu(np.ones((n, n), bool), k=1)",
		.symptom = N_("Every token sees the next one, which is the one that it is to predict. The loss in "
			   "training is far too good. All rows sum to 1, and most of the triangle is in place."),
		.fix = N_("The hidden triangle starts just above the diagonal: np.triu with k=1."),
		.lamps = UPPER | K | V, .needs = BUG_NEEDS_NOTHING, .scenario = "ones-8",
	}, {
		.name = "column-softmax", .title = N_("softmax over the wrong axis"),
		.set = { { OPT_SOFTMAX, "column" } },
		.code = "e = np.exp(s - s.max(axis=0))\n"
			"w = e / e.sum(axis=0)\n"
			"# right: axis=-1, keepdims=True, both times",
		.symptom = N_("Columns sum to 1 and rows do not: some are above 1, others below. Hidden cells are 0, "
			   "but every query now depends on the Q of all others."),
		.fix = N_("Softmax goes over the keys, which is the last axis; keepdims=True keeps the division "
		       "along it."),
		.lamps = SUMS | Q, .needs = BUG_NEEDS_NOTHING, .scenario = "two-tokens",
	}, {
		.name = "pad-rows", .title = N_("padding hides query rows instead of key columns"),
		.set = { { OPT_PAD_AXIS, "query" } },
		.code = "s[is_pad, :] = -np.inf\n"
			"# right: s[:, is_pad] = -np.inf",
		.symptom = N_("The rows of the padding turn to nan, since all their keys are hidden. The columns of "
			   "the padding are not 0: all other tokens still give it weight."),
		.fix = N_("Padding is hidden as a key: the mask has the shape (1, n_k) and is the same for every "
		       "query."),
		.lamps = SUMS | K | V | PADS | EMPTY, .needs = BUG_NEEDS_PAD, .scenario = "pad-4",
	}, {
		.name = "no-scale", .title = N_("the scores are not divided at all"),
		.set = { { OPT_SCALE, "none" } },
		.code = "s = Q @ K.T\n"
			"# right: Q @ K.T / np.sqrt(d_k)",
		.symptom = N_("The scores spread by about the root of d_k, and softmax gives nearly all weight to a "
			   "single key. Zeros, sums and probes are as they should be."),
		.fix = N_("Divide by the root of d_k, so that the scores spread by about 1 whatever d_k is."),
		.lamps = 0, .readout = N_("spread of the scaled scores beside 1: about the root of d_k"),
		.needs = BUG_NEEDS_SCALE, .scenario = "saturation-16",
	}, {
		.name = "scale-dk", .title = N_("divided by d_k instead of its root"),
		.set = { { OPT_SCALE, "dk" } },
		.code = "s = Q @ K.T / d_k\n"
			"# right: Q @ K.T / np.sqrt(d_k)",
		.symptom = N_("The scores hardly differ, and the weights are nearly equal: attention comes close to "
			   "a plain average. Zeros, sums and probes are as they should be."),
		.fix = N_("It is the variance that grows like d_k; divide by its root, the standard deviation."),
		.lamps = 0, .readout = N_("spread of the scaled scores beside 1: about 1 over the root of d_k"),
		.needs = BUG_NEEDS_D_K, .scenario = "saturation-16",
	}, {
		.name = "scale-dmodel", .title = N_("divided by the root of d_model instead of d_k"),
		.set = { { OPT_SCALE, "dmodel" } },
		.code = "d = x.shape[-1]  # d_model, all heads together\n"
			"s = Q @ K.T / np.sqrt(d)\n"
			"# right: d = Q.shape[-1], a single head",
		.symptom = N_("With h heads the scores are too small by the root of h, and the weights too flat; "
			   "with one head nothing is wrong. Zeros, sums and probes are as they should be."),
		.fix = N_("Take d_k from the last axis of Q, after the split into heads."),
		.lamps = 0,
		.readout = N_("spread of the scaled scores beside 1: about 1 over the root of the number of heads"),
		.needs = BUG_NEEDS_HEADS, .scenario = "shapes-10",
	}, {
		.name = "scaled-twice", .title = N_("the scale is applied twice"),
		.set = { { OPT_SCALE_TIMES, "2" } },
		.code = "Q = Q / np.sqrt(d_k)\n"
			"s = Q @ K.T / np.sqrt(d_k)\n"
			"# right: one of the two divisions",
		.symptom = N_("The weights are nearly equal, as if the scores were divided by d_k. It happens when Q "
			   "is scaled and then given to a function that scales as well."),
		.fix = N_("Scale in one place, either Q or the scores, and look up whether the function that is "
		       "called does it already."),
		.lamps = 0, .readout = N_("spread of the scaled scores beside 1: about 1 over the root of d_k"),
		.needs = BUG_NEEDS_SCALE, .scenario = "saturation-16",
	}, {
		.name = "forgotten-transpose", .title = N_("Q K instead of Q K^T"),
		.set = { { OPT_TRANSPOSE, "off" } },
		.code = "s = Q @ K / np.sqrt(d_k)  # runs only where n_k = d_k\n"
			"# right: Q @ K.T / np.sqrt(d_k)",
		.symptom = N_("A shape error, except where n_k = d_k: there every score is made of one number of "
			   "each key, hidden keys included. Zeros and sums are right, and the scores mean "
			   "nothing."),
		.fix = N_("Write Q @ K.T, and try the code once with n_k and d_k that differ."),
		.lamps = K, .needs = BUG_NEEDS_SQUARE, .scenario = "square-4",
	}, {
		.name = "f16-fill", .title = N_("-1e9 added in float16, where it is -inf"),
		.set = { { OPT_FILL, "-1000000000" }, { OPT_FILL_OP, "add" }, { OPT_DTYPE, "f16" } },
		.code = "fill = np.float16(-1e9)  # -inf\n"
			"s = s + np.where(hidden, fill, np.float16(0))\n"
			"# right: np.where(hidden, np.finfo(s.dtype).min, s)",
		.symptom = N_("Rows that see a key are right: -1e9 does not fit into float16, becomes -inf and "
			   "hides. A row whose keys are all hidden is nan, which a finite fill was meant to "
			   "prevent."),
		.fix = N_("Fill with the lowest number of the type, and replace the score rather than add to it."),
		.lamps = 0, .readout = N_("the empty-row clinic: nan in f16, equal weights in f32"),
		.needs = BUG_NEEDS_EMPTY_ROW, .scenario = "left-pad-4",
	}, {
		.name = "dropout-on", .title = N_("dropout left on while the model is used"),
		.set = { { OPT_DROPOUT, "0.1" } },
		.code = "w = w * (rng.random(w.shape) >= 0.1) / 0.9\n"
			"# right: only while training",
		.symptom = N_("Some weights are 0 by chance and all others a ninth too large, so that rows no longer "
			   "sum to 1. The same input gives another output each time."),
		.fix = N_("Switch the model to evaluation, and pass a dropout of 0 where the attention function is "
		       "called directly."),
		.lamps = SUMS, .needs = BUG_NEEDS_NOTHING, .scenario = "ones-8",
	}, {
		.name = "softmax-twice", .title = N_("softmax of what is a softmax already"),
		.set = { { OPT_SOFTMAX_TIMES, "2" } },
		.code = "w = softmax(softmax(s))\n"
			"# right: softmax(s)",
		.symptom = N_("A weight of 0 becomes e^0 = 1 before the second division, so that hidden cells get "
			   "weight. No weight of a row is more than 2.72 times another, and all rows sum to 1."),
		.fix = N_("Call softmax once; a function that takes scores has it inside."),
		.lamps = UPPER | V, .needs = BUG_NEEDS_NOTHING, .scenario = "random-4",
	},
};
const size_t bugs_count = sizeof bugs / sizeof *bugs;

const char *bug_needs_text(enum bug_needs n)
{
	static const char *const text[BUG_NEEDS_COUNT] = {
		[BUG_NEEDS_NOTHING] = N_("nothing"),
		[BUG_NEEDS_HIDDEN] = N_("a hidden cell"),
		[BUG_NEEDS_PAD] = N_("a pad token"),
		[BUG_NEEDS_EMPTY_ROW] = N_("a row whose keys are all hidden"),
		[BUG_NEEDS_D_K] = N_("a known d_k"),
		[BUG_NEEDS_SCALE] = N_("a known d_k and a scale"),
		[BUG_NEEDS_HEADS] = N_("several heads, so that d_model is not d_k"),
		[BUG_NEEDS_SQUARE] = N_("as many keys as d_k"),
	};
	return text[n];
}

static const struct bug *find(const char *name, size_t length)
{
	for (size_t i = 0; i < bugs_count; i++)
		if (strlen(bugs[i].name) == length && !memcmp(bugs[i].name, name, length))
			return &bugs[i];
	return NULL;
}

enum option bug_clash(const struct bug *a, const struct bug *b)
{
	for (int i = 0; i < BUG_SETTINGS && a->set[i].value; i++)
		for (int j = 0; j < BUG_SETTINGS && b->set[j].value; j++)
			if (a->set[i].option == b->set[j].option && strcmp(a->set[i].value, b->set[j].value))
				return a->set[i].option;
	return OPT_COUNT;
}

/* One against those that stand before it in the list. */
static enum status check_clashes(const struct options *o, const char *end, const struct bug *bug, struct error *e)
{
	for (const char *p = o->bug; p < end; p += strcspn(p, ",") + 1) {
		const struct bug *other = find(p, strcspn(p, ","));
		enum option both = bug_clash(bug, other);
		if (both < OPT_COUNT)
			return error_option(e, E_VALUE, "bug", o->bug, "%s and %s both set %s: one of them at a time",
					    bug->name, other->name, option_info(both)->name);
	}
	return OK_STATUS;
}

static enum status check_names(const struct options *o, struct error *e)
{
	for (const char *p = o->bug; *p;) {
		size_t length = strcspn(p, ",");
		const struct bug *bug = find(p, length);
		enum status s = bug ? check_clashes(o, p, bug, e) : OK_STATUS;
		if (s)
			return s;
		if (!bug)
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
		for (size_t i = 0; i < BUG_SETTINGS && bug->set[i].value && !s; i++)
			s = option_set(o, bug->set[i].option, bug->set[i].value, e);
		p += length;
	}
	return s;
}
