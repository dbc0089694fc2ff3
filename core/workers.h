/* workers.h - threads that stay, for work that falls into independent items.
 *
 * Whoever has items to do works along: he never waits for a thread that has not
 * begun, as one that the system has not woken yet.
 */
#ifndef CORE_WORKERS_H
#define CORE_WORKERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

struct workers;

enum { WORKERS_MOST = 64 };

/* Does item `item`, on the thread `worker` (0 is the caller's). */
typedef void work_item(void *context, size_t item, size_t worker);

/* `threads` of them with the caller's, cut to 1..WORKERS_MOST; fewer where the system
 * refuses more. E_MEMORY. They inherit the mask of signals: who handles signals
 * blocks them for the time of this call. */
enum status workers_start(struct workers **out, size_t threads, struct error *e);
void workers_stop(struct workers *w);		/* NULL is accepted */
size_t workers_count(const struct workers *w);	/* 1 for NULL */

/* Does the items 0..count-1, in ascending order of their beginnings, and returns when
 * all that were begun are done; after *cancel (or NULL) turned true none is begun.
 * Returns whether all were done. Not to be called from two threads, nor from an item. */
bool workers_run(struct workers *w, size_t count, work_item *f, void *context, const atomic_bool *cancel);

#endif
