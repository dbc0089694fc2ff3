/* test_lesson.c - lessons: every key, every error at its place, all errors of a
 * file at once; conditions and answers.
 */
#include "tests/builtin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/lesson_yaml.h"
#include "tests/alloc.h"
#include "tests/limit_memory.h"

/* A page, its first line is 4; what follows is in line 5 and column 5. */
#define PAGE "qkv: 1\ntitle: T\npages:\n  - text: A\n"
/* A question's map begins in line 6, column 9. */
#define ASK PAGE "    ask:\n      - "

static const char everything[] =
	"qkv: 1\n"
	"title: {en: Lesson, ko: \"수업\"}\n"
	"pages:\n"
	"  - text: {en: Look, ko: \"보기\"}\n"
	"    scenario: causal-3\n"
	"    set: {causal: off, stage: masked, pad: [1, 2]}\n"
	"    at: 1:0\n"
	"    open: verify\n"
	"    do: {causal: on, pad: [2, 1], bug: zero-fill, at: \"*:2\", panel: walk, edited: scores 1:*,\n"
	"         cell: weights 0:2, above: 0.25, below: .inf}\n"
	"    hint: {en: c, ko: \"c 키\"}\n"
	"    ask:\n"
	"      - {cell: weights 1:0, text: {en: How much, ko: \"얼마\"}, why: {en: So, ko: \"그래서\"}}\n"
	"      - {cell: row-sums 2, text: Sum, tolerance: 0.1}\n"
	"      - {number: -.inf, text: Low}\n"
	"      - choose: [{en: a, ko: \"가\"}, b, c]\n"
	"        right: 1\n"
	"        text: Which\n"
	"  - text: Only a text\n"
	"  - text: A clinic\n"
	"    open: clinic empty-row\n"
	"  - text: A model\n"
	"    live: \"a b \"\n"
	"    apply-at: [1, 2.0]\n"
	"    head-off: 0.3,1.0\n"
	"    padding: left:3\n"
	"    set: {layer: 1, head: 2}\n"
	"    open: heads\n"
	"    do: {live: a c, apply-at: picture, head-off: all, padding: right:2, next: \" \"}\n";

/* ---- tools ---- */

static void read_fine(struct lesson *l, const char *text)
{
	struct error e = { 0 };
	char line[sizeof e];

	if (lesson_read(l, text, strlen(text), "dir/my.yaml", &e)) {
		error_format(&e, line, sizeof line);
		fail_msg("refused: %s", line);
	}
}

/* Of exactly the right size, so that a sanitizer sees the first byte too far. */
static char *exact(const char *text, size_t n)
{
	char *copy = malloc(n ? n : 1);

	assert_non_null(copy);
	memcpy(copy, text, n);
	return copy;
}

struct errors { char *v[64]; size_t n; };

static void collect(void *context, const struct error *e)
{
	struct errors *all = context;
	char line[sizeof *e];

	assert_true(e->status && e->line && e->column && e->text[0]);
	if (all->n == 64)
		return;
	error_format(e, line, sizeof line);
	all->v[all->n++] = exact(line, strlen(line) + 1);
}

static void errors_free(struct errors *all)
{
	for (size_t i = 0; i < all->n; i++)
		free(all->v[i]);
	all->n = 0;
}

/* Bytes that may be anything: what is read is whole, or the error has a place;
 * reading on ends, finds the same first, and finds none where there is none. */
static void try_bytes(const char *text, size_t n)
{
	char *bytes = exact(text, n), line[sizeof(struct error)];
	struct lesson l, all, before;
	struct errors found = { 0 };
	struct error e = { 0 };

	memset(&l, 0x5a, sizeof l);
	memcpy(&before, &l, sizeof l);
	enum status s = lesson_read(&l, bytes, n, "f.yaml", &e);
	enum status first = lesson_read_all(&all, bytes, n, "f.yaml", collect, &found);
	assert_int_equal(s, first);
	assert_int_equal(s == OK_STATUS, found.n == 0);
	if (s) {
		assert_memory_equal(&l, &before, sizeof l);
		error_format(&e, line, sizeof line);
		assert_string_equal(line, found.v[0]);
	} else {
		assert_true(l.pages_n > 0);
		lesson_free(&l);
	}
	lesson_free(&all);
	errors_free(&found);
	free(bytes);
}

static void check_error(const char *text, const char *place_and_text)
{
	struct lesson l;
	struct error e = { 0 };
	char line[sizeof e];

	if (!lesson_read(&l, text, strlen(text), "f", &e))
		fail_msg("taken:\n%s", text);
	error_format(&e, line, sizeof line);
	if (strncmp(line + 2, place_and_text, strlen(place_and_text)))
		fail_msg("'%s' instead of '%s' for:\n%s", line + 2, place_and_text, text);
	try_bytes(text, strlen(text));
}

/* ---- what is read ---- */

static void check_mark(struct mark m, unsigned line, unsigned column)
{
	assert_int_equal(m.line, line);
	assert_int_equal(m.column, column);
}

static void check_first_page(const struct lesson_page *p)
{
	check_mark(p->mark, 4, 5);
	assert_string_equal(title_in(&p->text, "ko"), "보기");
	check_mark(p->text_mark, 4, 11);
	assert_string_equal(p->scenario, "causal-3");
	check_mark(p->scenario_mark, 5, 15);
	assert_false(p->set.causal);
	assert_int_equal(p->set.stage, STAGE_MASKED);
	assert_int_equal(p->set.pad.n, 2);
	check_mark(p->set_mark[OPT_CAUSAL], 6, 19);
	check_mark(p->set_mark[OPT_PAD], 6, 44);
	assert_int_equal(p->set_mark[OPT_SCALE].line, 0);
	check_mark(p->at_mark, 7, 9);
	assert_int_equal(p->row, 1);
	assert_int_equal(p->column, 0);
	assert_int_equal(p->open, LESSON_PANEL_VERIFY);
	check_mark(p->open_mark, 8, 11);
	assert_null(p->clinic);
	assert_string_equal(title_in(&p->hint, "en"), "c");
	assert_false(p->flawed || p->unsure);
}

static void check_goal(const struct lesson_page *p)
{
	const struct lesson_condition *c = &p->goal;

	check_mark(p->goal_mark, 9, 9);
	assert_true(c->options.causal);
	assert_int_equal(c->options.pad.v[0], 1);
	assert_string_equal(c->options.bug, "zero-fill");
	check_mark(c->option_mark[OPT_CAUSAL], 9, 18);
	assert_true(c->at.any_row && !c->at.any_column);
	assert_int_equal(c->at.column, 2);
	assert_int_equal(c->panel, LESSON_PANEL_WALK);
	assert_int_equal(c->edited, ARRAY_SCORES);
	assert_true(c->edited_at.any_column && !c->edited_at.any_row);
	assert_int_equal(c->cell.stage, STAGE_WEIGHTS);
	assert_int_equal(c->cell.column, 2);
	assert_true(c->has_above && c->has_below && c->above == 0.25 && c->below == INFINITY);
	check_mark(c->cell_mark, 10, 16);
}

static void check_questions(const struct lesson_page *p)
{
	const struct lesson_question *q = p->questions;

	assert_int_equal(p->questions_n, 4);
	assert_int_equal(q[0].ask, LESSON_ASK_CELL);
	assert_int_equal(q[0].cell.row, 1);
	check_mark(q[0].ask_mark, 13, 16);
	assert_string_equal(title_in(&q[0].why, "ko"), "그래서");
	assert_true(q[0].tolerance == LESSON_TOLERANCE);
	assert_true(q[1].cell.row_sum && q[1].cell.row == 2 && q[1].tolerance == 0.1);
	assert_int_equal(q[2].ask, LESSON_ASK_NUMBER);
	assert_true(q[2].number == -INFINITY);
	assert_int_equal(q[2].why.n, 0);
	assert_int_equal(q[3].ask, LESSON_ASK_CHOICE);
	assert_int_equal(q[3].choices, 3);
	assert_string_equal(title_in(&q[3].choice[0], "ko"), "가");
	assert_string_equal(title_in(&q[3].choice[2], "ko"), "c");
	check_mark(q[3].choice_mark[1], 16, 36);
	assert_int_equal(q[3].right, 1);
}

static void check_live(const struct lesson_page *p)
{
	const struct lesson_live *l = &p->live, *c = &p->goal.live;

	assert_string_equal(l->text, "a b ");
	assert_string_equal(l->at, "1,2.0");
	assert_string_equal(l->off, "0.3,1.0");
	assert_true(l->pad_left == 3 && l->pad_right == 0);
	assert_null(l->next);
	check_mark(l->mark[LESSON_LIVE_TEXT], 23, 11);
	check_mark(l->mark[LESSON_LIVE_AT], 24, 15);
	check_mark(l->mark[LESSON_LIVE_OFF], 25, 15);
	check_mark(l->mark[LESSON_LIVE_PADDING], 26, 14);
	assert_int_equal(p->open, LESSON_PANEL_HEADS);
	assert_string_equal(c->text, "a c");
	assert_null(c->at);
	assert_string_equal(c->off, "all");
	assert_true(c->pad_left == 0 && c->pad_right == 2);
	assert_string_equal(c->next, " ");
	check_mark(c->mark[LESSON_LIVE_AT], 29, 31);
	check_mark(c->mark[LESSON_LIVE_NEXT], 29, 79);
}

static void every_key(void **state)
{
	struct lesson l;

	(void)state;
	read_fine(&l, everything);
	assert_string_equal(l.name, "my");
	assert_string_equal(title_in(&l.title, "ko"), "수업");
	check_mark(l.title_mark, 2, 8);
	assert_int_equal(l.pages_n, 4);
	assert_int_equal(lesson_questions(&l), 4);
	check_first_page(&l.pages[0]);
	check_goal(&l.pages[0]);
	check_questions(&l.pages[0]);
	assert_null(l.pages[1].scenario);
	assert_int_equal(l.pages[1].at_mark.line + l.pages[1].open_mark.line + l.pages[1].goal_mark.line, 0);
	assert_int_equal(l.pages[1].hint.n + l.pages[1].questions_n, 0);
	assert_int_equal(l.pages[2].open, LESSON_PANEL_CLINIC);
	assert_string_equal(l.pages[2].clinic, "empty-row");
	assert_null(l.pages[2].live.text);
	check_live(&l.pages[3]);
	lesson_free(&l);
	lesson_free(&l);
}

static void every_panel(void **state)
{
	char text[256];
	struct lesson l;

	(void)state;
	for (int k = LESSON_PANEL_NONE + 1; k < LESSON_PANEL_COUNT; k++) {
		snprintf(text, sizeof text, PAGE "    do: {panel: %s}\n", lesson_panel_name(k));
		read_fine(&l, text);
		assert_int_equal(l.pages[0].goal.panel, k);
		lesson_free(&l);
		snprintf(text, sizeof text, PAGE "    open: %s\n", lesson_panel_name(k));
		if (k > LESSON_PANEL_HEADS || k == LESSON_PANEL_CLINIC) {
			check_error(text, "5:11: open: ");
			continue;
		}
		read_fine(&l, text);
		assert_int_equal(l.pages[0].open, k);
		lesson_free(&l);
	}
	assert_string_equal(lesson_panel_name(LESSON_PANEL_NONE), "");
}

/* ---- errors ---- */

static const struct { const char *text, *error; } wrong[] = {
	{ "", "1:1: an empty file; 'qkv: 1' and pages are expected" },
	{ "[]\n", "1:1: a lesson: a list where a map is expected, such as 'qkv: 1'" },
	{ "qkv: 2\n", "1:6: qkv: '2' is not a format version" },
	{ "title: T\npages: [{text: A}]\n", "1:1: the key qkv is missing; 'qkv: 1' is expected" },
	{ "qkv: 1\npages: [{text: A}]\n", "1:1: the key title is missing" },
	{ "qkv: 1\ntitle: T\n", "1:1: the key pages is missing" },
	{ "qkv: 1\nqkv: 1\n", "2:1: qkv stands twice; the first is in line 1" },
	{ "qkv: 1\ntitel: T\n", "2:1: 'titel' is not a key of a lesson; did you mean 'title'? Expected one of: qkv, title, pages" },
	{ "qkv: 1\ntokens: [a]\n", "2:1: tokens: a key of a scenario; a lesson has" },
	{ "qkv: 1\ntitle: [a]\n", "2:8: title: a list, but a text is expected" },
	{ "qkv: 1\ntitle:\n", "2:7: title: nothing where a text is expected" },
	{ "qkv: 1\ntitle: {en: a, en: b}\n", "2:16: title: the language en stands twice" },
	{ "qkv: 1\npages: A\n", "2:8: pages: a single value where a list of pages is expected" },
	{ "qkv: 1\npages: []\n", "2:8: pages: an empty list; one page at least is expected" },
	{ "qkv: 1\npages: [A]\n", "2:9: a page: a single value where a map is expected" },
	{ "qkv: 1\npages:\n  - hint: h\n", "3:5: a page without text" },
	{ PAGE "    txt: B\n", "5:5: 'txt' is not a key of a page; did you mean 'text'?" },
	{ PAGE "    text: B\n", "5:5: text stands twice; the first is in line 4" },
	{ PAGE "    scenario: []\n", "5:15: scenario: a list, but a text is expected" },
	{ PAGE "    scenario: \"\"\n", "5:15: scenario: the name is empty" },
	{ PAGE "    set: causal\n", "5:10: set: a single value where a map is expected" },
	{ PAGE "    set: {casual: on}\n", "5:11: 'casual' is not a key of set; did you mean 'causal'?" },
	{ PAGE "    set: {scale: 3x}\n", "5:18: scale: '3x' is not one of" },
	{ PAGE "    set: {pad: [2, x]}\n", "5:20: pad: 'x' is not one of" },
	{ PAGE "    set: {bug: typo}\n", "5:16: bug: there is no bug named 'typo'" },
	{ PAGE "    at: 1\n", "5:9: at: '1' is not row and column of a cell such as 1:0" },
	{ PAGE "    at: \"*:0\"\n", "5:9: at: '*:0' is not row and column of a cell such as 1:0" },
	{ PAGE "    at: -1:0\n", "5:9: at: '-1:0' is not" },
	{ PAGE "    at: [1, 0]\n", "5:9: at: a list, but row and column" },
	{ PAGE "    open: verfy\n", "5:11: open: 'verfy' is not a panel; did you mean 'verify'? Expected one of: verify, influence" },
	{ PAGE "    open: walk\n", "5:11: open: 'walk' is not a panel. Expected one of: verify, influence" },
	{ PAGE "    open: clinic\n", "5:11: open: which clinic? 'clinic NAME' is expected, with one of: empty-row, " },
	{ PAGE "    open: clinic all-pads\n", "5:11: open: there is no clinic 'all-pads'; did you mean 'all-pad'? Expected one of: " },
	{ PAGE "    open: {}\n", "5:11: open: a map, but the name of a panel is expected" },
	{ PAGE "    do: causal\n", "5:9: do: a single value where a map is expected, such as {causal: on}" },
	{ PAGE "    do: {}\n", "5:9: do: an empty map; a condition such as {causal: on} is expected" },
	{ PAGE "    do: {causl: on}\n", "5:10: 'causl' is not a key of do; did you mean 'causal'? Expected one of: at, panel, edited, cell" },
	{ PAGE "    do: {causal: maybe}\n", "5:18: causal: 'maybe' is not one of" },
	{ PAGE "    do: {at: \"*:*\"}\n", "5:14: at: '*:*' is not row and column of a cell such as 1:0, or one of them and a *" },
	{ PAGE "    do: {at: *:0}\n", "5:14: & and * have a meaning of their own in YAML; put the text in quotes" },
	{ PAGE "    do: {panel: wlak}\n", "5:17: panel: 'wlak' is not a panel; did you mean 'walk'?" },
	{ PAGE "    do: {edited: score 1:0}\n", "5:18: edited: 'score 1:0' is not an array, row and column" },
	{ PAGE "    do: {edited: scores 1}\n", "5:18: edited: 'scores 1' is not" },
	{ PAGE "    do: {cell: weights 0:2}\n", "5:10: cell: above or below is missing" },
	{ PAGE "    do: {cell: wieghts 0:2, above: 1}\n", "5:16: cell: 'wieghts 0:2' is not a stage, row and column" },
	{ PAGE "    do: {cell: joined 0:2, above: 1}\n", "5:16: cell: 'joined 0:2' is not" },
	{ PAGE "    do: {below: 1}\n", "5:10: below without cell" },
	{ PAGE "    do: {cell: weights 0:2, above: x}\n", "5:36: above: 'x' is not a number" },
	{ PAGE "    do: {cell: weights 0:2, above: .nan}\n", "5:36: above: nothing is above or below nan" },
	{ PAGE "    do: {cell: weights 0:2, above: 1, below: 1}\n", "5:46: above is not less than below" },
	{ PAGE "    live: []\n", "5:11: live: a list, but a text is expected" },
	{ PAGE "    live: a\n    scenario: causal-3\n", "6:5: live beside scenario; a page shows one of them" },
	{ PAGE "    scenario: causal-3\n    live: a\n", "6:5: live beside scenario" },
	{ PAGE "    live: a\n    open: clinic empty-row\n", "6:5: live beside clinic" },
	{ PAGE "    apply-at: 1\n", "5:5: apply-at without live; it is of a language model's text" },
	{ PAGE "    head-off: 0.3\n", "5:5: head-off without live" },
	{ PAGE "    padding: left:1\n", "5:5: padding without live" },
	{ PAGE "    next: a\n", "5:5: 'next' is not a key of a page; did you mean 'text'?" },
	{ PAGE "    live: a\n    apply-at: 1.x\n", "6:15: apply-at: '1.x' is not a list of heads: 0.3 (layer.head), 1 (a layer), all, or picture" },
	{ PAGE "    live: a\n    apply-at: none\n", "6:15: apply-at: 'none' is not" },
	{ PAGE "    live: a\n    head-off: 0.3;1\n", "6:15: head-off: '0.3;1' is not a list of heads: 0.3 (layer.head), 1 (a layer), all, or none" },
	{ PAGE "    live: a\n    head-off: [0.3, some]\n", "6:21: head-off: 'some' is not" },
	{ PAGE "    live: a\n    head-off: [none, 0.3]\n", "6:16: head-off: 'none' is not" },
	{ PAGE "    live: a\n    head-off: [0.3, [1]]\n", "6:21: head-off: a list, but a list of heads such as 0.3,1.0 is expected" },
	{ PAGE "    live: a\n    head-off:\n", "6:14: head-off: '' is not" },
	{ PAGE "    live: a\n    padding: 3\n", "6:14: padding: '3' is not left:3, right:3 or none" },
	{ PAGE "    live: a\n    padding: left:x\n", "6:14: padding: 'left:x' is not" },
	{ PAGE "    do: {next: \"\"}\n", "5:16: next: the text is empty; a character is expected" },
	{ PAGE "    do: {next: [a]}\n", "5:16: next: a list, but a text is expected" },
	{ PAGE "    do: {head-off: x}\n", "5:20: head-off: 'x' is not a list of heads" },
	{ PAGE "    hint: []\n", "5:11: hint: a list, but a text is expected" },
	{ PAGE "    ask: {}\n", "5:10: ask: a map where a list of questions is expected" },
	{ ASK "why\n", "6:9: a question: a single value where a map is expected" },
	{ ASK "{text: T}\n", "6:9: a question without an answer; one of cell, number, choose is expected" },
	{ ASK "{number: 1}\n", "6:9: a question without text" },
	{ ASK "{number: 1, txt: T}\n", "6:21: 'txt' is not a key of a question; did you mean 'text'?" },
	{ ASK "{number: x, text: T}\n", "6:18: number: 'x' is not a number" },
	{ ASK "{number: 1, text: T, cell: weights 0:0}\n", "6:30: cell beside number; a question has one of" },
	{ ASK "{cell: row-sums 1:0, text: T}\n", "6:16: cell: 'row-sums 1:0' is not a stage, row and column" },
	{ ASK "{cell: weights 1, text: T}\n", "6:16: cell: 'weights 1' is not" },
	{ ASK "{number: 1, text: T, right: 0}\n", "6:30: right without choose" },
	{ ASK "{number: 1, text: T, tolerance: -1}\n", "6:41: tolerance: 0 or a number above is expected" },
	{ ASK "{number: 1, text: T, tolerance: .inf}\n", "6:41: tolerance: 0 or a number above is expected" },
	{ ASK "{choose: a, right: 0, text: T}\n", "6:18: choose: a single value where a list of texts is expected" },
	{ ASK "{choose: [a], right: 0, text: T}\n", "6:18: choose: 1 of 2 to 9 texts" },
	{ ASK "{choose: [a,b,c,d,e,f,g,h,i,j], right: 0, text: T}\n", "6:37: choose: more than 9 texts" },
	{ ASK "{choose: [a, b], text: T}\n", "6:10: choose: the key right is missing" },
	{ ASK "{choose: [a, b], right: 2, text: T}\n", "6:33: right: 2 of 2 texts, counted from 0" },
	{ ASK "{choose: [a, b], right: b, text: T}\n", "6:33: right: 'b' is not a whole number" },
	{ ASK "{choose: [a, b], right: 0, tolerance: 1, text: T}\n", "6:36: tolerance beside choose" },
	{ PAGE "    hint: one: two\n", "5:14: a ':' that does not follow a key; put the text in quotes" },
	{ PAGE "--- x\n", "5:1: a second document starts here; one is expected" },
};

static void errors_have_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		check_error(wrong[i].text, wrong[i].error);
}

static const char many_errors[] =
	"qkv: 3\n"
	"titel: T\n"
	"title: {en: a, e n: b, ko: }\n"
	"pages:\n"
	"  - txt: A\n"
	"    set: {causal: of, pad: [x, 1, y], scal: none}\n"
	"    at: here\n"
	"  - [no page]\n"
	"  - text: B\n"
	"    open: verfy\n"
	"    do: {cell: weights 0:2, panel: none, scale: maybe}\n"
	"    ask:\n"
	"      - {number: x, text: }\n"
	"      - {choose: [a, [b]]}\n"
	"      - {? [a, {b: c}] : {d: e}, number: 1}\n"
	"  - text: C\n"
	"    hint: {}\n";

static const char *const all_of_them[] = {
	"1:6: qkv: '3' is not", "2:1: 'titel' is not a key of a lesson", "3:16: title: 'e n' is not a language",
	"3:28: title: nothing where", "5:5: 'txt' is not a key of a page", "6:19: causal: 'of' is not", "6:29: pad: 'x' is not",
	"6:35: pad: 'y' is not", "6:39: 'scal' is not a key of set", "7:9: at: 'here' is not",
	"8:5: a page: a list where a map is expected", "10:11: open: 'verfy' is not", "11:36: panel: 'none' is not",
	"11:49: scale: 'maybe' is not", "11:10: cell: above or below is missing", "13:18: number: 'x' is not", "13:27: text: nothing",
	"14:22: choose: a list, but a text is expected", "14:9: a question without text", "14:10: choose: the key right is missing",
	"15:12: a list where a key of a question is expected", "15:9: a question without text", "17:11: hint: an empty map",
};

static void all_errors_at_once(void **state)
{
	const size_t n = sizeof all_of_them / sizeof *all_of_them;
	struct errors found = { 0 };
	struct lesson l;

	(void)state;
	assert_int_equal(lesson_read_all(&l, many_errors, strlen(many_errors), "f", collect, &found), E_VALUE);
	for (size_t i = 0; i < found.n && i < n; i++)
		if (strncmp(found.v[i] + 2, all_of_them[i], strlen(all_of_them[i])))
			fail_msg("error %zu is '%s', not '%s'", i, found.v[i], all_of_them[i]);
	assert_int_equal(found.n, n);
	assert_int_equal(l.pages_n, 4);
	assert_true(l.pages[0].flawed && l.pages[0].unsure);
	assert_true(l.pages[1].flawed);
	assert_true(l.pages[2].unsure && !l.pages[2].flawed);
	assert_false(l.pages[3].flawed || l.pages[3].unsure);
	assert_int_equal(l.pages[0].set_mark[OPT_CAUSAL].line, 0);
	assert_int_equal(l.pages[2].questions[0].ask_mark.line, 0);
	lesson_free(&l);
	errors_free(&found);
}

/* YAML that is none ends it; what was found before is told all the same. */
static void broken_yaml_ends_it(void **state)
{
	static const char text[] = PAGE "    at: x\n    hint: \"open\n  - text: B\n    at: y\n";
	struct errors found = { 0 };
	struct lesson l;

	(void)state;
	assert_int_equal(lesson_read_all(&l, text, strlen(text), "f", collect, &found), E_VALUE);
	assert_int_equal(found.n, 2);
	assert_non_null(strstr(found.v[0], "f:5:9: at: 'x'"));
	assert_int_equal(l.pages_n, 1);
	lesson_free(&l);
	errors_free(&found);
}

static void put_times(struct buffer *b, const char *text, size_t n)
{
	while (n--)
		buffer_text(b, text);
}

static void limits(void **state)
{
	struct buffer pages = { 0 }, questions = { 0 };

	(void)state;
	buffer_text(&pages, "qkv: 1\ntitle: T\npages:\n");
	put_times(&pages, "  - text: A\n", 1001);
	check_error(pages.data, "1004:5: pages: more than 1000");
	buffer_text(&questions, PAGE "    ask:\n");
	put_times(&questions, "      - {number: 1, text: T}\n", 101);
	check_error(questions.data, "106:9: ask: more than 100 questions");
	buffer_free(&pages);
	buffer_free(&questions);
}

/* ---- nothing crashes, nothing leaks ---- */

static void cuts(void **state)
{
	(void)state;
	for (size_t n = 0; n < sizeof everything; n++)
		try_bytes(everything, n);
	for (size_t n = 0; n < sizeof many_errors; n++)
		try_bytes(many_errors, n);
}

static void mutate(struct dice *d, char *text, size_t *n)
{
	static const char odd[] = "{}[]:,#*&!\"'-\n \t0z";
	size_t at = dice_below(d, *n), length = 1 + dice_below(d, 12);

	switch (dice_below(d, 4)) {
	case 0:
		text[at] = odd[dice_below(d, sizeof odd - 1)];
		break;
	case 1:
		text[at] = (char)dice_below(d, 256);
		break;
	case 2:		/* a piece away */
		length = length < *n - at ? length : *n - at - 1;
		memmove(text + at, text + at + length, *n - at - length);
		*n -= length;
		break;
	default:	/* a piece over another */
		length = length < *n - at ? length : *n - at;
		memmove(text + dice_below(d, *n - length + 1), text + at, length);
	}
}

static void mutations(void **state)
{
	static const char *const texts[] = { everything, many_errors };
	struct dice d = { 7 };
	char text[sizeof everything + sizeof many_errors];

	(void)state;
	for (int k = 0, count = is_under_valgrind() ? 800 : 20000; k < count; k++) {
		size_t n = strlen(texts[k % 2]);
		memcpy(text, texts[k % 2], n);
		for (size_t times = 1 + dice_below(&d, 3); times--;)
			mutate(&d, text, &n);
		try_bytes(text, n);
	}
}

static void ignore(void *context, const struct error *e)
{
	enum status *last = context;
	*last = e->status;
}

/* Each allocation of reading fails once. */
static void without_memory(void **state)
{
	struct lesson l, before;

	(void)state;
	memset(&l, 0x5a, sizeof l);
	memcpy(&before, &l, sizeof l);
	for (size_t n = 1;; n++) {
		struct error e = { 0 };
		struct lesson all;
		enum status last = OK_STATUS;
		assert_true(n < 20000);
		alloc_fail(n);
		enum status s = lesson_read(&l, everything, strlen(everything), "f.yaml", &e);
		bool failed = alloc_count() >= n;
		alloc_fail(0);
		if (!failed) {
			assert_int_equal(s, OK_STATUS);
			lesson_free(&l);
			assert_true(n > 100);
			return;
		}
		if (s != E_MEMORY || !e.text[0])
			fail_msg("allocation %zu fails: status %d, '%s'", n, s, e.text);
		assert_memory_equal(&l, &before, sizeof l);
		alloc_fail(n);
		lesson_read_all(&all, everything, strlen(everything), "f.yaml", ignore, &last);
		alloc_fail(0);
		assert_int_equal(last, E_MEMORY);
		lesson_free(&all);
	}
}

/* ---- text forms ---- */

static void check_cell(const char *text, bool fine)
{
	struct lesson_cell cell = { .row = 77 };
	struct buffer out = { 0 };

	if (lesson_cell_parse(&cell, text) != fine)
		fail_msg("'%s'", text);
	if (!fine) {
		assert_int_equal(cell.row, 77);
		return;
	}
	lesson_cell_text(&cell, &out);
	assert_string_equal(out.data, text);
	buffer_free(&out);
}

static void cells_as_text(void **state)
{
	static const char *const good[] = {
		"scores 0:0", "scaled 1:2", "masked 10:20", "weights 1:0", "output 3:511", "row-sums 0", "row-sums 10000000",
	};
	static const char *const bad[] = {
		"", "weights", "weights ", "weights 1", "weights 1:", "weights :1", "weights 1:0 ", "weights 1:0x", "weights1:0",
		"weights *:0", "weights -1:0", "input 0:0", "joined 0:0", "row-sums", "row-sums 1:0", "row-sums x", "Weights 1:0",
		"weights 10000001:0", "weights 99999999999999999999:0", "row-sums 99999999999999999999",
	};
	struct lesson_cell cell;
	struct lesson_place place;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		check_cell(good[i], true);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		check_cell(bad[i], false);
	assert_true(lesson_cell_parse(&cell, "weights   2:3") && cell.row == 2 && cell.column == 3);
	assert_true(lesson_place_parse(&place, "4:*", true) && place.row == 4 && place.any_column);
	assert_false(lesson_place_parse(&place, "4:*", false) || lesson_place_parse(&place, "*:*", true));
}

/* ---- the state, conditions, answers ---- */

static void heads_and_padding_as_text(void **state)
{
	static const char *const good[] = { "0.3", "1", "all", "0.3,1.0", "all,1,2.10" };
	static const char *const bad[] = { "", ",", "0.", ".3", "0.3,", ",0.3", "0.3 ", "al", "allx", "0.3.1", "-1", "99999999999" };
	struct lesson_live l = { .pad_left = 7 };

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		assert_true(lesson_heads_parse(good[i]));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (lesson_heads_parse(bad[i]))
			fail_msg("'%s'", bad[i]);
	assert_false(lesson_padding_parse(&l, "left") || lesson_padding_parse(&l, "left:") || lesson_padding_parse(&l, "left:1x") ||
		     lesson_padding_parse(&l, "up:1") || lesson_padding_parse(&l, "none:1"));
	assert_true(l.pad_left == 7);
	assert_true(lesson_padding_parse(&l, "right:12") && l.pad_left == 0 && l.pad_right == 12);
	assert_true(lesson_padding_parse(&l, "left:2") && l.pad_left == 2 && l.pad_right == 0);
	assert_true(lesson_padding_parse(&l, "none") && l.pad_left == 0 && l.pad_right == 0);
}

static void options_of_a_page(void **state)
{
	struct options o = { 0 };
	struct error e = { 0 };
	struct lesson l;

	(void)state;
	read_fine(&l, everything);
	assert_int_equal(options_init(&o, &e), OK_STATUS);
	options_from(&o, "causal=on scale=none pad=0");
	assert_int_equal(lesson_set_options(&o, &l.pages[0].set, l.pages[0].set_mark, &e), OK_STATUS);
	assert_false(o.causal);
	assert_int_equal(o.scale.word, SCALE_NONE);
	assert_int_equal(o.pad.n, 2);
	assert_int_equal(o.stage, STAGE_MASKED);
	for (size_t n = 1; n < 1000; n++) {
		alloc_fail(n);
		enum status s = lesson_set_options(&o, &l.pages[0].goal.options, l.pages[0].goal.option_mark, &e);
		alloc_fail(0);
		if (!s)
			break;
		assert_int_equal(s, E_MEMORY);
		assert_false(o.causal);
	}
	assert_true(o.causal);
	assert_string_equal(o.bug, "zero-fill");
	options_free(&o);
	lesson_free(&l);
}

static void cells_of_an_attention(void **state)
{
	struct lesson_cell cell;
	struct fixture f;
	struct error e = { 0 };
	double value;

	(void)state;
	fixture_builtin(&f, "causal-3");
	fixture_start(&f);
	assert_true(lesson_cell_parse(&cell, "weights 1:0"));
	assert_int_equal(lesson_cell_value(&cell, &f.attention, &value, &e), OK_STATUS);
	assert_near(value, 0.2689414213699951, 1e-12);
	assert_true(lesson_cell_parse(&cell, "masked 0:1"));
	assert_int_equal(lesson_cell_value(&cell, &f.attention, &value, &e), OK_STATUS);
	assert_same(value, -INFINITY);
	assert_true(lesson_cell_parse(&cell, "row-sums 2"));
	assert_int_equal(lesson_cell_value(&cell, &f.attention, &value, &e), OK_STATUS);
	assert_near(value, 1, 1e-12);
	assert_true(lesson_cell_parse(&cell, "output 0:3"));
	assert_int_equal(lesson_cell_value(&cell, &f.attention, &value, &e), E_VALUE);
	assert_string_equal(e.text, "the stage output has (3, 3) cells, counted from 0");
	assert_true(lesson_cell_parse(&cell, "row-sums 3"));
	assert_int_equal(lesson_cell_value(&cell, &f.attention, &value, &e), E_VALUE);
	fixture_free(&f);
}

static void conditions(void **state)
{
	struct fixture f;
	struct lesson l;
	double half = 0.5, quarter = 0.25;
	struct edit edit = { .array = ARRAY_SCORES, .row = 1, .column = 2, .value = 3 };
	struct edits none = { 0 }, one = { .v = &edit, .n = 1 };

	(void)state;
	read_fine(&l, everything);
	const struct lesson_condition *c = &l.pages[0].goal, *empty = &l.pages[1].goal;
	fixture_builtin(&f, "causal-3");
	fixture_set(&f, "causal=on pad=1,2 bug=zero-fill");
	fixture_start(&f);
	struct lesson_now now = {
		.options = &f.attention.options, .edits = &one, .row = 0, .column = 2, .cursor_known = true,
		.panels = 1u << LESSON_PANEL_WALK, .cell = &half,
	};
	assert_true(lesson_condition_holds(c, &now));
	assert_true(lesson_condition_holds(empty, &(struct lesson_now){ .options = now.options, .edits = &none }));
	now.column = 1;
	assert_false(lesson_condition_holds(c, &now) || lesson_condition_at_holds(c, 0, 1));
	now.column = 2;
	now.cursor_known = false;
	assert_false(lesson_condition_holds(c, &now));
	now.cursor_known = true;
	now.panels = 1u << LESSON_PANEL_VERIFY;
	assert_false(lesson_condition_holds(c, &now));
	now.panels |= 1u << LESSON_PANEL_WALK;
	assert_true(lesson_condition_holds(c, &now));
	now.cell = &quarter;		/* above is above */
	assert_false(lesson_condition_holds(c, &now) || lesson_condition_cell_holds(c, 0.25) || lesson_condition_cell_holds(c, NAN));
	now.cell = NULL;
	assert_false(lesson_condition_holds(c, &now));
	now.cell = &half;
	now.edits = &none;
	assert_false(lesson_condition_holds(c, &now));
	assert_true(lesson_condition_edited_holds(c, &one, 0));
	assert_false(lesson_condition_edited_holds(c, &one, 1));
	now.edits = &one;
	/* Each part that is asked of a model is to be true. */
	const struct lesson_condition *model = &l.pages[3].goal;
	const unsigned all = (1u << LESSON_LIVE_COUNT) - 1;
	for (unsigned bits = 0; bits <= all; bits++)
		assert_true(lesson_condition_holds(model, &(struct lesson_now){ .options = now.options, .edits = &none, .live = bits }) ==
			    (bits == all));
	options_from(&f.attention.options, "causal=off");
	assert_false(lesson_condition_holds(c, &now) || lesson_condition_options_hold(c, now.options));
	fixture_free(&f);
	lesson_free(&l);
}

static void answers(void **state)
{
	const struct lesson_question q = { .tolerance = 0.005, .right = 2, .choices = 3 }, exactly = { .tolerance = 0 };

	(void)state;
	assert_int_equal(lesson_check_number(&q, 0.27, 0.2689), LESSON_RIGHT);
	assert_int_equal(lesson_check_number(&q, 0.27, 0.275), LESSON_RIGHT);
	assert_int_equal(lesson_check_number(&q, 0.28, 0.275), LESSON_RIGHT);
	assert_int_equal(lesson_check_number(&q, 0.27, 0.2751), LESSON_WRONG);
	assert_int_equal(lesson_check_number(&q, -0.27, 0.27), LESSON_WRONG);
	assert_int_equal(lesson_check_number(&q, NAN, -NAN), LESSON_RIGHT);
	assert_int_equal(lesson_check_number(&q, INFINITY, INFINITY), LESSON_RIGHT);
	assert_int_equal(lesson_check_number(&q, INFINITY, -INFINITY), LESSON_WRONG);
	assert_int_equal(lesson_check_number(&q, -1e9, -INFINITY), LESSON_OTHER_KIND);
	assert_int_equal(lesson_check_number(&q, 0, NAN), LESSON_OTHER_KIND);
	assert_int_equal(lesson_check_number(&q, NAN, 0), LESSON_OTHER_KIND);
	assert_int_equal(lesson_check_number(&q, NAN, INFINITY), LESSON_OTHER_KIND);
	assert_int_equal(lesson_check_number(&exactly, 6, 6), LESSON_RIGHT);
	assert_int_equal(lesson_check_number(&exactly, 6.001, 6), LESSON_WRONG);
	assert_int_equal(lesson_check_choice(&q, 2), LESSON_RIGHT);
	assert_int_equal(lesson_check_choice(&q, 0), LESSON_WRONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key), cmocka_unit_test(every_panel), cmocka_unit_test(errors_have_places),
		cmocka_unit_test(all_errors_at_once), cmocka_unit_test(broken_yaml_ends_it), cmocka_unit_test(limits),
		cmocka_unit_test(cuts), cmocka_unit_test(mutations), cmocka_unit_test(without_memory),
		cmocka_unit_test(cells_as_text), cmocka_unit_test(heads_and_padding_as_text), cmocka_unit_test(options_of_a_page), cmocka_unit_test(cells_of_an_attention),
		cmocka_unit_test(conditions), cmocka_unit_test(answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
