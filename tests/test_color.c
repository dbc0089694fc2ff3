/* test_color.c - colours for numbers: legible, in order, and what each depth has.
 * Contrasts are computed here with WCAG 2's formula, not with the module's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tui/color.h"

enum { SAMPLES = 1001 };

static double linear(unsigned channel)
{
	double v = channel / 255.0;

	return v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double luminance(color c)
{
	return 0.2126 * linear(c >> 16 & 255) + 0.7152 * linear(c >> 8 & 255) +
	       0.0722 * linear(c & 255);
}

static double contrast(color a, color b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

/* OKLab's lightness, of Bjorn Ottosson's definition. */
static double lightness(color c)
{
	double r = linear(c >> 16 & 255), g = linear(c >> 8 & 255), b = linear(c & 255);

	return 0.2104542553 * cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) +
	       0.7936177850 * cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) -
	       0.0040720468 * cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
}

static color ground(const struct look *l, enum color_map map, double value)
{
	return color_to_rgb(color_heat(l, map, value).style.background, l->theme, true);
}

static double middle_of(int level, int levels)
{
	return (level + 0.5) / levels;
}

static void contrast_is_wcag(void **state)
{
	const color black = COLOR_RGB(0, 0, 0), white = COLOR_RGB(255, 255, 255);
	const struct { color c, with; double want; } cases[] = {	/* C18 */
		{ COLOR_RGB(253, 231, 37), black, 16.63 }, { COLOR_RGB(253, 231, 37), white, 1.26 },
		{ COLOR_RGB(68, 1, 84), white, 15.24 }, { COLOR_RGB(68, 1, 84), black, 1.38 },
		{ COLOR_RGB(33, 145, 140), black, 5.49 }, { COLOR_RGB(33, 145, 140), white, 3.82 },
		{ black, white, 21 }, { white, white, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_true(fabs(color_contrast(cases[i].c, cases[i].with) - cases[i].want) < 0.006);
		assert_true(fabs(color_contrast(cases[i].with, cases[i].c) - cases[i].want) < 0.006);
	}
}

static void nearest_of_the_palette(void **state)
{
	(void)state;
	assert_int_equal(color_to_256(COLOR_RGB(255, 0, 0)), COLOR_PALETTE(196));	/* C15 */
	assert_int_equal(color_to_256(COLOR_RGB(128, 128, 128)), COLOR_PALETTE(244));
	assert_int_equal(color_to_256(COLOR_RGB(0, 0, 255)), COLOR_PALETTE(21));
	for (unsigned n = 16; n < 256; n++) {
		color rgb = color_to_rgb(COLOR_PALETTE(n), THEME_DARK, false);

		assert_int_equal(rgb >> 24, 2);
		assert_int_equal(color_to_256(rgb), COLOR_PALETTE(n));
	}
	assert_int_equal(color_to_rgb(COLOR_PALETTE(67), THEME_DARK, true), COLOR_RGB(95, 135, 175));
	assert_int_equal(color_to_rgb(COLOR_PALETTE(255), THEME_DARK, true), COLOR_RGB(238, 238, 238));
	assert_int_equal(color_to_rgb(COLOR_RGB(1, 2, 3), THEME_LIGHT, true), COLOR_RGB(1, 2, 3));
	for (int theme = THEME_DARK; theme <= THEME_LIGHT; theme++)
		assert_true(contrast(color_to_rgb(COLOR_DEFAULT, theme, true),
				     color_to_rgb(COLOR_DEFAULT, theme, false)) > 7);
}

/* Runs f for both themes and maps at both depths where colour carries the value. */
static void for_colours(void (*f)(const struct look *, enum color_map))
{
	for (int depth = DEPTH_256; depth <= DEPTH_TRUE; depth++)
		for (int theme = THEME_DARK; theme <= THEME_LIGHT; theme++)
			for (int map = MAP_SEQUENTIAL; map <= MAP_DIVERGING; map++)
				f(&(struct look){ depth, theme, false }, map);
}

static void text_can_be_read(const struct look *l, enum color_map map)
{
	for (int i = 0; i < SAMPLES; i++) {
		struct heat h = color_heat(l, map, i / (SAMPLES - 1.0));
		color fg = color_to_rgb(h.style.foreground, l->theme, false);
		color bg = color_to_rgb(h.style.background, l->theme, true);

		assert_true(h.style.foreground != COLOR_DEFAULT && h.style.background != COLOR_DEFAULT);
		assert_int_equal(h.style.background >> 24, l->depth == DEPTH_TRUE ? 2 : 1);
		assert_true((fg & 0xffffff) == 0 || (fg & 0xffffff) == 0xffffff);
		assert_true(contrast(fg, bg) >= 4.5);
		assert_true(contrast(fg, bg) >= contrast(fg ^ 0xffffff, bg));
		assert_string_equal(h.shade, "");
		assert_int_equal(h.style.attributes, 0);
	}
}

/* Level by level: each background once, luminance rising away from the theme's
 * background (or from the middle). */
static void levels_are_in_order(const struct look *l, enum color_map map)
{
	int n = color_levels(l, map), middle = map == MAP_DIVERGING ? n / 2 : 0;
	double sign = l->theme == THEME_DARK ? 1 : -1;

	for (int i = 1; i < n; i++) {
		double a = luminance(ground(l, map, middle_of(i - 1, n)));
		double b = luminance(ground(l, map, middle_of(i, n)));

		assert_true(i > middle ? sign * b > sign * a : sign * b < sign * a);
	}
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			assert_true(color_heat(l, map, middle_of(i, n)).style.background !=
				    color_heat(l, map, middle_of(j, n)).style.background);
	/* even the faintest cell differs from what is around it */
	assert_true(contrast(ground(l, map, map == MAP_DIVERGING ? 0.5 : 0),
			     color_to_rgb(COLOR_DEFAULT, l->theme, true)) > 1.05);
}

static void colours_can_be_read(void **state)
{
	(void)state;
	for_colours(text_can_be_read);
}

static void colours_are_in_order(void **state)
{
	(void)state;
	for_colours(levels_are_in_order);
}

static void maps_are_even(void **state)
{
	struct look l = { DEPTH_TRUE, THEME_DARK, false };
	double total = lightness(ground(&l, MAP_SEQUENTIAL, 1)) -
		       lightness(ground(&l, MAP_SEQUENTIAL, 0));

	(void)state;
	assert_true(total > 0.6);
	for (int i = 0; i < 8; i++) {
		double step = lightness(ground(&l, MAP_SEQUENTIAL, (i + 1) / 8.0)) -
			      lightness(ground(&l, MAP_SEQUENTIAL, i / 8.0));

		assert_true(step > 0.75 * total / 8 && step < 1.25 * total / 8);
	}
	for (int depth = DEPTH_256; depth <= DEPTH_TRUE; depth++) {
		for (int theme = THEME_DARK; theme <= THEME_LIGHT; theme++) {
			l = (struct look){ depth, theme, false };
			for (int i = 0; i < 100; i++) {
				color a = ground(&l, MAP_DIVERGING, (i + 0.5) / 201);
				color b = ground(&l, MAP_DIVERGING, 1 - (i + 0.5) / 201);

				assert_true(fabs(lightness(a) - lightness(b)) <
					    (depth == DEPTH_TRUE ? 0.02 : 0.06));
				if (a == b)
					continue;	/* the middle step */
				/* blue below, orange above */
				assert_true((a & 255) > (a >> 16 & 255));
				assert_true((b & 255) < (b >> 16 & 255));
			}
			color m = ground(&l, MAP_DIVERGING, 0.5);
			assert_int_equal(m & 255, m >> 16 & 255);
			assert_int_equal(m & 255, m >> 8 & 255);
		}
	}
}

/* How much of a cell a glyph of the ramp covers. */
static double ink(const char *shade)
{
	static const char *const blocks[] = { " ", "\u2591", "\u2592", "\u2593", "\u2588" };

	for (int i = 0; i < 5; i++)
		if (!strcmp(shade, blocks[i]))
			return i / 4.0;
	const char *ascii = " `:;/c{&@", *at = strchr(ascii, *shade);
	assert_non_null(at);
	return (double)(at - ascii) / 8;
}

static void glyphs_are_in_order(void **state)
{
	(void)state;
	for (int depth = DEPTH_NONE; depth <= DEPTH_16; depth++) {
		for (int bits = 0; bits < 8; bits++) {
			struct look l = { depth, bits & 1, bits >> 1 & 1 };
			enum color_map map = bits >> 2;
			int n = color_levels(&l, map);
			double sign = l.theme == THEME_DARK ? 1 : -1, last = -9, ink_before = -1;

			assert_true(n >= 5 && (map == MAP_SEQUENTIAL || n % 2 == 1));
			for (int i = 0; i < n; i++) {
				struct heat h = color_heat(&l, map, middle_of(i, n));
				double a = luminance(color_to_rgb(COLOR_DEFAULT, l.theme, true));
				double b = luminance(color_to_rgb(h.style.foreground, l.theme, false));

				assert_int_equal(h.level, i);
				assert_int_equal(h.style.background, COLOR_DEFAULT);
				assert_true(depth != DEPTH_NONE || h.style.foreground == COLOR_DEFAULT);
				assert_true(ink(h.shade) > ink_before);
				ink_before = ink(h.shade);
				/* what one sees from afar */
				if (map == MAP_SEQUENTIAL)
					assert_true(sign * (a + ink_before * (b - a)) > last);
				last = sign * (a + ink_before * (b - a));
				/* and the number beside it */
				assert_true(contrast(color_to_rgb(h.style.foreground, l.theme, false),
						     color_to_rgb(COLOR_DEFAULT, l.theme, true)) >= 4.5);
			}
		}
	}
}

static void levels_follow_the_value(void **state)
{
	(void)state;
	for (int bits = 0; bits < 40; bits++) {
		struct look l = { bits % 5, bits / 5 & 1, bits / 10 & 1 };
		enum color_map map = bits / 20;
		int n = color_levels(&l, map), before = 0;

		for (int i = 0; i < SAMPLES; i++) {
			int level = color_heat(&l, map, i / (SAMPLES - 1.0)).level;

			assert_true(level == before || level > before);
			assert_true(level - before <= 1);
			before = level;
		}
		assert_int_equal(color_heat(&l, map, 0).level, 0);
		assert_int_equal(before, n - 1);
		assert_int_equal(color_heat(&l, map, NAN).level, 0);
		assert_int_equal(color_heat(&l, map, -INFINITY).level, 0);
		assert_int_equal(color_heat(&l, map, -1e-300).level, 0);
		assert_int_equal(color_heat(&l, map, INFINITY).level, n - 1);
		assert_int_equal(color_heat(&l, map, 1e300).level, n - 1);
		if (map == MAP_DIVERGING)
			assert_int_equal(color_heat(&l, map, 0.5).level, n / 2);
	}
}

static void paints_can_be_read(void **state)
{
	(void)state;
	for (int depth = DEPTH_NONE; depth <= DEPTH_TRUE; depth++) {
		for (int theme = THEME_DARK; theme <= THEME_LIGHT; theme++) {
			struct look l = { depth, theme, false };
			color bare = theme == THEME_DARK ? COLOR_RGB(0, 0, 0) : COLOR_RGB(255, 255, 255);

			for (int p = 0; p < PAINT_COUNT; p++) {
				struct style s = color_paint(&l, p);
				color fg = color_to_rgb(s.foreground, theme, false);

				assert_int_equal(s.background, COLOR_DEFAULT);
				assert_true(depth != DEPTH_NONE || s.foreground == COLOR_DEFAULT);
				assert_true(contrast(fg, bare) >= 4.5);
				assert_true(contrast(fg, color_to_rgb(COLOR_DEFAULT, theme, true)) >= 4.5);
				if (depth == DEPTH_256 && s.foreground)
					assert_in_range(s.foreground, COLOR_PALETTE(16), COLOR_PALETTE(255));
			}
		}
	}
}

static bool same(struct style a, struct style b)
{
	return a.foreground == b.foreground && a.background == b.background &&
	       a.attributes == b.attributes;
}

static void paints_differ(void **state)
{
	static const enum paint looks[] = {
		PAINT_TEXT, PAINT_HIDDEN, PAINT_NAN, PAINT_INFINITE, PAINT_RANGE, PAINT_CURSOR,
		PAINT_FLASH,
	};
	const int n = sizeof looks / sizeof *looks;

	(void)state;
	for (int bits = 0; bits < 10; bits++) {
		struct look l = { bits % 5, bits / 5, false };
		struct style text = color_paint(&l, PAINT_TEXT);

		assert_true(same(text, (struct style){ 0 }));
		for (int i = 0; i < n; i++)
			for (int j = 0; j < i; j++)
				assert_false(same(color_paint(&l, looks[i]), color_paint(&l, looks[j])));
		for (int p = 1; p < PAINT_COUNT; p++)
			if (l.depth == DEPTH_NONE && p != PAINT_MUTED && p != PAINT_LABEL)
				assert_int_not_equal(color_paint(&l, p).attributes, 0);
		/* a flash or a cursor must be seen without colour */
		assert_true(color_paint(&l, PAINT_FLASH).attributes & REVERSE);
		assert_true(color_paint(&l, PAINT_CURSOR).attributes & REVERSE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contrast_is_wcag),
		cmocka_unit_test(nearest_of_the_palette),
		cmocka_unit_test(colours_can_be_read),
		cmocka_unit_test(colours_are_in_order),
		cmocka_unit_test(maps_are_even),
		cmocka_unit_test(glyphs_are_in_order),
		cmocka_unit_test(levels_follow_the_value),
		cmocka_unit_test(paints_can_be_read),
		cmocka_unit_test(paints_differ),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests_name("color", tests, NULL, NULL);
}
