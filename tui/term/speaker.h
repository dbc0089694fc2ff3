/* speaker.h - a terminal that is written to in lines, for what reads them aloud.
 *
 * Keys come raw and without an echo; nothing places a cursor, clears or colours, so that
 * any TERM will do. Lines may go to a pipe while the keys come from the terminal. One
 * can be open at a time, and none beside a term.h; signals are as there.
 */
#ifndef TUI_TERM_SPEAKER_H
#define TUI_TERM_SPEAKER_H

#include "tui/term/term.h"

struct speaker;

/* input: descriptor of keys, or -1: /dev/tty. E_FILE when that is no terminal. */
enum status speaker_open(struct speaker **s, int input, struct error *e);
/* The terminal's mode as it was, while signals still wait as before; then the signals
 * as well. NULL is accepted. */
void speaker_leave(struct speaker *s);
void speaker_close(struct speaker *s);

/* One event, as term_wait; TERM_RESIZE after a stop alone. */
enum term_event speaker_wait(struct speaker *s, int timeout, struct key *key);
bool speaker_pending(const struct speaker *s);
int speaker_signal(const struct speaker *s);
/* To standard output; "\n" ends a line. When it cannot be written, TERM_HANGUP or, of a
 * pipe that nobody reads, TERM_SIGNAL follows. */
void speaker_write(struct speaker *s, const char *text, size_t size);
void speaker_beep(struct speaker *s);
/* Stops the process and comes back when it is continued. */
void speaker_suspend(struct speaker *s);

#endif
