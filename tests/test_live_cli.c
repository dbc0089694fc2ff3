/* test_live_cli.c - a language model in a shell: qkv live, and --live of the other
 * commands. Expected numbers are those of tests/data/koen (README.md there).
 * Surroundings: QKV, QKV_ASSETS, QKV_TEST_DATA.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/run.h"

static const char korean[] = "대화 상자를 열고 파일을 저장합니다. 대화 상자를 ";
static const char english[] = "Opens the dialog box. Click OK. Opens the dialog ";

/* qkv live --text TEXT --format json, with more words behind; decref what comes back. */
static json_t *live(const char *text, const char *const *more)
{
	const char *words[32] = { "live", "--text", text, "--format", "json" };
	size_t n = 5;

	for (; more && *more; more++)
		words[n++] = *more;
	struct run r = run_words(words, NULL);
	if (r.status || r.err_size)
		fail_msg("status %d: %s", r.status, r.err);
	json_t *root = json_loads(r.out, 0, NULL);
	assert_non_null(root);
	run_free(&r);
	return root;
}
#define LIVE(text, ...) live(text, (const char *[]){ __VA_ARGS__, NULL })

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	if (!text)
		fail_msg("there is no text '%s'", key);
	return text;
}

static double number_of(const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);

	if (!json_is_number(v))
		fail_msg("there is no number '%s'", key);
	return json_number_value(v);
}

static void near(double got, double wanted, double tolerance)
{
	if (!(fabs(got - wanted) <= tolerance))
		fail_msg("%.9g; %.9g is expected", got, wanted);
}

/* One line on standard error that says that, and status 2. */
static void refused(const char *const *words, const char *says)
{
	struct run r = run_words(words, NULL);
	char *end = strchr(r.err, '\n');

	if (r.status != 2 || r.out_size || strncmp(r.err, "qkv: ", 5) || !strstr(r.err, says) || !end || end[1])
		fail_msg("status %d, stdout '%s', stderr '%s'; expected '%s'", r.status, r.out, r.err, says);
	run_free(&r);
}
#define REFUSED(says, ...) refused((const char *[]){ __VA_ARGS__, NULL }, says)

/* ---- the report ---- */

static void next_characters(void **state)
{
	json_t *root = LIVE(korean, "--layer", "1");
	const json_t *top = json_object_get(root, "top"), *first = json_array_get(top, 0);

	(void)state;
	assert_true(json_array_size(top) >= 5);
	assert_string_equal(text_of(first, "token"), "열");
	assert_int_equal((int)number_of(first, "id"), 111);
	near(number_of(first, "p"), 0.7517, 1e-4);
	near(number_of(root, "nats"), 0.97285, 1e-4);
	assert_string_equal(text_of(root, "text"), korean);
	assert_int_equal(json_array_size(json_object_get(root, "tokens")), 29);
	assert_int_equal(json_array_size(json_object_get(root, "ids")), 29);
	assert_string_equal(json_string_value(json_array_get(json_object_get(root, "tokens"), 0)), "[BOS]");
	assert_int_equal(json_integer_value(json_array_get(json_object_get(root, "ids"), 1)), 97);
	assert_int_equal(json_array_size(json_object_get(root, "heads")), 4);
	assert_string_equal(text_of(json_array_get(json_object_get(root, "heads"), 0), "name"), "induction");
	assert_null(json_object_get(root, "untouched"));
	assert_null(json_object_get(root, "continuation"));
	json_decref(root);
}

/* A decomposed text is composed first; a text of nothing has nothing to predict. */
static void odd_texts(void **state)
{
	json_t *composed = LIVE("한", "--head", "0"), *decomposed = LIVE("\u1112\u1161\u11ab", "--head", "0");
	json_t *nothing = LIVE("", "--head", "0"), *bad = LIVE("a\xff\"\\\t漢", "--head", "0");
	json_t *blanks = LIVE("   ", "--head", "0");
	char text[142];

	(void)state;
	assert_int_equal(json_array_size(json_object_get(decomposed, "ids")), 2);
	assert_true(json_equal(json_object_get(composed, "ids"), json_object_get(decomposed, "ids")));
	assert_true(json_is_null(json_object_get(nothing, "nats")));
	assert_int_equal(json_array_size(json_object_get(nothing, "ids")), 1);
	assert_int_equal(json_array_size(json_object_get(blanks, "ids")), 4);
	assert_int_equal((int)number_of(blanks, "unknown"), 0);
	assert_int_equal((int)number_of(bad, "unknown"), 3);
	assert_int_equal(json_array_size(json_object_get(bad, "notices")), 1);
	memset(text, 'a', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	json_t *cut = LIVE(text, "--head", "0");
	assert_int_equal((int)number_of(cut, "cut"), 14);
	assert_int_equal(json_array_size(json_object_get(cut, "ids")), 128);
	assert_string_equal(json_string_value(json_array_get(json_object_get(cut, "notices"), 0)),
			    "cut at 127 characters; 14 are left out");
	json_decref(cut);
	json_decref(composed);
	json_decref(decomposed);
	json_decref(nothing);
	json_decref(blanks);
	json_decref(bad);
}

static json_t *interventions(void)
{
	char path[1024];

	snprintf(path, sizeof path, "%s/koen/interventions.json", surroundings("QKV_TEST_DATA"));
	json_t *root = json_load_file(path, 0, NULL);
	assert_non_null(root);
	return root;
}

/* Against the case of that name, and the untouched model beside it. */
static void check_case(json_t *root, const char *name, const char *at, const char *ablate)
{
	json_t *all = interventions(), *one, *top = NULL;
	size_t k;

	json_array_foreach(all, k, one)
		if (!strcmp(text_of(one, "name"), name)) {
			top = json_object_get(one, "top");
			near(number_of(root, "nats"), number_of(one, "nats"), 1e-4);
		}
	if (!top)
		fail_msg("there is no case '%s'", name);
	for (k = 0; k < 5; k++) {
		const json_t *got = json_array_get(json_object_get(root, "top"), k), *wanted = json_array_get(top, k);
		assert_int_equal((int)number_of(got, "id"), (int)number_of(wanted, "id"));
		near(number_of(got, "p"), number_of(wanted, "p"), 1e-4);
	}
	assert_string_equal(text_of(root, "at"), at);
	assert_string_equal(text_of(root, "ablate"), ablate);
	assert_non_null(json_object_get(json_object_get(root, "untouched"), "top"));
	json_decref(all);
	json_decref(root);
}

static void interfered_with(void **state)
{
	(void)state;
	check_case(LIVE(korean, "--ablate", "0.3"), "0.3 off", "", "0.3");
	check_case(LIVE(english, "--ablate", "1.0,1.1,1.3"), "1.0, 1.1 and 1.3 off", "", "1.0,1.1,1.3");
	check_case(LIVE(korean, "--causal=off", "--at", "1.0"), "1.0 without causal mask", "1.0", "");
	check_case(LIVE(english, "--causal=off"), "all without causal mask", "all", "");
	check_case(LIVE(english, "--bug", "no-scale"), "all without scale", "all", "");
	check_case(LIVE(korean, "--pad", "3,5", "--at", "1"), "layer 1 with keys 3 and 5 hidden", "1", "");
	check_case(LIVE(english, "--fill", "0", "--at", "0"), "layer 0 filled with 0", "0", "");
	check_case(LIVE(english, "--causal=off", "--at", "2.1", "--ablate", "0.3"), "0.3 off and 2.1 without causal mask", "2.1", "0.3");
	check_case(LIVE(english, "--softmax", "column", "--at", "1.0"), "1.0 over columns", "1.0", "");
	check_case(LIVE(korean, "--mask-at", "after", "--at", "1"), "layer 1 masked after softmax", "1", "");
	check_case(LIVE(korean, "--padding", "left:3", "--pad", "0,1,2", "--empty-row", "zero"), "padding before, hidden", "all", "");
	check_case(LIVE(korean, "--padding", "left:3"), "padding before, forgotten", "", "");
}

static void told_beside_the_untouched(void **state)
{
	json_t *root = LIVE(korean, "--causal=off", "--at", "1.0,2", "--next", "3");
	const json_t *heads = json_object_get(root, "heads"), *untouched = json_object_get(root, "untouched");
	size_t changed = 0;

	(void)state;
	near(number_of(untouched, "nats"), 0.97285, 1e-4);
	assert_string_equal(text_of(json_array_get(json_object_get(untouched, "top"), 0), "token"), "열");
	assert_string_equal(text_of(json_object_get(untouched, "continuation"), "text"), "열고 ");
	assert_string_equal(text_of(json_object_get(root, "options"), "causal"), "off");
	assert_int_equal(json_array_size(heads), 12);
	for (size_t k = 0; k < 12; k++)
		changed += json_is_true(json_object_get(json_array_get(heads, k), "changed"));
	assert_int_equal(changed, 5);
	assert_non_null(strstr(json_string_value(json_array_get(json_object_get(root, "notices"), 0)), "5 heads see later characters"));
	json_decref(root);
}

/* Behind the text padding changes nothing; before it, it does, masked or not, since
 * positions are others; forgotten, it is said. */
static void padding(void **state)
{
	json_t *plain = LIVE(korean, "--head", "0"), *right = LIVE(korean, "--head", "0", "--padding", "right:5");
	json_t *left = LIVE(korean, "--head", "0", "--padding", "left:3"), *nan = LIVE(korean, "--padding", "left:3", "--pad", "0,1,2");
	json_t *masked = LIVE(korean, "--padding", "left:3", "--pad", "0,1,2", "--empty-row", "zero");

	(void)state;
	assert_true(json_equal(json_object_get(plain, "top"), json_object_get(right, "top")));
	assert_true(json_equal(json_object_get(plain, "nats"), json_object_get(right, "nats")));
	assert_true(json_equal(json_object_get(plain, "nats"), json_object_get(json_object_get(left, "untouched"), "nats")));
	assert_true(json_equal(json_object_get(plain, "top"), json_object_get(json_object_get(left, "untouched"), "top")));
	assert_int_equal((int)number_of(right, "position"), 28);
	assert_int_equal(json_array_size(json_object_get(right, "ids")), 34);
	assert_int_equal(json_array_size(json_object_get(right, "notices")), 0);
	assert_int_equal((int)number_of(left, "position"), 31);
	assert_string_equal(json_string_value(json_array_get(json_object_get(left, "tokens"), 0)), "[PAD]");
	assert_non_null(strstr(json_string_value(json_array_get(json_object_get(left, "notices"), 0)), "29 tokens see [PAD]"));
	assert_int_equal(json_array_size(json_object_get(masked, "notices")), 0);
	assert_true(number_of(masked, "nats") < number_of(left, "nats"));
	assert_string_equal(text_of(nan, "nats"), "NaN");
	assert_non_null(strstr(json_string_value(json_array_get(json_object_get(nan, "notices"), 0)), "empty-row"));
	json_decref(nan);
	json_decref(plain);
	json_decref(right);
	json_decref(left);
	json_decref(masked);
}

/* Without --next the temperature is attention's: dividing by 4 in float32 is what a
 * scale of 1/4 of the default does; none leaves all to the untouched model. */
static void same_as_elsewhere(void **state)
{
	json_t *hot = LIVE(english, "--temperature", "4"), *scaled = LIVE(english, "--scale", "0.04419417382415922", "--at", "all");
	json_t *plain = LIVE(english, "--head", "0"), *none = LIVE(english, "--causal=off", "--at", "none", "--ablate", "none", "--padding", "none");
	struct run r = run_words((const char *[]){ "live", english, "--causal=off", "--at=none", "--stage", "scores", NULL }, NULL);

	(void)state;
	assert_string_equal(text_of(json_object_get(hot, "options"), "temperature"), "4");
	near(number_of(hot, "nats"), number_of(scaled, "nats"), 1e-5);
	assert_true(fabs(number_of(hot, "nats") - number_of(plain, "nats")) > 0.1);
	assert_true(json_equal(json_object_get(none, "nats"), json_object_get(plain, "nats")));
	assert_null(json_object_get(none, "untouched"));
	assert_int_equal(json_object_size(json_object_get(none, "options")), 0);
	assert_string_equal(text_of(none, "ablate"), "");
	assert_int_equal(r.status, 0);
	assert_non_null(strstr(r.out, "none is carried through\n"));
	run_free(&r);
	json_decref(hot);
	json_decref(scaled);
	json_decref(plain);
	json_decref(none);
}

/* ---- how it goes on ---- */

static void continuations(void **state)
{
	json_t *greedy = LIVE("대화 상자를 ", "--next", "40"), *part = LIVE("이 기능은 ", "--next", "7");
	json_t *full = LIVE("셀의 ", "--next", "1000");

	(void)state;
	const json_t *c = json_object_get(greedy, "continuation");
	assert_string_equal(text_of(c, "text"), "엽니다.[EOS]");
	assert_string_equal(text_of(c, "stopped"), "eos");
	c = json_object_get(part, "continuation");
	assert_string_equal(text_of(c, "text"), "기능을 사용하");
	assert_string_equal(text_of(c, "stopped"), "count");
	c = json_object_get(full, "continuation");
	assert_string_equal(text_of(c, "stopped"), "context");
	assert_int_equal(json_array_size(json_object_get(c, "ids")), 124);
	/* What is told of the text is of the text alone. */
	assert_int_equal(json_array_size(json_object_get(full, "ids")), 4);
	json_decref(greedy);
	json_decref(part);
	json_decref(full);
}

static void drawn_continuations(void **state)
{
	json_t *a = LIVE("To save ", "--next", "30", "--seed", "3"), *b = LIVE("To save ", "--next", "30", "--seed", "3", "--temperature", "1");
	json_t *c = LIVE("To save ", "--next", "30", "--seed", "4"), *cold = LIVE("To save ", "--next", "30", "--temperature", "0.001");
	json_t *greedy = LIVE("To save ", "--next", "30");

	(void)state;
	assert_true(json_equal(json_object_get(a, "continuation"), json_object_get(b, "continuation")));
	assert_false(json_equal(json_object_get(a, "continuation"), json_object_get(c, "continuation")));
	assert_true(json_equal(json_object_get(cold, "continuation"), json_object_get(greedy, "continuation")));
	/* With --next neither is an option of a head. */
	assert_null(json_object_get(b, "untouched"));
	json_decref(a);
	json_decref(b);
	json_decref(c);
	json_decref(cold);
	json_decref(greedy);
}

/* ---- heads as inputs ---- */

static void heads_are_shown(void **state)
{
	struct run r = run_words((const char *[]){ "show", "--live", "abcabc", "--layer", "1", "--head", "0", "--format", "json", NULL }, NULL);
	json_t *root = json_loads(r.out, 0, NULL);

	(void)state;
	assert_int_equal(r.status, 0);
	assert_non_null(root);
	const json_t *rows = json_object_get(root, "values"), *last = json_array_get(rows, 6);
	assert_int_equal(json_array_size(rows), 7);
	/* The second c looks at what followed the first c. */
	assert_true(json_number_value(json_array_get(last, 4)) > 0.9);
	assert_true(json_number_value(json_array_get(json_array_get(rows, 0), 1)) == 0);
	assert_string_equal(json_string_value(json_array_get(json_object_get(json_object_get(root, "tokens"), "key"), 0)), "[BOS]");
	json_decref(root);
	run_free(&r);
	r = run_words((const char *[]){ "show", "--live", "abcabc", "--layer", "2", "--causal=off", "--stage", "scores", "--format", "csv", NULL }, NULL);
	assert_int_equal(r.status, 0);
	assert_int_equal(strncmp(r.out, ",[BOS],a,b,c,a,b,c\n[BOS],", 25), 0);
	run_free(&r);
}

/* Numbers of a changed model say of what change they are. */
static void heads_tell_the_model(void **state)
{
	static const char *const words[] = { "show", "--live", "abab", "--layer", "1", "--head", "2", "--causal=off", "--at", "0", "--ablate", "0.3",
					     "--padding", "left:1", "--format", NULL, NULL };
	const char *again[17];

	(void)state;
	memcpy(again, words, sizeof words);
	again[15] = "json";
	struct run r = run_words(again, NULL);
	json_t *root = json_loads(r.out, 0, NULL), *live = json_object_get(root, "live");
	json_t *wanted = json_pack("{s:s, s:s, s:i, s:i, s:s, s:{s:s}, s:s, s:i, s:i}", "model", "koen", "text", "abab", "layer", 1, "head", 2,
				   "at", "0", "options", "causal", "off", "ablate", "0.3", "pad_left", 1, "pad_right", 0);
	if (!wanted || !json_equal(live, wanted))
		fail_msg("%s", r.out);
	json_decref(wanted);
	json_decref(root);
	run_free(&r);
	again[15] = "script";
	r = run_words(again, NULL);
	assert_non_null(strstr(r.out, "\n# koen, layer 1, head 2; causal off carried through at 0; off: 0.3; 1 [PAD] before\n"));
	run_free(&r);
	r = run_words((const char *[]){ "show", "causal-3", "--format", "json", NULL }, NULL);
	root = json_loads(r.out, 0, NULL);
	assert_non_null(root);
	assert_null(json_object_get(root, "live"));
	json_decref(root);
	run_free(&r);
}

static double last_weight(const char *const *words)
{
	struct run r = run_words(words, NULL);

	if (r.status)
		fail_msg("status %d: %s", r.status, r.err);
	double v = strtod(strrchr(r.out, ',') + 1, NULL);
	run_free(&r);
	return v;
}
#define LAST(...) last_weight((const char *[]){ "show", "--live", "abcabc", "--layer", "1", "--head", "0", "--format", "csv", \
						  "--rows", "6", "--cols", "0:5", __VA_ARGS__, NULL })

/* The induction head's weight on what followed: it goes with the head that it reads. */
static void changes_below_are_seen(void **state)
{
	(void)state;
	double plain = LAST("--lang", "en"), alone = LAST("--temperature", "2"), elsewhere = LAST("--temperature", "2", "--at", "2");
	double below = LAST("--ablate", "0.3"), here = LAST("--temperature", "2", "--at", "1.0");

	assert_true(plain > 0.9);
	assert_true(alone < plain - 0.01);
	assert_true(elsewhere == plain);
	assert_true(here == alone);
	assert_true(below < 0.3);
}

static void frames_and_probes(void **state)
{
	struct run r = run_words((const char *[]){ "frame", "--live", "abcabc", "--layer", "1", "--head", "0", NULL }, NULL);

	(void)state;
	assert_int_equal(r.status, 0);
	assert_non_null(strstr(r.out, "[BOS]"));
	run_free(&r);
	r = run_words((const char *[]){ "verify", "--live", "abcabc", NULL }, NULL);
	assert_int_equal(r.status, 0);
	run_free(&r);
	r = run_words((const char *[]){ "verify", "--live", "abcabc", "--causal=off", "--expect", "causal", NULL }, NULL);
	assert_int_equal(r.status, 1);
	run_free(&r);
}

/* ---- files ---- */

/* The model is on the screen that a frame is of, as the command line has it. */
static void screens_are_played(void **state)
{
	static const struct { const char *keys, *shows; } played[] = {
		{ "", "causal off: carried at 1.0" }, { "", "nats per character 0.6008, untouched 0.9728 (-0.3720)" },
		{ "]", "carried at 1.0, not here" }, { "A A A K", "1.0 off, carried; causal off: picture alone" }, { "X고 <Esc>", "next after 30 ' '" },
		{ ":live 한글<Enter>", "text 한글" }, { "A A K X고<Esc> r", "koen 1.0: causal off: carried at 1.0" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof played / sizeof *played; k++) {
		struct run r = run_words((const char *[]){ "frame", "--live", korean, "--layer", "1", "--causal=off", "--at", "1.0", "--keys",
					 played[k].keys, NULL }, NULL);
		if (r.status || r.err_size || !strstr(r.out, played[k].shows))
			fail_msg("%s: status %d, %s; '%s' is expected in %s", played[k].keys, r.status, r.err, played[k].shows, r.out);
		run_free(&r);
	}
}

static void files(void **state)
{
	char folder[256], file[300], model[1100];

	(void)state;
	make_folder(folder);
	snprintf(file, sizeof file, "%s/out.npz", folder);
	json_t *root = LIVE("abc", "--save", file);
	json_decref(root);
	size_t size;
	char *bytes = read_file(file, &size);
	assert_true(bytes && size > 4 && !memcmp(bytes, "PK\3\4", 4));
	free(bytes);
	REFUSED("exists; another name is expected", "live", "--text", "xyz", "--save", file);
	REFUSED("a name that ends in .npz is expected", "live", "--text", "xyz", "--save", "x.txt");
	REFUSED("a name that ends in .npz is expected", "live", "--text", "xyz", "--save", "x.npz/x");
	snprintf(model, sizeof model, "%s/model/koen.safetensors", surroundings("QKV_ASSETS"));
	json_t *own = LIVE("abc", "--model", model), *built_in = LIVE("abc", "--head", "0");
	assert_true(json_equal(json_object_get(own, "top"), json_object_get(built_in, "top")));
	json_decref(own);
	json_decref(built_in);
	snprintf(model, sizeof model, "%s/model/small-f16.safetensors", surroundings("QKV_TEST_DATA"));
	json_t *small = LIVE("abba", "--model", model);
	assert_int_equal(json_array_size(json_object_get(small, "top")), 6);
	assert_int_equal(json_array_size(json_object_get(small, "heads")), 2);
	assert_string_equal(text_of(small, "model"), "small-f16");
	json_decref(small);
	remove_folder(folder);
}

/* A text may begin as an option does; one token is no tokens. */
static void texts_like_options(void **state)
{
	static const struct { const char *words[5], *begin; } given[] = {
		{ { "live", "--text=-x" }, "koen: 3 tokens\n" }, { { "live", "--text", "-x" }, "koen: 3 tokens\n" },
		{ { "live", "--", "--x" }, "koen: 4 tokens\n" }, { { "live", "--text=" }, "koen: 1 token\n" }, { { "live", "" }, "koen: 1 token\n" },
		{ { "live", "--text", "😀" }, "koen: 2 tokens\n1 character is not in the model's list and became [UNK]\n" },
		{ { "live", "--text", "😀\n" }, "koen: 3 tokens\n2 characters are not in the model's list and became [UNK]\n" },
		{ { "show", "--live", "-x", "--ascii" }, "live  weights (3, 3)" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
		struct run r = run_words(given[k].words, NULL);
		if (r.status || strncmp(r.out, given[k].begin, strlen(given[k].begin)))
			fail_msg("case %zu: status %d, '%.200s', '%s'", k, r.status, r.out, r.err);
		run_free(&r);
	}
}

static void wrong_words(void **state)
{
	char text[1100];

	(void)state;
	REFUSED("--ablate 4.1: '4.1' names no head", "live", "--text", "abc", "--ablate", "4.1");
	REFUSED("--ablate 0.1,: '' names no head", "live", "--text", "abc", "--ablate", "0.1,");
	REFUSED("--at x: 'x' names no head", "live", "--text", "abc", "--at", "x", "--causal=off");
	REFUSED("--pad 9: ", "live", "--text", "abc", "--pad", "9");
	REFUSED("--n", "live", "--text", "abc", "--n", "5");
	REFUSED("--next 0: ", "live", "--text", "abc", "--next", "0");
	REFUSED("--next 1001: ", "live", "--text", "abc", "--next", "1001");
	REFUSED("left:NUMBER, right:NUMBER or none is expected", "live", "--text", "abc", "--padding", "5");
	REFUSED("left:NUMBER, right:NUMBER or none is expected", "live", "--text", "abc", "--padding", "left:0");
	REFUSED("128 at most are expected", "live", "--text", "abc", "--padding", "left:125");
	REFUSED("no text goes on", "live", "--text", "abc", "--padding", "right:5", "--next", "3");
	REFUSED("--layer 3: there are only 3", "live", "--text", "abc", "--layer", "3");
	REFUSED("--head 4: there are only 4", "live", "--text", "abc", "--head", "4");
	REFUSED("--layer 3: there are only 3", "show", "--live", "abc", "--layer", "3");
	REFUSED("--seed 3: only with --next", "live", "--text", "abc", "--seed", "3");
	REFUSED("--temperature 5: with --next it is that of the draws", "live", "--text", "abc", "--temperature", "5", "--at", "1", "--next", "3");
	REFUSED("--stage scores: a report has no picture", "live", "--text", "abc", "--stage", "scores");
	REFUSED("--precision 2: a report has no picture", "live", "abc", "--precision", "2", "--format", "json");
	REFUSED("'0': 1에서 1000까지의 수가 아닙니다", "--lang", "ko", "live", "--text", "abc", "--next", "0");
	REFUSED("'0': 1에서 1000까지의 수가 아닙니다", "live", "--next", "0", "--lang=ko");
	REFUSED("--lang xx: 'xx' is not one of", "--lang=xx", "live", "--text", "abc");
	REFUSED("--head 4: ", "show", "--live", "abc", "--head", "4");
	REFUSED("--text: a text is expected", "live");
	REFUSED("the text is given already", "live", "--text", "a", "b");
	REFUSED("the text is given already", "show", "--live", "a", "causal-3");
	REFUSED("only with --live", "show", "--ablate", "0.3", "causal-3");
	REFUSED("not an option of qkv show", "show", "--text", "a");
	REFUSED("not one of: table, json", "live", "--text", "a", "--format", "csv");
	snprintf(text, sizeof text, "%s/model/extra.safetensors", surroundings("QKV_TEST_DATA"));
	REFUSED("17 arrays; 16 are expected", "live", "--text", "a", "--model", text);
	snprintf(text, sizeof text, "%s/hostile/ok_f32.safetensors", surroundings("QKV_TEST_DATA"));
	REFUSED("'koen-decoder' is expected, as in the built-in model", "live", "--text", "a", "--model", text);
	snprintf(text, sizeof text, "%s/koen/koen_ko.npz", surroundings("QKV_TEST_DATA"));
	REFUSED("is no .safetensors file", "live", "--text", "a", "--model", text);
	REFUSED("--model: a file is expected", "live", "--text", "a", "--model", "");
	REFUSED("cannot be opened", "live", "--text", "a", "--model", "/nowhere/at/all");
}

static void tables(void **state)
{
	struct run r = run_words((const char *[]){ "live", "--text", korean, "--ablate", "0.3", "--next", "3", NULL }, NULL);

	(void)state;
	assert_int_equal(r.status, 0);
	assert_non_null(strstr(r.out, "koen: 29 tokens\noff: 0.3\nnats per character: 2.1017, untouched 0.9728 (+1.1288)\n"));
	assert_non_null(strstr(r.out, "열     0.7517"));
	assert_non_null(strstr(r.out, "\n  0.3   previous token"));
	assert_non_null(strstr(r.out, "\nuntouched: 열고 \n"));
	run_free(&r);
	r = run_words((const char *[]){ "live", "--text", "The ", "--temperature", "2", "--next", "3", NULL }, NULL);
	assert_non_null(strstr(r.out, "\ncharacters are drawn, temperature 2, seed 0\ngoes on: "));
	run_free(&r);
	r = run_words((const char *[]){ "live", "--text", "The ", "--causal=off", NULL }, NULL);
	assert_non_null(strstr(r.out, "\ncausal off in all heads, carried through\n"));
	run_free(&r);
	r = run_words((const char *[]){ "verify", "--live", "abab", "--layer", "2", NULL }, NULL);
	assert_non_null(strstr(r.out, "  all 4 heads  layer 2 of 3\n"));
	run_free(&r);
	r = run_words((const char *[]){ "live", korean, "--ascii", NULL }, NULL);
	assert_int_equal(r.status, 0);
	for (const char *p = r.out; *p; p++)
		assert_true(!((unsigned char)*p & 0x80));
	assert_non_null(strstr(r.out, "\\uc5f4 0.7517  #######"));
	run_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(next_characters),
		cmocka_unit_test(odd_texts),
		cmocka_unit_test(interfered_with),
		cmocka_unit_test(told_beside_the_untouched),
		cmocka_unit_test(padding),
		cmocka_unit_test(same_as_elsewhere),
		cmocka_unit_test(continuations),
		cmocka_unit_test(drawn_continuations),
		cmocka_unit_test(heads_are_shown),
		cmocka_unit_test(heads_tell_the_model),
		cmocka_unit_test(changes_below_are_seen),
		cmocka_unit_test(frames_and_probes),
		cmocka_unit_test(screens_are_played),
		cmocka_unit_test(files),
		cmocka_unit_test(texts_like_options),
		cmocka_unit_test(wrong_words),
		cmocka_unit_test(tables),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
