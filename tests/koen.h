/* koen.h - the built-in model and texts for it, for tests. All that fails stops the test. */
#ifndef TESTS_KOEN_H
#define TESTS_KOEN_H

#include <jansson.h>

#include "core/io/tensors.h"
#include "core/model_run.h"
#include "tests/fixture.h"

/* The model that is built into the program. */
void koen_model(struct model *m);
/* A text as the program takes it: brought to NFC, then cut into characters. */
struct model_text koen_text(const struct model *m, const char *text);
/* Puts a text into a run. */
void koen_set(struct model_run *r, const char *text);

/* Bytes of a file in tests/data/koen, to be freed; JSON of it, for json_decref. */
char *koen_bytes(const char *name, size_t *size);
json_t *koen_json(const char *name);
/* The ids of a JSON list. */
size_t koen_ids(const json_t *list, size_t *out, size_t room);

/* A plan from words: "off=0.3 1.0:causal=off all:window=9+fill=0"; "" is nothing. */
void koen_plan(struct model_plan *p, const struct model *m, const char *words);

/* An array of an open file, by its name; opened. */
const struct npy *koen_array(struct tensors *t, const char *name);

#endif
