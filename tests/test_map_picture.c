/* test_map_picture.c - the map of all weights in small: against the rows themselves, and
 * as a panel with the window in it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/play.h"
#include "tui/language.h"
#include "tui/map_picture.h"

/* ---- the numbers ---- */

/* Means and largest of a row of bins, from the rows that the grid shows. */
static void pool(struct play *p, const struct map_picture *m, size_t r, double *mean, double *largest)
{
	size_t columns = map_picture_columns(m), first = map_picture_query(m, r), last = map_picture_query(m, r + 1);

	for (size_t i = first; i < last; i++) {
		const double *w = grid_row(&p->state.grid, i, STAGE_WEIGHTS)->weights;
		for (size_t c = 0; c < columns; c++) {
			size_t from = map_picture_key(m, c), to = map_picture_key(m, c + 1);
			if (i == first)
				mean[c] = largest[c] = 0;
			for (size_t j = from; j < to; j++) {
				mean[c] += w[j] / (double)((last - first) * (to - from));
				largest[c] = isnan(w[j]) || w[j] > largest[c] ? w[j] : largest[c];
			}
		}
	}
}

static void near(double x, double wanted, double tolerance)
{
	if (isnan(wanted) ? !isnan(x) : !(fabs(x - wanted) <= tolerance))
		fail_msg("%.9g is not %.9g", x, wanted);
}

/* All of a picture of at most 7 x 9 cells. */
static void compare(const char *input, const char *settings, bool is_float)
{
	struct play p;
	struct error e = { 0 };
	struct map_picture *m = NULL;
	double mean[9], largest[9], tolerance = is_float ? 2e-6 : 1e-12;

	play_open(&p, input, settings);
	assert_int_equal(map_picture_begin(&m, &p.state.grid.attention, 7, 9, &e), OK_STATUS);
	assert_int_equal(map_picture_is_float(m), is_float);
	while (map_picture_step(m))
		;
	assert_true(map_picture_done(m));
	near(map_picture_progress(m), 1, 0);
	near(map_picture_error(m), 0, 0);
	assert_int_equal(map_picture_query(m, map_picture_rows(m)), p.state.problem->n_q);
	assert_int_equal(map_picture_key(m, map_picture_columns(m)), p.state.problem->n_k);
	for (size_t r = 0; r < map_picture_rows(m); r++) {
		pool(&p, m, r, mean, largest);
		assert_true(map_picture_known(m, r));
		for (size_t c = 0; c < map_picture_columns(m); c++) {
			near(map_picture_mean(m, r, c), mean[c], tolerance);
			near(map_picture_largest(m, r, c), largest[c], tolerance);
		}
	}
	map_picture_free(m);
	play_free(&p);
}

static void small_inputs_are_pooled_in_double(void **state)
{
	(void)state;
	compare("causal-3", NULL, false);
	compare("saturation-16", NULL, false);
	compare("cross-3x5", NULL, false);
	compare("all-pad-3", NULL, false);		/* nan where no key is visible */
	compare("random-4", "n=40 causal=on mask-at=after", false);
}

/* Too many for rows in double: in float32 where its rules are known, else not. */
#define LARGE "qkv: 1\nrandom: {n: 600, d-k: 32, seed: 3}\n"

static void large_inputs_are_pooled_in_float(void **state)
{
	(void)state;
	compare(LARGE, NULL, true);
	compare(LARGE, "causal=on scale=dk temperature=0.7", true);
	compare(LARGE, "causal=on causal-offset=-30 pad=0-9,500,599", true);	/* rows without a key */
	compare(LARGE, "pad=0-9 pad-mask=off", true);
	compare(LARGE, "bug=no-scale", true);
}

/* As long, but narrow: in double it takes long. */
#define NARROW "qkv: 1\nrandom: {n: 600, d-k: 4, seed: 3}\n"

static void what_float_does_not_know_is_pooled_from_rows(void **state)
{
	(void)state;
	compare(NARROW, "window=50", false);
	compare(NARROW, "causal=on fill=-5", false);
	compare(NARROW, "hide=3:4 keep=5:6 causal=on", false);
	compare(NARROW, "alibi=0.1", false);
	compare(NARROW, "dtype=f16 causal=on", false);
	compare(NARROW, "softmax-times=2", false);
	compare(NARROW "edits: [{cell: \"scores 2:3\", value: 9}]\n", NULL, false);
}

/* While it is not finished the means are near what they become, as near as is said, and
 * the largest are not larger. */
static void what_is_not_finished_is_stated(void **state)
{
	struct play p;
	struct error e = { 0 };
	struct map_picture *m = NULL, *whole = NULL;
	double sum = 0, off = 0, before = 0;

	(void)state;
	play_open(&p, LARGE, "causal=on window=300");
	assert_int_equal(map_picture_begin(&m, &p.state.grid.attention, 10, 10, &e), OK_STATUS);
	assert_int_equal(map_picture_begin(&whole, &p.state.grid.attention, 10, 10, &e), OK_STATUS);
	assert_true(isinf(map_picture_error(m)));
	assert_false(map_picture_known(m, 0));
	while (map_picture_step(whole))
		;
	assert_true(map_picture_step(m));
	assert_false(map_picture_done(m));
	double said = map_picture_error(m);
	for (size_t r = 0; r < 10; r++)
		for (size_t c = 0; c < 10; c++) {
			assert_true(map_picture_known(m, r));
			sum += map_picture_mean(whole, r, c);
			off += fabs(map_picture_mean(m, r, c) - map_picture_mean(whole, r, c));
			assert_true(map_picture_largest(m, r, c) <= map_picture_largest(whole, r, c));
		}
	assert_true(off > 0);
	if (!(off / sum < 2.5 * said && off / sum > said / 2.5))
		fail_msg("off by %g, said is %g", off / sum, said);
	while (map_picture_step(m)) {
		assert_true(map_picture_progress(m) > before);
		before = map_picture_progress(m);
	}
	map_picture_free(m);
	map_picture_free(whole);
	play_free(&p);
}

/* ---- the panel ---- */

static void the_map_is_drawn(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "saturation-16", NULL);
	play_keys(&p, "O");
	must_show(&p, "overview: each dot a weight");
	must_show(&p, "finished, from all 16 queries");
	must_show(&p, "of 16, keys 0-");
	must_show(&p, "\u250c");
	must_lack(&p, "float32");
	play_keys(&p, "<Esc>");
	must_lack(&p, "overview: each");
	play_keys(&p, "O <Enter>");
	must_lack(&p, "overview: each");
	assert_int_equal(p.state.mode, MODE_GRID);
	play_free(&p);
}

static void every_size_and_look_draws(void **state)
{
	static const struct { int rows, columns; } sizes[] = { { 24, 80 }, { 60, 200 }, { 12, 40 }, { 6, 20 }, { 14, 30 }, { 8, 200 } };
	static const char *const looks[] = { "", "color=never", "color=never ascii=on", "color=16 theme=light", "color=256 lang=ko" };
	static const char *const inputs[] = { "two-tokens", "cross-3x5", "all-pad-3", LARGE };

	(void)state;
	for (size_t l = 0; l < sizeof looks / sizeof *looks; l++)
		for (size_t n = 0; n < sizeof inputs / sizeof *inputs; n++) {
			struct play p;
			play_open(&p, inputs[n], looks[l]);
			play_keys(&p, "O");
			for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
				play_resize(&p, sizes[k].rows, sizes[k].columns);
				play_keys(&p, "<Tab> <Down> <Right>");
				assert_int_equal(p.state.panel.kind, PANEL_OVERVIEW);
			}
			play_free(&p);
		}
}

static void keys_move_the_window(void **state)
{
	struct play p;
	size_t top, left;

	(void)state;
	play_open(&p, LARGE, "causal=on");
	play_keys(&p, "O");
	must_show(&p, "window: queries 0-");
	must_show(&p, "in float32");
	size_t dots = (size_t)p.state.panel.overview.place.dots_down, across = (size_t)p.state.panel.overview.place.dots_across;
	play_keys(&p, "<Down>");
	assert_int_equal(p.state.top, 600 / dots);
	play_keys(&p, "<Right> <Right>");
	assert_int_equal(p.state.left, 600 / across * 2);
	top = p.state.top;
	left = p.state.left;
	play_keys(&p, "<PgDn>");
	assert_int_equal(p.state.top, top + 600 / dots * 10);
	play_keys(&p, "<PgUp> <Up>");
	assert_int_equal(p.state.top, 0);
	assert_int_equal(p.state.left, left);
	play_keys(&p, "G <End>");
	assert_int_equal(p.state.row, 599);
	assert_int_equal(p.state.column, 599);
	assert_int_equal(p.state.top, 600 - p.layout.visible_rows);
	must_show(&p, "-599 of 600, keys");
	play_keys(&p, "<Up>");
	assert_int_equal(p.state.top, 600 - p.layout.visible_rows - 600 / dots);
	play_keys(&p, "<Enter>");
	assert_int_equal(p.state.panel.kind, PANEL_NONE);
	assert_int_equal(p.state.top, 600 - p.layout.visible_rows - 600 / dots);
	play_free(&p);
}

static void mean_and_largest_are_switched(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, LARGE, NULL);
	play_keys(&p, "O");
	must_show(&p, "each dot the mean of");
	play_keys(&p, "<Tab>");
	must_show(&p, "each dot the largest of");
	assert_int_equal(p.state.now.options.stage, STAGE_WEIGHTS);
	play_keys(&p, "<Tab>");
	must_show(&p, "each dot the mean of");
	play_free(&p);
}

/* Switches work while it is open, and the picture is that of what is in force. */
static void a_change_makes_it_anew(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, LARGE, NULL);
	play_keys(&p, "O");
	size_t last = map_picture_columns(p.state.panel.overview.picture) - 1;
	assert_true(map_picture_mean(p.state.panel.overview.picture, 0, last) > 0);
	play_keys(&p, "c");
	must_show(&p, "overview: each");
	near(map_picture_mean(p.state.panel.overview.picture, 0, last), 0, 0);
	play_keys(&p, "u");
	assert_true(map_picture_mean(p.state.panel.overview.picture, 0, last) > 0);
	play_free(&p);
}

static void it_tells_how_far_it_is(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, LARGE, "window=300");
	play_keys_flashing(&p, "O");
	must_show(&p, "some rows are not begun");
	do
		assert_true(state_work(&p.state));
	while (isinf(map_picture_error(p.state.panel.overview.picture)));
	play_keys_flashing(&p, "");
	must_show(&p, "the means are off by about");
	must_show(&p, " % ");
	play_keys_flashing(&p, "<Tab>");
	must_show(&p, "at least as large as it looks");
	play_keys(&p, "");
	must_show(&p, "finished, from all 600 queries");
	play_free(&p);
}

/* Of the output there is no such map: the weights come on the screen. */
static void it_shows_weights_from_any_stage(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "random-4", NULL);
	play_keys(&p, "5 O");
	must_show(&p, "overview: each dot a weight");
	assert_int_equal(p.state.now.options.stage, STAGE_WEIGHTS);
	play_keys(&p, "u");
	must_lack(&p, "overview: each dot");
	assert_int_equal(p.state.now.options.stage, STAGE_OUTPUT);
	play_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_inputs_are_pooled_in_double),
		cmocka_unit_test(large_inputs_are_pooled_in_float),
		cmocka_unit_test(what_float_does_not_know_is_pooled_from_rows),
		cmocka_unit_test(what_is_not_finished_is_stated),
		cmocka_unit_test(the_map_is_drawn),
		cmocka_unit_test(every_size_and_look_draws),
		cmocka_unit_test(keys_move_the_window),
		cmocka_unit_test(mean_and_largest_are_switched),
		cmocka_unit_test(a_change_makes_it_anew),
		cmocka_unit_test(it_tells_how_far_it_is),
		cmocka_unit_test(it_shows_weights_from_any_stage),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	language_add_builtin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
