/* test_term.c - the terminal layer on a pseudo-terminal: modes, sizes, the locale, what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "tests/term_play.h"

/* ---- modes and sizes ---- */

static void test_modes(void **state)
{
	(void)state;
	struct pty p;

	start_256(&p);
	assert_key(&p, "m", "event 1: m.");
	assert_int_equal(p.mouse, VTERM_PROP_MOUSE_NONE);
	assert_key(&p, "M", "event 2: M.");
	assert_int_equal(p.mouse, VTERM_PROP_MOUSE_CLICK);
	pty_type(&p, "B");
	assert_true(pty_wait_output(&p, "\a", WAIT));
	assert_key(&p, "/", "event 4: /.");
	assert_true(p.cursor_shown);
	assert_int_equal(p.cursor_row, 1);
	assert_int_equal(p.cursor_column, 3);
	assert_key(&p, "x", "event 5: x.");
	assert_false(p.cursor_shown);
	/* Noise on the screen stays until everything is repainted. */
	vterm_input_write(p.vterm, "\033[20;1HNOISE", 12);
	assert_true(pty_wait_text(&p, 19, "NOISE", 0));
	pty_type(&p, "L");
	wait_frame(&p, 1, "event 6: L.");
	assert_false(pty_wait_text(&p, 19, "NOISE", 0));
	quit(&p);

	start(&p, "TERM=xterm-256color", "nosync nomouse");
	wait_for(&p, 4, "next row");
	assert_int_equal(pty_count(&p, "\033[?2026h"), 0);
	assert_int_equal(p.mouse, VTERM_PROP_MOUSE_NONE);
	quit(&p);
}

static void test_reopen(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm COLORTERM=truecolor", "");
	wait_frame(&p, 0, "depth 4");
	pty_type(&p, "R");
	wait_frame(&p, 1, "event 1: R.");
	assert_int_equal(pty_count(&p, "between"), 1);
	assert_true(p.alternate);
	assert_back(&p, 2, 0, 0x0a141e);
	quit(&p);
}

static void test_resize(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm-256color LINES=10 COLUMNS=40", "");
	wait_frame(&p, 0, "size 24x80");
	pty_resize(&p, 40, 120);
	wait_frame(&p, 0, "size 40x120");
	assert_clusters(&p);
	pty_resize(&p, 1, 1);
	wait_frame(&p, 0, "d");
	pty_resize(&p, 10, 2);
	for (int i = 0; i < 100; i++)
		pty_resize(&p, 5 + i % 30, 60 + i);
	pty_resize(&p, 30, 90);
	wait_frame(&p, 0, "size 30x90");
	assert_clusters(&p);
	quit(&p);
}

static void test_no_size(void **state)
{
	(void)state;
	struct pty p;

	start_size(&p, 0, 0, "TERM=xterm-256color", "");
	wait_frame(&p, 0, "size 24x80");
	quit(&p);
}

/* ---- errors ---- */

/* One line, and nothing else has been written. */
static void assert_error(const char *env, const char *args, const char *text)
{
	struct pty p;

	start(&p, env, args);
	assert_exits(&p, 2);
	char start_of_line[32];
	snprintf(start_of_line, sizeof start_of_line, "error %d: ", E_FILE);
	assert_non_null(p.output);
	assert_memory_equal(p.output, start_of_line, strlen(start_of_line));
	if (!strstr(p.output, text))
		fail_msg("%s: %s", env, p.output);
	assert_string_equal(strchr(p.output, '\n'), "\n");
	assert_int_equal(pty_count(&p, "\033"), 0);
	assert_false(p.alternate);
	assert_restored(&p);
	pty_stop(&p);
}

static void test_errors(void **state)
{
	(void)state;
	assert_error("", "", "TERM is not set");
	assert_error("TERM=", "", "TERM is not set");
	assert_error("TERM=no-such-terminal", "", "TERM=no-such-terminal is not known");
	assert_error("TERM=xterm-kitty-2", "", "TERM=xterm-kitty-2 is not known");
	assert_error("TERM=../x", "", "TERM=../x");
	assert_error("TERM=\033[31mred", "", "TERM=?[31mred");
	assert_error("TERM=dumb", "", "TERM=dumb");
	assert_error("TERM=xterm", "pipe0", "not a terminal");
	assert_error("TERM=xterm", "noout", "standard output is not a terminal");
}

/* ---- locale ---- */

static void assert_locale(char *const env[], const char *text)
{
	struct pty p;
	char *argv[] = { SELF, "child", "locale", NULL };

	assert_true(pty_start(&p, 24, 80, argv, env));
	wait_for(&p, 0, text);
	assert_exits(&p, 0);
	pty_stop(&p);
}

static void test_locale(void **state)
{
	(void)state;
	static const struct { char *env[4]; const char *text; } rows[] = {
		{ { NULL }, "utf8 1 codeset UTF-8 point ." },
		{ { "LC_ALL=", "LANG=", NULL }, "utf8 1" },
		{ { "LC_ALL=C.UTF-8", NULL }, "utf8 1" },
		{ { "LANG=xx_YY.UTF-8", NULL }, "utf8 1" },
		{ { "LC_ALL=xx_YY.utf8", "LANG=C", NULL }, "utf8 1" },
		{ { "LC_CTYPE=xx_YY.UTF-8@mod", "LANG=C", NULL }, "utf8 1" },
		{ { "LC_ALL=C", "LANG=xx_YY.UTF-8", NULL }, "utf8 0 codeset ANSI_X3.4-1968" },
		{ { "LC_ALL=POSIX", NULL }, "utf8 0" },
		{ { "LANG=C", NULL }, "utf8 0" },
		{ { "LANG=xx_YY.EUC-KR", NULL }, "utf8 0" },
		{ { "LANG=xx_YY", NULL }, "utf8 0" },
		{ { "LC_NUMERIC=C.UTF-8", NULL }, "utf8 1" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_locale(rows[i].env, rows[i].text);
}

static void test_ascii_locale(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm-256color LC_ALL=C", "");
	wait_frame(&p, 0, "depth 3 utf8 0");
	assert_string_equal(pty_cell(&p, 3, 0).text, "?");
	assert_string_equal(pty_cell(&p, 3, 8).text, "X");
	quit(&p);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ascii_locale),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_reopen),
		cmocka_unit_test(test_resize),
		cmocka_unit_test(test_no_size),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_locale),
	};

	if (is_term_child(argc, argv))
		return term_child(argc, argv);
	return cmocka_run_group_tests_name("term", tests, NULL, NULL);
}
