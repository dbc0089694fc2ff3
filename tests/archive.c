/* archive.c - zip archives made byte by byte, also such as no program writes. */
#include "tests/archive.h"

#include <string.h>

enum { BLOCK_MAX = 65535 };	/* bytes of a stored block of deflate */

/* Little-endian, n bytes. */
static void put(struct buffer *out, uint64_t value, int n)
{
	for (int i = 0; i < n; i++)
		buffer_put(out, &(unsigned char){ (unsigned char)(value >> 8 * i) }, 1);
}

/* Four bits at a time. */
static uint32_t crc32_of(const unsigned char *p, size_t n)
{
	static const uint32_t table[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
		0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}

static void deflate(struct buffer *out, const char *data, size_t size)
{
	size_t n;

	do {
		n = size < BLOCK_MAX ? size : BLOCK_MAX;
		put(out, n == size, 1);
		put(out, n, 2);
		put(out, ~n, 2);
		buffer_put(out, data, n);
		data += n;
		size -= n;
	} while (size);
}

/* What local header and directory have in common, from the version needed on. */
static void put_header(struct buffer *out, const struct member *m, uint32_t crc, size_t packed, uint64_t announced,
		       int extra)
{
	put(out, 45, 2);
	put(out, m->flags, 2);
	put(out, m->method, 2);
	put(out, 0x5a210000, 4);
	put(out, crc, 4);
	put(out, packed, 4);
	put(out, announced > 0xfffffffe ? 0xffffffff : announced, 4);
	put(out, strlen(m->name), 2);
	put(out, (uint64_t)extra, 2);
}

static void put_entry(struct archive *a, const struct member *m, uint32_t crc, size_t packed, size_t offset)
{
	struct buffer *out = &a->directory;
	uint64_t announced = m->announced ? m->announced : m->size;
	int extra = announced > 0xfffffffe ? 12 : 0;

	put(out, 0x02014b50, 4);
	put(out, 45, 2);
	put_header(out, m, crc, packed, announced, extra);
	buffer_repeat(out, 0, 10);
	put(out, offset, 4);
	buffer_text(out, m->name);
	if (extra) {
		put(out, 1, 2);
		put(out, 8, 2);
		put(out, announced, 8);
	}
}

void archive_add(struct archive *a, struct member m)
{
	struct buffer packed = { 0 };
	size_t offset = a->bytes.size;
	uint32_t crc = crc32_of(m.data, m.size);

	if (m.method == 8)
		deflate(&packed, m.data, m.size);
	else
		buffer_put(&packed, m.data, m.size);
	put(&a->bytes, 0x04034b50, 4);
	put_header(&a->bytes, &m, crc, packed.size, m.size, 0);
	buffer_text(&a->bytes, m.name);
	buffer_put(&a->bytes, packed.data, packed.size);
	put_entry(a, &m, crc, packed.size, offset);
	a->members++;
	buffer_free(&packed);
}

static void put_zip64_end(struct archive *a, size_t start)
{
	struct buffer *out = &a->bytes;
	size_t here = out->size;

	put(out, 0x06064b50, 4);
	put(out, 44, 8);
	put(out, 45, 2);
	put(out, 45, 2);
	put(out, 0, 8);
	put(out, a->members, 8);
	put(out, a->members, 8);
	put(out, a->directory.size, 8);
	put(out, start, 8);
	put(out, 0x07064b50, 4);
	put(out, 0, 4);
	put(out, here, 8);
	put(out, 1, 4);
}

void archive_end(struct archive *a)
{
	struct buffer *out = &a->bytes;
	size_t start = out->size;
	bool zip64 = a->members > 65534;
	uint64_t members = zip64 ? 65535 : a->members;

	buffer_put(out, a->directory.data, a->directory.size);
	if (zip64)
		put_zip64_end(a, start);
	put(out, 0x06054b50, 4);
	put(out, 0, 4);
	put(out, members, 2);
	put(out, members, 2);
	put(out, a->directory.size, 4);
	put(out, zip64 ? 0xffffffff : start, 4);
	put(out, 0, 2);
	buffer_free(&a->directory);
}
