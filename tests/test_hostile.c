/* test_hostile.c - every file of the hostile corpus gets its verdict.
 *
 * Verdicts and values come from the script that made the files (data/hostile),
 * so from NumPy. Everything runs in little memory, and each file in little time.
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
#include <time.h>

#include "core/io/tensors.h"
#include "tests/limit_memory.h"

enum {
	FILES = 226,
	SECONDS = 10,			/* of processor time for one file, also on a slow machine with sanitizers */
	MEMORY = 256 << 20,		/* address space for all of this program */
};

/* Of exactly the right size, so that a sanitizer sees the first byte too far. */
struct file { unsigned char *bytes; size_t size; };

static void data_path(char *path, size_t size, const char *name)
{
	const char *root = getenv("QKV_TEST_DATA");
	size_t n = strlen(name);
	bool npy = n > 4 && !strcmp(name + n - 4, ".npy");

	snprintf(path, size, "%s/%s/%s", root ? root : "tests/data", npy ? "npy/hostile" : "hostile", name);
}

static struct file read_file(const char *name)
{
	static unsigned char room[1 << 18];
	char path[4096];
	struct file f = { 0 };

	data_path(path, sizeof path, name);
	FILE *stream = fopen(path, "rb");
	if (!stream)
		fail_msg("cannot open %s", path);
	f.size = fread(room, 1, sizeof room, stream);
	fclose(stream);
	assert_true(f.size < sizeof room);
	f.bytes = malloc(f.size + !f.size);
	assert_non_null(f.bytes);
	memcpy(f.bytes, room, f.size);
	return f;
}

/* ---- values ---- */

static double number_of(const json_t *j)
{
	if (json_is_number(j))
		return json_number_value(j);
	assert_true(json_is_string(j));
	return strtod(json_string_value(j), NULL);
}

/* NaN by kind, everything else by its bits: -0 is not 0. */
static bool same(double x, double y)
{
	return (isnan(x) && isnan(y)) || !memcmp(&x, &y, sizeof x);
}

/* "<f8", "|b1" or "BF16" against the kind. */
static bool same_type(const struct npy *a, const char *type)
{
	static const struct { const char *numpy, *safetensors; } types[NPY_TEXT_UCS4] = {
		{ "f8", "F64" }, { "f4", "F32" }, { "f2", "F16" }, { "V2", "BF16" },
		{ "i1", "I8" }, { "i2", "I16" }, { "i4", "I32" }, { "i8", "I64" },
		{ "u1", "U8" }, { "u2", "U16" }, { "u4", "U32" }, { "u8", "U64" }, { "b1", "BOOL" },
	};

	return a->kind < NPY_TEXT_UCS4 && (!strcmp(type, types[a->kind].safetensors) ||
					   !strcmp(type + strspn(type, "<>=|"), types[a->kind].numpy));
}

static void check_array(const char *file, const struct npy *a, const json_t *expected)
{
	const json_t *shape = json_object_get(expected, "shape"), *values = json_object_get(expected, "values");
	const char *type = json_string_value(json_object_get(expected, "dtype"));

	if (!same_type(a, type))
		fail_msg("%s: type %s is not %s", file, npy_kind_name(a->kind), type);
	if ((size_t)a->rank != json_array_size(shape) || a->count != json_array_size(values))
		fail_msg("%s: rank %d and %zu elements, expected %zu and %zu", file, a->rank, a->count,
			 json_array_size(shape), json_array_size(values));
	for (size_t d = 0; d < json_array_size(shape); d++)
		assert_int_equal(a->shape[d], json_integer_value(json_array_get(shape, d)));
	for (size_t i = 0; i < a->count; i++) {
		double wanted = number_of(json_array_get(values, i));
		if (!same(npy_number(a, i), wanted))
			fail_msg("%s: element %zu is %.17g, not %.17g", file, i, npy_number(a, i), wanted);
	}
}

/* Every expected array is there once, and no other. */
static void check_arrays(const char *file, const struct tensors *t, json_t *expected)
{
	const char *name;
	json_t *array;

	if (t->n != json_object_size(expected))
		fail_msg("%s: %zu arrays, expected %zu", file, t->n, json_object_size(expected));
	json_object_foreach(expected, name, array) {
		size_t i = tensors_find(t, name);
		if (i == t->n)
			fail_msg("%s: no array '%s'", file, name);
		check_array(file, &t->v[i].array, array);
	}
}

/* ---- verdicts ---- */

static void check_message(const char *file, const char *text)
{
	size_t n = strlen(text);

	if (n < 10 || strpbrk(text, "\n\r\033"))
		fail_msg("%s: no message of one line: \"%s\"", file, text);
}

/* Opens everything; whether nothing was refused. Then reads every element once. */
static bool open_all(const char *file, struct tensors *t)
{
	bool all = true;

	for (size_t i = 0; i < t->n; i++) {
		struct error e = { 0 };
		if (tensors_open(t, i, &e)) {
			check_message(file, e.text);
			all = false;
			continue;
		}
		const struct npy *a = &t->v[i].array;
		size_t odd = 0;
		for (size_t k = 0; k < a->count; k++)
			odd += isnan(npy_number(a, k));
		assert_true(odd <= a->count);
	}
	return all;
}

static bool is_accepted(const char *file, struct tensors *t, const struct file *f)
{
	struct error e = { 0 };
	struct tensors before = *t;

	if (!tensors_read(t, f->bytes, f->size, file, NULL, &e))
		return open_all(file, t);
	check_message(file, e.text);
	assert_string_equal(e.file, file);
	assert_memory_equal(t, &before, sizeof before);
	return false;
}

static void check_file(const json_t *entry)
{
	const char *file = json_string_value(json_object_get(entry, "file"));
	const char *verdict = json_string_value(json_object_get(entry, "verdict"));
	json_t *expected = json_object_get(entry, "expect");
	struct file f = read_file(file);
	struct tensors t = { 0 };
	clock_t start = clock();
	bool accepted = is_accepted(file, &t, &f);

	if (getenv("QKV_TEST_TRACE"))
		printf("%s: %s, %s\n", file, verdict, accepted ? "accepted" : "refused");
	if (strcmp(verdict, "either") && accepted != !strcmp(verdict, "accept"))
		fail_msg("%s: %s, expected %s (%s)", file, accepted ? "accepted" : "refused", verdict,
			 json_string_value(json_object_get(entry, "why")));
	if (accepted && json_is_object(expected))
		check_arrays(file, &t, expected);
	if (clock() - start > (clock_t)SECONDS * CLOCKS_PER_SEC)
		fail_msg("%s: more than %d seconds", file, SECONDS);
	tensors_free(&t);
	free(f.bytes);
}

static void every_hostile_file_gets_its_verdict(void **state)
{
	char path[4096];
	json_error_t fault;

	(void)state;
	data_path(path, sizeof path, "verdicts.json");
	json_t *root = json_load_file(path, 0, &fault);
	if (!root)
		fail_msg("%s: %s", path, fault.text);
	json_t *files = json_object_get(root, "files");
	assert_int_equal(json_array_size(files), FILES);
	for (size_t i = 0; i < FILES; i++)
		check_file(json_array_get(files, i));
	json_decref(root);
}

/* Where a file may be accepted or not, what this program does is meant. */
static void choices_are_kept(void **state)
{
	static const struct { const char *file; bool accepted; } choices[] = {
		{ "either_bool_byte.safetensors", true },
		{ "either_control_name.npz", true },
		{ "either_duplicate_member.npz", false },
		{ "either_f8.safetensors", false },
		{ "either_nul_padding.safetensors", false },
		{ "either_traversal.npz", true },
		{ "either_unknown_field.safetensors", true },
		{ "bomb_32mb.npz", true },
		{ "bomb_tail.npz", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
		struct file f = read_file(choices[i].file);
		struct tensors t = { 0 };
		if (is_accepted(choices[i].file, &t, &f) != choices[i].accepted)
			fail_msg("%s: expected it to be %s", choices[i].file, choices[i].accepted ? "accepted" : "refused");
		tensors_free(&t);
		free(f.bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_hostile_file_gets_its_verdict),
		cmocka_unit_test(choices_are_kept),
	};

	limit_memory(MEMORY);
	return cmocka_run_group_tests_name("hostile", tests, NULL, NULL);
}
