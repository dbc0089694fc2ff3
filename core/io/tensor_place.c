/* tensor_place.c - where the numbers of a head lie in a file, as a matrix that stays there. */
#include "core/io/tensor_place.h"

/* Doubles that are copied rather than looked up in the file: 1 MiB of them. */
enum { COPIED = (1 << 20) / sizeof(double) };

/* The number types of dtype.h come first, in its order, and are the only ones of which rows can
 * be taken as they lie. */
_Static_assert((int)NPY_F64 == (int)DTYPE_F64 && (int)NPY_F32 == (int)DTYPE_F32 && (int)NPY_F16 == (int)DTYPE_F16 &&
	       (int)NPY_BF16 == (int)DTYPE_BF16, "npy.h and dtype.h have the floating types in the same order");

bool tensor_stays(const struct npy *a, const struct view *v)
{
	size_t numbers = v->size[DIM_HEAD] * v->size[DIM_ROW] * v->size[DIM_COLUMN];
	bool native = a->big_endian == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	return a->kind <= NPY_BF16 && native && numbers > COPIED;
}

/* Bytes from one element to the next along each axis. */
static void steps_of(const struct npy *a, ptrdiff_t step[NPY_RANK_MAX])
{
	ptrdiff_t product = (ptrdiff_t)a->item_size;

	for (int k = 0; k < a->rank; k++) {
		int axis = a->fortran ? k : a->rank - 1 - k;
		step[axis] = product;
		product *= (ptrdiff_t)a->shape[axis];
	}
}

struct tensor_view tensor_place(const struct npy *a, const struct meaning *m, size_t layer, size_t batch, size_t head)
{
	struct view v = meaning_view(m, a);
	ptrdiff_t step[NPY_RANK_MAX], of[DIM_COUNT];

	steps_of(a, step);
	for (int d = 0; d < DIM_COUNT; d++)
		of[d] = m->axis[d] < 0 || v.size[d] == 1 ? 0 : step[m->axis[d]];
	if (m->fused)
		of[DIM_HEAD] = (ptrdiff_t)v.size[DIM_COLUMN] * step[m->axis[DIM_COLUMN]];
	/* A single column or row has no step to take, but its numbers lie side by side all the same. */
	if (v.size[DIM_COLUMN] == 1)
		of[DIM_COLUMN] = (ptrdiff_t)a->item_size;
	return (struct tensor_view){
		.data = a->data + (ptrdiff_t)layer * of[DIM_LAYER] + (ptrdiff_t)batch * of[DIM_BATCH] + (ptrdiff_t)head * of[DIM_HEAD],
		.type = (enum dtype)a->kind, .rows = v.size[DIM_ROW], .columns = v.size[DIM_COLUMN],
		.row_step = of[DIM_ROW], .column_step = of[DIM_COLUMN],
	};
}

static bool lies_in(const struct scenario *s, const struct npy *a)
{
	for (int k = 0; k < ARRAY_COUNT; k++)
		for (size_t h = 0; h < s->array[k].n; h++) {
			const unsigned char *at = s->array[k].head[h].view.data;
			if (at && at >= a->data && at < a->data + a->count * a->item_size)
				return true;
		}
	return false;
}

void tensors_close_others(struct tensors *t, const struct scenario *s)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].owned && !lies_in(s, &t->v[i].array))
			tensors_close(t, i);
}
