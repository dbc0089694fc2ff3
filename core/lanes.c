/* lanes.c - which of the kernels this processor runs. */
#include "core/lanes.h"

#if defined __x86_64__ || defined __i386__
static bool has_avx2(void)
{
	__builtin_cpu_init();
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else
static bool has_avx2(void)
{
	return false;
}
#endif

bool lanes_usable(const struct lanes *l)
{
	return l && (l != lanes_avx2() || has_avx2());
}

const struct lanes *lanes_choose(void)
{
	return lanes_usable(lanes_avx2()) ? lanes_avx2() : lanes_base();
}
