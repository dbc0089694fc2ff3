/* test_action_stage.c - stages, input arrays and heads. */
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "tests/player_check.h"

static void stages(void **state)
{
	static const double scaled = 2.8233560433554006;
	struct player p;

	(void)state;
	player_open(&p, "random-4");
	player_keys(&p, "1");
	is_near(player_value(&p, 0, 0), scaled);
	player_keys(&p, "2");
	is_near(player_value(&p, 0, 0), scaled / sqrt(8));
	player_keys(&p, "3");
	assert_true(player_value(&p, 0, 1) == -INFINITY);
	player_keys(&p, "4");
	shows(&p, random_weights, 4, 4);
	player_keys(&p, "5");
	is_near(player_value(&p, 0, 0), 0.3289696294602021);
	is_near(player_value(&p, 3, 7), 1.2059489560247343);
	player_keys(&p, "6");
	says(&p, true, "one head");
	assert_int_equal(state_stage(&p.state), STAGE_OUTPUT);
	player_close(&p);
}

static void stages_in_turn(void **state)
{
	static const enum stage forward[] = { STAGE_OUTPUT, STAGE_INPUT, STAGE_SCORES, STAGE_SCALED, STAGE_MASKED, STAGE_WEIGHTS };
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	for (int k = 0; k < 6; k++) {
		player_keys(&p, "<Tab>");
		assert_int_equal(state_stage(&p.state), forward[k]);
	}
	for (int k = 5; k-- > 0;) {
		player_keys(&p, "<S-Tab>");
		assert_int_equal(state_stage(&p.state), forward[k]);
	}
	player_close(&p);
	player_open(&p, "shapes-10");
	player_keys(&p, "<Tab> <Tab>");
	assert_int_equal(state_stage(&p.state), STAGE_JOINED);
	player_close(&p);
}

static void zero_again_shows_the_next(void **state)
{
	static const struct { enum array array; size_t rows, columns; } given[] = {
		{ ARRAY_Q, 10, 64 }, { ARRAY_K, 10, 64 }, { ARRAY_V, 10, 64 }, { ARRAY_X, 10, 512 }, { ARRAY_W_Q, 512, 64 },
		{ ARRAY_W_K, 512, 64 }, { ARRAY_W_V, 512, 64 }, { ARRAY_W_O, 512, 512 }, { ARRAY_Q, 10, 64 },
	};
	struct player p;
	size_t rows, columns;

	(void)state;
	player_open(&p, "shapes-10");
	for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
		player_keys(&p, "0 G <End>");
		assert_int_equal(state_array(&p.state), given[k].array);
		state_shape(&p.state, &rows, &columns);
		assert_int_equal(rows, given[k].rows);
		assert_int_equal(columns, given[k].columns);
		cursor_is(&p, rows - 1, columns - 1);
		assert_true(isfinite(player_value(&p, rows - 1, columns - 1)));
		player_draw(&p);
		assert_null(cells_fault(&p.cells));
	}
	player_keys(&p, "6");
	state_shape(&p.state, &rows, &columns);
	assert_int_equal(columns, 512);
	player_close(&p);
}

static void heads(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "shapes-10");
	struct numbers first = compute_all(&p);
	player_keys(&p, "]");
	option_is(&p, OPT_HEAD, "1");
	assert_false(computes(&p, &first));
	player_keys(&p, "[");
	assert_true(computes(&p, &first));
	player_keys(&p, "[");
	option_is(&p, OPT_HEAD, "7");
	player_keys(&p, "]");
	option_is(&p, OPT_HEAD, "0");
	refused(&p, "head 8", "head");
	free(first.v);
	player_close(&p);
	player_open(&p, "causal-3");
	player_keys(&p, "]");
	says(&p, false, "only one head");
	assert_int_equal(p.state.undo.n, 0);
	player_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stages),
		cmocka_unit_test(stages_in_turn),
		cmocka_unit_test(zero_again_shows_the_next),
		cmocka_unit_test(heads),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
