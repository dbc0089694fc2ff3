/* koen.c - the built-in model and texts for it, for tests. */
#include "tests/koen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assets/assets.h"
#include "core/io/model_file.h"
#include "tui/text.h"

static void fine(enum status s, const struct error *e)
{
	if (s)
		fail_msg("status %d: %s", s, e->text);
}

void koen_model(struct model *m)
{
	struct error e = { 0 };

	assert_int_equal(models_count, 1);
	fine(model_read(m, models[0].data, models[0].size, models[0].name, &e), &e);
}

struct model_text koen_text(const struct model *m, const char *text)
{
	struct error e = { 0 };
	struct model_text t;
	char *nfc = text_nfc(text, strlen(text));

	assert_non_null(nfc);
	fine(model_text_init(&t, m, nfc, strlen(nfc), &e), &e);
	free(nfc);
	return t;
}

void koen_set(struct model_run *r, const char *text)
{
	struct error e = { 0 };
	struct model_text t = koen_text(r->model, text);

	fine(model_run_set(r, t.ids, t.n, &e), &e);
	model_text_free(&t);
}

char *koen_bytes(const char *name, size_t *size)
{
	const char *folder = getenv("QKV_TEST_DATA");
	char path[1024];

	assert_non_null(folder);
	snprintf(path, sizeof path, "%s/koen/%s", folder, name);
	FILE *f = fopen(path, "rb");
	if (!f)
		fail_msg("%s cannot be opened", path);
	fseek(f, 0, SEEK_END);
	*size = (size_t)ftell(f);
	rewind(f);
	char *bytes = malloc(*size + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *size, f), *size);
	fclose(f);
	bytes[*size] = '\0';
	return bytes;
}

json_t *koen_json(const char *name)
{
	size_t size;
	char *bytes = koen_bytes(name, &size);
	json_t *root = json_loadb(bytes, size, 0, NULL);

	free(bytes);
	assert_non_null(root);
	return root;
}

size_t koen_ids(const json_t *list, size_t *out, size_t room)
{
	size_t n = json_array_size(list);

	assert_true(n <= room);
	for (size_t k = 0; k < n; k++)
		out[k] = (size_t)json_integer_value(json_array_get(list, k));
	return n;
}

/* One word of a plan. */
static void plan_word(struct model_plan *p, const struct model *m, char *word)
{
	struct error e = { 0 };
	struct head_set set;
	struct options o;
	char *colon = strchr(word, ':');

	if (!strncmp(word, "off=", 4)) {
		fine(head_set_parse(&set, m, word + 4, strlen(word + 4), &e), &e);
		model_plan_off(p, &set, true);
		return;
	}
	assert_non_null(colon);
	fine(head_set_parse(&set, m, word, (size_t)(colon - word), &e), &e);
	fine(model_options(&o, &e), &e);
	for (char *one = strtok(colon + 1, "+"); one; one = strtok(NULL, "+")) {
		char *equals = strchr(one, '=');
		assert_non_null(equals);
		*equals = '\0';
		fine(option_set(&o, option_find(one), equals + 1, &e), &e);
	}
	fine(model_plan_options(p, &set, &o, &e), &e);
	options_free(&o);
}

void koen_plan(struct model_plan *p, const struct model *m, const char *words)
{
	struct error e = { 0 };
	char copy[1024];

	assert_true(strlen(words) < sizeof copy);
	fine(model_plan_init(p, m, &e), &e);
	snprintf(copy, sizeof copy, "%s", words);
	for (char *word = copy, *end; *word; word = end) {
		end = word + strcspn(word, " ");
		if (*end)
			*end++ = '\0';
		plan_word(p, m, word);
	}
}

const struct npy *koen_array(struct tensors *t, const char *name)
{
	struct error e = { 0 };
	size_t k = tensors_find(t, name);

	if (k == t->n)
		fail_msg("there is no array %s", name);
	fine(tensors_open(t, k, &e), &e);
	return &t->v[k].array;
}
