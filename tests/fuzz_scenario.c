/* fuzz_scenario.c - scenarios from any bytes; what is written reads back equal. */
#include <stdlib.h>
#include <string.h>

#include "core/io/scenario_yaml.h"
#include "tests/fuzz.h"

static void write_scenario(struct buffer *out, const struct scenario *s)
{
	scenario_write(out, s, &s->set, &s->edits);
	if (out->failed)
		abort();
}

static void check_reads_back(const struct buffer *first)
{
	struct scenario s;
	struct error e = { 0 };
	struct buffer second = { 0 };

	if (scenario_parse(&s, first->data, first->size, "fuzz.yaml", &e))
		abort();
	write_scenario(&second, &s);
	if (first->size != second.size || memcmp(first->data, second.data, second.size))
		abort();
	buffer_free(&second);
	scenario_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scenario s;
	struct error e = { 0 };
	struct buffer text = { 0 };

	if (scenario_parse(&s, data, size, "fuzz.yaml", &e)) {
		if (!e.text[0])
			abort();
		return 0;
	}
	write_scenario(&text, &s);
	check_reads_back(&text);
	buffer_free(&text);
	scenario_free(&s);
	return 0;
}
