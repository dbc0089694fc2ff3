/* test_recognise.c - what the arrays of a file are taken for.
 *
 * Differences from stored weights were computed with NumPy 1.24.2 (data/tensors/README.md);
 * weights of made files by tensors_make.c. D01 and so on are entries of reports.json.
 * Surroundings: QKV_TEST_DATA.
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

#include "core/io/recognise_parts.h"
#include "tests/archive.h"
#include "tests/tensors_make.h"

/* ---- tools ---- */

/* A file and what was recognised in it. */
struct known_file {
	struct made m;
	struct recognition r;
};

static void know_as(struct known_file *f, const char *name, const struct recognise_options *o)
{
	struct error e = { 0 };

	if (recognise(&f->r, &f->m.t, name, o, &e))
		fail_msg("%s: %s %s", name, e.option, e.text);
}

static void know(struct known_file *f, struct making *m, const char *as, const char *layout)
{
	const struct recognise_options o = { as, layout };

	make_tensors(&f->m, m);
	know_as(f, "made.safetensors", &o);
}

static void forget(struct known_file *f)
{
	recognition_free(&f->r);
	made_free(&f->m);
}

static const struct meaning *meaning_of(const struct known_file *f, const char *name)
{
	size_t i = tensors_find(&f->m.t, name);

	if (i == f->m.t.n)
		fail_msg("no array %s", name);
	return &f->r.v[i];
}

/* "weights layer head query key": role, then the axes in their order. */
static void check_meaning(const struct known_file *f, const char *name, const char *wanted)
{
	const struct meaning *m = meaning_of(f, name);
	const struct npy *a = &f->m.t.v[tensors_find(&f->m.t, name)].array;
	char text[200];
	int used = snprintf(text, sizeof text, "%s", role_name(m->role));

	for (int i = 0; i < a->rank; i++)
		for (int d = 0; d < DIM_COUNT; d++)
			if (m->axis[d] == i)
				used += snprintf(text + used, sizeof text - (size_t)used, " %s", dimension_name((enum dimension)d, m->role));
	if (strcmp(text, wanted))
		fail_msg("%s is %s, expected %s", name, text, wanted);
}

static struct part part_of(const struct known_file *f, long layer)
{
	struct part p;
	struct error e = { 0 };

	if (recognise_part(&f->r, &f->m.t, layer, &p, &e))
		fail_msg("layer %ld: %s %s", layer, e.option, e.text);
	return p;
}

static struct setting setting_of(struct known_file *f, long layer, size_t batch)
{
	struct part p = part_of(f, layer);
	struct setting s;
	struct error e = { 0 };

	if (recognise_setting(&f->r, &f->m.t, &p, batch, &s, &e))
		fail_msg("layer %ld: %s", layer, e.text);
	return s;
}

static void check_part_error(const struct known_file *f, long layer, enum status status, const char *text)
{
	struct part p;
	struct error e = { 0 };

	assert_int_equal(recognise_part(&f->r, &f->m.t, layer, &p, &e), status);
	if (!strstr(e.text, text))
		fail_msg("'%s' does not say '%s'", e.text, text);
}

static void check_near(double x, double y, double within)
{
	if (!(fabs(x - y) <= within))
		fail_msg("%.9g is not %.9g within %g", x, y, within);
}

/* ---- names ---- */

static void names(void **state)
{
	static const struct { const char *name; enum role role; long layer; const char *set; } known[] = {
		{ "q", ROLE_Q, -1, "" }, { "K", ROLE_K, -1, "" }, { "attn", ROLE_WEIGHTS, -1, "" },
		{ "attentions.3", ROLE_WEIGHTS, 3, "" }, { "past_key_values.3.key", ROLE_K, 3, "" },
		{ "past_key_values.11.value", ROLE_V, 11, "" }, { "key_cache.4", ROLE_K, 4, "" },
		{ "blocks.0.attn.hook_q", ROLE_Q, 0, "" }, { "blocks.12.attn.hook_rot_k", ROLE_K, 12, "" },
		{ "blocks.1.attn.hook_pattern", ROLE_WEIGHTS, 1, "" }, { "blocks.1.attn.hook_attn_scores", ROLE_SCORES, 1, "" },
		{ "blocks.1.attn.hook_z", ROLE_OUTPUT, 1, "" }, { "model.layers.7.self_attn.q_proj", ROLE_Q, 7, "" },
		{ "Qcur-7", ROLE_Q, 7, "" }, { "kq_soft_max-7", ROLE_WEIGHTS, 7, "" }, { "kq-7", ROLE_SCORES, 7, "" },
		{ "kqv_out-7", ROLE_OUTPUT, 7, "" }, { "pt_attn_L0", ROLE_WEIGHTS, 0, "pt" }, { "attSm", ROLE_WEIGHTS, -1, "" },
		{ "attn_weights_layer_3", ROLE_WEIGHTS, 3, "" }, { "layer0_attn", ROLE_WEIGHTS, 0, "" }, { "q0", ROLE_Q, 0, "" },
		{ "decoder.block.2.layer.1.q", ROLE_Q, 2, "decoder" }, { "cross_attentions.1", ROLE_WEIGHTS, 1, "cross" },
		{ "h.3.attn.query_states", ROLE_Q, 3, "" }, { "encoder.layer.0.attention.self.query", ROLE_Q, 0, "encoder" },
		{ "input_ids", ROLE_IDS, -1, "" }, { "str_tokens", ROLE_TOKENS, -1, "" }, { "left_text", ROLE_QUERY_TOKENS, -1, "" },
		{ "right_text", ROLE_KEY_TOKENS, -1, "" }, { "attention_mask", ROLE_MASK, -1, "" }, { "src_key_padding_mask", ROLE_MASK, -1, "" },
		{ "sm_scale", ROLE_SCALE, -1, "" }, { "position_bias", ROLE_BIAS, -1, "" }, { "logits_last", ROLE_LOGITS, -1, "" },
		{ "model.layers.0.self_attn.q_proj.weight", ROLE_PARAMETER, -1, "" }, { "ln1.bias", ROLE_PARAMETER, -1, "" },
		{ "blocks.0.attn.W_Q", ROLE_PARAMETER, -1, "" }, { "stories260k", ROLE_UNKNOWN, -1, "" }, { "", ROLE_UNKNOWN, -1, "" },
		{ "arr_0", ROLE_UNKNOWN, -1, "" }, { "....", ROLE_UNKNOWN, -1, "" }, { "attn.99999999999999999999", ROLE_UNKNOWN, -1, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct meaning m;
		name_meaning(&m, known[i].name, false);
		if (m.role != known[i].role || (m.role != ROLE_PARAMETER && m.layer != known[i].layer) || strcmp(m.set, known[i].set))
			fail_msg("'%s' is %s, layer %ld, set '%s'", known[i].name, role_name(m.role), m.layer, m.set);
	}
}

/* A name of any length and content is only a name. */
static void long_names(void **state)
{
	char name[5000];
	struct meaning m;

	(void)state;
	for (size_t n = 0; n < sizeof name; n++) {
		static const char bytes[] = "aZ.9_-q0 \xff\x01k";
		name[n] = bytes[n * 7 % (sizeof bytes - 1)];
	}
	name[sizeof name - 1] = '\0';
	for (size_t at = 0; at < sizeof name; at += 37)
		name_meaning(&m, name + at, false);
	memset(name, '1', sizeof name - 1);
	name_meaning(&m, name, false);
	assert_int_equal(m.role, ROLE_UNKNOWN);
	for (size_t n = 0; n + 2 < sizeof name; n += 2)
		memcpy(name + n, "a.", 2);
	memcpy(name + sizeof name - 3, ".q", 3);
	name_meaning(&m, name, false);
	assert_int_equal(m.role, ROLE_Q);
	assert_in_range(strlen(m.set), 1, sizeof m.set - 1);
}

/* ---- files of models ---- */

static void a_decoder(void **state)
{
	static const double worst[] = { 1.11409605e-06, 1.16372015e-07, 1.43295456e-07 };
	struct known_file f;
	struct tokens query, key;
	struct error e = { 0 };

	(void)state;
	read_tensors(&f.m, "koen_lm_ko.npz");
	know_as(&f, "koen_lm_ko.npz", NULL);
	check_meaning(&f, "q", "q layer head query dim");
	check_meaning(&f, "k", "k layer head key dim");
	check_meaning(&f, "v", "v layer head key dim");
	check_meaning(&f, "attn", "weights layer head query key");
	check_meaning(&f, "tokens", "tokens token");
	check_meaning(&f, "token_ids", "ids token");
	check_meaning(&f, "scale", "scale");
	assert_int_equal(f.r.layers, 3);
	struct part p = part_of(&f, 2);
	assert_int_equal(p.source, SOURCE_QKV);
	assert_int_equal(p.heads, 4);
	assert_int_equal(p.kv_heads, 4);
	assert_int_equal(p.n_q, 29);
	assert_int_equal(p.n_k, 29);
	assert_int_equal(p.d_k, 24);
	assert_int_equal(p.d_v, 24);
	assert_int_equal(p.batches, 1);
	for (long l = 0; l < 3; l++) {
		struct setting s = setting_of(&f, l, 0);
		assert_true(s.checked && s.agrees && s.causal && !s.bottom_right && !s.mask);
		assert_int_equal(s.rows, 4 * 29);
		check_near(s.scale, 0, 0);
		check_near(s.difference, worst[l], worst[l] * 1e-3);
	}
	assert_int_equal(recognise_tokens(&f.r, &f.m.t, &p, 0, false, &query, &key, &e), OK_STATUS);
	assert_int_equal(query.n, 29);
	assert_string_equal(query.text[0], "[BOS]");
	assert_string_equal(key.text[1], "대");
	assert_string_equal(key.text[3], " ");
	tokens_free(&query);
	tokens_free(&key);
	check_part_error(&f, 3, E_VALUE, "3 layers, 0 to 2");
	forget(&f);
}

static void an_encoder_with_padding(void **state)
{
	static const double worst[] = { 0.00533936, 0.0065895, 0.00695981, 0.00509465 };
	struct known_file f;
	struct tokens query, key;
	struct error e = { 0 };

	(void)state;
	read_tensors(&f.m, "koen_mlm_pad.safetensors");
	know_as(&f, "koen_mlm_pad.safetensors", NULL);
	check_meaning(&f, "q", "q layer batch head query dim");
	check_meaning(&f, "attn", "weights layer batch head query key");
	check_meaning(&f, "attention_mask", "mask batch key");
	struct part p = part_of(&f, -1);
	assert_int_equal(p.batches, 4);
	for (size_t b = 0; b < 4; b++) {
		struct setting s = setting_of(&f, 0, b);
		assert_true(s.agrees && !s.causal && s.mask && !s.inverted);
		check_near(s.difference, worst[b], 1e-7);
	}
	assert_int_equal(recognise_tokens(&f.r, &f.m.t, &p, 3, false, &query, &key, &e), OK_STATUS);
	assert_int_equal(key.n, 40);
	assert_string_equal(key.text[0], "[CLS]");
	assert_string_equal(key.text[39], "[PAD]");
	tokens_free(&query);
	tokens_free(&key);
	assert_int_equal(recognise_tokens(&f.r, &f.m.t, &p, 2, false, &query, &key, &e), OK_STATUS);
	assert_string_not_equal(key.text[39], "[PAD]");		/* 40 of 40 are kept there */
	tokens_free(&query);
	tokens_free(&key);
	forget(&f);
}

/* ---- shapes ---- */

static void check_shape_of(const char *name, const char *shape, const char *other, const char *other_shape, const char *wanted)
{
	struct making m = { 0 };
	struct known_file f;

	make_array(&m, name, "F32", shape, NULL);
	if (other)
		make_array(&m, other, strstr(other, "mask") ? "I64" : "F32", other_shape, NULL);
	know(&f, &m, NULL, NULL);
	check_meaning(&f, name, wanted);
	forget(&f);
}

static void ranks(void **state)
{
	(void)state;
	check_shape_of("attn", "5, 7", NULL, NULL, "weights query key");
	check_shape_of("attn", "3, 5, 7", NULL, NULL, "weights head query key");
	check_shape_of("attn", "2, 3, 5, 7", NULL, NULL, "weights layer head query key");
	check_shape_of("attn", "1, 3, 5, 7", NULL, NULL, "weights batch head query key");
	check_shape_of("attn", "2, 4, 3, 5, 7", NULL, NULL, "weights layer batch head query key");
	check_shape_of("attentions.2", "2, 3, 5, 7", NULL, NULL, "weights batch head query key");
	/* The size of a mask's batch, or of that of the tokens. */
	check_shape_of("attn", "2, 3, 5, 7", "attention_mask", "2, 7", "weights batch head query key");
	check_shape_of("attn", "2, 3, 5, 7", "attention_mask", "4, 7", "weights layer head query key");
	check_shape_of("attn", "2, 3, 5, 7", "attn_mask", "2, 1, 5, 7", "weights batch head query key");
	check_shape_of("q", "5, 8", "k", "7, 8", "q query dim");
	check_shape_of("q", "3, 5, 8", "k", "3, 7, 8", "q head query dim");
	check_shape_of("q", "2, 3, 5, 8", "k", "2, 3, 7, 8", "q layer head query dim");
	check_shape_of("q", "2, 4, 3, 5, 8", "k", "2, 4, 3, 5, 8", "q layer batch head query dim");
	check_shape_of("attn", "2, 2, 2, 2, 2, 2", NULL, NULL, "unknown");
}

/* Which of two axes is the heads: by weights, by grouped queries, by a cached step. */
static void heads_or_positions(void **state)
{
	(void)state;
	check_shape_of("q", "1, 5, 3, 8", "attn", "1, 3, 5, 5", "q batch query head dim");
	check_shape_of("q", "1, 3, 5, 8", "attn", "1, 3, 5, 5", "q batch head query dim");
	check_shape_of("q", "64, 8, 16", "k", "64, 2, 16", "q query head dim");
	check_shape_of("q", "8, 64, 16", "k", "2, 64, 16", "q head query dim");
	check_shape_of("q", "8, 4, 16", "k", "8, 64, 16", "q head query dim");
	check_shape_of("q", "4, 8, 16", "k", "64, 8, 16", "q query head dim");
	check_shape_of("layers.0.q_proj", "1, 3, 5, 8", "attn", "1, 3, 5, 5", "q batch head query dim");
	check_shape_of("layers.0.q_proj", "1, 5, 3, 8", "attn", "1, 3, 5, 5", "q batch query head dim");
	check_shape_of("layers.0.q_proj", "1, 5, 24", "attn", "1, 3, 5, 5", "q batch query dim");
}

static void ids_tell_batches(void **state)
{
	struct making m = { 0 };
	struct known_file f;

	(void)state;
	make_array(&m, "attn", "F32", "2, 3, 4, 4", NULL);
	make_array(&m, "input_ids", "I64", "2, 4", NULL);
	know(&f, &m, NULL, NULL);
	check_meaning(&f, "attn", "weights batch head query key");
	check_meaning(&f, "input_ids", "ids batch token");
	forget(&f);
	make_array(&m, "attn", "F32", "2, 3, 4, 4", NULL);
	make_metadata(&m, "tokens", "[[\"a\",\"b\",\"c\",\"d\"],[\"e\",\"f\",\"g\",\"h\"]]");
	know(&f, &m, NULL, NULL);
	check_meaning(&f, "attn", "weights batch head query key");
	forget(&f);
}

/* ---- recomputed weights ---- */

enum { N = 6, D = 4, HEADS = 4, GROUPS = 2 };

/* q (HEADS, n_q, D), k (GROUPS, N, D), w (HEADS, n_q, N). */
static void make_attention(double *q, double *k, double *w, size_t n_q, double scale, bool causal, size_t offset, const double *add)
{
	some_numbers(q, HEADS * n_q * D, 1);
	some_numbers(k, GROUPS * N * D, 2);
	for (size_t h = 0; h < HEADS; h++)
		weights_of(w + h * n_q * N, q + h * n_q * D, k + h / 2 * N * D, n_q, N, D, scale, causal, offset, add);
}

/* (heads, rows, D) as (rows, heads, D) */
static void swap_axes(double *out, const double *v, size_t heads, size_t rows)
{
	for (size_t h = 0; h < heads; h++)
		for (size_t i = 0; i < rows; i++)
			memcpy(out + (i * heads + h) * D, v + (h * rows + i) * D, D * sizeof *v);
}

static void grouped_queries(void **state)
{
	double q[HEADS * N * D], k[GROUPS * N * D], w[HEADS * N * N];
	struct making m = { 0 };
	struct known_file f;

	(void)state;
	make_attention(q, k, w, N, 0.5, true, 0, NULL);
	make_array(&m, "q", "F64", "1, 4, 6, 4", q);
	make_array(&m, "k", "F64", "1, 2, 6, 4", k);
	make_array(&m, "attn", "F64", "1, 4, 6, 6", w);
	know(&f, &m, NULL, NULL);
	struct part p = part_of(&f, -1);
	assert_int_equal(p.heads, 4);
	assert_int_equal(p.kv_heads, 2);
	assert_int_equal(p.d_v, 0);
	struct setting s = setting_of(&f, -1, 0);
	assert_true(s.agrees && s.causal);
	check_near(s.difference, 0, 1e-15);
	forget(&f);
}

/* TransformerLens: names, order, and Q and K before and after rotary embedding. */
static void transformer_lens(void **state)
{
	double q[HEADS * N * D], k[GROUPS * N * D], w[HEADS * N * N], first[HEADS * N * D], second[GROUPS * N * D], other[HEADS * N * D];
	struct making m = { 0 };
	struct known_file f;

	(void)state;
	make_attention(q, k, w, N, 0.5, true, 0, NULL);
	swap_axes(first, q, HEADS, N);
	swap_axes(second, k, GROUPS, N);
	some_numbers(other, HEADS * N * D, 9);
	make_array(&m, "blocks.3.attn.hook_q", "F64", "1, 6, 4, 4", other);
	make_array(&m, "blocks.3.attn.hook_k", "F64", "1, 6, 2, 4", other);
	make_array(&m, "blocks.3.attn.hook_rot_q", "F64", "1, 6, 4, 4", first);
	make_array(&m, "blocks.3.attn.hook_rot_k", "F64", "1, 6, 2, 4", second);
	make_array(&m, "blocks.3.attn.hook_v", "F64", "1, 6, 2, 4", second);
	make_array(&m, "blocks.3.attn.hook_pattern", "F64", "1, 4, 6, 6", w);
	make_array(&m, "blocks.3.attn.hook_z", "F64", "1, 6, 4, 4", NULL);
	know(&f, &m, NULL, NULL);
	check_meaning(&f, "blocks.3.attn.hook_rot_q", "q batch query head dim");
	check_meaning(&f, "blocks.3.attn.hook_rot_k", "k batch key head dim");
	check_meaning(&f, "blocks.3.attn.hook_v", "v batch key head dim");
	check_meaning(&f, "blocks.3.attn.hook_z", "output batch query head dim");
	assert_true(meaning_of(&f, "blocks.3.attn.hook_q")->unused);
	struct setting s = setting_of(&f, 3, 0);
	assert_true(s.agrees && s.causal);
	check_near(s.difference, 0, 1e-15);
	check_part_error(&f, 0, E_VALUE, "only layer 3");
	forget(&f);
}

/* As many heads as positions: only the numbers tell which are which. */
static void numbers_tell_the_order(void **state)
{
	enum { SAME = 4 };
	double q[SAME * SAME * D], k[SAME * SAME * D], w[SAME * SAME * SAME], swapped_q[SAME * SAME * D], swapped_k[SAME * SAME * D];
	struct making m = { 0 };
	struct known_file f;

	(void)state;
	some_numbers(q, SAME * SAME * D, 3);
	some_numbers(k, SAME * SAME * D, 4);
	for (size_t h = 0; h < SAME; h++)
		weights_of(w + h * SAME * SAME, q + h * SAME * D, k + h * SAME * D, SAME, SAME, D, 0.5, false, 0, NULL);
	swap_axes(swapped_q, q, SAME, SAME);
	swap_axes(swapped_k, k, SAME, SAME);
	for (int swapped = 0; swapped < 2; swapped++) {
		make_array(&m, "q", "F64", "4, 4, 4", swapped ? swapped_q : q);
		make_array(&m, "k", "F64", "4, 4, 4", swapped ? swapped_k : k);
		make_array(&m, "attn", "F64", "4, 4, 4", w);
		know(&f, &m, NULL, NULL);
		check_meaning(&f, "q", swapped ? "q query head dim" : "q head query dim");
		check_meaning(&f, "k", swapped ? "k key head dim" : "k head key dim");
		struct setting s = setting_of(&f, -1, 0);
		assert_true(s.agrees && !s.causal);
		check_near(s.difference, 0, 1e-15);
		forget(&f);
	}
}

static void cached_steps(void **state)
{
	enum { STEPS = 2 };
	double q[HEADS * STEPS * D], k[GROUPS * N * D], w[HEADS * STEPS * N];
	struct making m = { 0 };
	struct known_file f;
	struct tokens query, key;
	struct error e = { 0 };

	(void)state;
	make_attention(q, k, w, STEPS, 0.5, true, N - STEPS, NULL);
	make_array(&m, "q", "F64", "4, 2, 4", q);
	make_array(&m, "k", "F64", "2, 6, 4", k);
	make_array(&m, "attn", "F64", "4, 2, 6", w);
	make_metadata(&m, "tokens", "[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\"]");
	know(&f, &m, NULL, NULL);
	struct part p = part_of(&f, -1);
	struct setting s = setting_of(&f, -1, 0);
	assert_true(s.agrees && s.causal && s.bottom_right);
	assert_int_equal(recognise_tokens(&f.r, &f.m.t, &p, 0, true, &query, &key, &e), OK_STATUS);
	assert_int_equal(query.n, 2);
	assert_string_equal(query.text[0], "e");
	assert_string_equal(query.text[1], "f");
	tokens_free(&query);
	tokens_free(&key);
	forget(&f);
}

static void check_scale(const char *stated, double used, double wanted)
{
	double q[HEADS * N * D], k[GROUPS * N * D], w[HEADS * N * N];
	struct making m = { 0 };
	struct known_file f;

	make_attention(q, k, w, N, used, false, 0, NULL);
	make_array(&m, "q", "F64", "4, 6, 4", q);
	make_array(&m, "k", "F64", "2, 6, 4", k);
	make_array(&m, "attn", "F64", "4, 6, 6", w);
	if (stated)
		make_metadata(&m, "scale", stated);
	know(&f, &m, NULL, NULL);
	struct setting s = setting_of(&f, -1, 0);
	assert_true(s.agrees && s.scale_by == EVIDENCE_WEIGHTS);
	check_near(s.scale, wanted, 1e-12);
	check_near(s.difference, 0, 1e-15);
	forget(&f);
}

/* 0 is 1 / sqrt(d_k), which is 0.5 here. */
static void scales(void **state)
{
	(void)state;
	check_scale(NULL, 0.5, 0);
	check_scale(NULL, 1, 1);
	check_scale("0.3", 0.3, 0.3);
	check_scale("0.3", 0.5, 0);
	check_scale("0.3", 1, 1);
	check_scale("0.5000001", 0.5, 0);
	check_scale("nonsense", 0.5, 0);
}

static void scale_without_weights(void **state)
{
	const double scale = 0.25;
	struct making m = { 0 };
	struct known_file f;

	(void)state;
	make_array(&m, "q", "F64", "4, 6, 4", NULL);
	make_array(&m, "k", "F64", "4, 6, 4", NULL);
	make_array(&m, "scale", "F64", "", &scale);
	make_metadata(&m, "mask", "causal");
	know(&f, &m, NULL, NULL);
	struct setting s = setting_of(&f, -1, 0);
	assert_true(!s.checked && s.causal && s.causal_by == EVIDENCE_FILE && s.scale_by == EVIDENCE_FILE);
	check_near(s.scale, 0.25, 0);
	forget(&f);
}

/* The trap: Q and K from before rotary embedding. */
static void does_not_agree(void **state)
{
	double q[HEADS * N * D], k[GROUPS * N * D], w[HEADS * N * N];
	struct making m = { 0 };
	struct known_file f;
	struct buffer text = { 0 };

	(void)state;
	make_attention(q, k, w, N, 4, true, 0, NULL);
	some_numbers(q, HEADS * N * D, 77);
	make_array(&m, "q", "F32", "4, 6, 4", q);
	make_array(&m, "k", "F32", "2, 6, 4", k);
	make_array(&m, "attn", "F32", "4, 6, 6", w);
	know(&f, &m, NULL, NULL);
	struct setting s = setting_of(&f, -1, 0);
	assert_true(s.checked && !s.agrees && s.difference > 0.1);
	assert_true(s.causal && s.causal_by == EVIDENCE_PATTERN);	/* the weights have it all the same */
	setting_agreement(&s, &text);
	assert_non_null(strstr(text.data, "does not agree (0."));
	assert_non_null(strstr(text.data, "before rotary embedding, or the weights with softcap, ALiBi, bias or window"));
	buffer_free(&text);
	forget(&f);
}

static void agreement_in_words(void **state)
{
	struct buffer text = { 0 };

	(void)state;
	setting_agreement(&(struct setting){ .agrees = true, .difference = 4.77e-7 }, &text);
	buffer_text(&text, "|");
	setting_agreement(&(struct setting){ .agrees = true, .difference = 0.0053 }, &text);
	buffer_text(&text, "|");
	setting_agreement(&(struct setting){ .agrees = true, .difference = 2e-16 }, &text);
	assert_string_equal(text.data, "agrees within 4.8e-7|agrees within 0.0053|agrees within 2e-16");
	buffer_free(&text);
}

/* Weights that are asked for alone are opened as they are stored. */
static void stored_weights_on_demand(void **state)
{
	static const struct { const char *as; enum source source; } asked[] = {
		{ NULL, SOURCE_QKV }, { "weights=attn", SOURCE_WEIGHTS }, { "scores=s", SOURCE_SCORES }, { "weights=attn,q=q", SOURCE_QKV },
		{ "v=v", SOURCE_QKV },
	};

	(void)state;
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		struct making m = { 0 };
		struct known_file f;
		make_array(&m, "q", "F32", "4, 6, 4", NULL);
		make_array(&m, "k", "F32", "2, 6, 4", NULL);
		make_array(&m, "v", "F32", "2, 6, 4", NULL);
		make_array(&m, "attn", "F32", "4, 6, 6", NULL);
		make_array(&m, "s", "F32", "4, 6, 6", NULL);
		know(&f, &m, asked[i].as, NULL);
		struct part p = part_of(&f, -1);
		assert_int_equal(p.source, asked[i].source);
		assert_true(p.array[ROLE_V] < f.r.n);
		forget(&f);
	}
}

/* ---- masks ---- */

enum { KEEP, HIDE, ADD, ADD_LOWEST, FLOAT_FLAGS };

/* A mask (N, N) of three hidden cells, as it may be written; `add` is what it does. */
static void make_mask(int how, double *mask, double *add)
{
	static const double hidden[] = { [KEEP] = 0, [HIDE] = 1, [ADD] = -1e4, [ADD_LOWEST] = -3.4028234663852886e38, [FLOAT_FLAGS] = 0 };

	for (int c = 0; c < N * N; c++) {
		bool hides = c == 3 || c == 4 || c == 20;
		add[c] = hides ? -INFINITY : how == ADD && c % 5 == 0 ? -2.5 : 0;
		mask[c] = hides ? hidden[how] : how == KEEP || how == FLOAT_FLAGS ? 1 : add[c];
	}
}

static void check_mask(const char *name, const char *type, int how, enum mask_meaning meaning, bool inverted)
{
	double q[HEADS * N * D], k[GROUPS * N * D], w[HEADS * N * N], mask[N * N], add[N * N];
	struct making m = { 0 };
	struct known_file f;

	make_mask(how, mask, add);
	make_attention(q, k, w, N, 0.5, false, 0, add);
	make_array(&m, "q", "F64", "4, 6, 4", q);
	make_array(&m, "k", "F64", "2, 6, 4", k);
	make_array(&m, "attn", "F64", "4, 6, 6", w);
	make_array(&m, name, type, "6, 6", mask);
	know(&f, &m, NULL, NULL);
	check_meaning(&f, name, "mask query key");
	assert_int_equal(meaning_of(&f, name)->mask, meaning);
	struct setting s = setting_of(&f, -1, 0);
	assert_true(s.agrees && s.mask && !s.causal);
	assert_int_equal(s.inverted, inverted);
	check_near(s.difference, 0, 1e-15);
	forget(&f);
}

static void masks(void **state)
{
	(void)state;
	check_mask("attn_mask", "BOOL", KEEP, MASK_KEEPS, false);
	check_mask("attn_mask", "BOOL", HIDE, MASK_KEEPS, true);	/* as torch.nn.MultiheadAttention has it */
	check_mask("causal_mask", "BOOL", HIDE, MASK_HIDES, false);
	check_mask("mask", "I64", KEEP, MASK_KEEPS, false);
	check_mask("mask", "F32", ADD, MASK_ADDS, false);
	check_mask("mask", "F32", ADD_LOWEST, MASK_ADDS, false);
	check_mask("mask", "F32", FLOAT_FLAGS, MASK_KEEPS, false);
}

/* Beside 1 = keep, True = pad; a batch without padding confirms nothing else. */
static void padding_masks(void **state)
{
	static const double pads[2 * N] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1 };
	double q[2 * N * D], k[2 * N * D], w[2 * N * N], add[N * N];
	struct making m = { 0 };
	struct known_file f;

	(void)state;
	some_numbers(q, 2 * N * D, 5);
	some_numbers(k, 2 * N * D, 6);
	for (size_t b = 0; b < 2; b++) {
		for (size_t c = 0; c < N * N; c++)
			add[c] = pads[b * N + c % N] != 0 ? -INFINITY : 0;
		weights_of(w + b * N * N, q + b * N * D, k + b * N * D, N, N, D, 0.5, false, 0, add);
	}
	make_array(&m, "q", "F64", "2, 1, 6, 4", q);
	make_array(&m, "k", "F64", "2, 1, 6, 4", k);
	make_array(&m, "attn", "F64", "2, 1, 6, 6", w);
	make_array(&m, "key_padding_mask", "BOOL", "2, 6", pads);
	know(&f, &m, NULL, NULL);
	check_meaning(&f, "key_padding_mask", "mask batch key");
	assert_int_equal(meaning_of(&f, "key_padding_mask")->mask, MASK_HIDES);
	for (size_t b = 0; b < 2; b++) {
		struct setting s = setting_of(&f, -1, b);
		assert_true(s.agrees && s.mask && !s.inverted);
		check_near(s.difference, 0, 1e-15);
	}
	forget(&f);
}

static void a_bias_of_each_head(void **state)
{
	double q[HEADS * N * D], k[GROUPS * N * D], w[HEADS * N * N], bias[HEADS * N * N];
	struct making m = { 0 };
	struct known_file f;

	(void)state;
	make_attention(q, k, w, N, 1, true, 0, NULL);
	some_numbers(bias, HEADS * N * N, 8);
	for (size_t h = 0; h < HEADS; h++)
		weights_of(w + h * N * N, q + h * N * D, k + h / 2 * N * D, N, N, D, 1, true, 0, bias + h * N * N);
	make_array(&m, "q", "F64", "4, 6, 4", q);
	make_array(&m, "k", "F64", "2, 6, 4", k);
	make_array(&m, "attn", "F64", "4, 6, 6", w);
	make_array(&m, "position_bias", "F64", "1, 4, 6, 6", bias);
	know(&f, &m, NULL, NULL);
	check_meaning(&f, "position_bias", "bias batch head query key");
	struct setting s = setting_of(&f, -1, 0);
	assert_true(s.agrees && s.bias && s.causal && s.scale == 1);
	forget(&f);
}

/* ---- sums ---- */

static void check_sums(const char *name, double times, enum role role, const char *note)
{
	double q[HEADS * N * D], k[GROUPS * N * D], w[HEADS * N * N];
	struct making m = { 0 };
	struct known_file f;

	make_attention(q, k, w, N, 0.5, false, 0, NULL);
	for (int i = 0; i < HEADS * N * N; i++)
		w[i] *= times;
	make_array(&m, name, "F32", "4, 6, 6", w);
	know(&f, &m, NULL, NULL);
	assert_int_equal(meaning_of(&f, name)->role, role);
	const char *notes = f.r.notes.data ? f.r.notes.data : "";
	if (note ? !strstr(notes, note) : *notes)
		fail_msg("%s x %g: '%s'", name, times, notes);
	forget(&f);
}

static void sums(void **state)
{
	(void)state;
	check_sums("attn", 1, ROLE_WEIGHTS, NULL);
	check_sums("attn", 1.02, ROLE_SCORES, "rows sum to up to 1.02");
	check_sums("attn", 1.009, ROLE_WEIGHTS, NULL);
	check_sums("attn", 0.9, ROLE_WEIGHTS, "0.9: a sink or dropped columns");
	check_sums("attn", -1, ROLE_SCORES, "negative");
	check_sums("att", 1, ROLE_WEIGHTS, NULL);		/* what the name leaves open */
	check_sums("att", 3, ROLE_SCORES, NULL);
	check_sums("something", 1, ROLE_WEIGHTS, NULL);
	check_sums("something", 3, ROLE_SCORES, NULL);
	check_sums("scores", 1, ROLE_SCORES, NULL);		/* what it does not */
	check_sums("attn", 0, ROLE_WEIGHTS, "sum to 0, as fully masked ones may");
	check_sums("attn", NAN, ROLE_WEIGHTS, "NaN, as fully masked ones are");
}

/* What a file says of its weights is not believed against them. */
static void said_and_stored(void **state)
{
	double q[N * D], w[N * N];
	struct making m = { 0 };
	struct known_file f;

	(void)state;
	some_numbers(q, N * D, 1);
	for (int k = 0; k < 4; k++) {
		bool causal = k % 2, with_q = k / 2;
		weights_of(w, q, q, N, N, D, 0.5, causal, 0, NULL);
		if (with_q)
			make_array(&m, "q", "F64", "6, 4", q);
		make_array(&m, "k", "F64", "6, 4", q);
		make_array(&m, "attn", "F64", "6, 6", w);
		make_metadata(&m, "mask", "causal");
		know(&f, &m, NULL, NULL);
		struct setting s = setting_of(&f, -1, 0);
		assert_int_equal(s.future, !causal);
		assert_int_equal(s.agrees, with_q);
		forget(&f);
	}
}

static void rounding_of_types(void **state)
{
	struct known_file f;
	struct sums s;
	struct error e = { 0 };

	(void)state;
	read_tensors(&f.m, "koen_mlm_pad.safetensors");
	know_as(&f, "koen_mlm_pad.safetensors", NULL);
	struct part p = part_of(&f, 0);
	assert_int_equal(recognise_sums(&f.r, &f.m.t, &p, ROLE_WEIGHTS, &s, &e), OK_STATUS);
	check_near(s.tolerance, 0.02, 0);	/* 40 / 2^8 is more than the most that is forgiven */
	assert_true(s.smallest > 0.98 && s.smallest < 1 && s.largest > 1 && s.largest < 1.02);
	forget(&f);
	read_tensors(&f.m, "koen_lm_ko.npz");
	know_as(&f, "koen_lm_ko.npz", NULL);
	p = part_of(&f, 0);
	assert_int_equal(recognise_sums(&f.r, &f.m.t, &p, ROLE_WEIGHTS, &s, &e), OK_STATUS);
	check_near(s.tolerance, 1e-5, 0);
	forget(&f);
}

/* Three decimals: six weights may be off by 0.003 together. */
static void rounding_of_texts(void **state)
{
	static const char text[] = "0.333,0.333,0.333\n0.25,0.25,0.5\n0.125,0.5,0.375\n";
	struct known_file f = { 0 };
	struct sums s;
	struct error e = { 0 };

	(void)state;
	assert_int_equal(tensors_read(&f.m.t, text, sizeof text - 1, "a.csv", NULL, &e), OK_STATUS);
	know_as(&f, "a.csv", NULL);
	struct part p = part_of(&f, -1);
	assert_int_equal(p.source, SOURCE_WEIGHTS);
	assert_int_equal(recognise_sums(&f.r, &f.m.t, &p, ROLE_WEIGHTS, &s, &e), OK_STATUS);
	check_near(s.tolerance, 3 * 0.001 / 2, 1e-12);
	forget(&f);
}

/* ---- sets ---- */

static void several_attentions(void **state)
{
	struct making m = { 0 };
	struct known_file f;

	(void)state;
	make_array(&m, "cross_attentions.0", "F32", "1, 2, 3, 5", NULL);
	make_array(&m, "decoder_attentions.0", "F32", "1, 2, 3, 3", NULL);
	make_array(&m, "decoder_attentions.1", "F32", "1, 2, 3, 3", NULL);
	know(&f, &m, NULL, NULL);
	assert_string_equal(f.r.set, "decoder");
	assert_int_equal(f.r.layers, 2);
	assert_true(meaning_of(&f, "cross_attentions.0")->unused);
	assert_non_null(strstr(f.r.notes.data, "cross"));
	forget(&f);
	make_array(&m, "cross_attentions.0", "F32", "1, 2, 3, 5", NULL);
	make_array(&m, "decoder_attentions.0", "F32", "1, 2, 3, 3", NULL);
	know(&f, &m, "weights=cross_attentions.*", NULL);
	struct part p = part_of(&f, 0);
	assert_int_equal(p.n_k, 5);
	forget(&f);
}

static void parameters(void **state)
{
	struct making m = { 0 };
	struct known_file f;

	(void)state;
	make_array(&m, "bias", "F32", "7", NULL);
	make_array(&m, "emb.weight", "F32", "7, 4", NULL);
	make_array(&m, "blocks.0.qkv.weight", "F32", "12, 4", NULL);
	make_array(&m, "blocks.0.qkv.bias", "F32", "12", NULL);
	make_metadata(&m, "tokens", "one character each");
	know(&f, &m, NULL, NULL);
	assert_true(f.r.parameters && !f.r.opens);
	for (size_t i = 0; i < f.r.n; i++)
		assert_int_equal(f.r.v[i].role, ROLE_PARAMETER);
	check_part_error(&f, -1, E_VALUE, "parameters of a model");
	forget(&f);
}

/* ---- tokens ---- */

static void check_key_tokens(struct making *m, const char *first, const char *note)
{
	struct known_file f;
	struct tokens query, key;
	struct error e = { 0 };

	make_array(m, "attn", "F32", "3, 3", NULL);
	know(&f, m, NULL, NULL);
	struct part p = part_of(&f, -1);
	assert_int_equal(recognise_tokens(&f.r, &f.m.t, &p, 0, false, &query, &key, &e), OK_STATUS);
	assert_int_equal(key.n, first ? 3 : 0);
	if (first)
		assert_string_equal(key.text[0], first);
	assert_int_equal(f.r.notes.data && strstr(f.r.notes.data, "their number"), note != NULL);
	tokens_free(&query);
	tokens_free(&key);
	forget(&f);
}

static void tokens(void **state)
{
	static const double ids[] = { 128000, 7, -1, 5 };
	struct making m = { 0 };

	(void)state;
	check_key_tokens(&m, NULL, NULL);
	make_array(&m, "input_ids", "I64", "3", ids);
	check_key_tokens(&m, "#128000", NULL);
	make_array(&m, "tokens", "I64", "3", ids);		/* numbers are ids, whatever their name */
	check_key_tokens(&m, "#128000", NULL);
	make_array(&m, "input_ids", "I64", "3", ids);
	make_metadata(&m, "tokens", "[\"x\",\"y\",\"z\"]");	/* texts before ids */
	check_key_tokens(&m, "x", NULL);
	make_metadata(&m, "tokens", "[\"x\",\"y\",\"z\"]");
	make_metadata(&m, "key_tokens", "[\"k\",\"y\",\"z\"]");
	check_key_tokens(&m, "k", NULL);
	make_metadata(&m, "tokens", "[\"x\",\"y\"]");		/* another number of them */
	check_key_tokens(&m, NULL, "said");
	make_metadata(&m, "tokens", "[1, 2, 3]");
	check_key_tokens(&m, NULL, NULL);
	make_metadata(&m, "tokens", "[[[[");
	check_key_tokens(&m, NULL, NULL);
	make_metadata(&m, "tokens", "[]");
	check_key_tokens(&m, NULL, NULL);
}

/* ---- what people say ---- */

static void check_option_error(const char *as, const char *layout, const char *text)
{
	const struct recognise_options o = { as, layout };
	struct making m = { 0 };
	struct made made;
	struct recognition r = { .n = 12345 };
	struct error e = { 0 };

	make_array(&m, "queries_of_it", "F32", "2, 3, 4", NULL);
	make_array(&m, "keys_of_it", "F32", "2, 3, 4", NULL);
	for (int i = 0; i < 5; i++)
		make_array(&m, (const char *const[]){ "b", "c", "d", "e", "f" }[i], "BOOL", "", NULL);
	make_tensors(&made, &m);
	assert_int_equal(recognise(&r, &made.t, "made.safetensors", &o, &e), E_VALUE);
	assert_int_equal(r.n, 12345);
	assert_memory_equal(e.option, as ? "as" : "layout", 2);
	if (!strstr(e.text, text))
		fail_msg("'%s' does not say '%s'", e.text, text);
	made_free(&made);
}

static void wrong_options(void **state)
{
	(void)state;
	check_option_error("q=queries_of", NULL, "the nearest: queries_of_it");
	check_option_error("q=nothing_like", NULL, "the nearest:");
	check_option_error("x=queries_of_it", NULL, "weights, scores, q, k, v");
	check_option_error("", NULL, "ROLE=NAME");
	check_option_error("q=", NULL, "no array is named ''");
	check_option_error("weights", NULL, "several arrays");
	check_option_error("q=b", NULL, "'b' () cannot be q");
	check_option_error("tokens=b", NULL, "cannot be tokens");
	check_option_error(NULL, "head,row,dim", "'row' is no axis");
	check_option_error(NULL, "", "'' is no axis");
	check_option_error(NULL, "head,head,dim", "twice");
	check_option_error(NULL, "head,dim", "one of query, key and token");
	check_option_error(NULL, "head,query", "both query and key");
	check_option_error(NULL, "head,query,dim", "no q, k, v or output has 3 axes");
	check_option_error(NULL, "query,key", "no weights, scores, mask or bias has 2 axes");
}

static void roles_that_are_said(void **state)
{
	double q[HEADS * N * D], k[GROUPS * N * D], w[HEADS * N * N];
	struct making m = { 0 };
	struct known_file f;

	(void)state;
	make_attention(q, k, w, N, 0.5, false, 0, NULL);
	make_array(&m, "a.1.x", "F64", "4, 6, 4", q);
	make_array(&m, "a.1.y", "F64", "2, 6, 4", k);
	make_array(&m, "a.1.z", "F64", "4, 6, 6", w);
	make_array(&m, "a.0.x", "F64", "4, 6, 4", NULL);
	make_array(&m, "a.0.y", "F64", "2, 6, 4", NULL);
	make_array(&m, "a.0.z", "F64", "4, 6, 6", NULL);
	know(&f, &m, "q=a.*.x,k=a.*.y,weights=a.*.z", NULL);
	assert_int_equal(f.r.layers, 2);
	assert_true(setting_of(&f, 1, 0).agrees);
	assert_false(setting_of(&f, 0, 0).agrees);	/* weights of 0 */
	forget(&f);
	/* One layer by its whole names: then that is the layer. */
	make_array(&m, "blocks.0.attn.hook_pattern", "F64", "1, 4, 6, 6", NULL);
	make_array(&m, "blocks.1.attn.hook_pattern", "F64", "1, 4, 6, 6", w);
	make_array(&m, "blocks.1.attn.hook_u", "F64", "1, 4, 6, 4", q);
	make_array(&m, "blocks.1.attn.hook_w", "F64", "1, 2, 6, 4", k);
	know(&f, &m, "q=blocks.1.attn.hook_u,k=blocks.1.attn.hook_w", NULL);
	assert_int_equal(f.r.layers, 1);
	assert_int_equal(f.r.layer[0], 1);
	assert_true(setting_of(&f, -1, 0).agrees);
	forget(&f);
}

static void layouts_that_are_said(void **state)
{
	struct making m = { 0 };
	struct known_file f;

	(void)state;
	make_array(&m, "q", "F32", "2, 3, 5, 4", NULL);
	make_array(&m, "k", "F32", "2, 3, 5, 4", NULL);
	make_array(&m, "attn", "F32", "2, 5, 3, 3", NULL);
	know(&f, &m, NULL, "batch,query,head,dim/batch,head,query,key");
	check_meaning(&f, "q", "q batch query head dim");
	check_meaning(&f, "k", "k batch key head dim");
	check_meaning(&f, "attn", "weights batch head query key");
	struct part p = part_of(&f, -1);
	assert_int_equal(p.heads, 5);
	assert_int_equal(p.n_q, 3);
	assert_int_equal(p.batches, 2);
	forget(&f);
	/* A column that is not the last axis. */
	make_array(&m, "q", "F32", "4, 6", NULL);
	make_array(&m, "k", "F32", "4, 6", NULL);
	know(&f, &m, NULL, "dim,token");
	p = part_of(&f, -1);
	assert_int_equal(p.n_q, 6);
	assert_int_equal(p.d_k, 4);
	forget(&f);
}

/* Rows of a view are those of the array, whatever the order of its axes. */
static void views(void **state)
{
	double v[2 * 3 * 4 * 5], row[5];
	struct making m = { 0 };
	struct known_file f;

	(void)state;
	for (int i = 0; i < 120; i++)
		v[i] = i;
	make_array(&m, "attn", "F64", "2, 3, 4, 5", v);		/* (key, head, query, layer) */
	know(&f, &m, NULL, "key,head,query,layer");
	struct view view = meaning_view(meaning_of(&f, "attn"), &f.m.t.v[0].array);
	struct error e = { 0 };
	assert_int_equal(tensors_open(&f.m.t, 0, &e), OK_STATUS);
	view_row(&view, &f.m.t.v[0].array, 4, 0, 2, 3, 2, row);
	check_near(row[0], ((0 * 3 + 2) * 4 + 3) * 5 + 4, 0);
	check_near(row[1], ((1 * 3 + 2) * 4 + 3) * 5 + 4, 0);
	forget(&f);
}

/* (batch, position, heads x dim), as a hook on q_proj gives it. */
static void heads_side_by_side(void **state)
{
	double q[HEADS * N * D], k[HEADS * N * D], w[HEADS * N * N], flat_q[HEADS * N * D], flat_k[HEADS * N * D];
	struct making m = { 0 };
	struct known_file f;

	(void)state;
	some_numbers(q, HEADS * N * D, 1);
	some_numbers(k, HEADS * N * D, 2);
	for (size_t h = 0; h < HEADS; h++)
		weights_of(w + h * N * N, q + h * N * D, k + h * N * D, N, N, D, 0.5, false, 0, NULL);
	swap_axes(flat_q, q, HEADS, N);
	swap_axes(flat_k, k, HEADS, N);
	for (int known = 0; known < 3; known++) {
		make_array(&m, "layers.0.self_attn.q_proj", "F64", "1, 6, 16", flat_q);
		make_array(&m, "layers.0.self_attn.k_proj", "F64", "1, 6, 16", flat_k);
		if (known == 1)
			make_array(&m, "attentions.0", "F64", "1, 4, 6, 6", w);
		if (known == 2)
			make_metadata(&m, "num_attention_heads", "4");
		know(&f, &m, NULL, NULL);
		if (known) {
			struct part p = part_of(&f, -1);
			assert_int_equal(p.heads, 4);
			assert_int_equal(p.d_k, 4);
		} else {
			check_part_error(&f, -1, E_VALUE, "no weights, no scores and no Q and K");
			assert_non_null(strstr(meaning_of(&f, "layers.0.self_attn.q_proj")->note, "not split"));
		}
		if (known == 1)
			assert_true(setting_of(&f, -1, 0).agrees);
		forget(&f);
	}
}

/* ---- reports ---- */

static void unnamed(const char *file, const void *bytes, size_t size, struct known_file *f)
{
	struct error e = { 0 };

	*f = (struct known_file){ 0 };
	buffer_put(&f->m.bytes, bytes, size);
	if (tensors_read(&f->m.t, f->m.bytes.data, f->m.bytes.size, file, NULL, &e))
		fail_msg("%s: %s", file, e.text);
	know_as(f, file, NULL);
}

static struct buffer from_hex(const char *hex)
{
	struct buffer out = { 0 };

	for (; *hex; hex += 2) {
		unsigned byte;
		assert_int_equal(sscanf(hex, "%2x", &byte), 1);
		buffer_put(&out, &(unsigned char){ (unsigned char)byte }, 1);
	}
	return out;
}

static void check_hex(const char *file, const char *hex, struct known_file *f)
{
	struct buffer bytes = from_hex(hex);

	unnamed(file, bytes.data, bytes.size, f);
	buffer_free(&bytes);
}

static struct buffer npy_of(const char *shape, const double *v, size_t n)
{
	char header[119];
	struct buffer out = { 0 };

	snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }", shape);
	buffer_format(&out, "\x93NUMPY\x01%c\x76%c%-117s\n", 1, 1, header);
	out.data[7] = out.data[9] = '\0';
	buffer_put(&out, v ? (const void *)v : "", n * sizeof *v);
	return out;
}

static void check_npy(const char *file, const char *shape, const double *v, size_t n, struct known_file *f)
{
	struct buffer bytes = npy_of(shape, v, n);

	unnamed(file, bytes.data, bytes.size, f);
	buffer_free(&bytes);
}

/* D01: one axis is a row. */
static void report_d01(void **state)
{
	static const double v[] = { 1, 2, 3, 4 };
	static const struct { const char *shape; size_t n_q, n_k; } shapes[] = {
		{ "(4,)", 1, 4 }, { "(1, 4)", 1, 4 }, { "(4, 1)", 4, 1 }, { "(1, 1, 4)", 1, 4 },
	};

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct known_file f;
		check_npy("a.npy", shapes[i].shape, v, 4, &f);
		struct part p = part_of(&f, -1);
		assert_int_equal(p.source, SOURCE_SCORES);
		assert_int_equal(p.n_q, shapes[i].n_q);
		assert_int_equal(p.n_k, shapes[i].n_k);
		forget(&f);
	}
}

/* D02: no axis, and nothing in it: said, not shown. */
static void report_d02(void **state)
{
	static const double v[] = { 6.5 };
	struct known_file f;

	(void)state;
	check_npy("a.npy", "()", v, 1, &f);
	assert_false(f.r.opens);
	check_part_error(&f, -1, E_VALUE, "()");
	forget(&f);
	check_npy("a.npy", "(0, 3)", v, 0, &f);
	check_part_error(&f, -1, E_VALUE, "(0, 3) is empty");
	forget(&f);
}

/* D12: a single array is taken, of several they are listed; what is no array is not offered. */
static void report_d12(void **state)
{
	static const double one[] = { 1, 2, 3, 4 };
	struct buffer npy = npy_of("(2, 2)", one, 4);
	struct known_file f;

	(void)state;
	for (int members = 1; members <= 3; members++) {
		struct archive a = { 0 };
		archive_add(&a, (struct member){ .name = "first.npy", .method = 8, .data = npy.data, .size = npy.size });
		archive_add(&a, (struct member){ .name = "readme.txt", .data = "hello", .size = 5 });
		if (members > 1)
			archive_add(&a, (struct member){ .name = members == 2 ? "second.npy" : "scores.npy", .data = npy.data, .size = npy.size });
		archive_end(&a);
		unnamed("a.npz", a.bytes.data, a.bytes.size, &f);
		buffer_free(&a.bytes);
		buffer_free(&a.directory);
		if (members == 2) {
			check_part_error(&f, -1, E_VALUE, "first (2, 2), second (2, 2)");
		} else {
			struct part p = part_of(&f, -1);
			assert_int_equal(p.source, SOURCE_SCORES);
			assert_string_equal(f.m.t.v[p.array[ROLE_SCORES]].name, members == 1 ? "first" : "scores");
		}
		forget(&f);
	}
	buffer_free(&npy);
}

/* D20: metadata only: no tensors. D21: nothing in it, no axis. */
static void report_d20_d21(void **state)
{
	struct known_file f;

	(void)state;
	check_hex("a.safetensors", "1a000000000000007b225f5f6d657461646174615f5f223a7b226b223a2276227d7d", &f);
	check_part_error(&f, -1, E_VALUE, "no arrays");
	forget(&f);
	check_hex("a.safetensors", "6c000000000000007b2265223a7b226474797065223a22463332222c227368617065223a5b302c335d2c22646174615f6f6666"
		  "73657473223a5b302c305d7d2c2273223a7b226474797065223a22493634222c227368617065223a5b5d2c22646174615f6f666673657473"
		  "223a5b302c385d7d7d0700000000000000", &f);
	check_part_error(&f, -1, E_VALUE, "e (0, 3) is empty");
	forget(&f);
}

/* The name of a file tells what its one array is, where that can be. */
static void names_of_files(void **state)
{
	static const double v[] = { 0.5, 0.5, 0.25, 0.75 }, x[] = { 3, -2, 0.25, 0.75 };
	struct known_file f;

	(void)state;
	check_npy("scores.npy", "(2, 2)", v, 4, &f);
	assert_int_equal(part_of(&f, -1).source, SOURCE_SCORES);
	forget(&f);
	check_npy("layer3.attn.npy", "(2, 2)", v, 4, &f);
	assert_int_equal(part_of(&f, -1).source, SOURCE_WEIGHTS);
	forget(&f);
	check_npy("stories260k.npy", "(2, 2)", v, 4, &f);
	assert_int_equal(part_of(&f, -1).source, SOURCE_WEIGHTS);
	forget(&f);
	check_npy("q.npy", "(2, 2)", x, 4, &f);
	assert_int_equal(part_of(&f, -1).source, SOURCE_SCORES);
	forget(&f);
}

/* Parts that do not fit: an error where nothing else is left, else they are left out. */
static void misfits(void **state)
{
	struct making m = { 0 };
	struct known_file f;

	(void)state;
	make_array(&m, "q", "F32", "2, 3, 4", NULL);
	make_array(&m, "k", "F32", "2, 3, 5", NULL);
	know(&f, &m, NULL, NULL);
	check_part_error(&f, -1, E_SHAPE, "q (2, 3, 4) and k (2, 3, 5)");
	forget(&f);
	make_array(&m, "q", "F32", "3, 3, 4", NULL);
	make_array(&m, "k", "F32", "2, 7, 4", NULL);
	know(&f, &m, NULL, NULL);
	check_part_error(&f, -1, E_SHAPE, "do not fit");
	forget(&f);
	make_array(&m, "q", "F32", "2, 3, 4", NULL);
	make_array(&m, "k", "F32", "2, 3, 4", NULL);
	make_array(&m, "v", "F32", "2, 9, 4", NULL);
	make_array(&m, "attn", "F32", "2, 9, 9", NULL);
	know(&f, &m, NULL, NULL);
	struct part p = part_of(&f, -1);
	assert_int_equal(p.array[ROLE_V], f.r.n);
	assert_int_equal(p.array[ROLE_WEIGHTS], f.r.n);
	assert_non_null(strstr(f.r.notes.data, "v (2, 9, 4) is left out"));
	assert_non_null(strstr(f.r.notes.data, "attn (2, 9, 9) is left out: it does not fit 3 queries, 3 keys, 2 heads"));
	forget(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(long_names),
		cmocka_unit_test(a_decoder),
		cmocka_unit_test(an_encoder_with_padding),
		cmocka_unit_test(ranks),
		cmocka_unit_test(heads_or_positions),
		cmocka_unit_test(ids_tell_batches),
		cmocka_unit_test(grouped_queries),
		cmocka_unit_test(transformer_lens),
		cmocka_unit_test(numbers_tell_the_order),
		cmocka_unit_test(cached_steps),
		cmocka_unit_test(scales),
		cmocka_unit_test(scale_without_weights),
		cmocka_unit_test(does_not_agree),
		cmocka_unit_test(agreement_in_words),
		cmocka_unit_test(stored_weights_on_demand),
		cmocka_unit_test(masks),
		cmocka_unit_test(padding_masks),
		cmocka_unit_test(a_bias_of_each_head),
		cmocka_unit_test(sums),
		cmocka_unit_test(said_and_stored),
		cmocka_unit_test(rounding_of_types),
		cmocka_unit_test(rounding_of_texts),
		cmocka_unit_test(several_attentions),
		cmocka_unit_test(parameters),
		cmocka_unit_test(tokens),
		cmocka_unit_test(wrong_options),
		cmocka_unit_test(roles_that_are_said),
		cmocka_unit_test(layouts_that_are_said),
		cmocka_unit_test(views),
		cmocka_unit_test(heads_side_by_side),
		cmocka_unit_test(report_d01),
		cmocka_unit_test(report_d02),
		cmocka_unit_test(report_d12),
		cmocka_unit_test(report_d20_d21),
		cmocka_unit_test(names_of_files),
		cmocka_unit_test(misfits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
