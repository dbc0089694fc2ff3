/* test_inspector.c - the arithmetic of a cell, and a row as on the blackboard, read back from the screen.
 *
 * The numbers are those worked out by hand for two-tokens and causal-3; on every
 * cell of other inputs the inspector's last number is the cell, bit for bit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/explain.h"
#include "core/number.h"
#include "tests/fixture.h"
#include "tests/play.h"
#include "tui/export.h"
#include "tui/language.h"
#include "tui/panel_lesson.h"
#include "tui/view_parts.h"

/* ---- reading ---- */

/* The screen row of a line of the panel that begins with a name. */
static int line_of(const struct play *p, const char *name)
{
	char row[ROW_TEXT];

	for (int y = p->layout.panel + 1; y < p->layout.panel + p->layout.panel_rows; y++) {
		play_row(p, y, row);
		if (!strncmp(row + strspn(row, " "), name, strlen(name)))
			return y;
	}
	return -1;
}

/* A line of the inspector has these texts, in this order. */
static void line_says(const struct play *p, const char *name, const char *program, const char *hand)
{
	char row[ROW_TEXT];
	int y = line_of(p, name);

	if (y < 0)
		fail_msg("there is no line '%s'", name);
	play_row(p, y, row);
	const char *at = strstr(row, program);
	if (!at || !strstr(at + strlen(program), hand))
		fail_msg("'%s' does not say '%s', then '%s'", row, program, hand);
}

/* The whole picture as text, with its styles. */
static char *picture(const struct play *p)
{
	struct buffer out = { 0 };

	export_ansi(&p->cells, &out);
	assert_false(out.failed);
	return out.data;
}

/* ---- the inspector by hand ---- */

/* Scores 0 and 2, halved 0 and 1; e^0 = 1, e^1 = 2.72, sum 3.72; 0.27 and 0.73. */
static void two_tokens_by_hand(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "two-tokens", NULL);
	play_keys(&p, "j l i");
	must_show(&p, "inspector: weights 1:1");
	line_says(&p, "q[1,0] k[1,0]", "0 x 1 = 0", "0 x 1 = 0");	/* row, then column, of each */
	line_says(&p, "q[1,1] k[1,1]", "1 x 1 = 1", "1 x 1 = 1");
	line_says(&p, "sum", "2", "0 + 1 + 0 + 1 = 2");
	line_says(&p, "/ sqrt(d_k)", "2 / 2 = 1", "2 / 2 = 1");
	line_says(&p, "mask", "visible", "");
	line_says(&p, "- maximum", "1 - 1 = 0 (of key 1)", "nothing is subtracted");
	line_says(&p, "e^x", "e^0 = 1", "e^1 \u2248 2.72");
	line_says(&p, "/ row's sum", "1 / 1.367879441 = 0.731058579", "2.72 / 3.72 = 0.73");
	line_says(&p, "its terms", "0.367879 + 1 = 1.367879", "1 + 2.72 = 3.72");
	line_says(&p, "weight", "0.7310585786300049", "0.73");
	line_says(&p, "its share", "x [0, 10] = [0, 7.310586]", "");
	/* The output: 0.27 x 10 + 0.73 x 0 = 2.7, with the digits behind it. */
	play_keys(&p, "h 5");
	line_says(&p, "w[1,0] v[0,0]", "0.268941421 x 10 = ", "0.27 x 10 = 2.7");
	line_says(&p, "sum", "2.689414213699951", "2.7 + 0 = 2.7 (true: 2.6894)");
	play_keys(&p, "i");
	assert_int_equal(p.state.panel.kind, PANEL_NONE);
	play_free(&p);
}

/* Row 1 of causal-3: 2.72 + 7.39 = 10.11, the third hidden; row 2: 11.21. */
static void causal_by_hand(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "j l i");
	line_says(&p, "its terms", "", "2.72 + 7.39 + 0 = 10.11");
	line_says(&p, "/ row's sum", "", "7.39 / 10.11 = 0.73");
	play_keys(&p, "l");
	line_says(&p, "mask", "-inf  hidden by causal", "-inf");
	line_says(&p, "e^x", "e^-inf = 0", "e^-inf = 0");
	line_says(&p, "weight", "0", "0");
	play_keys(&p, "j");
	/* 7.39 + 2.72 + 1.11 would be 11.22. */
	line_says(&p, "its terms", "", "11.21 (rounded: 11.22)");
	line_says(&p, "/ row's sum", "", "1.11 / 11.21 = 0.10");
	play_free(&p);
}

/* Row 0 of masked-twice-3: all but -inf is the lowest f32, e^x is 0 on a blackboard and
 * the row 0/0; the program subtracts the maximum and has 0.5, 0, 0.5. That is said. */
static void zero_by_zero_by_hand_is_explained(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "masked-twice-3", NULL);
	play_keys(&p, "<Right> <Left>");
	must_show(&p, "0/0 (max left in)");
	assert_false(play_shows(&p, "nan"));
	play_keys(&p, "i");
	line_says(&p, "mask", "hidden by pad", "");
	line_says(&p, "- maximum", "", "nothing is subtracted");
	line_says(&p, "/ row's sum", "1 / 2 = 0.5", "0 / 0 = nan");
	line_says(&p, "weight", "0.5", "");
	play_free(&p);
}

/* Where there is no room for the products, their sum says how many they are; few numbers
 * of a share lose digits first. */
static void what_has_no_room_is_counted(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "two-tokens", NULL);
	play_resize(&p, 18, 48);
	play_keys(&p, "j l i");
	line_says(&p, "sum", "2  (of 4 products)", "");
	line_says(&p, "its share", "0.7311 x [0, 10] = [0, 7.3106]", "");
	assert_true(line_of(&p, "q[1,0]") < 0);
	play_resize(&p, 24, 80);
	assert_true(line_of(&p, "q[1,0]") > 0);
	assert_false(play_shows(&p, "products)"));
	play_free(&p);
}

/* A product of 64 terms: the middle is one line, with how many and what they come to. */
static void long_products_are_folded(void **state)
{
	struct play p;
	char row[ROW_TEXT];
	size_t more, terms = 0;
	double together, sum = 0;

	(void)state;
	play_open(&p, "shapes-10", NULL);
	play_keys(&p, "1 j j l i");
	const struct explain *x = &p.state.panel.inspector.cell;
	assert_int_equal(x->n, 64);
	int y = line_of(&p, "...");
	assert_true(y > 0);
	play_row(&p, y, row);
	assert_int_equal(sscanf(row, " ... %zu more, together %lf", &more, &together), 2);
	for (int k = p.layout.panel + 1; k < p.layout.panel + p.layout.panel_rows; k++) {
		size_t c;
		play_row(&p, k, row);
		if (sscanf(row, " q[2,%zu]", &c) == 1) {
			terms++;
			sum += x->steps[c].operand;
		}
	}
	assert_int_equal(terms + more, 64);
	assert_near(sum + together, explain_value(x), 1e-4);
	assert_true(line_of(&p, "sum") > 0);
	play_free(&p);
}

/* Q of shapes-10 is X W_Q: 512 products, the middle folded, and the sum is the cell. */
static void an_input_that_is_made_is_explained(void **state)
{
	struct play p;
	char row[ROW_TEXT];
	size_t more, terms = 0;
	double together, sum = 0, q;

	(void)state;
	play_open(&p, "shapes-10", NULL);
	play_keys(&p, "0 j l i");
	must_show(&p, "inspector: q 1:1");
	const struct explain *x = &p.state.panel.inspector.cell;
	assert_int_equal(x->n, 512);
	play_row(&p, line_of(&p, "..."), row);
	assert_int_equal(sscanf(row, " ... %zu more, together %lf", &more, &together), 2);
	for (int y = p.layout.panel + 1; y < p.layout.panel + p.layout.panel_rows; y++) {
		size_t c;
		play_row(&p, y, row);
		if (sscanf(row, " x[1,%zu] w[", &c) == 1) {
			terms++;
			sum += x->steps[c].left * x->steps[c].right;
		}
	}
	assert_int_equal(terms + more, 512);
	q = state_values(&p.state, 1)[1];
	assert_near(sum + together, q, 1e-4);
	assert_true(explain_value(x) == q);
	line_says(&p, "sum", "0.67", "");
	play_keys(&p, "0 0");		/* K, then V; X is given */
	must_show(&p, "inspector: v 1:1");
	assert_int_equal(x->n, 512);
	play_keys(&p, "0");
	must_show(&p, "this number is the input");
	play_free(&p);
}

/* ---- the property ---- */

/* The last number of the sheet reads back as the cell. */
static void last_line_is_the_cell(struct play *p, const char *name)
{
	char row[ROW_TEXT];
	double value, cell = state_values(&p->state, p->state.row)[p->state.column];
	int y = line_of(p, name);

	assert_true(y > 0);
	play_row(p, y, row);
	char *at = strstr(row, name) + strlen(name), *end;
	at += strspn(at, " ");
	end = at + strcspn(at, " ");
	assert_true(number_parse(at, (size_t)(end - at), &value));
	assert_true(memcmp(&value, &cell, sizeof cell) == 0 || (value != value && cell != cell) || (value == 0 && cell == 0));
	assert_true(memcmp(&cell, &(double){ explain_value(&p->state.panel.inspector.cell) }, sizeof cell) == 0 || cell != cell);
}

static void each_cell_is_made_of_its_steps(void **state)
{
	static const char *const inputs[] = { "two-tokens", "causal-3", "pad-4", "all-pad-3", "cross-3x5", "random-4", "low-scores-3",
					      "square-4" };
	static const char *const settings[] = { NULL, "causal=on", "softmax-times=2", "mask-at=after-renorm causal=on",
						"softmax=column", "softmax-kind=naive", "dropout=0.5", "score-dtype=f16" };
	struct play p;

	(void)state;
	for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++)
		for (size_t n = 0; n < sizeof settings / sizeof *settings; n++) {
			play_open(&p, inputs[k], settings[n]);
			play_resize(&p, 60, 120);
			play_keys(&p, "i");
			for (size_t i = 0; i < p.state.problem->n_q; i++)
				for (size_t j = 0; j < p.state.problem->n_k; j++) {
					state_select(&p.state, i, j);
					play_keys(&p, "<C-l>");
					last_line_is_the_cell(&p, "weight");
				}
			play_keys(&p, "5");
			if (line_of(&p, "sum") > 0)
				last_line_is_the_cell(&p, "sum");
			play_free(&p);
		}
}

/* ---- the walk ---- */

static void a_walk_is_the_blackboard(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "two-tokens", NULL);
	play_keys(&p, "j <Space>");
	must_show(&p, "row 1, w2: 1 of 7, compare");
	must_show(&p, "Space next step  BS step back");
	must_show(&p, "Q K^T: (2,4) x (4,2) -> (2,2)");
	must_show(&p, "0x1 + 1x1 + 0x1 + 1x1 = 2");
	must_show(&p, "[compare]");
	play_keys(&p, "<Space>");
	must_show(&p, "2 / 2 = 1");
	must_show(&p, "[scale]");
	play_keys(&p, "<Space>");
	must_show(&p, "[hide]");
	must_show(&p, "O O");
	play_keys(&p, "<Space>");
	must_show(&p, "e^1 \u2248 2.72");
	play_keys(&p, "<Space>");
	must_show(&p, "1 + 2.72 = 3.72");
	play_keys(&p, "<Space>");
	must_show(&p, "1 / 3.72 = 0.27");
	must_show(&p, "2.72 / 3.72 = 0.73");
	must_show(&p, "[share]");
	play_keys(&p, "<Space>");
	must_show(&p, "0.27x10 + 0.73x0 = 2.7  (2.6894 from all digits)");
	must_show(&p, "0.27x0 + 0.73x10 = 7.3  (7.3106 from all digits)");
	must_show(&p, "weights V: (2,2) x (2,2) -> (2,2)");
	must_show(&p, "[mix]");
	assert_int_equal(p.state.undo.n, 0);
	play_free(&p);
}

/* 10.11 is what the rounded terms give too; 11.21 is not. */
static void a_sum_of_rounded_terms_is_said(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "j <Space> <Space> <Space>");
	must_show(&p, "O O X");
	must_show(&p, "hidden by causal");
	play_keys(&p, "<Space> <Space>");
	must_show(&p, "2.72 + 7.39 + 0 = 10.11");
	assert_false(play_shows(&p, "from all digits"));
	play_keys(&p, "<Space>");
	must_show(&p, "2.72 / 10.11 = 0.27");
	must_show(&p, "0 / 10.11 = 0");
	play_keys(&p, "<BS> j");
	must_show(&p, "7.39 + 2.72 + 1.11 = 11.21");
	must_show(&p, "11.21 from all digits; the rounded terms give 11.22");
	play_free(&p);
}

/* e^1, e^2, e^0.1 are 2.72, 7.39, 1.11 of 11.21; masked afterwards and divided again 2.72 / 10.11. */
static void what_comes_after_softmax_is_said(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", "mask-at=after-renorm");
	play_keys(&p, "j <Space><Space><Space><Space><Space><Space>");
	must_show(&p, "2.72 / 11.21 = 0.24 -> mask after -> 0.27");
	must_show(&p, "1.11 / 11.21 = 0.10 -> mask after -> 0");
	play_free(&p);
	/* Down the columns: e^1 of e^1 + e^2 + e^2 in the first. */
	play_open(&p, "causal-3", "softmax=column");
	play_keys(&p, "j <Space><Space><Space><Space><Space>");
	must_show(&p, "e^1 \u2248 2.72; its column's sum 17.50");
	play_free(&p);
	/* e^1000 has no place on a board. */
	play_open(&p, "overflow-7x3", NULL);
	play_keys(&p, "j j j j j <Space><Space><Space><Space><Space>");
	must_show(&p, "e^(999 - 1000) \u2248 0.37");
	must_show(&p, "1.50 from all digits; the rounded terms give 1.51");
	play_free(&p);
	play_open(&p, "causal-3", "fill=0");
	play_keys(&p, "<Space><Space><Space>");
	must_show(&p, "there the fill 0 comes in");
	play_free(&p);
}

/* The sentence beside the shares, under each option that makes other numbers of them. Sums by
 * hand: e^2, e^1, e^0.1 are 7.39, 2.72, 1.11 of 11.21, so row 0 keeps 0.66 of 1; down column 0
 * e^2 is 7.39 of 7.39 + 2.72 + 7.39 = 17.5. */
static void shares_are_said_as_they_are(void **state)
{
	static const struct { const char *input, *set, *keys, *says, *sum; } at[] = {
		{ "causal-3", NULL, "", "together they are 1", "1 + 0 + 0 = 1" },
		{ "causal-3", "mask-at=after", "", "not shared out again; together they are 0.66, not 1", "0.66 + 0 + 0 = 0.66" },
		{ "causal-3", "mask-at=after-renorm", "", "what is left divided by its sum; together they are 1", "= 1" },
		{ "causal-3", "softmax=column", "", "each part of its column's sum; together they are 0.42, not 1", "= 0.42" },
		{ "causal-3", "dropout=0.3 causal=off", "", "dropout makes some 0 and the others larger; together", "" },
		{ "causal-3", "softmax-times=2", "", "then softmax once more; together they are 1", "" },
		{ "left-pad-4", NULL, "", "no key is left, the sum is 0, and 0 / 0 is nan", "nan" },
		{ "left-pad-4", "empty-row=zero", "", "the option empty-row gives each 0", "0 + 0 + 0 + 0 = 0" },
		{ "left-pad-4", "empty-row=uniform", "", "the option empty-row gives each the same", "= 1" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
		struct play p;
		play_open(&p, at[k].input, at[k].set);
		play_resize(&p, 24, 120);
		play_keys(&p, "<Space><Space><Space><Space><Space><Space>");
		assert_int_equal(p.state.panel.walk.step, WALK_SHARE);
		must_show(&p, at[k].says);
		must_show(&p, at[k].sum);
		if (p.state.grid.attention.options.empty_row == EMPTY_LITERAL && !strstr(at[k].says, "are 1"))
			assert_false(play_shows(&p, "together they are 1 "));
		play_free(&p);
	}
}

/* What changes a score before the mask stands on the board: 2 - 1 x 2, 5 tanh(2 / 5) = 1.90,
 * 2 + 1e-9, a fill that multiplies. */
static void what_changes_a_score_is_said(void **state)
{
	static const struct { const char *set, *says, *line; } at[] = {
		{ "alibi=1", "first alibi; O may be seen", "O  2 - 2 (alibi) = 0" },
		{ "softcap=5", "first softcap; O may be seen", "O  2 -> 1.90 (softcap)" },
		{ "alibi=1 softcap=5", "first softcap, alibi; O", "O  2 -> 1.90 (softcap) - 2 (alibi) = -0.10" },
		{ "fill=1e-9 fill-op=add", "there 1e-09 is added", "" },
		{ "fill=0 fill-op=multiply", "there the score is multiplied by 0", "" },
		{ "fill-op=add keep-value=1", "", "O  2 + 1 (keep-value) = 3" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
		struct play p;
		play_open(&p, "causal-3", at[k].set);
		play_keys(&p, "G <Space><Space><Space>");
		must_show(&p, at[k].says);
		must_show(&p, at[k].line);
		play_free(&p);
	}
	struct play p;
	play_open(&p, "causal-3", "temperature=2");
	play_keys(&p, "<Space><Space>");
	must_show(&p, "no scale, then divided by the temperature 2");
	play_free(&p);
}

/* Without the transpose it is a row of Q with a column of K: said, named and summed so. */
static void a_forgotten_transpose_is_said(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "square-4", NULL);
	play_resize(&p, 40, 120);
	play_keys(&p, ":transpose off<Enter> 1");
	must_show(&p, "scores = Q K, without the transpose");
	assert_false(play_shows(&p, "Q K^T"));
	play_keys(&p, "<Space>");
	must_show(&p, "compare: the row of Q with each column of K");
	must_show(&p, "K is not transposed");
	must_show(&p, "Q K: (4,4) x (4,4)");
	assert_false(play_shows(&p, "K^T"));
	play_keys(&p, "<Esc> j l l i");
	assert_true(line_of(&p, "q[1,0] k[0,2]") > 0);
	assert_true(line_of(&p, "q[1,3] k[3,2]") > 0);
	play_free(&p);
}

/* Up to the division nothing on the screen is a weight of the row; from there on all is. */
static void a_walk_does_not_run_ahead(void **state)
{
	static const char *const weights[] = { "0.659", "0.242", "0.66", "0.24", "0.099", "0.10" };
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "G");
	for (int step = 0; step < 5; step++) {
		play_keys(&p, "<Space>");
		for (size_t k = 0; k < sizeof weights / sizeof *weights; k++)
			if (play_shows(&p, weights[k]) && strcmp(weights[k], "0.10"))	/* 0.1 is a score, too */
				fail_msg("step %d shows the weight %s", step + 1, weights[k]);
		assert_false(play_shows(&p, "by hand"));
		assert_false(step < 4 && play_shows(&p, "11.21"));
	}
	must_show(&p, "[share]");
	play_keys(&p, "<Space>");
	must_show(&p, "0.659");
	must_show(&p, "0.66 + 0.24 + 0.10 = 1");
	must_show(&p, "by hand");
	play_free(&p);
}

/* With less room than keys, what is left out is counted. */
static void keys_left_out_of_the_board_are_counted(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "korean-5", NULL);
	play_resize(&p, 12, 40);
	play_keys(&p, "<Space><Space><Space><Space>");
	assert_true(play_shows(&p, " more; the cursor keys") || play_shows(&p, "+4"));
	play_free(&p);
}

/* A lesson leaves a walk as it found it. */
static void a_lesson_leaves_the_walk(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "j <Space><Space> <Esc> j <Space><Space>");
	char *before = picture(&p);
	play_keys(&p, "L a n");
	for (int k = 0; k < 3 && p.state.lesson; k++)
		play_keys(&p, "<Esc>");
	assert_null(p.state.lesson);
	assert_int_equal(p.state.panel.kind, PANEL_WALK);
	char *after = picture(&p);
	assert_string_equal(after, before);
	free(before);
	free(after);
	play_free(&p);
}

static void a_walk_has_the_shapes_of_the_paper(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "shapes-10", NULL);
	play_keys(&p, "<Space>");
	must_show(&p, "X W_Q: (10,512) x (512,64) -> (10,64), Q K^T: (10,64) x (64,10) -> (10,10)");
	play_keys(&p, "<Space><Space><Space><Space><Space><Space>");
	must_show(&p, "weights V: (10,10) x (10,64) -> (10,64)");
	play_keys(&p, "<Space>");
	must_show(&p, "8 of 8, all heads side by side");
	must_show(&p, "8 x (10,64) -> (10,512)");
	assert_int_equal(state_stage(&p.state), STAGE_JOINED);
	play_free(&p);
}

/* Forwards and backwards the same pictures; at the end everything is as it was. */
static void a_walk_goes_back_exactly(const char *input, const char *settings, int rows, int columns, const char *keys)
{
	enum { STEPS = 8 };
	char *there[STEPS + 1];
	struct play p;

	play_open(&p, input, settings);
	play_resize(&p, rows, columns);
	play_keys(&p, keys);
	play_keys(&p, "<Esc>");
	char *before = picture(&p);
	for (int k = 0; k <= STEPS; k++) {
		play_keys(&p, "<Space>");
		there[k] = picture(&p);
	}
	enum walk_step steps[WALK_STEPS];
	size_t n = panel_walk_steps(&p.state, steps);
	for (size_t k = n - 1; k-- > 0;) {
		play_keys(&p, "<BS>");
		char *back = picture(&p);
		assert_string_equal(back, there[k]);
		free(back);
	}
	play_keys(&p, "<BS>");
	char *after = picture(&p);
	assert_string_equal(after, before);
	free(after);
	play_keys(&p, "<Space><Space><Space><Space><Space><Space><Space><Esc>");
	after = picture(&p);
	assert_string_equal(after, before);
	assert_int_equal(p.state.panel.kind, PANEL_NONE);
	free(after);
	free(before);
	for (int k = 0; k <= STEPS; k++)
		free(there[k]);
	play_free(&p);
}

static void walks_go_back_exactly(void **state)
{
	(void)state;
	a_walk_goes_back_exactly("two-tokens", NULL, 24, 80, "j");
	a_walk_goes_back_exactly("cross-3x5", NULL, 24, 80, "j l l l l 5");
	a_walk_goes_back_exactly("shapes-10", NULL, 24, 80, "G l l l l l l l l l");
	a_walk_goes_back_exactly("shapes-10", NULL, 14, 40, "G l l l l l l l l l 3");
	a_walk_goes_back_exactly("saturation-16", "causal=on", 20, 60, "G l l l l l l l l l l l l 5");
}

static void a_walk_ends(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "two-tokens", NULL);
	play_keys(&p, "c <Space> <Space> u");
	assert_int_equal(p.state.panel.kind, PANEL_NONE);
	assert_true(p.state.now.options.causal);	/* ended, not undone */
	assert_int_equal(state_stage(&p.state), STAGE_WEIGHTS);
	play_keys(&p, "u");
	assert_false(p.state.now.options.causal);
	/* Another stage ends it and is shown; a switch goes on with new numbers. */
	play_keys(&p, "<Space> <Space> <Space> c");
	assert_int_equal(p.state.panel.kind, PANEL_WALK);
	must_show(&p, "O X");
	play_keys(&p, "1");
	assert_int_equal(p.state.panel.kind, PANEL_NONE);
	assert_int_equal(state_stage(&p.state), STAGE_SCORES);
	play_keys(&p, "<Space> <Space> :stage<Space>output<Enter>");
	assert_int_equal(p.state.panel.kind, PANEL_NONE);
	assert_int_equal(state_stage(&p.state), STAGE_OUTPUT);
	play_keys(&p, "<Space> <Space> :o<Space>pad-4<Enter>");
	assert_int_equal(p.state.panel.kind, PANEL_NONE);
	/* The lab has its own Space. */
	play_keys(&p, "b <Space>");
	assert_int_equal(p.state.panel.kind, PANEL_BUGS);
	play_free(&p);
}

/* ---- every size ---- */

static void all_sizes_are_whole(void **state)
{
	static const int sizes[][2] = { { 24, 80 }, { 60, 200 }, { 20, 60 }, { 14, 40 }, { 6, 20 }, { 9, 25 } };
	static const char *const inputs[] = { "two-tokens", "korean-5", "shapes-10", "cached-3x5", "overflow-7x3", "saturation-16",
					      "qkv: 1\nweights: [[0.5, 0.5], [.nan, 1]]\n" };
	static const char *const settings[] = { NULL, "causal=on lang=ko", "color=never ascii=on", "softmax=column softmax-times=2" };
	struct play p;

	(void)state;
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
		for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
			for (size_t n = (i + k) % 2; n < sizeof sizes / sizeof *sizes; n += 2) {	/* in turn */
				play_open(&p, inputs[i], settings[k]);
				play_resize(&p, sizes[n][0], sizes[n][1]);
				play_keys(&p, "i");
				for (int stage = 0; stage < 8; stage++) {
					play_keys(&p, "<Tab> j l");
					if (k == 2)
						play_check_ascii(&p);
				}
				play_keys(&p, "<Esc> 4");
				for (int step = 0; step < 9; step++) {
					play_keys(&p, "<Space>");
					if (k == 2)
						play_check_ascii(&p);
				}
				play_free(&p);
			}
}

/* The stage's own step is on the smallest screen that has a panel. */
static void the_last_step_stays(void **state)
{
	static const char *const name[] = { "sum", "/ sqrt(d_k)", "mask", "weight" };
	struct play p;

	(void)state;
	play_open(&p, "shapes-10", NULL);
	play_resize(&p, 14, 40);
	play_keys(&p, "i");
	for (int k = 0; k < 4; k++) {
		char key[2] = { (char)('1' + k), '\0' };
		play_keys(&p, key);
		assert_true(line_of(&p, name[k]) > 0);
	}
	must_show(&p, "weights 0:0, lines 7 to 10 of 10");	/* and what has no room is said, and scrolled to */
	play_keys(&p, "<PgUp> <PgUp>");
	must_show(&p, "lines 1 to 4 of 10");
	assert_true(line_of(&p, "sum") > 0);
	assert_true(line_of(&p, "weight") < 0);
	play_keys(&p, "<PgDn> <PgDn> <PgDn>");
	must_show(&p, "lines 7 to 10 of 10");
	play_keys(&p, "<PgUp> <Down>");		/* another cell begins with its result */
	must_show(&p, "weights 1:0, lines 7 to 10 of 10");
	play_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_tokens_by_hand),
		cmocka_unit_test(causal_by_hand),
		cmocka_unit_test(zero_by_zero_by_hand_is_explained),
		cmocka_unit_test(what_has_no_room_is_counted),
		cmocka_unit_test(long_products_are_folded),
		cmocka_unit_test(an_input_that_is_made_is_explained),
		cmocka_unit_test(each_cell_is_made_of_its_steps),
		cmocka_unit_test(a_walk_is_the_blackboard),
		cmocka_unit_test(a_sum_of_rounded_terms_is_said),
		cmocka_unit_test(what_comes_after_softmax_is_said),
		cmocka_unit_test(shares_are_said_as_they_are),
		cmocka_unit_test(what_changes_a_score_is_said),
		cmocka_unit_test(a_forgotten_transpose_is_said),
		cmocka_unit_test(a_walk_does_not_run_ahead),
		cmocka_unit_test(keys_left_out_of_the_board_are_counted),
		cmocka_unit_test(a_lesson_leaves_the_walk),
		cmocka_unit_test(a_walk_has_the_shapes_of_the_paper),
		cmocka_unit_test(walks_go_back_exactly),
		cmocka_unit_test(a_walk_ends),
		cmocka_unit_test(all_sizes_are_whole),
		cmocka_unit_test(the_last_step_stays),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	language_add_builtin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
