/* model_save.c - what a model computed on a text, as NumPy's .npz. */
#include "core/io/model_save.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/io/libzip.h"
#include "core/utf8.h"

/* ---- arrays ---- */

/* A header of version 1.0, padded so that the elements begin at a multiple of 64. */
static void put_header(struct buffer *out, const char *type, const size_t *shape, int rank)
{
	struct buffer text = { 0 };
	const size_t before = 10;	/* magic, version, length */

	buffer_format(&text, "{'descr': '%s', 'fortran_order': False, 'shape': (", type);
	for (int k = 0; k < rank; k++)
		buffer_format(&text, k + 1 < rank || rank == 1 ? "%zu, " : "%zu", shape[k]);
	if (rank == 1 && text.size)
		text.size--;		/* "(3,)" */
	buffer_text(&text, "), }");
	buffer_repeat(&text, ' ', 63 - (before + text.size) % 64);
	buffer_text(&text, "\n");
	unsigned char length[2] = { (unsigned char)(text.size & 255), (unsigned char)(text.size >> 8) };
	buffer_put(out, "\x93NUMPY\1", 7);
	buffer_put(out, "\0", 1);
	buffer_put(out, length, 2);
	buffer_put(out, text.data ? text.data : "", text.size);
	out->failed = out->failed || text.failed;
	buffer_free(&text);
}

static void put_word(struct buffer *out, uint32_t v)
{
	unsigned char bytes[4];

	for (int k = 0; k < 4; k++)
		bytes[k] = (unsigned char)(v >> 8 * k & 255);
	buffer_put(out, bytes, sizeof bytes);
}

static void put_floats(struct buffer *out, const float *v, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		uint32_t bits;
		memcpy(&bits, &v[k], sizeof bits);
		put_word(out, bits);
	}
}

static void put_ids(struct buffer *out, const struct model_run *r)
{
	put_header(out, "<i4", &r->n, 1);
	for (size_t t = 0; t < r->n; t++)
		put_word(out, (uint32_t)r->ids[t]);
}

/* Code points of a token; of those that do not fit into `room` nothing is kept. */
static size_t code_points(const char *text, uint32_t *out, size_t room)
{
	size_t n = 0;

	while (*text) {
		uint32_t code;
		size_t used = utf8_decode(text, UTF8_MAX, &code);
		if (n < room)
			out[n] = code;
		n++;
		text += used ? used : utf8_malformed(text, strlen(text));
	}
	return n;
}

/* '<U5': as wide as the longest of them. */
static void put_tokens(struct buffer *out, const struct model_run *r)
{
	enum { WIDEST = 64 };
	uint32_t code[WIDEST];
	size_t width = 1;
	char type[32];

	for (size_t t = 0; t < r->n; t++) {
		size_t n = code_points(r->model->vocab.text[r->ids[t]], code, WIDEST);
		width = n > width ? n : width;
	}
	width = width < WIDEST ? width : WIDEST;
	snprintf(type, sizeof type, "<U%zu", width);
	put_header(out, type, &r->n, 1);
	for (size_t t = 0; t < r->n; t++) {
		size_t n = code_points(r->model->vocab.text[r->ids[t]], code, WIDEST);
		for (size_t k = 0; k < width; k++)
			put_word(out, k < n ? code[k] : 0);
	}
}

static void put_vectors(struct buffer *out, const struct model_run *r, enum qkv which)
{
	const struct model_sizes *s = &r->model->size;
	const size_t shape[] = { s->layers, s->heads, r->n, s->head_dim };

	put_header(out, "<f4", shape, 4);
	for (size_t k = 0; k < s->layers * s->heads; k++)
		for (size_t t = 0; t < r->n; t++)
			put_floats(out, model_run_vector(r, which, k / s->heads, k % s->heads, t), s->head_dim);
}

typedef const float *row_function(const struct model_run *r, size_t layer, size_t head, size_t i);

static void put_square(struct buffer *out, const struct model_run *r, row_function *row)
{
	const struct model_sizes *s = &r->model->size;
	const size_t shape[] = { s->layers, s->heads, r->n, r->n };

	put_header(out, "<f4", shape, 4);
	for (size_t k = 0; k < s->layers * s->heads; k++)
		for (size_t i = 0; i < r->n; i++)
			put_floats(out, row(r, k / s->heads, k % s->heads, i), r->n);
}

/* ---- the archive ---- */

enum { MEMBERS = 7 };

static const char *const names[MEMBERS] = {
	"q.npy", "k.npy", "v.npy", "scores.npy", "weights.npy", "ids.npy", "tokens.npy",
};

static void put_member(struct buffer *out, const struct model_run *r, int member)
{
	switch (member) {
	case 0: put_vectors(out, r, MODEL_Q); break;
	case 1: put_vectors(out, r, MODEL_K); break;
	case 2: put_vectors(out, r, MODEL_V); break;
	case 3: put_square(out, r, model_run_scores); break;
	case 4: put_square(out, r, model_run_weights); break;
	case 5: put_ids(out, r); break;
	default: put_tokens(out, r); break;
	}
}

/* Stored, with the earliest time a zip can say, so that the bytes do not depend on today. */
static bool add_member(zip_t *zip, const char *name, const struct buffer *data)
{
	enum { FIRST_OF_1980 = 1 << 5 | 1 };
	zip_source_t *source = libzip.source_buffer(zip, data->data, data->size, 0);
	zip_int64_t at;

	if (!source)
		return false;
	if ((at = libzip.file_add(zip, name, source, ZIP_FL_ENC_UTF_8)) < 0) {
		libzip.source_free(source);
		return false;
	}
	return !libzip.set_file_compression(zip, (zip_uint64_t)at, ZIP_CM_STORE, 0) &&
	       !libzip.file_set_dostime(zip, (zip_uint64_t)at, 0, FIRST_OF_1980, 0);
}

static bool copy_out(struct buffer *out, zip_source_t *source)
{
	char piece[1 << 14];
	zip_int64_t n;

	if (libzip.source_open(source))
		return false;
	while ((n = libzip.source_read(source, piece, sizeof piece)) > 0)
		buffer_put(out, piece, (size_t)n);
	libzip.source_close(source);
	return n == 0;
}

/* Packs into a source of libzip in memory, which is kept until it was read. */
static bool pack(struct buffer *out, const struct buffer data[MEMBERS])
{
	zip_source_t *source = libzip.source_buffer_create(NULL, 0, 0, NULL);
	zip_t *zip = source ? libzip.open_from_source(source, ZIP_TRUNCATE, NULL) : NULL;
	bool fine = zip != NULL;

	if (!zip) {
		if (source)
			libzip.source_free(source);
		return false;
	}
	libzip.source_keep(source);
	for (int k = 0; k < MEMBERS && fine; k++)
		fine = add_member(zip, names[k], &data[k]);
	if (!fine || libzip.close(zip)) {
		libzip.discard(zip);
		fine = false;
	}
	fine = fine && copy_out(out, source);
	libzip.source_free(source);
	return fine;
}

enum status model_save(struct buffer *out, const struct model_run *r, struct error *e)
{
	struct buffer data[MEMBERS] = { { 0 } };
	bool memory = true, packed = false;
	enum status s = libzip_load(e);

	if (s)
		return s;
	for (int k = 0; k < MEMBERS; k++) {
		put_member(&data[k], r, k);
		memory = memory && !data[k].failed;
	}
	if (memory)
		packed = pack(out, data);
	for (int k = 0; k < MEMBERS; k++)
		buffer_free(&data[k]);
	if (!memory || out->failed)
		return error_set(e, E_MEMORY, "no memory for what is to be saved");
	return packed ? OK_STATUS : error_set(e, E_FILE, "libzip cannot pack what is to be saved");
}
