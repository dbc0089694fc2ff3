/* tensors_make.c - files of tensors made in a test. */
#include "tests/tensors_make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/run.h"

static size_t count_of(const char *shape)
{
	size_t n = 1;

	for (const char *p = shape; *p; p += *p == ',') {
		n *= strtoul(p, (char **)&p, 10);
		while (*p == ' ')
			p++;
	}
	return n;
}

static void put_number(struct buffer *out, const char *type, double v)
{
	if (!strcmp(type, "F64")) {
		buffer_put(out, &v, sizeof v);
	} else if (!strcmp(type, "F32")) {
		buffer_put(out, &(float){ (float)v }, sizeof(float));
	} else if (!strcmp(type, "I64")) {
		buffer_put(out, &(int64_t){ isfinite(v) ? (int64_t)v : 0 }, sizeof(int64_t));
	} else {
		assert_string_equal(type, "BOOL");
		buffer_put(out, &(unsigned char){ v != 0 }, 1);
	}
}

void make_array(struct making *m, const char *name, const char *type, const char *shape, const double *v)
{
	size_t before = m->data.size, n = count_of(shape);

	for (size_t i = 0; i < n; i++)
		put_number(&m->data, type, v ? v[i] : 0);
	buffer_format(&m->header, ",\"%s\":{\"dtype\":\"%s\",\"shape\":[%s],\"data_offsets\":[%zu,%zu]}", name, type, shape,
		      before, m->data.size);
}

void make_metadata(struct making *m, const char *key, const char *value)
{
	buffer_format(&m->metadata, "%s\"%s\":\"", m->metadata.size ? "," : "", key);
	for (; *value; value++)
		buffer_format(&m->metadata, "%s%c", *value == '"' || *value == '\\' ? "\\" : "", *value);
	buffer_text(&m->metadata, "\"");
}

struct buffer make_bytes(struct making *m)
{
	struct buffer out = { 0 }, header = { 0 };

	buffer_format(&header, "{\"__metadata__\":{%s}%s}", m->metadata.data ? m->metadata.data : "",
		      m->header.data ? m->header.data : "");
	for (int i = 0; i < 8; i++)
		buffer_put(&out, &(unsigned char){ (unsigned char)((uint64_t)header.size >> 8 * i) }, 1);
	buffer_put(&out, header.data, header.size);
	buffer_put(&out, m->data.data ? m->data.data : "", m->data.size);
	assert_false(out.failed || header.failed || m->data.failed);
	buffer_free(&header);
	buffer_free(&m->header);
	buffer_free(&m->metadata);
	buffer_free(&m->data);
	return out;
}

static void read_bytes(struct made *out, const char *name)
{
	struct error e = { 0 };

	if (tensors_read(&out->t, out->bytes.data, out->bytes.size, name, NULL, &e))
		fail_msg("%s: %s", name, e.text);
}

void make_tensors(struct made *out, struct making *m)
{
	out->bytes = make_bytes(m);
	read_bytes(out, "made.safetensors");
}

void read_tensors(struct made *out, const char *file)
{
	char path[1000];
	size_t size;

	snprintf(path, sizeof path, "%s/tensors/%s", surroundings("QKV_TEST_DATA"), file);
	char *bytes = read_file(path, &size);
	assert_non_null(bytes);
	out->bytes = (struct buffer){ 0 };
	buffer_put(&out->bytes, bytes, size);
	free(bytes);
	read_bytes(out, file);
}

void made_free(struct made *m)
{
	tensors_free(&m->t);
	buffer_free(&m->bytes);
}

void some_numbers(double *v, size_t n, unsigned seed)
{
	uint64_t x = seed * 2654435761u + 1;

	for (size_t i = 0; i < n; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		v[i] = (double)(x >> 40) / (double)(1 << 23) - 1;
	}
}

static double score(const double *q, const double *k, size_t d, double scale)
{
	double sum = 0;

	for (size_t c = 0; c < d; c++)
		sum += q[c] * k[c];
	return sum * scale;
}

void weights_of(double *w, const double *q, const double *k, size_t n_q, size_t n_k, size_t d, double scale,
		bool causal, size_t offset, const double *add)
{
	for (size_t i = 0; i < n_q; i++) {
		double *row = w + i * n_k, sum = 0;
		for (size_t j = 0; j < n_k; j++) {
			double x = score(q + i * d, k + j * d, d, scale) + (add ? add[i * n_k + j] : 0);
			row[j] = causal && j > i + offset ? 0 : exp(x);
			sum += row[j];
		}
		for (size_t j = 0; j < n_k; j++)
			row[j] /= sum;
	}
}
