/* scenario_check.c - what of a scenario's file fits together, and the sizes that it
 * leaves out. */
#include "core/io/scenario_reader.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_N = 4, DEFAULT_D_K = 8 };

/* ---- random input ---- */

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
	return document_fail(r->d, largest_size(r), E_LIMIT,
			     "random: n-q %zu, n-k %zu, d-k %zu, d-v %zu, heads %zu, d-model %zu "
			     "make more than %zu numbers", in.n_q, in.n_k, in.d_k, in.d_v, in.heads, in.d_model,
			     NUMBERS_LIMIT);
}

/* The sizes that were left out. */
static enum status finish_random(struct reader *r)
{
	struct random_input *in = &r->s.random;
	const struct map *m = &r->random;
	size_t queries = r->s.query_tokens.n, keys = r->s.key_tokens.n;
	enum random_key one = m->seen[RANDOM_N_Q].line ? RANDOM_N_Q : RANDOM_N_K;

	if (m->seen[RANDOM_N].line && m->seen[one].line)
		return document_fail(r->d, m->seen[one], E_VALUE, "random: %s beside n; either n, or n-q and n-k",
				     scenario_random_key(one));
	in->n_q = size_or(r, RANDOM_N_Q, size_or(r, RANDOM_N, queries ? queries : DEFAULT_N));
	in->n_k = size_or(r, RANDOM_N_K, size_or(r, RANDOM_N, keys ? keys : DEFAULT_N));
	in->d_k = size_or(r, RANDOM_D_K, DEFAULT_D_K);
	in->d_v = size_or(r, RANDOM_D_V, in->d_k);
	in->heads = size_or(r, RANDOM_HEADS, 1);
	in->d_model = size_or(r, RANDOM_D_MODEL, 0);
	in->skip = size_or(r, RANDOM_SKIP, 0);
	if (in->d_model && in->n_q != in->n_k)
		return document_fail(r->d, m->seen[RANDOM_D_MODEL], E_VALUE,
				     "random: d-model draws one X for queries and keys, "
				     "but n-q is %zu and n-k is %zu", in->n_q, in->n_k);
	if (!in->seed && !(in->seed = strdup("0")))
		return node_fail(r->d, E_MEMORY, "no memory for a seed");
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
	int later = mark_before(seen[a], seen[b]) ? b : a, earlier = later == a ? b : a;

	return document_fail(r->d, seen[later], E_VALUE, "%s cannot stand beside %s (line %u); %s",
			     scenario_key(later), scenario_key(earlier), seen[earlier].line, kinds_of_input);
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
		return document_fail(r->d, seen[v].line ? seen[v] : (struct mark){ 1, 1 }, E_VALUE, "%s; %s",
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
	/* A file of arrays may lack V; who writes q and k by hand has forgotten it. */
	bool optional_v = seen[KEY_PART].line;
	for (const int *key = needed_keys(r->s.source); *key >= 0; key++)
		if (!seen[*key].line && !(optional_v && *key == KEY_ARRAY + ARRAY_V))
			return document_fail(r->d, seen[present], E_VALUE, "%s needs %s beside it",
					     scenario_key(present), scenario_key(*key));
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
		if ((s = matrix_init(&m, whole->rows, d, &r->d->error)))
			break;
		for (size_t i = 0; i < whole->rows; i++)
			memcpy(m.v + i * d, matrix_row(whole, i, NULL) + h * d, d * sizeof *m.v);
		s = array_add(&parts, &m, &r->d->error);
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
			return document_fail(r->d, r->s.array_mark[a], E_SHAPE, "%s has %zu heads, heads is %zu",
					     name, w->n, r->split_heads);
		if (w->head[0].columns % r->split_heads)
			return document_fail(r->d, r->s.array_mark[a], E_SHAPE,
					     "%s (%zu, %zu) cannot be cut into %zu heads of equal width", name,
					     w->head[0].rows, w->head[0].columns, r->split_heads);
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
	return document_fail(r->d, r->s.array_mark[a], E_SHAPE, "%s has %zu head%s, %s has %zu", array_name(a), x->n,
			     x->n == 1 ? "" : "s", array_name(like), y->n);
}

static enum status misfit(struct reader *r, enum array a, enum array like, const char *why)
{
	const struct matrix *x = &r->s.array[a].head[0], *y = &r->s.array[like].head[0];

	return document_fail(r->d, r->s.array_mark[a], E_SHAPE, "%s (%zu, %zu) does not fit %s (%zu, %zu): %s",
			     array_name(a), x->rows, x->columns, array_name(like), y->rows, y->columns, why);
}

static const struct matrix *first_head(const struct reader *r, enum array a)
{
	return &r->s.array[a].head[0];
}

static enum status check_qkv(struct reader *r)
{
	bool v = r->s.array[ARRAY_V].n;
	enum status s;

	if ((s = check_heads(r, ARRAY_K, ARRAY_Q)) || (v && (s = check_heads(r, ARRAY_V, ARRAY_Q))))
		return s;
	if (first_head(r, ARRAY_K)->columns != first_head(r, ARRAY_Q)->columns)
		return misfit(r, ARRAY_K, ARRAY_Q, "both have d_k columns");
	if (v && first_head(r, ARRAY_V)->rows != first_head(r, ARRAY_K)->rows)
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
		return document_fail(r->d, r->s.array_mark[ARRAY_W_O], E_SHAPE,
				     "w-o (%zu, %zu) does not fit w-v, %zu x (%zu, %zu): expected %zu rows",
				     w_o->head[0].rows, w_o->head[0].columns, w_v->n, w_v->head[0].rows,
				     w_v->head[0].columns, w_v->n * w_v->head[0].columns);
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
		return document_fail(r->d, value[KEY_TOKENS], E_SHAPE, "tokens: %zu for scores of (%zu, %zu); "
				     "expected query-tokens and key-tokens", queries, n_q, n_k);
	if (queries && queries != n_q)
		return document_fail(r->d, value[r->s.tokens_shared ? KEY_TOKENS : KEY_QUERY_TOKENS], E_SHAPE,
				     "%s: %zu for scores of (%zu, %zu); expected %zu",
				     r->s.tokens_shared ? "tokens" : "query-tokens", queries, n_q, n_k, n_q);
	if (keys && keys != n_k)
		return document_fail(r->d, value[KEY_KEY_TOKENS], E_SHAPE,
				     "key-tokens: %zu for scores of (%zu, %zu); expected %zu", keys, n_q, n_k, n_k);
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
		return document_fail(r->d, p->mark, E_VALUE, "cell: this scenario has no %s to edit", name);
	if (edit->head >= shape.heads)
		return document_fail(r->d, p->mark, E_VALUE,
				     "cell: head %zu of %s, which has %zu head%s, counted from 0", edit->head, name,
				     shape.heads, shape.heads == 1 ? "" : "s");
	if (edit->row >= shape.rows || edit->column >= shape.columns)
		return document_fail(r->d, p->mark, E_VALUE,
				     "cell: %zu:%zu is outside of %s (%zu, %zu); rows and columns count from 0",
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
	return mark_before(x->mark, y->mark) ? -1 : mark_before(y->mark, x->mark);
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
			return document_fail(r->d, l->v[i].mark, E_VALUE,
					     "cell: edited twice; the first is in line %u", l->v[i - 1].mark.line);
	/* In order now, so each one is added at the end. */
	for (size_t i = 0; i < l->n && !s; i++)
		s = edits_put(&r->s.edits, l->v[i].edit, &r->d->error);
	return s;
}

enum status scenario_check(struct reader *r)
{
	enum status s;

	if ((s = find_source(r)) || (s = check_needed(r)) || (s = check_shapes(r)) || (s = check_tokens(r)))
		return s;
	return finish_edits(r);
}
