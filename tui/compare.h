/* compare.h - a state that was pinned as A, beside B, the state as it is now.
 *
 * A is a copy of a snapshot with a problem and a grid of its own, so whatever changes
 * afterwards (options, edits, the head, the scenario) leaves it as it was. What is
 * compared is the shown stage of both, where both have a cell. Undo knows nothing of it.
 *
 * Cost: A's rows are computed as they are shown. What differs in all rows is looked
 * for where that takes some milliseconds, else in the rows shown.
 */
#ifndef TUI_COMPARE_H
#define TUI_COMPARE_H

#include "tui/layout.h"
#include "tui/state.h"

/* a: pins the state as it is, or unpins one that computes the same; says which. */
void compare_pin(struct state *s, const char *by);
/* d: A | B, then B - A, then B alone. */
void compare_step(struct state *s, const char *by);
/* B alone is shown again; false when it was. */
bool compare_close(struct state *s);
/* Builds what a session's pin needs. On error nothing is pinned. */
enum status compare_resume(struct state *s, struct error *e);
void compare_free(struct pinned *p);

/* ---- between state.c and the views ---- */

/* What is shown of it: COMPARE_OFF also while something is asked for. */
enum comparison compare_shown(const struct state *s);
/* What is found anew when the state has changed; before each frame. */
void compare_forget(struct state *s);
void compare_settle(struct state *s, const struct layout *l);
/* Room for A's rows on screen, while A is shown; without memory for all the others are computed again. */
void compare_reserve(struct state *s, const struct layout *l);

/* Rows and columns of A at the shown stage; 0 and 0 where A does not have it. */
void compare_shape(const struct state *s, size_t *rows, size_t *columns);
/* One row of it; NULL where A has none or it has not come yet (long_view.h). Valid until the next call. */
const double *compare_values(struct state *s, size_t row);
/* A's query row i; NULL where what is shown has no queries, A not that many, or it has not come yet. */
const struct row *compare_query(struct state *s, size_t row);
/* b - a; 0 where both are nan, or the same infinity. */
double compare_difference(double a, double b);
/* Whether the bits are the same, or both are nan. */
bool compare_same(double a, double b);
/* Whether two row sums, of A and of B, differ by no more than the rounding that their types
 * are allowed before a sum is told not to be 1. */
bool compare_sums_alike(const struct state *s, double a, double b);
/* What tells B from A in words: "causal on -> off, head 0 -> 1". */
void compare_text(const struct state *s, struct buffer *out);

/* Where A | B stand on the screen. */
struct compare_halves {
	int cell_width, sum_width;	/* sum_width 0: no room for sums */
	size_t left, columns;		/* shown of each */
	int x[2], bar;			/* first screen column of each half's cells; of the line between */
};
void compare_halves(const struct layout *l, const struct state *s, struct compare_halves *out);
/* The column of a cell, of either half, under a screen column. */
bool compare_hit(const struct layout *l, const struct state *s, int x, size_t *column);

#endif
