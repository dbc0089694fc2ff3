/* limit_memory.c - little memory for a whole process. */
#include "tests/limit_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

bool is_under_valgrind(void)
{
	const char *preloaded = getenv("LD_PRELOAD");

	return preloaded && strstr(preloaded, "vgpreload");
}

static bool is_instrumented(void)
{
#if defined __SANITIZE_ADDRESS__
	return true;
#elif defined __has_feature
#if __has_feature(address_sanitizer)
	return true;
#endif
#endif
	return is_under_valgrind();
}

void limit_memory(size_t bytes)
{
	struct rlimit limit;

	if (is_instrumented() || getrlimit(RLIMIT_AS, &limit))
		return;
	limit.rlim_cur = bytes ? bytes : limit.rlim_max;
	setrlimit(RLIMIT_AS, &limit);
}
