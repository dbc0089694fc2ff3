/* action_option.c - changes options, and says what that did. */
#include "tui/action.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"
#include "tui/live_dock.h"

void act_say_error(struct state *s, const char *by, const struct error *e)
{
	if (e->option[0] && *by == ':')		/* the option was just typed */
		state_say(s, true, ":%s: %s", e->option, e->text);
	else if (e->option[0])
		state_say(s, true, "%s: %s: %s", by, e->option, e->text);
	else if (e->file[0] && e->line)
		state_say(s, true, "%s: %s:%u:%u: %s", by, e->file, e->line, e->column, e->text);
	else
		state_say(s, true, "%s: %s%s%s", by, e->file, e->file[0] ? ": " : "", e->text);
}

enum { COUNT_LIMIT = 4000000 };		/* cells that are counted for a sentence */

/* " 3 of 9 cells hidden", or nothing where counting would take long. */
void act_hidden_text(struct state *s, char *out, size_t size)
{
	const struct problem *p = s->problem;
	size_t hidden = 0;
	rules *of_row;

	out[0] = '\0';
	if (p->source == SOURCE_WEIGHTS || p->n_q * p->n_k > COUNT_LIMIT)
		return;
	of_row = malloc(p->n_k * sizeof *of_row);
	for (size_t i = 0; of_row && i < p->n_q; i++) {
		mask_row(p, &s->grid.attention.options, i, of_row);
		for (size_t j = 0; j < p->n_k; j++)
			hidden += mask_hides(of_row[j]);
	}
	if (of_row)
		snprintf(out, size, _(": %zu of %zu cells hidden"), hidden, p->n_q * p->n_k);
	free(of_row);
}

void act_say_scale(struct state *s, const char *by, const char *lead)
{
	const struct attention *a = &s->grid.attention;
	char number[NUMBER_SIZE];

	if (a->scale_note) {
		state_say(s, false, "%s: %s%s", by, lead, _(a->scale_note));
	} else if (a->factor != 1 || a->options.scale.word < 0) {
		number_plain(a->factor, number);
		state_say(s, false, "%s: %severy score times %s", by, lead, number);
	} else if (a->options.scale.word == SCALE_NONE) {
		state_say(s, false, "%s: %sscale off, the scores go into softmax as they are", by, lead);
	} else {
		static const char *const rule[] = { "sqrt(d_k)", "", "d_k", "sqrt(d_model)" };
		number_fixed(a->divisor, 3, number);
		state_say(s, false, "%s: %severy score divided by %s = %s", by, lead, rule[a->options.scale.word], number);
	}
}

static bool is_mask_option(enum option o)
{
	return option_info(o)->group == GROUP_HIDING;
}

bool state_change(struct state *s, const char *by, const char *const *pairs)
{
	struct snapshot next = { 0 };
	struct error e = { 0 };

	if (snapshot_copy(&next, &s->now, &e)) {
		act_say_error(s, by, &e);
		return false;
	}
	for (; *pairs; pairs += 2) {
		enum option o = option_find(pairs[0]);
		if (option_set(&next.options, o, pairs[1], &e)) {
			state_say(s, true, "%s: %s%s%s", by, *by == ':' ? "" : pairs[0], *by == ':' ? "" : ": ", e.text);
			snapshot_free(&next);
			return false;
		}
	}
	if (live_dock_carry(s, &next, &e) || state_adopt(s, &next, &e)) {
		act_say_error(s, by, &e);
		snapshot_free(&next);
		return false;
	}
	return true;
}

bool act_change(struct state *s, const char *by, const char *name, const char *value)
{
	return state_change(s, by, (const char *const[]){ name, value, NULL });
}

void state_set_option(struct state *s, enum option which, const char *value, const char *by)
{
	char hidden[64] = "";
	struct buffer now = { 0 };

	if ((which == OPT_LAYER || which == OPT_BATCH) && act_choose_part(s, which, value, by))
		return;
	if (!act_change(s, by, option_info(which)->name, value))
		return;
	if (which == OPT_SCALE) {
		act_say_scale(s, by, "");
		return;
	}
	if (is_mask_option(which))
		act_hidden_text(s, hidden, sizeof hidden);
	option_text(&s->now.options, which, &now);
	if (which == OPT_MASK && s->problem->mask_note[0])
		state_say(s, false, "%s: %s%s", by, s->problem->mask_note, hidden);
	else
		state_say(s, false, "%s %s%s", option_info(which)->name, now.data ? now.data : "", hidden);
	s->sentence_whole = which == OPT_MASK;
	buffer_free(&now);
}

bool act_weights_given(struct state *s, const char *by)
{
	if (s->problem->source != SOURCE_WEIGHTS)
		return false;
	state_say(s, true, "%s: finished weights are given; masks and scale come before them", by);
	return true;
}

void act_set(struct state *s, const struct call *call)
{
	const char *value = call->argument + strcspn(call->argument, " \t");
	char name[64];

	snprintf(name, sizeof name, "%.*s", (int)(value - call->argument), call->argument);
	value += strspn(value, " \t");
	if (option_find(name) == OPT_COUNT)
		state_say(s, true, "%s: '%s' is not an option; Tab completes", call->by, name);
	else
		state_set_option(s, option_find(name), *value ? value : "on", call->by);
}
