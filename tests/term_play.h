/* term_play.h - term_child in a pseudo-terminal, and what it draws there.
 *
 * Everything here stops the test when it fails.
 */
#ifndef TESTS_TERM_PLAY_H
#define TESTS_TERM_PLAY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/term_child.h"
#include "tests/vterm.h"

enum { WAIT = 10000 };		/* ms, for anything that should happen at once */

/* DEC private modes. */
enum { CURSOR_KEYS = 1, SGR_MOUSE = 1006, PASTES = 2004, SYNC = 2026 };

/* The program itself, which is the child when its first argument says so. */
#define SELF "/proc/self/exe"

/* env and args: words separated by blanks; args may be "". The size is 24 x 80. */
void start(struct pty *p, const char *env, const char *args);
void start_size(struct pty *p, int rows, int columns, const char *env, const char *args);
/* On terminals of 256 colours and of 24 bits, up to the first picture. */
void start_256(struct pty *p);
void start_truecolor(struct pty *p);

void wait_for(struct pty *p, int row, const char *text);
/* And the picture is complete: the end of its frame was written. */
void wait_frame(struct pty *p, int row, const char *text);
/* Types bytes, and waits for what row 1 says of the event. */
void assert_key(struct pty *p, const char *bytes, const char *shown);
void assert_back(struct pty *p, int row, int column, unsigned rgb);
/* Row 3 as it is to be on a UTF-8 terminal, and that it shifted nothing. */
void assert_clusters(struct pty *p);

/* As a terminal is before anything runs in it. */
void assert_restored(struct pty *p);
void assert_exits(struct pty *p, int code);
/* Types q: status 0, and everything is restored. */
void quit(struct pty *p);

#endif
