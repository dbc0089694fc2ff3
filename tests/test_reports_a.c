/* test_reports_a.c - public reports of wrong attention: area a, the arithmetic.
 *
 * tests/data/reports.json has the reports with inputs and right answers. Each
 * line of the table is one of their inputs; a text that begins with @ is a
 * matrix among the report's own values. Where a report expects weights 0 for a
 * fully masked row that is `empty-row zero`; that the default shows nan there,
 * and flags the row in either case, is checked beside it.
 *
 * Where the design decides otherwise than a report:
 *   A40  its ids begin with 0, which here is padding (as in A41): one more each
 *   A41  an integer mask is read as keep flags and its note says so
 * What of the reports is not arithmetic, and so not here:
 *   A02  "all scores <= -1e4" is said on the screen, from the scores it has
 *   A03  a mean over heads is a picture of all heads; one mask serves all heads of
 *        a file, so the masked head is hidden by the option hide
 *   A11, A17, A35, A37  the alignment, the sense of the mask, the scale and the
 *        window on the screen and in exports
 *   A20  equal exports: equal rules and weights are what an export is made from
 *   A24  the exit code, and that the old mask stays: loading happens in the program
 *   A46  the hint that an input looks like finished weights
 */
#include "tests/fixture.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grid.h"
#include "core/io/npy.h"
#include "core/number.h"

/* ---- the reports ---- */

static int open_reports(void **state)
{
	const char *root = getenv("QKV_TEST_DATA");
	char path[4096];

	snprintf(path, sizeof path, "%s/reports.json", root ? root : "tests/data");
	*state = json_load_file(path, 0, NULL);
	return *state ? 0 : -1;
}

static int close_reports(void **state)
{
	json_decref(*state);
	return 0;
}

static json_t *report(void **state, const char *id)
{
	json_t *r;
	size_t k;

	json_array_foreach(json_object_get(*state, "reports"), k, r)
		if (!strcmp(json_string_value(json_object_get(r, "id")), id))
			return r;
	fail_msg("there is no report %s", id);
	return NULL;
}

/* ---- matrices ---- */

enum { CELLS = 160 };
struct numbers { size_t rows, columns; double v[CELLS]; };

/* A list of rows, or one row. */
static struct numbers from_json(json_t *value)
{
	struct numbers m = { 0 };
	bool rows = json_is_array(json_array_get(value, 0));
	size_t at = 0;

	m.rows = rows ? json_array_size(value) : 1;
	m.columns = json_array_size(rows ? json_array_get(value, 0) : value);
	assert_in_range(m.rows * m.columns, 1, CELLS);
	for (size_t i = 0; i < m.rows; i++)
		for (size_t j = 0; j < m.columns; j++) {
			json_t *x = json_array_get(rows ? json_array_get(value, i) : value, j);
			assert_true(json_is_number(x));
			m.v[at++] = json_number_value(x);
		}
	return m;
}

/* "1 2 3/4 5 6"; "zeros 2x6"; "@S" of the report. */
static struct numbers matrix_from(json_t *r, const char *text)
{
	struct numbers m = { 0 };
	size_t at = 0;

	if (*text == '@') {
		json_t *value = json_object_get(json_object_get(r, "values"), text + 1);
		assert_non_null(value);
		return from_json(value);
	}
	if (sscanf(text, "zeros %zux%zu", &m.rows, &m.columns) == 2)
		return m;
	while (*text) {
		size_t n = strcspn(text, " /");
		double x = 0;
		assert_true(at < CELLS && number_parse(text, n, &x));
		m.v[at++] = x;
		text += n;
		m.rows += *text == '/' || !*text;
		text += *text != '\0';
	}
	m.columns = at / m.rows;
	assert_int_equal(m.rows * m.columns, at);
	return m;
}

/* ---- the table ---- */

struct check {
	const char *id, *scores, *settings;
	/* 'b' boolean, 'i' integer, 'f' float, 'a' the option bias; NULL: none */
	const char *mask;		/* the kind, then the matrix */
	const char *keep;		/* cells that may be attended to; NULL: all */
	const char *weights;		/* "=": equal among those */
	double tolerance;		/* 0: 2e-6 for texts, 2e-9 for the report's values */
	size_t d_k;
	const char *note;		/* part of what is said about the mask */
};

#define CAUSAL3 "1 0 0/1 1 0/1 1 1"
#define CAUSAL4 "1 0 0 0/1 1 0 0/1 1 1 0/1 1 1 1"
#define THIRD "0.333333 0.333333 0.333333"
#define BR "causal=on causal-align=bottom-right"

static const struct check checks[] = {
	/* fully masked rows */
	{ "A01", "@S", "polarity=keep", "b@keep", "@keep", "@W", 0, 0, NULL },
	{ "A02", "@S", "", "i0 0 0", "@keep", "@W", 0, 0, NULL },
	{ "A02", "@S", "", "f-inf -inf -inf", "@keep", "@W", 0, 0, NULL },
	{ "A02", "@S", "", "f-1e9 -1e9 -1e9", "@keep", "@W", 0, 0, "additive" },
	{ "A02", "@S", "fill=-1e9 empty-row=literal", "i0 0 0", "@keep", "@naive_fill", 0, 0, NULL },
	{ "A02", "-1e9 -1e9 -1e9", "", NULL, NULL, "@naive_fill", 0, 0, NULL },
	{ "A02", "@S", "fill=-1e9 fill-op=add score-dtype=f32 empty-row=literal", "i0 0 0", "@keep", "@naive_add_f32", 2e-8, 0, NULL },
	{ "A02", "@S", "fill=-1e9 fill-op=add empty-row=literal", "i0 0 0", "@keep", "@naive_add_f64", 2e-8, 0, NULL },
	{ "A04", "@S", "", "i@keep", "@keep", "@W", 0, 0, NULL },
	{ "A04", "@S", "", NULL, NULL, "=", 0, 0, NULL },
	{ "A05", "zeros 12x12", "causal=on window=3 pad=3-11", NULL, "@keep", "=", 0, 0, NULL },
	{ "A06", "@S", "causal=on pad=0,1", NULL, "@keep", "@W", 0, 0, NULL },
	{ "A07", "0.5 1 2 9 9/1 0 2 9 9/3 1 2 9 9/9 9 9 9 9/9 9 9 9 9", "causal=on pad=3,4", NULL,
		"1 0 0 0 0/1 1 0 0 0/1 1 1 0 0/1 1 1 0 0/1 1 1 0 0",
		"1 0 0 0 0/0.731059 0.268941 0 0 0/0.665241 0.090031 0.244728 0 0/" THIRD " 0 0/" THIRD " 0 0", 0, 0, NULL },
	{ "A07", "9 9 9 9 9/9 9 9 9 9/9 9 0.5 1 2/9 9 1 0 2/9 9 3 1 2", "causal=on pad=0,1", NULL,
		"0 0 0 0 0/0 0 0 0 0/0 0 1 0 0/0 0 1 1 0/0 0 1 1 1",
		"0 0 0 0 0/0 0 0 0 0/0 0 1 0 0/0 0 0.731059 0.268941 0/0 0 0.665241 0.090031 0.244728", 0, 0, NULL },
	/* padding */
	{ "A08", "@S", "pad=3", NULL, "@keep", "@W", 0, 0, NULL },
	{ "A09", "zeros 4x4", "causal=on", "i1 1 0 0", "@keep", "@W", 0, 0, NULL },
	{ "A09", "zeros 4x4", "causal=on pad=2,3", NULL, "@keep", "@W", 0, 0, NULL },
	{ "A09", "zeros 4x4", "causal=on pad=2,3 pad-axis=query", NULL, "@keep_if_4x1", "=", 0, 0, NULL },
	{ "A10", "zeros 5x5", "pad=3,4", NULL, NULL, "@W_keys_only", 0, 0, NULL },
	{ "A10", "zeros 5x5", "pad=3,4 pad-axis=both", NULL, "1 1 1 0 0/1 1 1 0 0/1 1 1 0 0/0 0 0 0 0/0 0 0 0 0", "=", 0, 0, NULL },
	/* alignment */
	{ "A11", "zeros 2x6", "causal=on", NULL, "@TL", "=", 0, 0, NULL },
	{ "A11", "zeros 2x6", BR, NULL, "@BR", "=", 0, 0, NULL },
	{ "A12", "zeros 5x2", BR, NULL, "@BR", "@W", 0, 0, NULL },
	{ "A13", "zeros 4x2", BR, NULL, "@BR_4x2", "=", 0, 0, NULL },
	{ "A13", "zeros 2x4", BR, NULL, "@BR_2x4", "=", 0, 0, NULL },
	{ "A13", "zeros 4x2", "causal=on", NULL, "@TL_4x2", "=", 0, 0, NULL },
	{ "A13", "zeros 2x4", "causal=on", NULL, "@TL_2x4", "=", 0, 0, NULL },
	{ "A14", "zeros 3x5", "causal=on", NULL, "@TL", "=", 0, 0, NULL },
	{ "A14", "zeros 3x5", BR, NULL, "@BR", "=", 0, 0, NULL },
	{ "A14", "zeros 3x3", "causal=on", NULL, CAUSAL3, "=", 0, 0, NULL },
	{ "A14", "zeros 3x3", BR, NULL, CAUSAL3, "=", 0, 0, NULL },
	{ "A15", "zeros 1x4", BR, NULL, "@BR", "=", 0, 0, NULL },
	{ "A15", "zeros 1x4", "causal=on", NULL, "@TL", "=", 0, 0, NULL },
	/* the diagonal */
	{ "A16", "zeros 3x3", "causal=on", NULL, "@keep", "@W", 0, 0, NULL },
	{ "A16", "zeros 3x3", "causal=on causal-offset=-1", NULL, "0 0 0/1 0 0/1 1 0", "=", 0, 0, NULL },
	{ "A17", "zeros 4x4", "causal=on", NULL, CAUSAL4, "=", 0, 0, NULL },
	/* polarity */
	{ "A18", "zeros 3x3", "polarity=hide", "b@mask", CAUSAL3, "@W_drop", 0, 0, "True hides" },
	{ "A18", "zeros 3x3", "polarity=keep", "b@mask", "0 1 1/0 0 1/0 0 0", "@W_keep", 0, 0, "other way round" },
	{ "A19", "zeros 1x4", "", "i1 1 1 1", "1 1 1 1", "=", 0, 0, NULL },
	{ "A19", "zeros 1x4", "", "i1 1 1 0", "1 1 1 0", "=", 0, 0, NULL },
	{ "A19", "zeros 1x4", "", "i1 0 0 0", "1 0 0 0", "=", 0, 0, NULL },
	{ "A19", "zeros 1x4", "", "i0 0 0 0", "0 0 0 0", "=", 0, 0, NULL },
	{ "A20", "zeros 1x3", "", "i1 1 0", "@keep", "=", 0, 0, NULL },
	{ "A20", "zeros 1x3", "mask-invert=on", "i1 1 0", "0 0 1", "=", 0, 0, NULL },
	{ "A20", "zeros 1x3", "pad=2", NULL, "@keep", "=", 0, 0, NULL },
	/* additive or boolean */
	{ "A21", "@S", "", "b@keep", "@keep", "@W", 0, 0, "True keeps" },	/* named mask */
	{ "A21", "@S", "fill-op=add fill=0 keep-value=1", "b@keep", "@keep", "@buggy", 0, 0, NULL },
	{ "A22", "zeros 3x3", "", "f" CAUSAL3, CAUSAL3, "@W_keep", 0, 0, "floats of only 0 and 1" },
	{ "A22", "zeros 3x3", "", "a" CAUSAL3, NULL, "@W_additive", 0, 0, NULL },
	{ "A23", "zeros 2x2", "", "i2 0/1 1", "@keep", "@W", 0, 0, "other than 0 and 1" },
	{ "A26", "@S", "", "i@keep", "@keep", "@W", 0, 0, NULL },
	{ "A26", "@S", "mask-at=after", "i@keep", "@keep", "@buggy", 0, 0, NULL },
	{ "A27", "@S", "", "i@keep", "@keep", "@W", 0, 0, NULL },
	{ "A27", "@S", "mask-at=after-renorm", "i@keep", "@keep", "nan nan nan", 0, 0, NULL },
	{ "A28", "zeros 1x3", "", "f0 0 -10", NULL, "@W", 0, 64, "additive" },
	{ "A28", "zeros 1x3", "", "a0 0 -10", NULL, "@W", 0, 64, NULL },
	{ "A28", "zeros 1x3", "", "f0 0 -inf", "1 1 0", "=", 0, 64, NULL },
	/* fills that are too weak */
	{ "A29", "2 1 5", "", "i1 1 0", "1 1 0", "@W", 0, 0, NULL },
	{ "A29", "2 1 -1e-9", "", NULL, NULL, "@W_overwritten", 0, 0, NULL },
	{ "A29", "2 1 5", "fill=-1e-9", "i1 1 0", "1 1 0", "@W_overwritten", 0, 0, NULL },
	{ "A30", "zeros 1x3", "", "f0 0 -10", NULL, "@W_i", 0, 0, NULL },
	{ "A30", "0 0 12", "", "f0 0 -10", NULL, "@W_ii", 0, 0, NULL },
	/* the axis */
	{ "A31", "@S", "", NULL, NULL, "@W", 0, 0, NULL },
	{ "A31", "@S", "softmax=column", NULL, NULL, "1 1 1 1", 0, 0, NULL },
	{ "A32", "@S", "", NULL, NULL, "@W", 0, 0, NULL },
	{ "A32", "@S", "softmax=column", NULL, NULL, "@column_softmax", 0, 0, NULL },
	/* the scale */
	{ "A33", "@raw", "", NULL, NULL, "@W", 0, 64, NULL },
	{ "A33", "@raw", "scale=dmodel d-model=512", NULL, NULL, "0.455527 0.319866 0.224606", 0, 64, NULL },
	{ "A34", "16 8 0", "", NULL, NULL, "@W_on", 0, 64, NULL },
	{ "A34", "16 8 0", "scale=none", NULL, NULL, "@W_off", 0, 64, NULL },
	{ "A35", "4 6 0/12 8 4/10 10 2", "", NULL, NULL, "@W", 0, 4, NULL },
	{ "A35", "4 6 0/12 8 4/10 10 2", "scale-times=2", NULL, NULL, "@W_twice", 0, 4, NULL },
	{ "A36", "4 6 0/12 8 4/10 10 2", "", NULL, NULL, "@W", 0, 4, NULL },
	{ "A36", "4 6 0/12 8 4/10 10 2", "scale=2", NULL, NULL,
		"0.017986 0.982008 6.03366e-06/0.999665 0.000335 1.12497e-07/0.5 0.5 5.62676e-08", 0, 4, NULL },
	/* windows and documents */
	{ "A37", "zeros 5x5", "causal=on window=2", NULL, "@keep_incl_self", "=", 0, 0, NULL },
	{ "A37", "zeros 5x5", "causal=on window=3", NULL, "@keep_back_plus_self", "=", 0, 0, NULL },
	{ "A38", "zeros 3x3", "causal=on window=1", NULL, "1 0 0/0 1 0/0 0 1", "=", 0, 0, NULL },
	{ "A39", "zeros 2x6", BR " window=3", NULL, "@keep", "=", 0, 0, NULL },
	{ "A40", "zeros 5x5", "causal=on documents=1,1,1,2,2", NULL, "@keep", "@W", 0, 0, NULL },
	{ "A40", "zeros 5x5", "causal=on documents=1,1,1,2,2", "i1 1 1 1 1", "@keep", "@W", 0, 0, NULL },
	{ "A41", "zeros 7x7", "causal=on documents=1,1,2,2,2,3,0", NULL,
		"1 0 0 0 0 0 0/1 1 0 0 0 0 0/0 0 1 0 0 0 0/0 0 1 1 0 0 0/0 0 1 1 1 0 0/0 0 0 0 0 1 0/0 0 0 0 0 0 0", "=", 0, 0, NULL },
	{ "A41", "zeros 7x7", "causal=on", "i1 1 2 2 2 3 0", NULL, NULL, 0, 0, "for document ids use documents" },
	{ "A46", "0.9 0.1/0.5 0.5", "", NULL, NULL, "@as_scores", 0, 0, NULL },
	/* overflow */
	{ "A47", "-250.1 -424.2 -460.3 378.4 -292.5", "", NULL, NULL, "0 0 0 1 0", 0, 0, NULL },
	{ "A47", "1000 1001", "", NULL, NULL, "@W_ii", 0, 0, NULL },
	{ "A47", "-1000 -1001", "", NULL, NULL, "@W_iii", 0, 0, NULL },
	{ "A47", "710 711", "", NULL, NULL, "@W_iv", 0, 0, NULL },
	{ "A47", "140.5 139.5 0", "", NULL, NULL, "@W_v", 0, 0, NULL },
	{ "A47", "710 711", "softmax-kind=naive", NULL, NULL, "nan nan", 0, 0, NULL },
	{ "A47", "-1000 -1001", "softmax-kind=naive", NULL, NULL, "nan nan", 0, 0, NULL },
};
enum { CHECKS = sizeof checks / sizeof *checks };

/* ---- a line of it ---- */

static void load_mask(struct fixture *f, json_t *r, const char *mask)
{
	struct error e = { 0 };
	struct numbers m = matrix_from(r, mask + 1);
	struct matrix b = { 0 };

	if (*mask != 'a') {
		assert_int_equal(fixture_mask(f, m.rows, m.columns, m.v, *mask, "mask", &e), OK_STATUS);
		return;
	}
	fixture_build(f);
	assert_int_equal(matrix_init(&b, m.rows, m.columns, &e), OK_STATUS);
	memcpy(b.v, m.v, m.rows * m.columns * sizeof *b.v);
	assert_int_equal(bias_load(&f->problem, &b, &e), OK_STATUS);
}

static void open_check(struct fixture *f, json_t *r, const struct check *c)
{
	struct numbers scores = matrix_from(r, c->scores);

	fixture_scores(f, scores.rows, scores.columns, scores.v);
	f->scenario.d_k = c->d_k;
	fixture_set(f, "empty-row=zero");
	fixture_set(f, c->settings);
	if (c->mask)
		load_mask(f, r, c->mask);
	fixture_start(f);
}

static void compare_keep(struct fixture *f, const struct check *c, const struct numbers *keep, int line)
{
	assert_int_equal(keep->rows, f->problem.n_q);
	assert_int_equal(keep->columns, f->problem.n_k);
	for (size_t i = 0; i < keep->rows; i++) {
		const struct row *r = fixture_row(f, i);
		size_t n = 0;
		for (size_t j = 0; j < keep->columns; j++) {
			bool kept = keep->v[i * keep->columns + j] != 0;
			if (kept == mask_hides(r->rules[j]))
				fail_msg("%s (line %d): cell %zu:%zu is %s", c->id, line, i, j, kept ? "hidden" : "visible");
			n += kept;
		}
		assert_int_equal(r->visible, n);
		assert_int_equal(r->verdict == VERDICT_EMPTY, n == 0);
	}
}

static void compare_weights(struct fixture *f, const struct check *c, const struct numbers *w, double tolerance, int line)
{
	assert_int_equal(w->rows, f->problem.n_q);
	assert_int_equal(w->columns, f->problem.n_k);
	for (size_t i = 0; i < w->rows; i++) {
		const struct row *r = fixture_row(f, i);
		double sum = 0;
		for (size_t j = 0; j < w->columns; j++) {
			double wanted = w->v[i * w->columns + j];
			sum += wanted;
			if (!near_number(r->weights[j], wanted, tolerance))
				fail_msg("%s (line %d): weight %zu:%zu is %.17g instead of %.9g", c->id, line, i, j, r->weights[j], wanted);
			if (wanted == 0 && tolerance < 1e-12)
				assert_same(r->weights[j], 0);
		}
		assert_near(r->sum, sum, tolerance * 4);
		if (!r->visible)
			continue;
		assert_int_equal(r->verdict, isnan(sum) ? VERDICT_NAN : sum < 1 - 1e-4 ? VERDICT_LOW
				 : sum > 1 + 1e-4 ? VERDICT_HIGH : VERDICT_OK);
	}
}

/* All scores are equal, so the weights among the visible ones are. */
static struct numbers equal_weights(struct fixture *f)
{
	struct numbers w = { f->problem.n_q, f->problem.n_k, { 0 } };

	for (size_t i = 0; i < w.rows; i++) {
		const struct row *r = fixture_row(f, i);
		for (size_t j = 0; j < w.columns; j++)
			w.v[i * w.columns + j] = mask_hides(r->rules[j]) ? 0 : 1 / (double)r->visible;
	}
	return w;
}

/* By default a fully masked row is what the arithmetic gives, and is flagged. */
static void compare_literal(struct fixture *f)
{
	if (f->options.empty_row != EMPTY_ZERO || f->options.fill.word != FILL_MINUS_INFINITY)
		return;
	fixture_set(f, "empty-row=literal");
	fixture_start(f);
	for (size_t i = 0; i < f->problem.n_q; i++) {
		const struct row *r = fixture_row(f, i);
		for (size_t j = 0; j < f->problem.n_k && !r->visible; j++)
			assert_true(isnan(r->weights[j]));
		assert_int_equal(r->verdict == VERDICT_EMPTY, !r->visible);
	}
}

static void every_line_of_the_table(void **state)
{
	for (int k = 0; k < CHECKS; k++) {
		const struct check *c = &checks[k];
		json_t *r = report(state, c->id);
		struct fixture f;
		open_check(&f, r, c);
		if (c->keep) {
			struct numbers keep = matrix_from(r, c->keep);
			compare_keep(&f, c, &keep, k);
		}
		if (c->weights) {
			bool equal = *c->weights == '=';
			struct numbers w = equal ? equal_weights(&f) : matrix_from(r, c->weights);
			double t = c->tolerance > 0 ? c->tolerance : equal ? 1e-15 : *c->weights == '@' ? 2e-9 : 2e-6;
			compare_weights(&f, c, &w, t, k);
		}
		if (c->note && !strstr(f.problem.mask_note, c->note))
			fail_msg("%s (line %d): '%s' lacks '%s'", c->id, k, f.problem.mask_note, c->note);
		compare_literal(&f);
		fixture_free(&f);
	}
}

/* ---- what does not fit into a line ---- */

static void a03_one_of_three_heads(void **state)
{
	static const double zeros[4] = { 0 };
	struct numbers mean = matrix_from(report(state, "A03"), "@mean");
	double sum[4] = { 0 };
	struct fixture f;

	fixture_init(&f);
	for (int h = 0; h < 3; h++)
		fixture_array(&f, ARRAY_SCORES, 2, 2, zeros);
	fixture_set(&f, "empty-row=zero");
	for (long h = 0; h < 3; h++) {
		f.options.head = h;
		fixture_set(&f, h == 2 ? "hide=0:0,0:1,1:0,1:1" : "hide=none");
		fixture_start(&f);
		for (size_t i = 0; i < 2; i++) {
			const struct row *r = fixture_row(&f, i);
			assert_int_equal(r->verdict, h == 2 ? VERDICT_EMPTY : VERDICT_OK);
			for (size_t j = 0; j < 2; j++) {
				assert_same(r->weights[j], h == 2 ? 0 : 0.5);
				sum[2 * i + j] += r->weights[j];
			}
		}
	}
	for (int c = 0; c < 4; c++)
		assert_near(sum[c] / 3, mean.v[c], 2e-9);
	fixture_free(&f);
}

/* The grid on screen is told of each change; nothing of the frame before is left. */
static void a04_on_and_off(void **state)
{
	static const double zeros[16] = { 0 };
	struct fixture f;
	struct grid g = { 0 };
	struct error e = { 0 };

	(void)state;
	fixture_scores(&f, 4, 4, zeros);
	fixture_set(&f, "empty-row=zero");
	fixture_build(&f);
	assert_int_equal(grid_update(&g, &f.problem, &f.options, &f.tables, STAGE_INPUT, &e), OK_STATUS);
	assert_int_equal(grid_reserve(&g, 4, &e), OK_STATUS);
	for (int n = 0; n < 6; n++) {
		bool on = n % 2 == 0;
		fixture_set(&f, on ? "hide=1:0,1:1,1:2,1:3" : "hide=none");
		assert_int_equal(grid_update(&g, &f.problem, &f.options, &f.tables, STAGE_MASKED, &e), OK_STATUS);
		for (size_t i = 0; i < 4; i++)
			for (size_t j = 0; j < 4; j++)
				assert_same(grid_row(&g, i, STAGE_WEIGHTS)->weights[j], on && i == 1 ? 0 : 0.25);
	}
	grid_free(&g);
	fixture_free(&f);
}

static void a05_a17_a38_a41_counts(void **state)
{
	static const struct { const char *id, *settings; size_t n, count[12]; } counts[] = {
		{ "A05", "causal=on window=3 pad=3-11", 12, { 1, 2, 3, 2, 1 } },
		{ "A17", "causal=on", 4, { 1, 2, 3, 4 } },
		{ "A38", "causal=on window=8", 12, { 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 8 } },
		{ "A41", "causal=on documents=1,1,2,2,2,3,0", 7, { 1, 2, 1, 2, 3, 1, 0 } },
	};
	static const double zeros[144] = { 0 };

	for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
		struct fixture f;
		report(state, counts[c].id);
		fixture_scores(&f, counts[c].n, counts[c].n, zeros);
		fixture_set(&f, counts[c].settings);
		for (size_t i = 0; i < counts[c].n; i++)
			assert_int_equal(fixture_row(&f, i)->visible, counts[c].count[i]);
		fixture_free(&f);
	}
}

static void a09_a24_shapes_that_are_refused(void **state)
{
	static const size_t shapes[][2] = { { 3, 3 }, { 5, 5 }, { 4, 5 }, { 1, 1 }, { 4, 1 }, { 2, 4 } };
	static const double zeros[25] = { 0 };

	(void)state;
	for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
		struct fixture f;
		struct error e = { 0 };
		char text[64];
		fixture_scores(&f, 4, 4, zeros);
		assert_int_equal(fixture_mask(&f, 1, 4, zeros, 'f', "mask", &e), OK_STATUS);
		double *before = f.problem.mask.v;
		assert_int_equal(fixture_mask(&f, shapes[s][0], shapes[s][1], zeros, 'b', "mask", &e), E_SHAPE);
		snprintf(text, sizeof text, "mask (%zu, %zu)", shapes[s][0], shapes[s][1]);
		assert_non_null(strstr(e.text, text));
		assert_non_null(strstr(e.text, "scores (4, 4)"));
		assert_ptr_equal(f.problem.mask.v, before);	/* the one before stays */
		fixture_free(&f);
	}
}

/* (3,), (1,3) and (1,1,1,3) all come out of a file as one row. */
static void a25_ranks(void **state)
{
	static const double mask[] = { 1, 1, 0 }, zeros[9] = { 0 };
	static const size_t shape[] = { 1, 1, 1, 3 };
	struct numbers wanted = matrix_from(report(state, "A25"), "@W");
	static const int ranks[] = { 1, 2, 4 };

	for (int r = 0; r < 3; r++) {
		struct fixture f;
		struct buffer file = { 0 };
		struct matrix m = { 0 };
		struct error e = { 0 };
		struct npy a;
		npy_write(&file, mask, ranks[r], shape + 4 - ranks[r]);
		assert_int_equal(npy_parse(&a, file.data, file.size, "mask.npy", false, &e), OK_STATUS);
		assert_int_equal(npy_matrix(&a, &m, &e), OK_STATUS);
		fixture_scores(&f, 3, 3, zeros);
		fixture_build(&f);
		assert_int_equal(mask_load(&f.problem, &m, true, false, "mask", &f.options, &e), OK_STATUS);
		for (size_t i = 0; i < 3; i++)
			for (size_t j = 0; j < 3; j++)
				assert_near(fixture_row(&f, i)->weights[j], wanted.v[3 * i + j], 1e-15);
		buffer_free(&file);
		fixture_free(&f);
	}
}

static void a27_the_maximum_is_a_visible_one(void **state)
{
	static const double scores[] = { 0, 0, 1000 };
	struct fixture f;

	(void)state;
	fixture_scores(&f, 1, 3, scores);
	fixture_set(&f, "hide=0:2");
	assert_same(fixture_row(&f, 0)->maximum, 0);
	assert_same(f.row.denominator, 2);
	fixture_free(&f);
}

static void a32_sums(void **state)
{
	struct numbers s = matrix_from(report(state, "A32"), "@S");
	struct fixture f;
	double columns[2] = { 0 };

	fixture_scores(&f, 2, 2, s.v);
	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j < 2; j++)
			columns[j] += fixture_row(&f, i)->weights[j];
	assert_near(columns[0], 1.083333, 1e-6);
	assert_near(columns[1], 0.916667, 1e-6);
	fixture_set(&f, "softmax=column");
	fixture_start(&f);
	assert_near(fixture_row(&f, 0)->sum, 0.916667, 1e-6);
	assert_int_equal(f.row.verdict, VERDICT_LOW);
	assert_near(fixture_row(&f, 1)->sum, 1.083333, 1e-6);
	assert_int_equal(f.row.verdict, VERDICT_HIGH);
	fixture_free(&f);
}

static void a34_on_again_equals_the_first(void **state)
{
	static const double scores[] = { 16, 8, 0 };
	struct fixture f;
	double first[3];

	(void)state;
	fixture_scores(&f, 1, 3, scores);
	f.scenario.d_k = 64;
	memcpy(first, fixture_row(&f, 0)->weights, sizeof first);
	fixture_set(&f, "scale=none");
	fixture_start(&f);
	assert_true(fixture_row(&f, 0)->weights[0] > 0.99);
	fixture_set(&f, "scale=sqrt");
	fixture_start(&f);
	for (size_t j = 0; j < 3; j++) {
		assert_same(fixture_row(&f, 0)->weights[j], first[j]);
		assert_same(f.row.scores[j], scores[j]);
	}
	fixture_free(&f);
}

static void a35_a36_from_q_and_k(void **state)
{
	json_t *r = report(state, "A35");
	struct numbers q = matrix_from(r, "@Q"), k = matrix_from(r, "@K"), s = matrix_from(r, "@S"), w = matrix_from(r, "@W");
	struct numbers scaled = matrix_from(report(state, "A36"), "@S_scaled");
	static const double v[3] = { 0 };
	struct fixture f;

	fixture_init(&f);
	fixture_array(&f, ARRAY_Q, 3, 4, q.v);
	fixture_array(&f, ARRAY_K, 3, 4, k.v);
	fixture_array(&f, ARRAY_V, 3, 1, v);
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 3; j++) {
			assert_same(fixture_row(&f, i)->scores[j], s.v[3 * i + j]);
			assert_same(f.row.scaled[j], scaled.v[3 * i + j]);
			assert_near(f.row.weights[j], w.v[3 * i + j], 2e-9);
		}
	fixture_free(&f);
}

static void a38_windows_that_are_refused(void **state)
{
	struct options o;
	struct error e = { 0 };

	(void)state;
	assert_int_equal(options_init(&o, &e), OK_STATUS);
	assert_int_equal(option_set(&o, OPT_WINDOW, "0", &e), E_VALUE);
	assert_int_equal(option_set(&o, OPT_WINDOW, "-1", &e), E_VALUE);
	assert_true(option_is_default(&o, OPT_WINDOW));
	options_free(&o);
}

/* Finished weights: their sums as they are. */
static void weights_of(struct fixture *f, const struct numbers *w, const char *settings)
{
	fixture_init(f);
	fixture_array(f, ARRAY_WEIGHTS, w->rows, w->columns, w->v);
	fixture_set(f, settings);
}

static void a42_a45_a46_given_weights(void **state)
{
	static const struct { const char *id, *weights; size_t rows; double sum[3]; enum verdict verdict[3]; } given[] = {
		{ "A42", "@weights", 3, { 2.5, 1.250001, 0 }, { VERDICT_HIGH, VERDICT_HIGH, VERDICT_LOW } },
		{ "A45", "@W", 1, { 0.334759 }, { VERDICT_LOW } },
		{ "A46", "0.9 0.1/0.5 0.5", 2, { 1, 1 }, { VERDICT_OK, VERDICT_OK } },
	};

	for (size_t g = 0; g < sizeof given / sizeof *given; g++) {
		struct numbers w = matrix_from(report(state, given[g].id), given[g].weights);
		struct fixture f;
		weights_of(&f, &w, "");
		assert_int_equal(w.rows, given[g].rows);
		for (size_t i = 0; i < w.rows; i++) {
			const struct row *r = fixture_row(&f, i);
			assert_near(r->sum, given[g].sum[i], 1e-6);
			assert_int_equal(r->verdict, given[g].verdict[i]);
			for (size_t j = 0; j < w.columns; j++)
				assert_same(r->weights[j], w.v[i * w.columns + j]);
		}
		fixture_free(&f);
	}
}

static void a43_a_long_row(void **state)
{
	static const double zeros[6000] = { 0 };
	struct fixture f;

	(void)state;
	fixture_init(&f);
	fixture_array(&f, ARRAY_SCORES, 1, 6000, zeros);
	fixture_array(&f, ARRAY_V, 6000, 1, zeros);
	const struct row *r = fixture_row(&f, 0);
	for (size_t j = 0; j < 6000; j++)
		assert_same(r->weights[j], 1.0 / 6000);
	assert_near(r->sum, 1, 1e-12);
	assert_int_equal(r->verdict, VERDICT_OK);
	fixture_free(&f);
}

static void a44_the_tolerance_follows_the_type(void **state)
{
	static const struct { size_t n; double value; enum dtype type; enum verdict verdict; } given[] = {
		{ 3, 1.0 / 3, DTYPE_BF16, VERDICT_OK }, { 3, 1.0 / 3, DTYPE_F16, VERDICT_OK },
		{ 10, 0.1, DTYPE_BF16, VERDICT_OK }, { 3, 0.33, DTYPE_F32, VERDICT_LOW },
	};
	struct numbers sums = matrix_from(report(state, "A44"), "@sums");

	for (size_t g = 0; g < 4; g++) {
		struct numbers w = { 1, given[g].n, { 0 } };
		struct fixture f;
		char setting[32];
		for (size_t j = 0; j < w.columns; j++)
			w.v[j] = dtype_round(given[g].value, given[g].type);
		snprintf(setting, sizeof setting, "dtype=%s", dtype_name(given[g].type));
		weights_of(&f, &w, setting);
		assert_near(fixture_row(&f, 0)->sum, sums.v[g], 1e-15);
		assert_int_equal(f.row.verdict, given[g].verdict);
		fixture_free(&f);
	}
}

static void a48_scores_that_are_not_finite(void **state)
{
	static const double scores[] = { 1, INFINITY, 3, 0, 0, 0, 1, NAN, 2, 1, -INFINITY, 1 };
	struct fixture f;

	(void)state;
	fixture_scores(&f, 4, 3, scores);
	assert_int_equal(fixture_row(&f, 0)->verdict, VERDICT_NON_FINITE);
	assert_int_equal(f.row.culprit, 1);
	assert_int_equal(fixture_row(&f, 1)->verdict, VERDICT_OK);
	for (size_t j = 0; j < 3; j++)
		assert_same(f.row.weights[j], 1.0 / 3);
	assert_int_equal(fixture_row(&f, 2)->verdict, VERDICT_NON_FINITE);
	assert_int_equal(f.row.culprit, 1);
	assert_int_equal(fixture_row(&f, 3)->verdict, VERDICT_OK);
	assert_same(f.row.weights[1], 0);
	assert_same(f.row.weights[0], 0.5);
	/* Hidden, they do no harm. */
	fixture_set(&f, "hide=0:1,2:1");
	fixture_start(&f);
	assert_int_equal(fixture_row(&f, 0)->verdict, VERDICT_OK);
	assert_int_equal(fixture_row(&f, 2)->verdict, VERDICT_OK);
	fixture_free(&f);
}

/* ---- none is left out ---- */

static void every_report_is_here(void **state)
{
	static const char *const apart[] = { "A03", "A24", "A25", "A42", "A43", "A44", "A45", "A48" };	/* their own functions */
	json_t *r, *reports = json_object_get(*state, "reports");
	size_t k, n = 0;

	json_array_foreach(reports, k, r) {
		const char *id = json_string_value(json_object_get(r, "id"));
		bool found = false;
		if (strcmp(json_string_value(json_object_get(r, "area")), "a"))
			continue;
		n++;
		for (int c = 0; c < CHECKS && !found; c++)
			found = !strcmp(checks[c].id, id);
		for (size_t c = 0; c < sizeof apart / sizeof *apart && !found; c++)
			found = !strcmp(apart[c], id);
		if (!found)
			fail_msg("report %s has no test", id);
	}
	assert_int_equal(n, 48);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_of_the_table),
		cmocka_unit_test(a03_one_of_three_heads),
		cmocka_unit_test(a04_on_and_off),
		cmocka_unit_test(a05_a17_a38_a41_counts),
		cmocka_unit_test(a09_a24_shapes_that_are_refused),
		cmocka_unit_test(a25_ranks),
		cmocka_unit_test(a27_the_maximum_is_a_visible_one),
		cmocka_unit_test(a32_sums),
		cmocka_unit_test(a34_on_again_equals_the_first),
		cmocka_unit_test(a35_a36_from_q_and_k),
		cmocka_unit_test(a38_windows_that_are_refused),
		cmocka_unit_test(a42_a45_a46_given_weights),
		cmocka_unit_test(a43_a_long_row),
		cmocka_unit_test(a44_the_tolerance_follows_the_type),
		cmocka_unit_test(a48_scores_that_are_not_finite),
		cmocka_unit_test(every_report_is_here),
	};
	return cmocka_run_group_tests_name("reports, area a", tests, open_reports, close_reports);
}
