/* recognise_text.c - tokens, from arrays, metadata or ids; and what else metadata states. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/io/recognise_parts.h"
#include "core/message.h"
#include "core/number.h"

/* ---- metadata ---- */

static enum status list_of_strings(const json_t *j, struct tokens *out, struct error *e)
{
	struct tokens made = { 0 };
	enum status s = OK_STATUS;

	for (size_t i = 0; i < json_array_size(j) && !s; i++) {
		const json_t *text = json_array_get(j, i);
		s = tokens_add(&made, json_string_value(text), json_string_length(text), e);
	}
	if (s)
		tokens_free(&made);
	else
		*out = made;
	return s;
}

static bool is_list_of_strings(const json_t *j)
{
	for (size_t i = 0; i < json_array_size(j); i++)
		if (!json_is_string(json_array_get(j, i)))
			return false;
	return json_array_size(j) > 0;
}

/* A list, or a list of lists: one a batch. False when it is neither. */
static bool is_tokens(const json_t *j)
{
	if (is_list_of_strings(j))
		return true;
	for (size_t i = 0; i < json_array_size(j); i++)
		if (!is_list_of_strings(json_array_get(j, i)))
			return false;
	return json_array_size(j) > 0;
}

static enum status read_tokens(struct recognition *r, int which, const char *text, struct error *e)
{
	json_error_t ignored;
	json_t *j = json_loads(text, 0, &ignored);
	enum status s = OK_STATUS;

	if (j && is_tokens(j) && !r->texts[which]) {
		bool one = is_list_of_strings(j);
		size_t n = one ? 1 : json_array_size(j);
		r->text[which] = calloc(n, sizeof *r->text[which]);
		if (!r->text[which])
			s = error_set(e, E_MEMORY, "no memory for %zu lists of tokens", n);
		for (; r->text[which] && r->texts[which] < n && !s; r->texts[which]++)
			s = list_of_strings(one ? j : json_array_get(j, r->texts[which]), &r->text[which][r->texts[which]], e);
	}
	json_decref(j);
	return s;
}

static size_t read_count(const char *text)
{
	long v;

	return number_parse_integer(text, strlen(text), &v) && v > 0 && v <= 65536 ? (size_t)v : 0;
}

static bool is_one_of(const char *key, const char *a, const char *b, const char *c, const char *d)
{
	return !strcmp(key, a) || !strcmp(key, b) || !strcmp(key, c) || !strcmp(key, d);
}

static enum status read_one(struct recognition *r, const struct metadata *m, struct error *e)
{
	struct meaning meaning;
	double scale;

	name_meaning(&meaning, m->key, false);
	if (meaning.role >= ROLE_TOKENS && meaning.role <= ROLE_KEY_TOKENS)
		return read_tokens(r, (int)meaning.role - ROLE_TOKENS, m->value, e);
	if (meaning.role == ROLE_SCALE && number_parse(m->value, strlen(m->value), &scale) && scale > 0 && scale < 1e6)
		r->scale_said = scale;
	else if (!strcmp(m->key, "mask"))
		r->causal_said = !strcmp(m->value, "causal");
	else if (is_one_of(m->key, "heads", "num_heads", "n_heads", "num_attention_heads"))
		r->heads_said = read_count(m->value);
	else if (is_one_of(m->key, "kv_heads", "num_kv_heads", "n_kv_heads", "num_key_value_heads"))
		r->kv_heads_said = read_count(m->value);
	return OK_STATUS;
}

enum status read_metadata(struct recognition *r, const struct tensors *t, struct error *e)
{
	enum status s = OK_STATUS;

	for (size_t i = 0; i < t->metadata_n && !s && !r->parameters; i++)
		s = read_one(r, &t->metadata[i], e);
	return s;
}

/* ---- tokens of a part ---- */

static enum status from_text(const struct tensor *v, size_t first, size_t n, struct tokens *out, struct error *e)
{
	struct tokens made = { 0 };
	struct buffer text = { 0 };
	enum status s = OK_STATUS;

	for (size_t i = 0; i < n && !s; i++) {
		text.size = 0;
		buffer_put(&text, "", 0);
		tensor_text(v, first + i, &text);
		s = text.failed ? error_set(e, E_MEMORY, "no memory for tokens")
				: tokens_add(&made, text.size ? text.data : "", text.size, e);
	}
	buffer_free(&text);
	if (s)
		tokens_free(&made);
	else
		*out = made;
	return s;
}

/* "#123" */
static enum status from_ids(const struct tensor *v, size_t first, size_t n, struct tokens *out, struct error *e)
{
	struct tokens made = { 0 };
	enum status s = OK_STATUS;

	for (size_t i = 0; i < n && !s; i++) {
		char text[40];
		int length = snprintf(text, sizeof text, "#%.0f", npy_number(&v->array, first + i));
		s = tokens_add(&made, text, (size_t)length, e);
	}
	if (s)
		tokens_free(&made);
	else
		*out = made;
	return s;
}

/* The n tokens of an array of that role, when it has so many. */
static enum status from_arrays(const struct recognition *r, struct tensors *t, enum role role, size_t batch, size_t n,
			       struct tokens *out, struct error *e)
{
	for (size_t i = 0; i < r->n && !out->n; i++) {
		if (r->v[i].role != role || r->v[i].unused)
			continue;
		struct view view = meaning_view(&r->v[i], &t->v[i].array);
		size_t b = view.size[DIM_BATCH] == 1 ? 0 : batch;
		if (view.size[DIM_ROW] != n || b >= view.size[DIM_BATCH])
			continue;
		enum status s = tensors_open(t, i, e);
		if (!s)
			s = role == ROLE_IDS ? from_ids(&t->v[i], b * n, n, out, e) : from_text(&t->v[i], b * n, n, out, e);
		if (s)
			return s;
	}
	return OK_STATUS;
}

static enum status from_metadata(const struct recognition *r, int which, size_t batch, size_t n, struct tokens *out, struct error *e)
{
	size_t b = r->texts[which] == 1 ? 0 : batch;

	if (out->n || b >= r->texts[which] || r->text[which][b].n != n)
		return OK_STATUS;
	return tokens_copy(out, &r->text[which][b], e);
}

static enum status find_tokens(const struct recognition *r, struct tensors *t, enum role own, size_t batch, size_t n,
			       struct tokens *out, struct error *e)
{
	enum status s;

	if ((s = from_arrays(r, t, own, batch, n, out, e)) || (s = from_arrays(r, t, ROLE_TOKENS, batch, n, out, e)) ||
	    (s = from_metadata(r, own - ROLE_TOKENS, batch, n, out, e)) || (s = from_metadata(r, 0, batch, n, out, e)))
		return s;
	return from_arrays(r, t, ROLE_IDS, batch, n, out, e);
}

static bool has_any(const struct recognition *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].role >= ROLE_TOKENS && r->v[i].role <= ROLE_IDS && !r->v[i].unused)
			return true;
	return r->texts[0] || r->texts[1] || r->texts[2];
}

/* The queries of a cached step are the last places. */
static enum status last_ones(const struct tokens *key, size_t n, struct tokens *out, struct error *e)
{
	struct tokens last = { key->text + (key->n - n), n };
	return tokens_copy(out, &last, e);
}

enum status recognise_tokens(struct recognition *r, struct tensors *t, const struct part *p, size_t batch,
			     bool aligned, struct tokens *query, struct tokens *key, struct error *e)
{
	struct tokens q = { 0 }, k = { 0 };
	enum status s;

	if (!(s = find_tokens(r, t, ROLE_KEY_TOKENS, batch, p->n_k, &k, e)))
		s = find_tokens(r, t, ROLE_QUERY_TOKENS, batch, p->n_q, &q, e);
	if (!s && !q.n && k.n && aligned && p->n_q < p->n_k)
		s = last_ones(&k, p->n_q, &q, e);
	/* One list is that of both, where a grid is square. */
	if (!s && !q.n != !k.n && p->n_q == p->n_k && !r->cross)
		s = tokens_copy(q.n ? &k : &q, q.n ? &q : &k, e);
	if (s) {
		tokens_free(&q);
		tokens_free(&k);
		return s;
	}
	if ((!q.n || !k.n) && has_any(r))
		recognition_note(r, !q.n && !k.n ? _("tokens: their number is neither that of the queries nor of the keys, so they are not used")
					: q.n ? _("tokens: their number is not that of the keys, so they are not used for these")
					      : _("tokens: their number is not that of the queries, so they are not used for these"));
	*query = q;
	*key = k;
	return OK_STATUS;
}
