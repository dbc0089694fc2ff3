/* live_write.c - what `qkv live` writes: a table, or one object of JSON.
 *
 * JSON: model, text, tokens, ids, cut, unknown; top (the likeliest next tokens:
 * token, id, p) and nats (per character; null without one); options, at, ablate;
 * heads (layer, head, name, figure, previous, two_back, itself, bos, followed,
 * followed_queries, entropy, off, changed); continuation (text, ids, stopped: "count",
 * "eos" or "context") with --next; notices; and where heads are interfered with,
 * untouched: top, nats, continuation without that.
 */
#include "tui/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "core/model_heads.h"
#include "core/number.h"
#include "tui/show.h"
#include "tui/show_parts.h"
#include "tui/text.h"

const char *const live_format_words[] = { "table", "json", NULL };

enum { TOP = 10 };

/* How a run's text goes on. */
struct continuation {
	size_t *ids, n;
	enum model_stop why;
};

/* What is told of a run. */
struct told {
	struct guess top[TOP];
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

static enum status tell(struct told *t, struct model_run *r, const struct live_write *w, struct error *e)
{
	double *p = calloc(r->model->size.vocab, sizeof *p);

	if (!p)
		return error_set(e, E_MEMORY, "no memory for %zu probabilities", r->model->size.vocab);
	model_next(r, r->n - 1, 1, p);
	t->guesses = model_top(p, r->model->size.vocab, TOP, t->top);
	free(p);
	t->nats = model_nats(r);
	return continue_run(&t->more, r, w, e);
}

static const char *token(const struct report *r, size_t id)
{
	return r->live->model.vocab.text[id];
}

static bool lists_head(const struct report *r, size_t layer, size_t head)
{
	return head_set_has(&(struct head_set){ r->write->layer, r->write->head }, layer, head);
}

/* The k-th option that is carried through; OPT_COUNT past the last. */
static enum option carried(const struct report *r, size_t k, const struct options *plain)
{
	const struct options *o = r->write->request->options;

	for (int which = 0; which < OPT_COUNT; which++)
		if (o && r->write->request->at && model_option_counts((enum option)which) &&
		    !option_same(o, plain, (enum option)which) && k-- == 0)
			return (enum option)which;
	return OPT_COUNT;
}

/* ---- JSON ---- */

static void json_number(struct buffer *out, double x)
{
	char text[NUMBER_SIZE];

	if (isfinite(x)) {
		number_shortest(x, text);
		buffer_text(out, text);
	} else {
		buffer_text(out, isnan(x) ? "\"NaN\"" : x > 0 ? "\"Infinity\"" : "\"-Infinity\"");
	}
}

static void json_if(struct buffer *out, bool known, double x)
{
	if (known)
		json_number(out, x);
	else
		buffer_text(out, "null");
}

static void json_top(const struct report *r, const struct told *t, const char *indent)
{
	buffer_text(r->out, "[");
	for (size_t k = 0; k < t->guesses; k++) {
		buffer_format(r->out, "%s\n%s  {\"token\": ", k ? "," : "", indent);
		json_text(r->out, token(r, t->top[k].id));
		buffer_format(r->out, ", \"id\": %zu, \"p\": ", t->top[k].id);
		json_number(r->out, t->top[k].p);
		buffer_text(r->out, "}");
	}
	buffer_format(r->out, "\n%s]", indent);
}

static void json_ids(const struct report *r, const size_t *ids, size_t n)
{
	buffer_text(r->out, "[");
	for (size_t k = 0; k < n; k++)
		buffer_format(r->out, "%s%zu", k ? ", " : "", ids[k]);
	buffer_text(r->out, "]");
}

static void json_continuation(const struct report *r, const struct continuation *c, const char *indent)
{
	static const char *const why[] = { [STOP_COUNT] = "count", [STOP_EOS] = "eos", [STOP_CONTEXT] = "context" };
	struct buffer text = { 0 };

	if (!r->write->more.count)
		return;
	for (size_t k = 0; k < c->n; k++)
		buffer_text(&text, token(r, c->ids[k]));
	buffer_format(r->out, ",\n%s\"continuation\": {\"text\": ", indent);
	json_text(r->out, text.data ? text.data : "");
	buffer_text(r->out, ", \"ids\": ");
	json_ids(r, c->ids, c->n);
	buffer_format(r->out, ", \"stopped\": \"%s\"}", why[c->why]);
	r->out->failed = r->out->failed || text.failed;
	buffer_free(&text);
}

static void json_told(const struct report *r, const struct told *t, const char *indent)
{
	buffer_format(r->out, "%s\"top\": ", indent);
	json_top(r, t, indent);
	buffer_format(r->out, ",\n%s\"nats\": ", indent);
	json_if(r->out, r->live->text.n > 1, t->nats);
	json_continuation(r, &t->more, indent);
}

static void json_text_part(const struct report *r)
{
	const struct live *l = r->live;

	buffer_text(r->out, "{\n  \"model\": ");
	json_text(r->out, l->name);
	buffer_text(r->out, ",\n  \"text\": ");
	json_text(r->out, l->nfc);
	buffer_text(r->out, ",\n  \"tokens\": [");
	for (size_t t = 0; t < l->text.n; t++) {
		buffer_text(r->out, t ? ", " : "");
		json_text(r->out, token(r, l->text.ids[t]));
	}
	buffer_text(r->out, "],\n  \"ids\": ");
	json_ids(r, l->text.ids, l->text.n);
	buffer_format(r->out, ",\n  \"cut\": %zu,\n  \"unknown\": %zu,\n", l->text.cut, l->text.unknown);
}

static enum status json_changes(const struct report *r, struct error *e)
{
	const struct live_request *q = r->write->request;
	struct buffer value = { 0 };
	struct options plain;
	enum status s = model_options(&plain, e);
	enum option which;

	if (s)
		return s;
	buffer_text(r->out, ",\n  \"options\": {");
	for (size_t k = 0; (which = carried(r, k, &plain)) != OPT_COUNT; k++) {
		value.size = 0;
		option_text(q->options, which, &value);
		buffer_format(r->out, "%s\"%s\": ", k ? ", " : "", option_info(which)->name);
		json_text(r->out, value.data ? value.data : "");
	}
	options_free(&plain);
	buffer_text(r->out, "},\n  \"at\": ");
	json_text(r->out, q->at ? q->at : "");
	buffer_text(r->out, ",\n  \"ablate\": ");
	json_text(r->out, q->ablate ? q->ablate : "");
	r->out->failed = r->out->failed || value.failed;
	buffer_free(&value);
	return OK_STATUS;
}

static void json_head(const struct report *r, size_t layer, size_t head)
{
	struct buffer *out = r->out;
	const struct head_figures f = model_head_figures(&r->live->run, layer, head);
	const struct head_plan *plan = model_plan_head(&r->live->plan, layer, head);
	const struct { const char *name; double value; size_t queries; } figure[] = {
		{ "previous", f.previous, f.queries }, { "two_back", f.two_back, f.queries },
		{ "itself", f.itself, f.queries }, { "bos", f.bos, f.queries },
		{ "followed", f.followed, f.followed_queries }, { "entropy", f.entropy, f.queries },
	};

	buffer_format(out, "{\"layer\": %zu, \"head\": %zu, \"name\": \"%s\", \"figure\": ", layer, head, head_name_text(f.name));
	json_if(out, f.name != HEAD_NONE, f.figure);
	for (size_t k = 0; k < sizeof figure / sizeof *figure; k++) {
		buffer_format(out, ", \"%s\": ", figure[k].name);
		json_if(out, figure[k].queries > 0, figure[k].value);
	}
	buffer_format(out, ", \"followed_queries\": %zu, \"off\": %s, \"changed\": %s}", f.followed_queries,
		      plan->off ? "true" : "false", plan->options ? "true" : "false");
}

static void json_heads(const struct report *r)
{
	bool first = true;

	buffer_text(r->out, ",\n  \"heads\": [");
	for (size_t l = 0; l < r->live->model.size.layers; l++)
		for (size_t h = 0; h < r->live->model.size.heads; h++) {
			if (!lists_head(r, l, h))
				continue;
			buffer_text(r->out, first ? "\n    " : ",\n    ");
			json_head(r, l, h);
			first = false;
		}
	buffer_text(r->out, "\n  ]");
}

static void json_notices(const struct report *r)
{
	struct buffer text = { 0 };

	buffer_text(r->out, ",\n  \"notices\": [");
	for (size_t k = 0; live_notice(r->live, k, &text); k++, text.size = 0) {
		buffer_text(r->out, k ? ", " : "");
		json_text(r->out, text.data ? text.data : "");
	}
	buffer_text(r->out, "]");
	r->out->failed = r->out->failed || text.failed;
	buffer_free(&text);
}

static enum status write_json(const struct report *r, struct error *e)
{
	json_text_part(r);
	json_told(r, &r->now, "  ");
	enum status s = json_changes(r, e);
	if (s)
		return s;
	json_heads(r);
	json_notices(r);
	if (r->live->touched) {
		buffer_text(r->out, ",\n  \"untouched\": {\n");
		json_told(r, &r->untouched, "    ");
		buffer_text(r->out, "\n  }");
	}
	buffer_text(r->out, "\n}\n");
	return OK_STATUS;
}

/* ---- table ---- */

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
	put_token(r, token(r, t->top[k].id), TOKEN_WIDTH);
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
	if (r->live->text.n < 2)
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
	for (size_t k = 0; (which = carried(r, k, &plain)) != OPT_COUNT; k++) {
		value.size = 0;
		option_text(q->options, which, &value);
		buffer_format(r->out, _("%s %s at %s, carried through\n"), option_info(which)->name, value.data ? value.data : "", q->at);
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
			if (lists_head(r, l, h))
				put_head(r, l, h);
}

static void put_continuation(const struct report *r, const char *title, const struct continuation *c)
{
	static const char *const why[] = {
		[STOP_COUNT] = "", [STOP_EOS] = "", [STOP_CONTEXT] = N_("  (the model sees no longer text)"),
	};

	buffer_format(r->out, "%s", title);
	for (size_t k = 0; k < c->n; k++)
		put_safe(r, token(r, c->ids[k]));
	buffer_format(r->out, "%s\n", *why[c->why] ? _(why[c->why]) : "");
}

static enum status write_table(const struct report *r, struct error *e)
{
	const struct live *l = r->live;
	struct buffer text = { 0 };
	enum status s;

	put_safe(r, l->name);
	buffer_format(r->out, _(": %zu tokens\n"), l->text.n);
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
	put_continuation(r, _("goes on: "), &r->now.more);
	if (l->touched)
		put_continuation(r, _("untouched: "), &r->untouched.more);
	return OK_STATUS;
}

/* ---- either ---- */

enum status live_report(struct buffer *out, struct live *l, const struct live_write *w, struct error *e)
{
	struct report r = { .out = out, .live = l, .write = w };
	enum status s = tell(&r.now, &l->run, w, e);

	if (!s && l->touched)
		s = tell(&r.untouched, &l->untouched, w, e);
	if (!s)
		s = w->format == LIVE_JSON ? write_json(&r, e) : write_table(&r, e);
	free(r.now.more.ids);
	free(r.untouched.more.ids);
	if (!s && out->failed)
		s = error_set(e, E_MEMORY, "no memory for the report");
	return s;
}
