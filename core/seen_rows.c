/* seen_rows.c - the rows on screen in double, one at a time, as far as they are seen. */
#include "core/seen_rows.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Columns beside those on screen that are kept: moving along a row seldom computes it again. */
enum { BESIDE = 128 };

struct slot {
	struct row row;
	bool known;
	enum stage last;
	size_t left, right;		/* columns that are kept */
};

struct seen_rows {
	const struct attention *attention;
	struct long_window window;	/* columns beside those on screen included */
	enum stage last;
	struct row work;
	size_t count;
	struct slot *slot;
	void *block;			/* the arrays of all of them; untouched pages take no memory */
};

/* ---- memory ---- */

static size_t row_bytes(const struct attention *a)
{
	size_t n_k = a->problem->n_k, d_v = a->problem->d_v;
	size_t bytes = (5 * n_k + d_v) * sizeof(double) + n_k * (sizeof(rules) + sizeof(bool));

	return (bytes + sizeof(double) - 1) / sizeof(double) * sizeof(double);
}

static void place_row(struct slot *s, unsigned char *at, size_t n_k, size_t d_v)
{
	double *d = (double *)(void *)at;

	*s = (struct slot){ .row = { .scores = d, .scaled = d + n_k, .masked = d + 2 * n_k, .weights = d + 3 * n_k,
				     .work = d + 4 * n_k, .output = d + 5 * n_k } };
	s->row.rules = (rules *)(d + 5 * n_k + d_v);
	s->row.overridden = (bool *)(s->row.rules + n_k);
}

static enum status take_rows(struct seen_rows *s, struct error *e)
{
	const struct problem *p = s->attention->problem;
	size_t each = row_bytes(s->attention);
	enum status status = row_init(&s->work, s->attention, e);	/* so that the bytes of a row do not overflow */

	if (status)
		return status;
	s->slot = calloc(s->count, sizeof *s->slot);
	s->block = s->count > SIZE_MAX / each ? NULL : calloc(s->count, each);
	if (!s->slot || !s->block)
		return error_set(e, E_MEMORY, "no memory for %zu rows of %zu keys", s->count, p->n_k);
	for (size_t k = 0; k < s->count; k++)
		place_row(&s->slot[k], (unsigned char *)s->block + k * each, p->n_k, p->d_v);
	return OK_STATUS;
}

enum status seen_rows_begin(struct seen_rows **out, const struct attention *a, size_t rows, struct error *e)
{
	struct seen_rows *s = calloc(1, sizeof *s);

	if (!s)
		return error_set(e, E_MEMORY, "no memory for the rows on screen");
	s->attention = a;
	s->count = rows ? rows : 1;
	enum status status = take_rows(s, e);
	if (status)
		seen_rows_free(s);
	else
		*out = s;
	return status;
}

void seen_rows_free(struct seen_rows *s)
{
	if (!s)
		return;
	row_free(&s->work);
	free(s->slot);
	free(s->block);
	free(s);
}

size_t seen_rows_most(const struct seen_rows *s)
{
	return s->count;
}

/* ---- what is seen ---- */

void seen_rows_forget(struct seen_rows *s)
{
	for (size_t k = 0; k < s->count; k++)
		s->slot[k].known = false;
}

void seen_rows_show(struct seen_rows *s, const struct long_window *w, enum stage last)
{
	size_t n_k = s->attention->problem->n_k;

	s->window = *w;
	s->last = last;
	if (s->window.left > n_k)
		s->window.left = n_k;
	if (s->window.columns > n_k - s->window.left)
		s->window.columns = n_k - s->window.left;
}

static bool holds(const struct seen_rows *s, const struct slot *k, size_t i)
{
	const struct long_window *w = &s->window;

	return k->known && k->row.index == i && k->last >= s->last && (s->last == STAGE_OUTPUT || (k->left <= w->left &&
	       w->left + w->columns <= k->right));
}

const struct row *seen_rows_row(const struct seen_rows *s, size_t i)
{
	const struct slot *k = &s->slot[i % s->count];

	return holds(s, k, i) ? &k->row : NULL;
}

/* The first row on screen that is not known, or SIZE_MAX. */
static size_t next_row(const struct seen_rows *s)
{
	const struct long_window *w = &s->window;
	size_t n_q = s->attention->problem->n_q;

	for (size_t i = w->top; i < w->top + w->rows && i < n_q; i++)
		if (i != w->cursor && !seen_rows_row(s, i))
			return i;
	return SIZE_MAX;
}

bool seen_rows_done(const struct seen_rows *s)
{
	return next_row(s) == SIZE_MAX;
}

/* ---- one row ---- */

/* What was kept before is made 0 again; what is kept now is copied. */
static void keep(double *to, const double *from, const struct slot *was, size_t left, size_t right)
{
	memset(to + was->left, 0, (was->right - was->left) * sizeof *to);
	memcpy(to + left, from + left, (right - left) * sizeof *to);
}

static void keep_row(struct seen_rows *s, struct slot *k, size_t left, size_t right)
{
	struct row own = k->row, *w = &s->work;

	keep(own.scores, w->scores, k, left, right);
	keep(own.scaled, w->scaled, k, left, right);
	keep(own.masked, w->masked, k, left, right);
	keep(own.weights, w->weights, k, left, right);
	memset(own.rules + k->left, 0, (k->right - k->left) * sizeof *own.rules);
	memcpy(own.rules + left, w->rules + left, (right - left) * sizeof *own.rules);
	memset(own.overridden + k->left, 0, (k->right - k->left) * sizeof *own.overridden);
	memcpy(own.overridden + left, w->overridden + left, (right - left) * sizeof *own.overridden);
	memcpy(own.output, w->output, s->attention->problem->d_v * sizeof *own.output);
	k->row = *w;
	k->row.scores = own.scores;
	k->row.scaled = own.scaled;
	k->row.masked = own.masked;
	k->row.weights = own.weights;
	k->row.output = own.output;
	k->row.rules = own.rules;
	k->row.overridden = own.overridden;
	k->row.work = own.work;
	k->row.query = k->row.keys = k->row.value = NULL;
	k->left = left;
	k->right = right;
}

bool seen_rows_step(struct seen_rows *s)
{
	size_t i = next_row(s), n_k = s->attention->problem->n_k;

	if (i == SIZE_MAX)
		return false;
	struct slot *k = &s->slot[i % s->count];
	size_t left = s->window.left > BESIDE ? s->window.left - BESIDE : 0, right = s->window.left + s->window.columns + BESIDE;
	/* The output's columns are those of V; it is kept whole. */
	if (s->last == STAGE_OUTPUT)
		left = right = 0;
	row_compute(&s->work, s->attention, i, STAGE_SCORES, s->last);
	keep_row(s, k, left < n_k ? left : n_k, right < n_k ? right : n_k);
	k->known = true;
	k->last = s->last;
	return next_row(s) != SIZE_MAX;
}
