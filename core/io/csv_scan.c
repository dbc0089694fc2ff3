/* csv_scan.c - fields and rows of CSV, one after the other. */
#include "core/io/csv_scan.h"

#include <string.h>

#include "core/message.h"
#include "core/number.h"
#include "core/utf8.h"

static bool ends_line(char c)
{
	return c == '\n' || c == '\r';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* ---- fields ---- */

void csv_begin(struct csv_scan *s, const char *text, size_t size, size_t from, char separator)
{
	while (size > from && ends_line(text[size - 1]))
		size--;
	*s = (struct csv_scan){ .text = text, .size = size, .at = from, .separator = separator, .done = from >= size };
}

/* Where blanks separate, any number of them does, and none at the ends of a line counts. */
static void skip_blanks(struct csv_scan *s)
{
	while (s->separator == ' ' && s->at < s->size && is_blank(s->text[s->at]))
		s->at++;
}

static bool ends_field(const struct csv_scan *s, char c)
{
	return c == s->separator || ends_line(c) || (s->separator == ' ' && is_blank(c));
}

/* Over what stands behind a field: a separator, or a line end, which ends the row. */
static void take_end(struct csv_scan *s, struct csv_field *f)
{
	skip_blanks(s);
	f->ends_row = s->at == s->size || (s->separator == ' ' ? ends_line(s->text[s->at]) : s->text[s->at] != s->separator);
	s->done = s->at == s->size;
	if (s->done || (s->separator == ' ' && !f->ends_row))
		return;
	bool two = s->text[s->at] == '\r' && s->at + 1 < s->size && s->text[s->at + 1] == '\n';
	s->at += two ? 2 : 1;
}

static bool fault(struct csv_scan *s, size_t at, const char *what)
{
	s->at = at;
	s->fault = what;
	s->done = true;
	return false;
}

static bool next_quoted(struct csv_scan *s, struct csv_field *f)
{
	size_t open = s->at, i = s->at + 1;

	for (; i < s->size; i++) {
		if (s->text[i] != '"')
			continue;
		if (i + 1 == s->size || s->text[i + 1] != '"')
			break;
		i++;
	}
	if (i >= s->size)
		return fault(s, open, N_("this quote is never closed; a quote that is text is doubled and stands in quotes: \"\"\"\""));
	*f = (struct csv_field){ .first = open + 1, .n = i - open - 1, .quoted = true };
	for (s->at = i + 1; s->at < s->size && is_blank(s->text[s->at]) && s->text[s->at] != s->separator;)
		s->at++;
	if (s->at < s->size && !ends_field(s, s->text[s->at]))
		return fault(s, s->at, N_("text behind a closing quote; expected a separator or the end of the line, "
					  "and quotes inside quotes doubled"));
	take_end(s, f);
	return true;
}

bool csv_next(struct csv_scan *s, struct csv_field *f)
{
	if (s->done)
		return false;
	skip_blanks(s);
	if (s->at < s->size && s->text[s->at] == '"')
		return next_quoted(s, f);
	size_t i = s->at;
	while (i < s->size && !ends_field(s, s->text[i]))
		i++;
	*f = (struct csv_field){ .first = s->at, .n = i - s->at };
	s->at = i;
	take_end(s, f);
	return true;
}

size_t csv_skip_row(struct csv_scan *s)
{
	struct csv_field f;
	size_t n = 0;

	while (csv_next(s, &f)) {
		n++;
		if (f.ends_row)
			return n;
	}
	return 0;
}

/* Whether quotes stand around a line, and any within are doubled. */
static bool is_quoted(const char *s, size_t n)
{
	if (n < 2 || s[0] != '"' || s[n - 1] != '"')
		return false;
	for (size_t i = 1; i < n - 1; i++) {
		if (s[i] == '"' && (i + 1 == n - 1 || s[i + 1] != '"'))
			return false;
		i += s[i] == '"';
	}
	return true;
}

bool csv_next_line(struct csv_scan *s, struct csv_field *f)
{
	size_t first = s->at, i = s->at;

	if (s->done)
		return false;
	while (i < s->size && !ends_line(s->text[i]))
		i++;
	s->at = i;
	*f = (struct csv_field){ .first = first, .n = i - first };
	if (is_quoted(s->text + first, f->n))
		*f = (struct csv_field){ .first = first + 1, .n = f->n - 2, .quoted = true };
	take_end(s, f);
	f->ends_row = true;
	return true;
}

/* ---- the separator ---- */

enum { CANDIDATES = 3 };
static const char candidates[CANDIDATES + 1] = "\t;,";	/* the likeliest first: the last is a decimal mark, too */

struct tally {
	size_t n[CANDIDATES];		/* in this row */
	size_t first[CANDIDATES];	/* in the first row */
	size_t rows[CANDIDATES];	/* that have one */
	bool uneven[CANDIDATES];
	bool any_row;
};

bool csv_is_separator(char c)
{
	return c && memchr(candidates, c, CANDIDATES);
}

/* Whether more than half of the lines are numbers with blanks between. */
static bool has_blanks_between(const char *text, size_t size, size_t from)
{
	size_t lines = 0, numbers = 0;
	struct csv_field f;
	struct csv_scan s;

	for (csv_begin(&s, text, size, from, 0); csv_next_line(&s, &f); lines++)
		numbers += csv_has_blank_separators(text + f.first, f.n);
	return numbers > lines / 2;
}

static void close_row(struct tally *t)
{
	for (int k = 0; k < CANDIDATES; k++) {
		if (!t->any_row)
			t->first[k] = t->n[k];
		t->uneven[k] = t->uneven[k] || t->n[k] != t->first[k];
		t->rows[k] += t->n[k] > 0;
		t->n[k] = 0;
	}
	t->any_row = true;
}

static char choose(const struct tally *t)
{
	int best = 0;

	for (int k = 0; k < CANDIDATES; k++)
		if (t->first[k] && !t->uneven[k])
			return candidates[k];
	for (int k = 1; k < CANDIDATES; k++)
		if (t->rows[k] > t->rows[best])
			best = k;
	return t->rows[best] ? candidates[best] : 0;
}

char csv_find_separator(const char *text, size_t size, size_t from)
{
	struct tally t = { 0 };
	struct csv_scan s;
	bool quoted = false, starts = true;	/* a quote opens only where a field may start */

	csv_begin(&s, text, size, from, 0);
	for (size_t i = from; i < s.size; i++) {
		char c = text[i];
		if (c == '"' && (quoted || starts)) {
			quoted = !quoted;
			starts = true;		/* a doubled one opens again */
			continue;
		}
		starts = ends_line(c) || csv_is_separator(c);
		if (quoted || !starts)
			continue;
		if (!ends_line(c))
			t.n[strchr(candidates, c) - candidates]++;
		else if (c == '\n' || text[i + 1] != '\n')
			close_row(&t);
	}
	close_row(&t);
	char found = choose(&t);
	return found || !has_blanks_between(text, size, from) ? found : ' ';
}

/* ---- what a field is ---- */

static void trim(const char **text, size_t *n)
{
	while (*n && is_blank(**text)) {
		++*text;
		--*n;
	}
	while (*n && is_blank((*text)[*n - 1]))
		--*n;
}

/* With a point in place of its comma; a second mark makes it no number. */
static bool parse_comma(const char *text, size_t n, double *value)
{
	char copy[NUMBER_SIZE];
	const char *comma = memchr(text, ',', n);

	if (n > sizeof copy)
		return false;
	memcpy(copy, text, n);
	copy[comma - text] = '.';
	return number_parse(copy, n, value);
}

bool csv_number(const char *text, size_t n, char separator, double *value, enum csv_decimal *mark)
{
	trim(&text, &n);
	bool comma = separator != ',' && n && memchr(text, ',', n);
	if (!(comma ? parse_comma(text, n, value) : number_parse(text, n, value)))
		return false;
	*mark = comma ? CSV_COMMA : memchr(text, '.', n) ? CSV_POINT : CSV_NO_MARK;
	return true;
}

enum csv_kind csv_kind(const char *text, size_t n, char separator)
{
	enum csv_decimal mark;
	double value;

	if (csv_number(text, n, separator, &value, &mark))
		return CSV_NUMBER;
	trim(&text, &n);
	return n ? CSV_TEXT : CSV_EMPTY;
}

bool csv_has_blank_separators(const char *text, size_t n)
{
	size_t numbers = 0;
	double value;

	trim(&text, &n);
	while (n) {
		size_t k = 0;
		while (k < n && !is_blank(text[k]))
			k++;
		if (!number_parse(text, k, &value))
			return false;
		numbers++;
		text += k;
		n -= k;
		trim(&text, &n);
	}
	return numbers > 1;
}

/* ---- comments ---- */

/* One number or more, whatever stands between. */
static bool is_numbers(const char *text, size_t n)
{
	size_t numbers = 0;
	double value;

	for (size_t i = 0, k; i < n; i += k) {
		for (k = 0; i + k < n && !is_blank(text[i + k]) && !csv_is_separator(text[i + k]);)
			k++;
		if (k && !number_parse(text + i, k, &value))
			return false;
		numbers += k > 0;
		k += !k;
	}
	return numbers;
}

/* A "#" that is a field of its own is a token. */
static bool is_comment(const char *text, size_t n)
{
	return n > 1 && text[0] == '#' && !csv_is_separator(text[1]);
}

/* The first line that is no comment, empty ones passed over; f->n 0: none. The title is the
 * comment right before it. */
static struct csv_field first_line(struct csv_scan *s, const char *text, size_t *title, bool *comments)
{
	struct csv_field f;

	*title = 0;
	*comments = false;
	while (csv_next_line(s, &f)) {
		bool comment = is_comment(text + f.first, f.n);
		if (!comment && f.n)
			return f;
		*title = comment ? f.first + 1 : 0;
		*comments = *comments || comment;
	}
	return (struct csv_field){ 0 };
}

bool csv_is_numbers(const char *text, size_t size, size_t from)
{
	struct csv_scan s;
	size_t title;
	bool comments;

	csv_begin(&s, text, size, from, 0);
	struct csv_field f = first_line(&s, text, &title, &comments);
	return is_numbers(text + f.first, f.n);
}

void csv_skip_comments(const char *text, size_t *size, size_t *from, size_t *title)
{
	struct csv_scan s;
	size_t start;
	bool comments;

	csv_begin(&s, text, *size, *from, 0);
	struct csv_field f = first_line(&s, text, title, &comments);
	if (!is_numbers(text + f.first, f.n)) {
		*title = 0;
		return;
	}
	if (comments)
		*from = f.first;
	do {
		while (*size > *from && ends_line(text[*size - 1]))
			--*size;
		for (start = *size; start > *from && !ends_line(text[start - 1]);)
			start--;
	} while (is_comment(text + start, *size - start) && (*size = start) > *from);
}

void csv_token(struct buffer *out, const char *text, const struct csv_field *f)
{
	const char *p = text + f->first;
	size_t n = f->n, length;
	uint32_t c;

	for (; n; p += length, n -= length) {
		length = utf8_decode(p, n, &c);
		if (length)
			buffer_put(out, p, length);
		else
			buffer_format(out, "<0x%02X>", (unsigned char)*p);
		length += !length;
		if (f->quoted && c == '"' && n > length)
			length++;
	}
}
