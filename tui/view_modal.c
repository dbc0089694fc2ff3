/* view_modal.c - what covers the grid: the help, the list of scenarios. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/text.h"
#include "core/message.h"
#include "tui/view_parts.h"

/* ---- help, made from the registries and the keys in force ---- */

enum { KEYS_WIDTH = 14, NAME_WIDTH = 16 };

typedef void line_fn(void *context, const char *left, const char *right, enum paint paint);

static void command_lines(const struct state *s, line_fn *line, void *context)
{
	for (int g = 0; g < COMMAND_GROUP_COUNT; g++) {
		line(context, _(command_group_name((enum command_group)g)), "", PAINT_TITLE);
		for (int k = 0; k < CMD_COUNT; k++) {
			const struct command_info *info = command_info((enum command)k);
			struct buffer keys = { 0 };
			char name[64];
			if (info->group != (enum command_group)g)
				continue;
			keymap_keys(&s->keymap, (enum command)k, &keys);
			snprintf(name, sizeof name, ":%s%s%s", info->name, info->argument ? " " : "", info->argument ? info->argument : "");
			if (keys.size)
				line(context, keys.data, _(info->help), PAINT_TEXT);
			else
				line(context, name, _(info->help), PAINT_TEXT);
			buffer_free(&keys);
		}
		line(context, "", "", PAINT_TEXT);
	}
}

static void look_lines(const struct state *s, line_fn *line, void *context)
{
	bool ascii = state_look(s).ascii;

	line(context, _("What a cell says"), "", PAINT_TITLE);
	line(context, ascii ? "# 0" : "\u259a 0", _("hidden by a mask; after the mark what it got all the same"), PAINT_TEXT);
	line(context, "0", _("exactly zero, though no mask hides it"), PAINT_TEXT);
	line(context, "~0", _("not zero, but smaller than the digits shown"), PAINT_TEXT);
	line(context, "nan, inf", _("not a number; infinite"), PAINT_TEXT);
	line(context, "!1.250", _("a weight outside 0 to 1"), PAINT_TEXT);
	line(context, "*, +", _("edited by hand; kept visible though a rule would hide it"), PAINT_TEXT);
	line(context, "[ ]", _("the cursor: row = query, column = key, counted from 0"), PAINT_TEXT);
	line(context, "", "", PAINT_TEXT);
}

static void option_lines(line_fn *line, void *context)
{
	for (int g = 0; g < GROUP_COUNT; g++) {
		char title[80];
		snprintf(title, sizeof title, _("Options, :NAME VALUE - %s"), _(option_group_name((enum option_group)g)));
		line(context, title, "", PAINT_TITLE);
		for (int o = 0; o < OPT_COUNT; o++) {
			const struct option_info *info = option_info((enum option)o);
			if (info->group != (enum option_group)g)
				continue;
			line(context, info->name, _(info->help), PAINT_TEXT);
			line(context, "", _(info->values), PAINT_MUTED);
		}
		line(context, "", "", PAINT_TEXT);
	}
}

static void all_lines(const struct state *s, line_fn *line, void *context)
{
	look_lines(s, line, context);
	command_lines(s, line, context);
	option_lines(line, context);
}

static void count_line(void *context, const char *left, const char *right, enum paint p)
{
	(void)left, (void)right, (void)p;
	++*(size_t *)context;
}

size_t view_help_lines(const struct state *s)
{
	size_t n = 0;

	all_lines(s, count_line, &n);
	return n;
}

struct help_pane {
	struct canvas *c;
	size_t number;
	int top, bottom;
};

static void draw_line(void *context, const char *left, const char *right, enum paint p)
{
	struct help_pane *h = context;
	struct canvas *c = h->c;
	size_t number = h->number++;

	if (number < c->s->help_top || h->top + (int)(number - c->s->help_top) >= h->bottom)
		return;
	int y = h->top + (int)(number - c->s->help_top);
	bool title = p == PAINT_TITLE;
	pane_text(&c->screen, y, title ? 0 : 2, left, title ? c->s->columns : KEYS_WIDTH + NAME_WIDTH,
		  color_paint(&c->look, title ? p : PAINT_KEY));
	if (*right) {
		int x = 2 + text_width(left, c->look.ascii) + 2;
		pane_text(&c->screen, y, x < 2 + KEYS_WIDTH + 2 ? 2 + KEYS_WIDTH + 2 : x, right, -1, color_paint(&c->look, p));
	}
}

void view_help(struct canvas *c)
{
	int top = c->l.title >= 0 ? 1 : 0;
	int bottom = c->l.sentence >= 0 ? c->l.sentence : c->s->rows;
	struct help_pane h = { c, 0, top, bottom };

	all_lines(c->s, draw_line, &h);
}

/* ---- the list of scenarios ---- */

void view_picker(struct canvas *c)
{
	const struct state *s = c->s;
	int top = c->l.title >= 0 ? 1 : 0, bottom = c->l.sentence >= 0 ? c->l.sentence : s->rows;
	size_t room = bottom - top > 2 ? (size_t)(bottom - top - 1) : 1, n = state_picker_rows(s);
	char *const *titles = s->picker.lessons ? s->picker.lesson_titles : s->picker.titles;

	pane_text(&c->screen, top, 0, s->picker.lessons ? _("Lessons: a letter or Enter begins one, Esc closes")
		  : _("Scenarios: a letter or Enter opens one, Esc closes"), -1, color_paint(&c->look, PAINT_TITLE));
	for (size_t k = 0; k < room && s->picker.top + k < n; k++) {
		size_t i = s->picker.top + k;
		bool chosen = i == s->picker.chosen;
		char line[200];
		snprintf(line, sizeof line, "%s %c  %-14s ", chosen ? ">" : " ", panel_row_letter(i), state_picker_name(s, i));
		int x = pane_text(&c->screen, top + 1 + (int)k, 0, line, -1, color_paint(&c->look, chosen ? PAINT_CURSOR : PAINT_TEXT));
		if (titles && titles[i])
			pane_text(&c->screen, top + 1 + (int)k, x, titles[i], -1, color_paint(&c->look, chosen ? PAINT_CURSOR : PAINT_MUTED));
	}
}
