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
#include "core/gradient.h"
#include "core/influence.h"
#include "core/probe.h"
#include "core/readout.h"
#include "core/sweep.h"
#include "tui/command.h"
#include "tui/treatments.h"

struct state;

enum panel_kind { PANEL_NONE, PANEL_VERIFY, PANEL_INFLUENCE, PANEL_GRADIENT, PANEL_BUGS, PANEL_CLINIC, PANEL_SWEEP };

/* The probes' checks, and the lesson's own test. */
enum { PANEL_LAMPS = PROBE_COUNT + 1 };

/* Of at most so many rows and keys the gradient's mean is that of all rows, which
 * stay computed for it; else of those that have a bar. */
enum { PANEL_MEAN_ROWS = 64, PANEL_MEAN_KEYS = 4096 };

/* The lamps of verify and of the bug lab. */
struct panel_probes {
	struct probe_work *work;	/* NULL: not begun, or it cannot be */
	struct probe_expect expect;
	bool with_causal, with_pad;	/* the input came with them, or they were put in force since; they stay expected */
	size_t scenario;		/* of which that is true */
	bool done;
	struct probe_lesson lesson;	/* after the probes; v NULL where it has not run */
	bool lesson_done;
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
};

/* The mode in which keys are read while nothing else is open. */
enum mode panel_mode(const struct state *s);
/* Opens a panel, closes it, or steps through it where it is open already. */
void panel_command(struct state *s, enum command c, const char *argument, const char *by);
void panel_close(struct state *s);
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
double panel_progress(const struct state *s);
void panel_free(struct panel *p);

#endif
