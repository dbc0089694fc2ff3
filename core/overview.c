/* overview.c - the whole map of weights in a few cells, in pieces: mean and maximum. */
#include "core/overview.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/arena.h"
#include "core/overview_parts.h"

enum {
	MOST_PANELS = 32,		/* of a step */
	SAMPLES = 16,			/* rows of a bin row, at most, that are taken first */
	SAMPLED_PART = 32,		/* of the rows of a bin row: one of so many at most */
};

/* Multiply-adds of one worker in a step: a few milliseconds. */
#define STEP_WORK ((size_t)1 << 27)
/* Below so many in all, the exact picture is there as soon as a sample would be. */
#define SAMPLED_WORK ((double)((size_t)1 << 31))

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* ---- bins ---- */

static size_t edge(size_t n, size_t bins, size_t b)
{
	return (size_t)((uint64_t)n * b / bins);
}

size_t overview_query(const struct overview *o, size_t r)
{
	return edge(o->head.q.rows, o->rows, r);
}

size_t overview_key(const struct overview *o, size_t c)
{
	return o->key[c];
}

size_t overview_rows(const struct overview *o)
{
	return o->rows;
}

size_t overview_columns(const struct overview *o)
{
	return o->columns;
}

static size_t queries(const struct overview *o, size_t r)
{
	return overview_query(o, r + 1) - overview_query(o, r);
}

/* ---- steps ---- */

static void add(struct cells *to, const struct share *s, size_t columns)
{
	for (size_t part = 0; part < s->parts; part++) {
		size_t at = s->bin[part] * columns, from = part * columns;
		to->rows[s->bin[part]] += s->rows[part];
		for (size_t c = 0; c < columns; c++) {
			float max = s->max[from + c];
			to->sum[at + c] += s->sum[from + c];
			if (to->square)
				to->square[at + c] += s->square[from + c];
			to->max[at + c] = to->max[at + c] >= max || isnan(to->max[at + c]) ? to->max[at + c] : max;
		}
	}
}

/* Computes the first `panels` of the step and adds them up, in their order. */
static bool run(struct overview *o, size_t panels, struct cells *to, const atomic_bool *cancel)
{
	o->panels = panels;
	if (!workers_run(o->workers, (panels + OVERVIEW_TOGETHER - 1) / OVERVIEW_TOGETHER, overview_pool, o, cancel))
		return false;
	for (size_t n = 0; n < panels; n++)
		add(to, &o->share[n], o->columns);
	return true;
}

/* How many panels a step takes. */
static size_t step_panels(const struct overview *o)
{
	size_t each = OVERVIEW_TOGETHER * LANES * o->head.k.rows * o->head.k.columns, n = STEP_WORK / each;

	n = (n ? n : 1) * OVERVIEW_TOGETHER * workers_count(o->workers);
	return n < MOST_PANELS ? n : MOST_PANELS;
}

/* The k-th row of a sample of a bin row: spread evenly for any k (van der Corput), and
 * elsewhere in each bin row, as the diagonal passes all of them at the same place. */
static size_t sample_row(const struct overview *o, size_t r, size_t k)
{
	double at = 0.618033988749895 * (double)r, part = 0.5;

	for (; k; k /= 2, part /= 2)
		at += (double)(k % 2) * part;
	return overview_query(o, r) + (size_t)((at - floor(at)) * (double)queries(o, r));
}

static int by_number(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	return (x > y) - (x < y);
}

/* The next bin rows of a round, which doubles the rows of the sample. */
static void step_sample(struct overview *o, const atomic_bool *cancel)
{
	size_t doubled = o->samples ? o->samples * 2 : 2, target = smaller(doubled, o->wanted_samples);
	size_t each = target - o->samples, r = o->sampled_to, panels = 0;

	for (; r < o->rows && panels < step_panels(o); panels++) {
		struct sixteen *p = &o->panel[panels];
		for (p->count = 0; p->count + each <= LANES && r < o->rows; r++)
			for (size_t k = 0; k < each; k++)
				p->row[p->count++] = sample_row(o, r, o->samples + k);
		qsort(p->row, p->count, sizeof *p->row, by_number);
	}
	if (!run(o, panels, &o->sample, cancel))
		return;
	o->sampled_to = r;
	if (r == o->rows) {
		o->samples = target;
		o->sampled_to = 0;
	}
}

static void step_exact(struct overview *o, const atomic_bool *cancel)
{
	size_t panels = 0, i = o->next, n = o->head.q.rows;
	double cells = 0;

	for (; i < n && panels < step_panels(o); panels++) {
		struct sixteen *p = &o->panel[panels];
		for (p->count = 0; p->count < LANES && i < n; i++) {
			p->row[p->count++] = i;
			cells += (double)fast_limit(&o->head, i);
		}
	}
	if (!run(o, panels, &o->exact, cancel))
		return;
	o->next = i;
	o->done += cells;
}

bool overview_step(struct overview *o, const atomic_bool *cancel)
{
	if (o->next == o->head.q.rows)
		return false;
	if (o->samples < o->wanted_samples)
		step_sample(o, cancel);
	else
		step_exact(o, cancel);
	return o->next < o->head.q.rows;
}

/* ---- what is known ---- */

double overview_progress(const struct overview *o)
{
	return o->next == o->head.q.rows ? 1 : o->all > 0 ? o->done / o->all : 0;
}

enum overview_state overview_state(const struct overview *o, size_t r)
{
	if (o->exact.rows[r] == queries(o, r))
		return OVERVIEW_EXACT;
	return o->sample.rows[r] || o->exact.rows[r] ? OVERVIEW_SAMPLED : OVERVIEW_NOTHING;
}

/* Which sums a row of cells is shown from: the sample is spread over all its queries,
 * the exact pass has only begun at their top. */
static const struct cells *shown(const struct overview *o, size_t r)
{
	return overview_state(o, r) == OVERVIEW_EXACT || !o->sample.rows[r] ? &o->exact : &o->sample;
}

double overview_mean(const struct overview *o, size_t r, size_t c)
{
	const struct cells *from = shown(o, r);
	double weights = (double)from->rows[r] * (double)(overview_key(o, c + 1) - overview_key(o, c));

	return from->sum[r * o->columns + c] / weights;
}

double overview_max(const struct overview *o, size_t r, size_t c)
{
	float a = o->exact.max[r * o->columns + c], b = o->sample.max[r * o->columns + c];

	if (overview_state(o, r) == OVERVIEW_NOTHING)
		return NAN;
	return (double)(a >= b || isnan(a) ? a : b);
}

/* Expected |error| of a cell's sum over keys, of one query on average: that of the mean
 * of a normal sample, drawn without repetition. */
static double cell_error(const struct overview *o, size_t r, size_t c)
{
	double n = (double)o->sample.rows[r], all = (double)queries(o, r);
	double mean = o->sample.sum[r * o->columns + c] / n;
	double spread = o->sample.square[r * o->columns + c] / n - mean * mean;

	return spread > 0 ? sqrt(spread / (n - 1) * (1 - n / all) * M_2_PI) : 0;
}

double overview_error(const struct overview *o)
{
	double error = 0, sum = 0;

	for (size_t r = 0; r < o->rows; r++) {
		const struct cells *from = shown(o, r);
		bool exact = overview_state(o, r) == OVERVIEW_EXACT;
		if (!exact && o->sample.rows[r] < 2)
			return INFINITY;
		for (size_t c = 0; c < o->columns; c++) {
			double cell = from->sum[r * o->columns + c] / (double)from->rows[r];
			sum += isnan(cell) ? 0 : cell;
			error += exact ? 0 : cell_error(o, r, c);
		}
	}
	return error > 0 ? error / sum : 0;
}

/* ---- memory ---- */

static void lay_out_cells(struct arena *a, struct cells *to, size_t rows, size_t columns, bool square)
{
	to->sum = arena_take(a, rows * columns * sizeof *to->sum);
	to->square = square ? arena_take(a, rows * columns * sizeof *to->square) : NULL;
	to->max = arena_take(a, rows * columns * sizeof *to->max);
	to->rows = arena_take(a, rows * sizeof *to->rows);
}

/* Sizes are bounded: OVERVIEW_MOST, MOST_PANELS, WORKERS_MOST. */
static void lay_out(struct arena *a, struct overview *o)
{
	size_t lanes = o->columns * LANES, workers = workers_count(o->workers), panels = step_panels(o);
	struct pool *pool = o->pool = arena_take(a, workers * OVERVIEW_TOGETHER * sizeof *pool);
	struct share *share;

	o->key = arena_take(a, (o->columns + 1) * sizeof *o->key);
	o->panel = arena_take(a, panels * sizeof *o->panel);
	share = o->share = arena_take(a, panels * sizeof *share);
	lay_out_cells(a, &o->sample, o->rows, o->columns, true);
	lay_out_cells(a, &o->exact, o->rows, o->columns, false);
	for (size_t n = 0; n < workers * OVERVIEW_TOGETHER; n++) {
		struct pool at = { arena_take(a, lanes * sizeof(float)), arena_take(a, lanes * sizeof(float)) };
		if (pool)
			pool[n] = at;
	}
	for (size_t n = 0; n < panels; n++) {
		struct share at = { .sum = arena_take(a, lanes * sizeof(double)),
				    .square = arena_take(a, lanes * sizeof(double)),
				    .max = arena_take(a, lanes * sizeof(float)) };
		if (share)
			share[n] = at;
	}
}

static enum status take_memory(struct overview *o, struct error *e)
{
	struct arena a = { 0 };
	enum status s = OK_STATUS;

	lay_out(&a, o);
	o->block = calloc(a.used + LANES_ALIGN, 1);
	o->work = calloc(workers_count(o->workers), sizeof *o->work);
	if (!o->block || !o->work)
		return error_set(e, E_MEMORY, "no memory for an overview of %zu x %zu", o->rows, o->columns);
	a = arena_in(o->block);
	lay_out(&a, o);
	for (size_t c = 0; c <= o->columns; c++)
		o->key[c] = edge(o->head.k.rows, o->columns, c);
	for (; !s && o->works < workers_count(o->workers); o->works += !s)
		s = fast_work_init(&o->work[o->works], &o->head, e);
	return s;
}

/* Rows of each bin row that are taken before all are. */
static size_t sample_size(const struct overview *o)
{
	double work = o->all * (double)o->head.k.columns;
	size_t most = smaller(o->head.q.rows / o->rows / SAMPLED_PART, SAMPLES);

	return work >= SAMPLED_WORK && most >= 2 ? most : 0;
}

enum status overview_begin(struct overview **out, const struct fast_head *h, size_t rows, size_t columns,
			   struct workers *workers, struct error *e)
{
	enum status s = fast_check(h, e);
	struct overview *o;

	if (s)
		return s;
	if (!rows || !columns)
		return error_set(e, E_VALUE, "an overview of %zu x %zu: at least one row and column was expected",
				 rows, columns);
	if (!(o = calloc(1, sizeof *o)))
		return error_set(e, E_MEMORY, "no memory for an overview");
	o->head = *h;
	o->rows = smaller(smaller(rows, h->q.rows), OVERVIEW_MOST);
	o->columns = smaller(smaller(columns, h->k.rows), OVERVIEW_MOST);
	o->workers = workers;
	for (size_t i = 0; i < h->q.rows; i++)
		o->all += (double)fast_limit(h, i);
	o->wanted_samples = sample_size(o);
	if ((s = take_memory(o, e)))
		overview_free(o);
	else
		*out = o;
	return s;
}

void overview_free(struct overview *o)
{
	if (!o)
		return;
	while (o->works)
		fast_work_free(&o->work[--o->works]);
	free(o->work);
	free(o->block);
	free(o);
}
