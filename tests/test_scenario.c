/* test_scenario.c - scenarios: the built-in ones, the files that must be
 * refused, and what is written reads back.
 *
 * tests/data/scenarios/bad: the first line of each file is a comment with the
 * place and the start of the message that is expected.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/scenario_yaml.h"

/* ---- tools ---- */

struct text { char *v; size_t n; };

static struct text read_text(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct text t = { 0 };
	size_t room = 0, got;

	if (!f)
		fail_msg("cannot open %s", path);
	do {
		room += 65536;
		t.v = realloc(t.v, room);
		assert_non_null(t.v);
		got = fread(t.v + t.n, 1, room - t.n, f);
		t.n += got;
	} while (got);
	fclose(f);
	/* Of exactly the right size, so that a sanitizer sees the first byte too far. */
	char *exact = malloc(t.n ? t.n : 1);
	assert_non_null(exact);
	memcpy(exact, t.v, t.n);
	free(t.v);
	t.v = exact;
	return t;
}

static const char *folder(const char *variable, const char *otherwise)
{
	const char *value = getenv(variable);
	return value && *value ? value : otherwise;
}

static struct text read_builtin(const char *name)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/scenarios/%s.yaml", folder("QKV_ASSETS", "assets"), name);
	return read_text(path);
}

static void show_error(const struct error *e)
{
	char line[1024];

	error_format(e, line, sizeof line);
	print_error("%s\n", line);
}

static void parse_bytes(struct scenario *s, const void *bytes, size_t n, const char *name)
{
	struct error e;

	error_clear(&e);
	if (scenario_parse(s, bytes, n, name, &e)) {
		show_error(&e);
		fail_msg("%s was refused", name);
	}
}

static void parse_text(struct scenario *s, const char *text)
{
	parse_bytes(s, text, strlen(text), "test.yaml");
}

static void parse_builtin(struct scenario *s, const char *name)
{
	char file[256];
	struct text t = read_builtin(name);

	snprintf(file, sizeof file, "%s.yaml", name);
	parse_bytes(s, t.v, t.n, file);
	free(t.v);
	assert_string_equal(s->name, name);
}

/* Parses what must be refused; s has to stay as it was. */
static enum status refuse_bytes(const void *bytes, size_t n, struct error *e)
{
	struct scenario s, before;

	memset(&s, 0x5a, sizeof s);
	memcpy(&before, &s, sizeof s);
	error_clear(e);
	enum status status = scenario_parse(&s, bytes, n, "test.yaml", e);
	if (status) {
		assert_memory_equal(&s, &before, sizeof s);
		assert_int_equal(e->status, status);
		assert_string_equal(e->file, "test.yaml");
		assert_true(e->line > 0 && e->column > 0 && e->text[0]);
	} else {
		scenario_free(&s);
	}
	return status;
}

static void check_refused_bytes(const void *bytes, size_t n, enum status status, unsigned line, unsigned column,
				const char *start)
{
	struct error e;
	enum status got = refuse_bytes(bytes, n, &e);

	if (!got)
		fail_msg("accepted, but expected: %u:%u: %s", line, column, start);
	if (status != got || e.line != line || e.column != column || strncmp(e.text, start, strlen(start))) {
		show_error(&e);
		fail_msg("expected: %u:%u: %s (status %d, not %d)", line, column, start, status, got);
	}
}

static void check_refused(const char *text, enum status status, unsigned line, unsigned column, const char *start)
{
	check_refused_bytes(text, strlen(text), status, line, column, start);
}

/* ---- equality ---- */

static bool same_number(double a, double b)
{
	return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

static void check_same_tokens(const struct tokens *a, const struct tokens *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t i = 0; i < a->n; i++)
		assert_string_equal(a->text[i], b->text[i]);
}

static void check_same_array(const struct array_heads *a, const struct array_heads *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t h = 0; h < a->n; h++) {
		const struct matrix *x = &a->head[h], *y = &b->head[h];
		assert_int_equal(x->rows, y->rows);
		assert_int_equal(x->columns, y->columns);
		for (size_t k = 0; k < x->rows * x->columns; k++)
			assert_true(same_number(x->v[k], y->v[k]));
	}
}

static void check_same_random(const struct random_input *a, const struct random_input *b)
{
	assert_string_equal(a->seed, b->seed);
	assert_int_equal(a->n_q, b->n_q);
	assert_int_equal(a->n_k, b->n_k);
	assert_int_equal(a->d_k, b->d_k);
	assert_int_equal(a->d_v, b->d_v);
	assert_int_equal(a->heads, b->heads);
	assert_int_equal(a->d_model, b->d_model);
	assert_true(a->skip == b->skip);
}

static void check_same(const struct scenario *a, const struct scenario *b)
{
	assert_int_equal(a->title.n, b->title.n);
	for (size_t i = 0; i < a->title.n; i++) {
		assert_string_equal(a->title.v[i].language, b->title.v[i].language);
		assert_string_equal(a->title.v[i].text, b->title.v[i].text);
	}
	assert_int_equal(a->source, b->source);
	assert_int_equal(a->tokens_shared, b->tokens_shared);
	check_same_tokens(&a->query_tokens, &b->query_tokens);
	check_same_tokens(&a->key_tokens, &b->key_tokens);
	for (int k = 0; k < ARRAY_COUNT; k++)
		check_same_array(&a->array[k], &b->array[k]);
	if (a->source == SOURCE_RANDOM)
		check_same_random(&a->random, &b->random);
	assert_int_equal(a->d_k, b->d_k);
	assert_true(options_equal(&a->set, &b->set));
	assert_true(edits_equal(&a->edits, &b->edits));
}

/* Writes s and reads that back: equal, and written again the same text. */
static void check_round_trip(const struct scenario *s)
{
	struct buffer out = { 0 }, again = { 0 };
	struct scenario back;
	struct error e;

	scenario_write(&out, s, &s->set, &s->edits);
	assert_false(out.failed);
	error_clear(&e);
	if (scenario_parse(&back, out.data, out.size, "back.yaml", &e)) {
		print_error("%s", out.data);
		show_error(&e);
		fail_msg("what was written is refused");
	}
	check_same(s, &back);
	scenario_write(&again, &back, &back.set, &back.edits);
	assert_string_equal(out.data, again.data);
	buffer_free(&out);
	buffer_free(&again);
	scenario_free(&back);
}

/* ---- the built-in scenarios ---- */

static const char *const builtins[] = {
	"two-tokens", "causal-3", "korean-5", "random-4", "pad-4", "left-pad-4", "saturation-16", "shapes-10",
	"cross-3x5", "ones-8", "all-pad-3", "overflow-7x3", "low-scores-3", "masked-twice-3", "cached-3x5", "square-4",
};
enum { BUILTINS = sizeof builtins / sizeof *builtins };

static void check_matrix(const struct scenario *s, enum array a, size_t rows, size_t columns, const double *v)
{
	assert_int_equal(s->array[a].n, 1);
	assert_int_equal(s->array[a].head[0].rows, rows);
	assert_int_equal(s->array[a].head[0].columns, columns);
	for (size_t k = 0; k < rows * columns; k++)
		assert_true(s->array[a].head[0].v[k] == v[k]);
}

static void check_identity(const struct scenario *s, enum array a, size_t n)
{
	double v[64] = { 0 };

	for (size_t i = 0; i < n; i++)
		v[i * n + i] = 1;
	check_matrix(s, a, n, n, v);
}

static void check_tokens(const struct tokens *t, const char *joined)
{
	char all[512] = "";

	for (size_t i = 0; i < t->n; i++) {
		strcat(all, i ? "|" : "");
		strcat(all, t->text[i]);
	}
	assert_string_equal(all, joined);
}

static void check_option(const struct scenario *s, enum option which, const char *expected)
{
	struct buffer value = { 0 };

	option_text(&s->set, which, &value);
	assert_string_equal(value.data, expected);
	buffer_free(&value);
}

static void check_random(const struct scenario *s, size_t n_q, size_t n_k, size_t d_k, size_t heads, size_t d_model,
			 uint64_t skip)
{
	const struct random_input *r = &s->random;

	assert_int_equal(s->source, SOURCE_RANDOM);
	assert_true(r->n_q == n_q && r->n_k == n_k && r->d_k == d_k && r->d_v == d_k);
	assert_true(r->heads == heads && r->d_model == d_model && r->skip == skip);
}

static void test_builtins_all(void **state)
{
	(void)state;
	for (int i = 0; i < BUILTINS; i++) {
		struct scenario s;
		parse_builtin(&s, builtins[i]);
		assert_int_equal(s.title.n, 2);
		assert_string_equal(s.title.v[0].language, "en");
		assert_string_equal(s.title.v[1].language, "ko");
		assert_true(*title_in(&s.title, "ko"));
		check_round_trip(&s);
		scenario_free(&s);
	}
}

static void test_builtins_start_with_a_comment(void **state)
{
	(void)state;
	for (int i = 0; i < BUILTINS; i++) {
		struct text t = read_builtin(builtins[i]);
		assert_true(t.n > 2 && t.v[0] == '#' && t.v[1] == ' ');
		free(t.v);
	}
}

static void test_two_tokens(void **state)
{
	static const double q[] = { 1, 0, 1, 0, 0, 1, 0, 1 }, k[] = { 1, 0, 1, 0, 1, 1, 1, 1 }, v[] = { 10, 0, 0, 10 };
	struct scenario s;

	(void)state;
	parse_builtin(&s, "two-tokens");
	check_tokens(&s.key_tokens, "w1|w2");
	check_matrix(&s, ARRAY_Q, 2, 4, q);
	check_matrix(&s, ARRAY_K, 2, 4, k);
	check_matrix(&s, ARRAY_V, 2, 2, v);
	check_option(&s, OPT_SCALE, "sqrt");
	check_option(&s, OPT_CAUSAL, "off");
	scenario_free(&s);
}

static void test_causal_3(void **state)
{
	static const double q[] = { 2, 1, 0.1, 1, 2, 0.1, 2, 1, 0.1 };
	struct scenario s;

	(void)state;
	parse_builtin(&s, "causal-3");
	check_tokens(&s.query_tokens, "<시작>|저는|학생");
	check_tokens(&s.key_tokens, "<시작>|저는|학생");
	assert_true(s.tokens_shared);
	check_matrix(&s, ARRAY_Q, 3, 3, q);
	check_identity(&s, ARRAY_K, 3);
	check_identity(&s, ARRAY_V, 3);
	check_option(&s, OPT_CAUSAL, "on");
	check_option(&s, OPT_SCALE, "none");
	check_option(&s, OPT_PAD, "2");
	check_option(&s, OPT_PAD_MASK, "off");
	scenario_free(&s);
}

/* The inputs of seed002_five_tokens: q zero, k and v the identity, no scale. */
static void test_korean_5(void **state)
{
	static const double zeros[25];
	struct scenario s;

	(void)state;
	parse_builtin(&s, "korean-5");
	check_tokens(&s.key_tokens, "딥러닝|공부|화이팅|하세요|End");
	check_matrix(&s, ARRAY_Q, 5, 5, zeros);
	check_identity(&s, ARRAY_K, 5);
	check_identity(&s, ARRAY_V, 5);
	check_option(&s, OPT_CAUSAL, "on");
	check_option(&s, OPT_SCALE, "none");
	scenario_free(&s);
}

static void test_builtins_of_four(void **state)
{
	struct scenario s;

	(void)state;
	parse_builtin(&s, "random-4");
	check_random(&s, 4, 4, 8, 1, 0, 0);
	assert_string_equal(s.random.seed, "0");
	check_tokens(&s.key_tokens, "t0|t1|t2|t3");
	check_option(&s, OPT_CAUSAL, "on");
	scenario_free(&s);

	parse_builtin(&s, "pad-4");
	check_random(&s, 4, 4, 8, 1, 0, 0);
	assert_string_equal(s.random.seed, "0");
	check_tokens(&s.key_tokens, "t0|t1|<pad>|<pad>");
	check_option(&s, OPT_CAUSAL, "off");
	check_option(&s, OPT_PAD, "2,3");
	scenario_free(&s);

	parse_builtin(&s, "left-pad-4");
	check_random(&s, 4, 4, 8, 1, 0, 0);
	assert_string_equal(s.random.seed, "0");
	check_tokens(&s.key_tokens, "<pad>|<pad>|t2|t3");
	check_option(&s, OPT_CAUSAL, "on");
	check_option(&s, OPT_PAD, "0,1");
	scenario_free(&s);
}

static void test_builtins_large(void **state)
{
	struct scenario s;

	(void)state;
	parse_builtin(&s, "saturation-16");
	check_random(&s, 16, 16, 256, 1, 0, 4032);
	assert_string_equal(s.random.seed, "0");
	scenario_free(&s);

	parse_builtin(&s, "shapes-10");
	check_random(&s, 10, 10, 64, 8, 512, 0);
	assert_string_equal(s.random.seed, "0");
	scenario_free(&s);

	parse_builtin(&s, "cross-3x5");
	check_random(&s, 3, 5, 4, 1, 0, 0);
	assert_int_equal(s.query_tokens.n, 3);
	assert_int_equal(s.key_tokens.n, 5);
	assert_false(s.tokens_shared);
	check_option(&s, OPT_CAUSAL, "off");
	scenario_free(&s);
}

static void test_ones_8(void **state)
{
	double ones[32];
	struct scenario s;

	(void)state;
	for (int k = 0; k < 32; k++)
		ones[k] = 1;
	parse_builtin(&s, "ones-8");
	check_matrix(&s, ARRAY_Q, 8, 4, ones);
	check_matrix(&s, ARRAY_K, 8, 4, ones);
	check_identity(&s, ARRAY_V, 8);
	check_option(&s, OPT_CAUSAL, "on");
	scenario_free(&s);
}

/* ---- files that must be refused ---- */

static void check_bad_file(const char *path)
{
	struct text t = read_text(path);
	char first[1024];
	unsigned line, column;
	int used = 0;
	size_t n = 0;

	while (n < t.n && t.v[n] != '\n' && n < sizeof first - 1)
		n++;
	memcpy(first, t.v, n);
	first[n] = '\0';
	if (sscanf(first, "# %u:%u: %n", &line, &column, &used) != 2 || !used)
		fail_msg("%s does not start with what is expected", path);

	struct error e;
	if (!refuse_bytes(t.v, t.n, &e))
		fail_msg("%s is accepted; expected %s", path, first + 2);
	if (e.line != line || e.column != column || strncmp(e.text, first + used, strlen(first + used))) {
		show_error(&e);
		fail_msg("%s: expected %s", path, first + 2);
	}
	free(t.v);
}

static void test_bad_files(void **state)
{
	char dir[2048], path[4096];
	int files = 0;

	(void)state;
	snprintf(dir, sizeof dir, "%s/scenarios/bad", folder("QKV_TEST_DATA", "tests/data"));
	DIR *d = opendir(dir);
	if (!d)
		fail_msg("cannot open %s", dir);
	for (struct dirent *entry; (entry = readdir(d));) {
		const char *dot = strrchr(entry->d_name, '.');
		if (!dot || strcmp(dot, ".yaml"))
			continue;
		snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
		check_bad_file(path);
		files++;
	}
	closedir(d);
	assert_true(files > 100);
}

static void test_bad_bytes(void **state)
{
	static const char nul[] = "qkv: 1\ntitle: a\0b\n";

	(void)state;
	check_refused("", E_VALUE, 1, 1, "an empty file");
	check_refused("# nothing\n\n", E_VALUE, 1, 1, "an empty file");
	check_refused("hello", E_SYNTAX, 1, 1, "a scenario: a single value where a map");
	check_refused("- a\n", E_SYNTAX, 1, 1, "a scenario: a list where a map");
	check_refused("\tqkv: 1\n", E_SYNTAX, 1, 1, "a tab in the indentation");
	check_refused_bytes(nul, sizeof nul - 1, E_SYNTAX, 2, 9, "a NUL byte");
	check_refused("qkv: 1\ntitle: 가\xff\n", E_SYNTAX, 2, 9, "byte 0xff is not UTF-8");
	check_refused("qkv: 1\ntitle: \xc0\xaf\n", E_SYNTAX, 2, 8, "byte 0xc0 is not UTF-8");
	check_refused("qkv: 1\ntitle: \xed\xa0\x80\n", E_SYNTAX, 2, 8, "byte 0xed is not UTF-8");
	check_refused("qkv: 1\ntitle: \xf4\x90\x80\x80\n", E_SYNTAX, 2, 8, "byte 0xf4 is not UTF-8");
	check_refused("qkv: 1\ntitle: a\xe2\x82", E_SYNTAX, 2, 9, "byte 0xe2 is not UTF-8");
	check_refused("\xff\xfeq\0k\0", E_SYNTAX, 1, 1, "byte 0xff is not UTF-8");
	check_refused("qkv: 1\r\ntitle: a\x1b[2J\r\n", E_SYNTAX, 2, 9, "the character U+001B cannot stand here");
	check_refused("qkv: 1\rtitle: a\x7f\r", E_SYNTAX, 2, 9, "the character U+007F cannot stand here");
	check_refused("qkv: 1\ntitle: \xc2\x9b\n", E_SYNTAX, 2, 8, "the character U+009B cannot stand here");
	check_refused("qkv: 1\ntitle: \xef\xbb\xbf\n", E_SYNTAX, 2, 8, "the character U+FEFF cannot stand here");
}

static void test_places_with_crlf_and_bom(void **state)
{
	(void)state;
	check_refused("\xef\xbb\xbfqvk: 1\n", E_VALUE, 1, 1, "'qvk' is not a key");
	check_refused("qkv: 1\r\nscores: [[1]]\r\nset: {scale: a}\r\n", E_VALUE, 3, 14, "scale: 'a' is not one of");
	check_refused("qkv: 1\ntokens: [\"😀é한\", [a]]\nscores: [[1]]\n", E_SYNTAX, 2, 17, "tokens: a list");
}

/* ---- limits ---- */

static char *repeat(const char *start, const char *part, size_t times, const char *end)
{
	size_t a = strlen(start), b = strlen(part), c = strlen(end);
	char *text = malloc(a + b * times + c + 1);

	assert_non_null(text);
	memcpy(text, start, a);
	for (size_t i = 0; i < times; i++)
		memcpy(text + a + i * b, part, b);
	memcpy(text + a + b * times, end, c + 1);
	return text;
}

static void check_refused_repeat(const char *start, const char *part, size_t times, const char *end,
				 enum status status, unsigned line, unsigned column, const char *message)
{
	char *text = repeat(start, part, times, end);

	check_refused(text, status, line, column, message);
	free(text);
}

static void test_limits(void **state)
{
	(void)state;
	check_refused_repeat("qkv: 1\n", "#234567\n", (size_t)8 << 20, "", E_LIMIT, 1, 1, "67108871 bytes; at most 64 MiB");
	check_refused_repeat("qkv: 1\nscores: ", "[", 1000000, "", E_SYNTAX, 2, 12, "scores: a list, but a number");
	check_refused_repeat("", "- ", 1000000, "", E_SYNTAX, 1, 1, "a scenario: a list where");
	check_refused_repeat("", "{", 1000000, "", E_SYNTAX, 1, 2, "a map where a key");
	check_refused_repeat("qkv: 1\nrandom: {seed: ", "7", 10001, "}\n", E_LIMIT, 2, 16, "seed: 10001 digits; at most 10000");
	check_refused_repeat("qkv: 1\nscores: [[1]]\nset: {seed: ", "7", 10001, "}\n", E_LIMIT, 3, 13, "seed: 10001 digits");
	check_refused("qkv: 1\nrandom: {skip: 100000001}\n", E_LIMIT, 2, 16, "skip: '100000001' is more than this program takes: 0 to 100000000");
	check_refused("qkv: 1\nrandom: {n: 4}\nset: {n: 1000000, d-k: 500}\n", E_LIMIT, 3, 10, "random: n-q 1000000, n-k 1000000, d-k 500, d-v 500, heads 1, d-model 0 make more");
	check_refused_repeat("qkv: 1\nscores: [[1]]\nset: {pad: [", "0-1000000, ", 1000, "1]}\n", E_LIMIT, 3, 112,
			     "pad: more than 10000000 indices");
	check_refused_repeat("qkv: 1\nscores: [[1]]\nset: {pad: \"", "0-1000000,", 100000, "1\"}\n", E_LIMIT, 3, 12,
			     "pad: more than 10000000 indices");
	check_refused_repeat("qkv: 1\nscores: [[", "1, ", 100000, "x]]", E_VALUE, 2, 300011, "scores: 'x' is not a number");
}

static void test_long_texts_are_cut(void **state)
{
	struct error e;
	char *text = repeat("qkv: 1\nset: {scale: ", "가", 100000, "}\n");

	(void)state;
	assert_int_equal(refuse_bytes(text, strlen(text), &e), E_VALUE);
	assert_true(strlen(e.text) < 400);
	free(text);
}

/* ---- what is accepted ---- */

static void check_numbers(const struct scenario *s, enum array a, size_t n, const double *expected)
{
	const struct matrix *m = &s->array[a].head[0];

	assert_int_equal(m->rows * m->columns, n);
	for (size_t k = 0; k < n; k++)
		assert_true(same_number(m->v[k], expected[k]));
}

static void test_numbers(void **state)
{
	const double expected[] = { NAN, INFINITY, -INFINITY, NAN, INFINITY, -INFINITY, 0.1, -0.0, 1e-5, 1e300, 3, 5e-324, 7, .5, 8 };
	struct scenario s;

	(void)state;
	parse_text(&s, "qkv: 1\nscores: [[.nan, .inf, -.inf, nan, inf, -inf, 0.1, -0.0, 1e-5, 1E+300, +3, 5e-324, \"7\", .5, '8']]\n");
	check_numbers(&s, ARRAY_SCORES, 15, expected);
	assert_int_equal(s.source, SOURCE_SCORES);
	assert_int_equal(s.d_k, 0);
	check_round_trip(&s);
	scenario_free(&s);
}

static void test_block_style(void **state)
{
	const double first[] = { 1, 2, 3, 4 };
	struct scenario s;

	(void)state;
	parse_text(&s,
		   "--- # with a start\n"
		   "\"qkv\": 1\n"
		   "title: >-\n  a long\n  title\n"
		   "scores:\n"
		   "- - - 1\n"
		   "    - 2\n"
		   "  - [3, 4]\n"
		   "- [[5, 6], [7, 8]]\n"
		   "v: [[[1], [2]], [[3], [4]]]\n"
		   "tokens:\n"
		   "- 시작\n"
		   "- 'don''t'\n"
		   "d-k: 4\n"
		   "...\n");
	assert_string_equal(title_in(&s.title, "ko"), "a long title");
	assert_int_equal(s.array[ARRAY_SCORES].n, 2);
	check_numbers(&s, ARRAY_SCORES, 4, first);
	assert_true(s.array[ARRAY_SCORES].head[1].v[3] == 8);
	assert_int_equal(s.array[ARRAY_V].n, 2);
	check_tokens(&s.key_tokens, "시작|don't");
	assert_int_equal(s.d_k, 4);
	check_round_trip(&s);
	scenario_free(&s);
}

static void test_odd_tokens(void **state)
{
	struct scenario s;

	(void)state;
	parse_text(&s, "qkv: 1\nrandom: {}\n"
		       "tokens: [a#b, a:b, -, \"\", \"#x\", '@', \"\\x1b[31m\\n\\u202e\", 1, true, \"~\", \"👨‍👩‍👧\", ▁the, Ġa]\n");
	check_tokens(&s.query_tokens, "a#b|a:b|-||#x|@|\x1b[31m\n\u202e|1|true|~|👨‍👩‍👧|▁the|Ġa");
	assert_int_equal(s.random.n_q, 13);
	check_round_trip(&s);
	scenario_free(&s);
}

static void test_random_defaults(void **state)
{
	struct scenario s;

	(void)state;
	parse_text(&s, "qkv: 1\nrandom: {}\n");
	check_random(&s, 4, 4, 8, 1, 0, 0);
	assert_string_equal(s.random.seed, "0");
	assert_int_equal(s.key_tokens.n, 0);
	scenario_free(&s);

	parse_text(&s, "qkv: 1\nrandom: {d-k: 5, seed: 00340282366920938463463374607431768211456}\ntokens: [a, b]\n");
	check_random(&s, 2, 2, 5, 1, 0, 0);
	assert_string_equal(s.random.seed, "00340282366920938463463374607431768211456");
	check_round_trip(&s);
	scenario_free(&s);

	parse_text(&s, "qkv: 1\nkey-tokens: [a, b]\nrandom: {n-q: 3, d-v: 2, skip: 100000000}\n");
	assert_true(s.random.n_q == 3 && s.random.n_k == 2 && s.random.d_k == 8 && s.random.d_v == 2);
	assert_true(s.random.skip == 100000000);
	check_round_trip(&s);
	scenario_free(&s);
}

static void test_x(void **state)
{
	const double head1[] = { 2, 4 };
	struct scenario s;

	(void)state;
	parse_text(&s, "qkv: 1\nx: [[1, 2]]\nheads: 2\nw-q: [[1, 2], [3, 4]]\nw-k: [[[1], [3]], [[2], [4]]]\n"
		       "w-v: [[1, 2, 3, 4], [5, 6, 7, 8]]\nw-o: [[1], [2], [3], [4]]\nedits: [{cell: scores 0:0, value: 9, head: 1}]\n");
	assert_int_equal(s.source, SOURCE_X);
	assert_int_equal(s.array[ARRAY_W_Q].n, 2);
	for (int k = 0; k < 2; k++)
		assert_true(s.array[ARRAY_W_Q].head[1].v[k] == head1[k]);
	check_same_array(&s.array[ARRAY_W_Q], &s.array[ARRAY_W_K]);
	assert_true(s.array[ARRAY_W_V].head[1].v[2] == 7 && s.array[ARRAY_W_V].head[1].columns == 2);
	check_round_trip(&s);
	scenario_free(&s);
}

static void test_set(void **state)
{
	struct scenario s;

	(void)state;
	parse_text(&s, "qkv: 1\nweights: [[1, 0], [0, 1]]\nset:\n"
		       "  causal: Yes\n"
		       "  pad-mask: no\n"
		       "  transpose: \"false\"\n"
		       "  window: false\n"
		       "  pad: [3, 0-1]\n"
		       "  documents: [0, 0, 1]\n"
		       "  hide: [\"0:1\", 1:0]\n"
		       "  keep: 0:0,1:1\n"
		       "  fill: -.inf\n"
		       "  keep-value: .inf\n"
		       "  scale: 0.25\n"
		       "  seed: 340282366920938463463374607431768211456\n"
		       "  mask: 'a: \"b\".npz:mask'\n");
	check_option(&s, OPT_CAUSAL, "on");
	check_option(&s, OPT_PAD_MASK, "off");
	check_option(&s, OPT_TRANSPOSE, "off");
	check_option(&s, OPT_WINDOW, "off");
	check_option(&s, OPT_PAD, "0,1,3");
	check_option(&s, OPT_DOCUMENTS, "0,0,1");
	check_option(&s, OPT_HIDE, "0:1,1:0");
	check_option(&s, OPT_KEEP, "0:0,1:1");
	assert_true(option_is_default(&s.set, OPT_FILL) && s.set.fill.word == FILL_MINUS_INFINITY);
	assert_true(isinf(s.set.keep_value.number) && s.set.keep_value.word == -1);
	check_option(&s, OPT_SCALE, "0.25");
	check_option(&s, OPT_SEED, "340282366920938463463374607431768211456");
	check_option(&s, OPT_MASK, "a: \"b\".npz:mask");
	check_round_trip(&s);
	scenario_free(&s);

	parse_text(&s, "qkv: 1\nscores: [[1]]\nset: {pad: [], hide: [], documents: []}\n");
	assert_true(option_is_default(&s.set, OPT_PAD) && option_is_default(&s.set, OPT_HIDE) &&
		    option_is_default(&s.set, OPT_DOCUMENTS));
	scenario_free(&s);
}

static void check_mark(struct mark m, unsigned line, unsigned column)
{
	assert_int_equal(m.line, line);
	assert_int_equal(m.column, column);
}

static void test_marks(void **state)
{
	struct scenario s;

	(void)state;
	parse_text(&s, "qkv: 1\ntokens: [가, 나, 다]\nscores: [[1, 2, 3], [1, 2, 3], [1, 2, 3]]\nset: {causal: on, pad: 9}\n");
	check_mark(s.option_mark[OPT_PAD], 4, 24);
	check_mark(s.option_mark[OPT_CAUSAL], 4, 15);
	check_mark(s.option_mark[OPT_SCALE], 0, 0);
	check_mark(s.array_mark[ARRAY_SCORES], 3, 9);
	check_mark(s.tokens_mark, 2, 9);
	scenario_free(&s);
}

static void test_edits_in_files(void **state)
{
	struct scenario s;

	(void)state;
	parse_text(&s, "qkv: 1\nrandom: {n: 4, heads: 3}\nset: {n: 6}\nedits:\n"
		       "  - {cell: \"scores 5:1\", value: 2.5}\n"
		       "  - {value: .nan, cell: \"q 0:3\", head: 2}\n"
		       "  - {cell: v 5:7, value: -1e-3}\n");
	assert_int_equal(s.edits.n, 3);
	assert_true(isnan(edits_find(&s.edits, ARRAY_Q, 2, 0, 3)->value));
	assert_true(edits_find(&s.edits, ARRAY_SCORES, 0, 5, 1)->value == 2.5);
	assert_true(edits_find(&s.edits, ARRAY_V, 0, 5, 7)->value == -1e-3);
	check_round_trip(&s);
	scenario_free(&s);

	/* v is the identity where only scores are given, and no array. */
	check_refused("qkv: 1\nscores: [[1, 2]]\nedits: [{cell: \"v 1:1\", value: 2}]\n", E_VALUE, 3, 16,
		      "cell: this scenario has no v to edit");
}

static void test_names(void **state)
{
	static const char text[] = "qkv: 1\nscores: [[1]]\n";
	static const char *const names[][2] = {
		{ "a/b/c.yaml", "c" }, { "c.yml", "c" }, { ".yaml", ".yaml" }, { "-", "-" }, { "a.b.yaml", "a.b" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct scenario s;
		parse_bytes(&s, text, sizeof text - 1, names[i][0]);
		assert_string_equal(s.name, names[i][1]);
		scenario_free(&s);
	}
}

/* ---- writing ---- */

static void test_written_text(void **state)
{
	struct scenario s;
	struct buffer out = { 0 };
	struct error e;

	(void)state;
	parse_builtin(&s, "causal-3");
	error_clear(&e);
	assert_int_equal(option_set(&s.set, OPT_HIDE, "0:1,2:0", &e), OK_STATUS);
	assert_int_equal(edits_put(&s.edits, (struct edit){ ARRAY_SCORES, 0, 1, 2, -INFINITY }, &e), OK_STATUS);
	scenario_write(&out, &s, &s.set, &s.edits);
	assert_string_equal(out.data,
			    "qkv: 1\n"
			    "title:\n"
			    "  \"en\": \"Causal mask by hand\"\n"
			    "  \"ko\": \"손으로 하는 causal mask\"\n"
			    "tokens: [\"<시작>\", \"저는\", \"학생\"]\n"
			    "q:\n  [[2, 1, 0.1],\n   [1, 2, 0.1],\n   [2, 1, 0.1]]\n"
			    "k:\n  [[1, 0, 0],\n   [0, 1, 0],\n   [0, 0, 1]]\n"
			    "v:\n  [[1, 0, 0],\n   [0, 1, 0],\n   [0, 0, 1]]\n"
			    "set:\n"
			    "  causal: on\n"
			    "  pad: [2]\n"
			    "  pad-mask: off\n"
			    "  hide: [\"0:1\", \"2:0\"]\n"
			    "  scale: none\n"
			    "edits:\n"
			    "  - {cell: \"scores 1:2\", value: -.inf}\n");
	buffer_free(&out);
	scenario_free(&s);
}

/* The state of SplitMix64 (Steele, Lea, Flood 2014), for repeatable cases. */
struct dice { uint64_t state; };

static uint64_t roll(struct dice *d)
{
	uint64_t z = d->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static size_t below(struct dice *d, size_t n)
{
	return (size_t)(roll(d) % n);
}

static double roll_number(struct dice *d)
{
	static const double special[] = { 0, -0.0, 1, -1, 0.1, NAN, INFINITY, -INFINITY, 1e308, 5e-324, 1e16, 123456789 };
	uint64_t bits = roll(d);
	double x;

	if (below(d, 2))
		return special[below(d, sizeof special / sizeof *special)];
	if (below(d, 2))
		return (double)((long)below(d, 2000) - 1000) / 100;
	memcpy(&x, &bits, sizeof x);
	return x;
}

static size_t put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	for (size_t i = n - 1; i > 0; i--, c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(n == 2 ? 0xc0 | c : n == 3 ? 0xe0 | c : 0xf0 | c);
	return n;
}

/* Any text without NUL: control characters, quotes, blanks at both ends, emoji. */
static void roll_text(struct dice *d, char *out, size_t characters)
{
	static const uint32_t odd[] = { '"', '\\', '#', ':', '@', ' ', '\t', '\n', '\r', 0x1b, 0x7f, 0x85, 0x9b, 0xa0, 0x2028,
					0x2029, 0x202e, 0xfeff, 0xfffe, 0xffff, 0x1f600, 0x10ffff, '\'', ',', '[', '{', '&' };
	size_t n = below(d, characters + 1), used = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t c = (uint32_t)below(d, 0x10ffff) + 1;
		switch (below(d, 4)) {
		case 0:
			c = odd[below(d, sizeof odd / sizeof *odd)];
			break;
		case 1:
			c = (uint32_t)below(d, 0x7f) + 1;
			break;
		case 2:
			c = 0xac00 + (uint32_t)below(d, 11000);
		}
		if (c >= 0xd800 && c < 0xe000)
			c = '.';
		used += put_utf8(out + used, c);
	}
	out[used] = '\0';
}

static void roll_tokens(struct dice *d, struct tokens *t, size_t n)
{
	struct error e;
	char text[64];

	for (size_t i = 0; i < n; i++) {
		roll_text(d, text, 12);
		assert_int_equal(tokens_add(t, text, strlen(text), &e), OK_STATUS);
	}
}

static void roll_array(struct dice *d, struct scenario *s, enum array a, size_t heads, size_t rows, size_t columns)
{
	struct error e;

	for (size_t h = 0; h < heads; h++) {
		struct matrix m;
		assert_int_equal(matrix_init(&m, rows, columns, &e), OK_STATUS);
		for (size_t k = 0; k < rows * columns; k++)
			m.v[k] = roll_number(d);
		assert_int_equal(array_add(&s->array[a], &m, &e), OK_STATUS);
	}
}

static void roll_random(struct dice *d, struct scenario *s, size_t n_q, size_t n_k, size_t heads)
{
	size_t digits = 1 + below(d, 60);

	s->random.seed = calloc(1, digits + 1);
	assert_non_null(s->random.seed);
	for (size_t i = 0; i < digits; i++)
		s->random.seed[i] = (char)('0' + below(d, 10));
	s->random.n_q = n_q;
	s->random.n_k = n_k;
	s->random.heads = heads;
	s->random.d_k = 1 + below(d, 9);
	s->random.d_v = below(d, 2) ? s->random.d_k : 1 + below(d, 9);
	s->random.d_model = n_q == n_k && below(d, 2) ? 1 + below(d, 20) : 0;
	s->random.skip = below(d, 2) ? 0 : below(d, 1000000);
}

/* Fills in the arrays of a source, and its numbers of queries and keys. */
static void roll_source(struct dice *d, struct scenario *s, size_t *n_q, size_t *n_k)
{
	size_t heads = below(d, 2) ? 1 : 1 + below(d, 4), d_k = 1 + below(d, 5), d_v = 1 + below(d, 5), d_model = 1 + below(d, 5);

	*n_q = 1 + below(d, 5);
	*n_k = below(d, 2) ? *n_q : 1 + below(d, 5);
	s->source = (enum source)below(d, 5);
	switch (s->source) {
	case SOURCE_QKV:
		roll_array(d, s, ARRAY_Q, heads, *n_q, d_k);
		roll_array(d, s, ARRAY_K, heads, *n_k, d_k);
		roll_array(d, s, ARRAY_V, heads, *n_k, d_v);
		break;
	case SOURCE_SCORES:
		roll_array(d, s, ARRAY_SCORES, heads, *n_q, *n_k);
		s->d_k = below(d, 3);
		break;
	case SOURCE_WEIGHTS:
		roll_array(d, s, ARRAY_WEIGHTS, heads, *n_q, *n_k);
		break;
	case SOURCE_X:
		*n_k = *n_q;
		roll_array(d, s, ARRAY_X, 1, *n_q, d_model);
		roll_array(d, s, ARRAY_W_Q, heads, d_model, d_k);
		roll_array(d, s, ARRAY_W_K, heads, d_model, d_k);
		roll_array(d, s, ARRAY_W_V, heads, d_model, d_v);
		if (below(d, 2))
			roll_array(d, s, ARRAY_W_O, 1, heads * d_v, d_model);
		break;
	case SOURCE_RANDOM:
		roll_random(d, s, *n_q, *n_k, heads);
	}
	if ((s->source == SOURCE_SCORES || s->source == SOURCE_WEIGHTS) && below(d, 2))
		roll_array(d, s, ARRAY_V, heads, *n_k, d_v);
}

static void roll_title(struct dice *d, struct scenario *s)
{
	static const char *const languages[] = { "en", "ko", "pt-BR" };
	size_t n = below(d, 4);
	char text[200];

	s->title.v = calloc(3, sizeof *s->title.v);
	assert_non_null(s->title.v);
	for (; s->title.n < n; s->title.n++) {
		roll_text(d, text, 40);
		s->title.v[s->title.n].language = strdup(n == 1 ? "" : languages[s->title.n]);
		s->title.v[s->title.n].text = strdup(text);
	}
}

/* A value that the option takes, found by trying. */
static void roll_option(struct dice *d, struct scenario *s, enum option which)
{
	static const char *const values[] = { "on", "off", "0", "1", "2", "0.25", "-1", "1e-30", "1e9", "none", "auto", "0,1",
					      "2,0-1", "0:1,1:0", "7", "0003", "inf", "-inf", "min", "dk" };
	const struct option_info *info = option_info(which);
	const char *value = values[below(d, sizeof values / sizeof *values)];
	size_t words = 0;
	char text[100];
	struct error e;

	while (info->words && info->words[words])
		words++;
	if (words && below(d, 2))
		value = info->words[below(d, words)];
	if (info->type == TYPE_TEXT && which != OPT_BUG && below(d, 2)) {
		roll_text(d, text, 12);
		value = text;
	}
	if (which == OPT_BUG)
		return;
	/* An infinite number and the word for it are one and the same text. */
	if (which == OPT_FILL && !strcmp(value, "-inf"))
		return;
	(void)option_set(&s->set, which, value, &e);
}

static void roll_edits(struct dice *d, struct scenario *s, size_t n_q, size_t n_k)
{
	bool scores = s->source != SOURCE_WEIGHTS;
	struct error e;

	for (size_t i = below(d, 5); i > 0; i--) {
		struct edit edit = { scores ? ARRAY_SCORES : ARRAY_WEIGHTS, 0, below(d, n_q), below(d, n_k), roll_number(d) };
		assert_int_equal(edits_put(&s->edits, edit, &e), OK_STATUS);
	}
}

static void roll_scenario(struct dice *d, struct scenario *s)
{
	struct error e;
	size_t n_q, n_k;

	error_clear(&e);
	assert_int_equal(scenario_init(s, "any", &e), OK_STATUS);
	roll_title(d, s);
	roll_source(d, s, &n_q, &n_k);
	if (n_q == n_k && below(d, 2)) {
		s->tokens_shared = true;
		roll_tokens(d, &s->query_tokens, n_q);
		assert_int_equal(tokens_copy(&s->key_tokens, &s->query_tokens, &e), OK_STATUS);
	} else {
		if (below(d, 2))
			roll_tokens(d, &s->query_tokens, n_q);
		if (below(d, 2))
			roll_tokens(d, &s->key_tokens, n_k);
	}
	for (int o = 0; o < OPT_COUNT; o++)
		if (!below(d, 4) && o != OPT_N && o != OPT_D_K && o != OPT_D_V)
			roll_option(d, s, (enum option)o);
	roll_edits(d, s, n_q, n_k);
}

static void test_round_trips(void **state)
{
	struct dice d = { 2 };

	(void)state;
	for (int i = 0; i < 3000; i++) {
		struct scenario s;
		roll_scenario(&d, &s);
		check_round_trip(&s);
		scenario_free(&s);
	}
}

static void test_every_option_round_trips(void **state)
{
	struct dice d = { 3 };
	struct scenario s;
	struct error e;

	(void)state;
	error_clear(&e);
	for (int o = 0; o < OPT_COUNT; o++)
		for (int i = 0; i < 60; i++) {
			assert_int_equal(scenario_random(&s, "any", NULL, 3, "1", &e), OK_STATUS);
			roll_option(&d, &s, (enum option)o);
			check_round_trip(&s);
			scenario_free(&s);
		}
}

/* Texts that are no UTF-8 can come from other files; they must not spoil this one. */
static void test_bad_utf8_is_replaced(void **state)
{
	struct tokens t = { 0 };
	struct scenario s, back;
	struct buffer out = { 0 };
	struct error e;

	(void)state;
	error_clear(&e);
	assert_int_equal(tokens_add(&t, "a\xff\xed\xa0\x80z", 6, &e), OK_STATUS);
	assert_int_equal(scenario_random(&s, "any", &t, 0, "0", &e), OK_STATUS);
	scenario_write(&out, &s, &s.set, &s.edits);
	parse_bytes(&back, out.data, out.size, "back.yaml");
	assert_string_equal(back.key_tokens.text[0], "a\ufffd\ufffd\ufffd\ufffdz");
	scenario_free(&back);
	buffer_free(&out);
	scenario_free(&s);
	tokens_free(&t);
}

/* ---- mutations ---- */

static size_t mutate(struct dice *d, char *text, size_t n, size_t room)
{
	static const char odd[] = "#@:,[]{}\"'&*!|>%-?\n\t \\0123456789.~\x80\xff\x1b";
	size_t at = below(d, n), length = 1 + below(d, 16), from;

	switch (below(d, 5)) {
	case 0:
		text[at] = (char)roll(d);
		return n;
	case 1:
		text[at] = odd[below(d, sizeof odd)];
		return n;
	case 2:
		if (n + 1 > room)
			return n;
		memmove(text + at + 1, text + at, n - at);
		text[at] = odd[below(d, sizeof odd)];
		return n + 1;
	case 3:
		if (length >= n - at)
			return n;
		memmove(text + at, text + at + length, n - at - length);
		return n - length;
	default:
		from = below(d, n);
		if (length > n - from || n + length > room)
			return n;
		char part[16];
		memcpy(part, text + from, length);
		memmove(text + at + length, text + at, n - at);
		memcpy(text + at, part, length);
		return n + length;
	}
}

static void check_mutation(struct dice *d, const struct text *original)
{
	size_t room = original->n + 256, n = original->n;
	char *text = malloc(room);
	struct error e;

	assert_non_null(text);
	memcpy(text, original->v, n);
	for (size_t times = 1 + below(d, 4); times > 0; times--)
		n = mutate(d, text, n, room);
	char *exact = malloc(n);
	assert_non_null(exact);
	memcpy(exact, text, n);
	if (!refuse_bytes(exact, n, &e)) {
		struct scenario s;
		parse_bytes(&s, exact, n, "test.yaml");
		check_round_trip(&s);
		scenario_free(&s);
	}
	free(exact);
	free(text);
}

static void test_mutations(void **state)
{
	struct dice d = { 1 };

	(void)state;
	for (int i = 0; i < BUILTINS; i++) {
		struct text t = read_builtin(builtins[i]);
		for (int k = 0; k < 1000; k++)
			check_mutation(&d, &t);
		free(t.v);
	}
}

/* Every cut of a file is either whole enough or an error with a place. */
static void test_cuts(void **state)
{
	(void)state;
	for (int i = 0; i < BUILTINS; i++) {
		struct text t = read_builtin(builtins[i]);
		for (size_t n = 0; n < t.n; n++) {
			struct error e;
			char *cut = malloc(n ? n : 1);
			assert_non_null(cut);
			memcpy(cut, t.v, n);
			(void)refuse_bytes(cut, n, &e);
			free(cut);
		}
		free(t.v);
	}
}

/* ---- scenario.c ---- */

static void test_scenario_random(void **state)
{
	struct tokens t = { 0 };
	struct scenario s;
	struct error e;

	(void)state;
	error_clear(&e);
	assert_int_equal(scenario_random(&s, "r", NULL, 6, "12", &e), OK_STATUS);
	check_random(&s, 6, 6, 8, 1, 0, 0);
	assert_string_equal(s.random.seed, "12");
	assert_string_equal(s.name, "r");
	assert_int_equal(s.query_tokens.n, 0);
	check_round_trip(&s);
	scenario_free(&s);

	assert_int_equal(tokens_add(&t, "나는xx", 6, &e), OK_STATUS);
	assert_int_equal(tokens_add(&t, "간다", 6, &e), OK_STATUS);
	assert_int_equal(scenario_random(&s, "r", &t, 0, "0", &e), OK_STATUS);
	check_tokens(&s.query_tokens, "나는|간다");
	check_tokens(&s.key_tokens, "나는|간다");
	assert_true(s.tokens_shared && s.random.n_q == 2);
	scenario_free(&s);
	scenario_free(&s);		/* a zeroed one */

	assert_int_equal(scenario_random(&s, "r", NULL, 0, "0", &e), E_VALUE);
	assert_int_equal(scenario_random(&s, "r", NULL, 1, "", &e), E_VALUE);
	assert_int_equal(scenario_random(&s, "r", NULL, 1, "-1", &e), E_VALUE);
	tokens_free(&t);
}

static void test_title_in(void **state)
{
	struct translation v[] = { { (char *)"ko", (char *)"하나" }, { (char *)"en", (char *)"one" } };
	struct title t = { v, 2 };

	(void)state;
	assert_string_equal(title_in(&t, "ko"), "하나");
	assert_string_equal(title_in(&t, "en"), "one");
	assert_string_equal(title_in(&t, "fr"), "one");
	t.n = 1;
	assert_string_equal(title_in(&t, "fr"), "하나");
	t.n = 0;
	assert_string_equal(title_in(&t, "fr"), "");
}

static void test_edits(void **state)
{
	struct edits e = { 0 }, copy = { 0 };
	struct error error;
	struct dice d = { 4 };

	(void)state;
	for (int i = 0; i < 500; i++) {
		struct edit edit = { (enum array)below(&d, 3), below(&d, 2), below(&d, 5), below(&d, 5), (double)i };
		assert_int_equal(edits_put(&e, edit, &error), OK_STATUS);
		assert_true(edits_find(&e, edit.array, edit.head, edit.row, edit.column)->value == i);
		if (below(&d, 3))
			continue;
		assert_true(edits_remove(&e, edit.array, edit.head, edit.row, edit.column));
		assert_false(edits_remove(&e, edit.array, edit.head, edit.row, edit.column));
		assert_null(edits_find(&e, edit.array, edit.head, edit.row, edit.column));
	}
	for (size_t i = 1; i < e.n; i++) {
		const struct edit *a = &e.v[i - 1], *b = &e.v[i];
		size_t x = ((a->array * 2 + a->head) * 5 + a->row) * 5 + a->column;
		size_t y = ((b->array * 2 + b->head) * 5 + b->row) * 5 + b->column;
		assert_true(x < y);
	}
	assert_int_equal(edits_copy(&copy, &e, &error), OK_STATUS);
	assert_true(edits_equal(&copy, &e));
	copy.v[0].value = NAN;
	assert_false(edits_equal(&copy, &e));
	e.v[0].value = NAN;
	assert_true(edits_equal(&copy, &e));
	/* A copy can grow like any other list. */
	for (size_t i = 0; i < 40; i++)
		assert_int_equal(edits_put(&copy, (struct edit){ ARRAY_V, 9, i, 0, 1 }, &error), OK_STATUS);
	edits_free(&copy);
	edits_free(&e);
	edits_free(&e);
	assert_true(edits_equal(&copy, &e));
}

static void test_arrays(void **state)
{
	struct array_heads a = { 0 };
	struct error e;

	(void)state;
	for (size_t h = 0; h < 20; h++) {
		struct matrix m;
		assert_int_equal(matrix_init(&m, 1, 1, &e), OK_STATUS);
		m.v[0] = (double)h;
		assert_int_equal(array_add(&a, &m, &e), OK_STATUS);
		assert_null(m.v);
	}
	for (size_t h = 0; h < 20; h++)
		assert_true(a.head[h].v[0] == (double)h);
	array_free(&a);
	array_free(&a);
	assert_string_equal(array_name(ARRAY_W_O), "w-o");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_builtins_all),
		cmocka_unit_test(test_builtins_start_with_a_comment),
		cmocka_unit_test(test_two_tokens),
		cmocka_unit_test(test_causal_3),
		cmocka_unit_test(test_korean_5),
		cmocka_unit_test(test_builtins_of_four),
		cmocka_unit_test(test_builtins_large),
		cmocka_unit_test(test_ones_8),
		cmocka_unit_test(test_bad_files),
		cmocka_unit_test(test_bad_bytes),
		cmocka_unit_test(test_places_with_crlf_and_bom),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_long_texts_are_cut),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_block_style),
		cmocka_unit_test(test_odd_tokens),
		cmocka_unit_test(test_random_defaults),
		cmocka_unit_test(test_x),
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_edits_in_files),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_written_text),
		cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_every_option_round_trips),
		cmocka_unit_test(test_bad_utf8_is_replaced),
		cmocka_unit_test(test_mutations),
		cmocka_unit_test(test_cuts),
		cmocka_unit_test(test_scenario_random),
		cmocka_unit_test(test_title_in),
		cmocka_unit_test(test_edits),
		cmocka_unit_test(test_arrays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
