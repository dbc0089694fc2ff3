/* test_term.c - the terminal layer on a pseudo-terminal.
 *
 * The program starts itself: with an argument it is a small user of the
 * terminal layer, else it is the test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/error.h"
#include "tests/vterm.h"
#include "tui/cells.h"
#include "tui/term/signal.h"
#include "tui/term/term.h"

/* ================================================================ the child */

struct child {
	const struct term_config *config;
	struct term *term;
	struct cells cells;
	char key[64];
	int events, picture;
};

static void print_at(struct cells *c, int row, int column, const char *text)
{
	for (; *text && row < c->rows && column < c->columns; text++)
		cells_at(c, row, column++)->code[0] = (unsigned char)*text;
}

static struct cell *styled(struct cells *c, int row, int column, uint32_t code, int width,
			   struct style style)
{
	struct cell *cell = cells_at(c, row, column);

	cell->code[0] = code;
	cell->width = (uint8_t)width;
	cell->style = style;
	if (width == 2 && column + 1 < c->columns)
		*cells_at(c, row, column + 1) = (struct cell){ .style = style };
	return cell;
}

static void mark(struct cell *c, uint32_t code)
{
	c->code[c->count++] = code;
}

/* Row 2: colours and attributes. */
static void draw_styles(struct cells *c)
{
	styled(c, 2, 0, 'A', 1, (struct style){ COLOR_RGB(255, 128, 0), COLOR_RGB(10, 20, 30), 0 });
	styled(c, 2, 1, 'B', 1, (struct style){ COLOR_PALETTE(1), COLOR_PALETTE(4), 0 });
	styled(c, 2, 2, ' ', 1, (struct style){ COLOR_DEFAULT, COLOR_RGB(0, 0, 139), 0 });
	styled(c, 2, 3, 'D', 1, (struct style){ 0, 0, BOLD });
	styled(c, 2, 4, 'E', 1, (struct style){ 0, 0, UNDERLINE });
	styled(c, 2, 5, 'F', 1, (struct style){ 0, 0, REVERSE });
	styled(c, 2, 6, 'G', 1, (struct style){ COLOR_PALETTE(196), COLOR_PALETTE(10), DIM });
	styled(c, 2, 7, 'H', 1, (struct style){ COLOR_PALETTE(2), COLOR_DEFAULT, BOLD | REVERSE });
	styled(c, 2, 8, ' ', 1, (struct style){ COLOR_PALETTE(2), COLOR_DEFAULT, REVERSE });
	styled(c, 2, 9, ' ', 1, (struct style){ COLOR_DEFAULT, COLOR_RGB(0, 0, 0), 0 });
}

/* Row 3: clusters, and what must not shift its row. */
static void draw_clusters(struct cells *c)
{
	const struct style plain = { 0, 0, 0 };

	styled(c, 3, 0, 0xd55c, 2, plain);				/* han */
	mark(styled(c, 3, 2, 0x1112, 2, plain), 0x1161);		/* the same, decomposed */
	mark(cells_at(c, 3, 2), 0x11ab);
	mark(styled(c, 3, 4, 'e', 1, plain), 0x301);
	styled(c, 3, 5, '\a', 1, plain);				/* no control may act */
	styled(c, 3, 6, 0xd55c, 1, plain);				/* width that is wrong */
	styled(c, 3, 7, 0x301, 1, plain);				/* a mark alone */
	styled(c, 3, 8, 'X', 1, plain);
	styled(c, 3, c->columns - 1, 0xd55c, 2, plain);			/* no room */
	print_at(c, 4, 0, "next row");
	styled(c, 4, c->columns - 1, 0xd55c, 2, plain);
}

/* Every cell its own pair of colours, other ones in every picture. */
static void draw_many(struct child *h)
{
	struct cells *c = &h->cells;
	bool rgb = term_depth(h->term) == DEPTH_TRUE;

	for (int i = 0; i < (c->rows - 5) * c->columns; i++) {
		unsigned n = (unsigned)i + (unsigned)h->picture * 50000;
		struct style s = { COLOR_PALETTE(n % 9 ? n % 9 - 1 : 0), COLOR_PALETTE(n / 9 % 8), 0 };
		if (rgb)
			s = (struct style){ COLOR_RGB(n >> 12, 1, 2),
					    COLOR_RGB(n >> 16, n >> 8 & 255, n & 255), 0 };
		styled(c, 5 + i / c->columns, i % c->columns, '#', 1, s);
	}
}

static void draw_child(struct child *h)
{
	struct error e;
	int rows, columns;
	char text[128];

	term_size(h->term, &rows, &columns);
	if (cells_reset(&h->cells, rows, columns, &e))
		abort();
	snprintf(text, sizeof text, "depth %d utf8 %d theme %d size %dx%d pid %d.",
		 term_depth(h->term), term_utf8(h->term), term_theme(h->term), rows, columns,
		 (int)getpid());
	print_at(&h->cells, 0, 0, text);
	snprintf(text, sizeof text, "event %d: %s.", h->events, h->key);
	print_at(&h->cells, 1, 0, text);
	if (rows > 4 && columns > 10) {
		draw_styles(&h->cells);
		draw_clusters(&h->cells);
	}
	if (h->picture && rows > 5)
		draw_many(h);
	if (strcmp(h->key, "/") == 0) {
		h->cells.cursor_row = 1;
		h->cells.cursor_column = 3;
	}
	term_draw(h->term, &h->cells);
}

static void name_key(struct child *h, const struct key *k)
{
	if (k->kind == KEY_CHARACTER && k->code > ' ' && k->code <= '~' && !k->modifiers)
		snprintf(h->key, sizeof h->key, "%c", (char)k->code);
	else if (k->kind == KEY_PASTE)
		snprintf(h->key, sizeof h->key, "paste %zu", k->length);
	else
		snprintf(h->key, sizeof h->key, "kind %d code %u mods %u at %d,%d", k->kind,
			 (unsigned)k->code, k->modifiers, k->row, k->column);
}

static void crash(void)
{
	volatile char *p = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*p = 1;
}

/* Also touches the frames, so that they exist. */
static int overflow(volatile int depth)
{
	volatile char frame[4096];

	frame[0] = (char)depth;
	return depth < 0 ? 0 : overflow(depth + 1) + frame[0];
}

static void name_flags(struct child *h)
{
	snprintf(h->key, sizeof h->key, "%s",
		 fcntl(1, F_GETFL) & O_NONBLOCK ? "does not block" : "blocks");
}

static void reopen(struct child *h)
{
	struct error e;

	term_close(h->term);
	printf("between\n");
	fflush(stdout);
	if (term_open(&h->term, h->config, &e) || getenv("TERMINFO"))
		abort();
}

/* What is done after the screen was given back is done, whatever signal comes. */
static void leave(struct child *h)
{
	term_leave(h->term);
	raise(SIGHUP);
	raise(SIGTERM);
	printf("done after the screen\n");
	fflush(stdout);
	term_close(h->term);
	abort();
}

/* False to end. */
static bool on_key(struct child *h, const struct key *k)
{
	name_key(h, k);
	if (k->kind != KEY_CHARACTER)
		return true;
	if (k->code == 'z' && k->modifiers == MOD_CONTROL)
		term_suspend(h->term);
	if (k->modifiers)
		return true;
	switch (k->code) {
	case 'q': return false;
	case 'S': crash(); break;
	case 'O': overflow(0); break;
	case 'A': abort();
	case 'B': term_beep(h->term); break;
	case 'L': term_redraw(h->term); break;
	case 'm': term_set_mouse(h->term, false); break;
	case 'M': term_set_mouse(h->term, true); break;
	case 'p': h->picture++; break;
	case 'R': reopen(h); break;
	case 'E': leave(h); break;
	case 'N': name_flags(h); break;
	}
	return true;
}

static int end_child(struct child *h, int status, int signal)
{
	term_close(h->term);
	cells_free(&h->cells);
	if (signal)
		term_die(signal);
	return status;
}

static int run_child(const struct term_config *config)
{
	struct child h = { .config = config, .key = "none" };
	struct error e = { 0 };
	struct key key;

	if (term_open(&h.term, config, &e)) {
		printf("error %d: %s\n", e.status, e.text);
		return 2;
	}
	draw_child(&h);
	for (;;) {
		enum term_event event = term_wait(h.term, 20000, &key);
		h.events++;
		if (event == TERM_KEY && !on_key(&h, &key))
			return end_child(&h, 0, 0);
		if (event == TERM_TIMEOUT)
			return end_child(&h, 4, 0);
		if (event == TERM_HANGUP)
			return end_child(&h, 3, 0);
		if (event == TERM_SIGNAL)
			return end_child(&h, 0, term_signal(h.term));
		if (!term_pending(h.term))
			draw_child(&h);
	}
}

static int show_locale(void)
{
	setlocale(LC_CTYPE, "C");
	int utf8 = term_locale();

	printf("utf8 %d codeset %s point %s\n", utf8, nl_langinfo(CODESET),
	       localeconv()->decimal_point);
	return 0;
}

/* A shell of one job: what it needs of job control, and lines of commands. */
static int run_shell(const struct term_config *config)
{
	signal(SIGTTOU, SIG_IGN);
	pid_t job = fork();
	if (job == 0) {
		setpgid(0, 0);
		tcsetpgrp(0, getpid());
		signal(SIGTTOU, SIG_DFL);
		_exit(run_child(config));
	}
	setpgid(job, job);
	tcsetpgrp(0, job);
	for (int stops = 1;; stops++) {
		int status;
		char command[64];
		if (waitpid(job, &status, WUNTRACED) != job)
			return 1;
		tcsetpgrp(0, getpgrp());
		if (!WIFSTOPPED(status)) {
			printf("job ended %d %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0,
			       WIFEXITED(status) ? WEXITSTATUS(status) : 0);
			return 0;
		}
		printf("job stopped %d\n", stops);
		fflush(stdout);
		if (!fgets(command, sizeof command, stdin))
			return 1;
		if (strcmp(command, "fg\n") == 0)
			tcsetpgrp(0, job);
		if (strcmp(command, "kill\n") == 0)
			kill(-job, SIGTERM);
		kill(-job, SIGCONT);
	}
}

/* Options: name=value, or a word that says what kind of child. */
static int child_main(int argc, char **argv)
{
	struct term_config config = { .color = COLOR_AUTO, .mouse = true, .input = 0 };
	bool shell = false;

	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "color=", 6) == 0)
			config.color = (enum color_choice)atoi(argv[i] + 6);
		else if (strcmp(argv[i], "nohup") == 0)
			signal(SIGHUP, SIG_IGN);
		else if (strcmp(argv[i], "shell") == 0)
			shell = true;
		else if (strcmp(argv[i], "nosync") == 0)
			config.no_sync = true;
		else if (strcmp(argv[i], "nomouse") == 0)
			config.mouse = false;
		else if (strcmp(argv[i], "locale") == 0)
			return show_locale();
		else if (strcmp(argv[i], "pipe") == 0) {
			int ends[2];
			if (pipe(ends) < 0 || dup2(ends[0], 0) < 0)
				return 1;
			config.input = -1;
		} else if (strcmp(argv[i], "pipe0") == 0) {
			int ends[2];
			if (pipe(ends) < 0 || dup2(ends[0], 0) < 0)
				return 1;
		} else if (strcmp(argv[i], "nonblock") == 0) {
			fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_NONBLOCK);
		} else if (strcmp(argv[i], "noout") == 0) {
			fflush(stdout);
			FILE *tty = fopen("/dev/tty", "w");
			int null = open("/dev/null", O_WRONLY);
			struct term *t;
			struct error e = { 0 };
			if (!tty || null < 0 || dup2(null, 1) < 0)
				return 1;
			fprintf(tty, "error %d: %s\n", term_open(&t, &config, &e), e.text);
			fclose(tty);
			return 2;
		}
	}
	term_locale();
	return shell ? run_shell(&config) : run_child(&config);
}

/* ================================================================ the test */

enum {
	WAIT = 10000,		/* ms, for anything that should happen at once */
	WORDS_MAX = 16,
};

/* DEC private modes. */
enum { CURSOR_KEYS = 1, SGR_MOUSE = 1006, PASTES = 2004, SYNC = 2026 };

static char *self = "/proc/self/exe";

/* env and args: words separated by blanks; args may be "". */
static void start_size(struct pty *p, int rows, int columns, const char *env, const char *args)
{
	char words[1024], more[256], sanitizer[1024];
	char *argv[WORDS_MAX] = { self, "child" }, *envp[WORDS_MAX];
	int arguments = 2, variables = 0;

	snprintf(words, sizeof words, "%s%s", strstr(env, "LC_ALL=") ? "" : "LC_ALL=C.UTF-8 ", env);
	for (char *w = strtok(words, " "); w && variables < WORDS_MAX - 2; w = strtok(NULL, " "))
		envp[variables++] = w;
	if (getenv("ASAN_OPTIONS")) {
		snprintf(sanitizer, sizeof sanitizer, "ASAN_OPTIONS=%s", getenv("ASAN_OPTIONS"));
		envp[variables++] = sanitizer;
	}
	envp[variables] = NULL;
	snprintf(more, sizeof more, "%s", args);
	for (char *w = strtok(more, " "); w && arguments < WORDS_MAX - 1; w = strtok(NULL, " "))
		argv[arguments++] = w;
	argv[arguments] = NULL;
	assert_true(pty_start(p, rows, columns, argv, envp));
}

static void start(struct pty *p, const char *env, const char *args)
{
	start_size(p, 24, 80, env, args);
}

static void wait_for(struct pty *p, int row, const char *text)
{
	char buffer[4096];

	if (!pty_wait_text(p, row, text, WAIT))
		fail_msg("no \"%s\"; row 0 \"%s\"", text, pty_row(p, 0, buffer, sizeof buffer));
}

/* The picture is complete when the end of its frame was written. */
static bool frame_ended(struct pty *p, const void *data)
{
	(void)data;
	return pty_count(p, "\033[?2026h") > 0 &&
	       pty_count(p, "\033[?2026h") == pty_count(p, "\033[?2026l");
}

static void wait_frame(struct pty *p, int row, const char *text)
{
	wait_for(p, row, text);
	assert_true(pty_wait(p, frame_ended, NULL, WAIT));
}

static void assert_restored(struct pty *p)
{
	assert_false(p->alternate);
	assert_true(p->cursor_shown);
	assert_int_equal(p->mouse, VTERM_PROP_MOUSE_NONE);
	assert_false(pty_is_set(p, CURSOR_KEYS) || pty_is_set(p, SGR_MOUSE) ||
		     pty_is_set(p, PASTES) || pty_is_set(p, SYNC));
	struct termios mode = pty_mode(p);
	assert_true(mode.c_lflag & ICANON && mode.c_lflag & ECHO && mode.c_lflag & ISIG);
	assert_true(mode.c_oflag & OPOST && mode.c_iflag & ICRNL);
}

static void assert_exits(struct pty *p, int code)
{
	int status = pty_wait_exit(p, WAIT);

	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), code);
}

static void quit(struct pty *p)
{
	pty_type(p, "q");
	assert_exits(p, 0);
	assert_restored(p);
	pty_stop(p);
}

/* ---------------------------------------------------------------- picture */

static void assert_back(struct pty *p, int row, int column, unsigned rgb)
{
	struct pty_cell c = pty_cell(p, row, column);

	assert_false(c.own_background);
	assert_int_equal(c.background, rgb);
}

static void assert_fore(struct pty *p, int row, int column, unsigned rgb)
{
	struct pty_cell c = pty_cell(p, row, column);

	assert_false(c.own_foreground);
	assert_int_equal(c.foreground, rgb);
}

static void assert_attributes(struct pty *p)
{
	assert_true(pty_cell(p, 2, 3).bold && !pty_cell(p, 2, 3).reverse);
	assert_true(pty_cell(p, 2, 4).underline);
	assert_true(pty_cell(p, 2, 5).reverse);
	assert_true(pty_cell(p, 2, 5).own_foreground && pty_cell(p, 2, 5).own_background);
	assert_true(pty_cell(p, 2, 8).reverse);
}

static void assert_clusters(struct pty *p)
{
	char row[4096];

	assert_string_equal(pty_cell(p, 3, 0).text, "\xed\x95\x9c");
	assert_int_equal(pty_cell(p, 3, 0).width, 2);
	assert_string_equal(pty_cell(p, 3, 2).text, "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab");
	assert_string_equal(pty_cell(p, 3, 4).text, "e\xcc\x81");
	assert_string_equal(pty_cell(p, 3, 5).text, "?");
	assert_string_equal(pty_cell(p, 3, 6).text, "?");
	assert_string_equal(pty_cell(p, 3, 7).text, "?");
	assert_string_equal(pty_cell(p, 3, 8).text, "X");
	assert_string_equal(pty_row(p, 4, row, sizeof row), "next row");
	assert_string_equal(pty_cell(p, 5, 0).text, "");
}

static void test_truecolor(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm-256color COLORTERM=truecolor", "");
	wait_frame(&p, 0, "depth 4 utf8 1");
	assert_true(p.alternate);
	assert_false(p.cursor_shown);
	assert_int_equal(p.mouse, VTERM_PROP_MOUSE_CLICK);
	assert_int_equal(pty_count(&p, "\033[?1006h"), 1);
	assert_int_equal(pty_count(&p, "\033[?2004h"), 1);
	assert_fore(&p, 2, 0, 0xff8000);
	assert_back(&p, 2, 0, 0x0a141e);
	assert_true(pty_cell(&p, 2, 0).rgb_background);
	assert_back(&p, 2, 2, 0x00008b);
	assert_back(&p, 2, 9, 0x000000);
	assert_true(pty_cell(&p, 2, 9).rgb_background);
	assert_false(pty_cell(&p, 2, 1).rgb_foreground);
	assert_true(pty_count(&p, "38;5;1;48;5;4m") || pty_count(&p, "38;5;1m"));
	assert_attributes(&p);
	assert_clusters(&p);
	assert_true(pty_cell(&p, 10, 10).own_background);
	quit(&p);
}

static void test_256(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm-256color", "");
	wait_frame(&p, 0, "depth 3 utf8 1");
	assert_false(pty_cell(&p, 2, 0).own_background);
	assert_false(pty_cell(&p, 2, 0).rgb_background);
	assert_int_equal(pty_count(&p, "8;2;"), 0);
	assert_fore(&p, 2, 6, 0xff0000);
	assert_attributes(&p);
	assert_clusters(&p);
	quit(&p);
}

static void test_8(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm", "");
	wait_frame(&p, 0, "depth 1 utf8 1");
	assert_int_equal(pty_count(&p, "8;2;") + pty_count(&p, "8;5;"), 0);
	assert_true(pty_count(&p, "\033[31m\033[44m"));
	assert_false(pty_cell(&p, 2, 0).own_foreground);
	assert_attributes(&p);
	assert_clusters(&p);
	quit(&p);
}

static void assert_no_colors(const struct pty *p)
{
	char sequence[16];

	for (int n = 30; n < 108; n++) {
		snprintf(sequence, sizeof sequence, "\033[%dm", n);
		assert_int_equal(pty_count(p, sequence), 0);
	}
	assert_int_equal(pty_count(p, "8;2;") + pty_count(p, "8;5;"), 0);
}

static void test_mono(void **state)
{
	(void)state;
	static const char *const surroundings[] = {
		"TERM=vt100", "TERM=xterm-256color NO_COLOR=1 COLORTERM=truecolor",
	};

	for (size_t i = 0; i < 2; i++) {
		struct pty p;
		start(&p, surroundings[i], "");
		wait_frame(&p, 0, "depth 0 utf8 1");
		assert_no_colors(&p);
		assert_true(pty_cell(&p, 2, 0).own_foreground && pty_cell(&p, 2, 0).own_background);
		assert_attributes(&p);
		pty_type(&p, "q");
		assert_exits(&p, 0);
		pty_stop(&p);
	}
}

static void assert_depth(const char *env, const char *args, const char *depth)
{
	struct pty p;

	start(&p, env, args);
	if (!pty_wait_text(&p, 0, depth, WAIT)) {
		char row[4096];
		fail_msg("%s %s: %s instead of %s", env, args, pty_row(&p, 0, row, sizeof row), depth);
	}
	quit(&p);
}

static void test_depth_choice(void **state)
{
	(void)state;
	assert_depth("TERM=xterm-256color NO_COLOR=", "", "depth 3");
	assert_depth("TERM=xterm-256color NO_COLOR=1", "color=4", "depth 3");
	assert_depth("TERM=xterm-256color COLORTERM=truecolor", "color=1", "depth 0");
	assert_depth("TERM=xterm-256color", "color=2", "depth 1");
	assert_depth("TERM=xterm-256color", "color=3", "depth 2");
	assert_depth("TERM=xterm", "color=3", "depth 1");
	assert_depth("TERM=xterm", "color=4", "depth 3");
	assert_depth("TERM=xterm", "color=5", "depth 4");
	assert_depth("TERM=xterm COLORTERM=24bit", "", "depth 4");
	assert_depth("TERM=xterm-256color COLORTERM=yes", "", "depth 3");
	assert_depth("TERM=xterm-256color TMUX=x,1,0", "", "depth 4");
	assert_depth("TERM=xterm-256color WT_SESSION=1", "", "depth 4");
	assert_depth("TERM=xterm-256color COLORTERM=truecolor STY=1.pts", "", "depth 3");
	assert_depth("TERM=xterm-256color COLORTERM=truecolor STY=1.pts", "color=5", "depth 4");
}

/* These have no 1049: only the depth is looked at. */
static void test_depth_of_screen(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{ "TERM=screen-256color COLORTERM=truecolor", "depth 3" },
		{ "TERM=screen COLORTERM=truecolor", "depth 1" },
		{ "TERM=screen-256color TMUX=x,1,0", "depth 4" },
		{ "TERM=screen-256color TMUX=x,1,0 STY=1.pts", "depth 3" },
		{ "TERM=tmux-256color TMUX=x,1,0", "depth 4" },
		{ "TERM=linux", "depth 1" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_depth(rows[i][0], "", rows[i][1]);
}

/* With an entry made in memory, on terminals that have no colours at all. */
static void test_overlay(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=vt100", "color=5");
	wait_frame(&p, 0, "depth 4");
	assert_back(&p, 2, 0, 0x0a141e);
	assert_back(&p, 2, 2, 0x00008b);
	pty_type(&p, "q");
	assert_exits(&p, 0);
	pty_stop(&p);

	start(&p, "TERM=xterm", "color=4");
	wait_frame(&p, 0, "depth 3");
	assert_fore(&p, 2, 6, 0xff0000);
	quit(&p);
}

/* More pairs than the terminal has: the backgrounds hold, the program goes on. */
static void test_few_pairs(void **state)
{
	(void)state;
	static const unsigned ansi[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	struct pty p;

	start(&p, "TERM=xterm", "");
	wait_frame(&p, 0, "depth 1");
	for (int picture = 1; picture < 4; picture++) {
		char event[32];
		snprintf(event, sizeof event, "event %d: p", picture);
		pty_type(&p, "p");
		wait_frame(&p, 1, event);
		unsigned colors[8];
		for (unsigned i = 0; i < 8; i++) {
			unsigned first = (unsigned)picture * 50000, n = first - first % 72 + 72 + i * 9;
			int at = (int)(n - first);
			assert_string_equal(pty_cell(&p, 5 + at / 80, at % 80).text, "#");
			colors[i] = pty_cell(&p, 5 + at / 80, at % 80).background;
		}
		for (unsigned i = 0; i < 8; i++)
			for (unsigned j = 0; j < i; j++)
				assert_true(ansi[i] == ansi[j] || colors[i] != colors[j]);
	}
	quit(&p);
}

static bool same_as_picture(struct pty *p, int picture)
{
	int cells = (p->rows - 5) * p->columns;

	for (int i = 0; i < cells; i += 101) {
		unsigned n = (unsigned)i + (unsigned)picture * 50000;
		struct pty_cell c = pty_cell(p, 5 + i / p->columns, i % p->columns);
		if (c.background != (n & 0xffffff) || c.foreground != ((n >> 12 & 255) << 16 | 0x102))
			return false;
	}
	return true;
}

/* 150 x 400 cells in colours of their own: three pictures need 174,000 pairs. */
static void test_many_pairs(void **state)
{
	(void)state;
	struct pty p;

	start_size(&p, 150, 400, "TERM=xterm-256color COLORTERM=truecolor", "");
	wait_frame(&p, 0, "depth 4");
	for (int picture = 1; picture < 4; picture++) {
		char event[32];
		snprintf(event, sizeof event, "event %d: p", picture);
		pty_type(&p, "p");
		wait_frame(&p, 1, event);
		assert_true(same_as_picture(&p, picture));
	}
	quit(&p);
}

static void test_ascii_locale(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm-256color LC_ALL=C", "");
	wait_frame(&p, 0, "depth 3 utf8 0");
	assert_string_equal(pty_cell(&p, 3, 0).text, "?");
	assert_string_equal(pty_cell(&p, 3, 8).text, "X");
	quit(&p);
}

/* ---------------------------------------------------------------- input */

static void assert_key(struct pty *p, const char *bytes, const char *shown)
{
	pty_type(p, bytes);
	wait_for(p, 1, shown);
}

static void test_keys(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm-256color", "");
	wait_frame(&p, 0, "depth 3");
	assert_key(&p, "c", "event 1: c.");
	assert_key(&p, "\033[A", "event 2: kind 2 code 0 ");
	assert_key(&p, "\033OB", "event 3: kind 2 code 1 ");
	assert_key(&p, "\003", "event 4: kind 1 code 99 mods 4");
	assert_key(&p, "\034", "event 5: kind 1 code 92 mods 4");
	assert_key(&p, "\r", "event 6: kind 2 code 4 ");
	assert_key(&p, "\xed\x95\x9c", "event 7: kind 1 code 54620 ");
	assert_key(&p, "\033[<0;5;7M", "event 8: kind 3 code 1 mods 0 at 6,4");
	assert_key(&p, "\033[<65;5;7M", "event 9: kind 4 code 1 mods 0 at 6,4");
	assert_key(&p, "\033[200~a\nq\033[201~", "event 10: paste 3.");
	assert_key(&p, "\033", "event 11: kind 2 code 5 ");
	assert_key(&p, "\033[1$A\033]11;rgb:1/2/3\007k", "event 12: k.");
	quit(&p);
}

static long long milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static void test_escape_wait(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm-256color", "");
	wait_frame(&p, 0, "depth 3");
	long long sent = milliseconds();
	assert_key(&p, "\033", "event 1: kind 2 code 5 ");
	long long took = milliseconds() - sent;
	assert_true(took >= 95 && took < 1000);
	quit(&p);

	start(&p, "TERM=xterm-256color ESCDELAY=5000", "");
	wait_frame(&p, 0, "depth 3");
	pty_type(&p, "\033");
	assert_false(pty_wait_text(&p, 1, "event 1", 200));
	assert_key(&p, "[A", "event 1: kind 2 code 0 ");
	quit(&p);
}

static void test_large_paste(void **state)
{
	(void)state;
	enum { SYLLABLES = 90000 };
	struct pty p;
	char *text = malloc(3 * SYLLABLES);

	assert_non_null(text);
	for (int i = 0; i < SYLLABLES; i++)
		memcpy(text + 3 * i, "\xed\x95\x9c", 3);
	start(&p, "TERM=xterm-256color", "");
	wait_frame(&p, 0, "depth 3");
	pty_type(&p, "\033[200~");
	pty_send(&p, text, 3 * SYLLABLES);
	pty_type(&p, "\033[201~");
	wait_for(&p, 1, "event 1: paste 270000.");
	free(text);
	quit(&p);
}

static void test_coalescing(void **state)
{
	(void)state;
	struct pty p;
	char keys[2000];

	start(&p, "TERM=xterm-256color", "");
	wait_frame(&p, 0, "depth 3");
	memset(keys, 'j', sizeof keys);
	pty_send(&p, keys, sizeof keys);
	wait_frame(&p, 1, "event 2000: j.");
	assert_true(pty_count(&p, "\033[?2026h") < 100);
	quit(&p);
}

static void test_input_from_tty(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm-256color", "pipe");
	wait_frame(&p, 0, "depth 3");
	assert_key(&p, "c", "event 1: c.");
	quit(&p);
}

static void test_nonblocking(void **state)
{
	(void)state;
	struct pty p;

	start_size(&p, 100, 300, "TERM=xterm-256color COLORTERM=truecolor", "nonblock");
	wait_frame(&p, 0, "depth 4");
	assert_key(&p, "p", "event 1: p.");
	assert_key(&p, "N", "event 2: blocks.");
	quit(&p);
}

/* ---------------------------------------------------------------- modes */

static void test_modes(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm-256color", "");
	wait_frame(&p, 0, "depth 3");
	assert_key(&p, "m", "event 1: m.");
	assert_int_equal(p.mouse, VTERM_PROP_MOUSE_NONE);
	assert_key(&p, "M", "event 2: M.");
	assert_int_equal(p.mouse, VTERM_PROP_MOUSE_CLICK);
	pty_type(&p, "B");
	assert_true(pty_wait_output(&p, "\a", WAIT));
	assert_key(&p, "/", "event 4: /.");
	assert_true(p.cursor_shown);
	assert_int_equal(p.cursor_row, 1);
	assert_int_equal(p.cursor_column, 3);
	assert_key(&p, "x", "event 5: x.");
	assert_false(p.cursor_shown);
	/* Noise on the screen stays until everything is repainted. */
	vterm_input_write(p.vterm, "\033[20;1HNOISE", 12);
	assert_true(pty_wait_text(&p, 19, "NOISE", 0));
	pty_type(&p, "L");
	wait_frame(&p, 1, "event 6: L.");
	assert_false(pty_wait_text(&p, 19, "NOISE", 0));
	quit(&p);

	start(&p, "TERM=xterm-256color", "nosync nomouse");
	wait_for(&p, 4, "next row");
	assert_int_equal(pty_count(&p, "\033[?2026h"), 0);
	assert_int_equal(p.mouse, VTERM_PROP_MOUSE_NONE);
	quit(&p);
}

static void test_reopen(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm COLORTERM=truecolor", "");
	wait_frame(&p, 0, "depth 4");
	pty_type(&p, "R");
	wait_frame(&p, 1, "event 1: R.");
	assert_int_equal(pty_count(&p, "between"), 1);
	assert_true(p.alternate);
	assert_back(&p, 2, 0, 0x0a141e);
	quit(&p);
}

static void test_resize(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm-256color LINES=10 COLUMNS=40", "");
	wait_frame(&p, 0, "size 24x80");
	pty_resize(&p, 40, 120);
	wait_frame(&p, 0, "size 40x120");
	assert_clusters(&p);
	pty_resize(&p, 1, 1);
	wait_frame(&p, 0, "d");
	pty_resize(&p, 10, 2);
	for (int i = 0; i < 100; i++)
		pty_resize(&p, 5 + i % 30, 60 + i);
	pty_resize(&p, 30, 90);
	wait_frame(&p, 0, "size 30x90");
	assert_clusters(&p);
	quit(&p);
}

static void test_no_size(void **state)
{
	(void)state;
	struct pty p;

	start_size(&p, 0, 0, "TERM=xterm-256color", "");
	wait_frame(&p, 0, "size 24x80");
	quit(&p);
}

/* ---------------------------------------------------------------- ends */

static void assert_dies(struct pty *p, int signal)
{
	int status = pty_wait_exit(p, WAIT);

	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), signal);
	assert_restored(p);
	assert_int_equal(pty_count(p, "\033[?1049l"), 1);
	pty_stop(p);
}

static void test_signals(void **state)
{
	(void)state;
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS };

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct pty p;
		start(&p, "TERM=xterm-256color COLORTERM=truecolor", "");
		wait_frame(&p, 0, "depth 4");
		kill(p.pid, signals[i]);
		assert_dies(&p, signals[i]);
	}
}

static void test_crashes(void **state)
{
	(void)state;
	static const struct { const char *key; int signal; } crashes[] = {
		{ "S", SIGSEGV }, { "O", SIGSEGV }, { "A", SIGABRT },
	};

	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
		struct pty p;
		start(&p, "TERM=xterm-256color COLORTERM=truecolor", "");
		wait_frame(&p, 0, "depth 4");
		pty_type(&p, crashes[i].key);
		assert_dies(&p, crashes[i].signal);
	}
}

static void test_signals_after_leaving(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm-256color COLORTERM=truecolor", "");
	wait_frame(&p, 0, "depth 4");
	pty_type(&p, "E");
	int status = pty_wait_exit(&p, WAIT);
	assert_true(WIFSIGNALED(status));
	assert_true(WTERMSIG(status) == SIGHUP || WTERMSIG(status) == SIGTERM);
	assert_int_equal(pty_count(&p, "done after the screen"), 1);
	assert_int_equal(pty_count(&p, "\033[?1049l"), 1);
	assert_false(p.alternate);
	pty_stop(&p);
}

/* Input that is always there does not keep a signal out. */
static void test_signal_with_input(void **state)
{
	(void)state;
	int ends[2];
	struct termios mode = { 0 };

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "j", 1), 1);
	signals_open(ends[0], "", 0, &mode);
	raise(SIGTERM);
	raise(SIGWINCH);
	assert_int_equal(signals_ending(), 0);
	assert_int_equal(signals_wait(ends[0], -1), 1);
	assert_int_equal(signals_ending(), SIGTERM);
	assert_true(signals_take(SIGNAL_RESIZED));
	assert_false(signals_take(SIGNAL_RESIZED));
	assert_false(signals_take(SIGNAL_CONTINUED));
	signals_close();
	close(ends[0]);
	close(ends[1]);
}

static void test_hangup(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm-256color", "");
	wait_frame(&p, 0, "depth 3");
	pty_close(&p);
	int status = pty_wait_exit(&p, WAIT);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
	assert_true(p.cpu_ms < 500);
	pty_stop(&p);

	start(&p, "TERM=xterm-256color", "nohup");
	wait_frame(&p, 0, "depth 3");
	pty_close(&p);
	status = pty_wait_exit(&p, WAIT);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
	assert_true(p.cpu_ms < 500);
	pty_stop(&p);
}

/* ---------------------------------------------------------------- job control */

static void start_job(struct pty *p)
{
	start(p, "TERM=xterm-256color", "shell");
	wait_frame(p, 0, "depth 3");
}

static pid_t job_of(struct pty *p)
{
	char row[4096];
	const char *pid = strstr(pty_row(p, 0, row, sizeof row), "pid ");

	assert_non_null(pid);
	return (pid_t)atoi(pid + 4);
}

static bool job_runs(struct pty *p, const void *data)
{
	(void)data;
	return p->alternate && p->mouse == VTERM_PROP_MOUSE_CLICK && pty_is_set(p, CURSOR_KEYS) &&
	       pty_is_set(p, PASTES) && !(pty_mode(p).c_lflag & ICANON);
}

static void assert_continued(struct pty *p, const char *size)
{
	wait_frame(p, 0, size);
	assert_true(pty_wait(p, job_runs, NULL, WAIT));
	pty_type(p, "\033OA");
	wait_frame(p, 1, "kind 2 code 0 ");
	assert_clusters(p);
}

static void end_job(struct pty *p)
{
	pty_type(p, "q");
	wait_for(p, -1, "job ended 0 0");
	assert_restored(p);
	assert_exits(p, 0);
	pty_stop(p);
}

static void test_suspend(void **state)
{
	(void)state;
	struct pty p;

	start_job(&p);
	pty_type(&p, "\032");
	wait_for(&p, -1, "job stopped 1");
	assert_restored(&p);
	pty_resize(&p, 30, 90);
	pty_type(&p, "fg\n");
	assert_continued(&p, "size 30x90");

	kill(job_of(&p), SIGTSTP);
	wait_for(&p, -1, "job stopped 2");
	assert_restored(&p);
	/* In the background it stops as soon as it touches the terminal. */
	pty_type(&p, "bg\n");
	wait_for(&p, -1, "job stopped 3");
	assert_restored(&p);
	pty_type(&p, "fg\n");
	assert_continued(&p, "size 30x90");
	end_job(&p);
}

/* A stop that no program sees coming: whoever uses the screen meanwhile. */
static void test_stopped_hard(void **state)
{
	(void)state;
	struct pty p;

	start_job(&p);
	kill(job_of(&p), SIGSTOP);
	wait_for(&p, -1, "job stopped 1");
	pty_type(&p, "fg\n");
	assert_continued(&p, "size 24x80");
	end_job(&p);
}

static void test_killed_while_stopped(void **state)
{
	(void)state;
	struct pty p;

	start_job(&p);
	pty_type(&p, "\032");
	wait_for(&p, -1, "job stopped 1");
	pty_type(&p, "kill\n");
	wait_for(&p, -1, "job ended 15 0");
	assert_restored(&p);
	assert_exits(&p, 0);
	pty_stop(&p);

	start_job(&p);
	kill(job_of(&p), SIGSTOP);
	wait_for(&p, -1, "job stopped 1");
	pty_type(&p, "kill\n");
	wait_for(&p, -1, "job ended 15 0");
	assert_restored(&p);
	assert_exits(&p, 0);
	pty_stop(&p);
}

/* Without a shell above there is nobody to continue it, so it goes on at once. */
static void test_suspend_orphan(void **state)
{
	(void)state;
	struct pty p;

	start(&p, "TERM=xterm-256color", "");
	wait_frame(&p, 0, "depth 3");
	pty_type(&p, "\032");
	wait_frame(&p, 1, "event 2: kind 1 code 122 mods 4");
	assert_true(p.alternate);
	assert_key(&p, "c", "event 3: c.");
	quit(&p);
}

/* ---------------------------------------------------------------- errors */

/* One line, and nothing else has been written. */
static void assert_error(const char *env, const char *args, const char *text)
{
	struct pty p;

	start(&p, env, args);
	assert_exits(&p, 2);
	char start_of_line[32];
	snprintf(start_of_line, sizeof start_of_line, "error %d: ", E_FILE);
	assert_non_null(p.output);
	assert_memory_equal(p.output, start_of_line, strlen(start_of_line));
	if (!strstr(p.output, text))
		fail_msg("%s: %s", env, p.output);
	assert_string_equal(strchr(p.output, '\n'), "\n");
	assert_int_equal(pty_count(&p, "\033"), 0);
	assert_false(p.alternate);
	assert_restored(&p);
	pty_stop(&p);
}

static void test_errors(void **state)
{
	(void)state;
	assert_error("", "", "TERM is not set");
	assert_error("TERM=", "", "TERM is not set");
	assert_error("TERM=no-such-terminal", "", "TERM=no-such-terminal is not known");
	assert_error("TERM=xterm-kitty-2", "", "TERM=xterm-kitty-2 is not known");
	assert_error("TERM=../x", "", "TERM=../x");
	assert_error("TERM=\033[31mred", "", "TERM=?[31mred");
	assert_error("TERM=dumb", "", "TERM=dumb");
	assert_error("TERM=xterm", "pipe0", "not a terminal");
	assert_error("TERM=xterm", "noout", "standard output is not a terminal");
}

/* ---------------------------------------------------------------- locale */

static void assert_locale(char *const env[], const char *text)
{
	struct pty p;
	char *argv[] = { self, "child", "locale", NULL };

	assert_true(pty_start(&p, 24, 80, argv, env));
	wait_for(&p, 0, text);
	assert_exits(&p, 0);
	pty_stop(&p);
}

static void test_locale(void **state)
{
	(void)state;
	static const struct { char *env[4]; const char *text; } rows[] = {
		{ { NULL }, "utf8 1 codeset UTF-8 point ." },
		{ { "LC_ALL=", "LANG=", NULL }, "utf8 1" },
		{ { "LC_ALL=C.UTF-8", NULL }, "utf8 1" },
		{ { "LANG=xx_YY.UTF-8", NULL }, "utf8 1" },
		{ { "LC_ALL=xx_YY.utf8", "LANG=C", NULL }, "utf8 1" },
		{ { "LC_CTYPE=xx_YY.UTF-8@mod", "LANG=C", NULL }, "utf8 1" },
		{ { "LC_ALL=C", "LANG=xx_YY.UTF-8", NULL }, "utf8 0 codeset ANSI_X3.4-1968" },
		{ { "LC_ALL=POSIX", NULL }, "utf8 0" },
		{ { "LANG=C", NULL }, "utf8 0" },
		{ { "LANG=xx_YY.EUC-KR", NULL }, "utf8 0" },
		{ { "LANG=xx_YY", NULL }, "utf8 0" },
		{ { "LC_NUMERIC=C.UTF-8", NULL }, "utf8 1" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_locale(rows[i].env, rows[i].text);
}

static void test_theme(void **state)
{
	(void)state;
	assert_depth("TERM=xterm-256color COLORFGBG=0;15", "", "theme 1");
	assert_depth("TERM=xterm-256color COLORFGBG=15;default;0", "", "theme 0");
	assert_depth("TERM=xterm-256color COLORFGBG=0;default", "", "theme 0");
	assert_depth("TERM=xterm-256color", "", "theme 0");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truecolor),
		cmocka_unit_test(test_256),
		cmocka_unit_test(test_8),
		cmocka_unit_test(test_mono),
		cmocka_unit_test(test_depth_choice),
		cmocka_unit_test(test_depth_of_screen),
		cmocka_unit_test(test_overlay),
		cmocka_unit_test(test_few_pairs),
		cmocka_unit_test(test_many_pairs),
		cmocka_unit_test(test_ascii_locale),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_escape_wait),
		cmocka_unit_test(test_large_paste),
		cmocka_unit_test(test_coalescing),
		cmocka_unit_test(test_input_from_tty),
		cmocka_unit_test(test_nonblocking),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_reopen),
		cmocka_unit_test(test_resize),
		cmocka_unit_test(test_no_size),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_crashes),
		cmocka_unit_test(test_signals_after_leaving),
		cmocka_unit_test(test_signal_with_input),
		cmocka_unit_test(test_hangup),
		cmocka_unit_test(test_suspend),
		cmocka_unit_test(test_stopped_hard),
		cmocka_unit_test(test_killed_while_stopped),
		cmocka_unit_test(test_suspend_orphan),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_locale),
		cmocka_unit_test(test_theme),
	};

	if (argc > 1 && strcmp(argv[1], "child") == 0)
		return child_main(argc - 1, argv + 1);
	return cmocka_run_group_tests_name("term", tests, NULL, NULL);
}
