/* action_open.c - scenarios, lessons and own tokens. */
#include "tui/action.h"

#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "tui/panel_lesson.h"

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
		act_say_error(s, by, &e);
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
		act_say_error(s, by, &e);
		return false;
	}
	if (state_starting_options(s, &sc.set, &o, &e)) {
		act_say_error(s, by, &e);
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

void act_open(struct state *s, const struct call *call)
{
	state_open(s, call->argument, call->by);
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

void act_open_picker(struct state *s, const struct call *call)
{
	(void)call;
	state_open_picker(s, false);
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

void act_tokens(struct state *s, const struct call *call)
{
	struct scenario sc;
	struct options o;
	struct tokens tokens = { 0 };
	struct error e = { 0 };
	enum status status = OK_STATUS;
	const char *seed = *s->now.options.seed ? s->now.options.seed : "0";

	for (const char *p = call->argument; *p && !status;) {
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
		act_say_error(s, call->by, &e);
		return;
	}
	if ((status = options_for_tokens(s, &o, &e))) {
		act_say_error(s, call->by, &e);
		scenario_free(&sc);
		return;
	}
	if (show_scenario(s, &sc, &o, call->by)) {
		s->row = s->column = s->top = s->left = 0;
		state_say(s, false, "%s: %zu tokens with Q, K, V drawn from seed %s (d_k 8)", call->by, s->problem->n_k, seed);
	}
	options_free(&o);
}

void act_move_picker(struct state *s, enum command c, const char *by)
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

/* Rows of the picker carry letters; those choose at once. */
bool state_pick(struct state *s, uint32_t letter)
{
	size_t row;

	if (!panel_letter_row(letter, state_picker_rows(s), &row))
		return false;
	pick(s, row, s->picker.lessons ? "L" : "o");
	return true;
}
