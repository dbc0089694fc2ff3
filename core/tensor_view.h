/* tensor_view.h - a matrix of numbers that lies somewhere else, as in a mapped file.
 *
 * Any number type, any steps in bytes (negative too), any alignment; in the byte
 * order of this machine. It owns nothing: what it shows outlives it.
 */
#ifndef CORE_TENSOR_VIEW_H
#define CORE_TENSOR_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "core/dtype.h"
#include "core/lanes.h"

struct tensor_view {
	const void *data;		/* element 0, 0 */
	enum dtype type;
	size_t rows, columns;		/* positions, and dimensions of one */
	ptrdiff_t row_step, column_step;	/* bytes */
};

size_t dtype_size(enum dtype t);	/* bytes: 8, 4, 2, 2 */

/* Rows and columns one after another: what a contiguous array of that type is. */
struct tensor_view tensor_view_of(const void *data, enum dtype type, size_t rows, size_t columns);
/* One number; what its type holds, exactly. */
double tensor_view_at(const struct tensor_view *t, size_t i, size_t c);
/* Row i, columns numbers, likewise exactly. */
void tensor_view_doubles(const struct tensor_view *t, size_t i, double *out);
/* Row i as float32, columns numbers. */
void tensor_view_row(const struct tensor_view *t, const struct lanes *l, size_t i, float *out);
/* Whether the rows ascend, each with its numbers side by side; and whether they are
 * float32 besides, so that all of the kernel reads them in place. */
bool tensor_view_beside(const struct tensor_view *t);
bool tensor_view_plain(const struct tensor_view *t);

static inline const unsigned char *tensor_view_row_at(const struct tensor_view *t, size_t i)
{
	return (const unsigned char *)t->data + (ptrdiff_t)i * t->row_step;
}

#endif
