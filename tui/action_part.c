/* action_part.c - another layer or batch of the file that is open. */
#include "tui/action.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/tensor_scenario.h"
#include "core/message.h"
#include "core/number.h"
#include "tui/live_dock.h"

static const struct opened *here(const struct state *s)
{
	return s->opened[s->now.scenario];
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* ---- the file ---- */

/* A name that can be read again, or why there is none. */
static enum status file_of(const struct state *s, const char **input, struct error *e)
{
	const char *source = here(s)->source;

	if (!source || !strcmp(source, "-") || !s->ports.part || !s->ports.layers)
		return error_set(e, E_VALUE, "the rest of this input cannot be read again; --layer and --batch choose when it is opened");
	*input = source;
	return OK_STATUS;
}

static struct tensor_choice choice_of(const struct state *s, long layer, long batch)
{
	const struct scenario *sc = state_scenario(s);

	return (struct tensor_choice){ sc->as, sc->layout, layer, batch, sc->part.bf16 };
}

static enum status model_layers(const struct live *l, long **layer, size_t *n, struct error *e)
{
	*n = l->model.size.layers;
	if (!(*layer = calloc(*n, sizeof **layer)))
		return error_set(e, E_MEMORY, "no memory for %zu layers", *n);
	for (size_t k = 0; k < *n; k++)
		(*layer)[k] = (long)k;
	return OK_STATUS;
}

enum status state_layers(const struct state *s, long **layer, size_t *n, struct error *e)
{
	const struct file_part *part = &state_scenario(s)->part;
	const struct tensor_choice choice = choice_of(s, part->layer, part->batch);
	const char *input;
	enum status status;

	if (live_shown(s))
		return model_layers(live_shown(s), layer, n, e);
	if (part->layers > 1)
		return (status = file_of(s, &input, e)) ? status : s->ports.layers(layer, n, input, &choice, e);
	if (!(*layer = malloc(sizeof **layer)))
		return error_set(e, E_MEMORY, "no memory for a layer");
	**layer = part->layer;
	*n = 1;
	return OK_STATUS;
}

/* The part where it was opened already, as it was read then; or opened_n. */
static size_t find_part(const struct state *s, long layer, long batch)
{
	const struct opened *now = here(s);
	size_t i = 0;

	for (; i < s->opened_n; i++) {
		const struct scenario *sc = &s->opened[i]->scenario;
		if (now->source && same_text(s->opened[i]->source, now->source) && sc->part.layers == now->scenario.part.layers &&
		    sc->part.layer == layer && sc->part.batch == batch && same_text(sc->as, now->scenario.as) &&
		    same_text(sc->layout, now->scenario.layout) && sc->part.bf16 == now->scenario.part.bf16)
			break;
	}
	return i;
}

static enum status read_part(const struct state *s, long layer, long batch, struct scenario *sc, struct error *e)
{
	const struct tensor_choice choice = choice_of(s, layer, batch);
	const char *input;
	enum status status = file_of(s, &input, e);

	return status ? status : s->ports.part(sc, input, &choice, s->tables, e);
}

/* ---- its options ---- */

static size_t heads_of(const struct scenario *sc)
{
	size_t n = 1;

	for (int a = 0; a < ARRAY_COUNT; a++)
		n = sc->array[a].n > n ? sc->array[a].n : n;
	return n;
}

/* What the file says of the part, and on top of it what is not as the file said of the
 * part that is open: that was chosen by somebody. */
static enum status carry(const struct state *s, const struct options *from, const struct scenario *sc, struct options *out,
			 struct error *e)
{
	const struct options *said = &state_scenario(s)->set;
	struct options o;
	enum status status = options_copy(&o, &sc->set, e);

	if (status)
		return status;
	for (int k = 0; k < OPT_COUNT && !status; k++) {
		struct buffer value = { 0 };
		if (k == OPT_LAYER || k == OPT_BATCH || option_same(from, said, (enum option)k))
			continue;
		if (k == OPT_HEAD && (size_t)from->head >= heads_of(sc))
			continue;
		option_text(from, (enum option)k, &value);
		status = value.data ? option_set(&o, (enum option)k, value.data, e) : error_set(e, E_MEMORY, "no memory for options");
		buffer_free(&value);
	}
	if (status)
		options_free(&o);
	else
		*out = o;
	return status;
}

/* Of a language model the head that is shown and those with options that are carried have
 * those; the rest is as trained (live_dock.h). */
static enum status model_problem(const struct state *s, long layer, struct problem **p, struct options *o, struct error *e)
{
	struct snapshot other = { 0 };
	enum status status = snapshot_copy(&other, &s->now, e);

	if (status)
		return status;
	other.options.layer = layer;
	edits_free(&other.edits);
	if (!(status = live_dock_carry(s, &other, e)) && !(status = options_copy(o, &other.options, e)) &&
	    (status = state_make_problem(s, &other, p, e)))
		options_free(o);
	snapshot_free(&other);
	return status;
}

enum status state_part_problem(const struct state *s, long layer, struct problem **p, struct options *o, struct error *e)
{
	if (live_shown(s))
		return model_problem(s, layer, p, o, e);
	long batch = state_scenario(s)->part.batch;
	size_t at = find_part(s, layer, batch);
	struct scenario read = { 0 };
	const struct scenario *sc = at < s->opened_n ? &s->opened[at]->scenario : &read;
	enum status status = sc == &read ? read_part(s, layer, batch, &read, e) : OK_STATUS;

	if (status)
		return status;
	if (!(status = carry(s, &s->now.options, sc, o, e)) && (status = state_problem_of(s, sc, o, &sc->edits, p, e)))
		options_free(o);
	if (sc == &read)
		scenario_free(&read);
	return status;
}

/* ---- showing it ---- */

/* The part as one of s->opened; what it was opened from is the same file. */
static enum status open_part(struct state *s, long layer, long batch, size_t *at, struct error *e)
{
	struct scenario sc;
	struct options begin;
	enum status status;

	if ((*at = find_part(s, layer, batch)) < s->opened_n)
		return OK_STATUS;
	if ((status = read_part(s, layer, batch, &sc, e)))
		return status;
	if (!(status = carry(s, &here(s)->options, &sc, &begin, e))) {
		if (!(status = state_add_scenario(s, &sc, &begin, at, e)))
			s->opened[*at]->source = strdup(here(s)->source);
		options_free(&begin);
	}
	scenario_free(&sc);
	return status;
}

static enum status make_snapshot(const struct state *s, size_t at, long head, struct snapshot *next, struct error *e)
{
	const struct scenario *sc = &s->opened[at]->scenario;
	enum status status = carry(s, &s->now.options, sc, &next->options, e);
	char number[24];

	snprintf(number, sizeof number, "%ld", head);
	if (!status && head >= 0)
		status = option_set(&next->options, OPT_HEAD, number, e);
	if (!status)
		status = edits_copy(&next->edits, &sc->edits, e);
	next->scenario = at;
	return status;
}

bool state_show_part(struct state *s, long layer, long batch, long head, const char *by)
{
	struct snapshot next = { 0 };
	struct error e = { 0 };
	size_t before = s->opened_n, at;

	if (live_shown(s))
		return live_dock_show(s, layer, head, by);
	if (open_part(s, layer, batch, &at, &e) || make_snapshot(s, at, head, &next, &e) || state_adopt(s, &next, &e)) {
		act_say_error(s, by, &e);
		snapshot_free(&next);
		if (s->opened_n > before)
			state_drop_scenario(s);
		return false;
	}
	return true;
}

static void say_part(struct state *s, const char *by)
{
	const struct file_part *part = &state_scenario(s)->part;
	const char *title = title_in(&state_scenario(s)->title, message_in_force());

	if (part->batches > 1)
		state_say(s, false, "%s: layer %ld of %zu, batch %ld of %zu: %s", by, part->layer, part->layers, part->batch, part->batches, title);
	else
		state_say(s, false, "%s: layer %ld of %zu: %s", by, part->layer, part->layers, title);
}

void act_step_layer(struct state *s, const struct call *call)
{
	const struct file_part *part = &state_scenario(s)->part;
	struct error e = { 0 };
	long *layer;
	size_t n, k = 0;

	if (part->layers < 2) {
		state_say(s, false, "%s: there is only one layer", call->by);
		return;
	}
	if (state_layers(s, &layer, &n, &e)) {
		act_say_error(s, call->by, &e);
		return;
	}
	while (k + 1 < n && layer[k] != part->layer)
		k++;
	k = (k + n + (call->command == CMD_NEXT_LAYER ? 1 : n - 1)) % n;
	if (state_show_part(s, layer[k], part->batch, -1, call->by))
		say_part(s, call->by);
	free(layer);
}

bool act_choose_part(struct state *s, enum option which, const char *value, const char *by)
{
	const struct file_part *part = &state_scenario(s)->part;
	bool is_layer = which == OPT_LAYER;
	long n;

	if ((is_layer ? part->layers : part->batches) < 2 || !number_parse_integer(value, strlen(value), &n) || n < 0)
		return false;
	if (state_show_part(s, is_layer ? n : part->layer, is_layer ? part->batch : n, -1, by))
		say_part(s, by);
	return true;
}
