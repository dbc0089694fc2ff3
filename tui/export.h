/* export.h - a picture as a file: plain text, text with colours, SVG, HTML.
 *
 * Every writer appends to a buffer; an allocation that failed is remembered
 * there (core/buffer.h). Output is UTF-8, in the picture's own order of cells
 * (right-to-left letters too), and never holds a control character that came
 * from the cells: those, and what XML forbids, are written as U+FFFD. Colours
 * are written as they stand in the cells, so draw for the depth that is wanted
 * (SVG and HTML: DEPTH_TRUE). The text cursor is not part of the picture.
 */
#ifndef TUI_EXPORT_H
#define TUI_EXPORT_H

#include "core/buffer.h"
#include "tui/cells.h"
#include "tui/color.h"

struct export_options {
	enum theme theme;	/* what the default colours are */
	const char *title;	/* UTF-8, made safe by text.h; NULL or "": "qkv" */
};

/* One line a row, blanks at its end cut, colours and attributes left out. */
void export_text(const struct cells *c, struct buffer *out);
/* The same with SGR sequences where the style changes; blanks at the end that
 * would show are kept, and each line ends in the terminal's own style. */
void export_ansi(const struct cells *c, struct buffer *out);
/* A document of its own that needs nothing else. Each label or number, that
 * is, text of one style without two blanks in a row, is one <text> at its
 * place; each run of one background is one <rect>. */
void export_svg(const struct cells *c, const struct export_options *o, struct buffer *out);
/* A document of its own: one <pre>, with a <span> where the style changes. */
void export_html(const struct cells *c, const struct export_options *o, struct buffer *out);

#endif
