/* prompt.c - the line that is typed: editing, history, completion. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bug.h"
#include "core/message.h"
#include "core/utf8.h"
#include "tui/live_dock.h"
#include "tui/state.h"
#include "tui/text.h"

enum { LINE_LIMIT = 65536, HISTORY_LINES = 500 };

void prompt_free(struct prompt *p)
{
	free(p->text);
	free(p->stem);
	*p = (struct prompt){ 0 };
}

static bool put_text(struct prompt *p, const char *text, size_t n)
{
	if (p->length + n > LINE_LIMIT)
		return false;
	if (p->length + n + 1 > p->capacity) {
		size_t wanted = 2 * (p->length + n + 1);
		char *grown = realloc(p->text, wanted);
		if (!grown)
			return false;
		p->text = grown;
		p->capacity = wanted;
	}
	memmove(p->text + p->cursor + n, p->text + p->cursor, p->length - p->cursor);
	memcpy(p->text + p->cursor, text, n);
	p->cursor += n;
	p->length += n;
	p->text[p->length] = '\0';
	return true;
}

static void erase(struct prompt *p, size_t from, size_t to)
{
	memmove(p->text + from, p->text + to, p->length - to);
	p->length -= to - from;
	p->cursor = from;
	p->text[p->length] = '\0';
}

static void replace_all(struct prompt *p, const char *text)
{
	erase(p, 0, p->length);
	put_text(p, text, strlen(text));
}

void prompt_open(struct state *s, enum prompt_kind kind, const char *text)
{
	prompt_free(&s->prompt);
	s->prompt.kind = kind;
	s->prompt.recall = s->lines_n;
	s->prompt.selected = kind == PROMPT_VALUE;
	if (put_text(&s->prompt, text, strlen(text)))
		s->mode = MODE_PROMPT;
}

/* Pasted text goes in as it is, but for what would not be one line. */
static void paste(struct prompt *p, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c == '\n' || c == '\r' || c == '\t')
			put_text(p, " ", 1);
		else if (c >= 0x20 && c != 0x7f)
			put_text(p, text + i, 1);
	}
}

/* ---- history of `:` ---- */

static void remember(struct state *s, const char *line)
{
	char *copy;
	char **v;

	if (!*line || (s->lines_n && !strcmp(s->lines[s->lines_n - 1], line)))
		return;
	if (s->lines_n == HISTORY_LINES) {
		free(s->lines[0]);
		memmove(s->lines, s->lines + 1, --s->lines_n * sizeof *s->lines);
	}
	copy = strdup(line);
	v = realloc(s->lines, (s->lines_n + 1) * sizeof *v);
	if (v)
		s->lines = v;
	if (!v || !copy) {
		free(copy);
		return;
	}
	s->lines[s->lines_n++] = copy;
}

static void recall_line(struct state *s, int step)
{
	struct prompt *p = &s->prompt;

	if (p->kind != PROMPT_COMMAND || (step < 0 ? p->recall == 0 : p->recall >= s->lines_n))
		return;
	p->recall += (size_t)step;
	replace_all(p, p->recall < s->lines_n ? s->lines[p->recall] : "");
}

/* ---- completion ---- */

/* The k-th thing that may stand where the last word is, or NULL when k is past all. It
 * is valid until the next. */
static const char *candidate(struct state *s, const char *first, const char *word, size_t words, size_t k)
{
	enum option o = option_find(first);

	if (words == 1) {
		if (k < CMD_COUNT)
			return command_info((enum command)k)->name;
		k -= CMD_COUNT;
		return k < OPT_COUNT ? option_info((enum option)k)->name : NULL;
	}
	if (words == 2 && !strcmp(first, "set"))
		return k < OPT_COUNT ? option_info((enum option)k)->name : NULL;
	if (words == 2 && (!strcmp(first, "w") || !strcmp(first, "w!")))
		return state_write_name(s, k, word, s->prompt.offered, sizeof s->prompt.offered) ? s->prompt.offered : NULL;
	if (words == 2 && !strcmp(first, "o"))
		return k < s->ports.builtin_count() ? s->ports.builtin_name(k) : NULL;
	if (words == 2 && !strcmp(first, "clinic"))
		return k < clinics_count ? clinics[k].name : NULL;
	if (words == 2 && o == OPT_LANG)
		return k == 0 ? "auto" : message_language(k - 1);
	if (words == 2 && !strcmp(first, "lesson") && s->ports.lesson_count)
		return k < s->ports.lesson_count() ? s->ports.lesson_name(k) : NULL;
	if (words == 2 && o < OPT_COUNT && option_info(o)->type == TYPE_SWITCH)
		return k == 0 ? "on" : k == 1 ? "off" : NULL;
	if (words == 2 && o == OPT_BUG)
		return k < bugs_count ? bugs[k].name : NULL;
	if (words == 2 && o < OPT_COUNT && option_info(o)->words) {
		for (size_t i = 0; i <= k; i++)
			if (!option_info(o)->words[i])
				return NULL;
		return option_info(o)->words[k];
	}
	return NULL;
}

/* Puts the n-th candidate that begins like the last word of the stem. */
static void complete(struct state *s)
{
	struct prompt *p = &s->prompt;
	char first[64];
	size_t words = 1, matches = 0, start = 0;

	if (p->kind != PROMPT_COMMAND)
		return;
	if (!p->completion++) {
		free(p->stem);
		p->stem = strdup(p->text);
	}
	if (!p->stem)
		return;
	for (size_t i = 0; p->stem[i]; i++)
		if (p->stem[i] == ' ') {
			words += start != i + 1;
			start = i + 1;
		}
	const char *argument = p->stem;
	if (words == 3 && !strncmp(p->stem, "set ", 4)) {	/* `set X v` completes as `X v` */
		argument += 4;
		words = 2;
	}
	snprintf(first, sizeof first, "%.*s", (int)strcspn(argument, " "), argument);
	const char *word = p->stem + start;
	for (int pass = 0; pass < 2; pass++) {
		const char *c;
		size_t wanted = pass && matches ? (p->completion - 1) % matches : (size_t)-1, found = 0;
		for (size_t k = 0; (c = candidate(s, first, word, words, k)); k++) {
			if (strncmp(c, word, strlen(word)))
				continue;
			if (pass && found == wanted) {
				replace_all(p, p->stem);
				erase(p, start, p->length);
				put_text(p, c, strlen(c));
				return;
			}
			found++;
		}
		matches = found;
	}
	state_say(s, false, "nothing begins with '%s'", word);
}

/* ---- what a finished line does ---- */

unsigned prompt_run(struct state *s, const char *line)
{
	char name[64], by[72];
	const char *rest = line + strcspn(line, " \t");
	enum command c;

	snprintf(name, sizeof name, "%.*s", (int)(rest - line), line);
	rest += strspn(rest, " \t");
	snprintf(by, sizeof by, ":%s", name);
	if (!strcmp(name, "q"))
		return state_do(s, CMD_QUIT, "", by);
	c = command_find(name);
	if (c < CMD_COUNT)
		return state_do(s, c, rest, by);
	if (option_find(name) < OPT_COUNT) {
		state_set_option(s, option_find(name), *rest ? rest : "on", by);
		state_settle(s);
	} else {
		state_say(s, true, "%s: neither a command nor an option; Tab completes, ? has them all", by);
	}
	return 0;
}

static unsigned finish(struct state *s)
{
	struct prompt *p = &s->prompt;
	char *line = strdup(p->text + strspn(p->text, " "));
	unsigned effects = 0;

	s->mode = panel_mode(s);
	if (!line)
		return 0;
	for (size_t n = strlen(line); n && line[n - 1] == ' ';)
		line[--n] = '\0';
	if (p->kind == PROMPT_COMMAND && *line) {
		remember(s, line);
		effects = prompt_run(s, line);
	} else if (p->kind == PROMPT_FIND && *line) {
		effects = state_do(s, CMD_FIND, line, "/");
	} else if (p->kind == PROMPT_LIVE) {	/* in force already */
		state_settle(s);
	} else if (p->kind == PROMPT_VALUE && *line && panel_typed(s, line)) {
		state_settle(s);
	} else if (p->kind == PROMPT_VALUE && *line) {
		effects = state_do(s, CMD_EDIT, line, "<Enter>");
	}
	free(line);
	return effects;
}

/* ---- keys ---- */

static void delete_word(struct prompt *p)
{
	size_t at = p->cursor;

	while (at && p->text[at - 1] == ' ')
		at--;
	while (at && p->text[at - 1] != ' ')
		at--;
	size_t end = p->cursor;
	erase(p, at, end);
}

static unsigned control_key(struct state *s, uint32_t code)
{
	struct prompt *p = &s->prompt;

	switch (code) {
	case 'c':
		return EFFECT_INTERRUPT;
	case 'z':
		return EFFECT_SUSPEND;
	case 'l':
		return EFFECT_REDRAW;
	case 'g':
		s->mode = panel_mode(s);
		break;
	case 'u':
		erase(p, 0, p->cursor);
		break;
	case 'k':
		erase(p, p->cursor, p->length);
		break;
	case 'w':
		delete_word(p);
		break;
	case 'a':
		p->cursor = 0;
		break;
	case 'e':
		p->cursor = p->length;
		break;
	case 'h':
		if (p->cursor)
			erase(p, text_previous(p->text, p->length, p->cursor), p->cursor);
		break;
	default:
		break;
	}
	return 0;
}

static unsigned named_key(struct state *s, uint32_t code)
{
	struct prompt *p = &s->prompt;

	switch (code) {
	case KEY_RETURN:
		return finish(s);
	case KEY_ESCAPE:
		s->mode = panel_mode(s);
		break;
	case KEY_BACK:
		if (p->cursor)
			erase(p, text_previous(p->text, p->length, p->cursor), p->cursor);
		else if (!p->length)
			s->mode = panel_mode(s);
		break;
	case KEY_REMOVE:
		if (p->cursor < p->length)
			erase(p, p->cursor, text_next(p->text, p->length, p->cursor));
		break;
	case KEY_LEFT_ARROW:
		p->cursor = text_previous(p->text, p->length, p->cursor);
		break;
	case KEY_RIGHT_ARROW:
		p->cursor = text_next(p->text, p->length, p->cursor);
		break;
	case KEY_HOME_:
		p->cursor = 0;
		break;
	case KEY_END_:
		p->cursor = p->length;
		break;
	case KEY_UP_ARROW:
		recall_line(s, -1);
		break;
	case KEY_DOWN_ARROW:
		recall_line(s, 1);
		break;
	case KEY_TABULATOR:
		complete(s);
		break;
	default:
		break;
	}
	return 0;
}

static unsigned edit_key(struct state *s, const struct key *k)
{
	struct prompt *p = &s->prompt;
	char bytes[4];

	if (!(k->kind == KEY_NAMED && k->code == KEY_TABULATOR))
		p->completion = 0;
	/* A new value is typed over the old one; any other key keeps it for editing. */
	bool types = k->kind == KEY_PASTE || (k->kind == KEY_CHARACTER && !k->modifiers);
	bool erases = k->kind == KEY_NAMED && (k->code == KEY_BACK || k->code == KEY_REMOVE);
	bool was_selected = p->selected;
	p->selected = false;
	if (was_selected && (types || erases))
		erase(p, 0, p->length);
	if (was_selected && erases)
		return 0;
	if (k->kind == KEY_PASTE)
		paste(p, k->text, k->length);
	else if (k->kind == KEY_NAMED)
		return named_key(s, k->code);
	else if (k->kind == KEY_CHARACTER && k->modifiers & MOD_CONTROL)
		return control_key(s, k->code);
	else if (k->kind == KEY_CHARACTER && !k->modifiers && k->code >= 0x20)
		put_text(p, bytes, utf8_encode(k->code, bytes));
	return 0;
}

unsigned prompt_key(struct state *s, const struct key *k)
{
	bool live = s->prompt.kind == PROMPT_LIVE;
	unsigned effects = edit_key(s, k);

	if (live)
		live_typed(s, k);
	return effects;
}
