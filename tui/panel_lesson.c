/* panel_lesson.c - a lesson that is played: pages, questions, what is to be done. */
#include "tui/panel_lesson.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "tui/compare.h"
#include "tui/lesson_live.h"
#include "tui/panel_kinds.h"

/* Beside which the user's own choice matters, not the page's. */
static const enum option of_reader[] = { OPT_THEME, OPT_COLOR, OPT_LANG, OPT_ASCII };
static const enum option presentation[] = { OPT_THEME, OPT_COLOR, OPT_LANG, OPT_ASCII, OPT_PRECISION, OPT_STEP };

/* ---- memory ---- */

static void kept_free(struct lesson_play *p)
{
	for (size_t k = 0; p->kept && k < p->lesson.pages_n; k++) {
		if (p->kept[k].begun)
			snapshot_free(&p->kept[k].start);
		free(p->kept[k].first);
	}
	free(p->kept);
	p->kept = NULL;
}

static void forget_lesson(struct lesson_play *p)
{
	kept_free(p);
	lesson_free(&p->lesson);
	p->page = 0;
	p->visit = (struct lesson_visit){ 0 };
}

void lesson_play_free(struct lesson_play *p)
{
	if (!p)
		return;
	forget_lesson(p);
	snapshot_free(&p->before);
	history_free(&p->undo);
	history_free(&p->redo);
	panel_free(&p->panel);
	free(p);
}

static enum status keep_pages(struct lesson_play *p, const struct lesson *l, struct error *e)
{
	p->kept = calloc(l->pages_n, sizeof *p->kept);
	for (size_t k = 0; p->kept && k < l->pages_n; k++)
		if (!(p->kept[k].first = calloc(l->pages[k].questions_n + 1, sizeof *p->kept[k].first)))
			return error_set(e, E_MEMORY, "no memory for a lesson");
	return p->kept ? OK_STATUS : error_set(e, E_MEMORY, "no memory for a lesson");
}

/* ---- what is shown ---- */

static const char *scenario_of(const struct lesson_page *page)
{
	return page->clinic ? clinic_find(page->clinic)->scenario : page->scenario;
}

/* Whether it says itself what is shown. */
static bool is_begun(const struct lesson_page *page)
{
	return scenario_of(page) || page->live.text;
}

const struct lesson_page *lesson_page_shown(const struct state *s)
{
	const struct lesson_play *p = s->lesson;

	return p && p->page < p->lesson.pages_n ? &p->lesson.pages[p->page] : NULL;
}

const struct lesson_question *lesson_asked_now(const struct state *s)
{
	const struct lesson_page *page = lesson_page_shown(s);

	return page && s->lesson->visit.question < page->questions_n ? &page->questions[s->lesson->visit.question] : NULL;
}

static const struct lesson_cell *asked_cell(const struct state *s)
{
	const struct lesson_question *q = lesson_asked_now(s);

	return q && q->ask == LESSON_ASK_CELL ? &q->cell : NULL;
}

bool lesson_hides_some(const struct state *s)
{
	return asked_cell(s) != NULL;
}

/* A number that is asked for on this page or on a later one of the same scenario, and never was yet. */
static bool asks_later(const struct state *s, size_t page)
{
	const struct lesson_play *p = s->lesson;
	const struct lesson_page *later = &p->lesson.pages[page];

	for (size_t k = 0; k < later->questions_n; k++)
		if (later->questions[k].ask == LESSON_ASK_CELL && p->kept[page].first[k] == LESSON_UNASKED)
			return true;
	return false;
}

bool lesson_keeps_back(const struct state *s)
{
	const struct lesson_page *page = lesson_page_shown(s);
	const char *name = page ? scenario_of(page) : NULL;

	for (size_t k = page ? s->lesson->page : SIZE_MAX; name && k < s->lesson->lesson.pages_n; k++) {
		const char *later = scenario_of(&s->lesson->lesson.pages[k]);
		if (later && !strcmp(later, name) && asks_later(s, k))
			return true;
	}
	return false;
}

bool lesson_hides_sum(const struct state *s, size_t row)
{
	const struct lesson_cell *c = asked_cell(s);

	return c && c->row_sum && c->row == row;
}

/* A score is the scaled and the masked one where nothing divides and nothing hides
 * it; the output is the weights where V is the identity. */
bool lesson_hides(const struct state *s, size_t row, size_t column)
{
	const struct lesson_cell *c = asked_cell(s);
	enum stage shown = state_stage(s);

	if (!c || c->row_sum || shown == STAGE_INPUT || row != c->row || shown < c->stage)
		return false;
	if (shown == STAGE_JOINED || (shown == STAGE_OUTPUT && c->stage == STAGE_WEIGHTS))
		return true;
	return column == c->column && (shown == c->stage || shown <= STAGE_MASKED);
}

struct lesson_score lesson_score(const struct lesson_play *p)
{
	struct lesson_score score = { 0 };

	for (size_t k = 0; k < p->lesson.pages_n; k++) {
		const struct lesson_page *page = &p->lesson.pages[k];
		score.questions += page->questions_n;
		for (size_t i = 0; i < page->questions_n; i++)
			score.at_once += p->kept[k].first[i] == LESSON_AT_ONCE;
		score.acts += page->goal_mark.line != 0;
		score.done += page->goal_mark.line && p->kept[k].done;
	}
	return score;
}

/* ---- entering a page ---- */

static enum status copy_option(struct options *to, const struct options *from, enum option o, struct error *e)
{
	struct buffer value = { 0 };
	enum status s;

	option_text(from, o, &value);
	s = value.data && !value.failed ? option_set(to, o, value.data, e) : error_set(e, E_MEMORY, "no memory for an option");
	buffer_free(&value);
	return s;
}

/* Whether the page that is left has set it itself: then it does not carry over. */
static bool is_of_page(const struct state *s, enum option o)
{
	const struct lesson_page *left = lesson_page_shown(s);

	return left && left->set_mark[o].line;
}

/* What the reader has chosen stays: colours and language as they are now, digits
 * and step as before the lesson. */
static enum status keep_presentation(const struct state *s, struct options *o, struct error *e)
{
	const struct options *before = &s->lesson->before.options;
	enum status status = OK_STATUS;

	for (size_t k = 0; k < sizeof presentation / sizeof *presentation && !status; k++)
		if (option_is_default(o, presentation[k]))
			status = copy_option(o, before, presentation[k], e);
	for (size_t k = 0; k < sizeof of_reader / sizeof *of_reader && !status; k++)
		if (!is_of_page(s, of_reader[k]))
			status = copy_option(o, &s->now.options, of_reader[k], e);
	return status;
}

/* The same scenario of another page is the same one. */
static bool is_open_already(struct lesson_play *p, const char *name, size_t *index)
{
	for (size_t k = 0; k < p->lesson.pages_n; k++) {
		const char *other = scenario_of(&p->lesson.pages[k]);
		if (p->kept[k].opened && other && !strcmp(other, name)) {
			*index = p->kept[k].scenario;
			return true;
		}
	}
	return false;
}

/* Its index becomes that of the page; it is put in force elsewhere. */
static enum status open_scenario(struct state *s, size_t page, struct error *e)
{
	struct lesson_play *p = s->lesson;
	struct lesson_kept *kept = &p->kept[page];
	const char *name = scenario_of(&p->lesson.pages[page]);
	struct scenario sc;
	enum status status;

	if (kept->opened)
		return OK_STATUS;
	if (!is_open_already(p, name, &kept->scenario)) {
		if ((status = s->ports.open(&sc, name, s->tables, e)))
			return status;
		if ((status = state_add_scenario(s, &sc, &sc.set, &kept->scenario, e))) {
			scenario_free(&sc);
			return status;
		}
		s->opened[kept->scenario]->source = strdup(name);
	}
	kept->opened = true;
	return OK_STATUS;
}

/* A page without a scenario of its own begins with what is shown, the first time. */
static enum status keep_shown(struct state *s, size_t page, struct error *e)
{
	struct lesson_kept *kept = &s->lesson->kept[page];
	enum status status;

	if (kept->begun)
		return OK_STATUS;
	if ((status = snapshot_copy(&kept->start, &s->now, e)))
		return status;
	kept->begun = true;
	kept->row = s->row;
	kept->column = s->column;
	return OK_STATUS;
}

/* A lesson says what the built-in model does, and no other one. */
static enum status live_base(struct state *s, const struct lesson_live *live, struct snapshot *next, struct error *e)
{
	const struct live_request r = { .text = live->text, .tables = s->tables };
	enum status status = live_load(s, &r, e);

	if (status)
		return status;
	if (s->live->file)
		return error_set(e, E_VALUE, "it is of the built-in language model, and another one is in use");
	next->scenario = s->live->slot;
	if ((status = options_copy(&next->options, &s->live->plain, e)))
		return status;
	return lesson_live_put(live, next, e);
}

static enum status page_base(struct state *s, size_t page, struct snapshot *next, struct error *e)
{
	const struct lesson_page *p = &s->lesson->lesson.pages[page];
	struct lesson_kept *kept = &s->lesson->kept[page];
	enum status status;

	if (p->live.text)
		return live_base(s, &p->live, next, e);
	status = is_begun(p) ? open_scenario(s, page, e) : keep_shown(s, page, e);
	if (status || !is_begun(p))
		return status ? status : snapshot_copy(next, &kept->start, e);
	const struct scenario *sc = &s->opened[kept->scenario]->scenario;
	next->scenario = kept->scenario;
	if ((status = options_copy(&next->options, &sc->set, e)))
		return status;
	return edits_copy(&next->edits, &sc->edits, e);
}

static enum status page_state(struct state *s, size_t page, struct snapshot *next, struct error *e)
{
	const struct lesson_page *p = &s->lesson->lesson.pages[page];
	enum status status = page_base(s, page, next, e);

	if (!status)
		status = keep_presentation(s, &next->options, e);
	if (!status)
		status = lesson_set_options(&next->options, &p->set, p->set_mark, e);
	return status || !p->live.text ? status : lesson_live_at(&p->live, &s->live->live, next, e);
}

static void place_cursor(struct state *s, size_t page)
{
	const struct lesson_page *p = &s->lesson->lesson.pages[page];
	const struct lesson_kept *kept = &s->lesson->kept[page];

	s->row = p->clinic ? clinic_find(p->clinic)->row : p->live.text ? s->live->live.text.last : is_begun(p) ? 0 : kept->row;
	s->column = is_begun(p) ? 0 : kept->column;
	if (p->at_mark.line) {
		s->row = p->row;
		s->column = p->column;
	}
	s->top = s->left = 0;
}

enum command lesson_opened_with(int panel)
{
	static const enum command other[LESSON_PANEL_COUNT] = {		/* of another name */
		[LESSON_PANEL_BUGS] = CMD_BUG_LAB, [LESSON_PANEL_INSPECTOR] = CMD_INSPECT, [LESSON_PANEL_WALK] = CMD_FORWARD,
	};

	return other[panel] ? other[panel] : command_find(lesson_panel_name(panel));
}

static void open_panel(struct state *s, const struct lesson_page *page, const char *by)
{
	enum command c = page->open == LESSON_PANEL_NONE ? CMD_COUNT : lesson_opened_with(page->open);

	if (page->clinic) {		/* its scenario is in force already */
		s->panel.clinic.which = clinic_find(page->clinic);
		panel_open(s, PANEL_CLINIC);
	} else if (c < CMD_COUNT) {
		panel_command(s, c, "", by);
	}
}

static void say_page(struct state *s, const char *by)
{
	struct lesson_play *p = s->lesson;

	if (lesson_asked_now(s))
		state_say(s, false, "%s: page %zu of %zu; n turns it, N goes back, Esc frees the keys", by, p->page + 1, p->lesson.pages_n);
	else if (p->page < p->lesson.pages_n)
		state_say(s, false, "%s: page %zu of %zu; n turns it, N goes back, Esc leaves the lesson", by, p->page + 1,
			  p->lesson.pages_n);
	else
		state_say(s, false, "%s: the end of the lesson; Esc leaves it, L has others", by);
}

/* Shows a page, as it is shown each time. False, and nothing but the sentence has
 * changed, when that cannot be. */
bool lesson_enter(struct state *s, size_t page, const char *by)
{
	struct lesson_play *p = s->lesson;
	struct snapshot next = { 0 };
	struct error e = { 0 };

	if (page == p->lesson.pages_n) {
		p->page = page;
		p->visit = (struct lesson_visit){ 0 };
		say_page(s, by);
		return true;
	}
	if (page_state(s, page, &next, &e) || state_adopt(s, &next, &e)) {
		state_say(s, true, "%s: page %zu cannot be shown: %s%s%s", by, page + 1, e.option, *e.option ? ": " : "", e.text);
		snapshot_free(&next);
		return false;
	}
	panel_close(s);
	p->page = page;
	p->visit = (struct lesson_visit){ .in_front = p->lesson.pages[page].questions_n > 0 };
	place_cursor(s, page);
	state_settle(s);
	open_panel(s, &p->lesson.pages[page], by);
	say_page(s, by);
	return true;
}

/* ---- starting and leaving ---- */

/* Keeps what is to be restored; the panel is put aside. */
static struct lesson_play *begin_play(struct state *s, struct error *e)
{
	struct lesson_play *p = calloc(1, sizeof *p);

	if (!p || snapshot_copy(&p->before, &s->now, e)) {
		free(p);
		error_set(e, E_MEMORY, "no memory for a lesson");
		return NULL;
	}
	p->undo = s->undo;
	p->redo = s->redo;
	s->undo = s->redo = (struct history){ 0 };
	p->row = s->row;
	p->column = s->column;
	p->top = s->top;
	p->left = s->left;
	p->zoom = s->zoom;
	p->compared = s->pinned.show;
	s->pinned.show = COMPARE_OFF;
	memcpy(p->last_scale, s->last_scale, sizeof p->last_scale);
	memcpy(p->sentence, s->sentence, sizeof p->sentence);
	p->sentence_is_error = s->sentence_is_error;
	p->sentence_whole = s->sentence_whole;
	panel_forget(s);
	p->panel = s->panel;
	s->panel = (struct panel){ 0 };
	s->mode = MODE_GRID;
	return p;
}

static void restore_view(struct state *s, struct lesson_play *p)
{
	s->panel = p->panel;
	p->panel = (struct panel){ 0 };
	s->mode = panel_mode(s);
	s->row = p->row;
	s->column = p->column;
	s->top = p->top;
	s->left = p->left;
	s->zoom = p->zoom;
	s->pinned.show = p->compared;
	memcpy(s->last_scale, p->last_scale, sizeof s->last_scale);
	memcpy(s->sentence, p->sentence, sizeof s->sentence);
	s->sentence_is_error = p->sentence_is_error;
	s->sentence_whole = p->sentence_whole;
}

void lesson_leave(struct state *s)
{
	struct lesson_play *p = s->lesson;
	struct error e = { 0 };

	panel_close(s);
	panel_free(&s->panel);
	s->lesson = NULL;
	if (state_adopt(s, &p->before, &e)) {
		state_say(s, true, "%s", e.text);
		memcpy(p->sentence, s->sentence, sizeof p->sentence);
	}
	history_free(&s->undo);
	history_free(&s->redo);
	s->undo = p->undo;
	s->redo = p->redo;
	p->undo = p->redo = (struct history){ 0 };
	restore_view(s, p);
	lesson_play_free(p);
	state_settle(s);
}

bool lesson_begin(struct state *s, struct lesson *lesson, const char *by)
{
	struct error e = { 0 };
	bool fresh = !s->lesson;

	if (fresh && !(s->lesson = begin_play(s, &e))) {
		state_say(s, true, "%s: %s", by, e.text);
		lesson_free(lesson);
		return false;
	}
	forget_lesson(s->lesson);
	s->lesson->lesson = *lesson;
	*lesson = (struct lesson){ 0 };
	if (keep_pages(s->lesson, &s->lesson->lesson, &e))
		state_say(s, true, "%s: %s", by, e.text);
	else if (lesson_enter(s, 0, by))
		return true;
	/* What was wrong is said, not what was said before. */
	memcpy(s->lesson->sentence, s->sentence, sizeof s->sentence);
	s->lesson->sentence_is_error = s->lesson->sentence_whole = true;
	lesson_leave(s);
	return false;
}

static void say_failed(struct state *s, const char *by, const struct error *e)
{
	if (e->line)
		state_say(s, true, "%s: %s:%u:%u: %s", by, e->file, e->line, e->column, e->text);
	else
		state_say(s, true, "%s: %s%s%s", by, e->file, e->file[0] ? ": " : "", e->text);
}

void lesson_command(struct state *s, const char *name, const char *by)
{
	struct lesson lesson;
	struct error e = { 0 };

	if (!s->ports.lesson)
		state_say(s, true, "%s: there are no lessons here", by);
	else if (!*name)
		state_open_picker(s, true);
	else if (s->ports.lesson(&lesson, name, &e))
		say_failed(s, by, &e);
	else
		lesson_begin(s, &lesson, by);
}
