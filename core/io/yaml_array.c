/* yaml_array.c - matrices in YAML. */
#include "core/io/yaml_array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/yaml_value.h"

struct numbers {
	double *v;
	size_t n, room;
};

struct array_reader {
	struct document *d;
	const char *name;
	struct array_heads *to;
	struct numbers numbers;		/* of the matrix that is being read */
};

static enum status add_number(struct array_reader *r)
{
	struct numbers *l = &r->numbers;
	double value;
	enum status s = value_number(r->d, r->name, &value);

	if (s)
		return s;
	if (l->n == l->room) {
		size_t room = l->room ? l->room * 2 : 64;
		double *v = realloc(l->v, room * sizeof *v);
		if (!v)
			return node_fail(r->d, E_MEMORY, "%s: no memory for %zu numbers", r->name, room);
		l->v = v;
		l->room = room;
	}
	l->v[l->n++] = value;
	return OK_STATUS;
}

/* "head 1: " where there are several. */
static const char *head_text(char out[32], bool heads, size_t h)
{
	out[0] = '\0';
	if (heads)
		snprintf(out, 32, "head %zu: ", h);
	return out;
}

static const char *found_number(const struct document *d)
{
	return d->node == NODE_VALUE ? "a number" : node_kind(d);
}

static enum status fail_row(struct array_reader *r, bool heads, size_t i)
{
	char head[32];

	return node_fail(r->d, E_SYNTAX, "%s: %s%s where row %zu is expected; a matrix is a list of rows, "
			 "such as [[1, 2], [3, 4]]", r->name, head_text(head, heads, r->to->n), found_number(r->d), i);
}

/* The numbers of a row; its first one, or its end, is current. */
static enum status read_row(struct array_reader *r, size_t *columns)
{
	size_t before = r->numbers.n;
	enum status s = OK_STATUS;

	while (!s && r->d->node != NODE_END)
		if (!(s = add_number(r)))
			s = node_next(r->d);
	*columns = r->numbers.n - before;
	return s;
}

static enum status check_row(struct array_reader *r, bool heads, struct mark at,
			     size_t i, size_t found, size_t columns)
{
	char head[32];

	head_text(head, heads, r->to->n);
	if (!found)
		return document_fail(r->d, at, E_SHAPE, "%s: %srow %zu is empty; one number at least is expected",
				     r->name, head, i);
	if (found != columns)
		return document_fail(r->d, at, E_SHAPE, "%s: %srow %zu has %zu number%s, row 0 has %zu", r->name,
				     head, i, found, found == 1 ? "" : "s", columns);
	return OK_STATUS;
}

/* Makes the array's next head of the numbers collected. */
static enum status take_matrix(struct array_reader *r, size_t rows, size_t columns)
{
	struct matrix m = { 0 };
	enum status s = matrix_init(&m, rows, columns, &r->d->error);

	if (!s) {
		memcpy(m.v, r->numbers.v, rows * columns * sizeof *m.v);
		s = array_add(r->to, &m, &r->d->error);
	}
	matrix_free(&m);
	r->numbers.n = 0;
	return s;
}

/* A list of rows up to its end. The first row starts at `at` and what is in it
 * is current. */
static enum status read_rows(struct array_reader *r, bool heads, struct mark at)
{
	size_t rows = 0, columns = 0, found;
	enum status s;

	for (;; at = r->d->here) {
		if (rows && (s = node_next(r->d)))
			return s;
		if ((s = read_row(r, &found)))
			return s;
		if (!rows)
			columns = found;
		if ((s = check_row(r, heads, at, rows++, found, columns)) || (s = node_next(r->d)))
			return s;
		if (r->d->node == NODE_END)
			return take_matrix(r, rows, columns);
		if (r->d->node != NODE_LIST)
			return fail_row(r, heads, rows);
	}
}

static enum status check_head(struct array_reader *r, struct mark at)
{
	const struct matrix *m = &r->to->head[r->to->n - 1], *first = &r->to->head[0];

	if (m->rows == first->rows && m->columns == first->columns)
		return OK_STATUS;
	return document_fail(r->d, at, E_SHAPE,
			     "%s: head %zu is (%zu, %zu), head 0 is (%zu, %zu); all heads have one shape", r->name,
			     r->to->n - 1, m->rows, m->columns, first->rows, first->columns);
}

/* A list of matrices up to its end. The first matrix starts at `at` and its
 * first row is current. */
static enum status read_heads(struct array_reader *r, struct mark at)
{
	enum status s;

	for (;; at = r->d->here) {
		if (r->to->n && (s = node_next(r->d)))
			return s;
		if (r->d->node != NODE_LIST)
			return r->d->node == NODE_END
				? document_fail(r->d, at, E_SHAPE, "%s: head %zu is empty; one row at least is expected",
						r->name, r->to->n)
				: fail_row(r, true, 0);
		struct mark row = r->d->here;
		if ((s = node_next(r->d)) || (s = read_rows(r, true, row)) || (s = check_head(r, at)) ||
		    (s = node_next(r->d)))
			return s;
		if (r->d->node == NODE_END)
			return OK_STATUS;
		if (r->d->node != NODE_LIST)
			return node_fail(r->d, E_SYNTAX, "%s: %s where the matrix of head %zu is expected", r->name,
					 found_number(r->d), r->to->n);
	}
}

/* Behind the start of the list. */
static enum status read_items(struct array_reader *r, struct mark start, bool one_matrix)
{
	struct document *d = r->d;
	struct mark first = d->here;
	enum status s;

	if (d->node == NODE_END)
		return document_fail(d, start, E_SHAPE, "%s: an empty list; one row at least is expected", r->name);
	if (d->node != NODE_LIST)
		return fail_row(r, false, 0);
	if ((s = node_next(d)))
		return s;
	if (d->node != NODE_LIST)
		return read_rows(r, false, first);
	if (one_matrix)
		return node_fail(d, E_SYNTAX, "%s: a list where a number is expected; there is one %s for all heads",
				 r->name, r->name);
	return read_heads(r, first);
}

enum status array_read(struct document *d, enum array which, struct array_heads *to)
{
	struct array_reader r = { .d = d, .name = array_name(which), .to = to };
	struct mark start = d->here;
	enum status s = node_expect(d, NODE_LIST, r.name, "a list of rows", "[[1, 2], [3, 4]]");

	if (!s && !(s = node_next(d)))
		s = read_items(&r, start, which == ARRAY_X || which == ARRAY_W_O);
	free(r.numbers.v);
	return s;
}
