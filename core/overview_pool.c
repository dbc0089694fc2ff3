/* overview_pool.c - the bins of 16 rows of the map. */
#include "core/overview_parts.h"

#include <math.h>
#include <string.h>

#include "core/fast_parts.h"

/* ---- sums by bin ---- */

static void pack(const struct fast_head *h, struct fast_work *w, const struct sixteen *p)
{
	if (p->count < LANES)
		memset(w->q, 0, h->q.columns * LANES * sizeof *w->q);
	for (size_t r = 0; r < p->count; r++) {
		tensor_view_row(&h->q, h->lanes, p->row[r], w->k);
		for (size_t c = 0; c < h->q.columns; c++)
			w->q[c * LANES + r] = w->k[c];
	}
}

/* Keys of a tile that each row sees; returns the smallest, the largest in *most. */
static size_t limits(const struct fast_head *h, const struct tile *t, const struct sixteen *p,
		     int32_t limit[LANES], size_t *most)
{
	size_t last = p->count - 1, least = tile_limit(t, fast_limit(h, p->row[0]));

	if (least == t->keys) {		/* later rows see no less */
		*most = least;
		return least;
	}
	for (size_t r = 0; r < LANES; r++)
		limit[r] = (int32_t)tile_limit(t, fast_limit(h, p->row[r < last ? r : last]));
	*most = (size_t)limit[LANES - 1];
	return (size_t)limit[0];
}

/* Where a tile that begins at `at` should end: with a bin, if one ends early enough. */
static size_t tile_end(const struct overview *o, size_t at, size_t end)
{
	size_t n = o->head.k.rows, stop = n;

	if (at + FAST_TILE < n)
		stop = overview_key(o, overview_bin(n, o->columns, at + FAST_TILE));
	return stop > at && stop < end ? stop : end;
}

/* A bin's part of a tile, for all rows; `more`: other tiles had some of the bin. */
static void pool_part(const struct fast_head *h, const float *s, size_t n, bool more, float *max, float *sum)
{
	struct lane_sums part, before;

	h->lanes->brief_sums(s, n, &part);
	if (more) {
		memset(before.moment, 0, sizeof before.moment);
		memcpy(before.max, max, sizeof before.max);
		memcpy(before.sum, sum, sizeof before.sum);
		h->lanes->merge(&part, &before);
	}
	memcpy(max, part.max, sizeof part.max);
	memcpy(sum, part.sum, sizeof part.sum);
}

static void pool_tile(const struct overview *o, struct fast_work *w, const struct pool *pool,
		      const struct tile *t, const struct sixteen *p)
{
	const struct fast_head *h = &o->head;
	int32_t limit[LANES];
	size_t n, whole = limits(h, t, p, limit, &n), x = 0;

	if (!n)
		return;
	h->lanes->dots(t->k, t->k_step, n, h->k.columns, w->q, h->scale, w->s);
	tile_hide(h, n, whole, limit, w->s);
	for (size_t c = overview_bin(h->k.rows, o->columns, t->first), stop; x < n; c++, x = stop) {
		stop = tile_limit(t, overview_key(o, c + 1));
		if (stop > n)
			stop = n;
		if (stop > x)
			pool_part(h, w->s + x * LANES, stop - x, overview_key(o, c) < t->first,
				  pool->max + c * LANES, pool->sum + c * LANES);
	}
}

/* ---- weights ---- */

/* The largest of each row's bins, 0 where it has none: what is subtracted before exp. */
static void references(const float *restrict max, size_t columns, float *restrict most)
{
	for (size_t r = 0; r < LANES; r++)
		most[r] = -INFINITY;
	for (size_t c = 0; c < columns; c++)
		for (size_t r = 0; r < LANES; r++)
			most[r] = max[c * LANES + r] > most[r] ? max[c * LANES + r] : most[r];
	for (size_t r = 0; r < LANES; r++)
		most[r] = most[r] == -INFINITY ? 0 : most[r];
}

static void subtract(const float *restrict max, size_t columns, const float *restrict reference, float *restrict out)
{
	for (size_t c = 0; c < columns; c++)
		for (size_t r = 0; r < LANES; r++)
			out[c * LANES + r] = max[c * LANES + r] - reference[r];
}

/* sum = sum * max: what the bins add to softmax' denominator; and that, turned over. */
static void denominators(float *restrict sum, const float *restrict max, size_t columns, float *restrict inverse)
{
	double all[LANES] = { 0 };

	for (size_t c = 0; c < columns; c++)
		for (size_t r = 0; r < LANES; r++) {
			sum[c * LANES + r] *= max[c * LANES + r];
			all[r] += (double)sum[c * LANES + r];
		}
	for (size_t r = 0; r < LANES; r++)
		inverse[r] = all[r] > 0 ? (float)(1 / all[r]) : NAN;
}

static void multiply(float *restrict x, size_t columns, const float *restrict factor)
{
	for (size_t c = 0; c < columns; c++)
		for (size_t r = 0; r < LANES; r++)
			x[c * LANES + r] *= factor[r];
}

/* Each bin's sums become its share of the row's weights: their sum, and their largest. */
static void share_weights(const struct overview *o, const struct pool *pool, size_t columns, float inverse[LANES])
{
	float reference[LANES];

	references(pool->max, columns, reference);
	subtract(pool->max, columns, reference, pool->shift);
	o->head.lanes->exponential(pool->shift, columns * LANES, pool->max);
	denominators(pool->sum, pool->max, columns, inverse);
	multiply(pool->sum, columns, inverse);
	multiply(pool->max, columns, inverse);
}

/* Sums of squares, for the estimate of a sample's error. */
static void add_squares(const struct pool *pool, size_t from, size_t to, size_t columns, double *square)
{
	for (size_t c = 0; c < columns; c++) {
		square[c] = 0;
		for (size_t r = from; r < to; r++)
			square[c] += (double)pool->sum[c * LANES + r] * (double)pool->sum[c * LANES + r];
	}
}

static float largest_of(const float *max, size_t n)
{
	float most = 0;

	for (size_t r = 0; r < n; r++)
		most = max[r] > most ? max[r] : most;
	return most;
}

static double sum_of(const float *w, size_t n)
{
	double sum = 0;

	for (size_t r = 0; r < n; r++)
		sum += (double)w[r];
	return sum;
}

/* The rows from..to-1 of the panel, which lie in one bin row, become a part. In the columns
 * from `seen` on are hidden keys only: 0, or NaN where a row has no softmax. */
static void add_part(const struct overview *o, const struct pool *pool, const float inverse[LANES],
		     size_t from, size_t to, size_t seen, struct share *s)
{
	size_t at = s->parts * o->columns;
	double nothing = 0 * sum_of(inverse + from, to - from);

	for (size_t c = 0; c < seen; c++) {
		s->sum[at + c] = sum_of(pool->sum + c * LANES + from, to - from);
		s->max[at + c] = isnan(nothing) ? NAN : largest_of(pool->max + c * LANES + from, to - from);
	}
	for (size_t c = seen; c < o->columns; c++) {
		s->sum[at + c] = nothing;
		s->max[at + c] = (float)nothing;
	}
	if (o->samples < o->wanted_samples) {
		add_squares(pool, from, to, seen, s->square + at);
		for (size_t c = seen; c < o->columns; c++)
			s->square[at + c] = nothing;
	}
	s->rows[s->parts++] = to - from;
}

static void collect(const struct overview *o, const struct pool *pool, const float inverse[LANES],
		    const struct sixteen *p, size_t seen, struct share *s)
{
	size_t n = o->head.q.rows, to;

	s->parts = 0;
	for (size_t from = 0; from < p->count; from = to) {
		size_t bin = s->bin[s->parts] = overview_bin(n, o->rows, p->row[from]);
		for (to = from + 1; to < p->count && overview_bin(n, o->rows, p->row[to]) == bin;)
			to++;
		add_part(o, pool, inverse, from, to, seen, s);
	}
}

void overview_pool(void *context, size_t item, size_t worker)
{
	const struct overview *o = context;
	struct fast_work *w = &o->work[worker];
	const struct pool *pool = &o->pool[worker];
	const struct sixteen *p = &o->panel[item];
	size_t end = fast_limit(&o->head, p->row[p->count - 1]);
	size_t seen = end ? overview_bin(o->head.k.rows, o->columns, end - 1) + 1 : 0;
	float inverse[LANES];
	struct tile t;

	memset(pool->sum, 0, seen * LANES * sizeof *pool->sum);
	for (size_t x = 0; x < seen * LANES; x++)
		pool->max[x] = -INFINITY;
	pack(&o->head, w, p);
	for (size_t at = 0; at < end;)
		if (tile_next(&t, &o->head, w, false, &at, tile_end(o, at, end)))
			pool_tile(o, w, pool, &t, p);
	share_weights(o, pool, seen, inverse);
	collect(o, pool, inverse, p, seen, &o->share[item]);
}
