/* small_model.c - files of a very small model, sound and otherwise. */
#include "tests/small_model.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const metadata[][2] = {
	{ "format", "koen-decoder" }, { "layers", "1" }, { "heads", "2" }, { "head_dim", "2" }, { "width", "4" },
	{ "hidden", "3" }, { "context", "5" }, { "activation", "gelu_erf" }, { "norm", "pre_layernorm" },
	{ "norm_eps", "1e-5" }, { "positions", "learned" }, { "output", "tied" }, { "pad_id", "0" }, { "bos_id", "1" },
	{ "eos_id", "2" }, { "unk_id", "3" },
	{ "vocab", "[\\\"[PAD]\\\",\\\"[BOS]\\\",\\\"[EOS]\\\",\\\"[UNK]\\\",\\\"a\\\",\\\"b\\\"]" },
};

static const struct { const char *name; size_t rows, columns; } arrays[] = {
	{ "emb.weight", 6, 4 }, { "pos.weight", 5, 4 }, { "blocks.0.ln1.weight", 4, 0 }, { "blocks.0.ln1.bias", 4, 0 },
	{ "blocks.0.qkv.weight", 12, 4 }, { "blocks.0.qkv.bias", 12, 0 }, { "blocks.0.proj.weight", 4, 4 },
	{ "blocks.0.proj.bias", 4, 0 }, { "blocks.0.ln2.weight", 4, 0 }, { "blocks.0.ln2.bias", 4, 0 },
	{ "blocks.0.fc.weight", 3, 4 }, { "blocks.0.fc.bias", 3, 0 }, { "blocks.0.out.weight", 4, 3 },
	{ "blocks.0.out.bias", 4, 0 }, { "lnf.weight", 4, 0 }, { "lnf.bias", 4, 0 },
};

static int is(const char *a, const char *b)
{
	return a && !strcmp(a, b);
}

static void put_metadata(struct buffer *head, const struct small_model *m)
{
	const char *between = "";

	buffer_text(head, "{\"__metadata__\":{");
	for (size_t k = 0; k < sizeof metadata / sizeof *metadata; k++) {
		const char *value = is(m->key, metadata[k][0]) ? m->value : metadata[k][1];
		if (value)
			buffer_format(head, "%s\"%s\":\"%s\"", between, metadata[k][0], value);
		if (value)
			between = ",";
	}
	buffer_text(head, "}");
}

/* x, an eighth between -1 and 1, as the upper bits of a float32 or as float16. */
static void put_number(struct buffer *data, const char *type, float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof bits);
	if (is(type, "F16")) {
		uint32_t exponent = bits >> 23 & 255;
		bits = (bits >> 16 & 0x8000) | (exponent > 112 ? (exponent < 255 ? exponent - 112 : 31) << 10 | (bits >> 13 & 0x3ff) : 0);
	} else if (is(type, "BF16")) {
		bits >>= 16;
	}
	int size = is(type, "F16") || is(type, "BF16") ? 2 : 4;
	for (int k = 0; k < size; k++)
		buffer_put(data, (char[]){ (char)(bits >> 8 * k & 255) }, 1);
}

static void put_array(struct buffer *head, struct buffer *data, const struct small_model *m, const char *name, size_t rows,
		      size_t columns)
{
	const char *type = m->type ? m->type : "F32";
	size_t n = rows * (columns ? columns : 1), before = data->size;
	uint32_t state = (uint32_t)(rows * 31 + columns * 7 + strlen(name));

	for (size_t k = 0; k < n; k++) {
		const float zero = 0;
		state = state * 1664525u + 1013904223u;
		float x = is(m->broken, name) && k == 1 ? 1 / zero : (float)((int)(state >> 24) % 17 - 8) / 8;
		put_number(data, type, x);
	}
	buffer_format(head, ",\"%s\":{\"dtype\":\"%s\",\"shape\":[", name, type);
	if (is(m->misshapen, name))
		buffer_format(head, "1,1,%zu", n);
	else if (columns)
		buffer_format(head, "%zu,%zu", rows, columns);
	else
		buffer_format(head, "%zu", rows);
	buffer_format(head, "],\"data_offsets\":[%zu,%zu]}", before, data->size);
}

void small_model(struct buffer *out, const struct small_model *m)
{
	struct buffer head = { 0 }, data = { 0 };

	put_metadata(&head, m);
	for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
		if (!is(m->array, arrays[k].name))
			put_array(&head, &data, m, arrays[k].name, arrays[k].rows, arrays[k].columns);
	if (m->extra)
		put_array(&head, &data, m, m->extra, 1, 0);
	buffer_text(&head, "}");
	for (int k = 0; k < 8; k++)
		buffer_put(out, (char[]){ (char)((uint64_t)head.size >> 8 * k & 255) }, 1);
	buffer_put(out, head.data, head.size);
	buffer_put(out, data.data, data.size);
	if (head.failed || data.failed || out->failed)
		abort();
	buffer_free(&head);
	buffer_free(&data);
}
