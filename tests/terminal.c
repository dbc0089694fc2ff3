/* terminal.c - qkv in a pseudo-terminal, in a folder of its own. */
#include "tests/terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <ftw.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/run.h"

enum { WORDS = 60 };

extern char **environ;

char place[256];
static pid_t running;		/* the program that was started last */

/* ---------------------------------------------------------------- surroundings */

static void set_place(const char *name, const char *folder)
{
	char path[512];

	snprintf(path, sizeof path, "%s%s", place, folder);
	setenv(name, path, 1);
}

/* Reports of sanitizers go to files: the screen is no place for them. */
static void set_reports(const char *name)
{
	static char before[2][512];
	static bool known[2];
	int which = name[0] == 'A';
	char value[1024];

	if (!known[which] && getenv(name))
		snprintf(before[which], sizeof before[which], "%s:", getenv(name));
	known[which] = true;
	snprintf(value, sizeof value, "%slog_path=%s/report", before[which], place);
	setenv(name, value, 1);
}

void surround(const char *words)
{
	static const char *const unset[] = {
		"COLORFGBG", "COLUMNS", "ESCDELAY", "LANG", "LANGUAGE", "LC_CTYPE", "LINES", "NO_COLOR",
		"STY", "TERMCAP", "TERMINFO", "TERMINFO_DIRS", "TERM_PROGRAM", "TMUX", "VTE_VERSION",
		"WT_SESSION",
	};
	char copy[1024];

	for (size_t i = 0; i < sizeof unset / sizeof *unset; i++)
		unsetenv(unset[i]);
	setenv("TERM", "xterm-256color", 1);
	setenv("COLORTERM", "truecolor", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	snprintf(copy, sizeof copy, "%s", words);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
		char *value = strchr(word, '=');
		if (value)
			*value++ = '\0';
		if (value)
			setenv(word, value, 1);
		else
			unsetenv(word);
	}
}

int place_open(void **state)
{
	(void)state;
	make_folder(place);
	if (chdir(place) < 0)
		return -1;
	set_place("HOME", "");
	set_place("XDG_CONFIG_HOME", "/config");
	set_place("XDG_STATE_HOME", "/state");
	set_place("XDG_DATA_HOME", "/data");
	set_reports("ASAN_OPTIONS");
	set_reports("UBSAN_OPTIONS");
	surround("");
	return 0;
}

static int reports;

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	const char *name = path + ftw->base;

	(void)st;
	(void)type;
	if (strncmp(name, "report.", 7) == 0) {
		char *text = read_file(path, NULL);
		fprintf(stderr, "%s:\n%s\n", path, text ? text : "");
		free(text);
		reports++;
	}
	return remove(path);
}

/* What a test that failed has left running would write to the folder. */
static void end_running(void)
{
	if (running > 0 && waitpid(running, NULL, WNOHANG) == 0) {
		kill(running, SIGKILL);
		waitpid(running, NULL, 0);
	}
	running = 0;
}

int place_close(void **state)
{
	(void)state;
	end_running();
	reports = 0;
	if (chdir("/") < 0 || nftw(place, remove_one, 16, FTW_DEPTH | FTW_PHYS) < 0)
		return -1;
	return reports ? -1 : 0;
}

static const char *in_place(const char *name)
{
	static char path[512];

	snprintf(path, sizeof path, "%s/%s", place, name);
	return path;
}

char *place_read(const char *name)
{
	return read_file(in_place(name), NULL);
}

void place_write(const char *name, const char *text)
{
	write_file(in_place(name), text, strlen(text));
}

void place_make(const char *folder)
{
	assert_int_equal(mkdir(in_place(folder), 0700), 0);
}

/* ---------------------------------------------------------------- start */

/* Cuts a text into words in place. */
static int split(char *text, char **words)
{
	int n = 0;

	for (char *p = text + strspn(text, " "); *p; p += strspn(p, " ")) {
		char end[] = { *p == '\'' ? '\'' : ' ', '\0' };
		p += *p == '\'';
		assert_true(n < WORDS - 1);
		words[n++] = p;
		p += strcspn(p, end);
		if (*p)
			*p++ = '\0';
	}
	words[n] = NULL;
	return n;
}

static void start_words(struct pty *p, int rows, int columns, char **argv)
{
	fflush(NULL);
	assert_true(pty_start(p, rows, columns, argv, environ));
	running = p->pid;
}

void start_size(struct pty *p, int rows, int columns, const char *arguments)
{
	char copy[1024], *argv[WORDS + 1] = { (char *)surroundings("QKV") };

	snprintf(copy, sizeof copy, "%s", arguments);
	split(copy, argv + 1);
	start_words(p, rows, columns, argv);
}

void start(struct pty *p, const char *arguments)
{
	start_size(p, 24, 80, arguments);
}

void start_shell(struct pty *p, const char *script)
{
	char *argv[] = { "/bin/sh", "-c", (char *)script, NULL };

	start_words(p, 24, 80, argv);
}

/* ---------------------------------------------------------------- what is shown */

const char *dump(struct pty *p)
{
	int status;

	fflush(NULL);
	if (p->pid > 0 && waitpid(p->pid, &status, WNOHANG) == p->pid) {
		p->pid = 0;
		fprintf(stderr, "the program has ended, wait status %#x\n", (unsigned)status);
	}
	for (int row = 0; row < p->rows; row++) {
		char line[ROW_SIZE];
		fprintf(stderr, "%2d|%s\n", row, pty_row(p, row, line, sizeof line));
	}
	return "the screen above";
}

void wait_text(struct pty *p, int row, const char *text)
{
	if (!pty_wait_text(p, row, text, WAIT))
		fail_msg("no \"%s\" in row %d of %s", text, row, dump(p));
}

bool shows(struct pty *p, const char *text)
{
	return pty_wait_text(p, -1, text, 0);
}

void wait_ready(struct pty *p, bool (*ready)(struct pty *, const void *), const void *data)
{
	if (!pty_wait(p, ready, data, WAIT))
		fail_msg("what was waited for did not come; see %s", dump(p));
}

static int frames(const struct pty *p)
{
	int begun = pty_count(p, "\033[?2026h"), ended = pty_count(p, "\033[?2026l");

	return begun == ended ? ended : -1;
}

static bool frame_ended(struct pty *p, const void *data)
{
	(void)data;
	return frames(p) > 0;
}

void wait_frame(struct pty *p, int row, const char *text)
{
	wait_text(p, row, text);
	wait_ready(p, frame_ended, NULL);
}

/* The row of a label, -1 when there is none. */
static int find_row(struct pty *p, const char *label, char line[ROW_SIZE])
{
	size_t n = strlen(label);

	for (int row = 2; row < p->rows; row++) {
		pty_row(p, row, line, ROW_SIZE);
		if (strncmp(line, "> ", 2) && strncmp(line, "  ", 2))
			continue;
		if (strncmp(line + 2, label, n) == 0 && (line[2 + n] == ' ' || !line[2 + n]))
			return row;
	}
	return -1;
}

int row_of(struct pty *p, const char *label)
{
	char line[ROW_SIZE];
	int row = find_row(p, label, line);

	if (row < 0)
		fail_msg("no row \"%s\" in %s", label, dump(p));
	return row;
}

struct wanted { const char *label, *text; };

static bool row_has(struct pty *p, const void *data)
{
	const struct wanted *w = data;
	char line[ROW_SIZE];

	return frames(p) > 0 && find_row(p, w->label, line) >= 0 && strstr(line, w->text);
}

void wait_row(struct pty *p, const char *label, const char *text)
{
	struct wanted w = { label, text };

	if (!pty_wait(p, row_has, &w, WAIT))
		fail_msg("no \"%s\" in the row of \"%s\" in %s", text, label, dump(p));
}

/* Whether a text stands at a cell: the texts of the cells from there on. */
static bool stands_at(struct pty *p, int row, int column, const char *text)
{
	while (*text) {
		struct pty_cell c;
		if (column >= p->columns)
			return false;
		c = pty_cell(p, row, column);
		const char *shown = *c.text ? c.text : " ";
		if (strncmp(text, shown, strlen(shown)))
			return false;
		text += strlen(shown);
		column += c.width > 1 ? c.width : 1;
	}
	return true;
}

int column_of(struct pty *p, int row, const char *text)
{
	for (int column = 0; column < p->columns; column++)
		if (stands_at(p, row, column, text))
			return column;
	fail_msg("no \"%s\" in row %d of %s", text, row, dump(p));
	return -1;
}

/* ---------------------------------------------------------------- keys */

/* Esc as terminals send it that tell keys by numbers: then it is no matter of
 * time what follows it. */
static const struct { const char *name, *bytes; } named[] = {
	{ "<Up>", "\033OA" }, { "<Down>", "\033OB" }, { "<Right>", "\033OC" }, { "<Left>", "\033OD" },
	{ "<Enter>", "\r" }, { "<Esc>", "\033[27u" }, { "<Space>", " " }, { "<BS>", "\177" }, { "<Tab>", "\t" },
	{ "<S-Tab>", "\033[Z" }, { "<Home>", "\033OH" }, { "<End>", "\033OF" }, { "<PgUp>", "\033[5~" },
	{ "<PgDn>", "\033[6~" }, { "<Del>", "\033[3~" }, { "<C-r>", "\022" }, { "<lt>", "<" }, { "<gt>", ">" },
};

/* The bytes of the key at the start of a text; returns how long the text of the
 * key is. */
static size_t key_bytes(const char *keys, char bytes[8])
{
	size_t n = 1;

	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (strncmp(keys, named[i].name, strlen(named[i].name)) == 0) {
			snprintf(bytes, 8, "%s", named[i].bytes);
			return strlen(named[i].name);
		}
	while (n < 4 && ((unsigned char)keys[n] & 0xc0) == 0x80)
		n++;
	snprintf(bytes, 8, "%.*s", (int)n, keys);
	return n;
}

static bool more_frames(struct pty *p, const void *data)
{
	return frames(p) > *(const int *)data;
}

static void send_key(struct pty *p, const char *bytes, bool burst)
{
	int before;

	if (!burst)
		wait_ready(p, frame_ended, NULL);
	before = pty_count(p, "\033[?2026l");
	pty_type(p, bytes);
	if (!burst && !pty_wait(p, more_frames, &before, WAIT))
		fail_msg("the key \"%s\" was not answered by a frame; see %s", bytes, dump(p));
}

/* A line that is typed literally goes from : or / to <Enter> or <Esc>. */
static void send_keys(struct pty *p, const char *keys, bool burst)
{
	bool line = false;
	char bytes[8];

	while (*keys) {
		if (!line && *keys == ' ') {
			keys++;
			continue;
		}
		if (strncmp(keys, "<Type:", 6) == 0) {
			for (keys += 6; *keys != '>'; keys++)
				send_key(p, (char[]){ *keys, '\0' }, burst);
			keys++;
			continue;
		}
		size_t n = key_bytes(keys, bytes);
		if (strcmp(bytes, "\r") == 0 || strcmp(bytes, "\033[27u") == 0)
			line = false;
		else
			line |= n == 1 && strchr(":/", *keys);
		keys += n;
		send_key(p, bytes, burst);
	}
}

void type_keys(struct pty *p, const char *keys)
{
	send_keys(p, keys, false);
}

void type_burst(struct pty *p, const char *keys)
{
	send_keys(p, keys, true);
}

void click(struct pty *p, int row, int column)
{
	char report[64];

	snprintf(report, sizeof report, "\033[<0;%d;%dM\033[<0;%d;%dm", column + 1, row + 1, column + 1, row + 1);
	pty_type(p, report);
}

/* ---------------------------------------------------------------- pictures */

struct picture {
	int rows, columns;
	struct pty_cell cells[];
};

struct picture *take_picture(struct pty *p)
{
	size_t n = (size_t)p->rows * (size_t)p->columns;
	struct picture *picture = calloc(1, sizeof *picture + n * sizeof *picture->cells);

	assert_non_null(picture);
	picture->rows = p->rows;
	picture->columns = p->columns;
	for (size_t i = 0; i < n; i++)
		picture->cells[i] = pty_cell(p, (int)i / p->columns, (int)i % p->columns);
	return picture;
}

void picture_free(struct picture *picture)
{
	free(picture);
}

/* What the eye tells apart: nothing of the foreground shows in a blank. */
static bool same_cell(const struct pty_cell *a, const struct pty_cell *b)
{
	bool blank = !*a->text && !a->underline && !a->reverse;

	if (strcmp(a->text, b->text) || a->width != b->width || a->underline != b->underline ||
	    a->reverse != b->reverse ||
	    a->own_background != b->own_background ||
	    (!a->own_background && a->background != b->background))
		return false;
	return blank || (a->bold == b->bold && a->own_foreground == b->own_foreground &&
			 (a->own_foreground || a->foreground == b->foreground));
}

/* The first cell that differs, or -1. The right half of a wide cell is what the
 * left half is; the emulator keeps an old look there. */
static int difference(struct pty *p, const struct picture *picture)
{
	if (p->rows != picture->rows || p->columns != picture->columns)
		return 0;
	for (int i = 0; i < p->rows * p->columns;) {
		struct pty_cell now = pty_cell(p, i / p->columns, i % p->columns);
		if (!same_cell(&now, &picture->cells[i]))
			return i;
		i += now.width > 1 ? now.width : 1;
	}
	return -1;
}

static bool is_picture(struct pty *p, const void *data)
{
	return frames(p) > 0 && difference(p, data) < 0;
}

static const char *cell_text(const struct pty_cell *c)
{
	static char text[2][160];
	static int which;

	which = !which;
	snprintf(text[which], sizeof text[which], "'%s' %s%06x on %s%06x%s%s%s", c->text,
		 c->own_foreground ? "own " : "", c->foreground, c->own_background ? "own " : "", c->background,
		 c->bold ? " bold" : "", c->underline ? " underlined" : "", c->reverse ? " reverse" : "");
	return text[which];
}

static void wait_for_picture(struct pty *p, const struct picture *picture, const char *of)
{
	if (pty_wait(p, is_picture, picture, WAIT))
		return;
	int at = difference(p, picture);
	if (at < 0)
		fail_msg("the frame%s has not ended in %s", of, dump(p));
	struct pty_cell now = pty_cell(p, at / p->columns, at % p->columns);
	fail_msg("row %d column %d is %s, not %s%s, in %s", at / p->columns, at % p->columns, cell_text(&now),
		 cell_text(&picture->cells[at]), of, dump(p));
}

void wait_picture(struct pty *p, const struct picture *picture)
{
	wait_for_picture(p, picture, "");
}

/* A terminal in which nothing runs, with that written to it. One more row, for
 * the end of the last line. */
static void emulate(struct pty *p, int rows, int columns, const char *text, size_t n)
{
	*p = (struct pty){ .fd = -1, .rows = rows, .columns = columns };
	p->vterm = vterm_new(rows + 1, columns);
	assert_non_null(p->vterm);
	vterm_set_utf8(p->vterm, 1);
	p->screen = vterm_obtain_screen(p->vterm);
	vterm_screen_reset(p->screen, 1);
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\n')
			vterm_input_write(p->vterm, "\r", 1);
		vterm_input_write(p->vterm, text + i, 1);
	}
}

static struct picture *frame_picture(int rows, int columns, const char *keys, const char *arguments)
{
	char copy[1024], size[32], *words[WORDS + 8] = { "frame", "--format", "ansi", "--size", size, "--keys" };
	struct pty p;

	snprintf(size, sizeof size, "%dx%d", columns, rows);
	snprintf(copy, sizeof copy, "%s", arguments);
	words[6] = (char *)keys;
	split(copy, words + 7);
	struct run r = run_words((const char *const *)words, NULL);
	if (r.status)
		fail_msg("qkv frame --keys '%s' %s: status %d: %s", keys, arguments, r.status, r.err);
	emulate(&p, rows, columns, r.out, r.out_size);
	struct picture *picture = take_picture(&p);
	pty_stop(&p);
	run_free(&r);
	return picture;
}

void wait_same(struct pty *p, const char *keys, const char *arguments)
{
	struct picture *picture = frame_picture(p->rows, p->columns, keys, arguments);
	char of[512];

	snprintf(of, sizeof of, " as after '%s' with '%s'", keys, arguments);
	wait_for_picture(p, picture, of);
	picture_free(picture);
}

/* ---------------------------------------------------------------- ends */

static struct termios fresh_mode(void)
{
	struct termios mode;
	int ours, theirs;

	assert_int_equal(openpty(&ours, &theirs, NULL, NULL, NULL), 0);
	assert_int_equal(tcgetattr(ours, &mode), 0);
	close(ours);
	close(theirs);
	return mode;
}

static void assert_mode(struct pty *p)
{
	struct termios mode = pty_mode(p), fresh = fresh_mode();

	assert_int_equal(mode.c_iflag, fresh.c_iflag);
	assert_int_equal(mode.c_oflag, fresh.c_oflag);
	assert_int_equal(mode.c_cflag, fresh.c_cflag);
	assert_int_equal(mode.c_lflag, fresh.c_lflag);
	assert_memory_equal(mode.c_cc, fresh.c_cc, sizeof mode.c_cc);
}

void assert_restored(struct pty *p)
{
	static const int modes[] = { 1, 1000, 1002, 1003, 1006, 1049, 2004, 2026 };

	assert_false(p->alternate);
	assert_true(p->cursor_shown);
	assert_int_equal(p->mouse, VTERM_PROP_MOUSE_NONE);
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (pty_is_set(p, modes[i]))
			fail_msg("the mode ?%d is still on", modes[i]);
	assert_mode(p);
	/* What is written now has the terminal's own look. */
	vterm_input_write(p->vterm, "\rX", 2);
	struct pty_cell c = pty_cell(p, p->cursor_row, 0);
	assert_string_equal(c.text, "X");
	assert_true(c.own_foreground && c.own_background);
	assert_false(c.bold || c.underline || c.reverse);
}

void assert_exit(struct pty *p, int code)
{
	int status = pty_wait_exit(p, WAIT);

	if (status == -1)
		fail_msg("the program has not ended: %s", dump(p));
	if (!WIFEXITED(status) || WEXITSTATUS(status) != code)
		fail_msg("status %#x, not %d: %s", status, code, dump(p));
}

void assert_killed(struct pty *p, int signal)
{
	int status = pty_wait_exit(p, WAIT);

	if (status == -1)
		fail_msg("signal %d has not ended it: %s", signal, dump(p));
	if (!WIFSIGNALED(status) || WTERMSIG(status) != signal)
		fail_msg("status %#x, not by signal %d: %s", status, signal, dump(p));
}

void quit(struct pty *p)
{
	pty_type(p, "q");
	assert_exit(p, 0);
	assert_restored(p);
	pty_stop(p);
}

void assert_refused(struct pty *p, const char *begin, const char *text)
{
	assert_exit(p, 2);
	assert_non_null(p->output);
	if (strncmp(p->output, begin, strlen(begin)) || !strstr(p->output, text))
		fail_msg("\"%s\" does not begin with \"%s\" and have \"%s\" in it", p->output, begin, text);
	assert_string_equal(strchr(p->output, '\n'), "\n");
	assert_int_equal(pty_count(p, "\033"), 0);
	assert_restored(p);
	pty_stop(p);
}
