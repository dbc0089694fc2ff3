/* panels_fill.c - the scores and sums of panels, in pieces. */
#include "core/panels_parts.h"

/* ---- some blocks ---- */

/* The blocks from `from` on of some panels: each takes its turn while K is near. */
struct fill {
	struct panels *p;
	struct panel *panel[TOGETHER];
	const float *q[TOGETHER];
	size_t panels, from, end;
};

static bool has_padding(const unsigned char *pad, size_t n)
{
	size_t any = 0;

	for (size_t j = 0; j < n; j++)
		any |= pad[j];
	return any != 0;
}

/* Scores of a block where they are not there yet, and its sums. */
static void fill_block(const struct panels *p, const struct panel *panel, const float *q, size_t block,
		       size_t worker, struct block_sums *sums)
{
	struct fast_work *w = &p->work[worker];
	struct fast_head head = p->head;
	size_t j0 = block * BLOCK, j1 = j0 + BLOCK;
	float *s = panel->scores ? panel->scores + j0 * LANES : p->scratch + worker * BLOCK * LANES;

	if (j1 > panel->filled)
		fast_scores(&head, w, q, j0, j1, s);
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

static void fill_item(void *context, size_t item, size_t worker)
{
	const struct fill *f = context;

	for (size_t x = 0; x < f->panels; x++)
		fill_block(f->p, f->panel[x], f->q[x], f->from + item, worker, &f->p->piece[item * f->panels + x]);
}

/* What n blocks of the x-th panel gave becomes prefixes, where there are none yet. */
static void append(const struct fill *f, size_t x, size_t n)
{
	struct panel *panel = f->panel[x];

	for (size_t i = panel->summed - f->from; i < n; i++, panel->summed++) {
		struct prefix *to = &panel->prefix[panel->summed];
		const struct block_sums *more = &f->p->piece[i * f->panels + x];
		if (panel->summed)
			*to = to[-1];
		else
			to->all = to->unpadded = lane_totals_none();
		lane_totals_add(&to->all, &more->all);
		if (f->p->pad)
			lane_totals_add(&to->unpadded, &more->unpadded);
	}
}

/* Notes that scores of the blocks from..from+n-1 have been computed. */
static void note_scores(struct panels *p, struct panel *panel, size_t from, size_t n)
{
	size_t before = from * BLOCK, after = before + n * BLOCK;

	if (panel->filled > before)
		before = panel->filled;
	if (after <= before)
		return;
	p->products += (after - before) * LANES;
	if (panel->scores)
		panel->filled = after;
}

/* As many blocks as a piece has. */
static void fill_blocks(struct fill *f, const atomic_bool *cancel)
{
	struct panels *p = f->p;
	size_t most = PIECE / f->panels, n = f->end - f->from < most ? f->end - f->from : most;

	for (size_t x = 0; x < f->panels; x++)
		f->q[x] = panels_queries(p, f->panel[x]->first);
	if (!workers_run(p->workers, n, fill_item, f, cancel))
		return;
	for (size_t x = 0; x < f->panels; x++) {
		append(f, x, n);
		note_scores(p, f->panel[x], f->from, n);
	}
}

/* Scores of the keys after the last whole block. */
static void fill_rest(struct panels *p, struct panel *panel)
{
	size_t n = p->head.k.rows, from = panels_blocks(p) * BLOCK;

	fast_scores(&p->head, &p->work[0], panels_queries(p, panel->first), from, n, panel->scores + from * LANES);
	p->products += (n - from) * LANES;
	panel->filled = n;
}

/* ---- which ones ---- */

/* Whether the panel lacks something: what its rows see, or with `all` anything. */
static bool lacks(const struct panels *p, const struct panel *panel, bool all)
{
	if (!panel || panel->first == SIZE_MAX)
		return false;
	if (!all)
		return panel->summed < panels_whole_blocks(p, panel);
	return panel->summed < panels_blocks(p) || (panel->scores && panel->filled < p->head.k.rows);
}

/* The first block that lacks its sums, or its scores if they are to be kept. */
static size_t first_lacking(const struct panel *panel)
{
	size_t filled = panel->filled / BLOCK;

	return panel->scores && filled < panel->summed ? filled : panel->summed;
}

/* Takes the panel in, if it lacks the same blocks as those that are there. */
static void join(struct fill *f, struct panel *panel, bool all)
{
	if (f->panels == TOGETHER || !lacks(f->p, panel, all) || (f->panels && first_lacking(panel) != f->from))
		return;
	size_t end = all ? panels_blocks(f->p) : panels_whole_blocks(f->p, panel);
	if (!f->panels || end < f->end)
		f->end = end;
	f->from = first_lacking(panel);
	f->panel[f->panels++] = panel;
}

/* What comes next: the cursor's panel alone, then the others on screen, then what these
 * do not see yet, then the panel ahead. */
static struct fill next_fill(struct panels *p)
{
	struct fill f = { .p = p };

	join(&f, panels_find(p, p->cursor / LANES * LANES), false);
	for (int all = 0; all < 2 && !f.panels; all++)
		for (size_t i = p->from / LANES * LANES; i < p->to; i += LANES)
			join(&f, panels_find(p, i), all);
	if (!f.panels && p->ahead != SIZE_MAX)
		join(&f, panels_claim(p, p->ahead), true);
	return f;
}

bool panels_step(struct panels *p, const atomic_bool *cancel)
{
	struct fill f = next_fill(p);

	if (!f.panels)
		return false;
	if (f.from < f.end)
		fill_blocks(&f, cancel);
	else
		fill_rest(p, f.panel[0]);
	return true;
}

