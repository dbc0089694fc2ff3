/* spoken_panel.c - what panels, lists and lessons say, line by line in reading order.
 *
 * Most panels are rows of text, told as they are drawn. Where one has columns or a
 * picture beside its lines, it is told from what it shows instead.
 */
#include "tui/spoken_parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "tui/panel_lesson.h"
#include "tui/sweep.h"
#include "tui/view_parts.h"

/* ---- panels with columns ---- */

static void sweep_lines(const struct state *s, struct buffer *out)
{
	const struct panel_sweep *p = &s->panel.sweep;

	buffer_format(out, "%s\n", _("d_k experiment: does softmax pile up without the scale?"));
	if (p->ready && p->run.phase == SWEEP_DONE) {
		sweep_write(out, &p->run, SWEEP_TABLE, state_look(s).ascii);
		/* Its notebook is filled in; here that waits for Space. */
		char *notebook = out->data ? strstr(out->data, _("\nfor the notebook\n")) : NULL;
		if (notebook) {
			*notebook = '\0';
			out->size = (size_t)(notebook - out->data);
		}
	} else {
		buffer_format(out, "%s\n", _("stopped"));
	}
	buffer_format(out, "%s\n", p->revealed ? _("notebook: Space empties it") : _("notebook: Space fills it in"));
	view_sweep_sentence(p->revealed, out);
	buffer_text(out, "\n");
}

/* In the lines of the text, blanks and rules made fit. */
static struct spoken_text lines_of(const struct buffer *text)
{
	struct spoken_text t = { 0 };
	size_t n = 0;

	for (const char *p = text->data; p && *p; p++)
		n += *p == '\n';
	t.line = calloc(n + 1, sizeof *t.line);
	for (const char *p = text->data; t.line && p && *p && t.n < n; p += strcspn(p, "\n") + 1) {
		char *line = strndup(p, strcspn(p, "\n"));
		char *spoken = line ? spoken_tidy(line) : NULL;
		free(line);
		if (spoken)
			t.line[t.n++] = spoken;
	}
	return t;
}

/* The O and X of a mask beside the lines of a walk: each line says its own. */
static bool is_picture(const struct cells *c, int row, int column)
{
	for (int x = column; x < c->columns; x++) {
		const struct cell *cell = cells_at(c, row, x);
		if (cell->count && (cell->code[0] >= 128 || !strchr("OX> ", (int)cell->code[0])))
			return false;
	}
	return true;
}

static struct spoken_text walk_lines(const struct cells *c, const struct layout *l, int mask)
{
	struct spoken_text t = { .line = calloc((size_t)l->panel_rows + 1, sizeof *t.line) };

	for (int y = l->panel; t.line && y < l->panel + l->panel_rows && y < c->rows; y++) {
		char *line = spoken_line(c, y, is_picture(c, y, mask) ? mask : c->columns);
		if (line && *line)
			t.line[t.n++] = line;
		else
			free(line);
	}
	return t;
}

static struct spoken_text panel_text(const struct spoken *told, struct state *s, const struct layout *l)
{
	struct buffer out = { 0 };
	bool hides = s->panel.failed || lesson_hides_some(s);

	if (!hides && s->panel.kind == PANEL_WALK && view_walk_mask(s))
		return walk_lines(&told->cells, l, view_walk_mask(s));
	if (!hides && s->panel.kind == PANEL_BUGS)
		view_bugs_text(s, &out);
	else if (!hides && s->panel.kind == PANEL_SWEEP)
		sweep_lines(s, &out);
	else
		return spoken_text_of(&told->cells, l->panel, l->panel_rows, told->cells.columns);
	struct spoken_text t = lines_of(&out);
	buffer_free(&out);
	return t;
}

/* ---- what is open ---- */

int spoken_panel_number(const struct state *s)
{
	bool asks = s->panel.kind == PANEL_PREDICT;

	return (int)s->panel.kind * PREDICT_COUNT + (asks ? (int)s->panel.predict.what : 0);
}

/* Something closed and nothing opened in its place. */
static bool has_closed(const struct spoken *told, const struct spoken_text now[3])
{
	const struct spoken_text *before[] = { &told->list, &told->panel, &told->lesson };
	bool closed = false;

	for (int k = 0; k < 3; k++) {
		if (!before[k]->n && now[k].n)
			return false;
		closed |= before[k]->n && !now[k].n;
	}
	return closed;
}

void spoken_panels(struct spoken *told, struct state *s, const struct layout *l, struct buffer *out)
{
	bool covers = s->mode == MODE_HELP || s->mode == MODE_PICKER;
	int top = l->title + 1, bottom = l->sentence, columns = told->cells.columns, number = spoken_panel_number(s);
	struct spoken_text now[3] = { { 0 } };		/* list, panel, lesson */

	if (covers) {		/* a list is told from its beginning each time it opens */
		spoken_text_put(&told->list, spoken_text_of(&told->cells, top, bottom - top, columns), out);
		return;
	}
	if (panel_working(s)) {
		spoken_text_free(&told->list);
		return;
	}
	now[1] = s->panel.kind == PANEL_NONE ? now[1] : panel_text(told, s, l);
	now[2] = spoken_text_of(&told->cells, l->lesson, l->lesson_rows, columns);
	if (has_closed(told, now))
		buffer_format(out, "%s\n", _("closed"));
	if (number != told->panel_number)		/* another one is told as a whole */
		spoken_text_free(&told->panel);
	told->panel_number = number;
	spoken_text_put(&told->list, now[0], out);
	spoken_text_put(&told->panel, now[1], out);
	spoken_text_put(&told->lesson, now[2], out);
	spoken_text_put(&told->live, spoken_text_of(&told->cells, l->live, l->live_rows, columns), out);
}
