/* test_pty_exit.c - how the program ends, stops and comes back, and what it
 * keeps for the next time.
 *
 * The program starts itself: with the argument "shell" it is a shell of one job,
 * qkv; else it is the test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <glob.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/job_shell.h"
#include "tests/terminal.h"

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static void start_default(struct pty *p)
{
	start(p, "");
	wait_frame(p, -1, "0.731");
}

/* By hand: scores 1:0 and 1:1 are both 2, so the weights are halves. */
static void edit(struct pty *p)
{
	type_keys(p, "j <Enter> <BS> <Type:2> <Enter>");
	wait_row(p, "저는", "[0.500]");
}

static void assert_resumed(void)
{
	struct pty p;

	start(&p, "--resume");
	wait_frame(&p, -1, "0.500");
	wait_row(&p, "저는", "[0.500]");
	pty_type(&p, "u");
	wait_row(&p, "저는", "0.731");
	quit(&p);
}

/* ---------------------------------------------------------------- keys that end it */

static void test_quit(void **state)
{
	(void)state;
	struct pty p;

	start_default(&p);
	quit(&p);
	start_default(&p);
	pty_type(&p, ":q\r");
	assert_exit(&p, 0);
	assert_restored(&p);
	pty_stop(&p);
	/* In a window q closes that. */
	start_default(&p);
	type_keys(&p, "? q");
	wait_text(&p, -1, "0.731");
	type_keys(&p, "o q");
	wait_text(&p, -1, "0.731");
	quit(&p);
}

static void test_interrupt(void **state)
{
	(void)state;
	static const char *const before[] = { "", "?", "o", ":sc", "<Enter>", "M", "/x" };

	for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
		struct pty p;
		start_default(&p);
		type_keys(&p, before[i]);
		pty_type(&p, "\003");
		assert_exit(&p, 130);
		assert_restored(&p);
		pty_stop(&p);
	}
}

/* ---------------------------------------------------------------- signals */

static void test_signals(void **state)
{
	(void)state;
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct pty p;
		start_default(&p);
		edit(&p);
		kill(p.pid, signals[i]);
		assert_killed(&p, signals[i]);
		assert_restored(&p);
		assert_int_equal(pty_count(&p, "\033[?1049l"), 1);
		pty_stop(&p);
		assert_resumed();
	}
}

static void test_crashes(void **state)
{
	(void)state;
	static const int signals[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL };

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct pty p;
		start_default(&p);
		type_keys(&p, ":tokens");
		kill(p.pid, signals[i]);
		assert_killed(&p, signals[i]);
		assert_restored(&p);
		pty_stop(&p);
	}
}

/* Scores of 4096 queries and 64 keys, 0 to 6: more than is copied out of a file. */
static void write_scores(char path[300])
{
	enum { ROWS = 4096, COLUMNS = 64 };
	static const char dict[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (4096, 64), }";
	char head[128];

	memset(head, ' ', sizeof head);
	memcpy(head, "\x93NUMPY\1\0\x76\0", 10);
	memcpy(head + 10, dict, sizeof dict - 1);
	head[sizeof head - 1] = '\n';
	snprintf(path, 300, "%s/scores.npy", place);
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(head, 1, sizeof head, f), sizeof head);
	for (size_t k = 0; k < ROWS * COLUMNS; k++)
		assert_int_equal(fwrite(&(float){ (float)(k % 7) }, sizeof(float), 1, f), 1);
	assert_int_equal(fclose(f), 0);
}

/* The numbers of a large file are looked up in it. Where somebody cuts it short they are gone:
 * one line says so, on a terminal as it was before. */
static void test_file_cut_short(void **state)
{
	struct pty p;
	char path[300];

	(void)state;
	write_scores(path);
	start(&p, "scores.npy");
	wait_frame(&p, -1, "t0");
	assert_int_equal(truncate(path, 4096), 0);
	pty_type(&p, "G");
	assert_exit(&p, 2);
	assert_restored(&p);
	assert_true(shows(&p, "qkv: scores.npy was cut short while it was open"));
	pty_stop(&p);
}

/* Its numbers are in no session, only its name: a session is small, and needs the file. */
static void test_resume_file(void **state)
{
	struct pty p;
	char path[300];

	(void)state;
	write_scores(path);
	start(&p, "scores.npy --head=0");
	wait_frame(&p, -1, "t0");
	type_keys(&p, "1 G");
	wait_text(&p, -1, "t4095");
	quit(&p);
	char *session = place_read("state/qkv/session");
	if (session)
		assert_true(strlen(session) < 2000);
	free(session);
	start(&p, "--resume");
	wait_frame(&p, -1, "t4095");
	wait_row(&p, "t4095", "2.000");		/* 4095 * 64 is a multiple of 7: the row is 0 1 2 ... */
	quit(&p);
	assert_int_equal(unlink(path), 0);
	start(&p, "--resume");
	assert_refused(&p, "qkv: ", "scores.npy");
}

/* Whoever started it with a signal ignored (nohup, a shell's trap) means it. */
static void test_ignored_signal(void **state)
{
	(void)state;
	struct pty p;

	signal(SIGHUP, SIG_IGN);
	start_default(&p);
	signal(SIGHUP, SIG_DFL);
	kill(p.pid, SIGHUP);
	type_keys(&p, "c");
	wait_same(&p, "c", "");
	kill(p.pid, SIGTERM);
	assert_killed(&p, SIGTERM);
	assert_restored(&p);
	pty_stop(&p);
}

/* ---------------------------------------------------------------- hang-up */

static long cpu_ms(pid_t pid)
{
	clockid_t clock;
	struct timespec t = { 0, 0 };

	if (clock_getcpuclockid(pid, &clock) == 0)
		clock_gettime(clock, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Returns how long it took to end. */
static long long hang_up(int *status)
{
	struct pty p;

	start_default(&p);
	edit(&p);
	long cpu = cpu_ms(p.pid);
	long long closed = now();
	pty_close(&p);
	*status = pty_wait_exit(&p, WAIT);
	long long took = now() - closed;
	assert_int_not_equal(*status, -1);
	/* A spin would take all of a second; the rest is for leak checkers. */
	if (p.cpu_ms - cpu > 500)
		fail_msg("%ld ms of CPU time after the hang-up", p.cpu_ms - cpu);
	pty_stop(&p);
	return took;
}

/* The machine may be busy: one of three has to be in time. */
static void assert_hang_up(bool ignored)
{
	long long best = WAIT;

	for (int i = 0; i < 3 && best > 1000; i++) {
		int status;
		if (ignored)
			signal(SIGHUP, SIG_IGN);
		long long took = hang_up(&status);
		signal(SIGHUP, SIG_DFL);
		if (ignored)
			assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 0);
		else
			assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
		best = took < best ? took : best;
		assert_resumed();
	}
	if (best > 1000)
		fail_msg("it ended %lld ms after the hang-up", best);
}

static void test_hang_up(void **state)
{
	(void)state;
	assert_hang_up(false);
}

static void test_hang_up_ignored(void **state)
{
	(void)state;
	assert_hang_up(true);
}

/* ---------------------------------------------------------------- stop and continue */

/* The job of the shell that test_pty_exit is when it is started so. */
static int run_program(void *data)
{
	char *program = getenv("QKV");

	(void)data;
	if (program)
		execl(program, "qkv", (char *)NULL);
	return 127;
}

static void start_job(struct pty *p)
{
	static char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	assert_true(n > 0);
	setenv("JOB_SHELL", path, 1);
	start_shell(p, "exec \"$JOB_SHELL\" shell");
	wait_frame(p, -1, "0.731");
}

static void test_suspend(void **state)
{
	(void)state;
	struct pty p;

	start_job(&p);
	type_keys(&p, "j c");
	pty_type(&p, "\032");
	wait_text(&p, -1, "job stopped 1");
	assert_restored(&p);
	pty_type(&p, "fg\n");
	wait_same(&p, "j c", "");
	assert_true(p.alternate && pty_is_set(&p, 1006) && pty_is_set(&p, 2004));
	assert_int_not_equal(p.mouse, VTERM_PROP_MOUSE_NONE);
	assert_false(pty_mode(&p).c_lflag & (ICANON | ECHO | ISIG));

	/* Another size when it comes back, and while a line is typed. */
	type_keys(&p, ":sca");
	pty_type(&p, "\032");
	wait_text(&p, -1, "job stopped 2");
	assert_restored(&p);
	pty_resize(&p, 30, 100);
	pty_type(&p, "fg\n");
	wait_same(&p, "j c :sca", "");
	type_keys(&p, "<Esc>");
	pty_type(&p, "q");
	wait_text(&p, -1, "job ended 0 0");
	assert_restored(&p);
	assert_exit(&p, 0);
	pty_stop(&p);
}

static void test_killed_while_stopped(void **state)
{
	(void)state;
	struct pty p;

	start_job(&p);
	edit(&p);
	pty_type(&p, "\032");
	wait_text(&p, -1, "job stopped 1");
	pty_type(&p, "kill\n");
	wait_text(&p, -1, "job ended 15 0");
	assert_restored(&p);
	assert_exit(&p, 0);
	pty_stop(&p);
	assert_resumed();
}

/* Nobody could continue it, so it does not stop, and is as it was. */
static void test_suspend_without_shell(void **state)
{
	(void)state;
	struct pty p;

	start_default(&p);
	pty_type(&p, "\032");
	type_keys(&p, "c");
	wait_same(&p, "c", "");
	assert_true(p.alternate && pty_is_set(&p, 1006) && pty_is_set(&p, 2004));
	quit(&p);
}

/* ---------------------------------------------------------------- data on standard input */

#define DATA "qkv: 1\ntokens: [\"q\\e[2Jq\", \"c\\x03\"]\nscores: [[2, 1], [1, 2]]\n"

static void test_data_on_input(void **state)
{
	(void)state;
	struct pty p;

	place_write("data", DATA "# q :q\n");
	start_shell(&p, "cat data | \"$QKV\" -");
	wait_frame(&p, -1, "0.731");
	wait_row(&p, "c␃", "0.269");
	type_keys(&p, "j");
	wait_row(&p, "c␃", "[0.269]");
	pty_resize(&p, 30, 100);
	wait_row(&p, "c␃", "[0.269]");
	quit(&p);

	start_shell(&p, "cat data | \"$QKV\" --causal -");
	wait_frame(&p, -1, "1.000");
	pty_type(&p, "\003");
	assert_exit(&p, 130);
	assert_restored(&p);
	pty_stop(&p);
}

static void test_no_keys(void **state)
{
	(void)state;
	struct pty p;

	place_write("data", DATA);
	start_shell(&p, "exec \"$QKV\" </dev/null");
	assert_refused(&p, "qkv: ", "the input is not a terminal");
	start_shell(&p, "cat data | setsid -w \"$QKV\" -");
	assert_refused(&p, "qkv: ", "/dev/tty");
	start_shell(&p, "echo 'qkv: 2' | \"$QKV\" -");
	assert_refused(&p, "qkv: stdin:1:", "");
}

/* ---------------------------------------------------------------- resume */

/* By hand: scores 1 and 3 in row 1: 1/(1+e^2) = 0.1192, the other 0.8808. */
static void test_resume(void **state)
{
	(void)state;
	struct pty p;

	start_default(&p);
	type_keys(&p, ":precision 4<Enter> j l <Enter> <BS> <Type:3> <Enter> M 1 P c u");
	quit(&p);

	start(&p, "--resume");
	wait_frame(&p, -1, "0.8808");
	wait_row(&p, "저는", "0.1192");
	wait_row(&p, "저는", "[0.8808]");
	wait_text(&p, 1, "pad 2 on");
	assert_true(shows(&p, "causal on"));
	type_keys(&p, "<C-r>");
	assert_true(shows(&p, "causal off"));
	type_keys(&p, "u u");
	wait_text(&p, 1, "pad 2 off");
	type_keys(&p, "u");
	wait_row(&p, "저는", "0.7311");
	type_keys(&p, "u");
	wait_row(&p, "저는", "0.731 ");
	type_keys(&p, "u");
	assert_true(shows(&p, "nothing to undo"));
	type_keys(&p, "k ' 1");
	wait_row(&p, "저는", "[0.8808]");
	type_keys(&p, ": <Up>");
	wait_text(&p, -1, ":precision 4");
	type_keys(&p, "<Esc> r");
	wait_row(&p, "저는", "0.731 ");
	quit(&p);
}

/* Also what was opened and made on the way. */
static void test_resume_scenarios(void **state)
{
	(void)state;
	struct pty p;

	start_default(&p);
	type_keys(&p, ":tokens 나는 간다<Enter> 0 + 4 s k");
	struct picture *picture = take_picture(&p);
	quit(&p);
	start(&p, "--resume");
	wait_frame(&p, -1, "간다");
	/* The sentence of the last key is not kept; say it again. */
	type_keys(&p, "u <C-r>");
	type_keys(&p, "s s k");
	wait_picture(&p, picture);
	picture_free(picture);
	for (int i = 0; i < 8; i++)
		type_keys(&p, "u");
	wait_row(&p, "저는", "0.731");
	quit(&p);
}

static void test_resume_refused(void **state)
{
	(void)state;
	static const char *const rubbish[] = {
		"", "rubbish\n", "qkv-session 1\n", "qkv-session 2\n", "qkv-session 1\nscenario x 99999\nqkv: 1\n",
		"qkv-session 1\nnow 0 0 0\n", "qkv-session 1\nundo 5 0 0 causal=maybe\n",
	};
	char begin[300];
	struct pty p;

	start(&p, "--resume");
	assert_refused(&p, "qkv: ", "state/qkv/session");
	place_make("state");
	place_make("state/qkv");
	snprintf(begin, sizeof begin, "qkv: %s/state/qkv/session:", place);
	for (size_t i = 0; i < sizeof rubbish / sizeof *rubbish; i++) {
		place_write("state/qkv/session", rubbish[i]);
		start(&p, "--resume");
		assert_refused(&p, begin, "not a session");
		char *kept = place_read("state/qkv/session");
		assert_string_equal(kept, rubbish[i]);
		free(kept);
	}
}

/* ---------------------------------------------------------------- the configuration */

static void configure(const char *text)
{
	place_make("config");
	place_make("config/qkv");
	place_write("config/qkv/config", text);
}

static void test_config(void **state)
{
	(void)state;
	struct pty p;

	configure("# my keys\nmap X toggle-causal\nmap c toggle-scale\nset precision 2\nmap <F5> redraw\n");
	start(&p, "");
	wait_row(&p, "저는", "0.73 ");
	pty_type(&p, "X");
	wait_frame(&p, 1, "causal off");
	pty_type(&p, "c");
	wait_frame(&p, 1, "scale √3");
	type_keys(&p, "u u u");
	wait_text(&p, -1, "nothing to undo");
	wait_row(&p, "저는", "0.73 ");
	quit(&p);
	/* The command line has the last word. */
	start(&p, "--precision 4");
	wait_row(&p, "저는", "0.7311");
	quit(&p);
}

static void test_bad_config(void **state)
{
	(void)state;
	static const struct { const char *text, *place; } bad[] = {
		{ "map c toggle-causal\nmap q nonsense\n", "2:7: 'nonsense'" },
		{ "map <Nokey> undo\n", "1:5: '<Nokey>'" },
		{ "\n\nset causal maybe\n", "3:12: " },
		{ "set nothing 1\n", "1:5: 'nothing'" },
		{ "  bind c undo\n", "1:3: 'bind'" },
		{ "map c undo now\n", "1:12: 'now'" },
	};
	char begin[600];

	configure("");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct pty p;
		place_write("config/qkv/config", bad[i].text);
		snprintf(begin, sizeof begin, "qkv: %s/config/qkv/config:%s", place, bad[i].place);
		start(&p, "");
		assert_refused(&p, begin, "");
	}
}

/* ---------------------------------------------------------------- files */

static void assert_file(const char *name, const char *text)
{
	char *data = place_read(name);

	assert_non_null(data);
	assert_string_equal(data, text);
	free(data);
}

static void test_files(void **state)
{
	(void)state;
	struct pty p;
	glob_t found;

	place_write("mine.yaml", "precious");
	place_write("mine.txt", "precious");
	start_default(&p);
	edit(&p);
	type_keys(&p, ":w mine.yaml<Enter>");
	wait_text(&p, -1, "mine.yaml: exists; it is not replaced unasked");
	type_keys(&p, "e <Type:mine.txt> <Enter>");
	wait_text(&p, -1, "mine.txt: exists; it is not replaced unasked");
	assert_file("mine.yaml", "precious");
	assert_file("mine.txt", "precious");
	type_keys(&p, ":w no-such-folder/x.yaml<Enter>");
	wait_text(&p, -1, "no-such-folder/x.yaml");
	type_keys(&p, ":w! mine.yaml<Enter>");
	wait_text(&p, -1, "wrote mine.yaml");
	type_keys(&p, ":w new.txt<Enter>");
	wait_text(&p, -1, "wrote new.txt");
	char *text = place_read("new.txt");
	assert_non_null(strstr(text, "[0.500]"));
	free(text);
	assert_file("mine.txt", "precious");
	/* Nothing else is left lying about. */
	assert_int_equal(glob("*", 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, 3);
	globfree(&found);
	quit(&p);

	start(&p, "mine.yaml");
	wait_row(&p, "저는", "0.500");
	quit(&p);
}

/* Without a place for the session it ends all the same, and says so. */
static void test_no_place_for_session(void **state)
{
	(void)state;
	struct pty p;

	surround("XDG_STATE_HOME=/dev/null/x");
	start_default(&p);
	pty_type(&p, "q");
	assert_exit(&p, 0);
	assert_int_equal(pty_count(&p, "qkv: the session was not kept: "), 1);
	assert_restored(&p);
	pty_stop(&p);
	surround("XDG_STATE_HOME HOME");
	start_default(&p);
	quit(&p);
	start(&p, "--resume");
	assert_refused(&p, "qkv: ", "neither XDG_STATE_HOME nor HOME");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_open, place_close)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(test_quit),
		TEST(test_interrupt),
		TEST(test_signals),
		TEST(test_crashes),
		TEST(test_file_cut_short),
		TEST(test_ignored_signal),
		TEST(test_hang_up),
		TEST(test_hang_up_ignored),
		TEST(test_suspend),
		TEST(test_killed_while_stopped),
		TEST(test_suspend_without_shell),
		TEST(test_data_on_input),
		TEST(test_no_keys),
		TEST(test_resume),
		TEST(test_resume_scenarios),
		TEST(test_resume_file),
		TEST(test_resume_refused),
		TEST(test_config),
		TEST(test_bad_config),
		TEST(test_files),
		TEST(test_no_place_for_session),
	};
	const struct rlimit none = { 0, 0 };

	if (argc > 1 && strcmp(argv[1], "shell") == 0)
		return job_shell(run_program, NULL);
	setrlimit(RLIMIT_CORE, &none);
	return cmocka_run_group_tests_name("pty exit", tests, NULL, NULL);
}
