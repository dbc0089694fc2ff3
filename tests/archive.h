/* archive.h - zip archives made byte by byte, also such as no program writes.
 *
 * Layout: PKWARE's APPNOTE.TXT 6.3.9. Deflated members consist of stored blocks
 * (RFC 1951, 3.2.4), so that no library of the program under test made them.
 */
#ifndef TESTS_ARCHIVE_H
#define TESTS_ARCHIVE_H

#include <stdint.h>

#include "core/buffer.h"

struct archive {
	struct buffer bytes;		/* local headers and members, at last everything */
	struct buffer directory;
	uint64_t members;
};

struct member {
	const char *name;
	unsigned method;		/* 0 stored, 8 deflated; others are stored and lie */
	unsigned flags;			/* 1: encrypted */
	const void *data;
	size_t size;
	uint64_t announced;		/* in the directory, instead of size; 0: size */
};

void archive_add(struct archive *a, struct member m);
/* Completes a->bytes; the end is of ZIP64 when there are more than 65534 members. */
void archive_end(struct archive *a);

#endif
