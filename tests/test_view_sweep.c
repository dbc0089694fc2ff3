/* test_view_sweep.c - the d_k experiment on the screen: every number is read back.
 *
 * The lesson's numbers are those that NumPy prints for its script with seed 0;
 * others are compared with what core/sweep.h says, which test_sweep.c checks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"
#include "tests/player.h"
#include "tui/layout.h"

/* ---- the picture as text ---- */

enum { LINE = 2048, FIELDS = 40, FIELD = 64 };

static void draw(struct player *p)
{
	const char *fault;

	player_draw(p);
	if ((fault = cells_fault(&p->cells)) || (fault = state_fault(&p->state)))
		fail_msg("%d x %d: %s", p->state.columns, p->state.rows, fault);
}

/* Part of a row, from column `from` up to `to`; in the panel every column is one character. */
static void part_of(struct player *p, int row, int from, int to, char out[LINE])
{
	size_t n = 0;

	for (int x = from; x < to && x < p->cells.columns; x++) {
		const struct cell *cell = cells_at(&p->cells, row, x);
		if (cell->width)
			n += utf8_encode(cell->code[0], out + n);
	}
	out[n] = '\0';
}

/* The column where a text begins in a row; -1 when it does not. */
static int find_in(struct player *p, int row, int from, const char *text)
{
	char rest[LINE];
	const char *found;

	part_of(p, row, from, p->cells.columns, rest);
	if (!(found = strstr(rest, text)))
		return -1;
	for (const char *at = rest; at < found; at++)
		from += (*at & 0xc0) != 0x80;	/* bytes that begin a character */
	return from;
}

/* The first row of the panel, from `row` on, with a text; -1 when there is none. */
static int find_row(struct player *p, int row, const char *text)
{
	struct layout l;

	layout_make(&l, &p->state);
	for (int y = row > l.panel ? row : l.panel; y < l.panel + l.panel_rows; y++)
		if (find_in(p, y, 0, text) >= 0)
			return y;
	return -1;
}

static bool shows(struct player *p, const char *text)
{
	return find_row(p, 0, text) >= 0;
}

/* All of the picture, to be freed. */
static char *picture(struct player *p, int but_row)
{
	struct buffer b = { 0 };
	char line[LINE];

	draw(p);
	for (int y = 0; y < p->cells.rows; y++) {
		part_of(p, y, 0, p->cells.columns, line);
		buffer_format(&b, "%s\n", y == but_row ? "" : line);
	}
	assert_false(b.failed);
	return b.data;
}

struct fields {
	char v[FIELDS][FIELD];
	size_t n;
};

/* What stands between blanks. */
static void split(const char *text, struct fields *f)
{
	for (f->n = 0; *(text += strspn(text, " ")); f->n++) {
		size_t n = strcspn(text, " ");
		assert_true(f->n < FIELDS && n < FIELD);
		snprintf(f->v[f->n], FIELD, "%.*s", (int)n, text);
		text += n;
	}
}

static void fields_of(struct player *p, int row, int from, int to, struct fields *f)
{
	char text[LINE];

	part_of(p, row, from, to, text);
	split(text, f);
}

static const struct sweep *sweep_of(struct player *p)
{
	assert_int_equal(p->state.panel.kind, PANEL_SWEEP);
	return &p->state.panel.sweep.run;
}

static void run_all(struct player *p)
{
	while (state_work(&p->state))
		;
	draw(p);
}

static void resize(struct player *p, int columns, int rows)
{
	state_resize(&p->state, rows, columns);
	draw(p);
}

static void says(struct player *p, bool is_error, const char *what)
{
	if (p->state.sentence_is_error != is_error || !strstr(p->state.sentence, what))
		fail_msg("'%s' (%s) does not say '%s'", p->state.sentence, p->state.sentence_is_error ? "error" : "fine", what);
}

/* ---- reading it back ---- */

/* As np.round(x, 3) prints; what only rounds to zero is ~0. */
static void expected_text(double x, char out[FIELD])
{
	snprintf(out, FIELD, "%.3f", x);
	for (size_t n = strlen(out); out[n - 1] == '0' && out[n - 2] != '.';)
		out[--n] = '\0';
	if (!strcmp(out, "0.0") && x != 0)
		snprintf(out, FIELD, "~0");
}

static const char *mark(struct player *p)
{
	return state_look(&p->state).ascii ? "." : "\u00b7";
}

static void is_number(struct player *p, const char *field, double x, bool known)
{
	char wanted[FIELD];

	expected_text(x, wanted);
	if (strcmp(field, known ? wanted : mark(p)))
		fail_msg("'%s' instead of '%s' at %d x %d", field, known ? wanted : mark(p), p->state.columns, p->state.rows);
}

static void is_size(const char *field, size_t d_k)
{
	char wanted[FIELD];

	snprintf(wanted, sizeof wanted, "%zu", d_k);
	assert_string_equal(field, wanted);
}

/* Rows shown and rows counted make the whole list. */
static bool is_rest(const struct fields *f, size_t shown, size_t count)
{
	char wanted[FIELD];

	if (!f->n || f->v[0][0] != '+')
		return false;
	snprintf(wanted, sizeof wanted, "+%zu", count - shown);
	assert_string_equal(f->v[0], wanted);
	assert_string_equal(f->v[1], "more");
	return true;
}

struct table { int row, measures, std_row, std_from; };

/* The head of the table, and where the std stands: beside it, below, or nowhere. */
static struct table find_table(struct player *p)
{
	struct table t = { .row = find_row(p, 0, "d_k  none"), .std_from = p->cells.columns, .std_row = -1 };
	struct fields f;

	assert_true(t.row >= 0);
	int beside = find_in(p, t.row, 6, "d_k  std");
	if (beside >= 0) {
		t.std_from = beside - 3;
		t.std_row = t.row;
	}
	fields_of(p, t.row, 0, t.std_from, &f);
	t.measures = (int)f.n - 1;
	assert_string_equal(f.v[0], "d_k");
	assert_string_equal(f.v[1], "none");
	for (int y = t.row + 1; y < p->cells.rows && t.std_row < 0; y++)
		if (find_in(p, y, 0, "d_k  std ") >= 0 && find_in(p, y, 0, "unscaled") < 0)
			t.std_row = y;
	return t;
}

/* The numbers of one d_k, with their sd where that is shown; returns how many sd there were. */
static int check_line(struct player *p, const struct fields *f, size_t item, int measures)
{
	const struct sweep *s = sweep_of(p);
	size_t at = 1;
	int with_sd = 0;

	is_size(f->v[0], s->request.d_k.v[item]);
	for (int m = 0; m < measures; m++) {
		is_number(p, f->v[at++], sweep_mean(s, item, m), sweep_repeats_done(s, item));
		size_t sign = !strncmp(f->v[at], "\u00b1", 2) || !strncmp(f->v[at], "+-", 2) ? 2 : 0;
		if (at < f->n && sign) {
			assert_true(sweep_repeats_done(s, item) > 1);
			is_number(p, f->v[at++] + sign, sweep_sd(s, item, m), true);
			with_sd++;
		}
	}
	assert_int_equal(at, f->n);
	return with_sd;
}

/* Every line of the table; returns the d_k that are shown. */
static size_t check_table(struct player *p, const struct table *t)
{
	const struct sweep *s = sweep_of(p);
	size_t shown = 0, count = s->request.d_k.count;
	struct fields f;

	for (; shown < count; shown++) {
		fields_of(p, t->row + 1 + (int)shown, 0, t->std_from, &f);
		if (is_rest(&f, shown, count))
			return shown;
		check_line(p, &f, shown, t->measures);
	}
	return shown;
}

static size_t check_std(struct player *p, const struct table *t)
{
	const struct sweep *s = sweep_of(p);
	int from = t->std_row == t->row ? t->std_from : 0;
	size_t shown = 0, count = s->request.std_d_k.count;
	struct fields f;

	for (; t->std_row >= 0 && shown < count; shown++) {
		fields_of(p, t->std_row + 1 + (int)shown, from, p->cells.columns, &f);
		if (is_rest(&f, shown, count))
			return shown;
		assert_int_equal(f.n, p->cells.columns < 26 ? 2 : 3);
		is_size(f.v[0], s->request.std_d_k.v[shown]);
		is_number(p, f.v[1], s->std[shown], shown < sweep_std_done(s));
		if (f.n > 2)
			is_number(p, f.v[2], sqrt((double)s->request.std_d_k.v[shown]), true);
	}
	return shown;
}

/* The place of a d_k in a list, or the list's length. */
static size_t find_size(const struct sweep_sizes *l, size_t d_k)
{
	size_t k = 0;

	while (k < l->count && l->v[k] != d_k)
		k++;
	return k;
}

static void check_note(struct player *p, const struct fields *f, size_t item, size_t std)
{
	const struct sweep *s = sweep_of(p);
	bool known = sweep_repeats_done(s, item);

	assert_int_equal(f->n, 5);
	is_size(f->v[0], s->request.d_k.v[item]);
	if (!p->state.panel.sweep.revealed) {
		for (int k = 1; k < 5; k++)
			assert_string_equal(f->v[k], "____");
		return;
	}
	is_number(p, f->v[1], sweep_mean(s, item, SWEEP_LARGEST + SWEEP_NONE), known);
	is_number(p, f->v[2], sweep_mean(s, item, SWEEP_LARGEST + SWEEP_SQRT), known);
	is_number(p, f->v[3], s->std[std], std < sweep_std_done(s));
	is_number(p, f->v[4], sqrt((double)s->request.d_k.v[item]), true);
}

/* The table to be filled: the d_k that are in both lists. */
static size_t check_notebook(struct player *p)
{
	const struct sweep_request *r = &sweep_of(p)->request;
	int row = find_row(p, 0, "unscaled scaled");
	size_t common = 0, shown = 0;
	struct fields f;

	for (size_t k = 0; k < r->d_k.count; k++)
		common += find_size(&r->std_d_k, r->d_k.v[k]) < r->std_d_k.count;
	if (row < 0)
		return 0;
	int x = find_in(p, row, 4, "d_k ") - 3;
	if (find_in(p, row, 0, "d_k") < 4)	/* nothing beside it */
		x = 0;
	for (size_t k = 0; k < r->d_k.count; k++) {
		size_t std = find_size(&r->std_d_k, r->d_k.v[k]);
		if (std == r->std_d_k.count)
			continue;
		fields_of(p, row + 1 + (int)shown, x, p->cells.columns, &f);
		if (is_rest(&f, shown, common))
			return shown;
		check_note(p, &f, k, std);
		shown++;
	}
	return shown;
}

static const char *const sentence[] = {
	"As d_k grows, softmax without the scale ________, because the variance of the dot product is "
	"proportional to ________.",
	"As d_k grows, softmax without the scale piles up on one key, because the variance of the dot product is "
	"proportional to d_k.",
};

/* The sentence is whole or not there. */
static bool check_sentence(struct player *p)
{
	int row = find_row(p, 0, "As d_k "), x;
	char text[LINE] = "", line[LINE];
	struct fields f;

	if (row < 0)
		return false;
	for (x = find_in(p, row, 0, "As d_k "); row < p->cells.rows && !strchr(text, '.'); row++) {
		part_of(p, row, x, p->cells.columns, line);
		split(line, &f);
		for (size_t k = 0; k < f.n; k++)
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? " " : "", f.v[k]);
	}
	assert_string_equal(text, sentence[p->state.panel.sweep.revealed]);
	return true;
}

static const char *const glyph[SWEEP_SCALE_COUNT] = { "\u25cf", "\u25a0", "\u25b2" };

struct plot { int top, rows, labels; };

static struct plot find_plot(struct player *p)
{
	struct plot g = { .top = -1 };
	char at[LINE];

	for (int y = 0; y < p->cells.rows; y++) {
		part_of(p, y, 3, 4, at);
		if (strcmp(at, "\u2502"))
			continue;
		g.top = g.top < 0 ? y : g.top;
		g.rows++;
	}
	g.labels = g.top + g.rows;
	return g;
}

/* The next point of a series right of a column, and its row. */
static int next_point(struct player *p, const struct plot *g, int scale, int from, int *row)
{
	int best = p->cells.columns;

	for (int y = g->top; y < g->top + g->rows; y++) {
		int x = find_in(p, y, from, glyph[scale]);
		if (x >= 0 && x < best) {
			best = x;
			*row = y;
		}
	}
	return best < p->cells.columns ? best : -1;
}

/* Every point of a series is as high as its mean; returns how many there are. */
static size_t check_series(struct player *p, const struct plot *g, int scale)
{
	const struct sweep *s = sweep_of(p);
	size_t points = 0, last = 0;
	char label[LINE];

	for (int x = -1, row = 0; (x = next_point(p, g, scale, x + 1, &row)) >= 0; points++) {
		int at = x + 1 - scale;		/* the middle one stands above its label */
		size_t k = 0;
		for (; k < s->request.d_k.count; k++) {
			int width = snprintf(label, sizeof label, "%zu", s->request.d_k.v[k]);
			char there[LINE];
			part_of(p, g->labels, at - width / 2 - 1, at - width / 2 + width + 1, there);
			if (there[0] == ' ' && !strncmp(there + 1, label, (size_t)width) &&
			    (there[1 + width] == ' ' || !there[1 + width]))
				break;
		}
		assert_true(k < s->request.d_k.count && sweep_repeats_done(s, k));
		assert_true(s->request.d_k.v[k] > last);
		last = s->request.d_k.v[k];
		double height = (double)(g->labels - 1 - row) / (g->rows - 1);
		assert_true(fabs(height - sweep_mean(s, k, scale)) <= 0.5 / (g->rows - 1) + 1e-9);
	}
	return points;
}

/* Returns the d_k that have points; all three series have as many. */
static size_t check_plot(struct player *p)
{
	struct plot g = find_plot(p);
	size_t points;

	if (g.top < 0)
		return 0;
	points = check_series(p, &g, SWEEP_NONE);
	assert_int_equal(check_series(p, &g, SWEEP_SQRT), points);
	assert_int_equal(check_series(p, &g, SWEEP_DK), points);
	return points;
}

struct seen { size_t lines, std, notes, points; int measures; bool sentence; };

/* Reads everything back. */
static struct seen check_all(struct player *p)
{
	struct seen seen = { 0 };

	draw(p);
	struct table t = find_table(p);
	seen.measures = t.measures;
	seen.lines = check_table(p, &t);
	seen.std = check_std(p, &t);
	seen.notes = check_notebook(p);
	seen.sentence = check_sentence(p);
	seen.points = state_look(&p->state).ascii ? 0 : check_plot(p);
	return seen;
}

/* ---- the lesson's experiment ---- */

static const char *const unscaled[] = { "0.367", "0.718", "0.761", "0.88", "0.986" };
static const char *const scaled[] = { "0.208", "0.254", "0.238", "0.213", "0.266" };
static const char *const stds[] = { "1.979", "8.095", "31.914" };
static const char *const roots[] = { "2.0", "8.0", "32.0" };
static const char *const sizes[] = { "4", "16", "64", "256", "1024" };

static void numbers_of_the_lesson(void **state)
{
	struct player p;
	struct fields f;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "w");
	run_all(&p);
	struct seen seen = check_all(&p);
	assert_int_equal(seen.measures, SWEEP_MEASURE_COUNT);
	assert_int_equal(seen.lines, 5);
	assert_int_equal(seen.std, 3);
	assert_int_equal(seen.notes, 3);
	assert_int_equal(seen.points, 5);
	assert_true(seen.sentence);
	struct table t = find_table(&p);
	for (int k = 0; k < 5; k++) {
		fields_of(&p, t.row + 1 + k, 0, p.cells.columns, &f);
		assert_string_equal(f.v[0], sizes[k]);
		assert_string_equal(f.v[1], unscaled[k]);
		assert_string_equal(f.v[2], scaled[k]);
		if (k >= 3)
			continue;
		assert_string_equal(f.v[7], sizes[2 * k]);
		assert_string_equal(f.v[8], stds[k]);
		assert_string_equal(f.v[9], roots[k]);
	}
	assert_true(shows(&p, "seed 0  n 16  repeats 1"));
	assert_true(shows(&p, "std of q\u00b7k, 10000 pairs"));
	assert_true(shows(&p, "uniform 1/16"));
	assert_true(shows(&p, "Does unscaled approach 1?"));
	assert_true(shows(&p, "Does scaled stay put?"));
	assert_true(shows(&p, "Is std / \u221ad_k near 1?"));
	player_close(&p);
}

/* Marks where numbers will be, and an empty picture. */
static void nothing_is_known_before(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "w <Space>");
	struct seen seen = check_all(&p);
	assert_int_equal(seen.lines, 5);
	assert_int_equal(seen.notes, 3);
	assert_int_equal(seen.points, 0);
	for (int k = 0; k < 5; k++)
		assert_false(shows(&p, unscaled[k]) || shows(&p, scaled[k]));
	for (int k = 0; k < 3; k++)
		assert_false(shows(&p, stds[k]));
	assert_false(shows(&p, "nan"));
	assert_false(shows(&p, " to 0."));
	player_close(&p);
}

/* Drawn after every piece: what is known is there, the rest is not, and it only grows. */
static void grows_piece_by_piece(void **state)
{
	struct player p;
	size_t points = 0, steps = 0;

	(void)state;
	player_open(&p, "causal-3");
	player_command(&p, "sweep n 64 repeats 3 d-k 4,16,64,256 pairs 3000");
	player_keys(&p, "<Space>");
	do {
		struct seen seen = check_all(&p);
		assert_true(seen.points >= points);
		steps += seen.points > points;
		points = seen.points;
		if (panel_working(&p.state))
			assert_true(shows(&p, "%"));
		if (sweep_repeats_done(sweep_of(&p), 3) == 2)
			assert_true(shows(&p, "repeats 2 of 3"));
	} while (state_work(&p.state));
	assert_int_equal(points, 4);
	assert_true(steps > 1);
	draw(&p);
	assert_true(shows(&p, "repeats 3 "));
	player_close(&p);
}

static void space_reveals_and_hides(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "w");
	run_all(&p);
	char *before = picture(&p, -1);
	assert_true(shows(&p, "____"));
	player_keys(&p, "<Space>");
	assert_int_equal(check_all(&p).notes, 3);
	assert_false(shows(&p, "____"));
	assert_true(shows(&p, "0.367 \u2192 0.986"));
	assert_true(shows(&p, "0.208 to 0.266"));
	assert_true(shows(&p, "0.989 to 1.012"));
	player_keys(&p, "<Space>");
	char *after = picture(&p, -1);
	assert_string_equal(after, before);
	free(before);
	free(after);
	player_close(&p);
}

/* ---- keys ---- */

static void escape_stops_and_then_closes(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "saturation-16");
	resize(&p, 60, 14);
	player_keys(&p, "G <Up> <Up> <Up> l l");
	char *before = picture(&p, p.state.rows - 2);
	size_t undo = p.state.undo.n, redo = p.state.redo.n, top = p.state.top, left = p.state.left;
	struct snapshot was;
	struct error e = { 0 };
	assert_int_equal(snapshot_copy(&was, &p.state.now, &e), OK_STATUS);
	player_command(&p, "sweep n 64 repeats 20");
	while (!sweep_repeats_done(sweep_of(&p), 1))
		assert_true(state_work(&p.state));
	player_keys(&p, "<Esc>");
	draw(&p);
	assert_false(state_work(&p.state));
	assert_true(shows(&p, "stopped"));
	check_all(&p);
	assert_int_equal(p.state.mode, MODE_SWEEP);
	player_keys(&p, "<Space> <Down> c <Esc>");
	assert_int_equal(p.state.panel.kind, PANEL_NONE);
	assert_int_equal(p.state.mode, MODE_GRID);
	char *after = picture(&p, p.state.rows - 2);
	assert_string_equal(after, before);
	assert_int_equal(p.state.undo.n, undo);
	assert_int_equal(p.state.redo.n, redo);
	assert_int_equal(p.state.top, top);
	assert_int_equal(p.state.left, left);
	assert_true(snapshot_equal(&p.state.now, &was));
	snapshot_free(&was);
	free(before);
	free(after);
	player_close(&p);
}

/* One Esc is enough when it is done; so are q and w. */
static void closes_when_done(void **state)
{
	static const char *const keys[] = { "<Esc>", "q", "w" };

	(void)state;
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		struct player p;
		player_open(&p, "causal-3");
		char *before = picture(&p, p.state.rows - 2);
		player_command(&p, "sweep pairs 10");
		run_all(&p);
		player_keys(&p, keys[k]);
		assert_int_equal(p.effects, 0);
		assert_string_equal(p.state.sentence, "");
		char *after = picture(&p, p.state.rows - 2);
		assert_string_equal(after, before);
		assert_false(state_work(&p.state));
		free(before);
		free(after);
		player_close(&p);
	}
}

static void another_seed(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_command(&p, "sweep n 8 seed 9 pairs 100");
	run_all(&p);
	double first = sweep_mean(sweep_of(&p), 0, SWEEP_LARGEST);
	player_keys(&p, "<Space> R");
	draw(&p);
	assert_true(shows(&p, "seed 10  n 8  repeats 1"));
	assert_true(shows(&p, "std of q\u00b7k, 100 pairs"));
	assert_false(p.state.panel.sweep.revealed);
	assert_int_equal(check_all(&p).points, 0);
	run_all(&p);
	assert_int_equal(check_all(&p).points, 5);
	assert_true(sweep_mean(sweep_of(&p), 0, SWEEP_LARGEST) != first);
	/* After a stop too. */
	player_keys(&p, "R <Esc> R");
	draw(&p);
	assert_true(shows(&p, "seed 12"));
	assert_false(shows(&p, "stopped"));
	run_all(&p);
	assert_int_equal(check_all(&p).points, 5);
	player_close(&p);
}

/* Whole on 80 columns, whatever the seed. */
static void what_opening_says_is_short(void **state)
{
	static const struct { const char *line, *says; } cases[] = {
		{ "sweep n 2 d-k 4", "seed 0; Space fills the sentence, R draws anew, Esc stops" },
		{ "sweep n 2 d-k 4 seed 123456789012", "seed 123456789012; Space" },
		{ "sweep n 2 d-k 4 seed 340282366920938463463374607431768211455", "seed 340282366...; Space" },
	};
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		player_command(&p, cases[k].line);
		assert_non_null(strstr(p.state.sentence, cases[k].says));
		assert_in_range(strlen(p.state.sentence), 1, 76);
	}
	player_close(&p);
}

static void own_arguments(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_command(&p, "sweep d-k 4,8 n 8");
	while (sweep_repeats_done(sweep_of(&p), 1) < 1)
		state_work(&p.state);
	draw(&p);
	struct seen seen = check_all(&p);
	assert_int_equal(seen.lines, 2);
	assert_int_equal(seen.points, 2);
	assert_int_equal(seen.notes, 1);
	assert_true(shows(&p, "seed 0  n 8  repeats 1"));
	assert_true(shows(&p, "uniform 1/8"));
	/* As it is written in the shell. */
	player_command(&p, "sweep --d-k=16 --std-d-k none --seed 3");
	run_all(&p);
	seen = check_all(&p);
	assert_int_equal(seen.lines, 1);
	assert_int_equal(seen.std, 0);
	assert_int_equal(seen.notes, 0);
	assert_true(shows(&p, "seed 3  n 16"));
	assert_false(shows(&p, "std"));
	player_close(&p);
}

static void wrong_arguments(void **state)
{
	static const char *const wrong[][2] = {
		{ "sweep n 0", "n: '0' is not an integer from 1 to 4096" },
		{ "sweep n", "n: '' is not an integer" },
		{ "sweep d-k 4,x", "d-k: 'x' is not an integer" },
		{ "sweep d-k 4,4", "4 is there twice" },
		{ "sweep d-k 65537", "'65537' is not an integer from 1 to 65536" },
		{ "sweep seed a", "'a' is not a seed" },
		{ "sweep tokens 4", "'tokens' is none of d-k, n, seed, repeats, std-d-k, pairs" },
		{ "sweep 4", "'4' is none of" },
	};
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
		player_command(&p, wrong[k][0]);
		says(&p, true, wrong[k][1]);
		assert_int_equal(p.state.panel.kind, PANEL_NONE);
		assert_int_equal(p.state.mode, MODE_GRID);
	}
	/* The one that is open goes on. */
	player_command(&p, "sweep pairs 10");
	state_work(&p.state);
	player_command(&p, "sweep n 0");
	says(&p, true, "n: '0'");
	run_all(&p);
	assert_int_equal(check_all(&p).points, 5);
	player_close(&p);
}

/* ---- any size, any request ---- */

static const int screens[][2] = {
	{ 80, 24 }, { 200, 60 }, { 60, 20 }, { 40, 12 }, { 20, 6 }, { 20, 40 }, { 40, 30 }, { 60, 40 }, { 70, 16 }, { 80, 12 },
	{ 100, 30 }, { 120, 20 }, { 57, 24 }, { 56, 24 }, { 64, 25 }, { 90, 24 }, { 89, 24 }, { 200, 10 }, { 25, 7 }, { 30, 9 },
};
enum { SCREENS = sizeof screens / sizeof *screens };

#define LONG_LIST "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32," \
	"40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71"

static const char *const requests[] = {
	"sweep pairs 10", "sweep n 32 repeats 3 pairs 100", "sweep n 1 std-d-k none", "sweep n 1 pairs 1 repeats 2",
	"sweep n 2 d-k 65536 std-d-k 65536,4 pairs 2", "sweep n 4 pairs 5 d-k 1024,4,65536 std-d-k 4",
	"sweep n 4 pairs 7 d-k " LONG_LIST " std-d-k " LONG_LIST, "sweep n 4 d-k " LONG_LIST " std-d-k none",
	"sweep n 4 pairs 7 d-k 4 std-d-k " LONG_LIST, "sweep n 4 repeats 2 pairs 7 d-k 4,8,16,32,64,128,256,512",
	"sweep n 1100 d-k 1,2 pairs 10", "sweep n 3 pairs 10 seed 123456789012345678901234567890",
	"sweep n 4 pairs 5 d-k 8 std-d-k 4",
};
enum { REQUESTS = sizeof requests / sizeof *requests };

static void check_ascii(struct player *p)
{
	struct layout l;

	layout_make(&l, &p->state);
	for (int y = l.panel; y < l.panel + l.panel_rows; y++)
		for (int x = 0; x < p->cells.columns; x++)
			assert_in_range(cells_at(&p->cells, y, x)->code[0], ' ', '~');
}

/* At every size, with nothing known and with all, hidden and revealed, in both
 * alphabets: what is there is whole and right, and the table is always there. */
static void check_sizes(struct player *p)
{
	for (int k = 0; k < SCREENS * 4; k++) {
		resize(p, screens[k / 4][0], screens[k / 4][1]);
		p->state.look.ascii = k & 1;
		p->state.panel.sweep.revealed = k & 2;
		struct seen seen = check_all(p);
		assert_true(seen.lines > 0);
		assert_true(seen.measures >= 2);
		if (k & 1)
			check_ascii(p);
		if (screens[k / 4][0] >= 80 && screens[k / 4][1] >= 24) {
			assert_true(seen.sentence);
			assert_int_equal(seen.measures, SWEEP_MEASURE_COUNT);
			assert_true(seen.std > 0 || !sweep_of(p)->request.std_d_k.count);
			assert_true(find_row(p, 0, "uniform") >= 0);
		}
	}
}

static void whole_at_every_size(void **state)
{
	(void)state;
	for (int k = 0; k < REQUESTS; k++) {
		struct player p;
		player_open(&p, "causal-3");
		player_command(&p, requests[k]);
		check_sizes(&p);
		run_all(&p);
		check_sizes(&p);
		player_close(&p);
	}
}

/* What is left out is counted, and the picture has the first and the last d_k. */
static void long_lists(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_command(&p, requests[6]);
	run_all(&p);
	struct seen seen = check_all(&p);
	assert_int_equal(sweep_of(&p)->request.d_k.count, 64);
	assert_in_range(seen.lines, 5, 20);
	assert_in_range(seen.points, 5, 20);
	assert_true(shows(&p, "more"));
	struct plot g = find_plot(&p);
	struct fields f;
	fields_of(&p, g.labels, 0, 40, &f);
	assert_string_equal(f.v[1], "1");
	assert_string_equal(f.v[seen.points], "71");
	char left_out[FIELD];
	snprintf(left_out, sizeof left_out, "+%zu", 64 - seen.points);
	assert_string_equal(f.v[seen.points + 1], left_out);
	resize(&p, 200, 60);
	seen = check_all(&p);
	assert_in_range(seen.lines, 30, 64);
	assert_in_range(seen.points, 20, 64);
	resize(&p, 200, 100);
	seen = check_all(&p);
	assert_int_equal(seen.lines, 64);
	assert_int_equal(seen.std, 64);
	player_close(&p);
}

/* The spread over repeats, where there are some and there is room; it needs two. */
static void sd_over_the_repeats(void **state)
{
	struct player p;
	struct fields f;

	(void)state;
	player_open(&p, "causal-3");
	resize(&p, 200, 60);
	player_command(&p, "sweep n 32 repeats 20 pairs 100");
	while (!sweep_repeats_done(sweep_of(&p), 4)) {
		state_work(&p.state);
		check_all(&p);
	}
	run_all(&p);
	struct table t = find_table(&p);
	for (size_t k = 0; k < 5; k++) {
		fields_of(&p, t.row + 1 + (int)k, 0, t.std_from, &f);
		assert_int_equal(check_line(&p, &f, k, t.measures), SWEEP_MEASURE_COUNT);
	}
	assert_true(shows(&p, "\u00b1sd over the repeats"));
	/* What a row of equal weights would have. */
	fields_of(&p, t.row + 6, 0, t.std_from, &f);
	assert_string_equal(f.v[0], "even");
	assert_string_equal(f.v[1], "0.031");
	assert_string_equal(f.v[6], "5.0");
	resize(&p, 80, 24);
	check_all(&p);
	assert_false(shows(&p, "\u00b1"));
	player_command(&p, "sweep pairs 10");
	resize(&p, 200, 60);
	run_all(&p);
	assert_false(shows(&p, "\u00b1"));
	player_close(&p);
}

/* Colours add nothing: the text is the same without any. */
static void colours_carry_nothing(void **state)
{
	static const struct look looks[] = {
		{ DEPTH_NONE, THEME_DARK, false }, { DEPTH_8, THEME_LIGHT, false }, { DEPTH_256, THEME_DARK, false },
		{ DEPTH_TRUE, THEME_LIGHT, false },
	};
	struct player p;
	char *first = NULL;

	(void)state;
	player_open(&p, "causal-3");
	player_command(&p, "sweep pairs 10");
	run_all(&p);
	for (size_t k = 0; k < sizeof looks / sizeof *looks; k++) {
		p.state.look = looks[k];
		char *now = picture(&p, -1);
		if (first)
			assert_string_equal(now, first);
		else
			first = strdup(now);
		free(now);
	}
	free(first);
	player_close(&p);
}

/* A click on the notebook's title is the key that it names. */
static void a_click_fills_it_in(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_command(&p, "sweep pairs 10");
	run_all(&p);
	int row = find_row(&p, 0, "Space fills it in");
	player_click(&p, row, find_in(&p, row, 0, "Space"));
	assert_true(p.state.panel.sweep.revealed);
	check_all(&p);
	assert_true(shows(&p, "Space empties it"));
	player_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_the_lesson),
		cmocka_unit_test(nothing_is_known_before),
		cmocka_unit_test(grows_piece_by_piece),
		cmocka_unit_test(space_reveals_and_hides),
		cmocka_unit_test(escape_stops_and_then_closes),
		cmocka_unit_test(closes_when_done),
		cmocka_unit_test(another_seed),
		cmocka_unit_test(what_opening_says_is_short),
		cmocka_unit_test(own_arguments),
		cmocka_unit_test(wrong_arguments),
		cmocka_unit_test(whole_at_every_size),
		cmocka_unit_test(long_lists),
		cmocka_unit_test(sd_over_the_repeats),
		cmocka_unit_test(colours_carry_nothing),
		cmocka_unit_test(a_click_fills_it_in),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
