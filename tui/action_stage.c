/* action_stage.c - the stage, the array and the head that are shown. */
#include "tui/action.h"

#include <stdio.h>
#include <string.h>

#include "core/message.h"

/* Of the scores it depends on what is done: K may not be transposed, they may be given. */
static const char *formula_in_force(const struct state *s, enum stage stage)
{
	if (stage == STAGE_SCORES && !problem_has_qk(s->problem))
		return N_("as given");
	if (stage == STAGE_SCORES && !s->grid.attention.options.transpose)
		return N_("Q K, without the transpose");
	return stage_info(stage)->formula;
}

static void say_stage(struct state *s, const char *by)
{
	enum stage stage = state_stage(s);

	if (stage == STAGE_INPUT)
		state_say(s, false, "%s: input %s; 0 again shows the next array", by, array_name(state_array(s)));
	else
		state_say(s, false, "%s: %s = %s", by, stage_info(stage)->name, _(formula_in_force(s, stage)));
}

static bool stage_exists(const struct state *s, enum stage stage)
{
	return attention_has_stage(&s->grid.attention, stage);
}

static void show_stage(struct state *s, enum stage stage, const char *by)
{
	if (act_change(s, by, "stage", stage_info(stage)->name))
		say_stage(s, by);
}

void act_stage(struct state *s, const struct call *call)
{
	show_stage(s, (enum stage)(STAGE_SCORES + (call->command - CMD_SCORES)), call->by);
}

void act_input(struct state *s, const struct call *call)
{
	static const char *const stage[] = { "stage", "input", NULL };
	enum array a = state_array(s);

	if (state_stage(s) == STAGE_INPUT) {
		for (int k = 1; k <= ARRAY_COUNT; k++) {
			enum array next = (enum array)(((int)a + k) % ARRAY_COUNT);
			if (s->problem->array[next].n && !(next == ARRAY_V && s->problem->identity_v)) {
				if (act_change(s, call->by, "array", array_name(next)))
					say_stage(s, call->by);
				return;
			}
		}
	}
	if (state_change(s, call->by, stage))
		say_stage(s, call->by);
}

void act_step_stage(struct state *s, const struct call *call)
{
	int stage = (int)state_stage(s), step = call->command == CMD_NEXT_STAGE ? 1 : -1;

	do
		stage = (stage + step + STAGE_COUNT) % STAGE_COUNT;
	while (!stage_exists(s, (enum stage)stage));
	show_stage(s, (enum stage)stage, call->by);
}

void act_step_head(struct state *s, const struct call *call)
{
	size_t heads = s->problem->heads;
	char number[32];

	if (heads == 1) {
		state_say(s, false, "%s: there is only one head", call->by);
		return;
	}
	size_t head = (s->grid.attention.head + heads + (call->command == CMD_NEXT_HEAD ? 1 : heads - 1)) % heads;
	snprintf(number, sizeof number, "%zu", head);
	if (!act_change(s, call->by, "head", number))
		return;
	if (state_shows_mean(s))
		state_say(s, false, "%s: head %zu of %zu, counted from 0; the mean is shown, :mean off", call->by, head, heads);
	else
		state_say(s, false, "%s: head %zu of %zu, counted from 0", call->by, head, heads);
}

/* The weights that are the mean are those of the grid alone. */
static void say_mean(struct state *s, const char *by)
{
	size_t heads = s->problem->heads;

	if (state_shows_mean(s))
		state_say(s, false, "%s: the mean of %zu heads' weights; a row sums to 1 where every head's does", by, heads);
	else
		state_say(s, false, "%s: the mean of %zu heads' weights, when what is open here is closed", by, heads);
}

void act_mean(struct state *s, const struct call *call)
{
	bool off = !strcmp(call->argument, "off");
	static const char *const weights[] = { "stage", "weights", NULL };

	if (*call->argument && !off && strcmp(call->argument, "on")) {
		state_say(s, true, "%s: '%.40s' is not one of: on, off", call->by, call->argument);
	} else if (s->problem->heads == 1) {
		state_say(s, false, "%s: there is only one head", call->by);
	} else if (off) {
		s->mean.on = false;
		state_say(s, false, "%s: the weights of head %zu of %zu again", call->by, s->grid.attention.head, s->problem->heads);
	} else if (state_change(s, call->by, weights)) {
		s->mean.on = true;
		say_mean(s, call->by);
	}
}
