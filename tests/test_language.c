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
	static const char *const keys[] = { "", "v", "b c", "b 1", "b 6", "I", "J", "w", "?", "o", "5", "0", ":pad 0<Enter>" };

	(void)state;
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
		for (size_t n = 0; n < sizeof size / sizeof *size; n++) {
			struct play english, korean;
			char a[ROW_TEXT], b[ROW_TEXT];
			play_open(&english, "causal-3", NULL);
			play_resize(&english, size[n][0], size[n][1]);
			play_keys(&english, keys[k]);
			int first = english.layout.grid, last = english.layout.sums < 0 ? 0 : english.layout.sums;
			bool grid = english.state.mode != MODE_HELP && english.state.mode != MODE_PICKER &&
				    english.state.panel.kind != PANEL_SWEEP;
			play_open(&korean, "causal-3", "lang=ko");
			play_resize(&korean, size[n][0], size[n][1]);
			play_keys(&korean, keys[k]);
			play_check_whole(&korean);
			for (int y = first; grid && y < first + 3 && y < size[n][0] - 1; y++) {
				play_text(&english, y, 0, last, a);
				play_text(&korean, y, 0, last, b);
				assert_string_equal(a, b);
			}
			play_free(&korean);
			play_free(&english);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_environment_names_a_language),
		cmocka_unit_test(each_korean_text_is_korean),
		cmocka_unit_test(the_screen_changes_its_language),
		cmocka_unit_test(korean_screens_keep_their_columns),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	language_add_builtin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
