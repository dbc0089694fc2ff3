/* test_explain.c - the steps of a cell, replayed, are the cell: bit for bit.
 *
 * Two interpreters replay a list from +0 with plain doubles and dtype_round: one goes
 * by the kinds of the steps, one by the signs that explain.h promises. Neither reads
 * a value that explain.c computed, and the result is compared with the row engine, for
 * random combinations of all options. The operands are checked against the inputs.
 */
#include "tests/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/explain.h"
#include "core/number.h"
#include "tests/alloc.h"

/* ======================================================= replay */

/* Says which options were in force. */
static void fail_with(const struct fixture *f, const char *what, size_t i, size_t j, double got, double wanted)
{
	struct buffer set = { 0 };

	for (int o = 0; o < OPT_COUNT; o++)
		if (!option_is_default(&f->options, (enum option)o)) {
			buffer_format(&set, " %s=", option_info((enum option)o)->name);
			option_text(&f->options, (enum option)o, &set);
		}
	fail_msg("%s %zu:%zu of (%zu, %zu), d_k %zu, is %.17g (%a) instead of %.17g (%a) with%s", what, i, j, f->problem.n_q,
		 f->problem.n_k, f->problem.d_k, got, got, wanted, wanted, set.data ? set.data : "");
}

static void expect(const struct fixture *f, const char *what, size_t i, size_t j, double got, double wanted)
{
	if (!same_number(got, wanted))
		fail_with(f, what, i, j, got, wanted);
}

static double by_kind(const struct explain_step *s, double x)
{
	enum dtype t = s->dtype;

	switch (s->kind) {
	case EXPLAIN_PROJECT:
	case EXPLAIN_PRODUCT:
	case EXPLAIN_MIX:
		return dtype_round(x + dtype_round(s->left * s->right, t), t);
	case EXPLAIN_ALIBI:
		return dtype_round(x - s->left * s->right, t);
	case EXPLAIN_SOFTCAP:
		return dtype_round(s->operand * tanh(x / s->operand), t);
	case EXPLAIN_GIVEN:
	case EXPLAIN_EDIT:
	case EXPLAIN_FILL_REPLACE:
	case EXPLAIN_EMPTY:
		return dtype_round(s->operand, t);
	case EXPLAIN_SCALE_DIVIDE:
	case EXPLAIN_TEMPERATURE:
	case EXPLAIN_DIVIDE:
	case EXPLAIN_DIVIDE_COLUMN:
	case EXPLAIN_RENORMALISE:
		return dtype_round(x / s->operand, t);
	case EXPLAIN_SCALE_TIMES:
	case EXPLAIN_FILL_MULTIPLY:
	case EXPLAIN_KEEP_MULTIPLY:
	case EXPLAIN_MASK_AFTER:
	case EXPLAIN_DROPOUT:
		return dtype_round(x * s->operand, t);
	case EXPLAIN_BIAS:
	case EXPLAIN_MASK_BIAS:
	case EXPLAIN_FILL_ADD:
	case EXPLAIN_KEEP_ADD:
		return dtype_round(x + s->operand, t);
	case EXPLAIN_MINUS_MAXIMUM:
	case EXPLAIN_MINUS_COLUMN_MAXIMUM:
		return dtype_round(x - s->operand, t);
	case EXPLAIN_EXP:
		return dtype_round(exp(x), t);
	case EXPLAIN_ROUND:
	case EXPLAIN_VISIBLE:
		return dtype_round(x, t);
	default:
		fail_msg("kind %d in a cell", (int)s->kind);
		return 0;
	}
}

static double by_sign(const struct explain_step *s, double x)
{
	double y = s->operand, z;

	switch (explain_info(s->kind)->sign) {
	case '+': z = x + y; break;
	case '-': z = x - y; break;
	case '*': z = x * y; break;
	case '/': z = x / y; break;
	case '=': z = y; break;
	case 'e': z = exp(x); break;
	case 't': z = y * tanh(x / y); break;
	case ' ': z = x; break;
	default: fail_msg("sign of kind %d", (int)s->kind); return 0;
	}
	return dtype_round(z, s->dtype);
}

/* The last value of a cell's or an output's steps; each step's own is checked. */
static double replay(const struct fixture *f, const struct explain *x)
{
	double v = 0, w = 0;

	for (size_t n = 0; n < x->n; n++) {
		const struct explain_step *s = &x->steps[n];
		v = by_kind(s, v);
		w = by_sign(s, w);
		expect(f, "by sign, step", n, s->kind, w, v);
		expect(f, "value of step", n, s->kind, s->value, v);
		assert_int_equal(s->lane, 0);
	}
	expect(f, "explain_value", x->n, 0, explain_value(x), v);
	return v;
}

/* The same of the steps of a sum, lane by lane. */
static double replay_sum(const struct fixture *f, const struct explain *x)
{
	double lane[EXPLAIN_LANES] = { 0 };

	for (size_t n = 0; n < x->n; n++) {
		const struct explain_step *s = &x->steps[n];
		assert_true(s->lane < EXPLAIN_LANES);
		assert_int_equal(explain_info(s->kind)->sign, '+');
		if (s->kind == EXPLAIN_JOIN) {
			assert_true(s->index < EXPLAIN_LANES && s->index != s->lane);
			expect(f, "joined lane", n, s->index, s->operand, lane[s->index]);
			lane[s->lane] = dtype_round(lane[s->lane] + lane[s->index], s->dtype);
			lane[s->index] = 0;
		} else {
			assert_int_equal(s->kind, EXPLAIN_TERM);
			lane[s->lane] = dtype_round(lane[s->lane] + s->operand, s->dtype);
		}
		expect(f, "value of lane", n, s->lane, s->value, lane[s->lane]);
	}
	for (size_t k = 1; k < EXPLAIN_LANES; k++)
		assert_same(lane[k], 0);
	expect(f, "explain_value", x->n, 0, explain_value(x), lane[0]);
	return lane[0];
}

/* ======================================================= operands against the inputs */

/* What the fixture does not keep. */
struct extras {
	double first[512];		/* of the row: what the first softmax gives each key */
	size_t seen[EXPLAIN_KINDS];	/* how often each kind was checked */
};

static double raw_fill(const struct fixture *f)
{
	const struct number_or_word *fill = &f->options.fill;
	double raw = fill->word == FILL_MINUS_INFINITY ? -INFINITY : fill->word == FILL_MIN ? dtype_lowest(f->attention.fill_dtype)
		   : fill->number;

	return dtype_round(raw, f->attention.fill_dtype);
}

static double divisor_of(const struct fixture *f)
{
	switch (f->options.scale.word) {
	case SCALE_SQRT:
		return sqrt((double)f->problem.d_k);
	case SCALE_DK:
		return (double)f->problem.d_k;
	default:
		return sqrt((double)f->options.d_model);
	}
}

/* As np.max. */
static double largest(const double *v, size_t n)
{
	double m = v[0];

	for (size_t k = 1; k < n; k++)
		if (!isnan(m) && !(v[k] <= m))
			m = v[k];
	return m;
}

static double dropout_by_stream(const struct fixture *f, size_t i, size_t j)
{
	struct random draws;
	struct error e = { 0 };
	double p = f->options.dropout.number, last = 0;

	assert_int_equal(random_seed(&draws, &f->tables, f->options.dropout_seed, &e), OK_STATUS);
	for (size_t n = 0; n <= i * f->problem.n_k + j; n++)
		last = random_double(&draws);
	return last < p ? 0 : 1 / (1 - p);
}

static double operand_of(const struct fixture *f, const struct extras *x, const struct explain_step *s, size_t i, size_t j)
{
	const struct problem *p = &f->problem;
	const struct options *o = &f->options;
	const struct columns *c = &f->attention.columns;
	const struct row *r = &f->row;
	size_t n = p->n_k, head = f->attention.head;
	const struct edit *edit = edits_find(&p->edits, ARRAY_SCORES, head, i, j);
	enum array given = p->source == SOURCE_WEIGHTS ? ARRAY_WEIGHTS : ARRAY_SCORES;

	switch (s->kind) {
	case EXPLAIN_GIVEN:
		return matrix_at(problem_array(p, given, head), i, j);
	case EXPLAIN_EDIT:
		assert_non_null(edit);
		return edit->value;
	case EXPLAIN_SCALE_DIVIDE:
		return divisor_of(f);
	case EXPLAIN_SCALE_TIMES:
		return o->scale.number;
	case EXPLAIN_TEMPERATURE:
		return o->temperature.number;
	case EXPLAIN_SOFTCAP:
		return o->softcap.number;
	case EXPLAIN_ALIBI:
		return s->left * s->right;
	case EXPLAIN_BIAS:
		return p->bias.v[(p->bias.rows == 1 ? 0 : i) * n + j];
	case EXPLAIN_MASK_BIAS:
		return p->mask.v[(p->mask.rows == 1 ? 0 : i) * n + j];
	case EXPLAIN_FILL_REPLACE:
	case EXPLAIN_FILL_ADD:
	case EXPLAIN_FILL_MULTIPLY:
		return raw_fill(f);
	case EXPLAIN_KEEP_ADD:
		return o->keep_value.word < 0 ? o->keep_value.number : 0;
	case EXPLAIN_KEEP_MULTIPLY:
		return o->keep_value.word < 0 ? o->keep_value.number : 1;
	case EXPLAIN_MINUS_MAXIMUM:
		return s->again ? largest(x->first, n) : largest(r->masked, n);
	case EXPLAIN_MINUS_COLUMN_MAXIMUM:
		return (s->again ? c->second_maximum : c->maximum)[j];
	case EXPLAIN_DIVIDE:
		return s->again ? r->second_denominator : r->denominator;	/* their sums are replayed elsewhere */
	case EXPLAIN_DIVIDE_COLUMN:
		return (s->again ? c->second_sum : c->sum)[j];
	case EXPLAIN_MASK_AFTER:
		return mask_hides(r->rules[j]) ? 0 : 1;
	case EXPLAIN_RENORMALISE:
		return r->remaining;
	case EXPLAIN_EMPTY:
		return o->empty_row == EMPTY_UNIFORM ? 1 / (double)n : 0;
	case EXPLAIN_DROPOUT:
		return dropout_by_stream(f, i, j);
	default:
		return 0;
	}
}

static void check_product(const struct fixture *f, const struct explain_step *s, size_t i, size_t j)
{
	const struct matrix *q = problem_array(&f->problem, ARRAY_Q, f->attention.head);
	const struct matrix *k = problem_array(&f->problem, ARRAY_K, f->attention.head);
	double left = q->v[i * q->columns + s->index];
	double right = f->options.transpose ? k->v[j * k->columns + s->index] : k->v[s->index * k->columns + j];

	expect(f, "left", i, s->index, s->left, dtype_round(left, f->attention.dtype));
	expect(f, "right", i, s->index, s->right, dtype_round(right, f->attention.dtype));
	expect(f, "product", i, s->index, s->operand, dtype_round(s->left * s->right, f->attention.dtype));
}

static void check_alibi(const struct fixture *f, const struct explain_step *s, size_t i, size_t j)
{
	double shift = f->options.causal_align == ALIGN_BOTTOM_RIGHT ? (double)f->problem.n_k - (double)f->problem.n_q : 0;

	expect(f, "slope", i, j, s->left, f->attention.slope);
	expect(f, "distance", i, j, s->right, fabs((double)i + shift - (double)j));
}

static bool speaks_of_rules(enum explain_kind k)
{
	return (k >= EXPLAIN_VISIBLE && k <= EXPLAIN_KEEP_MULTIPLY) || k == EXPLAIN_MASK_AFTER;
}

/* The type that each kind rounds to. */
static enum dtype type_of(const struct fixture *f, enum explain_kind k)
{
	const struct attention *a = &f->attention;

	if (k == EXPLAIN_FILL_REPLACE)
		return a->fill_dtype;
	if (k == EXPLAIN_MASK_AFTER || (k == EXPLAIN_GIVEN && f->problem.source == SOURCE_WEIGHTS))
		return DTYPE_F64;
	return k >= EXPLAIN_SCALE_DIVIDE && k <= EXPLAIN_KEEP_MULTIPLY ? a->score_dtype : a->dtype;
}

static void check_step(const struct fixture *f, struct extras *x, const struct explain_step *s, size_t i, size_t j)
{
	bool factors = s->kind == EXPLAIN_PRODUCT || s->kind == EXPLAIN_MIX;

	x->seen[s->kind]++;
	assert_int_equal(s->dtype, type_of(f, s->kind));
	assert_int_equal(s->rules, speaks_of_rules(s->kind) ? f->row.rules[j] : 0);
	if (s->kind == EXPLAIN_PRODUCT) {
		check_product(f, s, i, j);
		return;
	}
	assert_false(factors);
	assert_int_equal(s->index, j);
	expect(f, explain_info(s->kind)->name, i, j, s->operand, operand_of(f, x, s, i, j));
	if (s->kind == EXPLAIN_ALIBI)
		check_alibi(f, s, i, j);
	else
		assert_true(s->left == 0 && s->right == 0);
}

/* Hidden cells have fills, visible ones have not; what is again comes after what is not. */
static void check_order(const struct fixture *f, const struct explain *x, size_t j)
{
	bool hidden = f->problem.source != SOURCE_WEIGHTS && mask_hides(f->row.rules[j]);
	size_t c = 0;

	for (size_t n = 0; n < x->n; n++) {
		const struct explain_step *s = &x->steps[n];
		if (s->kind == EXPLAIN_PRODUCT)
			assert_int_equal(s->index, c++);
		if (s->kind >= EXPLAIN_FILL_REPLACE && s->kind <= EXPLAIN_FILL_MULTIPLY)
			assert_true(hidden);
		if (s->kind == EXPLAIN_VISIBLE || s->kind == EXPLAIN_KEEP_ADD || s->kind == EXPLAIN_KEEP_MULTIPLY)
			assert_false(hidden);
		if (n)
			assert_true(s->stage >= s[-1].stage);
		if (s->again)
			assert_true(n && (s->stage == STAGE_SCALED || s->stage == STAGE_WEIGHTS));
	}
	assert_int_equal(c, problem_has_qk(&f->problem) && x->n ? f->problem.d_k : 0);
}

/* ======================================================= a row against the engine */

static void check_cell(struct fixture *f, struct extras *extras, size_t i, size_t j)
{
	struct explain x = { 0 }, whole = { 0 };
	struct error e = { 0 };

	assert_int_equal(explain_cell(&whole, &f->attention, &f->row, j, STAGE_WEIGHTS, &e), OK_STATUS);
	check_order(f, &whole, j);
	for (enum stage s = STAGE_SCORES; s <= STAGE_WEIGHTS; s++) {
		size_t n;
		const double *v = row_stage(&f->row, &f->attention, s, &n);
		assert_int_equal(explain_cell(&x, &f->attention, &f->row, j, s, &e), OK_STATUS);
		if (!attention_has_stage(&f->attention, s)) {
			assert_int_equal(x.n, 0);
			continue;
		}
		expect(f, stage_info(s)->name, i, j, replay(f, &x), v[j]);
		/* The list of a stage is the beginning of the longest. */
		assert_true(x.n <= whole.n);
		for (size_t k = 0; k < x.n; k++) {
			assert_true(x.steps[k].stage <= s);
			assert_int_equal(x.steps[k].kind, whole.steps[k].kind);
			assert_same(x.steps[k].value, whole.steps[k].value);
		}
		assert_true(x.n == whole.n || whole.steps[x.n].stage > s);
	}
	assert_true(whole.n);
	for (size_t k = 0; k < whole.n; k++)
		check_step(f, extras, &whole.steps[k], i, j);
	explain_free(&x);
	explain_free(&whole);
}

static bool is_zeroed(const struct fixture *f)
{
	return f->problem.source != SOURCE_WEIGHTS && !f->row.visible && f->options.empty_row == EMPTY_ZERO;
}

static void check_mix(const struct fixture *f, const struct explain *x, size_t c, struct extras *extras)
{
	const struct matrix *v = problem_array(&f->problem, ARRAY_V, f->attention.head);
	enum dtype t = f->attention.dtype;

	if (is_zeroed(f)) {
		assert_int_equal(x->n, 1);
		assert_int_equal(x->steps[0].kind, EXPLAIN_EMPTY);
		assert_same(explain_share(&f->attention, &f->row, 0, c), 0);
		return;
	}
	assert_int_equal(x->n, f->problem.n_k);
	for (size_t j = 0; j < x->n; j++) {
		const struct explain_step *s = &x->steps[j];
		extras->seen[s->kind]++;
		assert_int_equal(s->kind, EXPLAIN_MIX);
		assert_int_equal(s->stage, STAGE_OUTPUT);
		assert_int_equal(s->index, j);
		assert_int_equal(s->dtype, t);
		expect(f, "left", j, c, s->left, dtype_round(f->row.weights[j], t));
		expect(f, "right", j, c, s->right, dtype_round(v ? v->v[j * v->columns + c] : j == c, t));
		expect(f, "product", j, c, s->operand, dtype_round(s->left * s->right, t));
		expect(f, "explain_share", j, c, explain_share(&f->attention, &f->row, j, c), s->operand);
	}
}

static void check_output(struct fixture *f, struct extras *extras, size_t i)
{
	struct explain x = { 0 };
	struct error e = { 0 };

	for (size_t c = 0; c < f->problem.d_v; c++) {
		assert_int_equal(explain_output(&x, &f->attention, &f->row, c, &e), OK_STATUS);
		expect(f, "output", i, c, replay(f, &x), f->row.output[c]);
		check_mix(f, &x, c, extras);
	}
	explain_free(&x);
}

/* The value, in key k's own steps, of the last of a kind that is `again` or not. */
static double value_in_cell(const struct fixture *f, size_t k, enum explain_kind kind, bool again, double *before)
{
	struct explain x = { 0 };
	struct error e = { 0 };
	double value = NAN;

	assert_int_equal(explain_cell(&x, &f->attention, &f->row, k, STAGE_WEIGHTS, &e), OK_STATUS);
	for (size_t n = 1; n < x.n; n++)
		if (x.steps[n].kind == kind && x.steps[n].again == again) {
			value = x.steps[n].value;
			*before = x.steps[n - 1].value;
		}
	explain_free(&x);
	return value;
}

static void check_term(const struct fixture *f, const struct explain_step *s, enum explain_sum which)
{
	double before = 0, wanted = 0;
	size_t k = s->index;

	switch (which) {
	case EXPLAIN_DENOMINATOR:
		wanted = value_in_cell(f, k, EXPLAIN_EXP, false, &before);
		break;
	case EXPLAIN_SECOND_DENOMINATOR:
		wanted = value_in_cell(f, k, EXPLAIN_EXP, true, &before);
		break;
	case EXPLAIN_REMAINING:
		wanted = value_in_cell(f, k, EXPLAIN_MASK_AFTER, false, &before);
		before = 0;
		break;
	case EXPLAIN_ROW_SUM:
		wanted = f->row.weights[k];
		break;
	}
	expect(f, "term", f->row.index, k, s->operand, wanted);
	expect(f, "exponent", f->row.index, k, s->left, before);
}

/* Each key once; `terms` of them are compared with the key's own steps. */
static void check_terms(const struct fixture *f, const struct explain *x, enum explain_sum which, size_t terms)
{
	size_t n = f->problem.n_k, found = 0;
	bool *seen = calloc(n, sizeof *seen);

	assert_non_null(seen);
	assert_true(x->n <= n + n / 8 + 8);
	for (size_t k = 0; k < x->n; k++) {
		const struct explain_step *s = &x->steps[k];
		assert_int_equal(s->stage, STAGE_WEIGHTS);
		assert_int_equal(s->dtype, which == EXPLAIN_ROW_SUM ? DTYPE_F64 : f->attention.dtype);
		assert_int_equal(s->again, which == EXPLAIN_SECOND_DENOMINATOR);
		if (s->kind != EXPLAIN_TERM)
			continue;
		assert_true(s->index < n && !seen[s->index]);
		seen[s->index] = true;
		if (found++ < terms)
			check_term(f, s, which);
	}
	assert_int_equal(found, n);
	free(seen);
}

static bool wants_sum(const struct fixture *f, enum explain_sum which)
{
	bool weights = f->problem.source == SOURCE_WEIGHTS, column = f->options.softmax == SOFTMAX_COLUMN;

	switch (which) {
	case EXPLAIN_DENOMINATOR:
		return !weights && !column;
	case EXPLAIN_SECOND_DENOMINATOR:
		return !weights && !column && f->options.softmax_times == 2;
	case EXPLAIN_REMAINING:
		return !weights && f->options.mask_at == MASK_AFTER_RENORM;
	default:
		return true;
	}
}

static void check_sums(const struct fixture *f, size_t i, size_t terms)
{
	const struct row *r = &f->row;
	const double wanted[] = { r->denominator, r->second_denominator, r->remaining, r->sum };
	struct explain x = { 0 };
	struct error e = { 0 };

	for (int which = 0; which < 4; which++) {
		assert_int_equal(explain_sum(&x, &f->attention, r, (enum explain_sum)which, &e), OK_STATUS);
		if (!wants_sum(f, (enum explain_sum)which)) {
			assert_int_equal(x.n, 0);
			assert_same(explain_value(&x), 0);
			if (which != EXPLAIN_ROW_SUM)
				assert_true(isnan(wanted[which]));
			continue;
		}
		expect(f, "sum", i, (size_t)which, replay_sum(f, &x), wanted[which]);
		check_terms(f, &x, (enum explain_sum)which, terms);
	}
	explain_free(&x);
}

static void find_first(const struct fixture *f, struct extras *x)
{
	double ignored;

	if (f->options.softmax_times < 2 || f->problem.source == SOURCE_WEIGHTS || f->options.softmax == SOFTMAX_COLUMN)
		return;
	assert_true(f->problem.n_k <= sizeof x->first / sizeof *x->first);
	for (size_t k = 0; k < f->problem.n_k; k++)
		x->first[k] = value_in_cell(f, k, EXPLAIN_DIVIDE, false, &ignored);
}

static void check_row(struct fixture *f, struct extras *x, size_t i)
{
	fixture_row(f, i);
	find_first(f, x);
	for (size_t j = 0; j < f->problem.n_k; j++)
		check_cell(f, x, i, j);
	check_output(f, x, i);
	check_sums(f, i, f->problem.n_k);
}

/* ======================================================= by dice */

/* Each option's default is empty, and as likely as all others together. */
static const struct { const char *name; const char *values[9]; } choices[] = {
	{ "causal", { "on" } }, { "causal-align", { "bottom-right" } }, { "causal-offset", { "-1", "1", "-2" } },
	{ "window", { "1", "2" } }, { "prefix", { "1", "2" } }, { "mask-invert", { "on", "off", "off" } },
	{ "pad", { "0" } }, { "pad-axis", { "query", "both" } },
	{ "transpose", { "off" } },
	{ "scale", { "none", "dk", "dmodel", "0.3", "-2", "1", "0", "1e4" } }, { "scale-times", { "2" } },
	{ "temperature", { "0.5", "3", "0.001", "1e3" } },
	{ "softcap", { "2", "0.5", "1e-3", "50" } }, { "alibi", { "auto", "0.5", "-0.25", "1e-3" } },
	{ "fill", { "-1e9", "min", "0", "-1e4", "1e-9", "-65504", "2.3" } }, { "fill-op", { "add", "multiply" } },
	{ "keep-value", { "1", "0", "-0.5", "2.2" } }, { "mask-at", { "after", "after-renorm" } },
	{ "empty-row", { "zero", "uniform" } },
	{ "softmax", { "column" } }, { "softmax-kind", { "naive" } }, { "softmax-times", { "2" } },
	{ "dropout", { "0.25", "0.9", "0.1" } }, { "dropout-seed", { "7", "12345678901234567890" } },
	{ "dtype", { "f64", "f32", "f16", "bf16" } }, { "score-dtype", { "f64", "f32", "f16", "bf16" } },
	{ "fill-dtype", { "f64", "f32", "f16", "bf16" } },
};

static bool one_in(struct dice *d, size_t n)
{
	return !dice_below(d, n);
}

static void roll_options(struct fixture *f, struct dice *d, bool square)
{
	char setting[64];

	for (size_t k = 0; k < sizeof choices / sizeof *choices; k++) {
		size_t n = 0;
		while (n < 9 && choices[k].values[n])
			n++;
		bool off = !strcmp(choices[k].name, "transpose") && !square;
		if (one_in(d, 2) || off)
			continue;
		snprintf(setting, sizeof setting, "%s=%s", choices[k].name, choices[k].values[dice_below(d, n)]);
		fixture_set(f, setting);
	}
	fixture_set(f, "d-model=11");
}

static void roll_cells(struct fixture *f, struct dice *d, size_t n_q, size_t n_k)
{
	static const char *const names[] = { "hide", "keep" };
	char setting[64];

	for (int which = 0; which < 2; which++)
		if (one_in(d, 3)) {
			snprintf(setting, sizeof setting, "%s=%zu:%zu,%zu:%zu", names[which], dice_below(d, n_q), dice_below(d, n_k),
				 dice_below(d, n_q), dice_below(d, n_k));
			fixture_set(f, setting);
		}
}

static double roll_number(struct dice *d, bool special)
{
	static const double specials[] = { NAN, INFINITY, -INFINITY, -0.0, 0, 1e308, -1e300, 1e-310, 65504, 3e38, -6e-8, 700 };

	if (special && one_in(d, 6))
		return specials[dice_below(d, sizeof specials / sizeof *specials)];
	return dice_between(d, -3, 3);
}

static void add_random(struct fixture *f, struct dice *d, enum array a, size_t rows, size_t columns, bool special)
{
	double *v = calloc(rows * columns, sizeof *v);

	assert_non_null(v);
	for (size_t k = 0; k < rows * columns; k++)
		v[k] = roll_number(d, special);
	fixture_array(f, a, rows, columns, v);
	free(v);
}

static void load_random(struct fixture *f, struct dice *d)
{
	size_t n_q = f->problem.n_q, n_k = f->problem.n_k, rows = one_in(d, 2) ? 1 : n_q;
	struct matrix m = { 0 };
	struct error e = { 0 };

	if (one_in(d, 3)) {
		double *v = calloc(rows * n_k, sizeof *v);
		assert_non_null(v);
		for (size_t k = 0; k < rows * n_k; k++)
			v[k] = one_in(d, 3) ? -20000 : roll_number(d, one_in(d, 5));
		v[0] = -5;		/* not all 0 and 1, which would be flags */
		assert_int_equal(fixture_mask(f, rows, n_k, v, 'f', "mask", &e), OK_STATUS);
		free(v);
	}
	if (one_in(d, 3)) {
		assert_int_equal(matrix_init(&m, rows, n_k, &e), OK_STATUS);
		for (size_t k = 0; k < rows * n_k; k++)
			m.v[k] = roll_number(d, one_in(d, 9));
		assert_int_equal(bias_load(&f->problem, &m, &e), OK_STATUS);
	}
}

static void roll_edits(struct fixture *f, struct dice *d, size_t n_q, size_t n_k, size_t heads)
{
	struct error e = { 0 };

	for (size_t n = dice_below(d, 4); n; n--) {
		struct edit edit = { ARRAY_SCORES, dice_below(d, heads), dice_below(d, n_q), dice_below(d, n_k), roll_number(d, one_in(d, 8)) };
		assert_int_equal(edits_put(&f->scenario.edits, edit, &e), OK_STATUS);
	}
}

/* Inputs of every source. */
static void roll_inputs(struct fixture *f, struct dice *d, size_t n_q, size_t n_k, size_t d_k)
{
	size_t d_v = 1 + dice_below(d, 3), heads = one_in(d, 3) ? 3 : 1, source = dice_below(d, 8);
	bool special = one_in(d, 4);

	fixture_init(f);
	if (source == 0) {
		add_random(f, d, ARRAY_WEIGHTS, n_q, n_k, special);
		heads = 1;
	} else if (source == 1 || source == 2) {
		add_random(f, d, ARRAY_SCORES, n_q, n_k, special);
		f->scenario.d_k = one_in(d, 2) ? d_k : 0;
		heads = 1;
	}
	for (size_t h = 0; h < heads && source > 2; h++) {
		add_random(f, d, ARRAY_Q, n_q, d_k, special);
		add_random(f, d, ARRAY_K, n_k, d_k, special);
	}
	for (size_t h = 0; h < heads && (source > 2 || one_in(d, 2)); h++)
		add_random(f, d, ARRAY_V, n_k, d_v, special && one_in(d, 2));
	if (source)
		roll_edits(f, d, n_q, n_k, heads);
	roll_options(f, d, source > 2 && n_k == d_k);
	roll_cells(f, d, n_q, n_k);
	if (heads > 1)
		fixture_set(f, one_in(d, 2) ? "head=2" : "head=1");
}

static void roll(struct fixture *f, struct dice *d, size_t n_k, size_t d_k)
{
	roll_inputs(f, d, one_in(d, 2) ? n_k : 1 + dice_below(d, 6), n_k, d_k);
	fixture_build(f);
	load_random(f, d);
	fixture_start(f);
}

static void every_cell_of_random_inputs(void **state)
{
	static struct extras x;
	struct dice d = { 20250117 };

	(void)state;
	x = (struct extras){ 0 };
	for (int round = 0; round < 2000; round++) {
		struct fixture f;
		size_t n_k = 1 + dice_below(&d, 11);
		roll(&f, &d, n_k, one_in(&d, 3) ? n_k : 1 + dice_below(&d, 9));
		for (size_t i = 0; i < f.problem.n_q && i < 4; i++)
			check_row(&f, &x, i);
		fixture_free(&f);
	}
	for (int k = EXPLAIN_PRODUCT; k < EXPLAIN_TERM; k++)
		if (x.seen[k] < 400)
			fail_msg("%s was checked %zu times", explain_info((enum explain_kind)k)->name, x.seen[k]);
}

/* Long rows: the sums have eight lanes, then halves. */
static void long_rows(void **state)
{
	static struct extras x;
	struct dice d = { 20250118 };

	(void)state;
	for (int round = 0; round < 40; round++) {
		struct fixture f;
		roll(&f, &d, 8 + dice_below(&d, 400), 1 + dice_below(&d, 5));
		fixture_row(&f, 0);
		find_first(&f, &x);
		for (size_t j = 0; j < f.problem.n_k; j += 1 + dice_below(&d, 60))
			check_cell(&f, &x, 0, j);
		check_output(&f, &x, 0);
		check_sums(&f, 0, 20);
		fixture_free(&f);
	}
}

static const char *const types[] = { "dtype=f64", "dtype=f32", "dtype=f16", "dtype=bf16" };

static void long_products(void **state)
{
	static struct extras x;
	struct dice d = { 20250119 };

	(void)state;
	for (size_t t = 0; t < 4; t++) {
		struct fixture f;
		fixture_init(&f);
		add_random(&f, &d, ARRAY_Q, 1, 3000, false);
		add_random(&f, &d, ARRAY_K, 2, 3000, false);
		add_random(&f, &d, ARRAY_V, 2, 1, false);
		fixture_set(&f, types[t]);
		check_row(&f, &x, 0);
		fixture_free(&f);
	}
}

/* ---- sums of every length that is told apart ---- */

static void sum_of_length(size_t n, const char *settings, struct dice *d, bool zeros)
{
	struct fixture f;

	fixture_init(&f);
	double *v = calloc(n, sizeof *v);
	assert_non_null(v);
	for (size_t k = 0; k < n; k++)
		v[k] = zeros ? -0.0 : dice_between(d, 0, 1);
	fixture_array(&f, zeros ? ARRAY_WEIGHTS : ARRAY_SCORES, 1, n, v);
	fixture_array(&f, ARRAY_V, n, 1, v);
	fixture_set(&f, settings);
	fixture_start(&f);
	row_compute(&f.row, &f.attention, 0, STAGE_SCORES, STAGE_WEIGHTS);
	check_sums(&f, 0, 3);
	free(v);
	fixture_free(&f);
}

static void sums_of_every_length(void **state)
{
	static const size_t lengths[] = { 1, 2, 7, 8, 9, 15, 16, 17, 127, 128, 129, 135, 136, 137, 255, 256, 257, 1000, 4103, 8191,
					  8192, 8193, 8199, 8200, 16384, 16385, 20011 };
	struct dice d = { 20250120 };

	(void)state;
	for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
		for (size_t t = 0; t < 4; t++)
			sum_of_length(lengths[l], types[t], &d, false);
		sum_of_length(lengths[l], "softmax-times=2 mask-at=after-renorm", &d, false);
		sum_of_length(lengths[l], "", &d, true);
	}
}

/* ======================================================= by hand */

static void same_text(const struct explain *x, const char *wanted)
{
	struct buffer text = { 0 };

	for (size_t n = 0; n < x->n; n++)
		buffer_format(&text, "%s%s%s", n ? " " : "", explain_info(x->steps[n].kind)->name, x->steps[n].again ? "'" : "");
	assert_string_equal(text.data ? text.data : "", wanted);
	buffer_free(&text);
}

static void same_values(const struct explain *x, const double *wanted, size_t n)
{
	assert_int_equal(x->n, n);
	for (size_t k = 0; k < n; k++)
		assert_same(x->steps[k].value, wanted[k]);
}

static const double three_q[] = { 2, 1, 0.1, 1, 2, 0.1, 2, 1, 0.1 }, identity[] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };

static void causal_3(struct fixture *f, const char *settings)
{
	fixture_init(f);
	fixture_array(f, ARRAY_Q, 3, 3, three_q);
	fixture_array(f, ARRAY_K, 3, 3, identity);
	fixture_array(f, ARRAY_V, 3, 3, identity);
	fixture_set(f, settings);
}

/* The cell of the README's picture: 2 -> x1 -> visible -> e^(2-2)=1 / 1.3679 = 0.7311. */
static void the_picture_of_the_readme(void **state)
{
	static const double wanted[] = { 0, 2, 2, 2, 0, 1, 0.7310585786300049 }, mixed[] = { 0, 0.7310585786300049, 0.7310585786300049 };
	static const double sums[] = { 0.36787944117144233, 1.3678794411714423, 1.3678794411714423 };
	struct explain x = { 0 };
	struct error e = { 0 };
	struct fixture f;

	(void)state;
	causal_3(&f, "causal=on scale=none");
	const struct row *r = fixture_row(&f, 1);
	assert_int_equal(explain_cell(&x, &f.attention, r, 1, STAGE_WEIGHTS, &e), OK_STATUS);
	same_text(&x, "product product product visible minus-maximum exp divide");
	same_values(&x, wanted, 7);
	assert_same(x.steps[4].operand, 2);
	assert_same(x.steps[6].operand, 1.3678794411714423);
	assert_int_equal(explain_output(&x, &f.attention, r, 1, &e), OK_STATUS);
	same_text(&x, "mix mix mix");
	same_values(&x, mixed, 3);
	assert_int_equal(explain_sum(&x, &f.attention, r, EXPLAIN_DENOMINATOR, &e), OK_STATUS);
	same_text(&x, "term term term");
	same_values(&x, sums, 3);
	assert_same(x.steps[0].left, -1);
	assert_same(x.steps[1].left, 0);
	assert_same(x.steps[2].left, -INFINITY);
	assert_int_equal(explain_cell(&x, &f.attention, r, 2, STAGE_MASKED, &e), OK_STATUS);
	same_text(&x, "product product product fill-replace");
	assert_int_equal(x.steps[3].rules, RULE_CAUSAL);
	assert_same(x.steps[2].value, 0.1);
	assert_same(x.steps[3].value, -INFINITY);
	assert_same(explain_share(&f.attention, r, 0, 0), r->weights[0]);
	assert_same(explain_share(&f.attention, r, 0, 1), 0);
	explain_free(&x);
	fixture_free(&f);
}

#define PRODUCTS "product product product "
#define SOFTMAX "minus-maximum exp divide"

/* Cell 0:1, which causal hides, and 1:1, which it does not. */
static const struct { const char *settings, *hidden, *visible; } lists[] = {
	{ "causal=on", PRODUCTS "scale-divide fill-replace " SOFTMAX, PRODUCTS "scale-divide visible " SOFTMAX },
	{ "causal=on scale=0.5 scale-times=2 temperature=2", PRODUCTS "scale-times scale-times' temperature fill-replace " SOFTMAX,
	  PRODUCTS "scale-times scale-times' temperature visible " SOFTMAX },
	{ "causal=on scale=dk scale-times=2", PRODUCTS "scale-divide scale-divide' fill-replace " SOFTMAX,
	  PRODUCTS "scale-divide scale-divide' visible " SOFTMAX },
	{ "causal=on scale=none score-dtype=f16", PRODUCTS "round fill-replace " SOFTMAX, PRODUCTS "round visible " SOFTMAX },
	{ "causal=on scale=none dtype=f16", PRODUCTS "fill-replace " SOFTMAX, PRODUCTS "visible " SOFTMAX },
	{ "causal=on scale=none dtype=f16 score-dtype=f64", PRODUCTS "fill-replace " SOFTMAX, PRODUCTS "visible " SOFTMAX },
	{ "causal=on scale=none temperature=2 score-dtype=f16", PRODUCTS "temperature fill-replace " SOFTMAX,
	  PRODUCTS "temperature visible " SOFTMAX },
	{ "causal=on scale=none softcap=2 alibi=1", PRODUCTS "softcap alibi fill-replace " SOFTMAX,
	  PRODUCTS "softcap alibi visible " SOFTMAX },
	{ "causal=on scale=none fill-op=add", PRODUCTS "fill-add " SOFTMAX, PRODUCTS "keep-add " SOFTMAX },
	{ "causal=on scale=none fill-op=multiply fill=0 keep-value=3", PRODUCTS "fill-multiply " SOFTMAX, PRODUCTS "keep-multiply " SOFTMAX },
	{ "causal=on scale=none softmax-kind=naive", PRODUCTS "fill-replace exp divide", PRODUCTS "visible exp divide" },
	{ "causal=on scale=none mask-at=after", PRODUCTS SOFTMAX " mask-after", PRODUCTS SOFTMAX " mask-after" },
	{ "causal=on scale=none mask-at=after-renorm fill-op=add dropout=0.5",
	  PRODUCTS SOFTMAX " mask-after renormalise dropout", PRODUCTS SOFTMAX " mask-after renormalise dropout" },
	{ "causal=on scale=none softmax-times=2", PRODUCTS "fill-replace " SOFTMAX " minus-maximum' exp' divide'",
	  PRODUCTS "visible " SOFTMAX " minus-maximum' exp' divide'" },
	{ "causal=on scale=none softmax=column", PRODUCTS "fill-replace minus-column-maximum exp divide-column",
	  PRODUCTS "visible minus-column-maximum exp divide-column" },
	{ "causal=on causal-offset=-1 scale=none empty-row=uniform dropout=0.1", PRODUCTS "fill-replace " SOFTMAX " empty-row dropout",
	  PRODUCTS "fill-replace " SOFTMAX " dropout" },
};

static void lists_of_kinds(void **state)
{
	(void)state;
	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
		struct explain x = { 0 };
		struct error e = { 0 };
		struct fixture f;
		causal_3(&f, lists[l].settings);
		for (size_t i = 0; i < 2; i++) {
			const struct row *r = fixture_row(&f, i);
			assert_int_equal(explain_cell(&x, &f.attention, r, 1, STAGE_WEIGHTS, &e), OK_STATUS);
			same_text(&x, i ? lists[l].visible : lists[l].hidden);
		}
		explain_free(&x);
		fixture_free(&f);
	}
}

static void edited_and_given(void **state)
{
	static const double even[] = { 0.25, 0.75, -0.0, 1.1 };
	struct explain x = { 0 };
	struct error e = { 0 };
	struct fixture f;

	(void)state;
	causal_3(&f, "scale=none dtype=f16");
	fixture_edit(&f, ARRAY_SCORES, 1, 1, 2.0001);
	assert_int_equal(explain_cell(&x, &f.attention, fixture_row(&f, 1), 1, STAGE_SCORES, &e), OK_STATUS);
	same_text(&x, PRODUCTS "edit");
	assert_same(x.steps[3].operand, 2.0001);
	assert_same(x.steps[3].value, 2);
	fixture_free(&f);

	fixture_scores(&f, 2, 2, even);
	fixture_set(&f, "dtype=f16");
	const struct row *r = fixture_row(&f, 1);
	assert_int_equal(explain_cell(&x, &f.attention, r, 1, STAGE_WEIGHTS, &e), OK_STATUS);
	same_text(&x, "given visible " SOFTMAX);
	assert_same(x.steps[0].value, 0x1.198p0);
	assert_int_equal(explain_output(&x, &f.attention, r, 0, &e), OK_STATUS);
	same_text(&x, "mix mix");
	assert_same(x.steps[0].right, 1);
	assert_same(x.steps[1].right, 0);
	fixture_free(&f);

	fixture_init(&f);
	fixture_array(&f, ARRAY_WEIGHTS, 2, 2, even);
	fixture_set(&f, "dtype=f16 dropout=0.9 causal=on mask-at=after softmax-times=2");
	r = fixture_row(&f, 1);
	for (enum stage s = STAGE_INPUT; s < STAGE_WEIGHTS; s++) {
		assert_int_equal(explain_cell(&x, &f.attention, r, 1, s, &e), OK_STATUS);
		assert_int_equal(x.n, 0);
		assert_same(explain_value(&x), 0);
	}
	assert_int_equal(explain_cell(&x, &f.attention, r, 1, STAGE_WEIGHTS, &e), OK_STATUS);
	same_text(&x, "given");
	assert_same(x.steps[0].value, 1.1);	/* as it is: no type rounds finished weights */
	assert_same(attention_dropout(&f.attention, 1, 1), 1);
	explain_free(&x);
	fixture_free(&f);
}

/* A column's maximum and denominator are those of its three scores. */
static void columns_by_hand(void **state)
{
	struct explain x = { 0 };
	struct error e = { 0 };
	struct fixture f;

	(void)state;
	causal_3(&f, "scale=none softmax=column");
	assert_int_equal(explain_cell(&x, &f.attention, fixture_row(&f, 1), 0, STAGE_WEIGHTS, &e), OK_STATUS);
	assert_same(x.steps[x.n - 3].operand, 2);
	assert_same(x.steps[x.n - 1].operand, 1 + exp(-1) + 1);
	for (int which = EXPLAIN_DENOMINATOR; which < EXPLAIN_ROW_SUM; which++) {
		assert_int_equal(explain_sum(&x, &f.attention, &f.row, (enum explain_sum)which, &e), OK_STATUS);
		assert_int_equal(x.n, 0);
	}
	explain_free(&x);
	fixture_free(&f);
}

/* Two halves, eight lanes each: the keys as they come, and which lanes meet. */
static void order_of_a_long_sum(void **state)
{
	static const size_t joins[][2] = { { 0, 1 }, { 2, 3 }, { 4, 5 }, { 6, 7 }, { 0, 2 }, { 4, 6 }, { 0, 4 } };
	double scores[129] = { 0 };
	struct explain x = { 0 };
	struct error e = { 0 };
	struct fixture f;
	size_t n = 0;

	(void)state;
	fixture_scores(&f, 1, 129, scores);
	assert_int_equal(explain_sum(&x, &f.attention, fixture_row(&f, 0), EXPLAIN_DENOMINATOR, &e), OK_STATUS);
	assert_int_equal(x.n, 129 + 2 * 7 + 1);
	for (size_t half = 0; half < 2; half++) {
		for (size_t k = 0; k < 64; k++, n++) {
			assert_int_equal(x.steps[n].index, half * 64 + k);
			assert_int_equal(x.steps[n].lane, half + k % 8);
		}
		for (size_t k = 0; k < 7; k++, n++) {
			assert_int_equal(x.steps[n].kind, EXPLAIN_JOIN);
			assert_int_equal(x.steps[n].lane, half + joins[k][0]);
			assert_int_equal(x.steps[n].index, half + joins[k][1]);
		}
	}
	assert_int_equal(x.steps[n].index, 128);
	assert_int_equal(x.steps[n].lane, 1);
	assert_int_equal(x.steps[n + 1].index, 1);
	assert_same(x.steps[n + 1].value, 129);
	explain_free(&x);
	fixture_free(&f);
}

/* ---- heads side by side ---- */

static void heads_joined(const char *settings, size_t d_model)
{
	struct explain x = { 0 };
	struct error e = { 0 };
	struct joined joined;
	struct fixture f;
	double out[16];

	fixture_random(&f, 4, 4, 3, 2, "5");
	f.scenario.random.heads = 3;
	f.scenario.random.d_model = d_model;
	fixture_set(&f, settings);
	fixture_start(&f);
	assert_int_equal(joined_init(&joined, &f.attention, &f.tables, &e), OK_STATUS);
	for (size_t i = 0; i < 4; i++) {
		joined_row(&joined, i, out);
		for (size_t c = 0; c < attention_joined_columns(&f.attention); c++) {
			assert_int_equal(explain_joined(&x, &joined, c, &e), OK_STATUS);
			assert_int_equal(x.n, d_model ? 6 : 1);
			expect(&f, "joined", i, c, replay(&f, &x), out[c]);
			for (size_t k = 0; k < x.n; k++) {
				assert_int_equal(x.steps[k].stage, STAGE_JOINED);
				assert_int_equal(x.steps[k].kind, d_model ? EXPLAIN_MIX : EXPLAIN_GIVEN);
				assert_int_equal(x.steps[k].index, d_model ? k : c);
			}
		}
	}
	explain_free(&x);
	joined_free(&joined);
	fixture_free(&f);
}

static void every_joined_number(void **state)
{
	(void)state;
	for (size_t t = 0; t < 4; t++) {
		heads_joined(types[t], 0);
		heads_joined(types[t], 7);
	}
}

/* ======================================================= Q, K and V of X */

/* The terms are the numbers of X and of the head's matrix, and come to the cell, bit
 * for bit; also after an edit of X, and whatever the number type. */
static void check_projection(const struct fixture *f, struct explain *x, size_t head, enum array array, enum array weight)
{
	const struct matrix *m = problem_array(&f->problem, array, head), *w = problem_array(&f->problem, weight, head);
	const struct matrix *of = problem_array(&f->problem, ARRAY_X, 0);
	struct error e = { 0 };

	for (size_t i = 0; i < m->rows; i++)
		for (size_t j = 0; j < m->columns; j++) {
			assert_int_equal(explain_input(x, &f->problem, head, array, i, j, &e), OK_STATUS);
			assert_int_equal(x->n, f->problem.d_model);
			for (size_t c = 0; c < x->n; c++) {
				assert_int_equal(x->steps[c].kind, EXPLAIN_PROJECT);
				assert_int_equal(x->steps[c].stage, STAGE_INPUT);
				assert_int_equal(x->steps[c].index, c);
				assert_same(x->steps[c].left, of->v[i * of->columns + c]);
				assert_same(x->steps[c].right, w->v[c * w->columns + j]);
			}
			expect(f, array_name(array), i, j, replay(f, x), m->v[i * m->columns + j]);
		}
}

static void every_projected_number(void **state)
{
	struct explain x = { 0 };
	struct error e = { 0 };
	struct fixture f;

	(void)state;
	fixture_random(&f, 4, 4, 3, 2, "5");
	f.scenario.random.heads = 2;
	f.scenario.random.d_model = 7;
	fixture_set(&f, "dtype=f16");
	fixture_edit(&f, ARRAY_X, 1, 2, 0.1);
	fixture_build(&f);
	for (size_t head = 0; head < 2; head++) {
		check_projection(&f, &x, head, ARRAY_Q, ARRAY_W_Q);
		check_projection(&f, &x, head, ARRAY_K, ARRAY_W_K);
		check_projection(&f, &x, head, ARRAY_V, ARRAY_W_V);
	}
	assert_int_equal(explain_input(&x, &f.problem, 0, ARRAY_X, 0, 0, &e), OK_STATUS);
	assert_int_equal(x.n, 0);
	assert_int_equal(explain_input(&x, &f.problem, 0, ARRAY_W_O, 0, 0, &e), OK_STATUS);
	assert_int_equal(x.n, 0);
	fixture_free(&f);
	fixture_random(&f, 2, 2, 2, 2, "1");	/* Q is given */
	fixture_build(&f);
	assert_int_equal(explain_input(&x, &f.problem, 0, ARRAY_Q, 0, 0, &e), OK_STATUS);
	assert_int_equal(x.n, 0);
	explain_free(&x);
	fixture_free(&f);
}

/* ======================================================= the table, and memory */

static void kinds_have_names(void **state)
{
	(void)state;
	for (int k = 0; k < EXPLAIN_KINDS; k++) {
		const struct explain_info *info = explain_info((enum explain_kind)k);
		assert_non_null(info->name);
		assert_true(strlen(info->name) > 2);
		assert_non_null(strchr("+-*/=et ", info->sign));
		for (int other = 0; other < k; other++)
			assert_string_not_equal(info->name, explain_info((enum explain_kind)other)->name);
	}
}

enum { FUNCTIONS = 3 };

static enum status explain_some(struct explain *x, const struct fixture *f, int which, struct error *e)
{
	switch (which) {
	case 0:
		return explain_cell(x, &f->attention, &f->row, 1, STAGE_WEIGHTS, e);
	case 1:
		return explain_output(x, &f->attention, &f->row, 1, e);
	default:
		return explain_sum(x, &f->attention, &f->row, EXPLAIN_ROW_SUM, e);
	}
}

/* Each needs more room than the one before. The list that was there stays. */
static void memory_fails(void **state)
{
	struct explain x = { 0 };
	struct error e = { 0 };
	struct fixture f;

	(void)state;
	fixture_random(&f, 2, 200, 100, 3, "1");
	fixture_row(&f, 0);
	for (int which = 0; which < FUNCTIONS; which++) {
		struct explain before = x;
		alloc_fail(1);
		assert_int_equal(explain_some(&x, &f, which, &e), E_MEMORY);
		assert_string_equal(e.text, "no memory for the steps of an explanation");
		assert_memory_equal(&x, &before, sizeof x);
		alloc_fail(2);
		assert_int_equal(explain_some(&x, &f, which, &e), OK_STATUS);
		assert_int_equal(alloc_count(), 1);
	}
	alloc_fail(1);
	for (int which = 0; which < FUNCTIONS; which++)
		assert_int_equal(explain_some(&x, &f, which, &e), OK_STATUS);
	assert_int_equal(alloc_count(), 0);
	alloc_fail(0);
	explain_free(&x);
	explain_free(&x);
	assert_null(x.steps);
	fixture_free(&f);
}

static void sizes_overflow(void **state)
{
	const size_t sizes[] = { SIZE_MAX, SIZE_MAX / sizeof(struct explain_step) + 1, SIZE_MAX / sizeof(struct explain_step) };

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		struct problem p = { .source = SOURCE_SCORES, .n_k = sizes[k] };
		struct attention a = { .problem = &p };
		struct row r = { 0 };
		struct explain x = { 0 };
		struct error e = { 0 };
		alloc_fail(1);		/* where it still asks, there is none */
		assert_int_equal(explain_sum(&x, &a, &r, EXPLAIN_ROW_SUM, &e), E_MEMORY);
		assert_int_equal(explain_output(&x, &a, &r, 0, &e), E_MEMORY);
		alloc_fail(0);
		assert_null(x.steps);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_picture_of_the_readme),
		cmocka_unit_test(lists_of_kinds),
		cmocka_unit_test(edited_and_given),
		cmocka_unit_test(columns_by_hand),
		cmocka_unit_test(order_of_a_long_sum),
		cmocka_unit_test(every_cell_of_random_inputs),
		cmocka_unit_test(long_rows),
		cmocka_unit_test(long_products),
		cmocka_unit_test(sums_of_every_length),
		cmocka_unit_test(every_joined_number),
		cmocka_unit_test(every_projected_number),
		cmocka_unit_test(kinds_have_names),
		cmocka_unit_test(memory_fails),
		cmocka_unit_test(sizes_overflow),
	};
	return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
