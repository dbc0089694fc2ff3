/* live_json.c - the report of `qkv live` as one object of JSON.
 *
 * Keys: model, text, tokens, ids, cut, unknown; position, of the last token that is
 * no [PAD]; top, the likeliest after it (token, id, p); nats (per character; null
 * without one); options and at, "" where none is carried through, ablate; heads (layer, head, name, figure, previous,
 * two_back, itself, bos, followed, followed_queries, entropy, off, changed);
 * continuation (text, ids, stopped: "count", "eos" or "context") with --next;
 * notices; and where heads are interfered with or there is padding, untouched: top,
 * nats, continuation without that.
 */
#include <math.h>

#include "core/model_heads.h"
#include "core/number.h"
#include "tui/live_parts.h"
#include "tui/show_parts.h"

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
		json_text(r->out, live_token(r, t->top[k].id));
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
		buffer_text(&text, live_token(r, c->ids[k]));
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
	json_if(r->out, r->live->text.characters > 0, t->nats);
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
		json_text(r->out, live_token(r, l->text.ids[t]));
	}
	buffer_text(r->out, "],\n  \"ids\": ");
	json_ids(r, l->text.ids, l->text.n);
	buffer_format(r->out, ",\n  \"cut\": %zu,\n  \"unknown\": %zu,\n  \"position\": %zu,\n", l->text.cut, l->text.unknown,
		      l->text.last);
}

static enum status json_changes(const struct report *r, struct error *e)
{
	const struct live_request *q = r->write->request;
	struct buffer value = { 0 };
	struct options plain;
	enum status s = model_options(&plain, e);
	enum option which;
	size_t k = 0;

	if (s)
		return s;
	buffer_text(r->out, ",\n  \"options\": {");
	for (; (which = live_carried(r, k, &plain)) != OPT_COUNT; k++) {
		value.size = 0;
		option_text(q->options, which, &value);
		buffer_format(r->out, "%s\"%s\": ", k ? ", " : "", option_info(which)->name);
		json_text(r->out, value.data ? value.data : "");
	}
	options_free(&plain);
	buffer_text(r->out, "},\n  \"at\": ");
	json_text(r->out, k ? q->at : "");
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
			if (!live_lists_head(r, l, h))
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

enum status live_json(const struct report *r, struct error *e)
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
