/* matrix.h - a row-major matrix of doubles that owns its numbers. */
#ifndef CORE_MATRIX_H
#define CORE_MATRIX_H

#include <stddef.h>

#include "core/error.h"

struct matrix {
	size_t rows, columns;
	double *v;	/* held * columns, row-major; NULL when there is none */
	size_t first, held;	/* the rows that are there: all, but for a part of a large file (matrix_init_part) */
};

/* A zeroed matrix of that size. E_MEMORY when the product overflows or
 * memory is short; *m is then unchanged. Zero rows or columns are allowed. */
enum status matrix_init(struct matrix *m, size_t rows, size_t columns, struct error *e);
/* The same with only `held` of its rows in memory, from row `first` on: the others must not be asked for. */
enum status matrix_init_part(struct matrix *m, size_t rows, size_t columns, size_t first, size_t held, struct error *e);
enum status matrix_copy(struct matrix *to, const struct matrix *from, struct error *e);
void matrix_free(struct matrix *m);

static inline const double *matrix_row(const struct matrix *m, size_t i)
{
	return m->v + (i - m->first) * m->columns;
}

#endif
