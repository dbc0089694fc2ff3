/* storage.h - memory that several matrices lie in, such as a mapped file: it goes with the last of them. */
#ifndef CORE_STORAGE_H
#define CORE_STORAGE_H

#include "core/error.h"

struct storage;

/* Of `data`, which `release` is called for when nobody keeps it any more; the caller is
 * the first who does. E_MEMORY; data is then still the caller's. */
enum status storage_begin(struct storage **out, void *data, void (*release)(void *data), struct error *e);
/* One more, or one less, who keeps it; NULL is accepted. Any thread may. */
struct storage *storage_keep(struct storage *s);
void storage_drop(struct storage *s);

#endif
