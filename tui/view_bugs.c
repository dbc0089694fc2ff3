/* view_bugs.c - the bug lab: the named mistakes, what is known of one of them,
 * and the lamps and read-outs as they are now.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/message.h"
#include "tui/text.h"
#include "tui/view_parts.h"

/* From WIDE columns on the lamps say what they found, in a pane of their own. */
enum { MARKS = 3, MARK = 2, LEAST_TEXT = 12, CLINIC_NAME = 12, WIDE = 140, WIDE_TEXT = 80 };

/* ---- the list ---- */

static int names_width(void)
{
	size_t widest = 0;

	for (size_t k = 0; k < bugs_count; k++)
		if (strlen(bugs[k].name) > widest)
			widest = strlen(bugs[k].name);
	return (int)widest;
}

/* "> a *name": what Enter takes, the letter, and whether it is in force. */
static void draw_bug(const struct canvas *c, const struct pane *p, int row, size_t k)
{
	bool chosen = k == c->s->panel.chosen, in_force = panel_bug_in_force(c->s, k);
	char letter[2] = { panel_row_letter(k), '\0' };

	if (c->s->lesson && *letter == 'n')	/* turns the page there */
		*letter = '\0';

	if (chosen)
		pane_text(p, row, 0, ">", 1, canvas_paint(c, PAINT_TEXT));
	pane_text(p, row, 1, letter, 1, canvas_paint(c, PAINT_KEY));
	if (in_force)
		pane_text(p, row, 2, "*", 1, canvas_paint(c, PAINT_WARN));
	pane_text(p, row, MARKS, bugs[k].name, p->columns - MARKS - 1,
		  canvas_paint(c, in_force ? PAINT_LIT : chosen ? PAINT_TITLE : PAINT_TEXT));
}

/* k of the heading and the clinics below it. */
static void draw_clinic(const struct canvas *c, const struct pane *p, int row, size_t k, bool title)
{
	char digit[2] = { (char)('0' + k), '\0' };

	if (!k) {
		pane_text(p, row, 1, _("clinics"), -1, canvas_paint(c, PAINT_MUTED));
		return;
	}
	pane_text(p, row, 1, digit, 1, canvas_paint(c, PAINT_KEY));
	int x = MARKS + pane_field(p, row, MARKS, clinics[k - 1].name, CLINIC_NAME, -1, canvas_paint(c, PAINT_TEXT));
	if (title)
		pane_text(p, row, x, _(clinics[k - 1].title), p->columns - x, canvas_paint(c, PAINT_MUTED));
}

static void draw_list(const struct canvas *c, const struct pane *p)
{
	size_t top = c->s->panel.top, n = panel_bug_entries(c->s);

	for (int row = 0; row < p->rows && top + (size_t)row < n; row++) {
		size_t k = top + (size_t)row;
		if (k < bugs_count)
			draw_bug(c, p, row, k);
		else
			draw_clinic(c, p, row, k - bugs_count, false);
	}
	if (top)
		pane_text(p, 0, p->columns - 1, p->ascii ? "^" : "\u2191", 1, canvas_paint(c, PAINT_MUTED));
	if (top + (size_t)p->rows < n)
		pane_text(p, p->rows - 1, p->columns - 1, p->ascii ? "v" : "\u2193", 1, canvas_paint(c, PAINT_MUTED));
}

/* ---- the lamps ---- */

static const char *lamp_name(enum probe_name n)
{
	static const char *const name[PROBE_COUNT] = {
		[PROBE_UPPER_TRIANGLE] = N_("triangle"), [PROBE_ROW_SUMS] = N_("sums"), [PROBE_K] = "K", [PROBE_V] = "V",
		[PROBE_Q] = "Q", [PROBE_PAD_COLUMNS] = N_("pad"), [PROBE_EMPTY_ROWS] = N_("empty"),
	};
	return _(name[n]);
}

static const struct probe_check *lamp_check(const struct panel *p, enum probe_name n)
{
	return p->probes.work && probe_work_done(p->probes.work, n) ? &probe_work_report(p->probes.work)->check[n] : NULL;
}

/* The answers differ as words, for those who see no colour. */
static const char *lamp_word(const struct probe_check *check)
{
	static const char *const word[] = { [ANSWER_NO] = "NO", [ANSWER_YES] = "ok", [ANSWER_NONE] = "--" };

	return check ? word[check->ok] : "..";
}

static enum paint lamp_paint(const struct probe_check *check)
{
	static const enum paint of[] = { [ANSWER_NO] = PAINT_BAD, [ANSWER_YES] = PAINT_OK, [ANSWER_NONE] = PAINT_MUTED };

	return check ? of[check->ok] : PAINT_MUTED;
}

/* One cell after the other, none broken; p NULL: only counted. Returns the rows. */
static int draw_lamps(const struct canvas *c, const struct pane *p, int row, int columns)
{
	int x = 0, first = row;

	for (int n = 0; n < PROBE_COUNT; n++) {
		const struct probe_check *check = lamp_check(&c->s->panel, (enum probe_name)n);
		const char *name = lamp_name((enum probe_name)n);
		int width = text_width(name, c->look.ascii) + 1 + 2;
		if (x && x + width > columns) {
			x = 0;
			row++;
		}
		if (p) {
			pane_text(p, row, x, name, -1, canvas_paint(c, PAINT_TEXT));
			pane_text(p, row, x + width - 2, lamp_word(check), -1, canvas_paint(c, lamp_paint(check)));
		}
		x += width + 2;
	}
	return row + 1 - first;
}

/* What each lamp found, as far as its row has room. */
static void draw_findings(const struct canvas *c, const struct pane *p)
{
	pane_text(p, 0, 0, _("lamps now"), -1, canvas_paint(c, PAINT_MUTED));
	for (int n = 0; n < PROBE_COUNT; n++) {
		const struct probe_check *check = lamp_check(&c->s->panel, (enum probe_name)n);
		pane_text(p, n + 1, 1, lamp_name((enum probe_name)n), 8, canvas_paint(c, PAINT_TEXT));
		pane_text(p, n + 1, 10, lamp_word(check), -1, canvas_paint(c, lamp_paint(check)));
		if (check)
			pane_text(p, n + 1, 13, check->detail, p->columns - 13, canvas_paint(c, PAINT_MUTED));
	}
}

static void put_number(struct buffer *out, double x, int digits)
{
	char text[NUMBER_SIZE];

	if (fabs(x) >= 1e5)
		snprintf(text, sizeof text, "%.2g", x);
	else
		number_fixed(x, digits, text);
	buffer_text(out, isnan(x) ? "--" : text);
}

static void readout_text(const struct state *s, int columns, struct buffer *out)
{
	const struct readout *r = &s->panel.lab.readout;
	bool wide = columns >= 90;

	if (!s->panel.lab.readout_done) {
		buffer_text(out, _("spread ..  mean largest ..  empty rows .."));
		return;
	}
	buffer_text(out, wide ? _("spread of the scaled scores ") : _("spread "));
	put_number(out, r->spread, 2);
	buffer_text(out, wide ? _(" beside 1   mean largest weight ") : _(" beside 1  mean largest "));
	put_number(out, r->mean_largest, 3);
	buffer_format(out, wide ? _("   empty rows %zu") : _("  empty rows %zu"), r->empty_rows);
	if (r->rows < r->of)
		buffer_format(out, _(" (%zu of %zu rows)"), r->rows, r->of);
}

/* ---- what is known of a bug ---- */

/* Whether what a mistake needs is missing. Hidden cells and empty rows are those
 * that the read-outs have met. */
static bool lacks(const struct state *s, enum bug_needs n)
{
	const struct problem *p = s->problem;
	const struct options *o = &s->now.options;
	const struct readout *r = &s->panel.lab.readout;
	bool met = s->panel.lab.readout_done;

	switch (n) {
	case BUG_NEEDS_HIDDEN:
		return met && r->scores == r->rows * p->n_k;
	case BUG_NEEDS_PAD:
		return !o->pad.n || !o->pad_mask;
	case BUG_NEEDS_EMPTY_ROW:
		return met && !r->empty_rows;
	case BUG_NEEDS_D_K:
		return !p->d_k;
	case BUG_NEEDS_SCALE:
		return !p->d_k || o->scale.word == SCALE_NONE;
	case BUG_NEEDS_HEADS:
		return (o->d_model > 0 ? (size_t)o->d_model : p->d_model) == p->d_k;
	case BUG_NEEDS_SQUARE:
		return p->n_k != p->d_k;
	default:
		return false;
	}
}

static void exposed_text(const struct bug *bug, bool seen_here, struct buffer *out)
{
	const char *before = bug->lamps & (bug->lamps - 1) ? _("lamps ") : _("lamp ");

	buffer_text(out, _("Exposed by: "));
	for (int n = 0; n < PROBE_COUNT; n++)
		if (bug->lamps & 1u << n) {
			buffer_format(out, "%s%s", before, lamp_name((enum probe_name)n));
			before = ", ";
		}
	if (!bug->lamps)
		buffer_text(out, bug->readout ? _(bug->readout) : _("nothing"));
	buffer_text(out, ".");
	if (seen_here)
		buffer_format(out, _(" Best seen in %s."), bug->scenario);
}

/* In the order in which they stand. */
enum part { PART_LAMPS, PART_READOUT, PART_TITLE, PART_NEEDS, PART_CODE, PART_SYMPTOM, PART_EXPOSED, PART_FIX, PART_COUNT };

struct details {
	struct buffer text[PART_COUNT];		/* but the lamps */
	int rows[PART_COUNT];
	bool space[PART_COUNT];			/* a blank row above it */
};

static enum paint part_paint(enum part part)
{
	switch (part) {
	case PART_TITLE:
		return PAINT_TITLE;
	case PART_NEEDS:
		return PAINT_WARN;
	default:
		return PAINT_TEXT;
	}
}

static void write_parts(const struct state *s, const struct bug *bug, int columns, struct details *d)
{
	readout_text(s, columns, &d->text[PART_READOUT]);
	buffer_text(&d->text[PART_TITLE], _(bug->title));
	bool given = s->problem->source == SOURCE_WEIGHTS, lacking = !given && lacks(s, bug->needs);
	if (given)
		buffer_text(&d->text[PART_NEEDS], _("Changes nothing here: the weights are given, not computed."));
	if (lacking)
		buffer_format(&d->text[PART_NEEDS], _("Needs %s, as in %s."), _(bug_needs_text(bug->needs)), bug->scenario);
	buffer_text(&d->text[PART_CODE], bug->code);
	buffer_text(&d->text[PART_SYMPTOM], _(bug->symptom));
	exposed_text(bug, !lacking, &d->text[PART_EXPOSED]);
	buffer_format(&d->text[PART_FIX], _("Fix: %s"), _(bug->fix));
}

/* Its lines, each broken where it has no room; a pane without rows only counts. */
static int put_code(const struct canvas *c, const struct pane *p, int row, const char *code, int most)
{
	int indent = 2, used = 0;

	for (const char *line = code; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if ((int)strcspn(line, "\n") + indent > p->columns)
			indent = 0;
	while (used < most) {
		char line[128];
		size_t n = strcspn(code, "\n");
		snprintf(line, sizeof line, "%.*s", (int)n, code);
		int rows = panel_wrap(p, row + used, indent, line, most - used, canvas_paint(c, PAINT_LABEL));
		used += rows ? rows : 1;
		if (!code[n])
			break;
		code += n + 1;
	}
	return used;
}

static int part_rows(const struct canvas *c, const struct details *d, enum part part, int columns)
{
	const char *text = d->text[part].data;

	/* A pane without rows: nothing is drawn, but counted. */
	struct pane none = pane_part(&c->screen, 0, 0, 0, columns);

	if (part == PART_LAMPS)		/* on a wide screen they stand beside what they found */
		return columns < WIDE_TEXT || c->s->panel.failed ? draw_lamps(c, NULL, 0, columns) : 0;
	if (!text)
		return 0;
	return part == PART_CODE ? put_code(c, &none, 0, text, 100) : panel_wrap(&none, 0, 0, text, 100, canvas_paint(c, PAINT_TEXT));
}

/* Gives each part its rows, the more important first, and what is left as blank
 * rows between. Returns the rows that were wanted. */
static int allot(const struct canvas *c, struct details *d, const struct pane *p)
{
	static const enum part importance[] = {
		PART_LAMPS, PART_TITLE, PART_NEEDS, PART_CODE, PART_SYMPTOM, PART_EXPOSED, PART_FIX, PART_READOUT,
	};
	static const enum part spaced[] = { PART_TITLE, PART_SYMPTOM, PART_EXPOSED, PART_FIX, PART_CODE };
	int left = p->rows, wanted = 0;

	for (size_t k = 0; k < sizeof importance / sizeof *importance; k++) {
		enum part part = importance[k];
		int rows = part_rows(c, d, part, p->columns);
		wanted += rows;
		d->rows[part] = rows < left ? rows : left;
		left -= d->rows[part];
	}
	for (size_t k = 0; k < sizeof spaced / sizeof *spaced; k++)
		if ((d->space[spaced[k]] = left > 0))
			left--;
	return wanted;
}

/* Rows above and below the pane are not drawn. */
static void draw_part(const struct canvas *c, const struct pane *p, int row, const struct details *d, enum part part)
{
	const char *text = d->text[part].data;

	if (part == PART_LAMPS && c->s->panel.failed)
		panel_wrap(p, row, 0, c->s->panel.error, d->rows[part], canvas_paint(c, PAINT_BAD));
	else if (part == PART_LAMPS)
		draw_lamps(c, p, row, p->columns);
	else if (part == PART_CODE)
		put_code(c, p, row, text, d->rows[part]);
	else
		panel_wrap(p, row, 0, text, d->rows[part], canvas_paint(c, part_paint(part)));
}

/* The texts; rows are saved where one goes on in the row of another. Whether all have room. */
static bool write_details(const struct canvas *c, const struct pane *p, const struct bug *bug, struct details *d)
{
	static const enum part joined[] = { PART_NEEDS, PART_FIX };

	write_parts(c->s, bug, p->columns, d);
	for (size_t k = 0; allot(c, d, p) > p->rows && k < sizeof joined / sizeof *joined; k++) {
		struct buffer *text = &d->text[joined[k]];
		if (text->data)
			buffer_format(&d->text[PART_EXPOSED], " %s", text->data);
		buffer_free(text);
	}
	return allot(c, d, p) <= p->rows;
}

static void free_details(struct details *d)
{
	for (int part = 0; part < PART_COUNT; part++)
		buffer_free(&d->text[part]);
}

/* What has no room: all rows of all parts, in columns that leave some for the marks. */
static int all_rows(const struct canvas *c, struct details *d, int columns)
{
	int rows = 0;

	for (int part = 0; part < PART_COUNT; part++) {
		d->rows[part] = part_rows(c, d, (enum part)part, columns);
		rows += d->rows[part];
	}
	return rows;
}

static void draw_scrolled(const struct canvas *c, const struct pane *p, struct details *d)
{
	struct pane narrow = pane_part(p, 0, 0, p->rows, p->columns - MARK);
	int most = all_rows(c, d, narrow.columns) - p->rows, row = -most;

	if (c->s->panel.lab.top < (size_t)most)
		row = -(int)c->s->panel.lab.top;
	if (row < 0)
		pane_text(p, 0, p->columns - 1, p->ascii ? "^" : "\u2191", 1, canvas_paint(c, PAINT_WARN));
	if (row > -most)
		pane_text(p, p->rows - 1, p->columns - 1, p->ascii ? "v" : "\u2193", 1, canvas_paint(c, PAINT_WARN));
	for (int part = 0; part < PART_COUNT; row += d->rows[part++])
		if (d->rows[part])
			draw_part(c, &narrow, row, d, (enum part)part);
}

static void draw_details(const struct canvas *c, const struct pane *p, const struct bug *bug)
{
	struct details d = { 0 };
	int row = 0;

	if (!write_details(c, p, bug, &d)) {
		draw_scrolled(c, p, &d);
		free_details(&d);
		return;
	}
	for (int part = 0; part < PART_COUNT; part++) {
		row += d.space[part];
		if (d.rows[part])
			draw_part(c, p, row, &d, (enum part)part);
		row += d.rows[part];
	}
	free_details(&d);
}

/* ---- the panes ---- */

static struct pane bugs_head(struct canvas *c)
{
	const char *list = c->s->now.options.bug;
	char title[200];

	snprintf(title, sizeof title, _("bug lab: %.150s in force"), *list ? list : _("no mistake"));
	return panel_head(c, title);
}

static void draw_clinics(const struct canvas *c, const struct pane *p, int row, bool titles)
{
	for (size_t k = 0; k <= clinics_count; k++)
		draw_clinic(c, p, row + (int)k, k, titles);
}

/* Where the details stand: beside the list, and beside the clinics that are not in it. */
static struct pane details_pane(const struct state *s, const struct pane *p)
{
	int x = MARKS + names_width() + 2;
	bool beside = panel_bug_entries(s) == bugs_count;

	if (s->columns >= WIDE)
		return pane_part(p, 0, x, p->rows, WIDE_TEXT);
	return pane_part(p, 0, beside ? x + MARKS + CLINIC_NAME : x, p->rows, s->columns);
}

/* Nothing is drawn: a picture without cells has the size. */
int view_bugs_left_out(const struct state *s, int *shown)
{
	struct canvas c = { .s = (struct state *)s, .look = state_look(s) };
	struct details d = { 0 };

	layout_make(&c.l, s);
	c.screen = (struct pane){ .rows = s->rows, .columns = s->columns, .ascii = c.look.ascii };
	struct pane p = pane_part(&c.screen, c.l.panel + 1, 0, c.l.panel_rows - 1, s->columns), text = details_pane(s, &p);
	bool fits = text.columns < LEAST_TEXT || write_details(&c, &text, &bugs[s->panel.chosen], &d);
	int rest = fits ? 0 : all_rows(&c, &d, text.columns - MARK) - text.rows;
	free_details(&d);
	*shown = text.rows;
	return rest;
}

void view_bugs(struct canvas *c)
{
	struct pane p = bugs_head(c), list, text, side;
	int x = MARKS + names_width() + 2;

	list = pane_part(&p, 0, 0, p.rows, x - 1);
	draw_list(c, &list);
	text = details_pane(c->s, &p);
	if (c->s->columns >= WIDE) {
		side = pane_part(&p, 0, x + WIDE_TEXT + 2, p.rows, c->s->columns);
		draw_findings(c, &side);
		draw_clinics(c, &side, PROBE_COUNT + 2, true);
	} else if (panel_bug_entries(c->s) == bugs_count) {
		side = pane_part(&p, 0, x, p.rows, MARKS + CLINIC_NAME);
		draw_clinics(c, &side, 0, false);
	}
	if (text.columns >= LEAST_TEXT)
		draw_details(c, &text, &bugs[c->s->panel.chosen]);
}

/* ---- in lines ---- */

static void lamps_text(const struct state *s, struct buffer *out)
{
	buffer_format(out, "%s:", _("lamps now"));
	for (int n = 0; n < PROBE_COUNT; n++)
		buffer_format(out, "%s %s %s", n ? "," : "", lamp_name((enum probe_name)n), lamp_word(lamp_check(&s->panel, (enum probe_name)n)));
	buffer_text(out, "\n");
}

void view_bugs_text(const struct state *s, struct buffer *out)
{
	enum { ANY_COLUMNS = 1000 };
	struct details d = { 0 };

	buffer_format(out, _("bug lab: %.150s in force"), *s->now.options.bug ? s->now.options.bug : _("no mistake"));
	buffer_text(out, "\n");
	for (size_t k = 0; k < bugs_count; k++)
		buffer_format(out, "%s%c%s %s\n", k == s->panel.chosen ? "> " : "", panel_row_letter(k),
			      panel_bug_in_force(s, k) ? " *" : "", bugs[k].name);
	buffer_format(out, "%s\n", _("clinics"));
	for (size_t k = 0; k < clinics_count; k++)
		buffer_format(out, "%zu %s: %s\n", k + 1, clinics[k].name, _(clinics[k].title));
	lamps_text(s, out);
	write_parts(s, &bugs[s->panel.chosen], ANY_COLUMNS, &d);
	for (int part = PART_LAMPS + 1; part < PART_COUNT; part++)
		if (d.text[part].data)
			buffer_format(out, "%s\n", d.text[part].data);
	free_details(&d);
}
