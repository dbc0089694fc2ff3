/* present.c - before an audience: the key is told, q wants a second press, Ctrl-Z undoes. */
#include "tui/present.h"

#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "tui/spoken.h"
#include "tui/state.h"
#include "tui/text.h"

void present_turn(struct state *s, bool on)
{
	s->present.on = s->present.spotlight = on;
	s->present.asked = s->present.leaving = false;
}

/* ---- what was pressed ---- */

/* "<Down>" is Down, "<C-r>" Ctrl-R, "<lt>" <. */
static void key_for_people(const struct key *k, char *out, size_t size)
{
	char text[KEY_TEXT_SIZE];
	size_t n;

	if (k->kind == KEY_CHARACTER && k->modifiers == MOD_CONTROL && k->code >= 'a' && k->code <= 'z') {
		snprintf(out, size, "Ctrl-%c", (int)(k->code - 'a' + 'A'));
		return;
	}
	key_format(k, text);
	n = strlen(text);
	if (!strcmp(text, "<lt>") || !strcmp(text, "<gt>"))
		snprintf(out, size, "%s", text[1] == 'l' ? "<" : ">");
	else if (n > 2 && *text == '<')
		snprintf(out, size, "%.*s", (int)n - 2, text + 1);
	else
		snprintf(out, size, "%s", text);
}

/* Bytes of whole characters, so many at most. */
static int whole(const char *text, size_t most)
{
	size_t n = 0, length = strlen(text);

	while (n < length) {
		size_t next = text_next(text, length, n);
		if (next > most)
			break;
		n = next;
	}
	return (int)n;
}

/* The line is about to be done. */
static void remember_line(struct presenting *p, const struct prompt *prompt)
{
	const char *text = prompt->text + strspn(prompt->text, " ");
	size_t word = strcspn(text, " ");
	int length = whole(text, 100);

	switch (prompt->kind) {
	case PROMPT_COMMAND:
		snprintf(p->pressed, sizeof p->pressed, ":%.*s", length, text);
		snprintf(p->by, sizeof p->by, ":%.*s", (int)(word < 20 ? word : 20), text);
		break;
	case PROMPT_FIND:
		snprintf(p->pressed, sizeof p->pressed, "/%.*s", length, text);
		snprintf(p->by, sizeof p->by, "/");
		break;
	default:
		snprintf(p->pressed, sizeof p->pressed, "Enter %.*s", length, text);
		snprintf(p->by, sizeof p->by, "<Enter>");
		break;
	}
}

static void remember_key(struct state *s, const struct key *k)
{
	struct presenting *p = &s->present;
	bool digit = (s->mode == MODE_MARK || s->mode == MODE_RECALL) && k->kind == KEY_CHARACTER;

	if (digit) {			/* M1 is one */
		char text[KEY_TEXT_SIZE];
		key_format(k, text);
		snprintf(p->by, sizeof p->by, "%c%.20s", s->mode == MODE_MARK ? 'M' : '\'', text);
		snprintf(p->pressed, sizeof p->pressed, "%s", p->by);
	} else if (k->kind == KEY_CLICK || k->kind == KEY_WHEEL) {
		snprintf(p->by, sizeof p->by, k->kind == KEY_CLICK ? "click" : "wheel");
		snprintf(p->pressed, sizeof p->pressed, "%s", k->kind == KEY_CLICK ? _("click") : _("wheel"));
	} else {
		key_format(k, p->by);
		key_for_people(k, p->pressed, sizeof p->pressed);
	}
}

void present_before(struct state *s, const struct key *k)
{
	struct presenting *p = &s->present;
	struct key taken[5];
	bool returns = k->kind == KEY_NAMED && k->code == KEY_RETURN, escapes = k->kind == KEY_NAMED && k->code == KEY_ESCAPE;

	p->asked = p->leaving;
	p->leaving = false;
	p->said = s->said;
	if (s->mode != MODE_PROMPT || escapes)
		remember_key(s, key_from_hangul(k, taken) == 1 ? &taken[0] : k);
	else if (returns)
		remember_line(p, &s->prompt);
}

/* Only the grid has a place for it. */
void present_after(struct state *s)
{
	struct buffer where = { 0 };

	if (!s->present.on || s->said != s->present.said || s->mode != panel_mode(s))
		return;
	spoken_cell(s, &where);
	if (where.data)
		state_say(s, false, "%s: %s", s->present.by, where.data);
	buffer_free(&where);
}

const char *present_sentence(const struct state *s)
{
	size_t n = strlen(s->present.by);

	if (s->said == s->present.said)
		return "";
	return n && !strncmp(s->sentence, s->present.by, n) && !strncmp(s->sentence + n, ": ", 2) ? s->sentence + n + 2
												 : s->sentence;
}

/* ---- keys that mean something else ---- */

enum command present_instead(const struct state *s, enum command c)
{
	return s->present.on && c == CMD_SUSPEND ? CMD_UNDO : c;
}

bool present_may_quit(struct state *s, const char *by)
{
	if (!s->present.on || *by == ':' || s->present.asked)
		return true;
	s->present.leaving = true;
	state_say(s, false, "%s: q again leaves; any other key stays", by);
	return false;
}
