/* test_model.c - the built-in model computes what NumPy computes with it.
 *
 * Expected numbers are from NumPy (tests/data/koen/README.md), or follow from
 * what is asked for. Surroundings: QKV_TEST_DATA.
 */
#include "tests/koen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model_heads.h"
#include "core/model_next.h"

enum { ROOM = 128 };

static struct model model;
static struct random_tables tables;

static int set_up(void **state)
{
	struct error e = { 0 };

	(void)state;
	koen_model(&model);
	return random_tables_init(&tables, &e);
}

static int tear_down(void **state)
{
	(void)state;
	model_free(&model);
	return 0;
}

static void start(struct model_run *r, const char *words)
{
	struct error e = { 0 };
	struct model_plan plan;

	assert_int_equal(model_run_init(r, &model, &tables, &e), OK_STATUS);
	koen_plan(&plan, &model, words);
	assert_int_equal(model_run_plan(r, &plan, &e), OK_STATUS);
	model_plan_free(&plan);
}

/* ---- texts ---- */

static void sizes_are_read(void **state)
{
	(void)state;
	assert_int_equal(model.size.layers, 3);
	assert_int_equal(model.size.heads, 4);
	assert_int_equal(model.size.head_dim, 32);
	assert_int_equal(model.size.width, 128);
	assert_int_equal(model.size.hidden, 320);
	assert_int_equal(model.size.context, 128);
	assert_int_equal(model.size.vocab, 728);
	assert_true(model.size.norm_eps == 1e-5);
	assert_string_equal(model.vocab.text[1], "[BOS]");
}

static void texts_become_ids(void **state)
{
	json_t *all = koen_json("vectors.json"), *one;
	size_t k, ids[ROOM];

	(void)state;
	assert_true(json_array_size(json_object_get(all, "tokenization")) >= 7);
	json_array_foreach(json_object_get(all, "tokenization"), k, one) {
		struct model_text t = koen_text(&model, json_string_value(json_object_get(one, "text")));
		size_t n = koen_ids(json_object_get(one, "ids"), ids, ROOM);
		assert_int_equal(t.n, n);
		assert_memory_equal(t.ids, ids, n * sizeof *ids);
		model_text_free(&t);
	}
	json_decref(all);
}

static void long_and_odd_texts(void **state)
{
	char text[140];
	struct error e = { 0 };
	struct model_text t;

	(void)state;
	memset(text, 'a', sizeof text);
	text[126] = 'b';
	text[127] = 'c';
	assert_int_equal(model_text_init(&t, &model, text, sizeof text, &e), OK_STATUS);
	assert_int_equal(t.n, 128);
	assert_int_equal(t.characters, 140);
	assert_int_equal(t.cut, 13);
	assert_int_equal(t.unknown, 0);
	assert_int_equal(t.ids[127], model_id(&model, 'b'));
	model_text_free(&t);
	/* 127 characters fit; a byte that is no UTF-8 and a NUL are one unknown character each. */
	text[0] = '\xff';
	text[1] = '\0';
	assert_int_equal(model_text_init(&t, &model, text, 127, &e), OK_STATUS);
	assert_int_equal(t.cut, 0);
	assert_int_equal(t.n, 128);
	assert_int_equal(t.unknown, 2);
	assert_int_equal(t.ids[1], 3);
	model_text_free(&t);
}

static void padded_texts(void **state)
{
	static const size_t wanted[] = { 0, 0, 1, 7, 23, 0 };
	struct model_text t = koen_text(&model, "ab");
	struct error e = { 0 };

	(void)state;
	assert_int_equal(t.last, 2);
	assert_int_equal(model_text_pad(&t, &model, 2, 1, &e), OK_STATUS);
	assert_int_equal(t.n, 6);
	assert_int_equal(t.last, 4);
	assert_memory_equal(t.ids, wanted, sizeof wanted);
	assert_int_equal(model_text_pad(&t, &model, 123, 0, &e), E_VALUE);
	assert_int_equal(model_text_pad(&t, &model, 100, 23, &e), E_VALUE);
	assert_int_equal(t.n, 6);
	assert_int_equal(model_text_pad(&t, &model, 100, 22, &e), OK_STATUS);
	assert_int_equal(t.n, 128);
	model_text_free(&t);
}

/* ---- the forward pass ---- */

static void check_top(const struct model_run *r, const json_t *top)
{
	double p[728];
	struct guess guess[5];
	size_t k;
	const json_t *one;

	model_next(r, r->n - 1, 1, p);
	assert_int_equal(model_top(p, 728, 5, guess), 5);
	assert_int_equal(json_array_size(top), 5);
	json_array_foreach(top, k, one) {
		assert_int_equal(guess[k].id, json_integer_value(json_object_get(one, "id")));
		assert_near(guess[k].p, json_number_value(json_object_get(one, "p")), 1e-4);
	}
}

static void next_characters(void **state)
{
	json_t *all = koen_json("vectors.json"), *one;
	struct model_run r;
	size_t k;

	(void)state;
	start(&r, "");
	assert_int_equal(json_array_size(json_object_get(all, "prompts")), 6);
	json_array_foreach(json_object_get(all, "prompts"), k, one) {
		koen_set(&r, json_string_value(json_object_get(one, "text")));
		check_top(&r, json_object_get(one, "top5"));
	}
	koen_set(&r, "대화 상자를 열고 파일을 저장합니다. 대화 상자를 ");
	double p[728];
	model_next(&r, r.n - 1, 1, p);
	assert_string_equal(model.vocab.text[111], "열");
	assert_near(p[111], 0.7517, 5e-5);
	model_run_free(&r);
	json_decref(all);
}

static void greedy_texts(void **state)
{
	json_t *all = koen_json("vectors.json"), *one;
	struct model_run r;
	size_t k, ids[ROOM];

	(void)state;
	start(&r, "");
	assert_int_equal(json_array_size(json_object_get(all, "greedy")), 6);
	json_array_foreach(json_object_get(all, "greedy"), k, one) {
		struct error e = { 0 };
		enum model_stop why;
		size_t n = koen_ids(json_object_get(one, "ids"), ids, ROOM);
		if (json_number_value(json_object_get(one, "smallest_margin")) < 1e-3)
			continue;
		koen_set(&r, json_string_value(json_object_get(one, "text")));
		size_t before = r.n;
		assert_int_equal(model_continue(&r, 80 - before, &(struct model_draw){ .stream = NULL }, &why, &e), OK_STATUS);
		assert_int_equal(r.n - before, n);
		assert_memory_equal(r.ids + before, ids, n * sizeof *ids);
		assert_int_equal(why, ids[n - 1] == 2 ? STOP_EOS : STOP_COUNT);
	}
	model_run_free(&r);
	json_decref(all);
}

typedef const float *row_function(const struct model_run *r, size_t layer, size_t head, size_t i);

static const float *q_row(const struct model_run *r, size_t l, size_t h, size_t t)
{
	return model_run_vector(r, MODEL_Q, l, h, t);
}

static const float *k_row(const struct model_run *r, size_t l, size_t h, size_t t)
{
	return model_run_vector(r, MODEL_K, l, h, t);
}

static const float *v_row(const struct model_run *r, size_t l, size_t h, size_t t)
{
	return model_run_vector(r, MODEL_V, l, h, t);
}

static void check_array(struct tensors *t, const char *name, const struct model_run *r, row_function *row, size_t columns,
			double tolerance)
{
	const struct npy *a = koen_array(t, name);
	const size_t shape[] = { 3, 4, r->n, columns };

	assert_int_equal(a->rank, 4);
	assert_memory_equal(a->shape, shape, sizeof shape);
	for (size_t k = 0; k < a->count; k++) {
		size_t i = k / columns % r->n, head = k / columns / r->n;
		assert_near(row(r, head / 4, head % 4, i)[k % columns], npy_number(a, k), tolerance);
	}
}

static void check_npz(const char *name, const char *text)
{
	struct error e = { 0 };
	struct tensors t;
	struct model_run r;
	size_t size;
	char *bytes = koen_bytes(name, &size);

	assert_int_equal(tensors_read(&t, bytes, size, name, NULL, &e), OK_STATUS);
	start(&r, "");
	koen_set(&r, text);
	const struct npy *ids = koen_array(&t, "ids"), *logits = koen_array(&t, "logits_last");
	assert_int_equal(ids->count, r.n);
	for (size_t i = 0; i < r.n; i++)
		assert_true(npy_number(ids, i) == (double)r.ids[i]);
	check_array(&t, "q", &r, q_row, 32, 1e-3);
	check_array(&t, "k", &r, k_row, 32, 1e-3);
	check_array(&t, "v", &r, v_row, 32, 1e-3);
	check_array(&t, "scores", &r, model_run_scores, r.n, 1e-3);
	check_array(&t, "weights", &r, model_run_weights, r.n, 1e-4);
	for (size_t k = 0; k < 728; k++)
		assert_near(model_run_logits(&r, r.n - 1)[k], npy_number(logits, k), 1e-3);
	model_run_free(&r);
	tensors_free(&t);
	free(bytes);
}

static void every_layer_and_head(void **state)
{
	(void)state;
	check_npz("koen_ko.npz", "대화 상자를 열고 파일을 저장합니다. 대화 상자를 ");
	check_npz("koen_en.npz", "Opens the dialog box. Click OK. Opens the dialog ");
}

/* y = W x + b by hand, and the same bits by this processor's code and by that for any, one row and many. */
static void matrices(void **state)
{
	enum { IN = 37, OUT = 45, ROWS = 11 };
	float w[OUT * IN], x[ROWS * IN], y[ROWS * OUT], z[ROWS * OUT], one[OUT];
	struct dice d = { 7 };
	struct linear l;
	struct error e = { 0 };

	(void)state;
	for (size_t k = 0; k < OUT * IN; k++)
		w[k] = (float)dice_between(&d, -1, 1);
	for (size_t k = 0; k < ROWS * IN; k++)
		x[k] = (float)dice_between(&d, -1, 1);
	assert_int_equal(linear_init(&l, IN, OUT, &e), OK_STATUS);
	for (size_t k = 0; k < OUT; k++) {
		linear_set_output(&l, k, w + k * IN);
		l.bias[k] = (float)k;
		linear_output(&l, k, z);
		assert_memory_equal(z, w + k * IN, IN * sizeof *w);
	}
	linear_apply(&l, (struct rows){ x, IN }, ROWS, (struct rows){ y, OUT });
	linear_apply_base(&l, (struct rows){ x, IN }, ROWS, (struct rows){ z, OUT });
	assert_memory_equal(y, z, sizeof y);
	for (size_t t = 0; t < ROWS; t++) {
		linear_apply(&l, (struct rows){ x + t * IN, IN }, 1, (struct rows){ one, OUT });
		assert_memory_equal(one, y + t * OUT, sizeof one);
		for (size_t o = 0; o < OUT; o++) {
			double sum = (double)o;
			for (size_t c = 0; c < IN; c++)
				sum += (double)w[o * IN + c] * x[t * IN + c];
			assert_near(y[t * OUT + o], sum, 2e-6 * OUT);
		}
	}
	linear_free(&l);
}

/* GELU(1) = 0.841344746 (the tanh form has 0.841192); the norm of 1, 2, 3, 4 has the variance 1.25. */
static void norm_and_gelu(void **state)
{
	float a[] = { 0, 1, -1, 3 }, x[] = { 1, 2, 3, 4 }, y[4];
	struct norm l;
	struct error e = { 0 };

	(void)state;
	gelu_apply(a, 4);
	assert_near(a[0], 0, 0);
	assert_near(a[1], 0.8413447460685429, 1e-6);
	assert_near(a[2], -0.15865525393145707, 1e-6);
	assert_near(a[3], 2.99595030590511, 1e-6);
	assert_int_equal(norm_init(&l, 4, 0.25f, &e), OK_STATUS);
	for (size_t k = 0; k < 4; k++) {
		l.weight[k] = 2;
		l.bias[k] = (float)k;
	}
	norm_apply(&l, x, 1, y);
	for (size_t k = 0; k < 4; k++)
		assert_near(y[k], (x[k] - 2.5) / sqrt(1.5) * 2 + (double)k, 1e-6);
	norm_free(&l);
}

/* Against the C library, and the same bits by this processor's code and by that for any, wherever in a
 * vector a number stands. */
static void functions_of_vectors(void **state)
{
	enum { N = 4000, ODD = 13 };
	static float x[N], y[N], z[N], one;

	(void)state;
	for (size_t k = 0; k < N; k++)
		x[k] = -(float)k / 40;
	exp_apply(x, 0, N - ODD, y);
	exp_apply_base(x, 0, N - ODD, z);
	assert_memory_equal(y, z, sizeof(float) * (N - ODD));
	for (size_t k = 0; k < N - ODD; k++) {
		double exact = exp(x[k]);
		assert_near(y[k], x[k] >= -87 ? exact : 0, 2.4e-7 * exact);
		exp_apply(x + k, 0, 1, &one);
		assert_true(one == y[k]);
	}
	for (size_t k = 0; k < N; k++)
		y[k] = z[k] = x[k] = ((float)k - N / 2) / 250;
	gelu_apply(y, N - ODD);
	gelu_apply_base(z, N - ODD);
	assert_memory_equal(y, z, sizeof y);
	for (size_t k = 0; k < N - ODD; k++) {
		assert_near(y[k], 0.5 * x[k] * (1 + erf(x[k] / sqrt(2))), 1e-6);
		one = x[k];
		gelu_apply(&one, 1);
		assert_true(one == y[k]);
	}
	assert_true(y[N - 1] == x[N - 1]);
	x[0] = -1;
	x[1] = NAN;
	x[2] = -INFINITY;
	exp_apply(x, 0, 3, y);
	assert_true(y[2] == 0 && isnan(y[1]));
	assert_near(largest_of((const float[]){ -3, -1, -2, -9, -8, -7, -6, -5, -4, -0.5f }, 10), -0.5, 0);
	for (size_t k = 0; k < ODD; k++) {
		y[k] = (float)k;
		z[k] = (float)k / 3.7f;
	}
	divide_apply(y, ODD, 3.7f);
	assert_memory_equal(y, z, ODD * sizeof *y);
	assert_near(sum_of((const float[]){ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, 10), 55, 0);
}

/* ---- interventions ---- */

/* "1,2" of a list, "zero" of a text, else a number. */
static void option_value(char *out, size_t size, const json_t *v)
{
	const json_t *one;
	size_t k;

	*out = '\0';
	json_array_foreach(v, k, one)
		snprintf(out + strlen(out), size - strlen(out), "%s%d", k ? "," : "", (int)json_integer_value(one));
	if (json_is_string(v))
		snprintf(out, size, "%s", json_string_value(v));
	else if (json_is_number(v))
		snprintf(out, size, "%g", json_number_value(v));
	else if (json_is_false(v))
		snprintf(out, size, "off");
}

/* What is done to a head, as words of a plan. */
static void plan_words(char *out, size_t size, const char *head, json_t *what)
{
	const char *name;
	json_t *v;
	bool first = true;
	char value[64];

	if (json_is_true(json_object_get(what, "off"))) {
		snprintf(out + strlen(out), size - strlen(out), "off=%s ", head);
		return;
	}
	json_object_foreach(what, name, v) {
		option_value(value, sizeof value, v);
		snprintf(out + strlen(out), size - strlen(out), first ? "%s:" : "+", head);
		snprintf(out + strlen(out), size - strlen(out), "%s=%s", name, value);
		first = false;
	}
	snprintf(out + strlen(out), size - strlen(out), " ");
	assert_true(strlen(out) < size - 1);
}

static void set_padded(struct model_run *r, const char *text, size_t left)
{
	struct error e = { 0 };
	struct model_text t = koen_text(&model, text);

	assert_int_equal(model_text_pad(&t, &model, left, 0, &e), OK_STATUS);
	assert_int_equal(model_run_set(r, t.ids, t.n, &e), OK_STATUS);
	model_text_free(&t);
}

static void changes_are_carried_through(void **state)
{
	json_t *all = koen_json("interventions.json"), *one, *what;
	size_t k;
	const char *head;

	(void)state;
	assert_int_equal(json_array_size(all), 17);
	json_array_foreach(all, k, one) {
		struct model_run r;
		char words[1000] = "";
		json_object_foreach(json_object_get(one, "plan"), head, what)
			plan_words(words, sizeof words, head, what);
		start(&r, words);
		set_padded(&r, json_string_value(json_object_get(one, "text")), (size_t)json_integer_value(json_object_get(one, "left")));
		check_top(&r, json_object_get(one, "top"));
		assert_near(model_nats(&r), json_number_value(json_object_get(one, "nats")), 1e-4);
		assert_int_equal(model_plan_touches(&r.plan), words[0] != '\0');
		model_run_free(&r);
	}
	json_decref(all);
}

/* A window wider than the text hides nothing, but it has the rows engine compute the head. */
static void rows_and_floats_agree(void **state)
{
	static const char text[] = "대화 상자를 열고 파일을 저장합니다. The quick brown fox jumps over the dialog 대화 상자";
	struct model_run plain, rows;

	(void)state;
	start(&plain, "");
	start(&rows, "all:window=1000");
	assert_true(model_plan_touches(&rows.plan));
	koen_set(&plain, text);
	koen_set(&rows, text);
	for (size_t l = 0; l < 3; l++)
		for (size_t t = 0; t < plain.n; t++)
			for (size_t h = 0; h < 4; h++)
				for (size_t c = 0; c < plain.n; c++) {
					assert_near(model_run_weights(&plain, l, h, t)[c], model_run_weights(&rows, l, h, t)[c], 2e-5);
					assert_near(model_run_scores(&plain, l, h, t)[c], model_run_scores(&rows, l, h, t)[c], 2e-4);
				}
	for (size_t k = 0; k < 128 * plain.n; k++)
		assert_near(model_run_heads(&plain, 0, k / 128)[k % 128], model_run_heads(&rows, 0, k / 128)[k % 128], 2e-6);
	for (size_t k = 0; k < 728; k++)
		assert_near(model_run_logits(&plain, plain.n - 1)[k], model_run_logits(&rows, plain.n - 1)[k], 1e-4);
	model_run_free(&plain);
	model_run_free(&rows);
}

/* ---- threads ---- */

static void same_bits(const struct model_run *a, const struct model_run *b);

/* Shared out to threads, one head like the next and another like none: the same bits as by one. */
static void threads_change_nothing(void **state)
{
	static const char plan[] = "all:causal=off 1.1:pad=3 1.2:dtype=f32 2.0:softmax=column 2.3:bug=no-scale off=0.3";
	struct workers *workers;
	struct model_run alone, shared;
	struct error e = { 0 };

	(void)state;
	assert_int_equal(workers_start(&workers, 3, &e), OK_STATUS);
	start(&alone, plan);
	start(&shared, plan);
	shared.workers = workers;
	for (int k = 0; k < 3; k++) {
		koen_set(&alone, k == 1 ? "가나다라" : "The quick brown fox jumps over the lazy dog. 대화 상자를");
		koen_set(&shared, k == 1 ? "가나다라" : "The quick brown fox jumps over the lazy dog. 대화 상자를");
		same_bits(&alone, &shared);
	}
	model_run_free(&alone);
	model_run_free(&shared);
	workers_stop(workers);
}

/* Of head h key h + 1 is hidden. */
static enum status mask_of_head(struct problem *p, const struct options *o, struct error *e)
{
	enum status s = matrix_init(&p->mask, p->n_q, p->n_k, e);

	p->of_one_head = p->mask_keeps = true;
	p->mask_head = (size_t)o->head;
	for (size_t i = 0; i < p->n_q && !s; i++)
		for (size_t j = 0; j < p->n_k; j++)
			p->mask.v[i * p->n_k + j] = j != p->mask_head + 1;
	return s;
}

/* Heads with the same options do not share what differs between them. */
static void masks_may_differ_by_head(void **state)
{
	struct model_run masks, pads;

	(void)state;
	start(&masks, "1:mask=a-file");
	start(&pads, "1.0:pad=1 1.1:pad=2 1.2:pad=3 1.3:pad=4");
	masks.masks = mask_of_head;
	koen_set(&masks, "The quick brown fox");
	koen_set(&pads, "The quick brown fox");
	same_bits(&masks, &pads);
	model_run_free(&masks);
	model_run_free(&pads);
}

/* ---- the cache ---- */

static void same_bits(const struct model_run *a, const struct model_run *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t l = 0; l < 3; l++)
		for (size_t t = 0; t < a->n; t++) {
			assert_memory_equal(model_run_heads(a, l, t), model_run_heads(b, l, t), 128 * sizeof(float));
			for (size_t h = 0; h < 4; h++) {
				for (int which = MODEL_Q; which <= MODEL_V; which++)
					assert_memory_equal(model_run_vector(a, (enum qkv)which, l, h, t),
							    model_run_vector(b, (enum qkv)which, l, h, t), 32 * sizeof(float));
				assert_memory_equal(model_run_scores(a, l, h, t), model_run_scores(b, l, h, t), a->n * sizeof(float));
				assert_memory_equal(model_run_weights(a, l, h, t), model_run_weights(b, l, h, t), a->n * sizeof(float));
				assert_int_equal(a->visible[(l * 4 + h) * 128 + t], b->visible[(l * 4 + h) * 128 + t]);
			}
		}
	for (size_t t = 0; t < a->n; t++) {
		assert_memory_equal(model_run_logits(a, t), model_run_logits(b, t), 728 * sizeof(float));
		assert_true(a->log_sum[t] == b->log_sum[t]);
	}
}

/* A change as somebody types it: a letter more, a letter less, another letter, many at once. */
static size_t change(size_t *ids, size_t n, struct dice *d)
{
	size_t at = dice_below(d, n);

	switch (dice_below(d, 5)) {
	case 0:
		ids[n < 40 ? n : at] = 4 + dice_below(d, 724);
		return n < 40 ? n + 1 : n;
	case 1:
		return n > 1 ? n - 1 : n;
	case 2:
		ids[at] = 4 + dice_below(d, 724);
		return n;
	case 3:
		memmove(ids + at, ids + at + 1, (n - at - 1) * sizeof *ids);
		return n > 1 ? n - 1 : n;
	default:
		for (size_t t = at; t < 30; t++)
			ids[t] = 4 + dice_below(d, 724);
		return at > 30 ? at : 30;
	}
}

/* Whatever is typed and put in force, one after the other, a run has the bits of one that starts anew. */
static void cache_is_exact(void **state)
{
	static const char *const plans[] = {
		"", "off=0.3", "1.0:causal=off", "all:window=5", "0.1:softmax=column 2.2:scale=none", "", "1:dropout=0.3 off=1.1",
	};
	struct dice d = { 11 };
	size_t ids[ROOM] = { 1 }, n = 1;
	struct model_run kept;
	struct error e = { 0 };

	(void)state;
	start(&kept, "");
	for (size_t k = 0; k < 42; k++) {
		const char *words = plans[k / 3 % (sizeof plans / sizeof *plans)];
		struct model_plan plan;
		struct model_run fresh;
		koen_plan(&plan, &model, words);
		assert_int_equal(model_run_plan(&kept, &plan, &e), OK_STATUS);
		model_plan_free(&plan);
		n = change(ids, n, &d);
		assert_int_equal(model_run_set(&kept, ids, n, &e), OK_STATUS);
		start(&fresh, words);
		assert_int_equal(model_run_set(&fresh, ids, n, &e), OK_STATUS);
		same_bits(&kept, &fresh);
		model_run_free(&fresh);
	}
	model_run_free(&kept);
}

/* After an error the run has no text, and goes on as if it never had one. */
static void errors_leave_no_text(void **state)
{
	struct model_run r, fresh;
	struct error e = { 0 };
	size_t ids[] = { 1, 50, 60, 70, 80, 90 };

	(void)state;
	start(&r, "1.0:pad=4");
	start(&fresh, "1.0:pad=4");
	assert_int_equal(model_run_set(&r, ids, 6, &e), OK_STATUS);
	assert_int_equal(model_run_set(&r, ids, 3, &e), E_VALUE);	/* there is no key 4 */
	assert_int_equal(r.n, 0);
	assert_int_equal(model_run_set(&r, ids, 6, &e), OK_STATUS);
	assert_int_equal(model_run_set(&fresh, ids, 6, &e), OK_STATUS);
	same_bits(&r, &fresh);
	ids[2] = 728;
	assert_int_equal(model_run_set(&r, ids, 6, &e), E_VALUE);
	assert_int_equal(model_run_set(&r, ids, 0, &e), E_VALUE);
	assert_int_equal(model_run_set(&r, ids, 129, &e), E_VALUE);
	assert_int_equal(r.n, 0);
	model_run_free(&r);
	model_run_free(&fresh);
}

/* ---- what comes next ---- */

static void nats_are_means(void **state)
{
	struct model_run r;
	double p[728], sum = 0;

	(void)state;
	start(&r, "");
	koen_set(&r, "");
	assert_true(isnan(model_nats(&r)) && isnan(model_surprise(&r, 0)));
	koen_set(&r, "파일을 저장합니다.");
	for (size_t t = 0; t + 1 < r.n; t++) {
		model_next(&r, t, 1, p);
		assert_near(model_surprise(&r, t), -log(p[r.ids[t + 1]]), 1e-6);
		sum -= log(p[r.ids[t + 1]]);
	}
	assert_near(model_nats(&r), sum / (double)(r.n - 1), 1e-6);
	assert_true(isnan(model_surprise(&r, r.n - 1)));
	model_run_free(&r);
}

/* [PAD] is neither predicted nor predicts. */
static void padding_is_not_counted(void **state)
{
	size_t ids[] = { 0, 0, 1, 50, 60, 0 };
	struct model_run r;
	struct error e = { 0 };

	(void)state;
	start(&r, "");
	assert_int_equal(model_run_set(&r, ids, 6, &e), OK_STATUS);
	assert_true(isnan(model_surprise(&r, 0)) && isnan(model_surprise(&r, 1)) && isnan(model_surprise(&r, 4)));
	assert_near(model_nats(&r), (model_surprise(&r, 2) + model_surprise(&r, 3)) / 2, 1e-12);
	model_run_free(&r);
}

static void top_is_sorted(void **state)
{
	static const double p[] = { 0.1, NAN, 0.3, 0.1, 0.5, NAN };
	static const size_t order[] = { 4, 2, 0, 3, 1, 5 };
	struct guess guess[6];

	(void)state;
	for (size_t most = 0; most <= 6; most++) {
		assert_int_equal(model_top(p, 6, most, guess), most);
		for (size_t k = 0; k < most; k++)
			assert_int_equal(guess[k].id, order[k]);
	}
	assert_int_equal(model_top(p, 2, 6, guess), 2);
}

/* The rule of the header, followed here by other means: the k-th number of
 * default_rng(seed).random(), looked up in the running sum of the probabilities. */
static void draws_follow_their_rule(void **state)
{
	struct model_run drawn, followed;
	struct random stream, same;
	struct error e = { 0 };
	enum model_stop why;
	double p[728];

	(void)state;
	start(&drawn, "");
	start(&followed, "");
	koen_set(&drawn, "To save ");
	koen_set(&followed, "To save ");
	assert_int_equal(random_seed(&stream, &tables, "5", &e), OK_STATUS);
	assert_int_equal(random_seed(&same, &tables, "5", &e), OK_STATUS);
	size_t before = drawn.n, greedy = 0, best = 0;
	assert_int_equal(model_continue(&drawn, 30, &(struct model_draw){ &stream, 1.5 }, &why, &e), OK_STATUS);
	for (size_t t = before; t < drawn.n; t++) {
		double u = random_double(&same), sum = 0;
		size_t id = 0;
		model_next(&followed, t - 1, 1.5, p);
		for (best = 0, sum = p[0]; sum <= u && id < 727; sum += p[++id])
			;
		for (size_t k = 0; k < 728; k++)
			best = p[k] > p[best] ? k : best;
		assert_int_equal(drawn.ids[t], id);
		greedy += id == best;
		assert_int_equal(model_run_set(&followed, drawn.ids, t + 1, &e), OK_STATUS);
	}
	assert_true(greedy < drawn.n - before);
	model_run_free(&drawn);
	model_run_free(&followed);
}

static void texts_end_with_the_context(void **state)
{
	struct model_run r;
	struct error e = { 0 };
	enum model_stop why;

	(void)state;
	start(&r, "");
	koen_set(&r, "셀의 내용을 ");
	assert_int_equal(model_continue(&r, 1000, &(struct model_draw){ .stream = NULL }, &why, &e), OK_STATUS);
	assert_int_equal(why, STOP_CONTEXT);
	assert_int_equal(r.n, 128);
	assert_int_equal(model_continue(&r, 1, &(struct model_draw){ .stream = NULL }, &why, &e), OK_STATUS);
	assert_int_equal(why, STOP_CONTEXT);
	model_run_free(&r);
}

/* ---- heads ---- */

/* [BOS], then 24 different characters twice. */
static size_t repeated(size_t *ids, struct dice *d)
{
	bool taken[728] = { false };

	ids[0] = 1;
	for (size_t k = 0; k < 24;) {
		size_t id = 4 + dice_below(d, 724);
		if (taken[id])
			continue;
		taken[id] = true;
		ids[1 + k] = ids[25 + k] = id;
		k++;
	}
	return 49;
}

/* Mean over `texts` random strings, twice each, of what a head gives to the
 * previous key, and to the one that an induction head looks for. */
static void measure_repeats(const char *words, size_t layer, size_t head, double *previous, double *induction)
{
	struct dice d = { 2017 };
	struct model_run r;
	struct error e = { 0 };
	size_t ids[ROOM], texts = 8, queries = 0;

	start(&r, words);
	*previous = *induction = 0;
	for (size_t k = 0; k < texts; k++) {
		size_t n = repeated(ids, &d);
		assert_int_equal(model_run_set(&r, ids, n, &e), OK_STATUS);
		for (size_t i = 26; i < n; i++, queries++) {
			*previous += model_run_weights(&r, layer, head, i)[i - 1];
			*induction += model_run_weights(&r, layer, head, i)[i - 23];
		}
	}
	*previous /= (double)queries;
	*induction /= (double)queries;
	model_run_free(&r);
}

/* The table of heads in the model's description, as far as it is of random strings. */
static void induction_pair(void **state)
{
	double previous, induction;

	(void)state;
	measure_repeats("", 0, 3, &previous, &induction);
	assert_true(previous >= 0.95 && induction < 0.05);
	measure_repeats("", 1, 0, &previous, &induction);
	assert_near(induction, 0.94, 0.04);
	assert_true(induction >= 0.9 && previous < 0.05);
	measure_repeats("off=0.3", 1, 0, &previous, &induction);
	assert_true(induction <= 0.1);
	measure_repeats("off=0.1", 1, 0, &previous, &induction);
	assert_near(induction, 0.72, 0.08);
	measure_repeats("off=0.0", 1, 0, &previous, &induction);
	assert_near(induction, 0.90, 0.05);
	measure_repeats("", 1, 1, &previous, &induction);
	assert_near(induction, 0.93, 0.05);
	measure_repeats("", 1, 3, &previous, &induction);
	assert_near(induction, 0.87, 0.06);
	measure_repeats("", 1, 2, &previous, &induction);
	assert_near(induction, 0.31, 0.12);
	measure_repeats("", 2, 0, &previous, &induction);
	assert_near(induction, 0.02, 0.02);
}

/* What a head gives to the key before, two back, its own and [BOS]; entropy by its largest. */
struct figures { double previous, two_back, itself, bos, entropy; };

/* Sums over the queries 8 to 95, as in the table; returns how many. */
static size_t add_figures(const struct model_run *r, size_t layer, size_t head, struct figures *f)
{
	size_t queries = 0;

	for (size_t i = 8; i < r->n && i <= 95; i++, queries++) {
		const float *w = model_run_weights(r, layer, head, i);
		double h = 0;
		for (size_t j = 0; j <= i; j++)
			h -= w[j] > 0 ? w[j] * log(w[j]) : 0;
		f->previous += w[i - 1];
		f->two_back += w[i - 2];
		f->itself += w[i];
		f->bos += w[0];
		f->entropy += h / log((double)i + 1);
	}
	return queries;
}

/* The table of heads in the model's description, as far as it is of running text: other texts of
 * the same kind, a few short ones, come near it. */
static void table_of_heads(void **state)
{
	static const char *const text[] = {
		"The document can be opened in another window. Click the button to choose a colour for the text.",
		"Choose a name for the new table, then press Enter. All cells in the first row are filled with the format of the header.",
		"새 문서를 만들려면 파일 메뉴에서 항목을 선택합니다. 셀에 숫자를 입력한 다음 확인을 누르면 표의 서식이 바뀝니다.",
		"선택한 개체의 크기와 위치를 지정합니다. 글꼴 목록에서 이름을 고르고 미리 보기를 엽니다.",
	};
	static const struct figures wanted[12] = {
		{ 0.04, 0.03, 0.03, 0.20, 0.82 }, { 0.16, 0.38, 0.07, 0.01, 0.49 }, { 0.02, 0.02, 0.02, 0.31, 0.70 },
		{ 0.99, 0.00, 0.00, 0.00, 0.01 }, { 0.01, 0.00, 0.04, 0.71, 0.19 }, { 0.00, 0.00, 0.01, 0.76, 0.18 },
		{ 0.03, 0.04, 0.05, 0.32, 0.42 }, { 0.01, 0.01, 0.01, 0.68, 0.22 }, { 0.06, 0.05, 0.05, 0.08, 0.75 },
		{ 0.04, 0.03, 0.11, 0.29, 0.55 }, { 0.07, 0.07, 0.06, 0.03, 0.72 }, { 0.06, 0.05, 0.08, 0.08, 0.70 },
	};
	struct figures got[12] = { { 0 } };
	struct model_run r;
	size_t queries = 0;

	(void)state;
	start(&r, "");
	for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
		koen_set(&r, text[k]);
		for (size_t head = 0; head < 12; head++)
			queries += add_figures(&r, head / 4, head % 4, &got[head]);
	}
	queries /= 12;
	for (size_t head = 0; head < 12; head++) {
		assert_near(got[head].previous / (double)queries, wanted[head].previous, 0.02);
		assert_near(got[head].two_back / (double)queries, wanted[head].two_back, 0.05);
		assert_near(got[head].itself / (double)queries, wanted[head].itself, 0.03);
		assert_near(got[head].bos / (double)queries, wanted[head].bos, 0.15);
		assert_near(got[head].entropy / (double)queries, wanted[head].entropy, 0.08);
	}
	model_run_free(&r);
}

static enum head_name named(const struct model_run *r, size_t layer, size_t head)
{
	return model_head_figures(r, layer, head).name;
}

static void heads_are_named(void **state)
{
	size_t ids[ROOM];
	struct dice d = { 3 };
	struct model_run r;
	struct error e = { 0 };

	(void)state;
	start(&r, "");
	assert_int_equal(model_run_set(&r, ids, repeated(ids, &d), &e), OK_STATUS);
	assert_int_equal(named(&r, 0, 3), HEAD_PREVIOUS);
	assert_int_equal(named(&r, 1, 0), HEAD_INDUCTION);
	assert_int_equal(named(&r, 1, 1), HEAD_INDUCTION);
	assert_int_equal(named(&r, 1, 3), HEAD_INDUCTION);
	assert_true(model_head_figures(&r, 1, 0).figure >= 0.9);
	/* Nothing comes back in the first round: those heads rest. */
	assert_int_equal(model_run_set(&r, ids, 25, &e), OK_STATUS);
	assert_int_equal(named(&r, 0, 3), HEAD_PREVIOUS);
	assert_int_equal(named(&r, 1, 0), HEAD_RESTS);
	assert_int_equal(model_head_figures(&r, 1, 0).followed_queries, 0);
	assert_true(isnan(model_head_figures(&r, 1, 0).followed));
	/* Running text: the rows of the table that are named there. */
	koen_set(&r, "The document can be opened in another window. Click the button to choose a colour for the text.");
	assert_int_equal(named(&r, 0, 0), HEAD_BROAD);
	assert_int_equal(named(&r, 0, 1), HEAD_NONE);
	assert_int_equal(named(&r, 2, 0), HEAD_BROAD);
	/* Too short for a name. */
	koen_set(&r, "abcde");
	assert_int_equal(named(&r, 0, 3), HEAD_NONE);
	model_run_free(&r);
}

/* The figures against a plain count over the weights. */
static void figures_are_means(void **state)
{
	struct model_run r;
	double previous = 0, two_back = 0, itself = 0, bos = 0, entropy = 0;

	(void)state;
	start(&r, "");
	koen_set(&r, "abcabdab");		/* a b c a b d a b: 1 .. 8 */
	struct head_figures f = model_head_figures(&r, 2, 1);
	for (size_t i = 3; i < 9; i++) {
		const float *w = model_run_weights(&r, 2, 1, i);
		double h = 0;
		previous += w[i - 1] / 6;
		two_back += w[i - 2] / 6;
		itself += w[i] / 6;
		bos += w[0] / 6;
		for (size_t j = 0; j <= i; j++)
			h -= w[j] * log(w[j]);
		entropy += h / log((double)i + 1) / 6;
	}
	assert_int_equal(f.queries, 6);
	assert_near(f.previous, previous, 1e-7);
	assert_near(f.two_back, two_back, 1e-7);
	assert_near(f.itself, itself, 1e-7);
	assert_near(f.bos, bos, 1e-7);
	assert_near(f.entropy, entropy, 1e-6);
	/* a at 4 -> 2, b at 5 -> 3, a at 7 -> 5, b at 8 -> 6 */
	assert_int_equal(f.followed_queries, 4);
	assert_near(f.followed, (model_run_weights(&r, 2, 1, 4)[2] + model_run_weights(&r, 2, 1, 5)[3] +
				 model_run_weights(&r, 2, 1, 7)[5] + model_run_weights(&r, 2, 1, 8)[6]) / 4, 1e-7);
	assert_int_equal(model_followed(&r, 3), 0);
	koen_set(&r, "aab");
	assert_int_equal(model_followed(&r, 2), 0);	/* what followed is the query itself */
	model_run_free(&r);
}

/* On the right the causal mask hides it, and the rest is as without; on the left only --pad does. */
static void padding_is_seen(void **state)
{
	static const size_t plain[] = { 1, 7, 23, 15, 7, 23, 14, 7, 23 }, right[] = { 1, 7, 23, 15, 7, 23, 14, 7, 23, 0, 0 };
	static const size_t left[] = { 0, 0, 1, 7, 23, 15, 7, 23, 14, 7, 23 };
	struct model_run r, masked;
	struct head_figures a, b;
	struct error e = { 0 };

	(void)state;
	start(&r, "");
	start(&masked, "all:pad=0,1");
	assert_int_equal(model_run_set(&r, plain, 9, &e), OK_STATUS);
	a = model_head_figures(&r, 1, 0);
	assert_int_equal(model_pad_seen(&r), 0);
	assert_int_equal(model_run_set(&r, right, 11, &e), OK_STATUS);
	b = model_head_figures(&r, 1, 0);
	assert_memory_equal(&a, &b, sizeof a);
	assert_int_equal(model_pad_seen(&r), 0);
	assert_int_equal(model_followed(&r, 10), 0);
	assert_int_equal(model_run_set(&r, left, 11, &e), OK_STATUS);
	assert_int_equal(model_pad_seen(&r), 9);
	assert_int_equal(model_head_figures(&r, 1, 0).queries, 6);
	/* The rows of [PAD] see nothing then: NaN, which spreads from layer to layer. */
	assert_int_equal(model_run_set(&masked, left, 11, &e), OK_STATUS);
	assert_true(isnan(model_run_logits(&masked, 10)[0]));
	for (size_t k = 0; k < 12; k++)
		assert_int_equal(option_set(masked.plan.head[k].options, OPT_EMPTY_ROW, "zero", &e), OK_STATUS);
	assert_int_equal(model_run_set(&masked, plain, 9, &e), OK_STATUS);
	assert_int_equal(model_run_set(&masked, left, 11, &e), OK_STATUS);
	assert_int_equal(model_pad_seen(&masked), 0);
	assert_false(isnan(model_run_logits(&masked, 10)[0]));
	model_run_free(&r);
	model_run_free(&masked);
}

/* Entropy is of the keys that are visible: with all hidden but one it is 0. */
static void hidden_keys_do_not_count(void **state)
{
	struct model_run r;

	(void)state;
	start(&r, "1.0:window=1 1.1:window=2");
	koen_set(&r, "abcabdab");
	assert_near(model_head_figures(&r, 1, 0).entropy, 0, 0);
	assert_near(model_head_figures(&r, 1, 0).itself, 1, 0);
	assert_int_equal(r.visible[(4 + 1) * 128 + 5], 2);
	model_run_free(&r);
}

static void sets_of_heads(void **state)
{
	static const char *const bad[] = { "", "3", "0.4", "1.", ".1", "1.0.0", "-1", "+1", "a", "alle", " 1", "0.99999999999999999999" };
	struct head_set s;
	struct error e = { 0 };

	(void)state;
	assert_int_equal(head_set_parse(&s, &model, "all", 3, &e), OK_STATUS);
	assert_true(head_set_has(&s, 0, 0) && head_set_has(&s, 2, 3));
	assert_int_equal(head_set_parse(&s, &model, "1", 1, &e), OK_STATUS);
	assert_true(head_set_has(&s, 1, 3) && !head_set_has(&s, 2, 3));
	assert_int_equal(head_set_parse(&s, &model, "2.1", 3, &e), OK_STATUS);
	assert_true(head_set_has(&s, 2, 1) && !head_set_has(&s, 2, 0) && !head_set_has(&s, 1, 1));
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
		assert_int_equal(head_set_parse(&s, &model, bad[k], strlen(bad[k]), &e), E_VALUE);
	assert_true(head_set_has(&s, 2, 1));	/* as it was */
}

/* Which head is shown, and how, and what holds anyway, touches nothing. */
static void plans_touch(void **state)
{
	static const char *const nothing[] = { "", "all:head=2", "1:layer=2", "all:stage=scores", "1.0:causal=on", "0:precision=2" };
	static const struct { const char *words; size_t not_causal; } something[] = {
		{ "off=0.3", 0 }, { "1.0:causal=off", 1 }, { "all:causal=off", 12 }, { "2:causal=off off=2.1", 3 }, { "0.0:pad=1", 0 },
	};

	(void)state;
	for (size_t k = 0; k < sizeof nothing / sizeof *nothing; k++) {
		struct model_plan p;
		koen_plan(&p, &model, nothing[k]);
		assert_false(model_plan_touches(&p));
		model_plan_free(&p);
	}
	for (size_t k = 0; k < sizeof something / sizeof *something; k++) {
		struct model_plan p;
		koen_plan(&p, &model, something[k].words);
		assert_true(model_plan_touches(&p));
		assert_int_equal(model_plan_not_causal(&p), something[k].not_causal);
		model_plan_free(&p);
	}
}

/* ---- a layer as a scenario ---- */

static void layers_are_scenarios(void **state)
{
	struct model_run r;
	struct scenario s;
	struct problem p = { 0 };
	struct attention a;
	struct row row;
	struct error e = { 0 };

	(void)state;
	start(&r, "");
	koen_set(&r, "대화 상자를 열고 ");
	assert_int_equal(model_run_scenario(&r, 1, "live", &s, &e), OK_STATUS);
	assert_string_equal(s.query_tokens.text[0], "[BOS]");
	s.set.head = 2;
	assert_int_equal(problem_build(&p, &s, &s.set, &s.edits, &tables, &e), OK_STATUS);
	assert_int_equal(p.heads, 4);
	assert_int_equal(p.d_model, 128);
	assert_int_equal(attention_init(&a, &p, &s.set, &tables, &e), OK_STATUS);
	assert_int_equal(row_init(&row, &a, &e), OK_STATUS);
	for (size_t i = 0; i < r.n; i++) {
		row_compute(&row, &a, i, STAGE_SCORES, STAGE_OUTPUT);
		for (size_t j = 0; j < r.n; j++) {
			assert_near(row.weights[j], model_run_weights(&r, 1, 2, i)[j], 1e-6);
			assert_near(row.scaled[j], model_run_scores(&r, 1, 2, i)[j], 1e-5);
		}
		for (size_t c = 0; c < 32; c++)
			assert_near(row.output[c], model_run_heads(&r, 1, i)[64 + c], 1e-5);
	}
	row_free(&row);
	attention_free(&a);
	problem_free(&p);
	scenario_free(&s);
	model_run_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_read),
		cmocka_unit_test(texts_become_ids),
		cmocka_unit_test(long_and_odd_texts),
		cmocka_unit_test(padded_texts),
		cmocka_unit_test(next_characters),
		cmocka_unit_test(greedy_texts),
		cmocka_unit_test(every_layer_and_head),
		cmocka_unit_test(matrices),
		cmocka_unit_test(norm_and_gelu),
		cmocka_unit_test(functions_of_vectors),
		cmocka_unit_test(changes_are_carried_through),
		cmocka_unit_test(rows_and_floats_agree),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(masks_may_differ_by_head),
		cmocka_unit_test(cache_is_exact),
		cmocka_unit_test(errors_leave_no_text),
		cmocka_unit_test(nats_are_means),
		cmocka_unit_test(padding_is_not_counted),
		cmocka_unit_test(top_is_sorted),
		cmocka_unit_test(draws_follow_their_rule),
		cmocka_unit_test(texts_end_with_the_context),
		cmocka_unit_test(induction_pair),
		cmocka_unit_test(table_of_heads),
		cmocka_unit_test(heads_are_named),
		cmocka_unit_test(figures_are_means),
		cmocka_unit_test(padding_is_seen),
		cmocka_unit_test(hidden_keys_do_not_count),
		cmocka_unit_test(sets_of_heads),
		cmocka_unit_test(plans_touch),
		cmocka_unit_test(layers_are_scenarios),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
