/* long_view.h - when the grid takes its rows in float32, only as far as they are seen.
 *
 * Of Q and K that were float32 or narrower in a file, with more keys than LONG_KEYS, while
 * `dtype` is auto: scores to weights of one head come from long_rows.h, so that a key
 * costs what the screen shows. What is asked of single rows (the cell below the grid,
 * panels, what is written) is computed in double as ever; so is everything while an option
 * is set that long_rows.h does not know, or something is compared.
 */
#ifndef TUI_LONG_VIEW_H
#define TUI_LONG_VIEW_H

#include <stdbool.h>
#include <stddef.h>

struct state;
struct layout;
struct row;
struct long_rows;
struct workers;

enum { LONG_KEYS = 8192 };

struct long_view {
	struct long_rows *rows;		/* of the head that was shown last, or NULL */
	struct workers *workers;	/* NULL: the one thread */
	size_t head;
	bool on;			/* the grid's rows are these */
	bool changed;			/* options have, since */
	bool failed;			/* no memory; not tried again for this input */
	double *unknown;		/* n_k times NaN: a row that is not known yet */
};

/* The problem is about to go. */
void long_view_forget(struct long_view *v);
/* The same, and the threads end. */
void long_view_free(struct long_view *v);
/* Decides, and has the cursor's row computed, and the others unless that takes long. */
void long_view_settle(struct state *s, const struct layout *l);
/* Whether rows on screen are still computed; a piece of that. */
bool long_view_working(const struct state *s);
void long_view_work(struct state *s);
/* While it is on: row i, NULL while it is not known; and the numbers of what is shown, NaN then. */
const struct row *long_view_row(struct state *s, size_t i);
const double *long_view_values(struct state *s, size_t i);

#endif
