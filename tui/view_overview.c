/* view_overview.c - the whole map of the weights, and the window in it.
 *
 * It was computed by map_picture.c; here it is only drawn.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"
#include "tui/text.h"
#include "tui/view_parts.h"

static const struct overview_place *place(const struct canvas *c)
{
	return &c->s->panel.overview.place;
}

/* NULL: not even begun. */
static const struct map_picture *picture(const struct canvas *c)
{
	return c->s->panel.overview.picture;
}

/* ---- one dot ---- */

static double value(const struct canvas *c, size_t row, size_t column)
{
	const struct map_picture *m = picture(c);

	return (c->s->panel.overview.largest ? map_picture_largest : map_picture_mean)(m, row, column);
}

/* What the strongest colour stands for: the largest dot. A map of many weights is nearly
 * all small numbers, so colours go by the square root. */
static double top_of(const struct canvas *c)
{
	const struct overview_place *k = place(c);
	double top = 0;

	for (size_t r = 0; picture(c) && r < (size_t)k->dots_down; r++)
		for (size_t j = 0; map_picture_known(picture(c), r) && j < (size_t)k->dots_across; j++) {
			double x = value(c, r, j);
			if (isfinite(x) && x > top)
				top = x;
		}
	return top;
}

enum dot { DOT_UNKNOWN, DOT_NAN, DOT_RANGE, DOT_WEIGHT };

/* *x: how strong, 0 .. 1. */
static enum dot dot_at(const struct canvas *c, double top, int row, int column, double *x)
{
	double w;

	if (!picture(c) || !map_picture_known(picture(c), (size_t)row))
		return DOT_UNKNOWN;
	w = value(c, (size_t)row, (size_t)column);
	if (isnan(w))
		return DOT_NAN;
	if (w < 0 || isinf(w))
		return DOT_RANGE;
	*x = top > 0 ? sqrt(w / top) : 0;
	return DOT_WEIGHT;
}

static color dot_color(const struct canvas *c, double top, int row, int column)
{
	double x;

	switch (dot_at(c, top, row, column, &x)) {
	case DOT_NAN:
		return canvas_paint(c, PAINT_NAN).foreground;
	case DOT_RANGE:
		return canvas_paint(c, PAINT_RANGE).foreground;
	case DOT_WEIGHT:
		return color_heat(&c->look, MAP_SEQUENTIAL, x).style.background;
	default:
		return COLOR_DEFAULT;
	}
}

/* Two dots, one above the other; below the last there is nothing. */
static void draw_half(const struct canvas *c, const struct pane *p, double top, int y, int x)
{
	const struct overview_place *k = place(c);
	int upper = 2 * y / k->down, lower = (2 * y + 1) / k->down, column = x / k->across;

	panel_two_dots(p, y, x, dot_color(c, top, upper, column), lower < k->dots_down ? dot_color(c, top, lower, column) : COLOR_DEFAULT);
}

static void draw_whole(const struct canvas *c, const struct pane *p, double top, int y, int x)
{
	double strength;

	switch (dot_at(c, top, y / place(c)->down, x / place(c)->across, &strength)) {
	case DOT_NAN:
		pane_text(p, y, x, "?", 1, canvas_paint(c, PAINT_NAN));
		break;
	case DOT_RANGE:
		pane_text(p, y, x, "!", 1, canvas_paint(c, PAINT_RANGE));
		break;
	case DOT_WEIGHT: {
		struct heat heat = color_heat(&c->look, MAP_SEQUENTIAL, strength);
		pane_text(p, y, x, *heat.shade ? heat.shade : " ", 1, heat.style);
		break;
	}
	default:
		pane_text(p, y, x, c->look.ascii ? "." : "\u00b7", 1, canvas_paint(c, PAINT_MUTED));
	}
}

/* ---- the window ---- */

struct window {
	size_t top, left, rows, columns;	/* queries and keys of the grid */
};

static struct window window_of(const struct canvas *c)
{
	const struct state *s = c->s;
	size_t rows = s->problem->n_q - s->top, columns = s->problem->n_k - s->left;

	return (struct window){ s->top, s->left, rows < c->l.visible_rows ? rows : c->l.visible_rows,
				columns < c->l.visible_columns ? columns : c->l.visible_columns };
}

/* The row or column of cells that a query or key is in. */
static size_t bin_of(const struct map_picture *m, size_t (*first)(const struct map_picture *m, size_t bin), size_t bins, size_t at)
{
	size_t low = 0, high = bins;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (first(m, middle) <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Around what it shows where there is room, so that it covers none of it. */
static void draw_window(const struct canvas *c, const struct pane *p)
{
	const struct overview_place *k = place(c);
	const struct map_picture *m = picture(c);
	static const char *const lines[2][6] = {
		{ "\u250c", "\u2510", "\u2514", "\u2518", "\u2500", "\u2502" }, { "+", "+", "+", "+", "-", "|" },
	};
	const char *const *line = lines[c->look.ascii];
	struct style style = canvas_paint(c, PAINT_LIT);
	struct window w = window_of(c);
	size_t rows = (size_t)k->dots_down, columns = (size_t)k->dots_across;
	int each = k->halves ? 2 : 1;		/* dots in a row of the screen */

	int top = (int)bin_of(m, map_picture_query, rows, w.top) * k->down / each - 1;
	int bottom = ((int)bin_of(m, map_picture_query, rows, w.top + w.rows - 1) * k->down + k->down - 1) / each + 1;
	int left = (int)bin_of(m, map_picture_key, columns, w.left) * k->across - 1;
	int right = (int)bin_of(m, map_picture_key, columns, w.left + w.columns - 1) * k->across + k->across;
	top = top < 0 ? 0 : top;
	left = left < 0 ? 0 : left;
	bottom = bottom >= p->rows ? p->rows - 1 : bottom;
	right = right >= p->columns ? p->columns - 1 : right;
	style.attributes |= BOLD;
	for (int x = left; x <= right; x++) {
		pane_text(p, top, x, line[x == left ? 0 : x == right ? 1 : 4], 1, style);
		pane_text(p, bottom, x, line[x == left ? 2 : x == right ? 3 : 4], 1, style);
	}
	for (int y = top + 1; y < bottom; y++) {
		pane_text(p, y, left, line[5], 1, style);
		pane_text(p, y, right, line[5], 1, style);
	}
}

static void draw_map(const struct canvas *c, const struct pane *p, double top)
{
	const struct overview_place *k = place(c);

	for (int y = 0; y < k->rows; y++)
		for (int x = 0; x < k->columns; x++)
			(k->halves ? draw_half : draw_whole)(c, p, top, y, x);
	if (picture(c))
		draw_window(c, p);
}

/* ---- words ---- */

static void share(double x, char out[NUMBER_SIZE])
{
	if (x >= 0.1 || x == 0)
		number_fixed(100 * x, x >= 0.1 ? 0 : 1, out);
	else
		snprintf(out, NUMBER_SIZE, "%.2g", 100 * x);
}

static bool is_narrow(const struct canvas *c)
{
	return c->s->columns < 72;
}

/* How good what is seen is, while it is not finished. */
static void put_state(const struct canvas *c, struct buffer *out)
{
	const struct map_picture *m = picture(c);
	char error[NUMBER_SIZE];
	double e = m ? map_picture_error(m) : INFINITY;

	if (c->s->panel.failed) {
		buffer_format(out, "%s", c->s->panel.error);
	} else if (m && map_picture_done(m)) {
		buffer_format(out, is_narrow(c) ? _("all %zu queries") : _("finished, from all %zu queries"), c->s->problem->n_q);
	} else if (c->s->panel.overview.largest) {
		buffer_text(out, is_narrow(c) ? _("at least, so far") : _("not finished: a dot is at least as large as it looks"));
	} else if (!isfinite(e)) {
		buffer_text(out, is_narrow(c) ? _("rows not begun") : _("not finished: some rows are not begun"));
	} else {
		share(e, error);
		buffer_format(out, is_narrow(c) ? _("means off by about %s %%") : _("not finished: the means are off by about %s %% of themselves"), error);
	}
	if (m && map_picture_is_float(m))
		buffer_text(out, _("; in float32"));
}

static void put_scale(double top, struct buffer *out)
{
	char text[NUMBER_SIZE];

	view_short_number(top, 4, text);
	buffer_format(out, _("from 0 to %s, by the square root"), text);
}

static void put_window(const struct canvas *c, struct buffer *out)
{
	struct window w = window_of(c);

	buffer_format(out, is_narrow(c) ? _("q %zu-%zu of %zu, k %zu-%zu of %zu") : _("window: queries %zu-%zu of %zu, keys %zu-%zu of %zu"), w.top, w.top + w.rows - 1, c->s->problem->n_q, w.left,
		      w.left + w.columns - 1, c->s->problem->n_k);
}

static void draw_text(const struct canvas *c, const struct pane *p, double top)
{
	bool failed = c->s->panel.failed;	/* then that comes first */
	void (*const put[3])(const struct canvas *c, struct buffer *out) = { failed ? put_state : put_window, failed ? put_window : put_state, NULL };

	for (int k = 0; k < 3 && k < p->rows; k++) {
		struct buffer text = { 0 };
		if (put[k])
			put[k](c, &text);
		else
			put_scale(top, &text);
		if (text.data)
			pane_text(p, k, 0, text.data, -1, canvas_paint(c, k == 1 && panel_working(c->s) ? PAINT_WARN : PAINT_TEXT));
		buffer_free(&text);
	}
}

static void title_text(const struct canvas *c, char *out, size_t size)
{
	const struct overview_place *k = place(c);
	const struct problem *p = c->s->problem;
	size_t down = (p->n_q + (size_t)k->dots_down - 1) / (size_t)k->dots_down;
	size_t across = (p->n_k + (size_t)k->dots_across - 1) / (size_t)k->dots_across;

	if (down == 1 && across == 1)
		snprintf(out, size, "%s", _("overview: each dot a weight"));
	else if (c->s->panel.overview.largest)
		snprintf(out, size, _("overview: each dot the largest of %zu x %zu weights"), down, across);
	else
		snprintf(out, size, _("overview: each dot the mean of %zu x %zu weights"), down, across);
}

void view_overview(struct canvas *c)
{
	const struct overview_place *k = place(c);
	double top = top_of(c);
	char title[200];

	title_text(c, title, sizeof title);
	struct pane p = panel_head(c, title), map = pane_part(&p, 0, 0, k->rows, k->columns);
	struct pane text = pane_part(&p, p.rows - k->text, 0, k->text, p.columns);
	draw_map(c, &map, top);
	draw_text(c, &text, top);
}
