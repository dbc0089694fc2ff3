/* panel_sweep.c - the d_k experiment: what it is begun with, and its keys. */
#include <stdlib.h>
#include <string.h>

#include "tui/panel_kinds.h"

static bool running(const struct state *s)
{
	const struct panel_sweep *p = &s->panel.sweep;

	return p->ready && !p->stopped && p->run.phase != SWEEP_DONE;
}

static void discard(struct panel *p)
{
	if (p->sweep.ready)
		sweep_free(&p->sweep.run);
	p->sweep.ready = false;
}

/* ---- beginning ---- */

/* NAME VALUE pairs, as --NAME VALUE or NAME=VALUE too; said and false when one is wrong. */
static bool read_arguments(struct state *s, struct sweep_request *r, char *text, const char *by)
{
	struct error e = { 0 };

	for (char *p = text + strspn(text, " -"); *p; p += strspn(p, " -")) {
		char *name = p, *value;
		int k = 0;
		p += strcspn(p, " =");
		if (*p)
			*p++ = '\0';
		value = p + strspn(p, " ");
		p = value + strcspn(value, " ");
		if (*p)
			*p++ = '\0';
		while (k < SWEEP_PARAMETER_COUNT && strcmp(sweep_parameter_name((enum sweep_parameter)k), name))
			k++;
		if (k == SWEEP_PARAMETER_COUNT) {
			state_say(s, true, "%s: '%.40s' is none of d-k, n, seed, repeats, std-d-k, pairs", by, name);
			return false;
		}
		if (sweep_set(r, (enum sweep_parameter)k, value, &e)) {
			state_say(s, true, "%s: %s: %s", by, name, e.text);
			return false;
		}
	}
	return true;
}

/* A long seed is cut, so that the line stays whole; the experiment shows all of it. */
static void say_begun(struct state *s, const char *by)
{
	enum { SEED_DIGITS = 12 };
	const char *seed = s->panel.sweep.run.seed;
	bool is_long = strlen(seed) > SEED_DIGITS;

	state_say(s, false, "%s: seed %.*s%s; Space fills the sentence, R draws anew, Esc stops", by,
		  is_long ? SEED_DIGITS - 3 : SEED_DIGITS, seed, is_long ? "..." : "");
}

static void start(struct state *s, const struct sweep_request *r, const char *by)
{
	struct panel_sweep *p = &s->panel.sweep;
	struct sweep fresh;
	struct error e = { 0 };

	if (sweep_init(&fresh, r, s->tables, &e)) {
		state_say(s, true, "%s: %s", by, e.text);
		return;
	}
	discard(&s->panel);
	p->run = fresh;
	p->run.request.seed = p->run.seed;
	p->ready = true;
	p->stopped = p->revealed = false;
	panel_open(s, PANEL_SWEEP);
	say_begun(s, by);
}

static void open_sweep(struct state *s, const char *argument, const char *by)
{
	struct sweep_request request;
	char *text = strdup(argument);

	sweep_request_init(&request);
	if (text && read_arguments(s, &request, text, by)) {
		panel_forget(s);
		start(s, &request, by);
	}
	free(text);
}

static void next_seed(struct state *s, const char *by)
{
	struct sweep_request request = s->panel.sweep.run.request;
	char *seed = state_next_number(s->panel.sweep.run.seed);

	request.seed = seed;
	if (seed)
		start(s, &request, by);
	free(seed);
}

/* ---- keys ---- */

static void stop_or_close(struct state *s, const char *by)
{
	if (!running(s)) {
		panel_close_silently(s);
		return;
	}
	s->panel.sweep.stopped = true;
	state_say(s, false, "%s: stopped; what is known stays, Esc again closes", by);
}

/* What has nothing to do with the grid goes on working. */
static bool works_beside(enum command c)
{
	switch (c) {
	case CMD_PROMPT: case CMD_HELP: case CMD_THEME: case CMD_COLOR_OFF: case CMD_EXPORT: case CMD_OPEN_PICKER:
	case CMD_LESSON: case CMD_OPEN: case CMD_WRITE: case CMD_WRITE_OVER: case CMD_TOKENS: case CMD_SET: case CMD_MOUSE:
		return true;
	default:
		return panel_is_opened_by(c);
	}
}

static bool takes(struct state *s, enum command c, const char *by)
{
	switch (c) {
	case CMD_CLOSE:
		stop_or_close(s, by);
		return true;
	case CMD_SWEEP:
		if (*by == ':')		/* with other arguments: another experiment */
			return false;
		panel_close_silently(s);
		return true;
	case CMD_QUIT:
		panel_close_silently(s);
		return true;
	case CMD_NEXT_SEED:
		next_seed(s, by);
		return true;
	case CMD_FORWARD:
		s->panel.sweep.revealed = !s->panel.sweep.revealed;
		return true;
	default:
		if (works_beside(c))
			return false;
		state_say(s, false, "%s does nothing here; Esc closes the experiment", by);
		return true;
	}
}

/* ---- room and work ---- */

static int rows(const struct state *s)
{
	return s->rows;
}

static void work(struct state *s)
{
	sweep_step(&s->panel.sweep.run);
}

static double progress(const struct state *s)
{
	return s->panel.sweep.ready ? sweep_progress(&s->panel.sweep.run) : 0;
}

const struct panel_ops panel_sweep_ops = {
	.mode = MODE_SWEEP,
	.whole = true,
	.command = CMD_SWEEP,
	.open = open_sweep,
	.rows = rows,
	.takes = takes,
	.close = discard,
	.working = running,
	.work = work,
	.progress = progress,
};
