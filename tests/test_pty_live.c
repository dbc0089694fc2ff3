/* test_pty_live.c - a language model's text, typed in a pseudo-terminal: after each burst of
 * keys the screen has the text, what comes next and the nats per character. Those are NumPy's
 * (tests/data/koen/interventions.json). Surroundings: QKV, QKV_TEST_DATA.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/run.h"
#include "tests/terminal.h"

#define LEFT "\033[D"
#define END "\033[F"
#define PASTE(text) "\033[200~" text "\033[201~"

static json_t *cases;

static int read_cases(void **state)
{
	char path[1024];

	(void)state;
	snprintf(path, sizeof path, "%s/koen/interventions.json", surroundings("QKV_TEST_DATA"));
	cases = json_load_file(path, 0, NULL);
	return cases ? 0 : -1;
}

static int free_cases(void **state)
{
	(void)state;
	json_decref(cases);
	return 0;
}

static const json_t *find_case(const char *name)
{
	json_t *one;
	size_t k;

	json_array_foreach(cases, k, one)
		if (!strcmp(json_string_value(json_object_get(one, "name")), name))
			return one;
	fail_msg("there is no case '%s'", name);
	return NULL;
}

static const char *text_of(const char *name)
{
	return json_string_value(json_object_get(find_case(name), "text"));
}

/* ---- what the screen has to say ---- */

/* The number behind a word in a row that has both; NaN where there is none. */
static double number_behind(struct pty *p, const char *word)
{
	char line[ROW_SIZE];

	for (int row = 0; row < p->rows; row++) {
		const char *at = strstr(pty_row(p, row, line, sizeof line), word);
		if (at)
			return strtod(at + strlen(word), NULL);
	}
	return NAN;
}

/* The share of the likeliest character: the row below the head's figures. */
static double first_share(struct pty *p)
{
	char line[ROW_SIZE];
	int row = 0;

	while (row < p->rows && !strstr(pty_row(p, row, line, sizeof line), "2 back"))
		row++;
	if (row + 1 >= p->rows)
		return NAN;
	const char *at = strstr(pty_row(p, row + 1, line, sizeof line), " 0.");
	return at ? strtod(at, NULL) : NAN;
}

/* The end of a text, as far as any screen here shows it. */
static const char *tail_of(const char *text, size_t bytes)
{
	const char *at = text + strlen(text) - bytes;

	while (((unsigned char)*at & 0xc0) == 0x80)
		at++;
	return at;
}

struct told { const char *shown; double nats, share; };

static bool is_told(struct pty *p, const void *data)
{
	const struct told *t = data;

	return shows(p, t->shown) && fabs(number_behind(p, "nats per character ") - t->nats) < 2e-4 &&
	       (isnan(t->share) || fabs(first_share(p) - t->share) < 2e-4);
}

/* All of that: the text around its cursor, the nats, and, with the cursor at its end, the likeliest next one. */
static void wait_case(struct pty *p, const char *name, const char *shown, bool at_end)
{
	const json_t *one = find_case(name), *top = json_array_get(json_object_get(one, "top"), 0);
	const struct told t = {
		shown, json_number_value(json_object_get(one, "nats")),
		at_end ? json_number_value(json_object_get(top, "p")) : NAN,
	};

	wait_ready(p, is_told, &t);
}

static void type_times(struct pty *p, const char *keys, int times)
{
	for (int k = 0; k < times; k++)
		pty_type(p, keys);
}

/* ---- the tests ---- */

/* 100 characters of both scripts at once, a paste in their middle, and the end taken away. */
static void typed_pasted_and_shortened(void **state)
{
	const char *text = text_of("typed");
	struct pty p;

	(void)state;
	start(&p, "live a");
	wait_frame(&p, -1, "next after 1 a");
	pty_type(&p, "X\177");
	wait_frame(&p, -1, "text: 1 token;");
	pty_type(&p, text);
	wait_frame(&p, -1, "next after 100");
	wait_case(&p, "typed", tail_of(text, 20), true);

	type_times(&p, LEFT, 50);
	wait_frame(&p, -1, "next after 50");
	pty_type(&p, PASTE("가나 paste"));
	wait_frame(&p, -1, "next after 58 e");
	wait_case(&p, "typed, pasted into", "가나 paste", false);

	pty_type(&p, END);
	wait_frame(&p, -1, "next after 108");
	type_times(&p, "\177", 11);
	wait_frame(&p, -1, "next after 97");
	wait_case(&p, "typed, pasted into, shortened", tail_of(text_of("typed, pasted into, shortened"), 20), true);

	pty_type(&p, "\033");
	wait_frame(&p, -1, "text: keys are commands again");
	quit(&p);
}

/* The same with all heads computed anew at each key, and the untouched model beside them. */
static void typed_without_causal_mask(void **state)
{
	const char *text = text_of("typed"), *rest = tail_of(text, 30);
	char arguments[700];
	struct pty p;

	(void)state;
	snprintf(arguments, sizeof arguments, "live '%.*s' --causal=off --at all", (int)(rest - text), text);
	start_size(&p, 30, 100, arguments);
	wait_frame(&p, -1, "carried at every head");
	pty_type(&p, "X");
	wait_frame(&p, -1, "Esc or Enter ends that");
	pty_type(&p, rest);
	wait_frame(&p, -1, "next after 100");
	wait_case(&p, "typed, without causal mask", tail_of(text, 20), true);
	if (fabs(number_behind(&p, ", untouched ") - json_number_value(json_object_get(find_case("typed"), "nats"))) > 2e-4)
		fail_msg("the untouched model is another one in %s", dump(&p));
	assert_true(shows(&p, "12 heads see later characters"));
	pty_type(&p, "\033");
	wait_frame(&p, -1, "text: keys are commands again; 12 heads");
	quit(&p);
}

/* Line ends and tabs that are pasted are blanks; what is decomposed is composed; the 128th has no room. */
static void pasted_oddities(void **state)
{
	struct pty p;

	(void)state;
	start(&p, "live a");
	wait_frame(&p, -1, "next after 1 a");
	pty_type(&p, "X" PASTE("b\r\nc\td") PASTE("\u1112\u1161\u11ab"));
	wait_frame(&p, -1, "next after 8 한");
	assert_true(shows(&p, "ab  c d한"));
	pty_type(&p, PASTE("\U0001f600"));
	wait_frame(&p, -1, "1 character is not in the model's list");
	pty_type(&p, "\177");
	type_times(&p, "z", 119);
	wait_frame(&p, -1, "next after 127 z");
	assert_false(shows(&p, "cut at"));
	pty_type(&p, "z");
	wait_frame(&p, -1, "cut at 127 characters; 1 is left out");
	pty_type(&p, "\033");
	wait_frame(&p, -1, "text: keys are commands again; cut at");
	quit(&p);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, place_open, place_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(typed_pasted_and_shortened),
		TEST(typed_without_causal_mask),
		TEST(pasted_oddities),
	};

	return cmocka_run_group_tests(tests, read_cases, free_cases);
}
