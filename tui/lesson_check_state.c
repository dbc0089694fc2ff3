/* lesson_check_state.c - the state that a page of a checked lesson is shown in. */
#include "tui/lesson_check_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clinic.h"
#include "tui/load.h"
#include "tui/text.h"

/* ---- what is shown ---- */

void numbers_free(struct numbers *n)
{
	if (n->made)
		attention_free(&n->attention);
	problem_free(&n->problem);
	n->made = false;
}

/* The head that the state's model shows becomes the scenario. */
static enum status live_scenario_of(struct check *c, const struct snapshot *state, struct error *e)
{
	const struct live_request r = live_point_request(state->live, c->tables);
	struct scenario sc;
	enum status s;

	if ((s = live_update(c->model, &r, e)) || (s = live_check_layer(c->model, &state->options, e)) ||
	    (s = live_scenario(c->model, (size_t)state->options.layer, &sc, e)))
		return s;
	scenario_free(&c->scenario);
	c->scenario = sc;
	return OK_STATUS;
}

/* n refers to itself and stays where it is; numbers_free in any case. */
static enum status numbers_make(struct check *c, struct numbers *n, const struct snapshot *state, struct error *e)
{
	const struct options *o = &state->options;
	enum status s = state->live ? live_scenario_of(c, state, e) : OK_STATUS;

	if (!s)
		s = problem_build(&n->problem, &c->scenario, o, &c->scenario.edits, c->tables, e);
	if (!s)
		s = load_masks(&n->problem, o, e);
	if (!s)
		s = problem_check_stage(&n->problem, (enum stage)o->stage, e);
	if (!s && !(s = attention_init(&n->attention, &n->problem, o, c->tables, e)))
		n->made = true;
	return s;
}

void lesson_check_forget(struct check *c)
{
	if (c->shown == SHOWN_KNOWN) {
		numbers_free(&c->now);
		snapshot_free(&c->state);
		scenario_free(&c->scenario);
	}
	c->shown = SHOWN_UNKNOWN;
	c->cursor_known = false;
}

static void open_scenario(struct check *c, const char *input, struct mark at, const char *name)
{
	struct error e = { 0 };

	lesson_check_forget(c);
	if (load_scenario_file(&c->scenario, input, c->tables, &e)) {
		lesson_check_tell_of(c, at, name, &e);
		return;
	}
	if (options_copy(&c->state.options, &c->scenario.set, &e)) {
		scenario_free(&c->scenario);
		c->report->no_memory = true;
		return;
	}
	c->shown = SHOWN_KNOWN;
	c->unsure = false;
	c->cursor_known = true;
	c->row = c->column = 0;
}

static void open_clinic(struct check *c, const struct lesson_page *page)
{
	const struct clinic *clinic = clinic_find(page->clinic);

	if (page->scenario && strcmp(page->scenario, clinic->scenario))
		lesson_check_tell(c, page->open_mark, "open: the clinic %s opens the scenario %s, and this page names another one",
				  clinic->name, clinic->scenario);
	open_scenario(c, clinic->scenario, page->open_mark, "open");
	c->row = clinic->row;
}

/* The built-in one, as in a lesson that is played. */
static bool load_model(struct check *c, struct mark at)
{
	const struct live_request nothing = { .text = "", .tables = c->tables };
	struct error e = { 0 };

	if (c->model)
		return true;
	if (!(c->model = malloc(sizeof *c->model))) {
		c->report->no_memory = true;
		return false;
	}
	if (!live_init(c->model, &nothing, &e))
		return true;
	lesson_check_tell_of(c, at, "live", &e);
	free(c->model);
	c->model = NULL;
	return false;
}

/* A head as it was trained; its text is put with the page's options. */
static void open_live(struct check *c, const struct lesson_page *page)
{
	const struct live_request nothing = { .text = "" };
	struct error e = { 0 };

	lesson_check_forget(c);
	if (!load_model(c, page->live.mark[LESSON_LIVE_TEXT]))
		return;
	if (model_options(&c->state.options, &e)) {
		c->report->no_memory = true;
		return;
	}
	if (!(c->state.live = live_point_new(&nothing))) {
		snapshot_free(&c->state);
		c->report->no_memory = true;
		return;
	}
	c->scenario = (struct scenario){ 0 };
	c->shown = SHOWN_KNOWN;
	c->unsure = false;
	c->cursor_known = true;
	c->row = c->column = 0;		/* the last row, when the text is known */
}

void lesson_check_open(struct check *c, const struct lesson_page *page)
{
	c->cursor_known = false;
	if (page->scenario && page->scenario_mark.line)
		open_scenario(c, page->scenario, page->scenario_mark, "scenario");
	if (page->clinic)
		open_clinic(c, page);
	if (page->live.mark[LESSON_LIVE_TEXT].line)
		open_live(c, page);
}

void lesson_check_settle_model(struct check *c)
{
	struct error e = { 0 };

	if (!c->state.live)
		return;
	const struct live_request r = live_point_request(c->state.live, c->tables);
	if (live_update(c->model, &r, &e))
		c->report->no_memory = true;
}

/* The earlier of the two, as far as they are there. */
static void take_first(struct mark *first, struct mark other)
{
	bool earlier = other.line != first->line ? other.line < first->line : other.column < first->column;

	if (other.line && (!first->line || earlier))
		*first = other;
}

/* ---- what is said of a model ---- */

/* The request alone, so that what is wrong is known to be in it. */
static void try_part(struct check *c, enum lesson_live_part part, const struct lesson_live *live, const struct live_request *r)
{
	struct error e = { 0 };

	if (!live->mark[part].line || !live_update(c->model, r, &e))
		return;
	if (e.status == E_MEMORY)
		c->report->no_memory = true;
	else
		lesson_check_tell(c, live->mark[part], "%s: %s", lesson_live_name(part), e.text);
}

/* The first character that the model does not know; NULL when it knows all. */
static const char *first_unknown(const struct check *c, const char *nfc, char out[8])
{
	const struct model *m = &c->model->model;

	for (size_t at = 0, n, length = strlen(nfc); at < length; at += n) {
		int32_t code;
		n = text_decode(nfc + at, length - at, &code);
		if (code >= 0 && model_id(m, (uint32_t)code) != m->special[MODEL_UNK])
			continue;
		snprintf(out, 8, "%.*s", (int)n, nfc + at);
		return out;
	}
	return NULL;
}

static void check_text(struct check *c, enum lesson_live_part part, const char *text, struct mark at)
{
	const size_t most = part == LESSON_LIVE_NEXT ? 1 : c->model->model.size.context - 1;
	char *nfc = text_nfc(text, strlen(text)), character[8];
	size_t n = 0;

	if (!nfc) {
		c->report->no_memory = true;
		return;
	}
	for (size_t from = 0, length = strlen(nfc); from < length; n++) {
		int32_t code;
		from += text_decode(nfc + from, length - from, &code);
	}
	if (n > most)
		lesson_check_tell(c, at, "%s: %zu characters, and there is room for %zu", lesson_live_name(part), n, most);
	else if (first_unknown(c, nfc, character))
		lesson_check_tell(c, at, "%s: '%s' is not among the characters of the model", lesson_live_name(part),
				  character);
	free(nfc);
}

/* Tells of each part that the model cannot have on the text of the state. */
static void check_live(struct check *c, const struct snapshot *state, const struct lesson_live *live)
{
	const struct mark *mark = live->mark;
	const char *text = mark[LESSON_LIVE_TEXT].line ? live->text : state->live ? state->live->text : "";
	const struct live_request of[LESSON_LIVE_COUNT] = {
		[LESSON_LIVE_AT] = { .text = text, .at = live->at, .options = &state->options, .tables = c->tables },
		[LESSON_LIVE_OFF] = { .text = text, .ablate = live->off, .tables = c->tables },
		[LESSON_LIVE_PADDING] = { .text = text, .pad_left = live->pad_left, .pad_right = live->pad_right,
					  .tables = c->tables },
	};

	if (mark[LESSON_LIVE_TEXT].line)
		check_text(c, LESSON_LIVE_TEXT, live->text, mark[LESSON_LIVE_TEXT]);
	if (mark[LESSON_LIVE_NEXT].line)
		check_text(c, LESSON_LIVE_NEXT, live->next, mark[LESSON_LIVE_NEXT]);
	for (int part = LESSON_LIVE_AT; part <= LESSON_LIVE_PADDING; part++)
		try_part(c, (enum lesson_live_part)part, live, &of[part]);
}

/* Line 0: nothing is said of a model. */
static struct mark first_said(const struct lesson_live *live)
{
	struct mark first = { 0 };

	for (int part = 0; part < LESSON_LIVE_COUNT; part++)
		take_first(&first, live->mark[part]);
	return first;
}

/* False when something of it was told. */
static bool live_fits(struct check *c, const struct snapshot *state, const struct put *put)
{
	size_t told = c->report->n;
	struct mark first = first_said(put->live);

	if (!first.line)
		return true;
	if (!state->live)
		lesson_check_tell(c, first, "%s: no language model is shown; live on this page, or one before it, shows one",
				  put->name);
	else
		check_live(c, state, put->live);
	return c->report->n == told;
}

/* ---- options ---- */

struct mark lesson_check_first_mark(const struct mark mark[OPT_COUNT])
{
	struct mark first = { 0 };

	for (int k = 0; k < OPT_COUNT; k++)
		take_first(&first, mark[k]);
	return first;
}

/* The option of an error, "pad 9" or "pad". */
static enum option blamed(const struct error *e)
{
	char name[sizeof e->option];

	snprintf(name, sizeof name, "%.*s", (int)strcspn(e->option, " "), e->option);
	return option_find(name);
}

/* The state with all of it on top. */
static enum status put_on_top(struct check *c, const struct snapshot *state, const struct put *put, const struct mark *mark,
			      struct snapshot *next, struct error *e)
{
	enum status s = snapshot_copy(next, state, e);

	if (s || (first_said(put->live).line && (s = lesson_live_put(put->live, next, e))) ||
	    (s = lesson_set_options(&next->options, put->options, mark, e)) || !next->live ||
	    (s = live_carry(c->model, &state->options, next, e)))
		return s;
	return lesson_live_at(put->live, c->model, next, e);
}

bool lesson_check_fit(struct check *c, struct snapshot *state, const struct put *put, struct numbers *n)
{
	struct mark mark[OPT_COUNT];
	bool fine = true;

	if (!live_fits(c, state, put))
		return false;
	memcpy(mark, put->mark, sizeof mark);
	for (;;) {
		struct error e = { 0 };
		struct snapshot next = { 0 };
		enum status s = put_on_top(c, state, put, mark, &next, &e);
		if (!s && !(s = numbers_make(c, n, &next, &e))) {
			snapshot_free(state);
			*state = next;
			return fine;
		}
		snapshot_free(&next);
		numbers_free(n);
		fine = false;
		enum option x = blamed(&e);
		if (x == OPT_COUNT || !mark[x].line) {	/* one of them, but not which */
			struct mark first = lesson_check_first_mark(mark);
			lesson_check_tell_of(c, first.line ? first : first_said(put->live), put->name, &e);
			return false;
		}
		lesson_check_tell_of(c, mark[x], put->name, &e);
		mark[x].line = 0;
	}
}
