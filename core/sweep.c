/* sweep.c - the d_k experiment: does softmax pile up without the scale? */
#include "core/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"

/* Units of work: about a nanosecond each. */
enum { DRAW_COST = 24, WEIGHT_COST = 48, STEP = 1 << 20 };

/* ---- what is asked for ---- */

static const struct {
	const char *name;
	long most;		/* the least is 1 */
} parameters[SWEEP_PARAMETER_COUNT] = {
	[SWEEP_D_K] = { "d-k", SWEEP_D_K_LIMIT },
	[SWEEP_N] = { "n", SWEEP_N_LIMIT },
	[SWEEP_SEED] = { "seed", 0 },
	[SWEEP_REPEATS] = { "repeats", SWEEP_REPEATS_LIMIT },
	[SWEEP_STD_D_K] = { "std-d-k", SWEEP_D_K_LIMIT },
	[SWEEP_PAIRS] = { "pairs", SWEEP_PAIRS_LIMIT },
};

void sweep_request_init(struct sweep_request *r)
{
	*r = (struct sweep_request){
		.d_k = { { 4, 16, 64, 256, 1024 }, 5 }, .std_d_k = { { 4, 64, 1024 }, 3 },
		.n = 16, .repeats = 1, .pairs = 10000, .seed = "0",
	};
}

const char *sweep_parameter_name(enum sweep_parameter p)
{
	return parameters[p].name;
}

static bool in_range(enum sweep_parameter p, size_t v)
{
	return v >= 1 && v <= (size_t)parameters[p].most;
}

static bool read_size(enum sweep_parameter p, const char *text, size_t n, size_t *size)
{
	long v;

	if (!number_parse_integer(text, n, &v) || v < 1 || v > parameters[p].most)
		return false;
	*size = (size_t)v;
	return true;
}

static enum status set_size(size_t *size, enum sweep_parameter p, const char *text, struct error *e)
{
	if (read_size(p, text, strlen(text), size))
		return OK_STATUS;
	return error_option(e, E_VALUE, parameters[p].name, text, "'%.80s' is not an integer from 1 to %ld",
			    text, parameters[p].most);
}

static bool has_size(const struct sweep_sizes *l, size_t size)
{
	for (size_t k = 0; k < l->count; k++)
		if (l->v[k] == size)
			return true;
	return false;
}

static enum status set_sizes(struct sweep_sizes *sizes, enum sweep_parameter p, const char *text, struct error *e)
{
	const char *name = parameters[p].name;
	struct sweep_sizes l = { .count = 0 };
	size_t size;

	for (const char *at = text;; at++) {
		size_t length = strcspn(at, ",");
		if (!read_size(p, at, length, &size))
			return error_option(e, E_VALUE, name, text,
					    "'%.*s' is not an integer from 1 to %ld; a list such as 4,16,64 is expected",
					    length < 80 ? (int)length : 80, at, parameters[p].most);
		/* Results are found by their d_k. */
		if (has_size(&l, size))
			return error_option(e, E_VALUE, name, text, "%zu is there twice; repeats draws a d_k again", size);
		if (l.count == SWEEP_LIST)
			return error_option(e, E_VALUE, name, text, "more than %d sizes", SWEEP_LIST);
		l.v[l.count++] = size;
		at += length;
		if (!*at)
			break;
	}
	*sizes = l;
	return OK_STATUS;
}

static enum status set_seed(const char **seed, const char *text, struct error *e)
{
	if (!*text || text[strspn(text, "0123456789")])
		return error_option(e, E_VALUE, "seed", text, "'%.80s' is not a seed; digits are expected", text);
	*seed = text;
	return OK_STATUS;
}

enum status sweep_set(struct sweep_request *r, enum sweep_parameter p, const char *text, struct error *e)
{
	switch (p) {
	case SWEEP_D_K:
		return set_sizes(&r->d_k, p, text, e);
	case SWEEP_N:
		return set_size(&r->n, p, text, e);
	case SWEEP_SEED:
		return set_seed(&r->seed, text, e);
	case SWEEP_REPEATS:
		return set_size(&r->repeats, p, text, e);
	case SWEEP_PAIRS:
		return set_size(&r->pairs, p, text, e);
	default:
		if (strcmp(text, "none"))
			return set_sizes(&r->std_d_k, p, text, e);
		r->std_d_k.count = 0;
		return OK_STATUS;
	}
}

static enum status out_of_range(enum sweep_parameter p, size_t v, struct error *e)
{
	return error_option(e, E_VALUE, parameters[p].name, "", "%zu is outside 1..%ld", v, parameters[p].most);
}

static enum status check_sizes(const struct sweep_sizes *l, enum sweep_parameter p, size_t least, struct error *e)
{
	if (l->count < least || l->count > SWEEP_LIST)
		return error_option(e, E_VALUE, parameters[p].name, "", "%zu sizes; %zu to %d are expected", l->count,
				    least, SWEEP_LIST);
	for (size_t k = 0; k < l->count; k++)
		if (!in_range(p, l->v[k]))
			return out_of_range(p, l->v[k], e);
	return OK_STATUS;
}

static enum status check_request(const struct sweep_request *r, struct error *e)
{
	enum status s;

	if ((s = check_sizes(&r->d_k, SWEEP_D_K, 1, e)) || (s = check_sizes(&r->std_d_k, SWEEP_STD_D_K, 0, e)))
		return s;
	if (!in_range(SWEEP_N, r->n))
		return out_of_range(SWEEP_N, r->n, e);
	if (!in_range(SWEEP_REPEATS, r->repeats))
		return out_of_range(SWEEP_REPEATS, r->repeats, e);
	if (!in_range(SWEEP_PAIRS, r->pairs))
		return out_of_range(SWEEP_PAIRS, r->pairs, e);
	for (size_t k = 0; k < r->d_k.count; k++)
		if (r->n * r->d_k.v[k] > SWEEP_NUMBERS_LIMIT)
			return error_option(e, E_LIMIT, sweep_parameter_name(SWEEP_D_K), "",
					    "n %zu times d_k %zu is more than the limit of %d numbers", r->n, r->d_k.v[k],
					    SWEEP_NUMBERS_LIMIT);
	return OK_STATUS;
}

/* ---- how much there is to do ---- */

/* Pieces of a phase for one d_k: numbers, cells, or pairs. */
static uint64_t phase_pieces(const struct sweep_request *r, enum sweep_phase phase, size_t d_k)
{
	switch (phase) {
	case SWEEP_WEIGH:
		return (uint64_t)r->n * r->n;
	case SWEEP_SKIP_QUERIES:
		return (uint64_t)r->pairs * d_k;
	case SWEEP_MULTIPLY:
		return r->pairs;
	default:
		return (uint64_t)r->n * d_k;
	}
}

static uint64_t piece_cost(enum sweep_phase phase, size_t d_k)
{
	switch (phase) {
	case SWEEP_WEIGH:
		return d_k + SWEEP_SCALE_COUNT * WEIGHT_COST;
	case SWEEP_MULTIPLY:
		return 2 * DRAW_COST * (uint64_t)d_k;
	default:
		return DRAW_COST;
	}
}

static uint64_t phase_cost(const struct sweep_request *r, const struct sweep_sizes *sizes, enum sweep_phase phase)
{
	uint64_t cost = 0;

	for (size_t k = 0; k < sizes->count; k++)
		cost += phase_pieces(r, phase, sizes->v[k]) * piece_cost(phase, sizes->v[k]);
	return cost;
}

/* Less than 2^60 for the largest request. */
static uint64_t whole_cost(const struct sweep_request *r)
{
	uint64_t cost = 0;

	for (int p = SWEEP_DRAW_Q; p <= SWEEP_WEIGH; p++)
		cost += phase_cost(r, &r->d_k, (enum sweep_phase)p);
	cost *= r->repeats;
	for (int p = SWEEP_SKIP_QUERIES; p <= SWEEP_MULTIPLY; p++)
		cost += phase_cost(r, &r->std_d_k, (enum sweep_phase)p);
	return cost;
}

/* ---- memory ---- */

static size_t largest_size(const struct sweep_sizes *l)
{
	size_t largest = 1;

	for (size_t k = 0; k < l->count; k++)
		if (l->v[k] > largest)
			largest = l->v[k];
	return largest;
}

/* A row of n weights as every other one is computed; the scores are ours. */
static enum status init_row(struct sweep *s, const struct random_tables *tables, struct error *e)
{
	struct options o;
	enum status status = options_init(&o, e);

	if (status)
		return status;
	s->problem = calloc(1, sizeof *s->problem);
	if (s->problem) {
		s->problem->source = SOURCE_SCORES;
		s->problem->n_q = s->problem->n_k = s->request.n;
		s->problem->heads = 1;
		status = attention_init(&s->attention, s->problem, &o, tables, e);
	} else {
		status = error_set(e, E_MEMORY, "no memory for a sweep");
	}
	options_free(&o);
	return status ? status : row_init(&s->row, &s->attention, e);
}

static enum status init_numbers(struct sweep *s, struct error *e)
{
	const struct sweep_request *r = &s->request;
	size_t d_k = largest_size(&r->d_k), pairs = r->std_d_k.count ? r->pairs : 0;
	const struct {
		double **numbers;
		size_t count;		/* the limits keep it within 32 bits */
	} parts[] = {
		{ &s->q, r->n * d_k },
		{ &s->k, r->n * d_k },
		{ &s->scores, r->n },
		{ &s->rows, SWEEP_MEASURE_COUNT * r->n },
		{ &s->measured, r->d_k.count * SWEEP_MEASURE_COUNT * r->repeats },
		{ &s->products, largest_size(&r->std_d_k) },
		{ &s->dots, pairs },
		{ &s->scratch, r->repeats },
	};

	for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
		*parts[k].numbers = calloc(parts[k].count + 1, sizeof(double));
		if (!*parts[k].numbers)
			return error_set(e, E_MEMORY, "no memory for a sweep of n %zu, d_k %zu, %zu pairs", r->n, d_k, pairs);
	}
	return OK_STATUS;
}

static enum status init_seed(struct sweep *s, const struct random_tables *tables, struct error *e)
{
	const char *digits = s->request.seed;
	struct error why = { 0 };

	if (random_seed(&s->random, tables, digits, &why))
		return error_option(e, why.status, "seed", digits, "%s", why.text);
	s->request.seed = s->seed = strdup(digits);
	return s->seed ? OK_STATUS : error_set(e, E_MEMORY, "no memory for a sweep");
}

enum status sweep_init(struct sweep *out, const struct sweep_request *r, const struct random_tables *tables,
		       struct error *e)
{
	struct sweep s = { .request = *r };
	enum status status = check_request(r, e);

	if (status)
		return status;
	s.total = whole_cost(r);
	if ((status = init_seed(&s, tables, e)) || (status = init_row(&s, tables, e)) || (status = init_numbers(&s, e)))
		sweep_free(&s);
	else
		*out = s;
	return status;
}

void sweep_free(struct sweep *s)
{
	double *const numbers[] = {
		s->q, s->k, s->scores, s->rows, s->measured, s->products, s->dots, s->scratch,
	};

	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
		free(numbers[k]);
	row_free(&s->row);
	attention_free(&s->attention);
	free(s->problem);
	free(s->seed);
	*s = (struct sweep){ 0 };
}

/* ---- NumPy's statistics ---- */

static double mean_of(const double *x, size_t n)
{
	return number_sum(x, n) / (double)n;
}

/* np.std: divided by n, not by n - 1. The squares may take the place of x. */
static double std_of(const double *x, size_t n, double *squares)
{
	double mean = mean_of(x, n);

	for (size_t k = 0; k < n; k++) {
		double off = x[k] - mean;
		squares[k] = off * off;
	}
	return sqrt(mean_of(squares, n));
}

/* ---- one piece ---- */

static bool is_std(const struct sweep *s)
{
	return s->phase >= SWEEP_SKIP_QUERIES;
}

static size_t current_d_k(const struct sweep *s)
{
	return is_std(s) ? s->request.std_d_k.v[s->item] : s->request.d_k.v[s->item];
}

/* In ascending order, multiply then add, as in row.c. */
static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t c = 0; c < n; c++)
		sum += a[c] * b[c];
	return sum;
}

static void measure_row(struct sweep *s, size_t i, size_t d_k)
{
	const double divisor[] = {
		[SWEEP_NONE] = 1, [SWEEP_SQRT] = sqrt((double)d_k), [SWEEP_DK] = (double)d_k,
	};
	size_t n = s->request.n;

	for (size_t scale = 0; scale < SWEEP_SCALE_COUNT; scale++) {
		for (size_t j = 0; j < n; j++)
			s->row.scaled[j] = s->scores[j] / divisor[scale];
		row_compute(&s->row, &s->attention, i, STAGE_MASKED, STAGE_WEIGHTS);
		s->rows[(SWEEP_LARGEST + scale) * n + i] = s->row.largest;
		s->rows[(SWEEP_ENTROPY + scale) * n + i] = s->row.entropy;
	}
}

static void weigh_cell(struct sweep *s, size_t d_k)
{
	size_t n = s->request.n, i = (size_t)s->at / n, j = (size_t)s->at % n;

	s->scores[j] = dot(s->q + i * d_k, s->k + j * d_k, d_k);
	if (j == n - 1)
		measure_row(s, i, d_k);
}

/* The stream has all q before the first k: so that no (pairs, d_k) must be held,
 * q are drawn again by a stream that stayed behind. */
static void multiply_pair(struct sweep *s, size_t d_k)
{
	for (size_t c = 0; c < d_k; c++)
		s->products[c] = random_normal(&s->queries) * random_normal(&s->random);
	s->dots[s->at] = number_sum(s->products, d_k);
}

static void do_piece(struct sweep *s, size_t d_k)
{
	switch (s->phase) {
	case SWEEP_DRAW_Q:
		s->q[s->at] = random_normal(&s->random);
		break;
	case SWEEP_DRAW_K:
		s->k[s->at] = random_normal(&s->random);
		break;
	case SWEEP_WEIGH:
		weigh_cell(s, d_k);
		break;
	case SWEEP_MULTIPLY:
		multiply_pair(s, d_k);
		break;
	default:
		random_skip_normals(&s->random, 1);
	}
}

/* ---- from phase to phase ---- */

static double *measured(const struct sweep *s, size_t item, int measure)
{
	return s->measured + (item * SWEEP_MEASURE_COUNT + (size_t)measure) * s->request.repeats;
}

static void finish_weights(struct sweep *s)
{
	size_t n = s->request.n;

	for (int m = 0; m < SWEEP_MEASURE_COUNT; m++)
		measured(s, s->item, m)[s->repeat] = mean_of(s->rows + (size_t)m * n, n);
	s->phase = SWEEP_DRAW_Q;
	if (++s->item < s->request.d_k.count)
		return;
	s->item = 0;
	if (++s->repeat == s->request.repeats)
		s->phase = s->request.std_d_k.count ? SWEEP_SKIP_QUERIES : SWEEP_DONE;
}

static void finish_pairs(struct sweep *s)
{
	s->std[s->item] = std_of(s->dots, s->request.pairs, s->dots);
	s->phase = ++s->item < s->request.std_d_k.count ? SWEEP_SKIP_QUERIES : SWEEP_DONE;
}

static void finish_phase(struct sweep *s)
{
	if (s->phase == SWEEP_WEIGH)
		finish_weights(s);
	else if (s->phase == SWEEP_MULTIPLY)
		finish_pairs(s);
	else
		s->phase++;
	s->at = 0;
	if (s->phase == SWEEP_SKIP_QUERIES)
		s->queries = s->random;
}

bool sweep_step(struct sweep *s)
{
	uint64_t stop = s->done + STEP;

	while (s->phase != SWEEP_DONE && s->done < stop) {
		size_t d_k = current_d_k(s);
		uint64_t pieces = phase_pieces(&s->request, s->phase, d_k), cost = piece_cost(s->phase, d_k);
		for (; s->at < pieces && s->done < stop; s->at++) {
			do_piece(s, d_k);
			s->done += cost;
		}
		if (s->at == pieces)
			finish_phase(s);
	}
	return s->phase != SWEEP_DONE;
}

/* ---- what is known so far ---- */

double sweep_progress(const struct sweep *s)
{
	return s->total ? (double)s->done / (double)s->total : 0;
}

size_t sweep_repeats_done(const struct sweep *s, size_t item)
{
	return is_std(s) ? s->request.repeats : s->repeat + (item < s->item);
}

double sweep_mean(const struct sweep *s, size_t item, int measure)
{
	size_t done = sweep_repeats_done(s, item);

	return done ? mean_of(measured(s, item, measure), done) : NAN;
}

double sweep_sd(const struct sweep *s, size_t item, int measure)
{
	size_t done = sweep_repeats_done(s, item);

	return done ? std_of(measured(s, item, measure), done, s->scratch) : NAN;
}

size_t sweep_std_done(const struct sweep *s)
{
	return s->phase == SWEEP_DONE ? s->request.std_d_k.count : is_std(s) ? s->item : 0;
}
