/* live_point.c - where a live model stands. */
#include "tui/live_point.h"

#include <stdlib.h>
#include <string.h>

#include "tui/text.h"

void live_point_free(struct live_point *p)
{
	if (!p)
		return;
	free(p->text);
	free(p->at);
	free(p->off);
	if (p->carried)
		options_free(p->carried);
	free(p->carried);
	free(p);
}

enum status live_point_put(char **text, const char *value, struct error *e)
{
	char *copy = value ? strdup(value) : NULL;

	if (value && !copy)
		return error_set(e, E_MEMORY, "no memory for a text");
	free(*text);
	*text = copy;
	return OK_STATUS;
}

static enum status carry(struct live_point *p, const struct options *o, struct error *e)
{
	struct options *copy = calloc(1, sizeof *copy);
	enum status s = copy ? options_copy(copy, o, e) : error_set(e, E_MEMORY, "no memory for options");

	if (s)
		free(copy);
	else
		p->carried = copy;
	return s;
}

struct live_point *live_point_new(const struct live_request *r)
{
	struct live_point *p = calloc(1, sizeof *p);
	struct error e;

	if (!p)
		return NULL;
	p->text = text_nfc(r->text, strlen(r->text));
	p->pad_left = r->pad_left;
	p->pad_right = r->pad_right;
	if (!p->text || live_point_put(&p->at, r->at, &e) || live_point_put(&p->off, r->ablate, &e) ||
	    (r->at && carry(p, r->options, &e))) {
		live_point_free(p);
		return NULL;
	}
	return p;
}

enum status live_point_copy(struct live_point **to, const struct live_point *from, struct error *e)
{
	*to = NULL;
	if (!from)
		return OK_STATUS;
	const struct live_request r = live_point_request(from, NULL);
	*to = live_point_new(&r);
	return *to ? OK_STATUS : error_set(e, E_MEMORY, "no memory for a text");
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

bool live_point_same(const struct live_point *a, const struct live_point *b)
{
	if (!a || !b)
		return a == b;
	return same_text(a->text, b->text) && same_text(a->at, b->at) && same_text(a->off, b->off) &&
	       a->pad_left == b->pad_left && a->pad_right == b->pad_right &&
	       (a->carried && b->carried ? options_equal(a->carried, b->carried) : a->carried == b->carried);
}

size_t live_point_bytes(const struct live_point *p)
{
	return p ? sizeof *p + strlen(p->text) + (p->carried ? sizeof *p->carried : 0) : 0;
}

struct live_request live_point_request(const struct live_point *p, const struct random_tables *tables)
{
	return (struct live_request){
		.text = p->text, .at = p->at, .ablate = p->off, .pad_left = p->pad_left, .pad_right = p->pad_right,
		.options = p->carried, .tables = tables,
	};
}
