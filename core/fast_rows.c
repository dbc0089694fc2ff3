/* fast_rows.c - one head of long float inputs: softmax' sums, and the cells of a window. */
#include "core/fast.h"

#include <math.h>
#include <string.h>

#include "core/fast_parts.h"

/* ---- totals ---- */

struct lane_totals lane_totals_none(void)
{
	struct lane_totals t = { .sum = { 0 } };

	for (size_t r = 0; r < LANES; r++)
		t.max[r] = -INFINITY;
	return t;
}

/* What exp(x - old) has to be multiplied by to become exp(x - now). */
static double lowered(float old, float now, double *down)
{
	*down = old == now || old == -INFINITY ? 0 : (double)old - (double)now;
	return old == -INFINITY ? 0 : exp(*down);
}

void lane_totals_add(struct lane_totals *t, const struct lane_sums *s)
{
	for (size_t r = 0; r < LANES; r++) {
		float now = s->max[r] > t->max[r] || isnan(s->max[r]) ? s->max[r] : t->max[r];
		double down, more_down;
		double factor = lowered(t->max[r], now, &down), more = lowered(s->max[r], now, &more_down);
		double sum = t->sum[r] * factor, add = (double)s->sum[r] * more;

		t->moment[r] = t->moment[r] * factor + sum * down + (double)s->moment[r] * more + add * more_down;
		t->sum[r] = sum + add;
		t->max[r] = now;
	}
}

struct fast_row fast_row_of(const struct lane_totals *t, size_t lane)
{
	double all = t->sum[lane] > 0 ? t->sum[lane] : NAN;
	float denominator = (float)all;
	struct fast_row row = { .max = t->max[lane], .denominator = denominator, .sum = all / (double)denominator };

	row.largest = (double)(1 / denominator);
	row.entropy = log2(all) - t->moment[lane] / all * M_LOG2E + 0.0;	/* + 0.0: not -0 */
	return row;
}

/* ---- sums of rows ---- */

/* A tile's sums for the panel of the rows from `first` on; visible keys are counted. */
static void sum_tile(const struct fast_head *h, struct fast_work *w, const struct tile *t, size_t first,
		     struct lane_sums *into, size_t visible[LANES])
{
	int32_t limit[LANES];
	struct lane_sums more;
	size_t keys, whole = tile_limits(t, h, first, limit, &keys);

	if (!keys)
		return;
	h->lanes->dots(t->k, t->k_step, keys, h->k.columns, w->q, h->scale, w->s);
	tile_hide(h, keys, whole, limit, w->s);
	h->lanes->sums(w->s, keys, &more);
	h->lanes->merge(into, &more);
	for (size_t r = 0; r < LANES; r++)
		visible[r] += whole == t->keys ? whole : (size_t)limit[r];
}

static struct lane_sums no_sums(void)
{
	struct lane_sums s = { .sum = { 0 } };

	for (size_t r = 0; r < LANES; r++)
		s.max[r] = -INFINITY;
	return s;
}

static void sum_panel(const struct fast_head *h, struct fast_work *w, size_t first, size_t rows, struct fast_row *out)
{
	enum { TILES = 8 };		/* that float32 adds up before double does */
	struct lane_totals totals = lane_totals_none();
	struct lane_sums some = no_sums();
	size_t visible[LANES] = { 0 }, tiles = 0;
	struct tile t;

	fast_pack(h, w, first, w->q);
	for (size_t at = 0, end = fast_limit(h, first + rows - 1); tile_next(&t, h, w, false, &at, end);) {
		sum_tile(h, w, &t, first, &some, visible);
		if (++tiles % TILES == 0) {
			lane_totals_add(&totals, &some);
			some = no_sums();
		}
	}
	lane_totals_add(&totals, &some);
	for (size_t r = 0; r < rows; r++) {
		out[r] = fast_row_of(&totals, r);
		out[r].visible = visible[r];
	}
}

size_t fast_rows(const struct fast_head *h, struct fast_work *w, size_t from, size_t to,
		 const atomic_bool *cancel, struct fast_row *out)
{
	size_t i = from;

	while (i < to && !(cancel && atomic_load(cancel))) {
		size_t rows = to - i < LANES ? to - i : LANES;
		sum_panel(h, w, i, rows, out + (i - from));
		i += rows;
	}
	return i - from;
}

/* ---- one row ---- */

/* Scores of the keys j0..j0+keys-1 with the query in w->q. */
static void row_scores(const struct fast_head *h, struct fast_work *w, size_t j0, size_t keys, float *s)
{
	const struct tensor_view *k = &h->k;
	struct tile t;

	if (tensor_view_beside(k)) {
		h->lanes->dots_of_row(tensor_view_row_at(k, j0), k->type, (size_t)k->row_step, keys, k->columns, w->q, s);
		return;
	}
	for (size_t x = 0; x < keys; x += t.keys) {
		tile_at(&t, h, w, j0 + x, j0 + keys);
		h->lanes->dots_of_row(t.k, DTYPE_F32, t.k_step, t.keys, k->columns, w->q, s + x);
	}
}

/* Scaled, with the padded ones hidden; returns how many are not. */
static size_t visible_scores(const struct fast_head *h, size_t j0, size_t keys, const float *s, float *out)
{
	size_t visible = keys;

	h->lanes->scale(s, (keys + LANES - 1) / LANES * LANES, h->scale, out);
	for (size_t x = 0; x < keys && h->pad; x++)
		if (h->pad[j0 + x]) {
			out[x] = -INFINITY;
			visible--;
		}
	return visible;
}

void fast_cold_row(const struct fast_head *h, struct fast_work *w, size_t i, float *s, struct fast_row *out)
{
	enum { PIECE = FAST_TILE / 3 * LANES };		/* keys; divided by 16 */
	struct lane_totals totals = lane_totals_none();
	size_t n = h->k.rows, limit = fast_limit(h, i), visible = 0;
	struct lane_sums more;

	tensor_view_row(&h->q, h->lanes, i, w->q);
	for (size_t j = 0; j < n; j += PIECE) {
		size_t keys = n - j < PIECE ? n - j : PIECE, seen = limit <= j ? 0 : limit - j < keys ? limit - j : keys;
		row_scores(h, w, j, keys, s + j);
		if (!seen)
			continue;
		visible += visible_scores(h, j, seen, s + j, w->s);
		h->lanes->sums_of_row(w->s, seen, &more);
		lane_totals_add(&totals, &more);
	}
	*out = fast_row_of(&totals, 0);
	out->visible = visible;
}

/* ---- scores that somebody keeps ---- */

void fast_scores(const struct fast_head *h, struct fast_work *w, const float *q, size_t j0, size_t j1, float *s)
{
	struct tile t;

	for (size_t j = j0; j < j1; j += t.keys) {
		tile_at(&t, h, w, j, j1);
		h->lanes->dots(t.k, t.k_step, t.keys, h->k.columns, q, 1, s + (j - j0) * LANES);
	}
}

/* Raw scores of some keys as masked ones: scaled, and -inf where hidden. */
static void mask_tile(const struct fast_head *h, size_t first, size_t j0, size_t keys, const float *s, float *out)
{
	struct tile t = { .keys = keys, .first = j0 };
	int32_t limit[LANES];
	size_t most, whole = tile_limits(&t, h, first, limit, &most);

	h->lanes->scale(s, keys * LANES, h->scale, out);
	tile_hide(h, keys, whole, limit, out);
	for (size_t x = 0; x < keys && h->pad; x++)
		for (size_t r = 0; r < LANES && h->pad[j0 + x]; r++)
			out[x * LANES + r] = -INFINITY;
}

void fast_sums(const struct fast_head *h, struct fast_work *w, const float *s, size_t first,
	       size_t j0, size_t j1, struct lane_sums *out)
{
	struct lane_sums all = no_sums(), more;

	for (size_t j = j0; j < j1; j += FAST_TILE) {
		size_t keys = j1 - j < FAST_TILE ? j1 - j : FAST_TILE;
		mask_tile(h, first, j, keys, s + (j - j0) * LANES, w->s);
		h->lanes->sums(w->s, keys, &more);
		h->lanes->merge(&all, &more);
	}
	*out = all;
}

/* ---- cells ---- */

void fast_cells(const struct fast_head *h, struct fast_work *w, enum stage stage, size_t first, size_t lane,
		size_t count, size_t j0, size_t keys, const float *s, const struct fast_row *rows,
		float *out, size_t step)
{
	_Alignas(LANES_ALIGN) float max[LANES] = { 0 }, sum[LANES] = { 0 };

	if (stage >= STAGE_MASKED)
		mask_tile(h, first, j0, keys, s, w->s);
	else
		h->lanes->scale(s, keys * LANES, stage == STAGE_SCALED ? h->scale : 1, w->s);
	if (stage == STAGE_WEIGHTS) {
		for (size_t r = 0; r < count; r++) {
			max[lane + r] = rows[r].max;
			sum[lane + r] = rows[r].denominator;
		}
		h->lanes->weights(w->s, keys, max, sum);
	}
	for (size_t r = 0; r < count; r++)
		for (size_t x = 0; x < keys; x++)
			out[r * step + x] = w->s[x * LANES + lane + r];
}

void fast_window(const struct fast_head *h, struct fast_work *w, enum stage stage, size_t i0, size_t i1,
		 size_t j0, size_t j1, const struct fast_row *rows, float *out)
{
	size_t columns = j1 - j0;

	for (size_t i = i0; i < i1; i += LANES) {
		size_t count = i1 - i < LANES ? i1 - i : LANES;
		fast_pack(h, w, i, w->q);
		for (size_t j = j0; j < j1; j += FAST_TILE) {
			size_t keys = j1 - j < FAST_TILE ? j1 - j : FAST_TILE;
			fast_scores(h, w, w->q, j, j + keys, w->s);
			fast_cells(h, w, stage, i, 0, count, j, keys, w->s, rows ? rows + (i - i0) : NULL,
				   out + (i - i0) * columns + (j - j0), columns);
		}
	}
}
