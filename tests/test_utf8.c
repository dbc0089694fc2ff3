/* test_utf8.c - UTF-8. The boundaries are those of the Unicode standard, chapter
 * 3: table 3-7 (well-formed sequences) and tables 3-8 to 3-11 (how many U+FFFD
 * malformed ones stand for). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"

/* The rows of table 3-7, and for each the code points at its ends. */
static const struct {
	uint32_t first, last;
	size_t length;
	unsigned char low[4], high[4];
} table_3_7[] = {
	{ 0x0000, 0x007f, 1, { 0x00 }, { 0x7f } },
	{ 0x0080, 0x07ff, 2, { 0xc2, 0x80 }, { 0xdf, 0xbf } },
	{ 0x0800, 0x0fff, 3, { 0xe0, 0xa0, 0x80 }, { 0xe0, 0xbf, 0xbf } },
	{ 0x1000, 0xcfff, 3, { 0xe1, 0x80, 0x80 }, { 0xec, 0xbf, 0xbf } },
	{ 0xd000, 0xd7ff, 3, { 0xed, 0x80, 0x80 }, { 0xed, 0x9f, 0xbf } },
	{ 0xe000, 0xffff, 3, { 0xee, 0x80, 0x80 }, { 0xef, 0xbf, 0xbf } },
	{ 0x10000, 0x3ffff, 4, { 0xf0, 0x90, 0x80, 0x80 }, { 0xf0, 0xbf, 0xbf, 0xbf } },
	{ 0x40000, 0xfffff, 4, { 0xf1, 0x80, 0x80, 0x80 }, { 0xf3, 0xbf, 0xbf, 0xbf } },
	{ 0x100000, 0x10ffff, 4, { 0xf4, 0x80, 0x80, 0x80 }, { 0xf4, 0x8f, 0xbf, 0xbf } },
};
enum { ROWS = sizeof table_3_7 / sizeof *table_3_7 };

/* Decodes from memory that ends with the bytes, so that a tool sees what reads on. */
static size_t decode(const void *bytes, size_t n, uint32_t *code)
{
	char *exact = malloc(n ? n : 1);

	assert_non_null(exact);
	memcpy(exact, bytes, n);
	*code = 0xdead;
	size_t length = utf8_decode(exact, n, code);
	if (!length) {
		assert_int_equal(*code, 0xfffd);
		assert_in_range(n ? utf8_malformed(exact, n) : 1, 1, 3);
	}
	free(exact);
	return length;
}

static void check_both(uint32_t code, const unsigned char *bytes, size_t length)
{
	uint32_t read;
	char written[UTF8_MAX];

	assert_int_equal(decode(bytes, length, &read), length);
	assert_int_equal(read, code);
	assert_int_equal(utf8_encode(code, written), length);
	assert_memory_equal(written, bytes, length);
}

static void ends_of_the_table(void **state)
{
	(void)state;
	for (int k = 0; k < ROWS; k++) {
		check_both(table_3_7[k].first, table_3_7[k].low, table_3_7[k].length);
		check_both(table_3_7[k].last, table_3_7[k].high, table_3_7[k].length);
	}
}

/* In the table, by its own words: each byte within its range. */
static size_t length_in_table(const unsigned char *s, size_t n)
{
	for (int k = 0; k < ROWS; k++) {
		size_t i = 0;
		while (i < table_3_7[k].length && i < n && s[i] >= table_3_7[k].low[i] && s[i] <= table_3_7[k].high[i])
			i++;
		if (i == table_3_7[k].length)
			return i;
	}
	return 0;
}

/* The most bytes that begin a sequence of the table: the maximal subpart. */
static size_t subpart_in_table(const unsigned char *s, size_t n)
{
	size_t most = 1;

	for (int k = 0; k < ROWS; k++) {
		size_t i = 0;
		while (i < table_3_7[k].length && i < n && s[i] >= table_3_7[k].low[i] && s[i] <= table_3_7[k].high[i])
			i++;
		if (i > most)
			most = i;
	}
	return most;
}

/* All pairs of first bytes, with third and fourth bytes in, below and above the
 * range, and every length that cuts them. */
static void every_start(void **state)
{
	static const unsigned char tails[] = { 0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xff };
	uint32_t code;

	(void)state;
	for (unsigned pair = 0; pair < 0x10000; pair++)
		for (size_t tail = 0; tail < sizeof tails * sizeof tails; tail++) {
			unsigned char s[4] = { (unsigned char)(pair >> 8), (unsigned char)pair,
					       tails[tail / sizeof tails], tails[tail % sizeof tails] };
			for (size_t n = 1; n <= 4; n++) {
				size_t length = utf8_decode((const char *)s, n, &code);
				if (length != length_in_table(s, n))
					fail_msg("%02x %02x %02x %02x, %zu of them: length %zu", s[0], s[1], s[2], s[3], n, length);
				if (!length && utf8_malformed((const char *)s, n) != subpart_in_table(s, n))
					fail_msg("%02x %02x %02x %02x, %zu of them: malformed %zu", s[0], s[1], s[2], s[3], n,
						 utf8_malformed((const char *)s, n));
			}
		}
}

/* One outside of each range of the table. */
static void just_outside(void **state)
{
	static const char *const bad[] = {
		"\x80", "\xbf", "\xc0\x80", "\xc1\xbf",				/* no first byte; overlong */
		"\xc2\x7f", "\xc2\xc0", "\xdf\x7f", "\xdf\xc0",
		"\xe0\x9f\xbf", "\xe0\x80\x80", "\xe0\xa0\x7f", "\xe0\xa0\xc0",	/* overlong */
		"\xe1\x7f\x80", "\xec\xc0\x80",
		"\xed\xa0\x80", "\xed\xaf\xbf", "\xed\xb0\x80", "\xed\xbf\xbf",	/* surrogates */
		"\xee\x7f\x80", "\xef\xc0\x80",
		"\xf0\x8f\xbf\xbf", "\xf0\x80\x80\x80", "\xf0\x90\x80\x7f", "\xf0\x90\xc0\x80",	/* overlong */
		"\xf1\x7f\x80\x80", "\xf3\xc0\x80\x80",
		"\xf4\x90\x80\x80", "\xf4\xbf\xbf\xbf",				/* U+110000 and more */
		"\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80", "\xfc\x84\x80\x80\x80\x80", "\xfe", "\xff",
	};
	uint32_t code;

	(void)state;
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
		assert_int_equal(decode(bad[k], strlen(bad[k]), &code), 0);
}

static void cut_short(void **state)
{
	static const char *const whole[] = { "\xc2\x80", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf" };
	uint32_t code;

	(void)state;
	for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
		for (size_t n = 0; n < strlen(whole[k]); n++) {
			assert_int_equal(decode(whole[k], n, &code), 0);
			if (n)	/* what was there is one maximal subpart */
				assert_int_equal(utf8_malformed(whole[k], n), n);
		}
}

/* A text that ends with NUL may be given as UTF8_MAX bytes. */
static void a_nul_ends_it(void **state)
{
	static const char *const cut[] = { "", "\xc2", "\xe0", "\xe0\xa0", "\xf0", "\xf0\x90", "\xf0\x90\x80" };
	uint32_t code;

	(void)state;
	for (size_t k = 0; k < sizeof cut / sizeof *cut; k++) {
		char *exact = strdup(cut[k]);
		assert_non_null(exact);
		assert_int_equal(utf8_decode(exact, UTF8_MAX, &code), *cut[k] ? 0 : 1);
		assert_int_equal(code, *cut[k] ? 0xfffd : 0);
		free(exact);
	}
}

/* The lengths that `bytes` falls into, malformed ones as a '-' and their length. */
static void check_parts(const char *bytes, size_t n, const char *parts)
{
	uint32_t code;

	for (size_t length; n; bytes += length, n -= length) {
		length = decode(bytes, n, &code);
		if (!length) {
			assert_int_equal(*parts++, '-');
			length = utf8_malformed(bytes, n);
		}
		assert_int_equal(*parts++, '0' + (int)length);
	}
	assert_int_equal(*parts, '\0');
}

static void maximal_subparts(void **state)
{
	(void)state;
	/* table 3-8: non-shortest forms */
	check_parts("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", 9, "-1-1-1-1-1-1-1-11");
	/* table 3-9: surrogates */
	check_parts("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", 9, "-1-1-1-1-1-1-1-11");
	/* table 3-10: others */
	check_parts("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", 9, "-1-1-1-1-11-1-11");
	/* table 3-11: truncated */
	check_parts("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", 9, "-2-1-3-21");
}

static void every_code_point(void **state)
{
	char bytes[UTF8_MAX];
	uint32_t code;

	(void)state;
	for (uint32_t c = 0; c < 0x110000; c++) {
		bool surrogate = c >= 0xd800 && c < 0xe000;
		size_t n = utf8_encode(c, bytes);

		assert_int_equal(utf8_is_scalar(c), !surrogate);
		assert_int_equal(utf8_decode(bytes, n, &code), n);
		assert_int_equal(code, surrogate ? 0xfffd : c);
	}
}

static void what_cannot_be_written(void **state)
{
	static const uint32_t bad[] = { 0xd800, 0xdbff, 0xdc00, 0xdfff, 0x110000, 0x200000, 0xffffffff };
	char bytes[UTF8_MAX];

	(void)state;
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
		assert_false(utf8_is_scalar(bad[k]));
		assert_int_equal(utf8_encode(bad[k], bytes), 3);
		assert_memory_equal(bytes, "\xef\xbf\xbd", 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_of_the_table), cmocka_unit_test(every_start), cmocka_unit_test(just_outside),
		cmocka_unit_test(cut_short), cmocka_unit_test(a_nul_ends_it), cmocka_unit_test(maximal_subparts),
		cmocka_unit_test(every_code_point), cmocka_unit_test(what_cannot_be_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
