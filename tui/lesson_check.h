/* lesson_check.h - every error of a lesson file: those of its format, and those
 * that only the program can find.
 */
#ifndef TUI_LESSON_CHECK_H
#define TUI_LESSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/lesson.h"
#include "core/random.h"

/* More are not kept. */
enum { LESSON_ERRORS_MAX = 1000 };

struct lesson_report {
	struct error *errors;	/* in the order of the file; each with its place, unless it cannot be opened */
	size_t n;
	bool more;		/* there were more than LESSON_ERRORS_MAX */
	bool no_memory;		/* not all of them are here */
	size_t pages, questions;
};

/* Reads the lesson (a built-in one's name, a file, "-") and plays it through, as
 * one does who does on each page what it asks for. Beyond the format: each text
 * has the languages of the title; scenarios and masks open; what a page sets, and
 * what it waits for, fits the scenario; cells exist; nothing waited for is true
 * already. Behind a page that is at fault, what is shown is unknown until a page
 * names a scenario. lesson_report_free in any case. */
void lesson_check(struct lesson_report *r, const char *input, const struct random_tables *tables);
void lesson_report_free(struct lesson_report *r);

#endif
