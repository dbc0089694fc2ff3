/* message.c - texts for people: looks up .mo files (GNU gettext manual, "The
 * Format of GNU MO Files"). */
#include "core/message.h"

#include <stdint.h>
#include <string.h>

enum { HEAD = 28, PAIR = 8 };		/* bytes; a pair is a length and an offset */

struct catalogue {
	const char *language;
	const unsigned char *bytes;	/* NULL: English, as it stands in the code */
	size_t size;
	uint32_t count, originals, translations;	/* tables of pairs, sorted by the original */
};

static struct catalogue known[MESSAGE_LANGUAGES] = { { .language = "en" } };
static size_t known_count = 1;
static const struct catalogue *in_force = known;

static uint32_t word(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Text k of a table; NULL when it does not lie inside the file with its NUL. */
static const char *entry(const struct catalogue *c, uint32_t table, uint32_t k)
{
	const unsigned char *p = c->bytes + table + PAIR * (size_t)k;
	uint32_t length = word(p), offset = word(p + 4);

	if (offset >= c->size || length >= c->size - offset || c->bytes[offset + length])
		return NULL;
	return (const char *)c->bytes + offset;
}

static bool table_fits(const struct catalogue *c, uint32_t table)
{
	return table <= c->size && c->count <= (c->size - table) / PAIR;
}

/* Checked once, so that a lookup need not. */
static bool is_whole(const struct catalogue *c)
{
	for (uint32_t k = 0; k < c->count; k++)
		if (!entry(c, c->originals, k) || !entry(c, c->translations, k) ||
		    (k && strcmp(entry(c, c->originals, k - 1), entry(c, c->originals, k)) >= 0))
			return false;
	return true;
}

/* The catalogue of some bytes, as far as its head and tables say; false when they make no sense. */
static bool read_head(struct catalogue *c, const char *language, const void *mo, size_t size)
{
	static const unsigned char magic[] = { 0xde, 0x12, 0x04, 0x95 };	/* little-endian */

	*c = (struct catalogue){ .language = language, .bytes = mo, .size = size };
	if (size < HEAD || memcmp(mo, magic, sizeof magic) || word(c->bytes + 4) >> 16)
		return false;
	c->count = word(c->bytes + 8);
	c->originals = word(c->bytes + 12);
	c->translations = word(c->bytes + 16);
	return table_fits(c, c->originals) && table_fits(c, c->translations);
}

static bool add(const char *language, const void *mo, size_t size, bool own)
{
	struct catalogue c;

	if (known_count == MESSAGE_LANGUAGES || !read_head(&c, language, mo, size) || (!own && !is_whole(&c)))
		return false;
	known[known_count++] = c;
	return true;
}

bool message_add(const char *language, const void *mo, size_t size)
{
	return add(language, mo, size, false);
}

bool message_add_own(const char *language, const void *mo, size_t size)
{
	return add(language, mo, size, true);
}

const char *message_language(size_t k)
{
	return k < known_count ? known[k].language : NULL;
}

bool message_use(const char *language)
{
	for (size_t k = 0; k < known_count; k++)
		if (!strcmp(known[k].language, language)) {
			in_force = &known[k];
			return true;
		}
	return false;
}

const char *message_in_force(void)
{
	return in_force->language;
}

const char *message(const char *text)
{
	const struct catalogue *c = in_force;
	uint32_t low = 0, high = c->count;

	if (!*text)
		return text;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = strcmp(text, entry(c, c->originals, middle));
		if (!order) {
			const char *found = entry(c, c->translations, middle);
			return *found ? found : text;
		}
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return text;
}
