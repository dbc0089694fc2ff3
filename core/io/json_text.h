/* json_text.h - JSON as Python writes it, made JSON as jansson reads it. Private to core/io.
 *
 * Python's json writes NaN, Infinity and -Infinity, which are no JSON. Outside strings
 * they get quotes here (json_text_copy), and what jansson says of places in the copy is
 * turned into places in the original (json_text_error_offset).
 */
#ifndef CORE_IO_JSON_TEXT_H
#define CORE_IO_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buffer.h"

struct json_survey {
	bool any;	/* there is more than blanks */
	bool bare;	/* there are such words */
	size_t cost;	/* of the tree, in units of 40 bytes or less: strings 2, lists 4, objects 10, commas 1 */
};

/* One pass over a text, well formed or not. */
struct json_survey json_text_survey(const char *text, size_t size);

/* Appends the text with such words in quotes. A word in place of a key stays as it is. */
void json_text_copy(struct buffer *out, const char *text, size_t size);

/* Where in the original an error is that jansson reports at `position` of the copy (bytes
 * that it had read): the start of the token there, or the place within a string. */
size_t json_text_error_offset(const char *text, size_t size, size_t position);

/* Where a value is in a well-formed text: step[0] is the ordinal of the list's element or the
 * object's member that leads to it, step[1] that in there, and so on. */
size_t json_text_value_offset(const char *text, size_t size, const size_t *step, size_t steps);

#endif
