/* scenario_yaml.h - scenarios as YAML text, format version 1.
 *
 * The format is described in the README; every key, and every option under
 * `set:`, is one of a fixed list. Aliases, anchors, tags and several documents
 * are refused, so that a file costs no more than its own size.
 */
#ifndef CORE_IO_SCENARIO_YAML_H
#define CORE_IO_SCENARIO_YAML_H

#include <stddef.h>

#include "core/buffer.h"
#include "core/error.h"
#include "core/scenario.h"

/* Reads a scenario from bytes; file_name is for errors, and its last part
 * without ".yaml" becomes the scenario's name. *s need not be initialised; it
 * is complete after success (free it with scenario_free) and as it was on
 * error. Every error has file, line and column, 1-based, in characters, of the
 * key or value at fault:
 *   E_SYNTAX  not UTF-8, not YAML, or a list where a text belongs
 *   E_VALUE   unknown or missing keys, values that are not among those expected
 *   E_SHAPE   ragged matrices, arrays and token counts that do not fit
 *   E_LIMIT   a file over 64 MiB, sizes beyond reason
 *   E_MEMORY
 * Indices in options (pad: 9) are not compared with the shapes here; mask_check
 * does that, and s->option_mark has the places. Time and memory are
 * proportional to size. */
enum status scenario_parse(struct scenario *s, const void *bytes, size_t size,
			   const char *file_name, struct error *e);

/* Appends the scenario with these options and edits instead of its own.
 * scenario_parse reads it back equal (the name apart). Check out->failed. */
void scenario_write(struct buffer *out, const struct scenario *s,
		    const struct options *o, const struct edits *edits);

#endif
