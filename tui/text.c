/* text.c - text from anywhere, cut into terminal cells that are safe to show. */
#include "tui/text.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include <wchar.h>

#include "core/utf8.h"

size_t text_decode(const char *text, size_t length, int32_t *code)
{
	uint32_t c;
	size_t n = utf8_decode(text, length, &c);

	*code = n ? (int32_t)c : -1;
	return n ? n : utf8_malformed(text, length);
}

/* May c change, or be changed by, what stands before it when NFC is made? */
static bool joins(int32_t c)
{
	if (c < 0x300)
		return false;
	if ((c >= 0x1160 && c < 0x1200) || (c >= 0xd7b0 && c < 0xd800))
		return true;	/* conjoining vowels and finals */
	utf8proc_category_t k = utf8proc_category(c);
	return k == UTF8PROC_CATEGORY_MN || k == UTF8PROC_CATEGORY_MC || k == UTF8PROC_CATEGORY_ME;
}

/* Invisible, and able to move what is around it or to glue cells together. */
static bool is_dropped(int32_t c)
{
	if (c < 0x34f)
		return false;
	if (c == 0x34f || c == 0x61c || (c >= 0x180b && c <= 0x180f) ||
	    (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) ||
	    (c >= 0x2060 && c <= 0x206f) || (c >= 0xfe00 && c <= 0xfe0f) || c == 0xfeff ||
	    (c >= 0xe0000 && c <= 0xe0fff))
		return true;
	return utf8proc_category(c) == UTF8PROC_CATEGORY_CF && wcwidth((wchar_t)c) == 0;
}

/* What is shown for c, and in how many columns; 0: a mark. */
static uint32_t shown(int32_t c, int *width)
{
	*width = 1;
	if (c == '\n')
		return 0x23ce;
	if (c == '\t')
		return 0x21e5;
	if (c < 0x20)
		return 0x2400 + (uint32_t)c;
	if (c < 0x7f)
		return (uint32_t)c;
	if (c == 0x7f)
		return 0x2421;
	/* some terminals hide the soft hyphen, some do not */
	int w = c == 0xad ? -1 : wcwidth((wchar_t)c);
	if (w < 0 || w > 2)
		return UTF8_REPLACEMENT;
	*width = w;
	return (uint32_t)c;
}

void text_begin(struct text_reader *r, const char *text, size_t length, bool ascii)
{
	r->text = text;
	r->length = length;
	r->at = 0;
	r->ascii = ascii;
	r->count = r->next = 0;
	r->escape[0] = '\0';
	r->escape_next = 0;
}

/* Decodes up to TEXT_PIECE code points into r->code and sets *bytes to their
 * length. A piece ends before bytes that are not UTF-8, and, unless there are
 * only marks, where NFC does not reach across. */
static bool decode_piece(struct text_reader *r, size_t *bytes)
{
	size_t at = r->at, cut_at = 0;
	int n = 0, cut = 0;
	bool simple = true;

	while (at < r->length && n < TEXT_PIECE) {
		int32_t c;
		size_t k = text_decode(r->text + at, r->length - at, &c);

		if (c < 0)
			break;
		if (!joins(c)) {
			cut = n;
			cut_at = at;
		}
		simple = simple && c < 0x300;
		r->code[n++] = c;
		at += k;
	}
	if (n == TEXT_PIECE && at < r->length && cut > 0) {
		n = cut;
		at = cut_at;
	}
	r->count = n;
	*bytes = at - r->at;
	return simple;
}

/* One to three bytes that are not UTF-8: each for itself when it will be
 * escaped, else one replacement for all of them. */
static void take_bad(struct text_reader *r)
{
	int32_t c;
	size_t n = text_decode(r->text + r->at, r->length - r->at, &c);

	if (!r->ascii)
		r->code[r->count++] = UTF8_REPLACEMENT;
	for (size_t i = 0; r->ascii && i < n; i++)
		r->code[r->count++] = -(int32_t)(unsigned char)r->text[r->at + i];
	r->at += n;
}

static bool refill(struct text_reader *r)
{
	const utf8proc_option_t nfc = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
	size_t bytes;

	r->next = r->count = 0;
	if (r->at >= r->length)
		return false;
	bool simple = decode_piece(r, &bytes);
	if (!bytes) {
		take_bad(r);
		return true;
	}
	if (!simple) {
		utf8proc_ssize_t room = sizeof r->code / sizeof *r->code;
		utf8proc_ssize_t n = utf8proc_decompose((const utf8proc_uint8_t *)r->text + r->at,
							(utf8proc_ssize_t)bytes, r->code, room, nfc);
		if (n > 0 && n <= room)
			n = utf8proc_normalize_utf32(r->code, n, nfc);
		r->count = n > 0 && n <= room ? (int)n : 0;
	}
	r->at += bytes;
	return true;
}

/* The next code point without taking it; false at the end. */
static bool peek(struct text_reader *r, int32_t *c)
{
	while (r->next >= r->count)
		if (!refill(r))
			return false;
	*c = r->code[r->next];
	return true;
}

static void set_cell(struct cell *out, uint32_t code, int width)
{
	memset(out, 0, sizeof *out);
	out->code[0] = code;
	out->count = 1;
	out->width = (uint8_t)width;
}

static bool read_ascii(struct text_reader *r, struct cell *out)
{
	int32_t c;

	if (!r->escape[r->escape_next]) {
		if (!peek(r, &c))
			return false;
		r->next++;
		r->escape_next = 0;
		const char *format = c < 0 || (c > 0x7f && c < 0x100) ? "\\x%02x" :
				     c < 0x20 || c == 0x7f ? "^%c" :
				     c < 0x80 ? "%c" : c < 0x10000 ? "\\u%04x" : "\\U%08x";
		unsigned u = (unsigned)(c < 0 ? -c : c < 0x20 || c == 0x7f ? c ^ 0x40 : c);
		snprintf(r->escape, sizeof r->escape, format, u);
	}
	set_cell(out, (unsigned char)r->escape[r->escape_next++], 1);
	return true;
}

bool text_read(struct text_reader *r, struct cell *out)
{
	int32_t c;
	int width;

	if (r->ascii)
		return read_ascii(r, out);
	while (peek(r, &c) && is_dropped(c))
		r->next++;
	if (!peek(r, &c))
		return false;
	uint32_t code = shown(c, &width);
	if (width) {
		set_cell(out, code, width);
		r->next++;
	} else {
		set_cell(out, ' ', 1);
	}
	while (peek(r, &c)) {
		if (!is_dropped(c)) {
			code = shown(c, &width);
			if (width)
				break;
			if (out->count < CLUSTER_MAX)
				out->code[out->count++] = code;
		}
		r->next++;
	}
	return true;
}

int text_cells(const char *text, size_t length, bool ascii, struct cell *out, int max)
{
	struct text_reader r;
	int n = 0;

	text_begin(&r, text, length, ascii);
	while (n < max && text_read(&r, &out[n]))
		n++;
	return n;
}

int text_width(const char *text, bool ascii)
{
	struct text_reader r;
	struct cell cell;
	int columns = 0;

	text_begin(&r, text, strlen(text), ascii);
	while (columns < INT_MAX - 2 && text_read(&r, &cell))
		columns += cell.width;
	return columns;
}

size_t text_next(const char *text, size_t length, size_t at)
{
	int32_t before, c, state = 0;

	if (at >= length)
		return length;
	at += text_decode(text + at, length - at, &before);
	while (at < length && before >= 0) {
		size_t n = text_decode(text + at, length - at, &c);

		if (c < 0 || utf8proc_grapheme_break_stateful(before, c, &state))
			break;
		at += n;
		before = c;
	}
	return at;
}

/* Whether two regional indicators are one flag depends on all that stand
 * before them, so boundaries are only known from the start. */
size_t text_previous(const char *text, size_t length, size_t at)
{
	size_t boundary = 0;

	if (at > length)
		at = length;
	for (size_t next; boundary < at; boundary = next) {
		next = text_next(text, length, boundary);
		if (next >= at)
			break;
	}
	return boundary;
}

char *text_nfc(const char *text, size_t length)
{
	utf8proc_uint8_t *out = NULL;

	if (length > PTRDIFF_MAX / 4)
		return NULL;
	char *clean = malloc(3 * length + 1);
	if (!clean)
		return NULL;
	size_t used = 0;
	for (size_t at = 0; at < length;) {
		int32_t c;
		size_t n = text_decode(text + at, length - at, &c);

		used += utf8_encode(c > 0 ? (uint32_t)c : UTF8_REPLACEMENT, clean + used);
		at += n;
	}
	clean[used] = '\0';
	utf8proc_ssize_t n = utf8proc_map((const utf8proc_uint8_t *)clean, (utf8proc_ssize_t)used,
					  &out, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
	free(clean);
	return n < 0 ? NULL : (char *)out;
}
