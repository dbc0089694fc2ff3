/* nearest.h - the name that was probably meant by one that does not exist.
 *
 * Near is counted in bytes that must be changed, added or left out
 * (Levenshtein's distance).
 */
#ifndef CORE_NEAREST_H
#define CORE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* From text to name. No name is longer than 64 bytes; beyond that it is the
 * length of the longer one. With `begun` a text that name begins with, and that
 * is not empty, is at 0: it may not be finished yet. */
size_t nearest_distance(const char *text, const char *name, bool begun);

/* The first that is nearest to text of name(0) to name(n - 1); NULL when none is
 * within `limit`, or nothing of it would be kept. */
const char *nearest(const char *text, const char *(*name)(int), int n, size_t limit, bool begun);

#endif
