/* lesson_yaml_ask.c - the questions of a page. */
#include "core/io/lesson_yaml_parts.h"

#include <math.h>
#include <stdlib.h>

#include "core/io/yaml_value.h"

enum ask_key { ASK_CELL, ASK_NUMBER, ASK_CHOOSE, ASK_RIGHT, ASK_TEXT, ASK_WHY, ASK_TOLERANCE, ASK_KEYS };

static const char *ask_key(int key)
{
	static const char *const name[ASK_KEYS] = { "cell", "number", "choose", "right", "text", "why", "tolerance" };
	return name[key];
}

static enum status add_choice(struct document *d, struct lesson_question *q)
{
	if (q->choices == LESSON_CHOICES_MAX)
		return node_fail(d, E_LIMIT, "choose: more than %d texts", LESSON_CHOICES_MAX);
	if (!q->choice && !(q->choice = calloc(LESSON_CHOICES_MAX, sizeof *q->choice)))
		return node_fail(d, E_MEMORY, "no memory for the choices");
	size_t k = q->choices++;
	return lesson_value_text(d, "choose", &q->choice[k], &q->choice_mark[k]);
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
		return lesson_value_cell(d, &q->cell);
	case ASK_NUMBER:
		q->ask = LESSON_ASK_NUMBER;
		return value_number(d, "number", &q->number);
	case ASK_CHOOSE:
		q->ask = LESSON_ASK_CHOICE;
		return read_choices(d, q);
	case ASK_RIGHT:
		return read_right(d, q);
	case ASK_TEXT:
		return lesson_value_text(d, "text", &q->text, &q->text_mark);
	case ASK_WHY:
		return lesson_value_text(d, "why", &q->why, &q->why_mark);
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
		return meant ? OK_STATUS : document_fail(d, start, E_VALUE, "a question without an answer; "
							 "one of cell, number, choose is expected");
	if (first == ASK_CHOOSE && !lesson_has_key(m, ASK_RIGHT))
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

	if (page->questions_n == LESSON_QUESTIONS_LIMIT)
		return node_fail(d, E_LIMIT, "ask: more than %d questions", LESSON_QUESTIONS_LIMIT);
	if ((s = lesson_add_question(page, &d->error)) || (s = map_open(d, &m, "{cell: \"weights 1:0\", text: ...}")))
		return s;
	struct lesson_question *q = &page->questions[page->questions_n - 1];
	while (!s && !(s = map_next(d, &m)) && m.key >= 0)
		s = take_ask_value(d, q, &m);
	size_t level = node_level(d);
	if (!s && !lesson_has_key(&m, ASK_TEXT))
		s = document_recover(d, document_fail(d, start, E_VALUE, "a question without text"), level);
	return s ? s : check_kind(d, q, &m, start);
}

enum status lesson_read_questions(struct document *d, struct lesson_page *page)
{
	enum status s = node_expect(d, NODE_LIST, "ask", "a list of questions", "[{cell: \"weights 1:0\", text: ...}]");

	while (!s && !(s = node_next(d)) && d->node != NODE_END) {
		size_t level = node_level(d);
		s = read_question(d, page);
		if (s == E_LIMIT && page->questions_n == LESSON_QUESTIONS_LIMIT)
			return s;
		s = document_recover(d, s, level);
	}
	return s;
}
