/* view_walk.h - what the files of the walk's view share. For these files alone. */
#ifndef TUI_VIEW_WALK_H
#define TUI_VIEW_WALK_H

#include "tui/view_parts.h"

struct board {
	struct canvas *c;
	struct pane p;
	enum walk_step step;
	const struct row *r;
	const struct attention *a;
	int x, room;			/* column of the text of a line, and how wide it may be */
};

/* ---- e^x and shares ---- */

bool walk_in_columns(const struct board *b);		/* softmax runs down the columns */
/* What is subtracted on the board: nothing, unless e^x would be too large or too small to write. */
double walk_shift(const struct board *b, size_t j);
double walk_power(const struct board *b, size_t j);	/* e to the number of key j, so shifted */
double walk_divisor(const struct board *b, size_t j);	/* what that power is divided by; n_k operations */

/* ---- words, appended: what a step is called, what is done in it, and with which shapes ---- */

const char *walk_title(const struct board *b);
void walk_words(const struct board *b, struct buffer *out);
void walk_shapes(const struct board *b, struct buffer *out);

#endif
