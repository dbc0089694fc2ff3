/* view_sweep.c - the d_k experiment, filled while it is computed.
 *
 * From the top: what was asked for; the table, and the std of the dot products
 * beside or below it; the picture of the table; what the notebook asks for.
 * Where rows are short, the questions, the notebook's table, the picture and the
 * sentence go, then the std and the lines above the table; where columns are, the
 * sd, the entropies, the std, the notebook's table, the last scale. What is not
 * known yet is a quiet mark.
 */
#include <stdio.h>
#include <string.h>

#include "tui/view_sweep.h"

enum {
	GAP = 3, PRECISION = 3,
	PITCH = 7, SD_PITCH = 16,			/* of a measure, alone and with its sd */
	NUMBER_COLUMNS = 6, SD_COLUMNS = 14,		/* what they fill */
	LEAST_PLOT = 6, LEAST_PLOT_WIDTH = 31, LEAST_NOTES = 24, LEAST_LOWER = 8, LEAST_TABLE = 5,
};

const struct series view_sweep_series[SWEEP_SCALE_COUNT] = {
	[SWEEP_NONE] = { { "\u25cf", "o" }, { "none", "none" }, PAINT_KEY },
	[SWEEP_SQRT] = { { "\u25a0", "x" }, { "\u00f7\u221ad_k", "/sqrt" }, PAINT_OK },
	[SWEEP_DK] = { { "\u25b2", "+" }, { "\u00f7d_k", "/d_k" }, PAINT_LABEL },
};

/* ---- small things ---- */

int view_sweep_size_width(const struct sweep_sizes *l, int least)
{
	char text[32];
	int width = least;

	for (size_t k = 0; k < l->count; k++)
		width = at_least(snprintf(text, sizeof text, "%zu", l->v[k]), width);
	return width;
}

void view_sweep_rounded(double x, char out[NUMBER_SIZE])
{
	double rounded = number_round(x, PRECISION);

	if (rounded == 0 && x != 0)
		snprintf(out, NUMBER_SIZE, "~0");
	else
		number_shortest(rounded, out);
}

void view_sweep_number(const struct sheet *t, int row, int point, double x, bool known, enum paint p)
{
	char text[NUMBER_SIZE];

	if (!known) {
		pane_text(&t->p, row, point - 1, t->ascii ? "." : "\u00b7", -1, paint(t, PAINT_MUTED));
		return;
	}
	view_sweep_rounded(x, text);
	pane_text(&t->p, row, point - (int)strcspn(text, "."), text, -1, paint(t, p));
}

void view_sweep_size(const struct sheet *t, int row, int column, int width, size_t d_k)
{
	char text[32];

	snprintf(text, sizeof text, "%*zu", width, d_k);
	pane_text(&t->p, row, column, text, -1, paint(t, PAINT_TEXT));
}

void view_sweep_more(const struct sheet *t, int row, int column, size_t left_out)
{
	char text[40];

	snprintf(text, sizeof text, _("+%zu more"), left_out);
	if (left_out)
		pane_text(&t->p, row, column, text, -1, paint(t, PAINT_WARN));
}

void view_sweep_sort(const struct sweep_sizes *l, size_t item[SWEEP_LIST])
{
	for (size_t k = 0; k < l->count; k++) {
		size_t at = k;
		for (; at && l->v[item[at - 1]] > l->v[k]; at--)
			item[at] = item[at - 1];
		item[at] = k;
	}
}

/* ---- where things stand ---- */

static int pitch(const struct sheet *t, int group)
{
	return t->sd[group] ? SD_PITCH : PITCH;
}

int view_sweep_column(const struct sheet *t, int measure)
{
	int group = group_of(measure);
	int column = t->d_k_width + 2 + measure % SWEEP_SCALE_COUNT * pitch(t, group);

	return group ? column + SWEEP_SCALE_COUNT * pitch(t, 0) + 1 : column;
}

static int table_width(const struct sheet *t)
{
	int last = t->measures - 1;

	return view_sweep_column(t, last) + (t->sd[group_of(last)] ? SD_COLUMNS : NUMBER_COLUMNS);
}

static bool fits_beside(struct sheet *t, int measures)
{
	t->measures = measures;
	return table_width(t) + (t->s->request.std_d_k.count ? GAP + STD_WIDTH : 0) <= t->p.columns;
}

/* The columns of the table; true when the std stands beside it. Where there are
 * rows for it below, the entropies do not go. */
static bool choose_columns(struct sheet *t)
{
	const struct sweep_request *r = &t->s->request;
	int rows = (int)(r->d_k.count + r->std_d_k.count) + 3 + 4 + 2 * LEAST_LOWER;

	if (fits_beside(t, SWEEP_MEASURE_COUNT))
		return true;
	if ((t->p.rows < rows || table_width(t) > t->p.columns) && fits_beside(t, SWEEP_SCALE_COUNT))
		return true;
	for (t->measures = SWEEP_MEASURE_COUNT; t->measures > 1 && table_width(t) > t->p.columns;)
		t->measures = t->measures > SWEEP_SCALE_COUNT ? SWEEP_SCALE_COUNT : t->measures - 1;
	return false;
}

static void choose_sd(struct sheet *t, bool beside)
{
	for (int group = 0; group < 2 && t->s->request.repeats > 1; group++) {
		t->sd[group] = true;
		if (table_width(t) + (beside ? GAP + STD_WIDTH : 0) > t->p.columns)
			t->sd[group] = false;
	}
}

/* Long lists leave room for the picture, but the table keeps a few rows. */
static void place_table(struct sheet *t, bool beside)
{
	const struct sweep_request *r = &t->s->request;
	size_t wanted = beside && r->std_d_k.count > r->d_k.count ? r->std_d_k.count : r->d_k.count;
	int space = t->p.rows - t->table, rows = at_least(space - 1 - LEAST_LOWER, at_most(LEAST_TABLE, space));

	t->table_rows = at_most((int)wanted, rows);
	t->lower = t->table + t->table_rows + 1;
}

static void place_std(struct sheet *t, bool beside)
{
	int count = (int)t->s->request.std_d_k.count, space = t->p.rows - t->lower;

	if (beside && count) {
		t->std = t->table;
		t->std_column = table_width(t) + GAP;
		t->std_rows = t->table_rows;
	} else if (count && space >= 2 + at_most(count, 2)) {
		t->std = t->lower + 2;
		t->std_column = 0;
		t->std_rows = at_most(at_most(count, at_least(space - 3 - LEAST_LOWER, LEAST_TABLE)), space - 2);
		t->lower = t->std + t->std_rows + 1;
	}
}

/* One row more below the last d_k, unless a longer list beside it left that free. */
static void place_even(struct sheet *t, bool beside)
{
	int count = (int)t->s->request.d_k.count;

	t->even = t->p.rows - t->lower >= LEAST_LOWER + 5 && count <= t->table_rows;
	if (t->even && count == t->table_rows) {
		t->lower++;
		t->std += !beside;
	}
}

static void place(struct sheet *t)
{
	t->d_k_width = view_sweep_size_width(&t->s->request.d_k, 4);
	t->asked = t->p.rows >= 7;
	t->groups = t->p.rows >= 8;
	t->table = t->asked + t->groups + 1;
	bool beside = choose_columns(t);
	choose_sd(t, beside);
	place_table(t, beside);
	place_std(t, beside);
	place_even(t, beside);
}

/* ---- what was asked for ---- */

static void draw_asked(const struct sheet *t)
{
	enum { SEED_COLUMNS = 24 };
	const struct sweep_request *r = &t->s->request;
	size_t done = sweep_repeats_done(t->s, r->d_k.count - 1);
	struct style style = paint(t, PAINT_TEXT);
	char text[100], so_far[40] = "";
	int x;

	if (!t->asked)
		return;
	if (r->repeats > 1 && done < r->repeats)
		snprintf(so_far, sizeof so_far, _("%zu of "), done);
	x = pane_text(&t->p, 0, 0, _("seed "), -1, style);
	x += pane_text(&t->p, 0, x, r->seed, SEED_COLUMNS, style);
	snprintf(text, sizeof text, _("  n %zu  repeats %s%zu  "), r->n, so_far, r->repeats);
	x += pane_text(&t->p, 0, x, text, -1, style);
	if (t->c->s->panel.sweep.stopped)
		pane_text(&t->p, 0, x, _("stopped"), -1, paint(t, PAINT_WARN));
}

/* ---- all of it ---- */

static void draw_beside(const struct sheet *t, int rows)
{
	int columns = t->p.columns;
	int width = columns < 90 ? at_least(columns - 38, LEAST_NOTES) : at_most(at_least(columns / 2, 52), 64);
	struct notes n = view_sweep_plan_notes(t, rows, width);

	view_sweep_plot(t, t->lower, rows, columns - width - 2);
	if (n.rows)
		view_sweep_notes(t, &n, t->lower, columns - width);
}

/* The notes below the picture, which takes what they leave. */
static void draw_stacked(const struct sheet *t, int rows)
{
	int columns = t->p.columns;
	struct notes n = view_sweep_plan_notes(t, rows - LEAST_PLOT - 1, columns);

	if (rows < LEAST_PLOT || columns < LEAST_PLOT_WIDTH)
		n = view_sweep_plan_notes(t, rows, columns);
	else
		view_sweep_plot(t, t->lower, n.rows ? rows - n.rows - 1 : rows, columns);
	if (n.rows)
		view_sweep_notes(t, &n, t->p.rows - n.rows, 0);
}

void view_sweep(struct canvas *c)
{
	struct sheet t = { .c = c, .s = &c->s->panel.sweep.run, .ascii = c->look.ascii };

	t.p = panel_head(c, _("d_k experiment: does softmax pile up without the scale?"));
	if (!c->s->panel.sweep.ready || t.p.rows < 1)
		return;
	place(&t);
	draw_asked(&t);
	view_sweep_table(&t);
	view_sweep_std(&t);
	int rows = t.p.rows - t.lower;
	if (rows >= LEAST_PLOT && t.p.columns >= LEAST_PLOT_WIDTH + LEAST_NOTES + 2)
		draw_beside(&t, rows);
	else if (rows > 0)
		draw_stacked(&t, rows);
}
