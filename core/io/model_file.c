/* model_file.c - the weights of a model from the bytes of a .safetensors file. */
#include "core/io/model_file.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/json_text.h"
#include "core/io/tensors.h"
#include "core/lanes.h"
#include "core/number.h"

#define LAYOUT ", as in the built-in model"

/* ---- metadata ---- */

static const char *find(const struct tensors *t, const char *key)
{
	for (size_t k = 0; k < t->metadata_n; k++)
		if (!strcmp(t->metadata[k].key, key))
			return t->metadata[k].value;
	return NULL;
}

/* What the arithmetic takes for granted. */
static enum status check_words(const struct tensors *t, struct error *e)
{
	static const char *const words[][2] = {
		{ "format", "koen-decoder" }, { "activation", "gelu_erf" }, { "norm", "pre_layernorm" },
		{ "positions", "learned" }, { "output", "tied" },
	};

	for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
		const char *value = find(t, words[k][0]);
		if (!value)
			return error_set(e, E_VALUE, "has no '%s' in its metadata; '%s' is expected" LAYOUT, words[k][0], words[k][1]);
		if (strcmp(value, words[k][1]))
			return error_set(e, E_VALUE, "%s is '%.60s'; '%s' is expected" LAYOUT, words[k][0], value, words[k][1]);
	}
	return OK_STATUS;
}

static enum status read_size(const struct tensors *t, const char *key, size_t *out, struct error *e)
{
	const char *value = find(t, key);
	long v;

	if (!value)
		return error_set(e, E_VALUE, "has no '%s' in its metadata; a whole number is expected" LAYOUT, key);
	if (!number_parse_integer(value, strlen(value), &v) || v < 0)
		return error_set(e, E_VALUE, "%s is '%.60s'; a whole number is expected", key, value);
	*out = (size_t)v;
	return OK_STATUS;
}

static enum status read_eps(const struct tensors *t, double *out, struct error *e)
{
	const char *value = find(t, "norm_eps");

	if (!value || !number_parse(value, strlen(value), out))
		return error_set(e, E_VALUE, "norm_eps is '%.60s'; a number such as 1e-5 is expected", value ? value : "");
	return OK_STATUS;
}

static enum status read_sizes(const struct tensors *t, struct model_sizes *s, struct error *e)
{
	enum status status;
	size_t emb = tensors_find(t, "emb.weight");

	if ((status = read_size(t, "layers", &s->layers, e)) || (status = read_size(t, "heads", &s->heads, e)) ||
	    (status = read_size(t, "head_dim", &s->head_dim, e)) || (status = read_size(t, "width", &s->width, e)) ||
	    (status = read_size(t, "hidden", &s->hidden, e)) || (status = read_size(t, "context", &s->context, e)) ||
	    (status = read_eps(t, &s->norm_eps, e)))
		return status;
	if (emb == t->n || t->v[emb].array.rank != 2)
		return error_set(e, E_SHAPE, "has no matrix emb.weight; one is expected" LAYOUT);
	s->vocab = t->v[emb].array.shape[0];
	return model_sizes_check(s, e);
}

/* ---- the vocabulary ---- */

enum { VOCAB_BYTES = 1 << 21 };

/* Of the list of strings, no tree larger than the largest vocabulary needs is made. */
static enum status check_vocab_text(const char *text, struct error *e)
{
	size_t size = strlen(text);

	if (size > VOCAB_BYTES || json_text_survey(text, size).cost > 4 * (size_t)MODEL_VOCAB)
		return error_set(e, E_LIMIT, "vocab is larger than %d bytes or %d strings", VOCAB_BYTES, MODEL_VOCAB);
	return OK_STATUS;
}

static enum status copy_vocab(const json_t *list, struct tokens *out, struct error *e)
{
	size_t k;
	json_t *one;
	enum status s = OK_STATUS;

	json_array_foreach(list, k, one) {
		if (!json_is_string(one))
			return error_set(e, E_VALUE, "token %zu of vocab is no string; a JSON list of strings is expected", k);
		if ((s = tokens_add(out, json_string_value(one), json_string_length(one), e)))
			return s;
	}
	return s;
}

static enum status parse_vocab(const char *text, struct tokens *out, struct error *e)
{
	json_error_t where;
	json_t *list = json_loads(text, 0, &where);
	enum status s;

	if (!list)
		return error_set(e, E_SYNTAX, "vocab is no JSON: %.120s", where.text);
	if (json_is_array(list))
		s = copy_vocab(list, out, e);
	else
		s = error_set(e, E_VALUE, "vocab is no list; a JSON list of strings is expected");
	json_decref(list);
	return s;
}

static enum status read_vocab(struct model *m, const struct tensors *t, struct error *e)
{
	static const char *const key[MODEL_SPECIAL_COUNT] = { "pad_id", "bos_id", "eos_id", "unk_id" };
	const char *text = find(t, "vocab");
	size_t special[MODEL_SPECIAL_COUNT];
	struct tokens vocab = { 0 };
	enum status s = OK_STATUS;

	if (!text)
		return error_set(e, E_VALUE, "has no 'vocab' in its metadata; a JSON list of strings is expected" LAYOUT);
	for (int k = 0; k < MODEL_SPECIAL_COUNT && !s; k++)
		s = read_size(t, key[k], &special[k], e);
	if (s || (s = check_vocab_text(text, e)))
		return s;
	if (!(s = parse_vocab(text, &vocab, e)))
		s = model_set_vocab(m, &vocab, special, e);
	tokens_free(&vocab);
	return s;
}

/* ---- arrays ---- */

static enum status check_array(const struct tensor *a, size_t rows, size_t columns, struct error *e)
{
	int rank = columns ? 2 : 1;
	char expected[64];

	if (columns)
		snprintf(expected, sizeof expected, "(%zu, %zu)", rows, columns);
	else
		snprintf(expected, sizeof expected, "(%zu,)", rows);
	if (a->refused[0])
		return error_set(e, E_VALUE, "%s: %s; F16, BF16 or F32 of shape %s is expected", a->name, a->refused, expected);
	if (a->array.kind != NPY_F16 && a->array.kind != NPY_BF16 && a->array.kind != NPY_F32)
		return error_set(e, E_VALUE, "%s is of type %s; F16, BF16 or F32 is expected", a->name, npy_kind_name(a->array.kind));
	if (a->array.rank != rank || a->array.shape[0] != rows || (columns && a->array.shape[1] != columns))
		return error_set(e, E_SHAPE, "%s has %d dimensions, %zu rows and %zu columns; the shape %s is expected", a->name,
				 a->array.rank, a->array.rank > 0 ? a->array.shape[0] : 0, a->array.rank > 1 ? a->array.shape[1] : 0,
				 expected);
	return OK_STATUS;
}

/* As the kernels read numbers: in the order of bytes that files have. */
static bool is_little_endian(void)
{
	const uint16_t one = 1;
	unsigned char first;

	memcpy(&first, &one, 1);
	return first == 1;
}

/* Numbers [first, first + n) of an array. */
static void copy_numbers(const struct npy *a, size_t first, size_t n, float *out)
{
	const enum dtype type = a->kind == NPY_F16 ? DTYPE_F16 : a->kind == NPY_BF16 ? DTYPE_BF16 : DTYPE_F32;

	if (is_little_endian() && !a->big_endian && !a->fortran) {
		lanes_choose()->widen(a->data + first * a->item_size, type, n, out);
		return;
	}
	for (size_t k = 0; k < n; k++)
		out[k] = (float)npy_number(a, first + k);
}

static bool all_finite(const float *v, size_t n)
{
	enum { PARTS = 8 };		/* of the sum, so that none waits for the one before */
	float zeros[PARTS] = { 0 };	/* NaN once a number is not finite */
	size_t k = 0;

	for (; k + PARTS <= n; k += PARTS)
		for (size_t part = 0; part < PARTS; part++)
			zeros[part] += v[k + part] * 0;
	for (; k < n; k++)
		zeros[0] += v[k] * 0;
	for (size_t part = 1; part < PARTS; part++)
		zeros[0] += zeros[part];
	return zeros[0] == 0;
}

static enum status set_rows(struct model *m, const struct tensor *a, enum model_part p, size_t layer, float *room,
			    struct error *e)
{
	size_t rows, columns;

	model_part_shape(&m->size, p, &rows, &columns);
	size_t times = columns ? rows : 1, n = columns ? columns : rows;
	for (size_t k = 0; k < times; k++) {
		copy_numbers(&a->array, k * n, n, room);
		if (!all_finite(room, n))
			return error_set(e, E_VALUE, "%s has a number that is not finite in row %zu", a->name, k);
		model_set_row(m, p, layer, k, room);
	}
	return OK_STATUS;
}

/* How often a part is there. */
static size_t times(const struct model_sizes *s, enum model_part p)
{
	return model_part_in_layers(p) ? s->layers : 1;
}

static size_t find_part(const struct tensors *t, enum model_part p, size_t layer)
{
	char name[MODEL_NAME_SIZE];

	model_part_name(p, layer, name);
	return tensors_find(t, name);
}

static enum status check_part(const struct model_sizes *sizes, const struct tensors *t, enum model_part p, size_t layer,
			      struct error *e)
{
	char name[MODEL_NAME_SIZE];
	size_t rows, columns, k = find_part(t, p, layer);

	model_part_name(p, layer, name);
	model_part_shape(sizes, p, &rows, &columns);
	if (k == t->n)
		return error_set(e, E_SHAPE, "has no array %s; all of %zu layers are expected" LAYOUT, name, sizes->layers);
	return check_array(&t->v[k], rows, columns, e);
}

/* All arrays are there as they should be, and there is no other. */
static enum status check_parts(const struct model_sizes *sizes, const struct tensors *t, struct error *e)
{
	size_t expected = 0;
	enum status s = OK_STATUS;

	for (int p = 0; p < MODEL_PART_COUNT && !s; p++)
		for (size_t l = 0; l < times(sizes, (enum model_part)p) && !s; l++, expected++)
			s = check_part(sizes, t, (enum model_part)p, l, e);
	if (!s && t->n != expected)
		s = error_set(e, E_SHAPE, "has %zu arrays; %zu are expected for %zu layers" LAYOUT, t->n, expected,
			      sizes->layers);
	return s;
}

static enum status read_part(struct model *m, struct tensors *t, enum model_part p, size_t layer, float *room,
			     struct error *e)
{
	size_t k = find_part(t, p, layer);
	enum status s;

	if ((s = tensors_open(t, k, e)))
		return s;
	s = set_rows(m, &t->v[k], p, layer, room, e);
	tensors_close(t, k);
	return s;
}

static size_t longest_row(const struct model_sizes *s)
{
	size_t most = 0;

	for (int p = 0; p < MODEL_PART_COUNT; p++) {
		size_t rows, columns;
		model_part_shape(s, (enum model_part)p, &rows, &columns);
		size_t n = columns ? columns : rows;
		most = n > most ? n : most;
	}
	return most;
}

static enum status read_parts(struct model *m, struct tensors *t, struct error *e)
{
	float *room = calloc(longest_row(&m->size), sizeof *room);
	enum status s = OK_STATUS;

	if (!room)
		return error_set(e, E_MEMORY, "no memory for a row");
	for (int p = 0; p < MODEL_PART_COUNT && !s; p++)
		for (size_t l = 0; l < times(&m->size, (enum model_part)p) && !s; l++)
			s = read_part(m, t, (enum model_part)p, l, room, e);
	free(room);
	return s;
}

/* ---- all of it ---- */

static enum status read_model(struct model *m, struct tensors *t, struct error *e)
{
	struct model_sizes sizes;
	struct model fresh;
	enum status s;

	if ((s = check_words(t, e)) || (s = read_sizes(t, &sizes, e)) || (s = check_parts(&sizes, t, e)) ||
	    (s = model_init(&fresh, &sizes, e)))
		return s;
	if ((s = read_parts(&fresh, t, e)) || (s = read_vocab(&fresh, t, e)))
		model_free(&fresh);
	else
		*m = fresh;
	return s;
}

enum status model_read(struct model *m, const void *bytes, size_t size, const char *name, struct error *e)
{
	enum tensor_format format;
	struct tensors t;
	char text[sizeof e->text];
	enum status s;

	if (!tensors_recognise(bytes, size, name, &format) || format != FORMAT_SAFETENSORS)
		return error_at(e, E_VALUE, name, 0, 0, "is no .safetensors file; the weights of a model in one are expected");
	if ((s = tensors_read(&t, bytes, size, name, NULL, e)))
		return s;
	if ((s = read_model(m, &t, e))) {
		snprintf(text, sizeof text, "%s", e->text);
		error_at(e, s, name, 0, 0, "%s", text);
	}
	tensors_free(&t);
	return s;
}
