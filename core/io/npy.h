/* npy.h - NumPy's .npy arrays: bytes in, numbers out, and back.
 *
 * A file is a magic string, a version, the length of a header, the header (the
 * text of a Python dictionary that names type, order and shape) and the
 * elements. Versions 1.0, 2.0 and 3.0 are read, 1.0 is written. The header is
 * parsed, never evaluated; nothing in a file is trusted and nothing of it is
 * executed. Reading allocates nothing: elements are decoded from the caller's
 * bytes on demand, so a mapped file opens at the same cost whatever its size.
 *
 * Source: "NEP 1 - A simple file format for NumPy arrays" and numpy.lib.format.
 */
#ifndef CORE_IO_NPY_H
#define CORE_IO_NPY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buffer.h"
#include "core/error.h"
#include "core/matrix.h"

enum {
	NPY_RANK_MAX = 8,
	NPY_HEAD_MAX = 12 + 65535,	/* bytes of a file that npy_parse looks at */
};

enum npy_kind {
	NPY_F64, NPY_F32, NPY_F16, NPY_BF16,
	NPY_I8, NPY_I16, NPY_I32, NPY_I64,
	NPY_U8, NPY_U16, NPY_U32, NPY_U64,
	NPY_BOOL,
	NPY_TEXT_UCS4,		/* '<U3': code points, 4 bytes each */
	NPY_TEXT_BYTES,		/* '|S4' */
	NPY_KIND_COUNT
};

/* An array inside bytes that somebody else owns. Elements are numbered in C
 * order (last index fastest) whatever their order in the file. There is no
 * alignment: data may begin at an odd address. */
struct npy {
	enum npy_kind kind;
	int rank;			/* 0..NPY_RANK_MAX */
	size_t shape[NPY_RANK_MAX];
	size_t count;			/* product of shape; 1 for rank 0 */
	bool fortran;			/* first index fastest in data */
	bool big_endian;
	const unsigned char *data;	/* count * item_size bytes, not owned */
	size_t item_size;		/* bytes of one element, at least 1 */
	size_t surplus;			/* bytes behind the data, which NumPy ignores: worth a warning */
};

/* Reads the header of bytes[0..size) and checks that its elements are there.
 * `name` is for messages only (NULL: e->file is kept). Of a file that is being
 * unpacked, the first NPY_HEAD_MAX bytes may stand for all `size`; a->data is then
 * where the elements would be. On failure *a is as it was:
 *   E_SYNTAX  not a .npy file, a damaged header, or fewer bytes than it announces
 *   E_VALUE   a type that cannot be read here: Python objects (never unpickled),
 *             structures, complex numbers, dates, ...; the text says how to convert
 *   E_LIMIT   more than NPY_RANK_MAX dimensions, a size product or a header too large
 * '|V2' is what bfloat16 becomes in a .npy file, but also any other pair of
 * bytes: it is read as bfloat16 only when v2_is_bf16 says so.
 * An array without elements is valid, and the sizes beside its 0 may be as
 * large as the header likes: look at `count` before looping over the shape. */
enum status npy_parse(struct npy *a, const void *bytes, size_t size, const char *name,
		      bool v2_is_bf16, struct error *e);

bool npy_is_text(const struct npy *a);

const char *npy_kind_name(enum npy_kind kind);	/* "f64", "bf16", "u8", "bool", "text", "bytes" */

/* Element i, in C order, as a double: integers beyond 2^53 are rounded to
 * nearest even, true is 1. NaN for text and for i >= count. */
double npy_number(const struct npy *a, size_t i);

/* Elements [first, first + n) in C order, for instance one head; the range
 * must lie within count and the array must hold numbers. */
void npy_numbers(const struct npy *a, size_t first, size_t n, double *out);

/* False when element i is an integer that no double equals. */
bool npy_is_exact(const struct npy *a, size_t i);

/* *m becomes a new matrix of a's numbers: rank 0 as (1, 1), rank 1 as one row,
 * rank 2 as it is, (1, 1, n, m) as (n, m). E_SHAPE for a higher rank, E_VALUE
 * for text, E_MEMORY; *m is then unchanged, and it is not freed before. */
enum status npy_matrix(const struct npy *a, struct matrix *m, struct error *e);

/* Appends text element i, in C order, as UTF-8, without the NULs that pad it.
 * What is no character becomes U+FFFD, and a byte of '|S' that is not UTF-8
 * becomes "<0xEC>", the way tokenizers spell such a byte. Everything else is
 * kept as data, control characters and inner NULs included: not for a terminal
 * as it stands. Appends nothing for numbers and for i >= count. */
void npy_text(const struct npy *a, size_t i, struct buffer *out);

/* Appends v as np.save writes a C-ordered float64 array, byte for byte. `rank`
 * is 0..NPY_RANK_MAX; v may be NULL when there are no elements. As with every
 * writer, out->failed tells of short memory, a wrong rank or a product that overflows. */
void npy_write(struct buffer *out, const double *v, int rank, const size_t *shape);

#endif
