/* head_pictures.c - the weights of all heads in small, computed in pieces. */
#include "tui/head_pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/message.h"
#include "tui/live_dock.h"
#include "tui/state.h"

size_t head_pictures_first(size_t bin, size_t bins, size_t n)
{
	return bin * (n / bins) + (bin < n % bins ? bin : n % bins);
}

/* The bin that thing i is in. */
static size_t bin_of(size_t i, size_t bins, size_t n)
{
	size_t each = n / bins, larger = n % bins;

	return i < larger * (each + 1) ? i / (each + 1) : larger + (i - larger * (each + 1)) / each;
}

/* The query that is taken first of a row of cells: the last, which sees the most when causal. */
static size_t sample_of(const struct head_pictures *p, size_t row)
{
	return head_pictures_first(row + 1, p->rows, p->n_q) - 1;
}

/* ---- beginning and end ---- */

enum status head_pictures_begin(struct head_pictures **out, const struct state *s, long **layer, size_t layers,
				size_t rows, size_t columns, struct error *e)
{
	struct head_pictures *p = calloc(1, sizeof *p);
	size_t heads = s->problem->heads;

	if (!p || layers > SIZE_MAX / heads / sizeof *p->v || !(p->v = calloc(layers * heads, sizeof *p->v))) {
		free(p);
		return error_set(e, E_MEMORY, "no memory for %zu layers of %zu heads", layers, heads);
	}
	p->layers = layers;
	p->heads = heads;
	p->n_q = s->problem->n_q;
	p->n_k = s->problem->n_k;
	p->rows = rows;
	p->columns = columns;
	p->layer = *layer;
	*layer = NULL;
	while (p->here + 1 < layers && p->layer[p->here] != state_scenario(s)->part.layer)
		p->here++;
	*out = p;
	return OK_STATUS;
}

static void close_head(struct head_pictures *p)
{
	if (!p->open)
		return;
	row_free(&p->row);
	attention_free(&p->attention);
	p->open = false;
}

static void close_layer(struct head_pictures *p)
{
	close_head(p);
	if (p->read) {
		problem_free(p->read);
		options_free(&p->options);
	}
	free(p->read);
	p->read = NULL;
}

void head_pictures_free(struct head_pictures *p)
{
	if (!p)
		return;
	close_layer(p);
	for (size_t k = 0; k < p->layers * p->heads; k++) {
		free(p->v[k].cell);
		free(p->v[k].begun);
		weight_tally_free(&p->v[k].tally);
	}
	free(p->v);
	free(p->layer);
	free(p);
}

/* ---- one head after the other ---- */

static size_t layer_of(const struct head_pictures *p)
{
	return (p->here + p->at / p->heads) % p->layers;
}

static struct head_picture *picture_of(struct head_pictures *p)
{
	return &p->v[layer_of(p) * p->heads + p->at % p->heads];
}

static enum status make_room(struct head_pictures *p, struct head_picture *v, struct error *e)
{
	size_t cells = p->rows * p->columns;
	enum status s;

	if (v->ready)
		return OK_STATUS;
	v->cell = calloc(cells, sizeof *v->cell);
	v->begun = calloc(p->rows, sizeof *v->begun);
	if (!v->cell || !v->begun)
		return error_set(e, E_MEMORY, "no memory for a picture");
	for (size_t k = 0; k < cells; k++)
		v->cell[k] = NAN;
	if ((s = weight_tally_begin(&v->tally, &p->attention, e)))
		return s;
	v->ready = true;
	return OK_STATUS;
}

/* The numbers of the layer; *o are its options, borrowed. */
static enum status find_layer(struct head_pictures *p, const struct state *s, const struct problem **of, struct options *o,
			      struct error *e)
{
	size_t layer = layer_of(p);
	enum status status;

	*of = s->problem;
	*o = s->now.options;
	if (layer == p->here)
		return OK_STATUS;
	if (!p->read || p->read_layer != layer) {
		close_layer(p);
		if ((status = state_part_problem(s, p->layer[layer], &p->read, &p->options, e)))
			return status;
		p->read_layer = layer;
	}
	*of = p->read;
	*o = p->options;
	if ((*of)->heads != p->heads || (*of)->n_q != p->n_q || (*of)->n_k != p->n_k)
		return error_set(e, E_SHAPE, "%zu heads of (%zu, %zu), not as the open layer", (*of)->heads, (*of)->n_q, (*of)->n_k);
	return OK_STATUS;
}

static enum status open_head(struct head_pictures *p, const struct state *s, struct error *e)
{
	const struct problem *of;
	struct options o;
	enum status status = find_layer(p, s, &of, &o, e);

	if (status)
		return status;
	live_head_options(s, layer_of(p), p->at % p->heads, &o);
	o.head = (long)(p->at % p->heads);
	if ((status = attention_init(&p->attention, of, &o, s->tables, e)))
		return status;
	if ((status = row_init(&p->row, &p->attention, e))) {
		attention_free(&p->attention);
		return status;
	}
	p->open = true;
	return make_room(p, picture_of(p), e);
}

static void next_head(struct head_pictures *p)
{
	close_head(p);
	p->query = 0;
	if (++p->at < p->layers * p->heads)
		return;
	p->at = 0;
	p->over = p->rest || p->rows == p->n_q;
	p->rest = true;
	if (p->over)
		close_layer(p);
}

/* ---- rows ---- */

/* As the larger of two, but NaN stays. */
static void take_weight(double *cell, double w)
{
	if (!isnan(*cell) && (isnan(w) || w > *cell))
		*cell = w;
}

static void take_row(struct head_pictures *p, struct head_picture *v, size_t i)
{
	size_t row = bin_of(i, p->rows, p->n_q);
	double *cell = v->cell + row * p->columns;

	row_compute(&p->row, &p->attention, i, STAGE_SCORES, STAGE_WEIGHTS);
	for (size_t c = 0; c < p->columns; c++) {
		size_t to = head_pictures_first(c + 1, p->columns, p->n_k), j = head_pictures_first(c, p->columns, p->n_k);
		if (!v->begun[row])
			cell[c] = p->row.weights[j];
		for (; j < to; j++)
			take_weight(&cell[c], p->row.weights[j]);
	}
	v->begun[row] = true;
	v->done++;
	weight_tally_add(&v->tally, &p->attention, &p->row);
}

/* The next query of this head; false when it has none left. */
static bool next_query(struct head_pictures *p, size_t *i)
{
	if (!p->rest) {
		if (p->query == p->rows)
			return false;
		*i = sample_of(p, p->query++);
		return true;
	}
	while (p->query < p->n_q && p->query == sample_of(p, bin_of(p->query, p->rows, p->n_q)))
		p->query++;
	if (p->query == p->n_q)
		return false;
	*i = p->query++;
	return true;
}

/* What one head of a layer lacks, all of them lack: it is not tried again. */
static void fail_layer(struct head_pictures *p, const char *why)
{
	for (size_t h = 0; h < p->heads; h++) {
		struct head_picture *v = &p->v[layer_of(p) * p->heads + h];
		if (!*v->error)
			snprintf(v->error, sizeof v->error, "%.150s", why);
	}
}

void head_pictures_step(struct head_pictures *p, const struct state *s)
{
	struct head_picture *v = picture_of(p);
	struct error e = { 0 };
	double cost = (double)p->n_k * (20 + (double)s->problem->d_k), left = 0x1p18;
	size_t i;

	if (p->over)
		return;
	if (!*v->error && !p->open && open_head(p, s, &e))
		fail_layer(p, *e.text ? e.text : _("no picture"));
	if (*v->error) {
		next_head(p);
		return;
	}
	do {
		if (!next_query(p, &i)) {
			next_head(p);
			return;
		}
		take_row(p, v, i);
	} while ((left -= cost) > 0);
}

bool head_pictures_done(const struct head_pictures *p)
{
	return p->over;
}

double head_pictures_progress(const struct head_pictures *p)
{
	double done = 0, all = 0;

	for (size_t k = 0; k < p->layers * p->heads; k++) {
		done += *p->v[k].error ? (double)p->n_q : (double)p->v[k].done;
		all += (double)p->n_q;
	}
	return p->over ? 1 : done / all;
}
