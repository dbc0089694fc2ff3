/* test_action_place.c - the cursor moves, and stays in sight. */
#include <locale.h>
#include <math.h>

#include "tests/player_check.h"
#include "tui/layout.h"

static void moving(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "cross-3x5");
	static const struct { const char *keys; size_t row, column; } step[] = {
		{ "k h <Up> <Left>", 0, 0 }, { "j", 1, 0 }, { "<Down> <Down> <Down>", 2, 0 }, { "l <Right>", 2, 2 }, { "<End>", 2, 4 },
		{ "l l", 2, 4 }, { "<Home>", 2, 0 }, { "g", 0, 0 }, { "G", 2, 0 }, { "<PgUp>", 0, 0 }, { "<PgDn>", 2, 0 },
	};
	for (size_t k = 0; k < sizeof step / sizeof *step; k++) {
		player_keys(&p, step[k].keys);
		cursor_is(&p, step[k].row, step[k].column);
	}
	/* Another stage, another shape: the cursor stays inside. */
	player_keys(&p, "G <End> 5");
	cursor_is(&p, 2, 3);
	assert_int_equal(p.state.undo.n, 1);
	player_close(&p);
}

static void the_cursor_stays_visible(void **state)
{
	static const char *const places[] = { "", "G <End>", "g <Home>", "5 G <End>", "4 z G <End>", "z <Home>", "z 0 0 G" };
	struct player p;

	(void)state;
	player_open(&p, "saturation-16");
	for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
		state_resize(&p.state, 24, 80);
		player_keys(&p, places[k]);
		size_t row = p.state.row, column = p.state.column;
		for (int rows = 1; rows <= 12; rows++)
			for (int columns = 1; columns <= 40; columns++) {
				state_resize(&p.state, rows, columns);
				cursor_is(&p, row, column);
				player_draw(&p);
				assert_int_equal(p.cells.rows, rows);
				assert_int_equal(p.cells.columns, columns);
				assert_null(cells_fault(&p.cells));
			}
	}
	player_close(&p);
}

static void a_thousand_tokens(void **state)
{
	struct player p;
	struct layout l;

	(void)state;
	player_open(&p, "random-4");
	player_command(&p, "n 1024");
	assert_int_equal(p.state.problem->n_k, 1024);
	player_keys(&p, "G <End>");
	cursor_is(&p, 1023, 1023);
	/* Row 0 sees itself only; the last one sees all, and sums to 1. */
	is_near(state_query(&p.state, 1023)->sum, 1);
	assert_int_equal(state_query(&p.state, 1023)->visible, 1024);
	player_keys(&p, "g <Home>");
	is_near(player_value(&p, 0, 0), 1);
	assert_int_equal(state_query(&p.state, 0)->visible, 1);
	for (int k = 0; k < 80; k++) {
		player_keys(&p, "<PgDn> l l l l l l l l");
		assert_null(state_fault(&p.state));
	}
	assert_true(p.state.row > 1000);
	assert_int_equal(p.state.column, 640);
	layout_make(&l, &p.state);
	player_draw(&p);
	assert_null(cells_fault(&p.cells));
	/* What is on screen is what a full computation gives. */
	for (size_t i = p.state.top; i < p.state.top + l.visible_rows; i++) {
		double sum = 0;
		for (size_t j = 0; j < 1024; j++)
			sum += player_value(&p, i, j);
		assert_true(fabs(sum - 1) < 1e-9);
		assert_true(player_value(&p, i, i < 1023 ? i + 1 : 0) == 0 || i == 1023);
	}
	player_keys(&p, "c");
	assert_int_equal(state_query(&p.state, 0)->visible, 1024);
	player_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cursor_stays_visible),
		cmocka_unit_test(moving),
		cmocka_unit_test(a_thousand_tokens),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
