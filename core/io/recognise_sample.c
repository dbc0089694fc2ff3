/* recognise_sample.c - a few rows of a few heads: where they end, what they sum to. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/dtype.h"
#include "core/io/recognise_parts.h"
#include "core/message.h"

/* ---- which rows ---- */

#define WORK_LIMIT 1e8		/* multiplications and exponentials of one judgement, about */
enum { HEADS_MAX = 8, ROWS_MAX = 64, MASK_LIMIT = 1 << 26 };

static size_t at_most(double wanted, size_t most)
{
	return wanted < 1 ? 1 : wanted < (double)most ? (size_t)wanted : most;
}

struct sample sample_of(const struct part *p, double cost)
{
	struct sample s;
	double rows = WORK_LIMIT / (cost + 1);

	s.heads = at_most(rows / 2, p->heads < HEADS_MAX ? p->heads : HEADS_MAX);
	s.rows = at_most(rows / (double)s.heads, p->n_q < ROWS_MAX ? p->n_q : ROWS_MAX);
	return s;
}

/* Rows that are only read: so few numbers that a file opens as fast as a small one. */
static struct sample sample_to_read(const struct part *p)
{
	enum { AS_MANY = 1 << 11 };

	return sample_of(p, (double)p->n_k * AS_MANY);
}

size_t sample_place(size_t k, size_t n, size_t all)
{
	return n < 2 ? all - 1 : k * (all - 1) / (n - 1);
}

/* Without a layer axis the layer is 0 there. */
static size_t layer_of(const struct part *p, const struct view *v)
{
	return v->size[DIM_LAYER] > 1 ? (size_t)p->layer : 0;
}

/* ---- opened arrays ---- */

enum status part_open(const struct recognition *r, struct tensors *t, const struct part *p, enum role role,
			     struct source_view *out, struct error *e)
{
	size_t i = p->array[role];
	enum status s;

	*out = (struct source_view){ NULL, { { 0 }, { 0 } } };
	if (i >= r->n)
		return OK_STATUS;
	if ((s = tensors_open(t, i, e)))
		return s;
	out->a = &t->v[i].array;
	out->v = meaning_view(&r->v[i], out->a);
	return OK_STATUS;
}

void part_row(const struct source_view *s, const struct part *p, size_t batch, size_t head, size_t row, size_t n, double *out)
{
	size_t own = head * s->v.size[DIM_HEAD] / p->heads;	/* of grouped queries */

	view_row(&s->v, s->a, layer_of(p, &s->v), s->v.size[DIM_BATCH] == 1 ? 0 : batch, s->v.size[DIM_HEAD] == 1 ? 0 : own,
		 s->v.size[DIM_ROW] == 1 ? 0 : row, n, out);
}

/* ---- patterns ---- */

enum status find_pattern(const struct recognition *r, struct tensors *t, const struct part *p, size_t batch,
				enum role role, struct setting *out, struct error *e)
{
	struct source_view v;
	struct sample n = sample_to_read(p);
	double *row = malloc((p->n_k + 1) * sizeof *row);
	bool within[2] = { true, p->n_q < p->n_k }, touches[2] = { false, false }, above[2] = { false, false };
	enum status s = row ? part_open(r, t, p, role, &v, e) : error_set(e, E_MEMORY, "no memory for a row");

	for (size_t h = 0; !s && h < n.heads; h++)
		for (size_t k = 0; k < n.rows; k++) {
			size_t i = sample_place(k, n.rows, p->n_q), last = p->n_k;
			part_row(&v, p, batch, sample_place(h, n.heads, p->heads), i, p->n_k, row);
			while (last && (role == ROLE_WEIGHTS ? !(row[last - 1] > 0) : row[last - 1] <= HIDES_AT_MOST))
				last--;
			for (int a = 0; a < 2; a++) {
				size_t end = i + 1 + (a ? p->n_k - p->n_q : 0);
				within[a] = within[a] && last <= end;
				touches[a] = touches[a] || last == end;
				above[a] = above[a] || end < p->n_k;
			}
		}
	free(row);
	if (!s && r->causal_said && role == ROLE_WEIGHTS)
		out->future = !within[0] && !within[1];
	for (int a = 0; a < 2 && !s && !out->causal; a++)
		if (within[a] && touches[a] && above[a]) {
			out->causal = true;
			out->bottom_right = a;
			out->causal_by = EVIDENCE_PATTERN;
		}
	return s;
}

/* ---- sums ---- */

/* The coarsest type that holds them all: what numbers were before they were written wider. */
static enum dtype narrowest(const double *v, size_t n, enum dtype so_far)
{
	while (so_far > DTYPE_F64)
		for (size_t j = 0;; j++) {
			if (j == n)
				return so_far;
			if (!isnan(v[j]) && dtype_round(v[j], so_far) != v[j]) {
				so_far--;
				break;
			}
		}
	return so_far;
}

/* The last place of the numbers of a text, which may have been float32 before: the
 * finest that the larger ones of a row have, since zeros at the end are not always
 * written. 0: unknown. */
static double last_place(const double *v, size_t n, double so_far)
{
	double largest = 0;

	for (size_t j = 0; j < n; j++)
		largest = v[j] > largest ? v[j] : largest;
	for (size_t j = 0; j < n; j++) {
		double unit = 0.1;
		if (!(v[j] >= largest / 2) || largest == 0)
			continue;
		while (unit > 2e-7 && fabs(v[j] - round(v[j] / unit) * unit) > 1e-7)
			unit /= 10;
		if (so_far == 0 || unit < so_far)
			so_far = unit;
	}
	return so_far;
}

static void add_row(struct sums *s, const double *v, size_t n)
{
	double sum = 0;

	for (size_t j = 0; j < n; j++) {
		sum += v[j];
		s->negative = s->negative || v[j] < 0;
	}
	if (isnan(sum)) {
		s->nan_rows++;
		return;
	}
	s->smallest = fmin(s->smallest, sum);
	s->largest = fmax(s->largest, sum);
}

enum status recognise_sums(const struct recognition *r, struct tensors *t, const struct part *p, enum role role,
			   struct sums *out, struct error *e)
{
	struct source_view v;
	struct sums sums = { .smallest = INFINITY, .largest = -INFINITY };
	struct sample n = sample_to_read(p);
	bool text = t->format == FORMAT_CSV || t->format == FORMAT_JSON;
	enum dtype type = DTYPE_F32;
	double unit = 0, *row = malloc((p->n_k + 1) * sizeof *row);
	enum status s = row ? part_open(r, t, p, role, &v, e) : error_set(e, E_MEMORY, "no memory for a row");

	for (size_t h = 0; !s && h < n.heads; h++)
		for (size_t k = 0; k < n.rows; k++) {
			part_row(&v, p, 0, sample_place(h, n.heads, p->heads), sample_place(k, n.rows, p->n_q), p->n_k, row);
			add_row(&sums, row, p->n_k);
			type = narrowest(row, p->n_k, type);
			unit = text ? last_place(row, p->n_k, unit) : 0;
		}
	free(row);
	if (s)
		return s;
	if (v.a->kind == NPY_F16)
		type = DTYPE_F16;
	else if (v.a->kind == NPY_BF16)
		type = DTYPE_BF16;
	sums.tolerance = fmin(0.02, fmax(dtype_sum_tolerance(type, p->n_k), (double)p->n_k * unit / 2));
	*out = sums;
	return OK_STATUS;
}

/* ---- masks ---- */

static bool is_flags(const struct npy *a)
{
	bool one = false;

	for (size_t i = 0; i < a->count; i++) {
		double v = npy_number(a, i);
		if (v != 0 && v != 1)
			return false;
		one = one || v == 1;
	}
	return one;
}

enum status agree_masks(struct recognition *r, struct tensors *t, struct error *e)
{
	for (size_t i = 0; i < r->n; i++) {
		struct meaning *m = &r->v[i];
		const struct npy *a = &t->v[i].array;
		if (m->role != ROLE_MASK || m->unused || m->mask != MASK_ADDS || a->count > MASK_LIMIT)
			continue;
		enum status s = tensors_open(t, i, e);
		if (s)
			return s;
		if (!is_flags(a))
			continue;
		m->mask = MASK_KEEPS;
		snprintf(m->note, sizeof m->note, _("floats of only 0 and 1: taken for flags"));
	}
	return OK_STATUS;
}
