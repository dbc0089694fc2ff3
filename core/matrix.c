/* matrix.c - a row-major matrix of doubles that owns its numbers. */
#include "core/matrix.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum status matrix_init(struct matrix *m, size_t rows, size_t columns, struct error *e)
{
	if (columns && rows > SIZE_MAX / sizeof(double) / columns)
		return error_set(e, E_MEMORY, "a matrix of %zu x %zu is too large", rows, columns);
	double *v = calloc(rows * columns + 1, sizeof *v);
	if (!v)
		return error_set(e, E_MEMORY, "no memory for a matrix of %zu x %zu", rows, columns);
	*m = (struct matrix){ rows, columns, v };
	return OK_STATUS;
}

enum status matrix_copy(struct matrix *to, const struct matrix *from, struct error *e)
{
	struct matrix m = { 0 };
	if (from->v) {
		enum status s = matrix_init(&m, from->rows, from->columns, e);
		if (s)
			return s;
		memcpy(m.v, from->v, from->rows * from->columns * sizeof *m.v);
	}
	*to = m;
	return OK_STATUS;
}

void matrix_free(struct matrix *m)
{
	free(m->v);
	*m = (struct matrix){ 0 };
}
