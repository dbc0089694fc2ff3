/* live_text.c - the text of a language model, edited in place on the screen. */
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "tui/action.h"
#include "tui/live_dock.h"
#include "tui/live_input.h"
#include "tui/text.h"

/* ---- positions that are gone ---- */

static void trim_list(struct list *l, size_t step, long n)
{
	size_t kept = 0;

	for (size_t k = 0; k < l->n; k += step) {
		bool fits = l->v[k] < n && l->v[k + step - 1] < n;
		for (size_t i = 0; fits && i < step; i++)
			l->v[kept++] = l->v[k + i];
	}
	l->n = kept;
}

static void trim_options(struct options *o, size_t n)
{
	trim_list(&o->pad, 1, (long)n);
	trim_list(&o->hide, 2, (long)n);
	trim_list(&o->keep, 2, (long)n);
	if (o->documents.n != n)		/* one a position, or none */
		o->documents.n = 0;
}

struct pads live_pads(const struct live_point *p, size_t tokens)
{
	return (struct pads){ .first = p->pad_left ? 0 : tokens, .n = p->pad_left + p->pad_right };
}

void live_pads_text(const struct pads *p, struct buffer *out)
{
	if (!p->n)
		buffer_text(out, "none");
	else if (p->n == 1)
		buffer_format(out, "%zu", p->first);
	else
		buffer_format(out, "%zu-%zu", p->first, p->first + p->n - 1);
}

bool live_pads_are(const struct pads *p, const struct list *pad)
{
	bool are = p->n && pad->n == p->n;

	for (size_t k = 0; are && k < p->n; k++)
		are = list_has(pad, (long)(p->first + k));
	return are;
}

/* A list of other positions than those of [PAD] is of the text, and stays. */
static enum status move_pad(struct options *o, const struct pads *before, const struct pads *now, struct error *e)
{
	struct buffer list = { 0 };

	if (!live_pads_are(before, &o->pad))
		return OK_STATUS;
	live_pads_text(now, &list);
	enum status s = list.failed ? error_set(e, E_MEMORY, "no memory for options") : option_set(o, OPT_PAD, list.data, e);
	buffer_free(&list);
	return s;
}

static enum status count_tokens(const struct state *s, const struct live_point *p, size_t *n, struct error *e)
{
	struct model_text t;
	enum status status = model_text_init(&t, &s->live->live.model, p->text, strlen(p->text), e);

	if (status)
		return status;
	*n = t.n;
	model_text_free(&t);
	return OK_STATUS;
}

enum status live_dock_trim(const struct state *s, const struct live_point *from, struct snapshot *next, struct error *e)
{
	const struct live_point *p = next->live;
	struct pads before = { 0 };
	enum status status;
	size_t n = 0, other = 0;

	if ((status = count_tokens(s, p, &n, e)) || (from && (status = count_tokens(s, from, &other, e))))
		return status;
	if (from)
		before = live_pads(from, other);
	const struct pads now = live_pads(p, n);
	if ((status = move_pad(&next->options, &before, &now, e)) || (p->carried && (status = move_pad(p->carried, &before, &now, e))))
		return status;
	trim_options(&next->options, n + now.n);
	if (p->carried)
		trim_options(p->carried, n + now.n);
	return OK_STATUS;
}

/* ---- another text ---- */

/* Numbers that were edited were those of another text. */
static enum status with_text(const struct state *s, const char *nfc, struct snapshot *next, struct error *e)
{
	enum status status = snapshot_copy(next, &s->now, e);

	if (status || (status = live_point_put(&next->live->text, nfc, e)))
		return status;
	edits_free(&next->edits);
	return live_dock_trim(s, s->now.live, next, e);
}

/* same: as a part of the change before. */
static bool set_text(struct state *s, const char *nfc, bool same, const char *by)
{
	struct snapshot next = { 0 };
	struct error e = { 0 };

	if (with_text(s, nfc, &next, &e) || (same ? state_adopt_same : state_adopt)(s, &next, &e)) {
		act_say_error(s, by, &e);
		snapshot_free(&next);
		return false;
	}
	return true;
}

static size_t characters(const char *text, size_t length)
{
	size_t n = 0;

	for (size_t at = 0; at < length; n++) {
		int32_t code;
		at += text_decode(text + at, length - at, &code);
	}
	return n;
}

/* The row of the character before the text's cursor, whose next one is told. */
static void follow_cursor(struct state *s)
{
	const struct prompt *p = &s->prompt;

	s->row = s->now.live->pad_left + characters(p->text, p->cursor);
	if (s->row > s->live->live.text.last)
		s->row = s->live->live.text.last;
	state_settle(s);
}

/* ---- typing ---- */

static void edit_text(struct state *s, const char *by)
{
	prompt_open(s, PROMPT_LIVE, s->now.live->text);
	s->live->typing = TYPING_NOT;
	state_say(s, false, "%s: the text is typed; each key shows what it does, Esc or Enter ends that", by);
	follow_cursor(s);
}

/* The line becomes what is in force, with the cursor behind the same text. */
static void take_back(struct state *s, const char *before)
{
	struct prompt *p = &s->prompt;
	size_t cursor = strlen(before);
	const char *text = s->now.live->text;

	if (!strcmp(p->text, text))
		return;
	prompt_open(s, PROMPT_LIVE, text);
	if (cursor < s->prompt.length)
		s->prompt.cursor = cursor;
}

static enum typing typing_of(const struct key *k, bool *word_ends)
{
	*word_ends = k->kind == KEY_CHARACTER && k->code == ' ';
	if (k->kind == KEY_CHARACTER && !k->modifiers)
		return TYPING_IN;
	return k->kind == KEY_NAMED && (k->code == KEY_BACK || k->code == KEY_REMOVE) ? TYPING_OUT : TYPING_NOT;
}

/* Letters of a word, or those taken away one after the other, are one change. */
static void take_text(struct state *s, const struct key *k, const char *nfc, const char *before)
{
	struct live_dock *d = s->live;
	bool word_ends;
	enum typing kind = typing_of(k, &word_ends);
	bool same = kind != TYPING_NOT && kind == d->typing;

	if (set_text(s, nfc, same, "text")) {
		size_t n = d->live.text.n;
		d->typing = word_ends ? TYPING_NOT : kind;
		state_say(s, false, n == 1 ? N_("text: %zu token; Esc or Enter ends typing") : N_("text: %zu tokens; Esc or Enter ends typing"), n);
	}
	take_back(s, before);
}

/* Keys that were letters a moment ago act from now on. */
static void say_typed(struct state *s)
{
	struct buffer notice = { 0 };

	if (live_notice(&s->live->live, 0, &notice))
		state_say(s, false, "text: keys are commands again; %s", notice.data ? notice.data : "");
	else
		state_say(s, false, "text: keys are commands again: X text, A apply at, K head off, H heads");
	buffer_free(&notice);
}

void live_typed(struct state *s, const struct key *k)
{
	struct prompt *p = &s->prompt;

	if (!live_shown(s))
		return;
	if (s->mode != MODE_PROMPT) {
		say_typed(s);
		return;
	}
	char *nfc = text_nfc(p->text, p->length), *before = text_nfc(p->text, p->cursor);
	if (!nfc || !before)
		state_say(s, true, "%s", _("no memory for the text"));
	else if (strcmp(nfc, s->now.live->text))
		take_text(s, k, nfc, before);
	else
		s->live->typing = TYPING_NOT;
	free(nfc);
	free(before);
	follow_cursor(s);
}

/* ---- the command ---- */

enum status live_load(struct state *s, const struct live_request *r, struct error *e)
{
	struct live_dock *d = NULL;
	struct scenario sc = { 0 };
	struct options o = { 0 };
	enum status status;

	if (s->live)
		return OK_STATUS;
	if (!s->ports.live)
		return error_set(e, E_VALUE, "there is no language model here");
	if ((status = live_dock_new(&d, s->ports.live, r, e)))
		return status;
	if (!(status = live_scenario(&d->live, 0, &sc, e)) && !(status = state_starting_options(s, &sc.set, &o, e)))
		status = state_add_scenario(s, &sc, &o, &d->slot, e);
	options_free(&o);
	if (status) {
		scenario_free(&sc);
		live_dock_free(d);
		return status;
	}
	s->live = d;
	return OK_STATUS;
}

static enum status begin(struct state *s, const char *text, struct error *e)
{
	const struct live_request r = { .text = text, .tables = s->tables };
	struct snapshot next = { 0 };
	enum status status = live_load(s, &r, e);

	if (status)
		return status;
	next.scenario = s->live->slot;
	if (!(next.live = live_point_new(&r)))
		status = error_set(e, E_MEMORY, "no memory for a text");
	if (!status)
		status = state_starting_options(s, &s->opened[next.scenario]->options, &next.options, e);
	if (!status)
		status = state_adopt(s, &next, e);
	if (status)
		snapshot_free(&next);
	else
		s->column = s->top = s->left = 0;
	return status;
}

void live_say_text(struct state *s, const char *by)
{
	const struct live *l = &s->live->live;
	struct buffer notice = { 0 };
	size_t n = l->text.n;

	if (live_notice(l, 0, &notice))
		state_say(s, false, n == 1 ? N_("%s: %s, %zu token; %s") : N_("%s: %s, %zu tokens; %s"), by, l->name, n,
			  notice.data ? notice.data : "");
	else
		state_say(s, false, n == 1 ? N_("%s: %s, %zu token; X: text, A: where options apply, K: head off, H: heads")
					   : N_("%s: %s, %zu tokens; X: text, A: where options apply, K: head off, H: heads"), by, l->name, n);
	buffer_free(&notice);
}

void live_command_text(struct state *s, const char *text, const char *by)
{
	struct error e = { 0 };
	bool edit = !*text;

	if (!live_shown(s) && begin(s, edit ? live_first_text : text, &e)) {
		act_say_error(s, by, &e);
		return;
	}
	if (!edit) {
		char *nfc = text_nfc(text, strlen(text));
		if (nfc && strcmp(nfc, s->now.live->text) && !set_text(s, nfc, false, by)) {
			free(nfc);
			return;
		}
		free(nfc);
	}
	s->row = s->live->live.text.last;
	live_say_text(s, by);
	if (edit)
		edit_text(s, by);
}
