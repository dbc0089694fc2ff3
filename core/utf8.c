/* utf8.c - UTF-8 in and out, well-formed sequences only. */
#include "core/utf8.h"

/* Bytes of a sequence that starts with this one; 0: none does. */
static size_t length_of(unsigned char lead)
{
	return lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
}

/* Overlong forms, surrogates and what is too large end at the second byte. */
static bool is_second(unsigned char lead, unsigned char byte)
{
	unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
	unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;

	return byte >= low && byte <= high;
}

/* How many bytes at the start of s begin a well-formed sequence of that length. */
static size_t fitting(const unsigned char *s, size_t n, size_t length)
{
	size_t i = 1;

	while (i < length && i < n && (i == 1 ? is_second(s[0], s[1]) : (s[i] & 0xc0) == 0x80))
		i++;
	return i;
}

size_t utf8_decode(const char *text, size_t n, uint32_t *code)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t length = n ? length_of(s[0]) : 0;

	*code = UTF8_REPLACEMENT;
	if (!length || fitting(s, n, length) < length)
		return 0;
	uint32_t c = length == 1 ? s[0] : s[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++)
		c = c << 6 | (s[i] & 0x3f);
	*code = c;
	return length;
}

size_t utf8_malformed(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;

	return fitting(s, n, length_of(s[0]));
}

bool utf8_is_scalar(uint32_t code)
{
	return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

size_t utf8_encode(uint32_t code, char out[UTF8_MAX])
{
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	if (!utf8_is_scalar(code))
		code = UTF8_REPLACEMENT;
	size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	for (size_t i = length - 1; i > 0; i--) {
		out[i] = (char)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	out[0] = (char)(lead[length] | code);
	return length;
}
