/* show_table.c - one stage as a table, with what the screen has beside it. */
#include "tui/show_parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "tui/digits.h"
#include "tui/text.h"

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
		token_put(out, cell->code[k]);
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
		t->width[j] = label_width(t, sheet_column_label(s, s->columns.first + j, scratch));
	for (size_t i = s->rows.first; i < s->rows.first + s->rows.count; i++) {
		if ((status = sheet_row(s, i, &v, e)))
			return status;
		t->label = widest(t->label, label_width(t, sheet_row_label(s, i, scratch)));
		for (size_t j = 0; j < t->widths; j++) {
			size_t column = s->columns.first + j;
			t->width[j] = widest(t->width[j], cell_text(t, v[column], sheet_hides(s, column), text));
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
		put_field(t, sheet_column_label(s, s->columns.first + j, scratch), t->width[j], true);
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
		put_field(t, sheet_row_label(s, i, scratch), t->label, false);
		for (size_t j = 0; j < t->shown; j++) {
			size_t column = s->columns.first + j;
			cell_text(t, v[column], sheet_hides(s, column), text);
			t->any_hidden |= sheet_hides(s, column);
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

enum status show_table(struct buffer *out, struct sheet *s, struct error *e)
{
	int precision = sheet_precision(s, TABLE_PRECISION);
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
