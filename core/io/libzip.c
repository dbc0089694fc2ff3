/* libzip.c - the library that .npz files are read and written with, loaded when one is. */
#include "core/io/libzip.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

struct libzip libzip;

/* ISO C knows no way from an object pointer to a function pointer but this. */
static bool find(void *library, const char *name, void *function)
{
	void *symbol = dlsym(library, name);

	memcpy(function, &symbol, sizeof symbol);
	return symbol != NULL;
}

static enum status cannot_load(struct error *e)
{
	const char *why = dlerror();

	return error_set(e, E_FILE, "libzip, which .npz files are read and written with, cannot be loaded: %s",
			 why ? why : "?");
}

enum status libzip_load_from(const char *library, struct libzip *out, struct error *e)
{
	void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
	struct libzip found;

	if (!handle)
		return cannot_load(e);
#define FIND(name) && find(handle, "zip_" #name, &found.name)
	if (!(true LIBZIP_FUNCTIONS(FIND))) {
		enum status s = cannot_load(e);
		dlclose(handle);
		return s;
	}
#undef FIND
	*out = found;
	return OK_STATUS;
}

enum status libzip_load(struct error *e)
{
	return libzip.close ? OK_STATUS : libzip_load_from(LIBZIP_SONAME, &libzip, e);
}
