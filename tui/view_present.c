/* view_present.c - before an audience: the bar with the key, and high contrast. */
#include <string.h>

#include "core/message.h"
#include "tui/text.h"
#include "tui/view_parts.h"

enum { ENOUGH = 7 };	/* to 1, from where a colour is legible from the last row of seats */

/* "[c]  " and as much of the sentence as there are lines for, the last cut with a mark. */
static void draw_sentence(struct canvas *c, const struct pane *bar, int row, struct style style)
{
	const struct state *s = c->s;
	struct style key = style;
	int x = bar->columns >= 60 ? 2 : 0;

	key.attributes |= UNDERLINE;
	if (*s->present.pressed) {
		x += pane_text(bar, row, x, "[", -1, style);
		x += pane_text(bar, row, x, s->present.pressed, bar->columns / 2, key);
		x += pane_text(bar, row, x, "]", -1, style) + (bar->columns >= 60 ? 2 : 1);
	}
	panel_wrap(bar, row, x, present_sentence(s), bar->rows - row, style);
}

static int rows_wanted(const struct canvas *c, int columns)
{
	const struct state *s = c->s;
	int key = *s->present.pressed ? text_width(s->present.pressed, c->look.ascii) + 2 : 0;

	key = (columns >= 60 ? 4 : 1) + (key < columns / 2 ? key : columns / 2);
	return text_width(present_sentence(s), c->look.ascii) > columns - key ? 2 : 1;
}

void view_bar(struct canvas *c)
{
	const struct layout *l = &c->l;
	struct pane bar = pane_part(&c->screen, l->sentence, 0, l->bar_rows, c->s->columns);
	struct style style = { COLOR_DEFAULT, COLOR_DEFAULT, BOLD | REVERSE };
	int middle = l->sentence + (l->bar_rows - 1) / 2;

	bool typed = c->s->mode == MODE_PROMPT && !(c->s->prompt.kind == PROMPT_LIVE && l->live_rows);

	if (typed || c->s->mode == MODE_HELP) {
		pane_fill(&bar, 0, 0, l->bar_rows, c->s->columns, color_paint(&c->look, PAINT_TEXT));
		(c->s->mode == MODE_HELP ? view_help_place : view_prompt)(c, middle);
		return;
	}
	if (c->s->sentence_is_error)
		style.foreground = color_paint(&c->look, PAINT_BAD).foreground;
	pane_fill(&bar, 0, 0, l->bar_rows, c->s->columns, style);
	draw_sentence(c, &bar, rows_wanted(c, bar.columns) > 1 ? 0 : (l->bar_rows - 1) / 2, style);
}

/* Black and white, by the theme; the terminal's own where it has no others. */
static color extreme(const struct look *look, bool background)
{
	bool white = background == (look->theme == THEME_LIGHT);

	if (look->depth == DEPTH_TRUE)
		return white ? COLOR_RGB(255, 255, 255) : COLOR_RGB(0, 0, 0);
	if (look->depth == DEPTH_256)
		return COLOR_PALETTE(white ? 231 : 16);
	return COLOR_DEFAULT;
}

static void strengthen(const struct look *look, struct style *style)
{
	bool heat = style->background != COLOR_DEFAULT;
	color ground = extreme(look, true);

	style->attributes &= ~(unsigned)DIM;
	if (heat) {
		style->attributes |= BOLD;
		return;
	}
	style->background = ground;
	if (style->foreground == COLOR_DEFAULT)
		style->foreground = extreme(look, false);
	else if (ground != COLOR_DEFAULT && color_contrast(color_to_rgb(style->foreground, look->theme, false),
							   color_to_rgb(ground, look->theme, true)) < ENOUGH)
		style->foreground = extreme(look, false);
}

void view_high_contrast(struct canvas *c)
{
	struct cells *cells = c->screen.cells;

	for (long k = 0; k < (long)cells->rows * cells->columns; k++)
		strengthen(&c->look, &cells->cell[k].style);
}
