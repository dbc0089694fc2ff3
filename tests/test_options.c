/* test_options.c - the registry of options checks itself.
 *
 * The list of names, defaults and words below is that of the design, written
 * down a second time on purpose.
 */
#include "tests/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bug.h"
#include "core/options.h"

/* ---- what the design promises ----
 *
 * `good` are texts that must come back as they are, after '>' as what follows
 * it; `bad` must be refused. Values are separated by blanks; <> is the empty text.
 */
#define SWITCH "on off", "On ON yes true 1 0 <> o onn off,on"
#define NOT_A_NUMBER " <> abc 1x 0x10 nan -nan 1,5 1_000 1e+400 - ."
#define NOT_AN_INTEGER " <> abc 1.0 1e3 0x1 1_0 99999999999999999999 1000000001 -"

static const struct { const char *name, *initial, *good, *bad; } wanted[] = {
	{ "causal", "off", SWITCH },
	{ "causal-align", "top-left", "top-left bottom-right", "top top-right Top-Left <> bottom" },
	{ "causal-offset", "0", "0 1 -1 -1000000000 1000000000 +2>2", "none auto" NOT_AN_INTEGER },
	{ "pad", "none", "none 0 2,3 0,1,2 0-1>0,1 3,2>2,3 1,1,1>1 5,0-2,1>0,1,2,5 7-7>7 999999999 0-3,2-5>0,1,2,3,4,5",
		"<> off , 1, ,1 1,,2 -1 3-1 1- -2 a 1:2 1.5 0-999999999 1000000001 99999999999999999999 1;2 +1 0--1" },
	{ "pad-mask", "on", SWITCH },
	{ "window", "off", "off 1 8 1000000000", "0 -1 none on" NOT_AN_INTEGER },
	{ "prefix", "off", "off 1 8", "0 -1 none" NOT_AN_INTEGER },
	{ "documents", "off", "off 1,1,2 2,1,1 0,0 7", "<> none 1-2 1, -1 a 1:1 1000000001" },
	{ "hide", "none", "none 0:1 0:1,2:0 2:0,0:1>0:1,2:0 1:1,1:1>1:1 1:2,1:0>1:0,1:2", "<> 0 0:1: 0:1,2 :1 0: 0:1,, 0-1:2 -1:0 0:1;1:2 a:b 0:1000000001" },
	{ "keep", "none", "none 0:1 3:4,1:0>1:0,3:4", "<> off 0 1,2 1:2,3" },
	{ "mask", "none", "none mask.npy dir/x.npz:name ./none", "<>" },
	{ "bias", "none", "none bias.npy", "<>" },
	{ "polarity", "auto", "auto hide keep", "Hide true <> h" },
	{ "mask-invert", "off", SWITCH },
	{ "alibi", "off", "off auto 0.5 -0.25 0", "on inf -inf" NOT_A_NUMBER },
	{ "softcap", "off", "off 50 0.5 1e-300", "0 -1 inf auto" NOT_A_NUMBER },
	{ "scale", "sqrt", "sqrt none dk dmodel 0.125 -2 0 1 +3>3 .5>0.5 1e-3>0.001", "sqr d_k inf -inf" NOT_A_NUMBER },
	{ "d-model", "auto", "auto 1 512", "0 -1" NOT_AN_INTEGER },
	{ "scale-times", "1", "1 2", "0 3" NOT_AN_INTEGER },
	{ "softmax-times", "1", "1 2", "0 3" NOT_AN_INTEGER },
	{ "temperature", "1", "1 0.1 1e-300 1e300>1e+300", "0 -1 inf 1e-400" NOT_A_NUMBER },
	{ "fill", "-inf", "-inf min 0 -1e9>-1000000000 -10000 1e-9>1e-09 inf -infinity>-inf", "max none <> abc nan 1x" },
	{ "fill-op", "replace", "replace add multiply", "mul times <>" },
	{ "keep-value", "none", "none 0 1 -1.5", "off <> abc nan" },
	{ "mask-at", "before", "before after after-renorm", "renorm aft <>" },
	{ "softmax", "row", "row column", "rows col 0 <>" },
	{ "softmax-kind", "stable", "stable naive", "safe <>" },
	{ "pad-axis", "key", "key query both", "row column <>" },
	{ "transpose", "on", SWITCH },
	{ "empty-row", "literal", "literal zero uniform", "0 nan <>" },
	{ "dtype", "auto", "auto f64 f32 f16 bf16", "float64 f8 <> F16" },
	{ "score-dtype", "as-dtype", "as-dtype f64 f32 f16 bf16", "auto fp16 <>" },
	{ "fill-dtype", "as-dtype", "as-dtype f64 f32 f16 bf16", "auto fp16 <>" },
	{ "dropout", "0", "0 0.1 0.5 0.999", "1 -0.1 1.5 inf 0,1" NOT_A_NUMBER },
	{ "dropout-seed", "0", "0 7 340282366920938463463374607431768211456 007", "<> -1 +1 1.0 0x1 auto" },
	{ "bug", "none", "none no-scale no-scale,column-softmax", "<>" },
	{ "head", "0", "0 7", "-1 auto" NOT_AN_INTEGER },
	{ "layer", "0", "0 7", "-1 auto" NOT_AN_INTEGER },
	{ "batch", "0", "0 7", "-1 auto" NOT_AN_INTEGER },
	/* Alone these have a number; on a scenario they keep its own. */
	{ "seed", "auto", "auto 0 42 340282366920938463463374607431768211456", "<> -1 1.5 abc" },
	{ "n", "auto", "auto 1 6", "0 -1" NOT_AN_INTEGER },
	{ "d-k", "auto", "auto 1 64", "0 -1" NOT_AN_INTEGER },
	{ "d-v", "auto", "auto 1 64", "0 -1" NOT_AN_INTEGER },
	{ "stage", "weights", "input scores scaled masked weights output joined", "score 4 <> Weights" },
	{ "array", "q", "q k v x w-q w-k w-v w-o", "Q wq <>" },
	{ "precision", "auto", "auto 0 3 17", "-1 18" NOT_AN_INTEGER },
	{ "theme", "auto", "auto dark light", "black <>" },
	{ "color", "auto", "auto never 8 16 256 truecolor", "always 24 <>" },
	{ "range", "auto", "auto shown row log percentile 0..0.5 -1e3..2", "rows 1..0 0..0 0.5 .. 0..nan 0..inf <>" },
	{ "without", "none", "none 0 0,1,2 3", "-1 a 3:1 <>" },
	{ "labels", "raw", "raw read", "pretty <>" },
	{ "lang", "auto", "auto en", "english <>" },
	{ "ascii", "off", SWITCH },
	{ "step", "0.1", "0.1 1 1e-05", "0 -1 inf" NOT_A_NUMBER },
};
enum { WANTED = sizeof wanted / sizeof *wanted };

static int set_up(void **state)
{
	struct options *o = calloc(1, sizeof *o);
	struct error e = { 0 };

	*state = o;
	return !o || options_init(o, &e) ? -1 : 0;
}

static int tear_down(void **state)
{
	options_free(*state);
	free(*state);
	return 0;
}

static void assert_text(const struct options *o, enum option which, const char *text)
{
	struct buffer b = { 0 };

	option_text(o, which, &b);
	assert_false(b.failed);
	if (strcmp(b.data, text))
		fail_msg("%s is '%s' instead of '%s'", option_info(which)->name, b.data, text);
	buffer_free(&b);
}

static enum option must_find(const char *name)
{
	enum option which = option_find(name);

	if (which == OPT_COUNT)
		fail_msg("there is no option %s", name);
	return which;
}

/* ---- the registry itself ---- */

static void every_name_of_the_design_and_no_other(void **state)
{
	bool seen[OPT_COUNT] = { false };

	(void)state;
	for (size_t i = 0; i < WANTED; i++) {
		enum option which = must_find(wanted[i].name);
		assert_false(seen[which]);
		seen[which] = true;
	}
	for (int o = 0; o < OPT_COUNT; o++)
		if (!seen[o])
			fail_msg("%s is not in the design", option_info((enum option)o)->name);
}

static bool one_line(const char *text)
{
	return text && *text && !strpbrk(text, "\n\t\r");
}

static void every_entry_is_complete(void **state)
{
	(void)state;
	for (int i = 0; i < OPT_COUNT; i++) {
		const struct option_info *o = option_info((enum option)i);
		if (!o->name)
			fail_msg("entry %d is missing", i);
		assert_int_equal(strspn(o->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(o->name));
		assert_true(one_line(o->initial) && one_line(o->values) && one_line(o->help));
		assert_true(strlen(o->help) < 100);
		assert_true(o->group < GROUP_COUNT && one_line(option_group_name(o->group)));
		assert_true(o->dirties <= STAGE_COUNT);
		assert_true(o->offset < sizeof(struct options));
		assert_true(o->lowest <= o->highest);
		assert_false(o->help[strlen(o->help) - 1] == '.');
		if (o->type == TYPE_CHOICE)
			assert_non_null(o->words);
		if (o->group == GROUP_VIEW)
			assert_int_equal(o->dirties, STAGE_COUNT);
		else
			assert_true(o->dirties < STAGE_COUNT);
	}
}

static void no_two_share_a_name_or_a_place(void **state)
{
	(void)state;
	for (int a = 0; a < OPT_COUNT; a++)
		for (int b = 0; b < a; b++) {
			assert_string_not_equal(option_info((enum option)a)->name, option_info((enum option)b)->name);
			assert_int_not_equal(option_info((enum option)a)->offset, option_info((enum option)b)->offset);
		}
}

/* The first of the values that people read is the default. */
static void the_default_leads_the_values(void **state)
{
	(void)state;
	for (int i = 0; i < OPT_COUNT; i++) {
		const struct option_info *o = option_info((enum option)i);
		size_t n = strlen(o->initial);
		if (strncmp(o->values, o->initial, n) || (o->values[n] && o->values[n] != ','))
			fail_msg("%s: '%s' does not begin with '%s'", o->name, o->values, o->initial);
		for (size_t w = 0; o->words && o->words[w]; w++)
			if (!strstr(o->values, o->words[w]))
				fail_msg("%s: '%s' lacks '%s'", o->name, o->values, o->words[w]);
	}
}

static void abbreviations_are_no_names(void **state)
{
	static const char *const other[] = { "", "Causal", "CAUSAL", "causal ", " causal", "--causal", "causal-", "causal_align",
		"d_k", "dk", "no-causal", "colour", "softmax-", "x", "causalx", "pads" };

	(void)state;
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		assert_int_equal(option_find(other[i]), OPT_COUNT);
	for (int i = 0; i < OPT_COUNT; i++) {
		char cut[64];
		snprintf(cut, sizeof cut, "%s", option_info((enum option)i)->name);
		for (cut[strlen(cut) - 1] = '\0'; *cut; cut[strlen(cut) - 1] = '\0') {
			enum option o = option_find(cut);
			if (o != OPT_COUNT)		/* d-v and such are names themselves */
				assert_string_equal(option_info(o)->name, cut);
		}
	}
}

/* ---- values ---- */

static void defaults_are_the_designs(void **state)
{
	const struct options *o = *state;

	for (size_t i = 0; i < WANTED; i++) {
		enum option which = must_find(wanted[i].name);
		assert_string_equal(option_info(which)->initial, wanted[i].initial);
		assert_text(o, which, wanted[i].initial);
		assert_true(option_is_default(o, which));
	}
	assert_false(o->causal);
	assert_true(o->pad_mask && o->transpose);
	assert_int_equal(o->stage, STAGE_WEIGHTS);
	assert_int_equal(o->array, ARRAY_Q);
	assert_int_equal(o->scale.word, SCALE_SQRT);
	assert_int_equal(o->fill.word, FILL_MINUS_INFINITY);
	assert_true(o->temperature.word < 0 && o->temperature.number == 1);
	assert_int_equal(o->window, 0);
	assert_int_equal(o->scale_times, 1);
	assert_string_equal(o->dropout_seed, "0");
	assert_string_equal(o->seed, "");
	assert_string_equal(o->mask, "");
}

/* Calls with each blank-separated word of a list, at most 100 bytes long. */
static void each_word(struct options *o, enum option which, const char *list,
		      void (*check)(struct options *, enum option, char *))
{
	char word[128];

	while (*list) {
		size_t n = strcspn(list, " ");
		assert_true(n < sizeof word);
		snprintf(word, sizeof word, "%.*s", (int)n, list);
		if (n)
			check(o, which, !strcmp(word, "<>") ? word + 2 : word);
		list += n + (list[n] == ' ');
	}
}

static void check_good(struct options *o, enum option which, char *word)
{
	struct error e = { 0 };
	struct options copy;
	char *back = strchr(word, '>');

	if (back)
		*back++ = '\0';
	else
		back = word;
	if (option_set(o, which, word, &e))
		fail_msg("%s %s: %s", option_info(which)->name, word, e.text);
	assert_text(o, which, back);
	assert_int_equal(option_is_default(o, which), !strcmp(back, option_info(which)->initial));

	/* What is written is read back as the same value. */
	assert_int_equal(options_copy(&copy, o, &e), OK_STATUS);
	assert_true(options_equal(&copy, o));
	assert_int_equal(option_set(&copy, which, back, &e), OK_STATUS);
	if (!option_same(&copy, o, which))
		fail_msg("%s %s is not %s", option_info(which)->name, back, word);
	assert_true(options_equal(&copy, o));
	options_free(&copy);
}

static void good_values_come_back(void **state)
{
	for (size_t i = 0; i < WANTED; i++)
		each_word(*state, must_find(wanted[i].name), wanted[i].good, check_good);
}

static void check_bad(struct options *o, enum option which, char *word)
{
	struct error e = { 0 };
	struct options before;
	const struct option_info *info = option_info(which);

	assert_int_equal(options_copy(&before, o, &e), OK_STATUS);
	if (!option_set(o, which, word, &e))
		fail_msg("%s takes '%s'", info->name, word);
	assert_int_equal(e.status, E_VALUE);
	assert_true(options_equal(&before, o));
	/* It says what was found and what is expected; of languages those that there are. */
	if (!strstr(e.text, word) || !strstr(e.text, which == OPT_LANG ? "auto, en" : info->values))
		fail_msg("%s %s: '%s' lacks what is expected", info->name, word, e.text);
	options_free(&before);
}

static void bad_values_change_nothing(void **state)
{
	struct options *o = *state;

	for (size_t i = 0; i < WANTED; i++)
		each_word(o, must_find(wanted[i].name), wanted[i].bad, check_bad);
	/* The same on top of values that are not the default. */
	options_from(o, "causal=on pad=1,2 hide=0:1 documents=1,2 scale=0.5 fill=-1e9 mask=m.npy seed=3 window=2 stage=scores dropout-seed=9");
	for (size_t i = 0; i < WANTED; i++)
		each_word(o, must_find(wanted[i].name), wanted[i].bad, check_bad);
	assert_text(o, OPT_PAD, "1,2");
	assert_text(o, OPT_MASK, "m.npy");
}

static void words_are_not_cut_short(void **state)
{
	struct options *o = *state;
	struct error e = { 0 };

	for (int i = 0; i < OPT_COUNT; i++) {
		const struct option_info *info = option_info((enum option)i);
		for (size_t w = 0; info->type == TYPE_CHOICE && info->words[w]; w++) {
			char word[64];
			snprintf(word, sizeof word, "%s", info->words[w]);
			word[strlen(word) - 1] = '\0';
			if (strlen(word) > 1)
				assert_int_equal(option_set(o, (enum option)i, word, &e), E_VALUE);
		}
	}
}

/* ---- lists ---- */

static void lists_are_sorted_and_searched(void **state)
{
	struct options *o = *state;

	options_from(o, "pad=9,3,3,5-7,6 hide=5:1,0:9,5:0,0:9 documents=3,1,3,0");
	assert_int_equal(o->pad.n, 5);
	for (long i = 0; i < 12; i++)
		assert_int_equal(list_has(&o->pad, i), i == 3 || (i >= 5 && i <= 7) || i == 9);
	assert_int_equal(o->hide.n, 6);
	assert_true(list_has_cell(&o->hide, 0, 9) && list_has_cell(&o->hide, 5, 0) && list_has_cell(&o->hide, 5, 1));
	assert_false(list_has_cell(&o->hide, 9, 0));
	assert_false(list_has_cell(&o->hide, 5, 9));
	assert_text(o, OPT_DOCUMENTS, "3,1,3,0");		/* ids keep their order */
	options_from(o, "pad=none hide=none");
	assert_false(list_has(&o->pad, 0));
	assert_false(list_has_cell(&o->hide, 0, 0));
}

static void a_long_list_comes_back(void **state)
{
	struct options *o = *state;
	struct error e = { 0 };
	struct buffer text = { 0 };
	enum { N = 20000 };

	for (int i = 0; i < N; i++)
		buffer_format(&text, "%s%d", i ? "," : "", i * 3);
	assert_int_equal(option_set(o, OPT_PAD, text.data, &e), OK_STATUS);
	assert_int_equal(o->pad.n, N);
	assert_text(o, OPT_PAD, text.data);
	buffer_free(&text);
	assert_int_equal(option_set(o, OPT_PAD, "0-131071", &e), OK_STATUS);	/* the longest input that is promised */
	assert_int_equal(o->pad.n, 131072);
}

/* Few bytes stand for very many indices; they must not become memory. */
static void huge_ranges_are_refused(void **state)
{
	struct options *o = *state;
	struct error e = { 0 };
	struct buffer text = { 0 };

	options_from(o, "pad=1");
	assert_int_equal(option_set(o, OPT_PAD, "0-999999999", &e), E_VALUE);
	assert_int_equal(option_set(o, OPT_PAD, "5,0-4000000", &e), E_VALUE);
	for (int i = 0; i < 1000; i++)
		buffer_text(&text, i ? ",0-1000000" : "0-1000000");
	assert_int_equal(option_set(o, OPT_PAD, text.data, &e), E_VALUE);
	assert_text(o, OPT_PAD, "1");
	buffer_free(&text);
}

static void a_long_bad_value_is_cut_in_the_message(void **state)
{
	char text[5000];
	struct error e = { 0 };

	for (int i = 0; i < OPT_COUNT; i++) {
		const struct option_info *info = option_info((enum option)i);
		memset(text, 'z', sizeof text - 1);
		text[sizeof text - 1] = '\0';
		if (info->type == TYPE_TEXT)
			continue;
		assert_int_equal(option_set(*state, (enum option)i, text, &e), E_VALUE);
		assert_non_null(strstr(e.text, info->values));
	}
	assert_int_equal(option_set(*state, OPT_CAUSAL, "\x1b[2J\n", &e), E_VALUE);
	assert_null(strpbrk(e.text, "\x1b\n"));
}

/* ---- whole sets ---- */

static void copies_stand_alone(void **state)
{
	struct options *o = *state, copy;
	struct error e = { 0 };

	options_from(o, "pad=1,2 documents=1,1 hide=0:0 keep=1:1 mask=a bias=b bug=no-scale seed=5 dropout-seed=6 scale=2");
	assert_int_equal(options_copy(&copy, o, &e), OK_STATUS);
	assert_true(options_equal(&copy, o));
	for (int i = 0; i < OPT_COUNT; i++) {
		assert_int_equal(option_set(o, (enum option)i, option_info((enum option)i)->initial, &e), OK_STATUS);
		assert_true(option_is_default(o, (enum option)i));
	}
	assert_false(options_equal(&copy, o));
	assert_text(&copy, OPT_PAD, "1,2");
	assert_text(&copy, OPT_SEED, "5");
	assert_text(&copy, OPT_BUG, "no-scale");
	options_free(&copy);
	options_free(&copy);		/* a zeroed one is accepted */
}

static void each_difference_is_seen(void **state)
{
	static const char *const other[] = { "on", "off", "bottom-right", "hide", "query", "add", "after", "column", "naive", "zero", "f16",
		"scores", "k", "dark", "16", "en", "7", "2", "0.5", "1", "0:3", "row", "read" };
	struct options *o = *state, fresh;
	struct error e = { 0 };

	assert_int_equal(options_init(&fresh, &e), OK_STATUS);
	for (int i = 0; i < OPT_COUNT; i++) {
		bool changed = false;
		for (size_t k = 0; k < sizeof other / sizeof *other && !changed; k++)
			changed = !option_set(o, (enum option)i, other[k], &e) && !option_is_default(o, (enum option)i);
		assert_true(changed);
		assert_false(options_equal(o, &fresh));
		for (int x = 0; x < OPT_COUNT; x++)
			assert_int_equal(option_same(o, &fresh, (enum option)x), x != i);
		assert_int_equal(option_set(o, (enum option)i, option_info((enum option)i)->initial, &e), OK_STATUS);
		assert_true(options_equal(o, &fresh));
	}
	options_free(&fresh);
}

/* ---- the bug lab ---- */

static void every_bug_is_a_bundle_of_options(void **state)
{
	struct error e = { 0 };

	(void)state;
	assert_true(bugs_count >= 18);		/* as many as the design names */
	for (size_t b = 0; b < bugs_count; b++) {
		struct options o;
		size_t settings = 0;
		assert_true(one_line(bugs[b].name) && one_line(bugs[b].title));
		assert_int_equal(strspn(bugs[b].name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(bugs[b].name));
		for (size_t c = 0; c < b; c++)
			assert_string_not_equal(bugs[b].name, bugs[c].name);
		assert_int_equal(options_init(&o, &e), OK_STATUS);
		assert_int_equal(option_set(&o, OPT_BUG, bugs[b].name, &e), OK_STATUS);
		assert_int_equal(bug_apply(&o, &e), OK_STATUS);
		for (; settings < 3 && bugs[b].set[settings].value; settings++)
			assert_text(&o, bugs[b].set[settings].option, bugs[b].set[settings].value);
		assert_true(settings > 0);
		assert_text(&o, OPT_BUG, bugs[b].name);
		options_free(&o);
	}
}

static void bugs_combine_and_unknown_ones_change_nothing(void **state)
{
	static const char *const bad[] = { "no-scal", "No-Scale", "no-scale,", ",no-scale", "no-scale,,zero-fill", "no-scale,nothing", "nothing,no-scale" };
	struct options *o = *state;
	struct error e = { 0 };

	options_from(o, "bug=no-scale,column-softmax,dropout-on");
	assert_int_equal(bug_apply(o, &e), OK_STATUS);
	assert_text(o, OPT_SCALE, "none");
	assert_text(o, OPT_SOFTMAX, "column");
	assert_text(o, OPT_DROPOUT, "0.1");
	options_from(o, "scale=sqrt softmax=row dropout=0");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct options before;
		assert_int_equal(option_set(o, OPT_BUG, bad[i], &e), OK_STATUS);
		assert_int_equal(options_copy(&before, o, &e), OK_STATUS);
		assert_int_equal(bug_apply(o, &e), E_VALUE);
		assert_true(options_equal(&before, o));
		options_free(&before);
	}
}

/* ---- stages: the other list that everything walks ---- */

static void stages_are_complete(void **state)
{
	static const char *const name[] = { "input", "scores", "scaled", "masked", "weights", "output", "joined" };
	static const char *const box[] = { "compare", "scale", "hide", "share", "mix" };

	(void)state;
	assert_int_equal(STAGE_COUNT, 7);
	for (int s = 0; s < STAGE_COUNT; s++) {
		const struct stage_info *info = stage_info((enum stage)s);
		assert_string_equal(info->name, name[s]);
		assert_string_equal(option_info(OPT_STAGE)->words[s], name[s]);
		assert_true(one_line(info->formula) && one_line(info->shape));
		assert_true(info->box >= BOX_NONE && info->box < BOX_COUNT);
	}
	for (int b = 0; b < BOX_COUNT; b++)
		assert_string_equal(box_name((enum box)b), box[b]);
	assert_string_equal(box_name(BOX_NONE), "");
	for (int a = 0; a < ARRAY_COUNT; a++)
		assert_string_equal(array_name((enum array)a), option_info(OPT_ARRAY)->words[a]);
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		EACH(every_name_of_the_design_and_no_other),
		EACH(every_entry_is_complete),
		EACH(no_two_share_a_name_or_a_place),
		EACH(the_default_leads_the_values),
		EACH(abbreviations_are_no_names),
		EACH(defaults_are_the_designs),
		EACH(good_values_come_back),
		EACH(bad_values_change_nothing),
		EACH(words_are_not_cut_short),
		EACH(lists_are_sorted_and_searched),
		EACH(a_long_list_comes_back),
		EACH(huge_ranges_are_refused),
		EACH(a_long_bad_value_is_cut_in_the_message),
		EACH(copies_stand_alone),
		EACH(each_difference_is_seen),
		EACH(every_bug_is_a_bundle_of_options),
		EACH(bugs_combine_and_unknown_ones_change_nothing),
		EACH(stages_are_complete),
	};
	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
