/* test_panel.c - panels under the grid: the lamps, what is computed between keys,
 * and that keys go on working while one is open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/play.h"
#include "tui/state.h"

/* ---- the lamps ---- */

static void a_correct_mask_has_no_lamp_out(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "random-4", NULL);
	play_keys(&p, "v");
	must_show(&p, "ok  upper-triangle");
	must_show(&p, "ok  row-sums");
	must_show(&p, "ok  probe-k");
	must_show(&p, "ok  probe-v");
	must_show(&p, "ok  probe-q");
	must_show(&p, "--  pad-columns");
	must_show(&p, "ok  empty-rows");
	must_show(&p, "ok  lesson");
	must_lack(&p, "NO ");
	must_show(&p, "expected to hide: causal");
	play_free(&p);
}

/* The signature table's rows, as lamps: triangle, sums, K, V, Q, empty rows, and
 * the lesson's own test, for causal attention of random numbers. */
static void lamps_are_the_signature(void **state)
{
	static const struct { const char *keys, *lamps; } table[] = {
		{ ":bug none<Enter>", "ok ok ok ok ok ok ok" },
		{ "c", "NO ok NO NO ok ok NO" },
		{ ":bug mask-after-softmax<Enter>", "ok NO NO ok ok ok NO" },
		{ ":bug mask-after-renorm<Enter>", "ok ok ok ok ok ok ok" },
		{ ":bug zero-fill<Enter>", "NO ok ok NO ok ok NO" },
		{ ":bug tiny-fill<Enter>", "NO ok ok NO ok ok NO" },
		{ ":bug multiply-mask<Enter>", "NO ok ok NO ok ok NO" },
		{ ":bug add-mask<Enter>", "NO ok NO NO ok ok NO" },
		{ ":bug inverted-mask<Enter>", "NO NO NO NO ok NO NO" },
		{ ":bug future-step<Enter>", "NO ok NO NO ok ok NO" },
		{ ":bug column-softmax<Enter>", "ok NO ok ok NO ok ok" },
	};
	static const char *const name[] = {
		"upper-triangle", "row-sums", "probe-k", "probe-v", "probe-q", "empty-rows", "lesson",
	};

	(void)state;
	for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
		struct play p;
		char line[64];
		play_open(&p, "random-4", NULL);
		play_keys(&p, "v");
		play_keys(&p, table[k].keys);
		for (size_t n = 0; n < sizeof name / sizeof *name; n++) {
			snprintf(line, sizeof line, "%.2s  %s", table[k].lamps + 3 * n, name[n]);
			if (!play_shows(&p, line))
				fail_msg("%s: '%s' is not on the screen", table[k].keys, line);
		}
		play_free(&p);
	}
}

/* A mask that was in force since the panel was opened stays expected. */
static void switching_a_mask_off_puts_lamps_out(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "two-tokens", NULL);
	play_keys(&p, "v");
	must_show(&p, "no mask is expected");
	must_show(&p, "--  probe-k");
	play_keys(&p, "c");
	must_show(&p, "expected to hide: causal");
	must_show(&p, "ok  probe-k");
	play_keys(&p, "c");
	must_show(&p, "expected to hide: causal");
	must_show(&p, "NO  probe-k");
	must_show(&p, "NO  probe-v");
	play_keys(&p, "<Esc> v");
	must_show(&p, "no mask is expected");
	play_keys(&p, "c o a");		/* opened anew: what was remembered was of the other */
	must_show(&p, "no mask is expected");
	play_free(&p);
}

/* So does one with which the input was opened, and a pad mask likewise. */
static void the_inputs_own_masks_are_expected(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "random-4", NULL);
	play_keys(&p, "c v");
	must_show(&p, "expected to hide: causal");
	must_show(&p, "NO  probe-k");
	play_free(&p);
	play_open(&p, "pad-4", NULL);
	play_keys(&p, "P v");
	must_show(&p, "expected to hide: pad");
	must_show(&p, "NO  pad-columns");
	play_free(&p);
	play_open(&p, "random-4", "causal=off");
	play_keys(&p, "v");
	must_show(&p, "no mask is expected");
	play_free(&p);
}

/* The causal mask that came with a mistake goes with it: no row leaks afterwards. */
static void a_mask_that_came_with_a_mistake_is_not_expected(void **state)
{
	struct play p;
	char row[ROW_TEXT];

	(void)state;
	play_open(&p, "two-tokens", NULL);
	play_keys(&p, "b a");
	assert_true(p.state.now.options.causal);
	play_row(&p, p.layout.grid, row);
	assert_int_equal(row[1], '!');
	play_keys(&p, "u");
	assert_false(p.state.now.options.causal);
	for (int i = 0; i < 2; i++) {
		play_row(&p, p.layout.grid + i, row);
		assert_int_not_equal(row[1], '!');
	}
	play_keys(&p, "v");
	must_show(&p, "no mask is expected");
	/* One that was there before the mistake stays expected through it. */
	play_keys(&p, "<Esc> c b a :causal off<Enter>");
	assert_false(p.state.now.options.causal);
	play_row(&p, p.layout.grid, row);
	assert_int_equal(row[1], '!');
	play_free(&p);
}

static void padding_is_expected_once_it_was_on(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);	/* pad 2, but its mask is off */
	play_keys(&p, "v");
	must_lack(&p, "NO ");
	play_keys(&p, "P");
	must_show(&p, "expected to hide: causal, pad");
	must_show(&p, "ok  pad-columns");
	play_keys(&p, "P");
	must_show(&p, "NO  pad-columns");
	play_free(&p);
}

static void what_to_expect_can_be_typed(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "random-4", NULL);
	play_keys(&p, "c :verify causal<Enter>");
	must_show(&p, "expected to hide: causal");
	must_show(&p, "NO  probe-k");
	play_keys(&p, "<Esc> :verify sideways<Enter>");
	must_show(&p, "'sideways' is not one of");
	must_lack(&p, "probe-k");
	play_free(&p);
}

static void each_lamp_explains_itself(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "random-4", NULL);
	play_keys(&p, "v");
	for (int n = 0; n < PROBE_COUNT; n++) {
		char blind[24];
		if (n)			/* the first is explained at once: v is the next one */
			play_keys(&p, "v");
		snprintf(blind, sizeof blind, "%s", probe_blind((enum probe_name)n));
		must_show(&p, "cannot see: ");
		must_show(&p, blind);
	}
	play_free(&p);
}

/* Of the longest text nothing is cut, and on a small screen the lamp is in sight. */
static void an_explanation_is_whole(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "random-4", NULL);
	play_keys(&p, "v c v v");
	must_show(&p, "key 3 output");
	must_show(&p, "that moves with V; wrong scales");
	play_keys(&p, "c :softmax column<Enter> v v");
	must_show(&p, "query 3 output");
	must_show(&p, "nothing there; it tells softmax over columns");
	play_resize(&p, 12, 40);
	play_keys(&p, "");
	must_show(&p, "> NO  probe-q");
	play_keys(&p, "v v v");
	must_show(&p, "> ok  lesson");
	play_free(&p);
}

/* Rows of the signature table's first wrong variant: outputs 0, 1 and 2 move. */
static void rows_that_leak_are_marked(void **state)
{
	struct play p;
	char row[ROW_TEXT];

	(void)state;
	play_open(&p, "random-4", NULL);
	play_keys(&p, "v c");
	for (int i = 0; i < 4; i++) {
		play_row(&p, p.layout.grid + i, row);
		assert_int_equal(row[1] == '!', i < 3);
	}
	play_resize(&p, 40, 160);
	play_keys(&p, "");
	must_show(&p, "moves with K and V");
	play_keys(&p, "<Esc>");
	must_lack(&p, "moves with");
	play_free(&p);
}

/* The first lesson's numbers: output equal for all but the last row, bit for bit. */
static void the_lessons_own_test_is_bit_for_bit(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "random-4", NULL);
	play_keys(&p, "v v v v v v v v");
	must_show(&p, "np.allclose(out[:-1], out2[:-1]) is True");
	must_show(&p, "all 3 outputs are equal bit for bit");
	play_free(&p);
}

/* Where every row may see the last key it is no mistake that outputs move. */
static void the_lessons_own_test_needs_a_hidden_last_key(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "cross-3x5", NULL);
	play_keys(&p, "v");
	must_show(&p, "--  lesson");
	must_lack(&p, "NO ");
	play_keys(&p, "v v v v v v v");
	must_show(&p, "is False: 2 of 2 outputs move");
	must_show(&p, "no causal mask is expected");
	play_keys(&p, ":verify causal<Enter>");
	must_show(&p, "NO  lesson");
	play_free(&p);

	play_open(&p, "pad-4", NULL);
	play_keys(&p, "v P");
	must_show(&p, "NO  lesson");
	play_free(&p);
}

/* One row of it is a piece, so that no key waits for all of them. */
static void the_lessons_own_test_comes_in_pieces(void **state)
{
	struct play p;
	size_t pieces = 0;

	(void)state;
	play_open(&p, "random-4", "n=300 d-k=4");
	play_keys_flashing(&p, "v");
	while (!p.state.panel.probes.probed)
		assert_true(state_work(&p.state));
	while (state_work(&p.state))
		pieces++;
	assert_true(pieces >= 2 * 300);
	play_keys(&p, "");
	must_show(&p, "ok  lesson");
	play_free(&p);

	play_open(&p, "random-4", "n=4097 d-k=1");
	play_keys(&p, "v v v v v v v v");
	must_show(&p, "--  lesson");
	must_show(&p, "more than 4096 queries: qkv verify --probe lesson");
	play_free(&p);
}

/* ---- keys while it is open ---- */

static void the_grid_goes_on_working(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "random-4", NULL);
	play_keys(&p, "v j l");
	assert_int_equal(p.state.row, 1);
	assert_int_equal(p.state.column, 1);
	play_keys(&p, "3");
	must_show(&p, "3 masked");
	must_show(&p, "ok  probe-k");
	play_keys(&p, "u");
	must_show(&p, "4 weights");
	play_keys(&p, "?");
	must_lack(&p, "probe-k");
	play_keys(&p, "<Esc>");
	must_show(&p, "ok  probe-k");
	play_keys(&p, ":pad 3<Enter>");
	must_show(&p, "expected to hide: causal, pad");
	play_keys(&p, "<Esc>");
	must_lack(&p, "probe-k");
	play_free(&p);
}

static void it_quits_and_is_interrupted_as_ever(void **state)
{
	static const char *const open[] = { "v", "I", "J", "b", "w" };
	struct key ctrl_c, q;

	(void)state;
	assert_true(key_parse("<C-c>", &ctrl_c));
	assert_true(key_parse("q", &q));
	for (size_t k = 0; k < sizeof open / sizeof *open; k++) {
		struct play p;
		play_open(&p, "random-4", NULL);
		play_keys(&p, open[k]);
		assert_true(state_key(&p.state, &ctrl_c) & EFFECT_INTERRUPT);
		unsigned effects = state_key(&p.state, &q);
		assert_int_equal(effects & EFFECT_QUIT, p.state.panel.kind == PANEL_NONE ? 0 : EFFECT_QUIT);
		play_free(&p);
	}
}

static void one_panel_follows_another(void **state)
{
	static const char *const keys[] = { "v", "I", "J", "b", "w", "v", "b", "<Esc>" };
	static const enum panel_kind kind[] = {
		PANEL_VERIFY, PANEL_INFLUENCE, PANEL_GRADIENT, PANEL_BUGS, PANEL_SWEEP, PANEL_VERIFY, PANEL_BUGS, PANEL_NONE,
	};
	struct play p;

	(void)state;
	play_open(&p, "random-4", NULL);
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		play_keys(&p, keys[k]);
		assert_int_equal(p.state.panel.kind, kind[k]);
		play_check_whole(&p);
	}
	assert_int_equal(p.state.undo.n, 0);
	play_free(&p);
}

/* ---- work between keys ---- */

static void nothing_is_claimed_before_it_is_known(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "random-4", NULL);
	play_keys_flashing(&p, "v");
	must_show(&p, "..  probe-k");
	must_lack(&p, "ok  row-sums");
	must_show(&p, "0 %");
	play_keys(&p, "");
	must_show(&p, "ok  probe-k");
	must_lack(&p, " %");
	play_free(&p);
}

static void a_change_begins_anew(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "random-4", NULL);
	play_keys(&p, "v");
	play_keys_flashing(&p, "c");
	must_show(&p, "..  probe-k");
	play_keys(&p, "");
	must_show(&p, "NO  probe-k");
	/* What changes nothing that is computed leaves it. */
	play_keys_flashing(&p, "3");
	must_show(&p, "NO  probe-k");
	play_free(&p);
}

/* Any key at any moment of the work, with whatever is open: nothing is read that
 * was freed (under AddressSanitizer), and the picture is whole. */
static void keys_at_any_moment(void **state)
{
	static const char *const keys[] = {
		"v", "b", "w", "I", "J", "c", "s", "p", "P", "u", "<C-r>", "r", "R", "<Esc>", "a", "f", "d", "k", "l", "<Down>",
		"<Right>", "1", "2", "3", "4", "5", "0", "<Space>", "<Enter>", "x", "q", "o", "e", ":n 6<Enter>", ":d-k 4<Enter>",
		":clinic alignment<Enter>", ":sweep n 2 d-k 4<Enter>", ":tokens a b c<Enter>", "?", "E", "t", "z",
	};
	struct play p;

	(void)state;
	play_open(&p, "random-4", NULL);
	play_any_keys(&p, keys, sizeof keys / sizeof *keys, 600);
	play_free(&p);
}

/* ---- room ---- */

static void sizes_from_large_to_small(void **state)
{
	static const int size[][2] = { { 60, 200 }, { 24, 80 }, { 20, 60 }, { 14, 40 }, { 10, 30 }, { 6, 20 }, { 3, 10 } };
	static const char *const open[] = { "v", "I", "J", "b", "b 1", "b 5", "w" };

	(void)state;
	for (size_t k = 0; k < sizeof open / sizeof *open; k++) {
		struct play p;
		play_open(&p, "korean-5", NULL);
		play_keys(&p, open[k]);
		for (size_t n = 0; n < sizeof size / sizeof *size; n++) {
			play_resize(&p, size[n][0], size[n][1]);
			/* The grid's first row and its sum stay, but for the experiment. */
			if (size[n][0] >= 6 && p.state.panel.kind != PANEL_SWEEP)
				must_show(&p, "1.0");
		}
		play_free(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_correct_mask_has_no_lamp_out),
		cmocka_unit_test(lamps_are_the_signature),
		cmocka_unit_test(switching_a_mask_off_puts_lamps_out),
		cmocka_unit_test(the_inputs_own_masks_are_expected),
		cmocka_unit_test(a_mask_that_came_with_a_mistake_is_not_expected),
		cmocka_unit_test(padding_is_expected_once_it_was_on),
		cmocka_unit_test(what_to_expect_can_be_typed),
		cmocka_unit_test(each_lamp_explains_itself),
		cmocka_unit_test(an_explanation_is_whole),
		cmocka_unit_test(rows_that_leak_are_marked),
		cmocka_unit_test(the_lessons_own_test_is_bit_for_bit),
		cmocka_unit_test(the_lessons_own_test_needs_a_hidden_last_key),
		cmocka_unit_test(the_lessons_own_test_comes_in_pieces),
		cmocka_unit_test(the_grid_goes_on_working),
		cmocka_unit_test(it_quits_and_is_interrupted_as_ever),
		cmocka_unit_test(one_panel_follows_another),
		cmocka_unit_test(nothing_is_claimed_before_it_is_known),
		cmocka_unit_test(a_change_begins_anew),
		cmocka_unit_test(keys_at_any_moment),
		cmocka_unit_test(sizes_from_large_to_small),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
