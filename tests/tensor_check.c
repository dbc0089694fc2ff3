/* tensor_check.c - files of text read into tensors, and what must be in them. */
#include "tests/tensor_check.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/alloc.h"

/* ---- reading ---- */

static void *copy_of(struct text text)
{
	void *bytes = malloc(text.n);

	assert_true(bytes || !text.n);
	if (text.n)
		memcpy(bytes, text.s, text.n);
	return bytes;
}

void reading_make(struct reading *r, const char *name, struct text text, const struct tensors_options *o)
{
	struct error e = { 0 };

	*r = (struct reading){ .bytes = copy_of(text) };
	if (tensors_read(&r->t, r->bytes, text.n, name, o, &e))
		fail_msg("%u:%u: %s", e.line, e.column, e.text);
	assert_int_equal(e.status, OK_STATUS);
}

void reading_file(struct reading *r, const char *name)
{
	const char *root = getenv("QKV_TEST_DATA");
	char path[4096];
	static char bytes[1 << 16];

	snprintf(path, sizeof path, "%s/%s", root ? root : "tests/data", name);
	FILE *stream = fopen(path, "rb");
	if (!stream)
		fail_msg("cannot open %s", path);
	size_t n = fread(bytes, 1, sizeof bytes, stream);
	fclose(stream);
	assert_true(n < sizeof bytes);
	reading_make(r, name, (struct text){ bytes, n }, NULL);
}

void reading_free(struct reading *r)
{
	tensors_free(&r->t);
	free(r->bytes);
}

/* ---- what is there ---- */

static const struct tensor *find(const struct reading *r, const char *name, enum npy_kind kind, const char *shape)
{
	size_t i = tensors_find(&r->t, name);
	char mine[200] = "";

	if (i == r->t.n)
		fail_msg("no array \"%s\"", name);
	const struct tensor *a = &r->t.v[i];
	for (int d = 0; d < a->array.rank; d++)
		snprintf(mine + strlen(mine), sizeof mine - strlen(mine), d ? ",%zu" : "%zu", a->array.shape[d]);
	assert_string_equal(mine, shape);
	assert_int_equal(a->array.kind, kind);
	assert_string_equal(a->refused, "");
	return a;
}

void check_numbers(const struct reading *r, const char *name, const char *shape, const double *v)
{
	const struct tensor *a = find(r, name, NPY_F64, shape);

	assert_non_null(a->array.data);
	for (size_t i = 0; i < a->array.count; i++) {
		double mine = npy_number(&a->array, i);
		bool same = isnan(v[i]) ? isnan(mine) : mine == v[i] && signbit(mine) == signbit(v[i]);
		if (!same)
			fail_msg("element %zu of \"%s\" is %.17g, expected %.17g", i, name, mine, v[i]);
	}
}

void check_bools(const struct reading *r, const char *name, const char *shape, const unsigned char *v)
{
	const struct tensor *a = find(r, name, NPY_BOOL, shape);

	for (size_t i = 0; i < a->array.count; i++)
		assert_int_equal(npy_number(&a->array, i), v[i]);
}

void check_tokens(const struct reading *r, const char *name, enum tensor_axis axis, const char *shape, const char *tokens)
{
	const struct tensor *a = find(r, name, NPY_TEXT_BYTES, shape);
	struct buffer mine = { 0 };

	assert_int_equal(a->axis, axis);
	assert_int_equal(a->text.n, a->array.count);
	for (size_t i = 0; i < a->array.count; i++) {
		buffer_text(&mine, i ? "|" : "");
		tensor_text(a, i, &mine);
	}
	assert_string_equal(mine.data ? mine.data : "", tokens);
	buffer_free(&mine);
}

void check_metadata(const struct reading *r, const char *key, const char *value)
{
	for (size_t i = 0; i < r->t.metadata_n; i++) {
		if (strcmp(r->t.metadata[i].key, key))
			continue;
		assert_non_null(value);
		assert_string_equal(r->t.metadata[i].value, value);
		return;
	}
	assert_null(value);
}

/* ---- what is refused ---- */

void check_refused(const char *name, struct text text, const struct tensors_options *o, enum status status,
		   unsigned line, unsigned column, const char *words)
{
	void *bytes = copy_of(text);
	struct tensors t = { 0 };
	struct error e = { 0 };

	if (!tensors_read(&t, bytes, text.n, name, o, &e))
		fail_msg("read, expected: %s", words);
	assert_string_equal(e.text, words);
	assert_int_equal(e.status, status);
	assert_string_equal(e.file, name);
	if (e.line != line || e.column != column)
		fail_msg("%u:%u: %s: expected at %u:%u", e.line, e.column, e.text, line, column);
	assert_null(t.v);
	free(bytes);
}

/* ---- damage ---- */

static unsigned next_random(unsigned long long *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned)(*state >> 33);
}

static size_t damage(char *bytes, size_t n, unsigned long long *state)
{
	static const char likely[] = ",;\t\"\"\n\r[]{}:.-+eE0159NaI \\\xff\xed\xef";

	for (unsigned k = next_random(state) % 4 + 1; k && n; k--) {
		size_t at = next_random(state) % n, length = next_random(state) % (n - at) % 9;
		unsigned how = next_random(state) % 6;
		if (how == 0)
			bytes[at] = (char)next_random(state);
		else if (how < 3)
			bytes[at] = likely[next_random(state) % (sizeof likely - 1)];
		else if (how == 3)
			memmove(bytes + at, bytes + at + length, n - at - length);
		else if (how == 4)
			memmove(bytes + at + length, bytes + at, n - at - length);
		n -= how == 3 ? length : how == 5 && !(next_random(state) % 8) ? n - at : 0;
	}
	return n;
}

void check_mutations(const char *name, struct text text, unsigned rounds)
{
	const char *more = getenv("QKV_FUZZ_MUTATIONS");
	unsigned long long state = text.n;
	char *scratch = copy_of(text);

	for (unsigned k = more ? (unsigned)atoi(more) : rounds; k; k--) {
		struct tensors t = { 0 };
		struct error e = { 0 };
		memcpy(scratch, text.s, text.n);
		size_t n = damage(scratch, text.n, &state);
		void *bytes = copy_of((struct text){ scratch, n });
		struct tensors_options o = { .absent = k & 1 };
		if (tensors_read(&t, bytes, n, name, &o, &e))
			assert_true(e.text[0] && e.status);
		else
			tensors_free(&t);
		free(bytes);
	}
	free(scratch);
}

void check_allocations(const char *name, struct text text)
{
	void *bytes = copy_of(text);
	struct tensors_options o = { .absent = true };
	enum status status = E_MEMORY;
	size_t n = 0;

	while (status == E_MEMORY) {
		struct tensors t = { 0 };
		struct error e = { 0 };
		alloc_fail(++n);
		status = tensors_read(&t, bytes, text.n, name, &o, &e);
		alloc_fail(0);
		tensors_free(&t);
	}
	assert_int_equal(status, OK_STATUS);
	assert_true(n > 3);
	free(bytes);
}
