/* view_sentence.c - the line that speaks: the sentence with the legend beside it, or what is typed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"
#include "tui/panel_lesson.h"
#include "tui/text.h"
#include "tui/view_parts.h"

/* ---- the legend ---- */

static void number_for_legend(const struct scale *scale, double x, char out[NUMBER_SIZE])
{
	if (scale->mode != RANGE_AUTO)	/* ends that nobody knows beforehand */
		snprintf(out, NUMBER_SIZE, "%.4g", x);
	else if (fabs(x) >= 1e5 || (x != 0 && fabs(x) < 1e-3))
		snprintf(out, NUMBER_SIZE, "%.2g", x);
	else
		number_fixed(x, fabs(x) < 10 ? 2 : 1, out);
}

enum { LEGEND_STEPS = 8, LEGEND_ROOM = 26 };

struct legend {
	struct scale scale;
	const char *word;
	char low[NUMBER_SIZE], high[NUMBER_SIZE];
	int width;
};

static void make_legend(struct legend *l, struct canvas *c)
{
	l->scale = view_scale(c->s, &c->l);
	l->word = scale_word(&l->scale);
	number_for_legend(&l->scale, l->scale.low, l->low);
	number_for_legend(&l->scale, l->scale.high, l->high);
	l->width = (int)strlen(l->low) + 1 + LEGEND_STEPS + 1 + (int)strlen(l->high) + (*l->word ? (int)strlen(l->word) + 1 : 0);
}

/* Drawn from the right where a sentence of that width leaves room for it; returns
 * where it begins. */
static int legend(struct canvas *c, int row, int sentence)
{
	struct legend l;

	make_legend(&l, c);
	int x = c->s->columns - l.width, start = x;
	if (sentence + (*l.word ? l.width + 2 : LEGEND_ROOM) > c->s->columns)
		return c->s->columns + 1;
	if (x < 20)
		return c->s->columns;
	canvas_run(c, row, &x, c->s->columns, l.word, canvas_paint(c, PAINT_LABEL));
	x += *l.word != '\0';
	canvas_run(c, row, &x, c->s->columns, l.low, canvas_paint(c, PAINT_MUTED));
	x++;
	for (int k = 0; k < LEGEND_STEPS; k++) {
		double at = l.scale.low + (l.scale.high - l.scale.low) * k / (LEGEND_STEPS - 1);
		double value = l.scale.mode == RANGE_LOG && !l.scale.constant ? (double)k / (LEGEND_STEPS - 1) : scale_value(&l.scale, at);
		struct heat heat = color_heat(&c->look, l.scale.map, value);
		pane_field(&c->screen, row, x++, *heat.shade ? heat.shade : " ", 1, -1, heat.style);
	}
	x++;
	canvas_run(c, row, &x, c->s->columns, l.high, canvas_paint(c, PAINT_MUTED));
	return start;
}

/* ---- the prompt ---- */

const char *view_prompt_lead(const struct state *s)
{
	static const char *const lead[] = { ":", "/", N_("value "), N_("text ") };

	return s->lesson && s->lesson->visit.answering ? _("answer ") : _(lead[s->prompt.kind]);
}

void view_prompt(struct canvas *c, int row)
{
	const struct prompt *p = &c->s->prompt;
	int x = 0, columns = c->s->columns;
	size_t first = 0;
	char *left = strndup(p->text, p->cursor);
	int width = left ? text_width(left, c->look.ascii) : 0;

	canvas_run(c, row, &x, columns, view_prompt_lead(c->s), canvas_paint(c, PAINT_KEY));
	/* Text left of the cursor that does not fit scrolls away, cluster by cluster. */
	while (left && width >= columns - x && first < p->cursor) {
		size_t next = text_next(left, p->cursor, first);
		char after = left[next];
		left[next] = '\0';
		width -= text_width(left + first, c->look.ascii);
		left[next] = after;
		first = next;
	}
	free(left);
	c->screen.cells->cursor_row = row;
	c->screen.cells->cursor_column = x + width < columns ? x + width : columns - 1;
	struct style style = canvas_paint(c, PAINT_TEXT);
	if (p->selected)		/* typing replaces it */
		style.attributes |= REVERSE;
	canvas_run(c, row, &x, columns, p->text + first, style);
	if (p->kind == PROMPT_COMMAND && !strcmp(p->text, "w "))
		canvas_run(c, row, &x, columns, _(" FILE.svg .html .txt .csv .npy .tex .py .md .yaml ... (Tab offers them)"),
			   canvas_paint(c, PAINT_MUTED));
}

/* ---- the sentence ---- */

size_t view_line_bytes(const char *text, int columns, bool ascii)
{
	size_t fits = 0, blank = 0, length = strlen(text);
	char *copy = strdup(text);
	int width = 0;

	for (size_t n = 0; copy && n < length; n = fits) {
		size_t next = text_next(text, length, n);
		copy[next] = '\0';
		if ((width += text_width(copy + n, ascii)) > columns)
			break;
		copy[next] = text[next];
		fits = next;
		if (text[next] == ' ' || !text[next])
			blank = next;
	}
	free(copy);
	return blank ? blank : fits;
}

/* What is longer than a line covers the lines about the cell until the next key. */
static void long_sentence(struct canvas *c, int row)
{
	const char *text = c->s->sentence;
	struct style style = canvas_paint(c, c->s->sentence_is_error ? PAINT_BAD : PAINT_TEXT);
	size_t start[8];
	int lines = 0, most = c->l.rule >= 0 ? row - c->l.rule : 3;

	for (const char *p = text; *p && lines < 8 && lines < most; lines++) {
		size_t n = view_line_bytes(p, c->s->columns, c->look.ascii);
		start[lines] = (size_t)(p - text);
		if (!n)
			break;
		p += n;
		p += strspn(p, " ");
	}
	pane_fill(&c->screen, row - lines + 1, 0, lines, c->s->columns, canvas_paint(c, PAINT_TEXT));
	for (int k = 0; k < lines; k++) {
		size_t n = k + 1 < lines ? start[k + 1] - start[k] : strlen(text + start[k]);
		char *line = strndup(text + start[k], n);
		if (line)
			pane_text(&c->screen, row - lines + 1 + k, 0, line, c->s->columns, style);
		free(line);
	}
}

void view_help_place(struct canvas *c, int row)
{
	size_t all = view_help_lines(c->s), shown = c->s->help_top + (size_t)(row - (c->l.title >= 0 ? 1 : 0));
	char text[80];

	snprintf(text, sizeof text, _("help: line %zu of %zu, Down or PgDn for more, Esc closes"), shown < all ? shown : all, all);
	pane_text(&c->screen, row, 0, text, c->s->columns, canvas_paint(c, PAINT_TEXT));
}

void view_sentence(struct canvas *c)
{
	int row = c->l.sentence;

	if (c->l.bar_rows) {
		view_bar(c);
		return;
	}
	bool typed = c->s->mode == MODE_PROMPT && !(c->s->prompt.kind == PROMPT_LIVE && c->l.live_rows);
	if (row < 0)
		row = typed ? c->s->rows - 1 : -1;
	if (row < 0)
		return;
	pane_fill(&c->screen, row, 0, 1, c->s->columns, canvas_paint(c, PAINT_TEXT));
	if (typed) {
		view_prompt(c, row);
		return;
	}
	if (c->s->mode == MODE_HELP) {
		view_help_place(c, row);
		return;
	}
	int width = text_width(c->s->sentence, c->look.ascii), end = c->s->columns;
	if (width > end && c->s->sentence_whole && (c->l.rule >= 0 || c->l.panel_rows > 6 || c->l.lesson_rows > 3)) {
		long_sentence(c, row);
		return;
	}
	bool numbers = c->s->mode == MODE_GRID || c->s->mode == MODE_MARK ||
		       c->s->mode == MODE_RECALL || c->s->mode == MODE_BUGS || c->s->mode == MODE_CLINIC;
	/* A sentence that needs the whole line gets it; the legend is back with the next key. */
	if (numbers)
		end = legend(c, row, width) - 1;
	pane_text(&c->screen, row, 0, c->s->sentence, end, canvas_paint(c, c->s->sentence_is_error ? PAINT_BAD : PAINT_TEXT));
}
