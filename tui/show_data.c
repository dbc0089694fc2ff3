/* show_data.c - one stage as CSV and as a LaTeX table, and the text of tokens in
 * files of data. */
#include "tui/show_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "core/utf8.h"
#include "tui/text.h"

/* ---- text of tokens ---- */

size_t token_code(const char *p, uint32_t *code)
{
	size_t n = utf8_decode(p, UTF8_MAX, code);
	return n ? n : 1;
}

void token_put(struct buffer *out, uint32_t code)
{
	char bytes[UTF8_MAX];
	buffer_put(out, bytes, utf8_encode(code, bytes));
}

bool token_is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

bool token_is_direction(uint32_t c)
{
	return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

uint32_t token_picture(uint32_t c)
{
	return c < 0x20 ? 0x2400 + c : c == 0x7f ? 0x2421 : token_is_control(c) ? 0xfffd : c;
}

void show_safe_text(struct buffer *out, const char *text, bool ascii)
{
	struct text_reader r;
	struct cell cell;

	text_begin(&r, text, strlen(text), ascii);
	while (text_read(&r, &cell))
		for (int k = 0; k < cell.count; k++)
			token_put(out, cell.code[k]);
}

/* ---- csv: RFC 4180, with the line ends of this system ---- */

/* Data stays as it is, but for controls, which could act on a terminal. Those
 * that CSV knows stand inside quotes. */
static uint32_t csv_code(uint32_t c)
{
	return token_is_control(c) && c != '\t' && c != '\n' ? 0xfffd : c;
}

static void csv_text(struct buffer *out, const char *text)
{
	bool quoted = !*text || strpbrk(text, ",\"\t\n") || strchr(" \t", *text) || strchr(" \t", text[strlen(text) - 1]);
	uint32_t c;

	if (quoted)
		buffer_text(out, "\"");
	for (const char *p = text; *p;) {
		p += token_code(p, &c);
		if (c == '"')
			buffer_text(out, "\"");
		token_put(out, csv_code(c));
	}
	if (quoted)
		buffer_text(out, "\"");
}

static void csv_header(struct buffer *out, const struct sheet *s)
{
	char scratch[32];

	for (size_t j = 0; j < s->columns.count; j++) {
		buffer_text(out, ",");
		csv_text(out, sheet_column_label(s, s->columns.first + j, scratch));
	}
	buffer_text(out, "\n");
}

enum status show_csv(struct buffer *out, struct sheet *s, struct error *e)
{
	char scratch[32], number[NUMBER_SIZE];
	const double *v;
	enum status status;

	csv_header(out, s);
	for (size_t i = s->rows.first; i < s->rows.first + s->rows.count; i++) {
		if ((status = sheet_row(s, i, &v, e)))
			return status;
		csv_text(out, sheet_row_label(s, i, scratch));
		for (size_t j = 0; j < s->columns.count; j++) {
			number_shortest(v[s->columns.first + j], number);
			buffer_format(out, ",%s", number);
		}
		buffer_text(out, "\n");
	}
	return OK_STATUS;
}

/* ---- latex ---- */

static void latex_text(struct buffer *out, const char *text)
{
	uint32_t c;

	for (const char *p = text; *p;) {
		p += token_code(p, &c);
		if (c == '\\')
			buffer_text(out, "\\textbackslash{}");
		else if (c == '~')
			buffer_text(out, "\\textasciitilde{}");
		else if (c == '^')
			buffer_text(out, "\\textasciicircum{}");
		else if (c == '<' || c == '>' || c == '|' || c == '"')
			buffer_format(out, "{%s}", c == '<' ? "\\textless" : c == '>' ? "\\textgreater"
							   : c == '|' ? "\\textbar" : "\\textquotedbl");
		else if (c < 0x80 && c && strchr("&%$#_{}", (int)c))
			buffer_format(out, "\\%c", (int)c);
		else if (!token_is_direction(c))
			token_put(out, token_picture(c));
	}
}

/* Fixed digits, in scientific form beyond what a cell can hold. */
static void fixed_text(double x, int precision, char text[NUMBER_SIZE])
{
	if (fabs(x) >= 1e7 && isfinite(x))
		snprintf(text, NUMBER_SIZE, "%.*e", precision, x);
	else
		number_fixed(x, precision, text);
}

/* A cell that a mask hides has a small cross above what it got. */
static void latex_number(struct buffer *out, double x, int precision, bool hidden)
{
	const char *mark = hidden ? "^{\\times}" : "";
	char text[NUMBER_SIZE];

	fixed_text(x, precision, text);
	char *exponent = strchr(text, 'e');
	if (isnan(x)) {
		buffer_format(out, "$\\mathrm{nan}%s$", mark);
	} else if (isinf(x)) {
		buffer_format(out, x < 0 ? "$-\\infty%s$" : "$\\infty%s$", mark);
	} else if (exponent) {
		*exponent = '\0';
		buffer_format(out, hidden ? "$(%s \\times 10^{%ld})%s$" : "$%s \\times 10^{%ld}%s$", text, strtol(exponent + 1, NULL, 10), mark);
	} else {
		buffer_format(out, "$%s%s$", text, mark);
	}
}

enum status show_latex(struct buffer *out, struct sheet *s, struct error *e)
{
	char scratch[32];
	const double *v;
	enum status status;

	buffer_text(out, "\\begin{tabular}{l|");
	buffer_repeat(out, 'r', s->columns.count);
	buffer_text(out, "}\n");
	for (size_t j = 0; j < s->columns.count; j++) {
		buffer_text(out, " & ");
		latex_text(out, sheet_column_label(s, s->columns.first + j, scratch));
	}
	buffer_text(out, " \\\\ \\hline\n");
	for (size_t i = s->rows.first; i < s->rows.first + s->rows.count; i++) {
		if ((status = sheet_row(s, i, &v, e)))
			return status;
		latex_text(out, sheet_row_label(s, i, scratch));
		for (size_t j = 0; j < s->columns.count; j++) {
			buffer_text(out, " & ");
			latex_number(out, v[s->columns.first + j], sheet_precision(s, 3), sheet_hides(s, s->columns.first + j));
		}
		buffer_text(out, " \\\\\n");
	}
	buffer_text(out, "\\end{tabular}\n");
	return OK_STATUS;
}
