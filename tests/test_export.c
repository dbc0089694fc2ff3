/* test_export.c - the writers of text, ANSI, SVG and HTML. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/export.h"
#include "tui/text.h"

static const struct style plain;

static struct cells make(int rows, int columns, struct pane *p)
{
	struct cells c;
	struct error e = { 0 };

	assert_int_equal(cells_init(&c, rows, columns, &e), OK_STATUS);
	*p = (struct pane){ .rows = rows, .columns = columns };
	return c;
}

static void check(struct buffer *b, const char *want)
{
	assert_false(b->failed);
	assert_string_equal(b->data, want);
	buffer_free(b);
}

static int count(const char *text, const char *what)
{
	int n = 0;

	while ((text = strstr(text, what))) {
		n++;
		text += strlen(what);
	}
	return n;
}

/* ---- a small reader of XML ---- */

struct tag {
	char name[16];
	char attributes[512];
	bool closing, empty;
};

/* XML's Char production, less the controls that it discourages. */
static void check_character(const char **at)
{
	int32_t c;
	size_t n = text_decode(*at, strlen(*at), &c);

	assert_true(c == '\n' || (c >= 0x20 && c < 0x7f) || (c >= 0xa0 && c < 0xfffe) ||
		    (c >= 0x10000 && c <= 0x10ffff));
	*at += n;
}

/* Moves *at over one entity and returns what it stands for. */
static char read_entity(const char **at)
{
	static const char *const names[] = { "&amp;", "&lt;", "&gt;", "&quot;" };

	for (int i = 0; i < 4; i++) {
		if (!strncmp(*at, names[i], strlen(names[i]))) {
			*at += strlen(names[i]);
			return "&<>\""[i];
		}
	}
	fail_msg("a bare ampersand");
	return 0;
}

static struct tag read_tag(const char **at)
{
	struct tag t = { .closing = (*at)[1] == '/' };
	size_t n = 0;

	*at += 1 + t.closing;
	for (; isalnum((unsigned char)**at); (*at)++) {
		assert_true(n + 1 < sizeof t.name);
		t.name[n++] = **at;
	}
	assert_true(n > 0);
	const char *start = *at;
	while (**at == ' ' || **at == '\n') {
		*at += strspn(*at, " \n");
		for (; isalpha((unsigned char)**at) || **at == '-' || **at == ':'; (*at)++)
			;
		assert_int_equal(*(*at)++, '=');
		assert_int_equal(*(*at)++, '"');
		while (**at != '"') {
			assert_true(**at && **at != '<' && **at != '&');
			check_character(at);
		}
		(*at)++;
	}
	assert_true((size_t)(*at - start) < sizeof t.attributes);
	memcpy(t.attributes, start, (size_t)(*at - start));
	t.empty = **at == '/';
	*at += t.empty;
	assert_int_equal(*(*at)++, '>');
	assert_false(t.closing && (t.empty || *t.attributes));
	return t;
}

enum { NODES_MAX = 64, DEPTH_MAX = 8 };

/* Checks that a document is well formed; fills text[] with the contents of its
 * elements called `name` and returns their number. */
static int read_xml(const char *at, const char *name, char text[NODES_MAX][256],
		    char attributes[NODES_MAX][512])
{
	char open[DEPTH_MAX][16];
	int depth = 0, nodes = 0;
	size_t n = 0;
	bool ended = false;

	assert_int_equal(strncmp(at, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", 39), 0);
	at += 39;
	while (*at) {
		bool inside = depth && !strcmp(open[depth - 1], name);

		if (*at == '<') {
			struct tag t = read_tag(&at);

			assert_false(ended);
			if (t.closing) {
				assert_true(depth > 0);
				assert_string_equal(open[--depth], t.name);
				if (inside)
					text[nodes++][n] = '\0';
			} else if (!t.empty) {
				assert_true(depth < DEPTH_MAX && nodes < NODES_MAX);
				strcpy(open[depth++], t.name);
				strcpy(attributes[nodes], t.attributes);
				n = 0;
			}
			ended = !depth;
			continue;
		}
		const char *from = at;
		if (*at == '&') {
			char c = read_entity(&at);

			assert_true(depth > 0);
			if (inside)
				text[nodes][n++] = c;
			continue;
		}
		assert_true(depth > 0 || *at == '\n');
		check_character(&at);
		assert_true(n + 4 < 256);
		for (; inside && from < at; from++)
			text[nodes][n++] = *from;
	}
	assert_true(ended);
	return nodes;
}

static char node[NODES_MAX][256], attribute[NODES_MAX][512];

/* ---- the tests ---- */

static void text_has_no_blanks_at_its_ends(void **state)
{
	struct pane p;
	struct cells c = make(4, 12, &p);
	struct style filled = { .background = COLOR_PALETTE(4) };
	struct buffer b = { 0 };

	(void)state;
	p.cells = &c;
	pane_text(&p, 0, 0, "\ud55c\uae00 0.5", -1, filled);
	pane_fill(&p, 1, 0, 1, 12, filled);
	pane_text(&p, 2, 3, "q\u0302", -1, plain);
	pane_text(&p, 3, 10, "\uac00", -1, plain);
	export_text(&c, &b);
	check(&b, "\ud55c\uae00 0.5\n\n   q\u0302\n          \uac00\n");
	cells_free(&c);
}

static void ansi_is_minimal(void **state)
{
	struct pane p;
	struct cells c = make(5, 10, &p);
	struct style direct = { COLOR_RGB(1, 2, 3), COLOR_RGB(40, 50, 60), BOLD };
	struct style other = { COLOR_RGB(1, 2, 3), COLOR_PALETTE(200), BOLD };
	struct style base = { COLOR_PALETTE(3), COLOR_PALETTE(12), 0 };
	struct style line = { 0, 0, UNDERLINE }, back = { 0, 0, REVERSE | DIM };
	struct buffer b = { 0 };

	(void)state;
	p.cells = &c;
	pane_text(&p, 0, 0, "ab", -1, direct);
	pane_text(&p, 0, 2, "cd", -1, other);
	pane_text(&p, 0, 4, "e", -1, plain);
	pane_text(&p, 1, 0, "x", -1, base);
	pane_text(&p, 1, 1, "  ", -1, (struct style){ COLOR_PALETTE(7), COLOR_PALETTE(12), BOLD });
	pane_text(&p, 1, 3, "y", -1, base);
	pane_text(&p, 2, 0, "u", -1, line);
	pane_fill(&p, 2, 1, 1, 2, line);
	pane_fill(&p, 3, 2, 1, 2, back);
	pane_fill(&p, 4, 0, 1, 9, (struct style){ COLOR_PALETTE(3), 0, BOLD });
	export_ansi(&c, &b);
	check(&b,
	      "\033[1;38;2;1;2;3;48;2;40;50;60mab\033[48;5;200mcd\033[0me\n"
	      "\033[33;104mx  y\033[0m\n"	/* blanks take no new foreground */
	      "\033[4mu  \033[0m\n"
	      "  \033[2;7m  \033[0m\n"
	      "\n");
	/* fewer attributes, and a colour that goes back to the terminal's own */
	pane_fill(&p, 0, 0, 5, 10, plain);
	pane_text(&p, 0, 0, "a", -1, (struct style){ COLOR_PALETTE(2), 0, BOLD | UNDERLINE });
	pane_text(&p, 0, 1, "b", -1, (struct style){ COLOR_PALETTE(2), 0, BOLD });
	pane_text(&p, 0, 2, "c", -1, (struct style){ 0, 0, BOLD });
	pane_text(&p, 0, 3, "d", -1, (struct style){ 0, COLOR_PALETTE(255), BOLD });
	export_ansi(&c, &b);
	check(&b, "\033[1;4;32ma\033[0;1;32mb\033[39mc\033[48;5;255md\033[0m\n\n\n\n\n");
	cells_free(&c);
}

/* C07: what acts on a terminal does not get into a file either, even from
 * cells that were not made by text.h. */
static void no_control_gets_out(void **state)
{
	static const char label[] = "a\033]0;t\007\xc2\x9b" "31m\177\r\n";
	static const uint32_t hostile[] = { 0, 7, 0x1b, 0x7f, 0x9b, 0xfffe, 0xffff, 0xd800, 0x110000 };
	const int n = sizeof hostile / sizeof *hostile;
	const struct export_options o = { THEME_DARK, label };
	struct pane p;
	struct cells c = make(2, 20, &p);

	(void)state;
	p.cells = &c;
	pane_text(&p, 0, 0, label, -1, plain);
	for (int i = 0; i < n; i++) {
		cells_at(&c, 1, i)->code[0] = hostile[i];
		cells_at(&c, 1, i)->style = plain;
	}
	for (int kind = 0; kind < 4; kind++) {
		struct buffer b = { 0 };

		if (kind == 0)
			export_text(&c, &b);
		else if (kind == 1)
			export_ansi(&c, &b);
		else if (kind == 2)
			export_svg(&c, &o, &b);
		else
			export_html(&c, &o, &b);
		assert_int_equal(strlen(b.data), b.size);
		assert_true(count(b.data, "\ufffd") >= n);
		for (const char *at = b.data; *at;)
			check_character(&at);
		buffer_free(&b);
	}
	cells_free(&c);
}

/* C40 */
static void svg_escapes(void **state)
{
	static const char *const labels[] = { "<s>", "&", "a\"b", "x>y", "]]>", "\001", " q" };
	static const char *const want[] = { "<s>", "&", "a\"b", "x>y", "]]>", "\u2401", "q" };
	const struct export_options o = { THEME_LIGHT, "<s> & \"q\" ]]> \001" };
	struct pane p;
	struct cells c = make(7, 8, &p);
	struct buffer b = { 0 };

	(void)state;
	p.cells = &c;
	for (int i = 0; i < 7; i++)
		pane_text(&p, i, 1, labels[i], -1, plain);
	export_svg(&c, &o, &b);
	assert_int_equal(read_xml(b.data, "text", node, attribute), 7);
	for (int i = 0; i < 7; i++)
		assert_string_equal(node[i], want[i]);
	/* the leading blank has moved the text by one column: 2 * 9 */
	assert_non_null(strstr(attribute[6], " x=\"18\" "));
	assert_non_null(strstr(attribute[0], " x=\"9\" "));
	assert_int_equal(read_xml(b.data, "title", node, attribute), 1);
	assert_string_equal(node[0], "<s> & \"q\" ]]> \u2401");
	buffer_free(&b);
	cells_free(&c);
}

/* One label or number, one text at its place. */
static void svg_runs(void **state)
{
	static const char *const texts[] = { "\ud55c\uae00 ab", "0.731 ok", "0.5", "x", "__ __" };
	static const int column[] = { 1, 10, 20, 23, 0 }, columns[] = { 7, 8, 3, 1, 5 };
	static const int rows[] = { 0, 0, 0, 0, 1 };
	const struct export_options o = { THEME_DARK, NULL };
	const struct style heat = { COLOR_RGB(0, 0, 0), COLOR_RGB(250, 230, 80), 0 };
	const struct style line = { COLOR_RGB(255, 128, 0), 0, UNDERLINE | BOLD };
	struct pane p;
	struct cells c = make(2, 26, &p);
	struct buffer b = { 0 };

	(void)state;
	p.cells = &c;
	pane_text(&p, 0, 1, "\ud55c\uae00 ab  0.731 ok", -1, plain);
	pane_text(&p, 0, 10, "0.731 ok", -1, plain);
	pane_field(&p, 0, 19, "0.5", 4, 1, heat);
	pane_text(&p, 0, 23, "x", -1, plain);
	pane_text(&p, 1, 0, "__ __", -1, line);
	export_svg(&c, &o, &b);
	assert_int_equal(read_xml(b.data, "text", node, attribute), 5);
	for (int i = 0; i < 5; i++) {
		char place[80];

		assert_string_equal(node[i], texts[i]);
		snprintf(place, sizeof place, " x=\"%d\" y=\"%d\" textLength=\"%d\"", column[i] * 9,
			 rows[i] * 18 + 14, columns[i] * 9);
		assert_non_null(strstr(attribute[i], place));
		assert_non_null(strstr(attribute[i], "xml:space=\"preserve\""));
	}
	assert_non_null(strstr(attribute[2], "fill=\"#000000\""));
	assert_null(strstr(attribute[0], "fill"));
	assert_non_null(strstr(attribute[4], "fill=\"#ff8000\""));
	assert_non_null(strstr(attribute[4], "font-weight=\"bold\""));
	assert_non_null(strstr(attribute[4], "text-decoration=\"underline\""));
	/* the page and one run of one background */
	assert_int_equal(count(b.data, "<rect "), 2);
	assert_non_null(strstr(b.data, "<rect x=\"171\" y=\"0\" width=\"36\" height=\"18\" fill=\"#fae650\"/>"));
	assert_non_null(strstr(b.data, "<title>qkv</title>"));
	assert_non_null(strstr(b.data, "viewBox=\"-9 -9 252 54\""));
	buffer_free(&b);
	cells_free(&c);
}

static void reversed_and_dim(void **state)
{
	const struct export_options dark = { THEME_DARK, "" }, light = { THEME_LIGHT, "" };
	const struct style reverse = { 0, 0, REVERSE };
	const struct style dim = { COLOR_RGB(200, 200, 200), COLOR_RGB(50, 80, 110), DIM };
	struct pane p;
	struct cells c = make(1, 4, &p);
	struct buffer b = { 0 };

	(void)state;
	p.cells = &c;
	pane_text(&p, 0, 0, "r", -1, reverse);
	pane_text(&p, 0, 2, "d", -1, dim);
	export_svg(&c, &light, &b);
	assert_int_equal(read_xml(b.data, "text", node, attribute), 2);
	assert_non_null(strstr(attribute[0], "fill=\"#ffffff\""));
	assert_non_null(strstr(b.data, "width=\"9\" height=\"18\" fill=\"#1a1a1a\"/>"));
	/* two parts text, one part ground: (2 * 200 + 50) / 3 = 150 = 0x96 ... */
	assert_non_null(strstr(attribute[1], "fill=\"#96a0aa\""));
	buffer_free(&b);
	export_html(&c, &dark, &b);
	assert_non_null(strstr(b.data, "<span style=\"color:#111111;background:#e0e0e0;\">r</span>"));
	assert_non_null(strstr(b.data, "<span style=\"color:#96a0aa;background:#32506e;\">d</span>"));
	buffer_free(&b);
	cells_free(&c);
}

static void html_is_a_document(void **state)
{
	const struct export_options o = { THEME_LIGHT, "</title><s>" };
	const struct style bold = { COLOR_RGB(1, 2, 3), 0, BOLD };
	struct pane p;
	struct cells c = make(3, 16, &p);
	struct buffer b = { 0 };

	(void)state;
	p.cells = &c;
	pane_text(&p, 1, 0, "<b>&\"", -1, plain);
	pane_text(&p, 1, 5, "\ud55c\uae00x", -1, bold);
	pane_text(&p, 2, 1, "\u05d0\u05d1 0.5", -1, plain);
	export_html(&c, &o, &b);
	assert_int_equal(strncmp(b.data, "<!DOCTYPE html>\n<html>\n", 23), 0);
	assert_non_null(strstr(b.data, "<meta charset=\"utf-8\">"));
	assert_non_null(strstr(b.data, "<title>&lt;/title&gt;&lt;s&gt;</title>"));
	assert_non_null(strstr(b.data, "background: #ffffff; color: #1a1a1a;"));
	/* the first newline after <pre> is no line; wide ones stand in boxes */
	assert_non_null(strstr(b.data,
			       "<pre>\n\n&lt;b&gt;&amp;&quot;"
			       "<span style=\"color:#010203;font-weight:bold;"
			       "display:inline-block;width:4ch;\">\ud55c\uae00</span>"
			       "<span style=\"color:#010203;font-weight:bold;\">x</span>\n"
			       " \u05d0\u05d1 0.5\n</pre>\n</body>\n</html>\n"));
	assert_int_equal(count(b.data, "<span"), count(b.data, "</span>"));
	buffer_free(&b);
	cells_free(&c);
}

/* Appends what text shows: no blanks, no lines, no sequences. */
static void add_ink(char *to, const char *text)
{
	to += strlen(to);
	for (; *text; text++) {
		if (*text == '\033')
			text += strcspn(text, "m");
		else if (*text != ' ' && *text != '\n')
			*to++ = *text;
	}
	*to = '\0';
}

/* Random pictures stay well formed, and lose no character. */
static void random_pictures(void **state)
{
	static const char *const texts[] = {
		"<", "&", "\"", "]]>", "\ud55c", "ab", " ", "  ", "\U0001f600", "e\u0301\u0302", "\xff",
	};
	unsigned seed = 3;

	(void)state;
	for (int round = 0; round < 500; round++) {
		struct pane p;
		struct cells c = make(2, 12, &p);
		const struct export_options o = { round % 2, texts[round % 11] };
		struct buffer svg = { 0 }, text = { 0 }, ansi = { 0 };
		char got[2048] = "", want[2048] = "";

		p.cells = &c;
		for (int i = 0; i < 12; i++) {
			struct style s;

			seed = seed * 1103515245u + 12345u;
			s = (struct style){ seed >> 20 & 1 ? COLOR_PALETTE(seed >> 21 & 255) : 0,
					    seed >> 18 & 1 ? COLOR_RGB(9, 8, 7) : 0, seed >> 16 & 15 };
			pane_text(&p, i / 6, (int)(seed >> 8 & 15) - 2, texts[(seed >> 24) % 11], -1, s);
		}
		export_svg(&c, &o, &svg);
		export_text(&c, &text);
		export_ansi(&c, &ansi);
		int n = read_xml(svg.data, "text", node, attribute);
		for (int k = 0; k < n; k++)
			add_ink(got, node[k]);
		add_ink(want, text.data);
		assert_string_equal(got, want);
		/* the same again between the sequences of ANSI */
		got[0] = '\0';
		add_ink(got, ansi.data);
		assert_string_equal(got, want);
		assert_int_equal(count(ansi.data, "\n"), 2);
		buffer_free(&svg);
		buffer_free(&text);
		buffer_free(&ansi);
		cells_free(&c);
	}
}

/* Any bytes as a token, and as the title. */
static void any_token(void **state)
{
	unsigned seed = 7;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct pane p;
		struct cells c = make(1, 16, &p);
		char token[12];
		const struct export_options o = { round % 2, token };
		struct buffer svg = { 0 };

		for (size_t k = 0; k < sizeof token - 1; k++) {
			seed = seed * 1103515245u + 12345u;
			/* signs of XML, then all the bytes there are */
			token[k] = seed >> 30 ? (char)(seed >> 16) : "<>&\"']\x01\n"[seed >> 16 & 7];
		}
		token[sizeof token - 1] = '\0';
		p.cells = &c;
		pane_text(&p, 0, 0, token, -1, plain);
		export_svg(&c, &o, &svg);
		read_xml(svg.data, "text", node, attribute);
		buffer_free(&svg);
		cells_free(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_has_no_blanks_at_its_ends),
		cmocka_unit_test(ansi_is_minimal),
		cmocka_unit_test(no_control_gets_out),
		cmocka_unit_test(svg_escapes),
		cmocka_unit_test(svg_runs),
		cmocka_unit_test(reversed_and_dim),
		cmocka_unit_test(html_is_a_document),
		cmocka_unit_test(random_pictures),
		cmocka_unit_test(any_token),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
