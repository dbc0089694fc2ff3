/* panel_walk.c - the walk: one row through the five steps, forwards and backwards.
 *
 * It changes what is shown and nothing else: the stage is the walk's own
 * (panel_walk_stage), and the cursor goes back to where it was.
 */
#include "core/message.h"
#include "tui/panel_kinds.h"

/* ---- steps and stages ---- */

/* The weights are seen when they have been divided, not before. */
static enum stage stage_of(enum walk_step step)
{
	static const enum stage stage[WALK_STEPS] = {
		STAGE_SCORES, STAGE_SCALED, STAGE_MASKED, STAGE_MASKED, STAGE_MASKED, STAGE_WEIGHTS, STAGE_OUTPUT, STAGE_JOINED,
	};
	return stage[step];
}

/* Finished weights have no steps before them: they are there, and are mixed. */
size_t panel_walk_steps(const struct state *s, enum walk_step out[WALK_STEPS])
{
	size_t n = 0;

	for (int k = 0; k < WALK_STEPS; k++) {
		bool softmax = k == WALK_EXP || k == WALK_SUM;
		if (problem_has_stage(s->problem, stage_of((enum walk_step)k)) &&
		    !(softmax && s->problem->source == SOURCE_WEIGHTS))
			out[n++] = (enum walk_step)k;
	}
	return n;
}

/* A change of the input may have taken the stage away that is walked through. */
bool panel_walk_stage(const struct state *s, enum stage *stage)
{
	const struct panel_walk *w = &s->panel.walk;

	if (s->panel.kind != PANEL_WALK || !problem_has_stage(s->problem, w->stage))
		return false;
	*stage = w->stage;
	return true;
}

bool panel_walk_box(const struct state *s, enum box *box)
{
	enum walk_step step = s->panel.walk.step;

	if (s->panel.kind != PANEL_WALK || (step != WALK_EXP && step != WALK_SUM))
		return false;
	*box = BOX_SHARE;
	return true;
}

bool panel_walk_keeps_weights(const struct state *s)
{
	return s->panel.kind == PANEL_WALK && s->panel.walk.step < WALK_SHARE;
}

static size_t place_in(const enum walk_step *steps, size_t n, enum walk_step step)
{
	size_t k = 0;

	while (k + 1 < n && steps[k] < step)
		k++;
	return k;
}

/* ---- going ---- */

/* Keys, columns of V and columns of the joined heads are three kinds of columns. */
static int kind_of(enum stage stage)
{
	return stage == STAGE_JOINED ? 2 : stage == STAGE_OUTPUT ? 1 : 0;
}

static void say_step(struct state *s, size_t k, size_t n)
{
	if (k + 1 == n)
		state_say(s, false, "step %zu of %zu, the last; Backspace goes back, Esc ends the walk", k + 1, n);
	else
		state_say(s, false, "step %zu of %zu; Space goes on, Backspace back, Esc ends the walk", k + 1, n);
}

static void show_step(struct state *s, const enum walk_step *steps, size_t k, size_t n)
{
	struct panel_walk *w = &s->panel.walk;
	int from = kind_of(w->stage), to = kind_of(stage_of(steps[k]));

	w->place[from].column = s->column;
	w->place[from].left = s->left;
	w->step = steps[k];
	w->stage = stage_of(w->step);
	s->column = w->place[to].column;
	s->left = w->place[to].left;
	say_step(s, k, n);
}

static void end(struct state *s)
{
	struct panel_walk w = s->panel.walk;

	panel_close_silently(s);
	s->row = w.row;
	s->column = w.column;
	s->top = w.top;
	s->left = w.left;
}

static void begin(struct state *s, const char *by)
{
	enum walk_step steps[WALK_STEPS];
	size_t n = panel_walk_steps(s, steps);
	struct panel_walk w = { .step = steps[0], .stage = stage_of(steps[0]), .under = s->now.options.stage,
				.scenario = s->now.scenario, .row = s->row, .column = s->column, .top = s->top, .left = s->left };
	enum stage stage = state_stage(s);

	if (s->mode != MODE_GRID || !state_query(s, s->row)) {
		state_say(s, s->mode == MODE_GRID, s->mode == MODE_GRID
			  ? "%s: no query is under the cursor; stages 1 to 5 have rows to walk through"
			  : "%s: in the bug lab (b) it adds a mistake, in the experiment (w) it reveals", by);
		return;
	}
	if (stage != STAGE_INPUT) {
		w.place[kind_of(stage)].column = s->column;
		w.place[kind_of(stage)].left = s->left;
	}
	panel_forget(s);
	panel_open(s, PANEL_WALK);
	s->panel.walk = w;
	s->column = w.place[kind_of(w.stage)].column;
	s->left = w.place[kind_of(w.stage)].left;
	say_step(s, 0, n);
}

static void open_walk(struct state *s, const char *argument, const char *by)
{
	enum walk_step steps[WALK_STEPS];
	size_t n = panel_walk_steps(s, steps), k = place_in(steps, n, s->panel.walk.step);

	(void)argument;
	if (s->panel.kind != PANEL_WALK)
		begin(s, by);
	else
		show_step(s, steps, k + 1 < n ? k + 1 : k, n);
}

/* From the first step it goes back to before the walk. */
static void step_back(struct state *s)
{
	enum walk_step steps[WALK_STEPS];
	size_t n = panel_walk_steps(s, steps), k = place_in(steps, n, s->panel.walk.step);

	if (k)
		show_step(s, steps, k - 1, n);
	else
		end(s);
}

/* What may be done without leaving the blackboard. */
static bool goes_on(enum command c)
{
	switch (c) {
	case CMD_FORWARD: case CMD_HELP: case CMD_PROMPT: case CMD_EXPORT: case CMD_WRITE: case CMD_WRITE_OVER:
	case CMD_CELL_SIZE: case CMD_THEME: case CMD_COLOR_OFF: case CMD_FEWER_DIGITS: case CMD_MORE_DIGITS:
	case CMD_CAUSAL: case CMD_PAD_KEY: case CMD_PAD_MASK: case CMD_SCALE: case CMD_NEXT_SCALE: case CMD_HIDE_CELL:
	case CMD_NEXT_FILL: case CMD_NEXT_EMPTY_ROW: case CMD_MORE: case CMD_LESS: case CMD_COOLER: case CMD_HOTTER:
	case CMD_PREVIOUS_HEAD: case CMD_NEXT_HEAD: case CMD_GO: case CMD_MOUSE: case CMD_COMMAND_LINE_TEXT: case CMD_QUIT: case CMD_SET:
	case CMD_LESSON:
		return true;
	default:
		return c <= CMD_LAST;
	}
}

static bool walk_takes(struct state *s, enum command c, const char *by)
{
	if (c == CMD_BACKWARD) {
		step_back(s);
		return true;
	}
	if (goes_on(c))
		return false;
	end(s);
	if (c == CMD_UNDO)
		state_say(s, false, "%s: the walk is ended, it had changed nothing; again takes the last change back", by);
	return c == CMD_CLOSE || c == CMD_UNDO;
}

/* ---- room ---- */

enum { WORDS = 3, NOTES = 2, KEYS_WANTED = 8 };

/* The same at each step, so that nothing moves on the way. */
static int walk_rows(const struct state *s)
{
	const struct problem *p = s->problem;
	size_t lines = p->n_k > p->d_v ? p->n_k : p->d_v;

	return PANEL_HEAD + WORDS + NOTES + panel_as_rows(lines < KEYS_WANTED ? lines : KEYS_WANTED);
}

/* Another stage or another input was asked for by name. */
static void check_walk(struct state *s)
{
	const struct panel_walk *w = &s->panel.walk;

	if (w->under != s->now.options.stage || w->scenario != s->now.scenario || !problem_has_stage(s->problem, w->stage))
		panel_close(s);
}

const struct panel_ops panel_walk_ops = {
	.command = CMD_FORWARD,
	.open = open_walk,
	.rows = walk_rows,
	.check = check_walk,
	.takes = walk_takes,
};
