/* lesson_live.c - what a lesson says of a language model. */
#include "tui/lesson_live.h"

#include <stdlib.h>
#include <string.h>

#include "tui/text.h"

/* ---- put in force ---- */

static enum status put_text(struct live_point *p, const char *text, struct error *e)
{
	char *nfc = text_nfc(text, strlen(text));

	if (!nfc)
		return error_set(e, E_MEMORY, "no memory for a text");
	free(p->text);
	p->text = nfc;
	return OK_STATUS;
}

enum status lesson_live_put(const struct lesson_live *what, struct snapshot *next, struct error *e)
{
	const struct live_request nothing = { .text = "" };
	enum status s = OK_STATUS;

	if (!next->live && !(next->live = live_point_new(&nothing)))
		return error_set(e, E_MEMORY, "no memory for a text");
	struct live_point *p = next->live;
	if (what->mark[LESSON_LIVE_TEXT].line)
		s = put_text(p, what->text, e);
	if (!s && what->mark[LESSON_LIVE_OFF].line)
		s = live_point_put(&p->off, what->off, e);
	if (what->mark[LESSON_LIVE_PADDING].line) {
		p->pad_left = what->pad_left;
		p->pad_right = what->pad_right;
	}
	return s;
}

enum status lesson_live_at(const struct lesson_live *what, const struct live *l, struct snapshot *next, struct error *e)
{
	return what->mark[LESSON_LIVE_AT].line ? live_put_at(l, next, what->at, e) : OK_STATUS;
}

/* ---- true or not ---- */

/* The text in NFC, without the blanks at its ends; to be freed. */
static char *without_blanks(const char *text)
{
	char *nfc = text_nfc(text + strspn(text, " "), strlen(text + strspn(text, " ")));
	size_t n = nfc ? strlen(nfc) : 0;

	while (n && nfc[n - 1] == ' ')
		nfc[--n] = '\0';
	return nfc;
}

static bool same_text(const char *a, const char *b)
{
	char *x = without_blanks(a), *y = without_blanks(b);
	bool same = x && y && !strcmp(x, y);

	free(x);
	free(y);
	return same;
}

/* The same heads, however they are written; NULL is none. */
static bool same_heads(const struct live *l, const char *a, const char *b)
{
	for (size_t layer = 0; layer < l->model.size.layers; layer++)
		for (size_t head = 0; head < l->model.size.heads; head++)
			if (live_list_has(l, a, layer, head) != live_list_has(l, b, layer, head))
				return false;
	return true;
}

/* Blanks count: the likeliest character may be one. */
static bool is_next(const struct live *l, size_t row, const char *next)
{
	size_t vocab = l->model.size.vocab, best = 0;

	if (row >= l->run.n)
		return false;
	const float *logits = model_run_logits(&l->run, row);
	for (size_t id = 1; id < vocab; id++)
		best = logits[id] > logits[best] ? id : best;
	char *nfc = text_nfc(next, strlen(next));
	bool same = nfc && !strcmp(l->model.vocab.text[best], nfc);
	free(nfc);
	return same;
}

static bool holds(const struct lesson_live *goal, enum lesson_live_part part, const struct live *l, const struct live_point *p,
		  size_t row)
{
	switch (part) {
	case LESSON_LIVE_TEXT:
		return same_text(goal->text, p->text);
	case LESSON_LIVE_AT:
		return same_heads(l, goal->at, p->at);
	case LESSON_LIVE_OFF:
		return same_heads(l, goal->off, p->off);
	case LESSON_LIVE_PADDING:
		return goal->pad_left == p->pad_left && goal->pad_right == p->pad_right;
	default:
		return is_next(l, row, goal->next);
	}
}

unsigned lesson_live_holds(const struct lesson_live *goal, const struct live *l, const struct live_point *p, size_t row)
{
	unsigned bits = 0;

	for (int part = 0; part < LESSON_LIVE_COUNT && l && p; part++)
		if (goal->mark[part].line && holds(goal, (enum lesson_live_part)part, l, p, row))
			bits |= 1u << part;
	return bits;
}
