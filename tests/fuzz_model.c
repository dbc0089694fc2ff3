/* fuzz_model.c - weights from any bytes; what is read must compute. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/model_file.h"
#include "core/model_next.h"
#include "tests/fuzz.h"

static void check(bool holds)
{
	if (!holds)
		abort();
}

/* Small models only: a large one that is sound takes its time. */
static bool is_small(const struct model_sizes *s)
{
	return s->layers <= 4 && s->context <= 256 && s->width <= 256 && s->hidden <= 512 && s->vocab <= 1024;
}

static void compute(const struct model *m)
{
	struct model_run r;
	struct error e = { 0 };
	size_t ids[8], n = m->size.context < 8 ? m->size.context : 8;

	for (size_t t = 0; t < n; t++)
		ids[t] = t % m->size.vocab;
	check(!model_run_init(&r, m, NULL, &e));
	check(!model_run_set(&r, ids, n, &e));
	model_nats(&r);
	model_run_free(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct model m = { .pos = NULL }, before = m;
	struct error e = { 0 };

	if (model_read(&m, data, size, "fuzz.safetensors", &e)) {
		check(e.text[0] && !strpbrk(e.text, "\n\r\033"));
		check(!memcmp(&m, &before, sizeof m));
		return 0;
	}
	check(m.vocab.n == m.size.vocab);
	if (is_small(&m.size))
		compute(&m);
	model_free(&m);
	return 0;
}
