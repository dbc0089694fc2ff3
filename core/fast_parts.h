/* fast_parts.h - tiles of keys, which the files of fast.h share. */
#ifndef CORE_FAST_PARTS_H
#define CORE_FAST_PARTS_H

#include "core/fast.h"

/* Some keys, none of them padded, readable by the kernel. */
struct tile {
	const void *k, *v;		/* row 0; v NULL unless asked for */
	size_t k_step, v_step;		/* bytes */
	size_t keys;			/* at most FAST_TILE */
	size_t first;			/* position of row 0 */
	bool scattered;			/* positions are in `position`, else first, first + 1, ... */
	uint32_t position[FAST_TILE];
};

/* The next tile from *at on, below end; false when no visible key is left. *at moves
 * behind it. Rows that the kernel cannot read in place are copied into the work. */
bool tile_next(struct tile *t, const struct fast_head *h, struct fast_work *w, bool with_v,
	       size_t *at, size_t end);
/* The tile of the keys from `at` on, FAST_TILE of them at most, padded or not; without V. */
void tile_at(struct tile *t, const struct fast_head *h, struct fast_work *w, size_t at, size_t end);
/* Keys of the tile whose position is below limit. */
size_t tile_limit(const struct tile *t, size_t limit);
/* The same for the 16 rows from `first` on; returns the smallest, the largest in *most. */
size_t tile_limits(const struct tile *t, const struct fast_head *h, size_t first,
		   int32_t limit[LANES], size_t *most);

/* Makes the cells beyond the limits -inf; the first `whole` keys have none. */
void tile_hide(const struct fast_head *h, size_t keys, size_t whole, const int32_t limit[LANES], float *s);

#endif
