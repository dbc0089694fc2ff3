/* action_stage.c - the stage, the array and the head that are shown. */
#include "tui/action.h"

#include <stdio.h>

#include "core/message.h"

static void say_stage(struct state *s, const char *by)
{
	enum stage stage = state_stage(s);

	if (stage == STAGE_INPUT)
		state_say(s, false, "%s: input %s; 0 again shows the next array", by, array_name(state_array(s)));
	else
		state_say(s, false, "%s: %s = %s", by, stage_info(stage)->name, _(stage_info(stage)->formula));
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
	if (act_change(s, call->by, "head", number))
		state_say(s, false, "%s: head %zu of %zu, counted from 0", call->by, head, heads);
}
