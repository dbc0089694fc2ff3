/* test_yaml_node.c - a YAML format of its own, read with what core/io shares: maps
 * in lists, texts in languages, options; and each error at its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/io/yaml_complaint.h"
#include "core/io/yaml_options.h"
#include "core/io/yaml_value.h"

/* steps: [{say: TEXT, set: OPTIONS, wait: SIZE}] */
enum { STEP_SAY, STEP_SET, STEP_WAIT, STEP_KEYS };

struct step {
	struct title say;
	struct options set;
	struct mark mark[OPT_COUNT];
	uint64_t wait;
};

struct steps {
	struct step v[4];
	size_t n;
};

static const char *step_key(int key)
{
	static const char *const name[] = { "say", "set", "wait" };
	return name[key];
}

static const char *top_key(int key)
{
	(void)key;
	return "steps";
}

static const char *no_jump(const char *key)
{
	return strcmp(key, "jump") ? NULL : "steps follow one another";
}

static void step_free(struct step *s)
{
	for (size_t i = 0; i < s->say.n; i++) {
		free(s->say.v[i].language);
		free(s->say.v[i].text);
	}
	free(s->say.v);
	options_free(&s->set);
}

static void steps_free(struct steps *l)
{
	for (size_t i = 0; i < l->n; i++)
		step_free(&l->v[i]);
}

static enum status read_step(struct document *d, struct steps *l)
{
	struct map m = { .what = "a step", .name = step_key, .n = STEP_KEYS, .refusal = no_jump };
	struct step *step = &l->v[l->n];
	enum status s = options_init(&step->set, &d->error);

	l->n++;
	if (!s)
		s = map_open(d, &m, "{say: Look}");
	while (!s && !(s = map_next(d, &m)) && m.key >= 0) {
		if (m.key == STEP_SAY)
			s = value_title(d, "say", &step->say);
		else if (m.key == STEP_SET)
			s = options_read(d, "set", &step->set, step->mark);
		else
			s = value_size(d, "wait", 1, 9, &step->wait);
	}
	return s;
}

static enum status read_root(struct document *d, struct steps *l)
{
	struct map m = { .what = "the file", .name = top_key, .n = 1 };
	enum status s = map_open(d, &m, "'steps: []'");

	while (!s && !(s = map_next(d, &m)) && m.key >= 0) {
		s = node_expect(d, NODE_LIST, "steps", "a list", "[{say: Look}]");
		while (!s && !(s = node_next(d)) && d->node != NODE_END)
			s = read_step(d, l);
	}
	return s ? s : document_end(d);
}

static enum status read_steps(const char *text, struct steps *l, struct error *e)
{
	struct document d;
	enum status s = document_open(&d, text, strlen(text), "f.yaml", "'steps: []' is");

	*l = (struct steps){ 0 };
	error_clear(e);
	if (!s)
		s = read_root(&d, l);
	document_close(&d);
	return s ? document_error(&d, s, e) : OK_STATUS;
}

static void check_error(const char *text, const char *wanted)
{
	char found[sizeof(struct error)];
	struct steps l;
	struct error e;

	assert_int_not_equal(read_steps(text, &l, &e), OK_STATUS);
	error_format(&e, found, sizeof found);
	if (strcmp(found, wanted))
		fail_msg("'%s' instead of '%s'", found, wanted);
	steps_free(&l);
}

static void what_is_read(void **state)
{
	struct steps l;
	struct error e;

	(void)state;
	assert_int_equal(read_steps("steps:\n"
				    "  - say: Look\n"
				    "    set: {causal: on,\n"
				    "          pad: [2, 3]}\n"
				    "  - say: {en: Now, ko: \"이제\"}\n"
				    "    wait: 3\n", &l, &e), OK_STATUS);
	assert_int_equal(l.n, 2);
	assert_int_equal(l.v[0].say.n, 1);
	assert_string_equal(l.v[0].say.v[0].language, "");
	assert_string_equal(l.v[0].say.v[0].text, "Look");
	assert_true(l.v[0].set.causal);
	assert_int_equal(l.v[0].set.pad.n, 2);
	assert_int_equal(l.v[0].mark[OPT_CAUSAL].line, 3);
	assert_int_equal(l.v[0].mark[OPT_CAUSAL].column, 19);
	assert_int_equal(l.v[0].mark[OPT_PAD].line, 4);
	assert_int_equal(l.v[0].mark[OPT_PAD].column, 16);
	assert_int_equal(l.v[0].mark[OPT_SCALE].line, 0);
	assert_string_equal(title_in(&l.v[1].say, "ko"), "이제");
	assert_string_equal(title_in(&l.v[1].say, "en"), "Now");
	assert_int_equal(l.v[1].wait, 3);
	assert_false(l.v[1].set.causal);
	steps_free(&l);
}

static void errors_have_places(void **state)
{
	(void)state;
	check_error("", "f.yaml:1:1: an empty file; 'steps: []' is expected");
	check_error("[]\n", "f.yaml:1:1: the file: a list where a map is expected, such as 'steps: []'");
	check_error("step: []\n", "f.yaml:1:1: 'step' is not a key of the file; did you mean 'steps'? Expected one of: steps");
	check_error("steps:\n", "f.yaml:1:7: steps: nothing where a list is expected, such as [{say: Look}]");
	check_error("steps: []\nsteps: []\n", "f.yaml:2:1: steps stands twice; the first is in line 1");
	check_error("steps: [go]\n", "f.yaml:1:9: a step: a single value where a map is expected, such as {say: Look}");
	check_error("steps:\n  - sya: Look\n",
		    "f.yaml:2:5: 'sya' is not a key of a step; expected one of: say, set, wait");
	check_error("steps:\n  - wiat: 3\n",
		    "f.yaml:2:5: 'wiat' is not a key of a step; did you mean 'wait'? Expected one of: say, set, wait");
	check_error("steps:\n  - jump: 3\n", "f.yaml:2:5: jump: steps follow one another");
	check_error("steps:\n  - say: [a]\n", "f.yaml:2:10: say: a list, but a text is expected");
	check_error("steps:\n  - say:\n",
		    "f.yaml:2:9: say: nothing where a text is expected; a text with # , or : in it is put in quotes");
	check_error("steps:\n  - say: {en: a, en: b}\n", "f.yaml:2:18: say: the language en stands twice");
	check_error("steps:\n  - say: {}\n",
		    "f.yaml:2:10: say: an empty map; a text, or one for each language is expected");
	check_error("steps:\n  - wait: 10\n", "f.yaml:2:11: wait: '10' is more than this program takes: 1 to 9");
	check_error("steps: []\n--- x\n", "f.yaml:2:1: a second document starts here; one is expected");
}

static void errors_of_options(void **state)
{
	(void)state;
	check_error("steps:\n  - set: {scale: 3x}\n",
		    "f.yaml:2:18: scale: '3x' is not one of: sqrt, none, dk, dmodel, number");
	check_error("steps:\n  - set:\n      pad: [2,\n            x]\n",
		    "f.yaml:4:13: pad: 'x' is not one of: none, key indices (2,3 or 0-1)");
	check_error("steps:\n  - set: {scale: [1]}\n",
		    "f.yaml:2:18: scale: a list, but one value is expected: sqrt, none, dk, dmodel, number");
	check_error("steps:\n  - set: on\n", "f.yaml:2:10: set: a single value where a map is expected, such as {causal: on}");
}

static void slips_of_yaml(void **state)
{
	(void)state;
	check_error("steps:\n  - say: @home\n", "f.yaml:2:10: a text cannot start with @ in YAML; put the text in quotes");
	check_error("steps:\n  - say: one: two\n",
		    "f.yaml:2:13: a ':' that does not follow a key; put the text in quotes");
	check_error("steps: [{say: a, #b}]\n",
		    "f.yaml:1:18: this # makes a comment of the rest of the line; put the text in quotes");
	check_error("steps:\n  - say: \xff\n", "f.yaml:2:10: byte 0xff is not UTF-8; save the file as UTF-8");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read), cmocka_unit_test(errors_have_places), cmocka_unit_test(errors_of_options),
		cmocka_unit_test(slips_of_yaml),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
