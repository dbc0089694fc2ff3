/* long_view.c - when the grid takes its rows only as far as they are seen. */
#include "tui/long_view.h"

#include <math.h>
#include <stdint.h>
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
	double each = 20 + (double)p->d_k + (state_stage(s) >= STAGE_OUTPUT ? (double)p->d_v : 0);
	double heads = state_shows_mean(s) || state_stage(s) == STAGE_JOINED ? (double)p->heads : 1;
	double slower = a->dtype == DTYPE_F64 && a->score_dtype == DTYPE_F64 ? 1 : 10;

	return (double)p->n_k * each * slower * heads * (compare_shown(s) != COMPARE_OFF ? 2 : 1);
}

static bool comes_in_turn(const struct state *s, const struct layout *l)
{
	return row_work(s) * (double)l->visible_rows >= SLOW && !s->long_view.failed && !s->lesson && !s->now.options.without.n;
}

static enum long_turn turn_of(const struct state *s)
{
	if (state_shows_mean(s))
		return TURN_MEAN;
	return s->panel.kind == PANEL_PREDICT || compare_shown(s) != COMPARE_OFF || state_stage(s) == STAGE_JOINED ? TURN_GRID : TURN_SEEN;
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
	size_t joined = attention_joined_columns(&s->grid.attention);

	if (n < joined)
		n = joined;
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

/* ---- in double, one after the other, whole ---- */

/* Where joined rows cannot be computed there is nothing to wait for. */
static bool knows_joined(const struct state *s, const struct joined_rows *j, size_t i)
{
	return state_stage(s) != STAGE_JOINED || !j->numbers.rows || joined_rows_knows(j, i);
}

/* Of A and B, of which either may have less rows, or of the mean. */
static bool is_known(const struct state *s, size_t i)
{
	const struct pinned *a = &s->pinned;

	if (s->long_view.turn == TURN_MEAN)
		return head_mean_knows(&s->mean.rows, i);
	if (i < s->problem->n_q && !(grid_knows(&s->grid, i, last_stage(s)) && knows_joined(s, &s->joined, i)))
		return false;
	return compare_shown(s) == COMPARE_OFF || i >= a->problem->n_q ||
	       (grid_knows(&a->grid, i, last_stage(s)) && knows_joined(s, &a->joined, i));
}

static void compute_joined(const struct state *s, struct joined_rows *j, size_t i)
{
	if (state_stage(s) == STAGE_JOINED && j->numbers.rows)
		joined_rows_row(j, i);
}

static void compute_whole(struct state *s, size_t i)
{
	struct pinned *a = &s->pinned;

	if (s->long_view.turn == TURN_MEAN) {
		head_mean_row(&s->mean.rows, i);
		return;
	}
	if (i < s->problem->n_q) {
		grid_row(&s->grid, i, last_stage(s));
		compute_joined(s, &s->joined, i);
	}
	if (compare_shown(s) != COMPARE_OFF && i < a->problem->n_q) {
		grid_row(&a->grid, i, last_stage(s));
		compute_joined(s, &a->joined, i);
	}
}

static size_t count_whole(const struct state *s)
{
	size_t n = s->problem->n_q;

	return compare_shown(s) != COMPARE_OFF && n < s->pinned.problem->n_q ? s->pinned.problem->n_q : n;
}

/* The first row on screen that is not known, or SIZE_MAX. */
static size_t next_whole(const struct state *s)
{
	const struct long_view *v = &s->long_view;
	size_t n = count_whole(s);

	for (size_t i = v->top; i < v->top + v->shown && i < n; i++)
		if (!is_known(s, i))
			return i;
	return SIZE_MAX;
}

/* Room for all rows on screen at once: else they would come in turn for ever. */
static enum status prepare_whole(struct state *s, const struct layout *l, struct error *e)
{
	size_t rows = l->visible_rows + 1;
	enum status status = make_unknown(s, e);

	if (status || turn_of(s) == TURN_MEAN)		/* state_mean has room for them */
		return status;
	if ((status = grid_reserve(&s->grid, rows, e)) || compare_shown(s) == COMPARE_OFF)
		return status;
	compare_reserve(s, l);
	return s->pinned.grid.capacity >= rows ? OK_STATUS : error_set(e, E_MEMORY, "no memory for %zu rows", rows);
}

/* ---- in turn ---- */

static bool step_in_turn(struct state *s)
{
	size_t i;

	if (s->long_view.turn == TURN_SEEN)
		return seen_rows_step(s->long_view.seen);
	if ((i = next_whole(s)) == SIZE_MAX)
		return false;
	compute_whole(s, i);
	return next_whole(s) != SIZE_MAX;
}

static void settle_in_turn(struct state *s, const struct layout *l)
{
	struct long_view *v = &s->long_view;
	struct long_window w = window_of(s, l);
	size_t row = s->row < s->problem->n_q ? s->row : 0;
	double done = row_work(s);

	v->in_turn = true;
	v->turn = turn_of(s);
	v->top = s->top;
	v->shown = l->visible_rows;
	if (v->turn == TURN_SEEN) {
		seen_rows_show(v->seen, &w, last_stage(s));
		grid_row(&s->grid, row, last_stage(s));
	} else {
		compute_whole(s, row);
	}
	while (done < WAIT && step_in_turn(s))
		done += row_work(s);
}

static enum status prepare_in_turn(struct state *s, const struct layout *l, struct error *e)
{
	return turn_of(s) == TURN_SEEN ? prepare_seen(s, l->visible_rows + 1, e) : prepare_whole(s, l, e);
}

void long_view_settle(struct state *s, const struct layout *l)
{
	struct long_view *v = &s->long_view;
	struct error e = { 0 };
	bool floats = is_wanted(s);

	v->on = v->in_turn = false;
	state_mean(s);			/* where it cannot be computed it is not shown any more */
	state_joined(s);
	if (!floats && !comes_in_turn(s, l))
		return;
	if (floats ? prepare(s, l->visible_rows + 1, &e) : prepare_in_turn(s, l, &e)) {
		long_view_forget(v);
		v->failed = true;
		state_say(s, true, "%s", e.text);
		return;
	}
	if (floats)
		settle_floats(s, l);
	else
		settle_in_turn(s, l);
}

/* ---- while it is on ---- */

bool long_view_working(const struct state *s)
{
	const struct long_view *v = &s->long_view;

	if (v->in_turn)
		return v->turn == TURN_SEEN ? !seen_rows_done(v->seen) : next_whole(s) != SIZE_MAX;
	return v->on && !long_rows_done(v->rows);
}

void long_view_work(struct state *s)
{
	if (s->long_view.on)
		long_rows_step(s->long_view.rows, NULL);
	else
		step_in_turn(s);
}

bool long_view_lacks(const struct state *s, size_t i)
{
	const struct long_view *v = &s->long_view;

	return v->in_turn && v->turn != TURN_SEEN && i != s->row && !is_known(s, i);
}

const struct row *long_view_row(struct state *s, size_t i)
{
	if (s->long_view.on)
		return long_rows_row(s->long_view.rows, i);
	if (s->long_view.turn == TURN_SEEN && i != s->row)
		return seen_rows_row(s->long_view.seen, i);
	if (long_view_lacks(s, i))
		return NULL;
	return grid_row(&s->grid, i, last_stage(s));
}

const double *long_view_unknown(struct state *s)
{
	struct error e = { 0 };

	if (make_unknown(s, &e))
		state_say(s, true, "%s", e.text);
	return s->long_view.unknown;
}

const double *long_view_values(struct state *s, size_t i)
{
	const struct row *r = long_view_row(s, i);
	size_t n;

	return r && state_stage(s) <= STAGE_OUTPUT ? row_stage(r, &s->grid.attention, state_stage(s), &n) : s->long_view.unknown;
}
