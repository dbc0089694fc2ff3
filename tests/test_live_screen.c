/* test_live_screen.c - a language model on the screen: its text edited in place, its heads
 * interfered with. Expected numbers are those of tests/data/koen (README.md there).
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

#include "core/message.h"
#include "tests/koen.h"
#include "tests/play.h"
#include "tui/frame.h"
#include "tui/language.h"
#include "tui/live_dock.h"
#include "tui/session.h"
#include "tui/spoken.h"

#define KOREAN "대화 상자를 열고 파일을 저장합니다. 대화 상자를 "
#define ENGLISH "Opens the dialog box. Click OK. Opens the dialog "

/* ---- playing ---- */

static void line(struct play *p, const char *text)
{
	char keys[600];

	snprintf(keys, sizeof keys, ":<Type:%s><Enter>", text);
	play_keys(p, keys);
	if (p->state.sentence_is_error)
		fail_msg("%s: %s", text, p->state.sentence);
}

static void open_text(struct play *p, const char *text)
{
	char command[500];

	play_open(p, "causal-3", NULL);
	snprintf(command, sizeof command, "live %s", text);
	line(p, command);
	assert_non_null(p->state.now.live);
}

/* The line is typed without its last blank, which a command does not keep. */
static void open_koen(struct play *p, const char *text)
{
	open_text(p, text);
	if (text[strlen(text) - 1] == ' ')
		play_keys(p, "X <Esc>");
	assert_string_equal(p->state.now.live->text, text);
}

/* A guess with its share, as a line of the dock has them. */
static void guesses(const struct play *p, const char *token, double share)
{
	char row[ROW_TEXT], number[16];

	snprintf(number, sizeof number, "%.4f", share);
	for (int y = p->layout.live; y < p->layout.live + p->layout.live_rows; y++) {
		play_row(p, y, row);
		if (!strncmp(row, token, strlen(token)) && strstr(row, number))
			return;
	}
	fail_msg("%s with %s is not among the guesses", token, number);
}

/* ---- the text ---- */

static void told_as_computed_elsewhere(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	guesses(&p, "열", 0.7517);
	guesses(&p, "엽", 0.0935);
	guesses(&p, "닫", 0.0378);
	must_show(&p, "nats per character 0.9728");
	must_show(&p, "next after 28 ' '");
	must_show(&p, "koen 0.0");
	assert_int_equal(p.state.problem->n_q, 29);
	assert_int_equal(p.state.row, 28);
	play_free(&p);
}

static void each_key_is_in_force(void **state)
{
	struct play p;

	(void)state;
	open_text(&p, "가나다라마바사 가나다라");
	play_keys(&p, "X마");
	assert_int_equal(p.state.mode, MODE_PROMPT);
	assert_string_equal(p.state.now.live->text, "가나다라마바사 가나다라마");
	guesses(&p, "바", 0.9866);
	assert_int_equal(p.state.problem->n_q, 14);
	play_keys(&p, "<BS>");
	assert_int_equal(p.state.problem->n_q, 13);
	must_lack(&p, "0.9866");
	play_keys(&p, "<Home><Del>");
	assert_string_equal(p.state.now.live->text, "나다라마바사 가나다라");
	assert_int_equal(p.state.row, 0);
	play_keys(&p, "<Right><Right>q");
	assert_string_equal(p.state.now.live->text, "나다q라마바사 가나다라");
	assert_int_equal(p.state.row, 3);
	play_keys(&p, "<Esc>");
	assert_int_equal(p.state.mode, MODE_GRID);
	play_free(&p);
}

static void paste(struct play *p, const char *text)
{
	const struct key k = { .kind = KEY_PASTE, .text = text, .length = strlen(text) };

	state_key(&p->state, &k);
	play_keys(p, "");
}

/* What is typed as parts of a syllable becomes one; what has no room is told. */
static void composed_pasted_and_cut(void **state)
{
	struct play p;
	char many[141];

	(void)state;
	open_text(&p, "가");
	play_keys(&p, "X");
	paste(&p, "\u1112\u1161\u11ab글");
	assert_string_equal(p.state.now.live->text, "가한글");
	assert_int_equal(p.state.problem->n_q, 4);
	play_keys(&p, "<BS>");
	assert_string_equal(p.state.now.live->text, "가한");
	memset(many, 'a', sizeof many - 1);
	many[sizeof many - 1] = '\0';
	paste(&p, many);
	assert_int_equal(p.state.problem->n_q, 128);
	must_show(&p, "cut at 127 characters; 15 are left out");
	play_keys(&p, "漢");
	play_keys(&p, "<Home>漢<Esc>");
	must_show(&p, "1 character is not in the model's list");
	play_free(&p);
}

/* A word is a change, what is taken away is another. */
static void undone_by_words(void **state)
{
	struct play p;

	(void)state;
	open_text(&p, "셀의");
	size_t before = p.state.undo.n;
	play_keys(&p, "X 내용을 지<Esc>");
	assert_int_equal(p.state.undo.n, before + 3);	/* the blank, the word with its blank, the last one */
	play_keys(&p, "X<BS><BS><BS><Esc>");
	assert_int_equal(p.state.undo.n, before + 4);
	assert_string_equal(p.state.now.live->text, "셀의 내용");
	play_keys(&p, "u");
	assert_string_equal(p.state.now.live->text, "셀의 내용을 지");
	assert_int_equal(p.state.problem->n_q, 9);
	play_keys(&p, "u");
	assert_string_equal(p.state.now.live->text, "셀의 내용을 ");
	play_keys(&p, "uu");
	assert_string_equal(p.state.now.live->text, "셀의");
	assert_int_equal(p.state.problem->n_q, 3);
	play_keys(&p, "<C-r><C-r><C-r><C-r>");
	assert_string_equal(p.state.now.live->text, "셀의 내용");
	play_free(&p);
}

/* What was there before the model comes back, and the model too. */
static void another_scenario_and_back(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	line(&p, "o causal-3");
	assert_null(p.state.now.live);
	assert_int_equal(p.layout.live_rows, 0);
	assert_int_equal(p.state.problem->n_q, 3);
	play_keys(&p, "uG");
	assert_int_equal(p.state.problem->n_q, 29);
	guesses(&p, "열", 0.7517);
	play_keys(&p, "M1X고<Esc>'1");
	assert_string_equal(p.state.now.live->text, KOREAN);
	guesses(&p, "열", 0.7517);
	play_free(&p);
}

/* Numbers and lists of positions that another text does not have go. */
static void positions_of_another_text(void **state)
{
	struct play p;

	(void)state;
	open_text(&p, "abcdef");
	line(&p, "set pad 2,6");
	line(&p, "set hide 6:1,3:1");
	play_keys(&p, "1+");
	assert_int_equal(p.state.now.edits.n, 1);
	play_keys(&p, "X<BS><BS><Esc>");
	assert_int_equal(p.state.problem->n_q, 5);
	assert_int_equal(p.state.now.options.pad.n, 1);
	assert_int_equal(p.state.now.options.hide.n, 2);
	assert_int_equal(p.state.now.edits.n, 0);
	play_keys(&p, "uu");
	assert_int_equal(p.state.now.edits.n, 0);
	assert_int_equal(p.state.now.options.pad.n, 2);
	play_free(&p);
}

/* ---- heads ---- */

/* The picture is what the model computed. */
static void the_head_is_the_scenario(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	play_keys(&p, "}]]]");
	assert_int_equal(p.state.now.options.layer, 1);
	assert_int_equal(p.state.now.options.head, 3);
	must_show(&p, "koen 1.3, rests on [BOS]");
	const struct row *r = grid_row(&p.state.grid, 28, STAGE_WEIGHTS);
	const float *w = model_run_weights(&p.state.live->live.run, 1, 3, 28);
	for (size_t j = 0; j < 29; j++)
		assert_float_equal(r->weights[j], w[j], 1e-5);
	play_keys(&p, "{");
	must_show(&p, "koen 0.3, previous token 0.9");
	play_keys(&p, "H");
	assert_int_equal(p.state.panel.heads.layers, 3);
	must_show(&p, "L2H3");
	must_show(&p, "L0H3 prev");
	play_resize(&p, 50, 150);
	must_show(&p, "L0H3 previous token 0.9");
	play_resize(&p, 24, 80);
	play_keys(&p, "e");
	assert_int_equal(p.state.now.options.layer, 1);
	assert_int_equal(p.state.now.options.head, 0);
	play_keys(&p, "v");
	assert_int_equal(p.state.panel.kind, PANEL_VERIFY);
	guesses(&p, "열", 0.7517);
	play_free(&p);
}

static void head_off(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	play_keys(&p, "]]]K");
	must_show(&p, "0.3 off");
	must_show(&p, "nats per character 2.1017, untouched 0.9728 (+1.1288)");
	guesses(&p, "대", 0.1314);
	play_keys(&p, "K");
	must_lack(&p, "0.3 off");
	must_show(&p, "nats per character 0.9728");
	play_free(&p);
	open_koen(&p, ENGLISH);
	line(&p, "head-off 1.0,1.1,1.3");
	must_show(&p, "nats per character 1.0087");
	play_keys(&p, ":head-off 7.0<Enter>");
	assert_true(p.state.sentence_is_error);
	assert_memory_equal(p.state.sentence, ":head-off 7.0: '7.0' names no head", strlen(":head-off 7.0: '7.0' names no head"));
	assert_string_equal(p.state.now.live->off, "1.0,1.1,1.3");
	must_show(&p, "nats per character 1.0087");
	play_free(&p);
}

/* ---- where options apply ---- */

static void the_picture_alone(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	play_keys(&p, "}c");
	must_show(&p, "causal off: picture alone");
	guesses(&p, "열", 0.7517);
	must_lack(&p, "untouched");
	assert_true(grid_row(&p.state.grid, 0, STAGE_WEIGHTS)->weights[5] > 0);
	play_free(&p);
}

static void carried_at_a_head(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	play_keys(&p, "}Ac");
	must_show(&p, "causal off: carried at 1.0");
	must_show(&p, "nats per character 0.6008, untouched 0.9728 (-0.3720)");
	must_show(&p, "outside of what the model was trained on");
	guesses(&p, "열", 0.9008);
	play_keys(&p, "]");			/* another head is as it was trained */
	assert_true(p.state.now.options.causal);
	must_show(&p, "carried at 1.0, not here");
	must_show(&p, "nats per character 0.6008");
	assert_int_equal(grid_row(&p.state.grid, 0, STAGE_WEIGHTS)->visible, 1);
	play_keys(&p, "[");
	assert_false(p.state.now.options.causal);
	assert_int_equal(grid_row(&p.state.grid, 0, STAGE_WEIGHTS)->visible, 29);
	play_keys(&p, "uuu");
	assert_true(p.state.now.options.causal);
	must_show(&p, "nats per character 0.9728");
	play_free(&p);
}

static void carried_at_layers_and_all(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	line(&p, "layer 1");
	line(&p, "at 1");
	line(&p, "set pad 3,5");
	must_show(&p, "pad 3,5: carried at 1");
	must_show(&p, "nats per character 0.9963");
	guesses(&p, "열", 0.5476);
	play_keys(&p, "r");
	must_lack(&p, "carried");
	must_show(&p, "nats per character 0.9728");
	play_free(&p);
	open_koen(&p, ENGLISH);
	play_keys(&p, "AAA");
	must_show(&p, ": carried at every head");
	play_keys(&p, "c");
	must_show(&p, "nats per character 3.1062");
	play_keys(&p, "c");
	must_lack(&p, "untouched");
	line(&p, "bug no-scale");
	must_show(&p, "nats per character 2.7859");
	play_keys(&p, "A");
	must_show(&p, "bug no-scale: picture alone");
	must_lack(&p, "untouched");
	play_free(&p);
}

/* An edited number is never carried; a head that is off always is. */
static void edits_and_heads_off(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	line(&p, "head-off 0.3");
	must_show(&p, "0.3 off, carried; options: picture alone");
	line(&p, "head-off none");
	play_keys(&p, "1+");
	must_show(&p, ": edits: picture alone");
	play_keys(&p, "AAA");
	must_show(&p, "options: carried at every head; edits: picture alone");
	must_show(&p, "nats per character 0.9728");
	play_keys(&p, "u");
	must_show(&p, "options: carried at 0; edits: picture alone");
	play_keys(&p, "r");
	must_lack(&p, "edits");
	play_free(&p);
}

/* A list of most heads is said by those that are not in it. */
static void most_heads(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	line(&p, "head-off 0,1,2");
	must_show(&p, "every head off");
	play_keys(&p, "K");
	must_show(&p, "K: all but 0.0 off");
	line(&p, "head-off 0,1,2.0,2.1,2.2");
	must_show(&p, "all but 2.3 off");
	line(&p, "head-off 0,1");
	must_show(&p, "0,1 off");
	line(&p, "at 0.0,0.1,0.2,0.3,1,2.0,2.1");
	must_show(&p, "carried at all but 2.2,2.3");
	play_keys(&p, "u<C-r>");
	must_show(&p, "made again: options at all but 2.2,2.3");
	play_free(&p);
}

static void both_at_once(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p, ENGLISH);
	line(&p, "at 0");
	line(&p, "fill 0");
	must_show(&p, "nats per character 1.7326");
	play_keys(&p, "r");
	line(&p, "head-off 0.3");
	line(&p, "layer 2");
	play_keys(&p, "]Ac");
	must_show(&p, "0.3 off; causal off: carried at 2.1");
	must_show(&p, "nats per character 2.9859");
	play_free(&p);
}

/* [PAD] behind the text changes nothing; before it, it does, and is said. */
static void padding(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	line(&p, "padding right:5");
	assert_int_equal(p.state.problem->n_q, 34);
	assert_int_equal(p.state.row, 28);
	guesses(&p, "열", 0.7517);
	must_show(&p, "nats per character 0.9728, untouched 0.9728 (+0.0000)");
	must_show(&p, "5 [PAD] behind; options: picture alone");
	line(&p, "padding left:3");
	must_show(&p, "nats per character 2.3144, untouched 0.9728 (+1.3416)");
	must_show(&p, "3 [PAD] before; options: picture alone");
	assert_int_equal(p.state.row, 31);
	must_show(&p, "29 tokens see [PAD]");
	play_keys(&p, ":padding left:200<Enter>");
	assert_true(p.state.sentence_is_error);
	assert_int_equal(p.state.problem->n_q, 32);
	play_keys(&p, ":padding above<Enter>");
	assert_true(p.state.sentence_is_error);
	line(&p, "padding none");
	assert_int_equal(p.state.problem->n_q, 29);
	assert_int_equal(p.state.row, 28);
	line(&p, "padding left:2");
	play_keys(&p, "gg");			/* a row that goes away with the padding */
	line(&p, "padding none");
	assert_int_equal(p.state.row, 0);
	play_free(&p);
}

static void pad_is(const struct options *o, size_t n, long first)
{
	assert_int_equal(o->pad.n, n);
	for (size_t k = 0; k < n; k++)
		assert_int_equal(o->pad.v[k], first + (long)k);
}

/* Positions that hide just the padding go with it, those that are carried, too; others stay. */
static void hidden_padding(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	line(&p, "at all");
	line(&p, "padding left:3");
	must_show(&p, ":padding: 3 [PAD] before the text; :pad 0-2 hides them");
	line(&p, "pad 0,1,2");
	must_lack(&p, "see [PAD]");
	line(&p, "padding right:3");
	must_show(&p, ":padding: 3 [PAD] behind the text; pad 29-31 hides them");
	pad_is(&p.state.now.options, 3, 29);
	pad_is(p.state.now.live->carried, 3, 29);
	must_show(&p, "nats per character 0.9728, untouched 0.9728 (+0.0000)");
	play_keys(&p, "u");
	assert_int_equal(p.state.now.live->pad_left, 3);
	pad_is(&p.state.now.options, 3, 0);
	pad_is(p.state.now.live->carried, 3, 0);
	play_keys(&p, "<C-r>X고<Esc>");		/* behind a text that is longer */
	pad_is(&p.state.now.options, 3, 30);
	line(&p, "padding left:1");
	pad_is(p.state.now.live->carried, 1, 0);
	line(&p, "padding none");
	pad_is(&p.state.now.options, 0, 0);
	pad_is(p.state.now.live->carried, 0, 0);
	line(&p, "padding left:2");		/* nothing was hidden before */
	pad_is(&p.state.now.options, 0, 0);
	line(&p, "pad 0");			/* not all of it, and more than it */
	line(&p, "padding left:3");
	pad_is(&p.state.now.options, 1, 0);
	line(&p, "pad 0,1,2,3");
	line(&p, "padding left:2");
	pad_is(&p.state.now.options, 4, 0);
	play_free(&p);
}

/* As it was opened, but with the padding that there is. */
static void hidden_padding_and_reset(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	line(&p, "padding left:2");
	line(&p, "pad 0,1");
	play_keys(&p, "r");
	pad_is(&p.state.now.options, 0, 0);
	assert_int_equal(p.state.now.live->pad_left, 2);
	play_free(&p);
}

static void only_of_a_model(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "A");
	assert_true(p.state.sentence_is_error);
	play_keys(&p, "K");
	assert_true(p.state.sentence_is_error);
	play_keys(&p, "X");			/* opens it */
	assert_string_equal(p.state.now.live->text, KOREAN);
	play_keys(&p, "<Esc>");
	guesses(&p, "열", 0.7517);
	play_free(&p);
}

/* ---- kept ---- */

static void resume(struct play *p, const struct buffer *text)
{
	struct error e = { 0 };

	memset(p, 0, sizeof *p);
	assert_int_equal(random_tables_init(&p->tables, &e), OK_STATUS);
	if (session_read(&p->state, text->data, text->size, &p->tables, &frame_ports, &e))
		fail_msg("%s", e.text);
	assert_int_equal(cells_init(&p->cells, p->state.rows, p->state.columns, &e), OK_STATUS);
	play_resize(p, 24, 80);
}

static void kept_and_resumed(void **state)
{
	struct play p, q;
	struct buffer text = { 0 };

	(void)state;
	open_koen(&p, KOREAN);
	play_keys(&p, "}AcM2]KX%=고<Esc>:padding left:2<Enter>");
	session_write(&p.state, NULL, &text);
	resume(&q, &text);
	assert_true(snapshot_equal(&p.state.now, &q.state.now));
	assert_int_equal(q.state.problem->n_q, 34);
	play_keys(&q, "uuu");
	must_show(&q, "nats per character 0.6008, untouched 0.9728 (-0.3720)");
	play_keys(&q, "'2");
	must_show(&q, "koen 1.0: causal off: carried at 1.0");
	play_keys(&q, "X고<Esc>");
	assert_string_equal(q.state.now.live->text, KOREAN "고");
	play_free(&p);
	play_free(&q);
	buffer_free(&text);
}

/* A session that was tampered with is refused, whatever is missing. */
static void damaged_sessions(void **state)
{
	static const char *const word[] = { "\nlive 1 ", " live:text=", " live:at=", " live:o:causal=", " live:pad=0,0" };
	static const char *const other[] = { "\nlive 0 ", " live:test=", " live:of=", " live:o:casual=", " live:pad=0;0" };
	struct play p;
	struct buffer text = { 0 };

	(void)state;
	open_koen(&p, KOREAN);
	play_keys(&p, "}AX고<Esc>");
	session_write(&p.state, NULL, &text);
	for (size_t k = 0; k < sizeof word / sizeof *word; k++) {
		struct error e = { 0 };
		struct state s;
		char *copy = strdup(text.data), *at = strstr(copy, word[k]);
		if (!at)
			fail_msg("'%s' is not in the session", word[k]);
		memcpy(at, other[k], strlen(other[k]));
		memset(at + strlen(other[k]), 'x', strlen(word[k]) - strlen(other[k]));
		assert_int_not_equal(session_read(&s, copy, strlen(copy), &p.tables, &frame_ports, &e), OK_STATUS);
		free(copy);
	}
	play_free(&p);
	buffer_free(&text);
}

static void the_command_line(void **state)
{
	struct play p;
	struct buffer text = { 0 };

	(void)state;
	open_text(&p, "it's");
	play_keys(&p, "}Ac]");
	line(&p, "head-off 0.3");
	line(&p, "padding left:2");
	assert_true(state_command_line(&p.state, &text));
	/* What may stand behind it are the keys to the cursor. */
	static const char expected[] = "qkv live 'it'\\''s' --causal=off --head=1 --layer=1 --at=1.0 --ablate=0.3 --padding=left:2";
	if (strncmp(text.data, expected, sizeof expected - 1))
		fail_msg("%s", text.data);
	text.size = 0;
	play_keys(&p, "s");			/* of a picture where nothing is carried */
	assert_false(state_command_line(&p.state, &text));
	play_free(&p);
	open_text(&p, "ab");			/* a report would carry it through without the word */
	line(&p, "temperature 2");
	text.size = 0;
	assert_true(state_command_line(&p.state, &text));
	static const char alone[] = "qkv live ab --temperature=2 --at=none";
	if (strncmp(text.data, alone, sizeof alone - 1))
		fail_msg("%s", text.data);
	play_free(&p);
	open_text(&p, "-x");
	text.size = 0;
	assert_true(state_command_line(&p.state, &text));
	assert_non_null(strstr(text.data, " -- -x"));
	assert_string_equal(strstr(text.data, " -- -x"), " -- -x");
	play_free(&p);
	open_text(&p, "a");			/* without it an input that qkv live takes (test_live_cli.c) */
	play_keys(&p, "X<BS><Esc>");
	text.size = 0;
	assert_true(state_command_line(&p.state, &text));
	assert_memory_equal(text.data, "qkv live ''", strlen("qkv live ''"));
	play_free(&p);
	buffer_free(&text);
}

static enum status write_nowhere(const char *name, const char *data, size_t size, bool replace, struct error *e)
{
	(void)name, (void)data, (void)size, (void)replace, (void)e;
	return OK_STATUS;
}

static void sentence_has(const struct play *p, const char *part)
{
	if (!strstr(p->state.sentence, part))
		fail_msg("'%s' is not in: %s", part, p->state.sentence);
}

/* Neither a file of the picture's numbers nor a command line has everything; each says so. */
static void what_is_written(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	p.state.ports.write = write_nowhere;
	play_keys(&p, "}");
	line(&p, "w x.yaml");
	sentence_has(&p, "wrote x.yaml: numbers of layer 1, without text and model");
	line(&p, "w x.npy");
	assert_null(strstr(p.state.sentence, "without"));
	play_keys(&p, "1+y");
	sentence_has(&p, "; edited numbers are not in it; without text and model they are in :w FILE.yaml");
	play_keys(&p, "u");
	play_keys(&p, "Ac]sy");			/* of a picture where nothing is carried */
	sentence_has(&p, "; options of this head's picture are not in it");
	play_free(&p);
}

/* Both ways out of the line say that keys act again. */
static void typing_ends(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	play_keys(&p, "X");
	sentence_has(&p, "Esc or Enter");
	play_keys(&p, "<Enter>");
	assert_int_equal(p.state.mode, MODE_GRID);
	sentence_has(&p, "keys are commands again");
	play_keys(&p, "X<Esc>");
	sentence_has(&p, "keys are commands again");
	play_keys(&p, "X漢<Enter>");
	sentence_has(&p, "keys are commands again; 1 character is not");
	play_free(&p);
}

/* What changed below the grid is told, bars aside. */
static void told_in_lines(void **state)
{
	struct spoken told = { 0 };
	struct buffer heard = { 0 };
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	state_resize(&p.state, SPOKEN_ROWS, SPOKEN_COLUMNS);
	spoken_lines(&told, &p.state, &heard);
	assert_non_null(strstr(heard.data, "\n열  0.7517\n"));
	assert_non_null(strstr(heard.data, "nats per character 0.9728"));
	heard.size = 0;
	state_do(&p.state, CMD_LIVE, "가나다라마바사 가나다라마", ":live");
	spoken_lines(&told, &p.state, &heard);
	assert_non_null(strstr(heard.data, "\ntext 가나다라마바사 가나다라마\n"));
	assert_non_null(strstr(heard.data, "\n바  0.9866"));
	spoken_free(&told);
	buffer_free(&heard);
	play_free(&p);
}

/* ---- every screen ---- */

static void sizes_and_languages(void **state)
{
	static const int size[][2] = { { 24, 80 }, { 60, 200 }, { 12, 40 }, { 8, 30 }, { 6, 20 }, { 3, 10 } };
	static const char *const keys[] = { "X한<Esc>", "H", "<Esc>Ac", "K", "i", "<Esc>I", "<Esc>ad", "a", "b", "<Esc>:present on<Enter>X글<Esc>" };
	struct play p;

	(void)state;
	for (int lang = 0; lang < 2; lang++) {
		open_koen(&p, KOREAN);
		line(&p, lang ? "lang ko" : "lang en");
		for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
			play_resize(&p, size[k][0], size[k][1]);
			for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
				play_keys(&p, keys[i]);
			play_keys(&p, ":present off<Enter><Esc><Esc>");
			line(&p, "live " KOREAN);
		}
		play_resize(&p, 12, 40);
		play_keys(&p, "rAcK:head 1<Enter>");
		if (!lang)		/* in whole where it has room: where options apply is always said */
			must_show(&p, "0.1: 0.0 off; at 0.0, not here");
		play_keys(&p, "r:padding left:2<Enter>");
		must_show(&p, "[PAD]");		/* outside of training: said on small screens, too */
		play_free(&p);
	}
}

/* Beside a lesson and beside all heads: what applies where, the nats with the difference, the
 * warning; the guesses have what is left. */
static void on_a_small_screen(void **state)
{
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	play_resize(&p, 15, 50);
	play_keys(&p, "}AcH");
	must_show(&p, "1.0: causal off: carried at 1.0");
	must_show(&p, "nats 0.6008 (-0.3720)  outside of training");
	play_keys(&p, "<Esc>:lesson live-heads<Enter>");
	assert_non_null(p.state.lesson);
	line(&p, "live " KOREAN);
	play_keys(&p, "X <Esc>}Ac");
	assert_string_equal(p.state.now.live->text, KOREAN);
	must_show(&p, "1.0: causal off: carried at 1.0");
	must_show(&p, "nats 0.6008 (-0.3720)  outside of training");
	play_resize(&p, 14, 50);		/* not even a line about the head */
	must_show(&p, "nats 0.6008 (-0.3720)  at 1.0  outside of training");
	play_free(&p);
	open_koen(&p, KOREAN);
	play_resize(&p, 15, 50);
	play_keys(&p, "]]]KH");
	must_show(&p, "0.3: 0.3 off, carried; options: picture alone");
	must_show(&p, "nats 2.1017 (+1.1288)  대 0.13");
	must_lack(&p, "outside");
	play_free(&p);
}

/* Whatever is pressed, the picture is whole, and what is told is of the text that is shown.
 * QKV_FUZZ_KEYS: how many keys. */
static void any_keys(void **state)
{
	static const char *const key[] = {
		"X", "X", "<Type:한>", "<Type:a >", "<BS>", "<Del>", "<Left>", "<Home>", "<End>", "<Esc>", "<Esc>", "<Esc>", "<Enter>", "u", "u",
		"<C-r>", "A", "A", "K", "H", "[", "]", "{", "}", "c", "p", "P", "s", "f", "x", "+", "b", "v", "I", "J", "i", "T", "d", "a", "M1",
		"'1", "r", "z", "<Down>", "<Up>", "G", "g", "0", "1", "4", "6", "<Tab>", "<Space>", "<Esc>:live abc abc<Enter>",
		"<Esc>:padding left:2<Enter>", "<Esc>:pad 0,1<Enter>", "<Esc>:padding none<Enter>", "<Esc>:o pad-4<Enter>", "<Esc>:at 1,2.0<Enter>",
		"<Esc>:head-off none<Enter>", "<Esc>:layer 2<Enter>", "<Esc>:hide 3:1<Enter>", "<Esc>:clinic scale<Enter>",
	};
	static const int size[][2] = { { 24, 80 }, { 12, 40 }, { 30, 100 } };
	const char *wanted = getenv("QKV_FUZZ_KEYS");
	long keys = wanted ? atol(wanted) : 250;
	uint32_t random = 12345;
	struct play p;

	(void)state;
	open_koen(&p, KOREAN);
	for (long k = 0; k < keys; k++) {
		random = random * 1664525u + 1013904223u;
		if (k % 40 == 0)
			play_resize(&p, size[k / 40 % 3][0], size[k / 40 % 3][1]);
		play_keys_flashing(&p, key[(random >> 8) % (sizeof key / sizeof *key)]);
		if (k % 16 == 0)
			play_keys(&p, "");
		const struct live *l = live_shown(&p.state);
		if (!l)
			continue;
		assert_string_equal(l->nfc, p.state.now.live->text);
		assert_int_equal(l->text.n, p.state.problem->n_q);
		assert_int_equal(l->run.n, l->text.n);
		assert_true(live_dock_is_same_head(&p.state.now, &p.state.now));
	}
	play_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(told_as_computed_elsewhere),
		cmocka_unit_test(each_key_is_in_force),
		cmocka_unit_test(composed_pasted_and_cut),
		cmocka_unit_test(undone_by_words),
		cmocka_unit_test(another_scenario_and_back),
		cmocka_unit_test(positions_of_another_text),
		cmocka_unit_test(the_head_is_the_scenario),
		cmocka_unit_test(head_off),
		cmocka_unit_test(the_picture_alone),
		cmocka_unit_test(carried_at_a_head),
		cmocka_unit_test(carried_at_layers_and_all),
		cmocka_unit_test(edits_and_heads_off),
		cmocka_unit_test(most_heads),
		cmocka_unit_test(both_at_once),
		cmocka_unit_test(padding),
		cmocka_unit_test(hidden_padding),
		cmocka_unit_test(hidden_padding_and_reset),
		cmocka_unit_test(only_of_a_model),
		cmocka_unit_test(kept_and_resumed),
		cmocka_unit_test(damaged_sessions),
		cmocka_unit_test(the_command_line),
		cmocka_unit_test(what_is_written),
		cmocka_unit_test(typing_ends),
		cmocka_unit_test(told_in_lines),
		cmocka_unit_test(sizes_and_languages),
		cmocka_unit_test(on_a_small_screen),
		cmocka_unit_test(any_keys),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 77;
	language_add_builtin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
