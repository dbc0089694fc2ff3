/* model_scenario.c - a layer of a model, on its text, as a scenario. */
#include "core/model_run.h"

#include <string.h>

static enum status add_vectors(const struct model_run *r, enum qkv which, size_t layer, size_t head,
			       struct array_heads *to, struct error *e)
{
	size_t d = r->model->size.head_dim;
	struct matrix m = { 0 };
	enum status s = matrix_init(&m, r->n, d, e);

	if (s)
		return s;
	for (size_t t = 0; t < r->n; t++) {
		const float *v = model_run_vector(r, which, layer, head, t);
		for (size_t c = 0; c < d; c++)
			m.v[t * d + c] = v[c];
	}
	s = array_add(to, &m, e);
	matrix_free(&m);
	return s;
}

static enum status fill_scenario(const struct model_run *r, size_t layer, struct scenario *s, struct error *e)
{
	static const enum array array[] = { [MODEL_Q] = ARRAY_Q, [MODEL_K] = ARRAY_K, [MODEL_V] = ARRAY_V };
	enum status status = option_set(&s->set, OPT_CAUSAL, "on", e);

	s->source = SOURCE_QKV;
	s->tokens_shared = true;
	s->part = (struct file_part){ .layers = r->model->size.layers, .batches = 1, .layer = (long)layer };
	s->set.layer = (long)layer;
	for (size_t t = 0; t < r->n && !status; t++) {
		const char *text = r->model->vocab.text[r->ids[t]];
		if (!(status = tokens_add(&s->query_tokens, text, strlen(text), e)))
			status = tokens_add(&s->key_tokens, text, strlen(text), e);
	}
	for (size_t h = 0; h < r->model->size.heads && !status; h++)
		for (int which = MODEL_Q; which <= MODEL_V && !status; which++)
			status = add_vectors(r, (enum qkv)which, layer, h, &s->array[array[which]], e);
	return status;
}

enum status model_run_scenario(const struct model_run *r, size_t layer, const char *name, struct scenario *s,
			       struct error *e)
{
	struct scenario fresh;
	enum status status = scenario_init(&fresh, name, e);

	if (status)
		return status;
	if ((status = fill_scenario(r, layer, &fresh, e)))
		scenario_free(&fresh);
	else
		*s = fresh;
	return status;
}
