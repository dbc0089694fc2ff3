/* write_worksheet.c - the state as a worksheet: the inputs, tables with blanks for
 * what follows from them, room to compute, and the answers on a page of their own.
 *
 * Numbers have a few digits, as on a blackboard, each rounded by itself from all its
 * digits. A sum is that of the numbers as they are; where the rounded terms would
 * give another, that is said.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"
#include "tui/show_parts.h"
#include "tui/write_page.h"

enum { MOST_QUERIES = 12, MOST_KEYS = 10, MOST_COLUMNS = 8, DIGITS = 2 };
/* Beyond e^EXPONENT_MOST a blackboard subtracts the maximum too. */
enum { EXPONENT_MOST = 9 };

enum question { ASK_SCORES, ASK_SCALED, ASK_MASK, ASK_EXP, ASK_WEIGHTS, ASK_OUTPUT, ASK_COUNT };

struct worksheet {
	struct page page;
	struct sheet *sheet;
	const struct attention *a;
	const struct problem *p;
	struct range queries;
	int digits;
	bool asked[ASK_COUNT];
};

/* ---- numbers ---- */

static void number_text(const struct worksheet *w, double x, char out[PAGE_CELL])
{
	char text[NUMBER_SIZE];

	if (fabs(x) >= 1e7 && isfinite(x))
		snprintf(text, sizeof text, "%.*e", w->digits, x);
	else
		number_fixed(x, w->digits, text);
	snprintf(out, PAGE_CELL, "%.*s", PAGE_CELL - 1, text);
}

/* Given numbers stand as they are. */
static void given_text(double x, char out[PAGE_CELL])
{
	char text[NUMBER_SIZE];

	number_plain(x, text);
	snprintf(out, PAGE_CELL, "%.*s", PAGE_CELL - 1, text);
}

static const struct row *query(const struct worksheet *w, size_t i)
{
	row_compute(&w->sheet->row, w->a, w->queries.first + i, STAGE_SCORES, STAGE_OUTPUT);
	return &w->sheet->row;
}

/* What a blackboard takes off a row's scores before e^x: nothing while they are small. */
static double taken_off(const struct worksheet *w, const struct row *r)
{
	bool naive = w->a->options.softmax_kind == SOFTMAX_NAIVE;

	return !naive && isfinite(r->maximum) && fabs(r->maximum) > EXPONENT_MOST ? r->maximum : 0;
}

static double exponential(const struct worksheet *w, const struct row *r, size_t j)
{
	return exp(r->masked[j] - taken_off(w, r));
}

static double exponential_sum(const struct worksheet *w, const struct row *r)
{
	double sum = 0;

	for (size_t j = 0; j < w->p->n_k; j++)
		sum += exponential(w, r, j);
	return sum;
}

/* ---- tables ---- */

/* One table: of an input array, or of a question with blanks or answers. */
struct view {
	const struct worksheet *w;
	const struct matrix *input;	/* NULL: a question */
	enum question question;
	bool answers;
	enum array array;
	char *made;			/* of TOKEN_SCRATCH: a token that is not given */
};

static size_t first_row(const struct view *v)
{
	return v->input && (v->array == ARRAY_K || v->array == ARRAY_V) ? 0 : v->w->queries.first;
}

static const char *row_name(const void *context, size_t i)
{
	const struct view *v = context;
	bool keys = v->input && (v->array == ARRAY_K || v->array == ARRAY_V);

	return keys ? token_at(&v->w->p->key_tokens, i, v->made) : token_at(&v->w->p->query_tokens, first_row(v) + i, v->made);
}

static size_t cells_of(const struct view *v)
{
	return v->question == ASK_OUTPUT ? v->w->p->d_v : v->w->p->n_k;
}

static const char *column_name(const void *context, size_t j)
{
	static const char *const digit[MOST_COLUMNS + 2] = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" };
	const struct view *v = context;
	bool keys = v->input ? v->array == ARRAY_SCORES || v->array == ARRAY_WEIGHTS : v->question != ASK_OUTPUT;

	if (!v->input && j == cells_of(v))
		return "\u03a3";
	return keys ? token_at(&v->w->p->key_tokens, j, v->made) : digit[j];
}

static double answer(const struct view *v, const struct row *r, size_t j)
{
	bool sum = j == cells_of(v);

	switch (v->question) {
	case ASK_SCORES:
		return r->scores[j];
	case ASK_SCALED:
		return r->scaled[j];
	case ASK_EXP:
		return sum ? exponential_sum(v->w, r) : exponential(v->w, r, j);
	case ASK_OUTPUT:
		return r->output[j];
	default:
		return sum ? r->sum : r->weights[j];
	}
}

static void cell(const void *context, size_t i, size_t j, char out[PAGE_CELL])
{
	static const char *const blank[] = {
		[PAGE_TEXT] = "______", [PAGE_MARKDOWN] = "\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0", [PAGE_HTML] = "",
	};
	const struct view *v = context;

	if (v->input) {
		given_text(matrix_at(v->input, first_row(v) + i, j), out);
	} else if (!v->answers) {
		snprintf(out, PAGE_CELL, "%s", blank[v->w->page.kind]);
	} else {
		const struct row *r = query(v->w, i);
		if (v->question == ASK_MASK)
			snprintf(out, PAGE_CELL, "%s", mask_hides(r->rules[j]) ? "X" : "O");
		else
			number_text(v->w, answer(v, r, j), out);
	}
}

static void put_input(const struct worksheet *w, enum array a, const char *heading)
{
	const struct matrix *m = problem_array(w->p, a, w->a->head);
	char made[TOKEN_SCRATCH];
	struct view v = { .w = w, .input = m, .array = a, .made = made };
	struct page_table t = { .corner = heading, .row = row_name, .column = column_name, .cell = cell, .context = &v };

	if (!m)
		return;
	t.rows = a == ARRAY_K || a == ARRAY_V ? w->p->n_k : w->queries.count;
	t.columns = m->columns;
	page_table(&w->page, &t);
}

static void put_question(const struct worksheet *w, enum question q, bool answers)
{
	static const char *const corner[] = {
		[ASK_SCORES] = "QK\u1d40", [ASK_SCALED] = "scaled", [ASK_MASK] = "mask", [ASK_EXP] = "e^x", [ASK_WEIGHTS] = "weights",
		[ASK_OUTPUT] = "output",
	};
	char made[TOKEN_SCRATCH];
	struct view v = { .w = w, .question = q, .answers = answers, .made = made };
	struct page_table t = { .corner = corner[q], .row = row_name, .column = column_name, .cell = cell, .context = &v };

	t.rows = w->queries.count;
	t.columns = cells_of(&v) + (q == ASK_EXP || q == ASK_WEIGHTS);
	page_table(&w->page, &t);
}

/* ---- words ---- */

static void question_text(const struct worksheet *w, enum question q, char *out, size_t size)
{
	const struct attention *a = w->a;
	bool masks = w->asked[ASK_MASK], masks_late = a->options.mask_at != MASK_BEFORE;
	char number[PAGE_CELL];

	switch (q) {
	case ASK_SCORES:
		snprintf(out, size, _("Scores: multiply each query by each key, number by number, and add up."));
		break;
	case ASK_SCALED:
		given_text(a->factor != 1 ? a->factor : a->divisor, number);
		if (a->options.scale_times != 1 || a->options.temperature.number != 1)
			snprintf(out, size, _("Scaled: apply the scale, and the temperature, as set above."));
		else if (a->options.scale.word == SCALE_SQRT && a->divisor != rint(a->divisor))
			snprintf(out, size, _("Scaled: divide every score by \u221a%zu \u2248 %.*f."), w->p->d_k, w->digits, a->divisor);
		else
			snprintf(out, size, a->factor != 1 ? _("Scaled: multiply every score by %s.") : _("Scaled: divide every score by %s."), number);
		break;
	case ASK_MASK:
		snprintf(out, size, _("Mask: write O where the query may see the key, X where the key is hidden."));
		break;
	case ASK_EXP:
		snprintf(out, size, masks && !masks_late ? _("e^x of every masked score, and the sum of each row. A hidden cell is what the fill makes of it.")
							 : _("e^x of every score, and the sum of each row."));
		break;
	case ASK_WEIGHTS:
		snprintf(out, size, masks && masks_late ? _("Weights: softmax of each row, and only then the mask, as set above; and what each row adds up to.")
							: _("Weights: softmax of each row, and what each row adds up to."));
		break;
	default:
		snprintf(out, size, _("Output: the rows of V, mixed by the weights."));
	}
}

static void put_settings(const struct worksheet *w)
{
	struct buffer text = { 0 };
	const struct options *o = w->sheet->request->options;

	buffer_text(&text, _("Set: "));
	size_t empty = text.size;
	for (int k = 0; k < OPT_COUNT; k++) {
		enum option_group group = option_info((enum option)k)->group;
		bool about_input = group == GROUP_INPUT && k != OPT_HEAD;	/* whose numbers are given */
		if (group == GROUP_VIEW || about_input || option_is_default(o, (enum option)k))
			continue;
		buffer_format(&text, "%s%s ", text.size > empty ? ", " : "", option_info((enum option)k)->name);
		option_text(o, (enum option)k, &text);
	}
	buffer_text(&text, text.size > empty ? "" : _("nothing but the defaults"));
	if (w->a->options.scale.word == SCALE_SQRT && w->p->d_k)
		buffer_format(&text, _("; d_k = %zu, so the scale is 1/\u221a%zu"), w->p->d_k, w->p->d_k);
	page_paragraph(&w->page, text.data ? text.data : "");
	w->page.out->failed |= text.failed;
	buffer_free(&text);
}

/* Where the rounded terms of a row add up to something else than is written. */
static void put_rounding(const struct worksheet *w, enum question q)
{
	struct view v = { .w = w, .question = q, .answers = true };

	for (size_t i = 0; i < w->queries.count; i++) {
		const struct row *r = query(w, i);
		char sum[PAGE_CELL], other[PAGE_CELL], text[512];
		double rounded = 0;
		for (size_t j = 0; j < w->p->n_k; j++)
			rounded += number_round(answer(&v, r, j), w->digits);
		number_text(w, answer(&v, r, w->p->n_k), sum);
		number_text(w, rounded, other);
		if (!isfinite(rounded) || !strcmp(sum, other))
			continue;
		snprintf(text, sizeof text, _("Row %zu: the sum is %s; the rounded terms would add up to %s."),
			 w->queries.first + i, sum, other);
		page_paragraph(&w->page, text);
	}
}

static void put_taken_off(const struct worksheet *w)
{
	for (size_t i = 0; i < w->queries.count; i++) {
		double off = taken_off(w, query(w, i));
		char number[PAGE_CELL], text[200];
		if (off == 0)
			continue;
		number_text(w, off, number);
		snprintf(text, sizeof text, _("Row %zu: %s, the largest score, is subtracted first; the shares stay the same."),
			 w->queries.first + i, number);
		page_paragraph(&w->page, text);
	}
}

/* A row that sees nothing is 0 / 0, or what the options make of it. */
static void put_empty_rows(const struct worksheet *w)
{
	for (size_t i = 0; i < w->queries.count; i++) {
		const struct row *r = query(w, i);
		char text[200];
		if (r->visible || w->p->source == SOURCE_WEIGHTS)
			continue;
		snprintf(text, sizeof text, isnan(r->sum) ? _("Row %zu: no key is visible, and 0 / 0 is no number.")
							  : _("Row %zu: no key is visible."), w->queries.first + i);
		page_paragraph(&w->page, text);
	}
}

/* ---- what is asked ---- */

static bool any_hidden(const struct worksheet *w)
{
	for (size_t i = 0; i < w->queries.count; i++) {
		const struct row *r = query(w, i);
		for (size_t j = 0; j < w->p->n_k; j++)
			if (mask_hides(r->rules[j]))
				return true;
	}
	return false;
}

static bool shows_q_and_k(const struct worksheet *w)
{
	return problem_has_qk(w->p) && w->p->d_k <= MOST_COLUMNS;
}

/* From what is given to the stage that is shown; from stage 0, everything. */
static void choose(struct worksheet *w)
{
	const struct options *o = &w->a->options;
	enum stage last = w->sheet->stage == STAGE_INPUT ? STAGE_OUTPUT : w->sheet->stage;
	bool known = w->p->source != SOURCE_WEIGHTS;
	bool scales = w->a->divisor != 1 || w->a->factor != 1 || o->temperature.number != 1;

	w->asked[ASK_SCORES] = known && shows_q_and_k(w);
	w->asked[ASK_SCALED] = known && scales && last >= STAGE_SCALED;
	w->asked[ASK_MASK] = known && last >= STAGE_MASKED && any_hidden(w);
	w->asked[ASK_EXP] = known && last >= STAGE_WEIGHTS && o->softmax == SOFTMAX_ROW && o->softmax_times == 1;
	w->asked[ASK_WEIGHTS] = last >= STAGE_WEIGHTS;
	w->asked[ASK_OUTPUT] = last >= STAGE_OUTPUT && w->p->d_v <= MOST_COLUMNS;
}

static bool asks_nothing(const struct worksheet *w)
{
	for (int q = 0; q < ASK_COUNT; q++)
		if (w->asked[q])
			return false;
	return true;
}

static enum status check(const struct worksheet *w, struct error *e)
{
	const struct sheet *s = w->sheet;

	if (s->stage == STAGE_JOINED)
		return error_option(e, E_VALUE, "stage", "joined", "a worksheet is of one head; another stage is expected");
	if (s->columns.count != s->all_columns)
		return error_option(e, E_VALUE, "cols", "", "a worksheet has whole rows; rows alone can be chosen");
	if (w->queries.count > MOST_QUERIES || w->p->n_k > MOST_KEYS)
		return error_set(e, E_LIMIT, "%zu queries and %zu keys are too many for a worksheet; at most %d and %d are expected",
				 w->queries.count, w->p->n_k, MOST_QUERIES, MOST_KEYS);
	return OK_STATUS;
}

/* ---- the pages ---- */

static void put_inputs(const struct worksheet *w)
{
	page_heading(&w->page, _("Given"));
	if (w->p->source == SOURCE_WEIGHTS) {
		put_input(w, ARRAY_WEIGHTS, "weights");
	} else if (shows_q_and_k(w)) {
		put_input(w, ARRAY_Q, "Q");
		put_input(w, ARRAY_K, "K");
	} else if (w->p->source == SOURCE_SCORES) {
		put_input(w, ARRAY_SCORES, "scores");
	} else {
		page_paragraph(&w->page, _("The queries and keys are too long to multiply by hand; these are their scores."));
		put_question(w, ASK_SCORES, true);
	}
	if (w->asked[ASK_OUTPUT] && w->p->identity_v)
		page_paragraph(&w->page, _("No V is given: it is the identity, 1 for a key itself and 0 for the others."));
	else if (w->asked[ASK_OUTPUT])
		put_input(w, ARRAY_V, "V");
	put_settings(w);
}

static void put_questions(const struct worksheet *w, bool answers)
{
	char text[300], numbered[320];
	int number = 0;

	for (int q = 0; q < ASK_COUNT; q++) {
		if (!w->asked[q])
			continue;
		question_text(w, (enum question)q, text, sizeof text);
		snprintf(numbered, sizeof numbered, "%d. %s", ++number, text);
		page_paragraph(&w->page, numbered);
		put_question(w, (enum question)q, answers);
		if (!answers)
			page_space(&w->page, 3);
		else if (q == ASK_EXP)
			put_taken_off(w);
		if (answers && (q == ASK_EXP || q == ASK_WEIGHTS))
			put_rounding(w, (enum question)q);
		if (answers && q == ASK_WEIGHTS)
			put_empty_rows(w);
	}
}

static void put_worksheet(const struct worksheet *w)
{
	const struct show_request *r = w->sheet->request;
	const char *title = r->input ? title_in(&r->input->title, message_in_force()) : "";
	char text[300];

	page_begin(&w->page, *title ? title : r->scenario, message_in_force());
	page_paragraph(&w->page, _("Name ____________________   Date ____________"));
	put_inputs(w);
	page_heading(&w->page, _("Questions"));
	snprintf(text, sizeof text, _("Write %d digits after the point. Keep all digits while you compute, and round at the end."), w->digits);
	page_paragraph(&w->page, text);
	put_questions(w, false);
	page_break(&w->page);
	page_heading(&w->page, _("Answers"));
	snprintf(text, sizeof text, _("Each number is rounded by itself to %d digits; sums are those of the numbers with all their digits."), w->digits);
	page_paragraph(&w->page, text);
	put_questions(w, true);
	page_end(&w->page);
}

enum status show_worksheet(struct buffer *out, struct sheet *s, struct error *e)
{
	static const enum page_kind kind[SHOW_FORMAT_COUNT] = {
		[SHOW_WORKSHEET] = PAGE_TEXT, [SHOW_WORKSHEET_MD] = PAGE_MARKDOWN, [SHOW_WORKSHEET_HTML] = PAGE_HTML,
	};
	struct worksheet w = {
		.page = { out, kind[s->request->format] }, .sheet = s, .a = &s->attention, .p = s->request->problem,
		.queries = s->rows_are_queries ? s->rows : (struct range){ 0, s->request->problem->n_q },
		.digits = sheet_precision(s, DIGITS),
	};
	enum status status = check(&w, e);

	if (status)
		return status;
	choose(&w);
	if (asks_nothing(&w))
		return error_option(e, E_VALUE, "stage", stage_info(s->stage)->name,
				    "nothing is left to ask here; a later stage is expected");
	put_worksheet(&w);
	return OK_STATUS;
}
