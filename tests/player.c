/* player.c - a state that is played by keys, with I/O that touches no disk. */
#include "tests/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/scenario_yaml.h"
#include "tui/layout.h"
#include "tui/load.h"
#include "tui/text.h"
#include "tui/view.h"

static void stop(const char *what, const char *detail)
{
	fprintf(stderr, "player: %s: %s\n", what, detail);
	abort();
}

/* ---- ports ---- */

struct written written;
static const char *own_yaml;

void player_own(const char *yaml)
{
	own_yaml = yaml;
}

static enum status fake_open(struct scenario *s, const char *input, const struct random_tables *t, struct error *e)
{
	if (own_yaml && !strcmp(input, "own"))
		return scenario_parse(s, own_yaml, strlen(own_yaml), "own", e);
	for (size_t i = 0; i < builtin_count(); i++)
		if (!strcmp(input, builtin_name(i)))
			return load_scenario(s, input, t, e);
	return error_at(e, E_FILE, input, 0, 0, "no such scenario");
}

static enum status fake_masks(struct problem *p, const struct options *o, struct error *e)
{
	struct matrix m = { 0 };
	enum status s;

	if (!*o->mask || (strcmp(o->mask, MASK_LAST) && strcmp(o->mask, MASK_MISFIT)))
		return error_at(e, E_FILE, *o->mask ? o->mask : o->bias, 0, 0, "no such file");
	if ((s = matrix_init(&m, 1, p->n_k + !strcmp(o->mask, MASK_MISFIT), e)))
		return s;
	m.v[p->n_k - 1] = 1;
	s = mask_load(p, &m, false, true, o->mask, o, e);
	matrix_free(&m);
	return s;
}

static enum status fake_write(const char *name, const char *data, size_t size, bool replace, struct error *e)
{
	written.calls++;
	if (!strcmp(name, TAKEN_NAME) && !replace)
		return error_at(e, E_FILE, name, 0, 0, "exists");
	snprintf(written.name, sizeof written.name, "%s", name);
	written.replace = replace;
	buffer_free(&written.data);
	buffer_put(&written.data, data, size);
	buffer_put(&written.data, "", 1);
	return OK_STATUS;
}

const struct ports player_ports = {
	.open = fake_open, .masks = fake_masks, .write = fake_write,
	.builtin_count = builtin_count, .builtin_name = builtin_name,
};

/* ---- life ---- */

static void start(struct player *p, struct scenario *sc)
{
	struct options o;
	struct error e = { 0 };

	if (options_copy(&o, &sc->set, &e) || state_init(&p->state, &p->tables, &player_ports, sc, &o, &e))
		stop("cannot begin", e.text);
}

static void prepare(struct player *p)
{
	struct error e = { 0 };

	*p = (struct player){ 0 };
	if (random_tables_init(&p->tables, &e) || cells_init(&p->cells, 24, 80, &e))
		stop("cannot begin", e.text);
}

void player_open(struct player *p, const char *name)
{
	struct scenario sc;
	struct error e = { 0 };

	prepare(p);
	if (load_scenario(&sc, name, &p->tables, &e))
		stop(name, e.text);
	start(p, &sc);
}

void player_open_yaml(struct player *p, const char *yaml)
{
	struct scenario sc;
	struct error e = { 0 };

	prepare(p);
	if (scenario_parse(&sc, yaml, strlen(yaml), "own", &e))
		stop("own scenario", e.text);
	start(p, &sc);
}

void player_close(struct player *p)
{
	state_free(&p->state);
	cells_free(&p->cells);
	buffer_free(&written.data);
	written = (struct written){ 0 };
	own_yaml = NULL;
}

/* ---- keys ---- */

void player_keys(struct player *p, const char *keys)
{
	p->effects = 0;
	while (*(keys += strspn(keys, " "))) {
		struct key k;
		size_t used = key_parse(keys, &k);
		if (!used)
			stop("not a key", keys);
		p->effects |= state_key(&p->state, &k);
		keys += used;
	}
}

void player_type(struct player *p, const char *text)
{
	p->effects = 0;
	for (size_t n = strlen(text), used; n; text += used, n -= used) {
		int32_t code;
		used = text_decode(text, n, &code);
		if (code < 0)
			stop("not UTF-8", text);
		struct key k = { .kind = KEY_CHARACTER, .code = (uint32_t)code };
		p->effects |= state_key(&p->state, &k);
	}
}

void player_command(struct player *p, const char *text)
{
	player_keys(p, ":");
	player_type(p, text);
	player_keys(p, "<Enter>");
}

void player_paste(struct player *p, const char *text, size_t n)
{
	struct key k = { .kind = KEY_PASTE, .text = text, .length = n };

	p->effects = state_key(&p->state, &k);
}

void player_click(struct player *p, int row, int column)
{
	struct state *s = &p->state;
	struct hits hits;
	struct layout layout;
	size_t i, j;

	p->effects = 0;
	state_end_flash(s);
	if (s->mode == MODE_PROMPT)
		return;
	view_draw(s, &p->cells, &hits);
	for (int h = 0; h < hits.n; h++)
		if (row == hits.v[h].row && column >= hits.v[h].column && column < hits.v[h].column + hits.v[h].width) {
			p->effects = state_do(s, hits.v[h].command, "", "click");
			return;
		}
	layout_make(&layout, s);
	if (s->mode == MODE_GRID && layout_hit(&layout, s, row, column, &i, &j))
		state_select(s, i, j);
}

void player_wheel(struct player *p, bool down)
{
	p->effects = 0;
	state_end_flash(&p->state);
	for (int n = 0; n < 3; n++)
		p->effects |= state_do(&p->state, down ? CMD_DOWN : CMD_UP, "", "wheel");
}

/* ---- looking ---- */

void player_draw(struct player *p)
{
	view_draw(&p->state, &p->cells, NULL);
}

double player_value(struct player *p, size_t row, size_t column)
{
	return state_values(&p->state, row)[column];
}

const char *player_line(struct player *p, int row, char *out, size_t size)
{
	cells_row(&p->cells, row, out, size);
	return out;
}

const char *state_fault(const struct state *s)
{
	struct layout l;
	size_t rows, columns;

	layout_make(&l, s);
	state_shape(s, &rows, &columns);
	if (!rows || !columns)
		return "an empty matrix is shown";
	if (s->row >= rows || s->column >= columns)
		return "the cursor is outside of the matrix";
	if (s->row < s->top || s->row >= s->top + l.visible_rows ||
	    s->column < s->left || s->column >= s->left + l.visible_columns)
		return "the cursor is scrolled out of sight";
	if (s->top && s->top + l.visible_rows > rows)
		return "scrolled past the last row";
	if (s->left && s->left + l.visible_columns > columns)
		return "scrolled past the last column";
	if (s->mode == MODE_PROMPT && (!s->prompt.text || s->prompt.cursor > s->prompt.length ||
				       strlen(s->prompt.text) != s->prompt.length))
		return "the line that is typed is broken";
	if (s->undo.n > HISTORY_LIMIT || s->redo.n > HISTORY_LIMIT)
		return "a history beyond its limit";
	if (!memchr(s->sentence, '\0', sizeof s->sentence))
		return "a sentence without end";
	return NULL;
}
