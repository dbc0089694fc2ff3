/* test_mask.c - which rule hides which cell.
 *
 * Pictures are written as people draw them: a row a query, a character a key.
 *   .  visible       c causal  p pad  w window  d documents  m mask  h hide
 *   i  mask-invert   k kept (nothing else would hide it)
 * A cell that several rules hide is written as their letters in brackets; with
 * k among them it is shown all the same.
 */
#include "tests/fixture.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mask.h"

static char letter(int bit)
{
	return "cpwdmhik"[bit];
}

/* The picture of what mask_row says, rows separated by blanks. */
static void draw(const struct fixture *f, struct buffer *out)
{
	size_t n = f->problem.n_k;
	rules *r = calloc(n, sizeof *r);

	assert_non_null(r);
	for (size_t i = 0; i < f->problem.n_q; i++) {
		memset(r, 0xff, n * sizeof *r);		/* every cell has to be written */
		mask_row(&f->problem, &f->options, i, r);
		if (i)
			buffer_text(out, " ");
		for (size_t j = 0; j < n; j++) {
			bool several = (r[j] & (r[j] - 1)) != 0;
			if (!r[j])
				buffer_text(out, ".");
			if (several)
				buffer_text(out, "[");
			for (int b = 0; b < 8; b++)
				if (r[j] >> b & 1)
					buffer_format(out, "%c", letter(b));
			if (several)
				buffer_text(out, "]");
		}
	}
	free(r);
}

static void assert_picture(const struct fixture *f, const char *picture, const char *about)
{
	struct buffer got = { 0 };

	draw(f, &got);
	if (strcmp(got.data, picture))
		fail_msg("%s:\n%s\ninstead of\n%s", about, got.data, picture);
	buffer_free(&got);
}

/* ---- the rules and their combinations ---- */

static const struct { size_t n_q, n_k; const char *settings, *picture; } pictures[] = {
	{ 3, 3, "", "... ... ..." },
	{ 1, 1, "causal=on", "." },

	/* causal */
	{ 4, 4, "causal=on", ".ccc ..cc ...c ...." },
	{ 3, 3, "causal=on causal-offset=-1", "ccc .cc ..c" },
	{ 3, 3, "causal=on causal-offset=1", "..c ... ..." },
	{ 3, 3, "causal=on causal-offset=-5", "ccc ccc ccc" },
	{ 3, 3, "causal=on causal-offset=1000000000", "... ... ..." },
	{ 3, 3, "causal=on causal-offset=-1000000000", "ccc ccc ccc" },
	{ 3, 3, "causal-offset=-1 causal-align=bottom-right", "... ... ..." },	/* causal is off */
	{ 3, 5, "causal=on", ".cccc ..ccc ...cc" },
	{ 3, 5, "causal=on causal-align=bottom-right", "...cc ....c ....." },
	{ 5, 3, "causal=on", ".cc ..c ... ... ..." },
	{ 5, 3, "causal=on causal-align=bottom-right", "ccc ccc .cc ..c ..." },
	{ 2, 4, "causal=on causal-align=bottom-right causal-offset=-1", "..cc ...c" },
	{ 1, 4, "causal=on causal-align=bottom-right", "...." },
	{ 1, 4, "causal=on", ".ccc" },

	/* prefix: visible to all, whatever causal says; other rules still hide it */
	{ 4, 4, "causal=on prefix=2", "..cc ..cc ...c ...." },
	{ 3, 3, "causal=on prefix=9", "... ... ..." },
	{ 3, 3, "prefix=2", "... ... ..." },
	{ 3, 3, "causal=on prefix=2 pad=1", ".pc .pc .p." },
	{ 3, 4, "causal=on prefix=1 causal-offset=-2", ".ccc .ccc .ccc" },
	{ 4, 4, "causal=on prefix=1 window=2", ".ccc ..cc w..c ww.." },

	/* pad */
	{ 3, 3, "pad=1", ".p. .p. .p." },
	{ 3, 3, "pad=1 pad-mask=off", "... ... ..." },
	{ 3, 3, "pad=0-2", "ppp ppp ppp" },
	{ 3, 3, "pad=2 pad-axis=query", "... ... ppp" },
	{ 3, 3, "pad=2 pad-axis=both", "..p ..p ppp" },
	{ 3, 3, "pad=2 pad-axis=both pad-mask=off", "... ... ..." },
	{ 2, 4, "pad=3 pad-axis=query", ".... ...." },
	{ 4, 2, "pad=1 pad-axis=query", ".. pp .. .." },
	{ 4, 4, "causal=on pad=0,1", "p[cp]cc ppcc pp.c pp.." },
	{ 3, 3, "causal=on pad=2", ".c[cp] ..[cp] ..p" },

	/* window: keys back, self included, at the aligned position */
	{ 4, 4, "window=1", ".... w... ww.. www." },
	{ 4, 4, "causal=on window=1", ".ccc w.cc ww.c www." },
	{ 5, 5, "causal=on window=2", ".cccc ..ccc w..cc ww..c www.." },
	{ 3, 3, "window=3", "... ... ..." },
	{ 3, 3, "window=1000000000", "... ... ..." },
	{ 2, 6, "causal=on causal-align=bottom-right window=3", "ww...c www..." },
	{ 2, 6, "causal-align=bottom-right window=3", "ww.... www..." },
	{ 4, 2, "causal-align=bottom-right window=1", ".. .. .. w." },
	{ 5, 2, "window=2", ".. .. w. ww ww" },

	/* documents: id 0 is padding */
	{ 4, 4, "documents=1,1,2,2", "..dd ..dd dd.. dd.." },
	{ 4, 4, "documents=2,1,2,1", ".d.d d.d. .d.d d.d." },
	{ 3, 3, "documents=1,0,1", ".d. ddd .d." },
	{ 3, 3, "documents=0,0,0", "ddd ddd ddd" },
	{ 4, 4, "causal=on documents=1,1,2,2", ".c[cd][cd] ..[cd][cd] dd.c dd.." },
	{ 2, 4, "documents=1,1,2,2", "..dd ..dd" },
	{ 2, 4, "documents=1,1,2,2 causal-align=bottom-right", "dd.. dd.." },
	{ 3, 2, "documents=1,1", ".. .. dd" },				/* a query without a key of its own */

	/* single cells */
	{ 3, 3, "hide=0:1,2:0,2:2", ".h. ... h.h" },
	{ 3, 3, "causal=on hide=0:1", ".[ch]c ..c ..." },
	{ 3, 3, "keep=0:1", ".k. ... ..." },
	{ 3, 3, "causal=on keep=0:2", ".c[ck] ..c ..." },
	{ 3, 3, "causal=on pad=2 hide=0:2 keep=0:2", ".c[cphk] ..[cp] ..p" },

	/* the mistake: hidden and visible exchanged; keep is stronger */
	{ 3, 3, "causal=on mask-invert=on", "i.. ii. iii" },
	{ 3, 3, "mask-invert=on", "iii iii iii" },
	{ 3, 3, "causal=on pad=0 mask-invert=on", "... .i. .ii" },
	{ 3, 3, "causal=on mask-invert=on keep=2:2", "i.. ii. ii[ik]" },
};

static void every_picture(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof pictures / sizeof *pictures; k++) {
		struct fixture f;
		fixture_random(&f, pictures[k].n_q, pictures[k].n_k, 2, 2, "0");
		fixture_set(&f, pictures[k].settings);
		fixture_build(&f);
		assert_picture(&f, pictures[k].picture, pictures[k].settings);
		fixture_free(&f);
	}
}

static void what_kept_means(void **state)
{
	(void)state;
	assert_false(mask_hides(0));
	assert_false(mask_hides(RULE_KEPT));
	for (int b = 0; b < RULE_COUNT; b++) {
		assert_true(mask_hides((rules)(1 << b)));
		assert_false(mask_hides((rules)(1 << b | RULE_KEPT)));
	}
}

/* Each rule is called as the option that sets it. */
static void rules_are_named_as_options(void **state)
{
	(void)state;
	for (int b = 0; b < RULE_COUNT; b++) {
		assert_int_not_equal(option_find(mask_rule_name(b)), OPT_COUNT);
		for (int c = 0; c < b; c++)
			assert_string_not_equal(mask_rule_name(b), mask_rule_name(c));
	}
	assert_string_equal(mask_rule_name(0), "causal");
	assert_string_equal(mask_rule_name(6), "mask-invert");
}

static void positions(void **state)
{
	static const struct { size_t n_q, n_k; const char *settings; size_t i; long position; } cases[] = {
		{ 3, 3, "", 2, 2 }, { 2, 6, "", 1, 1 }, { 2, 6, "causal-align=bottom-right", 0, 4 },
		{ 2, 6, "causal-align=bottom-right", 1, 5 }, { 5, 2, "causal-align=bottom-right", 0, -3 },
	};

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct fixture f;
		fixture_random(&f, cases[k].n_q, cases[k].n_k, 2, 2, "0");
		fixture_set(&f, cases[k].settings);
		fixture_build(&f);
		assert_int_equal(mask_position(&f.problem, &f.options, cases[k].i), cases[k].position);
		fixture_free(&f);
	}
}

/* Switching one rule off shows what the others still hide. */
static void switching_one_off_leaves_the_others(void **state)
{
	static const char *const on[] = { "causal=on", "pad=1,3", "window=2", "documents=1,1,2,2,0", "hide=0:0,3:1,4:4" };
	static const char *const off[] = { "causal=off", "pad=none", "window=off", "documents=off", "hide=none" };
	static const rules bit[] = { RULE_CAUSAL, RULE_PAD, RULE_WINDOW, RULE_DOCUMENTS, RULE_HIDE };
	rules all[5][5], now[5];
	struct fixture f;

	(void)state;
	fixture_random(&f, 5, 5, 2, 2, "0");
	for (int k = 0; k < 5; k++)
		fixture_set(&f, on[k]);
	fixture_build(&f);
	for (size_t i = 0; i < 5; i++)
		mask_row(&f.problem, &f.options, i, all[i]);
	for (int k = 0; k < 5; k++) {
		fixture_set(&f, off[k]);
		for (size_t i = 0; i < 5; i++) {
			mask_row(&f.problem, &f.options, i, now);
			for (size_t j = 0; j < 5; j++)
				assert_int_equal(now[j], all[i][j] & ~bit[k]);
		}
		fixture_set(&f, on[k]);
	}
	fixture_free(&f);
}

/* ---- options against shapes ---- */

static void options_that_do_not_fit(void **state)
{
	static const struct { const char *settings, *option, *words; } bad[] = {
		{ "pad=3", "pad 3", "key 3 is outside 0..2" },
		{ "pad=0,9", "pad 0,9", "key 9 is outside 0..2" },
		{ "documents=1", "documents 1", "1 ids for 3 keys" },
		{ "documents=1,1,1,1", "documents 1,1,1,1", "4 ids for 3 keys" },
		{ "hide=2:0", "hide 2:0", "query row 2 is outside 0..1" },
		{ "hide=0:3", "hide 0:3", "key column 3 is outside 0..2" },
		{ "keep=5:0", "keep 5:0", "query row 5 is outside 0..1" },
		{ "keep=1:7", "keep 1:7", "key column 7 is outside 0..2" },
	};
	struct error e = { 0 };
	struct fixture f;

	(void)state;
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
		fixture_random(&f, 2, 3, 2, 2, "0");
		fixture_set(&f, bad[k].settings);
		fixture_build(&f);
		assert_int_equal(mask_check(&f.problem, &f.options, &e), E_VALUE);
		assert_string_equal(e.option, bad[k].option);
		if (!strstr(e.text, bad[k].words))
			fail_msg("'%s' lacks '%s'", e.text, bad[k].words);
		fixture_free(&f);
	}
	fixture_random(&f, 2, 3, 2, 2, "0");
	fixture_set(&f, "pad=2 documents=1,1,0 hide=1:2 keep=1:0 window=100 prefix=100 causal-offset=99");
	fixture_build(&f);
	assert_int_equal(mask_check(&f.problem, &f.options, &e), OK_STATUS);
	fixture_free(&f);
}

/* ---- masks from files ---- */

static void load(struct fixture *f, const char *settings, size_t rows, const double *v, char kind, const char *name)
{
	struct error e = { 0 };

	fixture_random(f, 3, 3, 2, 2, "0");
	fixture_set(f, settings);
	if (fixture_mask(f, rows, 3, v, kind, name, &e))
		fail_msg("%s", e.text);
}

static void every_shape_that_fits(void **state)
{
	static const double mask[] = { 1, 1, 0, 1, 0, 1, 0, 1, 1 };
	struct fixture f;

	(void)state;
	load(&f, "", 1, mask, 'i', "mask");
	assert_picture(&f, "..m ..m ..m", "(1, n_k)");
	fixture_free(&f);
	load(&f, "", 3, mask, 'i', "mask");
	assert_picture(&f, "..m .m. m..", "(n_q, n_k)");
	fixture_free(&f);
	load(&f, "causal=on pad=0", 3, mask, 'i', "mask");
	assert_picture(&f, "pc[cm] pmc [pm]..", "with other rules");
	fixture_free(&f);
}

static void other_shapes_leave_everything(void **state)
{
	static const size_t shape[][2] = { { 3, 1 }, { 1, 1 }, { 2, 3 }, { 4, 3 }, { 3, 4 }, { 1, 4 }, { 9, 1 }, { 0, 3 } };
	static const double keep[] = { 1, 1, 0 }, zeros[16] = { 0 };

	(void)state;
	for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
		struct fixture f;
		struct error e = { 0 };
		struct matrix bias = { 0 };
		char text[64], note[200];
		load(&f, "", 1, keep, 'i', "mask");
		memcpy(note, f.problem.mask_note, sizeof note);
		assert_int_equal(fixture_mask(&f, shape[k][0], shape[k][1], zeros, 'f', "mask", &e), E_SHAPE);
		snprintf(text, sizeof text, "mask (%zu, %zu) does not fit scores (3, 3)", shape[k][0], shape[k][1]);
		assert_non_null(strstr(e.text, text));
		assert_picture(&f, "..m ..m ..m", "the mask before");
		assert_string_equal(f.problem.mask_note, note);
		assert_int_equal(matrix_init(&bias, shape[k][0], shape[k][1], &e), OK_STATUS);
		assert_int_equal(bias_load(&f.problem, &bias, &e), E_SHAPE);
		assert_non_null(bias.v);
		assert_null(f.problem.bias.v);
		matrix_free(&bias);
		fixture_free(&f);
	}
}

/* What True means: the option, then the name; it is said either way. */
static void polarity_of_booleans(void **state)
{
	static const double mask[] = { 1, 1, 0 };
	static const char *const silent[] = { "causal_mask", "a", "m", "masks" };
	static const struct { const char *settings, *name; bool keeps; } cases[] = {
		{ "polarity=keep", "pad", true }, { "polarity=hide", "keep", false },
		{ "polarity=keep", "mask", true }, { "polarity=hide", "attention_mask", false },
		{ "", "attention_mask", true }, { "", "attn_mask", true }, { "", "mask", true }, { "", "Mask", true },
		{ "", "keep", true }, { "", "valid", true }, { "", "visible", true }, { "", "allowed", true }, { "", "Attention_Mask", true },
		{ "", "key_padding_mask", false }, { "", "src_key_padding_mask", false }, { "", "padding_mask", false },
		{ "", "pad", false }, { "", "triu", false }, { "", "hidden", false }, { "", "future", false },
		{ "", "invalid", false }, { "", "invisible", false }, { "", "disallowed", false },
	};

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct fixture f;
		load(&f, cases[k].settings, 1, mask, 'b', cases[k].name);
		assert_picture(&f, cases[k].keeps ? "..m ..m ..m" : "mm. mm. mm.", cases[k].name);
		assert_non_null(strstr(f.problem.mask_note, cases[k].keeps ? "True keeps" : "True hides"));
		assert_non_null(strstr(f.problem.mask_note, *cases[k].settings ? "as polarity says" : "assumed from its name"));
		fixture_free(&f);
	}
	for (size_t k = 0; k < sizeof silent / sizeof *silent; k++) {
		struct fixture f;
		load(&f, "", 1, mask, 'b', silent[k]);
		assert_picture(&f, "mm. mm. mm.", silent[k]);
		assert_string_equal(f.problem.mask_note, "mask: True hides (assumed; polarity changes it)");
		fixture_free(&f);
	}
}

static void integers_keep_where_they_are_not_zero(void **state)
{
	static const double flags[] = { 1, 0, 1 }, ids[] = { 2, 0, -1 };
	struct fixture f;

	(void)state;
	load(&f, "", 1, flags, 'i', "key_padding_mask");
	assert_picture(&f, ".m. .m. .m.", "flags");
	fixture_free(&f);
	load(&f, "", 1, ids, 'i', "mask");
	assert_picture(&f, ".m. .m. .m.", "ids");
	assert_non_null(strstr(f.problem.mask_note, "other than 0 and 1"));
	fixture_free(&f);
	load(&f, "polarity=hide", 1, flags, 'i', "mask");
	assert_picture(&f, "m.m m.m m.m", "hidden flags");
	fixture_free(&f);
}

static void additive_masks(void **state)
{
	static const double adds[] = { 0, -9999.999, -1e4, 1.5, -65504, -INFINITY, -DBL_MAX, -1e9, 1e9 };
	static const double biases[] = { 0, -9999.999, 0, 1.5, 0, 0, 0, 0, 1e9 };
	static const char *const settings[] = { "", "polarity=keep", "polarity=hide" };	/* about booleans only */

	(void)state;
	for (int s = 0; s < 3; s++) {
		struct fixture f;
		load(&f, settings[s], 3, adds, 'f', "mask");
		assert_picture(&f, "..m .mm mm.", "additive");
		assert_non_null(strstr(f.problem.mask_note, "additive"));
		for (size_t k = 0; k < 9; k++)
			assert_same(mask_bias(&f.problem, k / 3, k % 3), biases[k]);
		const struct row *r = fixture_row(&f, 0);
		assert_same(r->masked[1], r->scaled[1] + -9999.999);
		assert_same(r->masked[2], -INFINITY);
		fixture_free(&f);
	}
}

static void floats_of_zero_and_one(void **state)
{
	static const double tril[] = { 1, 0, 0, 1, 1, 0, 1, 1, 1 }, zeros[9] = { 0 }, row[] = { 1, 0, 1 };
	struct fixture f;

	(void)state;
	load(&f, "", 3, tril, 'f', "mask");
	assert_picture(&f, ".mm ..m ...", "tril");
	assert_non_null(strstr(f.problem.mask_note, "floats of only 0 and 1"));
	assert_same(mask_bias(&f.problem, 0, 0), 0);
	fixture_free(&f);
	load(&f, "", 1, row, 'f', "key_padding_mask");		/* keep flags, whatever the name */
	assert_picture(&f, ".m. .m. .m.", "row");
	fixture_free(&f);
	load(&f, "polarity=hide", 1, row, 'f', "mask");
	assert_picture(&f, "m.m m.m m.m", "row that hides");
	fixture_free(&f);
	/* An additive mask that hides nothing is all zeros. */
	load(&f, "", 3, zeros, 'f', "mask");
	assert_picture(&f, "... ... ...", "zeros");
	fixture_free(&f);
}

static void the_wrong_way_round_is_asked(void **state)
{
	static const double triu[] = { 0, 1, 1, 0, 0, 1, 0, 0, 0 }, tril[] = { 1, 0, 0, 1, 1, 0, 1, 1, 1 };
	struct fixture f;

	(void)state;
	load(&f, "polarity=keep", 3, triu, 'b', "mask");
	assert_non_null(strstr(f.problem.mask_note, "other way round"));
	fixture_free(&f);
	load(&f, "polarity=hide", 3, triu, 'b', "mask");
	assert_null(strstr(f.problem.mask_note, "other way round"));
	fixture_free(&f);
	load(&f, "polarity=hide", 3, tril, 'b', "mask");
	assert_non_null(strstr(f.problem.mask_note, "other way round"));
	fixture_free(&f);
	load(&f, "polarity=keep", 3, tril, 'b', "mask");
	assert_null(strstr(f.problem.mask_note, "other way round"));
	fixture_free(&f);
}

static void a_bias_hides_nothing(void **state)
{
	static const double adds[] = { -1e9, 0.5, 0 };
	struct matrix m = { 0 };
	struct error e = { 0 };
	struct fixture f;

	(void)state;
	fixture_random(&f, 3, 3, 2, 2, "0");
	fixture_set(&f, "causal=on");
	fixture_build(&f);
	assert_int_equal(matrix_init(&m, 1, 3, &e), OK_STATUS);
	memcpy(m.v, adds, sizeof adds);
	assert_int_equal(bias_load(&f.problem, &m, &e), OK_STATUS);
	assert_null(m.v);
	assert_picture(&f, ".cc ..c ...", "bias");
	for (size_t i = 0; i < 3; i++) {
		const struct row *r = fixture_row(&f, i);
		for (size_t j = 0; j <= i; j++)
			assert_same(r->masked[j], r->scaled[j] + adds[j]);
	}
	fixture_free(&f);
}

static void a_loaded_mask_gives_way_to_the_next(void **state)
{
	static const double one[] = { 1, 0, 0, 1, 1, 0, 1, 1, 1 }, other[] = { 0, 0, -INFINITY };
	struct error e = { 0 };
	struct fixture f;

	(void)state;
	load(&f, "", 3, one, 'b', "keep");
	assert_int_equal(fixture_mask(&f, 1, 3, other, 'f', "mask", &e), OK_STATUS);
	assert_picture(&f, "..m ..m ..m", "the second");
	assert_int_equal(fixture_mask(&f, 3, 3, one, 'b', "hide", &e), OK_STATUS);
	assert_picture(&f, "m.. mm. mmm", "the third");
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_picture),
		cmocka_unit_test(what_kept_means),
		cmocka_unit_test(rules_are_named_as_options),
		cmocka_unit_test(positions),
		cmocka_unit_test(switching_one_off_leaves_the_others),
		cmocka_unit_test(options_that_do_not_fit),
		cmocka_unit_test(every_shape_that_fits),
		cmocka_unit_test(other_shapes_leave_everything),
		cmocka_unit_test(polarity_of_booleans),
		cmocka_unit_test(integers_keep_where_they_are_not_zero),
		cmocka_unit_test(additive_masks),
		cmocka_unit_test(floats_of_zero_and_one),
		cmocka_unit_test(the_wrong_way_round_is_asked),
		cmocka_unit_test(a_bias_hides_nothing),
		cmocka_unit_test(a_loaded_mask_gives_way_to_the_next),
	};
	return cmocka_run_group_tests_name("mask", tests, NULL, NULL);
}
