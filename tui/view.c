/* view.c - the state as a picture: which panes, and the lines around the grid. */
#include "tui/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"
#include "tui/compare.h"
#include "tui/live_dock.h"
#include "tui/panel_lesson.h"
#include "tui/text.h"
#include "tui/view_parts.h"

void canvas_hit(struct canvas *c, int row, int column, int width, enum command command)
{
	if (c->hits && c->hits->n < (int)(sizeof c->hits->v / sizeof *c->hits->v))
		c->hits->v[c->hits->n++] = (struct hit){ row, column, width, command };
}

static struct style paint(const struct canvas *c, enum paint p)
{
	return color_paint(&c->look, p);
}

/* Text at *x, which moves behind it; nothing is drawn past `end`. */
static void run(struct canvas *c, int row, int *x, int end, const char *text, struct style style)
{
	if (*x < end)
		*x += pane_text(&c->screen, row, *x, text, end - *x, style);
}

/* ---- the title: name, the five boxes, stage and shape ---- */

static void shape_text(const struct state *s, char *out, size_t size)
{
	const struct problem *p = s->problem;
	enum stage stage = state_stage(s);
	size_t rows, columns;
	char from[80] = "";

	state_shape(s, &rows, &columns);
	if (s->columns >= 100 && stage == STAGE_SCORES && problem_has_qk(p) && s->now.options.transpose)
		snprintf(from, sizeof from, "(%zu,%zu)\u00b7(%zu,%zu) \u2192 ", p->n_q, p->d_k, p->d_k, p->n_k);
	else if (s->columns >= 100 && stage == STAGE_OUTPUT)
		snprintf(from, sizeof from, "(%zu,%zu)\u00b7(%zu,%zu) \u2192 ", p->n_q, p->n_k, p->n_k, p->d_v);
	else if (s->columns >= 100 && stage == STAGE_JOINED)
		snprintf(from, sizeof from, _("%zu heads (%zu,%zu) \u2192 "), p->heads, p->n_q, p->d_v);
	else if (s->columns >= 100 && stage == STAGE_INPUT && p->source == SOURCE_X && state_array(s) <= ARRAY_V)
		snprintf(from, sizeof from, "(%zu,%zu)\u00b7(%zu,%zu) \u2192 ", p->n_q, p->d_model, p->d_model, columns);
	if (stage == STAGE_INPUT)
		snprintf(out, size, "0 input %s %s(%zu,%zu)", array_name(state_array(s)), from, rows, columns);
	else
		snprintf(out, size, "%d %s%s %s(%zu,%zu)", (int)stage, state_shows_mean(s) ? _("mean ") : "", stage_info(stage)->name, from,
			 rows, columns);
}

/* Before the stage, so that it is the last to be cut. */
static const char *pinned_text(const struct state *s)
{
	if (!s->pinned.set)
		return "";
	switch (compare_shown(s)) {
	case COMPARE_BESIDE:
		return "A | B  ";
	case COMPARE_DIFFERENCE:
		return "B - A  ";
	default:
		return s->columns < 50 ? "A  " : _("A pinned  ");
	}
}

enum { BOXES_WIDTH = 33 };	/* of all five, with their brackets */

void view_title(struct canvas *c)
{
	const struct state *s = c->s;
	enum box lit = stage_info(state_stage(s))->box;
	char shape[160], right[200];
	int row = c->l.title, x = 0;

	if (row < 0)
		return;
	panel_walk_box(s, &lit);
	shape_text(s, shape, sizeof shape);
	snprintf(right, sizeof right, "%s%s %s", pinned_text(s), shape, dtype_name(s->long_view.on ? DTYPE_F32 : s->grid.attention.dtype));
	int start = s->columns - text_width(right, c->look.ascii);
	if (start < 0)
		start = 0;
	run(c, row, &x, start - 1, "qkv", paint(c, PAINT_TITLE));
	run(c, row, &x, start - 1, "  ", paint(c, PAINT_TEXT));
	run(c, row, &x, start > 46 ? start - 38 : start - 1, state_scenario(s)->name, paint(c, PAINT_LABEL));
	run(c, row, &x, start - 1, "  ", paint(c, PAINT_TEXT));
	static const enum command of_box[] = { CMD_SCORES, CMD_SCALED, CMD_MASKED, CMD_WEIGHTS, CMD_OUTPUT };
	bool all = x + BOXES_WIDTH < start;		/* else the lit one alone */
	for (int b = 0; b < BOX_COUNT; b++) {
		char text[24];
		if (!all && (enum box)b != lit)
			continue;
		snprintf(text, sizeof text, (enum box)b == lit ? "[%s]" : " %s ", _(box_name((enum box)b)));
		int from = x;
		if (x + (int)strlen(text) >= start)
			break;
		run(c, row, &x, start - 1, text, paint(c, (enum box)b == lit ? PAINT_LIT : PAINT_MUTED));
		canvas_hit(c, row, from, x - from, of_box[b]);
	}
	pane_text(&c->screen, row, start, right, -1, paint(c, PAINT_TITLE));
}

/* ---- the switches ---- */

struct entry {
	const char *key, *name;		/* "" without a key of its own */
	char value[64];
	bool on;
	enum command command;		/* of a click; CMD_COUNT for none */
};

struct entries {
	struct entry v[OPT_COUNT];
	int n;
};

enum { VALUE_COLUMNS = 16 };	/* a long list of cells must not push the others out */

static int entry_width(const struct canvas *c, const struct entry *e)
{
	int value = text_width(e->value, c->look.ascii);

	return (*e->key ? 4 : 0) + (int)strlen(e->name) + 1 + (value < VALUE_COLUMNS ? value : VALUE_COLUMNS);
}

static void draw_entry(struct canvas *c, int *x, const struct entry *e)
{
	int row = c->l.switches, from = *x, end = c->s->columns;
	char key[16] = "";

	if (*e->key)
		snprintf(key, sizeof key, "[%s] ", e->key);
	run(c, row, x, end, key, paint(c, PAINT_KEY));
	run(c, row, x, end, e->name, paint(c, PAINT_TEXT));
	run(c, row, x, end, " ", paint(c, PAINT_TEXT));
	run(c, row, x, *x + VALUE_COLUMNS < end ? *x + VALUE_COLUMNS : end, e->value, paint(c, e->on ? PAINT_LIT : PAINT_MUTED));
	if (e->command != CMD_COUNT)
		canvas_hit(c, row, from, *x - from, e->command);
	*x += 2;
}

/* What does not fit is counted, so that no mistake is in force unseen. */
static void draw_entries(struct canvas *c, struct entries *list)
{
	int x = 0, total = -2, left_out = 0, end = c->s->columns;
	char more[16];

	for (int k = 0; k < list->n; k++)
		total += entry_width(c, &list->v[k]) + 2;
	/* What is at its default goes first; the three switches stay. */
	for (int k = list->n - 1; k >= 3 && total > end; k--)
		if (!list->v[k].on) {
			total -= entry_width(c, &list->v[k]) + 2;
			memmove(&list->v[k], &list->v[k + 1], (size_t)(--list->n - k) * sizeof *list->v);
		}
	if (total > end)
		end -= 4;
	for (int k = 0; k < list->n; k++) {
		if (x + entry_width(c, &list->v[k]) <= end)
			draw_entry(c, &x, &list->v[k]);
		else
			left_out++;
	}
	snprintf(more, sizeof more, "+%d", left_out);
	if (left_out)
		pane_text(&c->screen, c->l.switches, c->s->columns - (int)strlen(more), more, -1, paint(c, PAINT_WARN));
}

static struct entry *add_entry(struct entries *list, const char *key, const char *name, bool on, enum command command)
{
	struct entry *e = &list->v[list->n < OPT_COUNT - 1 ? list->n++ : list->n];

	*e = (struct entry){ .key = key, .name = name, .on = on, .command = command };
	return e;
}

static void option_value(const struct state *s, enum option o, char *out, size_t size)
{
	struct buffer b = { 0 };

	option_text(&s->grid.attention.options, o, &b);
	snprintf(out, size, "%s", b.data ? b.data : "");
	buffer_free(&b);
}

/* Options off their default that have no switch of their own. */
static void other_options(const struct canvas *c, struct entries *list)
{
	static const enum option shown[] = {
		OPT_CAUSAL_ALIGN, OPT_CAUSAL_OFFSET, OPT_WINDOW, OPT_PREFIX, OPT_DOCUMENTS, OPT_HIDE, OPT_KEEP,
		OPT_MASK, OPT_MASK_INVERT, OPT_PAD_AXIS, OPT_TRANSPOSE, OPT_SCALE_TIMES, OPT_TEMPERATURE,
		OPT_SOFTCAP, OPT_ALIBI, OPT_BIAS, OPT_FILL_OP, OPT_KEEP_VALUE, OPT_MASK_AT, OPT_EMPTY_ROW,
		OPT_SOFTMAX, OPT_SOFTMAX_KIND, OPT_SOFTMAX_TIMES, OPT_DROPOUT, OPT_SCORE_DTYPE, OPT_FILL_DTYPE,
		OPT_SEED, OPT_N, OPT_D_K, OPT_D_V,
	};

	for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
		if (option_is_default(&c->s->grid.attention.options, shown[k]))
			continue;
		struct entry *e = add_entry(list, "", option_info(shown[k])->name, true, CMD_COUNT);
		option_value(c->s, shown[k], e->value, sizeof e->value);
	}
}

static void scale_text(const struct state *s, char *out, size_t size)
{
	const struct attention *a = &s->grid.attention;

	option_value(s, OPT_SCALE, out, size);
	if (a->scale_note)
		snprintf(out, size, s->problem->source == SOURCE_WEIGHTS ? _("done") : _("off (no d_k)"));
	else if (a->options.scale.word == SCALE_SQRT)
		snprintf(out, size, "\u221a%zu", s->problem->d_k);
	else if (a->options.scale.word == SCALE_DK)
		snprintf(out, size, "d_k %zu", s->problem->d_k);
}

/* The three switches first, then what is off its default, then the rest. */
void view_switches(struct canvas *c)
{
	const struct state *s = c->s;
	const struct options *o = &s->grid.attention.options;
	struct entries list = { .n = 0 };
	struct entry *e;
	char pad[48];

	if (c->l.switches < 0)
		return;
	e = add_entry(&list, "c", "causal", o->causal, CMD_CAUSAL);
	snprintf(e->value, sizeof e->value, "%s", o->causal ? "on" : "off");
	e = add_entry(&list, "P", "pad", o->pad.n && o->pad_mask, CMD_PAD_MASK);
	option_value(s, OPT_PAD, pad, sizeof pad);
	if (strlen(pad) > VALUE_COLUMNS - 4)
		snprintf(pad, sizeof pad, _("%zu keys"), o->pad.n);
	snprintf(e->value, sizeof e->value, "%s%s", pad, !o->pad.n ? "" : o->pad_mask ? " on" : " off");
	e = add_entry(&list, "s", "scale", o->scale.word != SCALE_NONE && !s->grid.attention.scale_note, CMD_SCALE);
	scale_text(s, e->value, sizeof e->value);
	if (*o->bug) {
		e = add_entry(&list, "", "bug", true, CMD_COUNT);
		snprintf(e->value, sizeof e->value, "%.60s", o->bug);
	}
	bool other_fill = o->fill.word != FILL_MINUS_INFINITY;
	if (!other_fill)
		other_options(c, &list);
	e = add_entry(&list, "f", "fill", other_fill, CMD_NEXT_FILL);
	option_value(s, OPT_FILL, e->value, sizeof e->value);
	if (other_fill)
		other_options(c, &list);
	if (s->problem->heads > 1) {
		e = add_entry(&list, "", "[ ] head", false, CMD_NEXT_HEAD);
		if (state_shows_mean(s))
			snprintf(e->value, sizeof e->value, _("mean of %zu"), s->problem->heads);
		else
			snprintf(e->value, sizeof e->value, _("%zu of %zu"), s->grid.attention.head, s->problem->heads);
	}
	draw_entries(c, &list);
}

/* ---- the sentence, the legend, the prompt ---- */

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
	run(c, row, &x, c->s->columns, l.word, paint(c, PAINT_LABEL));
	x += *l.word != '\0';
	run(c, row, &x, c->s->columns, l.low, paint(c, PAINT_MUTED));
	x++;
	for (int k = 0; k < LEGEND_STEPS; k++) {
		double at = l.scale.low + (l.scale.high - l.scale.low) * k / (LEGEND_STEPS - 1);
		double value = l.scale.mode == RANGE_LOG && !l.scale.constant ? (double)k / (LEGEND_STEPS - 1) : scale_value(&l.scale, at);
		struct heat heat = color_heat(&c->look, l.scale.map, value);
		pane_field(&c->screen, row, x++, *heat.shade ? heat.shade : " ", 1, -1, heat.style);
	}
	x++;
	run(c, row, &x, c->s->columns, l.high, paint(c, PAINT_MUTED));
	return start;
}

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

	run(c, row, &x, columns, view_prompt_lead(c->s), paint(c, PAINT_KEY));
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
	struct style style = paint(c, PAINT_TEXT);
	if (p->selected)		/* typing replaces it */
		style.attributes |= REVERSE;
	run(c, row, &x, columns, p->text + first, style);
	if (p->kind == PROMPT_COMMAND && !strcmp(p->text, "w "))
		run(c, row, &x, columns, _(" FILE.svg .html .txt .csv .npy .tex .py .md .yaml ... (Tab offers them)"), paint(c, PAINT_MUTED));
}

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
	struct style style = paint(c, c->s->sentence_is_error ? PAINT_BAD : PAINT_TEXT);
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
	pane_fill(&c->screen, row - lines + 1, 0, lines, c->s->columns, paint(c, PAINT_TEXT));
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
	pane_text(&c->screen, row, 0, text, c->s->columns, paint(c, PAINT_TEXT));
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
	pane_fill(&c->screen, row, 0, 1, c->s->columns, paint(c, PAINT_TEXT));
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
	pane_text(&c->screen, row, 0, c->s->sentence, end, paint(c, c->s->sentence_is_error ? PAINT_BAD : PAINT_TEXT));
}

/* What the footer offers, the most needed first; what has no room is left out. */
static const enum command *footer_commands(const struct state *s)
{
	static const enum command grid[] = {
		CMD_HELP, CMD_CAUSAL, CMD_PAD_KEY, CMD_PAD_MASK, CMD_SCALE, CMD_NEXT_STAGE, CMD_VERIFY, CMD_BUG_LAB,
		CMD_UNDO, CMD_OPEN_PICKER, CMD_QUIT, CMD_EDIT, CMD_HIDE_CELL, CMD_PROMPT, CMD_SWEEP, CMD_WEIGHTS, CMD_COUNT,
	};
	static const enum command panel[] = {
		CMD_HELP, CMD_CLOSE, CMD_CAUSAL, CMD_PAD_MASK, CMD_SCALE, CMD_NEXT_STAGE, CMD_UNDO, CMD_BUG_LAB, CMD_COUNT,
	};
	static const enum command list[] = {
		CMD_HELP, CMD_CLOSE, CMD_FORWARD, CMD_UNDO, CMD_NEXT_STAGE, CMD_VERIFY, CMD_COUNT,
	};
	static const enum command asked[] = {
		CMD_HELP, CMD_CLOSE, CMD_FORWARD, CMD_PREDICT, CMD_CAUSAL, CMD_SCALE, CMD_NEXT_STAGE, CMD_UNDO, CMD_COUNT,
	};
	static const enum command compared[] = {
		CMD_HELP, CMD_DIFFERENCE, CMD_PIN, CMD_CLOSE, CMD_CAUSAL, CMD_PAD_MASK, CMD_SCALE, CMD_NEXT_STAGE, CMD_UNDO,
		CMD_OPEN_PICKER, CMD_COUNT,
	};
	static const enum command lesson[] = {
		CMD_HELP, CMD_FIND_NEXT, CMD_FIND_PREVIOUS, CMD_CLOSE, CMD_CAUSAL, CMD_PAD_MASK, CMD_SCALE, CMD_NEXT_STAGE, CMD_VERIFY,
		CMD_UNDO, CMD_LESSON, CMD_COUNT,
	};
	static const enum command treatments[] = {
		CMD_HELP, CMD_CLOSE, CMD_UNDO, CMD_NEXT_STAGE, CMD_VERIFY, CMD_BUG_LAB, CMD_COUNT,
	};
	static const enum command walking[] = {
		CMD_HELP, CMD_FORWARD, CMD_BACKWARD, CMD_CLOSE, CMD_CAUSAL, CMD_PAD_MASK, CMD_SCALE, CMD_BUG_LAB, CMD_COUNT,
	};
	static const enum command walked_lesson[] = {
		CMD_HELP, CMD_FORWARD, CMD_BACKWARD, CMD_FIND_NEXT, CMD_FIND_PREVIOUS, CMD_CLOSE, CMD_CAUSAL, CMD_PAD_MASK, CMD_SCALE, CMD_COUNT,
	};
	static const enum command heads[] = { CMD_HELP, CMD_EDIT, CMD_CLOSE, CMD_UNDO, CMD_PROMPT, CMD_COUNT };
	static const enum command map[] = { CMD_HELP, CMD_NEXT_STAGE, CMD_CLOSE, CMD_CAUSAL, CMD_PAD_MASK, CMD_SCALE, CMD_PROMPT, CMD_COUNT };
	static const enum command live[] = {
		CMD_HELP, CMD_LIVE, CMD_AT, CMD_HEAD_OFF, CMD_HEADS, CMD_CAUSAL, CMD_NEXT_STAGE, CMD_VERIFY, CMD_BUG_LAB, CMD_UNDO, CMD_QUIT,
		CMD_SCALE, CMD_PAD_MASK, CMD_COUNT,
	};
	static const enum command questioned[] = {
		CMD_HELP, CMD_FIND_NEXT, CMD_FIND_PREVIOUS, CMD_SCALE, CMD_PAD_MASK, CMD_NEXT_STAGE, CMD_VERIFY, CMD_UNDO, CMD_COUNT,
	};
	static const enum command questioned_panel[] = {
		CMD_HELP, CMD_FIND_NEXT, CMD_FIND_PREVIOUS, CMD_UNDO, CMD_COUNT,
	};
	static const enum command experiment[] = { CMD_HELP, CMD_CLOSE, CMD_FORWARD, CMD_NEXT_SEED, CMD_PROMPT, CMD_COUNT };

	/* What a question has for itself, as c, Space and Esc, is said beside it. */
	if (lesson_in_front(s))
		return s->mode == MODE_GRID ? questioned : questioned_panel;
	switch (s->mode) {
	case MODE_BUGS:
		return list;
	case MODE_CLINIC:
		return treatments;
	case MODE_SWEEP:
		return experiment;
	case MODE_PREDICT:
		return asked;
	case MODE_HEADS:
		return heads;
	case MODE_OVERVIEW:
		return map;
	default:
		if (s->panel.kind == PANEL_WALK)
			return s->lesson ? walked_lesson : walking;
		return s->lesson ? lesson : s->panel.kind != PANEL_NONE ? panel
		     : s->pinned.set ? compared : live_shown(s) ? live : grid;
	}
}

/* Space and Backspace do what the panel has for them. */
static const char *footer_hint(const struct state *s, enum command c)
{
	if (c == CMD_BACKWARD)
		return _("step back");
	if (c == CMD_EDIT && s->mode == MODE_HEADS)
		return _("choose");
	if (c == CMD_NEXT_STAGE && s->mode == MODE_OVERVIEW)
		return _("mean, maximum");
	if (c != CMD_FORWARD)
		return _(command_info(c)->hint);
	return s->mode == MODE_BUGS ? _("add") : s->panel.kind == PANEL_WALK ? _("next step") : _("reveal");
}

void view_footer(struct canvas *c)
{
	int x = 0, row = c->l.footer;

	if (row < 0)
		return;
	for (const enum command *order = footer_commands(c->s); *order < CMD_COUNT; order++) {
		struct buffer keys = { 0 };
		char key[KEY_TEXT_SIZE];
		const char *hint = footer_hint(c->s, *order);
		keymap_keys(&c->s->keymap, *order, &keys);
		snprintf(key, sizeof key, "%.*s", (int)strcspn(keys.data ? keys.data : "", " "), keys.data ? keys.data : "");
		buffer_free(&keys);
		if (*key == '<' && key[2]) {		/* <Tab> is Tab here */
			memmove(key, key + 1, strlen(key));
			key[strcspn(key, ">")] = '\0';
		}
		if (!*key || x + (int)strlen(key) + 1 + text_width(hint, c->look.ascii) > c->s->columns)
			continue;
		int from = x;
		run(c, row, &x, c->s->columns, key, paint(c, PAINT_KEY));
		run(c, row, &x, c->s->columns, " ", paint(c, PAINT_MUTED));
		run(c, row, &x, c->s->columns, hint, paint(c, PAINT_MUTED));
		canvas_hit(c, row, from, x - from, *order);
		x += 2;
	}
}

/* ---- all of it ---- */

static void notice(struct canvas *c)
{
	pane_text(&c->screen, 0, 0, c->s->mode == MODE_HELP
		  ? _("qkv: q quits; widen the window") : _("too small: 20x6 at least"), c->s->columns, paint(c, PAINT_TEXT));
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
