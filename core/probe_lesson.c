/* probe_lesson.c - the lesson's own test: the last key is changed, all rows but the last must stay. */
#include "core/probe_parts.h"
#include "core/message.h"

#include <math.h>
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

static enum status all_outputs(struct matrix *out, const struct attention *a, struct error *e)
{
	struct row r = { 0 };
	enum status s = matrix_init(out, a->problem->n_q, a->problem->d_v, e);

	if (s || (s = row_init(&r, a, e)))
		return s;
	for (size_t i = 0; i < out->rows; i++) {
		row_compute(&r, a, i, STAGE_SCORES, STAGE_OUTPUT);
		memcpy(out->v + i * out->columns, r.output, out->columns * sizeof *out->v);
	}
	row_free(&r);
	return OK_STATUS;
}

static void draw_last(struct matrix *m, struct random *stream)
{
	noise_draw(m->v + (m->rows - 1) * m->columns, m->columns, stream);
}

static enum status lesson_outputs(struct probe_lesson *l, const struct attention *a, struct random *stream,
				  const struct random_tables *tables, struct error *e)
{
	struct variant v;
	enum status s;

	variant_init(&v, a);
	if (!(s = all_outputs(&l->before, a, e)) && !(s = variant_open(&v, ARRAY_K, e)))
		s = variant_open(&v, ARRAY_V, e);
	if (!s) {
		draw_last(variant_matrix(&v, ARRAY_K), stream);
		draw_last(variant_matrix(&v, ARRAY_V), stream);
		s = variant_update(&v, tables, e);
	}
	if (!s)
		s = all_outputs(&l->after, &v.attention, e);
	variant_free(&v);
	return s;
}

static bool any_nan(const double *x, size_t n)
{
	for (size_t c = 0; c < n; c++)
		if (isnan(x[c]))
			return true;
	return false;
}

static void judge_lesson(struct probe_lesson *l, bool drawn)
{
	struct difference d = { 0 };
	size_t rows = l->before.rows - 1, first = 0;	/* the last may move */
	bool nan = false;

	for (size_t i = 0; i < rows; i++) {
		const double *before = matrix_row(&l->before, i), *after = matrix_row(&l->after, i);
		bool moved = probe_compare(before, after, l->before.columns, &d);
		if (moved && !l->moved++)
			first = i;
		nan |= any_nan(before, l->before.columns);
	}
	l->ok = l->moved ? ANSWER_NO : ANSWER_YES;
	l->all_close = !l->moved && !nan;
	l->same_bits = !d.bits;
	l->largest = d.largest;
	probe_say(l->detail, "K, then V, of the last key as noise x 100 (%s); np.allclose(out[:-1], out2[:-1]) is %s",
		  drawn ? _("drawn next in the input's stream") : _("of default_rng(0), as the input was not drawn"),
		  l->all_close ? "True" : "False");
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

enum status probe_lesson_run(struct probe_lesson *out, const struct attention *a, const char *seed, uint64_t skip,
			     const struct random_tables *tables, struct error *e)
{
	struct probe_lesson l = { .ok = ANSWER_NONE };
	struct random stream;
	enum status s;

	if (!variant_applies(a->problem, ARRAY_K)) {
		probe_say(l.detail, "there is no K to change");
	} else if (a->problem->n_q == 1) {
		probe_say(l.detail, "there is one row only, nothing to compare");
	} else if ((s = start_stream(&stream, a->problem, seed, skip, tables, e)) ||
		   (s = lesson_outputs(&l, a, &stream, tables, e))) {
		probe_lesson_free(&l);
		return s;
	} else {
		judge_lesson(&l, seed);
	}
	*out = l;
	return OK_STATUS;
}

void probe_lesson_free(struct probe_lesson *l)
{
	matrix_free(&l->before);
	matrix_free(&l->after);
	*l = (struct probe_lesson){ 0 };
}
