/* spoken_text.h - texts as they are drawn, made fit to be read aloud: between spoken*.c.
 *
 * Lines, boxes and bars become blanks, and blanks run together. A text that was told
 * is kept, so that only what is new in the next one is.
 */
#ifndef TUI_SPOKEN_TEXT_H
#define TUI_SPOKEN_TEXT_H

#include "core/buffer.h"
#include "tui/cells.h"

struct spoken_text {		/* lines, each NULL or owned */
	char **line;
	size_t n;
};

void spoken_text_free(struct spoken_text *t);
/* One row of the picture, up to a column, to be freed; NULL when it is empty or there is no memory. */
char *spoken_line(const struct cells *c, int row, int columns);
/* A line without rules and with single blanks, to be freed; NULL as above. */
char *spoken_tidy(const char *text);
/* What stands in some rows of it, up to a column; empty lines are left out. */
struct spoken_text spoken_text_of(const struct cells *c, int row, int rows, int columns);
/* Appends the lines of now that are not in before, which becomes now. */
void spoken_text_put(struct spoken_text *before, struct spoken_text now, struct buffer *out);

#endif
