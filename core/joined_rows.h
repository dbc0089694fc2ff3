/* joined_rows.h - rows of all heads side by side, times W_O where given, kept: each costs every head. */
#ifndef CORE_JOINED_ROWS_H
#define CORE_JOINED_ROWS_H

#include "core/matrix.h"
#include "core/row.h"

struct joined_rows {
	struct joined heads;
	struct matrix numbers;		/* (capacity, attention_joined_columns()): the last rows that were asked for */
	size_t *index;			/* which they are; SIZE_MAX: none yet */
};

/* Of all heads of the attention's problem, with its options. Refers to the problem. On error *j is as it was. */
enum status joined_rows_init(struct joined_rows *j, const struct attention *a, size_t capacity,
			     const struct random_tables *tables, struct error *e);
void joined_rows_free(struct joined_rows *j);	/* a zeroed struct is accepted */

/* Row i; valid until `capacity` other rows have been asked for. */
const double *joined_rows_row(struct joined_rows *j, size_t i);
/* Whether it would be given without computing anything; of a zeroed struct, no. */
bool joined_rows_knows(const struct joined_rows *j, size_t i);

#endif
