/* spoken_text.c - texts as they are drawn, made fit to be read aloud. */
#include "tui/spoken_text.h"

#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "core/utf8.h"

void spoken_text_free(struct spoken_text *t)
{
	for (size_t k = 0; k < t->n; k++)
		free(t->line[k]);
	free(t->line);
	*t = (struct spoken_text){ 0 };
}

/* Lines, boxes and bars of blocks say nothing aloud; the mark of hidden cells does. */
static void put_spoken_code(uint32_t code, struct buffer *out)
{
	char bytes[4];

	if (code == 0x259a)
		buffer_text(out, _("hidden"));
	else if (code == 0x2572)		/* between query and key */
		buffer_text(out, ", ");
	else if (code >= 0x2500 && code <= 0x259f)
		buffer_text(out, " ");
	else
		buffer_put(out, bytes, utf8_encode(code, bytes));
}

/* Without the rules of dashes that a screen in ASCII has, and with single blanks. */
char *spoken_tidy(const char *text)
{
	struct buffer out = { 0 };

	for (const char *p = text; *p;) {
		size_t blanks = strspn(p, " "), dashes = strspn(p + blanks, "-");
		if (blanks && out.size)
			buffer_text(&out, blanks > 1 ? "  " : " ");
		p += blanks;
		if (dashes > 1 && (p[dashes] == ' ' || !p[dashes])) {
			p += dashes;
			continue;
		}
		size_t n = strcspn(p, " ");
		buffer_put(&out, p, n);
		p += n;
	}
	while (out.size && out.data[out.size - 1] == ' ')
		out.data[--out.size] = '\0';
	return out.data;
}

char *spoken_line(const struct cells *c, int row, int columns)
{
	struct buffer raw = { 0 };

	for (int x = 0; x < columns && x < c->columns; x++)
		for (int k = 0; k < cells_at(c, row, x)->count; k++)
			put_spoken_code(cells_at(c, row, x)->code[k], &raw);
	char *line = raw.data ? spoken_tidy(raw.data) : NULL;
	buffer_free(&raw);
	return line;
}

struct spoken_text spoken_text_of(const struct cells *c, int row, int rows, int columns)
{
	struct spoken_text t = { 0 };

	if (rows <= 0)
		return t;
	t.line = calloc((size_t)rows, sizeof *t.line);
	for (int y = row; t.line && y < row + rows && y < c->rows; y++) {
		char *line = spoken_line(c, y, columns);
		if (line && *line)
			t.line[t.n++] = line;
		else
			free(line);
	}
	return t;
}

static const char *unmarked(const char *line)
{
	return *line == '>' ? line + 1 + strspn(line + 1, " ") : line;
}

/* Whether a line was there already; one that has only lost its mark was. */
static bool was_there(const struct spoken_text *before, const char *line)
{
	bool marked = *line == '>';

	for (size_t k = 0; k < before->n; k++) {
		const char *other = before->line[k];
		if (!strcmp(unmarked(other), unmarked(line)) && (!marked || *other == '>'))
			return true;
	}
	return false;
}

void spoken_text_put(struct spoken_text *before, struct spoken_text now, struct buffer *out)
{
	for (size_t k = 0; k < now.n; k++)
		if (!was_there(before, now.line[k]))
			buffer_format(out, "%s\n", now.line[k]);
	spoken_text_free(before);
	*before = now;
}
