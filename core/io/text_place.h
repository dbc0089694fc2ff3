/* text_place.h - where in a text file an error is. Private to core/io.
 *
 * Places are lines and columns from 1; columns are characters, and each byte that is
 * no UTF-8 is one. Lines end with LF, CR LF or CR.
 */
#ifndef CORE_IO_TEXT_PLACE_H
#define CORE_IO_TEXT_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/scenario.h"

/* The place of byte `offset`, or of the end. A mark of UTF-8 at the start has no column.
 * Cost: the bytes before it, so for errors only. */
struct mark text_place(const void *bytes, size_t size, size_t offset);

/* Bytes of UTF-8's mark at the start: 3 or 0. */
size_t text_mark_size(const void *bytes, size_t size);

/* E_SYNTAX for UTF-16 and UTF-32, and for a NUL byte, which no text has. */
enum status text_check(const void *bytes, size_t size, const char *name, struct error *e);

#endif
