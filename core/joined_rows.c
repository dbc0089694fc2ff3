/* joined_rows.c - rows of all heads side by side, cached by index modulo capacity. */
#include "core/joined_rows.h"

#include <stdint.h>
#include <stdlib.h>

enum status joined_rows_init(struct joined_rows *out, const struct attention *a, size_t capacity,
			     const struct random_tables *tables, struct error *e)
{
	struct joined_rows j = { 0 };
	enum status s = joined_init(&j.heads, a, tables, e);

	if (!s)
		s = matrix_init(&j.numbers, capacity, attention_joined_columns(a), e);
	if (!s && !(j.index = malloc((capacity + 1) * sizeof *j.index)))
		s = error_set(e, E_MEMORY, "no memory for %zu rows", capacity);
	if (s) {
		joined_rows_free(&j);
		return s;
	}
	for (size_t k = 0; k < capacity; k++)
		j.index[k] = SIZE_MAX;
	*out = j;
	return OK_STATUS;
}

void joined_rows_free(struct joined_rows *j)
{
	joined_free(&j->heads);
	matrix_free(&j->numbers);
	free(j->index);
	*j = (struct joined_rows){ 0 };
}

bool joined_rows_knows(const struct joined_rows *j, size_t i)
{
	return j->numbers.rows && j->index[i % j->numbers.rows] == i;
}

const double *joined_rows_row(struct joined_rows *j, size_t i)
{
	size_t k = i % j->numbers.rows;
	double *row = j->numbers.v + k * j->numbers.columns;

	if (!joined_rows_knows(j, i)) {
		joined_row(&j->heads, i, row);
		j->index[k] = i;
	}
	return row;
}
