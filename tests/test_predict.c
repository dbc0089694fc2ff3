/* test_predict.c - blanked numbers: nothing tells, right and wrong, the reveal, the score. */
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
#include "tui/state.h"

static void answer(struct play *p, const char *text)
{
	char keys[100];

	snprintf(keys, sizeof keys, "<Enter> <Type:%s> <Enter>", text);
	play_keys(p, keys);
}

/* ---- nothing tells ---- */

/* Five tokens, each score of its own: no number of the row stands elsewhere. */
static const char uneven[] =
	"qkv: 1\nscores: [[1.37, 0.21, -0.54, 2.11], [0.48, 1.93, -1.26, 0.77], [2.62, -0.83, 0.39, 1.14]]\n"
	"set: {scale: none}\n";

/* The digits of a number, as any pane would show them: two or more after the point. */
static void lacks_number(const struct play *p, double x, const char *where)
{
	char text[40];

	if (x == 0)		/* stands in many a number */
		return;
	for (int digits = 2; digits <= 6; digits++) {
		snprintf(text, sizeof text, "%.*f", digits, fabs(x));
		if (play_shows(p, text))
			fail_msg("%s: %s is on the screen", where, text);
	}
}

static void check_row_is_blanked(struct play *p, size_t i, const char *where)
{
	size_t rows, columns;

	state_shape(&p->state, &rows, &columns);
	for (size_t j = 0; j < columns; j++)
		lacks_number(p, state_values(&p->state, i)[j], where);
}

static void a_blanked_row_is_nowhere(void **state)
{
	static const char *const stage[] = { "1", "2", "3", "4" };
	static const int sizes[][2] = { { 24, 80 }, { 40, 160 }, { 14, 60 }, { 8, 40 }, { 50, 200 } };

	(void)state;
	for (size_t k = 0; k < 4; k++)
		for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
			struct play p;
			play_open(&p, uneven, NULL);
			play_keys(&p, stage[k]);
			play_keys(&p, "j T T");
			play_resize(&p, sizes[n][0], sizes[n][1]);
			check_row_is_blanked(&p, 1, stage[k]);
			/* Whatever is looked at meanwhile, and what was typed right. */
			play_keys(&p, "<Right> z");
			check_row_is_blanked(&p, 1, stage[k]);
			play_keys(&p, "z z . . ? <Esc> m t a d y");
			check_row_is_blanked(&p, 1, stage[k]);
			char right[40];
			snprintf(right, sizeof right, "%.3f", state_values(&p.state, 1)[p.state.panel.predict.at]);
			answer(&p, right);
			check_row_is_blanked(&p, 1, stage[k]);
			play_free(&p);
		}
}

static void a_blanked_cell_is_nowhere(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, uneven, NULL);
	for (size_t j = 0; j < 4; j++) {
		play_keys(&p, "T");
		double w = state_values(&p.state, 0)[j];
		lacks_number(&p, w, "cell");
		lacks_number(&p, 1 - w, "what is left");
		play_keys(&p, "<Esc>");
		must_show(&p, "1.000 ok");
		play_keys(&p, "<Right>");
	}
	/* The row's sum, largest weight and verdict would tell. */
	char row[ROW_TEXT];
	play_keys(&p, "g <Home> T");
	play_row(&p, p.layout.grid, row);
	assert_null(strstr(row, "1.000"));
	assert_null(strstr(row, "ok"));
	play_row(&p, p.layout.grid + 1, row);
	assert_non_null(strstr(row, "1.000 ok"));
	play_free(&p);
}

/* Pinned numbers are those of another state, and of this one as well. */
static void the_comparison_waits(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, uneven, NULL);
	play_keys(&p, "a d T T");
	check_row_is_blanked(&p, 0, "A | B");
	must_show(&p, "A pinned");
	play_keys(&p, "<Esc>");
	must_show(&p, "A | B  4");
	play_free(&p);
}

/* ---- right and wrong ---- */

static void right_wrong_and_the_score(void **state)
{
	struct play p;
	size_t right, given;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "j T T");
	must_show(&p, "what is 저는, <시작> (1:0)?");
	must_show(&p, "within 0.005");
	answer(&p, "0.27");			/* by hand: .269 */
	must_show(&p, "right; 1 of 3 answered");
	must_lack(&p, "0.27");
	play_keys(&p, "<Type:0.9> <Enter>");	/* a digit begins the line */
	must_show(&p, "WRONG; 2 of 3 answered");
	must_lack(&p, "0.9");
	answer(&p, "0");			/* the hidden one */
	must_show(&p, "right; 2 of 3 right; Space reveals");
	panel_score(&p.state, &right, &given);
	assert_int_equal(right, 2);
	assert_int_equal(given, 3);
	char row[ROW_TEXT];
	play_row(&p, p.layout.grid + 1, row);
	assert_non_null(strstr(row, "ok"));
	assert_non_null(strstr(row, "NO"));
	assert_null(strstr(row, "0.7"));
	play_keys(&p, "<Space>");
	must_show(&p, "2 of 3 right, 0 not answered");
	must_show(&p, "typed 0.27, is 0.2689414213699951, off by 0.0011");
	must_show(&p, "typed 0.9, is 0.7310585786300049");
	play_row(&p, p.layout.grid + 1, row);
	assert_non_null(strstr(row, "0.731"));
	assert_non_null(strstr(row, "1.000 ok"));
	play_keys(&p, "<Space>");		/* asked again */
	check_row_is_blanked(&p, 1, "again");
	play_keys(&p, "<Space>");
	must_show(&p, "0 of 3 right, 3 not answered");
	assert_int_equal(p.state.undo.n, 0);
	play_keys(&p, "<Esc>");
	assert_int_equal(p.state.panel.kind, PANEL_NONE);
	play_free(&p);
}

static bool is_taken(const char *scenario, const char *keys, const char *typed)
{
	struct play p;
	size_t right, given;

	play_open(&p, scenario, NULL);
	play_keys(&p, keys);
	play_keys(&p, "T");
	answer(&p, typed);
	panel_score(&p.state, &right, &given);
	assert_int_equal(given, 1);
	play_free(&p);
	return right == 1;
}

/* Exactly 0.005 away is right, on both sides and however the numbers are rounded. */
static void the_edge_of_the_tolerance(void **state)
{
	static const char tenth[] = "qkv: 1\nscores: [[0.1, 2], [1000000.1, -.inf]]\nset: {scale: none}\n";

	(void)state;
	assert_true(is_taken(tenth, "1", "0.105"));
	assert_true(is_taken(tenth, "1", "0.095"));
	assert_false(is_taken(tenth, "1", "0.1050001"));
	assert_false(is_taken(tenth, "1", "0.0949999"));
	assert_true(is_taken(tenth, "1 l", "2.005"));
	assert_true(is_taken(tenth, "1 l", "1.995"));
	assert_false(is_taken(tenth, "1 l", "2.0051"));
	assert_true(is_taken(tenth, "1 j", "1000000.105"));
	assert_true(is_taken(tenth, "1 j", "1000000.095"));
	assert_false(is_taken(tenth, "1 j", "1000000.106"));
	assert_false(is_taken(tenth, "1 l", "-2"));
	assert_true(is_taken(tenth, "1 j l", "-inf"));
	assert_false(is_taken(tenth, "1 j l", "inf"));
	assert_false(is_taken(tenth, "1 j l", "-1e308"));
	assert_false(is_taken(tenth, "1 l", "nan"));
	assert_true(is_taken("all-pad-3", "", "nan"));
	assert_false(is_taken("all-pad-3", "", "0"));
	assert_true(is_taken("causal-3", "3 l", "-inf"));
	/* As set. */
	assert_true(is_taken(tenth, "1 :tolerance 0.5<Enter>", "0.6"));
	assert_false(is_taken(tenth, "1 :tolerance 0<Enter>", "0.105"));
	assert_true(is_taken(tenth, "1 :tolerance 0<Enter>", "0.1"));
}

static void what_is_no_number_is_said(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "T");
	answer(&p, "half");
	must_show(&p, "'half' is not a number");
	assert_false(p.state.panel.predict.answer[0].given);
	play_keys(&p, "i");		/* a key as everywhere, but it would tell */
	must_show(&p, "not while something is asked for");
	assert_int_equal(p.state.panel.kind, PANEL_PREDICT);
	answer(&p, "inf");
	assert_true(p.state.panel.predict.answer[0].given);
	play_keys(&p, "5");
	must_show(&p, "this is answered");
	play_keys(&p, ":tolerance x<Enter>");
	must_show(&p, "'x' is not a number from 0 on");
	play_keys(&p, ":tolerance -1<Enter> :tolerance nan<Enter>");
	assert_false(p.state.panel.predict.tolerance_set);
	play_free(&p);
}

/* 0.269 of row 1, as people write it. */
static void other_ways_to_write_a_number(void **state)
{
	static const char *const ways[] = { "0,27", "27%", "7/26", "0.27" };

	(void)state;
	for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
		struct play p;
		play_open(&p, "causal-3", NULL);
		play_keys(&p, "j T");
		answer(&p, ways[k]);
		assert_true(p.state.panel.predict.answer[0].right);
		play_free(&p);
	}
}

/* ---- verdicts ---- */

static void whether_the_future_leaks(void **state)
{
	static const struct { const char *scenario, *keys; bool leaks; } table[] = {
		{ "random-4", "", false },
		{ "random-4", "c", true },
		{ "random-4", ":mask-at after<Enter>", true },
		{ "random-4", ":mask-at after-renorm<Enter>", false },
		{ "random-4", ":causal-offset 1<Enter>", true },
		{ "two-tokens", "", true },
	};

	(void)state;
	for (size_t k = 0; k < sizeof table / sizeof *table; k++)
		for (int yes = 0; yes < 2; yes++) {
			struct play p;
			play_open(&p, table[k].scenario, NULL);
			play_keys(&p, table[k].keys);
			play_keys(&p, "T T T");
			must_show(&p, "does the future leak?");
			play_keys(&p, yes ? "y" : "n");
			must_lack(&p, "probe-k");
			must_lack(&p, "WRONG");
			play_keys(&p, "<Space>");
			must_show(&p, table[k].leaks ? "y: the future leaks" : "n: nothing leaks");
			must_show(&p, yes == table[k].leaks ? "right" : "WRONG");
			must_show(&p, "probe-k: ");
			assert_true(panel_answered_right(&p.state, 0) == (yes == table[k].leaks));
			play_keys(&p, "v");		/* the lamps are themselves again */
			must_show(&p, table[k].scenario[0] == 'r' ? "expected to hide: causal" : "no mask is expected");
			play_free(&p);
		}
}

/* From the lamps T asks for the verdict of the one that is explained: it is out of sight until
 * the reveal. Masked after softmax and divided again nothing leaks; masked after, K does. */
static void the_verdict_of_a_lamp_is_asked_for(void **state)
{
	static const struct { const char *keys; bool out; } table[] = {
		{ "v v v v", false },
		{ ":mask-at after<Enter> v", true },
	};

	(void)state;
	for (size_t k = 0; k < sizeof table / sizeof *table; k++)
		for (int yes = 0; yes < 2; yes++) {
			struct play p;
			play_open(&p, "random-4", NULL);
			play_keys(&p, table[k].keys);
			size_t lamp = panel_lamp(&p.state.panel);
			bool done, ok = panel_lamp_says(&p.state.panel, lamp, &done) == ANSWER_YES;
			assert_true(done);
			play_keys(&p, "T");
			must_show(&p, "predict: the lamp");
			must_show(&p, panel_lamp_name(lamp));
			assert_true(p.state.panel.predict.of_lamp && p.state.panel.predict.lamp == lamp);
			must_lack(&p, "expected to hide");
			play_keys(&p, yes ? "y" : "n");
			must_lack(&p, "WRONG");
			play_keys(&p, "<Space>");
			must_show(&p, ok == yes ? "right" : "WRONG");
			must_show(&p, ok == yes ? "1 of 1 right" : "0 of 1 right");
			assert_true(!ok == table[k].out);
			play_keys(&p, "T");		/* on to the next kind of question */
			must_show(&p, "predict: the hidden cells");
			play_keys(&p, "T T T");
			must_show(&p, "does the future leak?");
			play_free(&p);
		}
}

/* With 0 filled in, row 0 of causal-3 is e^2, 1, 1 of 9.39 and row 1 is e^1, e^2, 1 of
 * 11.11: the hidden cells have 0.11, 0.11 and 0.09. Nothing of their rows tells. */
static void the_hidden_cells_are_asked_for(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", "fill=0");
	play_keys(&p, "T T T T");
	must_show(&p, "predict: the hidden cells of the weights");
	assert_int_equal(p.state.panel.predict.n, 3);
	must_lack(&p, "0.107");
	must_lack(&p, "0.090");
	assert_true(panel_asks_row(&p.state, 0) && panel_asks_row(&p.state, 1) && !panel_asks_row(&p.state, 2));
	assert_true(p.state.row == 0 && p.state.column == 1);
	answer(&p, "0.11");
	assert_true(p.state.row == 0 && p.state.column == 2);
	answer(&p, "0");
	assert_true(p.state.row == 1 && p.state.column == 2);
	play_keys(&p, "<Left> <Left> <Right> <Right>");
	assert_true(p.state.row == 1 && p.state.column == 2);
	answer(&p, "0.09");
	must_show(&p, "2 of 3 right");
	assert_string_equal(panel_asked(&p.state, 0, 1), "ok");
	assert_string_equal(panel_asked(&p.state, 0, 2), "NO");
	assert_null(panel_asked(&p.state, 0, 0));
	assert_null(panel_asked(&p.state, 2, 2));
	play_keys(&p, "<Space>");
	must_show(&p, "0:2          WRONG  typed 0, is 0.10650697891920073");
	play_keys(&p, "T");
	must_show(&p, "predict: this cell");
	/* Where nothing is hidden, that is said. */
	play_keys(&p, "<Esc> c T T T T");
	must_show(&p, "no cell is hidden here");
	play_keys(&p, "<Space> <Esc> c 1 T T T T");
	must_show(&p, "no cell is hidden here");
	assert_int_equal(p.state.undo.n, 3);	/* c, c and 1: answers are no changes */
	play_free(&p);
}

static void a_verdict_waits_for_its_probes(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "random-4", NULL);
	play_keys_flashing(&p, "T T T y <Space>");
	must_show(&p, "the probes are not done yet");
	must_lack(&p, "right");
	play_keys(&p, "");
	must_show(&p, "n: nothing leaks; you said y: WRONG");
	play_free(&p);
}

/* ---- another state, another question ---- */

static void a_change_begins_anew(void **state)
{
	static const char *const changes[] = { "c", "s", "<Tab>", "u", "x", ":head 0<Enter> :scale 2<Enter>", "r" };

	(void)state;
	for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
		struct play p;
		play_open(&p, "causal-3", NULL);
		play_keys(&p, "P j T T");
		answer(&p, "0.27");
		play_keys(&p, changes[k]);
		must_show(&p, "anew: the state has changed");
		for (size_t n = 0; n < 3; n++)
			assert_false(p.state.panel.predict.answer[n].given);
		answer(&p, "0.1");
		must_lack(&p, "anew");
		play_free(&p);
	}
}

static void what_is_given_is_not_asked(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "0 T");
	must_show(&p, "what is given is not asked for");
	play_keys(&p, "5");			/* no line: the stage */
	must_show(&p, "what is <시작>, 0 (0:0)?");
	play_free(&p);
}

static void the_cursor_stays(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "shapes-10", NULL);
	play_keys(&p, "j j l T j");
	assert_int_equal(p.state.row, 2);
	must_show(&p, "the cursor stays");
	play_keys(&p, "l /t7<Enter> + - <Esc>");
	play_keys(&p, "<Esc>");
	assert_int_equal(p.state.row, 2);
	assert_int_equal(p.state.column, 1);
	assert_int_equal(p.state.undo.n, 0);
	play_keys(&p, "T T <End>");		/* scrolled there at once */
	assert_int_equal(p.state.column, 9);
	assert_true(p.state.left + p.layout.visible_columns > 9);
	answer(&p, "0.1");
	assert_int_equal(p.state.column, 0);
	assert_int_equal(p.state.left, 0);
	play_free(&p);
}

/* ---- the picture ---- */

static void whole_at_all_sizes(void **state)
{
	static const char *const keys[] = { "T", "T T <Type:1> <Enter>", "T T <Type:1> <Enter> <Space>", "T T T y <Space>", "5 T T", "z T T", "T T T T <Type:1> <Enter>", "T T T T <Space>", "T 3" };
	static const char *const settings[] = { NULL, "ascii=on", "color=never", "color=8" };
	static const char *const inputs[] = { "causal-3", "shapes-10", "korean-5", "all-pad-3" };

	(void)state;
	for (size_t n = 0; n < sizeof inputs / sizeof *inputs; n++)
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
			struct play p;
			play_open(&p, inputs[n], settings[(n + k) % 4]);
			play_keys(&p, keys[k]);
			play_sizes(&p, n);
			play_free(&p);
		}
}

static void only_ascii_where_asked(void **state)
{
	static const char *const keys[] = { "T", "T", "<Type:1> <Enter>", "<Space>", "T", "y <Space>" };
	struct play p;

	(void)state;
	play_open(&p, "causal-3", "ascii=on");
	for (size_t n = 0; n < sizeof keys / sizeof *keys; n++) {
		play_keys(&p, keys[n]);
		play_check_ascii(&p);
	}
	play_free(&p);
}

/* Any key at any moment (under AddressSanitizer). */
static void keys_at_any_moment(void **state)
{
	static const char *const keys[] = {
		"T", "T", "T", "<Space>", "<Enter>", "<Type:0.5> <Enter>", "y", "n", "a", "d", "c", "s", "u", "<C-r>", "r", "R", "<Tab>", "<S-Tab>", "]",
		"v", "b", "w", "I", "J", "<Esc>", "<Esc>", "o e", "o a", "j", "l", "G", "<End>", "x", "+", "z", "?", ":n 6<Enter>", ":stage joined<Enter>",
		":tokens a b c<Enter>", ":o shapes-10<Enter>", ":o causal-3<Enter>", ":tolerance 1<Enter>",
	};
	struct play p;

	(void)state;
	play_open(&p, "random-4", NULL);
	play_any_keys(&p, keys, sizeof keys / sizeof *keys, 700);
	play_free(&p);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_blanked_row_is_nowhere), cmocka_unit_test(a_blanked_cell_is_nowhere),
		cmocka_unit_test(the_comparison_waits), cmocka_unit_test(right_wrong_and_the_score),
		cmocka_unit_test(the_edge_of_the_tolerance), cmocka_unit_test(what_is_no_number_is_said),
		cmocka_unit_test(other_ways_to_write_a_number), cmocka_unit_test(whether_the_future_leaks), cmocka_unit_test(the_verdict_of_a_lamp_is_asked_for), cmocka_unit_test(a_verdict_waits_for_its_probes),
		cmocka_unit_test(the_hidden_cells_are_asked_for),
		cmocka_unit_test(a_change_begins_anew), cmocka_unit_test(what_is_given_is_not_asked),
		cmocka_unit_test(the_cursor_stays), cmocka_unit_test(whole_at_all_sizes),
		cmocka_unit_test(only_ascii_where_asked), cmocka_unit_test(keys_at_any_moment),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
