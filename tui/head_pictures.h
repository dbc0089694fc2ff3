/* head_pictures.h - the weights of all heads, of all layers of the file, in small, and
 * their figures: computed in pieces between keys.
 *
 * A cell of a picture is the largest weight of the block of queries and keys that falls
 * into it: where there is one for each weight, the weight itself. At first one query of
 * every row of cells is taken, in every head, then all of them: a cell that is not
 * finished is a lower bound.
 *
 * Cost: n_q n_k (d_k + 20) a head, and reading each layer twice that is not the open
 * one. Memory: 8 bytes a cell, and the numbers of one layer.
 */
#ifndef TUI_HEAD_PICTURES_H
#define TUI_HEAD_PICTURES_H

#include "core/head_figures.h"

struct state;

struct head_picture {
	double *cell;			/* rows * columns; NaN: nothing known, or a NaN in it */
	bool *begun;			/* rows: a query of it is in */
	struct weight_tally tally;
	bool ready;			/* the three above are there */
	size_t done;			/* queries that are in */
	char error[160];		/* why there is no picture; "" */
};

struct head_pictures {
	long *layer;			/* numbers of the layers, owned */
	size_t layers, here, heads;	/* here: index of the layer that is open */
	size_t n_q, n_k;		/* of the open layer; others are expected to be alike */
	size_t rows, columns;		/* of a picture */
	struct head_picture *v;		/* [layers][heads] */
	/* what comes next: the first queries of all heads, then the rest */
	bool rest, over;
	size_t at, query;		/* at: layers from `here` on, times heads, plus head */
	/* of the head that is computed */
	struct problem *read;		/* of a layer that is not open, owned; else NULL */
	struct options options;
	size_t read_layer;
	struct attention attention;
	struct row row;
	bool open;
};

/* Takes the list of layers over (*layer is then NULL). rows <= n_q, columns <= n_k. */
enum status head_pictures_begin(struct head_pictures **out, const struct state *s, long **layer, size_t layers,
				size_t rows, size_t columns, struct error *e);
/* A millisecond or so, or a layer that is read. */
void head_pictures_step(struct head_pictures *p, const struct state *s);
bool head_pictures_done(const struct head_pictures *p);
double head_pictures_progress(const struct head_pictures *p);		/* 0 .. 1 */
void head_pictures_free(struct head_pictures *p);		/* NULL is accepted */

/* Of n things in `bins` bins, as even as can be: the first of a bin. */
size_t head_pictures_first(size_t bin, size_t bins, size_t n);

#endif
