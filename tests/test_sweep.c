/* test_sweep.c - the d_k experiment: its numbers, its pieces, its texts.
 *
 * Numbers of seed 0 are those that NumPy 1.24.2 prints for the lesson's script
 * (the key "experiments" of the golden corpus). What that does not cover is
 * compared with the script written down once more, with whole arrays.
 */
#include "tests/fixture.h"

#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "core/sweep.h"
#include "tests/alloc.h"
#include "tui/sweep.h"
#include "tui/text.h"

/* ---- tools ---- */

static struct random_tables tables;

static void set(struct sweep_request *r, enum sweep_parameter p, const char *text)
{
	struct error e = { 0 };

	if (sweep_set(r, p, text, &e))
		fail_msg("--%s: %s", e.option, e.text);
}

/* A request; NULL is the lesson's. */
static struct sweep_request request(const char *d_k, const char *n, const char *seed, const char *repeats,
				    const char *std_d_k, const char *pairs)
{
	const char *const text[SWEEP_PARAMETER_COUNT] = {
		[SWEEP_D_K] = d_k, [SWEEP_N] = n, [SWEEP_SEED] = seed, [SWEEP_REPEATS] = repeats,
		[SWEEP_STD_D_K] = std_d_k, [SWEEP_PAIRS] = pairs,
	};
	struct sweep_request r;

	sweep_request_init(&r);
	for (int p = 0; p < SWEEP_PARAMETER_COUNT; p++)
		if (text[p])
			set(&r, (enum sweep_parameter)p, text[p]);
	return r;
}

static void start(struct sweep *s, const struct sweep_request *r)
{
	struct error e = { 0 };

	if (sweep_init(s, r, &tables, &e))
		fail_msg("--%s: %s", e.option, e.text);
}

static void run_all(struct sweep *s, const struct sweep_request *r)
{
	start(s, r);
	while (sweep_step(s))
		;
}

/* To be freed. */
static char *written(const struct sweep *s, enum sweep_format format, bool ascii)
{
	struct buffer b = { 0 };

	sweep_write(&b, s, format, ascii);
	assert_false(b.failed);
	return b.data;
}

static void assert_holds(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

/* ---- the numbers of the lesson ---- */

static const struct { size_t d_k; double none, sqrt; const char *line; } golden[] = {
	{ 4, 0x1.782437959f4a6p-2, 0x1.a980a5f682944p-3, "     4  0.367       0.208       " },
	{ 16, 0x1.6fdd1455a6b7cp-1, 0x1.042f5fde52272p-2, "    16  0.718       0.254       " },
	{ 64, 0x1.859e651a8263ap-1, 0x1.e872736ca65e9p-3, "    64  0.761       0.238       " },
	{ 256, 0x1.c2a322c208ce6p-1, 0x1.b52381ea3bcb9p-3, "   256  0.88        0.213       " },
	{ 1024, 0x1.f8c8eda8ee94ap-1, 0x1.10374135ca1f4p-2, "  1024  0.986       0.266       " },
};

static const struct { size_t d_k; double std; const char *line; } golden_std[] = {
	{ 4, 0x1.fa900edd6b64dp+0, "     4  1.9787606516432732  2.0\n" },
	{ 64, 0x1.030702c74bb7cp+3, "    64  8.09460581707912    8.0\n" },
	{ 1024, 0x1.fea08a33542afp+4, "  1024  31.91419429827027   32.0\n" },
};

static void numbers_of_the_lesson(void **state)
{
	struct sweep *s = *state;

	assert_int_equal(s->request.d_k.count, 5);
	for (size_t k = 0; k < 5; k++) {
		assert_int_equal(s->request.d_k.v[k], golden[k].d_k);
		assert_int_equal(sweep_repeats_done(s, k), 1);
		assert_same(sweep_mean(s, k, SWEEP_LARGEST + SWEEP_NONE), golden[k].none);
		assert_same(sweep_mean(s, k, SWEEP_LARGEST + SWEEP_SQRT), golden[k].sqrt);
		assert_same(sweep_sd(s, k, SWEEP_LARGEST), 0);
	}
	assert_int_equal(sweep_std_done(s), 3);
	for (size_t k = 0; k < 3; k++)
		assert_same(s->std[k], golden_std[k].std);
}

static void table_of_the_lesson(void **state)
{
	char *text = written(*state, SWEEP_TABLE, false);

	assert_int_equal(strncmp(text, "sweep  n 16  seed 0  repeats 1\n", 31), 0);
	for (size_t k = 0; k < 5; k++)
		assert_holds(text, golden[k].line);
	for (size_t k = 0; k < 3; k++)
		assert_holds(text, golden_std[k].line);
	assert_holds(text, "   d_k  largest, no scale    largest, ÷√d_k       std of q·k  √d_k\n"
			   "     4  0.367                0.208                1.979       2.0\n"
			   "    64  0.761                0.238                8.095       8.0\n"
			   "  1024  0.986                0.266                31.914      32.0\n");
	assert_holds(text, "a larger d_k makes softmax ______,\n");
	assert_holds(text, "  even  0.062       0.062       0.062       4.0 ");
	free(text);
}

/* Every line fits in 80 columns and has no blanks at its end. */
static void check_lines(const char *text, bool ascii)
{
	char line[256];

	while (*text) {
		size_t n = strcspn(text, "\n");
		assert_true(n < sizeof line);
		snprintf(line, sizeof line, "%.*s", (int)n, text);
		assert_in_range(text_width(line, ascii), 0, 80);
		assert_true(!n || line[n - 1] != ' ');
		for (size_t k = 0; k < n && ascii; k++)
			assert_in_range(line[k], ' ', '~');
		text += n + (text[n] == '\n');
	}
}

static void tables_fit(void **state)
{
	struct sweep_request r = request("1,65536", "2", NULL, "2", "65536,3", "2");
	struct sweep s;

	(void)state;
	run_all(&s, &r);
	for (int ascii = 0; ascii < 2; ascii++) {
		char *text = written(&s, SWEEP_TABLE, ascii);
		check_lines(text, ascii);
		assert_holds(text, "its sd over the repeats");
		assert_holds(text, "\n     3  -                    -                    ");
		free(text);
	}
	sweep_free(&s);
}

static void what_rounds_to_zero(void **state)
{
	struct sweep_request r = request("1024", NULL, NULL, "3", "none", NULL);
	struct sweep s;

	(void)state;
	run_all(&s, &r);
	assert_true(sweep_sd(&s, 0, SWEEP_LARGEST + SWEEP_DK) > 0);
	assert_true(sweep_sd(&s, 0, SWEEP_LARGEST + SWEEP_DK) < 0.0005);
	char *text = written(&s, SWEEP_TABLE, false);
	assert_holds(text, "  ~0  ");
	assert_null(strstr(text, "notebook"));
	assert_holds(text, "Complete it");
	free(text);
	sweep_free(&s);
}

static double number_in(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	assert_true(json_is_number(value));
	return json_number_value(value);
}

/* Parsed, as the text of one that is well formed. */
static json_t *parsed(const struct sweep *s)
{
	char *text = written(s, SWEEP_JSON, false);
	json_error_t why;
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &why);

	if (!root)
		fail_msg("%s:\n%s", why.text, text);
	free(text);
	return root;
}

static void json_of_the_lesson(void **state)
{
	json_t *root = parsed(*state), *rows = json_object_get(root, "rows"), *std = json_object_get(root, "std");

	assert_int_equal(json_object_size(root), 2);
	assert_int_equal(json_array_size(rows), 5);
	for (size_t k = 0; k < 5; k++) {
		const json_t *row = json_array_get(rows, k);
		assert_int_equal(json_object_size(row), 7);
		assert_true(json_is_integer(json_object_get(row, "d_k")));
		assert_same(number_in(row, "d_k"), (double)golden[k].d_k);
		assert_same(number_in(row, "none"), golden[k].none);
		assert_same(number_in(row, "sqrt"), golden[k].sqrt);
		assert_same(number_in(row, "dk"), sweep_mean(*state, k, SWEEP_LARGEST + SWEEP_DK));
		assert_same(number_in(row, "entropy_none"), sweep_mean(*state, k, SWEEP_ENTROPY + SWEEP_NONE));
		assert_same(number_in(row, "entropy_sqrt"), sweep_mean(*state, k, SWEEP_ENTROPY + SWEEP_SQRT));
		assert_same(number_in(row, "entropy_dk"), sweep_mean(*state, k, SWEEP_ENTROPY + SWEEP_DK));
	}
	assert_int_equal(json_array_size(std), 3);
	for (size_t k = 0; k < 3; k++) {
		const json_t *row = json_array_get(std, k);
		assert_int_equal(json_object_size(row), 3);
		assert_same(number_in(row, "d_k"), (double)golden_std[k].d_k);
		assert_same(number_in(row, "std"), golden_std[k].std);
		assert_same(number_in(row, "sqrt_d_k"), sqrt((double)golden_std[k].d_k));
	}
	json_decref(root);
}

static void csv_of_the_lesson(void **state)
{
	char *text = written(*state, SWEEP_CSV, false);

	assert_holds(text, "d_k,none,sqrt,dk,entropy_none,entropy_sqrt,entropy_dk,std,sqrt_d_k\n4,0.3673256573745881,0.2077649083951859,");
	assert_holds(text, ",1.9787606516432732,2.0\n16,0.7184835772089708,0.2540869693225779,");
	assert_holds(text, ",,4.0\n64,0.7609740824565911,0.23849954772303697,");
	assert_holds(text, ",31.91419429827027,32.0\n");
	free(text);
}

/* ---- against the script, written down with whole arrays ---- */

static double *draw(struct random *g, size_t n)
{
	double *a = malloc(n * sizeof *a);

	assert_non_null(a);
	for (size_t k = 0; k < n; k++)
		a[k] = random_normal(g);
	return a;
}

static void softmax(double *w, size_t n)
{
	double largest = w[0];

	for (size_t j = 1; j < n; j++)
		largest = w[j] > largest ? w[j] : largest;
	for (size_t j = 0; j < n; j++)
		w[j] = exp(w[j] - largest);
	double sum = number_sum(w, n);
	for (size_t j = 0; j < n; j++)
		w[j] /= sum;
}

static double largest_in(const double *w, size_t n)
{
	double largest = 0;

	for (size_t j = 0; j < n; j++)
		largest = w[j] > largest ? w[j] : largest;
	return largest;
}

static double entropy_of(const double *w, size_t n)
{
	double sum = 0;

	for (size_t j = 0; j < n; j++)
		if (w[j] > 0)
			sum -= w[j] * log2(w[j]);
	return sum;
}

static void script_weights(struct random *g, size_t n, size_t d_k, double out[SWEEP_MEASURE_COUNT])
{
	double *q = draw(g, n * d_k), *k = draw(g, n * d_k), *v = draw(g, n * d_k);
	double *w = malloc(n * sizeof *w), *largest = malloc(n * sizeof *w), *entropy = malloc(n * sizeof *w);
	const double divisor[] = { 1, sqrt((double)d_k), (double)d_k };

	assert_true(w && largest && entropy);
	for (int scale = 0; scale < 3; scale++) {
		for (size_t i = 0; i < n; i++) {
			for (size_t j = 0; j < n; j++) {
				w[j] = 0;
				for (size_t c = 0; c < d_k; c++)
					w[j] += q[i * d_k + c] * k[j * d_k + c];
				w[j] /= divisor[scale];
			}
			softmax(w, n);
			largest[i] = largest_in(w, n);
			entropy[i] = entropy_of(w, n);
		}
		out[SWEEP_LARGEST + scale] = number_sum(largest, n) / (double)n;
		out[SWEEP_ENTROPY + scale] = number_sum(entropy, n) / (double)n;
	}
	free(q);
	free(k);
	free(v);
	free(w);
	free(largest);
	free(entropy);
}

static double script_std(double *x, size_t n)
{
	double mean = number_sum(x, n) / (double)n;

	for (size_t k = 0; k < n; k++)
		x[k] = (x[k] - mean) * (x[k] - mean);
	return sqrt(number_sum(x, n) / (double)n);
}

static double script_pairs(struct random *g, size_t pairs, size_t d_k)
{
	double *q = draw(g, pairs * d_k), *k = draw(g, pairs * d_k), *dots = malloc(pairs * sizeof *dots);

	assert_non_null(dots);
	for (size_t c = 0; c < pairs * d_k; c++)
		q[c] *= k[c];
	for (size_t p = 0; p < pairs; p++)
		dots[p] = number_sum(q + p * d_k, d_k);
	double std = script_std(dots, pairs);
	free(q);
	free(k);
	free(dots);
	return std;
}

enum { MOST_REPEATS = 300 };

static void check_measure(const struct sweep *s, size_t item, int m, const double values[MOST_REPEATS])
{
	size_t repeats = s->request.repeats;
	double copy[MOST_REPEATS];

	memcpy(copy, values, sizeof copy);
	assert_same(sweep_mean(s, item, m), number_sum(copy, repeats) / (double)repeats);
	assert_same(sweep_sd(s, item, m), script_std(copy, repeats));
}

static void check_script(const struct sweep_request *r)
{
	static double value[SWEEP_LIST][SWEEP_MEASURE_COUNT][MOST_REPEATS];
	double measure[SWEEP_MEASURE_COUNT];
	struct error e = { 0 };
	struct random g;
	struct sweep s;

	run_all(&s, r);
	assert_int_equal(random_seed(&g, &tables, r->seed, &e), OK_STATUS);
	assert_true(r->repeats <= MOST_REPEATS);
	for (size_t repeat = 0; repeat < r->repeats; repeat++)
		for (size_t k = 0; k < r->d_k.count; k++) {
			script_weights(&g, r->n, r->d_k.v[k], measure);
			for (int m = 0; m < SWEEP_MEASURE_COUNT; m++)
				value[k][m][repeat] = measure[m];
		}
	for (size_t k = 0; k < r->d_k.count; k++)
		for (int m = 0; m < SWEEP_MEASURE_COUNT; m++)
			check_measure(&s, k, m, value[k][m]);
	for (size_t k = 0; k < r->std_d_k.count; k++)
		assert_same(s.std[k], script_pairs(&g, r->pairs, r->std_d_k.v[k]));
	assert_int_equal(random_next(&g), random_next(&s.random));
	sweep_free(&s);
}

static void same_as_the_script(void **state)
{
	static const char *const rows[][6] = {
		{ NULL, NULL, "1", NULL, NULL, NULL },
		{ "7,1,33", "5", "123456789012345678901234567890", "4", "9,2", "11" },
		{ "3", "1", "2", "130", "none", NULL },			/* pairwise over the repeats */
		{ "2,20000", "3", "3", "2", "9000,1", "9" },		/* sums in runs of 8192 */
		{ "5", "200", "4", NULL, "3", "8200" },
		{ "6", "4", "5", "300", "6", "1" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		const char *const *w = rows[k];
		struct sweep_request r = request(w[0], w[1], w[2], w[3], w[4], w[5]);
		check_script(&r);
	}
}

/* The rows of `qkv show --scale ...` on random input of the same seed. */
static void same_as_the_rows(void **state)
{
	static const char *const scale[] = { "scale=none", "scale=sqrt", "scale=dk" };
	struct sweep_request r = request("24", "9", "6", NULL, "none", NULL);
	double largest[9], entropy[9];
	struct sweep s;

	(void)state;
	run_all(&s, &r);
	for (int k = 0; k < 3; k++) {
		static struct fixture f;
		fixture_random(&f, 9, 9, 24, 24, "6");
		fixture_set(&f, scale[k]);
		for (size_t i = 0; i < 9; i++) {
			largest[i] = fixture_row(&f, i)->largest;
			entropy[i] = fixture_row(&f, i)->entropy;
		}
		assert_same(sweep_mean(&s, 0, SWEEP_LARGEST + k), number_sum(largest, 9) / 9);
		assert_same(sweep_mean(&s, 0, SWEEP_ENTROPY + k), number_sum(entropy, 9) / 9);
		fixture_free(&f);
	}
	sweep_free(&s);
}

/* SEEDS.md's means over 300 trials of another stream: the unscaled one nears 1,
 * / sqrt(d_k) stays, / d_k nears even weights. */
static void many_repeats(void **state)
{
	static const double none[] = { .419, .688, .847 }, root[] = { .231, .244, .248 }, whole[] = { .133, .095, .078 };
	static const double sd_none[] = { .067, .054, .046 }, sd_root[] = { .039, .026, .023 };
	struct sweep_request r = request("4,16,64", NULL, NULL, "300", "none", NULL);
	struct sweep s;

	(void)state;
	run_all(&s, &r);
	for (size_t k = 0; k < 3; k++) {
		assert_near(sweep_mean(&s, k, SWEEP_LARGEST + SWEEP_NONE), none[k], 0.012);
		assert_near(sweep_mean(&s, k, SWEEP_LARGEST + SWEEP_SQRT), root[k], 0.006);
		assert_near(sweep_mean(&s, k, SWEEP_LARGEST + SWEEP_DK), whole[k], 0.003);
		assert_near(sweep_sd(&s, k, SWEEP_LARGEST + SWEEP_NONE), sd_none[k], 0.008);
		assert_near(sweep_sd(&s, k, SWEEP_LARGEST + SWEEP_SQRT), sd_root[k], 0.004);
	}
	json_t *root_object = parsed(&s), *row = json_array_get(json_object_get(root_object, "rows"), 2);
	assert_int_equal(json_object_size(row), 13);
	assert_same(number_in(row, "sd_none"), sweep_sd(&s, 2, SWEEP_LARGEST + SWEEP_NONE));
	assert_same(number_in(row, "sd_entropy_dk"), sweep_sd(&s, 2, SWEEP_ENTROPY + SWEEP_DK));
	json_decref(root_object);
	sweep_free(&s);
}

/* ---- piece by piece ---- */

static void check_bar(const struct sweep *s, int width)
{
	struct buffer b = { 0 };

	sweep_progress_bar(&b, s, width);
	assert_int_equal(b.size, width > 0 ? width : 0);
	assert_true(!b.size || strspn(b.data, "[]# %abcdefghijklmnopqrstuvwxyz_,0123456789") == b.size);
	buffer_free(&b);
}

/* Whatever is known is final, and all formats can be written. */
static void check_partial(const struct sweep *s, const struct sweep *whole)
{
	size_t known = 0;

	for (size_t k = 0; k < s->request.d_k.count; k++) {
		size_t done = sweep_repeats_done(s, k);
		known += done > 0;
		if (!done)
			assert_same(sweep_mean(s, k, 0), NAN);
		if (done == s->request.repeats)
			assert_same(sweep_mean(s, k, 0), sweep_mean(whole, k, 0));
	}
	for (size_t k = 0; k < sweep_std_done(s); k++)
		assert_same(s->std[k], whole->std[k]);
	json_t *root = parsed(s);
	assert_int_equal(json_array_size(json_object_get(root, "rows")), known);
	assert_int_equal(json_array_size(json_object_get(root, "std")), sweep_std_done(s));
	json_decref(root);
	for (int format = SWEEP_TABLE; format <= SWEEP_CSV; format++) {
		char *text = written(s, (enum sweep_format)format, true);
		assert_null(strstr(text, "nan"));
		if (format == SWEEP_TABLE)
			assert_int_equal(strstr(text, "...") != NULL, s->phase != SWEEP_DONE);
		free(text);
	}
	check_bar(s, 79);
	check_bar(s, 20);
	check_bar(s, 0);
	check_bar(s, -1);
	check_bar(s, 200);
}

static void filled_live(void **state)
{
	struct sweep_request r = request("4,2048", "24", "9", "3", "1500,8", "400");
	struct sweep s, whole;
	double progress = 0;
	int steps = 1;

	(void)state;
	run_all(&whole, &r);
	start(&s, &r);
	assert_same(sweep_progress(&s), 0);
	check_partial(&s, &whole);
	for (; sweep_step(&s); steps++) {
		assert_true(sweep_progress(&s) > progress && sweep_progress(&s) < 1);
		progress = sweep_progress(&s);
		check_partial(&s, &whole);
	}
	assert_true(steps > 20);
	assert_same(sweep_progress(&s), 1);
	check_partial(&s, &whole);
	assert_false(sweep_step(&s));
	assert_same(sweep_progress(&s), 1);
	sweep_free(&s);
	sweep_free(&whole);
	sweep_free(&s);			/* zeroed */
}

/* A large one starts at once, is given up after any number of steps. */
static void given_up(void **state)
{
	struct sweep_request r = request("64,65536", "64", NULL, "10000", "65536", "1000");
	struct error e = { 0 };
	char seed[] = "17";

	(void)state;
	set(&r, SWEEP_SEED, seed);
	for (int steps = 0; steps < 40; steps += 13) {
		struct sweep s;
		assert_int_equal(sweep_init(&s, &r, &tables, &e), OK_STATUS);
		for (int k = 0; k < steps; k++)
			assert_true(sweep_step(&s));
		assert_true(sweep_progress(&s) < 0.001);
		assert_string_equal(s.request.seed, "17");
		assert_ptr_not_equal(s.request.seed, seed);
		sweep_free(&s);
	}
}

/* ---- what is refused ---- */

static void check_refused(enum sweep_parameter p, const char *text, const char *wanted)
{
	struct sweep_request r, before;
	struct error e = { 0 };
	char line[1024];

	sweep_request_init(&r);
	before = r;
	assert_int_equal(sweep_set(&r, p, text, &e), E_VALUE);
	error_format(&e, line, sizeof line);
	assert_string_equal(line, wanted);
	assert_memory_equal(&r, &before, sizeof r);
}

static void texts_refused(void **state)
{
	static const enum sweep_parameter sizes[] = { SWEEP_N, SWEEP_REPEATS, SWEEP_PAIRS };
	static const char *const wrong[] = { "", "0", "-1", "1.5", "4x", "1e3", "99999999999999999999", "10000001", " 4", "4,5" };
	struct error e = { 0 };
	struct sweep_request r;

	(void)state;
	sweep_request_init(&r);
	for (size_t p = 0; p < 3; p++)
		for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
			assert_int_equal(sweep_set(&r, sizes[p], wrong[k], &e), E_VALUE);
	check_refused(SWEEP_N, "4097", "--n 4097: '4097' is not an integer from 1 to 4096");
	check_refused(SWEEP_REPEATS, "10001", "--repeats 10001: '10001' is not an integer from 1 to 10000");
	check_refused(SWEEP_PAIRS, "10000001", "--pairs 10000001: '10000001' is not an integer from 1 to 10000000");
	check_refused(SWEEP_D_K, "4,,8", "--d-k 4,,8: '' is not an integer from 1 to 65536; a list such as 4,16,64 is expected");
	check_refused(SWEEP_D_K, "4,", "--d-k 4,: '' is not an integer from 1 to 65536; a list such as 4,16,64 is expected");
	check_refused(SWEEP_D_K, "65537", "--d-k 65537: '65537' is not an integer from 1 to 65536; a list such as 4,16,64 is expected");
	check_refused(SWEEP_D_K, "none", "--d-k none: 'none' is not an integer from 1 to 65536; a list such as 4,16,64 is expected");
	check_refused(SWEEP_D_K, "4,8,4", "--d-k 4,8,4: 4 is there twice; repeats draws a d_k again");
	check_refused(SWEEP_STD_D_K, "0", "--std-d-k 0: '0' is not an integer from 1 to 65536; a list such as 4,16,64 is expected");
	check_refused(SWEEP_SEED, "-1", "--seed -1: '-1' is not a seed; digits are expected");
	check_refused(SWEEP_SEED, "", "--seed: '' is not a seed; digits are expected");
}

static void long_lists(void **state)
{
	struct buffer b = { 0 };
	struct sweep_request r;
	struct error e = { 0 };

	(void)state;
	sweep_request_init(&r);
	for (int k = 1; k <= SWEEP_LIST; k++)
		buffer_format(&b, "%s%d", k > 1 ? "," : "", k);
	assert_int_equal(sweep_set(&r, SWEEP_D_K, b.data, &e), OK_STATUS);
	assert_int_equal(r.d_k.count, SWEEP_LIST);
	assert_int_equal(r.d_k.v[SWEEP_LIST - 1], SWEEP_LIST);
	buffer_text(&b, ",100");
	assert_int_equal(sweep_set(&r, SWEEP_D_K, b.data, &e), E_VALUE);
	assert_string_equal(e.text, "more than 64 sizes");
	buffer_free(&b);
}

/* One that did not come through sweep_set. */
static void requests_refused(void **state)
{
	struct sweep_request good = request("4", "4", "1", "1", "4", "4"), bad[9];
	static const char *const option[] = { "d-k", "d-k", "d-k", "std-d-k", "std-d-k", "n", "n", "repeats", "pairs" };
	char *seed = malloc(10002);
	struct sweep s, before;
	struct error e = { 0 };

	(void)state;
	for (size_t k = 0; k < 9; k++)
		bad[k] = good;
	bad[0].d_k.count = 0;
	bad[1].d_k.count = SWEEP_LIST + 1;
	bad[2].d_k.v[0] = 65537;
	bad[3].std_d_k.v[0] = 0;
	bad[4].std_d_k.count = SIZE_MAX;
	bad[5].n = 0;
	bad[6].n = 4097;
	bad[7].repeats = SIZE_MAX;
	bad[8].pairs = 10000001;
	memset(&s, 0x5a, sizeof s);
	memcpy(&before, &s, sizeof s);
	for (size_t k = 0; k < 9; k++) {
		assert_int_equal(sweep_init(&s, &bad[k], &tables, &e), E_VALUE);
		assert_int_equal(strncmp(e.option, option[k], strlen(option[k])), 0);
	}
	assert_non_null(seed);
	memset(seed, '1', 10001);
	seed[10001] = '\0';
	good.seed = seed;
	assert_int_equal(sweep_init(&s, &good, &tables, &e), E_LIMIT);
	assert_int_equal(strncmp(e.option, "seed 111", 8), 0);
	good.seed = "x";
	assert_int_equal(sweep_init(&s, &good, &tables, &e), E_VALUE);
	assert_memory_equal(&s, &before, sizeof s);
	free(seed);
}

static void every_allocation_fails(void **state)
{
	struct sweep_request r = request("4", "4", "1", "2", "4", "4");
	struct sweep s, before;
	enum status status;
	size_t n = 0;

	(void)state;
	memset(&s, 0x5a, sizeof s);
	memcpy(&before, &s, sizeof s);
	do {
		struct error e = { 0 };
		alloc_fail(++n);
		status = sweep_init(&s, &r, &tables, &e);
		alloc_fail(0);
		if (status) {
			assert_int_equal(status, E_MEMORY);
			assert_int_equal(e.status, E_MEMORY);
			assert_memory_equal(&s, &before, sizeof s);
		}
	} while (status);
	assert_true(n > 12);
	/* What follows allocates nothing. */
	alloc_fail(1);
	while (sweep_step(&s))
		;
	assert_int_equal(alloc_count(), 0);
	alloc_fail(0);
	sweep_free(&s);
}

/* ---- the whole ---- */

static int set_up(void **state)
{
	struct sweep *s = malloc(sizeof *s);
	struct sweep_request r;
	struct error e = { 0 };

	if (!s || random_tables_init(&tables, &e))
		return -1;
	sweep_request_init(&r);
	if (sweep_init(s, &r, &tables, &e))
		return -1;
	while (sweep_step(s))
		;
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	sweep_free(*state);
	free(*state);
	return 0;
}

/* Each in its range, but together more than there may be. */
static void too_many_numbers_are_refused(void **state)
{
	struct sweep_request r;
	struct sweep s = { 0 };
	struct error e = { 0 };

	(void)state;
	sweep_request_init(&r);
	assert_int_equal(sweep_set(&r, SWEEP_N, "4096", &e), OK_STATUS);
	assert_int_equal(sweep_set(&r, SWEEP_D_K, "4,16385", &e), OK_STATUS);	/* 2^12 (2^14 + 1) */
	assert_int_equal(sweep_init(&s, &r, &tables, &e), E_LIMIT);
	assert_non_null(strstr(e.text, "16385"));
	sweep_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_many_numbers_are_refused), cmocka_unit_test(numbers_of_the_lesson), cmocka_unit_test(table_of_the_lesson),
		cmocka_unit_test(json_of_the_lesson), cmocka_unit_test(csv_of_the_lesson),
		cmocka_unit_test(tables_fit), cmocka_unit_test(what_rounds_to_zero),
		cmocka_unit_test(same_as_the_script), cmocka_unit_test(same_as_the_rows),
		cmocka_unit_test(many_repeats), cmocka_unit_test(filled_live), cmocka_unit_test(given_up),
		cmocka_unit_test(texts_refused), cmocka_unit_test(long_lists), cmocka_unit_test(requests_refused),
		cmocka_unit_test(every_allocation_fails),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests_name("sweep", tests, set_up, tear_down);
}
