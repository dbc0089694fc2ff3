/* player_check.c - what a player's state is to be after some keys, and numbers to compare it with. */
#include "tests/player_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double causal_weights[9] = {
	1, 0, 0,
	0.2689414213699951, 0.7310585786300049, 0,
	0.6590011388859679, 0.24243297070471392, 0.09856589040931818,
};

const double plain_weights[9] = {
	0.6590011388859679, 0.24243297070471392, 0.09856589040931818,
	0.24243297070471392, 0.6590011388859679, 0.09856589040931818,
	0.6590011388859679, 0.24243297070471392, 0.09856589040931818,
};

const double random_weights[16] = {
	1, 0, 0, 0,
	0.8268005366594608, 0.1731994633405391, 0, 0,
	0.34008576684329156, 0.4125508075089344, 0.24736342564777408, 0,
	0.10217107040752102, 0.030982725502043777, 0.6839274533500317, 0.18291875074040354,
};

void is_near(double got, double wanted)
{
	if (isnan(wanted) ? isnan(got) : fabs(got - wanted) <= 1e-12 || got == wanted)
		return;
	fail_msg("%.17g instead of %.17g", got, wanted);
}

void shows(struct player *p, const double *wanted, size_t rows, size_t columns)
{
	size_t r, c;

	state_shape(&p->state, &r, &c);
	assert_int_equal(r, rows);
	assert_int_equal(c, columns);
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < columns; j++)
			is_near(player_value(p, i, j), wanted[i * columns + j]);
}

void option_is(struct player *p, enum option o, const char *wanted)
{
	struct buffer now = { 0 };

	option_text(&p->state.now.options, o, &now);
	if (strcmp(now.data, wanted))
		fail_msg("%s is %s instead of %s", option_info(o)->name, now.data, wanted);
	buffer_free(&now);
}

void says(struct player *p, bool is_error, const char *what)
{
	if (p->state.sentence_is_error != is_error || !strstr(p->state.sentence, what))
		fail_msg("'%s' (%s) does not say '%s'", p->state.sentence, p->state.sentence_is_error ? "error" : "fine", what);
}

void cursor_is(struct player *p, size_t row, size_t column)
{
	if (p->state.row != row || p->state.column != column)
		fail_msg("the cursor is at %zu:%zu instead of %zu:%zu", p->state.row, p->state.column, row, column);
	assert_null(state_fault(&p->state));
}

static void add_row(struct numbers *all, const double *v, size_t n)
{
	all->v = realloc(all->v, (all->n + n) * sizeof *v);
	assert_non_null(all->v);
	memcpy(all->v + all->n, v, n * sizeof *v);
	all->n += n;
}

struct numbers compute_all(struct player *p)
{
	struct numbers all = { 0 };
	const struct attention *a = &p->state.grid.attention;

	for (size_t i = 0; i < p->state.problem->n_q; i++) {
		const struct row *r = grid_row(&p->state.grid, i, STAGE_OUTPUT);
		for (int stage = STAGE_SCORES; stage <= STAGE_OUTPUT; stage++) {
			size_t n;
			const double *v = row_stage(r, a, (enum stage)stage, &n);
			if (attention_has_stage(a, (enum stage)stage))
				add_row(&all, v, n);
		}
		add_row(&all, &r->sum, 1);
	}
	return all;
}

static bool same_numbers(const struct numbers *a, const struct numbers *b)
{
	if (a->n != b->n)
		return false;
	for (size_t k = 0; k < a->n; k++)
		if (memcmp(a->v + k, b->v + k, sizeof *a->v) && !(isnan(a->v[k]) && isnan(b->v[k])))
			return false;
	return true;
}

bool computes(struct player *p, const struct numbers *wanted)
{
	struct numbers now = compute_all(p);
	bool same = same_numbers(&now, wanted);

	free(now.v);
	return same;
}

struct snapshot copy_of(const struct snapshot *from)
{
	struct snapshot copy;
	struct error e = { 0 };

	assert_int_equal(snapshot_copy(&copy, from, &e), OK_STATUS);
	return copy;
}

void refused(struct player *p, const char *command, const char *why)
{
	struct snapshot before = copy_of(&p->state.now);
	struct numbers numbers = compute_all(p);
	size_t undo = p->state.undo.n, opened = p->state.opened_n;

	player_command(p, command);
	says(p, true, why);
	assert_true(snapshot_equal(&p->state.now, &before));
	assert_true(computes(p, &numbers));
	assert_int_equal(p->state.undo.n, undo);
	assert_int_equal(p->state.opened_n, opened);
	snapshot_free(&before);
	free(numbers.v);
}

void prompt_is(struct player *p, const char *text)
{
	assert_int_equal(p->state.mode, MODE_PROMPT);
	assert_string_equal(p->state.prompt.text, text);
}

void set_value(struct player *p, const char *text)
{
	player_keys(p, "<Enter> <C-u>");
	player_type(p, text);
	player_keys(p, "<Enter>");
}
