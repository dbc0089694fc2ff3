/* test_pty_terms.c - the program on terminals that can less, or say nothing, and
 * in other locales.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/terminal.h"

/* ---------------------------------------------------------------- colours that were sent */

enum { SGR_RGB = 1, SGR_PALETTE = 2, SGR_EIGHT = 4, SGR_BRIGHT = 8, SGR_OWN = 16 };

static unsigned kind_of(int parameter)
{
	if (parameter == 39 || parameter == 49)
		return SGR_OWN;
	if ((parameter >= 30 && parameter <= 37) || (parameter >= 40 && parameter <= 47))
		return SGR_EIGHT;
	if ((parameter >= 90 && parameter <= 97) || (parameter >= 100 && parameter <= 107))
		return SGR_BRIGHT;
	return 0;
}

/* The kinds of colours in the parameters of one sequence: 38 and 48 take what
 * follows them. */
static unsigned kinds_in(const char *parameters)
{
	unsigned kinds = 0;
	char *end;

	for (const char *p = parameters; *p >= '0' && *p <= ';'; p = *end ? end + 1 : end) {
		int n = (int)strtol(p, &end, 10);
		if (n != 38 && n != 48) {
			kinds |= kind_of(n);
			continue;
		}
		bool rgb = end[1] == '2';
		kinds |= rgb ? SGR_RGB : SGR_PALETTE;
		for (int skip = rgb ? 4 : 2; skip && (*end == ';' || *end == ':'); skip--)
			strtol(end + 1, &end, 10);
	}
	return kinds;
}

static unsigned kinds_sent(const struct pty *p)
{
	unsigned kinds = 0;

	for (const char *at = p->output; at && (at = strstr(at, "\033[")); at += 2)
		if (at[2 + strspn(at + 2, "0123456789;:")] == 'm')
			kinds |= kinds_in(at + 2);
	return kinds;
}

static void test_kinds(void **state)
{
	(void)state;
	struct pty p = { .output = "\033[1;31mx\033[m" };

	assert_int_equal(kinds_sent(&p), SGR_EIGHT);
	p.output = "\033[0;38;5;31;4m \033[49m";
	assert_int_equal(kinds_sent(&p), SGR_PALETTE | SGR_OWN);
	p.output = "\033[48;2;31;32;33m \033[31J\033[?31h\033[97m";
	assert_int_equal(kinds_sent(&p), SGR_RGB | SGR_BRIGHT);
}

/* ---------------------------------------------------------------- TERM and COLORTERM */

static const struct terminal {
	const char *variables, *arguments;
	const char *as;		/* the arguments of the same frame; NULL: not the same */
	unsigned sends, never;
} terminals[] = {
	{ "", "", "", SGR_RGB, SGR_PALETTE },
	{ "COLORTERM=24bit", "", "", SGR_RGB, SGR_PALETTE },
	{ "COLORTERM", "", "--color 256", SGR_PALETTE, SGR_RGB },
	{ "COLORTERM=yes", "", "--color 256", SGR_PALETTE, SGR_RGB },
	{ "COLORTERM TERM=xterm", "", "--color 8", SGR_EIGHT, SGR_RGB | SGR_PALETTE | SGR_BRIGHT },
	/* Its entry says that underlined text has no colour there. */
	{ "COLORTERM TERM=linux", "", NULL, SGR_EIGHT, SGR_RGB | SGR_PALETTE | SGR_BRIGHT },
	{ "COLORTERM TERM=vt100", "", "--color never", 0, ~0u },
	{ "COLORTERM TERM=xterm-mono", "", "--color never", 0, ~0u },
	/* GNU screen: COLORTERM is inherited, and is a lie. */
	{ "TERM=screen", "", "--color 8", SGR_EIGHT, SGR_RGB | SGR_PALETTE | SGR_BRIGHT },
	{ "TERM=screen-256color STY=1.x", "", "--color 256", SGR_PALETTE, SGR_RGB },
	{ "COLORTERM TERM=tmux-256color TMUX=/x,1,0", "", "", SGR_RGB, SGR_PALETTE },
	{ "TERM=screen-256color TMUX=/x,1,0", "", "", SGR_RGB, SGR_PALETTE },
	/* NO_COLOR: empty is as if it were not set, anything else counts. */
	{ "NO_COLOR=", "", "", SGR_RGB, 0 },
	{ "NO_COLOR=1", "", "--color never", 0, ~0u },
	{ "NO_COLOR=0", "", "--color never", 0, ~0u },
	{ "NO_COLOR=1 COLORTERM TERM=xterm", "", "--color never", 0, ~0u },
	/* The option beats everything. */
	{ "NO_COLOR=1", "--color truecolor", "", SGR_RGB, 0 },
	{ "NO_COLOR=1 COLORTERM", "--color 256", "--color 256", SGR_PALETTE, SGR_RGB },
	{ "COLORTERM", "--color truecolor", "", SGR_RGB, SGR_PALETTE },
	{ "", "--color 8", "--color 8", SGR_EIGHT, SGR_RGB | SGR_PALETTE | SGR_BRIGHT },
	{ "", "--color never", "--color never", 0, ~0u },
};

static void check_terminal(const struct terminal *t)
{
	struct pty p;

	surround(t->variables);
	start(&p, t->arguments);
	if (!pty_wait_text(&p, -1, "0.659", WAIT))
		fail_msg("%s %s: %s", t->variables, t->arguments, dump(&p));
	/* The second key ends the flash of the first. */
	pty_type(&p, "c");
	pty_type(&p, "j");
	if (t->as)
		wait_same(&p, "c j", t->as);
	else
		wait_row(&p, "저는", "[0.242]");
	unsigned kinds = kinds_sent(&p);
	if ((kinds & t->sends) != t->sends || kinds & t->never)
		fail_msg("%s %s: sends colours of the kinds %#x", t->variables, t->arguments, kinds);
	pty_type(&p, "q");
	assert_exit(&p, 0);
	assert_restored(&p);
	if (kinds_sent(&p) & t->never)
		fail_msg("%s %s: sends colours at the end", t->variables, t->arguments);
	pty_stop(&p);
}

static void test_terminals(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++)
		check_terminal(&terminals[i]);
}

/* Hidden, low and high differ where there are no colours. */
static void test_looks_without_color(void **state)
{
	(void)state;
	struct pty p;

	surround("NO_COLOR=1");
	start(&p, "");
	wait_frame(&p, -1, "0.269");
	int row = row_of(&p, "저는");
	int low = column_of(&p, row, "0.269"), high = column_of(&p, row, "0.731");
	assert_true(column_of(&p, row, "▚ 0") > high);
	/* The shade of a cell stands left of its number. */
	assert_string_equal(pty_cell(&p, row, low - 2).text, "░");
	assert_string_equal(pty_cell(&p, row, high - 2).text, "▓");
	/* There is no colour to be switched on. */
	pty_type(&p, "m");
	wait_frame(&p, -1, "this terminal has no colours");
	assert_int_equal(kinds_sent(&p), 0);
	quit(&p);
}

/* Where no line of the terminal asks for a theme, COLORFGBG does. */
static void test_theme(void **state)
{
	(void)state;
	struct pty p;

	surround("COLORFGBG=0;15");
	start(&p, "");
	wait_frame(&p, -1, "0.269");
	wait_same(&p, "", "--theme light");
	pty_type(&p, "t");
	wait_same(&p, "t", "--theme light");
	quit(&p);
}

/* ---------------------------------------------------------------- terminals that will not do */

static void test_refused_terms(void **state)
{
	(void)state;
	static const struct { const char *variables, *text; } terms[] = {
		{ "TERM", "TERM" },
		{ "TERM=", "TERM" },
		{ "TERM=no-such-terminal", "TERM=no-such-terminal" },
		{ "TERM=dumb", "TERM=dumb" },
		{ "TERM=unknown", "TERM=unknown" },
		{ "TERM=../../x", "TERM=../../x" },
		{ "TERM=\033[31mred", "TERM=?[31mred" },
	};

	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		struct pty p;
		surround(terms[i].variables);
		start(&p, "");
		assert_refused(&p, "qkv: ", terms[i].text);
	}
}

/* What needs no terminal works with any TERM. */
static void test_text_without_term(void **state)
{
	(void)state;
	static const char *const terms[] = { "TERM", "TERM=dumb", "TERM=no-such-terminal" };

	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		struct pty p;
		surround(terms[i]);
		start(&p, "show --format numpy --precision 3 random-4");
		assert_exit(&p, 0);
		wait_text(&p, 3, "[0.102 0.031 0.684 0.183]]");
		assert_int_equal(pty_count(&p, "\033"), 0);
		pty_stop(&p);
		start_shell(&p, "\"$QKV\" two-tokens </dev/null | cat");
		assert_exit(&p, 0);
		assert_int_equal(pty_count(&p, "\033"), 0);
		assert_int_equal(pty_count(&p, "w2"), 2);
		pty_stop(&p);
	}
}

/* ---------------------------------------------------------------- locales */

static bool has_high_byte(const struct pty *p)
{
	for (size_t i = 0; i < p->length; i++)
		if ((unsigned char)p->output[i] >= 0x80)
			return true;
	return false;
}

static void test_plain_ascii(void **state)
{
	(void)state;
	static const char *const locales[] = {
		"LC_ALL=C", "LC_ALL=POSIX", "LC_ALL LANG=C", "LC_ALL LC_CTYPE=C LANG=C.UTF-8",
	};

	for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
		struct pty p;
		surround(locales[i]);
		start(&p, "");
		wait_frame(&p, -1, "0.269");
		/* The first token, <시작>, by its code points. */
		wait_text(&p, -1, "<\\uc2dc");
		assert_true(shows(&p, "# 0") && shows(&p, "--------") && shows(&p, " | "));
		wait_same(&p, "", "");
		pty_type(&p, ":tokens \355\225\234\352\270\200 x\r");
		type_keys(&p, "3 ? <PgDn> <Esc> o <Esc>");
		assert_false(has_high_byte(&p));
		quit(&p);
	}
}

/* The shades of a screen that has neither colours nor UTF-8. */
static void test_plainest(void **state)
{
	(void)state;
	struct pty p;

	surround("LC_ALL=C TERM=vt100 COLORTERM");
	start(&p, "");
	wait_frame(&p, -1, "0.269");
	wait_same(&p, "", "--color never");
	type_keys(&p, "j c s 1 2 3 4 5 z z");
	wait_same(&p, "j c s 1 2 3 4 5 z z", "--color never");
	assert_false(has_high_byte(&p));
	assert_int_equal(kinds_sent(&p), 0);
	quit(&p);
}

/* Also by a locale that is named but not installed, or by none at all. */
static void test_utf8(void **state)
{
	(void)state;
	static const char *const locales[] = {
		"LC_ALL LC_CTYPE=C.UTF-8", "LC_ALL=ko_KR.UTF-8", "LC_ALL LANG=xx_YY.utf8", "LC_ALL",
		"LC_ALL= LC_CTYPE=C.UTF-8 LANG=C",
	};

	for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
		struct pty p;
		surround(locales[i]);
		start(&p, "");
		wait_frame(&p, -1, "0.269");
		row_of(&p, "저는");
		assert_true(shows(&p, "▚ 0") && shows(&p, "│") && shows(&p, "Σ "));
		quit(&p);
	}
}

/* UTF-8, but the picture in ASCII because that was asked for. */
static void test_ascii_option(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "--ascii");
	wait_frame(&p, -1, "0.269");
	wait_text(&p, -1, "<\\uc2dc");
	wait_same(&p, "", "--ascii");
	assert_false(has_high_byte(&p));
	type_keys(&p, ":ascii off<Enter>");
	wait_text(&p, -1, "<시작>");
	quit(&p);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_open, place_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		TEST(test_terminals),
		TEST(test_looks_without_color),
		TEST(test_theme),
		TEST(test_refused_terms),
		TEST(test_text_without_term),
		TEST(test_plain_ascii),
		TEST(test_plainest),
		TEST(test_utf8),
		TEST(test_ascii_option),
	};

	return cmocka_run_group_tests_name("pty terms", tests, NULL, NULL);
}
