/* labels.h - tokens as people read them: the option `labels read`.
 *
 * Tokenizers write marks into their tokens. For display only they become:
 *   U+0120 and U+2581 before a word   a visible space, U+2423
 *   ## before a piece of a word       U+2026, "goes on"
 *   <0xEC>, and the letters that GPT-2's tokenizer has for bytes: those bytes
 * Where the bytes of one character lie in several tokens (an emoji, Hangul), the
 * token in which it begins shows it whole, and those it ends in show U+2026.
 * What is still not UTF-8 stays as it is; text.h shows it as U+FFFD.
 */
#ifndef TUI_LABELS_H
#define TUI_LABELS_H

#include "core/problem.h"

/* Replaces every text of the list; unchanged on error (E_MEMORY). */
enum status labels_read(struct tokens *t, struct error *e);
/* Those of queries and keys. */
enum status labels_read_problem(struct problem *p, struct error *e);

#endif
