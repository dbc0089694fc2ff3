/* error.h - one error, owned by the caller.
 *
 * Every function of core that can fail returns an enum status and takes a
 * struct error * (never NULL). On failure the error is filled and the
 * function's other outputs are as they were before the call.
 */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

#include <stddef.h>

enum status {
	OK_STATUS = 0,
	E_MEMORY,	/* an allocation failed, or a size product overflowed */
	E_VALUE,	/* a value is not one of those that were expected */
	E_SYNTAX,	/* text or bytes that do not follow their format */
	E_SHAPE,	/* two shapes that do not fit each other */
	E_FILE,		/* a file cannot be opened, read or written */
	E_LIMIT,	/* well formed, but larger than this program takes */
};

struct error {
	enum status status;
	char file[256];		/* "" when no file is concerned */
	unsigned line, column;	/* 1-based; 0 when unknown */
	char option[256];	/* "pad 9" when an option's value is at fault, else "" */
	char text[512];		/* one line, UTF-8, no control characters */
};

/* Fills e with status and the formatted text; file and place are kept as they
 * are, so that a caller who knows the place can set it before or after.
 * Control characters, and bytes that are not UTF-8, are replaced by '?'. Returns status. */
enum status error_set(struct error *e, enum status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with a place: file may be NULL (kept), line and column 1-based. */
enum status error_at(struct error *e, enum status status, const char *file,
		     unsigned line, unsigned column, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

/* The same about an option and the value it was given. */
enum status error_option(struct error *e, enum status status, const char *option,
			 const char *value, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* An error that names neither a file nor an option is told with that file, and no place. Returns its status. */
enum status error_in_file(struct error *e, const char *file);

void error_clear(struct error *e);

/* "FILE:LINE:COL: text" or "--option value: text", without what is unknown. */
void error_format(const struct error *e, char *buffer, size_t size);

#endif
