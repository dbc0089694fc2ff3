/* show.c - `qkv show`: one stage as text or bytes, row by row. */
#include "tui/show.h"

#include <stdio.h>
#include <string.h>

#include "core/io/npy.h"
#include "core/number.h"
#include "tui/show_parts.h"

/* ---- numpy ---- */

/* NumPy prints of an array with more than a thousand elements only three at
 * each end of an axis longer than six. An array with the same ends, still that
 * long, prints the same text: so only those rows are computed and held. */
enum { EDGE = 3, WHOLE = 1000 };

struct ends { size_t n, shown; };	/* of an axis: its length, and that of the stand-in */

static void choose_ends(struct ends *rows, struct ends *columns)
{
	rows->shown = rows->n;
	columns->shown = columns->n;
	if (!rows->n || columns->n <= WHOLE / rows->n)
		return;
	if (columns->n > 2 * EDGE)
		columns->shown = WHOLE + 1;
	if (rows->n > 2 * EDGE)
		rows->shown = columns->n > 2 * EDGE ? 2 * EDGE + 1 : WHOLE + 1;
}

/* Where the k-th of the stand-in is in the axis; false for what is never printed. */
static bool real_index(const struct ends *a, size_t k, size_t *index)
{
	*index = k < EDGE ? k : a->n - (a->shown - k);
	return a->shown == a->n || k < EDGE || k >= a->shown - EDGE;
}

static enum status fill_stand_in(struct sheet *s, const struct ends *rows, const struct ends *columns, double *out,
				 struct error *e)
{
	int precision = sheet_precision(s, -1);
	enum status status = OK_STATUS;
	const double *v;
	size_t row, column;

	for (size_t i = 0; i < rows->shown && !status; i++) {
		if (!real_index(rows, i, &row) || (status = sheet_row(s, s->rows.first + row, &v, e)))
			continue;
		for (size_t j = 0; j < columns->shown; j++) {
			if (!real_index(columns, j, &column))
				continue;
			double x = v[s->columns.first + column];
			out[i * columns->shown + j] = precision < 0 ? x : number_round(x, precision);
		}
	}
	return status;
}

static enum status show_numpy(struct buffer *out, struct sheet *s, struct error *e)
{
	struct ends rows = { .n = s->rows.count }, columns = { .n = s->columns.count };
	struct matrix m = { 0 };

	choose_ends(&rows, &columns);
	enum status status = matrix_init(&m, rows.shown, columns.shown, e);
	if (!status)
		status = fill_stand_in(s, &rows, &columns, m.v, e);
	if (!status) {
		const size_t shape[] = { rows.shown, columns.shown };
		number_array(out, m.v, s->has_columns ? 2 : 1, shape);
		buffer_text(out, "\n");
	}
	matrix_free(&m);
	return status;
}

/* ---- npy ---- */

static enum status show_npy(struct buffer *out, struct sheet *s, struct error *e)
{
	const size_t shape[] = { s->rows.count, s->columns.count };
	struct matrix m = { 0 };
	enum status status = matrix_init(&m, shape[0], shape[1], e);
	const double *v;

	for (size_t i = 0; i < shape[0] && !status; i++)
		if (!(status = sheet_row(s, s->rows.first + i, &v, e)) && shape[1])
			memcpy(m.v + i * shape[1], v + s->columns.first, shape[1] * sizeof *v);
	if (!status)
		npy_write(out, m.v, s->has_columns ? 2 : 1, shape);
	matrix_free(&m);
	return status;
}

/* ---- all formats ---- */

/* Files of data have all digits, whatever people want to see. */
static enum status check_precision(const struct show_request *r, struct error *e)
{
	static const char *const full[SHOW_FORMAT_COUNT] = { [SHOW_CSV] = "csv", [SHOW_JSON] = "json", [SHOW_NPY] = "npy" };
	char value[32];

	if (!r->precision_given || !full[r->format])
		return OK_STATUS;
	snprintf(value, sizeof value, "%ld", r->options->precision);
	return error_option(e, E_VALUE, "precision", r->options->precision < 0 ? "auto" : value,
			    "%s has full precision; table, numpy, latex, script and worksheet have digits to choose", full[r->format]);
}

enum status show(struct buffer *out, const struct show_request *request, struct error *e)
{
	static enum status (*const writer[])(struct buffer *, struct sheet *, struct error *) = {
		[SHOW_TABLE] = show_table, [SHOW_NUMPY] = show_numpy, [SHOW_CSV] = show_csv,
		[SHOW_JSON] = show_json, [SHOW_NPY] = show_npy, [SHOW_LATEX] = show_latex,
		[SHOW_SCRIPT] = show_script, [SHOW_WORKSHEET] = show_worksheet,
		[SHOW_WORKSHEET_MD] = show_worksheet, [SHOW_WORKSHEET_HTML] = show_worksheet,
	};
	struct sheet s;
	enum status status = check_precision(request, e);

	if (status || (status = sheet_init(&s, request, e)))
		return status;
	status = writer[request->format](out, &s, e);
	sheet_free(&s);
	if (!status && out->failed)
		status = error_set(e, E_MEMORY, "no memory for what is to be shown");
	return status;
}
