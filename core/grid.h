/* grid.h - the rows on screen, cached; recomputes from the first dirty stage. */
#ifndef CORE_GRID_H
#define CORE_GRID_H

#include "core/row.h"

struct grid {
	struct attention attention;
	bool ready;			/* attention is initialised */
	struct row *rows;		/* capacity of them */
	enum stage *dirty;		/* first stage of each that is not right; STAGE_COUNT: none */
	size_t capacity;
};

/* Takes new options (or a new problem: from == STAGE_INPUT) and marks the rows
 * dirty from a stage on. On error the grid is as it was. */
enum status grid_update(struct grid *g, const struct problem *p, const struct options *o,
			const struct random_tables *tables, enum stage from, struct error *e);
/* Room for count rows at once, before rows are asked for. */
enum status grid_reserve(struct grid *g, size_t count, struct error *e);
/* Row i, computed as far as `last` (at least the weights). Valid until the next call of grid_update
 * or until `capacity` other rows have been asked for. */
const struct row *grid_row(struct grid *g, size_t i, enum stage last);
void grid_free(struct grid *g);

#endif
