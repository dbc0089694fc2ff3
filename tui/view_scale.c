/* view_scale.c - how the numbers on the screen become colours: the ends of the scale. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tui/compare.h"
#include "tui/view_parts.h"

/* ---- which numbers count ---- */

/* The finite numbers that are looked at, and what is known of them at once. */
struct found {
	double largest;		/* magnitude */
	double low, high;	/* nan without a number */
	double least;		/* above 0; inf without one */
	double *all;		/* for percentiles; NULL: not kept */
	size_t n, room;
};

static void find(struct found *f, double x)
{
	if (!isfinite(x))
		return;
	f->largest = fmax(f->largest, fabs(x));
	f->low = fmin(f->low, x);	/* of nan and a number the number */
	f->high = fmax(f->high, x);
	if (x > 0)
		f->least = fmin(f->least, x);
	if (f->n < f->room)
		f->all[f->n++] = x;
}

double view_difference(const double *a, size_t n, const double *b, size_t j)
{
	return a && j < n ? compare_difference(a[j], b[j]) : NAN;
}

/* A fill of -1e9 must not make every score look the same; nor must a hidden weight
 * be the smallest of a row; nor what is not on the screen. */
static bool is_left_out(const struct state *s, const struct row *query, size_t j, bool weights_too)
{
	if (query && list_has(&s->now.options.without, (long)j))
		return true;
	return query && (state_stage(s) == STAGE_MASKED || (weights_too && state_stage(s) == STAGE_WEIGHTS)) &&
	       mask_hides(query->rules[j]);
}

/* Row i of what is shown, and of what was pinned where that is shown beside it. */
static void find_row(struct state *s, const struct layout *l, size_t i, bool own_ends, struct found *f)
{
	enum comparison compared = compare_shown(s);
	const struct row *query = state_is_grid(s) ? state_query(s, i) : NULL;
	const double *v = state_values(s, i), *a = compared ? compare_values(s, i) : NULL;
	size_t rows, columns, other_rows, other_columns = 0;

	state_shape(s, &rows, &columns);
	if (compared)
		compare_shape(s, &other_rows, &other_columns);
	for (size_t j = s->left; j < columns && j < s->left + l->visible_columns; j++) {
		if (panel_asked(s, i, j))	/* its colour's legend would tell */
			continue;
		if (compared == COMPARE_DIFFERENCE)
			find(f, view_difference(a, other_columns, v, j));
		else if (!is_left_out(s, query, j, own_ends))
			find(f, v[j]);
	}
	if (compared != COMPARE_BESIDE || !a)
		return;
	query = state_is_grid(s) ? compare_query(s, i) : NULL;
	for (size_t j = s->left; j < other_columns && j < s->left + l->visible_columns; j++)
		if (!is_left_out(s, query, j, own_ends))
			find(f, a[j]);
}

static void find_all(struct state *s, const struct layout *l, bool own_ends, struct found *f)
{
	size_t rows, columns;

	state_shape(s, &rows, &columns);
	for (size_t i = s->top; i < rows && i < s->top + l->visible_rows; i++)
		find_row(s, l, i, own_ends, f);
}

/* ---- ends ---- */

static bool is_weights(const struct state *s)
{
	return state_stage(s) == STAGE_WEIGHTS && compare_shown(s) != COMPARE_DIFFERENCE;
}

/* From the smallest to the largest; signed numbers symmetrically, 0 in the middle. */
static void set_ends(struct scale *scale, const struct state *s, const struct found *f)
{
	bool any = !isnan(f->low), same = !any || f->low == f->high;

	scale->low = is_weights(s) ? f->low : -f->largest;
	scale->high = is_weights(s) ? f->high : f->largest;
	scale->constant = same && compare_shown(s) != COMPARE_DIFFERENCE;
	if (scale->constant)
		scale->low = scale->high = any ? f->low : 0;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* As np.percentile: between two numbers in proportion. */
static double percentile(const struct found *f, double percent)
{
	double at = percent / 100 * (double)(f->n - 1);
	size_t below = (size_t)at;
	double rest = at - (double)below;

	return below + 1 < f->n ? f->all[below] * (1 - rest) + f->all[below + 1] * rest : f->all[below];
}

static void set_percentiles(struct scale *scale, struct state *s, const struct layout *l, struct found *f)
{
	f->room = l->visible_rows * l->visible_columns * 2;	/* twice: A | B */
	f->all = calloc(f->room + 1, sizeof *f->all);
	if (!f->all)
		f->room = 0;
	find_all(s, l, true, f);
	if (f->n) {
		qsort(f->all, f->n, sizeof *f->all, by_size);
		f->low = percentile(f, 2);
		f->high = percentile(f, 98);
		f->largest = fmax(fabs(f->low), fabs(f->high));
	}
	free(f->all);
	f->all = NULL;
	set_ends(scale, s, f);
}

/* In equal ratios; 0 and less are below every step. Signed numbers have no ratios:
 * those get equal ratios of 1 + |x|. */
static void set_log(struct scale *scale, const struct state *s, struct found *f)
{
	if (is_weights(s) && isfinite(f->least))
		f->low = f->least;
	set_ends(scale, s, f);
}

static void set_limits(struct scale *scale, const struct state *s, const struct color_range *range)
{
	scale->low = range->low;
	scale->high = range->high;
	if (is_weights(s) || range->low != -range->high)	/* the middle of a diverging map is 0 */
		scale->map = MAP_SEQUENTIAL;
}

/* The difference of two states has the scale that suits it, and so have two side by
 * side, unless limits are given. */
static struct color_range range_in_force(const struct state *s)
{
	struct color_range range = { RANGE_AUTO, 0, 0 };
	enum comparison compared = compare_shown(s);

	color_range_parse(s->now.options.range, &range);
	if (compared == COMPARE_DIFFERENCE || (compared && range.mode != RANGE_LIMITS))
		range.mode = RANGE_AUTO;
	return range;
}

struct scale view_scale(struct state *s, const struct layout *l)
{
	const struct color_range range = range_in_force(s);
	struct scale scale = { .map = is_weights(s) ? MAP_SEQUENTIAL : MAP_DIVERGING, .low = 0, .high = 1, .mode = range.mode };
	struct found f = { .low = NAN, .high = NAN, .least = INFINITY };

	if (range.mode == RANGE_LIMITS)
		set_limits(&scale, s, &range);
	if (range.mode == RANGE_LIMITS || (range.mode == RANGE_AUTO && is_weights(s)))
		return scale;
	if (range.mode == RANGE_PERCENTILE) {
		set_percentiles(&scale, s, l, &f);
		return scale;
	}
	if (range.mode == RANGE_ROW)
		find_row(s, l, s->row, true, &f);	/* the legend is of the cursor's row */
	else
		find_all(s, l, range.mode != RANGE_AUTO, &f);
	if (range.mode == RANGE_LOG)
		set_log(&scale, s, &f);
	else
		set_ends(&scale, s, &f);
	return scale;
}

struct scale view_row_scale(struct state *s, const struct layout *l, const struct scale *scale, size_t i)
{
	struct scale own = *scale;
	struct found f = { .low = NAN, .high = NAN, .least = INFINITY };

	if (scale->mode != RANGE_ROW || i == s->row)
		return own;
	find_row(s, l, i, true, &f);
	set_ends(&own, s, &f);
	return own;
}

/* ---- values ---- */

static double log_value(const struct scale *scale, double x)
{
	if (scale->map == MAP_SEQUENTIAL)
		return log(x / scale->low) / log(scale->high / scale->low);
	return 0.5 + copysign(0.5, x) * log1p(fabs(x)) / log1p(scale->high);
}

double scale_value(const struct scale *scale, double x)
{
	if (scale->mode == RANGE_LOG && scale->map == MAP_SEQUENTIAL && x <= 0)
		return 0;		/* also where all that is above 0 is the same */
	if (scale->constant || scale->high == scale->low)
		return 0.5;
	/* Halves first: the difference of two large numbers may overflow. */
	double t = scale->mode == RANGE_LOG ? log_value(scale, x)
		 : (x / 2 - scale->low / 2) / (scale->high / 2 - scale->low / 2);
	return t < 0 ? 0 : t > 1 ? 1 : t;
}

bool scale_excludes(const struct scale *scale, double x)
{
	return scale->mode == RANGE_LIMITS && (x < scale->low || x > scale->high);
}

const char *scale_word(const struct scale *scale)
{
	return scale->mode == RANGE_AUTO ? "" : scale->mode == RANGE_LIMITS ? "limits" : color_range_words[scale->mode];
}
