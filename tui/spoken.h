/* spoken.h - the screen told in lines, for what reads them aloud.
 *
 * Nothing here needs a terminal. What is drawn is told in words: the sentence, the cell
 * under the cursor when it moved, numbers that changed, the texts of panels, lists and
 * lessons when they open or change, the line that is typed as it grows. No line holds a
 * control character or a line-drawing character; what is asked for is not told.
 */
#ifndef TUI_SPOKEN_H
#define TUI_SPOKEN_H

#include "core/buffer.h"
#include "tui/cells.h"
#include "tui/spoken_text.h"
#include "tui/state.h"

/* The screen that is imagined: texts are wrapped to its width, and numbers are watched
 * for changes as far as they stand on it. */
enum { SPOKEN_ROWS = 100, SPOKEN_COLUMNS = 240 };

/* What has been told. A zeroed struct: nothing yet. */
struct spoken {
	bool begun;
	size_t said;				/* of the state */
	size_t scenario, rows, columns, row, column, top, left;
	int stage, array, compared, panel_number;
	double value;				/* of the cell under the cursor */
	char *typed;				/* what stands in the open line; NULL: no line is open */
	struct spoken_text panel, lesson, list;
	struct spoken_text live;		/* of a language model, below the grid */
	struct spoken_text sums;		/* of the rows on the screen */
	struct spoken_text numbers;		/* on the screen, row by row */
	struct spoken_text compare;		/* what tells B from A */
	struct cells cells;
};

void spoken_free(struct spoken *told);

/* Appends what is new since the last call, and remembers it; at first the whole screen.
 * After each key, and when what is computed in the background is done: a panel is told
 * only then. Numbers that changed are told once: their flash is over. The state has
 * SPOKEN_ROWS rows and SPOKEN_COLUMNS columns. Cost: drawing the screen. */
void spoken_lines(struct spoken *told, struct state *s, struct buffer *out);
/* The next call tells everything again. */
void spoken_again(struct spoken *told);

/* "row 1 tok, column 2 tok: 0.099, visible; row sum 1.000 ok", without a line's end. */
void spoken_cell(struct state *s, struct buffer *out);

#endif
