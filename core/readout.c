/* readout.c - numbers that tell what no probe can: whether the scale is right. */
#include "core/readout.h"

#include <math.h>

enum { ROWS_MOST = 256, ROWS_LEAST = 8 };
#define COST_MOST 0x1p25	/* multiply-adds of doubles */

/* What one row costs: d_k products a key, as much as twenty more for exp and the
 * rest, and in a narrower type the rounding of each. */
static double cost_of_row(const struct attention *a)
{
	static const double rounding[] = { [DTYPE_F64] = 1, [DTYPE_F32] = 7, [DTYPE_F16] = 80, [DTYPE_BF16] = 10 };

	return (double)a->problem->n_k * (20 + (double)a->problem->d_k * rounding[a->dtype]);
}

static size_t rows_to_look_at(const struct attention *a)
{
	double most = COST_MOST / cost_of_row(a);
	size_t rows = most >= ROWS_MOST ? ROWS_MOST : most <= ROWS_LEAST ? ROWS_LEAST : (size_t)most;

	return rows < a->problem->n_q ? rows : a->problem->n_q;
}

/* Mean and sum of squared distances from it, one number after the other (Welford 1962). */
struct spread { double mean, squares; };

static void add_scores(struct readout *out, struct spread *s, const struct row *r, size_t n_k)
{
	for (size_t j = 0; j < n_k; j++) {
		if (mask_hides(r->rules[j]))
			continue;
		double distance = r->scaled[j] - s->mean;
		out->scores++;
		s->mean += distance / (double)out->scores;
		s->squares += distance * (r->scaled[j] - s->mean);
	}
}

/* mean_largest is a sum until the end. */
static void add_weights(struct readout *out, const struct row *r)
{
	out->empty_rows += !r->visible;
	if (isnan(r->largest)) {
		out->nan_rows++;
		return;
	}
	if (r->largest > out->max_largest)
		out->max_largest = r->largest;
	out->mean_largest += r->largest;
}

enum status readout_compute(struct readout *out, const struct attention *a, struct error *e)
{
	size_t n_q = a->problem->n_q;
	struct readout found = { .rows = rows_to_look_at(a), .of = n_q, .max_largest = -INFINITY };
	struct spread spread = { 0 };
	struct row r;
	enum status s = row_init(&r, a, e);

	if (s)
		return s;
	for (size_t k = 0; k < found.rows; k++) {
		size_t i = found.rows == n_q ? k : k * (n_q - 1) / (found.rows - 1);
		row_compute(&r, a, i, STAGE_SCORES, STAGE_WEIGHTS);
		if (a->problem->source != SOURCE_WEIGHTS)
			add_scores(&found, &spread, &r, a->problem->n_k);
		add_weights(&found, &r);
	}
	size_t told = found.rows - found.nan_rows;
	found.spread = found.scores ? sqrt(spread.squares / (double)found.scores) : NAN;
	found.mean_largest = told ? found.mean_largest / (double)told : NAN;
	if (!told)
		found.max_largest = NAN;
	row_free(&r);
	*out = found;
	return OK_STATUS;
}
