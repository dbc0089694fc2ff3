/* input.c - bytes from a terminal to keys. */
#include "tui/term/input.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <termkey.h>

#include "core/buffer.h"

enum {
	ESCAPE_BYTE = 0x1b,
	TOKEN_MAX = 64,		/* longer control sequences are no keys */
	PARAMETERS_MAX = 3,
	DIGITS_MAX = 6,
	PASTE_STALL = 2000,	/* ms of silence that end a paste without an end mark */
	STRING_STALL = 1000,	/* the same for a string of the terminal */
};

enum state {
	GROUND,
	ESCAPE,		/* Esc */
	CSI,		/* Esc [, parameters */
	CSI_SKIP,	/* a control sequence that is too long */
	CSI_LINUX,	/* Esc [ [: the Linux console's F1 to F5 */
	SS3,		/* Esc O */
	STRING,		/* OSC, DCS, APC, PM, SOS: to BEL or ST */
	STRING_ESCAPE,	/* Esc in one of them */
	UTF8,
	MOUSE,		/* Esc [ M: three bytes follow */
	PASTE,
};

struct input {
	TermKey *termkey;
	int escape_wait;
	const unsigned char *bytes;	/* lent, not looked at yet */
	size_t left;

	enum state state;
	unsigned char token[TOKEN_MAX];	/* what is half-read, from its first byte */
	size_t size;
	int missing;			/* bytes of UTF8 and MOUSE */
	unsigned char lead;		/* UTF8: the first byte while the second is awaited */

	struct buffer paste;
	size_t matched;			/* bytes of paste_end seen */
	bool paste_ready;
};

static const char paste_end[] = "\033[201~";

/* ---------------------------------------------------------------- tokens */

static void reset(struct input *in)
{
	in->size = 0;
	in->state = GROUND;
}

static void append(struct input *in, unsigned char byte)
{
	if (in->size < TOKEN_MAX)
		in->token[in->size++] = byte;
}

static void push(struct input *in, const void *bytes, size_t count)
{
	termkey_push_bytes(in->termkey, bytes, count);
	reset(in);
}

static void push_token(struct input *in)
{
	push(in, in->token, in->size);
}

/* ---------------------------------------------------------------- control sequences */

struct csi {
	bool private;		/* '<': an SGR mouse report */
	int count;
	bool given[PARAMETERS_MAX];
	unsigned value[PARAMETERS_MAX];
	unsigned char final;
};

/* Keeps the first of colon-separated sub-parameters, as kitty sends them. */
static bool csi_parameters(struct csi *c, const unsigned char *p, size_t n)
{
	int digits = 0;
	bool sub = false;

	c->count = n ? 1 : 0;
	for (size_t i = 0; i < n; i++) {
		if (p[i] == ';') {
			if (++c->count > PARAMETERS_MAX)
				return false;
			digits = 0;
			sub = false;
		} else if (p[i] == ':') {
			sub = true;
		} else if (p[i] < '0' || p[i] > '9') {
			return false;
		} else if (!sub) {
			if (++digits > DIGITS_MAX)
				return false;
			c->given[c->count - 1] = true;
			c->value[c->count - 1] = c->value[c->count - 1] * 10 + (p[i] - '0');
		}
	}
	return true;
}

static bool csi_parse(const struct input *in, struct csi *c)
{
	const unsigned char *p = in->token + 2;
	size_t n = in->size - 3;

	*c = (struct csi){ .final = in->token[in->size - 1] };
	if (n && *p == '<') {
		c->private = true;
		p++;
		n--;
	}
	return csi_parameters(c, p, n);
}

/* A code point that a key may have: kitty numbers its other keys from U+E000. */
static bool is_key_code(unsigned code)
{
	return code < 0xd800 || (code > 0xf8ff && code <= 0x10ffff);
}

static bool csi_is_mouse(const struct csi *c)
{
	return c->private && c->count == 3 && c->given[0] && c->given[1] && c->given[2] &&
	       (c->final == 'M' || c->final == 'm');
}

/* Whether libtermkey may see it. */
static bool csi_is_key(const struct csi *c)
{
	if (c->private)
		return csi_is_mouse(c);
	if (c->given[1] && !c->value[1])	/* modifiers are one more than their bits */
		return false;
	switch (c->final) {
	case 'u':
		return c->given[0] && is_key_code(c->value[0]);
	case '~':
		if (!c->given[0])
			return false;
		if (c->value[0] == 27)		/* xterm's modifyOtherKeys */
			return c->given[2] && is_key_code(c->value[2]);
		return c->count < 3;
	case 'R':				/* F3, or a report of the cursor's place */
		return c->count < 2 || (c->given[0] && c->value[0] == 1 && c->value[1] <= 16);
	case 'M': case 'm': case 'y':
		return false;
	}
	return true;
}

static void csi_push(struct input *in, const struct csi *c)
{
	char out[TOKEN_MAX];
	int n = snprintf(out, sizeof out, "\033[%s", c->private ? "<" : "");

	for (int i = 0; i < c->count; i++) {
		if (i)
			out[n++] = ';';
		if (c->given[i])
			n += snprintf(out + n, sizeof out - (size_t)n, "%u", c->value[i]);
	}
	out[n++] = (char)c->final;
	push(in, out, (size_t)n);
}

static void paste_begin(struct input *in)
{
	buffer_free(&in->paste);
	in->matched = 0;
	in->size = 0;
	in->state = PASTE;
}

static void csi_end(struct input *in)
{
	struct csi c;
	bool parsed = csi_parse(in, &c);

	if (parsed && !c.private && !c.count && c.final == 'M') {
		in->state = MOUSE;
		in->missing = 3;
	} else if (parsed && !c.private && !c.count && c.final == '[') {
		in->state = CSI_LINUX;
	} else if (parsed && !c.private && c.count == 1 && c.value[0] == 200 && c.final == '~') {
		paste_begin(in);
	} else if (parsed && csi_is_key(&c)) {
		csi_push(in, &c);
	} else {
		reset(in);
	}
}

/* ---------------------------------------------------------------- paste */

static void paste_add(struct input *in, const void *bytes, size_t count)
{
	size_t room = INPUT_PASTE_MAX - in->paste.size;

	buffer_put(&in->paste, bytes, count < room ? count : room);
}

static void paste_finish(struct input *in)
{
	in->paste_ready = true;
	reset(in);
}

/* Esc stands only at the start of the end mark, so a mismatch can start it
 * anew only with the byte itself. */
static bool paste_byte(struct input *in, unsigned char byte)
{
	if (byte == (unsigned char)paste_end[in->matched]) {
		if (!paste_end[++in->matched])
			paste_finish(in);
		return true;
	}
	if (!in->matched) {
		paste_add(in, &byte, 1);
		return true;
	}
	paste_add(in, paste_end, in->matched);
	in->matched = 0;
	return false;
}

static struct key paste_key(struct input *in)
{
	bool any = in->paste.data && !in->paste.failed;

	in->paste_ready = false;
	return (struct key){ .kind = KEY_PASTE, .text = any ? in->paste.data : "",
			     .length = any ? in->paste.size : 0 };
}

/* ---------------------------------------------------------------- the filter
 *
 * Each of these takes one byte in its state; false means that the byte ended
 * what was there without being part of it, and is to be taken again. */

static bool begin_utf8(struct input *in, unsigned char byte)
{
	in->missing = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
	in->lead = byte;
	in->state = UTF8;
	append(in, byte);
	return true;
}

static bool is_utf8_lead(unsigned char byte)
{
	return byte >= 0xc2 && byte <= 0xf4;
}

static bool ground_byte(struct input *in, unsigned char byte)
{
	in->size = 0;
	if (is_utf8_lead(byte))
		return begin_utf8(in, byte);
	if (byte == ESCAPE_BYTE) {
		append(in, byte);
		in->state = ESCAPE;
	} else if (byte < 0x80) {
		push(in, &byte, 1);
	}
	return true;
}

static bool escape_byte(struct input *in, unsigned char byte)
{
	if (byte == ESCAPE_BYTE) {	/* twice Esc, not Alt-Esc */
		push_token(in);
		return false;
	}
	if (is_utf8_lead(byte))
		return begin_utf8(in, byte);
	append(in, byte);
	switch (byte) {
	case '[':
		in->state = CSI;
		break;
	case 'O':
		in->state = SS3;
		break;
	case ']': case 'P': case '_': case '^': case 'X':
		in->state = STRING;
		break;
	default:
		if (byte < 0x80)
			push_token(in);
		else
			reset(in);
	}
	return true;
}

static bool csi_byte(struct input *in, unsigned char byte)
{
	if (byte < 0x20 || byte >= 0x7f) {
		reset(in);
		return byte != ESCAPE_BYTE && byte < 0x80;
	}
	append(in, byte);
	if (byte >= 0x40)
		csi_end(in);
	else if (in->size == TOKEN_MAX)
		in->state = CSI_SKIP;
	return true;
}

static bool csi_skip_byte(struct input *in, unsigned char byte)
{
	if (byte < 0x20 || byte >= 0x40)
		reset(in);
	return byte != ESCAPE_BYTE;
}

static bool csi_linux_byte(struct input *in, unsigned char byte)
{
	char function[] = "\033[11~";

	if (byte < 'A' || byte > 'E') {
		reset(in);
		return byte >= 0x20 && byte < 0x7f;
	}
	function[3] = (char)(byte - 'A' + '1');
	push(in, function, sizeof function - 1);
	return true;
}

static bool ss3_byte(struct input *in, unsigned char byte)
{
	if (byte < '0' || byte >= 0x7f) {
		reset(in);
		return false;
	}
	append(in, byte);
	if (byte <= '9')	/* old xterm's modifiers: no key, but one sequence */
		return true;
	if (in->size == 3 && strchr("ABCDEFHPQRSMXjklmnopqrstuvwxyIZ", byte))
		push_token(in);
	else
		reset(in);
	return true;
}

static bool string_byte(struct input *in, unsigned char byte)
{
	if (byte == ESCAPE_BYTE)
		in->state = STRING_ESCAPE;
	else if (byte == 0x07 || byte == 0x18 || byte == 0x1a)
		reset(in);
	else
		append(in, byte);
	return true;
}

static bool string_escape_byte(struct input *in, unsigned char byte)
{
	reset(in);
	if (byte == '\\')
		return true;
	append(in, ESCAPE_BYTE);
	in->state = ESCAPE;
	return false;
}

/* Well-formed UTF-8 only (Unicode, table 3-7), and no C1 control. */
static bool is_second(unsigned char lead, unsigned char byte)
{
	switch (lead) {
	case 0xc2: case 0xe0:
		return byte >= 0xa0;
	case 0xed:
		return byte < 0xa0;
	case 0xf0:
		return byte >= 0x90;
	case 0xf4:
		return byte < 0x90;
	}
	return true;
}

static bool utf8_byte(struct input *in, unsigned char byte)
{
	if ((byte & 0xc0) != 0x80 || !is_second(in->lead, byte)) {
		reset(in);
		return false;
	}
	append(in, byte);
	in->lead = 0;
	if (--in->missing == 0)
		push_token(in);
	return true;
}

static bool mouse_byte(struct input *in, unsigned char byte)
{
	if (byte < (in->missing == 3 ? ' ' : '!')) {
		reset(in);
		return byte != ESCAPE_BYTE;
	}
	append(in, byte);
	if (--in->missing == 0)
		push_token(in);
	return true;
}

static bool take(struct input *in, unsigned char byte)
{
	switch (in->state) {
	case GROUND: return ground_byte(in, byte);
	case ESCAPE: return escape_byte(in, byte);
	case CSI: return csi_byte(in, byte);
	case CSI_SKIP: return csi_skip_byte(in, byte);
	case CSI_LINUX: return csi_linux_byte(in, byte);
	case SS3: return ss3_byte(in, byte);
	case STRING: return string_byte(in, byte);
	case STRING_ESCAPE: return string_escape_byte(in, byte);
	case UTF8: return utf8_byte(in, byte);
	case MOUSE: return mouse_byte(in, byte);
	case PASTE: return paste_byte(in, byte);
	}
	return true;
}

/* ---------------------------------------------------------------- keys of libtermkey */

static const struct { TermKeySym symbol; enum key_name name; } named[] = {
	{ TERMKEY_SYM_UP, KEY_UP_ARROW }, { TERMKEY_SYM_DOWN, KEY_DOWN_ARROW },
	{ TERMKEY_SYM_LEFT, KEY_LEFT_ARROW }, { TERMKEY_SYM_RIGHT, KEY_RIGHT_ARROW },
	{ TERMKEY_SYM_ENTER, KEY_RETURN }, { TERMKEY_SYM_KPENTER, KEY_RETURN },
	{ TERMKEY_SYM_ESCAPE, KEY_ESCAPE }, { TERMKEY_SYM_BACKSPACE, KEY_BACK },
	{ TERMKEY_SYM_TAB, KEY_TABULATOR },
	{ TERMKEY_SYM_HOME, KEY_HOME_ }, { TERMKEY_SYM_FIND, KEY_HOME_ },
	{ TERMKEY_SYM_END, KEY_END_ }, { TERMKEY_SYM_SELECT, KEY_END_ },
	{ TERMKEY_SYM_PAGEUP, KEY_PAGE_UP }, { TERMKEY_SYM_PAGEDOWN, KEY_PAGE_DOWN },
	{ TERMKEY_SYM_INSERT, KEY_INSERT }, { TERMKEY_SYM_DELETE, KEY_REMOVE },
};

static const struct { TermKeySym symbol; char character; } typed[] = {
	{ TERMKEY_SYM_SPACE, ' ' },
	{ TERMKEY_SYM_KP0, '0' }, { TERMKEY_SYM_KP1, '1' }, { TERMKEY_SYM_KP2, '2' },
	{ TERMKEY_SYM_KP3, '3' }, { TERMKEY_SYM_KP4, '4' }, { TERMKEY_SYM_KP5, '5' },
	{ TERMKEY_SYM_KP6, '6' }, { TERMKEY_SYM_KP7, '7' }, { TERMKEY_SYM_KP8, '8' },
	{ TERMKEY_SYM_KP9, '9' }, { TERMKEY_SYM_KPPLUS, '+' }, { TERMKEY_SYM_KPMINUS, '-' },
	{ TERMKEY_SYM_KPMULT, '*' }, { TERMKEY_SYM_KPDIV, '/' }, { TERMKEY_SYM_KPCOMMA, ',' },
	{ TERMKEY_SYM_KPPERIOD, '.' }, { TERMKEY_SYM_KPEQUALS, '=' },
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static unsigned modifiers(const TermKeyKey *k)
{
	return (k->modifiers & TERMKEY_KEYMOD_SHIFT ? MOD_SHIFT : 0u) |
	       (k->modifiers & TERMKEY_KEYMOD_ALT ? MOD_ALT : 0u) |
	       (k->modifiers & TERMKEY_KEYMOD_CTRL ? MOD_CONTROL : 0u);
}

static void set_named(struct key *key, enum key_name name, unsigned mods)
{
	key->kind = KEY_NAMED;
	key->code = name;
	key->modifiers = name == KEY_ESCAPE ? 0 : mods;
}

static void set_character(struct key *key, uint32_t code, unsigned mods)
{
	key->kind = KEY_CHARACTER;
	key->code = code;
	key->modifiers = mods & ~(unsigned)MOD_SHIFT;
}

/* Terminals that tell Shift apart send the lower case with it, and some the
 * upper case with Ctrl. */
static uint32_t letter_case(uint32_t code, unsigned mods)
{
	if (mods & MOD_CONTROL && code >= 'A' && code <= 'Z')
		return code - 'A' + 'a';
	if (mods & MOD_SHIFT && !(mods & MOD_CONTROL) && code >= 'a' && code <= 'z')
		return code - 'a' + 'A';
	return code;
}

static bool from_unicode(const TermKeyKey *k, struct key *key)
{
	uint32_t code = (uint32_t)k->code.codepoint;
	unsigned mods = modifiers(k);

	if (code == 'j' && mods == MOD_CONTROL)		/* line feed */
		set_named(key, KEY_RETURN, 0);
	else if (code == 'h' && mods == MOD_CONTROL)	/* the backspace of some terminals */
		set_named(key, KEY_BACK, 0);
	else if (code == 0x7f)
		set_named(key, KEY_BACK, mods);
	else if (code < 0x20 || (code > 0x7f && code < 0xa0))
		return false;
	else
		set_character(key, letter_case(code, mods), mods);
	return true;
}

static bool from_symbol(const TermKeyKey *k, struct key *key)
{
	for (size_t i = 0; i < COUNT(named); i++)
		if (named[i].symbol == k->code.sym) {
			set_named(key, named[i].name, modifiers(k));
			return true;
		}
	for (size_t i = 0; i < COUNT(typed); i++)
		if (typed[i].symbol == k->code.sym) {
			set_character(key, (uint32_t)typed[i].character, modifiers(k));
			return true;
		}
	return false;
}

/* terminfo counts the shifted keys on: F13 is Shift-F1. */
static bool from_function(const TermKeyKey *k, struct key *key)
{
	int n = k->code.number;

	if (n < 1 || n > 24)
		return false;
	set_named(key, KEY_F1 + (enum key_name)((n - 1) % 12),
		  modifiers(k) | (n > 12 ? MOD_SHIFT : 0u));
	return true;
}

static bool from_mouse(struct input *in, const TermKeyKey *k, struct key *key)
{
	TermKeyMouseEvent event;
	int button, line, column;

	if (termkey_interpret_mouse(in->termkey, k, &event, &button, &line, &column) !=
	    TERMKEY_RES_KEY)
		return false;
	if (event != TERMKEY_MOUSE_PRESS || button < 1 || button > 5 || line < 1 || column < 1)
		return false;
	key->kind = button < 4 ? KEY_CLICK : KEY_WHEEL;
	key->code = button < 4 ? (uint32_t)button : (uint32_t)button - 4;
	key->modifiers = modifiers(k) & ~(unsigned)MOD_SHIFT;
	key->row = line - 1;
	key->column = column - 1;
	return true;
}

/* False for what is no key of ours. */
static bool translate(struct input *in, const TermKeyKey *k, struct key *key)
{
	*key = (struct key){ 0 };
	switch (k->type) {
	case TERMKEY_TYPE_UNICODE: return from_unicode(k, key);
	case TERMKEY_TYPE_KEYSYM: return from_symbol(k, key);
	case TERMKEY_TYPE_FUNCTION: return from_function(k, key);
	case TERMKEY_TYPE_MOUSE: return from_mouse(in, k, key);
	default: return false;
	}
}

/* Tokens are complete when they are pushed, so nothing is waited for here. */
static bool next_of_termkey(struct input *in, struct key *key)
{
	TermKeyKey k;

	for (;;) {
		TermKeyResult r = termkey_getkey(in->termkey, &k);
		if (r == TERMKEY_RES_AGAIN)
			r = termkey_getkey_force(in->termkey, &k);
		if (r != TERMKEY_RES_KEY)
			return false;
		if (translate(in, &k, key))
			return true;
	}
}

/* ---------------------------------------------------------------- public */

/* ncurses 6.1 and later say that the mouse starts with Esc [ <, which
 * libtermkey 0.22 takes for the old form. Its own default knows both. */
static const char *without_mouse(const char *name, const char *value, void *data)
{
	(void)data;
	return strcmp(name, "key_mouse") ? value : NULL;
}

static TermKey *start_termkey(const char *term)
{
	TermKey *tk = termkey_new_abstract(term ? term : "",
					   TERMKEY_FLAG_UTF8 | TERMKEY_FLAG_NOSTART);

	if (!tk)
		return NULL;
	termkey_hook_terminfo_getstr(tk, without_mouse, NULL);
	termkey_set_canonflags(tk, TERMKEY_CANON_DELBS);
	if (termkey_start(tk))
		return tk;
	termkey_destroy(tk);
	return NULL;
}

struct input *input_new(const char *term, int escape_wait)
{
	struct input *in = calloc(1, sizeof *in);

	if (!in)
		return NULL;
	in->escape_wait = escape_wait;
	in->termkey = start_termkey(term);
	if (!in->termkey) {
		free(in);
		return NULL;
	}
	return in;
}

void input_free(struct input *in)
{
	if (!in)
		return;
	termkey_destroy(in->termkey);
	buffer_free(&in->paste);
	free(in);
}

void input_feed(struct input *in, const void *bytes, size_t count)
{
	in->bytes = bytes;
	in->left = count;
}

bool input_next(struct input *in, struct key *key)
{
	for (;;) {
		if (in->paste_ready) {
			*key = paste_key(in);
			return true;
		}
		if (next_of_termkey(in, key))
			return true;
		if (!in->left)
			return false;
		in->left--;
		unsigned char byte = *in->bytes++;
		while (!take(in, byte))
			;
	}
}

bool input_pending(const struct input *in)
{
	return in->left > 0;
}

int input_timeout(const struct input *in)
{
	switch (in->state) {
	case GROUND:
		return -1;
	case PASTE:
		return PASTE_STALL;
	case STRING: case STRING_ESCAPE:
		return in->size > 2 ? STRING_STALL : in->escape_wait;
	default:
		return in->escape_wait;
	}
}

/* Esc, and Alt with a key that also introduces a sequence, stand alone. */
void input_expire(struct input *in)
{
	bool introducer = in->size == 2 &&
			  (in->state == CSI || in->state == SS3 || in->state == STRING);

	if (in->state == PASTE)
		paste_finish(in);
	else if (in->state == ESCAPE || introducer)
		push_token(in);
	else
		reset(in);
}
