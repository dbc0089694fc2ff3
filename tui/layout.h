/* layout.h - where everything stands on a screen of a given size.
 *
 * The full layout fits 80x24. Smaller screens lose, in this order: the footer,
 * the by-hand line, the rule above it, the switches, the cell's line, the
 * title, the sentence; at the right the entropy, then the largest weight. The
 * grid and the row sums stay. Below 20x6 only a notice is left.
 * Before an audience (present.h) there are the title, the switches where there is room,
 * the grid with its sums, the cell's line, and a bar at the bottom with the key and its
 * sentence; cells are as large as all rows have room for.
 * A panel takes its room from below the grid: the grid keeps four rows, and the
 * cell's lines stay where all rows fit; the experiment takes all but the title,
 * the sentence and the footer. A lesson stands below all of these, likewise, and the
 * text of a language model, with what it says comes next, below that.
 */
#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

struct state;

struct layout {
	bool small;
	/* screen rows; -1: not shown */
	int title, switches, labels, grid, rule, cell, products, hand, sentence, footer;
	int bar_rows;			/* of the bar of present.h, which begins at `sentence`; 0: none */
	int grid_rows;			/* screen rows of the grid */
	int panel, panel_rows;		/* first screen row of the panel, and how many; 0: none */
	int lesson, lesson_rows;	/* likewise of the lesson */
	int live, live_rows;		/* likewise of a language model, below all of these */
	int label_width;		/* after the two columns of the cursor mark */
	int cells;			/* first screen column of the cells */
	int cell_width, cell_height;
	int number_width;		/* columns a number may take in its cell */
	bool numbers;			/* cells are large enough for numbers */
	size_t visible_rows, visible_columns;
	int sums;			/* first screen column of the bar and the sums; -1: none */
	int bar_width, sum_width, verdict_width;
	bool largest, entropy, cause;
};

/* Measures the labels when what is shown has changed; before layout_make. */
void layout_measure(struct state *s);

void layout_make(struct layout *l, const struct state *s);

/* Cell of the shown matrix under a screen position; false outside the grid. */
bool layout_hit(const struct layout *l, const struct state *s, int row, int column, size_t *i, size_t *j);

#endif
