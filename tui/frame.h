/* frame.h - plays keys without a terminal and writes the last picture. */
#ifndef TUI_FRAME_H
#define TUI_FRAME_H

#include "core/buffer.h"
#include "tui/state.h"

struct screen_options {
	const struct random_tables *tables;
	const char *input;		/* what the scenario was opened from, as given */
	struct scenario *scenario;	/* taken over */
	struct options *options;	/* in force at the start; taken over */
	struct live_dock *live;		/* the model that made the scenario, and where it stands; taken over; or NULL */
	struct live_point *point;
	struct lesson *lesson;		/* that the screen begins with; taken over; or NULL */
	const char *const *given;	/* by option: not NULL where the command line sets it; NULL: unknown */
	const char *keys;		/* that the screen begins with, played before the first picture; NULL: none */
	bool resume;			/* go on with the kept session; scenario and options may be NULL */
	bool speak;			/* lines instead of a screen (spoken.h) */
	bool input_is_data;		/* standard input was read as data: keys come from /dev/tty */
	bool ascii;			/* the locale is not UTF-8, or --ascii */
};

enum frame_format { FRAME_TEXT, FRAME_ANSI, FRAME_SVG, FRAME_HTML };

/* Plays keys (as `qkv frame --keys` takes them) and appends the last picture.
 * An unknown key name is E_SYNTAX. */
enum status frame_write(struct buffer *out, struct screen_options *o, const char *keys,
			int rows, int columns, enum frame_format format, struct error *e);

/* Plays keys; what they ask of a terminal is not done. E_SYNTAX as above, with those before played. */
enum status frame_play(struct state *s, const char *keys, struct error *e);

/* The state that a screen begins with, and its I/O: for screen.c. */
extern const struct ports frame_ports;
enum status frame_start(struct state *s, struct screen_options *o, struct error *e);

#endif
