/* action_place.c - where one is on the screen, gone to by name, and the keys that lead there. */
#include "tui/action.h"

#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "tui/panel_kinds.h"

/* ---- :go ROW:COLUMN, and the cell that is shown first ---- */

/* "2:0" at *text, which moves behind it and the blanks there. */
static bool read_place(const char **text, size_t *row, size_t *column)
{
	size_t n = strcspn(*text, ":"), m = (*text)[n] ? strcspn(*text + n + 1, " ") : 0;
	long r, c;

	if (!m || !number_parse_integer(*text, n, &r) || !number_parse_integer(*text + n + 1, m, &c) || r < 0 || c < 0)
		return false;
	*row = (size_t)r;
	*column = (size_t)c;
	*text += n + 1 + m;
	*text += strspn(*text, " ");
	return true;
}

void act_go(struct state *s, const struct call *call)
{
	const char *text = call->argument;
	size_t row, column, top = s->top, left = s->left, rows, columns;
	bool fine = read_place(&text, &row, &column) && (!*text || read_place(&text, &top, &left)) && !*text;

	state_shape(s, &rows, &columns);
	if (!fine || row >= rows || column >= columns || top >= rows || left >= columns) {
		state_say(s, true, "%s: '%.40s' is no cell here; expected ROW:COLUMN from 0:0 to %zu:%zu", call->by, call->argument,
			  rows - 1, columns - 1);
		return;
	}
	s->row = row;
	s->column = column;
	s->top = top;
	s->left = left;
	state_say(s, false, "%s: row %zu, column %zu", call->by, row, column);
}

/* ---- the keys ---- */

static void put_line(struct buffer *out, const char *line)
{
	buffer_format(out, "%s:%s<Enter>", out->size ? " " : "", line);
}

static void put_times(struct buffer *out, const char *key, size_t n)
{
	while (n--)
		buffer_format(out, "%s%s", out->size ? " " : "", key);
}

/* Its own key, unless the user's configuration has that for something else. */
static void put_command(const struct state *s, enum command c, size_t n, struct buffer *out)
{
	const struct command_info *info = command_info(c);
	char key[KEY_TEXT_SIZE];
	struct key k = { 0 };

	snprintf(key, sizeof key, "%.*s", (int)strcspn(info->keys, " "), info->keys);
	bool own = key_parse(key, &k) && keymap_find(&s->keymap, &k) == c && !keymap_line(&s->keymap, &k);
	if (own)
		put_times(out, key, n);
	for (size_t i = 0; !own && i < n; i++)
		put_line(out, info->name);
}

static void put_go(struct buffer *out, size_t row, size_t column, size_t top, size_t left)
{
	char line[120];

	if (top || left)
		snprintf(line, sizeof line, "go %zu:%zu %zu:%zu", row, column, top, left);
	else
		snprintf(line, sizeof line, "go %zu:%zu", row, column);
	put_line(out, line);
}

static void put_look(const struct state *s, struct buffer *out)
{
	if (s->present.on)
		put_line(out, "present");
	if (s->present.spotlight != s->present.on)
		put_line(out, s->present.spotlight ? "spotlight" : "spotlight off");
	if (state_shows_mean(s))
		put_line(out, "mean on");
	put_command(s, CMD_CELL_SIZE, (size_t)s->zoom, out);
}

static void put_walk(const struct state *s, struct buffer *out)
{
	enum walk_step steps[WALK_STEPS];
	size_t n = panel_walk_steps(s, steps), k = 0;

	while (k + 1 < n && steps[k] < s->panel.walk.step)
		k++;
	put_command(s, CMD_FORWARD, k + 1, out);
}

static void put_predict(const struct state *s, struct buffer *out)
{
	const struct panel_predict *p = &s->panel.predict;

	put_command(s, CMD_PREDICT, (size_t)p->what + 1, out);
	if (p->what == PREDICT_ROW || p->what == PREDICT_HIDDEN)
		put_command(s, CMD_RIGHT, p->at, out);
	put_command(s, CMD_FORWARD, p->revealed, out);
}

static void put_clinic(const struct state *s, struct buffer *out)
{
	char line[100];

	snprintf(line, sizeof line, "clinic %s", s->panel.clinic.which->name);
	put_line(out, line);
}

static void put_heads(const struct state *s, struct buffer *out)
{
	put_command(s, CMD_HEADS, 1, out);
	if (s->panel.chosen == heads_in_force(s))
		return;
	put_command(s, CMD_ROW_START, 1, out);
	put_command(s, CMD_RIGHT, s->panel.chosen, out);
}

/* Keys that are played leave the lamps no time: they go on from the first. */
static void put_verify(const struct state *s, struct buffer *out)
{
	const struct panel *p = &s->panel;

	put_command(s, CMD_VERIFY, 1 + (p->probes.asked ? (p->chosen + PANEL_LAMPS - 1) % PANEL_LAMPS + 1 : 0), out);
}

static void put_panel(const struct state *s, struct buffer *out)
{
	const struct panel *p = &s->panel;

	switch (p->kind) {
	case PANEL_NONE: break;
	case PANEL_VERIFY: put_verify(s, out); break;
	case PANEL_INFLUENCE: put_command(s, CMD_INFLUENCE, 1, out); break;
	case PANEL_GRADIENT: put_command(s, CMD_GRADIENT, 1, out); break;
	case PANEL_BUGS:
		put_command(s, CMD_BUG_LAB, 1, out);
		put_command(s, CMD_DOWN, p->chosen, out);
		break;
	case PANEL_CLINIC: put_clinic(s, out); break;
	case PANEL_SWEEP: put_command(s, CMD_SWEEP, 1, out); break;
	case PANEL_INSPECTOR: put_command(s, CMD_INSPECT, 1, out); break;
	case PANEL_WALK: put_walk(s, out); break;
	case PANEL_PREDICT: put_predict(s, out); break;
	case PANEL_HEADS: put_heads(s, out); break;
	case PANEL_OVERVIEW:
		put_command(s, CMD_OVERVIEW, 1, out);
		put_command(s, CMD_NEXT_STAGE, p->overview.largest, out);
		break;
	}
}

/* Where the cursor was when the panel was opened, as far as that is known. */
static void before_panel(const struct state *s, size_t *row, size_t *column)
{
	const struct panel *p = &s->panel;

	*row = p->kind == PANEL_WALK ? p->walk.row : p->kind == PANEL_PREDICT ? p->predict.row : s->row;
	*column = p->kind == PANEL_WALK ? p->walk.column : p->kind == PANEL_PREDICT ? p->predict.column : s->column;
}

/* What the panel has done to the cursor is part of it; where it was moved since, it is once more. */
static bool goes_again(const struct state *s, size_t row, size_t column)
{
	const struct panel *p = &s->panel;

	if (p->kind == PANEL_NONE || p->kind == PANEL_HEADS || p->kind == PANEL_SWEEP)
		return false;
	return s->top || s->left || (!panel_asks(s) && (s->row != row || s->column != column));
}

void state_place_keys(const struct state *s, struct buffer *out)
{
	size_t row, column;

	before_panel(s, &row, &column);
	put_look(s, out);
	if (row || column || s->top || s->left)
		put_go(out, row, column, s->top, s->left);
	put_panel(s, out);
	if (goes_again(s, row, column))
		put_go(out, s->row, s->column, s->top, s->left);
}
