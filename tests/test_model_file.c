/* test_model_file.c - weights from files, sound and otherwise; what a run saves;
 * and what is left when memory ends.
 */
#include "tests/koen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assets/assets.h"
#include "core/io/model_file.h"
#include "core/io/model_save.h"
#include "core/model_heads.h"
#include "core/model_next.h"
#include "tests/alloc.h"
#include "tests/small_model.h"

/* ---- reading ---- */

static enum status read_small(struct model *m, const struct small_model *what, struct error *e)
{
	struct buffer bytes = { 0 };

	small_model(&bytes, what);
	enum status s = model_read(m, bytes.data, bytes.size, "small.safetensors", e);
	buffer_free(&bytes);
	return s;
}

static void last_logits(const struct model *m, float out[6])
{
	struct model_run r;
	struct error e = { 0 };
	const size_t ids[] = { 1, 4, 5, 4, 3 };

	assert_int_equal(model_run_init(&r, m, NULL, &e), OK_STATUS);
	assert_int_equal(model_run_set(&r, ids, 5, &e), OK_STATUS);
	memcpy(out, model_run_logits(&r, 4), 6 * sizeof *out);
	model_run_free(&r);
}

/* Other sizes than the built-in model's, and the three types give the same model. */
static void other_sizes_and_types(void **state)
{
	static const char *const types[] = { "F32", "BF16", "F16" };
	float first[6], other[6];

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		struct model m;
		struct error e = { 0 };
		if (read_small(&m, &(struct small_model){ .type = types[k] }, &e))
			fail_msg("%s: %s", types[k], e.text);
		assert_int_equal(m.size.vocab, 6);
		assert_int_equal(m.size.head_dim, 2);
		assert_int_equal(model_id(&m, 'b'), 5);
		assert_int_equal(model_id(&m, 'c'), 3);
		last_logits(&m, k ? other : first);
		if (k)
			assert_memory_equal(first, other, sizeof first);
		model_free(&m);
	}
	assert_true(isfinite(first[0]) && first[0] != first[1]);
}

static const struct refusal { struct small_model what; enum status status; const char *says; } refusals[] = {
	{ { .key = "format", .value = "gpt2" }, E_VALUE, "'koen-decoder' is expected" },
	{ { .key = "format" }, E_VALUE, "no 'format'" },
	{ { .key = "activation", .value = "gelu_tanh" }, E_VALUE, "'gelu_erf' is expected" },
	{ { .key = "norm", .value = "rms" }, E_VALUE, "'pre_layernorm' is expected" },
	{ { .key = "positions", .value = "rope" }, E_VALUE, "'learned' is expected" },
	{ { .key = "output", .value = "own" }, E_VALUE, "'tied' is expected" },
	{ { .key = "layers" }, E_VALUE, "a whole number is expected" },
	{ { .key = "layers", .value = "one" }, E_VALUE, "a whole number is expected" },
	{ { .key = "layers", .value = "-1" }, E_VALUE, "a whole number is expected" },
	{ { .key = "layers", .value = "1.0" }, E_VALUE, "a whole number is expected" },
	{ { .key = "layers", .value = "0" }, E_LIMIT, "1 to 64 is expected" },
	{ { .key = "layers", .value = "65" }, E_LIMIT, "1 to 64 is expected" },
	{ { .key = "layers", .value = "2" }, E_SHAPE, "blocks.1.ln1.weight" },
	{ { .key = "heads", .value = "1" }, E_VALUE, "heads times head_dim, 2" },
	{ { .key = "heads", .value = "99999999999999999999" }, E_VALUE, "a whole number is expected" },
	{ { .key = "head_dim", .value = "4000000000" }, E_LIMIT, "1 to 512 is expected" },
	{ { .key = "width", .value = "5" }, E_VALUE, "heads times head_dim, 4" },
	{ { .key = "hidden", .value = "4" }, E_SHAPE, "blocks.0.fc.weight" },
	{ { .key = "context", .value = "1024" }, E_SHAPE, "the shape (1024, 4) is expected" },
	{ { .key = "context", .value = "1025" }, E_LIMIT, "1 to 1024 is expected" },
	{ { .key = "norm_eps" }, E_VALUE, "norm_eps" },
	{ { .key = "norm_eps", .value = "0" }, E_VALUE, "above 0" },
	{ { .key = "norm_eps", .value = "nan" }, E_VALUE, "above 0" },
	{ { .key = "pad_id", .value = "6" }, E_VALUE, "an id below 6" },
	{ { .key = "pad_id", .value = "1" }, E_VALUE, "both 1" },
	{ { .key = "bos_id" }, E_VALUE, "bos_id" },
	{ { .key = "vocab" }, E_VALUE, "no 'vocab'" },
	{ { .key = "vocab", .value = "{}" }, E_VALUE, "is no list" },
	{ { .key = "vocab", .value = "[" }, E_SYNTAX, "vocab is no JSON" },
	{ { .key = "vocab", .value = "[1,2,3,4,5,6]" }, E_VALUE, "no string" },
	{ { .key = "vocab", .value = "[\\\"a\\\"]" }, E_SHAPE, "1 tokens; 6 are expected" },
	{ { .key = "vocab", .value = "[\\\"p\\\",\\\"b\\\",\\\"e\\\",\\\"u\\\",\\\"a\\\",\\\"ab\\\"]" }, E_VALUE, "one character is expected" },
	{ { .key = "vocab", .value = "[\\\"p\\\",\\\"b\\\",\\\"e\\\",\\\"u\\\",\\\"a\\\",\\\"\\\"]" }, E_VALUE, "one character is expected" },
	{ { .key = "vocab", .value = "[\\\"p\\\",\\\"b\\\",\\\"e\\\",\\\"u\\\",\\\"a\\\",\\\"a\\\"]" }, E_VALUE, "each is expected once" },
	{ { .array = "emb.weight" }, E_SHAPE, "emb.weight" },
	{ { .array = "lnf.bias" }, E_SHAPE, "no array lnf.bias" },
	{ { .array = "blocks.0.proj.bias" }, E_SHAPE, "no array blocks.0.proj.bias" },
	{ { .misshapen = "blocks.0.qkv.weight" }, E_SHAPE, "the shape (12, 4) is expected" },
	{ { .misshapen = "emb.weight" }, E_SHAPE, "emb.weight" },
	{ { .misshapen = "lnf.weight" }, E_SHAPE, "the shape (4,) is expected" },
	{ { .extra = "head.weight" }, E_SHAPE, "17 arrays; 16 are expected" },
	{ { .type = "I32" }, E_VALUE, "F16, BF16 or F32 is expected" },
	{ { .broken = "blocks.0.out.bias" }, E_VALUE, "not finite" },
	{ { .broken = "emb.weight" }, E_VALUE, "not finite" },
};

static void other_layouts_are_refused(void **state)
{
	struct model m, before;

	(void)state;
	memset(&m, 0x5a, sizeof m);
	before = m;
	for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
		const struct refusal *r = &refusals[k];
		struct error e = { 0 };
		enum status s = read_small(&m, &r->what, &e);
		if (s != r->status || !strstr(e.text, r->says) || strcmp(e.file, "small.safetensors"))
			fail_msg("%zu: status %d, %s: '%s'; expected %d, '%s'", k, s, e.file, e.text, r->status, r->says);
		assert_memory_equal(&m, &before, sizeof m);
	}
}

/* A list of more than a vocabulary holds, and one that is nothing but brackets. */
static void large_vocabularies_are_refused(void **state)
{
	char *many = malloc(600001), *deep = malloc(300001);
	struct model m;
	struct error e = { 0 };

	(void)state;
	assert_true(many && deep);
	memset(deep, '[', 300000);
	deep[300000] = '\0';
	for (size_t k = 0; k < 300000; k++)
		memcpy(many + 2 * k, k ? ",0" : "[0", 2);
	many[600000] = '\0';
	assert_int_equal(read_small(&m, &(struct small_model){ .key = "vocab", .value = many }, &e), E_LIMIT);
	assert_true(read_small(&m, &(struct small_model){ .key = "vocab", .value = deep }, &e) != OK_STATUS);
	free(many);
	free(deep);
}

/* Whatever a file is cut to, or which of its first bytes is another: an error, or a model. */
static void damaged_files(void **state)
{
	struct buffer bytes = { 0 };
	struct dice d = { 5 };

	(void)state;
	small_model(&bytes, &(struct small_model){ .type = "F16" });
	for (size_t n = 0; n < bytes.size; n++) {
		struct model m;
		struct error e = { 0 };
		char *cut = malloc(n + !n);
		assert_non_null(cut);
		memcpy(cut, bytes.data, n);
		assert_true(model_read(&m, cut, n, "cut", &e) != OK_STATUS);
		assert_true(e.text[0] && !strchr(e.text, '\n'));
		free(cut);
	}
	for (size_t k = 0; k < 3000; k++) {
		struct model m;
		struct error e = { 0 };
		size_t at = dice_below(&d, bytes.size);
		char was = bytes.data[at];
		bytes.data[at] = (char)dice_below(&d, 256);
		if (!model_read(&m, bytes.data, bytes.size, "changed", &e))
			model_free(&m);
		else
			assert_true(e.text[0] && !strchr(e.text, '\n'));
		bytes.data[at] = was;
	}
	buffer_free(&bytes);
}

static void other_formats(void **state)
{
	static const char *const texts[] = { "", "PK\3\4", "\x93NUMPY", "[1, 2]", "qkv: 1\n", "a,b\n1,2\n" };
	static const char *const names[] = { "x", "x.npy", "x.json", "x.csv", "x.safetensors", "x.pt" };

	(void)state;
	for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
		for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
			struct model m;
			struct error e = { 0 };
			assert_true(model_read(&m, texts[k], strlen(texts[k]), names[i], &e) != OK_STATUS);
			assert_string_equal(e.file, names[i]);
		}
}

/* ---- saving ---- */

static void saved_runs_are_read_back(void **state)
{
	static const char text[] = "가나 ab漢";
	static const char *const tokens[] = { "[BOS]", "가", "나", " ", "a", "b", "[UNK]" };
	struct model m;
	struct model_run r;
	struct buffer bytes = { 0 }, again = { 0 }, token = { 0 };
	struct tensors t;
	struct error e = { 0 };

	(void)state;
	koen_model(&m);
	assert_int_equal(model_run_init(&r, &m, NULL, &e), OK_STATUS);
	koen_set(&r, text);
	assert_int_equal(model_save(&bytes, &r, &e), OK_STATUS);
	assert_int_equal(model_save(&again, &r, &e), OK_STATUS);
	assert_int_equal(bytes.size, again.size);
	assert_memory_equal(bytes.data, again.data, bytes.size);
	assert_int_equal(tensors_read(&t, bytes.data, bytes.size, "saved.npz", NULL, &e), OK_STATUS);
	assert_int_equal(t.n, 7);
	const struct npy *q = koen_array(&t, "q"), *v = koen_array(&t, "v"), *scores = koen_array(&t, "scores"),
			 *weights = koen_array(&t, "weights"), *ids = koen_array(&t, "ids"), *names = koen_array(&t, "tokens");
	assert_true(q->kind == NPY_F32 && q->rank == 4 && q->shape[2] == 7 && q->shape[3] == 32);
	assert_true(weights->kind == NPY_F32 && weights->shape[2] == 7 && weights->shape[3] == 7);
	assert_true(ids->kind == NPY_I32 && ids->rank == 1 && names->kind == NPY_TEXT_UCS4);
	for (size_t l = 0; l < 3; l++)
		for (size_t h = 0; h < 4; h++)
			for (size_t i = 0; i < 7; i++) {
				size_t row = (l * 4 + h) * 7 + i;
				assert_true(npy_number(q, row * 32 + 5) == model_run_vector(&r, MODEL_Q, l, h, i)[5]);
				assert_true(npy_number(v, row * 32 + 31) == model_run_vector(&r, MODEL_V, l, h, i)[31]);
				for (size_t j = 0; j < 7; j++) {
					assert_true(npy_number(scores, row * 7 + j) == model_run_scores(&r, l, h, i)[j]);
					assert_true(npy_number(weights, row * 7 + j) == model_run_weights(&r, l, h, i)[j]);
				}
			}
	for (size_t i = 0; i < 7; i++) {
		token.size = 0;
		npy_text(names, i, &token);
		assert_int_equal(token.size, strlen(tokens[i]));
		assert_memory_equal(token.data, tokens[i], token.size);
		assert_true(npy_number(ids, i) == (double)r.ids[i]);
	}
	tensors_free(&t);
	buffer_free(&token);
	buffer_free(&bytes);
	buffer_free(&again);
	model_run_free(&r);
	model_free(&m);
}

/* ---- no memory ---- */

/* All that the model's files allocate, in one go; what was made is freed. */
static enum status everything(const struct buffer *bytes, const struct random_tables *tables, struct error *e)
{
	const size_t ids[] = { 1, 4, 5 };
	const struct head_set all = { MODEL_ALL, MODEL_ALL };
	struct model m = { .pos = NULL };
	struct model_text text = { .ids = NULL };
	struct model_plan plan = { .head = NULL };
	struct model_run r = { .model = NULL };
	struct options o = { .mask = NULL };
	struct buffer saved = { 0 };
	enum model_stop why;
	enum status s;

	if ((s = model_read(&m, bytes->data, bytes->size, "small", e)) || (s = model_text_init(&text, &m, "ab", 2, e)) ||
	    (s = model_plan_init(&plan, &m, e)) || (s = model_options(&o, e)) ||
	    (s = option_set(&o, OPT_SOFTMAX, "column", e)) || (s = model_plan_options(&plan, &all, &o, e)) ||
	    (s = model_run_init(&r, &m, tables, e)) || (s = model_run_plan(&r, &plan, e)) || (s = model_run_set(&r, ids, 3, e)) ||
	    (s = model_continue(&r, 1, &(struct model_draw){ .stream = NULL }, &why, e)))
		goto end;
	s = model_save(&saved, &r, e);
end:
	buffer_free(&saved);
	model_run_free(&r);
	options_free(&o);
	model_plan_free(&plan);
	model_text_free(&text);
	model_free(&m);
	return s;
}

static void memory_ends(void **state)
{
	struct buffer bytes = { 0 };
	struct random_tables tables;
	struct error e = { 0 };

	(void)state;
	assert_int_equal(random_tables_init(&tables, &e), OK_STATUS);
	small_model(&bytes, &(struct small_model){ .type = "F16" });
	for (size_t n = 1;; n++) {
		struct error told = { 0 };
		assert_true(n < 20000);
		alloc_fail(n);
		enum status s = everything(&bytes, &tables, &told);
		size_t asked = alloc_count();
		alloc_fail(0);
		if (asked < n) {
			assert_int_equal(s, OK_STATUS);
			assert_true(n > 100);
			break;
		}
		if (s != E_MEMORY)
			fail_msg("allocation %zu fails: status %d, '%s'", n, s, told.text);
		assert_true(told.text[0]);
	}
	buffer_free(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_sizes_and_types),
		cmocka_unit_test(other_layouts_are_refused),
		cmocka_unit_test(large_vocabularies_are_refused),
		cmocka_unit_test(damaged_files),
		cmocka_unit_test(other_formats),
		cmocka_unit_test(saved_runs_are_read_back),
		cmocka_unit_test(memory_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
