/* live_point.h - where a live model stands: its text, and what it is interfered with.
 *
 * A part of a snapshot (state.h), so that undo, bookmarks and what is pinned have it.
 */
#ifndef TUI_LIVE_POINT_H
#define TUI_LIVE_POINT_H

#include "tui/live.h"

struct live_point {
	char *text;			/* UTF-8, in NFC */
	char *at;			/* heads to which `carried` applies, as live_request has them; NULL: none, options
					 * are of the picture alone */
	struct options *carried;	/* NULL without `at` */
	char *off;			/* heads that are off, likewise, or NULL */
	size_t pad_left, pad_right;
};

/* Of a request's text and heads; its options are carried where it has `at`. NULL when
 * memory is short. */
struct live_point *live_point_new(const struct live_request *r);
/* NULL is copied as NULL. */
enum status live_point_copy(struct live_point **to, const struct live_point *from, struct error *e);
bool live_point_same(const struct live_point *a, const struct live_point *b);
size_t live_point_bytes(const struct live_point *p);
void live_point_free(struct live_point *p);

/* Replaces one of its texts (text, at, off) by a copy; NULL is NULL. */
enum status live_point_put(char **text, const char *value, struct error *e);

/* Borrows from p. */
struct live_request live_point_request(const struct live_point *p, const struct random_tables *tables);

#endif
