/* test_action_write.c - files that are written, and the command line that brings a state back. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/player_check.h"

static void the_command_line_again(void **state)
{
	struct player p;
	struct buffer line = { 0 };

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "y");
	says(&p, false, "qkv causal-3");
	assert_null(strstr(p.state.sentence, "--"));
	player_keys(&p, "c P");
	player_command(&p, "hide 0:1");
	state_command_line(&p.state, &line);
	assert_string_equal(line.data, "qkv causal-3 --causal=off --pad-mask=on --hide=0:1");
	buffer_free(&line);
	/* What it was opened from; a shell reads it back as one word, qkv as a file. */
	static const struct { const char *input, *line; } inputs[] = {
		{ "/tmp/it's a.yaml", "qkv '/tmp/it'\\''s a.yaml' --causal=off" },
		{ "show.yaml", "qkv ./show.yaml --causal=off" },
		{ "-x", "qkv ./-x --causal=off" },
		{ "pad-4", "qkv pad-4 --causal=off" },
	};
	for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++) {
		state_set_source(&p.state, inputs[k].input);
		assert_true(state_command_line(&p.state, &line));
		assert_int_equal(strncmp(line.data, inputs[k].line, strlen(inputs[k].line)), 0);
		buffer_free(&line);
	}
	state_set_source(&p.state, "-");
	assert_false(state_command_line(&p.state, &line));
	buffer_free(&line);
	state_set_source(&p.state, "causal-3");
	player_command(&p, "mask " MASK_LAST);
	player_keys(&p, "+ y");
	says(&p, false, "edited numbers need a file");
	player_close(&p);
	player_open(&p, "random-4");
	player_command(&p, "tokens it's $HOME");
	player_keys(&p, "y");
	says(&p, false, "this input needs a file");
	player_close(&p);
}

static void writing_files(void **state)
{
	static const struct { const char *name, *begins; } file[] = {
		{ "a.yaml", "qkv: 1" }, { "b.svg", "<" }, { "c.html", "<!" }, { "d.txt", "qkv" },
	};
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	for (size_t k = 0; k < sizeof file / sizeof *file; k++) {
		char line[40];
		snprintf(line, sizeof line, "w %s", file[k].name);
		player_command(&p, line);
		says(&p, false, "wrote");
		assert_string_equal(written.name, file[k].name);
		assert_false(written.replace);
		assert_int_equal(strncmp(written.data.data, file[k].begins, strlen(file[k].begins)), 0);
	}
	player_command(&p, "w f.ansi");
	assert_non_null(strchr(written.data.data, '\x1b'));
	player_command(&p, "w! " TAKEN_NAME);
	says(&p, false, "wrote");
	assert_true(written.replace);
	/* e only begins the line. */
	size_t calls = written.calls;
	player_keys(&p, "e");
	prompt_is(&p, "w ");
	player_keys(&p, "<Esc>");
	assert_int_equal(written.calls, calls);
	player_close(&p);
}

/* What is written opens as the same state. */
static void a_written_scenario_is_the_same(void **state)
{
	struct player p;
	char *text;

	(void)state;
	player_open(&p, "random-4");
	player_keys(&p, "j + l x p f .");
	player_command(&p, "scale 0.3");
	struct numbers before = compute_all(&p);
	player_command(&p, "w own.yaml");
	text = strdup(written.data.data);
	assert_non_null(text);
	player_own(text);
	player_command(&p, "o causal-3");
	player_command(&p, "o own");
	assert_true(computes(&p, &before));
	assert_int_equal(p.state.now.edits.n, 1);
	free(before.v);
	player_close(&p);
	free(text);
}

/* Nothing is begun of what would keep the screen waiting. */
static void long_ones_are_refused(void **state)
{
	struct buffer given = { 0 };
	struct player p;

	(void)state;
	player_open(&p, "random-4");
	player_command(&p, "n 600");
	size_t calls = written.calls;
	for (const char *const *line = (const char *const[]){ "w a.csv", "w a.json", "w a.tex", NULL }; *line; line++) {
		player_command(&p, *line);
		says(&p, true, "too many to write");
	}
	assert_int_equal(written.calls, calls);
	player_command(&p, "w a.npy");
	says(&p, false, "wrote");
	player_command(&p, "w a.yaml");		/* a seed, not its numbers */
	says(&p, false, "wrote");
	assert_non_null(strstr(written.data.data, "random:"));

	buffer_format(&given, "qkv: 1\nscores:\n");
	for (int i = 0; i < 520; i++) {
		buffer_format(&given, "  - [0");
		for (int j = 1; j < 520; j++)
			buffer_format(&given, ",0");
		buffer_format(&given, "]\n");
	}
	assert_false(given.failed);
	player_own(given.data);
	player_command(&p, "o own");
	calls = written.calls;
	player_command(&p, "w a.yaml");
	says(&p, true, "a scenario of 270400 numbers is too long to write");
	assert_int_equal(written.calls, calls);
	buffer_free(&given);
	player_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_command_line_again),
		cmocka_unit_test(writing_files),
		cmocka_unit_test(a_written_scenario_is_the_same),
		cmocka_unit_test(long_ones_are_refused),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
