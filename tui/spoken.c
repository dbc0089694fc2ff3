/* spoken.c - the screen told in lines. */
#include "tui/spoken.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"
#include "core/utf8.h"
#include "tui/compare.h"
#include "tui/layout.h"
#include "tui/spoken_parts.h"
#include "tui/text.h"
#include "tui/view_parts.h"

enum { FEW = 12, ROWS_TOLD = 12, COLUMNS_TOLD = 12 };

/* ---- numbers and names ---- */

static void put_number(const struct state *s, double x, struct buffer *out)
{
	char text[NUMBER_SIZE];
	int precision = state_precision(s);

	if (!isfinite(x) || x == 0)
		number_plain(x == 0 ? 0 : x, text);
	else if (fabs(x) < 0.5 * pow(10, -precision) || fabs(x) >= 1e6)
		snprintf(text, sizeof text, "%.2g", x);
	else
		number_fixed(x, precision, text);
	buffer_text(out, text);
}

/* A token as it is safe to write: no control character, no escape sequence. */
static void put_label(const struct state *s, const char *text, struct buffer *out)
{
	struct text_reader reader;
	struct cell cell;
	char bytes[4];

	text_begin(&reader, text, strlen(text), state_look(s).ascii);
	while (text_read(&reader, &cell))
		for (int k = 0; k < cell.count; k++)
			buffer_put(out, bytes, utf8_encode(cell.code[k], bytes));
}

static void put_row_name(const struct state *s, size_t i, struct buffer *out)
{
	char scratch[32];

	buffer_format(out, _("row %zu "), i);
	put_label(s, state_row_label(s, i, scratch), out);
}

/* A column without a token has its number for a name. */
static void put_column_name(const struct state *s, size_t j, struct buffer *out)
{
	char scratch[32];

	buffer_format(out, _("column %zu"), j);
	if (state_is_grid(s)) {
		buffer_text(out, " ");
		put_label(s, state_column_label(s, j, scratch), out);
	}
}

static void put_sum(const struct state *s, const struct row *r, struct buffer *out)
{
	const char *cause = view_cause(s, r);

	buffer_text(out, state_stage(s) == STAGE_WEIGHTS ? _("row sum ") : _("row sum of the weights "));
	put_number(s, r->sum, out);
	buffer_format(out, " %s", _(verdict_name(r->verdict)));
	if (*cause)
		buffer_format(out, " (%s)", cause);
}

/* ---- one cell ---- */

static bool is_difference(const struct state *s)
{
	return compare_shown(s) == COMPARE_DIFFERENCE;
}

/* A's number there; NULL where it has none. */
static const double *other_value(struct state *s, size_t i, size_t j)
{
	size_t rows, columns;
	const double *a = compare_values(s, i);

	compare_shape(s, &rows, &columns);
	return a && j < columns ? a + j : NULL;
}

static void put_value(struct state *s, size_t i, size_t j, struct buffer *out)
{
	double x = state_values(s, i)[j];
	const char *asked = panel_asked(s, i, j);

	if (asked) {
		buffer_text(out, strcmp(asked, "?") ? asked : _("asked for"));
		return;
	}
	if (is_difference(s)) {
		const double *a = other_value(s, i, j);
		if (a)
			put_number(s, compare_difference(*a, x), out);
		buffer_text(out, a ? "" : _("only in B"));
		return;
	}
	put_number(s, x, out);
	if (state_stage(s) == STAGE_WEIGHTS && (x < 0 || x > 1 + 1e-9))
		buffer_text(out, _(", outside 0 to 1"));
}

/* A difference has no mask of its own. */
static bool tells_masks(const struct state *s, size_t i, size_t j)
{
	bool from_masks = state_stage(s) == STAGE_MASKED || state_stage(s) == STAGE_WEIGHTS;

	return from_masks && !is_difference(s) && !panel_asked(s, i, j);
}

static void put_difference(struct state *s, size_t i, size_t j, struct buffer *out)
{
	const double *a = other_value(s, i, j);

	if (!a || panel_asked(s, i, j))
		return;
	if (is_difference(s)) {
		buffer_text(out, _(", B - A; in B "));
		put_number(s, state_values(s, i)[j], out);
	}
	buffer_text(out, _(", in A "));
	put_number(s, *a, out);
}

void spoken_cell(struct state *s, struct buffer *out)
{
	size_t i = s->row, j = s->column;
	const struct row *query;

	put_row_name(s, i, out);
	buffer_text(out, ", ");
	put_column_name(s, j, out);
	buffer_text(out, ": ");
	put_value(s, i, j, out);
	query = state_query(s, i);
	if (query && tells_masks(s, i, j)) {
		buffer_text(out, ", ");
		view_mask_text(s, query, j, out);
	}
	if (compare_shown(s))
		put_difference(s, i, j, out);
	query = state_query(s, i);
	if (query && !is_difference(s) && !panel_asks_row(s, i)) {
		buffer_text(out, "; ");
		put_sum(s, query, out);
	}
}

/* ---- the grid ---- */

/* "row 1 tok: 0.269, 0.731, 0 hidden; row sum 1.000 ok" */
static void put_row(struct state *s, size_t i, size_t columns, struct buffer *out)
{
	size_t n = columns < COLUMNS_TOLD ? columns : COLUMNS_TOLD;
	size_t first = s->column < n ? 0 : s->column - n + 1;
	const struct row *query;

	put_row_name(s, i, out);
	buffer_text(out, ":");
	if (first)
		buffer_format(out, _(" from column %zu on,"), first);
	for (size_t j = first; j < first + n; j++) {
		buffer_text(out, j > first ? ", " : " ");
		put_value(s, i, j, out);
		query = state_query(s, i);
		if (query && tells_masks(s, i, j) && mask_hides(query->rules[j]))
			buffer_text(out, _(" hidden"));
	}
	if (first + n < columns)
		buffer_format(out, _(", %zu more"), columns - first - n);
	query = state_query(s, i);
	if (query && !is_difference(s) && !panel_asks_row(s, i)) {
		buffer_text(out, "; ");
		put_sum(s, query, out);
	}
	buffer_text(out, "\n");
}

static void put_stage(struct state *s, size_t rows, size_t columns, struct buffer *out)
{
	enum stage stage = state_stage(s);

	if (stage == STAGE_INPUT)
		buffer_format(out, _("stage 0 input %s, %zu rows, %zu columns\n"), array_name(state_array(s)), rows, columns);
	else
		buffer_format(out, _("stage %d %s, %zu rows, %zu columns\n"), (int)stage, stage_info(stage)->name, rows, columns);
	if (!state_is_grid(s))
		return;
	buffer_text(out, _("columns:"));
	for (size_t j = 0; j < columns && j < COLUMNS_TOLD; j++) {
		char scratch[32];
		buffer_text(out, j ? ", " : " ");
		put_label(s, state_column_label(s, j, scratch), out);
	}
	if (columns > COLUMNS_TOLD)
		buffer_format(out, _(", %zu more"), columns - COLUMNS_TOLD);
	buffer_text(out, "\n");
}

/* The rows that are on the screen: others may not be computed. */
static void put_grid(struct state *s, const struct layout *l, struct buffer *out)
{
	size_t rows, columns;

	state_shape(s, &rows, &columns);
	put_stage(s, rows, columns, out);
	for (size_t i = s->top; i < rows && i < s->top + l->visible_rows && rows <= ROWS_TOLD; i++)
		put_row(s, i, columns, out);
	if (rows > ROWS_TOLD)
		put_row(s, s->row, columns, out);
}

/* ---- what a key changed ---- */

/* "0.269", "0 hidden". */
static void put_short(struct state *s, size_t i, size_t j, struct buffer *out)
{
	put_value(s, i, j, out);
	const struct row *query = state_query(s, i);
	if (query && tells_masks(s, i, j) && mask_hides(query->rules[j]))
		buffer_text(out, _(" hidden"));
}

/* The numbers of the window that the flash compares, as they are told. */
static struct spoken_text numbers_of(struct state *s, const struct layout *l)
{
	struct spoken_text t = { 0 };
	size_t rows, columns;

	state_shape(s, &rows, &columns);
	rows = rows - s->top < l->visible_rows ? rows - s->top : l->visible_rows;
	columns = columns - s->left < l->visible_columns ? columns - s->left : l->visible_columns;
	t.line = calloc(rows * columns + 1, sizeof *t.line);
	for (size_t k = 0; t.line && k < rows * columns; k++) {
		struct buffer text = { 0 };
		put_short(s, s->top + k / columns, s->left + k % columns, &text);
		t.line[t.n++] = text.data;
	}
	return t;
}

/* "row 1 tok, column 2 tok: 0.269 -> 0.242", unless both are told alike. */
static void put_changed_cell(struct state *s, size_t i, size_t j, const char *before, const char *now, struct buffer *out)
{
	if (!now || (before && !strcmp(before, now)))
		return;
	put_row_name(s, i, out);
	buffer_text(out, ", ");
	put_column_name(s, j, out);
	if (before && !panel_asked(s, i, j))
		buffer_format(out, ": %s -> %s\n", before, now);
	else
		buffer_format(out, ": %s\n", now);
}

static size_t count_changed(const struct flash *f)
{
	size_t n = 0;

	for (size_t k = 0; k < f->rows * f->columns; k++)
		n += f->changed[k];
	return n;
}

/* What is said of the sums of the rows on the screen; NULL where nothing is. */
static struct spoken_text sums_of(struct state *s, const struct layout *l)
{
	struct spoken_text t = { 0 };
	size_t rows, columns;

	state_shape(s, &rows, &columns);
	t.line = calloc(l->visible_rows + 1, sizeof *t.line);
	for (size_t i = s->top; t.line && i < rows && t.n < l->visible_rows; i++) {
		const struct row *query = state_query(s, i);
		struct buffer text = { 0 };
		if (query && !panel_asks_row(s, i))
			put_sum(s, query, &text);
		t.line[t.n++] = text.data;
	}
	return t;
}

/* Sums that are told as something else now: most move in their last digit alone. */
static void put_changed_sums(const struct spoken *told, const struct state *s, const struct spoken_text *now, struct buffer *out)
{
	const struct flash *f = &s->flash;
	size_t n = 0;

	for (size_t i = 0; i < f->rows && i < now->n && f->top == s->top; i++) {
		const char *before = told->top == s->top && i < told->sums.n ? told->sums.line[i] : NULL;
		if (!f->sum_changed[i] || !now->line[i] || (before && !strcmp(before, now->line[i])))
			continue;
		if (n++ >= ROWS_TOLD)
			continue;
		buffer_text(out, n > 1 ? "\n" : "");
		put_row_name(s, f->top + i, out);
		buffer_format(out, ": %s", now->line[i]);
	}
	if (n > ROWS_TOLD)
		buffer_format(out, _(", %zu more"), n - ROWS_TOLD);
	buffer_text(out, n ? "\n" : "");
}

/* How many numbers moved, and which if they are few; else those of the cursor's row. */
static void put_changes(const struct spoken *told, struct state *s, const struct spoken_text *sums,
			const struct spoken_text *numbers, struct buffer *out)
{
	const struct flash *f = &s->flash;
	size_t rows, columns, n = f->on ? count_changed(f) : 0, all = f->rows * f->columns;
	bool same_window = told->top == f->top && told->left == f->left && told->numbers.n == all;

	if (!f->on)
		return;
	state_shape(s, &rows, &columns);
	if (f->rows == rows && f->columns == columns)
		buffer_format(out, _("changed: %zu of %zu cells\n"), n, rows * columns);
	else
		buffer_format(out, _("changed: %zu of the cells in rows %zu to %zu, columns %zu to %zu\n"), n, f->top,
			      f->top + f->rows - 1, f->left, f->left + f->columns - 1);
	for (size_t k = 0; k < all && k < numbers->n && n <= FEW; k++)
		if (f->changed[k])
			put_changed_cell(s, f->top + k / f->columns, f->left + k % f->columns, same_window ? told->numbers.line[k] : NULL,
					 numbers->line[k], out);
	if (n > FEW)
		put_row(s, s->row, columns, out);
	put_changed_sums(told, s, sums, out);
}

/* ---- the line that is typed ---- */

static void end_typed(struct spoken *told, struct buffer *out)
{
	if (told->typed)
		buffer_text(out, "\n");
	free(told->typed);
	told->typed = NULL;
}

/* What was added is echoed; any other change tells the line anew. */
static void put_typed(struct spoken *told, const struct state *s, struct buffer *out)
{
	const char *text = s->prompt.text;
	size_t n = told->typed ? strlen(told->typed) : 0;

	if (told->typed && !strncmp(text, told->typed, n)) {
		put_label(s, text + n, out);
	} else {
		end_typed(told, out);
		buffer_text(out, view_prompt_lead(s));
		put_label(s, text, out);
	}
	free(told->typed);
	told->typed = strdup(text);
}

/* ---- all of it ---- */

void spoken_free(struct spoken *told)
{
	spoken_text_free(&told->panel);
	spoken_text_free(&told->lesson);
	spoken_text_free(&told->live);
	spoken_text_free(&told->list);
	spoken_text_free(&told->sums);
	spoken_text_free(&told->numbers);
	spoken_text_free(&told->compare);
	cells_free(&told->cells);
	free(told->typed);
	*told = (struct spoken){ 0 };
}

void spoken_again(struct spoken *told)
{
	spoken_text_free(&told->panel);
	spoken_text_free(&told->lesson);
	spoken_text_free(&told->live);
	spoken_text_free(&told->list);
	spoken_text_free(&told->compare);
	told->begun = false;
}

static void put_sentence(struct spoken *told, const struct state *s, struct buffer *out)
{
	if ((told->begun && told->said == s->said) || !s->sentence[0])
		return;
	if (s->sentence_is_error)
		buffer_text(out, _("error: "));
	put_label(s, s->sentence, out);
	buffer_text(out, "\n");
}

/* Switches as they are drawn, at first and when another input is opened. */
static void put_switches(struct spoken *told, const struct state *s, const struct layout *l, struct buffer *out)
{
	char *line = s->mode != MODE_HELP && s->mode != MODE_PICKER && l->switches >= 0 ? spoken_line(&told->cells, l->switches, told->cells.columns) : NULL;

	if (line)
		buffer_format(out, "%s\n", line);
	free(line);
}

/* What tells B from A, and how much differs: while they are compared. */
static void put_comparison(struct spoken *told, struct state *s, struct buffer *out)
{
	struct spoken_text now = { 0 };
	struct buffer what = { 0 }, line = { 0 }, found = { 0 };

	if (compare_shown(s) && (now.line = calloc(2, sizeof *now.line))) {
		compare_text(s, &what);
		buffer_format(&line, "A -> B: %s", what.data ? what.data : "");
		buffer_free(&what);
		view_compare_found(s, &found);
		now.line[now.n++] = line.data;
		now.line[now.n++] = found.data;
	}
	spoken_text_put(&told->compare, now, out);
}

static void put_matrix(struct spoken *told, struct state *s, const struct layout *l, struct buffer *out)
{
	bool opened = !told->begun || told->scenario != s->now.scenario;
	size_t rows, columns;

	state_shape(s, &rows, &columns);
	bool other = opened || told->rows != rows || told->columns != columns || told->stage != (int)state_stage(s) ||
		     (state_stage(s) == STAGE_INPUT && told->array != (int)state_array(s));
	double value = state_values(s, s->row)[s->column];
	bool same = !memcmp(&value, &told->value, sizeof value) || (isnan(value) && isnan(told->value));

	struct spoken_text sums = sums_of(s, l), numbers = numbers_of(s, l);
	bool compares = told->compared != (int)compare_shown(s);
	if (opened)
		put_switches(told, s, l, out);
	put_comparison(told, s, out);
	/* A difference is told as a whole: each of its numbers has two that may have changed. */
	if (other || (is_difference(s) && (compares || s->flash.on)))
		put_grid(s, l, out);
	else
		put_changes(told, s, &sums, &numbers, out);
	bool told_it = s->flash.on && !is_difference(s);		/* among those that changed */
	bool asks = told->panel_number != spoken_panel_number(s) && panel_asks(s);
	if (other || compares || asks || told->row != s->row || told->column != s->column || (!same && !told_it)) {
		spoken_cell(s, out);
		buffer_text(out, "\n");
	}
	spoken_text_free(&told->sums);
	told->sums = sums;
	spoken_text_free(&told->numbers);
	told->numbers = numbers;
	told->top = s->top;
	told->left = s->left;
	told->compared = (int)compare_shown(s);
	told->scenario = s->now.scenario;
	told->stage = (int)state_stage(s);
	told->array = (int)state_array(s);
	told->rows = rows;
	told->columns = columns;
	told->row = s->row;
	told->column = s->column;
	told->value = value;
	state_end_flash(s);
}

void spoken_lines(struct spoken *told, struct state *s, struct buffer *out)
{
	struct layout l;
	struct error e = { 0 };

	if (s->mode == MODE_PROMPT) {
		put_typed(told, s, out);
		return;
	}
	end_typed(told, out);
	if (!told->cells.cell && cells_init(&told->cells, s->rows, s->columns, &e))
		return;
	view_draw(s, &told->cells, NULL);
	layout_make(&l, s);
	put_sentence(told, s, out);
	if (s->mode != MODE_HELP && s->mode != MODE_PICKER && !panel_is_whole(s))
		put_matrix(told, s, &l, out);
	spoken_panels(told, s, &l, out);
	told->begun = true;
	told->said = s->said;
}
