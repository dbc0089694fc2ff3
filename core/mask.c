/* mask.c - the rules that hide a cell, by name. */
#include "core/mask.h"
#include "core/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* An additive mask this low was meant to hide; models use -1e4, -65504, -1e9
 * and the lowest value of a type for it. */
#define HIDES_AT_MOST (-1e4)

const char *mask_rule_name(int n)
{
	static const char *const name[RULE_COUNT] = {
		"causal", "pad", "window", "documents", "mask", "hide", "mask-invert",
	};
	return name[n];
}

long mask_position(const struct problem *p, const struct options *o, size_t i)
{
	long shift = o->causal_align == ALIGN_BOTTOM_RIGHT ? (long)p->n_k - (long)p->n_q : 0;
	return (long)i + shift;
}

static void hide_future(const struct problem *p, const struct options *o, long position, rules *out)
{
	long first = position + o->causal_offset + 1;

	if (first < o->prefix)
		first = o->prefix;
	for (long j = first < 0 ? 0 : first; j < (long)p->n_k; j++)
		out[j] |= RULE_CAUSAL;
}

static void hide_padding(const struct problem *p, const struct options *o, size_t i, rules *out)
{
	if (o->pad_axis != PAD_QUERY)
		for (size_t k = 0; k < o->pad.n; k++)
			if (o->pad.v[k] < (long)p->n_k)
				out[o->pad.v[k]] |= RULE_PAD;
	if (o->pad_axis != PAD_KEY && list_has(&o->pad, (long)i))
		for (size_t j = 0; j < p->n_k; j++)
			out[j] |= RULE_PAD;
}

static void hide_beyond_window(const struct problem *p, const struct options *o, long position, rules *out)
{
	long end = position - o->window + 1;	/* first key still inside */

	for (long j = 0; j < end && j < (long)p->n_k; j++)
		out[j] |= RULE_WINDOW;
}

static void hide_other_documents(const struct problem *p, const struct options *o, long position, rules *out)
{
	const long *id = o->documents.v;
	long own = position >= 0 && position < (long)o->documents.n ? id[position] : 0;

	for (size_t j = 0; j < p->n_k && j < o->documents.n; j++)
		if (!own || id[j] != own)
			out[j] |= RULE_DOCUMENTS;
}

static void hide_by_matrix(const struct problem *p, size_t i, rules *out)
{
	const double *m = matrix_row(&p->mask, p->mask.rows == 1 ? 0 : i, NULL);

	for (size_t j = 0; j < p->n_k; j++) {
		bool hidden = p->mask_additive ? m[j] <= HIDES_AT_MOST : (m[j] != 0) != p->mask_keeps;
		if (hidden)
			out[j] |= RULE_MASK;
	}
}

/* Cells are sorted by row: the first of row i by bisection, then as they come. */
static void mark_cells(const struct list *cells, size_t n_k, size_t i, rules bit, rules *out)
{
	size_t low = 0, high = cells->n / 2;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (cells->v[2 * middle] < (long)i)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < cells->n / 2 && cells->v[2 * low] == (long)i; low++)
		if (cells->v[2 * low + 1] < (long)n_k)
			out[cells->v[2 * low + 1]] |= bit;
}

void mask_row(const struct problem *p, const struct options *o, size_t i, rules *out)
{
	long position = mask_position(p, o, i);

	memset(out, 0, p->n_k * sizeof *out);
	if (o->causal)
		hide_future(p, o, position, out);
	if (o->pad_mask && o->pad.n)
		hide_padding(p, o, i, out);
	if (o->window > 0)
		hide_beyond_window(p, o, position, out);
	if (o->documents.n)
		hide_other_documents(p, o, position, out);
	if (p->mask.v)
		hide_by_matrix(p, i, out);
	if (o->hide.n)
		mark_cells(&o->hide, p->n_k, i, RULE_HIDE, out);
	if (o->mask_invert)
		for (size_t j = 0; j < p->n_k; j++)
			out[j] = out[j] ? 0 : RULE_INVERT;
	if (o->keep.n)
		mark_cells(&o->keep, p->n_k, i, RULE_KEPT, out);
}

/* ---- checks ---- */

static enum status refuse(const struct options *o, enum option which, struct error *e,
			  const char *what, size_t found, size_t limit)
{
	struct buffer value = { 0 };

	option_text(o, which, &value);
	enum status s = limit
		? error_option(e, E_VALUE, option_info(which)->name, value.data ? value.data : "",
			       "%s %zu is outside 0..%zu", what, found, limit - 1)
		: error_option(e, E_VALUE, option_info(which)->name, value.data ? value.data : "",
			       "there is no %s", what);
	buffer_free(&value);
	return s;
}

static enum status check_cells(const struct problem *p, const struct options *o, enum option which,
			       const struct list *cells, struct error *e)
{
	for (size_t k = 0; k < cells->n; k += 2) {
		if (cells->v[k] >= (long)p->n_q)
			return refuse(o, which, e, _("query row"), (size_t)cells->v[k], p->n_q);
		if (cells->v[k + 1] >= (long)p->n_k)
			return refuse(o, which, e, _("key column"), (size_t)cells->v[k + 1], p->n_k);
	}
	return OK_STATUS;
}

enum status mask_check(const struct problem *p, const struct options *o, struct error *e)
{
	enum status s;

	if (o->pad.n && o->pad.v[o->pad.n - 1] >= (long)p->n_k)
		return refuse(o, OPT_PAD, e, _("key"), (size_t)o->pad.v[o->pad.n - 1], p->n_k);
	if (o->documents.n && o->documents.n != p->n_k) {
		struct buffer value = { 0 };
		option_text(o, OPT_DOCUMENTS, &value);
		s = error_option(e, E_VALUE, "documents", value.data ? value.data : "",
				 "%zu ids for %zu keys; one id a key is expected", o->documents.n, p->n_k);
		buffer_free(&value);
		return s;
	}
	if ((s = check_cells(p, o, OPT_HIDE, &o->hide, e)))
		return s;
	return check_cells(p, o, OPT_KEEP, &o->keep, e);
}

/* ---- masks from files ---- */

static enum status check_shape(const struct problem *p, const struct matrix *m, const char *what, struct error *e)
{
	if (m->columns == p->n_k && (m->rows == 1 || m->rows == p->n_q))
		return OK_STATUS;
	return error_set(e, E_SHAPE, "%s (%zu, %zu) does not fit scores (%zu, %zu); (%zu), (1, %zu) or (%zu, %zu) is expected",
			 what, m->rows, m->columns, p->n_q, p->n_k, p->n_k, p->n_k, p->n_q, p->n_k);
}

static bool has_one(const struct matrix *m)
{
	for (size_t k = 0; k < m->rows * m->columns; k++)
		if (m->v[k] == 1)
			return true;
	return false;
}

static bool only_zero_and_one(const struct matrix *m)
{
	for (size_t k = 0; k < m->rows * m->columns; k++)
		if (m->v[k] != 0 && m->v[k] != 1)
			return false;
	return true;
}

/* Whether the name says what True means. */
static bool name_speaks(const char *name, bool *keeps)
{
	/* The opposites come first: they have the others in them. */
	static const struct { const char *part; bool keeps; } words[] = {
		{ "invalid", false }, { "invisible", false }, { "disallowed", false },
		{ "keep", true }, { "attention_mask", true }, { "attn_mask", true }, { "valid", true },
		{ "visible", true }, { "allowed", true }, { "tril", true },
		{ "pad", false }, { "hide", false }, { "hidden", false }, { "triu", false }, { "future", false },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasestr(name, words[i].part)) {
			*keeps = words[i].keeps;
			return true;
		}
	*keeps = !strcasecmp(name, "mask");
	return *keeps;
}

/* All visible cells above the diagonal: the mask was meant the other way round. */
static bool only_future_visible(const struct problem *p, bool keeps, const struct matrix *m)
{
	bool any = false;

	if (m->rows != p->n_q || p->n_q < 2)
		return false;
	for (size_t i = 0; i < m->rows; i++)
		for (size_t j = 0; j < m->columns; j++)
			if ((m->v[i * m->columns + j] != 0) == keeps) {
				if (j <= i)
					return false;
				any = true;
			}
	return any;
}

enum status mask_load(struct problem *p, struct matrix *m, bool is_float, bool is_boolean,
		      const char *name, const struct options *o, struct error *e)
{
	enum status s = check_shape(p, m, "mask", e);
	const char *why;

	if (s)
		return s;
	/* Floats of 0 alone hide nothing; as flags they would hide everything. */
	bool flags = !is_float || (only_zero_and_one(m) && (o->polarity != POLARITY_AUTO || has_one(m)));
	bool keeps = true;
	if (o->polarity != POLARITY_AUTO) {
		keeps = o->polarity == POLARITY_KEEP;
		why = _("as polarity says");
	} else if (is_boolean) {
		why = name_speaks(name, &keeps) ? _("assumed from its name; polarity changes it")
						: _("assumed; polarity changes it");
	} else if (is_float) {
		why = _("floats of only 0 and 1: taken for flags; the option bias adds them");
	} else {
		why = only_zero_and_one(m) ? _("integers: non-zero keeps")
					   : _("integers other than 0 and 1: non-zero keeps; for document ids use documents");
	}
	if (flags)
		snprintf(p->mask_note, sizeof p->mask_note, _("mask: True %s (%s)%s"), keeps ? _("keeps") : _("hides"), why,
			 only_future_visible(p, keeps, m) ? _("; only the future is visible: is it the other way round?") : "");
	else
		snprintf(p->mask_note, sizeof p->mask_note, _("mask: additive; -1e4 and less hides, the rest is a bias"));
	matrix_free(&p->mask);
	p->mask = *m;
	*m = (struct matrix){ 0 };
	p->mask_additive = !flags;
	p->mask_keeps = keeps;
	return OK_STATUS;
}

double mask_bias(const struct problem *p, size_t i, size_t j)
{
	if (!p->mask.v || !p->mask_additive)
		return 0;
	double v = matrix_at(&p->mask, p->mask.rows == 1 ? 0 : i, j);
	return v <= HIDES_AT_MOST ? 0 : v;
}

enum status bias_load(struct problem *p, struct matrix *m, struct error *e)
{
	enum status s = check_shape(p, m, "bias", e);

	if (s)
		return s;
	matrix_free(&p->bias);
	p->bias = *m;
	*m = (struct matrix){ 0 };
	return OK_STATUS;
}
