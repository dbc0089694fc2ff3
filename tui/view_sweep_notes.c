/* view_sweep_notes.c - the notebook: what was measured, the sentence and the questions, as blanks
 * until they are to be filled in.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/view_sweep.h"

enum { NOTE_WIDTH = 41, QUESTION_WIDTH = 41, ANSWER = 27 };

/* ---- the sentence ---- */

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

/* ---- the notebook ---- */

/* The place of a d_k in a list, or the list's length. */
static size_t find_size(const struct sweep_sizes *l, size_t d_k)
{
	size_t k = 0;

	while (k < l->count && l->v[k] != d_k)
		k++;
	return k;
}

/* d_k of which the weights and the std are measured. */
static size_t common_sizes(const struct sheet *t)
{
	const struct sweep_request *r = &t->s->request;
	size_t n = 0;

	for (size_t k = 0; k < r->d_k.count; k++)
		n += find_size(&r->std_d_k, r->d_k.v[k]) < r->std_d_k.count;
	return n;
}

static const int note_column[] = { 0, 9, 16, 25 };	/* after the d_k, with a gap */

/* One number of the notebook: a blank until it is to be shown. */
static void put_note(const struct sheet *t, int row, int column, int point, double x, bool known)
{
	if (t->c->s->panel.sweep.revealed)
		view_sweep_number(t, row, column + point, x, known, PAINT_KEY);
	else
		pane_text(&t->p, row, column, "____", -1, paint(t, PAINT_MUTED));
}

static void draw_note(const struct sheet *t, int row, int x, int width, size_t item, size_t std)
{
	size_t d_k = t->s->request.d_k.v[item];
	bool known = sweep_repeats_done(t->s, item);

	view_sweep_size(t, row, x, width, d_k);
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
	view_sweep_more(t, row + 1 + (int)shown, x, common - shown);
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

	view_sweep_sort(&t->s->request.d_k, item);
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
	view_sweep_rounded(from, a);
	view_sweep_rounded(to, b);
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

/* ---- the page ---- */

/* Nothing moves when the blanks are filled: the longer text counts. */
static int sentence_rows(const struct sheet *t, int columns)
{
	struct pane nowhere = pane_part(&t->p, 0, 0, 0, columns);

	return at_least(draw_sentence(t, &nowhere, 0, _(sentence[0])), draw_sentence(t, &nowhere, 0, _(sentence[1])));
}

struct notes view_sweep_plan_notes(const struct sheet *t, int rows, int columns)
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

void view_sweep_notes(const struct sheet *t, const struct notes *n, int row, int x)
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
