/* test_reports_d.c - public reports of files of arrays that are misread: area d of the
 * collection, each with its input and the right answer. tests/data/reports-d.json has
 * them, with bytes that NumPy and safetensors wrote ("fixture").
 *
 * Each is tried as a user would: `qkv show` of the file's numbers, `qkv info`. What the
 * readers make of the same files, byte by byte: test_npy, test_npz, test_safetensors,
 * test_json_tensors and test_recognise.
 *
 * Where the design decides otherwise than a report:
 *   D02, D21    one number is no grid: it is told, with its value, and not shown
 *   D07         who only looks at the numbers is not warned of surplus bytes: `info` does it
 *   D08         an .npz that is called .npy is opened
 *   D17, D19    holes, surplus bytes and NUL behind the header are refused
 *   D20         info lists what is there, so nothing at all is no error to it
 *   D22         .npy files are written as float64, which holds every bfloat16
 * What cannot be a test here:
 *   D06, D18    "in 0.1 s" and "no allocation beyond the file": nothing is timed; the
 *               program is given little memory for all of these files instead
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/limit_memory.h"
#include "tests/run.h"
#include "tests/tensor_file.h"

/* ---- files ---- */

enum { MEMORY = 128 << 20 };	/* address space of the program */

static char folder[256], path[400];
static json_t *reports;

static int open_reports(void **state)
{
	(void)state;
	snprintf(path, sizeof path, "%s/reports-d.json", surroundings("QKV_TEST_DATA"));
	reports = json_load_file(path, 0, NULL);
	make_folder(folder);
	return reports ? 0 : -1;
}

static int close_reports(void **state)
{
	(void)state;
	json_decref(reports);
	remove_folder(folder);
	return 0;
}

/* The file under that name in the folder, until the next one of that name. Frees f. */
static const char *keep(const char *name, struct file f)
{
	snprintf(path, sizeof path, "%s/%s", folder, name);
	write_file(path, f.bytes, f.size);
	free(f.bytes);
	return path;
}

/* Bytes of a report. */
static struct file fixture(const char *id, const char *key)
{
	struct buffer b = { 0 };
	const char *hex = NULL;
	json_t *r;
	size_t k;

	json_array_foreach(json_object_get(reports, "reports"), k, r)
		if (!strcmp(json_string_value(json_object_get(r, "id")), id))
			hex = json_string_value(json_object_get(json_object_get(r, "values"), key));
	if (!hex)
		fail_msg("report %s has no %s", id, key);
	for (; *hex; hex += 2) {
		unsigned byte;
		assert_int_equal(sscanf(hex, "%2x", &byte), 1);
		buffer_put(&b, &(unsigned char){ (unsigned char)byte }, 1);
	}
	return file_of_buffer(&b);
}

static struct file text_file(const char *text)
{
	return file_of_bytes(text, strlen(text));
}

/* A literal, which may hold NULs. */
#define BYTES(literal) (literal), sizeof (literal) - 1

/* ---- what is to be said ---- */

static struct run run_on(const char *command, const char *file, const char *options)
{
	char line[1000];

	snprintf(line, sizeof line, "%s '%s' %s", command, file, options);
	return run(line);
}

/* The numbers of a grid, as NumPy prints them. */
static void check_grid_of(const char *file, const char *options, const char *wanted)
{
	char all[300];

	snprintf(all, sizeof all, "--stage scores --format numpy %s", options);
	struct run r = run_on("show", file, all);
	if (r.status || r.err_size || strcmp(r.out, wanted))
		fail_msg("%s %s: status %d\n%s%sinstead of\n%s", file, options, r.status, r.err, r.out, wanted);
	run_free(&r);
}

static void check_grid(const char *file, const char *wanted)
{
	check_grid_of(file, "", wanted);
}

static const char one_to_four[] = "[[1. 2.]\n [3. 4.]]\n";

/* Exit 0, and a report with all of these words. */
static void check_info(const char *file, const char *const *words)
{
	struct run r = run_on("info", file, "");

	if (r.status || r.err_size)
		fail_msg("%s: status %d, %s", file, r.status, r.err);
	for (; *words; words++)
		if (!strstr(r.out, *words))
			fail_msg("%s: no '%s' in\n%s", file, *words, r.out);
	run_free(&r);
}
#define INFO(file, ...) check_info((file), (const char *const[]){ __VA_ARGS__, NULL })

/* Exit 2 and one line with these words, nothing else. */
static void check_error(const char *command, const char *file, const char *options, const char *words)
{
	struct run r = run_on(command, file, options);

	if (r.status != 2 || r.out_size || !r.err_size || strchr(r.err, '\n') != r.err + r.err_size - 1 || !strstr(r.err, words))
		fail_msg("%s %s: status %d\n%s%sexpected %s", command, file, r.status, r.out, r.err, words);
	run_free(&r);
}

static void check_refused(const char *file, const char *words)
{
	check_error("info", file, "", words);
	check_error("show", file, "", words);
}

/* ---- .npy ---- */

static void d01_shapes_of_one_row(void **state)
{
	static const double v[] = { 1, 2, 3, 4 };

	(void)state;
	check_grid(keep("a.npy", fixture("D01", "fixture_hex")), "[[1. 2. 3. 4.]]\n");
	check_grid(keep("a.npy", file_npy("<f8", "(1, 4)", v, sizeof v)), "[[1. 2. 3. 4.]]\n");
	check_grid(keep("a.npy", file_npy("<f8", "(4, 1)", v, sizeof v)), "[[1.]\n [2.]\n [3.]\n [4.]]\n");
	check_grid(keep("a.npy", file_npy("<f8", "(1, 1, 4)", v, sizeof v)), "[[1. 2. 3. 4.]]\n");
}

static void d02_scalar_and_empty(void **state)
{
	const char *file = keep("a.npy", fixture("D02", "fixture_hex"));

	(void)state;
	INFO(file, "f64   ()", "= 6.5", "() is one number");
	check_error("show", file, "", "() is one number");
	file = keep("a.npy", fixture("D02", "fixture2_hex"));
	INFO(file, "(0, 3) is empty");
	check_error("show", file, "", "(0, 3) is empty");
	check_error("frame", file, "", "(0, 3) is empty");
}

static void d03_python_literals(void **state)
{
	(void)state;
	check_grid(keep("a.npy", fixture("D03", "fixture_hex")), one_to_four);
	check_grid(keep("a.npy", fixture("D03", "fixture2_hex")), one_to_four);
}

static void d04_fortran_order(void **state)
{
	(void)state;
	check_grid(keep("a.npy", fixture("D04", "fixture_hex")), "[[1. 2. 3.]\n [4. 5. 6.]]\n");
}

/* np.array([[1, 2], [3, 4]]) of that type, as tobytes() has it. */
static void d05_byte_orders(void **state)
{
	(void)state;
	check_grid(keep("a.npy", fixture("D05", "fixture_hex")), one_to_four);
	check_grid(keep("a.npy", file_npy(">f4", "(2, 2)", BYTES("\x3f\x80\0\0\x40\0\0\0\x40\x40\0\0\x40\x80\0\0"))), one_to_four);
	check_grid(keep("a.npy", file_npy(">i4", "(2, 2)", BYTES("\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4"))), one_to_four);
	check_grid(keep("a.npy", file_npy(">f2", "(2, 2)", BYTES("\x3c\0\x40\0\x42\0\x44\0"))), one_to_four);
	check_grid(keep("a.npy", file_npy("|i1", "(2, 2)", BYTES("\1\2\3\4"))), one_to_four);
	check_grid_of(keep("a.npy", file_npy("|b1", "(2, 2)", BYTES("\1\0\0\1"))), "--as scores", "[[1. 0.]\n [0. 1.]]\n");
}

static void d06_sizes_that_lie(void **state)
{
	static const double v[2] = { 0 };

	(void)state;
	check_refused(keep("a.npy", fixture("D06", "fixture_hex")), "header is cut off: expected 4294967040 bytes, found 0");
	check_refused(keep("a.npy", fixture("D06", "fixture2_hex")), "announces more bytes than an array can have, found 16");
	check_refused(keep("a.npy", file_npy("<f4", "(-1, 4)", v, sizeof v)), "not negative");
	check_refused(keep("a.npy", file_npy("<f4", "(99999999999999999999, 1)", v, sizeof v)), "larger than any array");
}

static void d07_cut_files_and_surplus(void **state)
{
	struct file six_numbers = file_of_six();

	(void)state;
	check_refused(keep("a.npy", fixture("D07", "fixture_hex")), "expected 48 data bytes, found 40");
	const char *file = keep("a.npy", fixture("D07", "fixture2_hex"));
	check_grid(file, one_to_four);
	INFO(file, "8 bytes behind the array are ignored");
	check_refused(keep("a.npy", text_file("")), "the file is empty");
	check_refused(keep("a.npy", file_of_bytes(six_numbers.bytes, 60)), "header is cut off");
	free(six_numbers.bytes);
}

static void d08_other_files_by_content(void **state)
{
	struct file zeroed = file_of_six();
	struct archive a = { 0 };

	(void)state;
	memset(zeroed.bytes, 0, 10);
	check_refused(keep("a.npy", zeroed), "not a .npy file");
	check_refused(keep("a.npy", text_file("1,2\n3,4\n")), "not a .npy file");
	add_member(&a, "scores.npy", 0, file_npy("|u1", "(2, 2)", BYTES("\1\2\3\4")));
	check_grid(keep("a.npy", end_archive(&a)), one_to_four);
}

/* The pickle would make a file. */
static void d09_types_without_numbers(void **state)
{
	struct buffer structured = { 0 };
	char pickle[600], made[300];
	struct archive a = { 0 };

	(void)state;
	snprintf(made, sizeof made, "%s/made", folder);
	snprintf(pickle, sizeof pickle, "cos\nsystem\n(S'touch %s'\ntR.", made);
	check_refused(keep("a.npy", file_npy("|O", "(1,)", pickle, strlen(pickle))), "'|O' holds Python objects");
	check_refused(keep("a.npz", text_file(pickle)), "a.npz");
	assert_int_not_equal(access(made, F_OK), 0);
	check_refused(keep("a.npy", file_npy("<c8", "(1,)", BYTES("\0\0\0\0\0\0\0\0"))), "'<c8' is complex");
	check_refused(keep("a.npy", file_npy("<M8[ns]", "(1,)", BYTES("\0\0\0\0\0\0\0\0"))), "'<M8[ns]' holds dates");
	buffer_put(&structured, BYTES("\x93NUMPY\1\0\x76\0"));
	buffer_format(&structured, "%-117s\n", "{'descr': [('id', '<i4'), ('w', '<f8')], 'fortran_order': False, 'shape': (1,), }");
	buffer_put(&structured, BYTES("\0\0\0\0\0\0\0\0\0\0\0\0"));
	check_refused(keep("a.npy", file_of_buffer(&structured)), "a structured type is not read here");
	add_member(&a, "scores.npy", 0, file_npy("|u1", "(2, 2)", BYTES("\1\2\3\4")));
	add_member(&a, "tokens.npy", 8, file_npy("<U3", "(2,)", BYTES("t\0\0\0h\0\0\0e\0\0\0c\0\0\0a\0\0\0t\0\0\0")));
	INFO(keep("a.npz", end_archive(&a)), "2 tokens: |the|cat|");
}

static void d10_narrow_types(void **state)
{
	static const int64_t wide[] = { 1, ((int64_t)1 << 53) + 1, 3, 4 };

	(void)state;
	check_grid_of(keep("a.npy", fixture("D10", "fixture_hex")), "--as scores", "[[1. 0.]\n [1. 1.]]\n");
	check_grid(keep("a.npy", fixture("D10", "fixture2_hex")),
		   "[[ 1.50000000e+00 -2.00000000e+00]\n [ 6.55040000e+04  5.96046448e-08]]\n");
	check_grid(keep("a.npy", file_npy("<i8", "(2, 2)", (const int64_t[]){ 1, 2, 3, 4 }, 32)), one_to_four);
	check_grid(keep("a.npy", file_npy("|u1", "(1, 2)", BYTES("\0\xff"))), "[[  0. 255.]]\n");
	INFO(keep("a.npy", file_npy("<i8", "(2, 2)", wide, sizeof wide)), "integers beyond 2^53 are rounded");
	check_refused(keep("a.npy", file_npy("<q9", "(1,)", wide, sizeof wide)), "'<q9' is not known");
}

static void d11_versions(void **state)
{
	struct file odd = file_of_six();

	(void)state;
	check_grid(keep("a.npy", file_npy("<f8", "(2, 2)", (const double[]){ 1, 2, 3, 4 }, 32)), one_to_four);
	check_grid(keep("a.npy", fixture("D11", "fixture_hex")), one_to_four);
	check_grid(keep("a.npy", fixture("D11", "fixture2_hex")), one_to_four);
	check_grid(keep("a.npy", fixture("D11", "fixture3_hex")), one_to_four);
	odd.bytes[6] = 9;
	check_refused(keep("a.npy", odd), ".npy version 9.0 is not known");
}

/* Of a damaged member the checksum tells: the last 4.0 is made another number. */
static void d12_members(void **state)
{
	struct file damaged = fixture("D12", "fixture_hex");
	const char *file = keep("a.npz", fixture("D12", "fixture_hex"));
	struct archive a = { 0 };
	size_t at = damaged.size - 2;

	(void)state;
	check_grid(file, one_to_four);
	check_grid_of(file, "--as scores=first", "[[1. 0.]\n [0. 1.]]\n");
	check_error("show", file, "--as scores=nope", "no array is named 'nope'; the file has first, scores");
	INFO(file, "2 arrays");
	while (memcmp(damaged.bytes + at, "\x10\x40", 2))
		at--;
	damaged.bytes[at]++;
	check_error("info", keep("a.npz", damaged), "", "'scores': ");
	for (int i = 0; i < 2; i++)
		add_member(&a, i ? "two.npy" : "one.npy", 0, file_npy("|u1", "(2, 2)", BYTES("\1\2\3\4")));
	check_error("show", keep("a.npz", end_archive(&a)), "", "one (2, 2), two (2, 2)");
}

/* ---- .safetensors ---- */

static const char *keep_tensors(const char *header)
{
	return keep("a.safetensors", file_safetensors(header, BYTES("\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40")));
}

static void d16_offsets(void **state)
{
	static const char *const offsets[] = { "[0]", "[0,8,16]", "[-16,0]", "[0,1.5]" };
	char header[200];

	(void)state;
	check_refused(keep("a.safetensors", fixture("D16", "fixture_hex")), "'t' take 1600000 bytes, its data_offsets have 8");
	check_refused(keep("a.safetensors", fixture("D16", "fixture2_hex")), "[begin, end] as data_offsets of 't'");
	check_refused(keep("a.safetensors", fixture("D16", "fixture3_hex")), "'t' ends at data byte 32, found 16");
	for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
		snprintf(header, sizeof header, "{\"t\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":%s}}", offsets[i]);
		check_refused(keep_tensors(header), "[begin, end] as data_offsets of 't'");
	}
}

static void d17_overlap_and_holes(void **state)
{
	(void)state;
	check_refused(keep("a.safetensors", fixture("D17", "fixture_hex")), "an array begins at data byte 8, expected 16");
	const char *file = keep("a.safetensors", fixture("D17", "fixture2_hex"));
	check_grid_of(file, "--as scores=a", one_to_four);
	check_grid_of(file, "--as scores=b", one_to_four);
	check_refused(keep("a.safetensors", fixture("D17", "fixture3_hex")), "an array begins at data byte 4, expected 0");
	check_refused(keep("a.safetensors", file_safetensors("{\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
							     BYTES("\0\0\0\0\0\0\0\0"))), "a.safetensors");
}

static void d18_headers(void **state)
{
	static char nested[100001];

	(void)state;
	check_refused(keep("a.safetensors", fixture("D18", "fixture_hex")), "expected 18446744073709551615 bytes of header, found 2");
	check_refused(keep("a.safetensors", file_of_bytes(BYTES("\xe8\3\0\0\0\0\0\0{}"))), "expected 1000 bytes of header, found 2");
	check_refused(keep_tensors(""), "a.safetensors");
	check_refused(keep_tensors("[1,2]"), "a.safetensors");
	check_refused(keep_tensors("{\"t\":{\"dtype\":\"F32\",\"sha"), "damaged header");
	memset(nested, '[', sizeof nested - 1);
	check_refused(keep_tensors(nested), "a.safetensors");
	check_refused(keep_tensors("{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]},"
				   "\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}"), "duplicate");
}

static void d19_padding_of_the_header(void **state)
{
	(void)state;
	check_grid(keep("a.safetensors", fixture("D19", "fixture_hex")), one_to_four);
	check_refused(keep("a.safetensors", fixture("D19", "fixture2_hex")), "damaged header");
}

static void d20_metadata(void **state)
{
	const char *file = keep("a.safetensors", fixture("D20", "fixture_hex"));

	(void)state;
	check_grid(file, one_to_four);
	INFO(file, "1 array\n");
	file = keep("a.safetensors", fixture("D20", "fixture2_hex"));
	INFO(file, "0 arrays", "no arrays are in it");
	check_error("show", file, "", "no arrays are in it");
	check_error("verify", file, "", "no arrays are in it");
}

static void d21_empty_and_scalar(void **state)
{
	const char *file = keep("a.safetensors", fixture("D21", "fixture_hex"));

	(void)state;
	INFO(file, "(0, 3)", "is empty", "= 7; is one number");
	check_error("show", file, "--as scores=e", "'e' (0, 3) is empty and cannot be scores");
	check_refused(keep_tensors("{\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,0]}}"),
		      "'t' take 4 bytes, its data_offsets have 0");
}

static void d22_bfloat16(void **state)
{
	const char *file = keep("a.safetensors", fixture("D22", "fixture_hex"));

	(void)state;
	INFO(file, "bf16  (2, 3)");
	check_grid(file, "[[ 1.50000000e+00 -2.00000000e+00            -inf]\n"
			 " [ 3.33984375e-01             nan  9.18354962e-41]]\n");
}

/* ---- the whole ---- */

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(d01_shapes_of_one_row),
	cmocka_unit_test(d02_scalar_and_empty),
	cmocka_unit_test(d03_python_literals),
	cmocka_unit_test(d04_fortran_order),
	cmocka_unit_test(d05_byte_orders),
	cmocka_unit_test(d06_sizes_that_lie),
	cmocka_unit_test(d07_cut_files_and_surplus),
	cmocka_unit_test(d08_other_files_by_content),
	cmocka_unit_test(d09_types_without_numbers),
	cmocka_unit_test(d10_narrow_types),
	cmocka_unit_test(d11_versions),
	cmocka_unit_test(d12_members),
	cmocka_unit_test(d16_offsets),
	cmocka_unit_test(d17_overlap_and_holes),
	cmocka_unit_test(d18_headers),
	cmocka_unit_test(d19_padding_of_the_header),
	cmocka_unit_test(d20_metadata),
	cmocka_unit_test(d21_empty_and_scalar),
	cmocka_unit_test(d22_bfloat16),
};

/* Every report of the file has the test that is named after it. */
static int check_all_are_here(void)
{
	json_t *r;
	size_t k, found = 0;

	json_array_foreach(json_object_get(reports, "reports"), k, r) {
		const char *id = json_string_value(json_object_get(r, "id"));
		for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
			found += tests[i].name[0] == 'd' && !strncmp(tests[i].name + 1, id + 1, 2);
	}
	return k && k == found && found == sizeof tests / sizeof *tests ? 0 : -1;
}

static int begin(void **state)
{
	return open_reports(state) || check_all_are_here();
}

int main(void)
{
	limit_memory(MEMORY);
	return cmocka_run_group_tests_name("reports-d", tests, begin, close_reports);
}
