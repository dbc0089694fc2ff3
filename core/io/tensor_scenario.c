/* tensor_scenario.c - a scenario from the arrays of a file. */
#include "core/io/tensor_scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/recognise_parts.h"
#include "core/io/tensor_place.h"
#include "core/message.h"
#include "core/number.h"

/* ---- numbers ---- */

struct copying {
	struct tensors *t;
	const struct recognition *r;
	const struct part *p;
	size_t batch;
	const struct tensor_extent *extent;
};

static size_t within(size_t index, size_t size)
{
	return size > 1 ? index : 0;
}

/* A place of a slice, cut to the axis. */
static size_t place(long index, size_t n)
{
	if (index < 0)
		return (size_t)-(index + 1) < n ? n - 1 - (size_t)-(index + 1) : 0;
	return (size_t)index < n ? (size_t)index : n;
}

struct rows { size_t first, count; };

/* Which rows of a head are copied. */
static struct rows rows_of(const struct copying *c, size_t head, size_t n, bool grid)
{
	const struct tensor_extent *x = c->extent;

	if (x->one_head && head != x->head)
		return (struct rows){ 0, 0 };
	if (!x->some_rows || !grid)
		return (struct rows){ 0, n };
	size_t from = place(x->from, n), to = place(x->to, n);
	return (struct rows){ from, to > from ? to - from : 0 };
}

/* Whether the array of a role stays in the file. */
static bool stays(const struct copying *c, enum role role)
{
	size_t i = c->p->array[role];

	if (!c->extent->storage || i >= c->r->n)
		return false;
	struct view v = meaning_view(&c->r->v[i], &c->t->v[i].array);
	return tensor_stays(&c->t->v[i].array, &v);
}

/* One head of an array as a matrix; head h of grouped queries shares keys with its neighbours. */
static enum status copy_head(const struct copying *c, enum role role, size_t head, struct matrix *m, struct error *e)
{
	size_t i = c->p->array[role];
	const struct npy *a = &c->t->v[i].array;
	struct view v = meaning_view(&c->r->v[i], a);
	size_t own = v.size[DIM_HEAD] > 1 ? head * v.size[DIM_HEAD] / c->p->heads : 0;
	if (stays(c, role)) {
		struct tensor_view place = tensor_place(a, &c->r->v[i], within((size_t)c->p->layer, v.size[DIM_LAYER]),
							within(c->batch, v.size[DIM_BATCH]), own);
		matrix_init_view(m, &place, c->extent->storage);
		return OK_STATUS;
	}
	struct rows rows = rows_of(c, head, v.size[DIM_ROW], role == ROLE_WEIGHTS || role == ROLE_SCORES);
	enum status s = matrix_init_part(m, v.size[DIM_ROW], v.size[DIM_COLUMN], rows.first, rows.count, e);

	for (size_t k = 0; !s && k < rows.count; k++)
		view_row(&v, a, within((size_t)c->p->layer, v.size[DIM_LAYER]), within(c->batch, v.size[DIM_BATCH]), own,
			 rows.first + k, m->columns, m->v + k * m->columns);
	return s;
}

static enum status copy_array(struct scenario *s, const struct copying *c, enum role role, enum array to, struct error *e)
{
	size_t i = c->p->array[role];
	enum status status;

	if (i >= c->r->n)
		return OK_STATUS;
	if ((status = tensors_open(c->t, i, e)))
		return status;
	for (size_t h = 0; h < c->p->heads && !status; h++) {
		struct matrix m = { 0 };
		if (!(status = copy_head(c, role, h, &m, e)))
			status = array_add(&s->array[to], &m, e);
		matrix_free(&m);
	}
	return status;
}

/* rows * columns * heads, or more than any limit. */
static size_t numbers(size_t rows, size_t columns, size_t heads)
{
	if (rows && columns > NUMBERS_LIMIT / rows)
		return NUMBERS_LIMIT + 1;
	return heads && rows * columns > NUMBERS_LIMIT / heads ? NUMBERS_LIMIT + 1 : rows * columns * heads;
}

/* Whether numbers of a role need no memory, and are not more than anybody wants to read. */
static bool is_free(const struct copying *c, enum role role)
{
	return stays(c, role) && !c->extent->to_write;
}

static enum status check_size(const struct copying *c, struct error *e)
{
	const struct part *p = c->p;
	size_t heads = c->extent->one_head ? c->extent->head < p->heads : p->heads;
	size_t rows = rows_of(c, c->extent->head, p->n_q, true).count;
	size_t n = p->source == SOURCE_QKV ? numbers(!is_free(c, ROLE_Q) * p->n_q + !is_free(c, ROLE_K) * p->n_k, p->d_k, heads)
		 : is_free(c, p->source == SOURCE_WEIGHTS ? ROLE_WEIGHTS : ROLE_SCORES) ? 0 : numbers(rows, p->n_k, heads);
	size_t v = is_free(c, ROLE_V) ? 0 : numbers(p->n_k, p->d_v, heads);

	if (n <= NUMBERS_LIMIT && v <= NUMBERS_LIMIT - n)
		return OK_STATUS;
	return error_set(e, E_LIMIT, "one layer has (%zu, %zu) scores in %zu heads, more than the %zu numbers that are taken; qkv show --head --rows takes a part of them",
			 p->n_q, p->n_k, p->heads, NUMBERS_LIMIT);
}

static enum status copy_numbers(struct scenario *s, const struct copying *c, struct error *e)
{
	enum status status = check_size(c, e);

	s->source = c->p->source;
	if (status)
		return status;
	if (s->source == SOURCE_QKV) {
		if ((status = copy_array(s, c, ROLE_Q, ARRAY_Q, e)) || (status = copy_array(s, c, ROLE_K, ARRAY_K, e)))
			return status;
	} else if (s->source == SOURCE_WEIGHTS) {
		if ((status = copy_array(s, c, ROLE_WEIGHTS, ARRAY_WEIGHTS, e)))
			return status;
	} else if ((status = copy_array(s, c, ROLE_SCORES, ARRAY_SCORES, e))) {
		return status;
	}
	return copy_array(s, c, ROLE_V, ARRAY_V, e);
}

/* ---- masks ---- */

static bool hides(enum mask_meaning meaning, double v)
{
	return meaning == MASK_ADDS ? v <= -1e4 : (v != 0) == (meaning == MASK_HIDES);
}

/* The keys that a mask without rows hides, as the option pad has them; *exact tells
 * whether that is all it does. */
static enum status pad_list(const struct copying *c, size_t i, bool inverted, struct buffer *out, bool *exact, struct error *e)
{
	const struct npy *a = &c->t->v[i].array;
	const struct meaning *m = &c->r->v[i];
	struct view v = meaning_view(m, a);
	double *row = malloc((c->p->n_k + 1) * sizeof *row);

	if (!row)
		return error_set(e, E_MEMORY, "no memory for a mask");
	view_row(&v, a, within((size_t)c->p->layer, v.size[DIM_LAYER]), within(c->batch, v.size[DIM_BATCH]), 0, 0, c->p->n_k, row);
	*exact = v.size[DIM_ROW] == 1 && v.size[DIM_HEAD] == 1 && c->p->n_q >= 1;
	for (size_t j = 0; j < c->p->n_k && *exact; j++) {
		bool hidden = hides(m->mask, row[j]) != inverted;
		*exact = m->mask != MASK_ADDS || hidden || row[j] == 0;
		if (hidden)
			buffer_format(out, "%s%zu", out->size ? "," : "", j);
	}
	free(row);
	return out->failed ? error_set(e, E_MEMORY, "no memory for a mask") : OK_STATUS;
}

static enum status set(struct scenario *s, enum option which, const char *value, struct error *e)
{
	return option_set(&s->set, which, value, e);
}

/* "FILE:NAME" */
static enum status name_member(struct scenario *s, enum option which, const char *path, const char *member, struct error *e)
{
	struct buffer value = { 0 };

	buffer_format(&value, "%s%s%s", path, *member ? ":" : "", member);
	enum status status = value.failed ? error_set(e, E_MEMORY, "no memory for a name") : set(s, which, value.data, e);
	buffer_free(&value);
	return status;
}

/* A mask that is the same for all queries becomes a list of pad keys, any other the
 * option mask, which finished weights have no use for. */
static enum status use_mask(struct scenario *s, const struct copying *c, const struct setting *x, const char *path,
			    bool finished, struct recognition *notes, struct error *e)
{
	size_t i = c->p->array[ROLE_MASK];
	const struct meaning *m = &c->r->v[i];
	struct buffer keys = { 0 };
	bool exact = false;
	enum status status = tensors_open(c->t, i, e);

	if (!status)
		status = pad_list(c, i, x->inverted, &keys, &exact, e);
	if (!status && exact && keys.size)
		status = set(s, OPT_PAD, keys.data, e);
	buffer_free(&keys);
	if (status || exact || finished)
		return status;
	if (!path) {
		recognition_note(notes, _("%s is not applied: %s"), c->t->v[i].name, _("standard input cannot be read again"));
		return OK_STATUS;
	}
	if (m->mask != MASK_ADDS)
		status = set(s, OPT_POLARITY, (m->mask == MASK_KEEPS) != x->inverted ? "keep" : "hide", e);
	return status ? status : name_member(s, OPT_MASK, path, c->t->v[i].name, e);
}

/* Stored weights show that the file's mask was not applied. The keys it names are pads all
 * the same, with their mask off. */
static enum status use_ignored_mask(struct scenario *s, const struct copying *c, struct recognition *notes, struct error *e)
{
	size_t i = c->p->array[ROLE_MASK];
	struct buffer keys = { 0 };
	bool exact = false;
	enum status status = tensors_open(c->t, i, e);

	if (!status)
		status = pad_list(c, i, false, &keys, &exact, e);
	if (!status && exact && keys.size && !(status = set(s, OPT_PAD, keys.data, e)))
		status = set(s, OPT_PAD_MASK, "off", e);
	if (!status && !exact)
		recognition_note(notes, _("%s is not applied: %s"), c->t->v[i].name, _("the stored weights are those without it"));
	buffer_free(&keys);
	return status;
}

static enum status use_bias(struct scenario *s, const struct copying *c, const char *path, struct recognition *notes,
			    struct error *e)
{
	size_t i = c->p->array[ROLE_BIAS];

	if (path)
		return name_member(s, OPT_BIAS, path, c->t->v[i].name, e);
	recognition_note(notes, _("%s is not applied: %s"), c->t->v[i].name, _("standard input cannot be read again"));
	return OK_STATUS;
}

static enum status use_setting(struct scenario *s, const struct copying *c, const struct setting *x, const char *path,
			       struct recognition *notes, struct error *e)
{
	enum status status = OK_STATUS;

	/* Of finished weights masks are past: what is set is what verify expects of them, and
	 * what was only read off them is no expectation. */
	bool past = c->p->source == SOURCE_WEIGHTS && x->causal_by == EVIDENCE_PATTERN;
	if (x->causal && !past)
		status = set(s, OPT_CAUSAL, "on", e);
	if (!status && x->bottom_right)
		status = set(s, OPT_CAUSAL_ALIGN, "bottom-right", e);
	if (!status && x->scale > 0 && c->p->source == SOURCE_QKV) {
		char number[NUMBER_SIZE];
		number_shortest(x->scale, number);
		status = set(s, OPT_SCALE, x->scale == 1 ? "none" : number, e);
	}
	bool finished = c->p->source == SOURCE_WEIGHTS;
	if (!status && x->mask)
		status = use_mask(s, c, x, path, finished, notes, e);
	else if (!status && c->p->array[ROLE_MASK] < c->r->n)
		status = use_ignored_mask(s, c, notes, e);
	if (!status && x->bias && !finished)
		status = use_bias(s, c, path, notes, e);
	return status;
}

/* ---- what was recognised, in a sentence ---- */

static void say_source(struct buffer *out, const struct copying *c, const struct setting *x)
{
	if (x->checked) {
		buffer_text(out, _("recomputed from Q and K: "));
		setting_agreement(x, out);
	} else if (c->p->source == SOURCE_QKV) {
		buffer_text(out, _("computed from Q and K, no weights to compare with"));
	} else {
		buffer_text(out, c->p->source == SOURCE_WEIGHTS ? _("the stored weights") : _("the stored scores"));
	}
}

static void say_setting_used(struct buffer *out, const struct scenario *s)
{
	if (s->set.causal)
		buffer_text(out, s->set.causal_align == ALIGN_BOTTOM_RIGHT ? _("; causal, aligned bottom-right") : _("; causal"));
	if (s->set.pad.n)
		buffer_format(out, s->set.pad_mask ? _("; %zu pad keys") : _("; %zu pad keys, which get weight"), s->set.pad.n);
	if (*s->set.mask)
		buffer_text(out, _("; the file's mask"));
	if (*s->set.bias)
		buffer_text(out, _("; the file's bias"));
	if (s->set.scale.word != SCALE_SQRT)
		buffer_text(out, s->set.scale.word == SCALE_NONE ? _("; scale none") : _("; the file's scale"));
}

static void say_place(struct buffer *out, const struct copying *c, const struct recognition *r)
{
	if (r->layers > 1)
		buffer_format(out, _("; layer %ld of %zu"), c->p->layer, r->layers);
	if (c->p->batches > 1)
		buffer_format(out, _("; batch %zu of %zu"), c->batch, c->p->batches);
	if (c->p->heads > 1)
		buffer_format(out, _("; %zu heads"), c->p->heads);
	if (c->p->kv_heads != c->p->heads && c->p->source == SOURCE_QKV)
		buffer_format(out, _(", %zu of keys"), c->p->kv_heads);
}

/* The title is what the screen says first. Notes follow, each line a clause. */
static enum status put_title(struct scenario *s, const struct copying *c, const struct recognition *r, const struct setting *x,
			     struct error *e)
{
	struct buffer text = { 0 };
	struct translation *v = calloc(1, sizeof *v);

	say_source(&text, c, x);
	if (x->causal && !s->set.causal)
		buffer_text(&text, _("; none above the diagonal"));
	if (x->future)
		buffer_text(&text, _("; the file says causal, but there is weight above the diagonal"));
	say_setting_used(&text, s);
	say_place(&text, c, r);
	for (const char *line = r->notes.data; line && *line;) {
		size_t n = strcspn(line, "\n");
		buffer_format(&text, "; %.*s", (int)n, line);
		line += n + 1;
	}
	if (v && !text.failed && !r->notes.failed) {
		v->language = strdup("");
		v->text = strdup(text.data);
	}
	buffer_free(&text);
	if (!v || !v->language || !v->text) {
		if (v) {
			free(v->language);
			free(v->text);
		}
		free(v);
		return error_set(e, E_MEMORY, "no memory for a title");
	}
	s->title = (struct title){ v, 1 };
	return OK_STATUS;
}

/* ---- the whole ---- */

enum status tensor_batch(const struct part *p, long batch, size_t *out, struct error *e)
{
	char value[24];

	if (batch < 0 || (size_t)batch < p->batches) {
		*out = batch < 0 ? 0 : (size_t)batch;
		return OK_STATUS;
	}
	snprintf(value, sizeof value, "%ld", batch);
	return error_option(e, E_VALUE, "batch", value, "the file has %zu batch%s, counted from 0", p->batches,
			    p->batches == 1 ? "" : "es");
}

static enum status keep_text(char **to, const char *text, struct error *e)
{
	if (text && !(*to = strdup(text)))
		return error_set(e, E_MEMORY, "no memory for a scenario");
	return OK_STATUS;
}

/* What Q, K and V are in the file; float32 holds all of these. */
static bool is_narrow(const struct copying *c)
{
	static const enum role role[] = { ROLE_Q, ROLE_K, ROLE_V };

	for (size_t k = 0; c->p->source == SOURCE_QKV && k < 3; k++) {
		size_t i = c->p->array[role[k]];
		enum npy_kind kind = i < c->r->n ? c->t->v[i].array.kind : NPY_F32;
		if (kind != NPY_F32 && kind != NPY_F16 && kind != NPY_BF16)
			return false;
	}
	return c->p->source == SOURCE_QKV;
}

static enum status put_part(struct scenario *s, const struct copying *c, const struct recognition *r, struct error *e)
{
	char number[24];
	struct sums sums;
	enum status status;

	s->part = (struct file_part){ .layers = r->layers, .batches = c->p->batches, .layer = c->p->layer, .batch = (long)c->batch,
				      .narrow = is_narrow(c) };
	if (s->source == SOURCE_WEIGHTS) {
		if ((status = recognise_sums(r, c->t, c->p, ROLE_WEIGHTS, &sums, e)))
			return status;
		s->part.rounding = sums.tolerance;
	}
	snprintf(number, sizeof number, "%ld", s->part.layer);
	if ((status = set(s, OPT_LAYER, number, e)))
		return status;
	snprintf(number, sizeof number, "%ld", s->part.batch);
	return set(s, OPT_BATCH, number, e);
}

static enum status fill(struct scenario *s, const struct copying *c, struct recognition *r, const char *path,
			const struct tensor_choice *choice, const struct setting *x, struct error *e)
{
	enum status status;

	if ((status = copy_numbers(s, c, e)) || (status = use_setting(s, c, x, path, r, e)) ||
	    (status = recognise_tokens(r, c->t, c->p, c->batch, x->bottom_right, &s->query_tokens, &s->key_tokens, e)) ||
	    (status = put_part(s, c, r, e)) || (status = keep_text(&s->as, choice->as, e)) ||
	    (status = keep_text(&s->layout, choice->layout, e)))
		return status;
	s->part.bf16 = choice->bf16;
	return put_title(s, c, r, x, e);
}

/* "dir/name.npz" -> "name.npz"; what the file is called by people and in arrays without a name. */
static const char *base_name(const char *name)
{
	const char *slash = strrchr(name, '/');
	return slash ? slash + 1 : name;
}

enum status tensor_scenario_part(struct scenario *s, struct tensors *t, struct recognition *r, const char *name,
				 const char *path, const struct tensor_choice *choice, const struct tensor_part *part,
				 const struct tensor_extent *extent, struct error *e)
{
	const struct copying c = { t, r, part->part, part->batch, extent };
	struct scenario fresh;
	enum status status = scenario_init(&fresh, base_name(name), e);

	if (status)
		return status;
	if ((status = fill(&fresh, &c, r, path, choice, part->setting, e))) {
		scenario_free(&fresh);
		return status;
	}
	if (extent->storage)
		tensors_close_others(t, &fresh);
	*s = fresh;
	return OK_STATUS;
}

enum status tensor_scenario_extent(struct scenario *s, struct tensors *t, const char *name, const char *path,
				   const struct tensor_choice *choice, const struct tensor_extent *extent, struct error *e)
{
	const struct recognise_options o = { choice->as, choice->layout };
	struct recognition r;
	struct setting x;
	struct part p;
	struct tensor_part part = { .part = &p, .setting = &x };
	enum status status = recognise(&r, t, base_name(name), &o, e);

	if (status)
		return status;
	if (!(status = recognise_part(&r, t, choice->layer, &p, e)) && !(status = tensor_batch(&p, choice->batch, &part.batch, e)) &&
	    !(status = recognise_setting(&r, t, &p, part.batch, &x, e)))
		status = tensor_scenario_part(s, t, &r, name, path, choice, &part, extent, e);
	recognition_free(&r);
	return status;
}

enum status tensor_scenario(struct scenario *s, struct tensors *t, const char *name, const char *path,
			    const struct tensor_choice *choice, struct error *e)
{
	static const struct tensor_extent all = { .one_head = false };

	return tensor_scenario_extent(s, t, name, path, choice, &all, e);
}
