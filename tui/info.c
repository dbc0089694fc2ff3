/* info.c - `qkv info`: what is in a file of arrays, and what would be opened as what. */
#include "tui/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"
#include "tui/show.h"
#include "tui/text.h"

#define CHECKED_BYTES ((size_t)256 << 20)	/* of one member */
enum { NAME_WIDTH = 40, TOKENS_SHOWN = 12, LAYERS_TRIED = 64, BATCHES_TRIED = 16, LAYERS_OF_LARGE = 3, BATCHES_OF_LARGE = 2, PARAMETERS_SHOWN = 6 };

struct report {
	struct buffer *out;
	struct tensors *t;
	struct recognition r;
	const struct info_request *request;
	/* what would be opened, of a file that opens */
	struct part part;
	struct setting setting;
};

static void safe(struct report *r, const char *text)
{
	show_safe_text(r->out, text, r->request->ascii);
}

/* ---- arrays ---- */

/* Columns that a name takes when it is shown. */
static int width_of(const struct report *r, const char *name)
{
	struct buffer text = { 0 };

	show_safe_text(&text, name, r->request->ascii);
	int width = text_width(text.data ? text.data : "", r->request->ascii);
	buffer_free(&text);
	return width;
}

static int widest_name(const struct report *r)
{
	int widest = 4;

	for (size_t i = 0; i < r->t->n; i++) {
		int width = width_of(r, r->t->v[i].name);
		if (width > widest && width <= NAME_WIDTH)
			widest = width;
	}
	return widest;
}

static void put_padded(struct report *r, const char *text, int width)
{
	int used = width_of(r, text);

	safe(r, text);
	buffer_repeat(r->out, ' ', used < width ? (size_t)(width - used) : 0);
}

static void put_shape(struct report *r, const struct tensor *v)
{
	const struct npy *a = &v->array;
	struct buffer shape = { 0 };

	if (v->refused[0]) {
		buffer_format(r->out, "%-18s", "?");
		return;
	}
	buffer_text(&shape, "(");
	for (int i = 0; i < a->rank; i++)
		buffer_format(&shape, "%s%zu", i ? ", " : "", a->shape[i]);
	buffer_text(&shape, ")");
	buffer_format(r->out, "%-18s", shape.data ? shape.data : "");
	buffer_free(&shape);
}

/* "(layer, head, query, key)" in the order of the array's axes. */
static void put_axes(struct report *r, const struct meaning *m, const struct npy *a)
{
	bool any = false;

	for (int i = 0; i < a->rank; i++)
		for (int d = 0; d < DIM_COUNT; d++)
			if (m->axis[d] == i) {
				buffer_format(r->out, "%s%s", any ? ", " : " (", dimension_name((enum dimension)d, m->role));
				any = true;
			}
	buffer_text(r->out, any ? ")" : "");
	if (m->fused)
		buffer_format(r->out, _(", %zu heads side by side"), m->fused);
}

/* What weights were computed with is what a mask means, whatever it is called. */
static void put_mask_meaning(struct report *r, size_t i)
{
	static const char *const text[] = {
		[MASK_KEEPS] = N_(": 1 or True keeps"), [MASK_HIDES] = N_(": True hides"), [MASK_ADDS] = N_(": added, -1e4 and less hides"),
	};
	const struct meaning *m = &r->r.v[i];
	bool inverted = r->r.opens && r->setting.inverted && r->part.array[ROLE_MASK] == i;

	if (m->role != ROLE_MASK)
		return;
	if (inverted)
		buffer_text(r->out, m->mask == MASK_KEEPS ? _(": 1 or True hides (the stored weights say so)")
							  : _(": 1 or True keeps (the stored weights say so)"));
	else
		buffer_text(r->out, _(text[m->mask]));
}

/* A single number itself, and whether integers are too large for what is computed with. */
static void put_value(struct report *r, size_t i)
{
	const struct npy *a = &r->t->v[i].array;
	struct error ignored = { 0 };
	bool large = a->kind == NPY_I64 || a->kind == NPY_U64;
	size_t k = 0;

	if (r->t->v[i].refused[0] || npy_is_text(a) || (a->rank && !large) || a->count > CHECKED_BYTES / a->item_size ||
	    tensors_open(r->t, i, &ignored))
		return;
	if (!a->rank)
		buffer_format(r->out, " = %.7g", npy_number(a, 0));
	while (k < a->count && npy_is_exact(a, k))
		k++;
	if (k < a->count)
		buffer_text(r->out, _("; integers beyond 2^53 are rounded"));
	tensors_close(r->t, i);
}

static void put_array(struct report *r, size_t i, int width)
{
	const struct tensor *v = &r->t->v[i];
	const struct meaning *m = &r->r.v[i];

	buffer_text(r->out, "  ");
	put_padded(r, *v->name ? v->name : "-", width);
	buffer_format(r->out, "  %-5s ", v->refused[0] ? "?" : npy_kind_name(v->array.kind));
	put_shape(r, v);
	buffer_format(r->out, " %s", role_name(m->role));
	put_axes(r, m, &v->array);
	put_mask_meaning(r, i);
	put_value(r, i);
	if (m->layer >= 0 && m->role >= ROLE_WEIGHTS && m->role <= ROLE_OUTPUT)
		buffer_format(r->out, _(", layer %ld"), m->layer);
	if (*m->note) {
		buffer_text(r->out, "; ");
		safe(r, m->note);
	}
	buffer_text(r->out, "\n");
}

static void put_arrays(struct report *r)
{
	int width = widest_name(r);
	size_t parameters = 0;

	for (size_t i = 0; i < r->t->n; i++) {
		bool parameter = r->r.v[i].role == ROLE_PARAMETER;
		if (!parameter || parameters < PARAMETERS_SHOWN)
			put_array(r, i, width);
		parameters += parameter;
	}
	if (parameters > PARAMETERS_SHOWN)
		buffer_format(r->out, _("  ... and %zu parameters more\n"), parameters - PARAMETERS_SHOWN);
}

/* ---- what would be opened ---- */

static void put_sizes(struct report *r, const struct part *p)
{
	buffer_format(r->out, _("  n_q %zu, n_k %zu"), p->n_q, p->n_k);
	if (p->d_k)
		buffer_format(r->out, ", d_k %zu", p->d_k);
	if (p->d_v)
		buffer_format(r->out, ", d_v %zu", p->d_v);
	buffer_format(r->out, _(", heads %zu"), p->heads);
	if (p->kv_heads != p->heads)
		buffer_format(r->out, _(" (of keys and values %zu)"), p->kv_heads);
	buffer_format(r->out, _(", layers %zu"), r->r.layers);
	if (r->r.layers && r->r.layer[r->r.layers - 1] != (long)r->r.layers - 1)
		buffer_format(r->out, _(" (%ld to %ld)"), r->r.layer[0], r->r.layer[r->r.layers - 1]);
	buffer_format(r->out, _(", batches %zu\n"), p->batches);
}

static void put_source(struct report *r, const struct part *p)
{
	bool weights = p->array[ROLE_WEIGHTS] < r->r.n;

	buffer_text(r->out, _("opened as: "));
	if (p->source == SOURCE_QKV)
		buffer_text(r->out, weights ? _("Q and K, the weights computed again and compared with the stored ones")
					    : _("Q and K, the weights computed from them"));
	else
		buffer_text(r->out, p->source == SOURCE_WEIGHTS ? _("finished weights") : _("scores"));
	buffer_text(r->out, p->array[ROLE_V] < r->r.n ? _(", with V\n") : _(", without V: the output is the weights\n"));
}

static const char *evidence(enum evidence e)
{
	static const char *const text[] = {
		[EVIDENCE_NONE] = N_("assumed"), [EVIDENCE_FILE] = N_("the file says so"),
		[EVIDENCE_PATTERN] = N_("by the pattern of the cells"), [EVIDENCE_WEIGHTS] = N_("the stored weights confirm it"),
	};
	return _(text[e]);
}

static void put_setting(struct report *r, const struct part *p, const struct setting *x)
{
	char number[NUMBER_SIZE];

	buffer_format(r->out, _("  causal %s%s (%s)"), x->causal ? "on" : "off",
		      x->bottom_right ? _(", aligned bottom-right") : "", evidence(x->causal_by));
	if (p->source == SOURCE_QKV) {
		number_plain(x->scale, number);
		buffer_format(r->out, _("; scale %s (%s)"), x->scale == 0 ? "1/sqrt(d_k)" : x->scale == 1 ? "none" : number,
			      evidence(x->scale_by));
	}
	if (x->mask)
		buffer_text(r->out, x->inverted ? _("; the file's mask, the other way round") : _("; the file's mask"));
	else if (p->array[ROLE_MASK] < r->r.n)
		buffer_text(r->out, _("; the file's mask is not applied: the stored weights are those without it"));
	if (x->bias)
		buffer_text(r->out, _("; the file's bias"));
	if (x->future)
		buffer_text(r->out, _("; the file says causal, but there is weight above the diagonal"));
	buffer_text(r->out, "\n");
}

/* The k-th of n places spread over all. */
static size_t spread(size_t k, size_t n, size_t all)
{
	return n < 2 ? 0 : k * (all - 1) / (n - 1);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The worst over layers and batches: more of them where every row was looked at. */
static enum status judge_others(struct report *r, const struct part *first, struct setting *x, size_t *parts, struct error *e)
{
	const struct tensor_choice *c = &r->request->choice;
	bool all = x->rows == first->heads * first->n_q;
	size_t layers = c->layer >= 0 ? 1 : least(r->r.layers, all ? LAYERS_TRIED : LAYERS_OF_LARGE);
	size_t batches = c->batch >= 0 ? 1 : least(first->batches, all ? BATCHES_TRIED : BATCHES_OF_LARGE);
	struct setting worst = { .agrees = true };

	*parts = 0;
	for (size_t k = 0; k < layers * batches; k++) {
		struct part p;
		struct setting one;
		long layer = c->layer >= 0 ? c->layer : r->r.layer[spread(k / batches, layers, r->r.layers)];
		enum status s = recognise_part(&r->r, r->t, layer, &p, e);
		size_t batch = c->batch >= 0 ? (size_t)c->batch : spread(k % batches, batches, first->batches);
		if (s || (s = recognise_setting(&r->r, r->t, &p, batch < p.batches ? batch : 0, &one, e)))
			return s;
		*parts += one.checked;
		worst.rows += one.rows;
		worst.agrees = worst.agrees && (one.agrees || !one.checked);
		if (one.difference > worst.difference)
			worst.difference = one.difference;
	}
	x->rows = worst.rows;
	x->difference = worst.difference;
	x->agrees = worst.agrees;
	return OK_STATUS;
}

static enum status put_agreement(struct report *r, const struct part *p, struct setting *x, struct error *e)
{
	size_t parts;
	enum status s;

	if (!x->checked)
		return OK_STATUS;
	if ((s = judge_others(r, p, x, &parts, e)))
		return s;
	buffer_text(r->out, _("  recomputed from Q and K: "));
	setting_agreement(x, r->out);
	buffer_format(r->out, _(" (%zu rows in %zu of %zu layers and batches)\n"), x->rows, parts, r->r.layers * p->batches);
	return OK_STATUS;
}

static void put_token_list(struct report *r, const char *what, const struct tokens *t)
{
	if (!t->n)
		return;
	buffer_format(r->out, _("  %zu %s: "), t->n, what);
	for (size_t i = 0; i < t->n && i < TOKENS_SHOWN; i++) {
		buffer_text(r->out, "|");
		safe(r, t->text[i]);
	}
	buffer_text(r->out, t->n > TOKENS_SHOWN ? "| ...\n" : "|\n");
}

static enum status put_tokens(struct report *r, const struct part *p, const struct setting *x, struct error *e)
{
	long batch = r->request->choice.batch;
	struct tokens query = { 0 }, key = { 0 };
	enum status s = recognise_tokens(&r->r, r->t, p, batch < 0 ? 0 : (size_t)batch, x->bottom_right, &query, &key, e);

	if (s)
		return s;
	bool same = query.n == key.n;
	for (size_t i = 0; i < query.n && same; i++)
		same = !strcmp(query.text[i], key.text[i]);
	put_token_list(r, same ? _("tokens") : _("query tokens"), &query);
	if (!same)
		put_token_list(r, _("key tokens"), &key);
	tokens_free(&query);
	tokens_free(&key);
	return OK_STATUS;
}

static enum status check_batch(const struct report *r, const struct part *p, struct error *e)
{
	long batch = r->request->choice.batch;
	char value[24];

	if (batch < 0 || (size_t)batch < p->batches)
		return OK_STATUS;
	snprintf(value, sizeof value, "%ld", batch);
	return error_option(e, E_VALUE, "batch", value, "the file has %zu, counted from 0", p->batches);
}

static enum status judge(struct report *r, struct error *e)
{
	long batch = r->request->choice.batch;
	struct part *p = &r->part;
	enum status s;

	if ((s = recognise_part(&r->r, r->t, r->request->choice.layer, p, e)) || (s = check_batch(r, p, e)))
		return s;
	return recognise_setting(&r->r, r->t, p, batch < 0 ? 0 : (size_t)batch, &r->setting, e);
}

static enum status put_opened(struct report *r, struct error *e)
{
	enum status s;

	put_source(r, &r->part);
	put_sizes(r, &r->part);
	put_setting(r, &r->part, &r->setting);
	if ((s = put_agreement(r, &r->part, &r->setting, e)))
		return s;
	return put_tokens(r, &r->part, &r->setting, e);
}

/* ---- the whole ---- */

static void put_lines(struct report *r, const char *lines)
{
	char line[500];

	while (lines && *lines) {
		size_t n = strcspn(lines, "\n");
		snprintf(line, sizeof line, "%.*s", (int)n, lines);
		buffer_text(r->out, _("note: "));
		safe(r, line);
		buffer_text(r->out, "\n");
		lines += n + (lines[n] == '\n');
	}
}

/* Why nothing is opened, in the words of the error that opening would be. */
static void put_nothing(struct report *r)
{
	struct error why = { 0 };
	struct part p;

	recognise_part(&r->r, r->t, -1, &p, &why);
	buffer_text(r->out, _("nothing to open: "));
	safe(r, why.text);
	buffer_text(r->out, "\n");
}

static enum status write_report(struct report *r, struct error *e)
{
	enum status s = r->r.opens ? judge(r, e) : OK_STATUS;

	if (s)
		return s;
	safe(r, r->request->name);
	buffer_format(r->out, r->t->n == 1 ? _("  %s, %zu array\n") : _("  %s, %zu arrays\n"), tensor_format_name(r->t->format), r->t->n);
	put_arrays(r);
	if (r->r.opens)
		s = put_opened(r, e);
	else
		put_nothing(r);
	put_lines(r, r->r.notes.data);
	return s;
}

/* A file of which no array is of a type that is read is refused, with the reason of its first. */
static enum status check_readable(const struct tensors *t, struct error *e)
{
	size_t refused = 0;

	while (refused < t->n && t->v[refused].refused[0])
		refused++;
	if (!t->n || refused < t->n)
		return OK_STATUS;
	return error_set(e, E_VALUE, "'%.60s': %s", t->v[0].name, t->v[0].refused);
}

/* Every member is unpacked once, as far as that is quickly done: damage shows in its checksum. */
static enum status check_members(struct tensors *t, struct error *e)
{
	for (size_t i = 0; i < t->n && t->format == FORMAT_NPZ; i++) {
		const struct tensor *v = &t->v[i];
		char text[sizeof e->text];
		bool skipped = v->refused[0] || v->array.count > CHECKED_BYTES / v->array.item_size;
		enum status s = skipped ? OK_STATUS : tensors_open(t, i, e);
		tensors_close(t, i);
		if (!s && !v->damaged)
			continue;
		snprintf(text, sizeof text, "%s", v->damaged ? v->refused : e->text);
		return error_set(e, s ? s : E_SYNTAX, "'%.60s': %s", v->name, text);
	}
	return OK_STATUS;
}

enum status info(struct buffer *out, struct tensors *t, const struct info_request *request, struct error *e)
{
	const struct recognise_options o = { request->choice.as, request->choice.layout };
	const char *slash = strrchr(request->name, '/');
	struct report r = { .out = out, .t = t, .request = request };
	enum status s = check_members(t, e);

	if (s || (s = check_readable(t, e)) || (s = recognise(&r.r, t, slash ? slash + 1 : request->name, &o, e)))
		return s;
	s = write_report(&r, e);
	recognition_free(&r.r);
	return s || !out->failed ? s : error_set(e, E_MEMORY, "no memory for the report");
}
