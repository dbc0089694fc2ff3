/* test_info.c - files of arrays in a shell: qkv info, and the commands that open one.
 *
 * Surroundings: QKV, QKV_TEST_DATA. Numbers from NumPy 1.24.2 (data/tensors/README.md).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/run.h"
#include "tests/tensor_file.h"
#include "tests/tensors_make.h"

/* ---- tools ---- */

static struct run run_file(const char *command, const char *file, const char *options)
{
	char line[2000];

	snprintf(line, sizeof line, "%s '%s' %s", command, file, options);
	return run(line);
}

static const char *sample(const char *name)
{
	static char path[1000];

	snprintf(path, sizeof path, "%s/tensors/%s", surroundings("QKV_TEST_DATA"), name);
	return path;
}

static void check_says(const char *command, const char *file, const char *options, const char *const *parts)
{
	struct run r = run_file(command, file, options);

	if (r.status || r.err_size)
		fail_msg("%s %s: status %d, %s", command, options, r.status, r.err);
	for (; *parts; parts++)
		if (!strstr(r.out, *parts))
			fail_msg("%s %s: no '%s' in\n%s", command, options, *parts, r.out);
	run_free(&r);
}
#define SAYS(command, file, options, ...) check_says(command, file, options, (const char *const[]){ __VA_ARGS__, NULL })

/* One line of error, and nothing else. */
static void check_fails(const char *command, const char *file, const char *options, const char *text)
{
	struct run r = run_file(command, file, options);

	if (r.status != 2 || r.out_size || !r.err_size || strchr(r.err, '\n') != r.err + r.err_size - 1 || strncmp(r.err, "qkv: ", 5) ||
	    !strstr(r.err, text))
		fail_msg("%s %s: status %d\n%s%sexpected %s", command, options, r.status, r.out, r.err, text);
	run_free(&r);
}

static void place_made(struct place *p, const char *name, struct making *m)
{
	struct buffer bytes = make_bytes(m);

	place_bytes(p, name, bytes.data, bytes.size);
	buffer_free(&bytes);
}

/* ---- what is in a file ---- */

static void a_decoder(void **state)
{
	(void)state;
	SAYS("info", sample("koen_lm_ko.npz"), "", ".npz, 7 arrays\n", "\n  q          f32   (3, 4, 29, 24)     q (layer, head, query, dim)\n",
	     "weights (layer, head, query, key)", "tokens (token)", "ids (token)", "\n  scale      f32   ()                 scale = 0.2041242\n",
	     "opened as: Q and K, the weights computed again and compared with the stored ones, with V\n",
	     "n_q 29, n_k 29, d_k 24, d_v 24, heads 4, layers 3, batches 1\n", "causal on (the stored weights confirm it)",
	     "scale 1/sqrt(d_k) (the stored weights confirm it)", "agrees within 1.1e-6 (348 rows in 3 of 3 layers and batches)",
	     "29 tokens: |[BOS]|대|화| |상|");
	SAYS("info", sample("koen_lm_ko.npz"), "--layer 1", "agrees within 1.2e-7 (116 rows in 1 of 3");
}

static void an_encoder(void **state)
{
	(void)state;
	SAYS("info", sample("koen_mlm_pad.safetensors"), "", ".safetensors, 5 arrays", "q (layer, batch, head, query, dim)",
	     "mask (batch, key): 1 or True keeps", "batches 4\n", "causal off", "; the file's mask\n", "agrees within 0.007 (1920 rows in 12 of 12",
	     "|[CLS]|대|");
	SAYS("info", sample("koen_mlm_pad.safetensors"), "--layer 0 --batch 3", "agrees within 0.0051");
	check_fails("info", sample("koen_mlm_pad.safetensors"), "--batch 4", "--batch 4: the file has 4, counted from 0");
	check_fails("info", sample("koen_mlm_pad.safetensors"), "--layer 3", "--layer 3: the file has 3 layers, 0 to 2");
}

/* Well formed, with nothing to open: a report, and an error where it is to be opened. */
static void nothing_to_open(void **state)
{
	struct place p = { "", "" };
	struct making m = { 0 };

	(void)state;
	make_array(&m, "emb.weight", "F32", "2, 3", NULL);
	make_array(&m, "blocks.0.qkv.weight", "F32", "2, 3", NULL);
	make_array(&m, "blocks.0.qkv.bias", "F32", "2", NULL);
	place_made(&p, "model.safetensors", &m);
	SAYS("info", p.path, "", "nothing to open: holds the parameters of a model (3 arrays)", "emb.weight");
	check_fails("show", p.path, "", "model.safetensors: holds the parameters of a model");
	check_fails("frame", p.path, "", "parameters of a model");
	check_fails("verify", p.path, "", "parameters of a model");
	place_made(&p, "empty.safetensors", &m);
	SAYS("info", p.path, "", "0 arrays", "nothing to open: no arrays");
	check_fails("show", p.path, "", "no arrays are in it");
	remove_folder(p.folder);
}

static void damaged_files(void **state)
{
	struct place p = { "", "" };
	size_t size;
	char *bytes = read_file(sample("koen_mlm_pad.safetensors"), &size);

	(void)state;
	assert_non_null(bytes);
	place_bytes(&p, "cut.safetensors", bytes, size - 1);
	check_fails("info", p.path, "", "cut.safetensors");
	check_fails("show", p.path, "", "cut.safetensors");
	free(bytes);
	place_bytes(&p, "text.yaml", "qkv: 1\n", 7);
	check_fails("info", p.path, "", "not a file of arrays");
	check_fails("info", "nowhere.npz", "", "nowhere.npz: cannot be opened");
	check_fails("info", p.folder, "", "is a folder");
	struct run r = run("info");
	assert_int_equal(r.status, 2);
	assert_string_equal(r.err, "qkv: qkv info: a file is expected\n");
	run_free(&r);
	check_fails("info", p.path, "--causal", "not an option of qkv info");
	remove_folder(p.folder);
}

/* A member that is damaged is one thing, one that is not read here another. */
static void damaged_members(void **state)
{
	static const char *const damaged[] = { "bad_crc", "bad_deflate_damage", "bad_bad_member", "bad_offset_out", "bad_csize_big" };
	static const struct { const char *file, *says; } unread[] = {
		{ "bad_encrypted", "the member is encrypted" }, { "bad_method_lzma", "packed by method 14" }, { "bad_object_member", "Python objects" },
	};
	char path[1000];

	(void)state;
	for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
		snprintf(path, sizeof path, "%s/hostile/%s.npz", surroundings("QKV_TEST_DATA"), damaged[i]);
		check_fails("info", path, "", "'q': ");
	}
	for (size_t i = 0; i < sizeof unread / sizeof *unread; i++) {
		snprintf(path, sizeof path, "%s/hostile/%s.npz", surroundings("QKV_TEST_DATA"), unread[i].file);
		check_fails("info", path, "", unread[i].says);
		check_fails("show", path, "", unread[i].says);
	}
}

/* Nothing that a file holds reaches the terminal as it stands. */
static void hostile_texts(void **state)
{
	static const char npy[] = "\x93NUMPY\x01\0v\0";
	struct place p = { "", "" };
	struct making m = { 0 };

	(void)state;
	make_array(&m, "attn\\u001b[31m", "F32", "2, 2", (double[]){ 1, 0, 0.5, 0.5 });
	make_metadata(&m, "tokens", "");
	make_metadata(&m, "query_tokens", "[\"\\u001b]0;x\\u0007\",\"b\"]");
	place_made(&p, "a\033[1m.safetensors", &m);
	static const char *const commands[] = { "info", "show", "frame", "verify" };
	for (int i = 0; i < 4; i++) {
		struct run r = run_file(commands[i], p.path, "");
		assert_int_equal(r.status, 0);
		for (size_t k = 0; k < r.out_size; k++)
			assert_true((unsigned char)r.out[k] >= ' ' || r.out[k] == '\n');
		run_free(&r);
	}
	place_bytes(&p, "b.npy", npy, sizeof npy - 1);
	check_fails("info", p.path, "", "b.npy");
	remove_folder(p.folder);
}

/* ---- opening ---- */

static void shown(void **state)
{
	(void)state;
	/* NumPy: 0.34607425, 0.20193496, 0.03703931, 0.41495148 */
	SAYS("show", sample("koen_lm_ko.npz"), "--layer 1 --head 2 --rows 3 --cols :4 --format numpy --precision 6",
	     "[[0.346074 0.201935 0.037039 0.414951]]");
	SAYS("show", sample("koen_lm_ko.npz"), "--layer 1 --rows 3 --cols :4", "koen_lm_ko.npz  weights", "[BOS]");
	SAYS("frame", sample("koen_lm_ko.npz"), "--size 160x24", "koen_lm_ko.npz", "causal on", "head 0 of 4", "(29,29)",
	     "recomputed from Q and K: agrees within 1.1e-6; causal; layer 0 of 3; 4 heads");
	SAYS("frame", sample("koen_mlm_pad.safetensors"), "--size 160x24", "pad 18 keys on", "agrees within 0.0053");
	SAYS("frame", sample("koen_mlm_pad.safetensors"), "--size 160x24 --batch 2", "pad none", "batch 2 of 4");
	SAYS("verify", sample("koen_lm_ko.npz"), "", "heads 4, layers 3, ", "expected: causal, as set");
	SAYS("verify", sample("koen_mlm_pad.safetensors"), "--layer 2", "layers 1, ", "expected: pad, as set");
}

/* Slices as Python's, of stored weights; NumPy's numbers. */
static void slices(void **state)
{
	(void)state;
	SAYS("show", sample("koen_lm_ko.npz"), "--as weights=attn --layer 2 --head 1 --rows -2: --cols -3: --format numpy --precision 6",
	     "[[0.055443 0.137498 0.      ]\n [0.045417 0.035431 0.033287]]\n");
	SAYS("show", sample("koen_lm_ko.npz"), "--as weights=attn --layer 2 --head 1 --rows -24 --cols :4 --format numpy --precision 6",
	     "[[0.084965 0.006941 0.572917 0.260034]]\n");
	SAYS("show", sample("koen_lm_ko.npz"), "--as weights=attn --layer 2 --head 1 --rows 27:99 --cols -3:27 --format csv", ",자\n", ",0.0554");
	SAYS("show", sample("koen_lm_ko.npz"), "--as weights=attn --rows 9:3 --format numpy", "[]\n");
	check_fails("show", sample("koen_lm_ko.npz"), "--as weights=attn --rows 29", "--rows 29: outside -29..28");
	check_fails("show", sample("koen_lm_ko.npz"), "--as weights=attn --rows -30", "--rows -30: outside -29..28");
	check_fails("show", sample("koen_lm_ko.npz"), "--as weights=attn --head 4 --rows 1", "--head 4: there are only 4, counted from 0");
	/* What goes through all heads or rows reads them. */
	SAYS("show", sample("koen_lm_ko.npz"), "--stage joined --rows 1 --cols :2 --format csv", "\n");
	SAYS("show", sample("koen_lm_ko.npz"), "--softmax column --rows 28 --cols :2 --format csv", "\n");
}

/* 6.4 GB of weights, of which hardly any are on the disk: more than is taken as a whole. */
static void slices_of_a_large_file(void **state)
{
	enum { BIG = 40000, ROW = 31234 };
	const float row[] = { 0.25F, 0.75F };
	struct place p = { "", "" };
	struct file f = file_npy("<f4", "(40000, 40000)", NULL, 0);

	(void)state;
	place_bytes(&p, "attn.npy", f.bytes, f.size);
	FILE *file = fopen(p.path, "r+b");
	assert_non_null(file);
	int failed = fseeko(file, (off_t)(f.size + (size_t)ROW * BIG * sizeof *row), SEEK_SET) ||
		     fwrite(row, sizeof row, 1, file) != 1 || fflush(file) ||
		     ftruncate(fileno(file), (off_t)(f.size + (size_t)BIG * BIG * sizeof *row));
	fclose(file);
	free(f.bytes);
	if (failed) {
		remove_folder(p.folder);
		skip();
	}
	SAYS("show", p.path, "--rows 31233:31235 --cols :3 --format numpy", "[[0.   0.   0.  ]\n [0.25 0.75 0.  ]]\n");
	SAYS("show", p.path, "--rows 31234 --stage row-sums --format numpy", "[1.]\n");
	check_fails("show", p.path, "", "(40000, 40000) scores in 1 heads, more than the 268435456 numbers that are taken; qkv show --head --rows");
	remove_folder(p.folder);
}

/* Masks and biases of arrays in files, such as differ by head too. */
static void masks_and_heads(void **state)
{
	static const double mask[18] = { [0] = 1, [3] = 1, [4] = 1, [6] = 1, [7] = 1, [8] = 1, [11] = 1, [13] = 1, [14] = 1, [15] = 1, [17] = 1 };
	static const double bias[9] = { 1000, 0, 0, 0, 1000, 0, 0, 0, 1000 }, keys[3] = { 1, 0, 1 }, zeros[24] = { 0 };
	struct place p = { "", "" };
	struct making m = { 0 };
	char path[300], options[400];

	(void)state;
	make_array(&m, "keep_mask", "BOOL", "1, 2, 3, 3", mask);
	make_array(&m, "rel_bias", "F32", "1, 1, 3, 3", bias);
	make_array(&m, "keep_keys", "I64", "1, 3", keys);
	make_array(&m, "keep_three", "BOOL", "3, 3, 2", mask);
	place_made(&p, "masks.safetensors", &m);
	snprintf(path, sizeof path, "%s", p.path);
	make_array(&m, "q", "F64", "2, 3, 4", zeros);
	make_array(&m, "k", "F64", "2, 3, 4", zeros);
	place_made(&p, "qk.safetensors", &m);
#define WITH(option, name, more) (snprintf(options, sizeof options, "--" option " '%s:" name "' " more, path), options)
	SAYS("show", p.path, WITH("mask", "keep_mask", "--format numpy"), "[[1.         0.         0.        ]\n [0.5        0.5        0.        ]\n");
	SAYS("show", p.path, WITH("mask", "keep_mask", "--head 1 --format numpy"), "[[0.  0.  1. ]\n [0.  0.5 0.5]\n [0.5 0.  0.5]]\n");
	SAYS("show", p.path, WITH("bias", "rel_bias", "--format numpy"), "[[1. 0. 0.]\n [0. 1. 0.]\n [0. 0. 1.]]\n");
	SAYS("show", p.path, WITH("mask", "keep_keys", "--format numpy"), "[[0.5 0.  0.5]\n");
	check_fails("show", p.path, WITH("mask", "keep_three", ""), "found the shape (3, 3, 2)");
	check_fails("show", p.path, WITH("mask", "keep", ""), "no array of that name is in the file; the nearest is keep_");
	check_fails("show", p.path, WITH("mask", "keep_mask", "--stage joined"), "the mask from a file differs by head, and that of head 0 is loaded");
	/* Another head has its own on the screen. */
	SAYS("frame", p.path, WITH("mask", "keep_mask", "--size 90x20 --keys ']'"), "0.500   ▚ 0 0.500");
	SAYS("frame", p.path, WITH("mask", "keep_mask", "--size 90x20 --keys '] ['"), "0.500 0.500   ▚ 0");
	SAYS("verify", p.path, WITH("mask", "keep_mask", ""), "heads 2, ", "expected: mask, as set; hold: row-sums, probe-k, probe-v");
#undef WITH
	remove_folder(p.folder);
}

static void from_the_screen(void **state)
{
	char keys[1200];

	(void)state;
	snprintf(keys, sizeof keys, "--size 160x24 --keys ':o %s<Enter>'", sample("koen_lm_ko.npz"));
	SAYS("frame", "causal-3", keys, "koen_lm_ko.npz", "agrees within 1.1e-6");
	SAYS("frame", sample("koen_lm_ko.npz"), "--size 120x24 --keys ':layer 1<Enter>'", "layer 1 of 3");
}

/* The command line that opens the same part of the file in the same way. */
static void command_line_of_a_part(void **state)
{
	(void)state;
	SAYS("frame", sample("koen_lm_ko.npz"), "--layer 2 --size 300x24 --keys 'c y'", "koen_lm_ko.npz --layer=2 --causal=off");
	SAYS("frame", sample("koen_mlm_pad.safetensors"), "--batch 3 --as q=q,k=k,v=v --size 300x24 --keys y",
	     "koen_mlm_pad.safetensors --as=q=q,k=k,v=v --layer=0 --batch=3");
	SAYS("frame", sample("koen_lm_ko.npz"), "--as weights=attn --size 300x24 --keys y", "koen_lm_ko.npz --as=weights=attn --layer=0");
}

static void of_standard_input(void **state)
{
	struct run r = run_input("show - --as q=x --format numpy", "qkv: 1\nscores: [[1, 2]]\n");

	(void)state;
	assert_int_equal(r.status, 2);
	assert_string_equal(r.err, "qkv: --as q=x: the input is no file of arrays, and needs none of this\n");
	run_free(&r);
	r = run_input("show - --format numpy --stage scores", "0,1\n2,3\n");
	assert_string_equal(r.out, "[[0. 1.]\n [2. 3.]]\n");
	run_free(&r);
	r = run_input("show -", "a,b\n1,2\n");
	assert_int_equal(r.status, 2);		/* it could be anything: only a name tells CSV */
	run_free(&r);
	r = run_input("show - --format numpy --stage scores", "[[0, 1], [2, 3]]");
	assert_string_equal(r.out, "[[0. 1.]\n [2. 3.]]\n");
	run_free(&r);
}

static void options_of_files(void **state)
{
	struct place p = { "", "" };
	struct making m = { 0 };
	static const double w[] = { 1, 0, 0, 0.25, 0.75, 0, 0.25, 0.25, 0.5 };

	(void)state;
	make_array(&m, "x", "F32", "3, 3", w);
	make_array(&m, "y", "F32", "3, 3", NULL);
	place_made(&p, "two.safetensors", &m);
	check_fails("show", p.path, "", "x (3, 3), y (3, 3)");
	SAYS("show", p.path, "--as weights=x --rows 1 --format numpy", "[[0.25 0.75 0.  ]]");
	check_fails("show", p.path, "--as weights=z", "--as weights=z: no array is named 'z'; the file has x, y");
	check_fails("show", p.path, "--as", "--as: a value is expected");
	check_fails("show", p.path, "--layout key,rows", "--layout key,rows: 'rows' is no axis");
	SAYS("info", p.path, "--as q=x,k=y", "opened as: Q and K", "as asked for");
	check_fails("show", "causal-3", "--layout query,key", "--layout query,key: the input is no file of arrays");
	check_fails("sweep", p.path, "--as weights", "--as: not an option of qkv sweep");
	remove_folder(p.folder);
}

/* ---- masks that are arrays in a file ---- */

static struct buffer npy_flags(const char *shape, const char *flags, size_t n)
{
	struct buffer out = { 0 };
	buffer_put(&out, "\x93NUMPY\x01\0v\0", 10);
	buffer_format(&out, "{'descr': '|b1', 'fortran_order': False, 'shape': %s, }", shape);
	buffer_repeat(&out, ' ', 127 - out.size);
	buffer_text(&out, "\n");
	for (size_t i = 0; i < n; i++)
		buffer_put(&out, &(char){ flags[i] == '1' }, 1);
	return out;
}

/* One mask in .npz, and the same in .safetensors, under names that say what True means. */
static void masks_by_name(void **state)
{
	static const char hide[] = "011001000", keep[] = "100110111";
	static const double flags[] = { 1, 0, 0, 1, 1, 0, 1, 1, 1 }, bias[] = { 0, 5, 0 };
	static const char masked[] = "[[1.   0.   0.  ]\n [0.27 0.73 0.  ]\n [0.66 0.24 0.1 ]]\n";
	struct buffer a = npy_flags("(3, 3)", hide, 9), b = npy_flags("(1, 3, 3)", keep, 9);
	struct place p = { "", "" };
	struct archive z = { 0 };
	struct making m = { 0 };
	char options[1000];

	(void)state;
	archive_add(&z, (struct member){ .name = "hidden.npy", .data = a.data, .size = a.size });
	archive_add(&z, (struct member){ .name = "keep.npy", .method = 8, .data = b.data, .size = b.size });
	archive_end(&z);
	place_bytes(&p, "m.npz", z.bytes.data, z.bytes.size);
	for (int k = 0; k < 2; k++) {
		snprintf(options, sizeof options, "--causal=off --mask '%s:%s' --format numpy --precision 2", p.path, k ? "keep" : "hidden");
		SAYS("show", "causal-3", options, masked);
	}
	snprintf(options, sizeof options, "--mask '%s:kept'", p.path);
	check_fails("show", "causal-3", options, "no array of that name is in the file; the nearest is keep");
	snprintf(options, sizeof options, "--mask '%s'", p.path);
	check_fails("show", "causal-3", options, "the file has 2 arrays; FILE:NAME is expected, such as :hidden");
	make_array(&m, "layer:0.keep_mask", "BOOL", "3, 3", flags);
	make_array(&m, "bias", "F64", "3", bias);
	place_made(&p, "m.safetensors", &m);
	snprintf(options, sizeof options, "--causal=off --mask '%s:layer:0.keep_mask' --format numpy --precision 2", p.path);
	SAYS("show", "causal-3", options, masked);
	snprintf(options, sizeof options, "--stage masked --bias '%s:bias' --format numpy", p.path);
	SAYS("show", "causal-3", options, "[[ 2.  -inf -inf]\n [ 1.   7.  -inf]\n [ 2.   6.   0.1]]\n");
	snprintf(options, sizeof options, "--mask '%s:bias'", p.path);
	check_fails("show", "two-tokens", options, "mask (1, 3) does not fit scores (2, 2)");
	remove_folder(p.folder);
	buffer_free(&a);
	buffer_free(&b);
	buffer_free(&z.bytes);
	buffer_free(&z.directory);
}

/* A file's own mask of cells is used when it is opened, and goes with --mask none. */
static void a_mask_of_its_own(void **state)
{
	static const double x[] = { 1, 0, 0, 1, 1, 1 };
	static const double mask[] = { 0, -1e4, -0.5, -1e4, 0, 0, 0, 0, -3.4e38 };
	struct place p = { "", "" };
	struct making m = { 0 };

	(void)state;
	make_array(&m, "q", "F32", "1, 1, 3, 2", x);
	make_array(&m, "k", "F32", "1, 1, 3, 2", x);
	make_array(&m, "attn_mask", "F32", "1, 1, 3, 3", mask);
	place_made(&p, "own.safetensors", &m);
	/* scores 1 0 1, 0 1 1, 1 1 2 over sqrt 2; -1e4 hides, -0.5 is added. NumPy. */
	SAYS("show", p.path, "--stage masked --format numpy --precision 4",
	     "[[0.7071   -inf 0.2071]\n [  -inf 0.7071 0.7071]\n [0.7071 0.7071   -inf]]");
	SAYS("show", p.path, "--mask none --stage masked --rows 0 --format numpy --precision 4", "[[0.7071 0.     0.7071]]");
	remove_folder(p.folder);
}

/* ---- bfloat16 in NumPy's files ---- */

static void place_file(struct place *p, const char *name, struct file f)
{
	place_bytes(p, name, f.bytes, f.size);
	free(f.bytes);
}

/* np.save writes ml_dtypes' bfloat16 as two raw bytes. Bytes and expected numbers from NumPy:
 * the upper halves of float32. */
static void raw_bfloat16(void **state)
{
	static const char *const commands[] = { "info", "show", "frame", "verify" };
	static const char scores[] = "\xc0\x3f\x00\xc0\x80\xff\xab\x3e", mask[] = "\0\0\x80\xff\0\0\0\0";
	struct place p = { "", "" };
	struct archive z = { 0 };
	char options[400];

	(void)state;
	place_file(&p, "x.npy", file_npy("|V2", "(2, 2)", scores, 8));
	for (int i = 0; i < 4; i++)
		check_fails(commands[i], p.path, "", "x.npy: the type '|V2' does not say what its 2 bytes are; if they are bfloat16, --bf16 reads them so");
	SAYS("info", p.path, "--bf16", "bf16  (2, 2)");
	SAYS("show", p.path, "--bf16 --stage scores --format numpy", "[[ 1.5        -2.        ]\n [       -inf  0.33398438]]\n");
	SAYS("frame", p.path, "--bf16 --size 200x20 --keys y", "x.npy --bf16");

	add_member(&z, "q.npy", 0, file_npy("|V2", "(2, 2)", "\x80\x3f\0\0\0\0\0\x40", 8));
	add_member(&z, "k.npy", 8, file_npy("|V2", "(2, 2)", "\x80\x3f\x80\x3f\0\x3f\x80\xbf", 8));
	place_file(&p, "qk.npz", end_archive(&z));
	for (int i = 0; i < 4; i++)
		check_fails(commands[i], p.path, "", "'q': the type '|V2' does not say what its 2 bytes are");
	check_fails("show", p.path, "--as q=q,k=k", "'q' is not read: the type '|V2' does not say what its 2 bytes are; if they are bfloat16, --bf16");
	SAYS("show", p.path, "--bf16 --format numpy", "[[0.587479   0.412521  ]\n [0.94419278 0.05580722]]\n");
	SAYS("verify", p.path, "--bf16", "Q and K; expected: no mask is set");

	place_file(&p, "mask.npy", file_npy("|V2", "(2, 2)", mask, 8));
	snprintf(options, sizeof options, "--stage masked --format numpy --mask '%s'", p.path);
	check_fails("show", "two-tokens", options, "if they are bfloat16, --bf16 reads them so");
	snprintf(options, sizeof options, "--bf16 --mask '%s' --stage weights --rows 0 --format numpy", p.path);
	SAYS("show", "two-tokens", options, "[[1. 0.]]\n");
	check_fails("sweep", "--bf16", "", "--bf16: not an option of qkv sweep");
	remove_folder(p.folder);
}

/* A file in which one array is not read tells of it beside what is recognised. */
static void one_is_not_read(void **state)
{
	struct place p = { "", "" };
	struct archive z = { 0 };

	(void)state;
	add_member(&z, "q.npy", 0, file_npy("|V2", "(2, 2)", "\x80\x3f\0\0\0\0\0\x40", 8));
	add_member(&z, "x.npy", 0, file_npy("|u1", "(2, 2)", "\0\1\2\3", 4));
	add_member(&z, "y.npy", 0, file_npy("|u1", "(2, 2)", "\0\1\2\3", 4));
	add_member(&z, "s.npy", 0, file_npy("<U2", "()", "a\0\0\0b\0\0\0", 8));
	place_file(&p, "a.npz", end_archive(&z));
	SAYS("info", p.path, "", "  q     ?     ? ", "  x     u8    (2, 2)", "  s     text  ()                 unknown; is one text",
	     "nothing to open: ", "x (2, 2), y (2, 2), s () is one text; 'q' is not read: the type '|V2'");
	check_fails("show", p.path, "", "x (2, 2), y (2, 2), s () is one text; 'q' is not read: the type '|V2'");
	SAYS("show", p.path, "--as scores=x --stage scores --format numpy", "[[0. 1.]\n [2. 3.]]\n");
	remove_folder(p.folder);
}

/* A mask is called what the weights show that it means; one that they were made without is told of. */
static void meaning_of_masks(void **state)
{
	enum { N = 6, D = 4 };
	double q[N * D], k[N * D], w[N * N], hides[N * N], other[N * N];
	struct place p = { "", "" };

	(void)state;
	some_numbers(q, N * D, 1);
	some_numbers(k, N * D, 2);
	weights_of(w, q, k, N, N, D, 0.5, true, 0, NULL);
	for (int i = 0; i < N * N; i++) {
		hides[i] = i % N > i / N;
		other[i] = i % 2;
	}
	for (int pass = 0; pass < 2; pass++) {
		struct making m = { 0 };
		make_array(&m, "q", "F64", "6, 4", q);
		make_array(&m, "k", "F64", "6, 4", k);
		make_array(&m, "mask", "BOOL", "6, 6", pass ? other : hides);
		make_array(&m, "weights", "F64", "6, 6", w);
		place_made(&p, "masks.safetensors", &m);
		if (pass) {
			SAYS("info", p.path, "", ": 1 or True keeps\n", "causal on", "; the file's mask is not applied: the stored weights are those without it\n");
			SAYS("frame", p.path, "--size 160x12", "mask is not applied: the stored weights are those without it");
		} else {
			SAYS("info", p.path, "", ": 1 or True hides (the stored weights say so)\n", "; the file's mask, the other way round\n");
		}
	}
	remove_folder(p.folder);
}

/* Where neither tokens nor weights tell heads from tokens it is said that nothing does. */
static void assumed_order(void **state)
{
	static const char note[] = "note: q: that heads come before tokens is assumed; --layout batch,token,head,dim says otherwise\n";
	struct place p = { "", "" };

	(void)state;
	for (int pass = 0; pass < 2; pass++) {
		struct making m = { 0 };
		make_array(&m, "q", "F32", "1, 5, 3, 2", NULL);
		make_array(&m, "k", "F32", "1, 5, 3, 2", NULL);
		if (pass)
			make_metadata(&m, "tokens", "[\"a\",\"b\",\"c\",\"d\",\"e\"]");
		place_made(&p, "order.safetensors", &m);
		if (!pass)
			SAYS("info", p.path, "", "n_q 3, n_k 3, d_k 2, heads 5", note);
		struct run r = run_file("info", p.path, pass ? "" : "--layout batch,token,head,dim");
		assert_non_null(strstr(r.out, "n_q 5, n_k 5, d_k 2, heads 3"));
		assert_null(strstr(r.out, "assumed; --layout"));
		run_free(&r);
	}
	remove_folder(p.folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_decoder),
		cmocka_unit_test(an_encoder),
		cmocka_unit_test(nothing_to_open),
		cmocka_unit_test(damaged_files),
		cmocka_unit_test(damaged_members),
		cmocka_unit_test(hostile_texts),
		cmocka_unit_test(shown),
		cmocka_unit_test(slices),
		cmocka_unit_test(slices_of_a_large_file),
		cmocka_unit_test(masks_and_heads),
		cmocka_unit_test(from_the_screen),
		cmocka_unit_test(command_line_of_a_part),
		cmocka_unit_test(of_standard_input),
		cmocka_unit_test(options_of_files),
		cmocka_unit_test(masks_by_name),
		cmocka_unit_test(a_mask_of_its_own),
		cmocka_unit_test(raw_bfloat16),
		cmocka_unit_test(one_is_not_read),
		cmocka_unit_test(meaning_of_masks),
		cmocka_unit_test(assumed_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
