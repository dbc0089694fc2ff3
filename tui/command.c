/* command.c - the one registry of commands. */
#include "tui/command.h"

#include <string.h>

#include "core/message.h"

static const struct command_info table[CMD_COUNT] = {
	[CMD_UP] = { "up", COMMANDS_MOVE, "<Up> k", NULL, NULL, N_("one query up") },
	[CMD_DOWN] = { "down", COMMANDS_MOVE, "<Down> j", NULL, NULL, N_("one query down") },
	[CMD_LEFT] = { "left", COMMANDS_MOVE, "<Left> h", NULL, NULL, N_("one key to the left") },
	[CMD_RIGHT] = { "right", COMMANDS_MOVE, "<Right> l", NULL, NULL, N_("one key to the right") },
	[CMD_ROW_START] = { "row-start", COMMANDS_MOVE, "<Home>", NULL, NULL, N_("first key of the row") },
	[CMD_ROW_END] = { "row-end", COMMANDS_MOVE, "<End>", NULL, NULL, N_("last key of the row") },
	[CMD_PAGE_UP] = { "page-up", COMMANDS_MOVE, "<PgUp>", NULL, NULL, N_("a screen up") },
	[CMD_PAGE_DOWN] = { "page-down", COMMANDS_MOVE, "<PgDn>", NULL, NULL, N_("a screen down") },
	[CMD_FIRST] = { "first", COMMANDS_MOVE, "g", NULL, NULL, N_("first query") },
	[CMD_LAST] = { "last", COMMANDS_MOVE, "G", NULL, NULL, N_("last query") },

	[CMD_INPUT] = { "show-input", COMMANDS_STAGE, "0", NULL, NULL, N_("Q; again K, V, X, W_Q and so on") },
	[CMD_SCORES] = { "show-scores", COMMANDS_STAGE, "1", NULL, NULL, N_("the scores Q K^T") },
	[CMD_SCALED] = { "show-scaled", COMMANDS_STAGE, "2", NULL, NULL, N_("the scores after the scale rule") },
	[CMD_MASKED] = { "show-masked", COMMANDS_STAGE, "3", NULL, NULL, N_("the scores with the masks applied") },
	[CMD_WEIGHTS] = { "show-weights", COMMANDS_STAGE, "4", NULL, N_("weights"), N_("the weights, softmax of each row") },
	[CMD_OUTPUT] = { "show-output", COMMANDS_STAGE, "5", NULL, NULL, N_("the output, weights times V") },
	[CMD_JOINED] = { "show-joined", COMMANDS_STAGE, "6", NULL, NULL, N_("all heads side by side, times W_O") },
	[CMD_NEXT_STAGE] = { "next-stage", COMMANDS_STAGE, "<Tab>", NULL, N_("stage"), N_("the next stage") },
	[CMD_PREVIOUS_STAGE] = { "previous-stage", COMMANDS_STAGE, "<S-Tab>", NULL, NULL, N_("the stage before") },

	[CMD_CAUSAL] = { "toggle-causal", COMMANDS_SWITCH, "c", NULL, N_("causal"), N_("causal mask on or off") },
	[CMD_PAD_KEY] = { "toggle-pad", COMMANDS_SWITCH, "p", NULL, N_("pad"), N_("padding on or off for the key under the cursor") },
	[CMD_PAD_MASK] = { "toggle-pad-mask", COMMANDS_SWITCH, "P", NULL, N_("mask"), N_("padding mask on or off") },
	[CMD_SCALE] = { "toggle-scale", COMMANDS_SWITCH, "s", NULL, N_("scale"), N_("scale factor on or off") },
	[CMD_NEXT_SCALE] = { "next-scale", COMMANDS_SWITCH, "S", NULL, NULL, N_("next scale rule: sqrt, none, dk, dmodel") },
	[CMD_HIDE_CELL] = { "toggle-cell", COMMANDS_SWITCH, "x", NULL, N_("hide"), N_("hide or show the cell under the cursor") },
	[CMD_NEXT_FILL] = { "next-fill", COMMANDS_SWITCH, "f", NULL, NULL, N_("next fill: -inf, -1e9, min, 0") },
	[CMD_NEXT_EMPTY_ROW] = { "next-empty-row", COMMANDS_SWITCH, "E", NULL, NULL, N_("next policy for a fully masked row") },

	[CMD_EDIT] = { "edit", COMMANDS_NUMBER, "<Enter>", NULL, N_("edit"), N_("type a new value for the cell") },
	[CMD_MORE] = { "nudge-up", COMMANDS_NUMBER, "+ =", NULL, N_("nudge"), N_("add one step to the value") },
	[CMD_LESS] = { "nudge-down", COMMANDS_NUMBER, "-", NULL, NULL, N_("take one step off the value") },
	[CMD_COOLER] = { "cooler", COMMANDS_NUMBER, "<lt>", NULL, NULL, N_("lower temperature: sharper weights") },
	[CMD_HOTTER] = { "hotter", COMMANDS_NUMBER, "<gt>", NULL, NULL, N_("higher temperature: flatter weights") },
	[CMD_FEWER_DIGITS] = { "fewer-digits", COMMANDS_NUMBER, ",", NULL, NULL, N_("one digit less") },
	[CMD_MORE_DIGITS] = { "more-digits", COMMANDS_NUMBER, ".", NULL, NULL, N_("one digit more") },
	[CMD_CLEAR_EDIT] = { "clear-edit", COMMANDS_NUMBER, "<Del>", NULL, NULL, N_("give the cell its own value back") },

	[CMD_UNDO] = { "undo", COMMANDS_BACK, "u", NULL, N_("undo"), N_("take the last change of numbers or options back") },
	[CMD_REDO] = { "redo", COMMANDS_BACK, "<C-r>", NULL, NULL, N_("make it again") },
	[CMD_RESET] = { "reset", COMMANDS_BACK, "r", NULL, NULL, N_("the scenario as it was opened (can be undone)") },
	[CMD_NEXT_SEED] = { "next-seed", COMMANDS_BACK, "R", NULL, N_("seed"), N_("next seed of random input") },
	[CMD_PREVIOUS_HEAD] = { "previous-head", COMMANDS_STAGE, "[", NULL, NULL, N_("the head before") },
	[CMD_NEXT_HEAD] = { "next-head", COMMANDS_STAGE, "]", NULL, NULL, N_("the next head") },
	[CMD_PREVIOUS_LAYER] = { "previous-layer", COMMANDS_STAGE, "{", NULL, NULL, N_("the layer of the file before") },
	[CMD_NEXT_LAYER] = { "next-layer", COMMANDS_STAGE, "}", NULL, NULL, N_("the next layer of the file") },
	[CMD_HEADS] = { "heads", COMMANDS_STAGE, "H", NULL, N_("heads"), N_("all heads as pictures, and what they do in figures") },
	[CMD_OVERVIEW] = { "overview", COMMANDS_STAGE, "O", NULL, NULL, N_("the whole map of the weights, and the window in it") },
	[CMD_LIVE] = { "live", COMMANDS_STAGE, "X", "TEXT", N_("text"), N_("edit the text of the language model; without one, open it") },
	[CMD_AT] = { "at", COMMANDS_STAGE, "A", "1.0|1|all", N_("apply at"), N_("options apply to picture, head, layer, all in turn; :at takes a list") },
	[CMD_HEAD_OFF] = { "head-off", COMMANDS_STAGE, "K", "0.3,1.0", N_("head off"), N_("switch the shown head off or on; :head-off takes a list, all or none") },
	[CMD_MARK] = { "mark", COMMANDS_BACK, "M", "1-9", NULL, N_("then 1-9: bookmark this state") },
	[CMD_RECALL] = { "recall", COMMANDS_BACK, "'", "1-9", NULL, N_("then 1-9: go to that bookmark") },
	[CMD_PIN] = { "pin", COMMANDS_BACK, "a", NULL, N_("pin A"), N_("pin this state as A; unpin it where nothing has changed") },
	[CMD_DIFFERENCE] = { "difference", COMMANDS_BACK, "d", NULL, N_("A | B"), N_("A | B side by side; the difference B - A; B alone") },

	[CMD_VERIFY] = { "verify", COMMANDS_TRUST, "v", NULL, N_("verify"), N_("lamps: does the future leak, do rows sum to 1") },
	[CMD_BUG_LAB] = { "bug-lab", COMMANDS_TRUST, "b", NULL, N_("bugs"), N_("named mistakes to try out, and clinics") },
	[CMD_INFLUENCE] = { "influence", COMMANDS_TRUST, "I", NULL, NULL, N_("does key j move output i? beside what the masks say") },
	[CMD_GRADIENT] = { "gradient", COMMANDS_TRUST, "J", NULL, NULL, N_("how much each weight still reacts to each score") },
	[CMD_SWEEP] = { "sweep", COMMANDS_TRUST, "w", "NAME VALUE ...", N_("sweep"), N_("the d_k experiment: does softmax pile up unscaled?") },
	[CMD_PREDICT] = { "predict", COMMANDS_TRUST, "T", NULL, N_("predict"), N_("blank a cell, a row, hidden cells or a verdict; type them") },
	[CMD_FORWARD] = { "forward", COMMANDS_TRUST, "<Space>", NULL, NULL, N_("walk through the row; add a mistake; complete the sentence") },
	[CMD_BACKWARD] = { "backward", COMMANDS_TRUST, "<BS>", NULL, NULL, N_("one step of the walk back") },
	[CMD_INSPECT] = { "inspect", COMMANDS_TRUST, "i", NULL, NULL, N_("the whole arithmetic of the cell under the cursor") },
	[CMD_CLINIC] = { "clinic", COMMANDS_NAMED, "", "NAME", NULL, N_("one row under many treatments; b lists the clinics") },

	[CMD_CELL_SIZE] = { "cell-size", COMMANDS_PICTURE, "z", NULL, NULL, N_("normal, large or small cells") },
	[CMD_THEME] = { "next-theme", COMMANDS_PICTURE, "t", NULL, NULL, N_("dark or light colours") },
	[CMD_COLOR_OFF] = { "toggle-color", COMMANDS_PICTURE, "m", NULL, NULL, N_("colour off or on") },
	[CMD_REDRAW] = { "redraw", COMMANDS_PICTURE, "<C-l>", NULL, NULL, N_("draw everything again") },

	[CMD_OPEN_PICKER] = { "scenarios", COMMANDS_FILE, "o", NULL, N_("open"), N_("choose a scenario") },
	[CMD_LESSON] = { "lesson", COMMANDS_FILE, "L", "NAME", N_("lessons"), N_("choose a lesson; while one is open: n, N turn its pages") },
	[CMD_COMMAND_LINE_TEXT] = { "show-command", COMMANDS_FILE, "y", NULL, NULL, N_("the command line that reproduces this screen, to the clipboard too") },
	[CMD_EXPORT] = { "export", COMMANDS_FILE, "e", NULL, NULL, N_("write the screen, its numbers, a script, a worksheet to a file") },
	[CMD_FIND] = { "find", COMMANDS_FILE, "/", "TEXT", NULL, N_("find a token") },
	[CMD_FIND_NEXT] = { "find-next", COMMANDS_FILE, "n", NULL, N_("next"), N_("next token found") },
	[CMD_FIND_PREVIOUS] = { "find-previous", COMMANDS_FILE, "N", NULL, N_("back"), N_("token found before") },
	[CMD_PROMPT] = { "prompt", COMMANDS_FILE, ":", NULL, N_("command"), N_("type a command; Tab completes, Up recalls") },
	[CMD_HELP] = { "help", COMMANDS_FILE, "? <F1>", NULL, N_("help"), N_("this help") },

	[CMD_CLOSE] = { "close", COMMANDS_LEAVE, "<Esc>", NULL, N_("close"), N_("close what is open; never quits") },
	[CMD_SUSPEND] = { "suspend", COMMANDS_LEAVE, "<C-z>", NULL, NULL, N_("stop; fg in the shell comes back") },
	[CMD_QUIT] = { "quit", COMMANDS_LEAVE, "q", NULL, N_("quit"), N_("quit; the session is kept for --resume") },
	[CMD_INTERRUPT] = { "interrupt", COMMANDS_LEAVE, "<C-c>", NULL, NULL, N_("quit with status 130") },

	[CMD_SET] = { "set", COMMANDS_NAMED, "", "OPTION VALUE", NULL, N_("set any option; :OPTION VALUE is the same") },
	[CMD_WRITE] = { "w", COMMANDS_NAMED, "", "FILE", NULL, N_("write .yaml; screen: .txt .ansi .svg .html; numbers: .csv .npy .json .tex .py; worksheets: .md .worksheet.txt .worksheet.html") },
	[CMD_WRITE_OVER] = { "w!", COMMANDS_NAMED, "", "FILE", NULL, N_("the same, and replace a file that exists") },
	[CMD_OPEN] = { "o", COMMANDS_NAMED, "", "NAME", NULL, N_("open a scenario or a file") },
	[CMD_GO] = { "go", COMMANDS_NAMED, "", "ROW:COLUMN", NULL, N_("move to a cell; a second ROW:COLUMN is shown first") },
	[CMD_TOKENS] = { "tokens", COMMANDS_NAMED, "", "WORD ...", NULL, N_("own tokens with seeded Q, K, V") },
	[CMD_TOLERANCE] = { "tolerance", COMMANDS_NAMED, "", "NUMBER", NULL, N_("how near a predicted number has to be; 0.005 at first") },
	[CMD_MOUSE] = { "mouse", COMMANDS_NAMED, "", "on|off", NULL, N_("off leaves the mouse to the terminal, for selecting text") },
	[CMD_PADDING] = { "padding", COMMANDS_NAMED, "", "left:3", NULL, N_("[PAD] before or behind the text of the model: left:N, right:N, none") },
	[CMD_MEAN] = { "mean", COMMANDS_NAMED, "", "on|off", NULL, N_("the weights of all heads, their mean, instead of one head's") },
	[CMD_PRESENT] = { "present", COMMANDS_NAMED, "", "on|off", NULL, N_("for an audience: large cells, few panes, keys are told") },
	[CMD_SPOTLIGHT] = { "spotlight", COMMANDS_NAMED, "", "on|off", NULL, N_("the cursor's row and column stand out; on while presenting") },
};

const struct command_info *command_info(enum command c)
{
	return &table[c];
}

const char *command_group_name(enum command_group g)
{
	static const char *const name[] = {
		N_("Moving"), N_("Stages and heads"), N_("Masks and scale"), N_("Numbers"), N_("Back and forth"), N_("Checks and experiments"),
		N_("The picture"), N_("Scenarios, text, files"), N_("Leaving"), N_("By name, after :"),
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
