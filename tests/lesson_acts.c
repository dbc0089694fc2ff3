/* lesson_acts.c - what a page of a lesson asks for, done and answered by keys. */
#include "tests/lesson_acts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "tui/live_point.h"
#include "tui/panel_lesson.h"
#include "tui/text.h"

/* ---- where it is ---- */

const struct lesson_page *lesson_page_of(const struct play *p)
{
	return lesson_page_shown(&p->state);
}

void lesson_fail(const struct play *p, const char *what)
{
	fail_msg("%s, page %zu: %s (%s)", p->state.lesson->lesson.name, p->state.lesson->page + 1, what, p->state.sentence);
}

/* Keys that type a line after `:`. */
void lesson_type_line(struct play *p, const char *line)
{
	char keys[300];

	snprintf(keys, sizeof keys, ":%s<Enter>", line);
	play_keys(p, keys);
}

/* ---- questions ---- */

void lesson_reveal_all(struct play *p)
{
	while (lesson_asked_now(&p->state)) {
		size_t before = p->state.lesson->visit.question;
		play_keys(p, lesson_asked_now(&p->state)->ask == LESSON_ASK_CHOICE ? "<Enter> <Space>" : "<Space>");
		if (p->state.lesson->visit.question == before)
			lesson_fail(p, "Space does not show the answer");
	}
}

double lesson_asked_number(struct play *p, const struct lesson_question *q)
{
	const struct row *r;
	size_t n;

	if (q->ask == LESSON_ASK_NUMBER)
		return q->number;
	r = grid_row(&p->state.grid, q->cell.row, STAGE_OUTPUT);
	return q->cell.row_sum ? r->sum : row_stage(r, &p->state.grid.attention, q->cell.stage, &n)[q->cell.column];
}

void lesson_answer_number(struct play *p, double number)
{
	char text[NUMBER_SIZE], keys[NUMBER_SIZE + 40];

	if (isfinite(number))
		number = number_round(number, 4);
	number_plain(number, text);
	snprintf(keys, sizeof keys, "<Enter><Type:%s><Enter>", text);
	play_keys(p, keys);
}

void lesson_answer_all(struct play *p)
{
	const struct lesson_question *q;
	char keys[16];

	while ((q = lesson_asked_now(&p->state))) {
		size_t at = p->state.lesson->visit.question;
		if (q->ask == LESSON_ASK_CHOICE) {
			snprintf(keys, sizeof keys, "<Enter> %c", (int)('a' + q->right));
			play_keys(p, keys);
		} else {
			lesson_answer_number(p, lesson_asked_number(p, q));
		}
		if (p->state.lesson->visit.question != at + 1)
			lesson_fail(p, "the right answer is not taken");
	}
}

/* ---- what is to be done ---- */

static void set_options(struct play *p, const struct lesson_condition *goal)
{
	for (int o = 0; o < OPT_COUNT; o++) {
		struct buffer line = { 0 };
		if (!goal->option_mark[o].line)
			continue;
		buffer_format(&line, "set %s ", option_info((enum option)o)->name);
		option_text(&goal->options, (enum option)o, &line);
		lesson_type_line(p, line.data);
		buffer_free(&line);
	}
}

void lesson_move_to(struct play *p, const struct lesson_place *at)
{
	while (!at->any_row && p->state.row < at->row)
		play_keys(p, "<Down>");
	while (!at->any_row && p->state.row > at->row)
		play_keys(p, "<Up>");
	while (!at->any_column && p->state.column < at->column)
		play_keys(p, "<Right>");
	while (!at->any_column && p->state.column > at->column)
		play_keys(p, "<Left>");
}

static void lesson_open_panel(struct play *p, enum lesson_panel panel)
{
	static const char *const keys[LESSON_PANEL_COUNT] = {
		[LESSON_PANEL_VERIFY] = "v", [LESSON_PANEL_INFLUENCE] = "I", [LESSON_PANEL_GRADIENT] = "J",
		[LESSON_PANEL_BUGS] = "b", [LESSON_PANEL_CLINIC] = ":clinic polarity<Enter>", [LESSON_PANEL_SWEEP] = "w",
		[LESSON_PANEL_INSPECTOR] = "i", [LESSON_PANEL_WALK] = "<Space>", [LESSON_PANEL_PREDICT] = "T",
		[LESSON_PANEL_HEADS] = "H",
	};

	assert_non_null(keys[panel]);
	play_keys(p, keys[panel]);
}

/* Types a value into a cell of scores, or of an input array. */
void lesson_edit(struct play *p, enum array array, const struct lesson_place *at, const char *value)
{
	char keys[80];

	lesson_reveal_all(p);
	if (array != ARRAY_SCORES) {
		lesson_type_line(p, "set stage input");
		snprintf(keys, sizeof keys, "set array %s", array_name(array));
		lesson_type_line(p, keys);
	}
	lesson_move_to(p, at);
	snprintf(keys, sizeof keys, "<Enter>%s<Enter>", value);
	play_keys(p, keys);
}

static void move_number(struct play *p, const struct lesson_condition *goal)
{
	const struct lesson_place at = { .row = goal->cell.row, .column = goal->cell.column };

	lesson_edit(p, ARRAY_SCORES, &at, goal->has_above ? "50" : "-50");
	if (!p->state.lesson->visit.ticked)		/* a mask may lie on it */
		lesson_type_line(p, "set causal off");
}

/* Keys of the model's text, as they are; the first that are typed stand at its end. */
void lesson_type_text(struct play *p, const char *text)
{
	char keys[400];

	snprintf(keys, sizeof keys, "X<End><Type:%s><Esc>", text);
	play_keys(p, keys);
}

/* What a text with a blank behind it goes on with is found by typing it once more. */
static void type_until_next(struct play *p)
{
	char *text = strdup(p->state.now.live->text), one[8];

	assert_non_null(text);
	lesson_type_text(p, " ");
	for (size_t at = 0, n; text[at] && !p->state.lesson->visit.ticked; at += n) {
		n = text_next(text, strlen(text), at) - at;
		snprintf(one, sizeof one, "%.*s", (int)n, text + at);
		lesson_type_text(p, one);
	}
	free(text);
}

static void do_live(struct play *p, const struct lesson_live *goal)
{
	char line[280];

	if (goal->mark[LESSON_LIVE_TEXT].line) {
		snprintf(line, sizeof line, "live %s", goal->text);
		lesson_type_line(p, line);
	}
	if (goal->mark[LESSON_LIVE_AT].line) {
		snprintf(line, sizeof line, "at %s", goal->at ? goal->at : "picture");
		lesson_type_line(p, line);
	}
	if (goal->mark[LESSON_LIVE_OFF].line) {
		snprintf(line, sizeof line, "head-off %s", goal->off ? goal->off : "none");
		lesson_type_line(p, line);
	}
	if (goal->mark[LESSON_LIVE_PADDING].line) {
		snprintf(line, sizeof line, "padding %s:%zu", goal->pad_left ? "left" : "right", goal->pad_left + goal->pad_right);
		lesson_type_line(p, line);
	}
	if (goal->mark[LESSON_LIVE_NEXT].line)
		type_until_next(p);
}

/* The condition says itself what fulfils it. */
void lesson_do(struct play *p)
{
	const struct lesson_condition goal = lesson_page_of(p)->goal;

	do_live(p, &goal.live);
	set_options(p, &goal);
	if (goal.edited_mark.line)
		lesson_edit(p, goal.edited, &goal.edited_at, "5");
	if (goal.cell_mark.line)
		move_number(p, &goal);
	if (goal.panel_mark.line)
		lesson_open_panel(p, goal.panel);
	if (goal.at_mark.line)
		lesson_move_to(p, &goal.at);
}
