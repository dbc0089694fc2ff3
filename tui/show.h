/* show.h - `qkv show`: one stage as text or bytes, row by row.
 *
 * Every row goes through row_compute, and of n x n numbers only those of one
 * row are held, whatever the format (but what has been written; and .npy,
 * whose writer takes the whole array).
 */
#ifndef TUI_SHOW_H
#define TUI_SHOW_H

#include "core/buffer.h"
#include "core/problem.h"
#include "tui/live_point.h"

enum show_format {
	SHOW_TABLE, SHOW_NUMPY, SHOW_CSV, SHOW_JSON, SHOW_NPY, SHOW_LATEX,
	SHOW_SCRIPT,			/* Python with NumPy that prints the same as SHOW_NUMPY */
	SHOW_WORKSHEET,			/* the same numbers asked for: text, */
	SHOW_WORKSHEET_MD,		/* Markdown, */
	SHOW_WORKSHEET_HTML,		/* a page to print */
	SHOW_FORMAT_COUNT
};

/* A Python slice a:b of an axis, or one index; a zeroed struct is all of it. */
struct slice {
	bool has_from, has_to;
	bool single;		/* from is the one index */
	long from, to;		/* negative: from the end */
};

struct show_request {
	const struct problem *problem;
	const struct scenario *input;		/* that the problem was made from: its title, how it is drawn; may be NULL */
	const struct options *options;		/* in force; stage, array and precision say what is shown */
	const struct random_tables *tables;
	const char *scenario;			/* its name */
	enum show_format format;
	bool row_sums;				/* instead of the stage */
	bool array_given;			/* array was asked for: it must be there */
	bool precision_given;			/* on the command line: csv, json and npy refuse it */
	struct slice rows, columns;
	int width;				/* columns of a table; 0: as many as it needs */
	bool ascii;				/* of a table: nothing but ASCII */
	const struct live_point *live;		/* of a language model's head: its text and interventions; or NULL */
	const char *model;			/* with `live`: the file of the model; NULL: the built-in one */
	/* A, the stage of which is taken off the same stage of this, B, where both have a cell;
	 * its options say which stage and array that is. NULL: nothing is. Not for a script or a worksheet. */
	const struct show_request *minus;
};

/* Appends what is asked for. E_VALUE or E_SHAPE about an option that does not
 * fit the problem, E_MEMORY; out is then to be thrown away. */
enum status show(struct buffer *out, const struct show_request *request, struct error *e);

/* Appends text from anywhere so that a terminal may show it (text.h). */
void show_safe_text(struct buffer *out, const char *text, bool ascii);

#endif
