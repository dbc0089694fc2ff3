/* test_tensor_scenario.c - scenarios from the arrays of a file.
 *
 * Numbers of data/tensors were computed with NumPy 1.24.2 in double; weights of made
 * files by tensors_make.c. Surroundings: QKV_TEST_DATA.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/scenario_yaml.h"
#include "core/io/tensor_scenario.h"
#include "core/row.h"
#include "tests/alloc.h"
#include "tests/tensors_make.h"

/* ---- tools ---- */

static const struct tensor_choice first = { NULL, NULL, -1, -1, false };

static void open_part(struct scenario *s, struct made *m, const char *name, const struct tensor_choice *choice)
{
	struct error e = { 0 };

	if (tensor_scenario(s, &m->t, name, name, choice, &e))
		fail_msg("%s: %s %s", name, e.option, e.text);
}

static void open_file(struct scenario *s, const char *file, long layer, long batch)
{
	const struct tensor_choice choice = { NULL, NULL, layer, batch, false };
	struct made m;

	read_tensors(&m, file);
	open_part(s, &m, file, &choice);
	made_free(&m);
}

static void open_made(struct scenario *s, struct making *m)
{
	struct made made;

	make_tensors(&made, m);
	open_part(s, &made, "dir/made.safetensors", &first);
	made_free(&made);
}

static void check_option(const struct scenario *s, enum option o, const char *wanted)
{
	struct buffer text = { 0 };

	option_text(&s->set, o, &text);
	if (strcmp(text.data ? text.data : "", wanted))
		fail_msg("%s is %s, expected %s", option_info(o)->name, text.data, wanted);
	buffer_free(&text);
}

static void check_title(const struct scenario *s, const char *part)
{
	if (!strstr(title_in(&s->title, "en"), part))
		fail_msg("'%s' does not say '%s'", title_in(&s->title, "en"), part);
}

static void check_near(double x, double y, double within)
{
	if (!(fabs(x - y) <= within))
		fail_msg("%.9g is not %.9g within %g", x, y, within);
}

/* The scenario's attention, with options as they are. */
struct running {
	struct random_tables tables;
	struct problem problem;
	struct attention attention;
	struct row row;
};

static struct running *start(const struct scenario *s, const struct options *o)
{
	struct running *r = calloc(1, sizeof *r);
	struct error e = { 0 };

	assert_non_null(r);
	if (random_tables_init(&r->tables, &e) || problem_build(&r->problem, s, o, &s->edits, &r->tables, &e) ||
	    attention_init(&r->attention, &r->problem, o, &r->tables, &e) || row_init(&r->row, &r->attention, &e))
		fail_msg("%s %s", e.option, e.text);
	return r;
}

static void stop(struct running *r)
{
	row_free(&r->row);
	attention_free(&r->attention);
	problem_free(&r->problem);
	free(r);
}

/* ---- a decoder ---- */

static void numbers_of_a_layer(void **state)
{
	static const double weights[] = { 0.34607425, 0.20193496, 0.03703931, 0.41495148 };
	static const double output[] = { 0.16645873, 0.01807339, 0.25537825 };
	struct scenario s;

	(void)state;
	open_file(&s, "koen_lm_ko.npz", 1, -1);
	assert_string_equal(s.name, "koen_lm_ko.npz");
	assert_int_equal(s.source, SOURCE_QKV);
	assert_int_equal(s.array[ARRAY_Q].n, 4);
	assert_int_equal(s.part.layers, 3);
	assert_int_equal(s.part.layer, 1);
	check_option(&s, OPT_CAUSAL, "on");
	check_option(&s, OPT_SCALE, "sqrt");
	check_option(&s, OPT_LAYER, "1");
	check_title(&s, "recomputed from Q and K: agrees within 1.2e-7; causal; layer 1 of 3; 4 heads");
	check_near(s.array[ARRAY_Q].head[2].v[3 * 24], -0.92533123, 1e-8);
	check_near(s.array[ARRAY_Q].head[2].v[3 * 24 + 1], -0.00969866, 1e-8);
	assert_string_equal(s.key_tokens.text[5], "자");
	assert_string_equal(s.query_tokens.text[5], "자");
	s.set.head = 2;
	struct running *r = start(&s, &s.set);
	row_compute(&r->row, &r->attention, 3, STAGE_SCORES, STAGE_OUTPUT);
	for (int j = 0; j < 4; j++)
		check_near(r->row.weights[j], weights[j], 1e-8);
	assert_true(r->row.weights[4] == 0);
	for (int c = 0; c < 3; c++)
		check_near(r->row.output[c], output[c], 1e-8);
	stop(r);
	scenario_free(&s);
	open_file(&s, "koen_lm_ko.npz", 2, 0);
	check_near(s.array[ARRAY_K].head[3].v[28 * 24 + 23], 1.363254189491272, 0);
	scenario_free(&s);
	open_file(&s, "koen_lm_ko.npz", -1, -1);
	check_near(s.array[ARRAY_V].head[0].v[5 * 24 + 7], 0.1719578504562378, 0);
	assert_int_equal(s.part.layer, 0);
	scenario_free(&s);
}

/* What is open is one layer: options that speak of another are refused. */
static void another_layer(void **state)
{
	struct scenario s;
	struct running *r = calloc(1, sizeof *r);
	struct error e = { 0 };

	(void)state;
	open_file(&s, "koen_lm_ko.npz", 1, -1);
	assert_int_equal(random_tables_init(&r->tables, &e), OK_STATUS);
	assert_int_equal(problem_build(&r->problem, &s, &s.set, &s.edits, &r->tables, &e), OK_STATUS);
	s.set.layer = 2;
	assert_int_equal(attention_init(&r->attention, &r->problem, &s.set, &r->tables, &e), E_VALUE);
	assert_string_equal(e.option, "layer 2");
	assert_string_equal(e.text, "1 is open; another is chosen when the file is opened");
	s.set.layer = 1;
	s.set.batch = 1;
	assert_int_equal(attention_init(&r->attention, &r->problem, &s.set, &r->tables, &e), E_VALUE);
	assert_string_equal(e.text, "there is only 1, counted from 0");
	problem_free(&r->problem);
	free(r);
	scenario_free(&s);
}

/* The keys from `from` to 39. */
static void check_pad(const struct scenario *s, long from)
{
	assert_int_equal(s->set.pad.n, 40 - from);
	assert_int_equal(s->set.pad.v[0], from);
	assert_int_equal(s->set.pad.v[s->set.pad.n - 1], 39);
}

static void padding_becomes_a_list(void **state)
{
	struct scenario s;

	(void)state;
	open_file(&s, "koen_mlm_pad.safetensors", -1, -1);
	check_pad(&s, 22);
	check_option(&s, OPT_CAUSAL, "off");
	check_option(&s, OPT_MASK, "none");
	check_title(&s, "18 pad keys");
	check_title(&s, "batch 0 of 4");
	assert_string_equal(s.key_tokens.text[22], "[PAD]");
	scenario_free(&s);
	open_file(&s, "koen_mlm_pad.safetensors", 2, 2);
	check_option(&s, OPT_PAD, "none");
	check_option(&s, OPT_BATCH, "2");
	scenario_free(&s);
	open_file(&s, "koen_mlm_pad.safetensors", 0, 3);
	check_pad(&s, 14);
	scenario_free(&s);
}

static void check_refused(const char *file, struct tensor_choice choice, enum status status, const char *option, const char *text)
{
	struct made m;
	struct scenario s;
	struct error e = { 0 };

	read_tensors(&m, file);
	assert_int_equal(tensor_scenario(&s, &m.t, file, file, &choice, &e), status);
	assert_string_equal(e.option, option);
	if (!strstr(e.text, text))
		fail_msg("'%s' does not say '%s'", e.text, text);
	made_free(&m);
}

static void refusals(void **state)
{
	(void)state;
	check_refused("koen_lm_ko.npz", (struct tensor_choice){ NULL, NULL, 3, -1, false }, E_VALUE, "layer 3", "3 layers, 0 to 2");
	check_refused("koen_lm_ko.npz", (struct tensor_choice){ NULL, NULL, -1, 1, false }, E_VALUE, "batch 1", "1 batch");
	check_refused("koen_mlm_pad.safetensors", (struct tensor_choice){ NULL, NULL, -1, 4, false }, E_VALUE, "batch 4", "4 batches");
	check_refused("koen_lm_ko.npz", (struct tensor_choice){ "q=w", NULL, -1, -1, false }, E_VALUE, "as q=w", "no array is named 'w'");
	check_refused("koen_lm_ko.npz", (struct tensor_choice){ NULL, "x", -1, -1, false }, E_VALUE, "layout x", "'x' is no axis");
}

/* ---- grouped queries, masks, scale ---- */

enum { N = 5, D = 4 };

/* Four query heads share two of keys; v is that of its keys' head. */
static void grouped_queries(void **state)
{
	double q[4 * N * D], k[2 * N * D], v[2 * N * D];
	struct making m = { 0 };
	struct scenario s;

	(void)state;
	some_numbers(q, 4 * N * D, 1);
	some_numbers(k, 2 * N * D, 2);
	some_numbers(v, 2 * N * D, 3);
	make_array(&m, "q", "F64", "4, 5, 4", q);
	make_array(&m, "k", "F64", "2, 5, 4", k);
	make_array(&m, "v", "F64", "2, 5, 4", v);
	open_made(&s, &m);
	for (size_t h = 0; h < 4; h++) {
		assert_memory_equal(s.array[ARRAY_Q].head[h].v, q + h * N * D, N * D * sizeof *q);
		assert_memory_equal(s.array[ARRAY_K].head[h].v, k + h / 2 * N * D, N * D * sizeof *k);
		assert_memory_equal(s.array[ARRAY_V].head[h].v, v + h / 2 * N * D, N * D * sizeof *v);
	}
	check_title(&s, "no weights to compare with");
	check_title(&s, "4 heads, 2 of keys");
	assert_int_equal(s.key_tokens.n, 0);
	scenario_free(&s);
}

/* Q and K of one query each in two batches, of which the second sees no last key. */
static void masks_of_cells(void **state)
{
	static const double mask[N * N] = { [3] = -1e9, [9] = -1.5, [24] = -INFINITY };
	double q[N * D], k[N * D], w[N * N];
	struct making m = { 0 };
	struct scenario s;

	(void)state;
	some_numbers(q, N * D, 1);
	some_numbers(k, N * D, 2);
	weights_of(w, q, k, N, N, D, 0.3, false, 0, mask);
	make_array(&m, "q", "F64", "5, 4", q);
	make_array(&m, "k", "F64", "5, 4", k);
	make_array(&m, "attn", "F64", "5, 5", w);
	make_array(&m, "attn_mask", "F64", "1, 1, 5, 5", mask);
	make_metadata(&m, "scale", "0.3");
	open_made(&s, &m);
	check_option(&s, OPT_MASK, "dir/made.safetensors:attn_mask");
	check_option(&s, OPT_SCALE, "0.3");
	check_title(&s, "agrees within");
	assert_int_equal(s.array[ARRAY_V].n, 0);
	struct running *r = start(&s, &s.set);		/* without V the output is the weights */
	assert_true(r->problem.identity_v);
	assert_int_equal(r->problem.d_v, N);
	stop(r);
	scenario_free(&s);
}

static void cached_steps(void **state)
{
	double q[2 * D], k[N * D], w[2 * N];
	struct making m = { 0 };
	struct scenario s;

	(void)state;
	some_numbers(q, 2 * D, 1);
	some_numbers(k, N * D, 2);
	weights_of(w, q, k, 2, N, D, 0.5, true, N - 2, NULL);
	make_array(&m, "q", "F64", "2, 4", q);
	make_array(&m, "k", "F64", "5, 4", k);
	make_array(&m, "attn", "F64", "2, 5", w);
	make_metadata(&m, "tokens", "[\"a\",\"b\",\"c\",\"d\",\"e\"]");
	open_made(&s, &m);
	check_option(&s, OPT_CAUSAL, "on");
	check_option(&s, OPT_CAUSAL_ALIGN, "bottom-right");
	assert_string_equal(s.query_tokens.text[0], "d");
	struct running *r = start(&s, &s.set);
	for (size_t i = 0; i < 2; i++) {
		row_compute(&r->row, &r->attention, i, STAGE_SCORES, STAGE_WEIGHTS);
		for (size_t j = 0; j < N; j++)
			check_near(r->row.weights[j], w[i * N + j], 1e-15);
	}
	stop(r);
	scenario_free(&s);
}

/* ---- weights and scores alone ---- */

static void finished_weights(void **state)
{
	double w[N * N], q[N * D];
	struct making m = { 0 };
	struct scenario s;

	(void)state;
	some_numbers(q, N * D, 1);
	weights_of(w, q, q, N, N, D, 0.5, true, 0, NULL);
	make_array(&m, "attentions.0", "F64", "1, 1, 5, 5", NULL);
	make_array(&m, "attentions.2", "F32", "1, 1, 5, 5", w);
	make_array(&m, "past_key_values.2.value", "F32", "1, 1, 5, 4", q);
	struct made made;
	make_tensors(&made, &m);
	open_part(&s, &made, "a.safetensors", &(struct tensor_choice){ NULL, NULL, 2, -1, false });
	made_free(&made);
	assert_int_equal(s.source, SOURCE_WEIGHTS);
	assert_int_equal(s.array[ARRAY_V].n, 1);
	assert_int_equal(s.part.layers, 2);
	assert_int_equal(s.part.layer, 2);
	check_near(s.part.rounding, 1e-5, 0);
	check_option(&s, OPT_CAUSAL, "off");
	check_title(&s, "the stored weights; none above the diagonal; layer 2 of 2");
	/* Rows of float32 are as good as they can be. */
	struct running *r = start(&s, &s.set);
	for (size_t i = 0; i < N; i++) {
		row_compute(&r->row, &r->attention, i, STAGE_WEIGHTS, STAGE_OUTPUT);
		assert_int_equal(r->row.verdict, VERDICT_OK);
	}
	s.part.rounding = 0;
	stop(r);
	scenario_free(&s);
}

/* One row of bfloat16 sums to 1.0078125: as little as its type can do; of float64 it is too much. */
static void verdict_by_type(void **state)
{
	static const unsigned char bf16[] = { 0x80, 0x3f, 0x00, 0x3c };	/* 1, 2^-7 */
	static const double f64[] = { 1, 0.0078125 };
	struct made made = { 0 };
	struct making m = { 0 };
	struct scenario s;
	struct error e = { 0 };
	struct buffer header = { 0 };

	(void)state;
	buffer_text(&header, "{\"attn\":{\"dtype\":\"BF16\",\"shape\":[1,2],\"data_offsets\":[0,4]}}");
	buffer_put(&made.bytes, (unsigned char[8]){ (unsigned char)header.size }, 8);
	buffer_put(&made.bytes, header.data, header.size);
	buffer_put(&made.bytes, bf16, sizeof bf16);
	buffer_free(&header);
	assert_int_equal(tensors_read(&made.t, made.bytes.data, made.bytes.size, "a.safetensors", NULL, &e), OK_STATUS);
	open_part(&s, &made, "a.safetensors", &first);
	made_free(&made);
	check_near(s.part.rounding, 2.0 / 256, 0);
	struct running *r = start(&s, &s.set);
	row_compute(&r->row, &r->attention, 0, STAGE_WEIGHTS, STAGE_WEIGHTS);
	assert_int_equal(r->row.verdict, VERDICT_OK);
	stop(r);
	scenario_free(&s);
	make_array(&m, "attn", "F64", "1, 2", f64);
	open_made(&s, &m);
	r = start(&s, &s.set);
	row_compute(&r->row, &r->attention, 0, STAGE_WEIGHTS, STAGE_WEIGHTS);
	assert_int_equal(r->row.verdict, VERDICT_HIGH);
	stop(r);
	scenario_free(&s);
}

/* What the masks of a file ask of its finished weights is for verify to check. */
static void expectations_of_weights(void **state)
{
	static const double w[] = { 1, 0, 0, 0.5, 0.5, 0, 0.25, 0.5, 0.25 }, keep[] = { 1, 1, 0 };
	struct making m = { 0 };
	struct scenario s;

	(void)state;
	make_array(&m, "attn", "F32", "1, 1, 3, 3", w);
	make_array(&m, "attention_mask", "I64", "1, 3", keep);
	make_metadata(&m, "mask", "causal");
	open_made(&s, &m);
	assert_int_equal(s.source, SOURCE_WEIGHTS);
	check_option(&s, OPT_CAUSAL, "on");
	check_option(&s, OPT_PAD, "2");
	scenario_free(&s);
}

static void stored_scores(void **state)
{
	double x[3 * 3] = { 1, -INFINITY, -INFINITY, 2, 3, -INFINITY, 4, 5, 6 };
	struct making m = { 0 };
	struct scenario s;

	(void)state;
	make_array(&m, "blocks.0.attn.hook_attn_scores", "F32", "1, 1, 3, 3", x);
	make_array(&m, "blocks.0.attn.hook_v", "F32", "1, 3, 1, 2", NULL);
	open_made(&s, &m);
	assert_int_equal(s.source, SOURCE_SCORES);
	check_option(&s, OPT_CAUSAL, "on");
	check_near(s.array[ARRAY_SCORES].head[0].v[7], 5, 0);
	assert_int_equal(s.array[ARRAY_V].head[0].columns, 2);
	scenario_free(&s);
}

/* ---- saving ---- */

/* The part of the file stays known, so that options of layer and batch are right. */
static void saved_and_read_back(void **state)
{
	struct scenario s, back;
	struct buffer yaml = { 0 };
	struct error e = { 0 };

	(void)state;
	open_file(&s, "koen_mlm_pad.safetensors", 2, 1);
	scenario_write(&yaml, &s, &s.set, &s.edits);
	if (scenario_parse(&back, yaml.data, yaml.size, "back.yaml", &e))
		fail_msg("%u:%u: %s", e.line, e.column, e.text);
	assert_true(options_equal(&back.set, &s.set));
	assert_memory_equal(&back.part.layers, &s.part.layers, sizeof back.part.layers);
	assert_int_equal(back.part.layer, 2);
	assert_int_equal(back.part.batch, 1);
	assert_int_equal(back.part.batches, 4);
	stop(start(&back, &back.set));
	buffer_free(&yaml);
	scenario_free(&back);
	scenario_free(&s);
	/* Q and K without V, and weights with their rounding. */
	static const double w[] = { 0.5, 0.5, 0.25, 0.75 };
	for (int weights = 0; weights < 2; weights++) {
		struct making m = { 0 };
		make_array(&m, weights ? "attn" : "q", "F32", "2, 2", w);
		if (!weights)
			make_array(&m, "k", "F32", "2, 2", w);
		open_made(&s, &m);
		yaml = (struct buffer){ 0 };
		s.part.bf16 = weights;
		scenario_write(&yaml, &s, &s.set, &s.edits);
		if (scenario_parse(&back, yaml.data, yaml.size, "back.yaml", &e))
			fail_msg("%u:%u: %s", e.line, e.column, e.text);
		check_near(back.part.rounding, weights ? 1e-5 : 0, 0);
		assert_int_equal(back.part.bf16, weights);
		assert_int_equal(back.array[ARRAY_V].n, 0);
		buffer_free(&yaml);
		scenario_free(&back);
		scenario_free(&s);
	}
}

/* ---- limits ---- */

/* 16385 x 16385 weights are more than are taken; nothing of their size is allocated for that. */
static void too_many_numbers(void **state)
{
	enum { LARGE = 16385 };
	size_t size = 128 + (size_t)LARGE * LARGE;
	char *bytes = calloc(size, 1);
	struct tensors t;
	struct scenario s;
	struct error e = { 0 };

	(void)state;
	assert_non_null(bytes);
	memcpy(bytes, "\x93NUMPY\x01\x00\x76\x00", 10);
	snprintf(bytes + 10, 119, "%-117s\n", "{'descr': '|u1', 'fortran_order': False, 'shape': (16385, 16385), }");
	assert_int_equal(tensors_read(&t, bytes, size, "a.npy", NULL, &e), OK_STATUS);
	assert_int_equal(tensor_scenario(&s, &t, "a.npy", "a.npy", &first, &e), E_LIMIT);
	assert_non_null(strstr(e.text, "(16385, 16385) scores in 1 heads, more than"));
	tensors_free(&t);
	free(bytes);
}

static void short_memory(void **state)
{
	double q[N * D], w[N * N];
	struct making m = { 0 };
	struct made made;
	enum status status = E_MEMORY;
	size_t n = 0;

	(void)state;
	some_numbers(q, N * D, 1);
	weights_of(w, q, q, N, N, D, 0.5, true, 0, NULL);
	make_array(&m, "q", "F64", "2, 5, 2", q);
	make_array(&m, "k", "F64", "2, 5, 2", q);
	make_array(&m, "v", "F64", "2, 5, 2", q);
	make_array(&m, "attn", "F64", "2, 5, 5", NULL);
	make_array(&m, "pt_attn", "F64", "5, 5", w);
	make_array(&m, "attn_mask", "F32", "5, 5", NULL);
	make_metadata(&m, "tokens", "[\"a\",\"b\",\"c\",\"d\",\"e\"]");
	make_tensors(&made, &m);
	while (status == E_MEMORY) {
		struct scenario s;
		struct error e = { 0 };
		alloc_fail(++n);
		status = tensor_scenario(&s, &made.t, "a.safetensors", "a.safetensors", &first, &e);
		alloc_fail(0);
		if (!status)
			scenario_free(&s);
	}
	assert_int_equal(status, OK_STATUS);
	assert_true(n > 50);
	made_free(&made);
}

/* ---- anything ---- */

static unsigned any(uint64_t *x, unsigned n)
{
	*x = *x * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(*x >> 33) % n;
}

/* Arrays of any name, type and small shape: something comes of it, or an error with words. */
static void random_file(struct making *m, uint64_t *x)
{
	static const char *const names[] = {
		"q", "k", "v", "attn", "scores", "att", "blocks.0.attn.hook_q", "blocks.0.attn.hook_rot_q", "blocks.0.attn.hook_rot_k",
		"blocks.0.attn.hook_k", "blocks.1.attn.hook_pattern", "attentions.1", "past_key_values.1.key", "layers.0.q_proj",
		"layers.0.k_proj", "attention_mask", "attn_mask", "key_padding_mask", "position_bias", "scale", "input_ids", "tokens",
		"cross.q", "cross.k", "x", "a.weight", "output", "mask", "",
	};
	static const char *const types[] = { "F64", "F32", "F32", "I64", "BOOL" };
	unsigned first_name = any(x, 29), step = 1 + any(x, 28);	/* 29 is prime: no name comes twice */

	for (unsigned i = 0, n = 1 + any(x, 7); i < n; i++) {
		char shape[80] = "";
		int used = 0, rank = any(x, 20) ? (int)any(x, 5) + 1 : 0;
		double v[1024];
		for (int k = 0; k < rank; k++)
			used += snprintf(shape + used, sizeof shape - (size_t)used, "%s%u", k ? ", " : "", any(x, 50) ? (unsigned[]){ 2, 2, 2, 2, 3, 1 }[any(x, 6)] : 0);
		some_numbers(v, 1024, any(x, 1000));
		for (int k = 0; k < 3 && !any(x, 4); k++)
			v[any(x, 16)] = (double[]){ NAN, INFINITY, -INFINITY, -1e9 }[any(x, 4)];
		make_array(m, names[(first_name + i * step) % 29], types[any(x, 5)], shape, v);
	}
	if (!any(x, 4))
		make_metadata(m, "tokens", any(x, 2) ? "[\"a\",\"b\",\"c\"]" : "[[\"a\",\"b\"],[\"c\"]]");
	if (!any(x, 4))
		make_metadata(m, "heads", any(x, 2) ? "2" : "65536");
}

static void random_files(void **state)
{
	static const char *const as[] = { NULL, NULL, NULL, NULL, "weights", "q=x,k=k", "scores=x", "mask=x", "q=blocks.*.attn.hook_q" };
	static const char *const layout[] = { NULL, NULL, NULL, NULL, "head,query,dim", "batch,head,query,key", "key,query", "layer,query,head,dim" };
	uint64_t x = 20;
	unsigned opened = 0;

	(void)state;
	for (int round = 0; round < 4000; round++) {
		const struct tensor_choice choice = { as[any(&x, 9)], layout[any(&x, 8)], (long)any(&x, 4) - 2, (long)any(&x, 4) - 2, false };
		struct making m = { 0 };
		struct made made = { 0 };
		struct scenario s;
		struct error e = { 0 };
		random_file(&m, &x);
		made.bytes = make_bytes(&m);
		if (!tensors_read(&made.t, made.bytes.data, made.bytes.size, "a.safetensors", NULL, &e)) {
			if (!tensor_scenario(&s, &made.t, "a.safetensors", any(&x, 2) ? "a.safetensors" : NULL, &choice, &e)) {
				opened++;
				stop(start(&s, &s.set));
				scenario_free(&s);
			} else {
				assert_true(e.text[0]);
			}
		}
		made_free(&made);
	}
	assert_in_range(opened, 200, 4000);
}

/* ---- masks by name ---- */

static void check_member(struct made *m, const char *member, size_t rows, double first_value, double last)
{
	struct file_part part = { .layers = 1, .batches = 2, .batch = 1 };
	const struct mask_place at = { 3, 4, 2, 1, &part };
	struct matrix got = { 0 };
	enum npy_kind kind;
	bool by_head;
	struct error e = { 0 };

	if (tensor_mask(&got, &kind, &by_head, &m->t, member, &at, &e))
		fail_msg("%s: %s", member, e.text);
	assert_int_equal(got.rows, rows);
	assert_int_equal(got.columns, 4);
	assert_int_equal(by_head, !strcmp(member, "of_heads"));
	check_near(got.v[0], first_value, 0);
	check_near(got.v[rows * 4 - 1], last, 0);
	matrix_free(&got);
}

static void members(void **state)
{
	double v[2 * 2 * 3 * 4];
	struct file_part part = { 0 };
	const struct mask_place at = { 3, 4, 3, 1, &part };
	struct matrix got = { 0 };
	enum npy_kind kind;
	bool by_head;
	struct making m = { 0 };
	struct made made;
	struct error e = { 0 };

	(void)state;
	for (int i = 0; i < 48; i++)
		v[i] = i;
	make_array(&m, "cells", "F64", "3, 4", v);
	make_array(&m, "keys", "F64", "4", v);
	make_array(&m, "key_padding_mask", "F64", "2, 4", v);
	make_array(&m, "of_batches", "F64", "2, 1, 3, 4", v);
	make_array(&m, "of_heads", "F64", "1, 2, 3, 4", v);
	make_tensors(&made, &m);
	check_member(&made, "cells", 3, 0, 11);
	check_member(&made, "keys", 1, 0, 3);
	check_member(&made, "key_padding_mask", 1, 4, 7);	/* of batch 1 */
	check_member(&made, "of_batches", 3, 12, 23);
	check_member(&made, "of_heads", 3, 12, 23);		/* of head 1 */
	assert_int_equal(tensor_mask(&got, &kind, &by_head, &made.t, "of_heads", &at, &e), E_SHAPE);
	assert_string_equal(e.text, "differs by head, and has 2 of them for 3");
	assert_int_equal(tensor_mask(&got, &kind, &by_head, &made.t, "cell", &at, &e), E_VALUE);
	assert_non_null(strstr(e.text, "the nearest is cells"));
	assert_int_equal(tensor_mask(&got, &kind, &by_head, &made.t, "", &at, &e), E_VALUE);
	assert_non_null(strstr(e.text, "5 arrays; FILE:NAME is expected"));
	made_free(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_a_layer),
		cmocka_unit_test(another_layer),
		cmocka_unit_test(padding_becomes_a_list),
		cmocka_unit_test(refusals),
		cmocka_unit_test(grouped_queries),
		cmocka_unit_test(masks_of_cells),
		cmocka_unit_test(cached_steps),
		cmocka_unit_test(finished_weights),
		cmocka_unit_test(verdict_by_type),
		cmocka_unit_test(expectations_of_weights),
		cmocka_unit_test(stored_scores),
		cmocka_unit_test(saved_and_read_back),
		cmocka_unit_test(too_many_numbers),
		cmocka_unit_test(short_memory),
		cmocka_unit_test(random_files),
		cmocka_unit_test(members),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
