/* export.c - a picture as a file: plain text, text with colours, SVG, HTML. */
#include "tui/export.h"

#include <string.h>

#include "core/utf8.h"
#include "tui/text.h"

/* SVG units. Latin letters of monospace fonts are 0.6 em wide, which is a cell;
 * Hangul, 1 em, is spread to two by textLength. */
enum { CELL_WIDTH = 9, CELL_HEIGHT = 18, BASELINE = 14, FONT_SIZE = 15, MARGIN = 9 };

#define FONTS "'DejaVu Sans Mono',Menlo,Consolas,D2Coding,NanumGothicCoding," \
	"'Nanum Gothic Coding','Noto Sans Mono CJK KR','Apple SD Gothic Neo','Malgun Gothic',monospace"

static bool is_blank(const struct cell *cell)
{
	return cell->count == 0 || (cell->count == 1 && cell->code[0] == ' ');
}

/* A blank that shows nothing, whatever its foreground. */
static bool is_invisible(const struct cell *cell)
{
	return is_blank(cell) && cell->style.background == COLOR_DEFAULT &&
	       !(cell->style.attributes & (UNDERLINE | REVERSE));
}

static int columns_of(const struct cell *cell)
{
	return cell->width == 2 ? 2 : 1;
}

static bool same_style(const struct style *a, const struct style *b)
{
	return a->foreground == b->foreground && a->background == b->background &&
	       a->attributes == b->attributes;
}

/* What both terminals and XML take as a character of text. */
static uint32_t clean(uint32_t code)
{
	if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xfffe || code == 0xffff)
		return 0xfffd;
	return code;	/* utf8_encode() replaces surrogates and what is too large */
}

static void put_code(struct buffer *out, uint32_t code)
{
	char bytes[4];

	buffer_put(out, bytes, utf8_encode(clean(code), bytes));
}

static void put_escaped(struct buffer *out, uint32_t code)
{
	switch (code) {
	case '&': buffer_text(out, "&amp;"); break;
	case '<': buffer_text(out, "&lt;"); break;
	case '>': buffer_text(out, "&gt;"); break;
	case '"': buffer_text(out, "&quot;"); break;
	default: put_code(out, code);
	}
}

static void put_cell(struct buffer *out, const struct cell *cell,
		     void (*put)(struct buffer *, uint32_t))
{
	if (cell->count == 0)
		put(out, ' ');
	for (int i = 0; i < cell->count && i < CLUSTER_MAX; i++)
		put(out, cell->code[i]);
}

static void put_title(struct buffer *out, const struct export_options *o)
{
	const char *title = o->title && *o->title ? o->title : "qkv";
	struct text_reader r;
	struct cell cell;

	text_begin(&r, title, strlen(title), false);
	while (text_read(&r, &cell))
		put_cell(out, &cell, put_escaped);
}

/* The column after the last cell for which `skip` does not hold. */
static int end_of_row(const struct cells *c, int row, bool (*skip)(const struct cell *))
{
	int end = 0;

	for (int k = 0; k < c->columns; k += columns_of(cells_at(c, row, k)))
		if (!skip(cells_at(c, row, k)))
			end = k + columns_of(cells_at(c, row, k));
	return end < c->columns ? end : c->columns;
}

void export_text(const struct cells *c, struct buffer *out)
{
	for (int row = 0; row < c->rows; row++) {
		int end = end_of_row(c, row, is_blank);

		for (int k = 0; k < end; k += columns_of(cells_at(c, row, k)))
			put_cell(out, cells_at(c, row, k), put_code);
		buffer_text(out, "\n");
	}
}

/* The parameters of one SGR sequence, each with a ';' before it but the first. */
struct sgr {
	struct buffer *out;
	int count;
};

static void parameter(struct sgr *s, unsigned n)
{
	buffer_format(s->out, s->count++ ? ";%u" : "\033[%u", n);
}

static void color_parameters(struct sgr *s, color c, unsigned base)
{
	if (c == COLOR_DEFAULT) {
		parameter(s, base + 9);
	} else if (c >> 24 == 1) {
		unsigned n = c & 255;

		/* a terminal of 16 colours knows these forms, and no others */
		if (n < 8) {
			parameter(s, base + n);
		} else if (n < 16) {
			parameter(s, base + 60 + n - 8);
		} else {
			parameter(s, base + 8);
			parameter(s, 5);
			parameter(s, n);
		}
	} else {
		parameter(s, base + 8);
		parameter(s, 2);
		parameter(s, c >> 16 & 255);
		parameter(s, c >> 8 & 255);
		parameter(s, c & 255);
	}
}

static void change_style(struct buffer *out, struct style *now, const struct style *to)
{
	static const struct style none = { 0 };
	static const unsigned attribute[] = { BOLD, DIM, UNDERLINE, REVERSE };
	static const unsigned code[] = { 1, 2, 4, 7 };
	struct sgr s = { out, 0 };

	if (same_style(now, to))
		return;
	if (same_style(to, &none) || now->attributes & ~to->attributes) {
		parameter(&s, 0);
		*now = none;
	}
	for (int i = 0; i < 4; i++)
		if (to->attributes & ~now->attributes & attribute[i])
			parameter(&s, code[i]);
	if (now->foreground != to->foreground)
		color_parameters(&s, to->foreground, 30);
	if (now->background != to->background)
		color_parameters(&s, to->background, 40);
	buffer_text(out, "m");
	*now = *to;
}

/* A blank shows only its background: what else is set may stay. */
static struct style style_needed(const struct cell *cell, const struct style *now)
{
	struct style style = *now;

	if (!is_blank(cell) || (cell->style.attributes | now->attributes) & (UNDERLINE | REVERSE))
		return cell->style;
	style.background = cell->style.background;
	return style;
}

void export_ansi(const struct cells *c, struct buffer *out)
{
	static const struct style none = { 0 };
	struct style now = none;

	for (int row = 0; row < c->rows; row++) {
		int end = end_of_row(c, row, is_invisible);

		for (int k = 0; k < end; k += columns_of(cells_at(c, row, k))) {
			const struct cell *cell = cells_at(c, row, k);
			struct style style = style_needed(cell, &now);

			change_style(out, &now, &style);
			put_cell(out, cell, put_code);
		}
		change_style(out, &now, &none);
		buffer_text(out, "\n");
	}
}

/* What a style looks like where there are no terminal's attributes. */
struct ink {
	uint32_t text, ground;
	bool filled;		/* the ground is not the page's own */
};

static unsigned mixed(uint32_t a, uint32_t b, int shift)
{
	return ((a >> shift & 255) * 2 + (b >> shift & 255)) / 3;
}

static struct ink ink_of(const struct style *style, enum theme theme)
{
	struct ink ink = {
		.text = color_to_rgb(style->foreground, theme, false) & 0xffffff,
		.ground = color_to_rgb(style->background, theme, true) & 0xffffff,
	};

	if (style->attributes & REVERSE) {
		uint32_t text = ink.text;

		ink.text = ink.ground;
		ink.ground = text;
	}
	if (style->attributes & DIM)
		ink.text = mixed(ink.text, ink.ground, 16) << 16 |
			   mixed(ink.text, ink.ground, 8) << 8 | mixed(ink.text, ink.ground, 0);
	ink.filled = style->background != COLOR_DEFAULT || style->attributes & REVERSE;
	return ink;
}

static struct ink page_ink(enum theme theme)
{
	static const struct style none = { 0 };

	return ink_of(&none, theme);
}

/* Wide characters get a box of their own, since not every font that has them
 * makes them twice as wide as the others. */
static void open_span(struct buffer *out, const struct style *style, int wide_columns,
		      enum theme theme)
{
	struct ink ink = ink_of(style, theme);

	buffer_text(out, "<span style=\"");
	if (ink.text != page_ink(theme).text)
		buffer_format(out, "color:#%06x;", ink.text);
	if (ink.filled)
		buffer_format(out, "background:#%06x;", ink.ground);
	if (style->attributes & BOLD)
		buffer_text(out, "font-weight:bold;");
	if (style->attributes & UNDERLINE)
		buffer_text(out, "text-decoration:underline;");
	if (wide_columns)
		buffer_format(out, "display:inline-block;width:%dch;", wide_columns);
	buffer_text(out, "\">");
}

static void put_html_row(struct buffer *out, const struct cells *c, int row, enum theme theme)
{
	static const struct style none = { 0 };
	int end = end_of_row(c, row, is_invisible);

	for (int k = 0, next; k < end; k = next) {
		const struct cell *first = cells_at(c, row, k);
		int width = columns_of(first);
		bool span = width == 2 || !same_style(&first->style, &none);

		for (next = k; next < end; next += width) {
			const struct cell *cell = cells_at(c, row, next);

			if (columns_of(cell) != width || !same_style(&cell->style, &first->style))
				break;
		}
		if (span)
			open_span(out, &first->style, width == 2 ? next - k : 0, theme);
		for (int i = k; i < next; i += width)
			put_cell(out, cells_at(c, row, i), put_escaped);
		if (span)
			buffer_text(out, "</span>");
	}
}

void export_html(const struct cells *c, const struct export_options *o, struct buffer *out)
{
	struct ink page = page_ink(o->theme);

	buffer_text(out, "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>");
	put_title(out, o);
	/* the override keeps right-to-left letters from pulling numbers to other columns */
	buffer_format(out,
		      "</title>\n<style>\n"
		      "body { background: #%06x; color: #%06x; margin: 1em; }\n"
		      "pre { font-family: " FONTS "; line-height: 1.2; margin: 0;\n"
		      "      direction: ltr; unicode-bidi: bidi-override; }\n"
		      "</style>\n</head>\n<body>\n<pre>\n",
		      page.ground, page.text);
	for (int row = 0; row < c->rows; row++) {
		put_html_row(out, c, row, o->theme);
		buffer_text(out, "\n");
	}
	buffer_text(out, "</pre>\n</body>\n</html>\n");
}

static void put_rects(struct buffer *out, const struct cells *c, int row, enum theme theme)
{
	for (int k = 0, next; k < c->columns; k = next) {
		struct ink ink = ink_of(&cells_at(c, row, k)->style, theme);

		for (next = k + 1; next < c->columns; next++) {
			struct ink other = ink_of(&cells_at(c, row, next)->style, theme);

			if (other.filled != ink.filled || other.ground != ink.ground)
				break;
		}
		if (ink.filled)
			buffer_format(out,
				      "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
				      k * CELL_WIDTH, row * CELL_HEIGHT, (next - k) * CELL_WIDTH,
				      CELL_HEIGHT, ink.ground);
	}
}

static bool has_text(const struct cell *cell)
{
	return !is_blank(cell) || cell->style.attributes & UNDERLINE;
}

/* The end of the text that starts at column k: one blank may stand in it, when
 * text of the same style follows. */
static int end_of_text(const struct cells *c, int row, int k)
{
	const struct style *style = &cells_at(c, row, k)->style;
	int end = k;

	while (k < c->columns && k <= end + 1) {
		const struct cell *cell = cells_at(c, row, k);

		if (!same_style(&cell->style, style))
			break;
		k += columns_of(cell);
		if (has_text(cell))
			end = k;
	}
	return end < c->columns ? end : c->columns;
}

static void put_texts(struct buffer *out, const struct cells *c, int row,
		      const struct export_options *o)
{
	for (int k = 0, end; k < c->columns; k = end) {
		const struct cell *first = cells_at(c, row, k);

		end = k + columns_of(first);
		if (!has_text(first))
			continue;
		end = end_of_text(c, row, k);
		struct ink ink = ink_of(&first->style, o->theme);
		buffer_format(out, "<text xml:space=\"preserve\" x=\"%d\" y=\"%d\" textLength=\"%d\"",
			      k * CELL_WIDTH, row * CELL_HEIGHT + BASELINE, (end - k) * CELL_WIDTH);
		if (ink.text != page_ink(o->theme).text)
			buffer_format(out, " fill=\"#%06x\"", ink.text);
		if (first->style.attributes & BOLD)
			buffer_text(out, " font-weight=\"bold\"");
		if (first->style.attributes & UNDERLINE)
			buffer_text(out, " text-decoration=\"underline\"");
		buffer_text(out, ">");
		for (int i = k; i < end; i += columns_of(cells_at(c, row, i)))
			put_cell(out, cells_at(c, row, i), put_escaped);
		buffer_text(out, "</text>\n");
	}
}

void export_svg(const struct cells *c, const struct export_options *o, struct buffer *out)
{
	struct ink page = page_ink(o->theme);
	/* Where the screen has a ground of its own up to its corner, the margin has it too. */
	unsigned margin = c->rows && c->columns ? ink_of(&cells_at(c, 0, c->columns - 1)->style, o->theme).ground : page.ground;
	int width = c->columns * CELL_WIDTH + 2 * MARGIN, height = c->rows * CELL_HEIGHT + 2 * MARGIN;

	buffer_format(out,
		      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
		      " viewBox=\"%d %d %d %d\"\n font-family=\"" FONTS "\" font-size=\"%d\""
		      " fill=\"#%06x\">\n<title>",
		      width, height, -MARGIN, -MARGIN, width, height, FONT_SIZE, page.text);
	put_title(out, o);
	buffer_format(out,
		      "</title>\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n"
		      "<g shape-rendering=\"crispEdges\">\n",
		      -MARGIN, -MARGIN, width, height, margin);
	for (int row = 0; row < c->rows; row++)
		put_rects(out, c, row, o->theme);
	buffer_text(out, "</g>\n");
	for (int row = 0; row < c->rows; row++)
		put_texts(out, c, row, o);
	buffer_text(out, "</svg>\n");
}
