/* play.c - plays keys at the screen without a terminal, and reads its picture. */
#include "tests/play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/scenario_yaml.h"
#include "core/utf8.h"
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
	all_keys(p, keys);
	while (state_work(&p->state))
		;
	state_end_flash(&p->state);
	draw(p);
}

/* ---- reading ---- */

void play_text(const struct play *p, int row, int from, int to, char out[ROW_TEXT])
{
	size_t n = 0;

	assert_in_range(row, 0, p->cells.rows - 1);
	for (int x = from < 0 ? 0 : from; x < to && x < p->cells.columns; x++) {
		const struct cell *cell = cells_at(&p->cells, row, x);
		for (int k = 0; k < cell->count; k++) {
			assert_true(n + 5 < ROW_TEXT);
			n += utf8_encode(cell->code[k], out + n);
		}
	}
	out[n] = '\0';
}

void play_row(const struct play *p, int row, char out[ROW_TEXT])
{
	play_text(p, row, 0, p->cells.columns, out);
	for (size_t n = strlen(out); n && out[n - 1] == ' ';)
		out[--n] = '\0';
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

static void check_cell(const struct cells *c, int row, int column)
{
	const struct cell *cell = cells_at(c, row, column);

	if (cell->width == 0) {
		assert_true(column > 0 && cell[-1].width == 2);
		assert_int_equal(cell->count, 0);
		return;
	}
	assert_in_range(cell->width, 1, 2);
	assert_in_range(cell->count, 1, CLUSTER_MAX);
	if (cell->width == 2)
		assert_true(column + 1 < c->columns && cell[1].width == 0);
	for (int k = 0; k < cell->count; k++) {
		uint32_t code = cell->code[k];
		assert_false(code < 0x20 || (code >= 0x7f && code < 0xa0));
		assert_false((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069));
	}
}

void play_check_whole(const struct play *p)
{
	const struct cells *c = &p->cells;

	assert_int_equal(c->rows, p->state.rows);
	assert_int_equal(c->columns, p->state.columns);
	for (int y = 0; y < c->rows; y++) {
		int width = 0;
		for (int x = 0; x < c->columns; x++) {
			check_cell(c, y, x);
			width += cells_at(c, y, x)->width;
		}
		assert_int_equal(width, c->columns);
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
