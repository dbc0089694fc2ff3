/* lesson_live.h - what a lesson says of a language model (struct lesson_live), put into a
 * snapshot, and whether it is true of the model that is shown.
 */
#ifndef TUI_LESSON_LIVE_H
#define TUI_LESSON_LIVE_H

#include "core/lesson.h"
#include "tui/live_dock.h"

/* Text, padding and heads that are off, as far as they are said, become those of next's
 * point, which is made where there is none. Where options apply comes after these: */
enum status lesson_live_put(const struct lesson_live *what, struct snapshot *next, struct error *e);
/* next's options are carried to the heads of apply-at, where that is said. */
enum status lesson_live_at(const struct lesson_live *what, const struct live *l, struct snapshot *next, struct error *e);

/* 1 << LESSON_LIVE_* for each part that is said and is true of a model with that point,
 * whose row is that of the cursor; l NULL: none is. */
unsigned lesson_live_holds(const struct lesson_live *goal, const struct live *l, const struct live_point *p, size_t row);

#endif
