/* arguments.c - the command line: argv in, what it asks for out. */
#include "tui/arguments.h"

#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "core/nearest.h"
#include "core/number.h"

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
#define EVERY ((1u << TOOL_COUNT) - 1)

static const struct flag_info flags[FLAG_COUNT] = {
	[FLAG_LIVE] = { "live", HEADS, N_("TEXT"), N_("in place of INPUT a head of a small language model on that text: --layer, --head") },
	[FLAG_TEXT] = { "text", LIVE, N_("TEXT"), N_("what the model reads; a report is written, without a screen") },
	[FLAG_MODEL] = { "model", LIVE | HEADS, N_("FILE"), N_("other weights in the layout of the built-in ones (.safetensors)") },
	[FLAG_AT] = { "at", LIVE | HEADS, N_("all, a layer, a head as layer.head; several as in 1.0,2"),
		N_("where options of attention apply, carried through the layers; without it show, frame and verify apply them to the picture alone") },
	[FLAG_ABLATE] = { "ablate", LIVE | HEADS, N_("heads as in 0.3,1.0 (layer.head), layers, or all"), N_("heads that are off: their output is 0") },
	[FLAG_PADDING] = { "padding", LIVE | HEADS, N_("left:NUMBER or right:NUMBER"),
		N_("put so many [PAD] before or behind the text; --pad hides them") },
	[FLAG_NEXT] = { "next", LIVE, N_("1 to 1000 characters"),
		N_("continue the text with the likeliest characters; with --temperature or --seed they are drawn") },
	[FLAG_SAVE] = { "save", LIVE, N_("FILE.npz"), N_("write q, k, v, scores, weights and tokens of every layer and head") },
	[FLAG_AS] = { "as", INPUTS, N_("q=NAME,k=NAME,..., or weights for the only array"),
		N_("what arrays of a file are, instead of what was recognised; a * in NAME stands for the layer") },
	[FLAG_LAYOUT] = { "layout", INPUTS, N_("batch,head,query,dim for q, k, v; layer,head,query,key for weights; joined by /"),
		N_("which axis of the arrays of a file is what") },
	[FLAG_FORMAT] = { "format", SHOW | FRAME | VERIFY | SWEEP | LIVE,
		N_("table, numpy, csv, json, npy, latex, script, worksheet, worksheet-md, worksheet-html; frame: text, ansi, svg, html; verify: text, json; sweep: table, csv, json; live: table, json"),
		N_("how it is written") },
	[FLAG_ROWS] = { "rows", SHOW, N_("index, or a:b as in Python"), N_("only these rows; -1 is the last") },
	[FLAG_COLS] = { "cols", SHOW, N_("index, or a:b as in Python"), N_("only these columns") },
	[FLAG_KEYS] = { "keys", 1u << TOOL_SCREEN | FRAME | LIVE, N_("keys, separated by blanks"), N_("what is typed: \"c j <Down> :scale none<Enter>\"") },
	[FLAG_SIZE] = { "size", FRAME, N_("80x24, WxH up to 1000x1000"), N_("columns and rows of the screen") },
	[FLAG_EXPECT] = { "expect", VERIFY, N_("none, causal, pad or causal,pad"),
		N_("masks that ought to be there; without it those that are set") },
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
static const char row_sums_word[] = "row-sums";

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

/* These mean something else to qkv sweep: lists, other limits. */
static bool is_sweeps(enum option o)
{
	return o == OPT_D_K || o == OPT_N || o == OPT_SEED;
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
	if ((o != OPT_STAGE || strcmp(value, row_sums_word)) && !is_sweeps(o)) {
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
	if (!*word)
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

/* ---- what the flags mean ---- */

static enum status misplaced(enum tool t, const char *name, unsigned by, struct error *e)
{
	char owners[128] = "";
	size_t used = 0;

	for (int k = 0; k < TOOL_COUNT && by != EVERY; k++)
		if (by & 1u << k && used < sizeof owners)
			used += (size_t)snprintf(owners + used, sizeof owners - used, "%sqkv%s%s",
						 used ? ", " : "; it belongs to ", tools[k].name ? " " : "",
						 tools[k].name ? tools[k].name : "");
	return error_option(e, E_VALUE, name, "", "not an option of qkv %s%s",
			    tools[t].name ? tools[t].name : "without a command", owners);
}

/* Beside INPUT's commands: a few words for qkv sweep, and how a lesson looks. */
static bool takes_option(enum tool t, enum option o)
{
	if (t == TOOL_LESSON)
		return option_info(o)->group == GROUP_VIEW && o != OPT_STAGE && o != OPT_ARRAY;
	if (t == TOOL_INFO)
		return o == OPT_LAYER || o == OPT_BATCH || o == OPT_LANG || o == OPT_ASCII;
	return tools[t].has_input || (t == TOOL_SWEEP && is_sweeps(o));
}

static enum status check_places(const struct invocation *inv, struct error *e)
{
	for (int o = 0; o < OPT_COUNT; o++)
		if (inv->value[o] && !takes_option(inv->tool, (enum option)o))
			return misplaced(inv->tool, option_info((enum option)o)->name, EVERY, e);
	for (int f = 0; f < FLAG_COUNT; f++)
		if (inv->flag[f] && !(flags[f].tools & 1u << inv->tool))
			return misplaced(inv->tool, flags[f].name, flags[f].tools, e);
	if (inv->input && inv->tool == TOOL_LIST)
		return error_set(e, E_VALUE, "%s: qkv list takes no input; --scenarios, --lessons, --bugs or --themes is expected",
				 inv->input);
	if (!inv->input && inv->tool == TOOL_INFO)
		return error_set(e, E_VALUE, "qkv info: a file is expected");
	if (!inv->input && inv->flag[FLAG_CHECK])
		return error_option(e, E_VALUE, "check", "", "a lesson file is expected, or the name of a built-in lesson");
	if (inv->input && inv->tool == TOOL_SWEEP)
		return error_set(e, E_VALUE, "%s: qkv sweep takes no input; it draws its own", inv->input);
	return OK_STATUS;
}

static enum status read_format(struct invocation *inv, struct error *e)
{
	const char *const *words = format_words(inv->tool);
	const char *value = inv->flag[FLAG_FORMAT];
	char all[128] = "";

	if (!value)
		return OK_STATUS;
	for (int k = 0; words[k]; k++) {
		if (!strcmp(words[k], value)) {
			inv->show_format = inv->tool == TOOL_SHOW ? (enum show_format)k : SHOW_TABLE;
			inv->frame_format = inv->tool == TOOL_FRAME ? (enum frame_format)k : FRAME_TEXT;
			inv->verify_format = inv->tool == TOOL_VERIFY ? (enum verify_format)k : VERIFY_TEXT;
			inv->sweep_format = inv->tool == TOOL_SWEEP ? (enum sweep_format)k : SWEEP_TABLE;
			inv->live_format = inv->tool == TOOL_LIVE ? (enum live_format)k : LIVE_TABLE;
			return OK_STATUS;
		}
		size_t used = strlen(all);
		snprintf(all + used, sizeof all - used, "%s%s", k ? ", " : "", words[k]);
	}
	return error_option(e, E_VALUE, "format", value, "'%.80s' is not one of: %s", value, all);
}

static bool read_end(const char *text, size_t n, bool *has, long *value)
{
	*has = n > 0;
	return !n || number_parse_integer(text, n, value);
}

static enum status read_slice(const struct invocation *inv, enum flag f, struct slice *slice, struct error *e)
{
	const char *text = inv->flag[f];
	struct slice s = { 0 };

	if (!text)
		return OK_STATUS;
	size_t n = strcspn(text, ":"), length = strlen(text);
	s.single = n == length;
	bool fine = read_end(text, n, &s.has_from, &s.from);
	if (!s.single)
		fine = fine && read_end(text + n + 1, length - n - 1, &s.has_to, &s.to);
	if (!fine || (s.single && !s.has_from))
		return error_option(e, E_VALUE, flags[f].name, text,
				    "'%.80s' is not a slice; an index or a:b is expected, such as 0:10, -20: or 3", text);
	*slice = s;
	return OK_STATUS;
}

static bool read_length(const char *text, size_t n, int *length)
{
	long v;

	if (!number_parse_integer(text, n, &v) || v < 1 || v > 1000)
		return false;
	*length = (int)v;
	return true;
}

static enum status read_size(struct invocation *inv, struct error *e)
{
	const char *text = inv->flag[FLAG_SIZE];

	inv->frame_columns = 80;
	inv->frame_rows = 24;
	if (!text)
		return OK_STATUS;
	size_t n = strcspn(text, "x");
	if (!text[n] || !read_length(text, n, &inv->frame_columns) ||
	    !read_length(text + n + 1, strlen(text + n + 1), &inv->frame_rows))
		return error_option(e, E_VALUE, "size", text, "'%.80s' is not a size; WxH is expected, 1x1 to 1000x1000", text);
	return OK_STATUS;
}

static enum status read_list(struct invocation *inv, struct error *e)
{
	static const enum flag choice[] = { FLAG_SCENARIOS, FLAG_LESSONS, FLAG_BUGS, FLAG_THEMES };
	int chosen = 0;

	for (int k = 0; k < 4; k++)
		if (inv->flag[choice[k]]) {
			inv->listing = (enum listing)k;
			chosen++;
		}
	if (chosen > 1)
		return error_set(e, E_VALUE, "one of --scenarios, --lessons, --bugs and --themes is expected");
	return OK_STATUS;
}

static enum status read_padding(struct invocation *inv, struct error *e)
{
	const char *text = inv->flag[FLAG_PADDING];
	long n;

	if (!text)
		return OK_STATUS;
	bool left = !strncmp(text, "left:", 5), right = !strncmp(text, "right:", 6);
	const char *number = text + (left ? 5 : right ? 6 : 0);
	if (!(left || right) || !number_parse_integer(number, strlen(number), &n) || n < 1 || n > 1000)
		return error_option(e, E_VALUE, "padding", text, "'%.80s' is no padding; left:NUMBER or right:NUMBER is expected", text);
	if (right && inv->flag[FLAG_NEXT])
		return error_option(e, E_VALUE, "next", inv->flag[FLAG_NEXT], "behind padding on the right no text goes on");
	*(left ? &inv->pad_left : &inv->pad_right) = (size_t)n;
	return OK_STATUS;
}

/* What a language model is for; without --live the other commands have none. */
static enum status read_live(struct invocation *inv, struct error *e)
{
	static const enum flag of_model[] = { FLAG_MODEL, FLAG_AT, FLAG_ABLATE, FLAG_PADDING }, of_file[] = { FLAG_AS, FLAG_LAYOUT };
	const char *next = inv->flag[FLAG_NEXT];
	long count;

	for (int k = 0; k < 4 && inv->tool != TOOL_LIVE && !inv->flag[FLAG_LIVE]; k++)
		if (inv->flag[of_model[k]])
			return error_option(e, E_VALUE, flags[of_model[k]].name, "", "only with --live TEXT, or to qkv live");
	for (int k = 0; k < 2 && inv->flag[FLAG_LIVE]; k++)
		if (inv->flag[of_file[k]])
			return error_option(e, E_VALUE, flags[of_file[k]].name, "", "--live reads no file of arrays");
	if (inv->input && (inv->flag[FLAG_LIVE] || inv->flag[FLAG_TEXT]))
		return error_set(e, E_VALUE, "%s: the text is given already; no other input is expected", inv->input);
	if (!next)
		return read_padding(inv, e);
	if (!number_parse_integer(next, strlen(next), &count) || count < 1 || count > 1000)
		return error_option(e, E_VALUE, "next", next, "'%.80s' is not a number from 1 to 1000", next);
	inv->next = (size_t)count;
	return read_padding(inv, e);
}

static enum status read_row_sums(struct invocation *inv, struct error *e)
{
	const char *stage = inv->value[OPT_STAGE];

	if (!stage || strcmp(stage, row_sums_word))
		return OK_STATUS;
	if (inv->tool != TOOL_SHOW)
		return error_option(e, E_VALUE, "stage", stage, "only qkv show has row sums alone; elsewhere they stand beside the rows");
	inv->row_sums = true;
	inv->value[OPT_STAGE] = NULL;
	return OK_STATUS;
}

static enum status read_verify(struct invocation *inv, struct error *e)
{
	const char *expect = inv->flag[FLAG_EXPECT], *probe = inv->flag[FLAG_PROBE];

	if (probe && strcmp(probe, "lesson"))
		return error_option(e, E_VALUE, "probe", probe, "'%.80s' is not one of: lesson", probe);
	return expect ? probe_expect_parse(&inv->expect, expect, e) : OK_STATUS;
}

/* The kept session has its own input and its own options. */
static enum status check_resume(const struct invocation *inv, struct error *e)
{
	if (!inv->flag[FLAG_RESUME])
		return OK_STATUS;
	if (inv->input)
		return error_option(e, E_VALUE, "resume", "", "the kept session has its input; %s is one too many", inv->input);
	for (int o = 0; o < OPT_COUNT; o++)
		if (inv->value[o])
			return error_option(e, E_VALUE, "resume", "", "the kept session has its options; --%s is one too many",
					    option_info((enum option)o)->name);
	return OK_STATUS;
}

static enum status interpret(struct invocation *inv, struct error *e)
{
	enum status s;

	if (inv->flag[FLAG_HELP] || inv->flag[FLAG_VERSION]) {
		inv->tool = inv->flag[FLAG_HELP] ? TOOL_HELP : TOOL_VERSION;
		return OK_STATUS;
	}
	if ((s = check_places(inv, e)) || (s = read_format(inv, e)) ||
	    (s = read_slice(inv, FLAG_ROWS, &inv->rows, e)) ||
	    (s = read_slice(inv, FLAG_COLS, &inv->columns, e)) || (s = read_size(inv, e)) ||
	    (s = read_list(inv, e)) || (s = read_live(inv, e)) || (s = read_row_sums(inv, e)) || (s = read_verify(inv, e)))
		return s;
	return check_resume(inv, e);
}

enum status arguments_parse(struct invocation *inv, int argc, char **argv, struct error *e)
{
	struct words w = { .n = argc, .at = 1, .word = argv };
	enum status s = options_init(&w.scratch, e);

	if (s)
		return s;
	if (!(s = read_words(&w, e)) && !(s = interpret(&w.inv, e)) && !(s = check_waiting(&w, e)))
		*inv = w.inv;
	options_free(&w.scratch);
	return s;
}

/* ---- what comes of it ---- */

/* These say how a text goes on, not how a head attends. */
static bool is_draws(const struct invocation *inv, enum option o)
{
	return inv->tool == TOOL_LIVE && (o == OPT_SEED || o == OPT_TEMPERATURE);
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
