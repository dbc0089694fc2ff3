/* lesson_yaml_value.c - the values of a lesson that its pages, goals and questions share. */
#include "core/io/lesson_yaml_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/yaml_value.h"
#include "core/nearest.h"

/* ---- values ---- */

const char *lesson_guess(const char *text, const char *(*name)(int), int n, char *out, size_t size)
{
	const char *near = nearest(text, name, n, 1 + strnlen(text, 8) / 4, false);

	out[0] = '\0';
	if (near)
		snprintf(out, size, "; did you mean '%s'?", near);
	return out;
}

enum status lesson_value_text(struct document *d, const char *name, struct title *t, struct mark *mark)
{
	*mark = d->here;
	return value_title(d, name, t);
}

enum status lesson_value_cell(struct document *d, struct lesson_cell *cell)
{
	char shown[YAML_CLIP_SIZE];
	enum status s = node_expect_value(d, "cell", "a stage, row and column such as \"weights 1:0\"");

	if (!s && !lesson_cell_parse(cell, d->text))
		s = node_fail(d, E_VALUE, "cell: '%s' is not a stage, row and column such as \"weights 1:0\", or "
			      "\"row-sums 1\"; the stages are scores, scaled, masked, weights, output", node_clip(d, shown));
	return s;
}

enum status lesson_value_place(struct document *d, struct lesson_place *place, bool stars)
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

enum status lesson_value_panel(struct document *d, const char *name, int n, const char *what, enum lesson_panel *out)
{
	char shown[YAML_CLIP_SIZE], hint[80];

	for (int k = 0; k < n; k++)
		if (!strcmp(panel(k), d->text)) {
			*out = (enum lesson_panel)(k + 1);
			return OK_STATUS;
		}
	return node_fail(d, E_VALUE, "%s: '%s' is not a panel%s Expected one of: %s", name, node_clip(d, shown),
			 *lesson_guess(d->text, panel, n, hint, sizeof hint) ? hint : ".", what);
}

/* ---- a language model ---- */

/* `whole`: the value is no part of a list, and may be the word for none. */
static enum status add_heads(struct document *d, const char *name, const char *none, bool whole, struct buffer *list)
{
	char shown[YAML_CLIP_SIZE];
	enum status s = node_expect_value(d, name, "a list of heads such as 0.3,1.0");

	if (s)
		return s;
	bool nothing = whole && !strcmp(d->text, none);
	if (!nothing && !lesson_heads_parse(d->text))
		return node_fail(d, E_VALUE, "%s: '%s' is not a list of heads: 0.3 (layer.head), 1 (a layer), all, or %s", name,
				 node_clip(d, shown), none);
	if (!nothing)
		buffer_format(list, "%s%s", list->size ? "," : "", d->text);
	return list->failed ? node_fail(d, E_MEMORY, "no memory for a list") : OK_STATUS;
}

/* "0.3,1.0" or [0.3, 1.0], NULL for the word that says there are none. */
static enum status read_heads(struct document *d, const char *name, const char *none, char **out)
{
	struct buffer list = { 0 };
	enum status s = OK_STATUS;

	if (d->node != NODE_LIST)
		s = add_heads(d, name, none, true, &list);
	else
		while (!s && !(s = node_next(d)) && d->node != NODE_END)
			s = add_heads(d, name, none, false, &list);
	char *copy = s || !list.size ? NULL : strdup(list.data);
	if (!s && list.size && !copy)
		s = node_fail(d, E_MEMORY, "no memory for a list");
	buffer_free(&list);
	if (s)
		return s;
	free(*out);
	*out = copy;
	return OK_STATUS;
}

static enum status read_padding(struct document *d, const char *name, struct lesson_live *l)
{
	char shown[YAML_CLIP_SIZE];
	enum status s = node_expect_value(d, name, "left:3, right:3 or none");

	if (!s && !lesson_padding_parse(l, d->text))
		s = node_fail(d, E_VALUE, "%s: '%s' is not left:3, right:3 or none", name, node_clip(d, shown));
	return s;
}

static enum status read_next(struct document *d, const char *name, struct lesson_live *l)
{
	enum status s = value_text(d, name, &l->next);

	return s || *l->next ? s : node_fail(d, E_VALUE, "%s: the text is empty; a character is expected", name);
}

static enum status read_live_value(struct document *d, enum lesson_live_part part, struct lesson_live *l)
{
	const char *name = lesson_live_name(part);

	switch (part) {
	case LESSON_LIVE_TEXT:
		return value_text(d, name, &l->text);
	case LESSON_LIVE_AT:
		return read_heads(d, name, "picture", &l->at);
	case LESSON_LIVE_OFF:
		return read_heads(d, name, "none", &l->off);
	case LESSON_LIVE_PADDING:
		return read_padding(d, name, l);
	default:
		return read_next(d, name, l);
	}
}

enum status lesson_value_live(struct document *d, enum lesson_live_part part, struct lesson_live *l)
{
	struct mark here = d->here;
	enum status s = read_live_value(d, part, l);

	if (!s)
		l->mark[part] = here;
	return s;
}
