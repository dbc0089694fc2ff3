/* test_pty_present.c - the program in a pseudo-terminal: before an audience, the line
 * that y copies, and lines instead of a screen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <termios.h>

#include <cmocka.h>

#include "tests/terminal.h"

/* ---------------------------------------------------------------- before an audience */

static void test_present(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.269");
	type_keys(&p, ":present<Enter> j l");
	wait_same(&p, ":present<Enter> j l", "");
	/* White on black to the edges, whatever the terminal's own colours are. */
	struct pty_cell blank = pty_cell(&p, 3, 79);
	assert_true(blank.rgb_background && blank.background == 0);
	pty_type(&p, "c");
	wait_text(&p, -1, "[c]  causal mask off");
	/* Ctrl-Z undoes. */
	pty_type(&p, "\032");
	wait_text(&p, -1, "[Ctrl-Z]  undone: causal on");
	/* One q stays, also after something else. */
	pty_type(&p, "q");
	wait_text(&p, -1, "[q]  q again leaves");
	pty_type(&p, "h");
	wait_text(&p, -1, "[h]  row 1");
	pty_type(&p, "qq");
	assert_exit(&p, 0);
	assert_restored(&p);
	pty_stop(&p);
}

/* A click is told like a key. */
static void test_click(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.269");
	type_keys(&p, ":present<Enter>");
	int row = row_of(&p, "학생");
	click(&p, row, column_of(&p, row, "0.099"));
	wait_text(&p, -1, "[click]  row 2 학생, column 2 학생: 0.099");
	pty_type(&p, "qq");
	assert_exit(&p, 0);
	pty_stop(&p);
}

/* With a key of the configuration. */
static void test_mapped(void **state)
{
	(void)state;
	struct pty p;

	place_make("config");
	place_make("config/qkv");
	place_write("config/qkv/config", "map <F5> :present\n");
	start(&p, "");
	wait_frame(&p, -1, "0.269");
	pty_type(&p, "\033[15~");
	wait_text(&p, -1, "[F5]");
	pty_type(&p, "qq");
	assert_exit(&p, 0);
	pty_stop(&p);
}

/* ---------------------------------------------------------------- the clipboard */

static int value_of(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* RFC 4648; false when it is not that. */
static bool decode(const char *text, size_t n, char *out)
{
	if (n % 4)
		return false;
	for (size_t i = 0; i < n; i += 4) {
		unsigned long w = 0;
		int pads = 0;
		for (size_t k = 0; k < 4; k++) {
			bool pad = text[i + k] == '=' && i + 4 == n && k >= 2;
			if (!pad && value_of(text[i + k]) < 0)
				return false;
			pads += pad;
			w = w << 6 | (unsigned long)(pad ? 0 : value_of(text[i + k]));
		}
		for (int k = 0; k < 3 - pads; k++)
			*out++ = (char)(w >> (16 - 8 * k) & 255);
	}
	*out = '\0';
	return true;
}

static const char copies[] = "\033]52;c;";

/* What was put on the clipboard, decoded; the sequence is bytes of base64 up to BEL. */
static void copied(const struct pty *p, char *out, size_t size)
{
	const char *at = strstr(p->output, copies);

	assert_non_null(at);
	at += strlen(copies);
	size_t n = strcspn(at, "\a");
	assert_int_equal(at[n], '\a');
	assert_true(n < size && decode(at, n, out));
}

static void test_copy(void **state)
{
	(void)state;
	static const char *const variables[] = { "", "COLORTERM", "COLORTERM TERM=tmux-256color TMUX=/x,1,0", "NO_COLOR=1" };

	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		struct pty p;
		char line[1000], shown[1200];
		surround(variables[i]);
		start_size(&p, 24, 200, "");
		wait_frame(&p, -1, "0.269");
		type_keys(&p, ":scale dk<Enter> c");
		assert_int_equal(pty_count(&p, copies), 0);
		pty_type(&p, "y");
		wait_text(&p, -1, strstr(variables[i], "TMUX") ? "tmux passes it on" : "(sent to the terminal's clipboard)");
		assert_int_equal(pty_count(&p, copies), 1);
		copied(&p, line, sizeof line);
		assert_non_null(strstr(line, "qkv causal-3 "));
		assert_non_null(strstr(line, "--scale=dk"));
		snprintf(shown, sizeof shown, "y: %s", line);
		wait_text(&p, -1, shown);
		quit(&p);
	}
}

/* The line that was copied opens what was on the screen. */
static void test_copied_line_works(void **state)
{
	(void)state;
	struct pty p, again;
	char line[1000];

	start(&p, "");
	wait_frame(&p, -1, "0.269");
	type_keys(&p, ":scale dk<Enter> :fill -1e9<Enter> c");
	pty_type(&p, "y");
	assert_true(pty_wait_output(&p, copies, WAIT));
	wait_text(&p, -1, "y: qkv");
	copied(&p, line, sizeof line);
	quit(&p);
	start(&again, line + strlen("qkv "));
	wait_frame(&again, -1, "causal off");
	wait_same(&again, "", line + strlen("qkv "));
	quit(&again);
}

/* Keys of the command line are played before the first picture; an unknown one is told
 * with the terminal as it was. */
static void test_keys_at_start(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "causal-3 '--keys=:go 1:1<Enter> i'");
	wait_text(&p, -1, "inspector: weights 1:1");
	wait_same(&p, ":go 1:1<Enter> i", "");
	quit(&p);
	start(&p, "--keys '<Nokey>'");
	assert_exit(&p, 2);
	assert_non_null(strstr(p.output, "'<Nokey>' is not a key"));
	assert_restored(&p);
	pty_stop(&p);
	start_size(&p, 50, 120, "--speak causal-3 '--keys=:go 1:1<Enter>'");
	assert_true(pty_wait_output(&p, "row 1 저는, column 1 저는: 0.731, visible", WAIT));
	pty_type(&p, "q");
	assert_exit(&p, 0);
	pty_stop(&p);
}

/* Nothing that might be shown is sent, and nothing is said to have been. */
static void test_no_copy(void **state)
{
	(void)state;
	static const char *const variables[] = {
		"COLORTERM TERM=linux", "TERM=linux", "COLORTERM TERM=vt100", "TERM=screen", "TERM=screen-256color STY=1.x",
	};

	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		struct pty p;
		surround(variables[i]);
		start(&p, "");
		wait_frame(&p, -1, "0.269");
		type_keys(&p, "y");
		wait_text(&p, -1, "y: qkv causal-3");
		assert_int_equal(pty_count(&p, "\033]52"), 0);
		assert_false(shows(&p, "clipboard"));
		quit(&p);
	}
}

/* Where a file is missing the line would open something else: it is not copied. */
static void test_no_copy_of_half(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.269");
	type_keys(&p, "+ y");
	wait_text(&p, -1, "y: qkv");
	assert_int_equal(pty_count(&p, "\033]52"), 0);
	quit(&p);
}

/* ---------------------------------------------------------------- lines */

static void start_lines(struct pty *p, const char *arguments)
{
	char all[300];

	snprintf(all, sizeof all, "--speak %s", arguments);
	start_size(p, 50, 120, all);
	assert_true(pty_wait_output(p, "row sum", WAIT));
}

static void wait_output(struct pty *p, const char *text)
{
	if (!pty_wait_output(p, text, WAIT))
		fail_msg("\"%s\" was not written: %s", text, p->output);
}

/* Escape sequences but the two that keep pasted text from acting as keys. */
static int sequences(const struct pty *p)
{
	return pty_count(p, "\033") - pty_count(p, "\033[?2004h") - pty_count(p, "\033[?2004l");
}

static void assert_cooked(struct pty *p)
{
	struct termios mode = pty_mode(p);

	assert_true((mode.c_lflag & (ICANON | ECHO | ISIG)) == (ICANON | ECHO | ISIG));
	assert_true(mode.c_iflag & ICRNL);
	assert_false(pty_is_set(p, 2004));
}

static void test_lines(void **state)
{
	(void)state;
	struct pty p;

	start_lines(&p, "");
	wait_output(&p, "row 1 저는: 0.269, 0.731, 0 hidden; row sum 1.000 ok\r\n");
	wait_output(&p, "row 0 <시작>, column 0 <시작>: 1.000, visible; row sum 1.000 ok\r\n");
	assert_false(pty_mode(&p).c_lflag & (ICANON | ECHO));
	pty_type(&p, "j");
	wait_output(&p, "row 1 저는, column 0 <시작>: 0.269, visible; row sum 1.000 ok\r\n");
	pty_type(&p, "c");
	wait_output(&p, "changed: 6 of 9 cells\r\n");
	wait_output(&p, "row 1 저는, column 2 학생: 0 hidden -> 0.099\r\n");
	pty_type(&p, ":causal on\r");
	wait_output(&p, "\n:causal on\r\n");
	pty_type(&p, "v");
	wait_output(&p, "probe-k");
	wait_output(&p, "cannot see");
	/* Nothing but lines: no screen, no cursor, no colours, each line ended for the terminal. */
	assert_int_equal(sequences(&p), 0);
	assert_int_equal(pty_count(&p, "\n"), pty_count(&p, "\r\n"));
	assert_false(p.alternate);
	pty_type(&p, "q");
	assert_exit(&p, 0);
	assert_cooked(&p);
	pty_stop(&p);
}

static void test_lines_korean(void **state)
{
	(void)state;
	struct pty p;

	start_size(&p, 50, 120, "--speak --lang ko");
	wait_output(&p, "1.000");
	pty_type(&p, "c");
	wait_output(&p, "인과 마스크");
	pty_type(&p, "q");
	assert_exit(&p, 0);
	pty_stop(&p);
}

/* Any terminal will do, and a pipe. */
static void test_lines_anywhere(void **state)
{
	(void)state;
	static const char *const terms[] = { "TERM=dumb", "TERM", "TERM=no-such-terminal", "TERM=vt100" };

	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		struct pty p;
		surround(terms[i]);
		start_lines(&p, "two-tokens");
		pty_type(&p, "j");
		wait_output(&p, "row 1 w2, column 0 w1");
		if (i < 3)
			assert_int_equal(pty_count(&p, "\033"), 0);
		pty_type(&p, "q");
		assert_exit(&p, 0);
		assert_cooked(&p);
		pty_stop(&p);
	}
	struct pty p;
	start_shell(&p, "\"$QKV\" --speak two-tokens | sed 's/^/heard: /'");
	wait_output(&p, "heard: stage 4 weights");
	pty_type(&p, "q");
	assert_exit(&p, 0);
	pty_stop(&p);
}

/* The terminal is as before, however it ends; the session is kept. */
static void test_lines_ends(void **state)
{
	(void)state;
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGSEGV };
	struct pty p;

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		start_lines(&p, "");
		kill(p.pid, signals[i]);
		int status = pty_wait_exit(&p, WAIT);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
		assert_cooked(&p);
		pty_stop(&p);
	}
	start_lines(&p, "");
	pty_type(&p, "\003");
	assert_exit(&p, 130);
	assert_cooked(&p);
	pty_stop(&p);
	start_lines(&p, "");
	pty_type(&p, "cq");
	assert_exit(&p, 0);
	pty_stop(&p);
	start_lines(&p, "--resume");
	wait_output(&p, "causal off");
	pty_type(&p, "u");
	wait_output(&p, "u: undone: causal on");
	pty_type(&p, "q");
	assert_exit(&p, 0);
	pty_stop(&p);
}

/* Whoever reads the lines is gone: then it ends, and the terminal is as before. */
static void test_lines_unheard(void **state)
{
	(void)state;
	static const char *const traps[] = { "", "trap '' PIPE; " };
	static const char *const wanted[] = { "status 141", "status 129" };
	char command[200];
	struct pty p;

	for (size_t i = 0; i < 2; i++) {
		snprintf(command, sizeof command, "%s{ \"$QKV\" --speak two-tokens; echo status $? >&2; } | head -n 1; echo heard", traps[i]);
		start_shell(&p, command);
		wait_output(&p, "Two tokens by hand");
		for (int k = 0; k < 50 && !pty_wait_output(&p, wanted[i], 200); k++)
			pty_type(&p, "c");		/* it is at the next line that it is noticed */
		wait_output(&p, wanted[i]);
		pty_wait_exit(&p, WAIT);
		assert_cooked(&p);
		pty_stop(&p);
	}
}

/* Pasted text is not taken for keys. */
static void test_lines_paste(void **state)
{
	(void)state;
	struct pty p;

	start_lines(&p, "");
	assert_true(pty_is_set(&p, 2004));
	pty_type(&p, "\033[200~cq\033[201~");
	wait_output(&p, "pasted text is not taken for keys");
	assert_int_equal(pty_count(&p, "causal mask off"), 0);
	pty_type(&p, "q");
	assert_exit(&p, 0);
	pty_stop(&p);
}

static void test_lines_lesson(void **state)
{
	(void)state;
	struct pty p;

	start_size(&p, 50, 120, "lesson --speak five-steps");
	wait_output(&p, "page 1 of 9");
	pty_type(&p, "n");
	wait_output(&p, "page 2 of 9");
	pty_type(&p, "q");
	assert_exit(&p, 0);
	pty_stop(&p);
}

/* Who has no terminal for keys is told so. */
static void test_lines_refused(void **state)
{
	(void)state;
	struct pty p;

	start_shell(&p, "\"$QKV\" --speak </dev/null; echo status $?");
	wait_output(&p, "qkv: keys cannot be read: the input is not a terminal\r\n");
	wait_output(&p, "status 2");
	pty_wait_exit(&p, WAIT);
	pty_stop(&p);
	surround("TERM=dumb");
	start(&p, "");
	wait_output(&p, "--speak");
	assert_exit(&p, 2);
	pty_stop(&p);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_open, place_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_present),
		TEST(test_click),
		TEST(test_mapped),
		TEST(test_copy),
		TEST(test_copied_line_works),
		TEST(test_keys_at_start),
		TEST(test_no_copy),
		TEST(test_no_copy_of_half),
		TEST(test_lines),
		TEST(test_lines_korean),
		TEST(test_lines_anywhere),
		TEST(test_lines_ends),
		TEST(test_lines_unheard),
		TEST(test_lines_paste),
		TEST(test_lines_lesson),
		TEST(test_lines_refused),
	};

	return cmocka_run_group_tests_name("pty present", tests, NULL, NULL);
}
