/* state.h - everything the screen knows; keys change it, views only read it.
 *
 * A change of what is computed or shown is a new snapshot; undo and redo move
 * between snapshots. The cursor, the scroll position and open windows are not
 * part of them.
 */
#ifndef TUI_STATE_H
#define TUI_STATE_H

#include "core/grid.h"
#include "core/head_mean.h"
#include "core/joined_rows.h"
#include "tui/color.h"
#include "tui/keymap.h"
#include "tui/long_view.h"
#include "tui/panel.h"
#include "tui/present.h"

struct lesson;
struct lesson_play;
struct live;
struct live_dock;
struct live_point;
struct live_request;
struct tensor_choice;

enum effect {
	EFFECT_QUIT = 1, EFFECT_INTERRUPT = 2, EFFECT_SUSPEND = 4, EFFECT_REDRAW = 8, EFFECT_BEEP = 16,
	EFFECT_MOUSE = 32,
	EFFECT_COPY = 64,	/* the line of state_command_line, to the clipboard */
};

/* The I/O a command may ask for; tests put their own here. */
struct ports {
	enum status (*open)(struct scenario *s, const char *input, const struct random_tables *t, struct error *e);
	enum status (*masks)(struct problem *p, const struct options *o, struct error *e);
	/* A layer and batch of a file of arrays, and the numbers of its layers (load.h).
	 * NULL: no input has a second one. */
	enum status (*part)(struct scenario *s, const char *input, const struct tensor_choice *choice, const struct random_tables *t,
			    struct error *e);
	enum status (*layers)(long **layer, size_t *n, const char *input, const struct tensor_choice *choice, struct error *e);
	enum status (*write)(const char *name, const char *data, size_t size, bool replace, struct error *e);
	size_t (*builtin_count)(void);
	const char *(*builtin_name)(size_t i);
	/* NULL: there are no lessons. */
	enum status (*lesson)(struct lesson *l, const char *name, struct error *e);
	size_t (*lesson_count)(void);
	const char *(*lesson_name)(size_t i);
	/* A language model on a text (live_init). NULL: there is none. */
	enum status (*live)(struct live *l, const struct live_request *r, struct error *e);
};

/* A scenario that was opened, and the options it began with. */
struct opened {
	char *source;		/* the INPUT it came from, as given; NULL: made on the screen */
	struct scenario scenario;
	struct options options;
};

struct snapshot {
	size_t scenario;	/* index in opened */
	struct options options;
	struct edits edits;
	struct live_point *live;	/* that the scenario is made from (live_dock.h), or NULL */
};

struct history {
	struct snapshot *v;
	size_t n, capacity;
	size_t bytes;		/* of all lists and edits in it */
};
/* How far undo goes back: changes, and bytes where edits or lists are long.
 * The oldest go first. */
enum { HISTORY_LIMIT = 10000, HISTORY_BYTES = 64 << 20 };

enum zoom { ZOOM_NORMAL, ZOOM_LARGE, ZOOM_SMALL, ZOOM_COUNT };

struct bookmark {
	bool set;
	struct snapshot snapshot;
	size_t row, column;
};

/* What was pinned as A, to be compared with the state as it is, B (compare.h). */
enum comparison { COMPARE_OFF, COMPARE_BESIDE, COMPARE_DIFFERENCE, COMPARE_COUNT };
struct compare_found {			/* in rows from.., to.., where both have a cell */
	bool known;
	size_t from, to;
	size_t cells, differ;
	double largest;			/* difference, of cell row, column; 0 without one */
	size_t row, column;
	size_t sums, sums_differ, sums_apart;	/* apart: by more than rounding */
	double largest_sum;		/* of row sum_row */
	size_t sum_row;
};
struct pinned {
	bool set;
	enum comparison show;
	struct snapshot snapshot;
	struct problem *problem;	/* owned */
	struct grid grid;
	struct joined_rows joined;	/* as the state's own */
	struct compare_found found;
};

/* A line that is typed: after `:`, after `/`, a new value, or a language model's text,
 * which is in force with every key. */
enum prompt_kind { PROMPT_COMMAND, PROMPT_FIND, PROMPT_VALUE, PROMPT_LIVE };
struct prompt {
	enum prompt_kind kind;
	char *text;		/* UTF-8, NUL-terminated */
	size_t length, capacity, cursor;
	bool selected;		/* the value as it was: the first character typed replaces it */
	size_t recall;		/* place in the history, == history_n: the new line */
	size_t completion;	/* how often Tab was pressed in a row */
	char *stem;		/* what was typed before the first Tab */
	char offered[300];	/* the candidate that was made last */
};

struct picker {
	bool lessons;		/* else scenarios */
	size_t chosen, top;
	char **titles;		/* of the built-in scenarios, read when the list is first opened */
	char **lesson_titles;	/* likewise */
};

struct flash {
	bool on;
	size_t top, left, rows, columns;	/* the window that was compared */
	bool *changed;				/* rows * columns */
	bool *sum_changed;			/* rows */
};

struct state {
	const struct random_tables *tables;
	struct ports ports;
	struct keymap keymap;
	struct look look;			/* the terminal's; color, theme and ascii narrow it */

	const char *language;			/* where the option says auto; in force before and after */

	struct opened **opened;
	size_t opened_n;
	struct snapshot now;
	struct history undo, redo;
	struct bookmark bookmark[9];
	struct pinned pinned;

	struct problem *problem;
	struct grid grid;
	struct long_view long_view;		/* the grid's rows, of long inputs */
	struct joined_rows joined;		/* of the joined stage; zeroed: not computed */
	bool joined_failed;			/* and not tried again until something changes */

	int rows, columns;			/* of the screen */
	size_t row, column;			/* cursor: cell of the shown matrix */
	size_t top, left;			/* first cell shown */
	enum zoom zoom;
	enum mode mode;
	struct {				/* widest labels of what is shown, measured when it changes */
		const struct problem *problem;
		int stage, array, rows, columns;
		bool ascii;
	} label_width;
	struct prompt prompt;
	struct picker picker;
	struct panel panel;
	struct lesson_play *lesson;		/* that is played (panel_lesson.h), or NULL */
	struct live_dock *live;			/* the language model, once there was one, or NULL */
	size_t help_top;
	char **lines;				/* history of `:` */
	size_t lines_n;
	char *found;				/* last text searched for, or NULL */
	bool found_column;			/* it was a column's label, not a row's */
	char last_scale[64];			/* what `s` switches back to */
	bool mouse;
	struct {				/* instead of one head's weights */
		bool on;
		struct head_mean rows;		/* heads.heads 0: not computed */
	} mean;
	struct presenting present;		/* before an audience */

	char sentence[1000];			/* what the last key did */
	size_t said;				/* how often something was; a key may say nothing */
	bool sentence_is_error;
	bool sentence_whole;			/* worth covering other lines for; errors always are */
	struct flash flash;
};

/* Takes scenario and options over (they are zeroed). */
enum status state_init(struct state *s, const struct random_tables *tables, const struct ports *ports,
		       struct scenario *scenario, struct options *options, struct error *e);
/* Makes s from what a session held: its scenarios, history, bookmarks and lines
 * move from `held`, and *now is put in force (both are emptied on success). */
enum status state_restore(struct state *s, struct state *held, struct snapshot *now, const struct random_tables *tables,
			  const struct ports *ports, struct error *e);
void state_free(struct state *s);

/* Remembers what the scenario in force was opened from. */
void state_set_source(struct state *s, const char *input);
void state_resize(struct state *s, int rows, int columns);
/* One key; returns effects for the caller to perform. */
unsigned state_key(struct state *s, const struct key *k);
/* A command with its argument ("" without one), as a key or `:` runs it. by: what
 * was pressed or typed, for the sentence. */
unsigned state_do(struct state *s, enum command c, const char *argument, const char *by);
/* Does a piece of what is computed in the background; false when nothing is left. */
bool state_work(struct state *s);
bool state_working(const struct state *s);
/* A click on the cell (row, column) of the shown matrix. */
void state_select(struct state *s, size_t row, size_t column);
void state_end_flash(struct state *s);
/* Undo (from undo to redo) and redo (the other way); false when that is not possible. */
bool state_travel(struct state *s, struct history *from, struct history *to, struct error *e);
/* The list of scenarios, or of lessons. */
void state_open_picker(struct state *s, bool lessons);
size_t state_picker_rows(const struct state *s);
const char *state_picker_name(const struct state *s, size_t i);
/* A letter pressed while it is open; false when no row has it. */
bool state_pick(struct state *s, uint32_t letter);
/* Appends the shell command that shows the same; false when it cannot, for want
 * of a file with the input or the edits. */
bool state_command_line(const struct state *s, struct buffer *out);
/* Appends the keys, as `--keys` takes them, that go from where a screen opens to where this
 * one is: cell, panel, size of cells, spotlight. Nothing when it is there. */
void state_place_keys(const struct state *s, struct buffer *out);
/* The k-th file name that `:w` may be given after what was typed of one, an ending each;
 * false past the last. */
bool state_write_name(const struct state *s, size_t k, const char *typed, char *out, size_t size);

/* ---- for views ---- */

enum stage state_stage(const struct state *s);
/* Rows and columns of the matrix shown. */
void state_shape(const struct state *s, size_t *rows, size_t *columns);
/* One row of it; valid until the next call. */
const double *state_values(struct state *s, size_t row);
/* One of them; of a prediction that comes in turn (long_view.h), too, where it has not come yet. */
double state_number(struct state *s, size_t row, size_t column);
/* Weights and verdict of query row i; NULL when row i of what is shown is no query. */
const struct row *state_query(struct state *s, size_t row);
/* The input array that stage 0 shows. */
enum array state_array(const struct state *s);
struct look state_look(const struct state *s);
int state_precision(const struct state *s);
const struct scenario *state_scenario(const struct state *s);
/* Labels of row and column i of what is shown; scratch holds made-up ones. */
const char *state_row_label(const struct state *s, size_t i, char scratch[32]);
const char *state_column_label(const struct state *s, size_t i, char scratch[32]);
/* Whether the weights that are shown are the mean over all heads; its rows, or NULL. Stages
 * before, panels and what is compared are of the head that is chosen. */
bool state_shows_mean(const struct state *s);
struct head_mean *state_mean(struct state *s);
/* Rows of the joined stage with room for a screen, or NULL where it is not shown or cannot be computed. */
struct joined_rows *state_joined(struct state *s);
bool state_is_grid(const struct state *s);	/* queries by keys: scores .. weights */

/* ---- between state.c, action.c, panel.c and prompt.c ---- */

/* Makes next the state, if it can be computed; takes it over on success. The
 * state before goes to undo. On error nothing has changed. */
enum status state_adopt(struct state *s, struct snapshot *next, struct error *e);
/* The same, and what is in force is not kept for undo: this is a part of the change before. */
enum status state_adopt_same(struct state *s, struct snapshot *next, struct error *e);
enum status snapshot_copy(struct snapshot *to, const struct snapshot *from, struct error *e);
void snapshot_free(struct snapshot *n);
bool snapshot_equal(const struct snapshot *a, const struct snapshot *b);
enum status history_push(struct history *h, struct snapshot *n, struct error *e);
void history_clear(struct history *h);
void history_free(struct history *h);
enum status state_add_scenario(struct state *s, struct scenario *scenario, const struct options *options,
			       size_t *index, struct error *e);
/* The numbers that a snapshot asks for, its files read; *out is the caller's. */
enum status state_make_problem(const struct state *s, const struct snapshot *n, struct problem **out, struct error *e);
/* The same of any scenario, options and edits. */
enum status state_problem_of(const struct state *s, const struct scenario *sc, const struct options *o, const struct edits *edits,
			     struct problem **out, struct error *e);
/* The numbers of the layers of the file that is open, to be freed; of any other input
 * the one that it has. E_VALUE when the file cannot be read again. */
enum status state_layers(const struct state *s, long **layer, size_t *n, struct error *e);
/* A layer of that file, with the options that it would be shown with. */
enum status state_part_problem(const struct state *s, long layer, struct problem **p, struct options *o, struct error *e);
/* Shows a layer and batch of it, as one change; head -1: the same, if it has that. Says why when it cannot. */
bool state_show_part(struct state *s, long layer, long batch, long head, const char *by);
/* Forgets the scenario that was added last; no snapshot may refer to it. */
void state_drop_scenario(struct state *s);
/* Scrolls so that the cursor is visible, and computes what is. */
void state_settle(struct state *s);
void state_say(struct state *s, bool is_error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
unsigned action(struct state *s, enum command c, const char *argument, const char *by);
unsigned prompt_key(struct state *s, const struct key *k);
/* Runs a line as it is typed after `:`. */
unsigned prompt_run(struct state *s, const char *line);
void prompt_open(struct state *s, enum prompt_kind kind, const char *text);
void prompt_free(struct prompt *p);
/* Sets options (name, value pairs, NULL-terminated) as one change; says why when it cannot. */
bool state_change(struct state *s, const char *by, const char *const *pairs);
/* Opens a scenario or a file in the presentation that is in force. */
bool state_open(struct state *s, const char *input, const char *by);
/* Options to begin with: those, in the presentation that is in force. */
enum status state_starting_options(const struct state *s, const struct options *set, struct options *out, struct error *e);
/* The decimal digits of one more, to be freed; NULL when memory is short. */
char *state_next_number(const char *digits);
/* Sets an option by name from `:` or `:set`; says what it did. */
void state_set_option(struct state *s, enum option which, const char *value, const char *by);

#endif
