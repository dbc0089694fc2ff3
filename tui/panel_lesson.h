/* panel_lesson.h - a lesson that is played: which page, what of it is done, and what
 * was on the screen before.
 *
 * A lesson stands at the bottom of the screen, below the grid and below a panel that
 * a page or the user opens; so it is not one of the kinds of panel.h, and what it has
 * to say of keys comes before theirs. A page is entered as one change, which can be
 * undone like any other, until the lesson is left: that brings back the state, the
 * cursor and the panel of before, and what could be undone then.
 *
 * The questions of a page come before what is to be done there: first predict, then do.
 */
#ifndef TUI_PANEL_LESSON_H
#define TUI_PANEL_LESSON_H

#include "core/lesson.h"
#include "tui/state.h"

/* How a question was first answered, for the score. */
enum lesson_first { LESSON_UNASKED, LESSON_AT_ONCE, LESSON_NOT_AT_ONCE };

/* What is kept of a page, so that it is entered in the same state again. */
struct lesson_kept {
	bool opened;
	size_t scenario;		/* index in state.opened */
	bool begun;			/* a page without a scenario: what was shown when it was first entered */
	struct snapshot start;
	size_t row, column;
	bool done;			/* in any visit */
	enum lesson_first *first;	/* by question */
};

/* Of the page that is shown, since it was entered. */
struct lesson_visit {
	size_t question;		/* the one that is asked; questions_n: all are answered */
	bool in_front;			/* digits, or letters of the choice, and Space answer; until Esc frees them */
	bool answering;			/* the line that is typed is an answer */
	bool ticked;			/* what was to be done is done */
	bool hint;
	size_t top;			/* first line that is shown of a page that has no room; perhaps too far */
	bool told, told_right;		/* the question before: its answer, by the user or by Space */
	double told_number;
};

struct lesson_play {
	struct lesson lesson;
	size_t page;			/* pages_n: the score */
	struct lesson_kept *kept;	/* by page */
	struct lesson_visit visit;

	/* Of before. */
	struct snapshot before;
	struct history undo, redo;	/* the lesson has its own, which end with it */
	struct panel panel;
	size_t row, column, top, left;
	enum zoom zoom;
	enum comparison compared;
	char last_scale[64];
	char sentence[1000];
	bool sentence_is_error, sentence_whole;
};

/* L, and :lesson NAME. */
void lesson_command(struct state *s, const char *name, const char *by);
/* Starts a lesson, which is taken over (zeroed); in place of one that is played. */
bool lesson_begin(struct state *s, struct lesson *lesson, const char *by);
/* The screen is as it was before. */
void lesson_leave(struct state *s);
void lesson_play_free(struct lesson_play *play);	/* NULL is accepted */

/* A key that answers; false: not for the lesson. Before the key map is asked. */
bool lesson_key(struct state *s, const struct key *k);
/* A command; false: not for the lesson. */
bool lesson_takes(struct state *s, enum command c, const char *argument, const char *by);
/* After each key: is done what the page asks for? */
void lesson_look(struct state *s);

/* ---- between panel_lesson.c and panel_lesson_keys.c ---- */

/* Shows a page, as it is shown each time. False, and nothing but the sentence has
 * changed, when that cannot be. */
bool lesson_enter(struct state *s, size_t page, const char *by);
/* The command that opens a panel of lessons (enum lesson_panel); CMD_COUNT: none. */
enum command lesson_opened_with(int panel);

/* ---- for views ---- */

/* The page, or NULL when the score is shown. */
const struct lesson_page *lesson_page_shown(const struct state *s);
/* The question that is asked, or NULL. */
const struct lesson_question *lesson_asked_now(const struct state *s);
/* Whether keys answer it before they are anything else: always, until Esc frees them, but
 * beside predictions, which take digits themselves. Whether Space is a panel's otherwise. */
bool lesson_in_front(const struct state *s);
bool lesson_panel_has_space(const struct state *s);
/* Whether the number there, row and column of the stage that is shown, would tell
 * the answer; the same of the sum of a row, and of any number at all. */
bool lesson_hides(const struct state *s, size_t row, size_t column);
bool lesson_hides_sum(const struct state *s, size_t row);
bool lesson_hides_some(const struct state *s);
/* Whether a number is asked for here or on a later page of the same scenario and was not
 * answered yet: what leads to the end, as the lines by hand, waits until then. */
bool lesson_keeps_back(const struct state *s);

struct lesson_score { size_t questions, at_once, acts, done; };
struct lesson_score lesson_score(const struct lesson_play *play);

#endif
