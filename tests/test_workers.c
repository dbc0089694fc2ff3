/* test_workers.c - every item is done once, whoever does it, and cancelling ends it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>

#include "core/workers.h"
#include "tests/alloc.h"

enum { ITEMS = 5000 };

struct counts {
	atomic_int done[ITEMS], all;
	size_t cancel_at;		/* item; 0: none */
	atomic_bool cancel;
	size_t highest;			/* worker number that is allowed */
};

static void count(void *context, size_t item, size_t worker)
{
	struct counts *c = context;

	assert_true(worker < c->highest);
	atomic_fetch_add(&c->done[item], 1);
	atomic_fetch_add(&c->all, 1);
	if (c->cancel_at && item == c->cancel_at)
		atomic_store(&c->cancel, true);
	while (c->cancel_at && item > c->cancel_at && !atomic_load(&c->cancel))
		sched_yield();
}

static void run_all(struct workers *w)
{
	static struct counts c;

	for (size_t n = 0; n < 60; n++) {
		size_t items = n < 4 ? n : n * 83;
		c = (struct counts){ .highest = workers_count(w) };
		assert_true(workers_run(w, items, count, &c, &c.cancel));
		assert_int_equal(c.all, items);
		for (size_t i = 0; i < ITEMS; i++)
			assert_int_equal(c.done[i], i < items);
	}
}

static void every_item_is_done_once(void **state)
{
	struct workers *w;
	struct error e = { 0 };

	run_all(NULL);
	for (size_t threads = 0; threads < 5; threads++) {
		assert_int_equal(workers_start(&w, threads, &e), OK_STATUS);
		assert_int_equal(workers_count(w), threads ? threads : 1);
		run_all(w);
		workers_stop(w);
	}
	workers_stop(NULL);
	(void)state;
}

static void cancelling_ends_it(void **state)
{
	static struct counts c;
	struct workers *w;
	struct error e = { 0 };

	assert_int_equal(workers_start(&w, 3, &e), OK_STATUS);
	c = (struct counts){ .highest = 3, .cancel_at = 100 };
	assert_false(workers_run(w, ITEMS, count, &c, &c.cancel));
	assert_true(c.all >= 101 && c.all <= 103);	/* those that were begun */
	c = (struct counts){ .highest = 3, .cancel = true };
	assert_false(workers_run(w, ITEMS, count, &c, &c.cancel));
	assert_int_equal(c.all, 0);
	workers_stop(w);
	(void)state;
}

static void without_memory_there_are_fewer(void **state)
{
	struct workers *w = NULL;
	struct error e = { 0 };

	alloc_fail(1);
	assert_int_equal(workers_start(&w, 3, &e), E_MEMORY);
	assert_null(w);
	alloc_fail(3);
	assert_int_equal(workers_start(&w, 3, &e), OK_STATUS);
	alloc_fail(0);
	assert_int_equal(workers_count(w), 2);
	run_all(w);
	workers_stop(w);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_item_is_done_once),
		cmocka_unit_test(cancelling_ends_it),
		cmocka_unit_test(without_memory_there_are_fewer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
