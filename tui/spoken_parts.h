/* spoken_parts.h - between spoken*.c. */
#ifndef TUI_SPOKEN_PARTS_H
#define TUI_SPOKEN_PARTS_H

#include "tui/layout.h"
#include "tui/spoken.h"

/* Which panel is open; another one, or another question of the same, is another number. */
int spoken_panel_number(const struct state *s);
/* Tells what is new in the list, the panel and the lesson, and once that something was closed. */
void spoken_panels(struct spoken *told, struct state *s, const struct layout *l, struct buffer *out);

#endif
