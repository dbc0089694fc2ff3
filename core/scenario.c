/* scenario.c - inputs and settings as a file states them. */
#include "core/scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists that grow by doubling ----
 *
 * Room is always the smallest power of two that holds n items, so that a list
 * needs no capacity beside it and adding stays cheap.
 */

static size_t room_for(size_t n)
{
	size_t room = 1;

	while (room < n)
		room *= 2;
	return room;
}

/* Room for one more item; NULL, and v as it was, without memory. */
static void *room_for_one(void *v, size_t n, size_t size)
{
	if (v && n && room_for(n) > n)
		return v;
	size_t room = room_for(n + 1);
	return room > SIZE_MAX / size ? NULL : realloc(v, room * size);
}

/* ---- tokens ---- */

enum status tokens_add(struct tokens *t, const char *text, size_t length, struct error *e)
{
	char **v = room_for_one(t->text, t->n, sizeof *v);

	if (!v)
		return error_set(e, E_MEMORY, "no memory for %zu tokens", t->n + 1);
	t->text = v;
	char *copy = malloc(length + 1);
	if (!copy)
		return error_set(e, E_MEMORY, "no memory for a token");
	memcpy(copy, text, length);
	copy[length] = '\0';
	t->text[t->n++] = copy;
	return OK_STATUS;
}

enum status tokens_copy(struct tokens *to, const struct tokens *from, struct error *e)
{
	struct tokens copy = { 0 };

	if (!from->text)
		copy.n = from->n;
	for (size_t i = 0; from->text && i < from->n; i++) {
		enum status s = tokens_add(&copy, from->text[i], strlen(from->text[i]), e);
		if (s) {
			tokens_free(&copy);
			return s;
		}
	}
	*to = copy;
	return OK_STATUS;
}

const char *token_at(const struct tokens *t, size_t i, char scratch[TOKEN_SCRATCH])
{
	if (t->text)
		return t->text[i];
	snprintf(scratch, TOKEN_SCRATCH, "t%zu", i);
	return scratch;
}

void tokens_free(struct tokens *t)
{
	for (size_t i = 0; t->text && i < t->n; i++)
		free(t->text[i]);
	free(t->text);
	*t = (struct tokens){ 0 };
}

/* ---- arrays ---- */

enum status array_add(struct array_heads *a, struct matrix *m, struct error *e)
{
	struct matrix *head = room_for_one(a->head, a->n, sizeof *head);

	if (!head)
		return error_set(e, E_MEMORY, "no memory for %zu heads", a->n + 1);
	a->head = head;
	a->head[a->n++] = *m;
	*m = (struct matrix){ 0 };
	return OK_STATUS;
}

void array_free(struct array_heads *a)
{
	for (size_t h = 0; h < a->n; h++)
		matrix_free(&a->head[h]);
	free(a->head);
	*a = (struct array_heads){ 0 };
}

const char *array_name(enum array a)
{
	static const char *const name[ARRAY_COUNT] = {
		[ARRAY_Q] = "q", [ARRAY_K] = "k", [ARRAY_V] = "v", [ARRAY_X] = "x",
		[ARRAY_W_Q] = "w-q", [ARRAY_W_K] = "w-k", [ARRAY_W_V] = "w-v", [ARRAY_W_O] = "w-o",
		[ARRAY_SCORES] = "scores", [ARRAY_WEIGHTS] = "weights",
	};
	return name[a];
}

/* ---- edits ---- */

static int compare_size(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int compare_edit(const struct edit *a, const struct edit *b)
{
	int c = compare_size(a->array, b->array);

	if (!c)
		c = compare_size(a->head, b->head);
	if (!c)
		c = compare_size(a->row, b->row);
	return c ? c : compare_size(a->column, b->column);
}

/* Where that cell's edit is, or where it belongs. */
static size_t edit_place(const struct edits *e, const struct edit *wanted, bool *found)
{
	size_t low = 0, high = e->n;

	*found = false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int c = compare_edit(&e->v[middle], wanted);
		if (!c) {
			*found = true;
			return middle;
		}
		if (c < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

enum status edits_copy(struct edits *to, const struct edits *from, struct error *e)
{
	struct edits copy = { 0 };

	if (from->n) {
		copy.v = malloc(room_for(from->n) * sizeof *copy.v);
		if (!copy.v)
			return error_set(e, E_MEMORY, "no memory for %zu edits", from->n);
		memcpy(copy.v, from->v, from->n * sizeof *copy.v);
		copy.n = from->n;
	}
	*to = copy;
	return OK_STATUS;
}

enum status edits_put(struct edits *e, struct edit edit, struct error *error)
{
	bool found;
	size_t at = edit_place(e, &edit, &found);

	if (!found) {
		struct edit *v = room_for_one(e->v, e->n, sizeof *v);
		if (!v)
			return error_set(error, E_MEMORY, "no memory for %zu edits", e->n + 1);
		e->v = v;
		memmove(v + at + 1, v + at, (e->n - at) * sizeof *v);
		e->n++;
	}
	e->v[at] = edit;
	return OK_STATUS;
}

bool edits_remove(struct edits *e, enum array array, size_t head, size_t row, size_t column)
{
	struct edit wanted = { array, head, row, column, 0 };
	bool found;
	size_t at = edit_place(e, &wanted, &found);

	if (!found)
		return false;
	e->n--;
	memmove(e->v + at, e->v + at + 1, (e->n - at) * sizeof *e->v);
	return true;
}

const struct edit *edits_find(const struct edits *e, enum array array, size_t head, size_t row, size_t column)
{
	struct edit wanted = { array, head, row, column, 0 };
	bool found;
	size_t at = edit_place(e, &wanted, &found);

	return found ? &e->v[at] : NULL;
}

const struct edit *edits_of_row(const struct edits *e, enum array array, size_t head, size_t row, size_t *n)
{
	struct edit first = { array, head, row, 0, 0 };
	bool found;
	size_t at = edit_place(e, &first, &found), end = at;

	while (end < e->n && e->v[end].array == array && e->v[end].head == head && e->v[end].row == row)
		end++;
	*n = end - at;
	return e->v ? &e->v[at] : NULL;
}

/* Same number: any nan is like any other, 0 and -0 are not. */
static bool same_number(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	return a == b && signbit(a) == signbit(b);
}

bool edits_equal(const struct edits *a, const struct edits *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (compare_edit(&a->v[i], &b->v[i]) || !same_number(a->v[i].value, b->v[i].value))
			return false;
	return true;
}

void edits_free(struct edits *e)
{
	free(e->v);
	*e = (struct edits){ 0 };
}

/* ---- random input ---- */

struct random_input random_input_sized(const struct random_input *r, const struct options *o)
{
	struct random_input sized = *r;

	if (o->n > 0)
		sized.n_q = sized.n_k = (size_t)o->n;
	if (o->d_k > 0) {
		if (sized.d_v == sized.d_k)
			sized.d_v = (size_t)o->d_k;
		sized.d_k = (size_t)o->d_k;
	}
	if (o->d_v > 0)
		sized.d_v = (size_t)o->d_v;
	return sized;
}

bool random_input_fits(const struct random_input *r)
{
	const size_t size[] = { r->n_q, r->n_k, r->d_k, r->d_v, r->heads, r->d_model };

	for (size_t i = 0; i < sizeof size / sizeof *size; i++)
		if (size[i] > SIZE_LIMIT)
			return false;
	/* Q, K and V of all heads; then X, W_Q, W_K, W_V and W_O. */
	if (r->n_q + r->n_k > NUMBERS_LIMIT / ((r->d_k + r->d_v) * r->heads))
		return false;
	return !r->d_model || r->d_model <= NUMBERS_LIMIT / (2 * (r->d_k + r->d_v) * r->heads + r->n_q);
}

/* ---- whole scenarios ---- */

const char *title_in(const struct title *t, const char *language)
{
	const char *const wanted[] = { language, "en" };

	for (int w = 0; w < 2; w++)
		for (size_t i = 0; i < t->n; i++)
			if (!strcmp(t->v[i].language, wanted[w]))
				return t->v[i].text;
	return t->n ? t->v[0].text : "";
}

void title_free(struct title *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->v[i].language);
		free(t->v[i].text);
	}
	free(t->v);
	*t = (struct title){ 0 };
}

enum status scenario_init(struct scenario *s, const char *name, struct error *e)
{
	struct scenario fresh;
	enum status status;

	memset(&fresh, 0, sizeof fresh);
	fresh.name = strdup(name);
	if (!fresh.name)
		return error_set(e, E_MEMORY, "no memory for a scenario");
	if ((status = options_init(&fresh.set, e))) {
		free(fresh.name);
		return status;
	}
	*s = fresh;
	return OK_STATUS;
}

void scenario_free(struct scenario *s)
{
	free(s->name);
	title_free(&s->title);
	tokens_free(&s->query_tokens);
	tokens_free(&s->key_tokens);
	for (int a = 0; a < ARRAY_COUNT; a++)
		array_free(&s->array[a]);
	free(s->random.seed);
	free(s->as);
	free(s->layout);
	options_free(&s->set);
	edits_free(&s->edits);
	memset(s, 0, sizeof *s);
}

static enum status fill_random(struct scenario *s, const struct tokens *tokens, size_t n,
			       const char *seed, struct error *e)
{
	enum status status;

	s->source = SOURCE_RANDOM;
	s->random = (struct random_input){ .n_q = n, .n_k = n, .d_k = 8, .d_v = 8, .heads = 1 };
	s->random.seed = strdup(seed);
	if (!s->random.seed)
		return error_set(e, E_MEMORY, "no memory for a seed");
	if (!tokens)
		return OK_STATUS;
	s->tokens_shared = true;
	status = tokens_copy(&s->query_tokens, tokens, e);
	return status ? status : tokens_copy(&s->key_tokens, tokens, e);
}

enum status scenario_random(struct scenario *s, const char *name, const struct tokens *tokens,
			    size_t n, const char *seed, struct error *e)
{
	struct scenario fresh;
	enum status status;

	if (tokens)
		n = tokens->n;
	if (!n)
		return error_set(e, E_VALUE, "no tokens; one at least is expected");
	if (!*seed || seed[strspn(seed, "0123456789")])
		return error_set(e, E_VALUE, "'%.40s' is not a seed; decimal digits are expected", seed);
	if ((status = scenario_init(&fresh, name, e)))
		return status;
	if ((status = fill_random(&fresh, tokens, n, seed, e))) {
		scenario_free(&fresh);
		return status;
	}
	*s = fresh;
	return OK_STATUS;
}
