/* lesson_acts.h - a lesson that is played by keys: what its page asks for, done and
 * answered.
 *
 * Everything here stops the test when it fails.
 */
#ifndef TESTS_LESSON_ACTS_H
#define TESTS_LESSON_ACTS_H

#include "core/lesson.h"
#include "tests/play.h"

/* The page that is shown; NULL at the end. */
const struct lesson_page *lesson_page_of(const struct play *p);
/* Fails, with the lesson and the page. */
void lesson_fail(const struct play *p, const char *what);

/* `:`, the line, Enter. */
void lesson_type_line(struct play *p, const char *line);
void lesson_move_to(struct play *p, const struct lesson_place *at);
/* Types a value into a cell of scores, or of an input array; the questions are revealed. */
void lesson_edit(struct play *p, enum array array, const struct lesson_place *at, const char *value);

/* Types at the end of a model's text. */
void lesson_type_text(struct play *p, const char *text);

/* All questions of the page, by Space; by their right answers. */
void lesson_reveal_all(struct play *p);
void lesson_answer_all(struct play *p);
double lesson_asked_number(struct play *p, const struct lesson_question *q);
void lesson_answer_number(struct play *p, double number);

/* What is to be done: the condition says itself what fulfils it. */
void lesson_do(struct play *p);

#endif
