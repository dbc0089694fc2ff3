/* json_tensors.c - the arrays of a JSON file. */
#include "core/io/json_tensors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/buffer.h"
#include "core/io/json_reader.h"
#include "core/io/json_text.h"
#include "core/io/text_place.h"
#include "core/message.h"

struct mark json_reader_place(const struct json_reader *r)
{
	size_t offset = json_text_value_offset(r->text, r->size, r->step, r->steps);
	return text_place(r->text - r->from, r->size + r->from, r->from + offset);
}

static enum status no_memory(const struct json_reader *r)
{
	return error_set(r->e, E_MEMORY, "no memory for what the JSON file says");
}

/* ---- names ---- */

static void push(struct json_reader *r, size_t ordinal)
{
	r->step[r->steps++] = ordinal;
}

/* One part more of the name. */
static enum status push_name(struct json_reader *r, const char *part)
{
	if (strlen(part) + r->name.size > JSON_NAME_LIMIT)
		return JSON_FAIL(r, E_LIMIT, N_("a name of more than %d bytes"), JSON_NAME_LIMIT);
	buffer_text(&r->name, r->name.size ? "." : "");
	buffer_text(&r->name, part);
	return r->name.failed ? no_memory(r) : OK_STATUS;
}

static void pop_name(struct json_reader *r, size_t before)
{
	r->name.size = before;
	if (r->name.data)
		r->name.data[before] = '\0';
}

static const char *name_of(const struct json_reader *r)
{
	return r->name.size ? r->name.data : "";
}

/* ---- what `qkv show` writes ---- */

static const char *text_at(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* What its values are called, NULL for other files. */
static const char *own_stage(const json_t *v)
{
	const char *stage = text_at(v, "stage"), *array = text_at(v, "array");

	if (!stage || !json_is_array(json_object_get(v, "values")) || !json_is_array(json_object_get(v, "shape")) ||
	    !json_is_object(json_object_get(v, "tokens")))
		return NULL;
	return !strcmp(stage, "input") && array ? array : stage;
}

/* The name of an array of such a file; NULL for what is passed over. */
static const char *own_name(const struct json_reader *r)
{
	static const char *const names[][2] = {
		{ "row_sums", "row_sums" }, { "tokens.query", "query_tokens" }, { "tokens.key", "key_tokens" },
	};

	if (!strcmp(name_of(r), "values"))
		return r->stage;
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (!strcmp(name_of(r), names[k][0]))
			return names[k][1];
	return NULL;
}

static bool shape_says(const json_t *shape, const struct npy *a)
{
	bool same = json_array_size(shape) == (size_t)a->rank;

	for (int d = 0; d < a->rank && same; d++)
		same = json_number_value(json_array_get(shape, (size_t)d)) == (double)a->shape[d];
	return same;
}

/* (0, 5) is written as an empty list, which says nothing of the 5. */
static void complete_shape(const json_t *shape, struct npy *a)
{
	double columns = json_number_value(json_array_get(shape, 1));

	if (a->rank != 1 || a->count || json_array_size(shape) != 2 || !(columns >= 0 && columns <= SIZE_LIMIT))
		return;
	a->rank = 2;
	a->shape[1] = (size_t)columns;
}

static enum status check_own(struct json_reader *r, const json_t *root)
{
	const json_t *shape = json_object_get(root, "shape");
	size_t i = tensors_find(r->t, r->stage);

	complete_shape(shape, &r->t->v[i].array);
	return shape_says(shape, &r->t->v[i].array) ? OK_STATUS
		: JSON_FAIL(r, E_SYNTAX, N_("\"shape\" and the lengths of \"values\" do not agree"));
}

/* ---- the tree ---- */

static enum status walk(struct json_reader *r, const json_t *v);

static enum status walk_member(struct json_reader *r, const json_t *v, const char *part, size_t ordinal)
{
	size_t before = r->name.size;

	push(r, ordinal);
	enum status status = part ? push_name(r, part) : OK_STATUS;
	if (!status)
		status = walk(r, v);
	pop_name(r, before);
	r->steps--;
	return status;
}

static enum status walk_object(struct json_reader *r, json_t *object)
{
	enum status status = OK_STATUS;
	size_t ordinal = 0;
	const char *key;
	json_t *member;

	json_object_foreach(object, key, member) {
		status = walk_member(r, member, key, ordinal++);
		if (status)
			break;
	}
	return status;
}

/* The part of the name that an object in a list has; NULL for an only one. */
static const char *part_of(const json_t *object, size_t k, size_t n, char number[32])
{
	const char *name = text_at(object, "name");

	if (n == 1)
		return NULL;
	snprintf(number, 32, "%zu", k);
	return name && *name ? name : number;
}

/* The payload of bertviz and its like. */
static enum status walk_objects(struct json_reader *r, const json_t *list)
{
	enum status status = OK_STATUS;
	size_t n = json_array_size(list);
	char number[32];

	for (size_t k = 0; k < n && !status; k++) {
		const json_t *v = json_array_get(list, k);
		if (!json_is_object(v)) {
			push(r, k);
			return JSON_FAIL(r, E_SYNTAX, N_("%s[%zu] is %s; expected an object, as before it"), name_of(r), k, _(json_describe(v)));
		}
		status = walk_member(r, v, part_of(v, k, n, number), k);
	}
	return status;
}

static enum status add_metadata(struct json_reader *r, const char *value)
{
	if (r->t->metadata_n == JSON_ARRAYS_LIMIT)
		return JSON_FAIL(r, E_LIMIT, N_("more than %d texts beside the arrays"), JSON_ARRAYS_LIMIT);
	return tensors_add_metadata(r->t, name_of(r), value, r->e);
}

static enum status walk_list(struct json_reader *r, const json_t *v)
{
	if (!r->stage && json_is_object(json_array_get(v, 0)))
		return walk_objects(r, v);
	const char *name = r->stage ? own_name(r) : name_of(r);
	return name ? json_array_read(r, v, name) : OK_STATUS;
}

static enum status walk(struct json_reader *r, const json_t *v)
{
	switch (json_typeof(v)) {
	case JSON_OBJECT:	return walk_object(r, (json_t *)v);	/* jansson iterates over nothing const */
	case JSON_ARRAY:	return walk_list(r, v);
	case JSON_TRUE:		return add_metadata(r, "true");
	case JSON_FALSE:	return add_metadata(r, "false");
	case JSON_NULL:		return OK_STATUS;
	case JSON_STRING:
		if (!json_is_special(v))
			return add_metadata(r, json_string_value(v));
		break;
	default:
		break;
	}
	return json_array_read(r, v, name_of(r));
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "a.b" may be a key, and the key b of the object a. */
static enum status check_names(const struct json_reader *r)
{
	size_t n = r->t->n;
	const char **names = malloc((n + 1) * sizeof *names);
	enum status status = OK_STATUS;

	if (!names)
		return no_memory(r);
	for (size_t i = 0; i < n; i++)
		names[i] = r->t->v[i].name;
	qsort(names, n, sizeof *names, compare_names);
	for (size_t i = 1; i < n && !status; i++)
		if (!strcmp(names[i - 1], names[i]))
			status = error_at(r->e, E_SYNTAX, r->file, 0, 0, "two arrays with the name \"%s\"", names[i]);
	free(names);
	return status;
}

static enum status read_tree(struct json_reader *r, const json_t *root)
{
	r->stage = json_is_object(root) ? own_stage(root) : NULL;
	enum status status = walk(r, root);

	if (!status)
		status = check_names(r);
	if (!status && r->stage)
		status = check_own(r, root);
	if (!status && !r->t->n)
		status = error_at(r->e, E_VALUE, r->file, 0, 0, "no arrays in this file; expected lists of numbers, "
				  "such as {\"scores\": [[0.5, 1], [2, 3]], \"tokens\": [\"a\", \"b\"]}");
	return status;
}

/* ---- the text ---- */

/* In words that say what was expected; NULL where jansson's own do. */
static const char *explain(enum json_error_code code)
{
	switch (code) {
	case json_error_stack_overflow:
		return N_("lists and objects nested too deep");
	case json_error_duplicate_key:
		return N_("this object has the key twice");
	case json_error_numeric_overflow:
		return N_("a number beyond a double; expected at most 1.8e308, or Infinity");
	case json_error_invalid_utf8:
		return N_("bytes that are not UTF-8; save the file as UTF-8");
	case json_error_null_character:
		return N_("the character U+0000 in a string; expected text without it");
	case json_error_end_of_input_expected:
		return N_("text behind the end of the JSON; expected one list or one object in the file");
	case json_error_premature_end_of_input:
		return N_("the file ends in the middle of the JSON");
	default:
		return NULL;
	}
}

static enum status refuse_syntax(const struct json_reader *r, const json_error_t *error)
{
	enum json_error_code code = json_error_code(error);
	const char *what = explain(code);

	if (code == json_error_out_of_memory)
		return no_memory(r);
	size_t offset = json_text_error_offset(r->text, r->size, error->position > 0 ? (size_t)error->position : 0);
	struct mark at = text_place(r->text - r->from, r->size + r->from, r->from + offset);
	return error_at(r->e, code == json_error_stack_overflow ? E_LIMIT : E_SYNTAX, r->file, at.line, at.column,
			what ? "%s" : N_("no JSON: %s"), what ? _(what) : error->text);
}

static enum status parse(const struct json_reader *r, json_t **root)
{
	struct json_survey survey = json_text_survey(r->text, r->size);
	struct buffer copy = { 0 };
	json_error_t error;

	if (!survey.any)
		return error_at(r->e, E_SYNTAX, r->file, 1, 1, "an empty file; expected a list or an object");
	if (survey.cost > JSON_COST_LIMIT)
		return error_at(r->e, E_LIMIT, r->file, 0, 0, "more than some %d million values; .npy and .safetensors may be larger",
				JSON_COST_LIMIT / 1000000);
	if (survey.bare)
		json_text_copy(&copy, r->text, r->size);
	if (!copy.failed)
		*root = json_loadb(survey.bare ? copy.data : r->text, survey.bare ? copy.size : r->size,
				   JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
	bool failed = copy.failed;
	buffer_free(&copy);
	if (failed)
		return no_memory(r);
	return *root ? OK_STATUS : refuse_syntax(r, &error);
}

enum status json_read(struct tensors *t, const void *bytes, size_t size, const char *name, struct error *e)
{
	struct json_reader r = { .t = t, .e = e, .file = name };
	enum status status = text_check(bytes, size, name, e);
	json_t *root = NULL;

	if (status)
		return status;
	if (size > JSON_SIZE_LIMIT)
		return error_at(e, E_LIMIT, name, 0, 0, "JSON of more than %zu MiB; .npy and .safetensors may be larger",
				JSON_SIZE_LIMIT >> 20);
	r.from = text_mark_size(bytes, size);
	r.text = size ? (const char *)bytes + r.from : "";
	r.size = size - r.from;
	status = parse(&r, &root);
	if (!status)
		status = read_tree(&r, root);
	json_decref(root);
	buffer_free(&r.name);
	return status;
}
