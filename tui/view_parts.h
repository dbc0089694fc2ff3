/* view_parts.h - the panes of view.c, one file each. */
#ifndef TUI_VIEW_PARTS_H
#define TUI_VIEW_PARTS_H

#include "core/color_range.h"
#include "core/number.h"
#include "core/row.h"
#include "tui/digits.h"
#include "tui/layout.h"
#include "tui/view.h"

/* What every pane is given. */
struct canvas {
	struct state *s;
	struct look look;
	struct layout l;
	struct pane screen;
	struct hits *hits;	/* may be NULL */
};

void canvas_hit(struct canvas *c, int row, int column, int width, enum command command);
/* Text at *x, which moves behind it; nothing is drawn past `end`. */
void canvas_run(struct canvas *c, int row, int *x, int end, const char *text, struct style style);

static inline struct style canvas_paint(const struct canvas *c, enum paint p)
{
	return color_paint(&c->look, p);
}

void view_title(struct canvas *c);
void view_switches(struct canvas *c);
void view_grid(struct canvas *c);
void view_details(struct canvas *c);	/* rule, cell, products, by hand */
void view_sentence(struct canvas *c);	/* the sentence and the legend, or the prompt */
void view_footer(struct canvas *c);
/* Before an audience: the key and its sentence, with the line that is typed in its place. */
void view_bar(struct canvas *c);
/* All that is drawn, in black and white where a colour says nothing. */
void view_high_contrast(struct canvas *c);
void view_prompt(struct canvas *c, int row);
void view_help_place(struct canvas *c, int row);
void view_help(struct canvas *c);
void view_picker(struct canvas *c);
void view_panel(struct canvas *c);	/* which of the following is open */
void view_verify(struct canvas *c);
void view_influence(struct canvas *c);
void view_gradient(struct canvas *c);
void view_bugs(struct canvas *c);
void view_clinic(struct canvas *c);
void view_sweep(struct canvas *c);
void view_predict(struct canvas *c);
void view_inspector(struct canvas *c);
void view_walk(struct canvas *c);
void view_heads(struct canvas *c);
void view_overview(struct canvas *c);
void view_live(struct canvas *c);
void view_lesson(struct canvas *c);	/* below all of these */

/* A | B in the grid's place, and what differs in the lines below it (compare.h). */
void view_beside(struct canvas *c);
void view_compare_lines(struct canvas *c);
/* How much differs: "6 of 9 cells differ, most by -0.341 at 0:0; row sums equal". */
void view_compare_found(const struct state *s, struct buffer *out);
/* What stands there while the mean over heads is shown. */
void view_mean_lines(struct canvas *c);

/* Bytes of text that fill a line of so many columns, cut at a blank where there is one. */
size_t view_line_bytes(const char *text, int columns, bool ascii);

/* What stands above the sums of the rows, and beside row i, drawn at y: r, its query, or NULL;
 * moved: what its output moves with and must not (panel_moved). view_sums.c */
void view_sum_header(const struct canvas *c);
void view_sums(const struct canvas *c, int y, size_t i, const struct row *r, bool flashing, unsigned moved);
/* "Σ w": what stands above sums of weights where other numbers are shown and room is short. */
const char *view_sum_brief(const struct canvas *c);
/* Why the sum of a row is not 1, in a few words; "" where it is. */
const char *view_cause(const struct state *s, const struct row *r);

/* Up to `digits` after the point, without trailing zeros; 1.5e+08 when large. */
void view_short_number(double x, int digits, char out[NUMBER_SIZE]);
/* What hides or keeps a cell, or visible. */
void view_mask_text(const struct state *s, const struct row *r, size_t j, struct buffer *out);
/* As on a blackboard: two digits at most, those that x does not have left out. */
void view_board_number(double x, char out[NUMBER_SIZE]);
/* The number that this is. */
double view_board_value(double x);
/* What stands between a term and its value on the board: an equals sign only where nothing was rounded. */
const char *view_board_equals(double x, bool ascii);
/* Whether two sums are two numbers on the board: 1 and 1.0004 are not. */
bool view_board_differ(double a, double b);
/* n numbers as on a blackboard, added: "1 + 2.72 = 3.72", the middle folded where it takes more
 * columns than `room`; where the rounded numbers would give another sum, `brief` says which. */
void view_board_sum(const double *v, size_t n, double sum, int room, bool ascii, bool brief, struct buffer *out);

/* ---- panels that are not told row by row as they are drawn (spoken_panel.c) ---- */

/* The bug lab in lines: the mistakes, the clinics, and what is known of the chosen one. */
void view_bugs_text(const struct state *s, struct buffer *out);
/* What the notebook of the d_k experiment says. */
void view_sweep_sentence(bool revealed, struct buffer *out);
/* Where the picture of the mask begins beside a walk's lines; 0: there is none. */
int view_walk_mask(const struct state *s);

/* ---- what panels share ---- */

/* The panel's first row: a rule with the title in it, and the progress of what
 * is still computed. Returns the pane below it. */
struct pane panel_head(struct canvas *c, const char *title);
/* The same of `rows` rows from a row on, the rule up to column `end`. */
struct pane panel_head_at(struct canvas *c, int row, int rows, const char *title, int end);
/* Text in lines of the pane's width, broken at blanks, from `row` on; at most
 * `most` of them, the last cut with a mark. Returns the rows used. */
int panel_wrap(const struct pane *p, int row, int column, const char *text, int most, struct style style);
/* The first of some texts, the longest first, that has room; the last if none has. */
const char *panel_fitting(const char *const *text, int room, bool ascii);
/* Two dots of a picture in one cell, one above the other; COLOR_DEFAULT: none there. */
void panel_two_dots(const struct pane *p, int row, int column, color upper, color lower);
/* Columns of the widest of n tokens from one on; `least`, which is at most `most`,
 * where all are narrower, and `most` where they are cut. */
int panel_widest(const struct tokens *tokens, size_t from, size_t n, int least, int most, bool ascii);

/* How the numbers of the shown matrix become colours: made once a frame, and
 * the legend shows the same. view_scale.c */
struct scale {
	enum color_map map;
	double low, high;
	bool constant;		/* no two finite numbers differ: low == high, drawn as the middle */
	enum range_mode mode;	/* of the option range */
};
/* Where each row has its own: that of the cursor's row. */
struct scale view_scale(struct state *s, const struct layout *l);
/* The scale that row i is drawn with. */
struct scale view_row_scale(struct state *s, const struct layout *l, const struct scale *scale, size_t i);
double scale_value(const struct scale *scale, double x);	/* 0 .. 1 */
/* Outside the limits that are set. */
bool scale_excludes(const struct scale *scale, double x);
/* How the ends were found, "" when that is as always. */
const char *scale_word(const struct scale *scale);
/* B - A where both have a cell; nan where A has none. a: A's row, of n numbers, or NULL. */
double view_difference(const double *a, size_t n, const double *b, size_t j);
/* One column for a number that has no room for digits; a blank where colour alone tells. */
const char *view_small_glyph(enum number_look look, bool ascii);

/* One cell of a matrix, drawn at the layout's width and height. */
struct cell_info {
	double value;
	bool hidden, kept, edited, flashing, cursor;
	bool in_row, in_column;	/* of the cursor, which stand out (present.h) */
	bool blank;		/* asked for: nothing of the number is shown, but `mark` */
	const char *mark;
};
void view_cell(const struct canvas *c, int y, int x, const struct scale *scale, const struct cell_info *info);
/* The cursor's right bracket may stand in the next cell's first column: drawn last. */
void view_close_bracket(const struct canvas *c, int y, int x);

/* The sum of a row as it stands beside the row. view_sums.c */
void view_sum_text(double sum, enum verdict verdict, int precision, char out[NUMBER_SIZE]);

#endif
