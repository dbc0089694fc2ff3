/* live_session.h - a language model in the state as text (session.c), and as a command line.
 *
 * Words of a snapshot's line: live:text=..., live:at=..., live:off=..., live:pad=LEFT,RIGHT,
 * and live:o:OPTION=VALUE for each option that is carried through. One line more says of which
 * entry of the scenarios the model is: "live SLOT FILE", the file "" for the built-in one.
 */
#ifndef TUI_LIVE_SESSION_H
#define TUI_LIVE_SESSION_H

#include "tui/live_dock.h"

/* Calls put(out, NAME, VALUE) for each word of a point. */
void live_session_words(const struct live_point *p, struct buffer *out,
			void (*put)(struct buffer *out, const char *name, const char *value));
/* Reads such a word, without its "live:", into n. E_SYNTAX for what is none. */
enum status live_session_word(struct snapshot *n, const char *name, const char *value, struct error *e);
/* Whether what was read of a snapshot can be used: a text where there is a point, of the model's slot. */
bool live_session_fits(const struct state *s, const struct snapshot *n);
/* Finds the model again, for that entry of the scenarios. */
enum status live_session_model(struct state *s, size_t slot, const char *file, const struct random_tables *tables,
			       live_maker *make, struct error *e);

/* Appends the text and the options that `qkv live` takes for the state, quoted by `quote`; a
 * text that looks like an option is left for live_command_end, behind all options. False
 * when a picture has options that no command line can give it. */
bool live_command_line(const struct state *s, struct buffer *out, void (*quote)(struct buffer *out, const char *word));
void live_command_end(const struct state *s, struct buffer *out, void (*quote)(struct buffer *out, const char *word));

#endif
