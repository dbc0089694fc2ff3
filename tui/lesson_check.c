/* lesson_check.c - every error of a lesson file. */
#include "tui/lesson_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clinic.h"
#include "tui/load.h"

/* What is on the screen: nothing yet, something that an error keeps from being
 * known, or this. */
enum shown { SHOWN_NOTHING, SHOWN_UNKNOWN, SHOWN_KNOWN };

/* The numbers of a state. */
struct numbers {
	struct problem problem;
	struct attention attention;
	bool made;
};

struct check {
	struct lesson_report *report;
	const struct lesson *lesson;
	const char *file;
	const struct random_tables *tables;
	enum shown shown;
	struct scenario scenario;	/* KNOWN: these two, */
	struct options options;
	struct numbers now;		/* and these, as the page begins */
	bool cursor_known;
	bool unsure;			/* an error was in the way here: whether something is true already is not asked */
	size_t row, column;
};

/* ---- errors ---- */

static void keep(void *context, const struct error *e)
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

static void tell(struct check *c, struct mark at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void tell(struct check *c, struct mark at, const char *format, ...)
{
	struct error e = { 0 };
	char text[sizeof e.text];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	error_at(&e, E_VALUE, c->file, at.line, at.column, "%s", text);
	keep(c->report, &e);
}

/* An error of another file, or of none, at a place of this one. */
static void tell_of(struct check *c, struct mark at, const char *name, const struct error *e)
{
	char text[sizeof *e];

	if (e->status == E_MEMORY)
		c->report->no_memory = true;
	else if (e->option[0] && !e->file[0])
		tell(c, at, "%s: %s: %s", name, e->option, e->text);
	else {
		error_format(e, text, sizeof text);
		tell(c, at, "%s: %s", name, text);
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
			tell(c, at, "%s: the language %s is missing; the title has it", name, wanted->v[i].language);
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

/* ---- what is shown ---- */

static void numbers_free(struct numbers *n)
{
	if (n->made)
		attention_free(&n->attention);
	problem_free(&n->problem);
	n->made = false;
}

/* n refers to itself and stays where it is; numbers_free in any case. */
static enum status numbers_make(struct check *c, struct numbers *n, const struct options *o, struct error *e)
{
	enum status s = problem_build(&n->problem, &c->scenario, o, &c->scenario.edits, c->tables, e);

	if (!s)
		s = load_masks(&n->problem, o, e);
	if (!s)
		s = problem_check_stage(&n->problem, (enum stage)o->stage, e);
	if (!s && !(s = attention_init(&n->attention, &n->problem, o, c->tables, e)))
		n->made = true;
	return s;
}

static void forget(struct check *c)
{
	if (c->shown == SHOWN_KNOWN) {
		numbers_free(&c->now);
		options_free(&c->options);
		scenario_free(&c->scenario);
	}
	c->shown = SHOWN_UNKNOWN;
	c->cursor_known = false;
}

static void open_scenario(struct check *c, const char *input, struct mark at, const char *name)
{
	struct error e = { 0 };

	forget(c);
	if (load_scenario_file(&c->scenario, input, c->tables, &e)) {
		tell_of(c, at, name, &e);
		return;
	}
	if (options_copy(&c->options, &c->scenario.set, &e)) {
		scenario_free(&c->scenario);
		c->report->no_memory = true;
		return;
	}
	c->shown = SHOWN_KNOWN;
	c->unsure = false;
	c->cursor_known = true;
	c->row = c->column = 0;
}

static void open_clinic(struct check *c, const struct lesson_page *page)
{
	const struct clinic *clinic = clinic_find(page->clinic);

	if (page->scenario && strcmp(page->scenario, clinic->scenario))
		tell(c, page->open_mark, "open: the clinic %s opens the scenario %s, and this page names another one", clinic->name,
		     clinic->scenario);
	open_scenario(c, clinic->scenario, page->open_mark, "open");
	c->row = clinic->row;
}

/* ---- options ---- */

static struct mark first_mark(const struct mark mark[OPT_COUNT])
{
	struct mark first = { 0 };

	for (int k = 0; k < OPT_COUNT; k++)
		if (mark[k].line && (!first.line || mark[k].line < first.line ||
				     (mark[k].line == first.line && mark[k].column < first.column)))
			first = mark[k];
	return first;
}

/* The option of an error, "pad 9" or "pad". */
static enum option blamed(const struct error *e)
{
	char name[sizeof e->option];

	snprintf(name, sizeof name, "%.*s", (int)strcspn(e->option, " "), e->option);
	return option_find(name);
}

/* Makes the numbers with these options on top of *o, which takes them over. Those
 * that do not fit are told one after the other, each left out then. False when
 * there was any: n and *o are then of use to nobody but for what frees them. */
static bool fit_options(struct check *c, const char *name, struct options *o, const struct options *from,
			const struct mark given[OPT_COUNT], struct numbers *n)
{
	struct mark mark[OPT_COUNT];
	bool fine = true;

	memcpy(mark, given, sizeof mark);
	for (;;) {
		struct error e = { 0 };
		struct options next;
		if (options_copy(&next, o, &e)) {
			c->report->no_memory = true;
			return false;
		}
		enum status s = lesson_set_options(&next, from, mark, &e);
		if (!s && !(s = numbers_make(c, n, &next, &e))) {
			options_free(o);
			*o = next;
			return fine;
		}
		options_free(&next);
		numbers_free(n);
		fine = false;
		enum option x = blamed(&e);
		if (x == OPT_COUNT || !mark[x].line) {	/* one of them, but not which */
			tell_of(c, first_mark(mark), name, &e);
			return false;
		}
		tell_of(c, mark[x], name, &e);
		mark[x].line = 0;
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
		tell(c, at, "%s: there are (%zu, %zu) cells, counted from 0", name, rows, columns);
}

static void check_at(struct check *c, const struct lesson_page *page)
{
	const struct lesson_place place = { .row = page->row, .column = page->column };

	if (!page->at_mark.line)
		return;
	check_place(c, "at", page->at_mark, &place, &c->now, &c->options);
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
		tell_of(c, at, "cell", &e);
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
		tell_of(c, goal->edited_mark, "edited", &e);
		return;
	}
	s = edits_put(&edits, shared ? (struct edit){ edit.array, 0, edit.row, edit.column, 0 } : edit, &e);
	if (!s)
		s = problem_build(&p, &c->scenario, o, &edits, c->tables, &e);
	if (s)
		tell_of(c, goal->edited_mark, "edited", &e);
	problem_free(&p);
	edits_free(&edits);
}

static void check_not_yet(struct check *c, const struct lesson_page *page)
{
	const struct lesson_condition *goal = &page->goal;
	struct error e = { 0 };
	double value;
	bool there = goal->cell_mark.line && !lesson_cell_value(&goal->cell, &c->now.attention, &value, &e);
	const struct lesson_now now = {
		.options = &c->now.attention.options, .edits = &c->scenario.edits, .row = c->row, .column = c->column,
		.cursor_known = c->cursor_known, .panels = 1u << page->open, .cell = there ? &value : NULL,
	};

	if (lesson_condition_holds(goal, &now))
		tell(c, page->goal_mark, "do: this is true already when the page is shown");
}

/* Makes the numbers of the page when it is done; its options are in *o then. */
static bool check_goal(struct check *c, const struct lesson_page *page, struct options *o, struct numbers *done)
{
	const struct lesson_condition *goal = &page->goal;

	if (!fit_options(c, "do", o, &goal->options, goal->option_mark, done))
		return false;
	if (goal->at_mark.line)
		check_place(c, "at", goal->at_mark, &goal->at, done, o);
	if (goal->cell_mark.line)
		check_cell(c, goal->cell_mark, &goal->cell, done);
	if (goal->edited_mark.line)
		check_edited(c, goal, o);
	if (!c->unsure)
		check_not_yet(c, page);
	return true;
}

/* ---- pages ---- */

/* The first thing of a page that has to be seen on a scenario; line 0: nothing. */
static struct mark first_need(const struct lesson_page *page)
{
	struct mark need = first_mark(page->set_mark);

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
	struct options o;
	struct error e = { 0 };

	check_at(c, page);
	if (options_copy(&o, &c->options, &e)) {
		c->report->no_memory = true;
		return;
	}
	c->unsure = c->unsure || page->unsure;
	bool reached = page->goal_mark.line && check_goal(c, page, &o, &done);
	c->unsure = c->unsure || (page->goal_mark.line && !reached);
	check_questions(c, page, &done);
	numbers_free(&done);
	if (reached) {		/* who does what is asked goes on from there */
		options_free(&c->options);
		c->options = o;
	} else {
		options_free(&o);
	}
}

static void check_state(struct check *c, const struct lesson_page *page)
{
	c->cursor_known = false;
	if (page->scenario && page->scenario_mark.line)
		open_scenario(c, page->scenario, page->scenario_mark, "scenario");
	if (page->clinic)
		open_clinic(c, page);
	if (c->shown == SHOWN_NOTHING && first_need(page).line) {
		tell(c, first_need(page), "no scenario is shown yet; this page, or one before it, has to name one");
		c->shown = SHOWN_UNKNOWN;
	}
	if (c->shown != SHOWN_KNOWN)
		return;
	if (fit_options(c, "set", &c->options, &page->set, page->set_mark, &c->now) && !page->flawed)
		check_on_screen(c, page);
	else
		forget(c);
	numbers_free(&c->now);
}

static void check_page(struct check *c, const struct lesson_page *page)
{
	check_texts(c, page);
	/* What a page at fault would show is not known, unless it names its scenario. */
	if (page->flawed && !page->scenario_mark.line)
		forget(c);
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
	load_lesson_all(&lesson, input, &c.file, keep, r);
	for (size_t i = 0; i < lesson.pages_n; i++)
		check_page(&c, &lesson.pages[i]);
	forget(&c);
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
