/* show.c - `qkv show`: one stage as text or bytes, row by row. */
#include "tui/show.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/npy.h"
#include "core/number.h"
#include "core/row.h"
#include "core/utf8.h"
#include "tui/digits.h"
#include "tui/text.h"

/* ---- what is shown: a matrix whose rows come one at a time ---- */

struct range { size_t first, count; };

struct sheet {
	const struct show_request *request;
	struct attention attention;
	struct row row;			/* of the query that was asked for last */
	enum stage stage;
	const struct matrix *input;	/* of the input stage */
	enum array array;		/* its name */
	struct joined heads;		/* of the joined stage, from its first row on */
	double *joined;			/* one row of it */
	size_t all_rows, all_columns;	/* before the slices */
	struct range rows, columns;
	bool has_columns;		/* row sums have none: their shape is (n_q,) */
	bool rows_are_queries, columns_are_keys;
	bool judged;			/* sums and verdicts belong to the picture */
};

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

static void sheet_free(struct sheet *s)
{
	row_free(&s->row);
	attention_free(&s->attention);
	joined_free(&s->heads);
	free(s->joined);
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

static enum status sheet_init(struct sheet *s, const struct show_request *r, struct error *e)
{
	struct sheet fresh = { .request = r };
	enum status status = attention_init(&fresh.attention, r->problem, r->options, r->tables, e);

	if (status)
		return status;
	fresh.stage = r->row_sums ? STAGE_WEIGHTS : (enum stage)r->options->stage;
	if ((status = prepare(&fresh, e)))
		sheet_free(&fresh);
	else
		*s = fresh;
	return status;
}

/* Computes query i as far as its sum and verdict, or as the stage needs. */
static void compute_query(struct sheet *s, size_t i)
{
	row_compute(&s->row, &s->attention, i, STAGE_SCORES, s->stage == STAGE_OUTPUT ? STAGE_OUTPUT : STAGE_WEIGHTS);
}

/* Row i of what is shown, all its columns; valid until the next call. Where rows
 * are queries and the stage is computed, s->row is that query's. */
static enum status sheet_row(struct sheet *s, size_t i, const double **v, struct error *e)
{
	size_t n;

	if (s->stage == STAGE_INPUT) {
		*v = matrix_row(s->input, i);
		return OK_STATUS;
	}
	compute_query(s, i);
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

/* Whether the cell of what is shown was hidden: from the stage where that is done. */
static bool is_hidden(const struct sheet *s, size_t j)
{
	return s->columns_are_keys && s->stage >= STAGE_MASKED && mask_hides(s->row.rules[j]);
}

static const char *index_label(size_t i, char scratch[32])
{
	snprintf(scratch, 32, "%zu", i);
	return scratch;
}

static const char *row_label(const struct sheet *s, size_t i, char scratch[32])
{
	const struct problem *p = s->request->problem;

	if (s->rows_are_queries)
		return p->query_tokens.text[i];
	if (s->array == ARRAY_K || s->array == ARRAY_V)
		return p->key_tokens.text[i];
	return index_label(i, scratch);
}

static const char *column_label(const struct sheet *s, size_t j, char scratch[32])
{
	if (s->columns_are_keys)
		return s->request->problem->key_tokens.text[j];
	return s->request->row_sums ? "sum" : index_label(j, scratch);
}

/* The options' precision, or what a format has without it. */
static int precision_or(const struct sheet *s, int otherwise)
{
	long p = s->request->options->precision;
	return p < 0 ? otherwise : (int)p;
}

/* ---- numpy ---- */

/* NumPy prints of an array with more than a thousand elements only three at
 * each end of an axis longer than six. An array with the same ends, still that
 * long, prints the same text: so only those rows are computed and held. */
enum { EDGE = 3, WHOLE = 1000 };

struct ends { size_t n, shown; };	/* of an axis: its length, and that of the stand-in */

static void choose_ends(struct ends *rows, struct ends *columns)
{
	rows->shown = rows->n;
	columns->shown = columns->n;
	if (!rows->n || columns->n <= WHOLE / rows->n)
		return;
	if (columns->n > 2 * EDGE)
		columns->shown = WHOLE + 1;
	if (rows->n > 2 * EDGE)
		rows->shown = columns->n > 2 * EDGE ? 2 * EDGE + 1 : WHOLE + 1;
}

/* Where the k-th of the stand-in is in the axis; false for what is never printed. */
static bool real_index(const struct ends *a, size_t k, size_t *index)
{
	*index = k < EDGE ? k : a->n - (a->shown - k);
	return a->shown == a->n || k < EDGE || k >= a->shown - EDGE;
}

static enum status fill_stand_in(struct sheet *s, const struct ends *rows, const struct ends *columns, double *out,
				 struct error *e)
{
	int precision = precision_or(s, -1);
	enum status status = OK_STATUS;
	const double *v;
	size_t row, column;

	for (size_t i = 0; i < rows->shown && !status; i++) {
		if (!real_index(rows, i, &row) || (status = sheet_row(s, s->rows.first + row, &v, e)))
			continue;
		for (size_t j = 0; j < columns->shown; j++) {
			if (!real_index(columns, j, &column))
				continue;
			double x = v[s->columns.first + column];
			out[i * columns->shown + j] = precision < 0 ? x : number_round(x, precision);
		}
	}
	return status;
}

static enum status show_numpy(struct buffer *out, struct sheet *s, struct error *e)
{
	struct ends rows = { .n = s->rows.count }, columns = { .n = s->columns.count };
	struct matrix m = { 0 };

	choose_ends(&rows, &columns);
	enum status status = matrix_init(&m, rows.shown, columns.shown, e);
	if (!status)
		status = fill_stand_in(s, &rows, &columns, m.v, e);
	if (!status) {
		const size_t shape[] = { rows.shown, columns.shown };
		number_array(out, m.v, s->has_columns ? 2 : 1, shape);
		buffer_text(out, "\n");
	}
	matrix_free(&m);
	return status;
}

/* ---- npy ---- */

static enum status show_npy(struct buffer *out, struct sheet *s, struct error *e)
{
	const size_t shape[] = { s->rows.count, s->columns.count };
	struct matrix m = { 0 };
	enum status status = matrix_init(&m, shape[0], shape[1], e);
	const double *v;

	for (size_t i = 0; i < shape[0] && !status; i++)
		if (!(status = sheet_row(s, s->rows.first + i, &v, e)) && shape[1])
			memcpy(m.v + i * shape[1], v + s->columns.first, shape[1] * sizeof *v);
	if (!status)
		npy_write(out, m.v, s->has_columns ? 2 : 1, shape);
	matrix_free(&m);
	return status;
}

/* ---- text of tokens ---- */

/* The code point at p and its bytes. What is not UTF-8 is U+FFFD byte by byte, so
 * that data shows how much of it is damaged; text_read, for people, has one for a
 * whole malformed sequence. */
static size_t decode(const char *p, uint32_t *code)
{
	size_t n = utf8_decode(p, UTF8_MAX, code);
	return n ? n : 1;
}

static void put_code(struct buffer *out, uint32_t code)
{
	char bytes[UTF8_MAX];
	buffer_put(out, bytes, utf8_encode(code, bytes));
}

static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

/* Marks that change the direction of what follows, and are not seen. */
static bool is_direction(uint32_t c)
{
	return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Controls as their pictures, so that a token in a file of data cannot act on
 * the terminal where that is looked at. */
static uint32_t picture(uint32_t c)
{
	return c < 0x20 ? 0x2400 + c : c == 0x7f ? 0x2421 : is_control(c) ? 0xfffd : c;
}

void show_safe_text(struct buffer *out, const char *text, bool ascii)
{
	struct text_reader r;
	struct cell cell;

	text_begin(&r, text, strlen(text), ascii);
	while (text_read(&r, &cell))
		for (int k = 0; k < cell.count; k++)
			put_code(out, cell.code[k]);
}

/* ---- csv: RFC 4180, with the line ends of this system ---- */

/* Data stays as it is, but for controls, which could act on a terminal. Those
 * that CSV knows stand inside quotes. */
static uint32_t csv_code(uint32_t c)
{
	return is_control(c) && c != '\t' && c != '\n' ? 0xfffd : c;
}

static void csv_text(struct buffer *out, const char *text)
{
	bool quoted = !*text || strpbrk(text, ",\"\t\n") || strchr(" \t", *text) || strchr(" \t", text[strlen(text) - 1]);
	uint32_t c;

	if (quoted)
		buffer_text(out, "\"");
	for (const char *p = text; *p;) {
		p += decode(p, &c);
		if (c == '"')
			buffer_text(out, "\"");
		put_code(out, csv_code(c));
	}
	if (quoted)
		buffer_text(out, "\"");
}

static void csv_header(struct buffer *out, const struct sheet *s)
{
	char scratch[32];

	for (size_t j = 0; j < s->columns.count; j++) {
		buffer_text(out, ",");
		csv_text(out, column_label(s, s->columns.first + j, scratch));
	}
	buffer_text(out, "\n");
}

static enum status show_csv(struct buffer *out, struct sheet *s, struct error *e)
{
	char scratch[32], number[NUMBER_SIZE];
	const double *v;
	enum status status;

	csv_header(out, s);
	for (size_t i = s->rows.first; i < s->rows.first + s->rows.count; i++) {
		if ((status = sheet_row(s, i, &v, e)))
			return status;
		csv_text(out, row_label(s, i, scratch));
		for (size_t j = 0; j < s->columns.count; j++) {
			number_shortest(v[s->columns.first + j], number);
			buffer_format(out, ",%s", number);
		}
		buffer_text(out, "\n");
	}
	return OK_STATUS;
}

/* ---- json ---- */

static void json_text(struct buffer *out, const char *text)
{
	uint32_t c;

	buffer_text(out, "\"");
	for (const char *p = text; *p;) {
		p += decode(p, &c);
		if (c == '"' || c == '\\')
			buffer_format(out, "\\%c", (int)c);
		else if (is_control(c) || is_direction(c))
			buffer_format(out, "\\u%04x", (unsigned)c);
		else
			put_code(out, c);
	}
	buffer_text(out, "\"");
}

static void json_number(struct buffer *out, double x)
{
	char text[NUMBER_SIZE];

	if (isnan(x)) {
		buffer_text(out, "\"NaN\"");
	} else if (isinf(x)) {
		buffer_text(out, x < 0 ? "\"-Infinity\"" : "\"Infinity\"");
	} else {
		number_shortest(x, text);
		buffer_text(out, text);
	}
}

/* A comma and a new line between the rows of a list. */
static void json_next(struct buffer *out, bool first)
{
	buffer_text(out, first ? "\n    " : ",\n    ");
}

static void json_tokens(struct buffer *out, const struct tokens *t, struct range range)
{
	buffer_text(out, "[");
	for (size_t i = 0; i < range.count; i++) {
		if (i)
			buffer_text(out, ", ");
		json_text(out, t->text[range.first + i]);
	}
	buffer_text(out, "]");
}

static void json_options(struct buffer *out, const struct options *o)
{
	struct buffer value = { 0 };
	bool first = true;

	buffer_text(out, "{");
	for (int k = 0; k < OPT_COUNT; k++) {
		if (option_is_default(o, (enum option)k))
			continue;
		value.size = 0;
		option_text(o, (enum option)k, &value);
		buffer_text(out, first ? "" : ", ");
		json_text(out, option_info((enum option)k)->name);
		buffer_text(out, ": ");
		json_text(out, value.data ? value.data : "");
		first = false;
	}
	buffer_text(out, "}");
	out->failed = out->failed || value.failed;
	buffer_free(&value);
}

static struct range queries_shown(const struct sheet *s)
{
	return s->rows_are_queries ? s->rows : (struct range){ 0, s->request->problem->n_q };
}

static struct range keys_shown(const struct sheet *s)
{
	return s->columns_are_keys ? s->columns : (struct range){ 0, s->request->problem->n_k };
}

static void json_head(struct buffer *out, const struct sheet *s)
{
	const struct problem *p = s->request->problem;

	buffer_text(out, "{\n  \"scenario\": ");
	json_text(out, s->request->scenario);
	buffer_text(out, ",\n  \"stage\": ");
	json_text(out, s->request->row_sums ? "row-sums" : stage_info(s->stage)->name);
	if (s->stage == STAGE_INPUT) {
		buffer_text(out, ",\n  \"array\": ");
		json_text(out, array_name(s->array));
	}
	buffer_format(out, ",\n  \"shape\": [%zu", s->rows.count);
	if (s->has_columns)
		buffer_format(out, ", %zu", s->columns.count);
	buffer_text(out, "],\n  \"tokens\": {\n    \"query\": ");
	json_tokens(out, &p->query_tokens, queries_shown(s));
	buffer_text(out, ",\n    \"key\": ");
	json_tokens(out, &p->key_tokens, keys_shown(s));
	buffer_text(out, "\n  },\n  \"options\": ");
	json_options(out, s->request->options);
}

/* What is said of every query; one buffer each, since they are lists of their own. */
struct judgement { struct buffer sums, verdicts, hidden; };

static void json_hidden(struct buffer *out, const struct sheet *s)
{
	struct range keys = keys_shown(s);

	buffer_text(out, "[");
	for (size_t j = 0; j < keys.count; j++) {
		rules r = s->row.rules[keys.first + j];
		bool first = true;
		buffer_text(out, j ? ", [" : "[");
		for (int n = 0; n < RULE_COUNT && mask_hides(r); n++)
			if (r & 1 << n) {
				buffer_text(out, first ? "" : ", ");
				json_text(out, mask_rule_name(n));
				first = false;
			}
		buffer_text(out, "]");
	}
	buffer_text(out, "]");
}

/* Of the query that s->row is. */
static void json_judge(struct judgement *j, const struct sheet *s, bool first)
{
	buffer_text(&j->sums, first ? "" : ", ");
	json_number(&j->sums, s->row.sum);
	buffer_text(&j->verdicts, first ? "" : ", ");
	json_text(&j->verdicts, verdict_name(s->row.verdict));
	json_next(&j->hidden, first);
	json_hidden(&j->hidden, s);
}

static void json_values(struct buffer *out, const struct sheet *s, const double *v, bool first)
{
	if (s->has_columns) {
		json_next(out, first);
		buffer_text(out, "[");
	} else if (!first) {
		buffer_text(out, ", ");
	}
	for (size_t j = 0; j < s->columns.count; j++) {
		buffer_text(out, j ? ", " : "");
		json_number(out, v[s->columns.first + j]);
	}
	if (s->has_columns)
		buffer_text(out, "]");
}

static enum status json_rows(struct buffer *out, struct sheet *s, struct judgement *judgement, struct error *e)
{
	struct range queries = queries_shown(s);
	const double *v;
	enum status status;

	for (size_t i = 0; i < s->rows.count; i++) {
		if ((status = sheet_row(s, s->rows.first + i, &v, e)))
			return status;
		json_values(out, s, v, !i);
		if (s->stage != STAGE_INPUT)
			json_judge(judgement, s, !i);
	}
	for (size_t i = 0; i < queries.count && s->stage == STAGE_INPUT; i++) {
		compute_query(s, queries.first + i);
		json_judge(judgement, s, !i);
	}
	return OK_STATUS;
}

static void append(struct buffer *out, const char *before, const struct buffer *part, const char *after)
{
	buffer_text(out, before);
	buffer_put(out, part->data, part->size);
	buffer_text(out, after);
	out->failed = out->failed || part->failed;
}

static enum status show_json(struct buffer *out, struct sheet *s, struct error *e)
{
	struct judgement j = { 0 };

	json_head(out, s);
	buffer_text(out, ",\n  \"values\": [");
	enum status status = json_rows(out, s, &j, e);
	buffer_text(out, s->has_columns ? "\n  ]" : "]");
	append(out, ",\n  \"row_sums\": [", &j.sums, "]");
	append(out, ",\n  \"verdicts\": [", &j.verdicts, "]");
	append(out, ",\n  \"hidden_by\": [", &j.hidden, "\n  ]\n}\n");
	buffer_free(&j.sums);
	buffer_free(&j.verdicts);
	buffer_free(&j.hidden);
	return status;
}

/* ---- latex ---- */

static void latex_text(struct buffer *out, const char *text)
{
	uint32_t c;

	for (const char *p = text; *p;) {
		p += decode(p, &c);
		if (c == '\\')
			buffer_text(out, "\\textbackslash{}");
		else if (c == '~')
			buffer_text(out, "\\textasciitilde{}");
		else if (c == '^')
			buffer_text(out, "\\textasciicircum{}");
		else if (c == '<' || c == '>' || c == '|' || c == '"')
			buffer_format(out, "{%s}", c == '<' ? "\\textless" : c == '>' ? "\\textgreater"
							   : c == '|' ? "\\textbar" : "\\textquotedbl");
		else if (c < 0x80 && c && strchr("&%$#_{}", (int)c))
			buffer_format(out, "\\%c", (int)c);
		else if (!is_direction(c))
			put_code(out, picture(c));
	}
}

/* Fixed digits, in scientific form beyond what a cell can hold. */
static void fixed_text(double x, int precision, char text[NUMBER_SIZE])
{
	if (fabs(x) >= 1e7 && isfinite(x))
		snprintf(text, NUMBER_SIZE, "%.*e", precision, x);
	else
		number_fixed(x, precision, text);
}

static void latex_number(struct buffer *out, double x, int precision)
{
	char text[NUMBER_SIZE];

	fixed_text(x, precision, text);
	char *exponent = strchr(text, 'e');
	if (isnan(x)) {
		buffer_text(out, "$\\mathrm{nan}$");
	} else if (isinf(x)) {
		buffer_text(out, x < 0 ? "$-\\infty$" : "$\\infty$");
	} else if (exponent) {
		*exponent = '\0';
		buffer_format(out, "$%s \\times 10^{%ld}$", text, strtol(exponent + 1, NULL, 10));
	} else {
		buffer_format(out, "$%s$", text);
	}
}

static enum status show_latex(struct buffer *out, struct sheet *s, struct error *e)
{
	char scratch[32];
	const double *v;
	enum status status;

	buffer_text(out, "\\begin{tabular}{l|");
	buffer_repeat(out, 'r', s->columns.count);
	buffer_text(out, "}\n");
	for (size_t j = 0; j < s->columns.count; j++) {
		buffer_text(out, " & ");
		latex_text(out, column_label(s, s->columns.first + j, scratch));
	}
	buffer_text(out, " \\\\ \\hline\n");
	for (size_t i = s->rows.first; i < s->rows.first + s->rows.count; i++) {
		if ((status = sheet_row(s, i, &v, e)))
			return status;
		latex_text(out, row_label(s, i, scratch));
		for (size_t j = 0; j < s->columns.count; j++) {
			buffer_text(out, " & ");
			latex_number(out, v[s->columns.first + j], precision_or(s, 3));
		}
		buffer_text(out, " \\\\\n");
	}
	buffer_text(out, "\\end{tabular}\n");
	return OK_STATUS;
}

/* ---- table ---- */

enum { LABEL_LIMIT = 16, TABLE_PRECISION = 3, NARROWEST = 3, GAP = 2 };

struct table {
	struct sheet *sheet;
	struct buffer *out;
	struct digits_rule rule;	/* of the cells */
	size_t shown, widths;		/* columns that fit, and that may fit */
	int *width;			/* of each of those */
	int label, sum, verdict, largest, entropy;	/* widths */
	bool any_hidden, ascii;
};

static int widest(int a, int b)
{
	return a > b ? a : b;
}

static int label_width(const struct table *t, const char *text)
{
	int width = text_width(text, t->ascii);
	return width < LABEL_LIMIT ? width : LABEL_LIMIT;
}

/* Of a cell, in the same looks as on the screen; returns its columns. */
static int cell_text(const struct table *t, double x, bool hidden, char text[DIGITS_SIZE])
{
	digits_cell(x, hidden, &t->rule, text);
	return text_width(text, t->ascii);
}

/* Of what is said beside a row: a sum or a largest weight may be anything. */
static int beside_text(const struct table *t, double x, char text[DIGITS_SIZE])
{
	struct digits_rule rule = t->rule;

	rule.weights = false;
	digits_cell(x, false, &rule, text);
	return (int)strlen(text);
}

static void put_cell(struct buffer *out, const struct cell *cell)
{
	for (int k = 0; k < cell->count; k++)
		put_code(out, cell->code[k]);
}

/* Text in exactly `width` columns, cut with a mark when it is longer. */
static void put_field(const struct table *t, const char *text, int width, bool right)
{
	struct text_reader r;
	struct cell cell;
	int whole = text_width(text, t->ascii), used = 0;
	int room = whole > width ? width - 1 : width;

	if (right && whole < width)
		buffer_repeat(t->out, ' ', (size_t)(width - whole));
	text_begin(&r, text, strlen(text), t->ascii);
	while (text_read(&r, &cell) && used + cell.width <= room) {
		put_cell(t->out, &cell);
		used += cell.width;
	}
	if (whole > width) {
		buffer_text(t->out, t->ascii ? "~" : "…");
		used++;
	}
	if (used < width && (!right || whole > width))
		buffer_repeat(t->out, ' ', (size_t)(width - used));
}

static void measure_beside(struct table *t)
{
	const struct row *r = &t->sheet->row;
	char text[DIGITS_SIZE], entropy[NUMBER_SIZE];

	t->sum = widest(t->sum, beside_text(t, r->sum, text));
	t->verdict = widest(t->verdict, (int)strlen(verdict_name(r->verdict)));
	t->largest = widest(t->largest, beside_text(t, r->largest, text));
	number_fixed(r->entropy, 2, entropy);
	t->entropy = widest(t->entropy, (int)strlen(entropy));
}

/* The first pass: how wide everything becomes. */
static enum status measure_table(struct table *t, struct error *e)
{
	struct sheet *s = t->sheet;
	char scratch[32], text[DIGITS_SIZE];
	const double *v;
	enum status status;

	for (size_t j = 0; j < t->widths; j++)
		t->width[j] = label_width(t, column_label(s, s->columns.first + j, scratch));
	for (size_t i = s->rows.first; i < s->rows.first + s->rows.count; i++) {
		if ((status = sheet_row(s, i, &v, e)))
			return status;
		t->label = widest(t->label, label_width(t, row_label(s, i, scratch)));
		for (size_t j = 0; j < t->widths; j++) {
			size_t column = s->columns.first + j;
			t->width[j] = widest(t->width[j], cell_text(t, v[column], is_hidden(s, column), text));
		}
		if (s->judged)
			measure_beside(t);
	}
	return OK_STATUS;
}

static const char *cut_mark(const struct table *t)
{
	return t->ascii ? "~" : "…";
}

/* Row sums alone stand beside no columns. */
static bool is_cut(const struct table *t)
{
	return t->sheet->has_columns && t->shown < t->sheet->columns.count;
}

/* As many columns as fit, but one at least. */
static void choose_columns(struct table *t)
{
	const struct sheet *s = t->sheet;
	int room = s->request->width - t->label;

	if (!s->request->width) {
		t->shown = t->widths;
		return;
	}

	if (s->judged)
		room -= GAP + 1 + 1 + t->sum + 1 + t->verdict + GAP + t->largest + GAP + t->entropy;
	for (t->shown = 0; t->shown < t->widths; t->shown++) {
		/* The mark of what is left out needs its place too. */
		bool last = t->shown + 1 == s->columns.count;
		int wanted = GAP + t->width[t->shown];
		if (t->shown && wanted + (last ? 0 : GAP + 1) > room)
			break;
		room -= wanted;
	}
}

static bool asks_to_hide(const struct options *o)
{
	for (int k = 0; k < OPT_COUNT; k++)
		if (option_info((enum option)k)->group == GROUP_HIDING && !option_is_default(o, (enum option)k))
			return true;
	return false;
}

static void put_title(const struct table *t)
{
	const struct sheet *s = t->sheet;
	const struct attention *a = &s->attention;

	show_safe_text(t->out, s->request->scenario, t->ascii);
	buffer_format(t->out, "  %s", s->request->row_sums ? "row-sums" : stage_info(s->stage)->name);
	if (s->stage == STAGE_INPUT)
		buffer_format(t->out, " %s", array_name(s->array));
	if (s->has_columns)
		buffer_format(t->out, " (%zu, %zu)", s->rows.count, s->columns.count);
	else
		buffer_format(t->out, " (%zu,)", s->rows.count);
	buffer_format(t->out, "  %s", dtype_name(a->dtype));
	if (a->problem->heads > 1 && s->stage != STAGE_JOINED)
		buffer_format(t->out, "  head %zu of %zu", a->head, a->problem->heads);
	if (a->problem->source == SOURCE_WEIGHTS && asks_to_hide(s->request->options))
		buffer_text(t->out, "  masks do not apply to given weights");
	buffer_text(t->out, "\n");
	if (a->problem->mask_note[0]) {
		show_safe_text(t->out, a->problem->mask_note, t->ascii);
		buffer_text(t->out, "\n");
	}
	if (a->scale_note)
		buffer_format(t->out, "scale: %s\n", a->scale_note);
}

static void put_column_labels(const struct table *t)
{
	const struct sheet *s = t->sheet;
	char scratch[32];

	buffer_repeat(t->out, ' ', (size_t)t->label);
	for (size_t j = 0; j < t->shown; j++) {
		buffer_repeat(t->out, ' ', GAP);
		put_field(t, column_label(s, s->columns.first + j, scratch), t->width[j], true);
	}
	if (is_cut(t))
		buffer_format(t->out, "  %s", cut_mark(t));
	if (s->judged)
		buffer_format(t->out, "  | %*s %-*s  %*s  %*s", t->sum, "sum", t->verdict, "",
			      t->largest, "largest", t->entropy, "entropy");
	buffer_text(t->out, "\n");
}

static void put_beside(const struct table *t)
{
	const struct row *r = &t->sheet->row;
	char sum[DIGITS_SIZE], largest[DIGITS_SIZE], entropy[NUMBER_SIZE];

	beside_text(t, r->sum, sum);
	beside_text(t, r->largest, largest);
	number_fixed(r->entropy, 2, entropy);
	buffer_format(t->out, "  | %*s %-*s  %*s  %*s", t->sum, sum, t->verdict, verdict_name(r->verdict),
		      t->largest, largest, t->entropy, entropy);
}

static enum status put_rows(struct table *t, struct error *e)
{
	struct sheet *s = t->sheet;
	char scratch[32], text[DIGITS_SIZE];
	const double *v;
	enum status status;

	for (size_t i = s->rows.first; i < s->rows.first + s->rows.count; i++) {
		if ((status = sheet_row(s, i, &v, e)))
			return status;
		put_field(t, row_label(s, i, scratch), t->label, false);
		for (size_t j = 0; j < t->shown; j++) {
			size_t column = s->columns.first + j;
			cell_text(t, v[column], is_hidden(s, column), text);
			t->any_hidden |= is_hidden(s, column);
			buffer_repeat(t->out, ' ', GAP);
			put_field(t, text, t->width[j], true);
		}
		if (is_cut(t))
			buffer_format(t->out, "  %s", cut_mark(t));
		if (s->judged)
			put_beside(t);
		buffer_text(t->out, "\n");
	}
	return OK_STATUS;
}

static void put_notes(const struct table *t)
{
	if (t->any_hidden)
		buffer_format(t->out, "%s hidden\n", t->ascii ? "#" : "▚");
	if (is_cut(t))
		buffer_format(t->out, "%s %zu of %zu columns are left out; --cols or a larger COLUMNS shows them\n",
			      cut_mark(t), t->sheet->columns.count - t->shown, t->sheet->columns.count);
}

static enum status show_table(struct buffer *out, struct sheet *s, struct error *e)
{
	int precision = precision_or(s, TABLE_PRECISION);
	struct table t = {
		.sheet = s, .out = out, .ascii = s->request->ascii,
		.rule = { precision, precision + 9, s->stage == STAGE_WEIGHTS && s->has_columns, s->request->ascii },
		.sum = (int)strlen("sum"), .largest = (int)strlen("largest"), .entropy = (int)strlen("entropy"),
	};
	size_t most = (size_t)s->request->width / NARROWEST + 1;

	/* More columns than that cannot fit, however narrow they are. */
	t.widths = !s->has_columns ? 0 : !s->request->width || s->columns.count < most ? s->columns.count : most;
	t.width = calloc(t.widths + 1, sizeof *t.width);
	if (!t.width)
		return error_set(e, E_MEMORY, "no memory for %zu columns", t.widths);
	enum status status = measure_table(&t, e);
	if (!status) {
		choose_columns(&t);
		put_title(&t);
		put_column_labels(&t);
		status = put_rows(&t, e);
		put_notes(&t);
	}
	free(t.width);
	return status;
}

/* ---- all formats ---- */

/* Files of data have all digits, whatever people want to see. */
static enum status check_precision(const struct show_request *r, struct error *e)
{
	static const char *const full[SHOW_FORMAT_COUNT] = { [SHOW_CSV] = "csv", [SHOW_JSON] = "json", [SHOW_NPY] = "npy" };
	char value[32];

	if (!r->precision_given || !full[r->format])
		return OK_STATUS;
	snprintf(value, sizeof value, "%ld", r->options->precision);
	return error_option(e, E_VALUE, "precision", r->options->precision < 0 ? "auto" : value,
			    "%s has full precision; table, numpy and latex have digits to choose", full[r->format]);
}

enum status show(struct buffer *out, const struct show_request *request, struct error *e)
{
	static enum status (*const writer[])(struct buffer *, struct sheet *, struct error *) = {
		[SHOW_TABLE] = show_table, [SHOW_NUMPY] = show_numpy, [SHOW_CSV] = show_csv,
		[SHOW_JSON] = show_json, [SHOW_NPY] = show_npy, [SHOW_LATEX] = show_latex,
	};
	struct sheet s;
	enum status status = check_precision(request, e);

	if (status || (status = sheet_init(&s, request, e)))
		return status;
	status = writer[request->format](out, &s, e);
	sheet_free(&s);
	if (!status && out->failed)
		status = error_set(e, E_MEMORY, "no memory for what is to be shown");
	return status;
}
