/* view_detail.c - the lines below the grid: the cell under the cursor, by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/message.h"
#include "core/utf8.h"
#include "tui/compare.h"
#include "tui/panel_lesson.h"
#include "tui/text.h"
#include "tui/view_parts.h"

void view_short_number(double x, int digits, char out[NUMBER_SIZE])
{
	char *end;

	if (!isfinite(x) || fabs(x) >= 1e6 || (x != 0 && fabs(x) < 1e-4)) {
		if (isfinite(x))
			snprintf(out, NUMBER_SIZE, "%.*g", digits, x);
		else
			number_plain(x, out);
		return;
	}
	number_fixed(x, digits, out);
	for (end = out + strlen(out); end > out && end[-1] == '0';)
		*--end = '\0';
	if (end > out && end[-1] == '.')
		end[-1] = '\0';
	if (x != 0 && (!strcmp(out, "0") || !strcmp(out, "-0")))	/* small is not zero */
		snprintf(out, NUMBER_SIZE, "%.*g", digits, x);
	else if (!strcmp(out, "-0"))
		snprintf(out, NUMBER_SIZE, "0");
}

static void short_number(double x, char out[NUMBER_SIZE])
{
	view_short_number(x, 4, out);
}

/* As on a blackboard: two digits, 0 for a hidden one. */
static void board_number(double x, char out[NUMBER_SIZE])
{
	if (x == 0)
		snprintf(out, NUMBER_SIZE, "0");
	else if (!isfinite(x))
		number_plain(x, out);
	else if (fabs(x) >= 1e5 || fabs(x) < 0.005)
		snprintf(out, NUMBER_SIZE, "%.1e", x);
	else
		number_fixed(x, 2, out);
}

static void rules_text(rules r, struct buffer *out)
{
	const char *before = "";

	for (int k = 0; k < RULE_COUNT; k++)
		if (r & (1u << k)) {
			buffer_format(out, "%s%s", before, mask_rule_name(k));
			before = "+";
		}
}

void view_mask_text(const struct state *s, const struct row *r, size_t j, struct buffer *out)
{
	if (mask_hides(r->rules[j])) {
		buffer_text(out, _("hidden by "));
		rules_text(r->rules[j], out);
	} else if (r->rules[j] & RULE_KEPT && r->rules[j] & ~RULE_KEPT) {
		buffer_text(out, _("kept ("));
		rules_text(r->rules[j] & (rules)~RULE_KEPT, out);
		buffer_text(out, _(" would hide it)"));
	} else if (s->problem->bias.v || mask_bias(s->problem, r->index, j) != 0) {
		buffer_text(out, _("visible, biased"));
	} else {
		buffer_text(out, _("visible"));
	}
}

static void scale_step(const struct attention *a, int digits, struct buffer *out)
{
	char number[NUMBER_SIZE];

	if (a->divisor != 1) {
		view_short_number(a->divisor, digits, number);
		buffer_format(out, "/%s", number);
	} else {
		view_short_number(a->factor, digits, number);
		buffer_format(out, "x%s", number);
	}
	if (a->options.scale_times == 2)
		buffer_text(out, _(" twice"));
	if (a->options.temperature.number != 1) {
		view_short_number(a->options.temperature.number, digits, number);
		buffer_format(out, " /T %s", number);
	}
}

/* "2 -> x1 -> visible -> e^(2-2)=1 / 1.3679 = 0.7311" */
static void softmax_step(const struct attention *a, const struct row *r, size_t j, int digits, struct buffer *out)
{
	const struct options *o = &a->options;
	bool stable = o->softmax_kind == SOFTMAX_STABLE;
	double maximum = r->maximum, denominator = r->denominator;
	char x[NUMBER_SIZE], m[NUMBER_SIZE], e[NUMBER_SIZE], d[NUMBER_SIZE], w[NUMBER_SIZE];

	if (a->columns.sum) {
		maximum = a->columns.maximum[j];
		denominator = a->columns.sum[j];
	}
	double power = exp(stable ? r->masked[j] - maximum : r->masked[j]);
	view_short_number(r->masked[j], digits, x);
	view_short_number(maximum, digits, m);
	view_short_number(power, digits, e);
	view_short_number(denominator, digits, d);
	bool later = o->softmax_times == 2 || o->mask_at != MASK_BEFORE || o->dropout.number > 0;
	view_short_number(later ? power / denominator : r->weights[j], digits, w);
	if (stable)
		buffer_format(out, "e^(%s%s%s)=%s / %s = %s", x, *m == '-' ? "+" : "-", *m == '-' ? m + 1 : m, e, d, w);
	else
		buffer_format(out, "e^%s=%s / %s = %s", x, e, d, w);
	if (a->columns.sum)
		buffer_text(out, _(" (column)"));
	if (!later)
		return;
	/* What happens after the softmax stands behind its own result. */
	if (o->softmax_times == 2)
		buffer_text(out, _(", softmax again"));
	if (o->mask_at != MASK_BEFORE)
		buffer_text(out, mask_hides(r->rules[j]) ? " x0" : o->mask_at == MASK_AFTER ? " x1" : _(", renormalised"));
	if (o->dropout.number > 0)
		buffer_text(out, _(", dropout"));
	view_short_number(r->weights[j], digits, w);
	buffer_format(out, " = %s", w);
}

/* A token as the line has room for it. */
static void label(const struct canvas *c, const char *token, struct buffer *out)
{
	int most = c->s->columns / 8 < 6 ? 6 : c->s->columns / 8 > 24 ? 24 : c->s->columns / 8, used = 0;
	char text[24 * 4 * CLUSTER_MAX + 4];
	size_t n = 0, room = 0;
	struct text_reader reader;
	struct cell cell;

	text_begin(&reader, token, strlen(token), c->look.ascii);
	while (text_read(&reader, &cell)) {
		if (used + cell.width > most) {
			n = room;
			n += utf8_encode(c->look.ascii ? '~' : 0x2026, text + n);
			break;
		}
		for (int k = 0; k < cell.count; k++)
			n += utf8_encode(cell.code[k], text + n);
		used += cell.width;
		if (used < most)
			room = n;
	}
	buffer_put(out, text, n);
}

/* The result with as little before it as a narrow screen asks for. */
static void brief_cell(const struct canvas *c, const struct row *r, size_t j, bool exponent, bool bare, struct buffer *out)
{
	const struct state *s = c->s;
	const struct attention *a = &s->grid.attention;
	char number[NUMBER_SIZE];

	/* What hides a cell is said for as long as its weight still fits behind. */
	if (mask_hides(r->rules[j]) && !bare) {
		view_mask_text(s, r, j, out);
		buffer_text(out, " -> ");
	}
	if (exponent && state_stage(s) == STAGE_MASKED && mask_hides(r->rules[j])) {
		number_plain(r->masked[j], number);
		buffer_format(out, "%s -> ", number);
	} else if (exponent && (r->visible || a->options.empty_row == EMPTY_LITERAL)) {
		if (!mask_hides(r->rules[j])) {
			short_number(r->scores[j], number);
			buffer_format(out, "%s -> ", number);
		}
		softmax_step(a, r, j, 2, out);
		return;
	}
	short_number(r->weights[j], number);
	buffer_format(out, _("weight = %s"), number);
}

/* The row that these lines are about: of long inputs as far as it is seen. */
static const struct row *row_at_cursor(struct state *s)
{
	return s->long_view.on ? long_view_row(s, s->row) : grid_row(&s->grid, s->row, STAGE_WEIGHTS);
}

/* digits below 2: the short forms. */
static void grid_cell(struct canvas *c, int digits, struct buffer *out)
{
	struct state *s = c->s;
	const struct attention *a = &s->grid.attention;
	const struct row *r = row_at_cursor(s);
	size_t j = s->column;
	char number[NUMBER_SIZE];

	label(c, token_label(&s->problem->query_tokens, s->row), out);
	buffer_text(out, " <- ");
	label(c, token_label(&s->problem->key_tokens, j), out);
	buffer_text(out, "   ");
	if (s->problem->source == SOURCE_WEIGHTS) {
		number_plain(r->weights[j], number);
		buffer_format(out, _("weight %s, as given"), number);
		return;
	}
	if (digits < 2) {
		brief_cell(c, r, j, digits == 1, digits < 0, out);
		return;
	}
	view_short_number(r->scores[j], digits, number);
	buffer_format(out, "%s%s -> ", number, r->overridden[j] ? _(" (edited)") : "");
	scale_step(a, digits, out);
	buffer_text(out, " -> ");
	view_mask_text(s, r, j, out);
	buffer_text(out, " -> ");
	if (state_stage(s) == STAGE_MASKED && mask_hides(r->rules[j])) {
		number_plain(r->masked[j], number);
		buffer_format(out, "%s -> ", number);
	}
	if (!r->visible && a->options.empty_row != EMPTY_LITERAL) {
		view_short_number(r->weights[j], digits, number);
		buffer_format(out, _("%s by empty-row"), number);
	} else {
		softmax_step(a, r, j, digits, out);
	}
}

/* 0 times inf or nan is nan: a V that no mask stops. */
static void say_leak(struct state *s, struct buffer *out)
{
	const struct matrix *v = problem_array(s->problem, ARRAY_V, s->grid.attention.head);
	const struct row *r = grid_row(&s->grid, s->row, STAGE_OUTPUT);
	char number[NUMBER_SIZE];

	for (size_t j = 0; v && j < s->problem->n_k; j++) {
		double x = matrix_at(v, j, s->column);
		if (isfinite(x) || r->weights[j] != 0)
			continue;
		number_plain(x, number);
		buffer_format(out, _("   0 x %s from key %zu: no mask stops that"), number, j);
		return;
	}
}

static void other_cell(struct canvas *c, struct buffer *out)
{
	struct state *s = c->s;
	char number[NUMBER_SIZE], scratch[32];
	double x = state_values(s, s->row)[s->column];

	number_plain(x, number);
	switch (state_stage(s)) {
	case STAGE_OUTPUT:
	case STAGE_JOINED:
		buffer_format(out, "%s ", stage_info(state_stage(s))->name);
		label(c, token_label(&s->problem->query_tokens, s->row), out);
		buffer_format(out, _(", column %zu = %s"), s->column, number);
		if (state_stage(s) == STAGE_OUTPUT && !isfinite(x))
			say_leak(s, out);
		break;
	default:
		buffer_format(out, _("%s[%zu, %zu] = %s   row %s"), array_name(state_array(s)), s->row, s->column, number,
			      state_row_label(s, s->row, scratch));
		break;
	}
}

static void cell_line(struct canvas *c)
{
	struct buffer text = { 0 };

	if (c->l.cell < 0)
		return;
	if (!state_is_grid(c->s))
		other_cell(c, &text);
	/* Fewer digits, then fewer steps, rather than a line that loses its result. */
	for (int digits = 4; digits >= -1 && state_is_grid(c->s); digits--) {
		buffer_free(&text);
		grid_cell(c, digits, &text);
		if (text_width(text.data ? text.data : "", c->look.ascii) <= c->s->columns)
			break;
	}
	pane_text(&c->screen, c->l.cell, 0, text.data ? text.data : "", c->s->columns, color_paint(&c->look, PAINT_TEXT));
	buffer_free(&text);
}

/* ---- the dot product or the mix, term by term, where there is room ---- */

/* What is multiplied and added up: a row of Q with one of K, or weights with a column of V. */
struct factors {
	const struct matrix *left;		/* NULL: the weights */
	const double *weights;
	const struct matrix *right;
	size_t row, column;			/* of left, and of what is right: a row of K, a column of V */
	size_t n;
	double result;
};

/* Terms a_k x b_k; when they do not fit, the middle is folded and said so. */
static void some_terms(struct buffer *out, const struct factors *f, size_t shown)
{
	size_t n = f->n;
	char x[NUMBER_SIZE], y[NUMBER_SIZE];

	for (size_t k = 0; k < n; k++) {
		if (n > shown && k == shown - 1) {
			buffer_format(out, _(" + ... %zu more ... "), n - shown);
			k = n - 1;
		}
		short_number(f->left ? matrix_at(f->left, f->row, k) : f->weights[k], x);
		short_number(f->left ? matrix_at(f->right, f->column, k) : matrix_at(f->right, k, f->column), y);
		buffer_format(out, "%s%sx%s", k ? " + " : "", x, y);
	}
	number_plain(f->result, x);
	buffer_format(out, " = %s", x);
}

/* As many terms as leave room for the result. */
static void terms(struct buffer *out, const struct factors *f, int room)
{
	size_t n = f->n, most = room / 8 < 2 ? 2 : (size_t)(room / 8);

	for (size_t shown = n < most ? n : most; shown; shown--) {
		struct buffer text = { 0 };
		some_terms(&text, f, shown);
		bool fits = text.size <= (size_t)room || shown <= 2;
		if (fits)
			buffer_text(out, text.data ? text.data : "");
		buffer_free(&text);
		if (fits)
			return;
	}
}

static void products_line(struct canvas *c)
{
	struct state *s = c->s;
	const struct problem *p = s->problem;
	struct buffer text = { 0 };
	size_t head = s->grid.attention.head;

	if (c->l.products < 0)
		return;
	if (state_is_grid(s) && problem_has_qk(p) && s->grid.attention.options.transpose) {
		const struct row *r = row_at_cursor(s);
		buffer_text(&text, "q.k  ");
		const struct factors f = { problem_array(p, ARRAY_Q, head), NULL, problem_array(p, ARRAY_K, head), s->row, s->column,
					   p->d_k, r->scores[s->column] };
		terms(&text, &f, s->columns - 15);
		if (r->overridden[s->column])
			buffer_text(&text, _(" (edited)"));
	} else if (state_stage(s) == STAGE_OUTPUT) {
		const struct row *r = grid_row(&s->grid, s->row, STAGE_OUTPUT);
		const struct matrix *v = problem_array(p, ARRAY_V, head);
		buffer_text(&text, v ? "w.v  " : _("V is not given: the output is the weights"));
		if (v)
			terms(&text, &(struct factors){ NULL, r->weights, v, s->row, s->column, p->n_k, r->output[s->column] }, s->columns - 15);
	}
	pane_text(&c->screen, c->l.products, 0, text.data ? text.data : "", c->s->columns, color_paint(&c->look, PAINT_MUTED));
	buffer_free(&text);
}

/* ---- by hand ---- */

static void hand_term(const struct row *r, size_t j, bool masked_before, struct buffer *out)
{
	char x[NUMBER_SIZE], e[NUMBER_SIZE];

	if (mask_hides(r->rules[j]) && (r->masked[j] == -INFINITY || !masked_before)) {
		buffer_text(out, _("  hidden"));
		return;
	}
	short_number(r->masked[j], x);
	board_number(exp(r->masked[j]), e);
	buffer_format(out, "  e^%s=%s", x, e);
}

/* The keys that a line has room for: the first, and those beside the cursor. */
static void hand_range(const struct state *s, size_t n, size_t shown, size_t *first)
{
	*first = 0;
	if (n > shown && s->column >= shown)
		*first = s->column - shown + 1;
}

/* sum: of all e^masked; left: of those that no mask hides. */
static void hand_text(struct canvas *c, const struct row *r, size_t shown, double sum, double left, struct buffer *out)
{
	struct state *s = c->s;
	const struct attention *a = &s->grid.attention;
	bool before = a->options.mask_at == MASK_BEFORE, renormalised = a->options.mask_at == MASK_AFTER_RENORM;
	size_t n = s->problem->n_k, first;
	double whole = renormalised ? left : sum;
	char number[NUMBER_SIZE];

	hand_range(s, n, shown, &first);
	buffer_text(out, _("by hand"));
	if (first)
		buffer_format(out, "  (%zu)", first);
	for (size_t j = first; j < n && j < first + shown; j++)
		hand_term(r, j, before, out);
	if (first + shown < n)
		buffer_format(out, _("  (%zu more)"), n - first - shown);
	board_number(whole, number);
	buffer_format(out, "   %s %s  ->", c->look.ascii ? _("sum") : "\u03a3", number);
	if (!isnan(r->sum) && (whole == 0 || isinf(whole))) {	/* the program has an answer all the same */
		buffer_text(out, whole == 0 ? _("  0/0 (max left in)") : _("  inf/inf (max left in)"));
		return;
	}
	for (size_t j = first; j < n && j < first + shown; j++) {
		double w = exp(r->masked[j]) / whole;
		board_number(!before && mask_hides(r->rules[j]) ? 0 : w, number);
		buffer_format(out, "  %s", number);
	}
}

/* As many keys as the line has room for. */
static void hand_keys(struct canvas *c, const struct row *r, struct buffer *text)
{
	size_t n = c->s->problem->n_k, most = (size_t)c->s->columns / 6;
	double sum = 0, left = 0;

	/* Of a row that is not there as a whole the sum of all e^(x - maximum) is. */
	if (c->s->long_view.on)
		sum = left = r->denominator * exp(r->maximum);
	for (size_t j = 0; j < n && !c->s->long_view.on; j++) {
		sum += exp(r->masked[j]);
		if (!mask_hides(r->rules[j]))
			left += exp(r->masked[j]);
	}
	for (size_t shown = n < most ? n : most; shown; shown--) {
		buffer_free(text);
		hand_text(c, r, shown, sum, left, text);
		if (text_width(text->data ? text->data : "", c->look.ascii) <= c->s->columns)
			break;
	}
}

/* What follows softmax makes the weights something else than shares by hand. */
static bool is_by_hand(const struct attention *a, const struct row *r)
{
	return a->options.dropout.number == 0 && (r->visible || a->options.empty_row == EMPTY_LITERAL);
}

static void hand_line(struct canvas *c)
{
	struct state *s = c->s;
	const struct row *r = state_query(s, s->row);
	const struct attention *a = &s->grid.attention;
	struct buffer text = { 0 };
	struct style style = color_paint(&c->look, PAINT_TEXT);

	if (c->l.hand < 0 || !r)
		return;
	if (r->verdict != VERDICT_OK && (!c->l.cause || !is_by_hand(a, r))) {
		char sum[NUMBER_SIZE];
		short_number(r->sum, sum);
		buffer_format(&text, _("row %zu: %s: %s"), s->row, _(verdict_name(r->verdict)), view_cause(s, r));
		if (r->verdict == VERDICT_NON_FINITE)
			buffer_format(&text, _(" (key %zu)"), r->culprit);
		else
			buffer_format(&text, _("; the weights sum to %s"), sum);
		style = color_paint(&c->look, PAINT_WARN);
	} else if (s->problem->source == SOURCE_WEIGHTS || a->columns.sum || a->options.softmax_times == 2 ||
		   !state_is_grid(s)) {
		buffer_text(&text, s->problem->source == SOURCE_WEIGHTS ? _("finished weights: nothing is computed before them")
			    : a->columns.sum ? _("softmax runs down each column, so no row is a share of anything")
			    : a->options.softmax_times == 2 ? _("softmax of the weights again: everything is pulled towards 1/n") : "");
	} else if (!is_by_hand(a, r)) {
		buffer_text(&text, _("dropout: weights are dropped or grow after softmax"));
	} else {
		hand_keys(c, r, &text);
	}
	pane_text(&c->screen, c->l.hand, 0, text.data ? text.data : "", s->columns, style);
	buffer_free(&text);
}

void view_details(struct canvas *c)
{
	if (c->l.rule >= 0)
		for (int x = 0; x < c->s->columns; x++)
			pane_text(&c->screen, c->l.rule, x, c->look.ascii ? "-" : "\u2500", 1, color_paint(&c->look, PAINT_MUTED));
	if (compare_shown(c->s)) {
		view_compare_lines(c);
		return;
	}
	if (state_shows_mean(c->s)) {
		view_mean_lines(c);
		return;
	}
	bool is_given = state_stage(c->s) == STAGE_INPUT;	/* tells nothing, unless it is asked for */
	if (panel_asks(c->s) || (lesson_keeps_back(c->s) && !is_given)) {	/* these lines would tell */
		if (c->l.cell >= 0)
			pane_text(&c->screen, c->l.cell, 0, panel_asks(c->s) ? _("by hand: blanked until it is revealed")
				  : _("by hand: once the lesson has asked for it"), c->s->columns, color_paint(&c->look, PAINT_MUTED));
		return;
	}
	if (panel_walk_keeps_weights(c->s))	/* likewise: the steps stand on the board, one at a time */
		return;
	cell_line(c);
	products_line(c);
	hand_line(c);
}
