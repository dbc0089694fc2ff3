/* test_term_end.c - signals, crashes, a hangup and job control: the terminal is given back. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/term_play.h"
#include "tui/term/signal.h"

/* ---- ends ---- */

static void assert_dies(struct pty *p, int signal)
{
	int status = pty_wait_exit(p, WAIT);

	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), signal);
	assert_restored(p);
	assert_int_equal(pty_count(p, "\033[?1049l"), 1);
	pty_stop(p);
}

static void test_signals(void **state)
{
	(void)state;
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS };

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct pty p;
		start_truecolor(&p);
		kill(p.pid, signals[i]);
		assert_dies(&p, signals[i]);
	}
}

static void test_crashes(void **state)
{
	(void)state;
	static const struct { const char *key; int signal; } crashes[] = {
		{ "S", SIGSEGV }, { "O", SIGSEGV }, { "A", SIGABRT },
	};

	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
		struct pty p;
		start_truecolor(&p);
		pty_type(&p, crashes[i].key);
		assert_dies(&p, crashes[i].signal);
	}
}

static void test_signals_after_leaving(void **state)
{
	(void)state;
	struct pty p;

	start_truecolor(&p);
	pty_type(&p, "E");
	int status = pty_wait_exit(&p, WAIT);
	assert_true(WIFSIGNALED(status));
	assert_true(WTERMSIG(status) == SIGHUP || WTERMSIG(status) == SIGTERM);
	assert_int_equal(pty_count(&p, "done after the screen"), 1);
	assert_int_equal(pty_count(&p, "\033[?1049l"), 1);
	assert_false(p.alternate);
	pty_stop(&p);
}

/* Input that is always there does not keep a signal out. */
static void test_signal_with_input(void **state)
{
	(void)state;
	int ends[2];
	struct termios mode = { 0 };

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "j", 1), 1);
	signals_open(ends[0], "", 0, &mode);
	raise(SIGTERM);
	raise(SIGWINCH);
	assert_int_equal(signals_ending(), 0);
	assert_int_equal(signals_wait(ends[0], -1), 1);
	assert_int_equal(signals_ending(), SIGTERM);
	assert_true(signals_take(SIGNAL_RESIZED));
	assert_false(signals_take(SIGNAL_RESIZED));
	assert_false(signals_take(SIGNAL_CONTINUED));
	signals_close();
	close(ends[0]);
	close(ends[1]);
}

static void test_hangup(void **state)
{
	(void)state;
	struct pty p;

	start_256(&p);
	pty_close(&p);
	int status = pty_wait_exit(&p, WAIT);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
	assert_true(p.cpu_ms < 500);
	pty_stop(&p);

	start(&p, "TERM=xterm-256color", "nohup");
	wait_frame(&p, 0, "depth 3");
	pty_close(&p);
	status = pty_wait_exit(&p, WAIT);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
	assert_true(p.cpu_ms < 500);
	pty_stop(&p);
}

/* ---- job control ---- */

static void start_job(struct pty *p)
{
	start(p, "TERM=xterm-256color", "shell");
	wait_frame(p, 0, "depth 3");
}

static pid_t job_of(struct pty *p)
{
	char row[4096];
	const char *pid = strstr(pty_row(p, 0, row, sizeof row), "pid ");

	assert_non_null(pid);
	return (pid_t)atoi(pid + 4);
}

static bool job_runs(struct pty *p, const void *data)
{
	(void)data;
	return p->alternate && p->mouse == VTERM_PROP_MOUSE_CLICK && pty_is_set(p, CURSOR_KEYS) &&
	       pty_is_set(p, PASTES) && !(pty_mode(p).c_lflag & ICANON);
}

static void assert_continued(struct pty *p, const char *size)
{
	wait_frame(p, 0, size);
	assert_true(pty_wait(p, job_runs, NULL, WAIT));
	pty_type(p, "\033OA");
	wait_frame(p, 1, "kind 2 code 0 ");
	assert_clusters(p);
}

static void end_job(struct pty *p)
{
	pty_type(p, "q");
	wait_for(p, -1, "job ended 0 0");
	assert_restored(p);
	assert_exits(p, 0);
	pty_stop(p);
}

static void test_suspend(void **state)
{
	(void)state;
	struct pty p;

	start_job(&p);
	pty_type(&p, "\032");
	wait_for(&p, -1, "job stopped 1");
	assert_restored(&p);
	pty_resize(&p, 30, 90);
	pty_type(&p, "fg\n");
	assert_continued(&p, "size 30x90");

	kill(job_of(&p), SIGTSTP);
	wait_for(&p, -1, "job stopped 2");
	assert_restored(&p);
	/* In the background it stops as soon as it touches the terminal. */
	pty_type(&p, "bg\n");
	wait_for(&p, -1, "job stopped 3");
	assert_restored(&p);
	pty_type(&p, "fg\n");
	assert_continued(&p, "size 30x90");
	end_job(&p);
}

/* A stop that no program sees coming: whoever uses the screen meanwhile. */
static void test_stopped_hard(void **state)
{
	(void)state;
	struct pty p;

	start_job(&p);
	kill(job_of(&p), SIGSTOP);
	wait_for(&p, -1, "job stopped 1");
	pty_type(&p, "fg\n");
	assert_continued(&p, "size 24x80");
	end_job(&p);
}

static void test_killed_while_stopped(void **state)
{
	(void)state;

	for (int hard = 0; hard < 2; hard++) {
		struct pty p;
		start_job(&p);
		if (hard)
			kill(job_of(&p), SIGSTOP);
		else
			pty_type(&p, "\032");
		wait_for(&p, -1, "job stopped 1");
		pty_type(&p, "kill\n");
		wait_for(&p, -1, "job ended 15 0");
		assert_restored(&p);
		assert_exits(&p, 0);
		pty_stop(&p);
	}
}

/* Without a shell above there is nobody to continue it, so it goes on at once. */
static void test_suspend_orphan(void **state)
{
	(void)state;
	struct pty p;

	start_256(&p);
	pty_type(&p, "\032");
	wait_frame(&p, 1, "event 2: kind 1 code 122 mods 4");
	assert_true(p.alternate);
	assert_key(&p, "c", "event 3: c.");
	quit(&p);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_crashes),
		cmocka_unit_test(test_signals_after_leaving),
		cmocka_unit_test(test_signal_with_input),
		cmocka_unit_test(test_hangup),
		cmocka_unit_test(test_suspend),
		cmocka_unit_test(test_stopped_hard),
		cmocka_unit_test(test_killed_while_stopped),
		cmocka_unit_test(test_suspend_orphan),
	};

	if (is_term_child(argc, argv))
		return term_child(argc, argv);
	return cmocka_run_group_tests_name("term end", tests, NULL, NULL);
}
