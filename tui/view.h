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
/* What stands before the line that is typed: ":", "/", "value ". */
const char *view_prompt_lead(const struct state *s);
/* Rows that the lesson would like to have, its head included; 0 without one. */
int view_lesson_rows(const struct state *s);

/* How its page stands in so many rows below the head. */
struct lesson_fit {
	bool together;		/* what is asked scrolls with the text, not below it */
	int window;		/* rows of what scrolls */
	int most;		/* how far it can; 0: all is seen */
};
struct lesson_fit view_lesson_fit(const struct state *s, int rows);

/* Lines of what is known of the chosen mistake that the bug lab has no room for, of
 * so many that it shows; 0: all is seen. */
int view_bugs_left_out(const struct state *s, int *shown);
/* Lines of the inspector that have no room, and how many are shown. */
int view_inspector_left_out(const struct state *s, int *shown);

#endif
