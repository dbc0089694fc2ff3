/* keymap.h - which key runs which command, and the user's own choice. */
#ifndef TUI_KEYMAP_H
#define TUI_KEYMAP_H

#include "core/buffer.h"
#include "core/error.h"
#include "core/options.h"
#include "tui/command.h"
#include "tui/key.h"

struct binding {
	struct key key;
	enum command command;	/* CMD_COUNT when it runs a line */
	char *line;		/* what it types after `:`, owned; or NULL */
};

struct keymap {
	struct binding *v;
	size_t n, capacity;
};

enum status keymap_init(struct keymap *m, struct error *e);	/* the registry's defaults */
void keymap_free(struct keymap *m);

/* The key's command, or CMD_COUNT: it has none, or a line. */
enum command keymap_find(const struct keymap *m, const struct key *k);
/* The line that a key runs as if it were typed after `:`, or NULL. */
const char *keymap_line(const struct keymap *m, const struct key *k);
/* Binds a key; what it did before it no longer does. */
enum status keymap_bind(struct keymap *m, const struct key *k, enum command c, struct error *e);
enum status keymap_bind_line(struct keymap *m, const struct key *k, const char *line, struct error *e);
/* Appends the keys of a command, separated by blanks, for people. */
void keymap_keys(const struct keymap *m, enum command c, struct buffer *out);

/* Reads a configuration: lines of `map KEY COMMAND`, `map KEY :LINE`, `set OPTION
 * VALUE`, and comments after # (but not in a LINE). Options that only make sense
 * for one input are refused. E_SYNTAX with the line and column of the first fault; the
 * map and the options are then as they were. */
enum status keymap_configure(struct keymap *m, struct options *o, const char *text, size_t size,
			     const char *file, struct error *e);

#endif
