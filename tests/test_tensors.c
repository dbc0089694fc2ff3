/* test_tensors.c - the container of arrays: which format, opening, large files, short
 * memory. Each format has a test of its own.
 */
#include "tests/tensor_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/alloc.h"

/* ---- which format ---- */

static void bytes_and_names_tell_the_format(void **state)
{
	static const struct { const char *bytes; size_t size; const char *name; int format; } cases[] = {
		{ "\x93NUMPY\1\0", 8, "x.json", FORMAT_NPY },
		{ "PK\3\4", 4, "x.npy", FORMAT_NPZ },
		{ "PK\5\6", 4, NULL, FORMAT_NPZ },
		{ "\2\0\0\0\0\0\0\0{}", 10, "x", FORMAT_SAFETENSORS },
		{ "\3\0\0\0\0\0\0\0{}", 10, "x", -1 },		/* a header longer than the file */
		{ "\2\0\0\0\0\0\0\0{}", 10, "x.csv", FORMAT_SAFETENSORS },
		{ "\x80\2}q", 4, "x", FORMAT_NPY },
		{ "", 0, "x.npy", FORMAT_NPY },
		{ "", 0, "a.b/X.NPZ", FORMAT_NPZ },
		{ "1,2", 3, "x.csv", FORMAT_CSV },
		{ "1\t2", 3, "x.TSV", FORMAT_CSV },
		{ "1,2", 3, "x.npy.txt", FORMAT_CSV },
		{ "# head\n\n 1e-3 2\n", 17, NULL, FORMAT_CSV },
		{ "1", 1, "x", FORMAT_CSV },
		{ "1 x", 3, "x", -1 },
		{ "1,2", 3, "x.yaml", -1 },
		{ "# 1 2\nqkv: 1\n", 13, "x.txt", -1 },
		{ "{\"qkv\": 1}", 10, "x.json", FORMAT_JSON },
		{ " [1]", 4, "-", FORMAT_JSON },
		{ "[1]", 3, "x.yaml", -1 },
		{ "[1]", 3, NULL, FORMAT_JSON },
		{ "\xef\xbb\xbf[1]", 6, "x", FORMAT_JSON },
		{ "{\"q\": 1}", 8, "x", FORMAT_JSON },
		{ "{ \"qkv\": 1}", 11, "x", -1 },
		{ "{qkv: 1}", 8, "x", -1 },
		{ "qkv: 1\n", 7, "x", -1 },
		{ "{", 1, "x", -1 },
		{ "", 0, "npy", -1 },
		{ "", 0, "", -1 },
		{ "x", 1, "model.pt", FORMAT_NPZ },
		{ "x", 1, "model.pkl", FORMAT_NPY },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		enum tensor_format format = FORMAT_COUNT;
		struct file f = file_of_bytes(cases[i].bytes, cases[i].size);
		bool found = tensors_recognise(f.bytes, f.size, cases[i].name, &format);
		if (found != (cases[i].format >= 0) || (found && (int)format != cases[i].format))
			fail_msg("case %zu: format %d is not %d", i, found ? (int)format : -1, cases[i].format);
		free(f.bytes);
	}
}

static void formats_have_names(void **state)
{
	(void)state;
	assert_string_equal(tensor_format_name(FORMAT_NPY), ".npy");
	assert_string_equal(tensor_format_name(FORMAT_NPZ), ".npz");
	assert_string_equal(tensor_format_name(FORMAT_SAFETENSORS), ".safetensors");
	assert_string_equal(tensor_format_name(FORMAT_CSV), "CSV");
	assert_string_equal(tensor_format_name(FORMAT_JSON), "JSON");
}

static void other_files_are_refused(void **state)
{
	(void)state;
	assert_refused(file_of_bytes("q: 1\n", 5), "x.yaml", E_VALUE, "expected .npy, .npz, .safetensors, CSV or JSON");
	assert_refused(file_of_bytes("", 0), "x", E_VALUE, "expected .npy");
}

static void pickles_are_refused_with_a_way_out(void **state)
{
	static const char weights[] = "\x80\2}q\0.";
	struct archive a = { 0 };

	(void)state;
	assert_refused(file_of_bytes(weights, 6), "model.pt", E_VALUE, "save_file(");
	assert_refused(file_of_bytes(weights, 6), "x.npy", E_VALUE, "from safetensors.torch import save_file");
	assert_refused(file_of_bytes(weights, 6), "-", E_VALUE, "save_file(");
	assert_refused(file_of_bytes("(dp0\n.", 6), "old.pkl", E_VALUE, "save_file(");
	add_member(&a, "archive/data.pkl", 0, file_of_bytes(weights, 6));
	add_member(&a, "archive/data/0", 0, file_of_bytes(six, sizeof six));
	assert_refused(end_archive(&a), "model.npz", E_VALUE, "save_file(");
	/* What only is called so is read. */
	struct file f = file_of_six();
	struct tensors t = read_as(f, "model.pt");
	assert_int_equal(t.format, FORMAT_NPY);
	tensors_free(&t);
	free(f.bytes);
}

/* ---- opening ---- */

static void npy_is_one_array_without_a_name(void **state)
{
	struct file f = file_of_six();
	struct tensors t = read_as(f, "a.npy");

	(void)state;
	assert_int_equal(t.format, FORMAT_NPY);
	assert_int_equal(t.n, 1);
	assert_string_equal(t.v[0].name, "");
	assert_int_equal(t.v[0].array.rank, 2);
	assert_null(t.v[0].array.data);
	open_array(&t, 0);
	assert_ptr_equal(t.v[0].array.data, f.bytes + 128);
	assert_six(&t.v[0].array);
	open_array(&t, 0);
	tensors_close(&t, 0);
	assert_null(t.v[0].array.data);
	assert_int_equal(t.v[0].array.count, 6);
	assert_string_equal(t.note, "");
	tensors_free(&t);
	free(f.bytes);
}

static void surplus_bytes_are_told(void **state)
{
	struct file f = file_npy("|u1", "(2,)", "12345", 5);
	struct archive a = { 0 };
	struct tensors t = read_as(f, "a.npy");

	(void)state;
	assert_contains(t.note, "3 bytes");
	tensors_free(&t);
	add_member(&a, "q.npy", 8, f);
	f = end_archive(&a);
	t = read_as(f, "a.npz");
	assert_contains(t.note, "3 bytes");
	assert_contains(t.note, "q.npy");
	open_array(&t, 0);
	assert_true(npy_number(&t.v[0].array, 1) == '2');
	assert_int_equal(t.opened, 2);
	tensors_free(&t);
	free(f.bytes);
}

/* ---- large files ---- */

/* A file of 1 GiB behind its header, of which every byte kills who looks at it. */
static void only_headers_are_touched(void **state)
{
	enum { HEAD = 1 << 16 };
	size_t data = (size_t)1 << 30, all = data + HEAD;
	static const char safetensors[] = "{\"q\":{\"dtype\":\"U8\",\"shape\":[1073741824],\"data_offsets\":[0,1073741824]}}";
	unsigned char *p = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	(void)state;
	assert_true(p != MAP_FAILED);
	assert_int_equal(mprotect(p, HEAD, PROT_READ | PROT_WRITE), 0);
	for (int npy = 0; npy < 2; npy++) {
		struct file f = npy ? file_npy("|u1", "(1073741824,)", NULL, 0) : file_safetensors(safetensors, NULL, 0);
		unsigned char *start = p + HEAD - f.size;
		memcpy(start, f.bytes, f.size);
		struct file large = { start, data + f.size };
		struct tensors t = read_as(large, npy ? "a.npy" : "a.safetensors");
		open_array(&t, 0);
		assert_int_equal(t.v[0].array.count, data);
		assert_ptr_equal(t.v[0].array.data, p + HEAD);
		tensors_free(&t);
		free(f.bytes);
	}
	munmap(p, all);
}

/* ---- short memory ---- */

/* Fails each allocation once; whether the file could be read and opened at last. */
static void fail_everywhere(struct file f, const char *name)
{
	for (size_t n = 1;; n++) {
		struct tensors t = { 0 }, before = t;
		struct error e = { 0 };
		alloc_fail(n);
		enum status s = tensors_read(&t, f.bytes, f.size, name, NULL, &e);
		if (s)
			assert_memory_equal(&t, &before, sizeof t);
		for (size_t i = 0; !s && i < t.n; i++)
			s = tensors_open(&t, i, &e);
		bool reached = alloc_count() >= n;
		alloc_fail(0);
		if (reached) {
			assert_int_equal(s, E_MEMORY);
			assert_contains(e.text, "no memory");
		}
		tensors_free(&t);
		if (!reached) {
			assert_int_equal(s, OK_STATUS);
			assert_true(n > 2);
			return;
		}
	}
}

static void short_memory_is_told(void **state)
{
	struct archive a = { 0 };
	struct file f = file_of_six();

	(void)state;
	fail_everywhere(f, "a.npy");
	free(f.bytes);
	add_member(&a, "q.npy", 8, file_of_six());
	add_member(&a, "k.npy", 8, file_of_six());
	add_member(&a, "v.npy", 0, file_of_six());
	f = end_archive(&a);
	fail_everywhere(f, "a.npz");
	free(f.bytes);
	f = file_safetensors("{\"__metadata__\":{\"a\":\"b\",\"c\":\"d\"},"
			     "\"q\":{\"dtype\":\"F64\",\"shape\":[2,3],\"data_offsets\":[0,48]},"
			     "\"k\":{\"dtype\":\"F64\",\"shape\":[0],\"data_offsets\":[48,48]}}", six, sizeof six);
	fail_everywhere(f, "a.safetensors");
	free(f.bytes);
}

/* ---- for the readers ---- */

static void reasons_are_one_line_of_text(void **state)
{
	struct tensor t = { 0 };
	char text[400] = "";

	(void)state;
	for (size_t i = 0; i < 120; i++)
		strcat(text, "한");
	for (const char *before = "xyz"; *before; before++) {
		tensor_refuse(&t, "%s%s", before, text);
		size_t n = strlen(t.refused), characters = n - strlen(before);
		assert_true(n > sizeof t.refused - 4 && n < sizeof t.refused);
		assert_int_equal(characters % 3, 0);
	}
	tensor_refuse(&t, "%s", "short");
	assert_string_equal(t.refused, "short");
	tensor_refuse(&t, "a%cb\xff%c", 27, '\n');
	assert_string_equal(t.refused, "a?b??");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_and_names_tell_the_format),
		cmocka_unit_test(formats_have_names),
		cmocka_unit_test(other_files_are_refused),
		cmocka_unit_test(pickles_are_refused_with_a_way_out),
		cmocka_unit_test(npy_is_one_array_without_a_name),
		cmocka_unit_test(surplus_bytes_are_told),
		cmocka_unit_test(only_headers_are_touched),
		cmocka_unit_test(short_memory_is_told),
		cmocka_unit_test(reasons_are_one_line_of_text),
	};
	return cmocka_run_group_tests_name("tensors", tests, NULL, NULL);
}
