/* test_probe.c - the leak probes: each mistake leaves its own signature.
 *
 * The signatures are those of the table of mistakes that goes with the lessons,
 * worked out apart from this program: what the zeros above the diagonal, the row
 * sums, and K, V and Q as noise say of each. The lesson's own test is compared
 * with NumPy's numbers (tests/data/golden, seed003_future_changed).
 */
#include "tests/fixture.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bug.h"
#include "core/influence.h"
#include "core/io/npy.h"
#include "core/probe.h"
#include "tests/alloc.h"
#include "tui/load.h"
#include "tui/verify.h"

/* ---- one run ---- */

static const struct probe_expect as_set;	/* the masks that are set */
static const struct probe_expect causal_only = { .given = true, .causal = true };
static const struct probe_expect pad_only = { .given = true, .pad = true };
static const struct probe_expect nothing = { .given = true };

static struct probe_report run(struct fixture *f, const struct probe_expect *x)
{
	struct probe_report r;
	struct error e = { 0 };

	fixture_start(f);
	if (probe_run(&r, &f->attention, x, &f->tables, &e))
		fail_msg("%s", e.text);
	return r;
}

/* "yny-..." of the checks in their order. */
static const char *answers(const struct probe_report *r, char out[PROBE_COUNT + 1])
{
	for (int n = 0; n < PROBE_COUNT; n++)
		out[n] = "ny-"[r->check[n].ok];
	out[PROBE_COUNT] = '\0';
	return out;
}

static void assert_sound(const struct probe_report *r)
{
	for (int n = 0; n < PROBE_COUNT; n++) {
		size_t length = strlen(r->check[n].detail);
		assert_true(length > 0 && length < PROBE_TEXT - 1);
		for (size_t k = 0; k < length; k++)
			assert_true(r->check[n].detail[k] >= ' ' && r->check[n].detail[k] <= '~');
		assert_int_equal(r->check[n].ok == ANSWER_NO, r->check[n].faults > 0);
		assert_null(strstr(r->check[n].detail, "-nan"));
	}
	for (int n = PROBE_K; n <= PROBE_Q; n++) {
		bool any = false;
		for (size_t i = 0; i < r->n_q; i++)
			any |= r->moved[i] >> n & 1;
		assert_int_equal(any, r->check[n].ok == ANSWER_NO);
		if (any)
			assert_false(r->check[n].same_bits);
	}
}

static void expect_answers(struct fixture *f, const struct probe_expect *x, const char *wanted, const char *what)
{
	char got[PROBE_COUNT + 1];
	struct probe_report r = run(f, x);

	answers(&r, got);
	if (strcmp(got, wanted)) {
		for (int n = 0; n < PROBE_COUNT; n++)
			print_error("%s: %s\n", probe_name((enum probe_name)n), r.check[n].detail);
		fail_msg("%s: %s instead of %s", what, got, wanted);
	}
	assert_sound(&r);
	assert_int_equal(probe_ok(&r), !strchr(wanted, 'n'));
	probe_free(&r);
}

/* Random Q, K, V of n tokens with these settings. */
static void random_answers(size_t n, size_t d_k, const char *seed, const char *settings, const struct probe_expect *x,
			   const char *wanted)
{
	struct fixture f;
	char what[256];

	fixture_random(&f, n, n, d_k, d_k, seed);
	fixture_set(&f, settings);
	snprintf(what, sizeof what, "n %zu, seed %s, %s", n, seed, settings);
	expect_answers(&f, x, wanted, what);
	fixture_free(&f);
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in: %s", part, text);
}

static void assert_has_not(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in: %s", part, text);
}

/* ---- the table of signatures ---- */

/* Upper triangle, row sums, K, V, Q, then the lesson's K and V together. A '-'
 * stands where there is nothing but zeros and nan. %zu is the last token. */
static const struct { const char *name, *settings, *signature; bool expect_causal; } signatures[] = {
	{ "correct", "causal=on", "yyyyyy", false },
	{ "no mask", "causal=off", "nynnyn", true },
	{ "mask after softmax", "causal=on mask-at=after", "ynnyyn", false },
	{ "mask after softmax, renormalised", "causal=on mask-at=after-renorm", "yyyyyy", false },
	{ "0 instead of -inf", "causal=on fill=0", "nyynyn", false },
	{ "1e-9 instead of -inf", "causal=on fill=1e-9", "nyynyn", false },
	{ "scores x mask", "causal=on fill=0 fill-op=multiply keep-value=1", "nyynyn", false },
	{ "add 0/1 tril", "causal=on fill=0 fill-op=add keep-value=1", "nynnyn", false },
	{ "inverted polarity", "causal=on mask-invert=on", "nnnnyn", false },
	{ "triangle k=2", "causal=on causal-offset=1", "nynnyn", false },
	{ "triangle k=0", "causal=on causal-offset=-1", "-nyyyy", false },
	{ "column softmax", "causal=on softmax=column", "ynyyny", false },
	{ "pad rows", "causal=on pad-axis=query pad=%zu", "ynyyyy", false },
	{ "left pad + causal", "causal=on pad=0", "-nyyyy", false },
};

static void one_signature(size_t which, size_t n, const char *seed)
{
	char settings[128], got[PROBE_COUNT + 1];
	struct probe_lesson l;
	struct error e = { 0 };
	struct fixture f;

	fixture_random(&f, n, n, 8, 8, seed);
	const char *mark = strstr(signatures[which].settings, "%zu");
	if (mark)
		snprintf(settings, sizeof settings, "%.*s%zu", (int)(mark - signatures[which].settings),
			 signatures[which].settings, n - 1);
	fixture_set(&f, mark ? settings : signatures[which].settings);
	struct probe_report r = run(&f, signatures[which].expect_causal ? &causal_only : &as_set);
	assert_sound(&r);
	answers(&r, got);
	assert_int_equal(probe_lesson_run(&l, &f.attention, seed, 0, &f.tables, &e), OK_STATUS);
	got[PROBE_PAD_COLUMNS] = "ny-"[l.ok];
	got[PROBE_PAD_COLUMNS + 1] = '\0';
	if (strcmp(got, signatures[which].signature)) {
		for (int k = 0; k < PROBE_COUNT; k++)
			print_error("%s: %s\n", probe_name((enum probe_name)k), r.check[k].detail);
		fail_msg("%s, n %zu, seed %s: %s instead of %s", signatures[which].name, n, seed, got,
			 signatures[which].signature);
	}
	probe_lesson_free(&l);
	probe_free(&r);
	fixture_free(&f);
}

static void each_mistake_has_its_signature(void **state)
{
	static const size_t sizes[] = { 4, 6, 9, 16 };
	static const char *const seeds[] = { "0", "1", "7", "42", "20240229" };
	(void)state;

	for (size_t k = 0; k < sizeof signatures / sizeof *signatures; k++)
		for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
			for (size_t s = 0; s < sizeof seeds / sizeof *seeds; s++)
				one_signature(k, sizes[n], seeds[s]);
}

static void where_masks_are_right_all_bits_stay(void **state)
{
	static const char *const settings[] = {
		"causal=on", "causal=on scale=none", "causal=on fill=-1e9", "causal=on dtype=f32", "causal=on dtype=bf16",
		"pad=1,2", "causal=on pad=3", "window=2 causal=on", "documents=1,1,2,2,2", "hide=0:1,2:0", "causal=on alibi=0.5",
	};
	struct probe_report r;
	struct fixture f;
	(void)state;

	for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
		fixture_random(&f, 5, 5, 8, 3, "11");
		fixture_set(&f, settings[k]);
		r = run(&f, &as_set);
		assert_sound(&r);
		for (int n = PROBE_K; n <= PROBE_Q; n++) {
			assert_int_equal(r.check[n].ok, ANSWER_YES);
			assert_true(r.check[n].same_bits);
			assert_same(r.check[n].largest, 0);
			assert_has(r.check[n].detail, "bit for bit");
		}
		probe_free(&r);
		fixture_free(&f);
	}
}

/* ---- the bug lab ---- */

static const struct { const char *bug, *settings, *wanted; } lab[] = {
	{ "mask-after-softmax", "causal=on", "ynnyy-y" },
	/* Mathematically the right result: the only mistake that nothing exposes. */
	{ "mask-after-renorm", "causal=on", "yyyyy-y" },
	{ "zero-fill", "causal=on", "nyyny-y" },
	{ "tiny-fill", "causal=on", "nyyny-y" },
	{ "multiply-mask", "causal=on", "nyyny-y" },
	{ "add-mask", "causal=on", "nynny-y" },
	{ "inverted-mask", "causal=on", "nnnny-n" },
	{ "diagonal-hidden", "causal=on", "-nyyy-n" },
	{ "future-step", "causal=on", "nynny-y" },
	{ "column-softmax", "causal=on", "ynyyn-y" },
	{ "pad-rows", "pad=1", "-nnnynn" },
	/* A scale has no say in who sees whom: the spread of the scaled scores tells. */
	{ "no-scale", "causal=on", "yyyyy-y" },
	{ "scale-dk", "causal=on", "yyyyy-y" },
	{ "scale-dmodel", "causal=on", "yyyyy-y" },
	{ "scaled-twice", "causal=on", "yyyyy-y" },
	{ "forgotten-transpose", "causal=on", "yynyy-y" },
	/* Wrong only in a row without any visible key (below). */
	{ "f16-fill", "causal=on", "yyyyy-y" },
	{ "dropout-on", "causal=on", "ynyyy-y" },
	{ "softmax-twice", "causal=on", "nyyny-y" },
};

static void every_bug_is_exposed_or_known_not_to_be(void **state)
{
	(void)state;

	assert_int_equal(sizeof lab / sizeof *lab, bugs_count);
	for (size_t k = 0; k < bugs_count; k++) {
		char settings[128];
		assert_string_equal(lab[k].bug, bugs[k].name);
		snprintf(settings, sizeof settings, "%s bug=%s", lab[k].settings, lab[k].bug);
		/* Q K without the transpose needs as many columns as keys. */
		random_answers(4, 4, "5", settings, &as_set, lab[k].wanted);
	}
}

static void f16_fill_is_told_by_an_empty_row(void **state)
{
	struct fixture f;
	(void)state;

	random_answers(4, 8, "0", "causal=on pad=0 bug=f16-fill", &as_set, "-nyyy-n");
	/* The same code in f64: -1e9 is added everywhere and cancels, as if nothing were masked. */
	fixture_random(&f, 4, 4, 8, 8, "0");
	fixture_set(&f, "causal=on pad=0 fill=-1e9 fill-op=add");
	struct probe_report r = run(&f, &as_set);
	assert_int_equal(r.check[PROBE_ROW_SUMS].ok, ANSWER_YES);
	assert_int_equal(r.check[PROBE_EMPTY_ROWS].ok, ANSWER_NO);
	assert_int_equal(r.check[PROBE_UPPER_TRIANGLE].ok, ANSWER_NO);
	probe_free(&r);
	fixture_free(&f);
}

static void renormalised_fails_where_a_hidden_score_dominates(void **state)
{
	struct fixture f;
	(void)state;

	/* Unscaled noise scores of about 100 sqrt(64) leave the visible weights 0. */
	fixture_random(&f, 4, 4, 64, 8, "0");
	fixture_set(&f, "causal=on scale=none bug=mask-after-renorm");
	struct probe_report r = run(&f, &as_set);
	assert_sound(&r);
	assert_int_equal(r.check[PROBE_K].ok, ANSWER_NO);
	assert_int_equal(r.check[PROBE_V].ok, ANSWER_YES);
	assert_has(r.check[PROBE_K].detail, "0/0");
	probe_free(&r);
	fixture_free(&f);
}

/* ---- what is expected ---- */

static void names_the_pairs_that_leak(void **state)
{
	struct fixture f;
	(void)state;

	fixture_random(&f, 4, 4, 8, 8, "0");
	struct probe_report r = run(&f, &causal_only);
	assert_sound(&r);
	for (int n = PROBE_K; n <= PROBE_V; n++) {
		static const struct probe_pair wanted[] = { { 0, 1 }, { 0, 2 }, { 1, 2 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };
		const struct probe_check *c = &r.check[n];
		assert_int_equal(c->ok, ANSWER_NO);
		assert_int_equal(c->faults, 6);
		assert_int_equal(c->of, 6);
		for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
			assert_int_equal(c->pair[k].row, wanted[k].row);
			assert_int_equal(c->pair[k].other, wanted[k].other);
		}
		assert_has(c->detail, "6 of 6 pairs leak");
		assert_has(c->detail, "key 1 moves output 0, key 2 output 0-1, key 3 output 0-2 (moved: ");
		assert_has(c->detail, "last token 3 of 3, all 3 prefixes 6 of 6");
	}
	assert_has(r.check[PROBE_UPPER_TRIANGLE].detail, "6 of 6 cells");
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(r.moved[i], i < 3 ? 1 << PROBE_K | 1 << PROBE_V : 0);
	probe_free(&r);
	fixture_free(&f);
}

static void a_leak_shows_whatever_the_sign_of_the_noise(void **state)
{
	static const char *const seeds[] = { "0", "1", "2", "3", "4", "5", "6", "7" };
	(void)state;

	/* One pair, and nearly always all weight on one of its two keys: a score that
	 * falls moves nothing. */
	for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) {
		struct fixture f;
		fixture_random(&f, 2, 2, 8, 8, seeds[k]);
		fixture_set(&f, "scale=30");
		struct probe_report r = run(&f, &causal_only);
		assert_int_equal(r.check[PROBE_K].ok, ANSWER_NO);
		assert_int_equal(r.check[PROBE_K].faults, 1);
		probe_free(&r);
		fixture_free(&f);
	}
}

static void column_softmax_ties_every_query_to_every_other(void **state)
{
	struct fixture f;
	(void)state;

	fixture_random(&f, 4, 4, 8, 8, "0");
	fixture_set(&f, "causal=on softmax=column");
	struct probe_report r = run(&f, &as_set);
	assert_int_equal(r.check[PROBE_Q].faults, 12);
	assert_int_equal(r.check[PROBE_Q].of, 12);
	assert_has(r.check[PROBE_Q].detail, "Q of query 0 moves output 1");
	assert_has(r.check[PROBE_Q].detail, "all other queries 4 of 4");
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(r.moved[i], 1 << PROBE_Q);
	probe_free(&r);
	fixture_free(&f);
}

static void pad_tokens_are_changed_together(void **state)
{
	struct fixture f;
	(void)state;

	fixture_random(&f, 4, 4, 8, 8, "0");
	fixture_set(&f, "pad=0,1 pad-mask=off");
	struct probe_report r = run(&f, &pad_only);
	assert_has(r.check[PROBE_K].detail, "pad tokens 4 of 4");
	assert_has(r.check[PROBE_V].detail, "pad tokens 4 of 4");
	assert_has_not(r.check[PROBE_Q].detail, "pad tokens");
	/* Nothing is hidden behind a prefix or in the last place. */
	assert_has_not(r.check[PROBE_K].detail, "prefixes");
	assert_has_not(r.check[PROBE_K].detail, "last token");
	assert_int_equal(r.check[PROBE_K].faults, 8);
	probe_free(&r);
	fixture_free(&f);
}

static void expectations(void **state)
{
	(void)state;

	/* No mask at all: nothing is hidden, and Q is still judged. */
	random_answers(4, 8, "0", "", &as_set, "-y--y-y");
	random_answers(4, 8, "0", "causal=on", &nothing, "-y--y-y");
	random_answers(4, 8, "0", "causal=off", &causal_only, "nynny-y");
	/* The pad list counts though its mask is off; the offset and the prefix of an
	 * explicit causal do not. */
	random_answers(4, 8, "0", "pad=2,3 pad-mask=off", &as_set, "-ynnyny");
	random_answers(4, 8, "0", "pad=2,3 pad-mask=off", &pad_only, "-ynnyny");
	random_answers(4, 8, "0", "pad=2,3 pad-mask=off", &causal_only, "nynny-y");
	random_answers(4, 8, "0", "pad=2,3", &pad_only, "-yyyyyy");
	random_answers(4, 8, "0", "pad=2,3 causal=on", &causal_only, "yyyyy-y");
	random_answers(4, 8, "0", "pad-axis=query pad=0", &pad_only, "-nnnynn");
	random_answers(4, 8, "0", "causal=on prefix=2", &as_set, "yyyyy-y");
	random_answers(4, 8, "0", "causal=on prefix=2", &causal_only, "nynny-y");
	random_answers(4, 8, "0", "causal=on keep=0:3", &as_set, "yyyyy-y");
	random_answers(4, 8, "0", "causal=on keep=0:3", &causal_only, "nynny-y");
	/* A list without an index has nothing to hide. */
	random_answers(4, 8, "0", "causal=on", &pad_only, "-y--y-y");
	/* Masks other than these two are probed as well: hidden is the past here. */
	random_answers(5, 8, "0", "window=1", &as_set, "-yyyy-y");
	random_answers(5, 8, "0", "causal=on window=2 mask-at=after", &as_set, "ynnyy-y");
	random_answers(5, 8, "0", "hide=4:0 mask-at=after", &as_set, "-nnyy-y");
	random_answers(5, 8, "0", "hide=4:0 fill=0", &as_set, "-yyny-y");
	random_answers(5, 8, "0", "documents=1,1,2,2,2 fill=0", &as_set, "-yyny-y");
}

static void expectations_of_a_screen(void **state)
{
	static const struct probe_expect causal = { .also_causal = true }, pads = { .pad_as_set = true };
	static const struct probe_expect both = { .also_causal = true, .pad_as_set = true };
	static const struct probe_expect given = { .given = true, .also_causal = true };
	(void)state;

	/* Causal stays expected when it is switched off, whatever else is set. */
	random_answers(4, 8, "0", "causal=off", &causal, "nynny-y");
	random_answers(4, 8, "0", "causal=on", &causal, "yyyyy-y");
	random_answers(4, 8, "0", "window=1", &causal, "nynny-y");
	/* Padding is expected to be hidden only while its mask is on. */
	random_answers(4, 8, "0", "pad=2,3 pad-mask=off", &pads, "-y--y-y");
	random_answers(4, 8, "0", "pad=2,3", &pads, "-yyyyyy");
	random_answers(4, 8, "0", "pad=2,3 pad-mask=off", &both, "nynny-y");
	random_answers(4, 8, "0", "causal=off", &given, "-y--y-y");
}

static void hidden_by_a_file(void **state)
{
	/* True hides. Row 2 must not see key 0. */
	static const double mask[] = { 0, 1, 1, 0, 0, 1, 1, 0, 0 };
	struct error e = { 0 };
	struct fixture f;
	(void)state;

	fixture_random(&f, 3, 3, 4, 4, "3");
	fixture_set(&f, "polarity=hide");
	assert_int_equal(fixture_mask(&f, 3, 3, mask, 'b', "m", &e), OK_STATUS);
	expect_answers(&f, &as_set, "-yyyy-y", "mask file");
	expect_answers(&f, &causal_only, "yyyyy-y", "mask file, causal expected");
	expect_answers(&f, &nothing, "-y--y-y", "mask file, nothing expected");
	fixture_set(&f, "mask-at=after");
	struct probe_report r = run(&f, &as_set);
	assert_int_equal(r.check[PROBE_K].ok, ANSWER_NO);
	assert_int_equal(r.check[PROBE_K].faults, 4);
	probe_free(&r);
	fixture_free(&f);
}

static void expect_is_parsed(void **state)
{
	static const struct { const char *text; bool causal, pad; } good[] = {
		{ "none", false, false }, { "causal", true, false }, { "pad", false, true }, { "causal,pad", true, true },
		{ "pad,causal", true, true }, { "causal,causal", true, false },
	};
	static const char *const bad[] = {
		"", "caus", "causal,", ",", "none,causal", "causal pad", "Causal", "causal,,pad", "window",
	};
	(void)state;

	for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
		struct probe_expect x = { 0 };
		struct error e = { 0 };
		assert_int_equal(probe_expect_parse(&x, good[k].text, &e), OK_STATUS);
		assert_true(x.given);
		assert_int_equal(x.causal, good[k].causal);
		assert_int_equal(x.pad, good[k].pad);
	}
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
		struct probe_expect x = { .given = true, .pad = true };
		struct error e = { 0 };
		assert_int_equal(probe_expect_parse(&x, bad[k], &e), E_VALUE);
		assert_has(e.option, "expect");
		assert_true(e.text[0]);
		assert_true(x.given && !x.causal && x.pad);
	}
}

/* ---- other inputs ---- */

static void more_keys_than_queries_and_fewer(void **state)
{
	static const struct { size_t n_q, n_k; const char *align; size_t hidden; const char *right, *off; } cases[] = {
		{ 3, 5, "top-left", 9, "yyyyy-y", "nynny-y" },
		{ 3, 5, "bottom-right", 3, "yyyyy-y", "nynny-y" },
		{ 5, 3, "top-left", 3, "yyyyy-y", "nynny-y" },
		/* The first two queries stand before the first key. */
		{ 5, 3, "bottom-right", 9, "-nyyy-n", "nynny-y" },
	};
	struct fixture f;
	char settings[128];
	(void)state;

	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		fixture_random(&f, cases[k].n_q, cases[k].n_k, 8, 2, "9");
		snprintf(settings, sizeof settings, "causal=on causal-align=%s", cases[k].align);
		fixture_set(&f, settings);
		expect_answers(&f, &as_set, cases[k].right, settings);
		fixture_set(&f, "causal=off");
		expect_answers(&f, &causal_only, cases[k].off, "causal off");
		struct probe_report r = run(&f, &causal_only);
		for (int n = PROBE_UPPER_TRIANGLE; n <= PROBE_V; n += n ? 1 : PROBE_K) {
			assert_int_equal(r.check[n].of, cases[k].hidden);
			assert_int_equal(r.check[n].faults, cases[k].hidden);
		}
		probe_free(&r);
		fixture_free(&f);
	}
}

static void the_wrong_alignment_leaks(void **state)
{
	struct fixture f;
	(void)state;

	/* Keys before the queries' own are cached: bottom-right hides less. Whoever
	 * hides by top-left hides more, which is no leak but costs rows their keys. */
	fixture_random(&f, 2, 5, 8, 8, "2");
	fixture_set(&f, "causal=on causal-align=bottom-right");
	struct probe_report r = run(&f, &as_set);
	assert_true(probe_ok(&r));
	assert_int_equal(r.check[PROBE_UPPER_TRIANGLE].of, 1);
	probe_free(&r);
	fixture_free(&f);
}

static void given_scores(void **state)
{
	static const double scores[] = { 2, 1, 0.1, 1, 2, 0.1, 2, 1, 0.1 };
	struct fixture f;
	(void)state;

	fixture_scores(&f, 3, 3, scores);
	fixture_set(&f, "causal=on");
	expect_answers(&f, &as_set, "yy-y--y", "scores");
	fixture_set(&f, "fill=0");
	expect_answers(&f, &as_set, "ny-n--y", "scores, 0 for -inf");
	fixture_set(&f, "fill=-inf causal=off");
	expect_answers(&f, &causal_only, "ny-n--y", "scores, no mask");
	struct probe_report r = run(&f, &causal_only);
	assert_has(r.check[PROBE_K].detail, "scores are given");
	assert_has(r.check[PROBE_Q].detail, "scores are given");
	assert_has(r.check[PROBE_V].detail, "V is the identity");
	assert_int_equal(r.check[PROBE_V].faults, 3);
	probe_free(&r);
	fixture_free(&f);
}

static void given_weights(void **state)
{
	static const double good[] = { 1, 0, 0, 0.25, 0.75, 0, 0.5, 0.25, 0.25 };
	static const double leak[] = { 1, 0, 0, 0.25, 0.5, 0.25, 0.5, 0.25, 0.125 };
	struct fixture f;
	(void)state;

	fixture_init(&f);
	fixture_array(&f, ARRAY_WEIGHTS, 3, 3, good);
	expect_answers(&f, &as_set, "-y-----", "weights");
	expect_answers(&f, &causal_only, "yy-y---", "weights, causal expected");
	fixture_free(&f);

	fixture_init(&f);
	fixture_array(&f, ARRAY_WEIGHTS, 3, 3, leak);
	struct probe_report r = run(&f, &causal_only);
	char got[PROBE_COUNT + 1];
	assert_string_equal(answers(&r, got), "nn-n---");
	assert_int_equal(r.check[PROBE_UPPER_TRIANGLE].faults, 1);
	assert_has(r.check[PROBE_UPPER_TRIANGLE].detail, "1:2 0.25");
	assert_int_equal(r.check[PROBE_V].faults, 1);
	assert_has(r.check[PROBE_V].detail, "V of key 2 moves output 1");
	assert_has(r.check[PROBE_ROW_SUMS].detail, "row 2 0.875");
	assert_has(r.check[PROBE_EMPTY_ROWS].detail, "finished weights");
	assert_int_equal(r.moved[1], 1 << PROBE_V);
	assert_int_equal(r.moved[0] | r.moved[2], 0);
	probe_free(&r);
	fixture_free(&f);
}

static void one_token(void **state)
{
	(void)state;

	random_answers(1, 4, "0", "causal=on", &as_set, "-y----y");
	random_answers(1, 4, "0", "pad=0", &as_set, "-n----n");
	random_answers(2, 4, "0", "causal=on", &as_set, "yyyyy-y");
}

static void rows_that_see_nothing(void **state)
{
	(void)state;

	/* All padding: every output is nan, and no probe can tell anything. */
	random_answers(4, 8, "0", "pad=0-3", &as_set, "-n----n");
	/* Whatever the policy makes of such a row. Equal shares reach what is hidden. */
	random_answers(4, 8, "0", "causal=on pad=0,1 empty-row=literal", &as_set, "-nyyy-n");
	random_answers(4, 8, "0", "causal=on pad=0,1 empty-row=zero", &as_set, "ynyyyyn");
	random_answers(4, 8, "0", "causal=on pad=0,1 empty-row=uniform", &as_set, "nyynynn");
	random_answers(4, 8, "0", "causal=on pad=0,1 fill=-1e9", &as_set, "nyynynn");
}

static void what_is_not_a_number(void **state)
{
	struct fixture f;
	(void)state;

	/* Under a mask that replaces, nan in K is no leak. */
	fixture_random(&f, 4, 4, 8, 8, "0");
	fixture_set(&f, "causal=on pad=3");
	fixture_edit(&f, ARRAY_K, 3, 2, NAN);
	expect_answers(&f, &as_set, "yyyyyyy", "nan in a hidden key");
	fixture_free(&f);

	/* inf in a hidden row of V reaches outputs as 0 x inf; no mask stops that. */
	fixture_random(&f, 4, 4, 8, 8, "0");
	fixture_set(&f, "causal=on");
	fixture_edit(&f, ARRAY_V, 3, 2, INFINITY);
	struct probe_report r = run(&f, &as_set);
	char got[PROBE_COUNT + 1];
	assert_string_equal(answers(&r, got), "yyyny-y");
	assert_has(r.check[PROBE_V].detail, "0 x inf");
	assert_int_equal(r.check[PROBE_V].faults, 3);
	assert_has(r.check[PROBE_V].detail, "V of key 3 moves output 0");
	probe_free(&r);
	fixture_free(&f);

	/* A visible nan: row 2 is nan, and nothing can be said of it. */
	fixture_random(&f, 4, 4, 8, 8, "0");
	fixture_set(&f, "causal=on");
	fixture_edit(&f, ARRAY_Q, 2, 0, NAN);
	expect_answers(&f, &as_set, "-nyyy-y", "nan in a query");
	fixture_free(&f);
}

static void long_inputs(void **state)
{
	struct fixture f;
	struct probe_report r;
	(void)state;

	fixture_random(&f, 256, 256, 1, 1, "0");
	fixture_set(&f, "causal=on");
	r = run(&f, &as_set);
	assert_true(probe_ok(&r));
	assert_has(r.check[PROBE_K].detail, "all 255 prefixes 0 of 32640");
	probe_free(&r);
	fixture_free(&f);

	fixture_random(&f, 257, 257, 1, 1, "0");
	fixture_set(&f, "causal=on causal-offset=1");
	r = run(&f, &as_set);
	assert_has(r.check[PROBE_K].detail, " 16 prefixes ");
	assert_has_not(r.check[PROBE_K].detail, "all 16");
	assert_int_equal(r.check[PROBE_K].ok, ANSWER_NO);
	assert_int_equal(r.check[PROBE_UPPER_TRIANGLE].faults, 256);
	assert_has_not(r.check[PROBE_K].detail, "spread");
	probe_free(&r);
	fixture_free(&f);

	fixture_random(&f, 1025, 1025, 1, 1, "0");
	fixture_set(&f, "causal=on fill=0");
	r = run(&f, &as_set);
	assert_int_equal(r.check[PROBE_K].ok, ANSWER_YES);
	assert_int_equal(r.check[PROBE_V].ok, ANSWER_NO);
	assert_has(r.check[PROBE_V].detail, "64 of 1025 outputs, spread");
	assert_has_not(r.check[PROBE_UPPER_TRIANGLE].detail, "spread");
	probe_free(&r);
	fixture_free(&f);
}

static void spread_rows_have_the_last(void **state)
{
	enum { ROWS = 1030 };
	static const double v[] = { 1, 2, 3 };
	double *weights = calloc(3 * ROWS, sizeof *weights);
	struct fixture f;
	(void)state;

	/* Only the last row gives weight to the pad token. */
	assert_non_null(weights);
	for (size_t i = 0; i < ROWS; i++)
		weights[3 * i + 1] = 1;
	weights[3 * ROWS - 3] = weights[3 * ROWS - 2] = 0.5;
	fixture_init(&f);
	fixture_array(&f, ARRAY_WEIGHTS, ROWS, 3, weights);
	fixture_array(&f, ARRAY_V, 3, 1, v);
	fixture_set(&f, "pad=0");
	struct probe_report r = run(&f, &as_set);
	assert_int_equal(r.check[PROBE_PAD_COLUMNS].faults, 1);
	assert_int_equal(r.check[PROBE_V].faults, 1);
	assert_int_equal(r.check[PROBE_V].of, 64);
	assert_has(r.check[PROBE_V].detail, "V of key 0 moves output 1029");
	assert_int_equal(r.moved[ROWS - 1], 1 << PROBE_V);
	probe_free(&r);
	fixture_free(&f);
	free(weights);
}

static void nothing_else_is_changed(void **state)
{
	struct fixture f;
	double before[4][8];
	struct matrix q = { 0 }, k = { 0 }, v = { 0 };
	struct error e = { 0 };
	bool moves[4];
	(void)state;

	fixture_random(&f, 4, 4, 8, 8, "0");
	fixture_set(&f, "causal=on softmax=column");
	fixture_start(&f);
	matrix_copy(&q, problem_array(&f.problem, ARRAY_Q, 0), &e);
	matrix_copy(&k, problem_array(&f.problem, ARRAY_K, 0), &e);
	matrix_copy(&v, problem_array(&f.problem, ARRAY_V, 0), &e);
	for (size_t i = 0; i < 4; i++)
		memcpy(before[i], fixture_row(&f, i)->output, sizeof before[i]);
	struct probe_report r;
	struct probe_lesson l;
	assert_int_equal(probe_run(&r, &f.attention, &as_set, &f.tables, &e), OK_STATUS);
	assert_int_equal(probe_lesson_run(&l, &f.attention, "0", 0, &f.tables, &e), OK_STATUS);
	assert_int_equal(probe_influence(&f.attention, 1, &f.tables, moves, &e), OK_STATUS);
	assert_memory_equal(q.v, problem_array(&f.problem, ARRAY_Q, 0)->v, 32 * sizeof(double));
	assert_memory_equal(k.v, problem_array(&f.problem, ARRAY_K, 0)->v, 32 * sizeof(double));
	assert_memory_equal(v.v, problem_array(&f.problem, ARRAY_V, 0)->v, 32 * sizeof(double));
	for (size_t i = 0; i < 4; i++)
		assert_memory_equal(before[i], fixture_row(&f, i)->output, sizeof before[i]);
	probe_free(&r);
	probe_lesson_free(&l);
	matrix_free(&q);
	matrix_free(&k);
	matrix_free(&v);
	fixture_free(&f);
}

static void moved(void **state)
{
	(void)state;

	assert_false(probe_moved(1, 1));
	assert_false(probe_moved(0, 1e-8));
	assert_true(probe_moved(0, 1.1e-8));
	assert_false(probe_moved(100000, 100001));
	assert_true(probe_moved(100000, 100002));
	assert_false(probe_moved(0.0, -0.0));
	assert_false(probe_moved(NAN, NAN));
	assert_true(probe_moved(NAN, 1));
	assert_true(probe_moved(1, NAN));
	assert_true(probe_moved(INFINITY, NAN));
	assert_false(probe_moved(INFINITY, INFINITY));
	assert_true(probe_moved(INFINITY, -INFINITY));
	assert_true(probe_moved(1e308, INFINITY));
	assert_true(probe_moved(-INFINITY, 0));
}

/* ---- the checks in pieces ---- */

/* What is probed in pieces below: a few inputs of each kind. */
enum { KINDS = 10 };

static const struct probe_expect *kind_of_input(struct fixture *f, size_t kind)
{
	static const double scores[] = { 2, 1, 0.1, 1, 2, 0.1, 2, 1, 0.1 }, weights[] = { 1, 0, 0.5, 0.25, 0.5, 0.25 };
	static const struct { size_t n_q, n_k; const char *settings; const struct probe_expect *expect; } drawn[KINDS - 2] = {
		{ 4, 4, "causal=on", &as_set },
		{ 4, 4, "causal=off", &causal_only },
		{ 5, 3, "causal=on fill=0 dtype=f16 pad=1", &as_set },
		{ 3, 5, "causal=on mask-at=after causal-align=bottom-right", &as_set },
		{ 4, 4, "causal=on softmax=column", &as_set },
		{ 4, 4, "pad=0,2 pad-mask=off softmax=column softmax-times=2", &pad_only },
		{ 1, 2, "", &nothing },
		{ 6, 6, "causal=on pad=0 empty-row=uniform dropout=0.2", &as_set },
	};

	if (kind == 0) {
		fixture_scores(f, 3, 3, scores);
		fixture_set(f, "causal=on fill=0");
	} else if (kind == 1) {
		fixture_init(f);
		fixture_array(f, ARRAY_WEIGHTS, 2, 3, weights);
	} else {
		fixture_random(f, drawn[kind - 2].n_q, drawn[kind - 2].n_k, 8, 3, "6");
		fixture_set(f, drawn[kind - 2].settings);
	}
	fixture_start(f);
	return kind < 2 ? &causal_only : drawn[kind - 2].expect;
}

static struct probe_work *begin(struct fixture *f, const struct probe_expect *x)
{
	struct probe_work *w = NULL;
	struct error e = { 0 };

	assert_int_equal(probe_begin(&w, &f->attention, x, &f->tables, &e), OK_STATUS);
	return w;
}

static bool step(struct probe_work *w)
{
	struct error e = { 0 };
	bool more = true;

	assert_int_equal(probe_step(w, &more, &e), OK_STATUS);
	return more;
}

static void assert_same_check(const struct probe_check *a, const struct probe_check *b)
{
	assert_int_equal(a->ok, b->ok);
	assert_string_equal(a->detail, b->detail);
	assert_int_equal(a->faults, b->faults);
	assert_int_equal(a->of, b->of);
	for (int k = 0; k < PROBE_PAIRS; k++) {
		assert_int_equal(a->pair[k].row, b->pair[k].row);
		assert_int_equal(a->pair[k].other, b->pair[k].other);
	}
	assert_same(a->largest, b->largest);
	assert_int_equal(a->same_bits, b->same_bits);
}

static void assert_same_report(const struct probe_report *a, const struct probe_report *b)
{
	assert_int_equal(a->n_q, b->n_q);
	assert_memory_equal(a->moved, b->moved, a->n_q);
	for (int n = 0; n < PROBE_COUNT; n++)
		assert_same_check(&a->check[n], &b->check[n]);
}

static void pieces_give_what_a_run_gives(void **state)
{
	(void)state;

	for (size_t kind = 0; kind < KINDS; kind++) {
		struct fixture f, g;
		const struct probe_expect *x = kind_of_input(&f, kind), *y = kind_of_input(&g, (kind + 1) % KINDS);
		struct probe_report whole = run(&f, x);
		struct probe_work *w = begin(&f, x), *other = begin(&g, y);
		/* Two at a time do not disturb each other. */
		while (step(w))
			step(other);
		for (int n = 0; n < PROBE_COUNT; n++)
			assert_true(probe_work_done(w, (enum probe_name)n));
		assert_same_report(probe_work_report(w), &whole);
		/* There is nothing left to do, and the attention is no longer needed. */
		fixture_free(&f);
		assert_false(step(w));
		assert_same_report(probe_work_report(w), &whole);
		probe_free(&whole);
		probe_work_free(w);
		probe_work_free(other);
		fixture_free(&g);
	}
}

/* "ynn----" of what is known, '.' for what is not. */
static const char *so_far(const struct probe_work *w, char out[PROBE_COUNT + 1])
{
	answers(probe_work_report(w), out);
	for (int n = 0; n < PROBE_COUNT; n++)
		if (!probe_work_done(w, (enum probe_name)n)) {
			assert_int_equal(out[n], '-');
			assert_string_equal(probe_work_report(w)->check[n].detail, "");
			out[n] = '.';
		}
	return out;
}

static void cheap_checks_are_known_first(void **state)
{
	/* Of 0 for -inf: hidden keys keep weight, so that V leaks, and K does not. */
	static const char *const wanted[] = { ".......", "ny...-y", "nyy..-y", "nyyn.-y", "nyyny-y" };
	char got[PROBE_COUNT + 1];
	size_t stage = 0, steps = 0;
	bool more = true;
	struct fixture f;
	(void)state;

	fixture_random(&f, 9, 9, 8, 8, "3");
	fixture_set(&f, "causal=on fill=0");
	fixture_start(&f);
	struct probe_work *w = begin(&f, &as_set);
	assert_string_equal(so_far(w, got), wanted[0]);
	while (more) {
		more = step(w);
		steps++;
		if (strcmp(so_far(w, got), wanted[stage]))
			assert_string_equal(got, wanted[++stage]);
		/* One pass of rows is enough for the first four. */
		assert_true(stage || steps < 9);
	}
	assert_int_equal(stage, 4);
	assert_false(probe_work_done(NULL, PROBE_K));
	probe_work_free(w);
	probe_work_free(NULL);
	fixture_free(&f);
}

static void what_is_known_stays(void **state)
{
	(void)state;

	for (size_t kind = 0; kind < KINDS; kind++) {
		struct probe_check known[PROBE_COUNT];
		uint8_t moved[6] = { 0 };
		bool done[PROBE_COUNT] = { false }, more = true;
		double progress = 0;
		struct fixture f;
		const struct probe_expect *x = kind_of_input(&f, kind);
		struct probe_work *w = begin(&f, x);
		const struct probe_report *r = probe_work_report(w);
		assert_same(probe_progress(w), 0);
		assert_in_range(r->n_q, 1, sizeof moved);
		while (more) {
			more = step(w);
			assert_true(probe_progress(w) >= progress && probe_progress(w) <= 1);
			progress = probe_progress(w);
			for (int n = 0; n < PROBE_COUNT; n++) {
				if (done[n])
					assert_same_check(&r->check[n], &known[n]);
				assert_true(!done[n] || probe_work_done(w, (enum probe_name)n));
				done[n] = probe_work_done(w, (enum probe_name)n);
				known[n] = r->check[n];
			}
			for (size_t i = 0; i < r->n_q; i++) {
				assert_int_equal(moved[i] & ~r->moved[i], 0);
				moved[i] = r->moved[i];
			}
		}
		assert_same(progress, 1);
		probe_work_free(w);
		fixture_free(&f);
	}
}

static void progress_comes_from_the_work(void **state)
{
	static const char *const settings[] = { "causal=on", "causal=off" };
	(void)state;

	/* About as evenly as the steps, though not all of them take the same time; where
	 * keys leak more and more has to be done. */
	for (int k = 0; k < 2; k++) {
		size_t steps = 0, late = 0;
		double progress = 0, leap = 0;
		struct fixture f;
		fixture_random(&f, 24, 24, 4, 4, "1");
		fixture_set(&f, settings[k]);
		fixture_start(&f);
		struct probe_work *w = begin(&f, &causal_only);
		while (step(w)) {
			assert_true(probe_progress(w) < 1);
			leap = fmax(leap, probe_progress(w) - progress);
			progress = probe_progress(w);
			late += progress > 0.5;
			steps++;
		}
		assert_in_range(late, steps / 3, 2 * steps / 3);
		assert_true(leap < 0.01 && progress > 0.99);
		probe_work_free(w);
		fixture_free(&f);
	}
}

static void probes_can_be_given_up_at_any_time(void **state)
{
	(void)state;

	for (size_t kind = 0; kind < KINDS; kind++)
		for (size_t k = 0; k <= 200; k++) {
			struct fixture f;
			const struct probe_expect *x = kind_of_input(&f, kind);
			struct probe_work *w = begin(&f, x);
			for (size_t done = 0; done < k; done++)
				step(w);
			probe_work_free(w);
			fixture_free(&f);
		}
}

/* ---- the lesson's own test ---- */

static struct matrix golden(const char *name)
{
	static unsigned char bytes[1 << 16];
	const char *root = getenv("QKV_TEST_DATA");
	struct error e = { 0 };
	struct matrix m = { 0 };
	char path[4096];
	struct npy a;

	snprintf(path, sizeof path, "%s/golden/%s", root ? root : "tests/data", name);
	FILE *file = fopen(path, "rb");
	if (!file)
		fail_msg("%s cannot be read", path);
	size_t n = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	if (npy_parse(&a, bytes, n, name, false, &e) || npy_matrix(&a, &m, &e))
		fail_msg("%s: %s", name, e.text);
	return m;
}

static void compare_golden(const struct matrix *got, const char *name)
{
	struct matrix wanted = golden(name);

	assert_int_equal(got->rows, wanted.rows);
	assert_int_equal(got->columns, wanted.columns);
	for (size_t k = 0; k < wanted.rows * wanted.columns; k++) {
#if defined __x86_64__ && defined __GLIBC__
		assert_same(got->v[k], wanted.v[k]);
#else
		assert_near(got->v[k], wanted.v[k], 1e-9);
#endif
	}
	matrix_free(&wanted);
}

static struct probe_lesson lesson(struct fixture *f, const char *seed, uint64_t skip)
{
	struct probe_lesson l;
	struct error e = { 0 };

	fixture_start(f);
	if (probe_lesson_run(&l, &f->attention, seed, skip, &f->tables, &e))
		fail_msg("%s", e.text);
	return l;
}

static void lesson_gives_numpys_numbers(void **state)
{
	struct fixture f;
	struct probe_lesson l;
	(void)state;

	fixture_random(&f, 4, 4, 8, 8, "0");
	fixture_set(&f, "causal=on");
	l = lesson(&f, "0", 0);
	assert_int_equal(l.ok, ANSWER_YES);
	assert_true(l.all_close && l.same_bits);
	assert_int_equal(l.moved, 0);
	assert_same(l.largest, 0);
	compare_golden(&l.before, "seed003_causal/output.npy");
	compare_golden(&l.after, "seed003_future_changed/output.npy");
	assert_has(l.detail, "True");
	assert_has(l.detail, "bit for bit");
	probe_lesson_free(&l);

	/* The lesson's own number without the mask. */
	fixture_set(&f, "causal=off");
	l = lesson(&f, "0", 0);
	assert_int_equal(l.ok, ANSWER_NO);
	assert_false(l.all_close || l.same_bits);
	assert_int_equal(l.moved, 3);
	assert_near(l.largest, 224.7, 0.05);
	assert_has(l.detail, "224.7");
	probe_lesson_free(&l);

	fixture_set(&f, "causal=on fill=0");
	l = lesson(&f, "0", 0);
	assert_int_equal(l.ok, ANSWER_NO);
	probe_lesson_free(&l);

	/* NumPy holds a nan equal to nothing; no output moved all the same. */
	fixture_set(&f, "fill=-inf causal-offset=-1");
	l = lesson(&f, "0", 0);
	assert_int_equal(l.ok, ANSWER_YES);
	assert_false(l.all_close);
	assert_true(l.same_bits);
	assert_has(l.detail, "False");
	probe_lesson_free(&l);
	fixture_free(&f);
}

static void lesson_continues_the_stream(void **state)
{
	struct fixture f;
	struct random stream;
	struct error e = { 0 };
	struct probe_lesson l;
	(void)state;

	/* With two keys and no mask output 0 follows from the noise: its softmax is
	 * computed here from the numbers that the stream gives next. */
	fixture_random(&f, 2, 2, 1, 1, "77");
	f.scenario.random.skip = 5;
	l = lesson(&f, "77", 5);
	assert_int_equal(random_seed(&stream, &f.tables, "77", &e), OK_STATUS);
	random_skip_normals(&stream, 5);
	double x[8];
	for (int k = 0; k < 8; k++)
		x[k] = random_normal(&stream);
	double a = x[0] * x[2], b = x[0] * (x[6] * 100), largest = a > b ? a : b;
	double u = exp(a - largest), w = exp(b - largest);
	assert_near(l.after.v[0], (u * x[4] + w * (x[7] * 100)) / (u + w), 1e-9);
	probe_lesson_free(&l);
	fixture_free(&f);
}

/* Four queries, two keys: from the top left rows 1 to 3 see the last key and may move,
 * from the bottom right the last row alone; nothing leaks either way. With the diagonal
 * shifted by one, row 0 sees it too soon. */
static void lesson_knows_who_sees_the_last_key(void **state)
{
	struct fixture f;
	struct probe_lesson l;
	(void)state;

	fixture_random(&f, 4, 2, 3, 2, "0");
	fixture_set(&f, "causal=on");
	l = lesson(&f, "0", 0);
	assert_int_equal(l.ok, ANSWER_YES);
	assert_true(l.same_bits);
	assert_has(l.detail, "np.allclose(out[:1], out2[:1]) is True");
	probe_lesson_free(&l);

	fixture_set(&f, "causal-offset=1");
	l = lesson(&f, "0", 0);
	assert_int_equal(l.ok, ANSWER_NO);
	assert_int_equal(l.moved, 1);
	assert_has(l.detail, "1 of 1 outputs move, the first 0");
	probe_lesson_free(&l);

	/* From the bottom right rows 0 and 1 see nothing at all, and row 2 the first key. */
	fixture_set(&f, "causal-offset=0 causal-align=bottom-right empty-row=zero");
	l = lesson(&f, "0", 0);
	assert_int_equal(l.ok, ANSWER_YES);
	assert_has(l.detail, "np.allclose(out[:-1], out2[:-1]) is True");
	probe_lesson_free(&l);
	fixture_free(&f);

	fixture_random(&f, 3, 1, 3, 2, "0");
	fixture_set(&f, "causal=on");
	l = lesson(&f, "0", 0);
	assert_int_equal(l.ok, ANSWER_NONE);
	probe_lesson_free(&l);
	fixture_free(&f);
}

static void lesson_needs_k_and_two_rows(void **state)
{
	static const double scores[] = { 2, 1, 1, 2 };
	struct fixture f;
	struct probe_lesson l;
	(void)state;

	fixture_scores(&f, 2, 2, scores);
	l = lesson(&f, NULL, 0);
	assert_int_equal(l.ok, ANSWER_NONE);
	assert_null(l.before.v);
	probe_lesson_free(&l);
	fixture_free(&f);

	fixture_random(&f, 1, 3, 2, 2, "0");
	l = lesson(&f, "0", 0);
	assert_int_equal(l.ok, ANSWER_NONE);
	probe_lesson_free(&l);
	fixture_free(&f);

	struct error e = { 0 };
	fixture_random(&f, 2, 3, 2, 2, "0");
	fixture_start(&f);
	assert_int_equal(probe_lesson_run(&l, &f.attention, "x", 0, &f.tables, &e), E_VALUE);
	fixture_free(&f);
}

/* ---- the influence picture ---- */

static void influence_is(size_t n_q, size_t n_k, const char *settings, const char *wanted)
{
	struct fixture f;
	struct error e = { 0 };
	bool moves[64];

	fixture_random(&f, n_q, n_k, 8, 8, "4");
	fixture_set(&f, settings);
	fixture_start(&f);
	for (size_t i = 0; i < n_q; i++) {
		assert_int_equal(probe_influence(&f.attention, i, &f.tables, moves, &e), OK_STATUS);
		for (size_t j = 0; j < n_k; j++)
			if (moves[j] != (wanted[i * (n_k + 1) + j] == 'o'))
				fail_msg("%s: key %zu %s output %zu", settings, j, moves[j] ? "moves" : "does not move", i);
	}
	fixture_free(&f);
}

static void influence_follows_the_mask(void **state)
{
	(void)state;

	influence_is(4, 4, "causal=on", "o... oo.. ooo. oooo");
	influence_is(4, 4, "causal=on scale=none", "o... oo.. ooo. oooo");
	/* All weight is on one key: V of the others has no say, K only when its score rises. */
	influence_is(4, 4, "causal=on scale=30", "o... oo.. ooo. oooo");
	influence_is(4, 4, "causal=on causal-offset=1", "oo.. ooo. oooo oooo");
	influence_is(4, 4, "pad=2,3", "oo.. oo.. oo.. oo..");
	influence_is(4, 4, "causal=on pad=0", ".... .o.. .oo. .ooo");
	influence_is(4, 4, "causal=on mask-invert=on", ".ooo ..oo ...o ....");
	/* The zeros above the diagonal hide nothing when they come after softmax. */
	influence_is(4, 4, "causal=on mask-at=after", "oooo oooo oooo oooo");
	influence_is(4, 4, "causal=on fill=0", "oooo oooo oooo oooo");
	influence_is(3, 5, "causal=on causal-align=bottom-right", "ooo.. oooo. ooooo");
	influence_is(5, 3, "causal=on", "o.. oo. ooo ooo ooo");
	influence_is(4, 4, "causal=on softmax=column", "o... oo.. ooo. oooo");
}

static void influence_of_given_weights(void **state)
{
	static const double weights[] = { 1, 0, 0.5, 0.5 };
	struct fixture f;
	struct error e = { 0 };
	bool moves[2];
	(void)state;

	fixture_init(&f);
	fixture_array(&f, ARRAY_WEIGHTS, 2, 2, weights);
	fixture_start(&f);
	assert_int_equal(probe_influence(&f.attention, 0, &f.tables, moves, &e), OK_STATUS);
	assert_true(moves[0] && !moves[1]);
	assert_int_equal(probe_influence(&f.attention, 1, &f.tables, moves, &e), OK_STATUS);
	assert_true(moves[0] && moves[1]);
	fixture_free(&f);
}

/* ---- the influence picture in pieces ---- */

static struct influence_work *picture(struct fixture *f, size_t from, size_t to)
{
	struct influence_work *w = NULL;
	struct error e = { 0 };

	assert_int_equal(influence_begin(&w, &f->attention, from, to, &f->tables, &e), OK_STATUS);
	return w;
}

static bool influence_more(struct influence_work *w)
{
	struct error e = { 0 };
	bool more = true;

	assert_int_equal(influence_step(w, &more, &e), OK_STATUS);
	return more;
}

static size_t steps_to_the_end(struct influence_work *w)
{
	size_t steps = 1;

	while (influence_more(w))
		steps++;
	return steps;
}

static void influence_to(struct influence_work *w, size_t from, size_t to)
{
	struct error e = { 0 };

	assert_int_equal(influence_window(w, from, to, &e), OK_STATUS);
}

/* Whether the rows from..to-1 are all known and as wanted, "o." a row. */
static void assert_picture(const struct influence_work *w, size_t from, size_t to, size_t n_k, const char *wanted,
			   const char *what)
{
	for (size_t i = from; i < to; i++) {
		assert_true(influence_done(w, i));
		for (size_t j = 0; j < n_k; j++) {
			assert_true(influence_known(w, i, j));
			if (influence_moves(w, i, j) != (wanted[i * (n_k + 1) + j] == 'o'))
				fail_msg("%s: key %zu, output %zu", what, j, i);
		}
	}
}

/* The pictures follow from the mathematics: o_i = sum_j w_ij v_j, and which k_j
 * and v_j each w_ij depends on. */
static const struct { size_t n_q, n_k; const char *settings, *wanted; } pictures[] = {
	/* Where the mask is right, who is hidden has no say. */
	{ 4, 4, "", "oooo oooo oooo oooo" },
	{ 4, 4, "causal=on", "o... oo.. ooo. oooo" },
	{ 4, 4, "causal=on scale=30", "o... oo.. ooo. oooo" },
	{ 4, 4, "causal=on dtype=f16", "o... oo.. ooo. oooo" },
	{ 4, 4, "causal=on pad=1", "o... o... o.o. o.oo" },
	{ 4, 4, "causal=on window=2", "o... oo.. .oo. ..oo" },
	{ 4, 4, "causal=on prefix=2", "oo.. oo.. ooo. oooo" },
	{ 4, 4, "causal=on keep=0:3", "o..o oo.. ooo. oooo" },
	{ 4, 4, "documents=1,1,2,2", "oo.. oo.. ..oo ..oo" },
	{ 4, 4, "hide=0:1,3:0", "o.oo oooo oooo .ooo" },
	{ 2, 5, "causal=on causal-align=bottom-right", "oooo. ooooo" },
	{ 5, 2, "causal=on", "o. oo oo oo oo" },
	{ 1, 3, "pad=0", ".oo" },
	/* What a row without any visible key becomes: nan whatever happens, 0, or all alike. */
	{ 3, 3, "causal=on pad=0", "... .o. .oo" },
	{ 3, 3, "causal=on pad=0 empty-row=zero", "... .o. .oo" },
	{ 3, 3, "causal=on pad=0 empty-row=uniform", "ooo .o. .oo" },
	/* The mistakes. After softmax the weights of the visible still have e^s_ij of
	 * the hidden below the line: K moves. Renormalised that cancels. */
	{ 4, 4, "causal=on mask-at=after", "oooo oooo oooo oooo" },
	{ 4, 4, "causal=on mask-at=after-renorm", "o... oo.. ooo. oooo" },
	{ 4, 4, "causal=on fill=0", "oooo oooo oooo oooo" },
	{ 4, 4, "causal=on mask-invert=on", ".ooo ..oo ...o ...." },
	{ 4, 4, "causal=on causal-offset=1", "oo.. ooo. oooo oooo" },
	{ 4, 4, "causal=on causal-offset=-1", ".... o... oo.. ooo." },
	{ 4, 4, "causal=on softmax-times=2", "oooo oooo oooo oooo" },
	/* Rows that are padding are hidden instead of columns: they lose everything,
	 * and the others see the pad token. */
	{ 4, 4, "pad=1 pad-axis=query", "oooo .... oooo oooo" },
	/* Over columns w_ij has to do with key j alone: it is 0 where hidden, after
	 * softmax too. What leaks there is Q. With 0 for -inf it is not 0. */
	{ 4, 4, "causal=on softmax=column", "o... oo.. ooo. oooo" },
	{ 4, 4, "causal=on softmax=column mask-at=after", "o... oo.. ooo. oooo" },
	{ 4, 4, "causal=on softmax=column fill=0", "oooo oooo oooo oooo" },
	{ 4, 4, "causal=on softmax=column softmax-times=2", "oooo oooo oooo oooo" },
	{ 2, 3, "softmax=column", "ooo ooo" },
	/* A hidden column has nothing to share out: 0/0, in every output. */
	{ 2, 3, "softmax=column pad=1", "... ..." },
	{ 2, 3, "softmax=column pad=1 fill=-1e9", "ooo ooo" },
};

static void open_picture(struct fixture *f, size_t k)
{
	fixture_random(f, pictures[k].n_q, pictures[k].n_k, 8, 4, "4");
	fixture_set(f, pictures[k].settings);
	fixture_start(f);
}

static void pictures_follow_from_the_mathematics(void **state)
{
	(void)state;

	for (size_t k = 0; k < sizeof pictures / sizeof *pictures; k++) {
		struct fixture f;
		open_picture(&f, k);
		struct influence_work *w = picture(&f, 0, pictures[k].n_q);
		steps_to_the_end(w);
		assert_picture(w, 0, pictures[k].n_q, pictures[k].n_k, pictures[k].wanted, pictures[k].settings);
		assert_false(influence_more(w));
		influence_free(w);
		fixture_free(&f);
	}
}

/* The same wherever the window goes, and however little is done between. */
static void wander(size_t k, struct dice *d)
{
	size_t n_q = pictures[k].n_q, from = 0, to = 0;
	struct fixture f;

	open_picture(&f, k);
	struct influence_work *w = picture(&f, 0, 0);
	for (int turn = 0; turn < 8; turn++) {
		for (size_t steps = dice_below(d, 30); steps; steps--)
			influence_more(w);
		from = dice_below(d, n_q + 1);
		to = from + dice_below(d, n_q - from + 1);
		influence_to(w, from, to);
	}
	steps_to_the_end(w);
	assert_picture(w, from, to, pictures[k].n_k, pictures[k].wanted, pictures[k].settings);
	influence_free(w);
	fixture_free(&f);
}

static void pictures_do_not_depend_on_the_window(void **state)
{
	struct dice d = { 12 };
	(void)state;

	for (size_t k = 0; k < sizeof pictures / sizeof *pictures; k++)
		for (int walk = 0; walk < 20; walk++)
			wander(k, &d);
}

/* Weights so small that about every third key moves the output, namely where its
 * noise is large: which ones depends on the noise alone, so that rows of equal
 * weights have equal pictures, each row as if it were the first. */
static void every_row_sees_the_same_noise(void **state)
{
	enum { KEYS = 60 };
	double weights[3 * KEYS], v[KEYS] = { 1 };
	size_t moving = 0;
	struct fixture f;
	(void)state;

	for (size_t k = 0; k < 3 * KEYS; k++)
		weights[k] = k % KEYS ? 1e-7 : 1;
	fixture_init(&f);
	fixture_array(&f, ARRAY_WEIGHTS, 3, KEYS, weights);
	fixture_array(&f, ARRAY_V, KEYS, 1, v);
	fixture_start(&f);
	struct influence_work *w = picture(&f, 0, 2), *alone = picture(&f, 2, 3);
	steps_to_the_end(w);
	steps_to_the_end(alone);
	for (size_t j = 0; j < KEYS; j++) {
		moving += influence_moves(alone, 2, j);
		for (size_t i = 0; i < 2; i++)
			assert_int_equal(influence_moves(w, i, j), influence_moves(alone, 2, j));
	}
	assert_in_range(moving, 5, KEYS - 5);
	influence_free(w);
	influence_free(alone);
	fixture_free(&f);
}

static void what_is_known_of_a_picture_stays(void **state)
{
	(void)state;

	for (size_t k = 0; k < sizeof pictures / sizeof *pictures; k++) {
		size_t n_q = pictures[k].n_q, n_k = pictures[k].n_k;
		double progress = 0;
		bool more = true;
		struct fixture f;
		open_picture(&f, k);
		struct influence_work *w = picture(&f, 0, n_q);
		assert_same(influence_progress(w), 0);
		while (more) {
			size_t known = 0;
			more = influence_more(w);
			for (size_t i = 0; i < n_q; i++)
				for (size_t j = 0; j < n_k; j++) {
					bool wanted = pictures[k].wanted[i * (n_k + 1) + j] == 'o';
					bool is_known = influence_known(w, i, j);
					assert_int_equal(influence_moves(w, i, j), is_known && wanted);
					assert_true(is_known || !influence_done(w, i));
					known += is_known;
				}
			assert_near(influence_progress(w), (double)known / (double)(n_q * n_k), 1e-12);
			assert_true(influence_progress(w) >= progress);
			progress = influence_progress(w);
			assert_true(more == (progress < 1));
		}
		influence_free(w);
		fixture_free(&f);
	}
}

static void rows_come_one_by_one_or_together(void **state)
{
	struct fixture f;
	(void)state;

	fixture_random(&f, 4, 4, 8, 4, "4");
	fixture_set(&f, "causal=on");
	fixture_start(&f);
	struct influence_work *w = picture(&f, 1, 4);
	while (!influence_done(w, 1))
		influence_more(w);
	for (size_t j = 0; j < 4; j++)
		assert_false(influence_known(w, 2, j));
	influence_free(w);

	/* Over columns, where all rows share a scan. */
	fixture_set(&f, "softmax=column");
	fixture_start(&f);
	w = picture(&f, 1, 4);
	while (!influence_known(w, 3, 0))
		influence_more(w);
	for (size_t i = 1; i < 4; i++)
		assert_true(influence_known(w, i, 0) && !influence_known(w, i, 1));
	influence_free(w);
	fixture_free(&f);
}

static void a_moved_window_keeps_what_is_known(void **state)
{
	static const char *const settings[] = { "causal=on", "causal=on softmax=column" };
	(void)state;

	for (int k = 0; k < 2; k++) {
		struct fixture f;
		fixture_random(&f, 6, 6, 4, 4, "2");
		fixture_set(&f, settings[k]);
		fixture_start(&f);
		struct influence_work *w = picture(&f, 0, 3), *one = picture(&f, 3, 4);
		steps_to_the_end(w);
		influence_to(w, 1, 4);
		assert_false(influence_done(w, 0));	/* no longer there */
		assert_true(influence_done(w, 1) && influence_done(w, 2) && !influence_done(w, 3));
		assert_near(influence_progress(w), 2.0 / 3, 1e-12);
		/* What comes in costs no more than it does alone. */
		assert_true(steps_to_the_end(w) <= steps_to_the_end(one) + 2);
		assert_true(influence_done(w, 3));
		influence_to(w, 1, 4);
		assert_same(influence_progress(w), 1);
		/* In the midst of a row, too. */
		influence_to(w, 4, 6);
		while (!influence_known(w, 4, 3))
			influence_more(w);
		influence_to(w, 3, 6);
		assert_true(influence_known(w, 4, 3) && !influence_known(w, 4, 4));
		steps_to_the_end(w);
		assert_picture(w, 3, 6, 6, "o..... oo.... ooo... oooo.. ooooo. oooooo", settings[k]);
		influence_free(w);
		influence_free(one);
		fixture_free(&f);
	}
	assert_false(influence_done(NULL, 0));
	influence_free(NULL);
}

static void windows_of_a_long_input(void **state)
{
	struct fixture f;
	(void)state;

	fixture_random(&f, 3000, 3000, 1, 1, "0");
	fixture_set(&f, "causal=on");
	fixture_start(&f);
	struct influence_work *w = picture(&f, 1000, 1002);
	assert_true(steps_to_the_end(w) < 2 * (1 + 4 * 3000));
	for (size_t i = 1000; i < 1002; i++)
		for (size_t j = 0; j < 3000; j++)
			assert_true(influence_known(w, i, j) && (j <= i || !influence_moves(w, i, j)));
	assert_false(influence_done(w, 999) || influence_known(w, 1002, 0) || influence_moves(w, 2999, 0));
	influence_free(w);
	fixture_free(&f);
}

static void pictures_of_given_numbers(void **state)
{
	static const double weights[] = { 1, 0, 0.5, 0.5, 0, 2 }, scores[] = { 2, 1, 0.1, 1, 2, 0.1, 2, 1, 0.1 };
	struct fixture f;
	(void)state;

	/* Only V follows: where there is weight. */
	fixture_init(&f);
	fixture_array(&f, ARRAY_WEIGHTS, 3, 2, weights);
	fixture_start(&f);
	struct influence_work *w = picture(&f, 0, 3);
	steps_to_the_end(w);
	assert_picture(w, 0, 3, 2, "o. oo .o", "weights");
	influence_free(w);
	fixture_free(&f);

	fixture_scores(&f, 3, 3, scores);
	fixture_set(&f, "causal=on mask-at=after");	/* of K there is nothing to leak */
	fixture_start(&f);
	w = picture(&f, 0, 3);
	steps_to_the_end(w);
	assert_picture(w, 0, 3, 3, "o.. oo. ooo", "scores");
	influence_free(w);
	fixture_free(&f);
}

static void pictures_can_be_given_up_at_any_time(void **state)
{
	static const char *const settings[] = { "causal=on", "softmax=column pad=1", "causal=on fill=0 dtype=bf16" };
	(void)state;

	for (size_t which = 0; which < 3; which++)
		for (size_t k = 0; k <= 200; k++) {
			struct fixture f;
			fixture_random(&f, 5, 6, 3, 2, "8");
			fixture_set(&f, settings[which]);
			fixture_start(&f);
			struct influence_work *w = picture(&f, 0, 5);
			for (size_t done = 0; done < k; done++) {
				influence_more(w);
				if (done % 50 == 40)
					influence_to(w, done / 50, 5);
			}
			influence_free(w);
			fixture_free(&f);
		}
}

/* ---- the report ---- */

struct told {
	struct buffer text;
	bool ok;
};

/* What `qkv verify INPUT` says with these settings. */
static struct told tell(const char *input, const char *settings, const char *expected, enum verify_format format,
			bool is_lesson)
{
	struct random_tables tables;
	struct error e = { 0 };
	struct scenario s;
	struct problem p = { 0 };
	struct told t = { .ok = false };
	struct verify_request request = { .problem = &p, .scenario = &s, .tables = &tables, .format = format,
					  .all_heads = true, .lesson = is_lesson, .width = 80 };

	assert_int_equal(random_tables_init(&tables, &e), OK_STATUS);
	if (load_scenario(&s, input, NULL, &e))
		fail_msg("%s", e.text);
	options_from(&s.set, settings);
	request.options = &s.set;
	if (expected)
		assert_int_equal(probe_expect_parse(&request.expect, expected, &e), OK_STATUS);
	assert_int_equal(problem_build(&p, &s, &s.set, &s.edits, &tables, &e), OK_STATUS);
	if (verify(&t.text, &t.ok, &request, &e))
		fail_msg("%s", e.text);
	problem_free(&p);
	scenario_free(&s);
	return t;
}

/* The JSON's answers as "yn-..."; checks that it has all it must have. */
static void assert_json(const char *input, const char *settings, const char *expected, const char *wanted)
{
	struct told t = tell(input, settings, expected, VERIFY_JSON, false);
	json_t *root = json_loads(t.text.data, 0, NULL);
	char got[PROBE_COUNT + 1] = "";

	assert_non_null(root);
	json_t *checks = json_object_get(root, "checks");
	assert_int_equal(json_object_size(root), 2);
	assert_int_equal(json_array_size(checks), PROBE_COUNT);
	for (int n = 0; n < PROBE_COUNT; n++) {
		json_t *check = json_array_get(checks, (size_t)n), *ok = json_object_get(check, "ok");
		assert_string_equal(json_string_value(json_object_get(check, "name")), probe_name((enum probe_name)n));
		assert_true(strlen(json_string_value(json_object_get(check, "detail"))) > 10);
		assert_true(json_is_boolean(ok) || json_is_null(ok));
		got[n] = json_is_null(ok) ? '-' : json_is_true(ok) ? 'y' : 'n';
		if (!json_is_null(ok))
			assert_has(json_string_value(json_object_get(check, "detail")), "Cannot see: ");
	}
	if (strcmp(got, wanted))
		fail_msg("%s %s: %s instead of %s", input, settings, got, wanted);
	assert_int_equal(json_is_true(json_object_get(root, "ok")), !strchr(wanted, 'n'));
	assert_int_equal(t.ok, !strchr(wanted, 'n'));
	json_decref(root);
	buffer_free(&t.text);
}

static void reports_of_the_scenarios(void **state)
{
	(void)state;

	assert_json("random-4", "", NULL, "yyyyy-y");
	assert_json("random-4", "causal=off", "causal", "nynny-y");
	assert_json("random-4", "causal=off", NULL, "-y--y-y");
	assert_json("random-4", "softmax=column", NULL, "ynyyn-y");
	assert_json("pad-4", "", NULL, "-yyyyyy");
	assert_json("pad-4", "pad-mask=off", "pad", "-ynnyny");
	assert_json("pad-4", "pad-mask=off", "none", "-y--y-y");
	assert_json("left-pad-4", "", NULL, "-nyyy-n");
	assert_json("korean-5", "", NULL, "yyyyy-y");
	assert_json("ones-8", "", NULL, "yyyyy-y");
	/* The list of pads counts, with its mask off. */
	assert_json("causal-3", "", NULL, "yynnyny");
	assert_json("causal-3", "", "causal", "yyyyy-y");
	assert_json("causal-3", "pad-mask=on", NULL, "yyyyyyy");
	assert_json("two-tokens", "", NULL, "-y--y-y");
	assert_json("cross-3x5", "", NULL, "-y--y-y");
	assert_json("shapes-10", "n=4 causal=on", NULL, "yyyyy-y");
	assert_json("saturation-16", "causal=on d-k=4", NULL, "yyyyy-y");
}

static void report_names_the_pairs(void **state)
{
	struct told t = tell("random-4", "causal=off", "causal", VERIFY_TEXT, false);
	(void)state;

	assert_false(t.ok);
	assert_has(t.text.data, "expected: causal, as asked for");
	assert_has(t.text.data, "FALSE probe-k ");
	assert_has(t.text.data, "6 of 6 pairs leak");
	assert_has(t.text.data, "ok    row-sums");
	assert_has(t.text.data, "-     pad-columns");
	assert_has(t.text.data, "3 of 7 checks are false: upper-triangle, probe-k, probe-v\n");
	assert_has(t.text.data, "cannot see:");
	for (char *line = strtok(t.text.data, "\n"); line; line = strtok(NULL, "\n"))
		assert_true(strlen(line) <= 80);
	buffer_free(&t.text);
}

/* However many pairs leak, each output that moves is named. */
static void outputs_are_all_named(void **state)
{
	struct probe_expect pad = { .given = true, .pad = true };
	struct fixture f;
	(void)state;

	fixture_random(&f, 4, 4, 8, 8, "0");
	fixture_set(&f, "softmax=column causal=on");
	struct probe_report r = run(&f, &causal_only);
	assert_has(r.check[PROBE_Q].detail, "12 of 12 pairs leak: Q of query 0 moves output 1-3, query 1 output 0 2-3, "
		   "query 2 output 0-1 3, query 3 output 0-2 (moved: ");
	probe_free(&r);
	fixture_free(&f);

	fixture_random(&f, 40, 40, 4, 4, "0");
	r = run(&f, &causal_only);
	assert_int_equal(r.check[PROBE_V].faults, 40 * 39 / 2);
	assert_has(r.check[PROBE_V].detail, "key 7 output 0-6, key 8 output 0-3, ...; outputs 0-38 (moved: ");
	probe_free(&r);
	fixture_free(&f);

	/* Four rows hide the cell by themselves, and are not named. */
	fixture_random(&f, 40, 40, 4, 4, "0");
	fixture_set(&f, "pad=5 pad-mask=off hide=0:5,7:5,8:5,39:5");
	r = run(&f, &pad);
	assert_int_equal(r.check[PROBE_V].faults, 36);
	assert_has(r.check[PROBE_V].detail, "key 5 moves output 1-6 9-34, ...; outputs 1-6 9-38 (moved: ");
	probe_free(&r);
	fixture_free(&f);
}

/* For who has many heads to go through: rows 0, 3 and 7, and outputs 0 and 7. */
static void fewer_rows(void **state)
{
	const struct probe_expect x = { .given = true, .causal = true, .rows_most = 3, .outputs_most = 2 };
	struct fixture f;
	(void)state;

	fixture_random(&f, 8, 8, 4, 4, "0");
	struct probe_report r = run(&f, &x);
	assert_int_equal(r.check[PROBE_UPPER_TRIANGLE].of, 7 + 4);
	assert_same(r.check[PROBE_UPPER_TRIANGLE].value, fixture_row(&f, 0)->weights[1]);
	assert_has(r.check[PROBE_UPPER_TRIANGLE].detail, "; 3 of 8 rows, spread");
	assert_has(r.check[PROBE_ROW_SUMS].detail, "all 3 rows sum to 1");
	assert_int_equal(r.check[PROBE_V].ok, ANSWER_NO);
	assert_has(r.check[PROBE_V].detail, "; 2 of 8 outputs, spread");
	probe_free(&r);
	fixture_free(&f);
}

static void report_of_the_lesson(void **state)
{
	struct told t = tell("random-4", "", NULL, VERIFY_TEXT, true);
	(void)state;

	assert_true(t.ok);
	assert_has(t.text.data, "ok    lesson");
	assert_has(t.text.data, "True");
	buffer_free(&t.text);

	t = tell("random-4", "causal=off", NULL, VERIFY_JSON, true);
	json_t *root = json_loads(t.text.data, 0, NULL);
	assert_non_null(root);
	assert_false(t.ok);
	assert_true(json_is_false(json_object_get(root, "ok")));
	json_t *check = json_array_get(json_object_get(root, "checks"), 0);
	assert_string_equal(json_string_value(json_object_get(check, "name")), "lesson");
	assert_true(json_is_false(json_object_get(check, "ok")));
	assert_has(json_string_value(json_object_get(check, "detail")), "224.7");
	json_decref(root);
	buffer_free(&t.text);
}

static void one_head_of_several_fails(void **state)
{
	static const double good[] = { 1, 0, 0.5, 0.5 }, leak[] = { 0.5, 0.5, 0.5, 0.5 };
	struct fixture f;
	struct error e = { 0 };
	struct buffer out = { 0 };
	bool ok = true;
	(void)state;

	fixture_init(&f);
	fixture_array(&f, ARRAY_WEIGHTS, 2, 2, good);
	fixture_array(&f, ARRAY_WEIGHTS, 2, 2, leak);
	fixture_array(&f, ARRAY_WEIGHTS, 2, 2, good);
	fixture_build(&f);
	struct verify_request request = {
		.problem = &f.problem, .options = &f.options, .scenario = &f.scenario, .tables = &f.tables,
		.expect = causal_only, .all_heads = true, .width = 200,
	};
	assert_int_equal(verify(&out, &ok, &request, &e), OK_STATUS);
	assert_false(ok);
	assert_has(out.data, "all 3 heads");
	assert_has(out.data, "head 1 (and 0 more of 3 alike): 1 of 1 cells");
	assert_has(out.data, "head 0 (and 2 more of 3 alike): all 2 rows sum to 1");
	buffer_free(&out);
	request.all_heads = false;
	assert_int_equal(verify(&out, &ok, &request, &e), OK_STATUS);
	assert_true(ok);
	assert_has(out.data, "head 0 of 3");
	buffer_free(&out);
	fixture_free(&f);
}

static void options_that_do_not_fit(void **state)
{
	struct fixture f;
	struct error e = { 0 };
	struct buffer out = { 0 };
	bool ok = true;
	(void)state;

	fixture_random(&f, 2, 2, 3, 3, "0");
	fixture_set(&f, "pad=9");
	fixture_build(&f);
	struct verify_request request = {
		.problem = &f.problem, .options = &f.options, .scenario = &f.scenario, .tables = &f.tables, .width = 80,
	};
	assert_int_equal(verify(&out, &ok, &request, &e), E_VALUE);
	assert_has(e.option, "pad");
	assert_true(ok);
	buffer_free(&out);
	fixture_free(&f);
}

/* ---- memory ---- */

enum work { WORK_RUN, WORK_LESSON, WORK_INFLUENCE, WORK_VERIFY, WORK_COUNT };

static enum status try_work(struct fixture *f, enum work w, struct error *e)
{
	struct probe_report r = { 0 };
	struct probe_lesson l = { 0 };
	struct buffer out = { 0 };
	const struct verify_request request = {
		.problem = &f->problem, .options = &f->options, .scenario = &f->scenario, .tables = &f->tables, .width = 80,
	};
	enum status s;
	bool moves[3], ok;

	switch (w) {
	case WORK_RUN:
		s = probe_run(&r, &f->attention, &as_set, &f->tables, e);
		assert_true(!s || !r.moved);
		probe_free(&r);
		return s;
	case WORK_LESSON:
		s = probe_lesson_run(&l, &f->attention, "0", 0, &f->tables, e);
		assert_true(!s || !l.before.v);
		probe_lesson_free(&l);
		return s;
	case WORK_INFLUENCE:
		return probe_influence(&f->attention, 1, &f->tables, moves, e);
	default:
		s = verify(&out, &ok, &request, e);
		buffer_free(&out);
		return s;
	}
}

static void each_allocation_fails(void **state)
{
	static const char *const settings[] = { "causal=on pad=2 fill=0", "softmax=column", "causal=on fill=0" };
	static const double scores[] = { 2, 1, 0.1, 1, 2, 0.1, 2, 1, 0.1 };
	struct fixture f;
	(void)state;

	for (int k = 0; k < 3; k++) {
		if (k < 2)
			fixture_random(&f, 3, 3, 2, 2, "0");
		else
			fixture_scores(&f, 3, 3, scores);
		fixture_set(&f, settings[k]);
		fixture_start(&f);
		for (int w = 0; w < WORK_COUNT; w++)
			for (size_t n = 1;; n++) {
				struct error e = { 0 };
				assert_true(n < 5000);
				alloc_fail(n);
				enum status s = try_work(&f, (enum work)w, &e);
				size_t asked = alloc_count();
				alloc_fail(0);
				if (asked < n) {
					assert_int_equal(s, OK_STATUS);
					assert_true(n > 3 || (w == WORK_LESSON && k == 2));
					break;
				}
				assert_int_equal(s, E_MEMORY);
				assert_true(e.text[0]);
			}
		fixture_free(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_mistake_has_its_signature),
		cmocka_unit_test(where_masks_are_right_all_bits_stay),
		cmocka_unit_test(every_bug_is_exposed_or_known_not_to_be),
		cmocka_unit_test(f16_fill_is_told_by_an_empty_row),
		cmocka_unit_test(renormalised_fails_where_a_hidden_score_dominates),
		cmocka_unit_test(names_the_pairs_that_leak),
		cmocka_unit_test(a_leak_shows_whatever_the_sign_of_the_noise),
		cmocka_unit_test(column_softmax_ties_every_query_to_every_other),
		cmocka_unit_test(pad_tokens_are_changed_together),
		cmocka_unit_test(expectations),
		cmocka_unit_test(expectations_of_a_screen),
		cmocka_unit_test(hidden_by_a_file),
		cmocka_unit_test(expect_is_parsed),
		cmocka_unit_test(more_keys_than_queries_and_fewer),
		cmocka_unit_test(the_wrong_alignment_leaks),
		cmocka_unit_test(given_scores),
		cmocka_unit_test(given_weights),
		cmocka_unit_test(one_token),
		cmocka_unit_test(rows_that_see_nothing),
		cmocka_unit_test(what_is_not_a_number),
		cmocka_unit_test(long_inputs),
		cmocka_unit_test(spread_rows_have_the_last),
		cmocka_unit_test(nothing_else_is_changed),
		cmocka_unit_test(moved),
		cmocka_unit_test(pieces_give_what_a_run_gives),
		cmocka_unit_test(cheap_checks_are_known_first),
		cmocka_unit_test(what_is_known_stays),
		cmocka_unit_test(progress_comes_from_the_work),
		cmocka_unit_test(probes_can_be_given_up_at_any_time),
		cmocka_unit_test(lesson_gives_numpys_numbers),
		cmocka_unit_test(lesson_continues_the_stream),
		cmocka_unit_test(lesson_knows_who_sees_the_last_key),
		cmocka_unit_test(lesson_needs_k_and_two_rows),
		cmocka_unit_test(influence_follows_the_mask),
		cmocka_unit_test(influence_of_given_weights),
		cmocka_unit_test(pictures_follow_from_the_mathematics),
		cmocka_unit_test(pictures_do_not_depend_on_the_window),
		cmocka_unit_test(every_row_sees_the_same_noise),
		cmocka_unit_test(what_is_known_of_a_picture_stays),
		cmocka_unit_test(rows_come_one_by_one_or_together),
		cmocka_unit_test(a_moved_window_keeps_what_is_known),
		cmocka_unit_test(windows_of_a_long_input),
		cmocka_unit_test(pictures_of_given_numbers),
		cmocka_unit_test(pictures_can_be_given_up_at_any_time),
		cmocka_unit_test(reports_of_the_scenarios),
		cmocka_unit_test(report_names_the_pairs),
		cmocka_unit_test(outputs_are_all_named),
		cmocka_unit_test(fewer_rows),
		cmocka_unit_test(report_of_the_lesson),
		cmocka_unit_test(one_head_of_several_fails),
		cmocka_unit_test(options_that_do_not_fit),
		cmocka_unit_test(each_allocation_fails),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
