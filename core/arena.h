/* arena.h - many arrays in one block of memory, each aligned for the lanes.
 *
 * Laid out twice by the same calls: without a base, to learn the size, then in it.
 */
#ifndef CORE_ARENA_H
#define CORE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "core/lanes.h"

struct arena {
	unsigned char *base;	/* aligned, or NULL while counting */
	size_t used;
};

/* The next n bytes; NULL while counting. */
static inline void *arena_take(struct arena *a, size_t n)
{
	void *part = a->base ? a->base + a->used : NULL;

	a->used += (n + LANES_ALIGN - 1) / LANES_ALIGN * LANES_ALIGN;
	return part;
}

/* The aligned base in a block of used + LANES_ALIGN bytes. */
static inline struct arena arena_in(void *block)
{
	unsigned char *at = block;

	return (struct arena){ at + (LANES_ALIGN - (uintptr_t)at % LANES_ALIGN) % LANES_ALIGN, 0 };
}

#endif
