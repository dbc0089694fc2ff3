/* lesson.c - a lesson: what its parts mean, without a screen. */
#include "core/lesson.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char row_sums_word[] = "row-sums";

const char *lesson_panel_name(int panel)
{
	static const char *const name[LESSON_PANEL_COUNT] = {
		"", "verify", "influence", "gradient", "bugs", "clinic", "sweep", "inspector", "heads",
		"walk", "predict", "compare",
	};
	return name[panel];
}

const char *lesson_live_name(int part)
{
	static const char *const name[LESSON_LIVE_COUNT] = { "live", "apply-at", "head-off", "padding", "next" };
	return name[part];
}

/* ---- memory ---- */

static void question_free(struct lesson_question *q)
{
	title_free(&q->text);
	title_free(&q->why);
	for (size_t i = 0; i < q->choices; i++)
		title_free(&q->choice[i]);
	free(q->choice);
}

static void free_live(struct lesson_live *l)
{
	free(l->text);
	free(l->at);
	free(l->off);
	free(l->next);
}

static void page_free(struct lesson_page *p)
{
	title_free(&p->text);
	title_free(&p->hint);
	free(p->scenario);
	free(p->clinic);
	free_live(&p->live);
	free_live(&p->goal.live);
	options_free(&p->set);
	options_free(&p->goal.options);
	for (size_t i = 0; i < p->questions_n; i++)
		question_free(&p->questions[i]);
	free(p->questions);
}

void lesson_free(struct lesson *l)
{
	for (size_t i = 0; i < l->pages_n; i++)
		page_free(&l->pages[i]);
	free(l->pages);
	title_free(&l->title);
	free(l->name);
	*l = (struct lesson){ 0 };
}

size_t lesson_questions(const struct lesson *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->pages_n; i++)
		n += l->pages[i].questions_n;
	return n;
}

/* Room is always the smallest power of two that holds n items: NULL, and v as it
 * was, when there is no memory for one more. */
static void *room_for_one(void *v, size_t n, size_t size)
{
	if (n & (n - 1))
		return v;
	size_t room = n ? 2 * n : 1;
	return room > SIZE_MAX / size ? NULL : realloc(v, room * size);
}

enum status lesson_add_page(struct lesson *l, struct error *e)
{
	struct lesson_page page = { 0 }, *v;
	enum status s = options_init(&page.set, e);

	if (s)
		return s;
	if ((s = options_init(&page.goal.options, e))) {
		options_free(&page.set);
		return s;
	}
	v = room_for_one(l->pages, l->pages_n, sizeof *v);
	if (!v) {
		page_free(&page);
		return error_set(e, E_MEMORY, "no memory for %zu pages", l->pages_n + 1);
	}
	l->pages = v;
	l->pages[l->pages_n++] = page;
	return OK_STATUS;
}

enum status lesson_add_question(struct lesson_page *p, struct error *e)
{
	struct lesson_question *v = room_for_one(p->questions, p->questions_n, sizeof *v);

	if (!v)
		return error_set(e, E_MEMORY, "no memory for %zu questions", p->questions_n + 1);
	p->questions = v;
	p->questions[p->questions_n++] = (struct lesson_question){ .tolerance = LESSON_TOLERANCE };
	return OK_STATUS;
}

/* ---- text forms ---- */

/* Digits up to SIZE_LIMIT; p moves behind them. */
static bool read_index(const char **p, size_t *value)
{
	size_t v = 0, n = strspn(*p, "0123456789");

	for (size_t i = 0; i < n; i++) {
		v = v * 10 + (size_t)((*p)[i] - '0');
		if (v > SIZE_LIMIT)
			return false;
	}
	*p += n;
	*value = v;
	return n > 0;
}

static bool read_side(const char **p, bool stars, bool *any, size_t *value)
{
	*any = stars && **p == '*';
	if (!*any)
		return read_index(p, value);
	++*p;
	return true;
}

bool lesson_place_parse(struct lesson_place *p, const char *text, bool stars)
{
	struct lesson_place place = { 0 };

	if (!read_side(&text, stars, &place.any_row, &place.row) || *text++ != ':' ||
	    !read_side(&text, stars, &place.any_column, &place.column) || *text ||
	    (place.any_row && place.any_column))
		return false;
	*p = place;
	return true;
}

/* Behind the word and its blanks; NULL when the text does not start with it. */
static const char *behind_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	return strncmp(text, word, n) || text[n] != ' ' ? NULL : text + n + strspn(text + n, " ");
}

bool lesson_cell_parse(struct lesson_cell *c, const char *text)
{
	const char *p = behind_word(text, row_sums_word);
	struct lesson_place place;
	size_t row;

	if (p) {
		if (!read_index(&p, &row) || *p)
			return false;
		*c = (struct lesson_cell){ .row_sum = true, .stage = STAGE_WEIGHTS, .row = row };
		return true;
	}
	for (int s = STAGE_SCORES; s <= STAGE_OUTPUT; s++) {
		p = behind_word(text, stage_info((enum stage)s)->name);
		if (!p || !lesson_place_parse(&place, p, false))
			continue;
		*c = (struct lesson_cell){ .stage = (enum stage)s, .row = place.row, .column = place.column };
		return true;
	}
	return false;
}

/* Behind one of "0.3", "1", "all"; NULL when there is none. */
static const char *behind_heads(const char *text)
{
	size_t layer, head;

	if (!strncmp(text, "all", 3))
		return text + 3;
	if (!read_index(&text, &layer))
		return NULL;
	if (*text != '.')
		return text;
	text++;
	return read_index(&text, &head) ? text : NULL;
}

bool lesson_heads_parse(const char *text)
{
	while ((text = behind_heads(text)) && *text == ',')
		text++;
	return text && !*text;
}

bool lesson_padding_parse(struct lesson_live *l, const char *text)
{
	bool left = !strncmp(text, "left:", 5), right = !strncmp(text, "right:", 6);
	const char *number = left ? text + 5 : right ? text + 6 : "";
	size_t n = 0;

	if (strcmp(text, "none") && (!read_index(&number, &n) || *number))
		return false;
	l->pad_left = left ? n : 0;
	l->pad_right = left ? 0 : n;
	return true;
}

void lesson_cell_text(const struct lesson_cell *c, struct buffer *out)
{
	if (c->row_sum)
		buffer_format(out, "%s %zu", row_sums_word, c->row);
	else
		buffer_format(out, "%s %zu:%zu", stage_info(c->stage)->name, c->row, c->column);
}

/* ---- the state of a page ---- */

static enum status set_one(struct options *o, const struct options *from, enum option which, struct error *e)
{
	struct buffer text = { 0 };
	enum status s;

	option_text(from, which, &text);
	s = text.failed || !text.data ? error_set(e, E_MEMORY, "no memory for an option")
				      : option_set(o, which, text.data, e);
	buffer_free(&text);
	return s;
}

enum status lesson_set_options(struct options *o, const struct options *from, const struct mark mark[OPT_COUNT],
			       struct error *e)
{
	struct options changed;
	enum status s = options_copy(&changed, o, e);

	if (s)
		return s;
	for (int k = 0; k < OPT_COUNT && !s; k++)
		if (mark[k].line)
			s = set_one(&changed, from, (enum option)k, e);
	if (s) {
		options_free(&changed);
		return s;
	}
	options_free(o);
	*o = changed;
	return OK_STATUS;
}

static enum status check_cell(const struct lesson_cell *c, const struct attention *a, struct error *e)
{
	const struct problem *p = a->problem;
	size_t columns = c->stage == STAGE_OUTPUT ? p->d_v : p->n_k;

	if (!attention_has_stage(a, c->stage))
		return error_set(e, E_VALUE, "finished weights are given; nothing before them is known");
	if (c->row_sum && c->row >= p->n_q)
		return error_set(e, E_VALUE, "there are only %zu rows, counted from 0", p->n_q);
	if (!c->row_sum && (c->row >= p->n_q || c->column >= columns))
		return error_set(e, E_VALUE, "the stage %s has (%zu, %zu) cells, counted from 0", stage_info(c->stage)->name,
				 p->n_q, columns);
	return OK_STATUS;
}

enum status lesson_cell_value(const struct lesson_cell *c, const struct attention *a, double *value, struct error *e)
{
	struct row r;
	size_t n;
	enum status s;

	if ((s = check_cell(c, a, e)) || (s = row_init(&r, a, e)))
		return s;
	row_compute(&r, a, c->row, STAGE_SCORES, STAGE_OUTPUT);
	*value = c->row_sum ? r.sum : row_stage(&r, a, c->stage, &n)[c->column];
	row_free(&r);
	return OK_STATUS;
}

/* ---- whether a goal is reached ---- */

bool lesson_condition_options_hold(const struct lesson_condition *c, const struct options *in_force)
{
	for (int k = 0; k < OPT_COUNT; k++)
		if (c->option_mark[k].line && !option_same(&c->options, in_force, (enum option)k))
			return false;
	return true;
}

bool lesson_condition_at_holds(const struct lesson_condition *c, size_t row, size_t column)
{
	return !c->at_mark.line || ((c->at.any_row || c->at.row == row) && (c->at.any_column || c->at.column == column));
}

/* An edit of that head; X and W_O are of all heads, and have their edits at 0. */
bool lesson_condition_edited_holds(const struct lesson_condition *c, const struct edits *edits, size_t head)
{
	const struct lesson_place *at = &c->edited_at;

	if (!c->edited_mark.line)
		return true;
	if (c->edited == ARRAY_X || c->edited == ARRAY_W_O)
		head = 0;
	for (size_t i = 0; i < edits->n; i++) {
		const struct edit *e = &edits->v[i];
		if (e->array == c->edited && e->head == head && (at->any_row || e->row == at->row) &&
		    (at->any_column || e->column == at->column))
			return true;
	}
	return false;
}

bool lesson_condition_cell_holds(const struct lesson_condition *c, double value)
{
	return !c->cell_mark.line || ((!c->has_above || value > c->above) && (!c->has_below || value < c->below));
}

bool lesson_condition_holds(const struct lesson_condition *c, const struct lesson_now *now)
{
	if (c->at_mark.line && !now->cursor_known)
		return false;
	if (c->cell_mark.line && !now->cell)
		return false;
	if (c->panel_mark.line && !(now->panels & 1u << c->panel))
		return false;
	for (int k = 0; k < LESSON_LIVE_COUNT; k++)
		if (c->live.mark[k].line && !(now->live & 1u << k))
			return false;
	return lesson_condition_options_hold(c, now->options) && lesson_condition_at_holds(c, now->row, now->column) &&
	       lesson_condition_edited_holds(c, now->edits, (size_t)now->options->head) &&
	       (!c->cell_mark.line || lesson_condition_cell_holds(c, *now->cell));
}

/* ---- answers ---- */

enum lesson_answer lesson_check_number(const struct lesson_question *q, double typed, double right)
{
	if (isnan(typed) && isnan(right))
		return LESSON_RIGHT;
	if (isinf(typed) && isinf(right))
		return typed == right ? LESSON_RIGHT : LESSON_WRONG;
	if (!isfinite(typed) || !isfinite(right))
		return LESSON_OTHER_KIND;
	/* 0.275 is to take 0.27 and 0.28, whatever their last bits say. */
	double slack = 4 * DBL_EPSILON * (fabs(typed) > fabs(right) ? fabs(typed) : fabs(right));
	return fabs(typed - right) <= q->tolerance + slack ? LESSON_RIGHT : LESSON_WRONG;
}

enum lesson_answer lesson_check_choice(const struct lesson_question *q, size_t chosen)
{
	return chosen == q->right ? LESSON_RIGHT : LESSON_WRONG;
}
