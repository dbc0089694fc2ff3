/* test_npz.c - archives of arrays, beyond the hostile corpus (test_hostile.c).
 *
 * Archives are made byte by byte (archive.c), so values are known beforehand.
 */
#include "tests/tensor_file.h"

#include <stdlib.h>
#include <string.h>

#include "core/io/libzip.h"
#include "core/io/npz.h"
#include "tests/limit_memory.h"

/* ---- members ---- */

static void stored_members_are_used_in_place(void **state)
{
	struct archive a = { 0 };

	(void)state;
	add_member(&a, "q.npy", 0, file_of_six());
	add_member(&a, "w/k.npy", 0, file_of_six());
	struct file f = end_archive(&a);
	struct tensors t = read_as(f, "a.npz");
	assert_int_equal(t.format, FORMAT_NPZ);
	assert_int_equal(t.n, 2);
	assert_string_equal(t.v[1].name, "w/k");
	open_array(&t, 1);
	open_array(&t, 0);
	/* 30 bytes of local header, the name, 128 of .npy before the data. */
	assert_ptr_equal(t.v[0].array.data, f.bytes + 30 + 5 + 128);
	assert_ptr_equal(t.v[1].array.data, f.bytes + 30 + 5 + 176 + 30 + 7 + 128);
	assert_six(&t.v[1].array);
	assert_null(t.v[0].owned);
	assert_int_equal(t.opened, 0);
	assert_int_equal(tensors_find(&t, "w/k"), 1);
	assert_int_equal(tensors_find(&t, "k"), 2);
	tensors_close(&t, 1);
	assert_null(t.v[1].array.data);
	tensors_free(&t);
	free(f.bytes);
}

/* 100,000 numbers: several of what is unpacked at once. */
static void deflated_members_are_unpacked(void **state)
{
	enum { N = 100000 };
	double *many = malloc(N * sizeof *many);
	struct archive a = { 0 };

	(void)state;
	assert_non_null(many);
	for (size_t i = 0; i < N; i++)
		many[i] = (double)i / 8;
	add_member(&a, "q.npy", 8, file_of_six());
	add_member(&a, "k.npy", 8, file_npy("<f8", "(100000,)", many, N * sizeof *many));
	struct file f = end_archive(&a);
	struct tensors t = read_as(f, "a.npz");
	for (int round = 0; round < 2; round++) {
		open_array(&t, 1);
		assert_int_equal(t.opened, N * sizeof *many);
		assert_memory_equal(t.v[1].array.data, many, N * sizeof *many);
		open_array(&t, 0);
		open_array(&t, 0);
		assert_int_equal(t.opened, N * sizeof *many + sizeof six);
		assert_six(&t.v[0].array);
		tensors_close(&t, 1);
		assert_int_equal(t.opened, sizeof six);
		tensors_close(&t, 0);
		assert_int_equal(t.opened, 0);
	}
	tensors_free(&t);
	free(f.bytes);
	free(many);
}

static void one_member_does_not_hide_others(void **state)
{
	struct archive a = { 0 };

	(void)state;
	add_member(&a, "objects.npy", 0, file_npy("|O", "(1,)", "\x80\2.", 3));
	add_member(&a, "readme.txt", 0, file_of_bytes("text", 4));
	add_member(&a, "odd.npy", 12, file_of_six());
	archive_add(&a, (struct member){ .name = "secret.npy", .flags = 1, .data = six, .size = sizeof six });
	add_member(&a, "damaged.npy", 8, file_of_bytes("no array", 8));
	add_member(&a, "q.npy", 0, file_of_six());
	struct file f = end_archive(&a);
	struct tensors t = read_as(f, "a.npz");
	assert_int_equal(t.n, 5);
	assert_not_opened(&t, 0, E_VALUE, "'|O' holds Python objects");
	assert_not_opened(&t, 1, E_VALUE, "method 12");
	assert_not_opened(&t, 2, E_VALUE, "encrypted");
	assert_not_opened(&t, 3, E_VALUE, "not a .npy file");
	assert_int_equal(t.v[3].array.count, 0);
	assert_string_equal(t.v[4].refused, "");
	open_array(&t, 4);
	assert_six(&t.v[4].array);
	tensors_free(&t);
	free(f.bytes);
}

static void bf16_only_when_asked(void **state)
{
	struct archive a = { 0 };
	struct tensors t = { 0 };
	struct error e = { 0 };

	(void)state;
	add_member(&a, "q.npy", 0, file_npy("|V2", "(2,)", "\xc0\x3f\x00\xc0", 4));
	struct file f = end_archive(&a);
	t = read_as(f, "a.npz");
	assert_contains(t.v[0].refused, "bfloat16");
	tensors_free(&t);
	assert_int_equal(tensors_read(&t, f.bytes, f.size, "a.npz", &(struct tensors_options){ .v2_is_bf16 = true }, &e), 0);
	open_array(&t, 0);
	assert_int_equal(t.v[0].array.kind, NPY_BF16);
	assert_true(npy_number(&t.v[0].array, 0) == 1.5 && npy_number(&t.v[0].array, 1) == -2);
	tensors_free(&t);
	free(f.bytes);
}

/* 0x81 is u with diaeresis in code page 437. */
static void names_are_utf8(void **state)
{
	struct archive a = { 0 };

	(void)state;
	add_member(&a, "\xed\x95\x9c.npy", 0, file_of_six());
	add_member(&a, "\x81.npy", 0, file_of_six());
	add_member(&a, ".npy", 0, file_of_six());
	struct file f = end_archive(&a);
	struct tensors t = read_as(f, "a.npz");
	assert_string_equal(t.v[0].name, "한");
	assert_string_equal(t.v[1].name, "ü");
	assert_string_equal(t.v[2].name, "");
	tensors_free(&t);
	free(f.bytes);
}

static void texts_are_read_element_by_element(void **state)
{
	struct archive a = { 0 };
	struct buffer out = { 0 };

	(void)state;
	add_member(&a, "tokens.npy", 8, file_npy("|S3", "(2,)", "a\0\0abc", 6));
	struct file f = end_archive(&a);
	struct tensors t = read_as(f, "a.npz");
	open_array(&t, 0);
	tensor_text(&t.v[0], 1, &out);
	tensor_text(&t.v[0], 0, &out);
	tensor_text(&t.v[0], 2, &out);
	assert_string_equal(out.data, "abca");
	buffer_free(&out);
	tensors_free(&t);
	free(f.bytes);
}

static void archives_that_make_no_sense(void **state)
{
	struct archive a = { 0 };

	(void)state;
	add_member(&a, "q.npy", 0, file_of_six());
	add_member(&a, "q.npy", 0, file_of_six());
	assert_refused(end_archive(&a), "a.npz", E_SYNTAX, "two members of the archive are called 'q.npy'");
	a = (struct archive){ 0 };
	add_member(&a, "readme.txt", 0, file_of_bytes("text", 4));
	assert_refused(end_archive(&a), "a.npz", E_VALUE, "expected members that end in .npy");
	a = (struct archive){ 0 };
	struct file f = end_archive(&a);
	struct tensors t = read_as(f, "a.npz");
	assert_int_equal(t.n, 0);
	tensors_free(&t);
	free(f.bytes);
}

/* The smallest archive is the whole one, and every data byte counts. */
static void every_damage_to_an_archive_is_seen(void **state)
{
	struct archive a = { 0 };

	(void)state;
	add_member(&a, "q.npy", 0, file_of_six());
	add_member(&a, "k.npy", 8, file_of_six());
	struct file f = end_archive(&a);
	for (size_t n = 0; n < f.size; n++)
		assert_refused(file_of_bytes(f.bytes, n), "a.npz", E_SYNTAX, "cut off");
	for (size_t i = 0; i < 2 * sizeof six; i++) {
		bool packed = i >= sizeof six;
		size_t at = 35 + 128 + (packed ? 176 + 35 + 5 : 0) + i % sizeof six;
		f.bytes[at] ^= 0x10;
		struct tensors t = read_as(f, "a.npz");
		assert_not_opened(&t, packed, E_SYNTAX, "CRC");
		open_array(&t, !packed);
		tensors_free(&t);
		f.bytes[at] ^= 0x10;
	}
	free(f.bytes);
}

static void archives_of_too_many_members(void **state)
{
	struct archive a = { 0 };

	(void)state;
	for (size_t i = 0; i <= NPZ_MEMBERS_MAX; i++)
		archive_add(&a, (struct member){ .name = "q.npy", .data = "", .size = 0 });
	assert_refused(end_archive(&a), "a.npz", E_LIMIT, "65537 members, expected at most 65536");
}

/* ---- what is announced ---- */

/* A deflated member that announces that many bytes and has 48. */
static struct file make_announcement(const char *shape, uint64_t bytes)
{
	struct archive a = { 0 };
	struct file f = file_npy("<f8", shape, six, sizeof six);

	archive_add(&a, (struct member){ .name = "q.npy", .method = 8, .data = f.bytes, .size = f.size,
					 .announced = 128 + bytes });
	free(f.bytes);
	return end_archive(&a);
}

static enum status open_in_little_memory(struct file f)
{
	struct tensors t = { 0 };
	struct error e = { 0 };

	limit_memory(256 << 20);
	enum status s = tensors_read(&t, f.bytes, f.size, "a.npz", NULL, &e);
	if (!s)
		s = tensors_open(&t, 0, &e);
	tensors_free(&t);
	limit_memory(0);
	return s;
}

/* 3 GiB are within the limit: they are asked for as bytes arrive, so never. 5 GiB need ZIP64. */
static void memory_grows_as_bytes_arrive(void **state)
{
	struct file within = make_announcement("(402653184,)", UINT64_C(3) << 30);
	struct file beyond = make_announcement("(671088640,)", UINT64_C(5) << 30);

	(void)state;
	assert_int_equal(open_in_little_memory(within), E_SYNTAX);
	assert_int_equal(open_in_little_memory(beyond), E_LIMIT);
	struct tensors t = read_as(beyond, "a.npz");
	assert_int_equal(t.v[0].array.count, 671088640);
	tensors_free(&t);
	free(within.bytes);
	free(beyond.bytes);
}

/* 1 MiB where 176 bytes are announced: reading stops soon, whatever the CRC is. */
static void members_end_where_they_should(void **state)
{
	enum { N = 1 << 20 };
	struct file f = file_of_six();
	struct archive a = { 0 };

	(void)state;
	f.bytes = realloc(f.bytes, N);
	assert_non_null(f.bytes);
	memset(f.bytes + f.size, 0, N - f.size);
	archive_add(&a, (struct member){ .name = "q.npy", .method = 8, .data = f.bytes, .size = N, .announced = f.size });
	free(f.bytes);
	f = end_archive(&a);
	struct tensors t = read_as(f, "a.npz");
	assert_not_opened(&t, 0, E_SYNTAX, "more than the 176 bytes it announces");
	tensors_free(&t);
	free(f.bytes);
}

static void opened_arrays_share_a_limit(void **state)
{
	struct archive a = { 0 };

	(void)state;
	add_member(&a, "q.npy", 8, file_of_six());
	add_member(&a, "k.npy", 0, file_of_six());
	struct file f = end_archive(&a);
	struct tensors t = read_as(f, "a.npz");
	t.opened = TENSORS_LIMIT - sizeof six + 1;
	assert_not_opened(&t, 0, E_LIMIT, "48 bytes");
	open_array(&t, 1);
	t.opened--;
	open_array(&t, 0);
	assert_int_equal(t.opened, TENSORS_LIMIT);
	tensors_free(&t);
	free(f.bytes);
}

/* ---- libzip ---- */

static void assert_no_library(const char *name, const char *part)
{
	struct libzip table = { 0 };
	struct error e = { 0 };

	assert_int_equal(libzip_load_from(name, &table, &e), E_FILE);
	assert_non_null(strstr(e.text, "libzip, which .npz files are read and written with, cannot be loaded"));
	assert_non_null(strstr(e.text, part));
	assert_null(table.close);
}

/* One that is not there, and one that is another. */
static void without_libzip_is_told(void **state)
{
	(void)state;
	assert_no_library("libzip-that-nobody-has.so.99", "libzip-that-nobody-has.so.99");
	assert_no_library("libcmocka.so.0", "zip_");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_libzip_is_told),
		cmocka_unit_test(stored_members_are_used_in_place),
		cmocka_unit_test(deflated_members_are_unpacked),
		cmocka_unit_test(one_member_does_not_hide_others),
		cmocka_unit_test(bf16_only_when_asked),
		cmocka_unit_test(names_are_utf8),
		cmocka_unit_test(texts_are_read_element_by_element),
		cmocka_unit_test(archives_that_make_no_sense),
		cmocka_unit_test(every_damage_to_an_archive_is_seen),
		cmocka_unit_test(archives_of_too_many_members),
		cmocka_unit_test(memory_grows_as_bytes_arrive),
		cmocka_unit_test(members_end_where_they_should),
		cmocka_unit_test(opened_arrays_share_a_limit),
	};
	return cmocka_run_group_tests_name("npz", tests, NULL, NULL);
}
