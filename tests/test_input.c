/* test_input.c - bytes to keys, without a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tui/term/input.h"

/* A text form for comparison: "up", "C-r", "A-x", "click1@4,7", "paste(abc)"... */
static const char *const names[] = {
	"up", "down", "left", "right", "enter", "esc", "backspace", "tab", "home", "end",
	"pageup", "pagedown", "insert", "delete", "f1", "f2", "f3", "f4", "f5", "f6", "f7",
	"f8", "f9", "f10", "f11", "f12",
};

struct text { char data[8192]; size_t size; };

static void say(struct text *t, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	int n = vsnprintf(t->data + t->size, sizeof t->data - t->size, format, ap);
	va_end(ap);
	assert_true(n >= 0 && t->size + (size_t)n < sizeof t->data);
	t->size += (size_t)n;
}

static void say_character(struct text *t, uint32_t code)
{
	if (code > ' ' && code <= '~')
		say(t, "%c", (char)code);
	else
		say(t, "U+%04X", (unsigned)code);
}

static void say_key(struct text *t, const struct key *k)
{
	say(t, "%s%s%s%s", t->size ? " " : "", k->modifiers & MOD_CONTROL ? "C-" : "",
	    k->modifiers & MOD_ALT ? "A-" : "", k->modifiers & MOD_SHIFT ? "S-" : "");
	assert_int_equal(k->modifiers & ~7u, 0);
	switch (k->kind) {
	case KEY_CHARACTER:
		assert_false(k->modifiers & MOD_SHIFT);
		say_character(t, k->code);
		break;
	case KEY_NAMED:
		assert_in_range(k->code, 0, KEY_F12);
		say(t, "%s", names[k->code]);
		break;
	case KEY_CLICK:
		say(t, "click%u@%d,%d", (unsigned)k->code, k->row, k->column);
		break;
	case KEY_WHEEL:
		say(t, "wheel%u@%d,%d", (unsigned)k->code, k->row, k->column);
		break;
	case KEY_PASTE:
		say(t, "paste(%.*s)", (int)k->length, k->text);
		break;
	default:
		fail();
	}
}

static void drain(struct input *in, struct text *t)
{
	struct key k;

	while (input_next(in, &k))
		say_key(t, &k);
	assert_false(input_pending(in));
}

/* Ends what is half-read, as time does. */
static void settle(struct input *in, struct text *t)
{
	for (int i = 0; input_timeout(in) >= 0; i++) {
		assert_true(i < 3);
		input_expire(in);
		drain(in, t);
	}
}

static struct input *new_input(const char *term)
{
	struct input *in = input_new(term, INPUT_ESCAPE_WAIT);

	assert_non_null(in);
	return in;
}

/* The same whether the bytes come at once, one by one, or in two parts. */
static void expect_on(const char *term, const char *bytes, size_t n, const char *keys)
{
	for (size_t cut = 0; cut <= n; cut++) {
		struct input *in = new_input(term);
		struct text t = { 0 };
		if (cut) {
			input_feed(in, bytes, cut);
			drain(in, &t);
		}
		for (size_t i = cut, step = cut ? n - cut : 1; i < n; i += step) {
			input_feed(in, bytes + i, step);
			drain(in, &t);
		}
		settle(in, &t);
		assert_string_equal(t.data, keys);
		input_feed(in, "c", 1);
		t = (struct text){ 0 };
		drain(in, &t);
		assert_string_equal(t.data, "c");
		input_free(in);
	}
}

static void expect(const char *bytes, const char *keys)
{
	static const char *const terms[] = { "xterm-256color", "tmux-256color", "no-such-terminal" };

	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
		expect_on(terms[i], bytes, strlen(bytes), keys);
}

/* ---------------------------------------------------------------- keys */

static void test_characters(void **state)
{
	(void)state;
	expect("c", "c");
	expect("cG 5", "c G U+0020 5");
	expect("\xed\x95\x9c", "U+D55C");
	expect("\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", "U+1112 U+1161 U+11AB");
	expect("\xf0\x9f\x98\x80", "U+1F600");
	expect("\xc3\xa9", "U+00E9");
	expect_on("xterm", "\0", 1, "C-U+0020");
	expect("\x12\x01\x03\x04\x1a", "C-r C-a C-c C-d C-z");
	expect("\x1d", "C-]");
	expect("\r", "enter");
	expect("\n", "enter");
	expect("\t", "tab");
	expect("\x7f", "backspace");
	expect("\x08", "backspace");
	expect("\033x", "A-x");
	expect("\033\xed\x95\x9c", "A-U+D55C");
	expect("\033\r", "A-enter");
}

static void test_escape(void **state)
{
	(void)state;
	expect("\033", "esc");
	expect("\033\033", "esc esc");
	expect("\033\033[A", "esc up");
	expect("\033[", "A-[");
	expect("\033O", "A-O");
	expect("\033]", "A-]");
	expect("\033P", "A-P");
}

static void test_named(void **state)
{
	(void)state;
	expect("\033[A\033[B\033[C\033[D", "up down right left");
	expect("\033OA\033OB\033OC\033OD", "up down right left");
	expect("\033[H\033[F", "home end");
	expect("\033[1~\033[4~", "home end");
	expect("\033[7~\033[8~", "home end");
	expect("\033[2~\033[3~\033[5~\033[6~", "insert delete pageup pagedown");
	expect("\033[Z", "S-tab");
	expect("\033[1;2A\033[1;3B\033[1;5C\033[1;6D", "S-up A-down C-right C-S-left");
	expect("\033[5;5~", "C-pageup");
	expect("\033OP\033OQ\033OR\033OS", "f1 f2 f3 f4");
	expect("\033[11~\033[15~\033[24~", "f1 f5 f12");
	expect("\033[[A\033[[E", "f1 f5");
	expect("\033[24;2~", "S-f12");
	expect("\033[1;2P", "S-f1");
	expect("\033OM", "enter");
	expect("\033Oq\033Oy\033Ok", "1 9 +");
	expect_on("linux", "\033[[B\033[1~\033[4~", 12, "f2 home end");
	expect_on("vt100", "\033OA\033OP", 6, "up f1");
	expect_on("rxvt", "\033[7~\033[8~\033Oa", 11, "home end");
}

static void test_kitty_and_xterm_forms(void **state)
{
	(void)state;
	expect("\033[97;5u", "C-a");
	expect("\033[97;2u", "A");
	expect("\033[82;5u", "C-r");
	expect("\033[27u\033[13u\033[9;2u\033[127u", "esc enter S-tab backspace");
	expect("\033[27;5;114~", "C-r");
	expect("\033[97;5:1u", "C-a");
	expect("\033[97:65;5u", "C-a");
	expect("\033[97;69u", "C-a");		/* caps lock */
	expect("\033[57399u", "");		/* kitty's own numbers */
	expect("\033[55296u\033[1114112u", "");
	expect("\033[1;0A", "");
}

static void test_mouse(void **state)
{
	(void)state;
	expect("\033[<0;5;7M", "click1@6,4");
	expect("\033[<0;5;7M\033[<0;5;7m", "click1@6,4");
	expect("\033[<1;1;1M\033[<2;200;100M", "click2@0,0 click3@99,199");
	expect("\033[<64;3;4M\033[<65;3;4M", "wheel0@3,2 wheel1@3,2");
	expect("\033[<66;3;4M\033[<67;3;4M", "");
	expect("\033[<32;5;7M\033[<35;5;7M", "");
	expect("\033[<4;5;7M\033[<16;5;7M", "click1@6,4 C-click1@6,4");
	expect("\033[<0;0;0M", "");
	expect("\033[<0;5M\033[<;;M\033[<0;5;7;9M\033[<0;5;7A", "");
	expect("\033[M !!", "click1@0,0");
	expect("\033[M`%'", "wheel0@6,4");
	expect("\033[M#%'", "");
	expect("\033[M\x01\x01", "C-a");
	expect("\033[M \033[A", "up");
}

static void test_paste(void **state)
{
	(void)state;
	expect("\033[200~abc\033[201~", "paste(abc)");
	expect("\033[200~\033[201~", "paste()");
	expect("\033[200~q\r\n:w x\033[201~j", "paste(q\r\n:w x) j");
	expect("\033[200~\xed\x95\x9c\xea\xb8\x80\033[201~", "paste(\xed\x95\x9c\xea\xb8\x80)");
	expect("\033[200~a\033[A\033[20\033\033[201~", "paste(a\033[A\033[20\033)");
	expect("\033[200~never ended", "paste(never ended)");
	expect("\033[201~", "");
	expect_on("xterm", "\033[200~a\0b\033[201~", 15, "paste(a)");	/* as %s shows it */
}

static void test_large_paste(void **state)
{
	(void)state;
	size_t n = INPUT_PASTE_MAX + 1000;
	char *bytes = malloc(n);
	struct input *in = new_input("xterm");
	struct key k;

	assert_non_null(bytes);
	memset(bytes, 'q', n);
	input_feed(in, "\033[200~", 6);
	assert_false(input_next(in, &k));
	assert_int_equal(input_timeout(in), 2000);
	input_feed(in, bytes, n);
	assert_false(input_next(in, &k));
	input_feed(in, "\033[201~c", 7);
	assert_true(input_next(in, &k));
	assert_int_equal(k.kind, KEY_PASTE);
	assert_int_equal(k.length, INPUT_PASTE_MAX);
	assert_memory_equal(k.text, bytes, INPUT_PASTE_MAX);
	assert_true(input_next(in, &k));
	assert_int_equal(k.code, 'c');
	input_feed(in, "\033[200~small\033[201~", 17);
	assert_true(input_next(in, &k));
	assert_int_equal(k.length, 5);
	free(bytes);
	input_free(in);
}

static void test_reports_are_no_keys(void **state)
{
	(void)state;
	expect("\033[12;34R", "");			/* cursor report */
	expect("\033[1;2R", "S-f3");
	expect("\033[1;80R", "");
	expect("\033[?1;2c\033[>0;276;0c", "");		/* device attributes */
	expect("\033[?2026;2$y", "");
	expect("\033[I\033[O", "");			/* focus */
	expect("\033]11;rgb:0000/0000/0000\033\\", "");
	expect("\033]11;rgb:0000/0000/0000\007c", "c");
	expect("\033P1$r48:2:1:2:3m\033\\c", "c");
	expect("\033_Gi=1;OK\033\\\033^x\033\\\033Xx\033\\c", "c");
	expect("\033]52;c;never ended", "");
	expect("\033]52;c;cut\030c", "c");
	expect("\033]52;c;cut\033[A", "up");
}

/* What crashes libtermkey 0.22, or makes it read what was never written. */
static void test_hostile(void **state)
{
	(void)state;
	expect("\033[1$A", "");
	expect("\033[>1$A", "");
	expect("\033[1/A", "");
	expect("\033[?1;0;256S", "");
	expect("\033[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17m", "");
	expect("\033[~\033[u\033[27~\033[27;5~", "");
	expect("\033[;2u", "");
	expect("\033[1;99999999999999999999A", "");
	expect("\033[0000000000000000000000000000000000000000000000000000000000000000000000001A", "");
	expect("\033[1\033[A", "up");
	expect("\033[1\030c", "c");
	expect("\033[1\xc3\xa9", "U+00E9");
	expect("\033O2P", "");
	expect("\033Oc", "");
	expect("\x80\xff\xc0\xaf\xfe", "");
	expect("\xed\xa0\x80\xe0\x80\x80\xf4\x90\x80\x80\xf8\x88\x80\x80\x80", "");
	expect("\xc2\x80\xc2\x9b" "A", "A");		/* C1 controls */
	expect("\xe1\x84" "c", "c");
	expect("\xe1\x84", "");
	expect("\033\x80", "");
}

static void test_waits(void **state)
{
	(void)state;
	struct input *in = input_new("xterm", 250);
	struct key k;

	assert_int_equal(input_timeout(in), -1);
	input_feed(in, "\033", 1);
	assert_true(input_pending(in));
	assert_false(input_next(in, &k));
	assert_false(input_pending(in));
	assert_int_equal(input_timeout(in), 250);
	input_feed(in, "]1", 2);
	assert_false(input_next(in, &k));
	assert_int_equal(input_timeout(in), 1000);
	input_expire(in);
	assert_false(input_next(in, &k));
	assert_int_equal(input_timeout(in), -1);
	input_expire(in);
	assert_false(input_next(in, &k));
	input_free(in);
	input_free(NULL);
}

/* ---------------------------------------------------------------- noise */

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static const char *const pieces[] = {
	"\033[A", "\033[1;5C", "\033[<0;5;7M", "\033[<64;300;2M", "\033[M !!", "\033[200~",
	"\033[201~", "\033]11;rgb:1/2/3\007", "\033P1$r0m\033\\", "\033[?1;2c", "\033[1$A",
	"\033[27;5;114~", "\033[97;5:1u", "\033[?1;0;256S", "\033OP", "\033[[A", "\xed\x95\x9c",
	"\xf0\x9f\x98\x80", "\033", "\033[", "\033[;;", "\033[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17m",
	"\033[12;34R", "\033[99999999~", "\033_x", "\033[u", "\033[~", "q", "\x9b", "\xff",
	"\033[24;2~", "\033[?2026;2$y", "\033O5P", "\033[15^", "\033[7$",
};

/* Pieces of what terminals send, with bytes changed, and plain noise between. */
static size_t make_line(uint64_t *seed, unsigned char *out, size_t size)
{
	size_t n = 0, parts = 1 + next_random(seed) % 8;

	while (parts-- && n + 64 < size) {
		if (next_random(seed) % 4 == 0) {
			for (size_t i = next_random(seed) % 12; i; i--)
				out[n++] = (unsigned char)next_random(seed);
			continue;
		}
		const char *piece = pieces[next_random(seed) % (sizeof pieces / sizeof *pieces)];
		size_t length = strlen(piece);
		memcpy(out + n, piece, length);
		if (next_random(seed) % 2)
			out[n + next_random(seed) % length] =
				next_random(seed) % 2 ? (unsigned char)next_random(seed) :
							(unsigned char)(' ' + next_random(seed) % 32);
		n += length;
	}
	return n;
}

static void feed_parts(struct input *in, const unsigned char *bytes, size_t n, uint64_t *seed,
		       struct text *t)
{
	while (n) {
		size_t part = 1 + next_random(seed) % n;
		input_feed(in, bytes, part);
		drain(in, t);
		bytes += part;
		n -= part;
	}
}

static void make_noise(const char *term, uint64_t seed, int lines)
{
	struct input *in = new_input(term);
	unsigned char line[512];

	for (int i = 0; i < lines; i++) {
		struct text t = { 0 };
		feed_parts(in, line, make_line(&seed, line, sizeof line), &seed, &t);
		settle(in, &t);
		t = (struct text){ 0 };
		input_feed(in, "c", 1);
		drain(in, &t);
		if (strcmp(t.data, "c"))
			fail_msg("after line %d on %s: \"%s\"", i, term, t.data);
	}
	input_free(in);
}

static void test_noise(void **state)
{
	(void)state;
	make_noise("xterm-256color", 1, 10000);
	make_noise("tmux-256color", 2, 10000);
	make_noise("linux", 3, 10000);
	make_noise("no-such-terminal", 4, 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_characters),
		cmocka_unit_test(test_escape),
		cmocka_unit_test(test_named),
		cmocka_unit_test(test_kitty_and_xterm_forms),
		cmocka_unit_test(test_mouse),
		cmocka_unit_test(test_paste),
		cmocka_unit_test(test_large_paste),
		cmocka_unit_test(test_reports_are_no_keys),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_noise),
	};

	return cmocka_run_group_tests_name("input", tests, NULL, NULL);
}
