/* live_table.c - the report of `qkv live` as a table. */
#include <math.h>
#include <string.h>

#include "core/message.h"
#include "core/model_heads.h"
#include "core/number.h"
#include "tui/live_parts.h"
#include "tui/show.h"
#include "tui/text.h"

static void put_safe(const struct report *r, const char *text)
{
	show_safe_text(r->out, text, r->write->ascii);
}

/* A token in `width` columns; blanks in quotes, to be seen. */
static void put_token(const struct report *r, const char *text, int width)
{
	bool blank = !strcmp(text, " ");
	int used = text_width(text, r->write->ascii) + (blank ? 2 : 0);

	buffer_text(r->out, blank ? "'" : "");
	put_safe(r, text);
	buffer_text(r->out, blank ? "'" : "");
	buffer_repeat(r->out, ' ', used < width ? (size_t)(width - used) : 0);
}

static void put_fixed(struct buffer *out, double x, int decimals)
{
	char text[NUMBER_SIZE];

	number_fixed(x, decimals, text);
	buffer_text(out, text);
}

enum { TOKEN_WIDTH = 6, BAR_WIDTH = 30 };

/* In eighths of a column where there are characters for them. */
static void put_bar(const struct report *r, double p)
{
	static const char *const eighth[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	int parts = isfinite(p) ? (int)(p * BAR_WIDTH * 8 + 0.5) : 0, used = parts / 8;

	for (int k = 0; k < used; k++)
		buffer_text(r->out, r->write->ascii ? "#" : "█");
	if (!r->write->ascii && parts % 8) {
		buffer_text(r->out, eighth[parts % 8]);
		used++;
	}
	buffer_repeat(r->out, ' ', (size_t)(BAR_WIDTH - used));
}

static void put_guess(const struct report *r, const struct told *t, size_t k, bool bar)
{
	put_token(r, live_token(r, t->top[k].id), TOKEN_WIDTH);
	buffer_text(r->out, " ");
	put_fixed(r->out, t->top[k].p, 4);
	buffer_text(r->out, "  ");
	if (bar)
		put_bar(r, t->top[k].p);
}

/* Blanks at the ends of lines are nobody's. */
static void end_line(struct buffer *out)
{
	while (out->size && out->data[out->size - 1] == ' ')
		out->size--;
	buffer_text(out, "\n");
}

static void put_next(const struct report *r)
{
	buffer_text(r->out, "\n");
	buffer_text(r->out, _("next character"));
	if (r->live->touched)
		buffer_text(r->out, _(", and on the right that of the untouched model"));
	buffer_text(r->out, "\n");
	for (size_t k = 0; k < r->now.guesses; k++) {
		buffer_text(r->out, "  ");
		put_guess(r, &r->now, k, true);
		buffer_text(r->out, "  ");
		if (r->live->touched)
			put_guess(r, &r->untouched, k, false);
		end_line(r->out);
	}
}

static void put_nats(const struct report *r)
{
	if (!r->live->text.characters)
		return;
	buffer_format(r->out, "%s ", _("nats per character:"));
	put_fixed(r->out, r->now.nats, 4);
	if (r->live->touched) {
		buffer_format(r->out, _(", untouched "));
		put_fixed(r->out, r->untouched.nats, 4);
		buffer_text(r->out, r->now.nats >= r->untouched.nats ? " (+" : " (");
		put_fixed(r->out, r->now.nats - r->untouched.nats, 4);
		buffer_text(r->out, ")");
	}
	buffer_text(r->out, "\n");
}

static enum status put_changes(const struct report *r, struct error *e)
{
	const struct live_request *q = r->write->request;
	struct buffer value = { 0 };
	struct options plain;
	enum option which;
	enum status s = model_options(&plain, e);

	if (s)
		return s;
	if (!q->at)
		buffer_text(r->out, _("options are of a picture alone, none is carried through\n"));
	for (size_t k = 0; (which = live_carried(r, k, &plain)) != OPT_COUNT; k++) {
		value.size = 0;
		option_text(q->options, which, &value);
		buffer_format(r->out, strcmp(q->at, "all") ? _("%s %s at %s, carried through\n") : _("%s %s in all heads, carried through\n"),
			      option_info(which)->name, value.data ? value.data : "", q->at);
	}
	if (q->ablate)
		buffer_format(r->out, _("off: %s\n"), q->ablate);
	options_free(&plain);
	r->out->failed = r->out->failed || value.failed;
	buffer_free(&value);
	return OK_STATUS;
}

static void put_head(const struct report *r, size_t layer, size_t head)
{
	const struct head_figures f = model_head_figures(&r->live->run, layer, head);
	const struct head_plan *plan = model_plan_head(&r->live->plan, layer, head);
	const double figure[] = { f.previous, f.two_back, f.itself, f.bos, f.followed, f.entropy };
	const char *name = f.name == HEAD_NONE ? "-" : _(head_name_text(f.name));
	int used = text_width(name, r->write->ascii);
	size_t before = r->out->size;

	buffer_format(r->out, "  %zu.%zu", layer, head);
	buffer_repeat(r->out, ' ', r->out->size - before < 8 ? 8 - (r->out->size - before) : 1);
	put_safe(r, name);
	buffer_repeat(r->out, ' ', used < 18 ? (size_t)(18 - used) : 1);
	for (size_t k = 0; k < sizeof figure / sizeof *figure; k++) {
		char text[NUMBER_SIZE];
		if (isnan(figure[k]))
			strcpy(text, "-");
		else
			number_fixed(figure[k], 2, text);
		buffer_format(r->out, "%9s", text);
	}
	buffer_format(r->out, "%s%s\n", plan->options ? _("  changed") : "", plan->off ? _("  off") : "");
}

static void put_heads(const struct report *r)
{
	/* Columns of nine: these words are not translated. */
	buffer_format(r->out, "\n  %-6s%-18s%9s%9s%9s%9s%9s%9s\n", "head", "", "previous", "2 back", "itself", "[BOS]", "followed",
		      "entropy");
	for (size_t l = 0; l < r->live->model.size.layers; l++)
		for (size_t h = 0; h < r->live->model.size.heads; h++)
			if (live_lists_head(r, l, h))
				put_head(r, l, h);
}

static void put_continuation(const struct report *r, const char *title, const struct continuation *c)
{
	static const char *const why[] = {
		[STOP_COUNT] = "", [STOP_EOS] = "", [STOP_CONTEXT] = N_("  (the model sees no longer text)"),
	};

	buffer_format(r->out, "%s", title);
	for (size_t k = 0; k < c->n; k++)
		put_safe(r, live_token(r, c->ids[k]));
	buffer_format(r->out, "%s\n", *why[c->why] ? _(why[c->why]) : "");
}

static void put_draws(const struct report *r)
{
	const struct live_more *more = &r->write->more;

	if (more->temperature || more->seed)
		buffer_format(r->out, _("characters are drawn, temperature %s, seed %s\n"), more->temperature ? more->temperature : "1",
			      more->seed ? more->seed : "0");
}

enum status live_table(const struct report *r, struct error *e)
{
	const struct live *l = r->live;
	struct buffer text = { 0 };
	enum status s;

	put_safe(r, l->name);
	buffer_format(r->out, l->text.n == 1 ? _(": %zu token\n") : _(": %zu tokens\n"), l->text.n);
	if ((s = put_changes(r, e)))
		return s;
	for (size_t k = 0; live_notice(l, k, &text); k++, text.size = 0) {
		put_safe(r, text.data ? text.data : "");
		buffer_text(r->out, "\n");
	}
	r->out->failed = r->out->failed || text.failed;
	buffer_free(&text);
	put_nats(r);
	put_next(r);
	put_heads(r);
	if (!r->write->more.count)
		return OK_STATUS;
	buffer_text(r->out, "\n");
	put_draws(r);
	put_continuation(r, _("goes on: "), &r->now.more);
	if (l->touched)
		put_continuation(r, _("untouched: "), &r->untouched.more);
	return OK_STATUS;
}
