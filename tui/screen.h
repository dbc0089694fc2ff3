/* screen.h - the interactive screen. */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include "tui/frame.h"

/* Runs until the user quits. Returns the exit status; e is filled when it is 2. */
int screen_run(struct screen_options *o, struct error *e);

#endif
