/* row.c - THE unit of computation: one query row through every stage. */
#include "core/row.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bug.h"
#include "core/message.h"
#include "core/number.h"
#include "core/row_products.h"

const char *verdict_name(enum verdict v)
{
	static const char *const name[] = { N_("ok"), N_("empty"), N_("non-finite"), "nan", N_("low"), N_("high") };
	return name[v];
}

/* ---- arithmetic in a number type ---- */

/* number.c's pairwise sum with every addition rounded. */
static double pairwise_in(const double *a, size_t n, enum dtype t)
{
	double r[8], sum = 0;
	size_t i;

	if (n < 8) {
		for (i = 0; i < n; i++)
			sum = dtype_round(sum + a[i], t);
		return sum;
	}
	if (n > 128) {
		size_t half = n / 2 - n / 2 % 8;
		return dtype_round(pairwise_in(a, half, t) + pairwise_in(a + half, n - half, t), t);
	}
	memcpy(r, a, sizeof r);
	for (i = 8; i < n - n % 8; i += 8)
		for (int k = 0; k < 8; k++)
			r[k] = dtype_round(r[k] + a[i + (size_t)k], t);
	for (int width = 1; width < 8; width *= 2)
		for (int k = 0; k < 8; k += 2 * width)
			r[k] = dtype_round(r[k] + r[k + width], t);
	for (sum = r[0]; i < n; i++)
		sum = dtype_round(sum + a[i], t);
	return sum;
}

/* As number_sum. */
static double sum_in(const double *a, size_t n, enum dtype t)
{
	double sum = 0;

	if (t == DTYPE_F64)
		return number_sum(a, n);
	for (size_t i = 0; i < n; i += NUMBER_RUN)
		sum = dtype_round(sum + pairwise_in(a + i, n - i < NUMBER_RUN ? n - i : NUMBER_RUN, t), t);
	return sum;
}

/* As np.max: a nan wins and stays. */
static double larger(double a, double b)
{
	return a >= b || isnan(a) ? a : b;
}

static double largest_of(const double *a, size_t n)
{
	double m = a[0];

	for (size_t j = 1; j < n; j++)
		m = larger(m, a[j]);
	return m;
}

/* ---- one stage after the other ---- */

static void given_scores(struct row *r, const struct attention *a, const struct matrix *given)
{
	const double *x = matrix_row(given, r->index, r->work);

	for (size_t j = 0; j < a->problem->n_k; j++)
		r->scores[j] = dtype_round(x[j], a->dtype);
}

static void compute_scores(struct row *r, const struct attention *a)
{
	const struct problem *p = a->problem;
	const struct matrix *given = problem_array(p, ARRAY_SCORES, a->head);

	memset(r->overridden, 0, p->n_k * sizeof *r->overridden);
	if (given) {
		given_scores(r, a, given);
		return;
	}
	row_products(r, a);
	size_t edits;
	const struct edit *edit = edits_of_row(&p->edits, ARRAY_SCORES, a->head, r->index, &edits);
	for (; edits; edits--, edit++) {
		r->scores[edit->column] = dtype_round(edit->value, a->dtype);
		r->overridden[edit->column] = true;
	}
}

static void compute_scaled(struct row *r, const struct attention *a)
{
	const struct options *o = &a->options;
	double temperature = o->temperature.number;

	for (size_t j = 0; j < a->problem->n_k; j++) {
		double x = r->scores[j];
		for (long t = 0; t < o->scale_times; t++) {
			if (a->divisor != 1)
				x = dtype_round(x / a->divisor, a->score_dtype);
			if (a->factor != 1)
				x = dtype_round(x * a->factor, a->score_dtype);
		}
		if (temperature != 1)
			x /= temperature;
		r->scaled[j] = dtype_round(x, a->score_dtype);
	}
}

/* What softcap, alibi and bias make of a scaled score. */
static double changed_score(const struct attention *a, size_t i, size_t j, double x)
{
	const struct problem *p = a->problem;
	const struct options *o = &a->options;

	if (o->softcap.word < 0)
		x = dtype_round(o->softcap.number * tanh(x / o->softcap.number), a->score_dtype);
	if (a->slope != 0) {
		double distance = fabs((double)(mask_position(p, o, i) - (long)j));
		x = dtype_round(x - a->slope * distance, a->score_dtype);
	}
	if (p->bias.v)
		x = dtype_round(x + matrix_at(&p->bias, p->bias.rows == 1 ? 0 : i, j), a->score_dtype);
	if (p->mask.v && p->mask_additive && mask_bias(p, i, j) != 0)
		x = dtype_round(x + mask_bias(p, i, j), a->score_dtype);
	return x;
}

static double filled(const struct attention *a, double x, bool hidden)
{
	const struct options *o = &a->options;
	bool has_keep = o->keep_value.word < 0;

	switch (o->fill_op) {
	case FILL_ADD:
		return dtype_round(x + (hidden ? a->fill : has_keep ? o->keep_value.number : 0.0), a->score_dtype);
	case FILL_MULTIPLY:
		return dtype_round(x * (hidden ? a->fill : has_keep ? o->keep_value.number : 1.0), a->score_dtype);
	default:
		return hidden ? a->fill : x;
	}
}

static void compute_masked(struct row *r, const struct attention *a)
{
	bool before = a->options.mask_at == MASK_BEFORE;

	mask_row(a->problem, &a->options, r->index, r->rules);
	r->visible = 0;
	for (size_t j = 0; j < a->problem->n_k; j++) {
		bool hidden = mask_hides(r->rules[j]);
		double x = changed_score(a, r->index, j, r->scaled[j]);
		r->masked[j] = before ? filled(a, x, hidden) : x;
		r->visible += !hidden;
	}
}

/* One softmax of x into out, by row or by the columns' statistics. */
static void softmax(const struct attention *a, const double *x, double *out, double *maximum, double *denominator,
		    const double *column_maximum, const double *column_sum)
{
	size_t n = a->problem->n_k;
	bool stable = a->options.softmax_kind == SOFTMAX_STABLE;

	*maximum = column_maximum ? NAN : largest_of(x, n);
	for (size_t j = 0; j < n; j++) {
		double m = column_maximum ? column_maximum[j] : *maximum;
		double shifted = stable ? dtype_round(x[j] - m, a->dtype) : x[j];
		out[j] = dtype_round(exp(shifted), a->dtype);
	}
	*denominator = column_sum ? NAN : sum_in(out, n, a->dtype);
	for (size_t j = 0; j < n; j++)
		out[j] = dtype_round(out[j] / (column_sum ? column_sum[j] : *denominator), a->dtype);
}

static void mask_weights(struct row *r, const struct attention *a)
{
	size_t n = a->problem->n_k;

	for (size_t j = 0; j < n; j++)
		r->weights[j] = r->weights[j] * (mask_hides(r->rules[j]) ? 0.0 : 1.0);
	if (a->options.mask_at != MASK_AFTER_RENORM)
		return;
	r->remaining = sum_in(r->weights, n, a->dtype);
	for (size_t j = 0; j < n; j++)
		r->weights[j] = dtype_round(r->weights[j] / r->remaining, a->dtype);
}

/* default_rng(seed).random((n_q, n_k)) >= p keeps; cell i:j is draw i * n_k + j. */
static struct random draws_from(const struct attention *a, size_t i, size_t j)
{
	struct random draws = a->dropout;

	random_advance(&draws, (uint64_t)i * a->problem->n_k + j);
	return draws;
}

static double next_factor(struct random *draws, double p)
{
	return random_double(draws) >= p ? 1.0 / (1.0 - p) : 0.0;
}

static void drop(struct row *r, const struct attention *a)
{
	struct random draws = draws_from(a, r->index, 0);

	for (size_t j = 0; j < a->problem->n_k; j++)
		r->weights[j] = dtype_round(r->weights[j] * next_factor(&draws, a->options.dropout.number), a->dtype);
}

double attention_dropout(const struct attention *a, size_t i, size_t j)
{
	if (a->options.dropout.number <= 0 || a->problem->source == SOURCE_WEIGHTS)
		return 1;
	struct random draws = draws_from(a, i, j);
	return next_factor(&draws, a->options.dropout.number);
}

static void judge(struct row *r, const struct attention *a)
{
	size_t n = a->problem->n_k;
	bool given = a->problem->source == SOURCE_WEIGHTS;

	r->sum = number_sum(r->weights, n);
	r->largest = largest_of(r->weights, n);
	r->entropy = 0;
	for (size_t j = 0; j < n; j++)
		if (r->weights[j] != 0)
			r->entropy -= r->weights[j] * log2(r->weights[j]);
	if (r->entropy == 0)
		r->entropy = 0;		/* not -0 */
	r->verdict = isnan(r->sum) ? VERDICT_NAN
		   : r->sum < 1 - a->tolerance ? VERDICT_LOW
		   : r->sum > 1 + a->tolerance ? VERDICT_HIGH : VERDICT_OK;
	if (given)
		return;
	if (!r->visible) {
		r->verdict = VERDICT_EMPTY;
		return;
	}
	for (size_t j = 0; j < n; j++)
		if (!mask_hides(r->rules[j]) && (isnan(r->masked[j]) || r->masked[j] == INFINITY)) {
			r->verdict = VERDICT_NON_FINITE;
			r->culprit = j;
			return;
		}
}

static void compute_weights(struct row *r, const struct attention *a)
{
	const struct options *o = &a->options;
	const struct columns *c = &a->columns;
	size_t n = a->problem->n_k;

	r->second_maximum = r->second_denominator = r->remaining = NAN;
	softmax(a, r->masked, r->weights, &r->maximum, &r->denominator, c->maximum, c->sum);
	if (o->softmax_times == 2) {
		memcpy(r->work, r->weights, n * sizeof *r->work);
		softmax(a, r->work, r->weights, &r->second_maximum, &r->second_denominator, c->second_maximum, c->second_sum);
	}
	if (o->mask_at != MASK_BEFORE)
		mask_weights(r, a);
	if (!r->visible && o->empty_row != EMPTY_LITERAL)
		for (size_t j = 0; j < n; j++)
			r->weights[j] = o->empty_row == EMPTY_ZERO ? 0.0 : dtype_round(1.0 / (double)n, a->dtype);
	if (o->dropout.number > 0)
		drop(r, a);
	judge(r, a);
}

static void given_weights(struct row *r, const struct attention *a)
{
	size_t n = a->problem->n_k;

	memcpy(r->weights, matrix_row(problem_array(a->problem, ARRAY_WEIGHTS, a->head), r->index, r->work),
	       n * sizeof *r->weights);
	memset(r->rules, 0, n * sizeof *r->rules);
	memset(r->overridden, 0, n * sizeof *r->overridden);
	for (size_t j = 0; j < n; j++)
		r->scores[j] = r->scaled[j] = r->masked[j] = NAN;
	r->visible = n;
	r->maximum = r->denominator = r->second_maximum = r->second_denominator = r->remaining = NAN;
	judge(r, a);
}

/* The weights times the identity, as multiplying and adding gives it: 0 for -0,
 * and one weight that is not finite makes nan of every other sum, by 0 * inf. */
static void times_identity(struct row *r, const struct attention *a)
{
	size_t n = a->problem->n_k, bad = 0;

	for (size_t c = 0; c < n; c++) {
		r->output[c] = 0 + dtype_round(r->weights[c], a->dtype);
		bad += !isfinite(r->output[c]);
	}
	for (size_t c = 0; c < n && bad; c++)
		if (bad > 1 || isfinite(r->output[c]))
			r->output[c] = NAN;
}

static void compute_output(struct row *r, const struct attention *a)
{
	const struct problem *p = a->problem;
	const struct matrix *v = problem_array(p, ARRAY_V, a->head);

	if (!r->visible && a->options.empty_row == EMPTY_ZERO && p->source != SOURCE_WEIGHTS)
		memset(r->output, 0, p->d_v * sizeof *r->output);
	else if (p->identity_v)
		times_identity(r, a);
	else
		row_mix(r->weights, v, r->value, a->dtype, r->output);
}

void row_compute(struct row *r, const struct attention *a, size_t i, enum stage first, enum stage last)
{
	r->index = i;
	if (a->problem->source == SOURCE_WEIGHTS) {
		if (first <= STAGE_WEIGHTS && last >= STAGE_WEIGHTS)
			given_weights(r, a);
	} else {
		if (first <= STAGE_SCORES)
			compute_scores(r, a);
		if (first <= STAGE_SCALED && last >= STAGE_SCALED)
			compute_scaled(r, a);
		if (first <= STAGE_MASKED && last >= STAGE_MASKED)
			compute_masked(r, a);
		if (first <= STAGE_WEIGHTS && last >= STAGE_WEIGHTS)
			compute_weights(r, a);
	}
	if (first <= STAGE_OUTPUT && last >= STAGE_OUTPUT)
		compute_output(r, a);
}

const double *row_stage(const struct row *r, const struct attention *a, enum stage s, size_t *n)
{
	*n = s == STAGE_OUTPUT ? a->problem->d_v : a->problem->n_k;
	switch (s) {
	case STAGE_SCORES:
		return r->scores;
	case STAGE_SCALED:
		return r->scaled;
	case STAGE_MASKED:
		return r->masked;
	case STAGE_OUTPUT:
		return r->output;
	default:
		return r->weights;
	}
}

/* Of the arrays of inputs these four kinds may lie elsewhere. */
const double *row_input(struct row *r, const struct attention *a, enum array array, size_t i)
{
	double *scratch = array == ARRAY_Q ? r->query : array == ARRAY_K ? r->keys : array == ARRAY_V ? r->value : r->work;

	return matrix_row(problem_array(a->problem, array, a->head), i, scratch);
}

/* ---- memory of a row ---- */

enum status row_init(struct row *r, const struct attention *a, struct error *e)
{
	size_t n = a->problem->n_k, d_v = a->problem->d_v, d_k = problem_has_qk(a->problem) ? a->problem->d_k : 0;
	struct row fresh = { 0 };

	if (n > (SIZE_MAX / sizeof(double) - 2 * d_v - 5 * d_k) / 8)
		return error_set(e, E_MEMORY, "a row of %zu keys is too large", n);
	double *block = calloc(5 * n + 2 * d_v + 5 * d_k + 1, sizeof *block);
	fresh.rules = calloc(n + 1, sizeof *fresh.rules);
	fresh.overridden = calloc(n + 1, sizeof *fresh.overridden);
	if (!block || !fresh.rules || !fresh.overridden) {
		free(block);
		free(fresh.rules);
		free(fresh.overridden);
		return error_set(e, E_MEMORY, "no memory for a row of %zu keys", n);
	}
	fresh.scores = block;
	fresh.scaled = block + n;
	fresh.masked = block + 2 * n;
	fresh.weights = block + 3 * n;
	fresh.work = block + 4 * n;
	fresh.output = block + 5 * n;
	fresh.value = fresh.output + d_v;
	fresh.query = fresh.value + d_v;
	fresh.keys = fresh.query + d_k;
	*r = fresh;
	return OK_STATUS;
}

void row_free(struct row *r)
{
	free(r->scores);	/* the one block of all */
	free(r->rules);
	free(r->overridden);
	*r = (struct row){ 0 };
}

/* ---- what rows are computed from ---- */

static enum dtype own_dtype(int choice, enum dtype otherwise)
{
	return choice ? (enum dtype)(choice - 1) : otherwise;	/* word 0 is auto or as-dtype */
}

/* Slope of a head as in Press et al. 2022: 2^(-8 (h+1) / H) for H a power of
 * two; otherwise those of the next lower power, then every other one of the
 * next higher power. */
static double alibi_slope(size_t head, size_t heads)
{
	size_t power = 1;

	while (power * 2 <= heads)
		power *= 2;
	if (head < power)
		return exp2(-8.0 * (double)(head + 1) / (double)power);
	return exp2(-8.0 * (double)(2 * (head - power) + 1) / (double)(2 * power));
}

static enum status set_scale(struct attention *a, struct error *e)
{
	const struct problem *p = a->problem;
	const struct options *o = &a->options;
	size_t d_model = o->d_model > 0 ? (size_t)o->d_model : p->d_model;

	a->divisor = a->factor = 1;
	a->scale_note = NULL;
	if (o->scale.word < 0)
		a->factor = o->scale.number;
	else if (o->scale.word == SCALE_DMODEL && !d_model)
		return error_option(e, E_VALUE, "scale", "dmodel", "this input has no d_model; the option d-model gives one");
	else if (o->scale.word == SCALE_DMODEL)
		a->divisor = sqrt((double)d_model);
	else if (o->scale.word != SCALE_NONE && !p->d_k)
		a->scale_note = p->source == SOURCE_WEIGHTS ? N_("finished weights are given; nothing is scaled any more")
			      : N_("only scores are given, so there is no d_k to scale by");
	else if (o->scale.word == SCALE_SQRT)
		a->divisor = sqrt((double)p->d_k);
	else if (o->scale.word == SCALE_DK)
		a->divisor = (double)p->d_k;
	return OK_STATUS;
}

static void set_fill(struct attention *a)
{
	const struct number_or_word *fill = &a->options.fill;
	double value = fill->word == FILL_MINUS_INFINITY ? -INFINITY
		     : fill->word == FILL_MIN ? dtype_lowest(a->fill_dtype) : fill->number;

	a->fill = dtype_round(value, a->fill_dtype);
}

static enum status check_transpose(const struct attention *a, struct error *e)
{
	const struct problem *p = a->problem;

	if (a->options.transpose)
		return OK_STATUS;
	if (!problem_has_qk(p))
		return error_option(e, E_VALUE, "transpose", "off", "there are no Q and K to multiply");
	if (p->d_k != p->n_k)
		return error_option(e, E_SHAPE, "transpose", "off",
				    "Q (%zu, %zu) K (%zu, %zu): %zu columns against %zu rows, a shape error; K^T is (%zu, %zu)",
				    p->n_q, p->d_k, p->n_k, p->d_k, p->d_k, p->n_k, p->d_k, p->n_k);
	return OK_STATUS;
}

/* ---- softmax over columns ---- */

/* What a column softmax may cost, in multiply-adds of doubles: about two seconds. */
#define COLUMN_LIMIT 2e9

/* Masked scores that are kept from one pass to the next: 32 MiB of them. */
enum { KEPT_LIMIT = 1 << 22 };

/* What reads the rows one after the other, several times over. */
struct scan {
	const struct attention *a;
	struct row row;
	double *kept;		/* masked scores of the first rows, n_k each */
	size_t kept_rows;
	double *tall;		/* n_q: exponentials of a single column */
};

/* A multiply-add of a type in those of doubles, as measured: each result is rounded. */
static double cost_of(enum dtype t)
{
	static const double cost[] = { [DTYPE_F64] = 1, [DTYPE_F32] = 7, [DTYPE_F16] = 80, [DTYPE_BF16] = 10 };
	return cost[t];
}

/* n_q n_k d_k for the scores, in each pass unless they are kept; and in each a
 * cell takes as long as twenty more, for exp and all that is no product. */
static enum status check_columns(const struct attention *a, struct error *e)
{
	const struct problem *p = a->problem;
	double cells = (double)p->n_q * (double)p->n_k, passes = 2.0 * (double)a->options.softmax_times;
	double products = p->source == SOURCE_SCORES ? 0 : (double)p->d_k * cost_of(a->dtype);
	double other = 20 + cost_of(a->dtype) + cost_of(a->score_dtype);
	double cost = cells * (products * (cells <= KEPT_LIMIT ? 1 : passes) + other * passes);

	if (cost <= COLUMN_LIMIT)
		return OK_STATUS;
	return error_option(e, E_LIMIT, "softmax", "column", "%zu x %zu scores of d_k %zu in %s need all rows first, "
			    "at the cost of %.2g multiply-adds; the limit is %.0e",
			    p->n_q, p->n_k, p->d_k, dtype_name(a->dtype), cost, COLUMN_LIMIT);
}

/* The masked scores of row i; `first` the first time, when they are kept. */
static const double *scan_row(struct scan *s, size_t i, bool first)
{
	size_t n_k = s->a->problem->n_k;

	if (i < s->kept_rows && !first)
		return s->kept + i * n_k;
	row_compute(&s->row, s->a, i, STAGE_SCORES, STAGE_MASKED);
	if (i < s->kept_rows)
		memcpy(s->kept + i * n_k, s->row.masked, n_k * sizeof *s->kept);
	return s->row.masked;
}

/* Of all rows, per column the maximum, then the sum of exponentials: of what the
 * softmax before left, if this is the second. NumPy adds along axis 0 row after
 * row, but a single column is contiguous to it and summed pairwise. */
static void scan_columns(struct scan *s, bool second, double *maximum, double *sum)
{
	const struct attention *a = s->a;
	size_t n_q = a->problem->n_q, n_k = a->problem->n_k;
	bool stable = a->options.softmax_kind == SOFTMAX_STABLE;
	double ignored;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < n_q; i++) {
			const double *x = scan_row(s, i, !second && pass == 0);
			if (second) {
				softmax(a, x, s->row.work, &ignored, &ignored, a->columns.maximum, a->columns.sum);
				x = s->row.work;
			}
			for (size_t j = 0; j < n_k; j++) {
				if (pass == 0) {
					maximum[j] = i ? larger(maximum[j], x[j]) : x[j];
					continue;
				}
				double term = dtype_round(exp(stable ? dtype_round(x[j] - maximum[j], a->dtype) : x[j]), a->dtype);
				sum[j] = i ? dtype_round(sum[j] + term, a->dtype) : term;
				if (n_k == 1)
					s->tall[i] = term;
			}
		}
	if (n_k == 1)
		sum[0] = sum_in(s->tall, n_q, a->dtype);
}

static void scan_free(struct scan *s)
{
	row_free(&s->row);
	free(s->kept);
	free(s->tall);
}

static enum status scan_init(struct scan *s, const struct attention *a, struct error *e)
{
	size_t n_q = a->problem->n_q, n_k = a->problem->n_k;
	struct scan fresh = { .a = a };
	enum status status;

	if ((status = row_init(&fresh.row, a, e)))
		return status;
	fresh.kept_rows = KEPT_LIMIT / n_k < n_q ? KEPT_LIMIT / n_k : n_q;
	fresh.kept = calloc(fresh.kept_rows * n_k + 1, sizeof *fresh.kept);
	fresh.tall = calloc(n_q, sizeof *fresh.tall);
	if (!fresh.kept || !fresh.tall) {
		scan_free(&fresh);
		return error_set(e, E_MEMORY, "no memory for the columns");
	}
	*s = fresh;
	return OK_STATUS;
}

static enum status set_columns(struct attention *a, struct error *e)
{
	size_t n = a->problem->n_k;
	struct scan scan;
	enum status s;

	if (a->options.softmax != SOFTMAX_COLUMN || a->problem->source == SOURCE_WEIGHTS)
		return OK_STATUS;
	if ((s = check_columns(a, e)) || (s = scan_init(&scan, a, e)))
		return s;
	double *block = calloc(4 * n, sizeof *block);
	if (!block) {
		scan_free(&scan);
		return error_set(e, E_MEMORY, "no memory for the columns");
	}
	scan_columns(&scan, false, block, block + n);
	a->columns.maximum = block;
	a->columns.sum = block + n;
	if (a->options.softmax_times == 2) {
		scan_columns(&scan, true, block + 2 * n, block + 3 * n);
		a->columns.second_maximum = block + 2 * n;
		a->columns.second_sum = block + 3 * n;
	}
	scan_free(&scan);
	return OK_STATUS;
}

/* ---- all of it ---- */

/* Layer and batch are chosen when a file is opened: the numbers are those of one. */
static enum status check_slice(const struct problem *p, const struct options *o, struct error *e)
{
	static const enum option which[] = { OPT_HEAD, OPT_LAYER, OPT_BATCH };
	const struct file_part *part = &p->part;
	const long value[] = { o->head, o->layer, o->batch }, open[] = { -1, part->layer, part->batch };
	const size_t count[] = { p->heads, part->layers ? part->layers : 1, part->batches ? part->batches : 1 };

	for (int i = 0; i < 3; i++) {
		struct buffer text = { 0 };
		if (i ? value[i] == open[i] : (size_t)value[i] < count[i])
			continue;
		option_text(o, which[i], &text);
		const char *name = option_info(which[i])->name, *given = text.data ? text.data : "";
		enum status s = i && (count[i] > 1 || open[i])
			? error_option(e, E_VALUE, name, given, "%ld is open; another is chosen when the file is opened", open[i])
			: error_option(e, E_VALUE, name, given, "there %s %zu, counted from 0",
				       count[i] == 1 ? _("is only") : _("are only"), count[i]);
		buffer_free(&text);
		return s;
	}
	return OK_STATUS;
}

/* The numbers of another head's mask are not there. */
static enum status check_mask_head(const struct attention *a, struct error *e)
{
	const struct problem *p = a->problem;
	char value[24];

	if (!p->of_one_head || p->mask_head == a->head)
		return OK_STATUS;
	snprintf(value, sizeof value, "%zu", a->head);
	return error_option(e, E_VALUE, "head", value, "the mask from a file differs by head, and that of head %zu is loaded", p->mask_head);
}

enum status attention_init(struct attention *out, const struct problem *p, const struct options *o,
			   const struct random_tables *tables, struct error *e)
{
	struct attention a = { .problem = p };
	enum status s = options_copy(&a.options, o, e);

	if (s)
		return s;
	if ((s = bug_apply(&a.options, e)) || (s = check_slice(p, &a.options, e)) ||
	    (s = mask_check(p, &a.options, e)))
		goto failed;
	a.head = (size_t)a.options.head;
	if ((s = check_mask_head(&a, e)))
		goto failed;
	a.dtype = own_dtype(a.options.dtype, DTYPE_F64);
	a.score_dtype = own_dtype(a.options.score_dtype, a.dtype);
	a.fill_dtype = own_dtype(a.options.fill_dtype, a.score_dtype);
	a.tolerance = dtype_sum_tolerance(a.dtype, p->n_k);
	if (p->source == SOURCE_WEIGHTS && p->part.rounding > a.tolerance)
		a.tolerance = p->part.rounding;
	if ((s = set_scale(&a, e)) || (s = check_transpose(&a, e)))
		goto failed;
	set_fill(&a);
	a.slope = a.options.alibi.word == ALIBI_OFF ? 0
		: a.options.alibi.word == ALIBI_AUTO ? alibi_slope(a.head, p->heads) : a.options.alibi.number;
	if (a.options.dropout.number > 0 && (s = random_seed(&a.dropout, tables, a.options.dropout_seed, e)))
		goto failed;
	if ((s = set_columns(&a, e)))
		goto failed;
	*out = a;
	return OK_STATUS;
failed:
	options_free(&a.options);
	return s;
}

void attention_free(struct attention *a)
{
	options_free(&a->options);
	free(a->columns.maximum);	/* the one block of all */
	*a = (struct attention){ 0 };
}

bool attention_has_stage(const struct attention *a, enum stage s)
{
	return problem_has_stage(a->problem, s);
}

/* ---- heads side by side ---- */

size_t attention_joined_columns(const struct attention *a)
{
	const struct matrix *w_o = problem_array(a->problem, ARRAY_W_O, 0);
	return w_o ? w_o->columns : a->problem->heads * a->problem->d_v;
}

enum status joined_init(struct joined *out, const struct attention *a, const struct random_tables *tables,
			struct error *e)
{
	const struct problem *p = a->problem;
	struct joined j = { 0 };
	struct options o = a->options;		/* borrowed: attention_init copies */
	enum status s;

	j.head = calloc(p->heads, sizeof *j.head);
	j.beside = calloc(p->heads * p->d_v + 1, sizeof *j.beside);
	s = j.head && j.beside ? row_init(&j.row, a, e) : error_set(e, E_MEMORY, "no memory for %zu heads", p->heads);
	for (; j.heads < p->heads && !s; j.heads += !s) {
		o.head = (long)j.heads;
		s = attention_init(&j.head[j.heads], p, &o, tables, e);
	}
	if (s)
		joined_free(&j);
	else
		*out = j;
	return s;
}

void joined_free(struct joined *j)
{
	for (size_t h = 0; h < j->heads; h++)
		attention_free(&j->head[h]);
	free(j->head);
	row_free(&j->row);
	free(j->beside);
	*j = (struct joined){ 0 };
}

void joined_row(struct joined *j, size_t i, double *out)
{
	const struct problem *p = j->head->problem;
	const struct matrix *w_o = problem_array(p, ARRAY_W_O, 0);
	size_t n = j->heads * p->d_v;

	for (size_t h = 0; h < j->heads; h++) {
		row_compute(&j->row, &j->head[h], i, STAGE_SCORES, STAGE_OUTPUT);
		memcpy(j->beside + h * p->d_v, j->row.output, p->d_v * sizeof *j->beside);
	}
	if (!w_o)
		memcpy(out, j->beside, n * sizeof *out);
	else
		row_mix(j->beside, w_o, NULL, j->head->dtype, out);	/* W_O has numbers of its own */
}
