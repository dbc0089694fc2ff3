/* write_script_input.c - a NumPy script: the arrays it begins with, written out or
 * drawn as qkv draws them. */
#include "tui/write_script.h"

#include <stdio.h>

#include "core/message.h"

/* Normals drawn before the input that a script may throw away. */
enum { SKIP_LIMIT = 10000000 };

/* How the scenario draws its input; false when its numbers are given. */
static bool random_input(const struct script *s, struct random_input *r)
{
	const struct show_request *q = s->sheet->request;

	if (!q->input || q->input->source != SOURCE_RANDOM || q->input->random.skip > SKIP_LIMIT)
		return false;
	*r = random_input_sized(&q->input->random, s->o);
	if (*s->o->seed)
		r->seed = s->o->seed;
	return true;
}

static bool shows_input(const struct script *s, enum array a)
{
	return s->sheet->stage == STAGE_INPUT && s->sheet->array == a;
}

/* Whether the stage is computed from this array. */
static bool needs(const struct script *s, enum array a)
{
	enum stage stage = s->sheet->stage;
	bool from_x = s->p->source == SOURCE_X, given = s->p->source == SOURCE_SCORES || s->p->source == SOURCE_WEIGHTS;
	bool joined = stage == STAGE_JOINED;

	if (stage == STAGE_INPUT && from_x && s->sheet->array <= ARRAY_V)
		return a == s->sheet->array || a == ARRAY_X || a == s->sheet->array + (ARRAY_W_Q - ARRAY_Q);
	if (stage == STAGE_INPUT)
		return a == s->sheet->array;
	switch (a) {
	case ARRAY_Q:
	case ARRAY_K:
		return !given;
	case ARRAY_V:
		return stage >= STAGE_OUTPUT;
	case ARRAY_X:
	case ARRAY_W_Q:
	case ARRAY_W_K:
		return from_x;
	case ARRAY_W_V:
		return from_x && stage >= STAGE_OUTPUT;
	case ARRAY_W_O:
		return joined && s->p->array[ARRAY_W_O].n;
	case ARRAY_SCORES:
		return s->p->source == SOURCE_SCORES;
	default:
		return s->p->source == SOURCE_WEIGHTS;
	}
}

static const char *about(enum array a)
{
	static const char *const text[ARRAY_COUNT] = {
		[ARRAY_Q] = N_("queries, one a row"), [ARRAY_K] = N_("keys"), [ARRAY_V] = N_("values"),
		[ARRAY_X] = N_("the tokens"), [ARRAY_W_O] = N_("joins the heads"),
		[ARRAY_SCORES] = N_("row: query, column: key"), [ARRAY_WEIGHTS] = N_("finished weights"),
	};
	return text[a] ? _(text[a]) : "";
}

/* ---- edits of what is drawn ---- */

static void put_edits(struct script *s, enum array a)
{
	char name[16];
	bool shared = a == ARRAY_X || a == ARRAY_W_O;

	for (size_t k = 0; k < s->p->edits.n && s->numbers <= SCRIPT_NUMBERS; k++) {
		const struct edit *e = &s->p->edits.v[k];
		if (e->array != a || (!shared && !s->all_heads && e->head != s->a->head))
			continue;
		buffer_repeat(s->out, ' ', 4 * (size_t)s->depth);
		if (!shared && s->all_heads)
			buffer_format(s->out, "if h == %zu: ", e->head);
		buffer_format(s->out, "%s[%zu, %zu] = ", script_name(a, name), e->row, e->column);
		script_number(s, e->value);
		buffer_format(s->out, "  # %s\n", _("changed by hand"));
	}
}

/* ---- drawn ---- */

static void draw(struct script *s, enum array a, size_t rows, size_t columns, size_t d_model)
{
	char name[16], root[48] = "";

	if (d_model && a != ARRAY_X)
		snprintf(root, sizeof root, " / np.sqrt(%zu)", d_model);
	script_line(s, needs(s, a) ? about(a) : _("drawn, not used here"), "%s = rng.normal(size=(%zu, %zu))%s",
		    script_name(a, name), rows, columns, root);
}

/* What of a head is drawn before the last that is needed. */
static void draw_head(struct script *s, const struct random_input *r, bool whole)
{
	static const enum array plain[] = { ARRAY_Q, ARRAY_K, ARRAY_V }, from_x[] = { ARRAY_W_Q, ARRAY_W_K, ARRAY_W_V };
	const enum array *a = r->d_model ? from_x : plain;
	size_t count = 3;

	while (!whole && count && !needs(s, a[count - 1]))
		count--;
	for (size_t k = 0; k < count; k++) {
		size_t rows = r->d_model ? r->d_model : k ? r->n_k : r->n_q;
		draw(s, a[k], rows, k == 2 ? r->d_v : r->d_k, r->d_model);
	}
}

static void begin_drawing(struct script *s, const struct random_input *r)
{
	script_line(s, "", "rng = np.random.default_rng(%s)", script_seed(r->seed));
	if (r->skip)
		script_line(s, _("drawn before, not used"), "rng.normal(size=%llu)", (unsigned long long)r->skip);
	if (r->d_model) {
		draw(s, ARRAY_X, r->n_q, r->d_model, r->d_model);
		put_edits(s, ARRAY_X);
	}
}

/* One head: those before it are drawn too, and thrown away. */
static void draw_one_head(struct script *s, const struct random_input *r)
{
	/* X is the first to be drawn, W_O the last. */
	bool whole = shows_input(s, ARRAY_W_O), none = shows_input(s, ARRAY_X);
	size_t heads = whole ? r->heads : none ? 0 : s->a->head + 1;

	if (heads > 1) {
		script_line(s, whole ? _("every head") : _("up to the head that is shown"), "for h in range(%zu):", heads);
		s->depth++;
	}
	if (heads)
		draw_head(s, r, whole || heads > 1);
	s->depth = 0;
}

/* ---- given ---- */

static void all_heads(struct script *s, enum array a)
{
	const struct array_heads *of = &s->p->array[a];
	char name[16];

	buffer_format(s->out, "all_%s = np.array([", script_name(a, name));
	for (size_t h = 0; h < of->n && s->numbers <= SCRIPT_NUMBERS; h++) {
		const struct matrix *m = &of->head[h];
		buffer_text(s->out, h ? ",\n    [" : "\n    [");
		for (size_t k = 0; k < m->rows * m->columns && s->numbers <= SCRIPT_NUMBERS; k++) {
			bool first = k % m->columns == 0;
			buffer_text(s->out, !first ? ", " : k ? "],\n     [" : "[");
			script_number(s, matrix_at(m, k / m->columns, k % m->columns));
		}
		buffer_text(s->out, "]]");
	}
	buffer_format(s->out, "], float)%s%s\n", *about(a) ? "  # " : "", about(a));
}

static bool is_shared(enum array a)
{
	return a == ARRAY_X || a == ARRAY_W_O;
}

/* Q, K and V follow from X where that is given. */
static bool is_product(const struct script *s, enum array a)
{
	return s->p->source == SOURCE_X && a <= ARRAY_V;
}

static void written(struct script *s)
{
	char name[16];

	for (int k = 0; k < ARRAY_COUNT; k++) {
		enum array a = (enum array)k;
		const struct matrix *m = problem_array(s->p, a, s->a->head);
		if (!needs(s, a) || !m || is_product(s, a))
			continue;
		if (s->all_heads && !is_shared(a))
			all_heads(s, a);
		else
			script_matrix(s, script_name(a, name), m, about(a));
	}
}

/* ---- both ---- */

static void products(struct script *s)
{
	static const enum array product[] = { ARRAY_Q, ARRAY_K, ARRAY_V }, factor[] = { ARRAY_W_Q, ARRAY_W_K, ARRAY_W_V };
	char name[16], by[16];

	for (int k = 0; k < 3 && s->p->source == SOURCE_X; k++)
		if (needs(s, product[k]))
			script_line(s, about(product[k]), "%s = x @ %s", script_name(product[k], name), script_name(factor[k], by));
}

static void head_edits(struct script *s)
{
	for (int a = 0; a < ARRAY_SCORES; a++)
		if (needs(s, (enum array)a) && !is_shared((enum array)a))
			put_edits(s, (enum array)a);
}

static void identity(struct script *s)
{
	if (s->p->identity_v && needs(s, ARRAY_V))
		script_line(s, _("no values are given: the output is the weights"), "v = np.eye(%zu)", s->p->n_k);
}

static void last_drawn(struct script *s, const struct random_input *r)
{
	draw(s, ARRAY_W_O, r->heads * r->d_v, r->d_model, r->d_model);
	put_edits(s, ARRAY_W_O);
}

void script_input(struct script *s)
{
	struct random_input r;
	bool drawn = random_input(s, &r);

	if (drawn)
		begin_drawing(s, &r);
	else
		written(s);
	if (s->all_heads)
		return;
	if (drawn) {
		draw_one_head(s, &r);
		head_edits(s);
		if (shows_input(s, ARRAY_W_O))
			last_drawn(s, &r);
	}
	products(s);
	identity(s);
}

void script_head(struct script *s)
{
	struct random_input r;
	char name[16];

	if (random_input(s, &r)) {
		draw_head(s, &r, true);
		head_edits(s);
	} else {
		for (int a = 0; a < ARRAY_COUNT; a++)
			if (needs(s, (enum array)a) && !is_shared((enum array)a) && !is_product(s, (enum array)a) && s->p->array[a].n)
				script_line(s, "", "%s = all_%s[h]", script_name((enum array)a, name), name);
	}
	products(s);
	identity(s);
}

void script_last_input(struct script *s)
{
	struct random_input r;

	if (needs(s, ARRAY_W_O) && random_input(s, &r))
		last_drawn(s, &r);
}
