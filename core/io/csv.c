/* csv.c - one matrix from CSV or TSV, with the tokens of its rows and columns. */
#include "core/io/csv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/io/csv_scan.h"
#include "core/io/tensors_build.h"
#include "core/io/text_place.h"
#include "core/io/yaml_text.h"
#include "core/message.h"
#include "core/number.h"

struct counts { size_t number, text; };		/* of fields */

struct csv {
	const char *text, *name;
	size_t size, from;		/* from: behind the mark of UTF-8 */
	struct tensors *t;
	struct error *e;
	char separator;			/* 0: there is none */
	bool given;			/* by the caller */
	bool absent;			/* cells may be absent */
	size_t rows, columns;		/* of fields */
	bool uneven;			/* rows of several lengths */
	const char *fault;		/* of its quotes, and where; NULL: none */
	size_t fault_at;
	enum csv_kind corner;
	struct counts top, left;	/* the first row and column without the corner */
	bool header, labels;		/* the first row, the first column is tokens */
	enum csv_decimal decimal;	/* of the numbers so far, and where the first with a mark is */
	size_t decimal_at;
	double *v;
	unsigned char *present;		/* beside v; NULL unless cells may be absent */
	struct tokens queries, keys;
	struct buffer token;
};

static void begin(const struct csv *c, struct csv_scan *s)
{
	csv_begin(s, c->text, c->size, c->from, c->separator);
}

static struct mark place(const struct csv *c, size_t offset)
{
	return text_place(c->text, c->size, offset);
}

#define FAIL(c, offset, status, ...) \
	error_at((c)->e, (status), (c)->name, place((c), (offset)).line, place((c), (offset)).column, __VA_ARGS__)

/* ---- rows, columns, and what is text ---- */

static void count_field(struct csv *c, const struct csv_field *f, size_t row, size_t column)
{
	if (row && column)
		return;
	enum csv_kind kind = csv_kind(c->text + f->first, f->n, c->separator);
	if (!row && !column) {
		c->corner = kind;
		return;
	}
	struct counts *counts = row ? &c->left : &c->top;
	counts->number += kind == CSV_NUMBER;
	counts->text += kind == CSV_TEXT;
}

static void survey(struct csv *c)
{
	struct csv_field f;
	struct csv_scan s;
	size_t column = 0;

	for (begin(c, &s); csv_next(&s, &f);) {
		count_field(c, &f, c->rows, column++);
		if (!f.ends_row)
			continue;
		if (!c->rows++)
			c->columns = column;
		c->uneven = c->uneven || column != c->columns;
		column = 0;
	}
	c->fault = s.fault;
	c->fault_at = s.at;
}

/* ---- rows of several lengths ---- */

struct row { size_t index, width, end; };

/* The length of more than half of the rows, if there is one (Boyer and Moore's vote). */
static bool usual_width(const struct csv *c, size_t *width)
{
	struct csv_scan s;
	size_t n, votes = 0, rows = 0;

	*width = 0;
	for (begin(c, &s); (n = csv_skip_row(&s)); votes += n == *width ? 1 : (size_t)-1)
		if (!votes)
			*width = n;
	for (begin(c, &s); (n = csv_skip_row(&s));)
		rows += n == *width;
	return rows > c->rows / 2;
}

static size_t widest(const struct csv *c)
{
	struct csv_scan s;
	size_t n, most = 0;

	for (begin(c, &s); (n = csv_skip_row(&s));)
		most = n > most ? n : most;
	return most;
}

/* The first row that is (or is not) of that width, and where its last field is. */
static struct row find_row(const struct csv *c, size_t width, bool equal)
{
	struct row row = { 0 };
	struct csv_field f;
	struct csv_scan s;

	for (begin(c, &s); csv_next(&s, &f);) {
		row.width++;
		row.end = f.first + f.n;
		if (f.ends_row && (row.width == width) == equal)
			return row;
		if (f.ends_row)
			row = (struct row){ .index = row.index + 1 };
	}
	return row;
}

static enum status refuse_uneven(const struct csv *c)
{
	size_t width;

	if (!usual_width(c, &width))
		width = widest(c);
	struct row odd = find_row(c, width, false), usual = find_row(c, width, true);
	return FAIL(c, odd.end, E_SYNTAX,
		    odd.width == 1 ? N_("row %zu has %zu field, row %zu has %zu%s") : N_("row %zu has %zu fields, row %zu has %zu%s"),
		    odd.index + 1, odd.width, usual.index + 1, usual.width,
		    odd.width > usual.width ? _("; a separator that is text needs quotes around it") : "");
}

/* ---- numbers ---- */

/* 0x1F and 1'000 were meant as numbers wherever they stand. */
static bool begins_as_number(const char *text, size_t n)
{
	size_t i = 0;

	while (i < n && strchr(" \t+-.", text[i]))
		i++;
	return i < n && text[i] >= '0' && text[i] <= '9';
}

static enum status refuse_field(const struct csv *c, const struct csv_field *f, bool at_edge)
{
	const char *text = c->text + f->first;
	char shown[YAML_CLIP_SIZE];

	if (csv_kind(text, f->n, c->separator) == CSV_EMPTY)
		return FAIL(c, f->first, E_SYNTAX, N_("an empty field; expected a number, or nan where there is none"));
	yaml_text_clip(shown, text, f->n);
	if (csv_has_blank_separators(text, f->n))
		return FAIL(c, f->first, E_SYNTAX, N_("\"%s\" is not a number; expected a comma, a semicolon or a TAB "
			    "between numbers, not blanks"), shown);
	if (at_edge && !begins_as_number(text, f->n))
		return FAIL(c, f->first, E_SYNTAX, N_("\"%s\" is not a number; expected numbers in this row and column, or an "
			    "empty field in the corner where they are tokens"), shown);
	return FAIL(c, f->first, E_SYNTAX, N_("\"%s\" is not a number; expected a decimal number such as -0.5 or 1e-3 without "
		    "thousands separators, nan or inf"), shown);
}

/* One decimal mark in the whole file: 0,5 beside 0.25 may be a separator that was not meant. */
static enum status check_mark(struct csv *c, const struct csv_field *f, enum csv_decimal mark)
{
	if (c->decimal == CSV_NO_MARK) {
		c->decimal = mark;
		c->decimal_at = f->first;
	}
	if (c->decimal == mark)
		return OK_STATUS;
	struct mark first = place(c, c->decimal_at);
	return FAIL(c, f->first, E_SYNTAX,
		    mark == CSV_COMMA ? N_("a decimal comma, but the number in line %u, column %u has a point; expected one of them in the whole file")
				      : N_("a decimal point, but the number in line %u, column %u has a comma; expected one of them in the whole file"),
		    first.line, first.column);
}

static bool has_digit(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] >= '0' && text[i] <= '9')
			return true;
	return false;
}

static void note_overflow(const struct csv *c, const struct csv_field *f)
{
	char shown[YAML_CLIP_SIZE];

	if (c->t->note[0])		/* a place costs what stands before it */
		return;
	struct mark at = place(c, f->first);
	snprintf(c->t->note, sizeof c->t->note, _("%s in line %u, column %u is beyond a double: it is read as infinity"),
		 yaml_text_clip(shown, c->text + f->first, f->n), at.line, at.column);
}

static enum status read_number(struct csv *c, const struct csv_field *f, double *value, bool at_edge)
{
	enum csv_decimal mark = CSV_NO_MARK;

	if (!csv_number(c->text + f->first, f->n, c->separator, value, &mark))
		return refuse_field(c, f, at_edge);
	if (isinf(*value) && has_digit(c->text + f->first, f->n))
		note_overflow(c, f);
	return mark && c->separator != ',' ? check_mark(c, f, mark) : OK_STATUS;
}

/* ---- tokens ---- */

static enum status add_token(struct csv *c, struct tokens *to, const struct csv_field *f)
{
	if (to->n == CSV_TOKENS_LIMIT)
		return FAIL(c, f->first, E_LIMIT, N_("more than %zu tokens"), CSV_TOKENS_LIMIT);
	c->token.size = 0;
	csv_token(&c->token, c->text, f);
	if (c->token.failed)
		return error_set(c->e, E_MEMORY, "no memory for a token");
	return tokens_add(to, c->token.data ? c->token.data : "", c->token.size, c->e);
}

static enum status give_tokens(struct csv *c, const char *name, enum tensor_axis axis, struct tokens *tokens)
{
	struct tensor *a = tensors_add(c->t, name, strlen(name), c->e);

	if (!a)
		return E_MEMORY;
	a->text = *tokens;
	*tokens = (struct tokens){ 0 };
	tensor_set_text(a, 1, &a->text.n, axis);
	return OK_STATUS;
}

/* ---- a list of tokens ---- */

/* Numbers with blanks between would pass for tokens. */
static enum status refuse_blanks(const struct csv *c)
{
	struct csv_field f;
	struct csv_scan s;

	begin(c, &s);
	if (csv_next_line(&s, &f) && csv_has_blank_separators(c->text + f.first, f.n))
		return refuse_field(c, &f, false);
	return OK_STATUS;
}

static enum status read_list(struct csv *c, bool (*next)(struct csv_scan *, struct csv_field *))
{
	enum status status = refuse_blanks(c);
	struct csv_field f;
	struct csv_scan s;

	for (begin(c, &s); !status && next(&s, &f);)
		status = add_token(c, &c->keys, &f);
	return status ? status : give_tokens(c, "", AXIS_UNKNOWN, &c->keys);
}

static bool has_separator(const struct csv *c, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (c->given ? text[i] == c->separator : csv_is_separator(text[i]))
			return true;
	return false;
}

/* Lists are written without quotes, too: then "," and "\"" are lines of their own. More than
 * half of the lines must be text without any separator, so that a broken matrix stays an error. */
static bool is_bare_list(const struct csv *c)
{
	size_t lines = 0, plain = 0;
	struct csv_field f;
	struct csv_scan s;

	for (begin(c, &s); csv_next_line(&s, &f); lines++) {
		const char *text = c->text + f.first;
		plain += !has_separator(c, text, f.n) && csv_kind(text, f.n, c->separator) == CSV_TEXT &&
			 !csv_has_blank_separators(text, f.n);
	}
	return plain > lines / 2;
}

/* ---- the matrix ---- */

/* The rule of csv.h. */
static void find_tokens(struct csv *c)
{
	bool empty = c->corner == CSV_EMPTY, text = c->corner == CSV_TEXT, number = c->corner == CSV_NUMBER;

	c->header = empty || c->top.text + text > c->top.number + number;
	/* A corner that is the header's says nothing about the column. */
	c->labels = empty || c->left.text + (text && !c->header) > c->left.number + (number && !c->header);
	if (c->columns == 1) {
		c->labels = false;
		c->header = text;
	} else if (c->rows == 1) {
		c->header = empty || (text && !c->top.number);
		c->labels = empty || text;
	}
}

static bool is_absent(const struct csv *c, const struct csv_field *f)
{
	return (f->n == 2 && !memcmp(c->text + f->first, "NA", 2)) ||
	       csv_kind(c->text + f->first, f->n, c->separator) == CSV_EMPTY;
}

static enum status read_cell(struct csv *c, const struct csv_field *f, size_t cell, bool at_edge)
{
	if (c->present && is_absent(c, f))
		return OK_STATUS;
	if (c->present)
		c->present[cell] = 1;
	return read_number(c, f, c->v + cell, at_edge);
}

static enum status read_field(struct csv *c, const struct csv_field *f, size_t row, size_t column)
{
	if (c->header && !row)
		return c->labels && !column ? OK_STATUS : add_token(c, &c->keys, f);
	if (c->labels && !column)
		return add_token(c, &c->queries, f);
	return read_cell(c, f, (row - c->header) * (c->columns - c->labels) + (column - c->labels),
			 c->columns > 1 && (!row || !column));
}

static enum status read_fields(struct csv *c)
{
	enum status status = OK_STATUS;
	struct csv_field f;
	struct csv_scan s;
	size_t row = 0, column = 0;

	for (begin(c, &s); !status && csv_next(&s, &f);) {
		status = read_field(c, &f, row, column++);
		if (f.ends_row) {
			row++;
			column = 0;
		}
	}
	return status;
}

static enum status add_metadata(struct csv *c)
{
	const char separator[] = { c->separator, '\0' };
	enum status status = c->separator ? tensors_add_metadata(c->t, "separator", separator, c->e) : OK_STATUS;

	return status || c->decimal != CSV_COMMA ? status : tensors_add_metadata(c->t, "decimal", ",", c->e);
}

/* Where cells may be absent a small file could ask for any number of them. */
static bool is_too_sparse(const struct csv *c, const size_t shape[2])
{
	size_t most = c->size < (size_t)1 << 18 ? (size_t)1 << 20 : 4 * c->size;
	return shape[1] && shape[0] > most / shape[1];
}

static enum status make_arrays(struct csv *c)
{
	const size_t shape[] = { c->rows - c->header, c->columns - c->labels };

	if (c->absent && is_too_sparse(c, shape))
		return FAIL(c, c->from, E_LIMIT, N_("%zu rows of %zu numbers, of which nearly all are absent"), shape[0], shape[1]);
	struct tensor *a = tensors_add(c->t, "", 0, c->e);
	enum status status = a ? tensor_set_shape(a, NPY_F64, 2, shape, c->e) : E_MEMORY;

	if (status)
		return status;
	c->v = a->owned;
	if (!c->absent)
		return OK_STATUS;
	for (size_t i = 0; i < a->array.count; i++)
		c->v[i] = NAN;
	a = tensors_add(c->t, "mask", strlen("mask"), c->e);
	status = a ? tensor_set_shape(a, NPY_BOOL, 2, shape, c->e) : E_MEMORY;
	if (!status)
		c->present = a->owned;
	return status;
}

static enum status read_matrix(struct csv *c)
{
	if (c->header && c->rows == 1)
		return FAIL(c, c->from, E_SYNTAX, N_("only a header row; expected rows of numbers below it"));
	enum status status = make_arrays(c);
	if (!status)
		status = read_fields(c);
	if (!status && c->labels)
		status = give_tokens(c, "query_tokens", AXIS_QUERY, &c->queries);
	if (!status && c->header)
		status = give_tokens(c, "key_tokens", AXIS_KEY, &c->keys);
	return status ? status : add_metadata(c);
}

/* ---- the file ---- */

static enum status read_table(struct csv *c)
{
	survey(c);
	if ((c->fault || c->uneven) && is_bare_list(c))
		return read_list(c, csv_next_line);
	if (c->fault)
		return FAIL(c, c->fault_at, E_SYNTAX, "%s", _(c->fault));
	size_t top = c->columns;
	if (c->uneven)
		c->columns = widest(c);
	find_tokens(c);
	if (c->uneven && (!c->absent || (c->header && top < c->columns)))
		return refuse_uneven(c);
	if (c->columns == 1 && c->left.text + (c->corner == CSV_TEXT) > c->left.number + (c->corner == CSV_NUMBER))
		return read_list(c, csv_next);
	return read_matrix(c);
}

/* A comment with a name for each column is a header. */
static bool is_title(const struct csv *c, size_t title)
{
	struct counts n = { 0 };
	struct csv_field f = { .ends_row = false };
	struct csv_scan s;

	csv_begin(&s, c->text, c->size, c->from, c->separator);
	size_t columns = csv_skip_row(&s), fields = 0;
	for (csv_begin(&s, c->text, c->size, title, c->separator); !f.ends_row && csv_next(&s, &f); fields++) {
		enum csv_kind kind = csv_kind(c->text + f.first, f.n, c->separator);
		n.number += kind == CSV_NUMBER;
		n.text += kind == CSV_TEXT;
	}
	return fields == columns && columns > 1 && n.text > n.number;
}

static void find_rows(struct csv *c)
{
	size_t title;

	csv_skip_comments(c->text, &c->size, &c->from, &title);
	if (!c->given)
		c->separator = csv_find_separator(c->text, c->size, c->from);
	while (title && title < c->from && (c->text[title] == ' ' || c->text[title] == '\t'))
		title++;
	if (title && is_title(c, title))
		c->from = title;
}

static enum status prepare(struct csv *c, const struct tensors_options *o)
{
	struct csv_scan s;
	enum status status = text_check(c->text, c->size, c->name, c->e);

	if (status)
		return status;
	if (c->size > CSV_SIZE_LIMIT)
		return error_at(c->e, E_LIMIT, c->name, 0, 0, "CSV of more than %zu MiB; .npy and .safetensors may be larger",
				CSV_SIZE_LIMIT >> 20);
	if (o && o->separator && !csv_is_separator(o->separator))
		return error_at(c->e, E_VALUE, c->name, 0, 0, "the separator of CSV is a comma, a semicolon or a TAB");
	c->from = text_mark_size(c->text, c->size);
	c->absent = o && o->absent;
	c->given = o && o->separator;
	c->separator = c->given ? o->separator : 0;
	find_rows(c);
	begin(c, &s);
	return s.done ? FAIL(c, c->from, E_SYNTAX, N_("an empty file; expected rows of numbers or a list of tokens")) : OK_STATUS;
}

enum status csv_read(struct tensors *t, const void *bytes, size_t size, const char *name,
		     const struct tensors_options *o, struct error *e)
{
	struct csv c = { .text = bytes, .size = size, .name = name, .t = t, .e = e };
	enum status status = prepare(&c, o);

	if (!status)
		status = read_table(&c);
	tokens_free(&c.queries);
	tokens_free(&c.keys);
	buffer_free(&c.token);
	return status;
}
