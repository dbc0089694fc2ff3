/* buffer.h - bytes that grow; what every writer fills.
 *
 * A zeroed struct is an empty buffer. When an allocation fails the buffer
 * remembers it and ignores what follows, so that a writer checks once at its
 * end. `data` is followed by a NUL that `size` does not count.
 */
#ifndef CORE_BUFFER_H
#define CORE_BUFFER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct buffer {
	char *data;
	size_t size, capacity;
	bool failed;
};

void buffer_put(struct buffer *b, const void *bytes, size_t n);
void buffer_text(struct buffer *b, const char *text);
void buffer_repeat(struct buffer *b, char c, size_t n);
void buffer_format(struct buffer *b, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void buffer_format_list(struct buffer *b, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
/* The words of text in lines of at most `width` columns (bytes: for ASCII): the
 * first goes on at column `at`, the others begin at `indent`; a new line ends it. */
void buffer_wrapped(struct buffer *b, size_t at, size_t indent, size_t width, const char *text);
void buffer_free(struct buffer *b);

#endif
