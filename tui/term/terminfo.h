/* terminfo.h - what terminfo says about a terminal, and an entry made of it in
 * memory. <term.h>, whose macros break ordinary code, stays in terminfo.c. */
#ifndef TUI_TERM_TERMINFO_H
#define TUI_TERM_TERMINFO_H

#include <stdbool.h>

#include "core/buffer.h"
#include "core/error.h"

enum {
	TERMINFO_RGB = 1 << 24,		/* colours of a direct-colour entry */
	TERMINFO_PALETTE = 1 << 25,	/* the overlay's colours: RGB, and from TERMINFO_RGB the palette */
};

struct terminfo {
	int colors;		/* 0 when there are none */
	bool direct;		/* has RGB or Tc */
	bool clipboard;		/* has Ms: takes text for its clipboard */
	bool ansi;		/* control sequences as in ECMA-48 */
	struct buffer restore;	/* what brings the screen back to the shell; owned */
	struct buffer cursor;	/* its last part, which shows the cursor; owned */
};

/* Reads the entry named term. E_FILE when it is unknown or cannot place the
 * cursor or clear the screen. Writes nothing to a terminal; fd is asked for its speed only. */
enum status terminfo_load(struct terminfo *out, const char *term, int fd, struct error *e);
void terminfo_free(struct terminfo *t);

/* The value for the variable TERMINFO that gives term the wanted colours:
 * 256, or TERMINFO_PALETTE for 24-bit ones. To be freed; NULL when it cannot be made. */
char *terminfo_overlay(const char *term, int fd, int colors);

#endif
