/* panels.h - the rows on screen of a long head, kept so that a key costs what it shows.
 *
 * A panel is 16 rows from a multiple of 16 on. Of a panel are kept: softmax' sums over
 * its first 1024, 2048, ... keys, with and without the padding, and its raw scores as
 * long as there is room for them. So a row's sums under another causal rule or padding
 * are one lookup and at most one block of 1024 keys; moving and scrolling take nothing
 * but the cells they show. A change of scale computes exponentials, never a product.
 *
 * The work is done in steps between keys, by the caller and the workers; a newer key
 * turns *cancel true and the step ends within a block.
 *
 * Memory: 64 bytes a key and panel for scores, 0.6 a key and panel for sums, within a
 * budget. Not for two threads at once.
 */
#ifndef CORE_PANELS_H
#define CORE_PANELS_H

#include "core/fast.h"

struct panels;

/* Begins with nothing known. Refers to what the head shows and to the workers (or NULL),
 * which outlive it; takes at most `budget` bytes beyond what one thread needs to compute,
 * or the little that is the least. `rows` is the most that are on screen. E_MEMORY, or as
 * fast_check. */
enum status panels_begin(struct panels **out, const struct fast_head *h, size_t rows, size_t budget,
			 struct workers *workers, struct error *e);
void panels_free(struct panels *p);			/* NULL is accepted */
/* Panels whose sums, and whose scores, there is room for. */
size_t panels_room(const struct panels *p, size_t *with_scores);

/* Another scale, causal rule, offset or padding of the same q, k and v. Where only these
 * switch, or `pad` goes to NULL and back, nothing is computed again; other padding (known
 * by its address) and scales need panels_step. */
void panels_change(struct panels *p, const struct fast_head *h);

/* Rows from..to-1 are on screen, at most the number given at the beginning; the cursor's
 * are computed first. */
void panels_show(struct panels *p, size_t from, size_t to, size_t cursor);
/* Does a piece of what is wanted, 32,768 keys of 16 rows at most: the cursor's panel up to
 * what its rows see, then the others on screen, then these to their end, then the panel that
 * comes next in the direction of the last move. Returns whether anything is left; when cancelled, it is. */
bool panels_step(struct panels *p, const atomic_bool *cancel);

/* The sums of row i, or NULL while they are not known. They stay until the next call
 * of another function. */
const struct fast_row *panels_row(struct panels *p, size_t i);
/* A stage of a window into out, row after row: fast_window's numbers. Rows whose sums
 * are not known have NaN for weights; returns whether there were none. */
bool panels_window(struct panels *p, enum stage stage, size_t i0, size_t i1, size_t j0, size_t j1, float *out);

/* Cells whose products of q and k have been computed so far. */
size_t panels_products(const struct panels *p);

#endif
