/* test_lesson_live.c - the numbers that lessons on the language model tell: each is what NumPy
 * computes (tests/data/koen/lessons.json, made by lessons.py there) and what the program does,
 * and there is no other. Surroundings: QKV_TEST_DATA.
 */
#include "tests/koen.h"
#include "tests/limit_memory.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model_heads.h"
#include "core/model_next.h"
#include "tui/language.h"
#include "tui/lesson_live.h"
#include "tui/load.h"

static struct random_tables tables;
static struct live live;		/* the model, in the state that was asked for last */

/* ---- a fact, and the model in the state that it is of ---- */

static const char *word(const json_t *fact, const char *key)
{
	return json_string_value(json_object_get(fact, key));
}

static size_t number(const json_t *fact, const char *key)
{
	return (size_t)json_integer_value(json_object_get(fact, key));
}

static void live_with(const json_t *fact, const char *text)
{
	struct error e = { 0 };
	struct options o = { 0 };

	assert_int_equal(model_options(&o, &e), OK_STATUS);
	if (word(fact, "options"))
		options_from(&o, word(fact, "options"));
	const struct live_request r = {
		.text = text, .at = word(fact, "at"), .ablate = word(fact, "off"), .pad_left = number(fact, "left"),
		.pad_right = number(fact, "right"), .options = &o, .tables = &tables,
	};
	if (live_update(&live, &r, &e))
		fail_msg("%s: %s", text, e.text);
	options_free(&o);
}

/* ---- what is told ---- */

static double p_of(const struct live *l, size_t row, const char *token)
{
	size_t vocab = l->model.size.vocab;
	double *p = malloc(vocab * sizeof *p), found = -1;

	assert_non_null(p);
	model_next(&l->run, row, 1, p);
	for (size_t id = 0; id < vocab; id++)
		if (!strcmp(l->model.vocab.text[id], token))
			found = p[id];
	free(p);
	return found;
}

/* Each character from a text that ends before it. */
static double alone(const struct live *l)
{
	struct error e = { 0 };
	struct model_run run;
	double sum = 0;

	assert_int_equal(model_run_init(&run, &l->model, &tables, &e), OK_STATUS);
	assert_int_equal(model_run_plan(&run, &l->plan, &e), OK_STATUS);
	for (size_t t = 0; t + 1 < l->text.n; t++) {
		assert_int_equal(model_run_set(&run, l->text.ids, t + 1, &e), OK_STATUS);
		sum += run.log_sum[t] - model_run_logits(&run, t)[l->text.ids[t + 1]];
	}
	model_run_free(&run);
	return sum / (double)(l->text.n - 1);
}

static double length(const struct live *l, size_t layer, size_t head, bool bos)
{
	size_t d = l->model.size.head_dim, from = bos ? 0 : 1, to = bos ? 1 : l->text.n;
	double sum = 0;

	for (size_t t = from; t < to; t++) {
		const float *v = model_run_vector(&l->run, MODEL_V, layer, head, t);
		double square = 0;
		for (size_t k = 0; k < d; k++)
			square += (double)v[k] * v[k];
		sum += sqrt(square);
	}
	return sum / (double)(to - from);
}

static double later(const struct live *l, size_t layer, size_t head)
{
	double sum = 0;

	for (size_t i = HEAD_FIRST_QUERY; i < l->text.n; i++)
		for (size_t j = i + 1; j < l->text.n; j++)
			sum += model_run_weights(&l->run, layer, head, i)[j];
	return sum / (double)(l->text.n - HEAD_FIRST_QUERY);
}

static double row_sum(const struct live *l, size_t layer, size_t head, size_t i)
{
	double sum = 0;

	for (size_t j = 0; j < l->text.n; j++)
		sum += model_run_weights(&l->run, layer, head, i)[j];
	return sum;
}

static double mean_entropy(const struct live *l)
{
	const struct model_sizes *m = &l->model.size;
	double sum = 0;

	for (size_t k = 0; k < m->layers * m->heads; k++)
		sum += model_head_figures(&l->run, k / m->heads, k % m->heads).entropy;
	return sum / (double)(m->layers * m->heads);
}

static double shown_score(const struct live *l, const json_t *fact, size_t layer, size_t head, const char *key)
{
	return round(100 * (double)model_run_scores(&l->run, layer, head, number(fact, "i"))[number(fact, key)]) / 100;
}

static double of_head(const struct live *l, const json_t *fact, const char *what)
{
	unsigned layer = 0, head = 0;

	if (!strcmp(word(fact, "head"), "all"))
		return mean_entropy(l);
	assert_int_equal(sscanf(word(fact, "head"), "%u.%u", &layer, &head), 2);
	const struct head_figures f = model_head_figures(&l->run, layer, head);
	size_t i = number(fact, "i"), j = number(fact, "j");

	if (!strcmp(what, "weight"))
		return model_run_weights(&l->run, layer, head, i)[j];
	if (!strcmp(what, "sum"))
		return row_sum(l, layer, head, i);
	if (!strcmp(what, "score"))
		return model_run_scores(&l->run, layer, head, i)[j];
	if (!strcmp(what, "ratio"))
		return exp(shown_score(l, fact, layer, head, "j") - shown_score(l, fact, layer, head, "k"));
	if (!strncmp(what, "length", 6))
		return length(l, layer, head, what[6] != '\0');
	if (!strcmp(what, "later"))
		return later(l, layer, head);
	if (!strcmp(what, "previous"))
		return f.previous;
	return !strcmp(what, "bos") ? f.bos : !strcmp(what, "followed") ? f.followed : f.entropy;
}

/* What the likeliest characters go on with, to be freed; whether it comes to an end. */
static char *go_on(struct live *l, size_t most, bool *ends)
{
	const struct model_draw greedy = { .stream = NULL };
	struct buffer out = { 0 };
	struct error e = { 0 };
	enum model_stop why;
	size_t before = l->run.n;

	assert_int_equal(model_continue(&l->run, most, &greedy, &why, &e), OK_STATUS);
	*ends = l->run.ids[l->run.n - 1] == l->model.special[MODEL_EOS];
	for (size_t t = before; t < l->run.n && l->run.ids[t] != l->model.special[MODEL_EOS]; t++)
		buffer_text(&out, l->model.vocab.text[l->run.ids[t]]);
	buffer_text(&out, "");
	return out.data ? out.data : strdup("");
}

/* Six characters or more, three times in a row. */
static bool loops(const char *text)
{
	size_t n = strlen(text);

	for (size_t at = 0; at < n; at++)
		for (size_t period = 6; at + 3 * period <= n; period++)
			if (!memcmp(text + at, text + at + period, 2 * period))
				return true;
	return false;
}

static double greedy_texts(const json_t *fact)
{
	bool ending = !strcmp(word(fact, "what"), "ends"), ends;
	json_t *all = koen_json("vectors.json"), *one;
	size_t k, n = 0;

	json_array_foreach(json_object_get(all, "greedy"), k, one) {
		live_with(fact, word(one, "text"));
		char *text = go_on(&live, number(fact, "most"), &ends);
		n += ending ? ends : loops(text);
		free(text);
	}
	json_decref(all);
	return (double)n;
}

static double told(struct live *l, const json_t *fact)
{
	const char *what = word(fact, "what");

	if (!strcmp(what, "uniform"))
		return log((double)l->model.size.vocab);
	if (!strcmp(what, "nats"))
		return model_nats(&l->run);
	if (!strcmp(what, "alone"))
		return alone(l);
	if (!strcmp(what, "p"))
		return p_of(l, number(fact, "i"), word(fact, "next"));
	return of_head(l, fact, what);
}

/* ---- facts ---- */

static void each_fact(void (*check)(const json_t *fact))
{
	json_t *all = koen_json("lessons.json"), *fact;
	size_t k;

	assert_true(json_array_size(all) > 60);
	json_array_foreach(all, k, fact)
		check(fact);
	json_decref(all);
}

static void is_computed(const json_t *fact)
{
	const json_t *value = json_object_get(fact, "value");
	const char *what = word(fact, "what");
	bool greedy = !strcmp(what, "greedy"), texts = !strcmp(what, "loops") || !strcmp(what, "ends"), ends;

	if (is_under_valgrind() && (greedy || texts))	/* 2^30 multiplications */
		return;
	live_with(fact, word(fact, "text"));
	if (greedy) {
		char *text = go_on(&live, number(fact, "most") ? number(fact, "most") : 60, &ends);
		assert_string_equal(text, json_string_value(value));
		free(text);
	} else {
		double v = texts ? greedy_texts(fact) : told(&live, fact);
		if (json_is_null(value) ? !isnan(v) : !(fabs(v - json_number_value(value)) <= 1e-3))
			fail_msg("%s %zu: %s is %g", word(fact, "lesson"), number(fact, "page"), word(fact, "shown"), v);
	}
}

static void the_program_computes_them(void **state)
{
	(void)state;
	each_fact(is_computed);
}

/* What is shown is the value, rounded; of a text a part. */
static void is_rounded(const json_t *fact)
{
	const json_t *value = json_object_get(fact, "value");
	const char *shown = word(fact, "shown"), *point = strchr(shown, '.');
	char text[40];

	if (json_is_string(value)) {
		assert_non_null(strstr(json_string_value(value), shown));
		return;
	}
	if (!*shown)
		return;
	snprintf(text, sizeof text, "%.*f", point ? (int)strlen(point + 1) : 0, json_number_value(value));
	assert_string_equal(json_is_null(value) ? "nan" : text, shown);
}

static void they_are_rounded(void **state)
{
	(void)state;
	each_fact(is_rounded);
}

/* ---- the texts ---- */

static void put(struct buffer *out, const struct title *t, const char *language)
{
	if (t->n)
		buffer_format(out, "%s\n", title_in(t, language));
}

/* All that a page says in a language. */
static void page_words(const struct lesson_page *p, const char *language, struct buffer *out)
{
	put(out, &p->text, language);
	put(out, &p->hint, language);
	for (size_t k = 0; k < p->questions_n; k++) {
		put(out, &p->questions[k].text, language);
		put(out, &p->questions[k].why, language);
	}
}

static void load(struct lesson *l, const char *name)
{
	struct error e = { 0 };

	if (load_lesson(l, name, &e))
		fail_msg("%s: %s", name, e.text);
}

static void is_in_the_texts(const json_t *fact)
{
	static const char *const language[] = { "en", "ko" };
	struct lesson l;

	load(&l, word(fact, "lesson"));
	assert_true(number(fact, "page") <= l.pages_n);
	for (size_t k = 0; k < 2; k++) {
		struct buffer words = { 0 };
		page_words(&l.pages[number(fact, "page") - 1], language[k], &words);
		if (!strstr(words.data, word(fact, "shown")))
			fail_msg("'%s' is not on page %zu of %s in %s", word(fact, "shown"), number(fact, "page"), l.name,
				 language[k]);
		buffer_free(&words);
	}
	lesson_free(&l);
}

static void they_are_in_the_texts(void **state)
{
	(void)state;
	each_fact(is_in_the_texts);
}

static bool is_a_fact(const json_t *all, const struct lesson *l, size_t page, const char *number_text)
{
	const json_t *fact;
	size_t k;

	json_array_foreach(all, k, fact) {
		const char *shown = word(fact, "shown");
		bool here = !strcmp(word(fact, "lesson"), l->name) && number(fact, "page") == page;
		if (here && !strcmp(shown + (*shown == '-'), number_text))
			return true;
	}
	return false;
}

/* Numbers with two digits or more behind the point, but for what is arithmetic on the page. */
static void numbers_are_facts(const json_t *all, const struct lesson *l, size_t page, const char *words)
{
	static const char *const arithmetic[] = { "5.02", "5.66" };	/* 3.84 + 1.18, the root of 32 */

	for (const char *p = words; *p;) {
		char text[24];
		size_t n = strspn(p, "0123456789.");
		const char *point = memchr(p, '.', n);
		if (!n || n >= sizeof text || !point || strspn(point + 1, "0123456789") < 2) {
			p += n ? n : 1;
			continue;
		}
		snprintf(text, sizeof text, "%.*s", (int)(point + 1 - p + (long)strspn(point + 1, "0123456789")), p);
		bool known = !strcmp(text, arithmetic[0]) || !strcmp(text, arithmetic[1]) || is_a_fact(all, l, page, text);
		if (!known)
			fail_msg("%s, page %zu: nothing says where %s comes from", l->name, page, text);
		p += n;
	}
}

static void every_number_is_a_fact(void **state)
{
	static const char *const name[] = { "live-heads", "live-induction", "live-masks" }, *const language[] = { "en", "ko" };
	json_t *all = koen_json("lessons.json");

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		struct lesson l;
		load(&l, name[k]);
		for (size_t page = 0; page < l.pages_n; page++)
			for (size_t lang = 0; lang < 2; lang++) {
				struct buffer words = { 0 };
				page_words(&l.pages[page], language[lang], &words);
				numbers_are_facts(all, &l, page + 1, words.data);
				buffer_free(&words);
			}
		lesson_free(&l);
	}
	json_decref(all);
}

/* Sizes that the texts tell. */
static void sizes_are_told(void **state)
{
	struct lesson l;
	struct model m;
	size_t numbers = 0, rows, columns;
	char text[32];

	(void)state;
	koen_model(&m);
	for (int p = 0; p < MODEL_PART_COUNT; p++) {
		model_part_shape(&m.size, (enum model_part)p, &rows, &columns);
		numbers += rows * (columns ? columns : 1) * (model_part_in_layers((enum model_part)p) ? m.size.layers : 1);
	}
	snprintf(text, sizeof text, "%zu,%03zu", numbers / 1000, numbers % 1000);
	load(&l, "live-heads");
	assert_non_null(strstr(title_in(&l.pages[0].text, "en"), text));
	assert_non_null(strstr(title_in(&l.pages[0].text, "ko"), text));
	assert_true(l.pages[0].questions[0].number == (double)m.size.width / (double)m.size.heads);
	assert_true(l.pages[5].questions[0].number == 1);	/* four shares of 1/4: ln 4 / ln 4 */
	lesson_free(&l);
	model_free(&m);
}

/* ---- what is true of a model ---- */

static bool holds(const struct lesson_live *goal, enum lesson_live_part part, const struct live *l, const struct live_point *p)
{
	struct lesson_live one = *goal;

	one.mark[part].line = 1;
	return lesson_live_holds(&one, l, p, l->text.last) == 1u << part;
}

/* Each part of a goal, told apart from what is nearly it. */
static void goals_hold(void **state)
{
	const struct live_request r = { .text = "qkzxvjwp qkzxvjw", .ablate = "2", .pad_left = 2, .tables = &tables };
	struct live_point *p = live_point_new(&r);
	struct error e = { 0 };

	(void)state;
	assert_non_null(p);
	assert_int_equal(live_update(&live, &r, &e), OK_STATUS);
	assert_true(holds(&(struct lesson_live){ .text = " qkzxvjwp qkzxvjw " }, LESSON_LIVE_TEXT, &live, p));
	assert_false(holds(&(struct lesson_live){ .text = "qkzxvjwpqkzxvjw" }, LESSON_LIVE_TEXT, &live, p));
	assert_true(holds(&(struct lesson_live){ .off = "2.3,2.0,2.1,2.2" }, LESSON_LIVE_OFF, &live, p));
	assert_false(holds(&(struct lesson_live){ .off = "2.0,2.1,2.2" }, LESSON_LIVE_OFF, &live, p));
	assert_false(holds(&(struct lesson_live){ .off = "all" }, LESSON_LIVE_OFF, &live, p));
	assert_false(holds(&(struct lesson_live){ .off = NULL }, LESSON_LIVE_OFF, &live, p));
	assert_true(holds(&(struct lesson_live){ .at = NULL }, LESSON_LIVE_AT, &live, p));
	assert_false(holds(&(struct lesson_live){ .at = "1" }, LESSON_LIVE_AT, &live, p));
	assert_true(holds(&(struct lesson_live){ .pad_left = 2 }, LESSON_LIVE_PADDING, &live, p));
	assert_false(holds(&(struct lesson_live){ .pad_right = 2 }, LESSON_LIVE_PADDING, &live, p));
	p->off[0] = '1';		/* the point says, not what the model has computed */
	assert_true(holds(&(struct lesson_live){ .off = "1" }, LESSON_LIVE_OFF, &live, p));
	live_point_free(p);
	live_with(json_null(), "qkzxvjwp qkzxvjw");
	struct live_point none = { .text = live.nfc };
	assert_true(holds(&(struct lesson_live){ .next = "p" }, LESSON_LIVE_NEXT, &live, &none));
	assert_false(holds(&(struct lesson_live){ .next = "b" }, LESSON_LIVE_NEXT, &live, &none));
	assert_false(holds(&(struct lesson_live){ .next = " p" }, LESSON_LIVE_NEXT, &live, &none));
	live_with(json_null(), "To save the document,");		/* goes on with a blank */
	none.text = live.nfc;
	assert_true(holds(&(struct lesson_live){ .next = " " }, LESSON_LIVE_NEXT, &live, &none));
	assert_false(holds(&(struct lesson_live){ .next = "" }, LESSON_LIVE_NEXT, &live, &none));
	assert_int_equal(lesson_live_holds(&(struct lesson_live){ .mark[LESSON_LIVE_PADDING].line = 1 }, NULL, NULL, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_program_computes_them),
		cmocka_unit_test(they_are_rounded),
		cmocka_unit_test(they_are_in_the_texts),
		cmocka_unit_test(every_number_is_a_fact),
		cmocka_unit_test(sizes_are_told),
		cmocka_unit_test(goals_hold),
	};
	struct error e = { 0 };

	setlocale(LC_CTYPE, "C.UTF-8");
	language_add_builtin();
	const struct live_request nothing = { .text = "", .tables = &tables };
	if (random_tables_init(&tables, &e) || live_init(&live, &nothing, &e))
		return 1;
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	live_free(&live);
	return failed;
}
