/* yaml_text.c - the characters of a YAML text, and their places. */
#include "core/io/yaml_text.h"

#include <string.h>

#include "core/utf8.h"

bool yaml_text_is_direction(uint32_t c)
{
	return c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

bool yaml_text_breaks_line(uint32_t c)
{
	return c == '\n' || c == 0x85 || c == 0x2028 || c == 0x2029;
}

bool yaml_text_may_stand(uint32_t c)
{
	return c == '\t' || c == '\n' || c == '\r' || c == 0x85 || (c >= 0x20 && c < 0x7f) ||
	       (c >= 0xa0 && c != 0xfeff && c != 0xfffe && c != 0xffff);
}

/* Whether a line ends with c, whose next byte is text[next]: CR LF is one end. */
static bool ends_line(uint32_t c, const char *text, size_t size, size_t next)
{
	return c == '\r' ? !(next < size && text[next] == '\n') : yaml_text_breaks_line(c);
}

enum status yaml_text_check(const char *text, size_t size, const char *file, struct error *e)
{
	struct mark at = { 1, 1 };
	uint32_t c;

	for (size_t i = 0, length; i < size; i += length) {
		length = utf8_decode(text + i, size - i, &c);
		if (!length)
			return error_at(e, E_SYNTAX, file, at.line, at.column,
					"byte 0x%02x is not UTF-8; save the file as UTF-8", (unsigned char)text[i]);
		if (!c)
			return error_at(e, E_SYNTAX, file, at.line, at.column, "a NUL byte; a text file is expected");
		if (!yaml_text_may_stand(c))
			return error_at(e, E_SYNTAX, file, at.line, at.column,
					"the character U+%04X cannot stand here as it is; "
					"write it as \\u%04X in double quotes", (unsigned)c, (unsigned)c);
		if (ends_line(c, text, size, i + 1))
			at = (struct mark){ at.line + 1, 1 };
		else
			at.column++;
	}
	return OK_STATUS;
}

/* The bytes of the character at offset i of a text that has been checked. */
static size_t step(const char *text, size_t size, size_t i, uint32_t *c)
{
	size_t length = utf8_decode(text + i, size - i, c);
	return length ? length : 1;
}

static size_t line_start(const char *text, size_t size, unsigned line)
{
	size_t i = 0;
	uint32_t c;

	while (line > 1 && i < size) {
		size_t length = step(text, size, i, &c);
		line -= ends_line(c, text, size, i + 1);
		i += length;
	}
	return i;
}

size_t yaml_text_offset(const char *text, size_t size, struct mark at)
{
	size_t i = line_start(text, size, at.line);
	uint32_t c;

	for (unsigned column = 1; column < at.column && i < size; column++)
		i += step(text, size, i, &c);
	return i;
}

bool mark_before(struct mark a, struct mark b)
{
	return a.line != b.line ? a.line < b.line : a.column < b.column;
}

const char *yaml_text_clip(char out[YAML_CLIP_SIZE], const char *text, size_t n)
{
	size_t used = 0;
	uint32_t c;

	for (size_t i = 0, length; i < n; i += length) {
		length = utf8_decode(text + i, n - i, &c);
		if (used + (length ? length : 1) > YAML_CLIP) {
			strcpy(out + used, "...");
			return out;
		}
		if (!length || yaml_text_is_direction(c) || c < 0x20) {
			out[used++] = '?';
			length += !length;
		} else {
			memcpy(out + used, text + i, length);
			used += length;
		}
	}
	out[used] = '\0';
	return out;
}
