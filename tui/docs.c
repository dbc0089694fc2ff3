/* docs.c - texts made from the registries of options, commands and flags: the help and the tables of
 * README.md; docs_man.c has the manual page, docs_shells.c the completions.
 */
#include "tui/docs.h"

#include <stdbool.h>
#include <string.h>

#include "core/message.h"
#include "tui/command.h"
#include "tui/docs_parts.h"

/* ---- the registries, walked ---- */

void docs_each_option(struct buffer *out, enum option_group group, option_writer *write)
{
	for (int o = 0; o < OPT_COUNT; o++)
		if (option_info((enum option)o)->group == group)
			write(out, option_info((enum option)o));
}

void docs_each_flag(struct buffer *out, flag_writer *write)
{
	for (int f = 0; f < FLAG_COUNT; f++)
		write(out, flag_info((enum flag)f));
}

void docs_owners(struct buffer *out, const struct flag_info *info, const char *between)
{
	bool any = false;

	if (info->tools & 1u << TOOL_SCREEN)
		return;
	for (int t = 0; t < TOOL_COUNT; t++)
		if (info->tools & 1u << t && tool_info((enum tool)t)->usage) {
			buffer_format(out, "%s%s", any ? between : "", tool_info((enum tool)t)->name);
			any = true;
		}
}

/* ---- --help ---- */

enum { HELP_INDENT = 19, HELP_WIDTH = 79 };

static void help_item(struct buffer *out, const char *name, const char *help, const char *values)
{
	size_t before = out->size;

	buffer_format(out, "  --%s", name);
	size_t used = out->size - before;
	buffer_repeat(out, ' ', used < HELP_INDENT ? HELP_INDENT - used : 1);
	buffer_wrapped(out, HELP_INDENT, HELP_INDENT, HELP_WIDTH, help);
	if (values) {
		buffer_repeat(out, ' ', HELP_INDENT);
		buffer_wrapped(out, HELP_INDENT, HELP_INDENT, HELP_WIDTH, values);
	}
}

static void help_option(struct buffer *out, const struct option_info *info)
{
	help_item(out, info->name, _(info->help), _(info->values));
}

static void help_flag(struct buffer *out, const struct flag_info *info)
{
	struct buffer help = { 0 };

	docs_owners(&help, info, ", ");
	if (help.size)
		buffer_text(&help, ": ");
	buffer_text(&help, _(info->help));
	if (help.data)
		help_item(out, info->name, help.data, info->values ? _(info->values) : NULL);
	out->failed = out->failed || help.failed;
	buffer_free(&help);
}

static void help_tools(struct buffer *out)
{
	for (int t = 0; t < TOOL_COUNT; t++) {
		const struct tool_info *info = tool_info((enum tool)t);
		if (info->usage)
			buffer_format(out, "%s qkv%s%s%s%s\n", t ? "      " : _("Usage:"), info->name ? " " : "",
				      info->name ? info->name : "", *info->usage ? " " : "", info->usage);
	}
	buffer_text(out, "\n");
	for (int t = 0; t < TOOL_COUNT; t++) {
		const struct tool_info *info = tool_info((enum tool)t);
		if (info->usage)
			buffer_format(out, "  %-*s%s\n", HELP_INDENT - 2, info->name ? info->name : _("(no command)"), _(info->help));
	}
}

void docs_help(struct buffer *out)
{
	buffer_text(out, _("qkv shows every number of scaled dot-product attention, and lets you change it.\n\n"));
	help_tools(out);
	buffer_text(out, _("\nINPUT is the name of a built-in scenario (qkv list), a file (./name if that is\n"
			   "one), or - for standard input; without it, causal-3. Of the values below the\n"
			   "first is the default. A switch alone means on, --name=off turns it off; other\n"
			   "values follow a blank or '='. -- ends the options.\n"
			   "\nOf single commands\n"));
	docs_each_flag(out, help_flag);
	for (int g = 0; g < GROUP_COUNT; g++) {
		buffer_format(out, "\n%s\n", _(option_group_name((enum option_group)g)));
		docs_each_option(out, (enum option_group)g, help_option);
	}
}

/* ---- tables of README.md ---- */

/* Text for a cell of a Markdown table. */
static void cell(struct buffer *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '|' || *text == '<' || *text == '*' || *text == '_' || *text == '\\')
			buffer_text(out, "\\");
		buffer_put(out, text, 1);
	}
}

static void table_option(struct buffer *out, const struct option_info *info)
{
	buffer_format(out, "| `--%s` | ", info->name);
	cell(out, info->values);
	buffer_text(out, " | ");
	cell(out, info->help);
	buffer_text(out, " |\n");
}

static void docs_options(struct buffer *out)
{
	buffer_text(out, "| option | values, the first is the default | meaning |\n|---|---|---|\n");
	for (int g = 0; g < GROUP_COUNT; g++) {
		buffer_format(out, "| **%s** | | |\n", option_group_name((enum option_group)g));
		docs_each_option(out, (enum option_group)g, table_option);
	}
}

/* The keys one by one in backquotes, or the command line's form. */
static void table_keys(struct buffer *out, const struct command_info *info)
{
	const char *p = info->keys;

	if (!*p) {
		buffer_format(out, "`:%s%s", info->name, info->argument ? " " : "");
		/* In code nothing is escaped but the bar that would end the cell. */
		for (const char *a = info->argument ? info->argument : ""; *a; a++)
			buffer_format(out, "%s%c", *a == '|' ? "\\" : "", *a);
		buffer_text(out, "`");
	}
	while (*p) {
		size_t n = strcspn(p, " ");
		buffer_format(out, "`%.*s`%s", (int)n, p, p[n] ? " " : "");
		p += n + (p[n] == ' ');
	}
}

static void docs_keys(struct buffer *out)
{
	buffer_text(out, "| keys | do | command |\n|---|---|---|\n");
	for (int g = 0; g < COMMAND_GROUP_COUNT; g++) {
		buffer_format(out, "| **%s** | | |\n", command_group_name((enum command_group)g));
		for (int c = 0; c < CMD_COUNT; c++) {
			const struct command_info *info = command_info((enum command)c);
			if (info->group != (enum command_group)g)
				continue;
			buffer_text(out, "| ");
			table_keys(out, info);
			buffer_text(out, " | ");
			cell(out, info->help);
			buffer_format(out, " | `%s` |\n", info->name);
		}
	}
}

/* ---- by name ---- */

enum status docs(struct buffer *out, const char *topic, struct error *e)
{
	static const struct { const char *topic; void (*write)(struct buffer *out); } table[] = {
		{ "man", docs_man }, { "options", docs_options }, { "keys", docs_keys },
		{ "bash", docs_bash }, { "zsh", docs_zsh }, { "fish", docs_fish },
	};

	for (size_t k = 0; k < sizeof table / sizeof *table; k++)
		if (!strcmp(table[k].topic, topic)) {
			table[k].write(out);
			return OK_STATUS;
		}
	return error_set(e, E_VALUE, "docs: man, options, keys, bash, zsh or fish is expected");
}
