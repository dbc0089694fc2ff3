/* terminal.h - qkv as a user starts it: in a pseudo-terminal, in a folder of its
 * own.
 *
 * Everything here stops the test when it fails. Every wait has a deadline and
 * is for something that is seen, never for time to pass.
 */
#ifndef TESTS_TERMINAL_H
#define TESTS_TERMINAL_H

#include "tests/vterm.h"

enum {
	WAIT = 10000,		/* ms, for what should happen at once */
	ROW_SIZE = 8192,
};

/* ---------------------------------------------------------------- surroundings */

/* The working folder of a test: home and XDG folders are in it. */
extern char place[256];

/* For cmocka, before and after each test: a fresh folder, default surroundings;
 * the folder is removed, unless a sanitizer has written a report there. */
int place_open(void **state);
int place_close(void **state);

/* Variables of the terminal and the locale, for this process and its children:
 * defaults (xterm-256color with COLORTERM=truecolor, C.UTF-8), then what words
 * say, separated by blanks: NAME=value, or NAME for one that is not to be set. */
void surround(const char *words);

/* The text of a file in the folder, NUL-terminated; NULL when there is none. */
char *place_read(const char *name);
void place_write(const char *name, const char *text);
void place_make(const char *folder);

/* ---------------------------------------------------------------- the program */

/* Starts qkv with arguments in one text: words separated by blanks, '...' around
 * one with blanks. The size is 24 x 80. */
void start(struct pty *p, const char *arguments);
void start_size(struct pty *p, int rows, int columns, const char *arguments);
/* A script of the shell instead; $QKV is the program. */
void start_shell(struct pty *p, const char *script);

void wait_text(struct pty *p, int row, const char *text);
/* The picture is complete: the end of its frame was written. */
void wait_frame(struct pty *p, int row, const char *text);
void wait_ready(struct pty *p, bool (*ready)(struct pty *p, const void *data), const void *data);
bool shows(struct pty *p, const char *text);
/* The same for a text in the row of a label. */
void wait_row(struct pty *p, const char *label, const char *text);
/* The row whose first word, after the mark of the cursor, is this label. */
int row_of(struct pty *p, const char *label);
/* The screen column where a text begins in a row, counted in cells. */
int column_of(struct pty *p, int row, const char *text);
/* Prints the whole screen on stderr; for the message of a failure. */
const char *dump(struct pty *p);

/* Types keys as `qkv frame --keys` takes them. Each is answered by a frame
 * before the next; in a burst they come at once. */
void type_keys(struct pty *p, const char *keys);
void type_burst(struct pty *p, const char *keys);
void click(struct pty *p, int row, int column);

/* ---------------------------------------------------------------- pictures */

/* Waits until the screen is what `qkv frame` prints for these keys and
 * arguments at this size: texts, colours and attributes of all cells. */
void wait_same(struct pty *p, const char *keys, const char *arguments);
/* The screen as it is, to be compared with later; to be freed. */
struct picture *take_picture(struct pty *p);
void picture_free(struct picture *picture);
void wait_picture(struct pty *p, const struct picture *picture);

/* ---------------------------------------------------------------- ends */

/* As a terminal is before anything runs in it: screen, cursor, modes, colours. */
void assert_restored(struct pty *p);
void assert_exit(struct pty *p, int code);
void assert_killed(struct pty *p, int signal);
/* Types q: status 0, and everything is restored. */
void quit(struct pty *p);
/* One line that begins so and has the text in it, status 2, nothing else. */
void assert_refused(struct pty *p, const char *begin, const char *text);

#endif
