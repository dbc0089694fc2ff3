/* view_heads.c - all heads in small, and what they do in figures.
 *
 * The pictures were computed by head_pictures.c; here they are only drawn.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"
#include "tui/live_dock.h"
#include "tui/text.h"
#include "tui/view_parts.h"

static const struct heads_place *place(const struct canvas *c)
{
	return &c->s->panel.heads.place;
}

/* NULL: not even begun. */
static const struct head_picture *picture(const struct canvas *c, size_t index)
{
	const struct head_pictures *p = c->s->panel.heads.pictures;

	return p ? &p->v[index] : NULL;
}

/* ---- one dot ---- */

enum dot { DOT_UNKNOWN, DOT_NAN, DOT_RANGE, DOT_WEIGHT };

static enum dot dot_at(const struct canvas *c, const struct head_picture *v, int row, int column, double *w)
{
	if (!v->ready || !v->begun[row])
		return DOT_UNKNOWN;
	*w = v->cell[row * place(c)->columns + column];
	return isnan(*w) ? DOT_NAN : *w < 0 || *w > 1 + 1e-6 ? DOT_RANGE : DOT_WEIGHT;
}

static struct heat heat_of(const struct canvas *c, double w)
{
	return color_heat(&c->look, MAP_SEQUENTIAL, w > 1 ? 1 : w);
}

static color dot_color(const struct canvas *c, const struct head_picture *v, int row, int column)
{
	double w;

	switch (dot_at(c, v, row, column, &w)) {
	case DOT_NAN:
		return canvas_paint(c, PAINT_NAN).foreground;
	case DOT_RANGE:
		return canvas_paint(c, PAINT_RANGE).foreground;
	case DOT_WEIGHT:
		return heat_of(c, w).style.background;
	default:
		return COLOR_DEFAULT;
	}
}

/* Two dots, one above the other; below the last row there is nothing. */
static void draw_half(const struct canvas *c, const struct pane *p, int y, int x, const struct head_picture *v, int row, int column)
{
	const struct heads_place *k = place(c);
	int upper = 2 * row / k->down, lower = (2 * row + 1) / k->down;

	panel_two_dots(p, y, x, dot_color(c, v, upper, column), lower < k->rows ? dot_color(c, v, lower, column) : COLOR_DEFAULT);
}

static void draw_whole(const struct canvas *c, const struct pane *p, int y, int x, const struct head_picture *v, int row, int column)
{
	double w;

	switch (dot_at(c, v, row / place(c)->down, column, &w)) {
	case DOT_NAN:
		pane_text(p, y, x, "?", 1, canvas_paint(c, PAINT_NAN));
		break;
	case DOT_RANGE:
		pane_text(p, y, x, "!", 1, canvas_paint(c, PAINT_RANGE));
		break;
	case DOT_WEIGHT: {
		struct heat heat = heat_of(c, w);
		pane_text(p, y, x, *heat.shade ? heat.shade : " ", 1, heat.style);
		break;
	}
	default:
		pane_text(p, y, x, c->look.ascii ? "." : "\u00b7", 1, canvas_paint(c, PAINT_MUTED));
	}
}

static void draw_picture(const struct canvas *c, const struct pane *p, const struct head_picture *v)
{
	const struct heads_place *k = place(c);
	int dots = k->rows * k->down, rows = k->halves ? (dots + 1) / 2 : dots;

	for (int y = 0; y < rows; y++)
		for (int x = 0; x < k->columns * k->across; x++)
			(k->halves ? draw_half : draw_whole)(c, p, y, x, v, y, x / k->across);
}

/* ---- figures ---- */

/* Three columns: ".61", "1.0", "3.2", "131". */
static void three(double x, bool share, char out[NUMBER_SIZE])
{
	char text[NUMBER_SIZE];

	if (isnan(x)) {
		snprintf(out, NUMBER_SIZE, "-");
	} else if (share && x < 0.995) {
		number_fixed(x, 2, text);
		snprintf(out, NUMBER_SIZE, "%s", text + (*text == '0'));
	} else if (x < 9.95) {
		number_fixed(x, 1, out);
	} else if (x < 999.5) {
		number_fixed(x, 0, out);
	} else {	/* "65k", ".1M", "3M" */
		bool thousands = x < 99.5e3;
		number_fixed(x / (thousands ? 1e3 : 1e6), !thousands && x < 0.95e6, text);
		snprintf(out, NUMBER_SIZE, "%s%c", text + (*text == '0'), thousands ? 'k' : 'M');
	}
}

static void digits(double x, char out[NUMBER_SIZE])
{
	if (isnan(x))
		snprintf(out, NUMBER_SIZE, "-");
	else
		number_fixed(x, 3, out);
}

enum { FIGURES = 5 };

struct figure {
	const char *brief, *name, *meaning;
	double value;
	bool share;
};

static void list_figures(const struct head_picture *v, struct figure out[FIGURES])
{
	struct weight_figures f = weight_figures_of(&v->tally);

	out[0] = (struct figure){ _("entr"), _("entropy"), _("of the largest possible: 1 is equal weights on all visible keys"), f.entropy, true };
	out[1] = (struct figure){ _("prev"), _("previous"), _("weight on the key before its own"), f.previous, true };
	out[2] = (struct figure){ _("own"), _("own"), _("weight on the query's own key"), f.own, true };
	out[3] = (struct figure){ _("1st"), _("first"), _("weight on the first key that is no padding"), f.first, true };
	out[4] = (struct figure){ _("dist"), _("distance"), _("keys between the query and where its weight is, |i - j|"), f.distance, false };
}

static void draw_beside(const struct canvas *c, const struct pane *p, const struct head_picture *v)
{
	struct figure f[FIGURES];

	if (!v->done)
		return;
	list_figures(v, f);
	for (int k = 0; k < FIGURES && k < p->rows; k++) {
		char text[NUMBER_SIZE];
		three(f[k].value, f[k].share, text);
		pane_field(p, k, 0, f[k].brief, 4, -1, canvas_paint(c, PAINT_MUTED));
		pane_field(p, k, 5, text, 3, 1, canvas_paint(c, PAINT_TEXT));
	}
}

/* What the figures are means of, and of which rows they are not what they seem. */
static void put_rows(const struct canvas *c, const struct head_picture *v, struct buffer *out)
{
	struct weight_figures f = weight_figures_of(&v->tally);

	if (v->done < c->s->problem->n_q)
		buffer_format(out, _("so far %zu of %zu queries; "), v->done, c->s->problem->n_q);
	if (f.from)
		buffer_format(out, _("means over %zu of %zu queries, from position %zu on"), f.queries, c->s->problem->n_q, f.from);
	else
		buffer_format(out, _("means over %zu of %zu queries"), f.queries, c->s->problem->n_q);
	if (f.left_out)
		buffer_format(out, _("; left out, as nan or without a visible key: %zu"), f.left_out);
	if (f.off_sum)
		buffer_format(out, _("; rows that do not sum to 1: %zu, of weights, not shares"), f.off_sum);
	else if (f.queries)
		buffer_text(out, _("; every row sums to 1"));
}

/* ---- a table of the one that is chosen ---- */

static void put_long(const struct head_picture *v, const char *name, struct buffer *out)
{
	struct figure f[FIGURES];
	char text[FIGURES][NUMBER_SIZE];

	list_figures(v, f);
	for (int k = 0; k < FIGURES; k++)
		digits(f[k].value, text[k]);
	buffer_format(out, _("%s: entropy %s of the largest; weight on previous %s, own %s, first %s; distance %s"), name, text[0],
		      text[1], text[2], text[3], text[4]);
}

static void put_short(const struct head_picture *v, struct buffer *out)
{
	struct figure f[FIGURES];

	list_figures(v, f);
	for (int k = 0; k < FIGURES; k++) {
		char text[NUMBER_SIZE];
		three(f[k].value, f[k].share, text);
		buffer_format(out, "%s%s %s", k ? " " : "", f[k].brief, text);
	}
}

static void table_text(const struct canvas *c, const struct pane *p, const struct head_picture *v, const char *name)
{
	struct buffer text = { 0 };
	int used = 0;

	if (c->s->columns < 60)
		put_short(v, &text);
	else
		put_long(v, name, &text);
	/* What the figures are means of has lines of its own where there are some. */
	if (p->rows > 2 && text.data) {
		used = panel_wrap(p, 0, 0, text.data, p->rows - 1, canvas_paint(c, PAINT_TEXT));
		buffer_free(&text);
	} else {
		buffer_text(&text, "; ");
	}
	put_rows(c, v, &text);
	if (text.data)
		panel_wrap(p, used, 0, text.data, p->rows - used, canvas_paint(c, PAINT_TEXT));
	buffer_free(&text);
}

static void table_lines(const struct canvas *c, const struct pane *p, const struct head_picture *v, const char *name)
{
	struct figure f[FIGURES];
	struct buffer text = { 0 };
	int width = 0;

	list_figures(v, f);
	pane_text(p, 0, 0, name, -1, canvas_paint(c, PAINT_LIT));
	for (int k = 0; k < FIGURES; k++)
		width = text_width(f[k].name, false) > width ? text_width(f[k].name, false) : width;
	for (int k = 0; k < FIGURES; k++) {
		char number[NUMBER_SIZE];
		digits(f[k].value, number);
		pane_text(p, 1 + k, 1, f[k].name, width, canvas_paint(c, PAINT_LABEL));
		pane_field(p, 1 + k, 2 + width, number, 9, 1, canvas_paint(c, PAINT_TEXT));
		pane_text(p, 1 + k, 13 + width, f[k].meaning, -1, canvas_paint(c, PAINT_MUTED));
	}
	put_rows(c, v, &text);
	if (text.data)
		panel_wrap(p, 1 + FIGURES, 1, text.data, p->rows - 1 - FIGURES, canvas_paint(c, PAINT_TEXT));
	buffer_free(&text);
}

static void draw_table(const struct canvas *c, const struct pane *p)
{
	const struct head_picture *v = picture(c, c->s->panel.chosen);
	char name[HEADS_NAME], text[240];

	heads_name(c->s, c->s->panel.chosen, name);
	if (p->rows < 1)
		return;
	if (v && *v->error) {
		snprintf(text, sizeof text, "%s: %s", name, v->error);
		panel_wrap(p, 0, 0, text, p->rows, canvas_paint(c, PAINT_WARN));
	} else if (!v || !v->done) {
		snprintf(text, sizeof text, _("%s: not computed yet"), name);
		pane_text(p, 0, 0, text, -1, canvas_paint(c, PAINT_MUTED));
	} else {
		(p->rows > 1 + FIGURES ? table_lines : table_text)(c, p, v, name);
	}
}

/* ---- all of them ---- */

/* The name that a head earned, and its figure; where both have no room the name is cut, not the figure. */
static void draw_earned(const struct canvas *c, const struct pane *p, int x, const char *words)
{
	const char *figure = strrchr(words, ' ');
	int room = p->columns - x, width = figure ? text_width(figure, c->look.ascii) : 0;

	if (text_width(words, c->look.ascii) <= room || !figure || width + 2 > room) {
		pane_text(p, 0, x, words, room, canvas_paint(c, PAINT_MUTED));
		return;
	}
	pane_text(p, 0, x, words, room - width, canvas_paint(c, PAINT_MUTED));
	pane_text(p, 0, p->columns - width, figure, width, canvas_paint(c, PAINT_MUTED));
}

/* "a>L1H3": its letter, and whether it is chosen or on the screen below; of a model the
 * name that it earned. */
static void draw_name(const struct canvas *c, const struct pane *p, size_t index, char letter)
{
	bool chosen = index == c->s->panel.chosen, shown = index == heads_in_force(c->s);
	struct style style = canvas_paint(c, chosen ? PAINT_LIT : PAINT_LABEL);
	char key[2] = { letter, '\0' }, name[HEADS_NAME], words[64];

	if (chosen)
		style.attributes |= REVERSE;
	heads_name(c->s, index, name);
	pane_text(p, 0, 0, key, 1, canvas_paint(c, PAINT_KEY));
	pane_text(p, 0, 1, chosen ? ">" : shown ? "*" : " ", 1, canvas_paint(c, chosen ? PAINT_LIT : PAINT_WARN));
	int x = 3 + pane_text(p, 0, 2, name, -1, style);
	if (live_head_words(c->s, index / c->s->problem->heads, index % c->s->problem->heads, words, sizeof words))
		draw_earned(c, p, x, words);
}

static void draw_box(const struct canvas *c, const struct pane *p, size_t index, char letter)
{
	const struct heads_place *k = place(c);
	const struct head_picture *v = picture(c, index);
	struct pane below = pane_part(p, 1, 0, p->rows - 1, p->columns);

	draw_name(c, p, index, letter);
	if (!v)
		return;
	if (*v->error) {
		panel_wrap(&below, 0, 0, v->error, below.rows < k->picture_rows ? below.rows : k->picture_rows, canvas_paint(c, PAINT_WARN));
		return;
	}
	draw_picture(c, &below, v);
	if (k->beside) {
		struct pane figures = pane_part(&below, 0, k->columns * k->across + 1, below.rows, k->beside - 1);
		draw_beside(c, &figures, v);
	}
}

static void draw_boxes(const struct canvas *c, const struct pane *p)
{
	const struct heads_place *k = place(c);
	size_t heads = c->s->problem->heads, n = c->s->panel.heads.layers * heads, seen = 0;

	for (size_t i = 0; i < n; i++) {
		size_t line = heads_line(c->s, k, i);
		if (line < c->s->panel.top || line >= c->s->panel.top + (size_t)k->shown)
			continue;
		struct pane box = pane_part(p, (int)(line - c->s->panel.top) * k->box_rows, (int)(i % heads % (size_t)k->per_line) * k->box,
					    k->box_rows, k->box - 1);
		draw_box(c, &box, i, heads_letter(seen++));
	}
}

static void title_text(const struct canvas *c, char *out, size_t size)
{
	const struct heads_place *k = place(c);
	const struct problem *p = c->s->problem;
	char dots[100], part[60] = "";
	size_t down = (p->n_q + (size_t)k->rows - 1) / (size_t)k->rows, across = (p->n_k + (size_t)k->columns - 1) / (size_t)k->columns;

	if (down == 1 && across == 1)
		snprintf(dots, sizeof dots, _("each dot a weight"));
	else
		snprintf(dots, sizeof dots, _("each dot the largest of %zu x %zu weights"), down, across);
	if (k->shown < k->lines)
		snprintf(part, sizeof part, _(", lines %zu-%zu of %d"), c->s->panel.top + 1, c->s->panel.top + (size_t)k->shown, k->lines);
	snprintf(out, size, "%s%s%s", panel_working(c->s) ? _("so far: ") : _("heads: "), dots, part);
}

void view_heads(struct canvas *c)
{
	const struct heads_place *k = place(c);
	char title[240];

	title_text(c, title, sizeof title);
	struct pane p = panel_head(c, title), boxes = pane_part(&p, 0, 0, p.rows - k->table, p.columns);
	struct pane table = pane_part(&p, p.rows - k->table, 0, k->table, p.columns);
	draw_boxes(c, &boxes);
	draw_table(c, &table);
}
