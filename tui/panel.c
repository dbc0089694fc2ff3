/* panel.c - what stands under the grid: which kind is open, and what all kinds share. */
#include "tui/panel.h"

#include <stdio.h>

#include "tui/panel_kinds.h"

static const struct panel_ops no_panel = { .mode = MODE_GRID, .command = CMD_COUNT };

static const struct panel_ops *const kinds[] = {
	[PANEL_NONE] = &no_panel,
	[PANEL_VERIFY] = &panel_verify_ops,
	[PANEL_INFLUENCE] = &panel_influence_ops,
	[PANEL_GRADIENT] = &panel_gradient_ops,
	[PANEL_BUGS] = &panel_bugs_ops,
	[PANEL_CLINIC] = &panel_clinic_ops,
	[PANEL_SWEEP] = &panel_sweep_ops,
	[PANEL_PREDICT] = &panel_predict_ops,
	[PANEL_INSPECTOR] = &panel_inspector_ops,
	[PANEL_WALK] = &panel_walk_ops,
	[PANEL_HEADS] = &panel_heads_ops,
	[PANEL_OVERVIEW] = &panel_overview_ops,
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct panel_ops *ops(const struct state *s)
{
	return kinds[s->panel.kind];
}

/* ---- which is open ---- */

enum mode panel_mode(const struct state *s)
{
	return ops(s)->mode;
}

bool panel_is_whole(const struct state *s)
{
	return ops(s)->whole;
}

static void close_all(struct panel *p)
{
	for (int k = 0; k < KINDS; k++)
		if (kinds[k]->close)
			kinds[k]->close(p);
}

void panel_open(struct state *s, enum panel_kind kind)
{
	if (s->panel.kind != kind)
		s->panel.chosen = s->panel.top = 0;
	s->panel.kind = kind;
	s->mode = panel_mode(s);
}

void panel_close(struct state *s)
{
	panel_forget(s);
	close_all(&s->panel);
	s->panel.kind = PANEL_NONE;
	s->mode = MODE_GRID;
}

void panel_close_silently(struct state *s)
{
	panel_close(s);
	s->sentence[0] = '\0';
}

static const struct panel_ops *opened_by(enum command c)
{
	for (int k = 0; k < KINDS; k++)
		if (kinds[k]->open && kinds[k]->command == c)
			return kinds[k];
	return NULL;
}

bool panel_is_opened_by(enum command c)
{
	return opened_by(c) != NULL;
}

bool panel_is_open_by(const struct state *s, enum command c)
{
	return s->panel.kind != PANEL_NONE && ops(s)->command == c;
}

void panel_command(struct state *s, enum command c, const char *argument, const char *by)
{
	const struct panel_ops *o = opened_by(c);

	if (o)
		o->open(s, argument, by);
}

/* ---- keys ---- */

char panel_row_letter(size_t k)
{
	char letter = (char)('a' + k);

	return letter >= 'q' ? (char)(letter + 1) : letter;
}

bool panel_letter_row(uint32_t code, size_t rows, size_t *row)
{
	for (*row = 0; *row < rows; ++*row)
		if (code == (uint32_t)panel_row_letter(*row))
			return true;
	return false;
}

/* Help, a list or a line that is typed takes the keys of a panel below it. */
static bool has_keys(const struct state *s)
{
	return s->mode == panel_mode(s);
}

bool panel_letter(struct state *s, uint32_t code)
{
	char by[2] = { code < 128 ? (char)code : '?', '\0' };

	return has_keys(s) && ops(s)->letter && ops(s)->letter(s, code, by);
}

bool panel_typed(struct state *s, const char *text)
{
	return ops(s)->typed && ops(s)->typed(s, text);
}

bool panel_takes(struct state *s, enum command c, const char *by)
{
	if (s->panel.kind == PANEL_NONE)
		return false;
	if (has_keys(s) && ops(s)->takes && ops(s)->takes(s, c, by))
		return true;
	if (c != CMD_CLOSE && (c != CMD_QUIT || s->mode == MODE_GRID))
		return false;
	panel_close_silently(s);
	return true;
}

bool panel_move_chosen(struct panel *p, enum command c, size_t n)
{
	switch (c) {
	case CMD_UP:
		p->chosen = (p->chosen + n - 1) % n;
		return true;
	case CMD_DOWN:
		p->chosen = (p->chosen + 1) % n;
		return true;
	case CMD_FIRST:
	case CMD_PAGE_UP:
	case CMD_ROW_START:
		p->chosen = 0;
		return true;
	case CMD_LAST:
	case CMD_PAGE_DOWN:
	case CMD_ROW_END:
		p->chosen = n - 1;
		return true;
	default:
		return false;
	}
}

/* ---- room ---- */

int panel_rows(const struct state *s)
{
	return ops(s)->rows ? ops(s)->rows(s) : 0;
}

void panel_check(struct state *s)
{
	if (ops(s)->check)
		ops(s)->check(s);
}

void panel_settle(struct state *s)
{
	struct layout l;

	if (!ops(s)->settle)
		return;
	layout_make(&l, s);
	ops(s)->settle(s, &l);
}

size_t panel_picture_room(const struct layout *l)
{
	return l->panel_rows > 3 ? (size_t)l->panel_rows - 3 : 1;
}

int panel_as_rows(size_t n)
{
	return n < 1000 ? (int)n : 1000;
}

void panel_keep_in(size_t wanted, size_t count, size_t room, size_t *first)
{
	if (room >= count)
		*first = 0;
	else if (wanted < *first)
		*first = wanted;
	else if (wanted >= *first + room)
		*first = wanted - room + 1;
	else if (*first + room > count)
		*first = count - room;
}

void panel_window_around(size_t at, size_t n, size_t room, size_t *first, size_t *count)
{
	size_t from = at > room ? at - room : 0, to = at + room < n ? at + room : n;

	*first = n <= 2 * room ? 0 : from;
	*count = n <= 2 * room ? n : to - from;
}

void panel_keep_rows(struct state *s, size_t rows)
{
	struct error e = { 0 };
	size_t n_q = s->problem->n_q;

	if (grid_reserve(&s->grid, rows < n_q ? rows : n_q, &e))
		state_say(s, true, "%s", e.text);
}

bool panel_is_quick(const struct state *s, size_t rows)
{
	return (double)rows * (double)s->problem->n_k * (20 + (double)s->problem->d_k) < 0x1p18;
}

/* ---- work ---- */

void panel_fail(struct panel *p, const struct error *e)
{
	p->failed = true;
	snprintf(p->error, sizeof p->error, "%.190s", e->text);
}

static void forget_all(struct panel *p)
{
	for (int k = 0; k < KINDS; k++)
		if (kinds[k]->forget)
			kinds[k]->forget(p);
	p->failed = false;
	p->error[0] = '\0';
}

void panel_forget(struct state *s)
{
	forget_all(&s->panel);
}

bool panel_working(const struct state *s)
{
	return !s->panel.failed && ops(s)->working && ops(s)->working(s);
}

bool panel_work(struct state *s)
{
	if (!panel_working(s))
		return false;
	ops(s)->work(s);
	return true;
}

double panel_progress(const struct state *s)
{
	return ops(s)->progress ? ops(s)->progress(s) : 0;
}

void panel_free(struct panel *p)
{
	forget_all(p);
	close_all(p);
	*p = (struct panel){ 0 };
}
