/* probe_lesson.c - the lesson's own test: the last key is changed, all rows before it must stay. */
#include "core/probe_parts.h"
#include "core/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Normals that were drawn to make a random problem. */
static uint64_t numbers_drawn(const struct problem *p)
{
	if (p->source == SOURCE_X)
		return (uint64_t)p->n_q * p->d_model + p->heads * p->d_model * (2 * p->d_k + 2 * p->d_v);
	return p->heads * ((p->n_q + p->n_k) * p->d_k + p->n_k * p->d_v);
}

static enum status start_stream(struct random *stream, const struct problem *p, const char *seed, uint64_t skip,
				const struct random_tables *tables, struct error *e)
{
	enum status s = random_seed(stream, tables, seed ? seed : "0", e);

	if (!s && seed)
		random_skip_normals(stream, skip + numbers_drawn(p));
	return s;
}

/* The run: outputs as they are, then the change, then the same outputs again. */
struct probe_lesson_work {
	const struct attention *a;
	const struct random_tables *tables;
	struct variant variant;
	struct row row;
	struct probe_lesson lesson;
	size_t compared;	/* rows from the first on, that no causal mask lets see the last key */
	size_t at, end;		/* steps taken, and all; 0 of 0 where there is nothing to compare */
	bool drawn;		/* the input was */
};

static void draw_last(struct matrix *m, struct random *stream)
{
	noise_draw(m->v + (m->rows - 1) * m->columns, m->columns, stream);
}

static enum status open_work(struct probe_lesson_work *w, struct random *stream, struct error *e)
{
	const struct problem *p = w->a->problem;
	enum status s;

	variant_init(&w->variant, w->a);
	if ((s = matrix_init(&w->lesson.before, p->n_q, p->d_v, e)) ||
	    (s = matrix_init(&w->lesson.after, p->n_q, p->d_v, e)) ||
	    (s = row_init(&w->row, w->a, e)) || (s = variant_open(&w->variant, ARRAY_K, e)) ||
	    (s = variant_open(&w->variant, ARRAY_V, e)))
		return s;
	draw_last(variant_matrix(&w->variant, ARRAY_K), stream);
	draw_last(variant_matrix(&w->variant, ARRAY_V), stream);
	w->end = 2 * p->n_q + 1;
	return OK_STATUS;
}

static void output(struct probe_lesson_work *w, const struct attention *a, struct matrix *out, size_t i)
{
	row_compute(&w->row, a, i, STAGE_SCORES, STAGE_OUTPUT);
	memcpy(out->v + i * out->columns, w->row.output, out->columns * sizeof *out->v);
}

static bool any_nan(const double *x, size_t n)
{
	for (size_t c = 0; c < n; c++)
		if (isnan(x[c]))
			return true;
	return false;
}

/* Rows that may not see the last key under a causal mask, the last row never among
 * them: out[:-1] where queries and keys are as many, or aligned at the bottom right. */
static size_t rows_before(const struct attention *a)
{
	const struct problem *p = a->problem;
	size_t n = 0;

	while (n + 1 < p->n_q && mask_position(p, &a->options, n) < (long)p->n_k - 1)
		n++;
	return n;
}

/* ":-1", or of fewer rows ":2", as NumPy slices. */
static void say_test(char *detail, const char *drawn, const char *answer, size_t rows, size_t all)
{
	char slice[32] = "-1";

	if (rows + 1 < all)
		snprintf(slice, sizeof slice, "%zu", rows);
	probe_say(detail, "K, then V, of the last key as noise x 100 (%s); np.allclose(out[:%s], out2[:%s]) is %s", drawn, slice,
		  slice, answer);
}

static void judge_lesson(struct probe_lesson *l, size_t rows, bool drawn)
{
	struct difference d = { 0 };
	size_t first = 0;
	bool nan = false;

	for (size_t i = 0; i < rows; i++) {
		const double *before = matrix_row(&l->before, i, NULL), *after = matrix_row(&l->after, i, NULL);
		bool moved = probe_compare(before, after, l->before.columns, &d);
		if (moved && !l->moved++)
			first = i;
		nan |= any_nan(before, l->before.columns);
	}
	l->ok = l->moved ? ANSWER_NO : ANSWER_YES;
	l->all_close = !l->moved && !nan;
	l->same_bits = !d.bits;
	l->largest = d.largest;
	say_test(l->detail, drawn ? _("drawn next in the input's stream") : _("of default_rng(0), as the input was not drawn"),
		 l->all_close ? "True" : "False", rows, l->before.rows);
	if (l->moved)
		probe_say(l->detail, ": %zu of %zu outputs move, the first %zu; largest change %.4g", l->moved, rows, first,
			  l->largest);
	else if (l->same_bits)
		probe_say(l->detail, "%s all %zu outputs are equal bit for bit", nan ? _(", but") : ":", rows);
	else
		probe_say(l->detail, "; largest difference %.3g", l->largest);
	if (nan && !l->moved)
		probe_say(l->detail, " (some are nan, and NumPy holds no nan equal to another)");
}

enum status probe_lesson_begin(struct probe_lesson_work **out, const struct attention *a, const char *seed,
			       uint64_t skip, const struct random_tables *tables, struct error *e)
{
	struct probe_lesson_work *w = calloc(1, sizeof *w);
	struct random stream;
	enum status s = OK_STATUS;

	if (!w)
		return error_set(e, E_MEMORY, "no memory for a probe");
	w->a = a;
	w->tables = tables;
	w->drawn = seed != NULL;
	w->lesson.ok = ANSWER_NONE;
	if (!variant_applies(a->problem, ARRAY_K))
		probe_say(w->lesson.detail, "there is no K to change");
	else if (a->problem->n_q == 1)
		probe_say(w->lesson.detail, "there is one row only, nothing to compare");
	else if (!(w->compared = rows_before(a)))
		probe_say(w->lesson.detail, "every row comes at or after the last key, nothing to compare");
	else if (!(s = start_stream(&stream, a->problem, seed, skip, tables, e)))
		s = open_work(w, &stream, e);
	if (s)
		probe_lesson_work_free(w);
	else
		*out = w;
	return s;
}

enum status probe_lesson_step(struct probe_lesson_work *w, bool *more, struct error *e)
{
	size_t n = w->lesson.before.rows;
	enum status s;

	if (w->at == w->end) {
		*more = false;
		return OK_STATUS;
	}
	if (w->at < n)
		output(w, w->a, &w->lesson.before, w->at);
	else if (w->at > n)
		output(w, &w->variant.attention, &w->lesson.after, w->at - n - 1);
	else if ((s = variant_update(&w->variant, w->tables, e)))
		return s;
	*more = ++w->at < w->end;
	if (!*more)
		judge_lesson(&w->lesson, w->compared, w->drawn);
	return OK_STATUS;
}

void probe_lesson_take(struct probe_lesson_work *w, struct probe_lesson *out)
{
	*out = w->lesson;
	w->lesson = (struct probe_lesson){ 0 };
}

void probe_lesson_work_free(struct probe_lesson_work *w)
{
	if (!w)
		return;
	probe_lesson_free(&w->lesson);
	row_free(&w->row);
	variant_free(&w->variant);
	free(w);
}

enum status probe_lesson_run(struct probe_lesson *out, const struct attention *a, const char *seed, uint64_t skip,
			     const struct random_tables *tables, struct error *e)
{
	struct probe_lesson_work *w;
	bool more = true;
	enum status s = probe_lesson_begin(&w, a, seed, skip, tables, e);

	if (s)
		return s;
	while (more && !s)
		s = probe_lesson_step(w, &more, e);
	if (!s)
		probe_lesson_take(w, out);
	probe_lesson_work_free(w);
	return s;
}

void probe_lesson_free(struct probe_lesson *l)
{
	matrix_free(&l->before);
	matrix_free(&l->after);
	*l = (struct probe_lesson){ 0 };
}
