/* golden_cli.c - the golden corpus through the real program.
 *
 * Every case of tests/data/golden/cases.json becomes a scenario file;
 * `qkv show` then has to give its arrays bit for bit, and its printed strings
 * exactly. One test a case. Surroundings: QKV, QKV_TEST_DATA.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/python.h"
#include "tests/run.h"

/* ---- .npy files, read without the program's own code ---- */

struct array {
	char *file;		/* all bytes of it */
	size_t size, header;	/* bytes; where the numbers begin */
};

static struct array as_array(char *file, size_t size)
{
	struct array a = { .file = file, .size = size };

	assert_true(size >= 10 && !memcmp(file, "\x93NUMPY\x01\x00", 8));
	a.header = 10 + (unsigned char)file[8] + 256u * (unsigned char)file[9];
	assert_true(a.header <= size);
	return a;
}

static struct array golden_array(const char *name)
{
	char path[1024];
	size_t size;

	snprintf(path, sizeof path, "%s/golden/%s", surroundings("QKV_TEST_DATA"), name);
	char *file = read_file(path, &size);
	if (!file)
		fail_msg("%s cannot be read", path);
	return as_array(file, size);
}

static double number_at(const struct array *a, size_t i)
{
	double x;

	assert_true(a->header + (i + 1) * sizeof x <= a->size);
	memcpy(&x, a->file + a->header + i * sizeof x, sizeof x);
	return x;
}

/* Any nan is like any other; on the platform of the corpus, else the bits are the same. */
static bool same(double got, double wanted)
{
	if (isnan(got) || isnan(wanted))
		return isnan(got) && isnan(wanted);
#if defined __x86_64__ && defined __GLIBC__
	return !memcmp(&got, &wanted, sizeof got);
#else
	return got == wanted || fabs(got - wanted) <= 1e-12 * fmax(1, fabs(wanted));
#endif
}

static void compare(const char *what, const struct array *got, const struct array *wanted)
{
	if (got->size != wanted->size || memcmp(got->file, wanted->file, wanted->header))
		fail_msg("%s: another header", what);
	for (size_t i = 0; i < (wanted->size - wanted->header) / sizeof(double); i++)
		if (!same(number_at(got, i), number_at(wanted, i)))
			fail_msg("%s: number %zu is %.17g, expected %.17g", what, i, number_at(got, i), number_at(wanted, i));
}

/* ---- a case as a scenario file ---- */

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	if (!text)
		fail_msg("%s is no text", key);
	return text;
}

static size_t size_of(const json_t *object, const char *key)
{
	return (size_t)json_integer_value(json_object_get(object, key));
}

static void put_number(FILE *f, double x)
{
	if (isnan(x))
		fputs(".nan", f);
	else if (isinf(x))
		fputs(x < 0 ? "-.inf" : ".inf", f);
	else
		fprintf(f, "%.17g", x);
}

static void put_matrix(FILE *f, const char *name, const char *file, size_t rows, size_t columns)
{
	struct array a = golden_array(file);

	fprintf(f, "%s:\n", name);
	for (size_t i = 0; i < rows; i++) {
		for (size_t j = 0; j < columns; j++) {
			fputs(j ? ", " : "  - [", f);
			put_number(f, number_at(&a, i * columns + j));
		}
		fputs("]\n", f);
	}
	free(a.file);
}

static void put_pad(FILE *f, const json_t *pad)
{
	const char *before = "  pad: [";
	bool any = false;

	for (size_t j = 0; j < json_array_size(pad); j++)
		if (json_is_true(json_array_get(pad, j))) {
			fprintf(f, "%s%zu", before, j);
			before = ", ";
			any = true;
		}
	if (any)
		fputs("]\n", f);
}

/* A boolean mask as a list of hidden cells. */
static void put_hide(FILE *f, const char *file, size_t rows, size_t columns)
{
	struct array a = golden_array(file);
	const char *before = "  hide: \"";

	for (size_t k = 0; k < rows * columns; k++)
		if (a.file[a.header + k]) {
			fprintf(f, "%s%zu:%zu", before, k / columns, k % columns);
			before = ",";
		}
	fputs("\"\n", f);
	free(a.file);
}

static const char *dtype_word(const char *name)
{
	return !strcmp(name, "float16") ? "f16" : !strcmp(name, "bfloat16") ? "bf16"
	     : !strcmp(name, "float32") ? "f32" : "f64";
}

static void put_options(FILE *f, const json_t *c)
{
	const json_t *o = json_object_get(c, "options");
	const char *causal = text_of(o, "causal"), *value = text_of(o, "mask_value"), *scale = text_of(o, "scale");

	fprintf(f, "set:\n  scale: %s\n", scale);
	if (strcmp(causal, "none"))
		fprintf(f, "  causal: on\n  causal-align: %s\n", !strcmp(causal, "bottom_right") ? "bottom-right" : "top-left");
	put_pad(f, json_object_get(o, "pad"));
	if (!json_is_null(json_object_get(o, "mask")))
		put_hide(f, text_of(o, "mask"), size_of(c, "n_q"), size_of(c, "n_k"));
	fprintf(f, "  fill: %s\n", !strcmp(value, "f32min") ? "-3.4028234663852886e+38" : value);
	fprintf(f, "  fill-dtype: %s\n  score-dtype: %s\n", dtype_word(text_of(o, "mask_dtype")), dtype_word(text_of(o, "arith")));
	fprintf(f, "  fill-op: %s\n  mask-at: %s\n", text_of(o, "combine"), text_of(o, "place"));
	fprintf(f, "  softmax: %s\n", json_integer_value(json_object_get(o, "axis")) == 0 ? "column" : "row");
	fprintf(f, "  softmax-kind: %s\n", text_of(o, "softmax"));
	fprintf(f, "  empty-row: %s\n", !strcmp(text_of(o, "all_masked"), "zero") ? "zero" : "literal");
}

static void write_case(const json_t *c, const char *path)
{
	const json_t *inputs = json_object_get(c, "inputs");
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs("qkv: 1\n", f);
	put_matrix(f, "q", text_of(inputs, "q"), size_of(c, "n_q"), size_of(c, "d_k"));
	put_matrix(f, "k", text_of(inputs, "k"), size_of(c, "n_k"), size_of(c, "d_k"));
	put_matrix(f, "v", text_of(inputs, "v"), size_of(c, "n_k"), size_of(c, "d_v"));
	put_options(f, c);
	assert_int_equal(fclose(f), 0);
}

/* ---- what the program makes of it ---- */

static struct run show(const char *path, const char *stage, const char *format, const char *more, const char *value)
{
	const char *words[] = { "show", path, "--stage", stage, "--format", format, more, value, NULL };
	struct run r = run_words(words, NULL);

	if (r.status || r.err_size)
		fail_msg("qkv show --stage %s ended with %d: %s", stage, r.status, r.err);
	return r;
}

static void check_array(const char *path, const char *stage, const char *wanted_file, const char *more, const char *value)
{
	struct run r = show(path, stage, "npy", more, value);
	struct array got = as_array(r.out, r.out_size), wanted = golden_array(wanted_file);

	compare(stage, &got, &wanted);
	free(wanted.file);
	run_free(&r);
}

static void check_text(const char *path, const char *stage, const char *precision, const char *wanted)
{
	struct run r = show(path, stage, "numpy", precision ? "--precision" : NULL, precision);

	assert_true(r.out_size && r.out[r.out_size - 1] == '\n');
	r.out[r.out_size - 1] = '\0';
	assert_string_equal(r.out, wanted);
	run_free(&r);
}

/* The mask as the file that it is (True is blocked), instead of the list of cells. */
static void check_mask_file(const json_t *c, const char *path)
{
	const json_t *expected = json_object_get(c, "expected"), *mask = json_object_get(json_object_get(c, "options"), "mask");
	const char *words[] = { "show", path, "--format", "npy", "--hide", "none", "--polarity", "hide",
				"--mask", NULL, NULL };
	char file[1024];

	if (json_is_null(mask))
		return;
	snprintf(file, sizeof file, "%s/golden/%s", surroundings("QKV_TEST_DATA"), json_string_value(mask));
	words[9] = file;
	struct run r = run_words(words, NULL);
	if (r.status)
		fail_msg("--mask: %s", r.err);
	struct array got = as_array(r.out, r.out_size), wanted = golden_array(text_of(expected, "weights"));
	compare("weights with --mask", &got, &wanted);
	free(wanted.file);
	run_free(&r);
}

static void check_case(void **state)
{
	static const char *const stages[][2] = {
		{ "scores", "scores" }, { "scaled", "scaled" }, { "masked", "masked" }, { "weights", "weights" },
		{ "output", "output" }, { "row-sums", "row_sums" },
	};
	const json_t *c = *state, *expected = json_object_get(c, "expected"), *printed = json_object_get(c, "printed");
	char folder[256], path[300];

	make_folder(folder);
	snprintf(path, sizeof path, "%s/case.yaml", folder);
	write_case(c, path);
	for (size_t s = 0; s < sizeof stages / sizeof *stages; s++)
		check_array(path, stages[s][0], text_of(expected, stages[s][1]), NULL, NULL);
	check_mask_file(c, path);
	check_text(path, "weights", "3", text_of(printed, "weights_round3"));
	check_text(path, "row-sums", NULL, text_of(printed, "row_sums"));
	check_text(path, "output", "3", text_of(printed, "output_round3"));
	check_text(path, "scores", NULL, text_of(printed, "scores"));
	check_text(path, "masked", NULL, text_of(printed, "masked"));
	remove_folder(folder);
}

/* ---- the same by NumPy: the scripts that qkv writes ---- */

static void add_script(struct scripts *s, const json_t *c, const char *path, const char *stage, const char *precision, const char *wanted)
{
	char name[200], *line;
	struct run r = show(path, stage, "script", precision ? "--precision" : NULL, precision);
	size_t size = strlen(wanted) + 2;

	snprintf(name, sizeof name, "%s, %s", text_of(c, "name"), stage);
	assert_non_null(line = malloc(size));
	snprintf(line, size, "%s\n", wanted);
	scripts_add(s, name, r.out, line);
	free(line);
	run_free(&r);
}

static void check_scripts(void **state)
{
	const json_t *cases = *state, *c;
	struct scripts s;
	char folder[256], path[300];
	size_t i;

	scripts_begin(&s);
	make_folder(folder);
	snprintf(path, sizeof path, "%s/case.yaml", folder);
	json_array_foreach(cases, i, c) {
		const json_t *printed = json_object_get(c, "printed");
		write_case(c, path);
		add_script(&s, c, path, "weights", "3", text_of(printed, "weights_round3"));
		add_script(&s, c, path, "output", "3", text_of(printed, "output_round3"));
		add_script(&s, c, path, "masked", NULL, text_of(printed, "masked"));
	}
	remove_folder(folder);
	scripts_check(&s);
}

/* ---- all of them ---- */

static json_t *read_cases(void)
{
	const char *data = getenv("QKV_TEST_DATA");
	char path[1024];
	json_error_t error;

	snprintf(path, sizeof path, "%s/golden/cases.json", data ? data : ".");
	json_t *all = json_load_file(path, 0, &error);
	if (!all)
		fprintf(stderr, "golden_cli: %s: %s\n", path, error.text);
	return all;
}

int main(void)
{
	json_t *all = read_cases(), *cases = json_object_get(all, "cases");
	size_t n = json_array_size(cases);
	struct CMUnitTest *tests = calloc(n + 2, sizeof *tests);

	if (!n || !tests || n != size_of(all, "count")) {
		fprintf(stderr, "golden_cli: no cases\n");
		return 1;
	}
	for (size_t i = 0; i < n; i++) {
		json_t *c = json_array_get(cases, i);
		tests[i] = (struct CMUnitTest){ text_of(c, "name"), check_case, NULL, NULL, c };
	}
	tests[n] = (struct CMUnitTest){ "scripts", check_scripts, NULL, NULL, cases };
	int failed = _cmocka_run_group_tests("golden_cli", tests, n + 1, NULL, NULL);
	free(tests);
	json_decref(all);
	return failed;
}
