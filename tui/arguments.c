/* arguments.c - the command line: argv in, what it asks for out. */
#include "tui/arguments_parts.h"

#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "core/nearest.h"

static const struct tool_info tools[TOOL_COUNT] = {
	[TOOL_SCREEN] = { NULL, "[OPTIONS] [INPUT]", N_("the screen; without a terminal what show prints"), true },
	[TOOL_SHOW] = { "show", "[OPTIONS] [INPUT]", N_("print one stage"), true },
	[TOOL_FRAME] = { "frame", "[OPTIONS] [INPUT]", N_("play keys without a terminal and write the last screen"), true },
	[TOOL_VERIFY] = { "verify", "[OPTIONS] [INPUT]", N_("leak probes and row sums; exit 1 when a check is false"), true },
	[TOOL_SWEEP] = { "sweep", "[OPTIONS]", N_("the d_k experiment: does softmax pile up without the scale?"), false },
	[TOOL_LESSON] = { "lesson", "[--check] [LESSON]", N_("a guided lesson, built in or a file; --check tells its errors"), false },
	[TOOL_LIST] = { "list", "[--scenarios|--lessons|--bugs|--themes]", N_("names to use, one a line"), false },
	[TOOL_INFO] = { "info", "[OPTIONS] FILE", N_("what is in a file of arrays, and what would be opened as what"), false },
	[TOOL_LIVE] = { "live", "[OPTIONS] [TEXT]", N_("a small language model on a text: its heads, what comes next"), true },
	[TOOL_HELP] = { "help", "", N_("what --help prints"), false },
	[TOOL_VERSION] = { NULL, NULL, NULL, false },
	[TOOL_DOCS] = { "docs", NULL, NULL, false },
};

#define SHOW (1u << TOOL_SHOW)
#define FRAME (1u << TOOL_FRAME)
#define VERIFY (1u << TOOL_VERIFY)
#define SWEEP (1u << TOOL_SWEEP)
#define LESSON (1u << TOOL_LESSON)
#define LIST (1u << TOOL_LIST)
#define INFO (1u << TOOL_INFO)
#define LIVE (1u << TOOL_LIVE)
#define HEADS (1u << TOOL_SCREEN | SHOW | FRAME | VERIFY)
#define INPUTS (1u << TOOL_SCREEN | SHOW | FRAME | VERIFY | INFO)

static const struct flag_info flags[FLAG_COUNT] = {
	[FLAG_LIVE] = { "live", HEADS, N_("TEXT"), N_("in place of INPUT a head of a small language model on that text: --layer (0), --head; verify checks all heads of the layer") },
	[FLAG_TEXT] = { "text", LIVE, N_("TEXT"), N_("what the model reads; a report is written, without a screen") },
	[FLAG_MODEL] = { "model", LIVE | HEADS, N_("FILE"), N_("other weights in the layout of the built-in ones (.safetensors)") },
	[FLAG_AT] = { "at", LIVE | HEADS, N_("all, a layer, a head as layer.head; several as in 1.0,2; none"),
		N_("where options of attention apply, carried through the layers; with none, and without it on a screen and for show, frame and verify, to the picture alone; without it a report of qkv live has them in all heads") },
	[FLAG_ABLATE] = { "ablate", LIVE | HEADS, N_("heads as in 0.3,1.0 (layer.head), layers, all, or none"), N_("heads that are off: their output is 0") },
	[FLAG_PADDING] = { "padding", LIVE | HEADS, N_("left:NUMBER, right:NUMBER or none"),
		N_("put so many [PAD] before or behind the text; --pad hides them") },
	[FLAG_NEXT] = { "next", LIVE, N_("1 to 1000 characters"),
		N_("continue the text with the likeliest characters; with --temperature or --seed they are drawn, and that temperature is not attention's") },
	[FLAG_SAVE] = { "save", LIVE, N_("FILE.npz"), N_("write q, k, v, scores, weights and tokens of every layer and head") },
	[FLAG_AS] = { "as", INPUTS, N_("q=NAME,k=NAME,..., or weights for the only array"),
		N_("what arrays of a file are, instead of what was recognised; a * in NAME stands for the layer") },
	[FLAG_LAYOUT] = { "layout", INPUTS, N_("batch,head,query,dim for q, k, v; layer,head,query,key for weights; joined by /"),
		N_("which axis of the arrays of a file is what") },
	[FLAG_BF16] = { "bf16", INPUTS, NULL, N_("two raw bytes in .npy and .npz (type |V2) are bfloat16, which NumPy has no name for") },
	[FLAG_FORMAT] = { "format", SHOW | FRAME | VERIFY | SWEEP | LIVE,
		N_("table, numpy, csv, json, npy, latex, script, worksheet, worksheet-md, worksheet-html; frame: text, ansi, svg, html; verify: text, json; sweep: table, csv, json; live: table, json"),
		N_("how it is written") },
	[FLAG_ROWS] = { "rows", SHOW, N_("index, or a:b as in Python"), N_("only these rows; -1 is the last") },
	[FLAG_COLS] = { "cols", SHOW, N_("index, or a:b as in Python"), N_("only these columns") },
	[FLAG_KEYS] = { "keys", 1u << TOOL_SCREEN | FRAME | LIVE, N_("keys, separated by blanks"), N_("what is typed: \"c j <Down> :scale none<Enter>\"") },
	[FLAG_SIZE] = { "size", FRAME, N_("80x24, WxH up to 1000x1000"), N_("columns and rows of the screen") },
	[FLAG_EXPECT] = { "expect", VERIFY, N_("none, causal, pad or causal,pad"),
		N_("masks that ought to be there; without it those that are set; with causal the file's own padding, too; Q and K without weights tell of none") },
	[FLAG_PROBE] = { "probe", VERIFY, N_("lesson"), N_("only the change of the last K and V by noise x 100") },
	[FLAG_REPEATS] = { "repeats", SWEEP, N_("1, up to 10000"), N_("how often the list of d_k is drawn") },
	[FLAG_STD_D_K] = { "std-d-k", SWEEP, N_("4,64,1024, or none"), N_("the d_k whose dot products are measured") },
	[FLAG_PAIRS] = { "pairs", SWEEP, N_("10000, up to 10000000"), N_("how many dot products") },
	[FLAG_RESUME] = { "resume", 1u << TOOL_SCREEN, NULL, N_("go on with the session that was kept when qkv ended") },
	[FLAG_SPEAK] = { "speak", 1u << TOOL_SCREEN | LESSON, NULL, N_("for screen readers: what changes as lines, without a screen") },
	[FLAG_CHECK] = { "check", LESSON, NULL, N_("every error of a lesson file, with line and column; exit 2 when there is one") },
	[FLAG_SCENARIOS] = { "scenarios", LIST, NULL, N_("the built-in scenarios, with their titles (the default)") },
	[FLAG_LESSONS] = { "lessons", LIST, NULL, N_("the built-in lessons, in the order of teaching") },
	[FLAG_BUGS] = { "bugs", LIST, NULL, N_("the named mistakes of --bug") },
	[FLAG_THEMES] = { "themes", LIST, NULL, N_("the themes") },
	[FLAG_HELP] = { "help", EVERY, NULL, N_("this text") },
	[FLAG_VERSION] = { "version", EVERY, NULL, N_("name and version") },
};

static const char *const show_formats[] = {
	"table", "numpy", "csv", "json", "npy", "latex", "script", "worksheet", "worksheet-md", "worksheet-html", NULL
};
static const char *const frame_formats[] = { "text", "ansi", "svg", "html", NULL };
static const char *const verify_formats[] = { "text", "json", NULL };

const struct tool_info *tool_info(enum tool t)
{
	return &tools[t];
}

const struct flag_info *flag_info(enum flag f)
{
	return &flags[f];
}

const char *const *format_words(enum tool t)
{
	return t == TOOL_FRAME ? frame_formats : t == TOOL_VERIFY ? verify_formats
	     : t == TOOL_SWEEP ? sweep_format_words : t == TOOL_LIVE ? live_format_words : show_formats;
}

/* ---- names that are nearly right ---- */

/* The k-th of all names that may follow "--". */
static const char *any_name(int k)
{
	return k < OPT_COUNT ? option_info((enum option)k)->name : flags[k - OPT_COUNT].name;
}

/* "; did you mean --causal, --causal-align?", or a general hint. */
static void suggest(const char *typed, char *out, size_t size)
{
	const int names = OPT_COUNT + FLAG_COUNT;
	const char *best = nearest(typed, any_name, names, strlen(typed) / 3, true);
	size_t found = 0, used = 0;

	for (int k = 0; best && k < names && found < 4 && used < size; k++)
		if (nearest_distance(typed, any_name(k), true) == nearest_distance(typed, best, true))
			used += (size_t)snprintf(out + used, size - used, "%s--%s",
						 found++ ? ", " : "; did you mean ", any_name(k));
	if (!found)
		snprintf(out, size, "; qkv --help lists them all");
	else if (used < size)
		snprintf(out + used, size - used, "?");
}

enum { SHOWN_MAX = 64 };	/* bytes of a word that an error repeats */

static enum status unknown_option(const char *word, size_t length, struct error *e)
{
	char typed[SHOWN_MAX + 1], hint[256];

	snprintf(typed, sizeof typed, "%.*s", (int)(length < SHOWN_MAX ? length : SHOWN_MAX), word);
	suggest(typed, hint, sizeof hint);
	return error_set(e, E_VALUE, "--%s: no such option%s", typed, hint);
}

/* ---- words ---- */

struct words {
	int n, at;
	char **word;
	bool only_operands;		/* after "--" */
	const char *last_switch;	/* the word before, if it is a switch without a value */
	struct options scratch;		/* what values are tried on */
	struct invocation inv;
};

static enum status about(struct error *e, const char *name, const char *value)
{
	char text[sizeof e->text];

	snprintf(text, sizeof text, "%s", e->text);
	return error_option(e, e->status, name, value, "%s", text);
}

/* The value behind "=", else the next word. */
static enum status take_value(struct words *w, const char *name, const char *behind, const char *values,
			      const char **value, struct error *e)
{
	if (behind)
		*value = behind;
	else if (w->at < w->n)
		*value = w->word[w->at++];
	else
		return error_option(e, E_VALUE, name, "", "a value is expected: %s", values);
	return OK_STATUS;
}

static enum status read_option(struct words *w, enum option o, const char *behind, struct error *e)
{
	const struct option_info *info = option_info(o);
	const char *value = "on";
	enum status s = OK_STATUS;

	if (info->type == TYPE_SWITCH && !behind)
		w->last_switch = info->name;
	else if (info->type == TYPE_SWITCH)
		value = behind;
	else
		s = take_value(w, info->name, behind, info->values, &value, e);
	if (s)
		return s;
	if ((o != OPT_STAGE || strcmp(value, ROW_SUMS_WORD)) && !is_sweeps(o)) {
		if ((s = option_set(&w->scratch, o, value, e)))
			return about(e, info->name, value);
	}
	w->inv.value[o] = value;
	return OK_STATUS;
}

/* What waited until the command was known. */
static enum status check_waiting(struct words *w, struct error *e)
{
	for (int o = 0; o < OPT_COUNT && w->inv.tool != TOOL_SWEEP; o++)
		if (is_sweeps((enum option)o) && w->inv.value[o] &&
		    option_set(&w->scratch, (enum option)o, w->inv.value[o], e))
			return about(e, option_info((enum option)o)->name, w->inv.value[o]);
	return OK_STATUS;
}

static enum status read_flag(struct words *w, enum flag f, const char *behind, struct error *e)
{
	const struct flag_info *info = &flags[f];

	if (info->values)
		return take_value(w, info->name, behind, info->values, &w->inv.flag[f], e);
	if (behind)
		return error_option(e, E_VALUE, info->name, "", "takes no value");
	w->inv.flag[f] = "";
	return OK_STATUS;
}

static bool is_name(const char *name, const char *word, size_t length)
{
	return strlen(name) == length && !memcmp(name, word, length);
}

/* A word that starts with "--"; name points behind that. */
static enum status read_long(struct words *w, const char *name, struct error *e)
{
	size_t length = strcspn(name, "=");
	const char *behind = name[length] ? name + length + 1 : NULL;

	for (int o = 0; o < OPT_COUNT; o++)
		if (is_name(option_info((enum option)o)->name, name, length))
			return read_option(w, (enum option)o, behind, e);
	for (int f = 0; f < FLAG_COUNT; f++)
		if (is_name(flags[f].name, name, length))
			return read_flag(w, (enum flag)f, behind, e);
	return unknown_option(name, length, e);
}

static enum tool find_tool(const char *word)
{
	for (int t = 0; t < TOOL_COUNT; t++)
		if (tools[t].name && !strcmp(tools[t].name, word))
			return (enum tool)t;
	return TOOL_COUNT;
}

static enum status read_operand(struct words *w, const char *word, const char *switch_before, bool *first,
				struct error *e)
{
	enum tool t = *first && !w->only_operands ? find_tool(word) : TOOL_COUNT;

	*first = false;
	if (t != TOOL_COUNT) {
		w->inv.tool = t;
		return OK_STATUS;
	}
	if (switch_before && (!strcmp(word, "on") || !strcmp(word, "off")))
		return error_option(e, E_VALUE, switch_before, word, "a switch takes its value with '=': --%s=%s",
				    switch_before, word);
	if (!*word && w->inv.tool != TOOL_LIVE)		/* whose text may be empty */
		return error_set(e, E_VALUE, "the name of the input is empty");
	if (w->inv.input)
		return error_set(e, E_VALUE, "%s: one input is expected, %s was named already", word, w->inv.input);
	w->inv.input = word;
	return OK_STATUS;
}

static enum status read_words(struct words *w, struct error *e)
{
	bool first = true;
	enum status s = OK_STATUS;

	while (w->at < w->n && !s) {
		const char *word = w->word[w->at++], *switch_before = w->last_switch;
		w->last_switch = NULL;
		if (w->only_operands || word[0] != '-' || !word[1])
			s = read_operand(w, word, switch_before, &first, e);
		else if (word[1] != '-')
			s = error_set(e, E_VALUE, "%s: no such option; all have long names, qkv --help lists them", word);
		else if (!word[2])
			w->only_operands = true;
		else
			s = read_long(w, word + 2, e);
	}
	return s;
}

const char *arguments_language(int argc, char **argv)
{
	const char *found = NULL;

	for (int k = 1; k < argc && strcmp(argv[k], "--"); k++)
		if (!strncmp(argv[k], "--lang=", 7))
			found = argv[k] + 7;
		else if (!strcmp(argv[k], "--lang") && k + 1 < argc)
			found = argv[++k];
	return found;
}

enum status arguments_parse(struct invocation *inv, int argc, char **argv, struct error *e)
{
	struct words w = { .n = argc, .at = 1, .word = argv };
	enum status s = options_init(&w.scratch, e);

	if (s)
		return s;
	if (!(s = read_words(&w, e)) && !(s = arguments_interpret(&w.inv, e)) && !(s = check_waiting(&w, e)))
		*inv = w.inv;
	options_free(&w.scratch);
	return s;
}

/* ---- what comes of it ---- */

/* With --next these say how a text goes on, not how a head attends. */
static bool is_draws(const struct invocation *inv, enum option o)
{
	return inv->next && (o == OPT_SEED || o == OPT_TEMPERATURE);
}

enum status arguments_apply_view(const struct invocation *inv, struct options *o, struct error *e)
{
	for (int k = 0; k < OPT_COUNT; k++)
		if (inv->value[k] && !model_option_counts((enum option)k) && option_set(o, (enum option)k, inv->value[k], e))
			return about(e, option_info((enum option)k)->name, inv->value[k]);
	return OK_STATUS;
}

enum status arguments_apply(const struct invocation *inv, struct options *o, struct error *e)
{
	for (int k = 0; k < OPT_COUNT; k++)
		if (inv->value[k] && !is_draws(inv, (enum option)k) && option_set(o, (enum option)k, inv->value[k], e))
			return about(e, option_info((enum option)k)->name, inv->value[k]);
	return OK_STATUS;
}

void arguments_blame(const struct invocation *inv, const struct mark *option_mark, const char *file,
		     struct error *e)
{
	char name[sizeof e->option], option[sizeof e->option], text[sizeof e->text];

	snprintf(name, sizeof name, "%.*s", (int)strcspn(e->option, " "), e->option);
	enum option o = option_find(name);
	if (e->file[0] || o == OPT_COUNT || inv->value[o] || !option_mark[o].line)
		return;
	snprintf(option, sizeof option, "%s", e->option);
	snprintf(text, sizeof text, "%s", e->text);
	error_at(e, e->status, file, option_mark[o].line, option_mark[o].column, "%s: %s", option, text);
}
