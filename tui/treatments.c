/* treatments.c - what a clinic shows of its variants, computed in pieces. */
#include "tui/treatments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t treatments_first(size_t at, size_t count, size_t shown)
{
	size_t first = at > shown / 2 ? at - shown / 2 : 0;

	return shown >= count ? 0 : first > count - shown ? count - shown : first;
}

/* Whether both compute the same, however it is shown. */
static bool computes_alike(const struct options *a, const struct options *b)
{
	for (int o = 0; o < OPT_COUNT; o++)
		if (option_info((enum option)o)->dirties < STAGE_COUNT && !option_same(a, b, (enum option)o))
			return false;
	return true;
}

static enum status begin_variant(struct treatments *t, size_t k, const struct options *now, struct error *e)
{
	struct treatment *v = &t->v[k];
	size_t cells = t->window.rows * t->window.columns;
	struct options own;
	struct error why = { 0 };

	v->row = calloc(t->window.rows + 1, sizeof *v->row);
	v->weights = calloc(cells + 1, sizeof *v->weights);
	v->hidden = calloc(cells + 1, sizeof *v->hidden);
	if (!v->row || !v->weights || !v->hidden)
		return error_set(e, E_MEMORY, "no memory for %zu cells", cells);
	if (clinic_options(&own, &t->base, &t->clinic->variants[k], &why)) {
		snprintf(v->error, sizeof v->error, "%.190s", why.text);
		return OK_STATUS;
	}
	v->in_force = computes_alike(&own, now);
	options_free(&own);
	return OK_STATUS;
}

enum status treatments_begin(struct treatments **out, const struct clinic *c, const struct problem *p,
			     const struct treatments_window *window, const struct options *base,
			     const struct options *now, const struct random_tables *tables, struct error *e)
{
	struct treatments *t = calloc(1, sizeof *t);
	enum status s = OK_STATUS;

	if (!t)
		return error_set(e, E_MEMORY, "no memory for a clinic");
	t->clinic = c;
	t->problem = p;
	t->tables = tables;
	t->window = *window;
	t->v = calloc(c->variants_count + 1, sizeof *t->v);
	if (!t->v)
		s = error_set(e, E_MEMORY, "no memory for %zu variants", c->variants_count);
	else
		s = options_copy(&t->base, base, e);
	for (size_t k = 0; k < c->variants_count && !s; k++)
		s = begin_variant(t, k, now, e);
	if (s)
		treatments_free(t);
	else
		*out = t;
	return s;
}

static void close_variant(struct treatments *t)
{
	if (!t->open)
		return;
	row_free(&t->room);
	attention_free(&t->attention);
	t->open = false;
}

static enum status open_variant(struct treatments *t, size_t k, struct error *e)
{
	enum status s = clinic_attention(&t->attention, t->problem, &t->base, &t->clinic->variants[k], t->tables, e);

	if (s)
		return s;
	if ((s = row_init(&t->room, &t->attention, e)))
		attention_free(&t->attention);
	else
		t->open = true;
	return s;
}

static void take_row(struct treatments *t, struct treatment *v, size_t i)
{
	const struct treatments_window *w = &t->window;
	const struct row *r = &t->room;

	row_compute(&t->room, &t->attention, w->top + i, STAGE_SCORES, STAGE_WEIGHTS);
	v->row[i] = (struct treated_row){ true, r->sum, r->verdict };
	for (size_t j = 0; j < w->columns; j++) {
		v->weights[i * w->columns + j] = r->weights[w->left + j];
		v->hidden[i * w->columns + j] = mask_hides(r->rules[w->left + j]);
	}
}

void treatments_step(struct treatments *t)
{
	size_t rows = t->window.rows, k, i;
	struct error e = { 0 };

	if (treatments_done(t))
		return;
	k = t->at / rows;
	i = t->at % rows;
	if (!t->open && !*t->v[k].error && open_variant(t, k, &e))
		snprintf(t->v[k].error, sizeof t->v[k].error, "%.190s", e.text);
	if (*t->v[k].error) {
		t->at = (k + 1) * rows;
		return;
	}
	take_row(t, &t->v[k], i);
	if (++t->at % rows == 0)
		close_variant(t);
}

bool treatments_done(const struct treatments *t)
{
	return t->at >= t->clinic->variants_count * t->window.rows;
}

double treatments_progress(const struct treatments *t)
{
	size_t all = t->clinic->variants_count * t->window.rows;

	return all ? (double)t->at / (double)all : 1;
}

void treatments_free(struct treatments *t)
{
	if (!t)
		return;
	close_variant(t);
	for (size_t k = 0; t->v && k < t->clinic->variants_count; k++) {
		free(t->v[k].row);
		free(t->v[k].weights);
		free(t->v[k].hidden);
	}
	free(t->v);
	options_free(&t->base);
	free(t);
}
