/* matrix.h - a row-major matrix of doubles that owns its numbers. */
#ifndef CORE_MATRIX_H
#define CORE_MATRIX_H

#include <stddef.h>

#include "core/error.h"

struct matrix {
	size_t rows, columns;
	double *v;	/* rows * columns, row-major; NULL when there is none */
};

/* A zeroed matrix of that size. E_MEMORY when the product overflows or
 * memory is short; *m is then unchanged. Zero rows or columns are allowed. */
enum status matrix_init(struct matrix *m, size_t rows, size_t columns, struct error *e);
enum status matrix_copy(struct matrix *to, const struct matrix *from, struct error *e);
void matrix_free(struct matrix *m);

static inline const double *matrix_row(const struct matrix *m, size_t i)
{
	return m->v + i * m->columns;
}

#endif
