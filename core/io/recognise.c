/* recognise.c - what the arrays of a file mean: names, then choices, then shapes. */
#include "core/io/recognise.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/recognise_parts.h"
#include "core/message.h"

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

void meaning_unused(struct meaning *m, const char *why)
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
		meaning_unused(m, v->refused);
	else if (!v->array.count)
		meaning_unused(m, _("is empty"));
	else if (!v->array.rank && m->role == ROLE_UNKNOWN)
		meaning_unused(m, npy_is_text(&v->array) ? _("is one text") : _("is one number"));
}

/* An array without a name goes by that of its file, without the ending. */
static void name_all(struct recognition *r, const struct tensors *t, const char *file)
{
	char name[256];
	const char *dot = strrchr(file, '.');

	snprintf(name, sizeof name, "%.*s", (int)(dot && dot - file < (int)sizeof name ? dot - file : (int)sizeof name - 1), file);
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
	r->v[found].layer = -1;
	r->v[found].unsure = true;
	snprintf(r->v[found].note, sizeof r->v[found].note, _("by its numbers, its name says nothing"));
}

/* ---- several attentions in one file ---- */

bool recognition_uses(const struct recognition *r, size_t i, const char *set)
{
	const struct meaning *m = &r->v[i];
	return is_attention(m->role) && m->role != ROLE_OUTPUT && !m->unused && !strcmp(m->set, set);
}

/* Both Q and K, then weights, then scores; an attention without a name of its own before others. */
static int worth(const struct recognition *r, const char *set)
{
	bool has[ROLE_COUNT] = { false };

	for (size_t i = 0; i < r->n; i++)
		if (recognition_uses(r, i, set))
			has[r->v[i].role] = true;
	return (has[ROLE_Q] && has[ROLE_K]) * 32 + has[ROLE_WEIGHTS] * 16 + has[ROLE_SCORES] * 8 +
	       (has[ROLE_Q] || has[ROLE_K] || has[ROLE_V]) * 4 + !*set * 2 + !strstr(set, "cross");
}

static void choose_set(struct recognition *r)
{
	int best = -1;

	for (size_t i = 0; i < r->n; i++) {
		if (!recognition_uses(r, i, r->v[i].set))
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
			meaning_unused(m, _("belongs to another attention of this file; --as names it"));
			recognition_note(r, _("another attention is in this file, named %s; --as q=NAME,k=NAME,v=NAME,weights=NAME opens it"),
					 *m->set ? m->set : _("without a prefix"));
		}
	}
}

size_t recognition_find(const struct recognition *r, enum role role, long layer)
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
			meaning_unused(m, _("before rotary embedding; the rotated one is used"));
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

bool recognition_has_layer(const struct recognition *r, long layer)
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
		if (!recognition_uses(r, i, r->set))
			continue;
		if (m->layer >= 0 && !recognition_has_layer(r, m->layer) && (m->chosen || !named))
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
	if (!r->layers && !s && (recognition_find(r, ROLE_WEIGHTS, 0) < r->n || recognition_find(r, ROLE_SCORES, 0) < r->n || recognition_find(r, ROLE_Q, 0) < r->n))
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
			if (r->v[i].role == grids[g] && recognition_uses(r, i, r->set) && t->v[i].array.rank >= 2) {
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
	snprintf(text, sizeof text, _("its shape %s is none of a %s"), shape, role_name(m->role));
	meaning_unused(m, text);
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
		size_t o = recognition_find(r, m->role == ROLE_Q ? ROLE_K : ROLE_Q, m->layer);
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
		size_t k = recognition_find(r, ROLE_K, m->layer);
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
	return recognise_judge(r, t, e);
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
