/* show_sheet.c - what qkv show writes: a matrix whose rows come one at a time. */
#include "tui/show_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/compare.h"

static bool is_square_array(enum array a)
{
	return a == ARRAY_SCORES || a == ARRAY_WEIGHTS;
}

/* The array asked for, or else the first that the input has. */
static enum status choose_array(struct sheet *s, struct error *e)
{
	const struct problem *p = s->request->problem;
	enum array wanted = (enum array)s->request->options->array;
	char names[128] = "";

	for (int k = 0; k < ARRAY_COUNT && !s->input; k++) {
		bool any = !s->request->array_given && option_is_default(s->request->options, OPT_ARRAY);
		if (any || k == (int)wanted) {
			s->array = (enum array)k;
			s->input = problem_array(p, s->array, s->attention.head);
		}
	}
	if (s->input)
		return OK_STATUS;
	for (int k = 0; k < ARRAY_COUNT; k++)
		if (p->array[k].n && !(k == ARRAY_V && p->identity_v)) {
			size_t used = strlen(names);
			snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", array_name((enum array)k));
		}
	if (wanted == ARRAY_V && p->identity_v)
		return error_option(e, E_VALUE, "array", "v", "no v is given: the output is the weights; the input has %s", names);
	return error_option(e, E_VALUE, "array", array_name(wanted), "this input has no such array; it has %s", names);
}

static size_t clamp(long index, size_t n)
{
	if (index < 0)
		index = (long)n + index < 0 ? 0 : (long)n + index;
	return (size_t)index < n ? (size_t)index : n;
}

/* As Python's slices: ends beyond the axis are cut, one index must be on it. */
static enum status resolve(const struct slice *slice, const char *option, size_t n, struct range *out, struct error *e)
{
	char text[32];

	if (slice->single) {
		snprintf(text, sizeof text, "%ld", slice->from);
		if (slice->from >= (long)n || slice->from < -(long)n)
			return error_option(e, E_VALUE, option, text, "outside -%zu..%zu", n, n - 1);
		*out = (struct range){ slice->from < 0 ? n - (size_t)-slice->from : (size_t)slice->from, 1 };
		return OK_STATUS;
	}
	size_t from = slice->has_from ? clamp(slice->from, n) : 0;
	size_t to = slice->has_to ? clamp(slice->to, n) : n;
	*out = (struct range){ from, to > from ? to - from : 0 };
	return OK_STATUS;
}

static enum status measure(struct sheet *s, struct error *e)
{
	const struct show_request *r = s->request;
	const struct problem *p = r->problem;
	enum status status;

	s->all_rows = p->n_q;
	s->all_columns = p->n_k;
	s->has_columns = !r->row_sums;
	s->rows_are_queries = true;
	s->judged = s->stage >= STAGE_SCORES && s->stage <= STAGE_WEIGHTS;
	s->columns_are_keys = s->judged && !r->row_sums;
	if (r->row_sums) {
		s->all_columns = 1;
	} else if (s->stage == STAGE_INPUT) {
		s->all_rows = s->input->rows;
		s->all_columns = s->input->columns;
		s->columns_are_keys = is_square_array(s->array);
		s->rows_are_queries = s->array == ARRAY_Q || s->array == ARRAY_X || s->columns_are_keys;
	} else if (s->stage == STAGE_OUTPUT) {
		s->all_columns = p->d_v;
	} else if (s->stage == STAGE_JOINED) {
		s->all_columns = attention_joined_columns(&s->attention);
	}
	if (r->row_sums && (r->columns.has_from || r->columns.has_to || r->columns.single))
		return error_option(e, E_VALUE, "cols", "", "row sums have no columns");
	status = resolve(&r->rows, "rows", s->all_rows, &s->rows, e);
	return status ? status : resolve(&r->columns, "cols", s->all_columns, &s->columns, e);
}

void sheet_free(struct sheet *s)
{
	if (s->minus)
		sheet_free(s->minus);
	free(s->minus);
	free(s->difference);
	row_free(&s->row);
	attention_free(&s->attention);
	joined_free(&s->heads);
	free(s->joined);
}

/* What both have is left. */
static void clip(struct sheet *s, const struct sheet *other)
{
	s->all_rows = s->all_rows < other->all_rows ? s->all_rows : other->all_rows;
	s->all_columns = s->all_columns < other->all_columns ? s->all_columns : other->all_columns;
	s->rows = (struct range){ 0, s->all_rows };
	s->columns = (struct range){ 0, s->all_columns };
	s->judged = false;
}

static enum status prepare_minus(struct sheet *s, struct error *e)
{
	enum status status;

	if (!s->request->minus)
		return OK_STATUS;
	if (!(s->minus = calloc(1, sizeof *s->minus)))
		return error_set(e, E_MEMORY, "no memory for what is subtracted");
	if ((status = sheet_init(s->minus, s->request->minus, e))) {
		free(s->minus);
		s->minus = NULL;
		return status;
	}
	clip(s, s->minus);
	s->difference = calloc(s->all_columns + 1, sizeof *s->difference);
	return s->difference ? OK_STATUS : error_set(e, E_MEMORY, "no memory for a row of %zu columns", s->all_columns);
}

static enum status prepare(struct sheet *s, struct error *e)
{
	enum status status = problem_check_stage(s->request->problem, s->stage, e);

	if (!status && s->stage == STAGE_INPUT)
		status = choose_array(s, e);
	if (!status)
		status = measure(s, e);
	if (!status)
		status = row_init(&s->row, &s->attention, e);
	if (status || s->stage != STAGE_JOINED)
		return status;
	s->joined = calloc(s->all_columns + 1, sizeof *s->joined);
	return s->joined ? OK_STATUS : error_set(e, E_MEMORY, "no memory for a row of %zu columns", s->all_columns);
}

enum status sheet_init(struct sheet *s, const struct show_request *r, struct error *e)
{
	struct sheet fresh = { .request = r };
	enum status status = attention_init(&fresh.attention, r->problem, r->options, r->tables, e);

	if (status)
		return status;
	fresh.stage = r->row_sums ? STAGE_WEIGHTS : (enum stage)r->options->stage;
	if ((status = prepare(&fresh, e)) || (status = prepare_minus(&fresh, e)))
		sheet_free(&fresh);
	else
		*s = fresh;
	return status;
}

static void compute(struct sheet *s, size_t i)
{
	row_compute(&s->row, &s->attention, i, STAGE_SCORES, s->stage == STAGE_OUTPUT ? STAGE_OUTPUT : STAGE_WEIGHTS);
}

void sheet_compute(struct sheet *s, size_t i)
{
	compute(s, i);
	if (s->minus)
		compute(s->minus, i);
}

double sheet_sum(const struct sheet *s)
{
	return s->minus ? compare_difference(s->minus->row.sum, s->row.sum) : s->row.sum;
}

static enum status own_row(struct sheet *s, size_t i, const double **v, struct error *e)
{
	size_t n;

	if (s->stage == STAGE_INPUT) {
		*v = row_input(&s->row, &s->attention, s->array, i);
		return OK_STATUS;
	}
	compute(s, i);
	if (s->stage == STAGE_JOINED) {
		enum status status = s->heads.head ? OK_STATUS
				   : joined_init(&s->heads, &s->attention, s->request->tables, e);
		if (status)
			return status;
		*v = s->joined;
		joined_row(&s->heads, i, s->joined);
		return OK_STATUS;
	}
	*v = s->request->row_sums ? &s->row.sum : row_stage(&s->row, &s->attention, s->stage, &n);
	return OK_STATUS;
}

enum status sheet_row(struct sheet *s, size_t i, const double **v, struct error *e)
{
	const double *a;
	enum status status = own_row(s, i, v, e);

	if (status || !s->minus || (status = own_row(s->minus, i, &a, e)))
		return status;
	for (size_t j = 0; j < s->all_columns; j++)
		s->difference[j] = compare_difference(a[j], (*v)[j]);
	*v = s->difference;
	return OK_STATUS;
}

bool sheet_hides(const struct sheet *s, size_t j)
{
	return !s->minus && s->columns_are_keys && s->stage >= STAGE_MASKED && mask_hides(s->row.rules[j]);
}

static const char *index_label(size_t i, char scratch[32])
{
	snprintf(scratch, 32, "%zu", i);
	return scratch;
}

const char *sheet_row_label(const struct sheet *s, size_t i, char scratch[32])
{
	const struct problem *p = s->request->problem;

	if (s->rows_are_queries)
		return token_at(&p->query_tokens, i, scratch);
	if (s->array == ARRAY_K || s->array == ARRAY_V)
		return token_at(&p->key_tokens, i, scratch);
	return index_label(i, scratch);
}

const char *sheet_column_label(const struct sheet *s, size_t j, char scratch[32])
{
	if (s->columns_are_keys)
		return token_at(&s->request->problem->key_tokens, j, scratch);
	return s->request->row_sums ? "sum" : index_label(j, scratch);
}

int sheet_precision(const struct sheet *s, int otherwise)
{
	long p = s->request->options->precision;
	return p < 0 ? otherwise : (int)p;
}
