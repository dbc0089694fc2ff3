/* live_dock.c - a language model on the screen: the model and the state. */
#include "tui/live_dock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "tui/action.h"

/* ---- life ---- */

enum status live_dock_new(struct live_dock **out, live_maker *make, const struct live_request *r, struct error *e)
{
	struct live_dock *d = calloc(1, sizeof *d);
	enum status s;

	if (!d)
		return error_set(e, E_MEMORY, "no memory for a model");
	if ((s = make(&d->live, r, e))) {
		free(d);
		return s;
	}
	if ((s = model_options(&d->plain, e)) || (s = live_point_put(&d->file, r->model, e)))
		live_dock_free(d);
	else
		*out = d;
	return s;
}

void live_dock_free(struct live_dock *d)
{
	if (!d)
		return;
	live_free(&d->live);
	options_free(&d->plain);
	live_point_free(d->first);
	free(d->file);
	free(d);
}

void live_dock_attach(struct state *s, struct live_dock *d, struct live_point *point)
{
	struct error e = { 0 };

	live_dock_free(s->live);
	d->slot = s->now.scenario;
	d->at_now = true;
	s->live = d;
	s->now.live = point;
	if (live_point_copy(&d->first, point, &e))
		state_say(s, true, "live: %s", e.text);
	s->row = d->live.text.last;
	state_settle(s);
	live_say_text(s, "live");
}

struct live *live_shown(const struct state *s)
{
	return s->now.live && s->live ? &s->live->live : NULL;
}

/* ---- snapshots ---- */

enum status live_dock_scenario(const struct state *s, const struct snapshot *n, struct scenario *out, struct error *e)
{
	const struct live_request r = live_point_request(n->live, s->tables);
	struct live *l = &s->live->live;
	enum status status;

	s->live->at_now = false;
	if ((status = live_update(l, &r, e)) || (status = live_check_layer(l, &n->options, e)))
		return status;
	return live_scenario(l, (size_t)n->options.layer, out, e);
}

bool live_dock_same(const struct snapshot *a, const struct snapshot *b)
{
	return live_point_same(a->live, b->live) && (!a->live || a->options.layer == b->options.layer);
}

void live_dock_settle(struct state *s)
{
	struct error e = { 0 };

	if (!live_shown(s) || s->live->at_now)
		return;
	const struct live_request r = live_point_request(s->now.live, s->tables);
	if (live_update(&s->live->live, &r, &e))
		state_say(s, true, "live: %s", e.text);
	else
		s->live->at_now = true;
}

/* ---- options ---- */

static enum status take_counting(struct options *to, const struct options *from, struct error *e)
{
	enum status s = OK_STATUS;

	for (int o = 0; o < OPT_COUNT && !s; o++) {
		struct buffer value = { 0 };
		if (!model_option_counts((enum option)o) || option_same(to, from, (enum option)o))
			continue;
		option_text(from, (enum option)o, &value);
		s = value.data ? option_set(to, (enum option)o, value.data, e) : error_set(e, E_MEMORY, "no memory for options");
		buffer_free(&value);
	}
	return s;
}

/* As trained, or as is carried through. */
static enum status take_own(const struct live_point *p, bool carried, struct options *to, struct error *e)
{
	struct options plain;
	enum status s;

	if (carried)
		return take_counting(to, p->carried, e);
	if ((s = model_options(&plain, e)))
		return s;
	s = take_counting(to, &plain, e);
	options_free(&plain);
	return s;
}

bool live_is_carried_at(const struct live *l, const struct live_point *p, const struct options *o)
{
	return p->at && live_list_has(l, p->at, (size_t)o->layer, (size_t)o->head);
}

bool live_dock_is_same_head(const struct snapshot *a, const struct snapshot *b)
{
	return live_point_same(a->live, b->live) && a->options.layer == b->options.layer && a->options.head == b->options.head;
}

void live_head_options(const struct state *s, size_t layer, size_t head, struct options *o)
{
	const struct options *now = &s->now.options, *counting;
	const struct live *l = live_shown(s);
	struct options view = *o;

	if (!l || !s->now.live->at || ((long)layer == now->layer && (long)head == now->head))
		return;
	counting = model_plan_head(&l->plan, layer, head)->options;
	*o = counting ? *counting : s->live->plain;
	o->layer = view.layer;
	o->batch = view.batch;
	o->stage = view.stage;
	o->array = view.array;
	o->labels = view.labels;
}

enum status live_carry(const struct live *l, const struct options *before, struct snapshot *next, struct error *e)
{
	struct live_point *p = next->live;

	if (!p || !p->at)
		return OK_STATUS;
	bool moved = before->layer != next->options.layer || before->head != next->options.head;
	bool here = live_is_carried_at(l, p, &next->options);
	if (moved)
		return take_own(p, here, &next->options, e);
	return here ? take_counting(p->carried, &next->options, e) : OK_STATUS;
}

enum status live_dock_carry(const struct state *s, struct snapshot *next, struct error *e)
{
	return next->live ? live_carry(&s->live->live, &s->now.options, next, e) : OK_STATUS;
}

/* What is --ablate to the command line is :head-off here. */
static void name_command(struct error *e)
{
	static const char option[] = "ablate", command[] = "head-off";
	const size_t n = sizeof option - 1;
	char value[sizeof e->option - sizeof command];

	if (strncmp(e->option, option, n))
		return;
	snprintf(value, sizeof value, "%s", e->option + n);
	snprintf(e->option, sizeof e->option, "%s%s", command, value);
}

/* next is put in force, or freed and why is said. */
static bool adopt(struct state *s, struct snapshot *next, enum status status, const char *by, struct error *e)
{
	if (!status)
		status = state_adopt(s, next, e);
	if (status) {
		name_command(e);
		act_say_error(s, by, e);
		snapshot_free(next);
	}
	return !status;
}

bool live_dock_show(struct state *s, long layer, long head, const char *by)
{
	struct snapshot next = { 0 };
	struct error e = { 0 };
	enum status status = snapshot_copy(&next, &s->now, &e);

	if (status) {
		act_say_error(s, by, &e);
		return false;
	}
	next.options.layer = layer;
	if (head >= 0)
		next.options.head = head;
	if (layer != s->now.options.layer)	/* of other numbers */
		edits_free(&next.edits);
	return adopt(s, &next, live_dock_carry(s, &next, &e), by, &e);
}

/* ---- interventions ---- */

static bool is_live(struct state *s, const char *by)
{
	if (live_shown(s))
		return true;
	state_say(s, true, "%s: this is of a language model; qkv live and :live TEXT show one", by);
	return false;
}

static void say_where(struct state *s, const char *by)
{
	struct buffer text = { 0 };

	live_where(s, false, &text);
	state_say(s, false, "%s: %s", by, text.data ? text.data : "");
	buffer_free(&text);
}

/* This head, this layer, all, and the picture alone again. */
static const char *next_at(const struct state *s, char out[48])
{
	const struct options *o = &s->now.options;
	const char *at = s->now.live->at;
	char layer[24];

	snprintf(out, 48, "%ld.%ld", o->layer, o->head);
	snprintf(layer, sizeof layer, "%ld", o->layer);
	if (!at)
		return out;
	if (!strcmp(at, out)) {
		snprintf(out, 48, "%s", layer);
		return out;
	}
	return strcmp(at, layer) ? NULL : "all";
}

enum status live_put_at(const struct live *l, struct snapshot *next, const char *list, struct error *e)
{
	struct live_point *p = next->live;
	enum status status;

	if (!list) {
		if (p->carried)
			options_free(p->carried);
		free(p->carried);
		p->carried = NULL;
		return live_point_put(&p->at, NULL, e);
	}
	if (!p->carried) {
		struct options *copy = calloc(1, sizeof *copy);
		if (!copy || (status = options_copy(copy, &next->options, e))) {
			free(copy);
			return error_set(e, E_MEMORY, "no memory for options");
		}
		p->carried = copy;
	}
	if ((status = live_point_put(&p->at, list, e)))
		return status;
	return take_own(p, live_is_carried_at(l, p, &next->options), &next->options, e);
}

enum status live_dock_reset(const struct state *s, struct snapshot *next, struct error *e)
{
	enum status status;

	if (!s->now.live)
		return OK_STATUS;
	if (s->live->first)
		status = live_point_copy(&next->live, s->live->first, e);
	else if (!(status = live_point_copy(&next->live, s->now.live, e)) && !(status = live_put_at(&s->live->live, next, NULL, e)))
		status = live_point_put(&next->live->off, NULL, e);
	if (status || (status = live_point_put(&next->live->text, s->now.live->text, e)))
		return status;
	next->live->pad_left = s->now.live->pad_left;
	next->live->pad_right = s->now.live->pad_right;
	return live_dock_trim(s, s->live->first, next, e);
}

void live_command_at(struct state *s, const char *list, const char *by)
{
	struct snapshot next = { 0 };
	struct error e = { 0 };
	char scratch[48];

	if (!is_live(s, by))
		return;
	const char *at = !*list ? next_at(s, scratch) : !strcmp(list, "picture") ? NULL : list;
	if (snapshot_copy(&next, &s->now, &e))
		act_say_error(s, by, &e);
	else if (adopt(s, &next, live_put_at(&s->live->live, &next, at, &e), by, &e))
		say_where(s, by);
}

void live_list_either(const struct live *l, const char *a, const char *b, struct buffer *out)
{
	for (size_t layer = 0; layer < l->model.size.layers; layer++)
		for (size_t head = 0; head < l->model.size.heads; head++)
			if ((a && live_list_has(l, a, layer, head)) != live_list_has(l, b, layer, head))
				buffer_format(out, "%s%zu.%zu", out->size ? "," : "", layer, head);
}

static enum status put_off(const struct state *s, struct snapshot *next, const char *list, struct error *e)
{
	struct live_point *p = next->live;
	struct buffer toggled = { 0 };
	char this[48];

	if (!strcmp(list, "none"))
		return live_point_put(&p->off, NULL, e);
	if (*list)
		return live_point_put(&p->off, list, e);
	snprintf(this, sizeof this, "%ld.%ld", next->options.layer, next->options.head);
	live_list_either(&s->live->live, p->off, this, &toggled);
	enum status status = toggled.failed ? error_set(e, E_MEMORY, "no memory for a list") : live_point_put(&p->off, toggled.data, e);
	buffer_free(&toggled);
	return status;
}

void live_command_off(struct state *s, const char *list, const char *by)
{
	struct snapshot next = { 0 };
	struct error e = { 0 };

	if (!is_live(s, by))
		return;
	if (snapshot_copy(&next, &s->now, &e))
		act_say_error(s, by, &e);
	else if (adopt(s, &next, put_off(s, &next, list, &e), by, &e))
		say_where(s, by);
}

/* With the option that hides it, unless it is in force. */
static void say_padding(struct state *s, const char *by)
{
	const struct live_point *p = s->now.live;
	const struct pads pads = live_pads(p, s->live->live.text.n - p->pad_left - p->pad_right);
	const char *side = p->pad_left ? _("before the text") : _("behind the text");
	struct buffer list = { 0 };

	live_pads_text(&pads, &list);
	if (!pads.n)
		state_say(s, false, "%s: no padding", by);
	else if (live_pads_are(&pads, &(p->at ? p->carried : &s->now.options)->pad))
		state_say(s, false, "%s: %zu [PAD] %s; pad %s hides them", by, pads.n, side, list.data ? list.data : "");
	else
		state_say(s, false, p->at ? N_("%s: %zu [PAD] %s; :pad %s hides them") : N_("%s: %zu [PAD] %s; :pad %s hides them, A carries that"),
			  by, pads.n, side, list.data ? list.data : "");
	buffer_free(&list);
}

void live_command_padding(struct state *s, const char *side, const char *by)
{
	struct snapshot next = { 0 };
	struct error e = { 0 };
	size_t n = 0;
	char which[8] = "", end;

	if (!is_live(s, by))
		return;
	bool none = !strcmp(side, "none");
	if (!none && (sscanf(side, "%5[a-z]:%4zu%c", which, &n, &end) != 2 || (strcmp(which, "left") && strcmp(which, "right")))) {
		state_say(s, true, "%s: left:N, right:N or none is expected", by);
		return;
	}
	if (snapshot_copy(&next, &s->now, &e)) {
		act_say_error(s, by, &e);
		return;
	}
	next.live->pad_left = strcmp(which, "left") ? 0 : n;
	next.live->pad_right = strcmp(which, "right") ? 0 : n;
	edits_free(&next.edits);
	size_t before = s->now.live->pad_left, row = live_row(s);
	row = (row > before ? row - before : 0) + next.live->pad_left;
	if (adopt(s, &next, live_dock_trim(s, s->now.live, &next, &e), by, &e)) {
		s->row = row;
		say_padding(s, by);
	}
}

size_t live_row(const struct state *s)
{
	size_t n = s->live->live.text.n;

	return s->row < n ? s->row : n - 1;
}
