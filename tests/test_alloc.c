/* test_alloc.c - every allocation of the core fails once.
 *
 * For each function: it is called with the first allocation failing, then the
 * second, and so on, until it gets through. Each failure is E_MEMORY, and what
 * the function would have filled is as it was. That nothing leaks is for the
 * sanitizer and for valgrind to see.
 */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

#include "core/grid.h"
#include "core/influence.h"
#include "core/probe.h"
#include "tests/alloc.h"

enum { MANY_ALLOCATIONS = 5000 };

/* One try of the function under test; context is its own. */
typedef enum status attempt(void *context, struct error *e);
/* Checks that outputs are as they were before the failed try. */
typedef void check(void *context);

static void each_allocation_fails(attempt *try, check *unchanged, void *context, size_t at_least)
{
	for (size_t n = 1;; n++) {
		struct error e = { 0 };
		assert_true(n < MANY_ALLOCATIONS);
		alloc_fail(n);
		enum status s = try(context, &e);
		size_t asked = alloc_count();
		alloc_fail(0);
		if (asked < n) {		/* it needs fewer: nothing failed */
			assert_int_equal(s, OK_STATUS);
			assert_true(n > at_least);
			return;
		}
		if (s != E_MEMORY)
			fail_msg("allocation %zu fails: status %d, '%s'", n, s, e.text);
		assert_int_equal(e.status, E_MEMORY);
		assert_true(e.text[0]);
		unchanged(context);
	}
}

/* Outputs that the function fills from nothing are filled with this before. */
static void scribble(void *p, size_t size)
{
	memset(p, 0x5a, size);
}

static void assert_scribbled(const void *p, size_t size)
{
	const unsigned char *byte = p;

	for (size_t i = 0; i < size; i++)
		assert_int_equal(byte[i], 0x5a);
}

#define EVERYTHING "pad=1,2 documents=1,1,1,1 hide=0:0 keep=1:1 mask=a bias=b bug=no-scale dropout-seed=4 softmax=column softmax-times=2 dropout=0.1 causal=on"

/* ---- options ---- */

static enum status try_init(void *context, struct error *e)
{
	struct options *o = context;

	enum status s = options_init(o, e);
	if (!s)
		options_free(o);
	return s;
}

static void options_scribbled(void *context)
{
	assert_scribbled(context, sizeof(struct options));
}

static void options_init_fails(void **state)
{
	struct options o;

	(void)state;
	scribble(&o, sizeof o);
	each_allocation_fails(try_init, options_scribbled, &o, 4);
}

struct two_options { struct options from, to; };

static enum status try_copy(void *context, struct error *e)
{
	struct two_options *o = context;

	enum status s = options_copy(&o->to, &o->from, e);
	if (!s)
		options_free(&o->to);
	return s;
}

static void copy_scribbled(void *context)
{
	assert_scribbled(&((struct two_options *)context)->to, sizeof(struct options));
}

static void options_copy_fails(void **state)
{
	struct two_options o;
	struct error e = { 0 };

	(void)state;
	assert_int_equal(options_init(&o.from, &e), OK_STATUS);
	options_from(&o.from, EVERYTHING);
	scribble(&o.to, sizeof o.to);
	each_allocation_fails(try_copy, copy_scribbled, &o, 8);
	options_free(&o.from);
}

/* An option's new value, when there is no memory for it. */
struct setting { struct options options, before; enum option which; const char *text; };

static enum status try_set(void *context, struct error *e)
{
	struct setting *s = context;

	return option_set(&s->options, s->which, s->text, e);
}

static void same_options(void *context)
{
	struct setting *s = context;

	assert_true(options_equal(&s->options, &s->before));
}

static void option_set_fails(void **state)
{
	static const struct { enum option which; const char *text; } settings[] = {
		{ OPT_PAD, "0,4,8-40" }, { OPT_DOCUMENTS, "3,2,1" }, { OPT_HIDE, "0:1,5:5,3:3" }, { OPT_KEEP, "2:2" },
		{ OPT_MASK, "file.npy" }, { OPT_BIAS, "file.npy" }, { OPT_BUG, "zero-fill" }, { OPT_SEED, "9" }, { OPT_DROPOUT_SEED, "9" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
		struct setting s = { .which = settings[k].which, .text = settings[k].text };
		struct error e = { 0 };
		assert_int_equal(options_init(&s.options, &e), OK_STATUS);
		options_from(&s.options, EVERYTHING);
		assert_int_equal(options_copy(&s.before, &s.options, &e), OK_STATUS);
		each_allocation_fails(try_set, same_options, &s, 1);
		assert_false(option_same(&s.options, &s.before, s.which));
		options_free(&s.options);
		options_free(&s.before);
	}
}

/* ---- scenarios ---- */

static enum status try_scenario(void *context, struct error *e)
{
	static char *texts[] = { "<시작>", "저는", "학생" };
	const struct tokens tokens = { texts, 3 };

	enum status s = scenario_random(context, "name", &tokens, 0, "12", e);
	if (!s)
		scenario_free(context);
	return s;
}

static void scenario_scribbled(void *context)
{
	assert_scribbled(context, sizeof(struct scenario));
}

static void scenario_random_fails(void **state)
{
	struct scenario s;

	(void)state;
	scribble(&s, sizeof s);
	each_allocation_fails(try_scenario, scenario_scribbled, &s, 12);
}

static enum status try_edit(void *context, struct error *e)
{
	struct edits *edits = context;

	return edits_put(edits, (struct edit){ ARRAY_V, 0, 3, 3, 2 }, e);
}

static void same_edits(void *context)
{
	struct edits *edits = context;

	assert_int_equal(edits->n, 8);
	for (size_t k = 0; k < 8; k++)
		assert_non_null(edits_find(edits, ARRAY_Q, 0, k, 0));
	assert_null(edits_find(edits, ARRAY_V, 0, 3, 3));
}

static void edits_put_fails(void **state)
{
	struct edits edits = { 0 }, copy = { 0 };
	struct error e = { 0 };

	(void)state;
	for (size_t k = 0; k < 8; k++)		/* as many as there is room for */
		assert_int_equal(edits_put(&edits, (struct edit){ ARRAY_Q, 0, k, 0, 1 }, &e), OK_STATUS);
	each_allocation_fails(try_edit, same_edits, &edits, 1);
	assert_int_equal(edits.n, 9);
	alloc_fail(1);
	assert_int_equal(edits_copy(&copy, &edits, &e), E_MEMORY);
	alloc_fail(0);
	assert_null(copy.v);
	edits_free(&edits);
}

/* ---- problems ---- */

struct building { struct fixture f; struct problem out; };

static enum status try_build(void *context, struct error *e)
{
	struct building *b = context;

	enum status s = problem_build(&b->out, &b->f.scenario, &b->f.options, &b->f.scenario.edits, &b->f.tables, e);
	if (!s)
		problem_free(&b->out);
	return s;
}

static void problem_scribbled(void *context)
{
	assert_scribbled(&((struct building *)context)->out, sizeof(struct problem));
}

static void build(struct building *b, size_t at_least)
{
	scribble(&b->out, sizeof b->out);
	each_allocation_fails(try_build, problem_scribbled, b, at_least);
	fixture_free(&b->f);
}

static void problem_build_fails(void **state)
{
	static const double numbers[12] = { 1, 2, 3, 4, 5, 6 };
	static struct building b;

	(void)state;
	fixture_random(&b.f, 3, 4, 5, 2, "1");		/* random Q, K, V of two heads */
	b.f.scenario.random.heads = 2;
	fixture_edit(&b.f, ARRAY_Q, 0, 0, 1);
	fixture_edit(&b.f, ARRAY_SCORES, 2, 3, 1);
	build(&b, 8);

	fixture_random(&b.f, 3, 3, 4, 2, "1");		/* X and its weights */
	b.f.scenario.random.d_model = 5;
	b.f.scenario.random.heads = 2;
	fixture_edit(&b.f, ARRAY_X, 0, 0, 1);
	fixture_set(&b.f, "n=5 d-k=3 seed=8");
	build(&b, 20);

	fixture_scores(&b.f, 3, 4, numbers);		/* scores alone */
	fixture_edit(&b.f, ARRAY_SCORES, 1, 1, 1);
	build(&b, 3);

	fixture_init(&b.f);				/* Q, K, V as given */
	fixture_array(&b.f, ARRAY_Q, 2, 3, numbers);
	fixture_array(&b.f, ARRAY_K, 4, 3, numbers);
	fixture_array(&b.f, ARRAY_V, 4, 2, numbers);
	build(&b, 4);
}

/* ---- attention, rows, the grid ---- */

static enum status try_attention(void *context, struct error *e)
{
	struct fixture *f = context;

	enum status s = attention_init(&f->attention, &f->problem, &f->options, &f->tables, e);
	if (!s)
		attention_free(&f->attention);
	return s;
}

static void attention_scribbled(void *context)
{
	assert_scribbled(&((struct fixture *)context)->attention, sizeof(struct attention));
}

static void attention_init_fails(void **state)
{
	static struct fixture f;

	(void)state;
	fixture_random(&f, 4, 4, 3, 2, "1");
	fixture_build(&f);
	fixture_set(&f, EVERYTHING);
	scribble(&f.attention, sizeof f.attention);
	each_allocation_fails(try_attention, attention_scribbled, &f, 12);
	fixture_set(&f, "softmax=row bug=none");
	scribble(&f.attention, sizeof f.attention);
	each_allocation_fails(try_attention, attention_scribbled, &f, 8);
	fixture_free(&f);
}

static enum status try_row(void *context, struct error *e)
{
	struct fixture *f = context;

	enum status s = row_init(&f->row, &f->attention, e);
	if (!s)
		row_free(&f->row);
	return s;
}

static void row_scribbled(void *context)
{
	assert_scribbled(&((struct fixture *)context)->row, sizeof(struct row));
}

static void row_init_fails(void **state)
{
	static struct fixture f;
	struct row kept;

	(void)state;
	fixture_random(&f, 4, 4, 3, 2, "1");
	fixture_start(&f);
	kept = f.row;
	scribble(&f.row, sizeof f.row);
	each_allocation_fails(try_row, row_scribbled, &f, 2);
	f.row = kept;
	fixture_free(&f);
}

struct joining {
	struct fixture f;
	struct joined joined;
};

static enum status try_joined(void *context, struct error *e)
{
	struct joining *j = context;
	double out[5];
	enum status s = joined_init(&j->joined, &j->f.attention, &j->f.tables, e);

	if (!s) {
		joined_row(&j->joined, 1, out);
		joined_free(&j->joined);
	}
	return s;
}

static void joined_scribbled(void *context)
{
	assert_scribbled(&((struct joining *)context)->joined, sizeof(struct joined));
}

static void joined_init_fails(void **state)
{
	static struct joining j;

	(void)state;
	fixture_random(&j.f, 3, 3, 4, 2, "1");
	j.f.scenario.random.d_model = 5;
	j.f.scenario.random.heads = 2;
	fixture_set(&j.f, "softmax=column pad=1");
	fixture_start(&j.f);
	scribble(&j.joined, sizeof j.joined);
	each_allocation_fails(try_joined, joined_scribbled, &j, 10);
	fixture_free(&j.f);
}

/* A grid that shows something, and what it showed. */
struct shown {
	struct fixture f;
	struct problem other;
	struct grid grid;
	const struct problem *next;
	struct options options;		/* to be taken over */
	enum stage from;
	size_t room;
	double weights[4][4];
};

static void look(struct shown *s)
{
	for (size_t i = 0; i < 4; i++)
		memcpy(s->weights[i], grid_row(&s->grid, i, STAGE_OUTPUT)->weights, sizeof s->weights[i]);
}

static void shows_the_same(void *context)
{
	struct shown *s = context;

	assert_ptr_equal(s->grid.attention.problem, &s->f.problem);
	assert_true(options_equal(&s->grid.attention.options, &s->f.options));
	assert_int_equal(s->grid.capacity, 2);
	for (size_t i = 0; i < 4; i++) {
		const struct row *r = grid_row(&s->grid, i, STAGE_OUTPUT);
		for (size_t j = 0; j < 4; j++)
			assert_same(r->weights[j], s->weights[i][j]);
	}
}

static void show(struct shown *s)
{
	struct error e = { 0 };

	memset(s, 0, sizeof *s);
	fixture_random(&s->f, 4, 4, 3, 2, "1");
	fixture_set(&s->f, "causal=on softmax=column");
	fixture_build(&s->f);
	assert_int_equal(grid_update(&s->grid, &s->f.problem, &s->f.options, &s->f.tables, STAGE_INPUT, &e), OK_STATUS);
	assert_int_equal(grid_reserve(&s->grid, 2, &e), OK_STATUS);
	assert_int_equal(options_copy(&s->options, &s->f.options, &e), OK_STATUS);
	look(s);
}

static void shut(struct shown *s)
{
	grid_free(&s->grid);
	problem_free(&s->other);
	options_free(&s->options);
	fixture_free(&s->f);
}

static enum status try_update(void *context, struct error *e)
{
	struct shown *s = context;

	return grid_update(&s->grid, s->next, &s->options, &s->f.tables, s->from, e);
}

static void grid_update_fails(void **state)
{
	static struct shown s;
	struct error e = { 0 };

	(void)state;
	show(&s);			/* other options on the same problem */
	options_from(&s.options, "causal=off hide=0:1");
	s.next = &s.f.problem;
	s.from = STAGE_MASKED;
	each_allocation_fails(try_update, shows_the_same, &s, 8);
	assert_same(grid_row(&s.grid, 0, STAGE_WEIGHTS)->weights[1], 0);
	shut(&s);

	show(&s);			/* another problem, of another shape */
	options_from(&s.options, "n=7 softmax=row");
	assert_int_equal(problem_build(&s.other, &s.f.scenario, &s.options, &s.f.scenario.edits, &s.f.tables, &e), OK_STATUS);
	s.next = &s.other;
	s.from = STAGE_INPUT;
	each_allocation_fails(try_update, shows_the_same, &s, 10);
	assert_int_equal(s.grid.capacity, 2);
	assert_int_equal(grid_row(&s.grid, 6, STAGE_WEIGHTS)->visible, 7);
	shut(&s);
}

static enum status try_reserve(void *context, struct error *e)
{
	struct shown *s = context;

	return grid_reserve(&s->grid, s->room, e);
}

static void grid_reserve_fails(void **state)
{
	static struct shown s;

	(void)state;
	show(&s);
	s.room = 5;
	each_allocation_fails(try_reserve, shows_the_same, &s, 12);
	assert_int_equal(s.grid.capacity, 5);
	shut(&s);
}

/* ---- probes and the influence picture, in pieces ---- */

static const struct probe_expect as_set;

struct probing { struct fixture f; struct probe_work *work; struct influence_work *picture; };

static void begin_probing(struct probing *p, const char *settings)
{
	memset(p, 0, sizeof *p);
	fixture_random(&p->f, 3, 4, 3, 2, "1");
	fixture_set(&p->f, settings);
	fixture_start(&p->f);
}

static enum status try_probe(void *context, struct error *e)
{
	struct probing *p = context;
	enum status s = probe_begin(&p->work, &p->f.attention, &as_set, &p->f.tables, e);

	if (!s)
		probe_work_free(p->work);
	return s;
}

static void work_scribbled(void *context)
{
	assert_scribbled(&((struct probing *)context)->work, sizeof(struct probe_work *));
}

static enum status try_picture(void *context, struct error *e)
{
	struct probing *p = context;
	enum status s = influence_begin(&p->picture, &p->f.attention, 0, 3, &p->f.tables, e);

	if (!s)
		influence_free(p->picture);
	return s;
}

static void picture_scribbled(void *context)
{
	assert_scribbled(&((struct probing *)context)->picture, sizeof(struct influence_work *));
}

static void begin_fails(void **state)
{
	static const double scores[12] = { 1, 2, 3 };
	static struct probing p;

	(void)state;
	for (int k = 0; k < 3; k++) {
		begin_probing(&p, k ? "softmax=column causal=on" : "causal=on");
		if (k == 2) {			/* V is the identity */
			fixture_free(&p.f);
			fixture_scores(&p.f, 3, 4, scores);
			fixture_start(&p.f);
		}
		scribble(&p.work, sizeof p.work);
		each_allocation_fails(try_probe, work_scribbled, &p, 7);
		scribble(&p.picture, sizeof p.picture);
		each_allocation_fails(try_picture, picture_scribbled, &p, 8);
		fixture_free(&p.f);
	}
}

/* Steps to the end, the n-th allocation failing: that step is taken again. Returns
 * whether one failed; the work goes on as if nothing had been. */
static bool probe_with_failure(struct probe_work *w, size_t n)
{
	struct error e = { 0 };
	bool more = true, failed = false;

	alloc_fail(n);
	while (more) {
		double progress = probe_progress(w);
		if (!probe_step(w, &more, &e))
			continue;
		assert_false(failed);
		failed = true;
		assert_true(more);
		assert_int_equal(e.status, E_MEMORY);
		assert_true(e.text[0]);
		assert_same(probe_progress(w), progress);
	}
	alloc_fail(0);
	return failed;
}

static void probe_steps_can_be_taken_again(void **state)
{
	static const char *const settings[] = { "causal=on fill=0 pad=1", "causal=on softmax=column" };
	static struct probing p;
	struct probe_report whole;
	struct error e = { 0 };

	(void)state;
	for (int k = 0; k < 2; k++) {
		bool failed = true;
		begin_probing(&p, settings[k]);
		assert_int_equal(probe_run(&whole, &p.f.attention, &as_set, &p.f.tables, &e), OK_STATUS);
		for (size_t n = 1; failed; n++) {
			assert_true(n < MANY_ALLOCATIONS);
			assert_int_equal(probe_begin(&p.work, &p.f.attention, &as_set, &p.f.tables, &e), OK_STATUS);
			failed = probe_with_failure(p.work, n);
			assert_true(failed || n > 18);	/* six for each of K, V and Q */
			const struct probe_report *r = probe_work_report(p.work);
			assert_memory_equal(r->moved, whole.moved, whole.n_q);
			for (int c = 0; c < PROBE_COUNT; c++) {
				assert_int_equal(r->check[c].ok, whole.check[c].ok);
				assert_string_equal(r->check[c].detail, whole.check[c].detail);
			}
			probe_work_free(p.work);
		}
		probe_free(&whole);
		fixture_free(&p.f);
	}
}

/* As probe_with_failure; what is given up after the failure leaves nothing. */
static bool influence_with_failure(struct influence_work *w, size_t n, bool give_up)
{
	struct error e = { 0 };
	bool more = true, failed = false;

	alloc_fail(n);
	while (more && !(failed && give_up)) {
		if (!influence_step(w, &more, &e))
			continue;
		assert_false(failed);
		failed = true;
		assert_true(more);
		assert_int_equal(e.status, E_MEMORY);
	}
	alloc_fail(0);
	return failed;
}

static void assert_all_but_hidden(const struct influence_work *w)
{
	static const char *const wanted[] = { "o.oo", "oooo", "ooo." };

	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 4; j++)
			assert_int_equal(influence_moves(w, i, j), wanted[i][j] == 'o');
}

static void influence_steps_can_be_taken_again(void **state)
{
	static struct probing p;
	struct error e = { 0 };
	bool failed = true;

	(void)state;
	begin_probing(&p, "hide=0:1,2:3 softmax=column");
	for (size_t n = 1; failed; n++)
		for (int give_up = 0; give_up < 2; give_up++) {
			assert_true(n < MANY_ALLOCATIONS);
			assert_int_equal(influence_begin(&p.picture, &p.f.attention, 0, 3, &p.f.tables, &e), OK_STATUS);
			failed = influence_with_failure(p.picture, n, give_up);
			if (!failed || !give_up)
				assert_all_but_hidden(p.picture);
			influence_free(p.picture);
		}
	fixture_free(&p.f);
}

static void probes_given_up_after_a_failure(void **state)
{
	static struct probing p;
	struct error e = { 0 };
	bool failed = true;

	(void)state;
	begin_probing(&p, "softmax=column causal=on");
	for (size_t n = 1; failed; n++) {
		bool more = true;
		assert_int_equal(probe_begin(&p.work, &p.f.attention, &as_set, &p.f.tables, &e), OK_STATUS);
		alloc_fail(n);
		for (failed = false; more && !failed;)
			failed = probe_step(p.work, &more, &e) != OK_STATUS;
		alloc_fail(0);
		probe_work_free(p.work);
	}
	fixture_free(&p.f);
}

static enum status try_window(void *context, struct error *e)
{
	return influence_window(((struct probing *)context)->picture, 1, 3, e);
}

static void same_window(void *context)
{
	const struct influence_work *w = ((struct probing *)context)->picture;

	assert_true(influence_done(w, 0));
	assert_same(influence_progress(w), 1);
	for (size_t j = 0; j < 4; j++)
		assert_int_equal(influence_moves(w, 1, j), j <= 1);
	assert_false(influence_known(w, 2, 0));
}

static void influence_window_fails(void **state)
{
	static struct probing p;
	struct error e = { 0 };
	bool more = true;

	(void)state;
	begin_probing(&p, "causal=on");
	assert_int_equal(influence_begin(&p.picture, &p.f.attention, 0, 2, &p.f.tables, &e), OK_STATUS);
	while (more)
		assert_int_equal(influence_step(p.picture, &more, &e), OK_STATUS);
	each_allocation_fails(try_window, same_window, &p, 2);
	assert_true(!influence_done(p.picture, 0) && influence_done(p.picture, 1) && !influence_done(p.picture, 2));
	influence_free(p.picture);
	fixture_free(&p.f);
}

/* ---- what is said without memory ---- */

static void refusals_need_no_memory(void **state)
{
	static struct fixture f;

	(void)state;
	fixture_random(&f, 4, 4, 3, 2, "1");
	fixture_build(&f);
	fixture_set(&f, "pad=9");
	for (size_t n = 0; n < 3; n++) {
		struct error e = { 0 };
		alloc_fail(n);
		enum status s = mask_check(&f.problem, &f.options, &e);
		alloc_fail(0);
		assert_int_equal(s, E_VALUE);
		assert_string_equal(e.text, "key 9 is outside 0..3");
	}
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_init_fails),
		cmocka_unit_test(options_copy_fails),
		cmocka_unit_test(option_set_fails),
		cmocka_unit_test(scenario_random_fails),
		cmocka_unit_test(edits_put_fails),
		cmocka_unit_test(problem_build_fails),
		cmocka_unit_test(attention_init_fails),
		cmocka_unit_test(row_init_fails),
		cmocka_unit_test(joined_init_fails),
		cmocka_unit_test(grid_update_fails),
		cmocka_unit_test(grid_reserve_fails),
		cmocka_unit_test(begin_fails),
		cmocka_unit_test(probe_steps_can_be_taken_again),
		cmocka_unit_test(probes_given_up_after_a_failure),
		cmocka_unit_test(influence_steps_can_be_taken_again),
		cmocka_unit_test(influence_window_fails),
		cmocka_unit_test(refusals_need_no_memory),
	};
	return cmocka_run_group_tests_name("alloc", tests, NULL, NULL);
}
