/* view_mean.c - the lines below the grid while it shows the mean over all heads. */
#include <math.h>
#include <stdio.h>

#include "core/message.h"
#include "tui/view_parts.h"

/* The heads that give a cell the least and the most. */
struct span {
	size_t low, high;
	double least, most;
	bool has_nan;
};

static struct span span_of(struct head_mean *m, size_t i, size_t j)
{
	struct span s = { .least = INFINITY, .most = -INFINITY };

	for (size_t h = 0; h < m->heads.heads; h++) {
		row_compute(&m->heads.row, &m->heads.head[h], i, STAGE_SCORES, STAGE_WEIGHTS);
		double w = m->heads.row.weights[j];
		s.has_nan |= isnan(w);
		if (w < s.least) {
			s.least = w;
			s.low = h;
		}
		if (w > s.most) {
			s.most = w;
			s.high = h;
		}
	}
	return s;
}

static void cell_text(struct canvas *c, struct head_mean *m, struct buffer *out)
{
	struct state *s = c->s;
	const struct problem *p = s->problem;
	struct span span = span_of(m, s->row, s->column);
	char mean[NUMBER_SIZE], least[NUMBER_SIZE], most[NUMBER_SIZE];

	view_short_number(head_mean_row(m, s->row)->weights[s->column], 4, mean);
	view_short_number(span.least, 4, least);
	view_short_number(span.most, 4, most);
	buffer_format(out, _("mean of %zu heads %s"), p->heads, mean);
	if (span.has_nan)
		buffer_text(out, _(", a head has nan"));
	else
		buffer_format(out, _(", from %s (head %zu) to %s (head %zu)"), least, span.low, most, span.high);
	/* Last, for tokens may be long. */
	buffer_format(out, ": %s <- %s", token_label(&p->query_tokens, s->row), token_label(&p->key_tokens, s->column));
}

static const char *row_text(const struct canvas *c, const struct row *r)
{
	static const char *const whole[] = {
		N_("a mean of weights: a row sums to 1 where every head's does; no scores or softmax of its own"),
		N_("a row sums to 1 where every head's does; no scores or softmax of its own"),
		N_("sums to 1 where every head's does"), NULL,
	};
	static const char *const off[] = {
		N_("a mean of weights: this row does not sum to 1, as some head's does not"),
		N_("not 1, as some head's sum is not"), NULL,
	};

	return panel_fitting(r->verdict == VERDICT_OK ? whole : off, c->s->columns, c->look.ascii);
}

void view_mean_lines(struct canvas *c)
{
	struct head_mean *m = state_mean(c->s);
	struct buffer text = { 0 };

	if (!m)
		return;
	cell_text(c, m, &text);
	if (c->l.cell >= 0)
		pane_text(&c->screen, c->l.cell, 0, text.data ? text.data : "", c->s->columns, color_paint(&c->look, PAINT_TEXT));
	buffer_free(&text);
	if (c->l.hand >= 0)
		pane_text(&c->screen, c->l.hand, 0, row_text(c, head_mean_row(m, c->s->row)), c->s->columns, color_paint(&c->look, PAINT_MUTED));
}
