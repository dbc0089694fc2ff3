/* signal.h - signals as flags, and the terminal restored even by a crash.
 *
 * From signals_open to signals_close the signals are blocked everywhere but in
 * signals_wait and signals_stop, so that none interrupts curses. Threads must
 * be started after signals_open (they inherit the blocked signals) or block
 * them on their own. Signals that the process was started with ignored stay so.
 */
#ifndef TUI_TERM_SIGNAL_H
#define TUI_TERM_SIGNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

enum signal_flag {
	SIGNAL_RESIZED,		/* SIGWINCH */
	SIGNAL_STOPPING,	/* SIGTSTP from outside */
	SIGNAL_CONTINUED,	/* SIGCONT */
	SIGNAL_FLAGS
};

/* For the whole program, screen or not: a SIGBUS about an address of which `lost` says true, having
 * told why on standard error, ends it with status 2. `lost` is called in a signal handler. */
void signals_explain(bool (*lost)(const void *address));

/* Crashes write `restore`, which must stay, and set the mode of fd. */
void signals_open(int fd, const char *restore, size_t length, const struct termios *mode);
/* Everything as before signals_open; what is pending acts now. */
void signals_close(void);

/* Waits for input on fd, at most so many ms (negative: for ever): 1 when it can
 * be read, 0 when the time is over, -1 after a signal. */
int signals_wait(int fd, int milliseconds);
/* Whether that happened since it was last asked. */
bool signals_take(enum signal_flag flag);
/* The signal that asks to end, 0 while there is none. */
int signals_ending(void);

bool signals_can_stop(void);
/* Stops the process group; comes back when it is continued. */
void signals_stop(void);
/* From now on using the terminal from the background does not stop the process. */
void signals_allow_background(void);
/* Ends the process by a signal. */
void signals_die(int signal);

#endif
