/* test_keymap.c - the registry of commands, the keys, the configuration file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tui/keymap.h"

/* ---- the registry checks itself ---- */

static void names_are_unique(void **state)
{
	(void)state;
	for (int c = 0; c < CMD_COUNT; c++) {
		const struct command_info *info = command_info((enum command)c);

		assert_non_null(info->name);
		assert_non_null(info->keys);
		assert_non_null(info->help);
		assert_true(*info->name && *info->help);
		assert_true(info->group < COMMAND_GROUP_COUNT);
		assert_int_equal(strcspn(info->name, " \t"), strlen(info->name));
		assert_int_equal(command_find(info->name), c);
		/* `:NAME VALUE` is either a command or an option. */
		assert_int_equal(option_find(info->name), OPT_COUNT);
	}
	assert_int_equal(command_find(""), CMD_COUNT);
	assert_int_equal(command_find("toggle-caus"), CMD_COUNT);
}

static void groups_have_names(void **state)
{
	(void)state;
	for (int g = 0; g < COMMAND_GROUP_COUNT; g++) {
		int members = 0;
		for (int c = 0; c < CMD_COUNT; c++)
			members += command_info((enum command)c)->group == (enum command_group)g;
		assert_true(members > 0);
		assert_true(*command_group_name((enum command_group)g));
	}
}

/* Hints stand in the footer, so each needs a key. Commands without keys need an argument. */
static void a_hint_has_a_key(void **state)
{
	(void)state;
	for (int c = 0; c < CMD_COUNT; c++) {
		const struct command_info *info = command_info((enum command)c);
		assert_true(!info->hint || *info->keys);
		assert_true(*info->keys || info->argument);
		assert_int_equal(info->group == COMMANDS_NAMED, *info->keys == '\0');
	}
}

static void each_key_is_bound_once(void **state)
{
	struct keymap m;
	struct error e = { 0 };
	size_t keys = 0;

	(void)state;
	for (int c = 0; c < CMD_COUNT; c++)
		for (const char *p = command_info((enum command)c)->keys; *p; p += *p == ' ') {
			struct key k;
			size_t used = key_parse(p, &k);
			if (!used)
				fail_msg("%s: '%s' is not a key", command_info((enum command)c)->name, p);
			p += used;
			assert_true(!*p || *p == ' ');
			keys++;
		}
	assert_int_equal(keymap_init(&m, &e), OK_STATUS);
	/* A key bound twice would have replaced the first. */
	assert_int_equal(m.n, keys);
	keymap_free(&m);
	keymap_free(&m);
}

/* The keys of DESIGN.md that this version has. */
static void the_designed_keys(void **state)
{
	static const struct { const char *keys; enum command command; } design[] = {
		{ "<Up> k", CMD_UP }, { "<Down> j", CMD_DOWN }, { "<Left> h", CMD_LEFT }, { "<Right> l", CMD_RIGHT },
		{ "<Home>", CMD_ROW_START }, { "<End>", CMD_ROW_END }, { "<PgUp>", CMD_PAGE_UP }, { "<PgDn>", CMD_PAGE_DOWN },
		{ "g", CMD_FIRST }, { "G", CMD_LAST }, { "0", CMD_INPUT }, { "1", CMD_SCORES }, { "2", CMD_SCALED },
		{ "3", CMD_MASKED }, { "4", CMD_WEIGHTS }, { "5", CMD_OUTPUT }, { "6", CMD_JOINED }, { "<Tab>", CMD_NEXT_STAGE },
		{ "<S-Tab>", CMD_PREVIOUS_STAGE }, { "c", CMD_CAUSAL }, { "p", CMD_PAD_KEY }, { "P", CMD_PAD_MASK },
		{ "s", CMD_SCALE }, { "S", CMD_NEXT_SCALE }, { "x", CMD_HIDE_CELL }, { "f", CMD_NEXT_FILL },
		{ "E", CMD_NEXT_EMPTY_ROW }, { "<Enter>", CMD_EDIT }, { "+ =", CMD_MORE }, { "-", CMD_LESS }, { "<lt>", CMD_COOLER },
		{ "<gt>", CMD_HOTTER }, { ",", CMD_FEWER_DIGITS }, { ".", CMD_MORE_DIGITS }, { "u", CMD_UNDO }, { "<C-r>", CMD_REDO },
		{ "r", CMD_RESET }, { "R", CMD_NEXT_SEED }, { "[", CMD_PREVIOUS_HEAD }, { "]", CMD_NEXT_HEAD }, { "M", CMD_MARK },
		{ "'", CMD_RECALL }, { "z", CMD_CELL_SIZE }, { "t", CMD_THEME }, { "m", CMD_COLOR_OFF }, { "o", CMD_OPEN_PICKER },
		{ "e", CMD_EXPORT }, { "y", CMD_COMMAND_LINE_TEXT }, { "/", CMD_FIND }, { "n", CMD_FIND_NEXT }, { "N", CMD_FIND_PREVIOUS },
		{ ":", CMD_PROMPT }, { "?", CMD_HELP }, { "<C-l>", CMD_REDRAW }, { "<C-z>", CMD_SUSPEND }, { "<Esc>", CMD_CLOSE },
		{ "q", CMD_QUIT }, { "<C-c>", CMD_INTERRUPT },
	};
	struct keymap m;
	struct error e = { 0 };

	(void)state;
	assert_int_equal(keymap_init(&m, &e), OK_STATUS);
	for (size_t i = 0; i < sizeof design / sizeof *design; i++)
		for (const char *p = design[i].keys; *p; p += *p == ' ') {
			struct key k;
			size_t used = key_parse(p, &k);
			assert_true(used > 0);
			if (keymap_find(&m, &k) != design[i].command)
				fail_msg("'%s' does not run %s", p, command_info(design[i].command)->name);
			p += used;
		}
	keymap_free(&m);
}

/* ---- binding ---- */

static struct key key(const char *text)
{
	struct key k;

	assert_int_equal(key_parse(text, &k), strlen(text));
	return k;
}

static void binding_and_finding(void **state)
{
	struct keymap m;
	struct error e = { 0 };
	struct buffer out = { 0 };
	struct key k = key("<A-x>");

	(void)state;
	assert_int_equal(keymap_init(&m, &e), OK_STATUS);
	assert_int_equal(keymap_find(&m, &k), CMD_COUNT);
	size_t n = m.n;
	assert_int_equal(keymap_bind(&m, &k, CMD_CAUSAL, &e), OK_STATUS);
	assert_int_equal(keymap_find(&m, &k), CMD_CAUSAL);
	keymap_keys(&m, CMD_CAUSAL, &out);
	assert_string_equal(out.data, "c <A-x>");
	buffer_free(&out);
	/* Bound again: what it did before it no longer does. */
	assert_int_equal(keymap_bind(&m, &k, CMD_SCALE, &e), OK_STATUS);
	assert_int_equal(m.n, n + 1);
	assert_int_equal(keymap_find(&m, &k), CMD_SCALE);
	keymap_keys(&m, CMD_SET, &out);
	assert_int_equal(out.size, 0);
	keymap_free(&m);
}

/* ---- the configuration file ---- */

struct configured {
	struct keymap map;
	struct options options;
	struct error error;
};

static enum status configure(struct configured *c, const char *text, size_t size)
{
	struct error e = { 0 };

	assert_int_equal(keymap_init(&c->map, &e), OK_STATUS);
	assert_int_equal(options_init(&c->options, &e), OK_STATUS);
	c->error = (struct error){ 0 };
	return keymap_configure(&c->map, &c->options, text, size, "config", &c->error);
}

static void done(struct configured *c)
{
	keymap_free(&c->map);
	options_free(&c->options);
}

static void map_and_set(void **state)
{
	static const char text[] =
		"# keys of my own\n"
		"\n"
		"map <F2> toggle-causal\n"
		"  map\tQ   quit   # as in other programs\n"
		"map # find\r\n"
		"map c edit\n"
		"set precision 5\n"
		"set scale none # the lesson's\n"
		"set causal\n"
		"#set theme light\n"
		"set fill -1e9";
	struct configured c;
	struct key f2 = key("<F2>"), q = key("q"), upper_q = key("Q"), hash = key("#"), plain_c = key("c");

	(void)state;
	assert_int_equal(configure(&c, text, sizeof text - 1), OK_STATUS);
	assert_int_equal(keymap_find(&c.map, &f2), CMD_CAUSAL);
	assert_int_equal(keymap_find(&c.map, &upper_q), CMD_QUIT);
	assert_int_equal(keymap_find(&c.map, &q), CMD_QUIT);
	assert_int_equal(keymap_find(&c.map, &hash), CMD_FIND);
	assert_int_equal(keymap_find(&c.map, &plain_c), CMD_EDIT);
	assert_int_equal(c.options.precision, 5);
	assert_int_equal(c.options.scale.word, SCALE_NONE);
	assert_true(c.options.causal);
	assert_int_equal(c.options.theme, OPTION_THEME_AUTO);
	assert_true(c.options.fill.word == -1 && c.options.fill.number == -1e9);
	done(&c);
}

/* A key may type a line, with whatever stands in it. */
static void keys_that_type(void **state)
{
	static const char text[] =
		"map <F5> :set scale dk\n"
		"map c  : tokens # a \t\r\n"
		"map x :w! /tmp/out.svg\n"
		"map y :q\n"
		"map z :scale none\n"
		"map z quit\n"
		"map <F6> quit\n"
		"map <F6> :softcap 30\n";
	static const struct { const char *key, *line; } typed[] = {
		{ "<F5>", "set scale dk" }, { "c", "tokens # a" }, { "x", "w! /tmp/out.svg" }, { "y", "q" }, { "<F6>", "softcap 30" },
	};
	struct configured c;
	struct key z = key("z"), u = key("u"), f12 = key("<F12>");

	(void)state;
	if (configure(&c, text, sizeof text - 1))
		fail_msg("%u:%u: %s", c.error.line, c.error.column, c.error.text);
	for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
		struct key k = key(typed[i].key);
		assert_non_null(keymap_line(&c.map, &k));
		assert_string_equal(keymap_line(&c.map, &k), typed[i].line);
		assert_int_equal(keymap_find(&c.map, &k), CMD_COUNT);
	}
	assert_null(keymap_line(&c.map, &z));
	assert_int_equal(keymap_find(&c.map, &z), CMD_QUIT);
	assert_null(keymap_line(&c.map, &u));
	assert_null(keymap_line(&c.map, &f12));
	done(&c);
}

static void faults_have_a_place(void **state)
{
	static const struct { const char *text; unsigned line, column; const char *says; } fault[] = {
		{ "bind c quit", 1, 1, "bind" },
		{ "\n\n  mapp c quit\n", 3, 3, "mapp" },
		{ "map", 1, 4, "key" },
		{ "map <Nope> quit", 1, 5, "<Nope>" },
		{ "map cc quit", 1, 5, "cc" },
		{ "map c", 1, 6, "command" },
		{ "map c # quit", 1, 7, "command" },
		{ "map c toggle-caus", 1, 7, "toggle-caus" },
		{ "map c w", 1, 7, "'w'" },
		{ "map c tokens", 1, 7, "tokens" },
		{ "map c quit now", 1, 12, "now" },
		{ "set", 1, 4, "option" },
		{ "set colour never", 1, 5, "colour" },
		{ "# fine\nset scale abc\n", 2, 11, "abc" },
		{ "set precision 18", 1, 15, "18" },
		{ "set theme", 1, 10, "theme" },
		{ "set causal on off", 1, 15, "off" },
		{ "set pad 1", 1, 5, "'pad' belongs to a scenario or the command line" },
		{ "set hide 0:1", 1, 5, "'hide' belongs to" },
		{ "\nset documents 0,1", 2, 5, "'documents' belongs to" },
		{ "set seed 3", 1, 5, "'seed' belongs to" },
		{ "set n 9", 1, 5, "'n' belongs to" },
		{ "set head 1", 1, 5, "'head' belongs to" },
		{ "map <F5> set scale dk", 1, 10, "map KEY :set ..." },
		{ "map x scale", 1, 7, "map KEY :scale ..." },
		{ "map x :", 1, 8, "neither" },
		{ "map x :  # none", 1, 10, "neither" },
		{ "map x : scal none", 1, 9, "':scal none' is neither" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof fault / sizeof *fault; i++) {
		struct configured c;

		if (configure(&c, fault[i].text, strlen(fault[i].text)) != E_SYNTAX && c.error.status != E_VALUE)
			fail_msg("taken: %s", fault[i].text);
		assert_string_equal(c.error.file, "config");
		if (c.error.line != fault[i].line || c.error.column != fault[i].column)
			fail_msg("%s: %u:%u instead of %u:%u", fault[i].text, c.error.line, c.error.column, fault[i].line, fault[i].column);
		if (!strstr(c.error.text, fault[i].says))
			fail_msg("%s: '%s' does not name %s", fault[i].text, c.error.text, fault[i].says);
		done(&c);
	}
}

/* A fault at the end leaves everything before it undone too. */
static void all_or_nothing(void **state)
{
	static const char text[] = "map <F2> quit\nset precision 7\nset causal on\nmap q nothing\n";
	struct configured c;
	struct options fresh;
	struct error e = { 0 };
	struct key f2 = key("<F2>"), q = key("q");

	(void)state;
	assert_int_equal(configure(&c, text, sizeof text - 1), E_SYNTAX);
	assert_int_equal(c.error.line, 4);
	assert_int_equal(keymap_find(&c.map, &f2), CMD_COUNT);
	assert_int_equal(keymap_find(&c.map, &q), CMD_QUIT);
	assert_int_equal(options_init(&fresh, &e), OK_STATUS);
	assert_true(options_equal(&c.options, &fresh));
	options_free(&fresh);
	done(&c);
}

static void empty_and_odd_files(void **state)
{
	static const struct { const char *text; size_t size; } odd[] = {
		{ "", 0 }, { "\n", 1 }, { "\n\n\n", 3 }, { "#", 1 }, { " # only\n#", 9 }, { "\r\n \r\n", 5 }, { "\t", 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		struct configured c;
		assert_int_equal(configure(&c, odd[i].text, odd[i].size), OK_STATUS);
		done(&c);
	}
}

/* Any bytes are read or refused; the map is whole afterwards. */
static void random_bytes(void **state)
{
	static const char *const words[] = { "map", "set", " ", "\n", "#", "c", "<F1>", "quit", "precision", "5", "<", "\xff", "\t", "pad", "-", ":", ":scale" };
	uint64_t dice = 1;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		char text[128];
		size_t n = 0;
		struct configured c;

		while (n < 80) {
			dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			const char *word = words[(dice >> 33) % (sizeof words / sizeof *words)];
			n += (size_t)snprintf(text + n, sizeof text - n, "%s", word);
		}
		enum status s = configure(&c, text, n);
		assert_true(s == OK_STATUS || (c.error.line >= 1 && c.error.column >= 1));
		assert_true(c.map.n > 0);
		done(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_unique),
		cmocka_unit_test(groups_have_names),
		cmocka_unit_test(a_hint_has_a_key),
		cmocka_unit_test(each_key_is_bound_once),
		cmocka_unit_test(the_designed_keys),
		cmocka_unit_test(binding_and_finding),
		cmocka_unit_test(map_and_set),
		cmocka_unit_test(keys_that_type),
		cmocka_unit_test(faults_have_a_place),
		cmocka_unit_test(all_or_nothing),
		cmocka_unit_test(empty_and_odd_files),
		cmocka_unit_test(random_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
