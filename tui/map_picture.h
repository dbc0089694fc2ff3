/* map_picture.h - the whole map of a head's weights in a few cells, computed in pieces.
 *
 * A cell is the mean, and the largest, of all weights of its bin of queries and keys.
 * Where the rules are those of fast.h it is overview.h's, in float32 and from many rows
 * at once; where they are not (other masks, fills, number types, edited scores), where
 * the weights are given, and where it takes no time anyway, each row is computed in
 * double and added: first two of every bin, then one more of every bin, and so on.
 *
 * Cost: every row once. Memory: 24 bytes a cell and one row, or that of overview.h.
 */
#ifndef TUI_MAP_PICTURE_H
#define TUI_MAP_PICTURE_H

#include "core/row.h"

struct map_picture;

enum { MAP_MOST = 1024 };		/* rows, columns */

/* At most n_q rows and n_k columns of cells, 1 of each at least. The attention outlives
 * it. E_MEMORY. */
enum status map_picture_begin(struct map_picture **out, const struct attention *a, size_t rows, size_t columns, struct error *e);
void map_picture_free(struct map_picture *m);		/* NULL is accepted */
size_t map_picture_rows(const struct map_picture *m);
size_t map_picture_columns(const struct map_picture *m);
/* Whether the numbers are float32's. */
bool map_picture_is_float(const struct map_picture *m);

/* A few milliseconds of work. Returns whether anything is left. */
bool map_picture_step(struct map_picture *m);
bool map_picture_done(const struct map_picture *m);
double map_picture_progress(const struct map_picture *m);	/* of the rows, 0 .. 1 */
/* Expected error of the means as far as they are known, in relation to them; 0 when done,
 * infinite when nothing can be said yet. Of the largest it is only known that they are
 * no smaller. */
double map_picture_error(const struct map_picture *m);

/* First query of row r of cells, and first key of column c; of the number of them: n. */
size_t map_picture_query(const struct map_picture *m, size_t r);
size_t map_picture_key(const struct map_picture *m, size_t c);
/* Whether anything is known of row r of cells. */
bool map_picture_known(const struct map_picture *m, size_t r);
double map_picture_mean(const struct map_picture *m, size_t r, size_t c);
double map_picture_largest(const struct map_picture *m, size_t r, size_t c);

#endif
