/* matrix.h - a row-major matrix of doubles: its own numbers, or numbers that lie elsewhere.
 *
 * Those of a large file stay in the file, in its number type. A double holds each of
 * them exactly, so that whoever asks for rows gets the same doubles either way.
 */
#ifndef CORE_MATRIX_H
#define CORE_MATRIX_H

#include <stddef.h>

#include "core/error.h"
#include "core/storage.h"
#include "core/tensor_view.h"

struct matrix {
	size_t rows, columns;
	double *v;	/* its own numbers, held * columns, row-major; NULL when there are none */
	size_t first, held;	/* the rows that are there: all, but for a part of a large file (matrix_init_part) */
	struct tensor_view view;	/* where v is NULL: all rows as they lie elsewhere; data NULL: there are none */
	struct storage *storage;	/* what keeps them there; NULL: they outlive the matrix */
};

/* A zeroed matrix of that size. E_MEMORY when the product overflows or
 * memory is short; *m is then unchanged. Zero rows or columns are allowed. */
enum status matrix_init(struct matrix *m, size_t rows, size_t columns, struct error *e);
/* The same with only `held` of its rows in memory, from row `first` on: the others must not be asked for. */
enum status matrix_init_part(struct matrix *m, size_t rows, size_t columns, size_t first, size_t held, struct error *e);
/* A matrix of what the view shows; keeps the storage (or NULL). Allocates nothing. */
void matrix_init_view(struct matrix *m, const struct tensor_view *view, struct storage *storage);
/* Of numbers that lie elsewhere the copy shows the same ones. */
enum status matrix_copy(struct matrix *to, const struct matrix *from, struct error *e);
void matrix_free(struct matrix *m);

/* Makes the numbers its own, so that they can be changed; nothing where they are. E_MEMORY,
 * or E_LIMIT beyond MATRIX_OWN_LIMIT numbers; *m is then as it was. */
#define MATRIX_OWN_LIMIT ((size_t)1 << 26)
enum status matrix_own(struct matrix *m, struct error *e);

/* Row i. `buffer` has room for a row and takes the numbers that lie elsewhere; NULL will do
 * for a matrix with numbers of its own. Valid as long as both. */
static inline const double *matrix_row(const struct matrix *m, size_t i, double *buffer)
{
	if (m->v)
		return m->v + (i - m->first) * m->columns;
	tensor_view_doubles(&m->view, i, buffer);
	return buffer;
}

static inline double matrix_at(const struct matrix *m, size_t i, size_t c)
{
	return m->v ? m->v[(i - m->first) * m->columns + c] : tensor_view_at(&m->view, i, c);
}

/* The first n numbers of column c. */
void matrix_column(const struct matrix *m, size_t c, size_t n, double *out);
/* Where the rows that are held are, and of what type. */
struct tensor_view matrix_as_view(const struct matrix *m);

#endif
