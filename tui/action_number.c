/* action_number.c - edits and nudges, temperature, digits, seeds. */
#include "tui/action.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"

/* The array and the cell that an edit on this stage changes. */
static bool edit_target(struct state *s, struct edit *edit, const char *by)
{
	const struct problem *p = s->problem;
	enum stage stage = state_stage(s);

	*edit = (struct edit){ .head = s->grid.attention.head, .row = s->row, .column = s->column };
	if (stage == STAGE_INPUT) {
		edit->array = state_array(s);
		if (edit->array == ARRAY_X || edit->array == ARRAY_W_O)
			edit->head = 0;
		if (p->source == SOURCE_X && (edit->array == ARRAY_Q || edit->array == ARRAY_K || edit->array == ARRAY_V)) {
			state_say(s, true, "%s: Q, K and V follow from X here; 0 shows X and its weights", by);
			return false;
		}
		return true;
	}
	if (stage >= STAGE_OUTPUT) {
		state_say(s, true, "%s: this follows from the weights and V; edit a score on stages 1 to 4, or V on 0", by);
		return false;
	}
	edit->array = p->source == SOURCE_WEIGHTS ? ARRAY_WEIGHTS : ARRAY_SCORES;
	return true;
}

static double edited_value(struct state *s, const struct edit *edit)
{
	if (edit->array == ARRAY_SCORES && s->problem->source != SOURCE_SCORES)
		return grid_row(&s->grid, edit->row, STAGE_WEIGHTS)->scores[edit->column];
	const struct matrix *m = problem_array(s->problem, edit->array, edit->head);
	return matrix_at(m, edit->row, edit->column);
}

static void put_edit(struct state *s, const struct edit *edit, const char *by)
{
	struct snapshot next = { 0 };
	struct error e = { 0 };
	char number[NUMBER_SIZE];

	if (snapshot_copy(&next, &s->now, &e) || edits_put(&next.edits, *edit, &e) || state_adopt(s, &next, &e)) {
		act_say_error(s, by, &e);
		snapshot_free(&next);
		return;
	}
	number_plain(edit->value, number);
	state_say(s, false, "%s: %s %zu:%zu is %s now", by, array_name(edit->array), edit->row, edit->column, number);
}

void act_nudge(struct state *s, const struct call *call)
{
	struct edit edit;

	if (!edit_target(s, &edit, call->by))
		return;
	/* Steps of 0.1 should end on tenths, as typed by hand: cut the noise of the sum. */
	double old = edited_value(s, &edit), step = s->now.options.step.number;
	double value = call->command == CMD_MORE ? old + step : old - step;
	double neat = round(value * 1e12) / 1e12, noise = 4 * DBL_EPSILON * (fabs(old) + step);
	edit.value = fabs(neat - value) <= noise ? neat : value;
	put_edit(s, &edit, call->by);
}

static void open_edit(struct state *s, const char *by)
{
	struct edit edit;
	char number[NUMBER_SIZE];

	if (!edit_target(s, &edit, by))
		return;
	number_plain(edited_value(s, &edit), number);
	prompt_open(s, PROMPT_VALUE, number);
}

/* The value typed at the edit prompt. */
static void finish_edit(struct state *s, const char *text, const char *by)
{
	struct edit edit;

	if (!edit_target(s, &edit, by))
		return;
	if (!number_parse(text, strlen(text), &edit.value)) {
		state_say(s, true, "%s: '%.40s' is not a number; expected one like 2, -0.5, 1e-3, inf or nan", by, text);
		return;
	}
	put_edit(s, &edit, by);
}

void act_edit(struct state *s, const struct call *call)
{
	if (*call->argument)
		finish_edit(s, call->argument, call->by);
	else
		open_edit(s, call->by);
}

void act_clear_edit(struct state *s, const struct call *call)
{
	struct snapshot next = { 0 };
	struct edit edit;
	struct error e = { 0 };

	if (!edit_target(s, &edit, call->by))
		return;
	if (snapshot_copy(&next, &s->now, &e)) {
		act_say_error(s, call->by, &e);
		return;
	}
	if (!edits_remove(&next.edits, edit.array, edit.head, edit.row, edit.column)) {
		state_say(s, false, "%s: this cell was not edited", call->by);
		snapshot_free(&next);
	} else if (state_adopt(s, &next, &e)) {
		act_say_error(s, call->by, &e);
		snapshot_free(&next);
	} else {
		state_say(s, false, "%s: %s %zu:%zu has its own value again", call->by, array_name(edit.array), edit.row, edit.column);
	}
}

void act_temperature(struct state *s, const struct call *call)
{
	char number[NUMBER_SIZE];
	double factor = call->command == CMD_COOLER ? 0.8 : 1.25;
	double t = s->now.options.temperature.number * factor;

	if (act_weights_given(s, call->by))
		return;
	t = round(t * 1e6) / 1e6;
	if (fabs(t - 1) < 0.01)
		t = 1;
	number_plain(t < 0.001 ? 0.001 : t > 1e6 ? 1e6 : t, number);
	if (act_change(s, call->by, "temperature", number))
		state_say(s, false, "%s: temperature %s: scaled scores are divided by it, the weights get %s", call->by, number,
			  factor < 1 ? _("sharper") : _("flatter"));
}

void act_digits(struct state *s, const struct call *call)
{
	int precision = state_precision(s) + (call->command == CMD_MORE_DIGITS ? 1 : -1);
	char number[16];

	if (precision < 0 || precision > 17) {
		state_say(s, true, "%s: between 0 and 17 digits can be shown", call->by);
		return;
	}
	snprintf(number, sizeof number, "%d", precision);
	if (act_change(s, call->by, "precision", number))
		state_say(s, false, "%s: %d digits after the point; nothing is computed otherwise", call->by, precision);
}

char *state_next_number(const char *digits)
{
	size_t n = strlen(digits);
	char *next = malloc(n + 2);

	if (!next)
		return NULL;
	next[0] = '0';
	memcpy(next + 1, digits, n + 1);
	for (size_t i = n;; i--) {
		if (next[i] != '9') {
			next[i]++;
			break;
		}
		next[i] = '0';
	}
	if (next[0] == '0')
		memmove(next, next + 1, n + 1);
	return next;
}

void act_next_seed(struct state *s, const struct call *call)
{
	const struct scenario *sc = state_scenario(s);
	const char *seed = *s->now.options.seed ? s->now.options.seed : sc->random.seed;
	char *next;

	if (sc->source != SOURCE_RANDOM) {
		state_say(s, true, "%s: this input is given, not random; o opens random-4, :tokens makes random input", call->by);
		return;
	}
	if (!(next = state_next_number(seed)))
		return;
	if (act_change(s, call->by, "seed", next))
		state_say(s, false, "%s: seed %.100s, as numpy.random.default_rng(%.100s) draws it", call->by, next, next);
	free(next);
}
