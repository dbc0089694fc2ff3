/* model_run.c - a model on a text. */
#include "core/model_pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ---- */

static float *stream(const struct model_run *r, size_t layer, size_t t)
{
	const struct model_sizes *s = &r->model->size;
	return r->x + (layer * s->context + t) * s->width;
}

static float *thirds(const struct model_run *r, size_t layer, size_t t)
{
	const struct model_sizes *s = &r->model->size;
	return r->qkv + (layer * s->context + t) * 3 * s->width;
}

const float *model_run_vector(const struct model_run *r, enum qkv which, size_t layer, size_t head, size_t t)
{
	const struct model_sizes *s = &r->model->size;
	return thirds(r, layer, t) + (size_t)which * s->width + head * s->head_dim;
}

const float *model_run_scores(const struct model_run *r, size_t layer, size_t head, size_t i)
{
	return model_scores_at(r, layer, head, i);
}

const float *model_run_weights(const struct model_run *r, size_t layer, size_t head, size_t i)
{
	return model_weights_at(r, layer, head, i);
}

const float *model_run_heads(const struct model_run *r, size_t layer, size_t t)
{
	return model_heads_at(r, layer, t);
}

const float *model_run_logits(const struct model_run *r, size_t t)
{
	return r->logits + t * r->model->size.vocab;
}

/* ---- memory ---- */

/* The limits of the sizes keep all products here far from overflow. */
static enum status allocate(struct model_run *r, struct error *e)
{
	const struct model_sizes *s = &r->model->size;
	size_t heads = s->layers * s->heads, t = s->context, widest = s->hidden > s->width ? s->hidden : s->width;
	size_t work = t * widest > s->vocab ? t * widest : s->vocab;
	enum status status = OK_STATUS;

	r->stale = calloc(heads, sizeof *r->stale);
	r->ids = calloc(t, sizeof *r->ids);
	r->x = calloc((s->layers + 1) * t * s->width, sizeof *r->x);
	r->qkv = calloc(s->layers * t * 3 * s->width, sizeof *r->qkv);
	r->keys = calloc(heads, sizeof *r->keys);
	r->values = calloc(heads, sizeof *r->values);
	r->z = calloc(s->layers * t * s->width, sizeof *r->z);
	r->scores = calloc(heads * t * t, sizeof *r->scores);
	r->weights = calloc(heads * t * t, sizeof *r->weights);
	r->visible = calloc(heads * t, sizeof *r->visible);
	r->logits = calloc(t * s->vocab, sizeof *r->logits);
	r->log_sum = calloc(t, sizeof *r->log_sum);
	bool all = r->stale && r->ids && r->x && r->qkv && r->keys && r->values && r->z && r->scores && r->weights &&
		   r->visible && r->logits && r->log_sum;
	for (int k = 0; k < 3; k++)
		all = (r->work[k] = calloc(work, sizeof *r->work[k])) && all;
	if (!all)
		return error_set(e, E_MEMORY, "no memory for a text of %zu tokens", t);
	for (size_t k = 0; k < heads && !status; k++)
		if (!(status = linear_init(&r->keys[k], s->head_dim, t, e)))
			status = linear_init(&r->values[k], t, s->head_dim, e);
	return status;
}

enum status model_run_init(struct model_run *r, const struct model *m, const struct random_tables *tables,
			   struct error *e)
{
	struct model_run fresh = { .model = m, .tables = tables };
	enum status s = model_plan_init(&fresh.plan, m, e);

	if (s || (s = allocate(&fresh, e)))
		model_run_free(&fresh);
	else
		*r = fresh;
	return s;
}

static void free_linears(struct linear *v, size_t n)
{
	for (size_t k = 0; v && k < n; k++)
		linear_free(&v[k]);
	free(v);
}

void model_run_free(struct model_run *r)
{
	size_t heads = r->model ? r->model->size.layers * r->model->size.heads : 0;

	model_plan_free(&r->plan);
	free_linears(r->keys, heads);
	free_linears(r->values, heads);
	free(r->stale);
	free(r->ids);
	free(r->x);
	free(r->qkv);
	free(r->z);
	free(r->scores);
	free(r->weights);
	free(r->visible);
	free(r->logits);
	free(r->log_sum);
	for (int k = 0; k < 3; k++)
		free(r->work[k]);
	*r = (struct model_run){ 0 };
}

enum status model_run_plan(struct model_run *r, const struct model_plan *p, struct error *e)
{
	struct model_plan copy;
	enum status s = model_plan_copy(&copy, p, e);

	if (s)
		return s;
	for (size_t k = 0; k < p->layers * p->heads; k++)
		r->stale[k] = r->stale[k] || !head_plan_same(&p->head[k], &r->plan.head[k]);
	model_plan_free(&r->plan);
	r->plan = copy;
	return OK_STATUS;
}

/* ---- one layer ---- */

/* q, k, v of the positions that changed; k and v also packed. */
static void project(const struct model_pass *p)
{
	struct model_run *r = p->run;
	const struct model_sizes *s = &r->model->size;
	const struct model_layer *l = &r->model->layer[p->layer];
	size_t n = r->n - p->from;

	norm_apply(&l->ln1, stream(r, p->layer, p->from), n, r->work[0]);
	linear_apply(&l->qkv, (struct rows){ r->work[0], s->width }, n,
		     (struct rows){ thirds(r, p->layer, p->from), 3 * s->width });
	for (size_t h = 0; h < s->heads; h++)
		for (size_t t = p->from; t < r->n; t++) {
			size_t k = model_head_index(r, p->layer, h);
			linear_set_output(&r->keys[k], t, model_run_vector(r, MODEL_K, p->layer, h, t));
			linear_set_input(&r->values[k], t, model_run_vector(r, MODEL_V, p->layer, h, t));
		}
}

/* The rest of the layer for the positions from p->from on. */
static void feed_forward(const struct model_pass *p)
{
	struct model_run *r = p->run;
	const struct model_sizes *s = &r->model->size;
	const struct model_layer *l = &r->model->layer[p->layer];
	size_t n = r->n - p->from, numbers = n * s->width;
	const float *in = stream(r, p->layer, p->from);
	float *out = stream(r, p->layer + 1, p->from), *a = r->work[0], *b = r->work[1], *c = r->work[2];

	linear_apply(&l->proj, (struct rows){ model_heads_at(r, p->layer, p->from), s->width }, n, (struct rows){ a, s->width });
	for (size_t k = 0; k < numbers; k++)
		out[k] = in[k] + a[k];
	norm_apply(&l->ln2, out, n, a);
	linear_apply(&l->fc, (struct rows){ a, s->width }, n, (struct rows){ b, s->hidden });
	gelu_apply(b, n * s->hidden);
	linear_apply(&l->out, (struct rows){ b, s->hidden }, n, (struct rows){ c, s->width });
	for (size_t k = 0; k < numbers; k++)
		out[k] += c[k];
}

/* ---- the whole ---- */

static void embed(struct model_run *r, size_t from)
{
	const struct model *m = r->model;
	size_t width = m->size.width;

	for (size_t t = from; t < r->n; t++) {
		float *x = stream(r, 0, t);
		linear_output(&m->output, r->ids[t], x);
		for (size_t c = 0; c < width; c++)
			x[c] += m->pos[t * width + c];
	}
}

static void predict(struct model_run *r, size_t from)
{
	const struct model_sizes *s = &r->model->size;
	size_t n = r->n - from;

	norm_apply(&r->model->lnf, stream(r, s->layers, from), n, r->work[0]);
	linear_apply(&r->model->output, (struct rows){ r->work[0], s->width }, n,
		     (struct rows){ r->logits + from * s->vocab, s->vocab });
	for (size_t t = from; t < r->n; t++) {
		const float *logits = model_run_logits(r, t);
		float max = largest_of(logits, s->vocab);
		exp_apply(logits, max, s->vocab, r->work[1]);
		r->log_sum[t] = log(sum_of(r->work[1], s->vocab)) + max;
	}
}

static enum status check_ids(const struct model *m, const size_t *ids, size_t n, struct error *e)
{
	if (!n || n > m->size.context)
		return error_set(e, E_VALUE, "%zu tokens; 1 to %zu are expected", n, m->size.context);
	for (size_t t = 0; t < n; t++)
		if (ids[t] >= m->size.vocab)
			return error_set(e, E_VALUE, "token %zu has the id %zu; an id below %zu is expected", t, ids[t], m->size.vocab);
	return OK_STATUS;
}

static enum status run_layers(struct model_pass *p, struct error *e)
{
	struct model_run *r = p->run;

	for (p->layer = 0; p->layer < r->model->size.layers; p->layer++) {
		size_t changed;
		project(p);
		enum status s = model_attend(p, &changed, e);
		if (s)
			return s;
		p->from = changed;
		feed_forward(p);
	}
	return OK_STATUS;
}

enum status model_run_set(struct model_run *r, const size_t *ids, size_t n, struct error *e)
{
	struct model_pass p = { .run = r };
	enum status s = check_ids(r->model, ids, n, e);

	if (s) {
		r->n = 0;
		return s;
	}
	while (p.from < n && p.from < r->n && ids[p.from] == r->ids[p.from])
		p.from++;
	p.changed = p.from < n || n != r->n;
	memmove(r->ids, ids, n * sizeof *ids);
	r->n = n;
	embed(r, p.from);
	if ((s = run_layers(&p, e))) {
		r->n = 0;
		return s;
	}
	predict(r, p.from);
	return OK_STATUS;
}
