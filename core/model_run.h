/* model_run.h - a model on a text: every number on the way, kept for looking at.
 *
 * n positions of ids; layer l, head h, position t, query i, key j. A change at
 * position p computes the positions from p on: the model is causal. What the
 * options of a head do to scores and weights is computed by core/row.h, in double
 * as in every scenario, and all of its rows again; where that changes what the
 * layer gives at an earlier position, the layers above begin there. Results have
 * the same bits as those of a run that starts from nothing, on any number of threads.
 */
#ifndef CORE_MODEL_RUN_H
#define CORE_MODEL_RUN_H

#include "core/model_plan.h"
#include "core/problem.h"
#include "core/workers.h"

struct model_run {
	const struct model *model;
	const struct random_tables *tables;
	/* Reads what the options mask and bias name into a problem; NULL: nothing. */
	enum status (*masks)(struct problem *p, const struct options *o, struct error *e);
	struct workers *workers;	/* that share the rows of heads with options; NULL: one thread. Outlive it */
	struct model_plan plan;
	bool *stale;			/* [layers * heads]: its plan changed since it was computed */
	size_t n, *ids;			/* of the context's length */
	float *x;			/* [layers + 1][T][C]: what enters each layer, and what leaves the last */
	float *qkv;			/* [layers][T][3 C] */
	struct linear *keys, *values;	/* [layers * heads], packed: (T, d) and (d, T) */
	float *z;			/* [layers][T][C] */
	float *scores, *weights;	/* [layers * heads][T][T] */
	unsigned short *visible;	/* [layers * heads][T]: keys that are not hidden */
	float *logits;			/* [T][V] */
	double *log_sum;		/* [T]: ln sum exp of the logits */
	float *work[3];			/* [T][max(C, F)] each, or V */
};

/* Room for the whole context; nothing is allocated while untouched heads run.
 * The model and the tables outlive it. */
enum status model_run_init(struct model_run *r, const struct model *m, const struct random_tables *tables,
			   struct error *e);
void model_run_free(struct model_run *r);

/* Puts a plan in force from the next model_run_set on; it is copied. */
enum status model_run_plan(struct model_run *r, const struct model_plan *p, struct error *e);

/* Computes those n ids, 1 <= n <= context. E_VALUE about a length or an id that
 * the model does not have; else what problem_build, masks and attention_init say of the
 * options of a head (E_VALUE, E_SHAPE, E_LIMIT, E_FILE), E_MEMORY. After an error the run has no text (n is 0).
 * Cost of the positions from the first that differs: about 450,000 multiply-adds each. */
enum status model_run_set(struct model_run *r, const size_t *ids, size_t n, struct error *e);

enum qkv { MODEL_Q, MODEL_K, MODEL_V };
/* head_dim numbers; n numbers, scaled and before masking; n numbers. */
const float *model_run_vector(const struct model_run *r, enum qkv which, size_t layer, size_t head, size_t t);
const float *model_run_scores(const struct model_run *r, size_t layer, size_t head, size_t i);
const float *model_run_weights(const struct model_run *r, size_t layer, size_t head, size_t i);
/* What the heads of a layer give at t, side by side: width numbers. */
const float *model_run_heads(const struct model_run *r, size_t layer, size_t t);
const float *model_run_logits(const struct model_run *r, size_t t);

/* *s becomes a new scenario: q, k, v of all heads of a layer, the tokens, the layer
 * as the part of a file that it is, and the causal mask. The caller's, by scenario_free. */
enum status model_run_scenario(const struct model_run *r, size_t layer, const char *name, struct scenario *s,
			       struct error *e);

#endif
