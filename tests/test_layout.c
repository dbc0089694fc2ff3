/* test_layout.c - where everything stands, at every size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "core/utf8.h"
#include "tests/player.h"
#include "tui/layout.h"
#include "tui/view.h"

enum { LEAST_COLUMNS = 20, LEAST_ROWS = 6, MOST_COLUMNS = 220, MOST_ROWS = 70 };

static struct layout layout_at(struct player *p, int rows, int columns)
{
	struct layout l;

	state_resize(&p->state, rows, columns);
	layout_make(&l, &p->state);
	return l;
}

/* ---- what goes first ---- */

struct lines { const char *name; int row; };
enum { LINES = 7 };

/* In the order in which a shrinking screen loses them. */
static void lines_of(const struct layout *l, struct lines out[LINES])
{
	const struct lines lines[LINES] = {
		{ "footer", l->footer }, { "by hand", l->hand }, { "rule", l->rule }, { "switches", l->switches },
		{ "cell", l->cell }, { "title", l->title }, { "sentence", l->sentence },
	};

	memcpy(out, lines, sizeof lines);
}

static void lines_go_in_the_stated_order(void **state)
{
	struct player p;
	struct lines lines[LINES];

	(void)state;
	player_open(&p, "causal-3");
	for (int rows = MOST_ROWS; rows >= LEAST_ROWS; rows--) {
		struct layout l = layout_at(&p, rows, 80);
		lines_of(&l, lines);
		/* Once one is shown, so are all that go later. */
		for (int k = 1; k < LINES; k++)
			if (lines[k - 1].row >= 0 && lines[k].row < 0)
				fail_msg("%d rows: %s without %s", rows, lines[k - 1].name, lines[k].name);
		assert_true(l.grid_rows >= 3);
		if (rows >= 24)
			assert_true(lines[0].row >= 0);
	}
	struct layout smallest = layout_at(&p, LEAST_ROWS, 80);
	assert_int_equal(smallest.title, -1);
	assert_true(smallest.sentence >= 0);
	player_close(&p);
}

static void columns_go_in_the_stated_order(void **state)
{
	struct player p;
	bool largest = true, entropy = true;

	(void)state;
	player_open(&p, "causal-3");
	for (int columns = MOST_COLUMNS; columns >= LEAST_COLUMNS; columns--) {
		struct layout l = layout_at(&p, 24, columns);
		assert_true(l.largest || !l.entropy);
		assert_true(l.entropy || !l.cause);
		/* What is gone stays gone. */
		assert_true(largest || !l.largest);
		assert_true(entropy || !l.entropy);
		largest = l.largest;
		entropy = l.entropy;
		if (columns >= 80)
			assert_true(l.entropy);
	}
	assert_false(largest);
	player_close(&p);
}

static void full_layout_at_80x24(void **state)
{
	struct player p;
	struct lines lines[LINES];
	char line[400];

	(void)state;
	player_open(&p, "causal-3");
	struct layout l = layout_at(&p, 24, 80);
	lines_of(&l, lines);
	for (int k = 0; k < LINES; k++)
		assert_true(lines[k].row >= 0);
	player_draw(&p);
	assert_non_null(strstr(player_line(&p, l.title, line, sizeof line), "compare"));
	assert_non_null(strstr(line, "[share]"));
	assert_non_null(strstr(line, "4 weights (3,3) f64"));
	assert_non_null(strstr(player_line(&p, l.switches, line, sizeof line), "[c] causal on"));
	assert_non_null(strstr(player_line(&p, l.labels, line, sizeof line), "\u03a3 row"));
	assert_non_null(strstr(player_line(&p, l.grid + 1, line, sizeof line), "0.269"));
	assert_non_null(strstr(line, "0.731"));
	assert_non_null(strstr(line, "1.000 ok"));
	assert_non_null(strstr(line, "0.84"));
	player_close(&p);
}

static void a_notice_when_too_small(void **state)
{
	static const int size[][2] = { { 5, 80 }, { 24, 19 }, { 1, 1 }, { 5, 19 }, { 1, 200 } };
	struct player p;
	char line[400];

	(void)state;
	player_open(&p, "causal-3");
	for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
		assert_true(layout_at(&p, size[k][0], size[k][1]).small);
		player_draw(&p);
		if (size[k][1] >= 9)
			assert_int_equal(strncmp(player_line(&p, 0, line, sizeof line), "too small", 9), 0);
		for (int y = 1; y < size[k][0]; y++)
			assert_string_equal(player_line(&p, y, line, sizeof line), "");
	}
	assert_false(layout_at(&p, LEAST_ROWS, LEAST_COLUMNS).small);
	player_close(&p);
}

/* ---- what must hold at every size ---- */

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static const char *column_fault(const struct layout *l, const struct state *s)
{
	size_t rows, columns;

	state_shape(s, &rows, &columns);
	int end = l->cells + (int)smaller(l->visible_columns, columns) * l->cell_width;
	if (l->label_width < 3 || l->cells < 2 + l->label_width)
		return "no room for labels";
	if (l->sums < end)
		return "cells overlap the sums";
	if (l->sums + l->bar_width + l->sum_width + 1 + l->verdict_width > s->columns)
		return "sums and verdict end outside";
	if (l->bar_width < 1 || l->sum_width < 5 || l->verdict_width < 2)
		return "no room for sum and verdict";
	if (l->numbers && (l->number_width < 5 || l->number_width >= l->cell_width))
		return "no room for the number and its mark";
	int right = l->sums + l->bar_width + l->sum_width + 1 + l->verdict_width;
	right += (l->largest ? l->sum_width : 0) + (l->entropy ? 7 : 0);
	if (right > s->columns)
		return "largest weight and entropy end outside";
	return NULL;
}

static const char *line_fault(const struct layout *l, const struct state *s)
{
	const int order[] = { l->title, l->switches, l->labels, l->grid, l->rule, l->cell, l->products, l->hand,
			      l->sentence, l->footer };
	int last = -1;

	for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
		if (order[k] < 0)
			continue;
		if (order[k] <= last)
			return "two panes on one line";
		last = order[k] + (k == 3 ? l->grid_rows - 1 : 0);
	}
	if (last >= s->rows)
		return "a pane below the screen";
	if (!l->visible_rows || (int)l->visible_rows * l->cell_height > l->grid_rows)
		return "rows of the grid below it";
	return NULL;
}

static void check_layout(struct player *p, int rows, int columns)
{
	struct layout l = layout_at(p, rows, columns);
	const char *fault = column_fault(&l, &p->state);

	if (!fault)
		fault = line_fault(&l, &p->state);
	if (!fault)
		fault = state_fault(&p->state);
	if (fault)
		fail_msg("%s, stage %d, %dx%d: %s", state_scenario(&p->state)->name, (int)state_stage(&p->state), columns, rows, fault);
}

static void check_picture(struct player *p)
{
	const char *fault;

	player_draw(p);
	if ((fault = cells_fault(&p->cells)))
		fail_msg("%s, stage %d, %dx%d: %s", state_scenario(&p->state)->name, (int)state_stage(&p->state),
			 p->state.columns, p->state.rows, fault);
}

static const char *const scenarios[] = { "causal-3", "korean-5", "cross-3x5", "left-pad-4", "saturation-16", "shapes-10" };
static const char *const settings[] = { "", "0", "1 ,", ". . . . . . . . . . . . . .", ", , ,", "z", "z z", "5", "2 z" };
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios, SETTINGS = sizeof settings / sizeof *settings };

static void nothing_overlaps_at_any_size(void **state)
{
	(void)state;
	for (int k = 0; k < SCENARIOS * SETTINGS; k++) {
		struct player p;

		player_open(&p, scenarios[k % SCENARIOS]);
		player_keys(&p, settings[k / SCENARIOS]);
		for (int columns = LEAST_COLUMNS; columns <= MOST_COLUMNS; columns++)
			check_layout(&p, LEAST_ROWS + columns % (MOST_ROWS - LEAST_ROWS), columns);
		for (int rows = LEAST_ROWS; rows <= MOST_ROWS; rows++)
			check_layout(&p, rows, LEAST_COLUMNS + rows);
		player_close(&p);
	}
}

/* Every scenario is laid out at every size, and one of them drawn at every third, in turn: each
 * number of rows and of columns is among them. */
static void every_size_is_drawn(void **state)
{
	struct player p[SCENARIOS];

	(void)state;
	for (int k = 0; k < SCENARIOS; k++)
		player_open(&p[k], scenarios[k]);
	for (int rows = LEAST_ROWS; rows <= MOST_ROWS; rows++)
		for (int columns = LEAST_COLUMNS; columns <= MOST_COLUMNS; columns++) {
			for (int k = 0; k < SCENARIOS; k++)
				check_layout(&p[k], rows, columns);
			if ((rows + columns) % 3 == 0)
				check_picture(&p[(rows + columns) / 3 % SCENARIOS]);
		}
	for (int k = 0; k < SCENARIOS; k++)
		player_close(&p[k]);
}

/* Other stages, cell sizes and digits, on a lattice of sizes. */
static void other_settings_are_drawn(void **state)
{
	(void)state;
	for (int k = 0; k < SCENARIOS * SETTINGS; k++) {
		struct player p;

		player_open(&p, scenarios[k % SCENARIOS]);
		player_keys(&p, settings[k / SCENARIOS]);
		player_keys(&p, "G <End>");
		for (int rows = LEAST_ROWS + k % 13; rows <= MOST_ROWS; rows += 13)
			for (int columns = LEAST_COLUMNS + k % 17; columns <= MOST_COLUMNS; columns += 17) {
				state_resize(&p.state, rows, columns);
				check_picture(&p);
			}
		player_close(&p);
	}
}

static void open_windows_are_drawn(void **state)
{
	static const char *const keys[] = { "?", "? G", "o", "o G", ": a b c", "/", "<Enter>", "M", "'", "<F1> <PgDn>" };

	(void)state;
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		struct player p;

		player_open(&p, "korean-5");
		player_keys(&p, keys[k]);
		for (int rows = 1; rows <= 40; rows += 3)
			for (int columns = 1; columns <= 150; columns += 7) {
				state_resize(&p.state, rows, columns);
				check_picture(&p);
			}
		player_close(&p);
	}
}

/* ---- sums and numbers are whole at every width ---- */

/* The columns [from, to) of a line. */
static const char *part(struct player *p, int row, int from, int to, char *out, size_t size)
{
	size_t n = 0;

	for (int x = from; x < to && x < p->cells.columns; x++) {
		const struct cell *cell = cells_at(&p->cells, row, x);
		for (int k = 0; k < cell->count && n + 4 < size; k++)
			n += utf8_encode(cell->code[k], out + n);
	}
	out[n] = '\0';
	return out;
}

/* causal-3: the corpus' printed weights, hidden cells as 0. */
static void numbers_are_whole(void **state)
{
	static const char *const number[3][3] = {
		{ "1.000", " 0", " 0" }, { "0.269", "0.731", " 0" }, { "0.659", "0.242", "0.099" },
	};
	struct player p;
	char text[400];

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "j l");
	for (int columns = LEAST_COLUMNS; columns <= MOST_COLUMNS; columns++) {
		struct layout l = layout_at(&p, 24, columns);
		player_draw(&p);
		for (size_t i = 0; i < 3; i++) {
			int y = l.grid + (int)i;
			part(&p, y, l.sums + l.bar_width, l.sums + l.bar_width + l.sum_width, text, sizeof text);
			if (!strstr(text, "1.000"))
				fail_msg("%d columns: the sum of row %zu is '%s'", columns, i, text);
			part(&p, y, l.sums + l.bar_width + l.sum_width + 1, columns, text, sizeof text);
			assert_int_equal(strncmp(text, "ok", 2), 0);
			for (size_t j = p.state.left; j < 3 && j < p.state.left + l.visible_columns; j++) {
				int x = l.cells + (int)(j - p.state.left) * l.cell_width;
				part(&p, y, x, x + l.cell_width, text, sizeof text);
				if (!strstr(text, number[i][j]))
					fail_msg("%d columns: cell %zu:%zu is '%s'", columns, i, j, text);
			}
		}
	}
	player_close(&p);
}

/* ---- clicks ---- */

static void a_click_finds_the_cell_that_is_drawn(void **state)
{
	struct player p;
	size_t i, j;

	(void)state;
	player_open(&p, "saturation-16");
	for (int zoom = 0; zoom < ZOOM_COUNT; zoom++, player_keys(&p, "z"))
		for (int columns = LEAST_COLUMNS; columns < 160; columns += 7) {
			struct layout l = layout_at(&p, 18, columns);
			for (size_t down = 0; down < l.visible_rows; down++)
				for (size_t across = 0; across < smaller(l.visible_columns, 16 - p.state.left); across++) {
					int y = l.grid + (int)down * l.cell_height, x = l.cells + (int)across * l.cell_width;
					assert_true(layout_hit(&l, &p.state, y + l.cell_height - 1, x + l.cell_width - 1, &i, &j));
					assert_int_equal(i, p.state.top + down);
					assert_int_equal(j, p.state.left + across);
				}
			assert_false(layout_hit(&l, &p.state, l.grid, l.cells - 1, &i, &j));
			assert_false(layout_hit(&l, &p.state, l.grid - 1, l.cells, &i, &j));
			assert_false(layout_hit(&l, &p.state, l.grid + l.grid_rows, l.cells, &i, &j));
			assert_false(layout_hit(&l, &p.state, l.grid, l.sums + l.bar_width, &i, &j));
		}
	player_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_go_in_the_stated_order),
		cmocka_unit_test(columns_go_in_the_stated_order),
		cmocka_unit_test(full_layout_at_80x24),
		cmocka_unit_test(a_notice_when_too_small),
		cmocka_unit_test(nothing_overlaps_at_any_size),
		cmocka_unit_test(every_size_is_drawn),
		cmocka_unit_test(other_settings_are_drawn),
		cmocka_unit_test(open_windows_are_drawn),
		cmocka_unit_test(numbers_are_whole),
		cmocka_unit_test(a_click_finds_the_cell_that_is_drawn),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
