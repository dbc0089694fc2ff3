/* model_attend.c - the heads of one layer of a model: those as they were trained in float32,
 * those that have options by core/row.h, their rows shared out to the threads.
 *
 * Of the latter, too, q k^T and weights v are float32 where the options leave them as they
 * are; what is done to scores and weights in between is row.h's, in double.
 */
#include "core/model_pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/row.h"

/* Where a head's output of position i is put until all heads are done. */
static float *fresh_output(const struct model_run *r, size_t head, size_t i)
{
	const struct model_sizes *s = &r->model->size;
	return r->work[1] + (head * s->context + i) * s->head_dim;
}

/* ---- products ---- */

/* q k^T of the queries [i, i + n) with the keys from `key` on, a multiple of a strip. */
static void multiply_keys(const struct model_pass *p, size_t head, size_t i, size_t n, size_t key)
{
	struct model_run *r = p->run;
	const struct model_sizes *s = &r->model->size;
	struct linear keys = r->keys[model_head_index(r, p->layer, head)];
	float *q = r->qkv + (p->layer * s->context + i) * 3 * s->width + head * s->head_dim;

	keys.weight += key * keys.room;
	keys.bias += key;
	keys.out = r->n - key;
	linear_apply(&keys, (struct rows){ q, 3 * s->width }, n,
		     (struct rows){ model_scores_at(r, p->layer, head, i) + key, s->context });
}

/* The outputs of those queries, from their weights on the first `keys` keys. */
static void multiply_values(const struct model_pass *p, size_t head, size_t i, size_t n, size_t keys)
{
	struct model_run *r = p->run;
	const struct model_sizes *s = &r->model->size;
	struct linear values = r->values[model_head_index(r, p->layer, head)];

	values.in = keys;
	linear_apply(&values, (struct rows){ model_weights_at(r, p->layer, head, i), s->context }, n,
		     (struct rows){ fresh_output(r, head, i), s->head_dim });
}

/* ---- a head as it was trained ---- */

static void score(const struct model_pass *p, size_t head, size_t i, size_t n, size_t key)
{
	struct model_run *r = p->run;
	float root = sqrtf((float)r->model->size.head_dim);

	multiply_keys(p, head, i, n, key);
	for (size_t t = i; t < i + n; t++)
		divide_apply(model_scores_at(r, p->layer, head, t) + key, r->n - key, root);
}

/* Keys after the query weigh 0, those beyond the text too: they may come to be in it. */
static void weigh(const struct model_pass *p, size_t head, size_t i)
{
	struct model_run *r = p->run;
	const float *s = model_scores_at(r, p->layer, head, i);
	float *w = model_weights_at(r, p->layer, head, i);

	exp_apply(s, largest_of(s, i + 1), i + 1, w);
	divide_apply(w, i + 1, sum_of(w, i + 1));
	memset(w + i + 1, 0, (r->model->size.context - i - 1) * sizeof *w);
	r->visible[model_row_index(r, p->layer, head, i)] = (unsigned short)(i + 1);
}

/* The rows from `first` on. */
static void attend_plainly(const struct model_pass *p, size_t head, size_t first)
{
	size_t n = p->run->n;

	score(p, head, first, n - first, 0);
	if (first)
		score(p, head, 0, first, first - first % LINEAR_STRIP);
	for (size_t i = first; i < n; i++) {
		weigh(p, head, i);
		multiply_values(p, head, i, 1, i + 1);
	}
}

/* ---- heads with options ---- */

struct by_rows {
	size_t head;
	struct problem problem;		/* of the first of several heads with the same options */
	struct attention attention;	/* refers to a problem */
	bool floats;			/* products are float32 */
};

/* All that a layer has of these. */
struct rows_work {
	const struct model_pass *pass;
	struct by_rows *head;
	size_t heads;
	struct row *row;		/* one a thread */
	size_t threads;
};

enum { ROWS_OF_ITEM = 8 };

/* Whether nothing is asked of the products but the numbers. */
static bool may_float(const struct attention *a)
{
	return a->options.transpose && a->dtype == DTYPE_F64 && !a->columns.maximum;
}

static void keep_row(const struct model_pass *p, const struct by_rows *b, const struct row *row)
{
	struct model_run *r = p->run;
	size_t d = r->model->size.head_dim, i = row->index;
	float *s = model_scores_at(r, p->layer, b->head, i), *w = model_weights_at(r, p->layer, b->head, i);
	float *out = fresh_output(r, b->head, i);

	for (size_t j = 0; j < r->n; j++) {
		s[j] = (float)row->scaled[j];
		w[j] = (float)row->weights[j];
	}
	for (size_t c = 0; !b->floats && c < d; c++)
		out[c] = (float)row->output[c];
	r->visible[model_row_index(r, p->layer, b->head, i)] = (unsigned short)row->visible;
}

static void compute_row(const struct model_pass *p, const struct by_rows *b, size_t i, struct row *row)
{
	const float *scores = model_scores_at(p->run, p->layer, b->head, i);

	for (size_t j = 0; b->floats && j < p->run->n; j++)
		row->scores[j] = scores[j];
	row_compute(row, &b->attention, i, b->floats ? STAGE_SCALED : STAGE_SCORES, b->floats ? STAGE_WEIGHTS : STAGE_OUTPUT);
	keep_row(p, b, row);
}

/* Without a visible key and with empty-row zero, it is 0 whatever the values are. */
static void clear_empty(const struct model_pass *p, const struct by_rows *b, size_t i)
{
	const struct model_run *r = p->run;

	if (b->attention.options.empty_row == EMPTY_ZERO && !r->visible[model_row_index(r, p->layer, b->head, i)])
		memset(fresh_output(r, b->head, i), 0, r->model->size.head_dim * sizeof(float));
}

static size_t items_of_head(const struct rows_work *w)
{
	return (w->pass->run->n + ROWS_OF_ITEM - 1) / ROWS_OF_ITEM;
}

static void compute_item(void *context, size_t item, size_t worker)
{
	const struct rows_work *w = context;
	const struct model_pass *p = w->pass;
	const struct by_rows *b = &w->head[item / items_of_head(w)];
	size_t first = item % items_of_head(w) * ROWS_OF_ITEM, left = p->run->n - first;
	size_t n = left < ROWS_OF_ITEM ? left : ROWS_OF_ITEM;

	if (b->floats)
		multiply_keys(p, b->head, first, n, 0);
	for (size_t i = first; i < first + n; i++)
		compute_row(p, b, i, &w->row[worker]);
	if (!b->floats)
		return;
	multiply_values(p, b->head, first, n, p->run->n);
	for (size_t i = first; i < first + n; i++)
		clear_empty(p, b, i);
}

/* What a mask from a file hides may differ by head. */
static bool may_share(const struct model_pass *p, size_t a, size_t b)
{
	const struct head_plan *x = model_plan_head(&p->run->plan, p->layer, a), *y = model_plan_head(&p->run->plan, p->layer, b);

	return x->options && y->options && !*x->options->mask && !*x->options->bias && head_plan_same(x, y);
}

static enum status make_problem(const struct model_run *r, const struct scenario *layer, const struct options *o,
				struct problem *out, struct error *e)
{
	enum status s = problem_build(out, layer, o, &layer->edits, r->tables, e);

	if (!s && r->masks && (s = r->masks(out, o, e)))
		problem_free(out);
	return s;
}

/* Adds a head; the problem is that of the head before where that had the same options. */
static enum status add_head(struct rows_work *w, size_t head, const struct scenario *layer, const struct problem **shared,
			    struct error *e)
{
	struct by_rows *b = &w->head[w->heads];
	const struct model_run *r = w->pass->run;
	struct options o = *model_plan_head(&r->plan, w->pass->layer, head)->options;	/* borrowed: attention_init copies */
	enum status s;

	b->head = head;
	o.head = (long)head;
	o.layer = (long)w->pass->layer;
	o.batch = 0;
	if (!w->heads || !may_share(w->pass, b[-1].head, head)) {
		if ((s = make_problem(r, layer, &o, &b->problem, e)))
			return s;
		*shared = &b->problem;
	}
	if ((s = attention_init(&b->attention, *shared, &o, r->tables, e))) {
		problem_free(&b->problem);
		return s;
	}
	b->floats = may_float(&b->attention);
	w->heads++;
	return OK_STATUS;
}

static void rows_work_free(struct rows_work *w)
{
	for (size_t t = 0; t < w->threads; t++)
		row_free(&w->row[t]);
	for (size_t k = 0; k < w->heads; k++)
		attention_free(&w->head[k].attention);
	for (size_t k = 0; k < w->heads; k++)
		problem_free(&w->head[k].problem);
	free(w->row);
	free(w->head);
}

static enum status rows_work_init(struct rows_work *w, const struct model_pass *p, const bool *wanted, struct error *e)
{
	const struct model_run *r = p->run;
	const struct problem *shared = NULL;
	size_t threads = workers_count(r->workers);
	struct scenario layer;
	enum status s;

	*w = (struct rows_work){ .pass = p };
	w->head = calloc(r->plan.heads, sizeof *w->head);
	w->row = calloc(threads, sizeof *w->row);
	if (!w->head || !w->row)
		return error_set(e, E_MEMORY, "no memory for %zu heads", r->plan.heads);
	if ((s = model_run_scenario(r, p->layer, "live", &layer, e)))
		return s;
	for (size_t h = 0; h < r->plan.heads && !s; h++)
		if (wanted[h])
			s = add_head(w, h, &layer, &shared, e);
	scenario_free(&layer);
	for (; !s && w->threads < threads; w->threads += !s)
		s = row_init(&w->row[w->threads], &w->head[0].attention, e);
	return s;
}

/* All rows: what an option does to an early one may hang on how many there are. */
static enum status attend_by_rows(const struct model_pass *p, const bool *wanted, struct error *e)
{
	struct rows_work w;
	enum status s = rows_work_init(&w, p, wanted, e);

	if (!s)
		workers_run(p->run->workers, w.heads * items_of_head(&w), compute_item, &w, NULL);
	rows_work_free(&w);
	return s;
}

/* ---- all heads of a layer ---- */

/* Takes the outputs of the rows from `first` on over; *changed becomes the first
 * that is not what it was. */
static void take_outputs(const struct model_pass *p, size_t head, size_t first, size_t *changed)
{
	struct model_run *r = p->run;
	size_t d = r->model->size.head_dim;

	if (model_plan_head(&r->plan, p->layer, head)->off)
		memset(fresh_output(r, head, first), 0, (r->n - first) * d * sizeof(float));
	for (size_t i = first; i < r->n; i++) {
		float *z = model_heads_at(r, p->layer, i) + head * d;
		const float *fresh = fresh_output(r, head, i);
		if (i < *changed && memcmp(z, fresh, d * sizeof *z))
			*changed = i;
		memcpy(z, fresh, d * sizeof *z);
	}
}

/* Which heads have options and have to be computed again. */
static bool want_rows(const struct model_pass *p, bool wanted[MODEL_HEADS])
{
	const struct model_run *r = p->run;
	bool any = false;

	for (size_t h = 0; h < r->plan.heads; h++) {
		wanted[h] = model_plan_head(&r->plan, p->layer, h)->options &&
			    (r->stale[model_head_index(r, p->layer, h)] || p->changed || p->from < r->n);
		any = any || wanted[h];
	}
	return any;
}

enum status model_attend(const struct model_pass *p, size_t *changed, struct error *e)
{
	struct model_run *r = p->run;
	bool wanted[MODEL_HEADS];
	enum status s = want_rows(p, wanted) ? attend_by_rows(p, wanted, e) : OK_STATUS;

	if (s)
		return s;
	*changed = p->from;
	for (size_t h = 0; h < r->plan.heads; h++) {
		bool options = model_plan_head(&r->plan, p->layer, h)->options != NULL;
		bool *stale = &r->stale[model_head_index(r, p->layer, h)];
		size_t first = options || *stale ? 0 : p->from;
		*stale = false;
		if (options ? !wanted[h] : first >= r->n)
			continue;
		if (!options)
			attend_plainly(p, h, first);
		take_outputs(p, h, first, changed);
	}
	return OK_STATUS;
}
