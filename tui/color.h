/* color.h - numbers as colours, at every depth a terminal may have. */
#ifndef TUI_COLOR_H
#define TUI_COLOR_H

#include <stdbool.h>

#include "tui/cells.h"

enum depth { DEPTH_NONE, DEPTH_8, DEPTH_16, DEPTH_256, DEPTH_TRUE };
enum theme { THEME_DARK, THEME_LIGHT };
enum color_map { MAP_SEQUENTIAL, MAP_DIVERGING };

struct look {
	enum depth depth;
	enum theme theme;
	bool ascii;	/* ASCII ramp instead of shade glyphs */
};

/* How one value in [0, 1] is drawn. Sequential: 0 is nearest to the theme's
 * background, 1 farthest, monotone in lightness. Diverging: 0.5 is neutral.
 * From DEPTH_256 the colour alone carries the value; below, `shade` also does
 * (a glyph of a ramp, one column). The foreground is black or white, whichever
 * contrasts more with the background, at least 4.5:1 in truecolor and 256. */
struct heat {
	struct style style;
	const char *shade;	/* "" from DEPTH_256 on */
	int level;		/* 0 .. color_levels()-1, not falling as the value rises */
};

struct heat color_heat(const struct look *look, enum color_map map, double value);
/* How many different steps that look has for a map. */
int color_levels(const struct look *look, enum color_map map);

/* Names for what is not heat. */
enum paint {
	PAINT_TEXT, PAINT_MUTED, PAINT_TITLE, PAINT_LABEL, PAINT_LIT, PAINT_OK, PAINT_WARN,
	PAINT_BAD, PAINT_HIDDEN, PAINT_NAN, PAINT_INFINITE, PAINT_RANGE, PAINT_CURSOR,
	PAINT_FLASH, PAINT_KEY, PAINT_COUNT
};
/* PAINT_TEXT is the terminal's own colours. Every paint differs from PAINT_TEXT
 * by an attribute where the depth is NONE, except MUTED and LABEL. */
struct style color_paint(const struct look *look, enum paint paint);

/* The nearest of the 256 palette (16..255 only) for an RGB colour. */
color color_to_256(color rgb);
/* The RGB that a palette index or an RGB colour stands for; COLOR_DEFAULT gives the theme's default
 * background or foreground. */
color color_to_rgb(color c, enum theme theme, bool background);
/* WCAG contrast ratio of two RGB colours, 1 .. 21. */
double color_contrast(color a, color b);

#endif
