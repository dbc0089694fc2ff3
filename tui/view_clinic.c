/* view_clinic.c - one row of weights, or whole grids, under several treatments.
 *
 * The numbers were computed by treatments.c; here they are only drawn.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/message.h"
#include "tui/digits.h"
#include "tui/text.h"
#include "tui/view_parts.h"

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

/* ---- what is known ---- */

struct known {
	const struct treatment *t;	/* NULL: not even begun */
	const struct treated_row *row;	/* NULL: not computed yet */
	const double *weights;		/* by key; those of the window only */
	const bool *hidden;
	size_t from, to;		/* keys of the window */
};

static struct known known_row(const struct state *s, size_t variant, size_t i)
{
	const struct treatments *t = s->panel.clinic.treatments;
	struct known k = { 0 };

	if (!t)
		return k;
	const struct treatments_window *w = &t->window;
	k.t = &t->v[variant];
	if (i < w->top || i - w->top >= w->rows || !k.t->row[i - w->top].known)
		return k;
	k.row = &k.t->row[i - w->top];
	k.weights = k.t->weights + (i - w->top) * w->columns;
	k.hidden = k.t->hidden + (i - w->top) * w->columns;
	k.from = w->left;
	k.to = w->left + w->columns;
	return k;
}

static size_t cursor_row(const struct state *s)
{
	return s->row < s->problem->n_q ? s->row : s->problem->n_q - 1;
}

static size_t cursor_key(const struct state *s)
{
	return state_is_grid(s) && s->column < s->problem->n_k ? s->column : 0;
}

/* ---- one weight ---- */

static struct style weight_style(const struct canvas *c, double value, enum number_look look, const char **shade)
{
	static const enum paint of_look[] = {
		[LOOK_HIDDEN] = PAINT_HIDDEN, [LOOK_NAN] = PAINT_NAN, [LOOK_INFINITE] = PAINT_INFINITE, [LOOK_RANGE] = PAINT_RANGE,
	};

	*shade = "";
	if (look != LOOK_NUMBER && look != LOOK_ZERO && look != LOOK_TINY)
		return canvas_paint(c, of_look[look]);
	struct heat heat = color_heat(&c->look, MAP_SEQUENTIAL, value < 0 ? 0 : value > 1 ? 1 : value);
	*shade = heat.shade;
	return heat.style;
}

/* What stands for a weight where there is no room for digits. */
static const char *glyph(enum number_look look, const char *shade, bool ascii)
{
	return look == LOOK_NUMBER && *shade ? shade : view_small_glyph(look, ascii);
}

enum { LEAST_DIGITS = 5 };	/* columns of a cell that has digits, one of them between */

static void draw_weight(const struct canvas *c, const struct pane *p, int row, int x, int width, int precision,
			double value, bool hidden)
{
	struct digits_rule rule = { precision, smaller(c->l.number_width, width - 1), true, c->look.ascii };
	char text[DIGITS_SIZE];
	const char *shade;
	enum number_look look = digits_cell(value, hidden, &rule, text);
	struct style style = weight_style(c, value, look, &shade);

	/* A hidden cell that got weight all the same is no cell of weight 0. */
	if (look == LOOK_HIDDEN && value != 0)
		style.attributes |= BOLD;
	if (width < LEAST_DIGITS) {
		for (int k = 0; k < width; k++)
			pane_field(p, row, x + k, glyph(look, shade, c->look.ascii), 1, -1, style);
		return;
	}
	pane_field(p, row, x, text, width, 1, style);
	if (*shade)
		pane_field(p, row, x, shade, 1, -1, style);
}

static void draw_weights(const struct canvas *c, const struct pane *p, int row, int x, int width, int precision,
			 const struct known *k, size_t first, size_t shown)
{
	for (size_t j = first; j < first + shown; j++) {
		int at = x + (int)(j - first) * width;
		if (k->row && j >= k->from && j < k->to)
			draw_weight(c, p, row, at, width, precision, k->weights[j - k->from], k->hidden[j - k->from]);
		else
			pane_field(p, row, at, "..", width, 1, canvas_paint(c, PAINT_MUTED));
	}
}

/* ---- sums ---- */

static enum paint verdict_paint(enum verdict v)
{
	return v == VERDICT_OK ? PAINT_OK : v == VERDICT_LOW || v == VERDICT_HIGH ? PAINT_WARN : PAINT_BAD;
}

/* Cut with a mark where it has no room. */
static void draw_verdict(const struct canvas *c, const struct pane *p, int row, int x, int width, enum verdict v)
{
	pane_text(p, row, x, _(verdict_name(v)), width, canvas_paint(c, verdict_paint(v)));
}

/* The sum, where it has columns, and the verdict; each after a blank. */
static void draw_sum(const struct canvas *c, const struct pane *p, int row, int x, int sum, int verdict,
		     const struct known *k)
{
	char text[NUMBER_SIZE] = "..";

	if (k->row)
		view_sum_text(k->row->sum, k->row->verdict, state_precision(c->s), text);
	if (sum) {
		pane_field(p, row, x + 1, text, sum, 1, canvas_paint(c, k->row ? PAINT_TEXT : PAINT_MUTED));
		x += 1 + sum;
	}
	if (k->row)
		draw_verdict(c, p, row, x + 1, verdict, k->row->verdict);
}

/* ---- what both forms have ---- */

static bool in_force(const struct state *s, size_t variant)
{
	return s->panel.clinic.treatments && s->panel.clinic.treatments->v[variant].in_force;
}

/* "*a name": whether it is in force, and its letter. */
enum { MARKS = 3 };

static void draw_letter(const struct canvas *c, const struct pane *p, int row, int x, size_t variant)
{
	char letter[2] = { panel_row_letter(variant), '\0' };

	if (in_force(c->s, variant))
		pane_text(p, row, x, "*", 1, canvas_paint(c, PAINT_WARN));
	pane_text(p, row, x + 1, letter, 1, canvas_paint(c, PAINT_KEY));
}

static enum paint name_paint(const struct canvas *c, size_t variant)
{
	return in_force(c->s, variant) ? PAINT_LIT : PAINT_TEXT;
}

/* Labels of the keys over their cells, that of the cursor underlined. */
static void draw_keys(const struct canvas *c, const struct pane *p, int row, int x, int width, size_t first, size_t shown)
{
	struct style style = canvas_paint(c, PAINT_LABEL), lit = style;

	lit.attributes |= BOLD | UNDERLINE;
	for (size_t j = first; j < first + shown; j++)
		pane_field(p, row, x + (int)(j - first) * width + 1, token_label(&c->s->problem->key_tokens, j), width - 1, 0,
			   j == cursor_key(c->s) ? lit : style);
}

/* Rows that a text takes in so many columns: a pane without rows shows nothing of it. */
static int wrapped_rows(const struct canvas *c, const char *text, int columns)
{
	struct pane none = pane_part(&c->screen, 0, 0, 0, columns);

	return panel_wrap(&none, 0, 0, text, 100, canvas_paint(c, PAINT_TEXT));
}

/* The sentence below the numbers, after a blank row where there is one to spare. It
 * speaks of the clinic's own scenario; another may have been opened below it. */
static void draw_look(const struct canvas *c, const struct pane *p, int row)
{
	const struct clinic *clinic = c->s->panel.clinic.which;
	const char *look = _(clinic->look);

	if (strcmp(state_scenario(c->s)->name, clinic->scenario))
		return;
	row += wrapped_rows(c, look, p->columns) < p->rows - row;
	if (row < p->rows)
		panel_wrap(p, row, 0, look, p->rows - row, canvas_paint(c, PAINT_TEXT));
}

static struct pane clinic_head(struct canvas *c, size_t first, size_t shown)
{
	const struct clinic *clinic = c->s->panel.clinic.which;
	size_t n_k = c->s->problem->n_k;
	char title[240], cut[64] = "";

	if (shown == 1 && n_k > 1)
		snprintf(cut, sizeof cut, _(", key %zu of %zu"), first, n_k);
	else if (shown && shown < n_k)
		snprintf(cut, sizeof cut, _(", keys %zu-%zu of %zu"), first, first + shown - 1, n_k);
	snprintf(title, sizeof title, "%s%s: %s", clinic->name, cut, _(clinic->title));
	return panel_head(c, title);
}

static int widest_name(const struct clinic *c)
{
	int widest = 0;

	for (size_t k = 0; k < c->variants_count; k++) {
		int width = text_width(_(c->variants[k].name), false);
		widest = width > widest ? width : widest;
	}
	return widest;
}

/* ---- a table: one query row, a line for each variant ---- */

struct table {
	int name, cell, sum, verdict;
	int cells, sums, end;		/* first columns */
	size_t first, shown;		/* keys */
};

static struct table make_table(const struct canvas *c)
{
	const struct state *s = c->s;
	size_t n_k = s->problem->n_k, wished = s->columns < 60 ? 2 : 3;
	struct table t = { .name = widest_name(s->panel.clinic.which), .cell = c->l.number_width + 1 };

	if (wished > n_k)
		wished = n_k;
	t.verdict = s->columns >= 80 ? 10 : s->columns >= 60 ? 5 : 2;
	t.sum = smaller(state_precision(s) < 3 ? 5 : state_precision(s) + 2, 20);
	int tail = 1 + t.sum + 1 + t.verdict, room = s->columns - MARKS - t.name - tail;
	/* A name is cut before a cell is left out. */
	int lacking = (int)wished * t.cell - room;
	if (lacking > 0) {
		int name = t.name - lacking < 8 ? smaller(t.name, 8) : t.name - lacking;
		room += t.name - name;
		t.name = name;
	}
	t.shown = room < t.cell ? 0 : (size_t)(room / t.cell);
	if (t.shown > n_k)
		t.shown = n_k;
	while (t.cell < c->l.cell_width && (size_t)room >= t.shown * (size_t)(t.cell + 1))
		t.cell++;
	t.first = treatments_first(cursor_key(s), n_k, t.shown);
	t.cells = MARKS + t.name;
	t.sums = t.cells + (int)t.shown * t.cell;
	t.end = t.sums + tail;
	return t;
}

static void draw_settings(const struct canvas *c, const struct pane *p, int row, int x, const struct clinic_variant *v)
{
	struct buffer text = { 0 };

	for (size_t k = 0; k < CLINIC_SETTINGS && v->set[k].value; k++)
		buffer_format(&text, "%s%s %s", k ? ", " : "", option_info(v->set[k].option)->name, v->set[k].value);
	if (text.data)
		pane_text(p, row, x, text.data, p->columns - x, canvas_paint(c, PAINT_MUTED));
	buffer_free(&text);
}

static void draw_variant(const struct canvas *c, const struct pane *p, int row, const struct table *t, size_t variant)
{
	const struct clinic_variant *v = &c->s->panel.clinic.which->variants[variant];
	struct known k = known_row(c->s, variant, cursor_row(c->s));

	draw_letter(c, p, row, 0, variant);
	pane_text(p, row, MARKS, _(v->name), t->name, canvas_paint(c, name_paint(c, variant)));
	if (k.t && *k.t->error) {
		pane_text(p, row, t->cells + 1, k.t->error, p->columns - t->cells - 1, canvas_paint(c, PAINT_WARN));
		return;
	}
	draw_weights(c, p, row, t->cells, t->cell, state_precision(c->s), &k, t->first, t->shown);
	draw_sum(c, p, row, t->sums, t->sum, t->verdict, &k);
	if (p->columns - t->end >= 24)
		draw_settings(c, p, row, t->end + 2, v);
}

static void table_header(const struct canvas *c, const struct pane *p, const struct table *t)
{
	const struct problem *problem = c->s->problem;
	int x = MARKS + pane_text(p, 0, MARKS, _("query "), t->name, canvas_paint(c, PAINT_MUTED));

	pane_text(p, 0, x, token_label(&problem->query_tokens, cursor_row(c->s)), t->cells - x, canvas_paint(c, PAINT_LABEL));
	draw_keys(c, p, 0, t->cells, t->cell, t->first, t->shown);
	pane_field(p, 0, t->sums + 1, c->look.ascii ? _("sum") : _("\u03a3 row"), t->sum, 1, canvas_paint(c, PAINT_MUTED));
}

/* Marks in a column where there is more above or below than there is room for. */
static void cut_marks(const struct canvas *c, const struct pane *p, int row, int rows, int column, size_t first, size_t count)
{
	if (first && rows > 0)
		pane_text(p, row, column, c->look.ascii ? "^" : "\u2191", 1, canvas_paint(c, PAINT_MUTED));
	if (first + (size_t)rows < count && rows > 0)
		pane_text(p, row + rows - 1, column, c->look.ascii ? "v" : "\u2193", 1, canvas_paint(c, PAINT_MUTED));
}

static void view_table(struct canvas *c)
{
	struct table t = make_table(c);
	struct pane p = clinic_head(c, t.first, t.shown);
	size_t count = c->s->panel.clinic.which->variants_count;
	int header = p.rows > 3, rows = smaller(p.rows - header, (int)count);
	size_t first = treatments_first(c->s->panel.chosen, count, rows < 0 ? 0 : (size_t)rows);

	if (header)
		table_header(c, &p, &t);
	for (int k = 0; k < rows; k++)
		draw_variant(c, &p, header + k, &t, first + (size_t)k);
	cut_marks(c, &p, header, rows, 2, first, count);
	draw_look(c, &p, header + rows);
}

/* ---- pictures: the whole grids ---- */

struct pictures {
	int label;			/* columns of the cursor's mark and the query's label */
	int width, gap;			/* of one picture, and between two */
	int cell, precision;		/* columns of a cell; 1 and 2 are shades */
	int sum, verdict;
	int names, keys, rows;		/* rows of the names, of the keys' labels, of the pictures */
	size_t first_row, first, shown;	/* query rows and keys */
};

/* All keys have room: cells become as wide as the grid's where they can, for the
 * labels, and a picture no wider than it needs to be, so that they stand together. */
static void fit_width(const struct canvas *c, struct pictures *p, int tail, int widest_cell)
{
	int n_k = (int)p->shown, name = MARKS + widest_name(c->s->panel.clinic.which);

	while (p->cell < widest_cell && n_k * (p->cell + 1) + tail <= p->width)
		p->cell++;
	int used = n_k * p->cell + tail;
	p->width = smaller(p->width, 2 + (used > name ? used : name));
}

/* With labels of so many columns: as many digits as there is room for in all of
 * the columns, else shades, else a window. Returns how good that is, 0 the best. */
static int try_pictures(const struct canvas *c, int label, struct pictures *p)
{
	int n = (int)c->s->panel.clinic.which->variants_count, precision = state_precision(c->s);
	const int cells[] = { c->l.number_width + 1, LEAST_DIGITS, 2, 1 };
	const struct { int sum, verdict; } tails[] = { { smaller(precision < 3 ? 5 : precision + 2, 20), 5 }, { 0, 5 }, { 0, 2 } };
	size_t n_k = c->s->problem->n_k;

	*p = (struct pictures){ .label = label, .gap = c->s->columns >= 60 && n < 4 ? 2 : 1 };
	p->width = (c->s->columns - label - (n - 1) * p->gap) / n;
	for (int k = 0; k < 4 * 3; k++) {
		p->cell = cells[k / 3];
		p->precision = k / 3 ? smaller(precision, 2) : precision;
		p->sum = tails[k % 3].sum;
		p->verdict = tails[k % 3].verdict;
		int tail = (p->sum ? 1 + p->sum : 0) + 1 + p->verdict;
		p->shown = n_k;
		if (n_k <= 1000 && (int)n_k * p->cell + tail <= p->width) {
			fit_width(c, p, tail, k < 3 ? c->l.cell_width : p->cell);
			return k;
		}
		p->shown = p->width > tail ? (size_t)(p->width - tail) : 1;
	}
	return 4 * 3;
}

static int name_rows(const struct canvas *c, int width)
{
	const struct clinic *clinic = c->s->panel.clinic.which;
	int most = 1;

	for (size_t k = 0; k < clinic->variants_count; k++) {
		int rows = wrapped_rows(c, _(clinic->variants[k].name), width - MARKS);
		most = rows > most ? rows : most;
	}
	return most;
}

static struct pictures make_pictures(const struct canvas *c)
{
	struct pictures with, without;
	int room = c->l.panel_rows - 1;
	size_t n_q = c->s->problem->n_q, n_k = c->s->problem->n_k;
	int rows = n_q > 1000 ? 1000 : (int)n_q;

	/* The grid above has the labels too: they go before digits and names do. */
	if (try_pictures(c, 2 + smaller(c->l.label_width, 8) + 1, &with) > try_pictures(c, 1, &without) ||
	    name_rows(c, with.width) > 2)
		with = without;
	with.names = name_rows(c, with.width) > 1 && room > 1 + rows ? 2 : 1;
	with.keys = with.cell >= LEAST_DIGITS && room > with.names + rows + 1;
	with.rows = smaller(rows, room - with.names - with.keys);
	if (with.rows < rows && room >= 5)
		with.rows--;
	if (with.rows < 0)
		with.rows = 0;
	with.first_row = treatments_first(cursor_row(c->s), n_q, (size_t)with.rows);
	with.first = treatments_first(cursor_key(c->s), n_k, with.shown);
	return with;
}

static void draw_labels(const struct canvas *c, const struct pane *p, const struct pictures *l)
{
	struct style style = canvas_paint(c, PAINT_LABEL);

	for (int k = 0; k < l->rows; k++) {
		size_t i = l->first_row + (size_t)k;
		struct style own = style;
		if (i == cursor_row(c->s))
			own.attributes |= BOLD;
		if (i == cursor_row(c->s))
			pane_text(p, l->names + l->keys + k, 0, ">", 1, own);
		if (l->label > 3)
			pane_text(p, l->names + l->keys + k, 2, token_label(&c->s->problem->query_tokens, i), l->label - 3, own);
	}
}

static void draw_picture(const struct canvas *c, const struct pane *p, const struct pictures *l, size_t variant)
{
	int x = l->label + (int)variant * (l->width + l->gap), y = l->names + l->keys;
	struct pane own = pane_part(p, 0, x, p->rows, l->width), name = pane_part(&own, 0, 0, l->names, l->width);

	draw_letter(c, &own, 0, 0, variant);
	panel_wrap(&name, 0, MARKS, _(c->s->panel.clinic.which->variants[variant].name), l->names, canvas_paint(c, name_paint(c, variant)));
	struct known first = known_row(c->s, variant, l->first_row);
	if (first.t && *first.t->error) {
		panel_wrap(&own, y, 1, first.t->error, l->rows, canvas_paint(c, PAINT_WARN));
		return;
	}
	if (l->keys)
		draw_keys(c, &own, l->names, 0, l->cell, l->first, l->shown);
	for (int k = 0; k < l->rows; k++) {
		struct known row = known_row(c->s, variant, l->first_row + (size_t)k);
		draw_weights(c, &own, y + k, 0, l->cell, l->precision, &row, l->first, l->shown);
		draw_sum(c, &own, y + k, (int)l->shown * l->cell, l->sum, l->verdict, &row);
	}
}

static void view_pictures(struct canvas *c)
{
	struct pictures l = make_pictures(c);
	struct pane p = clinic_head(c, l.first, l.shown);

	cut_marks(c, &p, l.names + l.keys, l.rows, 0, l.first_row, c->s->problem->n_q);
	draw_labels(c, &p, &l);
	for (size_t k = 0; k < c->s->panel.clinic.which->variants_count; k++)
		draw_picture(c, &p, &l, k);
	draw_look(c, &p, l.names + l.keys + l.rows);
}

void view_clinic(struct canvas *c)
{
	if (c->s->panel.failed) {
		struct pane p = clinic_head(c, 0, 0);
		panel_wrap(&p, 0, 0, c->s->panel.error, p.rows, canvas_paint(c, PAINT_BAD));
	} else if (c->s->panel.clinic.which->form == CLINIC_PICTURES) {
		view_pictures(c);
	} else {
		view_table(c);
	}
}
