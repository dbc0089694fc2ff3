/* state.c - everything the screen knows: snapshots, undo, what is shown. */
#include "tui/state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "tui/compare.h"
#include "tui/labels.h"
#include "tui/layout.h"
#include "tui/live_dock.h"
#include "tui/panel_lesson.h"

/* ---- snapshots and history ---- */

enum status snapshot_copy(struct snapshot *to, const struct snapshot *from, struct error *e)
{
	struct snapshot copy = { .scenario = from->scenario };
	enum status s = options_copy(&copy.options, &from->options, e);

	if (!s && !(s = edits_copy(&copy.edits, &from->edits, e)))
		s = live_point_copy(&copy.live, from->live, e);
	if (s)
		snapshot_free(&copy);
	else
		*to = copy;
	return s;
}

void snapshot_free(struct snapshot *n)
{
	options_free(&n->options);
	edits_free(&n->edits);
	live_point_free(n->live);
	*n = (struct snapshot){ 0 };
}

bool snapshot_equal(const struct snapshot *a, const struct snapshot *b)
{
	return a->scenario == b->scenario && options_equal(&a->options, &b->options) &&
	       edits_equal(&a->edits, &b->edits) && live_point_same(a->live, b->live);
}

static size_t snapshot_bytes(const struct snapshot *n)
{
	const struct options *o = &n->options;
	size_t numbers = o->pad.n + o->documents.n + o->hide.n + o->keep.n;

	return sizeof *n + numbers * sizeof(long) + n->edits.n * sizeof *n->edits.v + live_point_bytes(n->live);
}

static void forget_oldest(struct history *h)
{
	size_t gone = 0;

	/* Many at once when a limit is met, so that moving the rest stays cheap. */
	while (gone < h->n && (h->bytes > HISTORY_BYTES || h->n - gone >= HISTORY_LIMIT)) {
		h->bytes -= snapshot_bytes(&h->v[gone]);
		snapshot_free(&h->v[gone++]);
	}
	memmove(h->v, h->v + gone, (h->n - gone) * sizeof *h->v);
	h->n -= gone;
}

/* Takes n over. */
enum status history_push(struct history *h, struct snapshot *n, struct error *e)
{
	if (h->bytes > HISTORY_BYTES || h->n >= HISTORY_LIMIT)
		forget_oldest(h);
	if (h->n == h->capacity) {
		size_t wanted = h->capacity ? 2 * h->capacity : 64;
		struct snapshot *v = realloc(h->v, wanted * sizeof *v);
		if (!v)
			return error_set(e, E_MEMORY, "no memory for undo");
		h->v = v;
		h->capacity = wanted;
	}
	h->bytes += snapshot_bytes(n);
	h->v[h->n++] = *n;
	*n = (struct snapshot){ 0 };
	return OK_STATUS;
}

/* Takes the newest out; h->n is not 0. */
static struct snapshot history_pop(struct history *h)
{
	struct snapshot n = h->v[--h->n];

	h->v[h->n] = (struct snapshot){ 0 };
	h->bytes -= snapshot_bytes(&n);
	return n;
}

void history_clear(struct history *h)
{
	for (size_t i = 0; i < h->n; i++)
		snapshot_free(&h->v[i]);
	h->n = h->bytes = 0;
}

void history_free(struct history *h)
{
	history_clear(h);
	free(h->v);
	*h = (struct history){ 0 };
}

/* ---- what is shown ---- */

enum stage state_stage(const struct state *s)
{
	enum stage walked;

	return panel_walk_stage(s, &walked) ? walked : (enum stage)s->now.options.stage;
}

enum array state_array(const struct state *s)
{
	enum array wanted = (enum array)s->now.options.array;

	for (int k = 0; k < ARRAY_COUNT; k++) {
		enum array a = (enum array)(((int)wanted + k) % ARRAY_COUNT);
		if (s->problem->array[a].n && !(a == ARRAY_V && s->problem->identity_v))
			return a;
	}
	return wanted;
}

const struct scenario *state_scenario(const struct state *s)
{
	return &s->opened[s->now.scenario]->scenario;
}

struct look state_look(const struct state *s)
{
	static const enum depth of_choice[] = { DEPTH_TRUE, DEPTH_NONE, DEPTH_8, DEPTH_16, DEPTH_256, DEPTH_TRUE };
	struct look look = s->look;
	int choice = s->now.options.color;

	if (choice && of_choice[choice] < look.depth)
		look.depth = of_choice[choice];
	if (s->now.options.theme != OPTION_THEME_AUTO)
		look.theme = s->now.options.theme == OPTION_THEME_LIGHT ? THEME_LIGHT : THEME_DARK;
	look.ascii = look.ascii || s->now.options.ascii;
	return look;
}

int state_precision(const struct state *s)
{
	return s->now.options.precision < 0 ? 3 : (int)s->now.options.precision;
}

bool state_is_grid(const struct state *s)
{
	enum stage stage = state_stage(s);
	return stage >= STAGE_SCORES && stage <= STAGE_WEIGHTS;
}

void state_shape(const struct state *s, size_t *rows, size_t *columns)
{
	const struct problem *p = s->problem;
	const struct matrix *m;

	*rows = p->n_q;
	*columns = p->n_k;
	if (state_stage(s) == STAGE_OUTPUT) {
		*columns = p->d_v;
	} else if (state_stage(s) == STAGE_JOINED) {
		*columns = attention_joined_columns(&s->grid.attention);
	} else if (state_stage(s) == STAGE_INPUT) {
		m = problem_array(p, state_array(s), s->grid.attention.head);
		*rows = m->rows;
		*columns = m->columns;
	}
}

bool state_shows_mean(const struct state *s)
{
	return s->mean.on && s->problem->heads > 1 && state_stage(s) == STAGE_WEIGHTS && s->panel.kind == PANEL_NONE &&
	       compare_shown(s) == COMPARE_OFF && !s->lesson;
}

struct head_mean *state_mean(struct state *s)
{
	struct head_mean *m = &s->mean.rows;
	size_t wanted = (size_t)(s->rows > 0 ? s->rows : 0) + 1;
	struct error e = { 0 };

	if (!state_shows_mean(s))
		return NULL;
	if (m->capacity >= wanted)
		return m;
	head_mean_free(m);
	if (head_mean_init(m, &s->grid.attention, wanted, s->tables, &e)) {
		s->mean.on = false;
		state_say(s, true, "mean: %s", e.text);
		return NULL;
	}
	return m;
}

/* Each row costs all heads, so they are kept until something changes. */
struct joined_rows *state_joined(struct state *s)
{
	size_t wanted = (size_t)(s->rows > 0 ? s->rows : 0) + 1;
	struct joined_rows fresh;
	struct error e = { 0 };

	if (state_stage(s) != STAGE_JOINED || s->joined_failed)
		return NULL;
	if (s->joined.numbers.rows >= wanted)
		return &s->joined;
	if (joined_rows_init(&fresh, &s->grid.attention, wanted, s->tables, &e)) {
		s->joined_failed = true;
		state_say(s, true, "%s", e.text);
		return NULL;
	}
	joined_rows_free(&s->joined);
	s->joined = fresh;
	return &s->joined;
}

const double *state_values(struct state *s, size_t row)
{
	enum stage stage = state_stage(s);
	size_t n;

	if (stage == STAGE_INPUT)
		return row_input(&s->grid.rows[0], &s->grid.attention, state_array(s), row);
	if (stage == STAGE_JOINED && !long_view_lacks(s, row)) {
		struct joined_rows *joined = state_joined(s);
		return joined ? joined_rows_row(joined, row) : long_view_unknown(s);
	}
	struct head_mean *mean = state_mean(s);
	if (mean && !long_view_lacks(s, row))
		return head_mean_row(mean, row)->weights;
	if (long_view_has_values(s))
		return long_view_values(s, row);
	return row_stage(grid_row(&s->grid, row, stage), &s->grid.attention, stage, &n);
}

double state_number(struct state *s, size_t row, size_t column)
{
	enum stage stage = state_stage(s);
	size_t n;

	if (stage == STAGE_JOINED && state_joined(s))
		return joined_rows_row(state_joined(s), row)[column];
	if (long_view_lacks(s, row) && stage >= STAGE_SCORES && stage <= STAGE_OUTPUT && !state_shows_mean(s))
		return row_stage(grid_row(&s->grid, row, stage), &s->grid.attention, stage, &n)[column];
	return state_values(s, row)[column];
}

const struct row *state_query(struct state *s, size_t row)
{
	struct head_mean *mean;

	if (row >= s->problem->n_q)
		return NULL;
	if ((mean = state_mean(s)))
		return long_view_lacks(s, row) ? NULL : head_mean_row(mean, row);
	if (state_stage(s) == STAGE_INPUT) {
		enum array a = state_array(s);
		if (a == ARRAY_W_Q || a == ARRAY_W_K || a == ARRAY_W_V || a == ARRAY_W_O)
			return NULL;
		if ((a == ARRAY_K || a == ARRAY_V) && s->problem->n_q != s->problem->n_k)
			return NULL;
	}
	if (long_view_has_rows(s))
		return long_view_row(s, row);
	return grid_row(&s->grid, row, state_stage(s) == STAGE_OUTPUT ? STAGE_OUTPUT : STAGE_WEIGHTS);
}

static const char *index_label(char scratch[32], size_t i)
{
	snprintf(scratch, 32, "%zu", i);
	return scratch;
}

const char *state_row_label(const struct state *s, size_t i, char scratch[32])
{
	const struct problem *p = s->problem;

	if (state_stage(s) == STAGE_INPUT)
		switch (state_array(s)) {
		case ARRAY_K:
		case ARRAY_V:
			return i < p->n_k ? token_at(&p->key_tokens, i, scratch) : index_label(scratch, i);
		case ARRAY_W_Q:
		case ARRAY_W_K:
		case ARRAY_W_V:
		case ARRAY_W_O:
			return index_label(scratch, i);
		default:
			break;
		}
	return token_at(&p->query_tokens, i, scratch);
}

const char *state_column_label(const struct state *s, size_t i, char scratch[32])
{
	enum stage stage = state_stage(s);
	bool keys = state_is_grid(s) ||
		    (stage == STAGE_INPUT && (state_array(s) == ARRAY_SCORES || state_array(s) == ARRAY_WEIGHTS));

	return keys ? token_at(&s->problem->key_tokens, i, scratch) : index_label(scratch, i);
}

void state_say(struct state *s, bool is_error, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(s->sentence, sizeof s->sentence, message(format), ap);
	va_end(ap);
	s->sentence_is_error = s->sentence_whole = is_error;
	s->said++;
}

/* ---- settling: scroll, then compute what is visible ---- */

static void keep_visible(size_t cursor, size_t count, size_t visible, size_t *first)
{
	if (visible >= count)
		*first = 0;
	else if (cursor < *first)
		*first = cursor;
	else if (cursor >= *first + visible)
		*first = cursor - visible + 1;
	else if (*first + visible > count)
		*first = count - visible;
}

/* The chosen row of the list is one of those shown. */
static void settle_picker(struct state *s)
{
	size_t room = s->rows > 5 ? (size_t)s->rows - 4 : 1;

	keep_visible(s->picker.chosen, state_picker_rows(s), room, &s->picker.top);
}

void state_settle(struct state *s)
{
	struct error e = { 0 };
	struct layout l;
	size_t rows, columns;

	panel_check(s);
	live_dock_settle(s);
	layout_measure(s);
	state_shape(s, &rows, &columns);
	if (s->row >= rows)
		s->row = rows - 1;
	if (s->column >= columns)
		s->column = columns - 1;
	layout_make(&l, s);
	keep_visible(s->row, rows, l.visible_rows, &s->top);
	keep_visible(s->column, columns, l.visible_columns, &s->left);
	settle_picker(s);
	panel_settle(s);
	long_view_settle(s, &l);
	/* Short of memory fewer rows are kept: slower, but the same numbers. */
	if (!long_view_has_rows(s) && grid_reserve(&s->grid, l.visible_rows + 1, &e))
		state_say(s, true, "%s", e.text);
	compare_settle(s, &l);
}

/* ---- flash: which visible numbers moved ---- */

struct seen {
	double *values, *sums;
	size_t top, left, rows, columns, all_rows, all_columns;
	enum stage stage;
};

static bool look_at(struct state *s, struct seen *seen)
{
	struct layout l;

	layout_make(&l, s);
	*seen = (struct seen){ .top = s->top, .left = s->left, .stage = state_stage(s) };
	state_shape(s, &seen->all_rows, &seen->all_columns);
	seen->rows = l.visible_rows < seen->all_rows - s->top ? l.visible_rows : seen->all_rows - s->top;
	seen->columns = l.visible_columns < seen->all_columns - s->left ? l.visible_columns : seen->all_columns - s->left;
	seen->values = malloc((seen->rows * seen->columns + 1) * sizeof *seen->values);
	seen->sums = malloc((seen->rows + 1) * sizeof *seen->sums);
	if (!seen->values || !seen->sums)
		return false;
	for (size_t i = 0; i < seen->rows; i++) {
		const struct row *query = state_query(s, s->top + i);
		seen->sums[i] = query ? query->sum : 0;
		const double *v = state_values(s, s->top + i);
		memcpy(seen->values + i * seen->columns, v + s->left, seen->columns * sizeof *v);
	}
	return true;
}

static bool moved(double a, double b)
{
	return memcmp(&a, &b, sizeof a) && !(a != a && b != b);
}

/* By more than a sum may be off by rounding. */
static bool sum_moved(const struct state *s, double a, double b)
{
	return moved(a, b) && !(fabs(a - b) <= s->grid.attention.tolerance);
}

static void start_flash(struct state *s, const struct seen *before)
{
	struct seen after = { 0 };
	struct flash *f = &s->flash;

	if (look_at(s, &after) && before->values && after.top == before->top && after.left == before->left &&
	    after.rows == before->rows && after.columns == before->columns && after.stage == before->stage &&
	    after.all_rows == before->all_rows && after.all_columns == before->all_columns) {
		bool *changed = calloc(after.rows * after.columns + 1, sizeof *changed);
		bool *sums = calloc(after.rows + 1, sizeof *sums);
		if (changed && sums) {
			free(f->changed);
			free(f->sum_changed);
			*f = (struct flash){ false, after.top, after.left, after.rows, after.columns, changed, sums };
			for (size_t k = 0; k < after.rows * after.columns; k++)
				f->on |= changed[k] = moved(before->values[k], after.values[k]);
			for (size_t i = 0; i < after.rows; i++)
				f->on |= sums[i] = sum_moved(s, before->sums[i], after.sums[i]);
		} else {
			free(changed);
			free(sums);
		}
	}
	free(after.values);
	free(after.sums);
}

void state_end_flash(struct state *s)
{
	s->flash.on = false;
}

/* ---- from one snapshot to the next ---- */

static bool same_option(const struct snapshot *a, const struct snapshot *b, enum option o)
{
	return option_same(&a->options, &b->options, o);
}

/* Files read into the problem, random input, edits: the problem is made anew. */
static bool needs_problem(const struct snapshot *a, const struct snapshot *b)
{
	static const enum option input[] = { OPT_SEED, OPT_N, OPT_D_K, OPT_D_V, OPT_MASK, OPT_BIAS, OPT_POLARITY,
						OPT_LABELS };

	if (a->scenario != b->scenario || !edits_equal(&a->edits, &b->edits) || !live_dock_same(a, b))
		return true;
	for (size_t i = 0; i < sizeof input / sizeof *input; i++)
		if (!same_option(a, b, input[i]))
			return true;
	/* A mask from a file may differ by head. */
	return !same_option(a, b, OPT_HEAD) && (*b->options.mask || *b->options.bias);
}

static enum stage first_dirty(const struct snapshot *a, const struct snapshot *b)
{
	enum stage first = STAGE_COUNT;

	for (int o = 0; o < OPT_COUNT; o++)
		if (option_info((enum option)o)->dirties < first && !same_option(a, b, (enum option)o))
			first = option_info((enum option)o)->dirties;
	return first;
}

enum status state_problem_of(const struct state *s, const struct scenario *sc, const struct options *o, const struct edits *edits,
			     struct problem **out, struct error *e)
{
	struct problem *p = calloc(1, sizeof *p);
	enum status status;

	if (!p)
		return error_set(e, E_MEMORY, "no memory for the input");
	status = problem_build(p, sc, o, edits, s->tables, e);
	if (!status && (*o->mask || *o->bias))
		status = s->ports.masks(p, o, e);
	if (!status && o->labels == LABELS_READ)
		status = labels_read_problem(p, e);
	if (status) {
		problem_free(p);
		free(p);
		return status;
	}
	*out = p;
	return OK_STATUS;
}

enum status state_make_problem(const struct state *s, const struct snapshot *next, struct problem **out, struct error *e)
{
	struct scenario sc;
	enum status status;

	if (!next->live)
		return state_problem_of(s, &s->opened[next->scenario]->scenario, &next->options, &next->edits, out, e);
	if ((status = live_dock_scenario(s, next, &sc, e)))
		return status;
	status = state_problem_of(s, &sc, &next->options, &next->edits, out, e);
	scenario_free(&sc);
	return status;
}

/* The scenario of a language model becomes that of next, too; *sc is then what it was. */
static enum status make_fresh(struct state *s, const struct snapshot *next, struct scenario *sc, struct problem **out,
			      struct error *e)
{
	enum status status;

	if (!next->live)
		return state_make_problem(s, next, out, e);
	if ((status = live_dock_scenario(s, next, sc, e)))
		return status;
	return state_problem_of(s, sc, &next->options, &next->edits, out, e);
}

static void change_places(struct scenario *a, struct scenario *b)
{
	struct scenario other = *a;

	*a = *b;
	*b = other;
}

/* Computes what next asks for. On error the state is as it was. */
static enum status realise(struct state *s, const struct snapshot *next, bool all, struct error *e)
{
	struct problem *fresh = NULL;
	struct scenario other = { 0 };
	enum status status;
	enum stage from = all ? STAGE_INPUT : first_dirty(&s->now, next);

	if ((all || needs_problem(&s->now, next)) && (status = make_fresh(s, next, &other, &fresh, e))) {
		scenario_free(&other);
		return status;
	}
	struct problem *p = fresh ? fresh : s->problem;
	status = problem_check_stage(p, (enum stage)next->options.stage, e);
	compare_forget(s);
	if (fresh || from < STAGE_COUNT) {
		panel_forget(s);	/* it looks at the grid that is about to change */
		head_mean_free(&s->mean.rows);
		joined_rows_free(&s->joined);
		s->joined_failed = false;
	}
	if (!status && (fresh || from < STAGE_COUNT))
		status = grid_update(&s->grid, p, &next->options, s->tables, fresh ? STAGE_INPUT : from, e);
	if (status) {
		if (fresh)
			problem_free(fresh);
		free(fresh);
		scenario_free(&other);
		return status;
	}
	if (fresh) {
		if (next->live)
			change_places(&s->opened[next->scenario]->scenario, &other);
		long_view_forget(&s->long_view);
		if (s->problem)
			problem_free(s->problem);
		free(s->problem);
		s->problem = fresh;
		s->label_width.problem = NULL;	/* another input may stand at the same address */
	}
	scenario_free(&other);
	if (fresh || from < STAGE_COUNT) {
		long_view_change(&s->long_view);
	}
	return OK_STATUS;
}

static void free_list(char ***titles, size_t n)
{
	for (size_t i = 0; *titles && i < n; i++)
		free((*titles)[i]);
	free(*titles);
	*titles = NULL;
}

static void free_titles(struct state *s)
{
	free_list(&s->picker.titles, s->ports.builtin_count ? s->ports.builtin_count() : 0);
	free_list(&s->picker.lesson_titles, s->ports.lesson_count ? s->ports.lesson_count() : 0);
}

/* The language belongs to the process (core/message.h). */
static void use_language(struct state *s)
{
	const char *wanted = *s->now.options.lang ? s->now.options.lang : s->language;

	if (strcmp(wanted, message_in_force()) && message_use(wanted))
		free_titles(s);		/* they are read in the new one */
}

/* Puts next in force and frees what was; history is the caller's. */
static enum status go_to(struct state *s, struct snapshot *next, struct snapshot *before, struct error *e)
{
	struct seen seen = { 0 };
	enum status status;

	look_at(s, &seen);
	status = realise(s, next, false, e);
	if (!status) {
		*before = s->now;
		s->now = *next;
		*next = (struct snapshot){ 0 };
		use_language(s);
		state_settle(s);
		start_flash(s, &seen);
	}
	free(seen.values);
	free(seen.sums);
	return status;
}

static enum status adopt(struct state *s, struct snapshot *next, bool keep, struct error *e)
{
	struct snapshot before = { 0 };
	enum status status;

	/* Whoever makes other options of an input leaves a model's text as it is. */
	if (s->now.live && !next->live && next->scenario == s->now.scenario &&
	    (status = live_point_copy(&next->live, s->now.live, e)))
		return status;
	if (live_dock_is_same_head(&s->now, next) && (status = live_dock_carry(s, next, e)))
		return status;
	if (snapshot_equal(&s->now, next)) {
		snapshot_free(next);
		return OK_STATUS;
	}
	if ((status = go_to(s, next, &before, e)))
		return status;
	history_clear(&s->redo);
	if (!keep || history_push(&s->undo, &before, e))
		snapshot_free(&before);
	return OK_STATUS;
}

enum status state_adopt(struct state *s, struct snapshot *next, struct error *e)
{
	return adopt(s, next, true, e);
}

enum status state_adopt_same(struct state *s, struct snapshot *next, struct error *e)
{
	return adopt(s, next, false, e);
}

bool state_travel(struct state *s, struct history *from, struct history *to, struct error *e)
{
	struct snapshot next, before = { 0 };

	if (!from->n)
		return false;
	next = history_pop(from);
	if (go_to(s, &next, &before, e)) {
		if (history_push(from, &next, e))
			snapshot_free(&next);
		return false;
	}
	if (history_push(to, &before, e))
		snapshot_free(&before);
	return true;
}

enum status state_add_scenario(struct state *s, struct scenario *scenario, const struct options *options,
			       size_t *index, struct error *e)
{
	struct opened **v = realloc(s->opened, (s->opened_n + 1) * sizeof *v);
	struct opened *one = calloc(1, sizeof *one);
	enum status status;

	if (v)
		s->opened = v;
	if (!v || !one) {
		free(one);
		return error_set(e, E_MEMORY, "no memory for a scenario");
	}
	if ((status = options_copy(&one->options, options, e))) {
		free(one);
		return status;
	}
	one->scenario = *scenario;
	*scenario = (struct scenario){ 0 };
	*index = s->opened_n;
	s->opened[s->opened_n++] = one;
	return OK_STATUS;
}

void state_set_source(struct state *s, const char *input)
{
	struct opened *one = s->opened[s->now.scenario];

	free(one->source);
	one->source = strdup(input);
}

static void free_opened(struct opened *one)
{
	free(one->source);
	scenario_free(&one->scenario);
	options_free(&one->options);
	free(one);
}

void state_drop_scenario(struct state *s)
{
	free_opened(s->opened[--s->opened_n]);
}

/* ---- life ---- */

static void say_opened(struct state *s)
{
	const char *title = title_in(&state_scenario(s)->title, message_in_force());

	state_say(s, false, "%s%s%s; ? is the help", state_scenario(s)->name, *title ? ": " : "", title);
}

enum status state_init(struct state *s, const struct random_tables *tables, const struct ports *ports,
		       struct scenario *scenario, struct options *options, struct error *e)
{
	struct snapshot first = { 0 };
	enum status status;

	*s = (struct state){ .tables = tables, .ports = *ports, .rows = 24, .columns = 80, .mouse = true,
			     .language = message_in_force() };
	s->look = (struct look){ DEPTH_TRUE, THEME_DARK, false };
	snprintf(s->last_scale, sizeof s->last_scale, "sqrt");
	if ((status = keymap_init(&s->keymap, e)) ||
	    (status = state_add_scenario(s, scenario, options, &first.scenario, e)) ||
	    (status = edits_copy(&first.edits, &state_scenario(s)->edits, e)))
		goto failed;
	first.options = *options;
	*options = (struct options){ 0 };
	if ((status = realise(s, &first, true, e)))
		goto failed;
	s->now = first;
	use_language(s);
	state_settle(s);
	say_opened(s);
	return OK_STATUS;
failed:
	snapshot_free(&first);
	state_free(s);
	return status;
}

enum status state_restore(struct state *s, struct state *held, struct snapshot *now, const struct random_tables *tables,
			  const struct ports *ports, struct error *e)
{
	struct state fresh = { .tables = tables, .ports = *ports, .rows = 24, .columns = 80, .mouse = true,
			       .language = message_in_force() };
	enum status status = keymap_init(&fresh.keymap, e);

	if (status)
		return status;
	fresh.look = (struct look){ DEPTH_TRUE, THEME_DARK, false };
	snprintf(fresh.last_scale, sizeof fresh.last_scale, "sqrt");
	fresh.opened = held->opened;
	fresh.opened_n = held->opened_n;
	fresh.live = held->live;
	if ((status = realise(&fresh, now, true, e))) {
		keymap_free(&fresh.keymap);
		return status;
	}
	fresh.now = *now;
	fresh.undo = held->undo;
	fresh.redo = held->redo;
	memcpy(fresh.bookmark, held->bookmark, sizeof fresh.bookmark);
	fresh.pinned = held->pinned;
	fresh.lines = held->lines;
	fresh.lines_n = held->lines_n;
	fresh.row = held->row;
	fresh.column = held->column;
	*held = (struct state){ 0 };
	*now = (struct snapshot){ 0 };
	*s = fresh;
	use_language(s);
	state_settle(s);
	return OK_STATUS;
}

void state_free(struct state *s)
{
	for (size_t i = 0; i < s->opened_n; i++)
		free_opened(s->opened[i]);
	free(s->opened);
	snapshot_free(&s->now);
	history_free(&s->undo);
	history_free(&s->redo);
	for (int i = 0; i < 9; i++)
		snapshot_free(&s->bookmark[i].snapshot);
	compare_free(&s->pinned);
	head_mean_free(&s->mean.rows);
	long_view_free(&s->long_view);
	grid_free(&s->grid);
	if (s->problem)
		problem_free(s->problem);
	free(s->problem);
	joined_rows_free(&s->joined);
	keymap_free(&s->keymap);
	prompt_free(&s->prompt);
	panel_free(&s->panel);
	lesson_play_free(s->lesson);
	live_dock_free(s->live);
	free_titles(s);
	if (s->language)
		message_use(s->language);
	for (size_t i = 0; i < s->lines_n; i++)
		free(s->lines[i]);
	free(s->lines);
	free(s->found);
	free(s->flash.changed);
	free(s->flash.sum_changed);
	*s = (struct state){ 0 };
}

void state_resize(struct state *s, int rows, int columns)
{
	s->rows = rows;
	s->columns = columns;
	s->flash.on = false;
	state_settle(s);
}

void state_select(struct state *s, size_t row, size_t column)
{
	s->row = row;
	s->column = column;
	state_settle(s);
	lesson_look(s);
}

/* ---- keys ---- */

static bool is_small(const struct state *s)
{
	struct layout l;

	layout_make(&l, s);
	return l.small;
}

/* A line that nobody sees takes no keys. */
static bool is_typing(const struct state *s)
{
	return s->mode == MODE_PROMPT && !is_small(s);
}

static unsigned digit_key(struct state *s, const struct key *k)
{
	enum command c = s->mode == MODE_MARK ? CMD_MARK : CMD_RECALL;
	char digit[2] = "";

	s->mode = panel_mode(s);
	if (k->kind == KEY_CHARACTER && k->code >= '1' && k->code <= '9')
		digit[0] = (char)k->code;
	else
		state_say(s, false, c == CMD_MARK ? N_("no bookmark was set") : N_("no bookmark was chosen"));
	return *digit ? state_do(s, c, digit, c == CMD_MARK ? "M" : "'") : 0;
}

/* These work whatever is open. */
static bool is_always_taken(enum command c)
{
	return c == CMD_INTERRUPT || c == CMD_SUSPEND || c == CMD_REDRAW;
}

/* A screen that shows nothing but a notice; what is open waits. */
static unsigned small_key(struct state *s, enum command c, const char *by)
{
	if (c == CMD_QUIT)
		return EFFECT_QUIT;
	return is_always_taken(c) || c == CMD_HELP || c == CMD_CLOSE ? state_do(s, c, "", by) : 0;
}

static unsigned one_key(struct state *s, const struct key *k)
{
	char text[KEY_TEXT_SIZE];
	enum command c = keymap_find(&s->keymap, k);

	key_format(k, text);
	if (is_small(s))
		return small_key(s, c, text);
	if ((s->mode == MODE_MARK || s->mode == MODE_RECALL) && !is_always_taken(c))
		return digit_key(s, k);
	if (s->mode == MODE_PICKER && k->kind == KEY_CHARACTER && !k->modifiers && state_pick(s, k->code)) {
		state_settle(s);
		return 0;
	}
	if (lesson_key(s, k) || (k->kind == KEY_CHARACTER && !k->modifiers && panel_letter(s, k->code))) {
		state_settle(s);
		return 0;
	}
	const char *line = keymap_line(&s->keymap, k);
	if (line && s->mode == MODE_GRID)
		return prompt_run(s, line);
	if (c == CMD_COUNT) {
		state_say(s, false, "%s does nothing here; ? shows the keys", text);
		return 0;
	}
	return state_do(s, c, "", text);
}

static unsigned any_key(struct state *s, const struct key *k)
{
	struct key taken[5];
	unsigned effects = 0;

	s->flash.on = false;
	if (is_typing(s))
		return prompt_key(s, k) & ~(s->present.on ? EFFECT_SUSPEND : 0u);
	if (k->kind == KEY_PASTE) {
		state_say(s, false, "pasted text is not taken for keys; : or / take it");
		return 0;
	}
	int n = key_from_hangul(k, taken);
	for (int i = 0; i < n; i++)
		effects |= is_typing(s) ? prompt_key(s, &taken[i]) : one_key(s, &taken[i]);
	return effects;
}

unsigned state_key(struct state *s, const struct key *k)
{
	present_before(s, k);
	unsigned effects = any_key(s, k);

	lesson_look(s);
	present_after(s);
	if (effects & EFFECT_QUIT && s->lesson)		/* what is kept is the session of before */
		lesson_leave(s);
	return effects;
}

unsigned state_do(struct state *s, enum command c, const char *argument, const char *by)
{
	unsigned effects = action(s, c, argument, by);

	state_settle(s);
	return effects;
}

bool state_work(struct state *s)
{
	if (panel_work(s))
		return true;
	if (!long_view_working(s))
		return false;
	long_view_work(s);
	if (!long_view_working(s)) {
		struct layout l;
		layout_make(&l, s);
		compare_settle(s, &l);		/* all rows on screen are there to be counted */
	}
	return true;
}

bool state_working(const struct state *s)
{
	return panel_working(s) || long_view_working(s);
}
