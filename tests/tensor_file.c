/* tensor_file.c - files of arrays made byte by byte, and what must become of them. */
#include "tests/tensor_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct file file_of_bytes(const void *bytes, size_t size)
{
	struct file f = { malloc(size + !size), size };

	assert_non_null(f.bytes);
	if (size)
		memcpy(f.bytes, bytes, size);
	return f;
}

struct file file_of_buffer(struct buffer *b)
{
	struct file f = file_of_bytes(b->data, b->size);

	assert_false(b->failed);
	buffer_free(b);
	return f;
}

struct file file_npy(const char *descr, const char *shape, const void *data, size_t n)
{
	struct buffer b = { 0 };
	char dict[119];

	snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape);
	buffer_put(&b, "\x93NUMPY\1\0\x76\0", 10);
	buffer_format(&b, "%-117s\n", dict);
	buffer_put(&b, data, n);
	return file_of_buffer(&b);
}

void add_member(struct archive *a, const char *name, unsigned method, struct file f)
{
	archive_add(a, (struct member){ .name = name, .method = method, .data = f.bytes, .size = f.size });
	free(f.bytes);
}

struct file end_archive(struct archive *a)
{
	archive_end(a);
	return file_of_buffer(&a->bytes);
}

struct file file_safetensors(const char *header, const void *data, size_t n)
{
	struct buffer b = { 0 };
	size_t length = strlen(header);

	for (int i = 0; i < 8; i++)
		buffer_put(&b, &(unsigned char){ (unsigned char)((uint64_t)length >> 8 * i) }, 1);
	buffer_text(&b, header);
	buffer_put(&b, data, n);
	return file_of_buffer(&b);
}

struct tensors read_as(struct file f, const char *name)
{
	struct tensors t = { 0 };
	struct error e = { 0 };

	if (tensors_read(&t, f.bytes, f.size, name, NULL, &e))
		fail_msg("%s: %s", name, e.text);
	return t;
}

void open_array(struct tensors *t, size_t i)
{
	struct error e = { 0 };

	if (tensors_open(t, i, &e))
		fail_msg("%s: %s", t->v[i].name, e.text);
}

void assert_contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" does not say \"%s\"", text, part);
}

void assert_refused(struct file f, const char *name, enum status status, const char *part)
{
	struct tensors t, before;
	struct error e = { 0 };

	memset(&before, 0x5a, sizeof before);
	t = before;
	enum status s = tensors_read(&t, f.bytes, f.size, name, NULL, &e);
	if (s != status)
		fail_msg("%s: status %d is not %d (%s)", name, s, status, e.text);
	assert_int_equal(e.status, status);
	assert_contains(e.text, part);
	assert_memory_equal(&t, &before, sizeof t);
	free(f.bytes);
}

void assert_not_opened(struct tensors *t, size_t i, enum status status, const char *part)
{
	struct error e = { 0 };
	size_t opened = t->opened;
	enum status s = tensors_open(t, i, &e);

	if (s != status)
		fail_msg("%s: status %d is not %d (%s)", t->v[i].name, s, status, e.text);
	assert_contains(e.text, part);
	assert_null(t->v[i].array.data);
	assert_null(t->v[i].owned);
	assert_int_equal(t->opened, opened);
}

const double six[6] = { 0.5, -1, 2.25, 3, -0.125, 1e300 };

void assert_six(const struct npy *a)
{
	assert_int_equal(a->count, 6);
	for (size_t i = 0; i < 6; i++)
		assert_true(npy_number(a, i) == six[i]);
}

struct file file_of_six(void)
{
	return file_npy("<f8", "(2, 3)", six, sizeof six);
}
