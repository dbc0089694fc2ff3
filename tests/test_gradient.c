/* test_gradient.c - the derivative of a row's weights, against four other ways to it.
 *
 * By hand; by differences of the row engine itself; by the chain rule written out as
 * products of whole matrices in long double, from x alone; and by properties that
 * softmax has. No expected number comes from core/gradient.c.
 */
#include "tests/fixture.h"

#include <math.h>
#include <string.h>

#include "core/gradient.h"

typedef long double real;

enum { N = 6 };		/* queries and keys of the random grids */

static void random_scores(struct fixture *f, struct dice *d, double largest, const char *settings)
{
	double scores[N * N];

	for (size_t c = 0; c < N * N; c++)
		scores[c] = dice_between(d, -largest, largest);
	fixture_scores(f, N, N, scores);
	fixture_set(f, settings);
	fixture_start(f);
}

/* One row of scores and the settings, computed. */
static const struct row *single(struct fixture *f, const double *scores, size_t n, const char *settings)
{
	fixture_scores(f, 1, n, scores);
	fixture_set(f, settings);
	return fixture_row(f, 0);
}

/* Every variant of the row engine that has a derivative, and what stands before x. */
static const char *const variants[] = {
	"",
	"causal=on",
	"softmax-kind=naive causal=on pad=0",
	"temperature=0.5 softcap=3 alibi=0.5 causal=on",
	"causal=on fill=-2 fill-op=add keep-value=0.5",
	"causal=on fill=0.5 fill-op=multiply keep-value=2",
	"causal=on fill=0",
	"causal=on fill=-1e9 causal-offset=-1",
	"causal=on fill=min hide=2:0,2:1,2:2",
	"causal=on mask-at=after",
	"causal=on mask-at=after pad=1,2 softmax-kind=naive",
	"causal=on mask-at=after causal-offset=-1",
	"causal=on mask-at=after-renorm",
	"softmax-times=2",
	"softmax-times=2 causal=on",
	"softmax-times=2 causal=on softmax-kind=naive",
	"softmax-times=2 causal=on mask-at=after",
	"softmax-times=2 causal=on mask-at=after-renorm",
	"dropout=0.25",
	"dropout=0.5 causal=on",
	"dropout=0.25 causal=on mask-at=after",
	"dropout=0.25 causal=on mask-at=after-renorm",
	"dropout=0.25 causal=on softmax-times=2",
	"dropout=0.25 causal=on softmax-times=2 mask-at=after",
	"dropout=0.25 causal=on softmax-times=2 mask-at=after-renorm softmax-kind=naive",
	"softmax=column",
	"softmax=column causal=on",
	"softmax=column causal=on softmax-kind=naive",
	"softmax=column causal=on mask-at=after",
	"softmax=column causal=on mask-at=after-renorm",
	"softmax=column causal=on mask-at=after-renorm dropout=0.25",
	"softmax=column dropout=0.25 pad=2",
	"causal=on causal-offset=-1 empty-row=zero",
	"causal=on causal-offset=-1 empty-row=uniform dropout=0.25",
	"causal=on causal-offset=-1 empty-row=uniform mask-at=after-renorm",
	"softmax=column softmax-times=2 hide=0:0,0:1,0:2,0:3,0:4,0:5 empty-row=zero",	/* row 0 is constant */
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static bool is_constant(const struct fixture *f, const struct row *r)
{
	return !r->visible && f->options.empty_row != EMPTY_LITERAL;
}

/* Where there is a number to compare: not the rows of two column softmaxes. */
static bool is_known(const struct fixture *f, const struct row *r)
{
	return gradient_known(&f->attention) || is_constant(f, r);
}

/* ---- by hand ---- */

static void two_tokens_by_hand(void **state)
{
	static const double scores[] = { 1, 2 };
	const double g = 0.19661193324148185;	/* e / (1 + e)^2: .2689 * .7311 */
	struct fixture f;
	double out[2];

	(void)state;
	const struct row *r = single(&f, scores, 2, "");
	for (size_t j = 0; j < 2; j++) {
		gradient_row(r, &f.attention, j, out);
		for (size_t k = 0; k < 2; k++)
			assert_near(out[k], j == k ? g : -g, 1e-16);
	}
	assert_near(gradient_reaction(r, &f.attention), 2 * g, 2e-16);
	assert_near(gradient_largest(r, &f.attention), g, 1e-16);
	fixture_free(&f);
}

/* Scores log 1, log 2, log 3: the weights are 1/6, 2/6, 3/6. */
static void three_tokens_by_hand(void **state)
{
	static const double wanted[3][3] = { { 5, -2, -3 }, { -2, 8, -6 }, { -3, -6, 9 } };	/* of 36 */
	double scores[4] = { 0, log(2), log(3), 5 }, out[4];
	struct fixture f;

	(void)state;
	const struct row *r = single(&f, scores, 4, "pad=3");
	for (size_t j = 0; j < 3; j++) {
		gradient_row(r, &f.attention, j, out);
		for (size_t k = 0; k < 3; k++)
			assert_near(out[k], wanted[j][k] / 36, 1e-15);
		assert_same(out[3], 0);
	}
	assert_near(gradient_reaction(r, &f.attention), 22.0 / 36, 1e-15);
	assert_near(gradient_largest(r, &f.attention), 0.25, 1e-15);
	fixture_free(&f);
}

static void even_weights(void **state)
{
	static const double zeros[16] = { 0 };

	(void)state;
	for (size_t n = 1; n <= 16; n *= 2) {
		struct fixture f;
		const struct row *r = single(&f, zeros, n, "");
		assert_same(gradient_reaction(r, &f.attention), 1 - 1 / (double)n);
		assert_same(gradient_largest(r, &f.attention), (1 - 1 / (double)n) / (double)n);
		fixture_free(&f);
	}
}

/* The others' exponentials are no longer there: nothing moves anything. */
static void saturated_rows_do_not_react(void **state)
{
	static const double scores[] = { 3, 1000, -20 };
	static const char *const settings[] = { "", "mask-at=after", "mask-at=after-renorm", "dropout=0.5" };
	struct fixture f;
	double out[3];

	(void)state;
	for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
		const struct row *r = single(&f, scores, 3, settings[s]);
		for (size_t j = 0; j < 3; j++) {
			gradient_row(r, &f.attention, j, out);
			for (size_t k = 0; k < 3; k++)
				assert_same(out[k], 0);
		}
		assert_same(gradient_reaction(r, &f.attention), 0);
		assert_same(gradient_largest(r, &f.attention), 0);
		fixture_free(&f);
	}
}

/* ---- by differences of the row engine ---- */

/* (w(x+h) - w(x-h)) / 2h is off by h^2/6 times the third derivative somewhere near,
 * and by the rounding of w over h. Along one x_k each weight is a logistic curve, up
 * to a factor below 1, whose third derivative is at most 1/8; a second softmax keeps
 * it below 1, dropout multiplies by 2 at most. With h = 2^-13 that is 5e-9 (x that
 * moves 2h with its score has one softmax and no dropout: 1.3e-9), and the rounding
 * 1e-16 / h less than 1e-11. */
#define STEP 0x1p-13
#define DIFFERENCE 6e-9

/* How the weights of a row move with what softmax received at k, put there directly. */
static void difference_of_input(struct fixture *f, size_t k, double out[N])
{
	struct row *r = &f->row;
	double before = r->masked[k], above[N];

	r->masked[k] = before + STEP;
	row_compute(r, &f->attention, r->index, STAGE_WEIGHTS, STAGE_WEIGHTS);
	memcpy(above, r->weights, sizeof above);
	r->masked[k] = before - STEP;
	row_compute(r, &f->attention, r->index, STAGE_WEIGHTS, STAGE_WEIGHTS);
	for (size_t j = 0; j < N; j++)
		out[j] = (above[j] - r->weights[j]) / (2 * STEP);
	r->masked[k] = before;
	row_compute(r, &f->attention, r->index, STAGE_WEIGHTS, STAGE_WEIGHTS);
}

/* The same from the score on, with the statistics of columns computed anew. False if x
 * did not move, since the cell is filled; what x moved by is what counts. */
static bool difference_of_score(struct fixture *f, size_t i, size_t k, double out[N])
{
	double *score = &f->problem.array[ARRAY_SCORES].head[0].v[i * N + k], before = *score, above[N];

	*score = before + STEP;
	fixture_start(f);
	memcpy(above, fixture_row(f, i)->weights, sizeof above);
	double x = f->row.masked[k];
	*score = before - STEP;
	fixture_start(f);
	fixture_row(f, i);
	bool moved = x != f->row.masked[k];
	for (size_t j = 0; j < N; j++) {
		if (!moved)
			assert_same(above[j], f->row.weights[j]);
		out[j] = (above[j] - f->row.weights[j]) / (x - f->row.masked[k]);
	}
	*score = before;
	fixture_start(f);
	fixture_row(f, i);
	return moved;
}

static void compare_differences(double gradient[N][N], size_t k, const double difference[N], const char *settings,
				size_t i)
{
	for (size_t j = 0; j < N; j++)
		if (!near_number(gradient[j][k], difference[j], DIFFERENCE))
			fail_msg("\"%s\" row %zu: dw_%zu/dx_%zu is %.17g instead of %.10g", settings, i, j, k,
				 gradient[j][k], difference[j]);
}

static void check_differences(struct fixture *f, const char *settings, size_t i)
{
	double gradient[N][N], difference[N];
	bool column = f->options.softmax == SOFTMAX_COLUMN;

	fixture_row(f, i);
	if (!is_known(f, &f->row) || isnan(f->row.sum))
		return;
	for (size_t j = 0; j < N; j++)
		gradient_row(&f->row, &f->attention, j, gradient[j]);
	for (size_t k = 0; k < N; k++) {
		if (difference_of_score(f, i, k, difference))
			compare_differences(gradient, k, difference, settings, i);
		/* A change of x past the columns' statistics is not one of column softmax. */
		if (column || fabs(f->row.masked[k]) > 100)
			continue;
		difference_of_input(f, k, difference);
		compare_differences(gradient, k, difference, settings, i);
	}
}

static void as_differences_of_the_engine(void **state)
{
	struct dice d = { 17 };

	(void)state;
	for (size_t v = 0; v < VARIANTS; v++)
		for (int times = 0; times < 3; times++) {
			struct fixture f;
			random_scores(&f, &d, 3, variants[v]);
			for (size_t i = 0; i < N; i++)
				check_differences(&f, variants[v], i);
			fixture_free(&f);
		}
}

/* ---- by the chain rule, in whole matrices ---- */

/* row n of a square: what out_n reacts to */
struct square { real v[N][N]; };

static struct square times(const struct square *a, const struct square *b)
{
	struct square c = { 0 };

	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			for (size_t k = 0; k < N; k++)
				c.v[i][j] += a->v[i][k] * b->v[k][j];
	return c;
}

/* Numbers of the row and what they react to, through one operation after the other. */
struct chain {
	real w[N];
	struct square jacobian;
};

static void through(struct chain *c, const struct square *operation)
{
	c->jacobian = times(operation, &c->jacobian);
}

static void through_softmax(struct chain *c)
{
	struct square s;
	real sum = 0, shift = -INFINITY;	/* by the largest, or -1e9 alone would be 0 / 0 */

	for (size_t j = 0; j < N; j++)
		shift = fmaxl(shift, c->w[j]);
	for (size_t j = 0; j < N; j++)
		sum += c->w[j] = expl(c->w[j] - shift);
	for (size_t j = 0; j < N; j++)
		c->w[j] /= sum;
	for (size_t j = 0; j < N; j++)
		for (size_t k = 0; k < N; k++)
			s.v[j][k] = (j == k ? c->w[j] : 0) - c->w[j] * c->w[k];
	through(c, &s);
}

/* Down column j, of which x holds all rows. */
static void through_columns(struct chain *c, double x[N][N])
{
	struct square s = { 0 };

	for (size_t j = 0; j < N; j++) {
		real sum = 0;
		for (size_t i = 0; i < N; i++)
			sum += expl(x[i][j]);
		c->w[j] = expl(c->w[j]) / sum;
		s.v[j][j] = c->w[j] - c->w[j] * c->w[j];
	}
	through(c, &s);
}

static void through_factors(struct chain *c, const real factor[N])
{
	struct square s = { 0 };

	for (size_t j = 0; j < N; j++) {
		s.v[j][j] = factor[j];
		c->w[j] *= factor[j];
	}
	through(c, &s);
}

/* w_j / S: 1 / S on the diagonal, - w_j / S^2 everywhere. */
static void through_renorm(struct chain *c)
{
	struct square s;
	real sum = 0;

	for (size_t j = 0; j < N; j++)
		sum += c->w[j];
	for (size_t j = 0; j < N; j++)
		for (size_t k = 0; k < N; k++)
			s.v[j][k] = (j == k ? 1 / sum : 0) - c->w[j] / (sum * sum);
	for (size_t j = 0; j < N; j++)
		c->w[j] /= sum;
	through(c, &s);
}

static struct chain chain_of(struct fixture *f, size_t i)
{
	const struct options *o = &f->options;
	struct chain c = { 0 };
	struct random draws;
	struct error e = { 0 };
	double x[N][N];
	real shown[N], kept[N];

	for (size_t row = 0; row < N; row++)
		memcpy(x[row], fixture_row(f, row)->masked, sizeof x[row]);
	fixture_row(f, i);
	assert_int_equal(random_seed(&draws, &f->tables, "0", &e), OK_STATUS);
	random_advance(&draws, i * N);
	for (size_t j = 0; j < N; j++) {
		c.w[j] = x[i][j];
		c.jacobian.v[j][j] = 1;
		shown[j] = mask_hides(f->row.rules[j]) ? 0 : 1;
		kept[j] = random_double(&draws) >= o->dropout.number ? 1 / (1 - (real)o->dropout.number) : 0;
	}
	if (o->softmax == SOFTMAX_COLUMN)
		through_columns(&c, x);
	else
		through_softmax(&c);
	if (o->softmax_times == 2)
		through_softmax(&c);
	if (o->mask_at != MASK_BEFORE)
		through_factors(&c, shown);
	if (o->mask_at == MASK_AFTER_RENORM)
		through_renorm(&c);
	if (is_constant(f, &f->row)) {
		c = (struct chain){ 0 };
		for (size_t j = 0; j < N; j++)
			c.w[j] = o->empty_row == EMPTY_ZERO ? 0 : 1 / (real)N;
	}
	if (o->dropout.number > 0)
		through_factors(&c, kept);
	return c;
}

/* Of a row of the chain: its numbers are at most 2, and their rounding 1e-16. */
#define ROUNDING 4e-15

static void check_chain(struct fixture *f, const char *settings, size_t i)
{
	struct chain c = chain_of(f, i);
	real trace = 0, largest = 0;
	double out[N];

	if (!is_known(f, &f->row) || isnan(f->row.sum))
		return;
	for (size_t j = 0; j < N; j++) {
		assert_near(f->row.weights[j], (double)c.w[j], ROUNDING);	/* the chain is the right one */
		gradient_row(&f->row, &f->attention, j, out);
		trace += c.jacobian.v[j][j];
		for (size_t k = 0; k < N; k++) {
			largest = fmaxl(largest, fabsl(c.jacobian.v[j][k]));
			if (!near_number(out[k], (double)c.jacobian.v[j][k], ROUNDING))
				fail_msg("\"%s\" row %zu: dw_%zu/dx_%zu is %.17g instead of %.17Lg", settings, i, j, k,
					 out[k], c.jacobian.v[j][k]);
		}
	}
	assert_near(gradient_reaction(&f->row, &f->attention), (double)trace, N * ROUNDING);
	if (f->options.softmax_times == 2 && !is_constant(f, &f->row))
		largest = NAN;
	assert_near(gradient_largest(&f->row, &f->attention), (double)largest, ROUNDING);
}

static void as_the_chain_rule(void **state)
{
	struct dice d = { 23 };

	(void)state;
	for (size_t v = 0; v < VARIANTS; v++)
		for (int size = 1; size <= 30; size++) {
			struct fixture f;
			random_scores(&f, &d, size, variants[v]);
			for (size_t i = 0; i < N; i++)
				check_chain(&f, variants[v], i);
			fixture_free(&f);
		}
}

/* ---- properties of softmax ---- */

/* Adding the same to all x, or to all scores, moves no weight; and the matrix is symmetric. */
static void plain_rows(void **state)
{
	static const char *const settings[] = {
		"", "causal=on", "causal=on pad=1 fill=-1e4", "softmax-kind=naive", "causal=on mask-at=after-renorm",
	};
	struct dice d = { 29 };
	double g[N][N];

	(void)state;
	for (int round = 0; round < 100; round++) {
		struct fixture f;
		random_scores(&f, &d, 10, settings[round % 5]);
		for (size_t i = 0; i < N; i++) {
			const struct row *r = fixture_row(&f, i);
			real squares = 0, sum;
			for (size_t j = 0; j < N; j++) {
				gradient_row(r, &f.attention, j, g[j]);
				sum = 0;
				for (size_t k = 0; k < N; k++)
					sum += g[j][k];
				assert_near((double)sum, 0, 1e-15);
				squares += (real)r->weights[j] * r->weights[j];
			}
			for (size_t j = 0; j < N; j++)
				for (size_t k = 0; k < j; k++)
					assert_near(g[j][k], g[k][j], 1e-17);
			assert_near(gradient_reaction(r, &f.attention), (double)(1 - squares), 1e-15);
			assert_true(gradient_largest(r, &f.attention) <= 0.25);
		}
		fixture_free(&f);
	}
}

static void hidden_by_infinity_is_zero(void **state)
{
	static const char *const settings[] = {
		"", "mask-at=after-renorm", "softmax-kind=naive", "dropout=0.5", "softmax=column", "softmax-times=2",
	};
	struct dice d = { 31 };
	double out[N];

	(void)state;
	for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
		struct fixture f;
		random_scores(&f, &d, 4, "causal=on");
		fixture_set(&f, settings[s]);
		fixture_start(&f);
		for (size_t i = 0; i < N; i++)
			for (size_t j = 0; j < N; j++) {
				gradient_row(fixture_row(&f, i), &f.attention, j, out);
				/* The second softmax gives weight to hidden keys, which then react. */
				bool idle = j > i && strcmp(settings[s], "softmax-times=2");
				for (size_t k = idle ? 0 : i + 1; k < N; k++)
					assert_same(out[k], 0);		/* the bits of +0 */
			}
		fixture_free(&f);
	}
}

/* The mistake in this light: what is hidden after softmax still moves what is not. */
static void hidden_after_softmax_still_takes(void **state)
{
	static const double scores[] = { 1, 2 };
	const double g = 0.19661193324148185;
	struct fixture f;
	double out[2];

	(void)state;
	const struct row *r = single(&f, scores, 2, "causal=on mask-at=after");
	gradient_row(r, &f.attention, 0, out);
	assert_near(out[0], g, 1e-16);
	assert_near(out[1], -g, 1e-16);
	gradient_row(r, &f.attention, 1, out);
	assert_same(out[0], 0);
	assert_same(out[1], 0);
	assert_near(gradient_reaction(r, &f.attention), g, 1e-16);
	assert_near(gradient_largest(r, &f.attention), g, 1e-16);
	fixture_free(&f);
}

/* ---- saturation ---- */

enum { TOKENS = 16, D_K = 1024 };

static double mean_reaction(const char *settings)
{
	struct fixture f;
	double sum = 0;

	fixture_random(&f, TOKENS, TOKENS, D_K, 1, "0");
	fixture_set(&f, settings);
	for (size_t i = 0; i < TOKENS; i++) {
		const struct row *r = fixture_row(&f, i);
		sum += gradient_reaction(r, &f.attention);
	}
	fixture_free(&f);
	return sum / TOKENS;
}

/* 1 - sum of squares of each row, averaged, from Q and K alone. */
static double mean_by_formula(real divisor)
{
	struct fixture f;
	real total = 0;

	fixture_random(&f, TOKENS, TOKENS, D_K, 1, "0");
	fixture_build(&f);
	for (size_t i = 0; i < TOKENS; i++) {
		const double *q = matrix_row(problem_array(&f.problem, ARRAY_Q, 0), i, NULL);
		real x[TOKENS] = { 0 }, largest = -INFINITY, sum = 0, squares = 0;
		for (size_t j = 0; j < TOKENS; j++) {
			const double *k = matrix_row(problem_array(&f.problem, ARRAY_K, 0), j, NULL);
			for (size_t c = 0; c < D_K; c++)
				x[j] += (real)q[c] * k[c];
			x[j] /= divisor;
			largest = fmaxl(largest, x[j]);
		}
		for (size_t j = 0; j < TOKENS; j++) {
			real term = expl(x[j] - largest);
			sum += term;
			squares += term * term;
		}
		total += 1 - squares / (sum * sum);
	}
	fixture_free(&f);
	return (double)(total / TOKENS);
}

static void unscaled_scores_stop_learning(void **state)
{
	double none = mean_reaction("scale=none"), root = mean_reaction("scale=sqrt"), whole = mean_reaction("scale=dk");

	(void)state;
	assert_near(none, mean_by_formula(1), 1e-12);		/* scores of some 100, to 1e-14 of that */
	assert_near(root, mean_by_formula(32), 1e-14);
	assert_near(whole, mean_by_formula(D_K), 1e-14);
	assert_true(none < root / 10);
	assert_true(whole > root);
	assert_near(whole, 1 - 1.0 / TOKENS, 1e-3);		/* nearly even weights */
}

/* ---- number types ---- */

/* Row i under these settings is w_j (delta_jk - share_k) of its own rounded weights, bit
 * for bit; share NULL: the weights as well. They are left in w. */
static void check_exact(struct fixture *f, const char *settings, size_t i, const double *share, double w[N])
{
	double out[N];

	fixture_set(f, settings);
	fixture_start(f);
	memcpy(w, fixture_row(f, i)->weights, N * sizeof *w);
	for (size_t j = 0; j < N; j++) {
		gradient_row(&f->row, &f->attention, j, out);
		for (size_t k = 0; k < N; k++)
			assert_same(out[k], w[j] * ((j == k) - (share ? share : w)[k]) + 0.0);
	}
}

/* The share of a key that is hidden afterwards, or dropped, is the weight that the same
 * row has without. */
static void narrow_types(void **state)
{
	static const char *const types[] = {
		"dtype=f64", "dtype=f32", "dtype=f16", "dtype=bf16", "dtype=f16 softmax-kind=naive",
	};
	struct dice d = { 37 };

	(void)state;
	for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
		struct fixture f;
		random_scores(&f, &d, 3, types[t]);
		for (size_t i = 0; i < N; i++) {
			double p[N], ignored[N];
			check_exact(&f, "causal=off mask-at=before dropout=0", i, NULL, p);
			check_exact(&f, "dropout=0.25", i, p, ignored);
			check_exact(&f, "causal=on mask-at=after", i, p, ignored);
			check_exact(&f, "dropout=0", i, p, ignored);
			check_exact(&f, "mask-at=after-renorm", i, NULL, ignored);
		}
		fixture_free(&f);
	}
}

/* f16 against f64 where more is computed again: as far apart as the weights are. */
static void narrow_chains(void **state)
{
	static const char *const settings[] = {
		"softmax-times=2", "softmax-times=2 mask-at=after", "mask-at=after-renorm dropout=0.25",
		"softmax=column mask-at=after-renorm",
	};
	struct dice d = { 41 };

	(void)state;
	for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
		struct fixture f;
		random_scores(&f, &d, 2, settings[s]);
		for (size_t i = 0; i < N; i++)
			for (size_t j = 0; j < N; j++) {
				double wide[N], narrow[N];
				fixture_set(&f, "dtype=f64 causal=on");
				fixture_start(&f);
				gradient_row(fixture_row(&f, i), &f.attention, j, wide);
				fixture_set(&f, "dtype=f16");
				fixture_start(&f);
				gradient_row(fixture_row(&f, i), &f.attention, j, narrow);
				for (size_t k = 0; k < N; k++)
					assert_near(narrow[k], wide[k], 4 * 0x1p-10);
			}
		fixture_free(&f);
	}
}

/* ---- rows with nothing to compute from ---- */

static void all_are(const struct row *r, const struct attention *a, double wanted)
{
	double out[N];

	for (size_t j = 0; j < a->problem->n_k; j++) {
		gradient_row(r, a, j, out);
		for (size_t k = 0; k < a->problem->n_k; k++)
			assert_same(out[k], wanted);
	}
	assert_same(gradient_reaction(r, a), wanted);
	assert_same(gradient_largest(r, a), wanted);
}

static void rows_without_a_visible_key(void **state)
{
	static const struct { const char *settings; double wanted; } cases[] = {
		{ "empty-row=literal", NAN }, { "empty-row=zero", 0 }, { "empty-row=uniform", 0 },
		{ "empty-row=zero softmax-times=2", 0 }, { "empty-row=uniform dropout=0.5", 0 },
		{ "empty-row=literal softmax-times=2", NAN }, { "empty-row=literal dropout=0.5", NAN },
		{ "mask-at=after empty-row=literal", 0 }, { "mask-at=after-renorm empty-row=literal", NAN },
		{ "mask-at=after-renorm empty-row=zero", 0 }, { "softmax-kind=naive", NAN },
	};
	static const double scores[] = { 1, 2, 0.5 };

	(void)state;
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		struct fixture f;
		const struct row *r = single(&f, scores, 3, cases[c].settings);
		fixture_set(&f, "pad=0-2");
		fixture_start(&f);
		r = fixture_row(&f, 0);
		assert_int_equal(r->visible, 0);
		all_are(r, &f.attention, cases[c].wanted);
		fixture_free(&f);
	}
}

/* A large number instead of -inf: even weights among hidden keys, which do react. */
static void a_finite_fill_reacts(void **state)
{
	static const double scores[] = { 1, 2, 0.5, 4 };
	struct fixture f;

	(void)state;
	const struct row *r = single(&f, scores, 4, "pad=0-3 fill=-1e9");
	assert_same(gradient_reaction(r, &f.attention), 0.75);
	assert_same(gradient_largest(r, &f.attention), 0.1875);
	fixture_free(&f);
}

static void what_is_nan_stays_nan(void **state)
{
	static const struct { double bad; const char *settings; } cases[] = {
		{ NAN, "" }, { INFINITY, "" }, { NAN, "mask-at=after" }, { INFINITY, "mask-at=after-renorm" },
		{ NAN, "softmax-times=2" }, { INFINITY, "softmax-times=2 softmax-kind=naive" }, { NAN, "dropout=0.5" },
		{ 1000, "softmax-kind=naive" },			/* e^1000 / e^1000 */
		{ 1000, "softmax-kind=naive mask-at=after pad=1" },
	};

	(void)state;
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		const double scores[] = { 1, cases[c].bad, 0.5 };
		struct fixture f;
		const struct row *r = single(&f, scores, 3, cases[c].settings);
		all_are(r, &f.attention, NAN);
		fixture_free(&f);
	}
}

/* The sum of exponentials overflows, and each weight is 0 without being hidden. */
static void naive_sums_that_overflow(void **state)
{
	static const double scores[] = { 709.5, 709.5 };
	struct fixture f;

	(void)state;
	const struct row *r = single(&f, scores, 2, "softmax-kind=naive");
	assert_same(r->sum, 0);
	all_are(r, &f.attention, 0);
	fixture_free(&f);
}

/* 1 / (1 - p) = 2^17 is beyond f16, once a draw keeps a large weight. */
static void dropout_that_overflows(void **state)
{
	static const double scores[] = { 0, 1, 2, 3, 4, 5 };
	uint64_t before = 0;
	struct fixture f;

	(void)state;
	fixture_scores(&f, 1, N, scores);
	fixture_set(&f, "dtype=f16 dropout=0.99999237060546875");
	fixture_start(&f);
	struct random draws = f.attention.dropout;
	random_advance(&draws, N - 1);
	while (random_double(&draws) < f.options.dropout.number)
		before++;
	random_advance(&f.attention.dropout, before);	/* that draw is the last key's */
	fixture_row(&f, 0);
	assert_same(f.row.weights[N - 1], INFINITY);
	all_are(&f.row, &f.attention, NAN);
	fixture_free(&f);
}

/* Over columns nan is of one column, and so is its derivative. */
static void columns_come_to_grief_alone(void **state)
{
	static const double scores[] = { 1, NAN, 2, 2, 3, 2 };
	struct fixture f;
	double out[3];

	(void)state;
	fixture_scores(&f, 2, 3, scores);
	fixture_set(&f, "softmax=column");
	const struct row *r = fixture_row(&f, 0);
	gradient_row(r, &f.attention, 0, out);
	assert_near(out[0], 0.19661193324148185, 1e-16);
	assert_same(out[1], 0);
	assert_same(out[2], 0);
	gradient_row(r, &f.attention, 1, out);
	for (size_t k = 0; k < 3; k++)
		assert_same(out[k], NAN);
	gradient_row(r, &f.attention, 2, out);
	assert_same(out[1], 0);
	assert_same(out[2], 0.25);
	assert_same(gradient_reaction(r, &f.attention), NAN);
	assert_same(gradient_largest(r, &f.attention), NAN);
	fixture_set(&f, "mask-at=after-renorm");
	fixture_start(&f);
	all_are(fixture_row(&f, 0), &f.attention, NAN);
	fixture_free(&f);
}

static void two_column_softmaxes_are_not_known(void **state)
{
	static const double scores[] = { 1, 2, 2, 3 }, weights[] = { 0.5, 0.5 };
	struct fixture f;

	(void)state;
	fixture_scores(&f, 2, 2, scores);
	fixture_set(&f, "softmax=column softmax-times=2");
	fixture_row(&f, 0);
	assert_false(gradient_known(&f.attention));
	all_are(&f.row, &f.attention, NAN);
	fixture_set(&f, "softmax=row");
	fixture_start(&f);
	assert_true(gradient_known(&f.attention));
	fixture_free(&f);

	fixture_init(&f);
	fixture_array(&f, ARRAY_WEIGHTS, 1, 2, weights);
	fixture_set(&f, "softmax=column softmax-times=2");
	fixture_row(&f, 0);
	assert_true(gradient_known(&f.attention));
	assert_same(gradient_reaction(&f.row, &f.attention), 0.5);
	fixture_free(&f);
}

/* ---- finished weights ---- */

static void given_weights(void **state)
{
	static const double weights[] = { 0.5, 0.25, 0.25, 0, 1, 0, 2, 0.5, -1, 0.5, NAN, 0.5, INFINITY, 0, 0 };
	static const char *const settings[] = {
		"", "softmax=column", "softmax-times=2", "mask-at=after causal=on", "dropout=0.5", "empty-row=zero pad=0-2",
		"mask-at=after-renorm pad=1 dropout=0.5",
	};
	double out[3];

	(void)state;
	for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
		struct fixture f;
		fixture_init(&f);
		fixture_array(&f, ARRAY_WEIGHTS, 5, 3, weights);
		fixture_set(&f, settings[s]);
		for (size_t i = 0; i < 3; i++) {
			const double *w = weights + 3 * i;
			const struct row *r = fixture_row(&f, i);
			for (size_t j = 0; j < 3; j++) {
				gradient_row(r, &f.attention, j, out);
				for (size_t k = 0; k < 3; k++)
					assert_same(out[k], w[j] * ((j == k) - w[k]) + 0.0);
			}
		}
		fixture_row(&f, 0);
		assert_same(gradient_reaction(&f.row, &f.attention), 0.625);
		assert_same(gradient_largest(&f.row, &f.attention), 0.25);
		fixture_row(&f, 2);			/* -2, 0.25, -2; and 2 * -(-1) beside them */
		assert_same(gradient_reaction(&f.row, &f.attention), -3.75);
		assert_same(gradient_largest(&f.row, &f.attention), 2);
		all_are(fixture_row(&f, 3), &f.attention, NAN);
		all_are(fixture_row(&f, 4), &f.attention, NAN);
		fixture_free(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_tokens_by_hand),
		cmocka_unit_test(three_tokens_by_hand),
		cmocka_unit_test(even_weights),
		cmocka_unit_test(saturated_rows_do_not_react),
		cmocka_unit_test(as_differences_of_the_engine),
		cmocka_unit_test(as_the_chain_rule),
		cmocka_unit_test(plain_rows),
		cmocka_unit_test(hidden_by_infinity_is_zero),
		cmocka_unit_test(hidden_after_softmax_still_takes),
		cmocka_unit_test(unscaled_scores_stop_learning),
		cmocka_unit_test(narrow_types),
		cmocka_unit_test(narrow_chains),
		cmocka_unit_test(rows_without_a_visible_key),
		cmocka_unit_test(a_finite_fill_reacts),
		cmocka_unit_test(what_is_nan_stays_nan),
		cmocka_unit_test(naive_sums_that_overflow),
		cmocka_unit_test(dropout_that_overflows),
		cmocka_unit_test(columns_come_to_grief_alone),
		cmocka_unit_test(two_column_softmaxes_are_not_known),
		cmocka_unit_test(given_weights),
	};
	return cmocka_run_group_tests_name("gradient", tests, NULL, NULL);
}
