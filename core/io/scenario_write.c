/* scenario_write.c - a scenario as YAML text that scenario_read.c reads back equal. */
#include "core/io/scenario_yaml.h"

#include <math.h>
#include <string.h>

#include "core/io/yaml_text.h"
#include "core/number.h"
#include "core/utf8.h"

static bool written_raw(uint32_t c)
{
	return yaml_text_may_stand(c) && c >= 0x20 && c != '"' && c != '\\' && !yaml_text_breaks_line(c) &&
	       !yaml_text_is_direction(c);
}

static void put_escape(struct buffer *out, uint32_t c)
{
	if (c == '"' || c == '\\')
		buffer_format(out, "\\%c", (char)c);
	else if (c == '\n')
		buffer_text(out, "\\n");
	else if (c == '\t')
		buffer_text(out, "\\t");
	else
		buffer_format(out, c < 0x100 ? "\\x%02X" : "\\u%04X", (unsigned)c);
}

/* A text in double quotes that reads back the same whatever is in it. What is
 * not UTF-8 becomes U+FFFD: YAML has no way to say it. */
static void put_quoted(struct buffer *out, const char *text)
{
	size_t n = strlen(text);
	uint32_t c;

	buffer_text(out, "\"");
	for (size_t i = 0, length; i < n; i += length ? length : 1) {
		length = utf8_decode(text + i, n - i, &c);
		if (!length)
			buffer_text(out, "\xef\xbf\xbd");
		else if (written_raw(c))
			buffer_put(out, text + i, length);
		else
			put_escape(out, c);
	}
	buffer_text(out, "\"");
}

static void put_number(struct buffer *out, double x)
{
	char text[NUMBER_SIZE];

	number_plain(x, text);
	if (isnan(x))
		buffer_text(out, ".nan");
	else if (isinf(x))
		buffer_text(out, x > 0 ? ".inf" : "-.inf");
	else
		buffer_text(out, text);
}

static void put_title(struct buffer *out, const struct title *t)
{
	if (!t->n)
		return;
	if (t->n == 1 && !*t->v[0].language) {
		buffer_text(out, "title: ");
		put_quoted(out, t->v[0].text);
		buffer_text(out, "\n");
		return;
	}
	buffer_text(out, "title:\n");
	for (size_t i = 0; i < t->n; i++) {
		buffer_text(out, "  ");
		put_quoted(out, t->v[i].language);
		buffer_text(out, ": ");
		put_quoted(out, t->v[i].text);
		buffer_text(out, "\n");
	}
}

enum { LINE_BYTES = 100 };

static void put_token_list(struct buffer *out, const char *key, const struct tokens *t)
{
	size_t line = out->size;

	if (!t->n)
		return;
	buffer_format(out, "%s: [", key);
	for (size_t i = 0; i < t->n; i++) {
		if (i)
			buffer_text(out, ", ");
		if (out->size - line > LINE_BYTES) {
			buffer_text(out, "\n  ");
			line = out->size;
		}
		put_quoted(out, t->text[i]);
	}
	buffer_text(out, "]\n");
}

static void put_tokens(struct buffer *out, const struct scenario *s)
{
	if (s->tokens_shared) {
		put_token_list(out, "tokens", &s->query_tokens);
		return;
	}
	put_token_list(out, "query-tokens", &s->query_tokens);
	put_token_list(out, "key-tokens", &s->key_tokens);
}

/* One row a line, the lines after the first indented. */
static void put_matrix(struct buffer *out, const struct matrix *m, size_t indent)
{
	buffer_text(out, "[");
	for (size_t i = 0; i < m->rows; i++) {
		if (i) {
			buffer_text(out, ",\n");
			buffer_repeat(out, ' ', indent + 1);
		}
		buffer_text(out, "[");
		for (size_t j = 0; j < m->columns; j++) {
			if (j)
				buffer_text(out, ", ");
			put_number(out, matrix_at(m, i, j));
		}
		buffer_text(out, "]");
	}
	buffer_text(out, "]");
}

static void put_array(struct buffer *out, enum array a, const struct array_heads *heads)
{
	if (!heads->n)
		return;
	buffer_format(out, "%s:\n  ", array_name(a));
	if (heads->n > 1)
		buffer_text(out, "[");
	for (size_t h = 0; h < heads->n; h++) {
		if (h)
			buffer_text(out, ",\n   ");
		put_matrix(out, &heads->head[h], heads->n > 1 ? 3 : 2);
	}
	buffer_text(out, heads->n > 1 ? "]\n" : "\n");
}

static void put_random(struct buffer *out, const struct random_input *in)
{
	buffer_format(out, "random: {seed: %s, ", in->seed);
	if (in->n_q == in->n_k)
		buffer_format(out, "n: %zu", in->n_q);
	else
		buffer_format(out, "n-q: %zu, n-k: %zu", in->n_q, in->n_k);
	buffer_format(out, ", d-k: %zu", in->d_k);
	if (in->d_v != in->d_k)
		buffer_format(out, ", d-v: %zu", in->d_v);
	if (in->heads != 1)
		buffer_format(out, ", heads: %zu", in->heads);
	if (in->d_model)
		buffer_format(out, ", d-model: %zu", in->d_model);
	if (in->skip)
		buffer_format(out, ", skip: %llu", (unsigned long long)in->skip);
	buffer_text(out, "}\n");
}

static void put_list(struct buffer *out, const struct option_info *info, const struct list *l)
{
	bool cells = info->type == TYPE_CELLS;

	buffer_text(out, "[");
	for (size_t i = 0; i < l->n; i += cells ? 2 : 1) {
		if (i)
			buffer_text(out, ", ");
		if (cells)
			buffer_format(out, "\"%ld:%ld\"", l->v[i], l->v[i + 1]);
		else
			buffer_format(out, "%ld", l->v[i]);
	}
	buffer_text(out, "]");
}

/* Words and numbers that mean themselves in YAML too. */
static bool is_simple(const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789.+-");

	return n && !text[n] && strcmp(text, "null") && strcmp(text, "-") && strcmp(text, "---") && strcmp(text, "...");
}

static void put_option(struct buffer *out, const struct options *o, enum option which)
{
	const struct option_info *info = option_info(which);
	struct buffer value = { 0 };

	buffer_format(out, "  %s: ", info->name);
	option_text(o, which, &value);
	if (value.failed || !value.data)
		out->failed = true;
	else if (info->type == TYPE_INDICES || info->type == TYPE_IDS || info->type == TYPE_CELLS)
		put_list(out, info, (const void *)((const char *)o + info->offset));
	else if (is_simple(value.data))
		buffer_text(out, value.data);
	else
		put_quoted(out, value.data);
	buffer_text(out, "\n");
	buffer_free(&value);
}

static void put_set(struct buffer *out, const struct options *o)
{
	bool any = false;

	for (int i = 0; i < OPT_COUNT; i++) {
		if (option_is_default(o, (enum option)i))
			continue;
		if (!any)
			buffer_text(out, "set:\n");
		any = true;
		put_option(out, o, (enum option)i);
	}
}

static void put_edits(struct buffer *out, const struct edits *e)
{
	if (e->n)
		buffer_text(out, "edits:\n");
	for (size_t i = 0; i < e->n; i++) {
		const struct edit *edit = &e->v[i];
		buffer_format(out, "  - {cell: \"%s %zu:%zu\", value: ", array_name(edit->array), edit->row, edit->column);
		put_number(out, edit->value);
		if (edit->head)
			buffer_format(out, ", head: %zu", edit->head);
		buffer_text(out, "}\n");
	}
}

static void put_part(struct buffer *out, const struct file_part *part)
{
	if (!part->layers && !part->batches && !part->bf16)
		return;
	buffer_format(out, "part: {layers: %zu, layer: %ld, batches: %zu, batch: %ld", part->layers, part->layer, part->batches,
		      part->batch);
	if (part->rounding > 0) {
		buffer_text(out, ", rounding: ");
		put_number(out, part->rounding);
	}
	if (part->bf16)
		buffer_text(out, ", bf16: 1");
	buffer_text(out, "}\n");
}

void scenario_write(struct buffer *out, const struct scenario *s, const struct options *o, const struct edits *edits)
{
	buffer_text(out, "qkv: 1\n");
	put_title(out, &s->title);
	put_tokens(out, s);
	if (s->source == SOURCE_RANDOM)
		put_random(out, &s->random);
	for (int a = 0; a < ARRAY_COUNT; a++)
		put_array(out, (enum array)a, &s->array[a]);
	if (s->d_k)
		buffer_format(out, "d-k: %zu\n", s->d_k);
	put_part(out, &s->part);
	put_set(out, o);
	put_edits(out, edits);
}
