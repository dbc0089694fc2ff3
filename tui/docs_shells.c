/* docs_shells.c - what bash, zsh and fish complete. */
#include <stdbool.h>
#include <string.h>

#include "tui/docs_parts.h"

/* ---- what all of them complete ---- */

/* The words that an option takes, separated by blanks; nothing for the rest. */
static void put_words(struct buffer *out, const struct option_info *info)
{
	if (info->type == TYPE_SWITCH)
		buffer_text(out, "on off");
	for (int k = 0; info->words && info->words[k]; k++)
		buffer_format(out, "%s%s", k ? " " : "", info->words[k]);
}

static bool takes_file(const struct option_info *info)
{
	return !strcmp(info->name, "mask") || !strcmp(info->name, "bias");
}

static bool takes_bug(const struct option_info *info)
{
	return !strcmp(info->name, "bug");
}

/* The commands with a word of their own, separated by blanks. */
static void put_tools(struct buffer *out)
{
	bool any = false;

	for (int t = 0; t < TOOL_COUNT; t++)
		if (tool_info((enum tool)t)->usage && tool_info((enum tool)t)->name) {
			buffer_format(out, "%s%s", any ? " " : "", tool_info((enum tool)t)->name);
			any = true;
		}
}

/* The words of --format, whatever the command. */
static void put_formats(struct buffer *out, const char *between)
{
	bool any = false;

	for (int t = TOOL_SHOW; t <= TOOL_SWEEP; t++)
		for (const char *const *w = format_words((enum tool)t); *w; w++) {
			buffer_format(out, "%s%s", any ? between : "", *w);
			any = true;
		}
}

/* ---- bash ---- */

static void bash_option(struct buffer *out, const struct option_info *info)
{
	if (!info->words && info->type != TYPE_SWITCH)
		return;
	buffer_format(out, "\t--%s) ", info->name);
	if (takes_file(info)) {
		buffer_text(out, "_qkv_files ;;\n");
	} else if (takes_bug(info)) {
		buffer_text(out, "_qkv_words \"none $(_qkv_list --bugs)\" ;;\n");
	} else {
		buffer_text(out, "_qkv_words \"");
		put_words(out, info);
		buffer_text(out, "\" ;;\n");
	}
}

static void bash_switch(struct buffer *out, const struct option_info *info)
{
	if (info->type == TYPE_SWITCH)
		buffer_format(out, "|--%s", info->name);
}

static void bash_name(struct buffer *out, const struct option_info *info)
{
	buffer_format(out, " --%s", info->name);
}

static void bash_flag_without_value(struct buffer *out, const struct flag_info *info)
{
	if (!info->values)
		buffer_format(out, "|--%s", info->name);
}

static void bash_flag_name(struct buffer *out, const struct flag_info *info)
{
	buffer_format(out, " --%s", info->name);
}

static const char bash_start[] =
	"_qkv_list() { qkv list \"$1\" 2>/dev/null | sed 's/  .*//'; }\n"
	"_qkv_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }\n"
	"_qkv_files() {\n"
	"\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
	"\tcompopt -o filenames 2>/dev/null\n"
	"}\n"
	"\n"
	"# The words of one option, named $1.\n"
	"_qkv_values() {\n"
	"\tcase $1 in\n";

static const char bash_middle[] =
	"\tesac\n"
	"}\n"
	"\n"
	"_qkv() {\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} commands= list=--scenarios word\n"
	"\tCOMPREPLY=()\n"
	"\t# bash takes --name=value for three words.\n"
	"\tif [[ $cur == = ]]; then\n"
	"\t\tcur=\n"
	"\t\t_qkv_values \"$prev\"\n"
	"\t\treturn\n"
	"\tfi\n"
	"\tif [[ $prev == = ]]; then\n"
	"\t\t_qkv_values \"${COMP_WORDS[COMP_CWORD - 2]}\"\n"
	"\t\treturn\n"
	"\tfi\n"
	"\tcase $prev in\n"
	"\t-|--";

static const char bash_end[] =
	") ;;\n"
	"\t--*)\n"
	"\t\t_qkv_values \"$prev\"\n"
	"\t\treturn ;;\n"
	"\tesac\n"
	"\tif [[ $cur == -* ]]; then\n"
	"\t\t_qkv_words \"";

void docs_bash(struct buffer *out)
{
	buffer_text(out, "# qkv.bash - completion for bash. ");
	buffer_format(out, MADE_BY "\n", "bash");
	buffer_text(out, bash_start);
	for (int g = 0; g < GROUP_COUNT; g++)
		docs_each_option(out, (enum option_group)g, bash_option);
	buffer_text(out, "\t--format) _qkv_words \"");
	put_formats(out, " ");
	buffer_text(out, "\" ;;\n");
	buffer_text(out, bash_middle);
	for (int g = 0; g < GROUP_COUNT; g++)
		docs_each_option(out, (enum option_group)g, bash_switch);
	docs_each_flag(out, bash_flag_without_value);
	buffer_text(out, bash_end);
	size_t before = out->size;
	docs_each_flag(out, bash_flag_name);
	for (int g = 0; g < GROUP_COUNT; g++)
		docs_each_option(out, (enum option_group)g, bash_name);
	if (!out->failed)	/* the blank before the first name */
		memmove(out->data + before, out->data + before + 1, out->size-- - before);
	buffer_text(out, "\"\n\t\treturn\n\tfi\n\t_qkv_files\n\t((COMP_CWORD == 1)) && commands=\"");
	put_tools(out);
	buffer_text(out, "\"\n\t[[ ${COMP_WORDS[1]} == lesson ]] && list=--lessons\n"
			 "\tfor word in $commands $(_qkv_list $list); do\n"
			 "\t\tif [[ $word == \"$cur\"* ]]; then COMPREPLY+=(\"$word\"); fi\n"
			 "\tdone\n"
			 "}\n"
			 "complete -F _qkv qkv\n");
}

/* ---- zsh ---- */

/* Inside '...[...]': no quote, no bracket and no colon may act. */
static void zsh_text(struct buffer *out, const char *text)
{
	for (; *text; text++)
		if (*text == '\'')
			buffer_text(out, "'\\''");
		else if (strchr("[]:\\", *text))
			buffer_format(out, "\\%c", *text);
		else
			buffer_put(out, text, 1);
}

static void zsh_option(struct buffer *out, const struct option_info *info)
{
	bool is_switch = info->type == TYPE_SWITCH;

	buffer_format(out, "\t\t'--%s=%s[", info->name, is_switch ? "-" : "");
	zsh_text(out, info->help);
	buffer_format(out, "]%svalue:", is_switch ? "::" : ":");
	if (takes_file(info)) {
		buffer_text(out, "_files");
	} else if (takes_bug(info)) {
		buffer_text(out, "{compadd none $(_qkv_list --bugs)}");
	} else {
		buffer_text(out, "(");
		put_words(out, info);
		buffer_text(out, ")");
	}
	buffer_text(out, "' \\\n");
}

static void zsh_flag(struct buffer *out, const struct flag_info *info)
{
	buffer_format(out, "\t\t'--%s%s[", info->name, info->values ? "=" : "");
	zsh_text(out, info->help);
	buffer_text(out, "]");
	if (info->values && !strcmp(info->name, "format")) {
		buffer_text(out, ":format:(");
		put_formats(out, " ");
		buffer_text(out, ")");
	} else if (info->values) {
		buffer_text(out, ":");
		zsh_text(out, info->values);
		buffer_text(out, ": ");
	}
	buffer_text(out, "' \\\n");
}

void docs_zsh(struct buffer *out)
{
	buffer_text(out, "#compdef qkv\n# _qkv - completion for zsh. ");
	buffer_format(out, MADE_BY "\n", "zsh");
	buffer_text(out, "_qkv_list() { qkv list \"$1\" 2>/dev/null | sed 's/  .*//' }\n"
			 "_qkv_inputs() {\n"
			 "\tlocal -a names\n"
			 "\tlocal list=--scenarios\n"
			 "\t[[ $words[2] == lesson ]] && list=--lessons\n"
			 "\tnames=(${(f)\"$(_qkv_list $list)\"})\n"
			 "\t(( CURRENT == 2 )) && names+=(");
	put_tools(out);
	buffer_text(out, ")\n"
			 "\tcompadd -a names\n"
			 "\t_files\n"
			 "}\n"
			 "_qkv() {\n"
			 "\t_arguments \\\n");
	docs_each_flag(out, zsh_flag);
	for (int g = 0; g < GROUP_COUNT; g++)
		docs_each_option(out, (enum option_group)g, zsh_option);
	buffer_text(out, "\t\t'*:input:_qkv_inputs'\n"
			 "}\n"
			 "_qkv \"$@\"\n");
}

/* ---- fish ---- */

static void fish_text(struct buffer *out, const char *text)
{
	buffer_text(out, "'");
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			buffer_text(out, "\\");
		buffer_put(out, text, 1);
	}
	buffer_text(out, "'");
}

static void fish_option(struct buffer *out, const struct option_info *info)
{
	buffer_format(out, "complete -c qkv -l %s", info->name);
	if (takes_file(info)) {
		buffer_text(out, " -r");
	} else if (takes_bug(info)) {
		buffer_text(out, " -x -a '(__qkv_list --bugs)'");
	} else if (info->type != TYPE_SWITCH) {
		buffer_text(out, " -x -a '");
		put_words(out, info);
		buffer_text(out, "'");
	}
	buffer_text(out, " -d ");
	fish_text(out, info->help);
	buffer_text(out, "\n");
}

static void fish_flag(struct buffer *out, const struct flag_info *info)
{
	struct buffer owners = { 0 };

	docs_owners(&owners, info, " ");
	buffer_text(out, "complete -c qkv");
	if (owners.size)
		buffer_format(out, " -n '__fish_seen_subcommand_from %s'", owners.data);
	buffer_format(out, " -l %s", info->name);
	if (info->values && !strcmp(info->name, "format")) {
		buffer_text(out, " -x -a '");
		put_formats(out, " ");
		buffer_text(out, "'");
	} else if (info->values) {
		buffer_text(out, " -x");
	}
	buffer_text(out, " -d ");
	fish_text(out, info->help);
	buffer_text(out, "\n");
	out->failed = out->failed || owners.failed;
	buffer_free(&owners);
}

void docs_fish(struct buffer *out)
{
	buffer_text(out, "# qkv.fish - completion for fish. ");
	buffer_format(out, MADE_BY "\n", "fish");
	buffer_text(out, "function __qkv_list\n"
			 "    qkv list $argv 2>/dev/null | string replace -r '  +' '\\t'\n"
			 "end\n");
	for (int t = 0; t < TOOL_COUNT; t++) {
		const struct tool_info *info = tool_info((enum tool)t);
		if (!info->usage || !info->name)
			continue;
		buffer_format(out, "complete -c qkv -n __fish_use_subcommand -a %s -d ", info->name);
		fish_text(out, info->help);
		buffer_text(out, "\n");
	}
	buffer_text(out, "complete -c qkv -n 'not __fish_seen_subcommand_from list lesson help' -a '(__qkv_list --scenarios)'\n"
			 "complete -c qkv -n '__fish_seen_subcommand_from lesson' -a '(__qkv_list --lessons)'\n");
	docs_each_flag(out, fish_flag);
	for (int g = 0; g < GROUP_COUNT; g++)
		docs_each_option(out, (enum option_group)g, fish_option);
}
