/* key.h - one key press, one click, one paste; with a text form and back. */
#ifndef TUI_KEY_H
#define TUI_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum key_kind { KEY_NONE, KEY_CHARACTER, KEY_NAMED, KEY_CLICK, KEY_WHEEL, KEY_PASTE };

enum key_name {
	KEY_UP_ARROW, KEY_DOWN_ARROW, KEY_LEFT_ARROW, KEY_RIGHT_ARROW, KEY_RETURN, KEY_ESCAPE,
	KEY_BACK, KEY_TABULATOR, KEY_HOME_, KEY_END_, KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_INSERT,
	KEY_REMOVE, KEY_F1, KEY_F12 = KEY_F1 + 11
};

enum key_modifier { MOD_SHIFT = 1, MOD_ALT = 2, MOD_CONTROL = 4 };

struct key {
	enum key_kind kind;
	uint32_t code;		/* CHARACTER: code point (Ctrl-R is 'r' with MOD_CONTROL, space is ' ');
				 * NAMED: enum key_name; CLICK: button 1..3; WHEEL: 0 up, 1 down */
	unsigned modifiers;	/* MOD_SHIFT only with NAMED keys */
	int row, column;	/* CLICK, WHEEL: 0-based screen cell */
	const char *text;	/* PASTE: UTF-8, valid until the next event; may hold any byte */
	size_t length;
};

enum { KEY_TEXT_SIZE = 24 };

/* "c", "G", "<Up>", "<C-r>", "<A-x>", "<S-Tab>", "<Space>", "<lt>", "<gt>", "<F1>", "<BS>", "<Del>"...
 * Mouse events carry their place, "<Click1@5,12>" or "<WheelUp@0,3>" (row,
 * column), and no modifiers; what has no other form is "<U+001B>"; a paste is
 * "<Paste>" and is not read back. */
void key_format(const struct key *k, char out[KEY_TEXT_SIZE]);
/* Reads one key from text; returns the bytes used, or 0 when text does not
 * start with a key (an unknown <Name>, bytes that are not UTF-8, empty); *k is
 * then as it was. Names may have any case, and other spellings ("<CR>",
 * "<Return>", "<PageUp>"); "<S-a>" reads as "A", "<C-R>" as "<C-r>". */
size_t key_parse(const char *text, struct key *k);
bool key_equal(const struct key *a, const struct key *b);

/* A Hangul jamo typed with the two-set layout acts as the Latin key it sits on;
 * a composed syllable is taken apart into its keys (at most 5, a double vowel and double final are
 * two keys each; tense consonants are the shifted letters). Returns how many
 * keys were written to out; any other key is copied unchanged (1). */
int key_from_hangul(const struct key *k, struct key out[5]);

#endif
