/* safetensors.c - the .safetensors format: a header in JSON, then bytes without gaps. */
#include "core/io/safetensors.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"

enum {
	LENGTH_SIZE = 8,	/* what stands before the header */
	DEPTH_MAX = 8,		/* of the header's JSON; 3 are in use */
	SHOWN_MAX = 60,		/* bytes of a name that a message repeats */
};

struct range { size_t begin, end; };

struct reader {
	struct tensors *t;
	const unsigned char *header, *data;
	size_t header_size, data_size;
	struct range *range;	/* of each array */
	size_t ranges;
	const char *name;	/* of the file */
	struct error *e;
};

#define FAIL(r, status, ...) error_at((r)->e, (status), (r)->name, 0, 0, __VA_ARGS__)

/* ---- types ---- */

/* kind NPY_KIND_COUNT: a type of the format that is not read here. */
static const struct type { const char *name; enum npy_kind kind; size_t bits; } types[] = {
	{ "F64", NPY_F64, 64 }, { "F32", NPY_F32, 32 }, { "F16", NPY_F16, 16 }, { "BF16", NPY_BF16, 16 },
	{ "I8", NPY_I8, 8 }, { "I16", NPY_I16, 16 }, { "I32", NPY_I32, 32 }, { "I64", NPY_I64, 64 },
	{ "U8", NPY_U8, 8 }, { "U16", NPY_U16, 16 }, { "U32", NPY_U32, 32 }, { "U64", NPY_U64, 64 },
	{ "BOOL", NPY_BOOL, 8 },
	{ "F8_E4M3", NPY_KIND_COUNT, 8 }, { "F8_E4M3FNUZ", NPY_KIND_COUNT, 8 },
	{ "F8_E5M2", NPY_KIND_COUNT, 8 }, { "F8_E5M2FNUZ", NPY_KIND_COUNT, 8 }, { "F8_E8M0", NPY_KIND_COUNT, 8 },
	{ "F6_E2M3", NPY_KIND_COUNT, 6 }, { "F6_E3M2", NPY_KIND_COUNT, 6 }, { "F4", NPY_KIND_COUNT, 4 },
	{ "C64", NPY_KIND_COUNT, 64 },
};

static const struct type *find_type(const char *name)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (!strcmp(types[i].name, name))
			return &types[i];
	return NULL;
}

/* ---- one array ---- */

/* A whole number that is not negative; JSON's 2.0 and 1e3 are none. */
static bool whole(const json_t *j, size_t *out)
{
	if (!json_is_integer(j) || json_integer_value(j) < 0 || (uint64_t)json_integer_value(j) > SIZE_MAX)
		return false;
	*out = (size_t)json_integer_value(j);
	return true;
}

/* Every size counts, also beyond NPY_RANK_MAX; *rank is how many there are. */
static enum status read_shape(struct reader *r, const char *key, const json_t *shape, struct npy *a, size_t *rank)
{
	a->count = 1;
	*rank = json_array_size(shape);
	for (size_t d = 0; d < *rank; d++) {
		size_t size;
		if (!whole(json_array_get(shape, d), &size))
			return FAIL(r, E_SYNTAX, N_("damaged header: expected whole numbers as sizes in the shape of '%.*s'"),
				    SHOWN_MAX, key);
		if (size && a->count > (SIZE_MAX >> 7) / size)
			return FAIL(r, E_LIMIT, N_("the shape of '%.*s' announces more bytes than an array can have"),
				    SHOWN_MAX, key);
		a->count *= size;
		if (d < NPY_RANK_MAX)
			a->shape[d] = size;
	}
	a->rank = *rank < NPY_RANK_MAX ? (int)*rank : NPY_RANK_MAX;
	return OK_STATUS;
}

static enum status read_range(struct reader *r, const char *key, const json_t *offsets, struct range *range)
{
	if (json_array_size(offsets) != 2 || !whole(json_array_get(offsets, 0), &range->begin) ||
	    !whole(json_array_get(offsets, 1), &range->end) || range->begin > range->end)
		return FAIL(r, E_SYNTAX, N_("damaged header: expected [begin, end] as data_offsets of '%.*s'"), SHOWN_MAX, key);
	if (range->end > r->data_size)
		return FAIL(r, E_SYNTAX, N_("the file is cut off: '%.*s' ends at data byte %zu, found %zu"),
			    SHOWN_MAX, key, range->end, r->data_size);
	return OK_STATUS;
}

static enum status check_size(struct reader *r, const char *key, const struct type *type, const struct npy *a,
			      struct range range)
{
	size_t wanted = (a->count * type->bits + 7) / 8, found = range.end - range.begin;

	if (wanted == found)
		return OK_STATUS;
	return FAIL(r, E_SYNTAX, N_("damaged header: the shape and type %s of '%.*s' take %zu bytes, its data_offsets have %zu"),
		    type->name, SHOWN_MAX, key, wanted, found);
}

/* Takes what can be read over to the array, or says why it cannot be. */
static void set_array(struct tensor *t, const char *dtype, const struct type *type, struct npy a, size_t rank)
{
	if (!type)
		tensor_refuse(t, _("the type %.40s is not known, expected F64 F32 F16 BF16, I8 to I64, U8 to U64 or BOOL"), dtype);
	else if (type->kind == NPY_KIND_COUNT)
		tensor_refuse(t, _("the type %s is not read here; convert it with Python: tensor.to(torch.float32)"), type->name);
	else if (rank > NPY_RANK_MAX)
		tensor_refuse(t, _("the array has %zu dimensions, expected at most %d"), rank, NPY_RANK_MAX);
	if (t->refused[0])
		return;
	a.kind = type->kind;
	a.item_size = type->bits / 8;
	t->array = a;
}

static enum status read_array(struct reader *r, const char *key, const json_t *entry)
{
	const json_t *dtype = json_object_get(entry, "dtype"), *shape = json_object_get(entry, "shape");
	const json_t *offsets = json_object_get(entry, "data_offsets");
	struct npy a = { .item_size = 1 };
	struct range range;
	size_t rank;

	if (!json_is_string(dtype) || !json_is_array(shape) || !json_is_array(offsets))
		return FAIL(r, E_SYNTAX, N_("damaged header: expected dtype, shape and data_offsets of '%.*s'"), SHOWN_MAX, key);
	const struct type *type = find_type(json_string_value(dtype));
	enum status s = read_shape(r, key, shape, &a, &rank);
	if (!s)
		s = read_range(r, key, offsets, &range);
	if (!s && type)
		s = check_size(r, key, type, &a, range);
	if (s)
		return s;
	struct tensor *t = tensors_add(r->t, key, strlen(key), r->e);
	if (!t)
		return E_MEMORY;
	t->place = (size_t)(r->data - r->t->bytes) + range.begin;
	r->range[r->ranges++] = range;
	set_array(t, json_string_value(dtype), type, a, rank);
	return OK_STATUS;
}

/* ---- the header ---- */

static enum status read_metadata(struct reader *r, json_t *metadata)
{
	const char *key;
	json_t *value;

	if (!json_is_object(metadata))
		return FAIL(r, E_SYNTAX, N_("damaged header: expected an object of texts as __metadata__"));
	json_object_foreach(metadata, key, value) {
		if (!json_is_string(value))
			return FAIL(r, E_SYNTAX, N_("damaged header: expected a text as '%.*s' of __metadata__"), SHOWN_MAX, key);
		enum status s = tensors_add_metadata(r->t, key, json_string_value(value), r->e);
		if (s)
			return s;
	}
	return OK_STATUS;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

/* Every byte of the data belongs to one array. */
static enum status check_tiling(struct reader *r)
{
	size_t end = 0;

	qsort(r->range, r->ranges, sizeof *r->range, compare_ranges);
	for (size_t i = 0; i < r->ranges; i++) {
		if (r->range[i].begin != end)
			return FAIL(r, E_SYNTAX, N_("damaged header: an array begins at data byte %zu, expected %zu, where the one "
				    "before ends"), r->range[i].begin, end);
		end = r->range[i].end;
	}
	if (end != r->data_size)
		return FAIL(r, E_SYNTAX, N_("damaged file: the arrays take %zu data bytes, found %zu"), end, r->data_size);
	return OK_STATUS;
}

static enum status read_entries(struct reader *r, json_t *root)
{
	const char *key;
	json_t *value;
	enum status s = OK_STATUS;

	json_object_foreach(root, key, value) {
		if (!strcmp(key, "__metadata__"))
			s = read_metadata(r, value);
		else
			s = read_array(r, key, value);
		if (s)
			return s;
	}
	return check_tiling(r);
}

static enum status read_root(struct reader *r, json_t *root)
{
	r->range = malloc((json_object_size(root) + 1) * sizeof *r->range);
	if (!r->range)
		return error_set(r->e, E_MEMORY, "no memory for a list of %zu arrays", json_object_size(root));
	enum status s = read_entries(r, root);
	free(r->range);
	return s;
}

/* What the parser's tree would cost is known before it is made: brackets that are
 * open at once, and values. Strings are skipped; their faults are the parser's. */
static enum status check_cost(struct reader *r)
{
	size_t depth = 0, values = 0;
	bool quoted = false;

	for (size_t i = 0; i < r->header_size; i++) {
		unsigned char c = r->header[i];
		if (quoted && c == '\\')
			i++;
		else if (c == '"')
			quoted = !quoted;
		if (quoted)
			continue;
		values += c == '{' || c == '[' || c == ',';
		depth += c == '{' || c == '[';
		depth -= (c == '}' || c == ']') && depth;
		if (depth > DEPTH_MAX)
			return FAIL(r, E_SYNTAX, N_("damaged header: brackets are nested more than %d deep"), DEPTH_MAX);
	}
	if (values > SAFETENSORS_VALUES_MAX)
		return FAIL(r, E_LIMIT, N_("the header has more than %d values"), SAFETENSORS_VALUES_MAX);
	return OK_STATUS;
}

static enum status find_header(struct reader *r, const unsigned char *bytes, size_t size)
{
	uint64_t length = 0;

	if (size < LENGTH_SIZE)
		return FAIL(r, E_SYNTAX, N_("the file is cut off: expected at least %d bytes of a .safetensors file, found %zu"),
			    LENGTH_SIZE, size);
	for (int i = 0; i < LENGTH_SIZE; i++)
		length |= (uint64_t)bytes[i] << 8 * i;
	if (length > size - LENGTH_SIZE)
		return FAIL(r, E_SYNTAX, N_("not a .safetensors file, or cut off: expected %llu bytes of header, found %zu"),
			    (unsigned long long)length, size - LENGTH_SIZE);
	if (length > SAFETENSORS_HEADER_MAX)
		return FAIL(r, E_LIMIT, N_("the header is %llu bytes long, expected at most %d"),
			    (unsigned long long)length, SAFETENSORS_HEADER_MAX);
	if (!length || bytes[LENGTH_SIZE] != '{')
		return FAIL(r, E_SYNTAX, N_("not a .safetensors file: expected a header that begins with {"));
	r->header = bytes + LENGTH_SIZE;
	r->header_size = (size_t)length;
	r->data = r->header + length;
	r->data_size = size - LENGTH_SIZE - r->header_size;
	return OK_STATUS;
}

enum status safetensors_read(struct tensors *t, const void *bytes, size_t size, const char *name, struct error *e)
{
	struct reader r = { .t = t, .name = name, .e = e };
	json_error_t fault;
	enum status s = find_header(&r, bytes, size);

	if (!s)
		s = check_cost(&r);
	if (s)
		return s;
	json_t *root = json_loadb((const char *)r.header, r.header_size, JSON_REJECT_DUPLICATES, &fault);
	if (!root && json_error_code(&fault) == json_error_out_of_memory)
		return FAIL(&r, E_MEMORY, N_("no memory for a header of %zu bytes"), r.header_size);
	if (!root)
		return FAIL(&r, E_SYNTAX, N_("damaged header: %s at byte %d of it"), fault.text, fault.position);
	s = read_root(&r, root);
	json_decref(root);
	return s;
}
