/* gradient.c - how much each weight of a row still reacts to what softmax received.
 *
 * All variants are of one form,
 *   dw_j/dx_k = w_j (delta_jk - share_k + back_j) slope_k
 * with w_j the finished weight (its mask, renormalisation and dropout included),
 * share_k what the last normalisation over the row gave to key k. By the chain rule,
 * a second softmax, with p of the first: slope_k = p_k and back_j = sum_l share_l p_l - p_j.
 * A column: slope_k = 1 - p_k. Otherwise slope is 1 and back is 0.
 */
#include "core/gradient.h"

#include <math.h>

struct terms {
	const struct row *r;
	const struct attention *a;
	bool column, twice, renorm;
	bool finished;				/* the shares are the weights themselves */
	double second_maximum, second_sum;	/* of the second softmax */
	double visible_sum;			/* what after-renorm divides by */
	double mean;				/* sum_k share_k p_k, of two softmaxes */
};

bool gradient_known(const struct attention *a)
{
	return !a->columns.maximum || a->options.softmax_times < 2;
}

/* ---- what the row does not keep ---- */

/* As row.c rounds it, so that a weight nothing was done to comes out bit for bit. */
static double exponential(const struct attention *a, double x, double maximum)
{
	bool stable = a->options.softmax_kind == SOFTMAX_STABLE;

	return dtype_round(exp(stable ? dtype_round(x - maximum, a->dtype) : x), a->dtype);
}

/* p_k: the first softmax. */
static double first_softmax(const struct terms *t, size_t k)
{
	const struct columns *c = &t->a->columns;
	double maximum = t->column ? c->maximum[k] : t->r->maximum;
	double sum = t->column ? c->sum[k] : t->r->denominator;

	return dtype_round(exponential(t->a, t->r->masked[k], maximum) / sum, t->a->dtype);
}

static double second_exponential(const struct terms *t, size_t k)
{
	return exponential(t->a, first_softmax(t, k), t->second_maximum);
}

static double last_softmax(const struct terms *t, size_t k)
{
	if (t->twice)
		return dtype_round(second_exponential(t, k) / t->second_sum, t->a->dtype);
	return first_softmax(t, k);
}

static double visible_softmax(const struct terms *t, size_t k)
{
	return mask_hides(t->r->rules[k]) ? 0 : last_softmax(t, k);
}

static double share(const struct terms *t, size_t k)
{
	if (t->finished)
		return t->r->weights[k];
	if (t->renorm)
		return visible_softmax(t, k) / t->visible_sum;
	return t->column ? 0 : last_softmax(t, k);
}

static double mean_term(const struct terms *t, size_t k)
{
	return share(t, k) * first_softmax(t, k);
}

static double sum_of(const struct terms *t, double (*term)(const struct terms *t, size_t k))
{
	double sum = 0;

	for (size_t k = 0; k < t->a->problem->n_k; k++)
		sum += term(t, k);
	return sum;
}

static double largest_first(const struct terms *t)
{
	double largest = 0;

	for (size_t k = 0; k < t->a->problem->n_k; k++)
		largest = fmax(largest, first_softmax(t, k));
	return largest;
}

static struct terms terms_of(const struct row *r, const struct attention *a)
{
	const struct options *o = &a->options;
	struct terms t = { .r = r, .a = a, .finished = true };

	if (a->problem->source == SOURCE_WEIGHTS)	/* no option has touched them */
		return t;
	t.column = a->columns.maximum != NULL;
	t.twice = o->softmax_times == 2;
	t.renorm = o->mask_at == MASK_AFTER_RENORM;
	t.finished = o->dropout.number <= 0 && (t.renorm || (o->mask_at == MASK_BEFORE && !t.column));
	if (t.twice) {
		t.second_maximum = largest_first(&t);
		t.second_sum = sum_of(&t, second_exponential);
	}
	if (t.renorm && !t.finished)
		t.visible_sum = sum_of(&t, visible_softmax);
	if (t.twice)
		t.mean = sum_of(&t, mean_term);
	return t;
}

/* ---- entries ---- */

/* Whether all entries of the row are the same, 0 or nan, without any computing. */
static bool is_settled(const struct row *r, const struct attention *a, double *all)
{
	bool constant = !r->visible && a->options.empty_row != EMPTY_LITERAL;	/* given weights are all visible */

	*all = constant ? 0 : NAN;
	if (constant || !gradient_known(a))
		return true;
	return !a->columns.maximum && !isfinite(r->sum);	/* columns come to grief one by one */
}

static double slope(const struct terms *t, size_t k)
{
	if (t->column)
		return 1 - first_softmax(t, k);
	return t->twice ? first_softmax(t, k) : 1;
}

/* Nothing but a renormalisation joins the cells of a row when softmax runs over columns. */
static bool is_apart(const struct terms *t)
{
	return t->column && !t->renorm;
}

static double entry(const struct terms *t, size_t j, size_t k)
{
	double w = t->r->weights[j];

	if (!isfinite(w))
		return NAN;
	if (j != k && is_apart(t))
		return 0;
	double inner = (j == k ? 1 : 0) - share(t, k);
	if (t->twice)
		inner += t->mean - first_softmax(t, j);
	return w * inner * slope(t, k) + 0.0;		/* 0 for -0 */
}

void gradient_row(const struct row *r, const struct attention *a, size_t j, double *out)
{
	size_t n = a->problem->n_k;
	double all;

	if (is_settled(r, a, &all)) {
		for (size_t k = 0; k < n; k++)
			out[k] = all;
		return;
	}
	struct terms t = terms_of(r, a);
	for (size_t k = 0; k < n; k++)
		out[k] = entry(&t, j, k);
}

double gradient_reaction(const struct row *r, const struct attention *a)
{
	double all, sum = 0;

	if (is_settled(r, a, &all))
		return all;
	struct terms t = terms_of(r, a);
	size_t n = a->problem->n_k;
	if (t.finished && !t.twice && !t.column) {	/* what entry() comes to, for rows that are long */
		for (size_t j = 0; j < n; j++)
			sum += r->weights[j] * (1 - r->weights[j]);
		return sum;
	}
	for (size_t j = 0; j < n; j++)
		sum += entry(&t, j, j);
	return sum;
}

/* ---- the largest entry, of one softmax ---- */

/* The two largest |share_k slope_k|: the second is for the row j == at. */
struct top {
	double first, second;
	size_t at;
};

static struct top top_of(const struct terms *t)
{
	struct top top = { 0 };

	for (size_t k = 0; k < t->a->problem->n_k; k++) {
		double taken = fabs(share(t, k) * slope(t, k));
		if (taken > top.first)
			top = (struct top){ taken, top.first, k };
		else if (taken > top.second)
			top.second = taken;
	}
	return top;
}

double gradient_largest(const struct row *r, const struct attention *a)
{
	double all, largest = 0;

	if (is_settled(r, a, &all))
		return all;
	struct terms t = terms_of(r, a);
	if (t.twice)
		return NAN;
	struct top top = top_of(&t);
	for (size_t j = 0; j < a->problem->n_k; j++) {
		double own = fabs(entry(&t, j, j)), others = fabs(r->weights[j]) * (j == top.at ? top.second : top.first);
		if (isnan(own))
			return NAN;
		largest = fmax(largest, fmax(own, others));
	}
	return largest;
}
