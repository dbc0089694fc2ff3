/* view_lesson.c - the page of a lesson: its text, what is asked, what is to be done.
 *
 * The lines are made the same way whether they are counted or drawn. Where they have
 * no room, PgUp and PgDn go through the text, and what is asked stays below it; with
 * room for neither they go through both.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"
#include "tui/panel_lesson.h"
#include "tui/text.h"
#include "tui/view_parts.h"

enum { INDENT = 2, MARK = 2, LEAST_TEXT = 2 };

/* Where lines go: nowhere while they are counted. */
struct lines {
	const struct pane *pane;	/* NULL: only counted */
	const struct look *look;
	int columns, row;
	bool ascii;
};

static const char *in_force(const struct title *t)
{
	return title_in(t, message_in_force());
}

static int count_wrapped(const char *text, int columns, bool ascii)
{
	int used = 0;

	while (*text) {
		size_t n = view_line_bytes(text, columns, ascii);
		used++;
		if (!n)
			break;
		text += n;
		text += strspn(text, " ");
	}
	return used;
}

static void put(struct lines *l, int indent, const char *text, enum paint paint)
{
	int rows = count_wrapped(text, l->columns - indent, l->ascii);

	if (l->pane) {		/* rows outside of it are not drawn */
		struct pane own = pane_part(l->pane, 0, 0, l->pane->rows, l->columns);
		panel_wrap(&own, l->row, indent, text, rows, color_paint(l->look, paint));
	}
	l->row += rows;
}

/* ---- questions ---- */

/* "a yes   b no" on one line where there is room, else one a line. */
static void put_choices(struct lines *l, const struct lesson_question *q, bool in_front)
{
	enum paint paint = in_front ? PAINT_KEY : PAINT_TEXT;
	struct buffer all = { 0 };

	for (size_t k = 0; k < q->choices; k++)
		buffer_format(&all, "%s%c  %s", k ? "   " : "", (int)('a' + k), in_force(&q->choice[k]));
	if (all.data && text_width(all.data, l->ascii) <= l->columns - INDENT) {
		put(l, INDENT, all.data, paint);
	} else {
		for (size_t k = 0; k < q->choices; k++) {
			struct buffer one = { 0 };
			buffer_format(&one, "%c  %s", (int)('a' + k), in_force(&q->choice[k]));
			put(l, INDENT, one.data ? one.data : "", paint);
			buffer_free(&one);
		}
	}
	buffer_free(&all);
}

/* Which keys answer at the moment. */
static const char *answering_keys(const struct state *s, bool choice, bool in_front)
{
	if (in_front)
		return choice ? _("a letter answers, Space shows the answer, Esc frees the keys")
			      : _("a digit or Enter answers, Space shows the answer, Esc frees the keys");
	if (s->panel.kind == PANEL_PREDICT)
		return _("Esc closes the predictions; then answer");
	if (lesson_panel_has_space(s))
		return choice ? _("Enter, then a letter: answer") : _("Enter: answer");
	return choice ? _("Enter, then a letter: answer; Space: show the answer") : _("Enter: answer; Space: show the answer");
}

static void put_question(struct lines *l, const struct state *s, const struct lesson_question *q)
{
	bool in_front = lesson_in_front(s), choice = q->ask == LESSON_ASK_CHOICE;
	struct buffer text = { 0 };

	buffer_format(&text, "? %s", in_force(&q->text));
	put(l, 0, text.data ? text.data : "", PAINT_TITLE);
	buffer_free(&text);
	if (choice)
		put_choices(l, q, in_front);
	put(l, INDENT, answering_keys(s, choice, in_front), PAINT_MUTED);
}

static void number_text(double x, int precision, char out[NUMBER_SIZE])
{
	if (!isfinite(x) || x == trunc(x) || fabs(x) >= 1e6)
		number_plain(x, out);
	else
		number_fixed(x, precision, out);
}

/* The answer to the question before, and why. */
static void put_told(struct lines *l, const struct state *s, const struct lesson_question *q)
{
	const struct lesson_visit *v = &s->lesson->visit;
	struct buffer text = { 0 };
	char number[NUMBER_SIZE];
	const char *answer = number, *why = in_force(&q->why);

	if (q->ask == LESSON_ASK_CHOICE)
		answer = in_force(&q->choice[q->right]);
	else if (q->ask == LESSON_ASK_NUMBER)
		number_plain(v->told_number, number);
	else
		number_text(v->told_number, state_precision(s), number);
	buffer_format(&text, v->told_right ? _("right: %s.") : _("the answer: %s."), answer);
	buffer_format(&text, "%s%s", *why ? "  " : "", why);
	put(l, INDENT, text.data ? text.data : "", v->told_right ? PAINT_OK : PAINT_LIT);
	buffer_free(&text);
}

/* ---- what stands below the text ---- */

static void put_act(struct lines *l, const struct state *s, const struct lesson_page *page)
{
	const struct lesson_visit *v = &s->lesson->visit;
	struct buffer text = { 0 };

	if (v->ticked) {
		put(l, 0, _("[x] done; n turns the page"), PAINT_OK);
	} else if (v->hint) {
		buffer_format(&text, "[ ] %s", in_force(&page->hint));
		put(l, 0, text.data ? text.data : "", PAINT_KEY);
	} else {
		put(l, 0, page->hint.n && !lesson_panel_has_space(s) ? _("[ ] to be done; Space: a hint") : _("[ ] to be done"),
		    PAINT_KEY);
	}
	buffer_free(&text);
}

static void put_items(struct lines *l, const struct state *s)
{
	const struct lesson_page *page = lesson_page_shown(s);
	const struct lesson_question *q = lesson_asked_now(s);
	const struct lesson_visit *v = &s->lesson->visit;

	if (!page)
		return;
	if (v->told)
		put_told(l, s, &page->questions[v->question - 1]);
	if (q)
		put_question(l, s, q);
	else if (page->goal_mark.line)
		put_act(l, s, page);
}

/* "5 of 6 questions right at once, 4 of 4 things done" */
static void score_text(const struct state *s, char *out, size_t size)
{
	struct lesson_score score = lesson_score(s->lesson);

	snprintf(out, size, _("The end: %zu of %zu questions right at once, %zu of %zu tasks done. This is not kept."),
		 score.at_once, score.questions, score.done, score.acts);
}

static const char *page_text(const struct state *s, char *scratch, size_t size)
{
	const struct lesson_page *page = lesson_page_shown(s);

	if (page)
		return in_force(&page->text);
	score_text(s, scratch, size);
	return scratch;
}

static int item_rows(const struct state *s, int columns)
{
	struct lines l = { .columns = columns, .ascii = state_look(s).ascii };

	put_items(&l, s);
	return l.row;
}

static int text_rows(const struct state *s, int columns)
{
	char scratch[300];

	return count_wrapped(page_text(s, scratch, sizeof scratch), columns, state_look(s).ascii);
}

int view_lesson_rows(const struct state *s)
{
	if (!s->lesson)
		return 0;
	return 1 + text_rows(s, s->columns) + item_rows(s, s->columns);
}

struct lesson_fit view_lesson_fit(const struct state *s, int rows)
{
	int columns = s->columns - MARK, items = item_rows(s, s->columns);
	struct lesson_fit fit = { .window = rows < 1 ? 1 : rows };

	if (text_rows(s, s->columns) + items <= rows)
		return fit;
	fit.together = rows - items < LEAST_TEXT;
	if (!fit.together)
		fit.window = rows - items;
	fit.most = text_rows(s, columns) + (fit.together ? item_rows(s, columns) : 0) - fit.window;
	return fit;
}

/* ---- drawing ---- */

/* "lesson TITLE  page 2 of 7  [ ]", with less where there is no room. */
static void head_text(const struct canvas *c, int room, const struct lesson_fit *fit, char *out, size_t size)
{
	const struct lesson_play *p = c->s->lesson;
	const struct lesson_page *page = lesson_page_shown(c->s);
	const char *mark = !page || !page->goal_mark.line ? "" : p->visit.ticked ? "  [x]" : "  [ ]";
	const char *title = in_force(&p->lesson.title);
	char place[120];

	if (page)
		snprintf(place, sizeof place, _("page %zu of %zu"), p->page + 1, p->lesson.pages_n);
	else
		snprintf(place, sizeof place, "%s", _("the end"));
	if (fit->most > 0)
		snprintf(place + strlen(place), sizeof place - strlen(place), "  %s",
			 fit->together && lesson_asked_now(c->s) ? _("PgDn: the question") : _("PgDn: more"));
	snprintf(out, size, _("lesson: %.160s  %s%s"), title, place, mark);
	if (text_width(out, c->look.ascii) > room)
		snprintf(out, size, "%.160s  %s%s", title, place, mark);
	if (text_width(out, c->look.ascii) > room)
		snprintf(out, size, "%s%s", place, mark);
}

/* Marks in the last column where there is more above or below. */
static void put_marks(const struct canvas *c, const struct pane *p, int top, int most)
{
	struct style style = color_paint(&c->look, PAINT_WARN);

	if (top > 0)
		pane_text(p, 0, p->columns - 1, c->look.ascii ? "^" : "\u2191", 1, style);
	if (top < most)
		pane_text(p, p->rows - 1, p->columns - 1, c->look.ascii ? "v" : "\u2193", 1, style);
}

static void draw_page(const struct canvas *c, const struct pane *p, const struct lesson_fit *fit)
{
	struct state *s = c->s;
	int top = s->lesson->visit.top < (size_t)fit->most ? (int)s->lesson->visit.top : fit->most;
	struct pane text = pane_part(p, 0, 0, fit->window, p->columns), items = pane_part(p, fit->window, 0, p->rows, p->columns);
	struct lines l = { .pane = &text, .look = &c->look, .columns = p->columns - (fit->most ? MARK : 0), .row = -top,
			   .ascii = c->look.ascii };
	char scratch[300];

	put(&l, 0, page_text(s, scratch, sizeof scratch), PAINT_TEXT);
	if (fit->most && !fit->together)
		l = (struct lines){ .pane = &items, .look = &c->look, .columns = p->columns, .ascii = c->look.ascii };
	put_items(&l, s);
	put_marks(c, &text, top, fit->most);
}

void view_lesson(struct canvas *c)
{
	struct state *s = c->s;
	char title[300];

	if (!s->lesson || c->l.lesson_rows <= 0)
		return;
	struct lesson_fit fit = view_lesson_fit(s, c->l.lesson_rows - 1);
	pane_fill(&c->screen, c->l.lesson, 0, c->l.lesson_rows, s->columns, color_paint(&c->look, PAINT_TEXT));
	head_text(c, s->columns - 4, &fit, title, sizeof title);
	struct pane p = panel_head_at(c, c->l.lesson, c->l.lesson_rows, title, s->columns);
	if (p.rows > 0)
		draw_page(c, &p, &fit);
}
