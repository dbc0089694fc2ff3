/* test_present.c - before an audience: the bar with the key, q twice, Ctrl-Z, the
 * spotlight; and that what a cell says can be read with few colours or none.
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
#include "tui/export.h"
#include "tui/present.h"

/* ---- the bar ---- */

/* All rows of the bar, blanks run together. */
static void bar_text(const struct play *p, char *out, size_t size)
{
	size_t n = 0;

	for (int y = p->layout.sentence; y < p->layout.sentence + p->layout.bar_rows; y++) {
		char line[ROW_TEXT];
		play_row(p, y, line);
		for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
			n += (size_t)snprintf(out + n, size - n, "%s%s", n ? " " : "", word);
	}
	assert_true(n < size);
}

static void assert_bar(const struct play *p, const char *want)
{
	char text[2000] = "";

	assert_true(p->layout.bar_rows > 0);
	bar_text(p, text, sizeof text);
	assert_string_equal(text, want);
}

static void tells_the_key_and_what_it_did(void **state)
{
	static const struct { const char *keys, *bar; } cases[] = {
		{ "c", "[c] causal mask off, every query sees the future too: 0 of 9 cells hidden" },
		{ "c c", "[c] causal mask on, no query sees the future: 3 of 9 cells hidden" },
		{ "\u314a", "[c] causal mask off, every query sees the future too: 0 of 9 cells hidden" },	/* ㅊ */
		{ ":causal off<Enter>", "[:causal off] causal off: 0 of 9 cells hidden" },
		{ "<Down> <Right>", "[Right] row 1 저는, column 1 저는: 0.731, visible; row sum 1.000 ok" },
		{ "l", "[l] row 0 <시작>, column 1 저는: 0, hidden by causal; row sum 1.000 ok" },
		{ "c u", "[u] undone: causal on" },
		{ "c u <C-r>", "[Ctrl-R] made again: causal off" },
		{ "M 3", "[M3] bookmarked; '3 goes back to it" },
		{ "M 3 c ' 3", "['3] bookmark 3" },
		{ "<lt>", "[<] temperature 0.8: scaled scores are divided by it, the weights get sharper" },
		{ "<F7>", "[F7] <F7> does nothing here; ? shows the keys" },
		{ "c o", "[o]" },
		{ "<Up>", "[Up] row 0 <시작>, column 0 <시작>: 1.000, visible; row sum 1.000 ok" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct play p;
		play_open(&p, "causal-3", "");
		play_keys(&p, ":present<Enter>");
		play_keys(&p, cases[k].keys);
		assert_bar(&p, cases[k].bar);
		play_free(&p);
	}
}

/* Where a question hides a number, moving onto it does not tell. */
static void does_not_tell_what_is_asked(void **state)
{
	struct play p;
	char text[2000] = "";

	(void)state;
	play_open(&p, "causal-3", "");
	play_keys(&p, ":present<Enter> T l h");
	bar_text(&p, text, sizeof text);
	assert_non_null(strstr(text, "[h] "));
	assert_null(strstr(text, "1.000"));
	play_free(&p);
}

static void is_loud_from_edge_to_edge(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", "");
	play_keys(&p, ":present<Enter> c");
	for (int y = p.layout.sentence; y < p.layout.sentence + p.layout.bar_rows; y++)
		for (int x = 0; x < p.cells.columns; x++) {
			unsigned attributes = cells_at(&p.cells, y, x)->style.attributes;
			assert_int_equal(attributes & (REVERSE | BOLD), REVERSE | BOLD);
		}
	assert_int_equal(p.layout.sentence + p.layout.bar_rows, p.cells.rows);
	play_free(&p);
}

/* ---- keys that mean something else ---- */

static unsigned press(struct play *p, const char *keys)
{
	unsigned effects = 0;
	struct key k;

	for (size_t used; *keys; keys += used) {
		assert_true((used = key_parse(keys, &k)) > 0);
		effects = state_key(&p->state, &k);
	}
	return effects;
}

static void leaves_at_the_second_press(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", "");
	assert_int_equal(press(&p, "q"), EFFECT_QUIT);
	play_keys(&p, ":present<Enter>");
	assert_int_equal(press(&p, "q"), 0);
	assert_non_null(strstr(p.state.sentence, "q again leaves"));
	assert_int_equal(press(&p, "q"), EFFECT_QUIT);
	/* Any other key in between, and it begins anew. */
	assert_int_equal(press(&p, "q"), 0);
	assert_int_equal(press(&p, "l"), 0);
	assert_int_equal(press(&p, "q"), 0);
	assert_int_equal(press(&p, "q"), EFFECT_QUIT);
	/* A q that closes is no first press. */
	assert_int_equal(press(&p, "?q"), 0);
	assert_int_equal(press(&p, "q"), 0);
	/* Who types it means it. */
	assert_int_equal(press(&p, ":q<Enter>"), EFFECT_QUIT);
	play_keys(&p, ":present off<Enter>");
	assert_int_equal(press(&p, "q"), EFFECT_QUIT);
	assert_int_equal(press(&p, "<C-c>"), EFFECT_INTERRUPT);
	play_free(&p);
}

static void ctrl_z_undoes(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", "");
	assert_int_equal(press(&p, "<C-z>"), EFFECT_SUSPEND);
	play_keys(&p, ":present<Enter> c");
	assert_false(p.state.now.options.causal);
	assert_int_equal(press(&p, "<C-z>"), 0);
	assert_true(p.state.now.options.causal);
	assert_string_equal(p.state.sentence, "<C-z>: undone: causal on");
	/* While a line is typed there is nothing to undo, and nothing stops. */
	assert_int_equal(press(&p, ":ca<C-z>"), 0);
	assert_int_equal(p.state.mode, MODE_PROMPT);
	play_free(&p);
}

static bool all_zero(const struct presenting *p)
{
	return !p->on && !p->spotlight;
}

static void is_switched_and_is_no_change(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", "");
	assert_true(all_zero(&p.state.present));
	play_keys(&p, ":present<Enter>");
	assert_true(p.state.present.on && p.state.present.spotlight);
	play_keys(&p, ":present<Enter>");
	assert_true(all_zero(&p.state.present));
	play_keys(&p, ":present on<Enter> :present on<Enter>");
	assert_true(p.state.present.on);
	play_keys(&p, ":present no<Enter>");
	assert_true(p.state.present.on && p.state.sentence_is_error);
	play_keys(&p, ":spotlight<Enter>");
	assert_true(p.state.present.on && !p.state.present.spotlight);
	assert_int_equal(p.state.undo.n, 0);
	play_keys(&p, ":present off<Enter>");
	assert_true(all_zero(&p.state.present));
	play_free(&p);
}

/* A walk, a panel and a lesson go on when the screen is switched. */
static void leaves_open_what_is_open(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", "");
	play_keys(&p, "<Space> :present<Enter>");
	assert_int_equal(p.state.panel.kind, PANEL_WALK);
	play_keys(&p, ":spotlight off<Enter> <Esc> v :present<Enter>");
	assert_int_equal(p.state.panel.kind, PANEL_VERIFY);
	assert_true(play_shows(&p, "upper-triangle"));
	play_keys(&p, "<Esc> :lesson five-steps<Enter> :present<Enter>");
	assert_non_null(p.state.lesson);
	assert_true(play_shows(&p, "page 1 of"));
	play_free(&p);
}

/* ---- cells ---- */

/* As large as there is room for, and all of them there. */
static void cells_are_large(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", "");
	play_keys(&p, ":present<Enter>");
	assert_int_equal(p.layout.cell_height, 5);
	assert_in_range(p.layout.cell_width, 10, 30);
	play_resize(&p, 60, 200);
	assert_int_equal(p.layout.cell_height, 9);
	assert_true(p.layout.visible_columns >= 3);
	play_resize(&p, 12, 40);
	assert_int_equal(p.layout.cell_height, 2);
	assert_true(p.layout.visible_rows >= 3);
	play_resize(&p, 24, 80);
	/* A walk or the lamps leave what they can; no rows stay empty that could be cells. */
	play_keys(&p, "<Space> <Space>");
	assert_int_equal(p.layout.cell_height, 3);
	play_keys(&p, "<Esc> v");
	assert_int_equal(p.layout.cell_height, 2);
	assert_true(p.layout.grid_rows - 3 * p.layout.cell_height < 3);
	play_free(&p);
	play_open(&p, "saturation-16", "");
	play_keys(&p, ":present<Enter>");
	assert_int_equal(p.layout.visible_rows, 16);
	assert_true(p.layout.sums > 0);
	play_free(&p);
}

static unsigned attributes_at(const struct play *p, size_t i, size_t j)
{
	const struct layout *l = &p->layout;

	return cells_at(&p->cells, l->grid + (int)i * l->cell_height, l->cells + (int)j * l->cell_width + 3)->style.attributes;
}

/* Row 2 sees all keys with or without the mask. */
static void changed_cells_flash(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", "");
	play_keys(&p, ":present<Enter>");
	play_keys_flashing(&p, "c");
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 3; j++)
			assert_int_equal(!!(attributes_at(&p, i, j) & REVERSE), i < 2);
	play_keys_flashing(&p, "l");
	assert_int_equal(attributes_at(&p, 0, 0) & REVERSE, 0);
	play_free(&p);
}

/* Every size is drawn whole; the grid and the sums stay. */
static void every_size_is_drawn(void **state)
{
	static const char *const keys[] = { "", "v", ":lesson five-steps<Enter>", "?", "o", ":ca", "w", "a c d", "z" };

	(void)state;
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		struct play p;
		play_open(&p, "left-pad-4", "");
		play_keys(&p, ":present<Enter>");
		play_keys(&p, keys[k]);
		for (int rows = 1; rows < 40; rows += rows < 26 ? 1 : 6)
			for (int columns = 1; columns < 130; columns += columns < 30 ? 4 : 17) {
				play_resize(&p, rows, columns);
				assert_true(p.layout.small || (p.layout.grid_rows >= 1 && p.layout.sums > 0));
			}
		play_free(&p);
	}
}

/* ---- the spotlight ---- */

static bool is_rule(const struct cell *cell)
{
	return cell->code[0] == 0x2502 || cell->code[0] == '|';
}

/* Whether the cell (i, j) of the grid has a rule at an edge, or an underline below. */
static bool stands_out(const struct play *p, size_t i, size_t j)
{
	const struct layout *l = &p->layout;
	int y = l->grid + (int)i * l->cell_height, x = l->cells + (int)j * l->cell_width, last = y + l->cell_height - 1;
	bool underlined = true;

	for (int k = 0; k < l->cell_width; k++)
		underlined &= (cells_at(&p->cells, last, x + k)->style.attributes & UNDERLINE) || is_rule(cells_at(&p->cells, last, x + k));
	return underlined || is_rule(cells_at(&p->cells, y, x)) || is_rule(cells_at(&p->cells, y, x + l->cell_width - 1));
}

/* The number as it is drawn, without brackets and rules. */
static void number_of(const struct play *p, size_t i, size_t j, char out[ROW_TEXT])
{
	const struct layout *l = &p->layout;
	char text[ROW_TEXT];
	size_t n = 0;
	int x = l->cells + (int)j * l->cell_width;

	play_text(p, l->grid + (int)i * l->cell_height + l->cell_height / 2, x + 1, x + l->cell_width, text);
	for (const char *at = text; *at; at++)
		if (!strchr("[]| ", *at) && strncmp(at, "\u2502", 3))
			out[n++] = *at;
		else if (!strncmp(at, "\u2502", 3))
			at += 2;
	out[n] = '\0';
}

static void check_spotlight(const char *settings, int rows, int columns, size_t column)
{
	struct play dark, lit;

	play_open(&dark, "left-pad-4", settings);
	play_open(&lit, "left-pad-4", settings);
	play_resize(&dark, rows, columns);
	play_resize(&lit, rows, columns);
	play_keys(&dark, column == 1 ? "jjl" : "jjll");
	play_keys(&lit, column == 1 ? "jjl" : "jjll");
	play_keys(&lit, ":spotlight<Enter>");
	for (size_t i = 0; i < lit.layout.visible_rows && i < 4; i++)
		for (size_t j = 0; j < lit.layout.visible_columns && j < 4; j++) {
			char a[ROW_TEXT], b[ROW_TEXT];
			if (stands_out(&lit, i, j) != (i == 2 || j == column))
				fail_msg("%s %dx%d: cell %zu:%zu", settings, columns, rows, i, j);
			number_of(&dark, i, j, a);
			number_of(&lit, i, j, b);
			assert_string_equal(a, b);
		}
	play_free(&dark);
	play_free(&lit);
}

/* In large cells the row is framed as the column is, hidden cells included. */
static void the_row_has_rules_too(void **state)
{
	static const char *const settings[] = { "", "color=16", "color=never", "color=never ascii=on" };

	(void)state;
	for (size_t k = 0; k < 2 * sizeof settings / sizeof *settings; k++) {
		struct play p;
		play_open(&p, "causal-3", settings[k / 2]);
		play_keys(&p, k & 1 ? ":present<Enter> j l" : ":present<Enter>");
		const struct layout *l = &p.layout;
		int y = l->grid + (k & 1 ? l->cell_height : 0), end = l->cells + 3 * l->cell_width;
		for (int x = l->cells; x < end; x++)
			for (int edge = 0; edge < 2; edge++) {
				uint32_t code = cells_at(&p.cells, edge ? y + l->cell_height - 1 : y, x)->code[0];
				assert_true(code == 0x2500 || code == 0x2502 || code == '-' || code == '|');
			}
		play_free(&p);
	}
}

/* No cell that has just changed looks dark, as hidden ones do: not one that was light either. */
static void changed_cells_flash_alike(void **state)
{
	static const char *const settings[] = { "", "color=256", "color=never" };

	(void)state;
	for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
		struct play p;
		size_t seen = 0;
		play_open(&p, "random-4", settings[k]);
		play_keys_flashing(&p, "c");
		for (size_t i = 0; i < p.state.flash.rows; i++)
			for (size_t j = 0; j < p.state.flash.columns; j++) {
				color ink, ground;
				if (!p.state.flash.changed[i * p.state.flash.columns + j])
					continue;
				play_colors(&p, cells_at(&p.cells, p.layout.grid + (int)i, p.layout.cells + (int)j * p.layout.cell_width + 1), &ink, &ground);
				assert_true(relative_luminance(ground) > 0.5 && relative_luminance(ink) < 0.1);
				seen++;
			}
		assert_true(seen > 5);
		play_free(&p);
	}
}

/* The margin of a picture has the black of the screen in it. */
static void a_picture_is_black_to_its_edge(void **state)
{
	static const char *const wanted[] = { "fill=\"#111111\"/>", "fill=\"#000000\"/>" };

	(void)state;
	for (int on = 0; on < 2; on++) {
		struct play p;
		struct buffer svg = { 0 };
		const struct export_options o = { THEME_DARK, "t" };
		play_open(&p, "causal-3", "");
		play_keys(&p, on ? ":present<Enter>" : "");
		export_svg(&p.cells, &o, &svg);
		const char *first = strstr(svg.data, "<rect ");
		assert_non_null(first);
		assert_ptr_equal(strstr(first, "fill="), strstr(first, wanted[on]));
		buffer_free(&svg);
		play_free(&p);
	}
}

/* At every depth, with wide and narrow cells. A score that is -inf is underlined by its look. */
static void row_and_column_stand_out(void **state)
{
	static const char *const settings[] = { "", "color=256 theme=light", "color=16", "color=8 theme=light", "color=never", "color=never ascii=on" };

	(void)state;
	for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
		for (size_t column = 1; column < 3; column++) {		/* hidden cells; numbers with a shade */
			check_spotlight(settings[k], 24, 80, column);
			check_spotlight(settings[k], 40, 120, column);
			check_spotlight(settings[k], 14, 58, column);
		}
	}
}

/* The colour of a number is that of the legend, lit or not. */
static void colours_do_not_change(void **state)
{
	struct play dark, lit;

	(void)state;
	play_open(&dark, "random-4", "");
	play_open(&lit, "random-4", "");
	play_keys(&dark, "jl");
	play_keys(&lit, "jl :spotlight<Enter>");
	for (int y = lit.layout.grid; y < lit.layout.grid + 4; y++)
		for (int x = lit.layout.cells; x < lit.layout.sums; x++) {
			assert_int_equal(cells_at(&lit.cells, y, x)->style.background, cells_at(&dark.cells, y, x)->style.background);
			assert_int_equal(cells_at(&lit.cells, y, x)->style.foreground, cells_at(&dark.cells, y, x)->style.foreground);
		}
	play_free(&dark);
	play_free(&lit);
}

static void labels_are_reversed(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "random-4", "color=never");
	play_keys(&p, "jjl :spotlight<Enter>");
	for (size_t i = 0; i < 4; i++) {
		const struct style *row = &cells_at(&p.cells, p.layout.grid + (int)i, 2)->style;
		const struct style *column = &cells_at(&p.cells, p.layout.labels, p.layout.cells + 1 + (int)i * p.layout.cell_width)->style;
		assert_int_equal(!!(row->attributes & REVERSE), i == 2);
		assert_int_equal(!!(column->attributes & REVERSE), i == 1);
	}
	play_free(&p);
}

/* ---- few colours, or none ---- */

/* A number, exactly 0, nearly 0, hidden, nan, inf and -inf, out of range; one edited. */
#define ALL_LOOKS \
	"qkv: 1\n" \
	"title: All looks\n" \
	"weights: [[0.5, 0, 0.00001], [.nan, .inf, -.inf], [1.5, 0.25, 0.125]]\n" \
	"v: [[1], [2], [3]]\n"
#define HIDDEN_LOOK \
	"qkv: 1\n" \
	"title: Hidden beside zero\n" \
	"scores: [[1, -.inf, 2], [2, 1, 0], [0, 1, 2]]\n" \
	"set: {causal: on}\n"

static void assert_look(const struct play *p, size_t i, size_t j, const char *want)
{
	char text[ROW_TEXT];

	number_of(p, i, j, text);
	if (strcmp(text, want))
		fail_msg("cell %zu:%zu says '%s', expected '%s'", i, j, text, want);
}

/* By text alone, in every theme, at every depth, also with the spotlight on them. */
static void check_looks(const char *settings, const char *keys, bool ascii)
{
	struct play p;

	play_open(&p, ALL_LOOKS, settings);
	play_keys(&p, keys);
	assert_look(&p, 0, 0, "0.500");
	assert_look(&p, 0, 1, "0");
	assert_look(&p, 0, 2, "~0");
	assert_look(&p, 1, 0, "nan");
	assert_look(&p, 1, 1, "inf");
	assert_look(&p, 1, 2, "-inf");
	assert_look(&p, 2, 0, "!1.50");
	play_free(&p);
	play_open(&p, HIDDEN_LOOK, settings);
	play_keys(&p, keys);
	assert_look(&p, 0, 1, ascii ? "#0" : "\u259a0");
	assert_look(&p, 1, 2, ascii ? "#0" : "\u259a0");
	play_free(&p);
}

static void looks_differ_without_colour(void **state)
{
	static const char *const depths[] = { "color=16", "color=8", "color=never", "color=256", "color=truecolor" };
	static const char *const keys[] = { "", ":spotlight<Enter>", ":spotlight<Enter> j", ":present<Enter>" };

	(void)state;
	for (int bits = 0; bits < 4; bits++)
		for (size_t d = 0; d < sizeof depths / sizeof *depths; d++)
			for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
				char settings[80];
				snprintf(settings, sizeof settings, "%s theme=%s ascii=%s", depths[d], bits & 1 ? "light" : "dark", bits & 2 ? "on" : "off");
				check_looks(settings, keys[k], bits & 2);
			}
}

/* Screens with everything on them that is drawn. */
static const char *const screens[] = {
	"", "c", "1", "3", "0", "5", "v", "b", "I", "J", "w <Space>", "i", "<Space> <Space> <Space>", "T", "a c d", "a c d d", "?", "o",
	":clinic mask-timing<Enter>", ":pad 9<Enter>", ":lesson five-steps<Enter>", ":ca",
};

static void check_legible(const struct play *p, const char *what, double least)
{
	for (int y = 0; y < p->cells.rows; y++)
		for (int x = 0; x < p->cells.columns; x++) {
			const struct cell *cell = cells_at(&p->cells, y, x);
			color fg, bg;
			play_colors(p, cell, &fg, &bg);
			if (cell->code[0] != ' ' && cell->count && contrast_ratio(fg, bg) < least)
				fail_msg("%s: row %d, column %d: U+%04x: %06x on %06x: %.2f", what, y, x, (unsigned)cell->code[0],
					 (unsigned)fg & 0xffffff, (unsigned)bg & 0xffffff, contrast_ratio(fg, bg));
		}
}

/* With xterm's palette at 16 and 8. Below 256 colours one of the two colours of each
 * cell is the terminal's own: what stands beside it is then the user's choice of ground. */
static void everything_can_be_read(void **state)
{
	static const char *const depths[] = { "truecolor", "256", "16", "8", "never" };

	(void)state;
	for (int d = 0; d < 5; d++)
		for (int light = 0; light < 2; light++)
			for (size_t k = 0; k < sizeof screens / sizeof *screens; k++) {
				struct play p;
				char settings[80], what[200];
				if (*screens[k] == 'w' && d != 2)	/* the experiment takes its time */
					continue;
				snprintf(settings, sizeof settings, "color=%s theme=%s", depths[d], light ? "light" : "dark");
				snprintf(what, sizeof what, "%s %s", settings, screens[k]);
				play_open(&p, "causal-3", settings);
				play_keys(&p, screens[k]);
				check_legible(&p, what, 4.5);
				for (long n = 0; d > 1 && n < (long)p.cells.rows * p.cells.columns; n++)
					assert_true(p.cells.cell[n].style.background == COLOR_DEFAULT);
				play_free(&p);
			}
}

/* Before an audience nothing is dim, and what is not a colour of a number has 7 to 1. */
static void an_audience_gets_more(void **state)
{
	static const char *const depths[] = { "truecolor", "256", "16", "never" };

	(void)state;
	for (int d = 0; d < 8; d++)
		for (size_t k = 0; k < sizeof screens / sizeof *screens; k++) {
			struct play p;
			char settings[80];
			if (*screens[k] == 'w' && d != 1)
				continue;
			snprintf(settings, sizeof settings, "color=%s theme=%s", depths[d / 2], d & 1 ? "light" : "dark");
			play_open(&p, "causal-3", settings);
			play_keys(&p, ":present<Enter>");
			play_keys(&p, screens[k]);
			check_legible(&p, settings, 4.5);
			for (long n = 0; n < (long)p.cells.rows * p.cells.columns; n++)
				assert_false(p.cells.cell[n].style.attributes & DIM);
			play_free(&p);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_the_key_and_what_it_did),
		cmocka_unit_test(does_not_tell_what_is_asked),
		cmocka_unit_test(is_loud_from_edge_to_edge),
		cmocka_unit_test(leaves_at_the_second_press),
		cmocka_unit_test(ctrl_z_undoes),
		cmocka_unit_test(is_switched_and_is_no_change),
		cmocka_unit_test(leaves_open_what_is_open),
		cmocka_unit_test(cells_are_large),
		cmocka_unit_test(changed_cells_flash),
		cmocka_unit_test(every_size_is_drawn),
		cmocka_unit_test(the_row_has_rules_too), cmocka_unit_test(changed_cells_flash_alike),
		cmocka_unit_test(a_picture_is_black_to_its_edge), cmocka_unit_test(row_and_column_stand_out),
		cmocka_unit_test(colours_do_not_change),
		cmocka_unit_test(labels_are_reversed),
		cmocka_unit_test(looks_differ_without_colour),
		cmocka_unit_test(everything_can_be_read),
		cmocka_unit_test(an_audience_gets_more),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests_name("present", tests, NULL, NULL);
}
