/* panels.c - the rows on screen of a long head, kept so that a key costs what it shows. */
#include "core/panels.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/arena.h"

enum {
	BLOCK = 1024,			/* keys of a block */
	PIECE = 64,			/* blocks of a step */
	MOST_PANELS = 64,
};

/* The sums of one block. */
struct block_sums {
	struct lane_sums all, unpadded;
};

/* Sums over the keys before the end of a block: all of them, and without padding. */
struct prefix {
	struct lane_totals all, unpadded;
};

struct panel {
	size_t first;			/* row, divided by 16; SIZE_MAX: an empty place */
	float *scores;			/* [n_k][16] raw, or NULL */
	size_t filled;			/* keys whose scores are there; 0 without scores */
	struct prefix *prefix;		/* one a whole block */
	size_t summed;			/* blocks whose prefix is there */
	size_t used;			/* when it was last wanted */
	struct fast_row row[LANES];
	size_t version;			/* of the head that row belongs to */
};

struct panels {
	struct fast_head head;		/* as it is now */
	const unsigned char *pad;	/* what can be switched on and off */
	struct workers *workers;
	struct fast_work *work;		/* one a worker */
	size_t works;
	void *block;			/* the memory of all that follows */
	float *scratch;			/* [BLOCK][16] a worker: scores that nobody keeps */
	struct block_sums *piece;	/* PIECE of them: what a step finds out */
	uint32_t *padded;		/* keys with padding before each block */
	float *q;			/* [d_k][16]: the queries of `packed` */
	size_t packed;			/* row, or SIZE_MAX */
	struct panel panel[MOST_PANELS];
	size_t count, with_scores;
	size_t from, to, cursor;	/* on screen */
	size_t ahead;			/* row of the panel that comes next, or SIZE_MAX */
	size_t clock, version, products;
};

/* ---- memory ---- */

static size_t rounded_up(size_t n, size_t unit)
{
	return (n + unit - 1) / unit * unit;
}

static size_t blocks(const struct panels *p)
{
	return p->head.k.rows / BLOCK;
}

static size_t scores_size(const struct panels *p)
{
	return p->head.k.rows * LANES * sizeof(float);
}

static size_t prefix_size(const struct panels *p)
{
	return rounded_up((blocks(p) + 1) * sizeof(struct prefix), LANES_ALIGN);
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
	p->q = arena_take(a, p->head.k.columns * LANES * sizeof(float));
	p->piece = arena_take(a, PIECE * sizeof *p->piece);
	p->padded = arena_take(a, (blocks(p) + 1) * sizeof *p->padded);
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

	for (size_t b = 0; b <= blocks(p) && p->pad; b++) {
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
	p->packed = p->ahead = SIZE_MAX;
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

static struct panel *find(struct panels *p, size_t first)
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

/* The panel of the rows from `first` on, empty if it was not there; NULL when all
 * places are on screen. */
static struct panel *claim(struct panels *p, size_t first)
{
	struct panel *at = find(p, first), *other;

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
	claim(p, cursor / LANES * LANES);
	for (size_t i = first; i < to; i += LANES)
		claim(p, i);
}

/* ---- filling a panel ---- */

static void pack(struct panels *p, size_t first)
{
	if (p->packed != first)
		fast_pack(&p->head, &p->work[0], first, p->q);
	p->packed = first;
}

/* Blocks from..to-1 of a panel. */
struct fill {
	struct panels *p;
	struct panel *panel;
	size_t from;
};

static bool has_padding(const unsigned char *pad, size_t n)
{
	size_t any = 0;

	for (size_t j = 0; j < n; j++)
		any |= pad[j];
	return any != 0;
}

/* Scores of a block where they are not there yet, and its sums. */
static void fill_block(void *context, size_t item, size_t worker)
{
	const struct fill *f = context;
	const struct panels *p = f->p;
	const struct panel *panel = f->panel;
	struct fast_work *w = &p->work[worker];
	struct block_sums *sums = &p->piece[item];
	struct fast_head head = p->head;
	size_t j0 = (f->from + item) * BLOCK, j1 = j0 + BLOCK;
	float *s = panel->scores ? panel->scores + j0 * LANES : p->scratch + worker * BLOCK * LANES;

	if (j1 > panel->filled)
		fast_scores(&head, w, p->q, j0, j1, s);
	head.causal = false;
	head.pad = NULL;
	fast_sums(&head, w, s, panel->first, j0, j1, &sums->all);
	if (!p->pad)
		return;
	head.pad = p->pad;
	if (has_padding(p->pad + j0, BLOCK))
		fast_sums(&head, w, s, panel->first, j0, j1, &sums->unpadded);
	else
		sums->unpadded = sums->all;
}

/* The sums of the blocks from `from` on become prefixes, where there are none yet. */
static void append(struct panels *p, struct panel *panel, size_t from, size_t n)
{
	for (size_t i = panel->summed - from; i < n; i++, panel->summed++) {
		struct prefix *to = &panel->prefix[panel->summed];
		if (panel->summed)
			*to = to[-1];
		else
			to->all = to->unpadded = lane_totals_none();
		lane_totals_add(&to->all, &p->piece[i].all);
		if (p->pad)
			lane_totals_add(&to->unpadded, &p->piece[i].unpadded);
	}
}

/* The first block that lacks its sums, or its scores if they are to be kept. */
static size_t first_lacking(const struct panel *panel)
{
	size_t filled = panel->filled / BLOCK;

	return panel->scores && filled < panel->summed ? filled : panel->summed;
}

/* The next PIECE blocks before `end`. */
static void fill_blocks(struct panels *p, struct panel *panel, size_t end, const atomic_bool *cancel)
{
	struct fill f = { p, panel, first_lacking(panel) };
	size_t n = end - f.from < PIECE ? end - f.from : PIECE, before = f.from * BLOCK, after = before + n * BLOCK;

	pack(p, panel->first);
	if (!workers_run(p->workers, n, fill_block, &f, cancel))
		return;
	append(p, panel, f.from, n);
	if (panel->filled > before)
		before = panel->filled;
	if (after <= before)
		return;
	p->products += (after - before) * LANES;
	if (panel->scores)
		panel->filled = after;
}

/* Scores of the keys after the last whole block. */
static void fill_rest(struct panels *p, struct panel *panel)
{
	size_t n = p->head.k.rows, from = blocks(p) * BLOCK;

	pack(p, panel->first);
	fast_scores(&p->head, &p->work[0], p->q, from, n, panel->scores + from * LANES);
	p->products += (n - from) * LANES;
	panel->filled = n;
}

/* Blocks that every row of the panel sees whole. */
static size_t whole_blocks(const struct panels *p, const struct panel *panel)
{
	return fast_limit(&p->head, panel->first) / BLOCK;
}

/* Whether the panel lacks something: what its rows see, or with `all` anything. */
static bool lacks(const struct panels *p, const struct panel *panel, bool all)
{
	if (!panel || panel->first == SIZE_MAX)
		return false;
	if (!all)
		return panel->summed < whole_blocks(p, panel);
	return panel->summed < blocks(p) || (panel->scores && panel->filled < p->head.k.rows);
}

/* The panel on screen that has to be filled next: the cursor's, then from the top. */
static struct panel *next_on_screen(struct panels *p, bool all)
{
	struct panel *at = find(p, p->cursor / LANES * LANES);

	if (lacks(p, at, all))
		return at;
	for (size_t i = p->from / LANES * LANES; i < p->to; i += LANES)
		if (lacks(p, at = find(p, i), all))
			return at;
	return NULL;
}

static struct panel *next_ahead(struct panels *p)
{
	struct panel *at = p->ahead == SIZE_MAX ? NULL : claim(p, p->ahead);

	return lacks(p, at, true) ? at : NULL;
}

bool panels_step(struct panels *p, const atomic_bool *cancel)
{
	struct panel *at;
	bool all = false;

	if (!(at = next_on_screen(p, false))) {
		all = true;
		if (!(at = next_on_screen(p, true)))
			at = next_ahead(p);
	}
	if (!at)
		return false;
	size_t end = all ? blocks(p) : whole_blocks(p, at);
	if (first_lacking(at) < end)
		fill_blocks(p, at, end, cancel);
	else
		fill_rest(p, at);
	return true;
}

/* ---- what is known ---- */

/* Raw scores of the keys j0..j1-1, at most BLOCK, of the panel of the rows from `first`
 * on; of the panel, where it is given and has them. */
static const float *scores_of(struct panels *p, const struct panel *panel, size_t first, size_t j0, size_t j1)
{
	if (panel && panel->scores && j1 <= panel->filled)
		return panel->scores + j0 * LANES;
	pack(p, first);
	fast_scores(&p->head, &p->work[0], p->q, j0, j1, p->scratch);
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
	size_t whole = whole_blocks(p, panel), end = fast_limit(&p->head, last);
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
	struct panel *panel = find(p, i / LANES * LANES);

	if (!panel || panel->summed < whole_blocks(p, panel))
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
	const struct panel *panel = find(p, first);

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
