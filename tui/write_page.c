/* write_page.c - headings, paragraphs and tables as plain text, Markdown or HTML. */
#include "tui/write_page.h"

#include <string.h>

#include "tui/show.h"
#include "tui/text.h"

/* ---- text ---- */

/* Signs that mean something inside a line of Markdown, or in HTML, which it may hold. */
static void put_markdown(const struct page *p, const char *safe)
{
	for (; *safe; safe++)
		if (strchr("\\`*_[]<>|~&$", *safe))
			buffer_format(p->out, "\\%c", *safe);
		else
			buffer_put(p->out, safe, 1);
}

static void put_html(const struct page *p, const char *safe)
{
	for (; *safe; safe++)
		if (*safe == '&')
			buffer_text(p->out, "&amp;");
		else if (*safe == '<')
			buffer_text(p->out, "&lt;");
		else if (*safe == '>')
			buffer_text(p->out, "&gt;");
		else
			buffer_put(p->out, safe, 1);
}

static void put(const struct page *p, const char *text)
{
	struct buffer safe = { 0 };

	show_safe_text(&safe, text, false);
	const char *data = safe.data ? safe.data : "";
	if (p->kind == PAGE_TEXT)
		buffer_text(p->out, data);
	else if (p->kind == PAGE_MARKDOWN)
		put_markdown(p, data);
	else
		put_html(p, data);
	p->out->failed |= safe.failed;
	buffer_free(&safe);
}

/* ---- blocks ---- */

static const char style[] =
	"body { background: #ffffff; color: #000000; font-family: sans-serif; line-height: 1.5; margin: 2em auto; max-width: 48em; }\n"
	"table { border-collapse: collapse; margin: 0.5em 0; }\n"
	"th, td { border: 1px solid #555555; padding: 0.3em 0.7em; min-width: 3em; text-align: right; }\n"
	"th { font-weight: bold; }\n"
	".break { border-top: 1px dashed #555555; margin-top: 3em; }\n"
	"@page { margin: 2cm; }\n"
	"@media print {\n"
	"  body { margin: 0; max-width: none; }\n"
	"  table, .space { break-inside: avoid; }\n"
	"  .break { border: 0; margin: 0; break-before: page; page-break-before: always; }\n"
	"}\n";

void page_begin(const struct page *p, const char *title, const char *language)
{
	if (p->kind == PAGE_HTML) {
		buffer_format(p->out, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n<title>", language);
		put(p, title);
		buffer_format(p->out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
		put(p, title);
		buffer_text(p->out, "</h1>\n");
		return;
	}
	buffer_text(p->out, p->kind == PAGE_MARKDOWN ? "# " : "");
	put(p, title);
	buffer_text(p->out, "\n");
	if (p->kind == PAGE_TEXT) {
		buffer_repeat(p->out, '=', (size_t)text_width(title, false));
		buffer_text(p->out, "\n");
	}
}

void page_end(const struct page *p)
{
	buffer_text(p->out, p->kind == PAGE_HTML ? "</body>\n</html>\n" : "");
}

void page_heading(const struct page *p, const char *text)
{
	buffer_text(p->out, p->kind == PAGE_HTML ? "<h2>" : p->kind == PAGE_MARKDOWN ? "\n## " : "\n");
	put(p, text);
	buffer_text(p->out, p->kind == PAGE_HTML ? "</h2>\n" : "\n");
}

void page_paragraph(const struct page *p, const char *text)
{
	buffer_text(p->out, p->kind == PAGE_HTML ? "<p>" : "\n");
	put(p, text);
	buffer_text(p->out, p->kind == PAGE_HTML ? "</p>\n" : "\n");
}

void page_space(const struct page *p, int lines)
{
	if (p->kind == PAGE_HTML)
		buffer_format(p->out, "<div class=\"space\" style=\"height: %dem\"></div>\n", lines * 2);
	else
		for (int k = 0; k < lines; k++)
			buffer_text(p->out, p->kind == PAGE_MARKDOWN ? "\n&nbsp;\n" : "\n");
}

void page_break(const struct page *p)
{
	static const char *const text[] = {
		[PAGE_TEXT] = "\n\f\n", [PAGE_HTML] = "<div class=\"break\"></div>\n",
		[PAGE_MARKDOWN] = "\n<div style=\"page-break-before: always\"></div>\n\n---\n",
	};
	buffer_text(p->out, text[p->kind]);
}

/* ---- tables ---- */

static int wider(int a, int b)
{
	return a > b ? a : b;
}

static int column_width(const struct page_table *t, size_t j)
{
	int width = text_width(t->column(t->context, j), false);
	char text[PAGE_CELL];

	for (size_t i = 0; i < t->rows; i++) {
		t->cell(t->context, i, j, text);
		width = wider(width, text_width(text, false));
	}
	return width;
}

static int label_width(const struct page_table *t)
{
	int width = text_width(t->corner, false);

	for (size_t i = 0; i < t->rows; i++)
		width = wider(width, text_width(t->row(t->context, i), false));
	return width;
}

static void put_right(const struct page *p, const char *text, int width)
{
	int blanks = width - text_width(text, false);

	buffer_repeat(p->out, ' ', blanks > 0 ? (size_t)blanks : 0);
	put(p, text);
}

/* Line -1 has the labels of the columns. */
static const char *cell_text(const struct page_table *t, long i, size_t j, char out[PAGE_CELL])
{
	if (i < 0)
		return t->column(t->context, j);
	t->cell(t->context, (size_t)i, j, out);
	return out;
}

static void text_table(const struct page *p, const struct page_table *t)
{
	int label = label_width(t);
	char text[PAGE_CELL];

	buffer_text(p->out, "\n");
	for (long i = -1; i < (long)t->rows; i++) {
		buffer_text(p->out, "  ");
		put_right(p, i < 0 ? t->corner : t->row(t->context, (size_t)i), label);
		for (size_t j = 0; j < t->columns; j++) {
			buffer_text(p->out, " | ");
			put_right(p, cell_text(t, i, j, text), column_width(t, j));
		}
		buffer_text(p->out, i + 1 < (long)t->rows ? "\n\n" : "\n");
	}
}

static void markdown_table(const struct page *p, const struct page_table *t)
{
	char text[PAGE_CELL];

	buffer_text(p->out, "\n");
	for (long i = -1; i < (long)t->rows; i++) {
		buffer_text(p->out, "| ");
		put(p, i < 0 ? t->corner : t->row(t->context, (size_t)i));
		for (size_t j = 0; j < t->columns; j++) {
			buffer_text(p->out, " | ");
			put(p, cell_text(t, i, j, text));
		}
		buffer_text(p->out, " |\n");
		for (size_t j = 0; i < 0 && j <= t->columns; j++)
			buffer_text(p->out, j < t->columns ? "| ---: " : "| ---: |\n");
	}
}

static void html_table(const struct page *p, const struct page_table *t)
{
	char text[PAGE_CELL];

	buffer_text(p->out, "<table>\n");
	for (long i = -1; i < (long)t->rows; i++) {
		buffer_text(p->out, "<tr><th>");
		put(p, i < 0 ? t->corner : t->row(t->context, (size_t)i));
		buffer_text(p->out, "</th>");
		for (size_t j = 0; j < t->columns; j++) {
			buffer_text(p->out, i < 0 ? "<th>" : "<td>");
			put(p, cell_text(t, i, j, text));
			buffer_text(p->out, i < 0 ? "</th>" : "</td>");
		}
		buffer_text(p->out, "</tr>\n");
	}
	buffer_text(p->out, "</table>\n");
}

void page_table(const struct page *p, const struct page_table *t)
{
	static void (*const put_table[])(const struct page *, const struct page_table *) = {
		[PAGE_TEXT] = text_table, [PAGE_MARKDOWN] = markdown_table, [PAGE_HTML] = html_table,
	};
	put_table[p->kind](p, t);
}
