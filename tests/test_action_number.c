/* test_action_number.c - numbers typed and nudged, the temperature, digits. */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/player_check.h"
#include "tui/layout.h"

static void temperature(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct numbers before = compute_all(&p);
	player_keys(&p, "<lt>");
	option_is(&p, OPT_TEMPERATURE, "0.8");
	is_near(player_value(&p, 1, 0), 1 / (1 + exp(1 / 0.8)));
	says(&p, false, "sharper");
	player_keys(&p, "<gt>");
	option_is(&p, OPT_TEMPERATURE, "1");
	assert_true(computes(&p, &before));
	player_keys(&p, "<gt>");
	option_is(&p, OPT_TEMPERATURE, "1.25");
	is_near(player_value(&p, 1, 0), 1 / (1 + exp(1 / 1.25)));
	for (int k = 0; k < 200; k++)
		player_keys(&p, "<lt>");
	assert_true(p.state.now.options.temperature.number > 0);
	for (int k = 0; k < 400; k++)
		player_keys(&p, "<gt>");
	assert_true(isfinite(p.state.now.options.temperature.number));
	refused(&p, "temperature 0", "> 0");
	refused(&p, "temperature inf", "> 0");
	free(before.v);
	player_close(&p);
}

/* Digits change nothing that is computed. */
static void digits(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "random-4");
	struct numbers before = compute_all(&p);
	assert_int_equal(state_precision(&p.state), 3);
	for (int k = 2; k >= 0; k--) {
		player_keys(&p, ",");
		assert_int_equal(state_precision(&p.state), k);
	}
	player_keys(&p, ",");
	assert_int_equal(state_precision(&p.state), 0);
	says(&p, true, "between 0 and 17");
	for (int k = 1; k <= 17; k++) {
		player_keys(&p, ".");
		assert_int_equal(state_precision(&p.state), k);
	}
	player_keys(&p, ".");
	assert_int_equal(state_precision(&p.state), 17);
	assert_true(computes(&p, &before));
	free(before.v);
	player_close(&p);
}

static void editing_a_score(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct numbers before = compute_all(&p);
	player_keys(&p, "j <Enter>");
	assert_int_equal(p.state.mode, MODE_PROMPT);
	assert_string_equal(p.state.prompt.text, "1");
	player_keys(&p, "<C-u>");
	player_type(&p, "2");
	player_keys(&p, "<Enter>");
	assert_int_equal(p.state.mode, MODE_GRID);
	/* Two equal scores share evenly. */
	is_near(player_value(&p, 1, 0), 0.5);
	is_near(player_value(&p, 1, 1), 0.5);
	assert_true(state_query(&p.state, 1)->overridden[0]);
	assert_false(state_query(&p.state, 1)->overridden[1]);
	/* Q and K are as they were: the score is an override. */
	assert_int_equal(p.state.now.edits.n, 1);
	assert_int_equal(p.state.now.edits.v[0].array, ARRAY_SCORES);
	is_near(problem_array(p.state.problem, ARRAY_Q, 0)->v[3], 1);
	player_keys(&p, "<Del>");
	assert_int_equal(p.state.now.edits.n, 0);
	assert_true(computes(&p, &before));
	player_keys(&p, "<Del>");
	says(&p, false, "was not edited");
	free(before.v);
	player_close(&p);
}

static void an_override_is_marked(void **state)
{
	struct player p;
	struct layout l;
	char line[400];

	(void)state;
	player_open(&p, "causal-3");
	layout_make(&l, &p.state);
	player_draw(&p);
	assert_null(strchr(player_line(&p, l.grid + 1, line, sizeof line), '*'));
	player_keys(&p, "j +");
	player_draw(&p);
	assert_non_null(strchr(player_line(&p, l.grid + 1, line, sizeof line), '*'));
	player_keys(&p, "u");
	player_draw(&p);
	assert_null(strchr(player_line(&p, l.grid + 1, line, sizeof line), '*'));
	player_close(&p);
	/* X is the same for all heads, and so is its mark. */
	player_open(&p, "shapes-10");
	player_command(&p, "array x");
	player_keys(&p, "] ] 0 +");
	layout_make(&l, &p.state);
	player_draw(&p);
	assert_non_null(strchr(player_line(&p, l.grid, line, sizeof line), '*'));
	player_close(&p);
}

static void editing_good_and_bad_text(void **state)
{
	static const char *const good[] = { "2", "-0.5", "1e-3", ".5", "2.", "+3", "inf", "-inf", "nan", "1e308", "-0", " 7 " };
	static const double value[] = { 2, -0.5, 1e-3, 0.5, 2, 3, INFINITY, -INFINITY, NAN, 1e308, -0.0, 7 };
	static const char *const bad[] = { "abc", "1,5", "0x10", "1e", "--1", "1 2", "\uff12", "1_000", "e", "." };
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "1");
	for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
		set_value(&p, good[k]);
		assert_false(p.state.sentence_is_error);
		double got = player_value(&p, 0, 0);
		assert_true(got == value[k] || (isnan(got) && isnan(value[k])));
		assert_int_equal(signbit(got) != 0, signbit(value[k]) != 0 && !isnan(value[k]));
	}
	struct snapshot before = copy_of(&p.state.now);
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
		set_value(&p, bad[k]);
		says(&p, true, "not a number");
		assert_true(snapshot_equal(&before, &p.state.now));
		assert_int_equal(p.state.mode, MODE_GRID);
	}
	/* Nothing typed, or Esc: nothing changes. */
	set_value(&p, "");
	player_keys(&p, "<Enter> 9 9 <Esc>");
	assert_true(snapshot_equal(&before, &p.state.now));
	snapshot_free(&before);
	player_close(&p);
}

static void editing_an_input(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_command(&p, "array v");
	player_keys(&p, "0 j");
	set_value(&p, "10");
	is_near(player_value(&p, 1, 0), 10);
	player_keys(&p, "5");
	is_near(player_value(&p, 1, 0), 0.2689414213699951 + 10 * 0.7310585786300049);
	is_near(player_value(&p, 0, 0), 1);
	player_keys(&p, "<Enter>");
	assert_int_equal(p.state.mode, MODE_GRID);
	says(&p, true, "follows from");
	player_keys(&p, "+");
	says(&p, true, "follows from");
	player_close(&p);
	/* Q, K and V of several heads follow from X. */
	player_open(&p, "shapes-10");
	player_keys(&p, "0 +");
	says(&p, true, "follow from X");
	player_close(&p);
}

static void nudging(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "1 j");
	player_keys(&p, "+");
	assert_true(player_value(&p, 1, 0) == 1.1);
	player_keys(&p, "= =");
	assert_true(player_value(&p, 1, 0) == 1.3);
	player_keys(&p, "- - - -");
	assert_true(player_value(&p, 1, 0) == 0.9);
	player_command(&p, "step 0.25");
	player_keys(&p, "+");
	assert_true(player_value(&p, 1, 0) == 1.15);
	player_keys(&p, "u u");
	assert_true(player_value(&p, 1, 0) == 0.9);
	player_close(&p);
}

/* A step is added to all digits of the number, however small it is. */
static void nudging_keeps_all_digits(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "random-4");
	player_keys(&p, "1 +");
	/* The corpus' first score. */
	assert_true(fabs(player_value(&p, 0, 0) - 2.9233560433554006) < 1e-15);
	player_keys(&p, "-");
	assert_true(fabs(player_value(&p, 0, 0) - 2.8233560433554006) < 1e-15);
	player_command(&p, "step 1e-13");
	double before = player_value(&p, 0, 0);
	player_keys(&p, "+");
	assert_true(player_value(&p, 0, 0) > before);
	player_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(temperature),
		cmocka_unit_test(digits),
		cmocka_unit_test(editing_a_score),
		cmocka_unit_test(an_override_is_marked),
		cmocka_unit_test(editing_good_and_bad_text),
		cmocka_unit_test(editing_an_input),
		cmocka_unit_test(nudging),
		cmocka_unit_test(nudging_keeps_all_digits),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
