/* lanes_avx2.c - the kernel for processors with AVX2, FMA and F16C: vectors of 32 bytes. */
#if defined __AVX2__ && defined __FMA__ && defined __F16C__

#define LANES_BYTES 32
#define LANES_MOST 6
#include "core/lanes_build.h"

const struct lanes *lanes_avx2(void)
{
	static const struct lanes table = LANES_TABLE("avx2");
	return &table;
}

#else

#include "core/lanes.h"

const struct lanes *lanes_avx2(void)
{
	return NULL;
}

#endif
