/* main.c - the program: which command, what it writes, how it ends.
 *
 * Exit status: 0 fine, 1 a check found a fault, 2 bad usage or bad input, 128 + signal when a signal
 * ended it. Every error is one line on standard error.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/bug.h"
#include "core/message.h"
#include "core/number.h"
#include "tui/arguments.h"
#include "tui/docs.h"
#include "tui/frame.h"
#include "tui/info.h"
#include "tui/lesson_check.h"
#include "tui/labels.h"
#include "tui/language.h"
#include "tui/live_input.h"
#include "tui/load.h"
#include "tui/screen.h"
#include "tui/show.h"
#include "tui/term/term.h"

enum { EXIT_FAULT = 1, EXIT_BAD = 2, BROKEN_PIPE = 128 + 13 };
#define DEFAULT_INPUT "causal-3"

struct program {
	struct invocation inv;
	bool ascii;			/* the locale is not UTF-8 */
	struct random_tables *tables;
	struct buffer out;		/* what standard output gets */
	struct live_dock *live;		/* of a screen on a language model, until that takes it over */
	struct live_point *point;
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

/* A number that arguments_parse has checked; -1 without one. */
static long chosen(const struct program *p, enum option o)
{
	const char *text = p->inv.value[o];
	long v;

	return text && number_parse_integer(text, strlen(text), &v) ? v : -1;
}

static struct tensor_choice choice_of(const struct program *p)
{
	return (struct tensor_choice){ p->inv.flag[FLAG_AS], p->inv.flag[FLAG_LAYOUT], chosen(p, OPT_LAYER), chosen(p, OPT_BATCH) };
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
	const struct tensor_choice choice = choice_of(p);
	const struct tensor_extent extent = extent_of(p);

	return is_shown(p) ? load_extent(s, name, &choice, &extent, e) : load_part(s, name, &choice, NULL, e);
}

/* The scenario, and its options with those of the command line on top. */
static enum status open_named(const struct program *p, const char *name, struct scenario *s, struct options *o,
			      struct error *e)
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
	enum status status = live_open(&p->inv, p->tables, s, o, &notices, e);

	for (const char *line = notices.data; !status && line && *line; line += strcspn(line, "\n") + 1)
		fprintf(stderr, "qkv: %.*s\n", (int)strcspn(line, "\n"), line);
	buffer_free(&notices);
	return status;
}

static enum status open_input(struct program *p, struct scenario *s, struct options *o, struct error *e)
{
	return is_live(p) ? open_live(p, s, o, e) : open_named(p, input_name(p), s, o, e);
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
			.ascii = p->ascii || o->ascii,
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
	char text[sizeof e->text];

	if (p->inv.verify_format == VERIFY_JSON)
		message_use("en");
	const struct verify_file f = {
		.tensors = t, .name = name, .path = strcmp(input, "-") ? input : NULL, .choice = choice_of(p), .head = chosen(p, OPT_HEAD),
		.tables = p->tables, .format = p->inv.verify_format, .expect = p->inv.expect, .width = table_width(),
		.ascii = p->ascii || p->inv.value[OPT_ASCII], .set = set_given, .load_masks = load_masks, .context = p,
	};
	enum status status = verify_file(&p->out, ok, &f, e);
	if (status && !e->file[0] && !e->option[0]) {
		snprintf(text, sizeof text, "%s", e->text);
		error_at(e, status, name, 0, 0, "%s", text);
	}
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

static int no_screen_for_keys(const struct program *p, struct error *e)
{
	error_option(e, E_VALUE, "keys", "", "the output is not a terminal; qkv frame --keys writes the picture");
	return fail(p, e);
}

static int run_input(struct program *p, struct error *e)
{
	bool as_text = is_shown(p);
	struct mark marks[OPT_COUNT];
	struct scenario s;
	struct options o;
	int result;

	if (as_text && p->inv.flag[FLAG_KEYS])
		return no_screen_for_keys(p, e);
	if (compute_tables(p, e) || open_input(p, &s, &o, e))
		return fail(p, e);
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
		return fail(p, e);
	}
	if (p->out.size)
		result = write_out(p, e);
	return result ? result : ok ? 0 : EXIT_FAULT;
}

/* The lesson's own test is of what is shown: one layer and batch. */
static int run_verify(struct program *p, struct error *e)
{
	const struct tensor_choice choice = choice_of(p);
	struct scenario s;
	struct options o = { 0 };
	struct tensors t;
	struct content c;
	struct mark marks[OPT_COUNT] = { { 0 } };
	bool arrays, ok = true;
	enum status status;

	if (is_live(p) || p->inv.flag[FLAG_PROBE])
		return run_input(p, e);
	if (compute_tables(p, e) || load_either(&s, &t, &c, &arrays, input_name(p), &choice, e))
		return fail(p, e);
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
		return fail(p, e);
	}
	int result = write_out(p, e);
	return result ? result : ok ? 0 : EXIT_FAULT;
}

static int run_resumed(struct program *p, struct error *e)
{
	struct screen_options screen = {
		.resume = true, .ascii = p->ascii, .speak = p->inv.flag[FLAG_SPEAK] != NULL, .keys = p->inv.flag[FLAG_KEYS],
	};

	if (!screen.speak && !isatty(STDOUT_FILENO)) {
		error_option(e, E_VALUE, "resume", "", "the output is not a terminal");
		return fail(p, e);
	}
	if (compute_tables(p, e))
		return fail(p, e);
	screen.tables = p->tables;
	int result = screen_run(&screen, e);
	return result == EXIT_BAD ? fail(p, e) : result;
}

/* ---- a language model ---- */

static int run_live(struct program *p, struct error *e)
{
	bool as_report = p->inv.flag[FLAG_TEXT] || p->inv.flag[FLAG_FORMAT] || p->inv.flag[FLAG_NEXT] || p->inv.flag[FLAG_SAVE];

	if (!as_report && isatty(STDOUT_FILENO))
		return run_input(p, e);
	if (p->inv.flag[FLAG_KEYS])
		return no_screen_for_keys(p, e);
	if (!p->inv.flag[FLAG_TEXT] && !p->inv.input) {
		error_option(e, E_VALUE, "text", "", "a text is expected where the output is no terminal");
		return fail(p, e);
	}
	if (p->inv.live_format == LIVE_JSON)
		message_use("en");	/* for machines, the same everywhere */
	if (compute_tables(p, e) || live_command(&p->out, &p->inv, p->tables, p->ascii, e))
		return fail(p, e);
	return write_out(p, e);
}

/* ---- what is in a file ---- */

static int run_info(struct program *p, struct error *e)
{
	const struct info_request request = {
		.name = strcmp(p->inv.input, "-") ? p->inv.input : STDIN_NAME, .choice = choice_of(p), .ascii = p->ascii || p->inv.value[OPT_ASCII],
	};
	struct content c;
	struct tensors t;

	if (load_tensors(&t, &c, p->inv.input, e))
		return fail(p, e);
	enum status status = info(&p->out, &t, &request, e);
	tensors_free(&t);
	content_free(&c);
	if (status && !e->file[0] && !e->option[0]) {
		char text[sizeof e->text];
		snprintf(text, sizeof text, "%s", e->text);
		error_at(e, status, p->inv.input, 0, 0, "%s", text);
	}
	return status ? fail(p, e) : write_out(p, e);
}

/* ---- the d_k experiment ---- */

/* A bar for who waits at a terminal; standard output gets the results alone. */
static void compute_sweep(struct sweep *s)
{
	bool more = true, tell = isatty(STDERR_FILENO);

	for (unsigned k = 0; more; k++) {
		struct buffer bar = { 0 };
		more = sweep_step(s);
		if (!tell || (more && k % 32))
			continue;
		sweep_progress_bar(&bar, s, 79);
		fprintf(stderr, "\r%s%s", bar.data ? bar.data : "", more ? "" : "\n");
		buffer_free(&bar);
	}
}

static int run_sweep(struct program *p, struct error *e)
{
	const char *const text[SWEEP_PARAMETER_COUNT] = {
		[SWEEP_D_K] = p->inv.value[OPT_D_K], [SWEEP_N] = p->inv.value[OPT_N],
		[SWEEP_SEED] = p->inv.value[OPT_SEED], [SWEEP_REPEATS] = p->inv.flag[FLAG_REPEATS],
		[SWEEP_STD_D_K] = p->inv.flag[FLAG_STD_D_K], [SWEEP_PAIRS] = p->inv.flag[FLAG_PAIRS],
	};
	struct sweep_request request;
	struct sweep s;

	sweep_request_init(&request);
	for (int k = 0; k < SWEEP_PARAMETER_COUNT; k++)
		if (text[k] && sweep_set(&request, (enum sweep_parameter)k, text[k], e))
			return fail(p, e);
	if (compute_tables(p, e) || sweep_init(&s, &request, p->tables, e))
		return fail(p, e);
	compute_sweep(&s);
	sweep_write(&p->out, &s, p->inv.sweep_format, p->ascii);
	sweep_free(&s);
	return write_out(p, e);
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
		put_name(out, builtin_name(i), title_in(&s.title, message_in_force()));
		scenario_free(&s);
	}
	return OK_STATUS;
}

static enum status list_lessons(struct buffer *out, struct error *e)
{
	for (size_t i = 0; i < builtin_lesson_count(); i++) {
		struct lesson l;
		enum status status = load_lesson(&l, builtin_lesson_name(i), e);
		if (status)
			return status;
		put_name(out, builtin_lesson_name(i), title_in(&l.title, message_in_force()));
		lesson_free(&l);
	}
	return OK_STATUS;
}

static int run_list(struct program *p, struct error *e)
{
	if (p->inv.listing == LIST_SCENARIOS && list_scenarios(&p->out, e))
		return fail(p, e);
	if (p->inv.listing == LIST_LESSONS && list_lessons(&p->out, e))
		return fail(p, e);
	for (size_t i = 0; i < bugs_count && p->inv.listing == LIST_BUGS; i++)
		put_name(&p->out, bugs[i].name, bugs[i].title);
	if (p->inv.listing == LIST_THEMES) {
		put_name(&p->out, "dark", "for light text on a dark background");
		put_name(&p->out, "light", "for dark text on a light background");
	}
	return write_out(p, e);
}

/* ---- lessons ---- */

/* All errors, or what is in the lesson. */
static int write_report(struct program *p, const struct lesson_report *r, struct error *e)
{
	for (size_t i = 0; i < r->n; i++)
		fail(p, &r->errors[i]);
	error_clear(e);
	if (r->more)
		error_set(e, E_LIMIT, "there are more errors; the first %d are told", LESSON_ERRORS_MAX);
	else if (r->no_memory)
		error_set(e, E_MEMORY, "no memory to check all of the lesson");
	if (e->status)
		return fail(p, e);
	if (r->n)
		return EXIT_BAD;
	show_safe_text(&p->out, p->inv.input, p->ascii);
	buffer_format(&p->out, ": %zu page%s, %zu question%s\n", r->pages, r->pages == 1 ? "" : "s", r->questions,
		      r->questions == 1 ? "" : "s");
	return write_out(p, e);
}

static int check_lesson(struct program *p, struct error *e)
{
	struct lesson_report r;

	if (compute_tables(p, e))
		return fail(p, e);
	lesson_check(&r, p->inv.input, p->tables);
	int result = write_report(p, &r, e);
	lesson_report_free(&r);
	return result;
}

/* Where the screen takes a lesson over, with the options of the command line in
 * p->inv.value. Returns the exit status; e is filled when it is EXIT_BAD. */
static int play_lesson(struct program *p, struct lesson *l, struct error *e)
{
	struct scenario s = { 0 };
	struct options o = { 0 };
	struct screen_options screen = {
		.input = DEFAULT_INPUT, .scenario = &s, .options = &o, .lesson = l,
		.input_is_data = !strcmp(p->inv.input, "-"), .ascii = p->ascii, .given = p->inv.value,
		.speak = p->inv.flag[FLAG_SPEAK] != NULL,
	};
	int result = EXIT_BAD;

	if (!compute_tables(p, e) && !open_named(p, DEFAULT_INPUT, &s, &o, e)) {
		screen.tables = p->tables;
		result = screen_run(&screen, e);
		scenario_free(&s);
		options_free(&o);
	}
	lesson_free(l);
	return result;
}

static int run_lesson(struct program *p, struct error *e)
{
	struct lesson l;

	if (p->inv.flag[FLAG_CHECK])
		return check_lesson(p, e);
	if (!p->inv.input)
		return list_lessons(&p->out, e) ? fail(p, e) : write_out(p, e);
	if (load_lesson(&l, p->inv.input, e))
		return fail(p, e);
	if (!p->inv.flag[FLAG_SPEAK] && !isatty(STDOUT_FILENO)) {
		lesson_free(&l);
		error_set(e, E_VALUE, "a lesson needs a terminal, and the output is none");
		return fail(p, e);
	}
	int result = play_lesson(p, &l, e);
	return result == EXIT_BAD ? fail(p, e) : result;
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
	case TOOL_SWEEP:
		return run_sweep(p, e);
	case TOOL_LESSON:
		return run_lesson(p, e);
	case TOOL_LIST:
		return run_list(p, e);
	case TOOL_INFO:
		return run_info(p, e);
	case TOOL_LIVE:
		return run_live(p, e);
	case TOOL_VERIFY:
		return run_verify(p, e);
	default:
		return p->inv.flag[FLAG_RESUME] ? run_resumed(p, e) : run_input(p, e);
	}
}

int main(int argc, char **argv)
{
	struct program p = { .ascii = !term_locale() };
	struct error e = { 0 };
	int result;

	language_add_builtin();
	/* Where no letters beyond ASCII can be written (LANG=ko names no UTF-8), English can be read,
	 * and another language would be escapes; --lang has it all the same. */
	message_use(p.ascii ? "en" : language_wanted(getenv("LC_ALL"), getenv("LC_MESSAGES"), getenv("LANG")));
	if (arguments_parse(&p.inv, argc, argv, &e)) {
		result = fail(&p, &e);
	} else {
		/* A language that is not known is told when the options are set. */
		if (p.inv.value[OPT_LANG])
			message_use(p.inv.value[OPT_LANG]);
		result = run(&p, &e);
	}
	buffer_free(&p.out);
	free(p.tables);
	return result;
}
