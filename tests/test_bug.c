/* test_bug.c - the bug lab: every mistake is exposed by the lamps or the read-out
 * that it names, acts only where it says, and its texts fit and tell the truth.
 */
#include "tests/builtin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bug.h"
#include "core/clinic.h"
#include "core/probe.h"
#include "core/readout.h"
#include "tests/alloc.h"

/* ---- tools ---- */

static const struct bug *bug_of(const char *name)
{
	for (size_t k = 0; k < bugs_count; k++)
		if (!strcmp(bugs[k].name, name))
			return &bugs[k];
	fail_msg("there is no bug %s", name);
	return NULL;
}

static void use_bug(struct fixture *f, const char *name)
{
	char setting[64];

	snprintf(setting, sizeof setting, "bug=%s", name);
	fixture_set(f, setting);
}

/* The checks that are false: bits 1 << PROBE_*. */
static unsigned dark(struct fixture *f)
{
	static const struct probe_expect as_set;
	struct probe_report r;
	struct error e = { 0 };
	unsigned bits = 0;

	fixture_start(f);
	if (probe_run(&r, &f->attention, &as_set, &f->tables, &e))
		fail_msg("%s", e.text);
	for (int n = 0; n < PROBE_COUNT; n++)
		if (r.check[n].ok == ANSWER_NO)
			bits |= 1u << n;
	probe_free(&r);
	return bits;
}

static void assert_lamps(unsigned got, unsigned wanted, const char *bug, const char *where)
{
	if (got == wanted)
		return;
	for (int n = 0; n < PROBE_COUNT; n++)
		if ((got ^ wanted) >> n & 1)
			print_error("%s is %s\n", probe_name((enum probe_name)n), got >> n & 1 ? "false" : "not false");
	fail_msg("%s, %s: other lamps than it says", bug, where);
}

static struct readout readout_of(struct fixture *f)
{
	struct readout r;
	struct error e = { 0 };

	fixture_start(f);
	if (readout_compute(&r, &f->attention, &e))
		fail_msg("%s", e.text);
	return r;
}

static struct readout random_readout(size_t n, size_t d_k, size_t heads, const char *seed, const char *settings)
{
	struct fixture f;

	fixture_random(&f, n, n, d_k, d_k, seed);
	f.scenario.random.heads = heads;
	fixture_set(&f, settings);
	struct readout r = readout_of(&f);
	fixture_free(&f);
	return r;
}

static const char *const seeds[] = { "0", "1", "2", "3", "4" };
enum { SEEDS = sizeof seeds / sizeof *seeds };

/* ---- the lamps ---- */

/* What makes a bug act where the causal mask is on already. */
static const char *problem_for(const struct bug *b)
{
	return b->needs == BUG_NEEDS_PAD ? "causal=on pad=1" : "causal=on";
}

static void lamps_at(const struct bug *b, size_t n, size_t d_k, const char *seed)
{
	struct fixture f;
	char where[64];

	fixture_random(&f, n, n, d_k, d_k, seed);
	f.scenario.random.heads = b->needs == BUG_NEEDS_HEADS ? 4 : 1;
	fixture_set(&f, problem_for(b));
	unsigned before = dark(&f);
	use_bug(&f, b->name);
	snprintf(where, sizeof where, "n %zu, d_k %zu, seed %s", n, d_k, seed);
	assert_int_equal(before, 0);
	assert_lamps(dark(&f), b->lamps, b->name, where);
	fixture_free(&f);
}

static void exactly_these_lamps_go_out(void **state)
{
	static const size_t tokens[] = { 4, 6, 9 }, widths[] = { 8, 16 };
	(void)state;

	for (size_t k = 0; k < bugs_count; k++)
		for (size_t n = 0; n < 3; n++)
			for (size_t s = 0; s < SEEDS; s++) {
				if (bugs[k].needs == BUG_NEEDS_SQUARE)
					lamps_at(&bugs[k], tokens[n], tokens[n], seeds[s]);
				for (size_t d = 0; d < 2 && bugs[k].needs != BUG_NEEDS_SQUARE; d++)
					lamps_at(&bugs[k], tokens[n], widths[d], seeds[s]);
			}
	for (size_t d = 0; d < 2; d++)
		for (size_t s = 0; s < SEEDS; s++)
			lamps_at(bug_of("forgotten-transpose"), widths[d], widths[d], seeds[s]);
}

/* Padding without the causal mask shows pad-rows by the same lamps; what hides is
 * then judged by the pad columns and not by the triangle. */
static void the_same_lamps_under_padding_alone(void **state)
{
	struct fixture f;
	(void)state;

	for (size_t k = 0; k < bugs_count; k++) {
		const struct bug *b = &bugs[k];
		unsigned wanted = b->lamps;
		if (b->set[0].option == OPT_CAUSAL || b->needs == BUG_NEEDS_SQUARE || b->needs == BUG_NEEDS_HEADS)
			continue;	/* they bring the triangle, or need other shapes */
		if (wanted & 1u << PROBE_UPPER_TRIANGLE)
			wanted = (wanted & ~(1u << PROBE_UPPER_TRIANGLE)) | 1u << PROBE_PAD_COLUMNS;
		if (b->set[0].option == OPT_MASK_INVERT)
			wanted &= ~(1u << PROBE_ROW_SUMS | 1u << PROBE_EMPTY_ROWS);	/* rows see the pads */
		if (b->set[0].option == OPT_SOFTMAX)
			wanted &= ~(1u << PROBE_Q);	/* the pads' columns are 0/0, all outputs nan */
		fixture_random(&f, 5, 5, 8, 8, "3");
		fixture_set(&f, "pad=1,4");
		assert_int_equal(dark(&f), 0);
		use_bug(&f, b->name);
		assert_lamps(dark(&f), wanted, b->name, "padding alone");
		fixture_free(&f);
	}
}

static void each_is_seen_in_its_scenario(void **state)
{
	(void)state;

	for (size_t k = 0; k < bugs_count; k++) {
		struct fixture f;
		fixture_builtin(&f, bugs[k].scenario);
		unsigned before = dark(&f);
		use_bug(&f, bugs[k].name);
		assert_lamps(dark(&f) & ~before, bugs[k].lamps, bugs[k].name, bugs[k].scenario);
		fixture_free(&f);
	}
}

static void lamps_or_a_readout(void **state)
{
	(void)state;

	for (size_t k = 0; k < bugs_count; k++) {
		bool renormalised = !strcmp(bugs[k].name, "mask-after-renorm");
		assert_int_equal(!bugs[k].lamps && !bugs[k].readout, renormalised);
		assert_false(bugs[k].lamps && bugs[k].readout);
		assert_int_equal(bugs[k].lamps >> PROBE_COUNT, 0);
	}
}

/* ---- what a bug needs ---- */

static bool same_weights(struct fixture *a, struct fixture *b)
{
	bool same = true;

	for (size_t i = 0; i < a->scenario.random.n_q && same; i++) {
		const struct row *x = fixture_row(a, i), *y = fixture_row(b, i);
		for (size_t j = 0; j < a->scenario.random.n_k; j++)
			same &= near_number(x->weights[j], y->weights[j], 1e-12);
	}
	return same;
}

/* Whether a bug changes a weight of four random tokens. */
static bool acts(const struct bug *b, size_t d_k, size_t heads, const char *settings)
{
	struct fixture right, wrong;

	fixture_random(&right, 4, 4, d_k, 8, "0");
	fixture_random(&wrong, 4, 4, d_k, 8, "0");
	right.scenario.random.heads = wrong.scenario.random.heads = heads;
	fixture_set(&right, settings);
	fixture_set(&wrong, settings);
	use_bug(&wrong, b->name);
	bool same = same_weights(&right, &wrong);
	fixture_free(&right);
	fixture_free(&wrong);
	return !same;
}

static void without_its_need_a_bug_does_nothing(void **state)
{
	/* Settings with the need, and without. The right one of the f16 fill is in
	 * float16 as well. */
	static const struct { const char *with, *without; } settings[] = {
		[BUG_NEEDS_NOTHING] = { "", NULL },
		[BUG_NEEDS_HIDDEN] = { "causal=on", "" },
		[BUG_NEEDS_PAD] = { "pad=1", "causal=on" },
		[BUG_NEEDS_EMPTY_ROW] = { "causal=on pad=0 dtype=f16 fill=min", "causal=on dtype=f16 fill=min" },
		[BUG_NEEDS_D_K] = { "scale=none", NULL },
		[BUG_NEEDS_SCALE] = { "scale=sqrt", "scale=none" },
		[BUG_NEEDS_HEADS] = { "", NULL },
		[BUG_NEEDS_SQUARE] = { "", NULL },
	};
	(void)state;

	for (size_t k = 0; k < bugs_count; k++) {
		const struct bug *b = &bugs[k];
		const char *with = settings[b->needs].with, *without = settings[b->needs].without;
		/* In real numbers renormalising changes nothing; all others must. */
		bool shows = strcmp(b->name, "mask-after-renorm");
		size_t d_k = b->needs == BUG_NEEDS_SQUARE ? 4 : 8, heads = b->needs == BUG_NEEDS_HEADS ? 4 : 1;
		if (acts(b, d_k, heads, with) != shows)
			fail_msg("%s with its need: %s", b->name, with);
		if (without && acts(b, d_k, heads, without))
			fail_msg("%s without its need: %s", b->name, without);
	}
	assert_false(acts(bug_of("scale-dmodel"), 8, 1, ""));
	assert_true(acts(bug_of("scale-dmodel"), 8, 1, "d-model=32"));
}

static void other_shapes_are_refused_by_a_forgotten_transpose(void **state)
{
	struct error e = { 0 };
	struct fixture f;
	(void)state;

	fixture_random(&f, 4, 4, 8, 8, "0");
	use_bug(&f, "forgotten-transpose");
	assert_int_equal(fixture_try(&f, &e), E_SHAPE);
	fixture_free(&f);
}

static void scores_without_d_k_are_not_scaled(void **state)
{
	static const double scores[] = { 2, 1, 1, 2 };
	static const char *const names[] = { "no-scale", "scale-dk", "scaled-twice" };
	struct fixture f;
	(void)state;

	for (size_t k = 0; k < 3; k++) {
		fixture_scores(&f, 2, 2, scores);
		use_bug(&f, names[k]);
		assert_same(fixture_row(&f, 0)->scaled[0], 2);
		assert_true(bug_of(names[k])->needs == BUG_NEEDS_SCALE || bug_of(names[k])->needs == BUG_NEEDS_D_K);
		fixture_free(&f);
	}
}

/* ---- the spread ---- */

/* The standard deviation of c x is |c| times that of x, so that each of these bugs
 * changes the spread by exactly its factor, whatever the numbers are. */
static void a_wrong_scale_multiplies_the_spread(void **state)
{
	static const size_t tokens[] = { 4, 6, 9 }, widths[] = { 8, 16 };
	enum { HEADS = 4 };
	(void)state;

	for (size_t n = 0; n < 3; n++)
		for (size_t d = 0; d < 2; d++)
			for (size_t s = 0; s < SEEDS; s++) {
				double root = sqrt((double)widths[d]);
				const struct { const char *settings; double factor; } bug[] = {
					{ "causal=on bug=no-scale", root }, { "causal=on bug=scale-dk", 1 / root },
					{ "causal=on bug=scaled-twice", 1 / root },
					{ "causal=on bug=scale-dmodel", 1 / sqrt(HEADS) },
				};
				double right = random_readout(tokens[n], widths[d], HEADS, seeds[s],
							      "causal=on").spread;
				for (size_t k = 0; k < 4; k++) {
					double wrong = random_readout(tokens[n], widths[d], HEADS, seeds[s],
								      bug[k].settings).spread;
					assert_near(wrong / right, bug[k].factor, 1e-12 * bug[k].factor);
				}
			}
}

/* And the right spread is about 1. With N visible scores x_ij = q_i k_j / sqrt(d) of
 * standard normal q and k: any two of them are uncorrelated, so that the expected
 * square of the spread is 1 - 1/N. Of x^2 the variance is 2 + 6/d, and the
 * covariance of two that share their q or their k is 2/d. With n = 64 under the
 * causal mask N is 2080, and 174,720 ordered pairs share one: for d = 64 their mean
 * has the variance (2080 (2 + 6/64) + 174720 (2/64)) / 2080^2 = 0.0023, a standard
 * deviation of 0.048. The bounds are five of these. */
static void the_right_spread_is_about_1(void **state)
{
	(void)state;

	for (size_t s = 0; s < SEEDS; s++) {
		struct readout r = random_readout(64, 64, 1, seeds[s], "causal=on");
		assert_int_equal(r.scores, 2080);
		assert_near(r.spread * r.spread, 1 - 1 / 2080.0, 0.24);
		r = random_readout(64, 64, 1, seeds[s], "causal=on bug=no-scale");
		assert_true(r.spread > 8 * sqrt(0.75) && r.spread < 8 * sqrt(1.25));
		r = random_readout(64, 64, 1, seeds[s], "causal=on bug=scale-dk");
		assert_true(r.spread > sqrt(0.75) / 8 && r.spread < sqrt(1.25) / 8);
	}
}

static void the_scenarios_show_it(void **state)
{
	struct fixture f;
	(void)state;

	/* NumPy's mean of w.max(axis=-1), of the lesson's experiment with d_k 256. */
	fixture_builtin(&f, "saturation-16");
	struct readout r = readout_of(&f);
	assert_near(r.spread, 1, 0.1);
	assert_near(r.mean_largest, 0.2134466313941397, 1e-14);
	use_bug(&f, "no-scale");
	r = readout_of(&f);
	assert_near(r.spread, 16, 1.6);
	assert_near(r.mean_largest, 0.8801508771761319, 1e-14);
	assert_true(r.max_largest > 0.99 && r.max_largest <= 1);
	use_bug(&f, "scale-dk");
	assert_near(readout_of(&f).spread, 1 / 16.0, 0.1 / 16);
	/* Hardly above 1/16, an equal share. */
	assert_near(readout_of(&f).max_largest, 1 / 16.0, 0.015);
	fixture_free(&f);

	fixture_builtin(&f, "shapes-10");
	double right = readout_of(&f).spread;
	assert_near(right, 1, 0.25);
	use_bug(&f, "scale-dmodel");
	assert_near(readout_of(&f).spread, right / sqrt(8), 1e-12);
	fixture_free(&f);
}

/* ---- the others without a lamp ---- */

static void f16_fill_is_shown_by_the_empty_row_clinic(void **state)
{
	const struct clinic *c = clinic_find("empty-row");
	struct fixture f;
	(void)state;

	assert_non_null(c);
	assert_non_null(strstr(bug_of("f16-fill")->readout, c->name));
	assert_string_equal(bug_of("f16-fill")->scenario, c->scenario);
	fixture_builtin(&f, c->scenario);
	use_bug(&f, "f16-fill");
	for (size_t j = 0; j < 4; j++)
		assert_true(isnan(fixture_row(&f, 0)->weights[j]));
	assert_int_equal(readout_of(&f).empty_rows, 2);
	assert_int_equal(readout_of(&f).nan_rows, 2);
	/* What it was meant to be, and is in f32: -1e9 absorbs the scores. */
	fixture_set(&f, "bug=none fill=-1e9 fill-op=add dtype=f32");
	fixture_start(&f);
	for (size_t j = 0; j < 4; j++)
		assert_same(fixture_row(&f, 0)->weights[j], 0.25);
	/* What the text recommends. */
	fixture_set(&f, "fill=min fill-op=replace dtype=f16");
	fixture_start(&f);
	for (size_t j = 0; j < 4; j++)
		assert_same(fixture_row(&f, 0)->weights[j], 0.25);
	fixture_free(&f);
}

static void renormalised_is_right_but_where_a_hidden_score_dominates(void **state)
{
	static const double ordinary[] = { 2, 1, 0.1, 1, 2, 0.1, 2, 1, 0.1 };
	static const double dominant[] = { 0, 800, 0, 0, 1, 0, 0, 0, 0 };
	struct fixture f;
	(void)state;

	fixture_scores(&f, 3, 3, ordinary);
	fixture_set(&f, "causal=on bug=mask-after-renorm");
	assert_near(fixture_row(&f, 1)->weights[0], 1 / (1 + exp(1)), 1e-15);
	assert_near(fixture_row(&f, 1)->weights[1], exp(1) / (1 + exp(1)), 1e-15);
	assert_same(fixture_row(&f, 1)->weights[2], 0);
	fixture_free(&f);
	/* e^-800 is 0: the only visible weight of row 0 is 0, and 0/0 is nan. */
	fixture_scores(&f, 3, 3, dominant);
	fixture_set(&f, "causal=on bug=mask-after-renorm");
	assert_true(isnan(fixture_row(&f, 0)->weights[0]));
	fixture_free(&f);
}

/* ---- what the symptoms claim ---- */

/* Weights of causal-3 under a bug. */
static void check_row(const char *bug, size_t i, double a, double b, double c, double tolerance)
{
	struct fixture f;

	fixture_builtin(&f, "causal-3");
	use_bug(&f, bug);
	const struct row *r = fixture_row(&f, i);
	assert_near(r->weights[0], a, tolerance);
	assert_near(r->weights[1], b, tolerance);
	assert_near(r->weights[2], c, tolerance);
	fixture_free(&f);
}

static void symptoms_by_hand(void **state)
{
	const double e = exp(1), e2 = exp(2), t = exp(0.1);
	(void)state;

	/* e^2 / (e^2 + e + e^0.1) = 0.6590, (e + e^2) / ... = 0.9014 */
	check_row("mask-after-softmax", 0, e2 / (e2 + e + t), 0, 0, 1e-15);
	check_row("mask-after-softmax", 1, e / (e2 + e + t), e2 / (e2 + e + t), 0, 1e-15);
	/* 0.7870, 0.1065, 0.1065; 0.2447, 0.6652, 0.0900 */
	check_row("zero-fill", 0, e2 / (e2 + 2), 1 / (e2 + 2), 1 / (e2 + 2), 1e-15);
	check_row("zero-fill", 1, e / (e + e2 + 1), e2 / (e + e2 + 1), 1 / (e + e2 + 1), 1e-15);
	/* The same to eight digits, and the same. */
	check_row("tiny-fill", 0, e2 / (e2 + 2), 1 / (e2 + 2), 1 / (e2 + 2), 1e-9);
	check_row("multiply-mask", 0, e2 / (e2 + 2), 1 / (e2 + 2), 1 / (e2 + 2), 1e-15);
	/* The visible 2 is 3 now; the hidden 1 and 0.1 lose a factor of e. */
	check_row("add-mask", 0, e2 * e / (e2 * e + e + t), e / (e2 * e + e + t), t / (e2 * e + e + t), 1e-15);
	check_row("inverted-mask", 0, 0, e / (e + t), t / (e + t), 1e-15);
	check_row("inverted-mask", 2, NAN, NAN, NAN, 0);
	check_row("diagonal-hidden", 0, NAN, NAN, NAN, 0);
	check_row("diagonal-hidden", 2, e2 / (e2 + e), e / (e2 + e), 0, 1e-15);
	check_row("future-step", 0, e2 / (e2 + e), e / (e2 + e), 0, 1e-15);
	/* softmax of 1, 0, 0: no weight is more than e times another. */
	check_row("softmax-twice", 0, e / (e + 2), 1 / (e + 2), 1 / (e + 2), 1e-15);
}

static void columns_sum_to_1_and_rows_to_more_and_less(void **state)
{
	struct fixture f;
	(void)state;

	/* Scaled scores [[1, 1], [0, 1]]: columns e/(e+1), 1/(e+1) and 1/2, 1/2. */
	fixture_builtin(&f, "two-tokens");
	use_bug(&f, "column-softmax");
	assert_near(fixture_row(&f, 0)->sum, exp(1) / (exp(1) + 1) + 0.5, 1e-15);
	assert_near(fixture_row(&f, 1)->sum, 1 / (exp(1) + 1) + 0.5, 1e-15);
	fixture_free(&f);
}

static void dropout_leaves_0_or_a_ninth_more(void **state)
{
	size_t dropped = 0;
	struct fixture f;
	(void)state;

	fixture_builtin(&f, "ones-8");
	use_bug(&f, "dropout-on");
	for (size_t i = 0; i < 8; i++) {
		const struct row *r = fixture_row(&f, i);
		for (size_t j = 0; j <= i; j++) {
			dropped += r->weights[j] == 0;
			if (r->weights[j] != 0)
				assert_near(r->weights[j], (1 + 1 / 9.0) / (double)(i + 1), 1e-15);
		}
		assert_true(fabs(r->sum - 1) > 1e-3);
	}
	assert_true(dropped > 0);
	fixture_free(&f);
}

static void scaled_twice_is_scale_dk(void **state)
{
	struct fixture a, b;
	(void)state;

	fixture_random(&a, 4, 4, 8, 8, "0");
	fixture_random(&b, 4, 4, 8, 8, "0");
	use_bug(&a, "scaled-twice");
	use_bug(&b, "scale-dk");
	assert_true(same_weights(&a, &b));
	fixture_free(&a);
	fixture_free(&b);
}

/* ---- the texts ---- */

static bool is_ascii(const char *text, bool lines)
{
	for (const char *p = text; *p; p++)
		if ((*p < ' ' || *p > '~') && !(lines && *p == '\n'))
			return false;
	return true;
}

static bool is_sentence(const char *text)
{
	size_t n = strlen(text);

	return n > 20 && n <= 240 && is_ascii(text, false) && text[n - 1] == '.' && !strstr(text, "  ");
}

static void check_code(const struct bug *b)
{
	size_t lines = 1;

	for (const char *p = b->code; *p; p += strcspn(p, "\n")) {
		lines += *p == '\n';
		p += *p == '\n';
		if (strcspn(p, "\n") > 60)
			fail_msg("%s: '%.*s' is longer than 60 columns", b->name, (int)strcspn(p, "\n"), p);
		assert_true(strcspn(p, "\n") > 0);
	}
	assert_true(lines >= 1 && lines <= 3);
	assert_true(is_ascii(b->code, true));
	assert_null(strchr(b->code, '\t'));
}

static void every_field_is_filled(void **state)
{
	(void)state;

	for (size_t k = 0; k < bugs_count; k++) {
		const struct bug *b = &bugs[k];
		assert_true(b->name && *b->name && b->title && *b->title && b->set[0].value);
		check_code(b);
		if (!is_sentence(b->symptom) || !is_sentence(b->fix))
			fail_msg("%s: %zu bytes of symptom, %zu of fix", b->name, strlen(b->symptom), strlen(b->fix));
		assert_true(is_ascii(b->title, false) && is_ascii(b->name, false));
		if (b->readout)
			assert_true(*b->readout && strlen(b->readout) <= 100 && is_ascii(b->readout, false));
		assert_true((int)b->needs >= 0 && b->needs < BUG_NEEDS_COUNT);
		assert_true(*b->scenario != '\0');
	}
	for (int n = 0; n < BUG_NEEDS_COUNT; n++)
		assert_true(*bug_needs_text((enum bug_needs)n) && is_ascii(bug_needs_text((enum bug_needs)n), false));
}

/* ---- the read-outs ---- */

static void readouts_by_hand(void **state)
{
	static const double scores[] = { 2, 1, 0.1, 1, 2, 0.1, 2, 1, 0.1 };
	const double e = exp(1), e2 = exp(2), t = exp(0.1);
	struct fixture f;
	(void)state;

	/* Visible are 2; 1, 2; 2, 1, 0.1: mean 8.1 / 6, mean square 14.01 / 6. */
	fixture_scores(&f, 3, 3, scores);
	fixture_set(&f, "causal=on");
	struct readout r = readout_of(&f);
	assert_int_equal(r.rows, 3);
	assert_int_equal(r.of, 3);
	assert_int_equal(r.scores, 6);
	assert_near(r.spread, sqrt(14.01 / 6 - 1.35 * 1.35), 1e-15);
	assert_int_equal(r.empty_rows, 0);
	assert_int_equal(r.nan_rows, 0);
	assert_same(r.max_largest, 1);
	assert_near(r.mean_largest, (1 + e2 / (e + e2) + e2 / (e + e2 + t)) / 3, 1e-15);
	/* With key 0 padding row 0 is empty, and its nan counts for nothing. */
	fixture_set(&f, "pad=0");
	r = readout_of(&f);
	assert_int_equal(r.scores, 3);
	assert_int_equal(r.empty_rows, 1);
	assert_int_equal(r.nan_rows, 1);
	assert_near(r.mean_largest, (1 + e / (e + t)) / 2, 1e-15);
	/* Another policy fills the row; empty it stays. */
	fixture_set(&f, "empty-row=uniform");
	r = readout_of(&f);
	assert_int_equal(r.empty_rows, 1);
	assert_int_equal(r.nan_rows, 0);
	assert_near(r.mean_largest, (1 / 3.0 + 1 + e / (e + t)) / 3, 1e-15);
	fixture_set(&f, "pad=0-2 empty-row=literal");
	r = readout_of(&f);
	assert_int_equal(r.scores, 0);
	assert_int_equal(r.empty_rows, 3);
	assert_int_equal(r.nan_rows, 3);
	assert_true(isnan(r.spread) && isnan(r.mean_largest) && isnan(r.max_largest));
	fixture_free(&f);
}

static void readouts_of_odd_numbers(void **state)
{
	static const double infinite[] = { INFINITY, 0, 1, 2 }, weights[] = { 0.25, 0.75, -0.5, -0.25 };
	struct fixture f;
	(void)state;

	fixture_scores(&f, 2, 2, infinite);
	struct readout r = readout_of(&f);
	assert_true(isnan(r.spread));
	assert_int_equal(r.nan_rows, 1);
	fixture_set(&f, "hide=0:0");		/* hidden, it does not count */
	r = readout_of(&f);
	assert_near(r.spread, sqrt(2 / 3.0), 1e-15);
	fixture_free(&f);
	/* Finished weights have no scores. */
	fixture_init(&f);
	fixture_array(&f, ARRAY_WEIGHTS, 2, 2, weights);
	r = readout_of(&f);
	assert_int_equal(r.scores, 0);
	assert_true(isnan(r.spread));
	assert_same(r.max_largest, 0.75);
	assert_near(r.mean_largest, 0.25, 1e-15);
	fixture_free(&f);
	/* One equal score after another spreads by nothing. */
	fixture_builtin(&f, "ones-8");
	assert_same(readout_of(&f).spread, 0);
	fixture_free(&f);
}

static void long_inputs_are_sampled(void **state)
{
	(void)state;

	struct readout r = random_readout(256, 8, 1, "0", "");
	assert_int_equal(r.rows, 256);
	r = random_readout(1000, 8, 1, "0", "causal=on pad=0");
	assert_int_equal(r.rows, 256);
	assert_int_equal(r.of, 1000);
	assert_int_equal(r.empty_rows, 1);		/* the first row is among them */
	assert_near(r.spread, 1, 0.1);
	assert_true(r.scores > 1000);			/* and the last */
	/* 2^25 over 4000 keys of 20 + 80 * 8 multiply-adds each: 12 rows. */
	r = random_readout(4000, 8, 1, "0", "dtype=f16");
	assert_int_equal(r.rows, 12);
	assert_int_equal(r.scores, 12 * 4000);
	r = random_readout(4000, 64, 1, "0", "dtype=f16");
	assert_int_equal(r.rows, 8);
}

static void readouts_without_memory(void **state)
{
	struct fixture f;
	struct error e = { 0 };
	(void)state;

	fixture_random(&f, 4, 4, 8, 8, "0");
	fixture_start(&f);
	for (size_t n = 1; n <= 3; n++) {
		struct readout r = { .rows = 77 };
		alloc_fail(n);
		assert_int_equal(readout_compute(&r, &f.attention, &e), E_MEMORY);
		alloc_fail(0);
		assert_int_equal(r.rows, 77);
	}
	fixture_free(&f);
}

/* Two that set an option to different values leave one of them without effect. */
static void two_that_clash_are_refused(void **state)
{
	struct options o;
	struct error e;
	size_t refused = 0;
	(void)state;

	for (size_t a = 0; a < bugs_count; a++)
		for (size_t b = 0; b < bugs_count; b++) {
			char list[64];
			snprintf(list, sizeof list, "%s,%s", bugs[a].name, bugs[b].name);
			e = (struct error){ 0 };
			assert_int_equal(options_init(&o, &e), OK_STATUS);
			assert_int_equal(option_set(&o, OPT_BUG, list, &e), OK_STATUS);
			bool clash = bug_clash(&bugs[a], &bugs[b]) != OPT_COUNT;
			assert_int_equal(clash, bug_clash(&bugs[b], &bugs[a]) != OPT_COUNT);
			assert_int_equal(bug_apply(&o, &e), clash ? E_VALUE : OK_STATUS);
			refused += clash;
			options_free(&o);
		}
	/* Five fills (of which one in f16) each with each, two places of the mask, two
	 * diagonals, and three rules of scale; multiply-mask and zero-fill have one fill
	 * but two operations. */
	assert_int_equal(refused, 2 * (5 * 4 / 2 + 1 + 1 + 3 * 2 / 2));

	assert_int_equal(options_init(&o, &e), OK_STATUS);
	assert_int_equal(option_set(&o, OPT_BUG, "column-softmax,zero-fill,no-scale,tiny-fill", &e), OK_STATUS);
	assert_int_equal(bug_apply(&o, &e), E_VALUE);
	assert_non_null(strstr(e.text, "tiny-fill and zero-fill both set fill"));
	assert_int_equal(o.softmax, SOFTMAX_ROW);
	options_free(&o);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_that_clash_are_refused),
		cmocka_unit_test(every_field_is_filled),
		cmocka_unit_test(exactly_these_lamps_go_out),
		cmocka_unit_test(the_same_lamps_under_padding_alone),
		cmocka_unit_test(each_is_seen_in_its_scenario),
		cmocka_unit_test(lamps_or_a_readout),
		cmocka_unit_test(without_its_need_a_bug_does_nothing),
		cmocka_unit_test(other_shapes_are_refused_by_a_forgotten_transpose),
		cmocka_unit_test(scores_without_d_k_are_not_scaled),
		cmocka_unit_test(a_wrong_scale_multiplies_the_spread),
		cmocka_unit_test(the_right_spread_is_about_1),
		cmocka_unit_test(the_scenarios_show_it),
		cmocka_unit_test(f16_fill_is_shown_by_the_empty_row_clinic),
		cmocka_unit_test(renormalised_is_right_but_where_a_hidden_score_dominates),
		cmocka_unit_test(symptoms_by_hand),
		cmocka_unit_test(columns_sum_to_1_and_rows_to_more_and_less),
		cmocka_unit_test(dropout_leaves_0_or_a_ninth_more),
		cmocka_unit_test(scaled_twice_is_scale_dk),
		cmocka_unit_test(readouts_by_hand),
		cmocka_unit_test(readouts_of_odd_numbers),
		cmocka_unit_test(long_inputs_are_sampled),
		cmocka_unit_test(readouts_without_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
