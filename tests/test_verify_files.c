/* test_verify_files.c - qkv verify on files of arrays, as a script of somebody else would use it.
 *
 * The files are made here; their weights are computed by tensors_make.c, beside the
 * program. Surroundings: QKV, QKV_TEST_DATA.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/run.h"
#include "tests/tensor_file.h"
#include "tests/tensors_make.h"

/* ---- files ---- */

static void place_made(struct place *p, struct making *m)
{
	struct buffer bytes = make_bytes(m);

	place_bytes(p, "made.safetensors", bytes.data, bytes.size);
	buffer_free(&bytes);
}

static void place_file(struct place *p, const char *name, struct file f)
{
	place_bytes(p, name, f.bytes, f.size);
	free(f.bytes);
}

static const char *sample(const char *name)
{
	static char path[1000];

	snprintf(path, sizeof path, "%s/tensors/%s", surroundings("QKV_TEST_DATA"), name);
	return path;
}

/* Two layers of three heads of a decoder; a head's weights may be made with another offset. */
enum { LAYERS = 2, HEADS = 3, N = 7, D = 4, CELLS = N * N, ALL = LAYERS * HEADS * CELLS, NUMBERS = LAYERS * HEADS * N * D };

struct decoder { double q[NUMBERS], k[NUMBERS], v[NUMBERS], w[ALL]; };

static void head_weights(struct decoder *d, int layer, int head, bool causal, size_t offset, const double *add)
{
	int at = layer * HEADS + head;

	weights_of(d->w + at * CELLS, d->q + at * N * D, d->k + at * N * D, N, N, D, 0.5, causal, offset, add);
}

static void make_decoder(struct decoder *d, bool causal)
{
	some_numbers(d->q, NUMBERS, 1);
	some_numbers(d->k, NUMBERS, 2);
	some_numbers(d->v, NUMBERS, 3);
	for (int layer = 0; layer < LAYERS; layer++)
		for (int head = 0; head < HEADS; head++)
			head_weights(d, layer, head, causal, 0, NULL);
}

static double *cell(struct decoder *d, int layer, int head, int i, int j)
{
	return d->w + ((layer * HEADS + head) * N + i) * N + j;
}

/* With Q, K and V, or the weights alone. */
static void place_decoder(struct place *p, const struct decoder *d, bool whole, const double *mask)
{
	struct making m = { 0 };

	if (whole) {
		make_array(&m, "q", "F32", "2, 3, 7, 4", d->q);
		make_array(&m, "k", "F32", "2, 3, 7, 4", d->k);
		make_array(&m, "v", "F32", "2, 3, 7, 4", d->v);
	}
	make_array(&m, "attn", "F32", "2, 3, 7, 7", d->w);
	if (mask)
		make_array(&m, "attention_mask", "I64", "1, 7", mask);
	place_made(p, &m);
}

/* ---- what the program says ---- */

static struct run verify(const char *path, const char *options)
{
	char line[2000];

	snprintf(line, sizeof line, "verify '%s' %s", path, options);
	return run(line);
}

/* A line, and nothing else. */
static void check_quiet(const char *path, const char *options, const char *part)
{
	struct run r = verify(path, options);

	if (r.status || r.err_size || strchr(r.out, '\n') != r.out + r.out_size - 1 || !strstr(r.out, part))
		fail_msg("%s: status %d\n%s%sexpected %s", options, r.status, r.out, r.err, part);
	run_free(&r);
}

static void check_text(const char *path, const char *options, const char *const *parts)
{
	setenv("COLUMNS", "400", 1);
	struct run r = verify(path, options);

	unsetenv("COLUMNS");
	if (r.status != 1 || r.err_size)
		fail_msg("%s: status %d\n%s%s", options, r.status, r.out, r.err);
	for (; *parts; parts++)
		if (!strstr(r.out, *parts))
			fail_msg("%s: no '%s' in\n%s", options, *parts, r.out);
	run_free(&r);
}
#define SAYS(path, options, ...) check_text(path, options, (const char *const[]){ __VA_ARGS__, NULL })

static json_t *report_of(const char *path, const char *options, int status)
{
	char more[300];

	snprintf(more, sizeof more, "%s --format json", options);
	struct run r = verify(path, more);
	json_t *root = json_loads(r.out, 0, NULL);
	if (r.status != status || !root)
		fail_msg("%s: status %d\n%s%s", options, r.status, r.out, r.err);
	assert_int_equal(json_is_true(json_object_get(root, "ok")), status == 0);
	run_free(&r);
	return root;
}

static json_t *check_named(const json_t *root, const char *name)
{
	size_t i;
	json_t *check;

	json_array_foreach(json_object_get(root, "checks"), i, check)
		if (!strcmp(json_string_value(json_object_get(check, "name")), name))
			return check;
	fail_msg("no check %s", name);
	return NULL;
}

/* "ok" as y, n or -. */
static void check_answer(const json_t *root, const char *name, char wanted)
{
	const json_t *ok = json_object_get(check_named(root, name), "ok");
	char got = json_is_null(ok) ? '-' : json_is_true(ok) ? 'y' : 'n';

	if (got != wanted)
		fail_msg("%s is %c, expected %c: %s", name, got, wanted, json_string_value(json_object_get(check_named(root, name), "detail")));
}

/* An index, or -1 for null. */
static void check_index(const json_t *check, const char *key, int wanted)
{
	const json_t *v = json_object_get(check, key);

	assert_non_null(v);
	if (wanted < 0 ? !json_is_null(v) : !json_is_integer(v) || json_integer_value(v) != wanted)
		fail_msg("%s of %s is not %d", key, json_string_value(json_object_get(check, "name")), wanted);
}

static void check_place(const json_t *root, const char *name, int layer, int head, int row, int column)
{
	const json_t *check = check_named(root, name);

	check_answer(root, name, 'n');
	check_index(check, "layer", layer);
	check_index(check, "batch", 0);
	check_index(check, "head", head);
	check_index(check, "row", row);
	check_index(check, "column", column);
}

static void check_value(const json_t *root, const char *name, double wanted)
{
	const json_t *v = json_object_get(check_named(root, name), "value");

	if (!json_is_number(v) || fabs(json_number_value(v) - wanted) > 1e-6)
		fail_msg("the value of %s is not %g", name, wanted);
}

/* ---- causal masks ---- */

static void correct_weights(void **state)
{
	struct place p = { "", "" };
	struct decoder d;

	(void)state;
	make_decoder(&d, true);
	place_decoder(&p, &d, true, NULL);
	check_quiet(p.path, "--expect causal",
		    "made.safetensors: verify (7, 7), heads 3, layers 2, batches 1, Q, K and stored weights; expected: causal, as asked for; "
		    "hold: upper-triangle, row-sums, probe-k, probe-v, probe-q, empty-rows, agreement; do not apply: pad-columns\n");
	check_quiet(p.path, "", "expected: causal, as set; hold: upper-triangle");
	json_t *root = report_of(p.path, "--expect causal", 0);
	check_answer(root, "upper-triangle", 'y');
	check_answer(root, "agreement", 'y');
	check_answer(root, "pad-columns", '-');
	check_index(check_named(root, "upper-triangle"), "layer", -1);
	check_index(check_named(root, "upper-triangle"), "row", -1);
	json_decref(root);
	place_decoder(&p, &d, false, NULL);
	check_quiet(p.path, "--expect causal", "stored weights; expected: causal, as asked for; hold: upper-triangle, row-sums, empty-rows;");
	remove_folder(p.folder);
}

/* One head of one layer sees one step of the future: its rows still sum to 1, and Q and K are right. */
static void one_step_of_future(void **state)
{
	struct place p = { "", "" };
	struct decoder d;

	(void)state;
	make_decoder(&d, true);
	head_weights(&d, 1, 2, true, 1, NULL);
	for (int whole = 0; whole < 2; whole++) {
		char weight[40];
		place_decoder(&p, &d, whole, NULL);
		snprintf(weight, sizeof weight, "weight %.4g", *cell(&d, 1, 2, 0, 1));
		SAYS(p.path, "--expect causal", "FALSE upper-triangle  layer 1, head 2 (and 0 more of 6 alike): 6 of 21 stored cells",
		     "first query 0, key 1, ", weight, "ok    row-sums", whole ? "FALSE agreement       layer 1, head 2" : "-     probe-k");
		json_t *root = report_of(p.path, "--expect causal", 1);
		check_place(root, "upper-triangle", 1, 2, 0, 1);
		check_value(root, "upper-triangle", *cell(&d, 1, 2, 0, 1));
		check_answer(root, "row-sums", 'y');
		check_answer(root, "probe-k", whole ? 'y' : '-');
		if (whole)
			check_place(root, "agreement", 1, 2, 0, 0);
		json_decref(root);
		check_quiet(p.path, "--expect causal --layer 0", "layers 1");
		check_quiet(p.path, "--expect causal --layer 1 --head 1", "heads 1, layers 1");
	}
	/* What Q and K give says that it is there, even where nobody asks. */
	json_t *root = report_of(p.path, "", 1);
	check_place(root, "upper-triangle", 1, 2, 0, 1);
	json_decref(root);
	remove_folder(p.folder);
}

/* A weight that was added makes the row too large, which makes weights no scores here. */
static void weight_added(void **state)
{
	struct place p = { "", "" };
	struct decoder d;

	(void)state;
	make_decoder(&d, true);
	*cell(&d, 0, 1, 3, 5) += 0.25;
	for (int whole = 0; whole < 2; whole++) {
		place_decoder(&p, &d, whole, NULL);
		json_t *root = report_of(p.path, "--expect causal", 1);
		check_place(root, "upper-triangle", 0, 1, 3, 5);
		check_value(root, "upper-triangle", 0.25);
		check_place(root, "row-sums", 0, 1, 3, -1);
		check_value(root, "row-sums", 1.25);
		json_decref(root);
	}
	remove_folder(p.folder);
}

/* Rectangular, as of a cached step: query 0 of 3 stands at key 4 of 7. */
static void cached_step(void **state)
{
	struct place p = { "", "" };
	double q[3 * D], k[N * D], w[2 * 3 * N];
	struct making m = { 0 };

	(void)state;
	some_numbers(q, 3 * D, 1);
	some_numbers(k, N * D, 2);
	weights_of(w, q, k, 3, N, D, 0.5, true, 4, NULL);
	weights_of(w + 3 * N, q, k, 3, N, D, 0.5, true, 4, NULL);
	make_array(&m, "attn", "F32", "2, 3, 7", w);
	place_made(&p, &m);
	check_quiet(p.path, "--expect causal", "verify (3, 7), heads 2");
	check_text(p.path, "--expect causal --causal-align top-left", (const char *const[]){ "first query 0, key 1,", NULL });
	weights_of(w + 3 * N, q, k, 3, N, D, 0.5, true, 5, NULL);
	make_array(&m, "attn", "F32", "2, 3, 7", w);
	place_made(&p, &m);
	json_t *root = report_of(p.path, "--expect causal", 1);
	check_place(root, "upper-triangle", 0, 1, 0, 5);
	json_decref(root);
	remove_folder(p.folder);
}

static void check_fails(const char *path, const char *options, const char *text)
{
	struct run r = verify(path, options);

	if (r.status != 2 || r.out_size || !strstr(r.err, text))
		fail_msg("%s: status %d\n%s%sexpected %s", options, r.status, r.out, r.err, text);
	run_free(&r);
}

/* Nothing in a file of Q and K says which masks there were. */
static void no_weights(void **state)
{
	struct place p = { "", "" };
	struct making m = { 0 };
	double q[N * D], k[N * D];

	(void)state;
	some_numbers(q, N * D, 1);
	some_numbers(k, N * D, 2);
	make_array(&m, "q", "F64", "7, 4", q);
	make_array(&m, "k", "F64", "7, 4", k);
	place_made(&p, &m);
	check_fails(p.path, "--expect causal", "--expect causal: nothing in the file tells of a mask");
	check_fails(p.path, "--expect causal,pad --format json", "--expect causal: nothing in the file tells of a mask");
	check_quiet(p.path, "--expect pad", "Q and K; expected: pad, as asked for; hold: row-sums, probe-q, empty-rows");
	check_quiet(p.path, "--expect causal --causal", "Q and K; expected: causal, as asked for; hold: upper-triangle, row-sums, probe-k");
	SAYS(p.path, "--expect causal --causal=off", "FALSE upper-triangle  head 0: 21 of 21", "FALSE probe-k", "FALSE probe-v");
	json_t *root = report_of(p.path, "--expect causal --causal=off", 1);
	check_place(root, "probe-k", 0, 0, 0, 1);
	json_decref(root);
	remove_folder(p.folder);
}

/* ---- pads ---- */

static void pad_columns(void **state)
{
	static const double mask[N] = { 1, 1, 1, 1, 1 }, add[N * N] = {
		[5] = -INFINITY, [6] = -INFINITY, [12] = -INFINITY, [13] = -INFINITY, [19] = -INFINITY, [20] = -INFINITY, [26] = -INFINITY,
		[27] = -INFINITY, [33] = -INFINITY, [34] = -INFINITY, [40] = -INFINITY, [41] = -INFINITY, [47] = -INFINITY, [48] = -INFINITY,
	};
	struct place p = { "", "" };
	struct decoder d;

	(void)state;
	make_decoder(&d, false);
	for (int whole = 0; whole < 2; whole++) {
		for (int layer = 0; layer < LAYERS; layer++)
			for (int head = 0; head < HEADS; head++)
				head_weights(&d, layer, head, false, 0, add);
		place_decoder(&p, &d, whole, mask);
		check_quiet(p.path, "--expect pad", "expected: pad, as asked for; hold: row-sums, ");
		head_weights(&d, 1, 0, false, 0, NULL);
		place_decoder(&p, &d, whole, mask);
		json_t *root = report_of(p.path, "", 1);
		check_place(root, "pad-columns", 1, 0, 0, 5);
		check_value(root, "pad-columns", *cell(&d, 1, 0, 0, 5));
		check_answer(root, "row-sums", 'y');
		json_decref(root);
	}
	remove_folder(p.folder);
}

/* No head heeds the mask that the file has: Q and K confirm that, and it is told. */
static void mask_ignored(void **state)
{
	static const double mask[N] = { 1, 1, 1, 1, 1 };
	struct place p = { "", "" };
	struct decoder d;

	(void)state;
	make_decoder(&d, false);
	place_decoder(&p, &d, true, mask);
	json_t *root = report_of(p.path, "--expect pad", 1);
	check_place(root, "pad-columns", 0, 0, 0, 5);
	check_answer(root, "agreement", 'y');
	check_answer(root, "probe-k", 'n');
	json_decref(root);
	remove_folder(p.folder);
}

/* The padding that the file tells is not forgotten where causal alone is asked for; none asks for none. */
static void pads_with_causal(void **state)
{
	static const double mask[N] = { 1, 1, 1, 1, 1 };
	struct place p = { "", "" };
	struct decoder d;

	(void)state;
	make_decoder(&d, true);
	for (int whole = 0; whole < 2; whole++) {
		place_decoder(&p, &d, whole, mask);
		json_t *root = report_of(p.path, "--expect causal", 1);
		check_place(root, "pad-columns", 0, 0, 5, 5);
		check_value(root, "pad-columns", *cell(&d, 0, 0, 5, 5));
		check_answer(root, "upper-triangle", 'y');
		json_decref(root);
		SAYS(p.path, "--expect causal", "expected: causal, pad, as asked for and by the file's mask\n");
		SAYS(p.path, "--expect causal,pad", "expected: causal, pad, as asked for\n");
		check_quiet(p.path, "--expect none", "expected: no mask, as asked for;");
		place_decoder(&p, &d, whole, NULL);
		check_quiet(p.path, "--expect causal", "expected: causal, as asked for;");
	}
	remove_folder(p.folder);
}

/* ---- agreement ---- */

/* Weights that Q and K do not explain are told of with the difference, and are no fault. */
static void of_another_layer(void **state)
{
	struct place p = { "", "" };
	struct decoder d;
	char text[80];

	(void)state;
	make_decoder(&d, true);
	some_numbers(d.q, NUMBERS, 9);
	for (int i = 0; i < NUMBERS; i++)
		d.q[i] *= 9;
	place_decoder(&p, &d, true, NULL);
	json_t *root = report_of(p.path, "--expect causal", 0);
	json_t *check = check_named(root, "agreement");
	check_answer(root, "agreement", '-');
	assert_true(json_number_value(json_object_get(check, "value")) > 0.1);
	snprintf(text, sizeof text, "agreement: does not agree (%.3g): ", json_number_value(json_object_get(check, "value")));
	check_quiet(p.path, "--expect causal", text);
	assert_non_null(strstr(json_string_value(json_object_get(check, "detail")), text + strlen("agreement: ")));
	json_decref(root);
	check_quiet(p.path, "--expect causal", "; do not apply: pad-columns; agreement: ");
	remove_folder(p.folder);
}

/* Options of scores that the file does not tell of are compared with: 0.5 (i - j) less is ALiBi's. */
static void agreement_under_options(void **state)
{
	struct place p = { "", "" };
	struct decoder d;
	double add[CELLS];

	(void)state;
	make_decoder(&d, true);
	for (int i = 0; i < CELLS; i++)
		add[i] = -0.5 * (i / N - i % N);
	for (int layer = 0; layer < LAYERS; layer++)
		for (int head = 0; head < HEADS; head++)
			head_weights(&d, layer, head, true, 0, add);
	place_decoder(&p, &d, true, NULL);
	check_quiet(p.path, "", "agreement: does not agree (0.");
	check_quiet(p.path, "--alibi 0.5", "empty-rows, agreement; do not apply: pad-columns\n");
	json_t *root = report_of(p.path, "--alibi 0.25", 1);
	check_place(root, "agreement", 0, 0, 1, 0);
	json_decref(root);
	remove_folder(p.folder);
}

/* ---- rows ---- */

static void rows_of_nan_and_zeros(void **state)
{
	struct place p = { "", "" };
	struct decoder d;

	(void)state;
	make_decoder(&d, true);
	for (int j = 0; j < N; j++)
		*cell(&d, 0, 2, 4, j) = NAN;
	place_decoder(&p, &d, false, NULL);
	json_t *root = report_of(p.path, "--expect causal", 1);
	check_place(root, "empty-rows", 0, 2, 4, -1);
	check_place(root, "row-sums", 0, 2, 4, -1);
	check_answer(root, "upper-triangle", 'y');
	assert_string_equal(json_string_value(json_object_get(check_named(root, "row-sums"), "value")), "NaN");
	json_decref(root);
	for (int j = 0; j < N; j++)
		*cell(&d, 0, 2, 4, j) = 0;
	place_decoder(&p, &d, true, NULL);
	root = report_of(p.path, "--expect causal", 1);
	check_place(root, "empty-rows", 0, 2, 4, -1);
	json_decref(root);
	remove_folder(p.folder);
}

static void sums(void **state)
{
	struct place p = { "", "" };
	struct decoder d;

	(void)state;
	make_decoder(&d, true);
	for (int j = 0; j < N; j++)
		*cell(&d, 1, 1, 6, j) *= 1.001;
	place_decoder(&p, &d, false, NULL);
	json_t *root = report_of(p.path, "", 1);
	check_place(root, "row-sums", 1, 1, 6, -1);
	check_value(root, "row-sums", 1.001);
	json_decref(root);
	remove_folder(p.folder);
}

/* A float's upper half, rounded to nearest even. */
static void put_bf16(unsigned char out[2], double v)
{
	float f = (float)v;
	uint32_t bits;

	memcpy(&bits, &f, sizeof bits);
	bits += 0x7fff + (bits >> 16 & 1);
	out[0] = (unsigned char)(bits >> 16);
	out[1] = (unsigned char)(bits >> 24);
}

/* Rounded to bfloat16 rows are off by more than float32 may be. */
static void bf16(void **state)
{
	unsigned char bytes[2 * ALL];
	struct place p = { "", "" };
	struct decoder d;
	char header[200];
	double worst = 0;

	(void)state;
	make_decoder(&d, true);
	for (int i = 0; i < ALL; i++)
		put_bf16(bytes + 2 * i, d.w[i]);
	for (int i = 0; i < ALL / N; i++) {
		double sum = 0;
		for (int j = 0; j < N; j++) {
			uint32_t bits = (uint32_t)(bytes[2 * (i * N + j)] | bytes[2 * (i * N + j) + 1] << 8) << 16;
			float f;
			memcpy(&f, &bits, sizeof f);
			sum += (double)f;
		}
		worst = fmax(worst, fabs(sum - 1));
	}
	assert_true(worst > 1e-3);
	snprintf(header, sizeof header, "{\"attn\":{\"dtype\":\"BF16\",\"shape\":[2,3,7,7],\"data_offsets\":[0,%d]}}", 2 * ALL);
	place_file(&p, "half.safetensors", file_safetensors(header, bytes, sizeof bytes));
	check_quiet(p.path, "--expect causal", "hold: upper-triangle, row-sums, empty-rows");
	remove_folder(p.folder);
}

/* ---- other formats, and what is chosen ---- */

static void npy_and_npz(void **state)
{
	float w[CELLS];
	struct place p = { "", "" };
	struct archive a = { { 0 }, { 0 }, 0 };
	struct decoder d;

	(void)state;
	make_decoder(&d, true);
	head_weights(&d, 0, 0, true, 1, NULL);
	for (int i = 0; i < CELLS; i++)
		w[i] = (float)d.w[i];
	place_file(&p, "attn.npy", file_npy("<f4", "(7, 7)", w, sizeof w));
	SAYS(p.path, "--expect causal", "FALSE upper-triangle  head 0: 6 of 21 stored cells");
	add_member(&a, "attentions.3.npy", 8, file_npy("<f4", "(1, 1, 7, 7)", w, sizeof w));
	place_file(&p, "attn.npz", end_archive(&a));
	json_t *root = report_of(p.path, "--expect causal", 1);
	check_place(root, "upper-triangle", 3, 0, 0, 1);
	json_decref(root);
	remove_folder(p.folder);
}

static void real_models(void **state)
{
	(void)state;
	check_quiet(sample("koen_lm_ko.npz"), "--expect causal", "heads 4, layers 3, batches 1");
	check_quiet(sample("koen_mlm_pad.safetensors"), "--expect pad", "heads 4, layers 3, batches 4");
	/* An encoder sees what comes after. */
	json_t *root = report_of(sample("koen_mlm_pad.safetensors"), "--expect causal --batch 0", 1);
	check_place(root, "upper-triangle", 0, 0, 0, 1);
	check_place(root, "probe-k", 0, 0, 0, 1);
	json_decref(root);
	check_fails(sample("koen_lm_ko.npz"), "--layer 3", "--layer 3: the file has 3 layers, 0 to 2");
	check_fails(sample("koen_lm_ko.npz"), "--batch 1", "--batch 1: the file has 1 batch, counted from 0");
	check_fails(sample("koen_lm_ko.npz"), "--head 4", "--head 4: there are only 4, counted from 0");
	check_fails(sample("koen_lm_ko.npz"), "--pad 99", "--pad 99: key 99 is outside 0..28");
	check_fails(sample("koen_lm_ko.npz"), "--as q=w", "--as q=w: ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(correct_weights),
		cmocka_unit_test(one_step_of_future),
		cmocka_unit_test(weight_added),
		cmocka_unit_test(cached_step),
		cmocka_unit_test(no_weights),
		cmocka_unit_test(pad_columns),
		cmocka_unit_test(mask_ignored),
		cmocka_unit_test(pads_with_causal),
		cmocka_unit_test(of_another_layer),
		cmocka_unit_test(agreement_under_options),
		cmocka_unit_test(rows_of_nan_and_zeros),
		cmocka_unit_test(sums),
		cmocka_unit_test(bf16),
		cmocka_unit_test(npy_and_npz),
		cmocka_unit_test(real_models),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
