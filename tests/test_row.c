/* test_row.c - the golden corpus: 69 cases of attention, bit for bit.
 *
 * tests/data/golden (its README has the formulas) was made with NumPy 1.24.
 * Expected arrays and printed strings come from there, never from the program.
 */
#include "tests/fixture.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/npy.h"
#include "core/number.h"

/* ---- files ---- */

static void golden_path(char *path, size_t size, const char *name)
{
	const char *root = getenv("QKV_TEST_DATA");

	snprintf(path, size, "%s/golden/%s", root ? root : "tests/data", name);
}

static size_t read_file(const char *name, void *bytes, size_t size)
{
	char path[4096];

	golden_path(path, sizeof path, name);
	FILE *f = fopen(path, "rb");
	if (!f)
		fail_msg("%s cannot be read", path);
	size_t n = fread(bytes, 1, size, f);
	fclose(f);
	assert_true(n < size);
	return n;
}

/* rank 0..2; a vector is one row. */
static struct matrix read_array(const char *name)
{
	static unsigned char bytes[1 << 20];
	size_t n = read_file(name, bytes, sizeof bytes);
	struct error e = { 0 };
	struct matrix m = { 0 };
	struct npy a;

	if (npy_parse(&a, bytes, n, name, false, &e) || npy_matrix(&a, &m, &e))
		fail_msg("%s: %s", name, e.text);
	return m;
}

static int open_corpus(void **state)
{
	char path[4096];

	golden_path(path, sizeof path, "cases.json");
	*state = json_load_file(path, 0, NULL);
	return *state ? 0 : -1;
}

static int close_corpus(void **state)
{
	json_decref(*state);
	return 0;
}

/* ---- a case ---- */

static const char *text_of(json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	if (!text)
		fail_msg("no text %s in the corpus", key);
	return text;
}

static size_t size_of(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	assert_true(json_is_integer(value));
	return (size_t)json_integer_value(value);
}

/* The corpus' word and what it is called here. */
struct word { const char *corpus, *here; };

static const char *translate(const struct word *words, const char *text)
{
	for (; words->corpus; words++)
		if (!strcmp(words->corpus, text))
			return words->here;
	fail_msg("the corpus has a new word: %s", text);
	return NULL;
}

static const struct word causals[] = {
	{ "none", "causal=off" }, { "top_left", "causal=on" },
	{ "bottom_right", "causal=on causal-align=bottom-right" }, { NULL, NULL },
};
static const struct word scales[] = { { "sqrt", "scale=sqrt" }, { "none", "scale=none" }, { "dk", "scale=dk" }, { NULL, NULL } };
static const struct word fills[] = {
	{ "-inf", "fill=-inf" }, { "-1e9", "fill=-1e9" }, { "0", "fill=0" }, { "-1e4", "fill=-1e4" },
	{ "-65504", "fill=-65504" }, { "f32min", "fill=-3.4028234663852886e+38" }, { NULL, NULL },
};
static const struct word fill_dtypes[] = {
	{ "float64", "fill-dtype=f64" }, { "float32", "fill-dtype=f32" }, { "float16", "fill-dtype=f16" },
	{ "bfloat16", "fill-dtype=bf16" }, { NULL, NULL },
};
static const struct word score_dtypes[] = {
	{ "float64", "score-dtype=f64" }, { "float32", "score-dtype=f32" }, { "float16", "score-dtype=f16" },
	{ "bfloat16", "score-dtype=bf16" }, { NULL, NULL },
};
static const struct word combines[] = { { "replace", "fill-op=replace" }, { "add", "fill-op=add" }, { NULL, NULL } };
static const struct word places[] = { { "before", "mask-at=before" }, { "after", "mask-at=after" }, { NULL, NULL } };
static const struct word kinds[] = { { "stable", "softmax-kind=stable" }, { "naive", "softmax-kind=naive" }, { NULL, NULL } };
static const struct word empties[] = { { "none", "empty-row=literal" }, { "zero", "empty-row=zero" }, { NULL, NULL } };

static void set_options(struct fixture *f, json_t *o)
{
	fixture_set(f, translate(causals, text_of(o, "causal")));
	fixture_set(f, translate(scales, text_of(o, "scale")));
	fixture_set(f, translate(fills, text_of(o, "mask_value")));
	fixture_set(f, translate(fill_dtypes, text_of(o, "mask_dtype")));
	fixture_set(f, translate(score_dtypes, text_of(o, "arith")));
	fixture_set(f, translate(combines, text_of(o, "combine")));
	fixture_set(f, translate(places, text_of(o, "place")));
	fixture_set(f, translate(kinds, text_of(o, "softmax")));
	fixture_set(f, translate(empties, text_of(o, "all_masked")));
	if (!json_integer_value(json_object_get(o, "axis")))
		fixture_set(f, "softmax=column");
}

/* pad is a list of booleans, one a key. */
static void set_pad(struct fixture *f, json_t *pad)
{
	struct buffer text = { 0 };
	struct error e = { 0 };
	json_t *flag;
	size_t j;

	json_array_foreach(pad, j, flag)
		if (json_is_true(flag))
			buffer_format(&text, "%s%zu", text.size ? "," : "", j);
	if (text.size)
		assert_int_equal(option_set(&f->options, OPT_PAD, text.data, &e), OK_STATUS);
	buffer_free(&text);
}

static void add_array(struct fixture *f, enum array a, json_t *inputs, const char *key)
{
	struct matrix m = read_array(text_of(inputs, key));

	fixture_array(f, a, m.rows, m.columns, m.v);
	matrix_free(&m);
}

static void add_mask(struct fixture *f, json_t *mask)
{
	struct error e = { 0 };

	if (!json_is_string(mask))
		return;
	struct matrix m = read_array(json_string_value(mask));
	fixture_set(f, "polarity=hide");
	assert_int_equal(fixture_mask(f, m.rows, m.columns, m.v, 'b', "mask", &e), OK_STATUS);
	matrix_free(&m);
}

static void open_case(struct fixture *f, json_t *c)
{
	json_t *inputs = json_object_get(c, "inputs"), *o = json_object_get(c, "options");

	fixture_init(f);
	add_array(f, ARRAY_Q, inputs, "q");
	add_array(f, ARRAY_K, inputs, "k");
	add_array(f, ARRAY_V, inputs, "v");
	set_options(f, o);
	set_pad(f, json_object_get(o, "pad"));
	fixture_build(f);
	add_mask(f, json_object_get(o, "mask"));
	fixture_start(f);
}

/* ---- the results of a case ---- */

enum { RESULTS = 6 };
static const char *const result_name[RESULTS] = { "scores", "scaled", "masked", "weights", "output", "row_sums" };

static struct matrix whole_stage(struct fixture *f, enum stage stage)
{
	size_t rows = f->problem.n_q, columns = stage == STAGE_OUTPUT ? f->problem.d_v : f->problem.n_k;
	struct matrix m = { 0 };
	struct error e = { 0 };

	assert_int_equal(matrix_init(&m, rows, columns, &e), OK_STATUS);
	for (size_t i = 0; i < rows; i++) {
		size_t n;
		const double *v = row_stage(fixture_row(f, i), &f->attention, stage, &n);
		assert_int_equal(n, columns);
		memcpy(m.v + i * columns, v, n * sizeof *v);
	}
	return m;
}

static struct matrix row_sums(struct fixture *f)
{
	struct matrix m = { 0 };
	struct error e = { 0 };

	assert_int_equal(matrix_init(&m, 1, f->problem.n_q, &e), OK_STATUS);
	for (size_t i = 0; i < m.columns; i++)
		m.v[i] = fixture_row(f, i)->sum;
	return m;
}

/* The libm that made the corpus is that of x86-64 glibc. Elsewhere the
 * tolerance of the corpus' README holds. */
static bool equal_enough(double got, double wanted, double size)
{
#if defined __x86_64__ && defined __GLIBC__
	(void)size;
	return same_number(got, wanted);
#else
	return near_number(got, wanted, 1e-12 * (size > 1 ? size : 1));
#endif
}

/* The size that the tolerance goes by: that of the largest finite number, which for
 * the corpus' inputs is no smaller than what the README names. */
static double size_in(const struct matrix *m)
{
	double size = 1;

	for (size_t k = 0; k < m->rows * m->columns; k++)
		if (isfinite(m->v[k]) && fabs(m->v[k]) > size)
			size = fabs(m->v[k]);
	return size;
}

static void compare(const struct matrix *got, const char *file, const char *name, const char *what)
{
	struct matrix wanted = read_array(file);
	double size = size_in(&wanted);

	assert_int_equal(got->rows, wanted.rows);
	assert_int_equal(got->columns, wanted.columns);
	for (size_t k = 0; k < got->rows * got->columns; k++)
		if (!equal_enough(got->v[k], wanted.v[k], size))
			fail_msg("%s: %s[%zu,%zu] is %.17g instead of %.17g", name, what, k / got->columns,
				 k % got->columns, got->v[k], wanted.v[k]);
	matrix_free(&wanted);
}

static struct matrix result(struct fixture *f, int which)
{
	return which == RESULTS - 1 ? row_sums(f) : whole_stage(f, (enum stage)(STAGE_SCORES + which));
}

static void arrays_of_every_case(void **state)
{
	json_t *c, *cases = json_object_get(*state, "cases");
	size_t k, arrays = 0;

	assert_int_equal(json_array_size(cases), 69);
	json_array_foreach(cases, k, c) {
		struct fixture f;
		open_case(&f, c);
		assert_int_equal(f.problem.n_q, size_of(c, "n_q"));
		assert_int_equal(f.problem.n_k, size_of(c, "n_k"));
		assert_int_equal(f.problem.d_k, size_of(c, "d_k"));
		assert_int_equal(f.problem.d_v, size_of(c, "d_v"));
		for (int r = 0; r < RESULTS; r++) {
			struct matrix m = result(&f, r);
			compare(&m, text_of(json_object_get(c, "expected"), result_name[r]), text_of(c, "name"), result_name[r]);
			matrix_free(&m);
			arrays++;
		}
		fixture_free(&f);
	}
	assert_int_equal(arrays, 414);
}

/* ---- printed ---- */

static void compare_print(struct matrix *m, int rank, int decimals, json_t *printed, const char *key, const char *name)
{
	const size_t shape[2] = { m->rows, m->columns };
	struct buffer text = { 0 };
	const char *wanted = json_string_value(json_object_get(printed, key));

	assert_non_null(wanted);
	for (size_t k = 0; decimals && k < m->rows * m->columns; k++)
		m->v[k] = number_round(m->v[k], decimals);
	number_array(&text, m->v, rank, rank == 2 ? shape : shape + 1);
	if (strcmp(text.data, wanted))
		fail_msg("%s, %s:\n%s\ninstead of\n%s", name, key, text.data, wanted);
	buffer_free(&text);
}

static void prints_of_every_case(void **state)
{
	static const struct { int result, rank, decimals; const char *key; } prints[] = {
		{ 0, 2, 0, "scores" }, { 2, 2, 0, "masked" }, { 3, 2, 3, "weights_round3" },
		{ 4, 2, 3, "output_round3" }, { 5, 1, 0, "row_sums" },
	};
	json_t *c;
	size_t k;

	json_array_foreach(json_object_get(*state, "cases"), k, c) {
		struct fixture f;
		json_t *printed = json_object_get(c, "printed");
		open_case(&f, c);
		assert_int_equal(json_object_size(printed), sizeof prints / sizeof *prints);
		for (size_t p = 0; p < sizeof prints / sizeof *prints; p++) {
			struct matrix m = result(&f, prints[p].result);
			compare_print(&m, prints[p].rank, prints[p].decimals, printed, prints[p].key, text_of(c, "name"));
			matrix_free(&m);
		}
		fixture_free(&f);
	}
}

/* ---- what is said about the rows ---- */

static bool listed(json_t *list, size_t i)
{
	json_t *value;
	size_t k;

	json_array_foreach(list, k, value)
		if ((size_t)json_integer_value(value) == i)
			return true;
	return false;
}

static void hidden_cells_of_every_case(void **state)
{
	json_t *c;
	size_t k;

	json_array_foreach(json_object_get(*state, "cases"), k, c) {
		struct fixture f;
		size_t hidden = 0;
		bool output_has_nan = false;
		open_case(&f, c);
		for (size_t i = 0; i < f.problem.n_q; i++) {
			const struct row *r = fixture_row(&f, i);
			hidden += f.problem.n_k - r->visible;
			assert_int_equal(!r->visible, listed(json_object_get(c, "fully_blocked_rows"), i));
			for (size_t d = 0; d < f.problem.d_v; d++)
				output_has_nan |= isnan(r->output[d]);
		}
		assert_int_equal(hidden, size_of(c, "blocked_cells"));
		assert_int_equal(output_has_nan, json_is_true(json_object_get(c, "output_has_nan")));
		fixture_free(&f);
	}
}

/* What must be said of a row follows from the corpus' arrays alone. */
static enum verdict wanted_verdict(json_t *c, size_t i)
{
	json_t *expected = json_object_get(c, "expected");
	struct matrix masked = read_array(text_of(expected, "masked")), sums = read_array(text_of(expected, "row_sums"));
	bool add = !strcmp(text_of(json_object_get(c, "options"), "combine"), "add");
	enum verdict v = isnan(sums.v[i]) ? VERDICT_NAN : sums.v[i] < 1 - 1e-9 ? VERDICT_LOW
		       : sums.v[i] > 1 + 1e-9 ? VERDICT_HIGH : VERDICT_OK;

	/* A nan or inf that was not filled in is a visible score; with -inf added it may be hidden. */
	for (size_t j = 0; j < masked.columns && !add; j++)
		if (isnan(matrix_at(&masked, i, j)) || matrix_at(&masked, i, j) == INFINITY)
			v = VERDICT_NON_FINITE;
	if (listed(json_object_get(c, "fully_blocked_rows"), i))
		v = VERDICT_EMPTY;
	matrix_free(&masked);
	matrix_free(&sums);
	return v;
}

static void verdicts_of_every_case(void **state)
{
	json_t *c;
	size_t k, seen[6] = { 0 };

	json_array_foreach(json_object_get(*state, "cases"), k, c) {
		struct fixture f;
		open_case(&f, c);
		for (size_t i = 0; i < f.problem.n_q; i++) {
			enum verdict got = fixture_row(&f, i)->verdict, wanted = wanted_verdict(c, i);
			if (got != wanted)
				fail_msg("%s, row %zu: %s instead of %s", text_of(c, "name"), i,
					 verdict_name(got), verdict_name(wanted));
			assert_int_equal(isnan(fixture_row(&f, i)->sum), listed(json_object_get(c, "nan_rows"), i));
			seen[got]++;
		}
		fixture_free(&f);
	}
	for (int v = 0; v < 6; v++)
		assert_true(seen[v]);
}

static void statistics_of_every_case(void **state)
{
	json_t *c;
	size_t k;

	json_array_foreach(json_object_get(*state, "cases"), k, c) {
		struct fixture f;
		open_case(&f, c);
		struct matrix weights = read_array(text_of(json_object_get(c, "expected"), "weights"));
		for (size_t i = 0; i < f.problem.n_q; i++) {
			const struct row *r = fixture_row(&f, i);
			double largest = -INFINITY, entropy = 0;
			for (size_t j = 0; j < weights.columns; j++) {
				double w = matrix_at(&weights, i, j);
				largest = isnan(largest) || isnan(w) ? NAN : fmax(largest, w);
				entropy -= w == 0 ? 0 : w * log2(w);
			}
			assert_same(r->largest, largest);
			assert_near(r->entropy, entropy, 1e-12);
			assert_false(signbit(r->entropy) && r->entropy == 0);
		}
		matrix_free(&weights);
		fixture_free(&f);
	}
}

/* ---- the effective fill ---- */

static void fills_of_every_case(void **state)
{
	json_t *c;
	size_t k;

	json_array_foreach(json_object_get(*state, "cases"), k, c) {
		struct fixture f;
		double wanted;
		const char *text = text_of(json_object_get(c, "options"), "mask_value_effective");
		open_case(&f, c);
		assert_true(number_parse(text, strlen(text), &wanted));
		assert_same(f.attention.fill, wanted);
		fixture_free(&f);
	}
}

/* ---- the d_k experiment of the third lesson ---- */

static double parsed(json_t *object, const char *key)
{
	double v;
	const char *text = text_of(object, key);

	assert_true(number_parse(text, strlen(text), &v));
	return v;
}

static double mean_of_largest(struct fixture *f)
{
	double largest[16];

	assert_int_equal(f->problem.n_q, 16);
	fixture_start(f);
	for (size_t i = 0; i < 16; i++)
		largest[i] = fixture_row(f, i)->largest;
	return number_sum(largest, 16) / 16;
}

/* One stream for all: each width begins where the one before stopped. */
static void the_experiment(void **state)
{
	static const size_t width[] = { 4, 16, 64, 256, 1024 };
	uint64_t drawn = 0;

	for (size_t k = 0; k < sizeof width / sizeof *width; k++) {
		char key[32];
		struct fixture f;
		snprintf(key, sizeof key, "dk_%zu", width[k]);
		json_t *wanted = json_object_get(json_object_get(*state, "experiments"), key);
		assert_non_null(wanted);
		fixture_random(&f, 16, 16, width[k], width[k], "0");
		f.scenario.random.skip = drawn;
		drawn += 3 * 16 * width[k];
		fixture_set(&f, "scale=none");
		fixture_build(&f);
		assert_near(mean_of_largest(&f), parsed(wanted, "raw"), 1e-14);
		fixture_set(&f, "scale=sqrt");
		assert_near(mean_of_largest(&f), parsed(wanted, "scaled"), 1e-14);
		fixture_free(&f);
	}
}

/* ---- narrow types ----
 *
 * Made with NumPy 1.24.2 in loops over scalars of the type, so that every
 * operation rounds: products, sums, division by sqrt(3) (itself a double),
 * difference from the maximum; exp in double, then rounded.
 */
static const double narrow_q[] = { -0.802, -1.324, -0.248, 0.42, 1.136, 0.11, -0.553, -0.785, 0.749 };
static const double narrow_k[] = { 1.635, 0.273, -1.233, -0.958, 1.6, 0.203, -1.732, -0.084, -1.163, -0.629,
-0.488, -0.713 };
static const double narrow_v[] = { 0.553, -0.063, -0.589, 0.41, 0.83, -1.643, -0.257, -0.981 };
static const struct { const char *dtype; double scores[12], masked[12], weights[12], output[6]; } narrow[] = {
	{ "f32", { -0x1.5defa6p+0, -0x1.668274p+0, 0x1.c9e88p+0, 0x1.53d018p+0, 0x1.b8eefp-1, 0x1.70049ap+0,
	-0x1.e6ce78p-1, -0x1.cb40b4p-1, -0x1.055f8p+1, -0x1.25facep-1, 0x1.38a008p-3, 0x1.9335dp-3 },
	  { -0x1.94124ap-1, -INFINITY, -INFINITY, -INFINITY, 0x1.fd255ep-2, 0x1.a8f358p-1, -INFINITY, -INFINITY,
	  -0x1.2dcebep+0, -0x1.537562p-2, 0x1.68fd08p-4, -INFINITY },
	  { 0x1p+0, 0, 0, 0, 0x1.ab96b6p-2, 0x1.2a34a4p-1, 0, 0, 0x1.297f88p-3, 0x1.5b20d2p-2, 0x1.080fb4p-1,
	  0 },
	  { 0x1.1b22dp-1, -0x1.020c4ap-4, -0x1.cb5198p-4, 0x1.b32e58p-3, 0x1.3c243cp-2, -0x1.6f608ap-1 } },
	{ "f16", { -0x1.5dcp+0, -0x1.67p+0, 0x1.cap+0, 0x1.53cp+0, 0x1.b8cp-1, 0x1.6fcp+0, -0x1.e6cp-1,
	-0x1.cb4p-1, -0x1.058p+1, -0x1.26p-1, 0x1.3ap-3, 0x1.94p-3 },
	  { -0x1.93cp-1, -INFINITY, -INFINITY, -INFINITY, 0x1.fdp-2, 0x1.a8cp-1, -INFINITY, -INFINITY,
	  -0x1.2ep+0, -0x1.538p-2, 0x1.6a8p-4, -INFINITY },
	  { 0x1p+0, 0, 0, 0, 0x1.abcp-2, 0x1.2a4p-1, 0, 0, 0x1.294p-3, 0x1.5b4p-2, 0x1.08p-1, 0 },
	  { 0x1.1b4p-1, -0x1.02p-4, -0x1.ca8p-4, 0x1.b3p-3, 0x1.3cp-2, -0x1.6f4p-1 } },
	{ "bf16", { -0x1.5cp+0, -0x1.64p+0, 0x1.cap+0, 0x1.54p+0, 0x1.bap-1, 0x1.6ep+0, -0x1.e6p-1, -0x1.ccp-1,
	-0x1.06p+1, -0x1.26p-1, 0x1.3p-3, 0x1.98p-3 },
	  { -0x1.92p-1, -INFINITY, -INFINITY, -INFINITY, 0x1.fep-2, 0x1.a6p-1, -INFINITY, -INFINITY, -0x1.2ep+0,
	  -0x1.54p-2, 0x1.6p-4, -INFINITY },
	  { 0x1p+0, 0, 0, 0, 0x1.aep-2, 0x1.2ap-1, 0, 0, 0x1.2ap-3, 0x1.5cp-2, 0x1.08p-1, 0 },
	  { 0x1.1cp-1, -0x1.02p-4, -0x1.c4p-4, 0x1.b2p-3, 0x1.3cp-2, -0x1.7p-1 } },
};

static void narrow_types(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	fixture_array(&f, ARRAY_Q, 3, 3, narrow_q);
	fixture_array(&f, ARRAY_K, 4, 3, narrow_k);
	fixture_array(&f, ARRAY_V, 4, 2, narrow_v);
	fixture_set(&f, "causal=on");
	for (size_t t = 0; t < sizeof narrow / sizeof *narrow; t++) {
		struct error e = { 0 };
		assert_int_equal(option_set(&f.options, OPT_DTYPE, narrow[t].dtype, &e), OK_STATUS);
		fixture_start(&f);
		for (size_t i = 0; i < 3; i++) {
			const struct row *r = fixture_row(&f, i);
			for (size_t j = 0; j < 4; j++) {
				assert_same(r->scores[j], narrow[t].scores[4 * i + j]);
				assert_same(r->masked[j], narrow[t].masked[4 * i + j]);
				assert_same(r->weights[j], narrow[t].weights[4 * i + j]);
			}
			for (size_t c = 0; c < 2; c++)
				assert_same(r->output[c], narrow[t].output[2 * i + c]);
			assert_int_equal(r->verdict, VERDICT_OK);
		}
	}
	fixture_free(&f);
}

/* ---- softmax over columns ----
 *
 * NumPy 1.24.2: e = np.exp(s - s.max(axis=0)); e / e.sum(axis=0). It adds row
 * after row, but a single column lies contiguous and is summed pairwise.
 */
static const double column_scores_1[] = {
	0.36, 1.51, -1.79, 1.69, -0.05, -0.8, -0.8, -1.08, -0.22, 0.83, 0.58, 0.64, -1.69, -1.57, 1.55, 0.97,
	2.18, 1.21, -1.02, 1.29,
};
static const double column_weights_1[] = {
	0x1.08294938e5647p-5, 0x1.a122d97386754p-4, 0x1.ec54644c36c7bp-9, 0x1.f36711fdb5512p-4,
	0x1.5e9f1372daae7p-6, 0x1.4b3e5eded362dp-7, 0x1.4b3e5eded362dp-7, 0x1.f4b275a74c50bp-8,
	0x1.27ce9309ba2d8p-6, 0x1.a6a810a0ceb6p-5, 0x1.492a4b99b8769p-5, 0x1.5d85083198279p-5,
	0x1.100de09e0c09p-8, 0x1.32bd81ebfbb7bp-8, 0x1.b228e7465c8cp-4, 0x1.e62bb322e05f7p-5,
	0x1.97976c59b63d5p-3, 0x1.3505a4ceb0211p-4, 0x1.09d44953adf49p-7, 0x1.4ec2743b91c11p-4,
};
static const double column_scores_2[] = {
	0.63, 0.21, -0.82, 0.0, -0.15, 0.89, 0.12, 1.58, -0.77, 0.47, 0.5, -0.86, -1.18, 1.01, 0.52, -0.16,
	0.39, -0.68, 0.24, -0.61, 0.19, 0.99, -0.34, 0.85, -1.03, -0.29, -1.36, -0.1, 0.08, -0.2, -0.27, 1.34,
	1.42, -1.22, 1.17, -1.72, -0.73, -0.17, 0.11, -1.05,
};
static const double column_weights_2[] = {
	0x1.39fb0378a6149p-4, 0x1.5a4acc45ec432p-5, 0x1.269a1d0c57a73p-6, 0x1.18b2f0b13cab7p-5,
	0x1.1fdc722cddc28p-5, 0x1.55c4eb021d841p-4, 0x1.79167c0b0fc53p-5, 0x1.54b1fead6bf53p-3,
	0x1.35b4e20164f6ep-6, 0x1.c11de31638cb1p-5, 0x1.13b471cdf1309p-4, 0x1.db1fea42b2281p-7,
	0x1.9b12dd59a8907p-7, 0x1.8157fd553918bp-4, 0x1.1946439c9913cp-4, 0x1.de644c9557aacp-6,
	0x1.edf8be36b4415p-5, 0x1.1c69eb9a3711bp-6, 0x1.a92a53cff595dp-5, 0x1.31093c377d1b1p-6,
	0x1.946e06421e073p-5, 0x1.79b6a0e62ed22p-4, 0x1.dc19485b161a8p-6, 0x1.485e4588a06a5p-4,
	0x1.dd997822a2346p-7, 0x1.a412da9a78c0ep-6, 0x1.575b8c325cfcdp-7, 0x1.fbf950da8ba2dp-6,
	0x1.6a4d50320c7b4p-5, 0x1.cba23f9aefebfp-6, 0x1.fe9eac3ada31bp-6, 0x1.0c001acf18ddp-3,
	0x1.59e96a6587816p-3, 0x1.4b7bb5284c172p-7, 0x1.0d65782c0b242p-3, 0x1.921c076783de6p-8,
	0x1.42588f6ec5493p-6, 0x1.d9a1b81e96bc1p-6, 0x1.7555f34bafccap-5, 0x1.88e89f870f398p-7,
};

static void columns_as_numpy_adds_them(void **state)
{
	static const double *const scores[] = { column_scores_1, column_scores_2 };
	static const double *const weights[] = { column_weights_1, column_weights_2 };

	(void)state;
	for (size_t n = 1; n <= 2; n++) {
		struct fixture f;
		fixture_scores(&f, 20, n, scores[n - 1]);
		fixture_set(&f, "softmax=column");
		for (size_t i = 0; i < 20; i++)
			for (size_t j = 0; j < n; j++)
				assert_true(equal_enough(fixture_row(&f, i)->weights[j], weights[n - 1][i * n + j], 1));
		fixture_free(&f);
	}
}

/* ---- single rules of the arithmetic ---- */

/* Slopes of Press et al. 2022, as their get_slopes gives them. */
static void slopes_of_alibi(void **state)
{
	static const double slopes[][8] = {
		[1] = { 0x1p-8 }, [2] = { 0x1p-4, 0x1p-8 }, [3] = { 0x1p-4, 0x1p-8, 0x1p-2 },
		[4] = { 0x1p-2, 0x1p-4, 0x1p-6, 0x1p-8 }, [6] = { 0x1p-2, 0x1p-4, 0x1p-6, 0x1p-8, 0x1p-1, 0x1p-3 },
		[8] = { 0x1p-1, 0x1p-2, 0x1p-3, 0x1p-4, 0x1p-5, 0x1p-6, 0x1p-7, 0x1p-8 },
	};

	(void)state;
	for (size_t heads = 1; heads <= 8; heads++) {
		struct fixture f;
		if (slopes[heads][0] == 0)
			continue;
		fixture_random(&f, 3, 3, 2, 2, "0");
		f.scenario.random.heads = heads;
		fixture_set(&f, "alibi=auto");
		for (size_t h = 0; h < heads; h++) {
			f.options.head = (long)h;
			fixture_start(&f);
			assert_same(f.attention.slope, slopes[heads][h]);
			const struct row *r = fixture_row(&f, 2);
			for (size_t j = 0; j < 3; j++)
				assert_same(r->masked[j], r->scaled[j] - slopes[heads][h] * (double)(2 - j));
		}
		fixture_free(&f);
	}
}

/* A fully masked row that is to be zero is zero even where V is not finite;
 * elsewhere 0 times inf reaches the output, since no mask stops that. */
static void zero_rows_beside_a_bad_value(void **state)
{
	static const double q[] = { 1, 1, 1 }, v[] = { 1, INFINITY, 3 };
	struct fixture f;

	(void)state;
	fixture_init(&f);
	fixture_array(&f, ARRAY_Q, 3, 1, q);
	fixture_array(&f, ARRAY_K, 3, 1, q);
	fixture_array(&f, ARRAY_V, 3, 1, v);
	fixture_set(&f, "empty-row=zero pad=1 hide=0:0,0:2");
	assert_same(fixture_row(&f, 0)->output[0], 0);
	assert_int_equal(f.row.verdict, VERDICT_EMPTY);
	assert_true(isnan(fixture_row(&f, 1)->output[0]));
	assert_int_equal(f.row.verdict, VERDICT_OK);
	fixture_free(&f);
}

/* Narrower scores take their fill along, unless the fill has a type of its own. */
static void types_of_scores_and_fill(void **state)
{
	static const struct { const char *settings; double fill; } cases[] = {
		{ "fill=-1e9", -1e9 }, { "fill=-1e9 dtype=f16", -INFINITY }, { "fill=-1e9 score-dtype=f16", -INFINITY },
		{ "fill=-1e9 score-dtype=f16 fill-dtype=f64", -1e9 }, { "fill=-1e9 fill-dtype=bf16", -998244352.0 },
		{ "fill=min", -0x1.fffffffffffffp+1023 }, { "fill=min dtype=f32", -0x1.fffffep+127 },
		{ "fill=min fill-dtype=f16", -65504 }, { "fill=min score-dtype=bf16", -0x1.fep+127 }, { "fill=min score-dtype=f16 fill-dtype=f32", -0x1.fffffep+127 },
	};
	static const double scores[] = { 1, 2 };

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct fixture f;
		fixture_scores(&f, 1, 2, scores);
		fixture_set(&f, cases[k].settings);
		fixture_set(&f, "hide=0:1");
		assert_same(fixture_row(&f, 0)->masked[1], cases[k].fill);
		assert_same(f.row.masked[0], 1);
		assert_same(f.row.weights[0], 1);
		fixture_free(&f);
	}
}

/* ---- random input ---- */

static void drawn_in_order(struct fixture *f, struct random *stream, enum array a, size_t rows, size_t columns)
{
	const struct matrix *m = problem_array(&f->problem, a, 0);

	assert_int_equal(m->rows, rows);
	assert_int_equal(m->columns, columns);
	for (size_t k = 0; k < rows * columns; k++)
		assert_same(m->v[k], random_normal(stream));
}

static void options_replace_random_input(void **state)
{
	static const struct { const char *settings, *seed; size_t n_q, n_k, d_k, d_v; } cases[] = {
		{ "", "5", 3, 4, 8, 8 }, { "seed=6", "6", 3, 4, 8, 8 }, { "n=7", "5", 7, 7, 8, 8 },
		{ "d-k=2", "5", 3, 4, 2, 2 }, { "d-v=2", "5", 3, 4, 8, 2 }, { "n=2 d-k=3 d-v=5 seed=0", "0", 2, 2, 3, 5 },
	};

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct fixture f;
		struct random stream;
		struct error e = { 0 };
		fixture_random(&f, 3, 4, 8, 8, "5");
		fixture_set(&f, cases[k].settings);
		fixture_build(&f);
		assert_int_equal(random_seed(&stream, &f.tables, cases[k].seed, &e), OK_STATUS);
		drawn_in_order(&f, &stream, ARRAY_Q, cases[k].n_q, cases[k].d_k);
		drawn_in_order(&f, &stream, ARRAY_K, cases[k].n_k, cases[k].d_k);
		drawn_in_order(&f, &stream, ARRAY_V, cases[k].n_k, cases[k].d_v);
		assert_int_equal(f.problem.query_tokens.n, cases[k].n_q);
		assert_int_equal(f.problem.key_tokens.n, cases[k].n_k);
		assert_string_equal(token_label(&f.problem.key_tokens, 1), "t1");
		fixture_free(&f);
	}
}

static void options_of_random_input_on_given_numbers(void **state)
{
	static const double scores[] = { 1, 2 };
	static const char *const settings[] = { "seed=0", "n=2", "d-k=8", "d-v=8" };
	static const char *const option[] = { "seed 0", "n 2", "d-k 8", "d-v 8" };

	(void)state;
	for (int k = 0; k < 4; k++) {
		struct fixture f;
		struct problem p;
		struct error e = { 0 };
		fixture_scores(&f, 1, 2, scores);
		fixture_set(&f, settings[k]);
		assert_int_equal(problem_build(&p, &f.scenario, &f.options, &f.scenario.edits, &f.tables, &e), E_VALUE);
		assert_string_equal(e.option, option[k]);
		fixture_free(&f);
	}
}

/* ---- columns, and runs, that are long ---- */

/* More cells than a scan keeps: those are computed in each pass. */
static void columns_beyond_what_is_kept(void **state)
{
	enum { N = 2100 };
	static double sum[N], maximum[N];
	struct fixture f;

	(void)state;
	fixture_random(&f, N, N, 1, 1, "3");
	fixture_set(&f, "softmax=column");
	fixture_start(&f);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < N; i++) {
			row_compute(&f.row, &f.attention, i, STAGE_SCORES, STAGE_MASKED);
			for (size_t j = 0; j < N; j++)
				if (pass)
					sum[j] = i ? sum[j] + exp(f.row.masked[j] - maximum[j]) : exp(f.row.masked[j] - maximum[j]);
				else
					maximum[j] = i ? fmax(maximum[j], f.row.masked[j]) : f.row.masked[j];
		}
	for (size_t j = 0; j < N; j++) {
		assert_same(f.attention.columns.maximum[j], maximum[j]);
		assert_same(f.attention.columns.sum[j], sum[j]);
	}
	fixture_free(&f);
}

static void columns_that_cost_too_much(void **state)
{
	static const struct { size_t n_q, n_k, d_k; const char *settings; bool fits; } cases[] = {
		{ 1024, 1024, 64, "", true }, { 10000, 10000, 1, "", false }, { 400000, 400, 64, "", false },
		{ 3, 100000, 4, "", true }, { 1024, 1024, 64, "dtype=f16", false }, { 3000, 3000, 64, "", true },
		{ 5000, 5000, 8, "softmax-times=2", false },
	};

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct fixture f;
		struct error e = { 0 };
		fixture_random(&f, cases[k].n_q, cases[k].n_k, cases[k].d_k, 1, "0");
		fixture_set(&f, "softmax=column");
		fixture_set(&f, cases[k].settings);
		fixture_build(&f);
		assert_int_equal(fixture_try(&f, &e), cases[k].fits ? OK_STATUS : E_LIMIT);
		assert_string_equal(e.option, cases[k].fits ? "" : "softmax column");
		if (!cases[k].fits)
			assert_non_null(strstr(e.text, "the limit is 2e+09"));
		fixture_free(&f);
	}
}

/* A run of 8192 is summed by itself, and the next one added to it. */
static void long_sums_of_narrow_types(void **state)
{
	enum { RUN = 8192, N = RUN + 1000 };
	static double scores[N];
	static const enum dtype type[] = { DTYPE_F32, DTYPE_F16, DTYPE_BF16 };
	static const char *const settings[] = { "dtype=f32", "dtype=f16", "dtype=bf16" };

	(void)state;
	struct dice dice = { 11 };
	for (size_t j = 0; j < N; j++)
		scores[j] = dice_between(&dice, -3, 0);
	scores[0] = scores[RUN] = 0;		/* the largest of either part */
	for (int k = 0; k < 3; k++) {
		struct fixture whole, first, rest;
		fixture_scores(&whole, 1, N, scores);
		fixture_scores(&first, 1, RUN, scores);
		fixture_scores(&rest, 1, N - RUN, scores + RUN);
		fixture_set(&whole, settings[k]);
		fixture_set(&first, settings[k]);
		fixture_set(&rest, settings[k]);
		double sum = fixture_row(&first, 0)->denominator + fixture_row(&rest, 0)->denominator;
		assert_same(fixture_row(&whole, 0)->denominator, dtype_round(sum, type[k]));
		fixture_free(&whole);
		fixture_free(&first);
		fixture_free(&rest);
	}
}

/* ---- what does not fit ---- */

static void refuses(struct fixture *f, const char *settings, enum status wanted, const char *option, const char *words)
{
	struct error e = { 0 };

	fixture_set(f, settings);
	assert_int_equal(fixture_try(f, &e), wanted);
	assert_string_equal(e.option, option);
	if (!strstr(e.text, words))
		fail_msg("\"%s\" lacks \"%s\"", e.text, words);
}

static void options_that_do_not_fit(void **state)
{
	static const double scores[] = { 2, 1, 0.1, 1, 2, 0.1 };
	struct fixture f;

	(void)state;
	fixture_random(&f, 3, 5, 4, 2, "0");
	refuses(&f, "transpose=off", E_SHAPE, "transpose off", "(3, 4) K (5, 4)");
	refuses(&f, "transpose=on head=1", E_VALUE, "head 1", "counted from 0");
	refuses(&f, "head=0 layer=1", E_VALUE, "layer 1", "counted from 0");
	refuses(&f, "layer=0 batch=1", E_VALUE, "batch 1", "counted from 0");
	refuses(&f, "batch=0 pad=2,5", E_VALUE, "pad 2,5", "0..4");
	refuses(&f, "pad=none documents=1,1", E_VALUE, "documents 1,1", "2 ids for 5 keys");
	refuses(&f, "documents=off hide=3:0", E_VALUE, "hide 3:0", "0..2");
	refuses(&f, "hide=none keep=2:5", E_VALUE, "keep 2:5", "0..4");
	refuses(&f, "keep=none bug=no-scale,mistake", E_VALUE, "bug no-scale,mistake", "mistake");
	fixture_set(&f, "bug=none");
	fixture_start(&f);
	fixture_free(&f);

	fixture_scores(&f, 2, 3, scores);
	refuses(&f, "scale=dmodel", E_VALUE, "scale dmodel", "d-model");
	refuses(&f, "scale=sqrt transpose=off", E_VALUE, "transpose off", "no Q and K");
	fixture_set(&f, "transpose=on");
	fixture_start(&f);
	assert_non_null(f.attention.scale_note);
	assert_same(fixture_row(&f, 0)->scaled[0], 2);
	fixture_free(&f);
}

/* ---- numbers and where they come from ---- */

static void scores_with_a_d_k(void **state)
{
	static const double scores[] = { 16, 8, 0 };
	struct fixture f;

	(void)state;
	fixture_scores(&f, 1, 3, scores);
	f.scenario.d_k = 64;
	fixture_row(&f, 0);
	assert_null(f.attention.scale_note);
	assert_same(f.row.scaled[0], 2);
	assert_same(f.row.scaled[1], 1);
	fixture_free(&f);
}

static void given_weights_are_not_touched(void **state)
{
	static const double weights[] = { 1.25, 0, 1.25, 0.25, 0.25, 0.5, 0, 0, 0, 0.5, NAN, 0.5 };
	static const enum verdict wanted[] = { VERDICT_HIGH, VERDICT_OK, VERDICT_LOW, VERDICT_NAN };
	static const double sums[] = { 2.5, 1, 0, NAN };
	struct fixture f;

	(void)state;
	fixture_init(&f);
	fixture_array(&f, ARRAY_WEIGHTS, 4, 3, weights);
	fixture_set(&f, "causal=on softmax=column");
	for (size_t i = 0; i < 4; i++) {
		const struct row *r = fixture_row(&f, i);
		assert_int_equal(r->verdict, wanted[i]);
		assert_same(r->sum, sums[i]);
		for (size_t j = 0; j < 3; j++) {
			assert_same(r->weights[j], weights[3 * i + j]);
			assert_false(mask_hides(r->rules[j]));
		}
	}
	assert_false(attention_has_stage(&f.attention, STAGE_SCORES));
	assert_false(attention_has_stage(&f.attention, STAGE_MASKED));
	assert_true(attention_has_stage(&f.attention, STAGE_WEIGHTS));
	assert_same(fixture_row(&f, 1)->output[2], 0.5);	/* V is the identity */
	fixture_free(&f);
}

/* X (n, d_model), two heads, W_O: against the sums written out. */
static void heads_are_joined(void **state)
{
	struct fixture f;
	struct error e = { 0 };
	struct joined all;
	double joined[6], beside[4];

	(void)state;
	fixture_random(&f, 3, 3, 4, 2, "7");
	f.scenario.random.heads = 2;
	f.scenario.random.d_model = 6;
	fixture_set(&f, "alibi=auto causal=on");	/* the slope is each head's own */
	fixture_start(&f);
	assert_int_equal(joined_init(&all, &f.attention, &f.tables, &e), OK_STATUS);
	assert_int_equal(f.problem.d_model, 6);
	assert_int_equal(attention_joined_columns(&f.attention), 6);
	assert_true(attention_has_stage(&f.attention, STAGE_JOINED));
	for (size_t i = 0; i < 3; i++) {
		for (size_t h = 0; h < 2; h++) {
			f.options.head = (long)h;
			fixture_start(&f);
			memcpy(beside + 2 * h, fixture_row(&f, i)->output, 2 * sizeof *beside);
		}
		joined_row(&all, i, joined);
		const struct matrix *w_o = problem_array(&f.problem, ARRAY_W_O, 1);
		for (size_t c = 0; c < 6; c++) {
			double sum = 0;
			for (size_t k = 0; k < 4; k++)
				sum += beside[k] * matrix_at(w_o, k, c);
			assert_same(joined[c], sum);
		}
	}
	joined_free(&all);
	joined_free(&all);		/* a zeroed one is accepted */
	fixture_free(&f);
}

/* ---- V that is not given ---- */

enum { KEYS = 9 };

/* Finished weights of KEYS keys, with or without the identity as V. */
static void start_weights(struct fixture *f, const double *weights, bool with_v, const char *settings)
{
	double identity[KEYS * KEYS] = { 0 };

	for (size_t i = 0; i < KEYS; i++)
		identity[i * KEYS + i] = 1;
	fixture_init(f);
	fixture_array(f, ARRAY_WEIGHTS, 1, KEYS, weights);
	if (with_v)
		fixture_array(f, ARRAY_V, KEYS, KEYS, identity);
	fixture_set(f, settings);
	fixture_start(f);
}

static void no_v_is_the_identity(void **state)
{
	static const double values[] = { 0, -0.0, 0.1, -2, 1e-300, 7e4, INFINITY, -INFINITY, NAN };
	static const char *const settings[] = { "dtype=f64", "dtype=f32", "dtype=f16", "dtype=bf16" };
	struct dice dice = { 5 };

	(void)state;
	for (int round = 0; round < 400; round++) {
		struct fixture with, without;
		double weights[KEYS];
		/* Half of the time one at most is not finite. */
		for (size_t j = 0; j < KEYS; j++)
			weights[j] = values[dice_below(&dice, round % 2 ? 9 : 5)];
		weights[dice_below(&dice, KEYS)] = values[dice_below(&dice, 9)];
		start_weights(&with, weights, true, settings[round % 4]);
		start_weights(&without, weights, false, settings[round % 4]);
		assert_null(problem_array(&without.problem, ARRAY_V, 0));
		assert_int_equal(without.problem.d_v, KEYS);
		fixture_row(&with, 0);
		fixture_row(&without, 0);
		for (size_t c = 0; c < KEYS; c++)
			assert_same(without.row.output[c], with.row.output[c]);
		fixture_free(&with);
		fixture_free(&without);
	}
}

static void an_identity_takes_no_room(void **state)
{
	enum { N = 200000 };		/* 320 GB as an array */
	static double scores[N];
	struct error e = { 0 };
	struct problem p;
	struct fixture f;

	(void)state;
	scores[N - 1] = 3;
	fixture_scores(&f, 1, N, scores);
	fixture_row(&f, 0);
	assert_same(f.row.output[N - 1], f.row.weights[N - 1]);
	fixture_edit(&f, ARRAY_V, 0, 0, 1);
	assert_int_equal(problem_build(&p, &f.scenario, &f.options, &f.scenario.edits, &f.tables, &e), E_VALUE);
	assert_non_null(strstr(e.text, "v is not given"));
	fixture_free(&f);
}

/* ---- changed numbers ---- */

static void a_changed_score_stands_where_it_was_put(void **state)
{
	struct fixture f;
	double before[3], after;

	(void)state;
	fixture_random(&f, 3, 3, 4, 2, "0");
	memcpy(before, fixture_row(&f, 1)->scores, sizeof before);
	fixture_edit(&f, ARRAY_SCORES, 1, 2, 0.1);
	fixture_rebuild(&f);
	fixture_row(&f, 1);
	for (size_t j = 0; j < 3; j++) {
		assert_same(f.row.scores[j], j == 2 ? 0.1 : before[j]);
		assert_int_equal(f.row.overridden[j], j == 2);
	}
	assert_same(f.row.scaled[2], 0.05);
	assert_false(fixture_row(&f, 0)->overridden[2]);
	/* As any other number it is one of the type in force: NumPy's float16(0.1). */
	fixture_set(&f, "dtype=f16");
	fixture_start(&f);
	after = fixture_row(&f, 1)->scores[2];
	assert_same(after, 0x1.998p-4);
	fixture_free(&f);
}

/* Those of other rows, heads and arrays stand before and behind. */
static void scores_change_in_their_own_row(void **state)
{
	struct fixture f;
	size_t n;

	(void)state;
	fixture_random(&f, 5, 4, 3, 2, "0");
	fixture_start(&f);
	assert_null(edits_of_row(&f.problem.edits, ARRAY_SCORES, 0, 0, &n));
	assert_int_equal(n, 0);
	fixture_edit(&f, ARRAY_Q, 1, 1, 9);
	for (size_t i = 1; i < 5; i += 2)
		for (size_t j = 0; j < i; j++)
			fixture_edit(&f, ARRAY_SCORES, i, j, (double)(10 * i + j));
	fixture_rebuild(&f);
	for (size_t i = 0; i < 5; i++) {
		const struct row *r = fixture_row(&f, i);
		const struct edit *edit = edits_of_row(&f.problem.edits, ARRAY_SCORES, 0, i, &n);
		assert_int_equal(n, i % 2 ? i : 0);
		for (size_t j = 0; j < 4; j++) {
			assert_int_equal(r->overridden[j], j < n);
			if (j < n) {
				assert_int_equal(edit[j].column, j);
				assert_same(r->scores[j], (double)(10 * i + j));
			}
		}
		edits_of_row(&f.problem.edits, ARRAY_SCORES, 1, i, &n);
		assert_int_equal(n, 0);
	}
	fixture_free(&f);
}

static void edits_that_fit_nothing_are_refused(void **state)
{
	static const struct { enum array array; size_t row, column; const char *words; } bad[] = {
		{ ARRAY_SCORES, 3, 0, "3:0 of scores" }, { ARRAY_SCORES, 0, 3, "0:3 of scores" },
		{ ARRAY_W_Q, 6, 0, "6:0 of w-q" }, { ARRAY_WEIGHTS, 0, 0, "0:0 of weights" },
		{ ARRAY_Q, 0, 0, "q follows from x" }, { ARRAY_K, 0, 0, "k follows from x" }, { ARRAY_V, 0, 0, "v follows from x" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
		struct fixture f;
		struct error e = { 0 };
		struct problem p;
		fixture_random(&f, 3, 3, 4, 2, "0");
		f.scenario.random.d_model = 6;
		fixture_edit(&f, bad[k].array, bad[k].row, bad[k].column, 1);
		assert_int_equal(problem_build(&p, &f.scenario, &f.options, &f.scenario.edits, &f.tables, &e), E_VALUE);
		if (!strstr(e.text, bad[k].words))
			fail_msg("'%s' lacks '%s'", e.text, bad[k].words);
		fixture_free(&f);
	}
}

/* X changed: Q, K and V follow. */
static void a_changed_x_moves_its_row(void **state)
{
	struct fixture f;
	double q[2][4];

	(void)state;
	fixture_random(&f, 3, 3, 4, 2, "0");
	f.scenario.random.d_model = 6;
	fixture_build(&f);
	memcpy(q, problem_array(&f.problem, ARRAY_Q, 0)->v, sizeof q);
	fixture_edit(&f, ARRAY_X, 1, 0, 7);
	fixture_rebuild(&f);
	const double *now = problem_array(&f.problem, ARRAY_Q, 0)->v;
	for (size_t c = 0; c < 4; c++) {
		assert_same(now[c], q[0][c]);
		assert_true(now[4 + c] != q[1][c]);
	}
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrays_of_every_case),
		cmocka_unit_test(prints_of_every_case),
		cmocka_unit_test(hidden_cells_of_every_case),
		cmocka_unit_test(verdicts_of_every_case),
		cmocka_unit_test(statistics_of_every_case),
		cmocka_unit_test(fills_of_every_case),
		cmocka_unit_test(the_experiment),
		cmocka_unit_test(narrow_types),
		cmocka_unit_test(columns_as_numpy_adds_them),
		cmocka_unit_test(slopes_of_alibi),
		cmocka_unit_test(zero_rows_beside_a_bad_value),
		cmocka_unit_test(types_of_scores_and_fill),
		cmocka_unit_test(options_replace_random_input),
		cmocka_unit_test(options_of_random_input_on_given_numbers),
		cmocka_unit_test(options_that_do_not_fit),
		cmocka_unit_test(scores_with_a_d_k),
		cmocka_unit_test(given_weights_are_not_touched),
		cmocka_unit_test(heads_are_joined),
		cmocka_unit_test(no_v_is_the_identity),
		cmocka_unit_test(an_identity_takes_no_room),
		cmocka_unit_test(columns_beyond_what_is_kept),
		cmocka_unit_test(columns_that_cost_too_much),
		cmocka_unit_test(long_sums_of_narrow_types),
		cmocka_unit_test(scores_change_in_their_own_row),
		cmocka_unit_test(a_changed_score_stands_where_it_was_put),
		cmocka_unit_test(edits_that_fit_nothing_are_refused),
		cmocka_unit_test(a_changed_x_moves_its_row),
	};
	return cmocka_run_group_tests_name("row", tests, open_corpus, close_corpus);
}
