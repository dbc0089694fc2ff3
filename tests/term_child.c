/* term_child.c - a small user of the terminal layer. */
#include "tests/term_child.h"

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"
#include "tests/job_shell.h"
#include "tui/cells.h"
#include "tui/term/term.h"

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

static int run_child(void *data)
{
	const struct term_config *config = data;
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

/* Standard input is a pipe. */
static bool pipe_to_input(void)
{
	int ends[2];

	return pipe(ends) == 0 && dup2(ends[0], 0) == 0;
}

/* Standard output goes nowhere; what opening says is told on the terminal. */
static int open_without_output(const struct term_config *config)
{
	FILE *tty = fopen("/dev/tty", "w");
	int null = open("/dev/null", O_WRONLY);
	struct term *t;
	struct error e = { 0 };

	if (!tty || null < 0 || dup2(null, 1) < 0)
		return 1;
	fprintf(tty, "error %d: %s\n", term_open(&t, config, &e), e.text);
	fclose(tty);
	return 2;
}

int is_term_child(int argc, char **argv)
{
	return argc > 1 && strcmp(argv[1], "child") == 0;
}

int term_child(int argc, char **argv)
{
	struct term_config config = { .color = COLOR_AUTO, .mouse = true, .input = 0 };
	bool shell = false;

	for (int i = 2; i < argc; i++) {
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
		else if (strcmp(argv[i], "nonblock") == 0)
			fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_NONBLOCK);
		else if (strcmp(argv[i], "noout") == 0)
			return open_without_output(&config);
		else if (strncmp(argv[i], "pipe", 4) == 0 && !pipe_to_input())
			return 1;
		if (strcmp(argv[i], "pipe") == 0)
			config.input = -1;
	}
	term_locale();
	return shell ? job_shell(run_child, &config) : run_child(&config);
}
