/* test_key.c - keys as text and back; Hangul as the keys of the two-set layout. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <string.h>

#include "tui/key.h"

static struct key character(uint32_t code, unsigned modifiers)
{
	return (struct key){ .kind = KEY_CHARACTER, .code = code, .modifiers = modifiers };
}

static struct key named(enum key_name name, unsigned modifiers)
{
	return (struct key){ .kind = KEY_NAMED, .code = name, .modifiers = modifiers };
}

static void check_format(struct key k, const char *want)
{
	char got[KEY_TEXT_SIZE];

	key_format(&k, got);
	assert_string_equal(got, want);
}

/* Written as `text`, and read from it. */
static void check_both(struct key k, const char *text)
{
	struct key back;

	check_format(k, text);
	assert_int_equal(key_parse(text, &back), strlen(text));
	assert_true(key_equal(&k, &back));
}

static void check_parse(const char *text, size_t used, struct key want)
{
	struct key got;

	assert_int_equal(key_parse(text, &got), used);
	assert_true(key_equal(&got, &want));
}

static void refuse(const char *text)
{
	struct key k = character('k', 0);

	assert_int_equal(key_parse(text, &k), 0);
	assert_int_equal(k.code, 'k');
}

static void text_and_back(void **state)
{
	(void)state;
	check_both(character('c', 0), "c");
	check_both(character('G', 0), "G");
	check_both(character(' ', 0), "<Space>");
	check_both(character('<', 0), "<lt>");
	check_both(character('>', 0), "<gt>");
	check_both(character('-', 0), "-");
	check_both(character(0xd55c, 0), "\ud55c");
	check_both(character(0x1f600, MOD_ALT), "<A-\U0001f600>");
	check_both(character('r', MOD_CONTROL), "<C-r>");
	check_both(character('x', MOD_ALT), "<A-x>");
	check_both(character('-', MOD_CONTROL), "<C-->");
	check_both(character('<', MOD_ALT), "<A-lt>");
	check_both(character(' ', MOD_CONTROL | MOD_ALT), "<C-A-Space>");
	check_both(character('A', MOD_ALT), "<A-A>");
	check_both(character('S', MOD_ALT), "<A-S>");
	check_both(named(KEY_UP_ARROW, 0), "<Up>");
	check_both(named(KEY_TABULATOR, MOD_SHIFT), "<S-Tab>");
	check_both(named(KEY_RETURN, 0), "<Enter>");
	check_both(named(KEY_BACK, 0), "<BS>");
	check_both(named(KEY_REMOVE, 0), "<Del>");
	check_both(named(KEY_F1, 0), "<F1>");
	check_both(named(KEY_F12, MOD_CONTROL | MOD_ALT | MOD_SHIFT), "<C-A-S-F12>");
	check_both(character(0x1b, 0), "<U+001B>");
	check_both(character(0x9b, MOD_CONTROL), "<C-U+009B>");
	check_both(character('U', 0), "U");
}

static void every_name_and_modifier(void **state)
{
	(void)state;
	for (unsigned name = 0; name <= KEY_F12; name++) {
		for (unsigned m = 0; m < 8; m++) {
			struct key k = named(name, m), back;
			char text[KEY_TEXT_SIZE];

			key_format(&k, text);
			assert_int_equal(key_parse(text, &back), strlen(text));
			assert_true(key_equal(&k, &back));
		}
	}
	for (uint32_t code = 1; code < 0x110000; code += code < 0x3000 ? 1 : 97) {
		struct key k = character(code, code % 5 == 1 ? MOD_ALT : 0), back;
		char text[KEY_TEXT_SIZE];

		if (code >= 0xd800 && code < 0xe000)
			continue;
		key_format(&k, text);
		assert_int_equal(key_parse(text, &back), strlen(text));
		assert_true(key_equal(&k, &back));
	}
}

static void mouse_and_paste(void **state)
{
	struct key click = { .kind = KEY_CLICK, .code = 1, .row = 5, .column = 250 };
	struct key wheel = { .kind = KEY_WHEEL, .code = 1, .row = 99999, .column = 99999 };
	struct key paste = { .kind = KEY_PASTE, .text = "a\0q", .length = 3 }, other = paste;

	(void)state;
	check_both(click, "<Click1@5,250>");
	check_both(wheel, "<WheelDown@99999,99999>");
	wheel.code = 0;
	check_both(wheel, "<WheelUp@99999,99999>");
	wheel.row = -7;
	check_format(wheel, "<WheelUp@0,99999>");
	check_format(paste, "<Paste>");
	check_format((struct key){ 0 }, "");
	refuse("<Paste>");
	other.text = "a\0r";
	assert_true(key_equal(&paste, &paste));
	assert_false(key_equal(&paste, &other));
	other.length = 2;
	assert_false(key_equal(&paste, &other));
}

static void names_in_any_case(void **state)
{
	(void)state;
	check_parse("<up>j", 4, named(KEY_UP_ARROW, 0));
	check_parse("<CR>", 4, named(KEY_RETURN, 0));
	check_parse("<eNTER>", 7, named(KEY_RETURN, 0));
	check_parse("<escape>", 8, named(KEY_ESCAPE, 0));
	check_parse("<s-TAB>", 7, named(KEY_TABULATOR, MOD_SHIFT));
	check_parse("<c-R>", 5, character('r', MOD_CONTROL));
	check_parse("<S-a>", 5, character('A', 0));
	check_parse("<a-c-x>", 7, character('x', MOD_ALT | MOD_CONTROL));
	check_parse("<C->>", 5, character('>', MOD_CONTROL));
	check_parse("<LT>", 4, character('<', 0));
	check_parse("ab", 1, character('a', 0));
	check_parse(" x", 1, character(' ', 0));
	check_parse(">", 1, character('>', 0));
	check_parse("<u+ac00>", 8, character(0xac00, 0));
}

static void what_is_no_key(void **state)
{
	static const char *const bad[] = {
		"", "<", "<>", "<Nope>", "<Up", "<C->", "<C-Nope>", "<a>", "<S-Space>", "<S-1>",
		"<F13>", "<F0>", "\xff", "\xed\x95", "\xed\xa0\x80", "\033", "\n", "<C-\033>",
		"<U+D800>", "<U+110000>", "<U+12>", "<Click1@>", "<Click1@1>", "<Click4@1,2>",
		"<Click1@1,2", "<C-Click1@1,2>", "<WheelUp@123456,1>",
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		refuse(bad[i]);
}

static void equality(void **state)
{
	struct key a = character('a', 0), alt = character('a', MOD_ALT);
	struct key up = named(KEY_UP_ARROW, 0), nul = character(KEY_UP_ARROW, 0);

	(void)state;
	assert_true(key_equal(&a, &a));
	assert_false(key_equal(&a, &alt));
	assert_false(key_equal(&up, &nul));
}

/* The letters that the code point is typed with, in order. */
static void check_hangul(uint32_t code, const char *want)
{
	struct key k = character(code, MOD_ALT), out[5];

	assert_int_equal(key_from_hangul(&k, out), strlen(want));
	for (size_t i = 0; want[i]; i++) {
		assert_int_equal(out[i].kind, KEY_CHARACTER);
		assert_int_equal(out[i].code, want[i]);
		assert_int_equal(out[i].modifiers, MOD_ALT);
	}
}

static void jamo_are_the_keys_they_sit_on(void **state)
{
	/* the rows of a Korean keyboard, left to right */
	static const uint32_t row[] = {
		0x3142, 0x3148, 0x3137, 0x3131, 0x3145, 0x315b, 0x3155, 0x3151, 0x3150, 0x3154,
		0x3141, 0x3134, 0x3147, 0x3139, 0x314e, 0x3157, 0x3153, 0x314f, 0x3163,
		0x314b, 0x314c, 0x314a, 0x314d, 0x3160, 0x315c, 0x3161,
	};
	static const char keys[] = "qwertyuiop" "asdfghjkl" "zxcvbnm";

	(void)state;
	for (size_t i = 0; keys[i]; i++)
		check_hangul(row[i], (char[]){ keys[i], '\0' });
	/* shifted */
	check_hangul(0x3143, "Q");
	check_hangul(0x3149, "W");
	check_hangul(0x3138, "E");
	check_hangul(0x3132, "R");
	check_hangul(0x3146, "T");
	check_hangul(0x3152, "O");
	check_hangul(0x3156, "P");
	/* doubles are two keys */
	check_hangul(0x3158, "hk");
	check_hangul(0x3159, "ho");
	check_hangul(0x315a, "hl");
	check_hangul(0x315d, "nj");
	check_hangul(0x315e, "np");
	check_hangul(0x315f, "nl");
	check_hangul(0x3162, "ml");
	check_hangul(0x3133, "rt");
	check_hangul(0x3144, "qt");
	check_hangul(0x3140, "fg");
	/* conjoining ones */
	check_hangul(0x1100, "r");
	check_hangul(0x1112, "g");
	check_hangul(0x1161, "k");
	check_hangul(0x1175, "l");
	check_hangul(0x11a8, "r");
	check_hangul(0x11c2, "g");
	check_hangul(0x11b9, "qt");
}

static void syllables_come_apart(void **state)
{
	(void)state;
	check_hangul(0xac00, "rk");		/* ga */
	check_hangul(0xd55c, "gks");		/* han */
	check_hangul(0xae00, "rmf");		/* geul */
	check_hangul(0xac12, "rkqt");		/* gabs */
	check_hangul(0xad91, "rnjfr");		/* gwolg: five keys */
	check_hangul(0xd7a3, "glg");		/* the last one */
	check_hangul(0xb539, "Ekfr");		/* ttalg */
}

static void other_keys_stay(void **state)
{
	static const uint32_t stay[] = { 'j', 0x3130, 0x3164, 0x318e, 0x1113, 0x1160, 0x11c3, 0xabff,
					 0xd7a4, 0xffa1, 0x4e00 };
	struct key up = named(KEY_UP_ARROW, MOD_SHIFT), out[5];

	(void)state;
	for (size_t i = 0; i < sizeof stay / sizeof *stay; i++) {
		struct key k = character(stay[i], 0);

		assert_int_equal(key_from_hangul(&k, out), 1);
		assert_true(key_equal(&k, &out[0]));
	}
	assert_int_equal(key_from_hangul(&up, out), 1);
	assert_true(key_equal(&up, &out[0]));
	out[0] = character(0xd55c, 0);
	assert_int_equal(key_from_hangul(out, out), 3);	/* in place */
	assert_int_equal(out[2].code, 's');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_and_back),
		cmocka_unit_test(every_name_and_modifier),
		cmocka_unit_test(mouse_and_paste),
		cmocka_unit_test(names_in_any_case),
		cmocka_unit_test(what_is_no_key),
		cmocka_unit_test(equality),
		cmocka_unit_test(jamo_are_the_keys_they_sit_on),
		cmocka_unit_test(syllables_come_apart),
		cmocka_unit_test(other_keys_stay),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests_name("key", tests, NULL, NULL);
}
