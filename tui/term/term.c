/* term.c - the terminal: screen, colours, and the wait for what happens next. */
#include "tui/term/term.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <langinfo.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include <curses.h>

#include "tui/term/base64.h"
#include "tui/term/keys.h"
#include "tui/term/signal.h"
#include "tui/term/terminfo.h"

enum {
	ROWS_MAX = 1000,		/* a nonsense of a size must not take all memory */
	COLUMNS_MAX = 2000,
	PAIRS_MAX = 65535,		/* curses has no pair 65536, whatever it says */
	PAIRS_TABLE = 512,		/* to begin with; a power of two */
	PAIRS_SEARCH = 1024,		/* places that are looked at for a similar pair */
	NO_COLOR_NUMBER = -1,		/* curses' name of the terminal's own colours */
};

/* Colour pairs in use: open addressing, number 0 marks a free place. */
struct pair { int foreground, background, number; };
struct pairs {
	struct pair *table;
	unsigned size;
	int used, limit;
};

struct term {
	SCREEN *screen;
	FILE *stream;			/* of keys.fd, which it closes: curses wants one */
	struct keys keys;
	int out;
	int out_flags;			/* as found */
	struct terminfo info;
	struct pairs pairs;
	enum depth depth;
	enum theme theme;
	bool utf8, own_colors, mouse, sync;
	bool redraw;			/* everything, at the next draw */
	bool changed;			/* the caller has to draw again */
	bool away;			/* the shell has the screen */
};

/* The value of a variable, NULL also when it is empty. */
static const char *environment(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* ---------------------------------------------------------------- locale */

static bool is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Whether the environment asks for UTF-8, by name or by naming nothing. */
static bool wants_utf8(void)
{
	const char *name = environment("LC_ALL");

	if (!name)
		name = environment("LC_CTYPE");
	if (!name)
		name = environment("LANG");
	if (!name)
		return true;
	const char *codeset = strchr(name, '.');
	return codeset && (strncasecmp(codeset, ".UTF-8", 6) == 0 ||
			   strncasecmp(codeset, ".utf8", 5) == 0);
}

bool term_locale(void)
{
	if (setlocale(LC_CTYPE, "") && is_utf8())
		return true;
	if (wants_utf8() && setlocale(LC_CTYPE, "C.UTF-8") && is_utf8())
		return true;
	setlocale(LC_CTYPE, "C");
	return false;
}

/* ---------------------------------------------------------------- depth */

/* GNU screen passes COLORTERM on, but reads 24-bit colours as something else. */
static bool in_gnu_screen(const char *term)
{
	return environment("STY") ||
	       (strncmp(term, "screen", 6) == 0 && !environment("TMUX"));
}

static bool says_truecolor(const char *term)
{
	static const char *const names[] = {
		"*-direct", "xterm-kitty", "xterm-ghostty", "foot*", "alacritty*", "wezterm",
		"contour*",
	};
	const char *colorterm = environment("COLORTERM");

	if (colorterm && (!strcmp(colorterm, "truecolor") || !strcmp(colorterm, "24bit")))
		return true;
	if (environment("TMUX") || environment("WT_SESSION"))
		return true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (fnmatch(names[i], term, 0) == 0)
			return true;
	return false;
}

static enum depth depth_of(int colors)
{
	return colors >= 256 ? DEPTH_256 : colors >= 16 ? DEPTH_16 : colors >= 8 ? DEPTH_8 :
	       DEPTH_NONE;
}

/* A terminal named as one without colours has none, whatever COLORTERM that
 * was inherited says. */
static enum depth automatic_depth(const char *term, const struct terminfo *info)
{
	enum depth depth = depth_of(info->colors);

	if (environment("NO_COLOR") || depth == DEPTH_NONE)
		return DEPTH_NONE;
	if (!in_gnu_screen(term) && (info->direct || says_truecolor(term)))
		return DEPTH_TRUE;
	return depth;
}

static enum depth choose_depth(enum color_choice choice, const char *term,
			       const struct terminfo *info)
{
	enum depth has = depth_of(info->colors);

	switch (choice) {
	case COLOR_NEVER: return DEPTH_NONE;
	case COLOR_8: return has < DEPTH_8 ? has : DEPTH_8;
	case COLOR_16: return has < DEPTH_16 ? has : DEPTH_16;
	case COLOR_256: return DEPTH_256;
	case COLOR_TRUE: return DEPTH_TRUE;
	case COLOR_AUTO: break;
	}
	return automatic_depth(term, info);
}

/* The colours that an entry made in memory must have; 0: the terminal's own
 * entry will do. Where 24-bit colours are native, 8 to 255 are blues. */
static int overlay_colors(enum depth depth, int colors)
{
	if (depth == DEPTH_TRUE)
		return TERMINFO_PALETTE;
	if (depth == DEPTH_256 || colors > 256)
		return colors == 256 ? 0 : 256;
	return 0;
}

/* COLORFGBG is "foreground;background" or "foreground;default;background". */
static enum theme find_theme(void)
{
	const char *value = environment("COLORFGBG");
	const char *last = value ? strrchr(value, ';') : NULL;
	char *end;

	if (!last || !last[1])
		return THEME_DARK;
	long background = strtol(last + 1, &end, 10);
	bool light = !*end && (background == 7 || (background >= 9 && background <= 15));
	return light ? THEME_LIGHT : THEME_DARK;
}

/* ---------------------------------------------------------------- colour pairs */

static void pairs_free(struct pairs *p)
{
	free(p->table);
	*p = (struct pairs){ 0 };
}

static bool pairs_init(struct pairs *p, int limit)
{
	*p = (struct pairs){ .table = calloc(PAIRS_TABLE, sizeof(struct pair)),
			     .size = PAIRS_TABLE, .limit = limit };
	return p->table;
}

/* The place of a pair: its own, or the free one where it would be. */
static struct pair *pairs_find(struct pair *table, unsigned size, int foreground, int background)
{
	uint32_t hash = ((uint32_t)foreground * 0x9e3779b1u) ^ ((uint32_t)background * 0x85ebca77u);

	for (unsigned i = hash ^ hash >> 15;; i++) {
		struct pair *at = &table[i & (size - 1)];
		if (!at->number ||
		    (at->foreground == foreground && at->background == background))
			return at;
	}
}

static bool pairs_grow(struct pairs *p)
{
	struct pair *table = calloc(p->size * 2, sizeof *table);

	if (!table)
		return false;
	for (unsigned i = 0; i < p->size; i++) {
		const struct pair *from = &p->table[i];
		if (from->number)
			*pairs_find(table, p->size * 2, from->foreground, from->background) = *from;
	}
	free(p->table);
	p->table = table;
	p->size *= 2;
	return true;
}

/* Numbers are used once: to change one that is on the screen, curses searches
 * the whole screen for it. 0 when there is no number left. */
static int pairs_number(struct pairs *p, int foreground, int background)
{
	struct pair *at = pairs_find(p->table, p->size, foreground, background);

	if (at->number)
		return at->number;
	if (p->used >= p->limit)
		return 0;
	if ((unsigned)p->used >= p->size / 2) {
		if (!pairs_grow(p))
			return 0;
		at = pairs_find(p->table, p->size, foreground, background);
	}
	if (init_extended_pair(p->used + 1, foreground, background) == ERR)
		return 0;
	*at = (struct pair){ foreground, background, ++p->used };
	return at->number;
}

/* A similar pair when there is no number left: the background counts. */
static int pairs_similar(const struct pairs *p, int background)
{
	for (unsigned i = 0; i < p->size && i < PAIRS_SEARCH; i++)
		if (p->table[i].number && p->table[i].background == background)
			return p->table[i].number;
	return 0;
}

/* Forgets all pairs. What is on the screen then has numbers without a meaning,
 * so it has to be painted anew. */
static void pairs_restart(struct term *t)
{
	memset(t->pairs.table, 0, t->pairs.size * sizeof *t->pairs.table);
	t->pairs.used = 0;
	reset_color_pairs();
	t->redraw = true;
}

/* The nearest of the eight corners of the colour cube, in ANSI's order. */
static int corner(color c, enum theme theme, bool background)
{
	color rgb = color_to_rgb(c, theme, background);

	return (rgb >> 23 & 1) | (rgb >> 15 & 1) << 1 | (rgb >> 7 & 1) << 2;
}

/* Curses' number of a colour. */
static int color_number(const struct term *t, color c, bool background)
{
	bool rgb = c >> 24 == 2;
	int n = (int)(c & 0xff);

	if (c == COLOR_DEFAULT)
		return t->own_colors ? NO_COLOR_NUMBER : background ? COLOR_BLACK : COLOR_WHITE;
	switch (t->depth) {
	case DEPTH_TRUE:
		return rgb ? (int)(c & 0xffffff) : TERMINFO_RGB + n;
	case DEPTH_256:
		return rgb ? (int)(color_to_256(c) & 0xff) : n;
	case DEPTH_16:
		return rgb || n > 15 ? corner(c, t->theme, background) : n;
	default:
		return rgb || n > 15 ? corner(c, t->theme, background) : n & 7;
	}
}

/* ---------------------------------------------------------------- writing around curses */

/* Curses' own buffer is empty between its updates, so this stays in order. */
static void write_out(const struct term *t, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(t->out, bytes, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return;		/* hung up: the next read tells */
		bytes += done;
		n -= (size_t)done;
	}
}

static void write_mode(const struct term *t, const char *sequence)
{
	if (t->info.ansi)
		write_out(t, sequence, strlen(sequence));
}

#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"
#define MOUSE_ON "\033[?1000h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1000l"
#define SYNC_ON "\033[?2026h"
#define SYNC_OFF "\033[?2026l"

static void modes_on(const struct term *t)
{
	write_mode(t, PASTE_ON);
	if (t->mouse)
		write_mode(t, MOUSE_ON);
}

static void modes_off(const struct term *t)
{
	if (t->mouse)
		write_mode(t, MOUSE_OFF);
	write_mode(t, PASTE_OFF);
}

/* ---------------------------------------------------------------- screen */

/* Input is not curses', so it does not learn the size by itself. Serial lines
 * and some machines of CI say 0 x 0: then it keeps what terminfo says. */
static void fit(struct term *t)
{
	struct winsize size;

	if (ioctl(t->out, TIOCGWINSZ, &size) < 0 || !size.ws_row || !size.ws_col)
		return;
	int rows = size.ws_row < ROWS_MAX ? size.ws_row : ROWS_MAX;
	int columns = size.ws_col < COLUMNS_MAX ? size.ws_col : COLUMNS_MAX;
	if (rows != getmaxy(stdscr) || columns != getmaxx(stdscr))
		resizeterm(rows, columns);
}

/* Whatever is on the screen now, it is not what was drawn. */
static void lose_picture(struct term *t)
{
	t->redraw = true;
	t->changed = true;
}

/* Gives the screen to the shell. */
static void leave(struct term *t)
{
	if (t->away)
		return;
	modes_off(t);
	endwin();
	write_out(t, t->info.cursor.data ? t->info.cursor.data : "", t->info.cursor.size);	/* see terminfo.c */
	t->away = true;
}

/* Takes it back. The mode comes first: in the background that stops us, before
 * anything has been written. */
static void enter(struct term *t)
{
	reset_prog_mode();
	if (!t->away)
		endwin();	/* continued after a stop that we did not see */
	t->away = false;
	fit(t);
	werase(stdscr);
	clearok(curscr, TRUE);
	wnoutrefresh(stdscr);
	doupdate();
	keypad(stdscr, TRUE);	/* endwin has left keypad mode */
	modes_on(t);
	lose_picture(t);
}

static void start_colors(struct term *t)
{
	if (t->depth == DEPTH_NONE)
		return;
	if (!has_colors() || start_color() == ERR || COLOR_PAIRS < 2 ||
	    !pairs_init(&t->pairs, COLOR_PAIRS - 1 < PAIRS_MAX ? COLOR_PAIRS - 1 : PAIRS_MAX)) {
		t->depth = DEPTH_NONE;
		return;
	}
	t->own_colors = use_default_colors() == OK;
}

static void start_screen(struct term *t)
{
	raw();
	noecho();
	nonl();
	typeahead(-1);
	idlok(stdscr, TRUE);
	keypad(stdscr, TRUE);
	start_colors(t);
	fit(t);
	wnoutrefresh(stdscr);
	doupdate();
	modes_on(t);
}

/* newterm with another terminfo entry under the same name. */
static SCREEN *open_screen(struct term *t, const char *term)
{
	int colors = overlay_colors(t->depth, t->info.colors);
	char *overlay = colors ? terminfo_overlay(term, t->out, colors) : NULL;
	const char *value = getenv("TERMINFO");
	char *before = value ? strdup(value) : NULL;

	if (colors && (!overlay || (value && !before) || setenv("TERMINFO", overlay, 1) < 0)) {
		t->depth = t->info.colors > 256 ? DEPTH_8 : depth_of(t->info.colors);
		colors = 0;
	}
	SCREEN *screen = newterm(term, stdout, t->stream);
	if (colors && before)
		setenv("TERMINFO", before, 1);
	else if (colors)
		unsetenv("TERMINFO");
	free(before);
	free(overlay);
	return screen;
}

/* ---------------------------------------------------------------- open and close */

/* Curses takes a stream, of the descriptor that keys are read from. */
static enum status open_keys(struct term *t, int input, struct error *e)
{
	enum status s = keys_open(&t->keys, input, e);

	if (s)
		return s;
	t->stream = fdopen(t->keys.fd, "r");
	return t->stream ? OK_STATUS : error_set(e, E_MEMORY, "no memory for the terminal");
}

/* The name from the environment as it may be shown: short, and ASCII. */
static const char *term_name(char *shown, size_t size)
{
	const char *term = environment("TERM");

	snprintf(shown, size, "%s", term ? term : "");
	for (char *p = shown; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	return term;
}

static enum status check_terminal(struct term *t, struct error *e)
{
	char shown[64];
	const char *term = term_name(shown, sizeof shown);

	if (!isatty(t->out))
		return error_set(e, E_FILE, "standard output is not a terminal");
	if (!term)
		return error_set(e, E_FILE, "TERM is not set: it must name the terminal, "
				 "as in TERM=xterm-256color");
	if (strlen(term) >= sizeof shown || strcmp(term, shown))
		return error_set(e, E_FILE, "TERM=%s does not name a terminal: "
				 "try TERM=xterm-256color", shown);
	return terminfo_load(&t->info, term, t->out, e);
}

/* Everything that can fail before the terminal is touched. */
static enum status prepare(struct term *t, const struct term_config *config, struct error *e)
{
	enum status s = check_terminal(t, e);

	if (s)
		return s;
	if ((s = open_keys(t, config->input, e)))
		return s;
	t->depth = choose_depth(config->color, getenv("TERM"), &t->info);
	t->theme = find_theme();
	t->utf8 = is_utf8();
	t->mouse = config->mouse;
	t->sync = !config->no_sync;
	return OK_STATUS;
}

static void term_free(struct term *t)
{
	if (t->screen)
		delscreen(t->screen);
	if (t->stream) {
		fclose(t->stream);
		t->keys.fd = -1;
	}
	keys_close(&t->keys);
	pairs_free(&t->pairs);
	terminfo_free(&t->info);
	free(t);
}

/* Curses never ends to repeat a write that would block. */
static void make_blocking(struct term *t)
{
	t->out_flags = fcntl(t->out, F_GETFL);
	if (t->out_flags >= 0 && t->out_flags & O_NONBLOCK)
		fcntl(t->out, F_SETFL, t->out_flags & ~O_NONBLOCK);
}

static void restore_blocking(const struct term *t)
{
	if (t->out_flags >= 0 && t->out_flags & O_NONBLOCK)
		fcntl(t->out, F_SETFL, t->out_flags);
}

static enum status start(struct term *t, struct error *e)
{
	struct termios mode;

	if (tcgetattr(t->out, &mode) < 0)
		return error_set(e, E_FILE, "standard output is not a terminal");
	/* Before curses, which then leaves the handlers alone. */
	signals_open(t->out, t->info.restore.data ? t->info.restore.data : "",
		     t->info.restore.size, &mode);
	make_blocking(t);
	t->screen = open_screen(t, getenv("TERM"));
	if (!t->screen) {
		restore_blocking(t);
		signals_close();
		return error_set(e, E_FILE, "TERM=%s: curses cannot start on this terminal "
				 "or at its size", getenv("TERM"));
	}
	start_screen(t);
	return OK_STATUS;
}

enum status term_open(struct term **out, const struct term_config *config, struct error *e)
{
	struct term *t = calloc(1, sizeof *t);
	enum status s;

	if (!t)
		return error_set(e, E_MEMORY, "no memory for the terminal");
	t->out = fileno(stdout);
	t->keys.fd = -1;
	s = prepare(t, config, e);
	if (!s)
		s = start(t, e);
	if (s)
		term_free(t);
	else
		*out = t;
	return s;
}

void term_leave(struct term *t)
{
	if (!t)
		return;
	signals_allow_background();
	leave(t);
	restore_blocking(t);
}

void term_close(struct term *t)
{
	if (!t)
		return;
	term_leave(t);
	signals_close();
	term_free(t);
}

int term_hangup_status(void)
{
	return 128 + SIGHUP;
}

void term_die(int signal)
{
	signals_die(signal);
}

void term_explain(bool (*lost)(const void *address))
{
	signals_explain(lost);
}

/* ---------------------------------------------------------------- questions */

void term_size(const struct term *t, int *rows, int *columns)
{
	(void)t;
	*rows = getmaxy(stdscr);
	*columns = getmaxx(stdscr);
}

enum depth term_depth(const struct term *t)
{
	return t->depth;
}

bool term_utf8(const struct term *t)
{
	return t->utf8;
}

enum theme term_theme(const struct term *t)
{
	return t->theme;
}

int term_signal(const struct term *t)
{
	(void)t;
	return signals_ending();
}

/* ---------------------------------------------------------------- waiting */

void term_suspend(struct term *t)
{
	if (!signals_can_stop() || t->keys.gone)
		return;
	leave(t);
	signals_stop();
	signals_take(SIGNAL_CONTINUED);
	signals_take(SIGNAL_RESIZED);
	/* Ended while stopped: the shell has the screen, and keeps it. */
	if (!signals_ending())
		enter(t);
}

/* Does what signals have asked for; false when there is nothing to tell of. */
static bool take_signals(struct term *t, enum term_event *event)
{
	if (signals_take(SIGNAL_STOPPING) && !signals_ending())
		term_suspend(t);
	/* Whoever stopped us: the shell may have used the screen since. */
	if (signals_take(SIGNAL_CONTINUED) && !signals_ending())
		enter(t);
	if (signals_take(SIGNAL_RESIZED)) {
		fit(t);
		lose_picture(t);
	}
	if (signals_ending()) {
		*event = TERM_SIGNAL;
		return true;
	}
	*event = TERM_RESIZE;
	bool changed = t->changed;
	t->changed = false;
	return changed;
}

enum term_event term_wait(struct term *t, int timeout, struct key *key)
{
	long long deadline = timeout < 0 ? -1 : keys_now() + timeout;
	enum term_event event;

	for (;;) {
		if (take_signals(t, &event))
			return event;
		if (input_next(t->keys.input, key))
			return TERM_KEY;
		if (t->keys.gone)
			return TERM_HANGUP;
		if (keys_wait(&t->keys, deadline))
			return TERM_TIMEOUT;
	}
}

bool term_pending(struct term *t)
{
	return keys_pending(&t->keys);
}

/* ---------------------------------------------------------------- drawing */

/* Curses' attributes and pair of a style, kept for the cells that follow. */
struct ink {
	struct style style;
	attr_t attributes;
	int pair;
	bool known, exact;
};

static attr_t attributes_of(unsigned a)
{
	return (a & BOLD ? A_BOLD : 0) | (a & DIM ? A_DIM : 0) |
	       (a & UNDERLINE ? A_UNDERLINE : 0) | (a & REVERSE ? A_REVERSE : 0);
}

static bool same_style(const struct style *a, const struct style *b)
{
	return a->foreground == b->foreground && a->background == b->background &&
	       a->attributes == b->attributes;
}

/* Whether the pair is the right one, or pairs have run out. */
static bool set_pair(struct term *t, struct ink *ink)
{
	ink->pair = 0;
	if (t->depth == DEPTH_NONE || (!ink->style.foreground && !ink->style.background))
		return true;
	int foreground = color_number(t, ink->style.foreground, false);
	int background = color_number(t, ink->style.background, true);
	ink->pair = pairs_number(&t->pairs, foreground, background);
	if (ink->pair)
		return true;
	ink->pair = pairs_similar(&t->pairs, background);
	return false;
}

static void set_ink(struct term *t, struct ink *ink, const struct style *style)
{
	if (ink->known && same_style(&ink->style, style))
		return;
	ink->known = true;
	ink->style = *style;
	ink->attributes = attributes_of(style->attributes);
	if (!set_pair(t, ink))
		ink->exact = false;
}

/* Nothing of the foreground shows in a blank: without it curses writes half the
 * bytes, as it sends both colours whenever one changes. */
static struct style blank_style(struct style s)
{
	if (!(s.attributes & (UNDERLINE | REVERSE))) {
		s.foreground = COLOR_DEFAULT;
		s.attributes = 0;
	}
	return s;
}

/* The code points of a cell for curses, which drops all after a second one with
 * a width, and turns controls into two columns. What does not have the width
 * that the cell says becomes '?', and the caller fills the rest. Returns the width. */
static int cluster(const struct term *t, const struct cell *c, wchar_t out[CLUSTER_MAX + 1])
{
	int n = 1;

	out[0] = c->count ? (wchar_t)c->code[0] : L' ';
	out[1] = 0;
	if (out[0] >= ' ' && out[0] <= '~' && c->count < 2)
		return 1;
	int width = t->utf8 || out[0] <= '~' ? wcwidth(out[0]) : -1;
	if (width < 1 || width != c->width) {
		out[0] = L'?';
		return 1;
	}
	for (int i = 1; i < c->count && i < CLUSTER_MAX; i++)
		if (c->code[i] && wcwidth((wchar_t)c->code[i]) == 0)
			out[n++] = (wchar_t)c->code[i];
	out[n] = 0;
	return width;
}

static void put(int row, int column, const wchar_t *text, const struct ink *ink)
{
	cchar_t c;
	int pair = ink->pair;

	if (setcchar(&c, text, ink->attributes, 0, &pair) != ERR)
		mvadd_wch(row, column, &c);
}

/* Returns the columns used. The screen has been erased, so what is blank and
 * without a style is there already. */
static int draw_cell(struct term *t, struct ink *ink, const struct cell *c, int row, int column,
		     int columns)
{
	wchar_t text[CLUSTER_MAX + 1];
	int width = cluster(t, c, text);

	if (column + width > columns) {		/* it would wrap */
		text[0] = L' ';
		text[1] = 0;
		width = 1;
	}
	struct style style = text[0] == L' ' && !text[1] ? blank_style(c->style) : c->style;
	if (text[0] == L' ' && !text[1] && !style.background && !style.attributes)
		return width;
	set_ink(t, ink, &style);
	put(row, column, text, ink);
	return width;
}

/* From left to right on an erased screen: writing over half of a wide character
 * would shift the rest of its row. Ends early when colour pairs run out and
 * similar ones will not do: false. */
static bool draw_cells(struct term *t, const struct cells *c, bool similar)
{
	struct ink ink = { .exact = true };
	int rows = c->rows < getmaxy(stdscr) ? c->rows : getmaxy(stdscr);
	int columns = c->columns < getmaxx(stdscr) ? c->columns : getmaxx(stdscr);

	werase(stdscr);
	for (int row = 0; row < rows && (ink.exact || similar); row++)
		for (int column = 0; column < columns;)
			column += draw_cell(t, &ink, cells_at(c, row, column), row, column, columns);
	return ink.exact;
}

static void place_cursor(const struct cells *c)
{
	int rows = getmaxy(stdscr), columns = getmaxx(stdscr);
	bool shown = c->cursor_row >= 0 && c->cursor_row < rows && c->cursor_column >= 0;

	if (shown)
		move(c->cursor_row, c->cursor_column < columns ? c->cursor_column : columns - 1);
	else
		move(rows - 1, 0);
	curs_set(shown);
}

void term_draw(struct term *t, const struct cells *c)
{
	if (t->keys.gone || t->away)
		return;
	/* One picture alone may have more pairs than there are. */
	if (!draw_cells(t, c, false)) {
		pairs_restart(t);
		draw_cells(t, c, true);
	}
	if (t->sync)
		write_mode(t, SYNC_ON);
	if (t->redraw)
		clearok(curscr, TRUE);
	t->redraw = false;
	place_cursor(c);
	wnoutrefresh(stdscr);
	doupdate();
	if (t->sync)
		write_mode(t, SYNC_OFF);
}

void term_redraw(struct term *t)
{
	t->redraw = true;
}

void term_beep(struct term *t)
{
	if (!t->keys.gone && !t->away)
		beep();
}

void term_set_mouse(struct term *t, bool on)
{
	if (t->mouse == on)
		return;
	t->mouse = on;
	if (!t->keys.gone && !t->away)
		write_mode(t, on ? MOUSE_ON : MOUSE_OFF);
}

/* Terminals that know the sequence by their entry or their name, and those in which
 * an unknown one is read over. GNU screen throws it away, and the Linux console and
 * the terminals of old may print it. */
static bool has_clipboard(const struct term *t)
{
	const char *term = getenv("TERM");

	if (t->info.colors == 0 || in_gnu_screen(term) || strncmp(term, "linux", 5) == 0)
		return false;
	return t->info.clipboard || says_truecolor(term);
}

bool term_copy(struct term *t, const char *text, size_t size)
{
	struct buffer sequence = { 0 };

	if (t->keys.gone || t->away || size > TERM_COPY_MAX || !has_clipboard(t))
		return false;
	buffer_text(&sequence, "\033]52;c;");
	base64_put(&sequence, text, size);
	buffer_text(&sequence, "\a");
	bool made = !sequence.failed;
	if (made)
		write_out(t, sequence.data, sequence.size);
	buffer_free(&sequence);
	return made;
}
