/* builtin.h - a fixture from a built-in scenario, for tests that link the readers. */
#ifndef TESTS_BUILTIN_H
#define TESTS_BUILTIN_H

#include "tests/fixture.h"

/* The scenario of that name in the folder QKV_ASSETS, with its own options; the
 * test fails where it cannot be read. */
void fixture_builtin(struct fixture *f, const char *name);

#endif
