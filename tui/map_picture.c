/* map_picture.c - the whole map of weights in small: by overview.h, or row after row. */
#include "tui/map_picture.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/fast_attention.h"
#include "core/overview.h"
#include "tui/threads.h"

/* Operations: below so many rows in double are as good as at once, and from so many on
 * threads are worth their start; and those of a step. */
#define ROWS_WORK ((double)(1 << 24))
#define THREADS_WORK ((double)((size_t)1 << 31))
#define STEP_WORK ((size_t)1 << 20)

struct map_picture {
	const struct attention *attention;
	size_t rows, columns;

	/* the one way */
	struct overview *overview;		/* NULL: the other way */
	struct workers *workers;
	unsigned char *pad;
	bool over;

	/* the other */
	struct row row;
	double *sum, *square, *largest;		/* of a query's means; rows * columns each */
	size_t *done;				/* queries that are in, of each row */
	size_t turn, at;			/* next: the turn-th query of row `at` */
	size_t all;				/* queries that are in */
};

static double row_work(const struct attention *a)
{
	return (double)a->problem->n_k * (20 + (double)a->problem->d_k);
}

/* ---- float32, all rows of a bin at once ---- */

static enum status begin_overview(struct map_picture *m, struct error *e)
{
	struct fast_head h;
	enum status s = fast_attention_head(&h, &m->pad, m->attention, NULL, NULL, NULL, e);

	if (s)
		return s;
	if (row_work(m->attention) * (double)m->attention->problem->n_q >= THREADS_WORK)
		m->workers = threads_start();
	return overview_begin(&m->overview, &h, m->rows, m->columns, m->workers, e);
}

/* ---- in double, row after row ---- */

static enum status begin_rows(struct map_picture *m, struct error *e)
{
	size_t cells = m->rows * m->columns;

	m->sum = calloc(cells, sizeof *m->sum);
	m->square = calloc(cells, sizeof *m->square);
	m->largest = calloc(cells, sizeof *m->largest);
	m->done = calloc(m->rows, sizeof *m->done);
	if (!m->sum || !m->square || !m->largest || !m->done)
		return error_set(e, E_MEMORY, "no memory for a picture of %zu x %zu cells", m->rows, m->columns);
	return row_init(&m->row, m->attention, e);
}

static size_t edge(size_t n, size_t bins, size_t b)
{
	return (size_t)((uint64_t)n * b / bins);
}

static size_t common(size_t a, size_t b)
{
	while (b) {
		size_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* The k-th of n queries in an order that takes each once and is spread over all of them
 * at any time: steps of about the golden section. It begins elsewhere in each bin, as the
 * diagonal passes all of them at the same place. */
static size_t spread(size_t n, size_t k, size_t bin)
{
	size_t step = (size_t)(0.618033988749895 * (double)n), start = (size_t)fmod(0.381966011250105 * (double)(bin + 1) * (double)n, (double)n);

	if (!step)
		step = 1;
	while (common(step, n) != 1)
		step++;
	return (size_t)((start + (uint64_t)k * step) % n);
}

/* As np.max: a nan wins and stays. */
static double larger(double a, double b)
{
	return a >= b || isnan(a) ? a : b;
}

static void add_row(struct map_picture *m, size_t r, const double *w)
{
	for (size_t c = 0; c < m->columns; c++) {
		size_t from = map_picture_key(m, c), to = map_picture_key(m, c + 1), at = r * m->columns + c;
		double sum = 0, largest = w[from];
		for (size_t j = from; j < to; j++) {
			sum += w[j];
			largest = larger(largest, w[j]);
		}
		double mean = sum / (double)(to - from);
		m->sum[at] += mean;
		m->square[at] += mean * mean;
		m->largest[at] = m->done[r] ? larger(m->largest[at], largest) : largest;
	}
	m->done[r]++;
	m->all++;
}

static void next_query(struct map_picture *m)
{
	size_t r = m->at, first = map_picture_query(m, r), n = map_picture_query(m, r + 1) - first;
	size_t all = m->turn ? 1 : 2;		/* two tell something of their error */

	for (size_t k = 0; k < all; k++) {
		size_t turn = m->turn ? m->turn + 1 : k;
		if (turn >= n)
			break;
		row_compute(&m->row, m->attention, first + spread(n, turn, r), STAGE_SCORES, STAGE_WEIGHTS);
		add_row(m, r, m->row.weights);
	}
	if (++m->at == m->rows) {
		m->at = 0;
		m->turn++;
	}
}

static void step_rows(struct map_picture *m)
{
	size_t done = 0, n_q = m->attention->problem->n_q;

	while (m->all < n_q && done < STEP_WORK) {
		size_t before = m->all;
		next_query(m);
		done += (size_t)row_work(m->attention) * (m->all - before) + 1;
	}
}

/* Expected |error| of a mean: as overview.c has it. */
static double cell_error(const struct map_picture *m, size_t r, size_t at)
{
	double n = (double)m->done[r], all = (double)(map_picture_query(m, r + 1) - map_picture_query(m, r));
	double mean = m->sum[at] / n, spread = m->square[at] / n - mean * mean;

	return spread > 0 ? sqrt(spread / (n - 1) * (1 - n / all) * M_2_PI) : 0;
}

static double rows_error(const struct map_picture *m)
{
	double error = 0, sum = 0;

	for (size_t r = 0; r < m->rows; r++) {
		bool exact = m->done[r] == map_picture_query(m, r + 1) - map_picture_query(m, r);
		if (!exact && m->done[r] < 2)
			return INFINITY;
		for (size_t c = 0; c < m->columns; c++) {
			double mean = m->sum[r * m->columns + c] / (double)m->done[r];
			if (isnan(mean))
				continue;
			sum += fabs(mean);
			error += exact ? 0 : cell_error(m, r, r * m->columns + c);
		}
	}
	return error > 0 ? error / sum : 0;
}

/* ---- both ---- */

static size_t smallest(size_t a, size_t b)
{
	size_t least = a < b ? a : b;

	return least > MAP_MOST ? MAP_MOST : least ? least : 1;
}

enum status map_picture_begin(struct map_picture **out, const struct attention *a, size_t rows, size_t columns, struct error *e)
{
	struct map_picture *m = calloc(1, sizeof *m);
	const struct problem *p = a->problem;
	enum status s;

	if (!m)
		return error_set(e, E_MEMORY, "no memory for a picture");
	m->attention = a;
	m->rows = smallest(rows, p->n_q);
	m->columns = smallest(columns, p->n_k);
	bool few = row_work(a) * (double)p->n_q < ROWS_WORK;
	s = !few && fast_attention_fits(a) ? begin_overview(m, e) : begin_rows(m, e);
	if (s)
		map_picture_free(m);
	else
		*out = m;
	return s;
}

void map_picture_free(struct map_picture *m)
{
	if (!m)
		return;
	overview_free(m->overview);
	workers_stop(m->workers);
	free(m->pad);
	row_free(&m->row);
	free(m->sum);
	free(m->square);
	free(m->largest);
	free(m->done);
	free(m);
}

size_t map_picture_rows(const struct map_picture *m)
{
	return m->rows;
}

size_t map_picture_columns(const struct map_picture *m)
{
	return m->columns;
}

bool map_picture_is_float(const struct map_picture *m)
{
	return m->overview != NULL;
}

bool map_picture_step(struct map_picture *m)
{
	if (m->overview)
		m->over = !overview_step(m->overview, NULL);
	else
		step_rows(m);
	return !map_picture_done(m);
}

bool map_picture_done(const struct map_picture *m)
{
	return m->overview ? m->over : m->all == m->attention->problem->n_q;
}

double map_picture_progress(const struct map_picture *m)
{
	return m->overview ? overview_progress(m->overview) : (double)m->all / (double)m->attention->problem->n_q;
}

double map_picture_error(const struct map_picture *m)
{
	return map_picture_done(m) ? 0 : m->overview ? overview_error(m->overview) : rows_error(m);
}

size_t map_picture_query(const struct map_picture *m, size_t r)
{
	return m->overview ? overview_query(m->overview, r) : edge(m->attention->problem->n_q, m->rows, r);
}

size_t map_picture_key(const struct map_picture *m, size_t c)
{
	return m->overview ? overview_key(m->overview, c) : edge(m->attention->problem->n_k, m->columns, c);
}

bool map_picture_known(const struct map_picture *m, size_t r)
{
	return m->overview ? overview_state(m->overview, r) != OVERVIEW_NOTHING : m->done[r] > 0;
}

double map_picture_mean(const struct map_picture *m, size_t r, size_t c)
{
	return m->overview ? overview_mean(m->overview, r, c) : m->sum[r * m->columns + c] / (double)m->done[r];
}

double map_picture_largest(const struct map_picture *m, size_t r, size_t c)
{
	return m->overview ? overview_max(m->overview, r, c) : m->largest[r * m->columns + c];
}
