/* arguments.h - the command line: argv in, what it asks for out. No I/O.
 *
 * The options of core/options.h belong to every command that has an input;
 * what only some commands take (flags) is listed here, once, for parsing,
 * help, man page and completions.
 */
#ifndef TUI_ARGUMENTS_H
#define TUI_ARGUMENTS_H

#include "core/options.h"
#include "core/scenario.h"
#include "tui/frame.h"
#include "tui/live.h"
#include "tui/show.h"
#include "tui/sweep.h"
#include "tui/verify.h"

enum tool {
	TOOL_SCREEN, TOOL_SHOW, TOOL_FRAME, TOOL_VERIFY, TOOL_SWEEP, TOOL_LESSON, TOOL_LIST, TOOL_INFO, TOOL_LIVE, TOOL_HELP, TOOL_VERSION, TOOL_DOCS,
	TOOL_COUNT
};

struct tool_info {
	const char *name;	/* the command's word; NULL: it has none */
	const char *usage;	/* what follows it, or NULL when it is not told about */
	const char *help;	/* one line */
	bool has_input;		/* takes INPUT and the options */
};

const struct tool_info *tool_info(enum tool t);

enum flag {
	FLAG_LIVE, FLAG_TEXT, FLAG_MODEL, FLAG_AT, FLAG_ABLATE, FLAG_PADDING, FLAG_NEXT, FLAG_SAVE,
	FLAG_AS, FLAG_LAYOUT, FLAG_BF16, FLAG_FORMAT, FLAG_ROWS, FLAG_COLS, FLAG_KEYS, FLAG_SIZE, FLAG_EXPECT, FLAG_PROBE, FLAG_REPEATS,
	FLAG_STD_D_K, FLAG_PAIRS, FLAG_RESUME, FLAG_SPEAK, FLAG_CHECK, FLAG_SCENARIOS, FLAG_LESSONS, FLAG_BUGS,
	FLAG_THEMES, FLAG_HELP, FLAG_VERSION, FLAG_COUNT
};

struct flag_info {
	const char *name;
	unsigned tools;		/* bit 1 << tool: who takes it */
	const char *values;	/* for people; NULL: it takes no value */
	const char *help;	/* one line */
};

const struct flag_info *flag_info(enum flag f);
/* The words of --format, NULL-terminated, in the order of the tool's own enum. */
const char *const *format_words(enum tool t);

enum listing { LIST_SCENARIOS, LIST_LESSONS, LIST_BUGS, LIST_THEMES };

/* Texts point into argv. */
struct invocation {
	enum tool tool;
	const char *input;			/* NULL: none was given */
	const char *value[OPT_COUNT];		/* as last given; NULL: not given */
	const char *flag[FLAG_COUNT];		/* likewise; "" for one without a value */
	enum show_format show_format;
	struct slice rows, columns;
	bool row_sums;				/* --stage row-sums */
	enum frame_format frame_format;
	int frame_rows, frame_columns;
	enum verify_format verify_format;
	struct probe_expect expect;
	enum sweep_format sweep_format;
	enum live_format live_format;
	size_t next;				/* characters of qkv live --next; 0: none */
	size_t pad_left, pad_right;		/* of --padding */
	enum listing listing;
};

/* The language that the words ask for, in which their errors are told; NULL: none. */
const char *arguments_language(int argc, char **argv);

/* Reads argv[1] to argv[argc - 1]. E_VALUE about the first word that is wrong;
 * *inv is then as it was. The values of options are checked, but not against
 * an input; those of qkv sweep are checked by core/sweep.h. */
enum status arguments_parse(struct invocation *inv, int argc, char **argv, struct error *e);

/* Sets the options that were given on top of o. With --next, seed and temperature are
 * no options of a head but of how the text goes on: they are left out. */
enum status arguments_apply(const struct invocation *inv, struct options *o, struct error *e);
/* The same, but only those that no number hangs on: which head is shown, and how. */
enum status arguments_apply_view(const struct invocation *inv, struct options *o, struct error *e);

/* Whether qkv live is asked for a report, though standard output may be a terminal. */
bool arguments_live_report(const struct invocation *inv);

/* An error about an option that was not given on the command line gets the
 * place where the scenario file sets it, if it does. */
void arguments_blame(const struct invocation *inv, const struct mark *option_mark, const char *file,
		     struct error *e);

#endif
