/* live_write.c - what the report of `qkv live` tells: guesses, nats, how the text goes on. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "tui/live_parts.h"

const char *const live_format_words[] = { "table", "json", NULL };

/* ---- what is told ---- */

static enum status start_draw(struct model_draw *draw, struct random *stream, const struct live_write *w, struct error *e)
{
	const struct live_more *more = &w->more;

	*draw = (struct model_draw){ .temperature = 1 };
	if (!more->temperature && !more->seed)
		return OK_STATUS;
	if (more->temperature && (!number_parse(more->temperature, strlen(more->temperature), &draw->temperature) ||
				  !(draw->temperature > 0) || isinf(draw->temperature)))
		return error_option(e, E_VALUE, "temperature", more->temperature, "a number above 0 is expected");
	draw->stream = stream;
	return random_seed(stream, w->request->tables, more->seed ? more->seed : "0", e);
}

/* Continues the text of a run, and takes that back. */
static enum status continue_run(struct continuation *c, struct model_run *r, const struct live_write *w, struct error *e)
{
	size_t before = r->n;
	struct model_draw draw;
	struct random stream;
	enum status s;

	if (!w->more.count)
		return OK_STATUS;
	if ((s = start_draw(&draw, &stream, w, e)) || (s = model_continue(r, w->more.count, &draw, &c->why, e)))
		return s;
	c->n = r->n - before;
	c->ids = calloc(c->n + 1, sizeof *c->ids);
	if (!c->ids)
		return error_set(e, E_MEMORY, "no memory for %zu tokens", c->n);
	memcpy(c->ids, r->ids + before, c->n * sizeof *c->ids);
	return model_run_set(r, r->ids, before, e);
}

static enum status tell(struct told *t, struct model_run *r, size_t last, const struct live_write *w, struct error *e)
{
	double *p = calloc(r->model->size.vocab, sizeof *p);

	if (!p)
		return error_set(e, E_MEMORY, "no memory for %zu probabilities", r->model->size.vocab);
	model_next(r, last, 1, p);
	t->guesses = model_top(p, r->model->size.vocab, LIVE_TOP, t->top);
	free(p);
	t->nats = model_nats(r);
	return continue_run(&t->more, r, w, e);
}

const char *live_token(const struct report *r, size_t id)
{
	return r->live->model.vocab.text[id];
}

bool live_lists_head(const struct report *r, size_t layer, size_t head)
{
	return head_set_has(&(struct head_set){ r->write->layer, r->write->head }, layer, head);
}

/* The k-th option that is carried through; OPT_COUNT past the last. */
enum option live_carried(const struct report *r, size_t k, const struct options *plain)
{
	const struct options *o = r->write->request->options;

	for (int which = 0; which < OPT_COUNT; which++)
		if (o && r->write->request->at && model_option_counts((enum option)which) &&
		    !option_same(o, plain, (enum option)which) && k-- == 0)
			return (enum option)which;
	return OPT_COUNT;
}

/* ---- either ---- */

enum status live_report(struct buffer *out, struct live *l, const struct live_write *w, struct error *e)
{
	struct report r = { .out = out, .live = l, .write = w };
	enum status s = tell(&r.now, &l->run, l->text.last, w, e);

	if (!s && l->touched)
		s = tell(&r.untouched, &l->untouched, l->text.last - l->pad_left, w, e);
	if (!s)
		s = w->format == LIVE_JSON ? live_json(&r, e) : live_table(&r, e);
	free(r.now.more.ids);
	free(r.untouched.more.ids);
	if (!s && out->failed)
		s = error_set(e, E_MEMORY, "no memory for the report");
	return s;
}
