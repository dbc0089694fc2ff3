/* yaml_node.c - a YAML text as nodes, one after another: libyaml's events. */
#include "core/io/yaml_node.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "core/io/yaml_complaint.h"
#include "core/message.h"
#include "core/nearest.h"

#define FILE_LIMIT ((size_t)64 << 20)		/* bytes */

struct libyaml {
	yaml_parser_t parser;
	yaml_event_t event;		/* the current one; zeroed before the first */
};

/* ---- errors ---- */

static void fail_at(struct document *d, struct mark at, enum status status, const char *format, va_list ap)
{
	char text[sizeof d->error.text];

	vsnprintf(text, sizeof text, message(format), ap);
	error_at(&d->error, status, d->file, at.line, at.column, "%s", text);
}

enum status document_fail(struct document *d, struct mark at, enum status status, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fail_at(d, at, status, format, ap);
	va_end(ap);
	return status;
}

enum status node_fail(struct document *d, enum status status, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fail_at(d, d->here, status, format, ap);
	va_end(ap);
	return status;
}

enum status document_error(const struct document *d, enum status status, struct error *e)
{
	if (d->error.line)
		*e = d->error;
	else
		error_at(e, status, d->file, d->here.line, d->here.column, "%s", d->error.text);
	return status;
}

/* ---- events ---- */

static struct mark mark_of(const yaml_mark_t *m)
{
	return (struct mark){ (unsigned)m->line + 1, (unsigned)m->column + 1 };
}

static enum status fail_parser(struct document *d)
{
	const yaml_parser_t *p = &d->parser->parser;

	if (p->error == YAML_MEMORY_ERROR)
		return node_fail(d, E_MEMORY, "no memory to read the file");
	return complain(d, p->problem ? p->problem : "not YAML", p->context, mark_of(&p->problem_mark),
			mark_of(&p->context_mark));
}

static enum status refuse_sharing(struct document *d)
{
	const yaml_event_t *v = &d->parser->event;
	const yaml_char_t *anchor = NULL, *tag = NULL;

	if (v->type == YAML_ALIAS_EVENT) {
		anchor = v->data.alias.anchor;
	} else if (v->type == YAML_SCALAR_EVENT) {
		anchor = v->data.scalar.anchor;
		tag = v->data.scalar.tag;
	} else if (v->type == YAML_SEQUENCE_START_EVENT) {
		anchor = v->data.sequence_start.anchor;
		tag = v->data.sequence_start.tag;
	} else if (v->type == YAML_MAPPING_START_EVENT) {
		anchor = v->data.mapping_start.anchor;
		tag = v->data.mapping_start.tag;
	}
	if (anchor)
		return node_fail(d, E_SYNTAX,
				 "anchors (&) and aliases (*) are not taken here; write the value out, or %s",
				 complaint_quotes(d, d->here));
	if (tag)
		return node_fail(d, E_SYNTAX, "tags (!) are not taken here; leave the tag out, or %s",
				 complaint_quotes(d, d->here));
	return OK_STATUS;
}

static enum node node_of(yaml_event_type_t type)
{
	switch (type) {
	case YAML_SCALAR_EVENT:
	case YAML_ALIAS_EVENT:		/* is refused */
		return NODE_VALUE;
	case YAML_SEQUENCE_START_EVENT:
		return NODE_LIST;
	case YAML_MAPPING_START_EVENT:
		return NODE_MAP;
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return NODE_END;
	default:
		return NODE_OUTSIDE;
	}
}

static bool opens(enum node node)
{
	return node == NODE_LIST || node == NODE_MAP;
}

/* What libyaml says of the current event, in the document's own words. */
static void take_event(struct document *d)
{
	const yaml_event_t *v = &d->parser->event;
	bool scalar = v->type == YAML_SCALAR_EVENT;

	d->node = node_of(v->type);
	d->here = mark_of(&v->start_mark);
	if (opens(d->node))
		d->opened = d->here;
	d->depth += opens(d->node);
	d->depth -= d->node == NODE_END;
	d->text = scalar ? (const char *)v->data.scalar.value : "";
	d->length = scalar ? v->data.scalar.length : 0;
	d->plain = scalar && v->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static enum status next_event(struct document *d)
{
	yaml_event_t *event = &d->parser->event;

	d->text = "";		/* it was the event's */
	d->length = 0;
	yaml_event_delete(event);
	memset(event, 0, sizeof *event);
	if (!yaml_parser_parse(&d->parser->parser, event)) {
		memset(event, 0, sizeof *event);
		return fail_parser(d);
	}
	take_event(d);
	if (memchr(d->text, 0, d->length))
		return node_fail(d, E_SYNTAX, "the text has a NUL character in it; no text may");
	return refuse_sharing(d);
}

enum status node_next(struct document *d)
{
	enum status s = next_event(d);

	d->broken = s != OK_STATUS;
	return s;
}

/* ---- behind an error ---- */

size_t node_level(const struct document *d)
{
	return d->depth - opens(d->node);
}

enum status document_recover(struct document *d, enum status s, size_t level)
{
	struct error e = { 0 };

	if (!s || s == E_MEMORY || d->broken || !d->report)
		return s;
	document_error(d, s, &e);
	d->report(d->context, &e);
	d->reported++;
	error_clear(&d->error);
	while (d->depth > level)
		if ((s = node_next(d)))
			return s;
	return OK_STATUS;
}

enum status document_recover_key(struct document *d, enum status s, size_t level)
{
	if (!(s = document_recover(d, s, level)))
		s = node_next(d);
	while (!s && d->depth > level)
		s = node_next(d);
	return s;
}

/* ---- the document ---- */

/* A BOM is no character of the text. */
static void skip_bom(struct document *d)
{
	if (d->size >= 3 && !memcmp(d->bytes, "\xef\xbb\xbf", 3)) {
		d->bytes += 3;
		d->size -= 3;
	}
}

static enum status start_parser(struct document *d)
{
	struct libyaml *y = calloc(1, sizeof *y);

	if (!y || !yaml_parser_initialize(&y->parser)) {
		free(y);
		return node_fail(d, E_MEMORY, "no memory to read the file");
	}
	yaml_parser_set_encoding(&y->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&y->parser, (const unsigned char *)d->bytes, d->size);
	d->parser = y;
	return OK_STATUS;
}

enum status document_open(struct document *d, const void *bytes, size_t size, const char *file, const char *expected)
{
	enum status s;

	*d = (struct document){
		.bytes = bytes, .size = size, .file = file, .here = { 1, 1 }, .opened = { 1, 1 },
		.node = NODE_OUTSIDE, .text = "",
	};
	skip_bom(d);
	if (size > FILE_LIMIT)
		return node_fail(d, E_LIMIT, "%zu bytes; at most 64 MiB are read", size);
	if ((s = yaml_text_check(d->bytes, d->size, file, &d->error)) || (s = start_parser(d)))
		return s;
	if ((s = node_next(d)) || (s = node_next(d)))		/* stream, document */
		return s;
	if (d->parser->event.type == YAML_STREAM_END_EVENT)
		return document_fail(d, (struct mark){ 1, 1 }, E_VALUE, "an empty file; %s expected", expected);
	return node_next(d);
}

enum status document_end(struct document *d)
{
	enum status s;

	if ((s = node_next(d)) || (s = node_next(d)))		/* end of document, end of stream */
		return s;
	if (d->parser->event.type == YAML_STREAM_END_EVENT)
		return OK_STATUS;
	return node_fail(d, E_SYNTAX, "a second document starts here; one is expected");
}

void document_close(struct document *d)
{
	if (!d->parser)
		return;
	yaml_event_delete(&d->parser->event);
	yaml_parser_delete(&d->parser->parser);
	free(d->parser);
	d->parser = NULL;
}

/* ---- the current node ---- */

bool node_is_null(const struct document *d)
{
	static const char *const words[] = { "", "~", "null", "Null", "NULL" };

	for (size_t i = 0; i < sizeof words / sizeof *words && d->plain; i++)
		if (!strcmp(d->text, words[i]))
			return true;
	return false;
}

const char *node_kind(const struct document *d)
{
	return d->node == NODE_LIST ? "a list" : d->node == NODE_MAP ? "a map" : "a single value";
}

const char *node_found(const struct document *d)
{
	return node_is_null(d) ? "nothing" : node_kind(d);
}

const char *node_clip(const struct document *d, char out[YAML_CLIP_SIZE])
{
	return yaml_text_clip(out, d->text, d->length);
}

enum status node_copy(struct document *d, char **text)
{
	char *copy = malloc(d->length + 1);

	if (!copy)
		return node_fail(d, E_MEMORY, "no memory for a text");
	memcpy(copy, d->text, d->length + 1);
	*text = copy;
	return OK_STATUS;
}

enum status node_expect(struct document *d, enum node wanted, const char *name, const char *expected,
			const char *example)
{
	if (d->node == wanted)
		return OK_STATUS;
	return node_fail(d, E_SYNTAX, "%s: %s where %s is expected, such as %s", name, node_found(d), expected,
			 example);
}

enum status node_expect_value(struct document *d, const char *name, const char *expected)
{
	if (d->node == NODE_VALUE)
		return OK_STATUS;
	return node_fail(d, E_SYNTAX, "%s: %s, but %s is expected", name, node_kind(d), expected);
}

/* ---- maps ---- */

/* The map's keys, as many as a message holds. */
static void list_keys(const struct map *m, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (int i = 0; i < m->n; i++) {
		size_t length = strlen(m->name(i)) + 2;
		if (used + length + sizeof ", ..." > size) {
			strcpy(out + used, ", ...");
			return;
		}
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", m->name(i));
	}
}

static enum status fail_unknown(struct document *d, struct map *m)
{
	char shown[YAML_CLIP_SIZE], keys[380], hint[80] = "; expected";
	const char *why = m->refusal ? m->refusal(d->text) : NULL;
	const char *near = nearest(d->text, m->name, m->n, 1 + strnlen(d->text, 8) / 4, false);

	if (why)
		return node_fail(d, E_VALUE, "%s: %s", node_clip(d, shown), why);
	for (int i = 0; i < m->n && near; i++)
		m->meant[i] = m->meant[i] || !strcmp(m->name(i), near);
	if (near)
		snprintf(hint, sizeof hint, "; did you mean '%s'? Expected", near);
	list_keys(m, keys, sizeof keys);
	return node_fail(d, E_VALUE, "'%s' is not a key of %s%s one of: %s", node_clip(d, shown), m->what, hint, keys);
}

enum status map_open(struct document *d, struct map *m, const char *expected)
{
	memset(m->seen, 0, sizeof m->seen);
	memset(m->meant, 0, sizeof m->meant);
	return node_expect(d, NODE_MAP, m->what, "a map", expected);
}

static int find_key(const struct document *d, const struct map *m)
{
	for (int i = 0; i < m->n; i++)
		if (!strcmp(d->text, m->name(i)))
			return i;
	return -1;
}

static enum status read_key(struct document *d, struct map *m, int *key)
{
	if (d->node != NODE_VALUE)
		return node_fail(d, E_SYNTAX, "%s where a key of %s is expected", node_kind(d), m->what);
	*key = find_key(d, m);
	if (*key < 0)
		return fail_unknown(d, m);
	if (m->seen[*key].line)
		return node_fail(d, E_VALUE, "%s stands twice; the first is in line %u", m->name(*key),
				 m->seen[*key].line);
	m->seen[*key] = d->here;
	return OK_STATUS;
}

enum status map_next(struct document *d, struct map *m)
{
	enum status s;
	int key = -1;

	m->key = -1;
	for (;;) {
		if ((s = node_next(d)) || d->node == NODE_END)
			return s;
		size_t level = node_level(d);
		if (!(s = read_key(d, m, &key)))
			break;
		if ((s = document_recover_key(d, s, level)))
			return s;
	}
	if ((s = node_next(d)))
		return s;
	m->value[key] = d->here;
	m->key = key;
	return OK_STATUS;
}
