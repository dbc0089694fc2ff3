/* panel_lesson_keys.c - what is done on a page of a lesson: read on, done, answered; its keys. */
#include "tui/panel_lesson.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"
#include "tui/compare.h"
#include "tui/lesson_live.h"
#include "tui/panel_kinds.h"
#include "tui/view.h"

/* ---- a page that has no room ---- */

static struct lesson_fit fit_now(const struct state *s)
{
	struct layout l;

	layout_make(&l, s);
	return view_lesson_fit(s, l.lesson_rows - 1);
}

/* What is new stands at the end: it is shown, where it does not stand below the text anyway. */
static void show_end(struct state *s)
{
	if (fit_now(s).together)
		s->lesson->visit.top = SIZE_MAX;
}

/* A line stays, to go on from. False where all is seen: the keys are the grid's. */
static bool scroll(struct state *s, bool down, const char *by)
{
	struct lesson_fit fit = fit_now(s);
	struct lesson_visit *v = &s->lesson->visit;
	size_t most = fit.most > 0 ? (size_t)fit.most : 0, step = fit.window > 1 ? (size_t)fit.window - 1 : 1;
	size_t top = v->top < most ? v->top : most;

	if (!most)
		return false;
	if (down && top == most)
		state_say(s, false, "%s: the page ends here; n turns it", by);
	v->top = down ? top + step : top > step ? top - step : 0;
	return true;
}

/* ---- what is to be done ---- */

static unsigned open_panels(const struct state *s)
{
	unsigned open = compare_shown(s) ? 1u << LESSON_PANEL_COMPARE : 0;

	for (int k = LESSON_PANEL_NONE + 1; k < LESSON_PANEL_COUNT; k++) {
		enum command c = lesson_opened_with(k);
		if (c < CMD_COUNT && panel_is_open_by(s, c))
			open |= 1u << k;
	}
	return open;
}

/* What a named mistake sets is in force, too; what computes nothing is of the state alone. */
static bool options_hold(const struct state *s, const struct lesson_condition *goal)
{
	for (int k = 0; k < OPT_COUNT; k++) {
		enum option o = (enum option)k;
		bool computes = option_info(o)->dirties < STAGE_COUNT;
		if (goal->option_mark[k].line &&
		    !option_same(&goal->options, computes ? &s->grid.attention.options : &s->now.options, o))
			return false;
	}
	return true;
}

static bool goal_is_reached(const struct state *s, const struct lesson_condition *goal)
{
	struct lesson_condition rest = *goal;
	struct error e = { 0 };
	double value;
	bool there = goal->cell_mark.line && !lesson_cell_value(&goal->cell, &s->grid.attention, &value, &e);
	const struct live *live = live_shown(s);
	const struct lesson_now now = {
		.options = &s->grid.attention.options, .edits = &s->now.edits, .row = s->row, .column = s->column,
		.cursor_known = true, .panels = open_panels(s), .cell = there ? &value : NULL,
		.live = lesson_live_holds(&goal->live, live, s->now.live, live ? live_row(s) : 0),
	};

	memset(rest.option_mark, 0, sizeof rest.option_mark);
	return options_hold(s, goal) && lesson_condition_holds(&rest, &now);
}

void lesson_look(struct state *s)
{
	const struct lesson_page *page = lesson_page_shown(s);

	if (s->lesson && s->mode != MODE_PROMPT)
		s->lesson->visit.answering = false;
	if (!page || !page->goal_mark.line || s->lesson->visit.ticked || !goal_is_reached(s, &page->goal))
		return;
	s->lesson->visit.ticked = true;
	show_end(s);
	s->lesson->kept[s->lesson->page].done = true;
}

/* ---- answers ---- */

/* Whether there is a right answer: the asked cell may be gone. */
static bool right_number(struct state *s, const struct lesson_question *q, double *right, const char *by)
{
	struct error e = { 0 };

	*right = q->number;
	if (q->ask != LESSON_ASK_CELL || !lesson_cell_value(&q->cell, &s->grid.attention, right, &e))
		return true;
	state_say(s, true, "%s: the cell that is asked for is not there now; N and n begin the page again", by);
	return false;
}

static void note_first(struct state *s, bool right)
{
	enum lesson_first *first = &s->lesson->kept[s->lesson->page].first[s->lesson->visit.question];

	if (*first == LESSON_UNASKED)
		*first = right ? LESSON_AT_ONCE : LESSON_NOT_AT_ONCE;
}

/* The next question, with the answer of this one above it. */
static void go_on(struct state *s, bool right, double number)
{
	struct lesson_visit *v = &s->lesson->visit;

	v->question++;
	v->in_front = lesson_asked_now(s) != NULL;
	v->hint = false;
	v->told = true;
	v->told_right = right;
	v->told_number = number;
	show_end(s);
}

static void judge(struct state *s, enum lesson_answer answer, double number, const char *typed, const char *by)
{
	note_first(s, answer == LESSON_RIGHT);
	if (answer == LESSON_RIGHT) {
		go_on(s, true, number);
		state_say(s, false, "%s: %s is right", by, typed);
	} else if (answer == LESSON_OTHER_KIND) {
		state_say(s, false, "%s: not %s: is it a finite number at all?", by, typed);
	} else {
		state_say(s, false, "%s: not %s; Enter tries again, Space shows the answer", by, typed);
	}
}

static void answer_number(struct state *s, const char *text, const char *by)
{
	const struct lesson_question *q = lesson_asked_now(s);
	double typed, right;
	char shown[48];

	s->lesson->visit.answering = false;
	if (!q || !right_number(s, q, &right, by))
		return;
	if (!number_parse_answer(text, strlen(text), &typed)) {
		state_say(s, true, "%s: '%.40s' is not a number; expected one like 2, -0.5, 1/2, 27%%, inf or nan", by, text);
		return;
	}
	snprintf(shown, sizeof shown, "%.40s", text);
	judge(s, lesson_check_number(q, typed, right), right, shown, by);
}

static void reveal(struct state *s, const char *by)
{
	const struct lesson_question *q = lesson_asked_now(s);
	double right = 0;

	if (q->ask != LESSON_ASK_CHOICE && !right_number(s, q, &right, by))
		return;
	note_first(s, false);
	go_on(s, false, right);
	state_say(s, false, "%s: the answer is shown; it counts as not answered", by);
}

static bool choose(struct state *s, uint32_t code)
{
	const struct lesson_question *q = lesson_asked_now(s);
	char by[2] = { (char)code, '\0' };
	size_t k = code - 'a';

	if (code < 'a' || k >= q->choices)
		return false;
	judge(s, lesson_check_choice(q, k), 0, by, by);
	return true;
}

/* ---- keys ---- */

/* A digit, a sign or a point begins the answer to a number that is asked for. */
static bool begins_number(const struct key *k)
{
	return k->kind == KEY_CHARACTER && !k->modifiers &&
	       ((k->code >= '0' && k->code <= '9') || k->code == '-' || k->code == '.');
}

static void open_answer(struct state *s)
{
	prompt_open(s, PROMPT_VALUE, "");
	s->lesson->visit.answering = s->mode == MODE_PROMPT;
}

static bool has_keys(const struct state *s)
{
	return s->lesson && s->mode == panel_mode(s);
}

/* n and N turn the page, whatever the letters of a panel stand for. */
static bool turns(struct state *s, const struct key *k)
{
	enum command c = keymap_find(&s->keymap, k);
	char by[KEY_TEXT_SIZE];

	if (s->panel.kind == PANEL_PREDICT || (c != CMD_FIND_NEXT && c != CMD_FIND_PREVIOUS))
		return false;
	key_format(k, by);
	return lesson_takes(s, c, "", by);
}

bool lesson_in_front(const struct state *s)
{
	return s->lesson && lesson_asked_now(s) && s->lesson->visit.in_front && s->panel.kind != PANEL_PREDICT;
}

bool lesson_key(struct state *s, const struct key *k)
{
	if (!has_keys(s))
		return false;
	if (turns(s, k))
		return true;
	if (!lesson_in_front(s))
		return false;
	if (lesson_asked_now(s)->ask == LESSON_ASK_CHOICE)
		return k->kind == KEY_CHARACTER && !k->modifiers && choose(s, k->code);
	if (!begins_number(k))
		return false;
	open_answer(s);
	if (s->mode == MODE_PROMPT)
		prompt_key(s, k);
	return true;
}

/* Enter: the answer is typed, or letters are for the question again. */
static bool answer_key(struct state *s, const char *by)
{
	const struct lesson_question *q = lesson_asked_now(s);

	if (!q || s->panel.kind == PANEL_PREDICT)
		return false;
	if (q->ask != LESSON_ASK_CHOICE) {
		open_answer(s);
		return true;
	}
	s->lesson->visit.in_front = true;
	state_say(s, false, "%s: a letter from a to %c answers; Esc frees the letters", by, (char)('a' + q->choices - 1));
	return true;
}

bool lesson_panel_has_space(const struct state *s)
{
	enum panel_kind kind = s->panel.kind;

	return kind == PANEL_BUGS || kind == PANEL_SWEEP || kind == PANEL_WALK || kind == PANEL_PREDICT;
}

/* The question in front has Space; else a panel for which Space does something. */
static bool space_key(struct state *s, const char *by)
{
	const struct lesson_page *page = lesson_page_shown(s);
	struct lesson_visit *v = &s->lesson->visit;

	if (lesson_asked_now(s) && (lesson_in_front(s) || !lesson_panel_has_space(s))) {
		reveal(s, by);
		return true;
	}
	if (!page || !page->hint.n || v->hint || lesson_asked_now(s) || lesson_panel_has_space(s))
		return false;
	v->hint = true;
	show_end(s);
	s->sentence[0] = '\0';
	return true;
}

static bool turn(struct state *s, bool forward, const char *by)
{
	struct lesson_play *p = s->lesson;

	if (forward && p->page < p->lesson.pages_n)
		lesson_enter(s, p->page + 1, by);
	else if (!forward && p->page > 0)
		lesson_enter(s, p->page - 1, by);
	else if (forward)
		state_say(s, false, "%s: this is the end of the lesson; Esc leaves it", by);
	else
		state_say(s, false, "%s: this is the first page", by);
	return true;
}

/* Esc closes what lies on top: the question, a panel, then the lesson. */
static bool close_key(struct state *s, const char *by)
{
	if (lesson_in_front(s)) {
		s->lesson->visit.in_front = false;
		state_say(s, false, "%s: the keys are the screen's again; Enter answers", by);
		return true;
	}
	if (s->panel.kind != PANEL_NONE || compare_shown(s))
		return false;
	lesson_leave(s);
	return true;
}

bool lesson_takes(struct state *s, enum command c, const char *argument, const char *by)
{
	if (!has_keys(s))
		return false;
	switch (c) {
	case CMD_FIND_NEXT:
	case CMD_FIND_PREVIOUS:
		return turn(s, c == CMD_FIND_NEXT, by);
	case CMD_EDIT:
		if (!*argument)
			return answer_key(s, by);
		if (!s->lesson->visit.answering)
			return false;
		answer_number(s, argument, by);
		return true;
	case CMD_PAGE_DOWN:
	case CMD_PAGE_UP:
		return scroll(s, c == CMD_PAGE_DOWN, by);
	case CMD_FORWARD:
		return space_key(s, by);
	case CMD_CLOSE:
		return close_key(s, by);
	default:
		return false;
	}
}
