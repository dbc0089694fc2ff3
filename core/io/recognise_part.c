/* recognise_part.c - what is opened of one layer, and what its numbers say about roles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/recognise_parts.h"
#include "core/message.h"

static bool has(const struct recognition *r, const struct part *p, enum role role)
{
	return p->array[role] < r->n;
}

static struct view part_view(const struct recognition *r, const struct tensors *t, const struct part *p, enum role role)
{
	return meaning_view(&r->v[p->array[role]], &t->v[p->array[role]].array);
}

static enum status misfit(const struct tensors *t, const struct part *p, enum role a, enum role b, struct error *e)
{
	char x[80], y[80];

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
		return misfit(t, p, ROLE_Q, ROLE_K, e);
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

/* Whether there is such an array, and the layer in it. */
static bool reaches(const struct recognition *r, const struct tensors *t, const struct part *p, enum role role)
{
	if (!has(r, p, role))
		return false;
	struct view v = part_view(r, t, p, role);
	return v.size[DIM_LAYER] == 1 || (size_t)p->layer < v.size[DIM_LAYER];
}

/* Drops what cannot be used beside the rest: it is then as if it were not there. */
static void drop_misfits(const struct recognition *r, const struct tensors *t, struct part *p)
{
	static const enum role others[] = { ROLE_WEIGHTS, ROLE_SCORES, ROLE_V };

	for (int i = 0; i < 3; i++)
		if (!reaches(r, t, p, others[i]) || !belongs(r, t, p, others[i]))
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

/* "q (2, 3), k (2, 3), ...": what can be read, and why it is not used. */
static void list_arrays(const struct recognition *r, const struct tensors *t, char *out, size_t size)
{
	size_t used = 0, shown = 0;

	*out = '\0';
	for (size_t i = 0; i < r->n && used < size; i++) {
		char shape[80];
		if (t->v[i].refused[0])
			continue;
		if (shown++ == 6) {
			snprintf(out + used, size - used, ", ...");
			return;
		}
		shape_text(&t->v[i].array, shape, sizeof shape);
		used += (size_t)snprintf(out + used, size - used, "%s%.40s%s%s%s%.60s", used ? ", " : "", t->v[i].name,
					 *t->v[i].name ? " " : "", shape, r->v[i].unused ? " " : "", r->v[i].unused ? r->v[i].note : "");
	}
}

/* An array of a type that is not read may be what was meant: its reason is told. */
static enum status nothing(const struct recognition *r, const struct tensors *t, struct error *e)
{
	char names[200];
	size_t first = r->n, refused = 0;

	if (r->parameters)
		return error_set(e, E_VALUE, "holds the parameters of a model (%zu arrays), not its attention: run the model and save its weights, or Q and K", r->n);
	if (!r->n)
		return error_set(e, E_VALUE, "no arrays are in it");
	for (size_t i = 0; i < r->n; i++) {
		if (t->v[i].refused[0] && !refused++)
			first = i;
	}
	list_arrays(r, t, names, sizeof names);
	if (!refused)
		return error_set(e, E_VALUE, "no weights, no scores and no Q and K were recognised: %s; --as q=NAME,k=NAME or --as weights=NAME says what arrays are",
				 names);
	const char *name = t->v[first].name, *why = t->v[first].refused;
	if (refused < r->n)
		return error_set(e, E_VALUE, "no weights, no scores and no Q and K were recognised: %s; '%.40s' is not read: %s", names, name, why);
	return *name ? error_set(e, E_VALUE, "'%.60s': %s", name, why) : error_set(e, E_VALUE, "%s", why);
}

static bool is_chosen(const struct recognition *r, const struct part *p, enum role role)
{
	return has(r, p, role) && r->v[p->array[role]].chosen;
}

/* Weights that --as names without Q and K are wanted as they are. */
static bool asks_for_stored(const struct recognition *r, const struct part *p)
{
	return (is_chosen(r, p, ROLE_WEIGHTS) || is_chosen(r, p, ROLE_SCORES)) && !is_chosen(r, p, ROLE_Q) && !is_chosen(r, p, ROLE_K);
}

enum status recognise_part(const struct recognition *r, const struct tensors *t, long layer, struct part *out,
			   struct error *e)
{
	struct part p = { .layer = layer < 0 && r->layers ? r->layer[0] : layer < 0 ? 0 : layer };
	enum status s;

	if (!r->layers)
		return nothing(r, t, e);
	if (!recognition_has_layer(r, p.layer))
		return no_layer(r, p.layer, e);
	for (int role = 0; role < ROLE_COUNT; role++)
		p.array[role] = role == ROLE_UNKNOWN ? r->n : recognition_find(r, (enum role)role, p.layer);
	bool stored = asks_for_stored(r, &p), only_scores = is_chosen(r, &p, ROLE_SCORES) && stored;
	if (reaches(r, t, &p, ROLE_Q) && reaches(r, t, &p, ROLE_K) && !stored)
		p.source = SOURCE_QKV;
	else if (reaches(r, t, &p, ROLE_WEIGHTS) && !only_scores)
		p.source = SOURCE_WEIGHTS;
	else if (reaches(r, t, &p, ROLE_SCORES))
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
		if (r->v[i].role == from && recognition_uses(r, i, r->set))
			r->v[i].role = to;
}

/* Rows of weights that sum to too much are a fault, or no weights: that depends on who asks. */
static void mark_weights(struct recognition *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].role == ROLE_WEIGHTS && recognition_uses(r, i, r->set))
			r->v[i].was_weights = true;
}

void recognition_as_named(struct recognition *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].was_weights)
			r->v[i].role = ROLE_WEIGHTS;
}

static enum status check_weights(struct recognition *r, struct tensors *t, const struct part *p, struct error *e)
{
	struct sums sums;
	enum status s = recognise_sums(r, t, p, ROLE_WEIGHTS, &sums, e);

	if (s)
		return s;
	if (sums.largest > 1 + 1.0 / OFF_BY_MORE || sums.negative) {
		recognition_note(r, sums.negative ? _("%s: some are negative, so these are no weights; taken for scores")
						  : _("%s: rows sum to up to %.4g, so these are no weights; taken for scores"),
				 t->v[p->array[ROLE_WEIGHTS]].name, sums.largest);
		if (!sums.negative)
			mark_weights(r);
		rename_role(r, ROLE_WEIGHTS, ROLE_SCORES);
		return OK_STATUS;
	}
	if (sums.nan_rows)
		recognition_note(r, _("%s: some rows are NaN, as fully masked ones are"), t->v[p->array[ROLE_WEIGHTS]].name);
	if (sums.smallest < 1 - sums.tolerance)
		recognition_note(r, sums.smallest == 0 ? _("%s: some rows sum to %.4g, as fully masked ones may")
						       : _("%s: rows sum to as little as %.4g: a sink or dropped columns are left out"),
				 t->v[p->array[ROLE_WEIGHTS]].name, sums.smallest);
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
			snprintf(text, sizeof text, _("its shape %s does not fit %zu queries, %zu keys"), shape, p->n_q, p->n_k);
			meaning_unused(m, text);
		}
	}
}

static void note_misfits(struct recognition *r, const struct tensors *t, const struct part *p)
{
	static const enum role others[] = { ROLE_WEIGHTS, ROLE_SCORES, ROLE_V };

	for (int i = 0; i < 3; i++) {
		size_t found = recognition_find(r, others[i], p->layer);
		char shape[80];
		if (found == r->n || has(r, p, others[i]))
			continue;
		shape_text(&t->v[found].array, shape, sizeof shape);
		recognition_note(r, _("%s %s is left out: it does not fit %zu queries, %zu keys, %zu heads"), t->v[found].name, shape,
				 p->n_q, p->n_k, p->heads);
	}
}

/* Of Q and K alone, as --layout has it, the order that was not taken. */
static void note_order(struct recognition *r, const struct tensors *t, const struct part *p)
{
	const struct meaning *q, *k;

	if (p->source != SOURCE_QKV || has(r, p, ROLE_WEIGHTS) || has(r, p, ROLE_SCORES))
		return;
	q = &r->v[p->array[ROLE_Q]];
	k = &r->v[p->array[ROLE_K]];
	if (q->order_assumed && k->order_assumed)
		recognition_note(r, _("%s: that heads come before tokens is assumed; --layout %s%stoken,head,dim says otherwise"),
				 t->v[p->array[ROLE_Q]].name, q->axis[DIM_LAYER] >= 0 ? "layer," : "", q->axis[DIM_BATCH] >= 0 ? "batch," : "");
}

enum status recognise_judge(struct recognition *r, struct tensors *t, struct error *e)
{
	struct part p;
	struct error ignored = { 0 };
	enum status s = OK_STATUS;

	if (recognise_part(r, t, -1, &p, &ignored))
		return OK_STATUS;	/* what is wrong is told when it is opened */
	r->opens = true;
	note_misfits(r, t, &p);
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
	if (recognise_part(r, t, -1, &p, &ignored))
		return OK_STATUS;
	note_order(r, t, &p);
	return agree_order(r, t, &p, e);
}
