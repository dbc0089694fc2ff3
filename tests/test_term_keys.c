/* test_term_keys.c - keys, the mouse and pastes, as a terminal sends them. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/term_play.h"

static void test_keys(void **state)
{
	(void)state;
	struct pty p;

	start_256(&p);
	assert_key(&p, "c", "event 1: c.");
	assert_key(&p, "\033[A", "event 2: kind 2 code 0 ");
	assert_key(&p, "\033OB", "event 3: kind 2 code 1 ");
	assert_key(&p, "\003", "event 4: kind 1 code 99 mods 4");
	assert_key(&p, "\034", "event 5: kind 1 code 92 mods 4");
	assert_key(&p, "\r", "event 6: kind 2 code 4 ");
	assert_key(&p, "\xed\x95\x9c", "event 7: kind 1 code 54620 ");
	assert_key(&p, "\033[<0;5;7M", "event 8: kind 3 code 1 mods 0 at 6,4");
	assert_key(&p, "\033[<65;5;7M", "event 9: kind 4 code 1 mods 0 at 6,4");
	assert_key(&p, "\033[200~a\nq\033[201~", "event 10: paste 3.");
	assert_key(&p, "\033", "event 11: kind 2 code 5 ");
	assert_key(&p, "\033[1$A\033]11;rgb:1/2/3\007k", "event 12: k.");
	quit(&p);
}

static long long milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static void test_escape_wait(void **state)
{
	(void)state;
	struct pty p;

	start_256(&p);
	long long sent = milliseconds();
	assert_key(&p, "\033", "event 1: kind 2 code 5 ");
	long long took = milliseconds() - sent;
	assert_true(took >= 95 && took < 1000);
	quit(&p);

	start(&p, "TERM=xterm-256color ESCDELAY=5000", "");
	wait_frame(&p, 0, "depth 3");
	pty_type(&p, "\033");
	assert_false(pty_wait_text(&p, 1, "event 1", 200));
	assert_key(&p, "[A", "event 1: kind 2 code 0 ");
	quit(&p);
}

static void test_large_paste(void **state)
{
	(void)state;
	enum { SYLLABLES = 90000 };
	struct pty p;
	char *text = malloc(3 * SYLLABLES);

	assert_non_null(text);
	for (int i = 0; i < SYLLABLES; i++)
		memcpy(text + 3 * i, "\xed\x95\x9c", 3);
	start_256(&p);
	pty_type(&p, "\033[200~");
	pty_send(&p, text, 3 * SYLLABLES);
	pty_type(&p, "\033[201~");
	wait_for(&p, 1, "event 1: paste 270000.");
	free(text);
	quit(&p);
}

static void test_coalescing(void **state)
{
	(void)state;
	struct pty p;
	char keys[2000];

	start_256(&p);
	memset(keys, 'j', sizeof keys);
	pty_send(&p, keys, sizeof keys);
	wait_frame(&p, 1, "event 2000: j.");
	assert_true(pty_count(&p, "\033[?2026h") < 100);
	quit(&p);
}

static void test_input_from_tty(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm-256color", "pipe");
	wait_frame(&p, 0, "depth 3");
	assert_key(&p, "c", "event 1: c.");
	quit(&p);
}

static void test_nonblocking(void **state)
{
	(void)state;
	struct pty p;

	start_size(&p, 100, 300, "TERM=xterm-256color COLORTERM=truecolor", "nonblock");
	wait_frame(&p, 0, "depth 4");
	assert_key(&p, "p", "event 1: p.");
	assert_key(&p, "N", "event 2: blocks.");
	quit(&p);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_escape_wait),
		cmocka_unit_test(test_large_paste),
		cmocka_unit_test(test_coalescing),
		cmocka_unit_test(test_input_from_tty),
		cmocka_unit_test(test_nonblocking),
	};

	if (is_term_child(argc, argv))
		return term_child(argc, argv);
	return cmocka_run_group_tests_name("term keys", tests, NULL, NULL);
}
