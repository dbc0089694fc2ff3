/* options_value.c - the value of one option: text as a value, and a value as text. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/color_range.h"
#include "core/message.h"
#include "core/number.h"
#include "core/options_parts.h"

enum { LIST_LIMIT = 20000000 };		/* numbers in one list */

/* ---- switches and numbers ---- */

static int find_word(const char *const *words, const char *text)
{
	for (int i = 0; words && words[i]; i++)
		if (!strcmp(words[i], text))
			return i;
	return -1;
}

static enum status expected(const struct option_info *info, const char *text, struct error *e)
{
	return error_set(e, E_VALUE, "'%.80s' is not one of: %s", text, info->values);
}

static enum status set_switch(bool *value, const struct option_info *info, const char *text, struct error *e)
{
	if (!strcmp(text, "on"))
		*value = true;
	else if (!strcmp(text, "off"))
		*value = false;
	else
		return expected(info, text, e);
	return OK_STATUS;
}

static enum status set_integer(long *value, const struct option_info *info, const char *text, struct error *e)
{
	long v;

	if (find_word(info->words, text) >= 0) {
		*value = (long)info->lowest - 1;
		return OK_STATUS;
	}
	if (!number_parse_integer(text, strlen(text), &v) ||
	    (double)v < info->lowest || (double)v > info->highest)
		return expected(info, text, e);
	*value = v;
	return OK_STATUS;
}

static enum status set_number(struct number_or_word *value, const struct option_info *info,
			      const char *text, struct error *e)
{
	double v;
	int word = find_word(info->words, text);

	if (word >= 0) {
		*value = (struct number_or_word){ word, 0 };
		return OK_STATUS;
	}
	if (!number_parse(text, strlen(text), &v) || isnan(v) || v < info->lowest ||
	    v > info->highest || (info->above && v <= info->lowest))
		return expected(info, text, e);
	/* An unlimited option takes infinity; one with a unit does not. */
	if (isinf(v) && info->offset != AT(fill) && info->offset != AT(keep_value))
		return expected(info, text, e);
	/* One form for one value: -infinity is the word. */
	if (info->offset == AT(fill) && v == -INFINITY)
		*value = (struct number_or_word){ FILL_MINUS_INFINITY, 0 };
	else
		*value = (struct number_or_word){ -1, v };
	return OK_STATUS;
}

/* ---- lists ---- */

static enum status list_add(struct list *l, size_t *capacity, long value, struct error *e)
{
	if (l->n >= LIST_LIMIT)
		return error_set(e, E_LIMIT, "a list of more than %d numbers", LIST_LIMIT);
	if (l->n == *capacity) {
		size_t wanted = *capacity ? *capacity * 2 : 16;
		long *v = realloc(l->v, wanted * sizeof *v);
		if (!v)
			return error_set(e, E_MEMORY, "no memory for a list");
		l->v = v;
		*capacity = wanted;
	}
	l->v[l->n++] = value;
	return OK_STATUS;
}

static bool read_index(const char **p, long *value)
{
	const char *start = *p;
	long v = 0;

	while (**p >= '0' && **p <= '9') {
		if (v > LONG_MAX / 10 - 1 || v > (long)MANY)
			return false;
		v = v * 10 + (*(*p)++ - '0');
	}
	*value = v;
	return *p > start && v <= (long)MANY;
}

static int compare_long(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;
	return (x > y) - (x < y);
}

static int compare_cell(const void *a, const void *b)
{
	int rows = compare_long(a, b);
	return rows ? rows : compare_long((const long *)a + 1, (const long *)b + 1);
}

static void sort_unique(struct list *l, size_t unit, int (*compare)(const void *, const void *))
{
	size_t kept = 0;

	if (!l->n)
		return;
	qsort(l->v, l->n / unit, unit * sizeof *l->v, compare);
	for (size_t i = 0; i < l->n; i += unit)
		if (!kept || compare(l->v + kept - unit, l->v + i)) {
			memmove(l->v + kept, l->v + i, unit * sizeof *l->v);
			kept += unit;
		}
	l->n = kept;
}

/* Indices in a list with ranges, so that 0-999999999, or many shorter ranges,
 * are an error and not an allocation. */
enum { RANGE_LIMIT = 1 << 20 };

/* One item: an index, a range of indices, or a cell; p moves behind it. */
static enum status list_item(struct list *l, size_t *capacity, enum option_type type,
			     const char **p, bool *bad, struct error *e)
{
	long a, b;
	enum status s;

	*bad = true;
	if (!read_index(p, &a))
		return OK_STATUS;
	if (type == TYPE_CELLS) {
		if (*(*p)++ != ':' || !read_index(p, &b))
			return OK_STATUS;
		*bad = false;
		s = list_add(l, capacity, a, e);
		return s ? s : list_add(l, capacity, b, e);
	}
	b = a;
	if (type == TYPE_INDICES && **p == '-') {
		++*p;
		if (!read_index(p, &b) || b < a || b - a >= RANGE_LIMIT || l->n + (size_t)(b - a) >= RANGE_LIMIT)
			return OK_STATUS;
	}
	*bad = false;
	for (; a <= b; a++)
		if ((s = list_add(l, capacity, a, e)))
			return s;
	return OK_STATUS;
}

static enum status set_list(struct list *value, const struct option_info *info, const char *text, struct error *e)
{
	struct list l = { 0 };
	size_t capacity = 0;
	bool bad = false;
	enum status s = OK_STATUS;

	if (find_word(info->words, text) < 0) {
		for (const char *p = text;; p++) {
			if ((s = list_item(&l, &capacity, info->type, &p, &bad, e)) || bad || !*p)
				break;
			if (*p != ',') {
				bad = true;
				break;
			}
		}
		if (!s && bad)
			s = expected(info, text, e);
		if (s) {
			free(l.v);
			return s;
		}
	}
	if (info->type == TYPE_INDICES)
		sort_unique(&l, 1, compare_long);
	else if (info->type == TYPE_CELLS)
		sort_unique(&l, 2, compare_cell);
	free(value->v);
	*value = l;
	return OK_STATUS;
}

bool list_has(const struct list *l, long index)
{
	return l->n && bsearch(&index, l->v, l->n, sizeof *l->v, compare_long);
}

bool list_has_cell(const struct list *l, long row, long column)
{
	long cell[2] = { row, column };
	return l->n && bsearch(cell, l->v, l->n / 2, 2 * sizeof *l->v, compare_cell);
}

/* ---- texts ---- */

/* Which there are is for the catalogues to say. */
static bool is_language(const char *text)
{
	for (size_t k = 0; message_language(k); k++)
		if (!strcmp(message_language(k), text))
			return true;
	return false;
}

static enum status expected_language(const char *text, struct error *e)
{
	char list[24 * MESSAGE_LANGUAGES] = "auto";

	for (size_t k = 0, n = strlen(list); message_language(k) && n < sizeof list; k++)
		n += (size_t)snprintf(list + n, sizeof list - n, ", %s", message_language(k));
	return error_set(e, E_VALUE, "'%.80s' is not one of: %s", text, list);
}

static enum status set_text(char **value, const struct option_info *info, const char *text, struct error *e)
{
	struct color_range range;

	if (find_word(info->words, text) == 0)
		text = "";
	else if (info->type == TYPE_DIGITS && (!*text || text[strspn(text, "0123456789")]))
		return expected(info, text, e);
	else if (info->offset == AT(lang) && !is_language(text))
		return expected_language(text, e);
	else if (!*text || (info->offset == AT(range) && !color_range_parse(text, &range)))
		return expected(info, text, e);
	char *copy = strdup(text);
	if (!copy)
		return error_set(e, E_MEMORY, "no memory for a text");
	free(*value);
	*value = copy;
	return OK_STATUS;
}

enum status option_set(struct options *o, enum option which, const char *text, struct error *e)
{
	const struct option_info *info = option_info(which);
	int word;

	switch (info->type) {
	case TYPE_SWITCH:
		return set_switch(place(o, which), info, text, e);
	case TYPE_CHOICE:
		word = find_word(info->words, text);
		if (word < 0)
			return expected(info, text, e);
		*(int *)place(o, which) = word;
		return OK_STATUS;
	case TYPE_INTEGER:
		return set_integer(place(o, which), info, text, e);
	case TYPE_NUMBER:
		return set_number(place(o, which), info, text, e);
	case TYPE_INDICES:
	case TYPE_IDS:
	case TYPE_CELLS:
		return set_list(place(o, which), info, text, e);
	case TYPE_TEXT:
	case TYPE_DIGITS:
		return set_text(place(o, which), info, text, e);
	}
	return error_set(e, E_VALUE, "no such option");
}

/* ---- text of a value ---- */

static void integer_text(const struct option_info *info, long v, struct buffer *out)
{
	if (info->words && (double)v < info->lowest)
		buffer_text(out, info->words[0]);
	else
		buffer_format(out, "%ld", v);
}

static void number_text(const struct option_info *info, const struct number_or_word *v, struct buffer *out)
{
	char text[NUMBER_SIZE];

	if (v->word >= 0) {
		buffer_text(out, info->words[v->word]);
		return;
	}
	number_plain(v->number, text);
	buffer_text(out, text);
}

static void list_text(const struct option_info *info, const struct list *l, struct buffer *out)
{
	if (!l->n)
		buffer_text(out, info->words[0]);
	for (size_t i = 0; i < l->n; i++) {
		const char *before = !i ? "" : info->type == TYPE_CELLS && i % 2 ? ":" : ",";
		buffer_format(out, "%s%ld", before, l->v[i]);
	}
}

void option_text(const struct options *o, enum option which, struct buffer *out)
{
	const struct option_info *info = option_info(which);
	const void *at = place_const(o, which);

	if (info->type == TYPE_SWITCH)
		buffer_text(out, *(const bool *)at ? "on" : "off");
	else if (info->type == TYPE_CHOICE)
		buffer_text(out, info->words[*(const int *)at]);
	else if (info->type == TYPE_INTEGER)
		integer_text(info, *(const long *)at, out);
	else if (info->type == TYPE_NUMBER)
		number_text(info, at, out);
	else if (is_list(info->type))
		list_text(info, at, out);
	else
		buffer_text(out, **(char *const *)at ? *(char *const *)at : info->words[0]);
}
