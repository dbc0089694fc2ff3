/* fuzz_tensors.h - what the fuzz targets of the array formats have in common. */
#ifndef TESTS_FUZZ_TENSORS_H
#define TESTS_FUZZ_TENSORS_H

#include "core/io/tensors.h"
#include "tests/fuzz.h"

/* Reads data under that name, opens every array and looks at its elements. */
void fuzz_tensors(const uint8_t *data, size_t size, const char *name, const struct tensors_options *o);

#endif
