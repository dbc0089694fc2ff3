/* test_place.c - the line that `y` gives, played by what reads command lines: the same screen,
 * but for the sentence, in every cell and style. And `:go`, which it goes by.
 */
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
#include "tui/arguments.h"
#include "tui/frame.h"
#include "tui/language.h"

/* ---- a shell's words ---- */

enum { WORDS = 40 };

/* Blanks end a word; quotes '...' join it, and \' is a quote. In place. */
static int split(char *line, char *word[WORDS])
{
	int n = 0;
	char *to = line;

	for (char *p = line; *p;) {
		assert_true(n < WORDS);
		word[n++] = to;
		for (bool quoted = false; *p && (quoted || *p != ' '); p++) {
			if (*p == '\'')
				quoted = !quoted;
			else if (*p == '\\' && !quoted)
				*to++ = *++p;
			else
				*to++ = *p;
		}
		p += *p == ' ';
		*to++ = '\0';
	}
	return n;
}

/* ---- from one screen to the other ---- */

static void played_again(struct play *p, const char *line, int rows, int columns)
{
	struct invocation inv = { 0 };
	struct error e = { 0 };
	char *copy = strdup(line), *word[WORDS];
	struct options o;

	if (arguments_parse(&inv, split(copy, word), word, &e))
		fail_msg("%s: %s", line, e.text);
	assert_int_equal(inv.tool, TOOL_SCREEN);
	play_open(p, inv.input, NULL);
	assert_int_equal(options_copy(&o, &p->state.now.options, &e), OK_STATUS);
	assert_int_equal(arguments_apply(&inv, &o, &e), OK_STATUS);
	struct snapshot next = { .scenario = p->state.now.scenario, .options = o };
	assert_int_equal(state_adopt(&p->state, &next, &e), OK_STATUS);
	play_resize(p, rows, columns);
	if (inv.flag[FLAG_KEYS] && frame_play(&p->state, inv.flag[FLAG_KEYS], &e))
		fail_msg("%s: %s", line, e.text);
	play_keys(p, "");
	free(copy);
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
	return a->width == b->width && a->count == b->count && !memcmp(a->code, b->code, sizeof *a->code * (size_t)a->count) &&
	       a->style.foreground == b->style.foreground && a->style.background == b->style.background &&
	       a->style.attributes == b->style.attributes;
}

static bool is_sentence(const struct layout *l, int row)
{
	return row >= l->sentence && row < l->sentence + (l->bar_rows ? l->bar_rows : 1);
}

static void assert_same(const struct play *a, const struct play *b, const char *line)
{
	char one[ROW_TEXT], other[ROW_TEXT];

	for (int y = 0; y < a->cells.rows; y++)
		for (int x = 0; x < a->cells.columns && !is_sentence(&a->layout, y); x++)
			if (!same_cell(cells_at(&a->cells, y, x), cells_at(&b->cells, y, x))) {
				play_row(a, y, one);
				play_row(b, y, other);
				fail_msg("%s: row %d, column %d:\n%s\n%s", line, y, x, one, other);
			}
}

static void comes_back(const char *input, const char *keys, int rows, int columns)
{
	struct play p, again;
	struct buffer line = { 0 };

	play_open(&p, input, NULL);
	play_resize(&p, rows, columns);
	play_keys(&p, keys);
	assert_true(state_command_line(&p.state, &line));
	played_again(&again, line.data, rows, columns);
	assert_same(&p, &again, line.data);
	buffer_free(&line);
	play_free(&p);
	play_free(&again);
}

static void the_line_shows_the_same(void **state)
{
	static const struct { const char *input, *keys; } screens[] = {
		{ "causal-3", "" },
		{ "causal-3", "c j l" },
		{ "causal-3", ":scale dk<Enter> j l i" },
		{ "causal-3", "G <Space> <Space> <Space> <Space>" },
		{ "causal-3", "l j <Space> <Space> k l" },
		{ "shapes-10", "3 jj <End> <Space> <Space> <Space> <Space> <Space> <Space> <Space>" },
		{ "causal-3", ":spotlight<Enter> j l" },
		{ "causal-3", ":present<Enter> j l" },
		{ "causal-3", ":present<Enter> :spotlight<Enter> j" },
		{ "random-4", "z c jj" },
		{ "random-4", "z z l" },
		{ "saturation-16", "G <End>" },
		{ "saturation-16", "G <End> k k h h" },
		{ "saturation-16", "G <End> kkkkkkkkkkkkkk <Home> l i" },
		{ "saturation-16", "G <End> kk J" },
		{ "random-4", "c v" },
		{ "random-4", "c v v v v" },
		{ "random-4", "v v v v v v v v v" },
		{ "random-4", "I" },
		{ "random-4", "b <Down> <Down> <Down>" },
		{ "causal-3", "b a <Esc> :clinic polarity<Enter>" },
		{ "causal-3", "j b 1" },
		{ "causal-3", "j l T" },
		{ "causal-3", "j l T T" },
		{ "causal-3", "j l T T T" },
		{ "causal-3", "j T T T T" },
		{ "causal-3", "j l T <Space>" },
		{ "shapes-10", ":head 2<Enter> H <Right>" },
		{ "shapes-10", ":mean on<Enter> jj" },
		{ "saturation-16", "j O <Tab>" },
		{ "random-4", "0 0 j l" },
		{ "korean-5", "5 jj l" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof screens / sizeof *screens; k++) {
		comes_back(screens[k].input, screens[k].keys, 24, 80);
		comes_back(screens[k].input, screens[k].keys, 14, 44);
	}
}

static bool gives(const char *keys, const char *text)
{
	struct play p;
	struct buffer line = { 0 };

	play_open(&p, "causal-3", NULL);
	play_keys(&p, keys);
	state_command_line(&p.state, &line);
	bool same = !strcmp(line.data, text);
	if (!same)
		print_message("%s\n", line.data);
	buffer_free(&line);
	play_free(&p);
	return same;
}

static void the_line_is_short(void **state)
{
	(void)state;
	assert_true(gives("", "qkv causal-3"));
	assert_true(gives("j l j k", "qkv causal-3 '--keys=:go 1:1<Enter>'"));
	assert_true(gives("j l i", "qkv causal-3 '--keys=:go 1:1<Enter> i'"));
	assert_true(gives("G <Space> <Space>", "qkv causal-3 '--keys=:go 2:0<Enter> <Space> <Space>'"));
	assert_true(gives("c i", "qkv causal-3 --causal=off --keys=i"));
}

/* A key that the user's configuration has for something else would do that. */
static void keys_that_are_mapped(void **state)
{
	struct play p;
	struct options o = { 0 };
	struct error e = { 0 };
	struct buffer keys = { 0 };
	static const char map[] = "map i undo\n";

	(void)state;
	play_open(&p, "causal-3", NULL);
	assert_int_equal(options_init(&o, &e), OK_STATUS);
	assert_int_equal(keymap_configure(&p.state.keymap, &o, map, strlen(map), "config", &e), OK_STATUS);
	play_keys(&p, ":inspect<Enter>");
	state_place_keys(&p.state, &keys);
	assert_string_equal(keys.data, ":inspect<Enter>");
	buffer_free(&keys);
	options_free(&o);
	play_free(&p);
}

static void what_is_not_in_it_is_named(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "a c d y");
	assert_non_null(strstr(p.state.sentence, "; A, which is pinned, is not in it"));
	play_keys(&p, "c a y");
	assert_null(strstr(p.state.sentence, "not in it"));
	play_keys(&p, "j T <Type:0.2><Enter> y");
	assert_non_null(strstr(p.state.sentence, "; what was typed is not in it"));
	play_keys(&p, ":lesson five-steps<Enter> y");
	assert_non_null(strstr(p.state.sentence, "; the lesson is not in it"));
	play_free(&p);
}

/* ---- :go ---- */

static void goes(void **state)
{
	static const char *const wrong[] = { "", "1", "3:0", "0:3", "-1:0", "1:1:1", "1:1 0", "1:1 3:0", "1:1 0:0 0:0", "a:b", ":", "1:" };
	struct play p;
	char line[60];

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, ":go 2:1<Enter>");
	assert_int_equal(p.state.row, 2);
	assert_int_equal(p.state.column, 1);
	for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
		snprintf(line, sizeof line, ":go %s<Enter>", wrong[k]);
		play_keys(&p, line);
		assert_true(p.state.sentence_is_error);
		assert_non_null(strstr(p.state.sentence, "0:0 to 2:2"));
		assert_int_equal(p.state.row, 2);
	}
	play_free(&p);
	play_open(&p, "saturation-16", NULL);
	play_keys(&p, ":go 12:3 9:2<Enter>");
	assert_int_equal(p.state.top, 16 - p.layout.visible_rows < 9 ? 16 - p.layout.visible_rows : 9);
	assert_int_equal(p.state.left, 2);
	/* What is asked for keeps the cursor. */
	play_keys(&p, "T :go 0:0<Enter>");
	assert_int_equal(p.state.row, 12);
	assert_int_equal(p.state.column, 3);
	play_free(&p);
}

static void wrong_keys_are_told(void **state)
{
	struct play p;
	struct error e = { 0 };

	(void)state;
	play_open(&p, "causal-3", NULL);
	assert_int_equal(frame_play(&p.state, "j <Nokey>", &e), E_SYNTAX);
	assert_non_null(strstr(e.text, "<Nokey>"));
	play_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_line_shows_the_same),
		cmocka_unit_test(the_line_is_short),
		cmocka_unit_test(keys_that_are_mapped),
		cmocka_unit_test(what_is_not_in_it_is_named),
		cmocka_unit_test(goes),
		cmocka_unit_test(wrong_keys_are_told),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	language_add_builtin();
	return cmocka_run_group_tests_name("place", tests, NULL, NULL);
}
