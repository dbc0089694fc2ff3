/* test_term_colors.c - how many colours a terminal has, and that they are drawn. */
#include <stdio.h>

#include "tests/term_play.h"

static void assert_fore(struct pty *p, int row, int column, unsigned rgb)
{
	struct pty_cell c = pty_cell(p, row, column);

	assert_false(c.own_foreground);
	assert_int_equal(c.foreground, rgb);
}

static void assert_attributes(struct pty *p)
{
	assert_true(pty_cell(p, 2, 3).bold && !pty_cell(p, 2, 3).reverse);
	assert_true(pty_cell(p, 2, 4).underline);
	assert_true(pty_cell(p, 2, 5).reverse);
	assert_true(pty_cell(p, 2, 5).own_foreground && pty_cell(p, 2, 5).own_background);
	assert_true(pty_cell(p, 2, 8).reverse);
}

static void test_truecolor(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm-256color COLORTERM=truecolor", "");
	wait_frame(&p, 0, "depth 4 utf8 1");
	assert_true(p.alternate);
	assert_false(p.cursor_shown);
	assert_int_equal(p.mouse, VTERM_PROP_MOUSE_CLICK);
	assert_int_equal(pty_count(&p, "\033[?1006h"), 1);
	assert_int_equal(pty_count(&p, "\033[?2004h"), 1);
	assert_fore(&p, 2, 0, 0xff8000);
	assert_back(&p, 2, 0, 0x0a141e);
	assert_true(pty_cell(&p, 2, 0).rgb_background);
	assert_back(&p, 2, 2, 0x00008b);
	assert_back(&p, 2, 9, 0x000000);
	assert_true(pty_cell(&p, 2, 9).rgb_background);
	assert_false(pty_cell(&p, 2, 1).rgb_foreground);
	assert_true(pty_count(&p, "38;5;1;48;5;4m") || pty_count(&p, "38;5;1m"));
	assert_attributes(&p);
	assert_clusters(&p);
	assert_true(pty_cell(&p, 10, 10).own_background);
	quit(&p);
}

static void test_256(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm-256color", "");
	wait_frame(&p, 0, "depth 3 utf8 1");
	assert_false(pty_cell(&p, 2, 0).own_background);
	assert_false(pty_cell(&p, 2, 0).rgb_background);
	assert_int_equal(pty_count(&p, "8;2;"), 0);
	assert_fore(&p, 2, 6, 0xff0000);
	assert_attributes(&p);
	assert_clusters(&p);
	quit(&p);
}

static void test_8(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm", "");
	wait_frame(&p, 0, "depth 1 utf8 1");
	assert_int_equal(pty_count(&p, "8;2;") + pty_count(&p, "8;5;"), 0);
	assert_true(pty_count(&p, "\033[31m\033[44m"));
	assert_false(pty_cell(&p, 2, 0).own_foreground);
	assert_attributes(&p);
	assert_clusters(&p);
	quit(&p);
}

static void assert_no_colors(const struct pty *p)
{
	char sequence[16];

	for (int n = 30; n < 108; n++) {
		snprintf(sequence, sizeof sequence, "\033[%dm", n);
		assert_int_equal(pty_count(p, sequence), 0);
	}
	assert_int_equal(pty_count(p, "8;2;") + pty_count(p, "8;5;"), 0);
}

static void test_mono(void **state)
{
	(void)state;
	static const char *const surroundings[] = {
		"TERM=vt100", "TERM=xterm-256color NO_COLOR=1 COLORTERM=truecolor",
	};

	for (size_t i = 0; i < 2; i++) {
		struct pty p;
		start(&p, surroundings[i], "");
		wait_frame(&p, 0, "depth 0 utf8 1");
		assert_no_colors(&p);
		assert_true(pty_cell(&p, 2, 0).own_foreground && pty_cell(&p, 2, 0).own_background);
		assert_attributes(&p);
		pty_type(&p, "q");
		assert_exits(&p, 0);
		pty_stop(&p);
	}
}

static void assert_depth(const char *env, const char *args, const char *depth)
{
	struct pty p;

	start(&p, env, args);
	if (!pty_wait_text(&p, 0, depth, WAIT)) {
		char row[4096];
		fail_msg("%s %s: %s instead of %s", env, args, pty_row(&p, 0, row, sizeof row), depth);
	}
	quit(&p);
}

static void test_depth_choice(void **state)
{
	(void)state;
	assert_depth("TERM=xterm-256color NO_COLOR=", "", "depth 3");
	assert_depth("TERM=xterm-256color NO_COLOR=1", "color=4", "depth 3");
	assert_depth("TERM=xterm-256color COLORTERM=truecolor", "color=1", "depth 0");
	assert_depth("TERM=xterm-256color", "color=2", "depth 1");
	assert_depth("TERM=xterm-256color", "color=3", "depth 2");
	assert_depth("TERM=xterm", "color=3", "depth 1");
	assert_depth("TERM=xterm", "color=4", "depth 3");
	assert_depth("TERM=xterm", "color=5", "depth 4");
	assert_depth("TERM=xterm COLORTERM=24bit", "", "depth 4");
	assert_depth("TERM=xterm-256color COLORTERM=yes", "", "depth 3");
	assert_depth("TERM=xterm-256color TMUX=x,1,0", "", "depth 4");
	assert_depth("TERM=xterm-256color WT_SESSION=1", "", "depth 4");
	assert_depth("TERM=xterm-256color COLORTERM=truecolor STY=1.pts", "", "depth 3");
	assert_depth("TERM=xterm-256color COLORTERM=truecolor STY=1.pts", "color=5", "depth 4");
}

/* These have no 1049: only the depth is looked at. */
static void test_depth_of_screen(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{ "TERM=screen-256color COLORTERM=truecolor", "depth 3" },
		{ "TERM=screen COLORTERM=truecolor", "depth 1" },
		{ "TERM=screen-256color TMUX=x,1,0", "depth 4" },
		{ "TERM=screen-256color TMUX=x,1,0 STY=1.pts", "depth 3" },
		{ "TERM=tmux-256color TMUX=x,1,0", "depth 4" },
		{ "TERM=linux", "depth 1" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_depth(rows[i][0], "", rows[i][1]);
}

/* With an entry made in memory, on terminals that have no colours at all. */
static void test_overlay(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=vt100", "color=5");
	wait_frame(&p, 0, "depth 4");
	assert_back(&p, 2, 0, 0x0a141e);
	assert_back(&p, 2, 2, 0x00008b);
	pty_type(&p, "q");
	assert_exits(&p, 0);
	pty_stop(&p);

	start(&p, "TERM=xterm", "color=4");
	wait_frame(&p, 0, "depth 3");
	assert_fore(&p, 2, 6, 0xff0000);
	quit(&p);
}

/* More pairs than the terminal has: the backgrounds hold, the program goes on. */
static void test_few_pairs(void **state)
{
	(void)state;
	static const unsigned ansi[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	struct pty p;

	start(&p, "TERM=xterm", "");
	wait_frame(&p, 0, "depth 1");
	for (int picture = 1; picture < 4; picture++) {
		char event[32];
		snprintf(event, sizeof event, "event %d: p", picture);
		pty_type(&p, "p");
		wait_frame(&p, 1, event);
		unsigned colors[8];
		for (unsigned i = 0; i < 8; i++) {
			unsigned first = (unsigned)picture * 50000, n = first - first % 72 + 72 + i * 9;
			int at = (int)(n - first);
			assert_string_equal(pty_cell(&p, 5 + at / 80, at % 80).text, "#");
			colors[i] = pty_cell(&p, 5 + at / 80, at % 80).background;
		}
		for (unsigned i = 0; i < 8; i++)
			for (unsigned j = 0; j < i; j++)
				assert_true(ansi[i] == ansi[j] || colors[i] != colors[j]);
	}
	quit(&p);
}

static bool same_as_picture(struct pty *p, int picture)
{
	int cells = (p->rows - 5) * p->columns;

	for (int i = 0; i < cells; i += 101) {
		unsigned n = (unsigned)i + (unsigned)picture * 50000;
		struct pty_cell c = pty_cell(p, 5 + i / p->columns, i % p->columns);
		if (c.background != (n & 0xffffff) || c.foreground != ((n >> 12 & 255) << 16 | 0x102))
			return false;
	}
	return true;
}

/* 150 x 400 cells in colours of their own: three pictures need 174,000 pairs. */
static void test_many_pairs(void **state)
{
	(void)state;
	struct pty p;

	start_size(&p, 150, 400, "TERM=xterm-256color COLORTERM=truecolor", "");
	wait_frame(&p, 0, "depth 4");
	for (int picture = 1; picture < 4; picture++) {
		char event[32];
		snprintf(event, sizeof event, "event %d: p", picture);
		pty_type(&p, "p");
		wait_frame(&p, 1, event);
		assert_true(same_as_picture(&p, picture));
	}
	quit(&p);
}

static void test_theme(void **state)
{
	(void)state;
	assert_depth("TERM=xterm-256color COLORFGBG=0;15", "", "theme 1");
	assert_depth("TERM=xterm-256color COLORFGBG=15;default;0", "", "theme 0");
	assert_depth("TERM=xterm-256color COLORFGBG=0;default", "", "theme 0");
	assert_depth("TERM=xterm-256color", "", "theme 0");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truecolor),
		cmocka_unit_test(test_256),
		cmocka_unit_test(test_8),
		cmocka_unit_test(test_mono),
		cmocka_unit_test(test_depth_choice),
		cmocka_unit_test(test_depth_of_screen),
		cmocka_unit_test(test_overlay),
		cmocka_unit_test(test_few_pairs),
		cmocka_unit_test(test_many_pairs),
		cmocka_unit_test(test_theme),
	};

	if (is_term_child(argc, argv))
		return term_child(argc, argv);
	return cmocka_run_group_tests_name("term colors", tests, NULL, NULL);
}
