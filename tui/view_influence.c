/* view_influence.c - what the masks say beside what moves: may query i see key j, and does key j move output i?
 *
 * Left O where the rules let a query see a key and X where they hide it, right the
 * same for the test: the key's K and V become noise x 100, and the output moves or
 * stays. Both pictures show the same window of rows and keys; the head counts all
 * keys of these rows.
 */
#include <stdio.h>
#include <string.h>

#include "tui/text.h"
#include "core/message.h"
#include "tui/view_parts.h"

enum { GAP = 3, TOKEN_MOST = 8, PAIRS = 4 };

/* A query and a key of which the masks and the test say different things. */
struct pairs {
	size_t n;
	struct { size_t query, key; } first[PAIRS];
};

struct counts {
	size_t hidden, known;		/* hidden cells of those that are computed */
	struct pairs leaks, quiet;
	bool nan_quiet;			/* a quiet one in a row that is nan and stays nan */
};

/* Where things stand in the pane below the head. */
struct places {
	int names, labels;		/* rows; -1: no room */
	int picture, rows;		/* first row of the pictures, and how many there is room for */
	size_t from, to;		/* query rows shown */
	size_t left, columns;		/* keys shown */
	int token_width, cell;
	bool tokens;			/* stand above the cells, else the last digit of the key's number */
	int x[2];			/* first column of each picture's cells */
	bool right_labels;
};

/* ---- what is found ---- */

static void add_pair(struct pairs *p, size_t query, size_t key)
{
	if (p->n < PAIRS) {
		p->first[p->n].query = query;
		p->first[p->n].key = key;
	}
	p->n++;
}

static bool is_nan(const struct row *r)
{
	return r->verdict == VERDICT_EMPTY || r->verdict == VERDICT_NAN || r->verdict == VERDICT_NON_FINITE;
}

static void count_row(struct state *s, size_t i, struct counts *n)
{
	const struct influence_work *f = s->panel.influence.work;
	const struct row *r = grid_row(&s->grid, i, STAGE_WEIGHTS);

	for (size_t j = 0; j < s->problem->n_k; j++) {
		if (!influence_known(f, i, j))
			continue;
		bool hidden = mask_hides(r->rules[j]), moves = influence_moves(f, i, j);
		n->known++;
		n->hidden += hidden;
		if (hidden && moves) {
			add_pair(&n->leaks, i, j);
		} else if (!hidden && !moves) {
			add_pair(&n->quiet, i, j);
			n->nan_quiet |= is_nan(r);
		}
	}
}

static struct counts count(struct state *s)
{
	const struct panel *p = &s->panel;
	struct counts n = { 0 };

	for (size_t i = p->influence.from; i < p->influence.to && p->influence.work; i++)
		count_row(s, i, &n);
	return n;
}

/* ---- the head ---- */

static void put_pairs(const struct pairs *p, size_t most, struct buffer *out)
{
	for (size_t k = 0; k < p->n && k < most; k++)
		buffer_format(out, "%s%zu<-%zu", k ? ", " : "", p->first[k].query, p->first[k].key);
	if (p->n > most)
		buffer_text(out, ", ...");
}

/* How much of what was found is said. */
struct form {
	bool brief;
	size_t leaks, quiet;	/* pairs named; quiet 0: none of that */
};

static void put_leaks(const struct counts *n, const struct form *f, struct buffer *out)
{
	bool one = n->leaks.n == 1;

	if (!n->hidden) {
		buffer_text(out, _("no key is hidden"));
	} else if (n->leaks.n) {
		buffer_format(out, _("%zu of %zu hidden %s%s"), n->leaks.n, n->hidden,
			      f->brief ? one ? _("moves") : _("move") : one ? _("keys moves an output") : _("keys move an output"),
			      f->brief ? ": " : _(": leaks "));
		put_pairs(&n->leaks, f->leaks, out);
	} else {
		buffer_format(out, _("none of %zu hidden %s"), n->hidden, f->brief ? _("moves") : _("keys moves an output"));
	}
}

static void put_quiet(const struct counts *n, const struct form *f, struct buffer *out)
{
	if (!n->quiet.n || !f->quiet)
		return;
	buffer_format(out, _("; %zu visible %s: "), n->quiet.n,
		      f->brief ? _("quiet") : n->quiet.n == 1 ? _("moves nothing") : _("move nothing"));
	put_pairs(&n->quiet, f->quiet, out);
	if (n->nan_quiet)
		buffer_text(out, _(" (nan stays nan)"));
}

static void put_finding(const struct counts *n, const struct form *f, struct buffer *out)
{
	put_leaks(n, f, out);
	put_quiet(n, f, out);
}

static bool fits(const struct canvas *c, const struct buffer *text, int room)
{
	return !text->data || text_width(text->data, c->look.ascii) <= room;
}

/* "rows 0-11: so far " before what was found, where it is of a part. */
static void begin_short(const struct canvas *c, struct buffer *out)
{
	const struct panel_influence *p = &c->s->panel.influence;

	buffer_free(out);
	if (p->to - p->from < c->s->problem->n_q)
		buffer_format(out, _("rows %zu-%zu: "), p->from, p->to - 1);
	if (panel_working(c->s))
		buffer_text(out, _("so far "));
}

static void put_whole(const struct canvas *c, const struct counts *n, const struct form *f, struct buffer *out)
{
	const struct panel_influence *p = &c->s->panel.influence;
	size_t n_q = c->s->problem->n_q;

	buffer_text(out, _("influence"));
	if (p->to - p->from < n_q)
		buffer_format(out, _(" on rows %zu-%zu of %zu"), p->from, p->to - 1, n_q);
	buffer_text(out, panel_working(c->s) ? _(" so far: ") : ": ");
	put_finding(n, f, out);
}

/* The first form that has room; the last is short enough for any screen. */
static void head_text(const struct canvas *c, const struct counts *n, int room, struct buffer *out)
{
	static const struct form forms[] = {
		{ false, PAIRS, PAIRS }, { false, PAIRS, 1 }, { false, 2, 1 }, { false, 1, 1 },
		{ true, PAIRS, 1 }, { true, 2, 1 }, { true, 1, 1 }, { true, 2, 0 }, { true, 1, 0 },
	};
	enum { FORMS = sizeof forms / sizeof *forms };

	put_whole(c, n, &forms[0], out);
	for (size_t k = 0; k < FORMS && !fits(c, out, room); k++) {
		begin_short(c, out);
		put_finding(n, &forms[k], out);
	}
	if (!fits(c, out, room)) {
		begin_short(c, out);
		buffer_format(out, _("%zu of %zu hidden leak"), n->leaks.n, n->hidden);
	}
	if (!fits(c, out, room)) {
		buffer_free(out);
		buffer_format(out, "%zu leak%s", n->leaks.n, n->leaks.n == 1 ? "" : "s");
	}
}

static struct pane head(struct canvas *c, const struct counts *n)
{
	enum { PROGRESS = 19 };		/* what view_panel.c takes for it */
	struct buffer text = { 0 };

	if (n->known)
		head_text(c, n, c->s->columns - 5 - (panel_working(c->s) ? PROGRESS : 0), &text);
	struct pane p = panel_head(c, text.data ? text.data : _("influence"));
	buffer_free(&text);
	return p;
}

/* ---- room ---- */

/* Where the pictures stand with so many keys; returns the column behind both. */
static int place_both(struct places *at, size_t columns)
{
	int picture = (int)columns * at->cell - 1;

	at->x[0] = 2 + at->token_width + 1;
	at->x[1] = at->x[0] + picture + GAP + (at->right_labels ? at->token_width + 1 : 0);
	return at->x[1] + picture;
}

/* The right one moves to the middle where there is room: the names above need it. */
static void spread(struct places *at, int width)
{
	int end = place_both(at, at->columns), middle = width / 2;

	if (at->x[1] < middle)
		at->x[1] += middle - at->x[1] < width - end ? middle - at->x[1] : width - end;
}

/* Whether all keys fit in both pictures; labels on the right too only where there is room. */
static bool all_fit(struct places *at, size_t n_k, int width)
{
	at->right_labels = true;
	if (place_both(at, n_k) <= width)
		return true;
	at->right_labels = false;
	return place_both(at, n_k) <= width;
}

/* Tokens above the cells, cut if need be, where all keys fit so; else all keys, or
 * a window of them, with a digit above. */
static void place_across(const struct canvas *c, struct places *at)
{
	enum { TOKEN_LEAST = 3 };
	const struct problem *p = c->s->problem;
	int width = c->s->columns, token = width / 6 < TOKEN_MOST ? width / 6 : TOKEN_MOST;
	size_t most = (size_t)width / 4;	/* with the narrowest cells */

	at->token_width = panel_widest(&p->query_tokens, at->from, at->to - at->from, 1, token, c->look.ascii);
	at->columns = p->n_k < most ? p->n_k : most;
	int wide = panel_widest(&p->key_tokens, 0, at->columns, 1, TOKEN_MOST, c->look.ascii);
	int least = wide < TOKEN_LEAST ? wide : TOKEN_LEAST;
	for (int cell = wide + 1; cell > least && !at->tokens && p->n_k <= most; cell--) {
		at->cell = cell;
		at->tokens = all_fit(at, p->n_k, width);
	}
	if (!at->tokens) {
		at->cell = 2;
		all_fit(at, at->columns, width);
	}
	while (at->columns > 1 && place_both(at, at->columns) > width)
		at->columns--;
	spread(at, width);
}

/* The grid's window, moved so that the cursor's key is in it. */
static size_t first_key(const struct state *s, size_t columns)
{
	size_t n_k = s->problem->n_k, key = state_is_grid(s) ? s->column : 0;
	size_t left = state_is_grid(s) ? s->left : 0;

	if (key >= left + columns)
		left = key - columns + 1;
	return left + columns > n_k ? n_k - columns : left;
}

static struct places places_of(const struct canvas *c)
{
	const struct panel *p = &c->s->panel;
	struct places at = { .names = -1, .labels = -1, .from = p->influence.from };
	int rows = c->l.panel_rows - 1;

	if (rows >= 2)
		at.names = at.picture++;
	if (rows >= 3)
		at.labels = at.picture++;
	at.rows = rows - at.picture < 1 ? 1 : rows - at.picture;
	at.to = p->influence.to - at.from < (size_t)at.rows ? p->influence.to : at.from + (size_t)at.rows;
	place_across(c, &at);
	at.left = first_key(c->s, at.columns);
	return at;
}

/* ---- names and labels ---- */

static void draw_names(const struct canvas *c, const struct pane *p, const struct places *at)
{
	const struct state *s = c->s;
	enum source source = s->problem->source;
	size_t n_k = s->problem->n_k;
	bool given = source == SOURCE_WEIGHTS, only_v = given || source == SOURCE_SCORES;
	char window[80], left[2][160];
	const char *left_forms[] = { left[0], left[1], window + 2, NULL };
	const char *const right_forms[] = {
		only_v ? N_("with V as noise: O moves, X stays, ! leak, ? quiet") : N_("with K, V as noise: O moves, X stays, ! leak, ? quiet"),
		only_v ? N_("V as noise: O moves, ! leak, ? quiet") : N_("K, V as noise: O moves, ! leak, ? quiet"),
		N_("O moves, ! leak, ? quiet"), N_("! leak, ? quiet"), N_("what moves"), N_("moves"), NULL,
	};
	struct style style = color_paint(&c->look, PAINT_MUTED);

	snprintf(window, sizeof window, "%s", _(", masks"));
	if (at->names < 0)
		return;
	if (s->panel.failed) {
		pane_text(p, at->names, 0, s->panel.error, p->columns, color_paint(&c->look, PAINT_BAD));
		return;
	}
	if (at->columns < n_k)		/* the shortest form is the window alone */
		snprintf(window, sizeof window, _(", keys %zu-%zu of %zu"), at->left, at->left + at->columns - 1, n_k);
	bool all = at->columns == n_k;
	snprintf(left[0], sizeof left[0], "%s%s", given ? _("weights are given: no mask applies") : _("masks: O may see, X hidden"), all ? "" : window);
	snprintf(left[1], sizeof left[1], _("masks%s"), all ? "" : window);
	int room = at->x[1] - (at->right_labels ? at->token_width + 1 : 0) - 2;
	pane_text(p, at->names, 0, panel_fitting(left_forms, room, c->look.ascii), room, style);
	pane_text(p, at->names, at->x[1], panel_fitting(right_forms, p->columns - at->x[1], c->look.ascii), -1, style);
}

static void draw_labels(const struct canvas *c, const struct pane *p, const struct places *at, int x)
{
	const struct state *s = c->s;
	struct style style = color_paint(&c->look, PAINT_LABEL), lit = style;
	char digit[2] = "";

	if (at->labels < 0)
		return;
	lit.attributes |= BOLD | UNDERLINE;
	for (size_t n = 0; n < at->columns; n++) {
		size_t j = at->left + n;
		*digit = (char)('0' + j % 10);
		pane_field(p, at->labels, x + (int)n * at->cell, at->tokens ? token_label(&s->problem->key_tokens, j) : digit, at->cell - 1, 0,
			   state_is_grid(s) && j == s->column ? lit : style);
	}
}

/* ---- the pictures ---- */

struct sign {
	const char *glyph;
	enum paint paint;
};

static struct sign mask_sign(bool hidden)
{
	return hidden ? (struct sign){ "X", PAINT_HIDDEN } : (struct sign){ "O", PAINT_OK };
}

/* As the masks have it where both agree. */
static struct sign test_sign(const struct canvas *c, size_t i, size_t j, bool hidden)
{
	if (!c->s->panel.influence.work || !influence_known(c->s->panel.influence.work, i, j))
		return (struct sign){ c->look.ascii ? "." : "\u00b7", PAINT_MUTED };
	bool moves = influence_moves(c->s->panel.influence.work, i, j);
	if (moves == !hidden)
		return mask_sign(hidden);
	return moves ? (struct sign){ "!", PAINT_BAD } : (struct sign){ "?", PAINT_WARN };
}

/* Brackets on the cell under the cursor, as in the grid; blanks stand beside a glyph. */
static void draw_sign(const struct canvas *c, const struct pane *p, const struct places *at, int y, int x, struct sign sign, bool cursor)
{
	int middle = x + (at->cell - 2) / 2;
	struct style style = color_paint(&c->look, sign.paint), bold = { COLOR_DEFAULT, COLOR_DEFAULT, BOLD };

	pane_text(p, y, middle, sign.glyph, 1, style);
	if (!cursor)
		return;
	pane_text(p, y, middle - 1, "[", 1, bold);
	pane_text(p, y, middle + 1, "]", 1, bold);
}

static void draw_row(const struct canvas *c, const struct pane *p, const struct places *at, size_t i)
{
	struct state *s = c->s;
	const struct row *r = grid_row(&s->grid, i, STAGE_WEIGHTS);
	const char *token = token_label(&s->problem->query_tokens, i);
	struct style label = color_paint(&c->look, PAINT_LABEL);
	bool on_row = i == s->row && state_query(s, s->row);
	int y = at->picture + (int)(i - at->from);

	if (on_row)
		label.attributes |= BOLD;
	pane_text(p, y, 0, on_row ? "> " : "  ", 2, label);
	pane_field(p, y, 2, token, at->token_width, -1, label);
	if (at->right_labels)
		pane_field(p, y, at->x[1] - at->token_width - 1, token, at->token_width, -1, label);
	for (size_t n = 0; n < at->columns; n++) {
		size_t j = at->left + n;
		bool hidden = mask_hides(r->rules[j]), cursor = on_row && state_is_grid(s) && j == s->column;
		int x = (int)n * at->cell;
		draw_sign(c, p, at, y, at->x[0] + x, mask_sign(hidden), cursor);
		draw_sign(c, p, at, y, at->x[1] + x, test_sign(c, i, j, hidden), cursor);
	}
}

void view_influence(struct canvas *c)
{
	struct counts n = count(c->s);
	struct pane p = head(c, &n);
	struct places at = places_of(c);

	if (!p.rows)
		return;
	draw_names(c, &p, &at);
	for (int k = 0; k < 2; k++)
		draw_labels(c, &p, &at, at.x[k]);
	for (size_t i = at.from; i < at.to; i++)
		draw_row(c, &p, &at, i);
}
