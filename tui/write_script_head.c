/* write_script_head.c - a NumPy script: what it is of, in comments, and whether NumPy
 * would warn of what is meant. */
#include "tui/write_script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"

/* More cells than that are not looked at. */
enum { LOOKED_AT = 1 << 20 };

bool script_is_large(const struct script *s)
{
	return s->p->n_k > LOOKED_AT / s->p->n_q / s->p->heads;
}

/* What is not finite, or too large to be rounded by np.round without a warning. */
static bool wild(const struct script *s, const double *v, size_t n)
{
	bool rounds = s->sheet->request->options->precision >= 0;

	for (size_t j = 0; j < n; j++)
		if (!isfinite(v[j]) || (rounds && fabs(v[j]) > 1e290))
			return true;
	return false;
}

/* 1e308 - -1e308 is beyond a double, and so are some products with a fill. */
static bool overflows(const struct script *s, const struct row *r)
{
	bool replaces = s->o->fill_op == FILL_REPLACE;

	for (size_t j = 0; j < s->p->n_k; j++)
		if ((isfinite(r->masked[j]) && isfinite(r->maximum) && isinf(r->masked[j] - r->maximum)) ||
		    (isinf(r->masked[j]) && (r->masked[j] > 0 || !replaces)))
			return true;
	return false;
}

static bool row_is_wild(const struct script *s, const struct row *r)
{
	size_t n = s->p->n_k;
	bool computed = s->p->source != SOURCE_WEIGHTS;

	return wild(s, r->weights, n) || wild(s, r->output, s->p->d_v) ||
	       (computed && (!r->visible || wild(s, r->scores, n) || wild(s, r->scaled, n) || overflows(s, r)));
}

/* Whether NumPy would warn of what is meant: a nan, an infinity, an overflow. */
static bool would_warn(struct script *s)
{
	struct sheet *sheet = s->sheet;
	bool found = s->narrow || s->a->score_dtype != DTYPE_F64 || s->o->softmax_kind == SOFTMAX_NAIVE ||
		     script_over_columns(s) || script_is_large(s);

	for (size_t h = 0; h < (s->all_heads ? sheet->heads.heads : 1); h++)
		for (size_t i = 0; i < s->p->n_q && !found; i++) {
			row_compute(&sheet->row, s->all_heads ? &sheet->heads.head[h] : s->a, i, STAGE_SCORES, STAGE_OUTPUT);
			found = row_is_wild(s, &sheet->row);
		}
	return found;
}

/* An input too large to be looked at may hold anything; it is not written as numbers either. */
static bool input_is_wild(struct script *s)
{
	struct sheet *sheet = s->sheet;
	size_t rows = sheet->input->rows, columns = sheet->input->columns;
	bool found = columns > LOOKED_AT / rows;

	for (size_t i = 0; i < rows && !found; i++)
		found = wild(s, row_input(&sheet->row, &sheet->attention, sheet->array, i), columns);
	return found;
}

static void put_options(struct script *s)
{
	struct buffer value = { 0 };
	bool any = false;

	for (int k = 0; k < OPT_COUNT; k++) {
		enum option_group group = option_info((enum option)k)->group;
		if (group == GROUP_VIEW || option_is_default(s->sheet->request->options, (enum option)k))
			continue;
		value.size = 0;
		option_text(s->sheet->request->options, (enum option)k, &value);
		if (value.size > 60)
			continue;
		buffer_format(s->out, "%s%s ", any ? ", " : "# ", option_info((enum option)k)->name);
		show_safe_text(s->out, value.data ? value.data : "", false);
		any = true;
	}
	buffer_text(s->out, any ? "\n" : "");
	buffer_free(&value);
}

/* "; causal off carried through at 1.0". */
static void put_carried(struct script *s, const struct live_point *p)
{
	struct buffer value = { 0 };
	struct options trained;
	struct error e;
	bool any = false;

	if (model_options(&trained, &e)) {
		s->out->failed = true;
		return;
	}
	for (int k = 0; k < OPT_COUNT; k++) {
		if (!model_option_counts((enum option)k) || option_same(p->carried, &trained, (enum option)k))
			continue;
		value.size = 0;
		option_text(p->carried, (enum option)k, &value);
		buffer_format(s->out, "%s %s ", any ? "," : ";", option_info((enum option)k)->name);
		show_safe_text(s->out, value.data ? value.data : "", false);
		any = true;
	}
	if (any)
		buffer_format(s->out, strcmp(p->at, "all") ? _(" carried through at %s") : _(" carried through in all heads"), p->at);
	s->out->failed = s->out->failed || value.failed;
	buffer_free(&value);
	options_free(&trained);
}

/* The model's head, and what of the model is not as trained, as qkv show takes it. */
static void put_live(struct script *s)
{
	const struct show_request *r = s->sheet->request;
	const struct live_point *p = r->live;

	if (!p)
		return;
	char *name = live_model_name(r->model);
	buffer_text(s->out, "# ");
	show_safe_text(s->out, name ? name : "", false);
	buffer_format(s->out, _(", layer %ld, head %ld"), r->options->layer, r->options->head);
	if (p->at)
		put_carried(s, p);
	if (p->off)
		buffer_format(s->out, _("; off: %s"), p->off);
	if (p->pad_left + p->pad_right)
		buffer_format(s->out, p->pad_left ? _("; %zu [PAD] before") : _("; %zu [PAD] behind"), p->pad_left + p->pad_right);
	buffer_text(s->out, "\n");
	s->out->failed = s->out->failed || !name;
	free(name);
}

static void put_tokens(struct script *s)
{
	const struct tokens *t[] = { &s->p->query_tokens, &s->p->key_tokens };
	bool same = t[0]->n == t[1]->n;

	for (size_t i = 0; same && i < t[0]->n && (t[0]->text || t[1]->text); i++)
		same = !strcmp(token_label(t[0], i), token_label(t[1], i));
	for (int k = 0; k < (same ? 1 : 2); k++) {
		if (t[k]->n > 32)
			continue;
		buffer_format(s->out, "# %s: ", same ? _("tokens") : k ? _("keys") : _("queries"));
		for (size_t i = 0; i < t[k]->n; i++) {
			buffer_text(s->out, i ? ", " : "");
			show_safe_text(s->out, token_label(t[k], i), false);
		}
		buffer_text(s->out, "\n");
	}
}

void script_heading(struct script *s)
{
	const struct sheet *sheet = s->sheet;
	bool input = sheet->stage == STAGE_INPUT;

	buffer_text(s->out, "# ");
	show_safe_text(s->out, sheet->request->scenario, false);
	buffer_format(s->out, ": %s%s%s", sheet->request->row_sums ? "row-sums" : stage_info(sheet->stage)->name,
		      input ? " " : "", input ? array_name(sheet->array) : "");
	if (sheet->has_columns)
		buffer_format(s->out, " (%zu, %zu)\n", sheet->all_rows, sheet->all_columns);
	else
		buffer_format(s->out, " (%zu,)\n", sheet->all_rows);
	put_options(s);
	put_live(s);
	put_tokens(s);
	buffer_text(s->out, "import numpy as np\n");
	if (input ? input_is_wild(s) : would_warn(s))
		buffer_format(s->out, "np.seterr(all=\"ignore\")  # %s\n", _("nan and infinities are part of it"));
}
