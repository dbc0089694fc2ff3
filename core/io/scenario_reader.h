/* scenario_reader.h - between scenario_read.c, which reads what a file says, and
 * scenario_check.c, which knows what of it fits together. Private to core/io.
 */
#ifndef CORE_IO_SCENARIO_READER_H
#define CORE_IO_SCENARIO_READER_H

#include "core/io/yaml_node.h"

enum top_key {
	KEY_QKV, KEY_TITLE, KEY_TOKENS, KEY_QUERY_TOKENS, KEY_KEY_TOKENS,
	KEY_ARRAY,		/* one for each array, in their order */
	KEY_RANDOM = KEY_ARRAY + ARRAY_COUNT,
	KEY_HEADS, KEY_D_K, KEY_PART, KEY_SET, KEY_EDITS, KEY_COUNT
};

enum random_key {
	RANDOM_SEED, RANDOM_N, RANDOM_N_Q, RANDOM_N_K, RANDOM_D_K, RANDOM_D_V, RANDOM_HEADS,
	RANDOM_D_MODEL, RANDOM_SKIP, RANDOM_COUNT
};

const char *scenario_key(int key);
const char *scenario_random_key(int key);

/* An edit, and where it is written. */
struct placed_edit {
	struct edit edit;
	struct mark mark;
};

struct edit_list {
	struct placed_edit *v;
	size_t n, room;
};

struct reader {
	struct document *d;
	struct scenario s;		/* under construction */
	struct map top, random;
	uint64_t random_size[RANDOM_COUNT];
	size_t split_heads;		/* `heads:`; 0: not given */
	struct edit_list edits;
};

/* What is said must be one input, complete and of shapes that fit; sizes that
 * were left out, heads and edits of r->s are filled in. The document is read. */
enum status scenario_check(struct reader *r);

#endif
