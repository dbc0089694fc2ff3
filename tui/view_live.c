/* view_live.c - a language model below the grid: its text, what it says comes next, how
 * well it said the text, what the head that is shown does.
 *
 * Beside a model that is interfered with stand the guesses of the untouched one, and what
 * the difference is. With few rows the guesses are on one line, where with fewer still the
 * nats are, too, and come first; the text is the last to go.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "core/model_heads.h"
#include "tui/live_dock.h"
#include "tui/text.h"
#include "tui/view_parts.h"

enum {
	GUESSES = 10, FEW_GUESSES = 5, HIGH_SCREEN = 40, NOTICES = 2,
	LESSON_GUESSES = 3,	/* beside a lesson, whose text needs room, too */
	FEW_ROWS = 4,		/* beside what needs the room for itself */
	LEAST_FACTS = 3,	/* beside both */
	LEAST_HEAD = 3,		/* rows of the dock from which on a line tells of the head */
	LEAST_BARS = 6,		/* rows of the dock from which on each guess has its own */
	TOKEN = 6, SHARE = 8, CHANGE = 9, MOST_BAR = 40,	/* columns */
};

/* What a run says of a position. */
struct said {
	struct guess top[GUESSES];
	size_t n;
	double *p;		/* of each token; owned */
	double nats;
};

struct told {
	const struct live *live;
	struct said now, untouched;	/* p NULL: nothing */
	size_t row;
};

static void ask(struct said *said, const struct model_run *r, size_t row)
{
	size_t vocab = r->model->size.vocab;

	if (!r->n || row >= r->n || !(said->p = malloc(vocab * sizeof *said->p)))
		return;
	model_next(r, row, 1, said->p);
	said->n = model_top(said->p, vocab, GUESSES, said->top);
	said->nats = model_nats(r);
}

static struct told tell(const struct state *s)
{
	struct told t = { .live = live_shown(s), .row = live_row(s) };

	ask(&t.now, &t.live->run, t.row);
	if (t.live->touched && t.row >= t.live->pad_left)
		ask(&t.untouched, &t.live->untouched, t.row - t.live->pad_left);
	return t;
}

static void told_free(struct told *t)
{
	free(t->now.p);
	free(t->untouched.p);
}

static size_t notices(const struct live *l)
{
	struct buffer text = { 0 };
	size_t n = 0;

	while (n < NOTICES && live_notice(l, n, &text))
		n++;
	buffer_free(&text);
	return n;
}

int view_live_rows(const struct state *s)
{
	if (!live_shown(s) || s->panel.kind == PANEL_SWEEP)
		return 0;
	if (panel_is_whole(s) && s->rows < HIGH_SCREEN)
		return s->lesson ? LEAST_FACTS : FEW_ROWS;
	int guesses = s->rows >= HIGH_SCREEN ? GUESSES : s->lesson ? LESSON_GUESSES : FEW_GUESSES;
	return 4 + (int)notices(live_shown(s)) + guesses;
}

/* ---- words ---- */

/* Blanks in quotes, to be seen. */
static void token_text(const struct live *l, size_t id, char *out, size_t size)
{
	const char *text = l->model.vocab.text[id];

	snprintf(out, size, strcmp(text, " ") ? "%s" : "'%s'", text);
}

static void signed_text(double x, int decimals, char out[NUMBER_SIZE + 1])
{
	out[0] = '+';
	number_fixed(x, decimals, out + (x >= 0));
}

static const char *figure_text(double x, char out[NUMBER_SIZE])
{
	number_fixed(x, 2, out);
	return isnan(x) ? "-" : out;
}

/* How much of it has room: "koen 1.0, induction 0.42: causal off: picture alone", without
 * the name, or also without the options. */
enum head_words { HEAD_WHOLE, HEAD_WITHOUT_NAME, HEAD_BRIEF };

static void head_title(const struct state *s, enum head_words words, struct buffer *out)
{
	const struct live *l = live_shown(s);
	const struct options *o = &s->now.options;
	const struct head_figures f = model_head_figures(&l->run, (size_t)o->layer, (size_t)o->head);
	char number[NUMBER_SIZE];

	out->size = 0;
	if (words == HEAD_WHOLE)
		buffer_format(out, "%s ", l->name);
	buffer_format(out, "%ld.%ld", o->layer, o->head);
	if (f.name != HEAD_NONE && words == HEAD_WHOLE)
		buffer_format(out, ", %s %s", _(head_name_text(f.name)), figure_text(f.figure, number));
	buffer_text(out, ": ");
	live_where(s, words == HEAD_BRIEF, out);
}

static void figures_line(const struct state *s, struct buffer *out)
{
	const struct options *o = &s->now.options;
	const struct head_figures f = model_head_figures(&live_shown(s)->run, (size_t)o->layer, (size_t)o->head);
	const struct { const char *name; double value; } figure[] = {
		{ N_("previous"), f.previous }, { N_("2 back"), f.two_back }, { N_("itself"), f.itself }, { "[BOS]", f.bos },
		{ N_("followed"), f.followed }, { N_("entropy"), f.entropy },
	};
	char number[NUMBER_SIZE];

	for (size_t k = 0; k < sizeof figure / sizeof *figure; k++)
		buffer_format(out, "%s%s %s", k ? "  " : "", _(figure[k].name), figure_text(figure[k].value, number));
}

/* brief: the change alone. */
static void nats_text(const struct told *t, bool brief, struct buffer *out)
{
	char now[NUMBER_SIZE], was[NUMBER_SIZE], change[NUMBER_SIZE + 1];

	if (!t->live->text.characters || !t->now.p)
		return;
	number_fixed(t->now.nats, 4, now);
	buffer_format(out, brief ? _("nats %s") : _("nats per character %s"), now);
	if (!t->untouched.p)
		return;
	number_fixed(t->untouched.nats, 4, was);
	signed_text(t->now.nats - t->untouched.nats, 4, change);
	if (brief)
		buffer_format(out, " (%s)", change);
	else
		buffer_format(out, _(", untouched %s (%s)"), was, change);
}

static void after_text(const struct told *t, struct buffer *out)
{
	char token[40];

	token_text(t->live, t->live->text.ids[t->row], token, sizeof token);
	buffer_format(out, _("next after %zu %s"), t->row, token);
}

bool live_head_words(const struct state *s, size_t layer, size_t head, char *out, size_t size)
{
	const struct live *l = live_shown(s);
	char number[NUMBER_SIZE];

	if (!l || layer >= l->model.size.layers || head >= l->model.size.heads)
		return false;
	const struct head_figures f = model_head_figures(&l->run, layer, head);
	if (model_plan_head(&l->plan, layer, head)->off)
		snprintf(out, size, "%s", _("off"));
	else if (f.name != HEAD_NONE)
		snprintf(out, size, "%s %s", _(head_name_text(f.name)), figure_text(f.figure, number));
	else
		return false;
	return true;
}

/* ---- the text ---- */

static void run(const struct pane *p, int row, int *x, const char *text, size_t length, struct style style)
{
	char *part = strndup(text, length);

	if (part && *x < p->columns)
		*x += pane_text(p, row, *x, part, p->columns - *x, style);
	free(part);
}

/* Bytes of the text up to a row's character: before it, and with it. */
static void place_of(const struct live *l, size_t skip, size_t row, size_t *before, size_t *with)
{
	size_t length = strlen(l->nfc), at = 0;
	int32_t code;

	*before = *with = 0;
	for (size_t n = skip; n < row && at < length; n++) {
		*before = at;
		at += text_decode(l->nfc + at, length - at, &code);
		*with = at;
	}
}

static int part_width(const char *text, size_t from, size_t to, bool ascii)
{
	char *part = strndup(text + from, to - from);
	int width = part ? text_width(part, ascii) : 0;

	free(part);
	return width;
}

/* The character of the row whose next one is told stands out, and is seen. */
static void draw_still_text(struct canvas *c, const struct told *t, const struct pane *p, int row)
{
	const char *text = t->live->nfc;
	struct style style = color_paint(&c->look, PAINT_TEXT), marked = style;
	size_t before, with, first = 0, length = strlen(text);
	int x = 0;

	place_of(t->live, c->s->now.live->pad_left, t->row, &before, &with);
	marked.attributes |= REVERSE;
	canvas_hit(c, p->row + row, 0, p->columns, CMD_LIVE);
	run(p, row, &x, _("text "), (size_t)-1 >> 1, color_paint(&c->look, PAINT_MUTED));
	while (first < before && part_width(text, first, with, c->look.ascii) > p->columns - x - 2)
		first = text_next(text, length, first);
	run(p, row, &x, text + first, before - first, style);
	run(p, row, &x, text + before, with - before, marked);
	run(p, row, &x, text + with, length - with, style);
}

static void draw_text(struct canvas *c, const struct told *t, const struct pane *p, int row)
{
	if (c->s->mode == MODE_PROMPT && c->s->prompt.kind == PROMPT_LIVE)
		view_prompt(c, p->row + row);
	else
		draw_still_text(c, t, p, row);
}

/* ---- what comes next ---- */

static void draw_bar(struct canvas *c, const struct pane *p, int row, int x, int width, double share)
{
	static const char *const eighth[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	struct style style = color_paint(&c->look, PAINT_LIT);
	int parts = isfinite(share) ? (int)(share * width * 8 + 0.5) : 0;

	for (; parts >= 8; parts -= 8)
		pane_text(p, row, x++, c->look.ascii ? "#" : "█", 1, style);
	if (parts && !c->look.ascii)
		pane_text(p, row, x, eighth[parts], 1, style);
}

static void draw_guess(struct canvas *c, const struct told *t, const struct guess *g, const struct pane *p, int row, int x)
{
	char token[40], share[NUMBER_SIZE];

	token_text(t->live, g->id, token, sizeof token);
	number_fixed(g->p, 4, share);
	pane_field(p, row, x, token, TOKEN, -1, color_paint(&c->look, PAINT_LABEL));
	pane_text(p, row, x + TOKEN + 1, share, SHARE - 1, color_paint(&c->look, PAINT_TEXT));
}

/* A guess, its change, its bar; the guess that the untouched model has in its place. */
static void draw_line(struct canvas *c, const struct told *t, size_t k, const struct pane *p, int row)
{
	const struct guess *g = &t->now.top[k];
	int x = TOKEN + SHARE, other = TOKEN + SHARE, columns = p->columns;
	char change[NUMBER_SIZE + 1];

	draw_guess(c, t, g, p, row, 0);
	if (!t->untouched.p) {
		draw_bar(c, p, row, x, columns - x < MOST_BAR ? columns - x : MOST_BAR, g->p);
		return;
	}
	signed_text(g->p - t->untouched.p[g->id], 4, change);
	pane_text(p, row, x, change, CHANGE - 1, color_paint(&c->look, PAINT_KEY));
	x += CHANGE;
	int width = (columns - x - other - 2) / 2;
	width = width > MOST_BAR / 2 ? MOST_BAR / 2 : width;
	if (width >= 4) {
		draw_bar(c, p, row, x, width, g->p);
		x += width + 2;
	}
	if (x + other > columns)
		return;
	draw_guess(c, t, &t->untouched.top[k], p, row, x);
	if (width >= 4)
		draw_bar(c, p, row, x + other, width, t->untouched.top[k].p);
}

/* "  열 0.75  엽 0.09  닫 0.04" from column x on, as many as there is room for. */
static void draw_few_guesses(struct canvas *c, const struct told *t, const struct pane *p, int row, int x)
{
	char token[40], share[NUMBER_SIZE], one[sizeof token + NUMBER_SIZE + 4];

	for (size_t k = 0; k < t->now.n; k++) {
		token_text(t->live, t->now.top[k].id, token, sizeof token);
		number_fixed(t->now.top[k].p, 2, share);
		snprintf(one, sizeof one, "  %s %s", token, share);
		if (x + text_width(one, c->look.ascii) > p->columns)
			break;
		x += pane_text(p, row, x, one, -1, color_paint(&c->look, PAINT_TEXT));
	}
}

static void draw_guesses_on_a_line(struct canvas *c, const struct told *t, const struct pane *p, int row)
{
	struct buffer lead = { 0 };

	after_text(t, &lead);
	int x = pane_text(p, row, 0, lead.data ? lead.data : "", p->columns, color_paint(&c->look, PAINT_MUTED));
	buffer_free(&lead);
	draw_few_guesses(c, t, p, row, x);
}

/* What became NaN has seen everything that was (live_notice). */
static bool is_untrained(const struct told *t)
{
	return model_plan_not_causal(&t->live->plan) || (!isnan(t->now.nats) && model_pad_seen(&t->live->run));
}

/* How well the model does and what it is interfered with, as far as no other line says it; the
 * guesses have what is left. */
static void draw_brief(struct canvas *c, const struct told *t, const struct pane *p, int row)
{
	bool headless = c->l.live_rows < LEAST_HEAD, noticed = row > 1;
	struct buffer text = { 0 }, where = { 0 };
	int x = 0;

	nats_text(t, true, &text);
	if (headless) {
		live_where(c->s, true, &where);
		buffer_format(&text, "%s%s", text.size ? "  " : "", where.data ? where.data : "");
	}
	x += pane_text(p, row, x, text.data ? text.data : "", p->columns, color_paint(&c->look, PAINT_TEXT));
	if (!noticed && is_untrained(t) && x < p->columns) {
		x += pane_text(p, row, x, x ? "  " : "", p->columns - x, color_paint(&c->look, PAINT_TEXT));
		x += pane_text(p, row, x, _("outside of training"), p->columns - x, color_paint(&c->look, PAINT_WARN));
	}
	draw_few_guesses(c, t, p, row, x);
	buffer_free(&text);
	buffer_free(&where);
}

/* ---- all of it ---- */

static void put_line(struct canvas *c, const struct pane *p, int row, struct buffer *text, enum paint paint)
{
	pane_text(p, row, 0, text->data ? text->data : "", p->columns, color_paint(&c->look, paint));
	text->size = 0;
	if (text->data)
		*text->data = '\0';
}

/* The nats behind `lead`, briefly where not all of it has room. */
static void put_nats(struct canvas *c, const struct told *t, const struct pane *p, int row, const char *lead, struct buffer *text)
{
	for (int brief = 0; brief < 2; brief++) {
		text->size = 0;
		buffer_text(text, lead);
		nats_text(t, brief, text);
		if (text->data && text_width(text->data, c->look.ascii) <= p->columns)
			break;
	}
	put_line(c, p, row, text, PAINT_TEXT);
}

/* What comes after which position, and the nats. */
static void put_after(struct canvas *c, const struct told *t, const struct pane *p, int row, struct buffer *text)
{
	struct buffer lead = { 0 };

	after_text(t, &lead);
	buffer_text(&lead, "   ");
	put_nats(c, t, p, row, lead.data ? lead.data : "", text);
	buffer_free(&lead);
}

static void put_notices(struct canvas *c, const struct told *t, const struct pane *p, int *row, struct buffer *text)
{
	for (size_t k = 0; k < NOTICES && p->rows - *row > 1 && live_notice(t->live, k, text); k++)
		put_line(c, p, (*row)++, text, PAINT_WARN);
}

static void put_figures(struct canvas *c, const struct pane *p, int *row, struct buffer *text)
{
	figures_line(c->s, text);
	put_line(c, p, (*row)++, text, PAINT_MUTED);
}

/* What is said of the text and of the heads, and how well the model does, from *row on. What has to be
 * said comes before all but the likeliest guess. */
static void draw_facts(struct canvas *c, const struct told *t, const struct pane *p, int *row, struct buffer *text)
{
	put_after(c, t, p, (*row)++, text);
	put_notices(c, t, p, row, text);
	if (p->rows - *row > 2)
		put_figures(c, p, row, text);
}

/* The same in so few rows that each guess has none of its own: where all of it does not fit, the
 * nats share a line with the guesses. */
static void draw_few_facts(struct canvas *c, const struct told *t, const struct pane *p, int *row, struct buffer *text)
{
	bool room = p->rows - *row >= 2 + (notices(t->live) > 0);

	if (room)
		draw_guesses_on_a_line(c, t, p, (*row)++);
	put_notices(c, t, p, row, text);
	if (room)
		put_nats(c, t, p, (*row)++, "", text);
	else if (*row < p->rows)
		draw_brief(c, t, p, (*row)++);
	if (*row < p->rows)
		put_figures(c, p, row, text);
}

static struct pane draw_head(struct canvas *c, struct buffer *text)
{
	const struct layout *l = &c->l;

	if (l->live_rows < LEAST_HEAD)
		return pane_part(&c->screen, l->live, 0, l->live_rows, c->s->columns);
	for (int words = HEAD_WHOLE; words <= HEAD_BRIEF; words++) {
		head_title(c->s, (enum head_words)words, text);
		if (text->data && text_width(text->data, c->look.ascii) <= c->s->columns - 4)
			break;
	}
	struct pane p = panel_head_at(c, l->live, l->live_rows, text->data ? text->data : "", c->s->columns);
	text->size = 0;
	return p;
}

void view_live(struct canvas *c)
{
	const struct layout *l = &c->l;
	struct buffer text = { 0 };

	if (!l->live_rows || !live_shown(c->s))
		return;
	struct told t = tell(c->s);
	pane_fill(&c->screen, l->live, 0, l->live_rows, c->s->columns, color_paint(&c->look, PAINT_TEXT));
	struct pane p = draw_head(c, &text);
	int row = 0;
	draw_text(c, &t, &p, row++);
	if (l->live_rows < LEAST_BARS) {
		draw_few_facts(c, &t, &p, &row, &text);
	} else {
		draw_facts(c, &t, &p, &row, &text);
		for (size_t k = 0; row < p.rows && k < t.now.n; k++)
			draw_line(c, &t, k, &p, row++);
	}
	buffer_free(&text);
	told_free(&t);
}
