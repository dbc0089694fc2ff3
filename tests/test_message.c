/* test_message.c - catalogues of texts: what is found, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/message.h"

/* ---- a .mo file made here, as the GNU gettext manual describes it ---- */

struct text { const char *original, *translation; };

enum { HEAD = 28, LARGEST = 4096 };

static size_t put_word(unsigned char *at, uint32_t x)
{
	for (int k = 0; k < 4; k++)
		at[k] = (unsigned char)(x >> 8 * k);
	return 4;
}

/* Texts are sorted by their original. Returns the bytes used. */
static size_t make(unsigned char *out, const struct text *t, size_t n)
{
	size_t table = HEAD, data = HEAD + 16 * n, at = 0;

	at += put_word(out + at, 0x950412de);
	at += put_word(out + at, 0);
	at += put_word(out + at, (uint32_t)n);
	at += put_word(out + at, (uint32_t)table);
	at += put_word(out + at, (uint32_t)(table + 8 * n));
	at += put_word(out + at, 0);
	put_word(out + at, 0);
	for (int second = 0; second < 2; second++)
		for (size_t k = 0; k < n; k++) {
			const char *text = second ? t[k].translation : t[k].original;
			put_word(out + table, (uint32_t)strlen(text));
			put_word(out + table + 4, (uint32_t)data);
			table += 8;
			memcpy(out + data, text, strlen(text) + 1);
			data += strlen(text) + 1;
		}
	return data;
}

static const struct text texts[] = {
	{ "", "Language: xx\n" }, { "%zu of %zu", "%2$zu:%1$zu" }, { "apple", "Apfel" }, { "not translated", "" },
	{ "pear", "Birne" }, { "zebra", "Zebra" },
};
enum { TEXTS = sizeof texts / sizeof *texts };

/* Catalogues are kept for good, so each test has a language of its own. */
static void what_is_there_is_found(void **state)
{
	static unsigned char bytes[LARGEST];
	size_t size = make(bytes, texts, TEXTS);

	(void)state;
	assert_true(message_add("xx", bytes, size));
	assert_string_equal(message("apple"), "apple");
	assert_true(message_use("xx"));
	assert_string_equal(message_in_force(), "xx");
	assert_string_equal(message("apple"), "Apfel");
	assert_string_equal(message("pear"), "Birne");
	assert_string_equal(message("zebra"), "Zebra");
	assert_string_equal(message("aardvark"), "aardvark");
	assert_string_equal(message("zzz"), "zzz");
	assert_string_equal(message("not translated"), "not translated");
	assert_string_equal(message(""), "");
	assert_true(message_use("en"));
	assert_string_equal(message("apple"), "apple");
}

static void a_language_that_is_not_known_changes_nothing(void **state)
{
	(void)state;
	assert_true(message_use("xx"));
	assert_false(message_use("yy"));
	assert_string_equal(message_in_force(), "xx");
	assert_true(message_use("en"));
}

static void errors_are_translated_with_their_numbers_in_another_order(void **state)
{
	struct error e = { 0 };

	(void)state;
	assert_true(message_use("xx"));
	error_set(&e, E_VALUE, "%zu of %zu", (size_t)3, (size_t)7);
	assert_string_equal(e.text, "7:3");
	assert_true(message_use("en"));
	error_set(&e, E_VALUE, "%zu of %zu", (size_t)3, (size_t)7);
	assert_string_equal(e.text, "3 of 7");
}

/* A file that ends early, at any byte, is refused or says what it said. */
static void cut_files_are_refused(void **state)
{
	static unsigned char bytes[LARGEST];
	size_t size = make(bytes, texts, TEXTS);

	(void)state;
	for (size_t n = 0; n < size; n++) {
		unsigned char *part = malloc(n + 1);	/* so that a read past its end is seen */
		assert_non_null(part);
		memcpy(part, bytes, n);
		assert_false(message_add("cut", part, n));
		free(part);
	}
}

static void what_is_no_catalogue_is_refused(void **state)
{
	static unsigned char bytes[LARGEST];
	static const struct text unsorted[] = { { "b", "B" }, { "a", "A" } }, twice[] = { { "a", "A" }, { "a", "B" } };
	size_t size = make(bytes, texts, TEXTS);

	(void)state;
	bytes[0] ^= 1;					/* the magic number */
	assert_false(message_add("bad", bytes, size));
	bytes[0] ^= 1;
	bytes[6] = 1;					/* a major revision that is not known */
	assert_false(message_add("bad", bytes, size));
	bytes[6] = 0;
	put_word(bytes + 8, 0x20000000);		/* more texts than there is room for */
	assert_false(message_add("bad", bytes, size));
	put_word(bytes + 8, TEXTS);
	put_word(bytes + 12, 0xfffffff8);		/* a table beyond the end */
	assert_false(message_add("bad", bytes, size));
	assert_false(message_add("bad", bytes, make(bytes, unsorted, 2)));
	assert_false(message_add("bad", bytes, make(bytes, twice, 2)));
	assert_false(message_use("bad"));
}

static void there_is_room_for_some_languages_only(void **state)
{
	static unsigned char bytes[LARGEST];
	size_t size = make(bytes, texts, TEXTS), known = 0;

	(void)state;
	for (size_t k = 0; message_language(k); k++)
		known++;
	assert_string_equal(message_language(0), "en");
	for (; known < MESSAGE_LANGUAGES; known++)
		assert_true(message_add("more", bytes, size));
	assert_false(message_add("one too many", bytes, size));
	assert_null(message_language(known));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_there_is_found),
		cmocka_unit_test(a_language_that_is_not_known_changes_nothing),
		cmocka_unit_test(errors_are_translated_with_their_numbers_in_another_order),
		cmocka_unit_test(cut_files_are_refused),
		cmocka_unit_test(what_is_no_catalogue_is_refused),
		cmocka_unit_test(there_is_room_for_some_languages_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
