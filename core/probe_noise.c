/* probe_noise.c - the probes of K, V and Q: positions become noise, and outputs must stay. */
#include "core/probe_parts.h"
#include "core/message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	PREFIX_TOKENS = 256, PREFIXES_FEW = 16,	/* every prefix up to that many tokens */
	COLUMN_SINGLES = 64,			/* positions tried one by one, with softmax over columns */
	SPANS = 64,				/* of outputs that move, to be named */
};

static size_t fewer(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* ---- how much there is to do ---- */

static enum array array_of(enum probe_name name)
{
	return name == PROBE_K ? ARRAY_K : name == PROBE_V ? ARRAY_V : ARRAY_Q;
}

static size_t positions(const struct probe_work *w, enum probe_name name)
{
	return name == PROBE_Q ? w->a->problem->n_q : w->a->problem->n_k;
}

static size_t most_singles(const struct probe_work *w)
{
	return w->a->columns.maximum ? COLUMN_SINGLES : PREFIX_TOKENS;
}

/* How many trials of a kind there are, if all are needed. */
static size_t trial_count(const struct probe_work *w, enum probe_name name, enum trial trial)
{
	size_t n = positions(w, name);

	switch (trial) {
	case TRIAL_PREFIX:
		return probe_spread_count(n - 1, PREFIX_TOKENS - 1, PREFIXES_FEW);
	case TRIAL_PADS:
		return w->expected.options.pad.n && name != PROBE_Q;
	case TRIAL_ROWS:
		return w->rows.n;
	case TRIAL_SINGLE:
		return probe_spread_count(n, most_singles(w), PREFIXES_FEW);
	default:
		return 1;
	}
}

static int rounds(enum trial trial)
{
	return trial == TRIAL_PREFIX ? 1 : 2;
}

static uint64_t change_cost(const struct probe_work *w, enum probe_name name)
{
	bool scans = w->a->columns.maximum && name != PROBE_V;

	return ROW_COST * (uint64_t)(scans ? w->a->problem->n_q : 1);
}

/* A guess, as under a causal mask: few rows stand before the first positions. */
static uint64_t trial_cost(const struct probe_work *w, enum probe_name name, enum trial trial, size_t index)
{
	size_t judged = trial == TRIAL_ROWS ? 1 : w->rows.n, computed = judged;

	if (trial == TRIAL_PREFIX || (trial == TRIAL_SINGLE && name != PROBE_Q))
		computed = judged * (index + 1) / trial_count(w, name, trial);
	return judged * JUDGE_COST + (uint64_t)rounds(trial) * (change_cost(w, name) + computed * ROW_COST);
}

static uint64_t trials_cost(const struct probe_work *w, enum probe_name name, enum trial trial)
{
	uint64_t cost = 0;

	for (size_t k = 0; k < trial_count(w, name, trial); k++)
		cost += trial_cost(w, name, trial, k);
	return cost;
}

uint64_t part_cost(const struct probe_work *w, enum probe_name name)
{
	uint64_t cost = 0;

	if (!variant_applies(w->a->problem, array_of(name)))
		return 0;
	for (int trial = TRIAL_LAST; trial <= TRIAL_ROWS; trial++)
		cost += trials_cost(w, name, (enum trial)trial);
	return cost;
}

/* ---- opened and closed ---- */

void part_close(struct part *t)
{
	variant_free(&t->variant);
	matrix_free(&t->noise);
	free(t->prefixes.v);
	free(t->singles.v);
	free(t->chosen);	/* the one block of all flags */
	*t = (struct part){ 0 };
}

static enum status part_flags(struct part *t, struct error *e)
{
	size_t rows = t->w->rows.n;
	bool *flags = calloc(2 * t->n + 3 * rows, sizeof *flags);

	if (!flags)
		return error_set(e, E_MEMORY, "no memory for a probe of %zu positions", t->n);
	t->chosen = flags;
	t->forbidden = flags + t->n;
	t->stays = flags + 2 * t->n;
	t->moved = t->stays + rows;
	t->compared = t->moved + rows;
	return OK_STATUS;
}

/* The first step of a part. On error it is zeroed, to be opened again. */
static enum status part_open(struct probe_work *w, struct error *e)
{
	struct part *t = &w->part;
	enum status s;

	*t = (struct part){ .w = w, .name = w->name, .array = array_of(w->name), .n = positions(w, w->name) };
	variant_init(&t->variant, w->a);
	if ((s = variant_open(&t->variant, t->array, e)) ||
	    (s = matrix_init(&t->noise, t->n, variant_matrix(&t->variant, t->array)->columns, e)) ||
	    (s = probe_spread(&t->prefixes, 1, t->n - 1, PREFIX_TOKENS - 1, PREFIXES_FEW, e)) ||
	    (s = probe_spread(&t->singles, 0, t->n, most_singles(w), PREFIXES_FEW, e)) ||
	    (s = part_flags(t, e)))
		part_close(t);
	return s;
}

/* ---- one trial ---- */

/* All the noise at once would take as long as several rows. */
static void draw_some(struct part *t)
{
	size_t columns = t->noise.columns, some = fewer(t->n - t->drawn, t->n / 8 + 1);

	noise_draw(t->noise.v + t->drawn * columns, some * columns, &t->w->stream);
	t->drawn += some;
	if (t->drawn == t->n)
		t->next = PART_CHOOSE;
}

/* What row i must not depend on: keys that ought to be hidden; any other query. */
static void find_forbidden(struct part *t, size_t i)
{
	if (t->name != PROBE_Q)
		probe_expected_rules(t->w, i);
	for (size_t x = 0; x < t->n; x++)
		t->forbidden[x] = t->name == PROBE_Q ? x != i : mask_hides(t->w->rules[x]);
}

static bool none_is_seen(const struct part *t)
{
	for (size_t x = 0; x < t->n; x++)
		if (t->chosen[x] && !t->forbidden[x])
			return false;
	return true;
}

/* The chosen positions get their noise times sign, the others their own numbers. */
static enum status change(struct part *t, double sign, struct error *e)
{
	const struct matrix *own = problem_array(t->w->a->problem, t->array, t->w->a->head);
	struct matrix *m = variant_matrix(&t->variant, t->array);

	for (size_t x = 0; x < t->n; x++)
		for (size_t c = 0; c < m->columns; c++) {
			size_t at = x * m->columns + c;
			m->v[at] = t->chosen[x] ? sign * t->noise.v[at] : matrix_at(own, x, c);
		}
	return variant_update(&t->variant, t->w->tables, e);
}

static bool recompute(struct part *t, size_t k)
{
	struct probe_work *w = t->w;

	row_compute(&w->row, &t->variant.attention, w->rows.v[k], STAGE_SCORES, STAGE_OUTPUT);
	return probe_compare(matrix_row(&w->before, k, NULL), w->row.output, w->before.columns, &t->difference);
}

static void choose_from(struct part *t, size_t first, bool only)
{
	for (size_t x = 0; x < t->n; x++)
		t->chosen[x] = only ? x == first : x >= first;
}

/* All that the one row of this trial must not see. */
static void choose_forbidden(struct part *t)
{
	find_forbidden(t, t->w->rows.v[t->index]);
	memcpy(t->chosen, t->forbidden, t->n * sizeof *t->chosen);
}

static void choose_pads(struct part *t)
{
	for (size_t x = 0; x < t->n; x++)
		t->chosen[x] = list_has(&t->w->expected.options.pad, (long)x);
}

/* Begins a trial: which positions become noise, and which rows may stay. */
static void choose(struct part *t)
{
	switch (t->trial) {
	case TRIAL_PREFIX:
		choose_from(t, t->prefixes.v[t->index], false);
		break;
	case TRIAL_PADS:
		choose_pads(t);
		break;
	case TRIAL_ROWS:
		choose_forbidden(t);
		break;
	case TRIAL_SINGLE:
		choose_from(t, t->singles.v[t->index], true);
		break;
	default:
		choose_from(t, t->n - 1, true);
	}
	probe_plan(t->w, trial_cost(t->w, t->name, t->trial, t->index));
	t->from = t->trial == TRIAL_ROWS ? t->index : 0;
	t->to = t->trial == TRIAL_ROWS ? t->index + 1 : t->w->rows.n;
	t->at = t->from;
	t->staying = 0;
	t->round = 0;
	t->next = PART_JUDGE;
}

static bool any_chosen(const struct part *t)
{
	for (size_t x = 0; x < t->n; x++)
		if (t->chosen[x])
			return true;
	return false;
}

/* Whether the next row sees none of what is chosen. */
static void judge_row(struct part *t)
{
	size_t k = t->at++;

	find_forbidden(t, t->w->rows.v[k]);
	t->stays[k] = none_is_seen(t);
	t->moved[k] = false;
	t->staying += t->stays[k];
	probe_spend(t->w, JUDGE_COST);
}

/* A pair, when one position alone was tried. */
static void note_pair(struct part *t, size_t k)
{
	struct probe_check *c = &t->check;

	if (c->faults < PROBE_PAIRS)
		c->pair[c->faults] = (struct probe_pair){ t->w->rows.v[k], t->singles.v[t->index] };
	c->faults++;
}

static bool any_leak(const struct part *t)
{
	for (int k = 0; k < TRIAL_COUNT; k++)
		if (t->tried[k].moved)
			return true;
	return false;
}

static void count_trial(struct part *t)
{
	bool leaked = any_leak(t);

	for (size_t k = t->from; k < t->to; k++) {
		if (!t->stays[k])
			continue;
		t->compared[k] = true;
		t->tried[t->trial].compared++;
		if (!t->moved[k])
			continue;
		t->tried[t->trial].moved++;
		t->w->report.moved[t->w->rows.v[k]] |= (uint8_t)(1 << t->name);
		if (t->trial == TRIAL_SINGLE)
			note_pair(t, k);
	}
	if (!leaked && any_leak(t))	/* the pairs will have to be named */
		t->w->left += trials_cost(t->w, t->name, TRIAL_SINGLE);
}

/* To the next trial; false after the last. The pairs are looked for only when
 * something moved. */
static bool next_trial(struct part *t)
{
	t->next = PART_CHOOSE;
	t->index++;
	while (t->index >= trial_count(t->w, t->name, t->trial) || (t->trial == TRIAL_SINGLE && !any_leak(t))) {
		t->index = 0;
		if (++t->trial == TRIAL_COUNT)
			return false;
	}
	return true;
}

static size_t next_staying(const struct part *t, size_t k)
{
	while (k < t->to && !t->stays[k])
		k++;
	return k;
}

/* Compares the next row; true after the trial's last. */
static bool compare_row(struct part *t)
{
	size_t k = next_staying(t, t->at);

	if (recompute(t, k))
		t->moved[k] = true;
	probe_spend(t->w, ROW_COST);
	t->at = k + 1;
	if (next_staying(t, t->at) < t->to)
		return false;
	if (++t->round == rounds(t->trial))
		return true;
	t->next = PART_CHANGE;
	return false;
}

static enum status change_round(struct part *t, struct error *e)
{
	enum status s = change(t, t->round ? -1 : 1, e);

	if (s)
		return s;
	probe_spend(t->w, change_cost(t->w, t->name));
	t->at = t->from;
	t->next = PART_COMPARE;
	return OK_STATUS;
}

/* *over after the last trial. */
static enum status trial_step(struct part *t, bool *over, struct error *e)
{
	bool trial_over = false;

	switch (t->next) {
	case PART_DRAW:
		draw_some(t);
		break;
	case PART_CHOOSE:
		choose(t);
		trial_over = !any_chosen(t);
		break;
	case PART_JUDGE:
		judge_row(t);
		if (t->at < t->to)
			break;
		t->next = PART_CHANGE;
		trial_over = !t->staying;
		break;
	case PART_CHANGE:
		return change_round(t, e);
	case PART_COMPARE:
		trial_over = compare_row(t);
		if (trial_over)
			count_trial(t);
	}
	*over = trial_over && !next_trial(t);
	return OK_STATUS;
}

/* ---- what a probe found ---- */

static char letter(enum probe_name n)
{
	return "KVQ"[n - PROBE_K];
}

static const char *position(const struct part *t)
{
	return t->name == PROBE_Q ? _("query") : _("key");
}

/* "last token 3 of 3, 3 prefixes 6 of 6, ...": outputs that moved, of those compared. */
static void say_trials(struct part *t)
{
	const char *const what[] = {
		_("last token"), t->prefixes.n == 1 ? _("prefix") : _("prefixes"), _("pad tokens"),
		t->name == PROBE_Q ? _("all other queries") : _("all that a row must not see"),
	};
	bool first = true;

	for (int k = TRIAL_LAST; k <= TRIAL_ROWS; k++) {
		if (!t->tried[k].compared)
			continue;
		if (!first)
			probe_say(t->check.detail, ", ");
		if (k == TRIAL_PREFIX && t->prefixes.n > 1 && t->n <= PREFIX_TOKENS)
			probe_say(t->check.detail, "all ");
		if (k == TRIAL_PREFIX)
			probe_say(t->check.detail, "%zu ", t->prefixes.n);
		probe_say(t->check.detail, "%s %zu of %zu", what[k], t->tried[k].moved, t->tried[k].compared);
		first = false;
	}
}

/* Ascending rows in few words, "0-2 5 7-9". */
struct spans { size_t first, last, count; };

static void say_row(char *detail, struct spans *s, size_t row)
{
	if (s->count && row == s->last + 1) {
		s->last = row;
		return;
	}
	if (s->last > s->first)
		probe_say(detail, "-%zu", s->last);
	probe_say(detail, s->count ? " %zu" : "%zu", row);
	*s = (struct spans){ row, row, s->count + 1 };
}

static void say_last_row(char *detail, const struct spans *s)
{
	if (s->last > s->first)
		probe_say(detail, "-%zu", s->last);
}

/* Every output that moves, where the pairs do not name them all. */
static void say_outputs(struct part *t)
{
	const struct probe_report *report = &t->w->report;
	struct spans s = { 0 };
	size_t i;

	probe_say(t->check.detail, "; %s ", _("outputs"));
	for (i = 0; i < report->n_q && s.count < SPANS; i++)
		if (report->moved[i] & 1 << t->name)
			say_row(t->check.detail, &s, i);
	say_last_row(t->check.detail, &s);
	if (i < report->n_q)
		probe_say(t->check.detail, ", ...");
}

static void say_pairs(struct part *t)
{
	const struct probe_check *c = &t->check;
	const struct probe_pair *pair = c->pair;
	char *detail = t->check.detail;

	if (!c->faults) {
		probe_say(detail, "no %s alone moves an output that must not see it, but several together do", position(t));
		say_outputs(t);
		return;
	}
	probe_say(detail, "%zu of %zu pairs leak: %c of %s %zu moves output %zu", c->faults, c->of, letter(t->name),
		  position(t), pair[0].other, pair[0].row);
	struct spans s = { pair[0].row, pair[0].row, 1 };
	for (size_t k = 1; k < fewer(c->faults, PROBE_PAIRS); k++) {
		if (pair[k].other == pair[k - 1].other) {
			say_row(detail, &s, pair[k].row);
			continue;
		}
		say_last_row(detail, &s);
		probe_say(detail, ", %s %zu output %zu", position(t), pair[k].other, pair[k].row);
		s = (struct spans){ pair[k].row, pair[k].row, 1 };
	}
	say_last_row(detail, &s);
	if (c->faults > PROBE_PAIRS) {
		probe_say(detail, ", ...");
		say_outputs(t);
	}
}

/* Why a leak looks as it does, where that is known. */
static void say_cause(struct part *t)
{
	char *detail = t->check.detail;

	if (t->difference.broke && t->w->a->options.mask_at == MASK_AFTER_RENORM)
		probe_say(detail, "; a hidden score takes the whole row before the mask removes it: 0/0");
	else if (t->difference.broke)
		probe_say(detail, "; finite outputs became nan or infinite");
	if (t->difference.healed)
		probe_say(detail, "; outputs lost their nan: a nan or inf in what is hidden reaches them (0 x inf), "
			  "no mask stops that");
}

static bool all_nan(const double *x, size_t n)
{
	for (size_t c = 0; c < n; c++)
		if (!isnan(x[c]))
			return false;
	return true;
}

/* Rows whose output is nan whatever happens: a probe tells nothing of them. */
static size_t count_nan(const struct part *t, size_t *compared)
{
	size_t nan = 0;

	*compared = 0;
	for (size_t k = 0; k < t->w->rows.n; k++) {
		*compared += t->compared[k];
		nan += t->compared[k] && all_nan(matrix_row(&t->w->before, k, NULL), t->w->before.columns);
	}
	return nan;
}

static void tell_part(struct part *t)
{
	struct probe_check *c = &t->check;
	bool leaks = any_leak(t);
	size_t compared, nan = count_nan(t, &compared);

	c->largest = t->difference.largest;
	c->same_bits = !t->difference.bits;
	if (!compared) {
		c->ok = ANSWER_NONE;
		if (t->name == PROBE_Q)
			probe_say(c->detail, "there is one query only");
		else
			probe_say(c->detail, "there is no key that a row must not see");
		return;
	}
	if (leaks)
		c->of = t->tried[TRIAL_SINGLE].compared;
	c->ok = leaks ? ANSWER_NO : nan == compared ? ANSWER_NONE : ANSWER_YES;
	if (leaks)
		say_pairs(t);
	else
		probe_say(c->detail, "no output moves that must not see the changed %c", letter(t->name));
	probe_say(c->detail, " (moved: ");
	say_trials(t);
	probe_say(c->detail, "); ");
	if (c->same_bits)
		probe_say(c->detail, "equal bit for bit");
	else
		probe_say(c->detail, "largest change %.3g", c->largest);
	if (leaks)
		say_cause(t);
	if (t->w->stand_in.heads)
		probe_say(c->detail, "; V is the identity, %d random columns stand for it", STAND_IN_COLUMNS);
	if (nan)
		probe_say(c->detail, "; %s of these outputs are nan, which nothing moves", nan == compared ? _("all") : _("some"));
	probe_say_spread(c->detail, t->w->rows.n, t->w->a->problem->n_q, _("outputs"));
}

static void tell_absent(struct probe_check *c, const struct problem *p, enum probe_name name)
{
	c->ok = ANSWER_NONE;
	probe_say(c->detail, "%s are given: there is no %c to change",
		  p->source == SOURCE_SCORES ? _("scores") : _("finished weights"), letter(name));
}

enum status part_step(struct probe_work *w, bool *over, struct error *e)
{
	struct probe_check *check = &w->report.check[w->name];
	enum status s;

	*over = false;
	if (!variant_applies(w->a->problem, array_of(w->name))) {
		tell_absent(check, w->a->problem, w->name);
		*over = true;
		return OK_STATUS;
	}
	if (!w->part.w)
		return part_open(w, e);
	if ((s = trial_step(&w->part, over, e)) || !*over)
		return s;
	tell_part(&w->part);
	*check = w->part.check;
	part_close(&w->part);
	return OK_STATUS;
}
