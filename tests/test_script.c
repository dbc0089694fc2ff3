/* test_script.c - the NumPy script that `:w FILE.py` and `qkv show --format script`
 * write: run by Python, it prints what `qkv show --format numpy` prints, byte for
 * byte, and warns of nothing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bug.h"
#include "core/io/scenario_yaml.h"
#include "core/message.h"
#include "tests/fixture.h"
#include "tests/python.h"
#include "tui/language.h"
#include "tui/load.h"
#include "tui/show.h"

/* ---- what is compared ---- */

struct input {
	struct scenario scenario;
	struct options options;
	struct problem problem;
};

static struct random_tables tables;
static struct scripts all;		/* of every test, for one Python */

static void open_input(struct input *in, const char *name)
{
	struct error e = { 0 };
	enum status status;

	memset(in, 0, sizeof *in);
	status = strchr(name, '\n') ? scenario_parse(&in->scenario, name, strlen(name), "test.yaml", &e)
				    : load_scenario(&in->scenario, name, &tables, &e);
	if (status)
		fail_msg("%.60s: %s", name, e.text);
	assert_int_equal(options_copy(&in->options, &in->scenario.set, &e), OK_STATUS);
}

static void close_input(struct input *in)
{
	problem_free(&in->problem);
	options_free(&in->options);
	scenario_free(&in->scenario);
}

static void build(struct input *in)
{
	struct error e = { 0 };

	if (problem_build(&in->problem, &in->scenario, &in->options, &in->scenario.edits, &tables, &e))
		fail_msg("%s: %s", e.option, e.text);
}

static enum status write_as(const struct input *in, enum show_format format, bool row_sums, struct slice rows, struct buffer *out,
			    struct error *e)
{
	const struct show_request request = {
		.problem = &in->problem, .input = &in->scenario, .options = &in->options, .tables = &tables,
		.scenario = in->scenario.name, .format = format, .row_sums = row_sums, .rows = rows,
	};
	return show(out, &request, e);
}

/* Adds the script of the state; false where qkv itself refuses the options, and
 * then both formats must. */
static bool add(struct scripts *s, const struct input *in, bool row_sums, struct slice rows, const char *name)
{
	struct buffer script = { 0 }, wanted = { 0 };
	struct error e = { 0 }, other = { 0 };
	enum status status = write_as(in, SHOW_NUMPY, row_sums, rows, &wanted, &e);

	assert_int_equal(write_as(in, SHOW_SCRIPT, row_sums, rows, &script, &other), status);
	if (status)
		assert_string_equal(e.text, other.text);
	else
		scripts_add(s, name, script.data, wanted.data);
	buffer_free(&script);
	buffer_free(&wanted);
	return !status;
}

static void set(struct input *in, enum option o, const char *value)
{
	struct error e = { 0 };

	if (option_set(&in->options, o, value, &e))
		fail_msg("%s: %s", option_info(o)->name, e.text);
}

static const struct slice all_rows;

static void add_stages(struct scripts *s, struct input *in, const char *name)
{
	static const char *const stages[] = { "input", "scores", "scaled", "masked", "weights", "output", "joined" };
	char label[200];

	for (size_t k = 0; k < sizeof stages / sizeof *stages; k++) {
		set(in, OPT_STAGE, stages[k]);
		snprintf(label, sizeof label, "%s, %s", name, stages[k]);
		add(s, in, false, all_rows, label);
	}
	snprintf(label, sizeof label, "%s, row-sums", name);
	add(s, in, true, all_rows, label);
}

/* ---- tests ---- */

static void every_scenario_and_stage(void **state)
{
	size_t before = all.n;

	(void)state;
	for (size_t i = 0; i < builtin_count(); i++) {
		struct input in;
		open_input(&in, builtin_name(i));
		build(&in);
		add_stages(&all, &in, builtin_name(i));
		close_input(&in);
	}
	assert_true(all.n - before >= 7 * builtin_count());
}

static void every_array_of_random_input(void **state)
{
	static const char *const names[] = { "shapes-10", "random-4", "cross-3x5" };
	size_t before = all.n;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		for (int a = 0; a < ARRAY_SCORES; a++) {
			struct input in;
			char label[64];
			open_input(&in, names[i]);
			set(&in, OPT_STAGE, "input");
			set(&in, OPT_ARRAY, array_name((enum array)a));
			if (!i)
				set(&in, OPT_HEAD, "2");
			build(&in);
			snprintf(label, sizeof label, "%s, %s", names[i], array_name((enum array)a));
			add(&all, &in, false, all_rows, label);
			close_input(&in);
		}
	assert_int_equal(all.n - before, 8 + 3 + 3);
}

static void every_bug(void **state)
{
	static const char *const names[] = { "causal-3", "pad-4", "left-pad-4", "square-4", "shapes-10", "low-scores-3" };
	size_t before = all.n;

	(void)state;
	for (size_t b = 0; b < bugs_count; b++)
		for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
			struct input in;
			char label[200];
			open_input(&in, names[i]);
			set(&in, OPT_BUG, bugs[b].name);
			build(&in);
			snprintf(label, sizeof label, "%s, bug %s", names[i], bugs[b].name);
			add(&all, &in, false, all_rows, label);
			close_input(&in);
		}
	assert_true(all.n - before > 5 * bugs_count);
}

/* ---- random options ---- */

static const char *one_of(struct dice *d, const char *words)
{
	static char word[64];		/* of this test alone */
	size_t n = 1;

	for (const char *p = words; *p; p++)
		n += *p == ' ';
	for (n = dice_below(d, n); n; n--)
		words = strchr(words, ' ') + 1;
	snprintf(word, sizeof word, "%.*s", (int)strcspn(words, " "), words);
	return word;
}

/* Each with the chance, in percent, that it is set, and what to. */
static const struct { enum option option; unsigned chance; const char *words; } choices[] = {
	{ OPT_CAUSAL, 50, "on off" }, { OPT_CAUSAL_ALIGN, 20, "bottom-right" }, { OPT_CAUSAL_OFFSET, 20, "-2 -1 1" },
	{ OPT_PAD_MASK, 10, "off" }, { OPT_WINDOW, 15, "1 2 3" }, { OPT_PREFIX, 10, "1 2" },
	{ OPT_HIDE, 20, "0:0 0:1,1:0,1:1 1:2" }, { OPT_KEEP, 20, "0:1 0:0,1:2" }, { OPT_MASK_INVERT, 10, "on" },
	{ OPT_PAD, 30, "0 1 2 0,1,2 1-2" }, { OPT_PAD_AXIS, 15, "key query both" }, { OPT_TRANSPOSE, 8, "off" },
	{ OPT_SCALE, 30, "none dk dmodel 0.5 -1 3" }, { OPT_SCALE_TIMES, 10, "2" }, { OPT_TEMPERATURE, 20, "2 0.7" },
	{ OPT_SOFTCAP, 15, "2 30" }, { OPT_ALIBI, 20, "auto 0.5 0.1" }, { OPT_FILL, 30, "-1e9 min 0 -1e4 1e-9" },
	{ OPT_FILL_OP, 30, "add multiply" }, { OPT_KEEP_VALUE, 15, "1 0 -2" }, { OPT_MASK_AT, 20, "after after-renorm" },
	{ OPT_EMPTY_ROW, 30, "zero uniform" }, { OPT_SOFTMAX, 20, "column" }, { OPT_SOFTMAX_KIND, 20, "naive" },
	{ OPT_SOFTMAX_TIMES, 15, "2" }, { OPT_DROPOUT, 20, "0.1 0.5" }, { OPT_DROPOUT_SEED, 20, "1 99 12345678901234567890" },
	{ OPT_DTYPE, 35, "f64 f32 f16 bf16" }, { OPT_SCORE_DTYPE, 15, "f64 f32 f16 bf16" }, { OPT_FILL_DTYPE, 15, "f32 f16 bf16" },
	{ OPT_PRECISION, 15, "0 2 3 12" }, { OPT_STAGE, 60, "scaled masked output output joined" },
};

static void random_options(struct input *in, struct dice *d, size_t n_k)
{
	char ids[64] = "";

	for (size_t k = 0; k < sizeof choices / sizeof *choices; k++)
		if (dice_below(d, 100) < choices[k].chance)
			set(in, choices[k].option, one_of(d, choices[k].words));
	for (size_t j = 0; j < n_k && dice_below(d, 100) < 15; j++)
		for (j = 0; j < n_k; j++)
			snprintf(ids + strlen(ids), sizeof ids - strlen(ids), "%s%zu", j ? "," : "", dice_below(d, 3));
	if (*ids)
		set(in, OPT_DOCUMENTS, ids);
	if (in->scenario.source == SOURCE_RANDOM && dice_below(d, 5) == 0)
		set(in, OPT_SEED, one_of(d, "1 007 00 123456789012345678901234567890"));
}

static void settings_text(const struct input *in, char *out, size_t size)
{
	struct buffer b = { 0 };

	buffer_text(&b, in->scenario.name);
	for (int o = 0; o < OPT_COUNT; o++)
		if (!option_is_default(&in->options, (enum option)o)) {
			buffer_format(&b, " --%s=", option_info((enum option)o)->name);
			option_text(&in->options, (enum option)o, &b);
		}
	snprintf(out, size, "%s", b.data);
	buffer_free(&b);
}

/* How many: QKV_SCRIPT_CASES, else enough to meet each choice beside most others. */
static size_t case_count(void)
{
	const char *text = getenv("QKV_SCRIPT_CASES");

	return text ? (size_t)strtoul(text, NULL, 10) : 300;
}

static void random_combinations(void **state)
{
	static const char *const names[] = {
		"causal-3", "cross-3x5", "cached-3x5", "left-pad-4", "square-4", "ones-8", "overflow-7x3", "low-scores-3", "saturation-16",
		"masked-twice-3",
	};
	struct dice d = { 20240607 };
	size_t before = all.n;
	size_t wanted = case_count();

	(void)state;
	for (size_t k = 0; all.n - before < wanted && k < 3 * wanted; k++) {
		struct input in;
		char label[1000];
		open_input(&in, names[dice_below(&d, sizeof names / sizeof *names)]);
		build(&in);
		random_options(&in, &d, in.problem.n_k);
		problem_free(&in.problem);
		build(&in);
		struct slice rows = { .has_from = dice_below(&d, 8) == 0, .from = 1 };
		settings_text(&in, label, sizeof label);
		add(&all, &in, dice_below(&d, 12) == 0, rows, label);
		close_input(&in);
	}
	assert_int_equal(all.n - before, wanted);
}

/* ---- what only files and hands make ---- */

static void add_yaml(struct scripts *s, const char *yaml, const char *name)
{
	struct input in;

	open_input(&in, yaml);
	build(&in);
	add_stages(s, &in, name);
	close_input(&in);
}

#define HEADS \
	"qkv: 1\n" \
	"q: [[[1, 0], [0, 2]], [[0, 1], [3, 2]]]\n" \
	"k: [[[1, 1], [0.5, 0]], [[2, 1], [0.5, 1]]]\n" \
	"v: [[[1, 2, 3], [4, 5, 6]], [[0, 1, 0], [.inf, 5, 6]]]\n"

static void edits_heads_and_given_arrays(void **state)
{
	size_t before = all.n;

	(void)state;
	add_yaml(&all, HEADS, "two heads");
	add_yaml(&all, HEADS "set: {head: 1, alibi: auto, causal: on, dtype: f32}\n", "two heads, the second");
	add_yaml(&all, "qkv: 1\nx: [[1, 0.5], [0, 2], [1, 1]]\nw-q: [[1, 0], [0, 1]]\nw-k: [[0, 1], [1, 0.5]]\nw-v: [[1, 2], [3, 4]]\n"
		 "w-o: [[1, 0.25], [2, 1]]\nset: {causal: on}\n", "x");
	add_yaml(&all, "qkv: 1\nweights: [[0.5, 0.5], [.nan, 1]]\nv: [[1, 2, 3], [4, 5, 6]]\nset: {dtype: f16}\n", "weights");
	add_yaml(&all, "qkv: 1\nweights: [[0.5, 0.6]]\n", "weights alone");
	add_yaml(&all, "qkv: 1\nscores: [[1, 2], [-0.0, .inf], [.nan, -.inf]]\nset: {fill-op: add, pad: [1]}\n", "scores that are not finite");
	add_yaml(&all, "qkv: 1\nrandom: {seed: 3, n: 3, d-k: 2, heads: 2}\nedits:\n  - {cell: \"q 0:1\", head: 1, value: 2.5}\n"
		 "  - {cell: \"scores 1:1\", value: -3}\n  - {cell: \"scores 2:0\", head: 1, value: 4}\n", "edits");
	add_yaml(&all, "qkv: 1\nrandom: {seed: 3, n: 3, d-model: 4, d-k: 2, heads: 2}\nedits:\n  - {cell: \"x 0:1\", value: 2.5}\n"
		 "  - {cell: \"w-k 3:1\", head: 1, value: 0.5}\n  - {cell: \"w-o 0:0\", value: 9}\n", "edits of x");
	assert_true(all.n - before >= 8 * 3);
}

static void load(struct input *in, const double *v, size_t rows, bool is_float, bool is_bias)
{
	struct matrix m;
	struct error e = { 0 };

	assert_int_equal(matrix_init(&m, rows, in->problem.n_k, &e), OK_STATUS);
	memcpy(m.v, v, rows * in->problem.n_k * sizeof *v);
	if (is_bias)
		assert_int_equal(bias_load(&in->problem, &m, &e), OK_STATUS);
	else
		assert_int_equal(mask_load(&in->problem, &m, is_float, !is_float, "hidden", &in->options, &e), OK_STATUS);
}

static void masks_and_biases_from_files(void **state)
{
	static const double flags[] = { 0, 1, 0, 0, 0, 1, 1, 0, 0 }, added[] = { 0, -INFINITY, 0.5, -1e4, 0, 1, 0, 0, -2 };
	size_t before = all.n;

	(void)state;
	for (int k = 0; k < 8; k++) {
		struct input in;
		char label[32];
		open_input(&in, "causal-3");
		build(&in);
		set(&in, OPT_CAUSAL, k & 1 ? "on" : "off");
		set(&in, OPT_KEEP, k & 1 ? "2:1" : "none");
		load(&in, k & 2 ? added : flags, k & 4 ? 1 : 3, k & 2, false);
		if (k > 3)
			load(&in, added + 3, 1, true, true);
		snprintf(label, sizeof label, "mask %d", k);
		add_stages(&all, &in, label);
		close_input(&in);
	}
	assert_int_equal(all.n - before, 8 * 7);
}

/* A seed is as long as somebody likes; Python refuses zeros in front of one. */
static void seeds_of_any_length(void **state)
{
	char seed[1001];
	struct input in;

	(void)state;
	memset(seed, '7', sizeof seed - 1);
	seed[0] = '0';
	seed[sizeof seed - 1] = '\0';
	open_input(&in, "random-4");
	set(&in, OPT_SEED, seed);
	set(&in, OPT_DROPOUT, "0.5");
	set(&in, OPT_DROPOUT_SEED, seed);
	build(&in);
	assert_true(add(&all, &in, false, all_rows, "a long seed"));
	close_input(&in);
}

/* Those of the tests before. */
static void python_prints_the_same(void **state)
{
	(void)state;
	scripts_check(&all);
}

/* ---- the text ---- */

static struct buffer script_of(const char *name, const char *settings)
{
	struct input in;
	struct buffer out = { 0 };
	struct error e = { 0 };

	open_input(&in, name);
	options_from(&in.options, settings);
	build(&in);
	if (write_as(&in, SHOW_SCRIPT, false, all_rows, &out, &e))
		fail_msg("%s", e.text);
	close_input(&in);
	return out;
}

/* The lesson's notebook: six lines from Q and K to the table. */
static void only_the_lines_that_are_needed(void **state)
{
	struct buffer b = script_of("two-tokens", "");
	static const char *const wanted[] = { "scores = q @ k.T", "scaled = scores / np.sqrt(4)", "print(weights)\n" };
	static const char *const unwanted[] = { "hidden", "np.where", "v = ", "def ", "seterr", "dropout" };

	(void)state;
	for (size_t k = 0; k < 3; k++)
		assert_non_null(strstr(b.data, wanted[k]));
	for (size_t k = 0; k < 6; k++)
		assert_null(strstr(b.data, unwanted[k]));
	buffer_free(&b);
}

/* A token may hold anything, and a comment ends with its line. */
static void tokens_stay_in_comments(void **state)
{
	struct buffer b = script_of("qkv: 1\ntokens: [\"a\\nimport os\", \"b\\rimport os\"]\nscores: [[1, 2], [3, 4]]\n", "");

	(void)state;
	assert_non_null(strstr(b.data, "import os"));
	assert_null(strstr(b.data, "\nimport os"));
	assert_null(strchr(b.data, '\r'));
	buffer_free(&b);
}

static void comments_are_in_the_language(void **state)
{
	(void)state;
	assert_true(message_use("ko"));
	struct buffer korean = script_of("causal-3", "");
	assert_true(message_use("en"));
	struct buffer english = script_of("causal-3", "");
	const char *line = "masked = np.where(hidden, -np.inf, scores)";

	assert_non_null(strstr(english.data, line));
	assert_non_null(strstr(korean.data, line));
	assert_non_null(strstr(english.data, "# causal: the future"));
	if (strcmp(message("causal: the future"), "causal: the future"))	/* where it has a translation */
		assert_null(strstr(korean.data, "# causal: the future"));
	buffer_free(&korean);
	buffer_free(&english);
}

static void too_many_numbers(void **state)
{
	struct input in;
	struct buffer out = { 0 }, yaml = { 0 };
	struct error e = { 0 };

	(void)state;
	buffer_text(&yaml, "qkv: 1\nscores: [");
	for (int i = 0; i < 150; i++) {
		buffer_text(&yaml, i ? ",\n [0" : "[0");
		for (int j = 1; j < 150; j++)
			buffer_text(&yaml, ", 0");
		buffer_text(&yaml, "]");
	}
	buffer_text(&yaml, "]\n");
	open_input(&in, yaml.data);
	build(&in);
	assert_int_equal(write_as(&in, SHOW_SCRIPT, false, all_rows, &out, &e), E_LIMIT);
	assert_non_null(strstr(e.text, "20000"));
	close_input(&in);
	buffer_free(&out);
	buffer_free(&yaml);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_lines_that_are_needed),
		cmocka_unit_test(tokens_stay_in_comments),
		cmocka_unit_test(comments_are_in_the_language),
		cmocka_unit_test(too_many_numbers),
		cmocka_unit_test(every_scenario_and_stage),
		cmocka_unit_test(every_array_of_random_input),
		cmocka_unit_test(every_bug),
		cmocka_unit_test(random_combinations),
		cmocka_unit_test(edits_heads_and_given_arrays),
		cmocka_unit_test(masks_and_biases_from_files),
		cmocka_unit_test(seeds_of_any_length),
		cmocka_unit_test(python_prints_the_same),
	};
	struct error e = { 0 };

	if (random_tables_init(&tables, &e))
		return 1;
	language_add_builtin();
	scripts_begin(&all);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
