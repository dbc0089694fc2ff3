/* test_prompt.c - lines that are typed: commands, completion, history, editing. */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/player_check.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_set_options),
		cmocka_unit_test(commands_that_are_refused),
		cmocka_unit_test(completion),
		cmocka_unit_test(completion_reaches_every_name),
		cmocka_unit_test(line_history),
		cmocka_unit_test(line_editing),
		cmocka_unit_test(a_line_has_a_limit),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
