/* view.c - the state as a picture: which panes, and the lines around the grid. */
#include "tui/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
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
		snprintf(from, sizeof from, "%zu heads (%zu,%zu) \u2192 ", p->heads, p->n_q, p->d_v);
	else if (s->columns >= 100 && stage == STAGE_INPUT && p->source == SOURCE_X && state_array(s) <= ARRAY_V)
		snprintf(from, sizeof from, "(%zu,%zu)\u00b7(%zu,%zu) \u2192 ", p->n_q, p->d_model, p->d_model, columns);
	if (stage == STAGE_INPUT)
		snprintf(out, size, "0 input %s %s(%zu,%zu)", array_name(state_array(s)), from, rows, columns);
	else
		snprintf(out, size, "%d %s %s(%zu,%zu)", (int)stage, stage_info(stage)->name, from, rows, columns);
}

void view_title(struct canvas *c)
{
	const struct state *s = c->s;
	enum box lit = stage_info(state_stage(s))->box;
	char shape[160], right[200];
	int row = c->l.title, x = 0;

	if (row < 0)
		return;
	shape_text(s, shape, sizeof shape);
	snprintf(right, sizeof right, "%s %s", shape, dtype_name(s->grid.attention.dtype));
	int start = s->columns - text_width(right, c->look.ascii);
	if (start < 0)
		start = 0;
	run(c, row, &x, start - 1, "qkv", paint(c, PAINT_TITLE));
	run(c, row, &x, start - 1, "  ", paint(c, PAINT_TEXT));
	run(c, row, &x, start > 46 ? start - 38 : start - 1, state_scenario(s)->name, paint(c, PAINT_LABEL));
	run(c, row, &x, start - 1, "  ", paint(c, PAINT_TEXT));
	static const enum command of_box[] = { CMD_SCORES, CMD_SCALED, CMD_MASKED, CMD_WEIGHTS, CMD_OUTPUT };
	for (int b = 0; b < BOX_COUNT; b++) {
		char text[24];
		snprintf(text, sizeof text, (enum box)b == lit ? "[%s]" : " %s ", box_name((enum box)b));
		int from = x;
		if (x + (int)strlen(text) >= start)
			break;
		run(c, row, &x, start - 1, text, paint(c, (enum box)b == lit ? PAINT_LIT : PAINT_MUTED));
		canvas_hit(c, row, from, x - from, of_box[b]);
	}
	pane_text(&c->screen, row, start, right, -1, paint(c, PAINT_TITLE));
}

/* ---- the switches ---- */

static void one_switch(struct canvas *c, int *x, const char *key, const char *name, const char *value,
		       bool on, enum command command)
{
	int row = c->l.switches, from = *x, end = c->s->columns;
	char text[16] = "";

	if (from + (*key ? 4 : 0) + (int)strlen(name) + 1 + text_width(value, c->look.ascii) > end)
		return;
	if (*key)
		snprintf(text, sizeof text, "[%s] ", key);
	run(c, row, x, end, text, paint(c, PAINT_KEY));
	run(c, row, x, end, name, paint(c, PAINT_TEXT));
	run(c, row, x, end, " ", paint(c, PAINT_TEXT));
	run(c, row, x, end, value, paint(c, on ? PAINT_LIT : PAINT_MUTED));
	if (command != CMD_COUNT)
		canvas_hit(c, row, from, *x - from, command);
	run(c, row, x, end, "  ", paint(c, PAINT_TEXT));
}

static void option_value(const struct state *s, enum option o, char *out, size_t size)
{
	struct buffer b = { 0 };

	option_text(&s->grid.attention.options, o, &b);
	snprintf(out, size, "%s", b.data ? b.data : "");
	buffer_free(&b);
}

/* Options off their default that have no switch of their own. */
static void other_options(struct canvas *c, int *x)
{
	static const enum option shown[] = {
		OPT_CAUSAL_ALIGN, OPT_CAUSAL_OFFSET, OPT_WINDOW, OPT_PREFIX, OPT_DOCUMENTS, OPT_HIDE, OPT_KEEP,
		OPT_MASK, OPT_MASK_INVERT, OPT_PAD_AXIS, OPT_TRANSPOSE, OPT_SCALE_TIMES, OPT_TEMPERATURE,
		OPT_SOFTCAP, OPT_ALIBI, OPT_BIAS, OPT_FILL_OP, OPT_KEEP_VALUE, OPT_MASK_AT, OPT_EMPTY_ROW,
		OPT_SOFTMAX, OPT_SOFTMAX_KIND, OPT_SOFTMAX_TIMES, OPT_DROPOUT, OPT_SCORE_DTYPE, OPT_FILL_DTYPE,
		OPT_SEED, OPT_N, OPT_D_K, OPT_D_V,
	};

	for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
		char value[48];
		if (option_is_default(&c->s->grid.attention.options, shown[k]))
			continue;
		option_value(c->s, shown[k], value, sizeof value);
		one_switch(c, x, "", option_info(shown[k])->name, value, true, CMD_COUNT);
	}
}

static void scale_text(const struct state *s, char *out, size_t size)
{
	const struct attention *a = &s->grid.attention;

	option_value(s, OPT_SCALE, out, size);
	if (a->scale_note)
		snprintf(out, size, "off (no d_k)");
	else if (a->options.scale.word == SCALE_SQRT)
		snprintf(out, size, "\u221a%zu", s->problem->d_k);
	else if (a->options.scale.word == SCALE_DK)
		snprintf(out, size, "d_k %zu", s->problem->d_k);
}

void view_switches(struct canvas *c)
{
	const struct state *s = c->s;
	const struct options *o = &s->grid.attention.options;
	char value[80], pad[64];
	int x = 0;

	if (c->l.switches < 0)
		return;
	one_switch(c, &x, "c", "causal", o->causal ? "on" : "off", o->causal, CMD_CAUSAL);
	option_value(s, OPT_PAD, pad, sizeof pad);
	snprintf(value, sizeof value, "%.40s%s", pad, !o->pad.n ? "" : o->pad_mask ? " on" : " off");
	one_switch(c, &x, "P", "pad", value, o->pad.n && o->pad_mask, CMD_PAD_MASK);
	scale_text(s, value, sizeof value);
	one_switch(c, &x, "s", "scale", value, o->scale.word != SCALE_NONE && !s->grid.attention.scale_note, CMD_SCALE);
	option_value(s, OPT_FILL, value, sizeof value);
	one_switch(c, &x, "f", "fill", value, o->fill.word != FILL_MINUS_INFINITY, CMD_NEXT_FILL);
	if (*o->bug)
		one_switch(c, &x, "", "bug", o->bug, true, CMD_COUNT);
	if (s->problem->heads > 1) {
		snprintf(value, sizeof value, "%zu of %zu", s->grid.attention.head, s->problem->heads);
		one_switch(c, &x, "", "[ ] head", value, false, CMD_NEXT_HEAD);
	}
	other_options(c, &x);
}

/* ---- the sentence, the legend, the prompt ---- */

static void number_for_legend(double x, char out[NUMBER_SIZE])
{
	if (fabs(x) >= 1e5 || (x != 0 && fabs(x) < 1e-3))
		snprintf(out, NUMBER_SIZE, "%.2g", x);
	else
		number_fixed(x, fabs(x) < 10 ? 2 : 1, out);
}

/* Drawn from the right; returns where it begins. */
static int legend(struct canvas *c, int row)
{
	struct scale scale = view_scale(c->s, &c->l);
	char low[NUMBER_SIZE], high[NUMBER_SIZE];
	enum { STEPS = 8 };

	number_for_legend(scale.low, low);
	number_for_legend(scale.high, high);
	int width = (int)strlen(low) + 1 + STEPS + 1 + (int)strlen(high);
	int x = c->s->columns - width, start = x;
	if (x < 20)
		return c->s->columns;
	run(c, row, &x, c->s->columns, low, paint(c, PAINT_MUTED));
	x++;
	for (int k = 0; k < STEPS; k++) {
		double at = scale.low + (scale.high - scale.low) * k / (STEPS - 1);
		struct heat heat = color_heat(&c->look, scale.map, scale_value(&scale, at));
		pane_field(&c->screen, row, x++, *heat.shade ? heat.shade : " ", 1, -1, heat.style);
	}
	x++;
	run(c, row, &x, c->s->columns, high, paint(c, PAINT_MUTED));
	return start;
}

static void prompt_line(struct canvas *c, int row)
{
	const struct prompt *p = &c->s->prompt;
	static const char *const lead[] = { ":", "/", "value " };
	int x = 0, columns = c->s->columns;
	size_t first = 0;

	run(c, row, &x, columns, lead[p->kind], paint(c, PAINT_KEY));
	/* Text left of the cursor that does not fit scrolls away, cluster by cluster. */
	for (;;) {
		char *left = strndup(p->text + first, p->cursor - first);
		int width = left ? text_width(left, c->look.ascii) : 0;
		free(left);
		if (width < columns - x || first >= p->cursor) {
			c->screen.cells->cursor_row = row;
			c->screen.cells->cursor_column = x + width < columns ? x + width : columns - 1;
			break;
		}
		first = text_next(p->text, p->length, first);
	}
	run(c, row, &x, columns, p->text + first, paint(c, PAINT_TEXT));
}

void view_sentence(struct canvas *c)
{
	int row = c->l.sentence;

	if (row < 0)
		row = c->s->mode == MODE_PROMPT ? c->s->rows - 1 : -1;
	if (row < 0)
		return;
	pane_fill(&c->screen, row, 0, 1, c->s->columns, paint(c, PAINT_TEXT));
	if (c->s->mode == MODE_PROMPT) {
		prompt_line(c, row);
		return;
	}
	int width = text_width(c->s->sentence, c->look.ascii), end = c->s->columns;
	bool numbers = c->s->mode == MODE_GRID || c->s->mode == MODE_MARK || c->s->mode == MODE_RECALL;
	/* A sentence that needs the whole line gets it; the legend is back with the next key. */
	if (numbers && width + 26 <= c->s->columns)
		end = legend(c, row) - 1;
	pane_text(&c->screen, row, 0, c->s->sentence, end, paint(c, c->s->sentence_is_error ? PAINT_BAD : PAINT_TEXT));
}

void view_footer(struct canvas *c)
{
	int x = 0, row = c->l.footer;

	if (row < 0)
		return;
	for (int k = 0; k < CMD_COUNT; k++) {
		static const enum command order[] = {
			CMD_HELP, CMD_CAUSAL, CMD_PAD_KEY, CMD_PAD_MASK, CMD_SCALE, CMD_NEXT_STAGE, CMD_UNDO,
			CMD_OPEN_PICKER, CMD_QUIT, CMD_EDIT, CMD_HIDE_CELL, CMD_PROMPT, CMD_WEIGHTS,
		};
		if (k >= (int)(sizeof order / sizeof *order))
			break;
		struct buffer keys = { 0 };
		char key[KEY_TEXT_SIZE];
		const char *hint = command_info(order[k])->hint;
		keymap_keys(&c->s->keymap, order[k], &keys);
		snprintf(key, sizeof key, "%.*s", (int)strcspn(keys.data ? keys.data : "", " "), keys.data ? keys.data : "");
		buffer_free(&keys);
		if (*key == '<' && key[2]) {		/* <Tab> is Tab here */
			memmove(key, key + 1, strlen(key));
			key[strcspn(key, ">")] = '\0';
		}
		if (!*key || x + (int)strlen(key) + 1 + (int)strlen(hint) > c->s->columns)
			continue;
		int from = x;
		run(c, row, &x, c->s->columns, key, paint(c, PAINT_KEY));
		run(c, row, &x, c->s->columns, " ", paint(c, PAINT_MUTED));
		run(c, row, &x, c->s->columns, hint, paint(c, PAINT_MUTED));
		canvas_hit(c, row, from, x - from, order[k]);
		run(c, row, &x, c->s->columns, "  ", paint(c, PAINT_MUTED));
	}
}

/* ---- all of it ---- */

static void notice(struct canvas *c)
{
	pane_text(&c->screen, 0, 0, c->s->mode == MODE_HELP
		  ? "qkv: q quits; widen the window" : "too small: 20x6 at least", c->s->columns, paint(c, PAINT_TEXT));
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
	} else {
		view_switches(&c);
		view_grid(&c);
		view_details(&c);
	}
	view_sentence(&c);
	view_footer(&c);
}
