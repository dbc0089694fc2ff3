/* test_reports_b.c - public reports of attention pictures that mislead: area b of the
 * collection, each with its input and the right answer (its first line here names it
 * and says what had gone wrong elsewhere).
 *
 * Where the design decides otherwise than a report (all of them `policy`):
 *   B01, B02, B03  labels that do not fit are refused, with both numbers, on the screen
 *        too: a scenario's tokens stand beside its numbers, so the file is mended
 *   B11  the mask plane of the weights is in JSON (`hidden_by`); CSV is numbers alone
 *   B17  with a scale for each row equal values have equal colours within that row
 *   B18  the weights' own scale is 0 to 1 in every view: the shared one; `range shown`
 *        is the automatic one, and is marked
 *   B19  there is one option for both, so limits and a scale a row cannot clash
 *   B20  no view renormalises: what is left of a row's sum stands beside the sum
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
#include <time.h>

#include "core/io/npy.h"
#include "core/io/scenario_yaml.h"
#include "core/number.h"
#include "core/utf8.h"
#include "tests/play_cells.h"
#include "tests/run.h"
#include "tui/export.h"
#include "tui/load.h"
#include "tui/show.h"
#include "tui/text.h"
#include "tui/view_parts.h"

/* ---- small helpers ---- */

static const struct cell *cell_at(const struct play *p, size_t i, size_t j)
{
	const struct layout *l = &p->layout;

	return cells_at(&p->cells, l->grid + (int)i * l->cell_height, l->cells + (int)j * l->cell_width + 1);
}

static color ground_at(const struct play *p, size_t i, size_t j)
{
	color text, ground;

	play_colors(p, cell_at(p, i, j), &text, &ground);
	return ground;
}

/* What must be refused, with those words in it. */
static void check_refused(const char *yaml, const char *words)
{
	struct scenario s;
	struct error e = { 0 };

	assert_int_not_equal(scenario_parse(&s, yaml, strlen(yaml), "test.yaml", &e), OK_STATUS);
	if (!strstr(e.text, words))
		fail_msg("'%s' does not say '%s'", e.text, words);
}

/* One matrix of what is on the screen, as qkv show writes it. */
static struct buffer shown_as(struct play *p, enum stage stage, enum show_format format)
{
	struct options o = p->state.now.options;	/* borrowed */
	const struct show_request request = {
		.problem = p->state.problem, .input = state_scenario(&p->state), .options = &o, .tables = &p->tables,
		.scenario = "report", .format = format,
	};
	struct buffer b = { 0 };
	struct error e = { 0 };

	o.stage = (int)stage;
	if (show(&b, &request, &e))
		fail_msg("%s: %s", e.option, e.text);
	return b;
}

static void check_shown_as(struct play *p, enum stage stage, enum show_format format, const char *wanted)
{
	struct buffer b = shown_as(p, stage, format);

	assert_string_equal(b.data, wanted);
	buffer_free(&b);
}

static struct buffer as_svg(const struct play *p, enum theme theme)
{
	struct export_options o = { theme, "report" };
	struct buffer b = { 0 };

	export_svg(&p->cells, &o, &b);
	assert_false(b.failed);
	return b;
}

static double weight(struct play *p, size_t i, size_t j)
{
	return state_query(&p->state, i)->weights[j];
}

/* A file in a folder of its own. */
struct file { char folder[256], path[300]; };

static struct file make_file(const char *name, const void *data, size_t size)
{
	struct file f;

	make_folder(f.folder);
	snprintf(f.path, sizeof f.path, "%s/%s", f.folder, name);
	write_file(f.path, data, size);
	return f;
}

/* An .npy file of zeros but for those that are given. */
static struct file make_npy(int rank, const size_t *shape, const double *v)
{
	struct buffer b = { 0 };

	npy_write(&b, v, rank, shape);
	assert_false(b.failed);
	struct file f = make_file("array.npy", b.data, b.size);
	buffer_free(&b);
	return f;
}

/* Opens a file that must be refused, with those words. */
static void check_file_refused(const struct file *f, const char *words)
{
	struct scenario s;
	struct random_tables tables;
	struct error e = { 0 };

	assert_int_equal(random_tables_init(&tables, &e), OK_STATUS);
	assert_int_not_equal(load_scenario(&s, f->path, &tables, &e), OK_STATUS);
	assert_null(strchr(e.text, '\n'));
	if (!strstr(e.text, words))
		fail_msg("'%s' does not say '%s'", e.text, words);
}

/* ---- labels and shapes ---- */

static void b01_head_and_batch_are_stated(void **state)
{
	static double v[2 * 3 * 4 * 4];
	static const size_t shape[] = { 2, 3, 4, 4 };
	struct play p;

	(void)state;
	for (int k = 0; k < 96; k++)
		v[k] = k / 10.0;
	struct file f = make_npy(4, shape, v);
	play_open(&p, f.path, NULL);
	assert_int_equal(p.state.problem->n_q, 4);
	must_show(&p, "layer 0 of 2; 3 heads");	/* without a name the first of four axes is the layer */
	must_show(&p, "(4,4)");
	play_keys(&p, "]");
	must_show(&p, "head 1 of 3");
	play_free(&p);
	remove_folder(f.folder);
	check_refused("qkv: 1\ntokens: [a, b, c, d, e]\nscores: [[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]\n",
		      "tokens: 5 for scores of (4, 4); expected 4");
}

static void b02_labels_are_counted(void **state)
{
	(void)state;
	check_refused("qkv: 1\ntokens: [a, b]\nscores: [[0,0,0],[0,0,0],[0,0,0]]\n", "tokens: 2 for scores of (3, 3); expected 3");
	check_refused("qkv: 1\ntokens: [a, b, c, d, e]\nscores: [[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]\n", "5");
}

static void b03_the_axis_is_named(void **state)
{
	(void)state;
	check_refused("qkv: 1\nquery-tokens: [<s>, a, b, </s>]\nscores: [[0,0,0,0],[0,0,0,0],[0,0,0,0]]\n",
		      "query-tokens: 4 for scores of (3, 4); expected 3");
	check_refused("qkv: 1\nkey-tokens: [a, b, c]\nscores: [[0,0,0,0],[0,0,0,0],[0,0,0,0]]\n",
		      "key-tokens: 3 for scores of (3, 4); expected 4");
}

static void b04_any_rank_is_a_line(void **state)
{
	static const double v[] = { 0.8, 0.2 }, zeros[243] = { 0 };
	static const size_t one[] = { 2 }, five[] = { 3, 3, 3, 3, 3 };
	struct file f = make_npy(1, one, v);
	struct play p;

	(void)state;
	play_open(&p, f.path, NULL);
	assert_true(p.state.problem->n_q == 1 && p.state.problem->n_k == 2);
	play_keys(&p, "4");
	must_hold(&p, 0, 0, "0.800");
	must_hold(&p, 0, 1, "0.200");
	play_free(&p);
	remove_folder(f.folder);
	f = make_npy(0, one, v);
	check_file_refused(&f, "()");
	remove_folder(f.folder);
	f = make_npy(5, five, zeros);	/* layer, batch, head, query, key */
	play_open(&p, f.path, NULL);
	must_show(&p, "(3,3)");
	must_show(&p, "of 3");
	play_free(&p);
	remove_folder(f.folder);
}

static void b05_two_sets_of_labels(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "qkv: 1\nquery-tokens: [le, chat]\nkey-tokens: [the, black, cat, sat, .]\nscores: [[0,0,0,0,0],[0,0,0,0,0]]\n", NULL);
	for (size_t i = 0; i < 2; i++) {
		for (size_t j = 0; j < 5; j++)
			must_hold(&p, i, j, "0.200");
		assert_true(fabs(state_query(&p.state, i)->sum - 1) < 1e-12);
	}
	assert_false(p.state.now.options.causal);
	must_show(&p, "chat");
	must_show(&p, "black");
	play_keys(&p, "<Down><Down><Down><Right><Right><Right><Right><Right><Right>");
	assert_true(p.state.row == 1 && p.state.column == 4);
	must_show(&p, "chat <- .");
	play_free(&p);
}

static void b06_a_growing_row_is_told(void **state)
{
	struct file f = make_file("steps.csv", "0.5\n1,2\n1,2,3\n", 14);

	(void)state;
	check_file_refused(&f, "row 1 has 1 field, row 3 has 3");
	remove_folder(f.folder);
}

/* ---- long sequences ---- */

/* Generous: the sanitizers' build on a machine that has others to serve. */
enum { SECONDS = 30 };

static void b07_long_sequences(void **state)
{
	static const size_t sizes[] = { 512, 4096 };
	char yaml[100];
	struct play p;
	clock_t begun = clock();

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		snprintf(yaml, sizeof yaml, "qkv: 1\nrandom: {seed: 1, n: %zu, d-k: 4}\n", sizes[k]);
		play_open(&p, yaml, NULL);
		for (int n = 0; n < 200; n++)
			play_keys(&p, "<Right>");
		for (int n = 0; n < 20; n++)
			play_keys(&p, "<PageDown>");
		play_keys(&p, "c");
		assert_int_equal(p.state.column, 200);
		for (size_t i = 0; i < p.layout.visible_rows; i++) {
			const struct row *r = state_query(&p.state, p.state.top + i);
			assert_true(fabs(r->sum - 1) < 1e-9);
			assert_int_equal(r->visible, p.state.top + i + 1);
		}
		/* Rows on the screen, and no others, are kept. */
		assert_true(p.layout.visible_rows < 24 && p.layout.visible_columns < 40);
		play_free(&p);
	}
	assert_true((double)(clock() - begun) / CLOCKS_PER_SEC < SECONDS);
}

/* ---- the scale of colours ---- */

static void b08_each_legend_has_its_own_ends(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "qkv: 1\nscores: [[-3, 3], [0, 0]]\n", NULL);
	must_show(&p, "0.00          1.00");
	assert_true(fabs(weight(&p, 0, 0) - 0.002472623) < 1e-9 && fabs(weight(&p, 0, 1) - 0.997527377) < 1e-9);
	assert_true(weight(&p, 1, 0) == 0.5 && weight(&p, 1, 1) == 0.5);
	play_keys(&p, "1");
	must_show(&p, "-3.00          3.00");
	play_free(&p);
}

/* 64 columns: a row of equal weights, and one with a sink; as given weights. */
static void open_sink(struct play *p, const char *settings)
{
	struct buffer yaml = { 0 };

	buffer_text(&yaml, "qkv: 1\nweights: [[0.015625");
	for (int j = 1; j < 64; j++)
		buffer_text(&yaml, ", 0.015625");
	buffer_text(&yaml, "], [0.97");
	for (int j = 1; j < 64; j++)
		buffer_format(&yaml, ", %.17g", 0.03 / 63);
	buffer_text(&yaml, "]]\n");
	play_open(p, yaml.data, settings);
	play_keys(p, "4");
	buffer_free(&yaml);
}

static void b17_modes_of_the_scale(void **state)
{
	static const char *const modes[] = { "auto", "row", "log", "shown", "percentile" };
	char before[ROW_TEXT], after[ROW_TEXT], line[64];
	struct play p;

	(void)state;
	open_sink(&p, "color=truecolor");
	play_keys(&p, "<Down><Right><Right>");
	play_cell_text(&p, 1, 1, NULL, before);
	for (size_t k = 0; k < 5; k++) {
		snprintf(line, sizeof line, ":range %s<Enter>", modes[k]);
		play_keys(&p, line);
		assert_true(p.state.row == 1 && p.state.column == 2);
		play_cell_text(&p, 1, 1, NULL, after);
		assert_string_equal(before, after);
		/* Equal values, equal colours: within a row always, in the view unless rows have their own. */
		assert_int_equal(ground_at(&p, 0, 1), ground_at(&p, 0, 3));
		assert_int_equal(ground_at(&p, 1, 1), ground_at(&p, 1, 3));
		if (k)
			must_show(&p, modes[k]);
	}
	/* 0 to 1: all but the sink look alike; in equal ratios they do not. */
	play_keys(&p, ":range auto<Enter>");
	color fixed_first = ground_at(&p, 0, 1), fixed_second = ground_at(&p, 1, 1);
	play_keys(&p, ":range log<Enter>");
	must_show(&p, "log 0.0004762");
	must_show(&p, "0.97");
	int apart = abs((int)(ground_at(&p, 0, 1) >> 8 & 255) - (int)(ground_at(&p, 1, 1) >> 8 & 255));
	assert_true(apart > 4 * abs((int)(fixed_first >> 8 & 255) - (int)(fixed_second >> 8 & 255)));
	/* The legend of a row's own scale is that of the cursor's row. */
	play_keys(&p, ":range row<Enter>");
	must_show(&p, "row 0.0004762");
	play_keys(&p, "<Up>");
	must_show(&p, "row 0.01562");
	play_free(&p);
}

/* Ends as np.percentile gives them; equal ratios of 1 + |x| where numbers have signs. */
static void b17_percentiles_and_signed_ratios(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "qkv: 1\nweights: [[0, 0.1, 0.2, 0.3, 0.4]]\n", "range=percentile");
	play_keys(&p, "4");
	struct scale scale = view_scale(&p.state, &p.layout);
	assert_true(fabs(scale.low - 0.008) < 1e-12 && fabs(scale.high - 0.392) < 1e-12);
	assert_true(scale_value(&scale, 0) == 0 && scale_value(&scale, 0.4) == 1 && !scale_excludes(&scale, 0.4));
	play_free(&p);
	play_open(&p, "qkv: 1\nscores: [[-99, 9, 0]]\n", "range=log");
	play_keys(&p, "1");
	scale = view_scale(&p.state, &p.layout);
	assert_true(scale.low == -99 && scale.high == 99);
	assert_true(scale_value(&scale, 0) == 0.5 && scale_value(&scale, -99) == 0 && scale_value(&scale, 99) == 1);
	assert_true(fabs(scale_value(&scale, 9) - 0.75) < 1e-12);	/* half way: 10 is the root of 100 */
	assert_true(fabs(scale_value(&scale, -9) - 0.25) < 1e-12);
	play_free(&p);
	/* 0 is below every ratio, also where there is but one other weight. */
	play_open(&p, "qkv: 1\nweights: [[0, 1], [1, 0]]\n", "range=log");
	play_keys(&p, "4");
	scale = view_scale(&p.state, &p.layout);
	assert_true(scale_value(&scale, 0) == 0 && scale_value(&scale, 1) > 0);
	play_free(&p);
	/* A hidden cell is no end of a row. */
	play_open(&p, "causal-3", "range=row");
	play_keys(&p, "<Down>");
	scale = view_scale(&p.state, &p.layout);
	assert_true(fabs(scale.low - 0.26894142) < 1e-8 && fabs(scale.high - 0.73105858) < 1e-8);
	struct scale other = view_row_scale(&p.state, &p.layout, &scale, 0);
	assert_true(other.constant && other.low == 1);
	play_free(&p);
}

#define HEADS_AB "qkv: 1\nweights: [[[0.5, 0.5], [0.5, 0.5]], [[0.505, 0.495], [0.495, 0.505]]]\n"

static void b18_auto_says_its_ends(void **state)
{
	struct play p;
	struct scale scale;

	(void)state;
	play_open(&p, HEADS_AB, "head=1 range=shown");
	play_keys(&p, "4");
	must_show(&p, "shown 0.495");
	must_show(&p, "0.505");
	play_keys(&p, ":range auto<Enter>");
	must_show(&p, "0.00          1.00");
	scale = view_scale(&p.state, &p.layout);
	struct look look = { DEPTH_TRUE, THEME_DARK, false };
	int a = color_heat(&look, scale.map, scale_value(&scale, 0.5)).level;
	int b = color_heat(&look, scale.map, scale_value(&scale, 0.505)).level;
	assert_true(abs(a - b) <= 2);		/* 0.005 of 256 steps is 1.28 */
	play_free(&p);
}

static void b19_limits_hold(void **state)
{
	static const double wanted[2][2] = { { 0.2, 1 }, { 0.8, 1 } };
	static const double v[2][2] = { { 0.1, 0.9 }, { 0.4, 0.6 } };
	char mark[ROW_TEXT], number[ROW_TEXT];
	struct play p;

	(void)state;
	play_open(&p, "qkv: 1\nweights: [[0.1, 0.9], [0.4, 0.6]]\n", "range=0..0.5");
	play_keys(&p, "4");
	struct scale scale = view_scale(&p.state, &p.layout);
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++) {
			assert_true(fabs(scale_value(&scale, v[i][j]) - wanted[i][j]) < 1e-12);
			assert_int_equal(scale_excludes(&scale, v[i][j]), j);
		}
	must_show(&p, "limits 0");
	must_hold(&p, 1, 0, "0.400");
	play_cell_text(&p, 1, 1, mark, number);
	assert_string_equal(mark, "!");
	assert_string_equal(number, "0.600");	/* marked, and the number is the same */
	/* Typed again as a scale a row: the limits are gone, and it is said what holds. */
	play_keys(&p, ":range row<Enter>");
	must_hold(&p, 1, 1, "0.600");
	must_show(&p, "row 0.1");
	play_keys(&p, ":range 1..0<Enter>");
	assert_true(p.state.sentence_is_error);
	play_free(&p);
}

/* ---- axes ---- */

static void b09_rows_are_queries(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "qkv: 1\ntokens: [the, cat, sat]\nscores: [[0,0,0],[0,0,0],[0,0,0]]\nset: {causal: on}\n", NULL);
	play_keys(&p, "<Down><Down>");
	must_show(&p, "sat <- the");
	must_hold(&p, 2, 0, "0.333");
	play_keys(&p, "<Right>");
	must_show(&p, "sat <- cat");
	play_keys(&p, ":z<Enter><Right>");
	must_show(&p, "sat <- sat");
	must_show(&p, "q\\k");
	play_free(&p);
	play_open(&p, "qkv: 1\ntokens: [longest-one, cat]\nscores: [[0,0],[0,0]]\n", NULL);
	must_show(&p, "query\u2572key");
	play_free(&p);
}

static void check_two_by_three(struct play *p)
{
	struct buffer b = shown_as(p, STAGE_SCORES, SHOW_NPY);
	const double wanted[] = { 1, 2, 3, 4, 5, 6 };

	assert_true(p->state.problem->n_q == 2 && p->state.problem->n_k == 3);
	assert_non_null(strstr(b.data + 10, "'shape': (2, 3)"));
	assert_memory_equal(b.data + b.size - sizeof wanted, wanted, sizeof wanted);
	buffer_free(&b);
	check_shown_as(p, STAGE_SCORES, SHOW_CSV, ",t0,t1,t2\nt0,1.0,2.0,3.0\nt1,4.0,5.0,6.0\n");
	play_keys(p, "1");
	must_hold(p, 0, 2, "3.000");
	must_hold(p, 1, 0, "4.000");
	struct buffer text = { 0 }, svg = as_svg(p, THEME_DARK);
	export_text(&p->cells, &text);
	const char *three = strstr(text.data, "3.000"), *four = strstr(text.data, "4.000");
	assert_true(three && four && three < four);
	three = strstr(svg.data, "3.000");
	four = strstr(svg.data, "4.000");
	assert_true(three && four && three < four);
	buffer_free(&text);
	buffer_free(&svg);
}

static void b10_nothing_is_turned(void **state)
{
	static const double c_order[] = { 1, 2, 3, 4, 5, 6 };
	static const size_t shape[] = { 2, 3 };
	/* The same in Fortran order: written by numpy.save(numpy.asfortranarray(...)). */
	static const double fortran[] = { 1, 4, 2, 5, 3, 6 };
	static const char tensor_head[] = "{\"scores\":{\"dtype\":\"F64\",\"shape\":[2,3],\"data_offsets\":[0,48]}}";
	unsigned char tensors[8 + sizeof tensor_head - 1 + 48] = { sizeof tensor_head - 1 };
	struct buffer npy = { 0 };
	struct play p;

	(void)state;
	play_open(&p, "qkv: 1\nscores: [[1, 2, 3], [4, 5, 6]]\n", NULL);
	check_two_by_three(&p);
	play_free(&p);
	npy_write(&npy, fortran, 2, shape);
	char *order = strstr(npy.data + 10, "False");
	assert_non_null(order);
	memcpy(order, "True ", 5);
	memcpy(tensors + 8, tensor_head, sizeof tensor_head - 1);
	memcpy(tensors + sizeof tensors - 48, c_order, 48);
	struct file files[] = {
		make_npy(2, shape, c_order), make_file("fortran.npy", npy.data, npy.size), make_file("plain.csv", "1,2,3\n4,5,6\n", 12),
		make_file("scores.safetensors", tensors, sizeof tensors),
	};
	for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
		play_open(&p, files[k].path, NULL);
		check_two_by_three(&p);
		play_free(&p);
		remove_folder(files[k].folder);
	}
	buffer_free(&npy);
}

/* ---- looks ---- */

static void b11_hidden_cells_are_not_numbers(void **state)
{
	static const double wanted[3][3] = { { 1, 0, 0 }, { 0.731058579, 0.268941421, 0 }, { 0.665240956, 0.244728471, 0.090030573 } };
	struct play p;

	(void)state;
	play_open(&p, "qkv: 1\nscores: [[9, 8, 7], [6, 5, 4], [3, 2, 1]]\nset: {causal: on}\n", "color=never");
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 3; j++)
			assert_true(fabs(weight(&p, i, j) - wanted[i][j]) < 1e-9);
	must_hold(&p, 0, 1, "\u259a 0");
	must_hold(&p, 1, 2, "\u259a 0");
	play_keys(&p, "3");
	must_hold(&p, 0, 1, "\u259a -inf");
	must_hold(&p, 0, 2, "\u259a -inf");
	must_hold(&p, 1, 2, "\u259a -inf");
	struct buffer text = { 0 }, svg = as_svg(&p, THEME_DARK);
	export_text(&p.cells, &text);
	assert_non_null(strstr(text.data, "\u259a -inf"));
	assert_non_null(strstr(svg.data, "\u259a -inf"));
	assert_null(strstr(text.data, "8.000"));
	assert_null(strstr(svg.data, "8.000"));
	buffer_free(&text);
	buffer_free(&svg);
	check_shown_as(&p, STAGE_MASKED, SHOW_CSV, ",t0,t1,t2\nt0,9.0,-inf,-inf\nt1,6.0,5.0,-inf\nt2,3.0,2.0,1.0\n");
	struct buffer json = shown_as(&p, STAGE_WEIGHTS, SHOW_JSON), tex = shown_as(&p, STAGE_WEIGHTS, SHOW_LATEX);
	assert_non_null(strstr(json.data, "[[], [\"causal\"], [\"causal\"]]"));
	assert_non_null(strstr(tex.data, "$1.000$ & $0.000^{\\times}$ & $0.000^{\\times}$"));
	buffer_free(&json);
	buffer_free(&tex);
	play_free(&p);
}

static void b12_three_kinds_of_nothing(void **state)
{
	struct play p;

	(void)state;
	/* e^-13.122363 is 2.0e-06; e^-800 is 0 in double. */
	play_open(&p, "qkv: 1\nscores: [[5, -13.122363, 0], [0, -800, 0]]\nset: {hide: \"0:0\"}\n", "color=never");
	assert_true(weight(&p, 0, 1) > 1.9e-6 && weight(&p, 0, 1) < 2.1e-6 && weight(&p, 1, 1) == 0);
	must_hold(&p, 0, 0, "\u259a 0");
	must_hold(&p, 0, 1, "~0");
	must_hold(&p, 1, 1, "0");
	play_free(&p);
}

static void b13_labels_may_repeat(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "qkv: 1\ntokens: [the, cat, the, <pad>, <pad>]\nscores: [[0,1,2,3,4],[10,11,12,13,14],[20,21,22,23,24],"
		  "[30,31,32,33,34],[40,41,42,43,44]]\n", "precision=0");
	play_keys(&p, "1");
	assert_true(p.state.problem->n_q == 5 && p.state.problem->n_k == 5);
	must_hold(&p, 2, 0, "20");
	must_hold(&p, 2, 2, "22");
	must_hold(&p, 4, 4, "44");
	play_keys(&p, "<Down>/the<Enter>");
	assert_int_equal(p.state.row, 2);
	play_keys(&p, "n");
	must_show(&p, "the");
	size_t first = p.state.row, column = p.state.column;
	for (int k = 0; k < 4; k++)
		play_keys(&p, "n");
	assert_true(p.state.row == first && p.state.column == column);	/* 2 rows and 2 columns, round and round */
	play_free(&p);
}

/* ---- what tokens are made of ---- */

#define SUBWORDS "qkv: 1\ntokens: [\"\u0120the\", \"##ing\", \"\u2581of\", \"\u010a\", \"\u0120\", \",\", \"\\\"\"]\nscores: " \
	"[[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0]]\n"

static void label_of(const struct play *p, size_t i, char out[ROW_TEXT])
{
	play_text(p, p->layout.grid + (int)i * p->layout.cell_height + p->layout.cell_height / 2, 2, 2 + p->layout.label_width, out);
	for (size_t n = strlen(out); n && out[n - 1] == ' ';)
		out[--n] = '\0';
}

static void b14_subword_marks(void **state)
{
	static const char *const raw[] = { "\u0120the", "##ing", "\u2581of", "\u010a", "\u0120", ",", "\"" };
	static const char *const read[] = { "\u2423the", "\u2026ing", "\u2423of", "\u23ce", "\u2423", ",", "\"" };
	char label[ROW_TEXT];
	struct play p;

	(void)state;
	play_open(&p, SUBWORDS, NULL);
	for (size_t i = 0; i < 7; i++) {
		label_of(&p, i, label);
		assert_string_equal(label, raw[i]);
	}
	play_keys(&p, ":labels read<Enter>");
	for (size_t i = 0; i < 7; i++) {
		label_of(&p, i, label);
		if (i != 3)
			assert_string_equal(label, read[i]);
		assert_true(text_width(label, false) >= 1);
	}
	label_of(&p, 3, label);
	assert_int_equal(text_width(label, false), 1);
	must_hold(&p, 3, 3, "0.143");
	/* For display only: what is written is what the file has. */
	play_keys(&p, ":labels raw<Enter>");
	struct buffer b = shown_as(&p, STAGE_WEIGHTS, SHOW_CSV);
	const char head[] = ",\u0120the,##ing,\u2581of,\u010a,\u0120,\",\",\"\"\"\"\n";
	assert_memory_equal(b.data, head, sizeof head - 1);
	buffer_free(&b);
	play_free(&p);
}

/* Puts bytes that no YAML file may hold where a token was. */
static void spoil(struct play *p, size_t i, const char *bytes)
{
	struct tokens *t[] = { &p->state.problem->query_tokens, &p->state.problem->key_tokens };

	for (int k = 0; k < 2; k++) {
		free(t[k]->text[i]);
		t[k]->text[i] = strdup(bytes);
		assert_non_null(t[k]->text[i]);
	}
}

static bool is_utf8(const char *text, size_t size)
{
	uint32_t code;

	for (size_t at = 0, n; at < size; at += n)
		if (!(n = utf8_decode(text + at, size - at, &code)))
			return false;
	return true;
}

static void b15_pieces_of_a_character(void **state)
{
	static const char *const piece[] = { "\xf0\x9f", "\x92", "\xa9" };
	static const char *const bytes[] = { "\\xf0\\x9f", "\\x92", "\\xa9" };
	char label[ROW_TEXT];
	struct play p;

	(void)state;
	for (int ascii = 0; ascii < 2; ascii++) {
		play_open(&p, "qkv: 1\ntokens: [aaaaaaaaaa, b, c]\nscores: [[0,0,0],[0,0,0],[0,0,0]]\n", ascii ? "ascii=on" : NULL);
		for (size_t i = 0; i < 3; i++)
			spoil(&p, i, piece[i]);
		play_keys(&p, "c");
		for (size_t i = 0; i < 3; i++) {
			label_of(&p, i, label);
			assert_string_equal(label, ascii ? bytes[i] : "\ufffd");
		}
		struct buffer svg = as_svg(&p, THEME_DARK);
		assert_true(is_utf8(svg.data, svg.size));
		buffer_free(&svg);
		play_free(&p);
	}
}

static void b16_wide_labels_stay_whole(void **state)
{
	static const char *const sizes[] = { "", "z", "zz" };
	static const char *const labels[] = { "\u4f60", "\u597d", "\u4e16", "\u754c" };
	char text[ROW_TEXT];
	struct play p;

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		play_open(&p, "qkv: 1\ntokens: [\u4f60, \u597d, \u4e16, \u754c]\nscores: [[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]\n", NULL);
		play_keys(&p, sizes[k]);	/* play checks that no wide character is halved */
		for (size_t j = 0; j < 4; j++) {
			int x = p.layout.cells + (int)j * p.layout.cell_width;
			label_of(&p, j, text);
			assert_string_equal(text, labels[j]);
			if (!p.layout.numbers)
				continue;
			play_text(&p, p.layout.labels, x + 1, x + p.layout.cell_width, text);
			assert_true(strstr(text, labels[j]) || strstr(text, "\u2026"));
			must_hold(&p, 0, j, "0.250");
		}
		play_free(&p);
	}
}

/* ---- pictures in files ---- */

static unsigned attribute(const char *at, const char *name, int base)
{
	const char *end = strchr(at, '>'), *found = strstr(at, name);

	assert_true(end && found && found < end);
	return (unsigned)strtoul(found + strlen(name), NULL, base);
}

/* The ground below a point: the last rectangle before it that covers it. */
static color ground_below(const char *svg, unsigned x, unsigned y, color page)
{
	color ground = page;
	const char *group = strstr(svg, "<g ");

	for (const char *at = strstr(group, "<rect "); at; at = strstr(at + 1, "<rect ")) {
		unsigned left = attribute(at, " x=\"", 10), top = attribute(at, " y=\"", 10);
		if (x >= left && x < left + attribute(at, " width=\"", 10) && y >= top && y < top + attribute(at, " height=\"", 10))
			ground = COLOR_RGB(0, 0, 0) | attribute(at, " fill=\"#", 16);
	}
	return ground;
}

/* Every text of the picture against what is below it; how many there were. */
static size_t check_contrast(const char *svg)
{
	const char *page_rect = strstr(svg, "<rect ");
	color text = COLOR_RGB(0, 0, 0) | attribute(strstr(svg, "<svg "), " fill=\"#", 16), page;
	size_t count = 0;

	assert_non_null(page_rect);
	page = COLOR_RGB(0, 0, 0) | attribute(page_rect, " fill=\"#", 16);
	assert_int_equal((int)attribute(page_rect, " width=\"", 10), (int)attribute(strstr(svg, "<svg "), " width=\"", 10));
	for (const char *at = strstr(svg, "<text "); at; at = strstr(at + 1, "<text "), count++) {
		const char *end = strchr(at, '>'), *fill = strstr(at, " fill=\"#");
		color own = fill && fill < end ? COLOR_RGB(0, 0, 0) | attribute(at, " fill=\"#", 16) : text;
		unsigned x = attribute(at, " x=\"", 10), y = attribute(at, " y=\"", 10);
		double contrast = contrast_ratio(own, ground_below(svg, x + 1, y - 4, page));
		if (contrast < 4.5)
			fail_msg("%.2f: %.120s", contrast, at);
	}
	return count;
}

static void b20_tokens_left_out(void **state)
{
	char line[ROW_TEXT];
	struct play p;

	(void)state;
	play_open(&p, "qkv: 1\nquery-tokens: [a]\nkey-tokens: [CLS, a, b, SEP]\nweights: [[0.7, 0.1, 0.1, 0.1]]\n", "without=0,3");
	play_keys(&p, "4");
	must_hold(&p, 0, 1, "0.100");
	must_hold(&p, 0, 2, "0.100");
	must_hold(&p, 0, 0, "\u00b7");
	must_hold(&p, 0, 3, "\u00b7");
	assert_true(weight(&p, 0, 0) == 0.7 && fabs(state_query(&p.state, 0)->sum - 1) < 1e-12);
	play_row(&p, p.layout.labels, line);
	assert_non_null(strstr(line, "shown"));
	play_row(&p, p.layout.grid, line);
	assert_non_null(strstr(line, "1.000 ok"));
	assert_non_null(strstr(strstr(line, "1.000 ok"), "0.200"));
	assert_null(strstr(line, "0.700"));
	play_keys(&p, ":without none<Enter>");
	must_hold(&p, 0, 0, "0.700");
	/* The sink no longer sets the scale of the rest. */
	play_keys(&p, ":without 0<Enter>:range shown<Enter>");
	struct scale scale = view_scale(&p.state, &p.layout);
	assert_true(scale.constant && scale.high == 0.1);
	play_free(&p);
}

static void b21_svg_paints_its_own_ground(void **state)
{
	static const char *const keys[] = { "", "3", "1", "5", "i", "v", "b", "c<Down><Right>", ":range 0..0.5<Enter>" };
	static const char *const settings[] = { "theme=dark color=truecolor", "theme=light color=truecolor", "theme=dark color=256",
						"theme=light color=16", "theme=dark color=never" };
	struct play p;

	(void)state;
	for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
		play_open(&p, "causal-3", settings[k]);
		for (size_t n = 0; n < sizeof keys / sizeof *keys; n++) {
			play_keys(&p, keys[n]);
			struct buffer svg = as_svg(&p, state_look(&p.state).theme);
			assert_true(check_contrast(svg.data) > 10);
			buffer_free(&svg);
			play_keys(&p, "<Esc>");
		}
		play_free(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(b01_head_and_batch_are_stated),
		cmocka_unit_test(b02_labels_are_counted),
		cmocka_unit_test(b03_the_axis_is_named),
		cmocka_unit_test(b04_any_rank_is_a_line),
		cmocka_unit_test(b05_two_sets_of_labels),
		cmocka_unit_test(b06_a_growing_row_is_told),
		cmocka_unit_test(b07_long_sequences),
		cmocka_unit_test(b08_each_legend_has_its_own_ends),
		cmocka_unit_test(b09_rows_are_queries),
		cmocka_unit_test(b10_nothing_is_turned),
		cmocka_unit_test(b11_hidden_cells_are_not_numbers),
		cmocka_unit_test(b12_three_kinds_of_nothing),
		cmocka_unit_test(b13_labels_may_repeat),
		cmocka_unit_test(b14_subword_marks),
		cmocka_unit_test(b15_pieces_of_a_character),
		cmocka_unit_test(b16_wide_labels_stay_whole),
		cmocka_unit_test(b17_modes_of_the_scale),
		cmocka_unit_test(b17_percentiles_and_signed_ratios),
		cmocka_unit_test(b18_auto_says_its_ends),
		cmocka_unit_test(b19_limits_hold),
		cmocka_unit_test(b20_tokens_left_out),
		cmocka_unit_test(b21_svg_paints_its_own_ground),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
