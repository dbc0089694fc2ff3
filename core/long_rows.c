/* long_rows.c - the rows on screen of a long head, as far as they are seen. */
#include "core/long_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the rows' arrays that may be in use before they are given back. */
enum { TOUCHED = 8 << 20, PAGE = 4096, NUMBERS = 5 };		/* arrays of doubles in a row */

struct slot {
	struct row row;
	bool filled;			/* with this window, of the head as it is */
	size_t left, columns;
};

struct long_rows {
	struct panels *panels;
	struct fast_head head;
	unsigned char *pad;		/* that was in force last; kept while it is off */
	double tolerance;
	struct long_window window;
	bool done;
	size_t count;			/* slots */
	struct slot *slot;
	void *block;			/* the arrays of all of them; untouched pages take no memory */
	size_t touched;
	float *numbers;			/* of a window of one row */
	size_t room;			/* for so many */
};

/* ---- memory ---- */

static size_t row_bytes(const struct long_rows *l)
{
	size_t n_k = l->head.k.rows;

	return n_k * (NUMBERS * sizeof(double) + sizeof(rules) + sizeof(bool));
}

static void place_row(struct slot *s, unsigned char *at, size_t n_k)
{
	double *d = (double *)(void *)at;

	*s = (struct slot){ .row = { .scores = d, .scaled = d + n_k, .masked = d + 2 * n_k, .weights = d + 3 * n_k, .work = d + 4 * n_k } };
	s->row.rules = (rules *)(d + 5 * n_k);
	s->row.overridden = (bool *)(s->row.rules + n_k);
}

/* All rows anew, and empty. */
static enum status take_rows(struct long_rows *l, struct error *e)
{
	size_t each = (row_bytes(l) + sizeof(double) - 1) / sizeof(double) * sizeof(double);
	void *block = l->count > SIZE_MAX / each ? NULL : calloc(l->count, each);

	if (!block)
		return error_set(e, E_MEMORY, "no memory for %zu rows of %zu keys", l->count, l->head.k.rows);
	free(l->block);
	l->block = block;
	l->touched = 0;
	for (size_t k = 0; k < l->count; k++)
		place_row(&l->slot[k], (unsigned char *)block + k * each, l->head.k.rows);
	return OK_STATUS;
}

/* Before a row gets another window that of before is made 0 again; its memory stays in use. */
static void clear_row(struct long_rows *l, struct slot *s)
{
	size_t at = s->left, n = s->columns;

	l->touched += (NUMBERS + 2) * (l->window.columns * sizeof(double) + 2 * PAGE);
	memset(s->row.scores + at, 0, n * sizeof(double));
	memset(s->row.scaled + at, 0, n * sizeof(double));
	memset(s->row.masked + at, 0, n * sizeof(double));
	memset(s->row.weights + at, 0, n * sizeof(double));
	memset(s->row.rules + at, 0, n);
}

/* When much memory is in use all is given back; without memory for that the old does. */
static void give_back(struct long_rows *l)
{
	struct error e = { 0 };

	if (l->touched > TOUCHED)
		take_rows(l, &e);
}

enum status long_rows_begin(struct long_rows **out, const struct attention *a, const struct tensor_view *q,
			    const struct tensor_view *k, const struct tensor_view *v, size_t rows, size_t budget,
			    struct workers *workers, struct error *e)
{
	struct long_rows *l = calloc(1, sizeof *l);
	enum status s;

	if (!l)
		return error_set(e, E_MEMORY, "no memory for the rows on screen");
	l->count = rows ? rows : 1;
	l->tolerance = dtype_sum_tolerance(DTYPE_F32, a->problem->n_k);
	l->slot = calloc(l->count, sizeof *l->slot);
	s = l->slot ? fast_attention_head(&l->head, &l->pad, a, q, k, v, e) : error_set(e, E_MEMORY, "no memory for %zu rows", rows);
	if (!s)
		s = panels_begin(&l->panels, &l->head, l->count, budget, workers, e);
	if (!s)
		s = take_rows(l, e);
	if (s)
		long_rows_free(l);
	else
		*out = l;
	return s;
}

void long_rows_free(struct long_rows *l)
{
	if (!l)
		return;
	panels_free(l->panels);
	free(l->pad);
	free(l->slot);
	free(l->block);
	free(l->numbers);
	free(l);
}

size_t long_rows_most(const struct long_rows *l)
{
	return l->count;
}

/* ---- what is in force, and seen ---- */

static void forget(struct long_rows *l)
{
	for (size_t k = 0; k < l->count; k++)
		l->slot[k].filled = false;
	l->done = false;
}

enum status long_rows_change(struct long_rows *l, const struct attention *a, struct error *e)
{
	struct fast_head h;
	unsigned char *pad, *old = NULL;
	enum status s = fast_attention_head(&h, &pad, a, &l->head.q, &l->head.k, &l->head.v, e);

	if (s)
		return s;
	/* Padding is known by its address: the same stays where it is, another stands elsewhere. */
	if (pad && l->pad && !memcmp(pad, l->pad, h.k.rows)) {
		free(pad);
		h.pad = l->pad;
	} else if (pad) {
		old = l->pad;
		l->pad = pad;
	}
	l->head = h;
	panels_change(l->panels, &h);
	free(old);
	forget(l);
	return OK_STATUS;
}

void long_rows_show(struct long_rows *l, const struct long_window *w)
{
	size_t n_q = l->head.q.rows, n_k = l->head.k.rows;
	struct long_window fresh = *w;

	if (fresh.left > n_k)
		fresh.left = n_k;
	if (fresh.columns > n_k - fresh.left)
		fresh.columns = n_k - fresh.left;
	if (fresh.top > n_q)
		fresh.top = n_q;
	if (fresh.rows > n_q - fresh.top)
		fresh.rows = n_q - fresh.top;
	if (fresh.rows > l->count)
		fresh.rows = l->count;
	if (!memcmp(&fresh, &l->window, sizeof fresh))
		return;
	l->window = fresh;
	l->done = false;
	give_back(l);
	panels_show(l->panels, fresh.top, fresh.top + fresh.rows, fresh.cursor);
}

bool long_rows_step(struct long_rows *l, const atomic_bool *cancel)
{
	l->done = !panels_step(l->panels, cancel);
	return !l->done;
}

bool long_rows_done(const struct long_rows *l)
{
	return l->done;
}

/* ---- one row ---- */

static void widen(struct long_rows *l, enum stage stage, size_t i, double *out)
{
	const struct long_window *w = &l->window;

	panels_window(l->panels, stage, i, i + 1, w->left, w->left + w->columns, l->numbers);
	for (size_t k = 0; k < w->columns; k++)
		out[w->left + k] = (double)l->numbers[k];
}

static void fill_rules(const struct long_rows *l, size_t i, rules *out)
{
	size_t limit = fast_limit(&l->head, i);

	for (size_t j = l->window.left; j < l->window.left + l->window.columns; j++) {
		bool future = l->head.causal && j >= limit, pad = l->head.pad && l->head.pad[j];
		out[j] = (rules)((future ? RULE_CAUSAL : 0) | (pad ? RULE_PAD : 0));
	}
}

static enum verdict verdict_of(const struct long_rows *l, const struct fast_row *f)
{
	if (!f->visible)
		return VERDICT_EMPTY;
	if (isnan(f->sum))
		return VERDICT_NAN;
	return f->sum < 1 - l->tolerance ? VERDICT_LOW : f->sum > 1 + l->tolerance ? VERDICT_HIGH : VERDICT_OK;
}

static void fill_sums(const struct long_rows *l, struct row *r, const struct fast_row *f)
{
	r->visible = f->visible;
	r->maximum = (double)f->max;
	r->denominator = (double)f->denominator;
	r->second_maximum = r->second_denominator = r->remaining = NAN;
	r->sum = f->sum;
	r->largest = f->largest;
	r->entropy = f->entropy;
	r->verdict = verdict_of(l, f);
	r->culprit = 0;
}

static bool has_room(struct long_rows *l)
{
	size_t wanted = l->window.columns;

	if (wanted <= l->room)
		return true;
	float *numbers = realloc(l->numbers, wanted * sizeof *numbers);
	if (!numbers)
		return false;
	l->numbers = numbers;
	l->room = wanted;
	return true;
}

const struct row *long_rows_row(struct long_rows *l, size_t i)
{
	struct slot *s = &l->slot[i % l->count];
	const struct long_window *w = &l->window;
	const struct fast_row *known;

	if (s->filled && s->row.index == i && s->left == w->left && s->columns == w->columns)
		return &s->row;
	if (!has_room(l) || !(known = panels_row(l->panels, i)))
		return NULL;
	struct fast_row sums = *known;
	clear_row(l, s);
	fill_sums(l, &s->row, &sums);
	s->row.index = i;
	s->filled = true;
	s->left = w->left;
	s->columns = w->columns;
	widen(l, STAGE_SCORES, i, s->row.scores);
	widen(l, STAGE_SCALED, i, s->row.scaled);
	widen(l, STAGE_MASKED, i, s->row.masked);
	widen(l, STAGE_WEIGHTS, i, s->row.weights);
	fill_rules(l, i, s->row.rules);
	return &s->row;
}
