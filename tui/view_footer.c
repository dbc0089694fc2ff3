/* view_footer.c - the last line: keys that are of use now, and what they do. */
#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "tui/live_dock.h"
#include "tui/panel_lesson.h"
#include "tui/text.h"
#include "tui/view_parts.h"

/* What the footer offers, the most needed first; what has no room is left out. */
static const enum command *footer_commands(const struct state *s)
{
	static const enum command grid[] = {
		CMD_HELP, CMD_CAUSAL, CMD_PAD_KEY, CMD_PAD_MASK, CMD_SCALE, CMD_NEXT_STAGE, CMD_VERIFY, CMD_BUG_LAB,
		CMD_UNDO, CMD_OPEN_PICKER, CMD_QUIT, CMD_EDIT, CMD_HIDE_CELL, CMD_PROMPT, CMD_SWEEP, CMD_WEIGHTS, CMD_COUNT,
	};
	static const enum command panel[] = {
		CMD_HELP, CMD_CLOSE, CMD_CAUSAL, CMD_PAD_MASK, CMD_SCALE, CMD_NEXT_STAGE, CMD_UNDO, CMD_BUG_LAB, CMD_COUNT,
	};
	static const enum command list[] = {
		CMD_HELP, CMD_CLOSE, CMD_FORWARD, CMD_UNDO, CMD_NEXT_STAGE, CMD_VERIFY, CMD_COUNT,
	};
	static const enum command asked[] = {
		CMD_HELP, CMD_CLOSE, CMD_FORWARD, CMD_PREDICT, CMD_CAUSAL, CMD_SCALE, CMD_NEXT_STAGE, CMD_UNDO, CMD_COUNT,
	};
	static const enum command compared[] = {
		CMD_HELP, CMD_DIFFERENCE, CMD_PIN, CMD_CLOSE, CMD_CAUSAL, CMD_PAD_MASK, CMD_SCALE, CMD_NEXT_STAGE, CMD_UNDO,
		CMD_OPEN_PICKER, CMD_COUNT,
	};
	static const enum command lesson[] = {
		CMD_HELP, CMD_FIND_NEXT, CMD_FIND_PREVIOUS, CMD_CLOSE, CMD_CAUSAL, CMD_PAD_MASK, CMD_SCALE, CMD_NEXT_STAGE, CMD_VERIFY,
		CMD_UNDO, CMD_LESSON, CMD_COUNT,
	};
	static const enum command treatments[] = {
		CMD_HELP, CMD_CLOSE, CMD_UNDO, CMD_NEXT_STAGE, CMD_VERIFY, CMD_BUG_LAB, CMD_COUNT,
	};
	static const enum command walking[] = {
		CMD_HELP, CMD_FORWARD, CMD_BACKWARD, CMD_CLOSE, CMD_CAUSAL, CMD_PAD_MASK, CMD_SCALE, CMD_BUG_LAB, CMD_COUNT,
	};
	static const enum command walked_lesson[] = {
		CMD_HELP, CMD_FORWARD, CMD_BACKWARD, CMD_FIND_NEXT, CMD_FIND_PREVIOUS, CMD_CLOSE, CMD_CAUSAL, CMD_PAD_MASK, CMD_SCALE, CMD_COUNT,
	};
	static const enum command heads[] = { CMD_HELP, CMD_EDIT, CMD_CLOSE, CMD_UNDO, CMD_PROMPT, CMD_COUNT };
	static const enum command map[] = { CMD_HELP, CMD_NEXT_STAGE, CMD_CLOSE, CMD_CAUSAL, CMD_PAD_MASK, CMD_SCALE, CMD_PROMPT, CMD_COUNT };
	static const enum command live[] = {
		CMD_HELP, CMD_LIVE, CMD_AT, CMD_HEAD_OFF, CMD_HEADS, CMD_CAUSAL, CMD_NEXT_STAGE, CMD_VERIFY, CMD_BUG_LAB, CMD_UNDO, CMD_QUIT,
		CMD_SCALE, CMD_PAD_MASK, CMD_COUNT,
	};
	static const enum command questioned[] = {
		CMD_HELP, CMD_FIND_NEXT, CMD_FIND_PREVIOUS, CMD_SCALE, CMD_PAD_MASK, CMD_NEXT_STAGE, CMD_VERIFY, CMD_UNDO, CMD_COUNT,
	};
	static const enum command questioned_panel[] = {
		CMD_HELP, CMD_FIND_NEXT, CMD_FIND_PREVIOUS, CMD_UNDO, CMD_COUNT,
	};
	static const enum command experiment[] = { CMD_HELP, CMD_CLOSE, CMD_FORWARD, CMD_NEXT_SEED, CMD_PROMPT, CMD_COUNT };

	/* What a question has for itself, as c, Space and Esc, is said beside it. */
	if (lesson_in_front(s))
		return s->mode == MODE_GRID ? questioned : questioned_panel;
	switch (s->mode) {
	case MODE_BUGS:
		return list;
	case MODE_CLINIC:
		return treatments;
	case MODE_SWEEP:
		return experiment;
	case MODE_PREDICT:
		return asked;
	case MODE_HEADS:
		return heads;
	case MODE_OVERVIEW:
		return map;
	default:
		if (s->panel.kind == PANEL_WALK)
			return s->lesson ? walked_lesson : walking;
		return s->lesson ? lesson : s->panel.kind != PANEL_NONE ? panel
		     : s->pinned.set ? compared : live_shown(s) ? live : grid;
	}
}

/* Space and Backspace do what the panel has for them. */
static const char *footer_hint(const struct state *s, enum command c)
{
	if (c == CMD_BACKWARD)
		return _("step back");
	if (c == CMD_EDIT && s->mode == MODE_HEADS)
		return _("choose");
	if (c == CMD_NEXT_STAGE && s->mode == MODE_OVERVIEW)
		return _("mean, maximum");
	if (c != CMD_FORWARD)
		return _(command_info(c)->hint);
	return s->mode == MODE_BUGS ? _("add") : s->panel.kind == PANEL_WALK ? _("next step") : _("reveal");
}

void view_footer(struct canvas *c)
{
	int x = 0, row = c->l.footer;

	if (row < 0)
		return;
	for (const enum command *order = footer_commands(c->s); *order < CMD_COUNT; order++) {
		struct buffer keys = { 0 };
		char key[KEY_TEXT_SIZE];
		const char *hint = footer_hint(c->s, *order);
		keymap_keys(&c->s->keymap, *order, &keys);
		snprintf(key, sizeof key, "%.*s", (int)strcspn(keys.data ? keys.data : "", " "), keys.data ? keys.data : "");
		buffer_free(&keys);
		if (*key == '<' && key[2]) {		/* <Tab> is Tab here */
			memmove(key, key + 1, strlen(key));
			key[strcspn(key, ">")] = '\0';
		}
		if (!*key || x + (int)strlen(key) + 1 + text_width(hint, c->look.ascii) > c->s->columns)
			continue;
		int from = x;
		canvas_run(c, row, &x, c->s->columns, key, canvas_paint(c, PAINT_KEY));
		canvas_run(c, row, &x, c->s->columns, " ", canvas_paint(c, PAINT_MUTED));
		canvas_run(c, row, &x, c->s->columns, hint, canvas_paint(c, PAINT_MUTED));
		canvas_hit(c, row, from, x - from, *order);
		x += 2;
	}
}
