/* overview_pool.c - the bins of 16 rows of the map. */
#include "core/overview_parts.h"

#include <math.h>
#include <string.h>

#include "core/fast_parts.h"

/* ---- sums by bin ---- */

static void pack(const struct fast_head *h, struct fast_work *w, const struct sixteen *p)
{
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
	size_t last = p->count - 1;

	for (size_t r = 0; r < LANES; r++)
		limit[r] = (int32_t)tile_limit(t, fast_limit(h, p->row[r < last ? r : last]));
	*most = (size_t)limit[LANES - 1];
	return (size_t)limit[0];
}

/* Where a tile that begins at `at` should end: with a bin, if one ends early enough. */
static size_t tile_end(const struct overview *o, size_t at, size_t end)
{
	size_t c = overview_bin(o->head.k.rows, o->columns, at + FAST_TILE < o->head.k.rows ? at + FAST_TILE : o->head.k.rows - 1);
	size_t stop = overview_key(o, at + FAST_TILE < o->head.k.rows ? c : c + 1);

	return stop > at && stop < end ? stop : end;
}

/* A bin's part of a tile, for all rows; `more`: other tiles had some of the bin. */
static void pool_part(const struct fast_head *h, const float *s, size_t n, bool more, float *max, float *sum)
{
	struct lane_sums part, before = { .moment = { 0 } };

	h->lanes->brief_sums(s, n, &part);
	if (more) {
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

/* Each bin's sums become its share of the row's weights: their sum, and their largest. */
static void share_weights(const struct overview *o, const struct pool *pool)
{
	size_t n = o->columns * LANES;
	float max[LANES];
	double all[LANES] = { 0 };

	for (size_t r = 0; r < LANES; r++)
		max[r] = -INFINITY;
	for (size_t x = 0; x < n; x++)
		max[x % LANES] = pool->max[x] > max[x % LANES] ? pool->max[x] : max[x % LANES];
	for (size_t r = 0; r < LANES; r++)
		max[r] = max[r] == -INFINITY ? 0 : max[r];
	for (size_t x = 0; x < n; x++)
		pool->shift[x] = pool->max[x] - max[x % LANES];
	o->head.lanes->exponential(pool->shift, n, pool->max);
	for (size_t x = 0; x < n; x++)
		all[x % LANES] += (double)(pool->sum[x] * pool->max[x]);
	for (size_t r = 0; r < LANES; r++)
		max[r] = (float)(1 / (all[r] > 0 ? all[r] : (double)NAN));
	for (size_t x = 0; x < n; x++) {
		pool->max[x] *= max[x % LANES];
		pool->sum[x] *= pool->max[x];
	}
}

/* The rows' shares, added up by bin row. */
static void collect(const struct overview *o, const struct pool *pool, const struct sixteen *p, struct share *s)
{
	size_t columns = o->columns;

	s->parts = 0;
	for (size_t r = 0; r < p->count; r++) {
		size_t bin = overview_bin(o->head.q.rows, o->rows, p->row[r]);
		if (!s->parts || s->bin[s->parts - 1] != bin) {
			memset(s->sum + s->parts * columns, 0, columns * sizeof *s->sum);
			memset(s->square + s->parts * columns, 0, columns * sizeof *s->square);
			memset(s->max + s->parts * columns, 0, columns * sizeof *s->max);
			s->rows[s->parts] = 0;
			s->bin[s->parts++] = bin;
		}
		size_t at = (s->parts - 1) * columns;
		s->rows[s->parts - 1]++;
		for (size_t c = 0; c < columns; c++) {
			double sum = (double)pool->sum[c * LANES + r];
			float max = pool->max[c * LANES + r];
			s->sum[at + c] += sum;
			s->square[at + c] += sum * sum;
			s->max[at + c] = s->max[at + c] >= max || isnan(s->max[at + c]) ? s->max[at + c] : max;
		}
	}
}

void overview_pool(void *context, size_t item, size_t worker)
{
	struct overview *o = context;
	struct fast_work *w = &o->work[worker];
	const struct pool *pool = &o->pool[worker];
	const struct sixteen *p = &o->panel[item];
	size_t end = fast_limit(&o->head, p->row[p->count - 1]);
	struct tile t;

	for (size_t x = 0; x < o->columns * LANES; x++) {
		pool->max[x] = -INFINITY;
		pool->sum[x] = 0;
	}
	pack(&o->head, w, p);
	for (size_t at = 0; at < end;)
		if (tile_next(&t, &o->head, w, false, &at, tile_end(o, at, end)))
			pool_tile(o, w, pool, &t, p);
	share_weights(o, pool);
	collect(o, pool, p, &o->share[item]);
}

