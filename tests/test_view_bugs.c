/* test_view_bugs.c - the bug lab and the clinics as they stand on the screen.
 *
 * Lamps are those of the signature table that was worked out for the lesson's own
 * input (4 tokens, d_k 8, seed 0), numbers those worked out by hand beside a check,
 * or what the same options give when they are set one by one.
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

#include "tests/fixture.h"
#include "tests/play.h"
#include "tui/text.h"

enum { DETAILS = 24, JOINED = 60 * ROW_TEXT };	/* first column of what is known of a bug, at 80x24 */

/* ---- reading the picture ---- */

/* Numbers and sums of the grid, row by row. */
static void grid_text(const struct play *p, char out[JOINED])
{
	const struct layout *l = &p->layout;
	size_t rows, columns, n = 0;

	state_shape(&p->state, &rows, &columns);
	*out = '\0';
	for (size_t k = 0; k < l->visible_rows && k < rows; k++) {
		play_text(p, l->grid + (int)k, l->cells, l->sums + l->bar_width + l->sum_width + 1 + l->verdict_width, out + n);
		n += strlen(out + n);
		out[n++] = '\n';
		out[n] = '\0';
	}
}

/* Words of the panel from a column on, one blank between two. */
static void panel_text(const struct play *p, int from, char out[JOINED])
{
	const struct layout *l = &p->layout;
	size_t n = 0;

	*out = '\0';
	for (int y = l->panel + 1; y < l->panel + l->panel_rows; y++) {
		char line[ROW_TEXT];
		play_text(p, y, from, p->cells.columns, line);
		for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
			n += (size_t)sprintf(out + n, "%s%s", n ? " " : "", word);
	}
}

/* The lamps in their order, as "ok NO -- ..". */
static void lamps(const struct play *p, char out[64])
{
	static const char *const name[] = { "triangle ", "sums ", "K ", "V ", "Q ", "pad ", "empty " };
	char line[JOINED], *at = line;

	panel_text(p, DETAILS, line);
	*out = '\0';
	for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
		at = strstr(at, name[k]);
		if (!at)
			fail_msg("no lamp %sin '%s'", name[k], line);
		at += strlen(name[k]);
		sprintf(out + strlen(out), "%s%.2s", k ? " " : "", at);
	}
}

static void lamps_are(const struct play *p, const char *wanted)
{
	char now[64];

	lamps(p, now);
	if (strcmp(now, wanted))
		fail_msg("the lamps are %s instead of %s", now, wanted);
}

static void says(const struct play *p, bool is_error, const char *what)
{
	if (p->state.sentence_is_error != is_error || !strstr(p->state.sentence, what))
		fail_msg("'%s' (%s) does not say '%s'", p->state.sentence, p->state.sentence_is_error ? "error" : "fine", what);
}

static void option_is(const struct play *p, enum option o, const char *wanted)
{
	struct buffer now = { 0 };

	option_text(&p->state.now.options, o, &now);
	assert_string_equal(now.data, wanted);
	buffer_free(&now);
}

static size_t bug_index(const char *name)
{
	for (size_t k = 0; k < bugs_count; k++)
		if (!strcmp(bugs[k].name, name))
			return k;
	fail_msg("no bug %s", name);
	return 0;
}

static void press_bug(struct play *p, const char *name)
{
	char key[2] = { panel_row_letter(bug_index(name)), '\0' };

	play_keys(p, key);
}

/* A built-in scenario at 80x24 with the bug lab open. */
static void open_lab(struct play *p, const char *scenario, const char *settings)
{
	play_open(p, scenario, settings);
	play_resize(p, 24, 80);
	play_keys(p, "b");
	assert_int_equal(p->state.panel.kind, PANEL_BUGS);
}

/* ---- each mistake ---- */

/* What the settings of a bug do when they are set one by one. */
static void grid_with_settings(const struct bug *bug, char out[JOINED])
{
	char settings[200] = "";
	struct play p;

	for (size_t k = 0; k < BUG_SETTINGS && bug->set[k].value; k++)
		sprintf(settings + strlen(settings), "%s%s=%s", k ? " " : "", option_info(bug->set[k].option)->name, bug->set[k].value);
	open_lab(&p, bug->scenario, settings);
	grid_text(&p, out);
	play_free(&p);
}

/* Two leave the weights as they are, and say it: one is right in the end, the other
 * gives the empty row the nan that -inf gives it too. */
static void says_why_nothing_changes(const struct play *p, const struct bug *bug)
{
	static char text[JOINED];

	panel_text(p, DETAILS, text);
	if (!strstr(text, "Nothing is seen: mathematically this is the right result") &&
	    !strstr(text, "A row whose keys are all hidden is nan, which a finite fill was meant to prevent"))
		fail_msg("%s changes nothing, and does not say why: %s", bug->name, text);
}

/* All but the sentence. */
static void frame_text(const struct play *p, char out[JOINED])
{
	size_t n = 0;

	for (int y = 0; y < p->cells.rows; y++)
		if (y != p->layout.sentence) {
			play_row(p, y, out + n);
			n += strlen(out + n);
			out[n++] = '\n';
		}
	out[n] = '\0';
}

static void check_letter(const struct bug *bug, char key)
{
	static char before[JOINED], after[JOINED], wanted[JOINED], frame[JOINED];
	char keys[2] = { key, '\0' };
	struct play p;

	open_lab(&p, bug->scenario, NULL);
	while (&bugs[p.state.panel.chosen] != bug)
		play_keys(&p, "<Down>");
	frame_text(&p, frame);
	grid_text(&p, before);
	play_keys(&p, keys);
	option_is(&p, OPT_BUG, bug->name);
	says(&p, false, bug->title);
	grid_text(&p, after);
	grid_with_settings(bug, wanted);
	assert_string_equal(after, wanted);
	if (strcmp(before, after) == 0)
		says_why_nothing_changes(&p, bug);
	play_keys(&p, "u");
	frame_text(&p, after);
	assert_string_equal(after, frame);
	option_is(&p, OPT_BUG, "none");
	play_free(&p);
}

static void a_letter_makes_the_mistake(void **state)
{
	static const char letters[] = "abcdefghijklmnoprst";

	(void)state;
	assert_int_equal(bugs_count, strlen(letters));
	for (size_t k = 0; k < bugs_count; k++)
		check_letter(&bugs[k], letters[k]);
}

/* Where a mistake cannot act, the screen says what is missing. */
static void says_what_is_missing(void **state)
{
	static const struct { const char *bug, *scenario, *settings, *says; } cases[] = {
		{ "no-scale", "causal-3", "", "Needs a known d_k and a scale, as in saturation-16." },
		{ "scaled-twice", "low-scores-3", "", "Needs a known d_k and a scale, as in" },
		{ "scale-dk", "low-scores-3", "", "Needs a known d_k, as in" },
		{ "scale-dmodel", "random-4", "", "Needs several heads" },
		{ "f16-fill", "random-4", "", "Needs a row whose keys are all hidden, as in left-pad-4." },
		{ "forgotten-transpose", "random-4", "", "Needs as many keys as d_k, as in square-4." },
	};
	static char before[JOINED], after[JOINED];

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct play p;
		open_lab(&p, cases[k].scenario, cases[k].settings);
		grid_text(&p, before);
		press_bug(&p, cases[k].bug);
		panel_text(&p, DETAILS, after);
		if (!strstr(after, cases[k].says))
			fail_msg("%s: '%s' does not say '%s'", cases[k].bug, after, cases[k].says);
		play_free(&p);
	}
}

static void says_that_given_weights_are_not_computed(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "qkv: 1\nweights: [[0.25, 0.75], [0.5, 0.5]]\n", NULL);
	play_resize(&p, 24, 80);
	play_keys(&p, "b c");
	must_show(&p, "Changes nothing here: the weights are given");
	must_lack(&p, "Needs");
	must_show(&p, "spread -- beside 1  mean largest 0.625");
	play_free(&p);
}

/* Where it can, there is no such remark. */
static void says_nothing_where_nothing_is_missing(void **state)
{
	(void)state;
	for (size_t k = 0; k < bugs_count; k++) {
		struct play p;
		open_lab(&p, bugs[k].scenario, NULL);
		press_bug(&p, bugs[k].name);
		must_lack(&p, "Needs");
		play_free(&p);
	}
}

static void a_mistake_gets_what_it_needs(void **state)
{
	static char before[JOINED], after[JOINED];
	struct play p;

	(void)state;
	open_lab(&p, "two-tokens", NULL);
	grid_text(&p, before);
	for (size_t k = 0; k < bugs_count; k++) {
		if (bugs[k].needs != BUG_NEEDS_HIDDEN)
			continue;
		press_bug(&p, bugs[k].name);
		says(&p, false, "the causal mask is on with it");
		option_is(&p, OPT_CAUSAL, "on");
		play_keys(&p, "u");
		option_is(&p, OPT_CAUSAL, "off");
		option_is(&p, OPT_BUG, "none");
		grid_text(&p, after);
		assert_string_equal(after, before);
	}
	play_free(&p);
	open_lab(&p, "random-4", NULL);
	press_bug(&p, "pad-rows");
	says(&p, false, "padding with it");
	option_is(&p, OPT_PAD, "3");
	play_keys(&p, "u");
	option_is(&p, OPT_PAD, "none");
	play_free(&p);
}

/* ---- combining, mending, closing ---- */

static void space_combines(void **state)
{
	static char both[JOINED], wanted[JOINED];
	struct play p;

	(void)state;
	open_lab(&p, "random-4", "mask-at=after scale=none");
	grid_text(&p, wanted);
	play_free(&p);
	open_lab(&p, "random-4", NULL);
	press_bug(&p, "mask-after-softmax");
	for (size_t k = bug_index("mask-after-softmax"); k < bug_index("no-scale"); k++)
		play_keys(&p, "<Down>");
	play_keys(&p, "<Space>");
	option_is(&p, OPT_BUG, "mask-after-softmax,no-scale");
	must_show(&p, "bug lab: mask-after-softmax,no-scale in force");
	must_show(&p, " a*mask-after-softmax");
	must_show(&p, ">l*no-scale");
	grid_text(&p, both);
	assert_string_equal(both, wanted);
	play_keys(&p, "<Space>");	/* again: the other one stays */
	option_is(&p, OPT_BUG, "mask-after-softmax");
	says(&p, false, "no-scale is mended");
	play_free(&p);
}

static void space_refuses_what_clashes(void **state)
{
	struct play p;

	(void)state;
	open_lab(&p, "random-4", NULL);
	press_bug(&p, "zero-fill");
	play_keys(&p, "<Down> <Space>");
	says(&p, true, "tiny-fill and zero-fill both set fill");
	option_is(&p, OPT_BUG, "zero-fill");
	play_free(&p);
}

static void the_letter_of_the_only_one_mends(void **state)
{
	static char before[JOINED], after[JOINED];
	struct play p;

	(void)state;
	open_lab(&p, "random-4", NULL);
	grid_text(&p, before);
	play_keys(&p, "a");
	must_show(&p, ">a*mask-after-softmax");
	play_keys(&p, "a");
	says(&p, false, "mask-after-softmax is mended");
	must_show(&p, ">a mask-after-softmax");
	must_show(&p, "bug lab: no mistake in force");
	grid_text(&p, after);
	assert_string_equal(after, before);
	play_keys(&p, "a c");		/* one in place of the other */
	option_is(&p, OPT_BUG, "zero-fill");
	play_free(&p);
}

/* One key, and what the program is to do about it. */
static unsigned effects_of(struct play *p, const char *key)
{
	struct key k;

	assert_int_equal(key_parse(key, &k), strlen(key));
	return state_key(&p->state, &k);
}

/* Finished weights: a letter, Space and Enter leave all as it was, and say why. */
static void given_weights_take_no_mistake(void **state)
{
	static const char *const keys[] = { "c", "<Space>", "<Enter>", "a" };
	static char before[JOINED], after[JOINED];
	struct play p;

	(void)state;
	play_open(&p, "qkv: 1\nweights: [[0.25, 0.75], [0.5, 0.5]]\n", NULL);
	play_resize(&p, 24, 80);
	play_keys(&p, "b");
	grid_text(&p, before);
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		play_keys(&p, "<Esc> b");	/* another sentence */
		says(&p, false, "a letter makes a mistake");
		play_keys(&p, keys[k]);
		says(&p, true, "finished weights are given; nothing before them is computed");
		option_is(&p, OPT_BUG, "none");
		option_is(&p, OPT_CAUSAL, "off");
		assert_int_equal(p.state.undo.n, 0);
		grid_text(&p, after);
		assert_string_equal(after, before);
	}
	play_free(&p);
}

/* What opening says stands whole beside nothing else on 80 columns. */
static void what_opening_says_is_short(void **state)
{
	struct play p;

	(void)state;
	open_lab(&p, "random-4", NULL);
	says(&p, false, "a letter makes a mistake, Space adds one, u undoes; digits: clinics");
	assert_in_range(strlen(p.state.sentence), 1, 76);
	for (size_t k = 0; k < clinics_count; k++) {
		char key[2] = { (char)('1' + k), '\0' }, line[64];
		play_keys(&p, "<Esc> b");
		play_keys(&p, key);
		says(&p, false, clinics[k].title);
		says(&p, false, "; letters treat, Esc closes");
		assert_in_range(strlen(p.state.sentence), 1, 76);
		snprintf(line, sizeof line, ":clinic %s<Enter>", clinics[k].name);
		play_keys(&p, line);
		assert_in_range(strlen(p.state.sentence), 1, 76);
	}
	play_free(&p);
}

static void closes(void **state)
{
	static const char *const keys[] = { "<Esc>", "q" }, *const panels[] = { "b", "b 1", "b 7" };
	struct play p;

	(void)state;
	for (size_t k = 0; k < 2; k++)
		for (size_t m = 0; m < 3; m++) {
			play_open(&p, "random-4", NULL);
			play_keys(&p, panels[m]);
			assert_int_not_equal(p.state.panel.kind, PANEL_NONE);
			assert_int_equal(effects_of(&p, keys[k]), 0);
			assert_int_equal(p.state.panel.kind, PANEL_NONE);
			assert_int_equal(effects_of(&p, "q"), EFFECT_QUIT);
			play_free(&p);
		}
}

/* ---- lamps and read-outs ---- */

/* On the lesson's own input: triangle, sums, K, V, Q, pad, empty. */
static void lamps_leave_the_known_signatures(void **state)
{
	static const struct { const char *bug, *lamps; } cases[] = {
		{ "mask-after-softmax", "ok NO NO ok ok -- ok" },
		{ "mask-after-renorm", "ok ok ok ok ok -- ok" },
		{ "zero-fill", "NO ok ok NO ok -- ok" },
		{ "tiny-fill", "NO ok ok NO ok -- ok" },
		{ "multiply-mask", "NO ok ok NO ok -- ok" },
		{ "add-mask", "NO ok NO NO ok -- ok" },
		{ "inverted-mask", "NO NO NO NO ok -- NO" },
		{ "diagonal-hidden", "-- NO ok ok ok -- NO" },
		{ "future-step", "NO ok NO NO ok -- ok" },
		{ "column-softmax", "ok NO ok ok NO -- ok" },
		{ "no-scale", "ok ok ok ok ok -- ok" },
	};
	struct play p;

	(void)state;
	open_lab(&p, "random-4", NULL);
	lamps_are(&p, "ok ok ok ok ok -- ok");
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		press_bug(&p, cases[k].bug);
		lamps_are(&p, cases[k].lamps);
	}
	play_free(&p);
}

/* The lamps of the screen, and those that probe_run finds. */
static void lamps_are_those_of_a_run(struct play *p)
{
	static const char *const word[] = { [ANSWER_NO] = "NO", [ANSWER_YES] = "ok", [ANSWER_NONE] = "--" };
	struct probe_expect x = p->state.panel.probes.expect;
	struct probe_report report;
	struct error e = { 0 };
	char wanted[64] = "";

	x.also_causal = p->state.panel.probes.with_causal;
	x.pad_as_set = !p->state.panel.probes.with_pad;
	assert_int_equal(probe_run(&report, &p->state.grid.attention, &x, p->state.tables, &e), OK_STATUS);
	for (int n = 0; n < PROBE_COUNT; n++)
		sprintf(wanted + strlen(wanted), "%s%s", n ? " " : "", word[report.check[n].ok]);
	lamps_are(p, wanted);
	probe_free(&report);
}

static void lamps_match_a_run(void **state)
{
	(void)state;
	for (size_t k = 0; k < bugs_count; k++) {
		struct play p;
		open_lab(&p, bugs[k].scenario, NULL);
		lamps_are_those_of_a_run(&p);
		press_bug(&p, bugs[k].name);
		lamps_are_those_of_a_run(&p);
		play_free(&p);
	}
}

static void what_is_not_known_shows_as_dots(void **state)
{
	struct play p;

	(void)state;
	open_lab(&p, "random-4", NULL);
	play_keys_flashing(&p, "a");
	lamps_are(&p, ".. .. .. .. .. .. ..");
	play_keys(&p, "");
	lamps_are(&p, "ok NO NO ok ok -- ok");
	play_free(&p);
}

/* d_k 256: the scores spread by 16 without the scale; uniform weights are 1/16. */
static void readouts_tell_the_scale(void **state)
{
	struct play p;
	double spread, largest;
	static char text[JOINED];

	(void)state;
	open_lab(&p, "saturation-16", NULL);
	static const struct { const char *bug; double spread_from, spread_to, from, to; } cases[] = {
		{ "no-scale", 14, 18, 0.85, 1 }, { "scale-dk", 0.05, 0.08, 0.06, 0.09 }, { "scaled-twice", 0.05, 0.08, 0.06, 0.09 },
	};
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		press_bug(&p, cases[k].bug);
		panel_text(&p, DETAILS, text);
		assert_int_equal(sscanf(strstr(text, "spread"), "spread %lf beside 1 mean largest %lf", &spread, &largest), 2);
		if (spread < cases[k].spread_from || spread > cases[k].spread_to || largest < cases[k].from || largest > cases[k].to)
			fail_msg("%s: spread %g, mean largest %g", cases[k].bug, spread, largest);
	}
	play_free(&p);
	open_lab(&p, "left-pad-4", NULL);
	must_show(&p, "empty rows 2");
	play_free(&p);
}

/* ---- the texts ---- */

static void has_whole_text(const char *where, const char *text, const struct bug *bug)
{
	char word[512];

	snprintf(word, sizeof word, "%s", text);
	if (!strstr(where, word))
		fail_msg("%s: '%s' is not whole in '%s'", bug->name, text, where);
}

static void has_whole_code(const struct play *p, const struct bug *bug)
{
	for (const char *line = bug->code; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		char text[128];
		snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
		must_show(p, text);
	}
}

/* All that is known of the chosen bug stands there whole. */
static void check_details(const struct play *p, int from, const struct bug *bug)
{
	static char text[JOINED];

	panel_text(p, from, text);
	has_whole_text(text, bug->title, bug);
	has_whole_text(text, bug->symptom, bug);
	has_whole_text(text, bug->fix, bug);
	has_whole_text(text, bug->scenario, bug);
	if (bug->readout)
		has_whole_text(text, bug->readout, bug);
	if (strstr(text, "Needs"))
		has_whole_text(text, bug_needs_text(bug->needs), bug);
	has_whole_text(text, "beside 1 mean largest ", bug);
	has_whole_code(p, bug);
	assert_null(strstr(text, "\u2026"));
}

/* With four rows of the grid and more, the panel is at its smallest. */
static void details_are_whole_at_80x24(void **state)
{
	static const char *const scenarios[] = { "causal-3", "random-4", "saturation-16", "low-scores-3", "pad-4", "shapes-10" };

	(void)state;
	for (size_t m = 0; m < sizeof scenarios / sizeof *scenarios; m++) {
		struct play p;
		open_lab(&p, scenarios[m], NULL);
		for (size_t k = 0; k < bugs_count; k++) {
			assert_int_equal(p.state.panel.chosen, k);
			check_details(&p, DETAILS, &bugs[k]);
			play_keys(&p, "<Down>");
		}
		for (size_t k = 0; k < bugs_count; k++) {
			press_bug(&p, bugs[k].name);
			if (!p.state.sentence_is_error)
				check_details(&p, DETAILS, &bugs[k]);
		}
		play_free(&p);
	}
}

static bool has_more_below(const struct play *p)
{
	return cells_at(&p->cells, p->layout.panel + p->layout.panel_rows - 1, p->cells.columns - 1)->code[0] == 0x2193;
}

/* What has no room is scrolled to: on a small screen all of it, from the lamps to the
 * fix, with a mark as long as there is more. */
static void details_scroll_on_small_screens(void **state)
{
	static const int size[][2] = { { 20, 60 }, { 12, 40 } };
	size_t scrolled = 0;

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		struct play p;
		open_lab(&p, "causal-3", NULL);
		play_resize(&p, size[k][0], size[k][1]);
		for (size_t b = 0; b < bugs_count; b++) {
			bool more = has_more_below(&p);
			must_show(&p, "triangle ok");
			for (int n = 0; n < 40 && has_more_below(&p); n++)
				play_keys(&p, "<PgDn>");
			must_show(&p, strrchr(bugs[b].fix, ' ') + 1);
			assert_int_equal(p.state.panel.chosen, b);
			if (more)
				must_lack(&p, "triangle ok");
			for (int n = 0; n < 40 && more && !play_shows(&p, "triangle ok"); n++)
				play_keys(&p, "<PgUp>");
			must_show(&p, "triangle ok");
			scrolled += more;
			play_keys(&p, more ? "<PgDn> <Down>" : "<Down>");	/* another mistake begins at its first line */
		}
		play_free(&p);
	}
	assert_true(scrolled > bugs_count);
}

/* The whole list can be walked, and the clinics stand at its end. */
static void the_list_scrolls(void **state)
{
	struct play p;

	(void)state;
	open_lab(&p, "random-4", NULL);
	must_show(&p, "\u2193");
	for (size_t k = 0; k < bugs_count; k++) {
		char line[80];
		snprintf(line, sizeof line, ">%c %s", panel_row_letter(k), bugs[k].name);
		must_show(&p, line);
		play_keys(&p, "<Down>");
	}
	play_keys(&p, "G");
	for (size_t k = 0; k < clinics_count; k++) {
		char line[80];
		snprintf(line, sizeof line, " %zu %s", k + 1, clinics[k].name);
		must_show(&p, line);
	}
	must_show(&p, "\u2191");
	play_free(&p);
	static const int sizes[][2] = { { 60, 200 }, { 30, 100 }, { 60, 80 } };
	for (size_t m = 0; m < 3; m++) {
		play_open(&p, "random-4", NULL);
		play_resize(&p, sizes[m][0], sizes[m][1]);
		play_keys(&p, "b");
		for (size_t k = 0; k < bugs_count; k++)
			must_show(&p, bugs[k].name);
		for (size_t k = 0; k < clinics_count; k++)
			must_show(&p, clinics[k].name);
		play_free(&p);
	}
}

/* ---- clinics ---- */

static size_t clinic_index(const char *name)
{
	const struct clinic *c = clinic_find(name);

	assert_non_null(c);
	return (size_t)(c - clinics);
}

static void open_named(struct play *p, const char *name, int rows, int columns)
{
	char keys[8];

	play_open(p, "random-4", NULL);
	play_resize(p, rows, columns);
	snprintf(keys, sizeof keys, "b %zu", clinic_index(name) + 1);
	play_keys(p, keys);
	assert_int_equal(p->state.panel.kind, PANEL_CLINIC);
	assert_ptr_equal(p->state.panel.clinic.which, &clinics[clinic_index(name)]);
}

/* Numbers of a line of the table, behind the name: cells, sum and verdict. */
static void table_line(const struct play *p, size_t variant, char out[ROW_TEXT])
{
	const struct clinic_variant *v = &p->state.panel.clinic.which->variants[variant];
	const struct layout *l = &p->layout;
	char start[64], line[ROW_TEXT];
	size_t n = 0;

	snprintf(start, sizeof start, "%c %s", panel_row_letter(variant), v->name);
	*out = '\0';
	for (int y = l->panel + 1; y < l->panel + l->panel_rows; y++) {
		play_row(p, y, line);
		if (strncmp(line + 1, start, strlen(start)))
			continue;
		for (char *word = strtok(line + 1 + strlen(start), " "); word; word = strtok(NULL, " "))
			n += (size_t)sprintf(out + n, "%s%s", n ? " " : "", word);
		return;
	}
	fail_msg("no line '%s'", start);
}

static bool is_marked(const struct play *p, size_t variant)
{
	char start[64];

	snprintf(start, sizeof start, "*%c %s", panel_row_letter(variant), p->state.panel.clinic.which->variants[variant].name);
	return play_shows(p, start);
}

static void line_is(const struct play *p, size_t variant, const char *wanted)
{
	char line[ROW_TEXT];

	table_line(p, variant, line);
	if (strcmp(line, wanted))
		fail_msg("%s: '%s' instead of '%s'", p->state.panel.clinic.which->variants[variant].name, line, wanted);
}

/* Scores 2, 1, 0.1, every key hidden: 0/0; nothing; a third each; a fill that
 * replaces leaves equal scores; added in f64 it falls out of the differences
 * (e^2, e, e^0.1 over 11.21); in f32 the scores are lost beside it; f16 has no -1e9. */
static void the_empty_row_by_hand(void **state)
{
	struct play p;

	(void)state;
	open_named(&p, "all-pad", 24, 80);
	line_is(&p, 0, "\u259a nan \u259a nan \u259a nan nan empty");
	line_is(&p, 1, "\u259a 0 \u259a 0 \u259a 0 0.000 empty");
	line_is(&p, 2, "\u259a.333 \u259a.333 \u259a.333 1.000 empty");
	line_is(&p, 3, "\u259a.333 \u259a.333 \u259a.333 1.000 empty");
	line_is(&p, 4, "\u259a.659 \u259a.242 \u259a.099 1.000 empty");
	line_is(&p, 5, "\u259a.333 \u259a.333 \u259a.333 1.000 empty");
	line_is(&p, 6, "\u259a nan \u259a nan \u259a nan nan empty");
	play_keys(&p, "<Down>");	/* scores 1, 2, 0.1 */
	line_is(&p, 4, "\u259a.242 \u259a.659 \u259a.099 1.000 empty");
	play_free(&p);
}

/* Cells, sum and verdict of the grid's row under the cursor, without brackets. */
static void grid_line(const struct play *p, char out[ROW_TEXT])
{
	const struct layout *l = &p->layout;
	char line[ROW_TEXT];
	size_t n = 0;
	int y = l->grid + (int)(p->state.row - p->state.top);

	play_text(p, y, l->cells, l->sums + l->bar_width + l->sum_width + 1 + l->verdict_width, line);
	for (char *c = line; *c; c++)
		if (*c == '[' || *c == ']')
			*c = ' ';
	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		if (strcmp(word, "\u2502"))
			n += (size_t)sprintf(out + n, "%s%s", n ? " " : "", word);
}

/* Each letter of a table puts into the grid what its line shows. */
static void check_table(const char *name)
{
	char wanted[ROW_TEXT], now[ROW_TEXT];
	struct play p;

	open_named(&p, name, 24, 80);
	for (size_t row = 0; row < p.state.problem->n_q; row++) {
		p.state.row = row;
		play_resize(&p, 24, 80);
		for (size_t k = 0; k < p.state.panel.clinic.which->variants_count; k++) {
			char key[2] = { panel_row_letter(k), '\0' };
			table_line(&p, k, wanted);
			play_keys(&p, key);
			says(&p, false, p.state.panel.clinic.which->variants[k].name);
			grid_line(&p, now);
			if (strcmp(now, wanted))
				fail_msg("%s %c: the grid shows '%s' instead of '%s'", name, *key, now, wanted);
			line_is(&p, k, wanted);		/* and its own line stays */
			assert_true(is_marked(&p, k));
		}
	}
	play_free(&p);
}

static void letters_put_a_treatment_in_force(void **state)
{
	(void)state;
	for (size_t k = 0; k < clinics_count; k++)
		if (clinics[k].form == CLINIC_ROWS)
			check_table(clinics[k].name);
}

static void undo_takes_a_treatment_back(void **state)
{
	static char before[JOINED], after[JOINED];
	struct play p;

	(void)state;
	open_named(&p, "all-pad", 24, 80);
	grid_text(&p, before);
	assert_true(is_marked(&p, 0));
	play_keys(&p, "e");
	assert_false(is_marked(&p, 0));
	assert_true(is_marked(&p, 4));
	grid_text(&p, after);
	assert_string_not_equal(after, before);
	play_keys(&p, "u");
	grid_text(&p, after);
	assert_string_equal(after, before);
	assert_true(is_marked(&p, 0));
	assert_false(is_marked(&p, 4));
	play_keys(&p, ":temperature 2<Enter>");		/* none of them */
	for (size_t k = 0; k < p.state.panel.clinic.which->variants_count; k++)
		assert_false(is_marked(&p, k));
	play_free(&p);
}

/* Size and seed are what is treated, not part of a treatment. */
static void a_treatment_leaves_what_is_drawn(void **state)
{
	static char before[JOINED], after[JOINED];
	struct play p;

	(void)state;
	open_named(&p, "empty-row", 24, 80);
	play_keys(&p, ":n 6<Enter> :d-k 4<Enter> :d-v 3<Enter> :seed 7<Enter>");
	grid_text(&p, before);
	assert_true(is_marked(&p, 0));
	play_keys(&p, "b");
	option_is(&p, OPT_EMPTY_ROW, "zero");
	option_is(&p, OPT_N, "6");
	option_is(&p, OPT_D_K, "4");
	option_is(&p, OPT_D_V, "3");
	option_is(&p, OPT_SEED, "7");
	assert_int_equal(p.state.problem->n_k, 6);
	assert_true(is_marked(&p, 1));
	assert_false(is_marked(&p, 0));
	play_keys(&p, "a");
	option_is(&p, OPT_EMPTY_ROW, "literal");
	grid_text(&p, after);
	assert_string_equal(after, before);
	play_free(&p);
}

/* Three queries after two cached keys, equal scores: 1/1, 1/2, 1/3 or 1/3, 1/4, 1/5. */
static void alignment_by_hand(void **state)
{
	struct play p;
	static char text[JOINED];

	(void)state;
	open_named(&p, "alignment", 40, 120);
	panel_text(&p, 0, text);
	const char *const rows[] = {
		"1.000 \u259a 0 \u259a 0 \u259a 0 \u259a 0 1.000 ok 0.333 0.333 0.333 \u259a 0 \u259a 0 1.000 ok",
		"0.500 0.500 \u259a 0 \u259a 0 \u259a 0 1.000 ok 0.250 0.250 0.250 0.250 \u259a 0 1.000 ok",
		"0.333 0.333 0.333 \u259a 0 \u259a 0 1.000 ok 0.200 0.200 0.200 0.200 0.200 1.000 ok",
	};
	for (size_t k = 0; k < 3; k++)
		if (!strstr(text, rows[k]))
			fail_msg("'%s' is not in '%s'", rows[k], text);
	must_show(&p, "*b bottom-right");
	must_lack(&p, "*a top-left");
	play_keys(&p, "a");
	must_show(&p, "*a top-left");
	must_lack(&p, "causal-align");	/* top-left is the default */
	play_free(&p);
}

/* Scores 2 1 0.1 and 1 2 0.1: the causal mask, the future alone, all but the last
 * key, the last key alone. */
static void polarity_by_hand(void **state)
{
	static const char *const rows[] = {
		"1.00 \u259a 0 \u259a 0 ok \u259a 0 0.71 0.29 ok 0.73 0.27 \u259a 0 ok \u259a 0 \u259a 0 1.00 ok",
		"0.27 0.73 \u259a 0 ok \u259a 0 \u259a 0 1.00 ok 0.27 0.73 \u259a 0 ok \u259a 0 \u259a 0 1.00 ok",
		"0.66 0.24 0.10 ok \u259anan \u259anan \u259anan e\u2026 0.73 0.27 \u259a 0 ok \u259a 0 \u259a 0 1.00 ok",
	};
	static char text[JOINED];
	struct play p;

	(void)state;
	open_named(&p, "polarity", 24, 80);
	panel_text(&p, 0, text);
	for (size_t k = 0; k < 3; k++)
		if (!strstr(text, rows[k]))
			fail_msg("'%s' is not in '%s'", rows[k], text);
	play_free(&p);
}

/* Each letter of the pictures puts that picture into the grid. */
static void letters_put_a_picture_in_force(void **state)
{
	struct play p;
	char line[ROW_TEXT];
	static char text[JOINED];

	(void)state;
	for (size_t m = 0; m < clinics_count; m++) {
		if (clinics[m].form != CLINIC_PICTURES)
			continue;
		open_named(&p, clinics[m].name, 60, 200);
		for (size_t k = 0; k < clinics[m].variants_count; k++) {
			char key[2] = { panel_row_letter(k), '\0' };
			play_keys(&p, key);
			for (p.state.row = 0; p.state.row < p.state.problem->n_q; p.state.row++) {
				play_resize(&p, 60, 200);
				panel_text(&p, 0, text);
				grid_line(&p, line);
				if (!strstr(text, line))
					fail_msg("%s %c: '%s' is not in '%s'", clinics[m].name, *key, line, text);
			}
		}
		play_free(&p);
	}
}

static void the_look_stands_whole_below(void **state)
{
	static char text[JOINED];

	(void)state;
	for (size_t k = 0; k < clinics_count; k++) {
		struct play p;
		open_named(&p, clinics[k].name, 24, 80);
		panel_text(&p, 0, text);
		if (!strstr(text, clinics[k].look))
			fail_msg("%s: '%s' is not whole in '%s'", clinics[k].name, clinics[k].look, text);
		must_show(&p, clinics[k].title);
		play_free(&p);
	}
}

static void clinics_open_by_name(void **state)
{
	struct play p;

	(void)state;
	for (size_t k = 0; k < clinics_count; k++) {
		char keys[64];
		play_open(&p, "random-4", NULL);
		snprintf(keys, sizeof keys, ":clinic %s<Enter>", clinics[k].name);
		play_keys(&p, keys);
		assert_ptr_equal(p.state.panel.clinic.which, &clinics[k]);
		assert_string_equal(state_scenario(&p.state)->name, clinics[k].scenario);
		assert_int_equal(p.state.row, clinics[k].row);
		play_free(&p);
	}
	play_open(&p, "random-4", NULL);
	play_keys(&p, ":clinic nothing<Enter>");
	says(&p, true, "there is no clinic 'nothing'");
	assert_int_equal(p.state.panel.kind, PANEL_NONE);
	play_free(&p);
}

/* More keys than there is room for: a window about the cursor, and it says so. */
static void long_rows_have_a_window(void **state)
{
	struct play p;

	(void)state;
	open_named(&p, "empty-row", 24, 80);
	play_keys(&p, ":n 40<Enter> <Down> <Down> <Down>");
	must_show(&p, "keys 0-5 of 40");
	play_keys(&p, "<End>");
	must_show(&p, "keys 34-39 of 40");
	for (int k = 0; k < 19; k++)
		play_keys(&p, "<Left>");
	must_show(&p, "keys 17-22 of 40");
	play_free(&p);
	/* So many that they are computed between keys: the same numbers then. */
	open_named(&p, "alignment", 24, 80);
	play_keys(&p, ":o random-4<Enter> :n 700<Enter> :d-k 64<Enter> G");
	must_show(&p, "of 700");
	must_lack(&p, "..");
	must_show(&p, "t699");
	play_free(&p);
}

/* The last keys of a row of 400, beside the same in the grid. */
static void a_window_shows_its_own_keys(void **state)
{
	char table[ROW_TEXT], grid[ROW_TEXT];
	struct play p;

	(void)state;
	open_named(&p, "empty-row", 24, 80);
	play_keys(&p, ":n 400<Enter> G <End>");
	must_show(&p, "keys 394-399 of 400");
	table_line(&p, 0, table);
	grid_line(&p, grid);
	if (strlen(grid) < strlen(table) || strcmp(grid + strlen(grid) - strlen(table), table))
		fail_msg("the table shows '%s', the grid '%s'", table, grid);
	play_free(&p);
}

/* The numbers of a clinic do not stay for the next. */
static void one_clinic_after_another(void **state)
{
	static char wanted[JOINED], now[JOINED];
	struct play p;

	(void)state;
	open_named(&p, "dtype-fill", 24, 80);
	panel_text(&p, 0, wanted);
	play_free(&p);
	open_named(&p, "all-pad", 24, 80);
	play_keys(&p, ":clinic dtype-fill<Enter>");
	panel_text(&p, 0, now);
	assert_string_equal(now, wanted);
	play_keys(&p, "<Esc> b 1 <Esc> b 4");
	panel_text(&p, 0, now);
	assert_string_equal(now, wanted);
	play_free(&p);
}

/* What to look at is said of its own scenario alone: not of another one that is
 * opened below it, nor of what undo brings back. */
static void it_speaks_of_its_own_scenario(void **state)
{
	static const char text[] = "Two tokens are in the cache";
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "b 6 a u");
	must_show(&p, text);
	play_keys(&p, "u");
	must_lack(&p, text);
	must_show(&p, "a top-left");
	play_keys(&p, "<C-r>");
	must_show(&p, text);
	play_keys(&p, ":o random-4<Enter>");
	must_lack(&p, text);
	play_free(&p);
}

/* A treatment that does not fit the input says why in its own line. */
static void errors_stand_in_their_line(void **state)
{
	struct play p;

	(void)state;
	open_named(&p, "empty-row", 24, 160);
	play_keys(&p, ":pad none<Enter> :n 1<Enter>");
	must_show(&p, "a -inf, as it comes");
	char line[ROW_TEXT];
	table_line(&p, 0, line);
	if (!strstr(line, "key"))
		fail_msg("'%s' does not say why", line);
	play_free(&p);
}

/* What is computed belongs to what is in force. */
static void numbers_follow_every_change(void **state)
{
	struct play p;
	char before[ROW_TEXT], after[ROW_TEXT];

	(void)state;
	open_named(&p, "all-pad", 24, 80);
	table_line(&p, 4, before);
	play_keys(&p, "+");	/* the score under the cursor: 2.1 */
	table_line(&p, 4, after);
	assert_string_not_equal(before, after);
	play_keys(&p, "u");
	line_is(&p, 4, before);
	play_keys(&p, ".");	/* one digit more: e^2 / 11.21 */
	table_line(&p, 4, after);
	assert_non_null(strstr(after, "\u259a.6590 \u259a.2424 \u259a.0986"));
	play_free(&p);
}

/* ---- sizes, ASCII, no colour ---- */

static void check_size(int rows, int columns, const char *settings, bool ascii)
{
	static const char *const panels[] = { "b", "b G", "b n", "b 1", "b 2 c", "b 3", "b 4", "b 5", "b 6 a", "b 7 b" };

	for (size_t k = 0; k < sizeof panels / sizeof *panels; k++) {
		struct play p;
		play_open(&p, "random-4", settings);
		play_resize(&p, rows, columns);
		play_keys(&p, panels[k]);	/* checks that the picture is whole */
		play_keys(&p, "<Down> <Right> u");
		if (ascii)
			play_check_ascii(&p);
		if (rows >= 12 && columns >= 40 && p.state.panel.kind == PANEL_BUGS)
			must_show(&p, bugs[p.state.panel.chosen].name);
		play_free(&p);
	}
}

static void every_size_is_whole(void **state)
{
	static const int sizes[][2] = {
		{ 24, 80 }, { 60, 200 }, { 20, 60 }, { 14, 40 }, { 12, 40 }, { 6, 20 }, { 7, 20 }, { 10, 31 }, { 30, 100 },
		{ 40, 140 }, { 60, 300 }, { 5, 19 }, { 100, 20 },
	};

	(void)state;
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		check_size(sizes[k][0], sizes[k][1], NULL, false);
		check_size(sizes[k][0], sizes[k][1], "color=never ascii=on", true);
		check_size(sizes[k][0], sizes[k][1], k % 2 ? "precision=17 color=16" : "precision=0", false);
	}
}

/* The same signs without colour, and what tells the looks apart. */
static void nothing_needs_colour(void **state)
{
	static char plain[JOINED], colour[JOINED];
	struct play p;

	(void)state;
	for (int k = 0; k < 2; k++) {
		open_lab(&p, "random-4", k ? "color=never" : "color=truecolor");
		play_keys(&p, "a");
		panel_text(&p, 0, k ? plain : colour);
		play_free(&p);
	}
	assert_string_equal(plain, colour);
	play_open(&p, "random-4", "color=never");
	play_keys(&p, "b 6");
	must_show(&p, "\u259a 0");		/* hidden */
	play_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_letter_makes_the_mistake),
		cmocka_unit_test(says_what_is_missing),
		cmocka_unit_test(says_that_given_weights_are_not_computed),
		cmocka_unit_test(says_nothing_where_nothing_is_missing),
		cmocka_unit_test(a_mistake_gets_what_it_needs),
		cmocka_unit_test(space_combines),
		cmocka_unit_test(space_refuses_what_clashes),
		cmocka_unit_test(the_letter_of_the_only_one_mends),
		cmocka_unit_test(given_weights_take_no_mistake),
		cmocka_unit_test(what_opening_says_is_short),
		cmocka_unit_test(closes),
		cmocka_unit_test(lamps_leave_the_known_signatures),
		cmocka_unit_test(lamps_match_a_run),
		cmocka_unit_test(what_is_not_known_shows_as_dots),
		cmocka_unit_test(readouts_tell_the_scale),
		cmocka_unit_test(details_are_whole_at_80x24),
		cmocka_unit_test(details_scroll_on_small_screens),
		cmocka_unit_test(the_list_scrolls),
		cmocka_unit_test(the_empty_row_by_hand),
		cmocka_unit_test(letters_put_a_treatment_in_force),
		cmocka_unit_test(undo_takes_a_treatment_back),
		cmocka_unit_test(a_treatment_leaves_what_is_drawn),
		cmocka_unit_test(alignment_by_hand),
		cmocka_unit_test(polarity_by_hand),
		cmocka_unit_test(letters_put_a_picture_in_force),
		cmocka_unit_test(the_look_stands_whole_below),
		cmocka_unit_test(clinics_open_by_name),
		cmocka_unit_test(long_rows_have_a_window),
		cmocka_unit_test(a_window_shows_its_own_keys),
		cmocka_unit_test(one_clinic_after_another),
		cmocka_unit_test(it_speaks_of_its_own_scenario),
		cmocka_unit_test(errors_stand_in_their_line),
		cmocka_unit_test(numbers_follow_every_change),
		cmocka_unit_test(every_size_is_whole),
		cmocka_unit_test(nothing_needs_colour),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
