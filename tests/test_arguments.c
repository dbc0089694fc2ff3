/* test_arguments.c - the command line, word by word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/arguments.h"

enum { WORDS = 64 };

struct line {
	char text[512];
	char *argv[WORDS];
	int argc;
	struct invocation inv;
	struct error e;
	enum status status;
};

/* Words separated by single blanks; "_" stands for an empty one. */
static void parse(struct line *l, const char *text)
{
	memset(l, 0, sizeof *l);
	snprintf(l->text, sizeof l->text, "qkv %s", text);
	for (char *p = strtok(l->text, " "); p; p = strtok(NULL, " ")) {
		assert_true(l->argc < WORDS);
		l->argv[l->argc++] = strcmp(p, "_") ? p : p + 1;
	}
	l->status = arguments_parse(&l->inv, l->argc, l->argv, &l->e);
}

static void parse_fine(struct line *l, const char *text)
{
	parse(l, text);
	if (l->status)
		fail_msg("%s: --%s: %s", text, l->e.option, l->e.text);
}

static void check_error(const char *text, const char *wanted)
{
	struct line l;
	char got[1024];
	static const struct invocation untouched;

	parse(&l, text);
	assert_int_not_equal(l.status, OK_STATUS);
	error_format(&l.e, got, sizeof got);
	assert_string_equal(got, wanted);
	assert_memory_equal(&l.inv, &untouched, sizeof untouched);
}

static void check_value(const struct line *l, enum option o, const char *wanted)
{
	struct options options;
	struct buffer text = { 0 };
	struct error e = { 0 };

	assert_int_equal(options_init(&options, &e), OK_STATUS);
	assert_int_equal(arguments_apply(&l->inv, &options, &e), OK_STATUS);
	option_text(&options, o, &text);
	assert_string_equal(text.data, wanted);
	buffer_free(&text);
	options_free(&options);
}

/* ---- commands and inputs ---- */

static void nothing_is_the_screen(void **state)
{
	struct line l;

	(void)state;
	parse_fine(&l, "");
	assert_int_equal(l.inv.tool, TOOL_SCREEN);
	assert_null(l.inv.input);
	for (int o = 0; o < OPT_COUNT; o++)
		assert_null(l.inv.value[o]);
}

static void no_words_at_all(void **state)
{
	struct invocation inv;
	struct error e = { 0 };

	(void)state;
	assert_int_equal(arguments_parse(&inv, 0, NULL, &e), OK_STATUS);
	assert_int_equal(inv.tool, TOOL_SCREEN);
}

static void any_order(void **state)
{
	static const char *const lines[] = {
		"show pad-4 --pad 2 --causal", "--pad 2 show pad-4 --causal", "--causal --pad=2 show pad-4",
		"show --causal pad-4 --pad 2", "show --causal -- pad-4 --pad 2",
	};
	struct line l;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		parse_fine(&l, lines[i]);
		assert_int_equal(l.inv.tool, TOOL_SHOW);
		assert_string_equal(l.inv.input, "pad-4");
		check_value(&l, OPT_PAD, "2");
		check_value(&l, OPT_CAUSAL, "on");
	}
	check_error(lines[4], "--pad: one input is expected, pad-4 was named already");
}

static void the_command_is_the_first_word_only(void **state)
{
	struct line l;

	(void)state;
	parse_fine(&l, "show show");
	assert_int_equal(l.inv.tool, TOOL_SHOW);
	assert_string_equal(l.inv.input, "show");
	parse_fine(&l, "causal-3 --causal");
	assert_int_equal(l.inv.tool, TOOL_SCREEN);
	assert_string_equal(l.inv.input, "causal-3");
	parse_fine(&l, "-- lesson");
	assert_int_equal(l.inv.tool, TOOL_SCREEN);
	assert_string_equal(l.inv.input, "lesson");
	parse_fine(&l, "lesson five-steps --lang en");
	assert_int_equal(l.inv.tool, TOOL_LESSON);
	assert_string_equal(l.inv.input, "five-steps");
	assert_null(l.inv.flag[FLAG_CHECK]);
	parse_fine(&l, "lesson --check my.yaml");
	assert_string_equal(l.inv.input, "my.yaml");
	assert_non_null(l.inv.flag[FLAG_CHECK]);
	parse_fine(&l, "verify --expect causal,pad random-4");
	assert_int_equal(l.inv.tool, TOOL_VERIFY);
	assert_true(l.inv.expect.given && l.inv.expect.causal && l.inv.expect.pad);
	parse_fine(&l, "sweep --d-k 4,16 --seed 3");
	assert_int_equal(l.inv.tool, TOOL_SWEEP);
	assert_string_equal(l.inv.value[OPT_D_K], "4,16");
	check_error("show --d-k 4,16", "--d-k 4,16: '4,16' is not one of: auto, integer");
	check_error("sweep causal-3", "causal-3: qkv sweep takes no input; it draws its own");
	check_error("causal-3 show", "show: one input is expected, causal-3 was named already");
}

static void behind_two_hyphens_are_operands(void **state)
{
	struct line l;

	(void)state;
	parse_fine(&l, "-- show");
	assert_int_equal(l.inv.tool, TOOL_SCREEN);
	assert_string_equal(l.inv.input, "show");
	parse_fine(&l, "show -- --causal");
	assert_string_equal(l.inv.input, "--causal");
	assert_null(l.inv.value[OPT_CAUSAL]);
	parse_fine(&l, "show -- --");
	assert_string_equal(l.inv.input, "--");
}

static void a_hyphen_is_standard_input(void **state)
{
	struct line l;

	(void)state;
	parse_fine(&l, "show - --causal");
	assert_string_equal(l.inv.input, "-");
	parse_fine(&l, "-");
	assert_int_equal(l.inv.tool, TOOL_SCREEN);
	assert_string_equal(l.inv.input, "-");
}

static void help_and_version(void **state)
{
	struct line l;

	(void)state;
	parse_fine(&l, "--help");
	assert_int_equal(l.inv.tool, TOOL_HELP);
	parse_fine(&l, "help");
	assert_int_equal(l.inv.tool, TOOL_HELP);
	parse_fine(&l, "show causal-3 --rows 1 --help");
	assert_int_equal(l.inv.tool, TOOL_HELP);
	parse_fine(&l, "list --version");
	assert_int_equal(l.inv.tool, TOOL_VERSION);
	check_error("--help=x", "--help: takes no value");
	check_error("--version=1", "--version: takes no value");
}

/* ---- options ---- */

static void values_behind_blank_or_equals_sign(void **state)
{
	static const char *const lines[] = { "--scale none", "--scale=none", "--scale dk --scale none", "--scale=dk --scale=none" };
	struct line l;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		parse_fine(&l, lines[i]);
		check_value(&l, OPT_SCALE, "none");
	}
}

static void values_may_begin_with_a_hyphen(void **state)
{
	struct line l;

	(void)state;
	parse_fine(&l, "--fill -1e9 x");
	check_value(&l, OPT_FILL, "-1000000000");
	parse_fine(&l, "--fill -inf --causal-offset -1");
	check_value(&l, OPT_FILL, "-inf");
	check_value(&l, OPT_CAUSAL_OFFSET, "-1");
	parse_fine(&l, "show --rows -2: --cols=-1");
	assert_int_equal(l.inv.rows.from, -2);
	assert_int_equal(l.inv.columns.from, -1);
	/* The word after an option is its value, whatever it is. */
	check_error("--fill --causal", "--fill --causal: '--causal' is not one of: -inf, number, min");
	check_error("--scale --", "--scale --: '--' is not one of: sqrt, none, dk, dmodel, number");
}

static void switches(void **state)
{
	struct line l;

	(void)state;
	parse_fine(&l, "--causal x");
	check_value(&l, OPT_CAUSAL, "on");
	assert_string_equal(l.inv.input, "x");
	parse_fine(&l, "--causal=off --pad-mask=off --ascii=on");
	check_value(&l, OPT_CAUSAL, "off");
	check_value(&l, OPT_PAD_MASK, "off");
	check_value(&l, OPT_ASCII, "on");
	parse_fine(&l, "--causal --causal=off");
	check_value(&l, OPT_CAUSAL, "off");
	parse_fine(&l, "--causal=off --causal");
	check_value(&l, OPT_CAUSAL, "on");
	check_error("--causal off", "--causal off: a switch takes its value with '=': --causal=off");
	check_error("show --causal on", "--causal on: a switch takes its value with '=': --causal=on");
	check_error("--causal=yes", "--causal yes: 'yes' is not one of: off, on");
	check_error("--causal=", "--causal: '' is not one of: off, on");
	/* A file may still have that name. */
	parse_fine(&l, "--causal ./off");
	assert_string_equal(l.inv.input, "./off");
	parse_fine(&l, "--causal -- off");
	assert_string_equal(l.inv.input, "off");
	parse_fine(&l, "off");
	assert_string_equal(l.inv.input, "off");
}

/* Every option of the registry takes its default, in both forms, with every command that has an input. */
static void every_option(void **state)
{
	static const char *const tool[] = { "", "show ", "frame " };
	char text[256];
	struct line l;

	(void)state;
	for (int o = 0; o < OPT_COUNT; o++)
		for (int t = 0; t < 3; t++) {
			const struct option_info *info = option_info((enum option)o);
			snprintf(text, sizeof text, "%s--%s=%s", tool[t], info->name, info->initial);
			parse_fine(&l, text);
			check_value(&l, (enum option)o, info->initial);
			if (info->type == TYPE_SWITCH)
				continue;
			snprintf(text, sizeof text, "%s--%s %s", tool[t], info->name, info->initial);
			parse_fine(&l, text);
			check_value(&l, (enum option)o, info->initial);
			snprintf(text, sizeof text, "--%s: a value is expected: %s", info->name, info->values);
			char last[64];
			snprintf(last, sizeof last, "%s--%s", tool[t], info->name);
			check_error(last, text);
		}
}

static void names_do_not_collide(void **state)
{
	(void)state;
	for (int f = 0; f < FLAG_COUNT; f++) {
		assert_int_equal(option_find(flag_info((enum flag)f)->name), OPT_COUNT);
		assert_int_not_equal(flag_info((enum flag)f)->tools, 0);
		for (int g = 0; g < f; g++)
			assert_string_not_equal(flag_info((enum flag)f)->name, flag_info((enum flag)g)->name);
	}
}

static void unknown_options(void **state)
{
	(void)state;
	check_error("--caus", "--caus: no such option; did you mean --causal, --causal-align, --causal-offset?");
	check_error("--colour 8", "--colour: no such option; did you mean --color?");
	check_error("--scal=none", "--scal: no such option; did you mean --scale, --scale-times?");
	check_error("--xyzzy", "--xyzzy: no such option; qkv --help lists them all");
	check_error("--=", "--: no such option; qkv --help lists them all");
	check_error("-c", "-c: no such option; all have long names, qkv --help lists them");
	check_error("-1e9", "-1e9: no such option; all have long names, qkv --help lists them");
	check_error("--Causal", "--Causal: no such option; did you mean --causal?");
}

static void wrong_values(void **state)
{
	(void)state;
	check_error("--scale abc", "--scale abc: 'abc' is not one of: sqrt, none, dk, dmodel, number");
	check_error("--scale abc --scale none", "--scale abc: 'abc' is not one of: sqrt, none, dk, dmodel, number");
	check_error("show --temperature 0", "--temperature 0: '0' is not one of: 1, number > 0");
	check_error("--pad 1,,2", "--pad 1,,2: '1,,2' is not one of: none, key indices (2,3 or 0-1)");
	check_error("--seed -1", "--seed -1: '-1' is not one of: auto, digits");
	check_error("_", "the name of the input is empty");
}

/* ---- what only some commands take ---- */

static void formats(void **state)
{
	struct line l;
	char text[64];

	(void)state;
	for (int k = 0; format_words(TOOL_SHOW)[k]; k++) {
		snprintf(text, sizeof text, "show --format %s", format_words(TOOL_SHOW)[k]);
		parse_fine(&l, text);
		assert_int_equal(l.inv.show_format, k);
	}
	for (int k = 0; format_words(TOOL_FRAME)[k]; k++) {
		snprintf(text, sizeof text, "--format=%s frame", format_words(TOOL_FRAME)[k]);
		parse_fine(&l, text);
		assert_int_equal(l.inv.frame_format, k);
	}
	parse_fine(&l, "show --format json --format csv");
	assert_int_equal(l.inv.show_format, SHOW_CSV);
	check_error("show --format svg", "--format svg: 'svg' is not one of: table, numpy, csv, json, npy, latex, script, worksheet, worksheet-md, worksheet-html");
	check_error("frame --format json", "--format json: 'json' is not one of: text, ansi, svg, html");
	check_error("show --format", "--format: a value is expected: table, numpy, csv, json, npy, latex, script, worksheet, worksheet-md, worksheet-html; frame: text, ansi, svg, html; verify: text, json; sweep: table, csv, json; live: table, json");
}

static void flags_of_other_commands(void **state)
{
	(void)state;
	check_error("--format json", "--format: not an option of qkv without a command; it belongs to qkv show, qkv frame, qkv verify, qkv sweep, qkv live");
	check_error("show --keys c", "--keys: not an option of qkv show; it belongs to qkv, qkv frame, qkv live");
	check_error("frame --rows 1", "--rows: not an option of qkv frame; it belongs to qkv show");
	check_error("show --resume", "--resume: not an option of qkv show; it belongs to qkv");
	check_error("show --bugs", "--bugs: not an option of qkv show; it belongs to qkv list");
	check_error("list --causal", "--causal: not an option of qkv list");
	check_error("list pad-4", "pad-4: qkv list takes no input; --scenarios, --lessons, --bugs or --themes is expected");
}

static void slices(void **state)
{
	static const struct { const char *text; struct slice wanted; } table[] = {
		{ "0:10", { true, true, false, 0, 10 } }, { "-20:", { true, false, false, -20, 0 } },
		{ ":5", { false, true, false, 0, 5 } }, { ":", { 0 } }, { "3", { true, false, true, 3, 0 } },
		{ "-1", { true, false, true, -1, 0 } }, { "5:2", { true, true, false, 5, 2 } },
	};
	char text[64];
	struct line l;

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		snprintf(text, sizeof text, "show --rows %s --cols=%s", table[i].text, table[i].text);
		parse_fine(&l, text);
		const struct slice *got[] = { &l.inv.rows, &l.inv.columns };
		for (int k = 0; k < 2; k++) {
			assert_int_equal(got[k]->has_from, table[i].wanted.has_from);
			assert_int_equal(got[k]->has_to, table[i].wanted.has_to);
			assert_int_equal(got[k]->single, table[i].wanted.single);
			assert_int_equal(got[k]->from, table[i].wanted.from);
			assert_int_equal(got[k]->to, table[i].wanted.to);
		}
	}
	static const char *const wrong[] = { "a", "1:b", "1:2:3", "1.5", "99999999999999999999", "1;2" };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char message[256];
		snprintf(text, sizeof text, "show --rows %s", wrong[i]);
		snprintf(message, sizeof message, "--rows %s: '%s' is not a slice; an index or a:b is expected, such as 0:10, -20: or 3",
			 wrong[i], wrong[i]);
		check_error(text, message);
	}
	check_error("show --cols=", "--cols: '' is not a slice; an index or a:b is expected, such as 0:10, -20: or 3");
}

static void sizes(void **state)
{
	struct line l;

	(void)state;
	parse_fine(&l, "frame");
	assert_int_equal(l.inv.frame_columns, 80);
	assert_int_equal(l.inv.frame_rows, 24);
	parse_fine(&l, "frame --size 1x1000");
	assert_int_equal(l.inv.frame_columns, 1);
	assert_int_equal(l.inv.frame_rows, 1000);
	static const char *const wrong[] = { "0x9", "9x0", "1001x9", "9x1001", "80", "80x", "x24", "80x24x2", "axb", "80X24", "-1x4" };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char text[64], message[256];
		snprintf(text, sizeof text, "frame --size %s", wrong[i]);
		snprintf(message, sizeof message, "--size %s: '%s' is not a size; WxH is expected, 1x1 to 1000x1000", wrong[i], wrong[i]);
		check_error(text, message);
	}
}

static void lists(void **state)
{
	struct line l;

	(void)state;
	parse_fine(&l, "list");
	assert_int_equal(l.inv.tool, TOOL_LIST);
	assert_int_equal(l.inv.listing, LIST_SCENARIOS);
	parse_fine(&l, "--bugs list");
	assert_int_equal(l.inv.listing, LIST_BUGS);
	parse_fine(&l, "list --themes");
	assert_int_equal(l.inv.listing, LIST_THEMES);
	check_error("list --themes --bugs", "one of --scenarios, --lessons, --bugs and --themes is expected");
	parse_fine(&l, "list --lessons");
	assert_int_equal(l.inv.listing, LIST_LESSONS);
	check_error("lesson --check", "--check: a lesson file is expected, or the name of a built-in lesson");
	check_error("lesson --causal x", "--causal: not an option of qkv lesson");
	check_error("lesson --stage scores x", "--stage: not an option of qkv lesson");
	check_error("show --check", "--check: not an option of qkv show; it belongs to qkv lesson");
}

static void row_sums_are_a_stage_of_show(void **state)
{
	struct line l;

	(void)state;
	parse_fine(&l, "--stage row-sums show");
	assert_true(l.inv.row_sums);
	assert_null(l.inv.value[OPT_STAGE]);
	parse_fine(&l, "show --stage row-sums --stage output");
	assert_false(l.inv.row_sums);
	check_value(&l, OPT_STAGE, "output");
	parse_fine(&l, "show --stage output --stage=row-sums");
	assert_true(l.inv.row_sums);
	check_error("frame --stage row-sums",
		    "--stage row-sums: only qkv show has row sums alone; elsewhere they stand beside the rows");
}

static void resuming_takes_nothing_else(void **state)
{
	struct line l;

	(void)state;
	parse_fine(&l, "--resume");
	assert_int_equal(l.inv.tool, TOOL_SCREEN);
	assert_non_null(l.inv.flag[FLAG_RESUME]);
	check_error("--resume pad-4", "--resume: the kept session has its input; pad-4 is one too many");
	check_error("--causal --resume", "--resume: the kept session has its options; --causal is one too many");
}

/* ---- errors that are found later ---- */

static void blame(void **state)
{
	struct mark marks[OPT_COUNT] = { [OPT_PAD] = { 7, 9 } };
	struct error e = { 0 };
	struct line l;
	char text[256];

	(void)state;
	parse_fine(&l, "show");
	error_option(&e, E_VALUE, "pad", "9", "key 9 is outside 0..2");
	arguments_blame(&l.inv, marks, "f.yaml", &e);
	error_format(&e, text, sizeof text);
	assert_string_equal(text, "f.yaml:7:9: pad 9: key 9 is outside 0..2");

	/* Given on the command line, so not the file's fault. */
	parse_fine(&l, "show --pad 9");
	error_clear(&e);
	error_option(&e, E_VALUE, "pad", "9", "key 9 is outside 0..2");
	arguments_blame(&l.inv, marks, "f.yaml", &e);
	error_format(&e, text, sizeof text);
	assert_string_equal(text, "--pad 9: key 9 is outside 0..2");

	/* Not in the file, no option at all, or with a place already. */
	error_clear(&e);
	error_option(&e, E_VALUE, "head", "9", "too many");
	arguments_blame(&l.inv, marks, "f.yaml", &e);
	error_format(&e, text, sizeof text);
	assert_string_equal(text, "--head 9: too many");
	error_clear(&e);
	error_set(&e, E_MEMORY, "no memory");
	arguments_blame(&l.inv, marks, "f.yaml", &e);
	error_format(&e, text, sizeof text);
	assert_string_equal(text, "no memory");
}

static void giant_words(void **state)
{
	char *giant = malloc(100001), *argv[] = { (char *)"qkv", giant, NULL };
	struct invocation inv;
	struct error e = { 0 };

	(void)state;
	assert_non_null(giant);
	memset(giant, '-', 100000);
	giant[100000] = '\0';
	assert_int_equal(arguments_parse(&inv, 2, argv, &e), E_VALUE);
	memset(giant + 2, 'c', 99998);
	assert_int_equal(arguments_parse(&inv, 2, argv, &e), E_VALUE);
	memcpy(giant, "--pad=", 6);
	assert_int_equal(arguments_parse(&inv, 2, argv, &e), E_VALUE);
	memset(giant, 'c', 100000);
	assert_int_equal(arguments_parse(&inv, 2, argv, &e), OK_STATUS);
	assert_ptr_equal(inv.input, giant);
	free(giant);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_the_screen), cmocka_unit_test(no_words_at_all), cmocka_unit_test(any_order),
		cmocka_unit_test(the_command_is_the_first_word_only), cmocka_unit_test(behind_two_hyphens_are_operands),
		cmocka_unit_test(a_hyphen_is_standard_input), cmocka_unit_test(help_and_version),
		cmocka_unit_test(values_behind_blank_or_equals_sign), cmocka_unit_test(values_may_begin_with_a_hyphen),
		cmocka_unit_test(switches), cmocka_unit_test(every_option), cmocka_unit_test(names_do_not_collide),
		cmocka_unit_test(unknown_options), cmocka_unit_test(wrong_values), cmocka_unit_test(formats),
		cmocka_unit_test(flags_of_other_commands), cmocka_unit_test(slices), cmocka_unit_test(sizes),
		cmocka_unit_test(lists), cmocka_unit_test(row_sums_are_a_stage_of_show),
		cmocka_unit_test(resuming_takes_nothing_else), cmocka_unit_test(blame),
		cmocka_unit_test(giant_words),
	};
	return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}
