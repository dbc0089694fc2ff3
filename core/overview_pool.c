/* overview_pool.c - the bins of 16 rows of the map. */
#include "core/overview_parts.h"

#include <math.h>
#include <string.h>

#include "core/fast_parts.h"

/* ---- sums by bin ---- */

static void pack(const struct fast_head *h, struct fast_work *w, const struct sixteen *p, float *q)
{
	if (p->count < LANES)
		memset(q, 0, h->q.columns * LANES * sizeof *q);
	for (size_t r = 0; r < p->count; r++) {
		tensor_view_row(&h->q, h->lanes, p->row[r], w->k);
		for (size_t c = 0; c < h->q.columns; c++)
			q[c * LANES + r] = w->k[c];
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

/* Some panels on their way through the keys, and what each of them has of the tile at hand. */
struct team {
	const struct overview *o;
	struct fast_work *w;
	const struct sixteen *panel;
	const struct pool *pool;
	size_t count, end[OVERVIEW_TOGETHER];		/* keys that the last row sees */
	struct {
		size_t keys, whole;			/* that some row sees, that all do */
		int32_t limit[LANES];
	} part[OVERVIEW_TOGETHER];
};

/* Scores in units of ln 2, of each panel as far as it sees keys: of both at once if both do. */
static void score_tile(const struct team *m, const struct tile *t)
{
	const struct fast_head *h = &m->o->head;
	const float scale = h->scale * 1.44269504088896341f;
	size_t d = h->k.columns, first = m->part[0].keys, second = m->count > 1 ? m->part[1].keys : 0;
	size_t both = first < second ? first : second, most = first < second ? second : first;

	if (both)
		h->lanes->dots_two(t->k, t->k_step, most, d, m->w->q, scale, m->w->s, FAST_TILE_SCORES);
	else if (first)
		h->lanes->dots(t->k, t->k_step, first, d, m->w->q, scale, m->w->s);
	else if (second)
		h->lanes->dots(t->k, t->k_step, second, d, m->w->q + d * LANES, scale, m->w->s + FAST_TILE_SCORES);
}

/* The scores of a panel into the bins of the tile's keys. */
static void pool_panel(const struct team *m, size_t n, const struct tile *t)
{
	const struct overview *o = m->o;
	const struct pool *pool = &m->pool[n];
	size_t keys = m->part[n].keys, first = overview_bin(o->head.k.rows, o->columns, t->first), bins = 0;
	float *s = m->w->s + n * FAST_TILE_SCORES;
	uint32_t stop[OVERVIEW_MOST];		/* padding may leave few keys of many bins to a tile */

	tile_hide(&o->head, keys, m->part[n].whole, m->part[n].limit, s);
	for (size_t done = 0; done < keys; done = stop[bins++]) {
		size_t end = tile_limit(t, overview_key(o, first + bins + 1));
		stop[bins] = (uint32_t)(end < keys ? end : keys);
	}
	o->head.lanes->pool(s, stop, bins, pool->max + first * LANES, pool->sum + first * LANES);
}

static void pool_tile(struct team *m, const struct tile *t)
{
	for (size_t n = 0; n < m->count; n++)
		m->part[n].whole = limits(&m->o->head, t, &m->panel[n], m->part[n].limit, &m->part[n].keys);
	score_tile(m, t);
	for (size_t n = 0; n < m->count; n++)
		pool_panel(m, n, t);
}

/* ---- weights ---- */

/* Sums of squares, for the estimate of a sample's error. */
static void add_squares(const struct pool *pool, size_t from, size_t to, size_t columns, double *square)
{
	for (size_t c = 0; c < columns; c++) {
		square[c] = 0;
		for (size_t r = from; r < to; r++)
			square[c] += (double)pool->sum[c * LANES + r] * (double)pool->sum[c * LANES + r];
	}
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

	o->head.lanes->fold(pool->max, pool->sum, seen, from, to, s->max + at, s->sum + at);
	for (size_t c = 0; c < seen && isnan(nothing); c++)
		s->max[at + c] = NAN;
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

/* Columns that have a visible key. */
static size_t seen_columns(const struct overview *o, size_t end)
{
	return end ? overview_bin(o->head.k.rows, o->columns, end - 1) + 1 : 0;
}

static void begin_panel(struct team *m, size_t n)
{
	const struct fast_head *h = &m->o->head;
	const struct sixteen *p = &m->panel[n];
	float none[LANES];
	size_t columns;

	m->end[n] = fast_limit(h, p->row[p->count - 1]);
	columns = seen_columns(m->o, m->end[n]);
	memset(m->pool[n].sum, 0, columns * LANES * sizeof *m->pool[n].sum);
	for (size_t r = 0; r < LANES; r++)
		none[r] = -INFINITY;
	for (size_t c = 0; c < columns; c++)
		memcpy(m->pool[n].max + c * LANES, none, sizeof none);
	pack(h, m->w, p, m->w->q + n * h->q.columns * LANES);
}

void overview_pool(void *context, size_t item, size_t worker)
{
	const struct overview *o = context;
	size_t first = item * OVERVIEW_TOGETHER, end = 0;
	struct team m = {
		.o = o, .w = &o->work[worker], .panel = &o->panel[first], .pool = &o->pool[worker * OVERVIEW_TOGETHER],
		.count = o->panels - first < OVERVIEW_TOGETHER ? o->panels - first : OVERVIEW_TOGETHER,
	};
	float inverse[LANES];
	struct tile t;

	for (size_t n = 0; n < m.count; n++) {
		begin_panel(&m, n);
		end = m.end[n] > end ? m.end[n] : end;
	}
	for (size_t at = 0; at < end;)
		if (tile_next(&t, &o->head, m.w, false, &at, tile_end(o, at, end)))
			pool_tile(&m, &t);
	for (size_t n = 0; n < m.count; n++) {
		size_t seen = seen_columns(o, m.end[n]);
		o->head.lanes->shares(m.pool[n].max, m.pool[n].sum, seen, inverse);
		collect(o, &m.pool[n], inverse, &m.panel[n], seen, &o->share[first + n]);
	}
}
