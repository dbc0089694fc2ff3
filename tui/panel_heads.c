/* panel_heads.c - all heads of the file as pictures to choose from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "tui/panel_kinds.h"

/* ---- where things stand ---- */

enum {
	LEAST_BOX = 7, LEAST_ROWS = 3,	/* of a head: its name, a picture of two rows, and a blank column */
	FIGURES = 9, FIGURE_ROWS = 5,	/* columns and rows of the figures beside a picture */
	MOST_SCALE = 6,
};

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

static bool has_halves(const struct state *s)
{
	struct look look = state_look(s);

	return look.depth >= DEPTH_256 && !look.ascii;
}

static int as_int(size_t n)
{
	return n < 100000 ? (int)n : 100000;
}

/* Whole weights, enlarged where there is room, or blocks of them; a dot is as high as
 * wide with half blocks, else twice as high. */
static void fit_picture(const struct heads_place *k, int width, int height, int n_q, int n_k, struct heads_place *out)
{
	int tall = k->halves ? 1 : 2;

	*out = *k;
	out->across = out->down = 1;
	if (n_k <= width && n_q <= height) {
		out->down = smaller(smaller(height / n_q, width / n_k), MOST_SCALE);
		out->across = smaller(tall * out->down, width / n_k);
		out->columns = n_k;
		out->rows = n_q;
		return;
	}
	/* Twice as wide as the matrix is, or as narrow, and no more. */
	long columns = smaller(width, n_k), rows = smaller(height, n_q);
	long widest = (2L * rows * tall * n_k + n_q - 1) / n_q;
	columns = columns < widest ? columns : widest;
	long highest = (2L * columns * n_q + tall * n_k - 1) / (tall * n_k);
	rows = rows < highest ? rows : highest;
	out->columns = columns < 1 ? 1 : (int)columns;
	out->rows = rows < 1 ? 1 : (int)rows;
}

/* So many heads side by side, with their figures or without; false when there is no
 * room. *worth: how much of the matrices is seen. */
static bool try_place(const struct state *s, struct heads_place *k, int room, int heads, int layers, bool beside, double *worth)
{
	int lines = layers * ((heads + k->per_line - 1) / k->per_line), shown = smaller(lines, room / LEAST_ROWS);
	struct heads_place fitted;

	k->box = smaller((s->columns + 1) / k->per_line, 100);
	k->beside = beside ? FIGURES : 0;
	k->lines = lines;
	k->shown = shown < 1 ? 1 : shown;
	k->box_rows = smaller(room / k->shown, 60);
	int high = k->box_rows - 1 - (k->box_rows >= 5), wide = k->box - 1 - k->beside;
	if (high < 1 || wide < 2 || (beside && high < FIGURE_ROWS))
		return false;
	fit_picture(k, wide, high * (k->halves ? 2 : 1), as_int(s->problem->n_q), as_int(s->problem->n_k), &fitted);
	*k = fitted;
	double seen = (double)k->shown / lines;	/* squared: to see all comes before seeing each well */
	*worth = (double)k->rows * k->columns * seen * seen * (beside ? 2 : 1) * (1 + 0.01 * k->down);
	return true;
}

/* Boxes no wider and no higher than they have use for. */
static void tighten(const struct state *s, struct heads_place *k)
{
	int dots = k->rows * k->down, high = k->halves ? (dots + 1) / 2 : dots, wide = k->columns * k->across + k->beside;
	enum { LEAST_NAME = 9, EARNED_NAME = 31 };	/* "L1H0 .61"; "L0H3 previous character 0.99" */
	int name = s->live ? EARNED_NAME : LEAST_NAME;

	if (k->beside && high < FIGURE_ROWS)
		high = FIGURE_ROWS;
	k->picture_rows = high;
	k->box_rows = smaller(k->box_rows, 1 + high + (k->box_rows >= 5));
	wide = wide < name ? name : wide;
	k->box = smaller(k->box, wide + 2);
}

struct heads_place heads_place(const struct state *s, const struct layout *l)
{
	const struct panel_heads *p = &s->panel.heads;
	int area = l->panel_rows - PANEL_HEAD, heads = as_int(s->problem->heads), layers = p->layers ? as_int(p->layers) : 1;
	struct heads_place best = { .per_line = 1, .box = s->columns, .box_rows = 1, .rows = 1, .columns = 1, .across = 1, .down = 1,
				    .lines = heads * layers, .shown = 1, .halves = has_halves(s) };
	double most = 0, worth;

	best.table = area >= 28 ? 8 : area >= 16 ? 4 : area >= 8 ? 2 : area >= 4 ? 1 : 0;
	for (int n = 1; n <= heads && n <= (s->columns + 1) / LEAST_BOX; n++)
		for (int beside = 0; beside < 2; beside++) {
			struct heads_place k = { .per_line = n, .halves = best.halves, .table = best.table };
			if (try_place(s, &k, area - k.table, heads, layers, beside, &worth) && worth > most) {
				most = worth;
				best = k;
			}
		}
	tighten(s, &best);
	best.shown = smaller(best.lines, (area - best.table) / best.box_rows);
	best.shown = best.shown < 1 ? 1 : best.shown;
	return best;
}

/* ---- which head stands where ---- */

size_t heads_line(const struct state *s, const struct heads_place *k, size_t index)
{
	size_t heads = s->problem->heads, per = (size_t)k->per_line;

	return index / heads * ((heads + per - 1) / per) + index % heads / per;
}

char heads_letter(size_t k)
{
	static const char more[] = "ABCDEFGIJKLMNOPRSTUVWXYZ";	/* without H and Q, which are like closing */
	enum { SMALL = 25 };

	return k < SMALL ? panel_row_letter(k) : k - SMALL < sizeof more - 1 ? more[k - SMALL] : '\0';
}

void heads_name(const struct state *s, size_t index, char out[HEADS_NAME])
{
	const struct panel_heads *p = &s->panel.heads;
	size_t heads = s->problem->heads;

	if (p->layers > 1)
		snprintf(out, HEADS_NAME, "L%ldH%zu", p->layer[index / heads], index % heads);
	else
		snprintf(out, HEADS_NAME, "H%zu", index % heads);
}

static size_t count(const struct state *s)
{
	return s->panel.heads.layers * s->problem->heads;
}

size_t heads_in_force(const struct state *s)
{
	const struct panel_heads *p = &s->panel.heads;
	size_t here = 0;

	while (here + 1 < p->layers && p->layer[here] != state_scenario(s)->part.layer)
		here++;
	return here * s->problem->heads + s->grid.attention.head;
}

/* ---- opening ---- */

/* The layers of the file; only the open one, and why, where it cannot be read again. */
static void find_layers(struct state *s, struct error *e)
{
	struct panel_heads *p = &s->panel.heads;
	long *layer = NULL;
	size_t n = 0;

	p->scenario = s->now.scenario;
	if (state_layers(s, &layer, &n, e)) {
		p->scenario = SIZE_MAX;		/* what it was opened from may not be known yet */
		if ((layer = malloc(sizeof *layer)))
			*layer = state_scenario(s)->part.layer;
		n = 1;
	}
	free(p->layer);
	p->layer = layer;
	p->layers = layer ? n : 0;
}

static void open_heads(struct state *s, const char *argument, const char *by)
{
	struct error e = { 0 };

	(void)argument;
	if (s->panel.kind == PANEL_HEADS) {
		panel_close_silently(s);
		return;
	}
	panel_forget(s);
	find_layers(s, &e);
	if (!s->panel.heads.layers) {
		state_say(s, true, "%s: %s", by, e.text);
		return;
	}
	s->panel.heads.seen = s->now.scenario;
	panel_open(s, PANEL_HEADS);
	s->panel.chosen = heads_in_force(s);
	if (*e.text)
		state_say(s, true, "%s: only this layer: %s", by, e.text);
	else if (s->panel.heads.layers > 1)
		state_say(s, false, "%s: %zu layers of %zu heads; a letter or Enter chooses, Esc closes", by, s->panel.heads.layers,
			  s->problem->heads);
	else
		state_say(s, false, "%s: %zu head%s; a letter or Enter chooses, Esc closes", by, s->problem->heads,
			  s->problem->heads == 1 ? "" : "s");
}

/* ---- keys ---- */

static void choose(struct state *s, size_t index, const char *by)
{
	const struct panel_heads *p = &s->panel.heads;
	size_t heads = s->problem->heads, head = index % heads;
	long layer = p->layer[index / heads];
	const struct file_part *part = &state_scenario(s)->part;
	char number[24], name[HEADS_NAME];
	const char *const pairs[] = { "head", number, NULL };

	heads_name(s, index, name);
	snprintf(number, sizeof number, "%zu", head);
	if (!(layer == part->layer ? state_change(s, by, pairs) : state_show_part(s, layer, part->batch, (long)head, by)))
		return;
	panel_close(s);
	state_say(s, false, "%s: %s, head %zu of %zu, counted from 0", by, name, head, heads);
}

/* A line up or down, in the same place of it. */
static void move_line(struct state *s, bool down)
{
	const struct heads_place *k = &s->panel.heads.place;
	size_t heads = s->problem->heads, per = (size_t)k->per_line, chosen = s->panel.chosen, n = count(s);
	size_t layer = chosen / heads, head = chosen % heads;

	if (down && head + per < heads)
		s->panel.chosen += per;
	else if (down && head / per < (heads - 1) / per)
		s->panel.chosen = layer * heads + heads - 1;
	else if (down && chosen + heads - head < n)
		s->panel.chosen = (layer + 1) * heads + head % per;
	else if (!down && head >= per)
		s->panel.chosen -= per;
	else if (!down && layer) {
		size_t last = (heads - 1) / per * per + head % per;
		s->panel.chosen = (layer - 1) * heads + (last < heads ? last : heads - 1);
	}
}

static void move_layer(struct state *s, bool next)
{
	size_t heads = s->problem->heads, n = count(s);

	s->panel.chosen = (s->panel.chosen + (next ? heads : n - heads)) % n;
}

static bool takes(struct state *s, enum command c, const char *by)
{
	size_t n = count(s);

	switch (c) {
	case CMD_LEFT:
	case CMD_PREVIOUS_HEAD:
		s->panel.chosen = (s->panel.chosen + n - 1) % n;
		return true;
	case CMD_RIGHT:
	case CMD_NEXT_HEAD:
		s->panel.chosen = (s->panel.chosen + 1) % n;
		return true;
	case CMD_UP:
	case CMD_DOWN:
		move_line(s, c == CMD_DOWN);
		return true;
	case CMD_PREVIOUS_LAYER:
	case CMD_NEXT_LAYER:
		move_layer(s, c == CMD_NEXT_LAYER);
		return true;
	case CMD_EDIT:
		choose(s, s->panel.chosen, by);
		return true;
	default:
		return panel_move_chosen(&s->panel, c, n);
	}
}

/* The letters are those of the heads on the screen, in reading order. */
static bool letter(struct state *s, uint32_t code, const char *by)
{
	const struct heads_place *k = &s->panel.heads.place;
	size_t n = count(s), seen = 0;

	for (size_t i = 0; i < n; i++) {
		size_t line = heads_line(s, k, i);
		if (line < s->panel.top || line >= s->panel.top + (size_t)k->shown)
			continue;
		char own = heads_letter(seen++);
		if (own && code == (uint32_t)own) {
			choose(s, i, by);
			return true;
		}
	}
	return false;
}

/* ---- work ---- */

static void forget(struct panel *p)
{
	head_pictures_free(p->heads.pictures);
	p->heads.pictures = NULL;
}

static void close_heads(struct panel *p)
{
	free(p->heads.layer);
	p->heads.layer = NULL;
	p->heads.layers = 0;
}

static bool working(const struct state *s)
{
	const struct head_pictures *h = s->panel.heads.pictures;

	return !(h && head_pictures_done(h));
}

static void work(struct state *s)
{
	struct panel_heads *p = &s->panel.heads;
	struct error e = { 0 };
	long *layer;

	if (p->pictures) {
		head_pictures_step(p->pictures, s);
		return;
	}
	if (!(layer = malloc(p->layers * sizeof *layer))) {
		error_set(&e, E_MEMORY, "no memory for %zu layers", p->layers);
		panel_fail(&s->panel, &e);
		return;
	}
	memcpy(layer, p->layer, p->layers * sizeof *layer);
	if (head_pictures_begin(&p->pictures, s, &layer, p->layers, (size_t)p->place.rows, (size_t)p->place.columns, &e))
		panel_fail(&s->panel, &e);
	free(layer);
}

static double progress(const struct state *s)
{
	const struct head_pictures *h = s->panel.heads.pictures;

	return h ? head_pictures_progress(h) : 0;
}

/* ---- room ---- */

static int rows(const struct state *s)
{
	return s->rows;
}

/* What is shown may have become another input, by undo. */
static void check(struct state *s)
{
	struct error e = { 0 };
	struct panel_heads *p = &s->panel.heads;
	size_t layers = p->layers;

	if (p->scenario == s->now.scenario)
		return;
	find_layers(s, &e);
	if (!p->layers) {
		panel_close(s);
		return;
	}
	if (p->layers != layers)
		forget(&s->panel);
	if (p->layers != layers || p->seen != s->now.scenario)
		s->panel.chosen = heads_in_force(s);
	p->seen = s->now.scenario;
}

static void settle(struct state *s, const struct layout *l)
{
	struct panel_heads *p = &s->panel.heads;
	size_t top = s->panel.top;

	p->place = heads_place(s, l);
	if (s->panel.chosen >= count(s))
		s->panel.chosen = 0;
	panel_keep_in(heads_line(s, &p->place, s->panel.chosen), (size_t)p->place.lines, (size_t)p->place.shown, &top);
	s->panel.top = top;
	if (p->pictures && (p->pictures->rows != (size_t)p->place.rows || p->pictures->columns != (size_t)p->place.columns))
		forget(&s->panel);
	while (panel_working(s) && p->layers == 1 && panel_is_quick(s, s->problem->n_q * s->problem->heads))
		work(s);
}

const struct panel_ops panel_heads_ops = {
	.mode = MODE_HEADS,
	.whole = true,
	.command = CMD_HEADS,
	.open = open_heads,
	.rows = rows,
	.check = check,
	.settle = settle,
	.takes = takes,
	.letter = letter,
	.forget = forget,
	.close = close_heads,
	.working = working,
	.work = work,
	.progress = progress,
};
