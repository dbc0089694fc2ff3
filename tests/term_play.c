/* term_play.c - term_child in a pseudo-terminal, and what it draws there. */
#include "tests/term_play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* ---- starting and waiting ---- */

enum { WORDS_MAX = 16 };

void start_size(struct pty *p, int rows, int columns, const char *env, const char *args)
{
	char words[1024], more[256], sanitizer[1024];
	char *argv[WORDS_MAX] = { SELF, "child" }, *envp[WORDS_MAX];
	int arguments = 2, variables = 0;

	snprintf(words, sizeof words, "%s%s", strstr(env, "LC_ALL=") ? "" : "LC_ALL=C.UTF-8 ", env);
	for (char *w = strtok(words, " "); w && variables < WORDS_MAX - 2; w = strtok(NULL, " "))
		envp[variables++] = w;
	if (getenv("ASAN_OPTIONS")) {
		snprintf(sanitizer, sizeof sanitizer, "ASAN_OPTIONS=%s", getenv("ASAN_OPTIONS"));
		envp[variables++] = sanitizer;
	}
	envp[variables] = NULL;
	snprintf(more, sizeof more, "%s", args);
	for (char *w = strtok(more, " "); w && arguments < WORDS_MAX - 1; w = strtok(NULL, " "))
		argv[arguments++] = w;
	argv[arguments] = NULL;
	assert_true(pty_start(p, rows, columns, argv, envp));
}

void start(struct pty *p, const char *env, const char *args)
{
	start_size(p, 24, 80, env, args);
}

void wait_for(struct pty *p, int row, const char *text)
{
	char buffer[4096];

	if (!pty_wait_text(p, row, text, WAIT))
		fail_msg("no \"%s\"; row 0 \"%s\"", text, pty_row(p, 0, buffer, sizeof buffer));
}

static bool frame_ended(struct pty *p, const void *data)
{
	(void)data;
	return pty_count(p, "\033[?2026h") > 0 &&
	       pty_count(p, "\033[?2026h") == pty_count(p, "\033[?2026l");
}

void wait_frame(struct pty *p, int row, const char *text)
{
	wait_for(p, row, text);
	assert_true(pty_wait(p, frame_ended, NULL, WAIT));
}

void start_256(struct pty *p)
{
	start(p, "TERM=xterm-256color", "");
	wait_frame(p, 0, "depth 3");
}

void start_truecolor(struct pty *p)
{
	start(p, "TERM=xterm-256color COLORTERM=truecolor", "");
	wait_frame(p, 0, "depth 4");
}

void assert_restored(struct pty *p)
{
	assert_false(p->alternate);
	assert_true(p->cursor_shown);
	assert_int_equal(p->mouse, VTERM_PROP_MOUSE_NONE);
	assert_false(pty_is_set(p, CURSOR_KEYS) || pty_is_set(p, SGR_MOUSE) ||
		     pty_is_set(p, PASTES) || pty_is_set(p, SYNC));
	struct termios mode = pty_mode(p);
	assert_true(mode.c_lflag & ICANON && mode.c_lflag & ECHO && mode.c_lflag & ISIG);
	assert_true(mode.c_oflag & OPOST && mode.c_iflag & ICRNL);
}

void assert_exits(struct pty *p, int code)
{
	int status = pty_wait_exit(p, WAIT);

	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), code);
}

void quit(struct pty *p)
{
	pty_type(p, "q");
	assert_exits(p, 0);
	assert_restored(p);
	pty_stop(p);
}

/* ---- what is drawn ---- */

void assert_key(struct pty *p, const char *bytes, const char *shown)
{
	pty_type(p, bytes);
	wait_for(p, 1, shown);
}

void assert_back(struct pty *p, int row, int column, unsigned rgb)
{
	struct pty_cell c = pty_cell(p, row, column);

	assert_false(c.own_background);
	assert_int_equal(c.background, rgb);
}

void assert_clusters(struct pty *p)
{
	char row[4096];

	assert_string_equal(pty_cell(p, 3, 0).text, "\xed\x95\x9c");
	assert_int_equal(pty_cell(p, 3, 0).width, 2);
	assert_string_equal(pty_cell(p, 3, 2).text, "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab");
	assert_string_equal(pty_cell(p, 3, 4).text, "e\xcc\x81");
	assert_string_equal(pty_cell(p, 3, 5).text, "?");
	assert_string_equal(pty_cell(p, 3, 6).text, "?");
	assert_string_equal(pty_cell(p, 3, 7).text, "?");
	assert_string_equal(pty_cell(p, 3, 8).text, "X");
	assert_string_equal(pty_row(p, 4, row, sizeof row), "next row");
	assert_string_equal(pty_cell(p, 5, 0).text, "");
}
