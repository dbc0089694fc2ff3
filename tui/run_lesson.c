/* run_lesson.c - names to use, one a line; a lesson checked, or played on the screen. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/bug.h"
#include "core/message.h"
#include "tui/lesson_check.h"
#include "tui/program.h"
#include "tui/screen.h"

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

int run_list(struct program *p, struct error *e)
{
	if (p->inv.listing == LIST_SCENARIOS && list_scenarios(&p->out, e))
		return program_fail(p, e);
	if (p->inv.listing == LIST_LESSONS && list_lessons(&p->out, e))
		return program_fail(p, e);
	for (size_t i = 0; i < bugs_count && p->inv.listing == LIST_BUGS; i++)
		put_name(&p->out, bugs[i].name, bugs[i].title);
	if (p->inv.listing == LIST_THEMES) {
		put_name(&p->out, "dark", "for light text on a dark background");
		put_name(&p->out, "light", "for dark text on a light background");
	}
	return program_write(p, e);
}

/* ---- lessons ---- */

/* All errors, or what is in the lesson. */
static int write_report(struct program *p, const struct lesson_report *r, struct error *e)
{
	for (size_t i = 0; i < r->n; i++)
		program_fail(p, &r->errors[i]);
	error_clear(e);
	if (r->more)
		error_set(e, E_LIMIT, "there are more errors; the first %d are told", LESSON_ERRORS_MAX);
	else if (r->no_memory)
		error_set(e, E_MEMORY, "no memory to check all of the lesson");
	if (e->status)
		return program_fail(p, e);
	if (r->n)
		return EXIT_BAD;
	show_safe_text(&p->out, p->inv.input, p->ascii);
	buffer_format(&p->out, ": %zu page%s, %zu question%s\n", r->pages, r->pages == 1 ? "" : "s", r->questions,
		      r->questions == 1 ? "" : "s");
	return program_write(p, e);
}

static int check_lesson(struct program *p, struct error *e)
{
	struct lesson_report r;

	if (program_tables(p, e))
		return program_fail(p, e);
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

	if (!program_tables(p, e) && !program_open(p, DEFAULT_INPUT, &s, &o, e)) {
		screen.tables = p->tables;
		result = screen_run(&screen, e);
		scenario_free(&s);
		options_free(&o);
	}
	lesson_free(l);
	return result;
}

int run_lesson(struct program *p, struct error *e)
{
	struct lesson l;

	if (p->inv.flag[FLAG_CHECK])
		return check_lesson(p, e);
	if (!p->inv.input)
		return list_lessons(&p->out, e) ? program_fail(p, e) : program_write(p, e);
	if (load_lesson(&l, p->inv.input, e))
		return program_fail(p, e);
	if (!p->inv.flag[FLAG_SPEAK] && !isatty(STDOUT_FILENO)) {
		lesson_free(&l);
		error_set(e, E_VALUE, "a lesson needs a terminal, and the output is none");
		return program_fail(p, e);
	}
	int result = play_lesson(p, &l, e);
	return result == EXIT_BAD ? program_fail(p, e) : result;
}
