/* command.h - the one registry of commands.
 *
 * It feeds dispatch, the key map, the help screen, the footer, `:` completion,
 * the man page and the README. What a command does is in action*.c.
 */
#ifndef TUI_COMMAND_H
#define TUI_COMMAND_H

#include <stdbool.h>

enum mode {
	MODE_GRID, MODE_HELP, MODE_PICKER, MODE_PROMPT, MODE_MARK, MODE_RECALL,
	MODE_BUGS, MODE_CLINIC, MODE_SWEEP, MODE_PREDICT, MODE_HEADS, MODE_OVERVIEW,	/* panels that take letters for themselves */
	MODE_COUNT
};

enum command {
	/* moving */
	CMD_UP, CMD_DOWN, CMD_LEFT, CMD_RIGHT, CMD_ROW_START, CMD_ROW_END, CMD_PAGE_UP, CMD_PAGE_DOWN,
	CMD_FIRST, CMD_LAST,
	/* stages */
	CMD_INPUT, CMD_SCORES, CMD_SCALED, CMD_MASKED, CMD_WEIGHTS, CMD_OUTPUT, CMD_JOINED,
	CMD_NEXT_STAGE, CMD_PREVIOUS_STAGE,
	/* switches */
	CMD_CAUSAL, CMD_PAD_KEY, CMD_PAD_MASK, CMD_SCALE, CMD_NEXT_SCALE, CMD_HIDE_CELL, CMD_NEXT_FILL,
	CMD_NEXT_EMPTY_ROW,
	/* numbers */
	CMD_EDIT, CMD_MORE, CMD_LESS, CMD_COOLER, CMD_HOTTER, CMD_FEWER_DIGITS, CMD_MORE_DIGITS,
	CMD_CLEAR_EDIT,
	/* going back */
	CMD_UNDO, CMD_REDO, CMD_RESET, CMD_NEXT_SEED,
	/* heads */
	CMD_PREVIOUS_HEAD, CMD_NEXT_HEAD, CMD_PREVIOUS_LAYER, CMD_NEXT_LAYER, CMD_HEADS, CMD_LIVE, CMD_AT, CMD_HEAD_OFF, CMD_PADDING, CMD_OVERVIEW,
	/* bookmarks */
	CMD_MARK, CMD_RECALL, CMD_PIN, CMD_DIFFERENCE,
	/* checks and experiments */
	CMD_VERIFY, CMD_BUG_LAB, CMD_INFLUENCE, CMD_GRADIENT, CMD_SWEEP, CMD_FORWARD, CMD_PREDICT, CMD_CLINIC,
	CMD_INSPECT, CMD_BACKWARD,
	/* the picture */
	CMD_CELL_SIZE, CMD_THEME, CMD_COLOR_OFF, CMD_REDRAW,
	/* files and text */
	CMD_OPEN_PICKER, CMD_LESSON, CMD_COMMAND_LINE_TEXT, CMD_EXPORT, CMD_FIND, CMD_FIND_NEXT, CMD_FIND_PREVIOUS,
	CMD_PROMPT, CMD_HELP,
	CMD_CLOSE, CMD_SUSPEND, CMD_QUIT, CMD_INTERRUPT,
	/* only by name, with an argument */
	CMD_SET, CMD_WRITE, CMD_WRITE_OVER, CMD_OPEN, CMD_GO, CMD_TOKENS, CMD_TOLERANCE, CMD_MOUSE, CMD_MEAN, CMD_PRESENT, CMD_SPOTLIGHT,
	CMD_COUNT
};

enum command_group {
	COMMANDS_MOVE, COMMANDS_STAGE, COMMANDS_SWITCH, COMMANDS_NUMBER, COMMANDS_BACK, COMMANDS_TRUST, COMMANDS_PICTURE,
	COMMANDS_FILE, COMMANDS_LEAVE, COMMANDS_NAMED, COMMAND_GROUP_COUNT
};

struct command_info {
	const char *name;	/* as `:` and `map` take it */
	enum command_group group;
	const char *keys;	/* defaults, separated by blanks, as key_parse reads them; "" for none */
	const char *argument;	/* what it takes after its name, or NULL */
	const char *hint;	/* two or three words for the footer, or NULL */
	const char *help;	/* one line */
};

const struct command_info *command_info(enum command c);
const char *command_group_name(enum command_group g);
/* By name; CMD_COUNT when there is none. */
enum command command_find(const char *name);

#endif
