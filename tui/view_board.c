/* view_board.c - numbers and sums as on a blackboard: two digits, each rounded by itself. */
#include <math.h>
#include <string.h>

#include "core/message.h"
#include "tui/text.h"
#include "tui/view_parts.h"

void view_board_number(double x, char out[NUMBER_SIZE])
{
	double rounded = number_round(x, 2);

	if (!isfinite(x) || x == 0 || fabs(x) >= 1e6 || fabs(x) < 0.005)
		view_short_number(x, 2, out);
	else if (fabs(x - rounded) <= 1e-9 * fabs(x))	/* 2.7 has no second digit */
		number_plain(rounded, out);
	else
		number_fixed(x, 2, out);
}

double view_board_value(double x)
{
	char text[NUMBER_SIZE];
	double value = x;

	view_board_number(x, text);
	number_parse(text, strlen(text), &value);
	return value;
}

const char *view_board_equals(double x, bool ascii)
{
	if (!isfinite(x) || fabs(view_board_value(x) - x) <= 1e-9 * fabs(x))
		return "=";
	return ascii ? "~" : "\u2248";
}

bool view_board_differ(double a, double b)
{
	return number_round(a, 2) != number_round(b, 2) && (a == a || b == b);
}

/* "1 + 2.72 + ... 3 more ... + 7.39": so many of n terms, the last among them. */
static void some_terms(const double *v, size_t n, size_t shown, struct buffer *out)
{
	char number[NUMBER_SIZE];

	for (size_t k = 0; k < n; k++) {
		if (shown < n && k + 1 == shown) {
			buffer_format(out, _(" + ... %zu more ..."), n - shown);
			k = n - 1;
		}
		view_board_number(v[k], number);
		buffer_format(out, "%s%s", k ? " + " : "", number);
	}
}

void view_board_sum(const double *v, size_t n, double sum, int room, bool ascii, bool brief, struct buffer *out)
{
	size_t begin = out->size, most = n < (size_t)room ? n : (size_t)room;
	char number[NUMBER_SIZE], other[NUMBER_SIZE];
	double rounded = 0;

	for (size_t k = 0; k < n; k++)
		rounded += view_board_value(v[k]);
	view_board_number(sum, number);
	view_board_number(rounded, other);
	/* Fewer terms, then their number, then the sum alone: what it would be otherwise stays. */
	for (size_t shown = most + 1; shown--;) {
		struct buffer text = { 0 };
		if (shown >= 2 || (shown && n == 1))
			some_terms(v, n, shown, &text);
		else if (shown)
			buffer_format(&text, _("%zu terms"), n);
		buffer_format(&text, "%s%s", shown ? " = " : "", number);
		if (brief && view_board_differ(sum, rounded))
			buffer_format(&text, _(" (rounded: %s)"), other);
		bool fits = text_width(text.data ? text.data : "", ascii) <= room;
		if (fits || !shown)
			buffer_put(out, text.data ? text.data : "", text.size);
		buffer_free(&text);
		if (out->size > begin)
			return;
	}
}
