/* lanes_avx512.c - the kernel for processors with AVX-512: vectors of 64 bytes, a panel each. */
#if defined __AVX512F__ && defined __AVX512BW__ && defined __AVX512DQ__ && defined __AVX512VL__

#define LANES_BYTES 64
#define LANES_MOST 12
#include "core/lanes_build.h"

const struct lanes *lanes_avx512(void)
{
	static const struct lanes table = LANES_TABLE("avx512");
	return &table;
}

#else

#include "core/lanes.h"

const struct lanes *lanes_avx512(void)
{
	return NULL;
}

#endif
