/* matrix.c - a row-major matrix of doubles: its own numbers, or numbers that lie elsewhere. */
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
	*m = (struct matrix){ .rows = rows, .columns = columns, .v = v, .first = first, .held = held };
	return OK_STATUS;
}

enum status matrix_init(struct matrix *m, size_t rows, size_t columns, struct error *e)
{
	return matrix_init_part(m, rows, columns, 0, rows, e);
}

void matrix_init_view(struct matrix *m, const struct tensor_view *view, struct storage *storage)
{
	*m = (struct matrix){ .rows = view->rows, .columns = view->columns, .held = view->rows, .view = *view,
			      .storage = storage_keep(storage) };
}

enum status matrix_copy(struct matrix *to, const struct matrix *from, struct error *e)
{
	struct matrix m = { 0 };

	if (from->v) {
		enum status s = matrix_init_part(&m, from->rows, from->columns, from->first, from->held, e);
		if (s)
			return s;
		memcpy(m.v, from->v, from->held * from->columns * sizeof *m.v);
	} else if (from->view.data) {
		matrix_init_view(&m, &from->view, from->storage);
	}
	*to = m;
	return OK_STATUS;
}

void matrix_free(struct matrix *m)
{
	free(m->v);
	storage_drop(m->storage);
	*m = (struct matrix){ 0 };
}

enum status matrix_own(struct matrix *m, struct error *e)
{
	struct matrix own;
	enum status s;

	if (m->v || !m->view.data)
		return OK_STATUS;
	if (m->columns && m->rows > MATRIX_OWN_LIMIT / m->columns)
		return error_set(e, E_LIMIT, "an array of (%zu, %zu) stays in its file: one of more than %zu numbers is not changed",
				 m->rows, m->columns, MATRIX_OWN_LIMIT);
	if ((s = matrix_init(&own, m->rows, m->columns, e)))
		return s;
	for (size_t i = 0; i < m->rows; i++)
		tensor_view_doubles(&m->view, i, own.v + i * own.columns);
	matrix_free(m);
	*m = own;
	return OK_STATUS;
}

void matrix_column(const struct matrix *m, size_t c, size_t n, double *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = matrix_at(m, i, c);
}

struct tensor_view matrix_as_view(const struct matrix *m)
{
	return m->v ? tensor_view_of(m->v, DTYPE_F64, m->held, m->columns) : m->view;
}
