/* explain.c - the arithmetic that makes one cell, as a list of steps with their numbers. */
#include "core/explain.h"

#include <math.h>
#include <stdlib.h>

#include "core/number.h"

const struct explain_info *explain_info(enum explain_kind k)
{
	static const struct explain_info info[] = {
		[EXPLAIN_PROJECT] = { "project", '+' },
		[EXPLAIN_PRODUCT] = { "product", '+' },
		[EXPLAIN_GIVEN] = { "given", '=' },
		[EXPLAIN_EDIT] = { "edit", '=' },
		[EXPLAIN_SCALE_DIVIDE] = { "scale-divide", '/' },
		[EXPLAIN_SCALE_TIMES] = { "scale-times", '*' },
		[EXPLAIN_TEMPERATURE] = { "temperature", '/' },
		[EXPLAIN_ROUND] = { "round", ' ' },
		[EXPLAIN_SOFTCAP] = { "softcap", 't' },
		[EXPLAIN_ALIBI] = { "alibi", '-' },
		[EXPLAIN_BIAS] = { "bias", '+' },
		[EXPLAIN_MASK_BIAS] = { "mask-bias", '+' },
		[EXPLAIN_VISIBLE] = { "visible", ' ' },
		[EXPLAIN_FILL_REPLACE] = { "fill-replace", '=' },
		[EXPLAIN_FILL_ADD] = { "fill-add", '+' },
		[EXPLAIN_FILL_MULTIPLY] = { "fill-multiply", '*' },
		[EXPLAIN_KEEP_ADD] = { "keep-add", '+' },
		[EXPLAIN_KEEP_MULTIPLY] = { "keep-multiply", '*' },
		[EXPLAIN_MINUS_MAXIMUM] = { "minus-maximum", '-' },
		[EXPLAIN_MINUS_COLUMN_MAXIMUM] = { "minus-column-maximum", '-' },
		[EXPLAIN_EXP] = { "exp", 'e' },
		[EXPLAIN_DIVIDE] = { "divide", '/' },
		[EXPLAIN_DIVIDE_COLUMN] = { "divide-column", '/' },
		[EXPLAIN_MASK_AFTER] = { "mask-after", '*' },
		[EXPLAIN_RENORMALISE] = { "renormalise", '/' },
		[EXPLAIN_EMPTY] = { "empty-row", '=' },
		[EXPLAIN_DROPOUT] = { "dropout", '*' },
		[EXPLAIN_MIX] = { "mix", '+' },
		[EXPLAIN_TERM] = { "term", '+' },
		[EXPLAIN_JOIN] = { "join", '+' },
	};
	return &info[k];
}

/* ---- the list ---- */

void explain_free(struct explain *x)
{
	free(x->steps);
	*x = (struct explain){ 0 };
}

double explain_value(const struct explain *x)
{
	return x->n ? x->steps[x->n - 1].value : 0;
}

/* Room for two counts of steps together; they may be too many. */
static enum status reserve(struct explain *x, size_t n, size_t more, struct error *e)
{
	size_t most = SIZE_MAX / sizeof *x->steps;

	if (n <= most && more <= most - n) {
		if (n + more <= x->capacity)
			return OK_STATUS;
		struct explain_step *steps = realloc(x->steps, (n + more) * sizeof *steps);
		if (steps) {
			x->steps = steps;
			x->capacity = n + more;
			return OK_STATUS;
		}
	}
	return error_set(e, E_MEMORY, "no memory for the steps of an explanation");
}

/* What steps are put into, one after the other, and what all steps of a cell share. */
struct chain {
	const struct attention *a;
	const struct row *r;
	size_t j;
	struct explain_step *steps;	/* NULL: only x is wanted */
	size_t n;
	enum stage stage;
	bool again;
	double x;
};

static double operate(char sign, double x, double operand)
{
	switch (sign) {
	case '+':
		return x + operand;
	case '-':
		return x - operand;
	case '*':
		return x * operand;
	case '/':
		return x / operand;
	case '=':
		return operand;
	case 'e':
		return exp(x);
	case 't':
		return operand * tanh(x / operand);
	default:
		return x;
	}
}

static void put_step(struct chain *c, struct explain_step s)
{
	s.stage = c->stage;
	s.again = c->again;
	s.value = dtype_round(operate(explain_info(s.kind)->sign, c->x, s.operand), s.dtype);
	c->x = s.value;
	if (c->steps)
		c->steps[c->n] = s;
	c->n++;
}

static void put(struct chain *c, enum explain_kind kind, double operand, enum dtype dtype)
{
	put_step(c, (struct explain_step){ .kind = kind, .dtype = dtype, .index = c->j, .operand = operand });
}

/* The same, decided by whether the cell is hidden. */
static void put_mask(struct chain *c, enum explain_kind kind, double operand, enum dtype dtype)
{
	put_step(c, (struct explain_step){ .kind = kind, .dtype = dtype, .rules = c->r->rules[c->j], .index = c->j,
					   .operand = operand });
}

/* One term of a dot product. */
static void put_product(struct chain *c, enum explain_kind kind, enum dtype t, size_t index, double left, double right)
{
	left = dtype_round(left, t);
	right = dtype_round(right, t);
	put_step(c, (struct explain_step){ .kind = kind, .dtype = t, .index = index, .left = left, .right = right,
					   .operand = dtype_round(left * right, t) });
}

/* ---- one stage after the other, as row.c has them ---- */

static void products(struct chain *c)
{
	const struct attention *a = c->a;
	const struct matrix *q = problem_array(a->problem, ARRAY_Q, a->head);
	const struct matrix *k = problem_array(a->problem, ARRAY_K, a->head);
	size_t step = a->options.transpose ? 1 : k->columns;
	const double *left = matrix_row(q, c->r->index), *right = a->options.transpose ? matrix_row(k, c->j) : k->v + c->j;

	for (size_t n = 0; n < a->problem->d_k; n++)
		put_product(c, EXPLAIN_PRODUCT, a->dtype, n, left[n], right[n * step]);
}

static void score(struct chain *c)
{
	const struct attention *a = c->a;
	const struct matrix *given = problem_array(a->problem, ARRAY_SCORES, a->head);

	c->stage = STAGE_SCORES;
	if (given) {
		put(c, EXPLAIN_GIVEN, matrix_row(given, c->r->index)[c->j], a->dtype);
		return;
	}
	products(c);
	const struct edit *edit = edits_find(&a->problem->edits, ARRAY_SCORES, a->head, c->r->index, c->j);
	if (edit)
		put(c, EXPLAIN_EDIT, edit->value, a->dtype);
}

static void scale(struct chain *c)
{
	const struct attention *a = c->a;
	const struct options *o = &a->options;
	size_t before = c->n;

	c->stage = STAGE_SCALED;
	for (long t = 0; t < o->scale_times; t++) {
		c->again = t > 0;
		if (a->divisor != 1)
			put(c, EXPLAIN_SCALE_DIVIDE, a->divisor, a->score_dtype);
		if (a->factor != 1)
			put(c, EXPLAIN_SCALE_TIMES, a->factor, a->score_dtype);
	}
	c->again = false;
	if (o->temperature.number != 1)
		put(c, EXPLAIN_TEMPERATURE, o->temperature.number, a->score_dtype);
	if (c->n == before && a->score_dtype != a->dtype && a->score_dtype != DTYPE_F64)
		put(c, EXPLAIN_ROUND, 0, a->score_dtype);
}

static void put_alibi(struct chain *c)
{
	const struct attention *a = c->a;
	double distance = fabs((double)(mask_position(a->problem, &a->options, c->r->index) - (long)c->j));

	put_step(c, (struct explain_step){ .kind = EXPLAIN_ALIBI, .dtype = a->score_dtype, .index = c->j,
					   .left = a->slope, .right = distance, .operand = a->slope * distance });
}

static void change(struct chain *c)
{
	const struct attention *a = c->a;
	const struct problem *p = a->problem;
	size_t i = c->r->index;

	if (a->options.softcap.word < 0)
		put(c, EXPLAIN_SOFTCAP, a->options.softcap.number, a->score_dtype);
	if (a->slope != 0)
		put_alibi(c);
	if (p->bias.v)
		put(c, EXPLAIN_BIAS, matrix_row(&p->bias, p->bias.rows == 1 ? 0 : i)[c->j], a->score_dtype);
	double added = mask_bias(p, i, c->j);
	if (added != 0)
		put(c, EXPLAIN_MASK_BIAS, added, a->score_dtype);
}

/* A fill that replaces comes in its own type and is not rounded to that of the scores. */
static void fill(struct chain *c)
{
	const struct attention *a = c->a;
	const struct options *o = &a->options;
	bool hidden = mask_hides(c->r->rules[c->j]), has_keep = o->keep_value.word < 0;
	enum dtype t = a->score_dtype;

	switch (o->fill_op) {
	case FILL_ADD:
		if (hidden)
			put_mask(c, EXPLAIN_FILL_ADD, a->fill, t);
		else
			put_mask(c, EXPLAIN_KEEP_ADD, has_keep ? o->keep_value.number : 0, t);
		break;
	case FILL_MULTIPLY:
		if (hidden)
			put_mask(c, EXPLAIN_FILL_MULTIPLY, a->fill, t);
		else
			put_mask(c, EXPLAIN_KEEP_MULTIPLY, has_keep ? o->keep_value.number : 1, t);
		break;
	default:
		if (hidden)
			put_mask(c, EXPLAIN_FILL_REPLACE, a->fill, a->fill_dtype);
		else
			put_mask(c, EXPLAIN_VISIBLE, 0, t);
		break;
	}
}

static void mask(struct chain *c)
{
	c->stage = STAGE_MASKED;
	change(c);
	if (c->a->options.mask_at == MASK_BEFORE)
		fill(c);
}

/* What e is raised to. */
static void shift(struct chain *c)
{
	const struct attention *a = c->a;
	const double *column = c->again ? a->columns.second_maximum : a->columns.maximum;

	if (a->options.softmax_kind == SOFTMAX_NAIVE)
		return;
	if (column)
		put(c, EXPLAIN_MINUS_COLUMN_MAXIMUM, column[c->j], a->dtype);
	else
		put(c, EXPLAIN_MINUS_MAXIMUM, c->again ? c->r->second_maximum : c->r->maximum, a->dtype);
}

static void exponential(struct chain *c)
{
	put(c, EXPLAIN_EXP, 0, c->a->dtype);
}

static void divide(struct chain *c)
{
	const struct attention *a = c->a;
	const double *column = c->again ? a->columns.second_sum : a->columns.sum;

	if (column)
		put(c, EXPLAIN_DIVIDE_COLUMN, column[c->j], a->dtype);
	else
		put(c, EXPLAIN_DIVIDE, c->again ? c->r->second_denominator : c->r->denominator, a->dtype);
}

static void softmax(struct chain *c)
{
	shift(c);
	exponential(c);
	divide(c);
}

static void all_softmaxes(struct chain *c)
{
	for (long t = 0; t < c->a->options.softmax_times; t++) {
		c->again = t > 0;
		softmax(c);
	}
	c->again = false;
}

/* Times 0 or 1 needs no rounding. */
static void mask_after(struct chain *c)
{
	put_mask(c, EXPLAIN_MASK_AFTER, mask_hides(c->r->rules[c->j]) ? 0 : 1, DTYPE_F64);
}

static void share(struct chain *c)
{
	const struct attention *a = c->a;
	const struct options *o = &a->options;

	c->stage = STAGE_WEIGHTS;
	all_softmaxes(c);
	if (o->mask_at != MASK_BEFORE)
		mask_after(c);
	if (o->mask_at == MASK_AFTER_RENORM)
		put(c, EXPLAIN_RENORMALISE, c->r->remaining, a->dtype);
	if (!c->r->visible && o->empty_row != EMPTY_LITERAL)
		put(c, EXPLAIN_EMPTY, o->empty_row == EMPTY_ZERO ? 0 : 1.0 / (double)a->problem->n_k, a->dtype);
	if (o->dropout.number > 0)
		put(c, EXPLAIN_DROPOUT, attention_dropout(a, c->r->index, c->j), a->dtype);
}

static void given_weight(struct chain *c)
{
	const struct matrix *given = problem_array(c->a->problem, ARRAY_WEIGHTS, c->a->head);

	c->stage = STAGE_WEIGHTS;
	put(c, EXPLAIN_GIVEN, matrix_row(given, c->r->index)[c->j], DTYPE_F64);
}

/* Beside the products: an edit, 4 scale, temperature, 4 changes, a fill, 6 softmax, 4 after it. */
enum { OTHER_STEPS = 24 };

enum status explain_cell(struct explain *x, const struct attention *a, const struct row *r, size_t j, enum stage last,
			 struct error *e)
{
	bool given = a->problem->source == SOURCE_WEIGHTS;
	enum status s = reserve(x, OTHER_STEPS, problem_has_qk(a->problem) ? a->problem->d_k : 0, e);

	if (s)
		return s;
	struct chain c = { .a = a, .r = r, .j = j, .steps = x->steps };
	if (given && last >= STAGE_WEIGHTS)
		given_weight(&c);
	if (!given && last >= STAGE_SCORES)
		score(&c);
	if (!given && last >= STAGE_SCALED)
		scale(&c);
	if (!given && last >= STAGE_MASKED)
		mask(&c);
	if (!given && last >= STAGE_WEIGHTS)
		share(&c);
	x->n = c.n;
	return OK_STATUS;
}

/* ---- the input ---- */

/* As problem.c multiplies, before anything is rounded to another number type. */
enum status explain_input(struct explain *x, const struct problem *p, size_t head, enum array array, size_t row,
			  size_t column, struct error *e)
{
	static const enum array weight[] = { [ARRAY_Q] = ARRAY_W_Q, [ARRAY_K] = ARRAY_W_K, [ARRAY_V] = ARRAY_W_V };
	bool made = p->source == SOURCE_X && array <= ARRAY_V;
	const struct matrix *of = problem_array(p, ARRAY_X, 0), *w = made ? problem_array(p, weight[array], head) : NULL;
	enum status s = reserve(x, made ? p->d_model : 0, 0, e);

	if (s)
		return s;
	struct chain c = { .steps = x->steps, .stage = STAGE_INPUT };
	for (size_t n = 0; made && n < p->d_model; n++)
		put_product(&c, EXPLAIN_PROJECT, DTYPE_F64, n, matrix_row(of, row)[n], matrix_row(w, n)[column]);
	x->n = c.n;
	return OK_STATUS;
}

/* ---- the output ---- */

static bool is_made_zero(const struct attention *a, const struct row *r)
{
	return !r->visible && a->options.empty_row == EMPTY_ZERO;	/* all given weights are visible */
}

static void put_mix(struct chain *c, size_t column)
{
	const struct matrix *v = problem_array(c->a->problem, ARRAY_V, c->a->head);
	double value = v ? matrix_row(v, c->j)[column] : c->j == column ? 1 : 0;

	put_product(c, EXPLAIN_MIX, c->a->dtype, c->j, c->r->weights[c->j], value);
}

enum status explain_output(struct explain *x, const struct attention *a, const struct row *r, size_t column,
			   struct error *e)
{
	enum status s = reserve(x, a->problem->n_k, 0, e);

	if (s)
		return s;
	struct chain c = { .a = a, .r = r, .steps = x->steps, .stage = STAGE_OUTPUT };
	if (is_made_zero(a, r))
		put(&c, EXPLAIN_EMPTY, 0, a->dtype);
	else
		for (; c.j < a->problem->n_k; c.j++)
			put_mix(&c, column);
	x->n = c.n;
	return OK_STATUS;
}

/* 0 where the output is made 0, whatever V has. */
double explain_share(const struct attention *a, const struct row *r, size_t j, size_t column)
{
	struct explain_step step = { 0 };
	struct chain c = { .a = a, .r = r, .j = j, .steps = &step };

	if (!is_made_zero(a, r))
		put_mix(&c, column);
	return step.operand;
}

enum status explain_joined(struct explain *x, const struct joined *joined, size_t column, struct error *e)
{
	const struct attention *a = joined->head;
	const struct matrix *w_o = problem_array(a->problem, ARRAY_W_O, 0);
	size_t n = joined->heads * a->problem->d_v;
	enum status s = reserve(x, w_o ? n : 1, 0, e);

	if (s)
		return s;
	struct chain c = { .a = a, .j = column, .steps = x->steps, .stage = STAGE_JOINED };
	if (!w_o)
		put(&c, EXPLAIN_GIVEN, joined->beside[column], DTYPE_F64);
	for (size_t k = 0; w_o && k < n; k++)
		put_product(&c, EXPLAIN_MIX, a->dtype, k, joined->beside[k], matrix_row(w_o, k)[column]);
	x->n = c.n;
	return OK_STATUS;
}

/* ---- sums of a row ---- */

struct summing {
	struct chain chain;		/* its x is that of the lane at hand */
	enum explain_sum which;
	enum dtype dtype;
	double lane[EXPLAIN_LANES];
};

static bool has_sum(const struct attention *a, enum explain_sum which)
{
	bool column = a->columns.maximum != NULL;

	if (which == EXPLAIN_ROW_SUM)
		return true;
	if (a->problem->source == SOURCE_WEIGHTS)
		return false;
	if (which == EXPLAIN_REMAINING)
		return a->options.mask_at == MASK_AFTER_RENORM;
	return !column && (which == EXPLAIN_DENOMINATOR || a->options.softmax_times == 2);
}

/* What key k adds, and where that is e^x, x. */
static double term_of(const struct summing *s, size_t k, double *exponent)
{
	const struct row *r = s->chain.r;
	struct chain c = { .a = s->chain.a, .r = r, .j = k, .x = r->masked[k] };

	switch (s->which) {
	case EXPLAIN_ROW_SUM:
		return r->weights[k];
	case EXPLAIN_REMAINING:
		all_softmaxes(&c);
		mask_after(&c);
		return c.x;
	case EXPLAIN_SECOND_DENOMINATOR:
		softmax(&c);
		c.again = true;
		break;
	default:
		break;
	}
	shift(&c);
	*exponent = c.x;
	exponential(&c);
	return c.x;
}

static void put_in_lane(struct summing *s, unsigned lane, struct explain_step step)
{
	step.dtype = s->dtype;
	step.lane = (uint8_t)lane;
	s->chain.x = s->lane[lane];
	put_step(&s->chain, step);
	s->lane[lane] = s->chain.x;
}

static void add(struct summing *s, unsigned lane, size_t k)
{
	struct explain_step step = { .kind = EXPLAIN_TERM, .index = k };

	step.operand = term_of(s, k, &step.left);
	put_in_lane(s, lane, step);
}

static void join(struct summing *s, unsigned lane, unsigned other)
{
	put_in_lane(s, lane, (struct explain_step){ .kind = EXPLAIN_JOIN, .index = other, .operand = s->lane[other] });
	s->lane[other] = 0;
}

/* As number.c and row.c: n terms from `first` into a lane. To begin at +0 and not at
 * a first term, as they do here and there, can only make +0 of -0, which they do too. */
static void add_pairwise(struct summing *s, unsigned lane, size_t first, size_t n)
{
	size_t whole = n < 8 ? 0 : n - n % 8;

	if (n > 128) {
		size_t half = n / 2 - n / 2 % 8;
		add_pairwise(s, lane, first, half);
		add_pairwise(s, lane + 1, first + half, n - half);
		join(s, lane, lane + 1);
		return;
	}
	for (size_t k = 0; k < whole; k++)
		add(s, lane + (unsigned)(k % 8), first + k);
	for (unsigned width = 1; whole && width < 8; width *= 2)
		for (unsigned k = 0; k < 8; k += 2 * width)
			join(s, lane + k, lane + k + width);
	for (size_t k = whole; k < n; k++)
		add(s, lane, first + k);
}

static void add_runs(struct summing *s, size_t n)
{
	for (size_t k = 0; k < n; k += NUMBER_RUN) {
		add_pairwise(s, k > 0, k, n - k < NUMBER_RUN ? n - k : NUMBER_RUN);
		if (k)
			join(s, 0, 1);
	}
}

enum status explain_sum(struct explain *x, const struct attention *a, const struct row *r, enum explain_sum which,
			struct error *e)
{
	size_t n = has_sum(a, which) ? a->problem->n_k : 0;
	enum status s = reserve(x, n, n / 8 + 8, e);	/* 64 keys or more have 8 joins */

	if (s)
		return s;
	struct summing sum = {
		.chain = { .a = a, .r = r, .steps = x->steps, .stage = STAGE_WEIGHTS,
			   .again = which == EXPLAIN_SECOND_DENOMINATOR },
		.which = which, .dtype = which == EXPLAIN_ROW_SUM ? DTYPE_F64 : a->dtype,
	};
	add_runs(&sum, n);
	x->n = sum.chain.n;
	return OK_STATUS;
}
