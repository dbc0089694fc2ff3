/* lesson_yaml.c - lessons from YAML text, format version 1: key by key. */
#include "core/io/lesson_yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clinic.h"
#include "core/io/lesson_yaml_parts.h"
#include "core/io/yaml_options.h"
#include "core/io/yaml_value.h"

/* A page has room for every option, twice: a short text must not stand for a lot
 * of memory. */
enum { PAGES_LIMIT = 1000 };

enum top_key { KEY_QKV, KEY_TITLE, KEY_PAGES, TOP_KEYS };
enum page_key {
	PAGE_TEXT, PAGE_SCENARIO, PAGE_SET, PAGE_AT, PAGE_OPEN, PAGE_DO, PAGE_HINT, PAGE_ASK, PAGE_LIVE,
	PAGE_KEYS = PAGE_LIVE + LESSON_LIVE_NEXT	/* which is no state */
};

static const char *top_key(int key)
{
	static const char *const name[TOP_KEYS] = { "qkv", "title", "pages" };
	return name[key];
}

static const char *page_key(int key)
{
	static const char *const name[PAGE_LIVE] = {
		"text", "scenario", "set", "at", "open", "do", "hint", "ask",
	};
	return key < PAGE_LIVE ? name[key] : lesson_live_name(key - PAGE_LIVE);
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

/* ---- what a page opens ---- */

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
				 *lesson_guess(name, clinic_name, (int)clinics_count, hint, sizeof hint) ? hint : ".", all);
	page->clinic = strdup(name);
	if (!page->clinic)
		return node_fail(d, E_MEMORY, "no memory for a name");
	page->open = LESSON_PANEL_CLINIC;
	return OK_STATUS;
}

static enum status read_open(struct document *d, struct lesson_page *page)
{
	static const char what[] = "verify, influence, gradient, bugs, sweep, inspector, heads, clinic NAME";
	enum status s = node_expect_value(d, "open", "the name of a panel");
	const size_t n = strlen("clinic");

	if (s)
		return s;
	if (!strncmp(d->text, "clinic", n) && (!d->text[n] || d->text[n] == ' '))
		s = read_clinic(d, d->text + n + strspn(d->text + n, " "), page);
	else
		s = lesson_value_panel(d, "open", LESSON_PANEL_HEADS, what, &page->open);
	page->open_mark = s ? (struct mark){ 0 } : d->here;
	return s;
}

/* ---- pages ---- */

static enum status read_at(struct document *d, struct lesson_page *page)
{
	struct lesson_place place = { 0 };
	enum status s = lesson_value_place(d, &place, false);

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
		return lesson_value_text(d, "text", &page->text, &page->text_mark);
	case PAGE_SCENARIO:
		return read_scenario(d, page);
	case PAGE_SET:
		return options_read(d, "set", &page->set, page->set_mark);
	case PAGE_AT:
		return read_at(d, page);
	case PAGE_OPEN:
		return read_open(d, page);
	case PAGE_DO:
		return lesson_read_goal(d, page);
	case PAGE_HINT:
		return lesson_value_text(d, "hint", &page->hint, &page->hint_mark);
	case PAGE_ASK:
		return lesson_read_questions(d, page);
	default:
		return lesson_value_live(d, (enum lesson_live_part)(key - PAGE_LIVE), &page->live);
	}
}

/* What is said of a language model goes with its text, and that with no scenario. */
static enum status check_live(struct document *d, const struct map *m, struct lesson_page *page)
{
	const int live = PAGE_LIVE + LESSON_LIVE_TEXT;

	for (int k = PAGE_LIVE; k < PAGE_KEYS; k++)
		if (m->seen[k].line && !lesson_has_key(m, live)) {
			page->flawed = true;
			return document_fail(d, m->seen[k], E_VALUE, "%s without live; it is of a language model's text",
					     page_key(k));
		}
	const struct mark *other = &m->seen[page->clinic ? PAGE_OPEN : PAGE_SCENARIO];
	if (!m->seen[live].line || !other->line)
		return OK_STATUS;
	page->flawed = true;
	return document_fail(d, mark_before(m->seen[live], *other) ? *other : m->seen[live], E_VALUE,
			     "live beside %s; a page shows one of them", page->clinic ? "clinic" : "scenario");
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
	page->flawed = page->flawed || key == PAGE_SCENARIO || key == PAGE_SET || key >= PAGE_LIVE || clinic;
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
	size_t level = node_level(d);
	if (!s && !lesson_has_key(&m, PAGE_TEXT))
		s = document_recover(d, document_fail(d, start, E_VALUE, "a page without text"), level);
	return s ? s : check_live(d, &m, page);
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
		return lesson_value_text(d, "title", &l->title, &l->title_mark);
	default:
		return read_pages(d, l);
	}
}

static enum status require(struct document *d, const struct map *m, enum top_key key, const char *expected)
{
	size_t level = node_level(d);

	if (lesson_has_key(m, key))
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
