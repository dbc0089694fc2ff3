/* lesson_yaml_goal.c - what a page waits for: `do: {causal: on, at: "*:2"}`. */
#include "core/io/lesson_yaml_parts.h"

#include <math.h>
#include <string.h>

#include "core/io/yaml_options.h"
#include "core/io/yaml_value.h"

/* Of a condition, behind the options. */
enum goal_key {
	GOAL_AT = OPT_COUNT, GOAL_PANEL, GOAL_EDITED, GOAL_CELL, GOAL_ABOVE, GOAL_BELOW, GOAL_LIVE,
	GOAL_KEYS = GOAL_LIVE + LESSON_LIVE_COUNT
};

/* Those that no option has come first: a list of all that is cut shows them. */
static const char *goal_key(int key)
{
	static const char *const name[GOAL_LIVE - OPT_COUNT] = { "at", "panel", "edited", "cell", "above", "below" };
	const int own = GOAL_KEYS - OPT_COUNT, live = GOAL_LIVE - OPT_COUNT;

	return key >= own ? option_info((enum option)(key - own))->name : key < live ? name[key] : lesson_live_name(key - live);
}

static int goal_of_key(int key)
{
	const int own = GOAL_KEYS - OPT_COUNT;
	return key < own ? key + OPT_COUNT : key - own;
}

static enum status read_goal_panel(struct document *d, struct lesson_condition *c)
{
	enum status s = node_expect_value(d, "panel", "the name of a panel");

	return s ? s : lesson_value_panel(d, "panel", LESSON_PANEL_COUNT - 1, "verify, influence, gradient, "
				       "bugs, clinic, sweep, inspector, heads, walk, predict, compare", &c->panel);
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
		return lesson_value_place(d, &c->at, true);
	case GOAL_PANEL:
		return read_goal_panel(d, c);
	case GOAL_EDITED:
		return read_edited(d, c);
	case GOAL_CELL:
		return lesson_value_cell(d, &c->cell);
	case GOAL_ABOVE:
		return read_bound(d, "above", &c->has_above, &c->above);
	case GOAL_BELOW:
		return read_bound(d, "below", &c->has_below, &c->below);
	default:
		return key < OPT_COUNT ? option_read(d, &c->options, (enum option)key)
				       : lesson_value_live(d, (enum lesson_live_part)(key - GOAL_LIVE), &c->live);
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

/* A condition that nothing is asked by, or that nothing can meet. */
static enum status check_goal(struct document *d, const struct lesson_condition *c, const struct map *m, struct mark start,
			      bool empty)
{
	const int above = GOAL_ABOVE - OPT_COUNT, below = GOAL_BELOW - OPT_COUNT, cell = GOAL_CELL - OPT_COUNT;

	if (empty)
		return document_fail(d, start, E_VALUE, "do: an empty map; a condition such as {causal: on} is expected");
	if (m->seen[cell].line && !lesson_has_key(m, above) && !lesson_has_key(m, below))
		return document_fail(d, m->seen[cell], E_VALUE, "cell: above or below is missing; "
				     "{cell: \"weights 0:2\", above: 0.5} is expected");
	for (int k = above; k <= below; k++)
		if (m->seen[k].line && !lesson_has_key(m, cell))
			return document_fail(d, m->seen[k], E_VALUE, "%s without cell; "
					     "{cell: \"weights 0:2\", %s: 0.5} is expected", goal_key(k), goal_key(k));
	if (c->has_above && c->has_below && !(c->above < c->below))
		return document_fail(d, m->value[mark_before(m->seen[above], m->seen[below]) ? below : above], E_VALUE,
				     "above is not less than below: no number is between them");
	return OK_STATUS;
}

enum status lesson_read_goal(struct document *d, struct lesson_page *page)
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
