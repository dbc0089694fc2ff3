/* input.h - bytes from a terminal to keys. No terminal is needed for it.
 *
 * A filter in front of an abstract libtermkey: only sequences of a known form
 * reach the library, whose parser of version 0.22 reads and writes out of
 * bounds on others and knows neither pastes nor strings that end in BEL.
 * Reports of the terminal, key releases, drags and bytes that are not UTF-8
 * are dropped.
 */
#ifndef TUI_TERM_INPUT_H
#define TUI_TERM_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/key.h"

struct input;

enum {
	INPUT_ESCAPE_WAIT = 100,	/* ms until a lone Esc is the key of that name */
	INPUT_PASTE_MAX = 1 << 20,	/* bytes of one paste; the rest of it is dropped */
};

/* term: the name whose terminfo entry has the keys; an unknown one gives those
 * of ECMA-48 and xterm. NULL when memory is short. */
struct input *input_new(const char *term, int escape_wait);
void input_free(struct input *in);

/* Lends bytes, which must stay until input_next has returned false. */
void input_feed(struct input *in, const void *bytes, size_t count);
/* The next key of what was fed; false when nothing more is complete. */
bool input_next(struct input *in, struct key *key);
/* Bytes were fed that input_next has not looked at. */
bool input_pending(const struct input *in);

/* How long after the last byte something half-read is to be ended by
 * input_expire, in ms; -1 when there is no such thing. Ask after input_next
 * has returned false. */
int input_timeout(const struct input *in);
void input_expire(struct input *in);

#endif
