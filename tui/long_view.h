/* long_view.h - when the grid takes its rows only as far as they are seen.
 *
 * In float32: of Q and K that were float32 or narrower in a file, with more keys than LONG_KEYS, while
 * `dtype` is auto: scores to weights of one head come from long_rows.h, so that a key
 * costs what the screen shows; the cell below the grid is told from them, too. What panels
 * show and what is written is computed in double as ever; so is everything while an option
 * is set that long_rows.h does not know, or something is compared.
 *
 * In double, one row after the other: where all rows of a screen would take long. A key then
 * waits for the cursor's row alone. The others are kept as far as they are seen (seen_rows.h),
 * but for what is asked for whole rows: predictions, A beside B, the mean of the heads.
 */
#ifndef TUI_LONG_VIEW_H
#define TUI_LONG_VIEW_H

#include <stdbool.h>
#include <stddef.h>

struct state;
struct layout;
struct row;
struct long_rows;
struct seen_rows;
struct workers;

enum { LONG_KEYS = 8192 };

/* Where rows that come in turn are kept. */
enum long_turn {
	TURN_SEEN,			/* here, as far as they are seen */
	TURN_GRID,			/* in the grid, and in A's while that is shown */
	TURN_MEAN,			/* in the state's mean of the heads */
};

struct long_view {
	struct long_rows *rows;		/* of the head that was shown last, or NULL */
	struct workers *workers;	/* NULL: the one thread */
	size_t head;
	bool on;			/* the grid's rows are these */
	struct seen_rows *seen;		/* of the same problem, or NULL */
	bool in_turn;			/* rows are computed one after the other, and on is false */
	enum long_turn turn;
	size_t top, shown;		/* rows on screen, while they come in turn */
	bool changed, stale;		/* options have, since rows and seen were made */
	bool failed;			/* no memory; not tried again for this input */
	double *unknown;		/* NaN, for each place of the longest row: one that is not known */
};

/* The problem is about to go. */
void long_view_forget(struct long_view *v);
/* The same, and the threads end. */
void long_view_free(struct long_view *v);
/* Options have changed, or anything else that rows follow from. */
void long_view_change(struct long_view *v);
/* Decides, and has the cursor's row computed, and the others unless that takes long. */
void long_view_settle(struct state *s, const struct layout *l);
/* Whether rows on screen are still computed; a piece of that. */
bool long_view_working(const struct state *s);
void long_view_work(struct state *s);
/* Whether row i of A, of B or of the mean comes in turn and has not come yet; never the cursor's. */
bool long_view_lacks(const struct state *s, size_t i);
/* Whether rows of weights and sums are taken from here, and the numbers of what is shown. */
bool long_view_has_rows(const struct state *s);
bool long_view_has_values(const struct state *s);
/* Numbers that are not known: NaN, as many as a row of what is shown has. */
const double *long_view_unknown(struct state *s);
/* If so: row i, NULL while it is not known; and the numbers of what is shown, NaN then. */
const struct row *long_view_row(struct state *s, size_t i);
const double *long_view_values(struct state *s, size_t i);

#endif
