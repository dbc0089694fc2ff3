/* panel.c - what stands under the grid: opened, closed, computed in pieces. */
#include "tui/panel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bug.h"
#include "tui/layout.h"
#include "tui/state.h"

/* ---- which is open ---- */

enum mode panel_mode(const struct state *s)
{
	switch (s->panel.kind) {
	case PANEL_BUGS:
		return MODE_BUGS;
	case PANEL_CLINIC:
		return MODE_CLINIC;
	case PANEL_SWEEP:
		return MODE_SWEEP;
	default:
		return MODE_GRID;
	}
}

static void open_panel(struct state *s, enum panel_kind kind)
{
	if (s->panel.kind != kind)
		s->panel.chosen = s->panel.top = 0;
	s->panel.kind = kind;
	s->mode = panel_mode(s);
}

void panel_close(struct state *s)
{
	panel_forget(s);
	if (s->panel.kind == PANEL_SWEEP && s->panel.sweep_ready) {
		sweep_free(&s->panel.sweep);
		s->panel.sweep_ready = false;
	}
	s->panel.kind = PANEL_NONE;
	s->mode = MODE_GRID;
}

char panel_row_letter(size_t k)
{
	char letter = (char)('a' + k);

	return letter >= 'q' ? (char)(letter + 1) : letter;
}

bool panel_letter_row(uint32_t code, size_t rows, size_t *row)
{
	for (*row = 0; *row < rows; ++*row)
		if (code == (uint32_t)panel_row_letter(*row))
			return true;
	return false;
}

/* ---- probes ---- */

static bool wants_probe(const struct state *s)
{
	return s->panel.kind == PANEL_VERIFY || s->panel.kind == PANEL_BUGS;
}

/* The masks that have been in force since the panel was opened stay expected, so
 * that switching one off shows what it had kept back. */
static void remember_masks(struct state *s)
{
	const struct options *o = &s->now.options;

	if (s->panel.scenario != s->now.scenario)
		s->panel.with_causal = s->panel.with_pad = false;
	s->panel.scenario = s->now.scenario;
	s->panel.with_causal |= o->causal;
	s->panel.with_pad |= o->pad.n && o->pad_mask;
}

static void open_verify(struct state *s, const char *argument, const char *by)
{
	struct panel *p = &s->panel;
	struct error e = { 0 };

	if (*argument && probe_expect_parse(&p->expect, argument, &e)) {
		state_say(s, true, "%s: %s", by, e.text);
		return;
	}
	if (!*argument && p->kind == PANEL_VERIFY) {
		p->chosen = p->asked ? (p->chosen + 1) % PANEL_LAMPS : 0;
		p->asked = true;
		state_say(s, false, "%s: %s", by, p->chosen < PROBE_COUNT ? probe_name((enum probe_name)p->chosen) : "lesson");
		return;
	}
	panel_forget(s);
	if (!*argument) {
		p->expect = (struct probe_expect){ 0 };
		p->with_causal = p->with_pad = false;
	}
	p->asked = false;
	open_panel(s, PANEL_VERIFY);
	state_say(s, false, "%s: what must not be seen is changed; what moves? %s: next lamp, Esc closes", by,
		  *by == ':' ? "v" : by);
}

static void begin_probe(struct state *s)
{
	struct panel *p = &s->panel;
	struct probe_expect x = p->expect;
	struct error e = { 0 };

	x.also_causal = p->with_causal;
	x.pad_as_set = !p->with_pad;
	if (probe_begin(&p->probe, &s->grid.attention, &x, s->tables, &e)) {
		p->failed = true;
		snprintf(p->error, sizeof p->error, "%.190s", e.text);
	}
}

enum { LESSON_ROWS = 1024 };	/* of queries: the lesson's own test is one piece */

/* The lesson's own test, with the numbers that its script would draw. */
static void lesson_piece(struct state *s)
{
	struct panel *p = &s->panel;
	const struct random_input *random = &state_scenario(s)->random;
	bool drawn = s->problem->random;
	const char *seed = !drawn ? NULL : *s->now.options.seed ? s->now.options.seed : random->seed;
	struct error e = { 0 };

	if (s->problem->n_q <= LESSON_ROWS &&
	    !probe_lesson_run(&p->lesson, &s->grid.attention, seed, drawn ? random->skip : 0, s->tables, &e))
		p->lesson_done = true;
	p->probe_done = true;
}

static void probe_piece(struct state *s)
{
	struct panel *p = &s->panel;
	struct error e = { 0 };
	bool more = false;

	if (!p->probe) {
		begin_probe(s);
		return;
	}
	if (probe_step(p->probe, &more, &e)) {
		probe_work_free(p->probe);
		p->probe = NULL;
		p->failed = true;
		snprintf(p->error, sizeof p->error, "%.190s", e.text);
	} else if (!more) {
		lesson_piece(s);
	}
}

/* ---- the influence picture ---- */

static void influence_piece(struct state *s)
{
	struct panel *p = &s->panel;
	struct error e = { 0 };
	bool more = false;
	enum status status;

	if (p->influence) {
		status = influence_step(p->influence, &more, &e);
	} else {
		more = true;
		status = influence_begin(&p->influence, &s->grid.attention, p->influence_from, p->influence_to, s->tables, &e);
	}
	if (status) {
		influence_free(p->influence);
		p->influence = NULL;
		p->failed = true;
		snprintf(p->error, sizeof p->error, "%.190s", e.text);
	} else if (!more) {
		p->influence_done = true;
	}
}

/* ---- the bug lab ---- */

static void readout_piece(struct state *s)
{
	struct panel *p = &s->panel;
	struct error e = { 0 };

	p->readout_done = true;
	if (readout_compute(&p->readout, &s->grid.attention, &e)) {
		p->failed = true;
		snprintf(p->error, sizeof p->error, "%.190s", e.text);
	}
}

static bool names_bug(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *p = list; *p; p += strspn(p, ",")) {
		size_t n = strcspn(p, ",");
		if (n == length && !memcmp(p, name, n))
			return true;
		p += n;
	}
	return false;
}

bool panel_bug_in_force(const struct state *s, size_t k)
{
	return names_bug(s->now.options.bug, bugs[k].name);
}

/* An option that both set, to different values; OPT_COUNT when there is none. */
static enum option clash(const struct bug *a, const struct bug *b)
{
	for (int i = 0; i < BUG_SETTINGS && a->set[i].value; i++)
		for (int j = 0; j < BUG_SETTINGS && b->set[j].value; j++)
			if (a->set[i].option == b->set[j].option && strcmp(a->set[i].value, b->set[j].value))
				return a->set[i].option;
	return OPT_COUNT;
}

/* The bugs in force with one more, or one less; false, and said, when that means nothing. */
static bool combine(struct state *s, const struct bug *bug, struct buffer *out)
{
	const char *list = s->now.options.bug;
	bool remove = names_bug(list, bug->name);

	for (size_t k = 0; k < bugs_count; k++) {
		const struct bug *other = &bugs[k];
		if (other == bug || !names_bug(list, other->name))
			continue;
		enum option both = remove ? OPT_COUNT : clash(bug, other);
		if (both < OPT_COUNT) {
			state_say(s, true, "%s and %s both set %s: one of them at a time", bug->name, other->name,
				  option_info(both)->name);
			return false;
		}
		buffer_format(out, "%s%s", out->size ? "," : "", other->name);
	}
	if (!remove)
		buffer_format(out, "%s%s", out->size ? "," : "", bug->name);
	if (!out->size)
		buffer_text(out, "none");
	return true;
}

static size_t hidden_cells(struct state *s)
{
	const struct problem *p = s->problem;
	size_t hidden = 0, rows = p->n_q < 64 ? p->n_q : 64;

	for (size_t i = 0; i < rows && p->source != SOURCE_WEIGHTS; i++)
		hidden += p->n_k - grid_row(&s->grid, i, STAGE_WEIGHTS)->visible;
	return hidden;
}

/* An option that a bug needs to show itself and the screen lacks. */
struct supply { const char *option, *said; char value[32]; };

static bool supply(struct state *s, const struct bug *bug, struct supply *out)
{
	if (bug->needs == BUG_NEEDS_HIDDEN && !hidden_cells(s)) {
		*out = (struct supply){ "causal", "; the causal mask is on with it, as nothing was hidden", "on" };
		return true;
	}
	if (bug->needs == BUG_NEEDS_PAD && !s->now.options.pad.n) {
		*out = (struct supply){ "pad", "; the last key is padding with it, as none was", "" };
		snprintf(out->value, sizeof out->value, "%zu", s->problem->n_k - 1);
		return true;
	}
	return false;
}

/* The list of bugs becomes `list`; a bug that joins it gets what it needs. */
static void set_bugs(struct state *s, const char *list, const struct bug *joins, const struct bug *leaves, const char *by)
{
	struct supply extra = { NULL, "", "" };
	bool more = joins && supply(s, joins, &extra);
	const char *pairs[] = { "bug", list, more ? extra.option : NULL, extra.value, NULL };

	if (!state_change(s, by, pairs))
		return;
	if (joins)
		state_say(s, false, "%s: %s: %s%s", by, joins->name, joins->title, extra.said);
	else
		state_say(s, false, "%s: %s is mended", by, leaves->name);
}

/* A bug alone; the only one in force is mended. */
static void choose_bug(struct state *s, const struct bug *bug, const char *by)
{
	bool mend = !strcmp(s->now.options.bug, bug->name);

	set_bugs(s, mend ? "none" : bug->name, mend ? NULL : bug, bug, by);
}

/* A bug beside the others; one that is in force is mended. */
static void add_bug(struct state *s, const struct bug *bug, const char *by)
{
	struct buffer list = { 0 };
	bool mend = names_bug(s->now.options.bug, bug->name);

	if (combine(s, bug, &list) && list.data)
		set_bugs(s, list.data, mend ? NULL : bug, bug, by);
	buffer_free(&list);
}

static void open_bugs(struct state *s, const char *by)
{
	panel_forget(s);
	s->panel.expect = (struct probe_expect){ 0 };
	s->panel.with_causal = s->panel.with_pad = false;
	open_panel(s, PANEL_BUGS);
	for (size_t k = 0; k < bugs_count; k++)
		if (names_bug(s->now.options.bug, bugs[k].name))
			s->panel.chosen = k;
	state_say(s, false, "%s: a letter makes the mistake, Space adds one to another, u undoes; digits open the clinics", by);
}

/* ---- clinics ---- */

static void open_clinic(struct state *s, const struct clinic *c, const char *by)
{
	panel_forget(s);
	if (!state_open(s, c->scenario, by))
		return;
	s->panel.clinic = c;
	s->panel.chosen = s->panel.top = 0;
	s->panel.kind = PANEL_NONE;	/* so that it begins at the top */
	open_panel(s, PANEL_CLINIC);
	s->row = c->row;
	state_say(s, false, "%s: %s; a letter puts a treatment in force, Esc closes", by, c->title);
}

static void clinic_command(struct state *s, const char *name, const char *by)
{
	const struct clinic *c = clinic_find(name);

	if (c)
		open_clinic(s, c, by);
	else if (*name)
		state_say(s, true, "%s: there is no clinic '%.60s'; b lists them", by, name);
	else
		open_bugs(s, by);
}

/* What a treatment is put on top of: the scenario's own options. */
static enum status untreated_options(const struct state *s, struct options *out, struct error *e)
{
	struct options own;
	enum status status = state_starting_options(s, &s->opened[s->now.scenario]->options, &own, e);

	if (status)
		return status;
	if ((status = option_set(&own, OPT_STAGE, stage_info(state_stage(s))->name, e)))
		options_free(&own);
	else
		*out = own;
	return status;
}

/* Puts a treatment in force: the scenario's own options with those of the variant. */
static void choose_variant(struct state *s, size_t k, const char *by)
{
	const struct clinic_variant *v = &s->panel.clinic->variants[k];
	struct snapshot next = { .scenario = s->now.scenario };
	struct options own = { 0 };
	struct error e = { 0 };

	s->panel.chosen = k;
	if (untreated_options(s, &own, &e) || clinic_options(&next.options, &own, v, &e) || edits_copy(&next.edits, &s->now.edits, &e) ||
	    state_adopt(s, &next, &e)) {
		state_say(s, true, "%s: %s", by, e.text);
		snapshot_free(&next);
	} else {
		state_say(s, false, "%s: %s", by, v->name);
	}
	options_free(&own);
}

static void treatments_piece(struct state *s)
{
	struct panel *p = &s->panel;
	struct options own = { 0 };
	struct error e = { 0 };

	if (p->treatments) {
		treatments_step(p->treatments);
		return;
	}
	if (untreated_options(s, &own, &e) ||
	    treatments_begin(&p->treatments, p->clinic, s->problem, &p->treated, &own, &s->now.options, s->tables, &e)) {
		p->failed = true;
		snprintf(p->error, sizeof p->error, "%.190s", e.text);
	}
	options_free(&own);
}

/* ---- the experiment ---- */

static bool sweep_running(const struct state *s)
{
	return s->panel.sweep_ready && !s->panel.sweep_stopped && s->panel.sweep.phase != SWEEP_DONE;
}

/* NAME VALUE pairs, as --NAME VALUE or NAME=VALUE too; said and false when one is wrong. */
static bool sweep_arguments(struct state *s, struct sweep_request *r, char *text, const char *by)
{
	struct error e = { 0 };

	for (char *p = text + strspn(text, " -"); *p; p += strspn(p, " -")) {
		char *name = p, *value;
		int k = 0;
		p += strcspn(p, " =");
		if (*p)
			*p++ = '\0';
		value = p + strspn(p, " ");
		p = value + strcspn(value, " ");
		if (*p)
			*p++ = '\0';
		while (k < SWEEP_PARAMETER_COUNT && strcmp(sweep_parameter_name((enum sweep_parameter)k), name))
			k++;
		if (k == SWEEP_PARAMETER_COUNT) {
			state_say(s, true, "%s: '%.40s' is none of d-k, n, seed, repeats, std-d-k, pairs", by, name);
			return false;
		}
		if (sweep_set(r, (enum sweep_parameter)k, value, &e)) {
			state_say(s, true, "%s: %s: %s", by, name, e.text);
			return false;
		}
	}
	return true;
}

static void start_sweep(struct state *s, const struct sweep_request *r, const char *by)
{
	struct panel *p = &s->panel;
	struct sweep fresh;
	struct error e = { 0 };

	if (sweep_init(&fresh, r, s->tables, &e)) {
		state_say(s, true, "%s: %s", by, e.text);
		return;
	}
	if (p->sweep_ready)
		sweep_free(&p->sweep);
	p->sweep = fresh;
	p->sweep.request.seed = p->sweep.seed;
	p->sweep_ready = true;
	p->sweep_stopped = p->revealed = false;
	open_panel(s, PANEL_SWEEP);
	state_say(s, false, "%s: seed %.40s; Space completes the sentence, R draws anew, Esc stops, then closes", by, p->sweep.seed);
}

static void open_sweep(struct state *s, const char *argument, const char *by)
{
	struct sweep_request request;
	char *text = strdup(argument);

	sweep_request_init(&request);
	if (text && sweep_arguments(s, &request, text, by)) {
		panel_forget(s);
		start_sweep(s, &request, by);
	}
	free(text);
}

static void next_sweep(struct state *s, const char *by)
{
	struct sweep_request request = s->panel.sweep.request;
	char *seed = state_next_number(s->panel.sweep.seed);

	request.seed = seed;
	if (seed)
		start_sweep(s, &request, by);
	free(seed);
}

static void close_sweep(struct state *s)
{
	panel_close(s);
	s->sentence[0] = '\0';
}

static bool sweep_takes(struct state *s, enum command c, const char *by)
{
	struct panel *p = &s->panel;

	switch (c) {
	case CMD_CLOSE:
		if (p->sweep_stopped || !sweep_running(s)) {
			close_sweep(s);
			return true;
		}
		p->sweep_stopped = true;
		state_say(s, false, "%s: stopped; what is known stays, Esc again closes", by);
		return true;
	case CMD_SWEEP:
		if (*by == ':')		/* with other arguments: another experiment */
			return false;
		close_sweep(s);
		return true;
	case CMD_QUIT:
		close_sweep(s);
		return true;
	case CMD_NEXT_SEED:
		next_sweep(s, by);
		return true;
	case CMD_FORWARD:
		p->revealed = !p->revealed;
		return true;
	/* What has nothing to do with the grid goes on working. */
	case CMD_PROMPT: case CMD_HELP: case CMD_THEME: case CMD_COLOR_OFF: case CMD_EXPORT: case CMD_OPEN_PICKER:
	case CMD_VERIFY: case CMD_BUG_LAB: case CMD_INFLUENCE: case CMD_GRADIENT: case CMD_CLINIC:
	case CMD_OPEN: case CMD_WRITE: case CMD_WRITE_OVER: case CMD_TOKENS: case CMD_SET: case CMD_MOUSE:
		return false;
	default:
		state_say(s, false, "%s does nothing here; Esc closes the experiment", by);
		return true;
	}
}

/* ---- keys ---- */

bool panel_letter(struct state *s, uint32_t code)
{
	struct panel *p = &s->panel;
	char by[2] = { code < 128 ? (char)code : '?', '\0' };
	size_t row;

	if (s->mode == MODE_BUGS && code >= '1' && code < '1' + clinics_count) {
		open_clinic(s, &clinics[code - '1'], by);
		return true;
	}
	if (s->mode == MODE_BUGS && panel_letter_row(code, bugs_count, &row)) {
		p->chosen = row;
		choose_bug(s, &bugs[row], by);
		return true;
	}
	if (s->mode == MODE_CLINIC && panel_letter_row(code, p->clinic->variants_count, &row)) {
		choose_variant(s, row, by);
		return true;
	}
	return false;
}

/* Moves what is chosen in a list of n. */
static bool move_chosen(struct panel *p, enum command c, size_t n)
{
	switch (c) {
	case CMD_UP:
		p->chosen = (p->chosen + n - 1) % n;
		return true;
	case CMD_DOWN:
		p->chosen = (p->chosen + 1) % n;
		return true;
	case CMD_FIRST:
	case CMD_PAGE_UP:
	case CMD_ROW_START:
		p->chosen = 0;
		return true;
	case CMD_LAST:
	case CMD_PAGE_DOWN:
	case CMD_ROW_END:
		p->chosen = n - 1;
		return true;
	default:
		return false;
	}
}

static bool bugs_take(struct state *s, enum command c, const char *by)
{
	if (move_chosen(&s->panel, c, bugs_count))
		return true;
	if (c == CMD_EDIT)
		choose_bug(s, &bugs[s->panel.chosen], by);
	else if (c == CMD_FORWARD)
		add_bug(s, &bugs[s->panel.chosen], by);
	else
		return false;
	return true;
}

bool panel_takes(struct state *s, enum command c, const char *by)
{
	if (s->panel.kind == PANEL_NONE)
		return false;
	if (s->mode == MODE_SWEEP)
		return sweep_takes(s, c, by);
	if (c == CMD_CLOSE || (c == CMD_QUIT && s->mode != MODE_GRID)) {
		panel_close(s);
		s->sentence[0] = '\0';
		return true;
	}
	return s->mode == MODE_BUGS && bugs_take(s, c, by);
}

/* The same key that opened a picture closes it. */
static void toggle_picture(struct state *s, enum panel_kind kind, const char *by, const char *said)
{
	if (s->panel.kind == kind) {
		panel_close(s);
		s->sentence[0] = '\0';
		return;
	}
	panel_forget(s);
	open_panel(s, kind);
	state_say(s, false, "%s: %s", by, said);
}

void panel_command(struct state *s, enum command c, const char *argument, const char *by)
{
	switch (c) {
	case CMD_VERIFY:
		open_verify(s, argument, by);
		break;
	case CMD_INFLUENCE:
		toggle_picture(s, PANEL_INFLUENCE, by, "each key's K and V become noise x 100: which outputs move?");
		break;
	case CMD_GRADIENT:
		toggle_picture(s, PANEL_GRADIENT, by, "dw_j/dx_k = w_j (1 if j = k, else 0, minus w_k) of the row under the cursor");
		break;
	case CMD_BUG_LAB:
		open_bugs(s, by);
		break;
	case CMD_CLINIC:
		clinic_command(s, argument, by);
		break;
	default:
		open_sweep(s, argument, by);
		break;
	}
}

/* ---- room ---- */

size_t panel_bug_entries(const struct state *s)
{
	return bugs_count + (s->columns < 100 ? 1 + clinics_count : 0);
}

static int clinic_rows(const struct state *s)
{
	const struct clinic *c = s->panel.clinic;
	size_t n_q = s->problem->n_q < 1000 ? s->problem->n_q : 1000;
	int look = 1 + (int)strlen(c->look) / (s->columns > 20 ? s->columns - 8 : 12);

	/* Names in two rows, and keys, above the pictures; keys above the table. */
	return look + (c->form == CLINIC_PICTURES ? 3 + (int)n_q : 1 + (int)c->variants_count);
}

int panel_rows(const struct state *s)
{
	enum { HEAD = 1, LAMP_TEXT = 4 };
	size_t n_q = s->problem->n_q, n_k = s->problem->n_k;

	switch (s->panel.kind) {
	case PANEL_VERIFY:
		return HEAD + PANEL_LAMPS + LAMP_TEXT;
	case PANEL_INFLUENCE:
		return HEAD + 2 + (n_q < 1000 ? (int)n_q : 1000);
	case PANEL_GRADIENT:
		n_k = n_k > n_q ? n_k : n_q;	/* a matrix of keys, a bar for each query */
		return HEAD + 2 + (n_k < 1000 ? (int)n_k : 1000);
	case PANEL_BUGS:
		return HEAD + (int)panel_bug_entries(s);
	case PANEL_CLINIC:
		return HEAD + clinic_rows(s);
	case PANEL_SWEEP:
		return s->rows;
	default:
		return 0;
	}
}

static void keep_in(size_t wanted, size_t count, size_t room, size_t *first)
{
	if (room >= count)
		*first = 0;
	else if (wanted < *first)
		*first = wanted;
	else if (wanted >= *first + room)
		*first = wanted - room + 1;
	else if (*first + room > count)
		*first = count - room;
}

/* The rows that a picture reads at each frame stay computed, beside those of the grid. */
static void keep_rows(struct state *s, size_t rows)
{
	struct error e = { 0 };
	size_t n_q = s->problem->n_q;

	if (grid_reserve(&s->grid, rows < n_q ? rows : n_q, &e))
		state_say(s, true, "%s", e.text);
}

/* The query rows of the influence picture; what is known of those in both windows stays. */
static void settle_influence(struct state *s, size_t room)
{
	struct panel *p = &s->panel;
	struct error e = { 0 };
	size_t n_q = s->problem->n_q;

	keep_in(s->row < n_q ? s->row : n_q - 1, n_q, room, &p->top);
	size_t to = p->top + room < n_q ? p->top + room : n_q;
	if (p->influence_from == p->top && p->influence_to == to)
		return;
	p->influence_from = p->top;
	p->influence_to = to;
	p->influence_done = false;
	if (!p->influence || influence_window(p->influence, p->top, to, &e))
		panel_forget(s);
}

/* The matrix follows the key under the cursor. view_gradient.c takes the mean of
 * all rows where they are so few. */
static void settle_gradient(struct state *s, size_t room, size_t rows)
{
	enum { MEAN_ROWS = 64, MEAN_KEYS = 4096 };
	const struct problem *p = s->problem;

	keep_in(state_is_grid(s) ? s->column : 0, p->n_k, room, &s->panel.top);
	keep_rows(s, p->n_q <= MEAN_ROWS && p->n_k <= MEAN_KEYS ? p->n_q : rows);
}

/* So little that a key may wait for it. */
static bool is_quick(const struct state *s, size_t rows)
{
	return (double)rows * (double)s->problem->n_k * (20 + (double)s->problem->d_k) < 0x1p18;
}

/* The last bug brings the clinics below it onto the screen. */
static void settle_bugs(struct state *s, size_t room)
{
	struct panel *p = &s->panel;
	size_t n = panel_bug_entries(s), wanted = p->chosen;

	if (p->chosen + 1 == bugs_count)
		wanted = p->chosen + room - 1 < n ? p->chosen + room - 1 : n - 1;
	keep_in(wanted, n, room, &p->top);
	if (!p->readout_done && !p->failed && is_quick(s, s->problem->n_q < 256 ? s->problem->n_q : 256))
		readout_piece(s);
}

/* As many things on each side of one as there is room for at most. */
static void window_around(size_t at, size_t n, size_t room, size_t *first, size_t *count)
{
	size_t from = at > room ? at - room : 0, to = at + room < n ? at + room : n;

	*first = n <= 2 * room ? 0 : from;
	*count = n <= 2 * room ? n : to - from;
}

/* What a clinic shows of other rows or keys is found anew. */
static void settle_treatments(struct state *s, size_t room)
{
	struct panel *p = &s->panel;
	const struct treatments *t = p->treatments;
	size_t n_q = s->problem->n_q, n_k = s->problem->n_k;
	struct treatments_window w = { .top = s->row < n_q ? s->row : n_q - 1, .rows = 1 };

	if (p->clinic->form == CLINIC_PICTURES)
		window_around(w.top, n_q, room, &w.top, &w.rows);
	window_around(state_is_grid(s) && s->column < n_k ? s->column : 0, n_k, (size_t)s->columns, &w.left, &w.columns);
	if (t && (t->clinic != p->clinic || memcmp(&t->window, &w, sizeof w))) {
		treatments_free(p->treatments);
		p->treatments = NULL;
	}
	p->treated = w;
	while (panel_working(s) && is_quick(s, w.rows * p->clinic->variants_count))
		treatments_piece(s);
}

void panel_settle(struct state *s)
{
	struct panel *p = &s->panel;
	struct layout l;

	if (p->kind == PANEL_NONE)
		return;
	if (wants_probe(s))
		remember_masks(s);
	layout_make(&l, s);
	size_t room = l.panel_rows > 3 ? (size_t)l.panel_rows - 3 : 1;
	p->picture_rows = (int)room;
	if (p->kind == PANEL_INFLUENCE) {
		settle_influence(s, room);
		keep_rows(s, l.visible_rows + room);
	} else if (p->kind == PANEL_GRADIENT) {
		settle_gradient(s, room, l.visible_rows + room);
	} else if (p->kind == PANEL_BUGS) {
		settle_bugs(s, l.panel_rows > 1 ? (size_t)l.panel_rows - 1 : 1);
	} else if (p->kind == PANEL_CLINIC) {
		settle_treatments(s, room);
	}
}

/* ---- work ---- */

void panel_forget(struct state *s)
{
	struct panel *p = &s->panel;

	probe_work_free(p->probe);
	influence_free(p->influence);
	treatments_free(p->treatments);
	p->probe = NULL;
	p->influence = NULL;
	probe_lesson_free(&p->lesson);
	p->lesson_done = false;
	p->treatments = NULL;
	p->probe_done = p->influence_done = p->readout_done = p->failed = false;
	p->error[0] = '\0';
}

bool panel_working(const struct state *s)
{
	const struct panel *p = &s->panel;

	if (p->kind == PANEL_SWEEP)
		return sweep_running(s);
	if (p->failed)
		return false;
	return (wants_probe(s) && !p->probe_done) || (p->kind == PANEL_INFLUENCE && !p->influence_done) ||
	       (p->kind == PANEL_BUGS && !p->readout_done) ||
	       (p->kind == PANEL_CLINIC && !(p->treatments && treatments_done(p->treatments)));
}

bool panel_work(struct state *s)
{
	if (!panel_working(s))
		return false;
	if (s->panel.kind == PANEL_SWEEP)
		sweep_step(&s->panel.sweep);
	else if (s->panel.kind == PANEL_INFLUENCE)
		influence_piece(s);
	else if (s->panel.kind == PANEL_CLINIC)
		treatments_piece(s);
	else if (s->panel.kind == PANEL_BUGS && !s->panel.readout_done)
		readout_piece(s);
	else
		probe_piece(s);
	return true;
}

double panel_progress(const struct state *s)
{
	const struct panel *p = &s->panel;

	if (p->kind == PANEL_SWEEP)
		return p->sweep_ready ? sweep_progress(&p->sweep) : 0;
	if (p->kind == PANEL_INFLUENCE)
		return p->influence ? influence_progress(p->influence) : 0;
	if (p->kind == PANEL_CLINIC)
		return p->treatments ? treatments_progress(p->treatments) : 0;
	return p->probe ? probe_progress(p->probe) : 0;
}

void panel_free(struct panel *p)
{
	probe_work_free(p->probe);
	influence_free(p->influence);
	probe_lesson_free(&p->lesson);
	treatments_free(p->treatments);
	if (p->sweep_ready)
		sweep_free(&p->sweep);
	*p = (struct panel){ 0 };
}

unsigned panel_moved(const struct state *s, size_t query)
{
	const struct panel *p = &s->panel;
	const struct probe_report *report = p->probe ? probe_work_report(p->probe) : NULL;

	return wants_probe(s) && report && query < report->n_q ? report->moved[query] : 0;
}
