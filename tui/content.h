/* content.h - the bytes of files, in and out: the one place that opens them. */
#ifndef TUI_CONTENT_H
#define TUI_CONTENT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buffer.h"
#include "core/error.h"

#define STDIN_NAME "stdin"		/* "-" in errors, and the name of its scenario */
enum { LOAD_LIMIT = 64 << 20 };		/* bytes that are read of one file; mapped ones may be longer */

/* Where bytes may come from. Reading a pipe or a terminal waits for somebody,
 * which is right for INPUT, before the screen is there, and never later. */
enum content_origin { FROM_INPUT, FROM_FILE };

/* The bytes of a file: mapped where that is possible, else read. Whoever cuts a mapped file
 * short while it is looked at ends the program, with a line that says so (content_lost). */
struct content {
	const void *data;	/* never NULL once open */
	size_t size;
	struct mapping *mapped;	/* NULL: in bytes */
	struct buffer bytes;
};

/* E_FILE; E_LIMIT when more than LOAD_LIMIT had to be read. FROM_FILE: anything but a
 * plain file, "-" too, is E_FILE and never waited for. */
enum status content_open(struct content *c, const char *name, enum content_origin origin, struct error *e);
void content_free(struct content *c);
/* Whether what is looked at next is a little here and there: nothing around it is then read ahead. */
void content_sampled(const struct content *c, bool sampled);
/* For a handler of SIGBUS: whether the address is one of a file that is open. Then a line on
 * standard error has told that the file was cut short. */
bool content_lost(const void *address);
/* Appends all bytes, LOAD_LIMIT at most. */
enum status content_read(struct buffer *out, const char *name, enum content_origin origin, struct error *e);

/* All bytes of a plain file: content_read FROM_FILE. */
enum status load_bytes(struct buffer *out, const char *name, struct error *e);

/* Bytes to a temporary file beside the target, renamed when complete; an
 * existing file is E_FILE unless `replace`. */
enum status save_bytes(const char *name, const char *data, size_t size, bool replace, struct error *e);

#endif
