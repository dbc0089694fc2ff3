/* test_panels.c - the cache of rows on screen: whatever it was through, its numbers are
 * those that fast.h computes from nothing, and switches compute no product.
 */
#include "tests/fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/panels.h"
#include "tests/alloc.h"
#include "tests/limit_memory.h"

enum { N_Q = 150, N_K = 4700, D = 8, COLUMNS = 130, SCREEN = 40 };

struct stage_set {
	float q[N_Q * D], k[N_K * D], v[N_K];
	unsigned char pad[N_K], other_pad[N_K];
	struct fast_head head;
	struct fast_work work;
	struct panels *panels;
	size_t from;
};

/* Fresh input, and a cache of it. */
static struct stage_set *prepare(size_t budget, struct workers *workers, enum dtype type)
{
	struct stage_set *t = calloc(1, sizeof *t);
	struct dice d = { 17 };
	struct error e = { 0 };

	assert_non_null(t);
	for (size_t i = 0; i < N_Q * D; i++)
		t->q[i] = (float)dice_between(&d, -2, 2);
	for (size_t i = 0; i < N_K * D; i++)
		t->k[i] = (float)dice_between(&d, -2, 2);
	for (size_t j = 0; j < N_K; j++) {
		t->pad[j] = j < 1500 || j == 3000;
		t->other_pad[j] = j % 3 == 0;
	}
	t->head = (struct fast_head){
		.q = tensor_view_of(t->q, type, N_Q, D), .k = tensor_view_of(t->k, type, N_K, D),
		.v = tensor_view_of(t->v, type, N_K, 1), .lanes = lanes_choose(), .scale = 0.5f,
	};
	if (panels_begin(&t->panels, &t->head, SCREEN, budget, workers, &e) || fast_work_init(&t->work, &t->head, &e))
		fail_msg("%s", e.text);
	return t;
}

static void discard(struct stage_set *t)
{
	panels_free(t->panels);
	fast_work_free(&t->work);
	free(t);
}

static void finish(struct stage_set *t)
{
	size_t steps = 0;

	while (panels_step(t->panels, NULL))
		assert_true(++steps < 200);
}

static void show(struct stage_set *t, size_t from)
{
	t->from = from;
	panels_show(t->panels, from, from + SCREEN, from + SCREEN / 2);
}

/* Counts the rows on screen that are known; those are right. */
static size_t check_rows(struct stage_set *t)
{
	struct fast_row wanted[SCREEN];
	size_t known = 0;

	fast_rows(&t->head, &t->work, t->from, t->from + SCREEN, NULL, wanted);
	for (size_t r = 0; r < SCREEN; r++) {
		const struct fast_row *row = panels_row(t->panels, t->from + r);
		if (!row)
			continue;
		known++;
		assert_int_equal(row->visible, wanted[r].visible);
		assert_near((double)row->max, (double)wanted[r].max, 0);
		assert_near((double)row->denominator, (double)wanted[r].denominator, (double)wanted[r].denominator * 1e-6);
		assert_near(row->entropy, wanted[r].entropy, 1e-5);
		assert_near(row->largest, wanted[r].largest, 1e-6);
		assert_near(row->sum, wanted[r].sum, 2e-7);
	}
	return known;
}

/* A window of every stage; rows that are not known have no weights. */
static void check_window(struct stage_set *t, size_t j0)
{
	static float got[SCREEN * COLUMNS], wanted[SCREEN * COLUMNS];
	struct fast_row row[SCREEN];
	size_t i0 = t->from + 3, i1 = t->from + SCREEN;

	fast_rows(&t->head, &t->work, i0, i1, NULL, row);
	for (enum stage s = STAGE_SCORES; s <= STAGE_WEIGHTS; s++) {
		fast_window(&t->head, &t->work, s, i0, i1, j0, j0 + COLUMNS, row, wanted);
		bool all = panels_window(t->panels, s, i0, i1, j0, j0 + COLUMNS, got), known = true;
		for (size_t i = i0; i < i1; i++) {
			bool has = s < STAGE_WEIGHTS || panels_row(t->panels, i);
			known = known && has;
			for (size_t x = (i - i0) * COLUMNS; x < (i - i0 + 1) * COLUMNS; x++)
				assert_near((double)got[x], has ? (double)wanted[x] : NAN, s < STAGE_WEIGHTS ? 0 : 1e-6);
		}
		assert_int_equal(all, known);
	}
}

static void change(struct stage_set *t, bool causal, long offset, const unsigned char *pad, float scale)
{
	t->head.causal = causal;
	t->head.offset = offset;
	t->head.pad = pad;
	t->head.scale = scale;
	panels_change(t->panels, &t->head);
}

static void switches_compute_no_product(void **state)
{
	struct stage_set *t = prepare(64 << 20, NULL, DTYPE_F32);

	change(t, false, 0, t->pad, 0.5f);
	show(t, 60);
	finish(t);
	size_t products = panels_products(t->panels);
	assert_true(products >= (size_t)SCREEN * N_K);
	for (int round = 0; round < 24; round++) {
		static const long offset[] = { 0, 1023 - 59, 1024 - 59, 3000, -61, 9000 };
		change(t, round % 4 > 0, offset[round % 6], round % 3 ? t->pad : NULL, 0.5f);
		assert_int_equal(check_rows(t), SCREEN);
		check_window(t, (size_t)round * 190);
	}
	show(t, 62);						/* in the same panels */
	assert_int_equal(check_rows(t), SCREEN);
	assert_int_equal(panels_products(t->panels), products);
	change(t, true, 2000, t->pad, 0.125f);			/* another scale: exponentials only */
	assert_int_equal(check_rows(t), 0);
	change(t, true, 2000, t->other_pad, 0.125f);
	while (check_rows(t) < SCREEN)
		assert_true(panels_step(t->panels, NULL));
	finish(t);
	assert_int_equal(check_rows(t), SCREEN);
	assert_int_equal(panels_products(t->panels), products);
	discard(t);
	(void)state;
}

static void the_cursor_comes_first(void **state)
{
	struct stage_set *t = prepare(64 << 20, NULL, DTYPE_F32);

	change(t, true, 4000, NULL, 0.5f);
	t->from = 48;
	panels_show(t->panels, 48, 48 + SCREEN, 81);		/* 80..95 */
	assert_null(panels_row(t->panels, 81));
	assert_true(panels_step(t->panels, NULL));
	assert_non_null(panels_row(t->panels, 81));
	assert_null(panels_row(t->panels, 50));
	assert_int_equal(check_rows(t), SCREEN - 32);
	assert_int_equal(panels_products(t->panels), 16 * 3 * 1024 + 16 * (4096 - 3072));	/* up to what row 80 sees */
	finish(t);
	assert_int_equal(check_rows(t), SCREEN);
	discard(t);
	(void)state;
}

/* Whatever is shown and switched, with room for everything, for a few scores, for none. */
static void every_path_gives_the_same_numbers(void **state)
{
	static const size_t budget[] = { 64 << 20, 1 << 20, 400 << 10, 0 };
	struct dice d = { 4 };
	struct workers *workers;
	struct error e = { 0 };

	assert_int_equal(workers_start(&workers, 2, &e), OK_STATUS);
	for (size_t b = 0; b < 4; b++) {
		struct stage_set *t = prepare(budget[b], b % 2 ? workers : NULL, DTYPE_F32);
		size_t scores, room = panels_room(t->panels, &scores);
		assert_true(room >= 4 && (b ? scores < room : scores == room));
		assert_true(b < 3 || scores == 0);
		for (int round = 0; round < (is_under_valgrind() ? 8 : 40); round++) {
			if (round % 3 == 0)
				show(t, dice_below(&d, N_Q - SCREEN + 1));
			if (round % 4 == 1)
				change(t, dice_below(&d, 2), (long)dice_below(&d, 5000) - 100,
				       dice_below(&d, 2) ? t->pad : dice_below(&d, 2) ? t->other_pad : NULL,
				       dice_below(&d, 4) ? 0.5f : 0.25f);
			for (size_t steps = dice_below(&d, 6); steps; steps--)
				panels_step(t->panels, NULL);
			check_rows(t);
			check_window(t, dice_below(&d, N_K - COLUMNS + 1));
		}
		finish(t);
		assert_int_equal(check_rows(t), SCREEN);
		discard(t);
	}
	workers_stop(workers);
	(void)state;
}

static void the_way_back_is_known(void **state)
{
	struct stage_set *t = prepare(64 << 20, NULL, DTYPE_F32);

	show(t, 0);
	finish(t);
	show(t, 100);
	finish(t);
	show(t, 0);
	assert_int_equal(check_rows(t), SCREEN);
	discard(t);
	(void)state;
}

static void the_next_panel_is_read_ahead(void **state)
{
	struct stage_set *t = prepare(64 << 20, NULL, DTYPE_F32);

	show(t, 16);
	finish(t);
	show(t, 24);			/* down: rows 64..79 come next */
	finish(t);
	assert_non_null(panels_row(t->panels, 64));
	assert_null(panels_row(t->panels, 80));
	show(t, 16);			/* up */
	assert_null(panels_row(t->panels, 0));
	finish(t);
	assert_non_null(panels_row(t->panels, 0));
	discard(t);
	(void)state;
}

static void a_cancelled_step_leaves_work(void **state)
{
	struct stage_set *t = prepare(64 << 20, NULL, DTYPE_F32);
	atomic_bool cancel = true;

	show(t, 0);
	assert_true(panels_step(t->panels, &cancel));
	assert_true(panels_step(t->panels, &cancel));
	assert_int_equal(check_rows(t), 0);
	assert_int_equal(panels_products(t->panels), 0);
	finish(t);
	assert_int_equal(check_rows(t), SCREEN);
	discard(t);
	(void)state;
}

static void memory_may_run_out(void **state)
{
	struct stage_set *t = prepare(0, NULL, DTYPE_F32);
	struct panels *none = NULL;
	struct error e = { 0 };

	for (size_t n = 1; n <= 5; n++) {
		alloc_fail(n);
		enum status s = panels_begin(&none, &t->head, SCREEN, 1 << 20, NULL, &e);
		alloc_fail(0);
		assert_int_equal(s, n <= 4 ? E_MEMORY : OK_STATUS);
		assert_int_equal(none != NULL, n > 4);
	}
	panels_free(none);
	panels_free(NULL);
	discard(t);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(switches_compute_no_product),
		cmocka_unit_test(the_cursor_comes_first),
		cmocka_unit_test(every_path_gives_the_same_numbers),
		cmocka_unit_test(the_way_back_is_known),
		cmocka_unit_test(the_next_panel_is_read_ahead),
		cmocka_unit_test(a_cancelled_step_leaves_work),
		cmocka_unit_test(memory_may_run_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
