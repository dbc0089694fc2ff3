/* probe.c - leak probes: what must not be seen is changed, and outputs must stay. */
#include "core/probe_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "core/utf8.h"

enum {
	WEIGHT_ROWS = 16384, WEIGHT_ROWS_FEW = 1024,	/* rows whose weights are looked at */
	OUTPUT_ROWS = 1024, OUTPUT_ROWS_FEW = 64,	/* outputs that are compared */
	COLUMN_ROWS = 64, COLUMN_ROWS_FEW = 16,		/* the same with softmax over columns */
	NAMED = 4,					/* cells and rows that are named with their value */
};

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
		N_("a mask put on after softmax, or softmax over columns: both leave these zeros too"),
		N_("a missing mask, 0 for -inf, a mask of 0 and 1 added, one step of future: rows sum to 1 all the same"),
		N_("a hidden score that is replaced but keeps its weight (0 for -inf): that moves with V; wrong scales"),
		N_("a mask put on after softmax: the weight is 0, but the row knew the score; that moves with K"),
		N_("mistakes of a mask in softmax over rows: another query's Q reaches nothing there; it tells softmax over columns"),
		N_("whether the list names all pad tokens; a mask put on after softmax leaves these zeros too"),
		N_("a row that has lost some of its keys, but not all"),
	};
	return message(blind[n]);
}

/* ---- texts ---- */

static size_t fewer(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* A text that fills its room may end in the middle of a character. */
static void cut_whole(char *detail)
{
	size_t end = strlen(detail), from = end;
	uint32_t code;

	while (end == PROBE_TEXT - 1 && from && (detail[from - 1] & 0xc0) == 0x80)
		from--;
	if (end == PROBE_TEXT - 1 && from && (detail[from - 1] & 0x80) && !utf8_decode(detail + from - 1, UTF8_MAX, &code))
		detail[from - 1] = '\0';
}

void probe_say(char *detail, const char *format, ...)
{
	size_t used = strlen(detail);
	va_list list;

	va_start(list, format);
	vsnprintf(detail + used, PROBE_TEXT - used, message(format), list);
	va_end(list);
	cut_whole(detail);
}

static void say_number(char *detail, double x)
{
	if (isnan(x))
		probe_say(detail, "nan");	/* printf may give it a sign */
	else
		probe_say(detail, "%.4g", x);
}

void probe_say_spread(char *detail, size_t looked_at, size_t all, const char *what)
{
	if (looked_at < all)
		probe_say(detail, "; %zu of %zu %s, spread", looked_at, all, what);
}

/* ---- what must not be seen ---- */

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
	*x = (struct probe_expect){ .given = true, .causal = named[1], .pad = named[2] };
	return OK_STATUS;
}

static void expect(struct expectation *out, const struct attention *a, const struct probe_expect *x)
{
	struct options *o = &out->options;

	out->problem = *a->problem;
	*o = a->options;
	o->causal_offset = 0;
	o->causal |= x->also_causal;
	o->pad_mask |= !x->pad_as_set;
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

void probe_expected_row(const struct attention *a, const struct probe_expect *x, size_t i, rules *out)
{
	struct expectation expected;

	expect(&expected, a, x);
	mask_row(&expected.problem, &expected.options, i, out);
}

void probe_expected_rules(struct probe_work *w, size_t i)
{
	mask_row(&w->expected.problem, &w->expected.options, i, w->rules);
}

/* ---- some or all of a row of indices ---- */

size_t probe_spread_count(size_t n, size_t all, size_t few)
{
	return n <= all ? n : few;
}

enum status probe_spread(struct indices *out, size_t first, size_t n, size_t all, size_t few, struct error *e)
{
	size_t count = probe_spread_count(n, all, few);
	size_t *v = calloc(count + 1, sizeof *v);

	if (!v)
		return error_set(e, E_MEMORY, "no memory for %zu rows", count);
	for (size_t k = 0; k < count; k++)
		v[k] = first + (count == n ? k : k * (n - 1) / (few - 1));
	*out = (struct indices){ v, count };
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

bool probe_compare(const double *before, const double *after, size_t n, struct difference *d)
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

/* ---- how far it is ---- */

static uint64_t whole_cost(const struct probe_work *w)
{
	uint64_t cost = ROW_COST * (uint64_t)(w->seen.n + w->rows.n);

	for (int name = PROBE_K; name <= PROBE_Q; name++)
		cost += part_cost(w, (enum probe_name)name);
	return cost + 1;	/* never all spent before the end */
}

void probe_plan(struct probe_work *w, uint64_t cost)
{
	w->left -= w->piece;
	w->piece = cost;
}

void probe_spend(struct probe_work *w, uint64_t cost)
{
	if (cost > w->piece)
		cost = w->piece;
	w->progress += (1 - w->progress) * ((double)cost / (double)w->left);
	w->left -= cost;
	w->piece -= cost;
}

/* ---- the weights ---- */

/* A cell, or a row, that is not as it ought to be. */
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

static void tally_cells(struct tally *t, const struct probe_work *w, rules rule)
{
	for (size_t j = 0; j < w->a->problem->n_k; j++) {
		double weight = w->row.weights[j];
		if (!mask_hides(w->rules[j]) || !(w->rules[j] & rule))
			continue;
		t->of++;
		if (isnan(weight)) {
			if (!t->nan++)
				t->first_nan = (struct probe_pair){ w->row.index, j };
		} else if (weight != 0) {
			fault(t, w->row.index, j, weight);
		}
	}
}

static void tally_sum(struct tally *t, const struct probe_work *w)
{
	double sum = w->row.sum;

	t->of++;
	if (!(fabs(sum - 1) <= w->a->tolerance))
		fault(t, w->row.index, 0, sum);
}

static void tally_empty(struct tally *t, const struct probe_work *w)
{
	t->of++;
	if (!w->row.visible)
		fault(t, w->row.index, 0, w->row.sum);
}

static void conclude(struct probe_check *c, const struct tally *t)
{
	c->faults = t->faults;
	c->of = t->of;
	memcpy(c->pair, t->pair, sizeof c->pair);
	c->value = t->faults ? t->value[0] : 0;
	/* A nan is neither zero nor a leak. */
	c->ok = t->faults ? ANSWER_NO : t->nan || !t->of ? ANSWER_NONE : ANSWER_YES;
}

/* ": 0:1 0.207, 0:2 0.0313, ...", or with the rows alone ": row 0 0.659". */
static void say_first(char *detail, const struct tally *t, bool cells)
{
	for (size_t k = 0; k < fewer(t->faults, NAMED); k++) {
		probe_say(detail, k ? ", " : ": ");
		if (cells)
			probe_say(detail, "%zu:%zu ", t->pair[k].row, t->pair[k].other);
		else
			probe_say(detail, "row %zu ", t->pair[k].row);
		say_number(detail, t->value[k]);
	}
	if (t->faults > NAMED)
		probe_say(detail, ", ...");
}

static void tell_cells(struct probe_check *c, const struct tally *t, const char *rule, bool expected)
{
	conclude(c, t);
	if (!t->of) {
		if (expected)
			probe_say(c->detail, "%s has no cell to hide here", rule);
		else
			probe_say(c->detail, "no %s mask is expected", rule);
		return;
	}
	if (t->faults) {
		probe_say(c->detail, "%zu of %zu cells that %s ought to hide have weight", t->faults, t->of, rule);
		say_first(c->detail, t, true);
		if (t->faults > 1)
			probe_say(c->detail, "; largest %.4g", t->largest);
	} else {
		probe_say(c->detail, "%zu of %zu cells that %s ought to hide are exactly 0", t->of - t->nan, t->of, rule);
	}
	if (t->nan)
		probe_say(c->detail, "; %zu nan (first %zu:%zu), neither zero nor a leak", t->nan, t->first_nan.row,
			  t->first_nan.other);
}

static void tell_sums(struct probe_check *c, const struct tally *t, double tolerance)
{
	conclude(c, t);
	if (!t->faults) {
		probe_say(c->detail, "all %zu rows sum to 1, within %.3g", t->of, tolerance);
		return;
	}
	probe_say(c->detail, "%zu of %zu rows do not sum to 1, within %.3g", t->faults, t->of, tolerance);
	say_first(c->detail, t, false);
}

static void tell_empty(struct probe_check *c, const struct tally *t, const struct attention *a)
{
	static const char *const outcome[] = { N_("as the arithmetic leaves them"), N_("made 0"), N_("made uniform") };

	if (a->problem->source == SOURCE_WEIGHTS) {
		c->ok = ANSWER_NONE;
		probe_say(c->detail, "finished weights are given: what was masked is not known");
		return;
	}
	conclude(c, t);
	if (!t->faults) {
		probe_say(c->detail, "each of %zu rows sees a key", t->of);
		return;
	}
	probe_say(c->detail, "%zu of %zu rows see no key (%s), sums", t->faults, t->of, _(outcome[a->options.empty_row]));
	say_first(c->detail, t, false);
}

static void tell_weights(struct probe_work *w)
{
	static const enum probe_name which[] = {
		PROBE_UPPER_TRIANGLE, PROBE_ROW_SUMS, PROBE_PAD_COLUMNS, PROBE_EMPTY_ROWS,
	};
	struct probe_check *check = w->report.check;

	tell_cells(&check[PROBE_UPPER_TRIANGLE], &w->triangle, "causal", w->expected.options.causal);
	tell_cells(&check[PROBE_PAD_COLUMNS], &w->pads, "pad", w->expected.options.pad.n);
	tell_sums(&check[PROBE_ROW_SUMS], &w->sums, w->a->tolerance);
	tell_empty(&check[PROBE_EMPTY_ROWS], &w->empty, w->a);
	for (size_t k = 0; k < sizeof which / sizeof *which; k++) {
		if (check[which[k]].of)
			probe_say_spread(check[which[k]].detail, w->seen.n, w->a->problem->n_q, _("rows"));
		w->done[which[k]] = true;
	}
}

static void look_at_weights(struct probe_work *w, size_t i)
{
	row_compute(&w->row, w->a, i, STAGE_SCORES, STAGE_WEIGHTS);
	probe_expected_rules(w, i);
	tally_cells(&w->triangle, w, RULE_CAUSAL);
	tally_cells(&w->pads, w, RULE_PAD);
	tally_sum(&w->sums, w);
	tally_empty(&w->empty, w);
}

/* ---- step by step ---- */

/* Frees all but the report. */
static void release(struct probe_work *w)
{
	part_close(&w->part);
	row_free(&w->row);
	free(w->rules);
	free(w->seen.v);
	free(w->rows.v);
	matrix_free(&w->before);
	stand_in_free(&w->stand_in);
	w->rules = NULL;
	w->seen = w->rows = (struct indices){ 0 };
}

void probe_work_free(struct probe_work *w)
{
	if (!w)
		return;
	release(w);
	probe_free(&w->report);
	free(w);
}

static enum status begin_report(struct probe_report *r, size_t n_q, struct error *e)
{
	r->n_q = n_q;
	r->moved = calloc(n_q + 1, sizeof *r->moved);
	if (!r->moved)
		return error_set(e, E_MEMORY, "no memory for a report of %zu rows", n_q);
	for (int n = 0; n < PROBE_COUNT; n++)
		r->check[n].ok = ANSWER_NONE;
	return OK_STATUS;
}

/* All rows or `few`; where it is said how many at most, that many, two at least for the ends. */
static enum status spread_rows(struct indices *out, size_t n, size_t most, size_t all, size_t few, struct error *e)
{
	size_t said = fewer(most < 2 ? 2 : most, all);

	return most ? probe_spread(out, 0, n, said, said, e) : probe_spread(out, 0, n, all, few, e);
}

static enum status begin_rows(struct probe_work *w, const struct probe_expect *x, struct error *e)
{
	const struct problem *p = w->a->problem;
	bool columns = w->a->columns.maximum;
	enum status s;

	if ((s = noise_begin(&w->stream, w->tables, e)) || (s = row_init(&w->row, w->a, e)))
		return s;
	w->rules = calloc(p->n_k + 1, sizeof *w->rules);
	if (!w->rules)
		return error_set(e, E_MEMORY, "no memory for the rules of %zu keys", p->n_k);
	if ((s = spread_rows(&w->seen, p->n_q, x->rows_most, WEIGHT_ROWS, WEIGHT_ROWS_FEW, e)) ||
	    (s = spread_rows(&w->rows, p->n_q, x->outputs_most, columns ? COLUMN_ROWS : OUTPUT_ROWS,
			     columns ? COLUMN_ROWS_FEW : OUTPUT_ROWS_FEW, e)))
		return s;
	return matrix_init(&w->before, w->rows.n, p->d_v, e);
}

enum status probe_begin(struct probe_work **out, const struct attention *a, const struct probe_expect *x,
			const struct random_tables *tables, struct error *e)
{
	struct probe_work *w = calloc(1, sizeof *w);
	enum status s;

	if (!w)
		return error_set(e, E_MEMORY, "no memory for a probe");
	w->a = a;
	w->tables = tables;
	w->name = PROBE_K;
	if ((s = begin_report(&w->report, a->problem->n_q, e)) ||
	    (s = stand_in_init(&w->stand_in, &w->a, tables, e)) || (s = begin_rows(w, x, e))) {
		probe_work_free(w);
		return s;
	}
	expect(&w->expected, w->a, x);
	w->left = whole_cost(w);
	probe_plan(w, ROW_COST * (uint64_t)(w->seen.n + w->rows.n));
	*out = w;
	return OK_STATUS;
}

static void weights_step(struct probe_work *w)
{
	look_at_weights(w, w->seen.v[w->at]);
	probe_spend(w, ROW_COST);
	if (++w->at < w->seen.n)
		return;
	tell_weights(w);
	w->at = 0;
	w->phase = PHASE_BEFORE;
}

static void before_step(struct probe_work *w)
{
	size_t d_v = w->before.columns;

	row_compute(&w->row, w->a, w->rows.v[w->at], STAGE_SCORES, STAGE_OUTPUT);
	memcpy(w->before.v + w->at * d_v, w->row.output, d_v * sizeof *w->before.v);
	probe_spend(w, ROW_COST);
	if (++w->at == w->rows.n)
		w->phase = PHASE_PARTS;
}

/* The check of the part at hand is known, and the next part comes. */
static void finish_part(struct probe_work *w)
{
	w->done[w->name] = true;
	if (w->name++ != PROBE_Q)
		return;
	w->phase = PHASE_DONE;
	w->progress = 1;
	release(w);
}

static enum status parts_step(struct probe_work *w, struct error *e)
{
	bool over;
	enum status s = part_step(w, &over, e);

	if (!s && over)
		finish_part(w);
	return s;
}

enum status probe_step(struct probe_work *w, bool *more, struct error *e)
{
	enum status s = OK_STATUS;

	switch (w->phase) {
	case PHASE_WEIGHTS:
		weights_step(w);
		break;
	case PHASE_BEFORE:
		before_step(w);
		break;
	case PHASE_PARTS:
		s = parts_step(w, e);
		break;
	case PHASE_DONE:
		break;
	}
	if (!s)
		*more = w->phase != PHASE_DONE;
	return s;
}

double probe_progress(const struct probe_work *w)
{
	return w->progress;
}

bool probe_work_done(const struct probe_work *w, enum probe_name n)
{
	return w && w->done[n];
}

const struct probe_report *probe_work_report(const struct probe_work *w)
{
	return &w->report;
}

/* ---- all at once ---- */

enum status probe_run(struct probe_report *out, const struct attention *a, const struct probe_expect *x,
		      const struct random_tables *tables, struct error *e)
{
	struct probe_work *w;
	bool more = true;
	enum status s = probe_begin(&w, a, x, tables, e);

	if (s)
		return s;
	while (more && !s)
		s = probe_step(w, &more, e);
	if (!s) {
		*out = w->report;
		w->report.moved = NULL;
	}
	probe_work_free(w);
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
