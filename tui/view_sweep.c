/* view_sweep.c - the d_k experiment, filled while it is computed.
 *
 * From the top: what was asked for; the table, and the std of the dot products
 * beside or below it; the picture of the table; what the notebook asks for.
 * Where rows are short, the questions, the notebook's table, the picture and the
 * sentence go, then the std and the lines above the table; where columns are, the
 * sd, the entropies, the std, the notebook's table, the last scale. What is not
 * known yet is a quiet mark.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/message.h"
#include "tui/text.h"
#include "tui/view_parts.h"

enum {
	GAP = 3, PRECISION = 3,
	PITCH = 7, SD_PITCH = 16, SD_PLACE = 7,		/* of a measure, alone and with its sd; where that stands */
	NUMBER_COLUMNS = 6, SD_COLUMNS = 14,		/* what they fill */
	STD_WIDTH = 26, STD_PITCH = 9, STD_POINT = 3,
	NOTE_WIDTH = 41, QUESTION_WIDTH = 41, ANSWER = 27,
	LEAST_PLOT = 6, LEAST_PLOT_WIDTH = 31, LEAST_NOTES = 24, LEAST_LOWER = 8, LEAST_TABLE = 5,
};

static const struct series {
	const char *glyph[2], *head[2];		/* UTF-8, ASCII */
	enum paint paint;
} series[SWEEP_SCALE_COUNT] = {
	[SWEEP_NONE] = { { "\u25cf", "o" }, { "none", "none" }, PAINT_KEY },
	[SWEEP_SQRT] = { { "\u25a0", "x" }, { "\u00f7\u221ad_k", "/sqrt" }, PAINT_OK },
	[SWEEP_DK] = { { "\u25b2", "+" }, { "\u00f7d_k", "/d_k" }, PAINT_LABEL },
};

/* Where the parts stand in the pane. */
struct sheet {
	struct canvas *c;
	const struct sweep *s;
	struct pane p;
	int ascii;			/* index of what is there in UTF-8 and in ASCII */
	int d_k_width;
	bool asked, groups;		/* the lines above the table's head */
	int measures;			/* columns of the table */
	bool sd[2];			/* of the largest weights, of the entropies */
	int table, table_rows;		/* first row below the heads, rows of d_k and of what is left out */
	bool even;			/* and a row for weights that are all alike */
	int std, std_column, std_rows;	/* without the heads; 0: not shown */
	int lower;			/* where the picture and the notes begin */
};

/* ---- small things ---- */

static struct style paint(const struct sheet *t, enum paint p)
{
	return color_paint(&t->c->look, p);
}

static const char *root(const struct sheet *t)
{
	return t->ascii ? "sqrt(d_k)" : "\u221ad_k";
}

static int at_most(int x, int most)
{
	return x < most ? x : most;
}

static int at_least(int x, int least)
{
	return x > least ? x : least;
}

/* The place of a d_k in a list, or the list's length. */
static size_t find_size(const struct sweep_sizes *l, size_t d_k)
{
	size_t k = 0;

	while (k < l->count && l->v[k] != d_k)
		k++;
	return k;
}

static int size_width(const struct sweep_sizes *l, int least)
{
	char text[32];
	int width = least;

	for (size_t k = 0; k < l->count; k++)
		width = at_least(snprintf(text, sizeof text, "%zu", l->v[k]), width);
	return width;
}

/* As np.round prints; what only rounds to zero does not pass for it. */
static void rounded_text(double x, char out[NUMBER_SIZE])
{
	double rounded = number_round(x, PRECISION);

	if (rounded == 0 && x != 0)
		snprintf(out, NUMBER_SIZE, "~0");
	else
		number_shortest(rounded, out);
}

/* A number whose decimal point stands in that column, or the mark of none. */
static void put_number(const struct sheet *t, int row, int point, double x, bool known, enum paint p)
{
	char text[NUMBER_SIZE];

	if (!known) {
		pane_text(&t->p, row, point - 1, t->ascii ? "." : "\u00b7", -1, paint(t, PAINT_MUTED));
		return;
	}
	rounded_text(x, text);
	pane_text(&t->p, row, point - (int)strcspn(text, "."), text, -1, paint(t, p));
}

static void put_size(const struct sheet *t, int row, int column, int width, size_t d_k)
{
	char text[32];

	snprintf(text, sizeof text, "%*zu", width, d_k);
	pane_text(&t->p, row, column, text, -1, paint(t, PAINT_TEXT));
}

/* Of `count` lines in so many rows: those shown before the line that counts the others. */
static size_t lines_shown(size_t count, int rows)
{
	if (rows <= 0)
		return 0;
	return count <= (size_t)rows ? count : (size_t)rows - 1;
}

static void put_more(const struct sheet *t, int row, int column, size_t left_out)
{
	char text[40];

	snprintf(text, sizeof text, _("+%zu more"), left_out);
	if (left_out)
		pane_text(&t->p, row, column, text, -1, paint(t, PAINT_WARN));
}

/* ---- where things stand ---- */

static int group_of(int measure)
{
	return measure >= SWEEP_ENTROPY;
}

static int pitch(const struct sheet *t, int group)
{
	return t->sd[group] ? SD_PITCH : PITCH;
}

static int measure_column(const struct sheet *t, int measure)
{
	int group = group_of(measure);
	int column = t->d_k_width + 2 + measure % SWEEP_SCALE_COUNT * pitch(t, group);

	return group ? column + SWEEP_SCALE_COUNT * pitch(t, 0) + 1 : column;
}

static int table_width(const struct sheet *t)
{
	int last = t->measures - 1;

	return measure_column(t, last) + (t->sd[group_of(last)] ? SD_COLUMNS : NUMBER_COLUMNS);
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
	t->d_k_width = size_width(&t->s->request.d_k, 4);
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

/* ---- the table ---- */

static void draw_group(const struct sheet *t, int group, const char *text, const char *shorter)
{
	int column = measure_column(t, group ? SWEEP_ENTROPY : SWEEP_LARGEST), x = column;

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
		const struct series *of = &series[m % SWEEP_SCALE_COUNT];
		pane_text(&t->p, row, measure_column(t, m), of->head[t->ascii], -1, paint(t, of->paint));
	}
}

static int measure_point(const struct sheet *t, int measure)
{
	/* The only numbers here that may reach 10 are the entropies of many keys. */
	return measure_column(t, measure) + 1 + (group_of(measure) && t->s->request.n >= 1000);
}

/* One repeat has no spread. */
static void draw_sd(const struct sheet *t, int row, size_t item, int measure)
{
	char text[NUMBER_SIZE];
	int x = measure_column(t, measure) + SD_PLACE;

	if (sweep_repeats_done(t->s, item) < 2)
		return;
	x += pane_text(&t->p, row, x, t->ascii ? "+-" : "\u00b1", -1, paint(t, PAINT_MUTED));
	rounded_text(sweep_sd(t->s, item, measure), text);
	pane_text(&t->p, row, x, text, -1, paint(t, PAINT_MUTED));
}

static void draw_line(const struct sheet *t, int row, size_t item)
{
	put_size(t, row, 0, t->d_k_width, t->s->request.d_k.v[item]);
	for (int m = 0; m < t->measures; m++) {
		put_number(t, row, measure_point(t, m), sweep_mean(t->s, item, m), sweep_repeats_done(t->s, item), PAINT_TEXT);
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
		put_number(t, row, measure_point(t, m), group_of(m) ? log2(n) : 1 / n, true, PAINT_MUTED);
}

static void draw_table(const struct sheet *t)
{
	size_t count = t->s->request.d_k.count, shown = lines_shown(count, t->table_rows);

	draw_heads(t);
	for (size_t k = 0; k < shown; k++)
		draw_line(t, t->table + (int)k, k);
	put_more(t, t->table + (int)shown, 0, count - shown);
	if (t->even)
		draw_even(t, t->table + (int)shown);
}

/* ---- the std of the dot products ---- */

static void draw_std(const struct sheet *t)
{
	const struct sweep_request *r = &t->s->request;
	size_t shown = lines_shown(r->std_d_k.count, t->std_rows);
	int x = t->std_column, width = size_width(&r->std_d_k, 4), std = x + width + 2, sqrt_d_k = std + STD_PITCH;
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
		put_size(t, row, x, width, r->std_d_k.v[k]);
		put_number(t, row, std + STD_POINT, t->s->std[k], k < sweep_std_done(t->s), PAINT_TEXT);
		if (with_root)
			put_number(t, row, sqrt_d_k + STD_POINT, sqrt((double)r->std_d_k.v[k]), true, PAINT_MUTED);
	}
	put_more(t, t->std + (int)shown, x, r->std_d_k.count - shown);
}

/* ---- the picture ---- */

enum { TICKS = 4, TENTHS_ROWS = 21 };	/* columns left of the points; rows for a tick a tenth */

struct plot {
	const struct sheet *t;
	struct pane p;
	int rows;			/* of the points, between legend and labels */
	size_t count;			/* of d_k that have a place */
	size_t item[SWEEP_LIST];	/* by rising d_k */
	int x[SWEEP_LIST];
};

/* All d_k by their size. */
static void sort_items(const struct sweep_sizes *l, size_t item[SWEEP_LIST])
{
	for (size_t k = 0; k < l->count; k++) {
		size_t at = k;
		for (; at && l->v[item[at - 1]] > l->v[k]; at--)
			item[at] = item[at - 1];
		item[at] = k;
	}
}

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
				  series[scale].glyph[g->t->ascii], -1, paint(g->t, series[scale].paint));
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
		snprintf(text, sizeof text, "%s %s", series[scale].glyph[ascii], series[scale].head[ascii]);
		x += 1 + pane_text(&g->p, 0, x, text, -1, paint(g->t, series[scale].paint));
	}
	snprintf(text, sizeof text, _("%s uniform 1/%zu"), ascii ? "-" : "\u2504", g->t->s->request.n);
	if (x + text_width(text, ascii) > g->p.columns)
		text[strcspn(text, "1") - 1] = '\0';
	pane_text(&g->p, 0, x, text, -1, paint(g->t, PAINT_MUTED));
}

static void draw_plot(const struct sheet *t, int row, int rows, int columns)
{
	struct plot g = { .t = t, .p = pane_part(&t->p, row, 0, rows, columns), .rows = point_rows(rows - 2) };
	const struct sweep_sizes *l = &t->s->request.d_k;
	int slot = size_width(l, 3) + 1, room = g.p.columns - TICKS;

	if ((size_t)(room / slot) < l->count)
		room -= 4;		/* for how many have no place */
	if (room < slot)
		return;
	sort_items(l, g.item);
	thin_out(&g, l->count, (size_t)(room / slot));
	place_points(&g, slot, room);
	draw_legend(&g);
	draw_axis(&g);
	draw_points(&g);
	draw_labels(&g);
}

/* ---- the notebook ---- */

static const char *const sentence[] = {		/* by what is revealed */
	N_("As d_k grows, softmax without the scale {________}, because the variance of the dot product is "
	   "proportional to {________}."),
	N_("As d_k grows, softmax without the scale {piles up on one key}, because the variance of the dot product is "
	   "proportional to {d_k}."),
};

void view_sweep_sentence(bool revealed, struct buffer *out)
{
	for (const char *p = _(sentence[revealed]); *p; p++)
		if (*p != '{' && *p != '}')
			buffer_put(out, p, 1);
}

/* One word; what is in braces is lit. */
static int draw_word(const struct sheet *t, const struct pane *p, int row, int x, const char *word, size_t n, bool *lit)
{
	char part[64];
	int start = x;

	for (size_t k = 0, m; k < n; k += m) {
		m = strcspn(word + k, "{} ");
		snprintf(part, sizeof part, "%.*s", (int)m, word + k);
		x += pane_text(p, row, x, part, -1, paint(t, *lit ? PAINT_KEY : PAINT_TEXT));
		if (k + m < n) {
			*lit = word[k + m] == '{';
			m++;
		}
	}
	return x - start;
}

/* Its columns, without the braces. */
static int word_width(const char *word, size_t n, bool ascii)
{
	char part[200];
	size_t m = 0;

	for (size_t k = 0; k < n && m + 1 < sizeof part; k++)
		if (word[k] != '{' && word[k] != '}')
			part[m++] = word[k];
	part[m] = '\0';
	return text_width(part, ascii);
}

/* The sentence, broken at blanks; returns the rows that it takes. */
static int draw_sentence(const struct sheet *t, const struct pane *p, int row, const char *text)
{
	int x = 0, first = row;
	bool lit = false;

	while (*text) {
		size_t n = strcspn(text, " ");
		int width = word_width(text, n, t->ascii);
		if (x && x + 1 + width > p->columns) {
			row++;
			x = 0;
		}
		x += x > 0;
		draw_word(t, p, row, x, text, n, &lit);
		x += width;
		text += n;
		text += strspn(text, " ");
	}
	return row - first + 1;
}

/* What there is room for. */
struct notes {
	bool title;
	int sentence, table, questions;		/* rows of each; the table's with its head */
	int rows, gap;
};

/* d_k of which the weights and the std are measured. */
static size_t common_sizes(const struct sheet *t)
{
	const struct sweep_request *r = &t->s->request;
	size_t n = 0;

	for (size_t k = 0; k < r->d_k.count; k++)
		n += find_size(&r->std_d_k, r->d_k.v[k]) < r->std_d_k.count;
	return n;
}

/* Nothing moves when the blanks are filled: the longer text counts. */
static int sentence_rows(const struct sheet *t, int columns)
{
	struct pane nowhere = pane_part(&t->p, 0, 0, 0, columns);

	return at_least(draw_sentence(t, &nowhere, 0, _(sentence[0])), draw_sentence(t, &nowhere, 0, _(sentence[1])));
}

static struct notes plan_notes(const struct sheet *t, int rows, int columns)
{
	struct notes n = { .sentence = sentence_rows(t, columns) };
	int common = (int)common_sizes(t), questions = t->s->request.std_d_k.count ? 3 : 2;

	if (n.sentence > rows)
		return (struct notes){ 0 };
	n.title = n.sentence < rows;
	n.rows = n.sentence + n.title;
	if (common && columns >= NOTE_WIDTH && rows - n.rows >= at_most(1 + common, 3))
		n.table = at_most(1 + common, rows - n.rows);
	n.rows += n.table;
	if (columns >= QUESTION_WIDTH && rows - n.rows >= questions)
		n.questions = questions;
	n.rows += n.questions;
	n.gap = rows - n.rows >= 3;
	n.rows += n.gap * ((n.table > 0) + (n.questions > 0));
	return n;
}

static const int note_column[] = { 0, 9, 16, 25 };	/* after the d_k, with a gap */

/* One number of the notebook: a blank until it is to be shown. */
static void put_note(const struct sheet *t, int row, int column, int point, double x, bool known)
{
	if (t->c->s->panel.sweep.revealed)
		put_number(t, row, column + point, x, known, PAINT_KEY);
	else
		pane_text(&t->p, row, column, "____", -1, paint(t, PAINT_MUTED));
}

static void draw_note(const struct sheet *t, int row, int x, int width, size_t item, size_t std)
{
	size_t d_k = t->s->request.d_k.v[item];
	bool known = sweep_repeats_done(t->s, item);

	put_size(t, row, x, width, d_k);
	x += width + 2;
	put_note(t, row, x + note_column[0], 1, sweep_mean(t->s, item, SWEEP_LARGEST + SWEEP_NONE), known);
	put_note(t, row, x + note_column[1], 1, sweep_mean(t->s, item, SWEEP_LARGEST + SWEEP_SQRT), known);
	put_note(t, row, x + note_column[2], STD_POINT, t->s->std[std], std < sweep_std_done(t->s));
	put_note(t, row, x + note_column[3], STD_POINT, sqrt((double)d_k), true);
}

static void draw_notebook(const struct sheet *t, int row, int x, int rows)
{
	const struct sweep_request *r = &t->s->request;
	const char *const heads[] = { _("unscaled"), _("scaled"), t->ascii ? "std q.k" : "std q\u00b7k", root(t) };
	size_t common = common_sizes(t), shown = lines_shown(common, rows - 1), done = 0;

	pane_field(&t->p, row, x, "d_k", t->d_k_width, 1, paint(t, PAINT_LABEL));
	for (int k = 0; k < 4; k++)
		pane_text(&t->p, row, x + t->d_k_width + 2 + note_column[k], heads[k], -1, paint(t, PAINT_LABEL));
	for (size_t k = 0; k < r->d_k.count && done < shown; k++) {
		size_t std = find_size(&r->std_d_k, r->d_k.v[k]);
		if (std < r->std_d_k.count)
			draw_note(t, row + 1 + (int)done++, x, t->d_k_width, k, std);
	}
	put_more(t, row + 1 + (int)shown, x, common - shown);
}

/* ---- the questions ---- */

struct range { double first, last, low, high; bool known; };

static void widen(struct range *r, double x)
{
	if (!r->known)
		*r = (struct range){ x, x, x, x, true };
	r->last = x;
	r->low = fmin(r->low, x);
	r->high = fmax(r->high, x);
}

/* Of the means that are known, by rising d_k. */
static struct range largest_range(const struct sheet *t, int scale)
{
	struct range r = { .known = false };
	size_t item[SWEEP_LIST];

	sort_items(&t->s->request.d_k, item);
	for (size_t k = 0; k < t->s->request.d_k.count; k++)
		if (sweep_repeats_done(t->s, item[k]))
			widen(&r, sweep_mean(t->s, item[k], SWEEP_LARGEST + scale));
	return r;
}

static struct range std_range(const struct sheet *t)
{
	struct range r = { .known = false };

	for (size_t k = 0; k < sweep_std_done(t->s); k++)
		widen(&r, t->s->std[k] / sqrt((double)t->s->request.std_d_k.v[k]));
	return r;
}

/* A question, and what was seen once that is to be shown. */
static void draw_question(const struct sheet *t, int row, int x, const char *question, double from, const char *between,
			  double to, bool known)
{
	char a[NUMBER_SIZE], b[NUMBER_SIZE], text[2 * NUMBER_SIZE + 40];

	pane_text(&t->p, row, x, question, -1, paint(t, PAINT_TEXT));
	if (!t->c->s->panel.sweep.revealed || !known)
		return;
	rounded_text(from, a);
	rounded_text(to, b);
	snprintf(text, sizeof text, "%s %s %s", a, between, b);
	pane_text(&t->p, row, x + ANSWER, text, -1, paint(t, PAINT_KEY));
}

static void draw_questions(const struct sheet *t, int row, int x, int rows)
{
	struct range none = largest_range(t, SWEEP_NONE), scaled = largest_range(t, SWEEP_SQRT), std = std_range(t);
	char text[64];

	draw_question(t, row, x, _("Does unscaled approach 1?"), none.first, t->ascii ? "->" : "\u2192", none.last, none.known);
	draw_question(t, row + 1, x, _("Does scaled stay put?"), scaled.low, _("to"), scaled.high, scaled.known);
	snprintf(text, sizeof text, _("Is std / %s near 1?"), root(t));
	if (rows > 2)
		draw_question(t, row + 2, x, text, std.low, _("to"), std.high, std.known);
}

static void draw_notes(const struct sheet *t, const struct notes *n, int row, int x)
{
	bool revealed = t->c->s->panel.sweep.revealed;
	const char *const titles[] = {
		revealed ? N_("notebook: Space empties it") : N_("notebook: Space fills it in"),
		revealed ? N_("Space empties it") : N_("Space fills it in"), NULL,
	};

	if (n->title) {
		const char *title = panel_fitting(titles, t->p.columns - x, t->ascii);
		canvas_hit(t->c, t->p.row + row, t->p.column + x, text_width(title, t->ascii), CMD_FORWARD);
		pane_text(&t->p, row++, x, title, -1, paint(t, PAINT_TITLE));
	}
	if (n->table) {
		draw_notebook(t, row, x, n->table);
		row += n->table + n->gap;
	}
	struct pane p = pane_part(&t->p, row, x, n->sentence, t->p.columns - x);
	draw_sentence(t, &p, 0, _(sentence[revealed]));
	row += n->sentence + n->gap;
	if (n->questions)
		draw_questions(t, row, x, n->questions);
}

/* ---- all of it ---- */

static void draw_beside(const struct sheet *t, int rows)
{
	int columns = t->p.columns;
	int width = columns < 90 ? at_least(columns - 38, LEAST_NOTES) : at_most(at_least(columns / 2, 52), 64);
	struct notes n = plan_notes(t, rows, width);

	draw_plot(t, t->lower, rows, columns - width - 2);
	if (n.rows)
		draw_notes(t, &n, t->lower, columns - width);
}

/* The notes below the picture, which takes what they leave. */
static void draw_stacked(const struct sheet *t, int rows)
{
	int columns = t->p.columns;
	struct notes n = plan_notes(t, rows - LEAST_PLOT - 1, columns);

	if (rows < LEAST_PLOT || columns < LEAST_PLOT_WIDTH)
		n = plan_notes(t, rows, columns);
	else
		draw_plot(t, t->lower, n.rows ? rows - n.rows - 1 : rows, columns);
	if (n.rows)
		draw_notes(t, &n, t->p.rows - n.rows, 0);
}

void view_sweep(struct canvas *c)
{
	struct sheet t = { .c = c, .s = &c->s->panel.sweep.run, .ascii = c->look.ascii };

	t.p = panel_head(c, _("d_k experiment: does softmax pile up without the scale?"));
	if (!c->s->panel.sweep.ready || t.p.rows < 1)
		return;
	place(&t);
	draw_asked(&t);
	draw_table(&t);
	draw_std(&t);
	int rows = t.p.rows - t.lower;
	if (rows >= LEAST_PLOT && t.p.columns >= LEAST_PLOT_WIDTH + LEAST_NOTES + 2)
		draw_beside(&t, rows);
	else if (rows > 0)
		draw_stacked(&t, rows);
}
