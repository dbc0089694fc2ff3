/* text.h - text from anywhere, cut into terminal cells that are safe to show.
 *
 * Widths are the C library's wcwidth, which is what ncurses and tmux agree
 * with; LC_CTYPE must be a UTF-8 locale unless `ascii` is asked for. Input is
 * normalised to NFC. Zero-width and bidirectional controls, variation
 * selectors, ZWJ and tags are dropped; C0 controls become pictures (U+2400...),
 * newline and tab one visible glyph each, DEL U+2421, C1 and other unprintable
 * code points U+FFFD, and so does each maximal sequence of bytes that is not
 * UTF-8. Marks join the cell before them, four at most (more are dropped); a
 * mark with nothing before it stands on a blank. With `ascii` everything
 * outside U+0020..U+007E is written as \xHH, \uHHHH or \UHHHHHHHH (bytes that are not UTF-8 as
 * \xHH, controls as ^X), and nothing is dropped.
 * Right-to-left letters are kept in logical order, one to a cell.
 */
#ifndef TUI_TEXT_H
#define TUI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/cells.h"

/* Cuts text into at most max cells (styles zeroed) and returns their number;
 * wide cells are not followed by their right half here. */
int text_cells(const char *text, size_t length, bool ascii, struct cell *out, int max);

/* The same cell by cell, for text of any length, without allocation: what
 * text_cells and the panes are made of. The text must outlive the reader. */
enum { TEXT_PIECE = 64 };		/* code points that are normalised at a time */
struct text_reader {
	const char *text;
	size_t length, at;
	bool ascii;
	int count, next;		/* of code: NFC; -byte for one that is not UTF-8 */
	int32_t code[4 * TEXT_PIECE];	/* NFD takes at most four for one */
	char escape[12];		/* what is left of an ASCII escape */
	int escape_next;
};
void text_begin(struct text_reader *r, const char *text, size_t length, bool ascii);
/* Reads one cell; false at the end. */
bool text_read(struct text_reader *r, struct cell *out);

/* Columns that text takes. */
int text_width(const char *text, bool ascii);

/* Decodes the code point at the start of text (length at least 1) and returns
 * its bytes. When they are not UTF-8, *code is -1 and the bytes are the maximal
 * sequence that stands for one U+FFFD. */
size_t text_decode(const char *text, size_t length, int32_t *code);

/* Byte offset of the next or previous grapheme cluster boundary in UTF-8 text of
 * that length; used by line editing. */
size_t text_next(const char *text, size_t length, size_t at);
size_t text_previous(const char *text, size_t length, size_t at);

/* A copy of text in NFC, to be freed; bytes that are not UTF-8, and NUL, become
 * U+FFFD. NULL when memory is short. */
char *text_nfc(const char *text, size_t length);

#endif
