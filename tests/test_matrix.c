/* test_matrix.c - numbers that lie elsewhere: the same doubles, and the same results, as numbers that
 * are copied; who keeps them there; rows in double as far as they are seen.
 */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

#include "core/explain.h"
#include "core/fast_attention.h"
#include "core/influence.h"
#include "core/probe.h"
#include "core/seen_rows.h"
#include "core/variant.h"

/* ---- numbers in a type, somewhere ---- */

enum order { BY_ROWS, BY_COLUMNS, FROM_THE_END, ORDERS };

/* Sixteenths with seven bits: every type holds them exactly. */
static double number_at(unsigned seed, size_t i, size_t c)
{
	return ((double)((i * 37 + c * 11 + seed * 71) % 255) - 127) / 16;
}

static void encode(double x, enum dtype type, unsigned char *to)
{
	float single = (float)x;
	uint32_t bits;
	uint16_t half;

	memcpy(&bits, &single, sizeof bits);
	switch (type) {
	case DTYPE_F64:
		memcpy(to, &x, sizeof x);
		return;
	case DTYPE_F32:
		memcpy(to, &single, sizeof single);
		return;
	case DTYPE_F16:			/* another bias of the exponent, and 13 bits less of fraction */
		half = (uint16_t)((bits >> 16 & 0x8000u) | (x == 0 ? 0 : ((bits & 0x7fffffffu) - (112u << 23)) >> 13));
		break;
	default:
		half = (uint16_t)(bits >> 16);
		break;
	}
	memcpy(to, &half, sizeof half);
}

/* rows x columns numbers at an odd address; *block is to be freed. */
static struct tensor_view lay(void **block, enum dtype type, enum order order, unsigned seed, size_t rows, size_t columns)
{
	ptrdiff_t size = (ptrdiff_t)dtype_size(type), all = (ptrdiff_t)(rows * columns) * size;
	unsigned char *v = malloc((size_t)all + 1);
	struct tensor_view view = { NULL, type, rows, columns, (ptrdiff_t)columns * size, size };

	assert_non_null(v);
	*block = v;
	if (order == BY_COLUMNS) {
		view.row_step = size;
		view.column_step = (ptrdiff_t)rows * size;
	} else if (order == FROM_THE_END) {
		view.row_step = -view.row_step;
	}
	unsigned char *first = v + 1 + (order == FROM_THE_END ? all - (ptrdiff_t)columns * size : 0);
	view.data = first;
	for (size_t i = 0; i < rows; i++)
		for (size_t c = 0; c < columns; c++)
			encode(number_at(seed, i, c), type, first + (ptrdiff_t)i * view.row_step + (ptrdiff_t)c * view.column_step);
	return view;
}

static void all_types_and_steps(void **state)
{
	enum { ROWS = 5, COLUMNS = 7 };
	double buffer[COLUMNS], column[ROWS];

	(void)state;
	for (int type = 0; type < DTYPE_COUNT; type++)
		for (int order = 0; order < ORDERS; order++) {
			void *block;
			struct tensor_view view = lay(&block, (enum dtype)type, (enum order)order, 3, ROWS, COLUMNS);
			struct matrix m, own;
			struct error e = { 0 };
			matrix_init_view(&m, &view, NULL);
			assert_int_equal(matrix_copy(&own, &m, &e), OK_STATUS);
			assert_null(own.v);
			assert_int_equal(matrix_own(&own, &e), OK_STATUS);
			assert_non_null(own.v);
			for (size_t i = 0; i < ROWS; i++) {
				const double *row = matrix_row(&m, i, buffer);
				for (size_t c = 0; c < COLUMNS; c++) {
					assert_same(row[c], number_at(3, i, c));
					assert_same(matrix_at(&m, i, c), number_at(3, i, c));
					assert_same(matrix_row(&own, i, NULL)[c], number_at(3, i, c));
				}
			}
			for (size_t c = 0; c < COLUMNS; c++) {
				matrix_column(&m, c, ROWS, column);
				for (size_t i = 0; i < ROWS; i++)
					assert_same(column[i], number_at(3, i, c));
			}
			matrix_free(&m);
			matrix_free(&own);
			free(block);
		}
}

/* ---- who keeps them ---- */

static int released;

static void release(void *data)
{
	free(data);
	released++;
}

static struct matrix kept_matrix(enum dtype type, unsigned seed, size_t rows, size_t columns)
{
	void *block;
	struct tensor_view view = lay(&block, type, BY_ROWS, seed, rows, columns);
	struct storage *storage;
	struct error e = { 0 };
	struct matrix m;

	assert_int_equal(storage_begin(&storage, block, release, &e), OK_STATUS);
	matrix_init_view(&m, &view, storage);
	storage_drop(storage);
	return m;
}

static void the_last_one_lets_go(void **state)
{
	struct error e = { 0 };
	struct matrix m = kept_matrix(DTYPE_F32, 1, 4, 4), copy, own;

	(void)state;
	released = 0;
	assert_int_equal(matrix_copy(&copy, &m, &e), OK_STATUS);
	assert_int_equal(matrix_copy(&own, &m, &e), OK_STATUS);
	matrix_free(&m);
	assert_int_equal(matrix_own(&own, &e), OK_STATUS);
	assert_int_equal(released, 0);
	assert_same(matrix_at(&copy, 3, 2), number_at(1, 3, 2));
	own.v[0] = 99;
	assert_same(matrix_at(&copy, 0, 0), number_at(1, 0, 0));
	matrix_free(&copy);
	assert_int_equal(released, 1);
	assert_same(matrix_at(&own, 3, 2), number_at(1, 3, 2));
	matrix_free(&own);
	assert_int_equal(released, 1);
}

/* Nothing of it is looked at. */
static void a_huge_one_is_not_copied(void **state)
{
	static const char nothing[1];
	const struct tensor_view view = tensor_view_of(nothing, DTYPE_F32, (size_t)1 << 30, (size_t)1 << 30);
	struct matrix m;
	struct error e = { 0 };

	(void)state;
	matrix_init_view(&m, &view, NULL);
	assert_int_equal(matrix_own(&m, &e), E_LIMIT);
	assert_non_null(strstr(e.text, "1073741824"));
	assert_ptr_equal(m.view.data, nothing);
	matrix_free(&m);
}

/* ---- two problems: copied numbers, and the same where they lie ---- */

enum { N_Q = 9, N_K = 11, D_K = 6, D_V = 5 };

struct pair { struct fixture copied, viewed; };

static void add_both(struct pair *p, enum array a, enum dtype type, unsigned seed, size_t rows, size_t columns)
{
	struct matrix m = kept_matrix(type, seed, rows, columns);
	struct error e = { 0 };
	double *v = malloc(rows * columns * sizeof *v);

	assert_non_null(v);
	for (size_t k = 0; k < rows * columns; k++)
		v[k] = number_at(seed, k / columns, k % columns);
	fixture_array(&p->copied, a, rows, columns, v);
	fixture_array(&p->viewed, a, rows, columns, v);		/* for the source; the numbers make way */
	matrix_free(&p->viewed.scenario.array[a].head[0]);
	p->viewed.scenario.array[a].n = 0;
	assert_int_equal(array_add(&p->viewed.scenario.array[a], &m, &e), OK_STATUS);
	free(v);
}

static void open_qkv(struct pair *p, enum dtype type, const char *settings)
{
	fixture_init(&p->copied);
	fixture_init(&p->viewed);
	add_both(p, ARRAY_Q, type, 1, N_Q, D_K);
	add_both(p, ARRAY_K, type, 2, N_K, D_K);
	add_both(p, ARRAY_V, type, 3, N_K, D_V);
	fixture_set(&p->copied, settings);
	fixture_set(&p->viewed, settings);
}

static void start_both(struct pair *p)
{
	fixture_start(&p->copied);
	fixture_start(&p->viewed);
}

static void close_both(struct pair *p)
{
	fixture_free(&p->copied);
	fixture_free(&p->viewed);
}

static void same_numbers(const double *a, const double *b, size_t n)
{
	for (size_t k = 0; k < n; k++)
		assert_same(a[k], b[k]);
}

static void same_rows(struct pair *p)
{
	const struct problem *problem = &p->copied.problem;

	for (size_t i = 0; i < problem->n_q; i++) {
		const struct row *a = fixture_row(&p->copied, i), *b = fixture_row(&p->viewed, i);
		same_numbers(a->scores, b->scores, problem->n_k);
		same_numbers(a->masked, b->masked, problem->n_k);
		same_numbers(a->weights, b->weights, problem->n_k);
		same_numbers(a->output, b->output, problem->d_v);
		assert_same(a->sum, b->sum);
		assert_same(a->entropy, b->entropy);
		assert_int_equal(a->verdict, b->verdict);
	}
}

static void rows_are_bit_for_bit_the_same(void **state)
{
	static const char *const settings[] = {
		"", "causal=on pad=2", "dtype=f32", "dtype=bf16 scale=none", "softmax=column causal=on", "softcap=3 alibi=0.5 dropout=0.25",
	};

	(void)state;
	for (int type = 0; type < DTYPE_COUNT; type++)
		for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
			struct pair p;
			open_qkv(&p, (enum dtype)type, settings[k]);
			start_both(&p);
			assert_null(p.viewed.problem.array[ARRAY_K].head[0].v);
			same_rows(&p);
			close_both(&p);
		}
}

/* K as it stands, not transposed: d_k columns against as many rows. */
static void columns_of_keys(void **state)
{
	struct pair p;

	(void)state;
	fixture_init(&p.copied);
	fixture_init(&p.viewed);
	add_both(&p, ARRAY_Q, DTYPE_F16, 1, 4, 6);
	add_both(&p, ARRAY_K, DTYPE_F16, 2, 6, 6);
	fixture_set(&p.copied, "transpose=off");
	fixture_set(&p.viewed, "transpose=off");
	start_both(&p);
	same_rows(&p);
	close_both(&p);
}

static void given_scores_and_weights(void **state)
{
	static const enum array given[] = { ARRAY_SCORES, ARRAY_WEIGHTS };

	(void)state;
	for (int g = 0; g < 2; g++) {
		struct pair p;
		fixture_init(&p.copied);
		fixture_init(&p.viewed);
		add_both(&p, given[g], DTYPE_BF16, 4, N_Q, N_K);
		add_both(&p, ARRAY_V, DTYPE_F32, 3, N_K, D_V);
		start_both(&p);
		same_rows(&p);
		close_both(&p);
	}
}

/* ---- what else looks at the numbers ---- */

static void explanations(void **state)
{
	struct pair p;
	struct explain a = { 0 }, b = { 0 };
	struct error e = { 0 };

	(void)state;
	open_qkv(&p, DTYPE_F32, "causal=on");
	start_both(&p);
	for (size_t j = 0; j < N_K; j++) {
		const struct row *x = fixture_row(&p.copied, 4), *y = fixture_row(&p.viewed, 4);
		assert_int_equal(explain_cell(&a, &p.copied.attention, x, j, STAGE_WEIGHTS, &e), OK_STATUS);
		assert_int_equal(explain_cell(&b, &p.viewed.attention, y, j, STAGE_WEIGHTS, &e), OK_STATUS);
		assert_int_equal(a.n, b.n);
		for (size_t k = 0; k < a.n; k++) {
			assert_same(a.steps[k].left, b.steps[k].left);
			assert_same(a.steps[k].right, b.steps[k].right);
			assert_same(a.steps[k].value, b.steps[k].value);
		}
	}
	explain_free(&a);
	explain_free(&b);
	close_both(&p);
}

static struct influence_work *influence_of(struct fixture *f)
{
	struct influence_work *w;
	struct error e = { 0 };
	bool more = true;

	assert_int_equal(influence_begin(&w, &f->attention, 0, N_Q, &f->tables, &e), OK_STATUS);
	while (more)
		assert_int_equal(influence_step(w, &more, &e), OK_STATUS);
	return w;
}

/* Both change numbers, in a copy of their own. */
static void probes_and_influence(void **state)
{
	struct pair p;
	struct probe_report a, b;
	struct error e = { 0 };

	(void)state;
	open_qkv(&p, DTYPE_F32, "causal=on bug=mask-after-renorm");
	start_both(&p);
	const struct probe_expect expect = { .given = true, .causal = true };
	assert_int_equal(probe_run(&a, &p.copied.attention, &expect, &p.copied.tables, &e), OK_STATUS);
	assert_int_equal(probe_run(&b, &p.viewed.attention, &expect, &p.viewed.tables, &e), OK_STATUS);
	for (int k = 0; k < PROBE_COUNT; k++) {
		assert_int_equal(a.check[k].ok, b.check[k].ok);
		assert_same(a.check[k].largest, b.check[k].largest);
	}
	assert_memory_equal(a.moved, b.moved, N_Q);
	probe_free(&a);
	probe_free(&b);
	struct influence_work *x = influence_of(&p.copied), *y = influence_of(&p.viewed);
	for (size_t i = 0; i < N_Q; i++)
		for (size_t j = 0; j < N_K; j++)
			assert_int_equal(influence_moves(x, i, j), influence_moves(y, i, j));
	influence_free(x);
	influence_free(y);
	close_both(&p);
}

/* One array is changed and becomes the problem's own; the others stay where they are. */
static void an_edit_copies_its_array_alone(void **state)
{
	struct pair p;

	(void)state;
	open_qkv(&p, DTYPE_F32, "");
	fixture_edit(&p.copied, ARRAY_K, 2, 1, 0.1);
	fixture_edit(&p.viewed, ARRAY_K, 2, 1, 0.1);
	fixture_edit(&p.copied, ARRAY_SCORES, 3, 4, 2.5);
	fixture_edit(&p.viewed, ARRAY_SCORES, 3, 4, 2.5);
	start_both(&p);
	assert_non_null(p.viewed.problem.array[ARRAY_K].head[0].v);
	assert_null(p.viewed.problem.array[ARRAY_Q].head[0].v);
	assert_same(matrix_at(&p.viewed.problem.array[ARRAY_K].head[0], 2, 1), 0.1);
	assert_same(matrix_at(&p.viewed.scenario.array[ARRAY_K].head[0], 2, 1), number_at(2, 2, 1));
	same_rows(&p);
	close_both(&p);
}

/* The scenario goes, the problem stays: so do the numbers. */
static void a_problem_outlives_its_scenario(void **state)
{
	struct pair p;

	(void)state;
	open_qkv(&p, DTYPE_F32, "");
	start_both(&p);
	released = 0;
	for (int a = 0; a < ARRAY_COUNT; a++)
		array_free(&p.viewed.scenario.array[a]);
	assert_int_equal(released, 0);
	same_rows(&p);
	close_both(&p);
	assert_int_equal(released, 3);
}

/* The kernel for long inputs reads them in place, whatever the type. */
static void the_fast_head_takes_them_as_they_lie(void **state)
{
	struct pair p;
	struct fast_head h;
	struct error e = { 0 };
	unsigned char *pad;

	(void)state;
	open_qkv(&p, DTYPE_BF16, "");
	start_both(&p);
	assert_int_equal(fast_attention_head(&h, &pad, &p.viewed.attention, NULL, NULL, NULL, &e), OK_STATUS);
	assert_int_equal(h.k.type, DTYPE_BF16);
	assert_ptr_equal(h.k.data, p.viewed.problem.array[ARRAY_K].head[0].view.data);
	free(pad);
	close_both(&p);
}

/* ---- rows in double, as far as they are seen ---- */

static void compare_seen(struct fixture *f, struct seen_rows *s, const struct long_window *w, enum stage last)
{
	for (size_t i = w->top; i < w->top + w->rows && i < f->problem.n_q; i++) {
		const struct row *is = seen_rows_row(s, i);
		if (i == w->cursor)
			continue;
		assert_non_null(is);
		const struct row *wanted = fixture_row(f, i);
		assert_same(is->sum, wanted->sum);
		assert_same(is->denominator, wanted->denominator);
		assert_int_equal(is->verdict, wanted->verdict);
		for (size_t j = w->left; j < w->left + w->columns && j < f->problem.n_k && last < STAGE_OUTPUT; j++) {
			assert_same(is->scores[j], wanted->scores[j]);
			assert_same(is->masked[j], wanted->masked[j]);
			assert_same(is->weights[j], wanted->weights[j]);
			assert_int_equal(is->rules[j], wanted->rules[j]);
		}
		if (last == STAGE_OUTPUT)
			same_numbers(is->output, wanted->output, f->problem.d_v);
	}
}

static void rows_come_one_by_one(void **state)
{
	enum { KEYS = 2000, ROWS = 6 };
	static const struct long_window windows[] = {
		{ 0, ROWS, 0, 20, 1 }, { 2, ROWS, 0, 20, 1 }, { 2, ROWS, 1500, 20, 7 }, { 30, ROWS, 1990, 20, 30 }, { 28, ROWS, 0, 20, 3 },
	};
	struct fixture f;
	struct seen_rows *s;
	struct error e = { 0 };

	(void)state;
	fixture_random(&f, 32, KEYS, 2, 3, "5");
	fixture_set(&f, "causal=on causal-offset=7 pad=1");
	fixture_start(&f);
	assert_int_equal(seen_rows_begin(&s, &f.attention, ROWS, &e), OK_STATUS);
	for (size_t k = 0; k < 2 * sizeof windows / sizeof *windows; k++) {
		const struct long_window *w = &windows[k / 2];
		enum stage last = k % 2 ? STAGE_OUTPUT : STAGE_WEIGHTS;
		size_t steps = 1;
		seen_rows_show(s, w, last);
		while (seen_rows_step(s))
			steps++;
		assert_true(steps <= ROWS);
		assert_true(seen_rows_done(s));
		compare_seen(&f, s, w, last);
	}
	/* Scrolling by one row computes one, moving within what is kept none. */
	seen_rows_show(s, &(struct long_window){ 10, ROWS, 300, 20, 31 }, STAGE_WEIGHTS);
	while (seen_rows_step(s))
		;
	seen_rows_show(s, &(struct long_window){ 10, ROWS, 310, 20, 31 }, STAGE_WEIGHTS);
	assert_true(seen_rows_done(s));
	seen_rows_show(s, &(struct long_window){ 11, ROWS, 310, 20, 31 }, STAGE_WEIGHTS);
	assert_false(seen_rows_done(s));
	assert_null(seen_rows_row(s, 16));
	assert_false(seen_rows_step(s));
	/* Under other options nothing is known. */
	seen_rows_forget(s);
	assert_null(seen_rows_row(s, 12));
	seen_rows_free(s);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_types_and_steps),
		cmocka_unit_test(the_last_one_lets_go),
		cmocka_unit_test(a_huge_one_is_not_copied),
		cmocka_unit_test(rows_are_bit_for_bit_the_same),
		cmocka_unit_test(columns_of_keys),
		cmocka_unit_test(given_scores_and_weights),
		cmocka_unit_test(explanations),
		cmocka_unit_test(probes_and_influence),
		cmocka_unit_test(an_edit_copies_its_array_alone),
		cmocka_unit_test(a_problem_outlives_its_scenario),
		cmocka_unit_test(the_fast_head_takes_them_as_they_lie),
		cmocka_unit_test(rows_come_one_by_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
