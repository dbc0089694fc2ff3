/* keymap.c - which key runs which command, and the user's own choice. */
#include "tui/keymap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct binding *find(const struct keymap *m, const struct key *k)
{
	for (size_t i = 0; i < m->n; i++)
		if (key_equal(&m->v[i].key, k))
			return &m->v[i];
	return NULL;
}

enum command keymap_find(const struct keymap *m, const struct key *k)
{
	const struct binding *b = find(m, k);
	return b ? b->command : CMD_COUNT;
}

const char *keymap_line(const struct keymap *m, const struct key *k)
{
	const struct binding *b = find(m, k);
	return b ? b->line : NULL;
}

/* Takes the line over, which may be NULL. */
static enum status bind_key(struct keymap *m, const struct key *k, enum command c, char *line, struct error *e)
{
	struct binding *b = find(m, k);

	if (b) {
		free(b->line);
		b->command = c;
		b->line = line;
		return OK_STATUS;
	}
	if (m->n == m->capacity) {
		size_t wanted = m->capacity ? 2 * m->capacity : 128;
		struct binding *v = realloc(m->v, wanted * sizeof *v);
		if (!v) {
			free(line);
			return error_set(e, E_MEMORY, "no memory for the key map");
		}
		m->v = v;
		m->capacity = wanted;
	}
	m->v[m->n++] = (struct binding){ *k, c, line };
	return OK_STATUS;
}

enum status keymap_bind(struct keymap *m, const struct key *k, enum command c, struct error *e)
{
	return bind_key(m, k, c, NULL, e);
}

enum status keymap_bind_line(struct keymap *m, const struct key *k, const char *line, struct error *e)
{
	char *copy = strdup(line);

	return copy ? bind_key(m, k, CMD_COUNT, copy, e) : error_set(e, E_MEMORY, "no memory for the key map");
}

enum status keymap_init(struct keymap *m, struct error *e)
{
	struct keymap fresh = { 0 };

	for (int c = 0; c < CMD_COUNT; c++)
		for (const char *p = command_info((enum command)c)->keys; *p; p += *p == ' ') {
			struct key k;
			size_t used = key_parse(p, &k);
			enum status s = used ? keymap_bind(&fresh, &k, (enum command)c, e)
					     : error_set(e, E_VALUE, "'%s' is not a key", p);
			if (s) {
				keymap_free(&fresh);
				return s;
			}
			p += used;
		}
	*m = fresh;
	return OK_STATUS;
}

void keymap_free(struct keymap *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->v[i].line);
	free(m->v);
	*m = (struct keymap){ 0 };
}

void keymap_keys(const struct keymap *m, enum command c, struct buffer *out)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].command == c) {
			char text[KEY_TEXT_SIZE];
			key_format(&m->v[i].key, text);
			buffer_format(out, "%s%s", out->size ? " " : "", text);
		}
}

/* ---- the configuration file ---- */

struct line {
	const char *file;
	unsigned number;
	char *start, *at;	/* start: for columns */
};

/* The next word, ended in place; NULL at the end of the line or at a comment.
 * Where a key is expected, a # alone is that key. */
static char *next_word(struct line *l, bool is_key, unsigned *column)
{
	l->at += strspn(l->at, " \t");
	*column = (unsigned)(l->at - l->start) + 1;
	char *word = l->at;
	size_t n = strcspn(word, " \t");
	if (!n || (*word == '#' && !(is_key && n == 1)))
		return NULL;
	l->at += n;
	if (*l->at)
		*l->at++ = '\0';
	return word;
}

/* What `:` runs: its first word is a command, or an option. */
static bool can_be_typed(const char *line)
{
	char name[64];
	size_t n = strcspn(line, " \t");

	snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : 0), line);
	return !strcmp(name, "q") || command_find(name) < CMD_COUNT || option_find(name) < OPT_COUNT;
}

/* The rest of the line, from its `:` on; a # in it is part of it. */
static enum status map_typed(struct keymap *m, const struct key *k, struct line *l, struct error *e)
{
	char *text = l->at + strspn(l->at, " \t") + 1;

	text += strspn(text, " \t");
	for (size_t n = strlen(text); n && (text[n - 1] == ' ' || text[n - 1] == '\t');)
		text[--n] = '\0';
	if (!can_be_typed(text))
		return error_at(e, E_SYNTAX, l->file, l->number, (unsigned)(text - l->start) + 1,
				"':%s' is neither a command nor an option", text);
	l->at = text + strlen(text);
	return keymap_bind_line(m, k, text, e);
}

/* A command without keys of its own takes an argument, and only a line has one. */
static enum status not_for_keys(const struct line *l, unsigned column, const char *name, struct error *e)
{
	bool typed = command_find(name) < CMD_COUNT || option_find(name) < OPT_COUNT;

	return error_at(e, E_SYNTAX, l->file, l->number, column,
			"'%s' is not a command that a key can run; %s%s%s", name,
			typed ? "with an argument it can be typed: map KEY :" : "the help (?) names them",
			typed ? name : "", typed ? " ..." : "");
}

static enum status map_line(struct keymap *m, struct line *l, struct error *e)
{
	unsigned key_column, name_column;
	struct key k;

	const char *key = next_word(l, true, &key_column);
	if (!key || key_parse(key, &k) != strlen(key))
		return error_at(e, E_SYNTAX, l->file, l->number, key_column,
				"'%s' is not a key; expected one like c, G, <Up> or <C-r>", key ? key : "");
	if (l->at[strspn(l->at, " \t")] == ':')
		return map_typed(m, &k, l, e);
	const char *name = next_word(l, false, &name_column);
	if (!name)
		return error_at(e, E_SYNTAX, l->file, l->number, name_column, "a command is expected after the key");
	enum command c = command_find(name);
	if (c == CMD_COUNT || *command_info(c)->keys == '\0')
		return not_for_keys(l, name_column, name, e);
	return keymap_bind(m, &k, c, e);
}

/* Cells, keys, sizes and seeds are those of one input. */
static bool belongs_to_input(enum option o)
{
	const struct option_info *info = option_info(o);

	return info->group == GROUP_INPUT || info->type == TYPE_INDICES || info->type == TYPE_IDS || info->type == TYPE_CELLS;
}

static enum status set_line(struct options *o, struct line *l, struct error *e)
{
	unsigned name_column, value_column;
	const char *name = next_word(l, false, &name_column);

	if (!name || option_find(name) == OPT_COUNT)
		return error_at(e, E_SYNTAX, l->file, l->number, name_column, "'%s' is not an option", name ? name : "");
	if (belongs_to_input(option_find(name)))
		return error_at(e, E_SYNTAX, l->file, l->number, name_column,
				"'%s' belongs to a scenario or the command line", name);
	const char *value = next_word(l, false, &value_column);
	if (!value)
		value = "on";
	enum status s = option_set(o, option_find(name), value, e);
	return s ? error_at(e, s, l->file, l->number, value_column, "%s: '%s' is not one of: %s", name, value,
			    option_info(option_find(name))->values) : s;
}

static enum status configure_line(struct keymap *m, struct options *o, struct line *l, struct error *e)
{
	unsigned column;
	enum status s;
	const char *word = next_word(l, false, &column), *rest;

	if (!word)
		return OK_STATUS;
	if (!strcmp(word, "map"))
		s = map_line(m, l, e);
	else if (!strcmp(word, "set"))
		s = set_line(o, l, e);
	else
		return error_at(e, E_SYNTAX, l->file, l->number, column, "'%s' is neither map nor set", word);
	if (!s && (rest = next_word(l, false, &column)))
		return error_at(e, E_SYNTAX, l->file, l->number, column, "'%s' is one word too many", rest);
	return s;
}

static enum status copy_map(struct keymap *to, const struct keymap *from, struct error *e)
{
	*to = (struct keymap){ 0 };
	for (size_t i = 0; i < from->n; i++) {
		const struct binding *b = &from->v[i];
		enum status s = b->line ? keymap_bind_line(to, &b->key, b->line, e) : keymap_bind(to, &b->key, b->command, e);
		if (s) {
			keymap_free(to);
			return s;
		}
	}
	return OK_STATUS;
}

enum status keymap_configure(struct keymap *m, struct options *o, const char *text, size_t size,
			     const char *file, struct error *e)
{
	struct keymap map;
	struct options options;
	enum status s;

	if ((s = copy_map(&map, m, e)))
		return s;
	if ((s = options_copy(&options, o, e))) {
		keymap_free(&map);
		return s;
	}
	unsigned number = 1;
	for (const char *p = text, *end = text + size; p < end && !s; number++) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((newline ? newline : end) - p);
		char *copy = strndup(p, n);
		if (!copy) {
			s = error_set(e, E_MEMORY, "no memory for a line");
			break;
		}
		copy[strcspn(copy, "\r")] = '\0';
		struct line l = { file, number, copy, copy };
		s = configure_line(&map, &options, &l, e);
		free(copy);
		p += n + 1;
	}
	keymap_free(s ? &map : m);
	options_free(s ? &options : o);
	if (!s) {
		*m = map;
		*o = options;
	}
	return s;
}
