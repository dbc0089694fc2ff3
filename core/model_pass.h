/* model_pass.h - between model_run.c and model_attend.c: a change of the text on its way
 * through the layers.
 */
#ifndef CORE_MODEL_PASS_H
#define CORE_MODEL_PASS_H

#include "core/model_run.h"

struct model_pass {
	struct model_run *run;
	size_t layer;
	size_t from;		/* the first position whose input to this layer changed */
	bool changed;		/* the text is another one, be it only a shorter one */
};

/* All heads of the layer. *changed becomes the first position at which they give something
 * else. Errors of problem_build, of run->masks and of attention_init about the options of a
 * head, E_MEMORY. */
enum status model_attend(const struct model_pass *p, size_t *changed, struct error *e);

/* ---- places ---- */

static inline size_t model_head_index(const struct model_run *r, size_t layer, size_t head)
{
	return layer * r->model->size.heads + head;
}

static inline size_t model_row_index(const struct model_run *r, size_t layer, size_t head, size_t i)
{
	return model_head_index(r, layer, head) * r->model->size.context + i;
}

static inline float *model_scores_at(const struct model_run *r, size_t layer, size_t head, size_t i)
{
	return r->scores + model_row_index(r, layer, head, i) * r->model->size.context;
}

static inline float *model_weights_at(const struct model_run *r, size_t layer, size_t head, size_t i)
{
	return r->weights + model_row_index(r, layer, head, i) * r->model->size.context;
}

static inline float *model_heads_at(const struct model_run *r, size_t layer, size_t t)
{
	const struct model_sizes *s = &r->model->size;
	return r->z + (layer * s->context + t) * s->width;
}

#endif
