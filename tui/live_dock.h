/* live_dock.h - a language model on the screen: its text is edited in place, its heads
 * are interfered with, and the head that is chosen is the scenario in force.
 *
 * The scenario of a snapshot that has a live_point is made from it: there is one entry
 * in state.opened for all of them, which is that of the snapshot in force. Where heads
 * have options that are carried through (live_point.at), those of the picture are the
 * same while such a head is shown; the picture of any other head has options of its own.
 */
#ifndef TUI_LIVE_DOCK_H
#define TUI_LIVE_DOCK_H

#include "tui/live_point.h"
#include "tui/state.h"

struct live_dock {
	struct live live;
	char *file;			/* that the model was read from; NULL: the built-in one */
	struct live_point *first;	/* what it was opened with, but for the text; NULL: nothing */
	struct options plain;		/* of a head as it was trained */
	size_t slot;			/* of the scenario, in state.opened */
	bool at_now;			/* the runs are those of the snapshot in force */
	enum typing { TYPING_NOT, TYPING_IN, TYPING_OUT } typing;	/* what the last key did to the text: the next of
									 * the kind is the same change for undo */
};

/* live_init, or what a test has in its place. */
typedef enum status live_maker(struct live *l, const struct live_request *r, struct error *e);
enum status live_dock_new(struct live_dock **out, live_maker *make, const struct live_request *r, struct error *e);
/* Takes the model over (*d, on the heap) with the scenario in force, which it made, and
 * point. Nothing is undone behind it. */
void live_dock_attach(struct state *s, struct live_dock *d, struct live_point *point);
void live_dock_free(struct live_dock *d);	/* NULL is accepted */

/* The model while it is what the grid shows, else NULL. */
struct live *live_shown(const struct state *s);

/* The scenario that a snapshot with a point asks for. The caller's. */
enum status live_dock_scenario(const struct state *s, const struct snapshot *n, struct scenario *out, struct error *e);
/* Whether a's scenario is b's; true of snapshots without a point. */
bool live_dock_same(const struct snapshot *a, const struct snapshot *b);
/* Before each frame: the runs are those of the snapshot in force. */
void live_dock_settle(struct state *s);
/* Options of next were changed from `before`, or another head chosen in it: brings those of
 * the picture and those that are carried into step. live_dock_carry: from those in force. */
enum status live_carry(const struct live *l, const struct options *before, struct snapshot *next, struct error *e);
enum status live_dock_carry(const struct state *s, struct snapshot *next, struct error *e);
/* What is in force in next's picture is carried at those heads from here on; NULL: nowhere. */
enum status live_put_at(const struct live *l, struct snapshot *next, const char *list, struct error *e);
/* Whether the point and the head that is shown are the same. */
bool live_dock_is_same_head(const struct snapshot *a, const struct snapshot *b);
/* *o, borrowed, are the options of another head of that layer: those that this one has
 * where options are carried through. */
void live_head_options(const struct state *s, size_t layer, size_t head, struct options *o);
/* next has the options of what was opened: the text stays, and so does its padding; it is
 * interfered with as at first. */
enum status live_dock_reset(const struct state *s, struct snapshot *next, struct error *e);
/* A head of the model, as one change; head -1: the same. Says why when it cannot. */
bool live_dock_show(struct state *s, long layer, long head, const char *by);

/* Whether options that are carried through are those of the head that o shows. */
bool live_is_carried_at(const struct live *l, const struct live_point *p, const struct options *o);

/* Positions of [PAD]. */
struct pads { size_t first, n; };
/* Those of a point whose text has so many tokens, [BOS] with them. live_text.c */
struct pads live_pads(const struct live_point *p, size_t tokens);
void live_pads_text(const struct pads *p, struct buffer *out);	/* as the option pad has them: "none", "3", "0-2" */
/* Whether the list has these positions and no other; false where there is none. */
bool live_pads_are(const struct pads *p, const struct list *pad);

/* The options of next, and those that are carried, are brought from the text and the padding of
 * `from` (NULL: of nothing) to its own: the option pad, where it hid just the padding, goes with
 * that; what names positions that there are no more is dropped. live_text.c */
enum status live_dock_trim(const struct state *s, const struct live_point *from, struct snapshot *next, struct error *e);

/* ---- the text: live_text.c ---- */

/* Finds the model and makes its entry in state.opened, if that was not done; nothing is
 * shown yet. E_VALUE when there is none. */
enum status live_load(struct state *s, const struct live_request *r, struct error *e);
/* :live TEXT; without a text the one that is there is edited. */
void live_command_text(struct state *s, const char *text, const char *by);
/* What is shown, and what has to be said of the text. */
void live_say_text(struct state *s, const char *by);
/* After each key in the line of the text. */
void live_typed(struct state *s, const struct key *k);

/* ---- what it is interfered with ---- */

void live_command_at(struct state *s, const char *list, const char *by);	/* "": the next of four */
void live_command_off(struct state *s, const char *list, const char *by);	/* "": the head that is shown */
void live_command_padding(struct state *s, const char *side, const char *by);	/* left:3, right:3, none */

/* Appends every head that is in one of two lists and not in both; a NULL: in b. */
void live_list_either(const struct live *l, const char *a, const char *b, struct buffer *out);

/* ---- in words: live_where.c ---- */

/* What of the two points differs, appended for a sentence: b's text, where its options
 * apply, which heads are off. */
void live_difference(const struct state *s, const struct snapshot *a, const struct snapshot *b, struct buffer *out);
/* Where options and edits apply and which heads are off; brief: not which options. */
void live_where(const struct state *s, bool brief, struct buffer *out);

/* ---- for views ---- */

/* Position whose next character is told: the row under the cursor. */
size_t live_row(const struct state *s);
/* What a head is: off, or the name that it earned with its figure; false where neither. */
bool live_head_words(const struct state *s, size_t layer, size_t head, char *out, size_t size);
/* Rows that the dock would like to have; 0 where there is none. view_live.c */
int view_live_rows(const struct state *s);

#endif
