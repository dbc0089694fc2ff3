/* player.h - a state that is played by keys, with I/O that touches no disk.
 *
 * For tests and the fuzz program. What cannot be done stops the program with a
 * line on stderr, so that no assertion of cmocka is needed here.
 */
#ifndef TESTS_PLAYER_H
#define TESTS_PLAYER_H

#include "tests/cells_check.h"
#include "tui/state.h"

struct player {
	struct state state;
	struct random_tables tables;
	struct cells cells;		/* of the last player_draw */
	unsigned effects;		/* of the last keys */
};

/* What the fake port `write` was given last; kept until the next. */
struct written {
	char name[256];
	struct buffer data;
	bool replace;
	size_t calls;
};
extern struct written written;
/* Its name is taken: the port refuses it unless it is to replace. */
#define TAKEN_NAME "taken.yaml"

/* Names that the fake port `masks` knows, with one row of one flag a key: the
 * last key hidden; a matrix of another shape. Anything else is E_FILE. */
#define MASK_LAST "last-key"
#define MASK_MISFIT "misfit"

/* The ports: built-in scenarios by name, and `:o own`, once player_own() said
 * what that is. */
extern const struct ports player_ports;
void player_own(const char *yaml);

/* A screen of 80 x 24 with a built-in scenario, or with one from a text. */
void player_open(struct player *p, const char *name);
void player_open_yaml(struct player *p, const char *yaml);
void player_close(struct player *p);

/* Keys as key_parse reads them, separated by blanks. */
void player_keys(struct player *p, const char *keys);
/* Each character of a text as a key. */
void player_type(struct player *p, const char *text);
/* `:`, the text, Enter. */
void player_command(struct player *p, const char *text);
void player_paste(struct player *p, const char *text, size_t n);
/* As the terminal's loop handles it: what is drawn there, else the cell. */
void player_click(struct player *p, int row, int column);
void player_wheel(struct player *p, bool down);

/* Draws into p->cells. */
void player_draw(struct player *p);
/* A number of the stage that is shown. */
double player_value(struct player *p, size_t row, size_t column);
/* One line of the picture as text, without the blanks at its end. */
const char *player_line(struct player *p, int row, char *out, size_t size);

/* NULL when cursor, scrolling and flash fit what is shown; else what is wrong. */
const char *state_fault(const struct state *s);

#endif
