/* lanes.c - which of the kernels this processor runs. */
#include "core/lanes.h"

#if defined __x86_64__ || defined __i386__
#include <cpuid.h>

/* Asked for directly: not every compiler knows its name. */
static bool has_f16c(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}

static bool has(const struct lanes *l)
{
	__builtin_cpu_init();
	if (l == lanes_avx512())
		return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
		       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
	return l == lanes_base() ||
	       (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c());
}
#else
static bool has(const struct lanes *l)
{
	return l == lanes_base();
}
#endif

const struct lanes *lanes_kernel(size_t which)
{
	return which == 0 ? lanes_base() : which == 1 ? lanes_avx2() : lanes_avx512();
}

bool lanes_usable(const struct lanes *l)
{
	return l && has(l);
}

const struct lanes *lanes_choose(void)
{
	size_t which = LANES_KERNELS - 1;

	while (!lanes_usable(lanes_kernel(which)))
		which--;
	return lanes_kernel(which);
}
