/* fast.c - one head of long float inputs: tiles of keys, and the whole pipeline. */
#include "core/fast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fast_parts.h"

/* ---- the head ---- */

static bool in_range(size_t n, size_t most)
{
	return n >= 1 && n <= most;
}

enum status fast_check(const struct fast_head *h, struct error *e)
{
	const struct tensor_view *q = &h->q, *k = &h->k, *v = &h->v;

	if (q->columns != k->columns)
		return error_set(e, E_SHAPE, "Q (%zu, %zu) and K (%zu, %zu) do not fit: rows of one length were expected",
				 q->rows, q->columns, k->rows, k->columns);
	if (v->rows != k->rows)
		return error_set(e, E_SHAPE, "K (%zu, %zu) and V (%zu, %zu) do not fit: one row a key was expected in both",
				 k->rows, k->columns, v->rows, v->columns);
	if (!q->rows || !k->rows || !k->columns || !v->columns)
		return error_set(e, E_VALUE,
				 "Q (%zu, %zu), K (%zu, %zu), V (%zu, %zu): at least one query, key and dimension was expected",
				 q->rows, q->columns, k->rows, k->columns, v->rows, v->columns);
	if (!in_range(q->rows, FAST_POSITIONS) || !in_range(k->rows, FAST_POSITIONS) ||
	    !in_range(k->columns, FAST_DIMENSIONS) || !in_range(v->columns, FAST_DIMENSIONS))
		return error_set(e, E_LIMIT,
				 "Q (%zu, %zu), K (%zu, %zu), V (%zu, %zu): at most %d positions of %d dimensions are taken",
				 q->rows, q->columns, k->rows, k->columns, v->rows, v->columns,
				 FAST_POSITIONS, FAST_DIMENSIONS);
	return OK_STATUS;
}

size_t fast_limit(const struct fast_head *h, size_t i)
{
	size_t n = h->k.rows, at = i + 1, back = 0 - (size_t)h->offset;

	if (!h->causal)
		return n;
	if (h->offset < 0)
		at = back < at ? at - back : 0;
	else
		at = (size_t)h->offset < n ? at + (size_t)h->offset : n;
	return at < n ? at : n;
}

/* ---- what a thread computes with ---- */

enum status fast_work_init(struct fast_work *w, const struct fast_head *h, struct error *e)
{
	size_t d_k = h->k.columns, d_v = h->v.columns;
	size_t panels = (d_k + d_v) * LANES * FAST_GROUP, scores = 2 * FAST_TILE_SCORES;
	size_t rows = (size_t)FAST_TILE * (d_k + d_v);
	size_t each = LANES_ALIGN / sizeof(float);
	float *block = calloc(panels + scores + rows + each, sizeof *block);

	if (!block)
		return error_set(e, E_MEMORY, "no memory for rows of %zu and %zu dimensions", d_k, d_v);
	float *at = block + (LANES_ALIGN - (uintptr_t)block % LANES_ALIGN) % LANES_ALIGN / sizeof *block;
	w->block = block;
	w->q = at;
	w->o = w->q + d_k * LANES * FAST_GROUP;
	w->s = w->o + d_v * LANES * FAST_GROUP;
	w->k = w->s + scores;
	w->v = w->k + FAST_TILE * d_k;
	return OK_STATUS;
}

void fast_work_free(struct fast_work *w)
{
	free(w->block);
	*w = (struct fast_work){ 0 };
}

void fast_pack(const struct fast_head *h, struct fast_work *w, size_t first, float *q)
{
	size_t d = h->q.columns, rows = h->q.rows - first < LANES ? h->q.rows - first : LANES;

	memset(q, 0, d * LANES * sizeof *q);
	for (size_t r = 0; r < rows; r++) {
		tensor_view_row(&h->q, h->lanes, first + r, w->k);
		for (size_t c = 0; c < d; c++)
			q[c * LANES + r] = w->k[c];
	}
}

/* ---- tiles ---- */

/* Rows of a view where the kernel can read them; `copy` has room for them. */
static const void *readable(const struct tile *t, const struct tensor_view *view, const struct fast_head *h,
			    float *copy, size_t *step)
{
	if (tensor_view_plain(view) && !t->scattered) {
		*step = (size_t)view->row_step;
		return tensor_view_row_at(view, t->first);
	}
	*step = view->columns * sizeof *copy;
	for (size_t x = 0; x < t->keys; x++)
		tensor_view_row(view, h->lanes, t->scattered ? t->position[x] : t->first + x, copy + x * view->columns);
	return copy;
}

void tile_at(struct tile *t, const struct fast_head *h, struct fast_work *w, size_t at, size_t end)
{
	t->first = at;
	t->keys = end - at < FAST_TILE ? end - at : FAST_TILE;
	t->scattered = false;
	t->k = readable(t, &h->k, h, w->k, &t->k_step);
	t->v = NULL;
}

static size_t unpadded(const unsigned char *pad, size_t at, size_t end)
{
	while (at < end && pad[at])
		at++;
	return at;
}

/* Positions of the next visible keys; all beside each other is the common case. */
static void find_keys(struct tile *t, const unsigned char *pad, size_t *at, size_t end)
{
	t->scattered = false;
	t->first = *at;
	if (!pad) {
		t->keys = end - *at < FAST_TILE ? end - *at : FAST_TILE;
		*at += t->keys;
		return;
	}
	t->first = *at = unpadded(pad, *at, end);
	for (t->keys = 0; t->keys < FAST_TILE && *at < end; *at = unpadded(pad, *at + 1, end))
		t->position[t->keys++] = (uint32_t)*at;
	t->scattered = t->keys && t->position[t->keys - 1] - t->first != t->keys - 1;
}

bool tile_next(struct tile *t, const struct fast_head *h, struct fast_work *w, bool with_v, size_t *at, size_t end)
{
	if (*at >= end)
		return false;
	find_keys(t, h->pad, at, end);
	if (!t->keys)
		return false;
	t->k = readable(t, &h->k, h, w->k, &t->k_step);
	t->v = with_v ? readable(t, &h->v, h, w->v, &t->v_step) : NULL;
	return true;
}

size_t tile_limit(const struct tile *t, size_t limit)
{
	size_t x = 0;

	if (!t->scattered)
		return limit <= t->first ? 0 : limit - t->first < t->keys ? limit - t->first : t->keys;
	while (x < t->keys && t->position[x] < limit)
		x++;
	return x;
}

size_t tile_limits(const struct tile *t, const struct fast_head *h, size_t first, int32_t limit[LANES], size_t *most)
{
	size_t last = h->q.rows - 1, least = tile_limit(t, fast_limit(h, first));

	if (least == t->keys) {		/* later rows see no less */
		*most = least;
		return least;
	}
	for (size_t r = 0; r < LANES; r++)
		limit[r] = (int32_t)tile_limit(t, fast_limit(h, first + r < last ? first + r : last));
	*most = (size_t)limit[LANES - 1];
	return least;
}

void tile_hide(const struct fast_head *h, size_t keys, size_t whole, const int32_t limit[LANES], float *s)
{
	int32_t rest[LANES];

	if (whole >= keys)
		return;
	for (size_t r = 0; r < LANES; r++)
		rest[r] = limit[r] - (int32_t)whole;
	h->lanes->hide(s + whole * LANES, keys - whole, rest);
}

/* ---- outputs ---- */

/* Softmax so far of a panel; its outputs so far are in the work. */
struct progress {
	_Alignas(LANES_ALIGN) float max[LANES];
	float sum[LANES], factor[LANES];	/* of the last tile */
	double total[LANES];
};

static void mix_tile(const struct fast_head *h, const struct tile *t, size_t whole, size_t keys,
		     const int32_t limit[LANES], const float *s, float *o)
{
	int32_t rest[LANES];
	size_t d = h->v.columns;

	h->lanes->mix(t->v, t->v_step, whole, d, s, o);
	if (whole == keys)
		return;
	for (size_t r = 0; r < LANES; r++)
		rest[r] = limit[r] - (int32_t)whole;
	h->lanes->mix_limited((const unsigned char *)t->v + whole * t->v_step, t->v_step, keys - whole, d,
			      s + whole * LANES, rest, o);
}

/* Softmax and outputs of a panel go on by a tile, of whose keys s has the scores. */
static void attend_panel(const struct fast_head *h, const struct tile *t, size_t whole, size_t keys,
			 const int32_t limit[LANES], float *s, struct progress *p, float *o)
{
	tile_hide(h, keys, whole, limit, s);
	if (h->lanes->advance(s, keys, p->max, p->sum, p->factor))
		h->lanes->multiply(o, h->v.columns, p->factor);
	for (size_t r = 0; r < LANES; r++)
		p->total[r] = p->total[r] * (double)p->factor[r] + (double)p->sum[r];
	mix_tile(h, t, whole, keys, limit, s, o);
}

/* A tile of keys for one panel or two, of the rows from `first` on. */
static void attend_tile(const struct fast_head *h, struct fast_work *w, const struct tile *t, size_t first,
			size_t panels, const float *q, struct progress *p, float *o)
{
	int32_t limit[2][LANES];
	size_t keys[2] = { 0 }, whole[2], d_k = h->k.columns;

	for (size_t n = 0; n < panels; n++)
		whole[n] = tile_limits(t, h, first + n * LANES, limit[n], &keys[n]);
	if (keys[1])			/* later rows see no less */
		h->lanes->dots_two(t->k, t->k_step, keys[1], d_k, q, h->scale, w->s, FAST_TILE_SCORES);
	else if (keys[0])
		h->lanes->dots(t->k, t->k_step, keys[0], d_k, q, h->scale, w->s);
	for (size_t n = 0; n < panels; n++)
		if (keys[n])
			attend_panel(h, t, whole[n], keys[n], limit[n], w->s + n * FAST_TILE_SCORES, &p[n],
				     o + n * h->v.columns * LANES);
}

/* Rows first..first+rows-1 of the outputs: 16 at most. */
static void write_panel(const struct fast_head *h, const struct progress *p, const float *o, size_t rows,
			float *out, double *sums)
{
	size_t d = h->v.columns;

	for (size_t r = 0; r < rows; r++) {
		float denominator = (float)p->total[r];
		for (size_t c = 0; c < d; c++)
			out[r * d + c] = o[c * LANES + r] / denominator;
		if (sums)
			sums[r] = p->total[r] / (double)denominator;
	}
}

/* At most FAST_GROUP panels go through the keys together: a tile comes from far
 * away once and is then read from the nearest cache. */
static void attend_group(const struct fast_head *h, struct fast_work *w, size_t from, size_t to, float *out, double *sums)
{
	size_t d_k = h->k.columns, d_v = h->v.columns, panels = (to - from + LANES - 1) / LANES;
	struct progress p[FAST_GROUP];
	struct tile t;

	memset(w->o, 0, panels * d_v * LANES * sizeof *w->o);
	for (size_t n = 0; n < panels; n++) {
		fast_pack(h, w, from + n * LANES, w->q + n * d_k * LANES);
		for (size_t r = 0; r < LANES; r++) {
			p[n].max[r] = -INFINITY;
			p[n].total[r] = 0;
		}
	}
	for (size_t at = 0, end = fast_limit(h, to - 1); tile_next(&t, h, w, true, &at, end);)
		for (size_t n = 0; n < panels; n += 2)
			attend_tile(h, w, &t, from + n * LANES, panels - n < 2 ? 1 : 2, w->q + n * d_k * LANES, &p[n],
				    w->o + n * d_v * LANES);
	for (size_t n = 0; n < panels; n++) {
		size_t done = n * LANES, rows = to - from - done < LANES ? to - from - done : LANES;
		write_panel(h, &p[n], w->o + n * d_v * LANES, rows, out + done * d_v, sums ? sums + done : NULL);
	}
}

void fast_outputs(const struct fast_head *h, struct fast_work *w, size_t from, size_t to, float *out, double *sums)
{
	enum { ROWS = FAST_GROUP * LANES };

	for (size_t i = from; i < to; i += ROWS) {
		size_t end = to - i < ROWS ? to : i + ROWS;
		attend_group(h, w, i, end, out + (i - from) * h->v.columns, sums ? sums + (i - from) : NULL);
	}
}

/* ---- all rows ---- */

struct attend {
	const struct fast_head *h;
	struct fast_work *work;		/* one a worker */
	float *out;
	double *sums;
	size_t groups;
};

/* The last rows first: under a causal mask they take longest, and whoever is done
 * early finds short ones left. */
static void attend_item(void *context, size_t item, size_t worker)
{
	const struct attend *a = context;
	size_t rows = FAST_GROUP * LANES, from = (a->groups - 1 - item) * rows;
	size_t to = a->h->q.rows - from < rows ? a->h->q.rows : from + rows;

	fast_outputs(a->h, &a->work[worker], from, to, a->out + from * a->h->v.columns,
		     a->sums ? a->sums + from : NULL);
}

enum status fast_attend(const struct fast_head *h, struct workers *workers, const atomic_bool *cancel,
			float *out, double *sums, bool *done, struct error *e)
{
	size_t threads = workers_count(workers), started = 0;
	struct attend a = { h, calloc(threads, sizeof *a.work), out, sums,
			    (h->q.rows + FAST_GROUP * LANES - 1) / (FAST_GROUP * LANES) };
	enum status s = a.work ? OK_STATUS : error_set(e, E_MEMORY, "no memory for %zu threads", threads);

	for (; !s && started < threads; started += !s)
		s = fast_work_init(&a.work[started], h, e);
	if (!s)
		*done = workers_run(workers, a.groups, attend_item, &a, cancel);
	while (started)
		fast_work_free(&a.work[--started]);
	free(a.work);
	return s;
}
