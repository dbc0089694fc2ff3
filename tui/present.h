/* present.h - before an audience: what was pressed is told with what it did, q wants a
 * second press, and Ctrl-Z undoes.
 *
 * Only how the screen looks and how keys are told changes (layout.c, view_present.c):
 * no number does, and undo knows nothing of it, as it knows nothing of the cell size.
 */
#ifndef TUI_PRESENT_H
#define TUI_PRESENT_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/command.h"
#include "tui/key.h"

struct state;

enum { PRESENT_PRESSED = 120 };

struct presenting {
	bool on;
	bool spotlight;			/* the cursor's row and column stand out; also without `on` */
	bool asked, leaving;		/* q was the key before; it is now */
	char pressed[PRESENT_PRESSED];	/* key or typed line, for people: "c", "Ctrl-R", ":causal off" */
	char by[KEY_TEXT_SIZE];		/* what the sentence calls it */
	size_t said;			/* before the key */
};

/* Switches it, and the spotlight with it. */
void present_turn(struct state *s, bool on);

/* Around each key, click or turn of the wheel. After one that says nothing, because it
 * moved or changed nothing, where the cursor is gets said. */
void present_before(struct state *s, const struct key *k);
void present_after(struct state *s);

/* The command that is done in place of c: undo for suspend. */
enum command present_instead(const struct state *s, enum command c);
/* Whether to quit: by a line that was typed, or by the second press. Says what is missing. */
bool present_may_quit(struct state *s, const char *by);

/* The sentence without the key at its head; "" after a key that said nothing, such as
 * one that opened a list. */
const char *present_sentence(const struct state *s);

#endif
