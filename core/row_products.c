/* row_products.c - the two products of a row, wherever their numbers lie. */
#include "core/row_products.h"

#include <string.h>

enum { FOUR = 4 };		/* keys whose sums grow side by side, each in its own order */

/* ---- dot products ---- */

/* sum_c a_c b_c, ascending, from +0. */
static double dot(const double *a, const double *b, size_t n, enum dtype t)
{
	double sum = 0;

	if (t == DTYPE_F64) {
		for (size_t c = 0; c < n; c++)
			sum += a[c] * b[c];
		return sum;
	}
	for (size_t c = 0; c < n; c++) {
		double product = dtype_round(dtype_round(a[c], t) * dtype_round(b[c], t), t);
		sum = dtype_round(sum + product, t);
	}
	return sum;
}

static void dots_of_four(const double *a, const double *const b[FOUR], size_t n, double out[FOUR])
{
	double s0 = 0, s1 = 0, s2 = 0, s3 = 0;

	for (size_t c = 0; c < n; c++) {
		s0 += a[c] * b[0][c];
		s1 += a[c] * b[1][c];
		s2 += a[c] * b[2][c];
		s3 += a[c] * b[3][c];
	}
	out[0] = s0;
	out[1] = s1;
	out[2] = s2;
	out[3] = s3;
}

static double float_at(const void *p, size_t c)
{
	float x;

	memcpy(&x, (const unsigned char *)p + c * sizeof x, sizeof x);
	return (double)x;
}

/* The same of floats at any address. */
static void dots_of_four_floats(const double *a, const void *const b[FOUR], size_t n, double out[FOUR])
{
	double s0 = 0, s1 = 0, s2 = 0, s3 = 0;

	for (size_t c = 0; c < n; c++) {
		s0 += a[c] * float_at(b[0], c);
		s1 += a[c] * float_at(b[1], c);
		s2 += a[c] * float_at(b[2], c);
		s3 += a[c] * float_at(b[3], c);
	}
	out[0] = s0;
	out[1] = s1;
	out[2] = s2;
	out[3] = s3;
}

/* ---- scores ---- */

/* Keys whose numbers are doubles; returns how many were taken, all but three at most. */
static size_t doubles_by_four(const struct matrix *k, const double *query, double *scores)
{
	size_t j = 0;

	for (; j + FOUR <= k->rows; j += FOUR) {
		const double *key[FOUR];
		for (size_t n = 0; n < FOUR; n++)
			key[n] = matrix_row(k, j + n, NULL);
		dots_of_four(query, key, k->columns, scores + j);
	}
	return j;
}

/* Keys of a file in a narrower type, which float32 holds: read as they are, or widened to it. */
static size_t floats_by_four(const struct matrix *k, const double *query, void *scratch, double *scores)
{
	const struct lanes *lanes = lanes_choose();
	size_t j = 0;

	for (; j + FOUR <= k->rows; j += FOUR) {
		const void *key[FOUR];
		for (size_t n = 0; n < FOUR; n++) {
			float *wide = (float *)scratch + n * k->columns;
			key[n] = tensor_view_row_at(&k->view, j + n);
			if (k->view.type != DTYPE_F32) {
				lanes->widen(key[n], k->view.type, k->columns, wide);
				key[n] = wide;
			}
		}
		dots_of_four_floats(query, key, k->columns, scores + j);
	}
	return j;
}

void row_products(struct row *r, const struct attention *a)
{
	const struct matrix *k = problem_array(a->problem, ARRAY_K, a->head);
	const double *query = matrix_row(problem_array(a->problem, ARRAY_Q, a->head), r->index, r->query);
	size_t j = 0, n_k = a->problem->n_k, d_k = a->problem->d_k;

	if (!a->options.transpose) {
		for (; j < n_k; j++) {
			matrix_column(k, j, d_k, r->keys);
			r->scores[j] = dot(query, r->keys, d_k, a->dtype);
		}
		return;
	}
	if (a->dtype == DTYPE_F64 && k->v)
		j = doubles_by_four(k, query, r->scores);
	else if (a->dtype == DTYPE_F64 && k->view.type != DTYPE_F64 && k->view.column_step == (ptrdiff_t)dtype_size(k->view.type))
		j = floats_by_four(k, query, r->keys, r->scores);
	for (; j < n_k; j++)
		r->scores[j] = dot(query, matrix_row(k, j, r->keys), d_k, a->dtype);
}

/* ---- outputs ---- */

void row_mix(const double *weights, const struct matrix *m, double *buffer, enum dtype t, double *out)
{
	bool floats = !m->v && m->view.type == DTYPE_F32 && m->view.column_step == (ptrdiff_t)sizeof(float) && t == DTYPE_F64;

	memset(out, 0, m->columns * sizeof *out);
	for (size_t j = 0; j < m->rows && floats; j++) {
		const unsigned char *value = tensor_view_row_at(&m->view, j);
		for (size_t c = 0; c < m->columns; c++)
			out[c] += weights[j] * float_at(value, c);
	}
	for (size_t j = 0; j < m->rows && !floats; j++) {
		const double *value = matrix_row(m, j, buffer);
		double weight = dtype_round(weights[j], t);
		if (t == DTYPE_F64)
			for (size_t c = 0; c < m->columns; c++)
				out[c] += weight * value[c];
		else
			for (size_t c = 0; c < m->columns; c++)
				out[c] = dtype_round(out[c] + dtype_round(weight * dtype_round(value[c], t), t), t);
	}
}
