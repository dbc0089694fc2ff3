/* run_input.c - the commands on an input: what is opened, then shown as text, checked, or put on the screen. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/message.h"
#include "core/number.h"
#include "tui/frame.h"
#include "tui/labels.h"
#include "tui/program.h"
#include "tui/screen.h"
#include "tui/show.h"

/* ---- opening ---- */

/* A number that arguments_parse has checked; -1 without one. */
static long chosen(const struct program *p, enum option o)
{
	const char *text = p->inv.value[o];
	long v;

	return text && number_parse_integer(text, strlen(text), &v) ? v : -1;
}

struct tensor_choice program_choice(const struct program *p)
{
	return (struct tensor_choice){ p->inv.flag[FLAG_AS], p->inv.flag[FLAG_LAYOUT], chosen(p, OPT_LAYER), chosen(p, OPT_BATCH),
				      p->inv.flag[FLAG_BF16] != NULL };
}

/* What is shown as text, and not on the screen. */
static bool is_shown(const struct program *p)
{
	return p->inv.tool == TOOL_SHOW || (p->inv.tool == TOOL_SCREEN && !p->inv.flag[FLAG_SPEAK] && !isatty(STDOUT_FILENO));
}

static bool is_given(const struct program *p, enum option o, const char *word)
{
	return p->inv.value[o] && !strcmp(p->inv.value[o], word);
}

/* Of a file of arrays only what is shown is read: one head, and of weights and scores the
 * rows asked for. All heads are read where they are joined, and for a script or worksheet,
 * all rows where softmax over columns needs them. */
static struct tensor_extent extent_of(const struct program *p)
{
	const struct slice *r = &p->inv.rows;
	bool whole = is_given(p, OPT_STAGE, "joined") || p->inv.show_format >= SHOW_SCRIPT;
	long head = chosen(p, OPT_HEAD);

	return (struct tensor_extent){
		.one_head = !whole, .head = head < 0 ? 0 : (size_t)head,
		.some_rows = !whole && !is_given(p, OPT_SOFTMAX, "column") && !p->inv.value[OPT_BUG],
		.from = r->single || r->has_from ? r->from : 0,
		.to = r->single && r->from != -1 ? r->from + 1 : !r->single && r->has_to ? r->to : LONG_MAX,
	};
}

static enum status load_named(const struct program *p, const char *name, struct scenario *s, struct error *e)
{
	const struct tensor_choice choice = program_choice(p);
	const struct tensor_extent extent = extent_of(p);

	return is_shown(p) ? load_extent(s, name, &choice, &extent, e) : load_part(s, name, &choice, NULL, e);
}

enum status program_open(const struct program *p, const char *name, struct scenario *s, struct options *o, struct error *e)
{
	enum status status = load_named(p, name, s, e);

	if (status)
		return status;
	status = options_copy(o, &s->set, e);
	if (!status && (status = arguments_apply(&p->inv, o, e)))
		options_free(o);
	if (status)
		scenario_free(s);
	return status;
}

/* A language model's head is shown, not an input. */
static bool is_live(const struct program *p)
{
	return p->inv.tool == TOOL_LIVE || p->inv.flag[FLAG_LIVE];
}

static enum status open_live(struct program *p, struct scenario *s, struct options *o, struct error *e)
{
	struct buffer notices = { 0 };
	if (!is_shown(p) && p->inv.tool != TOOL_VERIFY)		/* a screen, which says them itself */
		return live_open_dock(&p->inv, p->tables, s, o, &p->live, &p->point, e);
	enum status status = live_open(&p->inv, p->tables, s, o, &p->point, &notices, e);

	for (const char *line = notices.data; !status && line && *line; line += strcspn(line, "\n") + 1)
		fprintf(stderr, "qkv: %.*s\n", (int)strcspn(line, "\n"), line);
	buffer_free(&notices);
	return status;
}

static enum status open_input(struct program *p, struct scenario *s, struct options *o, struct error *e)
{
	return is_live(p) ? open_live(p, s, o, e) : program_open(p, input_name(p), s, o, e);
}

enum status program_tables(struct program *p, struct error *e)
{
	p->tables = malloc(sizeof *p->tables);
	if (!p->tables)
		return error_set(e, E_MEMORY, "no memory for the random numbers");
	return random_tables_init(p->tables, e);
}

/* ---- as text ---- */

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
	if (!status && o->labels == LABELS_READ && p->inv.show_format == SHOW_TABLE)	/* data stay as they are */
		status = labels_read_problem(&problem, e);
	if (!status) {
		const struct show_request request = {
			.problem = &problem, .input = s, .options = o, .tables = p->tables, .scenario = s->name,
			.format = p->inv.show_format, .row_sums = p->inv.row_sums,
			.array_given = p->inv.value[OPT_ARRAY] || s->option_mark[OPT_ARRAY].line,
			.rows = p->inv.rows, .columns = p->inv.columns,
			.precision_given = p->inv.value[OPT_PRECISION] != NULL,
			/* A file gets every column; who looks at a terminal wants no broken lines. */
			.width = getenv("COLUMNS") || isatty(STDOUT_FILENO) ? table_width() : 0,
			.ascii = p->ascii || o->ascii, .live = p->point, .model = p->inv.flag[FLAG_MODEL],
		};
		status = show(&p->out, &request, e);
	}
	problem_free(&problem);
	return status;
}

/* Sets *ok to whether no check found a fault. */
static enum status verify_problem(struct program *p, const struct scenario *s, const struct options *o, bool *ok,
				  struct error *e)
{
	struct problem problem = { 0 };
	enum status status = problem_build(&problem, s, o, &s->edits, p->tables, e);

	if (!status)
		status = load_masks(&problem, o, e);
	if (p->inv.verify_format == VERIFY_JSON)
		message_use("en");	/* for machines, the same everywhere */
	if (!status) {
		const struct verify_request request = {
			.problem = &problem, .options = o, .scenario = s, .tables = p->tables,
			.format = p->inv.verify_format, .expect = p->inv.expect,
			.all_heads = !p->inv.value[OPT_HEAD] && !s->option_mark[OPT_HEAD].line, .lesson = p->inv.flag[FLAG_PROBE] != NULL,
			.width = table_width(), .ascii = p->ascii || o->ascii,
		};
		status = verify(&p->out, ok, &request, e);
	}
	problem_free(&problem);
	return status;
}

static enum status set_given(void *context, struct options *o, struct error *e)
{
	const struct program *p = context;

	return arguments_apply(&p->inv, o, e);
}

/* The same of all layers, batches and heads of a file of arrays. */
static enum status verify_arrays(struct program *p, struct tensors *t, bool *ok, struct error *e)
{
	const char *input = input_name(p), *name = strcmp(input, "-") ? input : STDIN_NAME;

	if (p->inv.verify_format == VERIFY_JSON)
		message_use("en");
	const struct verify_file f = {
		.tensors = t, .name = name, .path = strcmp(input, "-") ? input : NULL, .choice = program_choice(p), .head = chosen(p, OPT_HEAD),
		.tables = p->tables, .format = p->inv.verify_format, .expect = p->inv.expect, .width = table_width(),
		.ascii = p->ascii || p->inv.value[OPT_ASCII], .set = set_given, .load_masks = load_masks, .context = p,
	};
	enum status status = verify_file(&p->out, ok, &f, e);
	return status ? error_in_file(e, name) : OK_STATUS;
}

/* ---- the commands ---- */

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
		.tables = p->tables, .input = is_live(p) ? NULL : input_name(p), .scenario = s, .options = o,
		.input_is_data = !is_live(p) && !strcmp(input_name(p), "-"), .ascii = p->ascii,
		.given = p->inv.value, .speak = p->inv.flag[FLAG_SPEAK] != NULL, .live = p->live, .point = p->point, .keys = keys,
	};

	p->live = NULL;
	p->point = NULL;
	if (p->inv.tool == TOOL_SCREEN || p->inv.tool == TOOL_LIVE)
		return screen_run(&screen, e);
	return frame_write(&p->out, &screen, keys ? keys : "", p->inv.frame_rows, p->inv.frame_columns,
			    p->inv.frame_format, e) ? EXIT_BAD : 0;
}

int program_refuse_keys(const struct program *p, struct error *e)
{
	error_option(e, E_VALUE, "keys", "", "the output is not a terminal; qkv frame --keys writes the picture");
	return program_fail(p, e);
}

int run_input(struct program *p, struct error *e)
{
	bool as_text = is_shown(p);
	struct mark marks[OPT_COUNT];
	struct scenario s;
	struct options o;
	int result;

	if (as_text && p->inv.flag[FLAG_KEYS])
		return program_refuse_keys(p, e);
	if (program_tables(p, e) || open_input(p, &s, &o, e))
		return program_fail(p, e);
	/* The screen takes the scenario over; an error still has to name its place. */
	memcpy(marks, s.option_mark, sizeof marks);
	bool ok = true;
	if (p->inv.tool == TOOL_VERIFY)
		result = verify_problem(p, &s, &o, &ok, e) ? EXIT_BAD : 0;
	else
		result = as_text ? (show_problem(p, &s, &o, e) ? EXIT_BAD : 0) : run_screen(p, &s, &o, e);
	scenario_free(&s);
	options_free(&o);
	if (result == EXIT_BAD) {
		blame(p, marks, e);
		return program_fail(p, e);
	}
	if (p->out.size)
		result = program_write(p, e);
	return result ? result : ok ? 0 : EXIT_FAULT;
}

/* The lesson's own test is of what is shown: one layer and batch. */
int run_verify(struct program *p, struct error *e)
{
	const struct tensor_choice choice = program_choice(p);
	struct scenario s;
	struct options o = { 0 };
	struct tensors t;
	struct content c;
	struct mark marks[OPT_COUNT] = { { 0 } };
	bool arrays, ok = true;
	enum status status;

	if (is_live(p) || p->inv.flag[FLAG_PROBE])
		return run_input(p, e);
	if (program_tables(p, e) || load_either(&s, &t, &c, &arrays, input_name(p), &choice, e))
		return program_fail(p, e);
	if (arrays) {
		status = verify_arrays(p, &t, &ok, e);
		tensors_free(&t);
		content_free(&c);
	} else {
		memcpy(marks, s.option_mark, sizeof marks);
		if (!(status = options_copy(&o, &s.set, e)) && !(status = arguments_apply(&p->inv, &o, e)))
			status = verify_problem(p, &s, &o, &ok, e);
		options_free(&o);
		scenario_free(&s);
	}
	if (status) {
		blame(p, marks, e);
		return program_fail(p, e);
	}
	int result = program_write(p, e);
	return result ? result : ok ? 0 : EXIT_FAULT;
}

int run_resumed(struct program *p, struct error *e)
{
	struct screen_options screen = {
		.resume = true, .ascii = p->ascii, .speak = p->inv.flag[FLAG_SPEAK] != NULL, .keys = p->inv.flag[FLAG_KEYS],
	};

	if (!screen.speak && !isatty(STDOUT_FILENO)) {
		error_option(e, E_VALUE, "resume", "", "the output is not a terminal");
		return program_fail(p, e);
	}
	if (program_tables(p, e))
		return program_fail(p, e);
	screen.tables = p->tables;
	int result = screen_run(&screen, e);
	return result == EXIT_BAD ? program_fail(p, e) : result;
}
