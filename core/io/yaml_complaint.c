/* yaml_complaint.c - slips of YAML in words that say what to do. */
#include "core/io/yaml_complaint.h"

#include <string.h>

#include "core/io/yaml_text.h"
#include "core/utf8.h"

static size_t offset_of(const struct document *d, struct mark at)
{
	return yaml_text_offset(d->bytes, d->size, at);
}

static bool has_text(const char *bytes, size_t n, const char *wanted)
{
	size_t length = strlen(wanted);

	for (size_t i = 0; i + length <= n; i++)
		if (!memcmp(bytes + i, wanted, length))
			return true;
	return false;
}

/* A place after "tokens:" is a token's. The value's key is in the nearest line
 * before it that starts at the margin with a letter. */
const char *complaint_quotes(const struct document *d, struct mark at)
{
	size_t end = offset_of(d, at), start = end;

	for (;;) {
		while (start && d->bytes[start - 1] != '\n')
			start--;
		char c = start < d->size ? d->bytes[start] : 'x';
		if (!start || (c >= 'a' && c <= 'z') || c == '{')
			break;
		start--;
	}
	return has_text(d->bytes + start, end - start, "tokens") ? "put the token in quotes"
								 : "put the text in quotes";
}

/* ---- a comment where none was meant ---- */

static bool starts_item(char before)
{
	return strchr(" \t\r\n[{,:", before) != NULL;
}

/* Whether what is left of the line would close a list or map. */
static bool closes(const struct document *d, size_t i)
{
	for (; i < d->size && d->bytes[i] != '\n'; i++)
		if (d->bytes[i] == ']' || d->bytes[i] == '}')
			return true;
	return false;
}

/* Finds such a # from `from` to before `to`. */
static bool find_cut(const struct document *d, struct mark from, struct mark to, struct mark *at)
{
	size_t i = offset_of(d, from), end = offset_of(d, to);
	char quote = '\0';
	uint32_t c;

	for (struct mark m = from; i < end; m.column++) {
		char b = d->bytes[i], before = i ? d->bytes[i - 1] : '\n';
		if (quote) {
			if (b == '\\' && quote == '"' && i + 1 < end) {
				i++;
				m.column++;
			} else if (b == quote) {
				quote = '\0';
			}
		} else if ((b == '"' || b == '\'') && starts_item(before)) {
			quote = b;
		} else if (b == '#' && starts_item(before) && closes(d, i)) {
			*at = m;
			return true;
		}
		size_t length = utf8_decode(d->bytes + i, d->size - i, &c);
		i += length ? length : 1;
		if (b == '\n')
			m = (struct mark){ m.line + 1, 0 };
	}
	return false;
}

bool complaint_cut(struct document *d, struct mark from, struct mark to)
{
	struct mark cut;

	if (!find_cut(d, from, to, &cut))
		return false;
	document_fail(d, cut, E_SYNTAX, "this # makes a comment of the rest of the line; %s", complaint_quotes(d, cut));
	return true;
}

/* ---- libyaml's complaints ---- */

static enum status fail_start(struct document *d, struct mark at)
{
	size_t i = offset_of(d, at);
	char c = i < d->size ? d->bytes[i] : ' ';

	if (c == '\t')
		return document_fail(d, at, E_SYNTAX, "a tab in the indentation; YAML is indented with spaces");
	return document_fail(d, at, E_SYNTAX, "a text cannot start with %c in YAML; %s", c, complaint_quotes(d, at));
}

enum ending { END_NONE, END_QUOTES, END_LINE };

struct complaint {
	const char *problem;	/* the start of libyaml's text */
	const char *text;
	bool at_context;	/* the fault is where the thing starts, not where it was noticed */
	enum ending ending;	/* the quotes hint, or the line where the thing starts */
};

static const struct complaint complaints[] = {
	{ "mapping values are not allowed", "a ':' that does not follow a key; ", false, END_QUOTES },
	{ "could not find expected ':'", "a line without ':'; 'key: value' is expected", true, END_NONE },
	{ "did not find expected alphabetic", "& and * have a meaning of their own in YAML; ", true, END_QUOTES },
	{ "did not find expected whitespace or line", "! has a meaning of its own in YAML; ", true, END_QUOTES },
	{ "found unexpected end of stream", "this quote is never closed", true, END_NONE },
	{ "found unexpected document indicator", "this quote is never closed", true, END_NONE },
	{ "found unknown escape", "an unknown escape after \\; in single quotes \\ stands for itself", false, END_NONE },
	{ "found a tab character", "a tab in the indentation; YAML is indented with spaces", false, END_NONE },
	{ "did not find expected key", "a key is expected here; is the indentation right?", false, END_NONE },
	{ "did not find expected '-'", "'- ' or the end of the list is expected here", false, END_NONE },
	{ "did not find expected ',' or ']'", "',' or ']' is expected here; the list is not closed that starts in line ",
	  false, END_LINE },
	{ "did not find expected ',' or '}'", "',' or '}' is expected here; the map is not closed that starts in line ",
	  false, END_LINE },
	{ "did not find expected node content", "a value is expected here; ", false, END_QUOTES },
	{ "block sequence entries", "'- ' cannot stand here; a list starts in a line of its own", false, END_NONE },
	{ "did not find expected <document start>", "the text goes on after its end; one document is expected",
	  false, END_NONE },
};
enum { COMPLAINTS = sizeof complaints / sizeof *complaints };

static enum status fail_complaint(struct document *d, const struct complaint *c, struct mark at, struct mark start)
{
	switch (c->ending) {
	case END_QUOTES:
		return document_fail(d, at, E_SYNTAX, "%s%s", c->text, complaint_quotes(d, at));
	case END_LINE:
		return document_fail(d, at, E_SYNTAX, "%s%u", c->text, start.line);
	default:
		return document_fail(d, at, E_SYNTAX, "%s", c->text);
	}
}

enum status complain(struct document *d, const char *problem, const char *context, struct mark at, struct mark start)
{
	if (context && strstr(context, "flow") && complaint_cut(d, mark_before(start, at) ? start : d->opened, at))
		return E_SYNTAX;
	if (strstr(problem, "cannot start any token"))
		return fail_start(d, at);
	for (const struct complaint *c = complaints; c < complaints + COMPLAINTS; c++)
		if (!strncmp(problem, c->problem, strlen(c->problem)))
			return fail_complaint(d, c, c->at_context && context ? start : at, start);
	return document_fail(d, at, E_SYNTAX, "not YAML: %.200s", problem);
}
