/* play.h - plays keys at the screen without a terminal, and reads its picture.
 *
 * Everything here stops the test when it fails.
 */
#ifndef TESTS_PLAY_H
#define TESTS_PLAY_H

#include "core/buffer.h"
#include "tui/layout.h"
#include "tui/view.h"

struct play {
	struct state state;
	struct cells cells;		/* the picture after the last key */
	struct layout layout;		/* and where things stand in it */
	struct random_tables tables;
	struct buffer *typed;		/* NULL; else the keys that are played are put there, too */
	size_t work_most;		/* pieces of background work after keys; 0: to its end */
};

/* Opens a built-in scenario by its name, or a scenario written as YAML (any
 * text with a newline in it). Settings as fixture.h takes them ("color=256
 * theme=light"), as on the command line; NULL for none. */
void play_open(struct play *p, const char *input, const char *settings);
void play_free(struct play *p);
void play_resize(struct play *p, int rows, int columns);

/* Keys as `qkv frame --keys` takes them, then the background work and the end of the flash. */
void play_keys(struct play *p, const char *keys);
/* The same, and what the last key changed still flashes; background work waits. */
void play_keys_flashing(struct play *p, const char *keys);

/* Part of a row of the picture as UTF-8, from column `from` up to `to`. */
enum { ROW_TEXT = 4096 };
void play_text(const struct play *p, int row, int from, int to, char out[ROW_TEXT]);
/* A whole row; blanks at its end are left out. */
void play_row(const struct play *p, int row, char out[ROW_TEXT]);
/* True when the text stands somewhere in the picture. */
bool play_shows(const struct play *p, const char *text);
/* Stops the test unless it does; unless it stands nowhere. */
void must_show(const struct play *p, const char *text);
void must_lack(const struct play *p, const char *text);

/* The picture has the screen's size, and nothing is wrong with it (cells_check.h). */
void play_check_whole(const struct play *p);

/* No cell holds anything beyond ASCII. */
void play_check_ascii(const struct play *p);

/* Resizes over a quarter of a lattice of sizes from 20 x 6 to 140 x 42; turns 0 to 3 make all of
 * it, and any other turn is one of them. Each picture is whole. */
void play_sizes(struct play *p, size_t turn);
/* Presses so many keys (QKV_FUZZ_KEYS: how many instead) drawn from n of them, now with more, now
 * with less background work before the next, and at changing sizes. Each picture is whole; reads
 * of what was freed are for a sanitizer to see. */
void play_any_keys(struct play *p, const char *const *keys, size_t n, size_t count);

/* What the eye sees in a cell: default colours of the theme, REVERSE swapped. */
void play_colors(const struct play *p, const struct cell *cell, color *foreground, color *background);
/* WCAG 2's relative luminance and contrast, computed here, not by color.c. */
double relative_luminance(color rgb);
double contrast_ratio(color a, color b);

#endif
