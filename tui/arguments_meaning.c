/* arguments_meaning.c - what the flags mean: formats, slices, sizes, and who takes them. */
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "tui/arguments_parts.h"

/* ---- who takes what ---- */

static enum status misplaced(enum tool t, const char *name, unsigned by, struct error *e)
{
	char owners[128] = "";
	size_t used = 0;

	for (int k = 0; k < TOOL_COUNT && by != EVERY; k++) {
		const char *owner = tool_info((enum tool)k)->name;
		if (by & 1u << k && used < sizeof owners)
			used += (size_t)snprintf(owners + used, sizeof owners - used, "%sqkv%s%s", used ? ", " : "; it belongs to ",
						 owner ? " " : "", owner ? owner : "");
	}
	return error_option(e, E_VALUE, name, "", "not an option of qkv %s%s",
			    tool_info(t)->name ? tool_info(t)->name : "without a command", owners);
}

/* Beside INPUT's commands: a few words for qkv sweep, and how a lesson looks. */
static bool takes_option(enum tool t, enum option o)
{
	if (t == TOOL_LESSON)
		return option_info(o)->group == GROUP_VIEW && o != OPT_STAGE && o != OPT_ARRAY;
	if (t == TOOL_INFO)
		return o == OPT_LAYER || o == OPT_BATCH || o == OPT_LANG || o == OPT_ASCII;
	return tool_info(t)->has_input || (t == TOOL_SWEEP && is_sweeps(o));
}

static enum status check_places(const struct invocation *inv, struct error *e)
{
	for (int o = 0; o < OPT_COUNT; o++)
		if (inv->value[o] && !takes_option(inv->tool, (enum option)o))
			return misplaced(inv->tool, option_info((enum option)o)->name, EVERY, e);
	for (int f = 0; f < FLAG_COUNT; f++) {
		const struct flag_info *info = flag_info((enum flag)f);
		if (inv->flag[f] && !(info->tools & 1u << inv->tool))
			return misplaced(inv->tool, info->name, info->tools, e);
	}
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

/* ---- values ---- */

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
		return error_option(e, E_VALUE, flag_info(f)->name, text,
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

	if (!text || !strcmp(text, "none"))
		return OK_STATUS;
	bool left = !strncmp(text, "left:", 5), right = !strncmp(text, "right:", 6);
	const char *number = text + (left ? 5 : right ? 6 : 0);
	if (!(left || right) || !number_parse_integer(number, strlen(number), &n) || n < 1 || n > 1000)
		return error_option(e, E_VALUE, "padding", text, "'%.80s' is no padding; left:NUMBER, right:NUMBER or none is expected", text);
	if (right && inv->flag[FLAG_NEXT])
		return error_option(e, E_VALUE, "next", inv->flag[FLAG_NEXT], "behind padding on the right no text goes on");
	*(left ? &inv->pad_left : &inv->pad_right) = (size_t)n;
	return OK_STATUS;
}

bool arguments_live_report(const struct invocation *inv)
{
	return inv->flag[FLAG_TEXT] || inv->flag[FLAG_FORMAT] || inv->next || inv->flag[FLAG_SAVE];
}

/* Whether an option is given that says how a head attends, whatever --next is. */
static bool gives_attention(const struct invocation *inv)
{
	for (int o = 0; o < OPT_COUNT; o++)
		if (inv->value[o] && o != OPT_SEED && o != OPT_TEMPERATURE && model_option_counts((enum option)o))
			return true;
	return false;
}

/* Words that a report of qkv live would not heed. Where a screen might have been asked for,
 * how a picture looks may be said all the same. */
static enum status check_report(const struct invocation *inv, struct error *e)
{
	static const enum option of_picture[] = { OPT_STAGE, OPT_ARRAY, OPT_PRECISION, OPT_WITHOUT, OPT_LABELS };

	if (inv->tool != TOOL_LIVE)
		return OK_STATUS;
	if (inv->value[OPT_SEED] && !inv->next)
		return error_option(e, E_VALUE, "seed", inv->value[OPT_SEED], "only with --next, whose characters are drawn then");
	if (inv->next && inv->flag[FLAG_AT] && inv->value[OPT_TEMPERATURE] && !gives_attention(inv))
		return error_option(e, E_VALUE, "temperature", inv->value[OPT_TEMPERATURE],
				    "with --next it is that of the draws, which --at has no part in; without --next, attention's");
	for (int k = 0; k < 5 && arguments_live_report(inv); k++)
		if (inv->value[of_picture[k]])
			return error_option(e, E_VALUE, option_info(of_picture[k])->name, inv->value[of_picture[k]],
					    "a report has no picture; qkv show --live TEXT has");
	return OK_STATUS;
}

static enum status check_save(const struct invocation *inv, struct error *e)
{
	const char *name = inv->flag[FLAG_SAVE], *dot = name ? strrchr(name, '.') : NULL;

	if (!name || (dot && !strcmp(dot, ".npz")))
		return OK_STATUS;
	return error_option(e, E_VALUE, "save", name, "a name that ends in .npz is expected");
}

/* What a language model is for; without --live the other commands have none. */
static enum status read_live(struct invocation *inv, struct error *e)
{
	static const enum flag of_model[] = { FLAG_MODEL, FLAG_AT, FLAG_ABLATE, FLAG_PADDING }, of_file[] = { FLAG_AS, FLAG_LAYOUT, FLAG_BF16 };
	const char *next = inv->flag[FLAG_NEXT];
	enum status s;
	long count;

	for (int k = 0; k < 4 && inv->tool != TOOL_LIVE && !inv->flag[FLAG_LIVE]; k++)
		if (inv->flag[of_model[k]])
			return error_option(e, E_VALUE, flag_info(of_model[k])->name, "", "only with --live TEXT, or to qkv live");
	for (int k = 0; k < 3 && inv->flag[FLAG_LIVE]; k++)
		if (inv->flag[of_file[k]])
			return error_option(e, E_VALUE, flag_info(of_file[k])->name, "", "--live reads no file of arrays");
	if (inv->input && (inv->flag[FLAG_LIVE] || inv->flag[FLAG_TEXT]))
		return error_set(e, E_VALUE, "%s: the text is given already; no other input is expected", inv->input);
	if (inv->flag[FLAG_ABLATE] && !strcmp(inv->flag[FLAG_ABLATE], "none"))
		inv->flag[FLAG_ABLATE] = NULL;
	if (next && (!number_parse_integer(next, strlen(next), &count) || count < 1 || count > 1000))
		return error_option(e, E_VALUE, "next", next, "'%.80s' is not a number from 1 to 1000", next);
	inv->next = next ? (size_t)count : 0;
	if ((s = read_padding(inv, e)) || (s = check_save(inv, e)))
		return s;
	return check_report(inv, e);
}

static enum status read_row_sums(struct invocation *inv, struct error *e)
{
	const char *stage = inv->value[OPT_STAGE];

	if (!stage || strcmp(stage, ROW_SUMS_WORD))
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

/* ---- all of it ---- */

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

enum status arguments_interpret(struct invocation *inv, struct error *e)
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
