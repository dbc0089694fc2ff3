/* panel_pictures.c - the pictures beside the grid: influence and gradient. */
#include "tui/panel_kinds.h"

/* The same key that opened a picture closes it; true when it did. */
static bool closes(struct state *s, enum panel_kind kind)
{
	if (s->panel.kind != kind)
		return false;
	panel_close_silently(s);
	return true;
}

static void show(struct state *s, enum panel_kind kind)
{
	panel_forget(s);
	panel_open(s, kind);
}

enum { NAMES_AND_LABELS = 2 };		/* rows above a picture */

/* ---- influence ---- */

static void open_influence(struct state *s, const char *argument, const char *by)
{
	(void)argument;
	if (closes(s, PANEL_INFLUENCE))
		return;
	show(s, PANEL_INFLUENCE);
	state_say(s, false, "%s: each key's K and V become noise x 100: which outputs move?", by);
}

static int influence_rows(const struct state *s)
{
	return PANEL_HEAD + NAMES_AND_LABELS + panel_as_rows(s->problem->n_q);
}

/* The query rows of the picture; what is known of those in both windows stays. */
static void move_window(struct state *s, size_t room)
{
	struct panel_influence *p = &s->panel.influence;
	struct error e = { 0 };
	size_t n_q = s->problem->n_q, *top = &s->panel.top;

	panel_keep_in(s->row < n_q ? s->row : n_q - 1, n_q, room, top);
	size_t to = *top + room < n_q ? *top + room : n_q;
	if (p->from == *top && p->to == to)
		return;
	p->from = *top;
	p->to = to;
	p->done = false;
	if (!p->work || influence_window(p->work, *top, to, &e))
		panel_forget(s);
}

static void settle_influence(struct state *s, const struct layout *l)
{
	size_t room = panel_picture_room(l);

	move_window(s, room);
	panel_keep_rows(s, l->visible_rows + room);
}

static void forget_influence(struct panel *p)
{
	influence_free(p->influence.work);
	p->influence.work = NULL;
	p->influence.done = false;
}

static bool influence_working(const struct state *s)
{
	return !s->panel.influence.done;
}

static void work_influence(struct state *s)
{
	struct panel_influence *p = &s->panel.influence;
	struct error e = { 0 };
	bool more = false;
	enum status status;

	if (p->work) {
		status = influence_step(p->work, &more, &e);
	} else {
		more = true;
		status = influence_begin(&p->work, &s->grid.attention, p->from, p->to, s->tables, &e);
	}
	if (status) {
		influence_free(p->work);
		p->work = NULL;
		panel_fail(&s->panel, &e);
	} else if (!more) {
		p->done = true;
	}
}

static double progress_of_influence(const struct state *s)
{
	return s->panel.influence.work ? influence_progress(s->panel.influence.work) : 0;
}

const struct panel_ops panel_influence_ops = {
	.command = CMD_INFLUENCE,
	.open = open_influence,
	.rows = influence_rows,
	.settle = settle_influence,
	.forget = forget_influence,
	.working = influence_working,
	.work = work_influence,
	.progress = progress_of_influence,
};

/* ---- gradient ---- */

static void open_gradient(struct state *s, const char *argument, const char *by)
{
	(void)argument;
	if (closes(s, PANEL_GRADIENT))
		return;
	show(s, PANEL_GRADIENT);
	state_say(s, false, "%s: dw_j/dx_k = w_j (1 if j = k, else 0, minus w_k) of the row under the cursor", by);
}

/* A matrix of keys, a bar for each query. */
static int gradient_rows(const struct state *s)
{
	size_t n_q = s->problem->n_q, n_k = s->problem->n_k;

	return PANEL_HEAD + NAMES_AND_LABELS + panel_as_rows(n_k > n_q ? n_k : n_q);
}

/* The matrix follows the key under the cursor. */
static void settle_gradient(struct state *s, const struct layout *l)
{
	const struct problem *p = s->problem;
	size_t room = panel_picture_room(l);
	bool mean_of_all = p->n_q <= PANEL_MEAN_ROWS && p->n_k <= PANEL_MEAN_KEYS;

	panel_keep_in(state_is_grid(s) ? s->column : 0, p->n_k, room, &s->panel.top);
	panel_keep_rows(s, mean_of_all ? p->n_q : l->visible_rows + room);
}

const struct panel_ops panel_gradient_ops = {
	.command = CMD_GRADIENT,
	.open = open_gradient,
	.rows = gradient_rows,
	.settle = settle_gradient,
};
