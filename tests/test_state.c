/* test_state.c - how a state begins, where its keys come from, windows, small screens, and every command. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/scenario_yaml.h"
#include "tests/player_check.h"
#include "tui/layout.h"

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

/* ---- small screens ---- */

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
		cmocka_unit_test(jamo_are_keys),
		cmocka_unit_test(pastes_are_never_keys),
		cmocka_unit_test(clicks),
		cmocka_unit_test(the_help),
		cmocka_unit_test(leaving),
		cmocka_unit_test(looks_of_the_picture),
		cmocka_unit_test(screens_that_are_too_small),
		cmocka_unit_test(windows_on_small_screens),
		cmocka_unit_test(every_command_everywhere),
		cmocka_unit_test(every_default_key_answers),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
