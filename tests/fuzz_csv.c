/* fuzz_csv.c - CSV tables from any bytes. */
#include "tests/fuzz_tensors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char separators[] = { ',', ';', '\t' };

	fuzz_tensors(data, size, "fuzz.csv", NULL);
	fuzz_tensors(data, size, "fuzz.csv", &(struct tensors_options){ .separator = separators[size % sizeof separators] });
	return 0;
}
