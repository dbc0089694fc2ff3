/* action_write.c - files, and the command line that shows the same. */
#include "tui/action.h"

#include <string.h>

#include "core/io/scenario_yaml.h"
#include "core/message.h"
#include "tui/cells.h"
#include "tui/export.h"
#include "tui/view.h"

static const char *extension(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot && !strchr(dot, '/') ? dot + 1 : "";
}

static enum status fill_file(struct state *s, const char *type, struct buffer *out, struct error *e)
{
	struct cells c;
	struct export_options options = { .theme = state_look(s).theme, .title = state_scenario(s)->name };
	enum status status;

	if (!strcmp(type, "yaml") || !strcmp(type, "yml")) {
		scenario_write(out, state_scenario(s), &s->now.options, &s->now.edits);
		return out->failed ? error_set(e, E_MEMORY, "no memory to write") : OK_STATUS;
	}
	bool svg = !strcmp(type, "svg"), html = !strcmp(type, "html"), ansi = !strcmp(type, "ansi"), text = !strcmp(type, "txt");
	if (!svg && !html && !ansi && !text)
		return error_set(e, E_VALUE, "the file's ending says what is written: .yaml (scenario), .txt, .ansi, .svg or .html (screen)");
	if ((status = cells_init(&c, s->rows, s->columns, e)))
		return status;
	view_draw(s, &c, NULL);
	if (svg)
		export_svg(&c, &options, out);
	else if (html)
		export_html(&c, &options, out);
	else if (ansi)
		export_ansi(&c, out);
	else
		export_text(&c, out);
	cells_free(&c);
	return out->failed ? error_set(e, E_MEMORY, "no memory to write") : OK_STATUS;
}

void act_write(struct state *s, const struct call *call)
{
	const char *name = call->argument;
	bool replace = call->command == CMD_WRITE_OVER;
	struct buffer out = { 0 };
	struct error e = { 0 };
	enum status status;

	if (!*name)
		status = error_set(&e, E_VALUE, "a file name is expected, as in :w lesson.yaml");
	else if (!(status = fill_file(s, extension(name), &out, &e)))
		status = s->ports.write(name, out.data ? out.data : "", out.size, replace, &e);
	if (status)
		act_say_error(s, call->by, &e);
	else
		state_say(s, false, "%s: wrote %s (%zu bytes)", call->by, name, out.size);
	buffer_free(&out);
}

void act_export(struct state *s, const struct call *call)
{
	(void)call;
	prompt_open(s, PROMPT_COMMAND, "w ");
}

static void quote(struct buffer *out, const char *word)
{
	if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.,:/+")]) {
		buffer_text(out, word);
		return;
	}
	buffer_text(out, "'");
	for (; *word; word++)
		buffer_format(out, *word == '\'' ? "'\\''" : "%c", *word);
	buffer_text(out, "'");
}

static bool is_builtin(const struct state *s, const char *name)
{
	for (size_t i = 0; i < s->ports.builtin_count(); i++)
		if (!strcmp(s->ports.builtin_name(i), name))
			return true;
	return false;
}

/* The INPUT that opens the scenario in force, or NULL when none does. */
static const char *source(const struct state *s)
{
	const struct opened *one = s->opened[s->now.scenario];

	if (!one->source)
		return is_builtin(s, one->scenario.name) ? one->scenario.name : NULL;
	return strcmp(one->source, "-") ? one->source : NULL;
}

bool state_command_line(const struct state *s, struct buffer *out)
{
	const struct scenario *sc = state_scenario(s);
	const char *input = source(s);

	buffer_text(out, "qkv ");
	/* A file beside which a name or a command of the program would be read. */
	buffer_text(out, !input || strchr(input, '/') || is_builtin(s, input) ? "" : "./");
	quote(out, input ? input : "INPUT");
	for (int o = 0; o < OPT_COUNT; o++)
		if (!option_same(&s->now.options, &sc->set, (enum option)o)) {
			struct buffer word = { 0 };
			buffer_format(&word, "--%s=", option_info((enum option)o)->name);
			option_text(&s->now.options, (enum option)o, &word);
			buffer_text(out, " ");
			quote(out, word.data ? word.data : "");
			buffer_free(&word);
		}
	return input && !s->now.edits.n;
}

void act_command_line(struct state *s, const struct call *call)
{
	struct buffer line = { 0 };
	bool whole = state_command_line(s, &line);

	if (whole)
		state_say(s, false, "%s: %s", call->by, line.data ? line.data : "");
	else
		state_say(s, false, "%s: %s; %s :w FILE.yaml", call->by, line.data ? line.data : "",
			  source(s) ? _("edited numbers need a file,") : _("this input needs a file,"));
	s->sentence_whole = true;
	buffer_free(&line);
}
