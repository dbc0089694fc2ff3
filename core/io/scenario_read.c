/* scenario_read.c - scenarios from YAML text, format version 1: key by key. */
#include "core/io/scenario_yaml.h"

#include <stdlib.h>
#include <string.h>

#include "core/io/scenario_reader.h"
#include "core/io/yaml_array.h"
#include "core/io/yaml_complaint.h"
#include "core/io/yaml_options.h"
#include "core/io/yaml_value.h"

enum { SKIP_LIMIT = 100000000 };	/* normals: they are drawn, in about a second */

enum edit_key { EDIT_CELL, EDIT_VALUE, EDIT_HEAD, EDIT_COUNT };

/* ---- keys ---- */

const char *scenario_key(int key)
{
	static const char *const before[] = { "qkv", "title", "tokens", "query-tokens", "key-tokens" };
	static const char *const after[] = { "random", "heads", "d-k", "part", "set", "edits" };

	if (key < KEY_ARRAY)
		return before[key];
	return key < KEY_RANDOM ? array_name((enum array)(key - KEY_ARRAY)) : after[key - KEY_RANDOM];
}

const char *scenario_random_key(int key)
{
	static const char *const name[] = { "seed", "n", "n-q", "n-k", "d-k", "d-v", "heads", "d-model", "skip" };
	return name[key];
}

static const char *edit_key(int key)
{
	static const char *const name[] = { "cell", "value", "head" };
	return name[key];
}

/* A key that people expect, and what to use instead. */
static const char *refusal(const char *key)
{
	return strcmp(key, "file") ? NULL : "tensor files are not read by this version; "
	       "the numbers are given as q, k, v, or scores, or x, w-q, w-k, w-v, or weights, or random";
}

/* ---- tokens ---- */

static enum status fail_token(struct document *d, const char *name, struct mark list)
{
	if (complaint_cut(d, list, d->here))
		return d->error.status;
	return node_fail(d, E_SYNTAX, "%s: %s where a text is expected; put the token in quotes", name, node_found(d));
}

static enum status read_tokens(struct reader *r, struct tokens *t, const char *name)
{
	struct document *d = r->d;
	struct mark list = d->here;
	enum status s = node_expect(d, NODE_LIST, name, "a list of texts", "[\"a\", \"b\"]");

	r->s.tokens_mark = list;
	while (!s && !(s = node_next(d)) && d->node != NODE_END) {
		if (d->node != NODE_VALUE || node_is_null(d))
			return fail_token(d, name, list);
		if (t->n == SIZE_LIMIT)
			return node_fail(d, E_LIMIT, "%s: more than %d", name, SIZE_LIMIT);
		s = tokens_add(t, d->text, d->length, &d->error);
	}
	if (!s && !t->n)
		s = document_fail(d, list, E_SHAPE, "%s: an empty list; one text at least is expected", name);
	return s;
}

static enum status read_shared_tokens(struct reader *r)
{
	enum status s = read_tokens(r, &r->s.query_tokens, "tokens");

	r->s.tokens_shared = true;
	return s ? s : tokens_copy(&r->s.key_tokens, &r->s.query_tokens, &r->d->error);
}

/* ---- edits ---- */

/* "scores 0:1" */
static enum status read_cell(struct document *d, struct edit *edit)
{
	char shown[YAML_CLIP_SIZE];
	const char *p = NULL;
	enum status s = node_expect_value(d, "cell", "an array, row and column such as \"scores 0:1\"");

	if (s)
		return s;
	for (int a = 0; a < ARRAY_COUNT && !p; a++) {
		size_t n = strlen(array_name((enum array)a));
		if (!strncmp(d->text, array_name((enum array)a), n) && d->text[n] == ' ') {
			edit->array = (enum array)a;
			p = d->text + n + strspn(d->text + n, " ");
		}
	}
	if (p && value_digits(&p, SIZE_LIMIT, &edit->row) && *p++ == ':' &&
	    value_digits(&p, SIZE_LIMIT, &edit->column) && !*p)
		return OK_STATUS;
	return node_fail(d, E_VALUE, "cell: '%s' is not an array, row and column such as \"scores 0:1\"; "
			 "the arrays are q, k, v, x, w-q, w-k, w-v, w-o, scores, weights", node_clip(d, shown));
}

static enum status add_edit(struct reader *r, const struct placed_edit *edit)
{
	struct edit_list *l = &r->edits;

	if (l->n == l->room) {
		size_t room = l->room ? l->room * 2 : 16;
		struct placed_edit *v = realloc(l->v, room * sizeof *v);
		if (!v)
			return document_fail(r->d, edit->mark, E_MEMORY, "edits: no memory for %zu", room);
		l->v = v;
		l->room = room;
	}
	l->v[l->n++] = *edit;
	return OK_STATUS;
}

static enum status read_edit(struct reader *r)
{
	struct map m = { .what = "an edit", .name = edit_key, .n = EDIT_COUNT };
	struct placed_edit edit = { .mark = r->d->here };
	struct mark start = r->d->here;
	uint64_t head = 0;
	enum status s = map_open(r->d, &m, "{cell: \"scores 0:1\", value: 2.5}");

	while (!s && !(s = map_next(r->d, &m)) && m.key >= 0) {
		if (m.key == EDIT_CELL)
			s = read_cell(r->d, &edit.edit);
		else if (m.key == EDIT_VALUE)
			s = value_number(r->d, "value", &edit.edit.value);
		else
			s = value_size(r->d, "head", 0, SIZE_LIMIT, &head);
	}
	if (s)
		return s;
	for (int k = EDIT_CELL; k <= EDIT_VALUE; k++)
		if (!m.seen[k].line)
			return document_fail(r->d, start, E_VALUE, "an edit needs cell and value; %s is missing",
					     edit_key(k));
	edit.mark = m.value[EDIT_CELL];
	edit.edit.head = (size_t)head;
	return add_edit(r, &edit);
}

static enum status read_edits(struct reader *r)
{
	enum status s = node_expect(r->d, NODE_LIST, "edits", "a list", "[{cell: \"scores 0:1\", value: 2.5}]");

	while (!s && !(s = node_next(r->d)) && r->d->node != NODE_END)
		s = read_edit(r);
	return s;
}

/* ---- random input ---- */

static enum status read_random(struct reader *r)
{
	struct map *m = &r->random;
	enum status s = map_open(r->d, m, "{seed: 0, n: 4, d-k: 8}");

	while (!s && !(s = map_next(r->d, m)) && m->key >= 0) {
		if (m->key == RANDOM_SEED)
			s = value_seed(r->d, "seed", &r->s.random.seed);
		else if (m->key == RANDOM_SKIP)
			s = value_size(r->d, "skip", 0, SKIP_LIMIT, &r->random_size[m->key]);
		else
			s = value_size(r->d, scenario_random_key(m->key), 1, SIZE_LIMIT, &r->random_size[m->key]);
	}
	return s;
}

/* ---- which part of a file of arrays it was ---- */

enum part_key { PART_LAYERS, PART_LAYER, PART_BATCHES, PART_BATCH, PART_ROUNDING, PART_BF16, PART_COUNT };

static const char *part_key(int key)
{
	static const char *const name[] = { "layers", "layer", "batches", "batch", "rounding", "bf16" };
	return name[key];
}

static enum status read_part_value(struct reader *r, int key)
{
	struct file_part *part = &r->s.part;
	uint64_t n;
	enum status s;

	if (key == PART_ROUNDING) {
		s = value_number(r->d, "rounding", &part->rounding);
		return s || (part->rounding >= 0 && part->rounding <= 1) ? s
		       : node_fail(r->d, E_VALUE, "rounding: a number from 0 to 1 is expected");
	}
	if ((s = value_size(r->d, part_key(key), key == PART_LAYERS || key == PART_BATCHES, key == PART_BF16 ? 1 : SIZE_LIMIT, &n)))
		return s;
	switch (key) {
	case PART_LAYERS:
		part->layers = (size_t)n;
		break;
	case PART_BATCHES:
		part->batches = (size_t)n;
		break;
	case PART_LAYER:
		part->layer = (long)n;
		break;
	case PART_BF16:
		part->bf16 = n;
		break;
	default:
		part->batch = (long)n;
		break;
	}
	return OK_STATUS;
}

static enum status read_part(struct reader *r)
{
	struct map m = { .what = "part", .name = part_key, .n = PART_COUNT };
	enum status s = map_open(r->d, &m, "{layers: 3, layer: 0, batches: 1, batch: 0}");

	while (!s && !(s = map_next(r->d, &m)) && m.key >= 0)
		s = read_part_value(r, m.key);
	return s;
}

/* ---- the whole file ---- */

static enum status read_version(struct document *d)
{
	char shown[YAML_CLIP_SIZE];
	enum status s = node_expect_value(d, "qkv", "the format version 1");

	if (!s && strcmp(d->text, "1"))
		s = node_fail(d, E_VALUE, "qkv: '%s' is not a format version that this program reads; 1 is expected",
			      node_clip(d, shown));
	return s;
}

static enum status read_count(struct document *d, const char *name, size_t *count)
{
	uint64_t value;
	enum status s = value_size(d, name, 1, SIZE_LIMIT, &value);

	if (!s)
		*count = (size_t)value;
	return s;
}

static enum status read_array(struct reader *r, enum array a)
{
	r->s.array_mark[a] = r->d->here;
	return array_read(r->d, a, &r->s.array[a]);
}

static enum status check_token_keys(struct reader *r)
{
	const struct mark *seen = r->top.seen;
	int other = seen[KEY_QUERY_TOKENS].line ? KEY_QUERY_TOKENS : KEY_KEY_TOKENS;
	int key = r->top.key;

	if (key < KEY_TOKENS || key > KEY_KEY_TOKENS || !seen[KEY_TOKENS].line || !seen[other].line)
		return OK_STATUS;
	return document_fail(r->d, seen[key], E_VALUE, "%s beside %s; either tokens, or query-tokens and key-tokens",
			     scenario_key(key), scenario_key(key == KEY_TOKENS ? other : KEY_TOKENS));
}

static enum status read_value(struct reader *r, int key)
{
	enum status s = check_token_keys(r);

	if (s)
		return s;
	switch (key) {
	case KEY_QKV:
		return read_version(r->d);
	case KEY_TITLE:
		return value_title(r->d, "title", &r->s.title);
	case KEY_TOKENS:
		return read_shared_tokens(r);
	case KEY_QUERY_TOKENS:
		return read_tokens(r, &r->s.query_tokens, "query-tokens");
	case KEY_KEY_TOKENS:
		return read_tokens(r, &r->s.key_tokens, "key-tokens");
	case KEY_RANDOM:
		return read_random(r);
	case KEY_HEADS:
		return read_count(r->d, "heads", &r->split_heads);
	case KEY_D_K:
		return read_count(r->d, "d-k", &r->s.d_k);
	case KEY_PART:
		return read_part(r);
	case KEY_SET:
		return options_read(r->d, "set", &r->s.set, r->s.option_mark);
	case KEY_EDITS:
		return read_edits(r);
	default:
		return read_array(r, (enum array)(key - KEY_ARRAY));
	}
}

static enum status read_file(struct reader *r)
{
	struct map *m = &r->top;
	enum status s = map_open(r->d, m, "'qkv: 1'");

	while (!s && !(s = map_next(r->d, m)) && m->key >= 0)
		s = read_value(r, m->key);
	if (s || (s = document_end(r->d)))
		return s;
	if (!m->seen[KEY_QKV].line)
		return document_fail(r->d, (struct mark){ 1, 1 }, E_VALUE,
				     "the key qkv is missing; 'qkv: 1' is expected");
	return scenario_check(r);
}

/* "dir/name.yaml" -> "name" */
static enum status init_scenario(struct scenario *s, const char *file, struct error *e)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
	size_t n = strlen(base);
	enum status status;

	if (n > 5 && !strcmp(base + n - 5, ".yaml"))
		n -= 5;
	else if (n > 4 && !strcmp(base + n - 4, ".yml"))
		n -= 4;
	char *name = strndup(base, n);
	if (!name)
		return error_set(e, E_MEMORY, "no memory for a name");
	status = scenario_init(s, name, e);
	free(name);
	return status;
}

static enum status read_scenario(struct reader *r)
{
	enum status s = init_scenario(&r->s, r->d->file, &r->d->error);

	if (s)
		return s;
	if ((s = read_file(r)))
		scenario_free(&r->s);
	free(r->edits.v);
	return s;
}

enum status scenario_parse(struct scenario *s, const void *bytes, size_t size,
			   const char *file_name, struct error *e)
{
	struct document d;
	struct reader r = {
		.d = &d,
		.top = { .what = "a scenario", .name = scenario_key, .n = KEY_COUNT, .refusal = refusal },
		.random = { .what = "random", .name = scenario_random_key, .n = RANDOM_COUNT },
	};
	enum status status = document_open(&d, bytes, size, file_name, "'qkv: 1' and an input are");

	if (!status)
		status = read_scenario(&r);
	document_close(&d);
	if (status)
		return document_error(&d, status, e);
	*s = r.s;
	return OK_STATUS;
}
