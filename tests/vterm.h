/* vterm.h - a program in a pseudo-terminal, and the screen it draws.
 *
 * libvterm reads what the program writes and answers its questions. Nothing
 * here sleeps: every wait is for something, with a deadline in milliseconds.
 */
#ifndef TESTS_VTERM_H
#define TESTS_VTERM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

#include <vterm.h>

struct pty {
	pid_t pid;		/* 0 once its end was seen */
	int fd;			/* the master; -1 once closed */
	VTerm *vterm;
	VTermScreen *screen;
	int rows, columns;
	bool alternate, cursor_shown;
	int mouse;		/* VTERM_PROP_MOUSE_... */
	int cursor_row, cursor_column;
	bool ended;		/* nothing more will be read */
	char *output;		/* everything that was written, NUL-terminated */
	size_t length;
	long cpu_ms;		/* of the program, after its end */
};

/* Starts argv[0] (a path) with that environment. False when it cannot. */
bool pty_start(struct pty *p, int rows, int columns, char *const argv[], char *const env[]);
/* Kills what still runs. A zeroed struct is accepted. */
void pty_stop(struct pty *p);

/* Reads what is there, waiting for the first byte; false when nothing came. */
bool pty_pump(struct pty *p, int ms);
void pty_send(struct pty *p, const void *bytes, size_t n);
void pty_type(struct pty *p, const char *text);
void pty_resize(struct pty *p, int rows, int columns);
/* Hangs up: the terminal is gone for the program. */
void pty_close(struct pty *p);

/* Waits until ready(p, data) holds; false at the deadline or the program's end. */
bool pty_wait(struct pty *p, bool (*ready)(struct pty *p, const void *data), const void *data,
	      int ms);
/* The same for text in a row, or in any row when that is -1. */
bool pty_wait_text(struct pty *p, int row, const char *text, int ms);
bool pty_wait_output(struct pty *p, const char *sequence, int ms);
/* Waits for the program's end; its wait status, or -1. */
int pty_wait_exit(struct pty *p, int ms);

/* UTF-8 text of a row, without the blanks at its end, written to buffer. */
const char *pty_row(struct pty *p, int row, char *buffer, size_t size);
/* How often a sequence was written. */
int pty_count(const struct pty *p, const char *sequence);
/* Whether a DEC mode (2004: bracketed paste) was set, and not unset since. */
bool pty_is_set(const struct pty *p, int mode);

struct pty_cell {
	char text[32];		/* UTF-8, "" when blank */
	int width;
	bool bold, underline, reverse;
	bool own_foreground, own_background;	/* the terminal's own colours */
	bool rgb_foreground, rgb_background;	/* sent as 24 bits, not from the palette */
	unsigned foreground, background;	/* 0xrrggbb */
};
struct pty_cell pty_cell(struct pty *p, int row, int column);

/* The mode of the program's side. */
struct termios pty_mode(struct pty *p);

#endif
