/* verify.c - `qkv verify`: the leak probes as a report, for people or as JSON. */
#include "tui/verify.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/dtype.h"
#include "core/message.h"
#include "tui/show.h"

/* ---- one line a check, over all heads ---- */

struct line {
	const char *name, *blind;	/* blind NULL: nothing to say */
	enum probe_answer ok;
	char detail[PROBE_TEXT];
	size_t head, alike;		/* the first head with that answer, and how many have it */
};

struct report {
	const struct verify_request *request;
	struct attention attention;	/* of the first head, for the title */
	size_t first, heads;
	struct line line[PROBE_COUNT];
	int lines;
};

/* False outweighs true, and true outweighs what does not apply. */
static int weight(enum probe_answer a)
{
	return a == ANSWER_NO ? 2 : a == ANSWER_YES;
}

static void add(struct line *l, enum probe_answer ok, const char *detail, size_t head)
{
	if (l->alike && ok == l->ok) {
		l->alike++;
		return;
	}
	if (l->alike && weight(ok) < weight(l->ok))
		return;
	l->ok = ok;
	l->head = head;
	l->alike = 1;
	snprintf(l->detail, sizeof l->detail, "%s", detail);
}

static enum status add_checks(struct report *r, const struct attention *a, struct error *e)
{
	struct probe_report probed;
	enum status s = probe_run(&probed, a, &r->request->expect, r->request->tables, e);

	if (s)
		return s;
	r->lines = PROBE_COUNT;
	for (int n = 0; n < PROBE_COUNT; n++) {
		r->line[n].name = probe_name((enum probe_name)n);
		r->line[n].blind = probe_blind((enum probe_name)n);
		add(&r->line[n], probed.check[n].ok, probed.check[n].detail, a->head);
	}
	probe_free(&probed);
	return OK_STATUS;
}

static enum status add_lesson(struct report *r, const struct attention *a, struct error *e)
{
	const struct verify_request *request = r->request;
	const struct random_input *random = &request->scenario->random;
	bool drawn = request->problem->random;
	const char *seed = !drawn ? NULL : *request->options->seed ? request->options->seed : random->seed;
	struct probe_lesson lesson;
	enum status s = probe_lesson_run(&lesson, a, seed, drawn ? random->skip : 0, request->tables, e);

	if (s)
		return s;
	r->lines = 1;
	r->line[0].name = "lesson";
	r->line[0].blind = _("softmax over columns, which moves with Q alone; keys before the last");
	add(&r->line[0], lesson.ok, lesson.detail, a->head);
	probe_lesson_free(&lesson);
	return OK_STATUS;
}

static enum status open_head(const struct report *r, size_t head, struct attention *a, struct error *e)
{
	struct options o = *r->request->options;	/* borrowed: attention_init copies */

	o.head = (long)head;
	return attention_init(a, r->request->problem, &o, r->request->tables, e);
}

static enum status probe_heads(struct report *r, struct error *e)
{
	enum status s = OK_STATUS;

	for (size_t h = r->first; h < r->first + r->heads && !s; h++) {
		struct attention a;
		if ((s = open_head(r, h, &a, e)))
			return s;
		s = r->request->lesson ? add_lesson(r, &a, e) : add_checks(r, &a, e);
		attention_free(&a);
	}
	return s;
}

static int count_false(const struct report *r)
{
	int n = 0;

	for (int k = 0; k < r->lines; k++)
		n += r->line[k].ok == ANSWER_NO;
	return n;
}

/* "head 2: ... (and 3 of 8 heads alike)"; the detail alone with one head. */
static void put_detail(struct buffer *out, const struct report *r, const struct line *l)
{
	if (r->heads > 1)
		buffer_format(out, _("head %zu (and %zu more of %zu alike): "), l->head, l->alike - 1, r->heads);
	buffer_text(out, l->detail);
}

/* ---- JSON ---- */

/* Details are ASCII; only what JSON itself needs is escaped. */
static void json_text(struct buffer *out, const char *text)
{
	buffer_text(out, "\"");
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			buffer_format(out, "\\%c", *text);
		else
			buffer_put(out, text, 1);
	buffer_text(out, "\"");
}

static void write_json(struct buffer *out, const struct report *r)
{
	static const char *const word[] = { [ANSWER_NO] = "false", [ANSWER_YES] = "true", [ANSWER_NONE] = "null" };
	struct buffer detail = { 0 };

	buffer_format(out, "{\n  \"ok\": %s,\n  \"checks\": [", count_false(r) ? "false" : "true");
	for (int k = 0; k < r->lines; k++) {
		const struct line *l = &r->line[k];
		detail.size = 0;
		put_detail(&detail, r, l);
		if (l->blind && l->ok != ANSWER_NONE)
			buffer_format(&detail, _(". Cannot see: %s"), l->blind);
		buffer_format(out, "%s\n    {\"name\": \"%s\", \"ok\": %s, \"detail\": ", k ? "," : "", l->name, word[l->ok]);
		json_text(out, detail.data ? detail.data : "");
		buffer_text(out, "}");
	}
	buffer_text(out, "\n  ]\n}\n");
	out->failed = out->failed || detail.failed;
	buffer_free(&detail);
}

/* ---- text ---- */

enum { NAME_WIDTH = 14, MARK_WIDTH = 5, INDENT = MARK_WIDTH + 1 + NAME_WIDTH + 2, NARROWEST = 24 };

static void put_rule(struct buffer *out, bool *any, bool set, const char *name)
{
	if (!set)
		return;
	buffer_format(out, "%s%s", *any ? ", " : "", name);
	*any = true;
}

/* Which masks ought to be there, and who says so. */
static void put_expected(struct buffer *out, const struct report *r)
{
	const struct probe_expect *x = &r->request->expect;
	const struct options *o = &r->attention.options;
	bool any = false;

	put_rule(out, &any, x->given ? x->causal : o->causal, "causal");
	put_rule(out, &any, x->given ? x->pad : o->pad.n, "pad");
	put_rule(out, &any, !x->given && o->window > 0, "window");
	put_rule(out, &any, !x->given && o->documents.n, "documents");
	put_rule(out, &any, !x->given && r->request->problem->mask.v, "mask");
	put_rule(out, &any, !x->given && o->hide.n, "hide");
	if (!any)
		buffer_text(out, _("no mask"));
	buffer_text(out, x->given ? _(", as asked for") : any ? _(", as set") : _(" is set"));
}

static void put_title(struct buffer *out, const struct report *r)
{
	const struct problem *p = r->request->problem;

	show_safe_text(out, r->request->scenario->name, r->request->ascii);
	buffer_format(out, "  verify (%zu, %zu)  %s", p->n_q, p->n_k, dtype_name(r->attention.dtype));
	if (p->heads > 1 && r->heads == 1)
		buffer_format(out, _("  head %zu of %zu"), r->first, p->heads);
	else if (p->heads > 1)
		buffer_format(out, _("  all %zu heads"), p->heads);
	if (p->part.layers > 1)
		buffer_format(out, _("  layer %ld of %zu"), p->part.layer, p->part.layers);
	if (p->part.batches > 1)
		buffer_format(out, _("  batch %ld of %zu"), p->part.batch, p->part.batches);
	buffer_text(out, "\n");
	if (p->mask_note[0]) {
		show_safe_text(out, p->mask_note, r->request->ascii);
		buffer_text(out, "\n");
	}
	if (r->request->lesson)
		return;
	buffer_text(out, _("expected: "));
	put_expected(out, r);
	buffer_text(out, "\n");
}

static void put_line(struct buffer *out, const struct report *r, const struct line *l, size_t width)
{
	static const char *const mark[] = { [ANSWER_NO] = "FALSE", [ANSWER_YES] = "ok", [ANSWER_NONE] = "-" };
	struct buffer text = { 0 };

	buffer_format(out, "%-*s %-*s  ", MARK_WIDTH, mark[l->ok], NAME_WIDTH, l->name);
	put_detail(&text, r, l);
	buffer_wrapped(out, INDENT, INDENT, width, text.data ? text.data : "");
	if (l->blind && l->ok != ANSWER_NONE) {
		text.size = 0;
		buffer_format(&text, _("cannot see: %s"), l->blind);
		buffer_repeat(out, ' ', INDENT);
		buffer_wrapped(out, INDENT, INDENT, width, text.data ? text.data : "");
	}
	out->failed = out->failed || text.failed;
	buffer_free(&text);
}

static void write_text(struct buffer *out, const struct report *r)
{
	size_t width = r->request->width < INDENT + NARROWEST ? INDENT + NARROWEST : (size_t)r->request->width;
	int faults = count_false(r);
	bool first = true;

	put_title(out, r);
	for (int k = 0; k < r->lines; k++)
		put_line(out, r, &r->line[k], width);
	if (!faults) {
		buffer_text(out, _("no check is false\n"));
		return;
	}
	buffer_format(out, _("%d of %d checks %s false:"), faults, r->lines, faults == 1 ? _("is") : _("are"));
	for (int k = 0; k < r->lines; k++)
		if (r->line[k].ok == ANSWER_NO) {
			buffer_format(out, "%s %s", first ? "" : ",", r->line[k].name);
			first = false;
		}
	buffer_text(out, "\n");
}

/* ---- the whole ---- */

enum status verify(struct buffer *out, bool *ok, const struct verify_request *request, struct error *e)
{
	struct report r = { .request = request, .first = (size_t)request->options->head, .heads = 1 };
	enum status s;

	if (request->all_heads) {
		r.first = 0;
		r.heads = request->problem->heads;
	}
	if ((s = open_head(&r, r.first, &r.attention, e)))
		return s;
	if (!(s = probe_heads(&r, e))) {
		if (request->format == VERIFY_JSON)
			write_json(out, &r);
		else
			write_text(out, &r);
		if (out->failed)
			s = error_set(e, E_MEMORY, "no memory for the report");
		else
			*ok = !count_false(&r);
	}
	attention_free(&r.attention);
	return s;
}
