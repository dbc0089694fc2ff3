/* screen.c - the interactive screen: the loop, the session, the configuration. */
#include "tui/screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/message.h"
#include "tui/layout.h"
#include "tui/load.h"
#include "tui/panel_lesson.h"
#include "tui/session.h"
#include "tui/show.h"
#include "tui/speak.h"
#include "tui/state.h"
#include "tui/term/term.h"
#include "tui/view.h"

enum { FLASH_MS = 450, FRAME_MS = 50, SLICE_MS = 8, PROGRESS_MS = 100 };

/* ---- the session on disk ---- */

/* "$XDG_STATE_HOME/qkv/session", or below ~/.local/state. */
static enum status session_path(char *out, size_t size, struct error *e)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int n;

	if (state && *state == '/')
		n = snprintf(out, size, "%s/qkv/session", state);
	else if (home && *home == '/')
		n = snprintf(out, size, "%s/.local/state/qkv/session", home);
	else
		return error_set(e, E_FILE, "neither XDG_STATE_HOME nor HOME is set");
	if (n < 0 || (size_t)n >= size)
		return error_set(e, E_FILE, "the name of its folder is too long");
	return OK_STATUS;
}

/* Makes the folders above a file. That one cannot be made is told by who writes there. */
static void make_folders(char *path)
{
	for (char *p = path + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
}

/* A fault of a file that the session names is told as such; the session file is
 * named for its own. */
static void blame_session(struct error *e, const char *path)
{
	if (!e->file[0] && !e->option[0])
		snprintf(e->file, sizeof e->file, "%.255s", path);
}

static enum status resume(struct state *s, struct screen_options *o, struct error *e)
{
	char path[4096];
	struct buffer text = { 0 };
	struct stat st;
	enum status status = session_path(path, sizeof path, e);

	if (status) {
		snprintf(e->option, sizeof e->option, "resume");
		return status;
	}
	if (stat(path, &st) && errno == ENOENT)
		return error_at(e, E_FILE, path, 0, 0, "no session is kept yet");
	if (!(status = load_bytes(&text, path, e)))
		status = session_read(s, text.data ? text.data : "", text.size, o->tables, &frame_ports, e);
	if (status)
		blame_session(e, path);
	buffer_free(&text);
	if (!status)
		s->look.ascii = o->ascii;
	return status;
}

static enum status keep(const struct state *s, struct error *e)
{
	char path[4096], folder[4096];
	struct buffer text = { 0 };
	enum status status = session_path(path, sizeof path, e);

	if (status || (status = session_check(s, e)))
		return status;
	make_folders(path);
	session_write(s, getcwd(folder, sizeof folder), &text);
	if (text.failed)
		status = error_set(e, E_MEMORY, "no memory for it");
	else if (text.size > LOAD_LIMIT)
		status = error_set(e, E_LIMIT, "it is larger than the limit of 64 MiB");
	else
		status = save_bytes(path, text.data, text.size, true, e);
	buffer_free(&text);
	return status;
}

static void tell_not_kept(const struct error *e, bool ascii)
{
	char text[sizeof e->file + sizeof e->text + 64];
	struct buffer line = { 0 };

	error_format(e, text, sizeof text);
	show_safe_text(&line, text, ascii);
	fprintf(stderr, "qkv: the session was not kept: %s\n", line.data ? line.data : text);
	buffer_free(&line);
}

/* ---- the user's configuration ---- */

/* What the configuration sets gives way to the scenario and the command line. */
static bool is_free(const struct state *s, const struct screen_options *o, enum option which)
{
	if (state_scenario(s)->option_mark[which].line)
		return false;
	return o->given ? !o->given[which] : option_is_default(&s->now.options, which);
}

/* Sets one option, in the state and in what `r` goes back to: it is no change
 * that undo knows of. */
static enum status apply_option(struct state *s, enum option which, const char *value, struct error *e)
{
	struct snapshot next = { 0 };
	enum status status = snapshot_copy(&next, &s->now, e);

	if (!status && !(status = option_set(&next.options, which, value, e)))
		status = state_adopt(s, &next, e);
	if (status) {
		snapshot_free(&next);
		return status;
	}
	history_clear(&s->undo);
	return option_set(&s->opened[s->now.scenario]->options, which, value, e);
}

/* One by one, since what does not fit this input (a stage that it has not) must
 * neither stop the start nor take the others along. */
static void apply_options(struct state *s, const struct screen_options *o, const struct options *wanted)
{
	for (int k = 0; k < OPT_COUNT; k++) {
		enum option which = (enum option)k;
		struct buffer value = { 0 };
		struct error e = { 0 };

		if (option_is_default(wanted, which) || !is_free(s, o, which))
			continue;
		option_text(wanted, which, &value);
		if (value.data && apply_option(s, which, value.data, &e))
			state_say(s, true, "config: %s %s: %s", option_info(which)->name, value.data, e.text);
		buffer_free(&value);
	}
	state_end_flash(s);
}

/* False when there is none. */
static bool config_path(char *out, size_t size)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	struct stat st;
	int n;

	if (config && *config == '/')
		n = snprintf(out, size, "%s/qkv/config", config);
	else if (home && *home == '/')
		n = snprintf(out, size, "%s/.config/qkv/config", home);
	else
		return false;
	return n >= 0 && (size_t)n < size && !stat(out, &st);
}

static enum status configure(struct state *s, const struct screen_options *o, struct error *e)
{
	char path[4096];
	struct buffer text = { 0 };
	struct options options;
	enum status status;

	if (!config_path(path, sizeof path))
		return OK_STATUS;
	if ((status = load_bytes(&text, path, e)))
		return status;
	if (!(status = options_init(&options, e))) {
		status = keymap_configure(&s->keymap, &options, text.data ? text.data : "", text.size, path, e);
		if (!status && !o->resume)
			apply_options(s, o, &options);
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
static unsigned click(struct loop *l, const struct layout *layout, const struct key *k)
{
	struct state *s = l->s;
	size_t i, j;

	for (int h = 0; h < l->hits.n; h++) {
		const struct hit *hit = &l->hits.v[h];
		if (k->row == hit->row && k->column >= hit->column && k->column < hit->column + hit->width &&
		    hit->command != CMD_COUNT)
			return state_do(s, hit->command, "", "click");
	}
	if (s->mode == MODE_GRID && layout_hit(layout, s, k->row, k->column, &i, &j))
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

/* Where only a notice is shown nothing is under the mouse, and a line that is
 * typed belongs to the cell on which it was opened. */
static unsigned mouse(struct loop *l, const struct key *k)
{
	struct layout layout;

	state_end_flash(l->s);
	layout_make(&layout, l->s);
	if (layout.small || l->s->mode == MODE_PROMPT)
		return 0;
	if (k->kind == KEY_WHEEL)
		return wheel(l, k);
	return k->code == 1 ? click(l, &layout, k) : 0;
}

static unsigned handle(struct loop *l, const struct key *k)
{
	if (k->kind != KEY_CLICK && k->kind != KEY_WHEEL)
		return state_key(l->s, k);
	present_before(l->s, k);
	unsigned effects = mouse(l, k);
	present_after(l->s);
	return effects;
}

/* The line that reproduces the screen, if there is one; the sentence that has it says
 * where it went. Nobody can know whether the terminal took it. */
static void copy(struct loop *l)
{
	struct state *s = l->s;
	struct buffer line = { 0 };

	if (state_command_line(s, &line) && !line.failed && term_copy(l->t, line.data, line.size)) {
		size_t n = strlen(s->sentence);
		snprintf(s->sentence + n, sizeof s->sentence - n, "  %s", getenv("TMUX")
			 ? _("(sent to the clipboard; tmux passes it on with set-clipboard on)") : _("(sent to the terminal's clipboard)"));
	}
	buffer_free(&line);
}

static void perform(struct loop *l, unsigned effects)
{
	if (effects & EFFECT_BEEP)
		term_beep(l->t);
	if (effects & EFFECT_MOUSE)
		term_set_mouse(l->t, l->s->mouse);
	if (effects & EFFECT_COPY)
		copy(l);
	if (effects & EFFECT_REDRAW)
		term_redraw(l->t);
	if (effects & EFFECT_SUSPEND) {
		term_suspend(l->t);
		term_redraw(l->t);
	}
}

/* Computes for a little while in the background, until a key comes. */
static void work(struct loop *l)
{
	long from = now_ms();

	while (state_work(l->s)) {
		long now = now_ms();
		if (!state_working(l->s) || now - l->drawn > PROGRESS_MS)
			l->dirty = true;
		if (now - from >= SLICE_MS || term_pending(l->t))
			return;
	}
}

static int until(const struct loop *l)
{
	long left;

	if (l->dirty || state_working(l->s))
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

/* 0 to quit, 130 on Ctrl-C, -signal when one asks to end; as if by SIGHUP when
 * the terminal is gone and that signal is ignored. */
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
			work(l);
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
			return term_hangup_status();
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

/* The screen goes back first, and keeping the session may take its time; until
 * it is done signals still wait, so that none ends the program before. */
static void finish(struct loop *l, const struct screen_options *o)
{
	struct error e = { 0 };
	enum status status;

	term_leave(l->t);
	status = keep(l->s, &e);
	term_close(l->t);
	if (status)
		tell_not_kept(&e, o->ascii);
}

/* Lines instead of a screen. */
static int run_spoken(struct state *s, struct screen_options *o, struct error *e)
{
	struct speaker *t;
	struct error not_kept = { 0 };

	if (speaker_open(&t, o->input_is_data ? -1 : 0, e))
		return 2;
	s->look.depth = DEPTH_NONE;
	if (o->lesson)
		lesson_begin(s, o->lesson, "lesson");
	if (o->keys && frame_play(s, o->keys, e)) {
		speaker_leave(t);
		speaker_close(t);
		return 2;
	}
	int result = speak(s, t);
	speaker_leave(t);
	enum status status = keep(s, &not_kept);
	speaker_close(t);
	if (status)
		tell_not_kept(&not_kept, o->ascii);
	return result;
}

static int run_screen(struct state *s, struct screen_options *o, struct error *e)
{
	struct loop l = { .s = s };
	int result = 2;

	if (!cells_init(&l.cells, 24, 80, e) && !open_term(&l, o, e)) {
		resize(&l);
		if (o->lesson)
			lesson_begin(s, o->lesson, "lesson");
		if (o->keys && frame_play(s, o->keys, e)) {
			term_leave(l.t);
			term_close(l.t);
		} else {
			result = loop(&l);
			finish(&l, o);
		}
	}
	cells_free(&l.cells);
	return result;
}

int screen_run(struct screen_options *o, struct error *e)
{
	struct state s;
	int result = 2;

	if ((o->resume ? resume(&s, o, e) : frame_start(&s, o, e)) != OK_STATUS)
		return 2;
	if (!configure(&s, o, e))
		result = (o->speak ? run_spoken : run_screen)(&s, o, e);
	state_free(&s);
	if (result < 0)
		term_die(-result);
	return result < 0 ? 1 : result;
}
