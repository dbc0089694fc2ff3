/* json_reader.h - what reads JSON, between json_tensors.c and json_array.c. Private to core/io. */
#ifndef CORE_IO_JSON_READER_H
#define CORE_IO_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "core/buffer.h"
#include "core/error.h"
#include "core/io/tensors.h"
#include "core/scenario.h"

struct json_reader {
	struct tensors *t;
	struct error *e;
	const char *text, *file;		/* text: behind the mark of UTF-8 */
	size_t size, from;			/* from: bytes of that mark */
	struct buffer name;			/* of the value at hand: keys joined with "." */
	size_t step[JSON_PARSER_MAX_DEPTH + 1];	/* the way to it, by ordinals */
	size_t steps;
	size_t inner;				/* how many of the last steps go through lists of an array */
	const char *stage;			/* what qkv's own output calls its values; NULL: not such a file */
};

/* Of the value at hand, in the file. */
struct mark json_reader_place(const struct json_reader *r);

/* An error there. */
#define JSON_FAIL(r, status, ...) \
	error_at((r)->e, (status), (r)->file, json_reader_place(r).line, json_reader_place(r).column, __VA_ARGS__)

/* A list of numbers, booleans or strings, or a number by itself, as array `name` of r->t.
 * E_SYNTAX when it is no rectangle or of several types, E_LIMIT, E_MEMORY. */
enum status json_array_read(struct json_reader *r, const json_t *v, const char *name);

/* The strings that stand for numbers: NaN, Infinity, -Infinity. */
bool json_is_special(const json_t *v);
/* "a number", marked by N_(). */
const char *json_describe(const json_t *v);

#endif
