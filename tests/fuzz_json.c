/* fuzz_json.c - JSON arrays from any bytes. */
#include "tests/fuzz_tensors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_tensors(data, size, "fuzz.json", NULL);
	return 0;
}
