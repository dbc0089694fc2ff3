/* test_safetensors.c - headers and data in place, beyond the hostile corpus (test_hostile.c). */
#include "tests/tensor_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/safetensors.h"

static void safetensors_are_used_in_place(void **state)
{
	struct file f = file_safetensors("{\"b\":{\"dtype\":\"F64\",\"shape\":[2,3],\"data_offsets\":[1,49]},"
					 "\"__metadata__\":{\"z\":\"1\",\"format\":\"pt\",\"a\":\"\"},"
					 "\"a.0\":{\"dtype\":\"BOOL\",\"shape\":[1],\"data_offsets\":[0,1]}}", NULL, 0);
	size_t header = f.size;

	(void)state;
	f.bytes = realloc(f.bytes, f.size += 49);
	assert_non_null(f.bytes);
	f.bytes[header] = 1;
	memcpy(f.bytes + header + 1, six, sizeof six);
	struct tensors t = read_as(f, "a.safetensors");
	assert_int_equal(t.n, 2);
	assert_string_equal(t.v[0].name, "b");
	assert_string_equal(t.v[1].name, "a.0");
	open_array(&t, 0);
	open_array(&t, 1);
	assert_ptr_equal(t.v[0].array.data, f.bytes + header + 1);
	assert_six(&t.v[0].array);
	assert_int_equal(t.v[1].array.kind, NPY_BOOL);
	assert_int_equal(t.metadata_n, 3);
	assert_string_equal(t.metadata[0].key, "z");
	assert_string_equal(t.metadata[1].value, "pt");
	assert_string_equal(t.metadata[2].key, "a");
	tensors_free(&t);
	free(f.bytes);
}

static void types_nobody_reads_are_named(void **state)
{
	struct file f = file_safetensors("{\"a\":{\"dtype\":\"F8_E4M3\",\"shape\":[2],\"data_offsets\":[0,2]},"
					 "\"b\":{\"dtype\":\"F4\",\"shape\":[2,2],\"data_offsets\":[2,4]},"
					 "\"c\":{\"dtype\":\"X9\",\"shape\":[1],\"data_offsets\":[4,5]},"
					 "\"d\":{\"dtype\":\"U8\",\"shape\":[1,1,1,1,1,1,1,1,1],\"data_offsets\":[5,6]},"
					 "\"e\":{\"dtype\":\"U8\",\"shape\":[1,1,1,1,1,1,1,2],\"data_offsets\":[6,8]}}", "12345678", 8);
	struct tensors t = read_as(f, "a.safetensors");

	(void)state;
	assert_not_opened(&t, 0, E_VALUE, "F8_E4M3");
	assert_not_opened(&t, 1, E_VALUE, "F4");
	assert_not_opened(&t, 2, E_VALUE, "X9 is not known");
	assert_not_opened(&t, 3, E_VALUE, "9 dimensions, expected at most 8");
	open_array(&t, 4);
	assert_true(npy_number(&t.v[4].array, 1) == '8');
	tensors_free(&t);
	free(f.bytes);
	/* Types of known width must fit their range also when they are not read. */
	assert_refused(file_safetensors("{\"a\":{\"dtype\":\"F4\",\"shape\":[2],\"data_offsets\":[0,2]}}", "12", 2),
		       "a.safetensors", E_SYNTAX, "take 1 bytes");
}

static void every_cut_safetensors_is_refused(void **state)
{
	struct file f = file_safetensors("{\"q\":{\"dtype\":\"F64\",\"shape\":[2,3],\"data_offsets\":[0,48]}}", six, sizeof six);

	(void)state;
	for (size_t n = 0; n < f.size; n++)
		assert_refused(file_of_bytes(f.bytes, n), "a.safetensors", E_SYNTAX, "cut off");
	struct tensors t = read_as(f, "a");
	open_array(&t, 0);
	assert_six(&t.v[0].array);
	tensors_free(&t);
	free(f.bytes);
}

static void damaged_headers_are_explained(void **state)
{
	static const struct { const char *header, *part; } cases[] = {
		{ "{\"q\":{\"dtype\":\"U8\",\"shape\":[-1],\"data_offsets\":[0,1]}}", "whole numbers as sizes in the shape of 'q'" },
		{ "{\"q\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,0]}}", "expected [begin, end] as data_offsets of 'q'" },
		{ "{\"q\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[-1,0]}}", "expected [begin, end]" },
		{ "{\"q\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}", "'q' ends at data byte 2, found 1" },
		{ "{\"q\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,1]}}", "take 2 bytes, its data_offsets have 1" },
		{ "{\"q\\u001b[m\":{}}", "expected dtype, shape and data_offsets of 'q?[m'" },
		{ "{\"q\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}", "take 0 data bytes, found 1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_refused(file_safetensors(cases[i].header, "1", 1), "a.safetensors", E_SYNTAX, cases[i].part);
}

/* What counts brackets and quotes beforehand must not take those of a name for real ones. */
static void names_may_hold_anything(void **state)
{
	struct file f = file_safetensors("{\"\\\"[[[[[[[[[\\\\\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", "7", 1);
	struct tensors t = read_as(f, "a.safetensors");

	(void)state;
	assert_string_equal(t.v[0].name, "\"[[[[[[[[[\\");
	tensors_free(&t);
	free(f.bytes);
}

/* `count` times `text` between two others. */
static struct file make_header(const char *before, const char *text, size_t count, const char *after)
{
	struct buffer b = { 0 };

	buffer_text(&b, before);
	for (size_t i = 0; i < count; i++)
		buffer_text(&b, text);
	buffer_text(&b, after);
	struct file f = file_safetensors(b.data, NULL, 0);
	buffer_free(&b);
	return f;
}

static void headers_have_limits(void **state)
{
	(void)state;
	assert_refused(make_header("{", "                ", SAFETENSORS_HEADER_MAX / 16, "}"), "a.safetensors", E_LIMIT,
		       "16777218 bytes long, expected at most 16777216");
	assert_refused(make_header("{\"a\":[0", ",0", SAFETENSORS_VALUES_MAX, "]}"), "a.safetensors", E_LIMIT, "524288 values");
	assert_refused(make_header("{\"a\":[0", ",\"[[,\"", 1000, "]}"), "a.safetensors", E_SYNTAX, "of 'a'");
	assert_refused(make_header("{\"a\":", "[", 9, "}"), "a.safetensors", E_SYNTAX, "nested");
	struct file f = make_header("{", "                ", SAFETENSORS_HEADER_MAX / 16 - 1, "}");
	struct tensors t = read_as(f, "a.safetensors");
	assert_int_equal(t.n, 0);
	tensors_free(&t);
	free(f.bytes);
}

/* Empty arrays only: nothing but the header. */
static void a_header_of_many_arrays_is_read(void **state)
{
	enum { N = 60000 };
	struct buffer b = { 0 };
	char name[20];

	(void)state;
	for (int i = 0; i < N; i++)
		buffer_format(&b, "%s\"w%d\":{\"dtype\":\"F32\",\"shape\":[0,1],\"data_offsets\":[0,0]}", i ? "," : "{", i);
	buffer_text(&b, "}");
	struct file f = file_safetensors(b.data, NULL, 0);
	struct tensors t = read_as(f, "a.safetensors");
	assert_int_equal(t.n, N);
	for (size_t i = 0; i < N; i += 7919) {
		snprintf(name, sizeof name, "w%zu", i);
		assert_int_equal(tensors_find(&t, name), i);
	}
	tensors_free(&t);
	free(f.bytes);
	buffer_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(safetensors_are_used_in_place),
		cmocka_unit_test(types_nobody_reads_are_named),
		cmocka_unit_test(every_cut_safetensors_is_refused),
		cmocka_unit_test(damaged_headers_are_explained),
		cmocka_unit_test(names_may_hold_anything),
		cmocka_unit_test(headers_have_limits),
		cmocka_unit_test(a_header_of_many_arrays_is_read),
	};
	return cmocka_run_group_tests_name("safetensors", tests, NULL, NULL);
}
