/* tensors_build.c - arrays whose elements live in memory of their own. */
#include "core/io/tensors_build.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool is_big_endian(void)
{
	const uint16_t one = 1;
	unsigned char first;

	memcpy(&first, &one, 1);
	return !first;
}

static struct npy describe(enum npy_kind kind, size_t item_size, int rank, const size_t *shape)
{
	struct npy a = { .kind = kind, .rank = rank, .count = 1, .item_size = item_size };

	for (int d = 0; d < rank; d++)
		a.count *= a.shape[d] = shape[d];
	return a;
}

static bool fits(size_t item_size, int rank, const size_t *shape)
{
	size_t room = TENSORS_LIMIT / item_size;

	for (int d = 0; d < rank; d++) {
		if (!shape[d])
			return true;
		room /= shape[d];
	}
	return room > 0;
}

enum status tensor_set_shape(struct tensor *a, enum npy_kind kind, int rank, const size_t *shape, struct error *e)
{
	size_t item_size = kind == NPY_BOOL ? 1 : sizeof(double);

	if (!fits(item_size, rank, shape))
		return error_set(e, E_LIMIT, "an array that takes more than %zu MiB", TENSORS_LIMIT >> 20);
	a->array = describe(kind, item_size, rank, shape);
	a->array.big_endian = is_big_endian();
	a->owned = calloc(a->array.count + 1, item_size);
	a->array.data = a->owned;
	return a->owned ? OK_STATUS : error_set(e, E_MEMORY, "no memory for %zu numbers", a->array.count);
}

void tensor_set_text(struct tensor *a, int rank, const size_t *shape, enum tensor_axis axis)
{
	a->array = describe(NPY_TEXT_BYTES, 1, rank, shape);
	a->axis = axis;
}
