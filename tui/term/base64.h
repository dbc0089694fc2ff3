/* base64.h - bytes as the letters of RFC 4648, section 4. */
#ifndef TUI_TERM_BASE64_H
#define TUI_TERM_BASE64_H

#include "core/buffer.h"

/* Appends four letters for every three bytes begun, padded with '='. */
void base64_put(struct buffer *out, const void *bytes, size_t size);

#endif
