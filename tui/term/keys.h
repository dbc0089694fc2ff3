/* keys.h - keys from a terminal: its descriptor, and the waits of input.h and signal.h.
 *
 * Between signals_open and signals_close only; term.c and speaker.c share it.
 */
#ifndef TUI_TERM_KEYS_H
#define TUI_TERM_KEYS_H

#include "core/error.h"
#include "tui/term/input.h"

struct keys {
	int fd;
	struct input *input;		/* owned */
	unsigned char bytes[4096];	/* lent to input */
	long long read_at;		/* ms, when they came */
	bool gone;			/* the terminal hung up */
};

/* Milliseconds of a clock that only goes forward. */
long long keys_now(void);

/* Reads from a duplicate of a descriptor, or from /dev/tty when it is -1. E_FILE
 * when that is no terminal. */
enum status keys_open(struct keys *k, int input, struct error *e);
/* A zeroed struct with fd -1 is accepted. */
void keys_close(struct keys *k);

/* Waits for bytes or a signal, until a moment of keys_now (negative: for ever); true
 * when that has passed and nothing came. Ask input_next first, and again after it. */
bool keys_wait(struct keys *k, long long deadline);
/* Something waits to be read. */
bool keys_pending(const struct keys *k);

#endif
