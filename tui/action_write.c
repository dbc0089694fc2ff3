/* action_write.c - files, and the command line that shows the same. */
#include "tui/action.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/scenario_yaml.h"
#include "core/message.h"
#include "tui/cells.h"
#include "tui/compare.h"
#include "tui/export.h"
#include "tui/live_session.h"
#include "tui/show.h"
#include "tui/view.h"

/* What a file's ending asks for. Longer endings stand before those they end in. */
enum content { SCENARIO, TEXT, ANSI, SVG, HTML, NUMBERS };

static const struct ending {
	const char *text;
	enum content content;
	enum show_format format;	/* of NUMBERS */
} endings[] = {
	{ ".yaml", SCENARIO, SHOW_TABLE }, { ".yml", SCENARIO, SHOW_TABLE },
	{ ".worksheet.txt", NUMBERS, SHOW_WORKSHEET }, { ".worksheet.html", NUMBERS, SHOW_WORKSHEET_HTML },
	{ ".md", NUMBERS, SHOW_WORKSHEET_MD },
	{ ".txt", TEXT, SHOW_TABLE }, { ".ansi", ANSI, SHOW_TABLE }, { ".svg", SVG, SHOW_TABLE }, { ".html", HTML, SHOW_TABLE },
	{ ".csv", NUMBERS, SHOW_CSV }, { ".npy", NUMBERS, SHOW_NPY }, { ".json", NUMBERS, SHOW_JSON },
	{ ".tex", NUMBERS, SHOW_LATEX }, { ".py", NUMBERS, SHOW_SCRIPT },
};
enum { ENDINGS = sizeof endings / sizeof *endings };

static const struct ending *ending_of(const char *name)
{
	size_t n = strlen(name);

	for (size_t k = 0; k < ENDINGS; k++) {
		size_t length = strlen(endings[k].text);
		if (n > length && !strcmp(name + n - length, endings[k].text))
			return &endings[k];
	}
	return NULL;
}

bool state_write_name(const struct state *s, size_t k, const char *typed, char *out, size_t size)
{
	const char *slash = strrchr(typed, '/'), *dot = strchr(slash ? slash : typed, '.');
	bool own = slash ? slash[1] : *typed;

	if (k >= ENDINGS)
		return false;
	if (own)
		snprintf(out, size, "%.*s%s", (int)(dot ? dot - typed : (long)strlen(typed)), typed, endings[k].text);
	else
		snprintf(out, size, "%s%s%s", typed, state_scenario(s)->name, endings[k].text);
	return true;
}

static enum status write_numbers(const struct state *s, const struct problem *p, enum show_format format, struct buffer *out,
				 struct error *e)
{
	const struct pinned *pinned = &s->pinned;
	struct options o = s->now.options, other = pinned->snapshot.options;	/* borrowed */
	const struct show_request a = {
		.problem = pinned->problem, .options = &other, .tables = s->tables, .format = format, .array_given = true,
		.scenario = pinned->set ? s->opened[pinned->snapshot.scenario]->scenario.name : "",
		.live = pinned->snapshot.live, .model = s->live ? s->live->file : NULL,
	};
	const struct show_request request = {
		.problem = p, .input = state_scenario(s), .options = &o, .tables = s->tables,
		.scenario = state_scenario(s)->name, .format = format, .array_given = true,
		.live = s->now.live, .model = live_shown(s) ? s->live->file : NULL,
		.minus = compare_shown(s) == COMPARE_DIFFERENCE ? &a : NULL,
	};

	o.stage = other.stage = (int)state_stage(s);
	o.array = other.array = (int)state_array(s);
	return show(out, &request, e);
}

/* The numbers that are written are those that are seen: nothing that is asked for, and what
 * is compared only where it is one table. */
static enum status check_seen(const struct state *s, enum show_format format, struct error *e)
{
	enum comparison shown = compare_shown(s);

	if (panel_asks(s))
		return error_set(e, E_VALUE, "the file would tell what is asked for; once that is revealed or closed it can be written");
	if (state_shows_mean(s))
		return error_set(e, E_VALUE, "the mean over heads is on the screen alone; :mean off, and the numbers of a head are written");
	if (shown == COMPARE_BESIDE)
		return error_set(e, E_VALUE, "A | B are two tables; d shows B - A, then B alone, and what is shown is written");
	if (shown == COMPARE_DIFFERENCE && format > SHOW_LATEX)
		return error_set(e, E_VALUE, "a script or worksheet is of one state, not of B - A; d shows B alone");
	return OK_STATUS;
}

/* Numbers that a file may hold: about a second of work, in which no key is answered. Finding
 * the shortest digits of a number takes a few microseconds, its bytes in .npy next to nothing. */
enum { TEXT_LIMIT = 1 << 18, BYTES_LIMIT = 1 << 22 };

/* Whatever follows from a row costs all its keys, and JSON tells of each of them too. */
static enum status check_size(const struct state *s, enum show_format format, struct error *e)
{
	bool computes = state_stage(s) != STAGE_INPUT || format == SHOW_JSON;
	size_t keys = s->problem->n_k * (state_stage(s) == STAGE_JOINED ? s->problem->heads : 1);
	size_t rows, columns, cost;

	state_shape(s, &rows, &columns);
	cost = computes && keys > columns ? keys : columns;
	if (computes && s->problem->n_q > rows)
		rows = s->problem->n_q;
	size_t most = format == SHOW_NPY ? BYTES_LIMIT : TEXT_LIMIT;
	if (format > SHOW_LATEX || !cost || rows <= most / cost)
		return OK_STATUS;
	return error_set(e, E_LIMIT, "%zu x %zu numbers are too many to write while the screen waits; qkv show --rows writes parts",
			 rows, cost);
}

/* The same of a scenario, which holds what was given. */
static enum status fill_scenario(const struct state *s, struct buffer *out, struct error *e)
{
	const struct scenario *scenario = state_scenario(s);
	size_t numbers = 0;

	for (int a = 0; a < ARRAY_COUNT; a++)
		for (size_t k = 0; k < scenario->array[a].n; k++)
			numbers += scenario->array[a].head[k].rows * scenario->array[a].head[k].columns;
	if (numbers > TEXT_LIMIT)
		return error_set(e, E_LIMIT, "a scenario of %zu numbers is too long to write while the screen waits; the file that they are from holds them",
				 numbers);
	scenario_write(out, scenario, &s->now.options, &s->now.edits);
	return OK_STATUS;
}

/* The numbers of the stage on the screen, all of them, as qkv show writes them. Labels
 * that are made readable for the screen are not for files. */
static enum status fill_numbers(const struct state *s, enum show_format format, struct buffer *out, struct error *e)
{
	struct snapshot raw = s->now;		/* borrowed */
	struct problem *p;
	enum status status = check_seen(s, format, e);

	if (status || (status = check_size(s, format, e)))
		return status;
	if (raw.options.labels == LABELS_RAW)
		return write_numbers(s, s->problem, format, out, e);
	raw.options.labels = LABELS_RAW;
	if ((status = state_make_problem(s, &raw, &p, e)))
		return status;
	status = write_numbers(s, p, format, out, e);
	problem_free(p);
	free(p);
	return status;
}

static enum status fill_screen(struct state *s, enum content content, struct buffer *out, struct error *e)
{
	struct cells c;
	struct export_options options = { .theme = state_look(s).theme, .title = state_scenario(s)->name };
	enum status status = cells_init(&c, s->rows, s->columns, e);

	if (status)
		return status;
	view_draw(s, &c, NULL);
	if (content == SVG)
		export_svg(&c, &options, out);
	else if (content == HTML)
		export_html(&c, &options, out);
	else if (content == ANSI)
		export_ansi(&c, out);
	else
		export_text(&c, out);
	cells_free(&c);
	return OK_STATUS;
}

/* The endings that there are; `before` says why they are told. */
static enum status tell_endings(const char *before, struct error *e)
{
	return error_set(e, E_VALUE, _("%s its ending says what is written: .yaml (scenario), .txt, .ansi, .svg or .html (screen), "
			 ".csv, .npy, .json or .tex (numbers), .py (NumPy script), .md, .worksheet.txt or .worksheet.html (worksheet)"), before);
}

static enum status fill_file(struct state *s, const char *name, struct buffer *out, struct error *e)
{
	const struct ending *ending = ending_of(name);
	enum status status = OK_STATUS;

	if (!ending)
		return tell_endings(*name ? "" : _("a file name is expected;"), e);
	if (ending->content == SCENARIO)
		status = fill_scenario(s, out, e);
	else if (ending->content == NUMBERS)
		status = fill_numbers(s, ending->format, out, e);
	else
		status = fill_screen(s, ending->content, out, e);
	return !status && out->failed ? error_set(e, E_MEMORY, "no memory to write") : status;
}

void act_write(struct state *s, const struct call *call)
{
	const char *name = call->argument;
	bool replace = call->command == CMD_WRITE_OVER;
	struct buffer out = { 0 };
	struct error e = { 0 };
	enum status status = fill_file(s, name, &out, &e);

	if (!status)
		status = s->ports.write(name, out.data ? out.data : "", out.size, replace, &e);
	if (status)
		act_say_error(s, call->by, &e);
	else if (live_shown(s) && ending_of(name)->content == SCENARIO)
		state_say(s, false, "%s: wrote %s: numbers of layer %ld, without text and model", call->by, name, s->now.options.layer);
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

/* " --name=value", quoted where a shell would take it apart; nothing without a value. */
static void put_choice(struct buffer *out, const char *name, const char *value)
{
	struct buffer word = { 0 };

	if (!value)
		return;
	buffer_format(&word, "--%s=%s", name, value);
	buffer_text(out, " ");
	quote(out, word.data ? word.data : "");
	out->failed = out->failed || word.failed;
	buffer_free(&word);
}

/* How a file of arrays was read, and which part of it is on the screen: that is chosen
 * when it is opened, so it is no change of an option. */
static void put_part(struct buffer *out, const struct scenario *sc)
{
	put_choice(out, "as", sc->as);
	put_choice(out, "layout", sc->layout);
	if (sc->part.bf16)
		buffer_text(out, " --bf16");
	if (sc->part.layers > 1)
		buffer_format(out, " --layer=%ld", sc->part.layer);
	if (sc->part.batches > 1)
		buffer_format(out, " --batch=%ld", sc->part.batch);
}

static void put_place(const struct state *s, struct buffer *out)
{
	struct buffer keys = { 0 };

	state_place_keys(s, &keys);
	put_choice(out, "keys", keys.data);
	out->failed = out->failed || keys.failed;
	buffer_free(&keys);
}

bool state_command_line(const struct state *s, struct buffer *out)
{
	const struct scenario *sc = state_scenario(s);
	const char *input = source(s);

	if (live_shown(s)) {
		buffer_text(out, "qkv live");
		bool whole = live_command_line(s, out, quote) && !s->now.edits.n;
		put_place(s, out);
		live_command_end(s, out, quote);
		return whole;
	}
	buffer_text(out, "qkv ");
	/* A file beside which a name or a command of the program would be read. */
	buffer_text(out, !input || strchr(input, '/') || is_builtin(s, input) ? "" : "./");
	quote(out, input ? input : "INPUT");
	put_part(out, sc);
	for (int o = 0; o < OPT_COUNT; o++)
		if (!option_same(&s->now.options, &sc->set, (enum option)o)) {
			struct buffer word = { 0 };
			buffer_format(&word, "--%s=", option_info((enum option)o)->name);
			option_text(&s->now.options, (enum option)o, &word);
			buffer_text(out, " ");
			quote(out, word.data ? word.data : "");
			buffer_free(&word);
		}
	put_place(s, out);
	return input && !s->now.edits.n;
}

/* What is on the screen, and no command line brings it there. */
static const char *what_is_missing(const struct state *s)
{
	const struct panel_predict *p = &s->panel.predict;
	size_t right, given = 0;

	if (s->panel.kind == PANEL_PREDICT && p->answer)
		panel_score(s, &right, &given);
	return s->lesson ? _("; the lesson is not in it") : s->pinned.set ? _("; A, which is pinned, is not in it")
	     : given ? _("; what was typed is not in it") : "";
}

/* Why the command line does not bring it there, and what does. */
static const char *what_a_file_has(const struct state *s)
{
	if (live_shown(s))
		return s->now.edits.n ? _("edited numbers are not in it; without text and model they are in")
				      : _("options of this head's picture are not in it; without text and model they are in");
	return source(s) ? _("edited numbers need a file,") : _("this input needs a file,");
}

void act_command_line(struct state *s, const struct call *call)
{
	struct buffer line = { 0 };
	bool whole = state_command_line(s, &line);
	const char *missing = what_is_missing(s);

	if (whole)
		state_say(s, false, "%s: %s%s", call->by, line.data ? line.data : "", missing);
	else
		state_say(s, false, "%s: %s; %s :w FILE.yaml", call->by, line.data ? line.data : "", what_a_file_has(s));
	s->sentence_whole = true;
	buffer_free(&line);
}
