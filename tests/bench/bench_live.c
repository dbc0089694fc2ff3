/* bench_live.c - a language model on the screen: a key that changes its text, and the first frame. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "tests/bench/measure.h"
#include "tests/bench/pty.h"

/* Longer than a frame takes to come. */
#define QUIET 0.06

enum { TURNS = 15, CHARACTERS = 99, LIBRARIES = 2 };
static const char *const library[LIBRARIES] = { "numpy", "torch" };

/* ---- the forward pass in C, and in the libraries ---- */

/* A line of the report of model.sh: a time, or a ratio to a library's. */
static void take_line(const char *line, double forward[LIBRARIES])
{
	json_t *one = json_loads(line, 0, NULL);
	const char *name = json_string_value(json_object_get(one, "name"));
	double seconds = json_number_value(json_object_get(one, "seconds"));
	double ratio = json_number_value(json_object_get(one, "ratio"));
	struct samples time = { .v = { seconds }, .n = 1 };
	char key[80];

	snprintf(key, sizeof key, "%s%.60s", name && !strncmp(name, "model", 5) ? "" : "model_", name ? name : "");
	for (size_t k = 0; k < LIBRARIES; k++)
		if (name && !strcmp(name, library[k]))
			forward[k] = seconds;
	if (name && seconds > 0)
		report_time(key, name, &time);
	else if (name && ratio > 0)
		report_value(key, name, ratio, "", strncmp(name, "model-rows", 10) ? 0.5 : 0, 0);
	json_decref(one);
}

static void forward_passes(const char *program, const char *source, double forward[LIBRARIES])
{
	char command[1000], line[500];

	report_section("A language model, one change of its text at n = 100, one thread", "computed, not drawn");
	snprintf(command, sizeof command, "sh '%s/tests/bench/model.sh' '%s' '%s'", source, program, source);
	fflush(stdout);
	FILE *f = popen(command, "r");
	while (f && fgets(line, sizeof line, f))
		take_line(line, forward);
	if (f)
		pclose(f);
	for (size_t k = 0; k < LIBRARIES; k++)
		if (forward[k] <= 0)
			report_absent(k ? "model_torch" : "model_numpy", library[k], "not installed");
}

/* ---- on the screen ---- */

/* Letters and blanks, one a position. */
static void make_text(char text[CHARACTERS + 1])
{
	static const char words[] = "press the key and save the file to the next page of the text then open it ";

	for (size_t i = 0; i < CHARACTERS; i++)
		text[i] = words[i % (sizeof words - 1)];
	text[CHARACTERS] = '\0';
}

/* A character more and away again, there where the text cursor is. */
static void type_there(struct pty *p, const char *key, const char *label, const double forward[LIBRARIES])
{
	struct samples time = { .n = 0 };
	char name[80], text[100];

	for (int turn = -1; turn < TURNS; turn++) {
		double seconds = pty_press(p, turn % 2 ? "e" : "a", QUIET);
		pty_press(p, "\177", QUIET);
		if (turn >= 0 && seconds > 0)
			samples_add(&time, seconds);
	}
	if (!time.n) {
		report_absent(key, label, "no byte came");
		return;
	}
	report_time(key, label, &time);
	for (size_t k = 0; k < LIBRARIES; k++) {
		snprintf(name, sizeof name, "%s_%s", key, library[k]);
		snprintf(text, sizeof text, "  / the forward pass alone in %s", library[k]);
		if (forward[k] > 0)
			report_value(name, text, samples_median(&time) / forward[k], "", 0, 0);
	}
}

static void typing(char *qkv, const double forward[LIBRARIES])
{
	char text[CHARACTERS + 1];
	struct pty p;

	make_text(text);
	if (!pty_start(&p, (char *[]){ qkv, "live", text, NULL }) || pty_frame(&p, p.started, 10) < 0) {
		report_absent("live_type", "typing", "qkv live did not start");
		return;
	}
	pty_last_byte(&p, now(), 0.3);
	pty_press(&p, "X", QUIET);
	type_there(&p, "live_type_end", "a character at the end, to the last byte of the frame", forward);
	for (int k = 0; k < CHARACTERS / 2; k++)
		pty_press(&p, "\033[D", 0.02);
	type_there(&p, "live_type_middle", "a character in the middle", forward);
	pty_press(&p, "\033[H", QUIET);
	type_there(&p, "live_type_first", "a character at position 1", forward);
	pty_stop(&p);
}

static void first_frames(char *qkv)
{
	struct samples live = { .n = 0 }, plain = { .n = 0 };

	for (int turn = -1; turn < TURNS; turn++) {
		double seconds[2] = { -1, -1 };
		for (int k = 0; k < 2; k++) {
			struct pty p;
			if (!pty_start(&p, (char *[]){ qkv, k ? "live" : NULL, NULL }))
				return;
			seconds[k] = pty_last_byte(&p, p.started, QUIET);
			pty_stop(&p);
		}
		if (turn >= 0 && seconds[0] > 0 && seconds[1] > 0) {
			samples_add(&plain, seconds[0]);
			samples_add(&live, seconds[1]);
		}
	}
	report_time("live_start", "qkv live, to the last byte of the first frame", &live);
	report_ratio("live_start_ratio", "  / qkv", &live, &plain, 3);
}

void bench_live(void)
{
	char *qkv = getenv("QKV"), *program = getenv("BENCH_MODEL"), *source = getenv("BENCH_SOURCE");
	double forward[LIBRARIES] = { 0 };

	if (program && source)
		forward_passes(program, source, forward);
	report_section("qkv live in a pseudo-terminal of 50 x 200, 99 characters", NULL);
	if (!qkv || !place_make()) {
		report_absent("live", "qkv live", "make bench says where the program is");
		return;
	}
	first_frames(qkv);
	typing(qkv, forward);
}
