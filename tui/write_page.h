/* write_page.h - headings, paragraphs and tables as plain text, Markdown or HTML
 * that is made to be printed.
 *
 * Texts may come from anywhere: each kind is given them so that nothing in them
 * acts (text.h for controls, and the kind's own signs escaped).
 */
#ifndef TUI_WRITE_PAGE_H
#define TUI_WRITE_PAGE_H

#include <stddef.h>

#include "core/buffer.h"

enum page_kind { PAGE_TEXT, PAGE_MARKDOWN, PAGE_HTML };

struct page {
	struct buffer *out;
	enum page_kind kind;
};

enum { PAGE_CELL = 64 };	/* bytes of a cell's text */

/* A table asks for its texts: labels may be of any length, cells are written to out. */
struct page_table {
	size_t rows, columns;
	const char *corner;
	const char *(*row)(const void *context, size_t i);
	const char *(*column)(const void *context, size_t j);
	void (*cell)(const void *context, size_t i, size_t j, char out[PAGE_CELL]);
	const void *context;
};

void page_begin(const struct page *p, const char *title, const char *language);
void page_end(const struct page *p);
void page_heading(const struct page *p, const char *text);
void page_paragraph(const struct page *p, const char *text);
/* Room to write by hand, in lines. */
void page_space(const struct page *p, int lines);
/* What follows begins on another sheet of paper. */
void page_break(const struct page *p);
/* The width of a column is that of its widest text. */
void page_table(const struct page *p, const struct page_table *t);

#endif
