/* panels.c - the rows on screen of a long head, kept so that a key costs what it shows. */
#include "core/panels_parts.h"

#include <math.h>
#include <stdlib.h>

#include "core/arena.h"

/* ---- memory ---- */

static size_t rounded_up(size_t n, size_t unit)
{
	return (n + unit - 1) / unit * unit;
}

static size_t scores_size(const struct panels *p)
{
	return p->head.k.rows * LANES * sizeof(float);
}

static size_t prefix_size(const struct panels *p)
{
	return rounded_up((panels_blocks(p) + 1) * sizeof(struct prefix), LANES_ALIGN);
}

/* How many panels, and how many of them with scores. A screen's panels come first,
 * then their scores; what is left is for panels to come back to. */
static void share_out(struct panels *p, size_t rows, size_t budget)
{
	size_t all = (p->head.q.rows + LANES - 1) / LANES, screen = (rows + LANES - 2) / LANES + 1 + 1;
	size_t least = all < screen ? all : screen, most = all < MOST_PANELS ? all : MOST_PANELS;
	size_t left = budget / 4 / prefix_size(p);

	if (least > most)
		least = most;
	p->count = left < least ? least : left < most ? left : most;
	left = p->count * prefix_size(p);
	left = budget > left ? (budget - left) / scores_size(p) : 0;
	p->with_scores = left < p->count ? left : p->count;
}

static void lay_out(struct arena *a, struct panels *p)
{
	p->scratch = arena_take(a, workers_count(p->workers) * BLOCK * LANES * sizeof(float));
	for (size_t n = 0; n < TOGETHER; n++)
		p->packed[n] = (struct packed){ arena_take(a, p->head.k.columns * LANES * sizeof(float)), SIZE_MAX, 0 };
	p->piece = arena_take(a, PIECE * sizeof *p->piece);
	p->padded = arena_take(a, (panels_blocks(p) + 1) * sizeof *p->padded);
	for (size_t n = 0; n < p->count; n++) {
		p->panel[n].first = SIZE_MAX;
		p->panel[n].prefix = arena_take(a, prefix_size(p));
		p->panel[n].scores = n < p->with_scores ? arena_take(a, scores_size(p)) : NULL;
	}
}

/* Sizes are bounded: panels_begin has looked at the number of keys. */
static enum status take_memory(struct panels *p, struct error *e)
{
	struct arena a = { 0 };

	lay_out(&a, p);
	p->block = calloc(a.used + LANES_ALIGN, 1);
	if (!p->block)
		return error_set(e, E_MEMORY, "no memory for the scores of %zu rows", p->count * LANES);
	a = arena_in(p->block);
	lay_out(&a, p);
	return OK_STATUS;
}

static void count_padding(struct panels *p)
{
	size_t n = 0;

	for (size_t b = 0; b <= panels_blocks(p) && p->pad; b++) {
		p->padded[b] = (uint32_t)n;
		for (size_t j = b * BLOCK; j < (b + 1) * BLOCK && j < p->head.k.rows; j++)
			n += p->pad[j] != 0;
	}
}

enum status panels_begin(struct panels **out, const struct fast_head *h, size_t rows, size_t budget,
			 struct workers *workers, struct error *e)
{
	enum status s = fast_check(h, e);
	struct panels *p = s ? NULL : calloc(1, sizeof *p);
	size_t threads = workers_count(workers);

	if (!s && h->k.rows > SIZE_MAX / (LANES * sizeof(float)) / MOST_PANELS / 2)
		s = error_set(e, E_LIMIT, "%zu keys are too many for this machine", h->k.rows);
	if (s) {
		free(p);
		return s;
	}
	if (!p || !(p->work = calloc(threads, sizeof *p->work))) {
		free(p);
		return error_set(e, E_MEMORY, "no memory for %zu threads", threads);
	}
	p->head = *h;
	p->pad = h->pad;
	p->workers = workers;
	p->ahead = SIZE_MAX;
	p->version = 1;
	share_out(p, rows, budget);
	s = take_memory(p, e);
	for (; !s && p->works < threads; p->works += !s)
		s = fast_work_init(&p->work[p->works], h, e);
	if (s) {
		panels_free(p);
		return s;
	}
	count_padding(p);
	*out = p;
	return OK_STATUS;
}

void panels_free(struct panels *p)
{
	if (!p)
		return;
	while (p->works)
		fast_work_free(&p->work[--p->works]);
	free(p->work);
	free(p->block);
	free(p);
}

size_t panels_room(const struct panels *p, size_t *with_scores)
{
	*with_scores = p->with_scores;
	return p->count;
}

size_t panels_products(const struct panels *p)
{
	return p->products;
}

/* ---- what is on screen ---- */

void panels_change(struct panels *p, const struct fast_head *h)
{
	bool other_padding = h->pad && h->pad != p->pad;
	bool same_sums = h->scale == p->head.scale && !other_padding;

	if (other_padding) {
		p->pad = h->pad;
		count_padding(p);
	}
	p->head.scale = h->scale;
	p->head.causal = h->causal;
	p->head.offset = h->offset;
	p->head.pad = h->pad;
	p->version++;
	for (size_t n = 0; n < p->count && !same_sums; n++)
		p->panel[n].summed = 0;
}

struct panel *panels_find(struct panels *p, size_t first)
{
	for (size_t n = 0; n < p->count; n++)
		if (p->panel[n].first == first)
			return &p->panel[n];
	return NULL;
}

static bool on_screen(const struct panels *p, size_t first)
{
	return first < p->to && first + LANES > p->from;
}

/* The panel that was not wanted for the longest time, never one on screen; `scores`:
 * among those that have any. */
static struct panel *oldest(struct panels *p, bool scores)
{
	struct panel *found = NULL;

	for (size_t n = 0; n < p->count; n++) {
		struct panel *at = &p->panel[n];
		if ((at->first != SIZE_MAX && on_screen(p, at->first)) || (scores && !at->scores))
			continue;
		if (!found || at->used < found->used)
			found = at;
	}
	return found;
}

struct panel *panels_claim(struct panels *p, size_t first)
{
	struct panel *at = panels_find(p, first), *other;

	if (!at) {
		if (!(at = oldest(p, false)))
			return NULL;
		at->first = first;
		at->filled = at->summed = at->version = 0;
	}
	at->used = ++p->clock;
	if (!at->scores && (other = oldest(p, true)) && other != at) {
		at->scores = other->scores;
		other->scores = NULL;
		other->filled = 0;
	}
	return at;
}

void panels_show(struct panels *p, size_t from, size_t to, size_t cursor)
{
	size_t n = p->head.q.rows, first = from / LANES * LANES, after = rounded_up(to, LANES);

	if (from > p->from)
		p->ahead = after < n ? after : SIZE_MAX;
	else if (from < p->from)
		p->ahead = first ? first - LANES : SIZE_MAX;
	p->from = from;
	p->to = to;
	p->cursor = cursor;
	panels_claim(p, cursor / LANES * LANES);
	for (size_t i = first; i < to; i += LANES)
		panels_claim(p, i);
}

/* ---- what is known ---- */

const float *panels_queries(struct panels *p, size_t first)
{
	struct packed *at = p->packed;

	for (size_t n = 0; n < TOGETHER && at->first != first; n++)
		if (p->packed[n].first == first || p->packed[n].used < at->used)
			at = &p->packed[n];
	if (at->first != first)
		fast_pack(&p->head, &p->work[0], first, at->q);
	at->first = first;
	at->used = ++p->clock;
	return at->q;
}

/* Raw scores of the keys j0..j1-1, at most BLOCK, of the panel of the rows from `first`
 * on; of the panel, where it is given and has them. */
static const float *scores_of(struct panels *p, const struct panel *panel, size_t first, size_t j0, size_t j1)
{
	if (panel && panel->scores && j1 <= panel->filled)
		return panel->scores + j0 * LANES;
	fast_scores(&p->head, &p->work[0], panels_queries(p, first), j0, j1, p->scratch);
	p->products += (j1 - j0) * LANES;
	return p->scratch;
}

/* Keys before `limit` that are not hidden by padding. */
static size_t visible_before(const struct panels *p, size_t limit)
{
	size_t b = limit / BLOCK, hidden;

	if (!p->head.pad)
		return limit;
	hidden = p->padded[b];
	for (size_t j = b * BLOCK; j < limit; j++)
		hidden += p->pad[j] != 0;
	return limit - hidden;
}

/* Sums of all rows of a panel, from the prefix of what all see and a block or two. */
static void sum_rows(struct panels *p, struct panel *panel)
{
	size_t n = p->head.q.rows, last = panel->first + LANES < n ? panel->first + LANES - 1 : n - 1;
	size_t whole = panels_whole_blocks(p, panel), end = fast_limit(&p->head, last);
	struct lane_totals totals = lane_totals_none();
	struct lane_sums more;

	if (whole)
		totals = p->head.pad ? panel->prefix[whole - 1].unpadded : panel->prefix[whole - 1].all;
	for (size_t j = whole * BLOCK; j < end; j += BLOCK) {
		size_t stop = end - j < BLOCK ? end : j + BLOCK;
		fast_sums(&p->head, &p->work[0], scores_of(p, panel, panel->first, j, stop), panel->first, j, stop, &more);
		lane_totals_add(&totals, &more);
	}
	for (size_t r = 0; panel->first + r <= last; r++) {
		panel->row[r] = fast_row_of(&totals, r);
		panel->row[r].visible = visible_before(p, fast_limit(&p->head, panel->first + r));
	}
	panel->version = p->version;
}

const struct fast_row *panels_row(struct panels *p, size_t i)
{
	struct panel *panel = panels_find(p, i / LANES * LANES);

	if (!panel || panel->summed < panels_whole_blocks(p, panel))
		return NULL;
	if (panel->version != p->version)
		sum_rows(p, panel);
	return &panel->row[i % LANES];
}

/* Rows i0..i1-1, all of one panel. */
static bool panel_window(struct panels *p, enum stage stage, size_t i0, size_t i1, size_t j0, size_t j1, float *out)
{
	size_t first = i0 / LANES * LANES, columns = j1 - j0;
	const struct fast_row *rows = stage == STAGE_WEIGHTS ? panels_row(p, i0) : NULL;
	const struct panel *panel = panels_find(p, first);

	if (stage == STAGE_WEIGHTS && !rows) {
		for (size_t x = 0; x < (i1 - i0) * columns; x++)
			out[x] = NAN;
		return false;
	}
	for (size_t j = j0; j < j1; j += FAST_TILE) {
		size_t stop = j1 - j < FAST_TILE ? j1 : j + FAST_TILE;
		fast_cells(&p->head, &p->work[0], stage, first, i0 - first, i1 - i0, j, stop - j,
			   scores_of(p, panel, first, j, stop), rows, out + (j - j0), columns);
	}
	return true;
}

bool panels_window(struct panels *p, enum stage stage, size_t i0, size_t i1, size_t j0, size_t j1, float *out)
{
	bool all = true;

	for (size_t i = i0, stop; i < i1; i = stop) {
		stop = (i / LANES + 1) * LANES < i1 ? (i / LANES + 1) * LANES : i1;
		all = panel_window(p, stage, i, stop, j0, j1, out + (i - i0) * (j1 - j0)) && all;
	}
	return all;
}
