/* test_npy.c - the reader and writer of NumPy's arrays.
 *
 * Expected values come from NumPy 1.24.2: those of the hostile files from the
 * table beside them, the others from np.save and astype, as noted.
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

#include "core/io/npy.h"

/* ---- tools ---- */

/* Of exactly the right size, so that a sanitizer sees the first byte too far. */
struct file { unsigned char *bytes; size_t size; };

static struct file copy_bytes(const void *bytes, size_t size)
{
	struct file f = { malloc(size), size };

	assert_true(f.bytes || !size);
	if (size)
		memcpy(f.bytes, bytes, size);
	return f;
}

static struct file make_aligned(int version, const char *dict, const void *data, size_t n, size_t alignment)
{
	size_t prefix = version == 1 ? 10 : 12;
	size_t used = prefix + strlen(dict) + 1;
	size_t length = strlen(dict) + 1 + (alignment - used % alignment) % alignment;
	struct file f = { malloc(prefix + length + n), prefix + length + n };

	assert_non_null(f.bytes);
	memcpy(f.bytes, "\x93NUMPY", 6);
	f.bytes[6] = (unsigned char)version;
	f.bytes[7] = 0;
	for (size_t i = 8; i < prefix; i++)
		f.bytes[i] = (unsigned char)(length >> 8 * (i - 8));
	memset(f.bytes + prefix, ' ', length);
	memcpy(f.bytes + prefix, dict, strlen(dict));
	f.bytes[prefix + length - 1] = '\n';
	if (n)
		memcpy(f.bytes + prefix + length, data, n);
	return f;
}

static struct file make(int version, const char *dict, const void *data, size_t n)
{
	return make_aligned(version, dict, data, n, 64);
}

/* With the usual header around type, order and shape. */
static struct file make_array(const char *descr, bool fortran, const char *shape, const void *data, size_t n)
{
	char dict[200];

	snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }",
		 descr, fortran ? "True" : "False", shape);
	return make(1, dict, data, n);
}

static struct npy parse(struct file f)
{
	struct npy a = { 0 };
	struct error e = { 0 };

	if (npy_parse(&a, f.bytes, f.size, "a.npy", false, &e))
		fail_msg("%s", e.text);
	return a;
}

/* NaN by kind, everything else by its bits: -0 is not 0. */
static void assert_same(double x, double y, const char *where)
{
	if (isnan(x) && isnan(y))
		return;
	if (memcmp(&x, &y, sizeof x))
		fail_msg("%s: %.17g is not %.17g", where, x, y);
}

static void assert_values(struct file f, const double *v, size_t n)
{
	struct npy a = parse(f);

	assert_int_equal(a.count, n);
	for (size_t i = 0; i < n; i++)
		assert_same(npy_number(&a, i), v[i], "number");
	double *all = malloc(n * sizeof *all + 1);
	assert_non_null(all);
	npy_numbers(&a, 0, n, all);
	for (size_t i = 0; i < n; i++)
		assert_same(all[i], v[i], "numbers");
	free(all);
	free(f.bytes);
}

/* Refused with that status and a text that holds `part`; *a is as it was. */
static void assert_refused_as(struct file f, bool v2_is_bf16, enum status status, const char *part)
{
	struct npy a, before;
	struct error e = { 0 };

	memset(&before, 0x5a, sizeof before);
	a = before;
	enum status s = npy_parse(&a, f.bytes, f.size, "b.npy", v2_is_bf16, &e);
	if (s != status)
		fail_msg("status %d is not %d (%s)", s, status, e.text);
	assert_int_equal(e.status, status);
	assert_string_equal(e.file, "b.npy");
	if (!strstr(e.text, part))
		fail_msg("\"%s\" does not say \"%s\"", e.text, part);
	assert_memory_equal(&a, &before, sizeof a);
	free(f.bytes);
}

static void assert_refused(struct file f, enum status status, const char *part)
{
	assert_refused_as(f, false, status, part);
}

static void assert_text(const struct npy *a, size_t i, const char *text)
{
	struct buffer b = { 0 };

	npy_text(a, i, &b);
	buffer_put(&b, "", 0);
	assert_false(b.failed);
	assert_string_equal(b.data, text);
	assert_int_equal(b.size, strlen(text));
	buffer_free(&b);
}

/* xorshift64*: the same sequence everywhere. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

/* Calls everything that reads, on an array that was accepted. */
static void read_all(const struct npy *a, size_t size)
{
	struct matrix m = { 0 };
	struct buffer text = { 0 };
	struct error e = { 0 };
	size_t odd = 0;

	assert_true(a->item_size > 0 && a->count <= size / a->item_size);
	for (size_t i = 0; i < a->count; i++) {
		odd += isnan(npy_number(a, i)) || !npy_is_exact(a, i);
		npy_text(a, i, &text);
	}
	assert_true(odd <= a->count);
	assert_true(text.size <= 6 * size);
	if (!npy_matrix(a, &m, &e))
		assert_int_equal(m.rows * m.columns, a->count);
	matrix_free(&m);
	buffer_free(&text);
}

/* ---- the hostile files ---- */

static void data_path(char *path, size_t size, const char *name)
{
	const char *root = getenv("QKV_TEST_DATA");

	snprintf(path, size, "%s/npy/hostile/%s", root ? root : "tests/data", name);
}

static struct file read_file(const char *name)
{
	static unsigned char bytes[1 << 17];
	char path[4096];

	data_path(path, sizeof path, name);
	FILE *stream = fopen(path, "rb");
	if (!stream)
		fail_msg("cannot open %s", path);
	size_t n = fread(bytes, 1, sizeof bytes, stream);
	assert_true(n < sizeof bytes);
	fclose(stream);
	return copy_bytes(bytes, n);
}

/* "(2,3)" against the array's shape. */
static void assert_shape(const struct npy *a, const char *text, const char *where)
{
	char mine[200] = "(";

	for (int d = 0; d < a->rank; d++)
		snprintf(mine + strlen(mine), sizeof mine - strlen(mine), d ? ",%zu" : "%zu", a->shape[d]);
	strcat(mine, ")");
	if (strcmp(mine, text))
		fail_msg("%s: shape %s is not %s", where, mine, text);
}

static void check_values(const struct npy *a, const char *name, char **rest)
{
	size_t n = 0;

	for (char *word; (word = strtok_r(NULL, " \n", rest)); n++) {
		double wanted = strtod(word, NULL);
		assert_same(npy_number(a, n), wanted, name);
	}
	if (n != a->count)
		fail_msg("%s: %zu elements, expected %zu", name, a->count, n);
}

/* The letter and size of the table's type, "f8", against the kind. */
static void check_kind(const struct npy *a, const char *type, const char *name)
{
	static const char *const types[] = { "f8", "f4", "f2", "V2", "i1", "i2", "i4", "i8",
					     "u1", "u2", "u4", "u8", "b1" };
	const char *bare = type + strspn(type, "<>=|");

	if (npy_is_text(a) || strcmp(types[a->kind], bare))
		fail_msg("%s: kind %s is not %s", name, npy_kind_name(a->kind), type);
	assert_int_equal(a->big_endian, type[0] == '>');
}

static void check_hostile_file(char *line)
{
	char *rest, *name = strtok_r(line, " \n", &rest);
	char *verdict = strtok_r(NULL, " \n", &rest);
	char *type = strtok_r(NULL, " \n", &rest);
	char *shape = strtok_r(NULL, " \n", &rest);
	struct file f = read_file(name);
	struct npy a;
	struct error e = { 0 };
	enum status s = npy_parse(&a, f.bytes, f.size, name, false, &e);

	if (s ? !strcmp(verdict, "accept") : !strcmp(verdict, "reject"))
		fail_msg("%s: status %d, expected %s (%s)", name, s, verdict, e.text);
	if (s) {
		assert_string_equal(e.file, name);
		assert_int_equal(e.status, s);
		assert_true(strlen(e.text) > 10);
	} else {
		read_all(&a, f.size);
	}
	if (!s && strcmp(type, "-")) {
		check_kind(&a, type, name);
		assert_shape(&a, shape, name);
		check_values(&a, name, &rest);
	}
	free(f.bytes);
}

static size_t count_files(void)
{
	char path[4096];
	size_t n = 0;

	data_path(path, sizeof path, "");
	DIR *folder = opendir(path);
	assert_non_null(folder);
	for (struct dirent *d; (d = readdir(folder));)
		n += strlen(d->d_name) > 4 && !strcmp(d->d_name + strlen(d->d_name) - 4, ".npy");
	closedir(folder);
	return n;
}

static void every_hostile_file_gets_its_verdict(void **state)
{
	char path[4096], line[4096];
	size_t n = 0;

	(void)state;
	data_path(path, sizeof path, "verdicts.txt");
	FILE *stream = fopen(path, "r");
	if (!stream)
		fail_msg("cannot open %s", path);
	while (fgets(line, sizeof line, stream)) {
		if (line[0] == '#')
			continue;
		check_hostile_file(line);
		n++;
	}
	fclose(stream);
	assert_true(n >= 119);
	assert_int_equal(n, count_files());
}

static void messages_name_the_cause(void **state)
{
	static const struct { const char *file; enum status status; const char *part; } cases[] = {
		{ "bad_empty_file.npy", E_SYNTAX, "empty" },
		{ "bad_magic_text.npy", E_SYNTAX, "not a .npy file" },
		{ "bad_zip_as_npy.npy", E_SYNTAX, "zip" },
		{ "bad_version_9_9.npy", E_SYNTAX, "9.9" },
		{ "bad_hlen_v2_4g.npy", E_SYNTAX, "expected 4294967295 bytes" },
		{ "bad_data_cut1.npy", E_SYNTAX, "expected 48 data bytes, found 47" },
		{ "bad_no_shape.npy", E_SYNTAX, "'shape' is missing" },
		{ "bad_shape_int.npy", E_SYNTAX, "(6,)" },
		{ "bad_shape_float.npy", E_SYNTAX, "whole number" },
		{ "bad_shape_neg.npy", E_SYNTAX, "not negative" },
		{ "bad_shape_20digits.npy", E_LIMIT, "larger than any array" },
		{ "bad_shape_overflow64.npy", E_LIMIT, "more bytes than" },
		{ "bad_shape_8tb.npy", E_SYNTAX, "found 48" },
		{ "bad_shape_100dims.npy", E_LIMIT, "8 dimensions" },
		{ "bad_order_lower.npy", E_SYNTAX, "True or False" },
		{ "bad_object_pickle.npy", E_VALUE, "allow_pickle=True" },
		{ "bad_structured.npy", E_VALUE, "['FIELD']" },
		{ "bad_structured_v3_utf8.npy", E_VALUE, "['FIELD']" },
		{ "bad_dtype_complex64.npy", E_VALUE, "'<c8' is complex" },
		{ "bad_dtype_longdouble.npy", E_VALUE, "'<f16'" },
		{ "bad_dtype_datetime.npy", E_VALUE, "'<M8[ns]'" },
		{ "bad_descr_percent.npy", E_VALUE, "'%s%n%n%n'" },
		{ "bad_descr_nul.npy", E_VALUE, "'<f8?'" },
		{ "bad_v3_invalid_utf8.npy", E_SYNTAX, "UTF-8" },
		{ "bad_extra_key.npy", E_SYNTAX, "descr, fortran_order and shape" },
		{ "bad_trailing_code.npy", E_SYNTAX, "behind the dictionary" },
		{ "either_dup_key.npy", E_SYNTAX, "twice" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_refused(read_file(cases[i].file), cases[i].status, cases[i].part);
}

/* ---- what people reported about other readers, by its number ---- */

static const double one_to_four[] = { 1, 2, 3, 4 };

static void d01_shapes_of_one_dimension(void **state)
{
	static const char *const shapes[] = { "(4,)", "(1, 4)", "(4, 1)", "(1, 1, 4)" };
	static const size_t rows[] = { 1, 1, 4, 1 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct file f = make_array("<f8", false, shapes[i], one_to_four, 32);
		struct npy a = parse(f);
		struct matrix m = { 0 };
		struct error e = { 0 };
		assert_int_equal(npy_matrix(&a, &m, &e), OK_STATUS);
		assert_int_equal(m.rows, rows[i]);
		assert_int_equal(m.columns, 4 / rows[i]);
		assert_memory_equal(m.v, one_to_four, 32);
		matrix_free(&m);
		assert_values(f, one_to_four, 4);
	}
}

static void d02_scalar_and_empty(void **state)
{
	double x = 6.5;
	struct matrix m = { 0 };
	struct error e = { 0 };
	struct file f = make_array("<f8", false, "()", &x, 8);
	struct npy a = parse(f);

	(void)state;
	assert_int_equal(a.rank, 0);
	assert_int_equal(npy_matrix(&a, &m, &e), OK_STATUS);
	assert_int_equal(m.rows * m.columns, 1);
	assert_same(m.v[0], 6.5, "scalar");
	matrix_free(&m);
	free(f.bytes);
	f = make_array("<f8", false, "(0, 3)", NULL, 0);
	a = parse(f);
	assert_int_equal(a.count, 0);
	assert_int_equal(npy_matrix(&a, &m, &e), OK_STATUS);
	assert_int_equal(m.rows, 0);
	assert_int_equal(m.columns, 3);
	assert_true(isnan(npy_number(&a, 0)));
	matrix_free(&m);
	free(f.bytes);
}

static void d03_python_literals(void **state)
{
	(void)state;
	assert_values(make(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2L, 2L), }", one_to_four, 32), one_to_four, 4);
	assert_values(make(1, "{'shape':(2,2),\"descr\":\"<f8\" ,'fortran_order':False}", one_to_four, 32), one_to_four, 4);
	/* Version 3.0 came after Python 2. */
	assert_refused(make(3, "{'descr': '<f8', 'fortran_order': False, 'shape': (2L, 2L), }", one_to_four, 32), E_SYNTAX, "2L");
}

static void d04_fortran_order(void **state)
{
	static const float stored[] = { 1, 4, 2, 5, 3, 6 };
	static const double wanted[] = { 1, 2, 3, 4, 5, 6 };

	(void)state;
	assert_values(make_array("<f4", true, "(2, 3)", stored, sizeof stored), wanted, 6);
}

static void d05_big_endian(void **state)
{
	static const unsigned char
		f8[] = { 0x3f,0xf0,0,0,0,0,0,0, 0x40,0,0,0,0,0,0,0, 0x40,8,0,0,0,0,0,0, 0x40,0x10,0,0,0,0,0,0 },
		f4[] = { 0x3f,0x80,0,0, 0x40,0,0,0, 0x40,0x40,0,0, 0x40,0x80,0,0 },
		f2[] = { 0x3c,0, 0x40,0, 0x42,0, 0x44,0 },
		i4[] = { 0,0,0,1, 0,0,0,2, 0,0,0,3, 0,0,0,4 },
		i8[] = { 0,0,0,0,0,0,0,1, 0,0,0,0,0,0,0,2, 0,0,0,0,0,0,0,3, 0,0,0,0,0,0,0,4 },
		i1[] = { 1, 2, 3, 4 }, b1[] = { 1, 0, 0, 1 };
	static const double truth[] = { 1, 0, 0, 1 };

	(void)state;
	assert_values(make_array(">f8", false, "(2, 2)", f8, sizeof f8), one_to_four, 4);
	assert_values(make_array(">f4", false, "(2, 2)", f4, sizeof f4), one_to_four, 4);
	assert_values(make_array(">f2", false, "(2, 2)", f2, sizeof f2), one_to_four, 4);
	assert_values(make_array(">i4", false, "(2, 2)", i4, sizeof i4), one_to_four, 4);
	assert_values(make_array(">u8", false, "(2, 2)", i8, sizeof i8), one_to_four, 4);
	/* One byte has no order, whatever the header says. */
	struct file f = make_array(">i1", false, "(2, 2)", i1, sizeof i1);
	assert_false(parse(f).big_endian);
	free(f.bytes);
	assert_values(make_array("|i1", false, "(2, 2)", i1, sizeof i1), one_to_four, 4);
	assert_values(make_array("|b1", false, "(2, 2)", b1, sizeof b1), truth, 4);
}

static void d06_sizes_that_lie(void **state)
{
	static const unsigned char zeros[16];

	(void)state;
	assert_refused(copy_bytes("\x93NUMPY\2\0\0\377\377\377", 12), E_SYNTAX, "expected 4294967040 bytes, found 0");
	assert_refused(make_array("<f4", false, "(4294967296, 4294967296)", zeros, 16), E_LIMIT, "more bytes than");
	assert_refused(make_array("<f4", false, "(-1, 4)", zeros, 16), E_SYNTAX, "not negative");
	assert_refused(make_array("<f4", false, "(99999999999999999999, 1)", zeros, 16), E_LIMIT, "99999999999999999999");
}

static void d07_cut_files_and_surplus(void **state)
{
	static const double six[6] = { 0, 1, 2, 3, 4, 5 };
	unsigned char more[40];
	struct file f;

	(void)state;
	assert_refused(make_array("<f8", false, "(2, 3)", six, 40), E_SYNTAX, "expected 48 data bytes, found 40");
	memcpy(more, one_to_four, 32);
	memcpy(more + 32, "junk!!!!", 8);
	f = make_array("<f8", false, "(2, 2)", more, 40);
	assert_int_equal(parse(f).surplus, 8);
	assert_values(f, one_to_four, 4);
	assert_refused(copy_bytes("", 0), E_SYNTAX, "empty");
	f = make_array("<f8", false, "(2, 2)", one_to_four, 32);
	assert_refused(copy_bytes(f.bytes, 60), E_SYNTAX, "header is cut off: expected 118 bytes, found 50");
	free(f.bytes);
}

static void d08_other_files_by_content(void **state)
{
	struct file f = make_array("<f8", false, "(2, 2)", one_to_four, 32);

	(void)state;
	memset(f.bytes, 0, 10);
	assert_refused(f, E_SYNTAX, "not a .npy file");
	assert_refused(copy_bytes("1,2\n3,4\n", 8), E_SYNTAX, "not a .npy file");
	assert_refused(copy_bytes("PK\3\4rest", 8), E_SYNTAX, ".npz");
	assert_refused(copy_bytes("\x80\4\x95rest", 7), E_SYNTAX, "pickle");
}

static void d09_types_without_numbers(void **state)
{
	static const unsigned char bytes[40];

	(void)state;
	assert_refused(make_array("|O", false, "(1,)", bytes, 8), E_VALUE, "'|O' holds Python objects");
	assert_refused(make_array("|O8", false, "(1,)", bytes, 8), E_VALUE, "'|O8' holds Python objects");
	assert_refused(make(1, "{'descr': [('id', '<i4'), ('w', '<f8')], 'fortran_order': False, 'shape': (1,), }", bytes, 12),
		       E_VALUE, "structured");
	assert_refused(make(1, "{'descr': ('<f8', (2,)), 'fortran_order': False, 'shape': (1,), }", bytes, 16),
		       E_VALUE, "structured");
	assert_refused(make_array("<c8", false, "(1,)", bytes, 8), E_VALUE, "'<c8'");
	assert_refused(make_array("<M8[ns]", false, "(1,)", bytes, 8), E_VALUE, "'<M8[ns]'");
	struct file f = make_array("<U5", false, "(2,)", bytes, 40);
	struct npy a = parse(f);
	assert_true(npy_is_text(&a));
	free(f.bytes);
}

static void d10_narrow_types(void **state)
{
	static const unsigned char b1[] = { 1, 0, 1, 1 }, f2[] = { 0, 0x3e, 0, 0xc0, 0xff, 0x7b, 1, 0 };
	static const unsigned char u1[] = { 0, 127, 128, 255 };
	static const int64_t i8[] = { 9007199254740992, -9007199254740992, -1, INT64_MIN };
	static const double truth[] = { 1, 0, 1, 1 }, half[] = { 1.5, -2, 65504, 0x1p-24 };
	static const double small[] = { 0, 127, 128, 255 }, large[] = { 0x1p53, -0x1p53, -1, -0x1p63 };

	(void)state;
	assert_values(make_array("|b1", false, "(2, 2)", b1, sizeof b1), truth, 4);
	assert_values(make_array("<f2", false, "(2, 2)", f2, sizeof f2), half, 4);
	assert_values(make_array("|u1", false, "(2, 2)", u1, sizeof u1), small, 4);
	assert_values(make_array("<i8", false, "(2, 2)", i8, sizeof i8), large, 4);
	assert_refused(make_array("<q9", false, "(1,)", u1, 4), E_VALUE, "'<q9' is not known");
}

static void d11_versions(void **state)
{
	static const char dict[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }";
	struct file f;

	(void)state;
	for (int version = 1; version <= 3; version++)
		assert_values(make(version, dict, one_to_four, 32), one_to_four, 4);
	assert_values(make_aligned(1, dict, one_to_four, 32, 16), one_to_four, 4);
	assert_values(make_aligned(1, dict, one_to_four, 32, 1), one_to_four, 4);
	f = make(1, dict, one_to_four, 32);
	f.bytes[6] = 9;
	assert_refused(f, E_SYNTAX, "version 9.0");
}

/* ---- the header, further ---- */

static void headers_no_writer_makes(void **state)
{
	static const struct { const char *dict; enum status status; const char *part; } cases[] = {
		{ "", E_SYNTAX, "expected a dictionary, found the end" },
		{ "{}", E_SYNTAX, "'descr' is missing" },
		{ "{,}", E_SYNTAX, "a key or }" },
		{ "{'descr'}", E_SYNTAX, "a colon" },
		{ "{'descr' '<f8'}", E_SYNTAX, "a colon" },
		{ "{'descr': }", E_SYNTAX, "a type" },
		{ "{'descr': '<f8' 'fortran_order': False}", E_SYNTAX, "a comma or }" },
		{ "{'descr': '<f8',, 'fortran_order': False}", E_SYNTAX, "a key or }" },
		{ "{'descr': '\\x3cf8', 'fortran_order': False, 'shape': (1,)}", E_SYNTAX, "end of a string" },
		{ "{'descr': '<f8\", 'fortran_order': False, 'shape': (1,)}", E_SYNTAX, "a comma or }" },
		{ "{'descr': '<f8', 'fortran_order': Falsetto, 'shape': (1,)}", E_SYNTAX, "found Falsetto" },
		{ "{'descr': '<f8', 'fortran_order': None, 'shape': (1,)}", E_SYNTAX, "found None" },
		{ "{'descr': '<f8', 'fortran_order': False, 'shape': (,)}", E_SYNTAX, "whole number" },
		{ "{'descr': '<f8', 'fortran_order': False, 'shape': (1,,)}", E_SYNTAX, "whole number" },
		{ "{'descr': '<f8', 'fortran_order': False, 'shape': (1 1)}", E_SYNTAX, "a comma or )" },
		{ "{'descr': '<f8', 'fortran_order': False, 'shape': (01,)}", E_SYNTAX, "found 01" },
		{ "{'descr': '<f8', 'fortran_order': False, 'shape': (1_0,)}", E_SYNTAX, "found 1_0" },
		{ "{'descr': '<f8', 'fortran_order': False, 'shape': (1LL,)}", E_SYNTAX, "found 1LL" },
		{ "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} #", E_SYNTAX, "behind" },
		{ "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}\v", E_SYNTAX, "behind" },
		{ "{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}", E_LIMIT, "8 dimensions" },
		{ "{'descr': '<f\xc3\xa9', 'fortran_order': False, 'shape': (1,)}", E_SYNTAX, "end of a string" },
		{ "{'descr': '<', 'fortran_order': False, 'shape': (1,)}", E_VALUE, "'<' is not known" },
		{ "{'descr': '<<f8', 'fortran_order': False, 'shape': (1,)}", E_VALUE, "'<<f8' is not known" },
		{ "{'descr': '<f08', 'fortran_order': False, 'shape': (1,)}", E_VALUE, "'<f08' is not" },
		{ "{'descr': '<f8 ', 'fortran_order': False, 'shape': (1,)}", E_VALUE, "'<f8 ' is not" },
		{ "{'descr': '<U0', 'fortran_order': False, 'shape': (1,)}", E_VALUE, "'<U0' is not known" },
		{ "{'descr': '<U9999999999', 'fortran_order': False, 'shape': (1,)}", E_VALUE, "is not known" },
		{ "{'descr': '<U999999999', 'fortran_order': False, 'shape': (4294967296,)}", E_LIMIT, "more bytes than" },
		{ "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 9223372036854775807)}", E_LIMIT, "more bytes than" },
		{ "{'\033]0;x\a': 1}", E_SYNTAX, "'?]0;x?'" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_refused(make(1, cases[i].dict, one_to_four, 8), cases[i].status, cases[i].part);
}

static void a_long_header_is_refused(void **state)
{
	size_t size = 12 + 70000;
	unsigned char *bytes = malloc(size);

	(void)state;
	assert_non_null(bytes);
	memset(bytes, ' ', size);
	memcpy(bytes, "\x93NUMPY\2\0\x70\x11\1\0", 12);
	struct file f = { bytes, size };
	assert_refused(f, E_LIMIT, "70000 bytes");
}

static void eight_dimensions_are_read(void **state)
{
	struct file f = make_array("<f8", true, "(1, 2, 1, 2, 1, 1, 1, 1)", one_to_four, 32);
	static const double wanted[] = { 1, 3, 2, 4 };

	(void)state;
	assert_int_equal(parse(f).rank, 8);
	assert_values(f, wanted, 4);
}

/* ---- numbers ---- */

/* One number of all 65,536 values; NaNs count as one. */
static uint64_t hash_numbers(const struct npy *a)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < a->count; i++) {
		double x = npy_number(a, i);
		uint64_t bits = 0x7ff8000000000000u;
		if (!isnan(x))
			memcpy(&bits, &x, sizeof bits);
		h = (h ^ bits) * 0x100000001b3u;
		h ^= h >> 29;
	}
	return h;
}

/* The hashes are those of NumPy's u.view('<f2').astype('<f8') and
 * (u.astype('<u4') << 16).view('<f4').astype('<f8'), u = 0..65535. */
static void all_halves_are_numpys(void **state)
{
	unsigned char *all = malloc(131072), *swapped = malloc(131072);
	struct npy a;
	struct error e = { 0 };

	(void)state;
	assert_true(all && swapped);
	for (size_t i = 0; i < 65536; i++) {
		all[2 * i] = swapped[2 * i + 1] = (unsigned char)i;
		all[2 * i + 1] = swapped[2 * i] = (unsigned char)(i >> 8);
	}
	struct file f = make_array("<f2", false, "(65536,)", all, 131072);
	a = parse(f);
	assert_true(hash_numbers(&a) == 0xc7960dd85e7cfd7u);
	free(f.bytes);
	f = make_array(">f2", false, "(65536,)", swapped, 131072);
	a = parse(f);
	assert_true(hash_numbers(&a) == 0xc7960dd85e7cfd7u);
	free(f.bytes);
	f = make_array("|V2", false, "(256, 256)", all, 131072);
	assert_int_equal(npy_parse(&a, f.bytes, f.size, NULL, true, &e), OK_STATUS);
	assert_int_equal(a.kind, NPY_BF16);
	assert_true(hash_numbers(&a) == 0x955b71cadf4d9fd2u);
	assert_refused(f, E_VALUE, "bfloat16");
	free(all);
	free(swapped);
}

static void bf16_only_when_asked(void **state)
{
	static const unsigned char words[] = { 0xc0, 0x3f, 0x00, 0xc0, 0x80, 0xff, 0xab, 0x3e, 0xc0, 0x7f, 0x01, 0x00 };
	static const double wanted[] = { 1.5, -2, -INFINITY, 0.333984375, NAN, 0x1p-133 };
	static const char *const types[] = { "|V2", "<V2" };
	struct error e = { 0 };
	struct npy a;

	(void)state;
	for (size_t t = 0; t < 2; t++) {
		struct file f = make_array(types[t], false, "(2, 3)", words, sizeof words);
		assert_int_equal(npy_parse(&a, f.bytes, f.size, NULL, true, &e), OK_STATUS);
		for (size_t i = 0; i < 6; i++)
			assert_same(npy_number(&a, i), wanted[i], "bf16");
		assert_refused(f, E_VALUE, "bfloat16");
	}
	assert_refused_as(make_array("|V8", false, "(1,)", words, 8), true, E_VALUE, "'|V8'");
}

static void ranges_are_elements(void **state)
{
	unsigned char data[2 * 3 * 4 * 5];
	double out[120];

	(void)state;
	for (size_t i = 0; i < sizeof data; i++)
		data[i] = (unsigned char)i;
	for (int fortran = 0; fortran < 2; fortran++) {
		struct file f = make_array("|u1", fortran, "(2, 3, 4, 5)", data, sizeof data);
		struct npy a = parse(f);
		for (size_t first = 0; first <= 120; first++)
			for (size_t n = 0; first + n <= 120; n++) {
				npy_numbers(&a, first, n, out);
				for (size_t i = 0; i < n; i++)
					assert_same(out[i], npy_number(&a, first + i), "range");
			}
		/* Element (1, 2, 3, 4) is the last, (0, 1, 0, 0) comes 20th or second but one. */
		assert_same(npy_number(&a, 119), 119, "last");
		assert_same(npy_number(&a, 20), fortran ? 2 : 20, "second index");
		free(f.bytes);
	}
}

static void inexact_integers_are_told(void **state)
{
	static const int64_t i8[] = { 9007199254740992, 9007199254740993, -9007199254740993, INT64_MAX, INT64_MIN, 0, -1 };
	static const uint64_t u8[] = { UINT64_MAX, UINT64_C(1) << 63, 5 };
	static const bool exact[] = { true, false, false, false, true, true, true, false, true, true };
	struct file f = make_array("<i8", false, "(7,)", i8, sizeof i8);
	struct npy a = parse(f);

	(void)state;
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(npy_is_exact(&a, i), exact[i]);
	free(f.bytes);
	f = make_array("<u8", false, "(3,)", u8, sizeof u8);
	a = parse(f);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(npy_is_exact(&a, i), exact[7 + i]);
	free(f.bytes);
}

static void matrices(void **state)
{
	static const double stored[] = { 1, 4, 2, 5, 3, 6 }, wanted[] = { 1, 2, 3, 4, 5, 6 };
	struct matrix m = { 0 }, before;
	struct error e = { 0 };
	struct file f = make_array("<f8", true, "(1, 1, 2, 3)", stored, sizeof stored);
	struct npy a = parse(f);

	(void)state;
	assert_int_equal(npy_matrix(&a, &m, &e), OK_STATUS);
	assert_int_equal(m.rows, 2);
	assert_int_equal(m.columns, 3);
	assert_memory_equal(m.v, wanted, sizeof wanted);
	free(f.bytes);
	before = m;
	f = make_array("<f8", false, "(1, 2, 3, 1)", stored, sizeof stored);
	a = parse(f);
	assert_int_equal(npy_matrix(&a, &m, &e), E_SHAPE);
	assert_non_null(strstr(e.text, "(1, 2, 3, 1)"));
	free(f.bytes);
	f = make_array("|S8", false, "(2, 3)", stored, sizeof stored);
	a = parse(f);
	assert_int_equal(npy_matrix(&a, &m, &e), E_VALUE);
	assert_true(isnan(npy_number(&a, 0)));
	assert_memory_equal(&m, &before, sizeof m);
	free(f.bytes);
	matrix_free(&m);
}

/* ---- text ---- */

/* The data of np.array(['<시작>', '저는', 'a']), and swapped. */
static void korean_tokens(void **state)
{
	static const uint32_t tokens[3][4] = { { '<', 0xc2dc, 0xc791, '>' }, { 0xc800, 0xb294 }, { 'a' } };
	unsigned char little[48], big[48];

	(void)state;
	for (size_t i = 0; i < 12; i++)
		for (size_t k = 0; k < 4; k++)
			little[4 * i + k] = big[4 * i + 3 - k] = (unsigned char)(tokens[i / 4][i % 4] >> 8 * k);
	for (int b = 0; b < 2; b++) {
		struct file f = make_array(b ? ">U4" : "<U4", false, "(3,)", b ? big : little, 48);
		struct npy a = parse(f);
		assert_int_equal(a.kind, NPY_TEXT_UCS4);
		assert_int_equal(a.item_size, 16);
		assert_text(&a, 0, "<시작>");
		assert_text(&a, 1, "저는");
		assert_text(&a, 2, "a");
		assert_text(&a, 3, "");
		free(f.bytes);
	}
}

static void characters_of_every_length(void **state)
{
	static const uint32_t c[] = { 0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff,
				      0x110000, 0xffffffff, 0xd800, 0xdfff, 0xe000 };
	static const char *const text[] = { "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xef\xbf\xbf",
		"\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "\xef\xbf\xbd", "\xef\xbf\xbd", "\xef\xbf\xbd", "\xef\xbf\xbd",
		"\xee\x80\x80" };
	unsigned char data[48];

	(void)state;
	for (size_t i = 0; i < 48; i++)
		data[i] = (unsigned char)(c[i / 4] >> 8 * (i % 4));
	struct file f = make_array("<U1", false, "(12,)", data, 48);
	struct npy a = parse(f);
	for (size_t i = 0; i < 12; i++)
		assert_text(&a, i, text[i]);
	free(f.bytes);
}

static void byte_strings(void **state)
{
	struct file f = make_array("|S3", false, "(6,)", "a\0\0" "\xec\x95\x84" "\xec\x95\0" "\033[m" "\xc0\x80x" "\0\0\0", 18);
	struct npy a = parse(f);
	struct buffer b = { 0 };

	(void)state;
	assert_int_equal(a.kind, NPY_TEXT_BYTES);
	assert_text(&a, 0, "a");
	assert_text(&a, 1, "아");
	assert_text(&a, 2, "<0xEC><0x95>");
	assert_text(&a, 3, "\033[m");
	assert_text(&a, 4, "<0xC0><0x80>x");
	assert_text(&a, 5, "");
	free(f.bytes);
	/* Only the NULs that pad are taken off. */
	f = make_array("|S4", false, "(1,)", "a\0b\0", 4);
	a = parse(f);
	npy_text(&a, 0, &b);
	assert_int_equal(b.size, 3);
	assert_memory_equal(b.data, "a\0b", 3);
	buffer_free(&b);
	free(f.bytes);
	f = make_array("<f8", false, "(1,)", one_to_four, 8);
	a = parse(f);
	assert_text(&a, 0, "");
	free(f.bytes);
}

static void text_in_fortran_order(void **state)
{
	struct file f = make_array("|S1", true, "(2, 3)", "adbecf", 6);
	struct npy a = parse(f);
	static const char *const wanted[] = { "a", "b", "c", "d", "e", "f" };

	(void)state;
	for (size_t i = 0; i < 6; i++)
		assert_text(&a, i, wanted[i]);
	free(f.bytes);
}

/* ---- the writer ---- */

/* What np.save wrote: the shape in the header, the blanks behind the
 * dictionary, and the data. */
static const double two_rows[] = { 0.1, -0.0, INFINITY, NAN, 1.0 / 3, -1e308 };
static const double zeros[6];

static const struct saved {
	int rank;
	size_t shape[NPY_RANK_MAX];
	const double *v;
	const char *shape_text;
	int blanks;
	const char *data;
	size_t size;
} saved[] = {
	{ 0, { 0 }, (const double[]){ 2.5 }, "()", 62, "\0\0\0\0\0\0\4\x40", 8 },
	{ 1, { 0 }, NULL, "(0,)", 60, "", 0 },
	{ 1, { 3 }, (const double[]){ 0.1, -0.0, 5e-324 }, "(3,)", 60,
	  "\x9a\x99\x99\x99\x99\x99\xb9\x3f\0\0\0\0\0\0\0\x80\1\0\0\0\0\0\0\0", 24 },
	{ 2, { 2, 3 }, two_rows, "(2, 3)", 58,
	  "\x9a\x99\x99\x99\x99\x99\xb9\x3f\0\0\0\0\0\0\0\x80\0\0\0\0\0\0\xf0\x7f"
	  "\0\0\0\0\0\0\xf8\x7f\x55\x55\x55\x55\x55\x55\xd5\x3f\xa0\xc8\xeb\x85\xf3\xcc\xe1\xff", 48 },
	{ 2, { 0, 3 }, NULL, "(0, 3)", 58, "", 0 },
	{ 8, { 1, 2, 1, 1, 3, 1, 1, 1 }, zeros, "(1, 2, 1, 1, 3, 1, 1, 1)", 40, (const char *)zeros, 48 },
	{ 3, { 12345, 0, 1000000 }, NULL, "(12345, 0, 1000000)", 45, "", 0 },
	{ 8, { 1, 0, 1000000, 1000000, 1, 1, 1, 1000000 }, NULL,
	  "(1, 0, 1000000, 1000000, 1, 1, 1, 1000000)", 22, "", 0 },
};
enum { SAVED = sizeof saved / sizeof saved[0] };

static void files_are_np_saves(void **state)
{
	(void)state;
	for (size_t i = 0; i < SAVED; i++) {
		const struct saved *s = &saved[i];
		struct buffer b = { 0 };
		char header[200];
		snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }%*s\n",
			 s->shape_text, s->blanks, "");
		assert_int_equal(strlen(header), 118);
		npy_write(&b, s->v, s->rank, s->shape);
		assert_false(b.failed);
		assert_int_equal(b.size, 128 + s->size);
		assert_memory_equal(b.data, "\x93NUMPY\1\0\x76\0", 10);
		assert_memory_equal(b.data + 10, header, 118);
		assert_memory_equal(b.data + 128, s->data, s->size);
		buffer_free(&b);
	}
}

static void what_is_written_is_read(void **state)
{
	enum { N = 7 * 11 * 13 };
	size_t shape[] = { 7, 11, 13 };
	double *v = malloc(N * sizeof *v);
	struct buffer b = { 0 };
	uint64_t seed = 7;

	(void)state;
	assert_non_null(v);
	for (size_t i = 0; i < N; i++) {
		uint64_t bits = next_random(&seed);
		memcpy(v + i, &bits, sizeof bits);
	}
	npy_write(&b, v, 3, shape);
	assert_false(b.failed);
	struct file f = copy_bytes(b.data, b.size);
	struct npy a = parse(f);
	assert_shape(&a, "(7,11,13)", "round trip");
	assert_int_equal(a.surplus, 0);
	assert_values(f, v, N);
	/* A second array is appended to what is there. */
	npy_write(&b, v, 1, shape);
	assert_int_equal(b.size, 128 + N * 8 + 128 + 7 * 8);
	buffer_free(&b);
	free(v);
}

static void what_cannot_be_written_fails(void **state)
{
	static const size_t shape[9] = { (size_t)1 << 62, 4, 1, 1, 1, 1, 1, 1, 1 };
	struct buffer b = { 0 };

	(void)state;
	npy_write(&b, zeros, 2, shape);
	assert_true(b.failed);
	buffer_free(&b);
	npy_write(&b, zeros, 9, shape);
	assert_true(b.failed);
	buffer_free(&b);
	npy_write(&b, zeros, -1, shape);
	assert_true(b.failed);
	buffer_free(&b);
}

/* ---- damage ---- */

static void every_truncation_is_refused(void **state)
{
	static const char dict[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }";

	(void)state;
	for (int version = 1; version <= 3; version++) {
		struct file f = make(version, dict, one_to_four, 32);
		for (size_t n = 0; n < f.size; n++)
			assert_refused(copy_bytes(f.bytes, n), E_SYNTAX, n ? "cut off" : "empty");
		free(f.bytes);
	}
}

/* One byte for another: a digit for a digit (a header that still parses, but
 * lies), a letter of types for a letter, a mark, or anything for anything. */
static unsigned char damage(unsigned char old, uint64_t r)
{
	static const char letters[] = "fiubSUVOcm", marks[] = "0123456789(),:'\"{}[]<>=|L- ";

	if ((r & 3) && old >= '0' && old <= '9')
		return (unsigned char)('0' + (r >> 8) % 10);
	if ((r & 3) && old && strchr(letters, old))
		return (unsigned char)letters[(r >> 8) % (sizeof letters - 1)];
	return r & 4 ? (unsigned char)marks[(r >> 8) % (sizeof marks - 1)] : (unsigned char)(r >> 16);
}

static struct file mutate(struct file original, uint64_t *seed)
{
	struct file f = copy_bytes(original.bytes, original.size);
	size_t changes = 1 + (next_random(seed) >> 32) % 3;

	for (size_t i = 0; i < changes; i++) {
		uint64_t r = next_random(seed);
		/* What can go wrong is mostly in the first 80 bytes; of those, in the type and shape. */
		size_t range = r >> 63 ? f.size : 80, at = (r >> 32) % range;
		for (size_t k = 0; r >> 62 & 1 && k < range && !strchr("0123456789<>|", f.bytes[at]); k++)
			at = (at + 1) % range;
		f.bytes[at] = damage(f.bytes[at], r);
	}
	return f;
}

static void random_damage_does_no_harm(void **state)
{
	static const char dict3[] = "{'descr': '>i2', 'fortran_order': True, 'shape': (1, 2, 3), }";
	static const unsigned char data[48] = { 1, 2, 3, 4, 5, 6, 0xec, 0x95, 0x84, 0xff };
	struct file originals[] = {
		make_array("<f8", false, "(2, 3)", data, 48),
		make_array(">f2", true, "(2, 3, 4)", data, 48),
		make_array("<U4", false, "(3,)", data, 48),
		make_array("|S3", true, "(4, 4)", data, 48),
		make_array("|V2", false, "(4, 6)", data, 48),
		make(3, dict3, data, 12),
		make(2, "{'descr': '|b1', 'fortran_order': False, 'shape': (), }", data, 1),
	};
	enum { N = sizeof originals / sizeof originals[0] };
	uint64_t seed = 20240229;
	size_t accepted = 0;

	(void)state;
	for (size_t i = 0; i < 20000; i++) {
		struct file f = mutate(originals[i % N], &seed);
		struct npy a;
		struct error e = { 0 };
		enum status s = npy_parse(&a, f.bytes, f.size, "c.npy", i & 1, &e);
		if (!s)
			read_all(&a, f.size);
		else
			assert_true(e.text[0] && e.status == s);
		accepted += !s;
		free(f.bytes);
	}
	/* Both ways were taken often. */
	assert_in_range(accepted, 1000, 19000);
	for (size_t i = 0; i < N; i++)
		free(originals[i].bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_hostile_file_gets_its_verdict),
		cmocka_unit_test(messages_name_the_cause),
		cmocka_unit_test(d01_shapes_of_one_dimension),
		cmocka_unit_test(d02_scalar_and_empty),
		cmocka_unit_test(d03_python_literals),
		cmocka_unit_test(d04_fortran_order),
		cmocka_unit_test(d05_big_endian),
		cmocka_unit_test(d06_sizes_that_lie),
		cmocka_unit_test(d07_cut_files_and_surplus),
		cmocka_unit_test(d08_other_files_by_content),
		cmocka_unit_test(d09_types_without_numbers),
		cmocka_unit_test(d10_narrow_types),
		cmocka_unit_test(d11_versions),
		cmocka_unit_test(headers_no_writer_makes),
		cmocka_unit_test(a_long_header_is_refused),
		cmocka_unit_test(eight_dimensions_are_read),
		cmocka_unit_test(all_halves_are_numpys),
		cmocka_unit_test(bf16_only_when_asked),
		cmocka_unit_test(ranges_are_elements),
		cmocka_unit_test(inexact_integers_are_told),
		cmocka_unit_test(matrices),
		cmocka_unit_test(korean_tokens),
		cmocka_unit_test(characters_of_every_length),
		cmocka_unit_test(byte_strings),
		cmocka_unit_test(text_in_fortran_order),
		cmocka_unit_test(files_are_np_saves),
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(what_cannot_be_written_fails),
		cmocka_unit_test(every_truncation_is_refused),
		cmocka_unit_test(random_damage_does_no_harm),
	};
	return cmocka_run_group_tests_name("npy", tests, NULL, NULL);
}
