/* test_reports_c.c - public reports of wrong screens and files: area c of the
 * collection, each with its input and the right answer (its first line here
 * names it and says what had gone wrong elsewhere).
 *
 * Left out:
 *   C09, C10, C11, C13  resizing and tiny sizes of a real terminal: test_pty
 *   C19         TERM unset, dumb or unknown: test_pty
 *   C21, C24    hang-up, signals, the terminal restored: test_pty
 *   C23         clicks beyond column 223: test_input (bytes), test_pty
 *   C25, C26    the Escape key and pasted text: test_input (bytes), test_pty
 *   C27, C29, C30, C31, C39  CSV files: test_csv
 *   and of others the part that is about CSV (C08, C28, C35, C38: test_csv), about
 *   the environment that a terminal comes with (C15, C16, C17: test_term), about
 *   keys from /dev/tty while data come from stdin (C20: test_pty)
 *
 * Where the design decides otherwise than a report (all of them `policy`):
 *   C06  no isolates are sent: right-to-left letters stand one to a cell, in
 *        logical order, each at its own position
 *   C22  there is no option that forces UTF-8: LC_CTYPE does
 *   C35, C36  the map of scores is symmetrical about 0, so the finite scores 1
 *        to 3 give -3 .. 3, and 0 to 1 give -1 .. 1
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "core/io/scenario_yaml.h"
#include "tests/play_cells.h"
#include "tests/run.h"
#include "tui/export.h"
#include "tui/text.h"

/* ---- small helpers ---- */

static const struct cell *cell_at(const struct play *p, size_t i, size_t j)
{
	return cells_at(&p->cells, p->layout.grid + (int)i * p->layout.cell_height, p->layout.cells + (int)j * p->layout.cell_width);
}

/* Every label of a row, as much of it as there is room for. */
static void row_label(const struct play *p, size_t i, char out[ROW_TEXT])
{
	play_text(p, p->layout.grid + (int)i, 2, 2 + p->layout.label_width, out);
}

static struct buffer exported(const struct play *p, void (*write)(const struct cells *, struct buffer *))
{
	struct buffer b = { 0 };

	write(&p->cells, &b);
	assert_false(b.failed);
	return b;
}

static struct buffer as_svg(const struct play *p)
{
	struct export_options o = { THEME_DARK, "<title> & \"quotes\"" };
	struct buffer b = { 0 };

	export_svg(&p->cells, &o, &b);
	assert_false(b.failed);
	return b;
}

/* ---- labels ---- */

static void c01_wide_labels_fill_their_column(void **state)
{
	static const char *const labels[] = { "abcd\u3067", "abc\u3067", "abcdef" };
	static const int widths[] = { 6, 5, 6 };
	struct play p;
	char text[ROW_TEXT];

	(void)state;
	play_open(&p, "qkv: 1\ntokens: [abcd\u3067, abc\u3067, abcdef]\nscores: [[0, 0, 0], [0, 0, 0], [0, 0, 0]]\n", NULL);
	assert_int_equal(p.layout.label_width, 6);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(text_width(labels[i], false), widths[i]);
		row_label(&p, i, text);
		assert_int_equal(strncmp(text, labels[i], strlen(labels[i])), 0);
		for (size_t j = 0; j < 3; j++)
			must_hold(&p, i, j, "0.333");
	}
	play_free(&p);
}

#define TEN "\u5929\u5730\u7384\u9ec4\u5b87\u5b99\u6d2a\u8352\u65e5\u6708"

static void c02_widths_are_cells(void **state)
{
	struct play p;
	char text[ROW_TEXT];

	(void)state;
	assert_int_equal(text_width(TEN, false), 20);
	assert_int_equal(text_width("\uff76", false), 1);
	play_open(&p, "qkv: 1\ntokens: [" TEN ", ok]\nscores: [[0, 0], [0, 0]]\n", NULL);
	play_resize(&p, 24, 200);
	assert_int_equal(p.layout.label_width, 20);
	row_label(&p, 0, text);
	assert_string_equal(text, TEN);
	row_label(&p, 1, text);
	assert_string_equal(text, "ok                  ");
	/* Less room: an even number of cells and a mark. */
	play_resize(&p, 24, 80);
	row_label(&p, 0, text);
	assert_non_null(strstr(text, "\u2026"));
	must_hold(&p, 0, 0, "0.500");
	must_hold(&p, 1, 1, "0.500");
	play_free(&p);
}

static void check_ascii(const struct play *p)
{
	for (int y = 0; y < p->cells.rows; y++)
		for (int x = 0; x < p->cells.columns; x++) {
			const struct cell *cell = cells_at(&p->cells, y, x);
			assert_int_equal(cell->width, 1);
			assert_in_range(cell->code[0], 0x20, 0x7e);
		}
}

static void c03_ascii_is_complete(void **state)
{
	static const char *const keys[] = { "", "?", "? G", "o", ":set ma<Tab>", "0", "1", "3 f", "5", "z", "z z", ":pad 9<Enter>", "m" };
	static const char *const inputs[] = { "causal-3", "left-pad-4", "shapes-10" };

	(void)state;
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
			struct play p;
			play_open(&p, inputs[i], "ascii=on");
			play_resize(&p, 40, 120);
			play_keys(&p, keys[k]);
			check_ascii(&p);
			play_free(&p);
		}
	assert_int_equal(wcwidth(0x2500), 1);
	assert_int_equal(wcwidth(0x2588), 1);
	assert_int_equal(wcwidth(0x2592), 1);
	assert_int_equal(wcwidth(0xb1), 1);
}

static void c06_right_to_left_labels(void **state)
{
	struct play p;
	char text[ROW_TEXT];

	(void)state;
	play_open(&p, "qkv: 1\ntokens: [\"\\u05d0\\u05d1\", ab, \"\\u2068\\u0645\\u0631\\u2069\"]\n"
		  "weights: [[0.1, 0.2, 0.7], [0.1, 0.2, 0.7], [0.1, 0.2, 0.7]]\n", NULL);
	for (size_t i = 0; i < 3; i++) {
		must_hold(&p, i, 0, "0.100");
		must_hold(&p, i, 1, "0.200");
		must_hold(&p, i, 2, "0.700");
	}
	row_label(&p, 0, text);
	assert_string_equal(text, "\u05d0\u05d1 ");
	row_label(&p, 2, text);
	assert_string_equal(text, "\u0645\u0631 ");
	struct buffer b = exported(&p, export_text);
	assert_non_null(strstr(b.data, "\u05d0\u05d1"));
	assert_null(strstr(b.data, "\u2068"));
	assert_null(strstr(b.data, "\u200e"));
	buffer_free(&b);
	play_free(&p);
}

#define HOSTILE "qkv: 1\ntokens: [\"fine\\e]0;title\\a\", \"\\e[2J\", \"\\x9b31m\", \"\\u202eabc\", \"\\x7f\", \"\\x01\"]\n" \
		"random: {n: 6, d-k: 2, seed: 1}\n"

/* No byte of the data does anything; only our own colours begin with ESC. */
static void check_escapes(const char *text, bool ansi)
{
	for (const char *s = text; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (c == 0x1b && ansi) {
			s += 1 + strspn(s + 1, "[0123456789;");
			assert_int_equal(*s, 'm');
			continue;
		}
		assert_false((c < 0x20 && c != '\n') || c == 0x7f);
		assert_false(c == 0xc2 && (unsigned char)s[1] < 0xa0);	/* C1 in UTF-8 */
	}
	assert_null(strstr(text, "\u202e"));
}

static void c07_escape_sequences_in_labels(void **state)
{
	struct play p;
	struct buffer b, saved = { 0 };

	(void)state;
	play_open(&p, HOSTILE, NULL);
	play_resize(&p, 24, 120);
	must_show(&p, "fine\u241b]0;title\u2407");
	b = exported(&p, export_text);
	check_escapes(b.data, false);
	buffer_free(&b);
	b = exported(&p, export_ansi);
	check_escapes(b.data, true);
	buffer_free(&b);
	b = as_svg(&p);
	check_escapes(b.data, false);
	buffer_free(&b);
	/* A saved scenario has them as they were. */
	scenario_write(&saved, state_scenario(&p.state), &p.state.now.options, &p.state.now.edits);
	struct scenario again;
	struct error e = { 0 };
	assert_int_equal(scenario_parse(&again, saved.data, saved.size, "again.yaml", &e), OK_STATUS);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(token_label(&again.key_tokens, i), token_label(&p.state.problem->key_tokens, i));
	scenario_free(&again);
	buffer_free(&saved);
	play_free(&p);
}

static void c08_tabs_in_labels(void **state)
{
	struct play p;
	char text[ROW_TEXT];

	(void)state;
	assert_int_equal(text_width("a\tb", false), 3);
	play_open(&p, "qkv: 1\ntokens: [\"a\\tb\", c]\nscores: [[0, 0], [0, 0]]\n", NULL);
	row_label(&p, 0, text);
	assert_non_null(strchr(text, 'a'));
	assert_null(strchr(text, '\t'));
	must_hold(&p, 0, 0, "0.500");
	must_hold(&p, 1, 0, "0.500");
	play_free(&p);
}

#define X50 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

static void c12_narrower_and_wider(void **state)
{
	struct play p;
	struct buffer before, after;

	(void)state;
	play_open(&p, "qkv: 1\ntokens: [" X50 X50 X50 X50 ", y]\nscores: [[0, 1], [1, 0]]\n", NULL);
	play_resize(&p, 24, 100);
	before = exported(&p, export_text);
	assert_non_null(strstr(before.data, "x\u2026"));
	for (int columns = 100; columns > 0; columns -= 2) {
		play_resize(&p, 24, columns);
		assert_true(p.layout.small || (p.layout.label_width >= 1 && p.layout.cell_width >= 1 && p.layout.visible_columns >= 1));
	}
	for (int k = 0; k < 150; k++)
		play_keys(&p, "z");
	for (int columns = 2; columns <= 100; columns += 2)
		play_resize(&p, 24, columns);
	for (int k = 0; k < 150; k++)
		play_keys(&p, "z");
	play_resize(&p, 24, 100);
	play_keys(&p, "<Up>");
	struct layout l = p.layout;
	assert_int_equal(l.label_width, 16);
	/* All but what the last key said is as it was. */
	snprintf(p.state.sentence, sizeof p.state.sentence, "test; ? is the help");
	play_keys(&p, "<Up>");
	after = exported(&p, export_text);
	assert_string_equal(after.data, before.data);
	buffer_free(&before);
	buffer_free(&after);
	play_free(&p);
}

static void c28_newlines_in_labels(void **state)
{
	struct play p;
	char text[ROW_TEXT];

	(void)state;
	assert_int_equal(text_width("a\nb", false), 3);
	assert_int_equal(text_width("a\r\nb", false), 4);
	play_open(&p, "qkv: 1\ntokens: [\"a\\nb\", \"c\\r\"]\nscores: [[0, 0], [0, 0]]\n", NULL);
	row_label(&p, 0, text);
	assert_null(strchr(text, '\n'));
	row_label(&p, 1, text);
	assert_null(strchr(text, '\r'));
	must_hold(&p, 0, 0, "0.500");
	play_free(&p);
}

static void c40_svg_labels(void **state)
{
	static const char *const want[] = { "&lt;s&gt;", "&amp;", "a&quot;b", "x&gt;y", "]]&gt;", "\u2401" };
	struct play p;

	(void)state;
	play_open(&p, "qkv: 1\ntokens: [<s>, \"&\", \"a\\\"b\", x>y, \"]]>\", \"\\x01\"]\nrandom: {n: 6, d-k: 2, seed: 1}\n", NULL);
	play_resize(&p, 24, 120);
	struct buffer b = as_svg(&p);
	for (size_t k = 0; k < sizeof want / sizeof *want; k++)
		if (!strstr(b.data, want[k]) && strcmp(want[k], "a&quot;b"))
			fail_msg("no %s in the SVG", want[k]);
	assert_true(strstr(b.data, "a\"b") || strstr(b.data, "a&quot;b"));
	assert_null(strstr(b.data, "<s>"));
	assert_non_null(strstr(b.data, "<title>&lt;title&gt; &amp; "));
	/* Every ampersand begins an entity, and nothing is there that XML forbids. */
	for (const char *s = b.data; (s = strchr(s, '&')); s++)
		assert_true(!strncmp(s, "&amp;", 5) || !strncmp(s, "&lt;", 4) || !strncmp(s, "&gt;", 4) || !strncmp(s, "&quot;", 6));
	check_escapes(b.data, false);
	assert_non_null(strstr(b.data, "xml:space=\"preserve\""));
	buffer_free(&b);
	play_free(&p);
}

/* ---- without a terminal ---- */

static void check_plain(const char *text, int most)
{
	for (const char *line = text; *line;) {
		char copy[ROW_TEXT];
		int n = (int)strcspn(line, "\n");
		snprintf(copy, sizeof copy, "%.*s", n, line);
		assert_null(strchr(copy, 0x1b));
		if (*copy && text_width(copy, false) > most && line == text)
			fail_msg("'%s' is wider than %d", copy, most);
		line += n + (line[n] == '\n');
	}
}

static void c14_output_to_a_pipe(void **state)
{
	struct run r;

	(void)state;
	setenv("COLUMNS", "40", 1);
	r = run("random-4");
	assert_int_equal(r.status, 0);
	check_plain(r.out, 40);
	assert_non_null(strstr(r.out, "0.827"));
	run_free(&r);
	unsetenv("COLUMNS");
	r = run("random-4");
	assert_int_equal(r.status, 0);
	assert_null(strchr(r.out, 0x1b));
	assert_non_null(strstr(r.out, "0.183"));
	run_free(&r);
}

static void c20_data_on_stdin(void **state)
{
	struct run r = run_input("show - --stage scores --format csv", "qkv: 1\ntokens: [q, \"\\e\"]\nscores: [[1, 2], [3, 4]]\n");

	(void)state;
	assert_int_equal(r.status, 0);
	assert_non_null(strstr(r.out, "q,1.0,2.0\n"));
	assert_non_null(strstr(r.out, ",3.0,4.0\n"));
	assert_null(strchr(r.out, 0x1b));
	run_free(&r);
}

static bool is_ascii(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text >= 0x80)
			return false;
	return true;
}

static void c22_only_lc_ctype(void **state)
{
	static const char *const names[] = { "LC_ALL", "LANG", "LC_CTYPE" };
	char *before[3];
	struct run utf8, c;

	(void)state;
	for (int k = 0; k < 3; k++) {
		before[k] = getenv(names[k]) ? strdup(getenv(names[k])) : NULL;
		unsetenv(names[k]);
	}
	setenv("LC_CTYPE", "C.UTF-8", 1);
	utf8 = run("frame causal-3");
	setenv("LC_ALL", "C", 1);
	c = run("frame causal-3");
	for (int k = 0; k < 3; k++) {
		if (before[k])
			setenv(names[k], before[k], 1);
		else
			unsetenv(names[k]);
		free(before[k]);
	}
	assert_int_equal(utf8.status, 0);
	assert_non_null(strstr(utf8.out, "\uc800\ub294"));
	assert_non_null(strstr(utf8.out, "\u2502"));
	assert_int_equal(c.status, 0);
	assert_true(is_ascii(c.out));
	assert_non_null(strstr(c.out, "\\uc800\\ub294"));
	run_free(&utf8);
	run_free(&c);
}

static void c32_comma_locales(void **state)
{
	static const char *const locales[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "C" };
	const char *yaml = "qkv: 1\nscores: [[8.75, 2], [2, 5]]\n", *line = "show - --stage scaled --temperature 0.7 --format csv";
	struct run plain = run_input(line, yaml);

	(void)state;
	assert_int_equal(plain.status, 0);
	assert_non_null(strstr(plain.out, ",12.5,"));		/* 8.75 / 0.7 */
	for (int k = 0; k < 3; k++) {
		setenv("LC_NUMERIC", locales[k], 1);
		struct run r = run_input(line, yaml);
		assert_int_equal(r.status, 0);
		assert_string_equal(r.out, plain.out);
		run_free(&r);
	}
	unsetenv("LC_NUMERIC");
	run_free(&plain);
}

static void check_reloaded(const char *csv, const double *want)
{
	const char *line = strchr(csv, '\n');

	for (int k = 0; k < 4; k++) {
		const char *from = k % 2 ? line : (line = strchr(line + 1, ',')) + 1;
		char *end;
		double got = strtod(from, &end);
		assert_memory_equal(&got, &want[k], sizeof got);
		line = k % 2 ? end : end + 1;
	}
}

static void c38_exports_reload_to_the_same_bits(void **state)
{
	static const double values[] = { 0.07234518263549871, 0.1, 1048575, 1e-300 };
	const char *yaml = "qkv: 1\nscores: [[0.07234518263549871, 0.1], [1048575, 1e-300]]\n";
	struct run r = run_input("show - --stage scores --format csv", yaml);
	struct play p;
	struct buffer saved = { 0 };
	struct scenario again;
	struct error e = { 0 };

	(void)state;
	assert_int_equal(r.status, 0);
	check_reloaded(r.out, values);
	run_free(&r);
	play_open(&p, yaml, NULL);
	scenario_write(&saved, state_scenario(&p.state), &p.state.now.options, &p.state.now.edits);
	assert_int_equal(scenario_parse(&again, saved.data, saved.size, "again.yaml", &e), OK_STATUS);
	assert_memory_equal(again.array[ARRAY_SCORES].head[0].v, values, sizeof values);
	scenario_free(&again);
	buffer_free(&saved);
	play_free(&p);
}

/* ---- colours ---- */

static const char *const depths[] = { "never", "8", "16", "256", "truecolor" };

/* Only colours that the depth has; those of NONE are the terminal's own. */
static void check_color(color c, int depth)
{
	bool rgb = c >> 24 == 2, palette = c >> 24 == 1;
	unsigned index = c & 255;

	assert_false(rgb && depth != 4);
	assert_false(palette && (depth == 0 || (depth == 1 && index > 7) || (depth == 2 && index > 15)));
	assert_false(palette && depth == 3 && index < 16);
}

static void check_depth(const struct play *p, int depth)
{
	for (int y = 0; y < p->cells.rows; y++)
		for (int x = 0; x < p->cells.columns; x++) {
			check_color(cells_at(&p->cells, y, x)->style.foreground, depth);
			check_color(cells_at(&p->cells, y, x)->style.background, depth);
		}
}

static void c15_colour_depths(void **state)
{
	(void)state;
	assert_int_equal(color_to_256(COLOR_RGB(255, 0, 0)), COLOR_PALETTE(196));
	assert_int_equal(color_to_256(COLOR_RGB(128, 128, 128)), COLOR_PALETTE(244));
	assert_int_equal(color_to_256(COLOR_RGB(0, 0, 255)), COLOR_PALETTE(21));
	for (int k = 0; k < 5; k++) {
		struct look look = { (enum depth)k, THEME_DARK, false };
		struct play p;
		char settings[40];
		snprintf(settings, sizeof settings, "color=%s", depths[k]);
		play_open(&p, "qkv: 1\nweights: [[0, 0.5, 1]]\n", settings);
		play_keys_flashing(&p, ":n 3<Enter>");
		check_depth(&p, k);
		play_free(&p);
		int low = color_heat(&look, MAP_SEQUENTIAL, 0).level, middle = color_heat(&look, MAP_SEQUENTIAL, 0.5).level;
		assert_true(low < middle && middle < color_heat(&look, MAP_SEQUENTIAL, 1).level);
	}
}

static void c16_few_colours(void **state)
{
	(void)state;
	for (int k = 0; k < 3; k++) {
		struct play p;
		char settings[40], masked[ROW_TEXT], zero[ROW_TEXT], high[ROW_TEXT];
		snprintf(settings, sizeof settings, "color=%s", depths[k]);
		play_open(&p, "qkv: 1\nscores: [[50, -.inf, 0], [50, 50, 50]]\nset: {pad: [2]}\n", settings);
		play_keys(&p, "j");
		check_depth(&p, k);
		play_cell_text(&p, 0, 2, NULL, masked);
		play_cell_text(&p, 0, 1, NULL, zero);
		play_cell_text(&p, 0, 0, NULL, high);
		assert_string_not_equal(masked, zero);
		assert_string_not_equal(zero, high);
		assert_string_equal(high, "1.000");
		play_free(&p);
	}
}

/* SGR 30..49, 90..107, 38, 48 anywhere in the sequences. */
static bool has_colors(const char *ansi)
{
	for (const char *s = ansi; (s = strstr(s, "\x1b["));) {
		s += 2;
		while (*s && *s != 'm') {
			char *end;
			long v = strtol(s, &end, 10);
			if ((v >= 30 && v <= 49) || (v >= 90 && v <= 107))
				return true;
			s = end + (*end == ';');
		}
	}
	return false;
}

static void c17_colour_off(void **state)
{
	struct play p;
	struct buffer b;

	(void)state;
	play_open(&p, "causal-3", "color=never");
	b = exported(&p, export_ansi);
	assert_false(has_colors(b.data));
	must_hold(&p, 0, 1, "\u259a 0");
	must_hold(&p, 1, 0, "0.269");
	buffer_free(&b);
	play_keys(&p, "m");			/* and back on, by a key */
	b = exported(&p, export_ansi);
	assert_true(has_colors(b.data));
	buffer_free(&b);
	play_free(&p);
}

static void check_light(const struct play *p)
{
	for (int y = 0; y < p->cells.rows; y++)
		for (int x = 0; x < p->cells.columns; x++) {
			const struct cell *cell = cells_at(&p->cells, y, x);
			bool grid = y >= p->layout.grid && y < p->layout.grid + p->layout.grid_rows && x >= p->layout.cells;
			color text, ground;
			play_colors(p, cell, &text, &ground);
			if (!grid && y != p->layout.sentence)
				assert_int_equal(cell->style.background, COLOR_DEFAULT);
			if (cell->width && cell->code[0] != ' ' && contrast_ratio(text, ground) < 4.5)
				fail_msg("contrast %.2f at row %d, column %d", contrast_ratio(text, ground), y, x);
		}
}

static void c18_light_terminals(void **state)
{
	static const struct { color ground; double black, white; } cases[] = {
		{ COLOR_RGB(253, 231, 37), 16.63, 1.26 }, { COLOR_RGB(68, 1, 84), 1.38, 15.24 }, { COLOR_RGB(33, 145, 140), 5.49, 3.82 },
	};
	struct play p;

	(void)state;
	for (int k = 0; k < 3; k++) {
		assert_true(fabs(color_contrast(cases[k].ground, COLOR_RGB(0, 0, 0)) - cases[k].black) < 0.006);
		assert_true(fabs(color_contrast(cases[k].ground, COLOR_RGB(255, 255, 255)) - cases[k].white) < 0.006);
	}
	play_open(&p, "saturation-16", "theme=light");
	check_light(&p);
	play_keys(&p, "1");
	check_light(&p);
	play_free(&p);
}

/* ---- numbers and their colours ---- */

static void check_constant(const char *yaml, size_t n, const char *weight, const char *legend)
{
	struct play p;

	play_open(&p, yaml, NULL);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			must_hold(&p, i, j, weight);
	play_keys(&p, "1 <Esc>");
	must_show(&p, legend);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			assert_int_equal(cell_at(&p, i, j)->style.background, cell_at(&p, 0, 0)->style.background);
	assert_int_not_equal(cell_at(&p, 0, 0)->style.background, COLOR_DEFAULT);
	play_free(&p);
}

static void c34_constant_matrices(void **state)
{
	(void)state;
	check_constant("qkv: 1\nscores: [[7, 7, 7, 7], [7, 7, 7, 7], [7, 7, 7, 7], [7, 7, 7, 7]]\n", 4, "0.250", "7.00          7.00");
	check_constant("qkv: 1\nscores: [[7]]\n", 1, "1.000", "7.00          7.00");
	check_constant("qkv: 1\nscores: [[0, 0], [0, 0]]\n", 2, "0.500", "0.00          0.00");
}

static void c35_one_nan(void **state)
{
	struct play with, without;

	(void)state;
	play_open(&with, "qkv: 1\nscores: [[.nan, 1], [2, 3]]\n", NULL);
	play_open(&without, "qkv: 1\nscores: [[1, 1], [2, 3]]\n", NULL);
	play_keys(&with, "1 <Esc>");
	play_keys(&without, "1 <Esc>");
	must_hold(&with, 0, 0, "nan");
	must_show(&with, "-3.00          3.00");
	must_show(&without, "-3.00          3.00");
	for (size_t k = 1; k < 4; k++)
		assert_int_equal(cell_at(&with, k / 2, k % 2)->style.background, cell_at(&without, k / 2, k % 2)->style.background);
	assert_int_equal(cell_at(&with, 0, 0)->style.background, COLOR_DEFAULT);
	play_free(&with);
	play_free(&without);
}

static void c36_infinities(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "qkv: 1\nscores: [[-.inf, 0], [1, .inf]]\n", NULL);
	must_hold(&p, 0, 0, "0");
	must_hold(&p, 0, 1, "1.000");
	must_show(&p, "n/a non-finite");
	play_keys(&p, "1 <Esc>");
	must_hold(&p, 0, 0, "-inf");
	must_hold(&p, 0, 1, "0");
	must_hold(&p, 1, 0, "1.000");
	must_hold(&p, 1, 1, "inf");
	must_show(&p, "-1.00          1.00");
	assert_int_not_equal(cell_at(&p, 0, 1)->style.background, cell_at(&p, 1, 0)->style.background);
	play_free(&p);
}

static void c37_sums_of_unrounded_values(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "qkv: 1\nscores: [[0, 0, 0]]\n", "precision=2");
	must_hold(&p, 0, 0, "0.33");
	must_show(&p, "1.00 ok");
	play_keys(&p, ". . . .");
	must_hold(&p, 0, 0, "0.333333");
	play_free(&p);
	play_open(&p, "qkv: 1\nweights: [[0.005, 0.005, 0.99]]\n", "precision=2");
	must_hold(&p, 0, 2, "0.99");
	must_show(&p, "1.00 ok");
	must_show(&p, "weight 0.005");		/* the cursor's cell in full */
	play_free(&p);
	play_open(&p, "qkv: 1\nscores: [[0, 0, 0, 0, 0, 0, 0]]\n", "precision=2");
	must_hold(&p, 0, 6, "0.14");
	must_show(&p, "1.00 ok");
	play_keys(&p, ". . . .");
	must_hold(&p, 0, 0, "0.142857");
	play_free(&p);
}

static void c41_huge_fills_are_short(void **state)
{
	static const struct { const char *fill; double value; const char *full; } cases[] = {
		{ "-3.4028235e38", -3.4028235e38, "-3.4028235e+38" }, { "-65504", -65504, "-65504" },
		{ "-1e9", -1e9, "-1000000000" }, { "-inf", -INFINITY, "-inf" },
	};

	(void)state;
	for (int k = 0; k < 4; k++) {
		struct play p, bare;
		char settings[60], text[ROW_TEXT];
		snprintf(settings, sizeof settings, "causal=on stage=masked fill=%s", cases[k].fill);
		play_open(&p, "random-4", settings);
		play_open(&bare, "random-4", "causal=on stage=masked");
		play_keys(&p, "l");
		for (size_t i = 0; i < 4; i++)
			for (size_t j = 0; j < 4; j++) {
				play_cell_text(&p, i, j, NULL, text);
				assert_int_equal(!strncmp(text, "\u259a", 3), j > i);
				assert_true(text_width(text, false) <= p.layout.cell_width - 1);
				/* Colours come from what is visible. */
				if (j <= i)
					assert_int_equal(cell_at(&p, i, j)->style.background, cell_at(&bare, i, j)->style.background);
			}
		play_cell_text(&p, 0, 2, NULL, text);
		double shown = strtod(text + strlen("\u259a"), NULL);
		assert_true(shown == cases[k].value || fabs(shown / cases[k].value - 1) < 0.15);
		must_show(&p, cases[k].full);
		play_free(&p);
		play_free(&bare);
	}
}

/* ---- the table ---- */

static const struct {
	const char *id, *kind;
	CMUnitTestFunction test;
} reports[] = {
	{ "C01", "wide-labels", c01_wide_labels_fill_their_column },
	{ "C02", "wide-labels", c02_widths_are_cells },
	{ "C03", "wide-labels", c03_ascii_is_complete },
	{ "C06", "rtl-labels", c06_right_to_left_labels },
	{ "C07", "control-characters", c07_escape_sequences_in_labels },
	{ "C08", "control-characters", c08_tabs_in_labels },
	{ "C12", "small-terminal", c12_narrower_and_wider },
	{ "C14", "no-tty", c14_output_to_a_pipe },
	{ "C15", "colour-depth", c15_colour_depths },
	{ "C16", "colour-depth", c16_few_colours },
	{ "C17", "colour-off", c17_colour_off },
	{ "C18", "light-theme", c18_light_terminals },
	{ "C20", "stdin-data", c20_data_on_stdin },
	{ "C22", "utf8-locale", c22_only_lc_ctype },
	{ "C28", "csv-newlines", c28_newlines_in_labels },
	{ "C32", "locale-parse", c32_comma_locales },
	{ "C34", "constant-matrix", c34_constant_matrices },
	{ "C35", "nan-cells", c35_one_nan },
	{ "C36", "nan-cells", c36_infinities },
	{ "C37", "display-digits", c37_sums_of_unrounded_values },
	{ "C38", "export-precision", c38_exports_reload_to_the_same_bits },
	{ "C40", "svg-escaping", c40_svg_labels },
	{ "C41", "sentinel-display", c41_huge_fills_are_short },
};
enum { REPORTS = sizeof reports / sizeof *reports };

/* Tested elsewhere: the reasons stand at the top. */
static const char *const left_out[] = {
	"C09", "C10", "C11", "C13", "C19", "C21", "C23", "C24", "C25", "C26", "C27", "C29", "C30", "C31", "C39",
};

static bool is_known(const char *id)
{
	for (size_t k = 0; k < REPORTS; k++)
		if (!strncmp(reports[k].id, id, 3))
			return true;
	for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++)
		if (!strncmp(left_out[k], id, 3))
			return true;
	return false;
}

/* The collection beside the tests has no report of this area that is neither. */
static void no_report_is_forgotten(void **state)
{
	const char *data = getenv("QKV_TEST_DATA");
	char path[1024];
	size_t found = 0;

	(void)state;
	snprintf(path, sizeof path, "%s/reports-c.json", data ? data : "tests/data");
	char *text = read_file(path, NULL);
	assert_non_null(text);
	for (const char *s = text; (s = strstr(s, "\"C")); s++) {
		if (strspn(s + 2, "0123456789") != 2 || s[4] != '"')
			continue;
		found++;
		if (!is_known(s + 1))
			fail_msg("%.3s is neither tested nor left out", s + 1);
	}
	free(text);
	assert_int_equal(found, REPORTS + sizeof left_out / sizeof *left_out);
}

int main(void)
{
	static char names[REPORTS][64];
	struct CMUnitTest tests[REPORTS + 1];

	for (size_t k = 0; k < REPORTS; k++) {
		snprintf(names[k], sizeof names[k], "%s %s", reports[k].id, reports[k].kind);
		tests[k] = (struct CMUnitTest){ names[k], reports[k].test, NULL, NULL, NULL };
	}
	tests[REPORTS] = (struct CMUnitTest)cmocka_unit_test(no_report_is_forgotten);
	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests_name("reports-c", tests, NULL, NULL);
}
