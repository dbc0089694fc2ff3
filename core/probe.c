/* probe.c - leak probes: what must not be seen is changed, and outputs must stay. */
#include "core/probe.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PREFIX_TOKENS = 256, PREFIXES_FEW = 16,		/* every prefix up to that many tokens */
	WEIGHT_ROWS = 16384, WEIGHT_ROWS_FEW = 1024,	/* rows whose weights are looked at */
	OUTPUT_ROWS = 1024, OUTPUT_ROWS_FEW = 64,	/* outputs that are compared */
	COLUMN_ROWS = 64, COLUMN_ROWS_FEW = 16,		/* the same with softmax over columns */
	STAND_IN_COLUMNS = 4,				/* of what stands for an identity V */
};
static const double noise_scale = 100;
/* Not the seed of an input that anyone tries: its noise would be that input. */
static const char noise_seed[] = "20170612000100", stand_in_seed[] = "20170612000101";

const char *probe_name(enum probe_name n)
{
	static const char *const name[PROBE_COUNT] = {
		"upper-triangle", "row-sums", "probe-k", "probe-v", "probe-q", "pad-columns", "empty-rows",
	};
	return name[n];
}

const char *probe_blind(enum probe_name n)
{
	static const char *const blind[PROBE_COUNT] = {
		"a mask put on after softmax, or softmax over columns: both leave these zeros too",
		"a missing mask, 0 for -inf, a mask of 0 and 1 added, one step of future: rows sum to 1 all the same",
		"a hidden score that is replaced but keeps its weight (0 for -inf): that moves with V; wrong scales",
		"a mask put on after softmax: the weight is 0, but the row knew the score; that moves with K",
		"mistakes of a mask in softmax over rows: another query's Q reaches nothing there; it tells softmax over columns",
		"whether the list names all pad tokens; a mask put on after softmax leaves these zeros too",
		"a row that has lost some of its keys, but not all",
	};
	return blind[n];
}

/* ---- texts ---- */

/* Appends to a detail; what does not fit is cut. */
__attribute__((format(printf, 2, 3)))
static void say(char *detail, const char *format, ...)
{
	size_t used = strlen(detail);
	va_list list;

	va_start(list, format);
	vsnprintf(detail + used, PROBE_TEXT - used, format, list);
	va_end(list);
}

static size_t fewer(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void say_number(char *detail, double x)
{
	if (isnan(x))
		say(detail, "nan");	/* printf may give it a sign */
	else
		say(detail, "%.4g", x);
}

static void say_spread(char *detail, size_t looked_at, size_t all, const char *what)
{
	if (looked_at < all)
		say(detail, "; %zu of %zu %s, spread", looked_at, all, what);
}

enum status probe_expect_parse(struct probe_expect *x, const char *text, struct error *e)
{
	static const char *const words[] = { "none", "causal", "pad" };
	bool named[3] = { false };

	for (const char *p = text;; p++) {
		size_t length = strcspn(p, ",");
		int k = 0;
		while (k < 3 && (strlen(words[k]) != length || memcmp(words[k], p, length)))
			k++;
		if (k == 3)
			return error_option(e, E_VALUE, "expect", text, "'%.*s' is not one of: none, causal, pad, or causal,pad",
					    (int)fewer(length, 80), p);
		named[k] = true;
		p += length;
		if (!*p)
			break;
	}
	if (named[0] && (named[1] || named[2]))
		return error_option(e, E_VALUE, "expect", text, "none stands alone");
	*x = (struct probe_expect){ true, named[1], named[2] };
	return OK_STATUS;
}

/* ---- what must not be seen ---- */

/* A problem and options whose rules are those that ought to hide. Both borrow
 * from the attention, so that neither is ever freed. */
struct expectation {
	struct problem problem;
	struct options options;
};

static void expect(struct expectation *out, const struct attention *a, const struct probe_expect *x)
{
	struct options *o = &out->options;

	out->problem = *a->problem;
	*o = a->options;
	o->causal_offset = 0;
	o->pad_mask = true;
	o->pad_axis = PAD_KEY;
	o->mask_invert = false;
	if (!x->given)
		return;
	out->problem.mask = (struct matrix){ 0 };
	o->causal = x->causal;
	if (!x->pad)
		o->pad.n = 0;
	o->window = o->prefix = 0;
	o->documents.n = o->hide.n = o->keep.n = 0;
}

/* ---- some or all of a row of indices ---- */

struct indices { size_t *v, n; };

/* first .. first + n - 1 where that is no more than `all`, else `few` of them,
 * the ends included. */
static enum status spread(struct indices *out, size_t first, size_t n, size_t all, size_t few, struct error *e)
{
	size_t count = n <= all ? n : few;
	size_t *v = calloc(count + 1, sizeof *v);

	if (!v)
		return error_set(e, E_MEMORY, "no memory for %zu rows", count);
	for (size_t k = 0; k < count; k++)
		v[k] = first + (count == n ? k : k * (n - 1) / (few - 1));
	*out = (struct indices){ v, count };
	return OK_STATUS;
}

/* ---- a problem whose Q, K or V is changed ---- */

enum { CHANGEABLE = 3 };	/* ARRAY_Q, ARRAY_K, ARRAY_V */

/* A shallow copy of the problem; of the arrays that are changed, the attention's
 * head is a matrix of its own. */
struct variant {
	const struct attention *original;
	struct problem problem;			/* borrows all but `heads` */
	struct matrix *heads[CHANGEABLE];	/* NULL: not changed */
	struct attention attention;		/* of the problem as it was at variant_update */
	bool scanned;				/* attention is owned: the columns were scanned anew */
};

static void variant_init(struct variant *v, const struct attention *a)
{
	*v = (struct variant){ .original = a, .problem = *a->problem };
}

static void variant_forget(struct variant *v)
{
	if (v->scanned)
		attention_free(&v->attention);
	v->scanned = false;
}

static void variant_free(struct variant *v)
{
	variant_forget(v);
	for (int k = 0; k < CHANGEABLE; k++)
		if (v->heads[k]) {
			matrix_free(&v->heads[k][v->original->head]);
			free(v->heads[k]);
		}
	*v = (struct variant){ 0 };
}

static enum status variant_open(struct variant *v, enum array array, struct error *e)
{
	const struct array_heads *from = &v->original->problem->array[array];
	size_t head = v->original->head;
	struct matrix *heads = calloc(from->n, sizeof *heads);
	enum status s;

	if (!heads)
		return error_set(e, E_MEMORY, "no memory for %zu heads", from->n);
	memcpy(heads, from->head, from->n * sizeof *heads);
	heads[head] = (struct matrix){ 0 };
	if ((s = matrix_copy(&heads[head], &from->head[head], e))) {
		free(heads);
		return s;
	}
	v->heads[array] = heads;
	v->problem.array[array].head = heads;
	return OK_STATUS;
}

static struct matrix *variant_matrix(const struct variant *v, enum array array)
{
	return &v->heads[array][v->original->head];
}

/* Must be called after each change and before rows are computed. */
static enum status variant_update(struct variant *v, const struct random_tables *tables, struct error *e)
{
	variant_forget(v);
	/* Of all that an attention holds only the columns' statistics follow from
	 * Q and K, and nothing from V. */
	if (v->original->columns.maximum && (v->heads[ARRAY_Q] || v->heads[ARRAY_K])) {
		enum status s = attention_init(&v->attention, &v->problem, &v->original->options, tables, e);
		v->scanned = !s;
		return s;
	}
	v->attention = *v->original;
	v->attention.problem = &v->problem;
	return OK_STATUS;
}

static void draw(double *out, size_t n, double scale, struct random *stream)
{
	for (size_t k = 0; k < n; k++)
		out[k] = random_normal(stream) * scale;
}

/* ---- a V where none is given ---- */

/* An identity V is no array, and as one would be n_k x n_k. Which rows of V reach
 * an output is up to the weights, so a few random columns tell as much. */
struct stand_in {
	struct problem problem;		/* borrows all but V */
	struct attention attention;	/* the same as the original's, of this problem */
	struct matrix *heads;
};

static void stand_in_free(struct stand_in *in)
{
	if (in->heads)
		matrix_free(&in->heads[in->attention.head]);
	free(in->heads);
}

/* Sets *a to the attention that is to be probed: itself, or that of the stand-in. */
static enum status stand_in_init(struct stand_in *in, const struct attention **a, const struct random_tables *tables,
				 struct error *e)
{
	const struct problem *p = (*a)->problem;
	struct random stream;
	enum status s;

	*in = (struct stand_in){ 0 };
	if (!p->identity_v)
		return OK_STATUS;
	in->problem = *p;
	in->attention = **a;
	in->attention.problem = &in->problem;
	in->heads = calloc(p->heads, sizeof *in->heads);
	if (!in->heads)
		return error_set(e, E_MEMORY, "no memory for %zu heads", p->heads);
	struct matrix *v = &in->heads[in->attention.head];
	if ((s = random_seed(&stream, tables, stand_in_seed, e)) || (s = matrix_init(v, p->n_k, STAND_IN_COLUMNS, e)))
		return s;
	draw(v->v, v->rows * v->columns, 1, &stream);
	in->problem.array[ARRAY_V] = (struct array_heads){ in->heads, p->heads };
	in->problem.identity_v = false;
	in->problem.d_v = STAND_IN_COLUMNS;
	*a = &in->attention;
	return OK_STATUS;
}

/* ---- comparing outputs ---- */

bool probe_moved(double before, double after)
{
	if (isnan(before) || isnan(after))
		return !isnan(before) || !isnan(after);
	if (isinf(before) || isinf(after))
		return before != after;
	return fabs(before - after) > 1e-8 + 1e-5 * fabs(after);
}

static bool same_bits(double a, double b)
{
	return (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof a);
}

struct difference {
	double largest;		/* between finite outputs */
	bool bits;		/* some bit differs */
	bool broke, healed;	/* finite became nan or infinite, and the reverse */
};

/* Compares one output (d_v numbers); returns whether it moved. */
static bool compare(const double *before, const double *after, size_t n, struct difference *d)
{
	bool moved = false;

	for (size_t c = 0; c < n; c++) {
		double distance = fabs(before[c] - after[c]);
		if (isfinite(before[c]) && isfinite(after[c]) && distance > d->largest)
			d->largest = distance;
		d->bits |= !same_bits(before[c], after[c]);
		d->broke |= isfinite(before[c]) && !isfinite(after[c]);
		d->healed |= !isfinite(before[c]) && isfinite(after[c]);
		moved |= probe_moved(before[c], after[c]);
	}
	return moved;
}

static bool all_nan(const double *x, size_t n)
{
	for (size_t c = 0; c < n; c++)
		if (!isnan(x[c]))
			return false;
	return true;
}

static bool any_nan(const double *x, size_t n)
{
	for (size_t c = 0; c < n; c++)
		if (isnan(x[c]))
			return true;
	return false;
}

/* ---- what all checks of a run share ---- */

struct probe {
	const struct attention *a;
	const struct random_tables *tables;
	struct expectation expected;
	struct random stream;		/* of the noise */
	struct row row;
	rules *rules;			/* n_k: what ought to hide the cells of a row */
	struct indices rows;		/* whose outputs are compared */
	struct matrix before;		/* (rows.n, d_v): their outputs */
	struct probe_report *report;
	bool identity_v;		/* V stands in for it */
};

static void expected_rules(struct probe *p, size_t i)
{
	mask_row(&p->expected.problem, &p->expected.options, i, p->rules);
}

static void probe_end(struct probe *p)
{
	row_free(&p->row);
	free(p->rules);
	free(p->rows.v);
	matrix_free(&p->before);
}

static enum status probe_begin(struct probe *p, struct error *e)
{
	const struct problem *problem = p->a->problem;
	bool columns = p->a->columns.maximum;
	enum status s = random_seed(&p->stream, p->tables, noise_seed, e);

	if (s || (s = row_init(&p->row, p->a, e)))
		return s;
	p->rules = calloc(problem->n_k + 1, sizeof *p->rules);
	if (!p->rules)
		return error_set(e, E_MEMORY, "no memory for the rules of %zu keys", problem->n_k);
	if ((s = spread(&p->rows, 0, problem->n_q, columns ? COLUMN_ROWS : OUTPUT_ROWS,
			columns ? COLUMN_ROWS_FEW : OUTPUT_ROWS_FEW, e)) ||
	    (s = matrix_init(&p->before, p->rows.n, problem->d_v, e)))
		return s;
	for (size_t k = 0; k < p->rows.n; k++) {
		row_compute(&p->row, p->a, p->rows.v[k], STAGE_SCORES, STAGE_OUTPUT);
		memcpy(p->before.v + k * problem->d_v, p->row.output, problem->d_v * sizeof(double));
	}
	return OK_STATUS;
}

/* ---- the weights ---- */

struct tally {
	size_t of, faults, nan;
	struct probe_pair pair[PROBE_PAIRS], first_nan;
	double value[PROBE_PAIRS], largest;
};

static void fault(struct tally *t, size_t row, size_t other, double value)
{
	if (t->faults < PROBE_PAIRS) {
		t->pair[t->faults] = (struct probe_pair){ row, other };
		t->value[t->faults] = value;
	}
	if (!t->faults || fabs(value) > t->largest)
		t->largest = fabs(value);
	t->faults++;
}

static void tally_cells(struct tally *t, const struct probe *p, rules rule)
{
	for (size_t j = 0; j < p->a->problem->n_k; j++) {
		double w = p->row.weights[j];
		if (!mask_hides(p->rules[j]) || !(p->rules[j] & rule))
			continue;
		t->of++;
		if (isnan(w)) {
			if (!t->nan++)
				t->first_nan = (struct probe_pair){ p->row.index, j };
		} else if (w != 0) {
			fault(t, p->row.index, j, w);
		}
	}
}

static void tally_sum(struct tally *t, const struct probe *p)
{
	double sum = p->row.sum;

	t->of++;
	if (!(fabs(sum - 1) <= p->a->tolerance))
		fault(t, p->row.index, 0, sum);
}

static void tally_empty(struct tally *t, const struct probe *p)
{
	t->of++;
	if (!p->row.visible)
		fault(t, p->row.index, 0, p->row.sum);
}

static void conclude(struct probe_check *c, const struct tally *t)
{
	c->faults = t->faults;
	c->of = t->of;
	memcpy(c->pair, t->pair, sizeof c->pair);
	/* A nan is neither zero nor a leak. */
	c->ok = t->faults ? ANSWER_NO : t->nan || !t->of ? ANSWER_NONE : ANSWER_YES;
}

/* ": 0:1 0.207, 0:2 0.0313, ...", or with the rows alone ": row 0 0.659". */
static void say_first(char *detail, const struct tally *t, bool cells)
{
	for (size_t k = 0; k < fewer(t->faults, PROBE_PAIRS); k++) {
		say(detail, k ? ", " : ": ");
		if (cells)
			say(detail, "%zu:%zu ", t->pair[k].row, t->pair[k].other);
		else
			say(detail, "row %zu ", t->pair[k].row);
		say_number(detail, t->value[k]);
	}
	if (t->faults > PROBE_PAIRS)
		say(detail, ", ...");
}

static void tell_cells(struct probe_check *c, const struct tally *t, const char *rule, bool expected)
{
	conclude(c, t);
	if (!t->of) {
		if (expected)
			say(c->detail, "%s has no cell to hide here", rule);
		else
			say(c->detail, "no %s mask is expected", rule);
		return;
	}
	if (t->faults) {
		say(c->detail, "%zu of %zu cells that %s ought to hide have weight", t->faults, t->of, rule);
		say_first(c->detail, t, true);
		if (t->faults > 1)
			say(c->detail, "; largest %.4g", t->largest);
	} else {
		say(c->detail, "%zu of %zu cells that %s ought to hide are exactly 0", t->of - t->nan, t->of, rule);
	}
	if (t->nan)
		say(c->detail, "; %zu nan (first %zu:%zu), neither zero nor a leak", t->nan, t->first_nan.row, t->first_nan.other);
}

static void tell_sums(struct probe_check *c, const struct tally *t, double tolerance)
{
	conclude(c, t);
	if (!t->faults) {
		say(c->detail, "all %zu rows sum to 1, within %.3g", t->of, tolerance);
		return;
	}
	say(c->detail, "%zu of %zu rows do not sum to 1, within %.3g", t->faults, t->of, tolerance);
	say_first(c->detail, t, false);
}

static void tell_empty(struct probe_check *c, const struct tally *t, const struct attention *a)
{
	static const char *const outcome[] = { "as the arithmetic leaves them", "made 0", "made uniform" };

	if (a->problem->source == SOURCE_WEIGHTS) {
		c->ok = ANSWER_NONE;
		say(c->detail, "finished weights are given: what was masked is not known");
		return;
	}
	conclude(c, t);
	if (!t->faults) {
		say(c->detail, "each of %zu rows sees a key", t->of);
		return;
	}
	say(c->detail, "%zu of %zu rows see no key (%s), sums", t->faults, t->of, outcome[a->options.empty_row]);
	say_first(c->detail, t, false);
}

static enum status look_at_weights(struct probe *p, struct error *e)
{
	struct tally triangle = { 0 }, pads = { 0 }, sums = { 0 }, empty = { 0 };
	struct probe_check *check = p->report->check;
	const struct options *o = &p->expected.options;
	size_t n_q = p->a->problem->n_q;
	struct indices rows = { 0 };
	enum status s = spread(&rows, 0, n_q, WEIGHT_ROWS, WEIGHT_ROWS_FEW, e);

	if (s)
		return s;
	for (size_t k = 0; k < rows.n; k++) {
		row_compute(&p->row, p->a, rows.v[k], STAGE_SCORES, STAGE_WEIGHTS);
		expected_rules(p, rows.v[k]);
		tally_cells(&triangle, p, RULE_CAUSAL);
		tally_cells(&pads, p, RULE_PAD);
		tally_sum(&sums, p);
		tally_empty(&empty, p);
	}
	tell_cells(&check[PROBE_UPPER_TRIANGLE], &triangle, "causal", o->causal);
	tell_cells(&check[PROBE_PAD_COLUMNS], &pads, "pad", o->pad.n);
	tell_sums(&check[PROBE_ROW_SUMS], &sums, p->a->tolerance);
	tell_empty(&check[PROBE_EMPTY_ROWS], &empty, p->a);
	for (int n = 0; n < PROBE_COUNT; n++)
		if ((n < PROBE_K || n > PROBE_Q) && check[n].of)
			say_spread(check[n].detail, rows.n, n_q, "rows");
	free(rows.v);
	return OK_STATUS;
}

/* ---- the probes of K, V and Q ---- */

/* Which positions become noise together. */
enum trial { TRIAL_LAST, TRIAL_PREFIX, TRIAL_PADS, TRIAL_ROWS, TRIAL_SINGLE, TRIAL_COUNT };

struct tried { size_t moved, compared; };

/* One probe: of an array, with noise at the positions that are chosen. */
struct part {
	struct probe *p;
	enum probe_name name;
	enum array array;
	size_t n;			/* positions: n_k, of Q n_q */
	struct variant variant;
	struct matrix noise;		/* as the array */
	struct indices prefixes;	/* first position behind each */
	bool *chosen;			/* n: becomes noise */
	bool *forbidden;		/* n: row i must not see it */
	bool *stays, *moved;		/* rows.n: of the trial at hand */
	bool *compared;			/* rows.n: of any trial */
	struct tried tried[TRIAL_COUNT];
	struct difference difference;
	struct probe_check *check;
};

static void part_end(struct part *t)
{
	variant_free(&t->variant);
	matrix_free(&t->noise);
	free(t->prefixes.v);
	free(t->chosen);	/* the one block of all flags */
}

static enum status part_begin(struct part *t, struct error *e)
{
	size_t rows = t->p->rows.n;
	enum status s;

	variant_init(&t->variant, t->p->a);
	if ((s = variant_open(&t->variant, t->array, e)))
		return s;
	const struct matrix *own = variant_matrix(&t->variant, t->array);
	t->n = own->rows;
	if ((s = matrix_init(&t->noise, own->rows, own->columns, e)) ||
	    (s = spread(&t->prefixes, 1, t->n - 1, PREFIX_TOKENS - 1, PREFIXES_FEW, e)))
		return s;
	draw(t->noise.v, own->rows * own->columns, noise_scale, &t->p->stream);
	bool *flags = calloc(2 * t->n + 3 * rows, sizeof *flags);
	if (!flags)
		return error_set(e, E_MEMORY, "no memory for a probe of %zu positions", t->n);
	t->chosen = flags;
	t->forbidden = flags + t->n;
	t->stays = flags + 2 * t->n;
	t->moved = t->stays + rows;
	t->compared = t->moved + rows;
	return OK_STATUS;
}

/* What row i must not depend on: keys that ought to be hidden; any other query. */
static void find_forbidden(struct part *t, size_t i)
{
	if (t->name != PROBE_Q)
		expected_rules(t->p, i);
	for (size_t x = 0; x < t->n; x++)
		t->forbidden[x] = t->name == PROBE_Q ? x != i : mask_hides(t->p->rules[x]);
}

static bool none_is_seen(const struct part *t)
{
	for (size_t x = 0; x < t->n; x++)
		if (t->chosen[x] && !t->forbidden[x])
			return false;
	return true;
}

/* The chosen positions get their noise times sign, the others their own numbers. */
static enum status change(struct part *t, double sign, struct error *e)
{
	const struct matrix *own = problem_array(t->p->a->problem, t->array, t->p->a->head);
	struct matrix *m = variant_matrix(&t->variant, t->array);

	for (size_t x = 0; x < t->n; x++)
		for (size_t c = 0; c < m->columns; c++) {
			size_t at = x * m->columns + c;
			m->v[at] = t->chosen[x] ? sign * t->noise.v[at] : own->v[at];
		}
	return variant_update(&t->variant, t->p->tables, e);
}

static bool recompute(struct part *t, size_t k)
{
	struct probe *p = t->p;

	row_compute(&p->row, &t->variant.attention, p->rows.v[k], STAGE_SCORES, STAGE_OUTPUT);
	return compare(matrix_row(&p->before, k), p->row.output, p->before.columns, &t->difference);
}

/* Changes what is chosen, and compares those of the rows from..to-1 of the list
 * that see none of it. */
static enum status try_rows(struct part *t, enum trial trial, size_t from, size_t to, struct error *e)
{
	struct probe *p = t->p;
	size_t staying = 0;
	enum status s;

	for (size_t k = from; k < to; k++) {
		find_forbidden(t, p->rows.v[k]);
		t->stays[k] = none_is_seen(t);
		t->moved[k] = false;
		staying += t->stays[k];
	}
	if (!staying)
		return OK_STATUS;
	for (int round = 0; round < (trial == TRIAL_PREFIX ? 1 : 2); round++) {
		if ((s = change(t, round ? -1 : 1, e)))
			return s;
		for (size_t k = from; k < to; k++)
			if (t->stays[k] && recompute(t, k))
				t->moved[k] = true;
	}
	for (size_t k = from; k < to; k++) {
		if (!t->stays[k])
			continue;
		t->compared[k] = true;
		t->tried[trial].compared++;
		t->tried[trial].moved += t->moved[k];
		if (t->moved[k])
			p->report->moved[p->rows.v[k]] |= (uint8_t)(1 << t->name);
	}
	return OK_STATUS;
}

static void choose_from(struct part *t, size_t first, bool only)
{
	for (size_t x = 0; x < t->n; x++)
		t->chosen[x] = only ? x == first : x >= first;
}

static enum status try_prefixes(struct part *t, struct error *e)
{
	enum status s = OK_STATUS;

	for (size_t k = 0; k < t->prefixes.n && !s; k++) {
		choose_from(t, t->prefixes.v[k], false);
		s = try_rows(t, TRIAL_PREFIX, 0, t->p->rows.n, e);
	}
	return s;
}

static enum status try_pads(struct part *t, struct error *e)
{
	const struct list *pad = &t->p->expected.options.pad;

	if (!pad->n || t->name == PROBE_Q)
		return OK_STATUS;
	for (size_t x = 0; x < t->n; x++)
		t->chosen[x] = list_has(pad, (long)x);
	return try_rows(t, TRIAL_PADS, 0, t->p->rows.n, e);
}

static bool any_forbidden(const struct part *t)
{
	for (size_t x = 0; x < t->n; x++)
		if (t->forbidden[x])
			return true;
	return false;
}

static enum status try_each_row(struct part *t, struct error *e)
{
	enum status s = OK_STATUS;

	for (size_t k = 0; k < t->p->rows.n && !s; k++) {
		find_forbidden(t, t->p->rows.v[k]);
		memcpy(t->chosen, t->forbidden, t->n * sizeof *t->chosen);
		if (any_forbidden(t))
			s = try_rows(t, TRIAL_ROWS, k, k + 1, e);
	}
	return s;
}

/* One position after the other, to name the pairs. */
static enum status try_singles(struct part *t, struct error *e)
{
	struct probe_check *c = t->check;
	struct indices tried = { 0 };
	size_t all = t->p->a->columns.maximum ? COLUMN_ROWS : PREFIX_TOKENS;
	enum status s = spread(&tried, 0, t->n, all, PREFIXES_FEW, e);

	for (size_t x = 0; x < tried.n && !s; x++) {
		choose_from(t, tried.v[x], true);
		s = try_rows(t, TRIAL_SINGLE, 0, t->p->rows.n, e);
		for (size_t k = 0; k < t->p->rows.n && !s; k++) {
			if (!t->stays[k] || !t->moved[k])
				continue;
			if (c->faults < PROBE_PAIRS)
				c->pair[c->faults] = (struct probe_pair){ t->p->rows.v[k], tried.v[x] };
			c->faults++;
		}
	}
	c->of = t->tried[TRIAL_SINGLE].compared;
	free(tried.v);
	return s;
}

/* ---- what a probe found ---- */

static char letter(const struct part *t)
{
	return "KVQ"[t->name - PROBE_K];
}

static const char *position(const struct part *t)
{
	return t->name == PROBE_Q ? "query" : "key";
}

/* "last token 3 of 3, 3 prefixes 6 of 6, ...": outputs that moved, of those compared. */
static void say_trials(const struct part *t)
{
	const char *const what[] = {
		"last token", "prefixes", "pad tokens", t->name == PROBE_Q ? "all other queries" : "all that a row must not see",
	};
	bool first = true;

	for (int k = TRIAL_LAST; k <= TRIAL_ROWS; k++) {
		if (!t->tried[k].compared)
			continue;
		say(t->check->detail, first ? "" : ", ");
		if (k == TRIAL_PREFIX && t->n <= PREFIX_TOKENS)
			say(t->check->detail, "all ");
		if (k == TRIAL_PREFIX)
			say(t->check->detail, "%zu ", t->prefixes.n);
		say(t->check->detail, "%s %zu of %zu", what[k], t->tried[k].moved, t->tried[k].compared);
		first = false;
	}
}

static void say_pairs(const struct part *t)
{
	const struct probe_check *c = t->check;
	char *detail = t->check->detail;

	if (!c->faults) {
		say(detail, "no %s alone moves an output that must not see it, but several together do", position(t));
		return;
	}
	say(detail, "%zu of %zu pairs leak: %c of %s %zu moves output %zu", c->faults, c->of, letter(t), position(t),
	    c->pair[0].other, c->pair[0].row);
	for (size_t k = 1; k < fewer(c->faults, PROBE_PAIRS); k++)
		say(detail, ", %s %zu output %zu", position(t), c->pair[k].other, c->pair[k].row);
	if (c->faults > PROBE_PAIRS)
		say(detail, ", ...");
}

/* Why a leak looks as it does, where that is known. */
static void say_cause(const struct part *t)
{
	char *detail = t->check->detail;

	if (t->difference.broke && t->p->a->options.mask_at == MASK_AFTER_RENORM)
		say(detail, "; a hidden score takes the whole row before the mask removes it: 0/0");
	else if (t->difference.broke)
		say(detail, "; finite outputs became nan or infinite");
	if (t->difference.healed)
		say(detail, "; outputs lost their nan: a nan or inf in what is hidden reaches them (0 x inf), no mask stops that");
}

/* Rows whose output is nan whatever happens: a probe tells nothing of them. */
static size_t count_nan(const struct part *t, size_t *compared)
{
	size_t nan = 0;

	*compared = 0;
	for (size_t k = 0; k < t->p->rows.n; k++) {
		*compared += t->compared[k];
		nan += t->compared[k] && all_nan(matrix_row(&t->p->before, k), t->p->before.columns);
	}
	return nan;
}

static void tell_part(struct part *t, bool leaks)
{
	struct probe_check *c = t->check;
	size_t compared, nan = count_nan(t, &compared);

	c->largest = t->difference.largest;
	c->same_bits = !t->difference.bits;
	if (!compared) {
		c->ok = ANSWER_NONE;
		if (t->name == PROBE_Q)
			say(c->detail, "there is one query only");
		else
			say(c->detail, "there is no key that a row must not see");
		return;
	}
	c->ok = leaks ? ANSWER_NO : nan == compared ? ANSWER_NONE : ANSWER_YES;
	if (leaks)
		say_pairs(t);
	else
		say(c->detail, "no output moves that must not see the changed %c", letter(t));
	say(c->detail, " (moved: ");
	say_trials(t);
	say(c->detail, "); ");
	if (c->same_bits)
		say(c->detail, "equal bit for bit");
	else
		say(c->detail, "largest change %.3g", c->largest);
	if (leaks)
		say_cause(t);
	if (t->p->identity_v)
		say(c->detail, "; V is the identity, %d random columns stand for it", STAND_IN_COLUMNS);
	if (nan)
		say(c->detail, "; %s of these outputs are nan, which nothing moves", nan == compared ? "all" : "some");
	say_spread(c->detail, t->p->rows.n, t->p->a->problem->n_q, "outputs");
}

static bool any_leak(const struct part *t)
{
	for (int k = 0; k < TRIAL_COUNT; k++)
		if (t->tried[k].moved)
			return true;
	return false;
}

static enum status try_all(struct part *t, struct error *e)
{
	enum status s;

	choose_from(t, t->n - 1, true);
	if ((s = try_rows(t, TRIAL_LAST, 0, t->p->rows.n, e)) || (s = try_prefixes(t, e)) ||
	    (s = try_pads(t, e)) || (s = try_each_row(t, e)))
		return s;
	return any_leak(t) ? try_singles(t, e) : OK_STATUS;
}

/* Whether there is such an array, and outputs follow from it. */
static bool applies(const struct problem *p, enum array array)
{
	return array == ARRAY_V || (problem_has_qk(p) && p->source != SOURCE_SCORES && p->source != SOURCE_WEIGHTS);
}

static enum status probe_part(struct probe *p, enum probe_name name, struct error *e)
{
	static const enum array array[] = { ARRAY_K, ARRAY_V, ARRAY_Q };
	struct part t = { .p = p, .name = name, .array = array[name - PROBE_K], .check = &p->report->check[name] };
	enum status s;

	if (!applies(p->a->problem, t.array)) {
		t.check->ok = ANSWER_NONE;
		say(t.check->detail, "%s are given: there is no %c to change",
		    p->a->problem->source == SOURCE_SCORES ? "scores" : "finished weights", letter(&t));
		return OK_STATUS;
	}
	if (!(s = part_begin(&t, e)) && !(s = try_all(&t, e)))
		tell_part(&t, any_leak(&t));
	part_end(&t);
	return s;
}

/* ---- all checks ---- */

enum status probe_run(struct probe_report *out, const struct attention *a, const struct probe_expect *x,
		      const struct random_tables *tables, struct error *e)
{
	struct probe_report report = { .n_q = a->problem->n_q };
	struct probe p = { .tables = tables, .report = &report };
	struct stand_in in;
	enum status s;

	report.moved = calloc(report.n_q + 1, sizeof *report.moved);
	if (!report.moved)
		return error_set(e, E_MEMORY, "no memory for a report of %zu rows", report.n_q);
	p.identity_v = a->problem->identity_v;
	if (!(s = stand_in_init(&in, &a, tables, e))) {
		p.a = a;
		expect(&p.expected, a, x);
		s = probe_begin(&p, e);
	}
	if (!s)
		s = look_at_weights(&p, e);
	for (int name = PROBE_K; name <= PROBE_Q && !s; name++)
		s = probe_part(&p, (enum probe_name)name, e);
	probe_end(&p);
	stand_in_free(&in);
	if (s)
		probe_free(&report);
	else
		*out = report;
	return s;
}

void probe_free(struct probe_report *r)
{
	free(r->moved);
	*r = (struct probe_report){ 0 };
}

bool probe_ok(const struct probe_report *r)
{
	for (int n = 0; n < PROBE_COUNT; n++)
		if (r->check[n].ok == ANSWER_NO)
			return false;
	return true;
}

/* ---- the lesson's own test ---- */

/* Normals that were drawn to make a random problem. */
static uint64_t numbers_drawn(const struct problem *p)
{
	if (p->source == SOURCE_X)
		return (uint64_t)p->n_q * p->d_model + p->heads * p->d_model * (2 * p->d_k + 2 * p->d_v);
	return p->heads * ((p->n_q + p->n_k) * p->d_k + p->n_k * p->d_v);
}

static enum status start_stream(struct random *stream, const struct problem *p, const char *seed, uint64_t skip,
				const struct random_tables *tables, struct error *e)
{
	enum status s = random_seed(stream, tables, seed ? seed : "0", e);

	if (!s && seed)
		random_skip_normals(stream, skip + numbers_drawn(p));
	return s;
}

static enum status all_outputs(struct matrix *out, const struct attention *a, struct error *e)
{
	struct row r = { 0 };
	enum status s = matrix_init(out, a->problem->n_q, a->problem->d_v, e);

	if (s || (s = row_init(&r, a, e)))
		return s;
	for (size_t i = 0; i < out->rows; i++) {
		row_compute(&r, a, i, STAGE_SCORES, STAGE_OUTPUT);
		memcpy(out->v + i * out->columns, r.output, out->columns * sizeof *out->v);
	}
	row_free(&r);
	return OK_STATUS;
}

static void draw_last(struct matrix *m, struct random *stream)
{
	draw(m->v + (m->rows - 1) * m->columns, m->columns, noise_scale, stream);
}

static enum status lesson_outputs(struct probe_lesson *l, const struct attention *a, struct random *stream,
				  const struct random_tables *tables, struct error *e)
{
	struct variant v;
	enum status s;

	variant_init(&v, a);
	if (!(s = all_outputs(&l->before, a, e)) && !(s = variant_open(&v, ARRAY_K, e)))
		s = variant_open(&v, ARRAY_V, e);
	if (!s) {
		draw_last(variant_matrix(&v, ARRAY_K), stream);
		draw_last(variant_matrix(&v, ARRAY_V), stream);
		s = variant_update(&v, tables, e);
	}
	if (!s)
		s = all_outputs(&l->after, &v.attention, e);
	variant_free(&v);
	return s;
}

static void judge_lesson(struct probe_lesson *l, bool drawn)
{
	struct difference d = { 0 };
	size_t rows = l->before.rows - 1, first = 0;	/* the last may move */
	bool nan = false;

	for (size_t i = 0; i < rows; i++) {
		const double *before = matrix_row(&l->before, i), *after = matrix_row(&l->after, i);
		bool moved = compare(before, after, l->before.columns, &d);
		if (moved && !l->moved++)
			first = i;
		nan |= any_nan(before, l->before.columns);
	}
	l->ok = l->moved ? ANSWER_NO : ANSWER_YES;
	l->all_close = !l->moved && !nan;
	l->same_bits = !d.bits;
	l->largest = d.largest;
	say(l->detail, "K, then V, of the last key as noise x 100 (%s); np.allclose(out[:-1], out2[:-1]) is %s",
	    drawn ? "drawn next in the input's stream" : "of default_rng(0), as the input was not drawn",
	    l->all_close ? "True" : "False");
	if (l->moved)
		say(l->detail, ": %zu of %zu outputs move, the first %zu; largest change %.4g", l->moved, rows, first, l->largest);
	else if (l->same_bits)
		say(l->detail, "%s all %zu outputs are equal bit for bit", nan ? ", but" : ":", rows);
	else
		say(l->detail, "; largest difference %.3g", l->largest);
	if (nan && !l->moved)
		say(l->detail, " (some are nan, and NumPy holds no nan equal to another)");
}

enum status probe_lesson_run(struct probe_lesson *out, const struct attention *a, const char *seed, uint64_t skip,
			     const struct random_tables *tables, struct error *e)
{
	struct probe_lesson l = { .ok = ANSWER_NONE };
	struct random stream;
	enum status s;

	if (!applies(a->problem, ARRAY_K)) {
		say(l.detail, "there is no K to change");
	} else if (a->problem->n_q == 1) {
		say(l.detail, "there is one row only, nothing to compare");
	} else if ((s = start_stream(&stream, a->problem, seed, skip, tables, e)) ||
		   (s = lesson_outputs(&l, a, &stream, tables, e))) {
		probe_lesson_free(&l);
		return s;
	} else {
		judge_lesson(&l, seed);
	}
	*out = l;
	return OK_STATUS;
}

void probe_lesson_free(struct probe_lesson *l)
{
	matrix_free(&l->before);
	matrix_free(&l->after);
	*l = (struct probe_lesson){ 0 };
}

/* ---- the influence picture ---- */

struct influence {
	const struct attention *a;
	const struct random_tables *tables;
	struct variant variant;
	struct row row;
	double *before;		/* d_v: output i */
	double *noise;		/* d_k for K, then d_v for V */
	struct random stream;
};

/* Key j's row of an array becomes the noise times sign, or with sign 0 its own. */
static void set_key(struct influence *f, enum array array, size_t j, const double *noise, double sign)
{
	if (!f->variant.heads[array])
		return;
	const struct matrix *own = problem_array(f->a->problem, array, f->a->head);
	double *to = variant_matrix(&f->variant, array)->v + j * own->columns;

	for (size_t c = 0; c < own->columns; c++)
		to[c] = sign != 0 ? sign * noise[c] : matrix_row(own, j)[c];
}

static void set_token(struct influence *f, size_t j, double sign)
{
	set_key(f, ARRAY_K, j, f->noise, sign);
	set_key(f, ARRAY_V, j, f->noise + f->a->problem->d_k, sign);
}

static enum status influence_begin(struct influence *f, size_t i, struct error *e)
{
	const struct problem *p = f->a->problem;
	enum status s;

	variant_init(&f->variant, f->a);
	if ((s = random_seed(&f->stream, f->tables, noise_seed, e)) || (s = row_init(&f->row, f->a, e)) ||
	    (s = variant_open(&f->variant, ARRAY_V, e)))
		return s;
	if (applies(p, ARRAY_K) && (s = variant_open(&f->variant, ARRAY_K, e)))
		return s;
	f->before = calloc(2 * p->d_v + p->d_k + 1, sizeof *f->before);
	if (!f->before)
		return error_set(e, E_MEMORY, "no memory for an output of %zu numbers", p->d_v);
	f->noise = f->before + p->d_v;
	row_compute(&f->row, f->a, i, STAGE_SCORES, STAGE_OUTPUT);
	memcpy(f->before, f->row.output, p->d_v * sizeof *f->before);
	return OK_STATUS;
}

static enum status key_moves(struct influence *f, size_t i, size_t j, bool *moves, struct error *e)
{
	const struct problem *p = f->a->problem;
	struct difference ignored = { 0 };
	enum status s;

	*moves = false;
	draw(f->noise, p->d_k + p->d_v, noise_scale, &f->stream);
	for (int round = 0; round < 2 && !*moves; round++) {
		set_token(f, j, round ? -1 : 1);
		if ((s = variant_update(&f->variant, f->tables, e)))
			return s;
		row_compute(&f->row, &f->variant.attention, i, STAGE_SCORES, STAGE_OUTPUT);
		*moves = compare(f->before, f->row.output, p->d_v, &ignored);
	}
	set_token(f, j, 0);
	return OK_STATUS;
}

enum status probe_influence(const struct attention *a, size_t i, const struct random_tables *tables, bool *out,
			    struct error *e)
{
	struct influence f = { .tables = tables };
	struct stand_in in;
	size_t n_k = a->problem->n_k;
	bool *moves = calloc(n_k + 1, sizeof *moves);
	enum status s;

	if (!moves)
		return error_set(e, E_MEMORY, "no memory for the influence of %zu keys", n_k);
	if (!(s = stand_in_init(&in, &a, tables, e))) {
		f.a = a;
		s = influence_begin(&f, i, e);
	}
	for (size_t j = 0; j < n_k && !s; j++)
		s = key_moves(&f, i, j, &moves[j], e);
	if (!s)
		memcpy(out, moves, n_k * sizeof *moves);
	free(moves);
	free(f.before);
	row_free(&f.row);
	variant_free(&f.variant);
	stand_in_free(&in);
	return s;
}
