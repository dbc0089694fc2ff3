/* speak.h - the program without a screen: keys in, lines out (spoken.h). */
#ifndef TUI_SPEAK_H
#define TUI_SPEAK_H

#include "tui/state.h"
#include "tui/term/speaker.h"

/* Until the user quits: 0, 130 on Ctrl-C, -signal when one asks to end, as if by SIGHUP
 * when the terminal is gone. */
int speak(struct state *s, struct speaker *t);

#endif
