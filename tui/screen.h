/* screen.h - the interactive screen, and the same without a terminal. */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include <stdbool.h>

#include "core/buffer.h"
#include "core/problem.h"
#include "core/random.h"

struct screen_options {
	const struct random_tables *tables;
	struct scenario *scenario;	/* taken over */
	struct options *options;	/* in force at the start; taken over */
	bool resume;			/* go on with the kept session; scenario and options may be NULL */
	bool input_is_data;		/* standard input was read as data: keys come from /dev/tty */
	bool ascii;			/* the locale is not UTF-8, or --ascii */
};

/* Runs until the user quits. Returns the exit status; E is filled when it is 2. */
int screen_run(struct screen_options *o, struct error *e);

enum frame_format { FRAME_TEXT, FRAME_ANSI, FRAME_SVG, FRAME_HTML };

/* Plays keys (as `qkv frame --keys` takes them) and writes the last picture. An unknown
 * key name is E_SYNTAX. */
enum status screen_frame(struct buffer *out, struct screen_options *o, const char *keys,
			 int rows, int columns, enum frame_format format, struct error *e);

#endif
