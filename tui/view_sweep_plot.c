/* view_sweep_plot.c - the picture of the table: the mean largest weight over d_k. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/view_sweep.h"

enum { TICKS = 4, TENTHS_ROWS = 21 };	/* columns left of the points; rows for a tick a tenth */

struct plot {
	const struct sheet *t;
	struct pane p;
	int rows;			/* of the points, between legend and labels */
	size_t count;			/* of d_k that have a place */
	size_t item[SWEEP_LIST];	/* by rising d_k */
	int x[SWEEP_LIST];
};

/* Of more than there are places for, some at even steps, the first and the last among them. */
static void thin_out(struct plot *g, size_t count, size_t places)
{
	g->count = count < places ? count : places;
	for (size_t k = 0; k < g->count && g->count < count; k++)
		g->item[k] = g->item[g->count < 2 ? count - 1 : k * (count - 1) / (g->count - 1)];
}

/* On a log scale, if labels then keep their distance; else at even steps. */
static void place_points(struct plot *g, int slot, int room)
{
	const struct sweep_sizes *l = &g->t->s->request.d_k;
	double low = log((double)l->v[g->item[0]]), high = log((double)l->v[g->item[g->count - 1]]);
	bool even = false;
	int span = at_most(room, (int)g->count * 24) - slot;

	for (size_t k = 0; k < g->count; k++) {
		double share = g->count < 2 ? 0.5 : (log((double)l->v[g->item[k]]) - low) / (high - low);
		g->x[k] = TICKS + slot / 2 + (int)lround(share * span);
		even |= k && g->x[k] - g->x[k - 1] < slot;
	}
	for (size_t k = 0; k < g->count && even; k++)
		g->x[k] = TICKS + slot / 2 + (int)k * span / (int)(g->count - 1);
}

/* As many as give the ticks rows of their own. */
static int point_rows(int space)
{
	if (space >= TENTHS_ROWS)
		return (space - 1) / 10 * 10 + 1;
	return space > 7 ? (space - 1) / 2 * 2 + 1 : space;
}

static int plot_row(const struct plot *g, double value)
{
	return 1 + g->rows - 1 - at_least(at_most((int)lround(value * (g->rows - 1)), g->rows - 1), 0);
}

/* The ticks, and the level of a row that looks at all keys alike. */
static void draw_axis(const struct plot *g)
{
	struct style style = paint(g->t, PAINT_MUTED);
	int ascii = g->t->ascii, even = plot_row(g, 1 / (double)g->t->s->request.n);
	int step = g->rows >= TENTHS_ROWS ? 1 : g->rows % 2 ? 5 : 10;
	char text[32];

	for (int tenth = 0; tenth <= 10; tenth += step) {
		snprintf(text, sizeof text, "%d.%d", tenth / 10, tenth % 10);
		pane_text(&g->p, plot_row(g, tenth / 10.0), 0, text, -1, style);
	}
	for (int row = 1; row <= g->rows; row++)
		pane_text(&g->p, row, TICKS - 1, ascii ? "|" : "\u2502", -1, style);
	pane_text(&g->p, even, 0, "1/n", -1, style);
	for (int x = TICKS; x < g->p.columns; x++)
		pane_text(&g->p, even, x, ascii ? "-" : "\u2504", -1, style);
}

/* The three of a d_k stand side by side, so that none covers another. */
static void draw_points(const struct plot *g)
{
	const struct sweep *s = g->t->s;

	for (size_t k = 0; k < g->count; k++) {
		if (!sweep_repeats_done(s, g->item[k]))
			continue;
		for (int scale = 0; scale < SWEEP_SCALE_COUNT; scale++)
			pane_text(&g->p, plot_row(g, sweep_mean(s, g->item[k], SWEEP_LARGEST + scale)), g->x[k] + scale - 1,
				  view_sweep_series[scale].glyph[g->t->ascii], -1, paint(g->t, view_sweep_series[scale].paint));
	}
}

static void draw_labels(const struct plot *g)
{
	const struct sweep_sizes *l = &g->t->s->request.d_k;
	char text[40];

	for (size_t k = 0; k < g->count; k++) {
		int width = snprintf(text, sizeof text, "%zu", l->v[g->item[k]]);
		pane_text(&g->p, g->rows + 1, g->x[k] - width / 2, text, -1, paint(g->t, PAINT_TEXT));
	}
	int width = snprintf(text, sizeof text, "+%zu", l->count - g->count);
	if (l->count > g->count)
		pane_text(&g->p, g->rows + 1, g->p.columns - width, text, -1, paint(g->t, PAINT_WARN));
	pane_text(&g->p, g->rows + 1, 0, "d_k", -1, paint(g->t, PAINT_LABEL));
}

static void draw_legend(const struct plot *g)
{
	int x = 0, ascii = g->t->ascii;
	char text[64];

	for (int scale = 0; scale < SWEEP_SCALE_COUNT; scale++) {
		snprintf(text, sizeof text, "%s %s", view_sweep_series[scale].glyph[ascii], view_sweep_series[scale].head[ascii]);
		x += 1 + pane_text(&g->p, 0, x, text, -1, paint(g->t, view_sweep_series[scale].paint));
	}
	snprintf(text, sizeof text, _("%s uniform 1/%zu"), ascii ? "-" : "\u2504", g->t->s->request.n);
	if (x + text_width(text, ascii) > g->p.columns)
		text[strcspn(text, "1") - 1] = '\0';
	pane_text(&g->p, 0, x, text, -1, paint(g->t, PAINT_MUTED));
}

void view_sweep_plot(const struct sheet *t, int row, int rows, int columns)
{
	struct plot g = { .t = t, .p = pane_part(&t->p, row, 0, rows, columns), .rows = point_rows(rows - 2) };
	const struct sweep_sizes *l = &t->s->request.d_k;
	int slot = view_sweep_size_width(l, 3) + 1, room = g.p.columns - TICKS;

	if ((size_t)(room / slot) < l->count)
		room -= 4;		/* for how many have no place */
	if (room < slot)
		return;
	view_sweep_sort(l, g.item);
	thin_out(&g, l->count, (size_t)(room / slot));
	place_points(&g, slot, room);
	draw_legend(&g);
	draw_axis(&g);
	draw_points(&g);
	draw_labels(&g);
}
