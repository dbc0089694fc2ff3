/* test_action_switch.c - masks, the scale and what hidden cells become, switched by keys. */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/player_check.h"

static void c_twice_restores_every_bit(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct numbers before = compute_all(&p);
	player_keys(&p, "c");
	shows(&p, plain_weights, 3, 3);
	option_is(&p, OPT_CAUSAL, "off");
	says(&p, false, "causal mask off");
	says(&p, false, "0 of 9");
	player_keys(&p, "c");
	says(&p, false, "3 of 9 cells hidden");
	assert_true(computes(&p, &before));
	free(before.v);
	player_close(&p);
}

static void flash_marks_what_moved(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "c");
	assert_true(p.state.flash.on);
	assert_int_equal(p.state.flash.rows, 3);
	for (size_t k = 0; k < 9; k++)
		assert_int_equal(p.state.flash.changed[k], k < 6);	/* rows 0 and 1 */
	player_keys(&p, "j");
	assert_false(p.state.flash.on);
	player_keys(&p, "t");
	assert_false(p.state.flash.on);
	player_close(&p);
}

static void pad_mask(void **state)
{
	/* The last row sees keys 0 and 1 only: e^2 and e^1, so 1/(1+e^-1) and the rest. */
	const double wanted[] = { 1, 0, 0, 0.2689414213699951, 0.7310585786300049, 0, 0.7310585786300049, 0.2689414213699951, 0 };
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct numbers before = compute_all(&p);
	player_keys(&p, "P");
	shows(&p, wanted, 3, 3);
	option_is(&p, OPT_PAD, "2");
	player_keys(&p, "P");
	assert_true(computes(&p, &before));
	option_is(&p, OPT_PAD, "2");
	free(before.v);
	player_close(&p);
	player_open(&p, "random-4");
	player_keys(&p, "P");
	says(&p, false, "no key is padding yet");
	player_close(&p);
}

/* p switches the mask on if it was off, and only then takes from the list. */
static void pad_of_the_key_under_the_cursor(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "l l p");
	option_is(&p, OPT_PAD, "2");
	option_is(&p, OPT_PAD_MASK, "on");
	says(&p, false, "key 2 is now padding");
	player_keys(&p, "p");
	option_is(&p, OPT_PAD, "none");
	option_is(&p, OPT_PAD_MASK, "on");
	says(&p, false, "no longer");
	player_keys(&p, "p <Home> p");
	option_is(&p, OPT_PAD, "0,2");
	player_keys(&p, "P l p");
	option_is(&p, OPT_PAD, "0,1,2");
	option_is(&p, OPT_PAD_MASK, "on");
	/* All keys hidden: 0/0, said. */
	assert_true(isnan(player_value(&p, 0, 0)));
	assert_int_equal(state_query(&p.state, 0)->verdict, VERDICT_EMPTY);
	player_close(&p);
}

static void pad_where_rows_are_keys(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "cross-3x5");
	player_keys(&p, "0 0 G p");		/* K: its last row is key 4 */
	option_is(&p, OPT_ARRAY, "k");
	option_is(&p, OPT_PAD, "4");
	player_keys(&p, "5");
	size_t undo = p.state.undo.n;
	player_keys(&p, "p");
	says(&p, true, "no key is under the cursor");
	assert_int_equal(p.state.undo.n, undo);
	player_close(&p);
}

static void scale_on_and_off(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct numbers before = compute_all(&p);
	player_keys(&p, "s");
	option_is(&p, OPT_SCALE, "sqrt");
	is_near(player_value(&p, 1, 0), 1 / (1 + exp(1 / sqrt(3))));
	says(&p, false, "1.732");
	player_keys(&p, "s");
	option_is(&p, OPT_SCALE, "none");
	assert_true(computes(&p, &before));
	/* What was on comes back, whatever it was. */
	player_command(&p, "scale 0.25");
	player_keys(&p, "s s");
	option_is(&p, OPT_SCALE, "0.25");
	is_near(player_value(&p, 1, 0), 1 / (1 + exp(0.25)));
	player_command(&p, "scale dk");
	player_keys(&p, "s");
	option_is(&p, OPT_SCALE, "none");
	player_keys(&p, "s");
	option_is(&p, OPT_SCALE, "dk");
	is_near(player_value(&p, 1, 0), 1 / (1 + exp(1.0 / 3)));
	free(before.v);
	player_close(&p);
}

static void scale_rules_in_turn(void **state)
{
	static const char *const rules[] = { "dk", "dmodel", "sqrt", "none" };
	const double divisor[] = { 3, sqrt(3), sqrt(3), 1 };
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	for (int k = 0; k < 8; k++) {
		player_keys(&p, "S");
		option_is(&p, OPT_SCALE, rules[k % 4]);
		is_near(player_value(&p, 1, 0), 1 / (1 + exp(1 / divisor[k % 4])));
	}
	player_command(&p, "scale 7");
	player_keys(&p, "S");
	option_is(&p, OPT_SCALE, "sqrt");
	player_close(&p);
}

static void hide_and_show_a_cell(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct numbers before = compute_all(&p);
	player_keys(&p, "G l x");
	option_is(&p, OPT_HIDE, "2:1");
	says(&p, false, "2:1 is hidden");
	is_near(player_value(&p, 2, 1), 0);
	is_near(player_value(&p, 2, 0), 1 / (1 + exp(-1.9)));	/* e^2 beside e^0.1 */
	player_keys(&p, "x");
	option_is(&p, OPT_HIDE, "none");
	says(&p, false, "shown again");
	assert_true(computes(&p, &before));
	free(before.v);
	player_close(&p);
}

/* Where another rule hides the cell, x names it and changes nothing. */
static void hide_names_the_other_rules(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	size_t undo = p.state.undo.n;
	player_keys(&p, "l x");
	says(&p, false, "causal");
	option_is(&p, OPT_HIDE, "none");
	assert_int_equal(p.state.undo.n, undo);
	player_keys(&p, "P l x");
	says(&p, false, "causal and pad");
	option_is(&p, OPT_HIDE, "none");
	/* Hidden by x first: x takes that back, and says what still hides. */
	player_keys(&p, "c P x c x");
	option_is(&p, OPT_HIDE, "none");
	says(&p, false, "still hidden by causal");
	player_keys(&p, "5 x");
	says(&p, true, "stages 1 to 4");
	player_close(&p);
}

/* What `keep` shows stays shown, and x does not say otherwise. */
static void hide_of_a_kept_cell(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_command(&p, "keep 0:1");
	double kept = player_value(&p, 0, 1);
	assert_true(kept > 0);
	player_keys(&p, "l x");
	is_near(player_value(&p, 0, 1), kept);
	assert_null(strstr(p.state.sentence, "is hidden"));
	says(&p, false, "keep");
	player_close(&p);
}

static void fills_in_turn(void **state)
{
	static const char *const fills[] = { "-1000000000", "min", "0", "-inf" };
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct numbers before = compute_all(&p);
	for (int k = 0; k < 4; k++) {
		player_keys(&p, "f");
		option_is(&p, OPT_FILL, fills[k]);
		if (k == 2) {		/* e^2 beside two e^0 */
			is_near(player_value(&p, 0, 0), 1 / (1 + 2 * exp(-2)));
			is_near(player_value(&p, 0, 2), exp(-2) / (1 + 2 * exp(-2)));
			says(&p, false, "e^0 is 1");
		} else {
			shows(&p, causal_weights, 3, 3);
		}
	}
	assert_true(computes(&p, &before));
	player_keys(&p, "3");
	assert_true(player_value(&p, 0, 1) == -INFINITY);
	player_keys(&p, "f");
	assert_true(player_value(&p, 0, 1) == -1e9);
	free(before.v);
	player_close(&p);
}

static void empty_row_policies(void **state)
{
	static const char *const policies[] = { "zero", "uniform", "literal" };
	const double wanted[] = { 0, 0.25, NAN };
	struct player p;

	(void)state;
	player_open(&p, "left-pad-4");
	assert_true(isnan(player_value(&p, 1, 1)));
	for (int k = 0; k < 3; k++) {
		player_keys(&p, "E");
		option_is(&p, OPT_EMPTY_ROW, policies[k]);
		for (size_t i = 0; i < 2; i++)
			for (size_t j = 0; j < 4; j++)
				is_near(player_value(&p, i, j), wanted[k]);
		assert_int_equal(state_query(&p.state, 0)->verdict, VERDICT_EMPTY);
		assert_int_equal(state_query(&p.state, 2)->verdict, VERDICT_OK);
		is_near(player_value(&p, 2, 2), 1);
	}
	player_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(c_twice_restores_every_bit),
		cmocka_unit_test(flash_marks_what_moved),
		cmocka_unit_test(pad_mask),
		cmocka_unit_test(pad_of_the_key_under_the_cursor),
		cmocka_unit_test(pad_where_rows_are_keys),
		cmocka_unit_test(scale_on_and_off),
		cmocka_unit_test(scale_rules_in_turn),
		cmocka_unit_test(hide_and_show_a_cell),
		cmocka_unit_test(hide_names_the_other_rules),
		cmocka_unit_test(hide_of_a_kept_cell),
		cmocka_unit_test(fills_in_turn),
		cmocka_unit_test(empty_row_policies),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
