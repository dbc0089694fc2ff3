/* csv.h - one matrix from CSV or TSV, with the tokens of its rows and columns.
 *
 * UTF-8 with or without its mark; rows end with LF, CR LF or CR; blank rows at the
 * end do not count. Fields are separated by comma, semicolon or TAB and may stand
 * in quotes (RFC 4180), or by blanks as np.savetxt writes them.
 *
 * Separator, where it is not given: of TAB, semicolon and comma the first that gives
 * every row the same number of fields, at least two; else the one that most rows have;
 * blanks where there is none of them and most rows are numbers with blanks between.
 *
 * Comments are lines that begin with "#" (and no separator behind it) before and behind
 * rows of numbers. The one right before them is the header row when it has a name
 * for each column; the others are passed over.
 *
 * Numbers are those of number_parse, any blanks around them; a number that no double
 * holds is inf, with a note. Where the separator is no comma, the decimal mark may be
 * one, in all numbers of the file or in none.
 *
 * Header row and first column. The corner is the first field of the first row.
 *   1. An empty corner: the first row and the first column are tokens, numbers or not.
 *   2. Else the first row is a header when more of it is text than numbers.
 *   3. The first column is tokens when more of it is text than numbers; a corner that
 *      belongs to a header is left out of this.
 *   4. Text in the corner of a single row belongs to a first column, and of a single
 *      column to a header.
 * So "1995" in a header is a token as long as words stand beside it or the corner is
 * empty, the first row of a,1,2 / b,3,4 is numbers, and one damaged number does not turn
 * the numbers beside it into tokens: it is an error.
 *
 * Rows of several lengths and empty fields are errors unless o->absent says that they
 * are cells that are not there (so is NA then); a header row must be as long as the longest.
 *
 * One column with more text than numbers is a list of tokens. As lists are often
 * written without quotes, one that is no CSV is read line by line.
 */
#ifndef CORE_IO_CSV_H
#define CORE_IO_CSV_H

#include <stddef.h>

#include "core/error.h"
#include "core/io/tensors.h"

/* Larger files, and longer lists of tokens, are refused: .npy and .safetensors take them. */
#define CSV_SIZE_LIMIT ((size_t)256 << 20)
#define CSV_TOKENS_LIMIT ((size_t)1 << 20)

/* Fills *t, as tensors.h says for readers:
 *   ""              (rows, columns), NPY_F64; data is there without tensors_open
 *   "mask"          the same shape, NPY_BOOL, true where a number is: with o->absent
 *   "query_tokens"  (rows), text, when there is a first column
 *   "key_tokens"    (columns), text, when there is a header row
 *   metadata        "separator" (" ": blanks) and, where it was not a point, "decimal"
 * or for a list of tokens only "" (n), text. Tokens keep their blanks; a byte that is no
 * UTF-8 becomes "<0xEC>". `o` may be NULL. Errors name line and column of the field:
 *   E_SYNTAX  rows of several lengths, what is no number, quotes, UTF-16, an empty file
 *   E_LIMIT   too large
 * Cost: three passes over the bytes; memory is that of the numbers and the tokens. */
enum status csv_read(struct tensors *t, const void *bytes, size_t size, const char *name,
		     const struct tensors_options *o, struct error *e);

#endif
