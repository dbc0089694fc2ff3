/* storage.c - memory that several matrices lie in. */
#include "core/storage.h"

#include <stdatomic.h>
#include <stdlib.h>

struct storage {
	atomic_size_t users;
	void *data;
	void (*release)(void *data);
};

enum status storage_begin(struct storage **out, void *data, void (*release)(void *data), struct error *e)
{
	struct storage *s = malloc(sizeof *s);

	if (!s)
		return error_set(e, E_MEMORY, "no memory to share an input");
	atomic_init(&s->users, 1);
	s->data = data;
	s->release = release;
	*out = s;
	return OK_STATUS;
}

struct storage *storage_keep(struct storage *s)
{
	if (s)
		atomic_fetch_add(&s->users, 1);
	return s;
}

void storage_drop(struct storage *s)
{
	if (!s || atomic_fetch_sub(&s->users, 1) > 1)
		return;
	s->release(s->data);
	free(s);
}
