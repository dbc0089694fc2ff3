/* bench_start.c - start-up, memory, and the way of a key through a real terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench.h"
#include "tests/bench/measure.h"
#include "tests/bench/pty.h"
#include "tests/bench/rivals.h"

enum { TURNS = 15, KEY_TURNS = 15 };

/* Longer than a frame takes to come, and than a program waits within one. */
#define QUIET 0.06

/* From the start to the last byte of the first frame; its memory then. */
static double first_frame(char *const argv[], struct samples *memory)
{
	struct pty p;

	if (!pty_start(&p, argv))
		return -1;
	double seconds = pty_last_byte(&p, p.started, QUIET);
	samples_add(memory, pty_memory(&p));
	pty_stop(&p);
	return seconds;
}

static double run_python(const char *interpreter, const char *script)
{
	double start = now();
	pid_t child = vfork();

	if (!child) {
		execlp(interpreter, interpreter, "-c", script, (char *)NULL);
		_exit(127);
	}
	waitpid(child, NULL, 0);
	return now() - start;
}

static double python_memory(const char *interpreter)
{
	char command[300];
	double peak = 0;

	snprintf(command, sizeof command,
		 "%s -c \"import numpy; print([l.split()[1] for l in open('/proc/self/status') if 'VmHWM' in l][0])\"",
		 interpreter);
	FILE *f = popen(command, "r");
	if (!f || fscanf(f, "%lf", &peak) != 1)
		peak = 0;
	if (f)
		pclose(f);
	return peak / 1024;
}

static void against_python(const struct samples *qkv, const struct samples *memory, const char *python,
			   const struct samples *import)
{
	struct samples theirs = { .n = 0 };

	if (!python) {
		report_absent("start_numpy", "  / python3 -c \"import numpy\"", "not installed");
		return;
	}
	report_time("start_numpy_time", "python3 -c \"import numpy\"", import);
	report_ratio("start_numpy", "  qkv / that", qkv, import, 0.05);
	for (size_t i = 0; i < memory->n; i++)
		samples_add(&theirs, python_memory(python));
	report_value("start_numpy_peak", "  peak memory of that", samples_median(&theirs), "MiB", 0, 0);
	report_ratio("start_numpy_memory", "  memory, qkv / that", memory, &theirs, 0.2);
}

static void start_up(char *qkv, char *empty)
{
	const char *python = python_with("numpy");
	struct samples ours = { .n = 0 }, curses = { .n = 0 }, import = { .n = 0 };
	struct samples memory = { .n = 0 }, curses_memory = { .n = 0 }, first = { .n = 0 };

	for (int turn = -1; turn < TURNS; turn++) {
		double us = first_frame((char *[]){ qkv, NULL }, turn < 0 ? &first : &memory);
		double them = first_frame((char *[]){ empty, NULL }, turn < 0 ? &first : &curses_memory);
		double numpy = python ? run_python(python, "import numpy") : 0;
		if (turn < 0)
			continue;
		samples_add(&ours, us);
		samples_add(&curses, them);
		samples_add(&import, numpy);
	}
	report_time("start", "qkv, to the last byte of the first frame", &ours);
	report_value("start_peak", "  peak memory then", samples_median(&memory), "MiB", 0, 0);
	report_time("start_curses", "an empty curses program", &curses);
	report_value("start_curses_peak", "  peak memory of that", samples_median(&curses_memory), "MiB", 0, 0);
	report_ratio("start_curses_ratio", "  time, qkv / that", &ours, &curses, 0);
	memory.n = 5;		/* as many as it is worth to ask Python for its own */
	against_python(&ours, &memory, python, &import);
}

static void keys(char *qkv)
{
	static const struct { const char *keys, *key, *label; } press[] = {
		{ "\033[C", "pty_right", "cursor to the right, then to the last byte" },
		{ "\033[B", "pty_down", "cursor down" },
		{ "c", "pty_causal", "causal mask on, off" },
	};
	struct pty p;

	if (!pty_start(&p, (char *[]){ qkv, NULL }) || pty_last_byte(&p, p.started, 0.3) < 0) {
		report_absent("pty_keys", "keys in a pseudo-terminal", "qkv did not start");
		return;
	}
	for (size_t k = 0; k < sizeof press / sizeof *press; k++) {
		struct samples time = { .n = 0 };
		for (int turn = 0; turn < KEY_TURNS; turn++) {
			double seconds = pty_press(&p, press[k].keys, QUIET);
			if (seconds >= 0)
				samples_add(&time, seconds);
		}
		if (time.n)
			report_time(press[k].key, press[k].label, &time);
		else
			report_absent(press[k].key, press[k].label, "no byte came");
	}
	pty_stop(&p);
}

void bench_start(void)
{
	char *qkv = getenv("QKV"), *empty = getenv("EMPTY_CURSES");

	report_section("Start-up and keys, in a pseudo-terminal of 50 x 200", NULL);
	if (!qkv || !empty || !place_make()) {
		report_absent("start", "start-up", "make bench says where the programs are");
		return;
	}
	start_up(qkv, empty);
	keys(qkv);
}
