/* problem.c - the numbers a row is computed from. */
#include "core/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- random input ---- */

static enum status input_error(const struct options *o, enum option which, struct error *e, const char *text)
{
	struct buffer value = { 0 };

	option_text(o, which, &value);
	enum status s = error_option(e, E_VALUE, option_info(which)->name, value.data ? value.data : "", "%s", text);
	buffer_free(&value);
	return s;
}

/* The options' seed, n, d-k, d-v replace the scenario's; r borrows the seed. */
static enum status replaced(struct random_input *r, const struct scenario *s, const struct options *o, struct error *e)
{
	static const enum option inputs[] = { OPT_SEED, OPT_N, OPT_D_K, OPT_D_V };
	const bool given[] = { *o->seed, o->n > 0, o->d_k > 0, o->d_v > 0 };

	for (int i = 0; i < 4 && s->source != SOURCE_RANDOM; i++)
		if (given[i])
			return input_error(o, inputs[i], e, "the input has given numbers; this option is for random input");
	if (s->source != SOURCE_RANDOM)
		return OK_STATUS;
	*r = random_input_sized(&s->random, o);
	if (*o->seed)
		r->seed = o->seed;
	if (!random_input_fits(r))
		return error_set(e, E_LIMIT, "random input of n %zu, d_k %zu is larger than the limit of %zu numbers",
				 r->n_k, r->d_k, NUMBERS_LIMIT);
	return OK_STATUS;
}

/* Appends a matrix of normals divided by `divisor` to an array. */
static enum status draw(struct array_heads *a, struct random *stream, size_t rows, size_t columns,
			double divisor, struct error *e)
{
	struct matrix m = { 0 };
	enum status s = matrix_init(&m, rows, columns, e);

	if (s)
		return s;
	for (size_t k = 0; k < rows * columns; k++)
		m.v[k] = random_normal(stream);
	if (divisor != 1)
		for (size_t k = 0; k < rows * columns; k++)
			m.v[k] /= divisor;
	s = array_add(a, &m, e);
	matrix_free(&m);
	return s;
}

static enum status draw_all(struct problem *p, const struct random_input *r, struct random *stream, struct error *e)
{
	enum status s = OK_STATUS;
	double root = sqrt((double)r->d_model);

	if (r->d_model)
		s = draw(&p->array[ARRAY_X], stream, r->n_q, r->d_model, 1, e);
	for (size_t h = 0; h < r->heads && !s; h++) {
		if (r->d_model) {
			if (!(s = draw(&p->array[ARRAY_W_Q], stream, r->d_model, r->d_k, root, e)) &&
			    !(s = draw(&p->array[ARRAY_W_K], stream, r->d_model, r->d_k, root, e)))
				s = draw(&p->array[ARRAY_W_V], stream, r->d_model, r->d_v, root, e);
		} else {
			if (!(s = draw(&p->array[ARRAY_Q], stream, r->n_q, r->d_k, 1, e)) &&
			    !(s = draw(&p->array[ARRAY_K], stream, r->n_k, r->d_k, 1, e)))
				s = draw(&p->array[ARRAY_V], stream, r->n_k, r->d_v, 1, e);
		}
	}
	if (!s && r->d_model)
		s = draw(&p->array[ARRAY_W_O], stream, r->heads * r->d_v, r->d_model, root, e);
	return s;
}

static enum status make_random(struct problem *p, const struct random_input *r,
			       const struct random_tables *tables, struct error *e)
{
	struct random stream;
	enum status s = random_seed(&stream, tables, r->seed, e);

	if (s)
		return s;
	random_skip_normals(&stream, r->skip);
	p->random = true;
	p->source = r->d_model ? SOURCE_X : SOURCE_QKV;
	return draw_all(p, r, &stream, e);
}

/* ---- given input ---- */

static enum status copy_arrays(struct problem *p, const struct scenario *s, struct error *e)
{
	enum status status = OK_STATUS;

	for (int a = 0; a < ARRAY_COUNT; a++)
		for (size_t h = 0; h < s->array[a].n && !status; h++) {
			struct matrix m = { 0 };
			if (!(status = matrix_copy(&m, &s->array[a].head[h], e)))
				status = array_add(&p->array[a], &m, e);
			matrix_free(&m);
		}
	p->source = s->source;
	p->part = s->part;
	return status;
}

static enum status misfit(struct error *e, const char *a, const struct matrix *x, const char *b,
			  const struct matrix *y, const char *why)
{
	return error_set(e, E_SHAPE, "%s (%zu, %zu) and %s (%zu, %zu) do not fit: %s",
			 a, x->rows, x->columns, b, y->rows, y->columns, why);
}

static enum status same_shape(const struct array_heads *a, size_t heads, const char *name, struct error *e)
{
	if (a->n != heads)
		return error_set(e, E_SHAPE, "%s has %zu heads, %zu are expected", name, a->n, heads);
	for (size_t h = 0; h < a->n; h++)
		if (a->head[h].rows != a->head[0].rows || a->head[h].columns != a->head[0].columns)
			return error_set(e, E_SHAPE, "head %zu of %s is (%zu, %zu), head 0 is (%zu, %zu)", h, name,
					 a->head[h].rows, a->head[h].columns, a->head[0].rows, a->head[0].columns);
	if (!a->head[0].rows || !a->head[0].columns)
		return error_set(e, E_SHAPE, "%s (%zu, %zu) is empty", name, a->head[0].rows, a->head[0].columns);
	return OK_STATUS;
}

static enum status check_projections(struct problem *p, struct error *e)
{
	static const enum array weight[] = { ARRAY_W_Q, ARRAY_W_K, ARRAY_W_V };
	const struct matrix *x = &p->array[ARRAY_X].head[0];
	enum status s;

	if ((s = same_shape(&p->array[ARRAY_X], 1, "x", e)))
		return s;
	for (int i = 0; i < 3; i++) {
		const struct array_heads *w = &p->array[weight[i]];
		if ((s = same_shape(w, p->heads, array_name(weight[i]), e)))
			return s;
		if (w->head[0].rows != x->columns)
			return misfit(e, "x", x, array_name(weight[i]), &w->head[0], "columns of x are the rows of the other");
	}
	return OK_STATUS;
}

/* C = A B, plain loops in ascending order. */
static void multiply(const struct matrix *a, const struct matrix *b, struct matrix *c)
{
	for (size_t i = 0; i < a->rows; i++)
		for (size_t l = 0; l < a->columns; l++) {
			double x = a->v[i * a->columns + l];
			for (size_t j = 0; j < b->columns; j++)
				c->v[i * b->columns + j] += x * b->v[l * b->columns + j];
		}
}

/* Q = X W_Q, K = X W_K, V = X W_V of every head. */
static enum status project(struct problem *p, struct error *e)
{
	static const enum array weight[] = { ARRAY_W_Q, ARRAY_W_K, ARRAY_W_V };
	static const enum array result[] = { ARRAY_Q, ARRAY_K, ARRAY_V };
	const struct matrix *x = &p->array[ARRAY_X].head[0];
	enum status s = OK_STATUS;

	for (int i = 0; i < 3; i++)
		array_free(&p->array[result[i]]);
	for (size_t h = 0; h < p->heads; h++)
		for (int i = 0; i < 3 && !s; i++) {
			const struct matrix *w = &p->array[weight[i]].head[h];
			struct matrix m = { 0 };
			if ((s = matrix_init(&m, x->rows, w->columns, e)))
				break;
			multiply(x, w, &m);
			s = array_add(&p->array[result[i]], &m, e);
			matrix_free(&m);
		}
	return s;
}

/* The matrix whose rows are queries and whose columns are keys, or NULL. */
static const struct array_heads *queries_by_keys(const struct problem *p)
{
	return p->source == SOURCE_SCORES ? &p->array[ARRAY_SCORES]
	     : p->source == SOURCE_WEIGHTS ? &p->array[ARRAY_WEIGHTS] : NULL;
}

static enum status check_w_o(const struct problem *p, struct error *e)
{
	const struct array_heads *w_o = &p->array[ARRAY_W_O];

	if (!w_o->n)
		return OK_STATUS;
	if (w_o->head[0].rows != p->heads * p->d_v)
		return error_set(e, E_SHAPE, "w-o (%zu, %zu) does not fit %zu heads of d_v %zu: %zu rows are expected",
				 w_o->head[0].rows, w_o->head[0].columns, p->heads, p->d_v, p->heads * p->d_v);
	return OK_STATUS;
}

static enum status measure_v(struct problem *p, struct error *e)
{
	const struct array_heads *v = &p->array[ARRAY_V];
	enum status s;

	if (p->identity_v) {
		p->d_v = p->n_k;
		return OK_STATUS;
	}
	if ((s = same_shape(v, p->heads, "v", e)))
		return s;
	if (v->head[0].rows != p->n_k)
		return error_set(e, E_SHAPE, "v (%zu, %zu) does not fit %zu keys: one row a key is expected",
				 v->head[0].rows, v->head[0].columns, p->n_k);
	p->d_v = v->head[0].columns;
	return OK_STATUS;
}

/* Fills in the sizes; the arrays must fit. */
static enum status measure(struct problem *p, size_t given_d_k, struct error *e)
{
	const struct array_heads *grid = queries_by_keys(p);
	enum status s;

	if (grid) {
		p->heads = grid->n;
		if ((s = same_shape(grid, p->heads, p->source == SOURCE_SCORES ? "scores" : "weights", e)))
			return s;
		p->n_q = grid->head[0].rows;
		p->n_k = grid->head[0].columns;
		p->d_k = p->source == SOURCE_SCORES ? given_d_k : 0;
		p->identity_v = !p->array[ARRAY_V].n;
	} else {
		if (p->source == SOURCE_X) {
			p->heads = p->array[ARRAY_W_Q].n;
			if ((s = check_projections(p, e)) || (s = project(p, e)))
				return s;
		}
		const struct array_heads *q = &p->array[ARRAY_Q], *k = &p->array[ARRAY_K];
		p->heads = q->n;
		if ((s = same_shape(q, p->heads, "q", e)) || (s = same_shape(k, p->heads, "k", e)))
			return s;
		if (q->head[0].columns != k->head[0].columns)
			return misfit(e, "q", &q->head[0], "k", &k->head[0], "both have d_k columns");
		p->n_q = q->head[0].rows;
		p->n_k = k->head[0].rows;
		p->d_k = q->head[0].columns;
		p->identity_v = !p->array[ARRAY_V].n;
	}
	if ((s = measure_v(p, e)))
		return s;
	p->d_model = p->source == SOURCE_X ? p->array[ARRAY_X].head[0].columns : p->heads * p->d_k;
	return check_w_o(p, e);
}

/* ---- tokens ---- */

static enum status name_tokens(struct tokens *to, const struct tokens *given, size_t n, bool any_number,
			       const char *what, struct error *e)
{
	enum status s = OK_STATUS;

	if (given->n && given->n != n && !any_number)
		return error_set(e, E_SHAPE, "%zu %s tokens for %zu rows", given->n, what, n);
	if (!given->n) {
		to->n = n;
		return OK_STATUS;
	}
	static const struct tokens made;
	for (size_t i = 0; i < n && !s; i++) {
		const char *text = token_label(i < given->n ? given : &made, i);
		s = tokens_add(to, text, strlen(text), e);
	}
	return s;
}

/* ---- edits ---- */

static enum status apply_edits(struct problem *p, const struct edits *edits, struct error *e)
{
	enum status s = edits_copy(&p->edits, edits, e);

	for (size_t i = 0; i < edits->n && !s; i++) {
		const struct edit *edit = &edits->v[i];
		if (p->source == SOURCE_X && edit->array <= ARRAY_V)
			return error_set(e, E_VALUE, "%s follows from x here; x and its weights can be changed",
					 array_name(edit->array));
		if (p->identity_v && edit->array == ARRAY_V)
			return error_set(e, E_VALUE, "v is not given here, so it cannot be changed; "
					 "without it the output is the weights");
		bool override = edit->array == ARRAY_SCORES && p->source != SOURCE_SCORES;
		struct array_heads *a = &p->array[edit->array];
		size_t heads = override ? p->heads : a->n;
		size_t rows = override ? p->n_q : a->n ? a->head[0].rows : 0;
		size_t columns = override ? p->n_k : a->n ? a->head[0].columns : 0;
		if (override && !problem_has_qk(p))
			heads = 0;
		if (edit->head >= heads || edit->row >= rows || edit->column >= columns)
			return error_set(e, E_VALUE, "there is no cell %zu:%zu of %s in head %zu to change",
					 edit->row, edit->column, array_name(edit->array), edit->head);
		if (override)
			continue;
		if ((s = matrix_own(&a->head[edit->head], e)))
			return s;
		a->head[edit->head].v[edit->row * columns + edit->column] = edit->value;
	}
	if (!s && p->source == SOURCE_X && edits->n)
		s = project(p, e);
	return s;
}

/* ---- all of it ---- */

static enum status build(struct problem *p, const struct scenario *sc, const struct options *o,
			 const struct edits *edits, const struct random_tables *tables, struct error *e)
{
	struct random_input random = { 0 };
	enum status s = replaced(&random, sc, o, e);

	if (s)
		return s;
	s = sc->source == SOURCE_RANDOM ? make_random(p, &random, tables, e) : copy_arrays(p, sc, e);
	if (s || (s = measure(p, sc->d_k, e)))
		return s;
	if ((s = name_tokens(&p->query_tokens, &sc->query_tokens, p->n_q, p->random, "query", e)) ||
	    (s = name_tokens(&p->key_tokens, &sc->key_tokens, p->n_k, p->random, "key", e)))
		return s;
	return apply_edits(p, edits, e);
}

enum status problem_build(struct problem *p, const struct scenario *s, const struct options *o,
			  const struct edits *edits, const struct random_tables *tables, struct error *e)
{
	struct problem fresh = { 0 };
	enum status status = build(&fresh, s, o, edits, tables, e);

	if (status)
		problem_free(&fresh);
	else
		*p = fresh;
	return status;
}

void problem_free(struct problem *p)
{
	for (int a = 0; a < ARRAY_COUNT; a++)
		array_free(&p->array[a]);
	tokens_free(&p->query_tokens);
	tokens_free(&p->key_tokens);
	edits_free(&p->edits);
	matrix_free(&p->mask);
	matrix_free(&p->bias);
	*p = (struct problem){ 0 };
}

const struct matrix *problem_array(const struct problem *p, enum array a, size_t head)
{
	const struct array_heads *of = &p->array[a];

	if (!of->n)
		return NULL;
	if (a == ARRAY_X || a == ARRAY_W_O)
		head = 0;
	return head < of->n ? &of->head[head] : NULL;
}

bool problem_has_qk(const struct problem *p)
{
	return p->array[ARRAY_Q].n && p->array[ARRAY_K].n;
}

bool problem_has_stage(const struct problem *p, enum stage s)
{
	if (s == STAGE_JOINED)
		return p->heads > 1;
	return p->source != SOURCE_WEIGHTS || s == STAGE_INPUT || s >= STAGE_WEIGHTS;
}

enum status problem_check_stage(const struct problem *p, enum stage s, struct error *e)
{
	if (problem_has_stage(p, s))
		return OK_STATUS;
	return error_option(e, E_VALUE, "stage", stage_info(s)->name,
			    s == STAGE_JOINED ? "there is only one head to join"
					      : "finished weights are given; nothing before them is known");
}
