/* head_mean.c - the mean of the weights over all heads, row by row. */
#include "core/head_mean.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"

enum status head_mean_init(struct head_mean *out, const struct attention *a, size_t capacity,
			   const struct random_tables *tables, struct error *e)
{
	struct head_mean m = { 0 };
	enum status s = joined_init(&m.heads, a, tables, e);

	if (s)
		return s;
	m.rows = calloc(capacity, sizeof *m.rows);
	m.known = calloc(capacity, sizeof *m.known);
	if (!m.rows || !m.known)
		s = error_set(e, E_MEMORY, "no memory for %zu rows", capacity);
	for (; m.capacity < capacity && !s; m.capacity += !s)
		s = row_init(&m.rows[m.capacity], a, e);
	if (s)
		head_mean_free(&m);
	else
		*out = m;
	return s;
}

void head_mean_free(struct head_mean *m)
{
	for (size_t k = 0; k < m->capacity; k++)
		row_free(&m->rows[k]);
	free(m->rows);
	free(m->known);
	joined_free(&m->heads);
	*m = (struct head_mean){ 0 };
}

static void forget_stages(struct row *r, const struct problem *p)
{
	for (size_t j = 0; j < p->n_k; j++) {
		r->weights[j] = 0;
		r->scores[j] = r->scaled[j] = r->masked[j] = NAN;
		r->overridden[j] = false;
	}
	for (size_t c = 0; c < p->d_v; c++)
		r->output[c] = NAN;
	r->maximum = r->denominator = r->second_maximum = r->second_denominator = r->remaining = NAN;
}

static void judge(struct row *r, const struct attention *a)
{
	size_t n = a->problem->n_k;

	r->sum = number_sum(r->weights, n);
	r->largest = r->weights[0];
	r->entropy = 0;
	for (size_t j = 0; j < n; j++) {
		if (r->weights[j] > r->largest || isnan(r->weights[j]))
			r->largest = r->weights[j];
		if (r->weights[j] != 0)
			r->entropy -= r->weights[j] * log2(r->weights[j]);
	}
	r->verdict = !r->visible ? VERDICT_EMPTY
		   : isnan(r->sum) ? VERDICT_NAN
		   : r->sum < 1 - a->tolerance ? VERDICT_LOW
		   : r->sum > 1 + a->tolerance ? VERDICT_HIGH : VERDICT_OK;
}

bool head_mean_knows(const struct head_mean *m, size_t i)
{
	size_t k = m->capacity ? i % m->capacity : 0;

	return m->capacity && m->known[k] && m->rows[k].index == i;
}

const struct row *head_mean_row(struct head_mean *m, size_t i)
{
	const struct problem *p = m->heads.head->problem;
	struct row *r = &m->rows[i % m->capacity], *one = &m->heads.row;

	if (head_mean_knows(m, i))
		return r;
	forget_stages(r, p);
	r->index = i;
	for (size_t h = 0; h < m->heads.heads; h++) {
		row_compute(one, &m->heads.head[h], i, STAGE_SCORES, STAGE_WEIGHTS);
		for (size_t j = 0; j < p->n_k; j++)
			r->weights[j] += one->weights[j];
	}
	for (size_t j = 0; j < p->n_k; j++)
		r->weights[j] /= (double)m->heads.heads;
	/* No mask of this program differs by head. */
	memcpy(r->rules, one->rules, p->n_k * sizeof *r->rules);
	r->visible = one->visible;
	judge(r, m->heads.head);
	m->known[i % m->capacity] = true;
	return r;
}
