/* term.h - the terminal: the only place that knows curses, termkey and signals.
 *
 * One terminal can be open at a time (signals and curses are per process).
 * Between term_open and term_close signals are blocked but in term_wait and
 * term_suspend; threads that are started in between inherit that, others have
 * to block them on their own.
 */
#ifndef TUI_TERM_TERM_H
#define TUI_TERM_TERM_H

#include <stdbool.h>

#include "core/error.h"
#include "tui/cells.h"
#include "tui/color.h"
#include "tui/key.h"

struct term;

enum color_choice { COLOR_AUTO, COLOR_NEVER, COLOR_8, COLOR_16, COLOR_256, COLOR_TRUE };

struct term_config {
	enum color_choice color;	/* AUTO: NO_COLOR, then environment, then terminfo */
	bool mouse;
	bool no_sync;			/* frames without synchronized output (DECSET 2026) */
	int input;			/* file descriptor of keys, or -1: /dev/tty */
};

enum term_event {
	TERM_KEY,	/* *key is filled */
	TERM_TIMEOUT,
	TERM_RESIZE,	/* ask term_size and draw again (also after a stop, term_suspend included) */
	TERM_HANGUP,	/* the terminal is gone */
	TERM_SIGNAL,	/* a signal asks to end: term_signal() tells which */
};

/* Switches to the alternate screen. E_FILE with one clear text when TERM is
 * unset, unknown or too poor, or when there is no terminal; nothing has been written to it then. */
enum status term_open(struct term **t, const struct term_config *config, struct error *e);
/* Gives the screen back for good, while signals still wait as before: between
 * this and term_close nothing ends the process. NULL is accepted. */
void term_leave(struct term *t);
/* Restores the terminal, and what signals do; NULL is accepted. */
void term_close(struct term *t);

void term_size(const struct term *t, int *rows, int *columns);
enum depth term_depth(const struct term *t);
bool term_utf8(const struct term *t);
/* The background the terminal says it has (COLORFGBG); THEME_DARK when it says nothing. */
enum theme term_theme(const struct term *t);

/* Waits at most timeout milliseconds (negative: for ever) for one event. */
enum term_event term_wait(struct term *t, int timeout, struct key *key);
/* True when input is waiting, so that drawing can be put off. */
bool term_pending(struct term *t);
int term_signal(const struct term *t);

void term_draw(struct term *t, const struct cells *c);
/* The next draw repaints everything. */
void term_redraw(struct term *t);
/* Stops the process (Ctrl-Z) and comes back when it is continued. */
void term_suspend(struct term *t);
void term_beep(struct term *t);
void term_set_mouse(struct term *t, bool on);

/* Bytes of text that terminals take for their clipboard without a doubt: 100,000 as base64. */
enum { TERM_COPY_MAX = 74991 };
/* Hands text to the clipboard of the terminal (OSC 52), also over ssh; whether it takes
 * it cannot be known. False when this terminal might show the bytes, or text is longer. */
bool term_copy(struct term *t, const char *text, size_t size);

/* Exit status after TERM_HANGUP: as if SIGHUP had ended the program. */
int term_hangup_status(void);

/* After term_close: ends the process by the signal, with its default action. */
void term_die(int signal);
/* signals_explain (signal.h), for who may not know of it. */
void term_explain(bool (*lost)(const void *address));

/* The locale rule: sets LC_CTYPE and tells whether text may be UTF-8. */
bool term_locale(void);

#endif
