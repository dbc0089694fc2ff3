/* command.c - the one registry of commands. */
#include "tui/command.h"

#include <string.h>

static const struct command_info table[CMD_COUNT] = {
	[CMD_UP] = { "up", COMMANDS_MOVE, "<Up> k", NULL, NULL, "one query up" },
	[CMD_DOWN] = { "down", COMMANDS_MOVE, "<Down> j", NULL, NULL, "one query down" },
	[CMD_LEFT] = { "left", COMMANDS_MOVE, "<Left> h", NULL, NULL, "one key to the left" },
	[CMD_RIGHT] = { "right", COMMANDS_MOVE, "<Right> l", NULL, NULL, "one key to the right" },
	[CMD_ROW_START] = { "row-start", COMMANDS_MOVE, "<Home>", NULL, NULL, "first key of the row" },
	[CMD_ROW_END] = { "row-end", COMMANDS_MOVE, "<End>", NULL, NULL, "last key of the row" },
	[CMD_PAGE_UP] = { "page-up", COMMANDS_MOVE, "<PgUp>", NULL, NULL, "a screen up" },
	[CMD_PAGE_DOWN] = { "page-down", COMMANDS_MOVE, "<PgDn>", NULL, NULL, "a screen down" },
	[CMD_FIRST] = { "first", COMMANDS_MOVE, "g", NULL, NULL, "first query" },
	[CMD_LAST] = { "last", COMMANDS_MOVE, "G", NULL, NULL, "last query" },

	[CMD_INPUT] = { "show-input", COMMANDS_STAGE, "0", NULL, NULL, "Q; again K, V, X, W_Q and so on" },
	[CMD_SCORES] = { "show-scores", COMMANDS_STAGE, "1", NULL, NULL, "the scores Q K^T" },
	[CMD_SCALED] = { "show-scaled", COMMANDS_STAGE, "2", NULL, NULL, "the scores after the scale rule" },
	[CMD_MASKED] = { "show-masked", COMMANDS_STAGE, "3", NULL, NULL, "the scores with the masks applied" },
	[CMD_WEIGHTS] = { "show-weights", COMMANDS_STAGE, "4", NULL, "weights", "the weights, softmax of each row" },
	[CMD_OUTPUT] = { "show-output", COMMANDS_STAGE, "5", NULL, NULL, "the output, weights times V" },
	[CMD_JOINED] = { "show-joined", COMMANDS_STAGE, "6", NULL, NULL, "all heads side by side, times W_O" },
	[CMD_NEXT_STAGE] = { "next-stage", COMMANDS_STAGE, "<Tab>", NULL, "stage", "the next stage" },
	[CMD_PREVIOUS_STAGE] = { "previous-stage", COMMANDS_STAGE, "<S-Tab>", NULL, NULL, "the stage before" },

	[CMD_CAUSAL] = { "toggle-causal", COMMANDS_SWITCH, "c", NULL, "causal", "causal mask on or off" },
	[CMD_PAD_KEY] = { "toggle-pad", COMMANDS_SWITCH, "p", NULL, "pad", "padding on or off for the key under the cursor" },
	[CMD_PAD_MASK] = { "toggle-pad-mask", COMMANDS_SWITCH, "P", NULL, "mask", "padding mask on or off" },
	[CMD_SCALE] = { "toggle-scale", COMMANDS_SWITCH, "s", NULL, "scale", "scale factor on or off" },
	[CMD_NEXT_SCALE] = { "next-scale", COMMANDS_SWITCH, "S", NULL, NULL, "next scale rule: sqrt, none, dk, dmodel" },
	[CMD_HIDE_CELL] = { "toggle-cell", COMMANDS_SWITCH, "x", NULL, "hide", "hide or show the cell under the cursor" },
	[CMD_NEXT_FILL] = { "next-fill", COMMANDS_SWITCH, "f", NULL, NULL, "next fill: -inf, -1e9, min, 0" },
	[CMD_NEXT_EMPTY_ROW] = { "next-empty-row", COMMANDS_SWITCH, "E", NULL, NULL, "next policy for a fully masked row" },

	[CMD_EDIT] = { "edit", COMMANDS_NUMBER, "<Enter>", NULL, "edit", "type a new value for the cell" },
	[CMD_MORE] = { "nudge-up", COMMANDS_NUMBER, "+ =", NULL, "nudge", "add one step to the value" },
	[CMD_LESS] = { "nudge-down", COMMANDS_NUMBER, "-", NULL, NULL, "take one step off the value" },
	[CMD_COOLER] = { "cooler", COMMANDS_NUMBER, "<lt>", NULL, NULL, "lower temperature: sharper weights" },
	[CMD_HOTTER] = { "hotter", COMMANDS_NUMBER, "<gt>", NULL, NULL, "higher temperature: flatter weights" },
	[CMD_FEWER_DIGITS] = { "fewer-digits", COMMANDS_NUMBER, ",", NULL, NULL, "one digit less" },
	[CMD_MORE_DIGITS] = { "more-digits", COMMANDS_NUMBER, ".", NULL, NULL, "one digit more" },
	[CMD_CLEAR_EDIT] = { "clear-edit", COMMANDS_NUMBER, "<Del>", NULL, NULL, "give the cell its own value back" },

	[CMD_UNDO] = { "undo", COMMANDS_BACK, "u", NULL, "undo", "take the last change back" },
	[CMD_REDO] = { "redo", COMMANDS_BACK, "<C-r>", NULL, NULL, "make it again" },
	[CMD_RESET] = { "reset", COMMANDS_BACK, "r", NULL, NULL, "the scenario as it was opened (can be undone)" },
	[CMD_NEXT_SEED] = { "next-seed", COMMANDS_BACK, "R", NULL, "seed", "next seed of random input" },
	[CMD_PREVIOUS_HEAD] = { "previous-head", COMMANDS_STAGE, "[", NULL, NULL, "the head before" },
	[CMD_NEXT_HEAD] = { "next-head", COMMANDS_STAGE, "]", NULL, NULL, "the next head" },
	[CMD_MARK] = { "mark", COMMANDS_BACK, "M", "1-9", NULL, "then 1-9: bookmark this state" },
	[CMD_RECALL] = { "recall", COMMANDS_BACK, "'", "1-9", NULL, "then 1-9: go to that bookmark" },

	[CMD_VERIFY] = { "verify", COMMANDS_TRUST, "v", NULL, "verify", "lamps: does the future leak, do rows sum to 1" },
	[CMD_BUG_LAB] = { "bug-lab", COMMANDS_TRUST, "b", NULL, "bugs", "named mistakes to try out, and clinics" },
	[CMD_INFLUENCE] = { "influence", COMMANDS_TRUST, "I", NULL, NULL, "does key j move output i? beside what the masks say" },
	[CMD_GRADIENT] = { "gradient", COMMANDS_TRUST, "J", NULL, NULL, "how much each weight still reacts to each score" },
	[CMD_SWEEP] = { "sweep", COMMANDS_TRUST, "w", "NAME VALUE ...", "sweep", "the d_k experiment: does softmax pile up unscaled?" },
	[CMD_FORWARD] = { "forward", COMMANDS_TRUST, "<Space>", NULL, "add, reveal", "add a mistake to another; complete the sentence" },
	[CMD_CLINIC] = { "clinic", COMMANDS_NAMED, "", "NAME", NULL, "one row under many treatments; b lists the clinics" },

	[CMD_CELL_SIZE] = { "cell-size", COMMANDS_PICTURE, "z", NULL, NULL, "normal, large or small cells" },
	[CMD_THEME] = { "next-theme", COMMANDS_PICTURE, "t", NULL, NULL, "dark or light colours" },
	[CMD_COLOR_OFF] = { "toggle-color", COMMANDS_PICTURE, "m", NULL, NULL, "colour off or on" },
	[CMD_REDRAW] = { "redraw", COMMANDS_PICTURE, "<C-l>", NULL, NULL, "draw everything again" },

	[CMD_OPEN_PICKER] = { "scenarios", COMMANDS_FILE, "o", NULL, "open", "choose a scenario" },
	[CMD_COMMAND_LINE_TEXT] = { "show-command", COMMANDS_FILE, "y", NULL, NULL, "the command line that reproduces this screen" },
	[CMD_EXPORT] = { "export", COMMANDS_FILE, "e", NULL, NULL, "write the screen or the scenario to a file" },
	[CMD_FIND] = { "find", COMMANDS_FILE, "/", "TEXT", NULL, "find a token" },
	[CMD_FIND_NEXT] = { "find-next", COMMANDS_FILE, "n", NULL, NULL, "next token found" },
	[CMD_FIND_PREVIOUS] = { "find-previous", COMMANDS_FILE, "N", NULL, NULL, "token found before" },
	[CMD_PROMPT] = { "prompt", COMMANDS_FILE, ":", NULL, "command", "type a command; Tab completes, Up recalls" },
	[CMD_HELP] = { "help", COMMANDS_FILE, "? <F1>", NULL, "help", "this help" },

	[CMD_CLOSE] = { "close", COMMANDS_LEAVE, "<Esc>", NULL, "close", "close what is open; never quits" },
	[CMD_SUSPEND] = { "suspend", COMMANDS_LEAVE, "<C-z>", NULL, NULL, "stop; fg in the shell comes back" },
	[CMD_QUIT] = { "quit", COMMANDS_LEAVE, "q", NULL, "quit", "quit; the session is kept for --resume" },
	[CMD_INTERRUPT] = { "interrupt", COMMANDS_LEAVE, "<C-c>", NULL, NULL, "quit with status 130" },

	[CMD_SET] = { "set", COMMANDS_NAMED, "", "OPTION VALUE", NULL, "set any option; :OPTION VALUE is the same" },
	[CMD_WRITE] = { "w", COMMANDS_NAMED, "", "FILE", NULL, "write: .yaml the scenario; .txt .ansi .svg .html the screen" },
	[CMD_WRITE_OVER] = { "w!", COMMANDS_NAMED, "", "FILE", NULL, "the same, and replace a file that exists" },
	[CMD_OPEN] = { "o", COMMANDS_NAMED, "", "NAME", NULL, "open a scenario or a file" },
	[CMD_TOKENS] = { "tokens", COMMANDS_NAMED, "", "WORD ...", NULL, "own tokens with seeded Q, K, V" },
	[CMD_MOUSE] = { "mouse", COMMANDS_NAMED, "", "on|off", NULL, "off leaves the mouse to the terminal, for selecting text" },
};

const struct command_info *command_info(enum command c)
{
	return &table[c];
}

const char *command_group_name(enum command_group g)
{
	static const char *const name[] = {
		"Moving", "Stages and heads", "Masks and scale", "Numbers", "Back and forth", "Checks and experiments",
		"The picture", "Scenarios, text, files", "Leaving", "By name, after :",
	};
	return name[g];
}

enum command command_find(const char *name)
{
	for (int c = 0; c < CMD_COUNT; c++)
		if (!strcmp(table[c].name, name))
			return (enum command)c;
	return CMD_COUNT;
}
