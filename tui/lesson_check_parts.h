/* lesson_check_parts.h - what the files of qkv lesson --check share: the state that a page
 * is shown in, as far as it is known, and where errors go.
 */
#ifndef TUI_LESSON_CHECK_PARTS_H
#define TUI_LESSON_CHECK_PARTS_H

#include "core/problem.h"
#include "tui/lesson_check.h"
#include "tui/lesson_live.h"

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
	struct snapshot state;		/* (its options, and the point of a model) */
	struct numbers now;		/* and these, as the page begins */
	bool cursor_known;
	bool unsure;			/* an error was in the way here: whether something is true already is not asked */
	size_t row, column;
	struct live *model;		/* once a page had a text for it, or NULL */
};

/* ---- errors ---- */

/* Takes one that has a place, into the report that is the context. */
void lesson_check_keep(void *context, const struct error *e);
void lesson_check_tell(struct check *c, struct mark at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* An error of another file, or of none, at a place of this one; `name` comes before it. */
void lesson_check_tell_of(struct check *c, struct mark at, const char *name, const struct error *e);

/* ---- what is shown: lesson_check_state.c ---- */

void lesson_check_forget(struct check *c);
void numbers_free(struct numbers *n);		/* a zeroed one is accepted */
/* Begins with what the page names: a scenario, a clinic's, a text of the model; nothing without. */
void lesson_check_open(struct check *c, const struct lesson_page *page);
struct mark lesson_check_first_mark(const struct mark mark[OPT_COUNT]);

/* What is put on top of a state: what is said of a model, and the options with a mark. */
struct put {
	const char *name;		/* "set" or "do" */
	const struct lesson_live *live;
	const struct options *options;
	const struct mark *mark;	/* [OPT_COUNT] */
};
/* Makes *state that with all of it on top, and n its numbers. What does not fit is told, one
 * after the other, each left out then. False when there was any: n and *state are then of
 * use to nobody but for what frees them. */
bool lesson_check_fit(struct check *c, struct snapshot *state, const struct put *put, struct numbers *n);
/* The model computes c's own state again. */
void lesson_check_settle_model(struct check *c);

#endif
