/* matrix.c - a row-major matrix of doubles that owns its numbers. */
#include "core/matrix.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum status matrix_init_part(struct matrix *m, size_t rows, size_t columns, size_t first, size_t held, struct error *e)
{
	if (columns && held > SIZE_MAX / sizeof(double) / columns - 1)
		return error_set(e, E_MEMORY, "a matrix of %zu x %zu is too large", held, columns);
	double *v = calloc(held * columns + 1, sizeof *v);
	if (!v)
		return error_set(e, E_MEMORY, "no memory for a matrix of %zu x %zu", held, columns);
	*m = (struct matrix){ rows, columns, v, first, held };
	return OK_STATUS;
}

enum status matrix_init(struct matrix *m, size_t rows, size_t columns, struct error *e)
{
	return matrix_init_part(m, rows, columns, 0, rows, e);
}

enum status matrix_copy(struct matrix *to, const struct matrix *from, struct error *e)
{
	struct matrix m = { 0 };
	if (from->v) {
		enum status s = matrix_init_part(&m, from->rows, from->columns, from->first, from->held, e);
		if (s)
			return s;
		memcpy(m.v, from->v, from->held * from->columns * sizeof *m.v);
	}
	*to = m;
	return OK_STATUS;
}

void matrix_free(struct matrix *m)
{
	free(m->v);
	*m = (struct matrix){ 0 };
}
