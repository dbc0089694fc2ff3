/* panel_kinds.h - what the files of the panels, panel*.c, share.
 *
 * A panel is a file panel_NAME.c with its operations. To add one: its name in enum
 * panel_kind (panel.h), its operations below, a line in the table of panel.c and one
 * in that of view_panel.c; what it keeps is a struct of its own in struct panel.
 */
#ifndef TUI_PANEL_KINDS_H
#define TUI_PANEL_KINDS_H

#include "tui/layout.h"
#include "tui/state.h"

/* Where nothing is said of NULL: nothing to do. */
struct panel_ops {
	enum mode mode;		/* in which keys are read; MODE_GRID: those of the grid */
	bool whole;		/* it takes the place of the grid */
	enum command command;	/* opens it */
	/* That command, also where it is open already: to step, or to close. */
	void (*open)(struct state *s, const char *argument, const char *by);
	/* Rows it would like to have, its head included. */
	int (*rows)(const struct state *s);
	/* Before the layout is made: closes it where nothing is left to show. */
	void (*check)(struct state *s);
	/* Before each frame: keeps what is chosen on screen, and asks for what is shown. */
	void (*settle)(struct state *s, const struct layout *l);
	/* A command and a character in its own mode; false: not for it. Left alone,
	 * CMD_CLOSE closes, and in a mode of its own CMD_QUIT does. */
	bool (*takes)(struct state *s, enum command c, const char *by);
	bool (*letter)(struct state *s, uint32_t code, const char *by);
	/* A value was typed in the line below; false: it is for the cell under the cursor. */
	bool (*typed)(struct state *s, const char *text);
	/* The input changes, or another panel opens: frees what was found of it. Asked
	 * of every kind, whichever is open. */
	void (*forget)(struct panel *p);
	/* It closes: frees what outlives a change of the input. Asked of every kind. */
	void (*close)(struct panel *p);
	/* Computing in pieces; after a failure (panel_fail) nothing is asked until the
	 * next change. */
	bool (*working)(const struct state *s);
	void (*work)(struct state *s);
	double (*progress)(const struct state *s);	/* 0 .. 1 */
};

extern const struct panel_ops panel_verify_ops, panel_influence_ops, panel_gradient_ops, panel_bugs_ops, panel_clinic_ops,
	panel_sweep_ops, panel_predict_ops, panel_inspector_ops, panel_walk_ops, panel_heads_ops,
	panel_overview_ops;

/* ---- opening and closing ---- */

/* Makes it the one that is open; at the top, unless it was already. */
void panel_open(struct state *s, enum panel_kind kind);
/* Closes, and nothing is said any more. */
void panel_close_silently(struct state *s);
/* Whether a command opens a panel. */
bool panel_is_opened_by(enum command c);
/* Nothing more is computed until something changes, and this is why. */
void panel_fail(struct panel *p, const struct error *e);

/* ---- room ---- */

enum { PANEL_HEAD = 1 };	/* rows that the head takes */

/* Rows below the head and the two lines over pictures; 1 at least. */
size_t panel_picture_room(const struct layout *l);
/* A count as rows to ask for: no screen has more than a thousand. */
int panel_as_rows(size_t n);
/* Moves the first of the things shown so that `wanted` is one of them. */
void panel_keep_in(size_t wanted, size_t count, size_t room, size_t *first);
/* As many things on each side of one as there is room for at most. */
void panel_window_around(size_t at, size_t n, size_t room, size_t *first, size_t *count);
/* The rows that a picture reads at each frame stay computed, beside those of the grid. */
void panel_keep_rows(struct state *s, size_t rows);
/* Whether so many rows take so little that a key may wait for them. */
bool panel_is_quick(const struct state *s, size_t rows);
/* Moves what is chosen in a list of n; false when c does not move. */
bool panel_move_chosen(struct panel *p, enum command c, size_t n);

/* ---- the lamps, which verify and the bug lab share ---- */

/* Expects the masks with which the input was opened, and what is in force from
 * here on. */
void panel_probes_begin(struct panel *p);
/* Remembers the masks that are in force; before each frame. */
void panel_probes_settle(struct state *s);
bool panel_probes_working(const struct state *s);
void panel_probes_work(struct state *s);
double panel_probes_progress(const struct state *s);

/* ---- what one panel opens of another ---- */

void panel_open_bugs(struct state *s, const char *by);
void panel_open_clinic(struct state *s, const struct clinic *c, const char *by);

#endif
