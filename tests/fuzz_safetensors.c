/* fuzz_safetensors.c - .safetensors files from any bytes. */
#include "tests/fuzz_tensors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_tensors(data, size, "fuzz.safetensors", NULL);
	return 0;
}
