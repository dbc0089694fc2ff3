/* grid.h - the rows on screen, cached; recomputes from the first dirty stage.
 *
 * Shapes: a row has n_k scores, weights and so on, and an output of d_v. Cost: a
 * row n_k (d_k + d_v) once, then from the stage that changed. Memory: a row is
 * 5 n_k + d_v doubles and 2 n_k bytes; nothing of size n_q x n_k is kept.
 */
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
 * dirty from a stage on; room for one row is then there. Keeps a pointer to *p,
 * which outlives the grid or its next update. On error the grid is as it was. */
enum status grid_update(struct grid *g, const struct problem *p, const struct options *o,
			const struct random_tables *tables, enum stage from, struct error *e);
/* Room for count rows at once, before rows are asked for. */
enum status grid_reserve(struct grid *g, size_t count, struct error *e);
/* Of a grid that is ready: row i, computed as far as `last` (at least the weights). Valid until the next call of grid_update
 * or until `capacity` other rows have been asked for. */
const struct row *grid_row(struct grid *g, size_t i, enum stage last);
/* Whether grid_row would give it without computing anything. */
bool grid_knows(const struct grid *g, size_t i, enum stage last);
void grid_free(struct grid *g);

#endif
