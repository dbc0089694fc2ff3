/* safetensors.h - the .safetensors format: a header in JSON, then bytes without gaps.
 *
 * 8 bytes: the header's length, little-endian; the header: an object of
 * "name": {"dtype", "shape", "data_offsets": [begin, end)} and perhaps of
 * "__metadata__", texts by name; then the data that the offsets count from. Only
 * the header is looked at. Private to core/io: tensors.h is the public face.
 *
 * Source: the format's description in the repository of its authors,
 * huggingface/safetensors.
 */
#ifndef CORE_IO_SAFETENSORS_H
#define CORE_IO_SAFETENSORS_H

#include "core/io/tensors.h"

enum {
	/* The format allows 100 MB, but the tree of a JSON text can take fifty times its size. These are
	 * enough for 60,000 arrays, and the worst headers that were tried took 150 MB for 0.8 s. */
	SAFETENSORS_HEADER_MAX = 16 << 20,	/* bytes */
	SAFETENSORS_VALUES_MAX = 1 << 19,	/* JSON values in it; an array of rank 2 has 8 */
};

/* Fills t->v in the file's order, each with its place (an offset into bytes), and
 * t->metadata. The ranges of all arrays must tile the data exactly, and no name
 * comes twice. Unknown fields of an array are passed over. Types that exist but
 * have no kind here (F8_E4M3, F4, C64, ...) and unknown ones make an array `refused`. */
enum status safetensors_read(struct tensors *t, const void *bytes, size_t size, const char *name, struct error *e);

#endif
