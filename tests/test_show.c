/* test_show.c - one stage in six formats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/npy.h"
#include "core/io/scenario_yaml.h"
#include "core/number.h"
#include "tui/arguments.h"
#include "tui/show.h"
#include "tui/text.h"

/* The lesson's three tokens. */
#define LESSON \
	"qkv: 1\n" \
	"tokens: [\"<시작>\", \"저는\", \"학생\"]\n" \
	"q: [[2, 1, 0.1], [1, 2, 0.1], [2, 1, 0.1]]\n" \
	"k: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n" \
	"v: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n" \
	"set: {causal: on, scale: none}\n"

/* What `qkv show LINE -` makes of a scenario; text is NULL after an error. */
struct shown {
	char *text;
	size_t size;
	char error[1024];
};

struct input {
	struct random_tables tables;
	struct scenario scenario;
	struct options options;
	struct problem problem;
	struct invocation inv;
};

static void parse_line(struct invocation *inv, char *line)
{
	char *argv[32] = { (char *)"qkv", (char *)"show" };
	struct error e = { 0 };
	int argc = 2;

	for (char *p = strtok(line, " "); p; p = strtok(NULL, " "))
		argv[argc++] = p;
	if (arguments_parse(inv, argc, argv, &e))
		fail_msg("--%s: %s", e.option, e.text);
}

static void open_input(struct input *in, const char *yaml, char *line)
{
	struct error e = { 0 };

	memset(in, 0, sizeof *in);
	assert_int_equal(random_tables_init(&in->tables, &e), OK_STATUS);
	if (scenario_parse(&in->scenario, yaml, strlen(yaml), "lesson.yaml", &e))
		fail_msg("%u:%u: %s", e.line, e.column, e.text);
	assert_int_equal(options_copy(&in->options, &in->scenario.set, &e), OK_STATUS);
	parse_line(&in->inv, line);
	assert_int_equal(arguments_apply(&in->inv, &in->options, &e), OK_STATUS);
	if (problem_build(&in->problem, &in->scenario, &in->options, &in->scenario.edits, &in->tables, &e))
		fail_msg("%s: %s", e.option, e.text);
}

static void close_input(struct input *in)
{
	problem_free(&in->problem);
	options_free(&in->options);
	scenario_free(&in->scenario);
}

static struct shown show_input(struct input *in, int width)
{
	const struct show_request request = {
		.problem = &in->problem, .options = &in->options, .tables = &in->tables, .scenario = in->scenario.name,
		.format = in->inv.show_format, .row_sums = in->inv.row_sums, .array_given = in->inv.value[OPT_ARRAY],
		.precision_given = in->inv.value[OPT_PRECISION],
		.rows = in->inv.rows, .columns = in->inv.columns, .width = width, .ascii = in->options.ascii,
	};
	struct buffer out = { 0 };
	struct error e = { 0 };
	struct shown s = { 0 };

	if (show(&out, &request, &e)) {
		error_format(&e, s.error, sizeof s.error);
		buffer_free(&out);
	}
	s.text = out.data;
	s.size = out.size;
	return s;
}

static struct shown show_wide(const char *yaml, const char *line, int width)
{
	struct input in;
	char *copy = strdup(line);

	assert_non_null(copy);
	open_input(&in, yaml, copy);
	struct shown s = show_input(&in, width);
	close_input(&in);
	free(copy);
	return s;
}

static void check_wide(const char *yaml, const char *line, int width, const char *wanted)
{
	struct shown s = show_wide(yaml, line, width);

	if (!s.text)
		fail_msg("%s: %s", line, s.error);
	assert_string_equal(s.text, wanted);
	free(s.text);
}

static void check(const char *yaml, const char *line, const char *wanted)
{
	check_wide(yaml, line, 80, wanted);
}

static void check_error(const char *yaml, const char *line, const char *wanted)
{
	struct shown s = show_wide(yaml, line, 80);

	assert_null(s.text);
	assert_string_equal(s.error, wanted);
}

/* ---- numpy ---- */

static void numpy_prints_of_the_lessons(void **state)
{
	static const char random4[] = "qkv: 1\nrandom: {seed: 0, n: 4, d-k: 8}\n";
	static const char two[] = "qkv: 1\nscores: [[2, 2], [0, 2]]\nv: [[10, 0], [0, 10]]\nset: {scale: 0.5}\n";

	(void)state;
	check(LESSON, "--format numpy --precision 2", "[[1.   0.   0.  ]\n [0.27 0.73 0.  ]\n [0.66 0.24 0.1 ]]\n");
	check(LESSON, "--format numpy --precision 2 --mask-at after",
	      "[[0.66 0.   0.  ]\n [0.24 0.66 0.  ]\n [0.66 0.24 0.1 ]]\n");
	check(LESSON, "--format numpy --precision 2 --fill 0",
	      "[[0.79 0.11 0.11]\n [0.24 0.67 0.09]\n [0.66 0.24 0.1 ]]\n");
	check(LESSON, "--format numpy --mask-at after --stage row-sums", "[0.65900114 0.90143411 1.        ]\n");
	check(LESSON, "--format numpy --mask-at after --stage row-sums --precision 3", "[0.659 0.901 1.   ]\n");
	check(LESSON, "--format numpy --stage masked", "[[ 2.  -inf -inf]\n [ 1.   2.  -inf]\n [ 2.   1.   0.1]]\n");
	check(two, "--format numpy --stage output --precision 1", "[[5.  5. ]\n [2.7 7.3]]\n");
	check(random4, "--format numpy --precision 3 --causal",
	      "[[1.    0.    0.    0.   ]\n [0.827 0.173 0.    0.   ]\n [0.34  0.413 0.247 0.   ]\n [0.102 0.031 0.684 0.183]]\n");
	check(random4, "--format numpy --precision 3 --pad 2,3",
	      "[[0.39  0.61  0.    0.   ]\n [0.827 0.173 0.    0.   ]\n [0.452 0.548 0.    0.   ]\n [0.767 0.233 0.    0.   ]]\n");
}

/* The text of the whole array, out of what the .npy format gives. */
static struct buffer print_whole(const char *yaml, const char *line)
{
	char full[256];
	struct buffer text = { 0 };
	struct error e = { 0 };
	struct npy a;

	snprintf(full, sizeof full, "%s --format npy", line);
	struct shown s = show_wide(yaml, full, 80);
	assert_non_null(s.text);
	assert_int_equal(npy_parse(&a, s.text, s.size, "show", false, &e), OK_STATUS);
	double *v = malloc((a.count + 1) * sizeof *v);
	assert_non_null(v);
	npy_numbers(&a, 0, a.count, v);
	number_array(&text, v, a.rank, a.shape);
	buffer_text(&text, "\n");
	free(v);
	free(s.text);
	return text;
}

/* Of a long array only the ends are computed; the text is that of the whole. */
static void numpy_of_long_arrays(void **state)
{
	static const char *const inputs[] = {
		"n-q: 40, n-k: 40, d-k: 2", "n-q: 6, n-k: 200, d-k: 2", "n-q: 7, n-k: 143, d-k: 2", "n-q: 1, n-k: 1001, d-k: 2",
		"n-q: 1, n-k: 1000, d-k: 2", "n-q: 300, n-k: 4, d-k: 2, d-v: 4", "n-q: 1001, n-k: 1, d-k: 1, d-v: 1",
		"n-q: 1000, n-k: 1, d-k: 1, d-v: 1", "n-q: 168, n-k: 6, d-k: 3, d-v: 7", "n-q: 143, n-k: 7, d-k: 7, d-v: 6",
	};
	static const char *const lines[] = {
		"--stage weights", "--stage scores --scale 1e5", "--stage masked --causal", "--stage output", "--stage row-sums --mask-at after --causal",
		"--stage input --array k", "--rows 1: --stage weights", "--rows :-2 --cols 1:",
	};

	(void)state;
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
		for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
			char yaml[256], line[256];
			snprintf(yaml, sizeof yaml, "qkv: 1\nrandom: {seed: 3, %s}\n", inputs[i]);
			struct buffer whole = print_whole(yaml, lines[k]);
			snprintf(line, sizeof line, "%s --format numpy", lines[k]);
			check(yaml, line, whole.data);
			buffer_free(&whole);
		}
}

static void slices(void **state)
{
	static const char five[] = "qkv: 1\nscores: [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14]]\n";

	(void)state;
	check(five, "--stage scores --format numpy --rows 1", "[[5. 6. 7. 8. 9.]]\n");
	check(five, "--stage scores --format numpy --rows -1 --cols 0", "[[10.]]\n");
	check(five, "--stage scores --format numpy --rows -3 --cols -5", "[[0.]]\n");
	check(five, "--stage scores --format numpy --rows :2 --cols 1:3", "[[1. 2.]\n [6. 7.]]\n");
	check(five, "--stage scores --format numpy --rows -2: --cols -2:", "[[ 8.  9.]\n [13. 14.]]\n");
	check(five, "--stage scores --format numpy --rows 1:99 --cols -99:1", "[[ 5.]\n [10.]]\n");
	check(five, "--stage scores --format numpy --rows 2:1", "[]\n");
	check(five, "--stage scores --format numpy --cols 5:", "[]\n");
	check(five, "--stage row-sums --format numpy --rows 1:", "[1. 1.]\n");
	check(five, "--stage scores --format csv --rows 0 --cols -1", ",t4\nt0,4.0\n");
	check(five, "--stage scores --format csv --rows 2:1 --cols 1:2", ",t1\n");
	check_error(five, "--rows 3", "--rows 3: outside -3..2");
	check_error(five, "--rows -4", "--rows -4: outside -3..2");
	check_error(five, "--cols 5", "--cols 5: outside -5..4");
	check_error(five, "--stage row-sums --cols 0", "--cols: row sums have no columns");
}

/* ---- npy ---- */

static void npy_bytes(void **state)
{
	struct shown s = show_wide(LESSON, "--format npy --stage masked --rows 0", 80);
	static const double wanted[] = { 2, -INFINITY, -INFINITY };
	char header[129];

	(void)state;
	assert_int_equal(s.size, 128 + sizeof wanted);
	snprintf(header, sizeof header, "%s%-117s\n", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3), }");
	assert_memory_equal(s.text, "\x93NUMPY\x01\x00\x76\x00", 10);
	assert_memory_equal(s.text + 10, header, 118);
	assert_memory_equal(s.text + 128, wanted, sizeof wanted);
	free(s.text);
	s = show_wide(LESSON, "--format npy --stage row-sums", 80);
	assert_non_null(strstr(s.text + 10, "'shape': (3,), }"));
	free(s.text);
	s = show_wide(LESSON, "--format npy --rows 2:1", 80);
	assert_int_equal(s.size, 128);
	free(s.text);
}

/* ---- table ---- */

static void tables(void **state)
{
	(void)state;
	check(LESSON, "",
	      "lesson  weights (3, 3)  f64\n"
	      "        <시작>   저는   학생  |   sum     largest  entropy\n"
	      "<시작>   1.000    ▚ 0    ▚ 0  | 1.000 ok    1.000     0.00\n"
	      "저는     0.269  0.731    ▚ 0  | 1.000 ok    0.731     0.84\n"
	      "학생     0.659  0.242  0.099  | 1.000 ok    0.659     1.22\n"
	      "▚ hidden\n");
	check(LESSON, "--fill 0 --precision 2",
	      "lesson  weights (3, 3)  f64\n"
	      "        <시작>    저는    학생  |  sum     largest  entropy\n"
	      "<시작>    0.79  ▚ 0.11  ▚ 0.11  | 1.00 ok     0.79     0.96\n"
	      "저는      0.24    0.67  ▚ 0.09  | 1.00 ok     0.67     1.20\n"
	      "학생      0.66    0.24    0.10  | 1.00 ok     0.66     1.22\n"
	      "▚ hidden\n");
	check(LESSON, "--stage row-sums --mask-at after",
	      "lesson  row-sums (3,)  f64\n"
	      "        |   sum      largest  entropy\n"
	      "<시작>  | 0.659 low    0.659     0.40\n"
	      "저는    | 0.901 low    0.659     0.89\n"
	      "학생    | 1.000 ok     0.659     1.22\n");
	check(LESSON, "--stage output --dtype f16",
	      "lesson  output (3, 3)  f16\n"
	      "            0      1      2\n"
	      "<시작>  1.000      0      0\n"
	      "저는    0.269  0.731      0\n"
	      "학생    0.659  0.242  0.099\n");
	check(LESSON, "--stage input --rows 0:1",
	      "lesson  input q (1, 3)  f64\n"
	      "            0      1      2\n"
	      "<시작>  2.000  1.000  0.100\n");
	check(LESSON, "--ascii --rows 0 --cols 1:",
	      "lesson  weights (1, 2)  f64\n"
	      "                \\uc800\\ub294  \\ud559\\uc0dd  |   sum     largest  entropy\n"
	      "<\\uc2dc\\uc791>           # 0           # 0  | 1.000 ok    1.000     0.00\n"
	      "# hidden\n");
}

static void tables_name_what_is_wrong(void **state)
{
	(void)state;
	check("qkv: 1\nscores: [[1, 2], [.nan, 1]]\nset: {pad: 0, hide: \"0:1\"}\n", "",
	      "lesson  weights (2, 2)  f64\n"
	      "scale: only scores are given, so there is no d_k to scale by\n"
	      "       t0     t1  |   sum        largest  entropy\n"
	      "t0  ▚ nan  ▚ nan  |   nan empty      nan      nan\n"
	      "t1    ▚ 0  1.000  | 1.000 ok       1.000     0.00\n"
	      "▚ hidden\n");
	check("qkv: 1\nscores: [[1, 2], [.nan, 1]]\nset: {scale: none}\n", "--stage scores",
	      "lesson  scores (2, 2)  f64\n"
	      "       t0     t1  |   sum             largest  entropy\n"
	      "t0  1.000  2.000  | 1.000 ok            0.731     0.84\n"
	      "t1    nan  1.000  |   nan non-finite      nan      nan\n");
	check("qkv: 1\nscores: [[1, 2], [-1e9, 1e-9]]\nset: {scale: none}\n", "--stage scores --rows 1",
	      "lesson  scores (1, 2)  f64\n"
	      "             t0  t1  |   sum     largest  entropy\n"
	      "t1  -1.000000e9  ~0  | 1.000 ok    1.000     0.00\n");
}

/* Lines of a table, at most `limit` columns each; returns how many. */
static int check_widths(const char *text, int limit)
{
	char line[1024];
	int lines = 0;

	for (const char *p = text; *p; p += strcspn(p, "\n") + 1) {
		snprintf(line, sizeof line, "%.*s", (int)strcspn(p, "\n"), p);
		/* The last line says what was left out, as long as it is. */
		if (strncmp(line, "… ", strlen("… ")) && strncmp(line, "lesson", 6))
			assert_true(text_width(line, false) <= limit);
		lines++;
	}
	return lines;
}

static void tables_are_cut_to_the_width(void **state)
{
	static const char sixteen[] = "qkv: 1\nrandom: {seed: 0, n: 16, d-k: 4}\n";

	(void)state;
	for (int width = 45; width < 200; width++) {
		struct shown s = show_wide(sixteen, "", width);
		assert_non_null(s.text);
		int lines = check_widths(s.text, width);
		bool cut = strstr(s.text, "left out") != NULL;
		assert_int_equal(lines, cut ? 19 : 18);
		assert_int_equal(cut, width < 145);
		free(s.text);
	}
	/* One column at least, however narrow. */
	check_wide(LESSON, "--rows 1", 1,
		   "lesson  weights (1, 3)  f64\n"
		   "      <시작>  …  |   sum     largest  entropy\n"
		   "저는   0.269  …  | 1.000 ok    0.731     0.84\n"
		   "… 2 of 3 columns are left out; --cols or a larger COLUMNS shows them\n");
}

/* The column at which the text `what` begins in each line that has it is the same. */
static int place_of(const char *line, const char *what)
{
	char before[1024];
	const char *p = strstr(line, what);

	if (!p)
		return -1;
	snprintf(before, sizeof before, "%.*s", (int)(p - line), line);
	return text_width(before, false);
}

static void odd_tokens_stay_aligned(void **state)
{
	static const char yaml[] =
		"qkv: 1\n"
		"tokens: [\"\\e[31mred\", \"🙂🙂\", \"한국어 토큰이 아주 길다\", \"e\\u0301\", \"tab\\tend\", \"Ġthe\", \"\"]\n"
		"random: {seed: 1, n: 7, d-k: 2}\n";
	struct shown s = show_wide(yaml, "", 200);
	int place = -1, lines = 0;

	(void)state;
	assert_non_null(s.text);
	assert_null(strchr(s.text, '\033'));
	assert_null(strchr(s.text, '\t'));
	for (char *line = strtok(s.text, "\n"); line; line = strtok(NULL, "\n")) {
		int here = place_of(line, "  | ");
		if (here < 0)
			continue;
		if (place < 0)
			place = here;
		assert_int_equal(here, place);
		lines++;
	}
	assert_int_equal(lines, 8);
	free(s.text);
}

static void heads_are_told(void **state)
{
	static const char yaml[] = "qkv: 1\nrandom: {seed: 0, n: 2, d-k: 2, heads: 3}\n";
	struct shown s = show_wide(yaml, "--head 2 --stage output", 80);

	(void)state;
	assert_memory_equal(s.text, "lesson  output (2, 2)  f64  head 2 of 3\n", 40);
	free(s.text);
	s = show_wide(yaml, "--head 2 --stage joined", 80);
	assert_memory_equal(s.text, "lesson  joined (2, 6)  f64\n", 27);
	free(s.text);
}

/* ---- csv, latex ---- */

static void csv_of_odd_tokens(void **state)
{
	static const char yaml[] =
		"qkv: 1\n"
		"tokens: [\"a,b\", \"say \\\"x\\\"\", \" lead\", \"\\e[1m\", \"\"]\n"
		"scores: [[0.1, 1e-300, .nan, .inf, -.inf], [0, -0.0, 1e22, 1, 2], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]\n";

	(void)state;
	check(yaml, "--format csv --stage scores --rows :2",
	      ",\"a,b\",\"say \"\"x\"\"\",\" lead\",�[1m,\"\"\n"
	      "\"a,b\",0.1,1e-300,nan,inf,-inf\n"
	      "\"say \"\"x\"\"\",0.0,-0.0,1e+22,1.0,2.0\n");
	check(LESSON, "--format csv --stage row-sums", ",sum\n<시작>,1.0\n저는,1.0\n학생,1.0\n");
}

static void latex(void **state)
{
	static const char yaml[] = "qkv: 1\ntokens: [\"a_b&\", \"\\\\{50%}\"]\nscores: [[1, -1e9], [.nan, -.inf]]\n";

	(void)state;
	check(yaml, "--format latex --stage scores --precision 1",
	      "\\begin{tabular}{l|rr}\n"
	      " & a\\_b\\& & \\textbackslash{}\\{50\\%\\} \\\\ \\hline\n"
	      "a\\_b\\& & $1.0$ & $-1.0 \\times 10^{9}$ \\\\\n"
	      "\\textbackslash{}\\{50\\%\\} & $\\mathrm{nan}$ & $-\\infty$ \\\\\n"
	      "\\end{tabular}\n");
}

/* ---- json ---- */

static void json_of_the_lesson(void **state)
{
	(void)state;
	check(LESSON, "--format json --mask-at after",
	      "{\n"
	      "  \"scenario\": \"lesson\",\n"
	      "  \"stage\": \"weights\",\n"
	      "  \"shape\": [3, 3],\n"
	      "  \"tokens\": {\n"
	      "    \"query\": [\"<시작>\", \"저는\", \"학생\"],\n"
	      "    \"key\": [\"<시작>\", \"저는\", \"학생\"]\n"
	      "  },\n"
	      "  \"options\": {\"causal\": \"on\", \"scale\": \"none\", \"mask-at\": \"after\"},\n"
	      "  \"values\": [\n"
	      "    [0.6590011388859679, 0.0, 0.0],\n"
	      "    [0.24243297070471392, 0.6590011388859679, 0.0],\n"
	      "    [0.6590011388859679, 0.24243297070471392, 0.09856589040931818]\n"
	      "  ],\n"
	      "  \"row_sums\": [0.6590011388859679, 0.9014341095906818, 1.0],\n"
	      "  \"verdicts\": [\"low\", \"low\", \"ok\"],\n"
	      "  \"hidden_by\": [\n"
	      "    [[], [\"causal\"], [\"causal\"]],\n"
	      "    [[], [], [\"causal\"]],\n"
	      "    [[], [], []]\n"
	      "  ]\n"
	      "}\n");
}

static void json_is_cut_with_the_stage(void **state)
{
	(void)state;
	check(LESSON, "--format json --stage masked --rows 1: --cols -1 --pad 2 --hide 2:2 --keep 1:2",
	      "{\n"
	      "  \"scenario\": \"lesson\",\n"
	      "  \"stage\": \"masked\",\n"
	      "  \"shape\": [2, 1],\n"
	      "  \"tokens\": {\n"
	      "    \"query\": [\"저는\", \"학생\"],\n"
	      "    \"key\": [\"학생\"]\n"
	      "  },\n"
	      "  \"options\": {\"causal\": \"on\", \"pad\": \"2\", \"hide\": \"2:2\", \"keep\": \"1:2\", \"scale\": \"none\", \"stage\": \"masked\"},\n"
	      "  \"values\": [\n"
	      "    [0.1],\n"
	      "    [\"-Infinity\"]\n"
	      "  ],\n"
	      "  \"row_sums\": [1.0, 1.0],\n"
	      "  \"verdicts\": [\"ok\", \"ok\"],\n"
	      "  \"hidden_by\": [\n"
	      "    [[]],\n"
	      "    [[\"pad\", \"hide\"]]\n"
	      "  ]\n"
	      "}\n");
}

static void json_of_other_shapes(void **state)
{
	static const char yaml[] = "qkv: 1\nquery-tokens: [a]\nkey-tokens: [b, c]\nq: [[1, 0]]\nk: [[.nan, 0], [1, 2]]\nv: [[3], [4]]\n";

	(void)state;
	check(yaml, "--format json --stage row-sums",
	      "{\n  \"scenario\": \"lesson\",\n  \"stage\": \"row-sums\",\n  \"shape\": [1],\n"
	      "  \"tokens\": {\n    \"query\": [\"a\"],\n    \"key\": [\"b\", \"c\"]\n  },\n  \"options\": {},\n"
	      "  \"values\": [\"NaN\"],\n  \"row_sums\": [\"NaN\"],\n  \"verdicts\": [\"non-finite\"],\n"
	      "  \"hidden_by\": [\n    [[], []]\n  ]\n}\n");
	check(yaml, "--format json --stage input --array k --rows 1",
	      "{\n  \"scenario\": \"lesson\",\n  \"stage\": \"input\",\n  \"array\": \"k\",\n  \"shape\": [1, 2],\n"
	      "  \"tokens\": {\n    \"query\": [\"a\"],\n    \"key\": [\"b\", \"c\"]\n  },\n"
	      "  \"options\": {\"stage\": \"input\", \"array\": \"k\"},\n"
	      "  \"values\": [\n    [1.0, 2.0]\n  ],\n  \"row_sums\": [\"NaN\"],\n  \"verdicts\": [\"non-finite\"],\n"
	      "  \"hidden_by\": [\n    [[], []]\n  ]\n}\n");
	check(yaml, "--format json --stage output --cols 1:",
	      "{\n  \"scenario\": \"lesson\",\n  \"stage\": \"output\",\n  \"shape\": [1, 0],\n"
	      "  \"tokens\": {\n    \"query\": [\"a\"],\n    \"key\": [\"b\", \"c\"]\n  },\n"
	      "  \"options\": {\"stage\": \"output\"},\n"
	      "  \"values\": [\n    []\n  ],\n  \"row_sums\": [\"NaN\"],\n  \"verdicts\": [\"non-finite\"],\n"
	      "  \"hidden_by\": [\n    [[], []]\n  ]\n}\n");
}

/* Tokens may hold any bytes but NUL, whatever they came from. */
static void texts_of_hostile_tokens(void **state)
{
	static const char *const odd[] = {
		"\"\\", "\x01\x1b[2J\x7f", "\xc2\x9b", "\xff\xfe", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\xaf", "é",
	};
	static const char *const json[] = {
		"\"\\\"\\\\\"", "\"\\u0001\\u001b[2J\\u007f\"", "\"\\u009b\"", "\"��\"", "\"��\"", "\"���\"", "\"����\"", "\"��\"", "\"é\"",
	};
	static const char *const csv[] = {
		"\"\"\"\\\"", "��[2J�", "�", "��", "��", "���", "����", "��", "é",
	};

	(void)state;
	for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
		struct input in;
		char line[] = "--format json", wanted[128];
		open_input(&in, "qkv: 1\ntokens: [a]\nscores: [[1]]\n", line);
		free(in.problem.key_tokens.text[0]);
		in.problem.key_tokens.text[0] = strdup(odd[k]);
		struct shown s = show_input(&in, 80);
		snprintf(wanted, sizeof wanted, "\"key\": [%s]", json[k]);
		if (!strstr(s.text, wanted))
			fail_msg("%s is not in\n%s", wanted, s.text);
		free(s.text);
		in.inv.show_format = SHOW_CSV;
		s = show_input(&in, 80);
		snprintf(wanted, sizeof wanted, ",%s\na,1.0\n", csv[k]);
		assert_string_equal(s.text, wanted);
		free(s.text);
		for (int format = SHOW_TABLE; format < SHOW_FORMAT_COUNT; format++) {
			in.inv.show_format = (enum show_format)format;
			s = show_input(&in, 80);
			assert_null(memchr(s.text, '\033', s.size));
			free(s.text);
		}
		close_input(&in);
	}
}

static void safe_text(void **state)
{
	struct buffer b = { 0 };

	(void)state;
	show_safe_text(&b, "a\033[31m\xff 저", false);
	assert_string_equal(b.data, "a␛[31m� 저");
	buffer_free(&b);
	show_safe_text(&b, "a\033 저", true);
	assert_string_equal(b.data, "a^[ \\uc800");
	buffer_free(&b);
}

/* ---- what there is not ---- */

/* Marks of direction are data in CSV, and written so that nothing acts on them
 * where the format can say so. */
static void marks_of_direction(void **state)
{
	static const char yaml[] = "qkv: 1\nscores: [[1, 2]]\nquery-tokens: [a]\nkey-tokens: [\"b\\u202ec\\u2066\\u061c\", \"d\\te\\nf\"]\n";
	static const char *const unseen[] = { "\xe2\x80\xae", "\xe2\x81\xa6", "\xd8\x9c" };

	(void)state;
	check(yaml, "--format csv --stage scores", ",b\xe2\x80\xae" "c\xe2\x81\xa6\xd8\x9c,\"d\te\nf\"\na,1.0,2.0\n");
	struct shown json = show_wide(yaml, "--format json", 80), latex = show_wide(yaml, "--format latex", 80);
	assert_non_null(json.text);
	assert_non_null(latex.text);
	assert_non_null(strstr(json.text, "\"b\\u202ec\\u2066\\u061c\", \"d\\u0009e\\u000af\""));
	assert_non_null(strstr(latex.text, "& bc & d␉e␊f \\\\"));
	for (size_t k = 0; k < sizeof unseen / sizeof *unseen; k++) {
		assert_null(strstr(json.text, unseen[k]));
		assert_null(strstr(latex.text, unseen[k]));
	}
	free(json.text);
	free(latex.text);
}

/* Data has all digits; who asks for fewer is told, but a scenario that sets
 * them for the screen is no fault. */
static void precision_of_data(void **state)
{
	static const char yaml[] = "qkv: 1\nweights: [[0.123456, 0.876544]]\nset: {precision: 1}\n";

	(void)state;
	check(yaml, "--format csv", ",t0,t1\nt0,0.123456,0.876544\n");
	check_error(yaml, "--format csv --precision 2",
		    "--precision 2: csv has full precision; table, numpy, latex, script and worksheet have digits to choose");
	check_error(yaml, "--format json --precision 0",
		    "--precision 0: json has full precision; table, numpy, latex, script and worksheet have digits to choose");
	check_error(yaml, "--format npy --precision=17",
		    "--precision 17: npy has full precision; table, numpy, latex, script and worksheet have digits to choose");
	check(yaml, "--format numpy --precision 2", "[[0.12 0.88]]\n");
}

/* Without a width there is room for everything. */
static void tables_without_a_width(void **state)
{
	static const char yaml[] = "qkv: 1\nrandom: {seed: 0, n: 200, d-k: 2}\n";
	struct shown s = show_wide(yaml, "--rows :1", 0);

	(void)state;
	assert_non_null(s.text);
	assert_non_null(strstr(s.text, " t199  |"));
	assert_null(strstr(s.text, "left out"));
	free(s.text);
}

static void masks_on_given_weights(void **state)
{
	static const char yaml[] = "qkv: 1\nweights: [[0.5, 0.5]]\n";
	static const char *const lines[] = { "--causal", "--pad 0", "--window 1", "" };

	(void)state;
	for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
		struct shown s = show_wide(yaml, lines[k], 80);
		assert_non_null(s.text);
		size_t first = strcspn(s.text, "\n");
		const char *told = strstr(s.text, "  masks do not apply to given weights\n");
		if (*lines[k])
			assert_true(told && told < s.text + first);
		else
			assert_null(told);
		free(s.text);
	}
}

static void missing_stages_and_arrays(void **state)
{
	static const char weights[] = "qkv: 1\nweights: [[0.5, 0.5], [0, 1]]\n";
	static const char scores[] = "qkv: 1\nscores: [[1, 2], [3, 4]]\n";

	(void)state;
	check_error(LESSON, "--stage joined", "--stage joined: there is only one head to join");
	check_error(weights, "--stage scores", "--stage scores: finished weights are given; nothing before them is known");
	check_error(weights, "--stage masked", "--stage masked: finished weights are given; nothing before them is known");
	check_error(LESSON, "--stage input --array x", "--array x: this input has no such array; it has q, k, v");
	check_error(scores, "--stage input --array q", "--array q: this input has no such array; it has scores");
	check_error(LESSON, "--pad 3", "--pad 3: key 3 is outside 0..2");
	check_error(LESSON, "--head 1", "--head 1: there is only 1, counted from 0");
	check(weights, "--format numpy", "[[0.5 0.5]\n [0.  1. ]]\n");
	check(weights, "--format numpy --stage input --array weights", "[[0.5 0.5]\n [0.  1. ]]\n");
	check(scores, "--format csv --stage input --array scores", ",t0,t1\nt0,1.0,2.0\nt1,3.0,4.0\n");
}

static void fully_masked_rows(void **state)
{
	static const char left[] = "qkv: 1\nrandom: {seed: 0, n: 4, d-k: 8}\nset: {causal: on, pad: [0, 1]}\n";
	struct shown s;

	(void)state;
	check(left, "--format numpy --precision 3",
	      "[[  nan   nan   nan   nan]\n [  nan   nan   nan   nan]\n [0.    0.    1.    0.   ]\n [0.    0.    0.789 0.211]]\n");
	check(left, "--format numpy --precision 3 --empty-row zero",
	      "[[0.    0.    0.    0.   ]\n [0.    0.    0.    0.   ]\n [0.    0.    1.    0.   ]\n [0.    0.    0.789 0.211]]\n");
	static const char *const lines[] = { "--format json", "--format json --empty-row zero", "--format json --empty-row uniform" };
	for (size_t k = 0; k < 3; k++) {
		s = show_wide(left, lines[k], 80);
		assert_non_null(strstr(s.text, "\"verdicts\": [\"empty\", \"empty\", \"ok\", \"ok\"]"));
		free(s.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numpy_prints_of_the_lessons), cmocka_unit_test(numpy_of_long_arrays),
		cmocka_unit_test(slices), cmocka_unit_test(npy_bytes), cmocka_unit_test(tables),
		cmocka_unit_test(tables_name_what_is_wrong), cmocka_unit_test(tables_are_cut_to_the_width),
		cmocka_unit_test(odd_tokens_stay_aligned), cmocka_unit_test(heads_are_told),
		cmocka_unit_test(csv_of_odd_tokens), cmocka_unit_test(latex), cmocka_unit_test(json_of_the_lesson),
		cmocka_unit_test(json_is_cut_with_the_stage), cmocka_unit_test(json_of_other_shapes),
		cmocka_unit_test(texts_of_hostile_tokens), cmocka_unit_test(safe_text),
		cmocka_unit_test(marks_of_direction), cmocka_unit_test(precision_of_data),
		cmocka_unit_test(tables_without_a_width), cmocka_unit_test(masks_on_given_weights),
		cmocka_unit_test(missing_stages_and_arrays), cmocka_unit_test(fully_masked_rows),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests_name("show", tests, NULL, NULL);
}
