/* cells.h - the picture: a grid of terminal cells, and what may stand in one.
 *
 * Views write cells, the terminal and the exporters read them; nothing else
 * draws. A cell holds one grapheme cluster of width 1 or 2; the column right
 * of a wide one has width 0 and no text. Colours are final for the depth that
 * the view was asked to draw for (color.h).
 */
#ifndef TUI_CELLS_H
#define TUI_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"

/* A colour: the terminal's own, one of its palette, or 24-bit RGB. */
typedef uint32_t color;
#define COLOR_DEFAULT 0u
#define COLOR_PALETTE(n) (0x01000000u | (uint32_t)(n))		/* 0..255 */
#define COLOR_RGB(r, g, b) (0x02000000u | (uint32_t)(r) << 16 | (uint32_t)(g) << 8 | (uint32_t)(b))

enum attribute { BOLD = 1, DIM = 2, UNDERLINE = 4, REVERSE = 8 };

struct style {
	color foreground, background;
	unsigned attributes;
};

enum { CLUSTER_MAX = 5 };	/* ncurses' own limit: one base and four marks */

struct cell {
	uint32_t code[CLUSTER_MAX];	/* code points; code[0] is ' ' when blank */
	uint8_t count;			/* of code points; 0 in the right half of a wide cell */
	uint8_t width;			/* 1, 2, or 0 */
	struct style style;
};

struct cells {
	int rows, columns;
	struct cell *cell;		/* rows * columns, row-major; owned */
	int cursor_row, cursor_column;	/* the text cursor; row -1 hides it */
};

/* All blank, in the default style. E_MEMORY; a size below 1 counts as 1. */
enum status cells_init(struct cells *c, int rows, int columns, struct error *e);
/* Resizes when needed and blanks everything. On error c is as it was. */
enum status cells_reset(struct cells *c, int rows, int columns, struct error *e);
void cells_free(struct cells *c);

static inline struct cell *cells_at(const struct cells *c, int row, int column)
{
	return &c->cell[(long)row * c->columns + column];
}

/* A rectangle of the picture, in which a pane draws without knowing where it
 * is: coordinates are relative, and what falls outside is clipped. */
struct pane {
	struct cells *cells;
	int row, column, rows, columns;
	bool ascii;		/* text that is not ASCII is escaped (text.h) */
};

/* A part of p; the result is clipped to p. */
struct pane pane_part(const struct pane *p, int row, int column, int rows, int columns);

/* Writes UTF-8 text from (row, column), made safe by text.h, at most `width`
 * columns of it (negative: no limit but the pane). Longer text is cut with a
 * mark. Returns the columns used. A wide character that would be cut in half
 * becomes a blank. Overwriting half of a wide cell blanks its other half. */
int pane_text(const struct pane *p, int row, int column, const char *text, int width,
	      struct style style);
/* The same, padded with blanks in the style to exactly `width` (less where the
 * pane ends: a number is never cut without a mark); align -1 left, 0 centre, 1
 * right. Cut text keeps its beginning. Returns the columns filled. */
int pane_field(const struct pane *p, int row, int column, const char *text, int width,
	       int align, struct style style);
void pane_fill(const struct pane *p, int row, int column, int rows, int columns,
	       struct style style);
/* Puts a style on what is there already; both halves of a wide cell follow the left one. */
void pane_style(const struct pane *p, int row, int column, int columns, struct style style);

#endif
