/* verify_report.c - what the checks found over all heads, as text and as JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"
#include "tui/verify_parts.h"

/* ---- lines ---- */

void report_free(struct report *r)
{
	buffer_free(&r->title);
	buffer_free(&r->quiet);
}

void report_begin(struct report *r)
{
	r->lines = PROBE_COUNT;
	for (int n = 0; n < PROBE_COUNT; n++)
		r->line[n] = (struct line){ .name = probe_name((enum probe_name)n), .blind = probe_blind((enum probe_name)n) };
}

static int weight(enum probe_answer a)
{
	return a == ANSWER_NO ? 2 : a == ANSWER_YES;
}

bool finding_outweighs(const struct finding *a, const struct finding *b)
{
	return weight(a->ok) > weight(b->ok);
}

void report_add(struct line *l, const struct finding *f, const struct unit *at)
{
	if (l->alike && f->ok == l->found.ok) {
		l->alike++;
		return;
	}
	if (l->alike && weight(f->ok) < weight(l->found.ok))
		return;
	l->found = *f;
	l->at = *at;
	l->alike = 1;
}

void finding_of_check(struct finding *f, const struct probe_check *c, enum probe_name name)
{
	bool named = c->ok == ANSWER_NO && c->faults, probe = name == PROBE_K || name == PROBE_V || name == PROBE_Q;
	bool row_only = name == PROBE_ROW_SUMS || name == PROBE_EMPTY_ROWS;

	*f = (struct finding){
		.ok = c->ok, .has_row = named, .has_column = named && !row_only, .has_value = named && !probe,
		.row = c->pair[0].row, .column = c->pair[0].other, .value = c->value,
	};
	snprintf(f->detail, sizeof f->detail, "%s", c->detail);
}

int report_count_false(const struct report *r)
{
	int n = 0;

	for (int k = 0; k < r->lines; k++)
		n += r->line[k].found.ok == ANSWER_NO;
	return n;
}

/* "layer 1, head 2 (and 3 more of 8 alike): ..."; the detail alone with one head. */
static void put_detail(struct buffer *out, const struct report *r, const struct line *l)
{
	if (r->layers)
		buffer_format(out, _("layer %ld, "), l->at.layer);
	if (r->batches)
		buffer_format(out, _("batch %zu, "), l->at.batch);
	if (r->units > 1 || r->of_file)
		buffer_format(out, _("head %zu"), l->at.head);
	if (r->units > 1)
		buffer_format(out, _(" (and %zu more of %zu alike)"), l->alike - 1, r->units);
	if (r->units > 1 || r->of_file)
		buffer_text(out, ": ");
	buffer_text(out, l->found.detail);
}

/* ---- JSON ---- */

/* Details are ASCII; only what JSON itself needs is escaped. */
static void put_string(struct buffer *out, const char *text)
{
	buffer_text(out, "\"");
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			buffer_format(out, "\\%c", *text);
		else
			buffer_put(out, text, 1);
	buffer_text(out, "\"");
}

static void put_index(struct buffer *out, const char *key, bool known, size_t v)
{
	if (known)
		buffer_format(out, ", \"%s\": %zu", key, v);
	else
		buffer_format(out, ", \"%s\": null", key);
}

static void put_value(struct buffer *out, const struct finding *f)
{
	char number[NUMBER_SIZE];

	buffer_text(out, ", \"value\": ");
	if (!f->has_value) {
		buffer_text(out, "null");
	} else if (!isfinite(f->value)) {
		buffer_text(out, isnan(f->value) ? "\"NaN\"" : f->value < 0 ? "\"-Infinity\"" : "\"Infinity\"");
	} else {
		number_shortest(f->value, number);
		buffer_text(out, number);
	}
}

/* Where the first fault is: of a check that is not false, nowhere. */
static void put_place(struct buffer *out, const struct report *r, const struct line *l)
{
	bool fault = l->found.ok == ANSWER_NO;

	put_index(out, "layer", fault && r->of_file, (size_t)l->at.layer);
	put_index(out, "batch", fault && r->of_file, l->at.batch);
	put_index(out, "head", fault, l->at.head);
	put_index(out, "row", l->found.has_row, l->found.row);
	put_index(out, "column", l->found.has_column, l->found.column);
	put_value(out, &l->found);
}

static void write_json(struct buffer *out, const struct report *r)
{
	static const char *const word[] = { [ANSWER_NO] = "false", [ANSWER_YES] = "true", [ANSWER_NONE] = "null" };
	struct buffer detail = { 0 };

	buffer_format(out, "{\n  \"ok\": %s,\n  \"checks\": [", report_count_false(r) ? "false" : "true");
	for (int k = 0; k < r->lines; k++) {
		const struct line *l = &r->line[k];
		detail.size = 0;
		put_detail(&detail, r, l);
		if (l->blind && l->found.ok != ANSWER_NONE)
			buffer_format(&detail, _(". Cannot see: %s"), l->blind);
		buffer_format(out, "%s\n    {\"name\": \"%s\", \"ok\": %s", k ? "," : "", l->name, word[l->found.ok]);
		put_place(out, r, l);
		buffer_text(out, ", \"detail\": ");
		put_string(out, detail.data ? detail.data : "");
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

void report_expected(struct buffer *out, const struct probe_expect *x, const struct options *o, bool mask)
{
	bool any = false, causal = x->given ? x->causal : o->causal;

	put_rule(out, &any, causal, "causal");
	put_rule(out, &any, x->given ? x->pad : o->pad.n, "pad");
	put_rule(out, &any, !x->given && o->window > 0, "window");
	put_rule(out, &any, !x->given && o->documents.n, "documents");
	put_rule(out, &any, !x->given && mask, "mask");
	put_rule(out, &any, !x->given && o->hide.n, "hide");
	if (!any)
		buffer_text(out, _("no mask"));
	buffer_text(out, x->given ? _(", as asked for") : any ? _(", as set") : _(" is set"));
}

static void put_line(struct buffer *out, const struct report *r, const struct line *l, size_t width)
{
	static const char *const mark[] = { [ANSWER_NO] = "FALSE", [ANSWER_YES] = "ok", [ANSWER_NONE] = "-" };
	struct buffer text = { 0 };

	buffer_format(out, "%-*s %-*s  ", MARK_WIDTH, mark[l->found.ok], NAME_WIDTH, l->name);
	put_detail(&text, r, l);
	buffer_wrapped(out, INDENT, INDENT, width, text.data ? text.data : "");
	if (l->blind && l->found.ok != ANSWER_NONE && !r->of_file) {
		text.size = 0;
		buffer_format(&text, _("cannot see: %s"), l->blind);
		buffer_repeat(out, ' ', INDENT);
		buffer_wrapped(out, INDENT, INDENT, width, text.data ? text.data : "");
	}
	out->failed = out->failed || text.failed;
	buffer_free(&text);
}

/* Stored weights beside a Q and K that do not explain them: no fault, and not nothing. */
static bool is_unexplained(const struct line *l)
{
	return l->found.ok == ANSWER_NONE && l->found.has_value;
}

/* ", name, name" of the checks with an answer; how many. */
static int put_names(struct buffer *out, const struct report *r, enum probe_answer ok)
{
	int n = 0;

	for (int k = 0; k < r->lines; k++)
		if (r->line[k].found.ok == ok && !is_unexplained(&r->line[k]))
			buffer_format(out, "%s %s", n++ ? "," : "", r->line[k].name);
	return n;
}

/* One line for scripts: what was looked at, and what holds. */
static void write_quiet(struct buffer *out, const struct report *r)
{
	buffer_text(out, r->quiet.data ? r->quiet.data : "");
	buffer_text(out, _("; hold:"));
	if (!put_names(out, r, ANSWER_YES))
		buffer_text(out, _(" none"));
	buffer_text(out, _("; do not apply:"));
	if (!put_names(out, r, ANSWER_NONE))
		buffer_text(out, _(" none"));
	for (int k = 0; k < r->lines; k++)
		if (is_unexplained(&r->line[k]))
			buffer_format(out, "; %s: %s", r->line[k].name, r->line[k].found.detail);
	buffer_text(out, "\n");
}

static void write_text(struct buffer *out, const struct report *r)
{
	size_t width = r->width < INDENT + NARROWEST ? INDENT + NARROWEST : (size_t)r->width;
	int faults = report_count_false(r);

	if (!faults && r->of_file) {
		write_quiet(out, r);
		return;
	}
	buffer_text(out, r->title.data ? r->title.data : "");
	for (int k = 0; k < r->lines; k++)
		put_line(out, r, &r->line[k], width);
	if (!faults) {
		buffer_text(out, _("no check is false\n"));
		return;
	}
	buffer_format(out, _("%d of %d checks %s false:"), faults, r->lines, faults == 1 ? _("is") : _("are"));
	put_names(out, r, ANSWER_NO);
	buffer_text(out, "\n");
}

void report_write(struct buffer *out, const struct report *r)
{
	if (r->format == VERIFY_JSON)
		write_json(out, r);
	else
		write_text(out, r);
	out->failed = out->failed || r->title.failed || r->quiet.failed;
}
