/* variant.c - an attention whose Q, K or V is changed, and the noise that changes it. */
#include "core/variant.h"

#include <stdlib.h>
#include <string.h>

static const double noise_scale = 100;
/* Not the seed of an input that anyone tries: its noise would be that input. */
static const char noise_seed[] = "20170612000100", stand_in_seed[] = "20170612000101";

/* ---- the noise ---- */

enum status noise_begin(struct random *stream, const struct random_tables *tables, struct error *e)
{
	return random_seed(stream, tables, noise_seed, e);
}

static void draw(double *out, size_t n, double scale, struct random *stream)
{
	for (size_t k = 0; k < n; k++)
		out[k] = random_normal(stream) * scale;
}

void noise_draw(double *out, size_t n, struct random *stream)
{
	draw(out, n, noise_scale, stream);
}

/* ---- an attention whose Q, K or V is changed ---- */

bool variant_applies(const struct problem *p, enum array array)
{
	return array == ARRAY_V || (problem_has_qk(p) && p->source != SOURCE_SCORES && p->source != SOURCE_WEIGHTS);
}

void variant_init(struct variant *v, const struct attention *a)
{
	*v = (struct variant){ .original = a, .problem = *a->problem };
}

static void variant_forget(struct variant *v)
{
	if (v->scanned)
		attention_free(&v->attention);
	v->scanned = false;
}

void variant_free(struct variant *v)
{
	variant_forget(v);
	for (int k = 0; k < CHANGEABLE; k++)
		if (v->heads[k]) {
			matrix_free(&v->heads[k][v->original->head]);
			free(v->heads[k]);
		}
	*v = (struct variant){ 0 };
}

enum status variant_open(struct variant *v, enum array array, struct error *e)
{
	const struct array_heads *from = &v->original->problem->array[array];
	size_t head = v->original->head;
	struct matrix *heads = calloc(from->n, sizeof *heads);
	enum status s;

	if (!heads)
		return error_set(e, E_MEMORY, "no memory for %zu heads", from->n);
	memcpy(heads, from->head, from->n * sizeof *heads);
	heads[head] = (struct matrix){ 0 };
	if ((s = matrix_copy(&heads[head], &from->head[head], e)) || (s = matrix_own(&heads[head], e))) {
		matrix_free(&heads[head]);
		free(heads);
		return s;
	}
	v->heads[array] = heads;
	v->problem.array[array].head = heads;
	return OK_STATUS;
}

struct matrix *variant_matrix(const struct variant *v, enum array array)
{
	return &v->heads[array][v->original->head];
}

/* Of all that an attention holds only the columns' statistics follow from Q and
 * K, and nothing from V. */
bool variant_scans(const struct variant *v)
{
	return v->original->columns.maximum && (v->heads[ARRAY_Q] || v->heads[ARRAY_K]);
}

enum status variant_update(struct variant *v, const struct random_tables *tables, struct error *e)
{
	variant_forget(v);
	if (variant_scans(v)) {
		enum status s = attention_init(&v->attention, &v->problem, &v->original->options, tables, e);
		v->scanned = !s;
		return s;
	}
	v->attention = *v->original;
	v->attention.problem = &v->problem;
	return OK_STATUS;
}

/* ---- a V where none is given ---- */

void stand_in_free(struct stand_in *in)
{
	if (in->heads)
		matrix_free(&in->heads[in->attention.head]);
	free(in->heads);
	*in = (struct stand_in){ 0 };
}

static enum status draw_stand_in(struct matrix *v, size_t n_k, const struct random_tables *tables, struct error *e)
{
	struct random stream;
	enum status s;

	if ((s = random_seed(&stream, tables, stand_in_seed, e)) || (s = matrix_init(v, n_k, STAND_IN_COLUMNS, e)))
		return s;
	draw(v->v, v->rows * v->columns, 1, &stream);
	return OK_STATUS;
}

enum status stand_in_init(struct stand_in *in, const struct attention **a, const struct random_tables *tables,
			  struct error *e)
{
	const struct problem *p = (*a)->problem;
	enum status s;

	*in = (struct stand_in){ 0 };
	if (!p->identity_v)
		return OK_STATUS;
	in->problem = *p;
	in->attention = **a;
	in->attention.problem = &in->problem;
	in->heads = calloc(p->heads, sizeof *in->heads);
	if (!in->heads)
		return error_set(e, E_MEMORY, "no memory for %zu heads", p->heads);
	if ((s = draw_stand_in(&in->heads[in->attention.head], p->n_k, tables, e))) {
		stand_in_free(in);
		return s;
	}
	in->problem.array[ARRAY_V] = (struct array_heads){ in->heads, p->heads };
	in->problem.identity_v = false;
	in->problem.d_v = STAND_IN_COLUMNS;
	*a = &in->attention;
	return OK_STATUS;
}
