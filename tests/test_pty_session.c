/* test_pty_session.c - what the screen reads and keeps: only plain files, the
 * session whatever ends the program, the configuration below the rest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/run.h"
#include "tests/terminal.h"

static void start_default(struct pty *p)
{
	start(p, "");
	wait_frame(p, -1, "0.731");
}

/* ---------------------------------------------------------------- files */

/* Nothing that waits for somebody is opened while the screen is there. */
static void test_only_plain_files(void **state)
{
	(void)state;
	static const struct { const char *keys, *says; } tried[] = {
		{ ":o -<Enter>", "standard input" },
		{ ":o ./fifo<Enter>", "./fifo: is not a plain file" },
		{ ":o /dev/tty<Enter>", "/dev/tty: is not a plain file" },
		{ ":mask ./fifo<Enter>", "is not a plain file" },
		{ ":bias /dev/tty<Enter>", "is not a plain file" },
		{ ":mask -<Enter>", "standard input" },
	};
	struct pty p;

	assert_int_equal(mkfifo("fifo", 0600), 0);
	start_default(&p);
	for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
		type_keys(&p, tried[i].keys);
		wait_text(&p, -1, tried[i].says);
	}
	quit(&p);
}

/* ---------------------------------------------------------------- the session */

/* Whoever closes a window may send two signals, one right after the other. */
static void test_two_signals(void **state)
{
	(void)state;
	enum { ROUNDS = 60 };

	for (int i = 0; i < ROUNDS; i++) {
		struct pty p;
		const struct timespec pause = { 0, i % 21 * 100000L };
		start_default(&p);
		pty_type(&p, "j");
		wait_row(&p, "저는", "[0.269]");
		kill(p.pid, SIGHUP);
		if (pause.tv_nsec)
			nanosleep(&pause, NULL);
		kill(p.pid, SIGTERM);
		int status = pty_wait_exit(&p, WAIT);
		assert_true(WIFSIGNALED(status));
		assert_restored(&p);
		pty_stop(&p);
		char *session = place_read("state/qkv/session");
		if (!session || !strstr(session, "\nnow "))
			fail_msg("round %d: no session was kept", i);
		free(session);
		assert_int_equal(unlink("state/qkv/session"), 0);
	}
}

static void test_not_kept(void **state)
{
	(void)state;
	struct pty p;

	surround("XDG_STATE_HOME=/dev/null/x");
	start_default(&p);
	pty_type(&p, "q");
	wait_text(&p, -1, "qkv: the session was not kept: /dev/null/x/qkv/session: cannot be written");
	assert_exit(&p, 0);
	pty_stop(&p);
	surround("XDG_STATE_HOME HOME");
	start_default(&p);
	pty_type(&p, "q");
	wait_text(&p, -1, "qkv: the session was not kept: neither XDG_STATE_HOME nor HOME is set");
	assert_exit(&p, 0);
	pty_stop(&p);
}

static void test_none_kept(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "--resume");
	assert_refused(&p, "qkv: ", "no session is kept yet");
}

static void write_mask(const char *name)
{
	char bytes[128 + 9] = "\x93NUMPY\1\0\x76";

	snprintf(bytes + 10, sizeof bytes - 10, "%-117s\n", "{'descr': '|b1', 'fortran_order': False, 'shape': (3, 3), }");
	bytes[128 + 2] = 1;
	write_file(name, bytes, sizeof bytes);
}

/* From another folder, and after the mask has gone. */
static void test_masks_of_a_session(void **state)
{
	(void)state;
	struct pty p;

	write_mask("keepout.npy");
	start(&p, "--mask keepout.npy --causal=off");
	wait_frame(&p, 1, "mask");
	quit(&p);
	place_make("other");
	assert_int_equal(chdir("other"), 0);
	start(&p, "--resume");
	wait_text(&p, -1, "causal-3: resumed where it was left");
	wait_frame(&p, 1, "mask");
	wait_row(&p, "<시작>", "▚ 0");
	quit(&p);
	assert_int_equal(unlink("../keepout.npy"), 0);
	start(&p, "--resume");
	wait_text(&p, -1, "resumed without its mask and bias: --mask /");
	wait_row(&p, "<시작>", "0.242");
	quit(&p);
	assert_int_equal(chdir(".."), 0);
}

/* ---------------------------------------------------------------- hang-up */

static void test_hang_up_ignored(void **state)
{
	(void)state;
	struct pty p;

	signal(SIGHUP, SIG_IGN);
	start_default(&p);
	signal(SIGHUP, SIG_DFL);
	pty_close(&p);
	int status = pty_wait_exit(&p, WAIT);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 128 + SIGHUP);
	pty_stop(&p);
}

/* ---------------------------------------------------------------- the configuration */

static void configure(const char *text)
{
	if (access("config/qkv", F_OK)) {
		place_make("config");
		place_make("config/qkv");
	}
	place_write("config/qkv/config", text);
}

/* `r` goes back to it, undo does not go behind it, and the scenario and the
 * command line have the last word. */
static void test_config_is_the_start(void **state)
{
	(void)state;
	struct pty p;

	configure("set precision 2\nset causal off\nset scale none\n");
	start(&p, "");
	wait_row(&p, "저는", "0.73 ");
	type_keys(&p, "u");
	wait_text(&p, -1, "nothing to undo");
	type_keys(&p, "3 r");
	wait_row(&p, "저는", "0.73 ");
	quit(&p);
	configure("set causal on\nset precision 2\n");
	place_write("off.yaml", "qkv: 1\nscores: [[1, 2], [3, 4]]\nset: {causal: off, precision: auto}\n");
	start(&p, "off.yaml");
	wait_frame(&p, 1, "causal off");
	wait_row(&p, "t0", "0.269");
	quit(&p);
}

/* What does not fit is told, and the rest holds. */
static void test_config_that_does_not_fit(void **state)
{
	(void)state;
	struct pty p;

	configure("set stage joined\nset precision 2\n");
	start(&p, "");
	wait_text(&p, -1, "config: stage joined: there is only one head to join");
	wait_row(&p, "저는", "0.73 ");
	quit(&p);
}

static void test_config_of_an_input(void **state)
{
	(void)state;
	struct pty p;
	char begin[600];

	configure("\nset seed 3\n");
	snprintf(begin, sizeof begin, "qkv: %s/config/qkv/config:2:5: 'seed' belongs to", place);
	start(&p, "");
	assert_refused(&p, begin, "a scenario or the command line");
	assert_int_equal(unlink("config/qkv/config"), 0);
	assert_int_equal(mkfifo("config/qkv/config", 0600), 0);
	start(&p, "");
	assert_refused(&p, "qkv: ", "is not a plain file");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_open, place_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_only_plain_files),
		TEST(test_two_signals),
		TEST(test_not_kept),
		TEST(test_none_kept),
		TEST(test_masks_of_a_session),
		TEST(test_hang_up_ignored),
		TEST(test_config_is_the_start),
		TEST(test_config_that_does_not_fit),
		TEST(test_config_of_an_input),
	};

	return cmocka_run_group_tests_name("pty session", tests, NULL, NULL);
}
