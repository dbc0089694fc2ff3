/* yaml_text.h - the characters of a YAML text, and their places. Private to core/io.
 *
 * Places are lines and columns from 1, in characters, and lines end where
 * libyaml lets them end.
 */
#ifndef CORE_IO_YAML_TEXT_H
#define CORE_IO_YAML_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/scenario.h"

/* What libyaml's reader takes as it stands; the rest is written as an escape. */
bool yaml_text_may_stand(uint32_t c);
bool yaml_text_breaks_line(uint32_t c);
/* Characters that reorder what stands around them on a screen. */
bool yaml_text_is_direction(uint32_t c);

/* E_SYNTAX, with the place, where the text is not UTF-8 or has a character that
 * may not stand: libyaml knows no place for these. */
enum status yaml_text_check(const char *text, size_t size, const char *file, struct error *e);

/* Byte offset of a place; size when the text ends before it. */
size_t yaml_text_offset(const char *text, size_t size, struct mark at);
bool mark_before(struct mark a, struct mark b);

/* A text of the file as an error may show it: at most YAML_CLIP bytes and "...",
 * and unable to do harm. Returns out. */
enum { YAML_CLIP = 40, YAML_CLIP_SIZE = YAML_CLIP + 8 };
const char *yaml_text_clip(char out[YAML_CLIP_SIZE], const char *text, size_t n);

#endif
