/* recognise.c - what the arrays of a file mean: names, then choices, then shapes. */
#include "core/io/recognise.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/recognise_parts.h"

enum { LAYERS_MAX = 4096, PARAMETERS_MIN = 3 };

void recognition_note(struct recognition *r, const char *format, ...)
{
	char line[400];
	va_list ap;

	va_start(ap, format);
	vsnprintf(line, sizeof line - 1, format, ap);
	va_end(ap);
	strcat(line, "\n");
	if (!r->notes.data || !strstr(r->notes.data, line))
		buffer_text(&r->notes, line);
}

/* ---- names, and whether the type suits them ---- */

static bool is_integer(enum npy_kind k)
{
	return k >= NPY_I8 && k <= NPY_U64;
}

static bool is_text(const struct tensor *v)
{
	return v->text.n || npy_is_text(&v->array);
}

static bool is_attention(enum role r)
{
	return r >= ROLE_WEIGHTS && r <= ROLE_OUTPUT;
}

static bool is_token_role(enum role r)
{
	return r == ROLE_TOKENS || r == ROLE_QUERY_TOKENS || r == ROLE_KEY_TOKENS;
}

static void put_unused(struct meaning *m, const char *why)
{
	m->unused = true;
	snprintf(m->note, sizeof m->note, "%.*s", (int)sizeof m->note - 1, why);
}

/* The role that a name has goes when the array cannot be it. */
static void check_type(struct meaning *m, const struct tensor *v)
{
	const struct npy *a = &v->array;
	bool text = is_text(v), number = !text && a->kind < NPY_TEXT_UCS4;
	bool fits = true;

	if (is_token_role(m->role) && !text) {
		if (m->role == ROLE_TOKENS && is_integer(a->kind) && a->rank >= 1 && a->rank <= 2)
			m->role = ROLE_IDS;
		else
			fits = false;
	} else if (is_attention(m->role)) {
		fits = number && a->kind != NPY_BOOL && a->rank >= 2 && a->rank <= 5;
	} else if (m->role == ROLE_IDS) {
		fits = is_integer(a->kind) && a->rank >= 1 && a->rank <= 2;
	} else if (m->role == ROLE_SCALE) {
		fits = number && a->count == 1;
	} else if (m->role == ROLE_MASK || m->role == ROLE_BIAS) {
		fits = number && a->rank >= 1 && a->rank <= 5;
		if (a->kind <= NPY_BF16)
			m->mask = MASK_ADDS;
		else if (a->kind != NPY_BOOL)
			m->mask = MASK_KEEPS;
	}
	if (!fits)
		*m = (struct meaning){ .layer = -1, .axis = { -1, -1, -1, -1, -1 } };
}

static void check_usable(struct meaning *m, const struct tensor *v)
{
	if (v->refused[0])
		put_unused(m, v->refused);
	else if (!v->array.count)
		put_unused(m, "is empty");
}

/* "text labels" are tokens, whatever else labels are. */
static void name_all(struct recognition *r, const struct tensors *t, const char *name)
{
	for (size_t i = 0; i < r->n; i++) {
		bool unnamed = !*t->v[i].name;
		name_meaning(&r->v[i], unnamed ? name : t->v[i].name, unnamed);
		if (unnamed && t->v[i].array.rank == 1 && is_attention(r->v[i].role))
			continue;
		check_type(&r->v[i], &t->v[i]);
		check_usable(&r->v[i], &t->v[i]);
	}
}

/* What a file of a model's parameters has beside those that their names give away. */
static void find_parameters(struct recognition *r, const struct tensors *t)
{
	size_t parameters = 0;

	for (size_t i = 0; i < r->n; i++)
		parameters += r->v[i].role == ROLE_PARAMETER;
	r->parameters = parameters >= PARAMETERS_MIN;
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].role == ROLE_BIAS && (r->parameters || t->v[i].array.rank < 2))
			r->v[i].role = r->parameters ? ROLE_PARAMETER : ROLE_UNKNOWN;
}

/* ---- one array that could be anything ---- */

/* A file with one array of numbers, and at most tokens beside it: weights or scores,
 * as its numbers say. */
static void guess_single(struct recognition *r, const struct tensors *t)
{
	size_t found = r->n, several = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct npy *a = &t->v[i].array;
		if (is_attention(r->v[i].role) || r->v[i].role == ROLE_PARAMETER)
			return;
		if (r->v[i].role != ROLE_UNKNOWN || r->v[i].unused || is_text(&t->v[i]) || a->kind >= NPY_BOOL || !a->rank || a->rank > 5)
			continue;
		found = i;
		several++;
	}
	if (several != 1)
		return;
	r->v[found].role = ROLE_SCORES;
	r->v[found].unsure = true;
	snprintf(r->v[found].note, sizeof r->v[found].note, "by its numbers, its name says nothing");
}

/* ---- several attentions in one file ---- */

static bool in_set(const struct recognition *r, size_t i, const char *set)
{
	const struct meaning *m = &r->v[i];
	return is_attention(m->role) && m->role != ROLE_OUTPUT && !m->unused && !strcmp(m->set, set);
}

/* Both Q and K, then weights, then scores; an attention without a name of its own before others. */
static int worth(const struct recognition *r, const char *set)
{
	bool has[ROLE_COUNT] = { false };

	for (size_t i = 0; i < r->n; i++)
		if (in_set(r, i, set))
			has[r->v[i].role] = true;
	return (has[ROLE_Q] && has[ROLE_K]) * 32 + has[ROLE_WEIGHTS] * 16 + has[ROLE_SCORES] * 8 +
	       (has[ROLE_Q] || has[ROLE_K] || has[ROLE_V]) * 4 + !*set * 2 + !strstr(set, "cross");
}

static void choose_set(struct recognition *r)
{
	int best = -1;

	for (size_t i = 0; i < r->n; i++) {
		if (!in_set(r, i, r->v[i].set))
			continue;
		int value = worth(r, r->v[i].set);
		if (value > best) {
			best = value;
			memcpy(r->set, r->v[i].set, sizeof r->set);
		}
	}
	r->cross = strstr(r->set, "cross") != NULL;
}

static void leave_others(struct recognition *r)
{
	for (size_t i = 0; i < r->n; i++) {
		struct meaning *m = &r->v[i];
		if (is_attention(m->role) && !m->unused && strcmp(m->set, r->set)) {
			put_unused(m, "belongs to another attention of this file; --as names it");
			recognition_note(r, "another attention is in this file, named %s; --as q=NAME,k=NAME,v=NAME,weights=NAME opens it",
					 *m->set ? m->set : "without a prefix");
		}
	}
}

/* The array of a role and layer, when it is one of those that are used. */
static size_t find(const struct recognition *r, enum role role, long layer)
{
	size_t found = r->n;

	for (size_t i = 0; i < r->n; i++) {
		const struct meaning *m = &r->v[i];
		if (m->role != role || m->unused || (is_attention(role) && strcmp(m->set, r->set)))
			continue;
		if (m->layer == layer)
			return i;
		if (m->layer < 0 && found == r->n)
			found = i;
	}
	return found;
}

/* Q and K after rotary embedding are what the scores come from, where both are there. */
static void prefer_rotated(struct recognition *r)
{
	for (size_t i = 0; i < r->n; i++) {
		struct meaning *m = &r->v[i];
		bool both[2] = { false, false };
		if ((m->role != ROLE_Q && m->role != ROLE_K) || m->rotated || m->unused || m->forced)
			continue;
		for (size_t j = 0; j < r->n; j++) {
			const struct meaning *other = &r->v[j];
			if (other->rotated && !other->unused && other->layer == m->layer && !strcmp(other->set, m->set))
				both[other->role == ROLE_K] = true;
		}
		if (both[0] && both[1])
			put_unused(m, "before rotary embedding; the rotated one is used");
	}
}

/* ---- layers ---- */

static int compare_long(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;
	return (x > y) - (x < y);
}

static enum status add_layer(struct recognition *r, long layer, struct error *e)
{
	long *v = realloc(r->layer, (r->layers + 1) * sizeof *v);

	if (!v)
		return error_set(e, E_MEMORY, "no memory for the layers");
	r->layer = v;
	r->layer[r->layers++] = layer;
	return OK_STATUS;
}

static bool has_layer(const struct recognition *r, long layer)
{
	for (size_t i = 0; i < r->layers; i++)
		if (r->layer[i] == layer)
			return true;
	return false;
}

/* By names where names have numbers, those of --as before others; else along the axis. */
static enum status find_layers(struct recognition *r, const struct tensors *t, struct error *e)
{
	enum status s = OK_STATUS;
	size_t along = 0;
	bool named = false;

	for (size_t i = 0; i < r->n; i++)
		named = named || (r->v[i].chosen && r->v[i].layer >= 0);
	for (size_t i = 0; i < r->n && !s; i++) {
		const struct meaning *m = &r->v[i];
		if (!in_set(r, i, r->set))
			continue;
		if (m->layer >= 0 && !has_layer(r, m->layer) && (m->chosen || !named))
			s = add_layer(r, m->layer, e);
		if (m->axis[DIM_LAYER] >= 0 && t->v[i].array.shape[m->axis[DIM_LAYER]] > along)
			along = t->v[i].array.shape[m->axis[DIM_LAYER]];
	}
	if (along > LAYERS_MAX || r->layers > LAYERS_MAX)
		return error_set(e, E_LIMIT, "%zu layers; %d at most are expected (--layout says which axis is what)",
				 along > r->layers ? along : r->layers, LAYERS_MAX);
	for (size_t k = 0; k < along && !r->layers && !s; k++)
		while (r->layers < along && !s)
			s = add_layer(r, (long)r->layers, e);
	if (!r->layers && !s && (find(r, ROLE_WEIGHTS, 0) < r->n || find(r, ROLE_SCORES, 0) < r->n || find(r, ROLE_Q, 0) < r->n))
		s = add_layer(r, 0, e);
	if (r->layers)
		qsort(r->layer, r->layers, sizeof *r->layer, compare_long);
	return s;
}

/* ---- shapes ---- */

/* Sizes of a batch, as masks and tokens have them. */
static void gather_batches(const struct recognition *r, const struct tensors *t, struct known *k)
{
	for (int i = 0; i < 3; i++)
		if (r->texts[i] > 1)
			known_batch(k, r->texts[i]);
	for (size_t i = 0; i < r->n; i++) {
		const struct meaning *m = &r->v[i];
		const struct npy *a = &t->v[i].array;
		bool tokens = is_token_role(m->role) || m->role == ROLE_IDS;
		if (m->unused || a->rank < 2)
			continue;
		if (tokens || (m->role == ROLE_MASK && (a->rank == 4 || (a->rank == 2 && a->shape[0] != a->shape[1]))))
			known_batch(k, a->shape[0]);
	}
}

/* How many tokens there are, when nothing else tells. */
static size_t token_count(const struct recognition *r, const struct tensors *t, enum role role, int text)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].role == role && !r->v[i].unused && t->v[i].array.rank >= 1)
			return t->v[i].array.shape[t->v[i].array.rank - 1];
	return r->texts[text] ? r->text[text][0].n : 0;
}

static void know_sizes(const struct recognition *r, const struct tensors *t, struct known *k)
{
	const enum role grids[] = { ROLE_WEIGHTS, ROLE_SCORES };

	for (int g = 0; g < 2; g++)
		for (size_t i = 0; i < r->n; i++)
			if (r->v[i].role == grids[g] && in_set(r, i, r->set) && t->v[i].array.rank >= 2) {
				struct view v = meaning_view(&r->v[i], &t->v[i].array);
				k->n_q = v.size[DIM_ROW];
				k->n_k = v.size[DIM_COLUMN];
				k->heads = v.size[DIM_HEAD];
				return;
			}
	k->n_q = token_count(r, t, ROLE_QUERY_TOKENS, 1);
	k->n_k = token_count(r, t, ROLE_KEY_TOKENS, 2);
	size_t n = token_count(r, t, ROLE_TOKENS, 0);
	k->n_q = k->n_q ? k->n_q : n;
	k->n_k = k->n_k ? k->n_k : n;
	k->heads = r->heads_said;
}

static void no_shape(struct meaning *m, const struct npy *a)
{
	char shape[80], text[sizeof m->note];

	shape_text(a, shape, sizeof shape);
	snprintf(text, sizeof text, "its shape %s is none of a %s", shape, role_name(m->role));
	put_unused(m, text);
}

static void shape_one(struct recognition *r, const struct tensors *t, size_t i, const struct known *k)
{
	struct meaning *m = &r->v[i];
	const struct npy *a = &t->v[i].array, *other = NULL;
	struct known own = *k;
	bool fits = true;

	if (m->role == ROLE_WEIGHTS || m->role == ROLE_SCORES) {
		fits = shape_grid(m, a, k);
	} else if (is_attention(m->role)) {
		size_t o = find(r, m->role == ROLE_Q ? ROLE_K : ROLE_Q, m->layer);
		if (o < r->n && o != i)
			other = &t->v[o].array;
		if (r->kv_heads_said && m->split_unknown && (m->role == ROLE_K || m->role == ROLE_V))
			own.heads = r->kv_heads_said;
		fits = shape_rows(m, a, &own, other);
		if (fits && m->split_unknown)
			m->unused = true;
	} else if (is_token_role(m->role) || m->role == ROLE_IDS) {
		fits = shape_tokens(m, a);
	}
	if (!fits)
		no_shape(m, a);
}

/* Where q's own sizes do not tell heads from positions, k's do, in grouped queries. */
static void follow_keys(struct recognition *r, const struct tensors *t)
{
	for (size_t i = 0; i < r->n; i++) {
		struct meaning *m = &r->v[i];
		if (m->role != ROLE_Q || m->unused || !shape_is_ambiguous(m, &t->v[i].array))
			continue;
		size_t k = find(r, ROLE_K, m->layer);
		if (k < r->n && t->v[k].array.rank == t->v[i].array.rank && r->v[k].axis[DIM_HEAD] != m->axis[DIM_HEAD] &&
		    !shape_is_ambiguous(&r->v[k], &t->v[k].array) && r->v[k].axis[DIM_HEAD] >= 0)
			shape_swap(m);
	}
}

static void shape_all(struct recognition *r, const struct tensors *t)
{
	struct known k = { 0 };

	gather_batches(r, t, &k);
	for (size_t i = 0; i < r->n; i++)
		if ((r->v[i].role == ROLE_WEIGHTS || r->v[i].role == ROLE_SCORES) && !r->v[i].unused)
			shape_one(r, t, i, &k);
	know_sizes(r, t, &k);
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].role > ROLE_SCORES && r->v[i].role <= ROLE_IDS && !r->v[i].unused)
			shape_one(r, t, i, &k);
	follow_keys(r, t);
}

/* ---- parts ---- */

static bool has(const struct recognition *r, const struct part *p, enum role role)
{
	return p->array[role] < r->n;
}

static struct view part_view(const struct recognition *r, const struct tensors *t, const struct part *p, enum role role)
{
	return meaning_view(&r->v[p->array[role]], &t->v[p->array[role]].array);
}

static enum status misfit(const struct recognition *r, const struct tensors *t, const struct part *p, enum role a, enum role b,
			  struct error *e)
{
	char x[80], y[80];

	(void)r;
	shape_text(&t->v[p->array[a]].array, x, sizeof x);
	shape_text(&t->v[p->array[b]].array, y, sizeof y);
	return error_set(e, E_SHAPE, "%s %s and %s %s do not fit each other; --as and --layout say what they are",
			 role_name(a), x, role_name(b), y);
}

/* Sizes of what the scores come from: Q and K, or the grid that is given. */
static enum status measure_scores(const struct recognition *r, const struct tensors *t, struct part *p, struct error *e)
{
	if (p->source != SOURCE_QKV) {
		struct view v = part_view(r, t, p, p->source == SOURCE_WEIGHTS ? ROLE_WEIGHTS : ROLE_SCORES);
		p->n_q = v.size[DIM_ROW];
		p->n_k = v.size[DIM_COLUMN];
		p->heads = p->kv_heads = v.size[DIM_HEAD];
		p->batches = v.size[DIM_BATCH];
		return OK_STATUS;
	}
	struct view q = part_view(r, t, p, ROLE_Q), k = part_view(r, t, p, ROLE_K);
	p->n_q = q.size[DIM_ROW];
	p->n_k = k.size[DIM_ROW];
	p->heads = q.size[DIM_HEAD];
	p->kv_heads = k.size[DIM_HEAD];
	p->d_k = q.size[DIM_COLUMN];
	p->batches = q.size[DIM_BATCH] > k.size[DIM_BATCH] ? q.size[DIM_BATCH] : k.size[DIM_BATCH];
	if (k.size[DIM_COLUMN] != p->d_k || p->heads % p->kv_heads || (k.size[DIM_BATCH] != 1 && k.size[DIM_BATCH] != p->batches) ||
	    (q.size[DIM_BATCH] != 1 && q.size[DIM_BATCH] != p->batches))
		return misfit(r, t, p, ROLE_Q, ROLE_K, e);
	return OK_STATUS;
}

/* Whether an array's axes are those of the part. */
static bool belongs(const struct recognition *r, const struct tensors *t, const struct part *p, enum role role)
{
	struct view v = part_view(r, t, p, role);
	bool grid = role == ROLE_WEIGHTS || role == ROLE_SCORES, batch = v.size[DIM_BATCH] == 1 || v.size[DIM_BATCH] == p->batches;

	if (grid)
		return batch && v.size[DIM_ROW] == p->n_q && v.size[DIM_COLUMN] == p->n_k && v.size[DIM_HEAD] == p->heads;
	return batch && v.size[DIM_ROW] == p->n_k && p->heads % v.size[DIM_HEAD] == 0;
}

static bool reaches(const struct recognition *r, const struct tensors *t, const struct part *p, enum role role)
{
	struct view v = part_view(r, t, p, role);
	return v.size[DIM_LAYER] == 1 || (size_t)p->layer < v.size[DIM_LAYER];
}

/* Drops what cannot be used beside the rest: it is then as if it were not there. */
static void drop_misfits(const struct recognition *r, const struct tensors *t, struct part *p)
{
	static const enum role others[] = { ROLE_WEIGHTS, ROLE_SCORES, ROLE_V };

	for (int i = 0; i < 3; i++)
		if (has(r, p, others[i]) && (!reaches(r, t, p, others[i]) || !belongs(r, t, p, others[i])))
			p->array[others[i]] = r->n;
	if (has(r, p, ROLE_V)) {
		struct view v = part_view(r, t, p, ROLE_V);
		p->d_v = v.size[DIM_COLUMN];
		if (p->source != SOURCE_QKV)
			p->kv_heads = v.size[DIM_HEAD];
	}
	for (int role = ROLE_MASK; role <= ROLE_BIAS; role++)
		if (has(r, p, (enum role)role)) {
			struct meaning m = r->v[p->array[role]];
			if (!shape_mask(&m, &t->v[p->array[role]].array, p))
				p->array[role] = r->n;
		}
}

static enum status no_layer(const struct recognition *r, long layer, struct error *e)
{
	char value[24];

	snprintf(value, sizeof value, "%ld", layer);
	if (r->layers == 1)
		return error_option(e, E_VALUE, "layer", value, "the file has only layer %ld", r->layer[0]);
	return error_option(e, E_VALUE, "layer", value, "the file has %zu layers, %ld to %ld", r->layers, r->layer[0],
			    r->layer[r->layers - 1]);
}

static enum status nothing(const struct recognition *r, const struct tensors *t, struct error *e)
{
	char names[200] = "";
	size_t used = 0, left = r->n;

	if (r->parameters)
		return error_set(e, E_VALUE, "holds the parameters of a model (%zu arrays), not its attention: run the model and save its weights, or Q and K", r->n);
	if (!r->n)
		return error_set(e, E_VALUE, "no arrays are in it");
	for (size_t i = 0; i < r->n && i < 6 && used < sizeof names; i++, left--) {
		char shape[80];
		shape_text(&t->v[i].array, shape, sizeof shape);
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%.40s%s%s%s%.60s", i ? ", " : "", t->v[i].name,
					 *t->v[i].name ? " " : "", shape, r->v[i].unused ? " " : "", r->v[i].unused ? r->v[i].note : "");
	}
	return error_set(e, E_VALUE, "no weights, no scores and no Q and K were recognised: %s%s; --as q=NAME,k=NAME or --as weights=NAME says what arrays are",
			 names, left ? ", ..." : "");
}

enum status recognise_part(const struct recognition *r, const struct tensors *t, long layer, struct part *out,
			   struct error *e)
{
	struct part p = { .layer = layer < 0 && r->layers ? r->layer[0] : layer < 0 ? 0 : layer };
	enum status s;

	if (!r->layers)
		return nothing(r, t, e);
	if (!has_layer(r, p.layer))
		return no_layer(r, p.layer, e);
	for (int role = 0; role < ROLE_COUNT; role++)
		p.array[role] = role == ROLE_UNKNOWN ? r->n : find(r, (enum role)role, p.layer);
	if (has(r, &p, ROLE_Q) && has(r, &p, ROLE_K) && reaches(r, t, &p, ROLE_Q) && reaches(r, t, &p, ROLE_K))
		p.source = SOURCE_QKV;
	else if (has(r, &p, ROLE_WEIGHTS) && reaches(r, t, &p, ROLE_WEIGHTS))
		p.source = SOURCE_WEIGHTS;
	else if (has(r, &p, ROLE_SCORES) && reaches(r, t, &p, ROLE_SCORES))
		p.source = SOURCE_SCORES;
	else
		return nothing(r, t, e);
	if ((s = measure_scores(r, t, &p, e)))
		return s;
	drop_misfits(r, t, &p);
	*out = p;
	return OK_STATUS;
}

/* ---- what numbers say about roles ---- */

enum { OFF_BY_MORE = 100 };	/* 1 / 100: rows that sum to more are no weights */

static void rename_role(struct recognition *r, enum role from, enum role to)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].role == from && in_set(r, i, r->set))
			r->v[i].role = to;
}

static enum status check_weights(struct recognition *r, struct tensors *t, const struct part *p, struct error *e)
{
	struct sums sums;
	enum status s = recognise_sums(r, t, p, ROLE_WEIGHTS, &sums, e);

	if (s)
		return s;
	if (sums.largest > 1 + 1.0 / OFF_BY_MORE || sums.negative) {
		recognition_note(r, sums.negative ? "%s: some are negative, so these are no weights; taken for scores"
						  : "%s: rows sum to up to %.4g, so these are no weights; taken for scores",
				 t->v[p->array[ROLE_WEIGHTS]].name, sums.largest);
		rename_role(r, ROLE_WEIGHTS, ROLE_SCORES);
	} else if (sums.smallest < 1 - sums.tolerance) {
		recognition_note(r, "%s: rows sum to as little as %.4g: a sink or dropped columns are left out",
				 t->v[p->array[ROLE_WEIGHTS]].name, sums.smallest);
	}
	return OK_STATUS;
}

static enum status check_scores(struct recognition *r, struct tensors *t, const struct part *p, struct error *e)
{
	size_t i = p->array[ROLE_SCORES];
	struct sums sums;
	enum status s;

	if (!r->v[i].unsure || (s = recognise_sums(r, t, p, ROLE_SCORES, &sums, e)))
		return r->v[i].unsure ? e->status : OK_STATUS;
	if (!sums.negative && sums.smallest > 1 - 1.0 / OFF_BY_MORE && sums.largest < 1 + 1.0 / OFF_BY_MORE)
		rename_role(r, ROLE_SCORES, ROLE_WEIGHTS);
	return OK_STATUS;
}

/* Masks get their axes when the sizes are known. */
static void shape_masks(struct recognition *r, struct tensors *t, const struct part *p)
{
	for (size_t i = 0; i < r->n; i++) {
		struct meaning *m = &r->v[i];
		if ((m->role == ROLE_MASK || m->role == ROLE_BIAS) && !m->unused && !shape_mask(m, &t->v[i].array, p)) {
			char shape[48], text[sizeof m->note + 64];
			shape_text(&t->v[i].array, shape, sizeof shape);
			snprintf(text, sizeof text, "its shape %s does not fit %zu queries, %zu keys", shape, p->n_q, p->n_k);
			put_unused(m, text);
		}
	}
}

static enum status judge(struct recognition *r, struct tensors *t, struct error *e)
{
	struct part p;
	struct error ignored = { 0 };
	enum status s = OK_STATUS;

	if (recognise_part(r, t, -1, &p, &ignored))
		return OK_STATUS;	/* what is wrong is told when it is opened */
	r->opens = true;
	if (has(r, &p, ROLE_WEIGHTS))
		s = check_weights(r, t, &p, e);
	else if (has(r, &p, ROLE_SCORES))
		s = check_scores(r, t, &p, e);
	if (s)
		return s;
	shape_masks(r, t, &p);
	if ((s = agree_masks(r, t, e)))
		return s;
	/* Roles may have changed. */
	return recognise_part(r, t, -1, &p, &ignored) ? OK_STATUS : agree_order(r, t, &p, e);
}

/* ---- the whole ---- */

static enum status recognise_all(struct recognition *r, struct tensors *t, const char *name,
				 const struct recognise_options *o, struct error *e)
{
	enum status s;

	if (t->note[0])
		recognition_note(r, "%s", t->note);
	name_all(r, t, name);
	find_parameters(r, t);
	if ((s = read_metadata(r, t, e)) || (o->as && (s = apply_as(r, t, o->as, e))))
		return s;
	guess_single(r, t);
	prefer_rotated(r);
	choose_set(r);
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].chosen)
			memcpy(r->v[i].set, r->set, sizeof r->set);
	leave_others(r);
	if (o->layout && (s = shape_layout(r, t, o->layout, e)))
		return s;
	shape_all(r, t);
	if ((s = find_layers(r, t, e)))
		return s;
	return judge(r, t, e);
}

enum status recognise(struct recognition *r, struct tensors *t, const char *name,
		      const struct recognise_options *o, struct error *e)
{
	static const struct recognise_options as_it_is;
	struct recognition fresh = { .n = t->n, .v = calloc(t->n + 1, sizeof *fresh.v) };
	enum status s = fresh.v ? recognise_all(&fresh, t, name, o ? o : &as_it_is, e)
				: error_set(e, E_MEMORY, "no memory for %zu arrays", t->n);

	if (!s && fresh.notes.failed)
		s = error_set(e, E_MEMORY, "no memory for notes");
	if (s)
		recognition_free(&fresh);
	else
		*r = fresh;
	return s;
}

void recognition_free(struct recognition *r)
{
	for (int k = 0; k < 3; k++) {
		for (size_t i = 0; i < r->texts[k]; i++)
			tokens_free(&r->text[k][i]);
		free(r->text[k]);
	}
	free(r->v);
	free(r->layer);
	buffer_free(&r->notes);
	*r = (struct recognition){ 0 };
}
