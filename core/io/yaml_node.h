/* yaml_node.h - a YAML text as nodes, one after another, each with its place.
 * Private to core/io: what scenarios are read with, and whatever else is YAML.
 *
 * Nothing is kept as a tree; only the current node is known. A function that
 * reads a value expects its first node to be current and leaves its last one
 * current (of a list or a map: its end). Aliases, anchors, tags, NUL characters
 * and several documents are refused, so that a text costs no more than its own
 * size.
 *
 * Everything that fails fills d->error and returns its status. Errors of
 * modules that know no place (memory above all) go to &d->error as they are;
 * document_error gives them one.
 */
#ifndef CORE_IO_YAML_NODE_H
#define CORE_IO_YAML_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/io/yaml_text.h"
#include "core/options.h"
#include "core/scenario.h"

enum node {
	NODE_VALUE,		/* a single one, whatever it means */
	NODE_LIST, NODE_MAP,	/* their start: what is in them follows */
	NODE_END,		/* of the list or map */
	NODE_OUTSIDE,		/* of the document */
};

struct document {
	const char *bytes;	/* the text, without a BOM; not owned */
	size_t size;
	const char *file;	/* its name, for errors; not owned */
	struct error error;
	enum node node;		/* the current one */
	struct mark here;	/* where it starts */
	struct mark opened;	/* where the last list or map started */
	const char *text;	/* of a NODE_VALUE: UTF-8 without NUL inside, until the next node */
	size_t length;
	bool plain;		/* and whether it stands without quotes */
	size_t depth;		/* lists and maps that are open, a current start included */
	bool broken;		/* the YAML itself is wrong: nothing more can be read */
	/* Who wants all errors, not only the first, sets this behind document_open. */
	void (*report)(void *context, const struct error *e);
	void *context;
	size_t reported;	/* how many it was told of */
	struct libyaml *parser;
};

/* ---- the document ---- */

/* Makes the root node current. `expected` is for an empty file: "'qkv: 1' is".
 * E_LIMIT over 64 MiB. document_close in any case, after errors too. */
enum status document_open(struct document *d, const void *bytes, size_t size, const char *file, const char *expected);
/* Behind the root's last node: E_SYNTAX when anything follows. */
enum status document_end(struct document *d);
void document_close(struct document *d);

/* Reading goes on behind an error: `s` came of reading the node that was current
 * at that node_level. With d->report the error is told, its node's last node made
 * current, and OK returned; without it, where the YAML is wrong, and for want of
 * memory, s. The readers of maps and lists do it for what is in them, so that an
 * outer one sees their own errors only; d->reported tells whether there were any.
 *	size_t level = node_level(d);
 *	s = document_recover(d, read_item(d), level);
 */
enum status document_recover(struct document *d, enum status s, size_t level);
/* The same about the key that is current: its value is passed over, too. */
enum status document_recover_key(struct document *d, enum status s, size_t level);
/* Lists and maps around the current node. */
size_t node_level(const struct document *d);

/* Copies d->error to *e, at the current node where its place is not known. */
enum status document_error(const struct document *d, enum status status, struct error *e);

enum status document_fail(struct document *d, struct mark at, enum status status, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* The same at the current node. */
enum status node_fail(struct document *d, enum status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- the current node ---- */

/* Goes on to the next one. Lists are walked with it:
 *	s = node_expect(d, NODE_LIST, "edits", "a list", "[a, b]");
 *	while (!s && !(s = node_next(d)) && d->node != NODE_END)
 *		s = read_item(d);
 */
enum status node_next(struct document *d);

/* E_SYNTAX unless it starts a list or map: "NAME: a single value where EXPECTED
 * is expected, such as EXAMPLE". */
enum status node_expect(struct document *d, enum node wanted, const char *name, const char *expected,
			const char *example);
/* E_SYNTAX unless it is a single value: "NAME: a list, but EXPECTED is expected". */
enum status node_expect_value(struct document *d, const char *name, const char *expected);

bool node_is_null(const struct document *d);	/* nothing, or one of the ways to say nothing */
const char *node_kind(const struct document *d);	/* "a list", "a map", "a single value" */
const char *node_found(const struct document *d);	/* the same, or "nothing" */
const char *node_clip(const struct document *d, char out[YAML_CLIP_SIZE]);	/* its text, for an error */
enum status node_copy(struct document *d, char **text);	/* its text, to be freed */

/* ---- maps ---- */

enum { MAP_KEYS_MAX = OPT_COUNT + 16 };	/* more than any map has */

struct map {
	const char *what;		/* "a scenario" */
	const char *(*name)(int);	/* its keys are name(0) to name(n - 1) */
	int n;
	/* NULL, or what to say about a key that people expect here (NULL: nothing). */
	const char *(*refusal)(const char *key);
	/* What map_open and map_next find out: */
	struct mark seen[MAP_KEYS_MAX];		/* where each key stands; line 0: not there */
	struct mark value[MAP_KEYS_MAX];	/* where the value of a key that was seen starts */
	bool meant[MAP_KEYS_MAX];	/* a key that is none of the map's was passed over, and was probably this one */
	int key;			/* the current one; -1 at the end */
};

/* Opens the map that is current; expected is an example. */
enum status map_open(struct document *d, struct map *m, const char *expected);
/* Makes the value of the next key current. E_VALUE, at the key, when it stands
 * twice or is none of the map's: then with the one that was probably meant. With
 * d->report such keys are told and passed over.
 *	while (!s && !(s = map_next(d, &m)) && m.key >= 0)
 *		s = read_value_of(d, m.key);
 */
enum status map_next(struct document *d, struct map *m);

#endif
