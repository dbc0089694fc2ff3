/* session.h - the state as text, for `qkv --resume`, and back.
 *
 * Holds the scenarios that are in use, the snapshot in force, undo, redo and
 * bookmarks, the cursor, and the history of `:`.
 */
#ifndef TUI_SESSION_H
#define TUI_SESSION_H

#include "tui/state.h"

/* Mask and bias files that are named relative to the folder are written with
 * their whole path (NULL: as they are). What is furthest in undo and redo is
 * left out when the text would pass SESSION_LIMIT. Numbers that are left in their file stay
 * there: of these only its name is written, and they are read from it again. */
enum { SESSION_LIMIT = 32 << 20 };	/* bytes; half of what a file may have */
/* E_LIMIT when there are such numbers of a file without a name (standard input). */
enum status session_check(const struct state *s, struct error *e);
void session_write(const struct state *s, const char *folder, struct buffer *out);

/* Makes s the session that text holds (s is not initialised before). E_SYNTAX
 * when text is not a session of this version; s is then not initialised. When
 * only the mask or the bias cannot be had any more, both are dropped; what
 * happened is said in the sentence. */
enum status session_read(struct state *s, const char *text, size_t size, const struct random_tables *tables,
			 const struct ports *ports, struct error *e);

#endif
