/* head_figures.c - what a head does, in figures: means over the rows of its weights. */
#include "core/head_figures.h"

#include <math.h>
#include <stdlib.h>

#include "core/model_heads.h"

/* ---- which queries count ---- */

static bool is_padding(const struct attention *a, long key)
{
	return list_has(&a->options.pad, key);
}

static size_t first_token(const struct attention *a)
{
	size_t j = 0, n = a->problem->n_k;

	while (j < n && is_padding(a, (long)j))
		j++;
	return j < n ? j : 0;
}

/* Queries at a position or after it. */
static size_t queries_from(const struct attention *a, size_t position)
{
	size_t n = 0;

	for (size_t i = 0; i < a->problem->n_q; i++) {
		long own = mask_position(a->problem, &a->options, i);
		n += own >= (long)position && !is_padding(a, own);
	}
	return n;
}

enum status weight_tally_begin(struct weight_tally *out, const struct attention *a, struct error *e)
{
	struct weight_tally t = { .first = first_token(a) };

	if (a->problem->source == SOURCE_WEIGHTS && !(t.rules = calloc(a->problem->n_k + 1, sizeof *t.rules)))
		return error_set(e, E_MEMORY, "no memory for a row of %zu keys", a->problem->n_k);
	t.from = t.first + HEAD_FIRST_QUERY;
	if (queries_from(a, t.from) < HEAD_QUERIES)
		t.from = t.first + (queries_from(a, t.first + 1) > 0);
	*out = t;
	return OK_STATUS;
}

void weight_tally_free(struct weight_tally *t)
{
	free(t->rules);
	*t = (struct weight_tally){ 0 };
}

/* ---- one row ---- */

static bool is_share(const double *w, size_t n)
{
	for (size_t j = 0; j < n; j++)
		if (!isfinite(w[j]) || w[j] < 0)
			return false;
	return true;
}

/* Keys that no mask hides; finished weights know of none, so the masks are asked. */
static size_t visible_keys(struct weight_tally *t, const struct attention *a, const struct row *r)
{
	size_t n = 0;

	if (a->problem->source != SOURCE_WEIGHTS)
		return r->visible;
	mask_row(a->problem, &a->options, r->index, t->rules);
	for (size_t j = 0; j < a->problem->n_k; j++)
		n += !mask_hides(t->rules[j]);
	return n;
}

/* Of one visible key there is nothing to be spread over, and no largest entropy. */
static void add_entropy(struct weight_tally *t, const double *w, size_t n, size_t visible)
{
	double sum = 0;

	if (visible < 2)
		return;
	for (size_t j = 0; j < n; j++)
		if (w[j] > 0)
			sum -= w[j] * log(w[j]);
	t->entropy += sum / log((double)visible);
	t->with_entropy++;
}

static void add_own(struct weight_tally *t, const double *w, size_t n, size_t own)
{
	if (own > 0 && own - 1 < n) {
		t->previous += w[own - 1];
		t->with_previous++;
	}
	if (own >= n)
		return;
	t->own += w[own];
	for (size_t j = 0; j < n; j++)
		t->distance += w[j] * fabs((double)j - (double)own);
	t->with_own++;
}

void weight_tally_add(struct weight_tally *t, const struct attention *a, const struct row *r)
{
	long own = mask_position(a->problem, &a->options, r->index);
	size_t n = a->problem->n_k, visible;

	if (own < (long)t->from || is_padding(a, own))
		return;
	if (!is_share(r->weights, n) || !(visible = visible_keys(t, a, r))) {
		t->left_out++;
		return;
	}
	t->queries++;
	t->off_sum += r->verdict != VERDICT_OK;
	t->start += r->weights[t->first];
	add_entropy(t, r->weights, n, visible);
	add_own(t, r->weights, n, (size_t)own);
}

/* ---- means ---- */

static double mean(double sum, size_t n)
{
	return n ? sum / (double)n : NAN;
}

struct weight_figures weight_figures_of(const struct weight_tally *t)
{
	return (struct weight_figures){
		.entropy = mean(t->entropy, t->with_entropy),
		.previous = mean(t->previous, t->with_previous),
		.own = mean(t->own, t->with_own),
		.first = mean(t->start, t->queries),
		.distance = mean(t->distance, t->with_own),
		.queries = t->queries,
		.from = t->from,
		.left_out = t->left_out,
		.off_sum = t->off_sum,
	};
}
