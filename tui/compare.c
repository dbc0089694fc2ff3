/* compare.c - a state that was pinned as A, beside the state as it is now. */
#include "tui/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"

/* ---- pinning ---- */

static void free_numbers(struct pinned *p)
{
	grid_free(&p->grid);
	if (p->problem)
		problem_free(p->problem);
	free(p->problem);
	p->problem = NULL;
	joined_rows_free(&p->joined);
	p->found.known = false;
}

void compare_free(struct pinned *p)
{
	free_numbers(p);
	snapshot_free(&p->snapshot);
	*p = (struct pinned){ 0 };
}

/* The problem and the grid of p's snapshot. */
static enum status build(const struct state *s, struct pinned *p, struct error *e)
{
	const struct options *o = &p->snapshot.options;
	enum status status = state_make_problem(s, &p->snapshot, &p->problem, e);

	if (!status)
		status = grid_update(&p->grid, p->problem, o, s->tables, STAGE_INPUT, e);
	if (status)
		free_numbers(p);
	return status;
}

enum status compare_resume(struct state *s, struct error *e)
{
	enum status status = OK_STATUS;

	if (s->pinned.set && (status = build(s, &s->pinned, e)))
		compare_free(&s->pinned);
	return status;
}

/* Whether both compute the same, however they are shown. */
static bool computes_alike(const struct snapshot *a, const struct snapshot *b)
{
	if (a->scenario != b->scenario || !edits_equal(&a->edits, &b->edits))
		return false;
	for (int o = 0; o < OPT_COUNT; o++)
		if (option_info((enum option)o)->dirties < STAGE_COUNT && !option_same(&a->options, &b->options, (enum option)o))
			return false;
	return true;
}

void compare_pin(struct state *s, const char *by)
{
	struct pinned fresh = { .set = true, .show = s->pinned.show };
	struct error e = { 0 };

	if (s->pinned.set && computes_alike(&s->pinned.snapshot, &s->now)) {
		compare_free(&s->pinned);
		state_say(s, false, "%s: nothing is pinned any more", by);
		return;
	}
	if (snapshot_copy(&fresh.snapshot, &s->now, &e) || build(s, &fresh, &e)) {
		compare_free(&fresh);
		state_say(s, true, "%s: %s", by, e.text);
		return;
	}
	compare_free(&s->pinned);
	s->pinned = fresh;
	state_say(s, false, "%s: this is A now; change anything, then d shows A | B and the difference", by);
}

void compare_step(struct state *s, const char *by)
{
	static const char *const said[] = {
		[COMPARE_OFF] = N_("%s: B alone again; A stays pinned"),
		[COMPARE_BESIDE] = N_("%s: A | B side by side; again: the difference B - A"),
		[COMPARE_DIFFERENCE] = N_("%s: B - A, of cells and row sums; again: B alone"),
	};
	struct pinned *p = &s->pinned;

	if (!p->set) {
		state_say(s, true, "%s: nothing is pinned yet; a pins this state as A", by);
		return;
	}
	p->show = (enum comparison)((p->show + 1) % COMPARE_COUNT);
	state_say(s, false, said[p->show], by);
}

bool compare_close(struct state *s)
{
	bool shown = s->pinned.show != COMPARE_OFF;

	s->pinned.show = COMPARE_OFF;
	return shown;
}

enum comparison compare_shown(const struct state *s)
{
	return s->pinned.problem && !panel_asks(s) ? s->pinned.show : COMPARE_OFF;
}

/* ---- A's numbers ---- */

static const struct matrix *input(const struct state *s)
{
	const struct pinned *p = &s->pinned;

	return problem_array(p->problem, state_array(s), p->grid.attention.head);
}

void compare_shape(const struct state *s, size_t *rows, size_t *columns)
{
	const struct problem *p = s->pinned.problem;
	enum stage stage = state_stage(s);
	const struct matrix *m;

	*rows = *columns = 0;
	if (stage == STAGE_INPUT) {
		if (!(m = input(s)))
			return;
		*rows = m->rows;
		*columns = m->columns;
	} else if (attention_has_stage(&s->pinned.grid.attention, stage)) {
		*rows = p->n_q;
		*columns = stage == STAGE_OUTPUT ? p->d_v
			 : stage == STAGE_JOINED ? attention_joined_columns(&s->pinned.grid.attention) : p->n_k;
	}
}

const double *compare_values(struct state *s, size_t row)
{
	struct pinned *p = &s->pinned;
	enum stage stage = state_stage(s);
	size_t rows, columns, n;

	compare_shape(s, &rows, &columns);
	if (row >= rows || (stage != STAGE_INPUT && long_view_lacks(s, row)))
		return NULL;
	if (stage == STAGE_INPUT)
		return row_input(&p->grid.rows[0], &p->grid.attention, state_array(s), row);
	if (stage != STAGE_JOINED)
		return row_stage(grid_row(&p->grid, row, stage), &p->grid.attention, stage, &n);
	return p->joined.numbers.rows ? joined_rows_row(&p->joined, row) : NULL;
}

const struct row *compare_query(struct state *s, size_t row)
{
	struct pinned *p = &s->pinned;
	enum array a = state_array(s);

	if (row >= p->problem->n_q || long_view_lacks(s, row))
		return NULL;
	if (state_stage(s) == STAGE_INPUT && a != ARRAY_Q && a != ARRAY_SCORES && a != ARRAY_WEIGHTS &&
	    ((a != ARRAY_K && a != ARRAY_V && a != ARRAY_X) || p->problem->n_q != p->problem->n_k))
		return NULL;
	return grid_row(&p->grid, row, state_stage(s) == STAGE_OUTPUT ? STAGE_OUTPUT : STAGE_WEIGHTS);
}

bool compare_same(double a, double b)
{
	return (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof a);
}

bool compare_sums_alike(const struct state *s, double a, double b)
{
	double most = fmax(s->grid.attention.tolerance, s->pinned.grid.attention.tolerance);

	return compare_same(a, b) || fabs(b - a) <= most;
}

double compare_difference(double a, double b)
{
	return a == b || compare_same(a, b) ? 0 : b - a;
}

/* ---- what differs ---- */

/* A number beside one that is none is the largest of all differences. */
static bool is_larger(double d, double than)
{
	return isnan(d) ? !isnan(than) : fabs(d) > fabs(than);
}

static void count_row(struct state *s, size_t i, size_t columns, struct compare_found *f)
{
	const double *a = compare_values(s, i), *b = state_values(s, i);

	for (size_t j = 0; a && j < columns; j++) {
		double d = compare_difference(a[j], b[j]);
		f->cells++;
		f->differ += !compare_same(a[j], b[j]);
		if (is_larger(d, f->largest)) {
			f->largest = d;
			f->row = i;
			f->column = j;
		}
	}
	const struct row *query = state_query(s, i), *other = compare_query(s, i);
	if (!query || !other)
		return;
	f->sums++;
	f->sums_differ += !compare_same(other->sum, query->sum);
	f->sums_apart += !compare_sums_alike(s, other->sum, query->sum);
	double d = compare_difference(other->sum, query->sum);
	if (is_larger(d, f->largest_sum)) {
		f->largest_sum = d;
		f->sum_row = i;
	}
}

static bool is_quick(const struct problem *p)
{
	return (double)p->n_q * (double)p->n_k * (20 + (double)p->d_k) < 0x1p21;
}

/* Of all rows where that takes no time, else of those shown. */
static void look(struct state *s, size_t shown)
{
	struct compare_found *f = &s->pinned.found;
	size_t rows, columns, other_rows, other_columns, from = 0;

	state_shape(s, &rows, &columns);
	compare_shape(s, &other_rows, &other_columns);
	bool all = is_quick(s->problem) && is_quick(s->pinned.problem) && state_stage(s) != STAGE_JOINED;
	size_t to = rows < other_rows ? rows : other_rows;
	if (!all) {
		from = s->top < to ? s->top : to;
		to = to - from < shown ? to : from + shown;
	}
	/* While rows come in turn the cursor's is there. */
	if (!all && long_view_working(s) && s->row < to) {
		from = s->row;
		to = from + 1;
	}
	if (f->known && f->from == from && f->to == to)
		return;
	*f = (struct compare_found){ .known = !long_view_working(s), .from = from, .to = to };
	for (size_t i = from; i < to; i++)
		count_row(s, i, columns < other_columns ? columns : other_columns, f);
}

/* As the state keeps its own. */
static void make_joined(struct state *s, size_t wanted)
{
	struct pinned *p = &s->pinned;
	struct joined_rows fresh;
	struct error e = { 0 };

	if (p->joined.numbers.rows >= wanted)
		return;
	if (joined_rows_init(&fresh, &p->grid.attention, wanted, s->tables, &e)) {
		state_say(s, true, "%s", e.text);
		return;
	}
	joined_rows_free(&p->joined);
	p->joined = fresh;
}

void compare_forget(struct state *s)
{
	s->pinned.found.known = false;
}

void compare_reserve(struct state *s, const struct layout *l)
{
	struct error e = { 0 };

	if (grid_reserve(&s->pinned.grid, l->visible_rows + 1, &e))
		state_say(s, true, "%s", e.text);
	if (state_stage(s) == STAGE_JOINED && attention_has_stage(&s->pinned.grid.attention, STAGE_JOINED))
		make_joined(s, l->visible_rows + 1);
}

void compare_settle(struct state *s, const struct layout *l)
{
	if (compare_shown(s) == COMPARE_OFF)
		return;
	compare_reserve(s, l);
	look(s, l->visible_rows);
}

/* ---- in words ---- */

static void put_option(const struct state *s, enum option o, struct buffer *out)
{
	buffer_format(out, "%s%s ", out->size ? ", " : "", option_info(o)->name);
	option_text(&s->pinned.snapshot.options, o, out);
	buffer_text(out, " -> ");
	option_text(&s->now.options, o, out);
}

void compare_text(const struct state *s, struct buffer *out)
{
	const struct snapshot *a = &s->pinned.snapshot, *b = &s->now;
	size_t rows, columns, other_rows, other_columns;

	if (a->scenario != b->scenario)
		buffer_format(out, "%s -> %s", s->opened[a->scenario]->scenario.name, state_scenario(s)->name);
	state_shape(s, &rows, &columns);
	compare_shape(s, &other_rows, &other_columns);
	if (!other_rows)
		buffer_format(out, "%s%s", out->size ? ", " : "", _("A does not have this stage"));
	else if (rows != other_rows || columns != other_columns)
		buffer_format(out, _("%s(%zu,%zu) -> (%zu,%zu): compared where both exist"), out->size ? ", " : "",
			      other_rows, other_columns, rows, columns);
	for (int o = 0; o < OPT_COUNT; o++)
		if (option_info((enum option)o)->dirties < STAGE_COUNT && !option_same(&a->options, &b->options, (enum option)o))
			put_option(s, (enum option)o, out);
	if (a->scenario == b->scenario && !edits_equal(&a->edits, &b->edits))
		buffer_format(out, _("%sedits %zu -> %zu"), out->size ? ", " : "", a->edits.n, b->edits.n);
	if (!out->size)
		buffer_text(out, _("nothing was changed"));
}

/* ---- the two halves ---- */

void compare_halves(const struct layout *l, const struct state *s, struct compare_halves *out)
{
	int room = s->columns - l->cells, between = room < 30 ? 1 : 3, half = (room - between) / 2;
	size_t rows, columns, other;

	state_shape(s, &rows, &columns);
	compare_shape(s, &rows, &other);
	if (other > columns)
		columns = other;
	out->cell_width = l->numbers ? l->number_width + 1 : 2;
	/* The sums go where not even one cell has room beside its own. */
	out->sum_width = l->sum_width < 7 ? l->sum_width : 7;
	if (half < out->cell_width + 2 + out->sum_width)
		out->sum_width = 0;
	int cells = half - (out->sum_width ? out->sum_width + 2 : 1);
	if (out->cell_width > cells)
		out->cell_width = cells < 1 ? 1 : cells;
	out->columns = (size_t)(cells / out->cell_width);
	if (out->columns > columns)
		out->columns = columns;
	while (columns && out->cell_width < l->cell_width && (int)columns * (out->cell_width + 1) <= cells)
		out->cell_width++;
	out->left = s->column >= s->left + out->columns ? s->column - out->columns + 1 : s->left;
	if (out->left + out->columns > columns)
		out->left = columns - out->columns;
	int width = (int)out->columns * out->cell_width + (out->sum_width ? out->sum_width + 2 : 1);
	out->x[0] = l->cells;
	out->bar = l->cells + width + between / 2;
	out->x[1] = l->cells + width + between;
}

bool compare_hit(const struct layout *l, const struct state *s, int x, size_t *column)
{
	struct compare_halves h;

	compare_halves(l, s, &h);
	int half = x >= h.x[1], across = x < h.x[half] ? -1 : (x - h.x[half]) / h.cell_width;
	*column = h.left + (size_t)(across < 0 ? 0 : across);
	return across >= 0 && (size_t)across < h.columns;
}
