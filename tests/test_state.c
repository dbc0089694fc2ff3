/* test_state.c - what keys do to the state.
 *
 * Expected weights are those of the golden corpus (seed002, seed003) or are
 * worked out by hand beside the check.
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

#include "core/io/scenario_yaml.h"
#include "tests/player.h"
#include "tui/layout.h"

/* ---- looking at the state ---- */

static void is_near(double got, double wanted)
{
	if (isnan(wanted) ? isnan(got) : fabs(got - wanted) <= 1e-12 || got == wanted)
		return;
	fail_msg("%.17g instead of %.17g", got, wanted);
}

/* The numbers shown, row by row. */
static void shows(struct player *p, const double *wanted, size_t rows, size_t columns)
{
	size_t r, c;

	state_shape(&p->state, &r, &c);
	assert_int_equal(r, rows);
	assert_int_equal(c, columns);
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < columns; j++)
			is_near(player_value(p, i, j), wanted[i * columns + j]);
}

static void option_is(struct player *p, enum option o, const char *wanted)
{
	struct buffer now = { 0 };

	option_text(&p->state.now.options, o, &now);
	if (strcmp(now.data, wanted))
		fail_msg("%s is %s instead of %s", option_info(o)->name, now.data, wanted);
	buffer_free(&now);
}

static void says(struct player *p, bool is_error, const char *what)
{
	if (p->state.sentence_is_error != is_error || !strstr(p->state.sentence, what))
		fail_msg("'%s' (%s) does not say '%s'", p->state.sentence, p->state.sentence_is_error ? "error" : "fine", what);
}

static void cursor_is(struct player *p, size_t row, size_t column)
{
	if (p->state.row != row || p->state.column != column)
		fail_msg("the cursor is at %zu:%zu instead of %zu:%zu", p->state.row, p->state.column, row, column);
	assert_null(state_fault(&p->state));
}

/* Everything computed: all stages of all rows that fit. */
struct numbers {
	double *v;
	size_t n;
};

static void add_row(struct numbers *all, const double *v, size_t n)
{
	all->v = realloc(all->v, (all->n + n) * sizeof *v);
	assert_non_null(all->v);
	memcpy(all->v + all->n, v, n * sizeof *v);
	all->n += n;
}

static struct numbers compute_all(struct player *p)
{
	struct numbers all = { 0 };
	const struct attention *a = &p->state.grid.attention;

	for (size_t i = 0; i < p->state.problem->n_q; i++) {
		const struct row *r = grid_row(&p->state.grid, i, STAGE_OUTPUT);
		for (int stage = STAGE_SCORES; stage <= STAGE_OUTPUT; stage++) {
			size_t n;
			const double *v = row_stage(r, a, (enum stage)stage, &n);
			if (attention_has_stage(a, (enum stage)stage))
				add_row(&all, v, n);
		}
		add_row(&all, &r->sum, 1);
	}
	return all;
}

static bool same_numbers(const struct numbers *a, const struct numbers *b)
{
	if (a->n != b->n)
		return false;
	for (size_t k = 0; k < a->n; k++)
		if (memcmp(a->v + k, b->v + k, sizeof *a->v) && !(isnan(a->v[k]) && isnan(b->v[k])))
			return false;
	return true;
}

static bool computes(struct player *p, const struct numbers *wanted)
{
	struct numbers now = compute_all(p);
	bool same = same_numbers(&now, wanted);

	free(now.v);
	return same;
}

static struct snapshot copy_of(const struct snapshot *from)
{
	struct snapshot copy;
	struct error e = { 0 };

	assert_int_equal(snapshot_copy(&copy, from, &e), OK_STATUS);
	return copy;
}

/* A command that is refused leaves everything as it was, and says why. */
static void refused(struct player *p, const char *command, const char *why)
{
	struct snapshot before = copy_of(&p->state.now);
	struct numbers numbers = compute_all(p);
	size_t undo = p->state.undo.n, opened = p->state.opened_n;

	player_command(p, command);
	says(p, true, why);
	assert_true(snapshot_equal(&p->state.now, &before));
	assert_true(computes(p, &numbers));
	assert_int_equal(p->state.undo.n, undo);
	assert_int_equal(p->state.opened_n, opened);
	snapshot_free(&before);
	free(numbers.v);
}

static const double causal_weights[] = {
	1, 0, 0,
	0.2689414213699951, 0.7310585786300049, 0,
	0.6590011388859679, 0.24243297070471392, 0.09856589040931818,
};

static const double plain_weights[] = {
	0.6590011388859679, 0.24243297070471392, 0.09856589040931818,
	0.24243297070471392, 0.6590011388859679, 0.09856589040931818,
	0.6590011388859679, 0.24243297070471392, 0.09856589040931818,
};

static const double random_weights[] = {
	1, 0, 0, 0,
	0.8268005366594608, 0.1731994633405391, 0, 0,
	0.34008576684329156, 0.4125508075089344, 0.24736342564777408, 0,
	0.10217107040752102, 0.030982725502043777, 0.6839274533500317, 0.18291875074040354,
};

/* ---- beginning ---- */

/* What does not fit is refused, and nothing is left behind (leak checkers see it). */
static void refuses_what_cannot_be_shown(void **state)
{
	static const char *const texts[] = {
		"qkv: 1\nscores: [[1, 2]]\nset: {pad: [7]}\n", "qkv: 1\nscores: [[1, 2]]\nset: {stage: joined}\n",
		"qkv: 1\nweights: [[1, 0]]\nset: {stage: scores}\n", "qkv: 1\nscores: [[1, 2]]\nset: {n: 3}\n",
	};
	struct random_tables tables;
	struct error e = { 0 };

	(void)state;
	assert_int_equal(random_tables_init(&tables, &e), OK_STATUS);
	for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
		struct scenario sc;
		struct options o;
		struct state s;
		assert_int_equal(scenario_parse(&sc, texts[k], strlen(texts[k]), "own", &e), OK_STATUS);
		assert_int_equal(options_copy(&o, &sc.set, &e), OK_STATUS);
		assert_int_not_equal(state_init(&s, &tables, &player_ports, &sc, &o, &e), OK_STATUS);
		assert_true(*e.text);
	}
}

/* ---- switches ---- */

static void begins_with_known_numbers(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	assert_int_equal(p.state.mode, MODE_GRID);
	assert_int_equal(state_stage(&p.state), STAGE_WEIGHTS);
	shows(&p, causal_weights, 3, 3);
	cursor_is(&p, 0, 0);
	player_close(&p);
	player_open(&p, "random-4");
	shows(&p, random_weights, 4, 4);
	player_close(&p);
}

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

/* ---- numbers ---- */

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

static void set_value(struct player *p, const char *text)
{
	player_keys(p, "<Enter> <C-u>");
	player_type(p, text);
	player_keys(p, "<Enter>");
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

/* ---- back and forth ---- */

/* Each is one change. */
static const char *const changes[] = {
	"c", "P", "s", "S", "p", "<Home> x", "f", "E", "+", "-", "<lt>", "<gt>", ",", ".", "t", "m", "5", "<Tab>", "<S-Tab>", "0", "0",
	"<Enter> <C-u> 4 <Enter>", "j + <Del>", ": s c a l e <Space> 0 . 3 <Enter>", ": h i d e <Space> 2 : 0 <Enter>",
	": o <Space> r a n d o m - 4 <Enter>", "R", ": n <Space> 6 <Enter>", ": t o k e n s <Space> a <Space> b <Enter>",
	": s e e d <Space> 7 <Enter>", "r", "' 1", ": o <Space> s h a p e s - 1 0 <Enter>", "]", "]", "[", "6", "o a",
	": m a s k <Space> l a s t - k e y <Enter>", ": b u g <Space> n o - s c a l e <Enter>",
};
enum { CHANGES = sizeof changes / sizeof *changes };

struct moment {
	struct snapshot snapshot;
	struct numbers numbers;
};

static struct moment moment_of(struct player *p)
{
	return (struct moment){ copy_of(&p->state.now), compute_all(p) };
}

static void check_moment(struct player *p, const struct moment *m, const char *what)
{
	if (!snapshot_equal(&p->state.now, &m->snapshot))
		fail_msg("%s: the options, edits or scenario differ", what);
	if (!computes(p, &m->numbers))
		fail_msg("%s: the numbers differ", what);
	assert_null(state_fault(&p->state));
}

static void undo_and_redo_of_everything(void **state)
{
	enum { LIMIT = 2 * CHANGES + 2 };
	struct moment moments[LIMIT];
	size_t n = 0;
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "M 1 l");
	moments[n++] = moment_of(&p);
	for (int k = 0; k < CHANGES; k++) {
		size_t undo = p.state.undo.n;
		player_keys(&p, changes[k]);
		if (p.state.undo.n == undo)
			fail_msg("'%s' changed nothing: %s", changes[k], p.state.sentence);
		assert_true(n + 1 < LIMIT);
		/* A change made of two is met half way, going back. */
		if (p.state.undo.n == undo + 2) {
			player_keys(&p, "u");
			moments[n++] = moment_of(&p);
			player_keys(&p, "<C-r>");
		}
		moments[n++] = moment_of(&p);
		assert_int_equal(p.state.undo.n, n - 1);
	}
	for (int round = 0; round < 2; round++) {
		for (size_t k = n - 1; k-- > 0;) {
			player_keys(&p, "u");
			says(&p, false, "undone");
			check_moment(&p, &moments[k], "undo");
		}
		player_keys(&p, "u");
		says(&p, false, "nothing to undo");
		for (size_t k = 1; k < n; k++) {
			player_keys(&p, "<C-r>");
			says(&p, false, "made again");
			check_moment(&p, &moments[k], "redo");
		}
		player_keys(&p, "<C-r>");
		says(&p, false, "nothing to redo");
	}
	for (size_t k = 0; k < n; k++) {
		snapshot_free(&moments[k].snapshot);
		free(moments[k].numbers.v);
	}
	player_close(&p);
}

static void a_change_ends_redo(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "c s u u");
	assert_int_equal(p.state.redo.n, 2);
	player_keys(&p, "j");		/* moving is no change */
	assert_int_equal(p.state.redo.n, 2);
	player_keys(&p, "P");
	assert_int_equal(p.state.redo.n, 0);
	assert_int_equal(p.state.undo.n, 1);
	/* Setting what is set already is no change. */
	player_command(&p, "pad-mask on");
	player_keys(&p, "4");
	assert_int_equal(p.state.undo.n, 1);
	player_close(&p);
}

static void undo_goes_far(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct numbers before = compute_all(&p);
	for (int k = 0; k < 1000; k++)
		player_keys(&p, "c + l j");
	for (int k = 0; k < 2000; k++)
		player_keys(&p, "u");
	assert_int_equal(p.state.undo.n, 0);
	assert_true(computes(&p, &before));
	free(before.v);
	player_close(&p);
}

/* The oldest change goes first when there are too many; nothing breaks. */
static void history_is_limited(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "two-tokens");
	for (int k = 0; k < HISTORY_LIMIT + 5; k++)
		player_keys(&p, "c");
	assert_int_equal(p.state.undo.n, HISTORY_LIMIT);
	player_close(&p);
}

static void reset_can_be_undone(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct numbers opened = compute_all(&p);
	player_keys(&p, "r");
	says(&p, false, "as it was opened");
	assert_int_equal(p.state.undo.n, 0);
	player_keys(&p, "c s + P j x");
	struct numbers changed = compute_all(&p);
	player_keys(&p, "r");
	assert_true(computes(&p, &opened));
	assert_int_equal(p.state.now.edits.n, 0);
	says(&p, false, "u brings the changes back");
	player_keys(&p, "u");
	assert_true(computes(&p, &changed));
	player_keys(&p, "<C-r>");
	assert_true(computes(&p, &opened));
	free(opened.v);
	free(changed.v);
	player_close(&p);
}

static void bookmarks(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "' 1");
	says(&p, true, "no such bookmark");
	player_keys(&p, "j l M");
	assert_int_equal(p.state.mode, MODE_MARK);
	player_keys(&p, "1");
	assert_int_equal(p.state.mode, MODE_GRID);
	struct numbers marked = compute_all(&p);
	player_keys(&p, "c s P g <Home> o d R M 9");
	struct numbers other = compute_all(&p);
	player_keys(&p, "' 1");
	assert_true(computes(&p, &marked));
	cursor_is(&p, 1, 1);
	player_keys(&p, "' 9");
	assert_true(computes(&p, &other));
	/* Going to a bookmark is a change. */
	player_keys(&p, "u");
	assert_true(computes(&p, &marked));
	/* By name too. */
	player_command(&p, "mark 2");
	player_keys(&p, "c");
	player_command(&p, "recall 2");
	assert_true(computes(&p, &marked));
	refused(&p, "recall 7", "no such bookmark");
	refused(&p, "mark 0", "1 to 9");
	refused(&p, "mark 12", "1 to 9");
	free(marked.v);
	free(other.v);
	player_close(&p);
}

static void bookmarks_are_cancelled(void **state)
{
	static const char *const keys[] = { "<Esc>", "0", "c", "<Enter>", "<Space>", "<Up>", "M" };
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct numbers before = compute_all(&p);
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		player_keys(&p, k % 2 ? "M" : "'");
		player_keys(&p, keys[k]);
		assert_int_equal(p.state.mode, MODE_GRID);
		assert_true(computes(&p, &before));
		/* It no longer asks for a digit. */
		assert_null(strstr(p.state.sentence, "press 1 to 9"));
	}
	for (int k = 0; k < 9; k++)
		assert_false(p.state.bookmark[k].set);
	/* Ctrl-C is heard here too. */
	player_keys(&p, "M <C-c>");
	assert_int_equal(p.effects, EFFECT_INTERRUPT);
	free(before.v);
	player_close(&p);
}

/* A bookmark whose cursor is far away is scrolled to. */
static void a_bookmark_is_scrolled_to(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "random-4");
	player_command(&p, "n 300");
	player_keys(&p, "G <End> M 1 g <Home> ' 1");
	cursor_is(&p, 299, 299);
	player_keys(&p, "g <Home>");
	player_command(&p, "recall 1");
	cursor_is(&p, 299, 299);
	player_close(&p);
}

/* ---- stages, heads ---- */

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

/* ---- random input, own tokens ---- */

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
	assert_string_equal(p.state.problem->key_tokens.text[5], "t5");
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

/* ---- typed commands ---- */

static void commands_set_options(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_command(&p, "scale sqrt");
	option_is(&p, OPT_SCALE, "sqrt");
	player_command(&p, "scale none");
	option_is(&p, OPT_SCALE, "none");
	player_command(&p, "set scale 0.5");
	option_is(&p, OPT_SCALE, "0.5");
	player_command(&p, "causal off");
	option_is(&p, OPT_CAUSAL, "off");
	player_command(&p, "set causal");
	option_is(&p, OPT_CAUSAL, "on");
	player_command(&p, "  fill   -1e9  ");
	option_is(&p, OPT_FILL, "-1000000000");
	player_command(&p, "hide 2:0,2:1");
	is_near(player_value(&p, 2, 2), 1);
	says(&p, false, "5 of 9 cells hidden");
	player_command(&p, "toggle-causal");
	option_is(&p, OPT_CAUSAL, "off");
	player_command(&p, "bug no-scale");
	assert_false(p.state.sentence_is_error);
	player_command(&p, "");
	assert_int_equal(p.state.mode, MODE_GRID);
	player_close(&p);
}

static void commands_that_are_refused(void **state)
{
	static const struct { const char *line, *why; } bad[] = {
		{ "nothing", "neither a command nor an option" }, { "scal none", "neither" }, { "set nothing 1", "not an option" },
		{ "set", "not an option" }, { "scale abc", "abc" }, { "scale", "on" }, { "causal maybe", "maybe" }, { "pad 9", "outside" },
		{ "hide 0:9", "outside" }, { "hide 0", "'0'" }, { "documents 1,2", "2 ids for 3 keys" }, { "precision 18", "18" },
		{ "bug nonsense", "nonsense" }, { "mask nowhere", "no such file" }, { "mask " MASK_MISFIT, "does not fit" },
		{ "stage joined", "one head" }, { "head 1", "head" }, { "window 0", "'0'" }, { "dropout 1", "'1'" },
		{ "array nothing", "nothing" }, { "edit abc", "not a number" }, { "w", "name" }, { "w a.pdf", "ending" },
		{ "w " TAKEN_NAME, "exists" }, { "find-next", "nothing was searched" }, { "find \uac00\ub098", "no token" },
	};
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
		refused(&p, bad[k].line, bad[k].why);
	player_close(&p);
}

static void prompt_is(struct player *p, const char *text)
{
	assert_int_equal(p->state.mode, MODE_PROMPT);
	assert_string_equal(p->state.prompt.text, text);
}

static void completion(void **state)
{
	static const struct { const char *typed, *first; } completes[] = {
		{ "toggle-c", "toggle-causal" }, { "set tempe", "set temperature" }, { "scale n", "scale none" },
		{ "set scale d", "set scale dk" }, { "o rand", "o random-4" }, { "causal ", "causal on" }, { "mask-at after-", "mask-at after-renorm" },
		{ "set causal o", "set causal on" }, { "softc", "softcap" },
	};
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	for (size_t k = 0; k < sizeof completes / sizeof *completes; k++) {
		player_keys(&p, ":");
		player_type(&p, completes[k].typed);
		player_keys(&p, "<Tab>");
		prompt_is(&p, completes[k].first);
		assert_int_equal(p.state.prompt.cursor, strlen(completes[k].first));
		player_keys(&p, "<Esc>");
	}
	/* Again: the next one, and round. */
	player_keys(&p, ": d - <Tab>");
	prompt_is(&p, "d-model");
	player_keys(&p, "<Tab>");
	prompt_is(&p, "d-k");
	player_keys(&p, "<Tab>");
	prompt_is(&p, "d-v");
	player_keys(&p, "<Tab>");
	prompt_is(&p, "d-model");
	/* A key in between begins anew. */
	player_keys(&p, "<BS> <BS> <BS> <BS> <BS> k <Tab>");
	prompt_is(&p, "d-k");
	player_keys(&p, "<Esc> : z z z <Tab>");
	prompt_is(&p, "zzz");
	says(&p, false, "nothing begins with 'zzz'");
	player_keys(&p, "<Esc> / t <Tab>");
	prompt_is(&p, "t");
	player_close(&p);
}

/* Everything that `:` takes can be completed to. */
static void completion_reaches_every_name(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, ":");
	for (int k = 0; k < CMD_COUNT + OPT_COUNT; k++) {
		const char *name = k < CMD_COUNT ? command_info((enum command)k)->name : option_info((enum option)(k - CMD_COUNT))->name;
		player_keys(&p, "<Tab>");
		prompt_is(&p, name);
	}
	player_close(&p);
}

static void line_history(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, ": <Up>");
	prompt_is(&p, "");
	player_keys(&p, "<Esc>");
	player_command(&p, "scale 1");
	player_command(&p, "scale 2");
	player_command(&p, "scale 2");
	player_command(&p, "nonsense");
	player_keys(&p, ": <Up>");
	prompt_is(&p, "nonsense");
	player_keys(&p, "<Up>");
	prompt_is(&p, "scale 2");
	player_keys(&p, "<Up>");
	prompt_is(&p, "scale 1");
	player_keys(&p, "<Up>");
	prompt_is(&p, "scale 1");
	player_keys(&p, "<Down> <Down> <Down>");
	prompt_is(&p, "");
	player_keys(&p, "<Up> <Up> <Up> <Enter>");
	option_is(&p, OPT_SCALE, "1");
	/* Neither searches nor values are in it. */
	player_keys(&p, "/ a b <Enter> <Enter> <C-u> 5 <Enter> : <Up>");
	prompt_is(&p, "scale 1");
	player_keys(&p, "<Esc> / <Up>");
	prompt_is(&p, "");
	player_keys(&p, "<Esc>");
	for (int k = 0; k < 1200; k++)
		player_command(&p, k % 2 ? "precision 4" : "precision 5");
	assert_true(p.state.lines_n <= 500);
	player_close(&p);
}

static void line_editing(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, ":");
	player_type(&p, "one two");
	player_keys(&p, "<Left> <Left> <Left> X <Home> Y <End> Z");
	prompt_is(&p, "Yone XtwoZ");
	player_keys(&p, "<Space> <Space> <C-w>");
	prompt_is(&p, "Yone ");
	player_keys(&p, "Q <C-h>");
	prompt_is(&p, "Yone ");
	player_keys(&p, "<C-a> <Del>");
	prompt_is(&p, "one ");
	player_keys(&p, "<Right> <C-k>");
	prompt_is(&p, "o");
	player_keys(&p, "<C-e> <C-u>");
	prompt_is(&p, "");
	player_keys(&p, "<BS>");
	assert_int_equal(p.state.mode, MODE_GRID);
	/* Clusters go as one: a syllable of three jamo, a letter with its accent. */
	player_keys(&p, "/");
	player_type(&p, "a\u1112\u1161\u11abe\u0301");
	player_keys(&p, "<BS>");
	prompt_is(&p, "a\u1112\u1161\u11ab");
	player_keys(&p, "<Left> <Del>");
	prompt_is(&p, "a");
	/* Letters with Alt or Control do nothing here. */
	player_keys(&p, "<A-x> <C-x> <F5> <Insert>");
	prompt_is(&p, "a");
	player_keys(&p, "<C-c>");
	assert_int_equal(p.effects, EFFECT_INTERRUPT);
	player_keys(&p, "<C-z>");
	assert_int_equal(p.effects, EFFECT_SUSPEND);
	player_keys(&p, "<C-l>");
	assert_int_equal(p.effects, EFFECT_REDRAW);
	player_keys(&p, "<C-g>");
	assert_int_equal(p.state.mode, MODE_GRID);
	player_close(&p);
}

static void a_line_has_a_limit(void **state)
{
	struct player p;
	char *text = malloc(100000);

	(void)state;
	assert_non_null(text);
	memset(text, 'a', 100000);
	player_open(&p, "causal-3");
	player_keys(&p, ":");
	player_paste(&p, text, 100000);
	assert_true(p.state.prompt.length <= 65536);
	player_draw(&p);
	assert_null(cells_fault(&p.cells));
	player_keys(&p, "<Enter>");
	says(&p, true, "neither");
	free(text);
	player_close(&p);
}

/* ---- finding ---- */

static void find_a_token(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "n");
	says(&p, true, "nothing was searched for");
	player_keys(&p, "/");
	player_type(&p, "\u1112\u1161\u11a8\u1109\u1162\u11bc");	/* as decomposed letters */
	player_keys(&p, "<Enter>");
	cursor_is(&p, 2, 2);
	player_keys(&p, "g <Home> /");
	player_type(&p, "학생");
	player_keys(&p, "<Enter>");
	cursor_is(&p, 2, 2);
	player_keys(&p, "/");
	player_type(&p, "없음");
	player_keys(&p, "<Enter>");
	says(&p, true, "no token");
	cursor_is(&p, 2, 2);
	player_close(&p);
	player_open_yaml(&p, "qkv: 1\ntokens: [\"\u1112\u1161\u11ab\", \"\ud55c\uae00\", x]\nrandom: {n: 3}\n");
	player_keys(&p, "/");
	player_type(&p, "\ud55c");
	player_keys(&p, "<Enter>");
	cursor_is(&p, 1, 1);
	player_keys(&p, "n");
	cursor_is(&p, 0, 0);
	player_close(&p);
}

static void find_next_and_previous(void **state)
{
	struct player p;

	(void)state;
	player_open_yaml(&p, "qkv: 1\ntokens: [the, cat, and, the, other]\nrandom: {n: 5}\n");
	player_command(&p, "find the");
	cursor_is(&p, 3, 3);
	player_keys(&p, "n");
	cursor_is(&p, 4, 4);
	player_keys(&p, "n");
	cursor_is(&p, 0, 0);
	player_keys(&p, "N");
	cursor_is(&p, 4, 4);
	player_keys(&p, "N N");
	cursor_is(&p, 0, 0);
	player_close(&p);
}

/* Queries and keys with names of their own: rows first, then columns, and round. */
static void find_among_columns(void **state)
{
	struct player p;

	(void)state;
	player_open_yaml(&p, "qkv: 1\nquery-tokens: [a, b]\nkey-tokens: [x, ab, y, a]\nrandom: {n-q: 2, n-k: 4}\n");
	player_keys(&p, "j");
	player_command(&p, "find a");
	cursor_is(&p, 1, 1);
	player_keys(&p, "n");
	cursor_is(&p, 1, 3);
	player_keys(&p, "n");
	cursor_is(&p, 0, 3);
	player_keys(&p, "n");
	cursor_is(&p, 0, 1);
	player_keys(&p, "N");
	cursor_is(&p, 0, 1);
	player_close(&p);
}

/* ---- keys that come in other ways ---- */

static void jamo_are_keys(void **state)
{
	static const struct { const char *jamo; const char *latin; } keys[] = {
		{ "\u314a", "c" }, { "\u3134", "s" }, { "\u314c", "x" }, { "\u3139", "f" }, { "\u3138", "E" }, { "\u3156", "P" },
		{ "\u3154", "p" }, { "\u3155", "u" }, { "\u3153", "j" }, { "\u3163", "l" },
	};
	struct player p, q;

	(void)state;
	player_open(&p, "causal-3");
	player_open(&q, "causal-3");
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		player_type(&p, keys[k].jamo);
		player_keys(&q, keys[k].latin);
		assert_true(snapshot_equal(&p.state.now, &q.state.now));
		cursor_is(&p, q.state.row, q.state.column);
	}
	player_close(&q);
	/* A composed syllable is its keys: c, m. */
	struct snapshot before = copy_of(&p.state.now);
	player_type(&p, "\uce20");
	assert_int_equal(p.state.now.options.causal, !before.options.causal);
	option_is(&p, OPT_COLOR, "never");
	snapshot_free(&before);
	/* Where text is typed they are text. */
	player_keys(&p, "/");
	player_type(&p, "\u314a\uce20");
	prompt_is(&p, "\u314a\uce20");
	player_keys(&p, "<Esc>");
	/* In a list too they are letters: q closes. */
	player_keys(&p, "o");
	player_type(&p, "\u3142");
	assert_int_equal(p.state.mode, MODE_GRID);
	player_close(&p);
}

static void pastes_are_never_keys(void **state)
{
	static const char text[] = "q:q\rccPs\x03\x1b[A\nx\x7f";
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct numbers before = compute_all(&p);
	const char *const open[] = { "", "?", "o", "M", "'" };
	for (size_t k = 0; k < sizeof open / sizeof *open; k++) {
		player_keys(&p, open[k]);
		enum mode mode = p.state.mode;
		player_paste(&p, text, sizeof text - 1);
		assert_int_equal(p.effects, 0);
		assert_int_equal(p.state.mode, mode);
		assert_int_equal(p.state.undo.n, 0);
		assert_true(computes(&p, &before));
		player_keys(&p, "<Esc>");
	}
	/* In a line it is text, and Enter in it does not end the line. */
	player_keys(&p, ":");
	player_paste(&p, "scale\n0.5\tx\x1b\x03", 13);
	prompt_is(&p, "scale 0.5 x");
	assert_int_equal(p.effects, 0);
	player_keys(&p, "<BS> <BS> <Enter>");
	option_is(&p, OPT_SCALE, "0.5");
	player_paste(&p, "", 0);
	free(before.v);
	player_close(&p);
}

static void clicks(void **state)
{
	struct player p;
	struct layout l;

	(void)state;
	player_open(&p, "causal-3");
	layout_make(&l, &p.state);
	player_click(&p, l.grid + 2, l.cells + 2 * l.cell_width + 1);
	cursor_is(&p, 2, 2);
	player_click(&p, l.switches, 1);
	option_is(&p, OPT_CAUSAL, "off");
	player_click(&p, 23, 79);
	player_click(&p, 500, 500);
	player_wheel(&p, false);
	cursor_is(&p, 0, 2);
	player_wheel(&p, true);
	cursor_is(&p, 2, 2);
	/* While a value is typed, its cell stays the one it was opened for. */
	player_keys(&p, "g <Home> 1 <Enter> <C-u> 9");
	player_wheel(&p, true);
	player_click(&p, l.grid + 2, l.cells + 1);
	prompt_is(&p, "9");
	player_keys(&p, "<Enter>");
	is_near(player_value(&p, 0, 0), 9);
	player_close(&p);
}

/* ---- windows ---- */

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

static void the_help(void **state)
{
	static const char *const close[] = { "<Esc>", "q", "?", "<F1>" };
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct numbers before = compute_all(&p);
	for (size_t k = 0; k < 4; k++) {
		player_keys(&p, "c c ?");
		assert_int_equal(p.state.mode, MODE_HELP);
		player_draw(&p);
		player_keys(&p, "j j <PgDn> c P G");
		size_t last = p.state.help_top;
		assert_true(last > 20);
		player_keys(&p, "j <PgDn>");
		assert_int_equal(p.state.help_top, last);
		player_keys(&p, "k");
		assert_int_equal(p.state.help_top, last - 1);
		player_keys(&p, "<PgUp>");
		assert_true(p.state.help_top < last - 5);
		player_keys(&p, "g k");
		assert_int_equal(p.state.help_top, 0);
		player_keys(&p, close[k]);
		assert_int_equal(p.state.mode, MODE_GRID);
		assert_int_equal(p.effects, 0);
		assert_true(computes(&p, &before));
		/* What it said of itself is gone with it. */
		player_draw(&p);
		assert_null(strstr(p.state.sentence, "help: line"));
	}
	free(before.v);
	player_close(&p);
}

static void leaving(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "q");
	assert_int_equal(p.effects, EFFECT_QUIT);
	player_keys(&p, "<C-c>");
	assert_int_equal(p.effects, EFFECT_INTERRUPT);
	player_keys(&p, "<C-z>");
	assert_int_equal(p.effects, EFFECT_SUSPEND);
	player_keys(&p, "<C-l>");
	assert_int_equal(p.effects, EFFECT_REDRAW);
	player_keys(&p, "<Esc> <Esc> <Esc>");
	assert_int_equal(p.effects, 0);
	player_command(&p, "q");
	assert_int_equal(p.effects, EFFECT_QUIT);
	player_command(&p, "quit");
	assert_int_equal(p.effects, EFFECT_QUIT);
	player_keys(&p, "? <C-c>");
	assert_int_equal(p.effects, EFFECT_INTERRUPT);
	player_keys(&p, "<F9>");
	player_keys(&p, "<Esc> <F9>");
	says(&p, false, "<F9> does nothing");
	player_command(&p, "mouse off");
	assert_int_equal(p.effects, EFFECT_MOUSE);
	assert_false(p.state.mouse);
	player_close(&p);
}

/* ---- the picture, files ---- */

static void looks_of_the_picture(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	assert_int_equal(state_look(&p.state).theme, THEME_DARK);
	player_keys(&p, "t");
	assert_int_equal(state_look(&p.state).theme, THEME_LIGHT);
	player_keys(&p, "t");
	assert_int_equal(state_look(&p.state).theme, THEME_DARK);
	player_keys(&p, "m");
	assert_int_equal(state_look(&p.state).depth, DEPTH_NONE);
	player_keys(&p, "m");
	assert_int_equal(state_look(&p.state).depth, DEPTH_TRUE);
	for (int k = 1; k <= 3; k++) {
		player_keys(&p, "z");
		assert_int_equal(p.state.zoom, k % 3);
		assert_null(state_fault(&p.state));
	}
	player_command(&p, "ascii");
	assert_true(state_look(&p.state).ascii);
	/* Never more colours than the terminal has. */
	p.state.look.depth = DEPTH_8;
	player_command(&p, "color truecolor");
	assert_int_equal(state_look(&p.state).depth, DEPTH_8);
	p.state.look.depth = DEPTH_NONE;
	player_command(&p, "color auto");
	player_keys(&p, "m");
	says(&p, true, "no colours");
	player_close(&p);
}

static void the_command_line_again(void **state)
{
	struct player p;
	struct buffer line = { 0 };

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "y");
	says(&p, false, "qkv causal-3");
	assert_null(strstr(p.state.sentence, "--"));
	player_keys(&p, "c P");
	player_command(&p, "hide 0:1");
	state_command_line(&p.state, &line);
	assert_string_equal(line.data, "qkv causal-3 --causal=off --pad-mask=on --hide=0:1");
	buffer_free(&line);
	/* What it was opened from; a shell reads it back as one word, qkv as a file. */
	static const struct { const char *input, *line; } inputs[] = {
		{ "/tmp/it's a.yaml", "qkv '/tmp/it'\\''s a.yaml' --causal=off" },
		{ "show.yaml", "qkv ./show.yaml --causal=off" },
		{ "-x", "qkv ./-x --causal=off" },
		{ "pad-4", "qkv pad-4 --causal=off" },
	};
	for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++) {
		state_set_source(&p.state, inputs[k].input);
		assert_true(state_command_line(&p.state, &line));
		assert_int_equal(strncmp(line.data, inputs[k].line, strlen(inputs[k].line)), 0);
		buffer_free(&line);
	}
	state_set_source(&p.state, "-");
	assert_false(state_command_line(&p.state, &line));
	buffer_free(&line);
	state_set_source(&p.state, "causal-3");
	player_command(&p, "mask " MASK_LAST);
	player_keys(&p, "+ y");
	says(&p, false, "edited numbers need a file");
	player_close(&p);
	player_open(&p, "random-4");
	player_command(&p, "tokens it's $HOME");
	player_keys(&p, "y");
	says(&p, false, "this input needs a file");
	player_close(&p);
}

static void writing_files(void **state)
{
	static const struct { const char *name, *begins; } file[] = {
		{ "a.yaml", "qkv: 1" }, { "b.svg", "<" }, { "c.html", "<!" }, { "d.txt", "qkv" },
	};
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	for (size_t k = 0; k < sizeof file / sizeof *file; k++) {
		char line[40];
		snprintf(line, sizeof line, "w %s", file[k].name);
		player_command(&p, line);
		says(&p, false, "wrote");
		assert_string_equal(written.name, file[k].name);
		assert_false(written.replace);
		assert_int_equal(strncmp(written.data.data, file[k].begins, strlen(file[k].begins)), 0);
	}
	player_command(&p, "w f.ansi");
	assert_non_null(strchr(written.data.data, '\x1b'));
	player_command(&p, "w! " TAKEN_NAME);
	says(&p, false, "wrote");
	assert_true(written.replace);
	/* e only begins the line. */
	size_t calls = written.calls;
	player_keys(&p, "e");
	prompt_is(&p, "w ");
	player_keys(&p, "<Esc>");
	assert_int_equal(written.calls, calls);
	player_close(&p);
}

/* What is written opens as the same state. */
static void a_written_scenario_is_the_same(void **state)
{
	struct player p;
	char *text;

	(void)state;
	player_open(&p, "random-4");
	player_keys(&p, "j + l x p f .");
	player_command(&p, "scale 0.3");
	struct numbers before = compute_all(&p);
	player_command(&p, "w own.yaml");
	text = strdup(written.data.data);
	assert_non_null(text);
	player_own(text);
	player_command(&p, "o causal-3");
	player_command(&p, "o own");
	assert_true(computes(&p, &before));
	assert_int_equal(p.state.now.edits.n, 1);
	free(before.v);
	player_close(&p);
	free(text);
}

/* ---- screens of any size ---- */

static void screens_that_are_too_small(void **state)
{
	static const int size[][2] = { { 5, 80 }, { 24, 19 }, { 1, 1 } };
	static const char *const nothing[] = { "c", "P", "s", "x", "j", "l", "+", "u", "r", "o", ":", "/", "M", "'", "<Enter>", "5", "z",
					       "t", "G", "<Tab>", "e", "y" };
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
		state_resize(&p.state, size[k][0], size[k][1]);
		struct snapshot before = copy_of(&p.state.now);
		for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
			player_keys(&p, nothing[i]);
			assert_int_equal(p.effects, 0);
			assert_int_equal(p.state.mode, MODE_GRID);
			assert_true(snapshot_equal(&before, &p.state.now));
		}
		cursor_is(&p, 0, 0);
		player_keys(&p, "?");
		assert_int_equal(p.state.mode, MODE_HELP);
		player_keys(&p, "q");		/* q quits, as the notice says */
		assert_int_equal(p.effects, EFFECT_QUIT);
		player_keys(&p, "<Esc> q");
		assert_int_equal(p.effects, EFFECT_QUIT);
		player_keys(&p, "<C-c>");
		assert_int_equal(p.effects, EFFECT_INTERRUPT);
		player_keys(&p, "<C-l>");
		assert_int_equal(p.effects, EFFECT_REDRAW);
		player_keys(&p, "<C-z>");
		assert_int_equal(p.effects, EFFECT_SUSPEND);
		snapshot_free(&before);
	}
	state_resize(&p.state, 24, 80);
	shows(&p, causal_weights, 3, 3);
	player_close(&p);
}

/* A window that was open when the screen became small waits, and q is still q. */
static void windows_on_small_screens(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, ":");
	player_type(&p, "scale 0.5");
	state_resize(&p.state, 3, 10);
	player_keys(&p, "x y z <Enter>");
	prompt_is(&p, "scale 0.5");
	player_keys(&p, "<C-c>");
	assert_int_equal(p.effects, EFFECT_INTERRUPT);
	player_keys(&p, "q");
	assert_int_equal(p.effects, EFFECT_QUIT);
	state_resize(&p.state, 24, 80);
	player_keys(&p, "<Enter>");
	option_is(&p, OPT_SCALE, "0.5");
	static const char *const open[] = { "o", "M", "'", "?" };
	for (size_t k = 0; k < sizeof open / sizeof *open; k++) {
		player_keys(&p, open[k]);
		state_resize(&p.state, 3, 10);
		player_keys(&p, "1 a c");
		player_keys(&p, "q");
		assert_int_equal(p.effects, EFFECT_QUIT);
		state_resize(&p.state, 24, 80);
		player_keys(&p, "<Esc>");
		assert_int_equal(p.state.mode, MODE_GRID);
	}
	assert_string_equal(state_scenario(&p.state)->name, "causal-3");
	assert_false(p.state.bookmark[0].set);
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

/* ---- all commands everywhere ---- */

static const char *const inputs[] = {
	"qkv: 1\nscores: [[1, 2, .nan], [.inf, 0, -.inf]]\n",
	"qkv: 1\nweights: [[0.5, 0.5]]\nv: [[1], [2]]\n",
	"qkv: 1\nq: [[1]]\nk: [[1]]\nv: [[1]]\n",
	"qkv: 1\nrandom: {n-q: 2, n-k: 7, d-k: 1, d-v: 3}\n",
	"qkv: 1\nrandom: {n: 3, d-model: 4, heads: 2, d-k: 2}\n",
};

static void run_all_commands(const char *input, int stage, const char *argument)
{
	struct key digit = { .kind = KEY_CHARACTER, .code = (uint32_t)('0' + stage) };
	struct player p;

	player_open_yaml(&p, input);
	for (int c = 0; c < CMD_COUNT; c++) {
		state_key(&p.state, &digit);
		state_do(&p.state, (enum command)c, argument, "test");
		const char *fault = state_fault(&p.state);
		player_draw(&p);
		if (!fault)
			fault = cells_fault(&p.cells);
		if (fault)
			fail_msg("%s, stage %d, %s %s: %s", input, stage, command_info((enum command)c)->name, argument, fault);
		player_keys(&p, "<Esc> <Esc>");
		assert_int_equal(p.state.mode, MODE_GRID);
	}
	player_close(&p);
}

static void every_command_everywhere(void **state)
{
	static const char *const arguments[] = { "1", "nonsense", "on", "a b c", "-inf" };

	(void)state;
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
		for (int stage = 0; stage < STAGE_COUNT; stage++)
			run_all_commands(inputs[i], stage, "");
		for (size_t a = 0; a < sizeof arguments / sizeof *arguments; a++)
			run_all_commands(inputs[i], STAGE_WEIGHTS, arguments[a]);
	}
}

/* Each key of the registry runs its command: what it says begins with the key,
 * or it has moved the cursor, opened something or asked for an effect. */
static void every_default_key_answers(void **state)
{
	(void)state;
	for (int c = 0; c < CMD_COUNT; c++)
		for (const char *k = command_info((enum command)c)->keys; *k; k += *k == ' ') {
			struct player p;
			char key[KEY_TEXT_SIZE];
			size_t n = strcspn(k, " ");

			snprintf(key, sizeof key, "%.*s", (int)n, k);
			k += n;
			player_open(&p, "cross-3x5");
			player_keys(&p, "j l l");
			snprintf(p.state.sentence, sizeof p.state.sentence, "as before");
			player_keys(&p, key);
			bool moved = p.state.row != 1 || p.state.column != 2;
			bool said = strcmp(p.state.sentence, "as before") && !strstr(p.state.sentence, "does nothing here");
			if (!moved && !said && p.state.mode == MODE_GRID && !p.effects)
				fail_msg("%s does nothing", key);
			player_close(&p);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_cannot_be_shown),
		cmocka_unit_test(begins_with_known_numbers),
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
		cmocka_unit_test(temperature),
		cmocka_unit_test(digits),
		cmocka_unit_test(editing_a_score),
		cmocka_unit_test(an_override_is_marked),
		cmocka_unit_test(editing_good_and_bad_text),
		cmocka_unit_test(editing_an_input),
		cmocka_unit_test(nudging),
		cmocka_unit_test(nudging_keeps_all_digits),
		cmocka_unit_test(undo_and_redo_of_everything),
		cmocka_unit_test(a_change_ends_redo),
		cmocka_unit_test(undo_goes_far),
		cmocka_unit_test(history_is_limited),
		cmocka_unit_test(reset_can_be_undone),
		cmocka_unit_test(bookmarks),
		cmocka_unit_test(bookmarks_are_cancelled),
		cmocka_unit_test(a_bookmark_is_scrolled_to),
		cmocka_unit_test(stages),
		cmocka_unit_test(stages_in_turn),
		cmocka_unit_test(zero_again_shows_the_next),
		cmocka_unit_test(heads),
		cmocka_unit_test(seeds_in_turn),
		cmocka_unit_test(a_very_long_seed),
		cmocka_unit_test(sizes_of_random_input),
		cmocka_unit_test(random_options_on_given_numbers),
		cmocka_unit_test(own_tokens),
		cmocka_unit_test(opening),
		cmocka_unit_test(given_scores_and_given_weights),
		cmocka_unit_test(commands_set_options),
		cmocka_unit_test(commands_that_are_refused),
		cmocka_unit_test(completion),
		cmocka_unit_test(completion_reaches_every_name),
		cmocka_unit_test(line_history),
		cmocka_unit_test(line_editing),
		cmocka_unit_test(a_line_has_a_limit),
		cmocka_unit_test(find_a_token),
		cmocka_unit_test(find_next_and_previous),
		cmocka_unit_test(find_among_columns),
		cmocka_unit_test(jamo_are_keys),
		cmocka_unit_test(pastes_are_never_keys),
		cmocka_unit_test(clicks),
		cmocka_unit_test(the_list_of_scenarios),
		cmocka_unit_test(the_help),
		cmocka_unit_test(leaving),
		cmocka_unit_test(looks_of_the_picture),
		cmocka_unit_test(the_command_line_again),
		cmocka_unit_test(writing_files),
		cmocka_unit_test(a_written_scenario_is_the_same),
		cmocka_unit_test(screens_that_are_too_small),
		cmocka_unit_test(windows_on_small_screens),
		cmocka_unit_test(the_cursor_stays_visible),
		cmocka_unit_test(moving),
		cmocka_unit_test(a_thousand_tokens),
		cmocka_unit_test(every_command_everywhere),
		cmocka_unit_test(every_default_key_answers),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
