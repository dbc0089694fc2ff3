/* main.c - the program: which command, what it writes, how it ends.
 *
 * Exit status: 0 fine, 1 a check found a fault, 2 bad usage or bad input, 128 + signal when a signal
 * ended it. Every error is one line on standard error.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/message.h"
#include "tui/content.h"
#include "tui/docs.h"
#include "tui/info.h"
#include "tui/language.h"
#include "tui/program.h"
#include "tui/term/term.h"

int program_fail(const struct program *p, const struct error *e)
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
int program_write(const struct program *p, struct error *e)
{
	const char *data = p->out.data;
	size_t left = p->out.size;

	if (p->out.failed) {
		error_set(e, E_MEMORY, "no memory for what is to be written");
		return program_fail(p, e);
	}
	while (left) {
		ssize_t n = write(STDOUT_FILENO, data, left);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EPIPE)
			return BROKEN_PIPE;
		if (n < 0) {
			error_set(e, E_FILE, "cannot write: %s", strerror(errno));
			return program_fail(p, e);
		}
		data += n;
		left -= (size_t)n;
	}
	return 0;
}

/* ---- a language model ---- */

static int run_live(struct program *p, struct error *e)
{
	if (!arguments_live_report(&p->inv) && isatty(STDOUT_FILENO))
		return run_input(p, e);
	if (p->inv.flag[FLAG_KEYS])
		return program_refuse_keys(p, e);
	if (!p->inv.flag[FLAG_TEXT] && !p->inv.input) {
		error_option(e, E_VALUE, "text", "", "a text is expected where the output is no terminal");
		return program_fail(p, e);
	}
	if (p->inv.live_format == LIVE_JSON)
		message_use("en");	/* for machines, the same everywhere */
	if (program_tables(p, e) || live_command(&p->out, &p->inv, p->tables, p->ascii, e))
		return program_fail(p, e);
	return program_write(p, e);
}

/* ---- what is in a file ---- */

static int run_info(struct program *p, struct error *e)
{
	const struct info_request request = {
		.name = strcmp(p->inv.input, "-") ? p->inv.input : STDIN_NAME, .choice = program_choice(p), .ascii = p->ascii || p->inv.value[OPT_ASCII],
	};
	struct content c;
	struct tensors t;

	if (load_tensors(&t, &c, p->inv.input, &request.choice, e))
		return program_fail(p, e);
	enum status status = info(&p->out, &t, &request, e);
	tensors_free(&t);
	content_free(&c);
	if (!status)
		return program_write(p, e);
	error_in_file(e, request.name);
	return program_fail(p, e);
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
			return program_fail(p, e);
	if (program_tables(p, e) || sweep_init(&s, &request, p->tables, e))
		return program_fail(p, e);
	compute_sweep(&s);
	sweep_write(&p->out, &s, p->inv.sweep_format, p->ascii);
	sweep_free(&s);
	return program_write(p, e);
}

/* ---- the whole ---- */

static int run(struct program *p, struct error *e)
{
	switch (p->inv.tool) {
	case TOOL_HELP:
		docs_help(&p->out);
		return program_write(p, e);
	case TOOL_VERSION:
		buffer_text(&p->out, PACKAGE_STRING "\n");
		return program_write(p, e);
	case TOOL_DOCS:
		if (docs(&p->out, p->inv.input ? p->inv.input : "", e))
			return program_fail(p, e);
		return program_write(p, e);
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

	term_explain(content_lost);
	language_add_builtin();
	/* Where no letters beyond ASCII can be written (LANG=ko names no UTF-8), English can be read,
	 * and another language would be escapes; --lang has it all the same. */
	message_use(p.ascii ? "en" : language_wanted(getenv("LC_ALL"), getenv("LC_MESSAGES"), getenv("LANG")));
	/* One that is not known is told when the options are set. */
	const char *language = arguments_language(argc, argv);
	if (language)
		message_use(language);
	if (arguments_parse(&p.inv, argc, argv, &e)) {
		result = program_fail(&p, &e);
	} else {
		result = run(&p, &e);
	}
	live_point_free(p.point);
	buffer_free(&p.out);
	free(p.tables);
	return result;
}
