/* view_sweep_table.c - the measures by d_k, and the std of the dot products beside or below them. */
#include <math.h>
#include <stdio.h>

#include "tui/view_sweep.h"

enum { SD_PLACE = 7, STD_PITCH = 9 };		/* where the sd of a measure stands; from the std to its root */

static void draw_group(const struct sheet *t, int group, const char *text, const char *shorter)
{
	int column = view_sweep_column(t, group ? SWEEP_ENTROPY : SWEEP_LARGEST), x = column;

	x += pane_text(&t->p, t->table - 2, x, column + text_width(text, t->ascii) > t->p.columns ? shorter : text, -1,
		       paint(t, PAINT_LABEL));
	if (t->sd[group])
		pane_text(&t->p, t->table - 2, x, t->ascii ? _(" +-sd over the repeats") : _(" \u00b1sd over the repeats"), -1,
			  paint(t, PAINT_MUTED));
}

static void draw_heads(const struct sheet *t)
{
	int row = t->table - 1;

	if (t->groups)
		draw_group(t, 0, _("mean largest weight"), _("largest weight"));
	if (t->groups && t->measures > SWEEP_ENTROPY)
		draw_group(t, 1, _("entropy in bits"), _("entropy"));
	pane_field(&t->p, row, 0, "d_k", t->d_k_width, 1, paint(t, PAINT_LABEL));
	for (int m = 0; m < t->measures; m++) {
		const struct series *of = &view_sweep_series[m % SWEEP_SCALE_COUNT];
		pane_text(&t->p, row, view_sweep_column(t, m), of->head[t->ascii], -1, paint(t, of->paint));
	}
}

static int measure_point(const struct sheet *t, int measure)
{
	/* The only numbers here that may reach 10 are the entropies of many keys. */
	return view_sweep_column(t, measure) + 1 + (group_of(measure) && t->s->request.n >= 1000);
}

/* One repeat has no spread. */
static void draw_sd(const struct sheet *t, int row, size_t item, int measure)
{
	char text[NUMBER_SIZE];
	int x = view_sweep_column(t, measure) + SD_PLACE;

	if (sweep_repeats_done(t->s, item) < 2)
		return;
	x += pane_text(&t->p, row, x, t->ascii ? "+-" : "\u00b1", -1, paint(t, PAINT_MUTED));
	view_sweep_rounded(sweep_sd(t->s, item, measure), text);
	pane_text(&t->p, row, x, text, -1, paint(t, PAINT_MUTED));
}

static void draw_line(const struct sheet *t, int row, size_t item)
{
	view_sweep_size(t, row, 0, t->d_k_width, t->s->request.d_k.v[item]);
	for (int m = 0; m < t->measures; m++) {
		view_sweep_number(t, row, measure_point(t, m), sweep_mean(t->s, item, m), sweep_repeats_done(t->s, item), PAINT_TEXT);
		if (t->sd[group_of(m)])
			draw_sd(t, row, item, m);
	}
}

/* What a row has that looks at all keys alike. */
static void draw_even(const struct sheet *t, int row)
{
	double n = (double)t->s->request.n;

	pane_field(&t->p, row, 0, _("even"), t->d_k_width, 1, paint(t, PAINT_MUTED));
	for (int m = 0; m < t->measures; m++)
		view_sweep_number(t, row, measure_point(t, m), group_of(m) ? log2(n) : 1 / n, true, PAINT_MUTED);
}

void view_sweep_table(const struct sheet *t)
{
	size_t count = t->s->request.d_k.count, shown = lines_shown(count, t->table_rows);

	draw_heads(t);
	for (size_t k = 0; k < shown; k++)
		draw_line(t, t->table + (int)k, k);
	view_sweep_more(t, t->table + (int)shown, 0, count - shown);
	if (t->even)
		draw_even(t, t->table + (int)shown);
}

/* ---- the std of the dot products ---- */

void view_sweep_std(const struct sheet *t)
{
	const struct sweep_request *r = &t->s->request;
	size_t shown = lines_shown(r->std_d_k.count, t->std_rows);
	int x = t->std_column, width = view_sweep_size_width(&r->std_d_k, 4), std = x + width + 2, sqrt_d_k = std + STD_PITCH;
	bool with_root = t->p.columns - x >= STD_WIDTH;
	struct style label = paint(t, PAINT_LABEL);
	char text[80];

	if (!shown)
		return;
	snprintf(text, sizeof text, r->pairs == 1 ? _("std of q%sk, %zu pair") : _("std of q%sk, %zu pairs"), t->ascii ? "." : "\u00b7",
		 r->pairs);
	if (t->std >= 2 && (t->groups || !x))
		pane_text(&t->p, t->std - 2, x, text, -1, label);
	pane_field(&t->p, t->std - 1, x, "d_k", width, 1, label);
	pane_text(&t->p, t->std - 1, std, "std", -1, label);
	if (with_root)
		pane_text(&t->p, t->std - 1, sqrt_d_k, root(t), -1, label);
	for (size_t k = 0; k < shown; k++) {
		int row = t->std + (int)k;
		view_sweep_size(t, row, x, width, r->std_d_k.v[k]);
		view_sweep_number(t, row, std + STD_POINT, t->s->std[k], k < sweep_std_done(t->s), PAINT_TEXT);
		if (with_root)
			view_sweep_number(t, row, sqrt_d_k + STD_POINT, sqrt((double)r->std_d_k.v[k]), true, PAINT_MUTED);
	}
	view_sweep_more(t, t->std + (int)shown, x, r->std_d_k.count - shown);
}
