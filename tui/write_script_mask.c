/* write_script_mask.c - a NumPy script: which cells are hidden, rule by rule. */
#include "tui/write_script.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/message.h"

static bool pads(const struct options *o)
{
	return o->pad_mask && o->pad.n;
}

bool script_needs_hidden(const struct script *s)
{
	const struct options *o = s->o;

	return o->causal || pads(o) || o->window > 0 || o->documents.n || s->p->mask.v || o->hide.n || o->mask_invert ||
	       (o->fill_op != FILL_REPLACE && o->keep_value.word < 0);
}

static bool needs_positions(const struct script *s)
{
	return s->o->causal || s->o->window > 0 || s->o->alibi.word != ALIBI_OFF;
}

/* The first rule makes the table, the others add to it. */
struct table { struct script *s; bool begun; };

static void rule(struct table *t, const char *comment, const char *expression)
{
	script_line(t->s, comment, "hidden %s %s", t->begun ? "|=" : "=", expression);
	t->begun = true;
}

static void begin(struct table *t)
{
	if (!t->begun)
		script_line(t->s, "", "hidden = np.zeros((%zu, %zu), bool)", t->s->p->n_q, t->s->p->n_k);
	t->begun = true;
}

static void causal(struct table *t)
{
	const struct options *o = t->s->o;
	char future[64], all[160];

	if (o->causal_offset)
		snprintf(future, sizeof future, "j > i %c %ld", o->causal_offset < 0 ? '-' : '+', labs(o->causal_offset));
	else
		snprintf(future, sizeof future, "j > i");
	if (o->prefix > 0)
		snprintf(all, sizeof all, "(%s) & (j >= %ld)", future, o->prefix);
	else
		snprintf(all, sizeof all, "%s", future);
	rule(t, o->prefix > 0 ? _("causal: the future, but for the prefix") : _("causal: the future"), all);
}

/* [2, 3]: every `step`-th number of a list from `first` on, while it is below `limit`. */
static void put_indices(struct script *s, const struct list *l, size_t first, size_t step, size_t limit)
{
	const char *between = "[";

	for (size_t k = first; k < l->n && s->numbers <= SCRIPT_NUMBERS; k += step)
		if ((size_t)l->v[k] < limit) {
			buffer_format(s->out, "%s%ld", between, l->v[k]);
			between = ", ";
			s->numbers++;
		}
	buffer_text(s->out, *between == '[' ? "[]" : "]");
}

static void put_indent(struct script *s)
{
	buffer_repeat(s->out, ' ', (size_t)s->depth * 4);
}

static void padding(struct table *t)
{
	struct script *s = t->s;

	begin(t);
	if (s->o->pad_axis != PAD_QUERY) {
		put_indent(s);
		buffer_text(s->out, "hidden[:, ");
		put_indices(s, &s->o->pad, 0, 1, s->p->n_k);
		buffer_format(s->out, "] = True  # %s\n", _("padding: key columns"));
	}
	if (s->o->pad_axis != PAD_KEY) {
		put_indent(s);
		buffer_text(s->out, "hidden[");
		put_indices(s, &s->o->pad, 0, 1, s->p->n_q);
		buffer_format(s->out, ", :] = True  # %s\n", _("query rows of the padding"));
	}
}

/* Id 0 is padding: it sees nothing, and nobody sees it. */
static void documents(struct table *t)
{
	struct script *s = t->s;
	const struct list *ids = &s->o->documents;

	put_indent(s);
	buffer_text(s->out, "ids = np.array(");
	put_indices(s, ids, 0, 1, (size_t)-1);
	buffer_format(s->out, ")  # %s\n", _("the document of each key; 0 is padding"));
	put_indent(s);
	buffer_text(s->out, "own = np.array([");
	for (size_t i = 0; i < s->p->n_q && s->numbers <= SCRIPT_NUMBERS; i++) {
		long at = mask_position(s->p, s->o, i);
		buffer_format(s->out, "%s[%ld]", i ? ", " : "", at >= 0 && at < (long)ids->n ? ids->v[at] : 0);
		s->numbers++;
	}
	buffer_format(s->out, "])  # %s\n", _("and of each query"));
	rule(t, "", "(own == 0) | (ids != own)");
}

static void from_file(struct table *t)
{
	struct script *s = t->s;
	const struct matrix *m = &s->p->mask;
	const char *between = "";

	if (m->rows != s->p->n_q)	/* one row is for all queries */
		begin(t);
	if (s->p->mask_additive) {
		script_matrix(s, "mask", m, _("an additive mask from a file"));
		rule(t, "", "mask <= -1e4");
		return;
	}
	put_indent(s);
	buffer_text(s->out, "mask = np.array([");
	for (size_t k = 0; k < m->rows * m->columns && s->numbers <= SCRIPT_NUMBERS; k++) {
		if (k % m->columns == 0)
			between = k ? "],\n                 [" : "[";
		buffer_format(s->out, "%s%d", between, (m->v[k] != 0) != s->p->mask_keeps);
		between = ", ";
		s->numbers++;
	}
	buffer_format(s->out, "]], bool)  # %s\n", _("a mask from a file: 1 is hidden"));
	rule(t, "", "mask");
}

static void cells(struct table *t, const struct list *l, const char *value, const char *comment)
{
	struct script *s = t->s;

	begin(t);
	put_indent(s);
	buffer_text(s->out, "hidden[");
	put_indices(s, l, 0, 2, (size_t)-1);
	buffer_text(s->out, ", ");
	put_indices(s, l, 1, 2, (size_t)-1);
	buffer_format(s->out, "] = %s  # %s\n", value, comment);
}

void script_hidden(struct script *s)
{
	const struct options *o = s->o;
	struct table t = { s, false };
	char window[48];
	long shift = mask_position(s->p, o, 0);

	if (needs_positions(s)) {
		script_line(s, _("query, key"), "i, j = np.indices((%zu, %zu))", s->p->n_q, s->p->n_k);
		if (shift)
			script_line(s, _("the last query stands at the last key"), "i += %ld", shift);
	}
	if (!script_needs_hidden(s))
		return;
	if (o->causal)
		causal(&t);
	if (pads(o))
		padding(&t);
	snprintf(window, sizeof window, "i - j >= %ld", o->window);
	if (o->window > 0)
		rule(&t, _("beyond the window"), window);
	if (o->documents.n)
		documents(&t);
	if (s->p->mask.v)
		from_file(&t);
	if (o->hide.n)
		cells(&t, &o->hide, "True", _("cells hidden by hand"));
	begin(&t);
	if (o->mask_invert)
		script_line(s, _("mistake: hidden and visible exchanged"), "hidden = ~hidden");
	if (o->keep.n)
		cells(&t, &o->keep, "False", _("cells that stay visible"));
}
