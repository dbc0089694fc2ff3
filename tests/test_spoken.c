/* test_spoken.c - the screen told in lines: what is said after each key, and what never is.
 *
 * Numbers of causal-3 by hand: e^2 = 7.389, e^1 = 2.718, e^0.1 = 1.105; row 1 with the
 * mask is 2.718 and 7.389 of 10.107 (0.269, 0.731), without it 0.242, 0.659, 0.099.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "core/utf8.h"
#include "tests/play.h"
#include "tui/language.h"
#include "tui/spoken.h"
#include "tui/text.h"

/* ---- a listener ---- */

struct listener {
	struct play play;
	struct spoken told;
	struct buffer heard;		/* since the last key */
};

static void hear(struct listener *l)
{
	spoken_lines(&l->told, &l->play.state, &l->heard);
	assert_false(l->heard.failed);
}

static void listen_from(struct listener *l, const char *input, const char *settings)
{
	memset(l, 0, sizeof *l);
	play_open(&l->play, input, settings);
	state_resize(&l->play.state, SPOKEN_ROWS, SPOKEN_COLUMNS);
	hear(l);
}

static void stop(struct listener *l)
{
	spoken_free(&l->told);
	buffer_free(&l->heard);
	play_free(&l->play);
}

/* One key after the other, each heard; what the last one is answered with stays. */
static void type(struct listener *l, const char *keys)
{
	struct key k;

	for (size_t used; *keys; keys += used) {
		bool typing = l->play.state.mode == MODE_PROMPT && l->play.state.prompt.kind != PROMPT_VALUE;
		used = 1;
		if (*keys == ' ' && !typing)
			continue;
		if (*keys == ' ')
			k = (struct key){ .kind = KEY_CHARACTER, .code = ' ' };
		else
			assert_true((used = key_parse(keys, &k)) > 0);
		buffer_free(&l->heard);
		state_key(&l->play.state, &k);
		hear(l);
	}
	while (state_work(&l->play.state))
		;
	hear(l);
}

static const char *heard(const struct listener *l)
{
	return l->heard.data ? l->heard.data : "";
}

static void assert_heard(const struct listener *l, const char *text)
{
	if (!strstr(heard(l), text))
		fail_msg("not heard: \"%s\" in:\n%s", text, heard(l));
}

static void assert_not_heard(const struct listener *l, const char *text)
{
	if (strstr(heard(l), text))
		fail_msg("heard: \"%s\" in:\n%s", text, heard(l));
}

/* ---- the beginning ---- */

static void tells_everything_at_first(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "");
	assert_string_equal(heard(&l),
		"causal-3: Causal mask by hand; ? is the help\n"
		"[c] causal on  [P] pad 2 off  [s] scale none  [f] fill -inf\n"
		"stage 4 weights, 3 rows, 3 columns\n"
		"columns: <시작>, 저는, 학생\n"
		"row 0 <시작>: 1.000, 0 hidden, 0 hidden; row sum 1.000 ok\n"
		"row 1 저는: 0.269, 0.731, 0 hidden; row sum 1.000 ok\n"
		"row 2 학생: 0.659, 0.242, 0.099; row sum 1.000 ok\n"
		"row 0 <시작>, column 0 <시작>: 1.000, visible; row sum 1.000 ok\n");
	/* Nothing is new, so nothing is said. */
	buffer_free(&l.heard);
	hear(&l);
	assert_string_equal(heard(&l), "");
	/* But when it is asked for. */
	spoken_again(&l.told);
	hear(&l);
	assert_heard(&l, "row 1 저는: 0.269, 0.731, 0 hidden; row sum 1.000 ok\n");
	stop(&l);
}

/* ---- moving, changing ---- */

static void tells_the_cell_that_is_moved_to(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "");
	type(&l, "j");
	assert_string_equal(heard(&l), "row 1 저는, column 0 <시작>: 0.269, visible; row sum 1.000 ok\n");
	type(&l, "G<End>");
	assert_string_equal(heard(&l), "row 2 학생, column 2 학생: 0.099, visible; row sum 1.000 ok\n");
	type(&l, "k");
	assert_string_equal(heard(&l), "row 1 저는, column 2 학생: 0, hidden by causal; row sum 1.000 ok\n");
	/* At the edge nothing moves. */
	type(&l, "l");
	assert_string_equal(heard(&l), "");
	stop(&l);
}

static void tells_what_changed(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "");
	type(&l, "jc");
	assert_string_equal(heard(&l),
		"c: causal mask off, every query sees the future too: 0 of 9 cells hidden\n"
		"changed: 6 of 9 cells\n"
		"row 0 <시작>, column 0 <시작>: 1.000 -> 0.659\n"
		"row 0 <시작>, column 1 저는: 0 hidden -> 0.242\n"
		"row 0 <시작>, column 2 학생: 0 hidden -> 0.099\n"
		"row 1 저는, column 0 <시작>: 0.269 -> 0.242\n"
		"row 1 저는, column 1 저는: 0.731 -> 0.659\n"
		"row 1 저는, column 2 학생: 0 hidden -> 0.099\n");
	stop(&l);
}

/* Too many to be named: how many, and the cursor's row. Sums that are 1 as before are not told. */
static void tells_the_row_where_many_change(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "random-4", "causal=off");
	type(&l, "j");
	type(&l, "s");
	assert_heard(&l, "changed: 16 of 16 cells\nrow 1 t1: ");
	assert_not_heard(&l, "\nrow 0 ");
	assert_not_heard(&l, "\nrow 2 ");
	assert_not_heard(&l, " -> ");
	stop(&l);
	listen_from(&l, "shapes-10", "");
	type(&l, "]");
	assert_heard(&l, "of 100 cells\nrow 0 ");
	assert_not_heard(&l, ": row sum");
	stop(&l);
}

/* What moves only behind the digits that are told is counted, no more. */
static void tells_no_change_that_is_not_heard(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "causal=off");
	type(&l, ":temperature 1.0000001<Enter>");
	assert_heard(&l, "changed: 9 of 9 cells\n");
	assert_not_heard(&l, " -> 0");
	stop(&l);
}

/* By hand: -0.341 = 0.659 - 1, in row 0, column 0. */
static void tells_what_differs(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "");
	type(&l, "acd");
	assert_heard(&l, "A -> B: causal on -> off\n6 of 9 cells differ, most by -0.341 at 0:0; row sums equal\n");
	type(&l, "d");
	assert_heard(&l, "row 0 <시작>: -0.341, 0.242, 0.099\n");
	assert_heard(&l, "row 0 <시작>, column 0 <시작>: -0.341, B - A; in B 0.659, in A 1.000\n");
	assert_not_heard(&l, "hidden");
	type(&l, "j");
	assert_string_equal(heard(&l), "row 1 저는, column 0 <시작>: -0.027, B - A; in B 0.242, in A 0.269\n");
	type(&l, "s");		/* d_k is 3 here */
	assert_heard(&l, "row 0 <시작>: ");
	assert_not_heard(&l, " -> 0");
	type(&l, "d");
	assert_not_heard(&l, "B - A; in");
	assert_not_heard(&l, "differ");
	stop(&l);
}

static void assert_no_cut(const struct listener *l)
{
	for (const char *p = heard(l); *p; p += strcspn(p, "\n") + (p[strcspn(p, "\n")] == '\n')) {
		size_t n = strcspn(p, "\n");
		bool cut = (n > 2 && !memcmp(p + n - 3, "...", 3)) || (n > 2 && !memcmp(p + n - 3, "\u2026", 3));
		if (cut)
			fail_msg("cut: %.*s", (int)n, p);
	}
}

/* Columns and pictures: what stands beside a line belongs to another one. */
static void tells_columns_one_by_one(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "");
	type(&l, "b");
	assert_heard(&l, "\n> a mask-after-softmax\nb mask-after-renorm\n");
	assert_heard(&l, "\nclinics\n1 ");
	assert_heard(&l, "\nFix: ");
	assert_no_cut(&l);
	type(&l, "b");
	assert_heard(&l, "\n> b *");
	type(&l, "<Esc>w");
	assert_heard(&l, "\nnotebook: Space fills it in\n");
	assert_heard(&l, "proportional to ________.");
	assert_not_heard(&l, "\u25cf");
	assert_not_heard(&l, "1/n");
	assert_not_heard(&l, "for the notebook");
	assert_no_cut(&l);
	type(&l, "<Space>");
	assert_heard(&l, "proportional to d_k.");
	stop(&l);
	listen_from(&l, "causal-3", "");
	type(&l, "j<Space><Space><Space>");
	assert_heard(&l, "hide");
	assert_not_heard(&l, "O X X");
	assert_not_heard(&l, "O O X");
	stop(&l);
}

/* Another question is told as a whole, with its first blank. */
static void tells_each_question(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "");
	type(&l, "jT");
	assert_heard(&l, "what is 저는, <시작> (1:0)?");
	type(&l, "T");
	assert_heard(&l, "row 1 저는, column 0 <시작>: asked for");
	assert_heard(&l, "what is 저는, <시작> (1:0)?");
	stop(&l);
}

/* What opens in the place of something is told; that the other is gone is not. */
static void tells_once_that_something_closed(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "");
	type(&l, "v");
	type(&l, "L<Enter>");
	assert_heard(&l, "page 1 of ");
	assert_not_heard(&l, "closed");
	type(&l, "<Esc>");		/* the lamps are back */
	assert_not_heard(&l, "closed");
	type(&l, "<Esc>");
	assert_heard(&l, "closed\n");
	stop(&l);
}

static void tells_sums_that_are_not_1(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "");
	type(&l, ":mask-at after<Enter>");
	assert_heard(&l, "row 0 <시작>: row sum 0.659 low (masked after softmax)\n");
	assert_heard(&l, "row 1 저는: row sum 0.901 low (masked after softmax)\n");
	assert_not_heard(&l, "row 2 학생: row sum");
	stop(&l);
}

static void tells_a_new_stage(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "");
	type(&l, "3");
	assert_heard(&l, "stage 3 masked, 3 rows, 3 columns\n");
	assert_heard(&l, "row 1 저는: 1.000, 2.000, -inf hidden; row sum of the weights 1.000 ok\n");
	type(&l, "5");
	assert_heard(&l, "stage 5 output, 3 rows, 3 columns\n");
	type(&l, "0");
	assert_heard(&l, "stage 0 input q, 3 rows, 3 columns\n");
	assert_heard(&l, "row 1 저는: 1.000, 2.000, 0.100; row sum of the weights 1.000 ok\n");
	type(&l, "0");
	assert_heard(&l, "stage 0 input k, 3 rows, 3 columns\n");
	stop(&l);
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void long_inputs_stay_short(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "random-4", "");
	type(&l, ":n 512<Enter>");
	assert_in_range(count_lines(heard(&l)), 1, 12);
	assert_heard(&l, ", 500 more");
	type(&l, "c");
	assert_heard(&l, " of the cells in rows 0 to ");
	/* Sums move in their last digit, which is not what they are told as. */
	assert_not_heard(&l, "row sum 1.000 ok\nrow 1 t1:");
	assert_true(count_lines(heard(&l)) <= 3);
	/* And where many are told, so many are enough. */
	type(&l, ":causal on<Enter> :mask-at after<Enter>");
	assert_heard(&l, "row 1 t1: row sum ");
	assert_heard(&l, " more\n");
	assert_true(count_lines(heard(&l)) <= 4 + 12);
	stop(&l);
}

/* Two states side by side: what A has is told at once. */
static void tells_what_a_has(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "");
	type(&l, "jlacd");
	assert_heard(&l, "row 1 저는, column 1 저는: 0.659, visible, in A 0.731; ");
	type(&l, "<Esc>");
	assert_not_heard(&l, "in A");
	stop(&l);
}

/* ---- what is asked for ---- */

static void does_not_tell_answers(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "");
	type(&l, "jlT");
	assert_heard(&l, "predict");
	assert_not_heard(&l, "0.731");
	spoken_again(&l.told);
	buffer_free(&l.heard);
	hear(&l);
	assert_heard(&l, "row 1 저는: 0.269, asked for, 0 hidden");
	assert_not_heard(&l, "0.731");
	stop(&l);
}

/* ---- the line that is typed ---- */

static void echoes_what_is_typed(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "");
	type(&l, ":");
	assert_string_equal(heard(&l), ":");
	type(&l, "c");
	assert_string_equal(heard(&l), "c");
	type(&l, "x");
	assert_string_equal(heard(&l), "x");
	type(&l, "<BS>");
	assert_string_equal(heard(&l), "\n:c");
	type(&l, "ausal off");
	type(&l, "<Enter>");
	assert_true(!strncmp(heard(&l), "\n:causal: ", 10) || !strncmp(heard(&l), "\ncausal off", 11));
	type(&l, "<Enter>");
	assert_string_equal(heard(&l), "value 2");
	type(&l, "<Esc>");
	assert_string_equal(heard(&l), "\n");
	type(&l, ":pad 9<Enter>");
	assert_heard(&l, "\nerror: ");
	stop(&l);
}

/* ---- panels, lists, lessons ---- */

static void tells_panels(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "");
	type(&l, "v");
	assert_heard(&l, "verify: expected to hide: causal\n");
	assert_heard(&l, "ok  row-sums  all 3 rows sum to 1");
	type(&l, "<Esc>");
	assert_string_equal(heard(&l), "closed\n");
	type(&l, "i");
	assert_heard(&l, "inspector: weights 0:0");
	type(&l, "jl");
	assert_heard(&l, "inspector: weights 1:1");
	/* What is as before is not told again. */
	assert_not_heard(&l, "as the program computes");
	type(&l, "<Esc>J");
	assert_heard(&l, "[hidden 0]");
	stop(&l);
}

static void tells_lists(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "");
	type(&l, "?");
	assert_heard(&l, "c  causal mask on or off\n");
	type(&l, "q");
	assert_heard(&l, "closed\n");
	type(&l, "o");
	assert_heard(&l, "causal-3");
	type(&l, "<Down>");
	assert_int_equal(count_lines(heard(&l)), 1);		/* the one that is chosen now */
	assert_int_equal(*heard(&l), '>');
	stop(&l);
}

static void tells_lessons(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "");
	type(&l, ":lesson five-steps<Enter>");
	assert_heard(&l, "page 1 of ");
	type(&l, "n");
	assert_heard(&l, "page 2 of ");
	assert_not_heard(&l, "page 1 of ");
	stop(&l);
}

/* ---- what no line holds ---- */

static void assert_plain(const char *text, bool ascii)
{
	for (size_t n = strlen(text); n;) {
		int32_t code;
		size_t used = text_decode(text, n, &code);
		if (code < 0 || (code < 0x20 && code != '\n') || (code >= 0x7f && code < 0xa0) ||
		    (code >= 0x2500 && code <= 0x259f) || (ascii && code > 0x7e))
			fail_msg("U+%04x in:\n%s", (unsigned)code, text);
		text += used;
		n -= used;
	}
}

#define HOSTILE \
	"qkv: 1\n" \
	"title: Tokens that are no text\n" \
	"tokens: [\"\\e[31mred\", \"a\\tb\\a\", \"\\u202eabc\", \"e\\u0301\"]\n" \
	"random: {n: 4, d-k: 4, seed: 7}\n" \
	"set: {causal: on}\n"

static const char everywhere[] =
	"j c 1 3 4 v <Esc> b a u <Esc> I <Esc> J <Esc> i <Esc> <Space> <Space> <Esc> a c d d d ? <PgDn> q o <Esc> "
	":clinic mask-timing<Enter> <Esc> :sweep n 8 repeats 4<Enter> <Space> <Esc> :lesson five-steps<Enter> n n <Esc> y :pad 9<Enter> /red<Enter> z m t";

static void lines_are_plain(void **state)
{
	static const char *const inputs[] = { HOSTILE, "causal-3", "left-pad-4", "shapes-10", "cross-3x5" };

	(void)state;
	for (size_t k = 0; k < 2 * sizeof inputs / sizeof *inputs; k++) {
		struct listener l;
		bool ascii = k & 1;
		listen_from(&l, inputs[k / 2], ascii ? "ascii=on lang=en" : "");
		assert_plain(heard(&l), ascii);
		for (const char *p = everywhere; *p;) {		/* key by key, so that each answer is read */
			char key[80];
			size_t n = *p == ':' || *p == '/' ? strcspn(p, ">") + 1 : strcspn(p, " ");
			snprintf(key, sizeof key, "%.*s", (int)n, p);
			type(&l, key);
			assert_plain(heard(&l), ascii);
			p += n;
			p += strspn(p, " ");
		}
		stop(&l);
	}
}

/* Verdicts, sentences and panels are in the language that is in force. */
static void speaks_korean(void **state)
{
	struct listener l;

	(void)state;
	listen_from(&l, "causal-3", "lang=ko");
	type(&l, "c");
	assert_heard(&l, "인과 마스크");
	type(&l, "v");
	assert_heard(&l, "검증");
	stop(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_everything_at_first),
		cmocka_unit_test(tells_the_cell_that_is_moved_to),
		cmocka_unit_test(tells_what_changed),
		cmocka_unit_test(tells_the_row_where_many_change),
		cmocka_unit_test(tells_no_change_that_is_not_heard),
		cmocka_unit_test(tells_what_differs),
		cmocka_unit_test(tells_columns_one_by_one),
		cmocka_unit_test(tells_each_question),
		cmocka_unit_test(tells_once_that_something_closed),
		cmocka_unit_test(tells_sums_that_are_not_1),
		cmocka_unit_test(tells_a_new_stage),
		cmocka_unit_test(long_inputs_stay_short),
		cmocka_unit_test(tells_what_a_has),
		cmocka_unit_test(does_not_tell_answers),
		cmocka_unit_test(echoes_what_is_typed),
		cmocka_unit_test(tells_panels),
		cmocka_unit_test(tells_lists),
		cmocka_unit_test(tells_lessons),
		cmocka_unit_test(lines_are_plain),
		cmocka_unit_test(speaks_korean),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	language_add_builtin();
	return cmocka_run_group_tests_name("spoken", tests, NULL, NULL);
}
