/* view_gradient.c - how much the weights still react: the softmax Jacobian of one row, and a bar for each row.
 *
 * Left dw_j/dx_k of the row under the cursor, a window of keys that holds the
 * cursor's; right each query row's reaction (core/gradient.h) against the most it
 * can be. The bars are the point: where there is no room for both they stay.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "core/message.h"
#include "tui/digits.h"
#include "tui/text.h"
#include "tui/view_parts.h"

/* Shares of the most, in per cent. Below the first one weight is about .93 among two
 * keys, .87 among many; above the second the largest is below .75, below .55. */
enum { SATURATED = 25, OPEN = 75 };

enum { BAR_LEAST = 4, BAR_USUAL = 10, BAR_MOST = 40, GAP = 3, TOKEN_MOST = 8, TEXT = 200 };

/* Where things stand in the pane below the head. */
struct places {
	int sentence, labels;		/* rows; -1: no room */
	int picture, rows;		/* first row of the pictures, and how many there is room for */
	int precision;
	/* the matrix; columns 0: no room */
	size_t top, left, shown, columns;
	int label_width, number_width, needed;
	/* the bars */
	size_t first, bars;		/* query rows */
	int x, token_width, bar_width;
	bool with_most;
};

/* ---- the numbers of a row ---- */

static bool is_given(const struct state *s)
{
	return s->problem->source == SOURCE_WEIGHTS;
}

/* Keys that may have a weight: the visible ones, and those that got one though hidden. */
static size_t keys_with_weight(const struct row *r, size_t n_k)
{
	size_t n = 0;

	for (size_t j = 0; j < n_k; j++)
		n += !mask_hides(r->rules[j]) || r->weights[j] != 0;
	return n;
}

/* What the reaction cannot exceed; nan where it is not that of one softmax over the row. */
static double most(const struct state *s, const struct row *r)
{
	const struct options *o = &s->grid.attention.options;
	size_t n_k = s->problem->n_k, n = keys_with_weight(r, n_k);

	if (is_given(s))
		return r->verdict == VERDICT_OK ? 1 - 1.0 / (double)n_k : NAN;
	if (o->softmax == SOFTMAX_COLUMN || o->softmax_times > 1 || o->dropout.number > 0)
		return NAN;
	/* A row set by empty-row is the same whatever the scores. */
	if (!n || (!r->visible && o->empty_row != EMPTY_LITERAL))
		return 0;
	/* Masked after softmax one visible key still shares with the hidden ones: w (1 - w). */
	if (n == 1 && n_k > 1 && o->mask_at == MASK_AFTER)
		return 0.25;
	return 1 - 1.0 / (double)n;
}

struct mean {
	double reaction, most;		/* of the rows that are no nan; most nan: not known */
	size_t from, to, rows;		/* rows: of them that are no nan */
};

static struct mean mean_of(struct state *s, const struct places *at)
{
	const struct problem *p = s->problem;
	struct mean m = { 0, 0, at->first, at->first + at->bars, 0 };

	if (p->n_q <= PANEL_MEAN_ROWS && p->n_k <= PANEL_MEAN_KEYS) {
		m.from = 0;
		m.to = p->n_q;
	}
	for (size_t i = m.from; i < m.to; i++) {
		const struct row *r = grid_row(&s->grid, i, STAGE_WEIGHTS);
		double reaction = gradient_reaction(r, &s->grid.attention);
		if (isnan(reaction))
			continue;
		m.reaction += reaction;
		m.most += most(s, r);
		m.rows++;
	}
	if (m.rows) {
		m.reaction /= (double)m.rows;
		m.most /= (double)m.rows;
	}
	return m;
}

/* ---- room ---- */

/* Whether the cursor is on a query row, of which the matrix is. */
static bool on_query(const struct canvas *c)
{
	return state_query(c->s, c->s->row) != NULL;
}

/* Whether k is the key under the cursor; at other stages there is none. */
static bool is_cursor_key(const struct state *s, size_t k)
{
	return state_is_grid(s) && k == s->column;
}

/* The grid's own rows, and as many more as there is room for. */
static void place_bars(const struct canvas *c, struct places *at)
{
	const struct state *s = c->s;
	size_t n_q = s->problem->n_q, room = (size_t)at->rows, row = s->row;
	size_t first = s->top < n_q ? s->top : 0;

	if (!on_query(c))
		first = row = 0;
	if (row >= first + room)
		first = row - room + 1;
	if (first + room > n_q)
		first = n_q > room ? n_q - room : 0;
	at->first = first;
	at->bars = n_q - first < room ? n_q - first : room;
	at->token_width = panel_widest(&s->problem->query_tokens, at->first, at->bars, 1, TOKEN_MOST, c->look.ascii);
}

static int bar_number(const struct places *at)
{
	return at->precision < 3 ? 5 : at->precision + 2;
}

static int bars_width(const struct places *at)
{
	int number = bar_number(at);

	return 2 + at->token_width + 1 + at->bar_width + 1 + number + (at->with_most ? 4 + number : 0);
}

/* The window of the matrix, in so many columns. */
static void place_matrix(const struct canvas *c, struct places *at, int columns)
{
	const struct state *s = c->s;
	size_t n_k = s->problem->n_k, key = state_is_grid(s) ? s->column : 0;

	at->top = s->panel.top < n_k ? s->panel.top : 0;
	at->shown = n_k - at->top < (size_t)at->rows ? n_k - at->top : (size_t)at->rows;
	at->label_width = panel_widest(&s->problem->key_tokens, at->top, at->shown, 5, TOKEN_MOST, c->look.ascii);
	int cell = at->number_width + 1, room = (columns - at->label_width - 2) / cell;
	size_t least = n_k < 2 ? n_k : 2;
	at->needed = at->label_width + 2 + (int)least * cell;
	if (room < (int)least || at->labels < 0 || !on_query(c))
		return;
	at->columns = n_k < (size_t)room ? n_k : (size_t)room;
	at->left = state_is_grid(s) && s->left <= key ? s->left : 0;
	if (key >= at->left + at->columns)
		at->left = key - at->columns + 1;
	if (at->left + at->columns > n_k)
		at->left = n_k - at->columns;
}

/* The bars take what the matrix leaves; alone, all there is, and the least first without `of at most`. */
static void place_across(const struct canvas *c, struct places *at)
{
	int columns = c->s->columns;

	at->bar_width = BAR_USUAL;
	at->with_most = true;
	place_matrix(c, at, columns - GAP - bars_width(at));
	if (at->columns)
		at->x = at->label_width + 2 + (int)at->columns * (at->number_width + 1) + GAP;
	at->bar_width = BAR_LEAST;
	if (at->x + bars_width(at) > columns)
		at->with_most = false;
	int spare = columns - at->x - bars_width(at);
	at->bar_width += spare < 0 ? 0 : spare < BAR_MOST - BAR_LEAST ? spare : BAR_MOST - BAR_LEAST;
}

static struct places places_of(const struct canvas *c)
{
	struct places at = { .sentence = -1, .labels = -1 };
	int rows = c->l.panel_rows - 1, precision = state_precision(c->s);

	at.precision = precision < 2 ? 2 : precision > 6 ? 6 : precision;
	at.number_width = at.precision + 3;
	if (rows >= 2)
		at.sentence = at.picture++;
	if (rows >= 3)
		at.labels = at.picture++;
	at.rows = rows - at.picture < 1 ? 1 : rows - at.picture;
	place_bars(c, &at);
	place_across(c, &at);
	return at;
}

/* ---- the head and the sentence ---- */

static void mean_text(const struct mean *m, int precision, const char *of, char *out, size_t size)
{
	if (!m->rows)
		snprintf(out, size, "nan");
	else if (isnan(m->most))
		snprintf(out, size, "%.*f", precision, m->reaction);
	else
		snprintf(out, size, "%.*f%s%.*f", precision, m->reaction, of, precision, m->most);
}

static struct pane head(struct canvas *c, const struct places *at, const struct mean *m)
{
	char numbers[TEXT / 2], few[TEXT / 2], of[TEXT / 2];
	size_t rows = m->to - m->from;
	char text[3][2 * TEXT];
	const char *forms[] = { text[0], text[1], text[2], few, NULL };
	bool all = m->from == 0 && m->to == c->s->problem->n_q;

	mean_text(m, at->precision, _(" of at most "), numbers, sizeof numbers);
	mean_text(m, 2, _(" of "), few, sizeof few);
	if (m->rows && m->rows < rows)		/* the others are nan */
		snprintf(of, sizeof of, _("%zu of %s%zu rows"), m->rows, all ? "" : _("these "), rows);
	else if (all)
		snprintf(of, sizeof of, rows == 1 ? _("%zu row") : _("%zu rows"), rows);
	else
		snprintf(of, sizeof of, _("rows %zu-%zu"), m->from, m->to - 1);
	snprintf(text[0], sizeof text[0], _("gradient of row %zu: mean reaction of %s %s"), c->s->row, of, numbers);
	snprintf(text[1], sizeof text[1], _("mean reaction of %s %s"), of, numbers);
	snprintf(text[2], sizeof text[2], _("reaction %s"), few);
	return panel_head(c, panel_fitting(forms + !on_query(c), c->s->columns - 5, c->look.ascii));
}

/* The share and what it says, in forms of falling length. */
static void share_text(const struct mean *m, int room, bool ascii, char out[TEXT])
{
	double share = 100 * m->reaction / m->most;
	bool saturated = share < SATURATED, open = share > OPEN;
	char text[4][TEXT];
	const char *forms[] = { text[0], text[1], text[2], text[3], NULL };
	const char *word = saturated ? _("saturated") : open ? _("not saturated") : _("partly saturated");

	snprintf(text[0], TEXT, _("%.0f %% of what is possible: %s%s"), share, word,
		 saturated ? _(", a change of a score moves little: little is learned")
		 : open ? _(", a change of a score moves the weights") : _(", a change of a score moves the weights less than it could"));
	snprintf(text[1], TEXT, _("%.0f %% of the most: %s%s"), share, word,
		 saturated ? _(", little is learned") : open ? _(", scores move weights") : "");
	snprintf(text[2], TEXT, _("%.0f %% of the most: %s"), share, word);
	snprintf(text[3], TEXT, "%.0f %%: %s", share, word);
	snprintf(out, TEXT, "%s", panel_fitting(forms, room, ascii));
}

/* Why the numbers are missing, or what the mean says. */
static enum paint meaning(const struct canvas *c, const struct mean *m, int room, char out[TEXT])
{
	static const char *const unknown[] = { N_("the most that a row can reach is not known for this softmax: compare the bars"),
					       N_("the most is not known for this softmax"), NULL };
	static const char *const given[] = { N_("weights are given and do not all sum to 1: there is no most to compare with"),
					     N_("given weights that do not sum to 1"), NULL };
	static const char *const alone[] = { N_("one key a row: its weight stays 1 whatever its score, so nothing is learned"),
					     N_("one key a row: nothing is learned"), NULL };
	static const char *const twice[] = { N_("two softmaxes over columns: a score comes back to its row through all others, which no row knows"),
					     N_("two softmaxes over columns: not known from one row"), N_("not known: two column softmaxes"), NULL };
	static const char *const input[] = { N_("the cursor is on no query row; Tab goes to the stages whose rows are queries"),
					     N_("the cursor is on no query row"), NULL };
	struct state *s = c->s;
	bool ascii = c->look.ascii;
	const struct row *r = state_query(s, s->row);

	if (!gradient_known(&s->grid.attention)) {
		snprintf(out, TEXT, "%s", panel_fitting(twice, room, ascii));
	} else if (r && isnan(gradient_reaction(r, &s->grid.attention))) {
		const char *why = view_cause(s, r);
		snprintf(out, TEXT, _("row %zu: %s%snan, and so is its gradient"), s->row, why, *why ? ": " : "");
	} else if (!r) {
		snprintf(out, TEXT, "%s", panel_fitting(input, room, ascii));
		return PAINT_TEXT;
	} else {
		if (isnan(m->most))
			snprintf(out, TEXT, "%s", panel_fitting(is_given(s) ? given : unknown, room, ascii));
		else if (m->most == 0)
			snprintf(out, TEXT, "%s", panel_fitting(alone, room, ascii));
		else
			share_text(m, room, ascii, out);
		return PAINT_TEXT;
	}
	return PAINT_WARN;
}

/* What the window of the matrix leaves out. */
static void left_out(const struct state *s, const struct places *at, char out[TEXT])
{
	size_t n_k = s->problem->n_k, across = n_k - at->columns, down = n_k - at->shown;

	*out = '\0';
	if (!at->columns)
		return;
	if (across && down)
		snprintf(out, TEXT, _("%zu more keys across, %zu down"), across, down);
	else if (across || down)
		snprintf(out, TEXT, "%zu more key%s %s", across + down, across + down == 1 ? "" : "s", across ? "across" : "down");
}

static void draw_sentence(const struct canvas *c, const struct pane *p, const struct places *at, const struct mean *m)
{
	char text[TEXT], note[TEXT];

	if (at->sentence < 0)
		return;
	left_out(c->s, at, note);
	int width = (int)strlen(note), room = p->columns - (width ? width + 2 : 0);
	enum paint paint = meaning(c, m, room, text);
	if (text_width(text, c->look.ascii) > room) {	/* the words are worth more than the note */
		width = 0;
		room = p->columns;
	}
	pane_text(p, at->sentence, 0, text, room, color_paint(&c->look, paint));
	pane_text(p, at->sentence, p->columns - width, note, -1, color_paint(&c->look, PAINT_MUTED));
}

/* ---- the matrix ---- */

/* Symmetric about 0, made from the visible numbers shown. */
static struct scale matrix_scale(const struct row *r, const struct places *at, const double *v)
{
	double largest = 0;

	for (size_t j = 0; j < at->shown; j++)
		for (size_t k = 0; k < at->columns; k++) {
			double x = fabs(v[j * at->columns + k]);
			bool hidden = mask_hides(r->rules[at->top + j]) || mask_hides(r->rules[at->left + k]);
			if (!hidden && isfinite(x) && x > largest)
				largest = x;
		}
	return (struct scale){ .map = MAP_DIVERGING, .low = -largest, .high = largest, .constant = largest == 0 };
}

static struct style cell_style(const struct canvas *c, const struct scale *scale, enum number_look look, double x, const char **shade)
{
	*shade = "";
	if (look == LOOK_HIDDEN)
		return color_paint(&c->look, PAINT_HIDDEN);
	if (look == LOOK_NAN)
		return color_paint(&c->look, PAINT_NAN);
	struct heat heat = color_heat(&c->look, MAP_DIVERGING, scale_value(scale, x));
	*shade = heat.shade;
	return heat.style;
}

/* Returns the column of the number's first digit; it ends with the cell. */
static int draw_cell(const struct canvas *c, const struct pane *p, const struct places *at, const struct scale *scale,
		     int y, int x, double value, bool hidden)
{
	struct digits_rule rule = { at->precision, at->number_width, false, c->look.ascii };
	char text[DIGITS_SIZE];
	const char *shade;
	enum number_look look = digits_cell(value, hidden, &rule, text);
	struct style style = cell_style(c, scale, look, value, &shade);

	pane_field(p, y, x, *shade ? shade : " ", 1, -1, style);
	pane_field(p, y, x + 1, text, at->number_width, 1, style);
	return x + 1 + at->number_width - text_width(text, c->look.ascii);
}

/* A bracket on what stands there: found without colour. */
static void bracket(const struct pane *p, int y, int x, const char *text)
{
	if (x >= p->columns)
		return;
	struct style style = cells_at(p->cells, p->row + y, p->column + x)->style;

	style.attributes |= BOLD;
	pane_field(p, y, x, text, 1, -1, style);
}

static void draw_matrix_row(const struct canvas *c, const struct pane *p, const struct places *at, const struct row *r,
			    const struct scale *scale, size_t j, const double *v)
{
	struct style label = color_paint(&c->look, PAINT_LABEL);
	int y = at->picture + (int)(j - at->top), open = -1, close = -1;

	if (is_cursor_key(c->s, j))
		label.attributes |= BOLD;
	pane_field(p, y, 0, token_label(&c->s->problem->key_tokens, j), at->label_width, -1, label);
	for (size_t n = 0; n < at->columns; n++) {
		size_t k = at->left + n;
		int x = at->label_width + 1 + (int)n * (at->number_width + 1);
		bool hidden = mask_hides(r->rules[j]) || mask_hides(r->rules[k]);
		int from = draw_cell(c, p, at, scale, y, x, v[n], hidden);
		if (is_cursor_key(c->s, k)) {
			open = from - 1;
			close = x + 1 + at->number_width;
		}
	}
	/* After the next cell, in whose first column it stands. */
	if (close >= 0) {
		bracket(p, y, open, "[");
		bracket(p, y, close, "]");
	}
}

static void matrix_labels(const struct canvas *c, const struct pane *p, const struct places *at)
{
	struct style style = color_paint(&c->look, PAINT_LABEL), lit = style, mark = color_paint(&c->look, PAINT_MUTED);
	bool ascii = c->look.ascii;
	int cell = at->number_width + 1;

	lit.attributes |= BOLD | UNDERLINE;
	pane_text(p, at->labels, 0, ascii ? "dw\\dx" : "dw\u2572dx", at->label_width, mark);
	for (size_t n = 0; n < at->columns; n++) {
		size_t k = at->left + n;
		pane_field(p, at->labels, at->label_width + 2 + (int)n * cell, token_label(&c->s->problem->key_tokens, k), cell - 1, 1,
			   is_cursor_key(c->s, k) ? lit : style);
	}
	if (at->left > 0)
		pane_text(p, at->labels, at->label_width, ascii ? "<" : "\u2190", 1, mark);
	if (at->left + at->columns < c->s->problem->n_k)
		pane_text(p, at->labels, at->label_width + 2 + (int)at->columns * cell, ascii ? ">" : "\u2192", 1, mark);
	if (at->top > 0)
		pane_text(p, at->picture, at->label_width, ascii ? "^" : "\u2191", 1, mark);
	if (at->top + at->shown < c->s->problem->n_k)
		pane_text(p, at->picture + at->rows - 1, at->label_width, ascii ? "v" : "\u2193", 1, mark);
}

static void draw_matrix(const struct canvas *c, const struct pane *p, const struct places *at)
{
	struct state *s = c->s;
	size_t n_k = s->problem->n_k;

	if (!at->columns)
		return;
	/* The window, and one whole row of the matrix, of which it takes a part. */
	double *v = malloc((at->shown * at->columns + n_k) * sizeof *v);
	if (!v)
		return;
	double *whole = v + at->shown * at->columns;
	const struct row *r = grid_row(&s->grid, s->row, STAGE_WEIGHTS);
	for (size_t j = 0; j < at->shown; j++) {
		gradient_row(r, &s->grid.attention, at->top + j, whole);
		memcpy(v + j * at->columns, whole + at->left, at->columns * sizeof *v);
	}
	struct scale scale = matrix_scale(r, at, v);
	for (size_t j = 0; j < at->shown; j++)
		draw_matrix_row(c, p, at, r, &scale, at->top + j, v + j * at->columns);
	matrix_labels(c, p, at);
	free(v);
}

/* ---- the bars ---- */

static const char *bar_glyph(double filled, bool track, bool ascii)
{
	static const char *const part[] = { " ", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589", "\u2588" };
	int eighths = filled >= 1 ? 8 : filled > 0 ? (int)(filled * 8 + 0.5) : 0;

	if (ascii)
		return eighths >= 4 ? "#" : track ? "." : " ";
	return eighths ? part[eighths] : track ? "\u2591" : " ";
}

/* The whole width is 1: what reacts is filled, up to the most is a track. */
static void draw_bar(const struct canvas *c, const struct pane *p, const struct places *at, int y, int x, double reaction, double limit)
{
	struct style lit = color_paint(&c->look, PAINT_LIT), track = color_paint(&c->look, PAINT_MUTED);

	lit.attributes &= ~(unsigned)UNDERLINE;
	for (int k = 0; k < at->bar_width; k++) {
		double filled = isnan(reaction) ? 0 : reaction * at->bar_width - k;
		const char *glyph = bar_glyph(filled, !isnan(limit) && k + 0.5 < limit * at->bar_width, c->look.ascii);
		pane_text(p, y, x + k, glyph, 1, filled > 0 ? lit : track);
	}
}

static void draw_reaction(const struct canvas *c, const struct pane *p, const struct places *at, size_t i)
{
	struct state *s = c->s;
	const struct row *r = grid_row(&s->grid, i, STAGE_WEIGHTS);
	double reaction = gradient_reaction(r, &s->grid.attention), limit = most(s, r);
	int y = at->picture + (int)(i - at->first), x = at->x, number = bar_number(at);
	int sign = reaction < 0;	/* as weights that do not sum to 1 may have it */
	struct digits_rule rule = { at->precision, number + sign, false, c->look.ascii };
	struct style label = color_paint(&c->look, PAINT_LABEL);
	bool cursor = i == s->row && on_query(c);
	char text[DIGITS_SIZE];

	if (cursor)
		label.attributes |= BOLD;
	pane_text(p, y, x, cursor ? "> " : "  ", 2, label);
	pane_field(p, y, x + 2, token_label(&s->problem->query_tokens, i), at->token_width, -1, label);
	x += 2 + at->token_width + 1;
	draw_bar(c, p, at, y, x, reaction, limit);
	x += at->bar_width + 1;
	digits_cell(reaction, false, &rule, text);
	pane_field(p, y, x - sign, text, number + sign, 1, color_paint(&c->look, isnan(reaction) ? PAINT_NAN : PAINT_TEXT));
	if (!at->with_most || isnan(limit) || isnan(reaction))
		return;
	if (limit == 0)
		snprintf(text, sizeof text, _(" %s key"), r->visible ? _("one") : _("no"));
	else
		snprintf(text, sizeof text, "%s%.*f", _(" of "), at->precision, limit);
	pane_text(p, y, x + number, text, 4 + number, color_paint(&c->look, PAINT_MUTED));
}

/* Whether the reaction of every row is 1 - sum w^2. */
static bool is_plain(const struct state *s)
{
	const struct options *o = &s->grid.attention.options;

	return !is_given(s) && o->softmax == SOFTMAX_ROW && o->softmax_times == 1 && o->mask_at != MASK_AFTER && o->dropout.number == 0;
}

static void bar_labels(const struct canvas *c, const struct pane *p, const struct places *at)
{
	size_t n_q = c->s->problem->n_q;
	char text[TEXT] = "", what[TEXT];

	if (at->labels < 0)
		return;
	if (at->bars < n_q)
		snprintf(text, TEXT, _(", rows %zu-%zu of %zu"), at->first, at->first + at->bars - 1, n_q);
	snprintf(what, TEXT, "%s%.100s", !is_plain(c->s) ? _("reaction") : c->look.ascii ? "1 - sum w^2" : "1 - \u03a3w\u00b2", text);
	pane_text(p, at->labels, at->x + 2, what, p->columns - at->x - 2, color_paint(&c->look, PAINT_MUTED));
}

static void draw_bars(const struct canvas *c, const struct pane *p, const struct places *at)
{
	bar_labels(c, p, at);
	for (size_t i = at->first; i < at->first + at->bars; i++)
		draw_reaction(c, p, at, i);
	for (int y = at->picture - (at->labels >= 0); at->x && y < at->picture + at->rows; y++)
		pane_text(p, y, at->x - 2, c->look.ascii ? "|" : "\u2502", 1, color_paint(&c->look, PAINT_MUTED));
}

void view_gradient(struct canvas *c)
{
	struct places at = places_of(c);
	struct mean m = mean_of(c->s, &at);
	struct pane p = head(c, &at, &m);

	if (!p.rows)
		return;
	draw_sentence(c, &p, &at, &m);
	draw_matrix(c, &p, &at);
	draw_bars(c, &p, &at);
}
