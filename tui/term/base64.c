/* base64.c - bytes as the letters of RFC 4648, section 4. */
#include "tui/term/base64.h"

#include <stdint.h>

void base64_put(struct buffer *out, const void *bytes, size_t size)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = bytes;

	for (size_t i = 0; i < size; i += 3) {
		size_t n = size - i < 3 ? size - i : 3;
		uint32_t w = (uint32_t)p[i] << 16 | (n > 1 ? (uint32_t)p[i + 1] << 8 : 0) |
			     (n > 2 ? p[i + 2] : 0u);
		char four[] = { digits[w >> 18], digits[w >> 12 & 63],
				n > 1 ? digits[w >> 6 & 63] : '=', n > 2 ? digits[w & 63] : '=' };
		buffer_put(out, four, sizeof four);
	}
}
