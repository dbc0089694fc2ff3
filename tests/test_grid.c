/* test_grid.c - the rows on screen: a partial recompute equals a full one.
 *
 * Random sequences of changes, with fixed seeds. After each the grid is told of
 * the first stage that the change dirties, as the registry of options has it,
 * and every number that it then shows is compared, bit for bit, with a row
 * computed from nothing.
 */
#include "tests/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grid.h"

/* ---- comparison ---- */

static void same_numbers(const double *got, const double *wanted, size_t n, const char *what, size_t i, const char *history)
{
	for (size_t j = 0; j < n; j++)
		if (!same_number(got[j], wanted[j]))
			fail_msg("%s %zu:%zu is %.17g instead of %.17g after%s", what, i, j, got[j], wanted[j], history);
}

static void same_row(const struct row *got, const struct row *wanted, const struct attention *a, bool with_output, const char *history)
{
	size_t n = a->problem->n_k, i = wanted->index;
	const double statistics[2][5] = {
		{ got->maximum, got->denominator, got->sum, got->largest, got->entropy },
		{ wanted->maximum, wanted->denominator, wanted->sum, wanted->largest, wanted->entropy },
	};

	assert_int_equal(got->index, i);
	same_numbers(got->scores, wanted->scores, n, "scores", i, history);
	same_numbers(got->scaled, wanted->scaled, n, "scaled", i, history);
	same_numbers(got->masked, wanted->masked, n, "masked", i, history);
	same_numbers(got->weights, wanted->weights, n, "weights", i, history);
	same_numbers(statistics[0], statistics[1], 5, "statistics", i, history);
	if (with_output)
		same_numbers(got->output, wanted->output, a->problem->d_v, "output", i, history);
	assert_memory_equal(got->rules, wanted->rules, n * sizeof *got->rules);
	assert_memory_equal(got->overridden, wanted->overridden, n * sizeof *got->overridden);
	assert_int_equal(got->visible, wanted->visible);
	assert_int_equal(got->verdict, wanted->verdict);
	if (wanted->verdict == VERDICT_NON_FINITE)
		assert_int_equal(got->culprit, wanted->culprit);
}

/* ---- changes ---- */

/* Values for the options that touch the arithmetic, of inputs with 6 queries and 6 keys. */
static const struct { enum option which; const char *values[6]; } changes[] = {
	{ OPT_CAUSAL, { "on", "off" } },
	{ OPT_CAUSAL_ALIGN, { "top-left", "bottom-right" } },
	{ OPT_CAUSAL_OFFSET, { "0", "-1", "1", "-9" } },
	{ OPT_PAD, { "none", "1,2", "0", "0-5", "5" } },
	{ OPT_PAD_MASK, { "on", "off" } },
	{ OPT_WINDOW, { "off", "1", "3" } },
	{ OPT_PREFIX, { "off", "2" } },
	{ OPT_DOCUMENTS, { "off", "1,1,2,2,0,3" } },
	{ OPT_HIDE, { "none", "0:0,3:1,5:5", "2:0,2:1,2:2,2:3,2:4,2:5" } },
	{ OPT_KEEP, { "none", "0:3,4:4" } },
	{ OPT_MASK_INVERT, { "off", "on" } },
	{ OPT_PAD_AXIS, { "key", "query", "both" } },
	{ OPT_TRANSPOSE, { "on", "off" } },
	{ OPT_SCALE, { "sqrt", "none", "dk", "dmodel", "-0.7" } },
	{ OPT_D_MODEL, { "auto", "17" } },
	{ OPT_SCALE_TIMES, { "1", "2" } },
	{ OPT_TEMPERATURE, { "1", "0.5", "3" } },
	{ OPT_SOFTCAP, { "off", "2" } },
	{ OPT_ALIBI, { "off", "auto", "0.3" } },
	{ OPT_FILL, { "-inf", "0", "-1e9", "min", "1e-9" } },
	{ OPT_FILL_OP, { "replace", "add", "multiply" } },
	{ OPT_KEEP_VALUE, { "none", "1" } },
	{ OPT_MASK_AT, { "before", "after", "after-renorm" } },
	{ OPT_EMPTY_ROW, { "literal", "zero", "uniform" } },
	{ OPT_SOFTMAX, { "row", "column", "row" } },
	{ OPT_SOFTMAX_KIND, { "stable", "naive" } },
	{ OPT_SOFTMAX_TIMES, { "1", "2" } },
	{ OPT_DROPOUT, { "0", "0.3", "0.9" } },
	{ OPT_DROPOUT_SEED, { "0", "7" } },
	{ OPT_DTYPE, { "auto", "f32", "f16", "bf16" } },
	{ OPT_SCORE_DTYPE, { "as-dtype", "f16", "f64" } },
	{ OPT_FILL_DTYPE, { "as-dtype", "f16", "bf16" } },
	{ OPT_BUG, { "none", "no-scale", "column-softmax,future-step", "f16-fill", "dropout-on,softmax-twice" } },
	{ OPT_HEAD, { "0", "1" } },
	{ OPT_STAGE, { "weights", "scores" } },
	{ OPT_PRECISION, { "auto", "5" } },
};
enum { CHANGES = sizeof changes / sizeof *changes };

/* A grid beside the fixture, and what happened so far. */
struct screen {
	struct fixture f;
	struct grid grid;
	struct dice dice;
	char history[4096];
};

static void note(struct screen *s, const char *text)
{
	size_t n = strlen(s->history);

	if (n + strlen(text) + 2 < sizeof s->history)
		snprintf(s->history + n, sizeof s->history - n, " %s", text);
}

/* Sets a random option to a random value of its list; the stage it dirties. */
static enum stage change_option(struct screen *s)
{
	struct error e = { 0 };
	size_t c = dice_below(&s->dice, CHANGES), n = 0;
	const struct option_info *info = option_info(changes[c].which);
	char text[128];

	while (n < 6 && changes[c].values[n])
		n++;
	/* Defaults come up half of the time, so that not everything is on at once. */
	const char *value = changes[c].values[dice_below(&s->dice, 2) ? 0 : dice_below(&s->dice, n)];
	if (option_set(&s->f.options, changes[c].which, value, &e))
		fail_msg("%s %s: %s", info->name, value, e.text);
	snprintf(text, sizeof text, "%s=%s", info->name, value);
	note(s, text);
	return info->dirties;
}

/* An edit of a random cell; the problem is made anew. */
static enum stage change_number(struct screen *s)
{
	static const double values[] = { 0, 1.25, -7, 1e4, INFINITY, NAN };
	struct problem *p = &s->f.problem;
	enum array a = p->source == SOURCE_SCORES ? ARRAY_SCORES
		     : p->source == SOURCE_X ? (enum array)(ARRAY_X + dice_below(&s->dice, 4))
		     : (enum array[]){ ARRAY_Q, ARRAY_K, ARRAY_V, ARRAY_SCORES }[dice_below(&s->dice, 4)];
	const struct matrix *m = problem_array(p, a, 0);
	size_t rows = m ? m->rows : p->n_q, columns = m ? m->columns : p->n_k;

	fixture_edit(&s->f, a, dice_below(&s->dice, rows), dice_below(&s->dice, columns), values[dice_below(&s->dice, 6)]);
	if (dice_below(&s->dice, 4) == 0)		/* and now and then all is undone */
		edits_free(&s->f.scenario.edits);
	fixture_rebuild(&s->f);
	note(s, "(edit)");
	return STAGE_INPUT;
}

/* ---- a sequence of them ---- */

/* Rows in any order, to any stage; the grid has room for few. */
static void look_around(struct screen *s)
{
	struct attention a;
	struct row fresh;
	struct error e = { 0 };
	size_t n_q = s->f.problem.n_q;

	assert_int_equal(attention_init(&a, &s->f.problem, &s->f.options, &s->f.tables, &e), OK_STATUS);
	assert_int_equal(row_init(&fresh, &a, &e), OK_STATUS);
	for (size_t looks = dice_below(&s->dice, 2 * n_q + 1); looks; looks--) {
		size_t i = dice_below(&s->dice, n_q);
		enum stage last = (enum stage)(STAGE_SCORES + dice_below(&s->dice, 5));
		const struct row *r = grid_row(&s->grid, i, last);
		row_compute(&fresh, &a, i, STAGE_SCORES, STAGE_OUTPUT);
		same_row(r, &fresh, &s->grid.attention, last == STAGE_OUTPUT, s->history);
	}
	row_free(&fresh);
	attention_free(&a);
}

static void update(struct screen *s, enum stage from)
{
	struct error e = { 0 };
	struct fixture *f = &s->f;

	if (grid_update(&s->grid, &f->problem, &f->options, &f->tables, from, &e))
		fail_msg("%s after%s", e.text, s->history);
}

/* Some changes at once, then a look; `from` is the first stage that any dirties. */
static void step(struct screen *s)
{
	enum stage from = STAGE_COUNT;

	for (size_t n = 1 + dice_below(&s->dice, 3); n; n--) {
		enum stage dirty = dice_below(&s->dice, 8) ? change_option(s) : change_number(s);
		if (dirty < from)
			from = dirty;
	}
	update(s, from);
	look_around(s);
}

static void run(struct screen *s, size_t capacity, uint64_t seed, int steps)
{
	struct error e = { 0 };

	s->dice.state = seed;
	s->grid = (struct grid){ 0 };
	s->history[0] = '\0';
	fixture_build(&s->f);
	update(s, STAGE_INPUT);
	assert_int_equal(grid_reserve(&s->grid, capacity, &e), OK_STATUS);
	for (int n = 0; n < steps; n++)
		step(s);
	grid_free(&s->grid);
	fixture_free(&s->f);
}

enum { STEPS = 60, RUNS = 40 };

static void given_q_k_v(void **state)
{
	(void)state;
	for (int n = 0; n < RUNS; n++) {
		static struct screen s;
		char seed[16];
		snprintf(seed, sizeof seed, "%d", n);
		fixture_random(&s.f, 6, 6, 6, 3, seed);		/* n_k = d_k, for transpose off */
		s.f.scenario.random.heads = 2;
		run(&s, 1 + (size_t)n % 7, 100 + (uint64_t)n, STEPS);
	}
}

static void given_x(void **state)
{
	(void)state;
	for (int n = 0; n < RUNS / 2; n++) {
		static struct screen s;
		fixture_random(&s.f, 6, 6, 6, 2, "3");
		s.f.scenario.random.heads = 2;
		s.f.scenario.random.d_model = 5;
		run(&s, 3, 500 + (uint64_t)n, STEPS);
	}
}

/* No transpose and no second head to switch to: such changes are refused, which
 * is a test of its own; the options go back to what they were. */
static void given_scores(void **state)
{
	struct dice d = { 77 };
	double scores[36];

	(void)state;
	for (int n = 0; n < RUNS / 2; n++) {
		static struct screen s;
		struct error e = { 0 };
		for (int c = 0; c < 36; c++)
			scores[c] = dice_between(&d, -5, 5);
		fixture_scores(&s.f, 6, 6, scores);
		fixture_array(&s.f, ARRAY_SCORES, 6, 6, scores);	/* a second head, the same */
		s.f.scenario.d_k = 6;
		s.dice.state = 900 + (uint64_t)n;
		s.history[0] = '\0';
		s.grid = (struct grid){ 0 };
		fixture_build(&s.f);
		update(&s, STAGE_INPUT);
		assert_int_equal(grid_reserve(&s.grid, 4, &e), OK_STATUS);
		for (int k = 0; k < STEPS; k++) {
			enum stage from = dice_below(&s.dice, 8) ? change_option(&s) : change_number(&s);
			if (!s.f.options.transpose) {
				assert_int_equal(grid_update(&s.grid, &s.f.problem, &s.f.options, &s.f.tables, from, &e), E_VALUE);
				fixture_set(&s.f, "transpose=on");
			}
			update(&s, from);
			look_around(&s);
		}
		grid_free(&s.grid);
		fixture_free(&s.f);
	}
}

/* Every single option, there and back, on a grid whose rows are all complete. */
static void each_option_dirties_enough(void **state)
{
	(void)state;
	for (int c = 0; c < CHANGES; c++)
		for (int v = 0; v < 6 && changes[c].values[v]; v++) {
			static struct screen s;
			struct error e = { 0 };
			fixture_random(&s.f, 6, 6, 6, 3, "1");
			s.f.scenario.random.heads = 2;
			fixture_set(&s.f, "causal=on pad=3 keep=0:3 fill=-5 alibi=0.1 softmax-times=2 dropout=0.2");
			s.grid = (struct grid){ 0 };
			s.dice.state = 5;
			s.history[0] = '\0';
			fixture_build(&s.f);
			update(&s, STAGE_INPUT);
			assert_int_equal(grid_reserve(&s.grid, 6, &e), OK_STATUS);
			for (int back = 0; back < 2; back++) {
				for (size_t i = 0; i < 6; i++)
					grid_row(&s.grid, i, STAGE_OUTPUT);
				assert_int_equal(option_set(&s.f.options, changes[c].which, changes[c].values[back ? 0 : v], &e), OK_STATUS);
				note(&s, option_info(changes[c].which)->name);
				update(&s, option_info(changes[c].which)->dirties);
				look_around(&s);
			}
			grid_free(&s.grid);
			fixture_free(&s.f);
		}
}

/* All options of the registry that change numbers are among the changes above. */
static void no_option_is_forgotten(void **state)
{
	static const enum option elsewhere[] = { OPT_MASK, OPT_BIAS, OPT_POLARITY,	/* files: a new problem */
		OPT_LAYER, OPT_BATCH,							/* only 0 exists */
		OPT_SEED, OPT_N, OPT_D_K, OPT_D_V };					/* a new problem */

	(void)state;
	for (int o = 0; o < OPT_COUNT; o++) {
		bool found = option_info((enum option)o)->dirties == STAGE_COUNT;
		for (int c = 0; c < CHANGES && !found; c++)
			found = changes[c].which == (enum option)o;
		for (size_t c = 0; c < sizeof elsewhere / sizeof *elsewhere && !found; c++)
			found = elsewhere[c] == (enum option)o;
		if (!found)
			fail_msg("%s is not tried", option_info((enum option)o)->name);
	}
}

/* ---- memory and shapes ---- */

static void a_new_problem_of_another_shape(void **state)
{
	static const char *const n[] = { "6", "1", "9", "3", "12" };
	static struct screen s;
	struct error e = { 0 };

	(void)state;
	fixture_random(&s.f, 6, 6, 4, 3, "2");
	s.grid = (struct grid){ 0 };
	s.dice.state = 8;
	s.history[0] = '\0';
	fixture_set(&s.f, "causal=on softmax=column");
	for (size_t k = 0; k < sizeof n / sizeof *n; k++) {
		assert_int_equal(option_set(&s.f.options, OPT_N, n[k], &e), OK_STATUS);
		fixture_rebuild(&s.f);
		update(&s, STAGE_INPUT);
		assert_int_equal(grid_reserve(&s.grid, 2 + k, &e), OK_STATUS);
		for (int looks = 0; looks < 5; looks++)
			look_around(&s);
	}
	grid_free(&s.grid);
	fixture_free(&s.f);
}

/* Rows may be asked for before any room was. */
static void one_row_is_always_there(void **state)
{
	static struct screen s;

	(void)state;
	fixture_random(&s.f, 3, 3, 4, 3, "2");
	s.grid = (struct grid){ 0 };
	s.history[0] = '\0';
	fixture_build(&s.f);
	update(&s, STAGE_INPUT);
	assert_int_equal(s.grid.capacity, 1);
	for (size_t i = 0; i < 3; i++)
		same_row(grid_row(&s.grid, i, STAGE_OUTPUT), fixture_row(&s.f, i), &s.grid.attention, true, "");
	grid_free(&s.grid);
	fixture_free(&s.f);
}

static void more_room_forgets_nothing_wrong(void **state)
{
	static struct screen s;
	struct error e = { 0 };

	(void)state;
	fixture_random(&s.f, 9, 9, 4, 3, "2");
	s.grid = (struct grid){ 0 };
	s.dice.state = 8;
	s.history[0] = '\0';
	fixture_build(&s.f);
	update(&s, STAGE_INPUT);
	for (size_t room = 1; room < 12; room++) {
		assert_int_equal(grid_reserve(&s.grid, room, &e), OK_STATUS);
		assert_true(s.grid.capacity >= room);
		look_around(&s);
		assert_int_equal(grid_reserve(&s.grid, 1, &e), OK_STATUS);	/* never shrinks */
		assert_true(s.grid.capacity >= room);
	}
	grid_free(&s.grid);
	grid_free(&s.grid);		/* a zeroed one is accepted */
	fixture_free(&s.f);
}

/* Rows in view stay valid together as long as no more than `capacity` are asked for. */
static void a_full_screen_at_once(void **state)
{
	static struct screen s;
	const struct row *row[8];
	struct error e = { 0 };

	(void)state;
	fixture_random(&s.f, 40, 40, 4, 3, "2");
	s.grid = (struct grid){ 0 };
	fixture_build(&s.f);
	update(&s, STAGE_INPUT);
	assert_int_equal(grid_reserve(&s.grid, 8, &e), OK_STATUS);
	for (size_t top = 0; top + 8 <= 40; top += 3) {
		for (size_t i = 0; i < 8; i++)
			row[i] = grid_row(&s.grid, top + i, STAGE_OUTPUT);
		for (size_t i = 0; i < 8; i++)
			same_row(row[i], fixture_row(&s.f, top + i), &s.grid.attention, true, "");
	}
	grid_free(&s.grid);
	fixture_free(&s.f);
}

/* What does not fit is refused, and the grid goes on showing what it had. */
static void a_refused_update_changes_nothing(void **state)
{
	static const char *const bad[] = { "pad=6", "documents=1", "hide=9:0", "head=5", "bug=nothing", "transpose=off" };
	struct options before;
	struct error e = { 0 };
	static struct screen s;

	(void)state;
	fixture_random(&s.f, 6, 6, 4, 3, "2");
	s.grid = (struct grid){ 0 };
	s.dice.state = 4;
	s.history[0] = '\0';
	fixture_set(&s.f, "causal=on dropout=0.5 softmax=column");
	fixture_build(&s.f);
	update(&s, STAGE_INPUT);
	assert_int_equal(grid_reserve(&s.grid, 6, &e), OK_STATUS);
	look_around(&s);
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
		for (int from = STAGE_INPUT; from <= STAGE_COUNT; from++) {
			assert_int_equal(options_copy(&before, &s.f.options, &e), OK_STATUS);
			fixture_set(&s.f, bad[k]);
			assert_int_not_equal(grid_update(&s.grid, &s.f.problem, &s.f.options, &s.f.tables, (enum stage)from, &e), OK_STATUS);
			options_free(&s.f.options);
			s.f.options = before;
			assert_true(options_equal(&s.grid.attention.options, &before));
			look_around(&s);
		}
	grid_free(&s.grid);
	fixture_free(&s.f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(given_q_k_v),
		cmocka_unit_test(given_x),
		cmocka_unit_test(given_scores),
		cmocka_unit_test(each_option_dirties_enough),
		cmocka_unit_test(no_option_is_forgotten),
		cmocka_unit_test(a_new_problem_of_another_shape),
		cmocka_unit_test(one_row_is_always_there),
		cmocka_unit_test(more_room_forgets_nothing_wrong),
		cmocka_unit_test(a_full_screen_at_once),
		cmocka_unit_test(a_refused_update_changes_nothing),
	};
	return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
