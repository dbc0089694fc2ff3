/* test_fast.c - the float path: every kernel against the row engine in double, and
 * against sums written down once more for what that engine sees differently.
 */
#include "tests/fixture.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fast.h"
#include "tests/alloc.h"

enum { KERNELS = LANES_KERNELS };

/* NULL where this processor does not run it. */
static const struct lanes *kernel(size_t which)
{
	const struct lanes *l = lanes_kernel(which);
	return lanes_usable(l) ? l : NULL;
}

/* ---- arrays in any number type ---- */

/* Numbers that the type holds exactly, as doubles and as a file has them. */
struct data {
	size_t rows, columns;
	double *value;
	unsigned char *block, *first;	/* first: of the numbers */
	struct tensor_view view;
};

static uint16_t f16_bits(double x)
{
	uint16_t sign = signbit(x) ? 0x8000 : 0;
	double a = fabs(x);
	int exponent;

	if (isnan(x))
		return 0x7e01;
	if (isinf(x))
		return sign | 0x7c00;
	if (a < 0x1p-14)
		return sign | (uint16_t)(a * 0x1p24);
	double fraction = frexp(a, &exponent);		/* [0.5, 1) */
	return (uint16_t)(sign | (exponent + 14) << 10 | (int)((fraction * 2 - 1) * 1024));
}

static void encode(unsigned char *to, enum dtype type, double x)
{
	float f = (float)x;
	uint32_t u;
	uint16_t half;

	memcpy(&u, &f, sizeof u);
	half = type == DTYPE_F16 ? f16_bits(x) : (uint16_t)(u >> 16);
	if (type == DTYPE_F64)
		memcpy(to, &x, sizeof x);
	else if (type == DTYPE_F32)
		memcpy(to, &f, sizeof f);
	else
		memcpy(to, &half, sizeof half);
}

static void data_set(struct data *t, size_t i, size_t c, double x)
{
	/* Of f64 the kernel takes what float32 makes of it. */
	x = dtype_round(x, t->view.type == DTYPE_F64 ? DTYPE_F32 : t->view.type);
	t->value[i * t->columns + c] = x;
	encode(t->first + (ptrdiff_t)i * t->view.row_step + (ptrdiff_t)c * t->view.column_step, t->view.type, x);
}

/* `shift` bytes off any alignment; `gap` numbers unused between rows; transposed, the
 * numbers of a dimension lie together. */
static struct data data_make(struct dice *d, enum dtype type, size_t rows, size_t columns, size_t shift,
			     size_t gap, bool transposed)
{
	struct data t = { rows, columns, calloc(rows * columns, sizeof(double)), NULL, NULL, { 0 } };
	ptrdiff_t size = (ptrdiff_t)dtype_size(type);
	size_t line = (transposed ? rows : columns) + gap;

	t.block = malloc(line * (transposed ? columns : rows) * (size_t)size + shift);
	assert_non_null(t.value);
	assert_non_null(t.block);
	t.first = t.block + shift;
	t.view = tensor_view_of(t.first, type, rows, columns);
	t.view.row_step = transposed ? size : (ptrdiff_t)line * size;
	t.view.column_step = transposed ? (ptrdiff_t)line * size : size;
	for (size_t i = 0; i < rows; i++)
		for (size_t c = 0; c < columns; c++)
			data_set(&t, i, c, dice_between(d, -1.7, 1.7));
	return t;
}

static void data_free(struct data *t)
{
	free(t->value);
	free(t->block);
}

/* ---- a head, and the same once more in double ---- */

struct example {
	struct data q, k, v;
	unsigned char *pad;
	struct fast_head head;
	double *weights;		/* of one row */
};

struct shape { size_t n_q, n_k, d_k, d_v; };

static struct example example_make(struct dice *d, struct shape s, enum dtype type, bool odd)
{
	bool transposed = odd && dice_below(d, 4) == 0;
	size_t gap = odd ? dice_below(d, 3) : 0;
	struct example x = {
		.q = data_make(d, type, s.n_q, s.d_k, odd ? dice_below(d, 8) : 0, gap, transposed),
		.k = data_make(d, type, s.n_k, s.d_k, odd ? dice_below(d, 8) : 0, gap, transposed),
		.v = data_make(d, type, s.n_k, s.d_v, odd ? dice_below(d, 8) : 0, gap, transposed),
		.pad = calloc(s.n_k, 1),
		.weights = calloc(s.n_k, sizeof(double)),
	};

	x.head = (struct fast_head){ .q = x.q.view, .k = x.k.view, .v = x.v.view, .lanes = lanes_base(), .scale = 1 };
	assert_non_null(x.pad);
	assert_non_null(x.weights);
	return x;
}

static void example_free(struct example *x)
{
	data_free(&x->q);
	data_free(&x->k);
	data_free(&x->v);
	free(x->pad);
	free(x->weights);
}

static bool hidden(const struct example *x, size_t i, size_t j)
{
	const struct fast_head *h = &x->head;
	return (h->causal && (long)j > (long)i + h->offset) || (h->pad && h->pad[j]);
}

static double score(const struct example *x, size_t i, size_t j)
{
	double sum = 0;

	for (size_t c = 0; c < x->q.columns; c++)
		sum += x->q.value[i * x->q.columns + c] * x->k.value[j * x->k.columns + c];
	return sum;
}

/* Softmax over the visible keys of row i into x->weights; returns how many there are. */
static size_t softmax_row(struct example *x, size_t i)
{
	size_t n = x->k.rows, visible = 0;
	double sum = 0, max = -INFINITY;

	for (size_t j = 0; j < n; j++) {
		x->weights[j] = hidden(x, i, j) ? -INFINITY : score(x, i, j) * (double)x->head.scale;
		visible += !hidden(x, i, j);
		if (x->weights[j] > max || isnan(x->weights[j]))
			max = x->weights[j];
	}
	for (size_t j = 0; j < n; j++)
		sum += x->weights[j] = exp(x->weights[j] - max);
	for (size_t j = 0; j < n; j++)
		x->weights[j] /= sum;
	return visible;
}

static double output(const struct example *x, size_t i, size_t c)
{
	double sum = 0;

	for (size_t j = 0; j < x->k.rows; j++)
		if (!hidden(x, i, j))
			sum += x->weights[j] * x->v.value[j * x->v.columns + c];
	return isnan(x->weights[0]) ? NAN : sum;	/* as there is no weight that is none */
}

static struct fast_work work_for(const struct fast_head *h)
{
	struct fast_work w = { 0 };
	struct error e = { 0 };

	if (fast_check(h, &e) || fast_work_init(&w, h, &e))
		fail_msg("%s", e.text);
	return w;
}

/* ---- agreement with the row engine ---- */

static void settings_of(const struct example *x, struct fixture *f)
{
	char text[1200], *at = text;

	at += sprintf(at, "scale=%.9g", (double)x->head.scale);
	if (x->head.causal)
		at += sprintf(at, " causal=on causal-offset=%ld", x->head.offset);
	const char *before = " pad=";
	for (size_t j = 0; j < x->k.rows; j++)
		if (x->head.pad && x->head.pad[j]) {
			at += sprintf(at, "%s%zu", before, j);
			before = ",";
		}
	fixture_set(f, text);
}

static const double *stage_of(const struct row *r, enum stage s)
{
	return s == STAGE_SCORES ? r->scores : s == STAGE_SCALED ? r->scaled : s == STAGE_MASKED ? r->masked : r->weights;
}

static void compare_row(const struct row *r, const struct fast_row *got, const float *output, size_t d_v)
{
	assert_int_equal(got->visible, r->visible);
	assert_near((double)got->max, r->maximum, 1e-5 + fabs(r->maximum) * 1e-6);
	assert_near(got->entropy, r->entropy, 1e-5);
	assert_near(got->largest, r->largest, 2e-6);
	assert_near(got->sum, r->sum, 2e-6);
	assert_near((double)got->denominator, r->denominator, r->denominator * 1e-5);
	for (size_t c = 0; c < d_v; c++)
		assert_near((double)output[c], r->output[c], 5e-6);
}

static void compare_window(struct example *x, struct fast_work *w, struct fixture *f, struct dice *d,
			   const struct fast_row *rows)
{
	size_t n_q = x->q.rows, n_k = x->k.rows;
	size_t i0 = dice_below(d, n_q), i1 = i0 + 1 + dice_below(d, n_q - i0);
	size_t j0 = dice_below(d, n_k), j1 = j0 + 1 + dice_below(d, n_k - j0);
	float *cell = calloc((i1 - i0) * (j1 - j0), sizeof *cell);

	assert_non_null(cell);
	for (enum stage s = STAGE_SCORES; s <= STAGE_WEIGHTS; s++) {
		fast_window(&x->head, w, s, i0, i1, j0, j1, rows + i0, cell);
		for (size_t i = i0; i < i1; i++) {
			const double *wanted = stage_of(fixture_row(f, i), s);
			for (size_t j = j0; j < j1; j++)
				assert_near((double)cell[(i - i0) * (j1 - j0) + j - j0], wanted[j],
					    s == STAGE_WEIGHTS ? 3e-6 : 1e-5 + fabs(wanted[j]) * 1e-6);
		}
	}
	free(cell);
}

static void compare_with_engine(struct example *x, struct dice *d)
{
	size_t n_q = x->q.rows, d_v = x->v.columns;
	struct fast_work w = work_for(&x->head);
	struct fast_row *rows = calloc(n_q, sizeof *rows);
	float *out = calloc(n_q * d_v, sizeof *out);
	struct fixture f;

	assert_non_null(rows);
	assert_non_null(out);
	fixture_init(&f);
	fixture_array(&f, ARRAY_Q, n_q, x->q.columns, x->q.value);
	fixture_array(&f, ARRAY_K, x->k.rows, x->k.columns, x->k.value);
	fixture_array(&f, ARRAY_V, x->v.rows, d_v, x->v.value);
	settings_of(x, &f);
	for (size_t which = 0; which < KERNELS; which++) {
		if (!kernel(which))
			continue;
		x->head.lanes = kernel(which);
		assert_int_equal(fast_rows(&x->head, &w, 0, n_q, NULL, rows), n_q);
		fast_outputs(&x->head, &w, 0, n_q, out, NULL);
		for (size_t i = 0; i < n_q; i++)
			compare_row(fixture_row(&f, i), &rows[i], out + i * d_v, d_v);
		compare_window(x, &w, &f, d, rows);
	}
	fixture_free(&f);
	free(rows);
	free(out);
	fast_work_free(&w);
}

/* Some padding: none, a run at an end, or scattered. */
static void some_padding(struct example *x, struct dice *d)
{
	size_t n = x->k.rows, kind = dice_below(d, 4), some = dice_below(d, n + 1);

	x->head.pad = kind ? x->pad : NULL;
	for (size_t j = 0; j < n; j++)
		x->pad[j] = kind == 1 ? j < some : kind == 2 ? j >= some : kind == 3 ? (unsigned char)(dice_below(d, 2) * 7) : 0;
}

static void random_heads_agree(void **state)
{
	struct dice d = { 20240601 };

	for (int round = 0; round < 120; round++) {
		struct shape s = { 1 + dice_below(&d, 70), 1 + dice_below(&d, 70), 1 + dice_below(&d, 70), 1 + dice_below(&d, 70) };
		struct example x = example_make(&d, s, (enum dtype)(round % DTYPE_COUNT), true);
		static const float scale[] = { 1, 0.125f, -0.5f, 0.3f };
		x.head.scale = scale[dice_below(&d, 4)];
		x.head.causal = dice_below(&d, 3) > 0;
		x.head.offset = dice_below(&d, 2) ? (long)s.n_k - (long)s.n_q : (long)dice_below(&d, 9) - 4;
		some_padding(&x, &d);
		compare_with_engine(&x, &d);
		example_free(&x);
	}
	(void)state;
}

static void every_small_size_agrees(void **state)
{
	struct dice d = { 7 };

	for (size_t n = 1; n <= 70; n++) {
		struct example x = example_make(&d, (struct shape){ n, n, n, 71 - n }, DTYPE_F32, false);
		x.head.causal = true;
		x.head.scale = (float)(1 / sqrt((double)n));
		compare_with_engine(&x, &d);
		example_free(&x);
	}
	(void)state;
}

/* ---- longer than a tile and a group of panels ---- */

static void compare_long(struct example *x)
{
	size_t n_q = x->q.rows, d_v = x->v.columns;
	float *out = calloc(n_q * d_v, sizeof *out), *again = calloc(n_q * d_v, sizeof *out);
	double *sums = calloc(n_q, sizeof *sums);
	struct workers *workers;
	struct error e = { 0 };
	bool done = false;

	assert_non_null(out);
	assert_non_null(again);
	assert_non_null(sums);
	assert_int_equal(workers_start(&workers, 3, &e), OK_STATUS);
	for (size_t which = 0; which < KERNELS; which++) {
		if (!kernel(which))
			continue;
		x->head.lanes = kernel(which);
		assert_int_equal(fast_attend(&x->head, workers, NULL, out, sums, &done, &e), OK_STATUS);
		assert_true(done);
		assert_int_equal(fast_attend(&x->head, NULL, NULL, again, NULL, &done, &e), OK_STATUS);
		assert_memory_equal(out, again, n_q * d_v * sizeof *out);	/* however the work was divided */
		for (size_t i = 0; i < n_q; i += 1 + i % 5) {
			bool any = softmax_row(x, i) > 0;
			assert_near(sums[i], any ? 1 : NAN, 1e-7);
			for (size_t c = 0; c < d_v; c++)
				assert_near((double)out[i * d_v + c], output(x, i, c), 2e-6);
		}
	}
	workers_stop(workers);
	free(out);
	free(again);
	free(sums);
}

static void long_heads_agree(void **state)
{
	struct dice d = { 5 };
	static const long offset[] = { 0, 400, -300 };

	for (int kind = 0; kind < 6; kind++) {
		struct example x = example_make(&d, (struct shape){ 300 + (size_t)kind, 700, 13, 9 },
						kind % 2 ? DTYPE_F16 : DTYPE_F32, kind > 3);
		x.head.causal = kind < 3;
		x.head.offset = offset[kind % 3];
		x.head.scale = 0.6f;
		x.head.pad = kind % 3 ? x.pad : NULL;
		for (size_t j = 0; j < 700; j++)
			x.pad[j] = kind % 3 == 1 ? j < 200 || j == 350 : j * j % 7 == 1;
		compare_long(&x);
		example_free(&x);
	}
	(void)state;
}

static void a_cold_row_is_a_row(void **state)
{
	struct dice d = { 11 };
	static _Alignas(LANES_ALIGN) float s[2048];

	for (int kind = 0; kind < 8; kind++) {
		struct shape shape = { 40, 1999, 5 + 9 * (size_t)kind, 1 };
		struct example x = example_make(&d, shape, (enum dtype)(kind % DTYPE_COUNT), true);
		x.head.causal = kind & 1;
		x.head.offset = 1200;
		x.head.scale = 0.5f;
		some_padding(&x, &d);
		struct fast_work w = work_for(&x.head);
		for (size_t which = 0; which < KERNELS && kernel(which); which++) {
			struct fast_row row, cold;
			x.head.lanes = kernel(which);
			for (size_t i = 0; i < 40; i += 13) {
				fast_rows(&x.head, &w, i, i + 1, NULL, &row);
				fast_cold_row(&x.head, &w, i, s, &cold);
				assert_int_equal(cold.visible, row.visible);
				assert_near((double)cold.max, (double)row.max, 1e-5);
				assert_near(cold.entropy, row.entropy, 1e-5);
				assert_near(cold.largest, row.largest, 1e-6);
				assert_near((double)cold.denominator, (double)row.denominator,
					    (double)row.denominator * 1e-5);
				for (size_t j = 0; j < 1999; j += 17)
					assert_near((double)s[j], score(&x, i, j), 3e-5);
			}
		}
		fast_work_free(&w);
		example_free(&x);
	}
	(void)state;
}

/* ---- NaN and infinities ---- */

static struct example special_example(struct dice *d)
{
	struct example x = example_make(d, (struct shape){ 60, 60, 6, 8 }, DTYPE_F32, false);

	x.head.causal = true;
	x.head.pad = x.pad;
	x.pad[3] = x.pad[20] = 1;
	return x;
}

/* Of two padded keys, and of one that rows before 41 do not see. */
static void set_three(struct data *t, size_t c, double x)
{
	data_set(t, 3, c, x);
	data_set(t, 20, c, x);
	data_set(t, 41, c, x);
}

static void hidden_numbers_do_not_count(void **state)
{
	struct dice d = { 3 };
	struct example clean = special_example(&d);
	static const double bad[] = { NAN, INFINITY, -INFINITY };
	float *wanted = calloc(60 * 8, sizeof *wanted), *got = calloc(60 * 8, sizeof *got);

	assert_non_null(wanted);
	assert_non_null(got);
	for (size_t which = 0; which < KERNELS && kernel(which); which++)
		for (int kind = 0; kind < 3; kind++) {
			struct dice same = { 3 };
			struct example x = special_example(&same);
			struct fast_work w = work_for(&x.head);
			x.head.lanes = clean.head.lanes = kernel(which);
			for (size_t c = 0; c < 6; c++)
				set_three(&x.k, c, bad[kind]);
			for (size_t c = 0; c < 8; c++)
				set_three(&x.v, c, bad[kind]);
			fast_outputs(&clean.head, &w, 0, 60, wanted, NULL);
			fast_outputs(&x.head, &w, 0, 60, got, NULL);
			assert_memory_equal(got, wanted, 41 * 8 * sizeof *got);
			for (size_t i = 41 * 8; i < 60 * 8; i++)
				assert_true(isnan(got[i]) || isinf(got[i]));
			fast_work_free(&w);
			example_free(&x);
		}
	free(wanted);
	free(got);
	example_free(&clean);
	(void)state;
}

static void visible_numbers_count_as_in_the_row_engine(void **state)
{
	struct dice d = { 8 };
	static const double bad[] = { NAN, INFINITY, -INFINITY };

	for (int kind = 0; kind < 3; kind++) {
		struct example x = special_example(&d);
		data_set(&x.k, 17, 2, bad[kind]);
		data_set(&x.q, 50, 1, bad[kind]);
		data_set(&x.q, 12, 0, bad[kind]);
		compare_with_engine(&x, &d);
		example_free(&x);
	}
	for (int kind = 0; kind < 3; kind++) {		/* in V, visible to all */
		struct example x = special_example(&d);
		data_set(&x.v, 0, 2, bad[kind]);
		compare_with_engine(&x, &d);
		example_free(&x);
	}
	(void)state;
}

/* A score of -inf is visible and weighs nothing; nothing but those is no softmax. */
static void scores_of_minus_infinity(void **state)
{
	struct dice d = { 9 };
	struct example x = example_make(&d, (struct shape){ 20, 30, 1, 2 }, DTYPE_F32, false);

	x.head.causal = true;
	for (size_t i = 0; i < 20; i++)
		data_set(&x.q, i, 0, 1);
	for (size_t j = 0; j < 30; j++)
		data_set(&x.k, j, 0, j < 5 || j == 9 ? -INFINITY : 0.5);
	compare_with_engine(&x, &d);
	example_free(&x);
	(void)state;
}

/* ---- views, limits, refusals ---- */

static void a_view_may_go_backwards(void **state)
{
	struct dice d = { 21 };
	struct example x = example_make(&d, (struct shape){ 33, 50, 7, 5 }, DTYPE_F32, false);
	struct tensor_view *k = &x.head.k;

	k->data = (const unsigned char *)k->data + 49 * k->row_step;
	k->row_step = -k->row_step;
	for (size_t j = 0; j < 25; j++)
		for (size_t c = 0; c < 7; c++) {
			double swap = x.k.value[j * 7 + c];
			x.k.value[j * 7 + c] = x.k.value[(49 - j) * 7 + c];
			x.k.value[(49 - j) * 7 + c] = swap;
		}
	compare_with_engine(&x, &d);
	example_free(&x);
	(void)state;
}

static void limits(void **state)
{
	struct fast_head h = { .q.rows = 10, .k.rows = 8, .causal = true };

	assert_int_equal(fast_limit(&h, 0), 1);
	assert_int_equal(fast_limit(&h, 9), 8);
	h.offset = -2;
	assert_int_equal(fast_limit(&h, 1), 0);
	assert_int_equal(fast_limit(&h, 2), 1);
	h.offset = 3;
	assert_int_equal(fast_limit(&h, 0), 4);
	h.offset = LONG_MAX;
	assert_int_equal(fast_limit(&h, 9), 8);
	h.offset = LONG_MIN;
	assert_int_equal(fast_limit(&h, 9), 0);
	h.causal = false;
	assert_int_equal(fast_limit(&h, 0), 8);
	(void)state;
}

static void what_does_not_fit_is_refused(void **state)
{
	const float some[4] = { 0 };
	struct error e = { 0 };
	struct fast_head h = {
		.q = tensor_view_of(some, DTYPE_F32, 1, 2), .k = tensor_view_of(some, DTYPE_F32, 2, 2),
		.v = tensor_view_of(some, DTYPE_F32, 2, 1), .lanes = lanes_base(),
	};

	assert_int_equal(fast_check(&h, &e), OK_STATUS);
	h.q.columns = 1;
	assert_int_equal(fast_check(&h, &e), E_SHAPE);
	assert_string_equal(e.text, "Q (1, 1) and K (2, 2) do not fit: rows of one length were expected");
	h.q.columns = 2;
	h.v.rows = 3;
	assert_int_equal(fast_check(&h, &e), E_SHAPE);
	h.v.rows = h.k.rows = 0;
	assert_int_equal(fast_check(&h, &e), E_VALUE);
	h.v.rows = h.k.rows = (size_t)FAST_POSITIONS + 1;
	assert_int_equal(fast_check(&h, &e), E_LIMIT);
	h.v.rows = h.k.rows = 2;
	h.v.columns = SIZE_MAX;
	assert_int_equal(fast_check(&h, &e), E_LIMIT);
	(void)state;
}

static void work_can_be_cancelled(void **state)
{
	struct dice d = { 1 };
	struct example x = example_make(&d, (struct shape){ 200, 64, 4, 4 }, DTYPE_F32, false);
	float *out = calloc(200 * 4, sizeof *out);
	atomic_bool cancel = true;
	struct fast_row row[2];
	struct fast_work w = work_for(&x.head);
	struct error e = { 0 };
	bool done = true;

	assert_non_null(out);
	assert_int_equal(fast_attend(&x.head, NULL, &cancel, out, NULL, &done, &e), OK_STATUS);
	assert_false(done);
	for (size_t i = 0; i < 200 * 4; i++)
		assert_true(out[i] == 0);
	assert_int_equal(fast_rows(&x.head, &w, 0, 2, &cancel, row), 0);
	free(out);
	fast_work_free(&w);
	example_free(&x);
	(void)state;
}

static void memory_may_run_out(void **state)
{
	struct dice d = { 2 };
	struct example x = example_make(&d, (struct shape){ 70, 64, 4, 4 }, DTYPE_F32, false);
	float out[70 * 4];
	struct error e = { 0 };
	bool done = false;

	for (size_t n = 1; n <= 3; n++) {
		alloc_fail(n);
		enum status s = fast_attend(&x.head, NULL, NULL, out, NULL, &done, &e);
		assert_int_equal(s, n <= 2 ? E_MEMORY : OK_STATUS);
		assert_int_equal(done, n > 2);
	}
	alloc_fail(0);
	example_free(&x);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_small_size_agrees),
		cmocka_unit_test(random_heads_agree),
		cmocka_unit_test(long_heads_agree),
		cmocka_unit_test(a_cold_row_is_a_row),
		cmocka_unit_test(hidden_numbers_do_not_count),
		cmocka_unit_test(visible_numbers_count_as_in_the_row_engine),
		cmocka_unit_test(scores_of_minus_infinity),
		cmocka_unit_test(a_view_may_go_backwards),
		cmocka_unit_test(limits),
		cmocka_unit_test(what_does_not_fit_is_refused),
		cmocka_unit_test(work_can_be_cancelled),
		cmocka_unit_test(memory_may_run_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
