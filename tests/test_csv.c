/* test_csv.c - matrices and tokens from CSV and TSV.
 *
 * Expected values are by hand, from the reports named at the tests (reports.json:
 * C27, B06, ...), or those that data/csv/README.md says.
 */
#include "tests/tensor_check.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READ(r, literal) reading_make((r), "a.csv", TEXT(literal), NULL)
#define V(...) (const double[]){ __VA_ARGS__ }

static void check_matrix(struct text text, const char *shape, const double *v)
{
	struct reading r;

	reading_make(&r, "a.csv", text, NULL);
	assert_int_equal(r.t.format, FORMAT_CSV);
	assert_int_equal(r.t.n, 1);
	check_numbers(&r, "", shape, v);
	reading_free(&r);
}

#define MATRIX(literal, shape, ...) check_matrix(TEXT(literal), (shape), V(__VA_ARGS__))
#define REFUSED(literal, line, column, words) \
	check_refused("a.csv", TEXT(literal), NULL, E_SYNTAX, (line), (column), (words))
#define NO_NUMBER(shown) "\"" shown "\" is not a number; expected a decimal number such as -0.5 or 1e-3 without " \
	"thousands separators, nan or inf"
#define NO_TOKEN(shown) "\"" shown "\" is not a number; expected numbers in this row and column, or an empty field " \
	"in the corner where they are tokens"

/* The matrix' shape and its tokens, NULL for none. */
static void check_layout(struct text text, const char *shape, const char *queries, const char *keys)
{
	struct reading r;
	char mine[50];

	reading_make(&r, "a.csv", text, NULL);
	const struct npy *a = &r.t.v[0].array;
	snprintf(mine, sizeof mine, "%zu,%zu", a->shape[0], a->shape[1]);
	assert_string_equal(mine, shape);
	snprintf(mine, sizeof mine, "%zu", a->shape[0]);
	if (queries)
		check_tokens(&r, "query_tokens", AXIS_QUERY, mine, queries);
	snprintf(mine, sizeof mine, "%zu", a->shape[1]);
	if (keys)
		check_tokens(&r, "key_tokens", AXIS_KEY, mine, keys);
	assert_int_equal(r.t.n, 1 + !!queries + !!keys);
	reading_free(&r);
}

/* ---- reports ---- */

static void test_byte_order_mark_c27(void **state)
{
	struct reading r;

	(void)state;
	READ(&r, "\xef\xbb\xbf,a,b\na,1,2\nb,3,4\n");
	check_numbers(&r, "", "2,2", V(1, 2, 3, 4));
	check_tokens(&r, "query_tokens", AXIS_QUERY, "2", "a|b");
	check_tokens(&r, "key_tokens", AXIS_KEY, "2", "a|b");
	reading_free(&r);
	READ(&r, "\xef\xbb\xbf\"x\",1\n");
	check_numbers(&r, "", "1,1", V(1));
	check_tokens(&r, "query_tokens", AXIS_QUERY, "1", "x");
	reading_free(&r);
	READ(&r, "\xef\xbb\xbf" "a\nb\n");
	check_tokens(&r, "", AXIS_UNKNOWN, "2", "a|b");
	reading_free(&r);
}

static void test_line_ends_c28(void **state)
{
	struct reading r;

	(void)state;
	MATRIX("1,2\r\n3,4\r\n", "2,2", 1, 2, 3, 4);
	MATRIX("1,2\r3,4\r", "2,2", 1, 2, 3, 4);
	MATRIX("1,2\n3,4", "2,2", 1, 2, 3, 4);
	MATRIX("1,2\n3,4\n\n", "2,2", 1, 2, 3, 4);
	MATRIX("1,2\r\n3,4\r\n\r\n\r\n", "2,2", 1, 2, 3, 4);
	READ(&r, ",a,\"b\nc\"\r\nx,1,2\r\n");
	check_tokens(&r, "key_tokens", AXIS_KEY, "2", "a|b\nc");
	check_numbers(&r, "", "1,2", V(1, 2));
	reading_free(&r);
}

static void test_uneven_rows_b06_c29_c30(void **state)
{
	(void)state;
	REFUSED("0.5\n1,2\n1,2,3\n", 1, 4, "row 1 has 1 field, row 3 has 3");
	REFUSED("1,2,3\n4,5\n6,7,8\n", 2, 4, "row 2 has 2 fields, row 1 has 3");
	REFUSED("1,2,3\n4,5,6\n7\n", 3, 2, "row 3 has 1 field, row 1 has 3");
	REFUSED("1\n2,3,4\n", 1, 2, "row 1 has 1 field, row 2 has 3");
	REFUSED(",a,b\nx,1,2\n,,3,4\nz,5,6\n", 3, 6,
		"row 3 has 4 fields, row 1 has 3; a separator that is text needs quotes around it");
	REFUSED("1,2\n\n3,4\n", 2, 1, "row 2 has 1 field, row 1 has 2");
}

/* The absent cells of B06 and C29 are told apart from numbers: never 0. */
static void test_absent_cells_b06_c29(void **state)
{
	struct tensors_options o = { .absent = true };
	struct reading r;

	(void)state;
	reading_make(&r, "a.csv", TEXT("0.5\n1,2\n1,2,3\n"), &o);
	check_numbers(&r, "", "3,3", V(0.5, NAN, NAN, 1, 2, NAN, 1, 2, 3));
	check_bools(&r, "mask", "3,3", (const unsigned char[]){ 1, 0, 0, 1, 1, 0, 1, 1, 1 });
	reading_free(&r);
	reading_make(&r, "a.csv", TEXT("1,2,3\n4,5\n6,7,8\n"), &o);
	check_bools(&r, "mask", "3,3", (const unsigned char[]){ 1, 1, 1, 1, 1, 0, 1, 1, 1 });
	reading_free(&r);
	reading_make(&r, "a.csv", TEXT(",a,b\nx, ,NA\ny,nan,1\n"), &o);
	check_numbers(&r, "", "2,2", V(NAN, NAN, NAN, 1));
	check_bools(&r, "mask", "2,2", (const unsigned char[]){ 0, 0, 1, 1 });
	check_tokens(&r, "key_tokens", AXIS_KEY, "2", "a|b");
	reading_free(&r);
	check_refused("a.csv", TEXT("a,b\nx,1,2\ny,3,4\n"), &o, E_SYNTAX, 1, 4, "row 1 has 2 fields, row 2 has 3");
}

/* A small file may not ask for a large matrix. */
static void test_absent_cells_are_bounded(void **state)
{
	struct tensors_options o = { .absent = true };
	enum { N = 100000 };
	char *text = malloc(4 * N);

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < N; i++)
		memcpy(text + 2 * i, i < N / 2 ? "1\n" : "1,", 2);
	check_refused("a.csv", (struct text){ text, 2 * N - 1 }, &o, E_LIMIT, 1, 1,
		      "50001 rows of 50000 numbers, of which nearly all are absent");
	free(text);
}

static void test_separators_c08_c31(void **state)
{
	struct reading r;

	(void)state;
	MATRIX("1\t2\n3\t4\n", "2,2", 1, 2, 3, 4);
	MATRIX("0,5;0,25\n1,5;-2\n", "2,2", 0.5, 0.25, 1.5, -2);
	MATRIX("7,5\t0,25\n1,75\t3\n", "2,2", 7.5, 0.25, 1.75, 3);
	MATRIX("1;2\n3;4\n", "2,2", 1, 2, 3, 4);
	MATRIX("1,2\n3,4\n", "2,2", 1, 2, 3, 4);
	READ(&r, "0,5;0,25\n");
	check_metadata(&r, "separator", ";");
	check_metadata(&r, "decimal", ",");
	reading_free(&r);
	READ(&r, "0.5;1\n");
	check_metadata(&r, "decimal", NULL);
	reading_free(&r);
	REFUSED("1;0.5\n2;0,25\n", 2, 3, "a decimal comma, but the number in line 1, column 3 has a point; "
		"expected one of them in the whole file");
	REFUSED("0,5;0.25\n", 1, 5, "a decimal point, but the number in line 1, column 1 has a comma; "
		"expected one of them in the whole file");
	REFUSED("1;1.000,5\n", 1, 3, NO_NUMBER("1.000,5"));
}

/* A comma or a TAB in a label does not make it the separator; a quoted TAB is kept (C08). */
static void test_separators_in_labels(void **state)
{
	struct reading r;

	(void)state;
	READ(&r, ",a,;,\t\nx,1,2,3\n;,4,5,6\n");
	check_tokens(&r, "key_tokens", AXIS_KEY, "3", "a|;|\t");
	check_tokens(&r, "query_tokens", AXIS_QUERY, "2", "x|;");
	reading_free(&r);
	check_layout(TEXT("\"a;b\",1\n\"c;d\",2\n"), "2,1", "a;b|c;d", NULL);
	check_layout(TEXT("a;b,1\r\nc;d;e,2\r\n"), "2,1", "a;b|c;d;e", NULL);
	check_layout(TEXT("a;b,1\rc;d;e,2\r"), "2,1", "a;b|c;d;e", NULL);
	READ(&r, "\ta\t,\n.\t1\t2,5\n");
	check_tokens(&r, "key_tokens", AXIS_KEY, "2", "a|,");
	check_numbers(&r, "", "1,2", V(1, 2.5));
	reading_free(&r);
	READ(&r, ",\"a\tb\",c\nx,1,2\n");
	check_tokens(&r, "key_tokens", AXIS_KEY, "2", "a\tb|c");
	reading_free(&r);
}

static void test_given_separator(void **state)
{
	struct tensors_options comma = { .separator = ',' }, semicolon = { .separator = ';' }, wrong = { .separator = '|' };
	struct reading r;

	(void)state;
	reading_make(&r, "a.csv", TEXT("1,5\n2,5\n"), &semicolon);
	check_numbers(&r, "", "2,1", V(1.5, 2.5));
	reading_free(&r);
	reading_make(&r, "a.csv", TEXT("a,b\nc\n;\nd\n"), &semicolon);
	check_tokens(&r, "", AXIS_UNKNOWN, "4", "a,b|c|;|d");
	reading_free(&r);
	check_refused("a.csv", TEXT("1,5;2\n"), &comma, E_SYNTAX, 1, 3, NO_NUMBER("5;2"));
	/* C31: 0.5,0,25 is three numbers, but one field that is none where the semicolon separates. */
	check_refused("a.csv", TEXT("1\n0.5,0,25\n"), &semicolon, E_SYNTAX, 2, 1, NO_NUMBER("0.5,0,25"));
	check_refused("a.csv", TEXT("1|2\n"), &wrong, E_VALUE, 0, 0, "the separator of CSV is a comma, a semicolon or a TAB");
}

/* C35: an empty cell is never 0; without o->absent it is refused, and so is NA. */
static void test_what_is_no_number_c35(void **state)
{
	struct reading r;

	(void)state;
	MATRIX("nan,NaN,NAN\ninf,-Infinity,+INF\n", "2,3", NAN, NAN, NAN, INFINITY, -INFINITY, INFINITY);
	READ(&r, "1,1e-400\n-1e400,1e400\n");
	check_numbers(&r, "", "2,2", V(1, 0, -INFINITY, INFINITY));
	assert_string_equal(r.t.note, "-1e400 in line 2, column 1 is beyond a double: it is read as infinity");
	reading_free(&r);
	READ(&r, "inf,1\n");
	assert_string_equal(r.t.note, "");
	reading_free(&r);
	REFUSED("1,\n3,4\n", 1, 3, "an empty field; expected a number, or nan where there is none");
	REFUSED("1,2\n3,NA\n", 2, 3, NO_NUMBER("NA"));
}

/* B10: the axes of a matrix that is not square. */
static void test_axes_b10(void **state)
{
	(void)state;
	MATRIX("1,2,3\n4,5,6\n", "2,3", 1, 2, 3, 4, 5, 6);
}

/* B05: labels of both axes, of different lengths. */
static void test_rectangular_labels_b05(void **state)
{
	struct reading r;

	(void)state;
	READ(&r, ",the,black,cat,sat,.\nle,0,0,0,0,0\nchat,0,0,0,0,0\n");
	check_tokens(&r, "query_tokens", AXIS_QUERY, "2", "le|chat");
	check_tokens(&r, "key_tokens", AXIS_KEY, "5", "the|black|cat|sat|.");
	reading_free(&r);
}

/* B03, B14, B15: lists of labels, quoted or not; no line is lost, no byte dropped. */
static void test_lists_b03_b14_b15(void **state)
{
	struct reading r;

	(void)state;
	READ(&r, "<s>\na\nb\n</s>\n");
	check_tokens(&r, "", AXIS_UNKNOWN, "4", "<s>|a|b|</s>");
	assert_int_equal(r.t.n, 1);
	reading_free(&r);
	READ(&r, "\xf0\x9f\n\x92\n\xa9\n");
	check_tokens(&r, "", AXIS_UNKNOWN, "3", "<0xF0><0x9F>|<0x92>|<0xA9>");
	reading_free(&r);
	READ(&r, "\xc4\xa0the\n##ing\n\xe2\x96\x81of\n\xc4\x8a\n\xc4\xa0\n,\n\"\n");
	check_tokens(&r, "", AXIS_UNKNOWN, "7", "\xc4\xa0the|##ing|\xe2\x96\x81of|\xc4\x8a|\xc4\xa0|,|\"");
	reading_free(&r);
	READ(&r, "\xc4\xa0the\n##ing\n\xe2\x96\x81of\n\xc4\x8a\n\xc4\xa0\n\",\"\n\"\"\"\"\n\"\n\"\n");
	check_tokens(&r, "", AXIS_UNKNOWN, "8", "\xc4\xa0the|##ing|\xe2\x96\x81of|\xc4\x8a|\xc4\xa0|,|\"|\n");
	reading_free(&r);
	READ(&r, "1995\nIn\nthe\n");
	check_tokens(&r, "", AXIS_UNKNOWN, "3", "1995|In|the");
	reading_free(&r);
	READ(&r, "In\n1995\n\n it\n");
	check_tokens(&r, "", AXIS_UNKNOWN, "4", "In|1995|| it");
	reading_free(&r);
}

/* C20: escape sequences in a label are data like any other. */
static void test_controls_are_kept_c20(void **state)
{
	struct reading r;

	(void)state;
	READ(&r, ",q,\x1b[2J\nx,1,2\n");
	check_tokens(&r, "key_tokens", AXIS_KEY, "2", "q|\x1b[2J");
	reading_free(&r);
}

/* C39: one row of 100,000 fields, and one field of 10 MB. */
static void test_wide_rows_c39(void **state)
{
	enum { FIELDS = 100000, LONG = 10000000 };
	char *text = malloc(LONG + 10);
	struct reading r;

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < FIELDS; i++)
		memcpy(text + 2 * i, "7,", 2);
	reading_make(&r, "a.csv", (struct text){ text, 2 * FIELDS - 1 }, NULL);
	assert_int_equal(r.t.v[0].array.shape[1], FIELDS);
	assert_true(npy_number(&r.t.v[0].array, FIELDS - 1) == 7);
	reading_free(&r);
	memset(text, 'x', LONG);
	memcpy(text + LONG, ",5\n", 3);
	reading_make(&r, "a.csv", (struct text){ text, LONG + 3 }, NULL);
	check_numbers(&r, "", "1,1", V(5));
	assert_int_equal(strlen(r.t.v[1].text.text[0]), LONG);
	reading_free(&r);
	free(text);
}

/* ---- header and first column ---- */

static void test_header_and_column(void **state)
{
	(void)state;
	/* An empty corner: tokens that look like numbers, too. */
	check_layout(TEXT(",1995,2\n3,0.1,0.2\n4,0.3,0.4\n"), "2,2", "3|4", "1995|2");
	check_layout(TEXT("\"\",\"1\",\"2\"\n\"3\",\"0.1\",\"0.2\"\n"), "1,2", "3", "1|2");
	check_layout(TEXT(" ,a\nx,1\n"), "1,1", "x", "a");
	/* Words beside a number. */
	check_layout(TEXT("In,1995,the\n1,2,3\n4,5,6\n"), "2,3", NULL, "In|1995|the");
	check_layout(TEXT("1995,a,b\n1,2,3\n"), "1,3", NULL, "1995|a|b");
	check_layout(TEXT("1995,1\nfoo,2\nbar,3\n"), "3,1", "1995|foo|bar", NULL);
	check_layout(TEXT("token,a,b\nx,1,2\ny,3,4\n"), "2,2", "x|y", "a|b");
	check_layout(TEXT("0,a,b\nx,1,2\ny,3,4\n"), "2,2", "x|y", "a|b");
	check_layout(TEXT("0,a,b\nx,1,2\n"), "1,2", "x", "a|b");
	/* Text in the corner alone. */
	check_layout(TEXT("a,1,2\nb,3,4\n"), "2,2", "a|b", NULL);
	check_layout(TEXT("a,b\n1,2\n3,4\n"), "2,2", NULL, "a|b");
	check_layout(TEXT("a,1,2\n"), "1,2", "a", NULL);
	check_layout(TEXT("a\n1\n2\n"), "2,1", NULL, "a");
	/* Words such as inf and nan read as numbers: the words beside them decide. */
	check_layout(TEXT("x,inf,to\n1,2,3\n"), "1,3", NULL, "x|inf|to");
	/* Quotes do not make text of a number. */
	MATRIX("\"1\",\"2\"\n\"3\",\" 4 \"\n", "2,2", 1, 2, 3, 4);
}

/* A damaged number must not turn its row or column into tokens. */
static void test_damage_is_no_header(void **state)
{
	(void)state;
	REFUSED("1,2,x,4\n5,6,7,8\n", 1, 5, NO_TOKEN("x"));
	REFUSED("1,2\n3,4\nx,5\n6,7\n", 3, 1, NO_TOKEN("x"));
	REFUSED("a,1,2\n3,4,5\n", 1, 1, NO_TOKEN("a"));
	REFUSED("a,b\n1,2\nx,4\n", 3, 1, NO_TOKEN("x"));
	REFUSED("1,x\n2,3\n", 1, 3, NO_TOKEN("x"));
	REFUSED("\n1\n2\n", 1, 1, "an empty field; expected a number, or nan where there is none");
	REFUSED("1\n2\n3x\n", 3, 1, NO_NUMBER("3x"));
	REFUSED(",a,b\n", 1, 1, "only a header row; expected rows of numbers below it");
	REFUSED("a,b,c\n", 1, 1, "only a header row; expected rows of numbers below it");
	REFUSED("a,b\nc,d\n", 2, 3, NO_NUMBER("d"));
}

/* ---- fields ---- */

static void test_numbers(void **state)
{
	(void)state;
	MATRIX(" 1 ,\t2\t, -0\n+3,.5,4.\n", "2,3", 1, 2, -0.0, 3, 0.5, 4);
	MATRIX("1e5,1E-2\n", "1,2", 1e5, 0.01);
	MATRIX("6e23;-1,5e-3\n", "1,2", 6e23, -1.5e-3);
}

static void test_numbers_refused(void **state)
{
	(void)state;
	REFUSED("1;2,5,5\n", 1, 3, NO_NUMBER("2,5,5"));
	REFUSED("1,0x1F\n", 1, 3, NO_NUMBER("0x1F"));
	REFUSED("1;1'000\n", 1, 3, NO_NUMBER("1'000"));
	REFUSED("1,1_000\n", 1, 3, NO_NUMBER("1_000"));
	REFUSED("1,2\n3,\"4,000\"\n", 2, 4, NO_NUMBER("4,000"));
	REFUSED("1,1 000\n", 1, 3, "\"1 000\" is not a number; expected a comma, a semicolon or a TAB "
		"between numbers, not blanks");
	REFUSED("1.0 2.0\nx 3.0 4.0\n5,6\n", 3, 4, "row 3 has 2 fields, row 1 has 1; a separator that is text needs quotes around it");
}

/* Expected: np.savetxt(..., fmt="%g") of [[1, 0], [.5, .5]] with delimiter, header and footer as they stand. */
static void test_savetxt(void **state)
{
	(void)state;
	MATRIX("1 0\n0.5 0.5\n", "2,2", 1, 0, 0.5, 0.5);
	MATRIX("     1     0\n   0.5   nan \r\n", "2,2", 1, 0, 0.5, NAN);
	MATRIX("# attention of layer 0\n# 2 2\n1 0\n0.5 0.5\n# the end\n# \n", "2,2", 1, 0, 0.5, 0.5);
	MATRIX("# 1 2\n3,4\n5,6\n", "2,2", 3, 4, 5, 6);
	MATRIX("\xef\xbb\xbf# one\n1\r2\r", "2,1", 1, 2);
	check_layout(TEXT("# weights\n# the cat\n1 0\n0.5 0.5\n"), "2,2", NULL, "the|cat");
	check_layout(TEXT("# \"a b\",\xea\xb0\x80\n1,0\n0.5,0.5\n"), "2,2", NULL, "a b|\xea\xb0\x80");
	check_layout(TEXT("#the\tcat\n1\t0\n0.5\t0.5\n"), "2,2", NULL, "the|cat");
	check_layout(TEXT("# the cat\n\n1 0\n0.5 0.5\n"), "2,2", NULL, NULL);
	REFUSED("1 2 3\n4 x 6\n7 8 9\n", 2, 3, NO_NUMBER("x"));
	REFUSED("1 2 3\n4 5\n7 8 9\n", 2, 4, "row 2 has 2 fields, row 1 has 3");
	REFUSED("# a b\n1 2\n3 4\n# c\n5 6\n", 4, 1, NO_TOKEN("#"));
}

/* A "#" that is a field, and one before what is no number, is a token. */
static void test_hash_is_a_token(void **state)
{
	struct reading r;

	(void)state;
	check_layout(TEXT("#,b\n1,2\n"), "1,2", NULL, "#|b");
	check_layout(TEXT(",#,b\n#,1,2\n##,3,4\n"), "2,2", "#|##", "#|b");
	check_layout(TEXT("# x,y\na,1\nb,2\n"), "2,1", "a|b", "y");
	READ(&r, "#\n# x\nthe\n##ing\n");
	check_tokens(&r, "", AXIS_UNKNOWN, "4", "#|# x|the|##ing");
	reading_free(&r);
}

static void test_quotes(void **state)
{
	struct reading r;

	(void)state;
	READ(&r, ",\"say \"\"hi\"\"\",\"a,b\",c\"d, e \r\n\"x\" ,1,\"2\" ,3,4\r\n");
	check_tokens(&r, "key_tokens", AXIS_KEY, "4", "say \"hi\"|a,b|c\"d| e ");
	reading_free(&r);
}

static void test_broken_quotes(void **state)
{
	(void)state;
	REFUSED("1,2\n\"3,4\n", 2, 1, "this quote is never closed; a quote that is text is doubled and stands in quotes: \"\"\"\"");
	REFUSED("1,2\n3,\"4\"x\n", 2, 6, "text behind a closing quote; expected a separator or the end of the line, "
		"and quotes inside quotes doubled");
}

/* Columns are characters, lines are those of the file, also behind a quoted line end. */
static void test_places(void **state)
{
	(void)state;
	REFUSED(",\xea\xb0\x80,\"b\nc\"\r\n\xea\xb0\x80,1,z\r\n", 3, 5, NO_NUMBER("z"));
	REFUSED("\xef\xbb\xbf" "1,\x1b\n2,3\n", 1, 3, NO_TOKEN("?"));
	REFUSED("1,2\r3,z\r", 2, 3, NO_NUMBER("z"));
	REFUSED("\xff,1,2\na,3,4\nb,5,q\n", 3, 5, NO_NUMBER("q"));
}

static void test_no_text(void **state)
{
	static const char utf16[] = "the text is UTF-16; save the file as UTF-8";

	(void)state;
	REFUSED("\xff\xfe" "1\0,\0002\0\n\0", 1, 1, utf16);
	REFUSED("\xfe\xff\0001\0,\0002\0\n", 1, 1, utf16);
	REFUSED("1,2\n3\0,4\n", 2, 2, "a NUL byte; text in UTF-8 is expected (is it UTF-16, or not text at all?)");
	REFUSED("", 1, 1, "an empty file; expected rows of numbers or a list of tokens");
	REFUSED("\xef\xbb\xbf\r\n\n", 1, 1, "an empty file; expected rows of numbers or a list of tokens");
}

/* ---- files of other programs ---- */

static void test_files(void **state)
{
	double lower[36] = { 0 };
	struct reading r;

	(void)state;
	for (size_t i = 0; i < 6; i++)
		for (size_t j = 0; j <= i; j++)
			lower[6 * i + j] = 1.0 / (double)(i + 1);
	reading_file(&r, "csv/csv-module.csv");
	check_numbers(&r, "", "6,6", lower);
	check_tokens(&r, "query_tokens", AXIS_QUERY, "6", "say| \"|,|\n|\xec\x95\x88\xeb\x85\x95|##ing");
	check_tokens(&r, "key_tokens", AXIS_KEY, "6", "say| \"|,|\n|\xec\x95\x88\xeb\x85\x95|##ing");
	reading_free(&r);
	reading_file(&r, "csv/savetxt.csv");
	check_numbers(&r, "", "2,3", V(0.1, -2e-300, NAN, INFINITY, -INFINITY, 1e22));
	reading_free(&r);
	reading_file(&r, "csv/savetxt.txt");
	check_numbers(&r, "", "2,3", V(0.1, -2e-300, NAN, INFINITY, -INFINITY, 1e22));
	check_tokens(&r, "key_tokens", AXIS_KEY, "3", "a|b|c");
	check_metadata(&r, "separator", " ");
	reading_free(&r);
}

/* ---- damage ---- */

static const char sample[] = ",the,\"a,b\",\"c\"\"d\"\n<s>,0.5,-1e-3,nan\n \"x,inf,2,3\n\xea\xb0\x80,4,,6\n";

static void test_mutations(void **state)
{
	(void)state;
	check_mutations("a.csv", TEXT(sample), 8000);
	check_mutations("a.tsv", TEXT("a\tb\tc\r\n1,5\t2\t3,25\r\n4\t\"5\"\t6\r\n"), 8000);
	check_mutations("a.txt", TEXT("# a b\n 1e5 2 \n \t3 \"4\"\n# end\n"), 8000);
	check_mutations("a.csv", TEXT("the\n,\n\"\n\"a\nb\"\n1995\n\xf0\x9f\n"), 8000);
}

static void test_allocations(void **state)
{
	(void)state;
	check_allocations("a.csv", TEXT(sample));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_byte_order_mark_c27),
		cmocka_unit_test(test_line_ends_c28),
		cmocka_unit_test(test_uneven_rows_b06_c29_c30),
		cmocka_unit_test(test_absent_cells_b06_c29),
		cmocka_unit_test(test_absent_cells_are_bounded),
		cmocka_unit_test(test_separators_c08_c31),
		cmocka_unit_test(test_separators_in_labels),
		cmocka_unit_test(test_given_separator),
		cmocka_unit_test(test_what_is_no_number_c35),
		cmocka_unit_test(test_axes_b10),
		cmocka_unit_test(test_rectangular_labels_b05),
		cmocka_unit_test(test_lists_b03_b14_b15),
		cmocka_unit_test(test_controls_are_kept_c20),
		cmocka_unit_test(test_wide_rows_c39),
		cmocka_unit_test(test_header_and_column),
		cmocka_unit_test(test_damage_is_no_header),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_numbers_refused),
		cmocka_unit_test(test_savetxt),
		cmocka_unit_test(test_hash_is_a_token),
		cmocka_unit_test(test_quotes),
		cmocka_unit_test(test_broken_quotes),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_no_text),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_mutations),
		cmocka_unit_test(test_allocations),
	};

	return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
