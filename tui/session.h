/* session.h - the state as text, for `qkv --resume`, and back.
 *
 * Holds the scenarios that are in use, the snapshot in force, undo, redo and
 * bookmarks, the cursor, and the history of `:`.
 */
#ifndef TUI_SESSION_H
#define TUI_SESSION_H

#include "tui/state.h"

void session_write(const struct state *s, struct buffer *out);

/* Makes s the session that text holds (s is not initialised before). E_SYNTAX
 * when text is not a session of this version; s is then not initialised. */
enum status session_read(struct state *s, const char *text, size_t size, const struct random_tables *tables,
			 const struct ports *ports, struct error *e);

#endif
