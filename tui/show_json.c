/* show_json.c - one stage as JSON, with what hides each cell. */
#include "tui/show_parts.h"

#include <math.h>
#include <stdlib.h>

#include "core/model_plan.h"
#include "core/number.h"

void json_text(struct buffer *out, const char *text)
{
	uint32_t c;

	buffer_text(out, "\"");
	for (const char *p = text; *p;) {
		p += token_code(p, &c);
		if (c == '"' || c == '\\')
			buffer_format(out, "\\%c", (int)c);
		else if (token_is_control(c) || token_is_direction(c))
			buffer_format(out, "\\u%04x", (unsigned)c);
		else
			token_put(out, c);
	}
	buffer_text(out, "\"");
}

static void json_number(struct buffer *out, double x)
{
	char text[NUMBER_SIZE];

	if (isnan(x)) {
		buffer_text(out, "\"NaN\"");
	} else if (isinf(x)) {
		buffer_text(out, x < 0 ? "\"-Infinity\"" : "\"Infinity\"");
	} else {
		number_shortest(x, text);
		buffer_text(out, text);
	}
}

/* A comma and a new line between the rows of a list. */
static void json_next(struct buffer *out, bool first)
{
	buffer_text(out, first ? "\n    " : ",\n    ");
}

static void json_tokens(struct buffer *out, const struct tokens *t, struct range range)
{
	buffer_text(out, "[");
	for (size_t i = 0; i < range.count; i++) {
		if (i)
			buffer_text(out, ", ");
		json_text(out, token_label(t, range.first + i));
	}
	buffer_text(out, "]");
}

/* Those of `o` that have not their defaults; of a model's heads those that are not as `trained`. */
static void json_options(struct buffer *out, const struct options *o, const struct options *trained)
{
	struct buffer value = { 0 };
	bool first = true;

	buffer_text(out, "{");
	for (int k = 0; k < OPT_COUNT; k++) {
		if (trained ? !model_option_counts((enum option)k) || option_same(o, trained, (enum option)k)
			    : option_is_default(o, (enum option)k))
			continue;
		value.size = 0;
		option_text(o, (enum option)k, &value);
		buffer_text(out, first ? "" : ", ");
		json_text(out, option_info((enum option)k)->name);
		buffer_text(out, ": ");
		json_text(out, value.data ? value.data : "");
		first = false;
	}
	buffer_text(out, "}");
	out->failed = out->failed || value.failed;
	buffer_free(&value);
}

/* The model, the text that it reads, and what else it is interfered with: where options are
 * carried through and which, heads that are off, [PAD]. */
static void json_live(struct buffer *out, const struct show_request *r, const char *indent)
{
	const struct live_point *p = r->live;
	struct options trained;
	struct error e;

	if (!p)
		return;
	if (model_options(&trained, &e)) {
		out->failed = true;
		return;
	}
	char *name = live_model_name(r->model);
	buffer_format(out, ",\n%s  \"live\": {\"model\": ", indent);
	json_text(out, name ? name : "");
	buffer_format(out, ", \"text\": ");
	json_text(out, p->text);
	buffer_format(out, ", \"layer\": %ld, \"head\": %ld, \"at\": ", r->options->layer, r->options->head);
	json_text(out, p->at ? p->at : "");
	buffer_text(out, ", \"options\": ");
	if (p->at)
		json_options(out, p->carried, &trained);
	else
		buffer_text(out, "{}");
	buffer_text(out, ", \"ablate\": ");
	json_text(out, p->off ? p->off : "");
	buffer_format(out, ", \"pad_left\": %zu, \"pad_right\": %zu}", p->pad_left, p->pad_right);
	out->failed = out->failed || !name;
	free(name);
	options_free(&trained);
}

static struct range queries_shown(const struct sheet *s)
{
	size_t n = s->request->problem->n_q, other = s->minus ? s->minus->request->problem->n_q : n;

	return s->rows_are_queries ? s->rows : (struct range){ 0, other < n ? other : n };
}

static struct range keys_shown(const struct sheet *s)
{
	return s->columns_are_keys ? s->columns : (struct range){ 0, s->request->problem->n_k };
}

static void json_head(struct buffer *out, const struct sheet *s)
{
	const struct problem *p = s->request->problem;

	buffer_text(out, "{\n  \"scenario\": ");
	json_text(out, s->request->scenario);
	buffer_text(out, ",\n  \"stage\": ");
	json_text(out, s->request->row_sums ? "row-sums" : stage_info(s->stage)->name);
	if (s->stage == STAGE_INPUT) {
		buffer_text(out, ",\n  \"array\": ");
		json_text(out, array_name(s->array));
	}
	buffer_format(out, ",\n  \"shape\": [%zu", s->rows.count);
	if (s->has_columns)
		buffer_format(out, ", %zu", s->columns.count);
	buffer_text(out, "],\n  \"tokens\": {\n    \"query\": ");
	json_tokens(out, &p->query_tokens, queries_shown(s));
	buffer_text(out, ",\n    \"key\": ");
	json_tokens(out, &p->key_tokens, keys_shown(s));
	buffer_text(out, "\n  },\n  \"options\": ");
	json_options(out, s->request->options, NULL);
	json_live(out, s->request, "");
	if (!s->minus)
		return;
	/* The numbers are B - A: B is what the head says, A this. */
	buffer_text(out, ",\n  \"difference\": \"B - A\",\n  \"a\": {\n    \"scenario\": ");
	json_text(out, s->minus->request->scenario);
	buffer_text(out, ",\n    \"options\": ");
	json_options(out, s->minus->request->options, NULL);
	json_live(out, s->minus->request, "  ");
	buffer_text(out, "\n  }");
}

/* What is said of every query; one buffer each, since they are lists of their own. */
struct judgement { struct buffer sums, verdicts, hidden; };

static void json_hidden(struct buffer *out, const struct sheet *s)
{
	struct range keys = keys_shown(s);

	buffer_text(out, "[");
	for (size_t j = 0; j < keys.count; j++) {
		rules r = s->row.rules[keys.first + j];
		bool first = true;
		buffer_text(out, j ? ", [" : "[");
		for (int n = 0; n < RULE_COUNT && mask_hides(r); n++)
			if (r & 1 << n) {
				buffer_text(out, first ? "" : ", ");
				json_text(out, mask_rule_name(n));
				first = false;
			}
		buffer_text(out, "]");
	}
	buffer_text(out, "]");
}

/* Of the query that s->row is. */
static void json_judge(struct judgement *j, const struct sheet *s, bool first)
{
	buffer_text(&j->sums, first ? "" : ", ");
	json_number(&j->sums, sheet_sum(s));
	buffer_text(&j->verdicts, first ? "" : ", ");
	json_text(&j->verdicts, verdict_name(s->row.verdict));
	json_next(&j->hidden, first);
	json_hidden(&j->hidden, s);
}

static void json_values(struct buffer *out, const struct sheet *s, const double *v, bool first)
{
	if (s->has_columns) {
		json_next(out, first);
		buffer_text(out, "[");
	} else if (!first) {
		buffer_text(out, ", ");
	}
	for (size_t j = 0; j < s->columns.count; j++) {
		buffer_text(out, j ? ", " : "");
		json_number(out, v[s->columns.first + j]);
	}
	if (s->has_columns)
		buffer_text(out, "]");
}

static enum status json_rows(struct buffer *out, struct sheet *s, struct judgement *judgement, struct error *e)
{
	struct range queries = queries_shown(s);
	const double *v;
	enum status status;

	for (size_t i = 0; i < s->rows.count; i++) {
		if ((status = sheet_row(s, s->rows.first + i, &v, e)))
			return status;
		json_values(out, s, v, !i);
		if (s->stage != STAGE_INPUT)
			json_judge(judgement, s, !i);
	}
	for (size_t i = 0; i < queries.count && s->stage == STAGE_INPUT; i++) {
		sheet_compute(s, queries.first + i);
		json_judge(judgement, s, !i);
	}
	return OK_STATUS;
}

static void append(struct buffer *out, const char *before, const struct buffer *part, const char *after)
{
	buffer_text(out, before);
	buffer_put(out, part->data, part->size);
	buffer_text(out, after);
	out->failed = out->failed || part->failed;
}

enum status show_json(struct buffer *out, struct sheet *s, struct error *e)
{
	struct judgement j = { 0 };

	json_head(out, s);
	buffer_text(out, ",\n  \"values\": [");
	enum status status = json_rows(out, s, &j, e);
	buffer_text(out, s->has_columns ? "\n  ]" : "]");
	append(out, ",\n  \"row_sums\": [", &j.sums, "]");
	if (!s->minus) {		/* a difference has none */
		append(out, ",\n  \"verdicts\": [", &j.verdicts, "]");
		append(out, ",\n  \"hidden_by\": [", &j.hidden, "\n  ]");
	}
	buffer_text(out, "\n}\n");
	buffer_free(&j.sums);
	buffer_free(&j.verdicts);
	buffer_free(&j.hidden);
	return status;
}
