/* tensors_build.h - arrays whose elements live in memory of their own. Private to core/io.
 *
 * For readers of text: `owned` and array.data are set from the start, so that
 * tensors_open has nothing to do.
 */
#ifndef CORE_IO_TENSORS_BUILD_H
#define CORE_IO_TENSORS_BUILD_H

#include <stddef.h>

#include "core/error.h"
#include "core/io/tensors.h"

/* Zeroed memory for rank sizes of NPY_F64 (double) or NPY_BOOL (unsigned char), in this
 * machine's byte order. E_LIMIT beyond TENSORS_LIMIT, E_MEMORY. */
enum status tensor_set_shape(struct tensor *a, enum npy_kind kind, int rank, const size_t *shape, struct error *e);

/* A text array of a->text, whose tokens are there already. */
void tensor_set_text(struct tensor *a, int rank, const size_t *shape, enum tensor_axis axis);

#endif
