/* grid.c - the rows on screen, cached by index modulo capacity. */
#include "core/grid.h"

#include <stdlib.h>

enum status grid_update(struct grid *g, const struct problem *p, const struct options *o,
			const struct random_tables *tables, enum stage from, struct error *e)
{
	struct attention fresh;
	enum status s = attention_init(&fresh, p, o, tables, e);

	if (s)
		return s;
	/* Another shape needs other rows; so does the first time. */
	bool same = g->ready && from > STAGE_INPUT && g->attention.problem == p;
	if (!same) {
		struct grid old = *g;
		*g = (struct grid){ .attention = fresh, .ready = true };
		/* One row at least, for grid_row to put what it is asked for. */
		if ((s = grid_reserve(g, old.capacity ? old.capacity : 1, e))) {
			attention_free(&fresh);
			*g = old;
			return s;
		}
		grid_free(&old);
		return OK_STATUS;
	}
	attention_free(&g->attention);
	g->attention = fresh;
	for (size_t k = 0; k < g->capacity; k++)
		if (g->dirty[k] > from)
			g->dirty[k] = from;
	return OK_STATUS;
}

enum status grid_reserve(struct grid *g, size_t count, struct error *e)
{
	enum status s = OK_STATUS;
	size_t k;

	if (count <= g->capacity || !g->ready)
		return OK_STATUS;
	struct row *rows = calloc(count, sizeof *rows);
	enum stage *dirty = calloc(count, sizeof *dirty);
	if (!rows || !dirty)
		s = error_set(e, E_MEMORY, "no memory for %zu rows", count);
	for (k = 0; k < count && !s; k++) {
		s = row_init(&rows[k], &g->attention, e);
		dirty[k] = STAGE_INPUT;		/* not any row yet */
	}
	if (s) {
		while (rows && k)
			row_free(&rows[--k]);
		free(rows);
		free(dirty);
		return s;
	}
	for (k = 0; k < g->capacity; k++)
		row_free(&g->rows[k]);
	free(g->rows);
	free(g->dirty);
	g->rows = rows;
	g->dirty = dirty;
	g->capacity = count;
	return OK_STATUS;
}

bool grid_knows(const struct grid *g, size_t i, enum stage last)
{
	size_t k = i % g->capacity;

	return g->rows[k].index == i && g->dirty[k] != STAGE_INPUT && g->dirty[k] > (last < STAGE_WEIGHTS ? STAGE_WEIGHTS : last);
}

const struct row *grid_row(struct grid *g, size_t i, enum stage last)
{
	size_t k = i % g->capacity;
	struct row *r = &g->rows[k];
	enum stage first = g->dirty[k];

	if (r->index != i || first == STAGE_INPUT)
		first = STAGE_SCORES;
	if (last < STAGE_WEIGHTS)
		last = STAGE_WEIGHTS;
	if (first <= last) {
		row_compute(r, &g->attention, i, first, last);
		g->dirty[k] = last + 1;
	}
	return r;
}

void grid_free(struct grid *g)
{
	for (size_t k = 0; k < g->capacity; k++)
		row_free(&g->rows[k]);
	free(g->rows);
	free(g->dirty);
	if (g->ready)
		attention_free(&g->attention);
	*g = (struct grid){ 0 };
}
