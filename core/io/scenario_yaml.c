/* scenario_yaml.c - scenarios as YAML text, format version 1.
 *
 * libyaml delivers events; each function below expects the first event of its
 * value to be current and leaves the last one current. Nothing is kept as a
 * tree: numbers go straight into their matrix.
 */
#include "core/io/scenario_yaml.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "core/bug.h"
#include "core/number.h"
#include "core/random.h"

#define FILE_LIMIT ((size_t)64 << 20)		/* bytes */
enum {
	SKIP_LIMIT = 100000000,		/* normals: they are drawn, in about a second */
	INDEX_LIMIT = 1000000000,	/* as the registry of options has it */
	DEFAULT_N = 4, DEFAULT_D_K = 8,
	CLIP = 40,			/* bytes of a file's text that an error repeats */
	CLIP_SIZE = CLIP + 8,
	LANGUAGE_LIMIT = 35,
};

enum key {
	KEY_QKV, KEY_TITLE, KEY_TOKENS, KEY_QUERY_TOKENS, KEY_KEY_TOKENS,
	KEY_ARRAY,		/* one for each array, in their order */
	KEY_RANDOM = KEY_ARRAY + ARRAY_COUNT,
	KEY_HEADS, KEY_D_K, KEY_SET, KEY_EDITS, KEY_COUNT
};

enum random_key {
	RANDOM_SEED, RANDOM_N, RANDOM_N_Q, RANDOM_N_K, RANDOM_D_K, RANDOM_D_V, RANDOM_HEADS,
	RANDOM_D_MODEL, RANDOM_SKIP, RANDOM_COUNT
};

enum edit_key { EDIT_CELL, EDIT_VALUE, EDIT_HEAD, EDIT_COUNT };

enum { SEEN_MAX = OPT_COUNT };		/* more than any map has keys */

/* The keys of one map. */
struct map {
	const char *what;		/* "a scenario" */
	const char *(*name)(int);
	int n;
	struct mark seen[SEEN_MAX];	/* where each key stands; line 0: not there */
	struct mark value[SEEN_MAX];
	int key;			/* the current one */
};

/* An edit, and where it is written. */
struct placed_edit {
	struct edit edit;
	struct mark mark;
};

struct edit_list {
	struct placed_edit *v;
	size_t n, room;
};

struct numbers {
	double *v;
	size_t n, room;
};

struct reader {
	yaml_parser_t yaml;
	yaml_event_t event;		/* the current one; zeroed before the first */
	struct mark here;		/* where it starts */
	struct mark opened;		/* where the last list or map started */
	const char *bytes;
	size_t size;
	const char *file;
	struct error *e;
	struct scenario s;		/* under construction */
	struct map top, random;
	uint64_t random_size[RANDOM_COUNT];
	size_t split_heads;		/* `heads:`; 0: not given */
	struct edit_list edits;
	struct numbers numbers;		/* of the matrix being read */
	struct options scratch;		/* for trying single items of a list */
};

/* ---- errors ---- */

__attribute__((format(printf, 4, 5)))
static enum status fail(struct reader *r, struct mark at, enum status status, const char *format, ...)
{
	char text[sizeof r->e->text];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	return error_at(r->e, status, r->file, at.line, at.column, "%s", text);
}

/* Bytes of the UTF-8 sequence at p, with its code point; 0 when it is not one. */
static size_t decode(const char *text, size_t n, uint32_t *code)
{
	static const uint32_t lowest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)text;
	size_t length = p[0] < 0x80 ? 1 : p[0] < 0xc0 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf8 ? 4 : 0;
	uint32_t c = length == 1 ? p[0] : p[0] & (0x7fu >> length);

	if (!length || length > n)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < lowest[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*code = c;
	return length;
}

/* Characters that reorder what stands around them on a screen. */
static bool is_direction(uint32_t c)
{
	return c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* A text of the file as an error may show it: short, and unable to do harm. */
static const char *clip(char out[CLIP_SIZE], const char *text, size_t n)
{
	size_t used = 0;

	for (size_t i = 0, length; i < n; i += length) {
		uint32_t c = '?';
		length = decode(text + i, n - i, &c);
		if (used + (length ? length : 1) > CLIP) {
			strcpy(out + used, "...");
			return out;
		}
		if (!length || is_direction(c) || c < 0x20) {
			out[used++] = '?';
			length += !length;
		} else {
			memcpy(out + used, text + i, length);
			used += length;
		}
	}
	out[used] = '\0';
	return out;
}

static const char *scalar(const struct reader *r)
{
	return (const char *)r->event.data.scalar.value;
}

static size_t scalar_length(const struct reader *r)
{
	return r->event.data.scalar.length;
}

static const char *clip_scalar(const struct reader *r, char out[CLIP_SIZE])
{
	return clip(out, scalar(r), scalar_length(r));
}

static const char *kind(const struct reader *r)
{
	switch (r->event.type) {
	case YAML_SEQUENCE_START_EVENT:
		return "a list";
	case YAML_MAPPING_START_EVENT:
		return "a map";
	default:
		return "a single value";
	}
}

/* ---- the text before libyaml sees it ---- */

static bool breaks_line(uint32_t c)
{
	return c == '\n' || c == 0x85 || c == 0x2028 || c == 0x2029;
}

/* What libyaml's reader takes as it stands. */
static bool may_stand(uint32_t c)
{
	return c == '\t' || c == '\n' || c == '\r' || c == 0x85 || (c >= 0x20 && c < 0x7f) ||
	       (c >= 0xa0 && c != 0xfeff && c != 0xfffe && c != 0xffff);
}

/* UTF-8 without characters that YAML does not take: libyaml knows no place for these. */
static enum status check_bytes(struct reader *r)
{
	struct mark at = { 1, 1 };
	uint32_t c;

	for (size_t i = 0, length; i < r->size; i += length) {
		length = decode(r->bytes + i, r->size - i, &c);
		if (!length)
			return fail(r, at, E_SYNTAX, "byte 0x%02x is not UTF-8; save the file as UTF-8",
				    (unsigned char)r->bytes[i]);
		if (!c)
			return fail(r, at, E_SYNTAX, "a NUL byte; a text file is expected");
		if (!may_stand(c))
			return fail(r, at, E_SYNTAX, "the character U+%04X cannot stand here as it is; "
				    "write it as \\u%04X in double quotes", (unsigned)c, (unsigned)c);
		bool cr = c == '\r' && !(i + 1 < r->size && r->bytes[i + 1] == '\n');
		if (cr || breaks_line(c))
			at = (struct mark){ at.line + 1, 1 };
		else
			at.column++;
	}
	return OK_STATUS;
}

/* Byte offset of a line's start; the size when there are not that many. */
static size_t line_start(const struct reader *r, unsigned line)
{
	size_t i = 0;
	uint32_t c;

	while (line > 1 && i < r->size) {
		size_t length = decode(r->bytes + i, r->size - i, &c);
		bool cr = c == '\r' && !(i + 1 < r->size && r->bytes[i + 1] == '\n');
		i += length ? length : 1;
		line -= cr || breaks_line(c);
	}
	return i;
}

/* Byte offset of a place. */
static size_t offset_of(const struct reader *r, struct mark at)
{
	size_t i = line_start(r, at.line);
	uint32_t c;

	for (unsigned column = 1; column < at.column && i < r->size; column++) {
		size_t length = decode(r->bytes + i, r->size - i, &c);
		i += length ? length : 1;
	}
	return i;
}

static struct mark mark_of(const yaml_mark_t *m)
{
	return (struct mark){ (unsigned)m->line + 1, (unsigned)m->column + 1 };
}

/* ---- slips of YAML that have one fix ---- */

static bool has_text(const char *bytes, size_t n, const char *wanted)
{
	size_t length = strlen(wanted);

	for (size_t i = 0; i + length <= n; i++)
		if (!memcmp(bytes + i, wanted, length))
			return true;
	return false;
}

/* What to put in quotes: a place after "tokens:" is a token's. The value's key
 * is in the nearest line before it that starts at the margin with a letter. */
static const char *quotes_hint(const struct reader *r, struct mark at)
{
	size_t end = offset_of(r, at), start = end;

	for (;;) {
		while (start && r->bytes[start - 1] != '\n')
			start--;
		char c = start < r->size ? r->bytes[start] : 'x';
		if (!start || (c >= 'a' && c <= 'z') || c == '{')
			break;
		start--;
	}
	return has_text(r->bytes + start, end - start, "tokens") ? "put the token in quotes"
								 : "put the text in quotes";
}

static bool starts_item(char before)
{
	return strchr(" \t\r\n[{,:", before) != NULL;
}

/* Finds, in a flow list from `from` to before `to`, a # that makes a comment of
 * what looks like the rest of the list. */
static bool find_cut(const struct reader *r, struct mark from, struct mark to, struct mark *at)
{
	size_t i = offset_of(r, from), end = offset_of(r, to);
	char quote = '\0';
	uint32_t c;

	for (struct mark m = from; i < end; m.column++) {
		char b = r->bytes[i], before = i ? r->bytes[i - 1] : '\n';
		if (quote) {
			if (b == '\\' && quote == '"' && i + 1 < end) {
				i++;
				m.column++;
			} else if (b == quote) {
				quote = '\0';
			}
		} else if ((b == '"' || b == '\'') && starts_item(before)) {
			quote = b;
		} else if (b == '#' && starts_item(before)) {
			for (size_t k = i; k < r->size && r->bytes[k] != '\n'; k++)
				if (r->bytes[k] == ']' || r->bytes[k] == '}') {
					*at = m;
					return true;
				}
		}
		size_t length = decode(r->bytes + i, r->size - i, &c);
		i += length ? length : 1;
		if (b == '\n')
			m = (struct mark){ m.line + 1, 0 };
	}
	return false;
}

static enum status fail_cut(struct reader *r, struct mark at)
{
	return fail(r, at, E_SYNTAX, "this # makes a comment of the rest of the line; %s", quotes_hint(r, at));
}

static enum status fail_start(struct reader *r, struct mark at)
{
	size_t i = offset_of(r, at);
	char c = i < r->size ? r->bytes[i] : ' ';

	if (c == '\t')
		return fail(r, at, E_SYNTAX, "a tab in the indentation; YAML is indented with spaces");
	return fail(r, at, E_SYNTAX, "a text cannot start with %c in YAML; %s", c, quotes_hint(r, at));
}

enum ending { END_NONE, END_QUOTES, END_LINE };

/* libyaml's complaints in words that say what to do. */
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

static enum status fail_complaint(struct reader *r, const struct complaint *c, struct mark at, struct mark start)
{
	if (c->at_context && r->yaml.context)
		at = start;
	switch (c->ending) {
	case END_QUOTES:
		return fail(r, at, E_SYNTAX, "%s%s", c->text, quotes_hint(r, at));
	case END_LINE:
		return fail(r, at, E_SYNTAX, "%s%u", c->text, start.line);
	default:
		return fail(r, at, E_SYNTAX, "%s", c->text);
	}
}

static bool comes_before(struct mark a, struct mark b)
{
	return a.line != b.line ? a.line < b.line : a.column < b.column;
}

static enum status fail_yaml(struct reader *r)
{
	const char *problem = r->yaml.problem ? r->yaml.problem : "not YAML";
	struct mark at = mark_of(&r->yaml.problem_mark), start = mark_of(&r->yaml.context_mark), cut;

	if (r->yaml.error == YAML_MEMORY_ERROR)
		return fail(r, r->here, E_MEMORY, "no memory to read the file");
	if (r->yaml.context && strstr(r->yaml.context, "flow") &&
	    find_cut(r, comes_before(start, at) ? start : r->opened, at, &cut))
		return fail_cut(r, cut);
	if (strstr(problem, "cannot start any token"))
		return fail_start(r, at);
	for (size_t i = 0; i < sizeof complaints / sizeof *complaints; i++)
		if (!strncmp(problem, complaints[i].problem, strlen(complaints[i].problem)))
			return fail_complaint(r, &complaints[i], at, start);
	return fail(r, at, E_SYNTAX, "not YAML: %.200s", problem);
}

/* ---- events ---- */

static enum status refuse_sharing(struct reader *r)
{
	const yaml_event_t *v = &r->event;
	const yaml_char_t *anchor = NULL, *tag = NULL;

	if (v->type == YAML_ALIAS_EVENT) {
		anchor = v->data.alias.anchor;
	} else if (v->type == YAML_SCALAR_EVENT) {
		anchor = v->data.scalar.anchor;
		tag = v->data.scalar.tag;
	} else if (v->type == YAML_SEQUENCE_START_EVENT) {
		anchor = v->data.sequence_start.anchor;
		tag = v->data.sequence_start.tag;
	} else if (v->type == YAML_MAPPING_START_EVENT) {
		anchor = v->data.mapping_start.anchor;
		tag = v->data.mapping_start.tag;
	}
	if (anchor)
		return fail(r, r->here, E_SYNTAX, "anchors (&) and aliases (*) are not taken here; write the value out, or %s",
			    quotes_hint(r, r->here));
	if (tag)
		return fail(r, r->here, E_SYNTAX, "tags (!) are not taken here; leave the tag out, or %s",
			    quotes_hint(r, r->here));
	return OK_STATUS;
}

static enum status next(struct reader *r)
{
	yaml_event_delete(&r->event);
	memset(&r->event, 0, sizeof r->event);
	if (!yaml_parser_parse(&r->yaml, &r->event)) {
		memset(&r->event, 0, sizeof r->event);
		return fail_yaml(r);
	}
	r->here = mark_of(&r->event.start_mark);
	if (r->event.type == YAML_SEQUENCE_START_EVENT || r->event.type == YAML_MAPPING_START_EVENT)
		r->opened = r->here;
	if (r->event.type == YAML_SCALAR_EVENT && memchr(scalar(r), 0, scalar_length(r)))
		return fail(r, r->here, E_SYNTAX, "the text has a NUL character in it; no text may");
	return refuse_sharing(r);
}

static bool is_scalar(const struct reader *r)
{
	return r->event.type == YAML_SCALAR_EVENT;
}

static bool is_plain(const struct reader *r)
{
	return is_scalar(r) && r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

/* Nothing, or one of the ways to say nothing. */
static bool is_null(const struct reader *r)
{
	static const char *const words[] = { "", "~", "null", "Null", "NULL" };

	for (size_t i = 0; i < sizeof words / sizeof *words && is_plain(r); i++)
		if (!strcmp(scalar(r), words[i]))
			return true;
	return false;
}

static enum status expect_scalar(struct reader *r, const char *name, const char *expected)
{
	if (is_scalar(r))
		return OK_STATUS;
	return fail(r, r->here, E_SYNTAX, "%s: %s, but %s is expected", name, kind(r), expected);
}

/* A copy of the current scalar. */
static enum status copy_scalar(struct reader *r, char **text)
{
	char *copy = malloc(scalar_length(r) + 1);

	if (!copy)
		return fail(r, r->here, E_MEMORY, "no memory for a text");
	memcpy(copy, scalar(r), scalar_length(r) + 1);
	*text = copy;
	return OK_STATUS;
}

/* ---- maps ---- */

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t low = a < b ? a : b;
	return low < c ? low : c;
}

/* Levenshtein's distance; texts are cut at CLIP bytes. */
static size_t distance(const char *a, const char *b)
{
	size_t row[CLIP + 1], n = strnlen(b, CLIP);

	for (size_t j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 0; a[i] && i < CLIP; i++) {
		size_t diagonal = row[0];
		row[0] = i + 1;
		for (size_t j = 1; j <= n; j++) {
			size_t above = row[j];
			row[j] = smallest(diagonal + (a[i] != b[j - 1]), above + 1, row[j - 1] + 1);
			diagonal = above;
		}
	}
	return row[n];
}

/* The key that was probably meant; NULL when none is near. */
static const char *nearest(const struct map *m, const char *text)
{
	const char *best = NULL;
	size_t closest = 1 + strnlen(text, 8) / 4;

	for (int i = 0; i < m->n; i++) {
		size_t d = distance(text, m->name(i));
		if (d <= closest && d < strlen(m->name(i))) {
			best = m->name(i);
			closest = d - (d > 0);
		}
	}
	return best;
}

/* The map's keys, as many as a message holds. */
static void list_keys(const struct map *m, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (int i = 0; i < m->n; i++) {
		size_t length = strlen(m->name(i)) + 2;
		if (used + length + sizeof ", ..." > size) {
			strcpy(out + used, ", ...");
			return;
		}
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", m->name(i));
	}
}

static enum status fail_unknown(struct reader *r, const struct map *m)
{
	char shown[CLIP_SIZE], keys[380], hint[80] = "; expected";
	const char *near = nearest(m, scalar(r));

	if (m == &r->top && !strcmp(scalar(r), "file"))
		return fail(r, r->here, E_VALUE, "file: tensor files are not read by this version; "
			    "the numbers are given as q, k, v, or scores, or x, w-q, w-k, w-v, or weights, or random");
	if (near)
		snprintf(hint, sizeof hint, "; did you mean '%s'? Expected", near);
	list_keys(m, keys, sizeof keys);
	return fail(r, r->here, E_VALUE, "'%s' is not a key of %s%s one of: %s", clip_scalar(r, shown), m->what, hint, keys);
}

static enum status fail_key(struct reader *r, const struct map *m)
{
	return fail(r, r->here, E_SYNTAX, "%s where a key of %s is expected", kind(r), m->what);
}

/* Opens a map whose start is current. */
static enum status open_map(struct reader *r, struct map *m, const char *expected)
{
	memset(m->seen, 0, sizeof m->seen);
	if (r->event.type == YAML_MAPPING_START_EVENT)
		return OK_STATUS;
	return fail(r, r->here, E_SYNTAX, "%s: %s where a map is expected, such as %s", m->what,
		    is_null(r) ? "nothing" : kind(r), expected);
}

/* Goes to the value of the next key, m->key; -1 at the end of the map. */
static enum status next_value(struct reader *r, struct map *m)
{
	enum status s = next(r);

	if (s)
		return s;
	m->key = -1;
	if (r->event.type == YAML_MAPPING_END_EVENT)
		return OK_STATUS;
	if (!is_scalar(r))
		return fail_key(r, m);
	for (int i = 0; i < m->n && m->key < 0; i++)
		if (!strcmp(scalar(r), m->name(i)))
			m->key = i;
	if (m->key < 0)
		return fail_unknown(r, m);
	if (m->seen[m->key].line)
		return fail(r, r->here, E_VALUE, "%s stands twice; the first is in line %u", m->name(m->key),
			    m->seen[m->key].line);
	m->seen[m->key] = r->here;
	if ((s = next(r)))
		return s;
	m->value[m->key] = r->here;
	return OK_STATUS;
}

static const char *top_name(int key)
{
	static const char *const before[] = { "qkv", "title", "tokens", "query-tokens", "key-tokens" };
	static const char *const after[] = { "random", "heads", "d-k", "set", "edits" };

	if (key < KEY_ARRAY)
		return before[key];
	return key < KEY_RANDOM ? array_name((enum array)(key - KEY_ARRAY)) : after[key - KEY_RANDOM];
}

static const char *random_name(int key)
{
	static const char *const name[] = { "seed", "n", "n-q", "n-k", "d-k", "d-v", "heads", "d-model", "skip" };
	return name[key];
}

static const char *edit_name(int key)
{
	static const char *const name[] = { "cell", "value", "head" };
	return name[key];
}

static const char *option_name(int key)
{
	return option_info((enum option)key)->name;
}

/* ---- numbers ---- */

static bool all_digits(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

/* Digits up to limit; p moves behind them. */
static bool read_digits(const char **p, size_t limit, size_t *value)
{
	size_t v = 0, n = strspn(*p, "0123456789");

	for (size_t i = 0; i < n; i++) {
		v = v * 10 + (size_t)((*p)[i] - '0');
		if (v > limit)
			return false;
	}
	*p += n;
	*value = v;
	return n > 0;
}

/* A whole number from lowest to highest; more is E_LIMIT. */
static enum status read_size(struct reader *r, const char *name, uint64_t lowest, uint64_t highest, uint64_t *value)
{
	char shown[CLIP_SIZE];
	uint64_t v = 0;
	enum status s = expect_scalar(r, name, "a whole number");

	if (s)
		return s;
	if (!all_digits(scalar(r)))
		return fail(r, r->here, E_VALUE, "%s: '%s' is not a whole number from %llu to %llu", name,
			    clip_scalar(r, shown), (unsigned long long)lowest, (unsigned long long)highest);
	for (const char *p = scalar(r); *p && v <= highest; p++)
		v = v * 10 + (uint64_t)(*p - '0');
	if (v > highest)
		return fail(r, r->here, E_LIMIT, "%s: '%s' is more than this program takes: %llu to %llu", name,
			    clip_scalar(r, shown), (unsigned long long)lowest, (unsigned long long)highest);
	if (v < lowest)
		return fail(r, r->here, E_VALUE, "%s: '%s' is too small: %llu to %llu is expected", name,
			    clip_scalar(r, shown), (unsigned long long)lowest, (unsigned long long)highest);
	*value = v;
	return OK_STATUS;
}

/* Digits that count: those behind leading zeros. */
static size_t seed_digits(const char *text)
{
	return strlen(text + strspn(text, "0"));
}

static enum status read_seed(struct reader *r, const char *name)
{
	char shown[CLIP_SIZE];
	enum status s = expect_scalar(r, name, "a text of decimal digits");

	if (s)
		return s;
	if (!all_digits(scalar(r)))
		return fail(r, r->here, E_VALUE, "%s: '%s' is not a seed; decimal digits are expected", name,
			    clip_scalar(r, shown));
	if (seed_digits(scalar(r)) > RANDOM_SEED_DIGITS)
		return fail(r, r->here, E_LIMIT, "%s: %zu digits; at most %d are taken", name, seed_digits(scalar(r)),
			    RANDOM_SEED_DIGITS);
	return OK_STATUS;
}

static enum status fail_number(struct reader *r, const char *name)
{
	char shown[CLIP_SIZE];

	if (is_null(r) && !*scalar(r))
		return fail(r, r->here, E_VALUE, "%s: nothing where a number is expected", name);
	return fail(r, r->here, E_VALUE, "%s: '%s' is not a number; expected one like 0.5, 1e-3, .inf, -.inf, .nan", name,
		    clip_scalar(r, shown));
}

static enum status read_number(struct reader *r, const char *name, double *value)
{
	enum status s = expect_scalar(r, name, "a number");

	if (!s && !number_parse(scalar(r), scalar_length(r), value))
		s = fail_number(r, name);
	return s;
}

/* ---- matrices ---- */

static enum status add_number(struct reader *r, const char *name)
{
	struct numbers *l = &r->numbers;
	double value;
	enum status s = read_number(r, name, &value);

	if (s)
		return s;
	if (l->n == l->room) {
		size_t room = l->room ? l->room * 2 : 64;
		double *v = realloc(l->v, room * sizeof *v);
		if (!v)
			return fail(r, r->here, E_MEMORY, "%s: no memory for %zu numbers", name, room);
		l->v = v;
		l->room = room;
	}
	l->v[l->n++] = value;
	return OK_STATUS;
}

/* "head 1: " where there are several. */
static const char *head_text(char out[32], bool heads, size_t h)
{
	out[0] = '\0';
	if (heads)
		snprintf(out, 32, "head %zu: ", h);
	return out;
}

static enum status fail_row(struct reader *r, enum array a, bool heads, size_t i)
{
	char head[32];

	return fail(r, r->here, E_SYNTAX, "%s: %s%s where row %zu is expected; a matrix is a list of rows, "
		    "such as [[1, 2], [3, 4]]", array_name(a), head_text(head, heads, r->s.array[a].n),
		    is_scalar(r) ? "a number" : kind(r), i);
}

/* The numbers of a row; its first one, or its end, is current. */
static enum status read_row(struct reader *r, enum array a, size_t *columns)
{
	size_t before = r->numbers.n;
	enum status s = OK_STATUS;

	while (!s && r->event.type != YAML_SEQUENCE_END_EVENT)
		if (!(s = add_number(r, array_name(a))))
			s = next(r);
	*columns = r->numbers.n - before;
	return s;
}

static enum status check_row(struct reader *r, enum array a, bool heads, struct mark at,
			     size_t i, size_t found, size_t columns)
{
	char head[32];

	head_text(head, heads, r->s.array[a].n);
	if (!found)
		return fail(r, at, E_SHAPE, "%s: %srow %zu is empty; one number at least is expected",
			    array_name(a), head, i);
	if (found != columns)
		return fail(r, at, E_SHAPE, "%s: %srow %zu has %zu number%s, row 0 has %zu", array_name(a), head, i,
			    found, found == 1 ? "" : "s", columns);
	return OK_STATUS;
}

/* Makes the array's next head of the numbers collected. */
static enum status take_matrix(struct reader *r, enum array a, size_t rows, size_t columns)
{
	struct matrix m = { 0 };
	enum status s = matrix_init(&m, rows, columns, r->e);

	if (!s) {
		memcpy(m.v, r->numbers.v, rows * columns * sizeof *m.v);
		s = array_add(&r->s.array[a], &m, r->e);
	}
	matrix_free(&m);
	r->numbers.n = 0;
	return s;
}

/* A list of rows up to its end. The first row starts at `at` and what is in it
 * is current. */
static enum status read_rows(struct reader *r, enum array a, bool heads, struct mark at)
{
	size_t rows = 0, columns = 0, found;
	enum status s;

	for (;; at = r->here) {
		if (rows && (s = next(r)))
			return s;
		if ((s = read_row(r, a, &found)))
			return s;
		if (!rows)
			columns = found;
		if ((s = check_row(r, a, heads, at, rows++, found, columns)) || (s = next(r)))
			return s;
		if (r->event.type == YAML_SEQUENCE_END_EVENT)
			return take_matrix(r, a, rows, columns);
		if (r->event.type != YAML_SEQUENCE_START_EVENT)
			return fail_row(r, a, heads, rows);
	}
}

static enum status check_head(struct reader *r, enum array a, struct mark at)
{
	const struct array_heads *array = &r->s.array[a];
	const struct matrix *m = &array->head[array->n - 1], *first = &array->head[0];

	if (m->rows == first->rows && m->columns == first->columns)
		return OK_STATUS;
	return fail(r, at, E_SHAPE, "%s: head %zu is (%zu, %zu), head 0 is (%zu, %zu); all heads have one shape",
		    array_name(a), array->n - 1, m->rows, m->columns, first->rows, first->columns);
}

/* A list of matrices up to its end. The first matrix starts at `at` and its
 * first row is current. */
static enum status read_heads(struct reader *r, enum array a, struct mark at)
{
	enum status s;

	for (;; at = r->here) {
		if (r->s.array[a].n && (s = next(r)))
			return s;
		if (r->event.type != YAML_SEQUENCE_START_EVENT)
			return r->event.type == YAML_SEQUENCE_END_EVENT
				? fail(r, at, E_SHAPE, "%s: head %zu is empty; one row at least is expected",
				       array_name(a), r->s.array[a].n)
				: fail_row(r, a, true, 0);
		struct mark row = r->here;
		if ((s = next(r)) || (s = read_rows(r, a, true, row)) || (s = check_head(r, a, at)) || (s = next(r)))
			return s;
		if (r->event.type == YAML_SEQUENCE_END_EVENT)
			return OK_STATUS;
		if (r->event.type != YAML_SEQUENCE_START_EVENT)
			return fail(r, r->here, E_SYNTAX, "%s: %s where the matrix of head %zu is expected",
				    array_name(a), is_scalar(r) ? "a number" : kind(r), r->s.array[a].n);
	}
}

static enum status read_array(struct reader *r, enum array a)
{
	struct mark first;
	enum status s;

	r->s.array_mark[a] = r->here;
	if (r->event.type != YAML_SEQUENCE_START_EVENT)
		return fail(r, r->here, E_SYNTAX, "%s: %s where a list of rows is expected, such as [[1, 2], [3, 4]]",
			    array_name(a), is_null(r) ? "nothing" : kind(r));
	if ((s = next(r)))
		return s;
	first = r->here;
	if (r->event.type == YAML_SEQUENCE_END_EVENT)
		return fail(r, r->s.array_mark[a], E_SHAPE, "%s: an empty list; one row at least is expected", array_name(a));
	if (r->event.type != YAML_SEQUENCE_START_EVENT)
		return fail_row(r, a, false, 0);
	if ((s = next(r)))
		return s;
	if (r->event.type != YAML_SEQUENCE_START_EVENT)
		return read_rows(r, a, false, first);
	if (a == ARRAY_X || a == ARRAY_W_O)
		return fail(r, r->here, E_SYNTAX, "%s: a list where a number is expected; there is one %s for all heads",
			    array_name(a), array_name(a));
	return read_heads(r, a, first);
}

/* ---- texts ---- */

static bool is_language(const char *text, size_t n)
{
	return n <= LANGUAGE_LIMIT && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == n;
}

/* Takes both texts over, also on error. */
static enum status add_translation(struct reader *r, char *language, char *text)
{
	struct title *t = &r->s.title;
	struct translation *v = realloc(t->v, (t->n + 1) * sizeof *v);

	if (!v) {
		free(language);
		free(text);
		return fail(r, r->here, E_MEMORY, "no memory for a title");
	}
	t->v = v;
	t->v[t->n++] = (struct translation){ language, text };
	return OK_STATUS;
}

static enum status check_text(struct reader *r, const char *name)
{
	enum status s = expect_scalar(r, name, "a text");

	if (!s && is_null(r))
		s = fail(r, r->here, E_VALUE, "%s: nothing where a text is expected; "
			 "a text with # , or : in it is put in quotes", name);
	return s;
}

/* The text that is current, in a language that is taken over. */
static enum status take_text(struct reader *r, char *language)
{
	char *text = NULL;
	enum status s = check_text(r, "title");

	if (s || (s = copy_scalar(r, &text))) {
		free(language);
		return s;
	}
	return add_translation(r, language, text);
}

static enum status read_language(struct reader *r, char **language)
{
	char shown[CLIP_SIZE];
	const struct title *t = &r->s.title;

	if (!is_scalar(r))
		return fail(r, r->here, E_SYNTAX, "title: %s where a language such as en is expected", kind(r));
	if (!is_language(scalar(r), scalar_length(r)) || is_null(r))
		return fail(r, r->here, E_VALUE, "title: '%s' is not a language such as en or ko", clip_scalar(r, shown));
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->v[i].language, scalar(r)))
			return fail(r, r->here, E_VALUE, "title: the language %s stands twice", scalar(r));
	return copy_scalar(r, language);
}

enum { LANGUAGES_LIMIT = 200 };

static enum status read_title(struct reader *r)
{
	char *language = NULL;
	struct mark start = r->here;
	enum status s;

	if (r->event.type != YAML_MAPPING_START_EVENT) {
		language = calloc(1, 1);
		return language ? take_text(r, language) : fail(r, r->here, E_MEMORY, "no memory for a title");
	}
	while (!(s = next(r)) && r->event.type != YAML_MAPPING_END_EVENT) {
		if (r->s.title.n == LANGUAGES_LIMIT)
			return fail(r, r->here, E_LIMIT, "title: more than %d languages", LANGUAGES_LIMIT);
		if ((s = read_language(r, &language)))
			return s;
		if ((s = next(r))) {
			free(language);
			return s;
		}
		if ((s = take_text(r, language)))
			return s;
	}
	if (!s && !r->s.title.n)
		s = fail(r, start, E_VALUE, "title: an empty map; a text, or one for each language is expected");
	return s;
}

static enum status fail_token(struct reader *r, const char *name, struct mark list)
{
	struct mark cut;

	if (find_cut(r, list, r->here, &cut))
		return fail_cut(r, cut);
	return fail(r, r->here, E_SYNTAX, "%s: %s where a text is expected; put the token in quotes", name,
		    is_null(r) ? "nothing" : kind(r));
}

static enum status read_tokens(struct reader *r, struct tokens *t, const char *name)
{
	struct mark list = r->here;
	enum status s;

	r->s.tokens_mark = list;
	if (r->event.type != YAML_SEQUENCE_START_EVENT)
		return fail(r, list, E_SYNTAX, "%s: %s where a list of texts is expected, such as [\"a\", \"b\"]", name,
			    is_null(r) ? "nothing" : kind(r));
	while (!(s = next(r)) && r->event.type != YAML_SEQUENCE_END_EVENT) {
		if (!is_scalar(r) || is_null(r))
			return fail_token(r, name, list);
		if (t->n == SIZE_LIMIT)
			return fail(r, r->here, E_LIMIT, "%s: more than %d", name, SIZE_LIMIT);
		if ((s = tokens_add(t, scalar(r), scalar_length(r), r->e)))
			return s;
	}
	if (!s && !t->n)
		s = fail(r, list, E_SHAPE, "%s: an empty list; one text at least is expected", name);
	return s;
}

/* ---- options ---- */

static bool is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (!strcmp(text, *words))
			return true;
	return false;
}

/* The value in the words of option_set: YAML's booleans and infinities have other ones. */
static const char *option_word(const struct option_info *info, const char *text)
{
	static const char *const yes[] = { "true", "True", "TRUE", "yes", "Yes", "YES", "On", "ON", NULL };
	static const char *const no[] = { "false", "False", "FALSE", "no", "No", "NO", "Off", "OFF", NULL };
	bool has_off = info->type == TYPE_SWITCH || (info->words && is_one_of("off", info->words));
	double v;

	if (info->type == TYPE_SWITCH && is_one_of(text, yes))
		return "on";
	if (has_off && is_one_of(text, no))
		return "off";
	if (info->type == TYPE_NUMBER && number_parse(text, strlen(text), &v) && isinf(v))
		return v > 0 ? "inf" : "-inf";
	return text;
}

/* How many indices a text such as "0-3,7" stands for, or more than SIZE_LIMIT. */
static size_t count_indices(const char *text)
{
	size_t total = 0, first, last;

	for (const char *p = text; read_digits(&p, INDEX_LIMIT, &first); p++) {
		last = first;
		if (*p == '-') {
			p++;
			if (!read_digits(&p, INDEX_LIMIT, &last) || last < first)
				break;
		}
		total += last - first + 1;
		if (total > SIZE_LIMIT || *p != ',')
			break;
	}
	return total;
}

static enum status set_option(struct reader *r, struct options *o, enum option which, const char *text, struct mark at)
{
	struct error found;
	const struct option_info *info = option_info(which);

	error_clear(&found);
	if (info->type == TYPE_DIGITS && seed_digits(text) > RANDOM_SEED_DIGITS)
		return fail(r, at, E_LIMIT, "%s: %zu digits; at most %d are taken", info->name, seed_digits(text),
			    RANDOM_SEED_DIGITS);
	/* Few bytes can stand for very many indices: 0-1000000,0-1000000,... */
	if (info->type == TYPE_INDICES && count_indices(text) > SIZE_LIMIT)
		return fail(r, at, E_LIMIT, "%s: more than %d indices", info->name, SIZE_LIMIT);
	if (!option_set(o, which, option_word(info, text), &found))
		return OK_STATUS;
	return fail(r, at, found.status, "%s: %s", info->name, found.text);
}

/* The bug lab's names are known to bug.c only. */
static enum status check_bug(struct reader *r, struct mark at)
{
	struct options copy;
	struct error found;
	enum status s = options_copy(&copy, &r->s.set, r->e);

	if (s)
		return s;
	error_clear(&found);
	if (bug_apply(&copy, &found))
		s = fail(r, at, found.status, "bug: %s", found.text);
	options_free(&copy);
	return s;
}

static bool takes_list(const struct option_info *info)
{
	return info->type == TYPE_INDICES || info->type == TYPE_IDS || info->type == TYPE_CELLS ||
	       info == option_info(OPT_BUG);
}

/* Appends an item, tried by itself first: its place is known only now. */
static enum status add_item(struct reader *r, enum option which, struct buffer *all, size_t *indices)
{
	const char *name = option_info(which)->name;
	enum status s = expect_scalar(r, name, "a text or a number");

	if (s)
		return s;
	*indices += count_indices(scalar(r));
	if (*indices > SIZE_LIMIT)
		return fail(r, r->here, E_LIMIT, "%s: more than %d indices", name, SIZE_LIMIT);
	if ((s = set_option(r, &r->scratch, which, scalar(r), r->here)))
		return s;
	if (all->size)
		buffer_text(all, ",");
	buffer_put(all, scalar(r), scalar_length(r));
	return all->failed ? fail(r, r->here, E_MEMORY, "%s: no memory for a list", name) : OK_STATUS;
}

static enum status read_option_list(struct reader *r, enum option which)
{
	const struct option_info *info = option_info(which);
	struct mark start = r->here;
	struct buffer all = { 0 };
	size_t indices = 0;
	enum status s;

	if (!takes_list(info))
		return fail(r, start, E_SYNTAX, "%s: a list, but one value is expected: %s", info->name, info->values);
	while (!(s = next(r)) && r->event.type != YAML_SEQUENCE_END_EVENT)
		if ((s = add_item(r, which, &all, &indices)))
			break;
	if (!s)
		s = set_option(r, &r->s.set, which, all.size ? all.data : info->words[0], start);
	buffer_free(&all);
	return s;
}

static enum status read_option(struct reader *r, enum option which)
{
	const struct option_info *info = option_info(which);
	struct mark at = r->here;
	enum status s;

	r->s.option_mark[which] = at;
	if (r->event.type == YAML_SEQUENCE_START_EVENT)
		s = read_option_list(r, which);
	else if (is_scalar(r))
		s = set_option(r, &r->s.set, which, scalar(r), at);
	else
		s = fail(r, at, E_SYNTAX, "%s: %s, but one value is expected: %s", info->name, kind(r), info->values);
	return !s && which == OPT_BUG ? check_bug(r, at) : s;
}

static enum status read_set(struct reader *r)
{
	struct map m = { .what = "set", .name = option_name, .n = OPT_COUNT };
	enum status s = open_map(r, &m, "{causal: on}");

	while (!s && !(s = next_value(r, &m)) && m.key >= 0)
		s = read_option(r, (enum option)m.key);
	return s;
}

/* ---- edits ---- */

/* "scores 0:1" */
static enum status read_cell(struct reader *r, struct edit *edit)
{
	char shown[CLIP_SIZE];
	const char *p = NULL;
	enum status s = expect_scalar(r, "cell", "an array, row and column such as \"scores 0:1\"");

	if (s)
		return s;
	for (int a = 0; a < ARRAY_COUNT && !p; a++) {
		size_t n = strlen(array_name((enum array)a));
		if (!strncmp(scalar(r), array_name((enum array)a), n) && scalar(r)[n] == ' ') {
			edit->array = (enum array)a;
			p = scalar(r) + n + strspn(scalar(r) + n, " ");
		}
	}
	if (p && read_digits(&p, SIZE_LIMIT, &edit->row) && *p++ == ':' &&
	    read_digits(&p, SIZE_LIMIT, &edit->column) && !*p)
		return OK_STATUS;
	return fail(r, r->here, E_VALUE, "cell: '%s' is not an array, row and column such as \"scores 0:1\"; "
		    "the arrays are q, k, v, x, w-q, w-k, w-v, w-o, scores, weights", clip_scalar(r, shown));
}

static enum status add_edit(struct reader *r, const struct placed_edit *edit)
{
	struct edit_list *l = &r->edits;

	if (l->n == l->room) {
		size_t room = l->room ? l->room * 2 : 16;
		struct placed_edit *v = realloc(l->v, room * sizeof *v);
		if (!v)
			return fail(r, edit->mark, E_MEMORY, "edits: no memory for %zu", room);
		l->v = v;
		l->room = room;
	}
	l->v[l->n++] = *edit;
	return OK_STATUS;
}

static enum status read_edit(struct reader *r)
{
	struct map m = { .what = "an edit", .name = edit_name, .n = EDIT_COUNT };
	struct placed_edit edit = { .mark = r->here };
	struct mark start = r->here;
	uint64_t head = 0;
	enum status s = open_map(r, &m, "{cell: \"scores 0:1\", value: 2.5}");

	while (!s && !(s = next_value(r, &m)) && m.key >= 0) {
		if (m.key == EDIT_CELL)
			s = read_cell(r, &edit.edit);
		else if (m.key == EDIT_VALUE)
			s = read_number(r, "value", &edit.edit.value);
		else
			s = read_size(r, "head", 0, SIZE_LIMIT, &head);
	}
	if (s)
		return s;
	for (int k = EDIT_CELL; k <= EDIT_VALUE; k++)
		if (!m.seen[k].line)
			return fail(r, start, E_VALUE, "an edit needs cell and value; %s is missing", edit_name(k));
	edit.mark = m.value[EDIT_CELL];
	edit.edit.head = (size_t)head;
	return add_edit(r, &edit);
}

static enum status read_edits(struct reader *r)
{
	enum status s;

	if (r->event.type != YAML_SEQUENCE_START_EVENT)
		return fail(r, r->here, E_SYNTAX, "edits: %s where a list is expected, such as "
			    "[{cell: \"scores 0:1\", value: 2.5}]", is_null(r) ? "nothing" : kind(r));
	while (!(s = next(r)) && r->event.type != YAML_SEQUENCE_END_EVENT)
		if ((s = read_edit(r)))
			return s;
	return s;
}

/* ---- random input ---- */

static enum status read_random(struct reader *r)
{
	struct map *m = &r->random;
	enum status s = open_map(r, m, "{seed: 0, n: 4, d-k: 8}");

	while (!s && !(s = next_value(r, m)) && m->key >= 0) {
		if (m->key == RANDOM_SEED) {
			free(r->s.random.seed);
			r->s.random.seed = NULL;
			if (!(s = read_seed(r, "seed")))
				s = copy_scalar(r, &r->s.random.seed);
		} else if (m->key == RANDOM_SKIP) {
			s = read_size(r, "skip", 0, SKIP_LIMIT, &r->random_size[m->key]);
		} else {
			s = read_size(r, random_name(m->key), 1, SIZE_LIMIT, &r->random_size[m->key]);
		}
	}
	return s;
}

static uint64_t size_or(const struct reader *r, enum random_key key, uint64_t otherwise)
{
	return r->random.seen[key].line ? r->random_size[key] : otherwise;
}

/* Where a size that is too large is most likely to be: the largest one written. */
static struct mark largest_size(const struct reader *r)
{
	static const enum option options[] = { OPT_N, OPT_D_K, OPT_D_V };
	const long set[] = { r->s.set.n, r->s.set.d_k, r->s.set.d_v };
	struct mark at = r->top.seen[KEY_RANDOM];
	uint64_t most = 0;

	for (int k = RANDOM_N; k < RANDOM_SKIP; k++)
		if (r->random.seen[k].line && r->random_size[k] > most) {
			most = r->random_size[k];
			at = r->random.value[k];
		}
	for (int k = 0; k < 3; k++)
		if (set[k] > 0 && (uint64_t)set[k] > most) {
			most = (uint64_t)set[k];
			at = r->s.option_mark[options[k]];
		}
	return at;
}

/* With the sizes of `set`, as the numbers will be made. */
static enum status check_random_limits(struct reader *r)
{
	struct random_input in = random_input_sized(&r->s.random, &r->s.set);

	if (random_input_fits(&in))
		return OK_STATUS;
	return fail(r, largest_size(r), E_LIMIT, "random: n-q %zu, n-k %zu, d-k %zu, d-v %zu, heads %zu, d-model %zu "
		    "make more than %zu numbers", in.n_q, in.n_k, in.d_k, in.d_v, in.heads, in.d_model, NUMBERS_LIMIT);
}

/* The sizes that were left out. */
static enum status finish_random(struct reader *r)
{
	struct random_input *in = &r->s.random;
	const struct map *m = &r->random;
	size_t queries = r->s.query_tokens.n, keys = r->s.key_tokens.n;
	enum random_key one = m->seen[RANDOM_N_Q].line ? RANDOM_N_Q : RANDOM_N_K;

	if (m->seen[RANDOM_N].line && m->seen[one].line)
		return fail(r, m->seen[one], E_VALUE, "random: %s beside n; either n, or n-q and n-k", random_name(one));
	in->n_q = size_or(r, RANDOM_N_Q, size_or(r, RANDOM_N, queries ? queries : DEFAULT_N));
	in->n_k = size_or(r, RANDOM_N_K, size_or(r, RANDOM_N, keys ? keys : DEFAULT_N));
	in->d_k = size_or(r, RANDOM_D_K, DEFAULT_D_K);
	in->d_v = size_or(r, RANDOM_D_V, in->d_k);
	in->heads = size_or(r, RANDOM_HEADS, 1);
	in->d_model = size_or(r, RANDOM_D_MODEL, 0);
	in->skip = size_or(r, RANDOM_SKIP, 0);
	if (in->d_model && in->n_q != in->n_k)
		return fail(r, m->seen[RANDOM_D_MODEL], E_VALUE, "random: d-model draws one X for queries and keys, "
			    "but n-q is %zu and n-k is %zu", in->n_q, in->n_k);
	if (!in->seed && !(in->seed = strdup("0")))
		return fail(r, r->here, E_MEMORY, "no memory for a seed");
	return check_random_limits(r);
}

/* ---- what belongs together ---- */

/* The kind of input a key speaks of; -1 when it goes with several. */
static int source_of(int key)
{
	switch (key) {
	case KEY_ARRAY + ARRAY_Q:
	case KEY_ARRAY + ARRAY_K:
		return SOURCE_QKV;
	case KEY_ARRAY + ARRAY_SCORES:
	case KEY_D_K:
		return SOURCE_SCORES;
	case KEY_ARRAY + ARRAY_X:
	case KEY_ARRAY + ARRAY_W_Q:
	case KEY_ARRAY + ARRAY_W_K:
	case KEY_ARRAY + ARRAY_W_V:
	case KEY_ARRAY + ARRAY_W_O:
	case KEY_HEADS:
		return SOURCE_X;
	case KEY_ARRAY + ARRAY_WEIGHTS:
		return SOURCE_WEIGHTS;
	case KEY_RANDOM:
		return SOURCE_RANDOM;
	default:
		return -1;
	}
}

static const char *const kinds_of_input =
	"one kind of input is expected: q, k, v; or scores; or x, w-q, w-k, w-v; or weights; or random";

static enum status fail_mixed(struct reader *r, int a, int b)
{
	const struct mark *seen = r->top.seen;
	int later = comes_before(seen[a], seen[b]) ? b : a, earlier = later == a ? b : a;

	return fail(r, seen[later], E_VALUE, "%s cannot stand beside %s (line %u); %s", top_name(later),
		    top_name(earlier), seen[earlier].line, kinds_of_input);
}

/* Keys of two kinds of input exclude each other. */
static enum status find_source(struct reader *r)
{
	const struct mark *seen = r->top.seen;
	int first = -1;

	for (int key = 0; key < KEY_COUNT; key++) {
		if (!seen[key].line || source_of(key) < 0)
			continue;
		if (first < 0)
			first = key;
		else if (source_of(key) != source_of(first))
			return fail_mixed(r, first, key);
	}
	int v = KEY_ARRAY + ARRAY_V;
	if (first < 0)
		return fail(r, seen[v].line ? seen[v] : (struct mark){ 1, 1 }, E_VALUE, "%s; %s",
			    seen[v].line ? "v alone is no input" : "no input is given", kinds_of_input);
	r->s.source = (enum source)source_of(first);
	if (seen[v].line && (r->s.source == SOURCE_X || r->s.source == SOURCE_RANDOM))
		return fail_mixed(r, first, v);
	return OK_STATUS;
}

/* The keys that a kind of input cannot do without, -1 at the end. */
static const int *needed_keys(enum source source)
{
	static const int needed[][5] = {
		[SOURCE_QKV] = { KEY_ARRAY + ARRAY_Q, KEY_ARRAY + ARRAY_K, KEY_ARRAY + ARRAY_V, -1 },
		[SOURCE_SCORES] = { KEY_ARRAY + ARRAY_SCORES, -1 },
		[SOURCE_X] = { KEY_ARRAY + ARRAY_X, KEY_ARRAY + ARRAY_W_Q, KEY_ARRAY + ARRAY_W_K,
			       KEY_ARRAY + ARRAY_W_V, -1 },
		[SOURCE_WEIGHTS] = { KEY_ARRAY + ARRAY_WEIGHTS, -1 },
		[SOURCE_RANDOM] = { KEY_RANDOM, -1 },
	};
	return needed[source];
}

static enum status check_needed(struct reader *r)
{
	const struct mark *seen = r->top.seen;
	int present = -1;

	for (int key = 0; key < KEY_COUNT && present < 0; key++)
		if (seen[key].line && source_of(key) == (int)r->s.source)
			present = key;
	for (const int *key = needed_keys(r->s.source); *key >= 0; key++)
		if (!seen[*key].line)
			return fail(r, seen[present], E_VALUE, "%s needs %s beside it", top_name(present), top_name(*key));
	return OK_STATUS;
}

/* ---- heads written side by side in one matrix ---- */

/* Columns [h*d, (h+1)*d) of every row become head h. */
static enum status split_columns(struct reader *r, struct array_heads *a, size_t heads)
{
	struct array_heads parts = { 0 };
	const struct matrix *whole = &a->head[0];
	size_t d = whole->columns / heads;
	enum status s = OK_STATUS;

	for (size_t h = 0; h < heads && !s; h++) {
		struct matrix m = { 0 };
		if ((s = matrix_init(&m, whole->rows, d, r->e)))
			break;
		for (size_t i = 0; i < whole->rows; i++)
			memcpy(m.v + i * d, matrix_row(whole, i) + h * d, d * sizeof *m.v);
		s = array_add(&parts, &m, r->e);
		matrix_free(&m);
	}
	if (s) {
		array_free(&parts);
		return s;
	}
	array_free(a);
	*a = parts;
	return OK_STATUS;
}

static enum status split_heads(struct reader *r)
{
	enum status s = OK_STATUS;

	for (int a = ARRAY_W_Q; a <= ARRAY_W_V && r->split_heads && !s; a++) {
		struct array_heads *w = &r->s.array[a];
		const char *name = array_name((enum array)a);
		if (w->n == r->split_heads)
			continue;
		if (w->n > 1)
			return fail(r, r->s.array_mark[a], E_SHAPE, "%s has %zu heads, heads is %zu", name, w->n, r->split_heads);
		if (w->head[0].columns % r->split_heads)
			return fail(r, r->s.array_mark[a], E_SHAPE, "%s (%zu, %zu) cannot be cut into %zu heads of equal width",
				    name, w->head[0].rows, w->head[0].columns, r->split_heads);
		s = split_columns(r, w, r->split_heads);
	}
	return s;
}

/* ---- shapes ---- */

static enum status check_heads(struct reader *r, enum array a, enum array like)
{
	const struct array_heads *x = &r->s.array[a], *y = &r->s.array[like];

	if (x->n == y->n)
		return OK_STATUS;
	return fail(r, r->s.array_mark[a], E_SHAPE, "%s has %zu head%s, %s has %zu", array_name(a), x->n,
		    x->n == 1 ? "" : "s", array_name(like), y->n);
}

static enum status misfit(struct reader *r, enum array a, enum array like, const char *why)
{
	const struct matrix *x = &r->s.array[a].head[0], *y = &r->s.array[like].head[0];

	return fail(r, r->s.array_mark[a], E_SHAPE, "%s (%zu, %zu) does not fit %s (%zu, %zu): %s", array_name(a),
		    x->rows, x->columns, array_name(like), y->rows, y->columns, why);
}

static const struct matrix *first_head(const struct reader *r, enum array a)
{
	return &r->s.array[a].head[0];
}

static enum status check_qkv(struct reader *r)
{
	enum status s;

	if ((s = check_heads(r, ARRAY_K, ARRAY_Q)) || (s = check_heads(r, ARRAY_V, ARRAY_Q)))
		return s;
	if (first_head(r, ARRAY_K)->columns != first_head(r, ARRAY_Q)->columns)
		return misfit(r, ARRAY_K, ARRAY_Q, "both have d_k columns");
	if (first_head(r, ARRAY_V)->rows != first_head(r, ARRAY_K)->rows)
		return misfit(r, ARRAY_V, ARRAY_K, "both have one row a key");
	return OK_STATUS;
}

/* Scores or weights, and v where it is given. */
static enum status check_queries_by_keys(struct reader *r, enum array a)
{
	enum status s;

	if (!r->s.array[ARRAY_V].n)
		return OK_STATUS;
	if ((s = check_heads(r, ARRAY_V, a)))
		return s;
	if (first_head(r, ARRAY_V)->rows != first_head(r, a)->columns)
		return misfit(r, ARRAY_V, a, "v has one row a key");
	return OK_STATUS;
}

static enum status check_x(struct reader *r)
{
	const struct array_heads *w_v = &r->s.array[ARRAY_W_V], *w_o = &r->s.array[ARRAY_W_O];
	enum status s;

	if ((s = split_heads(r)))
		return s;
	for (int a = ARRAY_W_Q; a <= ARRAY_W_V; a++) {
		if ((s = check_heads(r, (enum array)a, ARRAY_W_Q)))
			return s;
		if (first_head(r, (enum array)a)->rows != first_head(r, ARRAY_X)->columns)
			return misfit(r, (enum array)a, ARRAY_X, "one row for each column of x");
	}
	if (first_head(r, ARRAY_W_K)->columns != first_head(r, ARRAY_W_Q)->columns)
		return misfit(r, ARRAY_W_K, ARRAY_W_Q, "both have d_k columns");
	if (w_o->n && w_o->head[0].rows != w_v->n * w_v->head[0].columns)
		return fail(r, r->s.array_mark[ARRAY_W_O], E_SHAPE, "w-o (%zu, %zu) does not fit w-v, %zu x (%zu, %zu): "
			    "expected %zu rows", w_o->head[0].rows, w_o->head[0].columns, w_v->n,
			    w_v->head[0].rows, w_v->head[0].columns, w_v->n * w_v->head[0].columns);
	return OK_STATUS;
}

static enum status check_shapes(struct reader *r)
{
	switch (r->s.source) {
	case SOURCE_QKV:
		return check_qkv(r);
	case SOURCE_SCORES:
		return check_queries_by_keys(r, ARRAY_SCORES);
	case SOURCE_WEIGHTS:
		return check_queries_by_keys(r, ARRAY_WEIGHTS);
	case SOURCE_X:
		return check_x(r);
	default:
		return finish_random(r);
	}
}

/* Rows and columns of the grid, as a file without options makes it. */
static void grid_size(const struct reader *r, size_t *n_q, size_t *n_k)
{
	const struct scenario *s = &r->s;

	switch (s->source) {
	case SOURCE_QKV:
		*n_q = s->array[ARRAY_Q].head[0].rows;
		*n_k = s->array[ARRAY_K].head[0].rows;
		return;
	case SOURCE_X:
		*n_q = *n_k = s->array[ARRAY_X].head[0].rows;
		return;
	case SOURCE_RANDOM:
		*n_q = s->random.n_q;
		*n_k = s->random.n_k;
		return;
	default: {
		const struct matrix *m = &s->array[s->source == SOURCE_SCORES ? ARRAY_SCORES : ARRAY_WEIGHTS].head[0];
		*n_q = m->rows;
		*n_k = m->columns;
	}
	}
}

static enum status check_tokens(struct reader *r)
{
	size_t n_q, n_k, queries = r->s.query_tokens.n, keys = r->s.key_tokens.n;
	const struct mark *value = r->top.value;

	grid_size(r, &n_q, &n_k);
	if (r->s.tokens_shared && n_q != n_k)
		return fail(r, value[KEY_TOKENS], E_SHAPE, "tokens: %zu for scores of (%zu, %zu); "
			    "expected query-tokens and key-tokens", queries, n_q, n_k);
	if (queries && queries != n_q)
		return fail(r, value[r->s.tokens_shared ? KEY_TOKENS : KEY_QUERY_TOKENS], E_SHAPE,
			    "%s: %zu for scores of (%zu, %zu); expected %zu",
			    r->s.tokens_shared ? "tokens" : "query-tokens", queries, n_q, n_k, n_q);
	if (keys && keys != n_k)
		return fail(r, value[KEY_KEY_TOKENS], E_SHAPE, "key-tokens: %zu for scores of (%zu, %zu); expected %zu",
			    keys, n_q, n_k, n_k);
	return OK_STATUS;
}

/* ---- edits, once the shapes are known ---- */

struct shape { size_t heads, rows, columns; };

static struct shape random_shape(const struct scenario *s, enum array a)
{
	struct random_input in = random_input_sized(&s->random, &s->set);
	bool x = in.d_model > 0;

	switch (a) {
	case ARRAY_SCORES:
		return (struct shape){ in.heads, in.n_q, in.n_k };
	case ARRAY_Q:
		return (struct shape){ x ? 0 : in.heads, in.n_q, in.d_k };
	case ARRAY_K:
		return (struct shape){ x ? 0 : in.heads, in.n_k, in.d_k };
	case ARRAY_V:
		return (struct shape){ x ? 0 : in.heads, in.n_k, in.d_v };
	case ARRAY_X:
		return (struct shape){ x, in.n_q, in.d_model };
	case ARRAY_W_Q:
	case ARRAY_W_K:
		return (struct shape){ x ? in.heads : 0, in.d_model, in.d_k };
	case ARRAY_W_V:
		return (struct shape){ x ? in.heads : 0, in.d_model, in.d_v };
	case ARRAY_W_O:
		return (struct shape){ x, in.heads * in.d_v, in.d_model };
	default:
		return (struct shape){ 0, 0, 0 };
	}
}

/* What of an array can be edited; no heads: nothing. */
static struct shape edit_shape(const struct reader *r, enum array a)
{
	const struct scenario *s = &r->s;
	const struct array_heads *given = &s->array[a];
	struct shape shape = { 0, 0, 0 };

	if (s->source == SOURCE_RANDOM)
		return random_shape(s, a);
	if (given->n)
		return (struct shape){ given->n, given->head[0].rows, given->head[0].columns };
	grid_size(r, &shape.rows, &shape.columns);
	if (a == ARRAY_SCORES && s->source == SOURCE_QKV)
		shape.heads = s->array[ARRAY_Q].n;
	else if (a == ARRAY_SCORES && s->source == SOURCE_X)
		shape.heads = s->array[ARRAY_W_Q].n;
	return shape;
}

static enum status check_edit(struct reader *r, const struct placed_edit *p)
{
	const struct edit *edit = &p->edit;
	struct shape shape = edit_shape(r, edit->array);
	const char *name = array_name(edit->array);

	if (!shape.heads)
		return fail(r, p->mark, E_VALUE, "cell: this scenario has no %s to edit", name);
	if (edit->head >= shape.heads)
		return fail(r, p->mark, E_VALUE, "cell: head %zu of %s, which has %zu head%s, counted from 0", edit->head,
			    name, shape.heads, shape.heads == 1 ? "" : "s");
	if (edit->row >= shape.rows || edit->column >= shape.columns)
		return fail(r, p->mark, E_VALUE, "cell: %zu:%zu is outside of %s (%zu, %zu); rows and columns count from 0",
			    edit->row, edit->column, name, shape.rows, shape.columns);
	return OK_STATUS;
}

static int compare_cell(const struct edit *a, const struct edit *b)
{
	if (a->array != b->array)
		return a->array < b->array ? -1 : 1;
	if (a->head != b->head)
		return a->head < b->head ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return (a->column > b->column) - (a->column < b->column);
}

static int compare_placed(const void *a, const void *b)
{
	const struct placed_edit *x = a, *y = b;
	int c = compare_cell(&x->edit, &y->edit);

	if (c)
		return c;
	return comes_before(x->mark, y->mark) ? -1 : comes_before(y->mark, x->mark);
}

static enum status finish_edits(struct reader *r)
{
	struct edit_list *l = &r->edits;
	enum status s = OK_STATUS;

	for (size_t i = 0; i < l->n && !s; i++)
		s = check_edit(r, &l->v[i]);
	if (s || !l->n)
		return s;
	qsort(l->v, l->n, sizeof *l->v, compare_placed);
	for (size_t i = 1; i < l->n; i++)
		if (!compare_cell(&l->v[i - 1].edit, &l->v[i].edit))
			return fail(r, l->v[i].mark, E_VALUE, "cell: edited twice; the first is in line %u", l->v[i - 1].mark.line);
	/* In order now, so each one is added at the end. */
	for (size_t i = 0; i < l->n && !s; i++)
		s = edits_put(&r->s.edits, l->v[i].edit, r->e);
	return s;
}

/* ---- the whole file ---- */

static enum status read_version(struct reader *r)
{
	char shown[CLIP_SIZE];
	enum status s = expect_scalar(r, "qkv", "the format version 1");

	if (!s && strcmp(scalar(r), "1"))
		s = fail(r, r->here, E_VALUE, "qkv: '%s' is not a format version that this program reads; 1 is expected",
			 clip_scalar(r, shown));
	return s;
}

static enum status read_count(struct reader *r, const char *name, size_t *count)
{
	uint64_t value;
	enum status s = read_size(r, name, 1, SIZE_LIMIT, &value);

	if (!s)
		*count = (size_t)value;
	return s;
}

static enum status read_shared_tokens(struct reader *r)
{
	enum status s = read_tokens(r, &r->s.query_tokens, "tokens");

	r->s.tokens_shared = true;
	return s ? s : tokens_copy(&r->s.key_tokens, &r->s.query_tokens, r->e);
}

static enum status check_token_keys(struct reader *r)
{
	const struct mark *seen = r->top.seen;
	int other = seen[KEY_QUERY_TOKENS].line ? KEY_QUERY_TOKENS : KEY_KEY_TOKENS;
	int key = r->top.key;

	if (key < KEY_TOKENS || key > KEY_KEY_TOKENS || !seen[KEY_TOKENS].line || !seen[other].line)
		return OK_STATUS;
	return fail(r, seen[key], E_VALUE, "%s beside %s; either tokens, or query-tokens and key-tokens", top_name(key),
		    top_name(key == KEY_TOKENS ? other : KEY_TOKENS));
}

static enum status read_value(struct reader *r, int key)
{
	enum status s = check_token_keys(r);

	if (s)
		return s;
	switch (key) {
	case KEY_QKV:
		return read_version(r);
	case KEY_TITLE:
		return read_title(r);
	case KEY_TOKENS:
		return read_shared_tokens(r);
	case KEY_QUERY_TOKENS:
		return read_tokens(r, &r->s.query_tokens, "query-tokens");
	case KEY_KEY_TOKENS:
		return read_tokens(r, &r->s.key_tokens, "key-tokens");
	case KEY_RANDOM:
		return read_random(r);
	case KEY_HEADS:
		return read_count(r, "heads", &r->split_heads);
	case KEY_D_K:
		return read_count(r, "d-k", &r->s.d_k);
	case KEY_SET:
		return read_set(r);
	case KEY_EDITS:
		return read_edits(r);
	default:
		return read_array(r, (enum array)(key - KEY_ARRAY));
	}
}

static enum status open_document(struct reader *r)
{
	enum status s;

	if ((s = next(r)) || (s = next(r)))		/* stream, document */
		return s;
	if (r->event.type == YAML_STREAM_END_EVENT)
		return fail(r, (struct mark){ 1, 1 }, E_VALUE, "an empty file; 'qkv: 1' and an input are expected");
	if ((s = next(r)))
		return s;
	return open_map(r, &r->top, "'qkv: 1'");
}

static enum status close_document(struct reader *r)
{
	enum status s;

	if ((s = next(r)) || (s = next(r)))		/* end of document, end of stream */
		return s;
	if (r->event.type == YAML_STREAM_END_EVENT)
		return OK_STATUS;
	return fail(r, r->here, E_SYNTAX, "a second document starts here; one is expected");
}

static enum status read_file(struct reader *r)
{
	struct map *m = &r->top;
	enum status s = open_document(r);

	while (!s && !(s = next_value(r, m)) && m->key >= 0)
		s = read_value(r, m->key);
	if (s || (s = close_document(r)))
		return s;
	if (!m->seen[KEY_QKV].line)
		return fail(r, (struct mark){ 1, 1 }, E_VALUE, "the key qkv is missing; 'qkv: 1' is expected");
	if ((s = find_source(r)) || (s = check_needed(r)) || (s = check_shapes(r)) || (s = check_tokens(r)))
		return s;
	return finish_edits(r);
}

/* A BOM is no character of the text. */
static void skip_bom(struct reader *r)
{
	if (r->size >= 3 && !memcmp(r->bytes, "\xef\xbb\xbf", 3)) {
		r->bytes += 3;
		r->size -= 3;
	}
}

static enum status read_bytes(struct reader *r)
{
	enum status s = check_bytes(r);

	if (s)
		return s;
	if (!yaml_parser_initialize(&r->yaml))
		return fail(r, (struct mark){ 1, 1 }, E_MEMORY, "no memory to read the file");
	yaml_parser_set_encoding(&r->yaml, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r->yaml, (const unsigned char *)r->bytes, r->size);
	s = read_file(r);
	yaml_event_delete(&r->event);
	yaml_parser_delete(&r->yaml);
	return s;
}

/* "dir/name.yaml" -> "name" */
static enum status init_scenario(struct scenario *s, const char *file, struct error *e)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
	size_t n = strlen(base);
	enum status status;

	if (n > 5 && !strcmp(base + n - 5, ".yaml"))
		n -= 5;
	else if (n > 4 && !strcmp(base + n - 4, ".yml"))
		n -= 4;
	char *name = strndup(base, n);
	if (!name)
		return error_set(e, E_MEMORY, "no memory for a name");
	status = scenario_init(s, name, e);
	free(name);
	return status;
}

static enum status parse(struct reader *r)
{
	enum status s = init_scenario(&r->s, r->file, r->e);

	if (s)
		return s;
	if (!(s = options_init(&r->scratch, r->e)))
		s = read_bytes(r);
	if (s)
		scenario_free(&r->s);
	options_free(&r->scratch);
	free(r->edits.v);
	free(r->numbers.v);
	return s;
}

enum status scenario_parse(struct scenario *s, const void *bytes, size_t size,
			   const char *file_name, struct error *e)
{
	struct error found;
	struct reader r = {
		.here = { 1, 1 }, .opened = { 1, 1 }, .bytes = bytes, .size = size, .file = file_name, .e = &found,
		.top = { .what = "a scenario", .name = top_name, .n = KEY_COUNT },
		.random = { .what = "random", .name = random_name, .n = RANDOM_COUNT },
	};
	enum status status;

	error_clear(&found);
	skip_bom(&r);
	if (size > FILE_LIMIT)
		status = fail(&r, r.here, E_LIMIT, "%zu bytes; at most 64 MiB are read", size);
	else
		status = parse(&r);
	if (!status) {
		*s = r.s;
		return OK_STATUS;
	}
	/* Errors of other modules, memory above all, know no place. */
	if (found.line)
		*e = found;
	else
		error_at(e, status, file_name, r.here.line, r.here.column, "%s", found.text);
	return status;
}

/* ---- writing ---- */

static bool written_raw(uint32_t c)
{
	return may_stand(c) && c >= 0x20 && c != '"' && c != '\\' && !breaks_line(c) && !is_direction(c);
}

static void put_escape(struct buffer *out, uint32_t c)
{
	if (c == '"' || c == '\\')
		buffer_format(out, "\\%c", (char)c);
	else if (c == '\n')
		buffer_text(out, "\\n");
	else if (c == '\t')
		buffer_text(out, "\\t");
	else
		buffer_format(out, c < 0x100 ? "\\x%02X" : "\\u%04X", (unsigned)c);
}

/* A text in double quotes that reads back the same whatever is in it. What is
 * not UTF-8 becomes U+FFFD: YAML has no way to say it. */
static void put_quoted(struct buffer *out, const char *text)
{
	size_t n = strlen(text);
	uint32_t c;

	buffer_text(out, "\"");
	for (size_t i = 0, length; i < n; i += length ? length : 1) {
		length = decode(text + i, n - i, &c);
		if (!length)
			buffer_text(out, "\xef\xbf\xbd");
		else if (written_raw(c))
			buffer_put(out, text + i, length);
		else
			put_escape(out, c);
	}
	buffer_text(out, "\"");
}

static void put_number(struct buffer *out, double x)
{
	char text[NUMBER_SIZE];

	number_plain(x, text);
	if (isnan(x))
		buffer_text(out, ".nan");
	else if (isinf(x))
		buffer_text(out, x > 0 ? ".inf" : "-.inf");
	else
		buffer_text(out, text);
}

static void put_title(struct buffer *out, const struct title *t)
{
	if (!t->n)
		return;
	if (t->n == 1 && !*t->v[0].language) {
		buffer_text(out, "title: ");
		put_quoted(out, t->v[0].text);
		buffer_text(out, "\n");
		return;
	}
	buffer_text(out, "title:\n");
	for (size_t i = 0; i < t->n; i++) {
		buffer_text(out, "  ");
		put_quoted(out, t->v[i].language);
		buffer_text(out, ": ");
		put_quoted(out, t->v[i].text);
		buffer_text(out, "\n");
	}
}

enum { LINE_BYTES = 100 };

static void put_token_list(struct buffer *out, const char *key, const struct tokens *t)
{
	size_t line = out->size;

	if (!t->n)
		return;
	buffer_format(out, "%s: [", key);
	for (size_t i = 0; i < t->n; i++) {
		if (i)
			buffer_text(out, ", ");
		if (out->size - line > LINE_BYTES) {
			buffer_text(out, "\n  ");
			line = out->size;
		}
		put_quoted(out, t->text[i]);
	}
	buffer_text(out, "]\n");
}

static void put_tokens(struct buffer *out, const struct scenario *s)
{
	if (s->tokens_shared) {
		put_token_list(out, "tokens", &s->query_tokens);
		return;
	}
	put_token_list(out, "query-tokens", &s->query_tokens);
	put_token_list(out, "key-tokens", &s->key_tokens);
}

/* One row a line, the lines after the first indented. */
static void put_matrix(struct buffer *out, const struct matrix *m, size_t indent)
{
	buffer_text(out, "[");
	for (size_t i = 0; i < m->rows; i++) {
		if (i) {
			buffer_text(out, ",\n");
			buffer_repeat(out, ' ', indent + 1);
		}
		buffer_text(out, "[");
		for (size_t j = 0; j < m->columns; j++) {
			if (j)
				buffer_text(out, ", ");
			put_number(out, matrix_row(m, i)[j]);
		}
		buffer_text(out, "]");
	}
	buffer_text(out, "]");
}

static void put_array(struct buffer *out, enum array a, const struct array_heads *heads)
{
	if (!heads->n)
		return;
	buffer_format(out, "%s:\n  ", array_name(a));
	if (heads->n > 1)
		buffer_text(out, "[");
	for (size_t h = 0; h < heads->n; h++) {
		if (h)
			buffer_text(out, ",\n   ");
		put_matrix(out, &heads->head[h], heads->n > 1 ? 3 : 2);
	}
	buffer_text(out, heads->n > 1 ? "]\n" : "\n");
}

static void put_random(struct buffer *out, const struct random_input *in)
{
	buffer_format(out, "random: {seed: %s, ", in->seed);
	if (in->n_q == in->n_k)
		buffer_format(out, "n: %zu", in->n_q);
	else
		buffer_format(out, "n-q: %zu, n-k: %zu", in->n_q, in->n_k);
	buffer_format(out, ", d-k: %zu", in->d_k);
	if (in->d_v != in->d_k)
		buffer_format(out, ", d-v: %zu", in->d_v);
	if (in->heads != 1)
		buffer_format(out, ", heads: %zu", in->heads);
	if (in->d_model)
		buffer_format(out, ", d-model: %zu", in->d_model);
	if (in->skip)
		buffer_format(out, ", skip: %llu", (unsigned long long)in->skip);
	buffer_text(out, "}\n");
}

static void put_list(struct buffer *out, const struct option_info *info, const struct list *l)
{
	bool cells = info->type == TYPE_CELLS;

	buffer_text(out, "[");
	for (size_t i = 0; i < l->n; i += cells ? 2 : 1) {
		if (i)
			buffer_text(out, ", ");
		if (cells)
			buffer_format(out, "\"%ld:%ld\"", l->v[i], l->v[i + 1]);
		else
			buffer_format(out, "%ld", l->v[i]);
	}
	buffer_text(out, "]");
}

/* Words and numbers that mean themselves in YAML too. */
static bool is_simple(const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789.+-");

	return n && !text[n] && strcmp(text, "null") && strcmp(text, "-") && strcmp(text, "---") && strcmp(text, "...");
}

static void put_option(struct buffer *out, const struct options *o, enum option which)
{
	const struct option_info *info = option_info(which);
	struct buffer value = { 0 };

	buffer_format(out, "  %s: ", info->name);
	option_text(o, which, &value);
	if (value.failed || !value.data)
		out->failed = true;
	else if (info->type == TYPE_INDICES || info->type == TYPE_IDS || info->type == TYPE_CELLS)
		put_list(out, info, (const void *)((const char *)o + info->offset));
	else if (is_simple(value.data))
		buffer_text(out, value.data);
	else
		put_quoted(out, value.data);
	buffer_text(out, "\n");
	buffer_free(&value);
}

static void put_set(struct buffer *out, const struct options *o)
{
	bool any = false;

	for (int i = 0; i < OPT_COUNT; i++) {
		if (option_is_default(o, (enum option)i))
			continue;
		if (!any)
			buffer_text(out, "set:\n");
		any = true;
		put_option(out, o, (enum option)i);
	}
}

static void put_edits(struct buffer *out, const struct edits *e)
{
	if (e->n)
		buffer_text(out, "edits:\n");
	for (size_t i = 0; i < e->n; i++) {
		const struct edit *edit = &e->v[i];
		buffer_format(out, "  - {cell: \"%s %zu:%zu\", value: ", array_name(edit->array), edit->row, edit->column);
		put_number(out, edit->value);
		if (edit->head)
			buffer_format(out, ", head: %zu", edit->head);
		buffer_text(out, "}\n");
	}
}

void scenario_write(struct buffer *out, const struct scenario *s, const struct options *o, const struct edits *edits)
{
	buffer_text(out, "qkv: 1\n");
	put_title(out, &s->title);
	put_tokens(out, s);
	if (s->source == SOURCE_RANDOM)
		put_random(out, &s->random);
	for (int a = 0; a < ARRAY_COUNT; a++)
		put_array(out, (enum array)a, &s->array[a]);
	if (s->d_k)
		buffer_format(out, "d-k: %zu\n", s->d_k);
	put_set(out, o);
	put_edits(out, edits);
}
