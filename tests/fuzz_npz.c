/* fuzz_npz.c - .npz archives from any bytes, and archives that lie about any bytes. */
#include <stdlib.h>

#include "tests/archive.h"
#include "tests/fuzz_tensors.h"

enum { LIES = 8 };	/* bytes of an input that say how its archive lies */

static const struct tensors_options v2_is_bf16 = { .v2_is_bf16 = true };

/* A sound archive but for one member's method, flags and size; its CRC is right, so
 * that what the member holds matters. */
static void read_lie(const uint8_t *lie, const uint8_t *data, size_t size)
{
	struct archive a = { 0 };
	uint64_t announced = 0;

	for (int i = 2; i < LIES; i++)
		announced = announced << 8 | lie[i];
	archive_add(&a, (struct member){ .name = "q.npy", .method = lie[0], .flags = lie[1] & 9,
					 .data = data, .size = size, .announced = announced });
	archive_add(&a, (struct member){ .name = "k.npy", .method = 8, .data = data, .size = size });
	archive_end(&a);
	if (a.bytes.failed)
		abort();
	fuzz_tensors((const uint8_t *)a.bytes.data, a.bytes.size, "fuzz.npz", &v2_is_bf16);
	buffer_free(&a.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_tensors(data, size, "fuzz.npz", &v2_is_bf16);
	if (size >= LIES)
		read_lie(data, data + LIES, size - LIES);
	return 0;
}
