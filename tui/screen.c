/* screen.c - the interactive screen: the loop, the session, the configuration. */
#include "tui/screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "tui/layout.h"
#include "tui/load.h"
#include "tui/session.h"
#include "tui/state.h"
#include "tui/term/term.h"
#include "tui/view.h"

enum { FLASH_MS = 450, FRAME_MS = 50 };

/* ---- the session on disk ---- */

static bool make_folder(const char *path)
{
	return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* "$XDG_STATE_HOME/qkv/FILE", or below ~/.local/state; false when neither is
 * known. Folders that are missing are made when create is set. */
static bool session_path(char *out, size_t size, const char *file, bool create)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	char folder[3000];

	if (state && *state == '/')
		snprintf(folder, sizeof folder, "%.2000s", state);
	else if (home && *home == '/')
		snprintf(folder, sizeof folder, "%.2000s/.local/state", home);
	else
		return false;
	if (create) {
		for (char *p = folder + 1; (p = strchr(p, '/')); p++) {
			*p = '\0';
			make_folder(folder);
			*p = '/';
		}
		make_folder(folder);
	}
	size_t n = strlen(folder);
	snprintf(folder + n, sizeof folder - n, "/qkv");
	if (create && !make_folder(folder))
		return false;
	return (size_t)snprintf(out, size, "%s/%s", folder, file) < size;
}

static enum status resume(struct state *s, struct screen_options *o, struct error *e)
{
	char path[4096];
	struct buffer text = { 0 };
	enum status status;

	if (!session_path(path, sizeof path, "session", false))
		return error_set(e, E_FILE, "no session: neither XDG_STATE_HOME nor HOME is set");
	if (!(status = load_bytes(&text, path, e)))
		status = session_read(s, text.data ? text.data : "", text.size, o->tables, &frame_ports, e);
	if (status && !e->file[0])
		snprintf(e->file, sizeof e->file, "%.255s", path);
	buffer_free(&text);
	if (!status)
		s->look.ascii = o->ascii;
	return status;
}

static void keep(const struct state *s)
{
	char path[4096];
	struct buffer text = { 0 };
	struct error e = { 0 };

	if (!session_path(path, sizeof path, "session", true))
		return;
	session_write(s, &text);
	if (!text.failed && text.data)
		save_bytes(path, text.data, text.size, true, &e);
	buffer_free(&text);
}

/* ---- the user's configuration ---- */

/* What the configuration sets gives way to the scenario and the command line:
 * it only replaces defaults, and is not a change that undo knows of. */
static enum status apply_options(struct state *s, const struct options *wanted, struct error *e)
{
	struct snapshot next = { 0 };
	enum status status = snapshot_copy(&next, &s->now, e);

	for (int o = 0; o < OPT_COUNT && !status; o++) {
		struct buffer value = { 0 };
		if (option_is_default(wanted, (enum option)o) || !option_is_default(&next.options, (enum option)o))
			continue;
		option_text(wanted, (enum option)o, &value);
		status = value.data ? option_set(&next.options, (enum option)o, value.data, e)
				    : error_set(e, E_MEMORY, "no memory for the configuration");
		buffer_free(&value);
	}
	if (!status && !(status = state_adopt(s, &next, e)))
		history_clear(&s->undo);
	if (status)
		snapshot_free(&next);
	return status;
}

static enum status configure(struct state *s, bool with_options, struct error *e)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char path[4096];
	struct buffer text = { 0 };
	struct options options;
	enum status status;
	FILE *f;

	if (config && *config == '/')
		snprintf(path, sizeof path, "%.3000s/qkv/config", config);
	else if (home && *home == '/')
		snprintf(path, sizeof path, "%.3000s/.config/qkv/config", home);
	else
		return OK_STATUS;
	if (!(f = fopen(path, "r")))
		return OK_STATUS;
	fclose(f);
	if ((status = load_bytes(&text, path, e)))
		return status;
	if (!(status = options_init(&options, e))) {
		if (!(status = keymap_configure(&s->keymap, &options, text.data ? text.data : "", text.size, path, e)) &&
		    with_options)
			status = apply_options(s, &options, e);
		options_free(&options);
	}
	buffer_free(&text);
	return status;
}

/* ---- the loop ---- */

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000L + t.tv_nsec / 1000000L;
}

struct loop {
	struct state *s;
	struct term *t;
	struct cells cells;
	struct hits hits;
	bool dirty;
	long drawn, flash_until;
};

static void draw(struct loop *l)
{
	bool flashing = l->s->flash.on;

	view_draw(l->s, &l->cells, &l->hits);
	term_draw(l->t, &l->cells);
	l->dirty = false;
	l->drawn = now_ms();
	l->flash_until = flashing ? l->drawn + FLASH_MS : 0;
}

/* A click runs what it is on, or moves the cursor. */
static unsigned click(struct loop *l, const struct key *k)
{
	struct state *s = l->s;
	struct layout layout;
	size_t i, j;

	if (s->mode == MODE_PROMPT)
		return 0;
	for (int h = 0; h < l->hits.n; h++) {
		const struct hit *hit = &l->hits.v[h];
		if (k->row == hit->row && k->column >= hit->column && k->column < hit->column + hit->width &&
		    hit->command != CMD_COUNT)
			return state_do(s, hit->command, "", "click");
	}
	layout_make(&layout, s);
	if (s->mode == MODE_GRID && layout_hit(&layout, s, k->row, k->column, &i, &j))
		state_select(s, i, j);
	return 0;
}

static unsigned wheel(struct loop *l, const struct key *k)
{
	unsigned effects = 0;

	for (int n = 0; n < 3; n++)
		effects |= state_do(l->s, k->code ? CMD_DOWN : CMD_UP, "", "wheel");
	return effects;
}

static unsigned handle(struct loop *l, const struct key *k)
{
	if (k->kind == KEY_CLICK || k->kind == KEY_WHEEL) {
		state_end_flash(l->s);
		return k->kind == KEY_CLICK ? (k->code == 1 ? click(l, k) : 0) : wheel(l, k);
	}
	return state_key(l->s, k);
}

static void perform(struct loop *l, unsigned effects)
{
	if (effects & EFFECT_BEEP)
		term_beep(l->t);
	if (effects & EFFECT_MOUSE)
		term_set_mouse(l->t, l->s->mouse);
	if (effects & EFFECT_REDRAW)
		term_redraw(l->t);
	if (effects & EFFECT_SUSPEND) {
		term_suspend(l->t);
		term_redraw(l->t);
	}
}

static int until(const struct loop *l)
{
	long left;

	if (l->dirty)
		return 0;
	if (!l->flash_until)
		return -1;
	left = l->flash_until - now_ms();
	return left < 0 ? 0 : (int)left;
}

static void resize(struct loop *l)
{
	int rows, columns;

	term_size(l->t, &rows, &columns);
	state_resize(l->s, rows, columns);
	l->dirty = true;
}

/* 0 to quit, 130 on Ctrl-C, -signal when one asks to end. */
static int loop(struct loop *l)
{
	for (;;) {
		struct key k = { 0 };
		/* A burst of keys is drawn once, but something is drawn every FRAME_MS. */
		if (l->dirty && (!term_pending(l->t) || now_ms() - l->drawn > FRAME_MS))
			draw(l);
		switch (term_wait(l->t, until(l), &k)) {
		case TERM_KEY: {
			unsigned effects = handle(l, &k);
			l->dirty = true;
			if (effects & EFFECT_INTERRUPT)
				return 130;
			if (effects & EFFECT_QUIT)
				return 0;
			perform(l, effects);
			break;
		}
		case TERM_TIMEOUT:
			if (l->flash_until && now_ms() >= l->flash_until) {
				state_end_flash(l->s);
				l->flash_until = 0;
				l->dirty = true;
			}
			break;
		case TERM_RESIZE:
			resize(l);
			break;
		case TERM_HANGUP:
			return 1;
		case TERM_SIGNAL:
			return -term_signal(l->t);
		}
	}
}

static enum status open_term(struct loop *l, const struct screen_options *o, struct error *e)
{
	static const enum color_choice of_option[] = { COLOR_AUTO, COLOR_NEVER, COLOR_8, COLOR_16, COLOR_256, COLOR_TRUE };
	struct state *s = l->s;
	struct term_config config = {
		.color = of_option[s->now.options.color], .mouse = true, .input = o->input_is_data ? -1 : 0,
	};
	enum status status = term_open(&l->t, &config, e);

	if (status)
		return status;
	s->look.depth = term_depth(l->t);
	s->look.theme = term_theme(l->t);
	s->look.ascii |= !term_utf8(l->t);
	return OK_STATUS;
}

int screen_run(struct screen_options *o, struct error *e)
{
	struct state s;
	struct loop l = { .s = &s };
	int result = 2;

	if ((o->resume ? resume(&s, o, e) : frame_start(&s, o, e)) != OK_STATUS)
		return 2;
	if (!configure(&s, !o->resume, e) && !cells_init(&l.cells, 24, 80, e) && !open_term(&l, o, e)) {
		resize(&l);
		result = loop(&l);
		term_close(l.t);
		keep(&s);
	}
	cells_free(&l.cells);
	state_free(&s);
	if (result < 0)
		term_die(-result);
	return result < 0 ? 1 : result;
}
