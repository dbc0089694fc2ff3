/* show_parts.h - between show*.c: the matrix that is written, and its formats. */
#ifndef TUI_SHOW_PARTS_H
#define TUI_SHOW_PARTS_H

#include <stdint.h>

#include "core/row.h"
#include "tui/show.h"

struct range { size_t first, count; };

/* A matrix whose rows come one at a time. */
struct sheet {
	const struct show_request *request;
	struct attention attention;
	struct row row;			/* of the query that was asked for last */
	enum stage stage;
	const struct matrix *input;	/* of the input stage */
	enum array array;		/* its name */
	struct joined heads;		/* of the joined stage, from its first row on */
	double *joined;			/* one row of it */
	size_t all_rows, all_columns;	/* before the slices */
	struct range rows, columns;
	bool has_columns;		/* row sums have none: their shape is (n_q,) */
	bool rows_are_queries, columns_are_keys;
	bool judged;			/* sums and verdicts belong to the picture */
	struct sheet *minus;		/* owned; A, whose rows are taken off, or NULL */
	double *difference;		/* one row, where there is an A */
};

/* E_VALUE or E_SHAPE about an option that does not fit, E_MEMORY. */
enum status sheet_init(struct sheet *s, const struct show_request *r, struct error *e);
void sheet_free(struct sheet *s);
/* Computes query i as far as its sum and verdict, or as the stage needs. */
void sheet_compute(struct sheet *s, size_t i);
/* Row i of what is shown, all its columns; valid until the next call. Where rows
 * are queries and the stage is computed, s->row is that query's. */
enum status sheet_row(struct sheet *s, size_t i, const double **v, struct error *e);
/* Of the query that was asked for last: the sum of its weights; of a difference that of the sums. */
double sheet_sum(const struct sheet *s);
/* Whether the cell of what is shown was hidden: from the stage where that is done. No difference is. */
bool sheet_hides(const struct sheet *s, size_t j);
const char *sheet_row_label(const struct sheet *s, size_t i, char scratch[32]);
const char *sheet_column_label(const struct sheet *s, size_t j, char scratch[32]);
/* The options' precision, or what a format has without it. */
int sheet_precision(const struct sheet *s, int otherwise);

/* The formats; each appends what it has of a sheet. */
enum status show_csv(struct buffer *out, struct sheet *s, struct error *e);
enum status show_json(struct buffer *out, struct sheet *s, struct error *e);
enum status show_latex(struct buffer *out, struct sheet *s, struct error *e);
enum status show_table(struct buffer *out, struct sheet *s, struct error *e);
enum status show_script(struct buffer *out, struct sheet *s, struct error *e);		/* write_script.c; E_LIMIT */
enum status show_worksheet(struct buffer *out, struct sheet *s, struct error *e);	/* write_worksheet.c; E_LIMIT, E_VALUE */

/* Text of tokens. The code point at p and its bytes: what is not UTF-8 is U+FFFD
 * byte by byte, so that data shows how much of it is damaged; text_read, for
 * people, has one for a whole malformed sequence. */
size_t token_code(const char *p, uint32_t *code);
void token_put(struct buffer *out, uint32_t code);
bool token_is_control(uint32_t c);
/* Marks that change the direction of what follows, and are not seen. */
bool token_is_direction(uint32_t c);
/* Controls as their pictures, so that a token in a file of data cannot act on
 * the terminal where that is looked at. */
uint32_t token_picture(uint32_t c);
/* Text as a string of JSON, in quotes. */
void json_text(struct buffer *out, const char *text);

#endif
