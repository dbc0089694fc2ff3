/* recognise_agree.c - the numbers judge: rows recomputed from Q and K against stored weights.
 *
 * A few rows of a few heads are computed in double with every candidate of scale
 * and masks; the candidate nearest to the stored weights is what the file means.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/recognise_parts.h"
#include "core/message.h"

/* ---- candidates ---- */

enum { CANDIDATES_MAX = 3 * 3 * 3 * 2 };
enum causal { CAUSAL_OFF, CAUSAL_TOP_LEFT, CAUSAL_BOTTOM_RIGHT };
enum use { MASK_AS_READ, MASK_INVERTED, MASK_NONE };	/* in the order in which they are believed */

struct candidate {
	enum use use;
	bool biased;
	double scale;			/* what scores are multiplied with */
	enum causal causal;
	double worst;			/* the largest difference so far */
	size_t within;			/* rows that differ by no more than the limit */
};

struct trials {
	const struct part *p;
	size_t batch;
	struct source_view q, k, w, mask, bias;
	enum mask_meaning meaning;
	bool flags;			/* the mask is boolean: it may be the other way round */
	double own_scale;		/* 1 / sqrt(d_k) */
	double limit;
	struct candidate v[CANDIDATES_MAX];	/* of equally near ones the first is taken */
	size_t n;
	size_t rows;
	/* of one row */
	double *query, *key, *scores, *stored, *additive, *extra, *x;
	bool *hidden;
};

static enum status trials_room(struct trials *t, struct error *e)
{
	size_t n = t->p->n_k, d = t->p->d_k;
	double *v = calloc(5 * n + 2 * d + 1, sizeof *v);

	t->hidden = calloc(n + 1, sizeof *t->hidden);
	t->query = v;
	if (!v || !t->hidden)
		return error_set(e, E_MEMORY, "no memory for a row of %zu keys", n);
	t->key = v + d;
	t->scores = t->key + d;
	t->stored = t->scores + n;
	t->additive = t->stored + n;
	t->extra = t->additive + n;
	t->x = t->extra + n;
	return OK_STATUS;
}

static void trials_free(struct trials *t)
{
	free(t->query);
	free(t->hidden);
}

static void row_scores(struct trials *t, size_t head, size_t row)
{
	const struct part *p = t->p;

	part_row(&t->q, p, t->batch, head, row, p->d_k, t->query);
	for (size_t j = 0; j < p->n_k; j++) {
		double sum = 0;
		part_row(&t->k, p, t->batch, head, j, p->d_k, t->key);
		for (size_t c = 0; c < p->d_k; c++)
			sum += t->query[c] * t->key[c];
		t->scores[j] = sum;
	}
}

/* What the file's mask and bias do to a row: hidden cells as it is read, and what is added. */
static void row_masks(struct trials *t, size_t head, size_t row)
{
	size_t n = t->p->n_k;

	memset(t->hidden, 0, n * sizeof *t->hidden);
	memset(t->additive, 0, n * sizeof *t->additive);
	memset(t->extra, 0, n * sizeof *t->extra);
	if (t->bias.a)
		part_row(&t->bias, t->p, t->batch, head, row, n, t->extra);
	if (!t->mask.a)
		return;
	part_row(&t->mask, t->p, t->batch, head, row, n, t->additive);
	for (size_t j = 0; j < n; j++) {
		double v = t->additive[j];
		t->hidden[j] = t->meaning == MASK_ADDS ? v <= HIDES_AT_MOST : (v != 0) == (t->meaning == MASK_HIDES);
		if (t->meaning != MASK_ADDS || t->hidden[j])
			t->additive[j] = 0;
	}
}

static bool is_hidden(const struct trials *t, size_t row, size_t j, enum causal causal, enum use use)
{
	size_t offset = causal == CAUSAL_BOTTOM_RIGHT ? t->p->n_k - t->p->n_q : 0;

	if (causal != CAUSAL_OFF && j > row + offset)
		return true;
	return use == MASK_NONE ? false : t->hidden[j] == (use == MASK_AS_READ);
}

/* Without a visible cell kernels give zeros, or equal weights. */
static double empty_difference(const struct trials *t)
{
	double from_zero = 0, from_equal = 0;

	for (size_t j = 0; j < t->p->n_k; j++) {
		from_zero = fmax(from_zero, fabs(t->stored[j]));
		from_equal = fmax(from_equal, fabs(t->stored[j] - 1 / (double)t->p->n_k));
	}
	return fmin(from_zero, from_equal);
}

/* The largest difference of one row. */
static double row_difference(struct trials *t, size_t row, const struct candidate *c)
{
	size_t n = t->p->n_k;
	double maximum = -INFINITY, sum = 0, worst = 0;

	for (size_t j = 0; j < n; j++) {
		bool hidden = is_hidden(t, row, j, c->causal, c->use);
		double x = t->scores[j] * c->scale + (c->use == MASK_NONE ? 0 : t->additive[j]) + (c->biased ? t->extra[j] : 0);
		t->x[j] = hidden ? -INFINITY : x;
		if (!hidden && !(x <= maximum))
			maximum = x;
	}
	if (maximum == -INFINITY)
		return empty_difference(t);
	for (size_t j = 0; j < n; j++)
		sum += t->x[j] = t->x[j] == -INFINITY ? 0 : exp(t->x[j] - maximum);
	for (size_t j = 0; j < n; j++) {
		double d = fabs(t->x[j] / sum - t->stored[j]);
		if (!(d <= worst))
			worst = d;
	}
	return worst;
}

static void try_row(struct trials *t, size_t head, size_t row)
{
	part_row(&t->w, t->p, t->batch, head, row, t->p->n_k, t->stored);
	for (size_t j = 0; j < t->p->n_k; j++)
		if (isnan(t->stored[j]))
			return;		/* a fully masked row says nothing */
	row_scores(t, head, row);
	row_masks(t, head, row);
	t->rows++;
	for (struct candidate *c = t->v; c < t->v + t->n; c++) {
		double d = row_difference(t, row, c);
		/* NaN, of infinite scores, is as far as can be. */
		if (!(d <= c->worst))
			c->worst = isnan(d) ? INFINITY : d;
		c->within += d <= t->limit;
	}
}

static bool same_scale(double a, double b)
{
	return fabs(a - b) <= 1e-6 * fabs(b);
}

static double file_scale(const struct recognition *r, struct tensors *t, const struct part *p)
{
	struct error ignored = { 0 };
	size_t i = p->array[ROLE_SCALE];

	if (i >= r->n || tensors_open(t, i, &ignored))
		return r->scale_said;
	double v = npy_number(&t->v[i].array, 0);
	return v > 0 && v < 1e6 ? v : r->scale_said;
}

/* In the order in which they are believed: what the file says before what it does not,
 * the usual scale before others, no causal mask before one. */
static void add_candidates(struct trials *t, enum use use, bool biased, const double scale[3])
{
	for (int k = 0; k < 3; k++)
		for (int c = CAUSAL_OFF; c <= CAUSAL_BOTTOM_RIGHT && scale[k] > 0; c++)
			if (c != CAUSAL_BOTTOM_RIGHT || t->p->n_q < t->p->n_k)
				t->v[t->n++] = (struct candidate){ use, biased, scale[k], (enum causal)c, 0, 0 };
}

static void list_candidates(struct trials *t, double from_file)
{
	double own = 1 / sqrt((double)t->p->d_k);
	const double scale[3] = {
		own, from_file > 0 && !same_scale(from_file, own) ? from_file : 0,
		same_scale(1, own) || same_scale(1, from_file) ? 0 : 1,
	};
	const bool possible[] = { [MASK_AS_READ] = t->mask.a, [MASK_INVERTED] = t->mask.a && t->flags, [MASK_NONE] = true };

	t->own_scale = own;
	for (int use = MASK_AS_READ; use <= MASK_NONE; use++)
		for (int biased = t->bias.a != NULL; biased >= 0 && possible[use]; biased--)
			add_candidates(t, (enum use)use, biased, scale);
}

static void try_rows(struct trials *t)
{
	const struct part *p = t->p;
	enum { EXPONENTIAL = 20 };	/* costs as many multiplications */
	struct sample s = sample_of(p, (double)p->n_k * ((double)p->d_k * 4 + (double)t->n * EXPONENTIAL));

	for (size_t h = 0; h < s.heads; h++)
		for (size_t i = 0; i < s.rows; i++)
			try_row(t, sample_place(h, s.heads, p->heads), sample_place(i, s.rows, p->n_q));
}

static double limit_of(const struct trials *t)
{
	const enum npy_kind kind[] = { t->q.a->kind, t->k.a->kind, t->w.a->kind };
	double limit = 1e-3;

	for (int i = 0; i < 3; i++) {
		double own = kind[i] == NPY_BF16 ? 0.05 : kind[i] == NPY_F16 ? 0.02 : 1e-3;
		if (own > limit)
			limit = own;
	}
	return limit;
}

static enum status run(const struct recognition *r, struct tensors *t, struct trials *x, struct error *e)
{
	const struct part *p = x->p;
	enum status s;

	if ((s = part_open(r, t, p, ROLE_Q, &x->q, e)) || (s = part_open(r, t, p, ROLE_K, &x->k, e)) ||
	    (s = part_open(r, t, p, ROLE_WEIGHTS, &x->w, e)) || (s = part_open(r, t, p, ROLE_MASK, &x->mask, e)) ||
	    (s = part_open(r, t, p, ROLE_BIAS, &x->bias, e)))
		return s;
	if (x->mask.a) {
		x->meaning = r->v[p->array[ROLE_MASK]].mask;
		x->flags = x->mask.a->kind == NPY_BOOL;
	}
	x->limit = limit_of(x);
	list_candidates(x, file_scale(r, t, p));
	if (!(s = trials_room(x, e)))
		try_rows(x);
	trials_free(x);
	return s;
}

/* The nearest; of those that are as near, the first. Where none fits all rows, one that
 * fits more than half of them: a few heads may have been made otherwise. */
static const struct candidate *best(const struct trials *t)
{
	const struct candidate *found = t->v, *most = t->v;
	double least = INFINITY;

	for (size_t i = 0; i < t->n; i++)
		most = t->v[i].within > most->within ? &t->v[i] : most;
	if (most->within > t->rows / 2 && most->within < t->rows)
		return most;

	for (size_t i = 0; i < t->n; i++)
		least = fmin(least, t->v[i].worst);
	while (found->worst > least * 1.05 + DBL_EPSILON)
		found++;
	return found;
}

/* ---- the setting ---- */

static void use_trials(struct setting *out, const struct trials *t)
{
	const struct candidate *c = best(t);

	out->checked = true;
	out->difference = c->worst;
	out->limit = t->limit;
	out->agrees = c->worst <= out->limit;
	out->rows = t->rows;
	out->rows_within = c->within;
	out->mostly = !out->agrees && c->within > t->rows / 2;
	if (!out->agrees && !out->mostly)
		return;
	out->causal = c->causal != CAUSAL_OFF;
	out->bottom_right = c->causal == CAUSAL_BOTTOM_RIGHT || (c->causal == CAUSAL_OFF && out->bottom_right);
	out->causal_by = out->scale_by = EVIDENCE_WEIGHTS;
	out->mask = c->use != MASK_NONE;
	out->inverted = c->use == MASK_INVERTED;
	out->bias = c->biased;
	out->scale = c->scale == t->own_scale ? 0 : c->scale;
}

/* What the file says, where no weights judge. */
static void say_setting(const struct recognition *r, struct tensors *t, const struct part *p, struct setting *out)
{
	double scale = file_scale(r, t, p);

	out->bottom_right = p->n_q < p->n_k && !r->cross;
	out->mask = p->array[ROLE_MASK] < r->n;
	out->bias = p->array[ROLE_BIAS] < r->n;
	out->scale_by = scale > 0 ? EVIDENCE_FILE : EVIDENCE_NONE;
	out->scale = scale > 0 && p->d_k && !same_scale(scale, 1 / sqrt((double)p->d_k)) ? scale : 0;
	if (r->causal_said) {
		out->causal = true;
		out->causal_by = EVIDENCE_FILE;
	}
}

static enum status setting_by_weights(const struct recognition *r, struct tensors *t, const struct part *p, size_t batch,
				      struct setting *out, struct error *e)
{
	struct trials x = { .p = p, .batch = batch };
	enum status s = run(r, t, &x, e);

	if (!s && x.rows)
		use_trials(out, &x);
	return s;
}

enum status recognise_setting(const struct recognition *r, struct tensors *t, const struct part *p, size_t batch,
			      struct setting *out, struct error *e)
{
	struct setting fresh = { 0 };
	bool weights = p->array[ROLE_WEIGHTS] < r->n, scores = p->array[ROLE_SCORES] < r->n;
	enum status s = OK_STATUS;

	say_setting(r, t, p, &fresh);
	if (p->source == SOURCE_QKV && weights)
		s = setting_by_weights(r, t, p, batch, &fresh, e);
	/* What the file says of its weights is looked at, too. */
	if (!s && (weights || scores) && (r->causal_said || (!fresh.agrees && !fresh.causal)))
		s = find_pattern(r, t, p, batch, weights ? ROLE_WEIGHTS : ROLE_SCORES, &fresh, e);
	if (!s)
		*out = fresh;
	return s;
}

/* 4.8e-7 rather than 4.8e-07. */
static void short_number(double x, char out[32])
{
	snprintf(out, 32, "%.2g", x);
	char *zero = strstr(out, "e-0");
	if (zero)
		memmove(zero + 2, zero + 3, strlen(zero + 3) + 1);
}

void setting_agreement(const struct setting *s, struct buffer *out)
{
	char number[32];

	short_number(s->difference, number);
	if (s->agrees)
		buffer_format(out, _("agrees within %s"), number);
	else if (s->mostly)
		buffer_format(out, _("agrees in %zu of %zu rows, elsewhere by %.3g not; --as weights=NAME shows the stored ones"), s->rows_within,
			      s->rows, s->difference);
	else
		buffer_format(out, _("does not agree (%.3g): Q/K may be from before rotary embedding, or the weights with softcap, ALiBi, bias or window; --as weights=NAME shows the stored ones"), s->difference);
}

/* ---- heads and positions ---- */

enum status agree_order(struct recognition *r, struct tensors *t, const struct part *p, struct error *e)
{
	struct setting as_is, swapped;
	enum status s;

	if (p->source != SOURCE_QKV || p->array[ROLE_WEIGHTS] >= r->n ||
	    !shape_is_ambiguous(&r->v[p->array[ROLE_Q]], &t->v[p->array[ROLE_Q]].array) ||
	    !shape_is_ambiguous(&r->v[p->array[ROLE_K]], &t->v[p->array[ROLE_K]].array))
		return OK_STATUS;
	for (int pass = 0; pass < 2; pass++) {
		struct setting *one = pass ? &swapped : &as_is;
		*one = (struct setting){ .difference = INFINITY };
		if ((s = setting_by_weights(r, t, p, 0, one, e)))
			return s;
		if (pass && swapped.difference < as_is.difference)
			return OK_STATUS;
		for (size_t i = 0; i < r->n; i++)
			if (r->v[i].role >= ROLE_Q && r->v[i].role <= ROLE_OUTPUT && shape_is_ambiguous(&r->v[i], &t->v[i].array))
				shape_swap(&r->v[i]);
	}
	return OK_STATUS;
}
