/* test_pty_screen.c - the program in a pseudo-terminal: what its screen shows
 * and how it answers keys, the mouse and the size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/terminal.h"

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* ---------------------------------------------------------------- the first frame
 *
 * By hand: e^2 = 7.389, e^1 = 2.718, e^0.1 = 1.105.
 *   row 1, causal:  2.718 and 7.389 of 10.107:         0.269 0.731
 *   row 2:          7.389, 2.718, 1.105 of 11.212:     0.659 0.242 0.099
 *   row 1, all:     2.718, 7.389, 1.105 of 11.212:     0.242 0.659 0.099
 */

static void assert_row(struct pty *p, const char *label, const char *const *texts)
{
	char line[ROW_SIZE];
	const char *at = pty_row(p, row_of(p, label), line, sizeof line);

	for (; *texts; texts++) {
		at = strstr(at, *texts);
		if (!at)
			fail_msg("row %s has no \"%s\" in its place in %s", label, *texts, dump(p));
	}
}

#define assert_row(p, label, ...) assert_row(p, label, (const char *const[]){ __VA_ARGS__, NULL })

static void assert_first_rows(struct pty *p)
{
	assert_row(p, "<시작>", "1.000", "▚ 0", "▚ 0", "1.000 ok");
	assert_row(p, "저는", "0.269", "0.731", "▚ 0", "1.000 ok");
	assert_row(p, "학생", "0.659", "0.242", "0.099", "1.000 ok");
}

static void test_first_frame(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	assert_true(pty_wait_output(&p, "\033[?2026l", WAIT));
	assert_int_equal(pty_count(&p, "\033[?2026l"), 1);
	assert_first_rows(&p);
	assert_true(p.alternate);
	assert_false(p.cursor_shown);
	assert_true(pty_is_set(&p, 1006) && pty_is_set(&p, 2004));
	wait_same(&p, "", "");
	quit(&p);
}

/* ---------------------------------------------------------------- switches */

struct place_of { int row, column; };

/* The cell of a number that is about to change. */
static struct place_of find(struct pty *p, const char *label, const char *number)
{
	int row = row_of(p, label);

	return (struct place_of){ row, column_of(p, row, number) + 2 };
}

static unsigned background(struct pty *p, struct place_of at)
{
	return pty_cell(p, at.row, at.column).background;
}

struct colored { struct place_of at; unsigned rgb; };

static bool has_color(struct pty *p, const void *data)
{
	const struct colored *c = data;

	return background(p, c->at) == c->rgb;
}

/* Also when the flash of the change is still to end. */
static void wait_color(struct pty *p, struct place_of at, unsigned rgb)
{
	wait_ready(p, has_color, &(struct colored){ at, rgb });
}

static void test_causal(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.269");
	struct place_of first = find(&p, "저는", "0.269"), second = find(&p, "저는", "0.731");
	struct place_of same = find(&p, "학생", "0.659");
	unsigned on[] = { background(&p, first), background(&p, second), background(&p, same) };
	assert_true(pty_cell(&p, first.row, first.column).rgb_background);
	assert_int_not_equal(on[0], on[1]);

	pty_type(&p, "c");
	wait_same(&p, "c", "");
	assert_row(&p, "저는", "0.242", "0.659", "0.099", "1.000 ok");
	unsigned off[] = { background(&p, first), background(&p, second) };
	assert_int_not_equal(on[0], off[0]);
	assert_int_not_equal(on[1], off[1]);
	/* The same number has the same colour wherever it stands. */
	assert_int_equal(off[1], on[2]);
	assert_int_equal(background(&p, same), on[2]);

	pty_type(&p, "c");
	wait_same(&p, "c c", "");
	assert_first_rows(&p);
	wait_color(&p, first, on[0]);
	wait_color(&p, second, on[1]);

	pty_type(&p, "u");
	wait_same(&p, "c c u", "");
	assert_row(&p, "저는", "0.242", "0.659", "0.099");
	wait_color(&p, first, off[0]);
	pty_type(&p, "u");
	wait_same(&p, "c c u u", "");
	assert_first_rows(&p);
	pty_type(&p, "u");
	wait_text(&p, -1, "nothing to undo");
	pty_type(&p, "\022");
	wait_same(&p, "c c u u <C-r>", "");
	assert_row(&p, "저는", "0.242", "0.659", "0.099");
	wait_color(&p, second, off[1]);
	quit(&p);
}

/* By hand: d_k is 3; 2/1.7321 = 1.1547, 1/1.7321 = 0.5774, 0.1/1.7321 = 0.0577;
 * exponentials 3.1731, 1.7813, 1.0594. Row 1: of 4.9544, row 2: of 6.0138. */
static void test_scale_and_pad(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.269");
	type_keys(&p, "s");
	assert_row(&p, "저는", "0.360", "0.640", "▚ 0", "1.000 ok");
	assert_row(&p, "학생", "0.528", "0.296", "0.176", "1.000 ok");
	type_keys(&p, "s");
	assert_first_rows(&p);
	/* Key 2 is hidden: its column gets nothing. */
	type_keys(&p, "P");
	assert_row(&p, "학생", "0.731", "0.269", "▚ 0", "1.000 ok");
	type_keys(&p, "P");
	assert_first_rows(&p);
	wait_same(&p, "s s P P", "");
	quit(&p);
}

static void test_stages(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.269");
	type_keys(&p, "1");
	assert_row(&p, "저는", "1.000", "2.000", "0.100", "1.000 ok");
	assert_true(shows(&p, "1 scores (3,3)"));
	type_keys(&p, "s 2");
	assert_row(&p, "저는", "0.577", "1.155", "0.058");
	type_keys(&p, "s 3");
	assert_row(&p, "저는", "1.000", "2.000", "-inf");
	type_keys(&p, "4");
	assert_first_rows(&p);
	/* V is the identity: the output is the weights. */
	type_keys(&p, "5");
	assert_row(&p, "학생", "0.659", "0.242", "0.099");
	assert_true(shows(&p, "5 output (3,3)"));
	type_keys(&p, "0");
	assert_row(&p, "저는", "1.000", "2.000", "0.100");
	type_keys(&p, "0");
	/* What is exactly zero is written so. */
	assert_row(&p, "저는", " 0 ", "1.000", " 0 ");
	type_keys(&p, "<S-Tab> <S-Tab>");
	wait_same(&p, "1 s 2 s 3 4 5 0 0 <S-Tab> <S-Tab>", "");
	quit(&p);
}

/* ---------------------------------------------------------------- the prompt */

#define WORDS_KO "나는 학교에 간다"

static void test_prompt(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.269");
	pty_type(&p, ":tokens " WORDS_KO);
	wait_frame(&p, -1, ":tokens " WORDS_KO);
	/* Eight columns of Latin, seven syllables of two, two blanks. */
	assert_true(p.cursor_shown);
	assert_int_equal(p.cursor_column, 8 + 2 * 7 + 2);
	pty_type(&p, "\177\r");
	wait_frame(&p, -1, "3 tokens with Q, K, V drawn from seed 0");
	assert_false(p.cursor_shown);
	row_of(&p, "나는");
	row_of(&p, "학교에");
	row_of(&p, "간");
	wait_same(&p, ":tokens 나는 학교에 간<Enter>", "");
	pty_type(&p, "u");
	wait_text(&p, -1, "0.731");

	/* Pasted, with a line end that does not submit. */
	pty_type(&p, ":tokens \033[200~나는\n학교에\033[201~");
	wait_frame(&p, -1, ":tokens 나는 학교에");
	assert_true(p.cursor_shown);
	pty_type(&p, "\r");
	wait_frame(&p, -1, "2 tokens with Q, K, V");
	row_of(&p, "학교에");
	quit(&p);
}

static void test_edit(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.269");
	type_keys(&p, "j <Enter>");
	wait_text(&p, -1, "value 1");
	pty_type(&p, "\025\033[200~2\033[201~");
	wait_frame(&p, -1, "value 2");
	pty_type(&p, "\r");
	/* Two equal scores, each of its own look: halves. */
	wait_frame(&p, -1, "scores 1:0 is 2 now");
	assert_row(&p, "저는", "0.500", "0.500", "▚ 0", "1.000 ok");
	/* Escape gives the line up. */
	type_keys(&p, "<Enter> <Type:7> <Esc>");
	assert_row(&p, "저는", "0.500", "0.500", "▚ 0", "1.000 ok");
	pty_type(&p, "u");
	wait_frame(&p, -1, "0.269");
	assert_first_rows(&p);
	quit(&p);
}

static void test_paste_in_grid(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.269");
	pty_type(&p, "\033[200~cqs2q\n:q\n\003\033[A\033[201~");
	wait_frame(&p, -1, "pasted text is not taken for keys");
	assert_first_rows(&p);
	pty_type(&p, "u");
	wait_frame(&p, -1, "nothing to undo");
	assert_true(shows(&p, "4 weights (3,3)"));
	quit(&p);
}

/* The jamo that sit on c, u, and a syllable made of those on s and l. */
static void test_hangul_as_keys(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.269");
	pty_type(&p, "ㅊ");
	wait_same(&p, "c", "");
	pty_type(&p, "ㅕ");
	wait_same(&p, "c u", "");
	pty_type(&p, "니");
	wait_same(&p, "c u s l", "");
	quit(&p);
}

/* ---------------------------------------------------------------- the mouse */

static void test_mouse(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.269");
	click(&p, row_of(&p, "저는"), column_of(&p, row_of(&p, "저는"), "0.731"));
	wait_row(&p, "저는", "[0.731]");
	wait_same(&p, "<Down> <Right>", "");
	click(&p, 1, column_of(&p, 1, "causal"));
	wait_frame(&p, 1, "causal off");
	assert_row(&p, "저는", "0.242", "[0.659]", "0.099");
	click(&p, 1, column_of(&p, 1, "scale"));
	wait_frame(&p, 1, "scale √3");
	pty_type(&p, "r");
	wait_same(&p, "<Down> <Right> c s r", "");

	/* On the title, the labels, nothing, and beyond the screen: no change, so
	 * the next key does what it would have done. */
	click(&p, 0, 0);
	click(&p, row_of(&p, "학생"), 2);
	click(&p, 15, 40);
	click(&p, 200, 600);
	click(&p, 4 + 256, 20 + 256);
	pty_type(&p, "\033[<0;0;0M\033[<2;20;6M\033[<35;20;6M");
	type_keys(&p, "k");
	wait_same(&p, "j l c s r k", "");
	quit(&p);
}

static void test_mouse_off(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.269");
	assert_int_not_equal(p.mouse, VTERM_PROP_MOUSE_NONE);
	type_keys(&p, ":mouse off<Enter>");
	assert_int_equal(p.mouse, VTERM_PROP_MOUSE_NONE);
	type_keys(&p, ":mouse on<Enter>");
	assert_int_not_equal(p.mouse, VTERM_PROP_MOUSE_NONE);
	quit(&p);
}

/* What is typed is for the cell on which the line was opened. */
static void test_mouse_while_typing(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.269");
	type_keys(&p, "<Enter> <BS> <Type:7>");
	click(&p, row_of(&p, "저는"), column_of(&p, row_of(&p, "저는"), "0.731"));
	click(&p, 1, column_of(&p, 1, "causal"));
	pty_type(&p, "\033[<65;10;6M\r");
	wait_frame(&p, -1, "scores 0:0 is 7 now");
	wait_same(&p, "<Enter> <BS> <Type:7> <Enter>", "");
	quit(&p);
}

static void test_wheel(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "random-4 --n 60");
	wait_frame(&p, -1, "t0");
	pty_type(&p, "\033[<65;10;6M");
	wait_same(&p, "j j j", "random-4 --n 60");
	for (int i = 0; i < 9; i++)
		pty_type(&p, "\033[<65;10;6M");
	pty_type(&p, "\033[<64;10;6M");
	wait_same(&p, "j j j j j j j j j j j j j j j j j j j j j j j j j j j j j j k k k",
		  "random-4 --n 60");
	row_of(&p, "t27");
	quit(&p);
}

/* Column 250, counted from 1: beyond what the old reports can say. */
static void test_far_click(void **state)
{
	(void)state;
	struct pty p;

	start_size(&p, 50, 300, "random-4 --n 60 --causal=off");
	wait_frame(&p, -1, "t40");
	pty_type(&p, "\033[<0;250;5M\033[<0;250;5m");
	wait_frame(&p, 4, "[");
	int left = column_of(&p, 4, "["), right = column_of(&p, 4, "]");
	if (left > 249 || right < 249 || right - left > 10)
		fail_msg("the cursor is at columns %d to %d, not 249", left, right);
	row_of(&p, "t1");
	assert_row(&p, "t1", "[", "]");
	quit(&p);
}

/* ---------------------------------------------------------------- the size */

/* The screen is drawn for its size: the cursor's cell is in the row of a label. */
static bool has_cursor(struct pty *p, const void *label)
{
	char line[ROW_SIZE], start[32];

	snprintf(start, sizeof start, "> %s ", (const char *)label);
	for (int row = 0; row < p->rows; row++) {
		const char *text = pty_row(p, row, line, sizeof line);
		if (strncmp(text, start, strlen(start)) == 0)
			return strstr(text, "[");
	}
	return false;
}

static void test_resize(void **state)
{
	(void)state;
	static const int sizes[][2] = {
		{ 10, 40 }, { 5, 20 }, { 3, 10 }, { 2, 3 }, { 1, 1 }, { 6, 20 }, { 18, 48 }, { 7, 200 }, { 200, 20 },
	};
	static const char keys[] = "G <Right> <Right>", input[] = "random-4 --n 8";
	struct pty p;

	start_size(&p, 40, 120, input);
	wait_frame(&p, -1, "t7");
	type_keys(&p, keys);
	wait_same(&p, keys, input);
	struct picture *first = take_picture(&p);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		pty_resize(&p, sizes[i][0], sizes[i][1]);
		if (sizes[i][0] < 6 || sizes[i][1] < 20)
			wait_same(&p, keys, input);
		else
			wait_ready(&p, has_cursor, "t7");
	}
	pty_resize(&p, 40, 120);
	wait_picture(&p, first);
	picture_free(first);
	quit(&p);
}

static void test_many_resizes(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.269");
	for (int i = 0; i < 50; i++) {
		pty_resize(&p, 4 + i * 7 % 40, 10 + i * 13 % 120);
		pty_pump(&p, 20);
	}
	pty_resize(&p, 30, 90);
	wait_same(&p, "", "");
	assert_first_rows(&p);
	quit(&p);
}

/* What covers the grid is drawn for the new size without a key. */
static void test_resize_under_windows(void **state)
{
	(void)state;
	static const char *const keys[] = { "?", "o", ":sca" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct pty p;
		start(&p, "");
		wait_frame(&p, -1, "0.269");
		type_keys(&p, keys[i]);
		wait_same(&p, keys[i], "");
		pty_resize(&p, 15, 60);
		wait_same(&p, keys[i], "");
		pty_resize(&p, 3, 12);
		wait_same(&p, keys[i], "");
		pty_resize(&p, 24, 80);
		wait_same(&p, keys[i], "");
		type_keys(&p, "<Esc>");
		wait_frame(&p, -1, "0.269");
		quit(&p);
	}
}

static void test_small(void **state)
{
	(void)state;
	struct pty p;

	start_size(&p, 3, 12, "");
	wait_frame(&p, 0, "too small");
	pty_type(&p, "c\033OC\033OC\033OCepxsR0:w x.yaml\r/\r");
	click(&p, 1, 2);
	pty_type(&p, "\033[<65;3;2M");
	/* All of this has been read when the help is open, which is seen even here. */
	pty_type(&p, "?");
	wait_frame(&p, 0, "qkv: q");
	pty_type(&p, "?");
	wait_frame(&p, 0, "too small");
	pty_resize(&p, 24, 80);
	wait_same(&p, "? ?", "");
	assert_null(place_read("x.yaml"));
	pty_type(&p, "u");
	wait_frame(&p, -1, "nothing to undo");
	pty_resize(&p, 3, 12);
	wait_frame(&p, 0, "too small");
	type_keys(&p, "?");
	pty_resize(&p, 24, 80);
	wait_same(&p, "?", "");
	type_keys(&p, "<Esc>");
	pty_resize(&p, 5, 80);
	wait_frame(&p, 0, "too small");
	quit(&p);

	start_size(&p, 1, 1, "");
	assert_true(pty_wait_output(&p, "\033[?2026l", WAIT));
	quit(&p);
	start_size(&p, 4, 20, "");
	wait_frame(&p, 0, "too small");
	pty_type(&p, "\003");
	assert_exit(&p, 130);
	assert_restored(&p);
	pty_stop(&p);
}

/* NumPy's own text of these weights is in tests/data/golden. */
static void test_phone(void **state)
{
	(void)state;
	struct pty p;

	start_size(&p, 18, 48, "random-4");
	wait_frame(&p, -1, "t3");
	assert_row(&p, "t0", "1.000", "1.000 ok");
	assert_row(&p, "t1", "0.827", "0.173", "1.000 ok");
	assert_row(&p, "t2", "0.340", "0.413", "0.247", "1.000 ok");
	assert_row(&p, "t3", "0.102", "0.031", "0.684", "0.183", "1.000 ok");
	wait_same(&p, "", "random-4");
	quit(&p);
}

static void test_no_size(void **state)
{
	(void)state;
	struct pty p;

	start_size(&p, 0, 0, "");
	wait_frame(&p, -1, "0.269");
	wait_same(&p, "", "");
	quit(&p);
}

/* The environment may name another size than the terminal has. */
static void test_lines_and_columns(void **state)
{
	(void)state;
	struct pty p;

	surround("LINES=10 COLUMNS=40");
	start(&p, "");
	wait_frame(&p, -1, "0.269");
	wait_same(&p, "", "");
	quit(&p);
}

/* ---------------------------------------------------------------- escape */

static bool closed(struct pty *p, const void *data)
{
	(void)data;
	return shows(p, "0.731");
}

static void open_help(struct pty *p)
{
	pty_type(p, "?");
	wait_frame(p, -1, "help: line");
	assert_false(shows(p, "0.731"));
}

/* The machine may be busy: the best of some tries has to be in time. */
static void test_escape_closes(void **state)
{
	(void)state;
	long long best = WAIT;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.731");
	for (int i = 0; i < 8 && best > 150; i++) {
		open_help(&p);
		long long before = now();
		pty_type(&p, "\033");
		wait_ready(&p, closed, NULL);
		if (now() - before < best)
			best = now() - before;
	}
	if (best > 150)
		fail_msg("Esc took %lld ms", best);
	/* It has been taken for Esc alone, so what follows is a key of its own. */
	pty_type(&p, "j");
	wait_row(&p, "저는", "[0.269]");
	type_keys(&p, "<Esc> <Esc>");
	quit(&p);
}

static void test_escape_and_letter(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.731");
	pty_type(&p, "\033j");
	wait_frame(&p, -1, "<A-j>");
	wait_row(&p, "<시작>", "[1.000]");
	pty_type(&p, "\033q");
	wait_frame(&p, -1, "<A-q>");
	open_help(&p);
	pty_type(&p, "\033q\033j\033");
	/* The last one is Esc once nothing has come after it. */
	wait_ready(&p, closed, NULL);
	type_keys(&p, "j");
	wait_row(&p, "저는", "[0.269]");
	quit(&p);
}

/* With a long wait, so that a busy machine does not make it two keys. */
static void test_split_arrow(void **state)
{
	(void)state;
	struct pty p;

	surround("ESCDELAY=5000");
	start(&p, "");
	wait_frame(&p, -1, "0.731");
	open_help(&p);
	for (int i = 0; i < 3; i++) {
		pty_send(&p, &"\033[B"[i], 1);
		pty_pump(&p, 20);
	}
	wait_same(&p, "? <Down>", "");
	pty_type(&p, "q");
	wait_ready(&p, closed, NULL);
	quit(&p);
}

/* ---------------------------------------------------------------- as qkv frame */

#define ODD_TOKENS "qkv: 1\n" \
	"tokens: [\"\\e]0;title\\a\", \"\\e[2J\", \"\\u009b31m\", \"\\u202eabc\", " \
	"\"a\\tb\\nc\", \"\\x7f\", \"か\\u3099\", \"\\u05d0\\u05d1\"]\n" \
	"scores:\n" \
	"  - [1, 2, 3, 4, 5, 6, 7, 8]\n  - [1, 2, 3, 4, 5, 6, 7, 8]\n" \
	"  - [1, 2, 3, 4, 5, 6, 7, .nan]\n  - [1, 2, 3, 4, 5, 6, 7, .inf]\n" \
	"  - [1, 2, 3, 4, 5, 6, 7, -.inf]\n  - [1, 2, 3, 4, 5, 6, 7, 1e300]\n" \
	"  - [0, 0, 0, 0, 0, 0, 0, 0]\n  - [1, 2, 3, 4, 5, 6, 7, 8]\n"

#define WIDE_TOKENS "qkv: 1\ntokens: [天地玄黄宇宙洪荒日月, ok, ｶﾅ, \"e\\u0301\", Ġthe, \"##ing\", 학생, 학생]\n" \
	"random: {n: 8}\n"

#define TEN "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
#define LONG_TOKENS "qkv: 1\ntokens: [" FIFTY FIFTY FIFTY FIFTY "한, b]\nscores: [[2, 1], [1, 2]]\n"

static const struct {
	int rows, columns;
	const char *input, *keys;
} scripts[] = {
	{ 24, 80, "", "c" },
	{ 24, 80, "", "c j <Down> :scale none<Enter>" },
	{ 24, 80, "", "j l <Enter> <Type:5> <Enter> + + - x l l x u u <C-r>" },
	{ 40, 120, "", "3 f f f f Tab <lt> <lt> <gt> . . ," },
	{ 24, 80, "korean-5", "G <End> c /어<Enter> n N" },
	{ 30, 100, "left-pad-4", "E E E P c" },
	{ 12, 40, "pad-4", "G l l p p P" },
	{ 24, 80, "saturation-16", "s G <PgUp> <End> z z t" },
	{ 24, 80, "shapes-10", "] ] [ 6 <Right> 0 0 0 5" },
	{ 20, 70, "cross-3x5", "c 1 2 3 4 5 :causal-align bottom-right<Enter> 4" },
	{ 24, 80, "ones-8", ":window 2<Enter> M 1 c ' 1" },
	{ 24, 80, "", "o e :seed 3<Enter> R r" },
	{ 24, 80, "", "? <PgDn> <Down> <Down> <Up> <Esc> c" },
	{ 24, 80, "random-4", ":bug mask-after<Enter> m m t" },
	{ 24, 80, "random-4", ":nonsense<Enter> :scale abc<Enter> ) l" },
	{ 24, 80, "odd.yaml", "j j j j j j j <End> 1 3 4" },
	{ 24, 60, "odd.yaml", "" },
	{ 24, 80, "wide.yaml", "G <End> c z" },
	{ 9, 33, "wide.yaml", "G <End>" },
	{ 24, 80, "wide.yaml --ascii", "j c ?" },
	{ 24, 80, "wide.yaml --color never", "j c 3" },
	{ 24, 80, "wide.yaml --color 256", "j c 1" },
	{ 24, 80, "wide.yaml --color 16 --theme light", "j c 4" },
	{ 24, 80, "wide.yaml --color 8", "j c 5" },
	{ 24, 80, "random-4 --theme light", "s 0" },
	{ 24, 80, "long.yaml", "c <Right> z z z z . . . ." },
	{ 6, 20, "long.yaml", "z z z j , , , , l" },
};

static void play_script(size_t i, void (*type)(struct pty *, const char *))
{
	struct pty p;

	start_size(&p, scripts[i].rows, scripts[i].columns, scripts[i].input);
	if (!pty_wait_output(&p, "\033[?2026l", WAIT))
		fail_msg("script %zu does not start: %s", i, dump(&p));
	type(&p, scripts[i].keys);
	wait_same(&p, scripts[i].keys, scripts[i].input);
	assert_int_equal(pty_count(&p, "\033]0;title"), 0);
	assert_int_equal(pty_count(&p, "\302\233"), 0);
	assert_int_equal(pty_count(&p, "\342\200\256"), 0);
	pty_type(&p, "\003");
	assert_exit(&p, 130);
	pty_stop(&p);
}

/* What covers the grid scrolls as well. */
static void test_picker_scrolls(void **state)
{
	(void)state;
	static const char keys[] = "o G k k k";
	struct pty p;

	start_size(&p, 12, 80, "");
	wait_frame(&p, -1, "0.269");
	type_keys(&p, keys);
	wait_same(&p, keys, "");
	pty_type(&p, "\003");
	assert_exit(&p, 130);
	pty_stop(&p);
}

static void write_tokens(void)
{
	place_write("odd.yaml", ODD_TOKENS);
	place_write("wide.yaml", WIDE_TOKENS);
	place_write("long.yaml", LONG_TOKENS);
}

static void test_same_as_frame(void **state)
{
	(void)state;
	write_tokens();
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
		play_script(i, type_keys);
}

/* In one write: many keys are one frame. */
static void test_same_in_a_burst(void **state)
{
	(void)state;
	write_tokens();
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
		play_script(i, type_burst);
}

/* ---------------------------------------------------------------- any length */

static void test_long(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "random-4 --n 1024");
	wait_frame(&p, -1, "t0");
	type_keys(&p, "G");
	row_of(&p, "t1023");
	assert_row(&p, "t1023", "1.000 ok");
	type_keys(&p, "<End> c");
	wait_same(&p, "G <End> c", "random-4 --n 1024");
	assert_row(&p, "t1010", "1.000 ok");
	type_keys(&p, "c s g");
	wait_same(&p, "G <End> c c s g", "random-4 --n 1024");
	row_of(&p, "t0");
	/* 2000 keys in one write, down to the last row and up: where they lead, in
	 * a few frames. */
	int before = pty_count(&p, "\033[?2026l");
	char keys[2001];
	memset(keys, 'j', 1500);
	memset(keys + 1500, 'k', 500);
	keys[2000] = '\0';
	pty_type(&p, keys);
	wait_frame(&p, -1, "t523 <- t1023");
	assert_true(pty_count(&p, "\033[?2026l") - before < 500);
	quit(&p);
}

/* Noise on the screen stays until everything is drawn again. */
static void test_redraw(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "");
	wait_frame(&p, -1, "0.269");
	vterm_input_write(p.vterm, "\033[13;1HNOISE", 12);
	assert_true(shows(&p, "NOISE"));
	pty_type(&p, "\014");
	wait_same(&p, "", "");
	quit(&p);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_open, place_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_first_frame),
		TEST(test_causal),
		TEST(test_scale_and_pad),
		TEST(test_stages),
		TEST(test_prompt),
		TEST(test_edit),
		TEST(test_paste_in_grid),
		TEST(test_hangul_as_keys),
		TEST(test_mouse),
		TEST(test_mouse_off),
		TEST(test_mouse_while_typing),
		TEST(test_wheel),
		TEST(test_far_click),
		TEST(test_resize),
		TEST(test_many_resizes),
		TEST(test_resize_under_windows),
		TEST(test_small),
		TEST(test_phone),
		TEST(test_no_size),
		TEST(test_lines_and_columns),
		TEST(test_escape_closes),
		TEST(test_escape_and_letter),
		TEST(test_split_arrow),
		TEST(test_same_as_frame),
		TEST(test_same_in_a_burst),
		TEST(test_picker_scrolls),
		TEST(test_long),
		TEST(test_redraw),
	};

	return cmocka_run_group_tests_name("pty screen", tests, NULL, NULL);
}
