/* csv_scan.h - fields and rows of CSV, one after the other. Private to core/io. */
#ifndef CORE_IO_CSV_SCAN_H
#define CORE_IO_CSV_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buffer.h"

struct csv_field {
	size_t first, n;	/* its bytes in the text, without quotes around; doubled ones still are */
	bool quoted, ends_row;
};

struct csv_scan {
	const char *text;
	size_t size, at;
	char separator;		/* ' ': blanks, as many as there are */
	bool done;
	const char *fault;	/* what is wrong with the quotes at `at`, marked by N_(); NULL: nothing */
};

/* From byte `from` on; line ends at the end of the text do not count. */
void csv_begin(struct csv_scan *s, const char *text, size_t size, size_t from, char separator);
/* False behind the last field and at a fault. */
bool csv_next(struct csv_scan *s, struct csv_field *f);
/* The fields of the next row; 0 behind the last row and at a fault. */
size_t csv_skip_row(struct csv_scan *s);
/* The next line whatever its quotes and separators, as one field without quotes that go all around it. */
bool csv_next_line(struct csv_scan *s, struct csv_field *f);

/* The separator of a text by the rule in csv.h; 0 when it has none. One or two passes. */
char csv_find_separator(const char *text, size_t size, size_t from);
bool csv_is_separator(char c);		/* comma, semicolon or TAB; blanks separate only where none of them does */

/* Lines that begin with "#" before and behind numbers, as np.savetxt writes header and footer:
 * *from moves behind them and *size in front. *title is where the comment right before the
 * numbers begins, behind its "#"; 0: there is none. Nothing moves where the first other line is no numbers. */
void csv_skip_comments(const char *text, size_t *size, size_t *from, size_t *title);
/* Whether the first line that is no comment is numbers. */
bool csv_is_numbers(const char *text, size_t size, size_t from);

enum csv_kind { CSV_EMPTY, CSV_NUMBER, CSV_TEXT };
enum csv_decimal { CSV_NO_MARK, CSV_POINT, CSV_COMMA };

/* What text[0..n) is. A decimal comma counts where it does not separate fields. */
enum csv_kind csv_kind(const char *text, size_t n, char separator);
/* The same of a number; false, and nothing changed, for other text. */
bool csv_number(const char *text, size_t n, char separator, double *value, enum csv_decimal *mark);
/* At least two numbers with blanks between, as np.savetxt writes a row. */
bool csv_has_blank_separators(const char *text, size_t n);

/* Appends a field's text: quotes single again, bytes that are no UTF-8 as "<0xEC>". */
void csv_token(struct buffer *out, const char *text, const struct csv_field *f);

#endif
