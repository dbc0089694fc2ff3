/* fuzz.h - a target of libFuzzer, which `make check` replays a corpus through.
 *
 * tests/fuzz_NAME.c defines LLVMFuzzerTestOneInput. `make fuzz` links it with
 * libFuzzer, which makes inputs up; `make check` with fuzz.c, whose main() gives it
 * every file of the folders that are its arguments. Without arguments they are
 * those of FUZZ_CORPUS, parted by blanks, below $QKV_SOURCE. A folder that is
 * missing or empty is a failure: it would say nothing.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Must neither crash nor take much time, whatever data is; abort() says that
 * something does not hold. Always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
