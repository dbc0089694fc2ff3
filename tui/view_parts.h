/* view_parts.h - the panes of view.c, one file each. */
#ifndef TUI_VIEW_PARTS_H
#define TUI_VIEW_PARTS_H

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

void view_title(struct canvas *c);
void view_switches(struct canvas *c);
void view_grid(struct canvas *c);
void view_details(struct canvas *c);	/* rule, cell, products, by hand */
void view_sentence(struct canvas *c);	/* the sentence and the legend, or the prompt */
void view_footer(struct canvas *c);
void view_help(struct canvas *c);
void view_picker(struct canvas *c);

/* How the numbers of the shown matrix become colours: made once a frame, and
 * the legend shows the same. */
struct scale {
	enum color_map map;
	double low, high;
	bool constant;		/* no two finite numbers differ: low == high, drawn as the middle */
};
struct scale view_scale(struct state *s, const struct layout *l);
double scale_value(const struct scale *scale, double x);	/* 0 .. 1 */

#endif
