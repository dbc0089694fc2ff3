/* tensor_mask.c - masks and biases that an option names: an array of a file for a problem's queries and keys. */
#include <stdint.h>
#include <string.h>

#include "core/io/recognise_parts.h"
#include "core/io/tensor_scenario.h"
#include "core/nearest.h"

static enum status no_member(const struct tensors *t, const char *member, struct error *e)
{
	size_t best = t->n, distance = SIZE_MAX;

	if (!t->n)
		return error_set(e, E_VALUE, "no arrays are in the file");
	if (t->n == 1 && !*t->v[0].name)
		return error_set(e, E_VALUE, "the file has one array, without a name; FILE alone is expected");
	if (!*member)
		return error_set(e, E_VALUE, "the file has %zu arrays; FILE:NAME is expected, such as :%.60s", t->n, t->v[0].name);
	for (size_t i = 0; i < t->n; i++) {
		size_t d = nearest_distance(member, t->v[i].name, true);
		if (d < distance) {
			distance = d;
			best = i;
		}
	}
	return error_set(e, E_VALUE, "no array of that name is in the file; the nearest is %.60s", t->v[best].name);
}

static bool same_in_heads(const struct view *v, const struct npy *a, size_t layer, size_t batch, double *row, size_t n)
{
	for (size_t h = 1; h < v->size[DIM_HEAD]; h++)
		for (size_t i = 0; i < v->size[DIM_ROW]; i++) {
			view_row(v, a, layer, batch, 0, i, n, row);
			view_row(v, a, layer, batch, h, i, n, row + n);
			if (memcmp(row, row + n, n * sizeof *row))
				return false;
		}
	return true;
}

/* Of one that differs by head, the head's. */
static enum status choose_head(bool *by_head, const struct npy *a, const struct view *v, size_t layer, size_t batch,
			       const struct mask_place *at, struct error *e)
{
	struct matrix two = { 0 };
	enum status s;

	*by_head = false;
	if (v->size[DIM_HEAD] < 2)
		return OK_STATUS;
	if ((s = matrix_init(&two, 2, v->size[DIM_COLUMN], e)))
		return s;
	*by_head = !same_in_heads(v, a, layer, batch, two.v, v->size[DIM_COLUMN]);
	matrix_free(&two);
	if (*by_head && v->size[DIM_HEAD] != at->heads)
		return error_set(e, E_SHAPE, "differs by head, and has %zu of them for %zu", v->size[DIM_HEAD], at->heads);
	return OK_STATUS;
}

static enum status copy_mask(struct matrix *m, bool *by_head, const struct npy *a, const struct view *v,
			     const struct mask_place *at, struct error *e)
{
	size_t layer = v->size[DIM_LAYER] > 1 ? (size_t)at->part->layer : 0, batch = v->size[DIM_BATCH] > 1 ? (size_t)at->part->batch : 0;
	struct matrix made = { 0 };
	enum status s = choose_head(by_head, a, v, layer, batch, at, e);

	if (s || (s = matrix_init(&made, v->size[DIM_ROW], v->size[DIM_COLUMN], e)))
		return s;
	/* A head that there is not is told of when it is to be shown. */
	size_t head = *by_head && at->head < at->heads ? at->head : 0;
	for (size_t i = 0; i < made.rows; i++)
		view_row(v, a, layer, batch, head, i, made.columns, made.v + i * made.columns);
	*m = made;
	return OK_STATUS;
}

enum status tensor_mask(struct matrix *m, enum npy_kind *kind, bool *by_head, struct tensors *t, const char *member,
			const struct mask_place *at, struct error *e)
{
	size_t i = *member ? tensors_find(t, member) : t->n == 1 ? 0 : t->n;
	struct meaning meaning;
	enum status s;

	if (i == t->n)
		return no_member(t, member, e);
	const struct npy *a = &t->v[i].array;
	if (t->v[i].text.n || npy_is_text(a))
		return error_set(e, E_VALUE, "expected numbers, found an array of text");
	if ((s = tensors_open(t, i, e)))
		return s;
	name_meaning(&meaning, t->v[i].name, false);
	const struct part p = { .n_q = at->n_q, .n_k = at->n_k, .batches = at->part->batches ? at->part->batches : 1,
				.heads = a->rank > 2 ? a->shape[a->rank - 3] : 1 };
	*kind = a->kind;
	*by_head = false;
	if (a->rank < 2 || (a->rank == 2 && p.batches == 1) || !shape_mask(&meaning, a, &p))
		return npy_matrix(a, m, e);
	struct view v = meaning_view(&meaning, a);
	return copy_mask(m, by_head, a, &v, at, e);
}
