/* influence.c - the influence picture, in pieces: which key moves which output. */
#include "core/influence.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/probe_parts.h"

/* What is known of a cell; the unknown is what calloc gives. */
enum cell { CELL_UNKNOWN, CELL_STILL, CELL_MOVES };

/* The rows that are looked at and what is known of them. */
struct window {
	size_t from, to;
	uint8_t *cell;		/* (to - from, n_k): enum cell */
	size_t known;
};

/* What the next step does. A band is the rows that share each change of a key:
 * one row, or all of the window where a change is a scan of all rows. */
enum next {
	NEXT_BEFORE,		/* an output of the band as it is */
	NEXT_CHANGE,		/* the key becomes its noise, or the opposite */
	NEXT_COMPARE,		/* a row of the band again */
	NEXT_NONE,
};

struct influence_work {
	const struct attention *a;	/* the caller's, or the stand-in's */
	const struct random_tables *tables;
	struct stand_in stand_in;
	struct variant variant;
	struct row row;
	double *noise;			/* d_k for K, then d_v for V: of the key at hand */
	struct random first, stream;	/* of the noise: at the first key, and after `drawn` keys */
	size_t drawn;

	struct window window;
	double *before;			/* (band, d_v) */
	enum next next;
	size_t from, to, at;		/* the band, and the next row of it */
	size_t key;
	int round;			/* 1: with the opposite of the noise */
};

/* ---- cells ---- */

static size_t keys(const struct influence_work *f)
{
	return f->a->problem->n_k;
}

static uint8_t *cells_of(const struct influence_work *f, size_t i)
{
	return f->window.cell + (i - f->window.from) * keys(f);
}

static bool in_window(const struct influence_work *f, size_t i)
{
	return i >= f->window.from && i < f->window.to;
}

bool influence_done(const struct influence_work *f, size_t i)
{
	return f && in_window(f, i) && !memchr(cells_of(f, i), CELL_UNKNOWN, keys(f));
}

bool influence_known(const struct influence_work *f, size_t i, size_t j)
{
	return in_window(f, i) && cells_of(f, i)[j] != CELL_UNKNOWN;
}

bool influence_moves(const struct influence_work *f, size_t i, size_t j)
{
	return in_window(f, i) && cells_of(f, i)[j] == CELL_MOVES;
}

static void settle(struct influence_work *f, size_t i, enum cell cell)
{
	cells_of(f, i)[f->key] = (uint8_t)cell;
	f->window.known++;
}

double influence_progress(const struct influence_work *f)
{
	double all = (double)(f->window.to - f->window.from) * (double)keys(f);

	return all > 0 ? (double)f->window.known / all : 1;
}

/* ---- the key at hand ---- */

/* Key j's row of an array becomes the noise times sign, or with sign 0 its own. */
static void set_array(struct influence_work *f, enum array array, const double *noise, double sign)
{
	if (!f->variant.heads[array])
		return;
	const struct matrix *own = problem_array(f->a->problem, array, f->a->head);
	double *to = variant_matrix(&f->variant, array)->v + f->key * own->columns;

	for (size_t c = 0; c < own->columns; c++)
		to[c] = sign != 0 ? sign * noise[c] : matrix_at(own, f->key, c);
}

static void set_key(struct influence_work *f, double sign)
{
	set_array(f, ARRAY_K, f->noise, sign);
	set_array(f, ARRAY_V, f->noise + f->a->problem->d_k, sign);
}

/* Every key has its own noise, the same for all rows. */
static void draw_key(struct influence_work *f)
{
	const struct problem *p = f->a->problem;

	if (f->drawn > f->key)		/* in the first round, or in the same step before it failed */
		return;
	noise_draw(f->noise, p->d_k + p->d_v, &f->stream);
	f->drawn++;
}

/* The first row from i on that waits for the key at hand. */
static size_t next_waiting(const struct influence_work *f, size_t i)
{
	while (i < f->to && cells_of(f, i)[f->key] != CELL_UNKNOWN)
		i++;
	return i;
}

/* ---- from band to band ---- */

/* To the first band that is not all known: it begins at row i or after. */
static void begin_band(struct influence_work *f, size_t i)
{
	while (i < f->window.to && influence_done(f, i))
		i++;
	f->from = f->at = i;
	f->to = variant_scans(&f->variant) || i == f->window.to ? f->window.to : i + 1;
	f->next = f->from < f->to ? NEXT_BEFORE : NEXT_NONE;
	f->stream = f->first;
	f->drawn = f->key = 0;
	f->round = 0;
}

static void finish_key(struct influence_work *f)
{
	for (size_t i = next_waiting(f, f->from); i < f->to; i = next_waiting(f, i))
		settle(f, i, CELL_STILL);
	set_key(f, 0);
	f->round = 0;
	f->next = NEXT_CHANGE;
	if (++f->key == keys(f))
		begin_band(f, f->to);
}

/* ---- steps ---- */

static void before_step(struct influence_work *f)
{
	size_t d_v = f->a->problem->d_v;

	row_compute(&f->row, f->a, f->at, STAGE_SCORES, STAGE_OUTPUT);
	memcpy(f->before + (f->at - f->from) * d_v, f->row.output, d_v * sizeof *f->before);
	if (++f->at == f->to)
		f->next = NEXT_CHANGE;
}

static enum status change_step(struct influence_work *f, struct error *e)
{
	enum status s;

	draw_key(f);
	f->at = next_waiting(f, f->from);
	if (f->at == f->to) {		/* known from another window */
		finish_key(f);
		return OK_STATUS;
	}
	set_key(f, f->round ? -1 : 1);
	if ((s = variant_update(&f->variant, f->tables, e)))
		return s;
	f->next = NEXT_COMPARE;
	return OK_STATUS;
}

/* Rows that did not move wait for the second round. */
static void compare_step(struct influence_work *f)
{
	size_t d_v = f->a->problem->d_v;
	struct difference ignored = { 0 };

	row_compute(&f->row, &f->variant.attention, f->at, STAGE_SCORES, STAGE_OUTPUT);
	if (probe_compare(f->before + (f->at - f->from) * d_v, f->row.output, d_v, &ignored))
		settle(f, f->at, CELL_MOVES);
	f->at = next_waiting(f, f->at + 1);
	if (f->at < f->to)
		return;
	f->next = NEXT_CHANGE;
	if (f->round++ || next_waiting(f, f->from) == f->to)
		finish_key(f);
}

enum status influence_step(struct influence_work *f, bool *more, struct error *e)
{
	enum status s = OK_STATUS;

	switch (f->next) {
	case NEXT_BEFORE:
		before_step(f);
		break;
	case NEXT_CHANGE:
		s = change_step(f, e);
		break;
	case NEXT_COMPARE:
		compare_step(f);
		break;
	case NEXT_NONE:
		break;
	}
	if (!s)
		*more = f->next != NEXT_NONE;
	return s;
}

/* ---- the window ---- */

static void keep_known(const struct influence_work *f, struct window *w)
{
	size_t n = keys(f);

	for (size_t i = w->from; i < w->to; i++)
		if (in_window(f, i))
			memcpy(w->cell + (i - w->from) * n, cells_of(f, i), n);
	for (size_t k = 0; k < (w->to - w->from) * n; k++)
		w->known += w->cell[k] != CELL_UNKNOWN;
}

enum status influence_window(struct influence_work *f, size_t from, size_t to, struct error *e)
{
	size_t rows = to - from, n = keys(f), d_v = f->a->problem->d_v;
	size_t band = variant_scans(&f->variant) ? rows : 1;
	struct window w = { .from = from, .to = to };
	struct matrix before;
	enum status s;

	if (f->before && from == f->window.from && to == f->window.to)
		return OK_STATUS;
	if (rows > SIZE_MAX / (n + 1))
		return error_set(e, E_MEMORY, "a picture of %zu x %zu is too large", rows, n);
	if ((s = matrix_init(&before, band, d_v, e)))
		return s;
	w.cell = calloc(rows * n + 1, sizeof *w.cell);
	if (!w.cell) {
		matrix_free(&before);
		return error_set(e, E_MEMORY, "no memory for a picture of %zu x %zu", rows, n);
	}
	keep_known(f, &w);
	set_key(f, 0);
	free(f->window.cell);
	free(f->before);
	f->window = w;
	f->before = before.v;
	begin_band(f, from);
	return OK_STATUS;
}

/* ---- memory ---- */

static enum status open_arrays(struct influence_work *f, struct error *e)
{
	const struct problem *p = f->a->problem;
	enum status s;

	variant_init(&f->variant, f->a);
	if ((s = variant_open(&f->variant, ARRAY_V, e)))
		return s;
	return variant_applies(p, ARRAY_K) ? variant_open(&f->variant, ARRAY_K, e) : OK_STATUS;
}

static enum status begin(struct influence_work *f, size_t from, size_t to, struct error *e)
{
	const struct problem *p;
	enum status s;

	if ((s = stand_in_init(&f->stand_in, &f->a, f->tables, e)) || (s = noise_begin(&f->first, f->tables, e)) ||
	    (s = row_init(&f->row, f->a, e)) || (s = open_arrays(f, e)))
		return s;
	p = f->a->problem;
	f->noise = calloc(p->d_k + p->d_v + 1, sizeof *f->noise);
	if (!f->noise)
		return error_set(e, E_MEMORY, "no memory for a key of %zu numbers", p->d_k + p->d_v);
	return influence_window(f, from, to, e);
}

enum status influence_begin(struct influence_work **out, const struct attention *a, size_t from, size_t to,
			    const struct random_tables *tables, struct error *e)
{
	struct influence_work *f = calloc(1, sizeof *f);
	enum status s;

	if (!f)
		return error_set(e, E_MEMORY, "no memory for the influence of keys");
	f->a = a;
	f->tables = tables;
	s = begin(f, from, to, e);
	if (s)
		influence_free(f);
	else
		*out = f;
	return s;
}

void influence_free(struct influence_work *f)
{
	if (!f)
		return;
	free(f->window.cell);
	free(f->before);
	free(f->noise);
	row_free(&f->row);
	variant_free(&f->variant);
	stand_in_free(&f->stand_in);
	free(f);
}

/* ---- one row at once ---- */

enum status probe_influence(const struct attention *a, size_t i, const struct random_tables *tables, bool *out,
			    struct error *e)
{
	struct influence_work *f;
	bool more = true;
	enum status s = influence_begin(&f, a, i, i + 1, tables, e);

	if (s)
		return s;
	while (more && !s)
		s = influence_step(f, &more, e);
	for (size_t j = 0; j < a->problem->n_k && !s; j++)
		out[j] = influence_moves(f, i, j);
	influence_free(f);
	return s;
}
