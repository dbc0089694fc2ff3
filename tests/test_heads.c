/* test_heads.c - many heads and layers on the screen: other layers and batches, pictures
 * of all heads with their figures, and the mean over heads.
 *
 * Numbers of data/tensors/koen_lm_ko.npz (3 layers, 4 heads, 29 tokens, causal) are those
 * of NumPy 1.24.2 in double, from the file's q and k. Surroundings: QKV_TEST_DATA.
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
#include <unistd.h>

#include "core/model_heads.h"
#include "tests/alloc.h"
#include "tests/koen.h"
#include "tests/play.h"
#include "tui/language.h"

/* ---- tools ---- */

static void open_path(struct play *p, const char *path, const char *settings)
{
	play_open(p, path, settings);
	state_set_source(&p->state, path);
}

static void open_data(struct play *p, const char *name, const char *settings)
{
	char path[1024];

	assert_non_null(getenv("QKV_TEST_DATA"));
	snprintf(path, sizeof path, "%s/tensors/%s", getenv("QKV_TEST_DATA"), name);
	open_path(p, path, settings);
}

static void open_koen(struct play *p)
{
	open_data(p, "koen_lm_ko.npz", NULL);
}

static void assert_place(const struct play *p, long layer, long head)
{
	assert_int_equal(p->state.now.options.layer, layer);
	assert_int_equal(state_scenario(&p->state)->part.layer, layer);
	assert_int_equal(p->state.problem->part.layer, layer);
	assert_int_equal(p->state.now.options.head, head);
}

static void assert_sentence(const struct play *p, const char *part)
{
	if (!strstr(p->state.sentence, part))
		fail_msg("'%s' does not say '%s'", p->state.sentence, part);
}

/* Two heads of three tokens as finished weights. */
static const char two_heads[] =
	"qkv: 1\n"
	"weights:\n"
	"  - [[1, 0, 0], [0.25, 0.75, 0], [0.5, 0.25, 0.25]]\n"
	"  - [[1, 0, 0], [0.75, 0.25, 0], [0, 0, 1]]\n"
	"set: {causal: on}\n";

/* ---- layers and batches ---- */

static void layers_one_after_the_other(void **state)
{
	/* Row 5 of head 0 begins with these. */
	static const double first[] = { 0.012801337071, 0.2606475113, 0.462611222511 };
	struct play p;

	(void)state;
	open_koen(&p);
	assert_place(&p, 0, 0);
	for (int k = 1; k <= 4; k++) {
		play_keys(&p, "}");
		assert_place(&p, k % 3, 0);
		assert_near(state_values(&p.state, 5)[0], first[k % 3], 1e-9);
		assert_int_equal(p.state.undo.n, k);
	}
	assert_sentence(&p, "}: layer 1 of 3: ");
	play_keys(&p, "{ {");
	assert_place(&p, 2, 0);
	assert_int_equal(p.state.opened_n, 3);		/* none is read twice */
	for (int k = 5; k >= 0; k--)
		play_keys(&p, "u");
	assert_place(&p, 0, 0);
	assert_int_equal(p.state.undo.n, 0);
	assert_sentence(&p, "layer 0");
	play_keys(&p, "<C-r>");
	assert_place(&p, 1, 0);
	play_free(&p);
}

static void what_was_chosen_stays(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p);
	play_keys(&p, "] ] c 3 } ");
	assert_place(&p, 1, 2);
	assert_false(p.state.now.options.causal);
	assert_int_equal(state_stage(&p.state), STAGE_MASKED);
	play_keys(&p, "[ [ 4");
	/* NumPy's, without the mask */
	assert_near(state_values(&p.state, 5)[0], 0.016888473, 1e-9);
	play_keys(&p, "c");
	assert_near(state_values(&p.state, 5)[0], 0.2606475113, 1e-9);
	/* A number that is changed is one of its layer. */
	play_keys(&p, "1 <Enter> <Type:9> <Enter>");
	assert_int_equal(p.state.now.edits.n, 1);
	play_keys(&p, "}");
	assert_int_equal(p.state.now.edits.n, 0);
	play_keys(&p, "u");
	assert_int_equal(p.state.now.edits.n, 1);
	play_free(&p);
}

static void layers_and_batches_by_number(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p);
	play_keys(&p, ":layer 2<Enter>");
	assert_place(&p, 2, 0);
	play_keys(&p, ":layer 3<Enter>");
	assert_place(&p, 2, 0);
	assert_true(p.state.sentence_is_error);
	assert_sentence(&p, "the file has 3 layers, 0 to 2");
	play_keys(&p, ":set layer x<Enter>");
	assert_true(p.state.sentence_is_error);
	play_keys(&p, ":batch 1<Enter>");
	assert_true(p.state.sentence_is_error);
	assert_int_equal(p.state.opened_n, 2);
	play_free(&p);

	open_data(&p, "koen_mlm_pad.safetensors", NULL);
	play_keys(&p, "} :batch 2<Enter>");
	assert_place(&p, 1, 0);
	assert_int_equal(p.state.now.options.batch, 2);
	assert_int_equal(p.state.problem->part.batch, 2);
	assert_int_equal(p.state.now.options.pad.n, 0);	/* that sentence fills all 40 places */
	assert_sentence(&p, "layer 1 of 3, batch 2 of 4");
	play_keys(&p, "]");
	/* bfloat16 of NumPy's 0.0736 */
	assert_near(state_values(&p.state, 3)[3], 0.073570695541, 0.004);
	play_keys(&p, "} ");
	assert_int_equal(p.state.problem->part.batch, 2);
	play_keys(&p, ":batch 0<Enter>");
	assert_place(&p, 2, 1);
	assert_int_equal(p.state.now.options.pad.n, 18);
	play_free(&p);
}

static void inputs_without_layers(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "shapes-10", NULL);
	play_keys(&p, "}");
	assert_sentence(&p, "there is only one layer");
	play_keys(&p, "{");
	assert_sentence(&p, "there is only one layer");
	assert_int_equal(p.state.undo.n, 0);
	play_free(&p);
}

/* Of a file that came by standard input, or from a session, there is nothing to read again. */
static void files_that_are_gone(void **state)
{
	char path[] = "heads-XXXXXX";
	struct play p;
	size_t size;
	char *bytes;
	int fd;

	(void)state;
	open_koen(&p);
	free(p.state.opened[0]->source);
	p.state.opened[0]->source = NULL;
	play_keys(&p, "}");
	assert_true(p.state.sentence_is_error);
	assert_sentence(&p, "cannot be read again");
	play_keys(&p, "H");
	assert_int_equal(p.state.panel.kind, PANEL_HEADS);
	assert_int_equal(p.state.panel.heads.layers, 1);
	assert_sentence(&p, "only this layer");
	play_free(&p);

	/* A file that goes while the heads are open. */
	bytes = koen_bytes("../tensors/koen_lm_ko.npz", &size);
	assert_true((fd = mkstemp(path)) >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
	free(bytes);
	open_path(&p, path, NULL);
	play_keys_flashing(&p, "H");
	assert_int_equal(p.state.panel.heads.layers, 3);
	remove(path);
	play_keys(&p, "<Down>");
	assert_true(play_shows(&p, "L1H0: "));
	assert_false(play_shows(&p, "L1H0: entropy"));
	play_keys(&p, "<Up>");
	assert_true(play_shows(&p, "L0H0: entropy 0.610"));
	play_keys(&p, "<Down> <Enter>");
	assert_place(&p, 0, 0);
	assert_true(p.state.sentence_is_error);
	assert_int_equal(p.state.opened_n, 1);
	play_free(&p);
}

/* ---- choosing ---- */

static void letters_and_enter_choose(void **state)
{
	static const struct { const char *keys; long layer, head; } cases[] = {
		{ "H <Enter>", 0, 0 }, { "H c", 0, 2 }, { "H g", 1, 2 }, { "H <Right> <Enter>", 0, 1 }, { "H <Left> <Enter>", 2, 3 },
		{ "H <Down> <Right> <Enter>", 1, 1 }, { "H <Down> <Down> <Down> <Enter>", 2, 0 }, { "H <Up> <Enter>", 0, 0 },
		{ "H } } } <Enter>", 0, 0 }, { "H { <Enter>", 2, 0 }, { "H ] ] <Enter>", 0, 2 }, { "H <End> <Enter>", 2, 3 },
		{ "H l", 2, 3 }, { "] } H <Enter>", 1, 1 }, { "} H <End> <Home> <Down> <Enter>", 1, 0 },
	};

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct play p;
		open_koen(&p);
		play_keys(&p, cases[k].keys);
		if (p.state.now.options.layer != cases[k].layer || p.state.now.options.head != cases[k].head)
			fail_msg("%s: layer %ld, head %ld", cases[k].keys, p.state.now.options.layer, p.state.now.options.head);
		assert_place(&p, cases[k].layer, cases[k].head);
		assert_int_equal(p.state.panel.kind, PANEL_NONE);
		assert_int_equal(p.state.mode, MODE_GRID);
		play_free(&p);
	}
}

static void opens_and_closes(void **state)
{
	static const char *const close[] = { "<Esc>", "q", "H" };
	struct play p;

	(void)state;
	open_koen(&p);
	for (size_t k = 0; k < 3; k++) {
		play_keys(&p, "H");
		assert_int_equal(p.state.panel.kind, PANEL_HEADS);
		assert_sentence(&p, "3 layers of 4 heads");
		play_keys(&p, close[k]);
		assert_int_equal(p.state.panel.kind, PANEL_NONE);
	}
	assert_int_equal(p.state.undo.n, 0);
	/* One change, whatever it changes. */
	play_keys(&p, "H k");
	assert_place(&p, 2, 2);
	assert_int_equal(p.state.undo.n, 1);
	play_keys(&p, "H u");		/* u is no letter of twelve: it undoes, and the picture stays */
	assert_place(&p, 0, 0);
	assert_int_equal(p.state.panel.kind, PANEL_HEADS);
	assert_true(play_shows(&p, "a>L0H0"));
	play_free(&p);
}

/* Another file under the open pictures: its own layers, and nothing of the old one. */
static void another_input_below(void **state)
{
	struct play p;
	char keys[1100];

	(void)state;
	play_open(&p, "shapes-10", NULL);
	play_keys(&p, "H");
	assert_int_equal(p.state.panel.heads.layers, 1);
	snprintf(keys, sizeof keys, ":o %s/tensors/koen_lm_ko.npz<Enter>", getenv("QKV_TEST_DATA"));
	play_keys(&p, keys);
	assert_int_equal(p.state.panel.kind, PANEL_HEADS);
	assert_int_equal(p.state.panel.heads.layers, 3);
	assert_true(play_shows(&p, "L0H0: entropy 0.610"));
	play_keys(&p, "<End> u");
	assert_int_equal(p.state.panel.heads.layers, 1);
	assert_int_equal(p.state.panel.chosen, 0);
	assert_true(play_shows(&p, "H7"));
	assert_false(play_shows(&p, "L0H0"));
	play_free(&p);
}

static void letters_are_those_on_the_screen(void **state)
{
	(void)state;
	for (size_t k = 0; k < 60; k++) {
		char letter = heads_letter(k);
		assert_true(!letter || (letter != 'q' && letter != 'Q' && letter != 'H'));
		assert_int_equal(letter != '\0', k < 49);
		for (size_t other = 0; other < k && letter; other++)
			assert_int_not_equal(letter, heads_letter(other));
	}
}

/* ---- figures ---- */

static void figures_are_those_of_numpy(void **state)
{
	static const struct { const char *keys, *line; } cases[] = {
		{ "H", "L0H0: entropy 0.610 of the largest; weight on previous 0.368, own 0.198, first 0.019; distance 1.933" },
		{ "H <Down> ] ]", "L1H2: entropy 0.757 of the largest; weight on previous 0.231, own 0.200, first 0.074; distance 4.733" },
		{ "H <End>", "L2H3: entropy 0.728 of the largest; weight on previous 0.137, own 0.154, first 0.081; distance 5.989" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct play p;
		open_koen(&p);
		play_resize(&p, 24, 120);
		play_keys(&p, cases[k].keys);
		if (!play_shows(&p, cases[k].line))
			fail_msg("%s: not shown: %s", cases[k].keys, cases[k].line);
		assert_true(play_shows(&p, "means over 26 of 29 queries, from position 3 on; every row sums to 1"));
		play_free(&p);
	}
}

static void figures_beside_and_in_a_table(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p);
	play_resize(&p, 60, 200);
	play_keys(&p, "H <Down> ] ]");
	assert_true(play_shows(&p, "g>L1H2"));
	assert_true(play_shows(&p, "entr .76"));
	assert_true(play_shows(&p, "dist 4.7"));
	assert_true(play_shows(&p, " previous     0.231  weight on the key before its own"));
	assert_true(play_shows(&p, " distance     4.733  keys between"));
	play_free(&p);
}

static void caveats_are_said(void **state)
{
	static const char off[] =
		"qkv: 1\n"
		"weights: [[1, 0, 0, 0], [0.5, 0.4, 0, 0], [.nan, 0, 1, 0], [0.25, 0.25, 0.25, 0.25]]\n";
	struct play p;

	(void)state;
	play_open(&p, off, NULL);
	play_resize(&p, 24, 160);
	play_keys(&p, "H");
	assert_true(play_shows(&p, "means over 2 of 4 queries, from position 1 on; left out, as nan or without a visible key: 1; rows that do not sum to 1: 1, of weights, not shares"));
	assert_true(play_shows(&p, "own 0.325"));		/* (0.4 + 0.25) / 2 */
	play_free(&p);
}

/* A head of the model, measured where it runs and as an input. */
static void the_same_figures_as_of_a_running_model(void **state)
{
	static struct random_tables tables;
	static struct model model;
	struct model_run r;
	struct error e = { 0 };

	(void)state;
	assert_int_equal(random_tables_init(&tables, &e), OK_STATUS);
	koen_model(&model);
	assert_int_equal(model_run_init(&r, &model, &tables, &e), OK_STATUS);
	koen_set(&r, "The document can be opened in another window.");
	for (size_t layer = 0; layer < model.size.layers; layer++) {
		struct scenario s;
		struct problem p = { 0 };
		assert_int_equal(model_run_scenario(&r, layer, "live", &s, &e), OK_STATUS);
		assert_int_equal(problem_build(&p, &s, &s.set, &s.edits, &tables, &e), OK_STATUS);
		for (size_t head = 0; head < model.size.heads; head++) {
			struct head_figures wanted = model_head_figures(&r, layer, head);
			struct attention a;
			struct row row;
			struct weight_tally t;
			s.set.head = (long)head;
			assert_int_equal(attention_init(&a, &p, &s.set, &tables, &e), OK_STATUS);
			assert_int_equal(row_init(&row, &a, &e), OK_STATUS);
			assert_int_equal(weight_tally_begin(&t, &a, &e), OK_STATUS);
			for (size_t i = 0; i < p.n_q; i++) {
				row_compute(&row, &a, i, STAGE_SCORES, STAGE_WEIGHTS);
				weight_tally_add(&t, &a, &row);
			}
			struct weight_figures got = weight_figures_of(&t);
			assert_int_equal(got.queries, wanted.queries);
			assert_near(got.entropy, wanted.entropy, 1e-5);
			assert_near(got.previous, wanted.previous, 1e-5);
			assert_near(got.own, wanted.itself, 1e-5);
			assert_near(got.first, wanted.bos, 1e-5);
			weight_tally_free(&t);
			row_free(&row);
			attention_free(&a);
		}
		problem_free(&p);
		scenario_free(&s);
	}
	model_run_free(&r);
	model_free(&model);
}

/* ---- pictures ---- */

static color color_of(const struct play *p, double w)
{
	struct look look = state_look(&p->state);

	return color_heat(&look, MAP_SEQUENTIAL, w).style.background;
}

static void dots_are_weights(void **state)
{
	static const double w[2][3][3] = {
		{ { 1, 0, 0 }, { 0.25, 0.75, 0 }, { 0.5, 0.25, 0.25 } }, { { 1, 0, 0 }, { 0.75, 0.25, 0 }, { 0, 0, 1 } },
	};
	struct play p;

	(void)state;
	play_open(&p, two_heads, NULL);
	play_keys(&p, "H");
	const struct heads_place *k = &p.state.panel.heads.place;
	assert_int_equal(k->rows, 3);
	assert_int_equal(k->columns, 3);
	assert_true(k->halves);
	for (int h = 0; h < 2; h++)
		for (int y = 0; y < 3 * k->down; y++)
			for (int x = 0; x < 3 * k->across; x++) {
				int line = h / k->per_line, row = p.layout.panel + 2 + line * k->box_rows + y / 2;
				const struct cell *cell = cells_at(&p.cells, row, h % k->per_line * k->box + x);
				color wanted = color_of(&p, w[h][y / k->down][x / k->across]);
				assert_int_equal(cell->code[0], 0x2580);
				assert_int_equal(y % 2 ? cell->style.background : cell->style.foreground, wanted);
			}
	/* Without colour a ramp tells it. */
	play_keys(&p, ":color never<Enter>");
	k = &p.state.panel.heads.place;
	assert_false(k->halves);
	struct look look = state_look(&p.state);
	char text[ROW_TEXT];
	play_text(&p, p.layout.panel + 2, 0, k->across, text);
	assert_non_null(strstr(text, color_heat(&look, MAP_SEQUENTIAL, 1).shade));
	play_free(&p);
}

static void numbers_that_are_none_stand_out(void **state)
{
	static const char odd[] = "qkv: 1\nweights: [[.nan, 2], [-1, 0.5]]\n";
	struct play p;
	char text[ROW_TEXT];

	(void)state;
	play_open(&p, odd, "color=never ascii=on");
	play_keys(&p, "H");
	int wide = p.state.panel.heads.place.across, high = p.state.panel.heads.place.down;
	play_text(&p, p.layout.panel + 2, 0, 2 * wide, text);
	assert_int_equal(strspn(text, "?"), wide);
	assert_int_equal(strspn(text + wide, "!"), wide);
	play_text(&p, p.layout.panel + 2 + high, 0, 2 * wide, text);
	assert_int_equal(strspn(text, "!"), wide);
	play_free(&p);
}

/* Bins are as even as can be, and a dot is the largest of its own. */
static void dots_are_the_largest_of_blocks(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "qkv: 1\nrandom: {seed: 5, n: 53, d-k: 4, heads: 3}\nset: {causal: on}\n", NULL);
	play_keys(&p, "H");
	const struct head_pictures *h = p.state.panel.heads.pictures;
	assert_true(head_pictures_done(h));
	assert_true(h->rows < 53 && h->columns < 53 && h->rows > 3 && h->columns > 3);
	for (size_t head = 0; head < 3; head++) {
		struct options o = p.state.now.options;		/* borrowed */
		struct attention a;
		struct row row;
		struct error e = { 0 };
		double *most = calloc(h->rows * h->columns, sizeof *most);
		assert_non_null(most);
		o.head = (long)head;
		assert_int_equal(attention_init(&a, p.state.problem, &o, &p.tables, &e), OK_STATUS);
		assert_int_equal(row_init(&row, &a, &e), OK_STATUS);
		for (size_t i = 0; i < 53; i++) {
			row_compute(&row, &a, i, STAGE_SCORES, STAGE_WEIGHTS);
			for (size_t j = 0; j < 53; j++) {
				size_t r = h->rows - 1, c = h->columns - 1;
				while (head_pictures_first(r, h->rows, 53) > i)
					r--;
				while (head_pictures_first(c, h->columns, 53) > j)
					c--;
				double *cell = &most[r * h->columns + c];
				*cell = row.weights[j] > *cell ? row.weights[j] : *cell;
			}
		}
		for (size_t k = 0; k < h->rows * h->columns; k++)
			assert_near(h->v[head].cell[k], most[k], 0);
		assert_int_equal(h->v[head].done, 53);
		free(most);
		row_free(&row);
		attention_free(&a);
	}
	for (size_t bins = 1; bins <= 53; bins++)
		for (size_t b = 0; b < bins; b++) {
			size_t size = head_pictures_first(b + 1, bins, 53) - head_pictures_first(b, bins, 53);
			assert_in_range(size, 53 / bins, 53 / bins + 1);
		}
	play_free(&p);
}

static void work_goes_on_between_keys(void **state)
{
	struct play p;
	double before = 0;
	size_t steps = 0;

	(void)state;
	play_open(&p, "qkv: 1\nrandom: {seed: 1, n: 400, d-k: 8, heads: 4}\n", NULL);
	play_keys_flashing(&p, "H");
	assert_true(panel_working(&p.state));
	assert_true(play_shows(&p, "so far"));
	assert_true(play_shows(&p, " 0 %"));
	assert_true(play_shows(&p, "H0: not computed yet"));
	for (; state_work(&p.state); steps++) {
		assert_true(panel_progress(&p.state) >= before);
		before = panel_progress(&p.state);
		if (steps != 6)
			continue;
		/* All heads have a first picture before any is finished. */
		const struct head_pictures *h = p.state.panel.heads.pictures;
		assert_true(h->rest);
		for (size_t k = 0; k < 4; k++)
			assert_true(h->v[k].done >= h->rows && h->v[k].done < 400);
		play_keys_flashing(&p, "<Right>");
		assert_true(play_shows(&p, "so far"));
	}
	assert_true(steps > 20);
	assert_near(panel_progress(&p.state), 1, 0);
	play_keys(&p, "<Left>");
	assert_false(play_shows(&p, "so far"));
	/* Another mask: all of it anew. */
	play_keys_flashing(&p, ":causal on<Enter>");
	assert_true(panel_progress(&p.state) < 0.5);
	play_keys(&p, "");
	assert_near(panel_progress(&p.state), 1, 0);
	play_free(&p);
}

static void fits_every_screen(void **state)
{
	static const int size[][2] = { { 60, 200 }, { 24, 80 }, { 30, 100 }, { 20, 60 }, { 12, 40 }, { 14, 40 }, { 8, 30 }, { 6, 20 }, { 3, 10 } };
	static const char *const settings[] = { "", "lang=ko", "color=never", "ascii=on color=256", "color=8 theme=light lang=ko", "ascii=on color=never" };

	(void)state;
	for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
		for (size_t n = 0; n < sizeof size / sizeof *size; n++) {
			struct play p;
			char name[16];
			open_data(&p, "koen_lm_ko.npz", settings[k]);
			play_resize(&p, size[n][0], size[n][1]);
			play_keys(&p, "H");
			for (size_t i = 0; i < 12 && size[n][0] >= 6; i++) {
				const struct heads_place *place = &p.state.panel.heads.place;
				snprintf(name, sizeof name, ">L%zuH%zu", i / 4, i % 4);
				assert_int_equal(p.state.panel.chosen, i);
				assert_true(play_shows(&p, name));
				assert_true(place->per_line * place->box <= size[n][1] + 1);
				assert_true(place->shown * place->box_rows + place->table <= p.layout.panel_rows - 1 || place->shown == 1);
				play_keys(&p, "<Right>");
			}
			if (size[n][0] >= 20)
				assert_int_equal(p.state.panel.heads.place.shown, 3);		/* no need to scroll */
			play_free(&p);
		}
}

/* ---- the mean over heads ---- */

static void the_mean_is_shown(void **state)
{
	/* NumPy's, of layer 1 */
	static const double row5[] = { 0.30673620173, 0.036209036659, 0.071069095578, 0.117223079657, 0.288379720288, 0.180382866089 };
	struct play p;

	(void)state;
	open_koen(&p);
	play_keys(&p, "} 2 :mean on<Enter>");
	assert_true(state_shows_mean(&p.state));
	assert_int_equal(state_stage(&p.state), STAGE_WEIGHTS);
	for (int j = 0; j < 6; j++)
		assert_near(state_values(&p.state, 5)[j], row5[j], 1e-9);
	assert_near(state_query(&p.state, 5)->sum, 1, 1e-12);
	assert_true(play_shows(&p, "4 mean weights"));
	assert_true(play_shows(&p, "mean of 4"));
	assert_sentence(&p, "the mean of 4 heads' weights");
	play_keys(&p, "<Down> <Down> <Down> <Down> <Down>");
	assert_true(play_shows(&p, "mean of 4 heads 0.3067, from "));
	assert_true(play_shows(&p, "0.6727 (head 1)"));
	assert_true(play_shows(&p, "a row sums to 1 where every head's does"));
	/* The head goes on being chosen, and the picture does not change. */
	play_keys(&p, "]");
	assert_near(state_values(&p.state, 5)[0], row5[0], 1e-9);
	assert_sentence(&p, "the mean is shown");
	/* Stages before it, panels and comparisons are of the head. */
	play_keys(&p, "3");
	assert_false(state_shows_mean(&p.state));
	play_keys(&p, "4 v");
	assert_false(state_shows_mean(&p.state));
	assert_near(state_values(&p.state, 5)[0], 0.672747976885, 1e-9);
	play_keys(&p, "<Esc>");
	assert_true(state_shows_mean(&p.state));
	/* Masks reach it through the heads. */
	play_keys(&p, "c");
	assert_true(state_values(&p.state, 0)[1] > 0);
	play_keys(&p, "c :mean off<Enter>");
	assert_near(state_values(&p.state, 5)[0], 0.672747976885, 1e-9);
	assert_false(play_shows(&p, "mean weights"));
	play_free(&p);
}

static void the_mean_of_rows_that_do_not_sum(void **state)
{
	static const char off[] = "qkv: 1\nweights:\n  - [[1, 0], [0.5, 0.4]]\n  - [[0, 1], [1, 0]]\n";
	struct play p;

	(void)state;
	play_open(&p, off, NULL);
	play_keys(&p, ":mean<Enter> <Down>");
	assert_near(state_query(&p.state, 1)->sum, 0.95, 1e-12);
	assert_int_equal(state_query(&p.state, 1)->verdict, VERDICT_LOW);
	assert_true(play_shows(&p, "this row does not sum to 1"));
	play_keys(&p, ":w x.csv<Enter>");
	assert_true(p.state.sentence_is_error);
	assert_sentence(&p, "on the screen alone");
	assert_int_not_equal(access("x.csv", F_OK), 0);
	play_keys(&p, ":mean maybe<Enter>");
	assert_true(p.state.sentence_is_error);
	play_free(&p);
	play_open(&p, "causal-3", NULL);
	play_keys(&p, ":mean on<Enter>");
	assert_sentence(&p, "there is only one head");
	assert_false(state_shows_mean(&p.state));
	play_free(&p);
}

/* ---- without memory ---- */

static void press(struct play *p, const char *key)
{
	struct key k;

	assert_true(key_parse(key, &k) > 0);
	state_key(&p->state, &k);
}

/* How often memory is asked for by a key and the work that follows. */
static size_t asked_for(const char *key)
{
	struct play p;

	open_koen(&p);
	alloc_fail(0);
	press(&p, key);
	while (state_work(&p.state))
		;
	size_t n = alloc_count();
	play_free(&p);
	return n;
}

/* Each of many allocations fails once: the layer is another or the same, and the pictures
 * that are there are right. */
static void short_of_memory(void **state)
{
	enum { TRIES = 60 };

	(void)state;
	for (int which = 0; which < 2; which++) {
		const char *key = which ? "H" : "}";
		size_t all = asked_for(key), step = all / TRIES + 1;
		assert_true(all > 20);
		for (size_t n = 1; n <= all; n += step) {
			struct play p;
			open_koen(&p);
			alloc_fail(n);
			press(&p, key);
			while (state_work(&p.state))
				;
			alloc_fail(0);
			long layer = p.state.now.options.layer;
			assert_true(layer == 0 || (layer == 1 && !which));
			assert_int_equal(p.state.problem->part.layer, layer);
			assert_true(p.state.undo.n <= (size_t)layer);
			play_keys(&p, which ? "<Esc> H <Home>" : "1 4 :layer 1<Enter>");
			if (which)
				assert_true(play_shows(&p, "L0H0: entropy 0.610"));
			else
				assert_near(state_values(&p.state, 5)[0], 0.2606475113, 1e-9);
			play_free(&p);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layers_one_after_the_other),
		cmocka_unit_test(what_was_chosen_stays),
		cmocka_unit_test(layers_and_batches_by_number),
		cmocka_unit_test(inputs_without_layers),
		cmocka_unit_test(files_that_are_gone),
		cmocka_unit_test(letters_and_enter_choose),
		cmocka_unit_test(opens_and_closes),
		cmocka_unit_test(another_input_below),
		cmocka_unit_test(letters_are_those_on_the_screen),
		cmocka_unit_test(figures_are_those_of_numpy),
		cmocka_unit_test(figures_beside_and_in_a_table),
		cmocka_unit_test(caveats_are_said),
		cmocka_unit_test(the_same_figures_as_of_a_running_model),
		cmocka_unit_test(dots_are_weights),
		cmocka_unit_test(numbers_that_are_none_stand_out),
		cmocka_unit_test(dots_are_the_largest_of_blocks),
		cmocka_unit_test(work_goes_on_between_keys),
		cmocka_unit_test(fits_every_screen),
		cmocka_unit_test(the_mean_is_shown),
		cmocka_unit_test(the_mean_of_rows_that_do_not_sum),
		cmocka_unit_test(short_of_memory),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	language_add_builtin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
