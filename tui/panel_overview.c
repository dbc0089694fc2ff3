/* panel_overview.c - the whole map of the weights, with the window in it that the grid shows. */
#include "core/message.h"
#include "tui/panel_kinds.h"

enum { MOST_SCALE = 6, PAGE = 10 };	/* how often a dot is drawn; dots of a page */

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

static int as_int(size_t n)
{
	return n < MAP_MOST ? (int)n : MAP_MOST;
}

/* ---- where the map stands ---- */

/* Single weights are enlarged as far as there is room; a dot is as high as wide with half
 * blocks, else twice as high. A map of more weights than dots fills the room. */
static struct overview_place find_place(const struct state *s, const struct layout *l)
{
	struct look look = state_look(s);
	int area = l->panel_rows - PANEL_HEAD;
	struct overview_place k = { .halves = look.depth >= DEPTH_256 && !look.ascii, .text = area >= 12 ? 3 : area >= 6 ? 2 : area >= 3 };
	int room = area - k.text < 1 ? 1 : area - k.text, high = room * (k.halves ? 2 : 1);

	k.dots_down = smaller(high, as_int(s->problem->n_q));
	k.dots_across = smaller(s->columns, as_int(s->problem->n_k));
	int down = smaller(high / k.dots_down, MOST_SCALE), across = smaller(s->columns / k.dots_across, 2 * MOST_SCALE);
	int wide = k.halves ? 1 : 2;		/* columns that are as wide as a dot is high */
	k.down = smaller(down, across / wide ? across / wide : 1);
	k.across = smaller(across, wide * k.down);
	k.columns = k.dots_across * k.across;
	k.rows = k.halves ? (k.dots_down * k.down + 1) / 2 : k.dots_down * k.down;
	return k;
}

/* ---- opening ---- */

static void open_overview(struct state *s, const char *argument, const char *by)
{
	static const char *const weights[] = { "stage", "weights", NULL };

	(void)argument;
	if (s->panel.kind == PANEL_OVERVIEW) {
		panel_close_silently(s);
		return;
	}
	/* The window is one of queries and keys. */
	if (!state_is_grid(s) && !state_change(s, by, weights))
		return;
	panel_forget(s);
	panel_open(s, PANEL_OVERVIEW);
	state_say(s, false, "%s: arrows, PgUp, PgDn move the window; Tab: mean, maximum; Enter closes", by);
}

/* ---- keys ---- */

/* The window and the cursor in it, in one direction. */
static void move_by(size_t *cursor, size_t *first, size_t n, size_t visible, long by)
{
	long last = (long)n - 1, most = n > visible ? (long)(n - visible) : 0, at = (long)*cursor + by, from = (long)*first + by;

	*cursor = (size_t)(at < 0 ? 0 : at > last ? last : at);
	*first = (size_t)(from < 0 ? 0 : from > most ? most : from);
}

/* Dots down and to the right, each of which stands for one query or key at least. */
static void move(struct state *s, int down, int right)
{
	const struct overview_place *k = &s->panel.overview.place;
	size_t n_q = s->problem->n_q, n_k = s->problem->n_k;
	struct layout l;

	layout_make(&l, s);
	move_by(&s->row, &s->top, n_q, l.visible_rows, down * (long)(n_q / (size_t)k->dots_down));
	move_by(&s->column, &s->left, n_k, l.visible_columns, right * (long)(n_k / (size_t)k->dots_across));
}

static bool takes(struct state *s, enum command c, const char *by)
{
	struct panel_overview *p = &s->panel.overview;
	int all = 2 * MAP_MOST;		/* dots: more than there are */

	switch (c) {
	case CMD_UP:
	case CMD_DOWN:
		move(s, c == CMD_DOWN ? 1 : -1, 0);
		return true;
	case CMD_LEFT:
	case CMD_RIGHT:
		move(s, 0, c == CMD_RIGHT ? 1 : -1);
		return true;
	case CMD_PAGE_UP:
	case CMD_PAGE_DOWN:
		move(s, c == CMD_PAGE_DOWN ? PAGE : -PAGE, 0);
		return true;
	case CMD_FIRST:
	case CMD_LAST:
		move(s, c == CMD_LAST ? all : -all, 0);
		return true;
	case CMD_ROW_START:
	case CMD_ROW_END:
		move(s, 0, c == CMD_ROW_END ? all : -all);
		return true;
	case CMD_NEXT_STAGE:
	case CMD_PREVIOUS_STAGE:
		p->largest = !p->largest;
		state_say(s, false, p->largest ? N_("%s: each dot is the largest of its weights") : N_("%s: each dot is the mean of its weights"), by);
		return true;
	case CMD_EDIT:
		panel_close_silently(s);
		return true;
	default:
		return false;
	}
}

/* ---- work ---- */

static void forget(struct panel *p)
{
	map_picture_free(p->overview.picture);
	p->overview.picture = NULL;
}

static bool working(const struct state *s)
{
	const struct map_picture *m = s->panel.overview.picture;

	return !(m && map_picture_done(m));
}

static void work(struct state *s)
{
	struct panel_overview *p = &s->panel.overview;
	struct error e = { 0 };

	if (p->picture)
		map_picture_step(p->picture);
	else if (map_picture_begin(&p->picture, &s->grid.attention, (size_t)p->place.dots_down, (size_t)p->place.dots_across, &e))
		panel_fail(&s->panel, &e);
}

static double progress(const struct state *s)
{
	const struct map_picture *m = s->panel.overview.picture;

	return m ? map_picture_progress(m) : 0;
}

/* ---- room ---- */

static int rows(const struct state *s)
{
	return s->rows;
}

/* The stage may have become one without a window, by undo. */
static void check(struct state *s)
{
	if (!state_is_grid(s))
		panel_close(s);
}

static void settle(struct state *s, const struct layout *l)
{
	struct panel_overview *p = &s->panel.overview;

	p->place = find_place(s, l);
	if (p->picture && (map_picture_rows(p->picture) != (size_t)p->place.dots_down ||
			   map_picture_columns(p->picture) != (size_t)p->place.dots_across))
		forget(&s->panel);
	while (panel_working(s) && panel_is_quick(s, s->problem->n_q))
		work(s);
}

const struct panel_ops panel_overview_ops = {
	.mode = MODE_OVERVIEW,
	.whole = true,
	.command = CMD_OVERVIEW,
	.open = open_overview,
	.rows = rows,
	.check = check,
	.settle = settle,
	.takes = takes,
	.forget = forget,
	.working = working,
	.work = work,
	.progress = progress,
};
