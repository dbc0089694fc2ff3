/* recognise_shape.c - which axis of an array is layer, batch, head, query, key. */
#include <stdio.h>
#include <string.h>

#include "core/io/recognise_parts.h"
#include "core/message.h"

/* ---- views ---- */

struct view meaning_view(const struct meaning *m, const struct npy *a)
{
	struct view v;
	size_t step[NPY_RANK_MAX];
	size_t product = 1;

	for (int i = a->rank; i--;) {
		step[i] = product;
		product *= a->shape[i] ? a->shape[i] : 1;
	}
	for (int d = 0; d < DIM_COUNT; d++) {
		int axis = m->axis[d];
		v.size[d] = axis < 0 ? 1 : a->shape[axis];
		v.stride[d] = axis < 0 || v.size[d] == 1 ? 0 : step[axis];
	}
	if (m->fused) {
		v.size[DIM_COLUMN] /= m->fused;
		v.size[DIM_HEAD] = m->fused;
		v.stride[DIM_HEAD] = m->fused == 1 ? 0 : v.size[DIM_COLUMN];
	}
	return v;
}

void view_row(const struct view *v, const struct npy *a, size_t layer, size_t batch, size_t head, size_t row, size_t n,
	      double *out)
{
	size_t at = layer * v->stride[DIM_LAYER] + batch * v->stride[DIM_BATCH] + head * v->stride[DIM_HEAD] +
		    row * v->stride[DIM_ROW];

	if (v->stride[DIM_COLUMN] == 1) {
		npy_numbers(a, at, n, out);
		return;
	}
	for (size_t j = 0; j < n; j++)
		out[j] = npy_number(a, at + j * v->stride[DIM_COLUMN]);
}

void shape_text(const struct npy *a, char *out, size_t size)
{
	size_t used = (size_t)snprintf(out, size, "(");

	for (int i = 0; i < a->rank && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%zu", i ? ", " : "", a->shape[i]);
	if (used < size)
		snprintf(out + used, size - used, ")");
}

/* ---- what axes are called ---- */

const char *dimension_name(enum dimension d, enum role r)
{
	static const char *const name[DIM_COUNT] = { "layer", "batch", "head", "query", "key" };
	bool rows_of_keys = r == ROLE_K || r == ROLE_V, grid = r == ROLE_WEIGHTS || r == ROLE_SCORES || r == ROLE_MASK || r == ROLE_BIAS;

	if (d == DIM_COLUMN && !grid)
		return "dim";
	if (d == DIM_ROW && (r == ROLE_TOKENS || r == ROLE_QUERY_TOKENS || r == ROLE_KEY_TOKENS || r == ROLE_IDS))
		return "token";
	return d == DIM_ROW && rows_of_keys ? "key" : name[d];
}

void known_batch(struct known *k, size_t size)
{
	if (k->batches < BATCH_HINTS)
		k->batch[k->batches++] = size;
}

/* ---- axes in front ---- */

/* Without a layer in the name the axis in front is the layer, unless its size is 1
 * or that of a batch. */
static enum dimension leading(const struct meaning *m, size_t size, const struct known *k)
{
	if (m->layer >= 0 || size == 1)
		return DIM_BATCH;
	for (size_t i = 0; i < k->batches; i++)
		if (k->batch[i] == size)
			return DIM_BATCH;
	return DIM_LAYER;
}

static void no_axes(struct meaning *m)
{
	memset(m->axis, -1, sizeof m->axis);
}

/* Axes 0 .. n - 1 in front of the core: layer, batch or both. */
static bool put_leading(struct meaning *m, const struct npy *a, int n, const struct known *k)
{
	if (n > 2)
		return false;
	if (n == 2) {
		m->layer = -1;		/* two axes in front: the number meant something else */
		m->axis[DIM_LAYER] = 0;
		m->axis[DIM_BATCH] = 1;
	} else if (n == 1) {
		m->axis[leading(m, a->shape[0], k)] = 0;
	}
	return true;
}

bool shape_grid(struct meaning *m, const struct npy *a, const struct known *k)
{
	int heads = a->rank > 2;

	if (m->forced)
		return true;
	no_axes(m);
	if (a->rank == 1) {
		m->axis[DIM_COLUMN] = 0;
		return true;
	}
	if (a->rank < 2 || !put_leading(m, a, a->rank - 2 - heads, k))
		return false;
	if (heads)
		m->axis[DIM_HEAD] = (signed char)(a->rank - 3);
	m->axis[DIM_ROW] = (signed char)(a->rank - 2);
	m->axis[DIM_COLUMN] = (signed char)(a->rank - 1);
	return true;
}

/* ---- heads and positions ---- */

/* How well sizes fit what is known: -1 not at all, else how many agree. */
static int fit(const struct meaning *m, size_t heads, size_t rows, const struct known *k)
{
	size_t n = m->role == ROLE_K || m->role == ROLE_V ? k->n_k : k->n_q;
	bool shares = m->role == ROLE_K || m->role == ROLE_V;	/* grouped queries */
	int score = 0;

	if (n && rows != n)
		return -1;
	score += n != 0;
	if (k->heads && (!heads || (shares ? k->heads % heads : k->heads != heads)))
		return -1;
	return score + (k->heads != 0);
}

/* Where q and k differ in one axis: more in q are heads in groups, fewer are the
 * queries of a cached step. 0: nothing learnt; 1: the first axis is the heads; 2: the second. */
static int compare(enum role role, const struct npy *a, const struct npy *other)
{
	const struct npy *q = role == ROLE_Q || role == ROLE_OUTPUT ? a : other, *k = role == ROLE_Q || role == ROLE_OUTPUT ? other : a;

	if (!other || other->rank != a->rank || a->rank < 3)
		return 0;
	for (int i = 0; i < 2; i++) {
		size_t x = q->shape[q->rank - 3 + i], y = k->shape[k->rank - 3 + i];
		if (x == y || !x || !y)
			continue;
		bool heads = x > y && x % y == 0;
		return heads == (i == 0) ? 1 : 2;
	}
	return 0;
}

/* Without sizes that are known, a neighbour or a name heads are taken to come first. */
static bool positions_first(struct meaning *m, const struct npy *a, const struct known *k, const struct npy *other)
{
	size_t first = a->shape[a->rank - 3], second = a->shape[a->rank - 2];
	int as_is = fit(m, first, second, k), swapped = fit(m, second, first, k);

	if (as_is != swapped)
		return swapped > as_is;
	int learnt = m->role == ROLE_OUTPUT ? 0 : compare(m->role, a, other);
	m->order_assumed = !learnt && !m->position_first && first > 1 && second > 1;
	return learnt ? learnt == 2 : m->position_first;
}

/* Heads that are not split: (position, heads * dim), perhaps with a batch in front. */
static bool is_fused(const struct meaning *m, const struct npy *a, const struct known *k)
{
	size_t rows = a->rank >= 2 ? a->shape[a->rank - 2] : 0;
	size_t n = m->role == ROLE_K || m->role == ROLE_V ? k->n_k : k->n_q;

	if (a->rank < 2 || a->rank > 4)
		return false;
	bool split = a->rank == 4 && (fit(m, a->shape[1], a->shape[2], k) > 0 || fit(m, a->shape[2], a->shape[1], k) > 0);
	if (m->split_unknown)
		return !split;		/* saved when they had been split */
	/* Nothing else fits, and the columns can be divided. */
	return m->layer >= 0 && a->rank == 3 && k->heads > 1 && n && rows == n && a->shape[0] != k->heads &&
	       a->shape[2] % k->heads == 0 && fit(m, rows, a->shape[0], k) < 0 && fit(m, a->shape[0], rows, k) < 0;
}

static bool put_fused(struct meaning *m, const struct npy *a, const struct known *k)
{
	size_t columns = a->shape[a->rank - 1];

	if (!put_leading(m, a, a->rank - 2, k))
		return false;
	m->axis[DIM_ROW] = (signed char)(a->rank - 2);
	m->axis[DIM_COLUMN] = (signed char)(a->rank - 1);
	m->split_unknown = !k->heads || columns % k->heads;
	m->fused = m->split_unknown ? 0 : k->heads;
	if (m->split_unknown)
		snprintf(m->note, sizeof m->note, _("its heads are not split, and how many there are is not known"));
	return true;
}

bool shape_rows(struct meaning *m, const struct npy *a, const struct known *k, const struct npy *other)
{
	int heads = a->rank > 2;

	if (m->forced)
		return true;
	no_axes(m);
	m->fused = 0;
	if (is_fused(m, a, k))
		return put_fused(m, a, k);
	if (a->rank < 2 || !put_leading(m, a, a->rank - 2 - heads, k))
		return false;
	m->axis[DIM_COLUMN] = (signed char)(a->rank - 1);
	m->axis[DIM_ROW] = (signed char)(a->rank - 2);
	if (heads)
		m->axis[DIM_HEAD] = (signed char)(a->rank - 3);
	if (heads && positions_first(m, a, k, other))
		shape_swap(m);
	return true;
}

void shape_swap(struct meaning *m)
{
	signed char head = m->axis[DIM_HEAD];

	m->axis[DIM_HEAD] = m->axis[DIM_ROW];
	m->axis[DIM_ROW] = head;
}

bool shape_is_ambiguous(const struct meaning *m, const struct npy *a)
{
	return !m->forced && !m->fused && m->axis[DIM_HEAD] >= 0 && m->axis[DIM_ROW] >= 0 &&
	       a->shape[m->axis[DIM_HEAD]] == a->shape[m->axis[DIM_ROW]];
}

/* ---- tokens, masks ---- */

bool shape_tokens(struct meaning *m, const struct npy *a)
{
	no_axes(m);
	if (a->rank < 1 || a->rank > 2)
		return false;
	m->axis[DIM_ROW] = (signed char)(a->rank - 1);
	if (a->rank == 2)
		m->axis[DIM_BATCH] = 0;
	return true;
}

/* Two axes: a mask of keys a batch, or of cells. Its name decides where both fit. */
static bool is_per_key(const struct meaning *m, const struct npy *a, const struct part *p)
{
	bool batch = a->shape[0] == p->batches || a->shape[0] == 1, rows = a->shape[0] == p->n_q;

	if (m->role == ROLE_BIAS)
		return false;
	return batch && rows ? m->per_key : batch;
}

static bool put_mask(struct meaning *m, const struct npy *a, const struct part *p)
{
	int n = a->rank;

	m->axis[DIM_COLUMN] = (signed char)(n - 1);
	if (n == 1)
		return true;
	if (n == 2 && is_per_key(m, a, p)) {
		m->axis[DIM_BATCH] = 0;
		return true;
	}
	m->axis[DIM_ROW] = (signed char)(n - 2);
	if (n == 3)
		m->axis[a->shape[0] == p->heads && (m->role == ROLE_BIAS || a->shape[0] != p->batches) ? DIM_HEAD : DIM_BATCH] = 0;
	if (n >= 4) {
		m->axis[DIM_HEAD] = (signed char)(n - 3);
		m->axis[DIM_BATCH] = (signed char)(n - 4);
	}
	if (n == 5)
		m->axis[DIM_LAYER] = 0;
	return true;
}

static bool is_size(size_t size, size_t wanted)
{
	return size == 1 || size == wanted;
}

bool shape_mask(struct meaning *m, const struct npy *a, const struct part *p)
{
	if (a->rank < 1 || a->rank > 5)
		return false;
	if (!m->forced) {
		no_axes(m);
		put_mask(m, a, p);
	}
	struct view v = meaning_view(m, a);
	return v.size[DIM_COLUMN] == p->n_k && is_size(v.size[DIM_ROW], p->n_q) && is_size(v.size[DIM_HEAD], p->heads) &&
	       is_size(v.size[DIM_BATCH], p->batches);
}

/* ---- --layout ---- */

enum word { WORD_LAYER, WORD_BATCH, WORD_HEAD, WORD_QUERY, WORD_KEY, WORD_TOKEN, WORD_DIM, WORD_COUNT };
static const char *const layout_words[WORD_COUNT] = { "layer", "batch", "head", "query", "key", "token", "dim" };

struct layout_part {
	enum word v[NPY_RANK_MAX];
	int n;
	bool has[WORD_COUNT];
};

static enum word layout_word(const char *text, size_t n)
{
	for (int w = 0; w < WORD_COUNT; w++)
		if (strlen(layout_words[w]) == n && !memcmp(layout_words[w], text, n))
			return (enum word)w;
	return WORD_COUNT;
}

static enum status refuse_layout(const char *layout, struct error *e, const char *what)
{
	return error_option(e, E_VALUE, "layout", layout, "%s; batch,head,query,dim is expected, or batch,head,query,key for weights, of layer, batch, head, query, key, token, dim", what);
}

static enum status read_part(struct layout_part *p, const char *text, size_t n, const char *layout, struct error *e)
{
	*p = (struct layout_part){ .n = 0 };
	for (size_t at = 0; at <= n;) {
		size_t length = strcspn(text + at, ",/");
		enum word w = layout_word(text + at, length);
		char what[80];
		snprintf(what, sizeof what, "'%.*s' is no axis", (int)(length < 40 ? length : 40), text + at);
		if (w == WORD_COUNT)
			return refuse_layout(layout, e, what);
		if (p->n == NPY_RANK_MAX || p->has[w])
			return refuse_layout(layout, e, p->has[w] ? "an axis is named twice" : "there are too many axes");
		p->has[w] = true;
		p->v[p->n++] = w;
		at += length + 1;
	}
	int positions = p->has[WORD_QUERY] + p->has[WORD_KEY] + p->has[WORD_TOKEN];
	if (p->has[WORD_DIM] ? positions != 1 : !p->has[WORD_QUERY] || !p->has[WORD_KEY] || p->has[WORD_TOKEN])
		return refuse_layout(layout, e, p->has[WORD_DIM] ? "beside dim one of query, key and token is expected"
								 : "without dim both query and key are expected");
	return OK_STATUS;
}

static enum dimension dimension_of(enum word w, bool rows)
{
	static const enum dimension of[] = { DIM_LAYER, DIM_BATCH, DIM_HEAD };

	if (w <= WORD_HEAD)
		return of[w];
	if (rows)
		return w == WORD_DIM ? DIM_COLUMN : DIM_ROW;
	return w == WORD_KEY ? DIM_COLUMN : DIM_ROW;
}

/* Whether a part speaks of arrays of that role. */
static bool concerns(const struct layout_part *p, enum role r)
{
	if (p->has[WORD_DIM])
		return r == ROLE_Q || r == ROLE_K || r == ROLE_V || r == ROLE_OUTPUT;
	return r == ROLE_WEIGHTS || r == ROLE_SCORES || r == ROLE_MASK || r == ROLE_BIAS;
}

static bool apply_part(struct recognition *r, const struct tensors *t, const struct layout_part *p)
{
	bool any = false;

	for (size_t i = 0; i < r->n; i++) {
		struct meaning *m = &r->v[i];
		if (!concerns(p, m->role) || t->v[i].array.rank != p->n)
			continue;
		no_axes(m);
		for (int k = 0; k < p->n; k++)
			m->axis[dimension_of(p->v[k], p->has[WORD_DIM])] = (signed char)k;
		if (p->has[WORD_LAYER])
			m->layer = -1;
		m->fused = 0;
		m->forced = any = true;
		m->split_unknown = false;
	}
	return any;
}

enum status shape_layout(struct recognition *r, const struct tensors *t, const char *layout, struct error *e)
{
	for (const char *text = layout;; text++) {
		struct layout_part p;
		size_t n = strcspn(text, "/");
		enum status s = read_part(&p, text, n, layout, e);
		if (s)
			return s;
		if (!apply_part(r, t, &p))
			return error_option(e, E_VALUE, "layout", layout, "no %s has %d axes",
					    p.has[WORD_DIM] ? "q, k, v or output" : "weights, scores, mask or bias", p.n);
		text += n;
		if (!*text)
			return OK_STATUS;
	}
}
