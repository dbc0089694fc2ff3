/* model.c - a small decoder-only transformer: sizes, weights, characters. */
#include "core/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"

/* ---- sizes ---- */

static enum status check_size(const char *name, size_t value, size_t most, struct error *e)
{
	if (value >= 1 && value <= most)
		return OK_STATUS;
	return error_set(e, E_LIMIT, "%s is %zu; 1 to %zu is expected", name, value, most);
}

/* No product here overflows once the sizes alone are within their limits. */
static size_t parameters(const struct model_sizes *s)
{
	size_t layer = 4 * s->width * s->width + 2 * s->width * s->hidden + 9 * s->width + s->hidden;

	return s->layers * layer + (s->vocab + s->context + 2) * s->width;
}

enum status model_sizes_check(const struct model_sizes *s, struct error *e)
{
	enum status status;

	if ((status = check_size("layers", s->layers, MODEL_LAYERS, e)) ||
	    (status = check_size("heads", s->heads, MODEL_HEADS, e)) ||
	    (status = check_size("head_dim", s->head_dim, MODEL_HEAD_DIM, e)) ||
	    (status = check_size("width", s->width, MODEL_WIDTH, e)) ||
	    (status = check_size("hidden", s->hidden, MODEL_HIDDEN, e)) ||
	    (status = check_size("context", s->context, MODEL_CONTEXT, e)) ||
	    (status = check_size("vocab", s->vocab, MODEL_VOCAB, e)))
		return status;
	if (s->width != s->heads * s->head_dim)
		return error_set(e, E_VALUE, "width is %zu; heads times head_dim, %zu, is expected", s->width, s->heads * s->head_dim);
	if (s->vocab < MODEL_SPECIAL_COUNT)
		return error_set(e, E_VALUE, "vocab is %zu; %d special tokens at least are expected", s->vocab, MODEL_SPECIAL_COUNT);
	if (!(s->norm_eps > 0 && s->norm_eps < 1))
		return error_set(e, E_VALUE, "norm_eps is %g; a number above 0 and below 1 is expected", s->norm_eps);
	if (s->layers * s->heads * s->context * s->context > MODEL_CELLS)
		return error_set(e, E_LIMIT, "%zu layers of %zu heads with %zu x %zu weights are larger than the limit of %d numbers",
				 s->layers, s->heads, s->context, s->context, MODEL_CELLS);
	if (s->context * s->vocab > MODEL_CELLS)
		return error_set(e, E_LIMIT, "a context of %zu with %zu tokens to choose from is larger than the limit of %d numbers",
				 s->context, s->vocab, MODEL_CELLS);
	if (parameters(s) > MODEL_PARAMETERS)
		return error_set(e, E_LIMIT, "%zu parameters are more than the limit of %d", parameters(s), MODEL_PARAMETERS);
	return OK_STATUS;
}

/* ---- parts ---- */

/* What a side of an array is as long as. */
enum side { NONE, WIDTH, WIDTH_3, HIDDEN, CONTEXT, VOCAB };

static const struct part { const char *name; enum side rows, columns; } parts[MODEL_PART_COUNT] = {
	[MODEL_EMB] = { "emb.weight", VOCAB, WIDTH },
	[MODEL_POS] = { "pos.weight", CONTEXT, WIDTH },
	[MODEL_LN1_WEIGHT] = { "ln1.weight", WIDTH, NONE },
	[MODEL_LN1_BIAS] = { "ln1.bias", WIDTH, NONE },
	[MODEL_QKV_WEIGHT] = { "qkv.weight", WIDTH_3, WIDTH },
	[MODEL_QKV_BIAS] = { "qkv.bias", WIDTH_3, NONE },
	[MODEL_PROJ_WEIGHT] = { "proj.weight", WIDTH, WIDTH },
	[MODEL_PROJ_BIAS] = { "proj.bias", WIDTH, NONE },
	[MODEL_LN2_WEIGHT] = { "ln2.weight", WIDTH, NONE },
	[MODEL_LN2_BIAS] = { "ln2.bias", WIDTH, NONE },
	[MODEL_FC_WEIGHT] = { "fc.weight", HIDDEN, WIDTH },
	[MODEL_FC_BIAS] = { "fc.bias", HIDDEN, NONE },
	[MODEL_OUT_WEIGHT] = { "out.weight", WIDTH, HIDDEN },
	[MODEL_OUT_BIAS] = { "out.bias", WIDTH, NONE },
	[MODEL_LNF_WEIGHT] = { "lnf.weight", WIDTH, NONE },
	[MODEL_LNF_BIAS] = { "lnf.bias", WIDTH, NONE },
};

bool model_part_in_layers(enum model_part p)
{
	return p >= MODEL_LN1_WEIGHT && p <= MODEL_OUT_BIAS;
}

void model_part_name(enum model_part p, size_t layer, char out[MODEL_NAME_SIZE])
{
	if (model_part_in_layers(p))
		snprintf(out, MODEL_NAME_SIZE, "blocks.%zu.%s", layer, parts[p].name);
	else
		snprintf(out, MODEL_NAME_SIZE, "%s", parts[p].name);
}

static size_t side_of(const struct model_sizes *s, enum side side)
{
	const size_t length[] = {
		[NONE] = 0, [WIDTH] = s->width, [WIDTH_3] = 3 * s->width, [HIDDEN] = s->hidden,
		[CONTEXT] = s->context, [VOCAB] = s->vocab,
	};
	return length[side];
}

void model_part_shape(const struct model_sizes *s, enum model_part p, size_t *rows, size_t *columns)
{
	*rows = side_of(s, parts[p].rows);
	*columns = side_of(s, parts[p].columns);
}

/* ---- memory ---- */

static enum status layer_init(struct model_layer *l, const struct model_sizes *s, struct error *e)
{
	enum status status;

	if ((status = norm_init(&l->ln1, s->width, (float)s->norm_eps, e)) ||
	    (status = norm_init(&l->ln2, s->width, (float)s->norm_eps, e)) ||
	    (status = linear_init(&l->qkv, s->width, 3 * s->width, e)) ||
	    (status = linear_init(&l->proj, s->width, s->width, e)) ||
	    (status = linear_init(&l->fc, s->width, s->hidden, e)))
		return status;
	return linear_init(&l->out, s->hidden, s->width, e);
}

static void layer_free(struct model_layer *l)
{
	norm_free(&l->ln1);
	norm_free(&l->ln2);
	linear_free(&l->qkv);
	linear_free(&l->proj);
	linear_free(&l->fc);
	linear_free(&l->out);
}

static enum status allocate(struct model *m, struct error *e)
{
	const struct model_sizes *s = &m->size;
	enum status status;

	m->pos = calloc(s->context * s->width, sizeof *m->pos);
	m->layer = calloc(s->layers, sizeof *m->layer);
	if (!m->pos || !m->layer)
		return error_set(e, E_MEMORY, "no memory for a model of %zu layers", s->layers);
	if ((status = linear_init(&m->output, s->width, s->vocab, e)) ||
	    (status = norm_init(&m->lnf, s->width, (float)s->norm_eps, e)))
		return status;
	for (size_t l = 0; l < s->layers && !status; l++)
		status = layer_init(&m->layer[l], s, e);
	return status;
}

enum status model_init(struct model *m, const struct model_sizes *s, struct error *e)
{
	struct model fresh = { .size = *s };
	enum status status = model_sizes_check(s, e);

	if (status)
		return status;
	if ((status = allocate(&fresh, e)))
		model_free(&fresh);
	else
		*m = fresh;
	return status;
}

void model_free(struct model *m)
{
	for (size_t l = 0; m->layer && l < m->size.layers; l++)
		layer_free(&m->layer[l]);
	free(m->layer);
	free(m->pos);
	linear_free(&m->output);
	norm_free(&m->lnf);
	tokens_free(&m->vocab);
	free(m->letters);
	*m = (struct model){ 0 };
}

/* ---- numbers ---- */

/* Where a vector belongs, or a matrix that is not packed; NULL for one that is. */
static float *plain_place(struct model *m, enum model_part p, struct model_layer *l)
{
	switch (p) {
	case MODEL_POS: return m->pos;
	case MODEL_LN1_WEIGHT: return l->ln1.weight;
	case MODEL_LN1_BIAS: return l->ln1.bias;
	case MODEL_QKV_BIAS: return l->qkv.bias;
	case MODEL_PROJ_BIAS: return l->proj.bias;
	case MODEL_LN2_WEIGHT: return l->ln2.weight;
	case MODEL_LN2_BIAS: return l->ln2.bias;
	case MODEL_FC_BIAS: return l->fc.bias;
	case MODEL_OUT_BIAS: return l->out.bias;
	case MODEL_LNF_WEIGHT: return m->lnf.weight;
	case MODEL_LNF_BIAS: return m->lnf.bias;
	default: return NULL;
	}
}

static struct linear *packed_place(struct model *m, enum model_part p, struct model_layer *l)
{
	switch (p) {
	case MODEL_EMB: return &m->output;
	case MODEL_QKV_WEIGHT: return &l->qkv;
	case MODEL_PROJ_WEIGHT: return &l->proj;
	case MODEL_FC_WEIGHT: return &l->fc;
	case MODEL_OUT_WEIGHT: return &l->out;
	default: return NULL;
	}
}

void model_set_row(struct model *m, enum model_part p, size_t layer, size_t row, const float *v)
{
	struct model_layer *l = &m->layer[layer];
	float *plain = plain_place(m, p, l);
	struct linear *packed = packed_place(m, p, l);
	size_t rows, columns;

	model_part_shape(&m->size, p, &rows, &columns);
	if (packed)
		linear_set_output(packed, row, v);
	else if (columns)
		memcpy(plain + row * columns, v, columns * sizeof *v);
	else
		memcpy(plain, v, rows * sizeof *v);
}

/* ---- characters ---- */

static int compare_letters(const void *a, const void *b)
{
	const struct model_letter *x = a, *y = b;
	return (x->code > y->code) - (x->code < y->code);
}

static bool is_special(const size_t special[MODEL_SPECIAL_COUNT], size_t id)
{
	for (int k = 0; k < MODEL_SPECIAL_COUNT; k++)
		if (special[k] == id)
			return true;
	return false;
}

static enum status check_specials(const size_t special[MODEL_SPECIAL_COUNT], size_t vocab, struct error *e)
{
	static const char *const name[MODEL_SPECIAL_COUNT] = { "pad_id", "bos_id", "eos_id", "unk_id" };

	for (int k = 0; k < MODEL_SPECIAL_COUNT; k++) {
		if (special[k] >= vocab)
			return error_set(e, E_VALUE, "%s is %zu; an id below %zu is expected", name[k], special[k], vocab);
		for (int j = 0; j < k; j++)
			if (special[j] == special[k])
				return error_set(e, E_VALUE, "%s and %s are both %zu; different ids are expected", name[j], name[k], special[k]);
	}
	return OK_STATUS;
}

/* The letters of vocab, in order; sorted, two of the same stand side by side. */
static enum status list_letters(struct model_letter *letters, size_t *n, const struct tokens *vocab,
				const size_t special[MODEL_SPECIAL_COUNT], struct error *e)
{
	*n = 0;
	for (size_t id = 0; id < vocab->n; id++) {
		uint32_t code;
		if (is_special(special, id))
			continue;
		size_t used = utf8_decode(vocab->text[id], UTF8_MAX, &code);
		if (!used || !code || vocab->text[id][used])
			return error_set(e, E_VALUE, "token %zu of vocab is '%.40s'; one character is expected", id, vocab->text[id]);
		letters[(*n)++] = (struct model_letter){ code, id };
	}
	qsort(letters, *n, sizeof *letters, compare_letters);
	for (size_t k = 1; k < *n; k++)
		if (letters[k].code == letters[k - 1].code)
			return error_set(e, E_VALUE, "tokens %zu and %zu of vocab are both '%s'; each is expected once",
					 letters[k - 1].id, letters[k].id, vocab->text[letters[k].id]);
	return OK_STATUS;
}

enum status model_set_vocab(struct model *m, struct tokens *vocab, const size_t special[MODEL_SPECIAL_COUNT],
			    struct error *e)
{
	enum status s = check_specials(special, m->size.vocab, e);
	size_t n;

	if (s)
		return s;
	if (vocab->n != m->size.vocab)
		return error_set(e, E_SHAPE, "vocab has %zu tokens; %zu are expected", vocab->n, m->size.vocab);
	struct model_letter *letters = calloc(vocab->n, sizeof *letters);
	if (!letters)
		return error_set(e, E_MEMORY, "no memory for %zu tokens", vocab->n);
	if ((s = list_letters(letters, &n, vocab, special, e))) {
		free(letters);
		return s;
	}
	free(m->letters);
	tokens_free(&m->vocab);
	m->letters = letters;
	m->letters_n = n;
	m->vocab = *vocab;
	*vocab = (struct tokens){ 0 };
	memcpy(m->special, special, sizeof m->special);
	return OK_STATUS;
}

size_t model_id(const struct model *m, uint32_t code)
{
	const struct model_letter wanted = { .code = code };
	const struct model_letter *found = m->letters_n
		? bsearch(&wanted, m->letters, m->letters_n, sizeof wanted, compare_letters) : NULL;

	return found ? found->id : m->special[MODEL_UNK];
}

/* ---- texts ---- */

enum status model_text_init(struct model_text *t, const struct model *m, const char *text, size_t length,
			    struct error *e)
{
	struct model_text fresh = { .n = 1 };

	fresh.ids = calloc(m->size.context, sizeof *fresh.ids);
	if (!fresh.ids)
		return error_set(e, E_MEMORY, "no memory for a text");
	fresh.ids[0] = m->special[MODEL_BOS];
	for (size_t at = 0; at < length; fresh.characters++) {
		uint32_t code;
		size_t used = utf8_decode(text + at, length - at, &code);
		at += used ? used : utf8_malformed(text + at, length - at);
		if (fresh.n == m->size.context) {
			fresh.cut++;
			continue;
		}
		size_t id = model_id(m, code);
		fresh.unknown += id == m->special[MODEL_UNK];
		fresh.ids[fresh.n++] = id;
	}
	fresh.last = fresh.n - 1;
	*t = fresh;
	return OK_STATUS;
}

enum status model_text_pad(struct model_text *t, const struct model *m, size_t left, size_t right, struct error *e)
{
	size_t room = m->size.context - t->n;

	if (left > room || right > room - left)
		return error_set(e, E_VALUE, "%zu tokens and %zu of padding; %zu at most are expected",
				 t->n, left + right, m->size.context);
	memmove(t->ids + left, t->ids, t->n * sizeof *t->ids);
	for (size_t k = 0; k < left; k++)
		t->ids[k] = m->special[MODEL_PAD];
	for (size_t k = 0; k < right; k++)
		t->ids[left + t->n + k] = m->special[MODEL_PAD];
	t->n += left + right;
	t->last += left;
	return OK_STATUS;
}

void model_text_free(struct model_text *t)
{
	free(t->ids);
	*t = (struct model_text){ 0 };
}

enum status model_options(struct options *o, struct error *e)
{
	struct options fresh;
	enum status s = options_init(&fresh, e);

	if (s)
		return s;
	if ((s = option_set(&fresh, OPT_CAUSAL, "on", e)))
		options_free(&fresh);
	else
		*o = fresh;
	return s;
}
