/* alloc.h - allocations that fail when a test wants them to.
 *
 * A program that links alloc.c with the linker's --wrap for malloc, calloc,
 * realloc and strdup has these four go through here.
 * Only what is linked statically is wrapped: the program's own code, not the
 * libraries it uses.
 */
#ifndef TESTS_ALLOC_H
#define TESTS_ALLOC_H

#include <stddef.h>

/* From now on the n-th allocation fails (n >= 1), once; 0: none does. Counts anew. */
void alloc_fail(size_t n);
/* How many were asked for since alloc_fail. */
size_t alloc_count(void);

#endif
