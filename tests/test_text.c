/* test_text.c - cutting text into cells: widths, NFC, and what must never get
 * through to a terminal. Widths are those of Unicode's EastAsianWidth.txt, the
 * counts of U+FFFD those of the Unicode standard, section 3.9, tables 3-8 to 3-11. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "core/utf8.h"
#include "tui/text.h"

enum { MAX = 64 };

/* The code points of text's cells, marks included, against `want` (0 ends). */
static void check_codes(const char *text, size_t length, const uint32_t *want)
{
	struct cell cell[MAX];
	int n = text_cells(text, length, false, cell, MAX), at = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < cell[i].count; j++)
			assert_int_equal(cell[i].code[j], want[at++]);
	assert_int_equal(want[at], 0);
}

#define CODES(text, ...) check_codes(text, sizeof text - 1, (const uint32_t[]){ __VA_ARGS__, 0 })

static void check_ascii(const char *text, size_t length, const char *want)
{
	struct cell cell[MAX];
	int n = text_cells(text, length, true, cell, MAX);

	assert_int_equal(n, strlen(want));
	for (int i = 0; i < n; i++) {
		assert_int_equal(cell[i].code[0], want[i]);
		assert_int_equal(cell[i].count, 1);
		assert_int_equal(cell[i].width, 1);
	}
}

#define ASCII(text, want) check_ascii(text, sizeof text - 1, want)

static void width_of_wide_labels(void **state)
{
	(void)state;
	/* C01 */
	assert_int_equal(text_width("abcd\u3067", false), 6);
	assert_int_equal(text_width("abc\u3067", false), 5);
	assert_int_equal(text_width("abcdef", false), 6);
	/* C02 */
	assert_int_equal(text_width("\u5929\u5730\u7384\u9ec4\u5b87\u5b99\u6d2a\u8352\u65e5\u6708",
				    false), 20);
	assert_int_equal(text_width("ok", false), 2);
	assert_int_equal(text_width("\uff76", false), 1);
	/* ambiguous ones are narrow */
	assert_int_equal(text_width("\u2500\u2588\u2592\u00b1\u2026\u00b7", false), 6);
	assert_int_equal(text_width("", false), 0);
	assert_int_equal(text_width("\u25b1the", false), 4);
}

static void text_is_normalised(void **state)
{
	(void)state;
	CODES("e\u0301t\u00e9", 0xe9, 't', 0xe9);
	CODES("\u1112\u1161\u11ab\uae00", 0xd55c, 0xae00);
	CODES("\u304b\u3099", 0x304c);
	CODES("\u212b", 0xc5);		/* the angstrom sign is a ring A */
	CODES("a\u0323\u0307", 0x1ea1, 0x307);
	CODES("a\u0307\u0323", 0x1ea1, 0x307);	/* canonical order */
	assert_int_equal(text_width("\u1112\u1161\u11ab\uae00", false), 4);
}

static void marks_join_the_cell_before(void **state)
{
	struct cell cell[MAX];

	(void)state;
	/* four marks fit; the first one has become part of the letter */
	CODES("e\u0301\u0302\u0303\u0304\u0305\u0306", 0xe9, 0x302, 0x303, 0x304, 0x305);
	assert_int_equal(text_cells("e\u0301\u0302x", 6, false, cell, MAX), 2);
	assert_int_equal(cell[0].count, 2);
	/* a mark without a base stands on a blank */
	assert_int_equal(text_cells("\u0302", 2, false, cell, MAX), 1);
	assert_int_equal(cell[0].count, 2);
	assert_int_equal(cell[0].code[0], ' ');
	assert_int_equal(cell[0].width, 1);
	/* the marks of the last cell that there is room for belong to it */
	assert_int_equal(text_cells("q\u0302\u0303b", 6, false, cell, 1), 1);
	assert_int_equal(cell[0].count, 3);
	assert_int_equal(text_cells("abc", 3, false, cell, 0), 0);
}

static void emoji_sequences_come_apart(void **state)
{
	struct cell cell[MAX];
	const char family[] = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466x";

	(void)state;
	assert_int_equal(text_cells(family, strlen(family), false, cell, MAX), 5);
	for (int i = 0; i < 4; i++)
		assert_int_equal(cell[i].width, 2);
	CODES("\u2764\ufe0f", 0x2764);
	assert_int_equal(text_width("\U0001f600\U0001f600\U0001f600", false), 6);
	assert_int_equal(text_width("\U0001f44d\U0001f3fdok", false), 6);
	/* newer than the C library's table, or never a character */
	CODES("\uffff", 0xfffd);
}

static void invisible_controls_are_dropped(void **state)
{
	(void)state;
	CODES("a\u200bb", 'a', 'b');
	CODES("\ufeffbom", 'b', 'o', 'm');
	CODES("\u202erlo\u202c", 'r', 'l', 'o');
	CODES("\u2068\u05d0\u2069\u200e\u200f\u061c", 0x5d0);
	CODES("x\U000e0041\U000e007f\u2060\u00ad", 'x', 0xfffd);
	assert_int_equal(text_width("\u200b\u200d\ufeff", false), 0);
}

/* C07, C08: nothing in a label acts on the terminal. */
static void controls_become_pictures(void **state)
{
	(void)state;
	CODES("fine\033]0;title\007", 'f', 'i', 'n', 'e', 0x241b, ']', '0', ';', 't', 'i', 't', 'l',
	      'e', 0x2407);
	CODES("\033[2J", 0x241b, '[', '2', 'J');
	CODES("\xc2\x9b" "31m", 0xfffd, '3', '1', 'm');
	CODES("\233" "31m", 0xfffd, '3', '1', 'm');
	CODES("\0\177", 0x2400, 0x2421);
	CODES("a\tb\n", 'a', 0x21e5, 'b', 0x23ce);
	CODES("\r\u2028", 0x240d, 0xfffd);
	assert_int_equal(text_width("a\tb", false), 3);
	ASCII("\033[2J\0\177\t", "^[[2J^@^?^I");
	ASCII("\xc2\x9b\u202e", "\\x9b\\u202e");
}

static void bytes_that_are_not_utf8(void **state)
{
	enum { R = 0xfffd };

	(void)state;
	CODES("\xff\xfe", R, R);
	CODES("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", R, R, R, R, R, R, R, R, 'A');
	CODES("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", R, R, R, R, R, R, R, R, 'A');
	CODES("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", R, R, R, R, R, 'A', R, R, 'B');
	CODES("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", R, R, R, R, 'A');
	CODES("\xed\x95", R);		/* half a syllable */
	ASCII("\xed\x95" "a\xff", "\\xed\\x95a\\xff");
}

static void ascii_escapes(void **state)
{
	(void)state;
	ASCII("caf\u00e9", "caf\\xe9");
	ASCII("cafe\u0301", "caf\\xe9");
	ASCII("\ud55c\U0001f600", "\\ud55c\\U0001f600");
	ASCII("a\\b ~", "a\\b ~");
	assert_int_equal(text_width("\ud55c\uae00", true), 12);
}

/* Pieces that are normalised one at a time must not show. */
static void long_text(void **state)
{
	enum { N = 500 };
	static char text[3 * N + 1];
	static struct cell cell[N];

	(void)state;
	for (int shift = 0; shift < 3; shift++) {
		char *p = text;

		for (int i = 0; i < N; i++) {
			bool plain = shift && i < shift;
			memcpy(p, plain ? "x" : "e\u0301", plain ? 1 : 3);
			p += plain ? 1 : 3;
		}
		assert_int_equal(text_cells(text, (size_t)(p - text), false, cell, N), N);
		for (int i = shift; i < N; i++) {
			assert_int_equal(cell[i].code[0], 0xe9);
			assert_int_equal(cell[i].count, 1);
		}
	}
	/* nothing but marks */
	text[0] = 'q';
	for (int i = 0; i < N; i++)
		memcpy(text + 1 + 2 * i, "\u0302", 2);
	assert_int_equal(text_cells(text, 2 * N + 1, false, cell, N), 1);
	assert_int_equal(cell[0].count, CLUSTER_MAX);
}

static void every_code_point_round_trips(void **state)
{
	char bytes[4];
	int32_t code;

	(void)state;
	for (uint32_t c = 0; c < 0x110000; c++) {
		size_t n = utf8_encode(c, bytes);

		assert_int_equal(text_decode(bytes, n, &code), n);
		assert_int_equal(code, c >= 0xd800 && c < 0xe000 ? 0xfffd : c);
	}
	assert_int_equal(utf8_encode(0x20ac, bytes), 3);
	assert_memory_equal(bytes, "\xe2\x82\xac", 3);
	assert_int_equal(utf8_encode(0x110000, bytes), 3);
	assert_memory_equal(bytes, "\xef\xbf\xbd", 3);
}

static void clusters_for_line_editing(void **state)
{
	const char text[] = "a" "e\u0301" "\u1112\u1161\u11ab" "\U0001f468\u200d\U0001f469"
			    "\U0001f1f0\U0001f1f7" "\U0001f1fa\U0001f1f8" "\xff" "\r\n" "z";
	const size_t length[] = { 1, 3, 9, 11, 8, 8, 1, 2, 1 };
	const size_t n = sizeof text - 1;
	size_t at = 0;

	(void)state;
	for (size_t i = 0; i < sizeof length / sizeof *length; i++) {
		size_t next = text_next(text, n, at);

		assert_int_equal(next - at, length[i]);
		assert_int_equal(text_previous(text, n, next), at);
		at = next;
	}
	assert_int_equal(at, n);
	assert_int_equal(text_next(text, n, n), n);
	assert_int_equal(text_previous(text, n, 0), 0);
	assert_int_equal(text_previous("", 0, 7), 0);
}

static void nfc_copy(void **state)
{
	const struct { const char *in; size_t length; const char *out; } cases[] = {
		{ "\u1112\u1161\u11ab", 9, "\ud55c" },
		{ "e\u0301", 3, "\u00e9" },
		{ "a\xff\xe2\x82" "b", 5, "a\ufffd\ufffdb" },
		{ "a\0b", 3, "a\ufffdb" },
		{ "", 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *got = text_nfc(cases[i].in, cases[i].length);

		assert_string_equal(got, cases[i].out);
		free(got);
	}
}

/* Whatever the bytes: each cell is one printable character and its marks. */
static void random_bytes(void **state)
{
	static const char *const pieces[] = {
		"e", "\u0301", "\u1112", "\u1161", "\u11ab", "\ud55c", "\U0001f468", "\u200d", "\xff",
		"\xe2\x82", "\033", "\u202e", "\u05d0", "\u093f", "\ufe0f", "\u3099", "\u304b", "\xc2\x9b",
	};
	unsigned seed = 1;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		char text[400] = "";
		struct cell cell[400];
		int columns = 0;

		for (int i = 0; i < round % 90; i++) {
			seed = seed * 1103515245u + 12345u;
			strcat(text, pieces[(seed >> 16) % (sizeof pieces / sizeof *pieces)]);
		}
		int n = text_cells(text, strlen(text), false, cell, 400);
		for (int i = 0; i < n; i++) {
			assert_in_range(cell[i].count, 1, CLUSTER_MAX);
			assert_int_equal(wcwidth((wchar_t)cell[i].code[0]), cell[i].width);
			assert_true(cell[i].code[0] >= 0x20);
			for (int j = 1; j < cell[i].count; j++)
				assert_int_equal(wcwidth((wchar_t)cell[i].code[j]), 0);
			columns += cell[i].width;
		}
		assert_int_equal(text_width(text, false), columns);
		n = text_cells(text, strlen(text), true, cell, 400);
		for (int i = 0; i < n; i++)
			assert_in_range(cell[i].code[0], 0x20, 0x7e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(width_of_wide_labels),
		cmocka_unit_test(text_is_normalised),
		cmocka_unit_test(marks_join_the_cell_before),
		cmocka_unit_test(emoji_sequences_come_apart),
		cmocka_unit_test(invisible_controls_are_dropped),
		cmocka_unit_test(controls_become_pictures),
		cmocka_unit_test(bytes_that_are_not_utf8),
		cmocka_unit_test(ascii_escapes),
		cmocka_unit_test(long_text),
		cmocka_unit_test(every_code_point_round_trips),
		cmocka_unit_test(clusters_for_line_editing),
		cmocka_unit_test(nfc_copy),
		cmocka_unit_test(random_bytes),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
