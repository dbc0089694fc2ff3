/* view.c - the state as a picture: which panes, and in which order they are drawn. */
#include "tui/view.h"

#include "core/message.h"
#include "tui/view_parts.h"

void canvas_hit(struct canvas *c, int row, int column, int width, enum command command)
{
	if (c->hits && c->hits->n < (int)(sizeof c->hits->v / sizeof *c->hits->v))
		c->hits->v[c->hits->n++] = (struct hit){ row, column, width, command };
}

void canvas_run(struct canvas *c, int row, int *x, int end, const char *text, struct style style)
{
	if (*x < end)
		*x += pane_text(&c->screen, row, *x, text, end - *x, style);
}

static void notice(struct canvas *c)
{
	pane_text(&c->screen, 0, 0, c->s->mode == MODE_HELP
		  ? _("qkv: q quits; widen the window") : _("too small: 20x6 at least"), c->s->columns, canvas_paint(c, PAINT_TEXT));
}

void view_draw(struct state *s, struct cells *cells, struct hits *hits)
{
	struct canvas c = { .s = s, .look = state_look(s), .hits = hits };
	struct error e = { 0 };

	if (hits)
		hits->n = 0;
	if (cells_reset(cells, s->rows, s->columns, &e))
		return;
	cells->cursor_row = -1;
	c.screen = (struct pane){ cells, 0, 0, s->rows, s->columns, c.look.ascii };
	layout_make(&c.l, s);
	if (c.l.small) {
		notice(&c);
		return;
	}
	view_title(&c);
	if (s->mode == MODE_HELP) {
		view_help(&c);
	} else if (s->mode == MODE_PICKER) {
		view_picker(&c);
	} else if (panel_is_whole(s)) {
		view_panel(&c);
		view_lesson(&c);
		view_live(&c);
	} else {
		view_switches(&c);
		view_grid(&c);
		view_details(&c);
		view_panel(&c);
		view_lesson(&c);
		view_live(&c);
	}
	view_sentence(&c);
	view_footer(&c);
	if (s->present.on)
		view_high_contrast(&c);
}
