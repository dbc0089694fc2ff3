/* long_view.c - when the grid takes its rows only as far as they are seen. */
#include "tui/long_view.h"

#include <math.h>
#include <stdlib.h>

#include "core/long_rows.h"
#include "core/seen_rows.h"
#include "tui/compare.h"
#include "tui/layout.h"
#include "tui/state.h"
#include "tui/threads.h"

enum {
	STEPS = 2,			/* that a key waits for, beside those of the cursor's row */
	AROUND = 16,			/* columns beside those on screen: numbers are told from there, too */
	LEAST_BUDGET = 8 << 20,
};
/* Operations: from so many on the rows of a screen come one after the other, and so many of
 * them a key waits for. */
#define SLOW 0x1p23
#define WAIT 0x1p18

void long_view_forget(struct long_view *v)
{
	long_rows_free(v->rows);
	seen_rows_free(v->seen);
	free(v->unknown);
	*v = (struct long_view){ .workers = v->workers };
}

void long_view_change(struct long_view *v)
{
	v->changed = v->stale = true;
	v->on = v->in_turn = false;
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

/* About what a row of the double engine costs for what is shown. */
static double row_work(const struct state *s)
{
	const struct problem *p = s->problem;
	const struct attention *a = &s->grid.attention;
	double each = 20 + (double)p->d_k + (state_stage(s) == STAGE_OUTPUT ? (double)p->d_v : 0);

	return (double)p->n_k * each * (a->dtype == DTYPE_F64 && a->score_dtype == DTYPE_F64 ? 1 : 10);
}

static bool comes_in_turn(const struct state *s, const struct layout *l)
{
	enum stage stage = state_stage(s);

	return (stage <= STAGE_OUTPUT) && row_work(s) * (double)l->visible_rows >= SLOW && !s->long_view.failed &&
	       s->panel.kind != PANEL_PREDICT && !s->lesson && compare_shown(s) == COMPARE_OFF && !state_shows_mean(s) &&
	       !s->now.options.without.n;
}

bool long_view_has_rows(const struct state *s)
{
	return (s->long_view.on && state_is_grid(s)) || s->long_view.in_turn;
}

bool long_view_has_values(const struct state *s)
{
	return long_view_has_rows(s) && state_stage(s) != STAGE_INPUT;
}

/* ---- beginning ---- */

/* A fifth of what the numbers take where they are float32. */
static size_t budget(const struct problem *p)
{
	return (p->n_q * p->d_k + p->n_k * (p->d_k + p->d_v)) * sizeof(float) / 5 + LEAST_BUDGET;
}

static enum status make_unknown(struct state *s, struct error *e)
{
	struct long_view *v = &s->long_view;
	size_t n_k = s->problem->n_k, d_v = s->problem->d_v, n = n_k < d_v ? d_v : n_k;

	if (v->unknown)
		return OK_STATUS;
	if (!(v->unknown = malloc(n * sizeof *v->unknown)))
		return error_set(e, E_MEMORY, "no memory for a row of %zu keys", n_k);
	for (size_t j = 0; j < n; j++)
		v->unknown[j] = NAN;
	return OK_STATUS;
}

static enum status begin(struct state *s, size_t rows, struct error *e)
{
	struct long_view *v = &s->long_view;
	enum status status = make_unknown(s, e);

	if (status)
		return status;
	if (!v->workers)
		v->workers = threads_start();
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

static void settle_floats(struct state *s, const struct layout *l)
{
	struct long_view *v = &s->long_view;
	struct long_window w = window_of(s, l);

	v->on = true;
	long_rows_show(v->rows, &w);
	while (!long_rows_row(v->rows, s->row) && long_rows_step(v->rows, NULL))
		;
	for (int k = 0; k < STEPS && !all_are_known(s, &w) && long_rows_step(v->rows, NULL); k++)
		;
}

/* ---- in double, one after the other ---- */

static enum status prepare_seen(struct state *s, size_t rows, struct error *e)
{
	struct long_view *v = &s->long_view;
	enum status status = make_unknown(s, e);

	if (!status && (!v->seen || seen_rows_most(v->seen) < rows)) {
		seen_rows_free(v->seen);
		v->seen = NULL;
		status = seen_rows_begin(&v->seen, &s->grid.attention, rows, e);
	}
	if (!status && v->stale)
		seen_rows_forget(v->seen);
	v->stale = false;
	return status;
}

/* As far as rows are wanted. */
static enum stage last_stage(const struct state *s)
{
	return state_stage(s) == STAGE_OUTPUT ? STAGE_OUTPUT : STAGE_WEIGHTS;
}

static void settle_seen(struct state *s, const struct layout *l)
{
	struct long_view *v = &s->long_view;
	struct long_window w = window_of(s, l);
	double done = row_work(s);

	v->in_turn = true;
	seen_rows_show(v->seen, &w, last_stage(s));
	grid_row(&s->grid, s->row < s->problem->n_q ? s->row : 0, last_stage(s));
	while (done < WAIT && seen_rows_step(v->seen))
		done += row_work(s);
}

void long_view_settle(struct state *s, const struct layout *l)
{
	struct long_view *v = &s->long_view;
	struct error e = { 0 };
	bool floats = is_wanted(s);

	v->on = v->in_turn = false;
	if (!floats && !comes_in_turn(s, l))
		return;
	if (floats ? prepare(s, l->visible_rows + 1, &e) : prepare_seen(s, l->visible_rows + 1, &e)) {
		long_view_forget(v);
		v->failed = true;
		state_say(s, true, "%s", e.text);
		return;
	}
	if (floats)
		settle_floats(s, l);
	else
		settle_seen(s, l);
}

/* ---- while it is on ---- */

bool long_view_working(const struct state *s)
{
	const struct long_view *v = &s->long_view;

	return (v->on && !long_rows_done(v->rows)) || (v->in_turn && !seen_rows_done(v->seen));
}

void long_view_work(struct state *s)
{
	if (s->long_view.on)
		long_rows_step(s->long_view.rows, NULL);
	else
		seen_rows_step(s->long_view.seen);
}

const struct row *long_view_row(struct state *s, size_t i)
{
	if (s->long_view.on)
		return long_rows_row(s->long_view.rows, i);
	return i == s->row ? grid_row(&s->grid, i, last_stage(s)) : seen_rows_row(s->long_view.seen, i);
}

const double *long_view_values(struct state *s, size_t i)
{
	const struct row *r = long_view_row(s, i);
	size_t n;

	return r ? row_stage(r, &s->grid.attention, state_stage(s), &n) : s->long_view.unknown;
}
