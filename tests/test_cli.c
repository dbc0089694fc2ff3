/* test_cli.c - the program as it is used in a shell: what it writes, where,
 * and how it ends. Surroundings: QKV, QKV_SOURCE.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assets/assets.h"
#include "core/bug.h"
#include "tests/run.h"
#include "tui/load.h"

static void check_run(const char *line, int status, const char *out, const char *err)
{
	struct run r = run(line);

	if (r.status != status || strcmp(r.out, out) || strcmp(r.err, err))
		fail_msg("qkv %s: status %d, stdout\n%sstderr\n%s\nexpected %d,\n%s%s", line, r.status, r.out, r.err, status, out, err);
	run_free(&r);
}

static void check_error(const char *line, const char *err)
{
	check_run(line, 2, "", err);
}

static char *text_of(const char *line)
{
	struct run r = run(line);

	if (r.status || r.err_size)
		fail_msg("qkv %s: status %d: %s", line, r.status, r.err);
	free(r.err);
	return r.out;
}

/* ---- the lessons' numbers ---- */

static void numbers_of_the_lessons(void **state)
{
	(void)state;
	check_run("show causal-3 --format numpy --precision 2", 0,
		  "[[1.   0.   0.  ]\n [0.27 0.73 0.  ]\n [0.66 0.24 0.1 ]]\n", "");
	check_run("show causal-3 --format numpy --precision 2 --mask-at after", 0,
		  "[[0.66 0.   0.  ]\n [0.24 0.66 0.  ]\n [0.66 0.24 0.1 ]]\n", "");
	check_run("show causal-3 --format numpy --precision 2 --fill 0", 0,
		  "[[0.79 0.11 0.11]\n [0.24 0.67 0.09]\n [0.66 0.24 0.1 ]]\n", "");
	check_run("show causal-3 --format numpy --stage row-sums --mask-at after", 0,
		  "[0.65900114 0.90143411 1.        ]\n", "");
	check_run("show two-tokens --stage output --format numpy --precision 1", 0, "[[5.  5. ]\n [2.7 7.3]]\n", "");
	check_run("show two-tokens --stage scores --format numpy", 0, "[[2. 2.]\n [0. 2.]]\n", "");
	check_run("show random-4 --format numpy --precision 3", 0,
		  "[[1.    0.    0.    0.   ]\n [0.827 0.173 0.    0.   ]\n [0.34  0.413 0.247 0.   ]\n [0.102 0.031 0.684 0.183]]\n", "");
	check_run("show pad-4 --format numpy --precision 3", 0,
		  "[[0.39  0.61  0.    0.   ]\n [0.827 0.173 0.    0.   ]\n [0.452 0.548 0.    0.   ]\n [0.767 0.233 0.    0.   ]]\n", "");
	check_run("show left-pad-4 --format numpy --rows :2", 0, "[[nan nan nan nan]\n [nan nan nan nan]]\n", "");
	check_run("show left-pad-4 --format numpy --rows :2 --empty-row zero", 0, "[[0. 0. 0. 0.]\n [0. 0. 0. 0.]]\n", "");
	check_run("show ones-8 --format numpy --rows 7 --causal", 0, "[[0.125 0.125 0.125 0.125 0.125 0.125 0.125 0.125]]\n", "");
}

/* A locale that cannot write Korean has English, not escapes; --lang is a choice of its own. */
static void a_language_that_cannot_be_written(void **state)
{
	static const char *const locales[] = { "ko", "ko_KR", "ko_KR.EUC-KR" };
	const char *all = getenv("LC_ALL");
	char *kept = all ? strdup(all) : NULL, *utf8, *other;

	(void)state;
	unsetenv("LC_ALL");
	setenv("LANG", "ko_KR.UTF-8", 1);
	utf8 = text_of("list --lessons");
	assert_non_null(strstr(utf8, "마스크"));
	for (size_t k = 0; k < sizeof locales / sizeof *locales; k++) {
		setenv("LANG", locales[k], 1);
		other = text_of("help");
		assert_null(strstr(other, "\\u"));
		assert_non_null(strstr(other, "the screen"));
		free(other);
		struct run r = run("frame causal-3 --keys c");
		assert_non_null(strstr(r.out, "causal mask off"));
		run_free(&r);
	}
	free(utf8);
	unsetenv("LANG");
	if (kept)
		setenv("LC_ALL", kept, 1);
	free(kept);
}

static void keys_want_a_screen(void **state)
{
	(void)state;
	check_error("causal-3 --keys c", "qkv: --keys: the output is not a terminal; qkv frame --keys writes the picture\n");
	check_error("live --text ab --keys c", "qkv: --keys: the output is not a terminal; qkv frame --keys writes the picture\n");
}

static json_t *json_of(const char *line)
{
	char *text = text_of(line);
	json_error_t error;
	json_t *object = json_loads(text, 0, &error);

	if (!object)
		fail_msg("qkv %s: line %d of its JSON: %s", line, error.line, error.text);
	free(text);
	return object;
}

static void check_verdicts(const char *line, const char *const *wanted, size_t n)
{
	json_t *object = json_of(line), *verdicts = json_object_get(object, "verdicts");

	assert_int_equal(json_array_size(verdicts), n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(json_string_value(json_array_get(verdicts, i)), wanted[i]);
	json_decref(object);
}

static void verdicts(void **state)
{
	json_t *object = json_of("show causal-3 --mask-at after --format json"), *sums = json_object_get(object, "row_sums");

	(void)state;
	assert_true(json_real_value(json_array_get(sums, 0)) == 0.6590011388859679);
	assert_true(json_real_value(json_array_get(sums, 1)) == 0.9014341095906818);
	assert_true(json_real_value(json_array_get(sums, 2)) == 1.0);
	json_decref(object);
	check_verdicts("show causal-3 --mask-at after --format json", (const char *[]){ "low", "low", "ok" }, 3);
	check_verdicts("show causal-3 --fill 0 --format json", (const char *[]){ "ok", "ok", "ok" }, 3);
	check_verdicts("show left-pad-4 --format json", (const char *[]){ "empty", "empty", "ok", "ok" }, 4);
	check_verdicts("show left-pad-4 --empty-row zero --format json", (const char *[]){ "empty", "empty", "ok", "ok" }, 4);
	check_verdicts("show two-tokens --softmax column --format json", (const char *[]){ "high", "low" }, 2);
}

/* Every stage of every scenario is JSON that a parser takes, in the shape it says. */
static void json_everywhere(void **state)
{
	static const char *const stages[] = { "input", "scores", "scaled", "masked", "weights", "output" };
	char line[128];

	(void)state;
	for (size_t i = 0; i < builtin_count(); i++)
		for (size_t s = 0; s < sizeof stages / sizeof *stages; s++) {
			snprintf(line, sizeof line, "show %s --stage %s --format json", builtin_name(i), stages[s]);
			json_t *object = json_of(line), *values = json_object_get(object, "values");
			json_t *shape = json_object_get(object, "shape"), *tokens = json_object_get(object, "tokens");
			assert_string_equal(json_string_value(json_object_get(object, "scenario")), builtin_name(i));
			assert_int_equal(json_array_size(values), json_integer_value(json_array_get(shape, 0)));
			assert_int_equal(json_array_size(json_array_get(values, 0)), json_integer_value(json_array_get(shape, 1)));
			size_t n_q = json_array_size(json_object_get(tokens, "query")), n_k = json_array_size(json_object_get(tokens, "key"));
			assert_int_equal(json_array_size(json_object_get(object, "row_sums")), n_q);
			assert_int_equal(json_array_size(json_object_get(object, "verdicts")), n_q);
			assert_int_equal(json_array_size(json_object_get(object, "hidden_by")), n_q);
			assert_int_equal(json_array_size(json_array_get(json_object_get(object, "hidden_by"), 0)), n_k);
			json_decref(object);
		}
}

static void shapes_of_eight_heads(void **state)
{
	static const struct { const char *line; long rows, columns; } table[] = {
		{ "show shapes-10 --format json --stage input --array x", 10, 512 },
		{ "show shapes-10 --format json --stage input --array w-q", 512, 64 },
		{ "show shapes-10 --format json --stage input --array q --head 7", 10, 64 },
		{ "show shapes-10 --format json --stage input --array w-o", 512, 512 },
		{ "show shapes-10 --format json --stage weights", 10, 10 },
		{ "show shapes-10 --format json --stage output", 10, 64 },
		{ "show shapes-10 --format json --stage joined", 10, 512 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		json_t *object = json_of(table[i].line), *shape = json_object_get(object, "shape");
		assert_int_equal(json_integer_value(json_array_get(shape, 0)), table[i].rows);
		assert_int_equal(json_integer_value(json_array_get(shape, 1)), table[i].columns);
		json_decref(object);
	}
}

/* ---- inputs ---- */

#define TWO "qkv: 1\nscores: [[0, 1], [2, 3]]\n"

static void inputs(void **state)
{
	char folder[256], line[400], path[300];
	struct run r = run_input("show - --stage scores --format numpy", TWO);

	(void)state;
	assert_string_equal(r.out, "[[0. 1.]\n [2. 3.]]\n");
	assert_string_equal(r.err, "");
	run_free(&r);
	make_folder(folder);
	snprintf(path, sizeof path, "%s/two.yaml", folder);
	write_file(path, TWO, strlen(TWO));
	snprintf(line, sizeof line, "show --stage scores --format numpy %s", path);
	check_run(line, 0, "[[0. 1.]\n [2. 3.]]\n", "");
	/* A name that is both is the scenario; ./name is the file. */
	snprintf(path, sizeof path, "%s/causal-3", folder);
	write_file(path, TWO, strlen(TWO));
	assert_int_equal(chdir(folder), 0);
	check_run("show causal-3 --stage scores --format csv --rows 0", 0, ",<시작>,저는,학생\n<시작>,2.0,1.0,0.1\n", "");
	check_run("show ./causal-3 --stage scores --format csv --rows 0", 0, ",t0,t1\nt0,0.0,1.0\n", "");
	assert_int_equal(chdir("/"), 0);
	remove_folder(folder);
}

static void without_a_command_as_show(void **state)
{
	char *plain = text_of(""), *shown = text_of("show causal-3"), *named = text_of("--causal=off two-tokens");

	(void)state;
	assert_string_equal(plain, shown);
	assert_null(memchr(plain, '\033', strlen(plain)));
	assert_memory_equal(named, "two-tokens  weights (2, 2)  f64\n", 32);
	free(plain);
	free(shown);
	free(named);
}

static void options_lie_on_top_of_the_scenario(void **state)
{
	(void)state;
	check_run("show causal-3 --causal=off --format numpy --precision 2 --rows 1", 0, "[[0.24 0.66 0.1 ]]\n", "");
	check_run("show causal-3 --pad-mask --format numpy --precision 2 --rows 2", 0, "[[0.73 0.27 0.  ]]\n", "");
	check_run("show causal-3 --scale=2 --scale none --format numpy --precision 2 --rows 1", 0, "[[0.27 0.73 0.  ]]\n", "");
	check_run("show --n 2 random-4 --format numpy --rows 0", 0, "[[1. 0.]]\n", "");
}

/* ---- errors ---- */

static void errors(void **state)
{
	(void)state;
	check_error("show causal-3 --pad 9", "qkv: --pad 9: key 9 is outside 0..2\n");
	check_error("causal-3 --scale abc", "qkv: --scale abc: 'abc' is not one of: sqrt, none, dk, dmodel, number\n");
	check_error("show abc", "qkv: abc: no built-in scenario or file of that name; qkv list --scenarios names them\n");
	check_error("causl-3", "qkv: causl-3: no built-in scenario or file of that name; qkv list --scenarios names them; did you mean causal-3?\n");
	check_error("alive", "qkv: alive: no built-in scenario or file of that name; qkv list --scenarios names them\n");
	check_error("show ./nowhere.yaml", "qkv: ./nowhere.yaml: cannot be opened: No such file or directory\n");
	check_error("show /", "qkv: /: is a folder; a file is expected\n");
	check_error("show ''", "qkv: the name of the input is empty\n");
	check_error("--nonsense", "qkv: --nonsense: no such option; qkv --help lists them all\n");
	check_error("show two-tokens --stage joined", "qkv: --stage joined: there is only one head to join\n");
	check_error("show two-tokens --seed 1", "qkv: --seed 1: the input has given numbers; this option is for random input\n");
	check_error("show --bug typo", "qkv: --bug typo: there is no bug named 'typo'; qkv list --bugs has them\n");
	check_error("show two-tokens --transpose=off",
		    "qkv: --transpose off: Q (2, 4) K (2, 4): 4 columns against 2 rows, a shape error; K^T is (4, 2)\n");
	check_error("--resume", "qkv: --resume: the output is not a terminal\n");
	check_error("docs nothing", "qkv: docs: man, options, keys, bash, zsh or fish is expected\n");
	/* A built-in scenario is not at fault when other options no longer fit it. */
	check_error("show pad-4 --n 2", "qkv: --pad 2,3: key 3 is outside 0..1\n");
}

static void check_file_error(const char *text, const char *more, const char *wanted)
{
	char folder[256], path[300], line[400], message[600];

	make_folder(folder);
	snprintf(path, sizeof path, "%s/bad.yaml", folder);
	write_file(path, text, strlen(text));
	snprintf(line, sizeof line, "show %s %s", path, more);
	snprintf(message, sizeof message, "qkv: %s:%s\n", path, wanted);
	check_error(line, message);
	remove_folder(folder);
}

static void errors_in_files(void **state)
{
	struct run r;

	(void)state;
	check_file_error("qkv: 1\nscores: [[0, 1], [2, 3]]\nset:\n  causal: on\n  pad: [0, 9]\n", "", "5:8: pad 0,9: key 9 is outside 0..1");
	check_file_error("qkv: 1\nscores: [[0, 1], [2, 3]]\nset: {head: 3}\n", "--causal", "3:13: head 3: there is only 1, counted from 0");
	/* Overridden, the file's value does no harm. */
	r = run_input("show - --pad 0 --format numpy --rows 0", "qkv: 1\nscores: [[0, 1], [2, 3]]\nset: {pad: 9}\n");
	assert_int_equal(r.status, 0);
	assert_string_equal(r.out, "[[0. 1.]]\n");
	run_free(&r);
	r = run_input("show -", "qkv: 1\nscores: [[0, 1], [2, 3]]\nset: {pad: 9}\n");
	assert_int_equal(r.status, 2);
	assert_string_equal(r.out, "");
	assert_string_equal(r.err, "qkv: stdin:3:12: pad 9: key 9 is outside 0..1\n");
	run_free(&r);
}

/* Whatever is wrong in a file: one line, with its place. */
static void check_bad_text(const char *text, const char *place)
{
	struct run r = run_input("show -", text);

	assert_int_equal(r.status, 2);
	assert_string_equal(r.out, "");
	if (strncmp(r.err, place, strlen(place)) || strchr(r.err, '\n') != r.err + r.err_size - 1)
		fail_msg("%s begins otherwise than %s", r.err, place);
	run_free(&r);
}

static void bad_files(void **state)
{
	(void)state;
	check_bad_text("qkv: 1\nscores: [[0, 1], [2]]\n", "qkv: stdin:2:");
	check_bad_text("qkv: 1\nscores: [[0, x], [2, 3]]\n", "qkv: stdin:2:");
	check_bad_text("qkv: 1\nscores: [[0]]\nset: {scale: abc}\n", "qkv: stdin:3:");
	check_bad_text("qkv: 1\ncolour: red\n", "qkv: stdin:2:");
	check_bad_text("", "qkv: stdin");
	check_bad_text("qkv: 1\n\033[31m: [\n", "qkv: stdin:2:");
	check_bad_text("\x93NUMPY", "qkv: stdin: the file is cut off: expected at least 10 bytes of a .npy file, found 6\n");
	check_bad_text("PK\3\4", "qkv: stdin: the file is cut off: expected at least 22 bytes of a .npz file, found 4\n");
}

/* Names on the command line may hold anything, and do not reach the terminal as they stand. */
static void hostile_names(void **state)
{
	static const char *const names[] = { "\033[31mred", "a\nb", "\xff\xfe", "--\033[2J", "--pad=\033", "--mask=\033]0;x\a" };

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct run r = run_words((const char *[]){ "show", names[i], NULL }, NULL);
		assert_int_equal(r.status, 2);
		assert_string_equal(r.out, "");
		assert_memory_equal(r.err, "qkv: ", 5);
		for (size_t k = 0; k < r.err_size - 1; k++)
			assert_true((unsigned char)r.err[k] >= ' ' && r.err[k] != 0x7f && (unsigned char)r.err[k] != 0xff);
		assert_int_equal(r.err[r.err_size - 1], '\n');
		run_free(&r);
	}
}

/* ---- masks from files ---- */

static void write_npy(const char *path, const char *descr, const char *shape, const void *data, size_t size)
{
	char bytes[512] = "\x93NUMPY\x01\x00\x76\x00";
	char header[118];

	snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape);
	snprintf(bytes + 10, sizeof bytes - 10, "%-117s\n", header);
	memcpy(bytes + 128, data, size);
	write_file(path, bytes, 128 + size);
}

static void masks(void **state)
{
	static const unsigned char flags[] = { 0, 1, 1, 0, 0, 1, 0, 0, 0 };
	static const double bias[] = { 0, 5, 0 };
	char folder[256], path[300], line[500], wanted[700];

	(void)state;
	make_folder(folder);
	snprintf(path, sizeof path, "%s/m.npy", folder);
	write_npy(path, "|b1", "(3, 3)", flags, sizeof flags);
	snprintf(line, sizeof line, "show causal-3 --causal=off --mask %s --format numpy --precision 2", path);
	check_run(line, 0, "[[1.   0.   0.  ]\n [0.27 0.73 0.  ]\n [0.66 0.24 0.1 ]]\n", "");
	snprintf(line, sizeof line, "show causal-3 --causal=off --mask %s --polarity keep --format numpy --rows 1", path);
	check_run(line, 0, "[[0. 0. 1.]]\n", "");
	snprintf(line, sizeof line, "show causal-3 --mask=%s --cols 0 --rows 0", path);
	char *table = text_of(line);
	assert_non_null(strstr(table, "\nmask: True hides (assumed"));
	free(table);
	snprintf(line, sizeof line, "show two-tokens --mask %s", path);
	snprintf(wanted, sizeof wanted, "qkv: --mask %.250s: mask (3, 3) does not fit scores (2, 2); (2), (1, 2) or (2, 2) is expected\n", path);
	check_error(line, wanted);
	snprintf(line, sizeof line, "show causal-3 --mask %s:keep", path);
	struct run r = run(line);
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, ": the file has one array, without a name; FILE alone is expected\n"));
	run_free(&r);
	write_npy(path, "<f8", "(3,)", bias, sizeof bias);
	snprintf(line, sizeof line, "show causal-3 --stage masked --bias %s --format numpy", path);
	check_run(line, 0, "[[ 2.  -inf -inf]\n [ 1.   7.  -inf]\n [ 2.   6.   0.1]]\n", "");
	write_file(path, "PK\3\4 and so on", 14);
	snprintf(line, sizeof line, "show causal-3 --bias %s", path);
	r = run(line);
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, ": the file is cut off: expected at least 22 bytes of a .npz file, found 14\n"));
	run_free(&r);
	check_error("show --mask nowhere.npy", "qkv: --mask nowhere.npy: cannot be opened: No such file or directory\n");
	remove_folder(folder);
}

/* Nobody writes to this FIFO: opening it must not wait for that. INPUT itself
 * may be a pipe. */
static void only_plain_files(void **state)
{
	static const char text[] = "qkv: 1\nscores: [[1, 2]]\nset: {mask: %s}\n";
	static const char number[] = "qkv: 1\nweights: [[0.5, 0.5]]\n";
	char folder[256], fifo[300], file[300], yaml[500], line[400], wanted[700];

	(void)state;
	make_folder(folder);
	snprintf(fifo, sizeof fifo, "%s/fifo", folder);
	snprintf(file, sizeof file, "%s/s.yaml", folder);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	int n = snprintf(yaml, sizeof yaml, text, fifo);
	write_file(file, yaml, (size_t)n);
	alarm(60);
	snprintf(line, sizeof line, "show %s", file);
	struct run r = run(line);
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, ": is not a plain file\n"));
	run_free(&r);
	snprintf(line, sizeof line, "show --bias %s", fifo);
	snprintf(wanted, sizeof wanted, "qkv: --bias %.250s: is not a plain file\n", fifo);
	check_error(line, wanted);
	check_error("show --mask /dev/null", "qkv: --mask /dev/null: is not a plain file\n");
	r = run_input("show --mask=-", "qkv: 1\n");
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, "only INPUT of the command line may be standard input\n"));
	run_free(&r);
	r = run_input("show - --format numpy", number);
	assert_string_equal(r.out, "[[0.5 0.5]]\n");
	run_free(&r);
	r = run_input("show /dev/stdin --format numpy", number);
	assert_string_equal(r.out, "[[0.5 0.5]]\n");
	run_free(&r);
	alarm(0);
	remove_folder(folder);
}

/* ---- what it writes to ---- */

static void broken_outputs(void **state)
{
	int ends[2], full = open("/dev/full", O_WRONLY);

	(void)state;
	if (full >= 0) {
		struct run r = run_onto("show", full);
		assert_int_equal(r.status, 2);
		assert_string_equal(r.err, "qkv: cannot write: No space left on device\n");
		run_free(&r);
	}
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	struct run r = run_onto("show", ends[1]);
	assert_int_equal(r.status, 141);
	assert_string_equal(r.err, "");
	run_free(&r);
}

static bool has_escapes(const char *text, size_t size)
{
	return memchr(text, '\033', size) || memchr(text, '\b', size) || memchr(text, '\r', size);
}

static void no_escapes_on_a_pipe(void **state)
{
	static const char *const lines[] = {
		"", "show left-pad-4", "show korean-5 --color truecolor", "show --theme light", "list", "list --bugs", "--help",
		"frame causal-3 --keys c", "show shapes-10 --format latex",
	};

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct run r = run(lines[i]);
		assert_int_equal(r.status, 0);
		assert_false(has_escapes(r.out, r.out_size));
		run_free(&r);
	}
}

static void tables_follow_columns(void **state)
{
	(void)state;
	setenv("COLUMNS", "200", 1);
	char *wide = text_of("show saturation-16");
	setenv("COLUMNS", "nonsense", 1);
	char *fallback = text_of("show saturation-16");
	setenv("COLUMNS", "80", 1);
	char *eighty = text_of("show saturation-16");
	unsetenv("COLUMNS");
	/* A file or a pipe that nobody gave a width for gets every column. */
	char *whole = text_of("show saturation-16");
	assert_null(strstr(wide, "left out"));
	assert_null(strstr(whole, "left out"));
	assert_non_null(strstr(eighty, "left out"));
	assert_string_equal(fallback, eighty);
	free(whole);
	free(wide);
	free(fallback);
	free(eighty);
}

/* Without UTF-8 everything is ASCII, and numbers never depend on the locale. */
static void locales(void **state)
{
	const char *before = getenv("LC_ALL");
	char *kept = before ? strdup(before) : NULL;

	(void)state;
	setenv("LC_ALL", "C", 1);
	char *table = text_of("show causal-3"), *numbers = text_of("show causal-3 --format numpy --precision 2 --rows 1");
	for (const char *p = table; *p; p++)
		assert_true((unsigned char)*p < 0x80);
	assert_non_null(strstr(table, "\\uc800\\ub294"));
	assert_string_equal(numbers, "[[0.27 0.73 0.  ]]\n");
	struct run r = run("show 저는");
	assert_string_equal(r.err, "qkv: \\uc800\\ub294: no built-in scenario or file of that name; qkv list --scenarios names them\n");
	run_free(&r);
	if (kept)
		setenv("LC_ALL", kept, 1);
	else
		unsetenv("LC_ALL");
	free(kept);
	free(table);
	free(numbers);
}

/* ---- lists, help, frame ---- */

/* Line i of a list starts with the name, then two blanks at least. */
static void check_name(const char *text, size_t i, const char *name)
{
	for (; i; i--)
		text = strchr(text, '\n') + 1;
	size_t n = strlen(name);
	assert_memory_equal(text, name, n);
	assert_memory_equal(text + n, "  ", 2);
	assert_true(text[n + strspn(text + n, " ")] > ' ');
}

static size_t lines_of(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void lists(void **state)
{
	static const char *const order[] = {
		"two-tokens", "causal-3", "korean-5", "random-4", "pad-4", "left-pad-4", "saturation-16", "shapes-10", "cross-3x5", "ones-8",
		"all-pad-3", "overflow-7x3", "low-scores-3", "masked-twice-3", "cached-3x5", "square-4",
	};
	char *plain = text_of("list"), *scenarios = text_of("list --scenarios"), *bugs_text = text_of("list --bugs");
	char *themes = text_of("list --themes");

	(void)state;
	assert_string_equal(plain, scenarios);
	assert_int_equal(lines_of(scenarios), sizeof order / sizeof *order);
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		check_name(scenarios, i, order[i]);
	assert_int_equal(lines_of(bugs_text), bugs_count);
	for (size_t i = 0; i < bugs_count; i++)
		check_name(bugs_text, i, bugs[i].name);
	assert_int_equal(lines_of(themes), 2);
	check_name(themes, 0, "dark");
	check_name(themes, 1, "light");
	free(plain);
	free(scenarios);
	free(bugs_text);
	free(themes);
}

/* The order of the scenarios and what is built into the program are the same set. */
static void builtins_are_assets(void **state)
{
	size_t found = 0;
	char name[128];

	(void)state;
	for (size_t a = 0; a < assets_count; a++) {
		if (strncmp(assets[a].name, "scenarios/", 10))
			continue;
		bool listed = false;
		for (size_t i = 0; i < builtin_count(); i++) {
			snprintf(name, sizeof name, "scenarios/%s.yaml", builtin_name(i));
			listed = listed || !strcmp(name, assets[a].name);
		}
		if (!listed)
			fail_msg("%s is not in the order of tui/load.c", assets[a].name);
		found++;
	}
	assert_int_equal(found, builtin_count());
}

static void every_bug_is_shown(void **state)
{
	char line[128];

	(void)state;
	for (size_t i = 0; i < bugs_count; i++) {
		/* random-4 with n = d_k, so that a forgotten transpose has a result. */
		snprintf(line, sizeof line, "show random-4 --n 8 --format numpy --bug %s", bugs[i].name);
		free(text_of(line));
	}
}

static void help(void **state)
{
	char *text = text_of("--help"), *again = text_of("help"), *more = text_of("show --help"), name[64];

	(void)state;
	assert_string_equal(text, again);
	assert_string_equal(text, more);
	for (int o = 0; o < OPT_COUNT; o++) {
		snprintf(name, sizeof name, "\n  --%s ", option_info((enum option)o)->name);
		assert_non_null(strstr(text, name));
	}
	for (const char *p = text; *p; p += strcspn(p, "\n") + 1)
		assert_true(strcspn(p, "\n") <= 80);
	free(text);
	free(again);
	free(more);
}

static void version(void **state)
{
	struct run r = run("--version");
	int a, b, c, end = 0;

	(void)state;
	assert_int_equal(r.status, 0);
	assert_int_equal(sscanf(r.out, "qkv %d.%d.%d\n%n", &a, &b, &c, &end), 3);
	assert_int_equal(end, r.out_size);
	run_free(&r);
}

static void frames(void **state)
{
	char *first = text_of("frame causal-3 --keys c --size 80x24"), *second = text_of("frame --size=80x24 --keys=c");
	size_t size = strlen(first);

	(void)state;
	assert_string_equal(first, second);
	assert_int_equal(lines_of(first), 24);
	assert_true(size > 24);
	free(first);
	free(second);
	struct run r = run("frame --keys <Nonsense>");
	assert_int_equal(r.status, 2);
	assert_string_equal(r.out, "");
	assert_memory_equal(r.err, "qkv: ", 5);
	run_free(&r);
}

/* ---- writing files, as the screen does ---- */

static void saved_files(void **state)
{
	char folder[256], path[300], link_path[300], text[64];
	struct error e = { 0 };
	struct stat st;

	(void)state;
	make_folder(folder);
	snprintf(path, sizeof path, "%s/f.txt", folder);
	snprintf(link_path, sizeof link_path, "%s/link", folder);
	assert_int_equal(save_bytes(path, "one", 3, false, &e), OK_STATUS);
	assert_int_equal(save_bytes(path, "two", 3, false, &e), E_FILE);
	assert_string_equal(e.text, "exists; it is not replaced unasked, :w! does it");
	char *content = read_file(path, NULL);
	assert_string_equal(content, "one");
	free(content);
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(symlink(path, link_path), 0);
	assert_int_equal(save_bytes(link_path, "three", 5, true, &e), OK_STATUS);
	content = read_file(path, NULL);
	assert_string_equal(content, "three");
	free(content);
	assert_int_equal(lstat(link_path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(save_bytes(folder, "x", 1, true, &e), E_FILE);
	assert_int_equal(save_bytes("/dev/null", "x", 1, true, &e), E_FILE);
	assert_string_equal(e.text, "is not a plain file");
	snprintf(text, sizeof text, "/nowhere-%d/f", (int)getpid());
	assert_int_equal(save_bytes(text, "x", 1, false, &e), E_FILE);
	assert_string_equal(e.file, text);
	/* Nothing else is left behind. */
	assert_int_equal(unlink(link_path), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
}

/* The scenario's own options against its own shapes, as the screen opens it. */
static void loading_checks_options(void **state)
{
	struct random_tables *tables = malloc(sizeof *tables);
	static const char bad[] = "qkv: 1\nscores: [[0, 1], [2, 3]]\nset: {pad: 9}\n";
	char folder[256], path[300];
	struct scenario s;
	struct error e = { 0 };

	(void)state;
	assert_non_null(tables);
	assert_int_equal(random_tables_init(tables, &e), OK_STATUS);
	for (size_t i = 0; i < builtin_count(); i++) {
		assert_int_equal(load_scenario(&s, builtin_name(i), tables, &e), OK_STATUS);
		assert_string_equal(s.name, builtin_name(i));
		scenario_free(&s);
	}
	make_folder(folder);
	snprintf(path, sizeof path, "%s/bad.yaml", folder);
	write_file(path, bad, strlen(bad));
	assert_int_equal(load_scenario(&s, path, tables, &e), E_VALUE);
	assert_string_equal(e.file, path);
	assert_int_equal(e.line, 3);
	assert_int_equal(e.column, 12);
	assert_string_equal(e.text, "pad 9: key 9 is outside 0..1");
	error_clear(&e);
	assert_int_equal(load_scenario(&s, path, NULL, &e), OK_STATUS);
	scenario_free(&s);
	remove_folder(folder);
	free(tables);
}

/* ---- texts that the program makes and the tree keeps ---- */

static char *source_file(const char *name)
{
	char path[1024];

	snprintf(path, sizeof path, "%s/%s", surroundings("QKV_SOURCE"), name);
	char *text = read_file(path, NULL);
	if (!text)
		fail_msg("%s cannot be read; make refresh makes it", path);
	return text;
}

static void check_kept(const char *file, const char *line)
{
	char *kept = source_file(file), *made = text_of(line);

	if (strcmp(kept, made))
		fail_msg("%s is not what `qkv %s` prints; make refresh updates it", file, line);
	free(kept);
	free(made);
}

static void kept_texts(void **state)
{
	(void)state;
	check_kept("assets/qkv.1", "docs man");
	check_kept("assets/completions/qkv.bash", "docs bash");
	check_kept("assets/completions/_qkv", "docs zsh");
	check_kept("assets/completions/qkv.fish", "docs fish");
}

/* README.md has the table between its markers, blank lines around it aside. */
static void check_section(const char *readme, const char *name)
{
	char start[64], end[64], line[64];

	snprintf(start, sizeof start, "<!-- %s -->\n", name);
	snprintf(end, sizeof end, "<!-- /%s -->\n", name);
	snprintf(line, sizeof line, "docs %s", name);
	const char *from = strstr(readme, start), *to = strstr(readme, end);
	if (!from || !to || to < from)
		fail_msg("README.md has no %s", start);
	char *made = text_of(line);
	from += strlen(start);
	from += strspn(from, "\n");
	size_t n = strlen(made);
	if ((size_t)(to - from) < n || memcmp(from, made, n) || strspn(from + n, "\n") != (size_t)(to - from) - n)
		fail_msg("the %s of README.md are not what `qkv %s` prints; make refresh updates them", name, line);
	free(made);
}

static void readme_tables(void **state)
{
	char *readme = source_file("README.md");

	(void)state;
	check_section(readme, "options");
	check_section(readme, "keys");
	free(readme);
}

/* Another layer of the file that is open, as the screen would load it. */
static void a_part_of_a_file(void **state)
{
	struct tensor_choice choice = { NULL, NULL, 1, -1, false };
	struct scenario s;
	struct error e = { 0 };
	char path[1000];

	(void)state;
	snprintf(path, sizeof path, "%s/tensors/koen_lm_ko.npz", surroundings("QKV_TEST_DATA"));
	assert_int_equal(load_part_file(&s, path, &choice, NULL, &e), OK_STATUS);
	assert_int_equal(s.part.layer, 1);
	choice = (struct tensor_choice){ s.as, s.layout, s.part.layer + 1, s.part.batch, s.part.bf16 };
	scenario_free(&s);
	assert_int_equal(load_part_file(&s, path, &choice, NULL, &e), OK_STATUS);
	assert_int_equal(s.part.layer, 2);
	scenario_free(&s);
	choice.layer = 3;
	assert_int_equal(load_part_file(&s, path, &choice, NULL, &e), E_VALUE);
	assert_int_equal(load_part_file(&s, "-", &choice, NULL, &e), E_FILE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_the_lessons),
		cmocka_unit_test(a_language_that_cannot_be_written),
		cmocka_unit_test(keys_want_a_screen), cmocka_unit_test(verdicts), cmocka_unit_test(json_everywhere),
		cmocka_unit_test(shapes_of_eight_heads), cmocka_unit_test(inputs), cmocka_unit_test(without_a_command_as_show),
		cmocka_unit_test(options_lie_on_top_of_the_scenario), cmocka_unit_test(errors), cmocka_unit_test(errors_in_files),
		cmocka_unit_test(bad_files), cmocka_unit_test(hostile_names), cmocka_unit_test(masks),
		cmocka_unit_test(only_plain_files),
		cmocka_unit_test(broken_outputs), cmocka_unit_test(no_escapes_on_a_pipe), cmocka_unit_test(tables_follow_columns),
		cmocka_unit_test(locales), cmocka_unit_test(lists), cmocka_unit_test(builtins_are_assets),
		cmocka_unit_test(every_bug_is_shown), cmocka_unit_test(help), cmocka_unit_test(version), cmocka_unit_test(frames),
		cmocka_unit_test(a_part_of_a_file),
		cmocka_unit_test(saved_files), cmocka_unit_test(loading_checks_options), cmocka_unit_test(kept_texts),
		cmocka_unit_test(readme_tables),
	};
	return cmocka_run_group_tests_name("cli", tests, NULL, NULL);
}
