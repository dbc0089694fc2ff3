/* play.c - plays keys at the screen without a terminal, and reads its picture. */
#include "tests/play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/scenario_yaml.h"
#include "tests/cells_check.h"
#include "tests/fixture.h"
#include "tui/frame.h"
#include "tui/load.h"
#include "tui/text.h"

/* ---- opening ---- */

static void open_scenario(struct scenario *s, const char *input, const struct random_tables *t)
{
	struct error e = { 0 };
	enum status status = strchr(input, '\n') ? scenario_parse(s, input, strlen(input), "test.yaml", &e)
						 : load_scenario(s, input, t, &e);

	if (status)
		fail_msg("%.60s: %s:%u:%u: %s", input, e.file, e.line, e.column, e.text);
}

static void draw(struct play *p)
{
	layout_make(&p->layout, &p->state);
	view_draw(&p->state, &p->cells, NULL);
	play_check_whole(p);
}

void play_open(struct play *p, const char *input, const char *settings)
{
	struct scenario scenario;
	struct options options;
	struct error e = { 0 };

	memset(p, 0, sizeof *p);
	assert_int_equal(random_tables_init(&p->tables, &e), OK_STATUS);
	open_scenario(&scenario, input, &p->tables);
	assert_int_equal(options_copy(&options, &scenario.set, &e), OK_STATUS);
	options_from(&options, settings);
	if (state_init(&p->state, &p->tables, &frame_ports, &scenario, &options, &e))
		fail_msg("%.60s: %s %s", input, e.option, e.text);
	assert_int_equal(cells_init(&p->cells, p->state.rows, p->state.columns, &e), OK_STATUS);
	draw(p);
}

void play_free(struct play *p)
{
	state_free(&p->state);
	cells_free(&p->cells);
}

void play_resize(struct play *p, int rows, int columns)
{
	state_resize(&p->state, rows, columns);
	draw(p);
}

/* ---- keys ---- */

static bool is_typing(const struct play *p)
{
	return p->state.mode == MODE_PROMPT && p->state.prompt.kind != PROMPT_VALUE;
}

/* <Type:0.73> types the text; returns the bytes used, 0 when this is no such word. */
static size_t type_text(struct play *p, const char *keys)
{
	const char *end = strchr(keys, '>');

	if (strncmp(keys, "<Type:", 6) || !end)
		return 0;
	for (const char *at = keys + 6; at < end;) {
		int32_t code;
		struct key k = { .kind = KEY_CHARACTER };
		at += text_decode(at, (size_t)(end - at), &code);
		k.code = (uint32_t)code;
		state_key(&p->state, &k);
	}
	return (size_t)(end - keys) + 1;
}

static size_t one_key(struct play *p, const char *keys)
{
	struct key k = { .kind = KEY_CHARACTER, .code = ' ' };
	size_t used = type_text(p, keys);

	if (used)
		return used;
	if (*keys == ' ' && !is_typing(p))
		return 1;
	used = *keys == ' ' ? 1 : key_parse(keys, &k);
	if (!used)
		fail_msg("'%s' is not a key", keys);
	state_key(&p->state, &k);
	return used;
}

static void all_keys(struct play *p, const char *keys)
{
	if (p->typed)
		buffer_format(p->typed, "%s ", keys);
	while (*keys)
		keys += one_key(p, keys);
}

void play_keys_flashing(struct play *p, const char *keys)
{
	all_keys(p, keys);
	draw(p);
}

void play_keys(struct play *p, const char *keys)
{
	size_t pieces = 0;

	all_keys(p, keys);
	while (state_work(&p->state) && ++pieces != p->work_most)
		;
	state_end_flash(&p->state);
	draw(p);
}

/* ---- reading ---- */

void play_text(const struct play *p, int row, int from, int to, char out[ROW_TEXT])
{
	assert_in_range(row, 0, p->cells.rows - 1);
	assert_true(cells_text(&p->cells, row, from, to, out, ROW_TEXT) + 5 < ROW_TEXT);
}

void play_row(const struct play *p, int row, char out[ROW_TEXT])
{
	assert_in_range(row, 0, p->cells.rows - 1);
	assert_true(cells_row(&p->cells, row, out, ROW_TEXT) + 5 < ROW_TEXT);
}

bool play_shows(const struct play *p, const char *text)
{
	char line[ROW_TEXT];

	for (int y = 0; y < p->cells.rows; y++) {
		play_row(p, y, line);
		if (strstr(line, text))
			return true;
	}
	return false;
}

void must_show(const struct play *p, const char *text)
{
	char row[ROW_TEXT];

	if (play_shows(p, text))
		return;
	for (int y = 0; y < p->cells.rows; y++) {
		play_row(p, y, row);
		print_message("%s\n", row);
	}
	fail_msg("'%s' is not on the screen", text);
}

void must_lack(const struct play *p, const char *text)
{
	if (play_shows(p, text))
		fail_msg("'%s' is on the screen", text);
}

void play_check_whole(const struct play *p)
{
	const char *fault = cells_fault(&p->cells);

	assert_int_equal(p->cells.rows, p->state.rows);
	assert_int_equal(p->cells.columns, p->state.columns);
	if (fault)
		fail_msg("%d x %d: %s", p->state.columns, p->state.rows, fault);
}

void play_check_ascii(const struct play *p)
{
	for (int y = 0; y < p->cells.rows; y++)
		for (int x = 0; x < p->cells.columns; x++)
			assert_in_range(cells_at(&p->cells, y, x)->code[0], 0x20, 0x7e);
}

/* ---- many sizes, many keys ---- */

void play_sizes(struct play *p, size_t turn)
{
	for (int rows = 6 + 3 * (int)(turn % 2); rows <= 42; rows += 6)
		for (int columns = 20 + 7 * (int)(turn / 2 % 2); columns <= 140; columns += 14)
			play_resize(p, rows, columns);
}

void play_any_keys(struct play *p, const char *const *keys, size_t n, size_t count)
{
	const char *wanted = getenv("QKV_FUZZ_KEYS");
	struct dice dice = { 23 };

	if (wanted)
		count = strtoul(wanted, NULL, 10);
	for (size_t k = 0; k < count; k++) {
		play_keys_flashing(p, keys[dice_below(&dice, n)]);
		for (size_t work = dice_below(&dice, 40); work && state_work(&p->state);)
			work--;
		if (k % 7 == 0)
			play_resize(p, 6 + (int)dice_below(&dice, 30), 20 + (int)dice_below(&dice, 100));
	}
}

/* ---- colours ---- */

void play_colors(const struct play *p, const struct cell *cell, color *foreground, color *background)
{
	enum theme theme = state_look(&p->state).theme;
	color fg = color_to_rgb(cell->style.foreground, theme, false);
	color bg = color_to_rgb(cell->style.background, theme, true);
	bool reverse = cell->style.attributes & REVERSE;

	*foreground = reverse ? bg : fg;
	*background = reverse ? fg : bg;
}

static double linear(unsigned channel)
{
	double v = channel / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

double relative_luminance(color c)
{
	return 0.2126 * linear(c >> 16 & 255) + 0.7152 * linear(c >> 8 & 255) + 0.0722 * linear(c & 255);
}

double contrast_ratio(color a, color b)
{
	double x = relative_luminance(a) + 0.05, y = relative_luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}
