/* error.c - one error, owned by the caller. */
#include "core/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the well-formed UTF-8 sequence at p (Unicode, table 3-7), else 0. A NUL
 * ends a sequence too, so nothing behind the text is read. */
static size_t sequence(const unsigned char *p)
{
	static const struct { unsigned char first, last, low, high; size_t n; } lead[] = {
		{ 0x00, 0x7f, 0x80, 0xbf, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};

	for (size_t k = 0; k < sizeof lead / sizeof *lead; k++) {
		if (*p < lead[k].first || *p > lead[k].last)
			continue;
		for (size_t i = 1; i < lead[k].n; i++)
			if (p[i] < (i == 1 ? lead[k].low : 0x80) || p[i] > (i == 1 ? lead[k].high : 0xbf))
				return 0;
		return lead[k].n;
	}
	return 0;
}

static bool is_control(const unsigned char *p)
{
	return *p < 0x20 || *p == 0x7f || (*p == 0xc2 && p[1] < 0xa0);
}

/* Names from files reach these texts: no byte of them may act on a terminal, and
 * none may be half a character, as the cut at the end of a text leaves it. */
static void make_printable(char *s)
{
	for (unsigned char *p = (unsigned char *)s; *p;) {
		size_t n = sequence(p);
		if (!n || is_control(p))
			memset(p, '?', n ? n : 1);
		p += n ? n : 1;
	}
}

static void set_text(struct error *e, enum status status, const char *format, va_list ap)
{
	e->status = status;
	vsnprintf(e->text, sizeof e->text, format, ap);
	make_printable(e->text);
}

enum status error_set(struct error *e, enum status status, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	set_text(e, status, format, ap);
	va_end(ap);
	return status;
}

enum status error_at(struct error *e, enum status status, const char *file,
		     unsigned line, unsigned column, const char *format, ...)
{
	va_list ap;
	if (file) {
		snprintf(e->file, sizeof e->file, "%s", file);
		make_printable(e->file);
	}
	e->line = line;
	e->column = column;
	va_start(ap, format);
	set_text(e, status, format, ap);
	va_end(ap);
	return status;
}

enum status error_option(struct error *e, enum status status, const char *option,
			 const char *value, const char *format, ...)
{
	va_list ap;
	snprintf(e->option, sizeof e->option, "%s%s%s", option, *value ? " " : "", value);
	make_printable(e->option);
	va_start(ap, format);
	set_text(e, status, format, ap);
	va_end(ap);
	return status;
}

void error_clear(struct error *e)
{
	memset(e, 0, sizeof *e);
}

void error_format(const struct error *e, char *buffer, size_t size)
{
	if (e->file[0] && e->line && e->column)
		snprintf(buffer, size, "%s:%u:%u: %s", e->file, e->line, e->column, e->text);
	else if (e->file[0] && e->line)
		snprintf(buffer, size, "%s:%u: %s", e->file, e->line, e->text);
	else if (e->file[0])
		snprintf(buffer, size, "%s: %s", e->file, e->text);
	else if (e->option[0])
		snprintf(buffer, size, "--%s: %s", e->option, e->text);
	else
		snprintf(buffer, size, "%s", e->text);
}
