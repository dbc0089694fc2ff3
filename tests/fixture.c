/* fixture.c - a problem and its attention made from numbers in C, for tests. */
#include "tests/fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

bool same_number(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	return !memcmp(&a, &b, sizeof a);
}

bool near_number(double a, double b, double tolerance)
{
	if (!isfinite(a) || !isfinite(b))
		return isnan(a) ? isnan(b) : a == b;
	return fabs(a - b) <= tolerance;
}

void assert_same_at(double got, double wanted, const char *file, int line)
{
	if (same_number(got, wanted))
		return;
	print_error("%.17g (%a) instead of %.17g (%a)\n", got, got, wanted, wanted);
	_fail(file, line);
}

void assert_near_at(double got, double wanted, double tolerance, const char *file, int line)
{
	if (near_number(got, wanted, tolerance))
		return;
	print_error("%.17g instead of %.17g, within %g\n", got, wanted, tolerance);
	_fail(file, line);
}

uint64_t dice_next(struct dice *d)
{
	d->state ^= d->state >> 12;
	d->state ^= d->state << 25;
	d->state ^= d->state >> 27;
	return d->state * UINT64_C(2685821657736338717);
}

size_t dice_below(struct dice *d, size_t n)
{
	return (size_t)((dice_next(d) >> 33) % n);
}

double dice_between(struct dice *d, double low, double high)
{
	return low + (high - low) * (double)(dice_next(d) >> 11) * 0x1p-53;
}

/* ---- options ---- */

static void set_one(struct options *o, char *setting)
{
	struct error e = { 0 };
	char *value = strchr(setting, '=');

	assert_non_null(value);
	*value++ = '\0';
	enum option which = option_find(setting);
	if (which == OPT_COUNT)
		fail_msg("there is no option %s", setting);
	if (option_set(o, which, value, &e))
		fail_msg("%s: %s", setting, e.text);
}

void options_from(struct options *o, const char *settings)
{
	char *copy = strdup(settings ? settings : ""), *rest = NULL;

	assert_non_null(copy);
	for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		set_one(o, word);
	free(copy);
}

/* ---- problems ---- */

void fixture_init(struct fixture *f)
{
	struct error e = { 0 };

	memset(f, 0, sizeof *f);
	assert_int_equal(random_tables_init(&f->tables, &e), OK_STATUS);
	assert_int_equal(scenario_init(&f->scenario, "test", &e), OK_STATUS);
	assert_int_equal(options_init(&f->options, &e), OK_STATUS);
}

void fixture_random(struct fixture *f, size_t n_q, size_t n_k, size_t d_k, size_t d_v, const char *seed)
{
	fixture_init(f);
	f->scenario.source = SOURCE_RANDOM;
	f->scenario.random = (struct random_input){ strdup(seed), n_q, n_k, d_k, d_v, 1, 0, 0 };
	assert_non_null(f->scenario.random.seed);
}

void fixture_scores(struct fixture *f, size_t n_q, size_t n_k, const double *scores)
{
	fixture_init(f);
	fixture_array(f, ARRAY_SCORES, n_q, n_k, scores);
}

static enum source source_of(enum array a, enum source before)
{
	switch (a) {
	case ARRAY_Q:
		return SOURCE_QKV;
	case ARRAY_SCORES:
		return SOURCE_SCORES;
	case ARRAY_WEIGHTS:
		return SOURCE_WEIGHTS;
	case ARRAY_X:
		return SOURCE_X;
	default:
		return before;
	}
}

static struct matrix matrix_of(size_t rows, size_t columns, const double *v)
{
	struct matrix m = { 0 };
	struct error e = { 0 };

	assert_int_equal(matrix_init(&m, rows, columns, &e), OK_STATUS);
	memcpy(m.v, v, rows * columns * sizeof *v);
	return m;
}

void fixture_array(struct fixture *f, enum array a, size_t rows, size_t columns, const double *v)
{
	struct error e = { 0 };
	struct matrix m = matrix_of(rows, columns, v);

	assert_int_equal(array_add(&f->scenario.array[a], &m, &e), OK_STATUS);
	f->scenario.source = source_of(a, f->scenario.source);
}

void fixture_set(struct fixture *f, const char *settings)
{
	options_from(&f->options, settings);
}

void fixture_edit(struct fixture *f, enum array a, size_t row, size_t column, double value)
{
	struct error e = { 0 };

	assert_int_equal(edits_put(&f->scenario.edits, (struct edit){ a, 0, row, column, value }, &e), OK_STATUS);
}

void fixture_build(struct fixture *f)
{
	struct error e = { 0 };

	if (f->built)
		return;
	if (problem_build(&f->problem, &f->scenario, &f->options, &f->scenario.edits, &f->tables, &e))
		fail_msg("%s", e.text);
	f->built = true;
}

static void stop(struct fixture *f)
{
	if (f->started) {
		row_free(&f->row);
		attention_free(&f->attention);
	}
	f->started = false;
}

void fixture_rebuild(struct fixture *f)
{
	stop(f);
	if (f->built)
		problem_free(&f->problem);
	f->built = false;
	fixture_build(f);
}

enum status fixture_mask(struct fixture *f, size_t rows, size_t columns, const double *v, char kind,
			 const char *name, struct error *e)
{
	struct matrix m = matrix_of(rows, columns, v);

	fixture_build(f);
	enum status s = mask_load(&f->problem, &m, kind == 'f', kind == 'b', name, &f->options, e);
	if (s)
		assert_non_null(m.v);		/* still the caller's */
	else
		assert_null(m.v);
	matrix_free(&m);
	return s;
}

enum status fixture_try(struct fixture *f, struct error *e)
{
	stop(f);
	fixture_build(f);
	enum status s = attention_init(&f->attention, &f->problem, &f->options, &f->tables, e);
	if (s)
		return s;
	if ((s = row_init(&f->row, &f->attention, e)))
		attention_free(&f->attention);
	f->started = !s;
	return s;
}

void fixture_start(struct fixture *f)
{
	struct error e = { 0 };

	if (fixture_try(f, &e))
		fail_msg("%s", e.text);
}

const struct row *fixture_row(struct fixture *f, size_t i)
{
	if (!f->started)
		fixture_start(f);
	row_compute(&f->row, &f->attention, i, STAGE_SCORES, STAGE_OUTPUT);
	return &f->row;
}

void fixture_free(struct fixture *f)
{
	stop(f);
	if (f->built)
		problem_free(&f->problem);
	options_free(&f->options);
	scenario_free(&f->scenario);
	memset(f, 0, sizeof *f);
}
