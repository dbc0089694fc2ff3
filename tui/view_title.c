/* view_title.c - the lines above the grid: name, the five boxes, stage and shape; the switches. */
#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "tui/compare.h"
#include "tui/text.h"
#include "tui/view_parts.h"

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
	canvas_run(c, row, &x, start - 1, "qkv", canvas_paint(c, PAINT_TITLE));
	canvas_run(c, row, &x, start - 1, "  ", canvas_paint(c, PAINT_TEXT));
	canvas_run(c, row, &x, start > 46 ? start - 38 : start - 1, state_scenario(s)->name, canvas_paint(c, PAINT_LABEL));
	canvas_run(c, row, &x, start - 1, "  ", canvas_paint(c, PAINT_TEXT));
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
		canvas_run(c, row, &x, start - 1, text, canvas_paint(c, (enum box)b == lit ? PAINT_LIT : PAINT_MUTED));
		canvas_hit(c, row, from, x - from, of_box[b]);
	}
	pane_text(&c->screen, row, start, right, -1, canvas_paint(c, PAINT_TITLE));
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
	canvas_run(c, row, x, end, key, canvas_paint(c, PAINT_KEY));
	canvas_run(c, row, x, end, e->name, canvas_paint(c, PAINT_TEXT));
	canvas_run(c, row, x, end, " ", canvas_paint(c, PAINT_TEXT));
	canvas_run(c, row, x, *x + VALUE_COLUMNS < end ? *x + VALUE_COLUMNS : end, e->value,
		   canvas_paint(c, e->on ? PAINT_LIT : PAINT_MUTED));
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
		pane_text(&c->screen, c->l.switches, c->s->columns - (int)strlen(more), more, -1, canvas_paint(c, PAINT_WARN));
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
