/* session.c - the state as text, for `qkv --resume`, and back.
 *
 * A line-oriented format of the program's own. Scenarios are counted blocks of
 * YAML, or the name of the file that large numbers are left in; snapshots are one line each:
 *   WHERE SCENARIO ROW COLUMN OPTION=VALUE ... @ARRAY:HEAD:ROW:COLUMN=VALUE ...
 * (for what was pinned, ROW is how it is compared and COLUMN nothing)
 * with blanks, % and control characters in values written as %HH. A language model
 * is one line before them, and words of theirs (live_session.h).
 */
#include "tui/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/scenario_yaml.h"
#include "core/io/tensor_scenario.h"
#include "core/number.h"
#include "tui/compare.h"
#include "tui/live_session.h"

static const char first_line[] = "qkv-session 1\n";

/* ---- writing ---- */

static void escaped(struct buffer *out, const char *text)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++)
		if (*p <= ' ' || *p == '%' || *p == 0x7f)
			buffer_format(out, "%%%02X", *p);
		else
			buffer_put(out, p, 1);
}

/* A session may be resumed in another folder. */
static void option_value(struct buffer *out, const struct options *o, enum option which, const char *folder)
{
	struct buffer value = { 0 };

	option_text(o, which, &value);
	if (folder && (which == OPT_MASK || which == OPT_BIAS) && value.data && *value.data != '/') {
		escaped(out, folder);
		buffer_text(out, "/");
	}
	escaped(out, value.data ? value.data : "");
	out->failed |= value.failed;
	buffer_free(&value);
}

static void live_word(struct buffer *out, const char *name, const char *value)
{
	buffer_format(out, " live:%s=", name);
	escaped(out, value);
}

static void snapshot_line(struct buffer *out, const char *folder, const char *where, const struct snapshot *n,
			  size_t row, size_t column)
{
	char number[NUMBER_SIZE];

	buffer_format(out, "%s %zu %zu %zu", where, n->scenario, row, column);
	for (int o = 0; o < OPT_COUNT; o++)
		if (!option_is_default(&n->options, (enum option)o)) {
			buffer_format(out, " %s=", option_info((enum option)o)->name);
			option_value(out, &n->options, (enum option)o, folder);
		}
	for (size_t i = 0; i < n->edits.n; i++) {
		const struct edit *e = &n->edits.v[i];
		number_shortest(e->value, number);
		buffer_format(out, " @%d:%zu:%zu:%zu=%s", (int)e->array, e->head, e->row, e->column, number);
	}
	if (n->live)
		live_session_words(n->live, out, live_word);
	buffer_text(out, "\n");
}

static bool stays_in_file(const struct opened *o)
{
	for (int a = 0; a < ARRAY_COUNT; a++)
		for (size_t h = 0; h < o->scenario.array[a].n; h++)
			if (o->scenario.array[a].head[h].view.data)
				return true;
	return false;
}

/* "file SOURCE LAYER BATCH BF16 =AS =LAYOUT" */
static void file_line(struct buffer *out, const char *folder, const struct opened *o)
{
	const struct scenario *sc = &o->scenario;

	buffer_text(out, "file ");
	if (folder && *o->source != '/') {
		escaped(out, folder);
		buffer_text(out, "/");
	}
	escaped(out, o->source);
	buffer_format(out, " %ld %ld %d =", sc->part.layer, sc->part.batch, sc->part.bf16);
	escaped(out, sc->as ? sc->as : "");
	buffer_text(out, " =");
	escaped(out, sc->layout ? sc->layout : "");
	buffer_text(out, "\n");
}

static bool has_name(const struct opened *o)
{
	return o->source && strcmp(o->source, "-");
}

enum status session_check(const struct state *s, struct error *e)
{
	for (size_t i = 0; i < s->opened_n; i++)
		if (stays_in_file(s->opened[i]) && !has_name(s->opened[i]))
			return error_set(e, E_LIMIT, "numbers as many as those from standard input are kept only in a file");
	return OK_STATUS;
}

static void scenario_block(struct buffer *out, const char *folder, const struct opened *o)
{
	struct buffer yaml = { 0 };
	struct snapshot start = { .options = o->options };

	if (stays_in_file(o)) {
		file_line(out, folder, o);
		snapshot_line(out, folder, "opened", &start, 0, 0);
		return;
	}
	scenario_write(&yaml, &o->scenario, &o->scenario.set, &o->scenario.edits);
	buffer_text(out, "scenario ");
	escaped(out, o->scenario.name);
	buffer_format(out, " %zu\n", yaml.size);
	buffer_put(out, yaml.data ? yaml.data : "", yaml.size);
	out->failed |= yaml.failed;
	buffer_free(&yaml);
	snapshot_line(out, folder, "opened", &start, 0, 0);
}

/* Where the lines of a history have to begin so that they fit in what is left. */
static size_t first_that_fits(const struct buffer *out, const char *folder, const struct history *h)
{
	size_t left = out->size < SESSION_LIMIT ? SESSION_LIMIT - out->size : 0, i = h->n;
	struct buffer line = { 0 };

	for (; i; i--) {
		line.size = 0;
		snapshot_line(&line, folder, "undo", &h->v[i - 1], 0, 0);
		if (line.failed || line.size > left)
			break;
		left -= line.size;
	}
	buffer_free(&line);
	return i;
}

static void history_lines(struct buffer *out, const char *folder, const char *where, const struct history *h)
{
	for (size_t i = first_that_fits(out, folder, h); i < h->n; i++)
		snapshot_line(out, folder, where, &h->v[i], 0, 0);
}

void session_write(const struct state *s, const char *folder, struct buffer *out)
{
	char where[16];

	buffer_text(out, first_line);
	for (size_t i = 0; i < s->opened_n; i++)
		scenario_block(out, folder, s->opened[i]);
	if (s->live) {
		buffer_format(out, "live %zu ", s->live->slot);
		escaped(out, s->live->file ? s->live->file : "");
		buffer_text(out, "\n");
	}
	for (int i = 0; i < 9; i++)
		if (s->bookmark[i].set) {
			snprintf(where, sizeof where, "mark%d", i + 1);
			snapshot_line(out, folder, where, &s->bookmark[i].snapshot, s->bookmark[i].row, s->bookmark[i].column);
		}
	if (s->pinned.set)
		snapshot_line(out, folder, "pinned", &s->pinned.snapshot, (size_t)s->pinned.show, 0);
	for (size_t i = 0; i < s->lines_n; i++) {
		buffer_text(out, "line ");
		escaped(out, s->lines[i]);
		buffer_text(out, "\n");
	}
	/* Last, for what is then left of the limit. */
	history_lines(out, folder, "undo", &s->undo);
	history_lines(out, folder, "redo", &s->redo);
	snapshot_line(out, folder, "now", &s->now, s->row, s->column);
}

/* ---- reading ---- */

struct reader {
	const char *at, *end;
	unsigned line;
};

/* The next line as a copy without its end; NULL at the end or without memory. */
static char *next_line(struct reader *r)
{
	if (r->at >= r->end)
		return NULL;
	const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
	size_t n = (size_t)((newline ? newline : r->end) - r->at);
	char *line = strndup(r->at, n);
	r->at += n + (newline != NULL);
	r->line++;
	return line;
}

static enum status broken(const struct reader *r, struct error *e, const char *what)
{
	return error_at(e, E_SYNTAX, NULL, r->line, 1, "not a session that this version can read: %s", what);
}

static void unescape(char *text)
{
	char *to = text;

	for (const char *p = text; *p; p++) {
		unsigned c;
		if (*p == '%' && p[1] && p[2] && sscanf(p + 1, "%2x", &c) == 1 && c) {
			*to++ = (char)c;
			p += 2;
		} else {
			*to++ = *p;
		}
	}
	*to = '\0';
}

static enum status read_edit(struct snapshot *n, const char *word, const struct reader *r, struct error *e)
{
	struct edit edit = { 0 };
	unsigned array;
	int used = 0;

	if (sscanf(word, "@%u:%zu:%zu:%zu=%n", &array, &edit.head, &edit.row, &edit.column, &used) != 4 || !used ||
	    array >= ARRAY_COUNT || !number_parse(word + used, strlen(word + used), &edit.value))
		return broken(r, e, "an edit");
	edit.array = (enum array)array;
	return edits_put(&n->edits, edit, e);
}

static enum status read_snapshot(struct snapshot *out, char *words, size_t *row, size_t *column, size_t scenarios,
				 const struct reader *r, struct error *e)
{
	struct snapshot n = { 0 };
	int used = 0;
	enum status s;

	if (sscanf(words, "%zu %zu %zu%n", &n.scenario, row, column, &used) != 3 || n.scenario >= scenarios)
		return broken(r, e, "a state");
	if ((s = options_init(&n.options, e)))
		return s;
	char *save = NULL;
	for (char *word = strtok_r(words + used, " ", &save); word && !s; word = strtok_r(NULL, " ", &save)) {
		char *value = strchr(word, '=');
		if (*word == '@') {
			s = read_edit(&n, word, r, e);
			continue;
		}
		if (!value) {
			s = broken(r, e, "an option without a value");
			break;
		}
		*value++ = '\0';
		unescape(value);
		if (!strncmp(word, "live:", 5)) {
			s = live_session_word(&n, word + 5, value, e);
			continue;
		}
		enum option o = option_find(word);
		s = o == OPT_COUNT ? broken(r, e, "an unknown option") : option_set(&n.options, o, value, e);
	}
	if (s)
		snapshot_free(&n);
	else
		*out = n;
	return s;
}

/* The options of a scenario, which is taken over; zeroed in any case. */
static enum status read_opened(struct state *s, struct scenario *sc, struct reader *r, size_t *index, struct error *e)
{
	struct snapshot start = { 0 };
	size_t ignored;
	char *line = next_line(r);
	enum status status = line && !strncmp(line, "opened ", 7) ? OK_STATUS : broken(r, e, "a scenario's options");

	if (!status && !(status = read_snapshot(&start, line + 7, &ignored, &ignored, 1, r, e)))
		status = state_add_scenario(s, sc, &start.options, index, e);
	free(line);
	snapshot_free(&start);
	if (status)
		scenario_free(sc);
	return status;
}

static enum status read_file(struct state *s, char *words, struct reader *r, const struct random_tables *tables,
			     const struct ports *ports, struct error *e)
{
	char *save = NULL, *word[6] = { NULL };
	struct tensor_choice choice = { .as = NULL };
	struct scenario sc;
	long bf16;
	size_t index;
	enum status status;

	for (int k = 0; k < 6; k++) {
		if (!(word[k] = strtok_r(k ? NULL : words, " ", &save)))
			return broken(r, e, "a file");
		unescape(word[k]);
	}
	if (!ports->part || *word[4] != '=' || *word[5] != '=' || !number_parse_integer(word[1], strlen(word[1]), &choice.layer) ||
	    !number_parse_integer(word[2], strlen(word[2]), &choice.batch) || !number_parse_integer(word[3], strlen(word[3]), &bf16))
		return broken(r, e, "a file");
	choice.as = word[4][1] ? word[4] + 1 : NULL;
	choice.layout = word[5][1] ? word[5] + 1 : NULL;
	choice.bf16 = bf16;
	if ((status = ports->part(&sc, word[0], &choice, tables, e)) || (status = read_opened(s, &sc, r, &index, e)))
		return status;
	s->opened[index]->source = strdup(word[0]);
	return OK_STATUS;
}

static enum status read_scenario(struct state *s, char *words, struct reader *r, struct error *e)
{
	char *size_text = strrchr(words, ' ');
	long size;
	struct scenario sc;
	size_t index;
	enum status status;

	if (!size_text || !number_parse_integer(size_text + 1, strlen(size_text + 1), &size) || size < 0 ||
	    size > r->end - r->at)
		return broken(r, e, "a scenario");
	*size_text = '\0';
	unescape(words);
	if ((status = scenario_parse(&sc, r->at, (size_t)size, words, e)))
		return status;
	free(sc.name);
	if (!(sc.name = strdup(words)))
		status = error_set(e, E_MEMORY, "no memory for a name");
	r->at += size;
	if (status) {
		scenario_free(&sc);
		return status;
	}
	return read_opened(s, &sc, r, &index, e);
}

/* "SLOT FILE" */
static enum status read_model(struct state *s, char *words, const struct random_tables *tables, const struct ports *ports,
			      const struct reader *r, struct error *e)
{
	size_t slot;
	int used = 0;

	if (sscanf(words, "%9zu %n", &slot, &used) != 1 || !used)
		return broken(r, e, "a language model");
	unescape(words + used);
	return live_session_model(s, slot, words + used, tables, ports->live, e);
}

static enum status read_line(struct state *s, char *line, struct reader *r, struct snapshot *now, struct error *e)
{
	char *rest = strchr(line, ' ');
	struct snapshot n = { 0 };
	size_t row, column;
	enum status status;

	if (!rest)
		return broken(r, e, "a line");
	*rest++ = '\0';
	if (!strcmp(line, "scenario"))
		return read_scenario(s, rest, r, e);
	if (!strcmp(line, "line")) {
		char **v = realloc(s->lines, (s->lines_n + 1) * sizeof *v);
		if (!v)
			return error_set(e, E_MEMORY, "no memory for the history");
		s->lines = v;
		unescape(rest);
		v[s->lines_n] = strdup(rest);
		s->lines_n += v[s->lines_n] != NULL;
		return OK_STATUS;
	}
	if ((status = read_snapshot(&n, rest, &row, &column, s->opened_n, r, e)))
		return status;
	if (!live_session_fits(s, &n)) {
		snapshot_free(&n);
		return broken(r, e, "a state of a language model");
	}
	if (!strcmp(line, "undo") || !strcmp(line, "redo")) {
		status = history_push(*line == 'u' ? &s->undo : &s->redo, &n, e);
	} else if (!strncmp(line, "mark", 4) && line[4] >= '1' && line[4] <= '9' && !line[5]) {
		struct bookmark *b = &s->bookmark[line[4] - '1'];
		snapshot_free(&b->snapshot);
		*b = (struct bookmark){ true, n, row, column };
		n = (struct snapshot){ 0 };
	} else if (!strcmp(line, "pinned")) {
		snapshot_free(&s->pinned.snapshot);
		s->pinned = (struct pinned){ .set = true, .show = row < COMPARE_COUNT ? (enum comparison)row : COMPARE_OFF, .snapshot = n };
		n = (struct snapshot){ 0 };
	} else if (!strcmp(line, "now")) {
		snapshot_free(now);
		*now = n;
		n = (struct snapshot){ 0 };
		s->row = row;
		s->column = column;
	} else {
		status = broken(r, e, "a line");
	}
	snapshot_free(&n);
	return status;
}

/* So may that of what was pinned: it is then pinned no more, and this says why. */
static void resume_pinned(struct state *s)
{
	struct error e = { 0 };

	if (compare_resume(s, &e))
		state_say(s, true, "what was pinned as A is lost: %s", e.text);
	else
		state_settle(s);
}

/* A mask's file may have gone, or have changed its shape, since. */
static enum status restore_unmasked(struct state *s, struct state *held, struct snapshot *now,
				    const struct random_tables *tables, const struct ports *ports, struct error *e)
{
	struct error ignored = { 0 };
	char text[sizeof e->option + sizeof e->text + 16];

	if ((!*now->options.mask && !*now->options.bias) ||
	    option_set(&now->options, OPT_MASK, "none", &ignored) || option_set(&now->options, OPT_BIAS, "none", &ignored) ||
	    state_restore(s, held, now, tables, ports, &ignored))
		return e->status;
	error_format(e, text, sizeof text);
	state_say(s, true, "resumed without its mask and bias: %s", text);
	error_clear(e);
	return OK_STATUS;
}

static enum status restore(struct state *s, struct state *held, struct snapshot *now,
			   const struct random_tables *tables, const struct ports *ports, struct error *e)
{
	if (state_restore(s, held, now, tables, ports, e))
		return restore_unmasked(s, held, now, tables, ports, e);
	state_say(s, false, "%s: resumed where it was left; ? is the help", state_scenario(s)->name);
	return OK_STATUS;
}

enum status session_read(struct state *s, const char *text, size_t size, const struct random_tables *tables,
			 const struct ports *ports, struct error *e)
{
	struct reader r = { text, text + size, 0 };
	struct state held = { 0 };
	struct snapshot now = { 0 };
	enum status status = OK_STATUS;
	char *line;

	if (size < sizeof first_line - 1 || memcmp(text, first_line, sizeof first_line - 1))
		return broken(&r, e, "its first line");
	r.at += sizeof first_line - 1;
	r.line = 1;
	while (!status && (line = next_line(&r))) {
		status = !strncmp(line, "live ", 5) ? read_model(&held, line + 5, tables, ports, &r, e)
		       : !strncmp(line, "file ", 5) ? read_file(&held, line + 5, &r, tables, ports, e) : read_line(&held, line, &r, &now, e);
		free(line);
	}
	if (!status && (!held.opened_n || !now.options.seed))
		status = broken(&r, e, "it ends early");
	if (!status && !(status = restore(s, &held, &now, tables, ports, e)))
		resume_pinned(s);
	snapshot_free(&now);
	state_free(&held);
	return status;
}
