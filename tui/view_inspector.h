/* view_inspector.h - what the files of the inspector's view share. For these files alone. */
#ifndef TUI_VIEW_INSPECTOR_H
#define TUI_VIEW_INSPECTOR_H

#include "tui/view_parts.h"

enum { INSPECTOR_LINES = 48 };

/* A line below the products. */
enum line_kind { LINE_TOTAL, LINE_STEP, LINE_TERMS, LINE_CELL, LINE_SHARE, LINE_HAND };
struct line {
	enum line_kind kind;
	size_t step;
};

struct sheet {
	struct canvas *c;
	const struct explain *x;
	const struct row *r;		/* of a grid stage; else NULL */
	struct pane p;
	int names;			/* columns of the names, with a gap */
	size_t products;		/* steps that are products; they come first */
	struct line line[INSPECTOR_LINES];
	size_t lines;
	int left, left_width, right, right_width;	/* right_width 0: no column by hand */
};

/* Where the program stands before step k. */
static inline double inspector_before(const struct explain *x, size_t k)
{
	return k ? x->steps[k - 1].value : 0;
}

/* A line as on a blackboard, in `room` columns; nothing where it has nothing to say. */
void inspector_hand(const struct sheet *t, const struct line *line, int room, struct buffer *out);
/* The same of one step; also where the columns have no room side by side. */
void inspector_hand_step(const struct sheet *t, size_t k, struct buffer *out);

#endif
