/* fast_attention.c - an attention in the terms of fast.h. */
#include "core/fast_attention.h"

#include <stdlib.h>

/* What fast.h knows of, and what has no part in the weights. */
static bool is_known(enum option o)
{
	static const enum option known[] = {
		OPT_CAUSAL, OPT_CAUSAL_ALIGN, OPT_CAUSAL_OFFSET, OPT_PAD, OPT_PAD_MASK, OPT_SCALE, OPT_D_MODEL, OPT_TEMPERATURE,
		OPT_BUG,	/* its options are in force */
		OPT_DTYPE,	/* the attention's own says which it is */
		OPT_DROPOUT_SEED, OPT_POLARITY, OPT_HEAD, OPT_LAYER, OPT_BATCH, OPT_SEED, OPT_N, OPT_D_K, OPT_D_V,
	};

	for (size_t k = 0; k < sizeof known / sizeof *known; k++)
		if (known[k] == o)
			return true;
	return option_info(o)->dirties == STAGE_COUNT;
}

bool fast_attention_fits(const struct attention *a)
{
	const struct problem *p = a->problem;

	if (!problem_has_qk(p) || p->mask.v || p->bias.v || a->dtype != DTYPE_F64)
		return false;
	for (size_t k = 0; k < p->edits.n; k++)
		if (p->edits.v[k].array == ARRAY_SCORES)
			return false;
	for (int o = 0; o < OPT_COUNT; o++)
		if (!is_known((enum option)o) && !option_is_default(&a->options, (enum option)o))
			return false;
	return true;
}

static enum status make_pad(unsigned char **pad, const struct attention *a, struct error *e)
{
	const struct options *o = &a->options;

	*pad = NULL;
	if (!o->pad_mask || !o->pad.n)
		return OK_STATUS;
	if (!(*pad = calloc(a->problem->n_k, 1)))
		return error_set(e, E_MEMORY, "no memory for the padding of %zu keys", a->problem->n_k);
	for (size_t k = 0; k < o->pad.n; k++)
		(*pad)[o->pad.v[k]] = 1;
	return OK_STATUS;
}

/* V may be missing: it is then the identity, and nobody asks for outputs of it here. */
static struct tensor_view view_of(const struct attention *a, enum array array)
{
	const struct matrix *m = problem_array(a->problem, array, a->head);

	return m ? matrix_as_view(m) : (struct tensor_view){ 0 };
}

enum status fast_attention_head(struct fast_head *h, unsigned char **pad, const struct attention *a,
				const struct tensor_view *q, const struct tensor_view *k, const struct tensor_view *v, struct error *e)
{
	const struct problem *p = a->problem;
	const struct options *o = &a->options;
	long corner = o->causal_align == ALIGN_BOTTOM_RIGHT ? (long)p->n_k - (long)p->n_q : 0;
	struct fast_head fresh = {
		.q = q ? *q : view_of(a, ARRAY_Q), .k = k ? *k : view_of(a, ARRAY_K), .v = v ? *v : view_of(a, ARRAY_V),
		.lanes = lanes_choose(), .scale = (float)(a->factor / a->divisor / o->temperature.number),
		.causal = o->causal, .offset = corner + o->causal_offset,
	};
	enum status s = make_pad(pad, a, e);

	if (s)
		return s;
	if (!fresh.v.data)
		fresh.v = fresh.k;	/* of the same length, so that it fits */
	fresh.pad = *pad;
	*h = fresh;
	return OK_STATUS;
}
