/* model_plan.c - which heads of a model are interfered with, and how. */
#include "core/model_plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/number.h"

/* ---- options that are computed with ---- */

bool model_option_counts(enum option o)
{
	return option_info(o)->group != GROUP_VIEW && o != OPT_HEAD && o != OPT_LAYER && o != OPT_BATCH;
}

static bool same_options(const struct options *a, const struct options *b)
{
	for (int o = 0; o < OPT_COUNT; o++)
		if (model_option_counts((enum option)o) && !option_same(a, b, (enum option)o))
			return false;
	return true;
}

/* ---- memory ---- */

static size_t count(const struct model_plan *p)
{
	return p->layers * p->heads;
}

enum status model_plan_init(struct model_plan *p, const struct model *m, struct error *e)
{
	struct model_plan fresh = { .layers = m->size.layers, .heads = m->size.heads };

	fresh.head = calloc(count(&fresh), sizeof *fresh.head);
	if (!fresh.head)
		return error_set(e, E_MEMORY, "no memory for %zu heads", count(&fresh));
	*p = fresh;
	return OK_STATUS;
}

static void forget_options(struct head_plan *h)
{
	if (h->options)
		options_free(h->options);
	free(h->options);
	h->options = NULL;
}

static enum status give_options(struct head_plan *h, const struct options *o, struct error *e)
{
	struct options *copy = malloc(sizeof *copy);
	enum status s = copy ? options_copy(copy, o, e) : error_set(e, E_MEMORY, "no memory for the options of a head");

	if (s) {
		free(copy);
		return s;
	}
	forget_options(h);
	h->options = copy;
	return OK_STATUS;
}

enum status model_plan_copy(struct model_plan *to, const struct model_plan *from, struct error *e)
{
	struct model_plan copy = { .layers = from->layers, .heads = from->heads };
	enum status s = OK_STATUS;

	copy.head = calloc(count(from), sizeof *copy.head);
	if (!copy.head)
		return error_set(e, E_MEMORY, "no memory for %zu heads", count(from));
	for (size_t k = 0; k < count(from) && !s; k++) {
		copy.head[k].off = from->head[k].off;
		if (from->head[k].options)
			s = give_options(&copy.head[k], from->head[k].options, e);
	}
	if (s)
		model_plan_free(&copy);
	else
		*to = copy;
	return s;
}

void model_plan_free(struct model_plan *p)
{
	for (size_t k = 0; p->head && k < count(p); k++)
		forget_options(&p->head[k]);
	free(p->head);
	*p = (struct model_plan){ 0 };
}

/* ---- which heads ---- */

static enum status not_a_set(const struct model *m, const char *text, size_t length, struct error *e)
{
	return error_set(e, E_VALUE, "'%.*s' names no head: 0.0 to %zu.%zu, a layer or all is expected", (int)(length < 40 ? length : 40), text,
			 m->size.layers - 1, m->size.heads - 1);
}

static bool read_index(const char *text, size_t n, size_t limit, long *value)
{
	long v;

	if (!n || text[0] < '0' || text[0] > '9' || !number_parse_integer(text, n, &v) || (size_t)v >= limit)
		return false;
	*value = v;
	return true;
}

enum status head_set_parse(struct head_set *s, const struct model *m, const char *text, size_t length, struct error *e)
{
	struct head_set fresh = { MODEL_ALL, MODEL_ALL };
	const char *dot = memchr(text, '.', length);
	size_t first = dot ? (size_t)(dot - text) : length;

	if (length == 3 && !memcmp(text, "all", 3)) {
		*s = fresh;
		return OK_STATUS;
	}
	if (!read_index(text, first, m->size.layers, &fresh.layer) ||
	    (dot && !read_index(dot + 1, length - first - 1, m->size.heads, &fresh.head)))
		return not_a_set(m, text, length, e);
	*s = fresh;
	return OK_STATUS;
}

bool head_set_has(const struct head_set *s, size_t layer, size_t head)
{
	return (s->layer == MODEL_ALL || (size_t)s->layer == layer) && (s->head == MODEL_ALL || (size_t)s->head == head);
}

/* ---- what is done to them ---- */

void model_plan_off(struct model_plan *p, const struct head_set *s, bool off)
{
	for (size_t k = 0; k < count(p); k++)
		if (head_set_has(s, k / p->heads, k % p->heads))
			p->head[k].off = off;
}

enum status model_plan_options(struct model_plan *p, const struct head_set *s, const struct options *o, struct error *e)
{
	struct options plain;
	enum status status = model_options(&plain, e);

	if (status)
		return status;
	bool touches = o && !same_options(o, &plain);
	for (size_t k = 0; k < count(p) && !status; k++) {
		if (!head_set_has(s, k / p->heads, k % p->heads))
			continue;
		if (touches)
			status = give_options(&p->head[k], o, e);
		else
			forget_options(&p->head[k]);
	}
	options_free(&plain);
	return status;
}

const struct head_plan *model_plan_head(const struct model_plan *p, size_t layer, size_t head)
{
	return &p->head[layer * p->heads + head];
}

bool head_plan_same(const struct head_plan *a, const struct head_plan *b)
{
	if (a->off != b->off || !a->options != !b->options)
		return false;
	return !a->options || same_options(a->options, b->options);
}

bool model_plan_touches(const struct model_plan *p)
{
	for (size_t k = 0; k < count(p); k++)
		if (p->head[k].off || p->head[k].options)
			return true;
	return false;
}

size_t model_plan_not_causal(const struct model_plan *p)
{
	size_t n = 0;

	for (size_t k = 0; k < count(p); k++)
		n += p->head[k].options && !p->head[k].off && !p->head[k].options->causal;
	return n;
}
