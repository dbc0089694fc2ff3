/* test_long_view.c - long float inputs on the screen: rows in float32 as far as they are
 * seen, against the rows in double, and what is computed in double all the same.
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
#include <unistd.h>

#include "tests/play.h"
#include "tests/tensors_make.h"
#include "tui/compare.h"

enum { N = LONG_KEYS + 100, D = 2, HEADS = 2 };

static char path[64];

/* Q, K and V of two heads, as float32. */
static void write_file(const char *type)
{
	struct making m = { 0 };
	double *v = calloc((size_t)HEADS * N * D, sizeof *v);
	char shape[64];
	int fd;

	assert_non_null(v);
	snprintf(shape, sizeof shape, "1, %d, %d, %d", HEADS, N, D);
	for (unsigned k = 0; k < 3; k++) {
		some_numbers(v, (size_t)HEADS * N * D, k + 1);
		make_array(&m, &"q\0k\0v"[2 * k], type, shape, v);
	}
	free(v);
	struct buffer bytes = make_bytes(&m);
	snprintf(path, sizeof path, "/tmp/qkv-long-XXXXXX.safetensors");
	assert_true((fd = mkstemps(path, 12)) >= 0);
	assert_int_equal(write(fd, bytes.data, bytes.size), bytes.size);
	close(fd);
	buffer_free(&bytes);
}

static void open_file(struct play *p, const char *type, const char *settings)
{
	write_file(type);
	play_open(p, path, settings);
	unlink(path);
}

static void near(double x, double wanted)
{
	bool same = isfinite(wanted) ? fabs(x - wanted) <= 1e-5 * fabs(wanted) + 1e-6 : x == wanted || (isnan(x) && isnan(wanted));

	if (!same)
		fail_msg("%.9g is not %.9g", x, wanted);
}

/* All that is on screen, beside what one row in double says. */
static void compare_screen(struct play *p)
{
	struct state *s = &p->state;
	size_t n;

	assert_true(s->long_view.on);
	for (size_t i = s->top; i < s->top + p->layout.visible_rows && i < N; i++) {
		const struct row *is = state_query(s, i), *wanted = grid_row(&s->grid, i, STAGE_WEIGHTS);
		const double *v = state_values(s, i), *w = row_stage(wanted, &s->grid.attention, state_stage(s), &n);
		assert_non_null(is);
		near(is->sum, wanted->sum);
		near(is->largest, wanted->largest);
		near(is->entropy, wanted->entropy);
		assert_int_equal(is->visible, wanted->visible);
		assert_int_equal(is->verdict, wanted->verdict);
		for (size_t j = s->left; j < s->left + p->layout.visible_columns && j < N; j++) {
			near(v[j], w[j]);
			assert_int_equal(is->rules[j], wanted->rules[j]);
		}
	}
}

static void the_screen_is_that_of_the_double_engine(void **state)
{
	static const char *const keys[] = {
		"", "<PgDn>", "c", "<Right> <Right>", "1", "2", "3", "G", "<End>", "4", "c", "p", "P", "s", "]", "u", "g <Home>", ":temperature 3<Enter>",
		":bug no-scale<Enter>", "O <PgDn> <Enter>", "v <Esc>", "5 4",
	};
	struct play p;

	(void)state;
	open_file(&p, "F32", NULL);
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		play_keys(&p, keys[k]);
		compare_screen(&p);
		assert_true(play_shows(&p, " f32"));
	}
	play_resize(&p, 60, 200);
	play_keys(&p, "");
	compare_screen(&p);
	play_free(&p);
}

/* What it does not know is computed in double, as it says at the top right. */
static void other_things_are_in_double(void **state)
{
	static const char *const keys[] = {
		":window 5<Enter>", "x", ":dtype f64<Enter>", ":fill -5<Enter>", "5", "0", "v", "i", "a", ":mean on<Enter>", ":without 3<Enter>",
	};

	(void)state;
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		struct play p;
		open_file(&p, "F32", "causal=on");
		assert_true(p.state.long_view.on);
		play_keys_flashing(&p, keys[k]);
		if (p.state.long_view.on)
			fail_msg("%s is computed in float32", keys[k]);
		assert_true(play_shows(&p, " f64"));
		play_free(&p);
	}
}

static void doubles_in_a_file_stay_doubles(void **state)
{
	struct play p;

	(void)state;
	open_file(&p, "F64", NULL);
	assert_false(p.state.long_view.on);
	assert_true(play_shows(&p, " f64"));
	play_free(&p);
	play_open(&p, "random-4", "n=9000 d-k=1 d-v=1");
	assert_false(p.state.long_view.on);
	play_free(&p);
}

/* A switch of masks touches no product of q and k: the rows on screen are there at once. */
static void rows_on_screen_are_there_at_once(void **state)
{
	struct play p;

	(void)state;
	open_file(&p, "F32", NULL);
	play_keys(&p, "<PgDn>");
	play_keys_flashing(&p, "c");
	compare_screen(&p);
	play_free(&p);
}

/* What is not known yet is a dot, and no number; then it is one. */
static void what_is_not_known_is_blank(void **state)
{
	struct play p;
	char before[ROW_TEXT], after[ROW_TEXT];
	int row;

	(void)state;
	open_file(&p, "F32", NULL);
	play_resize(&p, 200, 80);
	play_keys_flashing(&p, "G");
	row = p.layout.grid;
	play_row(&p, row, before);
	if (state_working(&p.state) && !state_query(&p.state, p.state.top))
		assert_non_null(strstr(before, "\u00b7"));
	play_keys(&p, "");
	assert_false(state_working(&p.state));
	play_row(&p, row, after);
	assert_null(strstr(after, "\u00b7"));
	compare_screen(&p);
	play_free(&p);
}

/* ---- in double, one row after the other ---- */

static void same_bits(double x, double wanted)
{
	if (memcmp(&x, &wanted, sizeof x) && !(isnan(x) && isnan(wanted)))
		fail_msg("%.17g is not %.17g", x, wanted);
}

/* All that is on screen, beside rows that are computed on their own. */
static void compare_rows_in_turn(struct play *p)
{
	struct state *s = &p->state;
	struct row wanted;
	struct error e = { 0 };
	enum stage stage = state_stage(s);
	size_t n, rows, columns;

	assert_true(s->long_view.in_turn);
	assert_false(s->long_view.on);
	assert_int_equal(row_init(&wanted, &s->grid.attention, &e), OK_STATUS);
	state_shape(s, &rows, &columns);
	for (size_t i = s->top; i < s->top + p->layout.visible_rows && i < rows; i++) {
		row_compute(&wanted, &s->grid.attention, i, STAGE_SCORES, STAGE_OUTPUT);
		const struct row *is = state_query(s, i);
		assert_non_null(is);
		same_bits(is->sum, wanted.sum);
		same_bits(is->entropy, wanted.entropy);
		assert_int_equal(is->verdict, wanted.verdict);
		if (stage == STAGE_INPUT)
			continue;
		const double *v = state_values(s, i), *w = row_stage(&wanted, &s->grid.attention, stage, &n);
		for (size_t j = s->left; j < s->left + p->layout.visible_columns && j < columns; j++) {
			same_bits(v[j], w[j]);
			if (stage < STAGE_OUTPUT)
				assert_int_equal(is->rules[j], wanted.rules[j]);
		}
	}
	row_free(&wanted);
}

static void rows_in_double_come_in_turn(void **state)
{
	static const char *const keys[] = {
		"", "<Down>", "<PgDn>", "G", "<End>", "<Home>", "c", "5", "<Down>", "4", "1", "0", "<Down>", "3", "x", "u", ":window 5<Enter>", "]", "g", "i <Down>",
		"<Esc>",
	};
	struct play p;

	(void)state;
	open_file(&p, "F32", "dtype=f64 causal=on");
	play_resize(&p, 90, 100);
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		play_keys(&p, keys[k]);
		if (p.state.panel.kind == PANEL_NONE)
			compare_rows_in_turn(&p);
		assert_false(state_working(&p.state));
	}
	play_free(&p);
}

/* The cursor's row is there at once; others wait, as dots. */
static void the_cursors_row_comes_first(void **state)
{
	struct play p;

	(void)state;
	open_file(&p, "F32", "dtype=f64");
	play_resize(&p, 90, 100);
	play_keys_flashing(&p, "G");
	assert_true(p.state.long_view.in_turn);
	assert_non_null(state_query(&p.state, N - 1));
	assert_true(state_working(&p.state));
	assert_null(state_query(&p.state, N - 2));
	must_show(&p, "\u00b7");
	play_keys(&p, "");
	assert_non_null(state_query(&p.state, N - 2));
	must_lack(&p, "\u00b7");
	play_free(&p);
}

/* ---- whole rows in turn: predictions, A beside B, the mean of the heads, heads joined ---- */

/* Before anything is computed in the background the cursor's row is there and another is not; then all are. */
static void only_the_cursors_row_waits(struct play *p, const char *keys)
{
	struct state *s = &p->state;

	play_keys_flashing(p, keys);
	assert_true(s->long_view.in_turn);
	assert_true(state_working(s));
	assert_non_null(state_query(s, s->row));
	assert_false(isnan(state_values(s, s->row)[0]));
	size_t last = s->top + p->layout.visible_rows - 1, other = s->row == last ? s->top : last;
	assert_true(long_view_lacks(s, other));
	assert_null(state_query(s, other));
	play_keys(p, "");
	assert_false(state_working(s));
	assert_false(long_view_lacks(s, other));
	assert_non_null(state_query(s, other));
}

static void predictions_come_in_turn(void **state)
{
	struct play p;

	(void)state;
	open_file(&p, "F32", "dtype=f64 causal=on");
	play_resize(&p, 90, 100);
	play_keys(&p, "<Down>");
	only_the_cursors_row_waits(&p, "T");
	compare_rows_in_turn(&p);
	/* What was asked for is told wherever the screen has gone to. */
	play_keys(&p, "<Space>");
	play_keys_flashing(&p, "G");
	assert_true(state_working(&p.state));
	assert_true(long_view_lacks(&p.state, N - 2));
	assert_false(isnan(state_number(&p.state, N - 2, 0)));
	play_free(&p);
}

static void both_halves_come_in_turn(void **state)
{
	struct play p;
	struct state *s = &p.state;

	(void)state;
	open_file(&p, "F32", "dtype=f64");
	play_resize(&p, 90, 100);
	play_keys(&p, "a c");
	only_the_cursors_row_waits(&p, "d");
	compare_rows_in_turn(&p);
	/* A has no mask: its row 3 is that of all keys, and sums to 1 as B's does. */
	for (size_t i = s->top; i < s->top + p.layout.visible_rows; i++) {
		assert_int_equal(compare_query(s, i)->visible, N);
		assert_int_equal(state_query(s, i)->visible, i + 1);
	}
	/* Causal attention makes every key after row i's a 0, that was none. */
	assert_true(s->pinned.found.known);
	assert_int_equal(s->pinned.found.to - s->pinned.found.from, p.layout.visible_rows);
	assert_int_equal(s->pinned.found.differ, s->pinned.found.cells);
	play_free(&p);
}

static void the_mean_comes_in_turn(void **state)
{
	struct play p;
	struct state *s = &p.state;
	struct row one;
	struct error e = { 0 };

	(void)state;
	open_file(&p, "F32", "dtype=f64");
	play_resize(&p, 90, 100);
	only_the_cursors_row_waits(&p, ":mean on<Enter>");
	assert_int_equal(row_init(&one, &s->grid.attention, &e), OK_STATUS);
	size_t i = s->top + 5;
	row_compute(&one, &s->grid.attention, i, STAGE_SCORES, STAGE_WEIGHTS);
	double first = one.weights[2], mean = state_values(s, i)[2];
	play_keys(&p, "]");
	row_compute(&one, &s->grid.attention, i, STAGE_SCORES, STAGE_WEIGHTS);
	near(mean, (first + one.weights[2]) / 2);
	row_free(&one);
	play_free(&p);
}

static void joined_heads_come_in_turn(void **state)
{
	struct play p;
	struct state *s = &p.state;
	struct row one;
	struct error e = { 0 };

	(void)state;
	open_file(&p, "F32", "dtype=f64");
	play_resize(&p, 90, 100);
	only_the_cursors_row_waits(&p, "6");
	assert_int_equal(row_init(&one, &s->grid.attention, &e), OK_STATUS);
	for (size_t i = s->top; i < s->top + p.layout.visible_rows; i++) {
		row_compute(&one, &s->grid.attention, i, STAGE_SCORES, STAGE_OUTPUT);
		for (size_t c = 0; c < D; c++)		/* head 0 comes first */
			same_bits(state_values(s, i)[c], one.output[c]);
	}
	row_free(&one);
	play_keys(&p, "a c");
	only_the_cursors_row_waits(&p, "d");
	assert_non_null(compare_values(s, s->top + p.layout.visible_rows - 1));
	play_free(&p);
}

/* The line by hand is of the whole row, of which only a part is there: the sum of all e^x, as
 * the row in double has it. */
static void by_hand_is_of_all_keys(void **state)
{
	struct play p;
	char line[ROW_TEXT], wanted[64];
	double sum = 0;

	(void)state;
	open_file(&p, "F32", "causal=off");
	play_resize(&p, 40, 160);
	play_keys(&p, "<Down> <Down>");
	assert_true(p.state.long_view.on);
	const struct row *r = grid_row(&p.state.grid, p.state.row, STAGE_WEIGHTS);
	for (size_t j = 0; j < N; j++)
		sum += exp(r->masked[j]);
	assert_true(p.layout.hand >= 0);
	play_row(&p, p.layout.hand, line);
	snprintf(wanted, sizeof wanted, "\u03a3 %.2f", sum);
	if (!strstr(line, wanted))
		fail_msg("'%s' is not in '%s'", wanted, line);
	play_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_screen_is_that_of_the_double_engine),
		cmocka_unit_test(other_things_are_in_double),
		cmocka_unit_test(doubles_in_a_file_stay_doubles),
		cmocka_unit_test(rows_on_screen_are_there_at_once),
		cmocka_unit_test(what_is_not_known_is_blank),
		cmocka_unit_test(rows_in_double_come_in_turn),
		cmocka_unit_test(the_cursors_row_comes_first),
		cmocka_unit_test(predictions_come_in_turn),
		cmocka_unit_test(both_halves_come_in_turn),
		cmocka_unit_test(the_mean_comes_in_turn),
		cmocka_unit_test(joined_heads_come_in_turn),
		cmocka_unit_test(by_hand_is_of_all_keys),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
