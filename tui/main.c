/* main.c - the program: which command, what it writes, how it ends.
 *
 * Exit status: 0 fine, 2 bad usage or bad input, 128 + signal when a signal
 * ended it. Every error is one line on standard error.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/bug.h"
#include "core/number.h"
#include "tui/arguments.h"
#include "tui/docs.h"
#include "tui/frame.h"
#include "tui/load.h"
#include "tui/screen.h"
#include "tui/show.h"
#include "tui/term/term.h"

enum { EXIT_BAD = 2, BROKEN_PIPE = 128 + 13 };
#define DEFAULT_INPUT "causal-3"

struct program {
	struct invocation inv;
	bool ascii;			/* the locale is not UTF-8 */
	struct random_tables *tables;
	struct buffer out;		/* what standard output gets */
};

static int fail(const struct program *p, const struct error *e)
{
	char text[sizeof e->file + sizeof e->text + 64];
	struct buffer line = { 0 };

	error_format(e, text, sizeof text);
	show_safe_text(&line, text, p->ascii);
	fprintf(stderr, "qkv: %s\n", line.data ? line.data : text);
	buffer_free(&line);
	return EXIT_BAD;
}

/* Who reads a pipe may stop reading: that is no fault to tell about. */
static int write_out(const struct program *p, struct error *e)
{
	const char *data = p->out.data;
	size_t left = p->out.size;

	if (p->out.failed) {
		error_set(e, E_MEMORY, "no memory for what is to be written");
		return fail(p, e);
	}
	while (left) {
		ssize_t n = write(STDOUT_FILENO, data, left);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EPIPE)
			return BROKEN_PIPE;
		if (n < 0) {
			error_set(e, E_FILE, "cannot write: %s", strerror(errno));
			return fail(p, e);
		}
		data += n;
		left -= (size_t)n;
	}
	return 0;
}

/* ---- commands with an input ---- */

static const char *input_name(const struct program *p)
{
	return p->inv.input ? p->inv.input : DEFAULT_INPUT;
}

/* The scenario, and its options with those of the command line on top. */
static enum status open_input(const struct program *p, struct scenario *s, struct options *o, struct error *e)
{
	enum status status = load_scenario(s, input_name(p), NULL, e);

	if (status)
		return status;
	status = options_copy(o, &s->set, e);
	if (!status && (status = arguments_apply(&p->inv, o, e)))
		options_free(o);
	if (status)
		scenario_free(s);
	return status;
}

static enum status compute_tables(struct program *p, struct error *e)
{
	p->tables = malloc(sizeof *p->tables);
	if (!p->tables)
		return error_set(e, E_MEMORY, "no memory for the random numbers");
	return random_tables_init(p->tables, e);
}

static int table_width(void)
{
	const char *text = getenv("COLUMNS");
	long v;

	return text && number_parse_integer(text, strlen(text), &v) && v > 0 && v <= 1000000 ? (int)v : 80;
}

static enum status show_problem(struct program *p, const struct scenario *s, const struct options *o,
				struct error *e)
{
	struct problem problem = { 0 };
	enum status status = problem_build(&problem, s, o, &s->edits, p->tables, e);

	if (!status)
		status = load_masks(&problem, o, e);
	if (!status) {
		const struct show_request request = {
			.problem = &problem, .options = o, .tables = p->tables, .scenario = s->name,
			.format = p->inv.show_format, .row_sums = p->inv.row_sums,
			.array_given = p->inv.value[OPT_ARRAY] || s->option_mark[OPT_ARRAY].line,
			.rows = p->inv.rows, .columns = p->inv.columns,
			.width = table_width(), .ascii = p->ascii || o->ascii,
		};
		status = show(&p->out, &request, e);
	}
	problem_free(&problem);
	return status;
}

/* An option that a user's file sets wrongly is told with its place there; one of
 * a built-in scenario became wrong by another option, and is told as an option. */
static void blame(const struct program *p, const struct mark *marks, struct error *e)
{
	const char *name = input_name(p);

	for (size_t i = 0; i < builtin_count(); i++)
		if (!strcmp(builtin_name(i), name))
			return;
	arguments_blame(&p->inv, marks, strcmp(name, "-") ? name : "stdin", e);
}

/* Runs the screen, or the frame, on what was opened. Returns the exit status. */
static int run_screen(struct program *p, struct scenario *s, struct options *o, struct error *e)
{
	const char *keys = p->inv.flag[FLAG_KEYS];
	struct screen_options screen = {
		.tables = p->tables, .scenario = s, .options = o,
		.input_is_data = !strcmp(input_name(p), "-"), .ascii = p->ascii || o->ascii,
	};

	if (p->inv.tool == TOOL_SCREEN)
		return screen_run(&screen, e);
	return frame_write(&p->out, &screen, keys ? keys : "", p->inv.frame_rows, p->inv.frame_columns,
			    p->inv.frame_format, e) ? EXIT_BAD : 0;
}

static int run_input(struct program *p, struct error *e)
{
	bool as_text = p->inv.tool == TOOL_SHOW || (p->inv.tool == TOOL_SCREEN && !isatty(STDOUT_FILENO));
	struct mark marks[OPT_COUNT];
	struct scenario s;
	struct options o;
	int result;

	if (compute_tables(p, e) || open_input(p, &s, &o, e))
		return fail(p, e);
	/* The screen takes the scenario over; an error still has to name its place. */
	memcpy(marks, s.option_mark, sizeof marks);
	result = as_text ? (show_problem(p, &s, &o, e) ? EXIT_BAD : 0) : run_screen(p, &s, &o, e);
	scenario_free(&s);
	options_free(&o);
	if (result == EXIT_BAD) {
		blame(p, marks, e);
		return fail(p, e);
	}
	return p->out.size ? write_out(p, e) : result;
}

static int run_resumed(struct program *p, struct error *e)
{
	struct screen_options screen = { .resume = true, .ascii = p->ascii };

	if (!isatty(STDOUT_FILENO)) {
		error_option(e, E_VALUE, "resume", "", "the output is not a terminal");
		return fail(p, e);
	}
	if (compute_tables(p, e))
		return fail(p, e);
	screen.tables = p->tables;
	int result = screen_run(&screen, e);
	return result == EXIT_BAD ? fail(p, e) : result;
}

/* ---- lists ---- */

static void put_name(struct buffer *out, const char *name, const char *title)
{
	enum { TITLE_COLUMN = 22 };	/* names are ASCII */

	buffer_format(out, "%-*s  %s\n", TITLE_COLUMN - 2, name, title);
}

static enum status list_scenarios(struct buffer *out, struct error *e)
{
	for (size_t i = 0; i < builtin_count(); i++) {
		struct scenario s;
		enum status status = load_scenario(&s, builtin_name(i), NULL, e);
		if (status)
			return status;
		put_name(out, builtin_name(i), title_in(&s.title, "en"));
		scenario_free(&s);
	}
	return OK_STATUS;
}

static int run_list(struct program *p, struct error *e)
{
	if (p->inv.listing == LIST_SCENARIOS && list_scenarios(&p->out, e))
		return fail(p, e);
	for (size_t i = 0; i < bugs_count && p->inv.listing == LIST_BUGS; i++)
		put_name(&p->out, bugs[i].name, bugs[i].title);
	if (p->inv.listing == LIST_THEMES) {
		put_name(&p->out, "dark", "for light text on a dark background");
		put_name(&p->out, "light", "for dark text on a light background");
	}
	return write_out(p, e);
}

/* ---- the whole ---- */

static int run(struct program *p, struct error *e)
{
	switch (p->inv.tool) {
	case TOOL_HELP:
		docs_help(&p->out);
		return write_out(p, e);
	case TOOL_VERSION:
		buffer_text(&p->out, PACKAGE_STRING "\n");
		return write_out(p, e);
	case TOOL_DOCS:
		if (docs(&p->out, p->inv.input ? p->inv.input : "", e))
			return fail(p, e);
		return write_out(p, e);
	case TOOL_LIST:
		return run_list(p, e);
	default:
		return p->inv.flag[FLAG_RESUME] ? run_resumed(p, e) : run_input(p, e);
	}
}

int main(int argc, char **argv)
{
	struct program p = { .ascii = !term_locale() };
	struct error e = { 0 };
	int result;

	if (arguments_parse(&p.inv, argc, argv, &e))
		result = fail(&p, &e);
	else
		result = run(&p, &e);
	buffer_free(&p.out);
	free(p.tables);
	return result;
}
