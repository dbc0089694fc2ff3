/* lesson.h - a lesson: pages that a teacher wrote. Each has a text, the state it
 * is shown in, perhaps something to do there, and questions.
 *
 * A part that may be left out has a mark, where the file has its value; line 0:
 * it is not there. What `do:` asks for is called goal, since `do` is a word of C.
 */
#ifndef CORE_LESSON_H
#define CORE_LESSON_H

#include "core/row.h"
#include "core/scenario.h"

enum lesson_panel {
	LESSON_PANEL_NONE, LESSON_PANEL_VERIFY, LESSON_PANEL_INFLUENCE, LESSON_PANEL_GRADIENT, LESSON_PANEL_BUGS,
	LESSON_PANEL_CLINIC, LESSON_PANEL_SWEEP, LESSON_PANEL_INSPECTOR, LESSON_PANEL_HEADS,	/* a page may open these */
	LESSON_PANEL_WALK, LESSON_PANEL_PREDICT, LESSON_PANEL_COMPARE, LESSON_PANEL_COUNT
};
const char *lesson_panel_name(int panel);	/* "verify"; "" for NONE */

/* A number of the attention: "weights 1:0", or "row-sums 1". */
struct lesson_cell {
	bool row_sum;
	enum stage stage;	/* SCORES to OUTPUT; WEIGHTS for a row sum */
	size_t row, column;
};

/* A place that a condition names; the side that is `*` is any. */
struct lesson_place { bool any_row, any_column; size_t row, column; };

/* What is said of a language model: what a page begins with, or what has to come true.
 * Heads are written as in "0.3,1" (layer.head, a layer, or all); which of them there are,
 * and which characters, depends on the model. */
enum lesson_live_part {
	LESSON_LIVE_TEXT, LESSON_LIVE_AT, LESSON_LIVE_OFF, LESSON_LIVE_PADDING,
	LESSON_LIVE_NEXT,			/* of a condition alone */
	LESSON_LIVE_COUNT
};
const char *lesson_live_name(int part);		/* the key in a file: "live", "apply-at", "head-off", "padding", "next" */

struct lesson_live {
	struct mark mark[LESSON_LIVE_COUNT];
	char *text;				/* that the model is on; in a condition blanks at its ends do not count */
	char *at;				/* heads that have the options; NULL: the picture alone */
	char *off;				/* heads that are off; NULL: none */
	size_t pad_left, pad_right;		/* [PAD] before and behind the text */
	char *next;				/* the likeliest character after the row of the cursor */
};

/* Whether the text is a list of heads: "0.3,1.0", "1", "all". */
bool lesson_heads_parse(const char *text);
/* "left:3", "right:3" or "none". */
bool lesson_padding_parse(struct lesson_live *l, const char *text);

/* What has to come true; all of it that has a mark must hold. */
struct lesson_condition {
	struct lesson_live live;
	struct options options;			/* those with a mark count */
	struct mark option_mark[OPT_COUNT];
	struct mark at_mark, panel_mark, edited_mark, cell_mark;
	struct lesson_place at;			/* of the cursor */
	enum lesson_panel panel;		/* is open */
	enum array edited;			/* this cell of it was changed */
	struct lesson_place edited_at;
	struct lesson_cell cell;		/* this number is > above and < below */
	bool has_above, has_below;		/* one of them at least, with a cell */
	double above, below;
};

enum lesson_ask { LESSON_ASK_CELL, LESSON_ASK_NUMBER, LESSON_ASK_CHOICE };

/* Tolerance where a question has none. */
#define LESSON_TOLERANCE 0.005
enum { LESSON_CHOICES_MIN = 2, LESSON_CHOICES_MAX = 9 };

struct lesson_question {
	enum lesson_ask ask;
	struct title text, why;			/* why n 0: there is none */
	struct mark text_mark, why_mark, ask_mark;
	struct lesson_cell cell;		/* CELL: the right answer is what stands there, in the state in force */
	double number;				/* NUMBER: this is */
	double tolerance;			/* of both */
	struct title *choice;			/* CHOICE: */
	struct mark choice_mark[LESSON_CHOICES_MAX];
	size_t choices, right;			/* right < choices */
};

/* The state of a page is made in this order: scenario or live, set (which is carried to
 * the heads of live.at), open, at. A clinic opens its own scenario, with that one's
 * options. A text of a model stands in place of a scenario, and its head and layer are
 * options; without `at` the cursor is in its last row. */
struct lesson_page {
	struct mark mark;			/* of the page */
	struct title text;
	struct mark text_mark;
	char *scenario;				/* as load_scenario takes it; NULL: what is shown stays */
	struct mark scenario_mark;
	struct lesson_live live;		/* text NULL: none is shown by this page */
	struct options set;			/* those with a mark are set */
	struct mark set_mark[OPT_COUNT];
	struct mark at_mark;
	size_t row, column;			/* where the cursor stands: query, key */
	struct mark open_mark;
	enum lesson_panel open;			/* NONE: nothing is opened */
	char *clinic;				/* of CLINIC: its name, as clinic_find knows it; else NULL */
	struct mark goal_mark;
	struct lesson_condition goal;
	struct title hint;			/* n 0: there is none */
	struct mark hint_mark;
	struct lesson_question *questions;
	size_t questions_n;
	/* Errors it was read with (lesson_read_all); what they are in is not here. */
	bool flawed;				/* in scenario, set, a clinic: what is shown is not known */
	bool unsure;				/* in at, open, do: whether it is done is not known */
};

struct lesson {
	char *name;				/* of the file, without folder and ".yaml"; never NULL */
	struct title title;
	struct mark title_mark;
	struct lesson_page *pages;
	size_t pages_n;				/* one at least */
};

void lesson_free(struct lesson *l);		/* a zeroed one is accepted */
size_t lesson_questions(const struct lesson *l);	/* of all pages */

/* Makes an empty page, or question, the last one. E_MEMORY: l or p is as it was. */
enum status lesson_add_page(struct lesson *l, struct error *e);
enum status lesson_add_question(struct lesson_page *p, struct error *e);

/* ---- text forms ---- */

/* "weights 1:0", "row-sums 1"; false, and *c as it was, for anything else. Stages
 * are scores, scaled, masked, weights, output. */
bool lesson_cell_parse(struct lesson_cell *c, const char *text);
void lesson_cell_text(const struct lesson_cell *c, struct buffer *out);
/* "1:0", with `stars` also "1:*" and "*:0". */
bool lesson_place_parse(struct lesson_place *p, const char *text, bool stars);

/* ---- the state of a page ---- */

/* Sets the options of `from` that have a mark on top of *o: a page's (set,
 * set_mark), or a goal's. E_MEMORY; o is then as it was. */
enum status lesson_set_options(struct options *o, const struct options *from, const struct mark mark[OPT_COUNT],
			       struct error *e);

/* The number that stands there now. E_VALUE when the attention has no such cell
 * (the text says what it has instead), E_MEMORY. */
enum status lesson_cell_value(const struct lesson_cell *c, const struct attention *a, double *value, struct error *e);

/* ---- whether a goal is reached ---- */

/* What is on the screen now. */
struct lesson_now {
	const struct options *options;	/* in force: attention.options, with those of the bug */
	const struct edits *edits;
	size_t row, column;		/* of the cursor */
	bool cursor_known;		/* false: no condition about the cursor holds */
	unsigned panels;		/* 1 << LESSON_PANEL_*: those that are open */
	unsigned live;			/* 1 << LESSON_LIVE_*: what the goal says of a model and is true */
	const double *cell;		/* of the goal's cell (lesson_cell_value); NULL: not there, or none is named */
};

/* Each is true where the goal says nothing of the kind. */
bool lesson_condition_options_hold(const struct lesson_condition *c, const struct options *in_force);
bool lesson_condition_at_holds(const struct lesson_condition *c, size_t row, size_t column);
bool lesson_condition_edited_holds(const struct lesson_condition *c, const struct edits *edits, size_t head);
bool lesson_condition_cell_holds(const struct lesson_condition *c, double value);
/* All of them. */
bool lesson_condition_holds(const struct lesson_condition *c, const struct lesson_now *now);

/* ---- answers ---- */

enum lesson_answer {
	LESSON_WRONG, LESSON_RIGHT,
	LESSON_OTHER_KIND,	/* a number where nan or an infinity is right, or the other way round */
};

/* A typed answer to a CELL or NUMBER question; `right` is lesson_cell_value, or
 * q->number. nan is right for nan, an infinity for that of the same sign, and a
 * number within the tolerance, its bounds included. */
enum lesson_answer lesson_check_number(const struct lesson_question *q, double typed, double right);
/* The choice of a CHOICE question, counted from 0. */
enum lesson_answer lesson_check_choice(const struct lesson_question *q, size_t chosen);

#endif
