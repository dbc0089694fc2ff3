/* fuzz_npy.c - .npy arrays from any bytes, alone and as members of an archive. */
#include <stdlib.h>
#include <string.h>

#include "tests/archive.h"
#include "tests/fuzz_tensors.h"

static const struct tensors_options v2_is_bf16 = { .v2_is_bf16 = true };

static void check(bool holds)
{
	if (!holds)
		abort();
}

static size_t data_size(const struct npy *a)
{
	return a->count * a->item_size;
}

/* The member is read when the array alone is, and is the same. */
static void compare(const struct npy *alone, struct tensors *archive, size_t i)
{
	struct tensor *t = &archive->v[i];
	struct error e = { 0 };

	check(!alone == !!tensors_open(archive, i, &e));
	if (!alone)
		return;
	check(t->array.kind == alone->kind && t->array.rank == alone->rank && t->array.count == alone->count);
	check(!memcmp(t->array.shape, alone->shape, sizeof alone->shape));
	check(!memcmp(t->array.data, alone->data, data_size(alone)));
}

static void read_as_members(const uint8_t *data, size_t size, const struct npy *alone)
{
	struct archive a = { 0 };
	struct tensors t = { 0 };
	struct error e = { 0 };

	archive_add(&a, (struct member){ .name = "q.npy", .data = data, .size = size });
	archive_add(&a, (struct member){ .name = "k.npy", .method = 8, .data = data, .size = size });
	archive_end(&a);
	check(!a.bytes.failed && !tensors_read(&t, a.bytes.data, a.bytes.size, "fuzz.npz", &v2_is_bf16, &e) && t.n == 2);
	compare(alone, &t, 0);
	compare(alone, &t, 1);
	check(!t.v[0].owned && t.opened == (alone ? data_size(alone) : 0));
	tensors_free(&t);
	buffer_free(&a.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct npy alone;
	struct error e = { 0 };
	bool parsed = !npy_parse(&alone, data, size, NULL, true, &e);

	fuzz_tensors(data, size, "fuzz.npy", NULL);
	fuzz_tensors(data, size, "fuzz.npy", &v2_is_bf16);
	read_as_members(data, size, parsed ? &alone : NULL);
	return 0;
}
