/* view_panel.c - what the panels share, and which of them is drawn. */
#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "tui/panel_lesson.h"
#include "tui/text.h"
#include "tui/view_parts.h"

/* Progress as a short bar with its share of 100, at the right end of a row. */
static int progress(struct canvas *c, int row)
{
	enum { STEPS = 10 };
	char text[32];
	int filled = (int)(panel_progress(c->s) * STEPS), x = c->s->columns - STEPS - 8;

	if (!panel_working(c->s) || x < 20)
		return c->s->columns;
	for (int k = 0; k < STEPS; k++)
		pane_text(&c->screen, row, x + k, k < filled ? (c->look.ascii ? "#" : "\u2588") : (c->look.ascii ? "." : "\u2591"),
			  1, color_paint(&c->look, PAINT_LIT));
	snprintf(text, sizeof text, " %3d %% ", (int)(panel_progress(c->s) * 100));
	pane_text(&c->screen, row, x + STEPS, text, -1, color_paint(&c->look, PAINT_TEXT));
	return x - 1;
}

struct pane panel_head_at(struct canvas *c, int row, int rows, const char *title, int end)
{
	int x = 0;
	struct style line = color_paint(&c->look, PAINT_MUTED);
	const char *dash = c->look.ascii ? "-" : "\u2500";

	while (x < 2)
		pane_text(&c->screen, row, x++, dash, 1, line);
	x += 1 + pane_text(&c->screen, row, x + 1, title, end - x - 2, color_paint(&c->look, PAINT_TITLE));
	for (x++; x < end; x++)
		pane_text(&c->screen, row, x, dash, 1, line);
	return pane_part(&c->screen, row + 1, 0, rows - 1, c->s->columns);
}

struct pane panel_head(struct canvas *c, const char *title)
{
	return panel_head_at(c, c->l.panel, c->l.panel_rows, title, progress(c, c->l.panel));
}

int panel_wrap(const struct pane *p, int row, int column, const char *text, int most, struct style style)
{
	int used = 0;

	while (*text && used < most) {
		size_t n = view_line_bytes(text, p->columns - column, p->ascii);
		char line[1024];
		/* The last row takes what is left, so that a cut is marked. */
		if (used == most - 1)
			n = strlen(text);
		snprintf(line, sizeof line, "%.*s", (int)n, text);
		pane_text(p, row + used++, column, line, p->columns - column, style);
		text += n;
		text += strspn(text, " ");
	}
	return used;
}

const char *panel_fitting(const char *const *text, int room, bool ascii)
{
	while (text[1] && text_width(message(*text), ascii) > room)
		text++;
	return message(*text);
}

int panel_widest(const struct tokens *tokens, size_t from, size_t n, int least, int most, bool ascii)
{
	int width = least;

	for (size_t k = from; k < from + n && width < most; k++) {
		int w = text_width(token_label(tokens, k), ascii);
		if (w > width)
			width = w;
	}
	return width < most ? width : most;
}

/* Panels that show the numbers which a lesson asks for. */
static bool is_told_by(const struct state *s)
{
	enum panel_kind kind = s->panel.kind;

	return lesson_hides_some(s) && kind != PANEL_NONE && kind != PANEL_VERIFY && kind != PANEL_SWEEP;
}

void view_panel(struct canvas *c)
{
	static void (*const draw[])(struct canvas *c) = {
		[PANEL_NONE] = NULL,
		[PANEL_VERIFY] = view_verify,
		[PANEL_INFLUENCE] = view_influence,
		[PANEL_GRADIENT] = view_gradient,
		[PANEL_BUGS] = view_bugs,
		[PANEL_CLINIC] = view_clinic,
		[PANEL_SWEEP] = view_sweep,
		[PANEL_PREDICT] = view_predict,
		[PANEL_INSPECTOR] = view_inspector,
		[PANEL_WALK] = view_walk,
		[PANEL_HEADS] = view_heads,
		[PANEL_OVERVIEW] = view_overview,
	};

	if (is_told_by(c->s)) {
		panel_head(c, _("not shown while its numbers are asked for"));
		return;
	}
	if (draw[c->s->panel.kind])
		draw[c->s->panel.kind](c);
}

void panel_two_dots(const struct pane *p, int row, int column, color upper, color lower)
{
	/* The default foreground is no colour of "nothing". */
	if (upper != COLOR_DEFAULT)
		pane_text(p, row, column, "\u2580", 1, (struct style){ upper, lower, 0 });
	else
		pane_text(p, row, column, lower == COLOR_DEFAULT ? " " : "\u2584", 1, (struct style){ lower, COLOR_DEFAULT, 0 });
}
