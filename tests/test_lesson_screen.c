/* test_lesson_screen.c - the built-in lessons, played on the screen: every page is
 * entered, left, done and answered, in both languages; and what was there before comes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clinic.h"
#include "core/message.h"
#include "core/number.h"
#include "tests/lesson_acts.h"
#include "tui/language.h"
#include "tui/load.h"
#include "tui/panel_lesson.h"
#include "tui/text.h"

/* ---- playing ---- */

static void open_lesson(struct play *p, size_t k, const char *settings)
{
	/* Of the experiment with d_k, which runs for seconds, a beginning is enough here. */
	enum { PIECES = 40 };
	char keys[8];

	play_open(p, "causal-3", settings);
	p->work_most = PIECES;
	snprintf(keys, sizeof keys, "L%c", panel_row_letter(k));
	play_keys(p, keys);
	if (!p->state.lesson)
		fail_msg("%s: %s", builtin_lesson_name(k), p->state.sentence);
	assert_string_equal(p->state.lesson->lesson.name, builtin_lesson_name(k));
}

/* The picture without its sentence, which says what the last key was. */
static char *picture(const struct play *p)
{
	struct buffer out = { 0 };
	char row[ROW_TEXT];

	for (int y = 0; y < p->cells.rows; y++) {
		if (y == p->layout.sentence)
			continue;
		play_row(p, y, row);
		buffer_format(&out, "%s\n", row);
	}
	assert_non_null(out.data);
	return out.data;
}

/* Closes what a key has opened, if it has. */
static void close_opened(struct play *p)
{
	if (p->state.mode == MODE_PROMPT || p->state.lesson->visit.in_front)
		play_keys(p, "<Esc>");
}

/* Turns the page; a list whose letters have n is closed before. */
static void turn(struct play *p)
{
	size_t before = p->state.lesson->page;

	if (p->state.mode == MODE_BUGS)
		play_keys(p, "<Esc>");
	play_keys(p, "n");
	if (p->state.lesson->page != before + 1)
		lesson_fail(p, "n does not turn the page");
}

typedef void on_page(struct play *p);

static void each_page(const char *settings, on_page *check)
{
	for (size_t k = 0; k < builtin_lesson_count(); k++) {
		struct play p;
		open_lesson(&p, k, settings);
		while (lesson_page_of(&p)) {
			check(&p);
			turn(&p);
		}
		play_free(&p);
	}
}

/* ---- what is to be done ---- */

/* Another head, another reach, one [PAD] more, a letter that is not the next one. */
static void nearly_do_live(struct play *p, const struct lesson_live *goal)
{
	char line[40];

	if (goal->mark[LESSON_LIVE_OFF].line)
		lesson_type_line(p, "head-off 2.0");
	if (goal->mark[LESSON_LIVE_AT].line)
		lesson_type_line(p, "at 2");
	if (goal->mark[LESSON_LIVE_PADDING].line) {
		snprintf(line, sizeof line, "padding left:%zu", goal->pad_left + 1);
		lesson_type_line(p, line);
	}
	if (goal->mark[LESSON_LIVE_TEXT].line || goal->mark[LESSON_LIVE_NEXT].line)
		lesson_type_text(p, "z");
}

/* The same kind of act with another value, another panel, the cell beside. */
static void nearly_do_it(struct play *p)
{
	const struct lesson_condition goal = lesson_page_of(p)->goal;

	nearly_do_live(p, &goal.live);

	for (int o = 0; o < OPT_COUNT; o++) {
		struct buffer wanted = { 0 }, line = { 0 };
		const char *initial = option_info((enum option)o)->initial;
		if (!goal.option_mark[o].line)
			continue;
		option_text(&goal.options, (enum option)o, &wanted);
		buffer_format(&line, "set %s %s", option_info((enum option)o)->name,
			      strcmp(wanted.data, initial) ? initial : strcmp(initial, "off") ? "off" : "on");
		lesson_type_line(p, line.data);
		buffer_free(&wanted);
		buffer_free(&line);
	}
	if (goal.panel_mark.line)
		play_keys(p, goal.panel == LESSON_PANEL_GRADIENT ? "I" : "J");
	if (goal.edited_mark.line) {
		struct lesson_place beside = { .row = goal.edited_at.row, .column = goal.edited_at.column ? 0 : 1 };
		lesson_edit(p, goal.edited, &beside, "5");
	}
	if (goal.at_mark.line && p->state.row == 0 && !goal.at.any_row && goal.at.row > 1)
		play_keys(p, "<Down>");
	if (goal.cell_mark.line) {
		lesson_reveal_all(p);
		play_keys(p, goal.has_above ? "-" : "+");
	}
}

static void is_unticked(struct play *p, const char *after)
{
	if (p->state.lesson->visit.ticked)
		lesson_fail(p, after);
	if (!play_shows(p, "[ ]"))
		lesson_fail(p, "nothing says that something is to be done");
}

/* Enters the page again, from the next one. */
static void again(struct play *p)
{
	turn(p);
	play_keys(p, "N");
}

static void only_the_act_ticks(struct play *p)
{
	const struct lesson_condition *goal = &lesson_page_of(p)->goal;

	if (!lesson_page_of(p)->goal_mark.line)
		return;
	is_unticked(p, "ticked when it is entered");
	again(p);
	is_unticked(p, "ticked by going on and back");
	play_keys(p, "<Enter>");
	close_opened(p);
	is_unticked(p, "ticked by Enter and Esc");
	play_keys(p, goal->cell_mark.line ? "," : "<lt>");
	play_keys(p, "z z z m m");
	is_unticked(p, "ticked by a wrong act");
	again(p);
	nearly_do_it(p);
	is_unticked(p, "ticked by what is nearly the act");
	again(p);
	lesson_do(p);
	if (!p->state.lesson->visit.ticked)
		lesson_fail(p, "not ticked by the act");
	if (!play_shows(p, "[x]"))
		lesson_fail(p, "the tick is not on the screen");
	if (p->state.mode == MODE_GRID)
		play_keys(p, "u");
	if (!p->state.lesson->visit.ticked)
		lesson_fail(p, "undo takes the tick away");
}

static void test_only_the_act_ticks(void **state)
{
	(void)state;
	each_page(NULL, only_the_act_ticks);
}

/* ---- pages are entered in the same state ---- */

static void is_entered_alike(struct play *p)
{
	char *first = picture(p), *second;

	again(p);
	second = picture(p);
	if (strcmp(first, second))
		fail_msg("%s, page %zu: entered otherwise by N\n%s\n%s", p->state.lesson->lesson.name, p->state.lesson->page + 1, first,
			 second);
	free(second);
	if (p->state.lesson->page > 0) {
		lesson_reveal_all(p);
		play_keys(p, ":temperature 3<Enter> :lang en<Enter> . + <Down>");
		if (p->state.mode == MODE_PROMPT)
			play_keys(p, "<Esc>");
		if (p->state.mode == MODE_BUGS)
			play_keys(p, "<Esc>");
		play_keys(p, "N n");
		second = picture(p);
		if (strcmp(first, second))
			fail_msg("%s, page %zu: entered otherwise after changes\n%s\n%s", p->state.lesson->lesson.name,
				 p->state.lesson->page + 1, first, second);
		free(second);
	}
	free(first);
}

static void test_pages_are_entered_alike(void **state)
{
	(void)state;
	each_page("lang=en", is_entered_alike);
}

/* ---- questions ---- */

/* The cell shows a mark, wherever its stage is shown, and no line tells. */
static void answer_is_not_shown(struct play *p, const struct lesson_cell *c)
{
	char text[ROW_TEXT], line[64];
	size_t changes = p->state.undo.n;
	int x, y;

	snprintf(line, sizeof line, "set stage %s", stage_info(c->stage)->name);
	lesson_type_line(p, line);
	if (!c->row_sum && c->row >= p->state.top && c->row < p->state.top + p->layout.visible_rows &&
	    c->column < p->layout.visible_columns) {
		y = p->layout.grid + (int)(c->row - p->state.top);
		x = p->layout.cells + (int)c->column * p->layout.cell_width;
		play_text(p, y, x, x + p->layout.cell_width, text);
		if (!strchr(text, '?') || strpbrk(text, "0123456789"))
			lesson_fail(p, text);
	}
	for (int k = 0; k < p->layout.grid_rows; k++) {		/* max, bits */
		play_text(p, p->layout.grid + k, p->layout.sums + p->layout.bar_width + p->layout.sum_width + 1, p->cells.columns, text);
		if (strpbrk(text, "0123456789"))
			lesson_fail(p, text);
	}
	if (p->layout.hand >= 0)
		play_row(p, p->layout.hand, text);
	if (p->layout.hand >= 0 && *text)
		lesson_fail(p, text);
	if (p->layout.cell >= 0)
		play_row(p, p->layout.cell, text);
	if (p->layout.cell >= 0 && strpbrk(text, "0123456789"))
		lesson_fail(p, text);
	play_keys(p, "i");
	if (!play_shows(p, _("not shown while its numbers are asked for")))
		lesson_fail(p, "a panel shows the number");
	play_keys(p, p->state.undo.n > changes ? "i u" : "i");
}

/* Whether a page from this one on, of the same scenario, asks for a number on the screen. */
static bool a_number_is_asked_later(const struct play *p)
{
	const struct lesson *l = &p->state.lesson->lesson;
	const char *name = lesson_page_of(p) ? lesson_page_of(p)->scenario : NULL;

	for (size_t k = p->state.lesson->page; name && k < l->pages_n; k++)
		for (size_t n = 0; n < l->pages[k].questions_n; n++)
			if (l->pages[k].questions[n].ask == LESSON_ASK_CELL && l->pages[k].scenario &&
			    !strcmp(l->pages[k].scenario, name))
				return true;
	return false;
}

/* Before it is asked for, no page shows the number beside what it is about. */
static void nothing_tells_ahead(struct play *p)
{
	char text[ROW_TEXT];

	if (!a_number_is_asked_later(p))
		return;
	if (p->layout.cell >= 0)
		play_row(p, p->layout.cell, text);
	if (p->layout.cell >= 0 && state_stage(&p->state) != STAGE_INPUT && strpbrk(text, "0123456789"))
		lesson_fail(p, text);
	if (p->layout.hand >= 0)
		play_row(p, p->layout.hand, text);
	if (p->layout.hand >= 0 && *text)
		lesson_fail(p, text);
	for (int k = 0; k < p->layout.grid_rows; k++) {		/* max, bits */
		play_text(p, p->layout.grid + k, p->layout.sums + p->layout.bar_width + p->layout.sum_width + 1, p->cells.columns, text);
		if (strpbrk(text, "0123456789"))
			lesson_fail(p, text);
	}
}

static void test_nothing_tells_ahead(void **state)
{
	struct play p;

	(void)state;
	each_page("lang=en", nothing_tells_ahead);
	play_open(&p, "causal-3", NULL);
	play_keys(&p, ":lesson five-steps<Enter> n n n");		/* what a key computes does not tell, either */
	lesson_reveal_all(&p);
	play_keys(&p, "s");
	assert_false(play_shows(&p, "0.27"));
	assert_false(play_shows(&p, "0.731"));
	play_keys(&p, "n n");
	lesson_reveal_all(&p);
	assert_true(play_shows(&p, "0.27"));
	play_keys(&p, "N");
	assert_true(play_shows(&p, "by hand"));
	play_free(&p);
}

static void ask_number(struct play *p, const struct lesson_question *q)
{
	double right = lesson_asked_number(p, q);
	size_t at = p->state.lesson->visit.question;

	if (q->ask == LESSON_ASK_CELL)
		answer_is_not_shown(p, &q->cell);
	lesson_answer_number(p, isfinite(right) ? right + 3 * q->tolerance + 1 : 0.5);
	if (p->state.lesson->visit.question != at)
		lesson_fail(p, "a wrong number is taken");
	play_keys(p, "<Enter><Type:abc><Enter>");
	if (p->state.lesson->visit.question != at)
		lesson_fail(p, "a word is taken for a number");
	lesson_answer_number(p, right);
	if (p->state.lesson->visit.question != at + 1)
		lesson_fail(p, "the right number is not taken");
}

static void ask_choice(struct play *p, const struct lesson_question *q)
{
	size_t at = p->state.lesson->visit.question, wrong = (q->right + 1) % q->choices;
	char keys[16];

	play_keys(p, "<Enter> <Esc>");
	if (!p->state.lesson || p->state.lesson->visit.in_front)
		fail_msg("Esc does not take the question back");
	snprintf(keys, sizeof keys, "<Enter> %c", (int)('a' + wrong));
	play_keys(p, keys);
	if (p->state.lesson->visit.question != at)
		lesson_fail(p, "a wrong choice is taken");
	snprintf(keys, sizeof keys, "%c", (int)('a' + q->right));
	play_keys(p, keys);
	if (p->state.lesson->visit.question != at + 1)
		lesson_fail(p, "the right choice is not taken");
}

static void questions_are_answered(struct play *p)
{
	const struct lesson_question *q;
	char told[80];

	while ((q = lesson_asked_now(&p->state))) {
		if (q->ask == LESSON_ASK_CHOICE)
			ask_choice(p, q);
		else
			ask_number(p, q);
		snprintf(told, sizeof told, "%.*s", (int)strcspn(_("right: %s."), "%"), _("right: %s."));
		if (!play_shows(p, told))
			lesson_fail(p, "the answer is not said to be right");
	}
}

static void test_questions_are_answered(void **state)
{
	(void)state;
	each_page("lang=en", questions_are_answered);
	each_page("lang=ko", questions_are_answered);
}

/* A digit begins the answer, a letter is one; the grid has both back after Esc, until Enter. */
static void test_keys_of_questions(void **state)
{
	struct play p;

	(void)state;
	open_lesson(&p, 3, "lang=en");
	play_keys(&p, "n");
	assert_int_equal(lesson_asked_now(&p.state)->ask, LESSON_ASK_NUMBER);
	play_keys(&p, "1 0");
	assert_true(play_shows(&p, "answer 10"));
	play_keys(&p, "<Enter>");
	assert_null(lesson_asked_now(&p.state));
	assert_true(play_shows(&p, "right: 10."));
	play_keys(&p, "n <Esc> c");
	assert_false(p.state.now.options.causal);
	play_keys(&p, "u c u <Enter> c");		/* c is the third answer now */
	assert_true(play_shows(&p, "not c"));
	play_keys(&p, "b");
	assert_true(p.state.now.options.causal);
	assert_true(play_shows(&p, "right: each word is hidden"));
	play_keys(&p, "N <Space>");
	assert_true(play_shows(&p, "the answer: 10."));
	play_free(&p);
}

/* Beside the bug lab, whose rows have letters and digits, n turns the page and the question is
 * answered; the screen says what Space does, and does not answer by itself. */
static void test_a_lesson_has_its_keys_beside_a_panel(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, ":lesson mistakes<Enter> b");
	assert_int_equal(p.state.mode, MODE_BUGS);
	play_keys(&p, "0.66<Enter>");
	assert_true(play_shows(&p, "right: 0.659."));
	assert_int_equal(p.state.mode, MODE_BUGS);
	play_keys(&p, "a");
	assert_string_equal(p.state.now.options.bug, "mask-after-softmax");
	assert_true(play_shows(&p, "n turns the page"));
	play_keys(&p, "n");
	assert_int_equal(p.state.lesson->page, 1);
	assert_true(play_shows(&p, "a letter answers, Space shows the answer, Esc frees the keys"));
	play_keys(&p, "<Esc> b a");		/* freed, they are the panel's; n still turns */
	assert_string_equal(p.state.now.options.bug, "");
	assert_true(play_shows(&p, "Enter, then a letter: answer"));
	assert_false(play_shows(&p, "Space: show the answer"));
	play_keys(&p, "n n n n n n n");
	assert_int_equal(p.state.lesson->page, 8);
	assert_int_equal(p.state.mode, MODE_BUGS);	/* the page opens it itself */
	assert_false(play_shows(&p, " n scale"));
	play_keys(&p, "n");
	assert_int_equal(p.state.lesson->page, 9);
	play_free(&p);
	/* The sweep has Space only after the answer, which it would tell. */
	play_open(&p, "causal-3", NULL);
	play_keys(&p, ":lesson why-sqrt<Enter> n n n n n n");
	assert_int_equal(p.state.panel.kind, PANEL_SWEEP);
	play_keys(&p, "<Space>");
	assert_true(play_shows(&p, "the answer: d_k."));
	assert_false(p.state.panel.sweep.revealed);
	play_keys(&p, "<Space>");
	assert_true(p.state.panel.sweep.revealed);
	play_free(&p);
}

/* ---- the score ---- */

static void test_score(void **state)
{
	struct play p;

	(void)state;
	open_lesson(&p, 5, "lang=en");
	for (size_t k = 0; lesson_page_of(&p); k++) {
		if (k == 0)
			play_keys(&p, "8 <Enter> 9 <Enter>");	/* not at once */
		else if (k == 2)
			play_keys(&p, "<Enter> b");
		else if (k == 4)
			play_keys(&p, "<Space>");
		if (k == 1)
			play_keys(&p, "c <Right> <Right>");
		turn(&p);
	}
	assert_true(play_shows(&p, "The end: 1 of 4 questions right at once, 1 of 4 tasks done."));
	play_keys(&p, "n");
	assert_true(play_shows(&p, "The end"));
	play_keys(&p, "N");
	assert_int_equal(p.state.lesson->page, 6);
	play_free(&p);
}

/* ---- texts ---- */

/* Text without its blanks, as lines may be broken anywhere. */
static void put_packed(struct buffer *out, const char *text)
{
	for (; *text; text++)
		if (*text != ' ')
			buffer_put(out, text, 1);
}

static void lesson_shows(struct play *p, const struct title *t)
{
	struct buffer shown = { 0 }, wanted = { 0 };
	char row[ROW_TEXT];

	for (int y = p->layout.lesson + 1; y < p->layout.lesson + p->layout.lesson_rows; y++) {
		play_row(p, y, row);
		put_packed(&shown, row);
	}
	put_packed(&wanted, title_in(t, message_in_force()));
	if (wanted.data && (!shown.data || !strstr(shown.data, wanted.data)))
		fail_msg("%s, page %zu: '%s' is not all of it on the screen", p->state.lesson->lesson.name, p->state.lesson->page + 1,
			 title_in(t, message_in_force()));
	buffer_free(&shown);
	buffer_free(&wanted);
}

static void all_is_to_be_read(struct play *p)
{
	const struct lesson_question *q;

	lesson_shows(p, &lesson_page_of(p)->text);
	while ((q = lesson_asked_now(&p->state))) {
		lesson_shows(p, &lesson_page_of(p)->text);
		lesson_shows(p, &q->text);
		for (size_t k = 0; k < q->choices; k++)
			lesson_shows(p, &q->choice[k]);
		play_keys(p, "<Enter> <Esc>");
		play_keys(p, q->ask == LESSON_ASK_CHOICE ? "<Enter> <Space>" : "<Space>");
		lesson_shows(p, &q->why);
		lesson_shows(p, &lesson_page_of(p)->text);
	}
	if (lesson_page_of(p)->hint.n && p->state.mode == MODE_GRID) {
		play_keys(p, "<Space>");
		lesson_shows(p, &lesson_page_of(p)->hint);
		lesson_shows(p, &lesson_page_of(p)->text);
	}
}

static void test_all_is_to_be_read(void **state)
{
	(void)state;
	each_page("lang=en", all_is_to_be_read);
	each_page("lang=ko", all_is_to_be_read);
}

/* ---- small screens ---- */

/* What the page shows is added to `out`, as far as it is not there yet: a page down
 * begins with the line on which the one before has ended. */
static void add_lines(const struct play *p, int rows, struct buffer *out)
{
	char row[ROW_TEXT];
	struct buffer shown = { 0 };
	size_t from = 0;

	for (int y = 0; y < rows; y++) {
		play_text(p, p->layout.lesson + 1 + y, 0, p->cells.columns - 2, row);
		put_packed(&shown, row);
	}
	assert_non_null(shown.data);
	for (size_t n = shown.size < out->size ? shown.size : out->size; n && !from; n--)
		if (!memcmp(out->data + out->size - n, shown.data, n))
			from = n;
	buffer_put(out, shown.data + from, shown.size - from);
	buffer_free(&shown);
}

static void scrolled_shows(struct play *p, const struct buffer *all, const struct title *t)
{
	struct buffer wanted = { 0 };

	put_packed(&wanted, title_in(t, message_in_force()));
	if (wanted.data && (!all->data || !strstr(all->data, wanted.data)))
		fail_msg("%s, page %zu: '%s' is not all of '%s'", p->state.lesson->lesson.name, p->state.lesson->page + 1,
			 title_in(t, message_in_force()), all->data);
	buffer_free(&wanted);
}

/* Page by page to the end: text, question and choices, and a mark as long as there is more. */
static void all_is_scrolled_to(struct play *p)
{
	const struct lesson_question *q = lesson_asked_now(&p->state);
	struct lesson_fit fit = view_lesson_fit(&p->state, p->layout.lesson_rows - 1);
	struct buffer all = { 0 };
	char head[ROW_TEXT];
	int steps = 0;

	if (!fit.most || p->state.mode != MODE_GRID)
		return;
	play_row(p, p->layout.lesson, head);
	if (!strstr(head, _("PgDn: more")) && !strstr(head, _("PgDn: the question")))
		lesson_fail(p, "nothing says that there is more");
	for (;;) {
		size_t top = p->state.lesson->visit.top;
		add_lines(p, fit.window, &all);
		bool more = top < (size_t)fit.most;
		const struct cell *mark = cells_at(&p->cells, p->layout.lesson + fit.window, p->cells.columns - 1);
		if (more != (mark->code[0] == 0x2193))
			lesson_fail(p, "the mark is not that of more below");
		if (!more)
			break;
		play_keys(p, "<PgDn>");
		assert_true(++steps < 100);
	}
	scrolled_shows(p, &all, &lesson_page_of(p)->text);
	if (q && fit.together) {
		scrolled_shows(p, &all, &q->text);
		for (size_t k = 0; k < q->choices; k++)
			scrolled_shows(p, &all, &q->choice[k]);
	} else if (q) {
		lesson_shows(p, &q->text);
	}
	buffer_free(&all);
	size_t row = p->state.row;
	play_keys(p, "<PgDn>");
	assert_int_equal(p->state.row, row);		/* not the grid's */
	while (p->state.lesson->visit.top)
		play_keys(p, "<PgUp>");
	if (!play_shows(p, "\u2193"))
		lesson_fail(p, "PgUp does not go back to where there is more below");
}

static size_t scrolled_pages(const char *settings, int rows, int columns)
{
	size_t scrolled = 0;

	for (size_t k = 0; k < builtin_lesson_count(); k++) {
		struct play p;
		open_lesson(&p, k, settings);
		play_resize(&p, rows, columns);
		for (; lesson_page_of(&p); turn(&p)) {
			scrolled += view_lesson_fit(&p.state, p.layout.lesson_rows - 1).most > 0;
			all_is_scrolled_to(&p);
		}
		play_free(&p);
	}
	return scrolled;
}

static void test_small_screens_scroll(void **state)
{
	static const int size[][2] = { { 20, 60 }, { 12, 40 } };

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		size_t english = scrolled_pages("lang=en", size[k][0], size[k][1]);
		size_t korean = scrolled_pages("lang=ko", size[k][0], size[k][1]);
		assert_true(english + korean > 0);
	}
}

static void open_live_page(struct play *p, const char *lesson, int page, int rows)
{
	char line[40];

	play_open(p, "causal-3", "lang=en");
	play_resize(p, rows, 50);
	snprintf(line, sizeof line, "lesson %s", lesson);
	lesson_type_line(p, line);
	for (int k = 1; k < page; k++)
		turn(p);
}

/* The lessons on the model say what a screen of 20 rows shows, and what the lines on their pages
 * do; nats are those of tests/data/koen/lessons.json. */
static void test_live_pages_tell_what_is_shown(void **state)
{
	enum { ROWS_SAID = 20 };
	struct play p;

	(void)state;
	open_live_page(&p, "live-heads", 1, ROWS_SAID);
	assert_true(play_shows(&p, "previous 0."));
	play_free(&p);
	open_live_page(&p, "live-heads", 6, ROWS_SAID);
	play_keys(&p, "K");
	assert_true(play_shows(&p, "nats 0.9854"));
	play_free(&p);
	open_live_page(&p, "live-masks", 7, ROWS_SAID);
	assert_true(play_shows(&p, "50 tokens see [PAD]"));
	play_free(&p);
	open_live_page(&p, "live-masks", 8, 24);
	assert_true(play_shows(&p, "1.000 ok"));
	play_keys(&p, "}");
	assert_true(play_shows(&p, "n/a non-"));
	lesson_type_line(&p, "empty-row zero");
	assert_true(play_shows(&p, "nats 1.1471"));
	lesson_type_line(&p, "padding right:3");
	lesson_type_line(&p, "pad none");
	assert_true(play_shows(&p, "nats 0.8607 ("));
	play_free(&p);
}

/* An answer and a tick are seen, though they stand at the end of the page. */
static void test_what_is_new_is_shown(void **state)
{
	struct play p;

	(void)state;
	open_lesson(&p, 3, "lang=en");
	play_resize(&p, 12, 40);
	play_keys(&p, "c");
	assert_true(play_shows(&p, "[x] done"));
	play_keys(&p, "n 1 0 <Enter>");
	assert_true(play_shows(&p, "right: 10."));
	play_free(&p);
}

/* At every size; a panel opens and closes at one of them, another one on the next page. */
static void is_whole(struct play *p)
{
	static const int size[][2] = { { 60, 200 }, { 20, 60 }, { 14, 40 }, { 6, 20 }, { 5, 19 }, { 24, 80 } };

	for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
		play_resize(p, size[k][0], size[k][1]);
		if (!p->layout.small && k == p->state.lesson->page % (sizeof size / sizeof *size))
			play_keys(p, "v <Esc>");
	}
}

static void sizes(const char *settings)
{
	for (size_t k = 0; k < builtin_lesson_count(); k++) {
		struct play p;
		open_lesson(&p, k, settings);
		for (; lesson_page_of(&p); turn(&p)) {
			is_whole(&p);
			assert_non_null(p.state.lesson);
		}
		is_whole(&p);
		play_free(&p);
	}
}

static void test_all_sizes(void **state)
{
	(void)state;
	sizes("lang=en");
	sizes("lang=ko");
	sizes("lang=ko ascii=on");
}

/* ---- leaving ---- */

static const char *const starts[] = {
	"", "c <Down> s <Right>", "v", "v v <Down>", "b", "b b", "z", "z z t", "o b <Right> 3 <Enter>7<Enter>",
	":clinic all-pad<Enter> b",
	":live abab<Enter>}AcK", "I", "J", "i", "a c d", ":tokens the cat sat<Enter> . <Down>", "o h 0 <Down>", ":lang ko<Enter>", ":nothing<Enter>", "w",
};

/* By what they show: bytes between the members of a cell may differ. */
static bool same_cells(const struct cell *a, const struct cell *b, size_t n)
{
	for (size_t k = 0; k < n; k++, a++, b++)
		if (memcmp(a->code, b->code, sizeof a->code) || a->count != b->count || a->width != b->width ||
		    a->style.foreground != b->style.foreground || a->style.background != b->style.background ||
		    a->style.attributes != b->style.attributes)
			return false;
	return true;
}

static void leave_by_esc(struct play *p)
{
	for (int k = 0; k < 6 && p->state.lesson; k++)
		play_keys(p, "<Esc>");
	assert_null(p->state.lesson);
}

static void test_leaving_restores(void **state)
{
	static const char *const during[] = { "", "n n c <Down> 3 <Enter>1<Enter> o c", "n v z :lang ko<Enter>", "n n n n n n n n n n n n N",
					 ":lesson live-masks<Enter> n <Esc> c }" };

	(void)state;
	for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
		for (size_t d = k % 2; d < sizeof during / sizeof *during; d += 2) {	/* half of the pairs */
			struct play p;
			struct snapshot before;
			struct error e = { 0 };
			play_open(&p, "random-4", "lang=en");
			play_keys(&p, starts[k]);
			size_t n = (size_t)p.cells.rows * (size_t)p.cells.columns;
			size_t undo = p.state.undo.n;
			struct cell *cells = malloc(n * sizeof *cells);
			assert_non_null(cells);
			memcpy(cells, p.cells.cell, n * sizeof *cells);
			assert_int_equal(snapshot_copy(&before, &p.state.now, &e), OK_STATUS);
			play_keys(&p, "L h");
			assert_non_null(p.state.lesson);
			play_keys(&p, during[d]);
			leave_by_esc(&p);
			if (!same_cells(cells, p.cells.cell, n))
				fail_msg("'%s', then '%s': the picture is another one", starts[k], during[d]);
			assert_true(snapshot_equal(&before, &p.state.now));
			assert_int_equal(p.state.undo.n, undo);		/* a lesson's own changes end with it */
			snapshot_free(&before);
			free(cells);
			play_free(&p);
		}
}

/* What was made before a lesson is what u undoes after it, and what of it was undone comes back. */
static void test_undo_goes_back_before(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "c s u L a n n n s u u");
	assert_string_equal(state_scenario(&p.state)->name, "two-tokens");
	leave_by_esc(&p);
	assert_string_equal(state_scenario(&p.state)->name, "causal-3");
	assert_false(p.state.now.options.causal);
	play_keys(&p, "u");
	assert_true(p.state.now.options.causal);
	play_keys(&p, "<C-r>");
	assert_false(p.state.now.options.causal);
	play_free(&p);
}

/* A second lesson takes the place of the first; what was before stays the same. */
static void test_another_lesson(void **state)
{
	struct play p;
	char *before, *after;

	(void)state;
	play_open(&p, "pad-4", NULL);
	play_keys(&p, "<Down>");
	before = picture(&p);
	play_keys(&p, "L a n :lesson padding<Enter>");
	assert_string_equal(p.state.lesson->lesson.name, "padding");
	assert_int_equal(p.state.lesson->page, 0);
	leave_by_esc(&p);
	after = picture(&p);
	assert_string_equal(before, after);
	free(before);
	free(after);
	play_keys(&p, "L a q");
	assert_null(p.state.lesson);		/* the session that is kept is that of before */
	play_free(&p);
}

static void test_by_name(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", "lang=en");
	play_keys(&p, "L");
	assert_true(play_shows(&p, "five-steps     Five steps with two words"));
	play_keys(&p, "<Down> <Enter>");
	assert_string_equal(p.state.lesson->lesson.name, builtin_lesson_name(1));
	play_keys(&p, "<Esc> :lesson paddin<Enter>");
	assert_null(p.state.lesson);
	assert_true(play_shows(&p, "did you mean padding?"));
	play_keys(&p, ":lesson -<Enter>");
	assert_null(p.state.lesson);
	play_keys(&p, ":lesson pad<Tab><Enter>");
	assert_string_equal(p.state.lesson->lesson.name, "padding");
	play_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_the_act_ticks),
		cmocka_unit_test(test_pages_are_entered_alike),
		cmocka_unit_test(test_questions_are_answered),
		cmocka_unit_test(test_keys_of_questions),
		cmocka_unit_test(test_nothing_tells_ahead),
		cmocka_unit_test(test_a_lesson_has_its_keys_beside_a_panel),
		cmocka_unit_test(test_score),
		cmocka_unit_test(test_all_is_to_be_read),
		cmocka_unit_test(test_small_screens_scroll),
		cmocka_unit_test(test_live_pages_tell_what_is_shown),
		cmocka_unit_test(test_what_is_new_is_shown),
		cmocka_unit_test(test_all_sizes),
		cmocka_unit_test(test_leaving_restores),
		cmocka_unit_test(test_undo_goes_back_before),
		cmocka_unit_test(test_another_lesson),
		cmocka_unit_test(test_by_name),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	language_add_builtin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
