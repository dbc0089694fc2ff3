/* key.c - keys as text and back, and Hangul as the keys it was typed with. */
#include "tui/key.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/utf8.h"

/* The first name of a key is the one that is written. */
static const struct name {
	const char *text;
	enum key_kind kind;
	uint32_t code;
} names[] = {
	{ "Up", KEY_NAMED, KEY_UP_ARROW },
	{ "Down", KEY_NAMED, KEY_DOWN_ARROW },
	{ "Left", KEY_NAMED, KEY_LEFT_ARROW },
	{ "Right", KEY_NAMED, KEY_RIGHT_ARROW },
	{ "Enter", KEY_NAMED, KEY_RETURN },
	{ "CR", KEY_NAMED, KEY_RETURN },
	{ "Return", KEY_NAMED, KEY_RETURN },
	{ "Esc", KEY_NAMED, KEY_ESCAPE },
	{ "Escape", KEY_NAMED, KEY_ESCAPE },
	{ "BS", KEY_NAMED, KEY_BACK },
	{ "Backspace", KEY_NAMED, KEY_BACK },
	{ "Tab", KEY_NAMED, KEY_TABULATOR },
	{ "Home", KEY_NAMED, KEY_HOME_ },
	{ "End", KEY_NAMED, KEY_END_ },
	{ "PgUp", KEY_NAMED, KEY_PAGE_UP },
	{ "PageUp", KEY_NAMED, KEY_PAGE_UP },
	{ "PgDn", KEY_NAMED, KEY_PAGE_DOWN },
	{ "PageDown", KEY_NAMED, KEY_PAGE_DOWN },
	{ "Ins", KEY_NAMED, KEY_INSERT },
	{ "Insert", KEY_NAMED, KEY_INSERT },
	{ "Del", KEY_NAMED, KEY_REMOVE },
	{ "Delete", KEY_NAMED, KEY_REMOVE },
	{ "F1", KEY_NAMED, KEY_F1 },
	{ "F2", KEY_NAMED, KEY_F1 + 1 },
	{ "F3", KEY_NAMED, KEY_F1 + 2 },
	{ "F4", KEY_NAMED, KEY_F1 + 3 },
	{ "F5", KEY_NAMED, KEY_F1 + 4 },
	{ "F6", KEY_NAMED, KEY_F1 + 5 },
	{ "F7", KEY_NAMED, KEY_F1 + 6 },
	{ "F8", KEY_NAMED, KEY_F1 + 7 },
	{ "F9", KEY_NAMED, KEY_F1 + 8 },
	{ "F10", KEY_NAMED, KEY_F1 + 9 },
	{ "F11", KEY_NAMED, KEY_F1 + 10 },
	{ "F12", KEY_NAMED, KEY_F12 },
	{ "Space", KEY_CHARACTER, ' ' },
	{ "lt", KEY_CHARACTER, '<' },
	{ "gt", KEY_CHARACTER, '>' },
};
enum { NAMES = sizeof names / sizeof *names };

enum { POSITION_MAX = 99999 };	/* what KEY_TEXT_SIZE has room for */

static const char *name_of(enum key_kind kind, uint32_t code)
{
	for (int i = 0; i < NAMES; i++)
		if (names[i].kind == kind && names[i].code == code)
			return names[i].text;
	return NULL;
}

static bool is_printable(uint32_t code)
{
	return utf8_is_scalar(code) && code >= 0x20 && (code < 0x7f || code >= 0xa0);
}

static int clamp_position(int n)
{
	return n < 0 ? 0 : n > POSITION_MAX ? POSITION_MAX : n;
}

static void format_mouse(const struct key *k, char out[KEY_TEXT_SIZE])
{
	int row = clamp_position(k->row), column = clamp_position(k->column);

	if (k->kind == KEY_WHEEL)
		snprintf(out, KEY_TEXT_SIZE, "<Wheel%s@%d,%d>", k->code ? "Down" : "Up", row, column);
	else
		snprintf(out, KEY_TEXT_SIZE, "<Click%u@%d,%d>", k->code % 10, row, column);
}

void key_format(const struct key *k, char out[KEY_TEXT_SIZE])
{
	unsigned modifiers = k->modifiers;
	const char *name = name_of(k->kind, k->code);
	char own[12];
	bool plain = false;

	out[0] = '\0';
	if (k->kind == KEY_CLICK || k->kind == KEY_WHEEL) {
		format_mouse(k, out);
	} else if (k->kind == KEY_PASTE) {
		strcpy(out, "<Paste>");
	} else if (k->kind == KEY_CHARACTER) {
		modifiers &= ~(unsigned)MOD_SHIFT;
		if (!name && is_printable(k->code)) {
			own[utf8_encode(k->code, own)] = '\0';
			name = own;
			plain = !modifiers;
		} else if (!name) {
			snprintf(own, sizeof own, "U+%04X", utf8_is_scalar(k->code) ? k->code : UTF8_REPLACEMENT);
			name = own;
		}
	}
	if (plain)
		strcpy(out, own);
	else if (name)
		snprintf(out, KEY_TEXT_SIZE, "<%s%s%s%s>", modifiers & MOD_CONTROL ? "C-" : "",
			 modifiers & MOD_ALT ? "A-" : "", modifiers & MOD_SHIFT ? "S-" : "", name);
}

/* "C-" "A-" "S-", in any order and either case; returns their bytes. */
static size_t parse_modifiers(const char *text, unsigned *modifiers)
{
	size_t at = 0;

	*modifiers = 0;
	for (; text[at] && text[at + 1] == '-'; at += 2) {
		switch (text[at]) {
		case 'C': case 'c': *modifiers |= MOD_CONTROL; break;
		case 'A': case 'a': *modifiers |= MOD_ALT; break;
		case 'S': case 's': *modifiers |= MOD_SHIFT; break;
		default: return at;
		}
	}
	return at;
}

/* A printable character as itself; 0 for anything else. */
static size_t parse_character(const char *text, struct key *k)
{
	uint32_t code;
	size_t n = utf8_decode(text, UTF8_MAX, &code);

	if (!n || !is_printable(code))
		return 0;
	k->kind = KEY_CHARACTER;
	k->code = code;
	return n;
}

/* U+HHHH, up to six digits: what has no other form. */
static bool parse_code(const char *text, size_t length, struct key *k)
{
	uint32_t code = 0;

	if (length < 6 || length > 8 || strncasecmp(text, "U+", 2))
		return false;
	for (size_t i = 2; i < length; i++) {
		unsigned char c = (unsigned char)text[i] | 0x20;

		if ((c < '0' || c > '9') && (c < 'a' || c > 'f'))
			return false;
		code = code * 16 + (c <= '9' ? c - 0x30u : c - 0x57u);
	}
	k->kind = KEY_CHARACTER;
	k->code = code;
	return utf8_is_scalar(code);
}

static bool parse_name(const char *text, size_t length, struct key *k)
{
	for (int i = 0; i < NAMES; i++) {
		if (strlen(names[i].text) == length && !strncasecmp(names[i].text, text, length)) {
			k->kind = names[i].kind;
			k->code = names[i].code;
			return true;
		}
	}
	return parse_code(text, length, k);
}

static size_t parse_number(const char *text, int *number)
{
	size_t n = 0;

	for (*number = 0; text[n] >= '0' && text[n] <= '9' && n < 5; n++)
		*number = 10 * *number + (text[n] - '0');
	return n;
}

/* "Click1@5,10" with its ">"; returns the bytes. */
static size_t parse_mouse(const char *text, struct key *k)
{
	static const struct {
		const char *text;
		enum key_kind kind;
		uint32_t code;
	} mice[] = {
		{ "Click1@", KEY_CLICK, 1 }, { "Click2@", KEY_CLICK, 2 }, { "Click3@", KEY_CLICK, 3 },
		{ "WheelUp@", KEY_WHEEL, 0 }, { "WheelDown@", KEY_WHEEL, 1 },
	};

	for (size_t i = 0; i < sizeof mice / sizeof *mice; i++) {
		size_t at = strlen(mice[i].text), n;

		if (strncasecmp(text, mice[i].text, at))
			continue;
		k->kind = mice[i].kind;
		k->code = mice[i].code;
		n = parse_number(text + at, &k->row);
		at += n;
		if (!n || text[at++] != ',')
			return 0;
		n = parse_number(text + at, &k->column);
		at += n;
		return n && text[at] == '>' ? at + 1 : 0;
	}
	return 0;
}

/* A terminal sends the same for Ctrl-R and Ctrl-Shift-R, and 'A' for Shift-A. */
static bool settle_modifiers(struct key *k, unsigned modifiers)
{
	if (k->kind == KEY_CHARACTER && modifiers & MOD_SHIFT) {
		if (k->code < 'A' || k->code > 'z' || (k->code > 'Z' && k->code < 'a'))
			return false;
		modifiers &= ~(unsigned)MOD_SHIFT;
		k->code &= ~0x20u;
	}
	if (k->kind == KEY_CHARACTER && modifiers & MOD_CONTROL && k->code >= 'A' && k->code <= 'Z')
		k->code |= 0x20;
	k->modifiers = modifiers;
	return true;
}

/* What follows '<', up to and with '>'; returns the bytes. */
static size_t parse_bracket(const char *text, struct key *k)
{
	unsigned modifiers;
	size_t at = parse_modifiers(text, &modifiers);
	size_t n = modifiers ? parse_character(text + at, k) : 0;

	if (!n || text[at + n] != '>') {
		const char *end = strchr(text + at, '>');

		if (!modifiers && (n = parse_mouse(text, k)))
			return n;
		if (!end || !parse_name(text + at, (size_t)(end - text) - at, k))
			return 0;
		n = (size_t)(end - text) - at;
	}
	return settle_modifiers(k, modifiers) ? at + n + 1 : 0;
}

size_t key_parse(const char *text, struct key *k)
{
	struct key read = { .kind = KEY_NONE };
	size_t n;

	if (*text == '<') {
		n = parse_bracket(text + 1, &read);
		n += n > 0;
	} else {
		n = parse_character(text, &read);
	}
	if (n)
		*k = read;
	return n;
}

bool key_equal(const struct key *a, const struct key *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case KEY_CHARACTER:
	case KEY_NAMED:
		return a->code == b->code && a->modifiers == b->modifiers;
	case KEY_CLICK:
	case KEY_WHEEL:
		return a->code == b->code && a->modifiers == b->modifiers && a->row == b->row &&
		       a->column == b->column;
	case KEY_PASTE:
		return a->length == b->length &&
		       (!a->length || !memcmp(a->text, b->text, a->length));
	default:
		return true;
	}
}

/* The keys of the two-set layout (KS X 5002). Compatibility jamo from U+3131,
 * consonants in their order, then vowels. */
static const char *const jamo_keys[] = {
	"r", "R", "rt", "s", "sw", "sg", "e", "E", "f", "fr", "fa", "fq", "ft", "fx", "fv", "fg",
	"a", "q", "Q", "qt", "t", "T", "d", "w", "W", "c", "z", "x", "v", "g",
	"k", "o", "i", "O", "j", "p", "u", "P", "h", "hk", "ho", "hl", "y", "n", "nj", "np", "nl",
	"b", "m", "ml", "l",
};
enum { CONSONANTS = 30, VOWELS = 21, INITIALS = 19, FINALS = 27 };

/* The conjoining consonants, as places in the table above. */
static const uint8_t initials[INITIALS] = {
	0, 1, 3, 6, 7, 8, 16, 17, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
};
static const uint8_t finals[FINALS] = {
	0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 22, 23, 25, 26, 27,
	28, 29,
};

/* The places in jamo_keys of what code is made of; returns how many, 0 to 3. */
static int take_apart(uint32_t code, int place[3])
{
	int n = 1;

	if (code >= 0x3131 && code < 0x3131 + CONSONANTS + VOWELS) {
		place[0] = (int)(code - 0x3131);
	} else if (code >= 0x1100 && code < 0x1100 + INITIALS) {
		place[0] = initials[code - 0x1100];
	} else if (code >= 0x1161 && code < 0x1161 + VOWELS) {
		place[0] = CONSONANTS + (int)(code - 0x1161);
	} else if (code >= 0x11a8 && code < 0x11a8 + FINALS) {
		place[0] = finals[code - 0x11a8];
	} else if (code >= 0xac00 && code <= 0xd7a3) {
		unsigned s = code - 0xac00, final = s % (FINALS + 1);

		place[0] = initials[s / (FINALS + 1) / VOWELS];
		place[1] = CONSONANTS + (int)(s / (FINALS + 1) % VOWELS);
		n = 2;
		if (final)
			place[n++] = finals[final - 1];
	} else {
		n = 0;
	}
	return n;
}

int key_from_hangul(const struct key *k, struct key out[5])
{
	struct key key = *k;	/* out may be where k is */
	int place[3], n = 0;
	int parts = key.kind == KEY_CHARACTER ? take_apart(key.code, place) : 0;

	for (int i = 0; i < parts; i++) {
		for (const char *p = jamo_keys[place[i]]; *p; p++) {
			out[n] = key;
			out[n++].code = (unsigned char)*p;
		}
	}
	if (!n)
		out[n++] = key;
	return n;
}
