/* model_next.c - what a model says comes next, and how well it said what came. */
#include "core/model_next.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void model_next(const struct model_run *r, size_t t, double temperature, double *p)
{
	const float *logits = model_run_logits(r, t);
	size_t n = r->model->size.vocab;
	double max = logits[0], sum = 0;

	for (size_t k = 1; k < n; k++)
		max = logits[k] > max ? logits[k] : max;
	for (size_t k = 0; k < n; k++) {
		p[k] = exp((logits[k] - max) / temperature);
		sum += p[k];
	}
	for (size_t k = 0; k < n; k++)
		p[k] /= sum;
}

/* NaN is less than anything. */
static bool likelier(const struct guess *a, const struct guess *b)
{
	if (isnan(a->p) || isnan(b->p))
		return isnan(b->p) && (!isnan(a->p) || a->id < b->id);
	return a->p > b->p || (a->p == b->p && a->id < b->id);
}

size_t model_top(const double *p, size_t n, size_t most, struct guess *out)
{
	size_t found = 0;

	for (size_t id = 0; id < n; id++) {
		struct guess one = { id, p[id] };
		size_t at = found;
		while (at && likelier(&one, &out[at - 1]))
			at--;
		if (at == most)
			continue;
		if (found < most)
			found++;
		memmove(&out[at + 1], &out[at], (found - at - 1) * sizeof *out);
		out[at] = one;
	}
	return found;
}

double model_surprise(const struct model_run *r, size_t t)
{
	size_t pad = r->model->special[MODEL_PAD];

	if (t + 1 >= r->n || r->ids[t] == pad || r->ids[t + 1] == pad)
		return NAN;
	return r->log_sum[t] - model_run_logits(r, t)[r->ids[t + 1]];
}

double model_nats(const struct model_run *r)
{
	size_t pad = r->model->special[MODEL_PAD], n = 0;
	double sum = 0;

	for (size_t t = 0; t + 1 < r->n; t++) {
		if (r->ids[t] == pad || r->ids[t + 1] == pad)
			continue;
		sum += model_surprise(r, t);
		n++;
	}
	return n ? sum / (double)n : NAN;
}

/* ---- continuing ---- */

static size_t drawn(const double *p, size_t n, double u)
{
	double sum = 0;

	for (size_t id = 0; id < n; id++) {
		sum += p[id];
		if (sum > u)
			return id;
	}
	return n - 1;		/* the sum was rounded to less than 1 */
}

enum status model_continue(struct model_run *r, size_t count, const struct model_draw *draw, enum model_stop *why,
			   struct error *e)
{
	const struct model *m = r->model;
	double *p = calloc(m->size.vocab, sizeof *p);
	enum model_stop stop = STOP_COUNT;
	enum status s = OK_STATUS;

	if (!p)
		return error_set(e, E_MEMORY, "no memory for %zu probabilities", m->size.vocab);
	for (size_t k = 0; k < count && stop == STOP_COUNT && !s; k++) {
		struct guess best = { 0, 0 };
		if (r->n == m->size.context) {
			stop = STOP_CONTEXT;
			break;
		}
		model_next(r, r->n - 1, draw->stream ? draw->temperature : 1, p);
		if (draw->stream)
			best.id = drawn(p, m->size.vocab, random_double(draw->stream));
		else
			model_top(p, m->size.vocab, 1, &best);
		r->ids[r->n] = best.id;
		s = model_run_set(r, r->ids, r->n + 1, e);
		if (best.id == m->special[MODEL_EOS])
			stop = STOP_EOS;
	}
	free(p);
	if (!s)
		*why = stop;
	return s;
}
