/* view.h - the state as a picture; reads it, and computes what is on screen. */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include "tui/cells.h"
#include "tui/state.h"

/* Places that a click runs a command on. */
struct hit {
	int row, column, width;
	enum command command;
};

struct hits {
	struct hit v[32];
	int n;
};

/* Draws everything; hits may be NULL. c has the state's size. */
void view_draw(struct state *s, struct cells *c, struct hits *hits);

/* Lines of the help text, for scrolling. */
size_t view_help_lines(const struct state *s);
/* Rows that the lesson would like to have, its head included; 0 without one. */
int view_lesson_rows(const struct state *s);

#endif
