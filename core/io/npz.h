/* npz.h - NumPy's .npz: a zip archive of .npy members. Private to core/io: tensors.h
 * is the public face.
 *
 * The central directory is what counts; members are stored or deflated, and
 * ZIP64 is read. Nothing is unpacked but members that are asked for. libzip reads
 * the caller's bytes through a source of ours, which sees where a member's bytes
 * are: the elements of a stored one are used in place, once its CRC was checked.
 *
 * Source: PKWARE's APPNOTE.TXT 6.3.9; numpy.savez.
 */
#ifndef CORE_IO_NPZ_H
#define CORE_IO_NPZ_H

#include "core/io/tensors.h"

enum {
	NPZ_MEMBERS_MAX = 1 << 16,
	NPZ_SURPLUS_MAX = 1 << 20,	/* bytes behind an array that are read, for the CRC, and thrown away */
};

/* Fills t->v with the members that end in .npy, named without that, in the order of
 * the directory; each one's header is unpacked for its shape. Others are passed
 * over. Two members of one name are E_SYNTAX. A member that is encrypted, packed
 * in another way, damaged at its beginning or of a type that is not read is `refused`. */
enum status npz_read(struct tensors *t, const void *bytes, size_t size, const char *name,
		     const struct tensors_options *o, struct error *e);

/* tensors_open for these. */
enum status npz_open(struct tensors *t, size_t i, struct error *e);

#endif
