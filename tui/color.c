/* color.c - numbers as colours, at every depth a terminal may have. */
#include "tui/color.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Colour maps, 24-bit, at even distances; between them colours are
 * interpolated. They were drawn as curves in OKLab and cut into steps of equal
 * length (sequential: 0.025 each), lightness always rising (0.27 to 0.93) while
 * the hue goes from violet over blue and teal to yellow. The diverging maps
 * leave a neutral grey along two hues that colour-blind eyes keep apart,
 * lightness the same on both sides (dark 0.30 to 0.84, light 0.94 to 0.42). */
enum { NODES = 33 };

static const uint32_t sequential_nodes[NODES] = {
	0x2b125a, 0x2c1b63, 0x2d236b, 0x2e2b74, 0x2e337c, 0x2d3b83, 0x2b448a,
	0x284d8f, 0x245594, 0x1e5e97, 0x196699, 0x146f9a, 0x10779b, 0x0e7f9c,
	0x0f879c, 0x108f9c, 0x12979c, 0x159f9b, 0x1aa79a, 0x23ae96, 0x2eb594,
	0x3cbc8f, 0x4cc38a, 0x5cc985, 0x6ece7f, 0x7fd379, 0x91d873, 0xa2dd6d,
	0xb4e167, 0xc5e562, 0xd6e85d, 0xe7eb58, 0xf7ee53,
};

static const uint32_t diverging_nodes[2][NODES] = {
	[THEME_DARK] = {
		0xa3cffd, 0x8ec5fd, 0x79bafd, 0x6cb0f4, 0x67a5e3, 0x629ad3, 0x5e90c2,
		0x5985b2, 0x557ba2, 0x507193, 0x4b6783, 0x465d74, 0x425365, 0x3d4957,
		0x384049, 0x33373b, 0x2e2e2e, 0x3a3531, 0x473d35, 0x534539, 0x604d3c,
		0x6e553f, 0x7b5d42, 0x896545, 0x976d48, 0xa6764b, 0xb47e4d, 0xc3874f,
		0xd28f52, 0xe19854, 0xf0a156, 0xfdab5e, 0xfebb7f,
	},
	[THEME_LIGHT] = {
		0x06489c, 0x1b53a2, 0x2a5da8, 0x3868ad, 0x4672b2, 0x537cb8, 0x6186bd,
		0x6e90c2, 0x7c9ac7, 0x89a4cc, 0x97aed0, 0xa4b8d5, 0xb2c2da, 0xc0ccde,
		0xced7e2, 0xdde1e7, 0xebebeb, 0xe6dfdb, 0xe1d3cb, 0xdbc7bb, 0xd6bbac,
		0xd0af9c, 0xcba38d, 0xc5977e, 0xbf8b6e, 0xb87f5f, 0xb27350, 0xab6840,
		0xa55c2f, 0x9e4f1b, 0x944507, 0x873e06, 0x7a3705,
	},
};

/* The same maps in the fixed palette: entries near the curve, each used once,
 * in order of lightness. */
static const uint8_t sequential_256[] = {
	18, 19, 24, 25, 31, 36, 72, 78, 149, 185, 191, 227,
};
enum { SEQUENTIAL_256 = sizeof sequential_256, DIVERGING_256 = 15 };

static const uint8_t diverging_256[2][DIVERGING_256] = {
	[THEME_DARK] = {
		117, 111, 74, 68, 31, 60, 24, 237, 58, 94, 130, 137, 173, 179, 216,
	},
	[THEME_LIGHT] = {
		20, 25, 31, 103, 74, 146, 153, 254, 216, 180, 173, 137, 130, 94, 88,
	},
};

/* Below 256 colours the glyph carries the value: ink in rising amounts. The
 * diverging ramps have an odd number of steps, so that one is the middle. */
static const char *const ramp_utf8[] = { " ", "\u2591", "\u2592", "\u2593", "\u2588" };
/* Nothing that reads as a part of the number beside it (a sign, a point), or as
 * one of the marks of a cell. */
static const char *const ramp_ascii[] = { " ", "`", ":", ";", "/", "c", "{", "&", "@" };
enum { RAMP_UTF8 = 5, RAMP_ASCII = 9, TRUE_LEVELS = 256, TRUE_ODD = 255 };

/* Base colours of low, middle and high values that can be read as text on the
 * theme's background; -1 is the terminal's own. Sequential ones must not turn
 * the order of the glyphs round: on dark they are ever lighter, on light the
 * same or darker. */
static const int8_t ramp_hue[2][2][3] = {
	[THEME_DARK] = { [MAP_SEQUENTIAL] = { 6, 2, 3 }, [MAP_DIVERGING] = { 6, -1, 3 } },
	[THEME_LIGHT] = { [MAP_SEQUENTIAL] = { 4, 4, -1 }, [MAP_DIVERGING] = { 4, -1, 1 } },
};

static unsigned red(color c)
{
	return c >> 16 & 255;
}

static unsigned green(color c)
{
	return c >> 8 & 255;
}

static unsigned blue(color c)
{
	return c & 255;
}

static bool is_rgb(color c)
{
	return c >> 24 == 2;
}

static bool is_palette(color c)
{
	return c >> 24 == 1;
}

int color_levels(const struct look *look, enum color_map map)
{
	bool diverging = map == MAP_DIVERGING;

	switch (look->depth) {
	case DEPTH_TRUE:
		return diverging ? TRUE_ODD : TRUE_LEVELS;
	case DEPTH_256:
		return diverging ? DIVERGING_256 : SEQUENTIAL_256;
	default:
		return look->ascii ? RAMP_ASCII : RAMP_UTF8;
	}
}

static int level_of(double value, int levels)
{
	if (!(value > 0))	/* NaN too */
		return 0;
	return value >= 1 ? levels - 1 : (int)(value * levels);
}

static unsigned between(unsigned a, unsigned b, int part, int whole)
{
	return (a * (unsigned)(whole - part) + b * (unsigned)part + (unsigned)whole / 2) /
	       (unsigned)whole;
}

static color interpolate(const uint32_t nodes[NODES], int level, int levels)
{
	int whole = levels - 1, place = level * (NODES - 1);
	int node = place / whole, part = place % whole;
	uint32_t a = nodes[node], b = nodes[node + (part > 0)];

	return COLOR_RGB(between(red(a), red(b), part, whole),
			 between(green(a), green(b), part, whole),
			 between(blue(a), blue(b), part, whole));
}

static color heat_rgb(enum theme theme, enum color_map map, int level)
{
	if (map == MAP_DIVERGING)
		return interpolate(diverging_nodes[theme], level, TRUE_ODD);
	if (theme == THEME_LIGHT)
		level = TRUE_LEVELS - 1 - level;
	return interpolate(sequential_nodes, level, TRUE_LEVELS);
}

static color heat_256(enum theme theme, enum color_map map, int level)
{
	if (map == MAP_DIVERGING)
		return COLOR_PALETTE(diverging_256[theme][level]);
	if (theme == THEME_LIGHT)
		level = SEQUENTIAL_256 - 1 - level;
	return COLOR_PALETTE(sequential_256[level]);
}

/* WCAG 2's relative luminance: https://www.w3.org/TR/WCAG21/#dfn-relative-luminance */
static double linear(unsigned channel)
{
	double v = channel / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double luminance(color c)
{
	c = color_to_rgb(c, THEME_DARK, false);
	return 0.2126 * linear(red(c)) + 0.7152 * linear(green(c)) + 0.0722 * linear(blue(c));
}

double color_contrast(color a, color b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

/* Black and white contrast equally, 4.58:1, with a luminance of sqrt(1.05 * 0.05) - 0.05. */
static bool wants_black(color rgb)
{
	return luminance(rgb) > 0.17912878;
}

static struct heat heat_of_background(color background, color black, color white)
{
	struct heat h = { .shade = "" };

	h.style.background = background;
	h.style.foreground = wants_black(background) ? black : white;
	return h;
}

static struct heat heat_of_glyph(const struct look *look, enum color_map map, int level,
				 int levels)
{
	struct heat h = { .shade = look->ascii ? ramp_ascii[level] : ramp_utf8[level] };
	int hue = -1;

	if (map == MAP_DIVERGING)
		hue = ramp_hue[look->theme][map][2 * level == levels - 1 ? 1 :
						 2 * level < levels - 1 ? 0 : 2];
	else
		hue = ramp_hue[look->theme][map][level < levels / 2 + 1 ? 0 :
						 level < levels - 1 ? 1 : 2];
	if (look->depth != DEPTH_NONE && hue >= 0)
		h.style.foreground = COLOR_PALETTE(hue);
	if (level == levels - 1)
		h.style.attributes = BOLD;
	return h;
}

struct heat color_heat(const struct look *look, enum color_map map, double value)
{
	int levels = color_levels(look, map), level = level_of(value, levels);
	struct heat h;

	if (look->depth == DEPTH_TRUE)
		h = heat_of_background(heat_rgb(look->theme, map, level), COLOR_RGB(0, 0, 0),
				       COLOR_RGB(255, 255, 255));
	else if (look->depth == DEPTH_256)
		h = heat_of_background(heat_256(look->theme, map, level), COLOR_PALETTE(16),
				       COLOR_PALETTE(231));
	else
		h = heat_of_glyph(look, map, level, levels);
	h.level = level;
	return h;
}

/* Attributes tell the paints apart without colour, hues help where there are
 * some. Every hue reaches 4.5:1 against the theme's background, as text or, with
 * REVERSE, as a block; of the base colours only those are used that do so in
 * xterm's palette, which is why OK and WARN have none on light. Where a grey
 * says "less", DIM would say it twice and is left out. */
struct paint_row {
	unsigned attributes;
	uint32_t rgb[2];	/* by theme; 0: the terminal's own */
	int8_t base[2];		/* by theme; -1: the terminal's own */
};

static const struct paint_row paints[PAINT_COUNT] = {
	[PAINT_TEXT] = { 0, { 0, 0 }, { -1, -1 } },
	[PAINT_MUTED] = { DIM, { 0x9a9a9a, 0x5c5c5c }, { -1, -1 } },
	[PAINT_TITLE] = { BOLD, { 0, 0 }, { -1, -1 } },
	[PAINT_LABEL] = { 0, { 0x9cc8ff, 0x0b4f9e }, { 6, 4 } },
	[PAINT_LIT] = { BOLD | UNDERLINE, { 0x5fd7d7, 0x00605c }, { 6, 4 } },
	[PAINT_OK] = { BOLD, { 0x6fd89a, 0x00662e }, { 2, -1 } },
	[PAINT_WARN] = { UNDERLINE, { 0xffb454, 0x8a4b00 }, { 3, -1 } },
	[PAINT_BAD] = { BOLD | REVERSE, { 0xff8a80, 0xb0001c }, { -1, 1 } },
	[PAINT_HIDDEN] = { DIM, { 0x8c8c8c, 0x666666 }, { -1, -1 } },
	[PAINT_NAN] = { BOLD | REVERSE, { 0xff8fc8, 0xa0006a }, { -1, 1 } },
	[PAINT_INFINITE] = { BOLD | UNDERLINE, { 0xe0b0ff, 0x7a1fa2 }, { -1, -1 } },
	[PAINT_RANGE] = { UNDERLINE, { 0xffd75f, 0x705800 }, { 3, -1 } },
	[PAINT_CURSOR] = { REVERSE, { 0, 0 }, { -1, -1 } },
	[PAINT_FLASH] = { REVERSE | UNDERLINE, { 0x7fe3ff, 0x005f87 }, { -1, -1 } },
	[PAINT_KEY] = { BOLD, { 0xffd7a0, 0x7a3e00 }, { 3, -1 } },
};

struct style color_paint(const struct look *look, enum paint paint)
{
	const struct paint_row *p = &paints[paint];
	struct style s = { .attributes = p->attributes };
	uint32_t rgb = p->rgb[look->theme];
	int base = p->base[look->theme];

	if (look->depth >= DEPTH_256 && rgb) {
		s.foreground = COLOR_RGB(red(rgb), green(rgb), blue(rgb));
		if (look->depth == DEPTH_256)
			s.foreground = color_to_256(s.foreground);
		s.attributes &= ~(unsigned)DIM;
	} else if ((look->depth == DEPTH_8 || look->depth == DEPTH_16) && base >= 0) {
		s.foreground = COLOR_PALETTE(base);
	}
	return s;
}

static const uint8_t cube[6] = { 0, 95, 135, 175, 215, 255 };

static color palette_rgb(unsigned n)
{
	/* xterm's own; a terminal's theme may have others */
	static const uint32_t base[16] = {
		0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
		0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	};

	if (n < 16)
		return COLOR_RGB(red(base[n]), green(base[n]), blue(base[n]));
	if (n >= 232) {
		unsigned grey = 8 + 10 * (n - 232);
		return COLOR_RGB(grey, grey, grey);
	}
	n -= 16;
	return COLOR_RGB(cube[n / 36], cube[n / 6 % 6], cube[n % 6]);
}

static long square_of_difference(unsigned a, unsigned b)
{
	long d = (long)a - (long)b;

	return d * d;
}

/* The level of the colour cube that is nearest, the darker of two. */
static unsigned nearest_level(unsigned x)
{
	unsigned best = 0;

	for (unsigned n = 1; n < 6; n++)
		if (square_of_difference(cube[n], x) < square_of_difference(cube[best], x))
			best = n;
	return best;
}

static long distance(color a, color b)
{
	return square_of_difference(red(a), red(b)) + square_of_difference(green(a), green(b)) +
	       square_of_difference(blue(a), blue(b));
}

/* Of the 216 colours of the cube each channel finds its own level; then come the greys. */
color color_to_256(color rgb)
{
	unsigned best;
	long least;

	if (!is_rgb(rgb))
		return rgb;
	best = 16 + 36 * nearest_level(red(rgb)) + 6 * nearest_level(green(rgb)) + nearest_level(blue(rgb));
	least = distance(palette_rgb(best), rgb);
	for (unsigned n = 232; n < 256; n++) {
		long d = distance(palette_rgb(n), rgb);
		if (d < least) {
			least = d;
			best = n;
		}
	}
	return COLOR_PALETTE(best);
}

color color_to_rgb(color c, enum theme theme, bool background)
{
	if (is_rgb(c))
		return c;
	if (is_palette(c))
		return palette_rgb(c & 255);
	if (theme == THEME_DARK)
		return background ? COLOR_RGB(0x11, 0x11, 0x11) : COLOR_RGB(0xe0, 0xe0, 0xe0);
	return background ? COLOR_RGB(0xff, 0xff, 0xff) : COLOR_RGB(0x1a, 0x1a, 0x1a);
}
