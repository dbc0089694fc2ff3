/* buffer.c - bytes that grow. */
#include "core/buffer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for n more bytes and a NUL. */
static bool reserve(struct buffer *b, size_t n)
{
	if (b->failed)
		return false;
	if (n < b->capacity - b->size)
		return true;
	if (n > SIZE_MAX / 2 - b->size - 1) {
		b->failed = true;
		return false;
	}
	size_t wanted = (b->size + n + 1) + (b->size + n + 1) / 2;
	char *p = realloc(b->data, wanted);
	if (!p) {
		b->failed = true;
		return false;
	}
	b->data = p;
	b->capacity = wanted;
	return true;
}

void buffer_put(struct buffer *b, const void *bytes, size_t n)
{
	if (!reserve(b, n))
		return;
	if (n)
		memcpy(b->data + b->size, bytes, n);
	b->size += n;
	b->data[b->size] = '\0';
}

void buffer_text(struct buffer *b, const char *text)
{
	buffer_put(b, text, strlen(text));
}

void buffer_repeat(struct buffer *b, char c, size_t n)
{
	if (!reserve(b, n))
		return;
	memset(b->data + b->size, c, n);
	b->size += n;
	b->data[b->size] = '\0';
}

void buffer_format_list(struct buffer *b, const char *format, va_list arguments)
{
	va_list again;

	va_copy(again, arguments);
	int n = vsnprintf(NULL, 0, format, arguments);
	if (n < 0)		/* a wide character that the locale does not have */
		b->failed = true;
	if (n >= 0 && reserve(b, (size_t)n)) {
		vsnprintf(b->data + b->size, (size_t)n + 1, format, again);
		b->size += (size_t)n;
	}
	va_end(again);
}

void buffer_format(struct buffer *b, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	buffer_format_list(b, format, arguments);
	va_end(arguments);
}

void buffer_wrapped(struct buffer *b, size_t at, size_t indent, size_t width, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, " ");
		if (at > indent && at + 1 + n > width) {
			buffer_text(b, "\n");
			buffer_repeat(b, ' ', indent);
			at = indent;
		} else if (at > indent) {
			buffer_text(b, " ");
			at++;
		}
		buffer_put(b, text, n);
		at += n;
		text += n + (text[n] == ' ');
	}
	buffer_text(b, "\n");
}

void buffer_free(struct buffer *b)
{
	free(b->data);
	memset(b, 0, sizeof *b);
}
