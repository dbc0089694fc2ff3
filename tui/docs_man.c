/* docs_man.c - the manual page: its own paragraphs, and what the registries say. */
#include "core/stage.h"
#include "tui/command.h"
#include "tui/docs_parts.h"

/* ---- items ---- */

/* Text for troff: a hyphen that may be copied, no escapes, no requests. */
static void man_text(struct buffer *out, const char *text)
{
	if (*text == '.' || *text == '\'')
		buffer_text(out, "\\&");
	for (; *text; text++)
		if (*text == '\\')
			buffer_text(out, "\\e");
		else if (*text == '-')
			buffer_text(out, "\\-");
		else if (*text == '\'')
			buffer_text(out, "\\(aq");
		else if (*text == '^')
			buffer_text(out, "\\(ha");
		else if (*text == '~')
			buffer_text(out, "\\(ti");
		else if (*text == '`')
			buffer_text(out, "\\(ga");
		else
			buffer_put(out, text, 1);
}

static void man_item(struct buffer *out, const char *name, const char *values, const char *help)
{
	buffer_text(out, ".TP\n\\fB\\-\\-");
	man_text(out, name);
	buffer_text(out, "\\fR");
	if (values) {
		buffer_text(out, " ");
		man_text(out, values);
	}
	buffer_text(out, "\n");
	man_text(out, help);
	buffer_text(out, "\n");
}

static void man_option(struct buffer *out, const struct option_info *info)
{
	man_item(out, info->name, info->values, info->help);
}

static void man_flag(struct buffer *out, const struct flag_info *info)
{
	man_item(out, info->name, info->values, info->help);
	if (info->tools & 1u << TOOL_SCREEN)
		return;
	buffer_text(out, "(");
	docs_owners(out, info, ", ");
	buffer_text(out, ")\n");
}

static void man_tools(struct buffer *out)
{
	for (int t = 0; t < TOOL_COUNT; t++) {
		const struct tool_info *info = tool_info((enum tool)t);
		if (!info->usage)
			continue;
		buffer_format(out, ".TP\n\\fBqkv%s%s\\fR ", info->name ? " " : "", info->name ? info->name : "");
		man_text(out, info->usage);
		buffer_text(out, "\n");
		man_text(out, info->help);
		buffer_text(out, "\n");
	}
}

static void man_command(struct buffer *out, const struct command_info *info)
{
	buffer_text(out, ".TP\n\\fB");
	if (*info->keys) {
		man_text(out, info->keys);
	} else {
		buffer_text(out, ":");
		man_text(out, info->name);
		buffer_text(out, " ");
		man_text(out, info->argument ? info->argument : "");
	}
	buffer_text(out, "\\fR\n");
	man_text(out, info->help);
	buffer_text(out, " (");
	man_text(out, info->name);
	buffer_text(out, ")\n");
}

static void man_keys(struct buffer *out)
{
	for (int g = 0; g < COMMAND_GROUP_COUNT; g++) {
		buffer_text(out, ".SS ");
		man_text(out, command_group_name((enum command_group)g));
		buffer_text(out, "\n");
		for (int c = 0; c < CMD_COUNT; c++)
			if (command_info((enum command)c)->group == (enum command_group)g)
				man_command(out, command_info((enum command)c));
	}
}

static void man_stages(struct buffer *out)
{
	for (int s = 0; s < STAGE_COUNT; s++) {
		const struct stage_info *info = stage_info((enum stage)s);
		buffer_format(out, ".TP\n\\fB%d %s\\fR ", s, info->name);
		man_text(out, info->shape);
		buffer_text(out, "\n");
		man_text(out, info->formula);
		buffer_text(out, "\n");
	}
}

/* ---- the page ---- */

static const char man_start[] =
	".TH QKV 1 \"\" qkv \"User commands\"\n"
	".SH NAME\n"
	"qkv \\- every number of scaled dot-product attention in a terminal\n"
	".SH SYNOPSIS\n"
	".B qkv\n"
	"[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR] [\\fIINPUT\\fR]\n"
	".SH DESCRIPTION\n"
	"qkv shows the numbers of softmax(Q K\\(haT / sqrt(d_k) + mask) V: a grid of queries (rows) by keys\n"
	"(columns), with the sum of every row beside it. Keys switch the causal mask, the padding mask and the\n"
	"scale factor; the grid is computed and coloured again at once. Indices are counted from 0.\n"
	".PP\n"
	"\\fIINPUT\\fR is the name of a built-in scenario (\\fBqkv list\\fR), a file (\\fB./name\\fR where a name is\n"
	"taken), or \\fB\\-\\fR for standard input; without it, causal\\-3. Where standard output is no terminal, qkv\n"
	"without a command prints what \\fBqkv show\\fR prints.\n"
	".SH COMMANDS\n";

static const char man_stages_start[] =
	".SH STAGES\n"
	"The digit is the key of the stage, the word a value of \\fB\\-\\-stage\\fR. \\fBqkv show\\fR also knows\n"
	"\\fB\\-\\-stage row\\-sums\\fR.\n";

static const char man_options_start[] =
	".SH OPTIONS\n"
	"Of the values the first is the default. A switch alone means on, and takes a value only with an equals sign\n"
	"(\\fB\\-\\-causal=off\\fR); other values follow a blank or an equals sign and may begin with a hyphen\n"
	"(\\fB\\-\\-fill \\-1e9\\fR). Options and input come in any order, of an option given twice the last holds,\n"
	"names are not abbreviated, and \\fB\\-\\-\\fR ends the options. They are set on top of those of the scenario.\n"
	".SS Of single commands\n";

static const char man_formats[] =
	".SH FORMATS OF QKV SHOW\n"
	".TP\n\\fBtable\\fR\n"
	"For people: rows and columns with their tokens, hidden cells marked, and beside each row its sum, a verdict,\n"
	"the largest weight and the entropy in bits. On a terminal, or with COLUMNS set, columns that do not fit\n"
	"are left out, and counted; a file or a pipe gets all of them.\n"
	".TP\n\\fBnumpy\\fR\n"
	"The text of print(a); with \\fB\\-\\-precision\\fR \\fIp\\fR of print(np.round(a, p)).\n"
	".TP\n\\fBcsv\\fR\n"
	"A header of column labels, then a label and the numbers of each row, all digits.\n"
	".TP\n\\fBjson\\fR\n"
	"One object with scenario, stage, shape, tokens (query, key), options (those not at their default, each value as\n"
	"the text that the command line takes), values (rows), row_sums, verdicts (one a row) and hidden_by (rows of\n"
	"cells, each a list of rule names). The input stage has array, the name of what is shown. row_sums, verdicts\n"
	"and hidden_by speak of the weights, whatever the stage; \\fB\\-\\-rows\\fR cuts them where rows are queries,\n"
	"\\fB\\-\\-cols\\fR hidden_by where columns are keys. Numbers that are not finite are \"NaN\", \"Infinity\",\n"
	"\"\\-Infinity\".\n"
	".TP\n\\fBnpy\\fR\n"
	"The bytes that np.save writes, float64.\n"
	".TP\n\\fBlatex\\fR\n"
	"A tabular with the tokens; a cell that a mask hides has a small cross.\n"
	".TP\n\\fBscript\\fR\n"
	"A Python script that computes the same with NumPy and prints what numpy prints, with the lines that the options\n"
	"in force need, and comments in the language of the texts. Input from a seed is drawn by default_rng.\n"
	".TP\n\\fBworksheet\\fR, \\fBworksheet\\-md\\fR, \\fBworksheet\\-html\\fR\n"
	"To be printed and filled in, as text, Markdown or HTML: the inputs, tables with blanks up to the stage, and the\n"
	"answers on a page of their own. At most 12 queries and 10 keys; \\fB\\-\\-rows\\fR chooses queries.\n"
	".PP\n"
	"The verdicts are, the first that holds: empty (all cells are hidden), non\\-finite (a visible score is nan or\n"
	"inf), nan, low, high (the sum is not 1), ok. \\fB\\-\\-precision\\fR acts on table, numpy, latex, script and the worksheets; the others\n"
	"have all digits and refuse it.\n";

static const char man_live[] =
	".SH LANGUAGE MODEL\n"
	"\\fBqkv live\\fR runs a decoder of 557,000 parameters for Korean and English, built into the program: 3 layers of 4\n"
	"heads, a token per character, at most 127 of them. On a terminal it opens the head that \\fB\\-\\-layer\\fR and\n"
	"\\fB\\-\\-head\\fR name, with the text below it, which \\fBX\\fR edits: each key shows what it does to the head and to\n"
	"what comes next. \\fBA\\fR says where options apply (the picture alone, this head, this layer, all), \\fBK\\fR takes the\n"
	"head out, \\fBH\\fR shows all. With \\fB\\-\\-text\\fR, or where standard output is no terminal, it writes what comes next, nats\n"
	"per character, and of each head its mean weights on the previous character, two back, itself, [BOS] and on what\n"
	"followed the last occurrence of the same character, its entropy (of the largest possible), and the name that these\n"
	"earn: previous token (0.5 or more on the previous), induction (0.3 or more on what followed, over 4 queries at\n"
	"least), rests on [BOS] (0.5 or more there), broad (entropy 0.6 or more).\n"
	".PP\n"
	"In a report options of attention apply to the heads of \\fB\\-\\-at\\fR, by default all, and are carried through the layers;\n"
	"on the screen, and with \\fB\\-\\-live\\fR of the other commands, they are of the picture alone where \\fB\\-\\-at\\fR is not\n"
	"given, or \\fBnone\\fR. The line that \\fBy\\fR tells says \\fB\\-\\-at\\fR, and is the same for both.\n"
	"\\fB\\-\\-ablate\\fR takes heads out. Beside the result stands that of the untouched model. With\n"
	"\\fB\\-\\-next\\fR the text goes on up to [EOS]: with the likeliest character each time, or, with\n"
	"\\fB\\-\\-temperature\\fR (1) or \\fB\\-\\-seed\\fR (0), with the first id at which the sum of the probabilities exceeds the\n"
	"next number of numpy.random.default_rng(seed).random(). With \\fB\\-\\-next\\fR that is not attention's temperature, which it is elsewhere.\n"
	".PP\n"
	"\\fB\\-\\-format json\\fR is one object with model, text, tokens, ids, cut, unknown, position, top (token, id, p), nats, continuation\n"
	"(text, ids, stopped: count, eos or context), options, at, ablate, heads, notices and, where heads are interfered\n"
	"with or there is padding, untouched (top, nats, continuation). \\fBqkv show \\-\\-live\\fR with \\fB\\-\\-format json\\fR has the key live:\n"
	"model, text, layer, head, at, options (those that are carried through), ablate, pad_left, pad_right. \\fBqkv verify \\-\\-live\\fR\n"
	"checks all heads of \\fB\\-\\-layer\\fR, by default of layer 0.\n";

static const char man_arrays[] =
	".SH FILES OF ARRAYS\n"
	"\\fIINPUT\\fR may be .safetensors, .npz, .npy, CSV or JSON as models' frameworks write them. The name of an array says\n"
	"what it is (q, hook_rot_k, attentions.3, past_key_values.3.value, attn_scores, input_ids, attention_mask, ...), its shape\n"
	"which axis is what: the last two of weights are query and key, those of q, k and v position and width; heads stand before\n"
	"them, or between; then batch, then layer. \\fBqkv info\\fR tells what was recognised.\n"
	".PP\n"
	"One layer and batch is opened, \\fB\\-\\-layer\\fR and \\fB\\-\\-batch\\fR choose it. Where Q and K are there the weights are\n"
	"computed again; where stored weights are there too, rows are compared, and the scale and the masks that agree with\n"
	"them are used. Without Q and K the stored weights, or else the scores, are shown.\n"
	".PP\n"
	"\\fB\\-\\-as q=NAME,k=NAME,weights=NAME\\fR names arrays, a * in NAME stands for the number of the layer. The roles are\n"
	"weights, scores, q, k, v, output, tokens, query\\-tokens, key\\-tokens, ids, mask, bias and scale; a role alone is that of the\n"
	"only array. Weights or scores without q and k are shown as they are stored. \\fB\\-\\-layout\\fR names axes in their order:\n"
	"\\fBbatch,token,head,dim\\fR is of all q, k, v and output with four axes, \\fBhead,query,key\\fR of all weights, scores, masks\n"
	"and biases with three; several are joined by /.\n";

static const char man_end[] =
	".SH EXIT STATUS\n"
	"0 fine; 1 a check of \\fBqkv verify\\fR is false; 2 bad usage, bad input or a terminal that cannot show the screen; 130 after Ctrl\\-C; 128 + signal when\n"
	"a signal ended it. Every error is one line on standard error that starts with \"qkv: \".\n"
	".SH ENVIRONMENT\n"
	".TP\n\\fBLC_ALL\\fR, \\fBLC_CTYPE\\fR, \\fBLANG\\fR\n"
	"Whether text may be UTF\\-8; otherwise everything is drawn with ASCII, and in English unless \\fB\\-\\-lang\\fR says otherwise.\n"
	".TP\n\\fBTERM\\fR, \\fBCOLORTERM\\fR, \\fBCOLORFGBG\\fR, \\fBNO_COLOR\\fR\n"
	"What the terminal can do.\n"
	".TP\n\\fBCOLUMNS\\fR\n"
	"Width of a table of \\fBqkv show\\fR and of a report of \\fBqkv verify\\fR.\n"
	".SH FILES\n"
	".TP\n\\fI$XDG_CONFIG_HOME/qkv/config\\fR (~/.config)\n"
	"Lines of \\fBmap\\fR \\fIKEY COMMAND\\fR, \\fBmap\\fR \\fIKEY\\fR :\\fILINE\\fR and \\fBset\\fR \\fIOPTION VALUE\\fR, for the screen.\n"
	"What the scenario or the command line sets comes before it.\n"
	".TP\n\\fI$XDG_STATE_HOME/qkv\\fR (~/.local/state)\n"
	"The session that \\fB\\-\\-resume\\fR goes on with.\n"
	".SH EXAMPLES\n"
	".nf\n"
	"qkv\n"
	"qkv show causal\\-3 \\-\\-format numpy \\-\\-precision 2\n"
	"qkv show random\\-4 \\-\\-mask\\-at after \\-\\-format json\n"
	"qkv live \\-\\-text \"abcabc\" \\-\\-ablate 0.3\n"
	"qkv show \\-\\-live \"abcabc\" \\-\\-layer 1 \\-\\-head 0\n"
	"qkv frame \\-\\-keys \"c j <Down> :scale none<Enter>\" \\-\\-size 100x30 causal\\-3\n"
	".fi\n";

void docs_man(struct buffer *out)
{
	buffer_text(out, ".\\\" ");
	buffer_format(out, MADE_BY "\n", "man");
	buffer_text(out, man_start);
	man_tools(out);
	buffer_text(out, man_stages_start);
	man_stages(out);
	buffer_text(out, man_options_start);
	docs_each_flag(out, man_flag);
	for (int g = 0; g < GROUP_COUNT; g++) {
		buffer_text(out, ".SS ");
		man_text(out, option_group_name((enum option_group)g));
		buffer_text(out, "\n");
		docs_each_option(out, (enum option_group)g, man_option);
	}
	buffer_text(out, man_formats);
	buffer_text(out, man_arrays);
	buffer_text(out, man_live);
	buffer_text(out, ".SH KEYS\nAfter each key what it does, and the name of its command.\n");
	man_keys(out);
	buffer_text(out, man_end);
}
