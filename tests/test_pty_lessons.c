/* test_pty_lessons.c - every built-in lesson in a pseudo-terminal, from the first key
 * to the last, in both languages.
 *
 * The same keys are played here without a terminal, which knows what is asked: after
 * each page the terminal shows the same texts, all questions are answered, and what
 * was to be done is ticked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/lesson_acts.h"
#include "tests/terminal.h"
#include "tui/language.h"
#include "tui/load.h"
#include "tui/panel_lesson.h"

/* A build with sanitizers takes minutes for all of them: there it plays some. */
#if defined __SANITIZE_ADDRESS__
enum { LESSONS_PLAYED = 2 };
#elif defined __has_feature
#if __has_feature(address_sanitizer)
enum { LESSONS_PLAYED = 2 };
#else
enum { LESSONS_PLAYED = 1000 };
#endif
#else
enum { LESSONS_PLAYED = 1000 };
#endif

struct both {
	struct play play;
	struct pty pty;
	struct buffer typed;		/* keys that the terminal has not got yet */
};

/* ---- the same texts ---- */

/* The first row that differs; -1 without one. */
static int difference(struct pty *pty, const struct play *play)
{
	char want[ROW_TEXT], got[ROW_SIZE];

	for (int y = 0; y < play->cells.rows; y++) {
		play_row(play, y, want);
		if (strcmp(want, pty_row(pty, y, got, sizeof got)))
			return y;
	}
	return -1;
}

static bool is_same(struct pty *pty, const void *play)
{
	return difference(pty, play) < 0;
}

static void type_and_compare(struct both *b)
{
	if (b->typed.size)
		type_burst(&b->pty, b->typed.data);
	buffer_free(&b->typed);
	if (pty_wait(&b->pty, is_same, &b->play, WAIT))
		return;
	char want[ROW_TEXT];
	play_row(&b->play, difference(&b->pty, &b->play), want);
	fail_msg("'%s' is not in its row of %s", want, dump(&b->pty));
}

/* ---- one lesson ---- */

static void play_page(struct both *b)
{
	struct play *p = &b->play;
	size_t page = p->state.lesson->page;

	type_and_compare(b);		/* as it is entered */
	lesson_answer_all(p);
	if (lesson_page_of(p)->goal_mark.line) {
		lesson_do(p);
		if (!p->state.lesson->visit.ticked)
			lesson_fail(p, "not ticked by the act");
		if (!play_shows(p, "[x]"))
			lesson_fail(p, "the tick is not on the screen");
	}
	type_and_compare(b);
	if (p->state.mode == MODE_BUGS)
		play_keys(p, "<Esc>");
	play_keys(p, "n");
	assert_int_equal(p->state.lesson->page, page + 1);
}

static void play_lesson(struct both *b, size_t k)
{
	char keys[8];

	snprintf(keys, sizeof keys, "L%c", panel_row_letter(k));
	play_keys(&b->play, keys);
	assert_non_null(b->play.state.lesson);
	assert_string_equal(b->play.state.lesson->lesson.name, builtin_lesson_name(k));
	while (lesson_page_of(&b->play))
		play_page(b);
	type_and_compare(b);		/* the score */
	struct lesson_score score = lesson_score(b->play.state.lesson);
	assert_int_equal(score.at_once, score.questions);
	assert_int_equal(score.done, score.acts);
	assert_true(score.questions >= 2 && score.acts > 0);
	play_keys(&b->play, "<Esc>");		/* a panel of the last page lies on top */
	if (b->play.state.lesson)
		play_keys(&b->play, "<Esc>");
	assert_null(b->play.state.lesson);
	type_and_compare(b);
}

static void play_all(const char *language)
{
	struct both b = { .typed = { 0 } };
	char arguments[40], settings[20];

	snprintf(arguments, sizeof arguments, "--lang %s causal-3", language);
	snprintf(settings, sizeof settings, "lang=%s", language);
	play_open(&b.play, "causal-3", settings);
	b.play.typed = &b.typed;
	start(&b.pty, arguments);
	type_and_compare(&b);
	assert_true(builtin_lesson_count() >= 15);
	for (size_t k = 0; k < builtin_lesson_count() && k < LESSONS_PLAYED; k++)
		play_lesson(&b, k);
	pty_type(&b.pty, "q");
	assert_exit(&b.pty, 0);
	assert_restored(&b.pty);
	pty_stop(&b.pty);
	play_free(&b.play);
}

static void in_english(void **state)
{
	(void)state;
	play_all("en");
}

static void in_korean(void **state)
{
	(void)state;
	play_all("ko");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(in_english, place_open, place_close),
		cmocka_unit_test_setup_teardown(in_korean, place_open, place_close),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	surround("");
	language_add_builtin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
