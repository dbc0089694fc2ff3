/* stored_weights.c - the weights of a file, checked row by row. */
#include "core/io/stored_weights.h"

#include <math.h>
#include <stdlib.h>

#include "core/io/recognise_parts.h"
#include "core/number.h"

struct checking {
	const struct stored_request *q;
	struct source_view weights;
	struct row row;		/* computed again */
	double *v;		/* n_k: a stored row */
	rules *rules;		/* n_k: what ought to hide it */
	size_t n;		/* n_k */
	struct stored_report report;
};

static void fault(struct stored_tally *t, size_t row, size_t column, double value, double size)
{
	if (!t->faults++) {
		t->row = row;
		t->column = column;
		t->value = isnan(value) ? NAN : value;	/* without a sign */
		t->largest = size;
	} else if (size > t->largest) {
		t->largest = size;
	}
}

/* A nan is neither zero nor a leak: it makes its row one without weights. */
static void tally_cells(struct checking *c, size_t i)
{
	struct stored_report *r = &c->report;

	for (size_t j = 0; j < c->n; j++) {
		bool leaks = c->v[j] != 0;
		if (isnan(c->v[j]) || !mask_hides(c->rules[j]))
			continue;
		if (c->rules[j] & RULE_CAUSAL) {
			r->triangle.of++;
			if (leaks)
				fault(&r->triangle, i, j, c->v[j], fabs(c->v[j]));
		}
		if (c->rules[j] & RULE_PAD) {
			r->pads.of++;
			if (leaks)
				fault(&r->pads, i, j, c->v[j], fabs(c->v[j]));
		}
	}
}

static bool is_empty(const struct checking *c)
{
	bool zeros = true, hidden = true;

	for (size_t j = 0; j < c->n; j++) {
		if (isnan(c->v[j]))
			return true;
		zeros = zeros && c->v[j] == 0;
		hidden = hidden && mask_hides(c->rules[j]);
	}
	return zeros || hidden;
}

static void tally_row(struct checking *c, size_t i)
{
	struct stored_report *r = &c->report;
	double sum = number_sum(c->v, c->n);

	r->sums.of++;
	if (!(fabs(sum - 1) <= c->q->tolerance))
		fault(&r->sums, i, 0, sum, fabs(sum));
	r->empty.of++;
	if (is_empty(c))
		fault(&r->empty, i, 0, sum, fabs(sum));
}

/* Rows without weights are judged by themselves: what stands in them is up to who made them. */
static void compare(struct checking *c, size_t i)
{
	struct stored_tally *t = &c->report.differs;
	size_t first = c->n;
	double largest = 0;

	row_compute(&c->row, c->q->attention, i, STAGE_SCORES, STAGE_WEIGHTS);
	c->report.compared++;
	t->of++;
	if (!c->row.visible)
		return;
	for (size_t j = 0; j < c->n; j++) {
		double d = fabs(c->v[j] - c->row.weights[j]);
		if (isnan(c->v[j]) || d <= c->q->limit)
			continue;
		if (first == c->n)
			first = j;
		largest = isnan(d) ? INFINITY : fmax(largest, d);
	}
	if (first == c->n)
		return;
	if (!t->faults)
		c->report.computed = c->row.weights[first];
	fault(t, i, first, c->v[first], largest);
}

/* The k-th of n places spread over `all`, the ends among them. */
static size_t spread(size_t k, size_t n, size_t all)
{
	return n == all ? k : sample_place(k, n, all);
}

static size_t at_most(size_t most, size_t n)
{
	return most < n ? most : n;
}

/* Rows that are compared are some of those that are looked at. */
static void check_rows(struct checking *c)
{
	const struct stored_request *q = c->q;
	size_t n_q = q->part->n_q, rows = at_most(q->rows_most, n_q);
	size_t compared = q->compare ? at_most(q->compare_most, rows) : 0, next = 0;

	c->report.rows = rows;
	c->report.all = n_q;
	for (size_t k = 0; k < rows; k++) {
		size_t i = spread(k, rows, n_q);
		part_row(&c->weights, q->part, q->batch, q->attention->head, i, c->n, c->v);
		probe_expected_row(q->attention, q->expect, i, c->rules);
		tally_cells(c, i);
		tally_row(c, i);
		if (next < compared && k == spread(next, compared, rows)) {
			compare(c, i);
			next++;
		}
	}
}

static enum status open_rows(struct checking *c, struct error *e)
{
	const struct stored_request *q = c->q;
	enum status s = part_open(q->r, q->t, q->part, ROLE_WEIGHTS, &c->weights, e);

	if (s)
		return s;
	c->v = calloc(c->n + 1, sizeof *c->v);
	c->rules = calloc(c->n + 1, sizeof *c->rules);
	if (!c->v || !c->rules)
		return error_set(e, E_MEMORY, "no memory for a row of %zu keys", c->n);
	return q->compare ? row_init(&c->row, q->attention, e) : OK_STATUS;
}

enum status stored_check(struct stored_report *out, const struct stored_request *q, struct error *e)
{
	struct checking c = { .q = q, .n = q->part->n_k };
	enum status s = open_rows(&c, e);

	if (!s) {
		check_rows(&c);
		*out = c.report;
	}
	row_free(&c.row);
	free(c.v);
	free(c.rules);
	return s;
}
