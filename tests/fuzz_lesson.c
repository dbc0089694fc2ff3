/* fuzz_lesson.c - lessons from any bytes, up to the first error and with all of them. */
#include <stdlib.h>

#include "core/io/lesson_yaml.h"
#include "tests/fuzz.h"

static void count_error(void *context, const struct error *e)
{
	if (!e->text[0])
		abort();
	++*(size_t *)context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lesson l;
	struct error e = { 0 };
	size_t errors = 0;
	enum status first = lesson_read(&l, data, size, "fuzz.yaml", &e);

	if (!first)
		lesson_free(&l);
	enum status all = lesson_read_all(&l, data, size, "fuzz.yaml", count_error, &errors);
	lesson_free(&l);
	/* Both see the same first error, or none. */
	if (first != all || !first != !errors)
		abort();
	return 0;
}
