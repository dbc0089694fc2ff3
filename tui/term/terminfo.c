/* terminfo.c - what terminfo says about a terminal, and an entry made of it in memory. */
#include "tui/term/terminfo.h"

#include <stdlib.h>
#include <string.h>

#include <curses.h>
#include <term.h>

#include "tui/term/base64.h"

enum {
	MAGIC = 01036,		/* the compiled form with 32-bit numbers, term(5) */
	PAIRS = 0x10000,
	TABLE_MAX = 0x7fff,	/* offsets have 15 bits */
};

/* tigetstr says NULL for absent, -1 for what is no string. */
static const char *string_of(const char *name)
{
	const char *s = tigetstr(name);

	return s == (const char *)-1 ? NULL : s;
}

static enum status setup(const char *term, int fd, struct error *e)
{
	int found;

	if (setupterm(term, fd, &found) == OK)
		return OK_STATUS;
	if (found == 1)
		return error_set(e, E_FILE, "TERM=%s is a printing terminal, which has no screen; "
				 "qkv --speak needs none", term);
	if (found == 0)
		return error_set(e, E_FILE, "TERM=%s is not known on this machine: "
				 "try TERM=xterm-256color", term);
	return error_set(e, E_FILE, "TERM=%s cannot be looked up: "
			 "there is no terminfo database", term);
}

static void teardown(void)
{
	del_curterm(cur_term);
}

/* ---------------------------------------------------------------- restore */

/* Without the padding $<5> that only curses knows to turn into a delay. */
static void add_string(struct buffer *b, const char *name)
{
	const char *s = string_of(name);

	while (s && *s) {
		const char *end = strncmp(s, "$<", 2) ? NULL : strchr(s, '>');

		if (end)
			s = end + 1;
		else
			buffer_put(b, s++, 1);
	}
}

static void make_restore(struct terminfo *t)
{
	if (t->ansi)
		buffer_text(&t->restore, "\033[?2026l\033[?1006l\033[?1000l\033[?2004l");
	add_string(&t->restore, "sgr0");
	add_string(&t->restore, "op");
	add_string(&t->restore, "rmkx");
	add_string(&t->restore, "rmcup");
	/* Last: going back to the other screen brings the cursor that was saved, and
	 * curses saves one more, a hidden one, whenever it scrolls with ESC 7. */
	add_string(&t->restore, "cnorm");
	add_string(&t->cursor, "cnorm");
}

/* ---------------------------------------------------------------- load */

static void read_entry(struct terminfo *t)
{
	const char *cup = string_of("cup");
	int colors = tigetnum("colors");

	t->colors = colors > 0 ? colors : 0;
	t->direct = tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || string_of("RGB") ||
		    tigetflag("Tc") > 0;
	t->clipboard = string_of("Ms") != NULL;
	t->ansi = cup && strncmp(cup, "\033[", 2) == 0;
	make_restore(t);
}

enum status terminfo_load(struct terminfo *out, const char *term, int fd, struct error *e)
{
	struct terminfo t = { 0 };
	enum status s = setup(term, fd, e);

	if (s)
		return s;
	if (!string_of("cup") || !string_of("clear"))
		s = error_set(e, E_FILE, "TERM=%s cannot place its cursor or clear its screen: "
			      "try TERM=xterm-256color, or qkv --speak, which needs no screen", term);
	else
		read_entry(&t);
	teardown();
	if (!s && (t.restore.failed || t.cursor.failed))
		s = error_set(e, E_MEMORY, "no memory for the terminal");
	if (s)
		terminfo_free(&t);
	else
		*out = t;
	return s;
}

void terminfo_free(struct terminfo *t)
{
	buffer_free(&t->restore);
	buffer_free(&t->cursor);
}

/* ---------------------------------------------------------------- overlay
 *
 * The compiled form: header, names, booleans, numbers, string offsets, string
 * table, and an extended part for RGB. Numbers are little-endian. */

static void put16(struct buffer *b, int value)
{
	unsigned char bytes[] = { value & 255, value >> 8 & 255 };

	buffer_put(b, bytes, sizeof bytes);
}

static void put32(struct buffer *b, int value)
{
	put16(b, value & 0xffff);
	put16(b, value >> 16 & 0xffff);
}

static void put_even(struct buffer *b)
{
	if (b->size & 1)
		buffer_put(b, "", 1);
}

static int length_of(NCURSES_CONST char *const *names)
{
	int n = 0;

	while (names[n])
		n++;
	return n;
}

static bool is(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

/* Semicolons on purpose: more terminals read them than the colons of ISO 8613-6.
 * The palette comes after the 24-bit colours, so that no RGB is mistaken for it. */
#define SET_PALETTE(layer) "\033[" layer "8;5;%p1%dm"
#define SET_RGB(layer) \
	"\033[" layer "8;%?%p1%{16777216}%<" \
	"%t2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d" \
	"%e5;%p1%{16777216}%-%d%;m"

static const char *overlay_string(const char *name, int colors)
{
	bool palette = colors == 256;

	if (is(name, "setaf"))
		return palette ? SET_PALETTE("3") : SET_RGB("3");
	if (is(name, "setab"))
		return palette ? SET_PALETTE("4") : SET_RGB("4");
	if (is(name, "op"))
		return "\033[39;49m";
	/* The user's palette is not ours to change, older ways to set colours would
	 * win over these, and not every terminal repeats a character when asked. */
	if (is(name, "initc") || is(name, "initp") || is(name, "oc") || is(name, "scp") ||
	    is(name, "setf") || is(name, "setb") || is(name, "rep"))
		return NULL;
	return string_of(name);
}

static int overlay_number(const char *name, int colors)
{
	if (is(name, "colors"))
		return colors;
	if (is(name, "pairs"))
		return PAIRS;
	int value = tigetnum(name);
	return value < 0 ? -1 : value;
}

static void put_booleans(struct buffer *b)
{
	for (NCURSES_CONST char *const *name = boolnames; *name; name++) {
		bool changes = is(*name, "ccc") || is(*name, "hls");
		buffer_put(b, !changes && tigetflag(*name) > 0 ? "\1" : "\0", 1);
	}
	put_even(b);
}

static void put_offsets(struct buffer *offsets, struct buffer *table, int colors)
{
	for (NCURSES_CONST char *const *name = strnames; *name; name++) {
		const char *value = overlay_string(*name, colors);

		put16(offsets, value ? (int)table->size : -1);
		if (value)
			buffer_put(table, value, strlen(value) + 1);
		if (table->size > TABLE_MAX)
			table->failed = true;
	}
}

/* One boolean and its name: with it curses keeps no table of all colours. */
static void put_rgb(struct buffer *b)
{
	put16(b, 1);		/* booleans, numbers, strings */
	put16(b, 0);
	put16(b, 0);
	put16(b, 1);		/* strings in the table, its size */
	put16(b, 4);
	buffer_put(b, "\1", 2);
	put16(b, 0);
	buffer_put(b, "RGB", 4);
}

static void compile(struct buffer *b, const char *term, int colors)
{
	struct buffer offsets = { 0 }, table = { 0 };
	size_t names = strlen(term) + sizeof "|overlay";

	put_offsets(&offsets, &table, colors);
	put16(b, MAGIC);
	put16(b, (int)names);
	put16(b, length_of(boolnames));
	put16(b, length_of(numnames));
	put16(b, length_of(strnames));
	put16(b, (int)table.size);
	buffer_format(b, "%s|overlay", term);
	buffer_put(b, "", 1);
	put_booleans(b);
	for (NCURSES_CONST char *const *name = numnames; *name; name++)
		put32(b, overlay_number(*name, colors));
	buffer_put(b, offsets.data, offsets.size);
	buffer_put(b, table.data, table.size);
	put_even(b);
	if (colors > 256)
		put_rgb(b);
	b->failed |= offsets.failed || table.failed;
	buffer_free(&offsets);
	buffer_free(&table);
}

char *terminfo_overlay(const char *term, int fd, int colors)
{
	struct buffer entry = { 0 }, value = { 0 };
	struct error ignored;

	if (strlen(term) > 128 || setup(term, fd, &ignored))
		return NULL;
	compile(&entry, term, colors);
	teardown();
	if (!entry.failed) {
		buffer_text(&value, "b64:");
		base64_put(&value, entry.data, entry.size);
	}
	if (entry.failed || value.failed)
		buffer_free(&value);
	buffer_free(&entry);
	return value.data;
}
