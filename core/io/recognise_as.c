/* recognise_as.c - the roles that --as gives, in place of those that were recognised. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/recognise_parts.h"
#include "core/message.h"
#include "core/nearest.h"

enum { NAME_SIZE = 256, NEAR_MAX = 3, ALL_MAX = 6 };

static enum status refuse(struct error *e, const char *as, const char *text)
{
	return error_option(e, E_VALUE, "as", as, "%s", text);
}

/* Whether name is pattern, in which one * stands for digits: *layer is then their
 * number, else as it was. */
static bool matches(const char *pattern, const char *name, long *layer)
{
	const char *star = strchr(pattern, '*');
	size_t before = star ? (size_t)(star - pattern) : 0, n = strlen(name), after = star ? strlen(star + 1) : 0;

	if (!star)
		return !strcmp(pattern, name);
	if (n <= before + after || memcmp(pattern, name, before) || strcmp(star + 1, name + n - after))
		return false;
	size_t digits = strspn(name + before, "0123456789");
	if (digits != n - before - after || digits > 7)
		return false;
	*layer = strtol(name + before, NULL, 10);
	return true;
}

/* All names of a few; else those that are nearest, the first few in the file of those that are equally near. */
static enum status no_array(const struct tensors *t, const char *as, const char *name, struct error *e)
{
	char text[500];
	size_t best = SIZE_MAX, found = 0;
	bool all = t->n <= ALL_MAX;
	int used = snprintf(text, sizeof text, all ? _("no array is named '%.60s'; the file has") : _("no array is named '%.60s'; the nearest:"), name);

	for (size_t i = 0; i < t->n; i++) {
		size_t d = nearest_distance(name, t->v[i].name, true);
		if (d < best)
			best = d;
	}
	for (size_t i = 0; i < t->n && (all || found < NEAR_MAX) && used < (int)sizeof text; i++)
		if (all || nearest_distance(name, t->v[i].name, true) == best)
			used += snprintf(text + used, sizeof text - (size_t)used, "%s %.60s", found++ ? "," : "", t->v[i].name);
	return refuse(e, as, text);
}

static bool suits(enum role role, const struct tensor *v)
{
	bool text = v->text.n || npy_is_text(&v->array);
	int rank = v->array.rank;

	if (role >= ROLE_TOKENS && role <= ROLE_KEY_TOKENS)
		return text && rank >= 1 && rank <= 2;
	if (text)
		return false;
	if (role == ROLE_IDS)
		return rank >= 1 && rank <= 2;
	if (role == ROLE_SCALE)
		return v->array.count == 1;
	return rank >= (role >= ROLE_Q && role <= ROLE_OUTPUT ? 2 : 1) && rank <= 5;
}

static enum status give(struct recognition *r, const struct tensors *t, size_t i, enum role role, long layer,
			const char *as, struct error *e)
{
	struct meaning *m = &r->v[i];
	const struct tensor *v = &t->v[i];
	char shape[80], text[400];

	shape_text(&v->array, shape, sizeof shape);
	if (!v->refused[0] && v->array.count && suits(role, v)) {
		if (m->role != role) {
			m->role = role;
			m->mask = v->array.kind <= NPY_BF16 ? MASK_ADDS : MASK_KEEPS;
		}
		m->layer = layer;
		m->chosen = true;
		m->unused = m->unsure = false;
		snprintf(m->note, sizeof m->note, _("as asked for"));
		return OK_STATUS;
	}
	if (v->refused[0])
		snprintf(text, sizeof text, _("'%.60s' is not read: %s"), v->name, v->refused);
	else
		snprintf(text, sizeof text, v->array.count ? _("'%.60s' %s cannot be %s") : _("'%.60s' %s is empty and cannot be %s"), v->name, shape,
			 role_name(role));
	return refuse(e, as, text);
}

static enum status give_named(struct recognition *r, const struct tensors *t, enum role role, const char *name,
			      const char *as, struct error *e)
{
	bool any = false;

	for (size_t i = 0; i < t->n; i++) {
		long layer = r->v[i].layer;
		if (!matches(name, t->v[i].name, &layer))
			continue;
		enum status s = give(r, t, i, role, layer, as, e);
		if (s)
			return s;
		any = true;
	}
	return any ? OK_STATUS : no_array(t, as, name, e);
}

/* The one array that is not of text and has axes. */
static enum status give_only(struct recognition *r, const struct tensors *t, enum role role, const char *as, struct error *e)
{
	size_t found = t->n, several = 0;

	for (size_t i = 0; i < t->n; i++)
		if (suits(role, &t->v[i]) && !(r->v[i].role >= ROLE_TOKENS && r->v[i].role < ROLE_COUNT && t->n > 1)) {
			found = i;
			several++;
		}
	if (several == 1)
		return give(r, t, found, role, r->v[found].layer, as, e);
	return refuse(e, as, several ? "several arrays may be meant; ROLE=NAME is expected" : "no array of the file can be that");
}

/* Others of a role that was given to named arrays lose it. */
static void take_from_others(struct recognition *r, enum role role)
{
	for (size_t i = 0; i < r->n; i++) {
		struct meaning *m = &r->v[i];
		if (m->role == role && !m->chosen && !m->unused) {
			m->unused = true;
			snprintf(m->note, sizeof m->note, _("--as names another"));
		}
	}
}

static enum status apply_one(struct recognition *r, const struct tensors *t, const char *text, size_t n, const char *as,
			     struct error *e)
{
	const char *equals = memchr(text, '=', n);
	size_t word = equals ? (size_t)(equals - text) : n;
	enum role role = role_find(text, word);
	char name[NAME_SIZE];
	enum status s;

	if (role == ROLE_COUNT)
		return refuse(e, as, "ROLE=NAME,... is expected, ROLE being one of weights, scores, q, k, v, output, tokens, query-tokens, key-tokens, ids, mask, bias, scale");
	if (!equals) {
		s = give_only(r, t, role, as, e);
	} else {
		snprintf(name, sizeof name, "%.*s", (int)(n - word - 1 < NAME_SIZE ? n - word - 1 : NAME_SIZE - 1), equals + 1);
		s = give_named(r, t, role, name, as, e);
	}
	if (!s)
		take_from_others(r, role);
	return s;
}

enum status apply_as(struct recognition *r, const struct tensors *t, const char *as, struct error *e)
{
	for (const char *text = as;; text++) {
		size_t n = strcspn(text, ",");
		enum status s = apply_one(r, t, text, n, as, e);
		if (s)
			return s;
		text += n;
		if (!*text)
			return OK_STATUS;
	}
}
