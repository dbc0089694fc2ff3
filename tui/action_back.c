/* action_back.c - undo, redo, reset, bookmarks. */
#include "tui/action.h"

#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "tui/live_dock.h"

/* Names what differs between two snapshots, for undo's sentence. */
static void difference_text(const struct state *s, const struct snapshot *a, char *out, size_t size)
{
	struct buffer b = { 0 };

	if (a->scenario != s->now.scenario) {
		const struct scenario *before = &s->opened[a->scenario]->scenario, *now = state_scenario(s);
		if (now->part.layers && !strcmp(before->name, now->name))
			snprintf(out, size, _("layer %ld, batch %ld of %s"), now->part.layer, now->part.batch, now->name);
		else
			snprintf(out, size, _("scenario %s"), now->name);
		return;
	}
	live_difference(s, a, &s->now, &b);
	for (int o = 0; o < OPT_COUNT; o++)
		if (!option_same(&a->options, &s->now.options, (enum option)o)) {
			buffer_format(&b, "%s%s ", b.size ? ", " : "", option_info((enum option)o)->name);
			option_text(&s->now.options, (enum option)o, &b);
		}
	if (!edits_equal(&a->edits, &s->now.edits))
		buffer_format(&b, _("%san edit (%zu %s edited now)"), b.size ? ", " : "", s->now.edits.n,
			      s->now.edits.n == 1 ? _("number is") : _("numbers are"));
	snprintf(out, size, "%s", b.data ? b.data : "");
	buffer_free(&b);
}

void act_travel(struct state *s, const struct call *call)
{
	bool back = call->command == CMD_UNDO;
	struct history *from = back ? &s->undo : &s->redo, *to = back ? &s->redo : &s->undo;
	struct error e = { 0 };
	char what[200];

	if (!from->n)
		state_say(s, false, "%s: nothing to %s", call->by, back ? _("undo") : _("redo"));
	else if (!state_travel(s, from, to, &e))
		act_say_error(s, call->by, &e);
	else {
		difference_text(s, &to->v[to->n - 1], what, sizeof what);
		state_say(s, false, "%s: %s: %s", call->by, back ? _("undone") : _("made again"), what);
	}
}

void act_reset(struct state *s, const struct call *call)
{
	struct snapshot next = { .scenario = s->now.scenario };
	const struct opened *one = s->opened[s->now.scenario];
	struct error e = { 0 };
	size_t before = s->undo.n;

	if (options_copy(&next.options, &one->options, &e) || edits_copy(&next.edits, &one->scenario.edits, &e) ||
	    live_dock_reset(s, &next, &e) || state_adopt(s, &next, &e)) {
		act_say_error(s, call->by, &e);
		snapshot_free(&next);
		return;
	}
	state_say(s, false, s->undo.n > before ? N_("%s: %s as it was opened; u brings the changes back")
					       : N_("%s: %s is as it was opened"), call->by, one->scenario.name);
}

void act_mark(struct state *s, const struct call *call)
{
	const char *digit = call->argument;
	struct error e = { 0 };
	struct snapshot copy = { 0 };

	if (!*digit) {
		s->mode = MODE_MARK;
		state_say(s, false, "%s: press 1 to 9 to bookmark this state", call->by);
		return;
	}
	if (digit[0] < '1' || digit[0] > '9' || digit[1]) {
		state_say(s, true, "%s: bookmarks are 1 to 9", call->by);
		return;
	}
	struct bookmark *b = &s->bookmark[digit[0] - '1'];
	if (snapshot_copy(&copy, &s->now, &e)) {
		act_say_error(s, call->by, &e);
		return;
	}
	snapshot_free(&b->snapshot);
	*b = (struct bookmark){ true, copy, s->row, s->column };
	state_say(s, false, "%s%s: bookmarked; '%s goes back to it", call->by, digit, digit);
}

void act_recall(struct state *s, const struct call *call)
{
	const char *digit = call->argument;
	struct error e = { 0 };
	struct snapshot next = { 0 };

	if (!*digit) {
		s->mode = MODE_RECALL;
		state_say(s, false, "%s: press 1 to 9 to go to that bookmark", call->by);
		return;
	}
	if (digit[0] < '1' || digit[0] > '9' || digit[1] || !s->bookmark[digit[0] - '1'].set) {
		state_say(s, true, "%s%s: no such bookmark; M and a digit set one", call->by, digit);
		return;
	}
	struct bookmark *b = &s->bookmark[digit[0] - '1'];
	if (snapshot_copy(&next, &b->snapshot, &e)) {
		act_say_error(s, call->by, &e);
		return;
	}
	if (state_adopt(s, &next, &e)) {
		act_say_error(s, call->by, &e);
		snapshot_free(&next);
		return;
	}
	s->row = b->row;
	s->column = b->column;
	state_say(s, false, "%s%s: bookmark %s", call->by, digit, digit);
}
