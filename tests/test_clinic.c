/* test_clinic.c - the clinics: each treatment gives what mathematics and the
 * arithmetic of its number type give, worked out beside each table.
 *
 * The numbers are reference numbers of the lessons, values worked by hand, or
 * those of NumPy 1.24 in the same type.
 */
#include "tests/builtin.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clinic.h"
#include "tests/alloc.h"

/* ---- tools ---- */

static const struct clinic *clinic_of(const char *name)
{
	const struct clinic *c = clinic_find(name);

	if (!c)
		fail_msg("there is no clinic %s", name);
	return c;
}

static const struct clinic_variant *variant_of(const struct clinic *c, const char *name)
{
	for (size_t k = 0; k < c->variants_count; k++)
		if (!strcmp(c->variants[k].name, name))
			return &c->variants[k];
	fail_msg("%s has no variant '%s'", c->name, name);
	return NULL;
}

/* A clinic's problem under one of its variants; f->options are the scenario's own. */
static void treat(struct fixture *f, const struct clinic *c, const struct clinic_variant *v)
{
	struct error e = { 0 };

	fixture_builtin(f, c->scenario);
	fixture_build(f);
	if (clinic_attention(&f->attention, &f->problem, &f->options, v, &f->tables, &e))
		fail_msg("%s, %s: %s", c->name, v->name, e.text);
	assert_int_equal(row_init(&f->row, &f->attention, &e), OK_STATUS);
	f->started = true;
}

enum { KEYS = 5 };
struct expected { const char *variant; size_t row; double weights[KEYS], tolerance; };

static void check(const char *clinic, const struct expected *x)
{
	const struct clinic *c = clinic_of(clinic);
	struct fixture f;

	treat(&f, c, variant_of(c, x->variant));
	const struct row *r = fixture_row(&f, x->row);
	for (size_t j = 0; j < f.problem.n_k; j++)
		if (!near_number(r->weights[j], x->weights[j], x->tolerance))
			fail_msg("%s, %s, row %zu: weight %zu is %.17g instead of %.17g", clinic, x->variant, x->row, j,
				 r->weights[j], x->weights[j]);
	fixture_free(&f);
}

#define CHECK(clinic, list) \
	for (size_t k_ = 0; k_ < sizeof(list) / sizeof *(list); k_++) \
		check(clinic, &(list)[k_])

#define THIRD (1 / 3.0)
/* 1/3 in the narrow types: 0x1.555556p-2 and 0x1.554p-2. */
#define THIRD_F32 0x1.555556p-2
#define THIRD_F16 0x1.554p-2

/* ---- all clinics ---- */

static bool is_ascii(const char *text)
{
	for (const char *p = text; *p; p++)
		if (*p < ' ' || *p > '~')
			return false;
	return true;
}

static void the_table_is_complete(void **state)
{
	static const char *const names[] = {
		"empty-row", "all-pad", "overflow", "dtype-fill", "added-twice", "alignment", "polarity",
	};
	(void)state;

	assert_int_equal(clinics_count, sizeof names / sizeof *names);
	assert_null(clinic_find("no such clinic"));
	for (size_t k = 0; k < clinics_count; k++) {
		const struct clinic *c = &clinics[k];
		assert_string_equal(c->name, names[k]);
		assert_ptr_equal(clinic_find(c->name), c);
		assert_true(*c->title && strlen(c->title) <= 60 && is_ascii(c->title));
		if (strlen(c->look) < 40 || strlen(c->look) > 240 || !is_ascii(c->look) || strstr(c->look, "  "))
			fail_msg("%s: %zu bytes of what to look at", c->name, strlen(c->look));
		assert_true(c->look[strlen(c->look) - 1] == '.');
		assert_true(c->form == CLINIC_ROWS || c->form == CLINIC_PICTURES);
		assert_true(c->variants_count >= 2);
		for (size_t v = 0; v < c->variants_count; v++) {
			const char *name = c->variants[v].name;
			assert_true(*name && strlen(name) <= 24 && is_ascii(name));
			assert_non_null(c->variants[v].set[0].value);
			for (size_t w = 0; w < v; w++)
				assert_string_not_equal(name, c->variants[w].name);
		}
	}
}

static void every_variant_can_be_computed(void **state)
{
	(void)state;

	for (size_t k = 0; k < clinics_count; k++)
		for (size_t v = 0; v < clinics[k].variants_count; v++) {
			struct fixture f;
			treat(&f, &clinics[k], &clinics[k].variants[v]);
			assert_true(clinics[k].row < f.problem.n_q);
			assert_true(f.problem.n_k <= KEYS);
			for (size_t i = 0; i < f.problem.n_q; i++)
				fixture_row(&f, i);
			fixture_free(&f);
		}
}

/* Settings that say what is in force already are fine where they name it, but two
 * variants of a clinic with the same options are one too many. */
static void variants_differ(void **state)
{
	(void)state;

	for (size_t k = 0; k < clinics_count; k++)
		for (size_t v = 0; v < clinics[k].variants_count; v++)
			for (size_t w = 0; w < v; w++) {
				struct fixture a, b;
				treat(&a, &clinics[k], &clinics[k].variants[v]);
				treat(&b, &clinics[k], &clinics[k].variants[w]);
				assert_false(options_equal(&a.attention.options, &b.attention.options));
				fixture_free(&a);
				fixture_free(&b);
			}
}

static void a_variant_is_put_on_top_of_the_base(void **state)
{
	const struct clinic_variant *v = variant_of(clinic_of("alignment"), "top-left");
	struct options base, out;
	struct error e = { 0 };
	(void)state;

	assert_int_equal(options_init(&base, &e), OK_STATUS);
	options_from(&base, "causal-align=bottom-right pad=0,1 temperature=2");
	assert_int_equal(clinic_options(&out, &base, v, &e), OK_STATUS);
	options_from(&base, "causal-align=top-left causal=on");
	assert_true(options_equal(&out, &base));
	options_free(&out);
	options_free(&base);
}

static void without_memory_nothing_is_made(void **state)
{
	const struct clinic *c = clinic_of("polarity");
	const struct clinic_variant *v = &c->variants[3];
	struct fixture f;
	struct error e = { 0 };
	(void)state;

	fixture_builtin(&f, c->scenario);
	fixture_build(&f);
	alloc_fail(0);
	assert_int_equal(clinic_attention(&f.attention, &f.problem, &f.options, v, &f.tables, &e), OK_STATUS);
	size_t all = alloc_count();
	attention_free(&f.attention);
	assert_true(all > 0);
	for (size_t n = 1; n <= all; n++) {
		struct attention a = { .head = 77 };
		alloc_fail(n);
		assert_int_equal(clinic_attention(&a, &f.problem, &f.options, v, &f.tables, &e), E_MEMORY);
		alloc_fail(0);
		assert_int_equal(a.head, 77);
	}
	fixture_free(&f);
}

/* ---- rows without a visible key ---- */

/* left-pad-4: in row 0 and row 1 all four keys are hidden. The scaled scores of row 0
 * are 0.998, 1.445, -0.322 and 0.263. What is added is the same in all four:
 * in f64 a score near -1e9 is a multiple of 2^-23, so that the differences survive
 * but for 1e-7; in f32 and bf16 these steps are 64 and 2^22, all scores become equal,
 * and the shares are quarters; -1e9 in f16 is -inf, and 0/0 is nan. */
static void a_row_whose_keys_are_all_hidden(void **state)
{
	static const struct expected wanted[] = {
		{ "-inf, as it comes", 0, { NAN, NAN, NAN, NAN }, 0 },
		{ "-inf, row made 0", 0, { 0, 0, 0, 0 }, 0 },
		{ "-inf, row made 0", 1, { 0, 0, 0, 0 }, 0 },
		{ "-inf, row made uniform", 0, { 0.25, 0.25, 0.25, 0.25 }, 0 },
		{ "-1e9 replaces, f64", 0, { 0.25, 0.25, 0.25, 0.25 }, 0 },
		/* As with no mask at all. */
		{ "-1e9 added, f64", 0,
			{ 0.3020861138939717, 0.47243554838642804, 0.08067022515361413, 0.14480811256598614 }, 1e-7 },
		/* And in NumPy to the last digit. */
		{ "-1e9 added, f64", 0,
			{ 0.3020861106744515, 0.4724355442112156, 0.08067022682221221, 0.14480811829212065 }, 1e-14 },
		{ "-1e9 added, f64", 1,
			{ 0.3292904242129318, 0.06898027395828761, 0.24738912645882982, 0.35434017536995077 }, 1e-14 },
		{ "-1e9 added, f32", 0, { 0.25, 0.25, 0.25, 0.25 }, 0 },
		{ "-1e9 added, f16", 0, { NAN, NAN, NAN, NAN }, 0 },
		{ "-1e9 added, bf16", 0, { 0.25, 0.25, 0.25, 0.25 }, 0 },
	};
	(void)state;

	CHECK("empty-row", wanted);
}

/* Row 2 sees key 2 alone; row 3 keys 2 and 3, whose scores differ by 1.3188. */
static void rows_that_see_a_key_are_right_under_every_treatment(void **state)
{
	const struct clinic *c = clinic_of("empty-row");
	const double larger = 1 / (1 + exp(-1.3188097782));
	(void)state;

	for (size_t k = 0; k < c->variants_count; k++) {
		struct fixture f;
		treat(&f, c, &c->variants[k]);
		/* bf16 keeps 8 bits of the scores and of what they are made of. */
		double tolerance = f.attention.dtype == DTYPE_BF16 ? 1e-2
				 : f.attention.dtype == DTYPE_F16 ? 2e-3 : 1e-7;
		const double wanted[2][4] = { { 0, 0, 1, 0 }, { 0, 0, larger, 1 - larger } };
		for (size_t i = 2; i < 4; i++)
			for (size_t j = 0; j < 4; j++)
				assert_near(fixture_row(&f, i)->weights[j], wanted[i - 2][j], tolerance);
		for (size_t i = 0; i < 4; i++)
			assert_int_equal(fixture_row(&f, i)->verdict, i < 2 ? VERDICT_EMPTY : VERDICT_OK);
		fixture_free(&f);
	}
}

/* The lessons' scores 2, 1, 0.1, and the reference numbers for them. */
static void a_sentence_of_padding(void **state)
{
	static const struct expected wanted[] = {
		{ "-inf, as it comes", 0, { NAN, NAN, NAN }, 0 },
		{ "-inf, row made 0", 0, { 0, 0, 0 }, 0 },
		{ "-inf, row made uniform", 0, { THIRD, THIRD, THIRD }, 1e-16 },
		{ "-1e9 replaces, f64", 0, { THIRD, THIRD, THIRD }, 1e-16 },
		{ "-1e9 added, f64", 0, { 0.6590, 0.2424, 0.0986 }, 5e-5 },
		{ "-1e9 added, f64", 0, { 0.6590011373373192, 0.24243297013499795, 0.0985658925276829 }, 1e-14 },
		{ "-1e9 added, f64", 1, { 0.2424, 0.6590, 0.0986 }, 5e-5 },
		{ "-1e9 added, f32", 0, { THIRD_F32, THIRD_F32, THIRD_F32 }, 0 },
		{ "-1e9 added, f32", 2, { THIRD_F32, THIRD_F32, THIRD_F32 }, 0 },
		{ "-1e9 added, f16", 1, { NAN, NAN, NAN }, 0 },
		/* bf16 has 8 bits: 1/3 is 0x1.56p-2. */
		{ "-1e9 added, bf16", 0, { 0x1.56p-2, 0x1.56p-2, 0x1.56p-2 }, 0 },
	};
	struct fixture f;
	(void)state;

	CHECK("all-pad", wanted);
	fixture_builtin(&f, "all-pad-3");
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(fixture_row(&f, i)->verdict, VERDICT_EMPTY);
	fixture_free(&f);
}

/* ---- exp out of range ---- */

/* Each row is m, m-1, m-2, whose weights are 1, 1/e, 1/e^2 over their sum; but for
 * the last. exp overflows above log(65504) = 11.09 in f16, log(3.4028e38) = 88.72 in
 * f32, log(1.7977e308) = 709.78 in f64: inf/inf is nan, and finite/inf is 0.
 * f64, -710 to -712: exp gives numbers of fewer digits, still enough of them here.
 * f64, -744 and below: exp gives 2 and 1 of the smallest steps 4.94e-324, then 0;
 * their ratio is 2 to 1 rather than e to 1, and the sum is 1 all the same. In the
 * narrower types all three are 0, and 0/0 is nan.
 * 1e308 is inf in f32 and f16, and inf - inf is nan whatever is subtracted. */
static void scores_that_exp_cannot_hold(void **state)
{
#define RIGHT { 0.66524095577, 0.24472847105, 0.09003057317 }
	static const struct expected wanted[] = {
		{ "naive, f64", 0, RIGHT, 1e-11 },
		{ "naive, f64", 1, RIGHT, 1e-11 },
		{ "naive, f64", 2, { NAN, 0, 0 }, 0 },
		{ "naive, f64", 4, { 2 / 3.0, 1 / 3.0, 0 }, 0 },
		{ "naive, f64", 3, RIGHT, 1e-11 },
		{ "naive, f64", 5, { NAN, NAN, NAN }, 0 },
		{ "naive, f64", 6, { NAN, 0, 0 }, 0 },
		{ "naive, f32", 0, RIGHT, 1e-7 },
		{ "naive, f32", 1, { NAN, 0, 0 }, 0 },
		{ "naive, f32", 2, { NAN, NAN, NAN }, 0 },
		{ "naive, f32", 4, { NAN, NAN, NAN }, 0 },
		{ "naive, f32", 3, { NAN, NAN, NAN }, 0 },
		{ "naive, f32", 5, { NAN, NAN, NAN }, 0 },
		{ "naive, f32", 6, { NAN, 0, 0 }, 0 },
		{ "naive, f16", 0, { NAN, 0, 0 }, 0 },
		{ "naive, f16", 1, { NAN, NAN, NAN }, 0 },
		{ "naive, f16", 2, { NAN, NAN, NAN }, 0 },
		{ "naive, f16", 4, { NAN, NAN, NAN }, 0 },
		{ "naive, f16", 6, { NAN, 0, 0 }, 0 },
		{ "stable, f64", 0, RIGHT, 1e-11 },
		{ "stable, f64", 1, RIGHT, 1e-11 },
		{ "stable, f64", 2, RIGHT, 1e-11 },
		{ "stable, f64", 4, RIGHT, 1e-11 },
		{ "stable, f64", 3, RIGHT, 1e-11 },
		{ "stable, f64", 5, RIGHT, 1e-11 },
		{ "stable, f64", 6, { 1, 0, 0 }, 0 },
		{ "stable, f32", 1, RIGHT, 1e-7 },
		{ "stable, f32", 2, RIGHT, 1e-7 },
		{ "stable, f32", 4, RIGHT, 1e-7 },
		{ "stable, f32", 6, { NAN, NAN, NAN }, 0 },
		{ "stable, f16", 0, RIGHT, 5e-4 },
		{ "stable, f16", 2, RIGHT, 5e-4 },
		{ "stable, f16", 4, RIGHT, 5e-4 },
		{ "stable, f16", 6, { NAN, NAN, NAN }, 0 },
	};
	struct fixture f;
	(void)state;

	CHECK("overflow", wanted);
	assert_true(exp(12) > 65504 && exp(11) < 65504 && exp(89) > FLT_MAX && exp(88) < FLT_MAX);
	assert_true(isinf(exp(710)) && isfinite(exp(709)));
	/* Wrong, and nothing says so. */
	treat(&f, clinic_of("overflow"), variant_of(clinic_of("overflow"), "naive, f64"));
	assert_same(fixture_row(&f, 4)->sum, 1);
	assert_int_equal(fixture_row(&f, 4)->verdict, VERDICT_OK);
	fixture_free(&f);
#undef RIGHT
}

/* ---- fills in narrow types ---- */

/* low-scores-3, row 0: scores 2, 1, -20, all hidden.
 * f16: -1e9, and the lowest f32, are -inf: nan. Near -65504 its steps are 32: 2 and 1
 * vanish, -20 goes beyond half a step and overflows to -inf: 1/2, 1/2, 0. Near -1e4
 * they are 8: -9998 and -9999 become -10000, -10020 lies between -10016 and -10024
 * and goes to the even one, -10016: e^-16 is two of the smallest steps 2^-24, and
 * half of that is one.
 * f32: near -1e4 its steps are 2^-10, nothing is lost, and the mask does nothing:
 * 1/(1 + 1/e + e^-22); near its lowest they are 2^104: thirds. */
static void fills_in_narrow_types(void **state)
{
	static const struct expected wanted[] = {
		{ "-1e9 replaces, f16", 0, { NAN, NAN, NAN }, 0 },
		{ "-1e9 added, f16", 0, { NAN, NAN, NAN }, 0 },
		{ "lowest f32 added, f16", 0, { NAN, NAN, NAN }, 0 },
		{ "lowest f16 added, f16", 0, { 0.5, 0.5, 0 }, 0 },
		{ "lowest f16 replaces, f16", 0, { THIRD_F16, THIRD_F16, THIRD_F16 }, 0 },
		{ "-1e4 added, f16", 0, { 0.5, 0.5, 0x1p-24 }, 0 },
		{ "-1e4 added, f32", 0, { 0.73105857848, 0.26894142130, 2.0392647e-10 }, 1e-7 },
		{ "lowest f32 added, f32", 0, { THIRD_F32, THIRD_F32, THIRD_F32 }, 0 },
	};
	const struct clinic *c = clinic_of("dtype-fill");
	(void)state;

	CHECK("dtype-fill", wanted);
	/* Row 1 sees key 1; row 2 keys 1 and 2, which differ by 21: e^-21 is 7.6e-10. */
	for (size_t k = 0; k < c->variants_count; k++) {
		const struct expected other[] = {
			{ c->variants[k].name, 1, { 0, 1, 0 }, 0 },
			{ c->variants[k].name, 2, { 0, 1, 7.6e-10 }, 1e-9 },
		};
		CHECK("dtype-fill", other);
	}
}

/* masked-twice-3: the scores hold the lowest f32 number, m = -3.4e38, above the
 * diagonal; keys 0 and 1 are padding. Row 0 is 2, m, m and row 1 is 1, 2, m.
 * m added, f32: 2 + m = m, m + m = -inf, m: 1/2, 0, 1/2. f64 has room for 2m, and
 * e^(2m - m) is 0 as well. m written: m, m, m. -1e9 added: -1e9 is far above m, and
 * m - 1e9 = m: the pads get all of it. -inf written: only key 2, the future, is left. */
static void two_masks_one_after_the_other(void **state)
{
	static const struct expected wanted[] = {
		{ "lowest added, f32", 0, { 0.5, 0, 0.5 }, 0 },
		{ "lowest added, f32", 1, { THIRD_F32, THIRD_F32, THIRD_F32 }, 0 },
		{ "lowest f32 added, f64", 0, { 0.5, 0, 0.5 }, 0 },
		{ "lowest f32 added, f64", 1, { THIRD, THIRD, THIRD }, 1e-16 },
		{ "lowest replaces, f32", 0, { THIRD_F32, THIRD_F32, THIRD_F32 }, 0 },
		{ "-1e9 added, f32", 0, { 1, 0, 0 }, 0 },
		{ "-1e9 added, f32", 1, { 0.5, 0.5, 0 }, 0 },
		{ "-inf replaces, f32", 0, { 0, 0, 1 }, 0 },
		{ "-inf replaces, f32", 1, { 0, 0, 1 }, 0 },
	};
	const struct clinic *c = clinic_of("added-twice");
	struct fixture f;
	(void)state;

	CHECK("added-twice", wanted);
	treat(&f, c, variant_of(c, "lowest added, f32"));
	const struct row *r = fixture_row(&f, 0);
	assert_same(r->masked[0], -(double)FLT_MAX);
	assert_same(r->masked[1], -INFINITY);
	assert_same(r->masked[2], -(double)FLT_MAX);
	fixture_free(&f);
	/* Row 2 sees itself alone. */
	for (size_t k = 0; k < c->variants_count; k++) {
		const struct expected last = { c->variants[k].name, 2, { 0, 0, 1 }, 0 };
		check("added-twice", &last);
	}
}

/* ---- which cells ---- */

/* Equal scores: a row shares evenly what it sees. */
static void corners(void **state)
{
	static const struct expected wanted[] = {
		{ "top-left", 0, { 1, 0, 0, 0, 0 }, 0 },
		{ "top-left", 1, { 0.5, 0.5, 0, 0, 0 }, 0 },
		{ "top-left", 2, { THIRD, THIRD, THIRD, 0, 0 }, 1e-16 },
		{ "bottom-right", 0, { THIRD, THIRD, THIRD, 0, 0 }, 1e-16 },
		{ "bottom-right", 1, { 0.25, 0.25, 0.25, 0.25, 0 }, 0 },
		{ "bottom-right", 2, { 0.2, 0.2, 0.2, 0.2, 0.2 }, 1e-16 },
	};
	struct fixture f;
	(void)state;

	CHECK("alignment", wanted);
	/* As it opens it is right: the last query sees every key. */
	fixture_builtin(&f, "cached-3x5");
	assert_int_equal(fixture_row(&f, 2)->visible, 5);
	fixture_free(&f);
}

/* causal-3: scores 2, 1, 0.1; 1, 2, 0.1; 2, 1, 0.1; key 2 is the padding. Read the
 * wrong way, row 0 sees keys 1 and 2, 1/(1 + e^-0.9), row 1 key 2, row 2 nothing; and
 * of the padding every row sees that alone. */
static void both_readings_of_true(void **state)
{
	static const struct expected wanted[] = {
		{ "causal, True hides", 0, { 1, 0, 0 }, 0 },
		{ "causal, True hides", 1, { 0.2689, 0.7311, 0 }, 5e-5 },
		{ "causal, True hides", 2, { 0.6590, 0.2424, 0.0986 }, 5e-5 },
		{ "causal, True keeps", 0, { 0, 0.7109495026, 0.2890504974 }, 1e-10 },
		{ "causal, True keeps", 1, { 0, 0, 1 }, 0 },
		{ "causal, True keeps", 2, { NAN, NAN, NAN }, 0 },
		{ "padding, True hides", 0, { 0.7311, 0.2689, 0 }, 5e-5 },
		{ "padding, True hides", 1, { 0.2689, 0.7311, 0 }, 5e-5 },
		{ "padding, True hides", 2, { 0.7311, 0.2689, 0 }, 5e-5 },
		{ "padding, True keeps", 0, { 0, 0, 1 }, 0 },
		{ "padding, True keeps", 2, { 0, 0, 1 }, 0 },
	};
	(void)state;

	CHECK("polarity", wanted);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_complete),
		cmocka_unit_test(every_variant_can_be_computed),
		cmocka_unit_test(variants_differ),
		cmocka_unit_test(a_variant_is_put_on_top_of_the_base),
		cmocka_unit_test(without_memory_nothing_is_made),
		cmocka_unit_test(a_row_whose_keys_are_all_hidden),
		cmocka_unit_test(rows_that_see_a_key_are_right_under_every_treatment),
		cmocka_unit_test(a_sentence_of_padding),
		cmocka_unit_test(scores_that_exp_cannot_hold),
		cmocka_unit_test(fills_in_narrow_types),
		cmocka_unit_test(two_masks_one_after_the_other),
		cmocka_unit_test(corners),
		cmocka_unit_test(both_readings_of_true),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
