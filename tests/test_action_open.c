/* test_action_open.c - scenarios opened, random input, own tokens. */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/player_check.h"

static void seeds_in_turn(void **state)
{
	struct player p, q;

	(void)state;
	player_open(&p, "random-4");
	player_open(&q, "random-4");
	player_keys(&p, "R R");
	option_is(&p, OPT_SEED, "2");
	player_command(&q, "seed 2");
	struct numbers two = compute_all(&q);
	assert_true(computes(&p, &two));
	player_command(&q, "seed 0");
	shows(&q, random_weights, 4, 4);
	free(two.v);
	player_close(&q);
	/* Seeds of any length. */
	player_command(&p, "seed 340282366920938463463374607431768211455");
	player_keys(&p, "R");
	option_is(&p, OPT_SEED, "340282366920938463463374607431768211456");
	player_command(&p, "seed 9999");
	player_keys(&p, "R");
	option_is(&p, OPT_SEED, "10000");
	player_close(&p);
}

static void a_very_long_seed(void **state)
{
	enum { DIGITS = 700 };
	char line[DIGITS + 8] = "seed ", wanted[DIGITS + 1];
	struct player p;

	(void)state;
	memset(line + 5, '7', DIGITS);
	line[DIGITS + 5] = '\0';
	memset(wanted, '7', DIGITS - 1);
	memcpy(wanted + DIGITS - 1, "8", 2);
	player_open(&p, "random-4");
	player_command(&p, line);
	player_keys(&p, "R");
	option_is(&p, OPT_SEED, wanted);
	player_close(&p);
}

static void sizes_of_random_input(void **state)
{
	struct player p;
	size_t rows, columns;

	(void)state;
	player_open(&p, "random-4");
	player_command(&p, "n 6");
	state_shape(&p.state, &rows, &columns);
	assert_int_equal(rows, 6);
	assert_int_equal(columns, 6);
	assert_string_equal(token_label(&p.state.problem->key_tokens, 5), "t5");
	player_command(&p, "n auto");
	shows(&p, random_weights, 4, 4);
	player_command(&p, "d-k 16");
	assert_int_equal(p.state.problem->d_k, 16);
	assert_int_equal(p.state.problem->d_v, 16);
	refused(&p, "n 0", "'0'");
	refused(&p, "n -3", "'-3'");
	refused(&p, "n x", "'x'");
	refused(&p, "seed -1", "'-1'");
	refused(&p, "seed 1.5", "'1.5'");
	refused(&p, "n 999999999", "limit");
	player_close(&p);
	/* A pad index that would fall outside. */
	player_open(&p, "pad-4");
	refused(&p, "n 3", "outside");
	player_command(&p, "n 5");
	assert_false(p.state.sentence_is_error);
	player_close(&p);
}

static void random_options_on_given_numbers(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "R");
	says(&p, true, "not random");
	refused(&p, "n 4", "random input");
	refused(&p, "seed 1", "random input");
	refused(&p, "d-k 4", "random input");
	player_close(&p);
}

static void own_tokens(void **state)
{
	struct player p, q;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "j l");
	struct numbers before = compute_all(&p);
	player_command(&p, "tokens  나는   학교에 간다 ");
	assert_int_equal(p.state.problem->n_q, 3);
	assert_string_equal(p.state.problem->query_tokens.text[1], "학교에");
	assert_string_equal(p.state.problem->key_tokens.text[2], "간다");
	assert_int_equal(p.state.problem->d_k, 8);
	option_is(&p, OPT_CAUSAL, "on");
	option_is(&p, OPT_PAD, "none");
	cursor_is(&p, 0, 0);
	/* The same numbers as three random tokens of that seed. */
	player_open(&q, "random-4");
	player_command(&q, "n 3");
	player_command(&q, "scale none");
	struct numbers three = compute_all(&q);
	assert_true(computes(&p, &three));
	player_close(&q);
	player_keys(&p, "u");
	assert_true(computes(&p, &before));
	refused(&p, "tokens", "words");
	refused(&p, "tokens   ", "words");
	free(before.v);
	free(three.v);
	player_close(&p);
}

static void opening(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "G <End> .");
	player_command(&p, "o random-4");
	shows(&p, random_weights, 4, 4);
	cursor_is(&p, 0, 0);
	assert_int_equal(state_precision(&p.state), 4);		/* presentation stays */
	refused(&p, "o", "name");
	refused(&p, "o nothing", "no such scenario");
	player_own("qkv: 1\nscores: [[1, 2], [3]]\n");
	refused(&p, "o own", "own:2:");
	player_own("qkv: 1\nscores: [[0, 0], [0, 0]]\nset: {pad: [5]}\n");
	refused(&p, "o own", "pad");
	player_keys(&p, "u");
	shows(&p, causal_weights, 3, 3);
	player_close(&p);
}

static void given_scores_and_given_weights(void **state)
{
	const double half[] = { 0.5, 0.5, 0.5, 0.5 };
	struct player p;

	(void)state;
	player_open_yaml(&p, "qkv: 1\nscores: [[1, 1], [2, 2]]\n");
	shows(&p, half, 2, 2);
	player_keys(&p, "s");
	shows(&p, half, 2, 2);
	player_keys(&p, "1 +");
	is_near(player_value(&p, 0, 0), 1.1);
	player_keys(&p, "4");
	is_near(player_value(&p, 0, 0), 1 / (1 + exp(-0.1)));
	player_close(&p);

	player_open_yaml(&p, "qkv: 1\nweights: [[0.25, 0.5], [0.5, 0.5]]\n");
	const char *const no[] = { "c", "p", "P", "s", "S", "x", "f", "E", "<lt>" };
	for (size_t k = 0; k < sizeof no / sizeof *no; k++) {
		player_keys(&p, no[k]);
		says(&p, true, "finished weights");
		assert_int_equal(p.state.undo.n, 0);
	}
	refused(&p, "stage scores", "finished weights");
	assert_int_equal(state_query(&p.state, 0)->verdict, VERDICT_LOW);
	is_near(state_query(&p.state, 0)->sum, 0.75);
	set_value(&p, "0.5");
	assert_int_equal(state_query(&p.state, 0)->verdict, VERDICT_OK);
	player_close(&p);
}

static void the_list_of_scenarios(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	for (size_t k = 0; k < p.state.ports.builtin_count(); k++) {
		struct key letter = { .kind = KEY_CHARACTER, .code = (uint32_t)('a' + k) };
		player_keys(&p, "o");
		assert_int_equal(p.state.mode, MODE_PICKER);
		state_key(&p.state, &letter);
		assert_int_equal(p.state.mode, MODE_GRID);
		assert_string_equal(state_scenario(&p.state)->name, p.state.ports.builtin_name(k));
		assert_null(state_fault(&p.state));
	}
	player_keys(&p, "o <Up> <Up> G <Home> <Down> <Enter>");
	assert_string_equal(state_scenario(&p.state)->name, p.state.ports.builtin_name(1));
	/* It begins on what is shown; what closes it changes nothing. */
	static const char *const close[] = { "<Esc>", "q" };	/* o is the letter of a row */
	size_t undo = p.state.undo.n;
	for (size_t k = 0; k < 2; k++) {
		player_keys(&p, "o");
		assert_int_equal(p.state.picker.chosen, 1);
		player_keys(&p, "<Down> + 5 P s z");
		assert_int_equal(p.state.mode, MODE_PICKER);
		player_keys(&p, close[k]);
		assert_int_equal(p.state.mode, MODE_GRID);
		assert_int_equal(p.effects, 0);
	}
	assert_int_equal(p.state.undo.n, undo);
	player_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seeds_in_turn),
		cmocka_unit_test(a_very_long_seed),
		cmocka_unit_test(sizes_of_random_input),
		cmocka_unit_test(random_options_on_given_numbers),
		cmocka_unit_test(own_tokens),
		cmocka_unit_test(opening),
		cmocka_unit_test(given_scores_and_given_weights),
		cmocka_unit_test(the_list_of_scenarios),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
