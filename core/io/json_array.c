/* json_array.c - nested lists of JSON as arrays. */
#include "core/io/json_reader.h"

#include <string.h>

#include "core/io/json_tensors.h"
#include "core/io/tensors_build.h"
#include "core/message.h"
#include "core/number.h"

/* ---- paths ---- */

/* "attn[0][3]": the name of the value at hand and the steps in its lists. */
struct path_text { char text[200]; };

/* The first `steps` of its own lists; with `first`, the way to the first element instead. */
static struct path_text show_path(const struct json_reader *r, size_t steps, bool first)
{
	struct buffer b = { 0 };
	struct path_text out = { "" };
	size_t begin = r->steps - r->inner;

	buffer_text(&b, r->name.size ? r->name.data : steps ? "" : _("the list"));
	for (size_t k = 0; k < steps; k++)
		buffer_format(&b, "[%zu]", first ? 0 : r->step[begin + k]);
	if (b.data) {
		bool cut = b.size >= sizeof out.text;
		size_t n = cut ? sizeof out.text - 4 : b.size;
		memcpy(out.text, b.data, n);
		strcpy(out.text + n, cut ? "..." : "");
	}
	buffer_free(&b);
	return out;
}

/* ---- elements ---- */

enum leaf { LEAF_NUMBER = 1, LEAF_SPECIAL = 2, LEAF_STRING = 4, LEAF_BOOL = 8, LEAF_NONE = 16 };

bool json_is_special(const json_t *v)
{
	const char *s = json_string_value(v);
	return s && (!strcmp(s, "NaN") || !strcmp(s, "Infinity") || !strcmp(s, "-Infinity"));
}

static enum leaf leaf_of(const json_t *v)
{
	if (json_is_number(v))
		return LEAF_NUMBER;
	if (json_is_string(v))
		return json_is_special(v) ? LEAF_SPECIAL : LEAF_STRING;
	return json_is_boolean(v) ? LEAF_BOOL : LEAF_NONE;
}

static double number_of(const json_t *v)
{
	double value = 0;

	if (json_is_number(v))
		return json_number_value(v);
	number_parse(json_string_value(v), json_string_length(v), &value);
	return value;
}

const char *json_describe(const json_t *v)
{
	switch (json_typeof(v)) {
	case JSON_OBJECT:	return N_("an object");
	case JSON_ARRAY:	return N_("a list");
	case JSON_STRING:	return json_is_special(v) ? N_("a number") : N_("a string");
	case JSON_NULL:		return N_("null");
	case JSON_TRUE:
	case JSON_FALSE:	return N_("true or false");
	default:		return N_("a number");
	}
}

/* ---- the shape of nested lists ---- */

struct layout {
	int rank;
	size_t shape[NPY_RANK_MAX];
	unsigned kinds;			/* of enum leaf */
	const json_t *sample;		/* the first element that says a type */
};

/* As the first elements have it; the others are compared with that. */
static enum status measure(struct json_reader *r, const json_t *v, struct layout *l)
{
	for (; json_is_array(v); v = json_array_get(v, 0)) {
		if (l->rank == NPY_RANK_MAX)
			return JSON_FAIL(r, E_LIMIT, N_("%s has more than %d dimensions"), show_path(r, 0, false).text, NPY_RANK_MAX);
		l->shape[l->rank++] = json_array_size(v);
	}
	return OK_STATUS;
}

static enum status refuse_length(const struct json_reader *r, const struct layout *l, size_t n)
{
	size_t usual = l->shape[r->inner];

	return JSON_FAIL(r, E_SYNTAX, n == 1 ? N_("%s has %zu element, %s has %zu") : N_("%s has %zu elements, %s has %zu"),
		    show_path(r, r->inner, false).text, n, show_path(r, r->inner, true).text, usual);
}

static enum status check_leaf(const struct json_reader *r, const json_t *v, struct layout *l)
{
	enum leaf kind = leaf_of(v);
	unsigned kinds = (l->kinds | kind) & ~(unsigned)LEAF_SPECIAL;

	if (kind == LEAF_NONE)
		return JSON_FAIL(r, E_SYNTAX, N_("%s is %s; expected a number (one that is missing is written NaN), a string, true or false"),
			    show_path(r, r->inner, false).text, _(json_describe(v)));
	if ((kinds & (kinds - 1)) || (kinds == LEAF_BOOL && (l->kinds | kind) != LEAF_BOOL))
		return JSON_FAIL(r, E_SYNTAX, N_("%s is %s; expected %s, as before it"), show_path(r, r->inner, false).text,
			    _(json_describe(v)), _(json_describe(l->sample)));
	if (!l->sample || kind != LEAF_SPECIAL)
		l->sample = v;
	l->kinds |= kind;
	return OK_STATUS;
}

static enum status check(struct json_reader *r, const json_t *v, struct layout *l)
{
	enum status status = OK_STATUS;

	if (r->inner == (size_t)l->rank)
		return check_leaf(r, v, l);
	if (!json_is_array(v))
		return JSON_FAIL(r, E_SYNTAX, N_("%s is %s, %s is a list"), show_path(r, r->inner, false).text, _(json_describe(v)),
			    show_path(r, r->inner, true).text);
	size_t n = json_array_size(v);
	if (n != l->shape[r->inner])
		return refuse_length(r, l, n);
	r->inner++;
	for (size_t k = 0; k < n && !status; k++) {
		r->step[r->steps++] = k;
		status = check(r, json_array_get(v, k), l);
		r->steps--;
	}
	r->inner--;
	return status;
}

/* ---- from lists to arrays ---- */

static double *fill_numbers(const json_t *v, double *out)
{
	if (!json_is_array(v)) {
		*out = number_of(v);
		return out + 1;
	}
	for (size_t k = 0; k < json_array_size(v); k++)
		out = fill_numbers(json_array_get(v, k), out);
	return out;
}

static unsigned char *fill_bools(const json_t *v, unsigned char *out)
{
	if (!json_is_array(v)) {
		*out = json_is_true(v);
		return out + 1;
	}
	for (size_t k = 0; k < json_array_size(v); k++)
		out = fill_bools(json_array_get(v, k), out);
	return out;
}

static enum status fill_text(const struct json_reader *r, const json_t *v, struct tokens *out)
{
	enum status status = OK_STATUS;

	if (json_is_string(v) && out->n == JSON_TOKENS_LIMIT)
		return JSON_FAIL(r, E_LIMIT, N_("more than %d strings in a list"), JSON_TOKENS_LIMIT);
	if (json_is_string(v))
		return tokens_add(out, json_string_value(v), json_string_length(v), r->e);
	for (size_t k = 0; k < json_array_size(v) && !status; k++)
		status = fill_text(r, json_array_get(v, k), out);
	return status;
}

static enum tensor_axis axis_of(const char *name)
{
	const char *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name;

	if (!strcmp(last, "query_tokens") || !strcmp(last, "left_text"))
		return AXIS_QUERY;
	return !strcmp(last, "key_tokens") || !strcmp(last, "right_text") ? AXIS_KEY : AXIS_UNKNOWN;
}

static enum status add_tensor(struct json_reader *r, const char *name, struct tensor **made)
{
	if (r->t->n == JSON_ARRAYS_LIMIT)
		return JSON_FAIL(r, E_LIMIT, N_("more than %d arrays"), JSON_ARRAYS_LIMIT);
	*made = tensors_add(r->t, name, strlen(name), r->e);
	return *made ? OK_STATUS : E_MEMORY;
}

static enum status build_text(struct json_reader *r, const json_t *v, const struct layout *l, const char *name)
{
	struct tensor *a;

	if (l->rank > 2)
		return JSON_FAIL(r, E_SYNTAX, N_("%s has %d dimensions of strings; expected a list of tokens, or a list of such lists"),
			    show_path(r, 0, false).text, l->rank);
	enum status status = add_tensor(r, name, &a);
	if (status)
		return status;
	tensor_set_text(a, l->rank, l->shape, axis_of(name));
	return fill_text(r, v, &a->text);
}

static enum status build_numbers(struct json_reader *r, const json_t *v, const struct layout *l, const char *name)
{
	enum npy_kind kind = l->kinds == LEAF_BOOL ? NPY_BOOL : NPY_F64;
	struct tensor *a;
	enum status status = add_tensor(r, name, &a);

	if (!status)
		status = tensor_set_shape(a, kind, l->rank, l->shape, r->e);
	if (status)
		return status;
	if (kind == NPY_BOOL)
		fill_bools(v, a->owned);
	else
		fill_numbers(v, a->owned);
	return OK_STATUS;
}

enum status json_array_read(struct json_reader *r, const json_t *v, const char *name)
{
	struct layout l = { 0 };
	enum status status = measure(r, v, &l);

	if (!status)
		status = check(r, v, &l);
	if (status)
		return status;
	bool tokens = !l.kinds && l.rank == 1 && axis_of(name) != AXIS_UNKNOWN;	/* none of them */
	return tokens || l.kinds & LEAF_STRING ? build_text(r, v, &l, name) : build_numbers(r, v, &l, name);
}
