/* long_view.c - when the grid takes its rows in float32, only as far as they are seen. */
#include "tui/long_view.h"

#include <math.h>
#include <stdlib.h>

#include "core/long_rows.h"
#include "tui/layout.h"
#include "tui/state.h"
#include "tui/threads.h"

enum {
	STEPS = 2,			/* that a key waits for, beside those of the cursor's row */
	AROUND = 16,			/* columns beside those on screen: numbers are told from there, too */
	LEAST_BUDGET = 8 << 20,
};

void long_view_forget(struct long_view *v)
{
	long_rows_free(v->rows);
	free(v->unknown);
	*v = (struct long_view){ .workers = v->workers };
}

void long_view_free(struct long_view *v)
{
	long_view_forget(v);
	workers_stop(v->workers);
	v->workers = NULL;
}

/* ---- whether ---- */

static bool has_the_keys(const struct state *s)
{
	enum panel_kind k = s->panel.kind;

	return k == PANEL_NONE || k == PANEL_OVERVIEW || k == PANEL_HEADS;
}

static bool is_wanted(const struct state *s)
{
	const struct attention *a = &s->grid.attention;

	return s->problem->part.narrow && s->problem->n_k > LONG_KEYS && !s->long_view.failed && state_is_grid(s) && has_the_keys(s) &&
	       !s->lesson && !s->pinned.set && !state_shows_mean(s) && !s->now.options.without.n &&
	       a->options.dtype == OPTION_DTYPE_AUTO && fast_attention_fits(a);
}

/* ---- beginning ---- */

/* A fifth of what the numbers take where they are float32. */
static size_t budget(const struct problem *p)
{
	return (p->n_q * p->d_k + p->n_k * (p->d_k + p->d_v)) * sizeof(float) / 5 + LEAST_BUDGET;
}

static enum status begin(struct state *s, size_t rows, struct error *e)
{
	struct long_view *v = &s->long_view;
	size_t n_k = s->problem->n_k;

	if (!v->workers)
		v->workers = threads_start();
	if (!(v->unknown = malloc(n_k * sizeof *v->unknown)))
		return error_set(e, E_MEMORY, "no memory for a row of %zu keys", n_k);
	for (size_t j = 0; j < n_k; j++)
		v->unknown[j] = NAN;
	v->head = s->grid.attention.head;
	return long_rows_begin(&v->rows, &s->grid.attention, NULL, NULL, NULL, rows, budget(s->problem), v->workers, e);
}

/* The rows of this head, with room for so many, under the options in force. */
static enum status prepare(struct state *s, size_t rows, struct error *e)
{
	struct long_view *v = &s->long_view;
	bool changed = v->changed;

	v->changed = false;
	if (v->rows && v->head == s->grid.attention.head && long_rows_most(v->rows) >= rows)
		return changed ? long_rows_change(v->rows, &s->grid.attention, e) : OK_STATUS;
	long_view_forget(v);
	return begin(s, rows, e);
}

static struct long_window window_of(const struct state *s, const struct layout *l)
{
	size_t left = s->left > AROUND ? s->left - AROUND : 0;

	return (struct long_window){ s->top, l->visible_rows, left, s->left + l->visible_columns + AROUND - left, s->row };
}

static bool all_are_known(struct state *s, const struct long_window *w)
{
	for (size_t i = w->top; i < w->top + w->rows && i < s->problem->n_q; i++)
		if (!long_rows_row(s->long_view.rows, i))
			return false;
	return true;
}

void long_view_settle(struct state *s, const struct layout *l)
{
	struct long_view *v = &s->long_view;
	struct error e = { 0 };

	v->on = false;
	if (!is_wanted(s))
		return;
	if (prepare(s, l->visible_rows + 1, &e)) {
		long_view_forget(v);
		v->failed = true;
		state_say(s, true, "%s", e.text);
		return;
	}
	v->on = true;
	struct long_window w = window_of(s, l);
	long_rows_show(v->rows, &w);
	while (!long_rows_row(v->rows, s->row) && long_rows_step(v->rows, NULL))
		;
	for (int k = 0; k < STEPS && !all_are_known(s, &w) && long_rows_step(v->rows, NULL); k++)
		;
}

/* ---- while it is on ---- */

bool long_view_working(const struct state *s)
{
	return s->long_view.on && !long_rows_done(s->long_view.rows);
}

void long_view_work(struct state *s)
{
	long_rows_step(s->long_view.rows, NULL);
}

const struct row *long_view_row(struct state *s, size_t i)
{
	return long_rows_row(s->long_view.rows, i);
}

const double *long_view_values(struct state *s, size_t i)
{
	const struct row *r = long_view_row(s, i);
	size_t n;

	return r ? row_stage(r, &s->grid.attention, state_stage(s), &n) : s->long_view.unknown;
}
