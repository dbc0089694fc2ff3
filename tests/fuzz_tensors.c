/* fuzz_tensors.c - what the fuzz targets of the array formats have in common. */
#include "tests/fuzz_tensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKED_AT = 4096 };	/* elements of an array at either end */

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void check_text(const char *text)
{
	check(text[0] && !strpbrk(text, "\n\r\033"));
}

static void look_at_numbers(const struct npy *a, size_t first, size_t end)
{
	double numbers[LOOKED_AT];

	npy_numbers(a, first, end - first, numbers);
	for (size_t i = first; i < end; i++) {
		double x = npy_number(a, i), y = numbers[i - first];
		check(!memcmp(&x, &y, sizeof x) || (isnan(x) && isnan(y)));
		check(npy_is_exact(a, i) || fabs(x) >= 0x1p53);
	}
}

static void look_at_texts(const struct tensor *t, size_t first, size_t end)
{
	struct buffer text = { 0 };

	check(!t->text.n || t->text.n == t->array.count);
	for (size_t i = first; i < end; i++)
		tensor_text(t, i, &text);
	buffer_free(&text);
}

static void look_at(const struct tensor *t, size_t first, size_t end)
{
	if (npy_is_text(&t->array))
		look_at_texts(t, first, end);
	else
		look_at_numbers(&t->array, first, end);
}

static void open_array(struct tensors *t, size_t i)
{
	struct tensor *v = &t->v[i];
	struct error e = { 0 };

	check(v->name && v->array.rank >= 0 && v->array.rank <= NPY_RANK_MAX);
	if (tensors_open(t, i, &e)) {
		check_text(e.text);
		check(!v->array.data && !v->owned);
		return;
	}
	check(!v->refused[0] && t->opened <= TENSORS_LIMIT);
	size_t n = v->array.count, end = n < LOOKED_AT ? n : LOOKED_AT;
	check(v->array.data || v->text.n || !n);
	look_at(v, 0, end);
	look_at(v, n - end, n);
	tensors_close(t, i);
}

void fuzz_tensors(const uint8_t *data, size_t size, const char *name, const struct tensors_options *o)
{
	struct tensors t = { 0 }, before = t;
	struct error e = { 0 };

	if (tensors_read(&t, data, size, name, o, &e)) {
		check_text(e.text);
		check(!memcmp(&t, &before, sizeof t));
		return;
	}
	for (size_t i = 0; i < t.n; i++)
		open_array(&t, i);
	for (size_t i = 0; i < t.metadata_n; i++)
		check(t.metadata[i].key && t.metadata[i].value);
	tensors_free(&t);
}
