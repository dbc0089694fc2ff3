/* lesson_check.c - every error of a lesson file. */
#include "tui/lesson_check_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/load.h"

/* ---- errors ---- */

void lesson_check_keep(void *context, const struct error *e)
{
	struct lesson_report *r = context;

	if (r->n == LESSON_ERRORS_MAX) {
		r->more = true;
		return;
	}
	if (!(r->n & (r->n - 1))) {
		struct error *v = realloc(r->errors, (r->n ? 2 * r->n : 1) * sizeof *v);
		if (!v) {
			r->no_memory = true;
			return;
		}
		r->errors = v;
	}
	r->errors[r->n++] = *e;
}

void lesson_check_tell(struct check *c, struct mark at, const char *format, ...)
{
	struct error e = { 0 };
	char text[sizeof e.text];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	error_at(&e, E_VALUE, c->file, at.line, at.column, "%s", text);
	lesson_check_keep(c->report, &e);
}

/* An error of another file, or of none, at a place of this one. */
void lesson_check_tell_of(struct check *c, struct mark at, const char *name, const struct error *e)
{
	char text[sizeof *e];

	if (e->status == E_MEMORY)
		c->report->no_memory = true;
	else if (e->option[0] && !e->file[0])
		lesson_check_tell(c, at, "%s: %s: %s", name, e->option, e->text);
	else {
		error_format(e, text, sizeof text);
		lesson_check_tell(c, at, "%s: %s", name, text);
	}
}

/* ---- languages ---- */

static bool has_language(const struct title *t, const char *language)
{
	for (size_t i = 0; i < t->n; i++)
		if (!*t->v[i].language || !strcmp(t->v[i].language, language))
			return true;
	return false;
}

static void check_languages(struct check *c, const char *name, const struct title *t, struct mark at)
{
	const struct title *wanted = &c->lesson->title;

	for (size_t i = 0; i < wanted->n && t->n; i++)
		if (*wanted->v[i].language && !has_language(t, wanted->v[i].language))
			lesson_check_tell(c, at, "%s: the language %s is missing; the title has it", name, wanted->v[i].language);
}

static void check_texts(struct check *c, const struct lesson_page *page)
{
	check_languages(c, "text", &page->text, page->text_mark);
	check_languages(c, "hint", &page->hint, page->hint_mark);
	for (size_t i = 0; i < page->questions_n; i++) {
		const struct lesson_question *q = &page->questions[i];
		check_languages(c, "text", &q->text, q->text_mark);
		check_languages(c, "why", &q->why, q->why_mark);
		for (size_t k = 0; k < q->choices; k++)
			check_languages(c, "choose", &q->choice[k], q->choice_mark[k]);
	}
}

/* ---- cells ---- */

/* Rows and columns that the cursor has. */
static void cursor_room(const struct numbers *n, const struct options *o, size_t *rows, size_t *columns)
{
	const struct matrix *m = o->stage == STAGE_INPUT ? problem_array(&n->problem, (enum array)o->array, (size_t)o->head) : NULL;

	*rows = m ? m->rows : n->problem.n_q;
	*columns = m ? m->columns : o->stage == STAGE_OUTPUT ? n->problem.d_v
		 : o->stage == STAGE_JOINED ? attention_joined_columns(&n->attention) : n->problem.n_k;
}

static void check_place(struct check *c, const char *name, struct mark at, const struct lesson_place *place,
			const struct numbers *n, const struct options *o)
{
	size_t rows, columns;

	cursor_room(n, o, &rows, &columns);
	if ((!place->any_row && place->row >= rows) || (!place->any_column && place->column >= columns))
		lesson_check_tell(c, at, "%s: there are (%zu, %zu) cells, counted from 0", name, rows, columns);
}

static void check_at(struct check *c, const struct lesson_page *page)
{
	const struct lesson_place place = { .row = page->row, .column = page->column };

	if (!page->at_mark.line) {
		if (page->live.text)
			c->row = c->model->text.last;
		return;
	}
	check_place(c, "at", page->at_mark, &place, &c->now, &c->state.options);
	c->cursor_known = true;
	c->row = page->row;
	c->column = page->column;
}

/* An asked cell must be there when the page is shown, or when it is done. */
static void check_cell(struct check *c, struct mark at, const struct lesson_cell *cell, const struct numbers *done)
{
	struct error e = { 0 }, again = { 0 };
	double value;

	if (lesson_cell_value(cell, &c->now.attention, &value, &e) &&
	    (!done->made || lesson_cell_value(cell, &done->attention, &value, &again)))
		lesson_check_tell_of(c, at, "cell", &e);
}

static void check_questions(struct check *c, const struct lesson_page *page, const struct numbers *done)
{
	for (size_t i = 0; i < page->questions_n; i++)
		if (page->questions[i].ask == LESSON_ASK_CELL && page->questions[i].ask_mark.line)
			check_cell(c, page->questions[i].ask_mark, &page->questions[i].cell, done);
}

/* ---- do ---- */

/* Whether such a cell can be changed is for problem_build to say. */
static void check_edited(struct check *c, const struct lesson_condition *goal, const struct options *o)
{
	const struct edit edit = {
		.array = goal->edited, .head = (size_t)o->head, .row = goal->edited_at.row, .column = goal->edited_at.column,
	};
	const bool shared = edit.array == ARRAY_X || edit.array == ARRAY_W_O;
	struct problem p = { 0 };
	struct edits edits;
	struct error e = { 0 };
	enum status s = edits_copy(&edits, &c->scenario.edits, &e);

	if (s) {
		lesson_check_tell_of(c, goal->edited_mark, "edited", &e);
		return;
	}
	s = edits_put(&edits, shared ? (struct edit){ edit.array, 0, edit.row, edit.column, 0 } : edit, &e);
	if (!s)
		s = problem_build(&p, &c->scenario, o, &edits, c->tables, &e);
	if (s)
		lesson_check_tell_of(c, goal->edited_mark, "edited", &e);
	problem_free(&p);
	edits_free(&edits);
}

static void check_not_yet(struct check *c, const struct lesson_page *page)
{
	const struct lesson_condition *goal = &page->goal;
	struct error e = { 0 };
	double value;

	lesson_check_settle_model(c);
	bool there = goal->cell_mark.line && !lesson_cell_value(&goal->cell, &c->now.attention, &value, &e);
	const struct lesson_now now = {
		.options = &c->now.attention.options, .edits = &c->scenario.edits, .row = c->row, .column = c->column,
		.cursor_known = c->cursor_known, .panels = 1u << page->open, .cell = there ? &value : NULL,
		.live = lesson_live_holds(&goal->live, c->model, c->state.live, c->row),
	};

	if (lesson_condition_holds(goal, &now))
		lesson_check_tell(c, page->goal_mark, "do: this is true already when the page is shown");
}

/* Makes the numbers of the page when it is done; its state is in *state then. */
static bool check_goal(struct check *c, const struct lesson_page *page, struct snapshot *state, struct numbers *done)
{
	const struct lesson_condition *goal = &page->goal;
	const struct put put = { "do", &goal->live, &goal->options, goal->option_mark };

	if (!lesson_check_fit(c, state, &put, done))
		return false;
	if (goal->at_mark.line)
		check_place(c, "at", goal->at_mark, &goal->at, done, &state->options);
	if (goal->cell_mark.line)
		check_cell(c, goal->cell_mark, &goal->cell, done);
	if (goal->edited_mark.line)
		check_edited(c, goal, &state->options);
	if (!c->unsure)
		check_not_yet(c, page);
	return true;
}

/* ---- pages ---- */

/* The first thing of a page that has to be seen on a scenario; line 0: nothing. */
static struct mark first_need(const struct lesson_page *page)
{
	struct mark need = lesson_check_first_mark(page->set_mark);

	if (!need.line)
		need = page->at_mark.line ? page->at_mark : page->goal_mark;
	for (size_t i = 0; i < page->questions_n && !need.line; i++)
		if (page->questions[i].ask == LESSON_ASK_CELL)
			need = page->questions[i].ask_mark;
	return need;
}

/* The state of the page has been made; what the page says about it. */
static void check_on_screen(struct check *c, const struct lesson_page *page)
{
	struct numbers done = { 0 };
	struct snapshot state;
	struct error e = { 0 };

	check_at(c, page);
	if (snapshot_copy(&state, &c->state, &e)) {
		c->report->no_memory = true;
		return;
	}
	c->unsure = c->unsure || page->unsure;
	bool reached = page->goal_mark.line && check_goal(c, page, &state, &done);
	c->unsure = c->unsure || (page->goal_mark.line && !reached);
	check_questions(c, page, &done);
	numbers_free(&done);
	if (reached) {		/* who does what is asked goes on from there */
		snapshot_free(&c->state);
		c->state = state;
	} else {
		snapshot_free(&state);
	}
}

static void check_state(struct check *c, const struct lesson_page *page)
{
	const struct put put = { "set", &page->live, &page->set, page->set_mark };

	lesson_check_open(c, page);
	if (c->shown == SHOWN_NOTHING && first_need(page).line) {
		lesson_check_tell(c, first_need(page), "no scenario is shown yet; this page, or one before it, has to name one");
		c->shown = SHOWN_UNKNOWN;
	}
	if (c->shown != SHOWN_KNOWN)
		return;
	if (lesson_check_fit(c, &c->state, &put, &c->now) && !page->flawed)
		check_on_screen(c, page);
	else
		lesson_check_forget(c);
	numbers_free(&c->now);
}

static void check_page(struct check *c, const struct lesson_page *page)
{
	check_texts(c, page);
	/* What a page at fault would show is not known, unless it names its scenario or text. */
	if (page->flawed && !page->scenario_mark.line && !page->live.text)
		lesson_check_forget(c);
	else
		check_state(c, page);
}

/* ---- all of it ---- */

static int by_place(const void *a, const void *b)
{
	const struct error *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	return strcmp(x->text, y->text);
}

void lesson_check(struct lesson_report *r, const char *input, const struct random_tables *tables)
{
	struct lesson lesson;
	struct check c = { .report = r, .lesson = &lesson, .tables = tables };

	*r = (struct lesson_report){ 0 };
	load_lesson_all(&lesson, input, &c.file, lesson_check_keep, r);
	for (size_t i = 0; i < lesson.pages_n; i++)
		check_page(&c, &lesson.pages[i]);
	lesson_check_forget(&c);
	if (c.model)
		live_free(c.model);
	free(c.model);
	r->pages = lesson.pages_n;
	r->questions = lesson_questions(&lesson);
	if (r->n)
		qsort(r->errors, r->n, sizeof *r->errors, by_place);
	lesson_free(&lesson);
}

void lesson_report_free(struct lesson_report *r)
{
	free(r->errors);
	*r = (struct lesson_report){ 0 };
}
