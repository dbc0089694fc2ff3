/* model_run.c - a model on a text. */
#include "core/model_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/row.h"

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

static float *heads_at(const struct model_run *r, size_t layer, size_t t)
{
	const struct model_sizes *s = &r->model->size;
	return r->z + (layer * s->context + t) * s->width;
}

static size_t index_of(const struct model_run *r, size_t layer, size_t head)
{
	return layer * r->model->size.heads + head;
}

static size_t row_at(const struct model_run *r, size_t layer, size_t head, size_t i)
{
	return index_of(r, layer, head) * r->model->size.context + i;
}

static float *scores_at(const struct model_run *r, size_t layer, size_t head, size_t i)
{
	return r->scores + row_at(r, layer, head, i) * r->model->size.context;
}

static float *weights_at(const struct model_run *r, size_t layer, size_t head, size_t i)
{
	return r->weights + row_at(r, layer, head, i) * r->model->size.context;
}

const float *model_run_vector(const struct model_run *r, enum qkv which, size_t layer, size_t head, size_t t)
{
	const struct model_sizes *s = &r->model->size;
	return thirds(r, layer, t) + (size_t)which * s->width + head * s->head_dim;
}

const float *model_run_scores(const struct model_run *r, size_t layer, size_t head, size_t i)
{
	return scores_at(r, layer, head, i);
}

const float *model_run_weights(const struct model_run *r, size_t layer, size_t head, size_t i)
{
	return weights_at(r, layer, head, i);
}

const float *model_run_heads(const struct model_run *r, size_t layer, size_t t)
{
	return heads_at(r, layer, t);
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

/* ---- what one layer is computed from ---- */

/* A change of the text, on its way through the layers. */
struct pass {
	struct model_run *run;
	size_t layer;
	size_t from;		/* the first position whose input to this layer changed */
	bool changed;		/* the text is another one, be it only a shorter one */
};

/* q, k, v of the positions that changed; k and v also packed. */
static void project(const struct pass *p)
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
			size_t k = index_of(r, p->layer, h);
			linear_set_output(&r->keys[k], t, model_run_vector(r, MODEL_K, p->layer, h, t));
			linear_set_input(&r->values[k], t, model_run_vector(r, MODEL_V, p->layer, h, t));
		}
}

/* ---- a head as it was trained ---- */

/* Scores of the queries [i, i + n) with the keys from `key` on, a multiple of a strip. */
static void score(const struct pass *p, size_t head, size_t i, size_t n, size_t key)
{
	struct model_run *r = p->run;
	const struct model_sizes *s = &r->model->size;
	struct linear keys = r->keys[index_of(r, p->layer, head)];
	float root = sqrtf((float)s->head_dim);
	float *out = scores_at(r, p->layer, head, i) + key;

	keys.weight += key * keys.room;
	keys.bias += key;
	keys.out = r->n - key;
	linear_apply(&keys, (struct rows){ thirds(r, p->layer, i) + head * s->head_dim, 3 * s->width }, n,
		     (struct rows){ out, s->context });
	for (size_t t = 0; t < n; t++)
		for (size_t j = 0; j < keys.out; j++)
			out[t * s->context + j] /= root;
}

/* Keys after the query weigh 0, those beyond the text too: they may come to be in it. */
static void weigh(const struct pass *p, size_t head, size_t i)
{
	struct model_run *r = p->run;
	const float *s = scores_at(r, p->layer, head, i);
	float *w = weights_at(r, p->layer, head, i);

	exp_apply(s, largest_of(s, i + 1), i + 1, w);
	float sum = sum_of(w, i + 1);
	for (size_t j = 0; j <= i; j++)
		w[j] /= sum;
	memset(w + i + 1, 0, (r->model->size.context - i - 1) * sizeof *w);
	r->visible[row_at(r, p->layer, head, i)] = (unsigned short)(i + 1);
}

/* Outputs of the rows from `first` on to work[1], head_dim numbers each. */
static void attend_plainly(const struct pass *p, size_t head, size_t first)
{
	struct model_run *r = p->run;
	const struct model_sizes *s = &r->model->size;
	struct linear values = r->values[index_of(r, p->layer, head)];

	score(p, head, first, r->n - first, 0);
	if (first)
		score(p, head, 0, first, first - first % LINEAR_STRIP);
	for (size_t i = first; i < r->n; i++) {
		weigh(p, head, i);
		values.in = i + 1;
		linear_apply(&values, (struct rows){ weights_at(r, p->layer, head, i), s->context }, 1,
			     (struct rows){ r->work[1] + i * s->head_dim, s->head_dim });
	}
}

/* ---- a head with options ---- */

static void keep_row(const struct pass *p, size_t head, const struct row *row)
{
	struct model_run *r = p->run;
	size_t d = r->model->size.head_dim, i = row->index;
	float *s = scores_at(r, p->layer, head, i), *w = weights_at(r, p->layer, head, i);

	for (size_t j = 0; j < r->n; j++) {
		s[j] = (float)row->scaled[j];
		w[j] = (float)row->weights[j];
	}
	for (size_t c = 0; c < d; c++)
		r->work[1][i * d + c] = (float)row->output[c];
	r->visible[row_at(r, p->layer, head, i)] = (unsigned short)row->visible;
}

static enum status attend_rows(const struct pass *p, size_t head, const struct problem *problem,
			       const struct options *o, struct error *e)
{
	struct attention a;
	struct row row;
	enum status s = attention_init(&a, problem, o, p->run->tables, e);

	if (s)
		return s;
	if (!(s = row_init(&row, &a, e))) {
		for (size_t i = 0; i < p->run->n; i++) {
			row_compute(&row, &a, i, STAGE_SCORES, STAGE_OUTPUT);
			keep_row(p, head, &row);
		}
		row_free(&row);
	}
	attention_free(&a);
	return s;
}

/* All rows: what an option does to an early one may hang on how many there are. */
static enum status attend_by_options(const struct pass *p, size_t head, const struct scenario *layer, struct error *e)
{
	struct model_run *r = p->run;
	struct options o = *model_plan_head(&r->plan, p->layer, head)->options;	/* borrowed: attention_init copies */
	struct problem problem = { 0 };
	enum status s = problem_build(&problem, layer, &o, &layer->edits, r->tables, e);

	o.head = (long)head;
	o.layer = (long)p->layer;
	o.batch = 0;
	if (!s && r->masks)
		s = r->masks(&problem, &o, e);
	if (!s)
		s = attend_rows(p, head, &problem, &o, e);
	problem_free(&problem);
	return s;
}

/* ---- all heads of a layer ---- */

/* Takes the outputs of the rows from `first` on over; *changed becomes the first
 * that is not what it was. */
static void take_outputs(const struct pass *p, size_t head, size_t first, size_t *changed)
{
	struct model_run *r = p->run;
	size_t d = r->model->size.head_dim;

	if (model_plan_head(&r->plan, p->layer, head)->off)
		memset(r->work[1] + first * d, 0, (r->n - first) * d * sizeof(float));
	for (size_t i = first; i < r->n; i++) {
		float *z = heads_at(r, p->layer, i) + head * d;
		const float *fresh = r->work[1] + i * d;
		if (i < *changed && memcmp(z, fresh, d * sizeof *z))
			*changed = i;
		memcpy(z, fresh, d * sizeof *z);
	}
}

static bool has_options(const struct model_run *r, size_t layer)
{
	for (size_t h = 0; h < r->plan.heads; h++)
		if (model_plan_head(&r->plan, layer, h)->options)
			return true;
	return false;
}

/* *changed becomes the first position at which the heads give something else. */
static enum status attend(const struct pass *p, size_t *changed, struct error *e)
{
	struct model_run *r = p->run;
	struct scenario layer;
	bool rows = has_options(r, p->layer);
	enum status s = rows ? model_run_scenario(r, p->layer, "live", &layer, e) : OK_STATUS;

	if (s)
		return s;
	*changed = p->from;
	for (size_t h = 0; h < r->plan.heads && !s; h++) {
		bool options = model_plan_head(&r->plan, p->layer, h)->options != NULL;
		bool *stale = &r->stale[index_of(r, p->layer, h)];
		size_t first = options || *stale ? 0 : p->from;
		if (options && (*stale || p->changed || p->from < r->n))
			s = attend_by_options(p, h, &layer, e);
		else if (!options && first < r->n)
			attend_plainly(p, h, first);
		else
			continue;
		if (!s)
			take_outputs(p, h, first, changed);
		*stale = *stale && s;
	}
	if (rows)
		scenario_free(&layer);
	return s;
}

/* The rest of the layer for the positions from p->from on. */
static void feed_forward(const struct pass *p)
{
	struct model_run *r = p->run;
	const struct model_sizes *s = &r->model->size;
	const struct model_layer *l = &r->model->layer[p->layer];
	size_t n = r->n - p->from, numbers = n * s->width;
	const float *in = stream(r, p->layer, p->from);
	float *out = stream(r, p->layer + 1, p->from), *a = r->work[0], *b = r->work[1], *c = r->work[2];

	linear_apply(&l->proj, (struct rows){ heads_at(r, p->layer, p->from), s->width }, n, (struct rows){ a, s->width });
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

static enum status run_layers(struct pass *p, struct error *e)
{
	struct model_run *r = p->run;

	for (p->layer = 0; p->layer < r->model->size.layers; p->layer++) {
		size_t changed;
		project(p);
		enum status s = attend(p, &changed, e);
		if (s)
			return s;
		p->from = changed;
		feed_forward(p);
	}
	return OK_STATUS;
}

enum status model_run_set(struct model_run *r, const size_t *ids, size_t n, struct error *e)
{
	struct pass p = { .run = r };
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
