/* test_session.c - the state as text and back, and texts that are broken. */
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

#include "tests/player.h"
#include "tui/session.h"

static struct buffer written_session(const struct state *s)
{
	struct buffer out = { 0 };

	session_write(s, NULL, &out);
	assert_false(out.failed);
	assert_non_null(out.data);
	return out;
}

static enum status read_text(struct player *p, const char *text, size_t size, struct error *e)
{
	*p = (struct player){ 0 };
	assert_int_equal(random_tables_init(&p->tables, e), OK_STATUS);
	enum status s = session_read(&p->state, text, size, &p->tables, &player_ports, e);
	if (!s)
		assert_int_equal(cells_init(&p->cells, 24, 80, e), OK_STATUS);
	return s;
}

static void reopen(struct player *from, struct player *to)
{
	struct buffer text = written_session(&from->state);
	struct error e = { 0 };

	if (read_text(to, text.data, text.size, &e))
		fail_msg("line %u: %s\n%.*s", e.line, e.text, (int)text.size, text.data);
	buffer_free(&text);
}

static void check_same_history(const struct history *a, const struct history *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t i = 0; i < a->n; i++)
		assert_true(snapshot_equal(&a->v[i], &b->v[i]));
}

static void check_same_numbers(struct player *a, struct player *b)
{
	size_t rows, columns, other_rows, other_columns;

	state_shape(&a->state, &rows, &columns);
	state_shape(&b->state, &other_rows, &other_columns);
	assert_int_equal(rows, other_rows);
	assert_int_equal(columns, other_columns);
	for (size_t i = a->state.top; i < rows && i < a->state.top + 10; i++)
		for (size_t j = 0; j < columns; j++) {
			double x = player_value(a, i, j), y = player_value(b, i, j);
			assert_true(!memcmp(&x, &y, sizeof x) || (isnan(x) && isnan(y)));
		}
}

static void check_same(struct player *a, struct player *b)
{
	const struct state *s = &a->state, *t = &b->state;

	assert_int_equal(s->opened_n, t->opened_n);
	for (size_t i = 0; i < s->opened_n; i++) {
		assert_string_equal(s->opened[i]->scenario.name, t->opened[i]->scenario.name);
		assert_true(options_equal(&s->opened[i]->options, &t->opened[i]->options));
		assert_true(edits_equal(&s->opened[i]->scenario.edits, &t->opened[i]->scenario.edits));
	}
	assert_true(snapshot_equal(&s->now, &t->now));
	check_same_history(&s->undo, &t->undo);
	check_same_history(&s->redo, &t->redo);
	for (int i = 0; i < 9; i++) {
		assert_int_equal(s->bookmark[i].set, t->bookmark[i].set);
		if (s->bookmark[i].set)
			assert_true(snapshot_equal(&s->bookmark[i].snapshot, &t->bookmark[i].snapshot));
		assert_int_equal(s->bookmark[i].row, t->bookmark[i].row);
		assert_int_equal(s->bookmark[i].column, t->bookmark[i].column);
	}
	assert_int_equal(s->pinned.set, t->pinned.set);
	assert_int_equal(s->pinned.show, t->pinned.show);
	if (s->pinned.set)
		assert_true(snapshot_equal(&s->pinned.snapshot, &t->pinned.snapshot));
	assert_int_equal(s->lines_n, t->lines_n);
	for (size_t i = 0; i < s->lines_n; i++)
		assert_string_equal(s->lines[i], t->lines[i]);
	assert_int_equal(s->row, t->row);
	assert_int_equal(s->column, t->column);
	for (size_t i = 0; i < s->problem->n_q; i++)
		assert_string_equal(token_label(&s->problem->query_tokens, i), token_label(&t->problem->query_tokens, i));
	for (size_t i = 0; i < s->problem->n_k; i++)
		assert_string_equal(token_label(&s->problem->key_tokens, i), token_label(&t->problem->key_tokens, i));
	check_same_numbers(a, b);
}

/* The same again after reading; and writing it once more gives the same bytes. */
static void check_round_trip(struct player *p)
{
	struct player again;

	reopen(p, &again);
	check_same(p, &again);
	struct buffer first = written_session(&p->state), second = written_session(&again.state);
	assert_int_equal(first.size, second.size);
	assert_memory_equal(first.data, second.data, first.size);
	buffer_free(&first);
	buffer_free(&second);
	state_free(&again.state);
	cells_free(&again.cells);
}

/* ---- round trips ---- */

static void as_opened(void **state)
{
	static const char *const names[] = { "two-tokens", "causal-3", "korean-5", "random-4", "pad-4", "left-pad-4", "saturation-16",
					     "shapes-10", "cross-3x5", "ones-8", "all-pad-3", "overflow-7x3", "low-scores-3",
					     "masked-twice-3", "cached-3x5", "square-4" };

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct player p;
		player_open(&p, names[i]);
		check_round_trip(&p);
		player_close(&p);
	}
}

static void with_undo_and_redo(void **state)
{
	struct player p, again;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "c P s S x j l + - f E . t 3");
	player_command(&p, "temperature 0.7");
	player_command(&p, "hide 0:1,2:2");
	player_command(&p, "o random-4");
	player_command(&p, "tokens a % b=c @1:2 ' \"");
	player_keys(&p, "R u u u u u");
	assert_true(p.state.undo.n > 5);
	assert_int_equal(p.state.redo.n, 5);
	check_round_trip(&p);
	/* Undo and redo go the same way in both. */
	reopen(&p, &again);
	while (p.state.undo.n) {
		player_keys(&p, "u");
		player_keys(&again, "u");
		check_same_numbers(&p, &again);
	}
	while (p.state.redo.n) {
		player_keys(&p, "<C-r>");
		player_keys(&again, "<C-r>");
		check_same_numbers(&p, &again);
	}
	assert_int_equal(again.state.redo.n, 0);
	player_keys(&p, "r");
	player_keys(&again, "r");
	check_same_numbers(&p, &again);
	state_free(&again.state);
	cells_free(&again.cells);
	player_close(&p);
}

static void with_bookmarks_and_lines(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "korean-5");
	player_keys(&p, "j l M 1 c a d j j M 9");
	player_command(&p, "o shapes-10");
	player_keys(&p, "] ] M 5");
	player_command(&p, "no such command % \\ \u00e9");
	player_command(&p, "scale 0.125");
	check_round_trip(&p);
	player_close(&p);
}

static void with_edits(void **state)
{
	static const char *const values[] = { "nan", "-inf", "inf", "-0", "5e-324", "1e308", "0.1", "-2.5e-7", "12345678.000000001" };
	struct player p;

	(void)state;
	player_open(&p, "random-4");
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		player_keys(&p, i % 4 ? "l" : "j <Home>");
		player_keys(&p, "<Enter> <C-u>");
		player_type(&p, values[i]);
		player_keys(&p, "<Enter>");
	}
	player_keys(&p, "0 0 + 4");
	assert_int_equal(p.state.now.edits.n, sizeof values / sizeof *values + 1);
	check_round_trip(&p);
	player_close(&p);
}

static const char odd_yaml[] =
	"qkv: 1\n"
	"title: {en: \"A: b # c\", ko: \"\\\"\\\\ 100%\"}\n"
	"tokens: [\"\\e[31m\", \"a\\nb\", \"\", \"  \", \"\u1112\u1161\u11ab\", \"\\U0001F469\\u200D\\U0001F467\", \"'\\\"%20\", \"- x: [1]\"]\n"
	"random: {n: 8, d-k: 3, seed: 340282366920938463463374607431768211456}\n"
	"set: {causal: on, pad: [7], hide: [0:0, 3:2]}\n";

static void with_odd_tokens(void **state)
{
	struct player p;

	(void)state;
	player_open_yaml(&p, odd_yaml);
	assert_int_equal(p.state.problem->n_k, 8);
	check_round_trip(&p);
	player_keys(&p, "R x p");
	player_command(&p, "n 12");
	player_command(&p, "seed 99999999999999999999999999999999999999999999999");
	check_round_trip(&p);
	player_close(&p);
}

static void with_every_option(void **state)
{
	static const char *const settings[] = {
		"causal on", "causal-align bottom-right", "causal-offset -1", "pad 0,2", "pad-mask off", "window 2", "prefix 1",
		"documents 1,1,2", "hide 0:0", "keep 0:2,1:1", ("mask " MASK_LAST), "polarity hide", "mask-invert on", "pad-axis both",
		"scale 0.3", "d-model 12", "scale-times 2", "temperature 1e-3", "softcap 30", "alibi auto", "fill -1e9",
		"fill-op add", "keep-value 0", "mask-at after-renorm", "empty-row uniform", "softmax column", "softmax-kind naive",
		"softmax-times 2", "dropout 0.25", "dropout-seed 7", "dtype bf16", "score-dtype f16", "fill-dtype f32", "stage masked",
		"array k", "precision 9", "theme light", "color 256", "ascii on", "step 0.25",
	};
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		player_command(&p, settings[i]);
		if (p.state.sentence_is_error)
			fail_msg("%s: %s", settings[i], p.state.sentence);
	}
	check_round_trip(&p);
	player_close(&p);
}

/* ---- texts that are not a session ---- */

static void refuse(const char *text, size_t size)
{
	struct player p;
	struct error e = { 0 };

	if (!read_text(&p, text, size, &e))
		fail_msg("read: %.*s", (int)size, text);
	assert_true(*e.text);
}

static void refused(void **state)
{
	static const char *const texts[] = {
		"", "q", "qkv-session 1", "qkv-session 2\nnow 0 0 0\n", "qkv-session 1\n", "qkv-session 1\nnow 0 0 0\n",
		"qkv-session 1\nscenario x 5\n", "qkv-session 1\nscenario x 99999999999999999999\n", "qkv-session 1\nscenario\n",
		"qkv-session 1\nscenario x -1\nopened 0 0 0\n", "qkv-session 1\nline\n", "qkv-session 1\nundo 0 0 0\n",
		"qkv-session 1\nmark0 0 0 0\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		refuse(texts[i], strlen(texts[i]));
}

static void lines_out_of_place(void **state)
{
	static const char head[] = "qkv-session 1\nscenario x 27\nqkv: 1\nscores: [[1, 2, 3]]\nopened 0 0 0\n";
	static const char *const tails[] = {
		"", "now 1 0 0\n", "now 0 0\n", "now\n", "now 0 0 0 causal\n", "now 0 0 0 causal=maybe\n", "now 0 0 0 nothing=1\n",
		"now 0 0 0 @8:0:0:0=\n", "now 0 0 0 @99:0:0:0=1\n", "now 0 0 0 @8:0:0:9=1\n", "now 0 0 0 @8:0:0=1\n",
		"now 0 0 0 pad=7\n", "now 0 0 0\nnowhere 0 0 0\n", "mark10 0 0 0\nnow 0 0 0\n",
	};
	char text[500];
	struct player p;
	struct error e = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
		snprintf(text, sizeof text, "%s%s", head, tails[i]);
		refuse(text, strlen(text));
	}
	/* The head itself is fine. */
	snprintf(text, sizeof text, "%snow 0 7 7 @8:0:0:1=-4\n", head);
	assert_int_equal(read_text(&p, text, strlen(text), &e), OK_STATUS);
	player_keys(&p, "1");
	assert_true(player_value(&p, 0, 1) == -4);
	assert_null(state_fault(&p.state));
	state_free(&p.state);
	cells_free(&p.cells);
}

/* A change that cannot be gone back to is told, and nothing moves. */
static void undo_to_what_does_not_fit(void **state)
{
	static const char text[] = "qkv-session 1\nscenario x 27\nqkv: 1\nscores: [[1, 2, 3]]\nopened 0 0 0\n"
				   "undo 0 0 0 pad=7\nredo 0 0 0 @8:0:9:9=1\nmark3 0 0 0 head=4\nnow 0 0 1 causal=on\n";
	static const char *const keys[] = { "u", "<C-r>", "' 3" };
	struct player p;
	struct error e = { 0 };

	(void)state;
	assert_int_equal(read_text(&p, text, sizeof text - 1, &e), OK_STATUS);
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		player_keys(&p, keys[k]);
		assert_true(p.state.sentence_is_error);
		assert_true(p.state.now.options.causal);
		assert_int_equal(p.state.undo.n, 1);
		assert_int_equal(p.state.redo.n, 1);
		assert_null(state_fault(&p.state));
	}
	state_free(&p.state);
	cells_free(&p.cells);
}

/* A session may be resumed from another folder. */
static void paths_are_absolute(void **state)
{
	struct player p;
	struct buffer text = { 0 };

	(void)state;
	player_open(&p, "causal-3");
	player_command(&p, "mask " MASK_LAST);
	assert_string_equal(p.state.now.options.mask, MASK_LAST);
	session_write(&p.state, "/some where", &text);
	buffer_put(&text, "", 1);
	assert_false(text.failed);
	assert_non_null(strstr(text.data, " mask=/some%20where/" MASK_LAST));
	buffer_free(&text);
	free(p.state.now.options.mask);
	p.state.now.options.mask = strdup("/elsewhere/x.npy");
	session_write(&p.state, "/some where", &text);
	buffer_put(&text, "", 1);
	assert_non_null(strstr(text.data, " mask=/elsewhere/x.npy"));
	buffer_free(&text);
	player_close(&p);
}

/* Without its mask's file the rest of the session is still there. */
static void without_the_mask(void **state)
{
	static const char *const gone[] = { "mask=gone.npy", ("mask=" MASK_MISFIT), "bias=gone.npy", "mask=gone.npy bias=gone.npy" };

	(void)state;
	for (size_t k = 0; k < sizeof gone / sizeof *gone; k++) {
		char text[300];
		struct player p;
		struct error e = { 0 };
		int n = snprintf(text, sizeof text, "qkv-session 1\nscenario x 27\nqkv: 1\nscores: [[1, 2, 3]]\nopened 0 0 0\n"
				 "undo 0 0 0 causal=on\nnow 0 0 1 scale=none %s\n", gone[k]);
		if (read_text(&p, text, (size_t)n, &e))
			fail_msg("%s: %s: %s", gone[k], e.option, e.text);
		assert_int_equal(e.status, OK_STATUS);
		assert_true(p.state.sentence_is_error);
		assert_non_null(strstr(p.state.sentence, "resumed without its mask and bias: "));
		assert_string_equal(p.state.now.options.mask, "");
		assert_string_equal(p.state.now.options.bias, "");
		assert_int_equal(p.state.now.options.scale.word, SCALE_NONE);
		assert_int_equal(p.state.undo.n, 1);
		assert_int_equal(p.state.column, 1);
		assert_null(state_fault(&p.state));
		state_free(&p.state);
		cells_free(&p.cells);
	}
}

static void says_that_it_is_resumed(void **state)
{
	struct player p, again;

	(void)state;
	player_open(&p, "causal-3");
	reopen(&p, &again);
	assert_string_equal(again.state.sentence, "causal-3: resumed where it was left; ? is the help");
	assert_false(again.state.sentence_is_error);
	state_free(&again.state);
	cells_free(&again.cells);
	player_close(&p);
}

/* What is nearest in undo is kept when all of it would not be read back. */
static void long_histories_are_cut(void **state)
{
	enum { STEPS = 40 };
	static char name[1 << 20];
	struct player p, again;
	struct error e = { 0 };

	(void)state;
	player_open(&p, "causal-3");
	memset(name, 'm', sizeof name - 1);
	for (size_t k = 0; k < STEPS; k++) {
		struct snapshot n;
		assert_int_equal(snapshot_copy(&n, &p.state.now, &e), OK_STATUS);
		n.options.precision = (long)k % 18;
		free(n.options.mask);
		assert_non_null(n.options.mask = strdup(name));
		assert_int_equal(history_push(&p.state.undo, &n, &e), OK_STATUS);
	}
	struct buffer text = written_session(&p.state);
	assert_true(text.size <= SESSION_LIMIT + 1000);
	assert_int_equal(read_text(&again, text.data, text.size, &e), OK_STATUS);
	size_t kept = again.state.undo.n;
	assert_true(kept >= 30 && kept < 32);
	for (size_t k = 0; k < kept; k++)
		assert_int_equal(again.state.undo.v[k].options.precision, (STEPS - kept + k) % 18);
	buffer_free(&text);
	state_free(&again.state);
	cells_free(&again.cells);
	player_close(&p);
}

/* ---- mutations ---- */

static uint64_t dice;

static size_t below(size_t n)
{
	dice ^= dice >> 12;
	dice ^= dice << 25;
	dice ^= dice >> 27;
	return (size_t)((dice * UINT64_C(2685821657736338717)) >> 33) % n;
}

static void cut(char *text, size_t *n, size_t at, size_t count)
{
	if (count > *n - at)
		count = *n - at;
	memmove(text + at, text + at + count, *n - at - count);
	*n -= count;
}

static void insert(char *text, size_t *n, size_t at, const char *what, size_t count)
{
	memmove(text + at + count, text + at, *n - at);
	memcpy(text + at, what, count);
	*n += count;
}

static size_t line_start(const char *text, size_t at)
{
	while (at && text[at - 1] != '\n')
		at--;
	return at;
}

static void copy_line(char *text, size_t *n, size_t from, size_t to)
{
	char line[300];
	size_t start = line_start(text, from), size = 0;

	while (start + size < *n && size < sizeof line && text[start + size] != '\n')
		size++;
	size += start + size < *n && size < sizeof line;
	memcpy(line, text + start, size);
	insert(text, n, line_start(text, to), line, size);
}

static void mutate(char *text, size_t *n)
{
	static const char *const words[] = { " ", "\n", "0", "9", "-", "=", "@", "%", "%00", ":", "nan", "now 0 0 0\n", "undo 0 0 0\n",
					     "scenario y 7\nqkv: 1\nopened 0 0 0\n", "[", "}", "\xff", "\xed\x95\x9c", "18446744073709551616" };
	size_t at = below(*n);

	switch (below(10)) {
	case 0:
		text[at] = (char)below(256);
		break;
	case 1:
		text[at] ^= (char)(1 << below(8));
		break;
	case 2:
		cut(text, n, at, 1 + below(8));
		break;
	case 3:
		*n = at + 1;
		break;
	case 4:
		copy_line(text, n, at, below(*n));
		break;
	case 5:
		cut(text, n, line_start(text, at), 1 + below(60));
		break;
	case 6:
	case 7:
	case 8:
		while (at + 1 < *n && (text[at] < '0' || text[at] > '9'))
			at++;
		text[at] = (char)('0' + below(10));
		break;
	default: {
		const char *word = words[below(sizeof words / sizeof *words)];
		insert(text, n, at, word, strlen(word));
		break;
	}
	}
	if (!*n)
		text[(*n)++] = 'q';
}

/* What was read is a state like any other. */
static void use(struct player *p)
{
	static const char *const keys = "u u <C-r> j l c ' 1 + r : <Up> <Esc> u u u 0 4";
	const char *fault;

	player_draw(p);
	if (!(fault = state_fault(&p->state)) && !(fault = cells_fault(&p->cells))) {
		player_keys(p, keys);
		player_draw(p);
		if (!(fault = state_fault(&p->state)))
			fault = cells_fault(&p->cells);
	}
	if (fault)
		fail_msg("%s", fault);
	struct buffer text = written_session(&p->state);
	buffer_free(&text);
}

static void mutated(void **state)
{
	enum { ROUNDS = 5000, ROOM = 4000 };
	struct player p;
	struct buffer text;
	size_t taken = 0;

	(void)state;
	dice = 4711;
	player_open(&p, "causal-3");
	player_keys(&p, "c M 1 + j l x P");
	player_command(&p, "o random-4");
	player_keys(&p, "R <Enter> 1 <Enter> u M 2");
	player_command(&p, "tokens \ub098\ub294 %");
	player_keys(&p, "u c");
	text = written_session(&p.state);
	for (int round = 0; round < ROUNDS; round++) {
		char *copy = malloc(text.size + ROOM);
		size_t n = text.size;
		struct player again;
		struct error e = { 0 };

		assert_non_null(copy);
		memcpy(copy, text.data, n);
		for (size_t k = 1 + below(2); k; k--)
			mutate(copy, &n);
		/* Exactly as large, so that a read beyond it is noticed. */
		char *exact = realloc(copy, n);
		assert_non_null(exact);
		if (read_text(&again, exact, n, &e)) {
			assert_true(*e.text);
		} else {
			taken++;
			use(&again);
			state_free(&again.state);
			cells_free(&again.cells);
		}
		free(exact);
	}
	buffer_free(&text);
	player_close(&p);
	/* Both ways are gone: neither everything is refused nor everything read. */
	assert_in_range(taken, ROUNDS / 20, ROUNDS - ROUNDS / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_opened),
		cmocka_unit_test(with_undo_and_redo),
		cmocka_unit_test(with_bookmarks_and_lines),
		cmocka_unit_test(with_edits),
		cmocka_unit_test(with_odd_tokens),
		cmocka_unit_test(with_every_option),
		cmocka_unit_test(refused),
		cmocka_unit_test(lines_out_of_place),
		cmocka_unit_test(undo_to_what_does_not_fit),
		cmocka_unit_test(paths_are_absolute),
		cmocka_unit_test(without_the_mask),
		cmocka_unit_test(says_that_it_is_resumed),
		cmocka_unit_test(long_histories_are_cut),
		cmocka_unit_test(mutated),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
