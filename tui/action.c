/* action.c - what each command does to the state. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/scenario_yaml.h"
#include "core/message.h"
#include "core/number.h"
#include "tui/compare.h"
#include "tui/export.h"
#include "tui/layout.h"
#include "tui/panel_lesson.h"
#include "tui/state.h"
#include "tui/text.h"
#include "tui/view.h"

/* ---- sentences ---- */

static void say_error(struct state *s, const char *by, const struct error *e)
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
static void hidden_text(struct state *s, char *out, size_t size)
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

static void say_scale(struct state *s, const char *by, const char *lead)
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

/* ---- changing options ---- */

static bool is_mask_option(enum option o)
{
	return option_info(o)->group == GROUP_HIDING;
}

bool state_change(struct state *s, const char *by, const char *const *pairs)
{
	struct snapshot next = { 0 };
	struct error e = { 0 };

	if (snapshot_copy(&next, &s->now, &e)) {
		say_error(s, by, &e);
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
	if (state_adopt(s, &next, &e)) {
		say_error(s, by, &e);
		snapshot_free(&next);
		return false;
	}
	return true;
}

static bool change_one(struct state *s, const char *by, const char *name, const char *value)
{
	return state_change(s, by, (const char *const[]){ name, value, NULL });
}

void state_set_option(struct state *s, enum option which, const char *value, const char *by)
{
	char hidden[64] = "";
	struct buffer now = { 0 };

	if (!change_one(s, by, option_info(which)->name, value))
		return;
	if (which == OPT_SCALE) {
		say_scale(s, by, "");
		return;
	}
	if (is_mask_option(which))
		hidden_text(s, hidden, sizeof hidden);
	option_text(&s->now.options, which, &now);
	if (which == OPT_MASK && s->problem->mask_note[0])
		state_say(s, false, "%s: %s%s", by, s->problem->mask_note, hidden);
	else
		state_say(s, false, "%s %s%s", option_info(which)->name, now.data ? now.data : "", hidden);
	s->sentence_whole = which == OPT_MASK;
	buffer_free(&now);
}

/* ---- switches ---- */

static bool weights_given(struct state *s, const char *by)
{
	if (s->problem->source != SOURCE_WEIGHTS)
		return false;
	state_say(s, true, "%s: finished weights are given; masks and scale come before them", by);
	return true;
}

static void toggle_causal(struct state *s, const char *by)
{
	bool on = !s->now.options.causal;
	char hidden[64];

	if (weights_given(s, by) || !change_one(s, by, "causal", on ? "on" : "off"))
		return;
	hidden_text(s, hidden, sizeof hidden);
	state_say(s, false, "%s: causal mask %s%s", by,
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

static void toggle_pad_key(struct state *s, const char *by)
{
	const struct options *o = &s->now.options;
	struct buffer list = { 0 };
	char hidden[64];
	size_t key;

	if (weights_given(s, by))
		return;
	if (!cursor_key(s, &key)) {
		state_say(s, true, "%s: no key is under the cursor on this stage; stages 1 to 4 have them", by);
		return;
	}
	bool in_list = list_has(&o->pad, (long)key), remove = in_list && o->pad_mask;
	pad_text(&o->pad, remove ? (long)key : -1, in_list ? -1 : (long)key, &list);
	if (list.data && state_change(s, by, (const char *const[]){ "pad", list.data, "pad-mask", "on", NULL })) {
		hidden_text(s, hidden, sizeof hidden);
		state_say(s, false, "%s: key %zu is %s padding%s", by, key, remove ? _("no longer") : _("now"), hidden);
	}
	buffer_free(&list);
}

static void toggle_pad_mask(struct state *s, const char *by)
{
	bool on = !s->now.options.pad_mask;
	char hidden[64];

	if (weights_given(s, by) || !change_one(s, by, "pad-mask", on ? "on" : "off"))
		return;
	hidden_text(s, hidden, sizeof hidden);
	if (!s->now.options.pad.n)
		state_say(s, false, "%s: padding mask %s, but no key is padding yet; p marks the one under the cursor",
			  by, on ? "on" : "off");
	else
		state_say(s, false, "%s: padding mask %s%s", by, on ? "on" : _("off, pad tokens get weight"), hidden);
}

static void toggle_scale(struct state *s, const char *by)
{
	struct buffer now = { 0 };

	if (weights_given(s, by))
		return;
	option_text(&s->now.options, OPT_SCALE, &now);
	bool off = now.data && !strcmp(now.data, "none");
	if (!off)
		snprintf(s->last_scale, sizeof s->last_scale, "%s", now.data ? now.data : "sqrt");
	buffer_free(&now);
	if (change_one(s, by, "scale", off ? s->last_scale : "none"))
		say_scale(s, by, "");
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

static void next_scale(struct state *s, const char *by)
{
	static const char *const cycle[] = { "sqrt", "none", "dk", "dmodel", NULL };
	static const char *const without_model[] = { "sqrt", "none", "dk", NULL };
	bool has_model = s->problem->d_model || s->now.options.d_model > 0;
	const char *rule = next_in(s, OPT_SCALE, has_model ? cycle : without_model);
	char lead[32];

	if (weights_given(s, by) || !change_one(s, by, "scale", rule))
		return;
	snprintf(lead, sizeof lead, _("scale %s: "), rule);
	say_scale(s, by, lead);
}

static void next_fill(struct state *s, const char *by)
{
	static const char *const cycle[] = { "-inf", "-1000000000", "min", "0", NULL };
	const char *fill = next_in(s, OPT_FILL, cycle);
	char number[NUMBER_SIZE];

	if (weights_given(s, by) || !change_one(s, by, "fill", fill))
		return;
	number_plain(s->grid.attention.fill, number);
	state_say(s, false, "%s: hidden cells are filled with %s%s%s", by, number,
		  strcmp(fill, "0") ? "" : _(": e^0 is 1, so they still get weight"),
		  s->now.options.mask_at == MASK_BEFORE ? "" : _(" (not used: the mask is applied after softmax)"));
}

static void next_empty_row(struct state *s, const char *by)
{
	static const char *const cycle[] = { "literal", "zero", "uniform", NULL };
	static const char *const meaning[] = { N_("what the arithmetic gives"), N_("weights 0"), N_("equal weights") };
	const char *policy = next_in(s, OPT_EMPTY_ROW, cycle);

	if (!weights_given(s, by) && change_one(s, by, "empty-row", policy))
		state_say(s, false, "%s: a fully masked row is %s: %s", by, policy, _(meaning[s->now.options.empty_row]));
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

static void toggle_cell(struct state *s, const char *by)
{
	struct buffer list = { 0 };
	char names[100];

	if (weights_given(s, by))
		return;
	if (!state_is_grid(s)) {
		state_say(s, true, "%s: cells are hidden on stages 1 to 4", by);
		return;
	}
	const struct row *r = grid_row(&s->grid, s->row, STAGE_WEIGHTS);
	bool mine = list_has_cell(&s->now.options.hide, (long)s->row, (long)s->column);
	rules others = r->rules[s->column] & (rules)~RULE_HIDE;
	if (!mine && mask_hides(others)) {
		rule_names(others, names, sizeof names);
		state_say(s, false, "%s: this cell is hidden already, by %s", by, names);
		return;
	}
	cells_text(&s->now.options.hide, (long)s->row, (long)s->column, mine, &list);
	if (list.data && change_one(s, by, "hide", list.data)) {
		rules now = grid_row(&s->grid, s->row, STAGE_WEIGHTS)->rules[s->column];
		rule_names(now, names, sizeof names);
		const char *what = mine ? mask_hides(now) ? _("is out of hide, but still hidden by ") : _("is shown again")
				 : mask_hides(now) ? _("is hidden")
				 : now & RULE_KEPT ? _("is in hide now, but keep shows it") : _("is in hide now, but mask-invert shows it");
		state_say(s, false, "%s: cell %zu:%zu %s%s", by, s->row, s->column, what, mine && mask_hides(now) ? names : "");
	}
	buffer_free(&list);
}

/* ---- editing ---- */

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
	return matrix_row(m, edit->row)[edit->column];
}

static void put_edit(struct state *s, const struct edit *edit, const char *by)
{
	struct snapshot next = { 0 };
	struct error e = { 0 };
	char number[NUMBER_SIZE];

	if (snapshot_copy(&next, &s->now, &e) || edits_put(&next.edits, *edit, &e) || state_adopt(s, &next, &e)) {
		say_error(s, by, &e);
		snapshot_free(&next);
		return;
	}
	number_plain(edit->value, number);
	state_say(s, false, "%s: %s %zu:%zu is %s now", by, array_name(edit->array), edit->row, edit->column, number);
}

static void nudge(struct state *s, double direction, const char *by)
{
	struct edit edit;

	if (!edit_target(s, &edit, by))
		return;
	/* Steps of 0.1 should end on tenths, as typed by hand: cut the noise of the sum. */
	double old = edited_value(s, &edit), step = s->now.options.step.number, value = old + direction * step;
	double neat = round(value * 1e12) / 1e12, noise = 4 * DBL_EPSILON * (fabs(old) + step);
	edit.value = fabs(neat - value) <= noise ? neat : value;
	put_edit(s, &edit, by);
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

static void clear_edit(struct state *s, const char *by)
{
	struct snapshot next = { 0 };
	struct edit edit;
	struct error e = { 0 };

	if (!edit_target(s, &edit, by))
		return;
	if (snapshot_copy(&next, &s->now, &e)) {
		say_error(s, by, &e);
		return;
	}
	if (!edits_remove(&next.edits, edit.array, edit.head, edit.row, edit.column)) {
		state_say(s, false, "%s: this cell was not edited", by);
		snapshot_free(&next);
	} else if (state_adopt(s, &next, &e)) {
		say_error(s, by, &e);
		snapshot_free(&next);
	} else {
		state_say(s, false, "%s: %s %zu:%zu has its own value again", by, array_name(edit.array), edit.row, edit.column);
	}
}

static void change_temperature(struct state *s, double factor, const char *by)
{
	char number[NUMBER_SIZE];
	double t = s->now.options.temperature.number * factor;

	if (weights_given(s, by))
		return;
	t = round(t * 1e6) / 1e6;
	if (fabs(t - 1) < 0.01)
		t = 1;
	number_plain(t < 0.001 ? 0.001 : t > 1e6 ? 1e6 : t, number);
	if (change_one(s, by, "temperature", number))
		state_say(s, false, "%s: temperature %s: scaled scores are divided by it, the weights get %s", by, number,
			  factor < 1 ? _("sharper") : _("flatter"));
}

static void change_digits(struct state *s, int step, const char *by)
{
	int precision = state_precision(s) + step;
	char number[16];

	if (precision < 0 || precision > 17) {
		state_say(s, true, "%s: between 0 and 17 digits can be shown", by);
		return;
	}
	snprintf(number, sizeof number, "%d", precision);
	if (change_one(s, by, "precision", number))
		state_say(s, false, "%s: %d digits after the point; nothing is computed otherwise", by, precision);
}

/* ---- stages, heads ---- */

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
	if (change_one(s, by, "stage", stage_info(stage)->name))
		say_stage(s, by);
}

static void show_input(struct state *s, const char *by)
{
	static const char *const stage[] = { "stage", "input", NULL };
	enum array a = state_array(s);

	if (state_stage(s) == STAGE_INPUT) {
		for (int k = 1; k <= ARRAY_COUNT; k++) {
			enum array next = (enum array)(((int)a + k) % ARRAY_COUNT);
			if (s->problem->array[next].n && !(next == ARRAY_V && s->problem->identity_v)) {
				if (change_one(s, by, "array", array_name(next)))
					say_stage(s, by);
				return;
			}
		}
	}
	if (state_change(s, by, stage))
		say_stage(s, by);
}

static void step_stage(struct state *s, int step, const char *by)
{
	int stage = (int)state_stage(s);

	do
		stage = (stage + step + STAGE_COUNT) % STAGE_COUNT;
	while (!stage_exists(s, (enum stage)stage));
	show_stage(s, (enum stage)stage, by);
}

static void step_head(struct state *s, int step, const char *by)
{
	size_t heads = s->problem->heads;
	char number[32];

	if (heads == 1) {
		state_say(s, false, "%s: there is only one head", by);
		return;
	}
	size_t head = (s->grid.attention.head + heads + (size_t)(step + (int)heads)) % heads;
	snprintf(number, sizeof number, "%zu", head);
	if (change_one(s, by, "head", number))
		state_say(s, false, "%s: head %zu of %zu, counted from 0", by, head, heads);
}

/* ---- going back ---- */

/* Names what differs between two snapshots, for undo's sentence. */
static void difference_text(const struct state *s, const struct snapshot *a, char *out, size_t size)
{
	struct buffer b = { 0 };

	if (a->scenario != s->now.scenario) {
		snprintf(out, size, _("scenario %s"), state_scenario(s)->name);
		return;
	}
	for (int o = 0; o < OPT_COUNT; o++)
		if (!option_same(&a->options, &s->now.options, (enum option)o)) {
			buffer_format(&b, "%s%s ", b.size ? ", " : "", option_info((enum option)o)->name);
			option_text(&s->now.options, (enum option)o, &b);
		}
	if (!edits_equal(&a->edits, &s->now.edits))
		buffer_format(&b, _("%san edit (%zu %s edited now)"), b.size ? ", " : "", s->now.edits.n,
			      s->now.edits.n == 1 ? _("number is") : _("numbers are"));
	snprintf(out, size, "%s", b.data ? b.data : "");
	buffer_free(&b);
}

static void travel(struct state *s, bool back, const char *by)
{
	struct history *from = back ? &s->undo : &s->redo, *to = back ? &s->redo : &s->undo;
	struct error e = { 0 };
	char what[200];

	if (!from->n)
		state_say(s, false, "%s: nothing to %s", by, back ? _("undo") : _("redo"));
	else if (!state_travel(s, from, to, &e))
		say_error(s, by, &e);
	else {
		difference_text(s, &to->v[to->n - 1], what, sizeof what);
		state_say(s, false, "%s: %s: %s", by, back ? _("undone") : _("made again"), what);
	}
}

static void reset(struct state *s, const char *by)
{
	struct snapshot next = { .scenario = s->now.scenario };
	const struct opened *one = s->opened[s->now.scenario];
	struct error e = { 0 };
	size_t before = s->undo.n;

	if (options_copy(&next.options, &one->options, &e) || edits_copy(&next.edits, &one->scenario.edits, &e) ||
	    state_adopt(s, &next, &e)) {
		say_error(s, by, &e);
		snapshot_free(&next);
		return;
	}
	state_say(s, false, s->undo.n > before ? "%s: %s as it was opened; u brings the changes back"
					       : "%s: %s is as it was opened", by, one->scenario.name);
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

static void next_seed(struct state *s, const char *by)
{
	const struct scenario *sc = state_scenario(s);
	const char *seed = *s->now.options.seed ? s->now.options.seed : sc->random.seed;
	char *next;

	if (sc->source != SOURCE_RANDOM) {
		state_say(s, true, "%s: this input is given, not random; o opens random-4, :tokens makes random input", by);
		return;
	}
	if (!(next = state_next_number(seed)))
		return;
	if (change_one(s, by, "seed", next))
		state_say(s, false, "%s: seed %.100s, as numpy.random.default_rng(%.100s) draws it", by, next, next);
	free(next);
}

/* ---- bookmarks ---- */

static void mark(struct state *s, const char *digit, const char *by)
{
	struct error e = { 0 };
	struct snapshot copy = { 0 };

	if (!*digit) {
		s->mode = MODE_MARK;
		state_say(s, false, "%s: press 1 to 9 to bookmark this state", by);
		return;
	}
	if (digit[0] < '1' || digit[0] > '9' || digit[1]) {
		state_say(s, true, "%s: bookmarks are 1 to 9", by);
		return;
	}
	struct bookmark *b = &s->bookmark[digit[0] - '1'];
	if (snapshot_copy(&copy, &s->now, &e)) {
		say_error(s, by, &e);
		return;
	}
	snapshot_free(&b->snapshot);
	*b = (struct bookmark){ true, copy, s->row, s->column };
	state_say(s, false, "%s%s: bookmarked; '%s goes back to it", by, digit, digit);
}

static void recall(struct state *s, const char *digit, const char *by)
{
	struct error e = { 0 };
	struct snapshot next = { 0 };

	if (!*digit) {
		s->mode = MODE_RECALL;
		state_say(s, false, "%s: press 1 to 9 to go to that bookmark", by);
		return;
	}
	if (digit[0] < '1' || digit[0] > '9' || digit[1] || !s->bookmark[digit[0] - '1'].set) {
		state_say(s, true, "%s%s: no such bookmark; M and a digit set one", by, digit);
		return;
	}
	struct bookmark *b = &s->bookmark[digit[0] - '1'];
	if (snapshot_copy(&next, &b->snapshot, &e)) {
		say_error(s, by, &e);
		return;
	}
	if (state_adopt(s, &next, &e)) {
		say_error(s, by, &e);
		snapshot_free(&next);
		return;
	}
	s->row = b->row;
	s->column = b->column;
	state_say(s, false, "%s%s: bookmark %s", by, digit, digit);
}

/* ---- scenarios ---- */

enum status state_starting_options(const struct state *s, const struct options *set, struct options *out, struct error *e)
{
	static const enum option kept[] = { OPT_THEME, OPT_COLOR, OPT_LANG, OPT_ASCII, OPT_PRECISION, OPT_STEP };
	enum status status = options_copy(out, set, e);

	for (size_t k = 0; k < sizeof kept / sizeof *kept && !status; k++) {
		struct buffer value = { 0 };
		if (!option_is_default(set, kept[k]))
			continue;
		option_text(&s->now.options, kept[k], &value);
		if (value.data)
			status = option_set(out, kept[k], value.data, e);
		buffer_free(&value);
		if (status)
			options_free(out);
	}
	return status;
}

/* Shows a new scenario (taken over) with these options. */
static bool show_scenario(struct state *s, struct scenario *sc, const struct options *o, const char *by)
{
	struct snapshot next = { 0 };
	struct error e = { 0 };
	size_t before = s->opened_n;

	if (options_copy(&next.options, o, &e) || edits_copy(&next.edits, &sc->edits, &e) ||
	    state_add_scenario(s, sc, o, &next.scenario, &e) || state_adopt(s, &next, &e)) {
		say_error(s, by, &e);
		if (s->opened_n > before)
			state_drop_scenario(s);
		snapshot_free(&next);
		scenario_free(sc);
		return false;
	}
	return true;
}

bool state_open(struct state *s, const char *input, const char *by)
{
	struct scenario sc;
	struct options o;
	struct error e = { 0 };
	bool shown;

	if (!*input) {
		state_say(s, true, "%s: a name is expected; o shows the scenarios", by);
		return false;
	}
	if (s->ports.open(&sc, input, s->tables, &e)) {
		say_error(s, by, &e);
		return false;
	}
	if (state_starting_options(s, &sc.set, &o, &e)) {
		say_error(s, by, &e);
		scenario_free(&sc);
		return false;
	}
	if ((shown = show_scenario(s, &sc, &o, by))) {
		state_set_source(s, input);
		s->row = s->column = s->top = s->left = 0;
		const char *title = title_in(&state_scenario(s)->title, message_in_force());
		state_say(s, false, "%s: %s%s%s", by, state_scenario(s)->name, *title ? ": " : "", title);
	}
	options_free(&o);
	return shown;
}

static void read_lesson_titles(struct state *s)
{
	size_t n = s->ports.lesson_count();

	s->picker.lesson_titles = calloc(n + 1, sizeof *s->picker.lesson_titles);
	for (size_t i = 0; s->picker.lesson_titles && i < n; i++) {
		struct lesson l;
		struct error e = { 0 };
		if (s->ports.lesson(&l, s->ports.lesson_name(i), &e))
			continue;
		s->picker.lesson_titles[i] = strdup(title_in(&l.title, message_in_force()));
		lesson_free(&l);
	}
}

static void read_titles(struct state *s)
{
	size_t n = s->ports.builtin_count();

	s->picker.titles = calloc(n + 1, sizeof *s->picker.titles);
	for (size_t i = 0; s->picker.titles && i < n; i++) {
		struct scenario sc;
		struct error e = { 0 };
		if (s->ports.open(&sc, s->ports.builtin_name(i), NULL, &e))
			continue;
		s->picker.titles[i] = strdup(title_in(&sc.title, message_in_force()));
		scenario_free(&sc);
	}
}

size_t state_picker_rows(const struct state *s)
{
	return s->picker.lessons ? s->ports.lesson_count() : s->ports.builtin_count();
}

const char *state_picker_name(const struct state *s, size_t i)
{
	return s->picker.lessons ? s->ports.lesson_name(i) : s->ports.builtin_name(i);
}

void state_open_picker(struct state *s, bool lessons)
{
	const char *now = !lessons ? state_scenario(s)->name : s->lesson ? s->lesson->lesson.name : "";

	s->mode = MODE_PICKER;
	s->picker.lessons = lessons;
	s->picker.chosen = s->picker.top = 0;
	if (lessons && !s->picker.lesson_titles)
		read_lesson_titles(s);
	if (!lessons && !s->picker.titles)
		read_titles(s);
	for (size_t i = 0; i < state_picker_rows(s); i++)
		if (!strcmp(state_picker_name(s, i), now))
			s->picker.chosen = i;
}

/* What the list is of is opened. */
static void pick(struct state *s, size_t row, const char *by)
{
	s->mode = panel_mode(s);
	if (s->picker.lessons)
		lesson_command(s, s->ports.lesson_name(row), by);
	else
		state_open(s, s->ports.builtin_name(row), by);
}

/* Settings that speak of cells, sizes or heads of the old input do not carry over. */
static enum status options_for_tokens(const struct state *s, struct options *out, struct error *e)
{
	static const enum option dropped[] = { OPT_PAD, OPT_DOCUMENTS, OPT_HIDE, OPT_KEEP, OPT_MASK, OPT_BIAS, OPT_HEAD,
					       OPT_N, OPT_D_K, OPT_D_V, OPT_STAGE, OPT_TRANSPOSE };
	enum status status = options_copy(out, &s->now.options, e);

	for (size_t k = 0; k < sizeof dropped / sizeof *dropped && !status; k++) {
		status = option_set(out, dropped[k], option_info(dropped[k])->initial, e);
		if (status)
			options_free(out);
	}
	return status;
}

static void own_tokens(struct state *s, const char *words, const char *by)
{
	struct scenario sc;
	struct options o;
	struct tokens tokens = { 0 };
	struct error e = { 0 };
	enum status status = OK_STATUS;
	const char *seed = *s->now.options.seed ? s->now.options.seed : "0";

	for (const char *p = words; *p && !status;) {
		p += strspn(p, " \t");
		size_t n = strcspn(p, " \t");
		if (n)
			status = tokens_add(&tokens, p, n, &e);
		p += n;
	}
	if (!status && !tokens.n)
		status = error_set(&e, E_VALUE, "words separated by blanks are expected, as in :tokens the cat sat");
	if (!status)
		status = scenario_random(&sc, "tokens", &tokens, tokens.n, seed, &e);
	tokens_free(&tokens);
	if (status) {
		say_error(s, by, &e);
		return;
	}
	if ((status = options_for_tokens(s, &o, &e))) {
		say_error(s, by, &e);
		scenario_free(&sc);
		return;
	}
	if (show_scenario(s, &sc, &o, by)) {
		s->row = s->column = s->top = s->left = 0;
		state_say(s, false, "%s: %zu tokens with Q, K, V drawn from seed %s (d_k 8)", by, s->problem->n_k, seed);
	}
	options_free(&o);
}

/* ---- writing ---- */

static const char *extension(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot && !strchr(dot, '/') ? dot + 1 : "";
}

static enum status fill_file(struct state *s, const char *type, struct buffer *out, struct error *e)
{
	struct cells c;
	struct export_options options = { .theme = state_look(s).theme, .title = state_scenario(s)->name };
	enum status status;

	if (!strcmp(type, "yaml") || !strcmp(type, "yml")) {
		scenario_write(out, state_scenario(s), &s->now.options, &s->now.edits);
		return out->failed ? error_set(e, E_MEMORY, "no memory to write") : OK_STATUS;
	}
	bool svg = !strcmp(type, "svg"), html = !strcmp(type, "html"), ansi = !strcmp(type, "ansi"), text = !strcmp(type, "txt");
	if (!svg && !html && !ansi && !text)
		return error_set(e, E_VALUE, "the file's ending says what is written: .yaml (scenario), .txt, .ansi, .svg or .html (screen)");
	if ((status = cells_init(&c, s->rows, s->columns, e)))
		return status;
	view_draw(s, &c, NULL);
	if (svg)
		export_svg(&c, &options, out);
	else if (html)
		export_html(&c, &options, out);
	else if (ansi)
		export_ansi(&c, out);
	else
		export_text(&c, out);
	cells_free(&c);
	return out->failed ? error_set(e, E_MEMORY, "no memory to write") : OK_STATUS;
}

static void write_file(struct state *s, const char *name, bool replace, const char *by)
{
	struct buffer out = { 0 };
	struct error e = { 0 };
	enum status status;

	if (!*name)
		status = error_set(&e, E_VALUE, "a file name is expected, as in :w lesson.yaml");
	else if (!(status = fill_file(s, extension(name), &out, &e)))
		status = s->ports.write(name, out.data ? out.data : "", out.size, replace, &e);
	if (status)
		say_error(s, by, &e);
	else
		state_say(s, false, "%s: wrote %s (%zu bytes)", by, name, out.size);
	buffer_free(&out);
}

static void quote(struct buffer *out, const char *word)
{
	if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.,:/+")]) {
		buffer_text(out, word);
		return;
	}
	buffer_text(out, "'");
	for (; *word; word++)
		buffer_format(out, *word == '\'' ? "'\\''" : "%c", *word);
	buffer_text(out, "'");
}

static bool is_builtin(const struct state *s, const char *name)
{
	for (size_t i = 0; i < s->ports.builtin_count(); i++)
		if (!strcmp(s->ports.builtin_name(i), name))
			return true;
	return false;
}

/* The INPUT that opens the scenario in force, or NULL when none does. */
static const char *source(const struct state *s)
{
	const struct opened *one = s->opened[s->now.scenario];

	if (!one->source)
		return is_builtin(s, one->scenario.name) ? one->scenario.name : NULL;
	return strcmp(one->source, "-") ? one->source : NULL;
}

bool state_command_line(const struct state *s, struct buffer *out)
{
	const struct scenario *sc = state_scenario(s);
	const char *input = source(s);

	buffer_text(out, "qkv ");
	/* A file beside which a name or a command of the program would be read. */
	buffer_text(out, !input || strchr(input, '/') || is_builtin(s, input) ? "" : "./");
	quote(out, input ? input : "INPUT");
	for (int o = 0; o < OPT_COUNT; o++)
		if (!option_same(&s->now.options, &sc->set, (enum option)o)) {
			struct buffer word = { 0 };
			buffer_format(&word, "--%s=", option_info((enum option)o)->name);
			option_text(&s->now.options, (enum option)o, &word);
			buffer_text(out, " ");
			quote(out, word.data ? word.data : "");
			buffer_free(&word);
		}
	return input && !s->now.edits.n;
}

static void say_command_line(struct state *s, const char *by)
{
	struct buffer line = { 0 };
	bool whole = state_command_line(s, &line);

	if (whole)
		state_say(s, false, "%s: %s", by, line.data ? line.data : "");
	else
		state_say(s, false, "%s: %s; %s :w FILE.yaml", by, line.data ? line.data : "",
			  source(s) ? _("edited numbers need a file,") : _("this input needs a file,"));
	s->sentence_whole = true;
	buffer_free(&line);
}

/* ---- finding ---- */

static bool token_matches(const char *token, const char *wanted)
{
	char *a = text_nfc(token, strlen(token)), *b = text_nfc(wanted, strlen(wanted));
	bool found = a && b && strstr(a, b);

	free(a);
	free(b);
	return found;
}

/* Places are the shown rows, then the shown columns. */
static bool place_matches(const struct state *s, size_t place, size_t rows, const char *wanted)
{
	char scratch[32];

	return token_matches(place < rows ? state_row_label(s, place, scratch)
					  : state_column_label(s, place - rows, scratch), wanted);
}

static void find(struct state *s, const char *wanted, int step, const char *by)
{
	size_t rows, columns, place;
	bool same = s->problem->n_q == s->problem->n_k && state_is_grid(s);

	if (*wanted) {
		free(s->found);
		s->found = strdup(wanted);
		s->found_column = false;
	}
	if (!s->found) {
		state_say(s, true, "%s: nothing was searched for yet; / and a token finds it", by);
		return;
	}
	state_shape(s, &rows, &columns);
	size_t all = same ? rows : rows + columns;
	place = !same && s->found_column ? rows + s->column : s->row;
	for (size_t k = 0; k < all; k++) {
		place = (place + (step > 0 ? 1 : all - 1)) % all;
		if (!place_matches(s, place, rows, s->found))
			continue;
		s->found_column = place >= rows;
		if (place < rows)
			s->row = place;
		if (place >= rows)
			s->column = place - rows;
		else if (same)
			s->column = place;
		state_say(s, false, "%s: '%s' is %s %zu", by, s->found, place < rows ? _("row") : _("column"), place < rows ? place : place - rows);
		return;
	}
	state_say(s, true, "%s: no token has '%s' in it", by, s->found);
}

/* ---- pictures ---- */

static void next_zoom(struct state *s, const char *by)
{
	static const char *const name[] = { N_("normal"), N_("large"), N_("small: colours only") };

	s->zoom = (enum zoom)((s->zoom + 1) % ZOOM_COUNT);
	state_say(s, false, "%s: %s cells", by, _(name[s->zoom]));
}

static void next_theme(struct state *s, const char *by)
{
	bool light = state_look(s).theme == THEME_DARK;

	if (change_one(s, by, "theme", light ? "light" : "dark"))
		state_say(s, false, "%s: colours for a %s terminal", by, light ? _("light") : _("dark"));
}

static void toggle_color(struct state *s, const char *by)
{
	bool off = state_look(s).depth != DEPTH_NONE;

	if (!off && s->look.depth == DEPTH_NONE) {
		state_say(s, true, "%s: this terminal has no colours (or NO_COLOR is set); --color overrides that", by);
		return;
	}
	if (change_one(s, by, "color", off ? "never" : "auto"))
		state_say(s, false, "%s: colour %s", by, off ? _("off; shades and marks carry it") : "on");
}

/* ---- moving ---- */

static void move(struct state *s, enum command c)
{
	struct layout l;
	size_t rows, columns, page;

	state_shape(s, &rows, &columns);
	layout_make(&l, s);
	page = l.visible_rows > 1 ? l.visible_rows - 1 : 1;
	switch (c) {
	case CMD_UP:
		s->row -= s->row > 0;
		break;
	case CMD_DOWN:
		s->row += s->row + 1 < rows;
		break;
	case CMD_LEFT:
		s->column -= s->column > 0;
		break;
	case CMD_RIGHT:
		s->column += s->column + 1 < columns;
		break;
	case CMD_ROW_START:
		s->column = 0;
		break;
	case CMD_ROW_END:
		s->column = columns - 1;
		break;
	case CMD_PAGE_UP:
		s->row -= s->row < page ? s->row : page;
		break;
	case CMD_PAGE_DOWN:
		s->row += rows - 1 - s->row < page ? rows - 1 - s->row : page;
		break;
	case CMD_FIRST:
		s->row = 0;
		break;
	default:
		s->row = rows - 1;
		break;
	}
}

static void move_picker(struct state *s, enum command c, const char *by)
{
	size_t n = state_picker_rows(s);

	if (c == CMD_UP)
		s->picker.chosen = (s->picker.chosen + n - 1) % n;
	else if (c == CMD_DOWN)
		s->picker.chosen = (s->picker.chosen + 1) % n;
	else if (c == CMD_FIRST || c == CMD_PAGE_UP || c == CMD_ROW_START)
		s->picker.chosen = 0;
	else if (c == CMD_LAST || c == CMD_PAGE_DOWN || c == CMD_ROW_END)
		s->picker.chosen = n - 1;
	else if (c == CMD_EDIT)
		pick(s, s->picker.chosen, by);
}

static void move_help(struct state *s, enum command c)
{
	size_t page = s->rows > 6 ? (size_t)s->rows - 5 : 1;

	if (c == CMD_UP && s->help_top)
		s->help_top--;
	else if (c == CMD_DOWN)
		s->help_top++;
	else if (c == CMD_PAGE_UP)
		s->help_top -= s->help_top < page ? s->help_top : page;
	else if (c == CMD_PAGE_DOWN)
		s->help_top += page;
	else if (c == CMD_FIRST || c == CMD_ROW_START)
		s->help_top = 0;
	else if (c == CMD_LAST || c == CMD_ROW_END)
		s->help_top = (size_t)-1;	/* the view brings it back into range */
	size_t last = view_help_lines(s);
	last = last > page ? last - page : 0;
	if (s->help_top > last)
		s->help_top = last;
}

/* Rows of the picker carry letters; those choose at once. */
bool state_pick(struct state *s, uint32_t letter)
{
	size_t row;

	if (!panel_letter_row(letter, state_picker_rows(s), &row))
		return false;
	pick(s, row, s->picker.lessons ? "L" : "o");
	return true;
}

/* ---- dispatch ---- */

static unsigned leave_or_close(struct state *s, enum command c)
{
	if (s->mode == MODE_HELP || s->mode == MODE_PICKER) {
		if (c == CMD_QUIT || c == CMD_CLOSE || c == CMD_HELP || c == CMD_OPEN_PICKER || c == CMD_LESSON) {
			if (s->mode == MODE_HELP)	/* what it said of itself */
				s->sentence[0] = '\0';
			s->mode = panel_mode(s);
			return 0;
		}
	}
	return c == CMD_QUIT ? EFFECT_QUIT : 0;
}

static void run_in_prompt_line(struct state *s, enum command c, const char *argument, const char *by)
{
	const char *value = argument + strcspn(argument, " \t");
	char name[64];

	switch (c) {
	case CMD_SET:
		snprintf(name, sizeof name, "%.*s", (int)(value - argument), argument);
		value += strspn(value, " \t");
		if (option_find(name) == OPT_COUNT)
			state_say(s, true, "%s: '%s' is not an option; Tab completes", by, name);
		else
			state_set_option(s, option_find(name), *value ? value : "on", by);
		break;
	case CMD_MOUSE:
		s->mouse = strcmp(argument, "off") != 0;
		state_say(s, false, "%s: the mouse is %s", by, s->mouse ? _("the program's") : _("the terminal's"));
		break;
	default:
		break;
	}
}

unsigned action(struct state *s, enum command c, const char *argument, const char *by)
{
	if (c == CMD_INTERRUPT)
		return EFFECT_INTERRUPT;
	if (c == CMD_SUSPEND)
		return EFFECT_SUSPEND;
	if (c == CMD_REDRAW)
		return EFFECT_REDRAW;
	/* Only the mouse gets here while a line is typed: its cell stays the one it is for. */
	if (s->mode == MODE_PROMPT && c <= CMD_LAST)
		return 0;
	if (s->mode == MODE_HELP || s->mode == MODE_PICKER) {
		enum mode mode = s->mode;
		unsigned effects = leave_or_close(s, c);
		if (s->mode != mode)
			return effects;
		if (mode == MODE_HELP)
			move_help(s, c);
		else
			move_picker(s, c, by);
		return 0;
	}
	if (lesson_takes(s, c, argument, by) || panel_takes(s, c, by))
		return 0;
	switch (c) {
	case CMD_UP: case CMD_DOWN: case CMD_LEFT: case CMD_RIGHT: case CMD_ROW_START: case CMD_ROW_END:
	case CMD_PAGE_UP: case CMD_PAGE_DOWN: case CMD_FIRST: case CMD_LAST:
		move(s, c);
		break;
	case CMD_INPUT: show_input(s, by); break;
	case CMD_SCORES: case CMD_SCALED: case CMD_MASKED: case CMD_WEIGHTS: case CMD_OUTPUT: case CMD_JOINED:
		show_stage(s, (enum stage)(STAGE_SCORES + (c - CMD_SCORES)), by);
		break;
	case CMD_NEXT_STAGE: step_stage(s, 1, by); break;
	case CMD_PREVIOUS_STAGE: step_stage(s, -1, by); break;
	case CMD_CAUSAL: toggle_causal(s, by); break;
	case CMD_PAD_KEY: toggle_pad_key(s, by); break;
	case CMD_PAD_MASK: toggle_pad_mask(s, by); break;
	case CMD_SCALE: toggle_scale(s, by); break;
	case CMD_NEXT_SCALE: next_scale(s, by); break;
	case CMD_HIDE_CELL: toggle_cell(s, by); break;
	case CMD_NEXT_FILL: next_fill(s, by); break;
	case CMD_NEXT_EMPTY_ROW: next_empty_row(s, by); break;
	case CMD_EDIT:
		if (*argument)
			finish_edit(s, argument, by);
		else
			open_edit(s, by);
		break;
	case CMD_MORE: nudge(s, 1, by); break;
	case CMD_LESS: nudge(s, -1, by); break;
	case CMD_CLEAR_EDIT: clear_edit(s, by); break;
	case CMD_COOLER: change_temperature(s, 0.8, by); break;
	case CMD_HOTTER: change_temperature(s, 1.25, by); break;
	case CMD_FEWER_DIGITS: change_digits(s, -1, by); break;
	case CMD_MORE_DIGITS: change_digits(s, 1, by); break;
	case CMD_UNDO: travel(s, true, by); break;
	case CMD_REDO: travel(s, false, by); break;
	case CMD_RESET: reset(s, by); break;
	case CMD_NEXT_SEED: next_seed(s, by); break;
	case CMD_PREVIOUS_HEAD: step_head(s, -1, by); break;
	case CMD_NEXT_HEAD: step_head(s, 1, by); break;
	case CMD_MARK: mark(s, argument, by); break;
	case CMD_RECALL: recall(s, argument, by); break;
	case CMD_PIN: compare_pin(s, by); break;
	case CMD_DIFFERENCE: compare_step(s, by); break;
	case CMD_VERIFY: case CMD_BUG_LAB: case CMD_INFLUENCE: case CMD_GRADIENT: case CMD_SWEEP: case CMD_PREDICT: case CMD_CLINIC:
	case CMD_INSPECT: case CMD_FORWARD:
		panel_command(s, c, argument, by);
		break;
	case CMD_BACKWARD:
		state_say(s, false, "%s: Space begins a walk through the row; then this goes back", by);
		break;
	case CMD_CELL_SIZE: next_zoom(s, by); break;
	case CMD_THEME: next_theme(s, by); break;
	case CMD_COLOR_OFF: toggle_color(s, by); break;
	case CMD_OPEN_PICKER: state_open_picker(s, false); break;
	case CMD_LESSON: lesson_command(s, argument, by); break;
	case CMD_OPEN: state_open(s, argument, by); break;
	case CMD_COMMAND_LINE_TEXT: say_command_line(s, by); break;
	case CMD_EXPORT: prompt_open(s, PROMPT_COMMAND, "w "); break;
	case CMD_WRITE: write_file(s, argument, false, by); break;
	case CMD_WRITE_OVER: write_file(s, argument, true, by); break;
	case CMD_FIND:
		if (*argument)
			find(s, argument, 1, by);
		else
			prompt_open(s, PROMPT_FIND, "");
		break;
	case CMD_FIND_NEXT: find(s, "", 1, by); break;
	case CMD_FIND_PREVIOUS: find(s, "", -1, by); break;
	case CMD_PROMPT: prompt_open(s, PROMPT_COMMAND, ""); break;
	case CMD_HELP:
		s->mode = MODE_HELP;
		s->help_top = 0;
		break;
	case CMD_TOLERANCE: panel_set_tolerance(s, argument, by); break;
	case CMD_TOKENS: own_tokens(s, argument, by); break;
	case CMD_SET: run_in_prompt_line(s, c, argument, by); break;
	case CMD_MOUSE:
		run_in_prompt_line(s, c, argument, by);
		return EFFECT_MOUSE;
	case CMD_CLOSE:
		compare_close(s);
		s->sentence[0] = '\0';
		break;
	case CMD_QUIT:
		return EFFECT_QUIT;
	default:
		break;
	}
	return 0;
}
