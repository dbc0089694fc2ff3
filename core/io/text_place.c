/* text_place.c - where in a text file an error is. */
#include "core/io/text_place.h"

#include <string.h>

#include "core/utf8.h"

size_t text_mark_size(const void *bytes, size_t size)
{
	return size >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? 3 : 0;
}

struct mark text_place(const void *bytes, size_t size, size_t offset)
{
	const char *text = bytes;
	struct mark at = { 1, 1 };
	size_t end = offset < size ? offset : size;
	uint32_t c;

	for (size_t i = text_mark_size(bytes, size); i < end;) {
		size_t n = utf8_decode(text + i, size - i, &c);
		bool line_ends = c == '\n' || (c == '\r' && !(i + 1 < size && text[i + 1] == '\n'));
		if (line_ends)
			at = (struct mark){ at.line + 1, 1 };
		else
			at.column++;
		i += n ? n : 1;
	}
	return at;
}

static bool is_utf16(const unsigned char *s, size_t size)
{
	return size >= 2 && ((s[0] == 0xff && s[1] == 0xfe) || (s[0] == 0xfe && s[1] == 0xff));
}

enum status text_check(const void *bytes, size_t size, const char *name, struct error *e)
{
	if (is_utf16(bytes, size))
		return error_at(e, E_SYNTAX, name, 1, 1, "the text is UTF-16; save the file as UTF-8");
	const char *nul = size ? memchr(bytes, 0, size) : NULL;
	if (!nul)
		return OK_STATUS;
	struct mark at = text_place(bytes, size, (size_t)(nul - (const char *)bytes));
	return error_at(e, E_SYNTAX, name, at.line, at.column,
			"a NUL byte; text in UTF-8 is expected (is it UTF-16, or not text at all?)");
}
