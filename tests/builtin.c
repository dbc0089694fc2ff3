/* builtin.c - a fixture from a built-in scenario, for tests that link the readers. */
#include "tests/builtin.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/io/scenario_yaml.h"

void fixture_builtin(struct fixture *f, const char *name)
{
	const char *assets = getenv("QKV_ASSETS");
	struct error e = { 0 };
	char path[4096], bytes[16384];

	snprintf(path, sizeof path, "%s/scenarios/%s.yaml", assets ? assets : "assets", name);
	FILE *file = fopen(path, "rb");
	if (!file)
		fail_msg("%s cannot be opened", path);
	size_t n = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	assert_true(n > 0 && n < sizeof bytes);
	fixture_init(f);
	scenario_free(&f->scenario);
	options_free(&f->options);
	if (scenario_parse(&f->scenario, bytes, n, path, &e))
		fail_msg("%s:%u:%u: %s", path, e.line, e.column, e.text);
	assert_int_equal(options_copy(&f->options, &f->scenario.set, &e), OK_STATUS);
}
