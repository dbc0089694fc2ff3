/* error.c - one error, owned by the caller. */
#include "core/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "core/utf8.h"

static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

/* Names from files reach these texts: no byte of them may act on a terminal, and
 * none may be half a character, as the cut at the end of a text leaves it. */
static void make_printable(char *s)
{
	uint32_t c;

	for (char *p = s; *p;) {
		size_t n = utf8_decode(p, UTF8_MAX, &c);
		if (!n || is_control(c))
			memset(p, '?', n ? n : 1);
		p += n ? n : 1;
	}
}

static void set_text(struct error *e, enum status status, const char *format, va_list ap)
{
	e->status = status;
	vsnprintf(e->text, sizeof e->text, message(format), ap);
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

enum status error_in_file(struct error *e, const char *file)
{
	if (e->file[0] || e->option[0])
		return e->status;
	snprintf(e->file, sizeof e->file, "%s", file);
	make_printable(e->file);
	e->line = e->column = 0;
	return e->status;
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
