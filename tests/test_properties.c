/* test_properties.c - what must hold of every row, with fixed seeds.
 *
 * The first part computes whole matrices in long double straight from the
 * formulas of row.h and mask.h, sharing no code with the core but its random
 * stream, and compares every number of every stage. The other parts need no
 * expected numbers: they are properties of softmax and of masks.
 */
#include "tests/fixture.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"

typedef long double real;

/* ======================================================= an independent computation */

enum { N_MAX = 304, D_K = 5, D_V = 3 };
enum loaded { NO_MASK, FLAGS_KEEP, FLAGS_HIDE, ADDITIVE };
enum fill_kind { F_INF, F_NUMBER, F_MIN };

/* What one run has in force; its numbers are those below. */
struct plan {
	size_t n_q, n_k;
	bool given_scores;
	size_t edit_row, edit_column;
	double edit_value;

	bool causal, bottom_right, pad_mask, invert, has_documents;
	long offset, prefix, window;
	bool pad[N_MAX];
	int pad_axis;
	long document[N_MAX];
	enum loaded loaded;
	size_t mask_rows;
	bool has_bias;

	int scale;			/* 0..3 as the words, 4: number */
	double scale_number, temperature, softcap, slope;	/* softcap 0: off */
	long scale_times, d_model;

	enum fill_kind fill_kind;
	double fill, keep_value;
	bool has_keep_value;
	int fill_op, mask_at, empty_row;
	bool column, naive, twice;
	double dropout;
};

/* Inputs and results; static, they are too large for the stack. */
static double q[N_MAX][D_K], k[N_MAX][D_K], v[N_MAX][D_V], given[N_MAX][N_MAX], mask[N_MAX][N_MAX], bias[N_MAX][N_MAX];
static bool hide[N_MAX][N_MAX], keep[N_MAX][N_MAX];
static real scores[N_MAX][N_MAX], scaled[N_MAX][N_MAX], masked[N_MAX][N_MAX], weights[N_MAX][N_MAX];
static real output[N_MAX][D_V], row_maximum[N_MAX], row_denominator[N_MAX];
static rules rule[N_MAX][N_MAX];
static bool shown[N_MAX][N_MAX];
static size_t visible[N_MAX];

static void find_rules(const struct plan *p)
{
	long shift = p->bottom_right ? (long)p->n_k - (long)p->n_q : 0;

	for (long i = 0; i < (long)p->n_q; i++) {
		long at = i + shift, own = at >= 0 && at < (long)p->n_k ? p->document[at] : 0;
		visible[i] = 0;
		for (long j = 0; j < (long)p->n_k; j++) {
			rules r = 0;
			bool row_is_pad = i < (long)p->n_k && p->pad[i];
			if (p->causal && j > at + p->offset && j >= p->prefix)
				r |= RULE_CAUSAL;
			if (p->pad_mask && ((p->pad_axis != PAD_QUERY && p->pad[j]) || (p->pad_axis != PAD_KEY && row_is_pad)))
				r |= RULE_PAD;
			if (p->window && at - j >= p->window)
				r |= RULE_WINDOW;
			if (p->has_documents && (!own || p->document[j] != own))
				r |= RULE_DOCUMENTS;
			double m = mask[p->mask_rows == 1 ? 0 : i][j];
			if ((p->loaded == FLAGS_KEEP && m == 0) || (p->loaded == FLAGS_HIDE && m != 0) ||
			    (p->loaded == ADDITIVE && m <= -10000))
				r |= RULE_MASK;
			if (hide[i][j])
				r |= RULE_HIDE;
			if (p->invert)
				r = r ? 0 : RULE_INVERT;
			shown[i][j] = !r || keep[i][j];
			rule[i][j] = keep[i][j] ? r | RULE_KEPT : r;
			visible[i] += shown[i][j];
		}
	}
}

static void find_scaled(const struct plan *p)
{
	for (size_t i = 0; i < p->n_q; i++)
		for (size_t j = 0; j < p->n_k; j++) {
			real s = 0;
			for (size_t c = 0; c < D_K; c++)
				s += (real)q[i][c] * k[j][c];
			if (p->given_scores)
				s = given[i][j];
			if (i == p->edit_row && j == p->edit_column)
				s = p->edit_value;
			scores[i][j] = s;
			for (long t = 0; t < p->scale_times; t++)
				s = p->scale == SCALE_SQRT ? s / sqrtl(D_K) : p->scale == SCALE_DK ? s / D_K
				  : p->scale == SCALE_DMODEL ? s / sqrtl((real)p->d_model)
				  : p->scale == SCALE_NONE ? s : s * (real)p->scale_number;
			scaled[i][j] = s / p->temperature;
		}
}

static real fill_cell(const struct plan *p, real x, bool is_shown)
{
	real fill = p->fill_kind == F_INF ? -INFINITY : p->fill_kind == F_MIN ? -DBL_MAX : p->fill;
	real keep_value = p->has_keep_value ? p->keep_value : p->fill_op == FILL_ADD ? 0 : 1;

	/* A double holds the result: 1e9 plus a small score loses its last digits, and that is meant. */
	if (p->fill_op == FILL_ADD)
		return (double)(x + (is_shown ? keep_value : fill));
	if (p->fill_op == FILL_MULTIPLY)
		return x * (is_shown ? keep_value : fill);
	return is_shown ? x : fill;
}

static void find_masked(const struct plan *p)
{
	long shift = p->bottom_right ? (long)p->n_k - (long)p->n_q : 0;

	for (size_t i = 0; i < p->n_q; i++)
		for (size_t j = 0; j < p->n_k; j++) {
			real x = scaled[i][j];
			double m = mask[p->mask_rows == 1 ? 0 : i][j];
			if (p->softcap != 0)
				x = p->softcap * tanhl(x / p->softcap);
			x -= p->slope * fabsl((real)((long)i + shift - (long)j));
			if (p->has_bias)
				x += bias[i][j];
			if (p->loaded == ADDITIVE && m > -10000)
				x += m;
			masked[i][j] = p->mask_at == MASK_BEFORE ? fill_cell(p, x, shown[i][j]) : x;
		}
}

static real max_real(real a, real b)
{
	return isnan(a) || isnan(b) ? NAN : a > b ? a : b;
}

/* One softmax of a[][] in place, along rows or columns. */
static void softmax_of(const struct plan *p, real (*a)[N_MAX], bool note)
{
	size_t lines = p->column ? p->n_k : p->n_q, length = p->column ? p->n_q : p->n_k;

	for (size_t l = 0; l < lines; l++) {
		real m = -INFINITY, sum = 0;
		for (size_t x = 0; x < length; x++)
			m = max_real(m, p->column ? a[x][l] : a[l][x]);
		for (size_t x = 0; x < length; x++) {
			real *cell = p->column ? &a[x][l] : &a[l][x];
			/* Where a double overflows or underflows, naive is to do so too. */
			*cell = p->naive ? (real)(double)expl(*cell) : expl(*cell - m);
			sum += *cell;
		}
		for (size_t x = 0; x < length; x++)
			*(p->column ? &a[x][l] : &a[l][x]) /= sum;
		if (note && !p->column) {
			row_maximum[l] = m;
			row_denominator[l] = sum;
		}
	}
}

static void after_softmax(const struct plan *p, struct random *draws)
{
	for (size_t i = 0; i < p->n_q; i++) {
		real sum = 0;
		for (size_t j = 0; j < p->n_k; j++) {
			if (p->mask_at != MASK_BEFORE && !shown[i][j])
				weights[i][j] *= 0;
			sum += weights[i][j];
		}
		for (size_t j = 0; j < p->n_k; j++) {
			real *w = &weights[i][j];
			if (p->mask_at == MASK_AFTER_RENORM)
				*w /= sum;
			if (!visible[i] && p->empty_row != EMPTY_LITERAL)
				*w = p->empty_row == EMPTY_ZERO ? 0 : 1.0L / (real)p->n_k;
			if (p->dropout > 0)
				*w *= random_double(draws) >= p->dropout ? 1 / (1 - (real)p->dropout) : 0;
		}
	}
}

static void find_output(const struct plan *p)
{
	for (size_t i = 0; i < p->n_q; i++)
		for (size_t c = 0; c < D_V; c++) {
			output[i][c] = 0;
			for (size_t j = 0; j < p->n_k && (visible[i] || p->empty_row != EMPTY_ZERO); j++)
				output[i][c] += weights[i][j] * v[j][c];
		}
}

static void compute(const struct plan *p, struct random *draws)
{
	find_rules(p);
	find_scaled(p);
	find_masked(p);
	memcpy(weights, masked, sizeof weights);
	softmax_of(p, weights, true);
	if (p->twice)
		softmax_of(p, weights, false);
	after_softmax(p, draws);
	find_output(p);
}

/* ---- a plan by dice ---- */

static bool one_in(struct dice *d, size_t n)
{
	return !dice_below(d, n);
}

static void roll_numbers(struct plan *p, struct dice *d)
{
	for (size_t i = 0; i < p->n_q; i++)
		for (size_t c = 0; c < D_K; c++)
			q[i][c] = dice_between(d, -2, 2);
	for (size_t j = 0; j < p->n_k; j++) {
		for (size_t c = 0; c < D_K; c++)
			k[j][c] = dice_between(d, -2, 2);
		for (size_t c = 0; c < D_V; c++)
			v[j][c] = dice_between(d, -3, 3);
	}
	for (size_t i = 0; i < p->n_q; i++)
		for (size_t j = 0; j < p->n_k; j++) {
			given[i][j] = dice_between(d, -6, 6);
			bias[i][j] = dice_between(d, -1, 1);
		}
	p->given_scores = one_in(d, 3);
	if (p->given_scores && one_in(d, 4))
		given[dice_below(d, p->n_q)][dice_below(d, p->n_k)] = (double[]){ NAN, INFINITY, -INFINITY }[dice_below(d, 3)];
}

/* One score changed by 0.01, as a user does it. */
static void roll_edit(struct plan *p, struct dice *d)
{
	double sum = 0;
	size_t i = dice_below(d, p->n_q), j = dice_below(d, p->n_k);

	for (size_t c = 0; c < D_K; c++)
		sum += q[i][c] * k[j][c];
	p->edit_row = i;
	p->edit_column = j;
	p->edit_value = (p->given_scores ? given[i][j] : sum) + 0.01;
}

static void roll_masks(struct plan *p, struct dice *d)
{
	static const double additive[] = { 0, -5, 1.5, -50, -10000, -65504, -1e9, -INFINITY, -DBL_MAX };

	p->causal = !one_in(d, 3);
	p->bottom_right = one_in(d, 2);
	p->offset = one_in(d, 3) ? (long)dice_below(d, 5) - 2 : 0;
	p->prefix = one_in(d, 4) ? 1 + (long)dice_below(d, p->n_k + 1) : 0;
	p->window = one_in(d, 4) ? 1 + (long)dice_below(d, p->n_k + 1) : 0;
	p->pad_mask = !one_in(d, 5);
	p->pad_axis = one_in(d, 3) ? (int)dice_below(d, 3) : PAD_KEY;
	p->has_documents = one_in(d, 4);
	p->invert = one_in(d, 6);
	p->has_bias = one_in(d, 5);
	p->loaded = one_in(d, 3) ? (enum loaded)(1 + dice_below(d, 3)) : NO_MASK;
	p->mask_rows = one_in(d, 2) ? 1 : p->n_q;
	bool pads = one_in(d, 2), cells = one_in(d, 3);
	for (size_t j = 0; j < p->n_k; j++) {
		p->pad[j] = pads && one_in(d, 3);
		p->document[j] = (long)dice_below(d, 4);
	}
	for (size_t i = 0; i < p->n_q; i++)
		for (size_t j = 0; j < p->n_k; j++) {
			hide[i][j] = cells && one_in(d, 7);
			keep[i][j] = cells && one_in(d, 9);
			mask[i][j] = p->loaded == ADDITIVE ? additive[dice_below(d, 9)] : (double)dice_below(d, 2);
		}
	if (p->loaded == ADDITIVE)
		mask[0][0] = -5;		/* not all 0 and 1, which would be flags */
}

static void roll_arithmetic(struct plan *p, struct dice *d)
{
	static const double number[] = { 0, -5, 1e-9, -1e9, 2.5 }, harmless[] = { 0, -5, 1e-9 };

	p->scale = (int)dice_below(d, 5);
	p->scale_number = dice_between(d, -1, 1);
	p->scale_times = one_in(d, 4) ? 2 : 1;
	p->d_model = 1 + (long)dice_below(d, 100);
	p->temperature = one_in(d, 3) ? dice_between(d, 0.3, 3) : 1;
	p->softcap = one_in(d, 4) ? dice_between(d, 0.5, 5) : 0;
	p->slope = one_in(d, 4) ? dice_between(d, -0.2, 0.5) : 0;
	p->fill_op = one_in(d, 2) ? (int)dice_below(d, 3) : FILL_REPLACE;
	p->fill_kind = p->fill_op == FILL_MULTIPLY ? (one_in(d, 2) ? F_INF : F_NUMBER) : (enum fill_kind)dice_below(d, 3);
	p->fill = p->fill_op == FILL_MULTIPLY ? harmless[dice_below(d, 3)] : number[dice_below(d, 5)];
	p->has_keep_value = one_in(d, 2);
	p->keep_value = one_in(d, 2) ? 1 : dice_between(d, -1, 1);
	p->mask_at = one_in(d, 3) ? (int)dice_below(d, 3) : MASK_BEFORE;
	p->empty_row = (int)dice_below(d, 3);
	p->column = one_in(d, 4);
	p->naive = one_in(d, 4);
	p->twice = one_in(d, 5);
	p->dropout = one_in(d, 5) ? 0.25 : 0;
}

/* ---- the same through the core ---- */

static void put_list(struct fixture *f, enum option which, struct buffer *text)
{
	struct error e = { 0 };

	if (text->size)
		assert_int_equal(option_set(&f->options, which, text->data, &e), OK_STATUS);
	buffer_free(text);
	*text = (struct buffer){ 0 };
}

static void set_lists(struct fixture *f, const struct plan *p)
{
	struct buffer text = { 0 };

	for (size_t j = 0; j < p->n_k; j++)
		if (p->pad[j])
			buffer_format(&text, "%s%zu", text.size ? "," : "", j);
	put_list(f, OPT_PAD, &text);
	for (size_t j = 0; j < p->n_k && p->has_documents; j++)
		buffer_format(&text, "%s%ld", text.size ? "," : "", p->document[j]);
	put_list(f, OPT_DOCUMENTS, &text);
	for (int which = 0; which < 2; which++) {
		for (size_t i = 0; i < p->n_q; i++)
			for (size_t j = 0; j < p->n_k; j++)
				if ((which ? keep : hide)[i][j])
					buffer_format(&text, "%s%zu:%zu", text.size ? "," : "", i, j);
		put_list(f, which ? OPT_KEEP : OPT_HIDE, &text);
	}
}

static void set_words(struct fixture *f, const struct plan *p)
{
	static const char *const scale[] = { "sqrt", "none", "dk", "dmodel" };
	static const char *const axis[] = { "key", "query", "both" }, *const op[] = { "replace", "add", "multiply" };
	static const char *const at[] = { "before", "after", "after-renorm" }, *const empty[] = { "literal", "zero", "uniform" };
	char text[1024], number[NUMBER_SIZE];

	snprintf(text, sizeof text, "causal=%s causal-align=%s causal-offset=%ld pad-mask=%s pad-axis=%s mask-invert=%s scale-times=%ld "
		 "d-model=%ld fill-op=%s mask-at=%s empty-row=%s softmax=%s softmax-kind=%s softmax-times=%d dropout-seed=77",
		 p->causal ? "on" : "off", p->bottom_right ? "bottom-right" : "top-left", p->offset, p->pad_mask ? "on" : "off",
		 axis[p->pad_axis], p->invert ? "on" : "off", p->scale_times, p->d_model, op[p->fill_op], at[p->mask_at],
		 empty[p->empty_row], p->column ? "column" : "row", p->naive ? "naive" : "stable", p->twice ? 2 : 1);
	options_from(&f->options, text);
	const struct { const char *name; bool on; double value; const char *word; } numbers[] = {
		{ "prefix", p->prefix > 0, (double)p->prefix, "off" },
		{ "window", p->window > 0, (double)p->window, "off" },
		{ "scale", p->scale > 3, p->scale_number, scale[p->scale % 4] },
		{ "temperature", true, p->temperature, "" },
		{ "softcap", p->softcap != 0, p->softcap, "off" },
		{ "alibi", p->slope != 0, p->slope, "off" },
		{ "fill", p->fill_kind == F_NUMBER, p->fill, p->fill_kind == F_INF ? "-inf" : "min" },
		{ "keep-value", p->has_keep_value, p->keep_value, "none" },
		{ "dropout", true, p->dropout, "" },
	};
	for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
		number_plain(numbers[n].value, number);
		snprintf(text, sizeof text, "%s=%s", numbers[n].name, numbers[n].on ? number : numbers[n].word);
		options_from(&f->options, text);
	}
}

static void add(struct fixture *f, enum array a, size_t rows, size_t columns, const double *from, size_t step)
{
	static double packed[N_MAX * N_MAX];

	for (size_t i = 0; i < rows; i++)
		memcpy(packed + i * columns, from + i * step, columns * sizeof *packed);
	fixture_array(f, a, rows, columns, packed);
}

static void load_matrices(struct fixture *f, const struct plan *p)
{
	static double packed[N_MAX * N_MAX];
	struct error e = { 0 };

	if (p->loaded) {
		for (size_t i = 0; i < p->mask_rows; i++)
			memcpy(packed + i * p->n_k, mask[i], p->n_k * sizeof *packed);
		f->options.polarity = p->loaded == FLAGS_KEEP ? POLARITY_KEEP : p->loaded == FLAGS_HIDE ? POLARITY_HIDE : POLARITY_AUTO;
		assert_int_equal(fixture_mask(f, p->mask_rows, p->n_k, packed, p->loaded == ADDITIVE ? 'f' : 'b', "mask", &e), OK_STATUS);
	}
	if (p->has_bias) {
		struct matrix m = { 0 };
		assert_int_equal(matrix_init(&m, p->n_q, p->n_k, &e), OK_STATUS);
		for (size_t i = 0; i < p->n_q; i++)
			memcpy(m.v + i * p->n_k, bias[i], p->n_k * sizeof *packed);
		assert_int_equal(bias_load(&f->problem, &m, &e), OK_STATUS);
		assert_null(m.v);
	}
}

static void open_plan(struct fixture *f, const struct plan *p)
{
	fixture_init(f);
	if (p->given_scores) {
		add(f, ARRAY_SCORES, p->n_q, p->n_k, given[0], N_MAX);
		f->scenario.d_k = D_K;
	} else {
		add(f, ARRAY_Q, p->n_q, D_K, q[0], D_K);
		add(f, ARRAY_K, p->n_k, D_K, k[0], D_K);
	}
	add(f, ARRAY_V, p->n_k, D_V, v[0], D_V);
	fixture_edit(f, ARRAY_SCORES, p->edit_row, p->edit_column, p->edit_value);
	set_words(f, p);
	set_lists(f, p);
	fixture_build(f);
	load_matrices(f, p);
	fixture_start(f);
}

/* ---- comparison ---- */

static void expect(real wanted, double got, double tolerance, const char *what, const struct fixture *f, size_t i, size_t j)
{
	struct buffer set = { 0 };

	/* As a double: valgrind has no wider numbers, and no infinity among them. */
	double kind = (double)wanted;
	if (isnan(kind) ? isnan(got) : isinf(kind) ? got == kind : fabsl(got - wanted) <= tolerance)
		return;
	for (int o = 0; o < OPT_COUNT; o++)
		if (!option_is_default(&f->options, (enum option)o)) {
			buffer_format(&set, " %s=", option_info((enum option)o)->name);
			option_text(&f->options, (enum option)o, &set);
		}
	fail_msg("%s %zu:%zu of (%zu, %zu) is %.17g instead of %.17Lg with%s", what, i, j, f->problem.n_q, f->problem.n_k,
		 got, wanted, set.data ? set.data : "");
}

/* Adding 1e9 leaves a grid of 1.2e-7, and which point of it is met hangs on the last bit. */
static double tolerance_of(const struct plan *p)
{
	bool coarse = p->fill_op == FILL_ADD && p->mask_at == MASK_BEFORE && p->fill_kind == F_NUMBER && p->fill < -1e6;

	return coarse ? 5e-7 : 2e-12;
}

static enum verdict verdict_of(const struct plan *p, size_t i, real sum)
{
	if (!visible[i])
		return VERDICT_EMPTY;
	for (size_t j = 0; j < p->n_k; j++)
		if (shown[i][j] && (isnan((double)masked[i][j]) || (double)masked[i][j] == INFINITY))
			return VERDICT_NON_FINITE;
	return isnan((double)sum) ? VERDICT_NAN : sum < 1 - 1e-9L ? VERDICT_LOW : sum > 1 + 1e-9L ? VERDICT_HIGH : VERDICT_OK;
}

static void compare_row(struct fixture *f, const struct plan *p, size_t i)
{
	const struct row *r = fixture_row(f, i);
	double t = tolerance_of(p);
	real sum = 0, entropy = 0, largest = -INFINITY;

	for (size_t j = 0; j < p->n_k; j++) {
		expect(scores[i][j], r->scores[j], 1e-13, "scores", f, i, j);
		expect(scaled[i][j], r->scaled[j], 1e-12, "scaled", f, i, j);
		expect(masked[i][j], r->masked[j], t, "masked", f, i, j);
		expect(weights[i][j], r->weights[j], t, "weights", f, i, j);
		expect(rule[i][j], r->rules[j], 0, "rules", f, i, j);
		if (r->overridden[j] != (!p->given_scores && i == p->edit_row && j == p->edit_column))
			fail_msg("cell %zu:%zu: override", i, j);
		sum += weights[i][j];
		largest = max_real(largest, weights[i][j]);
		entropy -= weights[i][j] == 0 ? 0 : weights[i][j] * log2l(weights[i][j]);
	}
	for (size_t c = 0; c < D_V; c++)
		expect(output[i][c], r->output[c], 20 * t, "output", f, i, c);
	expect(sum, r->sum, 10 * t, "sum", f, i, 0);
	expect(entropy, r->entropy, 100 * t, "entropy", f, i, 0);
	expect(largest, r->largest, t, "largest", f, i, 0);
	expect((real)visible[i], (double)r->visible, 0, "visible", f, i, 0);
	expect(p->column ? NAN : row_maximum[i], r->maximum, t, "maximum", f, i, 0);
	real d = row_denominator[i];
	expect(p->column ? NAN : d, r->denominator, 10 * t * (1 + (isfinite((double)d) ? (double)d : 0)), "denominator", f, i, 0);
	if (isnan(sum) || fabsl(fabsl(sum - 1) - 1e-9L) > 1e-10L)	/* not on the line itself */
		expect(verdict_of(p, i, sum), r->verdict, 0, "verdict", f, i, 0);
}

static void compare_with_long_double(size_t n, int times)
{
	struct dice d = { 20240601 + n };
	struct fixture f;
	struct error e = { 0 };

	for (int t = 0; t < times; t++) {
		static struct plan p;
		struct random draws;
		p = (struct plan){ .n_q = n, .n_k = n };
		if (one_in(&d, 3))
			p.n_q = one_in(&d, 2) ? n / 2 + 1 : n + 3;
		roll_numbers(&p, &d);
		roll_edit(&p, &d);
		roll_masks(&p, &d);
		roll_arithmetic(&p, &d);
		open_plan(&f, &p);
		assert_int_equal(random_seed(&draws, &f.tables, "77", &e), OK_STATUS);
		compute(&p, &draws);
		for (size_t i = 0; i < p.n_q; i++)
			compare_row(&f, &p, i);
		fixture_free(&f);
	}
}

static void equals_long_double_n1(void **state) { (void)state; compare_with_long_double(1, 300); }
static void equals_long_double_n2(void **state) { (void)state; compare_with_long_double(2, 400); }
static void equals_long_double_n3(void **state) { (void)state; compare_with_long_double(3, 500); }
static void equals_long_double_n7(void **state) { (void)state; compare_with_long_double(7, 300); }
static void equals_long_double_n8(void **state) { (void)state; compare_with_long_double(8, 300); }
static void equals_long_double_n9(void **state) { (void)state; compare_with_long_double(9, 300); }
static void equals_long_double_n129(void **state) { (void)state; compare_with_long_double(129, 16); }
static void equals_long_double_n300(void **state) { (void)state; compare_with_long_double(300, 5); }

/* ======================================================= properties of softmax and masks */

static const char *const mask_settings[] = {
	"", "causal=on", "causal=on causal-align=bottom-right", "causal=on causal-offset=1", "causal=on pad=0", "pad=1-2",
	"window=2", "causal=on window=3 prefix=1", "documents=1,1,2,2,3,3", "causal=on documents=1,1,0,2,2,2", "hide=0:0,2:5,5:1",
	"causal=on keep=0:5", "pad=4,5 pad-axis=both", "causal=on mask-invert=on keep=5:0",
};
enum { MASKS = sizeof mask_settings / sizeof *mask_settings };

static void random_six(struct fixture *f, const char *seed, const char *settings)
{
	fixture_random(f, 6, 6, 8, 3, seed);
	fixture_set(f, settings);
	fixture_start(f);
}

static void rows_sum_to_one_or_are_flagged(void **state)
{
	static const char *const extra[] = {
		"", "mask-at=after", "mask-at=after-renorm", "softmax=column", "fill=0", "softmax-times=2", "dropout=0.5",
		"fill-op=multiply fill=0 keep-value=1", "fill=-1e9 fill-op=add dtype=f16", "softmax-kind=naive scale=1000", "empty-row=uniform",
	};

	(void)state;
	for (size_t m = 0; m < MASKS; m++)
		for (size_t x = 0; x < sizeof extra / sizeof *extra; x++) {
			struct fixture f;
			random_six(&f, "11", mask_settings[m]);
			fixture_set(&f, extra[x]);
			fixture_start(&f);
			for (size_t i = 0; i < 6; i++) {
				const struct row *r = fixture_row(&f, i);
				bool one = fabs(r->sum - 1) <= f.attention.tolerance;
				if (r->verdict == VERDICT_OK)
					assert_true(one);
				else if (r->verdict == VERDICT_LOW || r->verdict == VERDICT_HIGH)
					assert_true(!isnan(r->sum) && !one && (r->sum < 1) == (r->verdict == VERDICT_LOW));
				else if (r->verdict == VERDICT_NAN)
					assert_true(isnan(r->sum));
				assert_int_equal(r->verdict == VERDICT_EMPTY, !r->visible);
			}
			fixture_free(&f);
		}
}

/* Scores in eighths, so that adding a whole number is exact. */
static void a_shift_changes_no_weight(void **state)
{
	static const double shift[] = { 1, -3, 700, -700, 1e6, -1e6 };
	struct dice d = { 3 };

	(void)state;
	for (size_t s = 0; s < sizeof shift / sizeof *shift; s++) {
		double plain[36], moved[36];
		struct fixture a, b;
		for (int c = 0; c < 36; c++) {
			plain[c] = (double)dice_below(&d, 64) / 8 - 4;
			moved[c] = plain[c] + shift[s];
		}
		fixture_scores(&a, 6, 6, plain);
		fixture_scores(&b, 6, 6, moved);
		fixture_set(&a, "causal=on");
		fixture_set(&b, "causal=on");
		for (size_t i = 0; i < 6; i++) {
			fixture_row(&a, i);
			fixture_row(&b, i);
			for (size_t j = 0; j < 6; j++)
				assert_same(b.row.weights[j], a.row.weights[j]);
			assert_same(b.row.denominator, a.row.denominator);
			assert_same(b.row.maximum, a.row.maximum + shift[s]);
			assert_same(b.row.entropy, a.row.entropy);
		}
		fixture_free(&a);
		fixture_free(&b);
	}
}

static void permuted_keys_permute_columns(void **state)
{
	static const size_t order[6] = { 3, 0, 5, 1, 4, 2 };
	struct fixture a, b;
	double keys[48], values[18];

	(void)state;
	random_six(&a, "5", "pad=1,4");
	const struct matrix *kk = problem_array(&a.problem, ARRAY_K, 0), *vv = problem_array(&a.problem, ARRAY_V, 0);
	for (size_t j = 0; j < 6; j++) {
		memcpy(keys + 8 * j, matrix_row(kk, order[j], NULL), 8 * sizeof *keys);
		memcpy(values + 3 * j, matrix_row(vv, order[j], NULL), 3 * sizeof *values);
	}
	fixture_init(&b);
	fixture_array(&b, ARRAY_Q, 6, 8, problem_array(&a.problem, ARRAY_Q, 0)->v);
	fixture_array(&b, ARRAY_K, 6, 8, keys);
	fixture_array(&b, ARRAY_V, 6, 3, values);
	fixture_set(&b, "pad=3,4");		/* where keys 1 and 4 went */
	for (size_t i = 0; i < 6; i++) {
		fixture_row(&a, i);
		fixture_row(&b, i);
		for (size_t j = 0; j < 6; j++) {
			assert_same(b.row.scores[j], a.row.scores[order[j]]);
			assert_same(b.row.masked[j], a.row.masked[order[j]]);
			assert_near(b.row.weights[j], a.row.weights[order[j]], 1e-15);
		}
		for (size_t c = 0; c < 3; c++)
			assert_near(b.row.output[c], a.row.output[c], 1e-14);
		assert_near(b.row.entropy, a.row.entropy, 1e-14);
	}
	fixture_free(&a);
	fixture_free(&b);
}

static void hidden_cells_are_exactly_zero(void **state)
{
	static const char *const dtypes[] = { "dtype=f64", "dtype=f32", "dtype=f16", "dtype=bf16", "softmax-kind=naive" };
	size_t hidden = 0;

	(void)state;
	for (size_t m = 0; m < MASKS; m++)
		for (size_t t = 0; t < sizeof dtypes / sizeof *dtypes; t++) {
			struct fixture f;
			random_six(&f, "2", mask_settings[m]);
			fixture_set(&f, dtypes[t]);
			fixture_start(&f);
			for (size_t i = 0; i < 6; i++) {
				const struct row *r = fixture_row(&f, i);
				for (size_t j = 0; j < 6 && r->visible; j++) {
					if (!mask_hides(r->rules[j])) {
						assert_true(r->weights[j] > 0);
						continue;
					}
					assert_same(r->masked[j], -INFINITY);
					assert_same(r->weights[j], 0.0);
					hidden++;
				}
			}
			fixture_free(&f);
		}
	assert_true(hidden > 500);
}

static void the_causal_triangle(void **state)
{
	(void)state;
	for (size_t n = 1; n <= 40; n++) {
		struct fixture f;
		size_t shown_cells = 0;
		fixture_random(&f, n, n, 4, 2, "1");
		fixture_set(&f, "causal=on");
		for (size_t i = 0; i < n; i++) {
			const struct row *r = fixture_row(&f, i);
			for (size_t j = 0; j < n; j++) {
				assert_int_equal(r->rules[j], j > i ? RULE_CAUSAL : 0);
				assert_int_equal(r->weights[j] == 0, j > i);
			}
			assert_int_equal(r->visible, i + 1);
			shown_cells += r->visible;
		}
		assert_int_equal(shown_cells, n * (n + 1) / 2);
		fixture_free(&f);
	}
}

static void outputs_lie_in_the_hull_of_v(void **state)
{
	(void)state;
	for (size_t m = 0; m < MASKS; m++) {
		struct fixture f;
		random_six(&f, "8", mask_settings[m]);
		const struct matrix *vv = problem_array(&f.problem, ARRAY_V, 0);
		for (size_t i = 0; i < 6; i++) {
			const struct row *r = fixture_row(&f, i);
			for (size_t c = 0; c < 3 && r->visible; c++) {
				double low = INFINITY, high = -INFINITY;
				for (size_t j = 0; j < 6; j++) {
					if (mask_hides(r->rules[j]))
						continue;
					low = fmin(low, matrix_at(vv, j, c));
					high = fmax(high, matrix_at(vv, j, c));
				}
				assert_true(r->output[c] >= low - 1e-14 && r->output[c] <= high + 1e-14);
			}
		}
		fixture_free(&f);
	}
}

static void same_weights(const char *one, const char *other, size_t d_k)
{
	struct fixture a, b;

	fixture_random(&a, 5, 5, d_k, 2, "4");
	fixture_random(&b, 5, 5, d_k, 2, "4");
	fixture_set(&a, one);
	fixture_set(&b, other);
	for (size_t i = 0; i < 5; i++) {
		fixture_row(&a, i);
		fixture_row(&b, i);
		for (size_t j = 0; j < 5; j++) {
			assert_same(a.row.scores[j], b.row.scores[j]);
			assert_same(a.row.weights[j], b.row.weights[j]);
		}
	}
	fixture_free(&a);
	fixture_free(&b);
}

static void scale_rules_say_the_same(void **state)
{
	(void)state;
	same_weights("scale=sqrt", "scale=none temperature=8", 64);
	same_weights("scale=sqrt", "scale=0.125", 64);
	same_weights("scale=dk", "scale=sqrt scale-times=2", 64);
	same_weights("scale=dk", "scale=0.015625", 64);
	same_weights("scale=sqrt", "scale=dmodel d-model=7", 7);
	same_weights("scale=sqrt", "scale=dmodel", 7);		/* one head */
	same_weights("scale=none", "scale=1", 7);
	same_weights("scale=sqrt", "scale=none temperature=2.6457513110645907", 7);
}

/* ======================================================= the signature of each mistake */

enum sums { ONE, LESS_BUT_LAST, LAST_NAN, FIRST_NAN, NOT_ONE };
/* From the bug signature table of the lessons: n = 4, d_k = 8; noise on the
 * last token's K, V or Q; outputs of the other rows compared as allclose does. */
static const struct {
	const char *settings;
	int triangle;		/* upper triangle all 0: 1 yes, 0 no, -1 not told */
	enum sums sums;
	bool k_moved, v_moved, q_moved;
} signature[] = {
	{ "causal=on", 1, ONE, false, false, false },
	{ "", 0, ONE, true, true, false },
	{ "causal=on bug=mask-after-softmax", 1, LESS_BUT_LAST, true, false, false },
	{ "causal=on bug=mask-after-renorm", 1, ONE, false, false, false },
	{ "causal=on bug=zero-fill", 0, ONE, false, true, false },
	{ "causal=on bug=tiny-fill", 0, ONE, false, true, false },
	{ "causal=on bug=multiply-mask", 0, ONE, false, true, false },
	{ "causal=on bug=add-mask", 0, ONE, true, true, false },
	{ "causal=on bug=inverted-mask", 0, LAST_NAN, true, true, false },
	{ "bug=future-step", 0, ONE, true, true, false },
	{ "bug=diagonal-hidden", -1, FIRST_NAN, false, false, false },
	{ "causal=on bug=column-softmax", 1, NOT_ONE, false, false, true },
	{ "causal=on pad=3 bug=pad-rows", 1, LAST_NAN, false, false, false },
	{ "causal=on pad=0", -1, FIRST_NAN, false, false, false },
};

static bool allclose(double a, double b)
{
	return same_number(a, b) || fabs(a - b) <= 1e-8 + 1e-5 * fabs(b);
}

/* Whether noise in that array's last row moves an output of an earlier row. */
static bool moved(const char *settings, enum array a)
{
	struct fixture before, after;
	struct dice d = { 9 };
	bool any = false;

	fixture_random(&before, 4, 4, 8, 8, "0");
	fixture_random(&after, 4, 4, 8, 8, "0");
	fixture_set(&before, settings);
	fixture_set(&after, settings);
	for (size_t c = 0; c < 8; c++)
		fixture_edit(&after, a, 3, c, dice_between(&d, -100, 100));
	for (size_t i = 0; i < 3; i++) {
		fixture_row(&before, i);
		fixture_row(&after, i);
		for (size_t c = 0; c < 8; c++)
			any |= !allclose(after.row.output[c], before.row.output[c]);
	}
	fixture_free(&before);
	fixture_free(&after);
	return any;
}

static bool sum_fits(enum sums wanted, double sum, size_t i)
{
	bool one = fabs(sum - 1) < 1e-9;

	switch (wanted) {
	case LESS_BUT_LAST:
		return i == 3 ? one : sum < 1 - 1e-3;
	case LAST_NAN:
		return i == 3 ? isnan(sum) : one;
	case FIRST_NAN:
		return i == 0 ? isnan(sum) : one;
	case NOT_ONE:
		return !isnan(sum) && !one;
	default:
		return one;
	}
}

static void every_mistake_leaves_its_signature(void **state)
{
	(void)state;
	for (size_t s = 0; s < sizeof signature / sizeof *signature; s++) {
		struct fixture f;
		bool triangle = true;
		fixture_random(&f, 4, 4, 8, 8, "0");
		fixture_set(&f, signature[s].settings);
		for (size_t i = 0; i < 4; i++) {
			const struct row *r = fixture_row(&f, i);
			if (!sum_fits(signature[s].sums, r->sum, i))
				fail_msg("\"%s\": row %zu sums to %.17g", signature[s].settings, i, r->sum);
			for (size_t j = i + 1; j < 4; j++)
				triangle &= r->weights[j] == 0;
		}
		if (signature[s].triangle >= 0 && triangle != signature[s].triangle)
			fail_msg("\"%s\": the upper triangle", signature[s].settings);
		if (moved(signature[s].settings, ARRAY_K) != signature[s].k_moved ||
		    moved(signature[s].settings, ARRAY_V) != signature[s].v_moved ||
		    moved(signature[s].settings, ARRAY_Q) != signature[s].q_moved)
			fail_msg("\"%s\": what moved", signature[s].settings);
		fixture_free(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equals_long_double_n1),
		cmocka_unit_test(equals_long_double_n2),
		cmocka_unit_test(equals_long_double_n3),
		cmocka_unit_test(equals_long_double_n7),
		cmocka_unit_test(equals_long_double_n8),
		cmocka_unit_test(equals_long_double_n9),
		cmocka_unit_test(equals_long_double_n129),
		cmocka_unit_test(equals_long_double_n300),
		cmocka_unit_test(rows_sum_to_one_or_are_flagged),
		cmocka_unit_test(a_shift_changes_no_weight),
		cmocka_unit_test(permuted_keys_permute_columns),
		cmocka_unit_test(hidden_cells_are_exactly_zero),
		cmocka_unit_test(the_causal_triangle),
		cmocka_unit_test(outputs_lie_in_the_hull_of_v),
		cmocka_unit_test(scale_rules_say_the_same),
		cmocka_unit_test(every_mistake_leaves_its_signature),
	};
	return cmocka_run_group_tests_name("properties", tests, NULL, NULL);
}
