/* python.h - scripts that qkv writes, run by Python with NumPy: all of a program's in
 * one run, since to begin takes Python longer than to compute.
 *
 * Where there is no Python with NumPy, scripts_check skips the test.
 */
#ifndef TESTS_PYTHON_H
#define TESTS_PYTHON_H

#include <stddef.h>

struct scripts {
	char folder[256];
	size_t n;
};

void scripts_begin(struct scripts *s);
/* One script, and what it must print: those bytes, and no warning. The name is told
 * when it does not. */
void scripts_add(struct scripts *s, const char *name, const char *script, const char *wanted);
/* Runs all of them; the test fails at the first difference. Removes them. */
void scripts_check(struct scripts *s);

#endif
