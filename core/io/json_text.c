/* json_text.c - JSON as Python writes it, made JSON as jansson reads it. */
#include "core/io/json_text.h"

#include <string.h>

/* ---- tokens: a string, one of []{}:, or a run of anything else ---- */

struct token { size_t at, end; };

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_mark(char c)
{
	return c == '[' || c == ']' || c == '{' || c == '}' || c == ':' || c == ',';
}

static size_t string_end(const char *text, size_t size, size_t at)
{
	for (size_t i = at + 1; i < size; i++) {
		if (text[i] == '"')
			return i + 1;
		i += text[i] == '\\';
	}
	return size;
}

static size_t skip_blanks(const char *text, size_t size, size_t at)
{
	while (at < size && is_blank(text[at]))
		at++;
	return at;
}

/* The first token from `from` on; empty, at the end of the text, when there is none. */
static struct token next_token(const char *text, size_t size, size_t from)
{
	size_t at = skip_blanks(text, size, from), end = at;

	if (at == size)
		return (struct token){ size, size };
	if (text[at] == '"')
		return (struct token){ at, string_end(text, size, at) };
	if (is_mark(text[at]))
		return (struct token){ at, at + 1 };
	while (end < size && !is_blank(text[end]) && !is_mark(text[end]) && text[end] != '"')
		end++;
	return (struct token){ at, end };
}

/* ---- NaN and infinities ---- */

static bool is_bare(const char *text, size_t size, struct token t)
{
	static const char *const words[] = { "NaN", "Infinity", "-Infinity" };

	for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
		size_t n = strlen(words[k]);
		if (t.end - t.at != n || memcmp(text + t.at, words[k], n))
			continue;
		size_t next = skip_blanks(text, size, t.end);
		return next == size || text[next] != ':';
	}
	return false;
}

struct json_survey json_text_survey(const char *text, size_t size)
{
	struct json_survey s = { 0 };

	for (struct token t = next_token(text, size, 0); t.at < t.end; t = next_token(text, size, t.end)) {
		char c = text[t.at];
		s.any = true;
		s.cost += c == ',' ? 1 : c == '"' ? 2 : c == '[' ? 4 : c == '{' ? 10 : 0;
		if (c == 'N' || c == 'I' || c == '-')
			s.bare = s.bare || is_bare(text, size, t);
	}
	return s;
}

void json_text_copy(struct buffer *out, const char *text, size_t size)
{
	size_t kept = 0;	/* what stands before this is copied */

	for (struct token t = next_token(text, size, 0); t.at < t.end; t = next_token(text, size, t.end)) {
		if (!is_bare(text, size, t))
			continue;
		buffer_put(out, text + kept, t.at - kept);
		buffer_text(out, "\"");
		buffer_put(out, text + t.at, t.end - t.at);
		buffer_text(out, "\"");
		kept = t.end;
	}
	buffer_put(out, text + kept, size - kept);
}

/* ---- places ---- */

size_t json_text_error_offset(const char *text, size_t size, size_t position)
{
	size_t longer = 0;	/* so many bytes the copy is, up to here */
	struct token t;

	for (t = next_token(text, size, 0); t.at < t.end; t = next_token(text, size, t.end)) {
		longer += is_bare(text, size, t) ? 2 : 0;
		if (t.end + longer >= position)
			break;
	}
	if (t.at < t.end && text[t.at] == '"' && t.end + longer > position && position > t.at + longer)
		return position - longer;
	return t.at;
}

/* The token before member `ordinal` of the list or object that opens at `open`. */
static struct token find_member(const char *text, size_t size, struct token open, size_t ordinal)
{
	bool list = text[open.at] == '[';
	size_t depth = 0, seen = 0;
	struct token t = open;

	for (; t.at < t.end; t = next_token(text, size, t.end)) {
		char c = text[t.at];
		depth += c == '[' || c == '{';
		depth -= c == ']' || c == '}';
		bool begins = list ? c == ',' || t.at == open.at : c == ':';
		if (depth == 1 && begins && seen++ == ordinal)
			return t;
	}
	return t;
}

size_t json_text_value_offset(const char *text, size_t size, const size_t *step, size_t steps)
{
	struct token t = next_token(text, size, 0);

	for (size_t k = 0; k < steps && t.at < t.end; k++)
		t = next_token(text, size, find_member(text, size, t, step[k]).end);
	return t.at;
}
