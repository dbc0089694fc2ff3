/* lanes_base.c - the kernel for any processor: vectors of 16 bytes. */
#define LANES_BYTES 16
#define LANES_MOST 2
#include "core/lanes_build.h"

const struct lanes *lanes_base(void)
{
	static const struct lanes table = LANES_TABLE("base");
	return &table;
}
