/* view_verify.c - the lamps: which checks hold, what was found, what they cannot see. */
#include <stdio.h>
#include <string.h>

#include "tui/text.h"
#include "core/message.h"
#include "tui/view_parts.h"

enum { MARK = 4, NAME = 15, TEXT = 2 + MARK + NAME };

/* One lamp as it is drawn: a check of the probes, or the lesson's own test. */
struct lamp {
	const char *name, *detail, *blind;
	bool done;
	enum probe_answer ok;
};

static struct lamp lamp(const struct panel *p, int k)
{
	if (k == PROBE_COUNT)
		return (struct lamp){ "lesson", p->probes.lesson_done ? p->probes.lesson.detail : "",
				      _("softmax over columns, which moves with Q alone; keys before the last"), p->probes.lesson_done,
				      p->probes.lesson.ok };
	enum probe_name n = (enum probe_name)k;
	bool done = probe_work_done(p->probes.work, n);
	const struct probe_check *check = done ? &probe_work_report(p->probes.work)->check[n] : NULL;
	return (struct lamp){ probe_name(n), done ? check->detail : "", probe_blind(n), done, done ? check->ok : ANSWER_NONE };
}

static const char *lamp_word(const struct lamp *l)
{
	static const char *const word[] = { [ANSWER_NO] = "NO", [ANSWER_YES] = "ok", [ANSWER_NONE] = "--" };

	return l->done ? word[l->ok] : "..";
}

static enum paint lamp_paint(const struct lamp *l)
{
	static const enum paint paint[] = { [ANSWER_NO] = PAINT_BAD, [ANSWER_YES] = PAINT_OK, [ANSWER_NONE] = PAINT_MUTED };

	return l->done ? paint[l->ok] : PAINT_MUTED;
}

static void put_name(struct buffer *out, bool is, const char *name)
{
	if (is)
		buffer_format(out, "%s%s", out->size ? ", " : "", name);
}

/* Which masks ought to be there. */
static void expected_text(const struct state *s, struct buffer *out)
{
	const struct panel *p = &s->panel;
	const struct options *o = &s->grid.attention.options;
	bool given = p->probes.expect.given;

	put_name(out, given ? p->probes.expect.causal : o->causal || p->probes.with_causal, "causal");
	put_name(out, given ? p->probes.expect.pad : p->probes.with_pad || (o->pad.n && o->pad_mask), "pad");
	put_name(out, !given && o->window > 0, "window");
	put_name(out, !given && o->documents.n, "documents");
	put_name(out, !given && s->problem->mask.v, "mask");
	put_name(out, !given && o->hide.n, "hide");
}

static void draw_head(struct canvas *c, struct pane *out)
{
	const struct state *s = c->s;
	struct buffer masks = { 0 };
	char title[240], head[48] = "";

	expected_text(s, &masks);
	if (s->problem->heads > 1)
		snprintf(head, sizeof head, _("head %zu of %zu, "), s->grid.attention.head, s->problem->heads);
	snprintf(title, sizeof title, _("verify: %s%s%.120s"), head, masks.size ? _("expected to hide: ") : _("no mask is expected"),
		 masks.data ? masks.data : "");
	buffer_free(&masks);
	*out = panel_head(c, title);
}

static void draw_lamp(struct canvas *c, const struct pane *p, int row, int k)
{
	struct lamp l = lamp(&c->s->panel, k);
	bool lit = (int)panel_lamp(&c->s->panel) == k;
	struct style name = color_paint(&c->look, lit ? PAINT_LIT : PAINT_TEXT);

	pane_text(p, row, 0, lit ? "> " : "  ", 2, name);
	pane_field(p, row, 2, lamp_word(&l), MARK - 1, -1, color_paint(&c->look, lamp_paint(&l)));
	pane_field(p, row, 2 + MARK, l.name, NAME - 1, -1, name);
	pane_text(p, row, TEXT, l.detail, p->columns - TEXT,
		  color_paint(&c->look, l.ok == ANSWER_NONE ? PAINT_MUTED : PAINT_TEXT));
}

/* The whole of what was found, and what the check cannot see. */
static void explain(struct canvas *c, const struct pane *p, int row)
{
	struct lamp l = lamp(&c->s->panel, (int)panel_lamp(&c->s->panel));
	char blind[512];

	snprintf(blind, sizeof blind, _("cannot see: %s"), l.blind);
	if (l.done)
		row += panel_wrap(p, row, 2, l.detail, p->rows - row - 1, color_paint(&c->look, lamp_paint(&l)));
	if (row < p->rows)
		panel_wrap(p, row, 2, blind, p->rows - row, color_paint(&c->look, PAINT_MUTED));
}

void view_verify(struct canvas *c)
{
	const struct panel *panel = &c->s->panel;
	struct pane p;
	int row = 0;

	draw_head(c, &p);
	if (panel->failed) {
		panel_wrap(&p, 0, 0, panel->error, p.rows, color_paint(&c->look, PAINT_BAD));
		return;
	}
	/* The one that is explained is among those that have room. */
	int lit = (int)panel_lamp(panel), first = lit < p.rows ? 0 : lit - p.rows + 1;
	for (int k = first; k < PANEL_LAMPS && row < p.rows; k++)
		draw_lamp(c, &p, row++, k);
	explain(c, &p, row);
}
