/* test_json_tensors.c - arrays, tokens and texts from JSON.
 *
 * Expected values are by hand or those that data/json/README.md says; reports are
 * named at the tests (reports.json: D18, ...).
 */
#include "tests/tensor_check.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/json_tensors.h"
#include "core/io/json_text.h"

#define READ(r, literal) reading_make((r), "a.json", TEXT(literal), NULL)
#define V(...) (const double[]){ __VA_ARGS__ }
#define REFUSED(literal, line, column, words) \
	check_refused("a.json", TEXT(literal), NULL, E_SYNTAX, (line), (column), (words))

/* ---- what becomes an array ---- */

static void test_plain_object(void **state)
{
	struct reading r;

	(void)state;
	READ(&r, "{\"q\": [[1, 2], [3, 4.5]], \"scale\": 0.125, \"mask\": [[true, false]], \"tokens\": [\"a\", \"\\u00e9\"],\n"
		 " \"batch\": [[\"a\", \"b\"], [\"c\", \"d\"]], \"model\": \"gpt2\", \"causal\": true, \"none\": null,\n"
		 " \"layer\": {\"0\": {\"k\": [-0, 1e2]}, \"name\": \"first\"}}");
	assert_int_equal(r.t.format, FORMAT_JSON);
	assert_int_equal(r.t.n, 6);
	check_numbers(&r, "q", "2,2", V(1, 2, 3, 4.5));
	check_numbers(&r, "scale", "", V(0.125));
	check_bools(&r, "mask", "1,2", (const unsigned char[]){ 1, 0 });
	check_tokens(&r, "tokens", AXIS_UNKNOWN, "2", "a|\xc3\xa9");
	check_tokens(&r, "batch", AXIS_UNKNOWN, "2,2", "a|b|c|d");
	check_numbers(&r, "layer.0.k", "2", V(-0.0, 100));
	check_metadata(&r, "model", "gpt2");
	check_metadata(&r, "causal", "true");
	check_metadata(&r, "layer.name", "first");
	check_metadata(&r, "none", NULL);
	reading_free(&r);
}

static void test_axes(void **state)
{
	struct reading r;

	(void)state;
	READ(&r, "{\"query_tokens\": [\"a\"], \"key_tokens\": [\"b\"], \"left_text\": [\"c\"], \"right_text\": [], \"x\": []}");
	check_tokens(&r, "query_tokens", AXIS_QUERY, "1", "a");
	check_tokens(&r, "key_tokens", AXIS_KEY, "1", "b");
	check_tokens(&r, "left_text", AXIS_QUERY, "1", "c");
	check_tokens(&r, "right_text", AXIS_KEY, "0", "");
	check_numbers(&r, "x", "0", NULL);
	reading_free(&r);
}

/* [head][q][k] and a list of tokens, each a file of its own. */
static void test_plain_lists(void **state)
{
	struct reading r;

	(void)state;
	READ(&r, "[[[1, 2, 3], [4, 5, 6]]]\n");
	check_numbers(&r, "", "1,2,3", V(1, 2, 3, 4, 5, 6));
	assert_int_equal(r.t.n, 1);
	reading_free(&r);
	READ(&r, "\xef\xbb\xbf[\"<s>\", \" a\", \"\\n\"]");
	check_tokens(&r, "", AXIS_UNKNOWN, "3", "<s>| a|\n");
	reading_free(&r);
	READ(&r, "[[[[[[[[7]]]]]]]]");
	check_numbers(&r, "", "1,1,1,1,1,1,1,1", V(7));
	reading_free(&r);
	READ(&r, "[[], []]");
	check_numbers(&r, "", "2,0", NULL);
	reading_free(&r);
}

static void test_bertviz(void **state)
{
	struct reading r;

	(void)state;
	reading_file(&r, "json/bertviz.json");
	check_numbers(&r, "attention.attn", "1,2,2,2", V(1, 0, .25, .75, 1, 0, .5, .5));
	check_tokens(&r, "attention.left_text", AXIS_QUERY, "2", "a|b");
	check_tokens(&r, "attention.right_text", AXIS_KEY, "2", "a|b");
	check_metadata(&r, "root_div_id", "bertviz-1");
	reading_free(&r);
	READ(&r, "[{\"name\": null, \"attn\": [[[[1]]]], \"left_text\": [\"a\"], \"right_text\": [\"b\"]}]");
	check_numbers(&r, "attn", "1,1,1,1", V(1));
	check_tokens(&r, "left_text", AXIS_QUERY, "1", "a");
	reading_free(&r);
	READ(&r, "[{\"name\": \"Encoder\", \"attn\": [1]}, {\"name\": \"Cross\", \"attn\": [2]}, {\"attn\": [3]}]");
	check_numbers(&r, "Encoder.attn", "1", V(1));
	check_numbers(&r, "Cross.attn", "1", V(2));
	check_numbers(&r, "2.attn", "1", V(3));
	reading_free(&r);
}

/* ---- NaN and infinities ---- */

static void check_copy(const char *text, const char *expected)
{
	struct buffer out = { 0 };
	struct json_survey survey = json_text_survey(text, strlen(text));

	json_text_copy(&out, text, strlen(text));
	assert_string_equal(out.data, expected);
	assert_int_equal(survey.bare, strcmp(text, expected) != 0);
	buffer_free(&out);
}

static void test_bare_words(void **state)
{
	(void)state;
	check_copy("[NaN,Infinity, -Infinity]", "[\"NaN\",\"Infinity\", \"-Infinity\"]");
	check_copy("{\"NaN\":NaN}", "{\"NaN\":\"NaN\"}");
	check_copy("[\"NaN\", \"a \\\" NaN \\\\\", NaN]", "[\"NaN\", \"a \\\" NaN \\\\\", \"NaN\"]");
	check_copy("NaN", "\"NaN\"");
	check_copy("[nan, -NaN, NaN1, NaNInfinity, Infinity.0, +Infinity, inf]", "[nan, -NaN, NaN1, NaNInfinity, Infinity.0, +Infinity, inf]");
	check_copy("{NaN : 1, Infinity:2}", "{NaN : 1, Infinity:2}");
	check_copy("[\"never closed, NaN", "[\"never closed, NaN");
	check_copy("[\"cut \\", "[\"cut \\");
}

static void test_special_numbers(void **state)
{
	struct reading r;

	(void)state;
	READ(&r, "{\"a\": [[1, NaN], [Infinity, -Infinity]], \"b\": [\"NaN\", 2, \"-Infinity\"], \"c\": -Infinity, \"d\": [NaN],\n"
		 "\"e\": [\"NaN\", \"x\", \"Infinity\"], \"f\": [[\"Infinity\"], [1]]}");
	check_numbers(&r, "a", "2,2", V(1, NAN, INFINITY, -INFINITY));
	check_numbers(&r, "b", "3", V(NAN, 2, -INFINITY));
	check_numbers(&r, "c", "", V(-INFINITY));
	check_numbers(&r, "d", "1", V(NAN));
	check_tokens(&r, "e", AXIS_UNKNOWN, "3", "NaN|x|Infinity");
	check_numbers(&r, "f", "2,1", V(INFINITY, 1));
	reading_free(&r);
	reading_file(&r, "json/python.json");
	check_numbers(&r, "scores", "2,2", V(1.5, NAN, -INFINITY, INFINITY));
	check_tokens(&r, "str_tokens", AXIS_UNKNOWN, "2", "NaN|x");
	check_bools(&r, "mask", "2,2", (const unsigned char[]){ 1, 0, 1, 1 });
	reading_free(&r);
}

static void test_large_numbers(void **state)
{
	struct reading r;

	(void)state;
	READ(&r, "[18446744073709551616, 9007199254740993, 1e-999, 1E3]");
	check_numbers(&r, "", "4", V(18446744073709551616.0, 9007199254740992.0, 0, 1000));
	reading_free(&r);
	REFUSED("[NaN,\n -1e999]", 2, 2, "a number beyond a double; expected at most 1.8e308, or Infinity");
}

/* ---- what `qkv show` writes ---- */

static void test_own_output(void **state)
{
	struct reading r;

	(void)state;
	reading_file(&r, "json/show.json");
	assert_int_equal(r.t.n, 4);
	check_numbers(&r, "weights", "4,4", V(NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0, 1, 0,
					      0, 0, 0.7889836168431554, 0.21101638315684454));
	check_tokens(&r, "query_tokens", AXIS_QUERY, "4", "<pad>|<pad>|t2|t3");
	check_tokens(&r, "key_tokens", AXIS_KEY, "4", "<pad>|<pad>|t2|t3");
	check_numbers(&r, "row_sums", "4", V(NAN, NAN, 1, 1));
	check_metadata(&r, "scenario", "left-pad-4");
	check_metadata(&r, "stage", "weights");
	check_metadata(&r, "options.pad", "0,1");
	reading_free(&r);
}

static void test_own_slices(void **state)
{
	struct reading r;

	(void)state;
	READ(&r, "{\"stage\": \"input\", \"array\": \"k\", \"shape\": [1, 2], \"tokens\": {\"query\": [\"a\"], \"key\": [\"b\"]},\n"
		 "\"values\": [[1, 2]], \"row_sums\": [1], \"verdicts\": [\"ok\"], \"hidden_by\": [[[\"pad\"], []]]}");
	check_numbers(&r, "k", "1,2", V(1, 2));
	reading_free(&r);
	READ(&r, "{\"stage\": \"scores\", \"shape\": [0, 3], \"tokens\": {\"query\": [], \"key\": [\"a\", \"b\", \"c\"]}, \"values\": []}");
	check_numbers(&r, "scores", "0,3", NULL);
	check_tokens(&r, "query_tokens", AXIS_QUERY, "0", "");
	reading_free(&r);
	READ(&r, "{\"stage\": \"row-sums\", \"shape\": [2], \"tokens\": {}, \"values\": [0.5, \"NaN\"], \"row_sums\": [0.5, \"NaN\"]}");
	check_numbers(&r, "row-sums", "2", V(0.5, NAN));
	reading_free(&r);
	REFUSED("{\"stage\": \"scores\", \"shape\": [2, 1], \"tokens\": {}, \"values\": [[1, 2]]}", 1, 1,
		"\"shape\" and the lengths of \"values\" do not agree");
	REFUSED("{\"stage\": \"scores\", \"shape\": [1], \"tokens\": {}, \"values\": [{}]}", 1, 60,
		"values[0] is an object; expected a number (one that is missing is written NaN), a string, true or false");
	/* Other files may have the same words. */
	READ(&r, "{\"stage\": \"scores\", \"values\": [1]}");
	check_numbers(&r, "values", "1", V(1));
	reading_free(&r);
}

/* ---- what is refused ---- */

static void test_uneven_lists(void **state)
{
	(void)state;
	REFUSED("{\"attn\": [[[1, 2], [3, 4]],\n         [[5, 6], [7]]]}", 2, 19, "attn[1][1] has 1 element, attn[0][0] has 2");
	REFUSED("[[1, 2], [3, 4, 5]]", 1, 10, "[1] has 3 elements, [0] has 2");
	REFUSED("[[], [1]]", 1, 6, "[1] has 1 element, [0] has 0");
	REFUSED("{\"x\": {\"y\": [[1], 2]}}", 1, 19, "x.y[1] is a number, x.y[0] is a list");
	REFUSED("[NaN, -Infinity, [1]]", 1, 18, "[2] is a list; expected a number (one that is missing is written NaN), "
		"a string, true or false");
}

static void test_mixed_types(void **state)
{
	(void)state;
	REFUSED("[\"{[,:\\\"\",\n\"b\", 1]", 2, 6, "[2] is a number; expected a string, as before it");
	REFUSED("[1, \"NaN\", \"x\"]", 1, 12, "[2] is a string; expected a number, as before it");
	REFUSED("[\"NaN\", \"a\", 1]", 1, 14, "[2] is a number; expected a string, as before it");
	REFUSED("[true, NaN]", 1, 8, "[1] is a number; expected true or false, as before it");
	REFUSED("[NaN, true]", 1, 7, "[1] is true or false; expected a number, as before it");
	REFUSED("[1, null]", 1, 5, "[1] is null; expected a number (one that is missing is written NaN), a string, true or false");
	REFUSED("{\"a\": [{\"b\": 1}, 2]}", 1, 18, "a[1] is a number; expected an object, as before it");
	REFUSED("[[[\"a\"]]]", 1, 1, "the list has 3 dimensions of strings; expected a list of tokens, or a list of such lists");
}

static void test_syntax(void **state)
{
	(void)state;
	REFUSED("", 1, 1, "an empty file; expected a list or an object");
	REFUSED(" \n", 1, 1, "an empty file; expected a list or an object");
	REFUSED("{\"a\": 1,\n \"b\": 2,\n \"a\": 3}", 3, 2, "this object has the key twice");
	REFUSED("[NaN, NaN,\n  Infinity, x]", 2, 13, "no JSON: invalid token near 'x'");
	REFUSED("[nan]", 1, 2, "no JSON: invalid token near 'nan'");
	REFUSED("[1, 2", 1, 5, "the file ends in the middle of the JSON");
	REFUSED("[1]\n[2]\n", 2, 1, "text behind the end of the JSON; expected one list or one object in the file");
	REFUSED("[\"\xea\xb0\x80\", \"a\tb\"]", 1, 9, "no JSON: control character 0x9 near '\"a'");
	REFUSED("[NaN, \"x\xff\"]", 1, 9, "bytes that are not UTF-8; save the file as UTF-8");
	REFUSED("[\"a\\u0000\"]", 1, 2, "the character U+0000 in a string; expected text without it");
	REFUSED("{\"a.b\": 1, \"a\": {\"b\": 2}}", 0, 0, "two arrays with the name \"a.b\"");
	REFUSED("\xff\xfe[\0", 1, 1, "the text is UTF-16; save the file as UTF-8");
	check_refused("a.json", TEXT("{\"a\": \"b\"}"), NULL, E_VALUE, 0, 0, "no arrays in this file; expected lists of numbers, "
		      "such as {\"scores\": [[0.5, 1], [2, 3]], \"tokens\": [\"a\", \"b\"]}");
}

/* D18: nesting does not end the stack. */
static void test_depth_d18(void **state)
{
	enum { DEPTH = 100000 };
	static char text[DEPTH];
	struct reading r;

	(void)state;
	memset(text, '[', sizeof text);
	check_refused("a.json", (struct text){ text, DEPTH }, NULL, E_LIMIT, 1, 2049, "lists and objects nested too deep");
	check_refused("a.json", TEXT("[[[[[[[[[1]]]]]]]]]"), NULL, E_LIMIT, 1, 1, "the list has more than 8 dimensions");
	for (size_t i = 0; i < 2000; i++)
		memcpy(text + 4 * i, "{\"\":", 4);
	text[8000] = '1';
	memset(text + 8001, '}', 2000);
	reading_make(&r, "a.json", (struct text){ text, 10001 }, NULL);
	assert_int_equal(r.t.n, 1);
	reading_free(&r);
}

/* ---- limits ---- */

/* "[x,x,x]" with n times x, as a file. */
static struct text repeat(const char *x, size_t n)
{
	size_t length = strlen(x);
	char *text = malloc(n * (length + 1) + 1);

	assert_non_null(text);
	text[0] = '[';
	for (size_t i = 0; i < n; i++) {
		memcpy(text + 1 + i * (length + 1), x, length);
		text[1 + i * (length + 1) + length] = i + 1 < n ? ',' : ']';
	}
	return (struct text){ text, n * (length + 1) + 1 };
}

static void test_limits(void **state)
{
	struct text text = repeat("{}", 4000000);
	char name[JSON_NAME_LIMIT + 20];

	(void)state;
	check_refused("a.json", text, NULL, E_LIMIT, 0, 0, "more than some 33 million values; .npy and .safetensors may be larger");
	free((char *)text.s);
	text = repeat("{\"a\":1}", JSON_ARRAYS_LIMIT + 1);
	check_refused("a.json", text, NULL, E_LIMIT, 1, JSON_ARRAYS_LIMIT * 8 + 7, "more than 65536 arrays");
	free((char *)text.s);
	text = repeat("\"\"", JSON_TOKENS_LIMIT + 1);
	check_refused("a.json", text, NULL, E_LIMIT, 1, 1, "more than 1048576 strings in a list");
	free((char *)text.s);
	snprintf(name, sizeof name, "{\"%01001d\":1}", 0);
	check_refused("a.json", (struct text){ name, strlen(name) }, NULL, E_LIMIT, 1, 1006, "a name of more than 1000 bytes");
}

/* ---- damage ---- */

static const char sample[] =
	"{\"q\": [[1, NaN], [-Infinity, 2.5e-3]], \"t\": [\"a\", \"\\u00e9\\n\"], \"m\": [[true], [false]],\n"
	" \"x\": [{\"name\": \"n\", \"attn\": [[[0.5]]]}, {\"y\": 7, \"left_text\": []}], \"s\": \"text\", \"n\": null}";
static const char own_sample[] =
	"{\"stage\": \"input\", \"array\": \"k\", \"shape\": [1, 2], \"tokens\": {\"query\": [\"a\"], \"key\": [\"b\"]},\n"
	"\"values\": [[1, \"NaN\"]], \"row_sums\": [1], \"verdicts\": [\"ok\"], \"hidden_by\": [[[\"pad\"], []]]}";

static void test_mutations(void **state)
{
	(void)state;
	check_mutations("a.json", TEXT(sample), 8000);
	check_mutations("a.json", TEXT(own_sample), 8000);
}

static void test_allocations(void **state)
{
	(void)state;
	check_allocations("a.json", TEXT(sample));
	check_allocations("a.json", TEXT(own_sample));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_object),
		cmocka_unit_test(test_axes),
		cmocka_unit_test(test_plain_lists),
		cmocka_unit_test(test_bertviz),
		cmocka_unit_test(test_bare_words),
		cmocka_unit_test(test_special_numbers),
		cmocka_unit_test(test_large_numbers),
		cmocka_unit_test(test_own_output),
		cmocka_unit_test(test_own_slices),
		cmocka_unit_test(test_uneven_lists),
		cmocka_unit_test(test_mixed_types),
		cmocka_unit_test(test_syntax),
		cmocka_unit_test(test_depth_d18),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_mutations),
		cmocka_unit_test(test_allocations),
	};

	return cmocka_run_group_tests_name("json_tensors", tests, NULL, NULL);
}
