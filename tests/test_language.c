/* test_language.c - the languages that are built in: which one is wanted, that
 * Korean is Korean, and that Korean screens keep their columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assets/assets.h"
#include "core/message.h"
#include "core/utf8.h"
#include "tests/play.h"
#include "tui/language.h"

/* ---- which one is wanted ---- */

static void the_environment_names_a_language(void **state)
{
	static const struct { const char *all, *messages, *lang, *wanted; } table[] = {
		{ NULL, NULL, "ko_KR.UTF-8", "ko" }, { NULL, NULL, "ko", "ko" }, { NULL, NULL, "ko.UTF-8", "ko" },
		{ NULL, NULL, "ko_KR@modifier", "ko" }, { NULL, "ko_KR.eucKR", "de_DE", "ko" }, { "ko_KR", "de_DE", "fr_FR", "ko" },
		{ "C.UTF-8", "ko_KR", "ko_KR", "en" }, { "", "", "ko_KR", "ko" }, { NULL, NULL, NULL, "en" },
		{ NULL, NULL, "kok_IN.UTF-8", "en" }, { NULL, NULL, "k", "en" }, { "POSIX", NULL, "ko_KR", "en" },
		{ NULL, NULL, "en_US.UTF-8", "en" }, { NULL, "", "", "en" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof table / sizeof *table; k++)
		assert_string_equal(language_wanted(table[k].all, table[k].messages, table[k].lang), table[k].wanted);
}

/* ---- the Korean texts ---- */

static uint32_t word(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool has_hangul(const char *text)
{
	uint32_t code;

	for (const char *p = text; *p;) {
		size_t n = utf8_decode(p, UTF8_MAX, &code);
		if (code >= 0xac00 && code <= 0xd7a3)
			return true;
		p += n ? n : 1;
	}
	return false;
}

/* Texts that are names, numbers and formulas only: two letters in a row that are
 * in none of these words make a text one for people. */
static bool is_for_people(const char *text)
{
	static const char *const names[] = {
		"softcap", "alibi", "softmax", "sqrt", "off", "auto", "dark", "light", "top-left", "bottom-right", "hide", "keep", "key",
		"query", "both", "replace", "add", "multiply", "before", "after-renorm", "after", "literal", "zero", "uniform",
		"row", "column", "stable", "naive", "none", "min", "dk", "dmodel", "cap", "as-dtype", "bf16", "weights", "input",
		"scores", "scaled", "masked", "output", "joined", "table", "numpy", "csv", "json", "npy", "latex", "frame", "text",
		"ansi", "svg", "html", "verify", "sweep", "truecolor", "never", "nan", "inf", "pad", "causal", "config", "bug",
		"dropout", "lesson", "ko", "en", "w-q", "w-k", "w-v", "w-o", "K^T", "zu", "zd", "ld", "lu", "sum", "list",
		"null", "raw", "read", "script", "worksheet", "md", "live", "nats",
		"on",	/* last, as others end in it */
	};
	char copy[2000];

	snprintf(copy, sizeof copy, "%s", text);
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		for (char *p; (p = strstr(copy, names[k]));)
			memset(p, ' ', strlen(names[k]));
	for (const char *p = copy; *p; p++) {
		bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z');
		bool next = (p[1] >= 'a' && p[1] <= 'z') || (p[1] >= 'A' && p[1] <= 'Z');
		if (letter && next)
			return true;
	}
	return false;
}

static void each_korean_text_is_korean(void **state)
{
	const struct asset *mo = NULL;
	size_t texts = 0, wrong = 0;

	(void)state;
	for (size_t i = 0; i < assets_count; i++)
		if (!strcmp(assets[i].name, "po/ko.mo"))
			mo = &assets[i];
	assert_non_null(mo);
	uint32_t count = word(mo->data + 8), from = word(mo->data + 12), to = word(mo->data + 16);
	for (uint32_t k = 0; k < count; k++) {
		const char *original = (const char *)mo->data + word(mo->data + from + 8 * k + 4);
		const char *translation = (const char *)mo->data + word(mo->data + to + 8 * k + 4);
		if (!*original)
			continue;
		texts++;
		if (is_for_people(original) && !has_hangul(translation) && is_for_people(translation)) {
			print_error("'%s' is '%s' in Korean\n", original, translation);
			wrong++;
		}
	}
	assert_int_equal(wrong, 0);
	assert_true(texts > 500);
}

/* ---- on the screen ---- */

/* The d_k experiment with all its rows, and few draws for each. */
#define SHORT_SWEEP ":sweep n 4 repeats 1 pairs 10<Enter>"

static void the_screen_changes_its_language(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "c");
	assert_true(play_shows(&p, "causal mask off"));
	play_keys(&p, ":lang ko<Enter> c");
	assert_false(play_shows(&p, "causal mask"));
	play_keys(&p, "o");
	assert_true(play_shows(&p, "손으로 하는 causal mask"));
	play_keys(&p, "<Esc> u");	/* c is undone, the language is not */
	assert_string_equal(message_in_force(), "ko");
	play_keys(&p, ":lang xx<Enter>");
	assert_string_equal(message_in_force(), "ko");
	play_keys(&p, ":lang en<Enter> c");
	assert_true(play_shows(&p, "causal mask o"));
	play_keys(&p, ":lang ko<Enter>");
	play_free(&p);
	assert_string_equal(message_in_force(), "en");	/* as it was before the screen */
}

/* The numbers of a grid, its sums and their columns are the same in every language. */
static void korean_screens_keep_their_columns(void **state)
{
	static const int size[][2] = { { 24, 80 }, { 60, 200 }, { 20, 60 }, { 14, 40 }, { 6, 20 } };
	static const char *const keys[] = {
		"", "v", "b c", "b 1", "b 6", "I", "J", SHORT_SWEEP, "?", "o", "5", "0", ":pad 0<Enter>", "i", "5 i", "<Space> <Space> <Space>",
		"T T <Type:1> <Enter>", "T T T T", "L", "L a n", "L d", ":clinic added-twice<Enter>",
	};

	(void)state;
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		struct play english, korean;
		play_open(&english, "causal-3", NULL);
		play_keys(&english, keys[k]);
		play_open(&korean, "causal-3", "lang=ko");
		play_keys(&korean, keys[k]);
		bool grid = english.state.mode != MODE_HELP && english.state.mode != MODE_PICKER &&
			    english.state.panel.kind != PANEL_SWEEP;
		for (size_t n = 0; n < sizeof size / sizeof *size; n++) {
			char a[ROW_TEXT], b[ROW_TEXT];
			play_resize(&english, size[n][0], size[n][1]);
			play_resize(&korean, size[n][0], size[n][1]);
			int first = english.layout.grid, last = english.layout.sums < 0 ? 0 : english.layout.sums;
			/* A lesson of other texts leaves the grid another room. */
			int rows = english.layout.grid_rows < korean.layout.grid_rows ? english.layout.grid_rows : korean.layout.grid_rows;
			for (int y = first; grid && y < first + 3 && y < first + rows; y++) {
				play_text(&english, y, 0, last, a);
				play_text(&korean, y, 0, last, b);
				assert_string_equal(a, b);
			}
		}
		play_free(&korean);
		play_free(&english);
	}
}

/* English screens of an input without Hangul have none, Korean ones have it in their help. */
static void languages_do_not_mix(void **state)
{
	static const char *const keys[] = { "", "?", "o", "L", "i", "j <Space>", "T", "b", "b 3", "v", "I", "J", SHORT_SWEEP, "L a n", "a s d", ":" };

	(void)state;
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		struct play english, korean;
		char row[ROW_TEXT];
		size_t lines = 0;
		play_open(&english, "two-tokens", "lang=en");
		play_keys(&english, keys[k]);
		play_open(&korean, "two-tokens", "lang=ko");
		play_keys(&korean, keys[k]);
		for (int y = 0; y < english.cells.rows; y++) {
			play_row(&english, y, row);
			if (has_hangul(row))
				fail_msg("'%s': '%s' is no English", keys[k], row);
			play_row(&korean, y, row);
			lines += has_hangul(row);
		}
		if (lines < (*keys[k] == '?' ? 15 : 2))
			fail_msg("'%s': only %zu lines have Hangul in Korean", keys[k], lines);
		play_free(&korean);
		play_free(&english);
	}
}

/* The columns of a table, in two parts of it, stand in the same places: what is no word there is the same. */
static void columns_are_the_same(const char *input, const char *keys, const int part[2][2])
{
	struct play english, korean;
	char a[ROW_TEXT], b[ROW_TEXT];

	play_open(&english, input, NULL);
	play_keys(&english, keys);
	play_open(&korean, input, "lang=ko");
	play_keys(&korean, keys);
	for (int y = english.layout.panel + 1; y < english.layout.panel + english.layout.panel_rows; y++)
		for (int k = 0; k < 2; k++) {
			play_text(&english, y, part[k][0], part[k][1], a);
			play_text(&korean, y, part[k][0], part[k][1], b);
			if (strcmp(a, b) && !has_hangul(b))
				fail_msg("%s, %s: '%s' is '%s' in Korean", input, keys, a, b);
		}
	play_free(&korean);
	play_free(&english);
}

static void korean_tables_keep_their_columns(void **state)
{
	(void)state;
	columns_are_the_same("two-tokens", "j l i", (const int[2][2]){ { 15, 25 }, { 52, 80 } });	/* the program's steps, and by hand */
	columns_are_the_same("shapes-10", "0 i", (const int[2][2]){ { 0, 80 }, { 80, 80 } });
	columns_are_the_same("causal-3", "w", (const int[2][2]){ { 0, 33 }, { 47, 80 } });
}

/* ---- a third language ---- */

static size_t put_word(unsigned char *at, uint32_t x)
{
	for (int k = 0; k < 4; k++)
		at[k] = (unsigned char)(x >> 8 * k);
	return 4;
}

/* The catalogue of some texts, sorted by the English one, as msgfmt makes it. */
static size_t make_catalogue(unsigned char *out, const char *const (*text)[2], size_t n)
{
	enum { HEAD = 28 };
	size_t table = HEAD, data = HEAD + 16 * n, at = 0;
	const uint32_t head[] = { 0x950412de, 0, (uint32_t)n, HEAD, (uint32_t)(HEAD + 8 * n), 0, 0 };

	for (size_t k = 0; k < sizeof head / sizeof *head; k++)
		at += put_word(out + at, head[k]);
	for (int translated = 0; translated < 2; translated++)
		for (size_t k = 0; k < n; k++) {
			size_t length = strlen(text[k][translated]);
			put_word(out + table, (uint32_t)length);
			put_word(out + table + 4, (uint32_t)data);
			memcpy(out + data, text[k][translated], length + 1);
			table += 8;
			data += length + 1;
		}
	return data;
}

/* Nothing but its catalogue makes it known, and what it lacks is English: on the
 * screen, in a lesson, in what is wrong. */
static void a_third_language_needs_a_catalogue_only(void **state)
{
	static const char *const texts[][2] = {
		{ "", "Language: de\n" }, { "causal", "kausal" }, { "compare", "vergleichen" }, { "lesson: %.160s  %s%s", "Lektion: %.160s  %s%s" },
	};
	static unsigned char bytes[1000];
	struct play p;

	(void)state;
	assert_true(message_add("de", bytes, make_catalogue(bytes, texts, sizeof texts / sizeof *texts)));
	assert_string_equal(language_wanted(NULL, NULL, "de_AT.UTF-8"), "de");
	play_open(&p, "causal-3", "lang=de");
	assert_true(play_shows(&p, "vergleichen"));
	assert_true(play_shows(&p, "scale  hide"));
	play_keys(&p, "L a");
	assert_true(play_shows(&p, "Lektion: Five steps with two words"));
	assert_true(play_shows(&p, "The ballot box for class president"));
	play_keys(&p, "<Esc> :lang ko<Enter>");
	assert_false(play_shows(&p, "vergleichen"));
	play_keys(&p, ":lang d<Tab><Enter>");
	assert_true(play_shows(&p, "vergleichen"));
	play_keys(&p, ":lang xx<Enter>");
	assert_true(play_shows(&p, "'xx' is not one of: auto, en, ko, de"));
	play_free(&p);
}

/* The program takes its own catalogues as they are. Last, since it makes languages known. */
static void built_in_catalogues_are_whole(void **state)
{
	size_t catalogues = 0;

	(void)state;
	for (size_t i = 0; i < assets_count; i++)
		if (!strncmp(assets[i].name, "po/", 3)) {
			assert_true(message_add("checked", assets[i].data, assets[i].size));
			catalogues++;
		}
	assert_true(catalogues > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_environment_names_a_language),
		cmocka_unit_test(each_korean_text_is_korean),
		cmocka_unit_test(the_screen_changes_its_language),
		cmocka_unit_test(languages_do_not_mix),
		cmocka_unit_test(korean_screens_keep_their_columns),
		cmocka_unit_test(korean_tables_keep_their_columns),
		cmocka_unit_test(a_third_language_needs_a_catalogue_only),
		cmocka_unit_test(built_in_catalogues_are_whole),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	language_add_builtin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
