/* live_parts.h - between live_*.c: what the report of `qkv live` tells of each run. */
#ifndef TUI_LIVE_PARTS_H
#define TUI_LIVE_PARTS_H

#include "tui/live.h"

enum { LIVE_TOP = 10 };

/* How a run's text goes on. */
struct continuation {
	size_t *ids, n;
	enum model_stop why;
};

/* What is told of a run. */
struct told {
	struct guess top[LIVE_TOP];
	size_t guesses;
	double nats;
	struct continuation more;
};

struct report {
	struct buffer *out;
	struct live *live;
	const struct live_write *write;
	struct told now, untouched;
};

const char *live_token(const struct report *r, size_t id);
/* Whether the table of heads has that one. */
bool live_lists_head(const struct report *r, size_t layer, size_t head);
/* The k-th option that is carried through and differs from plain ones; OPT_COUNT past the last. */
enum option live_carried(const struct report *r, size_t k, const struct options *plain);

enum status live_json(const struct report *r, struct error *e);
enum status live_table(const struct report *r, struct error *e);

#endif
