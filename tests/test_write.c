/* test_write.c - files that `:w` writes by their ending, the endings that Tab offers,
 * worksheets, and labels as people read them.
 *
 * The numbers of the worksheets: NumPy 1.24.2, np.exp and sums of the scores of
 * causal-3 (2, 1, 0.1 / 1, 2, 0.1), rounded to two digits.
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

#include "core/color_range.h"
#include "core/io/scenario_yaml.h"
#include "core/message.h"
#include "tests/player.h"
#include "tui/labels.h"
#include "tui/language.h"
#include "tui/show.h"
#include "tui/view.h"
#include "tui/write_page.h"

static void write_file_as(struct player *p, const char *name)
{
	char line[100];

	written.calls = 0;
	snprintf(line, sizeof line, "w %s", name);
	player_command(p, line);
	if (written.calls != 1 || p->state.sentence_is_error)
		fail_msg("%s: %s", name, p->state.sentence);
	assert_string_equal(written.name, name);
}

static struct buffer shown(struct player *p, enum show_format format)
{
	const struct show_request request = {
		.problem = p->state.problem, .input = state_scenario(&p->state), .options = &p->state.now.options,
		.tables = &p->tables, .scenario = state_scenario(&p->state)->name, .format = format,
	};
	struct buffer b = { 0 };
	struct error e = { 0 };

	if (show(&b, &request, &e))
		fail_msg("%s", e.text);
	return b;
}

/* ---- endings ---- */

static void numbers_are_what_show_writes(void **state)
{
	static const struct { const char *name; enum show_format format; } files[] = {
		{ "a.csv", SHOW_CSV }, { "a.npy", SHOW_NPY }, { "a.json", SHOW_JSON }, { "a.tex", SHOW_LATEX }, { "a.py", SHOW_SCRIPT },
		{ "a.md", SHOW_WORKSHEET_MD }, { "a.worksheet.txt", SHOW_WORKSHEET }, { "a.worksheet.html", SHOW_WORKSHEET_HTML },
	};
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_command(&p, "stage masked");
	for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
		struct buffer b = shown(&p, files[k].format);
		write_file_as(&p, files[k].name);
		assert_int_equal(written.data.size, b.size + 1);	/* the player adds a NUL */
		assert_memory_equal(written.data.data, b.data, b.size);
		buffer_free(&b);
	}
	player_close(&p);
}

static void the_screen_and_the_scenario(void **state)
{
	static const struct { const char *name, *begins; } files[] = {
		{ "a.txt", "qkv  causal-3" }, { "a.ansi", "\033[" }, { "a.svg", "<?xml " }, { "a.html", "<!DOCTYPE html>" },
		{ "a.yaml", "qkv: 1" }, { "dir.py/a.yml", "qkv: 1" }, { "worksheet.txt", "qkv  causal-3" },
	};
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
		write_file_as(&p, files[k].name);
		assert_int_equal(strncmp(written.data.data, files[k].begins, strlen(files[k].begins)), 0);
	}
	player_close(&p);
}

/* By hand, without the mask and with it: e^2 = 7.389, e^1 = 2.718, e^0.1 = 1.105, sum 11.212;
 * row 0 was (1, 0, 0), row 1 (.269, .731, 0), row 2 stays. */
static void differences_are_written(void **state)
{
	static const double wanted[3][3] = { { -0.341, 0.242, 0.099 }, { -0.027, -0.072, 0.099 }, { 0, 0, 0 } };
	static const char *const refused[] = { "a.py", "a.md", "a.worksheet.txt" };
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "a c d d");
	write_file_as(&p, "d.csv");
	const char *at = written.data.data;
	for (int i = 0; i < 3; i++) {
		at = strchr(at, '\n') + 1;
		for (int j = 0; j < 3; j++) {
			char *end;
			at = j ? at : strchr(at, ',');
			double x = strtod(at + 1, &end);
			assert_true(x > wanted[i][j] - 1e-3 && x < wanted[i][j] + 1e-3);
			at = end;
		}
	}
	write_file_as(&p, "d.json");
	assert_non_null(strstr(written.data.data, "\"difference\": \"B - A\""));
	assert_non_null(strstr(written.data.data, "\"options\": {\"causal\": \"on\""));
	assert_null(strstr(written.data.data, "hidden_by"));
	assert_null(strstr(written.data.data, "verdicts"));
	write_file_as(&p, "d.tex");
	assert_non_null(strstr(written.data.data, "-0.341"));
	for (size_t k = 0; k < 3; k++) {
		char line[40];
		written.calls = 0;
		snprintf(line, sizeof line, "w %s", refused[k]);
		player_command(&p, line);
		assert_int_equal(written.calls, 0);
		assert_true(p.state.sentence_is_error);
	}
	player_keys(&p, "d");
	write_file_as(&p, "b.csv");
	assert_non_null(strstr(written.data.data, "0.659"));
	player_close(&p);
}

/* Another scenario as A: what both have. The joined stage and the input have differences too. */
static void differences_of_other_shapes(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "random-4");
	player_keys(&p, "a");
	player_command(&p, "o causal-3");
	player_keys(&p, "d d");
	write_file_as(&p, "d.json");
	assert_non_null(strstr(written.data.data, "\"shape\": [3, 3]"));
	assert_non_null(strstr(written.data.data, "\"scenario\": \"random-4\""));
	player_keys(&p, "0");
	write_file_as(&p, "d.json");
	player_close(&p);
	player_open(&p, "shapes-10");
	player_keys(&p, "a ] d d 5");
	write_file_as(&p, "d.csv");
	player_keys(&p, "6");
	write_file_as(&p, "d.csv");
	assert_non_null(strstr(written.data.data, ",0.0,0.0,0.0,"));	/* all heads: the same */
	player_close(&p);
}

/* Two tables are none, and no file tells what is asked for. */
static void not_what_is_not_seen(void **state)
{
	static const char *const files[] = { "x.csv", "x.json", "x.npy", "x.tex", "x.py", "x.md", "x.worksheet.html" };
	static const char *const keys[] = { "a c d", "T", "T T", "T T T T" };

	(void)state;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct player p;
		player_open(&p, "causal-3");
		player_keys(&p, keys[i]);
		for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
			char line[40];
			written.calls = 0;
			snprintf(line, sizeof line, "w %s", files[k]);
			player_command(&p, line);
			assert_int_equal(written.calls, 0);
			assert_true(p.state.sentence_is_error);
			assert_non_null(strstr(p.state.sentence, i ? "asked for" : "A | B"));
		}
		player_close(&p);
	}
}

/* The stage and the array that are on the screen, which stage 0 chooses by itself. */
static void the_array_on_the_screen(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "two-tokens");
	player_keys(&p, "0 0 0");
	write_file_as(&p, "v.csv");
	assert_string_equal(written.data.data, ",0,1\nw1,10.0,0.0\nw2,0.0,10.0\n");
	player_close(&p);
	player_open_yaml(&p, "qkv: 1\nscores: [[1, 2]]\n");
	player_keys(&p, "0");
	write_file_as(&p, "s.csv");
	assert_string_equal(written.data.data, ",t0,t1\nt0,1.0,2.0\n");
	player_close(&p);
}

static void wrong_names_are_told_the_endings(void **state)
{
	static const char *const names[] = { "", " x", " x.zip", " .svg", " svg" };
	static const char *const endings[] = { ".yaml", ".svg", ".csv", ".npy", ".tex", ".py", ".json", ".md", ".worksheet.html" };
	char line[32];
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
		written.calls = 0;
		snprintf(line, sizeof line, "w%s", names[k]);
		player_command(&p, line);
		assert_int_equal(written.calls, 0);
		assert_true(p.state.sentence_is_error);
		for (size_t n = 0; n < sizeof endings / sizeof *endings; n++)
			assert_non_null(strstr(p.state.sentence, endings[n]));
	}
	player_close(&p);
}

/* An output row is short, but takes every key; the screen would stand still for long. */
static void long_work_is_refused(void **state)
{
	static const char *const names[] = { "w a.csv", "w a.json", "w a.tex", "w a.npy" };
	struct player p;

	(void)state;
	player_open(&p, "random-4");
	player_command(&p, "n 5000");
	player_command(&p, "stage output");
	for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
		written.calls = 0;
		player_command(&p, names[k]);
		assert_int_equal(written.calls, 0);
		assert_true(p.state.sentence_is_error);
		assert_non_null(strstr(p.state.sentence, "5000 x 5000 numbers are too many"));
	}
	player_command(&p, "stage input");	/* as it is given */
	write_file_as(&p, "q.csv");
	player_close(&p);
}

static void nothing_is_written_after_an_error(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "shapes-10");
	player_command(&p, "stage joined");
	written.calls = 0;
	player_command(&p, "w a.md");
	assert_int_equal(written.calls, 0);
	assert_non_null(strstr(p.state.sentence, "one head"));
	player_close(&p);
}

static void tab_offers_endings(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "e <Tab>");
	assert_string_equal(p.state.prompt.text, "w causal-3.yaml");
	player_keys(&p, "<Esc> e");
	player_draw(&p);
	char line[400];
	assert_non_null(strstr(player_line(&p, 22, line, sizeof line), "Tab offers them"));
	player_keys(&p, "<Tab>");
	player_draw(&p);
	assert_null(strstr(player_line(&p, 22, line, sizeof line), "Tab offers them"));
	player_keys(&p, "<Tab>");
	assert_string_equal(p.state.prompt.text, "w causal-3.yml");
	player_keys(&p, "<Esc> e");
	player_type(&p, "dir.d/mine.s");
	player_keys(&p, "<Tab>");
	assert_string_equal(p.state.prompt.text, "w dir.d/mine.svg");
	player_keys(&p, "<Esc> e");
	player_type(&p, "mine");
	player_keys(&p, "<Tab> <Tab> <Tab>");
	assert_string_equal(p.state.prompt.text, "w mine.worksheet.txt");
	player_keys(&p, "<Enter>");
	assert_string_equal(written.name, "mine.worksheet.txt");
	player_keys(&p, ":");
	player_type(&p, "range r");
	player_keys(&p, "<Tab>");
	assert_string_equal(p.state.prompt.text, "range row");
	player_close(&p);
}

/* ---- worksheets ---- */

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (const char *at = strstr(text, what); at; at = strstr(at + strlen(what), what))
		n++;
	return n;
}

/* From the page of the answers on. */
static const char *answers_of(const struct buffer *b, const char *page)
{
	const char *at = strstr(b->data, page);

	assert_non_null(at);
	assert_null(strstr(at + strlen(page), page));	/* one break of pages */
	return at;
}

static void answers_stand_on_their_own_page(void **state)
{
	static const char *const numbers[] = { "7.39", "2.72", "10.11", "11.21", "0.27", "0.73", "0.66", "0.24" };
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct buffer b = shown(&p, SHOW_WORKSHEET);
	const char *answers = answers_of(&b, "\f");
	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
		assert_non_null(strstr(answers, numbers[k]));
		assert_true(strstr(b.data, numbers[k]) > answers);	/* given away nowhere else */
	}
	/* Scores, mask: 9 blanks each; e^x, weights: 12 each, with their sums; name and date. */
	assert_int_equal(count(b.data, "______ ") + count(b.data, "______\n"), 9 + 9 + 12 + 12 + 2);
	assert_null(strstr(answers, "______"));
	buffer_free(&b);
	player_close(&p);
}

/* 7.39 + 2.72 + 1.11 is 11.22, and the sum is 11.21. */
static void sums_of_rounded_terms_are_told(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct buffer b = shown(&p, SHOW_WORKSHEET);
	assert_non_null(strstr(b.data, "Row 2: the sum is 11.21; the rounded terms would add up to 11.22."));
	assert_null(strstr(b.data, "Row 1: the sum is"));
	assert_non_null(strstr(b.data, "rounded by itself to 2 digits"));
	buffer_free(&b);
	player_close(&p);
}

static void empty_rows_are_told(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "left-pad-4");
	struct buffer b = shown(&p, SHOW_WORKSHEET);
	const char *answers = answers_of(&b, "\f");
	assert_non_null(strstr(answers, "Row 0: no key is visible, and 0 / 0 is no number."));
	assert_non_null(strstr(answers, "Row 1: no key"));
	assert_null(strstr(answers, "Row 2: no key"));
	assert_non_null(strstr(b.data, "divide every score by \u221a8 \u2248 2.83."));
	buffer_free(&b);
	player_close(&p);
}

static void the_head_is_told(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "shapes-10");
	struct buffer b = shown(&p, SHOW_WORKSHEET);
	assert_null(strstr(b.data, "Set: head"));
	buffer_free(&b);
	player_command(&p, "head 3");
	b = shown(&p, SHOW_WORKSHEET);
	assert_non_null(strstr(b.data, "Set: head 3;"));
	buffer_free(&b);
	player_close(&p);
}

/* With the mask after softmax e^x is that of all scores: row 0 e^2, e^1, e^0.1. */
static void a_mask_after_softmax_is_told(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_command(&p, "mask-at after");
	struct buffer b = shown(&p, SHOW_WORKSHEET);
	assert_null(strstr(b.data, "masked score"));
	assert_non_null(strstr(b.data, "softmax of each row, and only then the mask"));
	assert_non_null(strstr(b.data, " 7.39 | 2.72 | 1.11 | 11.21\n"));
	assert_non_null(strstr(b.data, " 0.66 | 0.00 | 0.00 | 0.66\n"));
	buffer_free(&b);
	player_close(&p);
}

/* As far as the stage that is shown. */
static void questions_end_at_the_stage(void **state)
{
	static const struct { const char *stage; size_t questions; } wanted[] = {
		{ "scores", 1 }, { "scaled", 2 }, { "weights", 4 }, { "output", 5 }, { "input", 5 },
	};
	struct player p;

	(void)state;
	player_open(&p, "two-tokens");
	for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
		char line[32], number[8];
		snprintf(line, sizeof line, "stage %s", wanted[k].stage);
		player_command(&p, line);
		struct buffer b = shown(&p, SHOW_WORKSHEET);
		snprintf(number, sizeof number, "\n%zu. ", wanted[k].questions);
		assert_int_equal(count(b.data, number), 2);	/* asked, and answered */
		snprintf(number, sizeof number, "\n%zu. ", wanted[k].questions + 1);
		assert_int_equal(count(b.data, number), 0);
		buffer_free(&b);
	}
	/* The lesson's own numbers. */
	player_command(&p, "stage output");
	struct buffer b = shown(&p, SHOW_WORKSHEET_MD);
	assert_non_null(strstr(b.data, "| 2.69 | 7.31 |"));
	assert_non_null(strstr(b.data, "divide every score by 2"));
	buffer_free(&b);
	player_close(&p);
}

static void each_kind_has_its_page_break(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct buffer md = shown(&p, SHOW_WORKSHEET_MD), html = shown(&p, SHOW_WORKSHEET_HTML);
	answers_of(&md, "<div style=\"page-break-before: always\"></div>\n\n---\n");
	answers_of(&html, "<div class=\"break\"></div>");
	assert_non_null(strstr(html.data, "@media print"));
	assert_non_null(strstr(html.data, "break-before: page"));
	assert_int_equal(count(html.data, "<table>"), count(html.data, "</table>"));
	assert_int_equal(count(html.data, "<tr>"), count(html.data, "</tr>"));
	/* <시작> is text in all three. */
	assert_null(strstr(html.data, "<시작>"));
	assert_non_null(strstr(html.data, "&lt;시작&gt;"));
	assert_non_null(strstr(md.data, "\\<시작\\>"));
	buffer_free(&md);
	buffer_free(&html);
	player_close(&p);
}

static void worksheets_speak_the_language(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_command(&p, "lang ko");
	struct buffer korean = shown(&p, SHOW_WORKSHEET_HTML);
	assert_non_null(strstr(korean.data, "손으로 하는 causal mask"));
	assert_non_null(strstr(korean.data, "<html lang=\"ko\">"));
	assert_non_null(strstr(korean.data, message("Questions")));
	buffer_free(&korean);
	player_command(&p, "lang en");
	player_close(&p);
}

static void what_no_worksheet_holds_is_said(void **state)
{
	struct player p;
	struct buffer b = { 0 };
	struct error e = { 0 };

	(void)state;
	player_open(&p, "saturation-16");
	const struct show_request request = {
		.problem = p.state.problem, .options = &p.state.now.options, .tables = &p.tables, .scenario = "s", .format = SHOW_WORKSHEET,
	};
	assert_int_equal(show(&b, &request, &e), E_LIMIT);
	assert_non_null(strstr(e.text, "16 queries and 16 keys"));
	buffer_free(&b);
	player_close(&p);
	player_open_yaml(&p, "qkv: 1\nscores: [[1, 2]]\n");
	struct options o = p.state.now.options;
	const struct show_request nothing = {
		.problem = p.state.problem, .options = &o, .tables = &p.tables, .scenario = "s", .format = SHOW_WORKSHEET,
	};
	o.stage = STAGE_SCORES;
	b = (struct buffer){ 0 };
	assert_int_equal(show(&b, &nothing, &e), E_VALUE);
	assert_non_null(strstr(e.text, "nothing is left to ask"));
	buffer_free(&b);
	player_close(&p);
}

static void pages_keep_what_is_in_their_texts(void **state)
{
	static const char odd[] = "<script>&\"|*_`[x](y)\n\033[31m#";
	struct buffer b = { 0 };
	struct page html = { &b, PAGE_HTML }, md = { &b, PAGE_MARKDOWN };

	(void)state;
	page_paragraph(&html, odd);
	assert_null(strstr(b.data, "<script"));
	assert_null(strchr(b.data, '\033'));
	assert_non_null(strstr(b.data, "&lt;script&gt;&amp;"));
	buffer_free(&b);
	page_paragraph(&md, odd);
	assert_non_null(strstr(b.data, "\\<script\\>\\&\"\\|\\*\\_\\`\\[x\\](y)"));
	assert_null(strchr(b.data, '\033'));
	buffer_free(&b);
}

/* ---- labels ---- */

static void check_labels(const char *const *raw, const char *const *read)
{
	struct tokens t = { 0 };
	struct error e = { 0 };

	for (size_t i = 0; raw[i]; i++)
		assert_int_equal(tokens_add(&t, raw[i], strlen(raw[i]), &e), OK_STATUS);
	assert_int_equal(labels_read(&t, &e), OK_STATUS);
	for (size_t i = 0; raw[i]; i++)
		assert_string_equal(t.text[i], read[i]);
	assert_null(read[t.n]);
	tokens_free(&t);
}

static void labels_as_people_read_them(void **state)
{
	/* Hangul 소 is EC 86 8C; GPT-2's letters for those bytes are U+00EC U+0128 U+012E. */
	static const char *const table[][2][8] = {
		{ { "\u0120the", "##ing", "\u2581of", "##", ",", NULL }, { "\u2423the", "\u2026ing", "\u2423of", "##", ",", NULL } },
		{ { "<0xEC>", "<0x86>", "<0x8C>", "ab", NULL }, { "\uc18c", "\u2026", "\u2026", "ab", NULL } },
		{ { "<0xec>", "<0x86>", "x", NULL }, { "\xec", "\x86", "x", NULL } },
		{ { "\u00ec\u0128\u012e", "\u0120\u00ec", "\u0128", "\u012ex", NULL }, { "\uc18c", "\u2423\uc18c", "\u2026", "\u2026x", NULL } },
		{ { "\u00ec", "", "\u0128\u012e", "", NULL }, { "\uc18c", "", "\u2026", "", NULL } },
		{ { "\xf0\x9f", "\x92", "\xa9", NULL }, { "\U0001f4a9", "\u2026", "\u2026", NULL } },
		{ { "\uc18c", "caf\u00e9", "", NULL }, { "\uc18c", "caf\u00e9", "", NULL } },
		{ { "<0x00>", "<0xG1>", "<0x41>", "\u2581\u2581", NULL }, { "<0x00>", "<0xG1>", "A", "\u2423\u2423", NULL } },
	};

	(void)state;
	for (size_t k = 0; k < sizeof table / sizeof *table; k++)
		check_labels(table[k][0], table[k][1]);
}

static void labels_are_for_the_screen_alone(void **state)
{
	char line[400];
	struct player p;

	(void)state;
	player_open_yaml(&p, "qkv: 1\ntokens: [\"\u0120the\", \"##ing\"]\nscores: [[1, 2], [3, 4]]\n");
	player_command(&p, "labels read");
	player_draw(&p);
	bool seen = false;
	for (int y = 0; y < 24; y++)
		seen |= strstr(player_line(&p, y, line, sizeof line), "\u2423the") != NULL;
	assert_true(seen);
	write_file_as(&p, "a.csv");
	assert_int_equal(strncmp(written.data.data, ",\u0120the,##ing\n", strlen(",\u0120the,##ing\n")), 0);
	player_keys(&p, "u");
	assert_string_equal(p.state.problem->key_tokens.text[0], "\u0120the");
	player_close(&p);
}

/* ---- the option range ---- */

static void ranges(void **state)
{
	static const char *const bad[] = { "0..", "..1", "1..0", "1..1", "0...5", "0..1..2", "0..nan", "-inf..0", "rows", "0 .. 1" };
	struct color_range r = { RANGE_LOG, 3, 4 };

	(void)state;
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
		assert_false(color_range_parse(bad[k], &r));
		assert_true(r.mode == RANGE_LOG && r.low == 3 && r.high == 4);
	}
	assert_true(color_range_parse("-1e3..0.5", &r));
	assert_true(r.mode == RANGE_LIMITS && r.low == -1000 && r.high == 0.5);
	assert_true(color_range_parse("", &r) && r.mode == RANGE_AUTO);
	for (int k = 0; color_range_words[k]; k++)
		assert_true(color_range_parse(color_range_words[k], &r) && (int)r.mode == k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_what_show_writes),
		cmocka_unit_test(the_screen_and_the_scenario),
		cmocka_unit_test(differences_are_written),
		cmocka_unit_test(differences_of_other_shapes),
		cmocka_unit_test(not_what_is_not_seen),
		cmocka_unit_test(the_array_on_the_screen),
		cmocka_unit_test(wrong_names_are_told_the_endings),
		cmocka_unit_test(long_work_is_refused),
		cmocka_unit_test(nothing_is_written_after_an_error),
		cmocka_unit_test(tab_offers_endings),
		cmocka_unit_test(answers_stand_on_their_own_page),
		cmocka_unit_test(sums_of_rounded_terms_are_told),
		cmocka_unit_test(empty_rows_are_told),
		cmocka_unit_test(the_head_is_told),
		cmocka_unit_test(a_mask_after_softmax_is_told),
		cmocka_unit_test(questions_end_at_the_stage),
		cmocka_unit_test(each_kind_has_its_page_break),
		cmocka_unit_test(worksheets_speak_the_language),
		cmocka_unit_test(what_no_worksheet_holds_is_said),
		cmocka_unit_test(pages_keep_what_is_in_their_texts),
		cmocka_unit_test(labels_as_people_read_them),
		cmocka_unit_test(labels_are_for_the_screen_alone),
		cmocka_unit_test(ranges),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	language_add_builtin();
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	buffer_free(&written.data);
	return failed;
}
