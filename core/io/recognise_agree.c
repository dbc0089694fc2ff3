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

#include "core/dtype.h"
#include "core/io/recognise_parts.h"
#include "core/message.h"

/* ---- which rows ---- */

#define WORK_LIMIT 1e8		/* multiplications and exponentials of one judgement, about */
enum { HEADS_MAX = 8, ROWS_MAX = 64, MASK_LIMIT = 1 << 26 };
#define HIDES_AT_MOST (-1e4)	/* of an additive mask; more is a bias */

struct sample { size_t heads, rows; };

static size_t at_most(double wanted, size_t most)
{
	return wanted < 1 ? 1 : wanted < (double)most ? (size_t)wanted : most;
}

/* So many heads and rows that `cost` for each row stays within the limit. */
static struct sample sample_of(const struct part *p, double cost)
{
	struct sample s;
	double rows = WORK_LIMIT / (cost + 1);

	s.heads = at_most(rows / 2, p->heads < HEADS_MAX ? p->heads : HEADS_MAX);
	s.rows = at_most(rows / (double)s.heads, p->n_q < ROWS_MAX ? p->n_q : ROWS_MAX);
	return s;
}

/* The k-th of n places spread over `all`, the first and the last among them. */
static size_t spread(size_t k, size_t n, size_t all)
{
	return n < 2 ? all - 1 : k * (all - 1) / (n - 1);
}

/* Without a layer axis the layer is 0 there. */
static size_t layer_of(const struct part *p, const struct view *v)
{
	return v->size[DIM_LAYER] > 1 ? (size_t)p->layer : 0;
}

/* ---- opened arrays ---- */

struct source_view { const struct npy *a; struct view v; };

static enum status open_role(const struct recognition *r, struct tensors *t, const struct part *p, enum role role,
			     struct source_view *out, struct error *e)
{
	size_t i = p->array[role];
	enum status s;

	*out = (struct source_view){ NULL, { { 0 }, { 0 } } };
	if (i >= r->n)
		return OK_STATUS;
	if ((s = tensors_open(t, i, e)))
		return s;
	out->a = &t->v[i].array;
	out->v = meaning_view(&r->v[i], out->a);
	return OK_STATUS;
}

static void read_row(const struct source_view *s, const struct part *p, size_t batch, size_t head, size_t row, size_t n, double *out)
{
	size_t own = head * s->v.size[DIM_HEAD] / p->heads;	/* of grouped queries */

	view_row(&s->v, s->a, layer_of(p, &s->v), s->v.size[DIM_BATCH] == 1 ? 0 : batch, s->v.size[DIM_HEAD] == 1 ? 0 : own,
		 s->v.size[DIM_ROW] == 1 ? 0 : row, n, out);
}

/* ---- candidates ---- */

enum { CANDIDATES_MAX = 3 * 3 * 3 * 2 };
enum causal { CAUSAL_OFF, CAUSAL_TOP_LEFT, CAUSAL_BOTTOM_RIGHT };
enum use { MASK_AS_READ, MASK_NONE, MASK_INVERTED };

struct candidate {
	enum use use;
	bool biased;
	double scale;			/* what scores are multiplied with */
	enum causal causal;
	double worst;			/* the largest difference so far */
};

struct trials {
	const struct part *p;
	size_t batch;
	struct source_view q, k, w, mask, bias;
	enum mask_meaning meaning;
	bool flags;			/* the mask is boolean: it may be the other way round */
	double own_scale;		/* 1 / sqrt(d_k) */
	struct candidate v[CANDIDATES_MAX];	/* of equally near ones the first is taken */
	size_t n;
	size_t rows, heads;
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

	read_row(&t->q, p, t->batch, head, row, p->d_k, t->query);
	for (size_t j = 0; j < p->n_k; j++) {
		double sum = 0;
		read_row(&t->k, p, t->batch, head, j, p->d_k, t->key);
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
		read_row(&t->bias, t->p, t->batch, head, row, n, t->extra);
	if (!t->mask.a)
		return;
	read_row(&t->mask, t->p, t->batch, head, row, n, t->additive);
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
	read_row(&t->w, t->p, t->batch, head, row, t->p->n_k, t->stored);
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
				t->v[t->n++] = (struct candidate){ use, biased, scale[k], (enum causal)c, 0 };
}

static void list_candidates(struct trials *t, double from_file)
{
	double own = 1 / sqrt((double)t->p->d_k);
	const double scale[3] = {
		own, from_file > 0 && !same_scale(from_file, own) ? from_file : 0,
		same_scale(1, own) || same_scale(1, from_file) ? 0 : 1,
	};
	const bool possible[] = { [MASK_AS_READ] = t->mask.a, [MASK_NONE] = true, [MASK_INVERTED] = t->mask.a && t->flags };

	t->own_scale = own;
	for (int use = MASK_AS_READ; use <= MASK_INVERTED; use++)
		for (int biased = t->bias.a != NULL; biased >= 0 && possible[use]; biased--)
			add_candidates(t, (enum use)use, biased, scale);
}

static void try_rows(struct trials *t)
{
	const struct part *p = t->p;
	enum { EXPONENTIAL = 20 };	/* costs as many multiplications */
	struct sample s = sample_of(p, (double)p->n_k * ((double)p->d_k * 4 + (double)t->n * EXPONENTIAL));

	t->heads = s.heads;
	for (size_t h = 0; h < s.heads; h++)
		for (size_t i = 0; i < s.rows; i++)
			try_row(t, spread(h, s.heads, p->heads), spread(i, s.rows, p->n_q));
}

static enum status run(const struct recognition *r, struct tensors *t, struct trials *x, struct error *e)
{
	const struct part *p = x->p;
	enum status s;

	if ((s = open_role(r, t, p, ROLE_Q, &x->q, e)) || (s = open_role(r, t, p, ROLE_K, &x->k, e)) ||
	    (s = open_role(r, t, p, ROLE_WEIGHTS, &x->w, e)) || (s = open_role(r, t, p, ROLE_MASK, &x->mask, e)) ||
	    (s = open_role(r, t, p, ROLE_BIAS, &x->bias, e)))
		return s;
	if (x->mask.a) {
		x->meaning = r->v[p->array[ROLE_MASK]].mask;
		x->flags = x->mask.a->kind == NPY_BOOL;
	}
	list_candidates(x, file_scale(r, t, p));
	if (!(s = trials_room(x, e)))
		try_rows(x);
	trials_free(x);
	return s;
}

/* The nearest; of those that are as near, the first. */
static const struct candidate *best(const struct trials *t)
{
	const struct candidate *found = t->v;
	double least = INFINITY;

	for (size_t i = 0; i < t->n; i++)
		least = fmin(least, t->v[i].worst);
	while (found->worst > least * 1.05 + DBL_EPSILON)
		found++;
	return found;
}

/* ---- patterns ---- */

/* How far right the visible cells of rows reach: along which diagonal they end. */
static enum status find_pattern(const struct recognition *r, struct tensors *t, const struct part *p, size_t batch,
				enum role role, struct setting *out, struct error *e)
{
	struct source_view v;
	struct sample n = sample_of(p, (double)p->n_k);
	double *row = malloc((p->n_k + 1) * sizeof *row);
	bool within[2] = { true, p->n_q < p->n_k }, touches[2] = { false, false }, above[2] = { false, false };
	enum status s = row ? open_role(r, t, p, role, &v, e) : error_set(e, E_MEMORY, "no memory for a row");

	for (size_t h = 0; !s && h < n.heads; h++)
		for (size_t k = 0; k < n.rows; k++) {
			size_t i = spread(k, n.rows, p->n_q), last = p->n_k;
			read_row(&v, p, batch, spread(h, n.heads, p->heads), i, p->n_k, row);
			while (last && (role == ROLE_WEIGHTS ? !(row[last - 1] > 0) : row[last - 1] <= HIDES_AT_MOST))
				last--;
			for (int a = 0; a < 2; a++) {
				size_t end = i + 1 + (a ? p->n_k - p->n_q : 0);
				within[a] = within[a] && last <= end;
				touches[a] = touches[a] || last == end;
				above[a] = above[a] || end < p->n_k;
			}
		}
	free(row);
	for (int a = 0; a < 2 && !s && !out->causal; a++)
		if (within[a] && touches[a] && above[a]) {
			out->causal = true;
			out->bottom_right = a;
			out->causal_by = EVIDENCE_PATTERN;
		}
	return s;
}

/* ---- the setting ---- */

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

static void use_trials(struct setting *out, const struct trials *t)
{
	const struct candidate *c = best(t);

	out->checked = true;
	out->difference = c->worst;
	out->limit = limit_of(t);
	out->agrees = c->worst <= out->limit;
	out->rows = t->rows;
	out->heads = t->heads;
	if (!out->agrees)
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

	out->bottom_right = p->n_q < p->n_k && !r->cross && p->source == SOURCE_QKV;
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
	if (!s && !fresh.agrees && !fresh.causal && (weights || scores))
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
	else
		buffer_format(out, _("does not agree (%.3g): Q/K may be from before rotary embedding"), s->difference);
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

/* ---- sums ---- */

/* The coarsest type that holds them all: what numbers were before they were written wider. */
static enum dtype narrowest(const double *v, size_t n, enum dtype so_far)
{
	while (so_far > DTYPE_F64)
		for (size_t j = 0;; j++) {
			if (j == n)
				return so_far;
			if (!isnan(v[j]) && dtype_round(v[j], so_far) != v[j]) {
				so_far--;
				break;
			}
		}
	return so_far;
}

/* The last place of the numbers of a text, which may have been float32 before: the
 * finest that the larger ones of a row have, since zeros at the end are not always
 * written. 0: unknown. */
static double last_place(const double *v, size_t n, double so_far)
{
	double largest = 0;

	for (size_t j = 0; j < n; j++)
		largest = v[j] > largest ? v[j] : largest;
	for (size_t j = 0; j < n; j++) {
		double unit = 0.1;
		if (!(v[j] >= largest / 2) || largest == 0)
			continue;
		while (unit > 2e-7 && fabs(v[j] - round(v[j] / unit) * unit) > 1e-7)
			unit /= 10;
		if (so_far == 0 || unit < so_far)
			so_far = unit;
	}
	return so_far;
}

static void add_row(struct sums *s, const double *v, size_t n)
{
	double sum = 0;

	for (size_t j = 0; j < n; j++) {
		sum += v[j];
		s->negative = s->negative || v[j] < 0;
	}
	if (isnan(sum)) {
		s->nan_rows++;
		return;
	}
	s->smallest = fmin(s->smallest, sum);
	s->largest = fmax(s->largest, sum);
}

enum status recognise_sums(const struct recognition *r, struct tensors *t, const struct part *p, enum role role,
			   struct sums *out, struct error *e)
{
	struct source_view v;
	struct sums sums = { .smallest = INFINITY, .largest = -INFINITY };
	struct sample n = sample_of(p, (double)p->n_k);
	bool text = t->format == FORMAT_CSV || t->format == FORMAT_JSON;
	enum dtype type = DTYPE_F32;
	double unit = 0, *row = malloc((p->n_k + 1) * sizeof *row);
	enum status s = row ? open_role(r, t, p, role, &v, e) : error_set(e, E_MEMORY, "no memory for a row");

	for (size_t h = 0; !s && h < n.heads; h++)
		for (size_t k = 0; k < n.rows; k++) {
			read_row(&v, p, 0, spread(h, n.heads, p->heads), spread(k, n.rows, p->n_q), p->n_k, row);
			add_row(&sums, row, p->n_k);
			type = narrowest(row, p->n_k, type);
			unit = text ? last_place(row, p->n_k, unit) : 0;
		}
	free(row);
	if (s)
		return s;
	if (v.a->kind == NPY_F16)
		type = DTYPE_F16;
	else if (v.a->kind == NPY_BF16)
		type = DTYPE_BF16;
	sums.tolerance = fmin(0.02, fmax(dtype_sum_tolerance(type, p->n_k), (double)p->n_k * unit / 2));
	*out = sums;
	return OK_STATUS;
}

/* ---- masks ---- */

static bool is_flags(const struct npy *a)
{
	bool one = false;

	for (size_t i = 0; i < a->count; i++) {
		double v = npy_number(a, i);
		if (v != 0 && v != 1)
			return false;
		one = one || v == 1;
	}
	return one;
}

enum status agree_masks(struct recognition *r, struct tensors *t, struct error *e)
{
	for (size_t i = 0; i < r->n; i++) {
		struct meaning *m = &r->v[i];
		const struct npy *a = &t->v[i].array;
		if (m->role != ROLE_MASK || m->unused || m->mask != MASK_ADDS || a->count > MASK_LIMIT)
			continue;
		enum status s = tensors_open(t, i, e);
		if (s)
			return s;
		if (!is_flags(a))
			continue;
		m->mask = MASK_KEEPS;
		snprintf(m->note, sizeof m->note, "floats of only 0 and 1: taken for flags");
	}
	return OK_STATUS;
}
