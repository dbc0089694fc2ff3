/* sweep.h - `qkv sweep`: the d_k experiment as text.
 *
 * All of it can be written at any time: of a sweep under way, the table marks
 * what is not known yet, CSV leaves it empty and JSON leaves it out.
 */
#ifndef TUI_SWEEP_H
#define TUI_SWEEP_H

#include <stdbool.h>

#include "core/buffer.h"
#include "core/sweep.h"

enum sweep_format { SWEEP_TABLE, SWEEP_CSV, SWEEP_JSON, SWEEP_FORMAT_COUNT };

/* The words of --format, in that order; NULL-terminated. */
extern const char *const sweep_format_words[];

/* Appends the results. The table rounds as np.round(x, 3), but for the std,
 * which is whole as in CSV and JSON; the sd over the repeats come with more
 * than one. ascii: of a table, nothing but ASCII. */
void sweep_write(struct buffer *out, const struct sweep *s, enum sweep_format format, bool ascii);

/* Appends a bar in `width` columns and what it is at, without a new line:
 * "[######      ]  47%  d_k 256, repeat 2 of 5". As wide every time, so that the
 * next one, after a carriage return, covers it; the words give way first. */
void sweep_progress_bar(struct buffer *out, const struct sweep *s, int width);

#endif
