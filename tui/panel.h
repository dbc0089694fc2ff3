/* panel.h - what stands under the grid while it is looked at: the lamps of the
 * probes, the influence picture, the gradient, the bug lab, a clinic; and the
 * d_k experiment, which takes the whole screen.
 *
 * What takes long is computed in pieces by panel_work, between keys; a change of
 * what is computed throws away what was found and begins anew. What a kind does is
 * in a file of its own (panel_kinds.h says how one is added).
 */
#ifndef TUI_PANEL_H
#define TUI_PANEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/clinic.h"
#include "core/explain.h"
#include "core/gradient.h"
#include "core/influence.h"
#include "core/probe.h"
#include "core/readout.h"
#include "core/sweep.h"
#include "tui/command.h"
#include "tui/head_pictures.h"
#include "tui/map_picture.h"
#include "tui/treatments.h"

struct state;
struct layout;

enum panel_kind {
	PANEL_NONE, PANEL_VERIFY, PANEL_INFLUENCE, PANEL_GRADIENT, PANEL_BUGS, PANEL_CLINIC, PANEL_SWEEP,
	PANEL_INSPECTOR, PANEL_WALK, PANEL_PREDICT, PANEL_HEADS, PANEL_OVERVIEW,
};

/* The probes' checks, and the lesson's own test. */
enum { PANEL_LAMPS = PROBE_COUNT + 1 };

/* Of at most so many queries the lesson's own test is made: it computes all rows, twice. */
enum { PANEL_LESSON_ROWS = 4096 };

/* Of at most so many rows and keys the gradient's mean is that of all rows, which
 * stay computed for it; else of those that have a bar. */
enum { PANEL_MEAN_ROWS = 64, PANEL_MEAN_KEYS = 4096 };

/* The lamps of verify and of the bug lab. */
struct panel_probes {
	struct probe_work *work;	/* NULL: not begun, or it cannot be */
	struct probe_expect expect;
	bool with_causal, with_pad;	/* the input came with them, or they were put in force since; they stay expected */
	size_t scenario;		/* of which that is true */
	bool probed, done;		/* with the probes; with all */
	struct probe_lesson_work *lesson_work;	/* after the probes; NULL: not begun, or over */
	struct probe_lesson lesson;
	bool lesson_done;		/* or left out, with more than PANEL_LESSON_ROWS queries */
	bool asked;			/* the lamp `chosen` is explained, not the first that is out */
};

struct panel_influence {
	struct influence_work *work;	/* NULL: not begun */
	size_t from, to;		/* query rows */
	bool done;
};

/* Beside the lamps of the bug lab. */
struct panel_lab {
	struct readout readout;
	bool readout_done;
	size_t top;			/* first line that is shown of what is known of a mistake; perhaps too far */
};

struct panel_clinic {
	const struct clinic *which;
	struct treatments *treatments;	/* NULL: not begun */
	struct treatments_window window;	/* what they are to cover */
};

struct panel_sweep {
	struct sweep run;
	bool ready, stopped, revealed;
};

/* Of the cell under the cursor, before each frame. */
struct panel_inspector {
	struct explain cell, sum;	/* sum: what softmax divides by */
	size_t back;			/* lines that the last ones are scrolled back from; perhaps too many */
	struct joined joined;		/* of the joined stage, kept until something changes */
	bool joined_ready;
	size_t joined_row;
};

/* What a row is taken through, as on a blackboard. */
enum walk_step {
	WALK_COMPARE, WALK_SCALE, WALK_HIDE, WALK_EXP, WALK_SUM, WALK_SHARE, WALK_MIX, WALK_JOIN, WALK_STEPS
};

/* The stage that a walk shows is its own: options and undo know nothing of it. */
struct panel_walk {
	enum walk_step step;
	enum stage stage;			/* shown instead of that of the options */
	int under;				/* which is this one, */
	size_t scenario;			/* of that input */
	size_t row, column, top, left;		/* the cursor where it began */
	struct { size_t column, left; } place[3];	/* and in the grid, the output, the joined rows */
};

/* What is blanked, and what was typed for it. */
enum predict_what { PREDICT_CELL, PREDICT_ROW, PREDICT_LEAK, PREDICT_HIDDEN, PREDICT_COUNT };
struct predict_place { size_t row, column; };
struct predict_answer {
	bool given, right;
	double typed;			/* of PREDICT_LEAK: 1 yes, 0 no */
};
struct panel_predict {
	enum predict_what what;
	bool of_lamp;			/* PREDICT_LEAK: the verdict of this lamp, not whether the future leaks */
	size_t lamp;
	bool begun, revealed;
	bool anew;			/* the state has changed since it was asked */
	enum stage stage;
	size_t row, column;		/* that are asked for; of a row, the first */
	struct predict_place *place;	/* n, of PREDICT_HIDDEN */
	size_t n, at;			/* questions, and the one that is typed next */
	struct predict_answer *answer;	/* n */
	double tolerance;
	bool tolerance_set;
};

/* Where the pictures of heads stand, and how large they are; made before each frame. */
struct heads_place {
	int per_line, lines, shown;	/* heads side by side; lines of them, and those that have room */
	int box, box_rows;		/* of a head with its name, in columns and rows of the screen */
	int rows, columns;		/* dots of a picture, of one weight or more */
	int across, down;		/* how often a dot is drawn, beside and below itself */
	int picture_rows;		/* of the screen */
	int beside;			/* columns of the figures; 0: none */
	int table;			/* rows of what is said of the chosen one */
	bool halves;			/* two dots in a row of the screen */
};
enum { HEADS_NAME = 48 };

struct panel_heads {
	long *layer;			/* numbers, of a scenario; SIZE_MAX: they are to be asked for again */
	size_t layers, scenario, seen;
	struct heads_place place;
	struct head_pictures *pictures;	/* NULL: not begun */
};

/* Where the map of all weights stands in its panel; made before each frame. */
struct overview_place {
	int rows, columns;		/* screen rows and columns of the map */
	int dots_down, dots_across;	/* cells of it, of one weight or more */
	int down, across;		/* how often a dot is drawn, below and beside itself */
	int text;			/* rows of words below it */
	bool halves;			/* two dots in a row of the screen */
};

struct panel_overview {
	bool largest;			/* of a bin, instead of its mean */
	struct overview_place place;
	struct map_picture *picture;	/* NULL: not begun */
};

struct panel {
	enum panel_kind kind;
	size_t chosen, top;		/* of its list; of the pictures: the first row shown */
	bool failed;			/* said in `error`, not tried again until something changes */
	char error[200];

	/* Each is the business of its own file. */
	struct panel_probes probes;
	struct panel_influence influence;
	struct panel_lab lab;
	struct panel_clinic clinic;
	struct panel_sweep sweep;
	struct panel_predict predict;
	struct panel_inspector inspector;
	struct panel_walk walk;
	struct panel_heads heads;
	struct panel_overview overview;
};

/* The mode in which keys are read while nothing else is open. */
enum mode panel_mode(const struct state *s);
/* Opens a panel, closes it, or steps through it where it is open already. */
void panel_command(struct state *s, enum command c, const char *argument, const char *by);
void panel_close(struct state *s);
/* Whether the panel is open that this command opens. */
bool panel_is_open_by(const struct state *s, enum command c);
/* A command while a panel has the keys; false when it is not for the panel. */
bool panel_takes(struct state *s, enum command c, const char *by);
/* A character while a panel's rows carry letters; false when none has it. */
bool panel_letter(struct state *s, uint32_t code);
/* The letter of row k of a list: a to z without q, which closes. */
char panel_row_letter(size_t k);
/* The row that a letter stands for; false when it is none of `rows`. */
bool panel_letter_row(uint32_t code, size_t rows, size_t *row);

/* Rows of the bug lab's list: the mistakes, and from a heading on the clinics, unless
 * the screen has room for those elsewhere. */
size_t panel_bug_entries(const struct state *s);
/* Whether bugs[k] is in force. */
bool panel_bug_in_force(const struct state *s, size_t k);
/* Rows it would like to have under the grid; 0 without one. */
int panel_rows(const struct state *s);
/* Closes a panel that what has changed leaves nothing to show; before the layout is made. */
void panel_check(struct state *s);
/* Keeps what is chosen on screen; after the layout is known. */
void panel_settle(struct state *s);

/* What was found is of an input that is about to change. */
void panel_forget(struct state *s);
/* Computes a piece, of a millisecond or so. False when there is nothing to do. */
bool panel_work(struct state *s);
bool panel_working(const struct state *s);
/* Bits 1 << PROBE_K, PROBE_V, PROBE_Q of an output that moves and must not, as far
 * as the lamps have found out; 0 without lamps. */
unsigned panel_moved(const struct state *s, size_t query);
/* The lamp that is explained: the one that was asked for, else the first that is out. */
size_t panel_lamp(const struct panel *p);
/* While something is asked for: what stands in a cell instead of its number ("?",
 * "ok", "NO"), NULL where nothing is asked; whether what is said of a row, and of
 * the cell under the cursor, would tell. */
const char *panel_asked(const struct state *s, size_t row, size_t column);
bool panel_asks_row(const struct state *s, size_t row);
bool panel_asks(const struct state *s);
/* A value that was typed while a panel asks for one; false when none does. */
bool panel_typed(struct state *s, const char *text);
/* Of what is asked for: where question k stands; how near is right; whether answer k is (of a verdict: as far
 * as the probes are done); how many are right and given; whether the future leaks. */
struct predict_place panel_place_asked(const struct panel_predict *p, size_t k);
double panel_tolerance(const struct state *s);
void panel_set_tolerance(struct state *s, const char *text, const char *by);
bool panel_answered_right(const struct state *s, size_t k);
void panel_score(const struct state *s, size_t *right, size_t *given);
enum probe_answer panel_leaks(const struct state *s);
/* What lamp k says so far; ANSWER_NONE: it cannot say, or is not done (*done). */
enum probe_answer panel_lamp_says(const struct panel *p, size_t k, bool *done);
const char *panel_lamp_name(size_t k);
double panel_progress(const struct state *s);
void panel_free(struct panel *p);

/* Whether the panel that is open takes the place of the grid. */
bool panel_is_whole(const struct state *s);

/* Of the pictures of heads: where they stand; the line of head `index` (layers one after
 * the other); the letter of the k-th on the screen, or NUL; a name as L1H3; the one whose
 * weights the grid shows. */
struct heads_place heads_place(const struct state *s, const struct layout *l);
size_t heads_line(const struct state *s, const struct heads_place *k, size_t index);
char heads_letter(size_t k);
void heads_name(const struct state *s, size_t index, char out[HEADS_NAME]);
size_t heads_in_force(const struct state *s);

/* The steps that this input's rows have, in order; their number. */
size_t panel_walk_steps(const struct state *s, enum walk_step out[WALK_STEPS]);
/* Whether a walk shows a stage of its own, and which. */
bool panel_walk_stage(const struct state *s, enum stage *stage);
/* The box along the top where it is not that of the stage; whether the weights and what
 * follows from them are still to come, so that nothing on the screen shows them yet. */
bool panel_walk_box(const struct state *s, enum box *box);
bool panel_walk_keeps_weights(const struct state *s);

#endif
