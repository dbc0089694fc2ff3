/* live_where.c - a language model on the screen: what applies where, in words. */
#include <string.h>

#include "core/message.h"
#include "tui/live_dock.h"

/* A list of heads as it was given, but where most of them are in it those that are not. */
static void put_heads(const struct live *l, const char *list, struct buffer *out)
{
	struct buffer others = { 0 };

	live_list_either(l, list, "all", &others);
	if (!others.size)
		buffer_text(out, _("every head"));
	else if (others.size < strlen(list) / 2)
		buffer_format(out, _("all but %s"), others.data);
	else
		buffer_text(out, list);
	out->failed = out->failed || others.failed;
	buffer_free(&others);
}

/* "causal off, pad 3,5" as far as it is not as trained, else "options"; "edits" with it
 * where numbers of this picture were edited. */
static void put_what(const struct options *o, const struct options *plain, bool edited, struct buffer *out)
{
	size_t before = out->size;

	for (int k = 0; k < OPT_COUNT; k++) {
		if (!model_option_counts((enum option)k) || option_same(o, plain, (enum option)k))
			continue;
		buffer_format(out, "%s%s ", out->size > before ? ", " : "", option_info((enum option)k)->name);
		option_text(o, (enum option)k, out);
	}
	if (edited)
		buffer_format(out, "%s%s", out->size > before ? ", " : "", _("edits"));
	if (out->size == before)
		buffer_text(out, _("options"));
}

static void put_carried(const struct state *s, bool brief, struct buffer *out)
{
	const struct live_point *p = s->now.live;
	const struct live *l = &s->live->live;
	bool here = live_is_carried_at(l, p, &s->now.options);
	struct buffer heads = { 0 };

	put_heads(l, p->at, &heads);
	if (!brief) {
		put_what(p->carried, &s->live->plain, false, out);
		buffer_text(out, ": ");
	}
	if (brief)
		buffer_format(out, here ? _("at %s") : _("at %s, not here"), heads.data ? heads.data : "");
	else
		buffer_format(out, here ? _("carried at %s") : _("carried at %s, not here"), heads.data ? heads.data : "");
	if (s->now.edits.n)
		buffer_text(out, _("; edits: picture alone"));
	out->failed = out->failed || heads.failed;
	buffer_free(&heads);
}

/* Heads that are off are so in the model, also where options are not. */
static void put_off(const struct state *s, struct buffer *out)
{
	const struct live_point *p = s->now.live;
	struct buffer heads = { 0 };

	put_heads(&s->live->live, p->off, &heads);
	buffer_format(out, p->at ? _("%s off; ") : _("%s off, carried; "), heads.data ? heads.data : "");
	out->failed = out->failed || heads.failed;
	buffer_free(&heads);
}

void live_where(const struct state *s, bool brief, struct buffer *out)
{
	const struct live_point *p = s->now.live;

	if (p->pad_left + p->pad_right)
		buffer_format(out, p->pad_left ? _("%zu [PAD] before; ") : _("%zu [PAD] behind; "), p->pad_left + p->pad_right);
	if (p->off)
		put_off(s, out);
	if (p->at) {
		put_carried(s, brief, out);
		return;
	}
	if (!brief) {
		put_what(&s->now.options, &s->live->plain, s->now.edits.n > 0, out);
		buffer_text(out, ": ");
	}
	buffer_text(out, _("picture alone"));
}

/* ---- what differs ---- */

static bool differs(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) != 0 : a != b;
}

static void put_part(struct buffer *out, const char *what, const char *value)
{
	buffer_format(out, "%s%s %s", out->size ? ", " : "", what, value);
}

static void put_list(const struct live *l, struct buffer *out, const char *what, const char *list, const char *none)
{
	if (!list) {
		put_part(out, what, none);
		return;
	}
	put_part(out, what, "");
	put_heads(l, list, out);
}

void live_difference(const struct state *s, const struct snapshot *a, const struct snapshot *b, struct buffer *out)
{
	const struct live_point *p = a->live, *q = b->live;

	if (!p || !q)
		return;
	if (differs(p->text, q->text))
		put_part(out, _("text"), q->text);
	if (differs(p->at, q->at))
		put_list(&s->live->live, out, _("options at"), q->at, _("the picture alone"));
	if (differs(p->off, q->off))
		put_list(&s->live->live, out, _("heads off"), q->off, _("none"));
	if (p->pad_left != q->pad_left || p->pad_right != q->pad_right)
		put_part(out, _("padding"), "");
}
