/* view_sums.c - beside each row of the grid: its sum with the verdict, the largest weight,
 * the bits, and why the sum is not 1.
 */
#include <math.h>
#include <stdio.h>

#include "core/message.h"
#include "core/number.h"
#include "tui/compare.h"
#include "tui/panel_lesson.h"
#include "tui/view_parts.h"

const char *view_cause(const struct state *s, const struct row *r)
{
	const struct options *o = &s->grid.attention.options;
	bool naive = o->softmax_kind == SOFTMAX_NAIVE;

	switch (r->verdict) {
	case VERDICT_OK:
		return "";
	case VERDICT_EMPTY:
		return o->empty_row == EMPTY_ZERO ? _("no key is visible: set to 0")
		     : o->empty_row == EMPTY_UNIFORM ? _("no key is visible: set to 1/n")
		     : isnan(r->sum) ? _("no key is visible: 0 / 0") : _("no key is visible: fills alone");
	case VERDICT_NON_FINITE:
		return isnan(r->masked[r->culprit]) ? _("a visible score is nan") : _("a visible score is inf");
	case VERDICT_NAN:
		return naive ? _("e^score overflows or is all 0") : o->fill_op == FILL_ADD ? _("a hidden nan was added to")
		     : _("0 / 0 or inf - inf");
	default:
		break;
	}
	if (s->problem->source == SOURCE_WEIGHTS)
		return _("as given in the file");
	if (o->softmax == SOFTMAX_COLUMN)
		return _("softmax ran over columns");
	if (o->mask_at == MASK_AFTER)
		return _("masked after softmax");
	if (o->dropout.number > 0)
		return _("dropout is on");
	return _("rounding of the number type");
}

/* What a leaking output moves with, in words. */
static const char *leak_text(unsigned moved)
{
	bool k = moved & 1u << PROBE_K, v = moved & 1u << PROBE_V, q = moved & 1u << PROBE_Q;

	return k && v ? _("moves with K and V") : k ? _("moves with K") : v ? _("moves with V") : q ? _("moves with Q") : "";
}

static enum paint verdict_paint(enum verdict v)
{
	return v == VERDICT_OK ? PAINT_OK : v == VERDICT_LOW || v == VERDICT_HIGH ? PAINT_WARN : PAINT_BAD;
}

void view_sum_text(double sum, enum verdict verdict, int precision, char out[NUMBER_SIZE])
{
	if (verdict == VERDICT_NON_FINITE)
		snprintf(out, NUMBER_SIZE, "n/a");
	else if (fabs(sum) >= 1e4)
		snprintf(out, NUMBER_SIZE, "%.2g", sum);
	else
		number_fixed(sum, precision < 2 ? 2 : precision, out);
}

static void draw_bar(const struct canvas *c, int y)
{
	const char *bar = c->look.ascii ? "|" : "\u2502";

	pane_text(&c->screen, y, c->l.sums + c->l.bar_width / 2, bar, 1, color_paint(&c->look, PAINT_MUTED));
}

/* The difference of a row's sums: =, the same bit for bit; !=, another sum; neither where
 * they differ by rounding, which is shown, but quietly. */
static void draw_sum_difference(const struct canvas *c, int y, size_t i, const struct row *r)
{
	const struct layout *l = &c->l;
	const struct row *other = r ? compare_query(c->s, i) : NULL;
	struct style plain = color_paint(&c->look, PAINT_TEXT), muted = color_paint(&c->look, PAINT_MUTED);
	int x = l->sums + l->bar_width, precision = state_precision(c->s);
	char text[NUMBER_SIZE];

	draw_bar(c, y);
	if (!other)
		return;
	double d = compare_difference(other->sum, r->sum);
	bool same = compare_same(other->sum, r->sum), alike = compare_sums_alike(c->s, other->sum, r->sum);
	if (fabs(d) >= 1e3 || (d != 0 && fabs(d) < 1e-3))
		snprintf(text, sizeof text, "%.0e", d);
	else
		number_fixed(d, precision < 2 ? 2 : precision, text);
	pane_field(&c->screen, y, x, d == 0 ? "0" : text, l->sum_width, 1, !same && alike ? muted : plain);
	if (same || !alike)
		pane_field(&c->screen, y, x + l->sum_width + 1, same ? "=" : "!=", l->verdict_width, -1,
			   color_paint(&c->look, same ? PAINT_OK : PAINT_WARN));
}

/* What the keys that are not left blank have of a row's weights. */
static double shown_sum(const struct state *s, const struct row *r)
{
	double sum = 0;

	for (size_t j = 0; j < s->problem->n_k; j++)
		if (!list_has(&s->now.options.without, (long)j))
			sum += r->weights[j];
	return sum;
}

void view_sums(const struct canvas *c, int y, size_t i, const struct row *r, bool flashing, unsigned moved)
{
	const struct layout *l = &c->l;
	struct look look = c->look;
	struct style plain = color_paint(&look, PAINT_TEXT), number = plain;
	int x = l->sums;
	char text[NUMBER_SIZE];

	if (compare_shown(c->s) == COMPARE_DIFFERENCE) {
		draw_sum_difference(c, y, i, r);
		return;
	}
	draw_bar(c, y);
	if (!r || panel_walk_keeps_weights(c->s))
		return;
	if (panel_asks_row(c->s, i)) {
		pane_field(&c->screen, y, x + l->bar_width, "?", l->sum_width, 1, color_paint(&look, PAINT_KEY));
		return;
	}
	x += l->bar_width;
	if (flashing)
		number.attributes |= color_paint(&look, PAINT_FLASH).attributes;
	view_sum_text(r->sum, r->verdict, state_precision(c->s), text);
	pane_field(&c->screen, y, x, text, l->sum_width, 1, number);
	x += l->sum_width + 1;
	pane_field(&c->screen, y, x, _(verdict_name(r->verdict)), l->verdict_width, -1, color_paint(&look, verdict_paint(r->verdict)));
	x += l->verdict_width;
	if (lesson_hides_some(c->s) || lesson_keeps_back(c->s))	/* the largest weight and the bits would tell */
		return;
	if (l->largest) {
		double beside = c->s->now.options.without.n ? shown_sum(c->s, r) : r->largest;
		number_fixed(beside, state_precision(c->s), text);
		pane_field(&c->screen, y, x + 1, fabs(beside) < 1e4 || isnan(beside) ? text : _("big"), l->sum_width - 1, 1, plain);
		x += l->sum_width;
	}
	if (l->entropy) {
		number_fixed(r->entropy, 2, text);
		pane_field(&c->screen, y, x + 2, fabs(r->entropy) < 100 || isnan(r->entropy) ? text : _("big"), 5, 1, plain);
		x += 7;
	}
	if (l->cause && moved)
		pane_text(&c->screen, y, x + 2, leak_text(moved), c->s->columns - x - 2, color_paint(&look, PAINT_BAD));
	else if (l->cause)
		pane_text(&c->screen, y, x + 2, view_cause(c->s, r), c->s->columns - x - 2, color_paint(&look, verdict_paint(r->verdict)));
}

const char *view_sum_brief(const struct canvas *c)
{
	return c->look.ascii ? "sum w" : "\u03a3 w";
}

/* Where other numbers are shown the sums beside them are those of the weights all the same:
 * in words, which may stand above the verdicts too, or else with a letter. */
static void sums_of_weights(const struct canvas *c, int x, const char *before)
{
	char text[80], brief[80];
	const char *const forms[] = { text, brief, NULL };
	int room = c->l.sum_width + 1 + c->l.verdict_width;

	snprintf(text, sizeof text, "%s%s", before, c->look.ascii ? _("sum of weights") : _("\u03a3 weights"));
	snprintf(brief, sizeof brief, "%s%s", before, view_sum_brief(c));
	pane_text(&c->screen, c->l.labels, x, panel_fitting(forms, room, c->look.ascii), room, color_paint(&c->look, PAINT_MUTED));
}

void view_sum_header(const struct canvas *c)
{
	const struct layout *l = &c->l;
	struct style style = color_paint(&c->look, PAINT_MUTED);
	int x = l->sums + l->bar_width;
	bool weights = state_stage(c->s) == STAGE_WEIGHTS, without = c->s->now.options.without.n;

	draw_bar(c, l->labels);
	if (compare_shown(c->s) == COMPARE_DIFFERENCE) {
		if (!weights)
			sums_of_weights(c, x, c->look.ascii ? "d " : "\u0394 ");
		else
			pane_field(&c->screen, l->labels, x, c->look.ascii ? _("sums") : "\u0394 \u03a3", l->sum_width, 1, style);
		return;
	}
	if (!weights)
		sums_of_weights(c, x, "");
	else
		pane_field(&c->screen, l->labels, x, c->look.ascii ? _("sum") : _("\u03a3 row"), l->sum_width, 1, style);
	x += l->sum_width + 1 + l->verdict_width;
	if (l->largest) {
		pane_field(&c->screen, l->labels, x + 1, without ? _("shown") : weights ? _("max") : _("max w"), l->sum_width - 1, 1, style);
		x += l->sum_width;
	}
	if (l->entropy)
		pane_field(&c->screen, l->labels, x + 2, _("bits"), 5, 1, style);
}
