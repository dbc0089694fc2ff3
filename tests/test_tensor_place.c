/* test_tensor_place.c - large arrays that stay in their file: the same numbers as copied ones, and for how long. */
#include "tests/tensor_file.h"
#include "tests/tensors_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/tensor_scenario.h"

/* ---- a file twice: copied, and as it lies ---- */

struct twice {
	struct scenario copied, placed;
	int freed;		/* the file, by those who used it */
};

struct whole { struct file file; struct tensors t; int *freed; };

static void let_go(void *data)
{
	struct whole *w = data;

	(*w->freed)++;
	tensors_free(&w->t);
	free(w->file.bytes);
	free(w);
}

/* Takes f over. */
static void open_twice(struct twice *out, struct file f, const char *name)
{
	const struct tensor_choice first = { NULL, NULL, -1, -1, false };
	struct tensor_extent extent = { .one_head = false };
	struct whole *w = malloc(sizeof *w);
	struct tensors t;
	struct error e = { 0 };

	assert_non_null(w);
	out->freed = 0;
	*w = (struct whole){ .file = f, .freed = &out->freed };
	assert_int_equal(tensors_read(&t, f.bytes, f.size, name, NULL, &e), OK_STATUS);
	if (tensor_scenario(&out->copied, &t, name, NULL, &first, &e))
		fail_msg("%s", e.text);
	tensors_free(&t);
	assert_int_equal(tensors_read(&w->t, f.bytes, f.size, name, NULL, &e), OK_STATUS);
	assert_int_equal(storage_begin(&extent.storage, w, let_go, &e), OK_STATUS);
	if (tensor_scenario_extent(&out->placed, &w->t, name, NULL, &first, &extent, &e))
		fail_msg("%s", e.text);
	storage_drop(extent.storage);
}

static bool stays(const struct twice *t, enum array a)
{
	return !t->placed.array[a].head[0].v;
}

static void compare(const struct twice *t)
{
	for (int a = 0; a < ARRAY_COUNT; a++) {
		const struct array_heads *copied = &t->copied.array[a], *placed = &t->placed.array[a];
		assert_int_equal(copied->n, placed->n);
		for (size_t h = 0; h < copied->n; h++) {
			const struct matrix *x = &copied->head[h], *y = &placed->head[h];
			assert_non_null(x->v);
			assert_int_equal(x->rows, y->rows);
			assert_int_equal(x->columns, y->columns);
			for (size_t i = 0; i < x->rows; i++)
				for (size_t c = 0; c < x->columns; c++)
					if (matrix_at(x, i, c) != matrix_at(y, i, c))
						fail_msg("head %zu, %zu:%zu of %s: %.17g is not %.17g", h, i, c, array_name((enum array)a),
							 matrix_at(y, i, c), matrix_at(x, i, c));
		}
	}
}

/* The numbers go with the last who has them. */
static void close_twice(struct twice *t, bool stayed)
{
	struct matrix last = { 0 };
	struct error e = { 0 };

	assert_int_equal(t->freed, stayed ? 0 : 1);
	for (int a = 0; a < ARRAY_COUNT && stayed && !last.rows; a++)
		if (t->placed.array[a].n && stays(t, (enum array)a))
			assert_int_equal(matrix_copy(&last, &t->placed.array[a].head[0], &e), OK_STATUS);
	scenario_free(&t->placed);
	assert_int_equal(t->freed, stayed ? 0 : 1);
	matrix_free(&last);
	assert_int_equal(t->freed, 1);
	scenario_free(&t->copied);
}

/* ---- one array, of every type and order ---- */

enum { HEADS = 3, ROWS = 260, COLUMNS = 200 };		/* more than a mebibyte of doubles */

/* A float16 of any finite value. */
static uint16_t some_half(size_t k)
{
	uint16_t h = (uint16_t)(k * 2654435761u >> 7);
	return (h & 0x7c00) == 0x7c00 ? (uint16_t)(h ^ 0x4000) : h;
}

static void put_number(unsigned char *to, const char *descr, size_t k)
{
	float single = (float)(k % 1009) / 7 - 50;
	double full = (double)(k % 1013) / 3;
	int32_t integer = (int32_t)(k % 99);
	uint16_t half = some_half(k);
	const void *from = descr[1] == 'i' ? (const void *)&integer : descr[2] == '8' ? (const void *)&full
			 : descr[2] == '2' ? (const void *)&half : (const void *)&single;
	size_t size = (size_t)(descr[2] - '0');

	for (size_t b = 0; b < size; b++)
		to[b] = ((const unsigned char *)from)[descr[0] == '>' ? size - 1 - b : b];
}

static struct file scores_file(const char *descr, size_t rows, bool fortran)
{
	size_t n = HEADS * rows * COLUMNS, size = (size_t)(descr[2] - '0');
	unsigned char *data = malloc(n * size);
	char shape[48];

	assert_non_null(data);
	for (size_t k = 0; k < n; k++)
		put_number(data + k * size, descr, k);
	snprintf(shape, sizeof shape, "(%d, %zu, %d)", HEADS, rows, COLUMNS);
	struct file f = file_npy(descr, shape, data, n * size);
	free(data);
	enum { ORDER = 10 + sizeof "{'descr': '<f4', 'fortran_order': " - 1 };
	assert_memory_equal(f.bytes + ORDER, "False", 5);
	if (fortran)
		memcpy(f.bytes + ORDER, "True ", 5);
	return f;
}

static void every_type_and_order(void **state)
{
	static const struct { const char *descr; bool stays; } types[] = {
		{ "<f4", true }, { "<f8", true }, { "<f2", true }, { ">f4", false }, { "<i4", false },
	};

	(void)state;
	for (size_t k = 0; k < sizeof types / sizeof *types; k++)
		for (int fortran = 0; fortran < 2; fortran++) {
			struct twice t;
			open_twice(&t, scores_file(types[k].descr, ROWS, fortran), "scores.npy");
			assert_int_equal(t.placed.array[ARRAY_SCORES].n, HEADS);
			assert_int_equal(stays(&t, ARRAY_SCORES), types[k].stays);
			compare(&t);
			close_twice(&t, types[k].stays);
		}
}

/* Whoever replaces a small file while it is open does no harm. */
static void small_ones_are_copied(void **state)
{
	struct twice t;

	(void)state;
	open_twice(&t, scores_file("<f4", 20, false), "scores.npy");
	assert_false(stays(&t, ARRAY_SCORES));
	compare(&t);
	close_twice(&t, false);
}

/* ---- q, k and v ---- */

static struct file qkv_file(const char *shape_q, const char *shape_k, const char *heads, size_t n_q, size_t n_k)
{
	static const char *const names[][3] = { { "q", "k", "v" }, { "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj" } };
	const char *const *name = names[*heads != 0];
	struct making m = { 0 };
	double *v = calloc(n_q + n_k, sizeof *v);

	assert_non_null(v);
	some_numbers(v, n_q, 1);
	make_array(&m, name[0], "F32", shape_q, v);
	some_numbers(v, n_k, 2);
	make_array(&m, name[1], "F32", shape_k, v);
	some_numbers(v, n_k, 3);
	make_array(&m, name[2], "F32", shape_k, v);
	free(v);
	if (*heads)
		make_metadata(&m, "num_heads", heads);
	struct buffer b = make_bytes(&m);
	return file_of_buffer(&b);
}

/* Four heads of queries share two of keys; many short ones, which are long together; heads side by side in
 * one row; a layer of two. */
static void heads_of_queries_and_keys(void **state)
{
	static const struct { const char *q, *k, *heads; size_t n_q, n_k; } files[] = {
		{ "1, 4, 1500, 32", "1, 2, 1600, 32", "", 4 * 1500 * 32, 2 * 1600 * 32 },
		{ "1, 30, 200, 32", "1, 30, 200, 32", "", 30 * 200 * 32, 30 * 200 * 32 },
		{ "1, 1500, 128", "1, 1500, 128", "4", 1500 * 128, 1500 * 128 },
		{ "2, 1, 4, 700, 32", "2, 1, 4, 700, 32", "", 2 * 4 * 700 * 32, 2 * 4 * 700 * 32 },
	};

	(void)state;
	for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
		struct twice t;
		open_twice(&t, qkv_file(files[k].q, files[k].k, files[k].heads, files[k].n_q, files[k].n_k), "layer.safetensors");
		assert_int_equal(t.placed.source, SOURCE_QKV);
		if (t.placed.array[ARRAY_Q].n != (k == 1 ? 30 : 4))
			fail_msg("%zu heads of (%s)", t.placed.array[ARRAY_Q].n, files[k].q);
		if (k != 3)	/* a layer of it is small */
			assert_true(stays(&t, ARRAY_Q));
		compare(&t);
		bool any = stays(&t, ARRAY_Q) || stays(&t, ARRAY_K);
		close_twice(&t, any);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_and_order),
		cmocka_unit_test(small_ones_are_copied),
		cmocka_unit_test(heads_of_queries_and_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
