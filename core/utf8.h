/* utf8.h - UTF-8 in and out, strictly: the well-formed sequences of the Unicode
 * standard's table 3-7, so no overlong form, no surrogate and nothing beyond
 * U+10FFFF. What to do with other bytes is the caller's business.
 */
#ifndef CORE_UTF8_H
#define CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	UTF8_MAX = 4,			/* bytes of a code point */
	UTF8_REPLACEMENT = 0xfffd,	/* stands for what is not UTF-8 */
};

/* Bytes of the sequence at the start of text, of which n may be read, and its
 * code point; 0 and UTF8_REPLACEMENT when it is not well-formed, or n is 0. No
 * byte behind one that does not fit is looked at: a NUL ends a sequence, so for
 * text that ends with one n may be UTF8_MAX. */
size_t utf8_decode(const char *text, size_t n, uint32_t *code);

/* Where utf8_decode gives 0 and n is not: the bytes, 1 to 3, that one U+FFFD
 * stands for (the "maximal subpart" of the standard's section 3.9). */
size_t utf8_malformed(const char *text, size_t n);

/* A code point that UTF-8 can write: not a surrogate, not too large. */
bool utf8_is_scalar(uint32_t code);

/* Writes code, or UTF8_REPLACEMENT where it cannot be written, without a NUL;
 * its bytes, 1 to 4. */
size_t utf8_encode(uint32_t code, char out[UTF8_MAX]);

#endif
