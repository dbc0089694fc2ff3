/* explain.c - the arithmetic that makes one cell, as a list of steps with their numbers. */
#include "core/explain_parts.h"

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
enum status explain_reserve(struct explain *x, size_t n, size_t more, struct error *e)
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

void explain_put(struct explain_chain *c, struct explain_step s)
{
	s.stage = c->stage;
	s.again = c->again;
	s.value = dtype_round(operate(explain_info(s.kind)->sign, c->x, s.operand), s.dtype);
	c->x = s.value;
	if (c->steps)
		c->steps[c->n] = s;
	c->n++;
}

static void put(struct explain_chain *c, enum explain_kind kind, double operand, enum dtype dtype)
{
	explain_put(c, (struct explain_step){ .kind = kind, .dtype = dtype, .index = c->j, .operand = operand });
}

/* The same, decided by whether the cell is hidden. */
static void put_mask(struct explain_chain *c, enum explain_kind kind, double operand, enum dtype dtype)
{
	explain_put(c, (struct explain_step){ .kind = kind, .dtype = dtype, .rules = c->r->rules[c->j], .index = c->j,
					   .operand = operand });
}

/* One term of a dot product. */
static void put_product(struct explain_chain *c, enum explain_kind kind, enum dtype t, size_t index, double left, double right)
{
	left = dtype_round(left, t);
	right = dtype_round(right, t);
	explain_put(c, (struct explain_step){ .kind = kind, .dtype = t, .index = index, .left = left, .right = right,
					   .operand = dtype_round(left * right, t) });
}

/* ---- one stage after the other, as row.c has them ---- */

static void products(struct explain_chain *c)
{
	const struct attention *a = c->a;
	const struct matrix *q = problem_array(a->problem, ARRAY_Q, a->head);
	const struct matrix *k = problem_array(a->problem, ARRAY_K, a->head);
	bool straight = a->options.transpose;

	for (size_t n = 0; n < a->problem->d_k; n++)
		put_product(c, EXPLAIN_PRODUCT, a->dtype, n, matrix_at(q, c->r->index, n),
			    straight ? matrix_at(k, c->j, n) : matrix_at(k, n, c->j));
}

static void score(struct explain_chain *c)
{
	const struct attention *a = c->a;
	const struct matrix *given = problem_array(a->problem, ARRAY_SCORES, a->head);

	c->stage = STAGE_SCORES;
	if (given) {
		put(c, EXPLAIN_GIVEN, matrix_at(given, c->r->index, c->j), a->dtype);
		return;
	}
	products(c);
	const struct edit *edit = edits_find(&a->problem->edits, ARRAY_SCORES, a->head, c->r->index, c->j);
	if (edit)
		put(c, EXPLAIN_EDIT, edit->value, a->dtype);
}

static void scale(struct explain_chain *c)
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

static void put_alibi(struct explain_chain *c)
{
	const struct attention *a = c->a;
	double distance = fabs((double)(mask_position(a->problem, &a->options, c->r->index) - (long)c->j));

	explain_put(c, (struct explain_step){ .kind = EXPLAIN_ALIBI, .dtype = a->score_dtype, .index = c->j,
					   .left = a->slope, .right = distance, .operand = a->slope * distance });
}

static void change(struct explain_chain *c)
{
	const struct attention *a = c->a;
	const struct problem *p = a->problem;
	size_t i = c->r->index;

	if (a->options.softcap.word < 0)
		put(c, EXPLAIN_SOFTCAP, a->options.softcap.number, a->score_dtype);
	if (a->slope != 0)
		put_alibi(c);
	if (p->bias.v)
		put(c, EXPLAIN_BIAS, matrix_at(&p->bias, p->bias.rows == 1 ? 0 : i, c->j), a->score_dtype);
	double added = mask_bias(p, i, c->j);
	if (added != 0)
		put(c, EXPLAIN_MASK_BIAS, added, a->score_dtype);
}

/* A fill that replaces comes in its own type and is not rounded to that of the scores. */
static void fill(struct explain_chain *c)
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

static void mask(struct explain_chain *c)
{
	c->stage = STAGE_MASKED;
	change(c);
	if (c->a->options.mask_at == MASK_BEFORE)
		fill(c);
}

/* What e is raised to. */
void explain_shift(struct explain_chain *c)
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

void explain_exponential(struct explain_chain *c)
{
	put(c, EXPLAIN_EXP, 0, c->a->dtype);
}

static void divide(struct explain_chain *c)
{
	const struct attention *a = c->a;
	const double *column = c->again ? a->columns.second_sum : a->columns.sum;

	if (column)
		put(c, EXPLAIN_DIVIDE_COLUMN, column[c->j], a->dtype);
	else
		put(c, EXPLAIN_DIVIDE, c->again ? c->r->second_denominator : c->r->denominator, a->dtype);
}

void explain_softmax(struct explain_chain *c)
{
	explain_shift(c);
	explain_exponential(c);
	divide(c);
}

void explain_softmaxes(struct explain_chain *c)
{
	for (long t = 0; t < c->a->options.softmax_times; t++) {
		c->again = t > 0;
		explain_softmax(c);
	}
	c->again = false;
}

/* Times 0 or 1 needs no rounding. */
void explain_mask_after(struct explain_chain *c)
{
	put_mask(c, EXPLAIN_MASK_AFTER, mask_hides(c->r->rules[c->j]) ? 0 : 1, DTYPE_F64);
}

static void share(struct explain_chain *c)
{
	const struct attention *a = c->a;
	const struct options *o = &a->options;

	c->stage = STAGE_WEIGHTS;
	explain_softmaxes(c);
	if (o->mask_at != MASK_BEFORE)
		explain_mask_after(c);
	if (o->mask_at == MASK_AFTER_RENORM)
		put(c, EXPLAIN_RENORMALISE, c->r->remaining, a->dtype);
	if (!c->r->visible && o->empty_row != EMPTY_LITERAL)
		put(c, EXPLAIN_EMPTY, o->empty_row == EMPTY_ZERO ? 0 : 1.0 / (double)a->problem->n_k, a->dtype);
	if (o->dropout.number > 0)
		put(c, EXPLAIN_DROPOUT, attention_dropout(a, c->r->index, c->j), a->dtype);
}

static void given_weight(struct explain_chain *c)
{
	const struct matrix *given = problem_array(c->a->problem, ARRAY_WEIGHTS, c->a->head);

	c->stage = STAGE_WEIGHTS;
	put(c, EXPLAIN_GIVEN, matrix_at(given, c->r->index, c->j), DTYPE_F64);
}

/* Beside the products: an edit, 4 scale, temperature, 4 changes, a fill, 6 softmax, 4 after it. */
enum { OTHER_STEPS = 24 };

enum status explain_cell(struct explain *x, const struct attention *a, const struct row *r, size_t j, enum stage last,
			 struct error *e)
{
	bool given = a->problem->source == SOURCE_WEIGHTS;
	enum status s = explain_reserve(x, OTHER_STEPS, problem_has_qk(a->problem) ? a->problem->d_k : 0, e);

	if (s)
		return s;
	struct explain_chain c = { .a = a, .r = r, .j = j, .steps = x->steps };
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
	enum status s = explain_reserve(x, made ? p->d_model : 0, 0, e);

	if (s)
		return s;
	struct explain_chain c = { .steps = x->steps, .stage = STAGE_INPUT };
	for (size_t n = 0; made && n < p->d_model; n++)
		put_product(&c, EXPLAIN_PROJECT, DTYPE_F64, n, matrix_at(of, row, n), matrix_at(w, n, column));
	x->n = c.n;
	return OK_STATUS;
}

/* ---- the output ---- */

static bool is_made_zero(const struct attention *a, const struct row *r)
{
	return !r->visible && a->options.empty_row == EMPTY_ZERO;	/* all given weights are visible */
}

static void put_mix(struct explain_chain *c, size_t column)
{
	const struct matrix *v = problem_array(c->a->problem, ARRAY_V, c->a->head);
	double value = v ? matrix_at(v, c->j, column) : c->j == column ? 1 : 0;

	put_product(c, EXPLAIN_MIX, c->a->dtype, c->j, c->r->weights[c->j], value);
}

enum status explain_output(struct explain *x, const struct attention *a, const struct row *r, size_t column,
			   struct error *e)
{
	enum status s = explain_reserve(x, a->problem->n_k, 0, e);

	if (s)
		return s;
	struct explain_chain c = { .a = a, .r = r, .steps = x->steps, .stage = STAGE_OUTPUT };
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
	struct explain_chain c = { .a = a, .r = r, .j = j, .steps = &step };

	if (!is_made_zero(a, r))
		put_mix(&c, column);
	return step.operand;
}

enum status explain_joined(struct explain *x, const struct joined *joined, size_t column, struct error *e)
{
	const struct attention *a = joined->head;
	const struct matrix *w_o = problem_array(a->problem, ARRAY_W_O, 0);
	size_t n = joined->heads * a->problem->d_v;
	enum status s = explain_reserve(x, w_o ? n : 1, 0, e);

	if (s)
		return s;
	struct explain_chain c = { .a = a, .j = column, .steps = x->steps, .stage = STAGE_JOINED };
	if (!w_o)
		put(&c, EXPLAIN_GIVEN, joined->beside[column], DTYPE_F64);
	for (size_t k = 0; w_o && k < n; k++)
		put_product(&c, EXPLAIN_MIX, a->dtype, k, joined->beside[k], matrix_at(w_o, k, column));
	x->n = c.n;
	return OK_STATUS;
}
