/* lesson_yaml.c - lessons from YAML text, format version 1: key by key. */
#include "core/io/lesson_yaml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clinic.h"
#include "core/io/yaml_options.h"
#include "core/io/yaml_value.h"
#include "core/nearest.h"

/* A page has room for every option, twice: a short text must not stand for a lot
 * of memory. */
enum { PAGES_LIMIT = 1000, QUESTIONS_LIMIT = 100 };

enum top_key { KEY_QKV, KEY_TITLE, KEY_PAGES, TOP_KEYS };
enum page_key {
	PAGE_TEXT, PAGE_SCENARIO, PAGE_SET, PAGE_AT, PAGE_OPEN, PAGE_DO, PAGE_HINT, PAGE_ASK, PAGE_KEYS
};
/* Of a condition, behind the options. */
enum goal_key {
	GOAL_AT = OPT_COUNT, GOAL_PANEL, GOAL_EDITED, GOAL_CELL, GOAL_ABOVE, GOAL_BELOW, GOAL_KEYS
};
enum ask_key { ASK_CELL, ASK_NUMBER, ASK_CHOOSE, ASK_RIGHT, ASK_TEXT, ASK_WHY, ASK_TOLERANCE, ASK_KEYS };

static const char *top_key(int key)
{
	static const char *const name[TOP_KEYS] = { "qkv", "title", "pages" };
	return name[key];
}

static const char *page_key(int key)
{
	static const char *const name[PAGE_KEYS] = {
		"text", "scenario", "set", "at", "open", "do", "hint", "ask",
	};
	return name[key];
}

/* Those that no option has come first: a list of all that is cut shows them. */
static const char *goal_key(int key)
{
	static const char *const name[GOAL_KEYS - OPT_COUNT] = { "at", "panel", "edited", "cell", "above", "below" };
	const int own = GOAL_KEYS - OPT_COUNT;

	return key < own ? name[key] : option_info((enum option)(key - own))->name;
}

static int goal_of_key(int key)
{
	const int own = GOAL_KEYS - OPT_COUNT;
	return key < own ? key + OPT_COUNT : key - own;
}

static const char *ask_key(int key)
{
	static const char *const name[ASK_KEYS] = { "cell", "number", "choose", "right", "text", "why", "tolerance" };
	return name[key];
}

static const char *not_of_a_lesson(const char *key)
{
	static const char *const scenarios[] = {
		"tokens", "query-tokens", "key-tokens", "q", "k", "v", "x", "scores", "weights", "random", "edits", "heads",
	};

	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		if (!strcmp(key, scenarios[i]))
			return "a key of a scenario; a lesson has qkv, title and pages, and a page names its scenario";
	return NULL;
}

/* ---- values ---- */

/* "; did you mean 'verify'?", or nothing. */
static const char *guess(const char *text, const char *(*name)(int), int n, char *out, size_t size)
{
	const char *near = nearest(text, name, n, 1 + strnlen(text, 8) / 4, false);

	out[0] = '\0';
	if (near)
		snprintf(out, size, "; did you mean '%s'?", near);
	return out;
}

static enum status read_text(struct document *d, const char *name, struct title *t, struct mark *mark)
{
	*mark = d->here;
	return value_title(d, name, t);
}

static enum status read_cell(struct document *d, struct lesson_cell *cell)
{
	char shown[YAML_CLIP_SIZE];
	enum status s = node_expect_value(d, "cell", "a stage, row and column such as \"weights 1:0\"");

	if (!s && !lesson_cell_parse(cell, d->text))
		s = node_fail(d, E_VALUE, "cell: '%s' is not a stage, row and column such as \"weights 1:0\", or "
			      "\"row-sums 1\"; the stages are scores, scaled, masked, weights, output", node_clip(d, shown));
	return s;
}

static enum status read_place(struct document *d, struct lesson_place *place, bool stars)
{
	const char *example = stars ? "row and column of a cell such as 1:0, or one of them and a * such as \"*:0\""
				    : "row and column of a cell such as 1:0";
	char shown[YAML_CLIP_SIZE];
	enum status s = node_expect_value(d, "at", example);

	if (!s && !lesson_place_parse(place, d->text, stars))
		s = node_fail(d, E_VALUE, "at: '%s' is not %s", node_clip(d, shown), example);
	return s;
}

/* ---- panels ---- */

static const char *panel(int k)
{
	return lesson_panel_name(k + 1);
}

/* A panel that is one of the first n; what: the list of them, for errors. */
static enum status read_panel(struct document *d, const char *name, int n, const char *what, enum lesson_panel *out)
{
	char shown[YAML_CLIP_SIZE], hint[80];

	for (int k = 0; k < n; k++)
		if (!strcmp(panel(k), d->text)) {
			*out = (enum lesson_panel)(k + 1);
			return OK_STATUS;
		}
	return node_fail(d, E_VALUE, "%s: '%s' is not a panel%s Expected one of: %s", name, node_clip(d, shown),
			 *guess(d->text, panel, n, hint, sizeof hint) ? hint : ".", what);
}

static const char *clinic_name(int k)
{
	return clinics[k].name;
}

static enum status read_clinic(struct document *d, const char *name, struct lesson_page *page)
{
	char shown[YAML_CLIP_SIZE], hint[80], all[300] = "";

	for (size_t k = 0, used = 0; k < clinics_count && used < sizeof all; k++)
		used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", k ? ", " : "", clinics[k].name);
	if (!*name)
		return node_fail(d, E_VALUE, "open: which clinic? 'clinic NAME' is expected, with one of: %s", all);
	if (!clinic_find(name))
		return node_fail(d, E_VALUE, "open: there is no clinic '%s'%s Expected one of: %s",
				 yaml_text_clip(shown, name, strlen(name)),
				 *guess(name, clinic_name, (int)clinics_count, hint, sizeof hint) ? hint : ".", all);
	page->clinic = strdup(name);
	if (!page->clinic)
		return node_fail(d, E_MEMORY, "no memory for a name");
	page->open = LESSON_PANEL_CLINIC;
	return OK_STATUS;
}

static enum status read_open(struct document *d, struct lesson_page *page)
{
	static const char what[] = "verify, influence, gradient, bugs, sweep, inspector, clinic NAME";
	enum status s = node_expect_value(d, "open", "the name of a panel");
	const size_t n = strlen("clinic");

	if (s)
		return s;
	if (!strncmp(d->text, "clinic", n) && (!d->text[n] || d->text[n] == ' '))
		s = read_clinic(d, d->text + n + strspn(d->text + n, " "), page);
	else
		s = read_panel(d, "open", LESSON_PANEL_INSPECTOR, what, &page->open);
	page->open_mark = s ? (struct mark){ 0 } : d->here;
	return s;
}

/* ---- do ---- */

static enum status read_goal_panel(struct document *d, struct lesson_condition *c)
{
	enum status s = node_expect_value(d, "panel", "the name of a panel");

	return s ? s : read_panel(d, "panel", LESSON_PANEL_COUNT - 1,
				  "verify, influence, gradient, bugs, clinic, sweep, inspector, walk, predict, compare", &c->panel);
}

/* "scores 1:0" */
static enum status read_edited(struct document *d, struct lesson_condition *c)
{
	char shown[YAML_CLIP_SIZE];
	enum status s = node_expect_value(d, "edited", "an array, row and column such as \"scores 1:0\"");

	for (int a = 0; a < ARRAY_COUNT && !s; a++) {
		size_t n = strlen(array_name((enum array)a));
		if (strncmp(d->text, array_name((enum array)a), n) || d->text[n] != ' ')
			continue;
		c->edited = (enum array)a;
		if (lesson_place_parse(&c->edited_at, d->text + n + strspn(d->text + n, " "), true))
			return OK_STATUS;
	}
	return s ? s : node_fail(d, E_VALUE, "edited: '%s' is not an array, row and column such as \"scores 1:0\"; "
				 "the arrays are q, k, v, x, w-q, w-k, w-v, w-o, scores, weights", node_clip(d, shown));
}

static enum status read_bound(struct document *d, const char *name, bool *has, double *bound)
{
	enum status s = value_number(d, name, bound);

	if (!s && isnan(*bound))
		s = node_fail(d, E_VALUE, "%s: nothing is above or below nan; a number is expected", name);
	*has = !s;
	return s;
}

static struct mark *goal_mark(struct lesson_condition *c, int key)
{
	switch (key) {
	case GOAL_AT:
		return &c->at_mark;
	case GOAL_PANEL:
		return &c->panel_mark;
	case GOAL_EDITED:
		return &c->edited_mark;
	case GOAL_CELL:
		return &c->cell_mark;
	default:
		return key < OPT_COUNT ? &c->option_mark[key] : NULL;
	}
}

static enum status read_goal_value(struct document *d, struct lesson_condition *c, int key)
{
	switch (key) {
	case GOAL_AT:
		return read_place(d, &c->at, true);
	case GOAL_PANEL:
		return read_goal_panel(d, c);
	case GOAL_EDITED:
		return read_edited(d, c);
	case GOAL_CELL:
		return read_cell(d, &c->cell);
	case GOAL_ABOVE:
		return read_bound(d, "above", &c->has_above, &c->above);
	case GOAL_BELOW:
		return read_bound(d, "below", &c->has_below, &c->below);
	default:
		return option_read(d, &c->options, (enum option)key);
	}
}

/* Reads the value of a key of the map, and marks it when it is right. */
static enum status take_goal_value(struct document *d, struct lesson_condition *c, const struct map *m)
{
	size_t level = node_level(d), reported = d->reported;
	int key = goal_of_key(m->key);
	struct mark *mark = goal_mark(c, key);
	enum status s = document_recover(d, read_goal_value(d, c, key), level);

	if (!s && reported == d->reported && mark)
		*mark = m->value[m->key];
	return s;
}

static bool is_there(const struct map *m, int key)
{
	return m->seen[key].line || m->meant[key];
}

/* A condition that nothing is asked by, or that nothing can meet. */
static enum status check_goal(struct document *d, const struct lesson_condition *c, const struct map *m, struct mark start,
			      bool empty)
{
	const int above = GOAL_ABOVE - OPT_COUNT, below = GOAL_BELOW - OPT_COUNT, cell = GOAL_CELL - OPT_COUNT;

	if (empty)
		return document_fail(d, start, E_VALUE, "do: an empty map; a condition such as {causal: on} is expected");
	if (m->seen[cell].line && !is_there(m, above) && !is_there(m, below))
		return document_fail(d, m->seen[cell], E_VALUE, "cell: above or below is missing; "
				     "{cell: \"weights 0:2\", above: 0.5} is expected");
	for (int k = above; k <= below; k++)
		if (m->seen[k].line && !is_there(m, cell))
			return document_fail(d, m->seen[k], E_VALUE, "%s without cell; "
					     "{cell: \"weights 0:2\", %s: 0.5} is expected", goal_key(k), goal_key(k));
	if (c->has_above && c->has_below && !(c->above < c->below))
		return document_fail(d, m->value[mark_before(m->seen[above], m->seen[below]) ? below : above], E_VALUE,
				     "above is not less than below: no number is between them");
	return OK_STATUS;
}

static enum status read_goal(struct document *d, struct lesson_page *page)
{
	struct map m = { .what = "do", .name = goal_key, .n = GOAL_KEYS };
	struct lesson_condition *c = &page->goal;
	struct mark start = d->here;
	size_t reported = d->reported;
	bool empty = true;
	enum status s = map_open(d, &m, "{causal: on}");

	page->goal_mark = start;
	while (!s && !(s = map_next(d, &m)) && m.key >= 0) {
		empty = false;
		s = take_goal_value(d, c, &m);
	}
	return s ? s : check_goal(d, c, &m, start, empty && reported == d->reported);
}

/* ---- ask ---- */

static enum status add_choice(struct document *d, struct lesson_question *q)
{
	if (q->choices == LESSON_CHOICES_MAX)
		return node_fail(d, E_LIMIT, "choose: more than %d texts", LESSON_CHOICES_MAX);
	if (!q->choice && !(q->choice = calloc(LESSON_CHOICES_MAX, sizeof *q->choice)))
		return node_fail(d, E_MEMORY, "no memory for the choices");
	size_t k = q->choices++;
	return read_text(d, "choose", &q->choice[k], &q->choice_mark[k]);
}

static enum status read_choices(struct document *d, struct lesson_question *q)
{
	struct mark start = d->here;
	enum status s = node_expect(d, NODE_LIST, "choose", "a list of texts", "[\"it grows\", \"it stays\"]");

	while (!s && !(s = node_next(d)) && d->node != NODE_END) {
		size_t level = node_level(d);
		s = add_choice(d, q);
		if (s == E_LIMIT)	/* once is enough */
			return s;
		s = document_recover(d, s, level);
	}
	if (!s && q->choices < LESSON_CHOICES_MIN)
		s = document_fail(d, start, E_VALUE, "choose: %zu of %d to %d texts", q->choices, LESSON_CHOICES_MIN,
				  LESSON_CHOICES_MAX);
	return s;
}

static enum status read_right(struct document *d, struct lesson_question *q)
{
	uint64_t right;
	enum status s = value_size(d, "right", 0, LESSON_CHOICES_MAX - 1, &right);

	if (!s)
		q->right = (size_t)right;
	return s;
}

static enum status read_tolerance(struct document *d, struct lesson_question *q)
{
	double v;
	enum status s = value_number(d, "tolerance", &v);

	if (!s && (!isfinite(v) || v < 0))
		s = node_fail(d, E_VALUE, "tolerance: 0 or a number above is expected, such as 0.005");
	if (!s)
		q->tolerance = v;
	return s;
}

static enum status read_ask_value(struct document *d, struct lesson_question *q, int key)
{
	switch (key) {
	case ASK_CELL:
		q->ask = LESSON_ASK_CELL;
		return read_cell(d, &q->cell);
	case ASK_NUMBER:
		q->ask = LESSON_ASK_NUMBER;
		return value_number(d, "number", &q->number);
	case ASK_CHOOSE:
		q->ask = LESSON_ASK_CHOICE;
		return read_choices(d, q);
	case ASK_RIGHT:
		return read_right(d, q);
	case ASK_TEXT:
		return read_text(d, "text", &q->text, &q->text_mark);
	case ASK_WHY:
		return read_text(d, "why", &q->why, &q->why_mark);
	default:
		return read_tolerance(d, q);
	}
}

/* Reads the value of a key of the map, and marks the answer when it is right. */
static enum status take_ask_value(struct document *d, struct lesson_question *q, const struct map *m)
{
	size_t level = node_level(d), reported = d->reported;
	enum status s = document_recover(d, read_ask_value(d, q, m->key), level);

	if (!s && reported == d->reported && m->key <= ASK_CHOOSE)
		q->ask_mark = m->value[m->key];
	return s;
}

/* Exactly one of cell, number and choose, and what goes with it. */
static enum status check_kind(struct document *d, const struct lesson_question *q, const struct map *m, struct mark start)
{
	int first = -1;

	for (int k = ASK_CELL; k <= ASK_CHOOSE; k++) {
		if (!m->seen[k].line)
			continue;
		if (first >= 0) {
			int later = mark_before(m->seen[first], m->seen[k]) ? k : first;
			return document_fail(d, m->seen[later], E_VALUE, "%s beside %s; a question has one of cell, number, choose",
					     ask_key(later), ask_key(later == k ? first : k));
		}
		first = k;
	}
	bool meant = m->meant[ASK_CELL] || m->meant[ASK_NUMBER] || m->meant[ASK_CHOOSE];
	if (first < 0)
		return meant ? OK_STATUS : document_fail(d, start, E_VALUE, "a question without an answer; one of cell, number, choose is expected");
	if (first == ASK_CHOOSE && !is_there(m, ASK_RIGHT))
		return document_fail(d, m->seen[ASK_CHOOSE], E_VALUE, "choose: the key right is missing; "
				     "it says which one is right, counted from 0");
	if (first == ASK_CHOOSE && m->seen[ASK_TOLERANCE].line)
		return document_fail(d, m->seen[ASK_TOLERANCE], E_VALUE, "tolerance beside choose; it goes with cell and number");
	if (first != ASK_CHOOSE && m->seen[ASK_RIGHT].line)
		return document_fail(d, m->seen[ASK_RIGHT], E_VALUE, "right without choose");
	if (first == ASK_CHOOSE && q->ask_mark.line && q->right >= q->choices)
		return document_fail(d, m->value[ASK_RIGHT], E_VALUE, "right: %zu of %zu texts, counted from 0", q->right,
				     q->choices);
	return OK_STATUS;
}

static enum status read_question(struct document *d, struct lesson_page *page)
{
	struct map m = { .what = "a question", .name = ask_key, .n = ASK_KEYS };
	struct mark start = d->here;
	enum status s;

	if (page->questions_n == QUESTIONS_LIMIT)
		return node_fail(d, E_LIMIT, "ask: more than %d questions", QUESTIONS_LIMIT);
	if ((s = lesson_add_question(page, &d->error)) || (s = map_open(d, &m, "{cell: \"weights 1:0\", text: ...}")))
		return s;
	struct lesson_question *q = &page->questions[page->questions_n - 1];
	while (!s && !(s = map_next(d, &m)) && m.key >= 0)
		s = take_ask_value(d, q, &m);
	size_t level = node_level(d);
	if (!s && !is_there(&m, ASK_TEXT))
		s = document_recover(d, document_fail(d, start, E_VALUE, "a question without text"), level);
	return s ? s : check_kind(d, q, &m, start);
}

static enum status read_questions(struct document *d, struct lesson_page *page)
{
	enum status s = node_expect(d, NODE_LIST, "ask", "a list of questions", "[{cell: \"weights 1:0\", text: ...}]");

	while (!s && !(s = node_next(d)) && d->node != NODE_END) {
		size_t level = node_level(d);
		s = read_question(d, page);
		if (s == E_LIMIT && page->questions_n == QUESTIONS_LIMIT)
			return s;
		s = document_recover(d, s, level);
	}
	return s;
}

/* ---- pages ---- */

static enum status read_at(struct document *d, struct lesson_page *page)
{
	struct lesson_place place = { 0 };
	enum status s = read_place(d, &place, false);

	if (s)
		return s;
	page->at_mark = d->here;
	page->row = place.row;
	page->column = place.column;
	return OK_STATUS;
}

static enum status read_scenario(struct document *d, struct lesson_page *page)
{
	enum status s = value_text(d, "scenario", &page->scenario);

	if (!s && !*page->scenario)
		s = node_fail(d, E_VALUE, "scenario: the name is empty");
	page->scenario_mark = s ? (struct mark){ 0 } : d->here;
	return s;
}

static enum status read_page_value(struct document *d, struct lesson_page *page, int key)
{
	switch (key) {
	case PAGE_TEXT:
		return read_text(d, "text", &page->text, &page->text_mark);
	case PAGE_SCENARIO:
		return read_scenario(d, page);
	case PAGE_SET:
		return options_read(d, "set", &page->set, page->set_mark);
	case PAGE_AT:
		return read_at(d, page);
	case PAGE_OPEN:
		return read_open(d, page);
	case PAGE_DO:
		return read_goal(d, page);
	case PAGE_HINT:
		return read_text(d, "hint", &page->hint, &page->hint_mark);
	default:
		return read_questions(d, page);
	}
}

/* A key that is passed over may have been one that matters. */
static enum status next_page_key(struct document *d, struct map *m, struct lesson_page *page)
{
	size_t reported = d->reported;
	enum status s = map_next(d, m);

	page->flawed = page->flawed || reported != d->reported;
	return s;
}

static enum status take_page_value(struct document *d, struct lesson_page *page, int key)
{
	size_t level = node_level(d), reported = d->reported;
	enum status s = document_recover(d, read_page_value(d, page, key), level);

	if (reported == d->reported)
		return s;
	/* A clinic brings its own scenario with it. */
	bool clinic = key == PAGE_OPEN && !strncmp(d->text, "clinic", strlen("clinic"));
	page->flawed = page->flawed || key == PAGE_SCENARIO || key == PAGE_SET || clinic;
	page->unsure = page->unsure || key == PAGE_AT || key == PAGE_DO || key == PAGE_OPEN;
	return s;
}

static enum status read_page(struct document *d, struct lesson *l)
{
	struct map m = { .what = "a page", .name = page_key, .n = PAGE_KEYS };
	struct mark start = d->here;
	enum status s;

	if (l->pages_n == PAGES_LIMIT)
		return node_fail(d, E_LIMIT, "pages: more than %d", PAGES_LIMIT);
	if ((s = lesson_add_page(l, &d->error)))
		return s;
	struct lesson_page *page = &l->pages[l->pages_n - 1];
	page->mark = start;
	page->flawed = true;
	if ((s = map_open(d, &m, "{text: ...}")))
		return s;
	page->flawed = false;
	while (!s && !(s = next_page_key(d, &m, page)) && m.key >= 0)
		s = take_page_value(d, page, m.key);
	if (!s && !is_there(&m, PAGE_TEXT))
		s = document_fail(d, start, E_VALUE, "a page without text");
	return s;
}

static enum status read_pages(struct document *d, struct lesson *l)
{
	struct mark start = d->here;
	enum status s = node_expect(d, NODE_LIST, "pages", "a list of pages", "[{text: ...}]");

	while (!s && !(s = node_next(d)) && d->node != NODE_END) {
		size_t level = node_level(d);
		s = read_page(d, l);
		if (s == E_LIMIT && l->pages_n == PAGES_LIMIT)
			return s;
		s = document_recover(d, s, level);
	}
	if (!s && !l->pages_n)
		s = document_fail(d, start, E_VALUE, "pages: an empty list; one page at least is expected");
	return s;
}

/* ---- the whole file ---- */

static enum status read_version(struct document *d)
{
	char shown[YAML_CLIP_SIZE];
	enum status s = node_expect_value(d, "qkv", "the format version 1");

	if (!s && strcmp(d->text, "1"))
		s = node_fail(d, E_VALUE, "qkv: '%s' is not a format version that this program reads; 1 is expected",
			      node_clip(d, shown));
	return s;
}

static enum status read_top_value(struct document *d, struct lesson *l, int key)
{
	switch (key) {
	case KEY_QKV:
		return read_version(d);
	case KEY_TITLE:
		return read_text(d, "title", &l->title, &l->title_mark);
	default:
		return read_pages(d, l);
	}
}

static enum status require(struct document *d, const struct map *m, enum top_key key, const char *expected)
{
	size_t level = node_level(d);

	if (is_there(m, key))
		return OK_STATUS;
	return document_recover(d, document_fail(d, (struct mark){ 1, 1 }, E_VALUE, "the key %s is missing; %s is expected",
						 top_key(key), expected), level);
}

static enum status read_file(struct document *d, struct lesson *l)
{
	struct map m = { .what = "a lesson", .name = top_key, .n = TOP_KEYS, .refusal = not_of_a_lesson };
	enum status s = map_open(d, &m, "'qkv: 1'");

	while (!s && !(s = map_next(d, &m)) && m.key >= 0) {
		size_t level = node_level(d);
		s = document_recover(d, read_top_value(d, l, m.key), level);
	}
	if (s || (s = document_end(d)))
		return s;
	if ((s = require(d, &m, KEY_QKV, "'qkv: 1'")) || (s = require(d, &m, KEY_TITLE, "'title: ...'")))
		return s;
	return require(d, &m, KEY_PAGES, "'pages: [...]'");
}

/* "dir/name.yaml" -> "name" */
static enum status name_lesson(struct lesson *l, const char *file, struct error *e)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
	size_t n = strlen(base);

	if (n > 5 && !strcmp(base + n - 5, ".yaml"))
		n -= 5;
	else if (n > 4 && !strcmp(base + n - 4, ".yml"))
		n -= 4;
	l->name = malloc(n + 1);
	if (!l->name)
		return error_set(e, E_MEMORY, "no memory for a name");
	memcpy(l->name, base, n);
	l->name[n] = '\0';
	return OK_STATUS;
}

/* ---- one error, or all ---- */

/* Who is told, and the status of the first. */
struct teller {
	void (*report)(void *context, const struct error *e);
	void *context;
	enum status first;
};

static void tell(void *context, const struct error *e)
{
	struct teller *t = context;

	if (!t->first)
		t->first = e->status;
	t->report(t->context, e);
}

/* t: NULL to stop at the first error, which is then in *e. */
static enum status read_lesson(struct lesson *l, const void *bytes, size_t size, const char *file, struct teller *t,
			       struct error *e)
{
	struct document d;
	enum status s = document_open(&d, bytes, size, file, "'qkv: 1' and pages are");

	if (!s) {
		d.report = t ? tell : NULL;
		d.context = t;
		if (!(s = name_lesson(l, file, &d.error)))
			s = read_file(&d, l);
	}
	document_close(&d);
	return s ? document_error(&d, s, e) : OK_STATUS;
}

enum status lesson_read(struct lesson *out, const void *bytes, size_t size, const char *file, struct error *e)
{
	struct lesson l = { 0 };
	enum status s = read_lesson(&l, bytes, size, file, NULL, e);

	if (s)
		lesson_free(&l);
	else
		*out = l;
	return s;
}

enum status lesson_read_all(struct lesson *out, const void *bytes, size_t size, const char *file,
			    void (*report)(void *context, const struct error *e), void *context)
{
	struct teller t = { report, context, OK_STATUS };
	struct error e = { 0 };

	*out = (struct lesson){ 0 };
	if (read_lesson(out, bytes, size, file, &t, &e))
		tell(&t, &e);
	return t.first;
}
