/* test_lesson_cli.c - lessons in a shell: qkv lesson --check tells every error of a
 * file, qkv list --lessons names the built-in ones, and those are as they should be.
 * Surroundings: QKV, QKV_ASSETS.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assets/assets.h"
#include "tests/run.h"
#include "tui/load.h"

static void check_run(const char *line, const char *input, int status, const char *out, const char *err)
{
	struct run r = run_input(line, input);

	if (r.status != status || strcmp(r.out, out) || strcmp(r.err, err))
		fail_msg("qkv %s: status %d, stdout\n%sstderr\n%s\nexpected %d,\n%s%s", line, r.status, r.out, r.err, status, out, err);
	run_free(&r);
}

/* A lesson from standard input, with the errors it is to have; places only, as
 * "LINE:COL: start of the text" a line. */
static void check_errors(const char *lesson, const char *const *wanted, size_t n)
{
	struct run r = run_input("lesson --check -", lesson);
	char *rest = r.err;

	for (size_t i = 0; i < n; i++) {
		char start[256];
		snprintf(start, sizeof start, "qkv: stdin:%s", wanted[i]);
		if (strncmp(rest, start, strlen(start)))
			fail_msg("error %zu: '%s' is expected in\n%s", i, start, r.err);
		rest = strchr(rest, '\n');
		assert_non_null(rest);
		rest++;
	}
	if (*rest)
		fail_msg("more errors than expected:\n%s", rest);
	assert_int_equal(r.status, n ? 2 : 0);
	assert_int_equal(r.out_size > 0, n == 0);
	run_free(&r);
}
#define CHECK_ERRORS(lesson, ...) \
	check_errors(lesson, (const char *[]){ __VA_ARGS__ }, sizeof (const char *[]){ __VA_ARGS__ } / sizeof(char *))

/* What follows is in line 4. */
#define HEAD "qkv: 1\ntitle: T\npages:\n"
#define PAGE HEAD "  - text: A\n    scenario: causal-3\n"

/* ---- the built-in ones ---- */

static bool has(const struct title *t, const char *language)
{
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->v[i].language, language))
			return t->v[i].text[0] != '\0';
	return false;
}

static void both(const char *name, const char *what, const struct title *t)
{
	if (t->n && !(has(t, "en") && has(t, "ko")))
		fail_msg("%s: a %s that is not there in both languages: %s", name, what, title_in(t, "en"));
}

static void both_languages(const struct lesson *l)
{
	assert_true(l->title.n > 0);
	both(l->name, "title", &l->title);
	for (size_t i = 0; i < l->pages_n; i++) {
		const struct lesson_page *p = &l->pages[i];
		both(l->name, "text", &p->text);
		both(l->name, "hint", &p->hint);
		for (size_t k = 0; k < p->questions_n; k++) {
			both(l->name, "question", &p->questions[k].text);
			both(l->name, "reason", &p->questions[k].why);
			for (size_t c = 0; c < p->questions[k].choices; c++)
				both(l->name, "choice", &p->questions[k].choice[c]);
		}
	}
}

static void builtin_lessons(void **state)
{
	char line[128], wanted[128];

	(void)state;
	assert_int_equal(builtin_lesson_count(), 15);
	for (size_t i = 0; i < builtin_lesson_count(); i++) {
		struct lesson l;
		struct error e = { 0 };
		const char *name = builtin_lesson_name(i);
		assert_int_equal(load_lesson(&l, name, &e), OK_STATUS);
		assert_string_equal(l.name, name);
		assert_true(l.pages_n >= 4 && lesson_questions(&l) >= 2);
		both_languages(&l);
		snprintf(line, sizeof line, "lesson --check %s", name);
		snprintf(wanted, sizeof wanted, "%s: %zu pages, %zu questions\n", name, l.pages_n, lesson_questions(&l));
		check_run(line, NULL, 0, wanted, "");
		snprintf(line, sizeof line, "lesson --check '%s/lessons/%s.yaml'", surroundings("QKV_ASSETS"), name);
		struct run r = run(line);
		assert_int_equal(r.status, 0);
		run_free(&r);
		lesson_free(&l);
	}
}

/* The order of teaching and what is built into the program are the same set. */
static void lists_are_whole(void **state)
{
	struct run list = run("list --lessons"), plain = run("lesson");
	size_t built_in = 0;
	char *rest = list.out;

	(void)state;
	assert_int_equal(list.status, 0);
	assert_string_equal(list.out, plain.out);
	for (size_t a = 0; a < assets_count; a++)
		built_in += !strncmp(assets[a].name, "lessons/", 8);
	assert_int_equal(built_in, builtin_lesson_count());
	for (size_t i = 0; i < built_in; i++) {
		size_t n = strlen(builtin_lesson_name(i));
		assert_memory_equal(rest, builtin_lesson_name(i), n);
		assert_memory_equal(rest + n, "  ", 2);
		rest = strchr(rest, '\n') + 1;
	}
	assert_int_equal(*rest, 0);
	run_free(&list);
	run_free(&plain);
}

/* ---- how it is called ---- */

static void usage(void **state)
{
	(void)state;
	check_run("lesson --check", NULL, 2, "", "qkv: --check: a lesson file is expected, or the name of a built-in lesson\n");
	check_run("lesson --check fife-steps", NULL, 2, "", "qkv: fife-steps: no built-in lesson or file of that name; "
		  "qkv list --lessons names them; did you mean five-steps?\n");
	check_run("lesson fife-steps", NULL, 2, "", "qkv: fife-steps: no built-in lesson or file of that name; "
		  "qkv list --lessons names them; did you mean five-steps?\n");
	check_run("lesson --check ./no.yaml", NULL, 2, "", "qkv: ./no.yaml: cannot be opened: No such file or directory\n");
	check_run("lesson --check /", NULL, 2, "", "qkv: /: is a folder; a file is expected\n");
	check_run("lesson five-steps", NULL, 2, "", "qkv: a lesson needs a terminal, and the output is none\n");
	check_run("lesson -", "qkv: 1\npages: x\n", 2, "",
		  "qkv: stdin:2:8: pages: a single value where a list of pages is expected, such as [{text: ...}]\n");
	check_run("lesson --check -", "qkv: 1\ntitle: T\npages: [{text: A, ask: [{number: 1, text: T}]}]\n", 0,
		  "-: 1 page, 1 question\n", "");
}

/* ---- what only the program finds ---- */

static void scenarios_and_options(void **state)
{
	(void)state;
	CHECK_ERRORS(HEAD "  - text: A\n    scenario: causl-3\n  - text: B\n    scenario: ./no.yaml\n",
		     "5:15: scenario: causl-3: no built-in scenario or file of that name; qkv list --scenarios names them; did you mean causal-3?",
		     "7:15: scenario: ./no.yaml: cannot be opened: No such file or directory");
	CHECK_ERRORS(PAGE "    set: {pad: 9, head: 2, causal: off}\n", "6:16: set: pad 9: key 9 is outside 0..2",
		     "6:25: set: head 2: there is only 1");
	CHECK_ERRORS(PAGE "    set: {stage: joined}\n", "6:18: set: stage joined: there is only one head to join");
	CHECK_ERRORS(PAGE "    set: {mask: no.npy}\n", "6:17: set: mask no.npy: cannot be opened");
	CHECK_ERRORS(PAGE "    set: {n: 5}\n", "6:14: set: n 5: the input has given numbers");
	CHECK_ERRORS(PAGE "    at: 3:0\n", "6:9: at: there are (3, 3) cells, counted from 0");
	CHECK_ERRORS(PAGE "    open: clinic alignment\n", "6:11: open: the clinic alignment opens the scenario cached-3x5");
	CHECK_ERRORS(HEAD "  - text: A\n    set: {causal: on}\n    at: 0:0\n  - text: B\n    do: {causal: on}\n",
		     "5:19: no scenario is shown yet");
}

static void cells_and_goals(void **state)
{
	(void)state;
	CHECK_ERRORS(PAGE "    ask: [{cell: weights 3:0, text: T}, {cell: row-sums 3, text: T}, {cell: output 2:2, text: T}]\n",
		     "6:18: cell: the stage weights has (3, 3) cells", "6:48: cell: there are only 3 rows");
	CHECK_ERRORS(PAGE "    do: {causal: on}\n", "6:9: do: this is true already when the page is shown");
	CHECK_ERRORS(PAGE "    do: {at: \"0:*\"}\n", "6:9: do: this is true already");
	CHECK_ERRORS(PAGE "    open: verify\n    do: {panel: verify}\n", "7:9: do: this is true already");
	CHECK_ERRORS(PAGE "    do: {cell: weights 1:0, above: 0.2}\n", "6:9: do: this is true already");
	CHECK_ERRORS(PAGE "    set: {bug: zero-fill}\n    do: {fill: 0}\n", "7:9: do: this is true already");
	CHECK_ERRORS(PAGE "    do: {pad: 9}\n", "6:15: do: pad 9: key 9 is outside 0..2");
	CHECK_ERRORS(PAGE "    do: {at: 3:0}\n", "6:14: at: there are (3, 3) cells");
	CHECK_ERRORS(PAGE "    do: {cell: weights 9:9, above: 0.5}\n", "6:16: cell: the stage weights has (3, 3)");
	CHECK_ERRORS(PAGE "    do: {edited: scores 9:0}\n", "6:18: edited: there is no cell 9:0 of scores");
	CHECK_ERRORS(PAGE "    do: {edited: w-q 0:0}\n", "6:18: edited: there is no cell 0:0 of w-q");
	/* Who does what is asked goes on from there. */
	CHECK_ERRORS(PAGE "    do: {causal: off}\n  - text: B\n    do: {causal: on}\n  - text: C\n    do: {causal: on}\n",
		     "10:9: do: this is true already");
	CHECK_ERRORS(HEAD "  - text: A\n    scenario: random-4\n    do: {n: 6}\n    ask: [{cell: weights 5:5, text: T}]\n"
		     "  - text: B\n    at: 5:5\n    ask: [{cell: weights 6:0, text: T}]\n", "10:18: cell: the stage weights has (6, 6)");
}

#define LIVE HEAD "  - text: A\n    live: abc\n"

/* What the model does not have, and what of a goal can never come true, or is true. */
static void language_models(void **state)
{
	char text[400], many[140];

	(void)state;
	CHECK_ERRORS(LIVE "    head-off: 3.0\n    apply-at: [0, 0.4]\n    padding: left:125\n",
		     "6:15: head-off: '3.0' names no head", "7:15: apply-at: '0.4' names no head",
		     "8:14: padding: 4 tokens and 125 of padding; 128 at most are expected");
	CHECK_ERRORS(HEAD "  - text: A\n    live: a漢字\n", "5:11: live: '漢' is not among the characters of the model");
	memset(many, 'a', 128);
	many[128] = '\0';
	snprintf(text, sizeof text, HEAD "  - text: A\n    live: %s\n", many);
	CHECK_ERRORS(text, "5:11: live: 128 characters, and there is room for 127");
	CHECK_ERRORS(LIVE "    set: {layer: 3}\n", "6:18: set: layer 3: there are only 3");
	CHECK_ERRORS(LIVE "    set: {head: 4}\n", "6:17: set: head 4: there are only 4");
	CHECK_ERRORS(LIVE "    set: {pad: 4}\n", "6:16: set: pad 4: key 4 is outside 0..3");
	CHECK_ERRORS(LIVE "    apply-at: all\n    set: {pad: 4}\n", "7:16: set: pad 4: key 4 is outside 0..3");
	CHECK_ERRORS(LIVE "    at: 4:0\n", "6:9: at: there are (4, 4) cells");
	CHECK_ERRORS(LIVE "    padding: left:1\n    at: 5:0\n", "7:9: at: there are (5, 5) cells");
	CHECK_ERRORS(LIVE "    ask: [{cell: weights 4:0, text: T}]\n", "6:18: cell: the stage weights has (4, 4)");
	CHECK_ERRORS(LIVE "    do: {next: ab}\n", "6:16: next: 2 characters, and there is room for 1");
	CHECK_ERRORS(LIVE "    do: {head-off: 9.9}\n", "6:20: head-off: '9.9' names no head");
	CHECK_ERRORS(PAGE "    do: {head-off: 0.3}\n", "6:20: do: no language model is shown; live on this page, or one before it, shows one");
	CHECK_ERRORS(LIVE "    do: {live: \" abc \"}\n", "6:9: do: this is true already");
	CHECK_ERRORS(LIVE "    head-off: 0.0,0.1,0.2,0.3\n    do: {head-off: 0}\n", "7:9: do: this is true already");
	CHECK_ERRORS(LIVE "    apply-at: 1\n    do: {apply-at: [1.0, 1.1, 1.2, 1.3]}\n", "7:9: do: this is true already");
	CHECK_ERRORS(LIVE "    do: {padding: none}\n", "6:9: do: this is true already");
	CHECK_ERRORS(LIVE "    do: {at: \"3:*\"}\n", "6:9: do: this is true already");	/* the last row */
	CHECK_ERRORS(HEAD "  - text: A\n    live: qkzxvjwp qkzxvjw\n    do: {next: p}\n", "6:9: do: this is true already");
	/* Who does what is asked goes on from there. */
	CHECK_ERRORS(LIVE "    do: {live: abcd, head-off: 0.3}\n  - text: B\n    at: 4:0\n    do: {head-off: 0.3}\n",
		     "9:9: do: this is true already");
	CHECK_ERRORS(LIVE "    do: {layer: 1}\n  - text: B\n    at: 4:0\n  - text: C\n    scenario: causal-3\n    at: 2:2\n",
		     "8:9: at: there are (4, 4)");
	CHECK_ERRORS(LIVE "    apply-at: 1\n    set: {causal: off, layer: 1}\n    do: {head: 2, causal: off}\n"
		     "    ask: [{cell: weights 0:3, text: T}]\n  - text: B\n    do: {causal: off}\n", "11:9: do: this is true already");
}

static void languages(void **state)
{
	(void)state;
	CHECK_ERRORS("qkv: 1\ntitle: {en: T, ko: T}\npages:\n  - text: {en: A}\n    hint: {ko: B}\n    ask:\n"
		     "      - {number: 1, text: {en: A, ko: A, de: A}, why: {de: A}}\n"
		     "      - {choose: [{en: A}, B], right: 0, text: T}\n",
		     "4:11: text: the language ko is missing; the title has it", "5:11: hint: the language en is missing",
		     "7:55: why: the language en is missing", "7:55: why: the language ko is missing",
		     "8:19: choose: the language ko is missing");
}

/* Errors of the format and of what it says, in the order of the file. */
static void every_error_at_once(void **state)
{
	(void)state;
	CHECK_ERRORS("qkv: 1\ntitle: {en: T, ko: T}\npages:\n"
		     "  - text: {en: A}\n    scenario: causal-3\n    set: {pad: 9, scael: none}\n    at: 9:9\n"
		     "  - text: B\n    scenario: causal-3\n    open: verfy\n    at: 9:9\n    do: {panel: nowhere}\n"
		     "    ask: [{cell: weights 9:9, text: {en: A}}, {number: x, text: A}]\n"
		     "  - text: C\n    at: 9:9\n    do: {causal: on}\n",
		     "4:11: text: the language ko is missing", "6:16: set: pad 9", "6:19: 'scael' is not a key of set; did you mean 'scale'?",
		     "10:11: open: 'verfy'", "11:9: at: there are (3, 3)", "12:17: panel: 'nowhere'", "13:18: cell: the stage weights",
		     "13:37: text: the language ko is missing", "13:56: number: 'x'", "15:9: at: there are (3, 3)");
	CHECK_ERRORS(PAGE "    at: x\n    hint: \"open\n", "6:9: at: 'x'", "7:11: this quote is never closed");
}

/* A scenario is looked for beside the lesson, wherever that is called from. */
static void scenarios_beside_the_lesson(void **state)
{
	static const char lesson[] = PAGE "  - text: B\n    scenario: mine.yaml\n    ask: [{cell: weights 1:1, text: T}]\n";
	static const char scenario[] = "qkv: 1\nscores: [[2, 1], [1, 2]]\n";
	char folder[256], path[512], line[600], out[600];
	struct lesson l;
	struct error e = { 0 };

	(void)state;
	make_folder(folder);
	snprintf(path, sizeof path, "%s/mine.yaml", folder);
	write_file(path, scenario, strlen(scenario));
	snprintf(path, sizeof path, "%s/lesson.yaml", folder);
	write_file(path, lesson, strlen(lesson));
	snprintf(line, sizeof line, "lesson --check '%s'", path);
	snprintf(out, sizeof out, "%s: 2 pages, 1 question\n", path);
	check_run(line, NULL, 0, out, "");
	assert_int_equal(load_lesson(&l, path, &e), OK_STATUS);
	assert_string_equal(l.name, "lesson");
	assert_string_equal(l.pages[0].scenario, "causal-3");
	snprintf(out, sizeof out, "%s/mine.yaml", folder);
	assert_string_equal(l.pages[1].scenario, out);
	lesson_free(&l);
	remove_folder(folder);
}

/* Thousands of errors are cut short. */
static void very_many_errors(void **state)
{
	char *text = malloc(64 + 1200 * 8), *end = text + sprintf(text, HEAD);

	(void)state;
	for (int k = 0; k < 1200; k++)
		end += sprintf(end, "  - []\n");
	struct run r = run_input("lesson --check -", text);
	assert_int_equal(r.status, 2);
	size_t lines = 0;
	for (const char *p = r.err; *p; p++)
		lines += *p == '\n';
	assert_int_equal(lines, 1001);
	assert_non_null(strstr(r.err, "qkv: there are more errors; the first 1000 are told\n"));
	run_free(&r);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(builtin_lessons), cmocka_unit_test(lists_are_whole), cmocka_unit_test(usage),
		cmocka_unit_test(scenarios_and_options), cmocka_unit_test(cells_and_goals), cmocka_unit_test(language_models),
		cmocka_unit_test(languages),
		cmocka_unit_test(every_error_at_once), cmocka_unit_test(scenarios_beside_the_lesson),
		cmocka_unit_test(very_many_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
