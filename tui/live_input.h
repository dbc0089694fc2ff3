/* live_input.h - the command line's language model: `qkv live`, and --live of the
 * commands with an input.
 */
#ifndef TUI_LIVE_INPUT_H
#define TUI_LIVE_INPUT_H

#include "tui/arguments.h"
#include "tui/live_dock.h"

/* What a screen begins with that was given no text. */
extern const char live_first_text[];

/* The scenario of the head that the command line names, of the text that it gives
 * (else live_first_text), and the options in force on it: those of the command
 * line where they apply to that head. What is to be said of the text is appended to
 * `notices`, a line each. *point, to be freed (also after an error, NULL before), has the text and
 * what the model is interfered with. Errors of live_init; E_VALUE about layer. */
enum status live_open(const struct invocation *inv, const struct random_tables *tables, struct scenario *s,
		      struct options *o, struct live_point **point, struct buffer *notices, struct error *e);

/* The same for a screen, which goes on with the model: *dock and *point are for
 * live_dock_attach. */
enum status live_open_dock(const struct invocation *inv, const struct random_tables *tables, struct scenario *s,
			   struct options *o, struct live_dock **dock, struct live_point **point, struct error *e);

/* The report of qkv live, and the file of --save. */
enum status live_command(struct buffer *out, const struct invocation *inv, const struct random_tables *tables,
			 bool ascii, struct error *e);

#endif
