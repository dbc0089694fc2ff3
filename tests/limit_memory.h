/* limit_memory.h - little memory for a whole process. */
#ifndef TESTS_LIMIT_MEMORY_H
#define TESTS_LIMIT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* This process may have that many bytes of address space from now on; 0: as many as
 * it may ask for. Does nothing under sanitizers and valgrind, which need more
 * than any program. */
void limit_memory(size_t bytes);

/* Under valgrind a program takes about thirty times as long. */
bool is_under_valgrind(void);

#endif
