/* test_view_pictures.c - the gradient and the influence picture, read back from the screen.
 *
 * Expected numbers are worked out beside the check, or by the loops at the top of
 * this file from Q and K alone; expected pairs follow from what a mask does before
 * or after softmax.
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

#include "tests/fixture.h"
#include "tests/play.h"
#include "tui/view_parts.h"

/* ---- what ought to be there ---- */

/* 1 - sum w^2 of row i, from Q and K, without any mask. */
static double plain_reaction(const struct problem *p, size_t i, double divisor)
{
	const struct matrix *q = problem_array(p, ARRAY_Q, 0), *k = problem_array(p, ARRAY_K, 0);
	long double *x = calloc(p->n_k, sizeof *x), sum = 0, squares = 0, most = -INFINITY;

	assert_non_null(x);
	for (size_t j = 0; j < p->n_k; j++) {
		for (size_t c = 0; c < p->d_k; c++)
			x[j] += (long double)matrix_at(q, i, c) * matrix_at(k, j, c);
		x[j] /= divisor;
		most = x[j] > most ? x[j] : most;
	}
	for (size_t j = 0; j < p->n_k; j++)
		sum += expl(x[j] - most);
	for (size_t j = 0; j < p->n_k; j++) {
		long double w = expl(x[j] - most) / sum;
		squares += w * w;
	}
	free(x);
	return (double)(1 - squares);
}

static double mean_reaction(const struct problem *p, double divisor)
{
	double sum = 0;

	for (size_t i = 0; i < p->n_q; i++)
		sum += plain_reaction(p, i, divisor);
	return sum / (double)p->n_q;
}

/* ---- reading ---- */

static void panel_line(const struct play *p, int row, char out[ROW_TEXT])
{
	assert_true(p->layout.panel_rows > row);
	play_row(p, p->layout.panel + row, out);
}

static void panel_says(const struct play *p, int row, const char *what)
{
	char line[ROW_TEXT];

	panel_line(p, row, line);
	if (!strstr(line, what))
		fail_msg("'%s' does not say '%s'", line, what);
}

/* The first column of a row with that character; -1 when there is none. */
static int column_of(const struct play *p, int row, uint32_t code)
{
	for (int x = 0; x < p->cells.columns; x++)
		if (cells_at(&p->cells, row, x)->code[0] == code)
			return x;
	return -1;
}

enum { BAR = 0x2502, LABELS = 2, PICTURE = 3 };

/* The numbers left of the bar in a row of the matrix, brackets and marks left out; how many. */
static int matrix_numbers(const struct play *p, int row, double *out, int most)
{
	char text[ROW_TEXT];
	int y = p->layout.panel + PICTURE + row, n = 0;

	play_text(p, y, 6, column_of(p, y, BAR), text);
	for (char *at = text; *at && n < most;) {
		char *end;
		double x = strtod(at, &end);
		if (end == at) {
			at++;
			continue;
		}
		out[n++] = x;
		at = end;
	}
	return n;
}

/* The mean of the head: its reaction, and the most. */
static void head_mean(const struct play *p, double *reaction, double *most)
{
	char line[ROW_TEXT];

	panel_line(p, 0, line);
	const char *at = strstr(line, "mean reaction of");
	assert_non_null(at);
	at = strstr(at, " rows ");
	assert_non_null(at);
	if (sscanf(at, " rows %lf of at most %lf", reaction, most) != 2)
		fail_msg("no mean in '%s'", line);
}

/* ---- the gradient ---- */

/* Row 1 has the scores 0 and 2, scaled 0 and 1: w = 1/(1+e) = .26894, .73106. So
 * w_0 w_1 = .19661 is all there is, and the reaction is twice that, .3932. Row 0 has
 * equal scores: .5 of at most .5. */
static void two_tokens_by_hand(void **state)
{
	struct play p;
	double v[2];

	(void)state;
	play_open(&p, "two-tokens", NULL);
	play_keys(&p, "j J .");
	assert_int_equal(matrix_numbers(&p, 0, v, 2), 2);
	assert_near(v[0], 0.1966, 1e-9);
	assert_near(v[1], -0.1966, 1e-9);
	assert_int_equal(matrix_numbers(&p, 1, v, 2), 2);
	assert_near(v[0], -0.1966, 1e-9);
	assert_near(v[1], 0.1966, 1e-9);
	panel_says(&p, 0, "gradient of row 1: mean reaction of 2 rows 0.4466 of at most 0.5000");
	panel_says(&p, PICTURE, "0.5000 of 0.5000");
	panel_says(&p, PICTURE + 1, "0.3932 of 0.5000");
	panel_says(&p, PICTURE + 1, "> w2");
	play_keys(&p, "k");
	assert_int_equal(matrix_numbers(&p, 0, v, 2), 2);
	assert_near(v[0], 0.25, 1e-9);
	assert_near(v[1], -0.25, 1e-9);
	play_keys(&p, "J");
	assert_false(play_shows(&p, "gradient"));
	play_free(&p);
}

static void saturation_is_seen_at_once(void **state)
{
	struct play p;
	double scaled, unscaled, most;

	(void)state;
	play_open(&p, "saturation-16", NULL);
	play_keys(&p, "J");
	head_mean(&p, &scaled, &most);
	assert_near(scaled, mean_reaction(p.state.problem, 16), 6e-4);
	assert_near(most, 0.9375, 6e-4);
	panel_says(&p, 1, "94 %");
	panel_says(&p, 1, "not saturated");
	play_keys(&p, "s");
	head_mean(&p, &unscaled, &most);
	assert_near(unscaled, mean_reaction(p.state.problem, 1), 6e-4);
	assert_near(most, 0.9375, 6e-4);
	assert_true(unscaled < scaled / 4);
	panel_says(&p, 1, "17 % of the most: saturated, little is learned");
	play_keys(&p, "s");
	head_mean(&p, &unscaled, &most);
	assert_near(unscaled, scaled, 0);
	play_free(&p);
}

/* The mean is that of all 16 rows, however few have a bar. */
static void mean_does_not_depend_on_the_window(void **state)
{
	static const int sizes[][2] = { { 24, 80 }, { 40, 120 }, { 60, 200 }, { 16, 80 } };
	struct play p;
	double mean, most, first = NAN;

	(void)state;
	play_open(&p, "saturation-16", NULL);
	play_keys(&p, "s J");
	for (size_t k = 0; k < 4; k++) {
		play_resize(&p, sizes[k][0], sizes[k][1]);
		head_mean(&p, &mean, &most);
		first = k ? first : mean;
		assert_near(mean, first, 0);
	}
	play_keys(&p, "G");
	head_mean(&p, &mean, &most);
	assert_near(mean, first, 0);
	play_free(&p);
}

/* The eighths of a column that are filled from x on. */
static int filled_eighths(const struct play *p, int row, int x, int width)
{
	int n = 0;

	for (int k = x; k < x + width; k++) {
		uint32_t code = cells_at(&p->cells, row, k)->code[0];
		n += code >= 0x2588 && code <= 0x258f ? 8 - (int)(code - 0x2588) : 0;
	}
	return n;
}

static void bars_are_as_long_as_the_numbers(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "saturation-16", NULL);
	play_keys(&p, "J s");
	for (int k = 0; k < 12; k++) {
		int y = p.layout.panel + PICTURE + k, x = column_of(&p, y, BAR) + 2 + 2 + 3 + 1, end = x;
		while (cells_at(&p.cells, y, end)->code[0] >= 0x2588)	/* blocks, then the track */
			end++;
		double wanted = plain_reaction(p.state.problem, (size_t)k, 1);
		/* The track ends where 15/16 of the whole width is. */
		int width = (int)lround((end - x) / 0.9375);
		assert_in_range(width - (end - x), 0, 2);
		if (abs(filled_eighths(&p, y, x, end - x) - (int)lround(wanted * 8 * width)) > 4)
			fail_msg("row %d: %d eighths of %d for %g", k, filled_eighths(&p, y, x, end - x), 8 * width, wanted);
	}
	play_free(&p);
}

static void hidden_keys_look_hidden(void **state)
{
	struct play p;
	double v[4];

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "j J");
	panel_says(&p, PICTURE, "\u259a 0");
	panel_says(&p, PICTURE + 2, "[\u259a 0]");
	/* w = .26894, .73106 and the hidden 0: the same as above */
	assert_int_equal(matrix_numbers(&p, 0, v, 4), 3);
	assert_near(v[0], 0.197, 1e-9);
	assert_near(v[1], -0.197, 1e-9);
	assert_near(v[2], 0, 0);
	panel_says(&p, PICTURE, "0 one key");
	panel_says(&p, PICTURE + 1, "0.393 of 0.500");
	/* .65900 .24243 .09857: 1 - .43428 - .05877 - .00972 = .49723 */
	panel_says(&p, PICTURE + 2, "0.497 of 0.667");
	play_free(&p);
}

/* Masked after softmax hidden keys keep their share of the sum: w_j (1 - w_j) remains. */
static void masked_after_softmax(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "J :bug mask-after-softmax<Enter>");
	/* row 0: .65900 (1 - .65900) = .22472, of at most a quarter with one visible key */
	panel_says(&p, PICTURE, "0.225 of 0.250");
	panel_says(&p, LABELS, "reaction");
	play_free(&p);
}

static void window_follows_the_cursor(void **state)
{
	struct play p;
	char line[ROW_TEXT];

	(void)state;
	play_open(&p, "random-4", "n=40");
	play_keys(&p, "G J");
	panel_says(&p, 1, "35 more keys across, 28 down");
	panel_says(&p, LABELS, "t0");
	panel_says(&p, LABELS, "rows 28-39 of 40");
	panel_says(&p, PICTURE, "t0 ");
	play_keys(&p, "<End>");
	panel_says(&p, LABELS, "t39");
	panel_says(&p, LABELS, "\u2190");
	panel_says(&p, PICTURE, "t28 ");
	panel_line(&p, PICTURE + 11, line);
	assert_int_equal(strncmp(line, "t39", 3), 0);
	assert_non_null(strstr(line, "] \u2502"));	/* the last column is the cursor's */
	play_keys(&p, "<Home> l");
	panel_says(&p, LABELS, "t1 ");
	panel_line(&p, PICTURE, line);
	assert_int_equal(strncmp(line, "t0", 2), 0);
	play_free(&p);
}

static void says_why_there_are_no_numbers(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "left-pad-4", NULL);
	play_keys(&p, "J");
	panel_says(&p, 0, "mean reaction of 2 of 4 rows 0.166 of at most 0.250");
	panel_says(&p, 1, "row 0: no key is visible: 0 / 0: nan, and so is its gradient");
	panel_says(&p, PICTURE, "nan");
	play_keys(&p, "E");
	panel_says(&p, PICTURE, "0 no key");
	play_keys(&p, ":softmax column<Enter> :softmax-times 2<Enter>");
	panel_says(&p, 1, "two softmaxes over columns");
	play_free(&p);
	play_open(&p, "qkv: 1\nscores: [[3]]\n", NULL);
	play_keys(&p, "J");
	panel_says(&p, 1, "one key a row");
	play_free(&p);
	play_open(&p, "random-4", "softmax=column");
	play_keys(&p, "J");
	panel_says(&p, 1, "not known for this softmax");
	play_free(&p);
	play_open(&p, "qkv: 1\nweights: [[0.5, 0.75], [0.5, 0.5]]\n", NULL);
	play_keys(&p, "J");
	panel_says(&p, 1, "given");
	/* 1.25 - .25 - .5625 */
	panel_says(&p, PICTURE, "0.438");
	play_free(&p);
	play_open(&p, "shapes-10", NULL);
	play_keys(&p, "J 0 0 0 0 0");
	panel_says(&p, 1, "the cursor is on no query row");
	panel_says(&p, PICTURE, "of 0.900");
	play_free(&p);
}

static void bars_stay_where_it_is_narrow(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "saturation-16", NULL);
	play_keys(&p, "J");
	play_resize(&p, 14, 40);
	panel_says(&p, 0, "reaction 0.88 of 0.94");
	panel_says(&p, PICTURE, "0.871 of 0.938");
	assert_false(play_shows(&p, "dw\u2572dx"));
	play_resize(&p, 8, 30);
	panel_says(&p, 0, "0.88 of 0.94");
	play_resize(&p, 6, 20);
	panel_says(&p, 0, "0.88 of 0.94");
	play_free(&p);
}

/* ---- the influence picture ---- */

/* The signs of a row of both pictures, one after the other: O X ! ? and . for what is not computed. */
static void signs(const struct play *p, int row, char *out)
{
	for (int x = 0; x < p->cells.columns; x++) {
		uint32_t code = cells_at(&p->cells, p->layout.panel + PICTURE + row, x)->code[0];
		if (code == 0xb7)
			*out++ = '.';
		else if (code && code < 128 && strchr("OX!?.", (int)code))
			*out++ = (char)code;
	}
	*out = '\0';
}

/* Both pictures, row after row with blanks between: "OX OO". */
static void pictures_are(const struct play *p, const char *left, const char *right)
{
	char both[ROW_TEXT], wanted[ROW_TEXT];
	size_t n = strcspn(left, " ");

	for (int row = 0; *left; row++) {
		snprintf(wanted, sizeof wanted, "%.*s%.*s", (int)n, left, (int)n, right);
		signs(p, row, both);
		if (strcmp(both, wanted))
			fail_msg("row %d is %s instead of %s", row, both, wanted);
		left += n + (left[n] == ' ');
		right += n + (right[n] == ' ');
	}
}

struct influence_case {
	const char *input, *keys, *left, *right, *head;
};

static const struct influence_case influence_cases[] = {
	{ "causal-3", "", "OXX OOX OOO", "OXX OOX OOO", "influence: none of 3 hidden keys moves an output" },
	{ "random-4", "", "OXXX OOXX OOOX OOOO", "OXXX OOXX OOOX OOOO", "none of 6" },
	{ "random-4", "s", "OXXX OOXX OOOX OOOO", "OXXX OOXX OOOX OOOO", "none of 6" },
	/* A hidden key's K is still in the sum that divides. */
	{ "random-4", ":bug mask-after-softmax<Enter>", "OXXX OOXX OOOX OOOO", "O!!! OO!! OOO! OOOO",
	  "6 of 6 hidden keys move an output: leaks 0<-1, 0<-2, 0<-3, 1<-2, ..." },
	/* Divided by the sum of what is left, that sum cancels. */
	{ "random-4", ":bug mask-after-renorm<Enter>", "OXXX OOXX OOOX OOOO", "OXXX OOXX OOOX OOOO", "none of 6" },
	/* e^0 = 1: a hidden key gets weight, and its V comes through. */
	{ "random-4", ":bug zero-fill<Enter>", "OXXX OOXX OOOX OOOO", "O!!! OO!! OOO! OOOO", "6 of 6" },
	{ "random-4", ":bug multiply-mask<Enter>", "OXXX OOXX OOOX OOOO", "O!!! OO!! OOO! OOOO", "6 of 6" },
	{ "random-4", ":bug add-mask<Enter>", "OXXX OOXX OOOX OOOO", "O!!! OO!! OOO! OOOO", "6 of 6" },
	/* The rules themselves are wrong: both pictures show one step of future. */
	{ "random-4", ":bug future-step<Enter>", "OOXX OOOX OOOO OOOO", "OOXX OOOX OOOO OOOO", "none of 3" },
	{ "random-4", ":bug diagonal-hidden<Enter>", "XXXX OXXX OOXX OOOX", "XXXX OXXX OOXX OOOX", "none of 10" },
	{ "random-4", ":bug inverted-mask<Enter>", "XOOO XXOO XXXO XXXX", "XOOO XXOO XXXO XXXX", "none of 10" },
	/* A key's column holds its own scores only, and what is hidden there is 0 whatever they are. */
	{ "random-4", ":bug column-softmax<Enter>", "OXXX OOXX OOOX OOOO", "OXXX OOXX OOOX OOOO", "none of 6" },
	{ "random-4", ":causal off<Enter>", "OOOO OOOO OOOO OOOO", "OOOO OOOO OOOO OOOO", "no key is hidden" },
	{ "pad-4", "", "OOXX OOXX OOXX OOXX", "OOXX OOXX OOXX OOXX", "none of 8" },
	{ "pad-4", ":bug pad-rows<Enter>", "OOOO OOOO XXXX XXXX", "OOOO OOOO XXXX XXXX", "none of 8" },
	{ "cross-3x5", ":causal on<Enter>", "OXXXX OOXXX OOOXX", "OXXXX OOXXX OOOXX", "none of 9" },
	{ "left-pad-4", "", "XXXX XXXX XXOX XXOO", "XXXX XXXX XXOX XXOO", "none of 13" },
	/* Given weights: V alone moves an output, where there is weight. */
	{ "qkv: 1\nweights: [[1, 0], [0.5, 0.5]]\n", "", "OO OO", "O? OO", "no key is hidden; 1 visible moves nothing: 0<-1" },
	/* -inf stands in a visible cell: weight 0. */
	{ "qkv: 1\nscores: [[1, -.inf], [1, 2]]\n", ":causal on<Enter>", "OX OO", "OX OO", "none of 1" },
	{ "qkv: 1\nscores: [[1, 2], [-.inf, 2]]\n", ":causal on<Enter>", "OX OO", "OX ?O", "1 visible moves nothing: 1<-0" },
};

static void masks_beside_what_moves(void **state)
{
	const struct influence_case *t = *state;
	struct play p;

	play_open(&p, t->input, NULL);
	play_keys(&p, "I");
	play_keys(&p, t->keys);
	pictures_are(&p, t->left, t->right);
	panel_says(&p, 0, t->head);
	/* The same when it is opened on what is there already. */
	play_keys(&p, "I");
	assert_int_equal(p.layout.panel_rows, 0);
	play_keys(&p, "I");
	pictures_are(&p, t->left, t->right);
	play_free(&p);
}

static void what_is_not_computed_is_quiet(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "random-4", NULL);
	play_keys_flashing(&p, "I");
	pictures_are(&p, "OXXX OOXX OOOX OOOO", ".... .... .... ....");
	play_keys(&p, "");
	pictures_are(&p, "OXXX OOXX OOOX OOOO", "OXXX OOXX OOOX OOOO");
	play_keys_flashing(&p, "c");
	pictures_are(&p, "OOOO OOOO OOOO OOOO", ".... .... .... ....");
	/* A part: what is known stands there, and the head says that it is not all. */
	for (int k = 0; k < 12; k++)
		state_work(&p.state);
	play_keys_flashing(&p, "");
	char row[ROW_TEXT];
	signs(&p, 0, row);
	assert_int_equal(row[4], 'O');
	signs(&p, 3, row);
	assert_string_equal(row, "OOOO....");
	panel_says(&p, 0, "so far");
	play_free(&p);
}

/* Row i sees the keys up to i, in both pictures, from key `left` on. */
static void causal_window(const struct play *p, size_t from, size_t left, const char *keys)
{
	char row[ROW_TEXT];

	panel_says(p, 1, keys);
	for (int k = 0; k < p->layout.panel_rows - PICTURE; k++) {
		signs(p, k, row);
		size_t n = strlen(row) / 2;
		assert_true(n >= 5);
		for (size_t j = 0; j < n; j++) {
			char wanted = left + j <= from + (size_t)k ? 'O' : 'X';
			if (row[j] != wanted || row[n + j] != wanted)
				fail_msg("row %zu from key %zu: %s", from + (size_t)k, left, row);
		}
	}
}

static void windows_of_a_long_row(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "random-4", "n=40");
	play_keys(&p, "I");
	causal_window(&p, 0, 0, "keys 0-17 of 40");
	panel_says(&p, 0, "on rows 0-11 of 40");
	panel_says(&p, LABELS, "0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 ");
	play_keys(&p, "G");
	causal_window(&p, 28, 0, "keys 0-17 of 40");
	panel_says(&p, 0, "on rows 28-39 of 40");
	play_keys(&p, "<End>");
	causal_window(&p, 28, 22, "keys 22-39 of 40");
	play_resize(&p, 14, 40);
	play_keys(&p, "");
	causal_window(&p, 38, 32, "keys 32-39 of 40");
	play_free(&p);
}

static void disagreement_needs_no_colour(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "random-4", "color=never");
	play_keys(&p, "I :bug zero-fill<Enter>");
	int y = p.layout.panel + PICTURE, x = column_of(&p, y, '!');
	assert_true(x > 0);
	assert_true(cells_at(&p.cells, y, x)->style.attributes & REVERSE);
	x = column_of(&p, y, 'X');
	assert_false(cells_at(&p.cells, y, x)->style.attributes & REVERSE);
	play_free(&p);
}

/* ---- both ---- */

/* Tokens of one, two and three wide letters: what stands behind them is aligned. */
static void wide_tokens_stay_aligned(void **state)
{
	static const char *const inputs[] = { "korean-5", "causal-3", "cross-3x5" };
	struct play p;

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		play_open(&p, inputs[k], "causal=on");
		play_keys(&p, "J");
		int bar = column_of(&p, p.layout.panel + LABELS, BAR), rows = p.layout.panel_rows;
		assert_true(bar > 0);
		for (int y = LABELS; y < rows; y++)
			assert_int_equal(column_of(&p, p.layout.panel + y, BAR), bar);
		play_keys(&p, "I");
		int column = column_of(&p, p.layout.panel + PICTURE, 'O');
		assert_true(column > 0);
		for (int y = PICTURE; y < p.layout.panel_rows; y++)
			assert_int_equal(column_of(&p, p.layout.panel + y, 'O'), column);
		play_free(&p);
	}
}

static void ascii_only(void **state)
{
	static const char *const inputs[] = { "korean-5", "saturation-16", "left-pad-4" };
	static const char *const keys[] = { "J", "I", "c s" };
	struct play p;

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		play_open(&p, inputs[k], "ascii=on color=never");
		for (size_t n = 0; n < 3; n++) {
			play_keys(&p, keys[n]);
			for (int y = p.layout.panel; y < p.layout.panel + p.layout.panel_rows; y++)
				for (int x = 0; x < p.cells.columns; x++)
					assert_in_range(cells_at(&p.cells, y, x)->code[0], 0x20, 0x7e);
		}
		play_free(&p);
	}
}

/* Draws the panel alone on a picture full of one sign: it must stay around it. */
static void stays_inside(struct play *p)
{
	struct canvas c = { .s = &p->state, .look = state_look(&p->state) };
	struct cells cells;
	struct error e = { 0 };
	const struct style style = { COLOR_DEFAULT, COLOR_DEFAULT, DIM };

	layout_make(&c.l, &p->state);
	if (c.l.small)
		return;
	assert_int_equal(cells_init(&cells, p->state.rows, p->state.columns, &e), OK_STATUS);
	c.screen = (struct pane){ &cells, 0, 0, cells.rows, cells.columns, c.look.ascii };
	for (int y = 0; y < cells.rows; y++)
		for (int x = 0; x < cells.columns; x++)
			pane_text(&c.screen, y, x, "~", 1, style);
	view_panel(&c);
	for (int y = 0; y < cells.rows; y++)
		for (int x = 0; x < cells.columns && (y < c.l.panel || y >= c.l.panel + c.l.panel_rows); x++)
			if (cells_at(&cells, y, x)->code[0] != '~' || cells_at(&cells, y, x)->style.attributes != DIM)
				fail_msg("%dx%d: drawn at row %d, column %d", cells.columns, cells.rows, y, x);
	cells_free(&cells);
}

static void nothing_outside_the_panel(void **state)
{
	static const char *const inputs[] = { "causal-3", "korean-5", "saturation-16", "cross-3x5", "left-pad-4" };
	static const char *const settings[] = { NULL, "ascii=on color=never", "color=16 precision=9" };
	static const int heights[] = { 6, 7, 8, 9, 10, 11, 12, 14, 18, 24, 40, 60 };
	static const int widths[] = { 20, 21, 25, 30, 33, 40, 47, 56, 60, 72, 80, 100, 133, 200 };
	struct play p;

	(void)state;
	for (size_t k = 0; k < 5 * 3 * 2; k++) {
		play_open(&p, inputs[k % 5], settings[k / 5 % 3]);
		play_keys(&p, k < 15 ? "J" : "I");
		for (size_t y = 0; y < sizeof heights / sizeof *heights; y++)
			for (size_t x = 0; x < sizeof widths / sizeof *widths; x++) {
				play_resize(&p, heights[y], widths[x]);
				stays_inside(&p);
				play_keys(&p, x % 2 ? "<End> G" : "<Home> g");
				stays_inside(&p);
			}
		play_free(&p);
	}
}

int main(void)
{
	enum { CASES = sizeof influence_cases / sizeof *influence_cases };
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(two_tokens_by_hand),
		cmocka_unit_test(saturation_is_seen_at_once),
		cmocka_unit_test(mean_does_not_depend_on_the_window),
		cmocka_unit_test(bars_are_as_long_as_the_numbers),
		cmocka_unit_test(hidden_keys_look_hidden),
		cmocka_unit_test(masked_after_softmax),
		cmocka_unit_test(window_follows_the_cursor),
		cmocka_unit_test(says_why_there_are_no_numbers),
		cmocka_unit_test(bars_stay_where_it_is_narrow),
		cmocka_unit_test(what_is_not_computed_is_quiet),
		cmocka_unit_test(windows_of_a_long_row),
		cmocka_unit_test(disagreement_needs_no_colour),
		cmocka_unit_test(wide_tokens_stay_aligned),
		cmocka_unit_test(ascii_only),
		cmocka_unit_test(nothing_outside_the_panel),
	};
	enum { OTHERS = sizeof others / sizeof *others };
	static char names[CASES][120];
	struct CMUnitTest tests[CASES + OTHERS];

	for (size_t k = 0; k < CASES; k++) {
		const struct influence_case *t = &influence_cases[k];
		snprintf(names[k], sizeof names[k], "influence %.20s %.40s", strchr(t->input, '\n') ? "yaml" : t->input, t->keys);
		tests[k] = (struct CMUnitTest){ names[k], masks_beside_what_moves, NULL, NULL, (void *)&influence_cases[k] };
	}
	memcpy(tests + CASES, others, sizeof others);
	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests_name("view pictures", tests, NULL, NULL);
}
