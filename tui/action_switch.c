/* action_switch.c - the keys that switch masks, scale, fill and single cells. */
#include "tui/action.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"

void act_causal(struct state *s, const struct call *call)
{
	bool on = !s->now.options.causal;
	char hidden[64];

	if (act_weights_given(s, call->by) || !act_change(s, call->by, "causal", on ? "on" : "off"))
		return;
	act_hidden_text(s, hidden, sizeof hidden);
	state_say(s, false, "%s: causal mask %s%s", call->by,
		  on ? _("on, no query sees the future") : _("off, every query sees the future too"), hidden);
}

static void pad_text(const struct list *pad, long without, long with, struct buffer *out)
{
	bool put = with < 0;

	for (size_t k = 0; k < pad->n; k++) {
		if (!put && with < pad->v[k]) {
			buffer_format(out, "%s%ld", out->size ? "," : "", with);
			put = true;
		}
		if (pad->v[k] != without)
			buffer_format(out, "%s%ld", out->size ? "," : "", pad->v[k]);
	}
	if (!put)
		buffer_format(out, "%s%ld", out->size ? "," : "", with);
	if (!out->size)
		buffer_text(out, "none");
}

/* The key under the cursor: its column, or its row where rows are keys. */
static bool cursor_key(const struct state *s, size_t *key)
{
	enum array a = state_array(s);

	if (state_is_grid(s))
		*key = s->column;
	else if (state_stage(s) == STAGE_INPUT && (a == ARRAY_K || a == ARRAY_V || (a == ARRAY_X && s->problem->n_q == s->problem->n_k)))
		*key = s->row;
	else
		return false;
	return *key < s->problem->n_k;
}

void act_pad_key(struct state *s, const struct call *call)
{
	const struct options *o = &s->now.options;
	struct buffer list = { 0 };
	char hidden[64];
	size_t key;

	if (act_weights_given(s, call->by))
		return;
	if (!cursor_key(s, &key)) {
		state_say(s, true, "%s: no key is under the cursor on this stage; stages 1 to 4 have them", call->by);
		return;
	}
	bool in_list = list_has(&o->pad, (long)key), remove = in_list && o->pad_mask;
	pad_text(&o->pad, remove ? (long)key : -1, in_list ? -1 : (long)key, &list);
	if (list.data && state_change(s, call->by, (const char *const[]){ "pad", list.data, "pad-mask", "on", NULL })) {
		act_hidden_text(s, hidden, sizeof hidden);
		state_say(s, false, "%s: key %zu is %s padding%s", call->by, key, remove ? _("no longer") : _("now"), hidden);
	}
	buffer_free(&list);
}

void act_pad_mask(struct state *s, const struct call *call)
{
	bool on = !s->now.options.pad_mask;
	char hidden[64];

	if (act_weights_given(s, call->by) || !act_change(s, call->by, "pad-mask", on ? "on" : "off"))
		return;
	act_hidden_text(s, hidden, sizeof hidden);
	if (!s->now.options.pad.n)
		state_say(s, false, "%s: padding mask %s, but no key is padding yet; p marks the one under the cursor",
			  call->by, on ? "on" : "off");
	else
		state_say(s, false, "%s: padding mask %s%s", call->by, on ? "on" : _("off, pad tokens get weight"), hidden);
}

void act_scale(struct state *s, const struct call *call)
{
	struct buffer now = { 0 };

	if (act_weights_given(s, call->by))
		return;
	option_text(&s->now.options, OPT_SCALE, &now);
	bool off = now.data && !strcmp(now.data, "none");
	if (!off)
		snprintf(s->last_scale, sizeof s->last_scale, "%s", now.data ? now.data : "sqrt");
	buffer_free(&now);
	if (act_change(s, call->by, "scale", off ? s->last_scale : "none"))
		act_say_scale(s, call->by, "");
}

/* The word after the present one in a cycle; the first when it is not in it. */
static const char *next_in(const struct state *s, enum option o, const char *const *cycle)
{
	struct buffer now = { 0 };
	const char *next = cycle[0];

	option_text(&s->now.options, o, &now);
	for (int i = 0; now.data && cycle[i]; i++)
		if (!strcmp(cycle[i], now.data))
			next = cycle[i + 1] ? cycle[i + 1] : cycle[0];
	buffer_free(&now);
	return next;
}

void act_next_scale(struct state *s, const struct call *call)
{
	static const char *const cycle[] = { "sqrt", "none", "dk", "dmodel", NULL };
	static const char *const without_model[] = { "sqrt", "none", "dk", NULL };
	bool has_model = s->problem->d_model || s->now.options.d_model > 0;
	const char *rule = next_in(s, OPT_SCALE, has_model ? cycle : without_model);
	char lead[32];

	if (act_weights_given(s, call->by) || !act_change(s, call->by, "scale", rule))
		return;
	snprintf(lead, sizeof lead, _("scale %s: "), rule);
	act_say_scale(s, call->by, lead);
}

void act_next_fill(struct state *s, const struct call *call)
{
	static const char *const cycle[] = { "-inf", "-1000000000", "min", "0", NULL };
	const char *fill = next_in(s, OPT_FILL, cycle);
	char number[NUMBER_SIZE];

	if (act_weights_given(s, call->by) || !act_change(s, call->by, "fill", fill))
		return;
	number_plain(s->grid.attention.fill, number);
	state_say(s, false, "%s: hidden cells are filled with %s%s%s", call->by, number,
		  strcmp(fill, "0") ? "" : _(": e^0 is 1, so they still get weight"),
		  s->now.options.mask_at == MASK_BEFORE ? "" : _(" (not used: the mask is applied after softmax)"));
}

void act_next_empty_row(struct state *s, const struct call *call)
{
	static const char *const cycle[] = { "literal", "zero", "uniform", NULL };
	static const char *const meaning[] = { N_("what the arithmetic gives"), N_("weights 0"), N_("equal weights") };
	const char *policy = next_in(s, OPT_EMPTY_ROW, cycle);

	if (!act_weights_given(s, call->by) && act_change(s, call->by, "empty-row", policy))
		state_say(s, false, "%s: a fully masked row is %s: %s", call->by, policy, _(meaning[s->now.options.empty_row]));
}

static void rule_names(rules r, char *out, size_t size)
{
	out[0] = '\0';
	for (int k = 0; k < RULE_COUNT; k++)
		if (r & (1u << k)) {
			size_t n = strlen(out);
			snprintf(out + n, size - n, "%s%s", n ? _(" and ") : "", mask_rule_name(k));
		}
}

static void cells_text(const struct list *cells, long row, long column, bool remove, struct buffer *out)
{
	for (size_t k = 0; k < cells->n; k += 2)
		if (!remove || cells->v[k] != row || cells->v[k + 1] != column)
			buffer_format(out, "%s%ld:%ld", out->size ? "," : "", cells->v[k], cells->v[k + 1]);
	if (!remove)
		buffer_format(out, "%s%ld:%ld", out->size ? "," : "", row, column);
	if (!out->size)
		buffer_text(out, "none");
}

void act_hide_cell(struct state *s, const struct call *call)
{
	struct buffer list = { 0 };
	char names[100];

	if (act_weights_given(s, call->by))
		return;
	if (!state_is_grid(s)) {
		state_say(s, true, "%s: cells are hidden on stages 1 to 4", call->by);
		return;
	}
	const struct row *r = grid_row(&s->grid, s->row, STAGE_WEIGHTS);
	bool mine = list_has_cell(&s->now.options.hide, (long)s->row, (long)s->column);
	rules others = r->rules[s->column] & (rules)~RULE_HIDE;
	if (!mine && mask_hides(others)) {
		rule_names(others, names, sizeof names);
		state_say(s, false, "%s: this cell is hidden already, by %s", call->by, names);
		return;
	}
	cells_text(&s->now.options.hide, (long)s->row, (long)s->column, mine, &list);
	if (list.data && act_change(s, call->by, "hide", list.data)) {
		rules now = grid_row(&s->grid, s->row, STAGE_WEIGHTS)->rules[s->column];
		rule_names(now, names, sizeof names);
		const char *what = mine ? mask_hides(now) ? _("is out of hide, but still hidden by ") : _("is shown again")
				 : mask_hides(now) ? _("is hidden")
				 : now & RULE_KEPT ? _("is in hide now, but keep shows it") : _("is in hide now, but mask-invert shows it");
		state_say(s, false, "%s: cell %zu:%zu %s%s", call->by, s->row, s->column, what, mine && mask_hides(now) ? names : "");
	}
	buffer_free(&list);
}
