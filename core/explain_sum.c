/* explain_sum.c - the sums of a row, term by term in the order in which they are added. */
#include "core/explain_parts.h"

#include "core/number.h"

struct summing {
	struct explain_chain chain;		/* its x is that of the lane at hand */
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
	struct explain_chain c = { .a = s->chain.a, .r = r, .j = k, .x = r->masked[k] };

	switch (s->which) {
	case EXPLAIN_ROW_SUM:
		return r->weights[k];
	case EXPLAIN_REMAINING:
		explain_softmaxes(&c);
		explain_mask_after(&c);
		return c.x;
	case EXPLAIN_SECOND_DENOMINATOR:
		explain_softmax(&c);
		c.again = true;
		break;
	default:
		break;
	}
	explain_shift(&c);
	*exponent = c.x;
	explain_exponential(&c);
	return c.x;
}

static void put_in_lane(struct summing *s, unsigned lane, struct explain_step step)
{
	step.dtype = s->dtype;
	step.lane = (uint8_t)lane;
	s->chain.x = s->lane[lane];
	explain_put(&s->chain, step);
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
	enum status s = explain_reserve(x, n, n / 8 + 8, e);	/* 64 keys or more have 8 joins */

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
