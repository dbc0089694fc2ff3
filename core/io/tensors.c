/* tensors.c - the named arrays of one file, whatever its format. */
#include "core/io/tensors.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/csv.h"
#include "core/io/csv_scan.h"
#include "core/io/json_tensors.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "core/message.h"
#include "core/utf8.h"

const char *tensor_format_name(enum tensor_format f)
{
	static const char *const names[FORMAT_COUNT] = { ".npy", ".npz", ".safetensors", "CSV", "JSON" };

	return names[f];
}

/* ---- for the readers ---- */

/* One more than n entries of that size; the room doubles whenever n is a power of two. */
static void *room_for_one(void *v, size_t n, size_t size)
{
	size_t room = n ? 2 * n : 1;

	if (n & (n - 1))
		return v;
	return room > PTRDIFF_MAX / size ? NULL : realloc(v, room * size);
}

static char *copy_text(const char *text, size_t n)
{
	char *copy = malloc(n + 1);

	if (!copy)
		return NULL;
	memcpy(copy, text, n);
	copy[n] = '\0';
	return copy;
}

struct tensor *tensors_add(struct tensors *t, const char *name, size_t n, struct error *e)
{
	struct tensor *v = room_for_one(t->v, t->n, sizeof *v);
	char *copy = copy_text(name, n);

	if (v)
		t->v = v;
	if (!v || !copy) {
		free(copy);
		error_set(e, E_MEMORY, "no memory for %zu arrays", t->n + 1);
		return NULL;
	}
	t->v[t->n] = (struct tensor){ .name = copy };
	return &t->v[t->n++];
}

enum status tensors_add_metadata(struct tensors *t, const char *key, const char *value, struct error *e)
{
	struct metadata *m = room_for_one(t->metadata, t->metadata_n, sizeof *m);
	struct metadata made = { copy_text(key, strlen(key)), copy_text(value, strlen(value)) };

	if (m)
		t->metadata = m;
	if (!m || !made.key || !made.value) {
		free(made.key);
		free(made.value);
		return error_set(e, E_MEMORY, "no memory for %zu texts of metadata", t->metadata_n + 1);
	}
	t->metadata[t->metadata_n++] = made;
	return OK_STATUS;
}

/* Cuts a text to n bytes at most, at the end of a character. */
static void cut_text(char *text, size_t n)
{
	size_t at = 0, length;
	uint32_t c;

	while (text[at] && (length = utf8_decode(text + at, UTF8_MAX, &c)) && at + length <= n)
		at += length;
	text[at] = '\0';
}

/* One line, UTF-8 without control characters, whatever a file put into it. */
static void put_line(char *out, size_t size, const char *format, va_list list)
{
	struct error line = { 0 };
	char text[sizeof line.text];

	vsnprintf(text, sizeof text, format, list);
	error_set(&line, E_VALUE, "%s", text);
	cut_text(line.text, size - 1);
	memcpy(out, line.text, strlen(line.text) + 1);
}

void tensor_refuse(struct tensor *t, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	put_line(t->refused, sizeof t->refused, format, list);
	va_end(list);
}

void tensors_note(struct tensors *t, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	put_line(t->note, sizeof t->note, format, list);
	va_end(list);
}

/* ---- which format ---- */

static bool begins(const void *bytes, size_t size, const char *magic, size_t n)
{
	return size >= n && !memcmp(bytes, magic, n);
}

/* Without regard to case, as file systems of other machines have names. */
static bool ends(const char *name, const char *ending)
{
	size_t n = name ? strlen(name) : 0, m = strlen(ending);

	if (n < m)
		return false;
	for (size_t i = 0; i < m; i++) {
		char c = name[n - m + i];
		if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != ending[i])
			return false;
	}
	return true;
}

/* Protocols 2 to 5 begin with their number; torch.save wrote nothing else before it wrote zips. */
static bool is_pickle(const unsigned char *b, size_t size)
{
	return size >= 2 && b[0] == 0x80 && b[1] >= 2 && b[1] <= 5;
}

static bool names_pickle(const char *name)
{
	static const char *const endings[] = { ".pt", ".pth", ".pkl", ".pickle" };
	bool found = false;

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		found |= ends(name, endings[i]);
	return found;
}

/* The length of a header that is there, and its first byte. */
static bool is_safetensors(const unsigned char *b, size_t size)
{
	uint64_t length = 0;

	if (size < 10 || b[8] != '{')
		return false;
	for (int i = 0; i < 8; i++)
		length |= (uint64_t)b[i] << 8 * i;
	return length <= size - 8;
}

static bool recognise_bytes(const unsigned char *b, size_t size, enum tensor_format *format)
{
	if (begins(b, size, "\x93NUMPY", 6) || is_pickle(b, size))
		*format = FORMAT_NPY;
	else if (begins(b, size, "PK\3\4", 4) || begins(b, size, "PK\5\6", 4))
		*format = FORMAT_NPZ;
	else if (is_safetensors(b, size))
		*format = FORMAT_SAFETENSORS;
	else
		return false;
	return true;
}

static bool recognise_name(const char *name, enum tensor_format *format)
{
	static const struct { const char *ending; enum tensor_format format; } endings[] = {
		{ ".npy", FORMAT_NPY }, { ".npz", FORMAT_NPZ }, { ".safetensors", FORMAT_SAFETENSORS },
		{ ".csv", FORMAT_CSV }, { ".tsv", FORMAT_CSV }, { ".json", FORMAT_JSON },
		{ ".pt", FORMAT_NPZ }, { ".pth", FORMAT_NPZ }, { ".pkl", FORMAT_NPY }, { ".pickle", FORMAT_NPY },
	};

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		if (!ends(name, endings[i].ending))
			continue;
		*format = endings[i].format;
		return true;
	}
	return false;
}

static size_t skip_blanks(const char *text, size_t size, size_t at)
{
	while (at < size && memchr(" \t\r\n", text[at], 4))
		at++;
	return at;
}

/* JSON is YAML, too: a text is taken for a scenario when it is a map whose first
 * key has no quotes, or is qkv. */
static bool is_json(const char *text, size_t size)
{
	size_t at = begins(text, size, "\xef\xbb\xbf", 3) ? 3 : 0;

	at = skip_blanks(text, size, at);
	if (at < size && text[at] == '[')
		return true;
	if (at == size || text[at] != '{')
		return false;
	at = skip_blanks(text, size, at + 1);
	return at < size && text[at] == '"' && !begins(text + at, size - at, "\"qkv\"", 5);
}

bool tensors_recognise(const void *bytes, size_t size, const char *name, enum tensor_format *format)
{
	if (recognise_bytes(bytes, size, format) || recognise_name(name, format))
		return true;
	if (ends(name, ".yaml") || ends(name, ".yml"))
		return false;
	bool json = is_json(bytes, size);
	*format = json ? FORMAT_JSON : FORMAT_CSV;
	return json || csv_is_numbers(bytes, size, 0);
}

/* ---- reading ---- */

static enum status read_npy(struct tensors *t, const char *name, const struct tensors_options *o, struct error *e)
{
	struct npy a;
	enum status s = npy_parse(&a, t->bytes, t->size, name, o->v2_is_bf16, e);

	if (s)
		return s;
	struct tensor *made = tensors_add(t, "", 0, e);
	if (!made)
		return E_MEMORY;
	made->place = (size_t)(a.data - t->bytes);
	made->array = a;
	made->array.data = NULL;
	if (a.surplus)
		tensors_note(t, _("%zu bytes behind the array are ignored"), a.surplus);
	return OK_STATUS;
}

static enum status read_format(struct tensors *t, const char *name, const struct tensors_options *o, struct error *e)
{
	switch (t->format) {
	case FORMAT_NPY:		return read_npy(t, name, o, e);
	case FORMAT_NPZ:		return npz_read(t, t->bytes, t->size, name, o, e);
	case FORMAT_SAFETENSORS:	return safetensors_read(t, t->bytes, t->size, name, e);
	case FORMAT_CSV:		return csv_read(t, t->bytes, t->size, name, o, e);
	default:			return json_read(t, t->bytes, t->size, name, e);
	}
}

enum status tensors_refuse_pickle(const char *name, struct error *e)
{
	return error_at(e, E_VALUE, name, 0, 0, "a Python pickle can run code when it is loaded, so it is never read here; "
			"if you trust it, convert it with Python: import torch; from safetensors.torch import save_file; "
			"save_file({k: v.contiguous() for k, v in torch.load('old.pt', map_location='cpu', weights_only=True)"
			".items()}, 'new.safetensors')");
}

enum status tensors_read(struct tensors *t, const void *bytes, size_t size, const char *name,
			 const struct tensors_options *o, struct error *e)
{
	static const struct tensors_options defaults;
	struct tensors made = { .bytes = bytes, .size = size };
	enum tensor_format by_bytes;

	if (is_pickle(bytes, size) || (names_pickle(name) && !recognise_bytes(bytes, size, &by_bytes)))
		return tensors_refuse_pickle(name, e);
	if (!tensors_recognise(bytes, size, name, &made.format))
		return error_at(e, E_VALUE, name, 0, 0, "not a file of arrays: expected .npy, .npz, .safetensors, CSV or JSON");
	enum status s = read_format(&made, name, o ? o : &defaults, e);
	if (s)
		tensors_free(&made);
	else
		*t = made;
	return s;
}

/* ---- arrays ---- */

static bool is_packed(enum tensor_format f)
{
	return f == FORMAT_NPY || f == FORMAT_NPZ || f == FORMAT_SAFETENSORS;
}

enum status tensors_open(struct tensors *t, size_t i, struct error *e)
{
	struct tensor *v = &t->v[i];

	if (v->refused[0])
		return error_set(e, E_VALUE, "%s", v->refused);
	if (v->array.data || !is_packed(t->format))
		return OK_STATUS;
	if (t->format == FORMAT_NPZ)
		return npz_open(t, i, e);
	v->array.data = t->bytes + v->place;
	return OK_STATUS;
}

void tensors_close(struct tensors *t, size_t i)
{
	struct tensor *v = &t->v[i];

	if (!is_packed(t->format))
		return;
	if (v->owned)
		t->opened -= v->array.count * v->array.item_size;
	free(v->owned);
	v->owned = NULL;
	v->array.data = NULL;
}

static void free_tensor(struct tensor *v)
{
	free(v->name);
	free(v->owned);
	tokens_free(&v->text);
}

void tensors_free(struct tensors *t)
{
	for (size_t i = 0; i < t->n; i++)
		free_tensor(&t->v[i]);
	for (size_t i = 0; i < t->metadata_n; i++) {
		free(t->metadata[i].key);
		free(t->metadata[i].value);
	}
	free(t->v);
	free(t->metadata);
	if (t->reader_free)
		t->reader_free(t->reader);
	*t = (struct tensors){ 0 };
}

void tensor_text(const struct tensor *t, size_t i, struct buffer *out)
{
	if (!t->text.n)
		npy_text(&t->array, i, out);
	else if (i < t->text.n)
		buffer_text(out, t->text.text[i]);
}

size_t tensors_find(const struct tensors *t, const char *name)
{
	size_t i = 0;

	while (i < t->n && strcmp(t->v[i].name, name))
		i++;
	return i;
}
