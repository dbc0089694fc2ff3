/* panels_parts.h - the state of the cache of panels, which its two files share. */
#ifndef CORE_PANELS_PARTS_H
#define CORE_PANELS_PARTS_H

#include "core/panels.h"

enum {
	BLOCK = 1024,			/* keys of a block */
	PIECE = 32,			/* blocks of a step, of all its panels */
	TOGETHER = 4,			/* panels that go through the keys together */
	MOST_PANELS = 64,
};

/* The sums of one block. */
struct block_sums {
	struct lane_sums all, unpadded;
};

/* Sums over the keys before the end of a block: all of them, and without padding. */
struct prefix {
	struct lane_totals all, unpadded;
};

struct panel {
	size_t first;			/* row, divided by 16; SIZE_MAX: an empty place */
	float *scores;			/* [n_k][16] raw, or NULL */
	size_t filled;			/* keys whose scores are there; 0 without scores */
	struct prefix *prefix;		/* one a whole block */
	size_t summed;			/* blocks whose prefix is there */
	size_t used;			/* when it was last wanted */
	struct fast_row row[LANES];
	size_t version;			/* of the head that row belongs to */
};

/* The queries of a panel, as [d_k][16]. */
struct packed {
	float *q;
	size_t first;			/* row, or SIZE_MAX */
	size_t used;
};

struct panels {
	struct fast_head head;		/* as it is now */
	const unsigned char *pad;	/* what can be switched on and off */
	struct workers *workers;
	struct fast_work *work;		/* one a worker */
	size_t works;
	void *block;			/* the memory of all that follows */
	float *scratch;			/* [BLOCK][16] a worker: scores that nobody keeps */
	struct block_sums *piece;	/* PIECE of them: what a step finds out */
	uint32_t *padded;		/* keys with padding before each block */
	struct packed packed[TOGETHER];
	struct panel panel[MOST_PANELS];
	size_t count, with_scores;
	size_t from, to, cursor;	/* on screen */
	size_t ahead;			/* row of the panel that comes next, or SIZE_MAX */
	size_t clock, version, products;
};

static inline size_t panels_blocks(const struct panels *p)	/* whole ones */
{
	return p->head.k.rows / BLOCK;
}

/* Blocks that every row of the panel sees whole. */
static inline size_t panels_whole_blocks(const struct panels *p, const struct panel *panel)
{
	return fast_limit(&p->head, panel->first) / BLOCK;
}

/* The panel of the rows from `first` on, or NULL. */
struct panel *panels_find(struct panels *p, size_t first);
/* The same, empty if it was not there; NULL when all places are on screen. */
struct panel *panels_claim(struct panels *p, size_t first);
/* The packed queries of a panel; they last until TOGETHER others have been asked for. */
const float *panels_queries(struct panels *p, size_t first);

#endif
